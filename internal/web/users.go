package web

import (
	"io"
	"net/http"

	"hearth/internal/chat"
	"hearth/internal/view"
)

func (x *exchange) showUser(in *chat.Reader) error {
	id, err := x.pathID("id")
	if err != nil {
		return err
	}
	someone, err := in.User(chat.UserID(id))
	if err != nil {
		return err
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		return x.server.site.PersonPage(w, l, &someone)
	})
}
