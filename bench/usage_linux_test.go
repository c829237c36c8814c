package bench

import (
	"os"
	"slices"
	"testing"
	"time"
)

func TestCPUTimeIsReadFromTheRightFields(t *testing.T) {
	stat := []byte("7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 123 45 6 7 20 0 9 0 100 0 0")
	got, err := parseStat(stat)
	if want := 1680 * time.Millisecond; err != nil || got != want {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, broken := range []string{"", "7 (a)", "7 (a) S 1 2 3", "7 (a) S 1 7 7 0 -1 4194304 100 0 0 0 x 45 6"} {
		if got, err := parseStat([]byte(broken)); err == nil {
			t.Errorf("%q was read as %v", broken, got)
		}
	}
}

func TestTheMachinesCPUTimeLeavesOutWaiting(t *testing.T) {
	got, err := parseMachineStat("cpu  100 2 30 9000 800 4 5 6 0 0\ncpu0 1 2 3\n")
	if want := 1470 * time.Millisecond; err != nil || got != want {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, broken := range []string{"", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3", "cpu 1 2 3 4 5 x 7 8"} {
		if got, err := parseMachineStat(broken); err == nil {
			t.Errorf("%q was read as %v", broken, got)
		}
	}
}

func TestMemoryOfThisProcessIsPlausible(t *testing.T) {
	now, peak, err := memoryOf(os.Getpid())
	if err != nil || now < 1<<20 || peak < now {
		t.Errorf("now %d bytes, peak %d, error %v", now, peak, err)
	}
}

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
