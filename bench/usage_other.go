//go:build !linux

package bench

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// cpuOf and memoryOf return 0, which tables show as not measured: only Linux
// tells them of another process that still runs.
func cpuOf(int) (time.Duration, error) { return 0, nil }

func memoryOf(int) (now, peak int64, err error) { return 0, 0, nil }

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
