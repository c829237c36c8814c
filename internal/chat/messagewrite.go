package chat

import (
	"context"
	"fmt"

	"hearth/internal/rails"
	"hearth/internal/richtext"
	"hearth/sqlite"
)

// Draft is a message to post. The body is HTML as a client wrote it; it is made
// canonical, not safe: rendering does that.
type Draft struct {
	Room     RoomID
	ClientID string // empty: a random one
	Body     string
}

// PostMessage posts a message. ErrNotFound when there is no such room or by is not
// in it any more, ErrInvalid when ClientID or Body is too long. A client that lost the
// answer may post the same draft again: it gets the message that is there already.
func (c *Chat) PostMessage(ctx context.Context, by User, d Draft) (*Message, error) {
	if err := checkLabel("a client's id", d.ClientID); err != nil {
		return nil, fmt.Errorf("post message to room %d: %w", d.Room, err)
	}
	if err := checkBody(d.Body); err != nil {
		return nil, fmt.Errorf("post message to room %d: %w", d.Room, err)
	}
	body := richtext.Canonical(d.Body)
	clientID := d.ClientID
	if clientID == "" {
		clientID = rails.NewUUID()
	}
	var m *Message
	err := c.write(ctx, func(w *writer) error {
		room, author, err := w.speaker(d.Room, by.ID)
		if err != nil {
			return err
		}
		if d.ClientID != "" {
			if m, err = w.postedBefore(room, by.ID, clientID, body); err != nil || m != nil {
				return err
			}
		}
		m = &Message{
			ClientID: clientID,
			RoomID:   room.ID, RoomType: room.Type, RoomName: room.Name,
			Author: author, Body: body, HasBody: true,
			CreatedAt: w.at, UpdatedAt: w.at,
		}
		return w.post(m, room)
	})
	if err != nil {
		return nil, fmt.Errorf("post message to room %d: %w", d.Room, err)
	}
	return m, nil
}

// retried is how many of somebody's own messages back a repeated draft is looked
// for.
const retried = 20

// postedBefore returns the message that this very draft has become; nil when it
// has become none yet.
func (w *writer) postedBefore(room Room, by UserID, clientID, body string) (*Message, error) {
	var id MessageID
	found, err := w.q.One(postedBeforeSQL, func(row sqlite.Row) error {
		id = MessageID(row.Int(0))
		return nil
	}, by, retried, clientID, room.ID, body)
	if err != nil || !found {
		return nil, err
	}
	return w.Message(room.ID, id)
}

const postedBeforeSQL = `SELECT n.id FROM (SELECT id, room_id, client_message_id FROM messages WHERE creator_id = ?1 ORDER BY id DESC LIMIT ?2) n
	CROSS JOIN action_text_rich_texts t ON t.record_type = 'Message' AND t.record_id = n.id AND t.name = 'body'
	WHERE n.client_message_id = ?3 AND n.room_id = ?4 AND t.body = ?5`

// speaker returns a room and who wants to say something in it.
func (r *Reader) speaker(room RoomID, user UserID) (Room, Author, error) {
	var in Room
	var author Author
	found, err := r.q.One(`SELECT `+roomColumns+`, `+authorColumns+` FROM memberships m JOIN rooms r ON r.id = m.room_id
		JOIN users u ON u.id = m.user_id WHERE m.room_id = ?1 AND m.user_id = ?2 AND u.status = 0`, func(row sqlite.Row) (err error) {
		var t texts
		if in, err = scanRoom(&t, row); err != nil {
			return err
		}
		author, err = scanAuthor(&t, row, 6)
		return err
	}, room, user)
	if err == nil && !found {
		err = ErrNotFound
	}
	return in, author, err
}

// post writes a message and all that follows from it.
func (w *writer) post(m *Message, room Room) error {
	err := w.exec(`INSERT INTO messages (client_message_id, room_id, creator_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)`,
		m.ClientID, m.RoomID, m.Author.ID, w.now)
	if err != nil {
		return err
	}
	m.ID = MessageID(w.tx.LastInsertID())
	if err := w.exec(insertBodySQL, m.ID, m.Body, w.now); err != nil {
		return err
	}
	people, err := w.index(m)
	if err != nil {
		return err
	}
	if err := w.touchRoom(&room); err != nil {
		return err
	}
	if err := w.exec(markUnreadSQL, w.now, m.RoomID, m.Author.ID, w.connectedSince()); err != nil {
		return err
	}
	members, err := w.MemberIDs(m.RoomID)
	w.announce(MessagePosted{Message: m, Room: room, Members: members, People: people})
	return err
}

