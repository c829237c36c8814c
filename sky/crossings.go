package sky

import "time"

// An Event is something that may happen in a day. The zero value is an event
// that does not happen; At means nothing then.
type Event struct {
	At      Instant
	Happens bool
}

// A State tells how a body stands to a threshold over a day.
type State uint8

const (
	Normal State = iota // the threshold is crossed at least once in the day
	Up                  // above it all day
	Down                // below it all day
)

// String returns "normal", "up" or "down".
func (s State) String() string {
	switch s {
	case Normal:
		return "normal"
	case Up:
		return "up"
	case Down:
		return "down"
	}
	return "unknown state"
}

// Crossings are the moments of a day at which a body crosses a threshold. Rises
// and sets are independent of each other: a day may have any of 0, 1 or 2 of
// each, in any order that alternates. Rise is the first rising of the day and
// Rise2 the second one.
type Crossings struct {
	Rise, Set, Rise2, Set2 Event
	State                  State // Normal if any of the four happens
}

// add appends a crossing in order of time. A third of one kind in one local day
// would need a day of 48 hours, so there is no room for it.
func (c *Crossings) add(at Instant, rising bool) {
	first, second := &c.Set, &c.Set2
	if rising {
		first, second = &c.Rise, &c.Rise2
	}
	switch {
	case !first.Happens:
		*first = Event{At: at, Happens: true}
	case !second.Happens:
		*second = Event{At: at, Happens: true}
	}
}

// above returns how long the body stood above the threshold in [start, end).
func (c Crossings) above(start, end Instant) time.Duration {
	switch c.State {
	case Up:
		return end.Sub(start)
	case Down:
		return 0
	}
	var total time.Duration
	for _, set := range [2]Event{c.Set, c.Set2} {
		if set.Happens {
			total += set.At.Sub(start)
		}
	}
	for _, rise := range [2]Event{c.Rise, c.Rise2} {
		if rise.Happens {
			total -= rise.At.Sub(start)
		}
	}
	if c.endsUp() {
		total += end.Sub(start)
	}
	return total
}

// endsUp reports whether the last crossing of the day is a rising.
func (c Crossings) endsUp() bool {
	last, up := Instant(-1<<63), false
	for _, rise := range [2]Event{c.Rise, c.Rise2} {
		if rise.Happens && rise.At >= last {
			last, up = rise.At, true
		}
	}
	for _, set := range [2]Event{c.Set, c.Set2} {
		if set.Happens && set.At >= last {
			last, up = set.At, false
		}
	}
	return up
}
