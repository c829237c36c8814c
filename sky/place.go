package sky

import "math"

// A Place is where the observer stands. The zero value is the point of the
// Atlantic where the equator meets the meridian of Greenwich.
type Place struct {
	Latitude  float64 // geodetic, degrees, north positive, -90 to 90
	Longitude float64 // degrees, east positive, -180 to 180; both ends are the same meridian
	Elevation float64 // metres above the ellipsoid, -12,000 to 100,000; 0 unless it should count
}

// The elevations that an observer may have, in metres: from the deepest sea to
// the edge of space.
const (
	minElevation = -12_000
	maxElevation = 100_000
)

// check says what is wrong with a place. NaN fails each comparison, so it is refused too.
func (p Place) check(operation string) error {
	switch {
	case !(p.Latitude >= -90 && p.Latitude <= 90):
		return inputError(ErrPlace, "%s: latitude %v is not within -90 to 90 degrees", operation, p.Latitude)
	case !(p.Longitude >= -180 && p.Longitude <= 180):
		return inputError(ErrPlace, "%s: longitude %v is not within -180 to 180 degrees", operation, p.Longitude)
	case !(p.Elevation >= minElevation && p.Elevation <= maxElevation):
		return inputError(ErrPlace, "%s: elevation %v is not within %d to %d metres", operation, p.Elevation, minElevation, maxElevation)
	}
	return nil
}

// longitude returns the place's longitude in radians, one value for the meridian
// that has two names.
func (p Place) longitude() float64 {
	if p.Longitude == -180 {
		return math.Pi
	}
	return p.Longitude * radian
}
