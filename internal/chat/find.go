package chat

import (
	"container/heap"
	"math"
	"slices"
	"time"

	"hearth/internal/rails"
	"hearth/sqlite"
)

// A search wants the newest matches among the messages that the viewer may see.
// The full-text index gives matches by id, newest id first, and can tell of one
// message whether it matches. So there are two ways:
//
//   - down the index, looking up room and time of each match, until what is left
//     is older than the hundred that were found. How soon that is known depends
//     on how well ids follow times (order). Short for rare words, and mostly for
//     words that are frequent in the viewer's rooms. Long for a word that is
//     frequent in rooms that the viewer is not in: every match is looked at.
//   - down the viewer's rooms by time, asking of each message whether it
//     matches. Short for who sees few messages, and for frequent words whatever
//     the ids. Asking about a message costs as much as tens of steps of the
//     first way.
//
// A search goes the first way for some steps. If that is not enough it goes the
// second, as far as that can pay, and then the first to its end, which is always
// right.
const (
	indexFirst = 20_000 // matches to look at before trying the other way
	roomsMost  = 1_000  // messages to ask about before going back
)

// search is one search under way.
type search struct {
	r      *Reader
	viewer UserID
	match  string
	rooms  map[RoomID]bool // that the viewer is in
	lag    time.Duration   // by how much a message can be older than one with a lower id
}

// hit is a message that matches.
type hit struct {
	id     int64
	moment string // created_at as stored
}

// run returns the ids of the newest matches, ascending by time and id.
func (s *search) run() ([]int64, error) {
	if err := s.prepare(); err != nil || len(s.rooms) == 0 {
		return nil, err
	}
	found, complete, err := s.downIndex(indexFirst)
	if err != nil || complete {
		return found, err
	}
	byTime, complete, err := s.downRooms(roomsMost)
	if err != nil || complete {
		return byTime, err
	}
	found, _, err = s.downIndex(math.MaxInt)
	return found, err
}

func (s *search) prepare() error {
	s.rooms = map[RoomID]bool{}
	err := s.r.q.Query(`SELECT room_id FROM memberships WHERE user_id = ?1`, func(row sqlite.Row) error {
		s.rooms[RoomID(row.Int(0))] = true
		return nil
	}, s.viewer)
	if err == nil {
		s.lag, err = s.r.order.lag(s.r.q)
	}
	return err
}

// downIndexSQL walks matches by descending id. CROSS JOIN keeps the planner from
// walking messages instead.
const downIndexSQL = `SELECT m.id, m.room_id, m.created_at FROM message_search_index f CROSS JOIN messages m ON m.id = f.rowid
	WHERE f.message_search_index MATCH ?1 ORDER BY f.rowid DESC`

// downIndex looks at up to most matches, and reports whether that was enough to
// know the newest.
func (s *search) downIndex(most int) (found []int64, complete bool, err error) {
	var newest newestHits
	var moment []byte
	complete = true
	steps := 0
	err = s.r.q.Query(downIndexSQL, func(row sqlite.Row) error {
		if steps++; steps > most {
			complete = false
			return sqlite.ErrStop
		}
		if steps%1024 == 0 && s.r.ctx.Err() != nil {
			return s.r.ctx.Err()
		}
		mine := s.rooms[RoomID(row.Int(1))]
		if !mine && !newest.full() {
			return nil
		}
		moment = row.AppendText(moment[:0], 2)
		if newest.full() && string(moment) < newest.enough {
			return sqlite.ErrStop
		}
		if mine {
			return newest.offer(row.Int(0), moment, s.lag)
		}
		return nil
	}, s.match)
	for len(newest.hits) > 0 {
		found = append(found, heap.Pop(&newest.hits).(hit).id)
	}
	return found, complete, err
}

// newestHits holds the newest searchMax hits that were offered.
type newestHits struct {
	hits   oldestFirst
	enough string // once full: matches with lower ids than one older than this are too old
}

func (n *newestHits) full() bool { return len(n.hits) == searchMax }

