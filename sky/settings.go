package sky

import "math"

// Settings are the conventions of an answer. The zero value is what the package
// functions use and what almanacs print.
type Settings struct {
	// Horizon says what of the Sun touches the horizon at sunrise and sunset.
	Horizon Horizon

	// Dip lowers the horizon of SunLimb and MoonLimb by the dip of a free sea
	// horizon, 1.76' times the root of the elevation in metres. A city on a
	// plateau does not see it, so it is never on by itself.
	Dip bool

	// Pressure in hectopascal, up to 2,000, scales the 34' of refraction at the
	// horizon by Pressure/1010 · 283/(273+Temperature). 0 means not given: 34',
	// and Temperature is not looked at.
	Pressure float64

	// Temperature of the air in degrees Celsius, -200 to 200.
	Temperature float64

	// SolarDay counts the Sun's events around the solar noon instead of by the
	// civil day: the last rising before it and the first setting after it, each
	// between the lower transits around it. The Moon's stay with the civil day.
	SolarDay bool

	// UT1UTC is UT1 - UTC in seconds, -30 to 30: how far the Earth's rotation is
	// ahead of the clocks. 0 puts events within 0.9 s of where they are.
	UT1UTC float64

	// DeltaT returns TT - UT1 in seconds at an instant, -7,200 to 7,200, in place
	// of the built-in values: 69.184 s minus UT1UTC from 2017 on, the published
	// leap seconds before, a model before 1972. It must be pure: the same instant
	// has the same answer from every goroutine. It is asked a few times a day.
	DeltaT func(Instant) float64
}

// A Horizon is a convention of sunrise and sunset.
type Horizon uint8

const (
	Standard Horizon = iota // the Sun's centre at -50': 34' of refraction and 16' of semidiameter
	TrueLimb                // the upper limb under 34' of refraction, with the semidiameter of the day
)

// String returns "standard" or "true limb".
func (h Horizon) String() string {
	switch h {
	case Standard:
		return "standard"
	case TrueLimb:
		return "true limb"
	}
	return "unknown horizon"
}

// ConstantDeltaT returns a DeltaT for Settings that is the same at all instants.
func ConstantDeltaT(seconds float64) func(Instant) float64 {
	return func(Instant) float64 { return seconds }
}

// check says what is wrong with settings.
func (s Settings) check(operation string) error {
	switch {
	case s.Horizon > TrueLimb:
		return inputError(ErrSettings, "%s: horizon %d is neither Standard nor TrueLimb", operation, s.Horizon)
	case !(s.Pressure >= 0 && s.Pressure <= 2000):
		return inputError(ErrSettings, "%s: pressure %v is not within 0 to 2000 hPa", operation, s.Pressure)
	case !(math.Abs(s.Temperature) <= 200):
		return inputError(ErrSettings, "%s: temperature %v is not within -200 to 200 °C", operation, s.Temperature)
	case !(math.Abs(s.UT1UTC) <= 30):
		return inputError(ErrSettings, "%s: UT1-UTC %v is not within -30 to 30 seconds", operation, s.UT1UTC)
	}
	return nil
}
