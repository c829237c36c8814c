// Package chattest is a small named cast on a temporary database.
//
//	w := chattest.New(t)
//	m := w.Post("kevin", "watercooler", "<div>Hello</div>")
//	err := w.Chat.DeleteMessage(ctx, w.User("david"), m.RoomID, m.ID)
//
// Who may see what:
//
//	            hq   watercooler  designers  secret  pings
//	david       x    x            x          -       with jason; with kevin; with jason and kevin; with rita
//	jason       x    x            x          x       with david; with david and kevin
//	jz          x    x            -          x       -
//	kevin       x    x            x          -       with david; with david and jason
//	lou         -    -            -          -       -
//	rita        -    -            -          -       with david (deactivated)
//	mallory     x    x            -          -       - (banned)
//	bender      x    x            -          -       - (bot)
//	old_bot     -    -            -          -       - (deactivated bot)
//
// hq is open; watercooler, designers and secret are closed. david (who did the
// first run, and made hq, watercooler and designers) and jason are
// administrators; jz made secret. Everybody's password is Password.
package chattest

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/rails"
	"hearth/sqlite"
)

// Password is everybody's.
const Password = "secret123456"

// Secret is the SECRET_KEY_BASE of all keys.
const Secret = "chattest-secret-key-base-0123456789abcdef"

// World is a storage folder with an open database.
type World struct {
	Dir   string // the storage folder
	DB    *sqlite.DB
	Chat  *chat.Chat
	Keys  *rails.Keys
	Heard *Heard // what was announced, unless options named somebody else

	t      testing.TB
	people map[string]chat.UserID
	rooms  map[string]chat.RoomID
}

// New returns a world with the cast in it, which is gone when the test ends.
func New(t testing.TB) *World { return NewWith(t, chat.Options{}) }

// NewWith is New with options; what they leave open is made quick.
func NewWith(t testing.TB, opt chat.Options) *World {
	t.Helper()
	cast := settled(t)
	dir := folder(t)
	if err := os.WriteFile(databasePath(dir), cast.database, 0o644); err != nil {
		t.Fatal(err)
	}
	w := OpenWith(t, dir, Secret, opt)
	w.people, w.rooms = maps.Clone(cast.people), maps.Clone(cast.rooms)
	return w
}

// Empty returns a world before its first run.
func Empty(t testing.TB, opt chat.Options) *World {
	t.Helper()
	return OpenWith(t, folder(t), Secret, opt)
}

