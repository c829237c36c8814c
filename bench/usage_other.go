//go:build !linux

package bench

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// cpuOf, memoryOf and machineCPU return 0, which is shown as not measured: only
// Linux tells them of other processes that still run.
func cpuOf(int) (time.Duration, error) { return 0, nil }

func memoryOf(int) (now, peak int64, err error) { return 0, 0, nil }

func machineCPU() (time.Duration, error) { return 0, nil }

func ownCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func machine(string) string {
	return fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}
