package chat

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"hearth/sqlite"
)

const (
	searchMax   = 100 // messages that a search shows
	recentMax   = 10  // queries that are remembered of each user
	searchWords = 64  // words of a query that count
)

// SearchWords returns query with a space for everything that is not part of a
// word: what is searched, remembered and shown.
func SearchWords(query string) string {
	return strings.Map(func(r rune) rune {
		if wordRune(r) {
			return r
		}
		return ' '
	}, query)
}

// matchAll returns the expression of the full-text index for messages that have
// every word of query, or "" when there is no word. Each is quoted: AND, NOT and
// NEAR are words that people look for.
func matchAll(query string) string {
	words := strings.Fields(SearchWords(query))
	words = slices.DeleteFunc(words, func(word string) bool {
		return strings.Trim(word, "_") == "" // to the index this is no word, but a word that nothing has
	})
	var match strings.Builder
	for _, word := range words[:min(len(words), searchWords)] {
		match.WriteString(`"` + word + `" `)
	}
	return strings.TrimSpace(match.String())
}

// Search returns the newest 100 messages in the viewer's rooms that have all the
// words of query, ascending by time. A query without a word finds nothing; of a
// very long one the first words count.
func (r *Reader) Search(viewer UserID, query string) ([]*Message, error) {
	match := matchAll(query)
	if match == "" {
		return nil, nil
	}
	s := search{r: r, viewer: viewer, match: match}
	found, err := s.run()
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	messages, err := r.messagesByID(found)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return messages, nil
}

var anywhereByID = newInQuery(`SELECT `+messageColumns+`, m.room_id, r.name, r.type FROM messages m JOIN rooms r ON r.id = m.room_id`+messageJoins+` WHERE m.id IN `, ``)

// messagesByID returns messages of any room in the order of ids.
func (r *Reader) messagesByID(ids []int64) ([]*Message, error) {
	b := newBatch(len(ids))
	if err := anywhereByID.query(r.q, ids, b.addAnywhere); err != nil {
		return nil, err
	}
	messages, err := b.finish(r)
	if err != nil {
		return nil, err
	}
	place := make(map[MessageID]int, len(ids))
	for i, id := range ids {
		place[MessageID(id)] = i
	}
	slices.SortFunc(messages, func(a, b *Message) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	return messages, nil
}

// RecentSearches returns the viewer's remembered queries, newest first.
func (r *Reader) RecentSearches(viewer UserID) ([]string, error) {
	var queries []string
	err := r.q.Query(`SELECT query FROM searches WHERE user_id = ?1 ORDER BY updated_at DESC, id DESC LIMIT ?2`, func(row sqlite.Row) error {
		queries = append(queries, row.Text(0))
		return nil
	}, viewer, recentMax)
	if err != nil {
		return nil, fmt.Errorf("load recent searches: %w", err)
	}
	return queries, nil
}

// RecordSearch remembers a query, and of each user only the newest ten. One
// without a word is not remembered.
func (c *Chat) RecordSearch(ctx context.Context, user UserID, query string) error {
	query = SearchWords(query)
	if strings.TrimSpace(query) == "" {
		return nil
	}
	err := c.write(ctx, func(w *writer) error {
		err := w.exec(`UPDATE searches SET updated_at = ?1 WHERE user_id = ?2 AND query = ?3`, w.now, user, query)
		if err != nil || w.tx.Changes() > 0 {
			return err
		}
		err = w.exec(`INSERT INTO searches (user_id, query, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)`, user, query, w.now)
		if err != nil {
			return err
		}
		return w.exec(`DELETE FROM searches WHERE user_id = ?1 AND id NOT IN (
			SELECT id FROM searches WHERE user_id = ?1 ORDER BY updated_at DESC, id DESC LIMIT ?2)`, user, recentMax)
	})
	if err != nil {
		return fmt.Errorf("record search: %w", err)
	}
	return nil
}

// ClearSearches forgets all queries of a user.
func (c *Chat) ClearSearches(ctx context.Context, user UserID) error {
	err := c.write(ctx, func(w *writer) error { return w.exec(`DELETE FROM searches WHERE user_id = ?1`, user) })
	if err != nil {
		return fmt.Errorf("clear searches: %w", err)
	}
	return nil
}
