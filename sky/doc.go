// Package sky answers when the Sun and the Moon rise and set: a place, a local
// date and a zone go in, the day's almanac comes out.
//
//	reykjavik := sky.Place{Latitude: 64.1466, Longitude: -21.9426}
//	zone, err := time.LoadLocation("Atlantic/Reykjavik")
//	if err != nil {
//		return err
//	}
//	day, err := sky.Day(reykjavik, sky.Date{Year: 2026, Month: time.December, Day: 21}, zone)
//	if err != nil {
//		return err // one sentence that says what to change
//	}
//	if day.Sun.Rise.Happens {
//		fmt.Println("sunrise", day.Sun.Rise.At.In(zone).Format("15:04:05"))
//	}
//	fmt.Println("moon", day.Phase.Name, day.Moon.State) // waxing gibbous normal
//
// Everything is a value, and every function here is pure: no global state that
// changes, no file, no network, no clock, no allocation beyond what the caller
// asks to append to. All of it may be called from any number of goroutines.
//
// An event that does not happen on a day is an [Event] whose Happens is false;
// the [State] tells whether the body then stays up or down. A day is the local
// civil day, from its first instant to the first instant of the next: over
// consecutive days every event is reported exactly once.
//
// The package functions [Day], [AppendDays] and [Days] follow the usual
// conventions (a horizon at -50' for the Sun's centre, 34' of refraction for
// the Moon's upper limb, elevation without dip, UT1 equal to UTC). A [Settings]
// has the same functions as methods for whoever needs other ones.
//
// Positions come from polynomials fitted to published theories of the Sun and
// the Moon, for the years 1900 to 2100; docs/sky.md states how well they do.
package sky
