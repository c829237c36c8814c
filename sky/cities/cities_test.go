package cities

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"hearth/sky"
)

func TestTheTableHasEveryLineOfItsRelease(t *testing.T) {
	all := slices.Collect(All())
	if len(all) != 418 {
		t.Errorf("%d cities, want the 418 of release 2026f", len(all))
	}
	seen := map[string]bool{}
	for _, city := range all {
		if seen[city.Zone] {
			t.Errorf("%s is there twice", city.Zone)
		}
		seen[city.Zone] = true
		if strings.ContainsAny(city.Name, "_/") || city.Name == "" || city.Country != strings.ToUpper(city.Country) {
			t.Errorf("%+v: not a name and a country", city)
		}
		if math.Abs(city.Place.Latitude) > 90 || math.Abs(city.Place.Longitude) > 180 || city.Place.Elevation != 0 {
			t.Errorf("%+v: not a place", city)
		}
	}
}

func TestEveryCityHasAZoneThatCanBeLoaded(t *testing.T) {
	for city := range All() {
		if _, err := time.LoadLocation(city.Zone); err != nil {
			t.Errorf("%s: %v", city.Name, err)
		}
	}
}

func TestEveryCityIsFoundByItsNameAndByItsZone(t *testing.T) {
	for city := range All() {
		for _, name := range []string{city.Name, city.Zone, strings.ToUpper(city.Name), strings.ToLower(city.Zone), strings.ReplaceAll(city.Name, " ", "")} {
			if got, err := Find(name); err != nil || got != city {
				t.Errorf("Find(%q) = %+v, %v, want %+v", name, got, err, city)
			}
		}
	}
}

func TestCaseAccentsAndPunctuationDoNotMatter(t *testing.T) {
	for name, zone := range map[string]string{
		"Reykjavik":              "Atlantic/Reykjavik",
		"reykjavík":              "Atlantic/Reykjavik",
		"  REYKJAVÍK ":           "Atlantic/Reykjavik",
		"sao paulo":              "America/Sao_Paulo",
		"São Paulo":              "America/Sao_Paulo",
		"Sa\u0303o Paulo":        "America/Sao_Paulo", // the accent as a character of its own
		"Ho Chi Minh":            "Asia/Ho_Chi_Minh",
		"Hồ Chí Minh":            "Asia/Ho_Chi_Minh",
		"St. John's":             "America/St_Johns",
		"port au prince":         "America/Port-au-Prince",
		"Dumont d'Urville":       "Antarctica/DumontDUrville",
		"Asunción":               "America/Asuncion",
		"Chișinău":               "Europe/Chisinau",
		"Nouméa":                 "Pacific/Noumea",
		"Mazatlán":               "America/Mazatlan",
		"Knox":                   "America/Indiana/Knox",
		"indiana/knox":           "America/Indiana/Knox",
		"america/indiana/KNOX":   "America/Indiana/Knox",
		"Atlantic/Reykjavik":     "Atlantic/Reykjavik",
		"America/New York":       "America/New_York",
		"Argentina/Río Gallegos": "America/Argentina/Rio_Gallegos",
	} {
		city, err := Find(name)
		if err != nil || city.Zone != zone {
			t.Errorf("Find(%q) = %q, %v, want %q", name, city.Zone, err, zone)
		}
	}
}

func TestACityHasTheCoordinatesOfItsLine(t *testing.T) {
	for name, want := range map[string]City{
		"Reykjavik":      {"Reykjavik", "IS", sky.Place{Latitude: 64 + 9./60, Longitude: -(21 + 51./60)}, "Atlantic/Reykjavik"},
		"New York":       {"New York", "US", sky.Place{Latitude: (40*3600 + 42*60 + 51) / 3600., Longitude: -(74*3600 + 0*60 + 23) / 3600.}, "America/New_York"},
		"Auckland":       {"Auckland", "NZ", sky.Place{Latitude: -(36 + 52./60), Longitude: 174 + 46./60}, "Pacific/Auckland"},
		"Buenos Aires":   {"Buenos Aires", "AR", sky.Place{Latitude: -(34 + 36./60), Longitude: -(58 + 27./60)}, "America/Argentina/Buenos_Aires"},
		"Port-au-Prince": {"Port-au-Prince", "HT", sky.Place{Latitude: 18 + 32./60, Longitude: -(72 + 20./60)}, "America/Port-au-Prince"},
	} {
		got, err := Find(name)
		if err != nil || got.Name != want.Name || got.Country != want.Country || got.Zone != want.Zone ||
			math.Abs(got.Place.Latitude-want.Place.Latitude) > 1e-12 || math.Abs(got.Place.Longitude-want.Place.Longitude) > 1e-12 {
			t.Errorf("Find(%q) = %+v, %v, want %+v", name, got, err, want)
		}
	}
}

