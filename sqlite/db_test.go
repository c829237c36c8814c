package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// open opens a database in a folder of the test's own.
func open(t testing.TB, opt Options) *DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "test.db"), opt)
}

func openAt(t testing.TB, path string, opt Options) *DB {
	t.Helper()
	db, err := Open(context.Background(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("Close: %v", err)
		}
	})
	return db
}

// notes opens a database with an empty table notes.
func notes(t testing.TB, opt Options) *DB {
	t.Helper()
	db := open(t, opt)
	mustExec(t, db, "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT UNIQUE)")
	return db
}

func mustExec(t testing.TB, db *DB, sql string, args ...any) {
	t.Helper()
	if err := db.Write(context.Background(), func(tx *Tx) error { return tx.Exec(sql, args...) }); err != nil {
		t.Fatal(err)
	}
}

// texts returns the first column of what sql finds.
func texts(t testing.TB, db *DB, sql string, args ...any) []string {
	t.Helper()
	var found []string
	err := db.Read(context.Background(), func(s *Snapshot) (err error) {
		found, err = textsIn(s.Queries, sql, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func textsIn(q *Queries, sql string, args ...any) ([]string, error) {
	var found []string
	err := q.Query(sql, func(r Row) error {
		found = append(found, r.Text(0))
		return nil
	}, args...)
	return found, err
}

func number(t testing.TB, db *DB, sql string, args ...any) int64 {
	t.Helper()
	var n int64
	err := db.Read(context.Background(), func(s *Snapshot) error {
		_, err := s.One(sql, func(r Row) error { n = r.Int(0); return nil }, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	db := notes(t, Options{})
	err := db.Write(t.Context(), func(tx *Tx) error {
		for _, body := range []string{"one", "two"} {
			if err := tx.Exec("INSERT INTO notes (body) VALUES (?)", body); err != nil {
				return err
			}
		}
		if got, want := tx.LastInsertID(), int64(2); got != want {
			t.Errorf("LastInsertID = %d, want %d", got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts(t, db, "SELECT body FROM notes ORDER BY id"), []string{"one", "two"}; !slices.Equal(got, want) {
		t.Errorf("notes = %q, want %q", got, want)
	}
}

func TestEveryConnectionHasTheSettings(t *testing.T) {
	db := open(t, Options{Synchronous: Normal})
	all := append([]*conn{db.writer.conn, db.checkpointer.conn, db.foreign.watch}, db.readers.all...)
	for _, setting := range []struct{ pragma, want string }{
		{"journal_mode", "wal"}, {"foreign_keys", "1"}, {"synchronous", "1"},
		{"mmap_size", "134217728"}, {"cache_size", "2000"},
		{"journal_size_limit", "67108864"}, {"wal_autocheckpoint", "0"},
	} {
		for i, c := range all {
			got, err := textsIn(&Queries{conn: c}, "PRAGMA "+setting.pragma)
			if err != nil || len(got) != 1 || got[0] != setting.want {
				t.Errorf("connection %d: %s = %q, %v; want %q", i, setting.pragma, got, err, setting.want)
			}
		}
	}
}

func TestFullIsTheDefault(t *testing.T) {
	db := open(t, Options{})
	if got, err := textsIn(&Queries{conn: db.writer.conn}, "PRAGMA synchronous"); err != nil || !slices.Equal(got, []string{"2"}) {
		t.Errorf("synchronous = %q, %v; want 2", got, err)
	}
}

func TestTextInDoubleQuotesIsAName(t *testing.T) {
	db := notes(t, Options{})
	err := db.Read(t.Context(), func(s *Snapshot) error {
		return s.Query(`SELECT "no such column" FROM notes`, func(Row) error { return nil })
	})
	var e *Error
	if !errors.As(err, &e) || e.Code != codeError {
		t.Errorf("got %v, want an SQL error", err)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	folder := t.TempDir()
	plain := filepath.Join(folder, "plain.txt")
	if err := os.WriteFile(plain, []byte("this is a letter, not a database, and longer than a header"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		code int
	}{
		{filepath.Join(folder, "missing", "x.db"), 14}, // SQLITE_CANTOPEN
		{folder, 14},
		{plain, 26}, // SQLITE_NOTADB
	} {
		db, err := Open(t.Context(), c.path, Options{})
		var e *Error
		if !errors.As(err, &e) || e.Code != c.code || e.Op != "open" || !strings.Contains(err.Error(), c.path) {
			t.Errorf("Open(%s) = %v, want code %d, the operation and the path", c.path, err, c.code)
		}
		if db != nil {
			db.Close()
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ended, filepath.Join(folder, "x.db"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with an ended context: %v", err)
	}
}
