package web

import (
	"errors"
	"net/http"
	"strconv"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// root leads to the room that was seen last, or greets who is in none.
func (x *exchange) root(in *chat.Reader) error {
	room, err := x.lastRoom(in)
	if errors.Is(err, chat.ErrNotFound) {
		return x.page(in, http.StatusOK, x.server.site.WelcomePage)
	}
	return redirectUnless(x, err, roomPath(room))
}

func (x *exchange) listRooms(in *chat.Reader) error {
	room, err := in.LastRoom(x.viewer.ID)
	if errors.Is(err, chat.ErrNotFound) {
		return x.redirect("/")
	}
	return redirectUnless(x, err, roomPath(room.ID))
}

// noRoom answers who asks for a room that there isn't, or isn't for them.
func (x *exchange) noRoom() error {
	x.alert("Room not found or inaccessible")
	return x.redirect("/")
}

// orNoRoom answers with noRoom where the error is that there is none.
func (x *exchange) orNoRoom(err error) error {
	if errors.Is(err, chat.ErrNotFound) {
		return x.noRoom()
	}
	return err
}

func (x *exchange) showRoom(in *chat.Reader) error {
	id, err := x.pathRoom("id")
	if x.value("id") == "new" {
		return chat.ErrNotFound // rooms are made under /rooms/opens and /rooms/closeds
	}
	if err != nil {
		return x.noRoom()
	}
	room, membership, err := in.Room(id, x.viewer.ID)
	if err != nil {
		return x.orNoRoom(err)
	}
	shown := view.RoomShown{Room: &room, Membership: &membership, LoadedAt: room.UpdatedAt}
	if err := x.fillRoom(in, &shown); err != nil {
		return err
	}
	l, err := x.pageLayout(in)
	if err != nil {
		return err
	}
	x.setLastRoom(strconv.FormatInt(int64(room.ID), 10))
	return x.roomPage(l, &shown)
}

// roomPage writes the page that is asked for most, without a copy in between.
func (x *exchange) roomPage(l *view.Layout, shown *view.RoomShown) (err error) {
	site := x.server.site
	x.start(http.StatusOK, typeHTML)
	if x.body.bytes, err = site.AppendRoomTop(x.body.bytes, l, shown); err != nil {
		return err
	}
	x.body.bytes = site.AppendMessages(x.body.bytes, shown.Messages, shown.People)
	x.body.bytes, err = site.AppendRoomBottom(x.body.bytes, l, shown)
	return err
}

// fillRoom loads the page of messages that is asked for, and whom they mention.
func (x *exchange) fillRoom(in *chat.Reader, shown *view.RoomShown) error {
	newest, err := x.fillMessages(in, shown)
	if err != nil {
		return err
	}
	if shown.People, err = x.people(in, shown.Messages...); err != nil {
		return err
	}
	if shown.Room.Direct() {
		direct, err := in.SidebarDirect(shown.Room.ID, x.viewer.ID)
		shown.Others = direct.Members
		return err
	}
	if newest && len(shown.Messages) < chat.PageSize {
		first, err := in.FirstRoom()
		shown.Welcome = err == nil && first.ID == shown.Room.ID
		return err
	}
	return nil
}

// fillMessages loads the messages around the one that the address names; if it
// names none, or one that there isn't, the newest.
func (x *exchange) fillMessages(in *chat.Reader, shown *view.RoomShown) (newest bool, err error) {
	if id, parseErr := strconv.ParseInt(x.text("message_id"), 10, 64); parseErr == nil {
		shown.Messages, err = in.PageAround(*shown.Room, chat.MessageID(id))
		if err == nil || !errors.Is(err, chat.ErrNotFound) {
			return false, err
		}
	}
	shown.Messages, err = in.LastPage(*shown.Room)
	return true, err
}

func (x *exchange) deleteRoom() error {
	id, err := x.pathRoom("id")
	if err == nil {
		err = x.server.chat.DeleteRoom(x.r.Context(), *x.viewer, id)
	}
	if err != nil {
		return x.orNoRoom(err)
	}
	return x.redirect("/")
}
