package isolate

import (
	"context"
	"sync/atomic"
	"time"
)

// handlerContext is what a builder and its handlers get: one for the life of a
// state, so that a question costs no allocation. It ends when a handler overruns
// its deadline, when Close loses patience, and when the state has been thrown
// away; context.Cause says which.
type handlerContext struct {
	context.Context
	pool  any       // found as a value by Ask, which refuses its own handlers
	epoch time.Time // zero of the pool's clock
	until atomic.Int64
}

// Deadline is that of the question at hand.
func (c *handlerContext) Deadline() (time.Time, bool) {
	if until := c.until.Load(); until != 0 {
		return c.epoch.Add(time.Duration(until)), true
	}
	return c.Context.Deadline()
}

func (c *handlerContext) Value(key any) any {
	if key == c.pool {
		return true
	}
	return c.Context.Value(key)
}
