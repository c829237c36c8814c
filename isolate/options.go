package isolate

import (
	"fmt"
	"runtime"
	"time"
)

// Overload says what Ask does when as many questions wait as may.
type Overload uint8

const (
	// Wait lets the caller stand at the door until there is a place in the
	// queue, in the order of arrival. It has no bound but the number of callers.
	Wait Overload = iota
	// Reject sends the caller away at once with ErrOverloaded.
	Reject
)

// Options say how large a pool is and how patient. The zero value is ready for
// use. Open reads them once.
type Options struct {
	Workers  int      // states, and goroutines that own them; 0 means one for each processor that Go uses
	Queue    int      // questions that wait for a worker; 0 means 64 for each worker, negative means none
	Overload Overload // what happens when Queue questions wait

	// Deadline is how long a handler may take for one question, counted from
	// the moment it begins; 0 means as long as it likes. When it is over the
	// caller gets an *OverrunError, the handler's context ends, and another
	// worker with a state of its own takes the place.
	Deadline time.Duration
	// Abandoned bounds the goroutines whose handlers have overrun Deadline, have
	// been replaced, and still run: 0 means as many as Workers, negative means
	// none. At the bound a handler that overruns keeps its worker's place until
	// it returns, so there are never more than Workers + Abandoned goroutines.
	Abandoned int

	// Restarts is how many restarts of workers (by a crash, an overrun deadline
	// or a builder that failed) are borne within Period. One more opens the
	// breaker for one Period. 0 means 8 for each worker, negative means any
	// number.
	Restarts int
	// Period is 10 s when 0.
	Period time.Duration

	// Grace is how long Close waits for handlers after it has ended their
	// contexts; 0 means 1 s, negative means not at all.
	Grace time.Duration
}

// resolved returns o with its defaults, or says which value can't be.
func (o Options) resolved() (Options, error) {
	switch {
	case o.Workers < 0:
		return o, fmt.Errorf("options: Workers is %d: give their number, or 0 for one for each processor", o.Workers)
	case o.Overload > Reject:
		return o, fmt.Errorf("options: Overload is %d: give Wait or Reject", o.Overload)
	case o.Deadline < 0:
		return o, fmt.Errorf("options: Deadline is %v: give a positive duration, or 0 for none", o.Deadline)
	case o.Period < 0:
		return o, fmt.Errorf("options: Period is %v: give a positive duration, or 0 for 10s", o.Period)
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Queue = orDefault(o.Queue, 64*o.Workers)
	o.Abandoned = orDefault(o.Abandoned, o.Workers)
	o.Grace = orDefault(o.Grace, time.Second)
	if o.Restarts == 0 {
		o.Restarts = 8 * o.Workers
	}
	if o.Period == 0 {
		o.Period = 10 * time.Second
	}
	return o, nil
}

// orDefault reads a bound of Options: 0 is the default, negative is none.
func orDefault[N int | time.Duration](given, byDefault N) N {
	if given == 0 {
		return byDefault
	}
	return max(given, 0)
}
