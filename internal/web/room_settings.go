package web

import (
	"io"
	"net/http"
	"slices"
	"strconv"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// Open and closed rooms have the same pages: which of the two paths is used says
// what the form makes of the room.

func (x *exchange) newOpen(in *chat.Reader) error   { return x.newRoom(in, chat.Open) }
func (x *exchange) newClosed(in *chat.Reader) error { return x.newRoom(in, chat.Closed) }

func (x *exchange) newRoom(in *chat.Reader, kind chat.RoomType) error {
	account, err := in.Account()
	if err != nil {
		return err
	}
	if account.RestrictRoomCreation && !x.viewer.Administrator() {
		return chat.ErrForbidden
	}
	active, err := in.ActiveUsers()
	if err != nil {
		return err
	}
	form := view.RoomSettings{Type: kind, Administer: true, Name: x.text("room[name]"), Members: active}
	if kind == chat.Closed {
		form.Members, form.Others = split(active, []chat.UserID{x.viewer.ID})
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		return x.server.site.NewRoomPage(w, l, &form)
	})
}

// split separates who is among members from the others, keeping the order.
func split(users []chat.User, members []chat.UserID) (in, out []chat.User) {
	for _, u := range users {
		if slices.Contains(members, u.ID) {
			in = append(in, u)
		} else {
			out = append(out, u)
		}
	}
	return in, out
}

func (x *exchange) editOpen(in *chat.Reader) error   { return x.editRoom(in, chat.Open) }
func (x *exchange) editClosed(in *chat.Reader) error { return x.editRoom(in, chat.Closed) }

func (x *exchange) editRoom(in *chat.Reader, kind chat.RoomType) error {
	room, err := x.sharedRoom(in)
	if err != nil {
		return x.orNoRoom(err)
	}
	active, err := in.ActiveUsers()
	if err != nil {
		return err
	}
	form := view.RoomSettings{
		Room: &room, Type: kind, Name: x.text("room[name]"),
		Members: active, Administer: x.viewer.CanAdminister(room.CreatorID),
	}
	if kind == chat.Closed {
		members, err := in.MemberIDs(room.ID)
		if err != nil {
			return err
		}
		form.Members, form.Others = split(active, members)
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		return x.server.site.EditRoomPage(w, l, &form)
	})
}

// sharedRoom loads the room of the path, if the viewer is in it and it is not direct.
func (x *exchange) sharedRoom(in *chat.Reader) (chat.Room, error) {
	id, err := x.pathRoom("id")
	if err != nil {
		return chat.Room{}, err
	}
	room, _, err := in.Room(id, x.viewer.ID)
	if err == nil && room.Direct() {
		err = chat.ErrNotFound
	}
	return room, err
}

// showTyped is the address of a room with its type: it leads to the one without.
func (x *exchange) showTyped(in *chat.Reader) error {
	room, err := x.sharedRoom(in)
	if err != nil {
		return x.orNoRoom(err)
	}
	x.setLastRoom(strconv.FormatInt(int64(room.ID), 10))
	return x.redirect(roomPath(room.ID))
}

// roomName is the one thing a form must say about a room.
func (x *exchange) roomName() (string, error) {
	name, given := x.param("room[name]")
	if !given {
		return "", errMissing
	}
	return name, nil
}

func (x *exchange) createOpen() error {
	name, err := x.roomName()
	if err != nil {
		return err
	}
	room, err := x.server.chat.CreateOpenRoom(x.r.Context(), *x.viewer, name)
	return redirectUnless(x, err, roomPath(room.ID))
}

func (x *exchange) createClosed() error {
	name, err := x.roomName()
	if err != nil {
		return err
	}
	room, err := x.server.chat.CreateClosedRoom(x.r.Context(), *x.viewer, name, x.userIDs())
	return redirectUnless(x, err, roomPath(room.ID))
}

func (x *exchange) updateOpen() error {
	return x.updateRoom(func(id chat.RoomID, name string) (chat.Room, error) {
		return x.server.chat.UpdateOpenRoom(x.r.Context(), *x.viewer, id, name)
	})
}

func (x *exchange) updateClosed() error {
	return x.updateRoom(func(id chat.RoomID, name string) (chat.Room, error) {
		return x.server.chat.UpdateClosedRoom(x.r.Context(), *x.viewer, id, name, x.userIDs())
	})
}

func (x *exchange) updateRoom(update func(chat.RoomID, string) (chat.Room, error)) error {
	name, err := x.roomName()
	if err != nil {
		return err
	}
	id, err := x.pathRoom("id")
	if err != nil {
		return x.orNoRoom(err)
	}
	room, err := update(id, name)
	if err != nil {
		return x.orNoRoom(err)
	}
	return x.redirect(roomPath(room.ID))
}
