package chat

import (
	"fmt"
	"strconv"
	"time"

	"hearth/internal/rails"
	"hearth/sqlite"
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

// roomColumns is what scanRoom reads, of a table called r.
const roomColumns = `r.id, r.name, r.type, r.creator_id, r.created_at, r.updated_at`

func scanRoom(t *texts, row sqlite.Row) (Room, error) {
	room := Room{
		ID:        RoomID(row.Int(0)),
		Name:      t.copy(row, 1),
		Type:      RoomType(t.copy(row, 2)),
		CreatorID: UserID(row.Int(3)),
	}
	var err error
	if room.CreatedAt, err = t.time(row, 4); err != nil {
		return room, fmt.Errorf("room %d: %w", room.ID, err)
	}
	if room.UpdatedAt, err = t.time(row, 5); err != nil {
		return room, fmt.Errorf("room %d: %w", room.ID, err)
	}
	return room, nil
}

// room returns the first room of a query for roomColumns.
func (r *Reader) room(sql string, args ...any) (Room, error) {
	var room Room
	found, err := r.q.One(sql, func(row sqlite.Row) (err error) {
		room, err = scanRoom(&texts{}, row)
		return err
	}, args...)
	if err == nil && !found {
		err = ErrNotFound
	}
	return room, err
}

// Room returns a room and the viewer's membership; ErrNotFound for who is not a
// member.
func (r *Reader) Room(id RoomID, viewer UserID) (Room, Membership, error) {
	var room Room
	var m Membership
	found, err := r.q.One(`SELECT `+roomColumns+`, `+membershipColumns+` FROM memberships m JOIN rooms r ON r.id = m.room_id
		WHERE m.room_id = ?1 AND m.user_id = ?2`, func(row sqlite.Row) (err error) {
		var t texts
		if room, err = scanRoom(&t, row); err != nil {
			return err
		}
		m, err = scanMembership(&t, row, 6)
		return err
	}, id, viewer)
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return Room{}, Membership{}, fmt.Errorf("load room %d: %w", id, err)
	}
	return room, m, nil
}

// OldestRoom returns the room of the viewer that was made first; ErrNotFound for
// who has none.
func (r *Reader) OldestRoom(viewer UserID) (Room, error) {
	room, err := r.room(`SELECT `+roomColumns+` FROM memberships m JOIN rooms r ON r.id = m.room_id
		WHERE m.user_id = ?1 ORDER BY r.created_at, r.id LIMIT 1`, viewer)
	if err != nil {
		return room, fmt.Errorf("load oldest room: %w", err)
	}
	return room, nil
}

// LastRoom returns the room of the viewer with the highest id; ErrNotFound for
// who has none.
func (r *Reader) LastRoom(viewer UserID) (Room, error) {
	room, err := r.room(`SELECT `+roomColumns+` FROM memberships m JOIN rooms r ON r.id = m.room_id
		WHERE m.user_id = ?1 ORDER BY r.id DESC LIMIT 1`, viewer)
	if err != nil {
		return room, fmt.Errorf("load last room: %w", err)
	}
	return room, nil
}

// FirstRoom returns the room of the account that was made first, whoever is in it.
func (r *Reader) FirstRoom() (Room, error) {
	room, err := r.room(`SELECT ` + roomColumns + ` FROM rooms r ORDER BY r.created_at, r.id LIMIT 1`)
	if err != nil {
		return room, fmt.Errorf("load first room: %w", err)
	}
	return room, nil
}

// CountMessages returns how many messages a room has.
func (r *Reader) CountMessages(room RoomID) (int, error) {
	n := 0
	_, err := r.q.One(`SELECT count(*) FROM messages WHERE room_id = ?1`, func(row sqlite.Row) error {
		n = int(row.Int(0))
		return nil
	}, room)
	if err != nil {
		return 0, fmt.Errorf("count messages of room %d: %w", room, err)
	}
	return n, nil
}
