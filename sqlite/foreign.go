package sqlite

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// foreign notices commits of other processes. SQLite's data_version tells a
// connection that any other connection committed. The watch connection sees
// the writer's commits and those of other processes; the writer's connection
// sees the others' only, but is free only between turns. So: a change that
// watch sees while the writer has no turn is foreign. When a turn ends, the
// writer first notes what watch sees, then looks at its own version: foreign
// commits up to the note show there, later ones will show on watch.
type foreign struct {
	commits atomic.Uint64

	writer  *conn // used during and at the end of a turn only
	version int64 // data_version that writer saw last

	mu    sync.Mutex // guards the fields below
	watch *conn
	seen  int64         // data_version that watch saw last
	turn  chan struct{} // not nil while the writer has a turn; closed at its end
	ended bool          // watch is closed
}

func newForeign(watch, writer *conn) (*foreign, error) {
	f := &foreign{watch: watch, writer: writer}
	var err error
	if f.version, err = dataVersion(writer); err != nil {
		return nil, err
	}
	f.seen, err = dataVersion(watch)
	return f, err
}

func (f *foreign) beginTurn() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn = make(chan struct{})
}

// endTurn does nothing when there was no turn.
func (f *foreign) endTurn() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.turn == nil {
		return
	}
	seen, err := dataVersion(f.watch)
	if err == nil {
		f.seen = seen
	}
	version, err2 := dataVersion(f.writer)
	if err != nil || err2 != nil || version != f.version {
		f.commits.Add(1) // when it can't be known, caches are the losers
	}
	f.version = version
	close(f.turn)
	f.turn = nil
}

// look returns the count when it is sure, else the end of the turn to wait for.
func (f *foreign) look() (uint64, chan struct{}, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return 0, nil, ErrClosed
	}
	seen, err := dataVersion(f.watch)
	if err != nil {
		return 0, nil, err
	}
	if seen != f.seen {
		if f.turn != nil {
			return 0, f.turn, nil
		}
		f.seen = seen
		f.commits.Add(1)
	}
	return f.commits.Load(), nil, nil
}

func (f *foreign) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	return f.watch.close()
}

// ForeignCommits returns a number that grows whenever another process has
// committed, and only then (rarely also when another process restarted the
// log). An answer cached under a smaller number may be stale. It costs about as
// much as a point query.
func (db *DB) ForeignCommits(ctx context.Context) (uint64, error) {
	for {
		n, turn, err := db.foreign.look()
		if turn == nil {
			return n, err
		}
		select {
		case <-turn:
		case <-ctx.Done():
			return 0, fmt.Errorf("sqlite: foreign commits: %w", ctx.Err())
		}
	}
}

func dataVersion(c *conn) (int64, error) {
	var v int64
	q := Queries{conn: c}
	_, err := q.One("PRAGMA data_version", func(r Row) error {
		v = r.Int(0)
		return nil
	})
	return v, err
}
