package cable

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobwas/ws"
)

func TestEveryEndUnsubscribesOnceAndOnlyWhatWasConfirmed(t *testing.T) {
	closeFrame := ws.MustCompileFrame(ws.MaskFrame(ws.NewCloseFrame(ws.NewCloseFrameBody(ws.StatusGoingAway, "bye"))))
	for _, tt := range []struct {
		name string
		end  func(*house, *client)
	}{
		{"the client unsubscribes and leaves", func(_ *house, c *client) {
			c.send(commandFor("unsubscribe", room1))
			c.sendRaw(closeFrame)
			c.wantClose(ws.StatusGoingAway)
		}},
		{"the client closes", func(_ *house, c *client) { c.sendRaw(closeFrame); c.wantClose(ws.StatusGoingAway) }},
		{"the connection breaks", func(_ *house, c *client) { c.conn.Close() }},
		{"a remote disconnect", func(h *house, c *client) {
			h.DisconnectUser(1, true)
			c.want(`{"type":"disconnect","reason":"remote","reconnect":true}`)
			c.wantClose(ws.StatusNormalClosure)
		}},
		{"a shutdown", func(h *house, c *client) {
			if err := h.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			c.want(`{"type":"disconnect","reason":"server_restart","reconnect":true}`)
			c.wantClose(ws.StatusGoingAway)
		}},
		{"a hostile frame", func(_ *house, c *client) { c.sendRaw([]byte{0xff, 0}); c.wantClose(ws.StatusProtocolError) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t, nil)
			const locked, broken = `{"channel":"LockedChannel"}`, `{"channel":"BrokenChannel"}`
			c := h.join(1, 1)
			c.subscribe(roomParams(2))
			c.send(commandFor("subscribe", broken))
			c.send(commandFor("subscribe", locked))
			c.want(fmt.Sprintf(`{"identifier":%s,"type":"reject_subscription"}`, quote(locked)))
			done := make(chan struct{})
			go func() { tt.end(h, c); close(done) }()
			<-done
			eventually(t, "the socket has gone", func() bool { return h.Stats().Connections == 0 })
			for params, want := range map[string]int{room1: 1, roomParams(2): 1, locked: 0, broken: 0} {
				if got := h.unsubscriptions(params); got != want {
					t.Errorf("%s was unsubscribed %d times, want %d", params, got, want)
				}
			}
		})
	}
}

func TestASlowClientIsDroppedWhileOthersGetEverything(t *testing.T) {
	const broadcasts = 400
	h := newHouse(t, func(opt *Options) { opt.MaxQueueFrames, opt.WriteTimeout = 64, time.Minute })
	slow, quick := h.join(1, 1), h.join(2, 1)
	got := make(chan string, broadcasts)
	go func() {
		defer close(got)
		for range broadcasts {
			got <- quick.next()
		}
	}()
	payload := strings.Repeat("x", 100<<10)
	for i := range broadcasts {
		message := fmt.Sprintf(`"%d %s"`, i, payload)
		h.Broadcast("room:1", []byte(message))
		want := fmt.Sprintf(`{"identifier":%s,"message":%s}`, quote(room1), message)
		if text := <-got; text != want {
			t.Fatalf("broadcast %d: the quick client got %.80s…", i, text)
		}
	}
	eventually(t, "the slow client is gone", func() bool { return h.Stats().Connections == 1 })
	if got := h.Stats().Dropped; got != 1 {
		t.Errorf("dropped %d, want 1", got)
	}
	slow.conn.SetReadDeadline(time.Now().Add(patience))
	if n, err := io.Copy(io.Discard, slow.in); err == nil && n > broadcasts*100<<10 {
		t.Errorf("the slow client read %d bytes to a clean end", n)
	}
}

func TestAClientThatTakesNothingIsDroppedAfterTheWriteTimeout(t *testing.T) {
	h := newHouse(t, func(opt *Options) { opt.WriteTimeout, opt.MaxQueueBytes = 200*time.Millisecond, 1<<30 })
	h.join(1, 1)
	message := []byte(quote(strings.Repeat("x", 16<<20)))
	h.Broadcast("room:1", message)
	eventually(t, "the socket is gone", func() bool { return h.Stats().Connections == 0 })
	if got := h.unsubscriptions(room1); got != 1 {
		t.Errorf("unsubscribed %d times, want 1", got)
	}
}