func (n *newestHits) offer(id int64, moment []byte, lag time.Duration) error {
	if n.full() {
		if oldest := n.hits[0]; string(moment) < oldest.moment || string(moment) == oldest.moment && id < oldest.id {
			return nil
		}
		heap.Pop(&n.hits)
	}
	heap.Push(&n.hits, hit{id, string(moment)})
	if !n.full() {
		return nil
	}
	oldest, err := rails.ParseTime(n.hits[0].moment)
	// A millisecond more, since moments with fewer digits sort before others
	// that mean the same.
	n.enough = rowTime(oldest.Add(-lag - time.Millisecond))
	return err
}

// oldestFirst is a heap of hits, the oldest on top.
type oldestFirst []hit

func (h oldestFirst) Len() int      { return len(h) }
func (h oldestFirst) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h oldestFirst) Less(i, j int) bool {
	return h[i].moment < h[j].moment || h[i].moment == h[j].moment && h[i].id < h[j].id
}
func (h *oldestFirst) Push(x any) { *h = append(*h, x.(hit)) }
func (h *oldestFirst) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

const (
	roomNewestSQL = `SELECT id, created_at FROM messages WHERE room_id = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2`
	roomOlderSQL  = `SELECT id, created_at FROM messages WHERE room_id = ?1 AND (created_at, id) < (?2, ?3)
	ORDER BY created_at DESC, id DESC LIMIT ?4`
	matchesSQL = `SELECT 1 FROM message_search_index WHERE message_search_index MATCH ?1 AND rowid = ?2`
)

// downRooms asks of up to most messages, newest first over all rooms of the
// viewer, whether they match, and reports whether that was enough to know the
// newest.
func (s *search) downRooms(most int) (found []int64, complete bool, err error) {
	var walk newestFirst
	for room := range s.rooms {
		w := &roomWalk{room: room}
		if more, err := w.advance(s.r.q); err != nil {
			return nil, false, err
		} else if more {
			walk = append(walk, w)
		}
	}
	heap.Init(&walk)
	for len(walk) > 0 {
		if most--; most < 0 {
			return nil, false, nil
		}
		if err := s.r.ctx.Err(); err != nil {
			return nil, false, err
		}
		w := walk[0]
		matches, err := exists(s.r.q, matchesSQL, s.match, w.at().id)
		if err != nil {
			return nil, false, err
		}
		if matches {
			found = append(found, w.at().id)
			if len(found) == searchMax {
				break
			}
		}
		if more, err := w.advance(s.r.q); err != nil {
			return nil, false, err
		} else if more {
			heap.Fix(&walk, 0)
		} else {
			heap.Pop(&walk)
		}
	}
	slices.Reverse(found)
	return found, true, nil
}

// roomWalk goes through one room's messages, newest first, a few at a time.
type roomWalk struct {
	room    RoomID
	ahead   []hit // ahead[0] is where it stands
	fetched int   // how many the last query got
}

func (w *roomWalk) at() hit { return w.ahead[0] }

// advance moves to the next message and reports whether there is one.
func (w *roomWalk) advance(q *sqlite.Queries) (bool, error) {
	const few, many = 4, 128
	last := hit{}
	started := len(w.ahead) > 0
	if started {
		last = w.ahead[0]
		w.ahead = w.ahead[1:]
	}
	if len(w.ahead) > 0 {
		return true, nil
	}
	if started && w.fetched < few {
		return false, nil
	}
	t := texts{}
	add := func(row sqlite.Row) error {
		w.ahead = append(w.ahead, hit{row.Int(0), t.copy(row, 1)})
		return nil
	}
	var err error
	if !started {
		err = q.Query(roomNewestSQL, add, w.room, few)
	} else {
		err = q.Query(roomOlderSQL, add, w.room, last.moment, last.id, many)
	}
	w.fetched = len(w.ahead)
	return w.fetched > 0, err
}

// newestFirst is a heap of walks, the one at the newest message on top.
type newestFirst []*roomWalk

func (h newestFirst) Len() int      { return len(h) }
func (h newestFirst) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h newestFirst) Less(i, j int) bool {
	a, b := h[i].at(), h[j].at()
	return a.moment > b.moment || a.moment == b.moment && a.id > b.id
}
func (h *newestFirst) Push(x any) { *h = append(*h, x.(*roomWalk)) }
func (h *newestFirst) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
