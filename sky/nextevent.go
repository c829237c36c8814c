package sky

// A Kind names an event for Next and Previous.
type Kind uint8

const (
	Sunrise Kind = iota
	Sunset
	CivilDawn
	CivilDusk
	NauticalDawn
	NauticalDusk
	AstronomicalDawn
	AstronomicalDusk
	Moonrise
	Moonset
	SolarNoon // upper transit of the Sun's centre
)

var kindNames = [...]string{
	"sunrise", "sunset", "civil dawn", "civil dusk", "nautical dawn", "nautical dusk",
	"astronomical dawn", "astronomical dusk", "moonrise", "moonset", "solar noon",
}

// String returns the kind in lower case, as "civil dawn".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown kind"
}

// Next returns the first event of a kind at p later than after, however far away
// it is: a polar night may last half a year. If there is none up to the end of
// MaxYear (UTC), the error is [ErrNoEvent]. Settings.SolarDay makes no difference.
func (s Settings) Next(kind Kind, p Place, after Instant) (Instant, error) {
	return 0, errUnfinished
}

// Previous returns the last event of a kind at p earlier than before; see Next.
func (s Settings) Previous(kind Kind, p Place, before Instant) (Instant, error) {
	return 0, errUnfinished
}

// NextCrossing is Next for any threshold: rising or setting through th.
func (s Settings) NextCrossing(th Threshold, rising bool, p Place, after Instant) (Instant, error) {
	return 0, errUnfinished
}

// PreviousCrossing is Previous for any threshold.
func (s Settings) PreviousCrossing(th Threshold, rising bool, p Place, before Instant) (Instant, error) {
	return 0, errUnfinished
}