func TestBroadcastsOfAStreamArriveInOneOrder(t *testing.T) {
	const publishers, each, listeners = 4, 200, 6
	h := newHouse(t, func(opt *Options) { opt.MaxQueueFrames = publishers * each })
	var clients []*client
	for user := range listeners {
		clients = append(clients, h.join(user, 1))
	}
	var publishing sync.WaitGroup
	for p := range publishers {
		publishing.Go(func() {
			for i := range each {
				h.Broadcast("room:1", fmt.Appendf(nil, `"%d.%d"`, p, i))
			}
		})
	}
	var order []string
	for i, c := range clients {
		var got []string
		for range publishers * each {
			got = append(got, c.next())
		}
		if i == 0 {
			order = got
		}
		if !slices.Equal(got, order) {
			t.Fatalf("client %d got another order than client 0", i)
		}
	}
	publishing.Wait()
	next := make([]int, publishers)
	for _, frame := range order {
		var m struct{ Message string }
		if err := json.Unmarshal([]byte(frame), &m); err != nil {
			t.Fatal(err)
		}
		var p, i int
		if _, err := fmt.Sscanf(m.Message, "%d.%d", &p, &i); err != nil {
			t.Fatal(err)
		}
		if i != next[p] {
			t.Fatalf("publisher %d: got %d, want %d", p, i, next[p])
		}
		next[p]++
	}
}

func TestAThousandSocketsHearABurst(t *testing.T) {
	for _, unprepared := range []bool{false, true} {
		t.Run(fmt.Sprintf("unprepared=%t", unprepared), func(t *testing.T) {
			const sockets, burst = 1000, 20
			h := newHouse(t, func(opt *Options) { opt.NoPreparedFrames = unprepared })
			var clients []*client
			for user := range sockets {
				clients = append(clients, h.join(user, 1))
			}
			for i := range burst {
				h.Broadcast("room:1", fmt.Appendf(nil, `%d`, i))
			}
			for _, c := range clients {
				for i := range burst {
					c.wantMessage(room1, strconv.Itoa(i))
				}
			}
			want := Stats{Connections: sockets, Subscriptions: sockets, Broadcasts: burst, Deliveries: sockets * burst}
			if got := h.Stats(); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestABroadcastToSomeReachesOnlyThese(t *testing.T) {
	h := newHouse(t, nil)
	david, kevin, secondKevin := h.join(1, 1), h.join(2, 1), h.join(2, 1)
	h.BroadcastTo("room:1", []int64{2, 77}, []byte(`"for kevin"`))
	h.BroadcastTo("room:1", nil, []byte(`"for nobody"`))
	kevin.wantMessage(room1, `"for kevin"`)
	secondKevin.wantMessage(room1, `"for kevin"`)
	david.probe()
	kevin.probe()
	if got := h.Stats().Deliveries; got != 2 {
		t.Errorf("delivered %d, want 2", got)
	}
}

func TestARevokedStreamIsSilentForThatUserAlone(t *testing.T) {
	h := newHouse(t, nil)
	david, kevin := h.join(1, 1), h.join(2, 1)
	kevin.subscribe(roomParams(2))
	h.RevokeStream(2, "room:1")
	h.Broadcast("room:1", []byte(`1`))
	h.Broadcast("room:2", []byte(`2`))
	david.wantMessage(room1, `1`)
	kevin.wantMessage(roomParams(2), `2`)
	kevin.probe()
}

func TestNothingBroadcastAfterADisconnectReachesTheUser(t *testing.T) {
	h := newHouse(t, func(opt *Options) { opt.MaxQueueFrames, opt.MaxQueueBytes = 1<<30, 1<<40 })
	kevin, david := h.join(2, 1), h.join(1, 1)
	var revoked atomic.Bool
	stop := make(chan struct{})
	var publishing sync.WaitGroup
	for range 3 {
		publishing.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				message := `"early"`
				if revoked.Load() {
					message = `"late"`
				}
				h.Broadcast("room:1", []byte(message))
			}
		})
	}
	go func() { // somebody must hear it all
		for {
			if _, err := david.nextFrame(); err != nil {
				return
			}
		}
	}()
	kevin.wantMessage(room1, `"early"`)
	h.DisconnectUser(2, false)
	revoked.Store(true)
	for {
		text := kevin.next()
		if strings.Contains(text, "late") {
			t.Error("heard a message that was broadcast after the disconnect")
		}
		if strings.Contains(text, "disconnect") {
			if text != `{"type":"disconnect","reason":"remote","reconnect":false}` {
				t.Errorf("got %s", text)
			}
			break
		}
	}
	kevin.wantClose(ws.StatusNormalClosure)
	close(stop)
	publishing.Wait()
}

func TestASocketThatIsBeingOpenedWhileItsUserIsDisconnectedIsAskedAgain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known bool // the second time
		want  string
	}{
		{"signed out meanwhile", false, `{"type":"disconnect","reason":"unauthorized","reconnect":false}`},
		{"still signed in", true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked atomic.Int64
			var h *house
			h = newHouse(t, func(opt *Options) {
				opt.Authenticate = func(*http.Request) (int64, bool, error) {
					if asked.Add(1) > 1 {
						return 1, tt.known, nil
					}
					h.DisconnectUser(1, false) // commits after we have looked the session up
					return 1, true, nil
				}
			})
			c := h.dial(1)
			c.want(`{"type":"welcome"}`)
			if tt.want == "" {
				c.probe()
			} else {
				c.want(tt.want)
				c.wantClose(ws.StatusNormalClosure)
			}
			if got := asked.Load(); got != 2 {
				t.Errorf("authenticated %d times, want 2", got)
			}
		})
	}
}

