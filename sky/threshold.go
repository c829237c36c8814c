package sky

import "math"

// A Threshold is what a body crosses when it rises or sets. The zero value is
// the Sun's centre at the true horizon, without refraction.
type Threshold struct {
	Body Body

	// Altitude is that of the body's centre in degrees, geometric and
	// topocentric: as seen from the place, without refraction. -90 to 90.
	Altitude float64

	// Limb asks for the visible horizon instead, and Altitude must be 0: the
	// Moon's upper limb under the refraction of the horizon, the Sun as the
	// Horizon of the Settings says, lowered by the dip if they ask for it.
	Limb bool
}

// The usual thresholds.
var (
	SunLimb      = Threshold{Body: Sun, Limb: true}    // sunrise and sunset
	MoonLimb     = Threshold{Body: Moon, Limb: true}   // moonrise and moonset
	Civil        = Threshold{Body: Sun, Altitude: -6}  // civil dawn and dusk
	Nautical     = Threshold{Body: Sun, Altitude: -12} // nautical dawn and dusk
	Astronomical = Threshold{Body: Sun, Altitude: -18} // astronomical dawn and dusk
)

// A Band is a range of altitudes of the Sun's centre in degrees, geometric, from
// Low to High; the light of a part of the day.
type Band struct{ Low, High float64 }

// The usual bands; photographers move their ends, so make your own freely.
var (
	GoldenHour = Band{Low: -4, High: 6}
	BlueHour   = Band{Low: -6, High: -4}
)

// check says what is wrong with a threshold.
func (t Threshold) check(operation string) error {
	switch {
	case t.Body > Moon:
		return inputError(ErrSettings, "%s: body %d is neither Sun nor Moon", operation, t.Body)
	case !(math.Abs(t.Altitude) <= 90):
		return inputError(ErrSettings, "%s: altitude %v of the threshold is not within -90 to 90 degrees", operation, t.Altitude)
	case t.Limb && t.Altitude != 0:
		return inputError(ErrSettings, "%s: a threshold of the limb has no altitude of its own, but this one says %v", operation, t.Altitude)
	}
	return nil
}

// check says what is wrong with a band.
func (b Band) check(operation string) error {
	if !(b.Low >= -90 && b.High <= 90 && b.Low < b.High) {
		return inputError(ErrSettings, "%s: the band from %v to %v degrees is not a range within -90 to 90", operation, b.Low, b.High)
	}
	return nil
}
