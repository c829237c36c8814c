package web

import (
	"io"
	"net/http"

	"hearth/internal/chat"
	"hearth/internal/view"
)

func (x *exchange) newDirect(in *chat.Reader) error {
	return x.page(in, http.StatusOK, x.server.site.NewPingPage)
}

func (x *exchange) createDirect() error {
	room, err := x.server.chat.OpenDirect(x.r.Context(), *x.viewer, x.userIDs())
	return redirectUnless(x, err, roomPath(room.ID))
}

func (x *exchange) editDirect(in *chat.Reader) error {
	id, err := x.pathRoom("id")
	if err != nil {
		return x.noRoom()
	}
	room, _, err := in.Room(id, x.viewer.ID)
	if err == nil && !room.Direct() {
		err = chat.ErrNotFound
	}
	if err != nil {
		return x.orNoRoom(err)
	}
	members, err := in.Members(room.ID)
	if err != nil {
		return err
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		return x.server.site.EditPingPage(w, l, &view.PingSettings{Room: &room, Members: members})
	})
}

func (x *exchange) deleteDirect() error {
	id, err := x.pathRoom("id")
	if err == nil {
		err = x.server.chat.DeleteDirect(x.r.Context(), *x.viewer, id)
	}
	if err != nil {
		return x.orNoRoom(err)
	}
	return x.redirect("/")
}
