package sqlite

import (
	"sync"
	"time"
)

// call is one Write. It is in the queue, or the writer's, or answered.
type call struct {
	fn    func(*Tx) error
	since time.Time     // when it came
	done  chan struct{} // closed when it is answered

	// Written by the writer before done is closed.
	err    error
	panic  *Panic // fn panicked
	exited bool   // fn called runtime.Goexit

	// Guarded by queue.mu.
	next, prev *call
	queued     bool
}

// queue holds the calls that wait, in the order they came. A caller that gives
// up takes its call out, so that it neither runs nor keeps another's place.
type queue struct {
	limit int
	wake  chan struct{} // has a token when something came for a writer that sleeps

	mu     sync.Mutex // guards the fields below and the links of queued calls
	first  *call
	last   *call
	length int
	closed bool
}

func newQueue(limit int) *queue {
	return &queue{limit: limit, wake: make(chan struct{}, 1)}
}

// add puts c behind all others.
func (q *queue) add(c *call) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	if q.length >= q.limit {
		return ErrBusy
	}
	c.queued = true
	c.prev = q.last
	if q.last == nil {
		q.first = c
	} else {
		q.last.next = c
	}
	q.last = c
	q.length++
	q.rouse()
	return nil
}

// take removes the first call, which is then the writer's to answer.
func (q *queue) take() *call {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := q.first
	if c != nil {
		q.unlink(c)
	}
	return c
}

// leave takes c out, and reports false when the writer has it already.
func (q *queue) leave(c *call) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !c.queued {
		return false
	}
	q.unlink(c)
	return true
}

// takeOlder removes and returns the first call when it came before t. Those
// behind it came later.
func (q *queue) takeOlder(t time.Time) *call {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := q.first
	if c == nil || c.since.After(t) {
		return nil
	}
	q.unlink(c)
	return c
}

func (q *queue) unlink(c *call) {
	if c.prev == nil {
		q.first = c.next
	} else {
		c.prev.next = c.next
	}
	if c.next == nil {
		q.last = c.prev
	} else {
		c.next.prev = c.prev
	}
	c.next, c.prev, c.queued = nil, nil, false
	q.length--
}

// waiting returns how many calls wait, and whether no more can come.
func (q *queue) waiting() (n int, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.length, q.closed
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.rouse()
}

func (q *queue) rouse() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
