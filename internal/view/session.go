package view

import (
	"io"

	"hearth/internal/chat"
)

// SignUp is the form by which a person makes their account: the first one, or
// one who has the join link. Name and Email are what was typed before.
type SignUp struct {
	Code        string // of the join link; empty on the first run
	Name, Email string
	Problem     string     // a sentence on why it was not accepted; empty: nothing tried yet
	Helper      *chat.User // whom to ask; nil: nobody is named
}

// FirstRunPage greets the first one on a server without an account.
func (s *Site) FirstRunPage(w io.Writer, l *Layout, d *SignUp) error {
	return s.render(w, "first_run", l, page{Title: "Set up Hearth", BodyClass: "signup", D: d})
}

// JoinPage greets who followed the join link.
func (s *Site) JoinPage(w io.Writer, l *Layout, d *SignUp) error {
	return s.render(w, "join", l, page{Title: "Sign up", BodyClass: "signup", D: d})
}

// SignIn is the form by which a person comes back.
type SignIn struct {
	Email  string // what was typed, or came along in the link
	Failed bool   // refused, whether by address, password or too many tries
	Helper *chat.User
}

// SignInPage asks for address and password. Whoever comes here has left
// everything, so the browser loads it whole, and its form too.
func (s *Site) SignInPage(w io.Writer, l *Layout, d *SignIn) error {
	return s.render(w, "sign_in", l, page{Title: "Sign in", BodyClass: "signup", Reload: true, D: d})
}
