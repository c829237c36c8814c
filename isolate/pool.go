package isolate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Pool is a fixed number of workers behind one queue of questions of type Q,
// which they answer with an A. Open makes one; all methods may be called from
// any goroutine.
type Pool[Q, A any] struct {
	opts  Options         // resolved
	build builder[Q, A]   // what Open was given
	base  context.Context // the values of Open's context, never its end
	epoch time.Time       // zero of the pool's clock
	calls sync.Pool       // *call that nobody knows any more

	opened   chan error    // holds one: nil when all workers are ready, or the first failure
	drained  chan struct{} // closed after Close, when no worker is left but the abandoned
	finished chan struct{} // closed after Close, when no goroutine is left

	mu      sync.Mutex // guards what follows; never held while user code runs
	queue   queue[Q, A]
	idle    []*worker[Q, A]            // wait for a question, the latest last; none while the queue has one
	workers map[*worker[Q, A]]struct{} // every goroutine
	filled  int                        // places that have a worker, which may be building, held or ending
	held    []*worker[Q, A]            // overran, and keep their place because too many are abandoned

	abandoned int           // goroutines that overran and were replaced
	misbuilt  int           // builders that failed since one succeeded
	breaker   breaker       // counts restarts
	broken    *BreakerError // what callers get; nil while questions are taken
	reopener  *time.Timer   // ends broken

	opening bool  // until all workers were ready once
	closing bool  // nothing is admitted
	halted  bool  // no worker is started, every context has ended
	halt    error // why, when it cut something short
	cut     int   // questions refused or cancelled by that
	unclean []error
	stats   Stats // the counts of it; the rest is filled in when asked for
}

// builder makes a state and what works on it, in the goroutine that will own it.
type builder[Q, A any] func(context.Context) (session[Q, A], error)

// session is a state with its type forgotten.
type session[Q, A any] struct {
	handle func(context.Context, Q) (A, error)
	close  func() error // nil when the state has no Close
}

// Open starts the workers and returns when each has built its state. If a
// builder fails, Open returns its error after it has closed the states of the
// others. ctx bounds the opening alone, and lends builders and handlers its
// values. When it ends, or a builder fails, builders that run have
// Options.Grace to notice that their context has ended; those that don't are
// left to themselves, and close what they made when they return.
//
// build is called by the goroutine that will own the state, for all workers at
// once, and again whenever a state has been thrown away. handle answers one
// question; nothing else touches the state meanwhile. Its error goes to the
// caller as it is, and the state is kept unless that is a *CrashError. A state
// with a method Close() error is closed by its goroutine before that ends.
//
// The context that both get belongs to the state, not to the caller of Ask,
// whose values and cancellation they don't see: put into the question what the
// answer needs. It ends when a handler overruns its deadline (its Deadline tells
// when), when Close cancels, or when the state has been thrown away, so a state
// may keep it.
func Open[S, Q, A any](ctx context.Context, build func(context.Context) (S, error), handle func(ctx context.Context, state S, question Q) (A, error), opts Options) (*Pool[Q, A], error) {
	if ctx == nil || build == nil || handle == nil {
		panic("isolate: Open: the context, the builder and the handler can't be nil")
	}
	opts, err := opts.resolved()
	if err != nil {
		return nil, fmt.Errorf("isolate: open: %w", err)
	}
	p := newPool(ctx, opts, func(ctx context.Context) (session[Q, A], error) {
		state, err := build(ctx)
		if err != nil {
			return session[Q, A]{}, err
		}
		s := session[Q, A]{handle: func(ctx context.Context, question Q) (A, error) { return handle(ctx, state, question) }}
		if closer, ok := any(state).(io.Closer); ok {
			s.close = closer.Close
		}
		return s, nil
	})
	if err := p.open(ctx); err != nil {
		return nil, fmt.Errorf("isolate: open: %w", err)
	}
	return p, nil
}

func newPool[Q, A any](ctx context.Context, opts Options, build builder[Q, A]) *Pool[Q, A] {
	p := &Pool[Q, A]{
		opts: opts, build: build, base: context.WithoutCancel(ctx), epoch: time.Now(),
		opened: make(chan error, 1), drained: make(chan struct{}), finished: make(chan struct{}),
		idle:    make([]*worker[Q, A], 0, opts.Workers),
		workers: make(map[*worker[Q, A]]struct{}),
		breaker: breaker{limit: opts.Restarts, period: opts.Period},
		opening: true,
	}
	p.calls.New = func() any { return &call[Q, A]{done: make(chan struct{}, 1)} }
	return p
}

func (p *Pool[Q, A]) open(ctx context.Context) error {
	p.mu.Lock()
	p.refill()
	p.mu.Unlock()
	var err error
	select {
	case err = <-p.opened:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		err = errors.Join(err, p.unopened(p.Close(ended)))
	}
	return err
}

// unopened keeps of Close's error what a caller of Open should know.
func (p *Pool[Q, A]) unopened(closed error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.workers); n > 0 {
		return fmt.Errorf("%d builders have not returned", n)
	}
	return errors.Join(p.unclean...)
}