func TestANameThatNoneHasGetsAHint(t *testing.T) {
	for name, want := range map[string]string{
		"Reykjavk":                "did you mean Reykjavik?",
		"Reikjavik":               "did you mean Reykjavik?",
		"Rekyjavik":               "did you mean Reykjavik?",
		"Berlim":                  "did you mean Berlin?",
		"New Yrok":                "did you mean New York?",
		"Buenos":                  "did you mean Buenos Aires?",
		"São":                     "did you mean Sao Paulo or Sao Tome?",
		"Europe/Reykjavik":        "did you mean Atlantic/Reykjavik?",
		"Atlantic/Reykjavk":       "did you mean Atlantic/Reykjavik?",
		"Hamburg":                 "give latitude, longitude and zone instead",
		"東京":                      "give latitude, longitude and zone instead",
		"":                        "write for example Reykjavik",
		" - ":                     "write for example Reykjavik",
		"///":                     "write for example Reykjavik",
		strings.Repeat("x", 1000): "the longest allowed has 100",
	} {
		city, err := Find(name)
		if err == nil || city != (City{}) || !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%q) = %+v, %v, want %q", name, city, err, want)
			continue
		}
		if !strings.HasPrefix(err.Error(), "find city: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("Find(%q): %q is not one sentence with its operation", name, err)
		}
	}
}

func TestANameThatSeveralHaveTellsTheirZones(t *testing.T) {
	planted, err := parse("US\t+4000-08000\tAmerica/Springfield\nUS\t+4100-08100\tAmerica/Ohio/Springfield\nAU\t-3000+15000\tAustralia/Springfield\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = planted.find("springfield")
	if want := "write America/Springfield, America/Ohio/Springfield or Australia/Springfield"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if city, err := planted.find("Ohio/Springfield"); err != nil || city.Zone != "America/Ohio/Springfield" {
		t.Errorf("by the end of its zone: %+v, %v", city, err)
	}
}

func TestALineThatIsNoneIsRefused(t *testing.T) {
	for _, line := range []string{
		"nothing", "IS\t+6409-02151", "ISL\t+6409-02151\tAtlantic/Reykjavik", "IS\t+6409-02151\t",
		"IS\t6409-02151\tA/B", "IS\t+6409 02151\tA/B", "IS\t+640-02151\tA/B", "IS\t+64x9-02151\tA/B",
		"IS\t+6460-02151\tA/B", "IS\t+9001-02151\tA/B", "IS\t+6409-18001\tA/B", "IS\t+640960-0215100\tA/B", "IS\t\tA/B",
	} {
		if _, err := parse("# comment\n" + line + "\n"); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("parse(%q): %v, want an error that names line 2", line, err)
		}
	}
}

func TestDistanceCountsMistakes(t *testing.T) {
	for _, pair := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1},
		{"abc", "acb", 1}, {"abc", "ab", 1}, {"abc", "xabc", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
	} {
		if got := distance(pair.a, pair.b, 100); got != pair.want {
			t.Errorf("distance(%q, %q) = %d, want %d", pair.a, pair.b, got, pair.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, name := range []string{"Reykjavik", "São Paulo", "Europe/Reykjavik", "///", "\xff\xfe", "東京", "İ", "ß"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		city, err := Find(name)
		if err != nil {
			if city != (City{}) {
				t.Errorf("Find(%q) is an error with %+v", name, city)
			}
			return
		}
		if again, err := Find(city.Zone); err != nil || again != city {
			t.Errorf("Find(%q) = %+v, whose zone finds %+v, %v", name, city, again, err)
		}
	})
}

func FuzzParsePlace(f *testing.F) {
	for _, text := range []string{"+6409-02151", "+404251-0740023", "-9000+18000", "+0000-00000", "", "+", "+64091-2151"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		place, err := parsePlace(text)
		if err == nil && !(math.Abs(place.Latitude) <= 90 && math.Abs(place.Longitude) <= 180) {
			t.Errorf("parsePlace(%q) = %+v", text, place)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Find("Reykjavik"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstCall is what the first call pays for reading the file.
func BenchmarkFirstCall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(zoneTab); err != nil {
			b.Fatal(err)
		}
	}
}
