package sqlite

import (
	"context"
	"fmt"
	"sync"
)

// readers lends connections, the one used last first: its caches are warm.
type readers struct {
	all    []*conn
	lent   chan struct{} // one token for every connection that is lent; waiters are served in order
	closed chan struct{}

	mu   sync.Mutex // guards idle
	idle []*conn
}

func newReaders(n int) *readers {
	return &readers{lent: make(chan struct{}, n), closed: make(chan struct{})}
}

func (r *readers) add(c *conn) {
	r.all = append(r.all, c)
	r.idle = append(r.idle, c)
}

func (r *readers) take(ctx context.Context) (*conn, error) {
	select {
	case <-r.closed:
		return nil, ErrClosed
	default:
	}
	select {
	case r.lent <- struct{}{}:
	default:
		select {
		case r.lent <- struct{}{}:
		case <-r.closed:
			return nil, ErrClosed
		case <-ctx.Done():
			return nil, fmt.Errorf("sqlite: read: %w", ctx.Err())
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.idle) - 1
	c := r.idle[last]
	r.idle = r.idle[:last]
	return c, nil
}

func (r *readers) give(c *conn) {
	r.mu.Lock()
	r.idle = append(r.idle, c)
	r.mu.Unlock()
	<-r.lent
}

// close refuses further loans and waits until every connection is back.
func (r *readers) close() {
	close(r.closed)
	for range cap(r.lent) {
		r.lent <- struct{}{}
	}
}

// Read lends a connection to fn for one snapshot: the first question fixes what
// all of them see. Waiting for a connection respects ctx; once fn runs, ctx is
// fn's own business. What fn returns is returned.
//
// A read that must write returns first and then calls Write: the snapshot is
// older than what Write sees, so Write asks again what it depends on. Calling
// Write or Read inside fn may wait forever for what fn itself holds.
func (db *DB) Read(ctx context.Context, fn func(*Snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sqlite: read: %w", err)
	}
	c, err := db.readers.take(ctx)
	if err != nil {
		return err
	}
	defer db.readers.give(c)
	db.counts.reads.Add(1)
	s := &Snapshot{&Queries{conn: c, whole: !db.options.NoSnapshot}}
	if s.whole {
		if err := c.run("BEGIN"); err != nil {
			return err
		}
		defer endSnapshot(c)
	}
	defer s.end()
	return fn(s)
}

func endSnapshot(c *conn) {
	if c.inTransaction() {
		c.run("ROLLBACK") // nothing to lose, and it can't fail
	}
}
