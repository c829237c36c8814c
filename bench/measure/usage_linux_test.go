package measure

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

func TestCPUTimeGrowsWithWork(t *testing.T) {
	before, err := CPUOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for began := OwnCPU(); OwnCPU()-began < 20*time.Millisecond; {
	}
	after, err := CPUOf(os.Getpid())
	if used := after - before; err != nil || used < 15*time.Millisecond || used > 10*time.Second {
		t.Errorf("20 ms of work were counted as %v, error %v", used, err)
	}
	if got, err := CPUOf(-7); err == nil {
		t.Errorf("a process that can't be has used %v", got)
	}
}

func TestChildrenAreFoundWhileTheyRun(t *testing.T) {
	child := exec.Command("cat")
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	during, err := Children(os.Getpid())
	if err != nil || !slices.Contains(during, child.Process.Pid) {
		t.Errorf("the children are %v, error %v; want %d among them", during, err, child.Process.Pid)
	}
	input.Close()
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	if after, err := Children(os.Getpid()); err != nil || slices.Contains(after, child.Process.Pid) {
		t.Errorf("the children are %v, error %v, and %d was reaped", after, err, child.Process.Pid)
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
	now, peak, err := MemoryOf(os.Getpid())
	if err != nil || now < 1<<20 || peak < now {
		t.Errorf("now %d bytes, peak %d, error %v", now, peak, err)
	}
}
