//go:build unix

package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	zombiezen "zombiezen.com/go/sqlite"
)

// These benchmarks measure one DB beside the floor: the driver used directly,
// by code that does the same work and nothing else. Both have the same file
// (20,000 messages of about 200 bytes in one room), the same settings and the
// same SQL. Times of writes are those of the disk of the machine at hand; compare
// within a run. cpu-µs/op is the process's user and system time.

const benchMessages = 20_000

var benchTemplate = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "hearth-sqlite-bench")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { os.RemoveAll(folder) })
	path := filepath.Join(folder, "template.db")
	db, err := Open(context.Background(), path, Options{Synchronous: Off})
	if err != nil {
		return "", err
	}
	err = db.Write(context.Background(), func(tx *Tx) error {
		if err := createPosts(tx); err != nil {
			return err
		}
		for id := int64(1); id <= benchMessages; id++ {
			if err := post(tx, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return path, db.Close()
})

// benchDB opens a copy of the template.
func benchDB(b *testing.B, opt Options) *DB {
	b.Helper()
	template, err := benchTemplate()
	if err != nil {
		b.Fatal(err)
	}
	data, err := os.ReadFile(template)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "bench.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	return openAt(b, path, opt)
}

// bare opens a connection of the driver with the settings that db has.
func bare(b *testing.B, db *DB) *zombiezen.Conn {
	b.Helper()
	c, err := db.connect(false)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.close() })
	return c.c
}

// bareRun runs a prepared statement to its end.
func bareRun(s *zombiezen.Stmt) error {
	for {
		if more, err := s.Step(); err != nil || !more {
			s.Reset()
			return err
		}
	}
}

// cpu reports the processor time of what follows, when the function it returns
// is called.
func cpu(b *testing.B) (report func()) {
	spent := func() time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := spent()
	return func() {
		b.ReportMetric(float64((spent()-before).Nanoseconds())/1e3/float64(b.N), "cpu-µs/op")
	}
}

const pointQuery = "SELECT client_message_id FROM messages WHERE id = ?"

