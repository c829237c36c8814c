package cable

import (
	"context"
	"encoding/json"
	"errors"
)

// Channel decides about and serves one subscription. Its methods are called by the
// goroutine of the socket, one at a time; they may read from a database, and while
// they do only their own socket waits. An error is logged; it never ends the socket.
type Channel interface {
	// Subscribed says whether s may subscribe, and attaches it to its stream. ErrReject
	// refuses. With any other error the client gets no answer, and asks again by itself.
	// Attach first and check then: a right that is revoked between the two is then either
	// seen by the check or detached by whoever revoked it.
	Subscribed(ctx context.Context, s *Subscription) error
	// Received is a message from the client; data is the JSON object that holds action.
	// ErrUnknownAction says that there is no such action.
	Received(ctx context.Context, s *Subscription, action string, data json.RawMessage) error
	// Unsubscribed is called once for each subscription that was confirmed, when the client
	// unsubscribes or the socket ends, however it ends.
	Unsubscribed(ctx context.Context, s *Subscription)
}

// ErrReject is what Subscribed returns to refuse a subscription.
var ErrReject = errors.New("cable: subscription rejected")

// ErrUnknownAction is what Received returns for an action that a channel doesn't have.
var ErrUnknownAction = errors.New("cable: unknown action")

// Subscription is one client's interest in one channel. Only the channel's methods
// may use it, and only while they run.
type Subscription struct {
	conn    *conn
	token   string   // the identifier as the client wrote it, a JSON string
	channel Channel  // what serves it
	streams []string // that it was attached to

	confirmed bool // guarded by conn.out.mu
}

// User is who the socket belongs to.
func (s *Subscription) User() int64 { return s.conn.user }

// Hub is what the socket is connected to.
func (s *Subscription) Hub() *Hub { return s.conn.hub }

// StreamFrom attaches the subscription to a stream at once. What is broadcast before
// the subscription is confirmed waits for the confirmation; if it is rejected, nobody
// hears it.
func (s *Subscription) StreamFrom(name string) {
	s.streams = append(s.streams, name)
	s.conn.hub.shard(name).attach(name, s)
}

// Transmit sends a message, which must be JSON, to this subscription alone.
func (s *Subscription) Transmit(message []byte) {
	s.send(messageFrame(s.token, message))
}

func (s *Subscription) send(frame []byte) bool {
	return s.conn.settle(s.conn.out.pushTo(s, frame))
}

// detach ends all streams; what is broadcast from now on doesn't reach s.
func (s *Subscription) detach() {
	for _, name := range s.streams {
		s.conn.hub.shard(name).detach(name, s)
	}
}
