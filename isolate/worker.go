package isolate

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// phase of a worker's life; guarded by the pool's lock.
type phase uint8

const (
	building phase = iota
	ready          // idle or at work
	overrun        // its caller has been told, its handler still runs
	ending
)

// worker is one goroutine with the state that it built. It serves until the
// state is lost or the pool closes, and is never used again.
type worker[Q, A any] struct {
	pool   *Pool[Q, A]
	ctx    handlerContext
	cancel context.CancelCauseFunc
	delay  time.Duration    // before building, after builders that failed
	wake   chan *call[Q, A] // to an idle worker: its next question, or nil to stop
	began  atomic.Int64     // when it took or began the question at hand, on the pool's clock
	state  session[Q, A]    // touched by the goroutine alone

	// Guarded by the pool's lock.
	phase    phase
	current  *call[Q, A] // the question at hand, until it is answered by whomever
	timer    *time.Timer // calls overdue
	armed    bool        // timer will
	replaced bool        // overran, and its place was given away
}

// run is the goroutine.
func (w *worker[Q, A]) run() {
	defer w.exit()
	if !w.pause() || !w.construct() {
		return
	}
	defer w.discard()
	for c := w.stand(); c != nil; c = w.serve(c) {
	}
}

func (w *worker[Q, A]) pause() bool {
	if w.delay == 0 {
		return true
	}
	select {
	case <-time.After(w.delay):
		return true
	case <-w.ctx.Done():
		return false
	}
}

// construct builds the state. Deferred calls do what a panic or Goexit would
// leave undone, here and in serve.
func (w *worker[Q, A]) construct() (ok bool) {
	var err error
	returned := false
	defer func() {
		if !returned {
			err = crash(recover())
		}
		if ok = err == nil; !ok {
			w.pool.unbuilt(w, err)
		}
	}()
	w.state, err = w.pool.build(&w.ctx)
	returned = true
	return // ok is set above
}

// stand reports w ready and waits for its first question; nil means stop.
func (w *worker[Q, A]) stand() *call[Q, A] {
	p := w.pool
	p.mu.Lock()
	w.phase, p.misbuilt = ready, 0
	c, stop := p.assign(w, p.now())
	if p.opening && len(p.idle) == p.opts.Workers {
		p.opening = false
		p.opened <- nil
	}
	p.mu.Unlock()
	if c == nil && !stop {
		c = w.await()
	}
	return c
}

// await waits for a question as an idle worker.
func (w *worker[Q, A]) await() *call[Q, A] {
	c := <-w.wake
	if c != nil {
		w.start(w.pool.now())
	}
	return c
}

// start notes when the handler begins.
func (w *worker[Q, A]) start(now time.Duration) {
	w.began.Store(int64(now))
	if d := w.pool.opts.Deadline; d > 0 {
		w.ctx.until.Store(int64(now + d))
	}
}

// serve answers c and returns the next question; nil means stop.
func (w *worker[Q, A]) serve(c *call[Q, A]) (next *call[Q, A]) {
	returned := false
	defer func() {
		if !returned {
			w.pool.crashed(w, crash(recover()))
		}
	}()
	answer, err := w.state.handle(&w.ctx, c.question)
	returned = true
	if err != nil && isCrash(err) {
		w.pool.crashed(w, err)
		return nil
	}
	next, stop := w.pool.handled(w, c, answer, err)
	if next == nil && !stop {
		next = w.await()
	}
	return next
}

// discard closes the state.
func (w *worker[Q, A]) discard() {
	if w.state.close == nil {
		return
	}
	var err error
	returned := false
	defer func() {
		if !returned {
			err = crash(recover())
		}
		if err != nil {
			w.pool.noteUnclean(err)
		}
	}()
	err = w.state.close()
	returned = true
}

// exit is the last that the goroutine does.
func (w *worker[Q, A]) exit() {
	w.pool.ended(w)
	w.cancel(errThrownAway)
}

var errThrownAway = errors.New("isolate: the state has been thrown away")

// take makes c the question at hand. The pool's lock is held.
func (w *worker[Q, A]) take(c *call[Q, A], now time.Duration) {
	c.stage = running
	w.current = c
	w.start(now)
	if d := w.pool.opts.Deadline; d > 0 && !w.armed {
		w.arm(d)
	}
}

// arm has overdue called in d. The pool's lock is held.
func (w *worker[Q, A]) arm(d time.Duration) {
	w.armed = true
	if w.timer == nil {
		w.timer = time.AfterFunc(d, w.overdue)
	} else {
		w.timer.Reset(d)
	}
}

// overdue looks whether the question at hand has overrun its deadline. Nobody
// stops the timer when a handler returns in time, since that would cost every
// question something: it goes off at most once in a deadline, and is set again
// when the question at hand is a younger one.
func (w *worker[Q, A]) overdue() {
	p := w.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	w.armed = false
	if w.current == nil {
		return
	}
	now := p.now()
	if rest := time.Duration(w.began.Load()) + p.opts.Deadline - now; rest > 0 {
		w.arm(rest)
		return
	}
	p.overran(w, now)
}