func BenchmarkPointRead(b *testing.B) {
	want := func(b *testing.B, got string, id int64) {
		if len(got) < 8 {
			b.Fatalf("message %d: %q", id, got)
		}
	}
	bareRead := func(b *testing.B, s *zombiezen.Stmt, id int64) {
		s.BindInt64(1, id)
		if more, err := s.Step(); err != nil || !more {
			b.Fatal(more, err)
		}
		want(b, s.ColumnText(0), id)
		s.Reset()
	}
	ours := func(b *testing.B, q *Queries, id int64) error {
		_, err := q.One(pointQuery, func(r Row) error { want(b, r.Text(0), id); return nil }, id)
		return err
	}
	b.Run("floor/outside", func(b *testing.B) {
		s := bare(b, benchDB(b, Options{})).Prep(pointQuery)
		b.ReportAllocs()
		defer cpu(b)()
		for id := int64(0); b.Loop(); id++ {
			bareRead(b, s, 1+id*7919%benchMessages)
		}
	})
	b.Run("ours/outside", func(b *testing.B) { // a snapshot for each
		db := benchDB(b, Options{})
		b.ReportAllocs()
		defer cpu(b)()
		for id := int64(0); b.Loop(); id++ {
			if err := db.Read(context.Background(), func(s *Snapshot) error { return ours(b, s.Queries, 1+id*7919%benchMessages) }); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("floor/inside", func(b *testing.B) {
		c := bare(b, benchDB(b, Options{}))
		if err := bareRun(c.Prep("BEGIN")); err != nil {
			b.Fatal(err)
		}
		defer bareRun(c.Prep("COMMIT"))
		s := c.Prep(pointQuery)
		b.ReportAllocs()
		defer cpu(b)()
		for id := int64(0); b.Loop(); id++ {
			bareRead(b, s, 1+id*7919%benchMessages)
		}
	})
	b.Run("ours/inside", func(b *testing.B) { // one snapshot for all
		db := benchDB(b, Options{})
		b.ReportAllocs()
		err := db.Read(context.Background(), func(s *Snapshot) error {
			defer cpu(b)()
			for id := int64(0); b.Loop(); id++ {
				if err := ours(b, s.Queries, 1+id*7919%benchMessages); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

const last40 = `SELECT m.id, m.creator_id, m.client_message_id, m.created_at, m.updated_at, t.body
	FROM messages m JOIN rich_texts t ON t.message_id = m.id
	WHERE m.room_id = 1 ORDER BY m.created_at DESC, m.id DESC LIMIT 40`

type benchMessage struct {
	id, creator                     int64
	client, created, updated, value string
}

func BenchmarkLast40(b *testing.B) {
	b.Run("floor", func(b *testing.B) {
		c := bare(b, benchDB(b, Options{}))
		begin, commit, s := c.Prep("BEGIN"), c.Prep("COMMIT"), c.Prep(last40)
		b.ReportAllocs()
		defer cpu(b)()
		for b.Loop() {
			if err := bareRun(begin); err != nil {
				b.Fatal(err)
			}
			page := make([]benchMessage, 0, 40)
			for {
				more, err := s.Step()
				if err != nil {
					b.Fatal(err)
				}
				if !more {
					break
				}
				page = append(page, benchMessage{s.ColumnInt64(0), s.ColumnInt64(1), s.ColumnText(2), s.ColumnText(3), s.ColumnText(4), s.ColumnText(5)})
			}
			s.Reset()
			if err := bareRun(commit); err != nil || len(page) != 40 {
				b.Fatal(len(page), err)
			}
		}
	})
	b.Run("ours", func(b *testing.B) { benchLast40(b, Options{}) })
	b.Run("ours-no-snapshot", func(b *testing.B) { benchLast40(b, Options{NoSnapshot: true}) })
}

func benchLast40(b *testing.B, opt Options) {
	db := benchDB(b, opt)
	b.ReportAllocs()
	defer cpu(b)()
	for b.Loop() {
		page := make([]benchMessage, 0, 40)
		err := db.Read(context.Background(), func(s *Snapshot) error {
			return s.Query(last40, func(r Row) error {
				page = append(page, benchMessage{r.Int(0), r.Int(1), r.Text(2), r.Text(3), r.Text(4), r.Text(5)})
				return nil
			})
		})
		if err != nil || len(page) != 40 {
			b.Fatal(len(page), err)
		}
	}
}

func BenchmarkForeignCommits(b *testing.B) {
	db := benchDB(b, Options{})
	b.ReportAllocs()
	defer cpu(b)()
	for b.Loop() {
		if _, err := db.ForeignCommits(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPost has 1, 16 and 64 callers that post as fast as they are
// answered. owner is a DB as it is; the others change one thing.
func BenchmarkPost(b *testing.B) {
	for _, mode := range []Synchronous{Full, Normal} {
		for _, callers := range []int{1, 16, 64} {
			for _, v := range []struct {
				name  string
				write func(*testing.B, Synchronous) func(id int64) error
			}{
				{"floor", floorPosts},
				{"owner", ownerPosts(Options{})},
				{"owner-no-groups", ownerPosts(Options{NoGroupCommit: true})},
				{"owner-no-checkpointer", ownerPosts(Options{NoCheckpointer: true})},
				{"permit", permitPosts},
			} {
				b.Run(fmt.Sprintf("%v/%d/%s", mode, callers, v.name), func(b *testing.B) {
					benchPosts(b, callers, v.write(b, mode))
				})
			}
		}
	}
}

// benchPosts hands the loop's turns to callers.
func benchPosts(b *testing.B, callers int, write func(id int64) error) {
	turns := make(chan int64)
	took := make([][]time.Duration, callers)
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for id := range turns {
				begun := time.Now()
				if err := write(id); err != nil {
					failed.Store(&err)
				}
				took[i] = append(took[i], time.Since(begun))
			}
		})
	}
	b.ReportAllocs()
	defer cpu(b)()
	for id := int64(benchMessages + 1); b.Loop(); id++ {
		turns <- id
	}
	close(turns)
	wg.Wait()
	if err := failed.Load(); err != nil {
		b.Fatal(*err)
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
}

func ownerPosts(opt Options) func(*testing.B, Synchronous) func(int64) error {
	return func(b *testing.B, mode Synchronous) func(int64) error {
		opt.Synchronous = mode
		db := benchDB(b, opt)
		return func(id int64) error {
			return db.Write(context.Background(), func(tx *Tx) error { return post(tx, id) })
		}
	}
}

// floorPosts is one connection of the driver behind a mutex, with the driver's
// own checkpoints.
func floorPosts(b *testing.B, mode Synchronous) func(int64) error {
	c := bare(b, benchDB(b, Options{Synchronous: mode, NoCheckpointer: true}))
	if err := bareRun(c.Prep("PRAGMA wal_autocheckpoint = 1000")); err != nil {
		b.Fatal(err)
	}
	begin, commit := c.Prep("BEGIN IMMEDIATE"), c.Prep("COMMIT")
	message, text, index, unread := c.Prep(postMessage), c.Prep(postText), c.Prep(postIndex), c.Prep(postUnread)
	var mu sync.Mutex
	return func(id int64) error {
		mu.Lock()
		defer mu.Unlock()
		body, now := postBody(id), postTime(id)
		message.BindInt64(1, id)
		message.BindText(2, fmt.Sprintf("client-%d", id))
		message.BindText(3, now)
		text.BindInt64(1, id)
		text.BindText(2, "<div>"+body+"</div>")
		index.BindInt64(1, id)
		index.BindText(2, body)
		for _, s := range []*zombiezen.Stmt{begin, message, text, index} {
			if err := bareRun(s); err != nil {
				return err
			}
		}
		for user := 1; user <= postMembers; user++ {
			unread.BindText(1, now)
			unread.BindInt64(2, int64(user))
			if err := bareRun(unread); err != nil {
				return err
			}
		}
		return bareRun(commit)
	}
}

// permitPosts is the other way to have one writer: the caller runs its SQL
// itself, on a connection of its own, while it holds a permit that is handed
// on first come, first served. Checkpoints run in the background as with owner.
func permitPosts(b *testing.B, mode Synchronous) func(int64) error {
	db := benchDB(b, Options{Synchronous: mode})
	idle := make(chan *conn, 64)
	for range cap(idle) {
		c, err := db.connect(false)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { c.close() })
		idle <- c
	}
	permit := make(chan bool, 1) // goroutines blocked on a channel are served in order
	return func(id int64) error {
		c := <-idle
		defer func() { idle <- c }()
		permit <- true
		defer func() { <-permit }()
		if err := c.run("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		if err := post(&Tx{&Queries{conn: c, whole: true}}, id); err != nil {
			return err
		}
		return c.run("COMMIT")
	}
}
