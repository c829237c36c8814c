package isolate

import "time"

// stage says who may touch a call, and is guarded by the pool's lock.
type stage uint8

const (
	waiting  stage = iota // in the queue
	running               // a worker has it
	answered              // its answer is there, or about to be: done has or gets a token
	left                  // nobody waits: it is never used again
)

// call is one question on its way. Ask makes it, or takes one that was used
// before, and gives it back only after it has taken its answer or has removed
// it from the queue itself. A caller who gives up on a handler that runs leaves
// the call behind for the collector: so a late answer finds nobody, and never
// somebody else.
type call[Q, A any] struct {
	question Q
	since    time.Duration // when it came, on the pool's clock
	until    time.Duration // when its caller gives up; 0 for never

	answer A // these two are written once, before the token
	err    error
	done   chan struct{} // holds one token, so that answering never waits

	stage          stage
	parted         bool        // its handler still runs: never used again
	earlier, later *call[Q, A] // in the queue
}

// queue is the calls that wait, in the order they came.
type queue[Q, A any] struct {
	first, last *call[Q, A]
	len         int
}

func (q *queue[Q, A]) add(c *call[Q, A]) {
	c.earlier = q.last
	if q.last == nil {
		q.first = c
	} else {
		q.last.later = c
	}
	q.last = c
	q.len++
}

func (q *queue[Q, A]) remove(c *call[Q, A]) {
	if c.earlier == nil {
		q.first = c.later
	} else {
		c.earlier.later = c.later
	}
	if c.later == nil {
		q.last = c.earlier
	} else {
		c.later.earlier = c.earlier
	}
	c.earlier, c.later = nil, nil
	q.len--
}
