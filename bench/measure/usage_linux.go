package measure

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// clockTick is the unit of times in /proc/stat (proc(5); USER_HZ is 100 on
// every architecture that Go runs on).
const clockTick = 10 * time.Millisecond

// CPUOf returns the processor time that a running process has used, all of its
// threads, in user and kernel mode, to the nanosecond: its CPU clock, which has
// the number that clock_getcpuclockid(3) computes.
func CPUOf(pid int) (time.Duration, error) {
	const ofProcess = 2 // CPUCLOCK_SCHED of linux/posix-timers.h
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|ofProcess), &used); err != nil {
		return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return time.Duration(used.Nano()), nil
}

// ThreadCPU returns the processor time of the calling thread. It means something
// only to a goroutine that is locked to its thread.
func ThreadCPU() time.Duration {
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used); err != nil {
		return 0
	}
	return time.Duration(used.Nano())
}

// Children returns the processes that a running process has started and not yet
// reaped, and theirs.
func Children(pid int) ([]int, error) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil, fmt.Errorf("children of process %d: %w", pid, err)
	}
	var all []int
	for _, thread := range threads {
		listed, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, thread.Name()))
		if err != nil {
			continue // the thread has ended since
		}
		for _, field := range strings.Fields(string(listed)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				return nil, fmt.Errorf("children of process %d: %w", pid, err)
			}
			all = append(all, child)
			if theirs, err := Children(child); err == nil {
				all = append(all, theirs...)
			}
		}
	}
	return all, nil
}

// MemoryOf returns the resident memory of a running process in bytes: now, and
// the most it ever was.
func MemoryOf(pid int) (now, peak int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, fmt.Errorf("memory: %w", err)
	}
	for _, field := range strings.Split(string(status), "\n") {
		name, value, _ := strings.Cut(field, ":")
		value = strings.TrimSuffix(strings.TrimSpace(value), " kB")
		switch name {
		case "VmRSS":
			now, err = strconv.ParseInt(value, 10, 64)
		case "VmHWM":
			peak, err = strconv.ParseInt(value, 10, 64)
		}
		if err != nil {
			return 0, 0, fmt.Errorf("memory: %w", err)
		}
	}
	return now << 10, peak << 10, nil
}

// machineCPU returns the processor time that everything on the machine has used
// since it started: all but idle and waiting, of the first line of /proc/stat.
func machineCPU() (time.Duration, error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, fmt.Errorf("CPU time of the machine: %w", err)
	}
	return parseMachineStat(string(stat))
}

func parseMachineStat(stat string) (time.Duration, error) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, fmt.Errorf("CPU time of the machine: %.60q is not what proc(5) describes", line)
	}
	var ticks int64
	for i, field := range fields[1:9] { // user nice system idle iowait irq softirq steal
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("CPU time of the machine: %w", err)
		}
		if i != 3 && i != 4 {
			ticks += n
		}
	}
	return time.Duration(ticks) * clockTick, nil
}

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
	parts := []string{processor()}
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		parts = append(parts, "Linux "+unix.ByteSliceToString(name.Release[:]))
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		parts = append(parts, fmt.Sprintf("%d GB of memory", (uint64(info.Totalram)*uint64(info.Unit)+1<<29)>>30))
	}
	return strings.Join(parts, ", ")
}

// FileSystem names the kind of file system that holds a folder; empty if the
// system can't tell.
func FileSystem(folder string) string {
	var system unix.Statfs_t
	if unix.Statfs(folder, &system) != nil {
		return ""
	}
	return fileSystem(int64(system.Type))
}

func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	count := 0
	model := "unknown processor"
	for _, field := range strings.Split(string(info), "\n") {
		name, value, _ := strings.Cut(field, ":")
		switch strings.TrimSpace(name) {
		case "processor":
			count++
		case "model name":
			model = strings.TrimSpace(value)
		}
	}
	return fmt.Sprintf("%d × %s", count, model)
}

// fileSystem names what statfs(2) numbers; in memory a sync costs nothing.
func fileSystem(kind int64) string {
	switch kind {
	case unix.EXT4_SUPER_MAGIC:
		return "ext4"
	case unix.XFS_SUPER_MAGIC:
		return "xfs"
	case unix.BTRFS_SUPER_MAGIC:
		return "btrfs"
	case unix.TMPFS_MAGIC:
		return "tmpfs (in memory: a sync costs nothing)"
	case unix.OVERLAYFS_SUPER_MAGIC:
		return "overlayfs"
	}
	return fmt.Sprintf("a file system of type %#x", kind)
}
