package isolate

import "time"

// breaker decides when restarts are too many: more than limit within period, or
// a single one within the first period after it was open. It belongs to the
// pool's lock.
type breaker struct {
	limit  int // negative: any number is borne
	period time.Duration

	recent []time.Duration // when the latest restarts were, at most limit of them, oldest first
	trial  time.Duration   // until when a single restart is one too many
}

// count notes a restart and reports how many there were within the period, and
// whether they are too many.
func (b *breaker) count(now time.Duration) (n int, trip bool) {
	if b.limit < 0 {
		return 0, false
	}
	for len(b.recent) > 0 && b.recent[0] <= now-b.period {
		b.recent = b.recent[1:]
	}
	n = len(b.recent) + 1
	if n > b.limit || now < b.trial {
		return n, true
	}
	b.recent = append(b.recent, now)
	return n, false
}

// tryAgain forgets what was, and puts the pool on trial.
func (b *breaker) tryAgain(now time.Duration) {
	b.recent, b.trial = nil, now+b.period
}