// folder makes an empty storage folder.
func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range []string{"db", "files", "backups"} {
		if err := os.Mkdir(filepath.Join(dir, part), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func databasePath(dir string) string { return filepath.Join(dir, "db", "production.sqlite3") }

// OpenWith opens an existing storage folder. Nobody of the cast is in it.
func OpenWith(t testing.TB, dir, secret string, opt chat.Options) *World {
	t.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, databasePath(dir), sqlite.Options{Synchronous: sqlite.Off, Readers: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := chat.Prepare(ctx, db, "production", func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	w := NewOn(t, db, secret, opt)
	w.Dir = dir
	return w
}

// NewOn returns a world on a database that is open and prepared. Nobody of the
// cast is in it.
func NewOn(t testing.TB, db *sqlite.DB, secret string, opt chat.Options) *World {
	w := &World{
		DB: db, Keys: rails.NewKeys(secret), Heard: &Heard{}, t: t,
		people: map[string]chat.UserID{}, rooms: map[string]chat.RoomID{},
	}
	if opt.Announce == nil {
		opt.Announce = w.Heard
	}
	if opt.BcryptCost == 0 {
		opt.BcryptCost = 4
	}
	w.Chat = chat.New(db, w.Keys, opt)
	return w
}

// User returns somebody of the cast as they are now.
func (w *World) User(name string) chat.User {
	w.t.Helper()
	id, ok := w.people[name]
	if !ok {
		w.t.Fatalf("nobody in the cast is called %q", name)
	}
	var u chat.User
	w.read(func(r *chat.Reader) (err error) {
		u, err = r.User(id)
		return err
	})
	return u
}

// ID returns the id of somebody of the cast.
func (w *World) ID(name string) chat.UserID {
	w.t.Helper()
	return w.User(name).ID
}

// IDs returns the ids of several of the cast.
func (w *World) IDs(names ...string) []chat.UserID {
	w.t.Helper()
	ids := make([]chat.UserID, len(names))
	for i, name := range names {
		ids[i] = w.ID(name)
	}
	return ids
}

// Room returns a room of the cast as it is now, whoever is in it. Pings are
// called after their people: "david+jason".
func (w *World) Room(name string) chat.Room {
	w.t.Helper()
	id, ok := w.rooms[name]
	if !ok {
		w.t.Fatalf("there is no room %q", name)
	}
	room := chat.Room{ID: id}
	found := false
	err := w.DB.Read(context.Background(), func(s *sqlite.Snapshot) (err error) {
		found, err = s.One(`SELECT name, type, creator_id, created_at, updated_at FROM rooms WHERE id = ?1`, func(row sqlite.Row) (err error) {
			room.Name, room.Type, room.CreatorID = row.Text(0), chat.RoomType(row.Text(1)), chat.UserID(row.Int(2))
			if room.CreatedAt, err = rails.ParseTime(row.Text(3)); err == nil {
				room.UpdatedAt, err = rails.ParseTime(row.Text(4))
			}
			return err
		}, id)
		return err
	})
	if err != nil || !found {
		w.t.Fatalf("room %q: found %v, error %v", name, found, err)
	}
	return room
}

// SignIn starts a session for somebody of the cast.
func (w *World) SignIn(name string) chat.Session {
	w.t.Helper()
	s, err := w.Chat.SignIn(context.Background(), w.User(name).Email, Password, chat.Client{IP: "203.0.113.1", UserAgent: "chattest"})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// BotKey returns the key of a bot of the cast.
func (w *World) BotKey(name string) string {
	w.t.Helper()
	u := w.User(name)
	return strconv.FormatInt(int64(u.ID), 10) + "-" + u.BotToken
}

// Post posts a message.
func (w *World) Post(name, room, body string) *chat.Message {
	w.t.Helper()
	m, err := w.Chat.PostMessage(context.Background(), w.User(name), chat.Draft{Room: w.rooms[room], Body: body})
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// Exec changes the database behind the chat's back.
func (w *World) Exec(sql string, args ...any) {
	w.t.Helper()
	err := w.DB.Write(context.Background(), func(tx *sqlite.Tx) error { return tx.Exec(sql, args...) })
	if err != nil {
		w.t.Fatal(err)
	}
}

// Int returns the number that a query gives; 0 when it gives no row.
func (w *World) Int(sql string, args ...any) int64 {
	w.t.Helper()
	var n int64
	w.one(sql, func(row sqlite.Row) error { n = row.Int(0); return nil }, args...)
	return n
}

// Text returns the text that a query gives; "" for NULL or no row.
func (w *World) Text(sql string, args ...any) string {
	w.t.Helper()
	var text string
	w.one(sql, func(row sqlite.Row) error { text = row.Text(0); return nil }, args...)
	return text
}

func (w *World) one(sql string, scan func(sqlite.Row) error, args ...any) {
	w.t.Helper()
	err := w.DB.Read(context.Background(), func(s *sqlite.Snapshot) error {
		_, err := s.One(sql, scan, args...)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *World) read(fn func(*chat.Reader) error) {
	w.t.Helper()
	if err := w.Chat.Read(context.Background(), fn); err != nil {
		w.t.Fatal(err)
	}
}

// Heard is an Announcer that remembers.
type Heard struct {
	mu     sync.Mutex // guards the field below
	events []chat.Event
}

// Announce implements chat.Announcer.
func (h *Heard) Announce(_ context.Context, e chat.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
}

// Take returns what was announced since the last Take.
func (h *Heard) Take() []chat.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	events := h.events
	h.events = nil
	return events
}
