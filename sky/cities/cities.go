// Package cities finds places by the names in the tz database.
//
//	city, err := cities.Find("São Paulo")
//	if err != nil {
//		return err // says which names are near
//	}
//	zone, err := time.LoadLocation(city.Zone)
//	if err != nil {
//		return err
//	}
//	day, err := sky.Day(city.Place, date, zone)
//
// The names are the last elements of the 418 zones in zone.tab, which is
// embedded; README.md says where it comes from. Nothing is read before the first
// call, which takes some hundred microseconds to parse the file; every function
// may be called from any goroutine.
package cities

import (
	_ "embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"hearth/sky"
)

//go:embed zone.tab
var zoneTab string

// City is one line of zone.tab.
type City struct {
	Name    string    // last element of Zone with spaces for underscores: "Sao Paulo"
	Country string    // ISO 3166 code of two letters: "BR"
	Place   sky.Place // degrees north and east; the elevation is 0
	Zone    string    // a name that time.LoadLocation knows: "America/Sao_Paulo"
}

// nameMax is the longest name that is looked at, in bytes; the longest zone has 30.
const nameMax = 100

// table holds the cities in the file's order, and how each is looked up.
type table struct {
	cities []City
	folded []string // Zone of each as fold makes it: "america/saopaulo"
}

var loaded = sync.OnceValue(func() *table {
	t, err := parse(zoneTab)
	if err != nil {
		panic(err) // the embedded file is wrong
	}
	return t
})

// All returns every city, ordered by country.
func All() iter.Seq[City] { return slices.Values(loaded().cities) }

// Find returns the city that is called name. Case, accents, spaces and
// punctuation don't matter: "sao paulo", "São Paulo" and "SaoPaulo" are the same.
// The name may be a zone's, in full or its end: "America/Indiana/Knox",
// "Indiana/Knox" and "Knox" are one.
//
// A name that no city has is an error that tells the names nearest to it; a name
// that several have is one that tells their zones.
func Find(name string) (City, error) { return loaded().find(name) }

func (t *table) find(name string) (City, error) {
	if len(name) > nameMax {
		return City{}, fmt.Errorf("find city: a name of %d bytes is none; the longest allowed has %d", len(name), nameMax)
	}
	wanted := fold(name)
	if strings.Trim(wanted, "/") == "" {
		return City{}, fmt.Errorf("find city: %q names none; write for example Reykjavik", name)
	}
	var found []City
	end := "/" + wanted
	for i, zone := range t.folded {
		if zone == wanted || strings.HasSuffix(zone, end) {
			found = append(found, t.cities[i])
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return City{}, fmt.Errorf("find city: the tz database has no %q; %s", name, t.hint(wanted))
	}
	return City{}, fmt.Errorf("find city: there is more than one %q; write %s", name, list(found, func(c City) string { return c.Zone }))
}

// list joins what of says about each city: "A, B or C".
func list(cities []City, of func(City) string) string {
	var text strings.Builder
	for i, city := range cities {
		switch {
		case i > 0 && i == len(cities)-1:
			text.WriteString(" or ")
		case i > 0:
			text.WriteString(", ")
		}
		text.WriteString(of(city))
	}
	return text.String()
}
