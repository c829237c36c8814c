package bench

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"time"

	"hearth/internal/rails"
)

// dataset says which database to make. The same values make the same rows.
type dataset struct {
	Messages int       // in the busy room
	Seed     uint64    // of all that is random
	Secret   string    // SECRET_KEY_BASE of the server that will serve it
	End      time.Time // all that is in it happened before
}

// messagesMin is enough for pages everywhere before the last one.
const messagesMin = 3 * pageSize

// stepTime is the mean time between two messages.
const stepTime = 30 * time.Second

// history is the database as its maker knows it: the cast, and what every
// answer of a server that serves it must show.
type history struct {
	dataset
	keys   *rails.Keys
	people []person
	rooms  []*room

	total    int       // messages in all rooms
	first    time.Time // before everything
	busy     []line    // the end of the busy room, at least two pages
	pages    []page    // pages of the busy room, evenly spread
	frequent []line    // the newest hundred messages that a search for the frequent word finds
	rare     []line
}

// page is what must stand before a message of the busy room.
type page struct {
	before int64
	lines  []line
}

// anchorsMax bounds how many places of the busy room are read with `before`.
const anchorsMax = 64

// searchMax is how many messages a search shows.
const searchMax = 100

// message is one row to be, good until the next one is made.
type message struct {
	id      int64
	client  [36]byte
	room    *room
	creator int64
	at      time.Time
	body    *body
	boosts  []boost
}

type boost struct {
	booster int64
	content string
}

func newHistory(d dataset) *history {
	d.Messages = max(d.Messages, messagesMin)
	h := &history{dataset: d, keys: rails.NewKeys(d.Secret)}
	random := rand.New(rand.NewPCG(d.Seed, 1))
	h.people = makePeople(random, h.keys)
	h.rooms = makeRooms(d.Messages)
	for _, r := range h.rooms {
		h.total += r.planned
	}
	h.first = d.End.Add(-time.Duration(h.total+1) * stepTime)
	return h
}

// each makes all messages in the order of their ids and times, and notes what
// of them answers will be compared with. It must be called once.
func (h *history) each(yield func(*message) error) error {
	random := rand.New(rand.NewPCG(h.Seed, 2))
	write := &writer{random: random, people: h.people}
	notes := newNotes(h)
	left := h.leftToSay()
	m := &message{}
	for m.id = 1; m.id <= int64(h.total); m.id++ {
		m.room = left.next(random)
		m.creator = m.room.members[random.IntN(len(m.room.members))]
		m.at = h.first.Add(time.Duration(m.id)*stepTime + time.Duration(random.Int64N(int64(stepTime)))).Truncate(time.Microsecond)
		clientID(&m.client, random)
		m.body = write.write(notes.wordFor(m.room, random))
		m.boosts = boosts(m.boosts[:0], m.room, random)
		m.room.last = m.id
		notes.take(m)
		if err := yield(m); err != nil {
			return err
		}
	}
	return nil
}

// clientID makes a UUID of version 4.
func clientID(dst *[36]byte, random *rand.Rand) {
	var raw [16]byte
	for i := range 2 {
		v := random.Uint64()
		for j := range 8 {
			raw[8*i+j] = byte(v >> (8 * j))
		}
	}
	raw[6] = raw[6]&0x0f | 0x40
	raw[8] = raw[8]&0x3f | 0x80
	var text [32]byte
	hex.Encode(text[:], raw[:])
	at := 0
	for i, size := range []int{8, 4, 4, 4, 12} {
		if i > 0 {
			dst[at] = '-'
			at++
		}
		copied := copy(dst[at:at+size], text[at-i:])
		at += copied
	}
}

// boosts gives one message of twelve a few.
func boosts(dst []boost, r *room, random *rand.Rand) []boost {
	if random.IntN(12) != 0 {
		return dst
	}
	for range 1 + random.IntN(3) {
		dst = append(dst, boost{r.members[random.IntN(len(r.members))], boostContents[random.IntN(len(boostContents))]})
	}
	return dst
}

// unsaid deals the messages out to the rooms, so that all rooms talk all the time.
type unsaid struct {
	rooms []*room
	left  []int
	total int
}

func (h *history) leftToSay() *unsaid {
	u := &unsaid{rooms: h.rooms, total: h.total}
	for _, r := range h.rooms {
		u.left = append(u.left, r.planned)
	}
	return u
}

func (u *unsaid) next(random *rand.Rand) *room {
	n := random.IntN(u.total)
	u.total--
	for i := range u.left {
		if n < u.left[i] {
			u.left[i]--
			return u.rooms[i]
		}
		n -= u.left[i]
	}
	panic("bench: more messages than were planned")
}

// notes watches the messages go by and keeps what answers are compared with.
type notes struct {
	h       *history
	anchors []int // positions in the busy room, ascending
	rareAt  []int
	at      int    // messages of the busy room so far
	recent  []line // the last page of it and more
	word    string // the one that the next message has
}

func newNotes(h *history) *notes {
	n := &notes{h: h, rareAt: []int{h.Messages / 4, h.Messages / 2, 3 * h.Messages / 4}}
	count := min(anchorsMax, h.Messages-pageSize)
	for i := range count {
		n.anchors = append(n.anchors, pageSize+i*(h.Messages-pageSize)/count)
	}
	return n
}

// wordFor says which word to search for the next message of r has, if any.
func (n *notes) wordFor(r *room, random *rand.Rand) string {
	n.word = ""
	switch {
	case r.name == closedRoomNames[0]:
		n.word = forbiddenWord
	case r.id == busyRoom && slices.Contains(n.rareAt, n.at):
		n.word = rareWord
	case r.kind == "Rooms::Open" && random.IntN(15) == 0:
		n.word = frequentWord
	}
	return n.word
}

func (n *notes) take(m *message) {
	l := line{m.id, m.body.begins}
	switch n.word {
	case frequentWord:
		n.h.frequent = lastOf(append(n.h.frequent, l), searchMax)
	case rareWord:
		n.h.rare = append(n.h.rare, l)
	}
	if m.room.id != busyRoom {
		return
	}
	if len(n.anchors) > 0 && n.anchors[0] == n.at {
		n.anchors = n.anchors[1:]
		n.h.pages = append(n.h.pages, page{m.id, slices.Clone(lastOf(n.recent, pageSize))})
	}
	n.at++
	n.recent = lastOf(append(n.recent, l), 2*pageSize)
	n.h.busy = n.recent
}

// lastOf keeps the last n of lines.
func lastOf(lines []line, n int) []line {
	return lines[max(0, len(lines)-n):]
}
