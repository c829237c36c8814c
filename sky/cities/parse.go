package cities

import (
	"fmt"
	"strings"

	"hearth/sky"
)

// parse reads a file in the format of zone.tab: comments begin with #, and a line
// has a country, coordinates, a zone and perhaps a comment, with tabs between.
func parse(text string) (*table, error) {
	t := &table{cities: make([]City, 0, 450), folded: make([]string, 0, 450)}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		country, rest, _ := strings.Cut(line, "\t")
		coordinates, rest, _ := strings.Cut(rest, "\t")
		zone, _, _ := strings.Cut(rest, "\t")
		place, err := parsePlace(coordinates)
		switch {
		case err != nil:
			return nil, fmt.Errorf("zone.tab line %d: %w", number, err)
		case len(country) != 2 || zone == "":
			return nil, fmt.Errorf("zone.tab line %d: %q has no country, coordinates and zone", number, line)
		}
		name := strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
		t.cities = append(t.cities, City{Name: name, Country: country, Place: place, Zone: zone})
		t.folded = append(t.folded, fold(zone))
	}
	return t, nil
}

// parsePlace reads the two of the forms of ISO 6709 that zone.tab uses, degrees
// and minutes and perhaps seconds: ±DDMM±DDDMM and ±DDMMSS±DDDMMSS.
func parsePlace(text string) (sky.Place, error) {
	digits := len("DDMM")
	if len(text) == len("+DDMMSS-DDDMMSS") {
		digits = len("DDMMSS")
	}
	if len(text) == 1+digits+1+digits+1 {
		latitude, ok := parseAngle(text[:1+digits], 2, 90)
		longitude, alsoOK := parseAngle(text[1+digits:], 3, 180)
		if ok && alsoOK {
			return sky.Place{Latitude: latitude, Longitude: longitude}, nil
		}
	}
	return sky.Place{}, fmt.Errorf("coordinates %q are not of the form ±DDMM±DDDMM or ±DDMMSS±DDDMMSS", text)
}

// parseAngle reads a sign, whole digits of degrees, and minutes and perhaps
// seconds of two digits each. It returns degrees, at most limit from 0.
func parseAngle(text string, whole int, limit float64) (float64, bool) {
	sign := text[0]
	if sign != '+' && sign != '-' {
		return 0, false
	}
	text = text[1:]
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
	}
	degrees, minutes, seconds := 0, int(text[whole]-'0')*10+int(text[whole+1]-'0'), 0
	for i := range whole {
		degrees = degrees*10 + int(text[i]-'0')
	}
	if rest := text[whole+2:]; rest != "" {
		seconds = int(rest[0]-'0')*10 + int(rest[1]-'0')
	}
	// One division of whole numbers: the nearest value that a float64 has.
	angle := float64(degrees*3600+minutes*60+seconds) / 3600
	if minutes > 59 || seconds > 59 || angle > limit {
		return 0, false
	}
	if sign == '-' && angle != 0 {
		angle = -angle
	}
	return angle, true
}
