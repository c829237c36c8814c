package cable

import (
	"context"
	"encoding/json"
	"hash/maphash"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Options say who may connect, what there is to subscribe to, and the bounds. The
// zero value of every bound is ready for production.
type Options struct {
	// Authenticate says who is asking. It may be called twice for one request, the
	// second time because somebody was disconnected meanwhile. An error answers 500.
	Authenticate func(*http.Request) (user int64, ok bool, err error)
	// OriginAllowed says whether the page that opens the socket is one of ours.
	OriginAllowed func(*http.Request) bool
	// Channels are made anew for each subscription; params is the JSON object of the
	// client's identifier.
	Channels map[string]func(params json.RawMessage) Channel
	// Log gets what clients do wrong, a bounded number of lines for each; nil: nobody hears of it.
	Log *slog.Logger

	PingEvery        time.Duration // 0: 3s, of which clients tolerate two missed
	WriteTimeout     time.Duration // longest wait for a client to take what is sent; 0: 10s
	MaxFrame         int           // bytes of one message from a client; 0: 64 KiB
	MaxSubscriptions int           // of one socket; 0: 64
	MaxQueueFrames   int           // that wait for one slow client; 0: 256
	MaxQueueBytes    int           // likewise; 0: 1 MiB, but one larger frame may wait alone
	MaxFramesSecond  int           // from one client, on average; 0: 50
	MaxFramesAtOnce  int           // above that average; 0: 200

	// NoPreparedFrames makes the frame of a broadcast anew for every subscriber: for measurement.
	NoPreparedFrames bool
}

func (opt Options) withDefaults() Options {
	setDefault(&opt.PingEvery, 3*time.Second)
	setDefault(&opt.WriteTimeout, 10*time.Second)
	setDefault(&opt.MaxFrame, 64<<10)
	setDefault(&opt.MaxSubscriptions, 64)
	setDefault(&opt.MaxQueueFrames, 256)
	setDefault(&opt.MaxQueueBytes, 1<<20)
	setDefault(&opt.MaxFramesSecond, 50)
	setDefault(&opt.MaxFramesAtOnce, 200)
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return opt
}

func setDefault[T time.Duration | int](value *T, to T) {
	if *value == 0 {
		*value = to
	}
}

// shards is how many locks the streams are spread over.
const shards = 32

// Hub holds all sockets and streams of a process. All its methods may be called from
// any goroutine.
type Hub struct {
	opt    Options
	seed   maphash.Seed
	shards [shards]shard
	roster roster
	stats  counters

	sockets sync.WaitGroup // those in the roster, and those that are being turned away
	life    context.Context
	kill    context.CancelFunc // ends what channels are doing
}

type counters struct{ connections, subscriptions, broadcasts, deliveries, dropped atomic.Int64 }

// Stats are gauges (connections, subscriptions) and totals since the start.
type Stats struct {
	Connections   int64 // open sockets
	Subscriptions int64 // confirmed, of all sockets
	Broadcasts    int64 // calls of Broadcast and BroadcastTo
	Deliveries    int64 // frames that these put into outboxes
	Dropped       int64 // sockets closed because their client was too slow
}

// New returns a hub without sockets. It starts no goroutine; Run sends the pings.
func New(opt Options) *Hub {
	h := &Hub{opt: opt.withDefaults(), seed: maphash.MakeSeed()}
	h.life, h.kill = context.WithCancel(context.Background())
	return h
}

// Run pings every socket every PingEvery until ctx ends, and returns nil then. Sockets
// are pinged in turn rather than all at once, so that pings don't delay messages.
func (h *Hub) Run(ctx context.Context) error {
	tick := time.NewTicker(h.opt.PingEvery / beats)
	defer tick.Stop()
	for slot := 0; ; slot = (slot + 1) % beats {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			h.roster.ping(slot, now)
		}
	}
}

// Broadcast sends a message, which must be JSON, to every subscription of the stream.
// It returns when the frame is in all outboxes and waits for no client. Subscribers
// get the broadcasts of one stream in the order of the calls.
func (h *Hub) Broadcast(stream string, message []byte) {
	h.broadcast(stream, nil, message)
}

// BroadcastTo is Broadcast for the subscriptions of these users only, whoever else is
// attached to the stream.
func (h *Hub) BroadcastTo(stream string, users []int64, message []byte) {
	only := make(map[int64]struct{}, len(users))
	for _, user := range users {
		only[user] = struct{}{}
	}
	h.broadcast(stream, only, message)
}

func (h *Hub) broadcast(stream string, only map[int64]struct{}, message []byte) {
	delivered := h.shard(stream).broadcast(stream, only, message, !h.opt.NoPreparedFrames)
	h.stats.broadcasts.Add(1)
	h.stats.deliveries.Add(int64(delivered))
}

// Listening reports whether anybody is subscribed to the stream, for broadcasts whose
// message is dear to make and seldom wanted.
func (h *Hub) Listening(stream string) bool { return h.shard(stream).listening(stream) }

// DisconnectUser closes all sockets of the user. When it returns, nothing that is
// broadcast later reaches them, and a socket whose request was authenticated before
// the call will be authenticated again. With reconnect the client comes back by itself
// and subscribes anew, so that its rights are checked again.
func (h *Hub) DisconnectUser(user int64, reconnect bool) {
	h.roster.disconnect(user, disconnectFrame(reasonRemote, reconnect))
}

// RevokeStream detaches the user's subscriptions from the stream without a word; when
// it returns, nothing that is broadcast later reaches the user through them.
func (h *Hub) RevokeStream(user int64, stream string) {
	h.shard(stream).detachUser(stream, user)
}

// Shutdown admits no more sockets, tells the others to come back after a restart, and
// waits until all have gone and their channels have been unsubscribed. When ctx ends
// first, it cuts the connections and the contexts of the channels' methods, waits for
// these, and returns the error of ctx.
func (h *Hub) Shutdown(ctx context.Context) error {
	h.roster.closeAll(disconnectFrame(reasonRestart, true))
	gone := make(chan struct{})
	go func() {
		h.sockets.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		h.kill()
		return nil
	case <-ctx.Done():
		h.kill()
		h.roster.cut()
		<-gone
		return ctx.Err()
	}
}

// Stats returns the numbers of now.
func (h *Hub) Stats() Stats {
	return Stats{
		Connections:   h.stats.connections.Load(),
		Subscriptions: h.stats.subscriptions.Load(),
		Broadcasts:    h.stats.broadcasts.Load(),
		Deliveries:    h.stats.deliveries.Load(),
		Dropped:       h.stats.dropped.Load(),
	}
}

func (h *Hub) shard(stream string) *shard {
	return &h.shards[maphash.String(h.seed, stream)%shards]
}

// leave is the last thing a socket does.
func (h *Hub) leave(c *conn) {
	h.roster.leave(c)
	h.stats.connections.Add(-1)
	h.sockets.Done()
}
