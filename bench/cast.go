package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"hearth/internal/rails"
)

// peopleCount is how many people the chat has; the first is its administrator.
const peopleCount = 50

// The rooms that the load uses. All people are in all of them.
const (
	busyRoom      = 1 // read all the time; has the messages that were asked for
	postRoom      = 2 // where many post at once
	cableRoom     = 3 // where posts reach many sockets
	elsewhereRoom = 4 // where somebody posts while others read the busy room
)

// readers are the people whose browsers read: 2 to 33, all in the same shared
// rooms, each with a sidebar of their own.
const (
	firstReader = 2
	lastReader  = 33
)

type person struct {
	id    int64
	name  string
	token string // of the person's session
	sgid  string // what a mention of them carries
}

type room struct {
	id      int64
	name    string // empty for direct rooms
	kind    string // as in the database
	members []int64
	planned int   // messages it gets
	last    int64 // its latest message; the order of direct rooms follows it
}

// dom is the room as ids of elements name it: "open_5".
func (r *room) dom() string {
	return strings.ToLower(strings.TrimPrefix(r.kind, "Rooms::")) + fmt.Sprintf("_%d", r.id)
}

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func makePeople(random *rand.Rand, keys *rails.Keys) []person {
	people := make([]person, peopleCount)
	for i := range people {
		token := make([]byte, 24)
		for j := range token {
			token[j] = base58[random.IntN(len(base58))]
		}
		id := int64(i + 1)
		people[i] = person{
			id:    id,
			name:  firstNames[i] + " " + lastNames[(i*7)%len(lastNames)],
			token: string(token),
			sgid:  keys.MentionSGID(id),
		}
	}
	return people
}

// makeRooms plans the rooms: open ones with everybody, a closed one that no
// reader is in and one that all are in, and conversations of two, three of them
// begun by each reader.
func makeRooms(messages int) []*room {
	var rooms []*room
	add := func(r room) {
		r.id = int64(len(rooms) + 1)
		rooms = append(rooms, &r)
	}
	for i, name := range openRoomNames {
		planned := 60
		if i+1 == busyRoom {
			planned = messages
		}
		add(room{name: name, kind: "Rooms::Open", members: idsBetween(1, peopleCount), planned: planned})
	}
	add(room{name: closedRoomNames[0], kind: "Rooms::Closed", members: idsBetween(40, peopleCount), planned: 60})
	add(room{name: closedRoomNames[1], kind: "Rooms::Closed", members: idsBetween(1, lastReader), planned: 60})
	for id := int64(firstReader); id <= lastReader; id++ {
		for other := id + 1; other <= id+3; other++ {
			add(room{kind: "Rooms::Direct", members: []int64{id, other}, planned: 5})
		}
	}
	return rooms
}

func idsBetween(first, last int64) []int64 {
	var ids []int64
	for id := first; id <= last; id++ {
		ids = append(ids, id)
	}
	return ids
}

// sidebarOf returns what must stand in a person's sidebar, from the top: direct
// conversations with the latest first, then the others by name.
func sidebarOf(rooms []*room, id int64) []string {
	var directs, shared []*room
	for _, r := range rooms {
		switch {
		case !slices.Contains(r.members, id):
		case r.name == "":
			directs = append(directs, r)
		default:
			shared = append(shared, r)
		}
	}
	slices.SortFunc(directs, func(a, b *room) int { return int(b.last - a.last) })
	slices.SortFunc(shared, func(a, b *room) int { return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	var names []string
	for _, r := range append(directs, shared...) {
		names = append(names, r.dom())
	}
	return names
}
