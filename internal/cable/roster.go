package cable

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"
)

// beats is in how many groups the sockets are pinged.
const beats = 30

// roster is all sockets, by user and by when they are pinged.
type roster struct {
	// disconnects counts calls of disconnect. It grows before the roster is searched, so
	// that whoever joins can see that a search may have missed it.
	disconnects atomic.Int64

	mu     sync.Mutex // guards the fields below; never held while waiting
	closed bool
	users  map[int64]map[*conn]struct{}
	slots  [beats]map[*conn]struct{}
	next   int // the slot of the next socket
}

// join adds a socket. After closeAll it doesn't, and reports false.
func (r *roster) join(c *conn, sockets *sync.WaitGroup) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	sockets.Add(1)
	c.slot, r.next = r.next, (r.next+1)%beats
	if r.users == nil {
		r.users = map[int64]map[*conn]struct{}{}
	}
	if r.slots[c.slot] == nil {
		r.slots[c.slot] = map[*conn]struct{}{}
	}
	if r.users[c.user] == nil {
		r.users[c.user] = map[*conn]struct{}{}
	}
	r.slots[c.slot][c] = struct{}{}
	r.users[c.user][c] = struct{}{}
	return true
}

func (r *roster) leave(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.slots[c.slot], c)
	delete(r.users[c.user], c)
	if len(r.users[c.user]) == 0 {
		delete(r.users, c.user)
	}
}

func (r *roster) ping(slot int, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.slots[slot]) == 0 {
		return
	}
	frame := pingFrame(now)
	for c := range r.slots[slot] {
		c.settle(c.out.push(frame))
	}
}

func (r *roster) disconnect(user int64, last []byte) {
	r.disconnects.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.users[user] {
		c.end(ws.StatusNormalClosure, "", last)
	}
}

func (r *roster) closeAll(last []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for c := range r.all {
		c.end(ws.StatusGoingAway, "", last)
	}
}

// cut closes the sockets under the feet of their goroutines.
func (r *roster) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.all {
		c.net.Close()
	}
}

// all yields every socket; the caller holds mu.
func (r *roster) all(yield func(*conn) bool) {
	for _, slot := range r.slots {
		for c := range slot {
			if !yield(c) {
				return
			}
		}
	}
}
