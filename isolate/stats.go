package isolate

import (
	"math/bits"
	"time"
)

// Stats is what a pool did since Open and how it stands: one moment's truth,
// taken under one lock.
type Stats struct {
	Workers   int // states that are built and serve
	Running   int // questions whose handlers run and whose deadline isn't over
	Waiting   int // questions in the queue
	AtDoor    int // callers that wait for a place in the queue
	Abandoned int // goroutines whose handlers overran their deadline and still run

	Handled   uint64        // questions whose handler returned in time, crashes left out
	Busy      time.Duration // what handlers took, crashed and overrun ones included
	QueueWait Histogram     // how long questions waited until a worker began
	Left      uint64        // callers that gave up, whether waiting or while their handler ran
	Refused   uint64        // questions that were not taken: overloaded, breaker open, closed

	Restarts      uint64 // states thrown away or not built: the sum of the next three
	Crashes       uint64 // handlers that panicked, ended their goroutine or returned a *CrashError
	Overruns      uint64 // handlers that took longer than Options.Deadline
	BuildFailures uint64 // builders that failed after Open
	LastRestart   error  // why the latest was needed; nil without one
	Breaker       error  // the *BreakerError that callers get now; nil while questions are taken
}

// histogramBuckets are enough for more than two minutes.
const histogramBuckets = 28

// Histogram counts durations in fixed buckets: the first holds those of less
// than 1.024 µs, each further one those of less than twice its predecessor's
// limit, and the last all the rest.
type Histogram [histogramBuckets]uint64

// BucketLimit is the duration that bucket i's are shorter than. The last
// bucket's are not bounded.
func (h *Histogram) BucketLimit(i int) time.Duration { return 1 << (10 + i) }

// Count is the number of durations.
func (h *Histogram) Count() uint64 {
	var n uint64
	for _, in := range h {
		n += in
	}
	return n
}

// Quantile returns the limit of the bucket that holds the given part of the
// durations, from 0 to 1: at most twice the true quantile, or 1.024 µs. It is 0
// when there are none.
func (h *Histogram) Quantile(part float64) time.Duration {
	rank := uint64(part * float64(h.Count()))
	var n uint64
	for i, in := range h {
		n += in
		if n > rank || n == rank && n > 0 && part >= 1 {
			return h.BucketLimit(i)
		}
	}
	return 0
}

func (h *Histogram) add(d time.Duration) {
	h[min(bits.Len64(uint64(max(d, 0))>>10), histogramBuckets-1)]++
}
