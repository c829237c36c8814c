package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// groupMax bounds a group. It takes those who wait when it begins and those who
// come while it runs, until it has groupMax members or is Options.groupTime old.
// Nobody is waited for: a write that comes alone commits alone, at once.
const groupMax = 64

// Write runs fn in a transaction and returns after its commit. Calls are served
// first come, first served, by one goroutine of the DB: fn runs there, so it
// should be short and touch nothing that its caller doesn't leave alone
// meanwhile.
//
// Calls that wait together share one transaction and are answered after its
// commit. If one fails, the transaction is rolled back and each runs again,
// alone: fn may run more than once, and must set, not add to, what it leaves
// outside. An error that fn returns undoes what fn did and is returned as it
// is; it says nothing about other calls.
//
// Waiting for the turn respects ctx; once fn has begun Write waits for the
// outcome. A full queue is ErrBusy, and so is another process that keeps the
// database for longer than Options.BusyTimeout. A panic of fn becomes a panic
// of Write with a *Panic; runtime.Goexit in fn ends the caller's goroutine. In
// both cases nothing of fn stays. Calling Write inside fn would wait for
// itself.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sqlite: write: %w", err)
	}
	c := &call{fn: fn, since: time.Now(), done: make(chan struct{})}
	if err := db.writer.queue.add(c); err != nil {
		if errors.Is(err, ErrBusy) {
			db.counts.refused.Add(1)
		}
		return fmt.Errorf("sqlite: write: %w", err)
	}
	select {
	case <-c.done:
	case <-ctx.Done():
		if db.writer.queue.leave(c) {
			return fmt.Errorf("sqlite: write: waiting for a turn: %w", ctx.Err())
		}
		<-c.done
	}
	if c.panic != nil {
		panic(c.panic)
	}
	if c.exited {
		runtime.Goexit()
	}
	return c.err
}

// writer owns the connection that writes. Everything but the queue and the two
// channels belongs to the goroutine in run.
type writer struct {
	db       *DB
	conn     *conn
	queue    *queue
	restarts chan chan restart // turns for the checkpointer
	done     chan struct{}     // closed when run has ended

	group []*call // of the transaction that is open
	alone []*call // of a group that failed: each runs again, before all others
}

func newWriter(db *DB, c *conn) *writer {
	return &writer{
		db:       db,
		conn:     c,
		queue:    newQueue(db.options.QueueLen),
		restarts: make(chan chan restart),
		done:     make(chan struct{}),
	}
}

// drain refuses new calls and waits until the others are answered.
func (w *writer) drain() {
	w.queue.close()
	<-w.done
}

// run serves calls until the queue is closed and empty.
func (w *writer) run() {
	ended := false
	defer func() {
		if !ended { // a callback ended this goroutine: go on in another
			go w.run()
			return
		}
		close(w.done)
	}()
	for {
		if len(w.alone) > 0 {
			w.serveAlone()
			continue
		}
		waiting, closed := w.queue.waiting()
		switch {
		case waiting > 0:
			w.serveGroup()
			w.serveRestart()
		case closed:
			ended = true
			return
		default:
			select {
			case <-w.queue.wake:
			case reply := <-w.restarts:
				reply <- w.restartLog()
			}
		}
	}
}

// serveRestart gives the checkpointer its turn if it asks for one.
func (w *writer) serveRestart() {
	select {
	case reply := <-w.restarts:
		reply <- w.restartLog()
	default:
	}
}

// serveGroup runs the calls that wait in one transaction. Its deferred settle
// answers them even when a callback ends the goroutine.
func (w *writer) serveGroup() {
	if !w.beginForQueue() {
		return
	}
	committed := false
	defer func() { w.settle(committed) }()
	most := groupMax
	if w.db.options.NoGroupCommit {
		most = 1
	}
	for begun := time.Now(); len(w.group) < most; {
		c := w.queue.take()
		if c == nil {
			break
		}
		w.group = append(w.group, c)
		if !w.invoke(c) {
			return
		}
		if time.Since(begun) > w.db.options.groupTime {
			break
		}
	}
	committed = w.commit()
}

