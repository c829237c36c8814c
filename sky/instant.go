package sky

import "time"

// An Instant is a moment in nanoseconds of Unix time (UTC without leap seconds,
// as computers count). The zero value is the start of 1970, never "no event":
// see [Event].
type Instant int64

// InstantOf returns t as an Instant. Times before 1678 or after 2261 do not fit
// and give an undefined one, as [time.Time.UnixNano] does.
func InstantOf(t time.Time) Instant { return Instant(t.UnixNano()) }

// Time returns the instant in UTC.
func (i Instant) Time() time.Time { return time.Unix(0, int64(i)).UTC() }

// In returns the instant on the clocks of zone, which must not be nil.
func (i Instant) In(zone *time.Location) time.Time { return time.Unix(0, int64(i)).In(zone) }

// Seconds returns the instant in seconds of Unix time; a float64 resolves about
// a quarter of a microsecond of them.
func (i Instant) Seconds() float64 { return float64(i) * 1e-9 }

// Add returns the instant d later.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d) }

// Sub returns the time from other to i.
func (i Instant) Sub(other Instant) time.Duration { return time.Duration(i - other) }

// String returns the instant as RFC 3339 in UTC, with the fraction that it has.
func (i Instant) String() string { return i.Time().Format(time.RFC3339Nano) }
