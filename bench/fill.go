package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hearth/internal/rails"
	"hearth/sqlite"
)

// batchSize is how many messages one transaction takes.
const batchSize = 20_000

// fill writes the history into a database that has the schema and nothing else.
// progress hears how many messages are written.
func (h *history) fill(ctx context.Context, db *sqlite.DB, progress func(done int)) error {
	if err := db.Write(ctx, h.insertCast); err != nil {
		return fmt.Errorf("fill: cast: %w", err)
	}
	batch := make([]message, 0, min(batchSize, h.total))
	flush := func() error {
		err := db.Write(ctx, func(tx *sqlite.Tx) error { return insertMessages(tx, batch) })
		batch = batch[:0]
		return err
	}
	err := h.each(func(m *message) error {
		batch = append(batch, m.clone())
		if len(batch) < cap(batch) {
			return nil
		}
		if err := flush(); err != nil {
			return err
		}
		progress(int(m.id))
		return ctx.Err()
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = db.Write(ctx, h.touchRooms)
	}
	if err != nil {
		return fmt.Errorf("fill: messages: %w", err)
	}
	progress(h.total)
	return nil
}

func (m *message) clone() message {
	c := *m
	c.body = &body{slices.Clone(m.body.html), slices.Clone(m.body.plain), m.body.begins}
	c.boosts = slices.Clone(m.boosts)
	return c
}

func (h *history) insertCast(tx *sqlite.Tx) error {
	at, now := rails.FormatTime(h.first), rails.FormatTime(h.End)
	err := tx.Exec(`INSERT INTO accounts (id, name, join_code, settings, created_at, updated_at)
		VALUES (1, 'Hearth', 'Bnch-Bnch-Bnch', '{"restrict_room_creation_to_administrators":false}', ?1, ?1)`, at)
	if err != nil {
		return err
	}
	for _, p := range h.people {
		role := 0
		if p.id == 1 {
			role = 1
		}
		err := tx.Exec(`INSERT INTO users (id, name, email_address, role, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
			p.id, p.name, fmt.Sprintf("person%d@example.com", p.id), role, at)
		if err != nil {
			return err
		}
		err = tx.Exec(`INSERT INTO sessions (user_id, token, ip_address, user_agent, last_active_at, created_at, updated_at) VALUES (?1, ?2, '127.0.0.1', ?3, ?4, ?4, ?4)`,
			p.id, p.token, userAgent, now)
		if err != nil {
			return err
		}
	}
	for _, r := range h.rooms {
		if err := insertRoom(tx, r, at); err != nil {
			return err
		}
	}
	return nil
}

func insertRoom(tx *sqlite.Tx, r *room, at string) error {
	var name any
	involvement := "everything"
	if r.name != "" {
		name, involvement = r.name, "mentions"
	}
	err := tx.Exec(`INSERT INTO rooms (id, name, type, creator_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
		r.id, name, r.kind, r.members[0], at)
	if err != nil {
		return err
	}
	for _, member := range r.members {
		err := tx.Exec(`INSERT INTO memberships (room_id, user_id, involvement, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)`,
			r.id, member, involvement, at)
		if err != nil {
			return err
		}
	}
	return nil
}

// insertMessages writes rows as the server itself would have.
func insertMessages(tx *sqlite.Tx, batch []message) error {
	for i := range batch {
		m := &batch[i]
		at := rails.FormatTime(m.at)
		err := tx.Exec(`INSERT INTO messages (id, room_id, creator_id, client_message_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
			m.id, m.room.id, m.creator, string(m.client[:]), at)
		if err != nil {
			return err
		}
		err = tx.Exec(`INSERT INTO action_text_rich_texts (name, body, record_type, record_id, created_at, updated_at) VALUES ('body', ?1, 'Message', ?2, ?3, ?3)`,
			string(m.body.html), m.id, at)
		if err != nil {
			return err
		}
		err = tx.Exec(`INSERT INTO message_search_index (rowid, body) VALUES (?1, ?2)`, m.id, string(m.body.plain))
		if err != nil {
			return err
		}
		for j, b := range m.boosts {
			err := tx.Exec(`INSERT INTO boosts (message_id, booster_id, content, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)`,
				m.id, b.booster, b.content, rails.FormatTime(m.at.Add(time.Duration(j+1)*time.Second)))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// touchRooms gives every room the time of its last message.
func (h *history) touchRooms(tx *sqlite.Tx) error {
	for _, r := range h.rooms {
		err := tx.Exec(`UPDATE rooms SET updated_at = (SELECT created_at FROM messages WHERE id = ?2) WHERE id = ?1`, r.id, r.last)
		if err != nil {
			return err
		}
	}
	return nil
}
