package sqlite

import (
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// outcome is how a Write ended, seen from its caller's goroutine.
type outcome struct {
	err      error
	panicked any
	returned bool
}

func writeAndWatch(t *testing.T, db *DB, fn func(*Tx) error) <-chan outcome {
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			ended <- o
		}()
		o.err = db.Write(t.Context(), fn)
		o.returned = true
	}()
	return ended
}

func TestAPanicReachesItsCallerAndNobodyElse(t *testing.T) {
	db := notes(t, patient)
	release := block(t, db)
	before := write(db, t.Context(), insert("before"))
	awaitWaiting(t, db, 1)
	ended := writeAndWatch(t, db, func(tx *Tx) error {
		insert("lost")(tx)
		panic(io.ErrUnexpectedEOF)
	})
	awaitWaiting(t, db, 2)
	after := write(db, t.Context(), insert("after"))
	awaitWaiting(t, db, 3)
	release()
	o := <-ended
	p, ok := o.panicked.(*Panic)
	if !ok {
		t.Fatalf("got %+v, want a *Panic", o)
	}
	if p.Value != io.ErrUnexpectedEOF || !errors.Is(p, io.ErrUnexpectedEOF) {
		t.Errorf("value %v, want the callback's", p.Value)
	}
	if !strings.Contains(string(p.Stack), "TestAPanicReachesItsCaller") {
		t.Errorf("stack doesn't show the callback:\n%s", p.Stack)
	}
	if err := errors.Join(<-before, <-after); err != nil {
		t.Error(err)
	}
	if got := texts(t, db, "SELECT body FROM notes ORDER BY id"); !slices.Equal(got, []string{"before", "after"}) {
		t.Errorf("notes %q, want the other two", got)
	}
}

func TestGoexitEndsItsCallerAndNobodyElse(t *testing.T) {
	db := notes(t, patient)
	release := block(t, db)
	before := write(db, t.Context(), insert("before"))
	awaitWaiting(t, db, 1)
	ended := writeAndWatch(t, db, func(tx *Tx) error {
		insert("lost")(tx)
		runtime.Goexit()
		return nil
	})
	awaitWaiting(t, db, 2)
	after := write(db, t.Context(), insert("after"))
	awaitWaiting(t, db, 3)
	release()
	if o := <-ended; o.returned || o.panicked != nil {
		t.Errorf("got %+v, want a goroutine that ended", o)
	}
	if err := errors.Join(<-before, <-after); err != nil {
		t.Error(err)
	}
	mustExec(t, db, "INSERT INTO notes (body) VALUES ('later')")
	if got := texts(t, db, "SELECT body FROM notes ORDER BY id"); !slices.Equal(got, []string{"before", "after", "later"}) {
		t.Errorf("notes %q, want the other three", got)
	}
}

func TestAPanicOrGoexitInARowLeavesNoStatementRunning(t *testing.T) {
	db := notes(t, Options{})
	mustExec(t, db, "INSERT INTO notes (body) VALUES ('a'), ('b')")
	const all = "SELECT body FROM notes"
	if o := <-writeAndWatch(t, db, func(tx *Tx) error {
		return tx.Query(all, func(Row) error { panic("in a row") })
	}); o.panicked == nil {
		t.Errorf("got %+v, want a panic", o)
	}
	if o := <-writeAndWatch(t, db, func(tx *Tx) error {
		return tx.Query(all, func(Row) error { runtime.Goexit(); return nil })
	}); o.returned {
		t.Errorf("got %+v, want a goroutine that ended", o)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Read swallowed a panic")
			}
		}()
		db.Read(t.Context(), func(s *Snapshot) error {
			return s.Query(all, func(Row) error { panic("in a row") })
		})
	}()
	mustExec(t, db, "DROP TABLE notes") // needs every statement to have ended
}