func TestAfterAShutdownNobodyIsAdmitted(t *testing.T) {
	h := newHouse(t, nil)
	if err := h.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c, err := h.tryDial("/?user=1"); err == nil {
		if f, err := c.nextFrame(); err == nil {
			t.Errorf("got frame %q, want the end", f.Payload)
		}
	}
	h.Broadcast("room:1", []byte(`1`))
}

func TestAShutdownThatMayNotWaitCutsChannelsOff(t *testing.T) {
	reached := make(chan struct{})
	h := newHouse(t, func(opt *Options) {
		opt.Channels["StuckChannel"] = func(json.RawMessage) Channel { return stuckChannel{reached} }
	})
	c := h.dial(1)
	c.send(commandFor("subscribe", `{"channel":"StuckChannel"}`))
	<-reached
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Shutdown(ctx); err != context.Canceled {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// stuckChannel waits for its context.
type stuckChannel struct{ reached chan struct{} }

func (c stuckChannel) Subscribed(ctx context.Context, _ *Subscription) error {
	close(c.reached)
	<-ctx.Done()
	return ctx.Err()
}
func (stuckChannel) Received(context.Context, *Subscription, string, json.RawMessage) error {
	return nil
}
func (stuckChannel) Unsubscribed(context.Context, *Subscription) {}

func TestClosesFromAllSidesLeaveNothingBehind(t *testing.T) {
	const people, rounds = 12, 15
	h := newHouse(t, nil)
	var busy sync.WaitGroup
	for user := range people {
		busy.Go(func() {
			random := rand.New(rand.NewPCG(uint64(user), 7))
			for range rounds {
				h.visit(user, random)
			}
		})
	}
	stop := make(chan struct{})
	var noise sync.WaitGroup
	noise.Go(func() {
		random := rand.New(rand.NewPCG(99, 7))
		for {
			select {
			case <-stop:
				return
			default:
				h.Broadcast("room:"+strconv.Itoa(random.IntN(3)), []byte(`"noise"`))
				switch random.IntN(20) {
				case 0:
					h.DisconnectUser(random.Int64N(people), true)
				case 1:
					h.RevokeStream(random.Int64N(people), "room:1")
				}
			}
		}
	})
	busy.Wait()
	close(stop)
	noise.Wait()
	eventually(t, "all sockets are gone", func() bool { return h.Stats().Connections == 0 })
	h.mu.Lock()
	defer h.mu.Unlock()
	ended := 0
	for _, times := range h.unsubscribed {
		ended += times
	}
	if ended != h.subscribed || ended == 0 {
		t.Errorf("%d subscriptions were made and %d ended", h.subscribed, ended)
	}
}

// visit opens a socket, does a few things, and ends it in one of many ways; anything
// may fail on the way, because others end it too.
func (h *house) visit(user int, random *rand.Rand) {
	c, err := h.tryDial("/?user=" + strconv.Itoa(user))
	if err != nil {
		h.t.Error(err)
		return
	}
	defer c.conn.Close()
	c.conn.SetDeadline(time.Now().Add(patience))
	for range random.IntN(6) {
		name := []string{"subscribe", "subscribe", "unsubscribe"}[random.IntN(3)]
		command := commandFor(name, roomParams(random.IntN(3)))
		c.conn.Write(ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(command)))))
	}
	switch random.IntN(4) {
	case 0: // leave without a word
	case 1:
		c.conn.Write(ws.MustCompileFrame(ws.MaskFrame(ws.NewCloseFrame(nil))))
		io.Copy(io.Discard, c.in)
	case 2:
		h.DisconnectUser(int64(user), false)
		io.Copy(io.Discard, c.in)
	case 3:
		c.conn.Write([]byte{0xff, 0xff})
		io.Copy(io.Discard, c.in)
	}
}

func TestFramesGatherIntoOneRecordOverTLS(t *testing.T) {
	h := newHouse(t, nil)
	server := httptest.NewTLSServer(h.Hub)
	defer server.Close()
	dialer := ws.Dialer{
		Protocols: []string{Subprotocol},
		Header:    ws.HandshakeHeaderHTTP{"Origin": {server.URL}},
		TLSConfig: server.Client().Transport.(*http.Transport).TLSClientConfig,
	}
	conn, buffered, _, err := dialer.Dial(t.Context(), strings.Replace(server.URL, "https", "wss", 1)+"/?user=1")
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, conn: conn, in: conn}
	if buffered != nil {
		c.in = buffered
	}
	c.want(`{"type":"welcome"}`)
	c.subscribe(room1)
	for i := range 200 {
		h.Broadcast("room:1", []byte(strconv.Itoa(i)))
	}
	for i := range 200 {
		c.wantMessage(room1, strconv.Itoa(i))
	}
	h.DisconnectUser(1, true)
	c.want(`{"type":"disconnect","reason":"remote","reconnect":true}`)
	c.wantClose(ws.StatusNormalClosure)
}
