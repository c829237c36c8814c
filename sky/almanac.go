package sky

import (
	"iter"
	"time"
)

// MaxDays is the most days that one call of AppendDays or Days answers for: all
// that MinYear to MaxYear have.
const MaxDays = 73_414

// An Almanac is what the sky does on one local civil day, [Start, End).
type Almanac struct {
	Date       Date
	Start, End Instant // the first instant of the date, and of the next date that the zone has
	Noon       Instant // 12:00 on the wall clock
	SolarNoon  Instant // upper transit of the Sun's centre, the one nearest to Noon

	Sun   Crossings // sunrise and sunset
	Civil Crossings // civil dawn (Rise) and dusk (Set): the Sun's centre at -6°
	Moon  Crossings // moonrise and moonset

	Phase        Phase   // at Noon
	Illumination float64 // lit part of the Moon's disc at Noon, 0 to 1

	solarDay bool // Sun and Civil are those of the solar day
}

// DayLength returns how long the Sun is above the horizon of sunrise and sunset
// between Start and End: 0 when it stays down, all of the day when it stays up.
// With Settings.SolarDay it is the time from sunrise to sunset of the solar day,
// and a missing one counts as half a day away from the solar noon.
func (a *Almanac) DayLength() time.Duration {
	if !a.solarDay {
		return a.Sun.above(a.Start, a.End)
	}
	if a.Sun.State == Down {
		return 0
	}
	rise, set := a.SolarNoon.Add(-12*time.Hour), a.SolarNoon.Add(12*time.Hour)
	if a.Sun.Rise.Happens {
		rise = a.Sun.Rise.At
	}
	if a.Sun.Set.Happens {
		set = a.Sun.Set.At
	}
	return set.Sub(rise)
}

// Day returns the almanac of the local day d at p with the usual conventions.
// The zone decides where the day begins and ends; it must not be nil, and fixed
// offsets are made by [time.FixedZone].
func Day(p Place, d Date, zone *time.Location) (Almanac, error) {
	return Settings{}.Day(p, d, zone)
}

// AppendDays appends n almanacs to dst, 1 to MaxDays of them, that of first and
// of the days after it that the zone has: a date that a zone skipped is left
// out. It allocates only to grow dst. With an error dst is as it was.
func AppendDays(dst []Almanac, p Place, first Date, n int, zone *time.Location) ([]Almanac, error) {
	return Settings{}.AppendDays(dst, p, first, n, zone)
}

// Days yields what AppendDays appends, one day at a time and without a slice. An
// error is yielded once, with the zero Almanac, and ends the sequence.
func Days(p Place, first Date, n int, zone *time.Location) iter.Seq2[Almanac, error] {
	return Settings{}.Days(p, first, n, zone)
}

// Day is the function Day with these settings.
func (s Settings) Day(p Place, d Date, zone *time.Location) (Almanac, error) {
	return Almanac{}, errUnfinished
}

// AppendDays is the function AppendDays with these settings.
func (s Settings) AppendDays(dst []Almanac, p Place, first Date, n int, zone *time.Location) ([]Almanac, error) {
	return dst, errUnfinished
}

// Days is the function Days with these settings.
func (s Settings) Days(p Place, first Date, n int, zone *time.Location) iter.Seq2[Almanac, error] {
	return func(yield func(Almanac, error) bool) { yield(Almanac{}, errUnfinished) }
}

// Crossings returns when a body crosses a threshold on the local day d at p.
// With Settings.SolarDay, thresholds of the Sun are those of the solar day.
func (s Settings) Crossings(p Place, d Date, zone *time.Location, th Threshold) (Crossings, error) {
	return Crossings{}, errUnfinished
}

// A Span is a time from Start up to End.
type Span struct{ Start, End Instant }

// AppendSpans appends the times of the local day d at p during which the Sun's
// centre is within a band of altitudes, in order: none, one or several, cut off
// at the bounds of the day. With an error dst is as it was.
func (s Settings) AppendSpans(dst []Span, p Place, d Date, zone *time.Location, b Band) ([]Span, error) {
	return dst, errUnfinished
}