func TestUseAfterTheEndIsAnError(t *testing.T) {
	db := notes(t, Options{})
	var kept *Tx
	var seen *Snapshot
	if err := db.Write(t.Context(), func(tx *Tx) error { kept = tx; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := db.Read(t.Context(), func(s *Snapshot) error { seen = s; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := insert("late")(kept); !errors.Is(err, ErrEnded) {
		t.Errorf("Exec: %v, want ErrEnded", err)
	}
	if _, err := textsIn(seen.Queries, "SELECT body FROM notes"); !errors.Is(err, ErrEnded) {
		t.Errorf("Query: %v, want ErrEnded", err)
	}
	if _, err := seen.One("SELECT 1", func(Row) error { return nil }); !errors.Is(err, ErrEnded) {
		t.Errorf("One: %v, want ErrEnded", err)
	}
}

func TestAKeptRowPanics(t *testing.T) {
	db := open(t, Options{})
	var kept Row
	err := db.Read(t.Context(), func(s *Snapshot) error {
		_, err := s.One("SELECT 'x'", func(r Row) error { kept = r; return nil })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, use := range map[string]func(){
		"after its function": func() { kept.Text(0) },
		"a missing column": func() {
			db.Read(t.Context(), func(s *Snapshot) error {
				_, err := s.One("SELECT 'x'", func(r Row) error { r.Int(1); return nil })
				return err
			})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			use()
		}()
	}
}

func TestTransactionsAreNotTheCallbacksToEnd(t *testing.T) {
	db := notes(t, Options{})
	for _, sql := range []string{"COMMIT", "begin", " -- now\n END", "/* */ ROLLBACK", "SAVEPOINT a", "RELEASE a"} {
		err := db.Write(t.Context(), func(tx *Tx) error {
			if err := insert(sql)(tx); err != nil {
				return err
			}
			return tx.Exec(sql)
		})
		var e *Error
		if !errors.As(err, &e) || e.Code != codeMisuse {
			t.Errorf("%q: %v, want a misuse", sql, err)
		}
	}
	if got := number(t, db, "SELECT count(*) FROM notes"); got != 0 {
		t.Errorf("%d notes, want none", got)
	}
}

// SQLite ends the transaction itself when RAISE(ROLLBACK) runs. What a callback
// does after that would commit on its own.
func TestNothingCommitsAfterSQLiteRolledBack(t *testing.T) {
	db := notes(t, patient)
	mustExec(t, db, `CREATE TRIGGER refuse BEFORE INSERT ON notes WHEN new.body = 'bad'
		BEGIN SELECT RAISE(ROLLBACK, 'bad note'); END`)
	release := block(t, db)
	good := write(db, t.Context(), insert("good"))
	awaitWaiting(t, db, 1)
	bad := write(db, t.Context(), func(tx *Tx) error {
		insert("bad")(tx) // its error overlooked
		insert("more")(tx)
		return nil
	})
	awaitWaiting(t, db, 2)
	release()
	if err := <-good; err != nil {
		t.Errorf("good: %v", err)
	}
	if err := <-bad; err == nil || !strings.Contains(err.Error(), "bad note") {
		t.Errorf("bad: %v, want the trigger's error", err)
	}
	if got := texts(t, db, "SELECT body FROM notes"); !slices.Equal(got, []string{"good"}) {
		t.Errorf("notes %q, want the good one", got)
	}
}

func TestACommitThatFailsIsItsCausersOnly(t *testing.T) {
	db := open(t, patient)
	mustExec(t, db, "CREATE TABLE rooms (id INTEGER PRIMARY KEY)")
	mustExec(t, db, "CREATE TABLE members (room INTEGER REFERENCES rooms (id) DEFERRABLE INITIALLY DEFERRED)")
	release := block(t, db)
	ok := write(db, t.Context(), func(tx *Tx) error { return tx.Exec("INSERT INTO rooms VALUES (1)") })
	awaitWaiting(t, db, 1)
	bad := write(db, t.Context(), func(tx *Tx) error { return tx.Exec("INSERT INTO members VALUES (7)") })
	awaitWaiting(t, db, 2)
	ok2 := write(db, t.Context(), func(tx *Tx) error { return tx.Exec("INSERT INTO members VALUES (1)") })
	awaitWaiting(t, db, 3)
	release()
	if err := errors.Join(<-ok, <-ok2); err != nil {
		t.Error(err)
	}
	var e *Error
	if err := <-bad; !errors.As(err, &e) || e.Code != codeConstraint || e.Op != "commit" {
		t.Errorf("got %v, want a constraint at commit", err)
	}
	if got := number(t, db, "SELECT count(*) FROM members"); got != 1 {
		t.Errorf("%d members, want 1", got)
	}
}
