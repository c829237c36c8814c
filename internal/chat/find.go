package chat

import (
	"container/heap"
	"math"
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
//   - asking of each message that the viewer sees whether it matches. Each answer
//     is dear, a fifth of a millisecond for a frequent word in a big index, so this is
//     for who sees few messages: somebody new, or a guest.
//
// A search goes the first way for some steps. If that is not enough, it takes the
// second if there are few messages to ask about, else the first to its end.
const (
	indexFirst = 20_000 // matches to look at before thinking again
	askMost    = 200    // messages to ask about
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
	few, err := s.fewMessages()
	if err != nil {
		return nil, err
	}
	if len(few) <= askMost {
		return s.ask(few)
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
		if newest.full() && string(moment) < newest.enough && readable(moment) {
			return sqlite.ErrStop
		}
		if mine {
			newest.offer(row.Int(0), moment, s.lag)
		}
		return nil
	}, s.match)
	return newest.ascending(), complete, err
}

// newestHits holds the newest searchMax hits that were offered.
type newestHits struct {
	hits   oldestFirst
	enough string // once full: matches with lower ids than one older than this are too old
}

// ascending empties n.
func (n *newestHits) ascending() (ids []int64) {
	for len(n.hits) > 0 {
		ids = append(ids, heap.Pop(&n.hits).(hit).id)
	}
	return ids
}

func (n *newestHits) full() bool { return len(n.hits) == searchMax }

func (n *newestHits) offer(id int64, moment []byte, lag time.Duration) {
	if n.full() {
		if oldest := n.hits[0]; string(moment) < oldest.moment || string(moment) == oldest.moment && id < oldest.id {
			return
		}
		heap.Pop(&n.hits)
	}
	heap.Push(&n.hits, hit{id, string(moment)})
	if !n.full() {
		return
	}
	if oldest, err := rails.ParseTime(n.hits[0].moment); err == nil {
		// A millisecond more, since moments with fewer digits sort before others
		// that mean the same.
		n.enough = rowTime(oldest.Add(-lag - time.Millisecond))
	}
}

// readable reports whether a stored moment is one that the order of messages
// knows of (see progress.extend).
func readable(moment []byte) bool {
	_, err := rails.ParseTime(string(moment))
	return err == nil
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
	visibleSQL = `SELECT m.id FROM memberships mine CROSS JOIN messages m ON m.room_id = mine.room_id WHERE mine.user_id = ?1 LIMIT ?2`
	matchesSQL = `SELECT m.created_at FROM message_search_index f CROSS JOIN messages m ON m.id = f.rowid
	WHERE f.message_search_index MATCH ?1 AND f.rowid = ?2`
)

// fewMessages returns all messages that the viewer may see, or more than askMost
// of them.
func (s *search) fewMessages() ([]int64, error) {
	var ids []int64
	err := s.r.q.Query(visibleSQL, func(row sqlite.Row) error {
		ids = append(ids, row.Int(0))
		return nil
	}, s.viewer, askMost+1)
	return ids, err
}

// ask returns the newest of ids that match, ascending by time and id.
func (s *search) ask(ids []int64) (found []int64, err error) {
	var newest newestHits
	for _, id := range ids {
		_, err := s.r.q.One(matchesSQL, func(row sqlite.Row) error {
			newest.offer(id, row.AppendText(nil, 0), 0)
			return nil
		}, s.match, id)
		if err != nil {
			return nil, err
		}
	}
	return newest.ascending(), nil
}
