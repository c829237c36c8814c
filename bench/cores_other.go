//go:build !linux

package bench

import (
	"errors"
	"os/exec"
)

func usableCores() ([]int, error) {
	return nil, errors.New("this system has no way to pin a process")
}

func pinSelf([]int) (undo func(), err error) { return func() {}, nil }

func startPinned(cmd *exec.Cmd, _, _ []int) error { return cmd.Start() }
