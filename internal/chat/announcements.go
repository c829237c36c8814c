package chat

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
)

// announcements tells events in the order of the commits that made them true.
// The callers of one group commit wake up together, in any order: without this,
// pages could hear of a message's deletion before they hear of the message, and
// keep the older of two edits.
//
// Every turn at writing takes a number in the goroutine that writes, and ends it
// when its outcome is known; whoever ends the turn that the others wait for tells
// their events too.
type announcements struct {
	to  Announcer // nil: nobody is told
	log *slog.Logger

	mu      sync.Mutex        // guards the fields below; never held while telling
	given   uint64            // the newest turn
	told    uint64            // the turn up to which everything is told
	ended   map[uint64]ending // turns that ended, but an older one did not
	telling bool              // somebody is at it, and will go on
}

// ending is the outcome of a turn: nothing, if it was undone.
type ending struct {
	ctx    context.Context
	events []Event
	done   chan struct{} // closed when they are told
}

// begin numbers a turn. Only the goroutine that writes calls it, so the numbers
// have the order of the commits.
func (a *announcements) begin() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.given++
	return a.given
}

// end gives the outcome of a turn. It returns when its events are told, which is
// after those of all older turns; a turn without events waits for nobody.
func (a *announcements) end(ctx context.Context, turn uint64, events []Event) {
	mine := ending{ctx, events, make(chan struct{})}
	a.mu.Lock()
	if a.ended == nil {
		a.ended = map[uint64]ending{}
	}
	a.ended[turn] = mine
	if !a.telling {
		a.tellAll()
	}
	a.mu.Unlock()
	if len(events) > 0 {
		<-mine.done
	}
}

// tellAll tells what has its turn. It is called with the lock and returns with it.
func (a *announcements) tellAll() {
	a.telling = true
	for {
		next, ended := a.ended[a.told+1]
		if !ended {
			break
		}
		delete(a.ended, a.told+1)
		a.told++
		a.mu.Unlock()
		a.tell(next)
		a.mu.Lock()
	}
	a.telling = false
}

// tell announces the events of one turn. A panic of the Announcer is one event's:
// the others, of other people, go on.
func (a *announcements) tell(e ending) {
	defer close(e.done)
	if a.to == nil {
		return
	}
	for _, event := range e.events {
		func() {
			defer func() {
				if v := recover(); v != nil {
					a.log.Error("announce an event", "error", v, "stack", string(debug.Stack()))
				}
			}()
			a.to.Announce(e.ctx, event)
		}()
	}
}
