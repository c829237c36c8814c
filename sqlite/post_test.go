package sqlite

import (
	"errors"
	"fmt"
	"strings"
)

// What a chat writes when somebody posts: the message, its text, the search
// index, and an unread mark for each of the twenty others in the room. Crash
// tests and benchmarks write posts, so that both see the same work.

const postMembers = 20

var postSchema = []string{
	`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, room_id INTEGER NOT NULL,
		creator_id INTEGER NOT NULL, client_message_id TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL)`,
	`CREATE INDEX messages_by_room ON messages (room_id, created_at)`,
	`CREATE TABLE rich_texts (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, message_id INTEGER NOT NULL UNIQUE, body TEXT)`,
	`CREATE VIRTUAL TABLE search USING fts5 (body, tokenize = porter)`,
	`CREATE TABLE memberships (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, room_id INTEGER NOT NULL,
		user_id INTEGER NOT NULL, unread_at TEXT)`,
	`CREATE UNIQUE INDEX memberships_by_room ON memberships (room_id, user_id)`,
}

// createPosts makes the tables and a room 1 with its members.
func createPosts(tx *Tx) error {
	for _, sql := range postSchema {
		if err := tx.Exec(sql); err != nil {
			return err
		}
	}
	for user := range postMembers + 1 {
		if err := tx.Exec("INSERT INTO memberships (room_id, user_id) VALUES (1, ?)", user); err != nil {
			return err
		}
	}
	return nil
}

const (
	postMessage = "INSERT INTO messages (id, room_id, creator_id, client_message_id, created_at, updated_at) VALUES (?1, 1, 0, ?2, ?3, ?3)"
	postText    = "INSERT INTO rich_texts (message_id, body) VALUES (?1, ?2)"
	postIndex   = "INSERT INTO search (rowid, body) VALUES (?1, ?2)"
	postUnread  = "UPDATE memberships SET unread_at = coalesce(unread_at, ?1) WHERE room_id = 1 AND user_id = ?2"
)

// post writes message id. All twenty are read again first, so that every post
// marks them anew.
func post(tx *Tx, id int64) error {
	body, now := postBody(id), postTime(id)
	err := errors.Join(
		tx.Exec(postMessage, id, fmt.Sprintf("client-%d", id), now),
		tx.Exec(postText, id, "<div>"+body+"</div>"),
		tx.Exec(postIndex, id, body))
	for user := 1; user <= postMembers && err == nil; user++ {
		err = tx.Exec(postUnread, now, user)
	}
	return err
}

var postWords = strings.Fields("the quick brown fox jumps over a lazy dog while nobody at the fire says much about weather music lunch or deployments")

// postBody makes about 200 bytes that differ from message to message.
func postBody(id int64) string {
	var b strings.Builder
	for i := int64(0); b.Len() < 180; i++ {
		b.WriteString(postWords[(id*31+i*i*7)%int64(len(postWords))])
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "number%d", id)
	return b.String()
}

// postTime is a time in the chat's format, one millisecond a message.
func postTime(id int64) string {
	return fmt.Sprintf("2026-11-30 %02d:%02d:%02d.%03d000", id/3600000%24, id/60000%60, id/1000%60, id%1000)
}

// checkPosts returns how many of the acknowledged posts are gone, and an error
// when the database is damaged or holds half of any post.
func checkPosts(q *Queries, acknowledged []int64) (lost int, err error) {
	verdict, err := textsIn(q, "PRAGMA integrity_check")
	if err != nil || len(verdict) != 1 || verdict[0] != "ok" {
		return 0, fmt.Errorf("integrity_check: %q %w", verdict, err)
	}
	there := map[int64]bool{}
	if err := q.Query("SELECT id FROM messages", func(r Row) error { there[r.Int(0)] = true; return nil }); err != nil {
		return 0, err
	}
	for _, id := range acknowledged {
		if !there[id] {
			lost++
		}
	}
	for _, sql := range []string{
		"SELECT count(*) FROM messages m LEFT JOIN rich_texts t ON t.message_id = m.id WHERE t.id IS NULL",
		"SELECT count(*) FROM rich_texts t LEFT JOIN messages m ON t.message_id = m.id WHERE m.id IS NULL",
		"SELECT count(*) FROM messages WHERE id NOT IN (SELECT rowid FROM search)",
		"SELECT count(*) FROM search WHERE rowid NOT IN (SELECT id FROM messages)",
	} {
		if _, err := q.One(sql, func(r Row) error {
			if n := r.Int(0); n != 0 {
				return fmt.Errorf("%d halves: %s", n, sql)
			}
			return nil
		}); err != nil {
			return lost, err
		}
	}
	return lost, nil
}
