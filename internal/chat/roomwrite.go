package chat

import (
	"context"
	"fmt"
	"slices"

	"hearth/sqlite"
)

// MayCreateRooms reports whether u may make open and closed rooms.
func (a *Account) MayCreateRooms(u User) bool {
	return !a.RestrictRoomCreation || u.Administrator()
}

// CreateOpenRoom makes a room that every active user is in. ErrForbidden when
// only administrators may and by is none, ErrInvalid for a name that is too long.
func (c *Chat) CreateOpenRoom(ctx context.Context, by User, name string) (Room, error) {
	return c.createRoom(ctx, by, name, Open, nil)
}

// CreateClosedRoom makes a room for exactly members; by is not added by itself.
func (c *Chat) CreateClosedRoom(ctx context.Context, by User, name string, members []UserID) (Room, error) {
	return c.createRoom(ctx, by, name, Closed, members)
}

func (c *Chat) createRoom(ctx context.Context, by User, name string, t RoomType, members []UserID) (Room, error) {
	if err := checkLabel("a name", name); err != nil {
		return Room{}, fmt.Errorf("create room: %w", err)
	}
	var room Room
	err := c.write(ctx, func(w *writer) error {
		if by, err := w.stillActive(by.ID); err != nil {
			return err
		} else if a, err := w.Account(); err != nil {
			return err
		} else if !a.MayCreateRooms(by) {
			return ErrForbidden
		}
		var err error
		if room, err = w.insertRoom(name, t, by.ID); err != nil {
			return err
		}
		if t == Open {
			err = w.grantEverybody(room.ID)
		} else {
			err = w.grant(room, members)
		}
		if err != nil {
			return err
		}
		ids, err := w.MemberIDs(room.ID)
		w.announce(RoomCreated{Room: room, Members: ids})
		return err
	})
	if err != nil {
		return Room{}, fmt.Errorf("create room: %w", err)
	}
	return room, nil
}

// stillActive returns an active user as they are now: between the check of a
// session and the turn at writing they may have been put out, or lost a role.
func (w *writer) stillActive(id UserID) (User, error) {
	u, err := w.User(id)
	if err == nil && !u.Active() {
		err = fmt.Errorf("user %d is not active: %w", id, ErrForbidden)
	}
	return u, err
}

// insertRoom adds a room without members. Direct rooms have no name.
func (w *writer) insertRoom(name string, t RoomType, creator UserID) (Room, error) {
	room := Room{Name: name, Type: t, CreatorID: creator, CreatedAt: w.at, UpdatedAt: w.at}
	var stored any = name
	if t == Direct {
		stored = nil
	}
	err := w.exec(`INSERT INTO rooms (name, type, creator_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)`, stored, t, creator, w.now)
	room.ID = RoomID(w.tx.LastInsertID())
	return room, err
}

// OpenDirect returns the conversation of by and others, making it if these people
// have none. Ids of nobody are passed over.
func (c *Chat) OpenDirect(ctx context.Context, by User, others []UserID) (Room, error) {
	var room Room
	err := c.write(ctx, func(w *writer) error {
		if _, err := w.stillActive(by.ID); err != nil {
			return err
		}
		members, err := w.People(append([]UserID{by.ID}, others...))
		if err != nil {
			return err
		}
		if room, err = w.direct(by.ID, members); err != nil {
			return err
		}
		w.announce(DirectOpened{Room: room, Members: inOrderOfName(members)})
		return nil
	})
	if err != nil {
		return Room{}, fmt.Errorf("open direct room: %w", err)
	}
	return room, nil
}

