package chat

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// heard is an Announcer that remembers whose messages it was told of.
type heard struct{ rooms []RoomID }

func (h *heard) Announce(_ context.Context, e Event) {
	read := e.(RoomRead)
	if read.Room == 13 {
		panic("thirteen")
	}
	h.rooms = append(h.rooms, read.Room) // no lock: one at a time, as promised
}

func TestEventsAreToldInTheOrderOfTheirTurnsWhoeverEndsFirst(t *testing.T) {
	h := &heard{}
	a := announcements{to: h, log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	const turns = 500
	ending := make([]uint64, turns)
	for i := range ending {
		ending[i] = a.begin()
	}
	rand.Shuffle(turns, func(i, j int) { ending[i], ending[j] = ending[j], ending[i] })
	var all sync.WaitGroup
	for _, turn := range ending {
		all.Go(func() {
			if turn%5 == 0 { // undone
				a.end(t.Context(), turn, nil)
				return
			}
			a.end(t.Context(), turn, []Event{RoomRead{Room: RoomID(turn)}})
			if !slices.Contains(snapshotOf(h, &a), RoomID(turn)) && turn != 13 {
				t.Errorf("turn %d returned before it was told", turn)
			}
		})
	}
	all.Wait()
	if !slices.IsSorted(h.rooms) || len(h.rooms) != turns-turns/5-1 {
		t.Errorf("%d told, in order %t; want %d in order", len(h.rooms), slices.IsSorted(h.rooms), turns-turns/5-1)
	}
	if len(a.ended) != 0 || a.told != turns {
		t.Errorf("left over: %d, told up to %d", len(a.ended), a.told)
	}
}

// snapshotOf reads what was heard once nobody is telling.
func snapshotOf(h *heard, a *announcements) []RoomID {
	for {
		a.mu.Lock()
		if !a.telling {
			defer a.mu.Unlock()
			return slices.Clone(h.rooms)
		}
		a.mu.Unlock()
	}
}
