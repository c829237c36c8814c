package chat

import (
	"context"
	"fmt"

	"hearth/sqlite"
)

// A room with few messages is deleted in one turn at writing. With many, that turn
// would keep everybody waiting: the first turn then takes all members out, so that
// the room is gone for everybody, and notes the room in hearth_doomed_rooms; more
// turns take its messages, some at a time; the last takes room and note. Resume
// goes on where a process was stopped.
const (
	deleteAtOnce = 1000 // messages
	deleteSome   = 200  // messages in a turn
)

// DeleteRoom deletes a room of any type with all that is in it. ErrNotFound when
// by is not in it, ErrForbidden when by may not administer it. It returns when all
// is gone; for others the room is gone at once.
func (c *Chat) DeleteRoom(ctx context.Context, by User, id RoomID) error {
	return c.deleteRoom(ctx, id, func(w *writer) (Room, error) { return w.administered(by, id) })
}

// DeleteDirect deletes a direct room; each of its members may. ErrNotFound when
// by is not in it or it is not direct.
func (c *Chat) DeleteDirect(ctx context.Context, by User, id RoomID) error {
	return c.deleteRoom(ctx, id, func(w *writer) (Room, error) {
		room, _, err := w.Room(id, by.ID)
		if err == nil && !room.Direct() {
			err = ErrNotFound
		}
		return room, err
	})
}

// deleteRoom deletes the room that allowed returns.
func (c *Chat) deleteRoom(ctx context.Context, id RoomID, allowed func(*writer) (Room, error)) error {
	err := c.write(ctx, func(w *writer) error {
		room, err := allowed(w)
		if err != nil {
			return err
		}
		return w.doom(room)
	})
	if err == nil {
		err = c.finishDeletion(context.WithoutCancel(ctx), id)
	}
	if err != nil {
		return fmt.Errorf("delete room %d: %w", id, err)
	}
	return nil
}

// doom takes everybody out of a room and, if it is small, deletes it.
func (w *writer) doom(room Room) error {
	members, err := w.MemberIDs(room.ID)
	if err != nil {
		return err
	}
	if err := w.exec(`DELETE FROM memberships WHERE room_id = ?1`, room.ID); err != nil {
		return err
	}
	w.announce(RoomDeleted{Room: room, Members: members})
	ids, err := w.someMessages(room.ID, deleteAtOnce+1)
	if err != nil {
		return err
	}
	if len(ids) <= deleteAtOnce {
		return w.deleteRoomAnd(room.ID, ids)
	}
	// Newcomers get into every open room.
	if err := w.exec(`UPDATE rooms SET type = ?1 WHERE id = ?2`, Closed, room.ID); err != nil {
		return err
	}
	return w.exec(`INSERT INTO hearth_doomed_rooms (room_id) VALUES (?1)`, room.ID)
}

// deleteRoomAnd deletes a room with its last messages.
func (w *writer) deleteRoomAnd(room RoomID, ids []MessageID) error {
	for _, id := range ids {
		if err := w.deleteMessage(id); err != nil {
			return err
		}
	}
	return w.exec(`DELETE FROM rooms WHERE id = ?1`, room)
}

func (r *Reader) someMessages(room RoomID, most int) ([]MessageID, error) {
	var ids []MessageID
	err := r.q.Query(`SELECT id FROM messages WHERE room_id = ?1 LIMIT ?2`, func(row sqlite.Row) error {
		ids = append(ids, MessageID(row.Int(0)))
		return nil
	}, room, most)
	return ids, err
}

// finishDeletion takes the messages of a doomed room, turn by turn.
func (c *Chat) finishDeletion(ctx context.Context, room RoomID) error {
	return c.inTurns(ctx, func(w *writer) (bool, error) { return w.deleteMore(room) })
}

// deleteMore deletes some messages of a doomed room, and the room with the last
// of them. It reports whether nothing is left to do.
func (w *writer) deleteMore(room RoomID) (finished bool, err error) {
	doomed, err := exists(w.q, `SELECT 1 FROM hearth_doomed_rooms WHERE room_id = ?1`, room)
	if err != nil || !doomed {
		return true, err
	}
	ids, err := w.someMessages(room, deleteSome)
	if err != nil {
		return false, err
	}
	if len(ids) < deleteSome {
		if err := w.exec(`DELETE FROM hearth_doomed_rooms WHERE room_id = ?1`, room); err != nil {
			return false, err
		}
		return true, w.deleteRoomAnd(room, ids)
	}
	for _, id := range ids {
		if err := w.deleteMessage(id); err != nil {
			return false, err
		}
	}
	return false, nil
}

// Resume finishes the deletion of rooms that a stopped process had begun. Nobody
// has to wait for it.
func (c *Chat) Resume(ctx context.Context) error {
	var rooms []RoomID
	err := c.Read(ctx, func(r *Reader) error {
		rooms = nil
		return r.q.Query(`SELECT room_id FROM hearth_doomed_rooms`, func(row sqlite.Row) error {
			rooms = append(rooms, RoomID(row.Int(0)))
			return nil
		})
	})
	for _, room := range rooms {
		if err == nil {
			err = c.finishDeletion(ctx, room)
		}
	}
	if err != nil {
		return fmt.Errorf("finish deletion of rooms: %w", err)
	}
	return nil
}
