package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestASnapshotDoesNotMove(t *testing.T) {
	db := notes(t, Options{})
	insertNote := func(body string) { mustExec(t, db, "INSERT INTO notes (body) VALUES (?)", body) }
	insertNote("before")
	err := db.Read(t.Context(), func(s *Snapshot) error {
		first, err := textsIn(s.Queries, "SELECT body FROM notes")
		if err != nil {
			return err
		}
		for i := range 50 {
			insertNote(fmt.Sprint("after ", i))
		}
		again, err := textsIn(s.Queries, "SELECT body FROM notes")
		if !slices.Equal(again, first) {
			t.Errorf("the snapshot moved: %q, then %q", first, again)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := number(t, db, "SELECT count(*) FROM notes"); got != 51 {
		t.Errorf("a new snapshot has %d notes, want 51", got)
	}
}

func TestWithoutSnapshotsEveryQuerySeesTheLatest(t *testing.T) {
	db := notes(t, Options{NoSnapshot: true})
	err := db.Read(t.Context(), func(s *Snapshot) error {
		if got, err := textsIn(s.Queries, "SELECT body FROM notes"); len(got) != 0 || err != nil {
			t.Errorf("got %q, %v; want nothing", got, err)
		}
		mustExec(t, db, "INSERT INTO notes (body) VALUES ('new')")
		got, err := textsIn(s.Queries, "SELECT body FROM notes")
		if !slices.Equal(got, []string{"new"}) {
			t.Errorf("got %q, want the new note", got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestASnapshotCannotWrite(t *testing.T) {
	db := notes(t, Options{})
	err := db.Read(t.Context(), func(s *Snapshot) error {
		return s.Query("INSERT INTO notes (body) VALUES ('x') RETURNING id", func(Row) error { return nil })
	})
	var e *Error
	if !errors.As(err, &e) || e.Code != 8 { // SQLITE_READONLY
		t.Errorf("got %v, want a read-only error", err)
	}
}

func TestReadsWaitForAConnectionAsLongAsTheirContext(t *testing.T) {
	db := notes(t, Options{Readers: 1})
	release, holding := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		db.Read(t.Context(), func(*Snapshot) error { close(holding); <-release; return nil })
	})
	<-holding
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	ran := false
	if err := db.Read(ctx, func(*Snapshot) error { ran = true; return nil }); !errors.Is(err, context.DeadlineExceeded) || ran {
		t.Errorf("got %v (ran: %v), want the context's error", err, ran)
	}
	close(release)
	wg.Wait()
	if err := db.Read(t.Context(), func(*Snapshot) error { return nil }); err != nil {
		t.Errorf("the connection didn't come back: %v", err)
	}
}

type roomID int64
type kind string

func TestArgumentsComeBackAsTheyWere(t *testing.T) {
	db := open(t, Options{})
	for _, c := range []struct {
		arg  any
		kind string
		text string
	}{
		{nil, "null", ""}, {[]byte(nil), "null", ""},
		{true, "integer", "1"}, {false, "integer", "0"},
		{7, "integer", "7"}, {int8(-7), "integer", "-7"}, {uint32(7), "integer", "7"},
		{int64(math.MinInt64), "integer", "-9223372036854775808"}, {roomID(9), "integer", "9"},
		{1.5, "real", "1.5"}, {float32(0.25), "real", "0.25"},
		{"", "text", ""}, {"a\x00b ✓", "text", "a\x00b ✓"}, {kind("open"), "text", "open"},
		{[]byte{}, "blob", ""}, {[]byte{0, 255}, "blob", "\x00\xff"},
		{strings.Repeat("long ", 1e5), "text", strings.Repeat("long ", 1e5)},
	} {
		err := db.Read(t.Context(), func(s *Snapshot) error {
			_, err := s.One("SELECT typeof(?1), ?1", func(r Row) error {
				if got := r.Text(0); got != c.kind {
					t.Errorf("%T %v: stored as %s, want %s", c.arg, c.arg, got, c.kind)
				}
				if got := r.Text(1); got != c.text {
					t.Errorf("%T: text of %d bytes, want %d", c.arg, len(got), len(c.text))
				}
				if got := r.AppendText([]byte("+"), 1); string(got) != "+"+c.text {
					t.Errorf("%T: appended %d bytes, want %d", c.arg, len(got)-1, len(c.text))
				}
				if got := r.Bytes(1); !bytes.Equal(got, []byte(c.text)) || (got == nil) != (c.kind == "null") {
					t.Errorf("%T: bytes %q, want %q", c.arg, got, c.text)
				}
				if got := r.Null(1); got != (c.kind == "null") {
					t.Errorf("%T: Null = %v", c.arg, got)
				}
				return nil
			}, c.arg)
			return err
		})
		if err != nil {
			t.Errorf("%T: %v", c.arg, err)
		}
	}
}

func TestArgumentsThatCannotBeStoredAreErrors(t *testing.T) {
	db := open(t, Options{})
	for _, args := range [][]any{{}, {1, 2}, {time.Now()}, {uint64(math.MaxUint64)}, {[]int{1}}, {new(int)}} {
		err := db.Read(t.Context(), func(s *Snapshot) error {
			return s.Query("SELECT ?", func(Row) error { return nil }, args...)
		})
		var e *Error
		if !errors.As(err, &e) || e.Op != "bind" {
			t.Errorf("%v: got %v, want a bind error", args, err)
		}
	}
}

func TestQueriesNestEvenWithTheSameText(t *testing.T) {
	db := notes(t, Options{})
	mustExec(t, db, "INSERT INTO notes (body) VALUES ('a'), ('b')")
	const all = "SELECT body FROM notes ORDER BY id"
	var got []string
	err := db.Read(t.Context(), func(s *Snapshot) error {
		return s.Query(all, func(outer Row) error {
			return s.Query(all, func(inner Row) error {
				got = append(got, outer.Text(0)+inner.Text(0))
				return nil
			})
		})
	})
	if want := []string{"aa", "ab", "ba", "bb"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestRowsStopWhenAsked(t *testing.T) {
	db := notes(t, Options{})
	mustExec(t, db, "INSERT INTO notes (body) VALUES ('a'), ('b'), ('c')")
	for _, stop := range []error{ErrStop, fmt.Errorf("enough: %w", ErrStop), errRefused} {
		rows := 0
		err := db.Read(t.Context(), func(s *Snapshot) error {
			return s.Query("SELECT 1 FROM notes", func(Row) error {
				if rows++; rows == 2 {
					return stop
				}
				return nil
			})
		})
		if rows != 2 || (err == nil) == (stop == errRefused) {
			t.Errorf("%v: %d rows, %v", stop, rows, err)
		}
	}
}

func TestOneFindsTheFirstRowOrNone(t *testing.T) {
	db := notes(t, Options{})
	err := db.Write(t.Context(), func(tx *Tx) error {
		found, err := tx.One("SELECT body FROM notes", func(Row) error { t.Error("a row of nothing"); return nil })
		if found || err != nil {
			t.Errorf("empty table: %v, %v", found, err)
		}
		var id int64
		found, err = tx.One("INSERT INTO notes (body) VALUES ('a'), ('b') RETURNING id", func(r Row) error {
			id = r.Int(0)
			return nil
		})
		if !found || err != nil || id != 1 || tx.Changes() != 2 {
			t.Errorf("RETURNING: %v, %v, id %d, %d changes", found, err, id, tx.Changes())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := number(t, db, "SELECT count(*) FROM notes"); got != 2 {
		t.Errorf("%d notes, want 2", got)
	}
}

func TestErrorsSayWhatHappened(t *testing.T) {
	db := notes(t, Options{})
	mustExec(t, db, "INSERT INTO notes VALUES (1, 'a')")
	for sql, unique := range map[string]bool{
		"INSERT INTO notes VALUES (2, 'a')": true,
		"INSERT INTO notes VALUES (1, 'b')": true,
		"INSERT INTO nothing VALUES (1)":    false,
		"":                                  false,
		" -- only a comment":                false,
		"SELECT 1; SELECT 2":                false,
		"INSERT INTO notes VALUES (3, '" + strings.Repeat("x", 300) + "') oops": false,
	} {
		err := db.Write(t.Context(), func(tx *Tx) error { return tx.Exec(sql) })
		var e *Error
		if !errors.As(err, &e) || e.SQL != sql {
			t.Errorf("%q: got %v, want an *Error", sql, err)
		}
		if IsUnique(err) != unique {
			t.Errorf("%q: IsUnique = %v of %v", sql, !unique, err)
		}
		if err != nil && len(err.Error()) > 300 {
			t.Errorf("%q: the error repeats the whole statement: %v", sql, err)
		}
	}
	if IsUnique(nil) || IsUnique(errRefused) {
		t.Error("IsUnique of what is not")
	}
}

func TestTheStatementCacheIsBounded(t *testing.T) {
	db := open(t, Options{Readers: 1})
	err := db.Read(t.Context(), func(s *Snapshot) error {
		return s.Query("SELECT 'outer' UNION SELECT 'row'", func(r Row) error {
			for i := range stmtsMax + 10 {
				if got, err := textsIn(s.Queries, fmt.Sprintf("SELECT %d", i)); err != nil || got[0] != fmt.Sprint(i) {
					return fmt.Errorf("query %d: %q, %w", i, got, err)
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(db.readers.all[0].stmts); got > stmtsMax {
		t.Errorf("%d statements cached, want at most %d", got, stmtsMax)
	}
}
