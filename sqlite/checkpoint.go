package sqlite

import (
	"context"
	"time"
)

// restartPatience is how long a restart waits, with the writer's turn, for
// readers of old snapshots. When they stay (a backup, say) it is tried again
// after one round, then two, four … at most restartPauseMax.
const (
	restartPatience = 50 * time.Millisecond
	restartPauseMax = 32
)

// checkpointer copies the log into the database on a connection of its own.
type checkpointer struct {
	db       *DB
	conn     *conn
	pageSize int64
	pause    int // rounds to let pass after the latest restart that was blocked
	rest     int // of them, those still to come
}

func newCheckpointer(db *DB, c *conn) (*checkpointer, error) {
	p := &checkpointer{db: db, conn: c}
	q := Queries{conn: c}
	_, err := q.One("PRAGMA page_size", func(r Row) error {
		p.pageSize = r.Int(0)
		return nil
	})
	return p, err
}

// run checkpoints every interval until ctx ends. A passive checkpoint waits for
// nobody and holds nobody up; when the writer finds the log copied and unread,
// it starts it from the beginning. Under load that moment may never come, so a
// log that has grown past restartBytes takes a turn from the writer.
func (p *checkpointer) run(ctx context.Context) {
	tick := time.NewTicker(p.db.options.checkpointEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.once(ctx)
		}
	}
}

// once makes one round. What fails (a full disk, say) is counted and tried
// again at the next round: the log keeps everything meanwhile.
func (p *checkpointer) once(ctx context.Context) {
	counts := &p.db.counts
	logged, err := p.passive()
	counts.checkpoints.Add(1)
	if err != nil {
		counts.checkpointErrors.Add(1)
		return
	}
	counts.logBytes.Store(logged)
	if logged < p.db.options.restartBytes {
		return
	}
	if p.rest > 0 {
		p.rest--
		return
	}
	reply := make(chan restart, 1)
	select {
	case p.db.writer.restarts <- reply:
		p.note(<-reply)
	case <-ctx.Done():
	}
}

// restart is how a turn at restarting the log ended.
type restart struct {
	blocked bool // by a reader of an old snapshot
	err     error
}

func (p *checkpointer) note(r restart) {
	switch {
	case r.err != nil:
		p.db.counts.checkpointErrors.Add(1)
	case r.blocked:
		p.pause = min(max(1, 2*p.pause), restartPauseMax)
	default:
		p.pause = 0
		p.db.counts.restarts.Add(1)
	}
	p.rest = p.pause
}

// passive copies what no reader holds back and returns the log's length in
// bytes.
func (p *checkpointer) passive() (int64, error) {
	const frameHeader = 24 // sqlite.org/fileformat2.html#the_write_ahead_log
	var frames int64
	q := Queries{conn: p.conn}
	_, err := q.One("PRAGMA wal_checkpoint(PASSIVE)", func(r Row) error {
		frames = r.Int(1)
		return nil
	})
	return frames * (p.pageSize + frameHeader), err
}

// restartLog copies the rest of the log and has the next write start it from
// the beginning. It runs in the writer's goroutine, between transactions.
func (w *writer) restartLog() (result restart) {
	w.db.foreign.beginTurn() // a restart looks like a commit to other connections
	defer w.db.foreign.endTurn()
	w.conn.busyTimeout(restartPatience)
	defer w.conn.busyTimeout(0)
	q := Queries{conn: w.conn}
	_, result.err = q.One("PRAGMA wal_checkpoint(RESTART)", func(r Row) error {
		result.blocked = r.Bool(0)
		return nil
	})
	return result
}
