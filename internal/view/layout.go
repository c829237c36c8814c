package view

import (
	"html/template"
	"io"
	"strings"

	"hearth/internal/chat"
)

// Layout is what every page needs to know besides its own subject. The zero
// value is a signed-out visitor of a server without an account.
type Layout struct {
	Viewer  *chat.User    // nil: signed out
	Account *chat.Account // nil: there is none yet

	// CSRFToken is the masked token of the whole session, for the page's head.
	CSRFToken string
	// FormToken masks a token that is good for one form only. nil: no tokens.
	FormToken func(path, method string) string

	Notice, Alert string // shown once, as a flash

	// BaseURL is scheme and host of the request without a slash at the end. It is
	// used for what people copy out of the page (the join link), nowhere else.
	BaseURL  string
	CableURL string // empty: "/cable"
	VAPIDKey string // public key of Web Push; empty: none

	// Frame is the request's Turbo-Frame header. If set, the page comes without
	// navigation and sidebar, because all but the frame is thrown away.
	Frame string

	// LastRoom is where "Go Back" and "Exit search" lead; zero: to the root.
	LastRoom chat.RoomID
}

// page is what a template gets: the layout, what the page says about itself to
// the layout, and the data of the page.
type page struct {
	*Layout
	Title     string
	BodyClass string
	Room      *chat.Room // on a room's page
	Reload    bool       // the page must not take the place of another by script
	D         any
}

// Full reports whether the page needs navigation and sidebar.
func (p *page) Full() bool { return p.Frame == "" }

// Class is the body's class attribute.
func (p *page) Class() string {
	class := p.BodyClass
	if p.Viewer != nil && p.Viewer.Administrator() {
		class += " admin"
	}
	if p.Account != nil && p.Account.HasLogo {
		class += " account-has-logo"
	}
	return strings.TrimSpace(class)
}

// AccountName is the name on the door.
func (p *page) AccountName() string {
	if p.Account == nil {
		return "Hearth"
	}
	return p.Account.Name
}

// OwnLogo is the path of the account's own picture; empty: it has none, and our
// mark stands in its place.
func (p *page) OwnLogo() string {
	if p.Account == nil || !p.Account.HasLogo {
		return ""
	}
	return "/account/logo?v=" + p.Account.UpdatedAt.UTC().Format("20060102150405")
}

// Cable is the path of the socket.
func (p *page) Cable() string {
	if p.CableURL == "" {
		return "/cable"
	}
	return p.CableURL
}

// Token is the CSRF token of one form.
func (p *page) Token(path, method string) string {
	if p.FormToken == nil {
		return ""
	}
	return p.FormToken(path, method)
}

// CanCreateRooms reports whether the viewer may make open and closed rooms.
func (p *page) CanCreateRooms() bool {
	return p.Viewer.Administrator() || p.Account == nil || !p.Account.RestrictRoomCreation
}

// JoinURL is the link by which people join the account.
func (p *page) JoinURL() string {
	if p.Account == nil {
		return ""
	}
	return p.BaseURL + "/join/" + p.Account.JoinCode
}

// render writes a page through the template of that name.
func (s *Site) render(w io.Writer, name string, l *Layout, p page) error {
	p.Layout = l
	return s.run(w, name, &p)
}

// markup is HTML that the append functions of this package made.
type markup []byte

// trusted is the one place where HTML passes into a template unescaped. It takes
// only what this package's append functions made: of escaped text, of what
// richtext has cleaned, and of the account's own styles.
func trusted(m markup) template.HTML { return template.HTML(m) }
