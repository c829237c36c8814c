package sqlite

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// model is a table of keys and values beside a plain map of the same, and the
// snapshots that are held open.
type model struct {
	db    *DB
	want  map[int64]string
	holds []*hold
}

// hold is a Read whose function has begun and looks again when it is asked to.
type hold struct {
	want map[int64]string
	look chan chan readout
	done chan error
}

type readout struct {
	got map[int64]string
	err error
}

func readAll(q *Queries) readout {
	r := readout{got: map[int64]string{}}
	r.err = q.Query("SELECT key, value FROM pairs", func(row Row) error {
		r.got[row.Int(0)] = row.Text(1)
		return nil
	})
	return r
}

// step is one change of a write.
type step struct {
	key    int64
	value  string
	remove bool
}

func (s step) run(tx *Tx) error {
	if s.remove {
		return tx.Exec("DELETE FROM pairs WHERE key = ?", s.key)
	}
	return tx.Exec("INSERT INTO pairs VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", s.key, s.value)
}

func (s step) model(pairs map[int64]string) {
	if s.remove {
		delete(pairs, s.key)
	} else {
		pairs[s.key] = s.value
	}
}

var steps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	return step{
		key:    rapid.Int64Range(1, 12).Draw(t, "key"),
		value:  rapid.String().Draw(t, "value"),
		remove: rapid.Bool().Draw(t, "remove"),
	}
}), 0, 6)

// Write applies steps, of which the outcome says what becomes.
func (m *model) Write(t *rapid.T) {
	todo := steps.Draw(t, "steps")
	ending := rapid.SampledFrom([]string{"commit", "error", "panic", "duplicate"}).Draw(t, "ending")
	after := maps.Clone(m.want)
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = p.(*Panic)
			}
		}()
		return m.db.Write(context.Background(), func(tx *Tx) error {
			for _, s := range todo {
				if err := s.run(tx); err != nil {
					return err
				}
			}
			switch ending {
			case "error":
				return errRefused
			case "panic":
				panic(errRefused)
			case "duplicate":
				if err := tx.Exec("INSERT INTO pairs VALUES (99, ''), (99, '')"); !IsUnique(err) {
					return errors.Join(errors.New("not a unique error"), err)
				} // the statement is undone, the rest is kept
			}
			return nil
		})
	}()
	if ending == "error" || ending == "panic" {
		if !errors.Is(err, errRefused) {
			t.Fatalf("%s: got %v", ending, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", ending, err)
	}
	for _, s := range todo {
		s.model(after)
	}
	m.want = after
}

// WriteTogether gives the queue several writes at once, every third of which
// fails; they run in the order they came.
func (m *model) WriteTogether(t *rapid.T) {
	groups := rapid.SliceOfN(steps, 1, 6).Draw(t, "groups")
	calls := make([]*call, len(groups))
	for i, todo := range groups {
		calls[i] = &call{done: make(chan struct{}), fn: func(tx *Tx) error {
			for _, s := range todo {
				if err := s.run(tx); err != nil {
					return err
				}
			}
			if i%3 == 1 {
				return errRefused
			}
			return nil
		}}
		if err := m.db.writer.queue.add(calls[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range calls {
		<-c.done
		if (c.err != nil) != (i%3 == 1) {
			t.Fatalf("write %d: %v", i, c.err)
		}
		if c.err == nil {
			for _, s := range groups[i] {
				s.model(m.want)
			}
		}
	}
}

// Hold opens a snapshot that must stay as it is.
func (m *model) Hold(t *rapid.T) {
	if len(m.holds) == 3 {
		t.Skip("enough are held")
	}
	h := &hold{want: maps.Clone(m.want), look: make(chan chan readout), done: make(chan error, 1)}
	go func() {
		h.done <- m.db.Read(context.Background(), func(s *Snapshot) error {
			for reply := range h.look {
				reply <- readAll(s.Queries)
			}
			return nil
		})
	}()
	m.holds = append(m.holds, h)
	h.check(t)
}

// Release looks at the oldest snapshot a last time.
func (m *model) Release(t *rapid.T) {
	if len(m.holds) == 0 {
		t.Skip("none is held")
	}
	h := m.holds[0]
	m.holds = m.holds[1:]
	h.check(t)
	h.end(t)
}

func (h *hold) check(t *rapid.T) {
	reply := make(chan readout)
	h.look <- reply
	if r := <-reply; r.err != nil || !maps.Equal(r.got, h.want) {
		t.Fatalf("snapshot: %v, %v; want %v", r.got, r.err, h.want)
	}
}

func (h *hold) end(t *rapid.T) {
	close(h.look)
	if err := <-h.done; err != nil {
		t.Fatal(err)
	}
}

// Reopen closes the database and opens it again.
func (m *model) Reopen(t *rapid.T) {
	if len(m.holds) > 0 {
		t.Skip("a snapshot is held")
	}
	if err := m.db.Close(); err != nil {
		t.Fatal(err)
	}
	var err error
	if m.db, err = Open(context.Background(), m.db.path, m.db.options); err != nil {
		t.Fatal(err)
	}
}

// Check compares a new snapshot, and those that are held, with the model.
func (m *model) Check(t *rapid.T) {
	err := m.db.Read(context.Background(), func(s *Snapshot) error {
		r := readAll(s.Queries)
		if !maps.Equal(r.got, m.want) {
			t.Fatalf("got %v, want %v", r.got, m.want)
		}
		return r.err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range m.holds {
		h.check(t)
	}
}

func TestAnyMixOfReadsAndWritesAgreesWithAMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.db") // one file for all runs; each makes the table anew
	rapid.Check(t, func(t *rapid.T) {
		db, err := Open(context.Background(), path, Options{Synchronous: Off})
		if err != nil {
			t.Fatal(err)
		}
		m := &model{db: db, want: map[int64]string{}}
		defer func() {
			for _, h := range m.holds {
				close(h.look)
			}
			m.db.Close()
		}()
		err = db.Write(context.Background(), func(tx *Tx) error {
			return errors.Join(
				tx.Exec("DROP TABLE IF EXISTS pairs"),
				tx.Exec("CREATE TABLE pairs (key INTEGER PRIMARY KEY, value TEXT NOT NULL)"))
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Repeat(map[string]func(*rapid.T){
			"":              m.Check,
			"write":         m.Write,
			"writeTogether": m.WriteTogether,
			"hold":          m.Hold,
			"release":       m.Release,
			"reopen":        m.Reopen,
		})
	})
}
