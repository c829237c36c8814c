package bench

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// cores says which cores the server and the load run on.
type cores struct {
	server, load []int // empty: wherever the kernel likes
	why          string
}

// shareOut gives the server the first n of the cores that this process may use,
// and the load the others; n of 0 is one, or half of them from four on.
func shareOut(n int) cores {
	usable, err := usableCores()
	switch {
	case err != nil:
		return cores{why: "not pinned: " + err.Error()}
	case len(usable) < 2:
		return cores{why: "not pinned: there is only one core"}
	}
	if n <= 0 {
		n = len(usable) / 2
	}
	n = min(n, len(usable)-1)
	return cores{server: usable[:n], load: usable[n:], why: fmt.Sprintf("pinned apart: server on core %s, load on core %s", list(usable[:n]), list(usable[n:]))}
}

func (c cores) loadCount() int {
	if len(c.load) == 0 {
		return runtime.NumCPU()
	}
	return len(c.load)
}

func list(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}
