package web

import (
	"io"
	"net/http"

	"hearth/internal/chat"
	"hearth/internal/view"
)

func (x *exchange) showInvolvement(in *chat.Reader) error {
	room, membership, err := x.room(in)
	if err != nil {
		return err
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		return x.server.site.InvolvementPage(w, l, &room, membership.Involvement)
	})
}

// room loads the room that a path is about, if the viewer is in it.
func (x *exchange) room(in *chat.Reader) (chat.Room, chat.Membership, error) {
	id, err := x.pathRoom("room_id")
	if err != nil {
		return chat.Room{}, chat.Membership{}, err
	}
	return in.Room(id, x.viewer.ID)
}

func (x *exchange) updateInvolvement() error {
	id, err := x.pathRoom("room_id")
	if err != nil {
		return err
	}
	err = x.server.chat.SetInvolvement(x.r.Context(), *x.viewer, id, chat.Involvement(x.text("involvement")))
	return redirectUnless(x, err, roomPath(id)+"/involvement")
}
