package chat

import (
	"context"
	"strconv"
	"time"

	"hearth/internal/rails"
)

// RoomType is the kind of a room. Its text is the one in the database.
type RoomType string

const (
	Open   RoomType = "Rooms::Open"   // everybody is in it
	Closed RoomType = "Rooms::Closed" // who was chosen is in it
	Direct RoomType = "Rooms::Direct" // a conversation of exactly its members
)

// DOM returns the type as it stands in ids of elements: "rooms_open".
func (t RoomType) DOM() string {
	switch t {
	case Open:
		return "rooms_open"
	case Closed:
		return "rooms_closed"
	case Direct:
		return "rooms_direct"
	}
	return "room"
}

// Room is a place to talk.
type Room struct {
	ID        RoomID
	Name      string // empty for direct rooms
	Type      RoomType
	CreatorID UserID
	CreatedAt time.Time
	UpdatedAt time.Time // of its last activity
}

// Direct reports whether r is a conversation of exactly its members.
func (r *Room) Direct() bool { return r.Type == Direct }

// DOMID returns the id of an element about r, such as "messages_rooms_open_5".
func (r *Room) DOMID(prefix string) string {
	id := r.Type.DOM() + "_" + strconv.FormatInt(int64(r.ID), 10)
	if prefix == "" {
		return id
	}
	return prefix + "_" + id
}

// Stream returns the name of the stream of r's messages.
func (r *Room) Stream() string {
	return rails.GIDParam(string(r.Type), int64(r.ID)) + ":messages"
}

// Room returns a room and the viewer's membership; ErrNotFound for who is not a
// member.
func (r *Reader) Room(id RoomID, viewer UserID) (Room, Membership, error) {
	return Room{}, Membership{}, errLater
}

// OldestRoom returns the room of the viewer that was made first; ErrNotFound for
// who has none.
func (r *Reader) OldestRoom(viewer UserID) (Room, error) { return Room{}, errLater }

// LastRoom returns the room of the viewer with the highest id; ErrNotFound for
// who has none.
func (r *Reader) LastRoom(viewer UserID) (Room, error) { return Room{}, errLater }

// FirstRoom returns the room of the account that was made first, whoever is in it.
func (r *Reader) FirstRoom() (Room, error) { return Room{}, errLater }

// CountMessages returns how many messages a room has.
func (r *Reader) CountMessages(room RoomID) (int, error) { return 0, errLater }

// CreateOpenRoom makes a room that every active user is in. ErrForbidden when
// only administrators may and by is none.
func (c *Chat) CreateOpenRoom(ctx context.Context, by User, name string) (Room, error) {
	return Room{}, errLater
}

// CreateClosedRoom makes a room for exactly members; by is not added by itself.
func (c *Chat) CreateClosedRoom(ctx context.Context, by User, name string, members []UserID) (Room, error) {
	return Room{}, errLater
}

// OpenDirect returns the conversation of by and others, making it if these people
// have none.
func (c *Chat) OpenDirect(ctx context.Context, by User, others []UserID) (Room, error) {
	return Room{}, errLater
}

// UpdateOpenRoom renames a room and makes it open: every active user gets in.
// ErrNotFound when by is not in it or it is direct, ErrForbidden when by may not
// administer it.
func (c *Chat) UpdateOpenRoom(ctx context.Context, by User, id RoomID, name string) (Room, error) {
	return Room{}, errLater
}

// UpdateClosedRoom renames a room and makes it closed, with exactly members in
// it. Errors as for UpdateOpenRoom.
func (c *Chat) UpdateClosedRoom(ctx context.Context, by User, id RoomID, name string, members []UserID) (Room, error) {
	return Room{}, errLater
}

// DeleteRoom deletes a room of any type with all that is in it. ErrNotFound when
// by is not in it, ErrForbidden when by may not administer it.
func (c *Chat) DeleteRoom(ctx context.Context, by User, id RoomID) error { return errLater }

// DeleteDirect deletes a direct room; each of its members may. ErrNotFound when
// by is not in it or it is not direct.
func (c *Chat) DeleteDirect(ctx context.Context, by User, id RoomID) error { return errLater }
