package measure

import "syscall"

// ChildAttributes keep a process from ending with a Ctrl-C that is meant for the
// benchmark, which ends it itself, and from outliving a benchmark that was killed.
func ChildAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
