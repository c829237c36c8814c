package bench

import (
	"slices"
	"testing"
)

func TestServerAndLoadShareNoCore(t *testing.T) {
	usable, err := usableCores()
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(usable) + 2 {
		c := shareOut(n)
		if len(usable) < 2 {
			if c.server != nil || c.load != nil {
				t.Errorf("one core, shared out as %+v", c)
			}
			continue
		}
		if len(c.server) == 0 || len(c.load) == 0 || !slices.Equal(append(slices.Clone(c.server), c.load...), usable) {
			t.Errorf("%d for the server: %+v of %v", n, c, usable)
		}
	}
}

func TestPinningIsUndone(t *testing.T) {
	before, err := usableCores()
	if err != nil {
		t.Fatal(err)
	}
	undo, err := pinSelf(before[:1])
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := usableCores(); !slices.Equal(got, before[:1]) {
		t.Errorf("pinned to %v, runs on %v", before[:1], got)
	}
	undo()
	if got, _ := usableCores(); !slices.Equal(got, before) {
		t.Errorf("pinned back to %v, runs on %v", before, got)
	}
}
