package isolate

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// This file is what happens to workers. All of it changes the pool under its
// lock; methods that need it held say so.

// buildDelay and buildDelayMax space the tries of builders that fail: the first
// delay, which doubles, and the longest.
const (
	buildDelay    = 10 * time.Millisecond
	buildDelayMax = time.Second
)

// refill starts workers for the places that have none, if it may. The lock is
// held.
func (p *Pool[Q, A]) refill() {
	idleForGood := p.closing && p.queue.len == 0
	for p.filled < p.opts.Workers && p.broken == nil && !p.halted && !idleForGood {
		w := &worker[Q, A]{pool: p, wake: make(chan *call[Q, A], 1)}
		if p.misbuilt > 0 {
			w.delay = min(buildDelay<<min(p.misbuilt-1, 10), buildDelayMax)
		}
		w.ctx.Context, w.cancel = context.WithCancelCause(p.base)
		w.ctx.pool, w.ctx.epoch = p, p.epoch
		p.workers[w] = struct{}{}
		p.filled++
		go w.run()
	}
}

// assign gives w the first question that waits, or lets it stand idle, or says
// that it is to stop. The lock is held.
func (p *Pool[Q, A]) assign(w *worker[Q, A], now time.Duration) (c *call[Q, A], stop bool) {
	c = p.next(now)
	p.settle()
	switch {
	case c != nil:
		w.take(c, now)
	case p.closing:
		w.phase = ending
		return nil, true
	default:
		p.idle = append(p.idle, w)
	}
	return c, false
}

// handled answers c, unless its deadline was over first, and finds w's next
// question.
func (p *Pool[Q, A]) handled(w *worker[Q, A], c *call[Q, A], answer A, err error) (next *call[Q, A], stop bool) {
	now := p.now()
	p.mu.Lock()
	if w.current == nil { // overran: c is somebody else's by now
		p.mu.Unlock()
		return nil, true
	}
	p.account(w, now)
	p.stats.Handled++
	gone := c.stage == left
	if !gone {
		c.answer, c.err, c.stage = answer, err, answered
	}
	next, stop = p.assign(w, now)
	p.mu.Unlock()
	if !gone {
		c.done <- struct{}{}
	}
	return next, stop
}

// account ends w's question at hand in the statistics. The lock is held.
func (p *Pool[Q, A]) account(w *worker[Q, A], now time.Duration) {
	began := time.Duration(w.began.Load())
	p.stats.Busy += now - began
	p.stats.QueueWait.add(began - w.current.since)
	w.current = nil
}

// crashed answers w's question with the reason why its state is lost.
func (p *Pool[Q, A]) crashed(w *worker[Q, A], err error) {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	c := w.current
	if c == nil { // overran: already told, counted and replaced
		return
	}
	p.account(w, now)
	p.stats.Crashes++
	w.phase = ending
	p.fail(c, err)
	p.restarted(now, err)
}

// unbuilt notes that w's builder failed.
func (p *Pool[Q, A]) unbuilt(w *worker[Q, A], err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.phase = ending
	switch {
	case p.opening:
		p.opening, p.closing = false, true
		p.opened <- fmt.Errorf("build: %w", err)
	case p.halted || w.ctx.Err() != nil: // was told to stop
	default:
		p.misbuilt++
		p.stats.BuildFailures++
		p.restarted(p.now(), fmt.Errorf("build: %w", err))
	}
}

// overran tells w's caller that the deadline is over and replaces w within the
// bound. The lock is held.
func (p *Pool[Q, A]) overran(w *worker[Q, A], now time.Duration) {
	err := &OverrunError{p.opts.Deadline}
	c := w.current
	p.account(w, now)
	p.stats.Overruns++
	w.phase = overrun
	w.cancel(err)
	p.part(c, err)
	if p.abandoned < p.opts.Abandoned {
		p.replace(w)
	} else {
		p.held = append(p.held, w)
	}
	p.restarted(now, err)
	p.stuck()
	p.refill()
	p.settle()
}

// replace gives w's place away. The lock is held.
func (p *Pool[Q, A]) replace(w *worker[Q, A]) {
	w.replaced = true
	p.filled--
	p.abandoned++
}

// ended strikes w off, whose goroutine has nothing more to do.
func (p *Pool[Q, A]) ended(w *worker[Q, A]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.workers, w)
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.replaced {
		p.abandoned--
		if len(p.held) > 0 {
			p.replace(p.held[0])
			p.held = p.held[1:]
		}
	} else {
		p.filled--
		p.held = slices.DeleteFunc(p.held, func(h *worker[Q, A]) bool { return h == w })
	}
	if p.broken != nil && p.broken.Stuck && len(p.held) < p.opts.Workers {
		p.broken = nil
	}
	p.refill()
	p.settle()
}

// restarted counts a restart and opens the breaker when it was one too many.
// The lock is held.
func (p *Pool[Q, A]) restarted(now time.Duration, why error) {
	p.stats.LastRestart = why
	if p.broken != nil {
		return // a handler that began before it opened
	}
	n, trip := p.breaker.count(now)
	if !trip {
		return
	}
	p.broken = &BreakerError{Restarts: n, Period: p.opts.Period, Until: time.Now().Add(p.opts.Period), Last: why}
	p.refuse(0, p.broken)
	if !p.closing {
		p.reopener = time.AfterFunc(p.opts.Period, p.reopen)
	}
}

// reopen closes the breaker, on trial.
func (p *Pool[Q, A]) reopen() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return
	}
	p.broken = nil
	p.breaker.tryAgain(p.now())
	p.stuck()
	p.refill()
}

// stuck opens the breaker when no place is left that could serve. The lock is
// held.
func (p *Pool[Q, A]) stuck() {
	if p.broken == nil && len(p.held) == p.opts.Workers {
		p.broken = &BreakerError{Stuck: true, Last: p.stats.LastRestart}
		p.refuse(0, p.broken)
	}
}
