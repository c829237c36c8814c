//go:build !linux

package measure

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// CPUOf returns 0, which is shown as not measured, as do its relatives: only
// Linux tells of other processes that still run, and of threads.
func CPUOf(int) (time.Duration, error) { return 0, nil }

// ThreadCPU returns 0.
func ThreadCPU() time.Duration { return 0 }

// Children returns nothing.
func Children(int) ([]int, error) { return nil, nil }

// MemoryOf returns 0.
func MemoryOf(int) (now, peak int64, err error) { return 0, 0, nil }

func machineCPU() (time.Duration, error) { return 0, nil }

// OwnCPU returns the processor time of this process; 0 if the system can't tell.
func OwnCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Machine describes where a result comes from.
func Machine() string {
	return fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}

// FileSystem returns nothing.
func FileSystem(string) string { return "" }