const (
	insertBodySQL = `INSERT INTO action_text_rich_texts (name, record_type, record_id, body, created_at, updated_at)
	VALUES ('body', 'Message', ?1, ?2, ?3, ?3)`
	// The first unread message's time stays until the room has been read.
	markUnreadSQL = `UPDATE memberships SET unread_at = ?1, updated_at = ?1
	WHERE room_id = ?2 AND unread_at IS NULL AND user_id <> ?3 AND coalesce(involvement, '') <> 'invisible'
	AND (connected_at IS NULL OR connected_at < ?4)`
)

// index makes search find m by its text now, and returns whom it mentions.
func (w *writer) index(m *Message) (map[UserID]Author, error) {
	people, err := w.Mentioned(m)
	if err != nil {
		return nil, err
	}
	return people, w.exec(`INSERT OR REPLACE INTO message_search_index (rowid, body) VALUES (?1, ?2)`, m.ID, m.PlainText(people))
}

// touchRoom notes activity in a room.
func (w *writer) touchRoom(room *Room) error {
	room.UpdatedAt = w.later(room.UpdatedAt)
	return w.exec(`UPDATE rooms SET updated_at = ?1 WHERE id = ?2`, rowTime(room.UpdatedAt), room.ID)
}

// touch notes that a message, and so its room, changed.
func (w *writer) touch(m *Message, room *Room) error {
	m.UpdatedAt = w.later(m.UpdatedAt)
	if err := w.exec(`UPDATE messages SET updated_at = ?1 WHERE id = ?2`, rowTime(m.UpdatedAt), m.ID); err != nil {
		return err
	}
	return w.touchRoom(room)
}

// EditMessage replaces the body of a message. ErrNotFound when by is not in its
// room, ErrForbidden when by may not administer it.
func (c *Chat) EditMessage(ctx context.Context, by User, room RoomID, id MessageID, body string) (*Message, error) {
	if err := checkBody(body); err != nil {
		return nil, fmt.Errorf("edit message %d: %w", id, err)
	}
	body = richtext.Canonical(body)
	var m *Message
	err := c.write(ctx, func(w *writer) error {
		var in Room
		var err error
		if m, in, err = w.administeredMessage(by, room, id); err != nil {
			return err
		}
		if m.HasBody {
			err = w.exec(`UPDATE action_text_rich_texts SET body = ?1, updated_at = ?2
				WHERE record_type = 'Message' AND record_id = ?3 AND name = 'body'`, body, w.now, id)
		} else {
			err = w.exec(insertBodySQL, id, body, w.now)
		}
		if err != nil {
			return err
		}
		m.Body, m.HasBody = body, true
		people, err := w.index(m)
		if err != nil {
			return err
		}
		if err := w.touch(m, &in); err != nil {
			return err
		}
		members, err := w.MemberIDs(room)
		w.announce(MessageEdited{Message: m, Room: in, Members: members, People: people})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("edit message %d: %w", id, err)
	}
	return m, nil
}

// administeredMessage returns a message, and its room, that by is in and may
// administer.
func (w *writer) administeredMessage(by User, room RoomID, id MessageID) (*Message, Room, error) {
	by, err := w.stillActive(by.ID)
	if err != nil {
		return nil, Room{}, err
	}
	in, _, err := w.Room(room, by.ID)
	if err != nil {
		return nil, Room{}, err
	}
	m, err := w.Message(room, id)
	if err == nil && !by.CanAdminister(m.Author.ID) {
		err = ErrForbidden
	}
	return m, in, err
}

// DeleteMessage deletes a message with its boosts and its file. Errors as for
// EditMessage.
func (c *Chat) DeleteMessage(ctx context.Context, by User, room RoomID, id MessageID) error {
	err := c.write(ctx, func(w *writer) error {
		m, in, err := w.administeredMessage(by, room, id)
		if err != nil {
			return err
		}
		if err := w.deleteMessage(id); err != nil {
			return err
		}
		if err := w.touchRoom(&in); err != nil {
			return err
		}
		members, err := w.MemberIDs(room)
		w.announce(MessageDeleted{Message: m, Room: in, Members: members})
		return err
	})
	if err != nil {
		return fmt.Errorf("delete message %d: %w", id, err)
	}
	return nil
}

// deleteMessage deletes the rows of a message, children first.
func (w *writer) deleteMessage(id MessageID) error {
	for _, sql := range []string{
		`DELETE FROM boosts WHERE message_id = ?1`,
		`DELETE FROM action_text_rich_texts WHERE record_type = 'Message' AND record_id = ?1`,
		`DELETE FROM message_search_index WHERE rowid = ?1`,
	} {
		if err := w.exec(sql, id); err != nil {
			return err
		}
	}
	if err := w.detach("Message", int64(id)); err != nil {
		return err
	}
	return w.exec(`DELETE FROM messages WHERE id = ?1`, id)
}
