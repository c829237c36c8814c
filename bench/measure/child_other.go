//go:build !linux

package measure

import "syscall"

// ChildAttributes keep a process from ending with a Ctrl-C that is meant for the
// benchmark, which ends it itself.
func ChildAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
