package web

import (
	"errors"
	"io"
	"net/http"

	"hearth/internal/chat"
	"hearth/internal/view"
)

func (x *exchange) newSession(in *chat.Reader) error {
	if some, err := in.HasUsers(); err != nil || !some {
		return redirectUnless(x, err, "/first_run")
	}
	return x.signInPage(in, http.StatusOK, &view.SignIn{Email: x.text("email_address")})
}

func (x *exchange) signInPage(in *chat.Reader, status int, form *view.SignIn) (err error) {
	if form.Helper, err = helper(in); err != nil {
		return err
	}
	return x.page(in, status, func(w io.Writer, l *view.Layout) error { return x.server.site.SignInPage(w, l, form) })
}

// helper is the administrator whom a visitor can ask; nil when there is none.
func helper(in *chat.Reader) (*chat.User, error) {
	administrator, err := in.FirstAdministrator()
	if errors.Is(err, chat.ErrNotFound) {
		return nil, nil
	}
	return &administrator, err
}

// createSession signs in. Every attempt counts against the limit, also one that
// succeeds.
func (x *exchange) createSession() error {
	email := x.text("email_address")
	if !x.server.signIns.allow(x.ip, x.now) {
		return x.signInRefused(http.StatusTooManyRequests, email)
	}
	login, err := x.server.chat.SignIn(x.r.Context(), email, x.text("password"), x.client())
	if errors.Is(err, chat.ErrForbidden) {
		return x.signInRefused(http.StatusUnauthorized, email)
	}
	if err != nil {
		return err
	}
	return x.signIn(login, x.takeReturn())
}

func (x *exchange) signInRefused(status int, email string) error {
	return x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error {
		return x.signInPage(in, status, &view.SignIn{Email: email, Failed: true})
	})
}

func (x *exchange) deleteSession() error {
	if err := x.server.chat.SignOut(x.r.Context(), *x.login, x.text("push_subscription_endpoint")); err != nil {
		return err
	}
	x.resetSession()
	x.signedOut = true
	return x.redirect("/")
}
