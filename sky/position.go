package sky

// A Position is where a body stands for an observer at an instant. Angles are in
// degrees and distances in kilometres.
type Position struct {
	Altitude    float64 // of the centre above the plane normal to the ellipsoid, without refraction
	Apparent    float64 // the same with refraction
	Azimuth     float64 // of the centre, from north through east, 0 to less than 360
	Distance    float64 // from the observer to the centre
	AngularSize float64 // diameter of the disc as the observer sees it

	// As seen from the Earth's centre: apparent, true equator and equinox of date.
	RightAscension     float64 // 0 to less than 360
	Declination        float64
	GeocentricDistance float64
}

// Position returns where body stands at t, seen from p. Instants outside MinYear
// to MaxYear (UTC) are an [ErrRange].
func (s Settings) Position(body Body, p Place, t Instant) (Position, error) {
	return Position{}, errUnfinished
}
