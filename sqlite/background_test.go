package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestAForeignWriterIsWaitedFor(t *testing.T) {
	db := notes(t, Options{})
	release := block(t, db)
	answer := write(db, t.Context(), insert("late"))
	awaitWaiting(t, db, 1)
	release()
	if err := <-answer; err != nil {
		t.Error(err)
	}
}

func TestAForeignWriterThatStaysIsBusy(t *testing.T) {
	db := notes(t, Options{BusyTimeout: 30 * time.Millisecond})
	release := block(t, db)
	begun := time.Now()
	if err := db.Write(t.Context(), insert("never")); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	if waited := time.Since(begun); waited < 30*time.Millisecond {
		t.Errorf("gave up after %v, want at least 30ms", waited)
	}
	release()
	mustExec(t, db, "INSERT INTO notes (body) VALUES ('after')")
	if got := number(t, db, "SELECT count(*) FROM notes"); got != 1 {
		t.Errorf("%d notes, want the one after", got)
	}
}

func foreignCommits(t *testing.T, db *DB) uint64 {
	t.Helper()
	n, err := db.ForeignCommits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestForeignCommitsAreNoticedAndOwnOnesAreNot(t *testing.T) {
	// Restarts of the log, which look like commits from outside, happen all the time.
	db := notes(t, Options{Synchronous: Off, checkpointEvery: time.Millisecond, restartBytes: 100 << 10})
	stop := make(chan bool)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if err := db.Write(context.Background(), insert(fmt.Sprintf("%d.%d %0999d", w, i, 0))); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	await(t, "a few restarts", func() bool {
		if n := foreignCommits(t, db); n != 0 {
			t.Errorf("%d foreign commits after our own", n)
			return true
		}
		return db.Stats().Restarts > 3
	})
	c := foreigner(t, db)
	for i := range 100 {
		before := foreignCommits(t, db)
		run(t, c, fmt.Sprintf("INSERT INTO notes (body) VALUES ('foreign %d')", i))
		if after := foreignCommits(t, db); after <= before {
			t.Errorf("foreign commit %d: %d, then %d", i, before, after)
		}
	}
	close(stop)
	wg.Wait()
	if db.Stats().ForeignCommits < 100 {
		t.Errorf("stats: %d foreign commits, want 100 or more", db.Stats().ForeignCommits)
	}
}

func TestAForeignCommitOfAnotherProcessIsNoticed(t *testing.T) {
	db := notes(t, Options{})
	before := foreignCommits(t, db)
	child := startChild(t, "insert", "HEARTH_SQLITE_PATH="+db.path)
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	if after := foreignCommits(t, db); after <= before {
		t.Errorf("foreign commits %d, then %d", before, after)
	}
	if got := number(t, db, "SELECT count(*) FROM notes"); got != 1 {
		t.Errorf("%d notes, want the child's", got)
	}
}

func init() {
	children["insert"] = func() error {
		db, err := Open(context.Background(), os.Getenv("HEARTH_SQLITE_PATH"), Options{})
		if err != nil {
			return err
		}
		return errors.Join(db.Write(context.Background(), insert("from a child")), db.Close())
	}
}

func TestTheLogIsRestartedUnderLoad(t *testing.T) {
	const limit = 400 << 10
	db := notes(t, Options{Synchronous: Off, checkpointEvery: time.Millisecond, restartBytes: limit})
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 3 { // readers, so that the log is never unread
		wg.Go(func() {
			for !stop.Load() {
				if err := db.Read(context.Background(), func(s *Snapshot) error {
					_, err := s.One("SELECT count(*) FROM notes", func(Row) error { return nil })
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var i int
	await(t, "restarts", func() bool {
		i++
		mustExec(t, db, "INSERT INTO notes (body) VALUES (?)", fmt.Sprintf("%05d %02000d", i, 0))
		return db.Stats().Restarts >= 5
	})
	stop.Store(true)
	wg.Wait()
	info, err := os.Stat(db.path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 20*limit {
		t.Errorf("the log has %d bytes after restarts at %d", info.Size(), limit)
	}
	if got := db.Stats().CheckpointErrors; got != 0 {
		t.Errorf("%d checkpoint errors", got)
	}
}

// A reader that stays blocks every restart. The log grows meanwhile, writes go
// on, and a restart is tried ever more seldom.
func TestAReaderThatStaysDoesNotStopWrites(t *testing.T) {
	db := notes(t, Options{Synchronous: Off, checkpointEvery: time.Millisecond, restartBytes: 100 << 10})
	mustExec(t, db, "INSERT INTO notes (body) VALUES ('first')")
	err := db.Read(t.Context(), func(s *Snapshot) error {
		if _, err := textsIn(s.Queries, "SELECT body FROM notes"); err != nil {
			return err
		}
		var i int
		await(t, "the log to grow", func() bool {
			i++
			mustExec(t, db, "INSERT INTO notes (body) VALUES (?)", fmt.Sprintf("%d %03000d", i, 0))
			return db.Stats().LogBytes > 1<<20
		})
		got, err := textsIn(s.Queries, "SELECT count(*) FROM notes")
		if len(got) != 1 || got[0] != "1" {
			t.Errorf("the snapshot has %q notes, want 1", got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := db.Stats().Restarts; got != 0 {
		t.Errorf("%d restarts past a reader", got)
	}
	await(t, "a restart after the reader left", func() bool {
		mustExec(t, db, "UPDATE notes SET body = body || '.' WHERE id = 1")
		return db.Stats().Restarts > 0
	})
}

func TestCloseAnswersThoseWhoWait(t *testing.T) {
	db := notes(t, patient)
	release := block(t, db)
	var answers []<-chan error
	for i := range 20 {
		answers = append(answers, write(db, t.Context(), insert(fmt.Sprint(i))))
	}
	awaitWaiting(t, db, 20)
	closed := make(chan error, 1)
	go func() { closed <- db.Close() }()
	await(t, "the queue to close", func() bool { _, shut := db.writer.queue.waiting(); return shut })
	if err := db.Write(t.Context(), insert("late")); !errors.Is(err, ErrClosed) {
		t.Errorf("Write while closing: %v, want ErrClosed", err)
	}
	release()
	for i, answer := range answers {
		if err := <-answer; err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	again := openAt(t, db.path, Options{})
	if got := number(t, again, "SELECT count(*) FROM notes"); got != 20 {
		t.Errorf("%d notes after reopening, want 20", got)
	}
}

func TestAfterCloseEverythingIsErrClosed(t *testing.T) {
	db := notes(t, Options{})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := db.ForeignCommits(t.Context())
	for name, err := range map[string]error{
		"Read":           db.Read(t.Context(), func(*Snapshot) error { return nil }),
		"Write":          db.Write(t.Context(), func(*Tx) error { return nil }),
		"ForeignCommits": err,
		"Backup":         db.Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db")),
		"Close":          db.Close(),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v, want ErrClosed", name, err)
		}
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(db.path + suffix); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s remains: %v", suffix, err)
		}
	}
}

func TestCloseLeavesNoGoroutine(t *testing.T) {
	ours := func() string {
		buf := make([]byte, 1<<20)
		var found []string
		for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "sqlite.(*writer)") || strings.Contains(g, "sqlite.(*checkpointer)") || strings.Contains(g, "zombiezen.com") {
				found = append(found, g)
			}
		}
		return strings.Join(found, "\n\n")
	}
	db := notes(t, Options{})
	if ours() == "" {
		t.Fatal("an open database has no goroutines: the test can't see them")
	}
	<-writeAndWatch(t, db, func(*Tx) error { runtime.Goexit(); return nil })
	mustExec(t, db, "INSERT INTO notes (body) VALUES ('x')")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	await(t, "the goroutines to end", func() bool { return ours() == "" })
}

func TestABackupIsOneSnapshot(t *testing.T) {
	db := open(t, Options{})
	mustExec(t, db, "CREATE TABLE pairs (a TEXT, b TEXT)")
	var stop atomic.Bool
	var wg sync.WaitGroup
	var written atomic.Int64
	wg.Go(func() {
		for i := 0; !stop.Load(); i++ {
			body := fmt.Sprintf("%d %0900d", i, 0)
			if err := db.Write(context.Background(), func(tx *Tx) error {
				return errors.Join(tx.Exec("INSERT INTO pairs VALUES (?1, ?1)", body), tx.Exec("UPDATE pairs SET b = a || ?, a = a || ?", "x", "x"))
			}); err != nil {
				t.Error(err)
			}
			written.Add(1)
		}
	})
	path := filepath.Join(t.TempDir(), "copy.db")
	await(t, "some writes", func() bool { return written.Load() > 20 })
	for range 2 { // the second replaces the first
		least := written.Load()
		if err := db.Backup(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		backup, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(t, backup, "PRAGMA integrity_check"); len(got) != 1 || got[0] != "ok" {
			t.Errorf("integrity_check: %q", got)
		}
		if got := number(t, backup, "SELECT count(*) FROM pairs"); got < least {
			t.Errorf("%d pairs, want at least the %d acknowledged before", got, least)
		}
		if got := number(t, backup, "SELECT count(*) FROM pairs WHERE a <> b"); got != 0 {
			t.Errorf("%d torn pairs", got)
		}
		backup.Close()
	}
	stop.Store(true)
	wg.Wait()
	if err := db.Backup(t.Context(), db.path); err == nil {
		t.Error("a database was backed up over itself")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	other := filepath.Join(t.TempDir(), "never.db")
	if err := db.Backup(ended, other); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if left, _ := filepath.Glob(other + "*"); len(left) != 0 {
		t.Errorf("a cancelled backup left %q", left)
	}
}
