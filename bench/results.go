package bench

import "time"

// mode says what is on and what happens beside the questions.
type mode string

const (
	on             mode = "on"
	postsHere      mode = "on, 10 posts/s here"
	postsElsewhere mode = "on, 10 posts/s elsewhere"
	off            mode = "off"
	floor          mode = "floor"
)

// cell is one row of the tables.
type cell struct {
	mode     mode
	question string
	clients  int
}

type cableCell struct {
	mode             mode
	sockets, posters int
}

// processSample is what one server process showed of itself.
type processSample struct {
	coldStart  time.Duration
	idle, peak int64 // resident bytes
}

// results holds the samples of every repetition.
type results struct {
	cells     map[cell][]sample
	cable     map[cableCell][]cableSample
	processes map[bool][]processSample // by whether the mechanisms were off
}

func newResults() results {
	return results{map[cell][]sample{}, map[cableCell][]cableSample{}, map[bool][]processSample{}}
}

func (r results) add(c cell, s sample) { r.cells[c] = append(r.cells[c], s) }

func (r results) addCable(c cableCell, s cableSample) { r.cable[c] = append(r.cable[c], s) }

func (r results) addProcess(off bool, s processSample) {
	r.processes[off] = append(r.processes[off], s)
}

// asks says which cells there are. Everything is measured with all mechanisms
// on; beside that the room page and the post with all numbers of clients, and
// the rest with one number, so that a run stays short. Full asks for all.
func (o Options) asks(m mode, question string, clients int) bool {
	middle := clients == o.Clients[len(o.Clients)/2]
	touchesDatabase := question != "/up" && question != "static asset"
	reads := touchesDatabase && question != "post"
	switch m {
	case on:
		return true
	case floor:
		return o.Full || middle || question == "room page"
	case off:
		return touchesDatabase && (o.Full || middle || question == "room page" || question == "post")
	}
	return reads && (o.Full || question == "room page" || question == "messages page" && middle)
}
