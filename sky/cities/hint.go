package cities

import (
	"slices"
	"strings"
)

// hintMax is how many names a hint tells at most.
const hintMax = 3

// hint tells which cities may be meant by a folded name that none has.
func (t *table) hint(wanted string) string {
	near := t.near(wanted)
	if len(near) == 0 {
		return "give latitude, longitude and zone instead"
	}
	of := func(c City) string { return c.Name }
	if strings.Contains(wanted, "/") {
		of = func(c City) string { return c.Zone }
	}
	return "did you mean " + list(near, of) + "?"
}

// Near returns the cities whose name or zone is nearest to a name that may have
// typing mistakes: nearest by letters to insert, remove, replace or swap, and at
// most one for every four letters and one more. When there is none, it returns
// those whose name begins with it. It returns at most three, in the order of All.
func Near(name string) []City {
	if len(name) > nameMax {
		return nil
	}
	return loaded().near(fold(name))
}

func (t *table) near(wanted string) []City {
	last := wanted[strings.LastIndexByte(wanted, '/')+1:]
	if last == "" {
		return nil
	}
	best := 1 + len(last)/4
	var near, begin []City
	for i, zone := range t.folded {
		name := zone[strings.LastIndexByte(zone, '/')+1:]
		d := min(distance(wanted, zone, best), distance(last, name, best))
		switch {
		case d < best:
			best, near = d, append(near[:0], t.cities[i])
		case d == best:
			near = append(near, t.cities[i])
		}
		if len(last) >= 3 && strings.HasPrefix(name, last) {
			begin = append(begin, t.cities[i])
		}
	}
	// Short names are near to many; then what they begin with tells more.
	if len(near) == 0 || len(begin) > 0 && best > 1 {
		near = begin
	}
	return slices.Clone(near[:min(len(near), hintMax)])
}

// distance is how many letters must be inserted, removed, replaced or swapped with
// their neighbour to make b of a: the optimal string alignment (Damerau 1964). It
// may stop at any number greater than limit.
func distance(a, b string, limit int) int {
	if max(len(a), len(b))-min(len(a), len(b)) > limit {
		return limit + 1
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}

func differ(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}
