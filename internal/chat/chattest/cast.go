package chattest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

// settledCast is a database with the cast in it. Everybody starts with a copy.
type settledCast struct {
	database []byte
	people   map[string]chat.UserID
	rooms    map[string]chat.RoomID
}

var (
	castOnce sync.Once // makes the cast below
	cast     settledCast
)

// settled returns the cast, making it for the first test that asks.
func settled(t testing.TB) settledCast {
	t.Helper()
	castOnce.Do(func() {
		w := Empty(t, chat.Options{})
		w.settle()
		path := filepath.Join(w.Dir, "cast.sqlite3")
		if err := w.DB.Backup(context.Background(), path); err != nil {
			t.Fatal(err)
		}
		database, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cast = settledCast{database, w.people, w.rooms}
	})
	if cast.database == nil {
		t.Fatal("the cast could not be made")
	}
	return cast
}

// settle brings the cast in.
func (w *World) settle() {
	w.t.Helper()
	ctx := context.Background()
	session, hq, err := w.Chat.FirstRun(ctx, newcomer("David", "david"), chat.Client{IP: "203.0.113.1", UserAgent: "chattest"})
	if err != nil {
		w.t.Fatal(err)
	}
	david := session.User
	w.people["david"], w.rooms["hq"] = david.ID, hq.ID
	w.Exec(`UPDATE rooms SET name = 'HQ' WHERE id = ?1`, hq.ID)
	for _, p := range []struct{ label, name string }{
		{"jason", "Jason"}, {"jz", "JZ"}, {"kevin", "Kevin"}, {"lou", "Lonely Lou"}, {"rita", "Rita Lopez"}, {"mallory", "Mallory"},
	} {
		w.join(p.label, p.name)
	}
	w.bot("bender", "Bender Bot")
	w.bot("old_bot", "Old Bot")
	w.Exec(`UPDATE users SET role = 1 WHERE id = ?1`, w.people["jason"])

	w.closed("watercooler", "Watercooler", "david", "david", "jason", "jz", "kevin", "mallory", "bender")
	w.closed("designers", "Designers", "david", "david", "jason", "kevin")
	w.closed("secret", "Secret <plans> & more", "jz", "jason", "jz")
	w.ping("david+jason", "david", "jason")
	w.ping("david+kevin", "david", "kevin")
	w.ping("david+jason+kevin", "david", "jason", "kevin")
	w.ping("david+rita", "david", "rita")

	w.Exec(`DELETE FROM memberships WHERE user_id = ?1`, w.people["lou"])
	w.leave("rita", 1)
	w.leave("old_bot", 1)
	w.Exec(`UPDATE users SET status = 2 WHERE id = ?1`, w.people["mallory"])
	w.Exec(`INSERT INTO bans (user_id, ip_address, created_at, updated_at) VALUES (?1, '203.0.113.9', ?2, ?2)`, w.people["mallory"], rails.FormatTime(david.CreatedAt))
	w.Exec(`DELETE FROM sessions`)
}

func newcomer(name, label string) chat.Newcomer {
	return chat.Newcomer{Name: name, Email: label + "@example.test", Password: Password}
}

func (w *World) join(label, name string) {
	w.t.Helper()
	s, err := w.Chat.Join(context.Background(), w.Text(`SELECT join_code FROM accounts`), newcomer(name, label), chat.Client{})
	if err != nil {
		w.t.Fatal(err)
	}
	w.people[label] = s.User.ID
}

func (w *World) bot(label, name string) {
	w.t.Helper()
	bot, err := w.Chat.CreateBot(context.Background(), w.User("david"), name)
	if err != nil {
		w.t.Fatal(err)
	}
	w.people[label] = bot.ID
}

func (w *World) closed(label, name, by string, members ...string) {
	w.t.Helper()
	room, err := w.Chat.CreateClosedRoom(context.Background(), w.User(by), name, w.IDs(members...))
	if err != nil {
		w.t.Fatal(err)
	}
	w.rooms[label] = room.ID
}

func (w *World) ping(label, by string, others ...string) {
	w.t.Helper()
	room, err := w.Chat.OpenDirect(context.Background(), w.User(by), w.IDs(others...))
	if err != nil {
		w.t.Fatal(err)
	}
	w.rooms[label] = room.ID
}

// leave is what deactivation leaves of somebody's memberships.
func (w *World) leave(label string, status chat.Status) {
	w.Exec(`DELETE FROM memberships WHERE user_id = ?1 AND room_id NOT IN (SELECT id FROM rooms WHERE type = 'Rooms::Direct')`, w.people[label])
	w.Exec(`UPDATE users SET status = ?1 WHERE id = ?2`, status, w.people[label])
}
