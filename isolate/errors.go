package isolate

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

var (
	// ErrOverloaded: as many questions wait as may, and Options.Overload is
	// Reject. The question was not taken.
	ErrOverloaded = errors.New("isolate: overloaded: the queue is full")
	// ErrClosed: the call came after Close, or Close ended it. Unless the text
	// says that its handler ran, the question was not taken.
	ErrClosed = errors.New("isolate: pool is closed")
	// ErrNested: a handler asked its own pool, or closed it. All workers doing
	// so would wait for each other, so none may.
	ErrNested = errors.New("isolate: called with the context of a handler of the same pool, which would wait for itself")
)

// CrashError is what a caller gets whose handler, and what Open returns whose
// builder, panicked or ended its goroutine (runtime.Goexit, which
// testing.T.FailNow uses). The state is thrown away.
//
// A handler may also return one, or an error that wraps one, to say that its
// state is of no use any more: it is thrown away as if the handler had
// panicked, and the caller gets the handler's error as it is.
type CrashError struct {
	Value any    // what was panicked with; nil when the goroutine was ended
	Stack []byte // where, as debug.Stack prints it
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("isolate: %s\n\n%s", e.summary(), e.Stack)
}

func (e *CrashError) summary() string {
	if e.Value == nil {
		return "crash: the goroutine was ended"
	}
	return fmt.Sprintf("crash: %v", e.Value)
}

// Unwrap returns the value when it is an error.
func (e *CrashError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// crash makes an error of what recover returned in a deferred call. It must be
// called there, where the stack still shows the place.
func crash(recovered any) *CrashError {
	return &CrashError{Value: recovered, Stack: debug.Stack()}
}

// isCrash reports whether a handler's error says that its state is lost.
func isCrash(err error) bool {
	if err == nil {
		return false
	}
	_, ok := errors.AsType[*CrashError](err)
	return ok
}

// OverrunError is what a caller gets whose handler took longer than
// Options.Deadline. The handler may go on: what it did and will do is unknown.
type OverrunError struct {
	Deadline time.Duration
}

func (e *OverrunError) Error() string {
	return fmt.Sprintf("isolate: the handler overran its deadline of %v", e.Deadline)
}

// Timeout is true, as net.Error has it.
func (e *OverrunError) Timeout() bool { return true }

// BreakerError is what callers get while a pool's breaker is open. The question
// was not taken.
type BreakerError struct {
	Restarts int           // how many there were
	Period   time.Duration // within how long
	Until    time.Time     // when questions are taken again; zero when Stuck
	Stuck    bool          // every place is held by a handler that overran its deadline; ends when one returns
	Last     error         // why the latest restart was needed
}

func (e *BreakerError) Error() string {
	var b strings.Builder
	if e.Stuck {
		b.WriteString("isolate: breaker is open: every worker is held by a handler that overran its deadline")
	} else {
		fmt.Fprintf(&b, "isolate: breaker is open until %s: %d restarts within %v",
			e.Until.Format(time.RFC3339), e.Restarts, e.Period)
	}
	if c, ok := errors.AsType[*CrashError](e.Last); ok {
		fmt.Fprintf(&b, ", the latest by a %s", c.summary()) // without its stack
	} else if e.Last != nil {
		fmt.Fprintf(&b, ", the latest because %v", e.Last)
	}
	return b.String()
}

// Unwrap returns the reason of the latest restart.
func (e *BreakerError) Unwrap() error { return e.Last }

// leftWaiting and leftRunning are what a caller gets who gave up.
func leftWaiting(cause error) error {
	return fmt.Errorf("isolate: ask: gave up before a worker took the question: %w", cause)
}

func leftRunning(cause error) error {
	return fmt.Errorf("isolate: ask: gave up while the handler ran: %w", cause)
}

var (
	errClosedRunning = fmt.Errorf("%w; the handler still ran", ErrClosed)
	errExpired       = leftWaiting(context.DeadlineExceeded)
)
