package web

import (
	"errors"
	"io"
	"net/http"

	"hearth/internal/chat"
	"hearth/internal/view"
)

func (x *exchange) newFirstRun(in *chat.Reader) error {
	if done, err := setUp(in); err != nil || done {
		return redirectUnless(x, err, "/")
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		return x.server.site.FirstRunPage(w, l, &view.SignUp{})
	})
}

func setUp(in *chat.Reader) (bool, error) {
	_, err := in.Account()
	if errors.Is(err, chat.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func redirectUnless(x *exchange, err error, path string) error {
	if err != nil {
		return err
	}
	return x.redirect(path)
}

func (x *exchange) createFirstRun() error {
	if err := x.require("user"); err != nil {
		return err
	}
	newcomer := x.newcomer()
	login, _, err := x.server.chat.FirstRun(x.r.Context(), newcomer, x.client())
	switch {
	case errors.Is(err, chat.ErrSetUp):
		return x.redirect("/")
	case errors.Is(err, chat.ErrInvalid):
		return x.pageAfterWrite(http.StatusUnprocessableEntity, func(*chat.Reader) (func(io.Writer, *view.Layout) error, error) {
			return func(w io.Writer, l *view.Layout) error {
				return x.server.site.FirstRunPage(w, l, refused(newcomer, "", err))
			}, nil
		})
	case err != nil:
		return err
	}
	return x.signIn(login, "/")
}

// newcomer is what a sign-up form says.
func (x *exchange) newcomer() chat.Newcomer {
	return chat.Newcomer{Name: x.text("user[name]"), Email: x.text("user[email_address]"), Password: x.text("user[password]")}
}

// signIn remembers in a cookie that a session has begun.
func (x *exchange) signIn(login chat.Session, path string) error {
	x.loginToken = login.Token
	return x.redirect(path)
}

// refused is a sign-up form as it was sent, with what is wrong with it.
func refused(n chat.Newcomer, code string, err error) *view.SignUp {
	return &view.SignUp{Code: code, Name: n.Name, Email: n.Email, Problem: sentence(err)}
}