// direct finds or makes the room of exactly members.
func (w *writer) direct(by UserID, members map[UserID]Author) (Room, error) {
	ids := make([]UserID, 0, len(members))
	for id := range members {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	room, err := w.directOf(by, ids)
	if err != nil || room.ID != 0 {
		return room, err
	}
	if room, err = w.insertRoom("", Direct, by); err != nil {
		return room, err
	}
	return room, w.grant(room, ids)
}

// directOf returns the direct room whose members are exactly ids (ascending), of
// which by is one, or a room without an id.
func (r *Reader) directOf(by UserID, ids []UserID) (Room, error) {
	var found Room
	err := r.q.Query(`SELECT `+roomColumns+` FROM memberships mine JOIN rooms r ON r.id = mine.room_id
		WHERE mine.user_id = ?1 AND r.type = ?2 AND ?3 = (SELECT count(*) FROM memberships WHERE room_id = r.id)
		ORDER BY r.id`, func(row sqlite.Row) error {
		room, err := scanRoom(&texts{}, row)
		if err != nil {
			return err
		}
		members, err := r.MemberIDs(room.ID)
		if err != nil || !slices.Equal(members, ids) {
			return err
		}
		found = room
		return sqlite.ErrStop
	}, by, Direct, len(ids))
	return found, err
}

// UpdateOpenRoom renames a room and makes it open: every active user gets in.
// ErrNotFound when by is not in it or it is direct, ErrForbidden when by may not
// administer it.
func (c *Chat) UpdateOpenRoom(ctx context.Context, by User, id RoomID, name string) (Room, error) {
	return c.updateRoom(ctx, by, id, name, Open, nil)
}

// UpdateClosedRoom renames a room and makes it closed, with exactly members in
// it. Errors as for UpdateOpenRoom.
func (c *Chat) UpdateClosedRoom(ctx context.Context, by User, id RoomID, name string, members []UserID) (Room, error) {
	return c.updateRoom(ctx, by, id, name, Closed, members)
}

func (c *Chat) updateRoom(ctx context.Context, by User, id RoomID, name string, t RoomType, members []UserID) (Room, error) {
	if err := checkLabel("a name", name); err != nil {
		return Room{}, fmt.Errorf("update room %d: %w", id, err)
	}
	var room Room
	err := c.write(ctx, func(w *writer) error {
		was, err := w.administered(by, id)
		if was.Direct() {
			return ErrNotFound // a direct room stays what it is, whoever asks
		}
		if err != nil {
			return err
		}
		room = was
		room.Name, room.Type, room.UpdatedAt = name, t, w.later(was.UpdatedAt)
		err = w.exec(`UPDATE rooms SET name = ?1, type = ?2, updated_at = ?3 WHERE id = ?4`, name, t, rowTime(room.UpdatedAt), id)
		if err != nil {
			return err
		}
		updated := RoomUpdated{Room: room, Was: was.Type}
		if t == Closed {
			updated.Removed, err = w.setMembers(room, members)
		} else if was.Type != Open {
			err = w.grantEverybody(id)
		}
		if err != nil {
			return err
		}
		updated.Members, err = w.MemberIDs(id)
		w.announce(updated)
		for _, user := range updated.Removed {
			w.announce(AccessRevoked{User: user, Reconnect: true})
		}
		return err
	})
	if err != nil {
		return Room{}, fmt.Errorf("update room %d: %w", id, err)
	}
	return room, nil
}

// administered returns a room that by is in and may administer.
func (w *writer) administered(by User, id RoomID) (Room, error) {
	by, err := w.stillActive(by.ID)
	if err != nil {
		return Room{}, err
	}
	room, _, err := w.Room(id, by.ID)
	if err == nil && !by.CanAdminister(room.CreatorID) {
		err = ErrForbidden
	}
	return room, err
}

// setMembers lets members into a room and puts out everybody else.
func (w *writer) setMembers(room Room, members []UserID) (removed []UserID, err error) {
	if err := w.grant(room, members); err != nil {
		return nil, err
	}
	are, err := w.MemberIDs(room.ID)
	if err != nil {
		return nil, err
	}
	for _, id := range are {
		if slices.Contains(members, id) {
			continue
		}
		if err := w.revoke(room.ID, id); err != nil {
			return nil, err
		}
		removed = append(removed, id)
	}
	return removed, nil
}
