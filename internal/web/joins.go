package web

import (
	"errors"
	"io"
	"net/http"
	"net/url"

	"hearth/internal/chat"
	"hearth/internal/view"
)

func (x *exchange) newJoin(in *chat.Reader) error {
	if x.viewer != nil {
		return x.redirect("/")
	}
	account, err := in.Account()
	if errors.Is(err, chat.ErrNotFound) || err == nil && account.JoinCode != x.value("join_code") {
		return x.head(http.StatusNotFound)
	}
	if err != nil {
		return err
	}
	return x.joinPage(in, http.StatusOK, &view.SignUp{Code: account.JoinCode})
}

func (x *exchange) joinPage(in *chat.Reader, status int, form *view.SignUp) (err error) {
	if form.Helper, err = helper(in); err != nil {
		return err
	}
	return x.page(in, status, func(w io.Writer, l *view.Layout) error { return x.server.site.JoinPage(w, l, form) })
}

func (x *exchange) createJoin() error {
	if x.viewer != nil {
		return x.redirect("/")
	}
	if err := x.require("user"); err != nil {
		return err
	}
	code, newcomer := x.value("join_code"), x.newcomer()
	login, err := x.server.chat.Join(x.r.Context(), code, newcomer, x.client())
	switch {
	case errors.Is(err, chat.ErrNotFound):
		return x.head(http.StatusNotFound)
	case errors.Is(err, chat.ErrTaken):
		x.alert("This address has an account already: sign in")
		return x.redirect("/session/new?email_address=" + url.QueryEscape(newcomer.Email))
	case errors.Is(err, chat.ErrInvalid):
		return x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error {
			return x.joinPage(in, http.StatusUnprocessableEntity, refused(newcomer, code, err))
		})
	case err != nil:
		return err
	}
	return x.signIn(login, "/")
}
