package bench

import (
	"context"
	"fmt"
	"strings"

	"hearth/sqlite"
)

// verify looks for every acknowledged post in the database, which no server may
// have open: message, rich text and search index, once each, with what was sent.
// Posts that were found before are only counted. It also finds messages that
// nobody acknowledged. Nobody may post meanwhile.
func (l *ledger) verify(ctx context.Context, path string, seeded int) error {
	db, err := sqlite.Open(ctx, path, sqlite.Options{Readers: 1})
	if err != nil {
		return fmt.Errorf("verify posts: %w", err)
	}
	err = db.Read(ctx, func(s *sqlite.Snapshot) error {
		for ; l.verified < len(l.posts); l.verified++ {
			if err := l.posts[l.verified].verify(s); err != nil {
				return err
			}
		}
		return l.verifyCount(s, seeded)
	})
	if closed := db.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("verify posts: %w", err)
	}
	return nil
}

func (p post) verify(s *sqlite.Snapshot) error {
	rows, kept := 0, post{}
	var html, index string
	var indexed bool
	err := s.Query(`SELECT m.room_id, m.creator_id, m.client_message_id, t.body, i.body IS NOT NULL, i.body
		FROM messages m
		LEFT JOIN action_text_rich_texts t ON t.record_type = 'Message' AND t.record_id = m.id AND t.name = 'body'
		LEFT JOIN message_search_index i ON i.rowid = m.id
		WHERE m.id = ?`, func(r sqlite.Row) error {
		rows++
		kept = p
		kept.room, kept.creator, kept.client = r.Int(0), r.Int(1), r.Text(2)
		html, indexed, index = r.Text(3), r.Bool(4), r.Text(5)
		return nil
	}, p.id)
	switch {
	case err != nil:
		return err
	case rows == 0:
		return fmt.Errorf("message %d (%q) was acknowledged and is not there", p.id, p.text)
	case rows > 1:
		return fmt.Errorf("message %d has %d rich texts", p.id, rows)
	case kept != p:
		return fmt.Errorf("message %d is %q of person %d in room %d, was posted as %q by %d in %d",
			p.id, kept.client, kept.creator, kept.room, p.client, p.creator, p.room)
	case html != p.html:
		return fmt.Errorf("message %d has the body %q, was posted as %q", p.id, html, p.html)
	case !indexed || !strings.Contains(index, p.text):
		return fmt.Errorf("message %d is not in the search index", p.id)
	}
	return nil
}

func (l *ledger) verifyCount(s *sqlite.Snapshot, seeded int) error {
	var have int64
	_, err := s.One(`SELECT count(*) FROM messages WHERE id > ?`, func(r sqlite.Row) error {
		have = r.Int(0)
		return nil
	}, seeded)
	if err == nil && have != int64(len(l.posts)) {
		err = fmt.Errorf("%d posts were acknowledged and %d messages are there", len(l.posts), have)
	}
	return err
}
