package main

import (
	"fmt"
	"os"
	"time"

	"hearth/internal/storage"
)

// showProgress writes one line that keeps changing while a long work goes on,
// when file is a terminal; done clears it.
func showProgress(file *os.File) (progress storage.Progress, done func()) {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil, func() {}
	}
	var shown time.Time
	progress = func(what string, bytes int64) {
		if now := time.Now(); now.Sub(shown) > 100*time.Millisecond {
			shown = now
			fmt.Fprintf(file, "\r\x1b[K%d MB  %.60s", bytes>>20, what)
		}
	}
	return progress, func() { fmt.Fprint(file, "\r\x1b[K") }
}
