package chat

import (
	"context"
	"fmt"
	"time"

	"hearth/internal/rails"
	"hearth/sqlite"
)

// Involvement is how much of a room somebody wants to hear.
type Involvement string

const (
	Invisible  Involvement = "invisible" // nothing, and not in the sidebar
	Nothing    Involvement = "nothing"
	Mentions   Involvement = "mentions"
	Everything Involvement = "everything"
)

// Valid reports whether i is one of the four.
func (i Involvement) Valid() bool {
	switch i {
	case Invisible, Nothing, Mentions, Everything:
		return true
	}
	return false
}

// Membership is somebody's place in a room.
type Membership struct {
	RoomID      RoomID
	UserID      UserID
	Involvement Involvement
	UnreadAt    time.Time // of the first message that was not read; zero: all read
	ConnectedAt time.Time // zero: not there
	Connections int       // open pages
}

// Unread reports whether there is something new.
func (m *Membership) Unread() bool { return !m.UnreadAt.IsZero() }

// membershipColumns is what scanMembership reads, of a table called m.
const membershipColumns = `m.room_id, m.user_id, coalesce(m.involvement, 'mentions'), m.unread_at, m.connected_at, m.connections`

func scanMembership(t *texts, row sqlite.Row, first int) (Membership, error) {
	m := Membership{
		RoomID:      RoomID(row.Int(first)),
		UserID:      UserID(row.Int(first + 1)),
		Involvement: Involvement(t.copy(row, first+2)),
		Connections: int(row.Int(first + 5)),
	}
	var err error
	if m.UnreadAt, err = t.time(row, first+3); err != nil {
		return m, fmt.Errorf("membership: %w", err)
	}
	if m.ConnectedAt, err = t.time(row, first+4); err != nil {
		return m, fmt.Errorf("membership: %w", err)
	}
	return m, nil
}

// Membership returns the viewer's place in a room; ErrNotFound when there is none.
func (r *Reader) Membership(room RoomID, viewer UserID) (Membership, error) {
	var m Membership
	found, err := r.q.One(`SELECT `+membershipColumns+` FROM memberships m WHERE m.room_id = ?1 AND m.user_id = ?2`, func(row sqlite.Row) (err error) {
		m, err = scanMembership(&texts{}, row, 0)
		return err
	}, room, viewer)
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return m, fmt.Errorf("load membership in room %d: %w", room, err)
	}
	return m, nil
}

// MemberIDs returns the ids of who is in a room, ascending.
func (r *Reader) MemberIDs(room RoomID) ([]UserID, error) {
	var ids []UserID
	err := r.q.Query(`SELECT user_id FROM memberships WHERE room_id = ?1 ORDER BY user_id`, func(row sqlite.Row) error {
		ids = append(ids, UserID(row.Int(0)))
		return nil
	}, room)
	if err != nil {
		return nil, fmt.Errorf("load members of room %d: %w", room, err)
	}
	return ids, nil
}

// involvementAtFirst is how much of a room its new members hear.
func involvementAtFirst(t RoomType) Involvement {
	if t == Direct {
		return Everything
	}
	return Mentions
}

// grant lets users into a room; who is in it stays as they are. Ids of nobody are
// passed over.
func (w *writer) grant(room Room, users []UserID) error {
	for _, id := range users {
		err := w.exec(`INSERT INTO memberships (room_id, user_id, involvement, created_at, updated_at)
			SELECT ?1, id, ?2, ?3, ?3 FROM users WHERE id = ?4 ON CONFLICT DO NOTHING`, room.ID, involvementAtFirst(room.Type), w.now, id)
		if err != nil {
			return err
		}
	}
	return nil
}

// grantEverybody lets all active people and bots into an open room.
func (w *writer) grantEverybody(room RoomID) error {
	return w.exec(`INSERT INTO memberships (room_id, user_id, involvement, created_at, updated_at)
		SELECT ?1, id, ?2, ?3, ?3 FROM users WHERE status = 0 ON CONFLICT DO NOTHING`, room, Mentions, w.now)
}

// revoke puts one user out of a room.
func (w *writer) revoke(room RoomID, user UserID) error {
	return w.exec(`DELETE FROM memberships WHERE room_id = ?1 AND user_id = ?2`, room, user)
}

// SetInvolvement changes how much of a room by wants to hear. ErrInvalid for what
// is not an Involvement.
func (c *Chat) SetInvolvement(ctx context.Context, by User, id RoomID, to Involvement) error {
	if !to.Valid() {
		return fmt.Errorf("set involvement: %w: %q is not one of invisible, nothing, mentions, everything", ErrInvalid, to)
	}
	err := c.write(ctx, func(w *writer) error {
		room, m, err := w.Room(id, by.ID)
		if err != nil || m.Involvement == to {
			return err
		}
		// Its time stays: only activity and presence move it.
		err = w.exec(`UPDATE memberships SET involvement = ?1 WHERE room_id = ?2 AND user_id = ?3`, to, id, by.ID)
		w.announce(InvolvementChanged{Room: room, User: by.ID, From: m.Involvement, To: to})
		return err
	})
	if err != nil {
		return fmt.Errorf("set involvement: %w", err)
	}
	return nil
}

// presenceTTL is how long after its last sign of life a page counts as open.
// Pages give one every 50 seconds.
const presenceTTL = 60 * time.Second

// connectedSince returns the time that separates who is present from who is not.
func (w *writer) connectedSince() string { return rails.FormatTime(w.at.Add(-presenceTTL)) }

// Present notes that one more page of somebody shows a room; they have read it.
// ErrNotFound when they are not in it any more.
func (c *Chat) Present(ctx context.Context, user UserID, room RoomID) error {
	return c.presence(ctx, "note presence", user, room, func(w *writer) error {
		w.announce(RoomRead{User: user, Room: room})
		return w.exec(`UPDATE memberships SET connections = CASE WHEN connected_at >= ?1 THEN connections + 1 ELSE 1 END,
			connected_at = ?2, unread_at = NULL WHERE room_id = ?3 AND user_id = ?4`, w.connectedSince(), w.now, room, user)
	})
}

// Absent notes that one page less of somebody shows a room.
func (c *Chat) Absent(ctx context.Context, user UserID, room RoomID) error {
	return c.presence(ctx, "note absence", user, room, func(w *writer) error {
		return w.exec(`UPDATE memberships SET
			connections = CASE WHEN connected_at >= ?1 THEN max(connections - 1, 0) ELSE 0 END,
			connected_at = CASE WHEN connected_at >= ?1 AND connections > 1 THEN connected_at END,
			updated_at = ?2 WHERE room_id = ?3 AND user_id = ?4`, w.connectedSince(), w.now, room, user)
	})
}

// RefreshPresence notes that a page of somebody still shows a room. Without it
// they count as away after a minute.
func (c *Chat) RefreshPresence(ctx context.Context, user UserID, room RoomID) error {
	return c.presence(ctx, "refresh presence", user, room, func(w *writer) error {
		return w.exec(`UPDATE memberships SET connections = CASE WHEN connected_at >= ?1 THEN connections ELSE 1 END,
			connected_at = ?2, updated_at = ?2 WHERE room_id = ?3 AND user_id = ?4`, w.connectedSince(), w.now, room, user)
	})
}

func (c *Chat) presence(ctx context.Context, op string, user UserID, room RoomID, note func(*writer) error) error {
	err := c.write(ctx, func(w *writer) error {
		if _, err := w.Membership(room, user); err != nil {
			return err
		}
		return note(w)
	})
	if err != nil {
		return fmt.Errorf("%s in room %d: %w", op, room, err)
	}
	return nil
}
