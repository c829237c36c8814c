//go:build !linux

package bench

import "syscall"

// childAttributes keep a server from ending with a Ctrl-C that is meant for the
// load, which ends it itself.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