// serveAlone runs the next call of a group that failed in a transaction of its
// own, whose outcome is its answer.
func (w *writer) serveAlone() {
	c := w.alone[0]
	w.alone = w.alone[1:]
	w.group = append(w.group, c)
	w.db.counts.redone.Add(1)
	committed := false
	defer func() { w.settle(committed) }()
	if err := w.begin(time.Now().Add(w.db.options.BusyTimeout)); err != nil {
		c.err = err
		return
	}
	if w.invoke(c) {
		committed = w.commit()
	}
}

// invoke runs c's callback inside the open transaction, and reports false when
// the transaction can't be kept: the callback failed after it had changed
// something. A panic or Goexit is noted in c; Goexit goes on unwinding.
func (w *writer) invoke(c *call) (keep bool) {
	q := &Queries{conn: w.conn, whole: true}
	c.err, c.panic, c.exited = nil, nil, false
	returned := false
	defer func() {
		q.end()
		if returned {
			return
		}
		if v := recover(); v != nil {
			c.panic = &Panic{Value: v, Stack: debug.Stack()}
			return
		}
		c.exited = true
	}()
	c.err = c.fn(&Tx{q})
	returned = true
	if c.err == nil && q.dead != nil {
		c.err = q.dead // fn overlooked it, but its work is gone
	}
	return c.err == nil || !q.wrote && q.dead == nil
}

// commit ends the transaction. Its error is every member's, until settle gives
// each its own chance.
func (w *writer) commit() bool {
	err := w.conn.run("COMMIT")
	if err == nil {
		return true
	}
	if e, ok := errors.AsType[*Error](err); ok {
		e.Op = "commit"
	}
	for _, c := range w.group {
		c.err = err
	}
	return false
}

// settle ends the transaction of w.group: answers its members when it is
// committed or has only one, else lets each run alone.
func (w *writer) settle(committed bool) {
	if w.conn.inTransaction() {
		w.conn.run("ROLLBACK")
	}
	w.db.foreign.endTurn()
	group := w.group
	w.group = nil
	if !committed && len(group) > 1 {
		w.alone = group
		return
	}
	counts := &w.db.counts
	if committed {
		counts.commits.Add(1)
	}
	for _, c := range group {
		if committed && c.err == nil {
			counts.writes.Add(1)
		} else {
			counts.failed.Add(1)
		}
		close(c.done)
	}
	counts.largest(len(group))
}

// begin takes the database's write lock, waiting until deadline for other
// processes.
func (w *writer) begin(deadline time.Time) error {
	for pause := busyPauseMin; ; pause = min(2*pause, busyPauseMax) {
		err := w.tryBegin()
		if err == nil || !errors.Is(err, ErrBusy) || time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}

// Another process's lock is looked at again after busyPauseMin, then ever more
// seldom.
const (
	busyPauseMin = time.Millisecond
	busyPauseMax = 25 * time.Millisecond
)

// beginForQueue is begin on behalf of those who wait: they may leave meanwhile,
// and each that has waited for BusyTimeout gets ErrBusy.
func (w *writer) beginForQueue() bool {
	for pause := busyPauseMin; ; pause = min(2*pause, busyPauseMax) {
		err := w.tryBegin()
		if err == nil {
			return true
		}
		if !errors.Is(err, ErrBusy) {
			w.refuse(w.queue.take(), err)
			return false
		}
		for {
			c := w.queue.takeOlder(time.Now().Add(-w.db.options.BusyTimeout))
			if c == nil {
				break
			}
			w.refuse(c, err)
		}
		if n, _ := w.queue.waiting(); n == 0 {
			return false
		}
		time.Sleep(pause)
	}
}

func (w *writer) refuse(c *call, err error) {
	if c == nil {
		return // it left
	}
	w.db.counts.failed.Add(1)
	c.err = err
	close(c.done)
}

func (w *writer) tryBegin() error {
	if err := w.conn.run("BEGIN IMMEDIATE"); err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			e.Op = "begin"
		}
		return err
	}
	w.db.foreign.beginTurn()
	return nil
}
