package isolate

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Close admits no more questions, lets the workers answer those in the queue,
// closes their states, and returns when no goroutine is left. Callers at the
// door, for whom the queue had no place, get ErrClosed at once.
//
// When ctx ends first, Close cancels: questions that still wait get ErrClosed,
// and the contexts of handlers end. It then waits at most Options.Grace. A
// handler that hasn't returned by then is left to itself: its caller gets
// ErrClosed, and its goroutine closes its state when it returns, if ever. The
// same holds for handlers that overran their deadline: they are waited for as
// long as the others take, and for Grace.
//
// The error says what was cut short and what still runs, and carries what
// states returned from their own Close; it is nil when all admitted questions
// were answered and everything has ended. Close may be called again, also at the
// same time: each call waits, and the context that ends first cancels.
func (p *Pool[Q, A]) Close(ctx context.Context) error {
	if ctx == nil {
		panic("isolate: Close: the context is nil: give context.Background()")
	}
	if ctx.Value(p) != nil {
		return ErrNested
	}
	p.shut()
	select {
	case <-p.drained:
	case <-ctx.Done():
		select {
		case <-p.drained: // that wins
		default:
			p.cancel(ctx.Err())
		}
	}
	grace := time.NewTimer(p.opts.Grace)
	defer grace.Stop()
	select {
	case <-p.finished:
	case <-grace.C:
		p.giveUp()
	}
	return p.closed()
}

// shut stops admission. Idle workers end at once, the others when the queue is
// empty.
func (p *Pool[Q, A]) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closing = true
	if p.reopener != nil {
		p.reopener.Stop()
	}
	p.refuse(p.opts.Queue, ErrClosed)
	for _, w := range p.idle {
		w.phase = ending
		w.wake <- nil
	}
	p.idle = nil
	p.settle()
}

// cancel ends every handler's context and refuses what waits, because of why.
func (p *Pool[Q, A]) cancel(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.halted {
		return
	}
	p.halted = true
	p.cut = p.queue.len
	p.refuse(0, ErrClosed)
	for w := range p.workers {
		if w.current != nil {
			p.cut++
		}
		w.cancel(ErrClosed)
	}
	if p.cut > 0 {
		p.halt = why
	}
	p.settle()
}

// giveUp answers the callers of handlers that don't return.
func (p *Pool[Q, A]) giveUp() {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.workers {
		if c := w.current; c != nil {
			p.account(w, now)
			w.phase = overrun
			p.part(c, errClosedRunning)
			p.replace(w)
		}
	}
	p.settle()
}

// settle closes what tells Close how far the workers are. The lock is held.
func (p *Pool[Q, A]) settle() {
	if !p.closing {
		return
	}
	if p.queue.len == 0 {
		for w := range p.workers {
			if w.phase == building { // for nobody
				w.cancel(ErrClosed)
			}
		}
	}
	if len(p.workers) == p.abandoned+len(p.held) {
		closeOnce(p.drained)
	}
	if len(p.workers) == 0 {
		closeOnce(p.finished)
	}
}

// closeOnce closes a channel on which nothing is sent, under the pool's lock.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// closed is Close's error.
func (p *Pool[Q, A]) closed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	errs := p.unclean
	if n := len(p.workers); n > 0 {
		errs = append([]error{fmt.Errorf("%d goroutines have not returned within %v", n, p.opts.Grace)}, errs...)
	}
	if p.halt != nil {
		errs = append([]error{fmt.Errorf("%d questions were cut short: %w", p.cut, p.halt)}, errs...)
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("isolate: close: %w", errors.Join(errs...))
}

// noteUnclean keeps what a state returned from its Close for the pool's; of
// states that were thrown away earlier nobody hears.
func (p *Pool[Q, A]) noteUnclean(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		p.unclean = append(p.unclean, fmt.Errorf("close the state: %w", err))
	}
}
