package sky

// A Phase is the age of the Moon as an angle, and the name of the day.
type Phase struct {
	// Degrees is the apparent geocentric longitude of the Moon minus that of the
	// Sun, at local noon: 0 or more, less than 360.
	Degrees float64

	// Name is New, FirstQuarter, Full or LastQuarter on the local day that
	// contains that instant, and one of the four between on all others.
	Name PhaseName
}

// Fraction returns Degrees as a part of the lunation: 0 or more, less than 1.
func (p Phase) Fraction() float64 {
	return min(p.Degrees/360, 1-1.0/(1<<53))
}

// A PhaseName is one of the eight names that calendars use.
type PhaseName uint8

// The names in the order of a lunation.
const (
	New PhaseName = iota
	WaxingCrescent
	FirstQuarter
	WaxingGibbous
	Full
	WaningGibbous
	LastQuarter
	WaningCrescent
)

var phaseNames = [...]string{
	"new", "waxing crescent", "first quarter", "waxing gibbous",
	"full", "waning gibbous", "last quarter", "waning crescent",
}

// String returns the name in lower case, as "waxing crescent".
func (n PhaseName) String() string {
	if int(n) < len(phaseNames) {
		return phaseNames[n]
	}
	return "unknown phase"
}
