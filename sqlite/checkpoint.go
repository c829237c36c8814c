package sqlite

import (
	"context"
	"time"
)

// restartPatience is how long a restart waits, with the writer's turn, for
// readers of old snapshots. If they stay it is tried again at the next round.
const restartPatience = 50 * time.Millisecond

// checkpointer copies the log into the database on a connection of its own.
type checkpointer struct {
	db       *DB
	conn     *conn
	pageSize int64
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
	reply := make(chan error, 1)
	select {
	case p.db.writer.restarts <- reply:
		if <-reply != nil {
			counts.checkpointErrors.Add(1)
		}
	case <-ctx.Done():
	}
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
func (w *writer) restartLog() error {
	w.db.foreign.beginTurn() // a restart looks like a commit to other connections
	defer w.db.foreign.endTurn()
	w.conn.busyTimeout(restartPatience)
	defer w.conn.busyTimeout(0)
	blocked := false
	q := Queries{conn: w.conn}
	_, err := q.One("PRAGMA wal_checkpoint(RESTART)", func(r Row) error {
		blocked = r.Bool(0)
		return nil
	})
	if err == nil && !blocked {
		w.db.counts.restarts.Add(1)
	}
	return err
}
