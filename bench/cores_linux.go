package bench

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

func usableCores() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("which cores may be used: %w", err)
	}
	var usable []int
	for core := range len(set) * 64 {
		if set.IsSet(core) {
			usable = append(usable, core)
		}
	}
	return usable, nil
}

func setOf(numbers []int) *unix.CPUSet {
	set := new(unix.CPUSet)
	for _, n := range numbers {
		set.Set(n)
	}
	return set
}

// pinSelf moves every thread of this process to the given cores; threads that
// start later inherit it. The function it returns undoes it.
func pinSelf(to []int) (undo func(), err error) {
	if len(to) == 0 {
		return func() {}, nil
	}
	before, err := usableCores()
	if err != nil {
		return nil, err
	}
	if err := pinThreads(to); err != nil {
		return nil, err
	}
	procs := runtime.GOMAXPROCS(len(to))
	return func() {
		pinThreads(before) // best effort: the process goes on either way
		runtime.GOMAXPROCS(procs)
	}, nil
}

func pinThreads(to []int) error {
	for range 2 { // a thread may have started while the first round ran
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("pin: %w", err)
		}
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err != nil {
				continue
			}
			if err := unix.SchedSetaffinity(id, setOf(to)); err != nil && err != unix.ESRCH {
				return fmt.Errorf("pin thread %d: %w", id, err)
			}
		}
	}
	return nil
}

// startPinned starts cmd on the given cores: a child inherits the cores of the
// thread that starts it.
func startPinned(cmd *exec.Cmd, on, own []int) error {
	if len(on) == 0 {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.SchedSetaffinity(0, setOf(on)); err != nil {
		return fmt.Errorf("pin the server: %w", err)
	}
	err := cmd.Start()
	if back := unix.SchedSetaffinity(0, setOf(own)); err == nil && back != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return fmt.Errorf("pin back: %w", back)
	}
	return err
}
