package web_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// tally counts what came of facts.
type tally struct{ all, held, later, differ int }

func (n *tally) add(other tally) {
	n.all, n.held, n.later, n.differ = n.all+other.all, n.held+other.held, n.later+other.later, n.differ+other.differ
}

func (n tally) String() string {
	return fmt.Sprintf("%d of %d hold (%d later, %d differ on purpose)", n.held, n.all, n.later, n.differ)
}

// judge holds facts against the servers of a checker, and tells for each what
// is wrong with it or its mark.
func judge(c *checker, facts []*fact) (n tally, missing, wrong []string) {
	for _, f := range facts {
		n.all++
		holds, saw, err := c.holds(f)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("%v\n\tcan't be checked: %v", f, err))
		case holds && f.mark != "":
			wrong = append(wrong, fmt.Sprintf("%v\n\tis marked %q, and holds: take the mark away", f, f.mark))
		case holds:
			n.held++
		case f.mark == "later":
			n.later++
			missing = append(missing, fmt.Sprintf("missing: %v", f))
		case f.mark == "differs":
			n.differ++
			missing = append(missing, fmt.Sprintf("differs: %v: %s", f, f.note))
		default:
			wrong = append(wrong, fmt.Sprintf("%v\n\tdoesn't hold: %s", f, saw))
		}
	}
	return n, missing, wrong
}

func TestParityWithTheReference(t *testing.T) {
	tables := parityFacts(t)
	areas := slices.Sorted(maps.Keys(tables))
	areas = append(slices.DeleteFunc(areas, func(area string) bool { return area == "styles" }), "styles")
	c := newChecker(t, nil)
	var total tally
	var lines, all []string
	for _, area := range areas {
		delete(c.stages, "cast") // no area finds what another has left there
		n, missing, wrong := judge(c, tables[area])
		for _, text := range wrong {
			t.Error(text)
		}
		total.add(n)
		all = append(all, missing...)
		lines = append(lines, fmt.Sprintf("parity: %-10s %v", area, n))
	}
	t.Log("\n" + strings.Join(all, "\n"))
	lines = append(lines, fmt.Sprintf("parity: %v", total))
	t.Log("\n" + strings.Join(lines, "\n"))
}