// now is the time on the pool's clock.
func (p *Pool[Q, A]) now() time.Duration { return time.Since(p.epoch) }

// Ask gives the question to the next free worker, in the order in which callers
// came, and returns what its handler returned. An error is the handler's, as it
// is, or one of these: ErrOverloaded, ErrClosed, ErrNested, *BreakerError,
// *CrashError, *OverrunError, or ctx's error with a text that says whether the
// handler had begun.
//
// Until then a caller whose ctx ends takes its question with it. Later it leaves
// alone: the handler goes on, and its answer is dropped.
func (p *Pool[Q, A]) Ask(ctx context.Context, question Q) (A, error) {
	var none A
	if ctx == nil {
		panic("isolate: Ask: the context is nil: give context.Background()")
	}
	if err := ctx.Err(); err != nil {
		return none, leftWaiting(err)
	}
	if ctx.Value(p) != nil {
		return none, ErrNested
	}
	c := p.calls.Get().(*call[Q, A])
	c.question = question
	if until, ok := ctx.Deadline(); ok {
		c.until = until.Sub(p.epoch)
	}
	w, err := p.admit(c)
	if err != nil {
		p.release(c)
		return none, err
	}
	if w != nil {
		w.wake <- c
	}
	if gone := ctx.Done(); gone == nil {
		<-c.done
	} else {
		select {
		case <-c.done:
		case <-gone:
			if err := p.leave(c, ctx.Err()); err != nil {
				return none, err
			}
			<-c.done // was answered at the same time
		}
	}
	answer, err := c.answer, c.err
	p.release(c)
	return answer, err
}

// admit gives c to an idle worker, whom the caller must wake, or puts it in the
// queue.
func (p *Pool[Q, A]) admit(c *call[Q, A]) (*worker[Q, A], error) {
	c.since = p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.refusal(); err != nil {
		p.stats.Refused++
		return nil, err
	}
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		w.take(c, c.since)
		return w, nil
	}
	p.queue.add(c)
	return nil, nil
}

// refusal says why no question is taken now. The lock is held.
func (p *Pool[Q, A]) refusal() error {
	switch {
	case p.closing:
		return ErrClosed
	case p.broken != nil:
		return p.broken
	case p.opts.Overload == Reject && len(p.idle) == 0 && p.queue.len >= p.opts.Queue:
		return ErrOverloaded
	}
	return nil
}

// leave is called by a caller who gives up. It returns nil if an answer is there.
func (p *Pool[Q, A]) leave(c *call[Q, A], cause error) error {
	p.mu.Lock()
	if c.stage == answered {
		p.mu.Unlock()
		return nil
	}
	p.stats.Left++
	took := c.stage == running
	if !took {
		p.queue.remove(c)
		p.settle()
	}
	c.stage = left
	p.mu.Unlock()
	if took {
		return leftRunning(cause)
	}
	p.release(c)
	return leftWaiting(cause)
}

// release keeps c for another question, unless a worker still knows it.
func (p *Pool[Q, A]) release(c *call[Q, A]) {
	if c.parted {
		return
	}
	*c = call[Q, A]{done: c.done}
	p.calls.Put(c)
}

// next takes the first question of the queue whose caller still has time. The
// lock is held.
func (p *Pool[Q, A]) next(now time.Duration) *call[Q, A] {
	for c := p.queue.first; c != nil; c = p.queue.first {
		p.queue.remove(c)
		if c.until == 0 || now < c.until {
			return c
		}
		p.stats.Left++
		p.fail(c, errExpired)
	}
	return nil
}

// fail answers c with an error. The lock is held.
func (p *Pool[Q, A]) fail(c *call[Q, A], err error) {
	if c.stage == left {
		return
	}
	c.stage, c.err = answered, err
	c.done <- struct{}{}
}

// part answers c, whose handler still runs, with an error. The lock is held.
func (p *Pool[Q, A]) part(c *call[Q, A], err error) {
	c.parted = true
	p.fail(c, err)
}

// refuse sends the latest away until only so many wait. The lock is held.
func (p *Pool[Q, A]) refuse(keep int, err error) {
	for p.queue.len > keep {
		c := p.queue.last
		p.queue.remove(c)
		p.stats.Refused++
		p.fail(c, err)
	}
}

// Stats says what the pool did and how it stands. It works after Close, too.
func (p *Pool[Q, A]) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	for w := range p.workers {
		switch {
		case w.current != nil:
			s.Workers, s.Running = s.Workers+1, s.Running+1
		case w.phase == ready:
			s.Workers++
		}
	}
	s.Waiting = min(p.queue.len, p.opts.Queue)
	s.AtDoor = p.queue.len - s.Waiting
	s.Abandoned = p.abandoned + len(p.held)
	s.Restarts = s.Crashes + s.Overruns + s.BuildFailures
	if p.broken != nil {
		s.Breaker = p.broken
	}
	return s
}
