package cable

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobwas/ws"
)

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// TestMain fails when any socket's goroutine outlives its hub.
func TestMain(m *testing.M) {
	code := m.Run()
	if left := waitForSockets(); left != "" {
		fmt.Fprintln(os.Stderr, "goroutines of sockets are left:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// waitForSockets returns the stacks of sockets that don't end.
func waitForSockets() string {
	for deadline := time.Now().Add(5 * time.Second); ; runtime.Gosched() {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if !bytes.Contains(stacks, []byte("cable.(*conn)")) {
			return ""
		}
		if time.Now().After(deadline) {
			return string(stacks)
		}
	}
}

// house is a hub behind a real server, with the channels that the tests need.
type house struct {
	*Hub
	server *httptest.Server
	t      testing.TB

	mu           sync.Mutex
	subscribed   int
	unsubscribed map[string]int // by params
	received     chan string    // "action data" of RoomChannel
	stop         context.CancelFunc
	pings        sync.WaitGroup
}

// newHouse lets tests change the options. Users are named by the query: /?user=7.
func newHouse(t testing.TB, change func(*Options)) *house {
	h := &house{t: t, unsubscribed: map[string]int{}, received: make(chan string, 100)}
	opt := Options{
		Authenticate: func(r *http.Request) (int64, bool, error) {
			user, err := strconv.ParseInt(r.URL.Query().Get("user"), 10, 64)
			return user, err == nil, nil
		},
		OriginAllowed: func(r *http.Request) bool { return strings.HasSuffix(r.Header.Get("Origin"), "://"+r.Host) },
		Log:           slog.New(slog.DiscardHandler),
		Channels: map[string]func(json.RawMessage) Channel{
			"RoomChannel":   func(params json.RawMessage) Channel { return &roomChannel{house: h, params: params} },
			"LockedChannel": func(params json.RawMessage) Channel { return &lockedChannel{house: h, params: params} },
			"BrokenChannel": func(params json.RawMessage) Channel { return &brokenChannel{house: h, params: params} },
		},
	}
	if change != nil {
		change(&opt)
	}
	h.Hub = New(opt)
	h.server = httptest.NewServer(h.Hub)
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop
	h.pings.Go(func() { h.Run(ctx) })
	t.Cleanup(h.close)
	return h
}

func (h *house) close() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := h.Shutdown(ctx); err != nil {
		h.t.Errorf("shutdown: %v", err)
	}
	h.stop()
	h.pings.Wait()
	h.server.Close()
	if got := h.Stats(); got.Connections != 0 || got.Subscriptions != 0 {
		h.t.Errorf("after the shutdown: %+v", got)
	}
	for i := range h.shards {
		if left := len(h.shards[i].streams); left != 0 {
			h.t.Errorf("shard %d still has %d streams", i, left)
		}
	}
}

func (h *house) count(params json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.unsubscribed[string(params)]++
}

func (h *house) unsubscriptions(params string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.unsubscribed[params]
}

// roomChannel streams "room:<room>" and says something to its subscriber on request.
type roomChannel struct {
	house  *house
	params json.RawMessage
	room   struct{ Room json.Number }
}

func (c *roomChannel) Subscribed(_ context.Context, s *Subscription) error {
	if err := json.Unmarshal(c.params, &c.room); err != nil {
		return ErrReject
	}
	s.StreamFrom("room:" + c.room.Room.String())
	c.house.mu.Lock()
	c.house.subscribed++
	c.house.mu.Unlock()
	return nil
}

func (c *roomChannel) Received(_ context.Context, s *Subscription, action string, data json.RawMessage) error {
	switch action {
	case "say", "receive":
		c.house.received <- action + " " + string(data)
	case "whisper":
		s.Transmit([]byte(`"psst"`))
	case "panic":
		panic("as the client wished")
	default:
		return ErrUnknownAction
	}
	return nil
}

func (c *roomChannel) Unsubscribed(context.Context, *Subscription) { c.house.count(c.params) }

// lockedChannel attaches, broadcasts to itself, and rejects.
type lockedChannel struct {
	house  *house
	params json.RawMessage
}

func (c *lockedChannel) Subscribed(_ context.Context, s *Subscription) error {
	s.StreamFrom("locked")
	c.house.Broadcast("locked", []byte(`"secret"`))
	return fmt.Errorf("not a member: %w", ErrReject)
}
func (c *lockedChannel) Received(context.Context, *Subscription, string, json.RawMessage) error {
	return nil
}
func (c *lockedChannel) Unsubscribed(context.Context, *Subscription) { c.house.count(c.params) }

// brokenChannel can't say whether somebody may subscribe.
type brokenChannel struct {
	house  *house
	params json.RawMessage
}

func (c *brokenChannel) Subscribed(_ context.Context, s *Subscription) error {
	s.StreamFrom("broken")
	if strings.Contains(string(c.params), "panic") {
		panic("as the client wished")
	}
	return io.ErrUnexpectedEOF
}
func (c *brokenChannel) Received(context.Context, *Subscription, string, json.RawMessage) error {
	return nil
}
func (c *brokenChannel) Unsubscribed(context.Context, *Subscription) { c.house.count(c.params) }

// client is the other end of a socket, in Go.
type client struct {
	t    testing.TB
	conn net.Conn
	in   io.Reader
	hs   ws.Handshake
}

func (h *house) dial(user int) *client {
	h.t.Helper()
	return h.dialPath("/?user=" + strconv.Itoa(user))
}

func (h *house) dialPath(path string) *client {
	h.t.Helper()
	c, err := h.tryDial(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

func (h *house) tryDial(path string) (*client, error) {
	dialer := ws.Dialer{
		Timeout:   patience,
		Protocols: []string{Subprotocol, "actioncable-unsupported"},
		Header:    ws.HandshakeHeaderHTTP{"Origin": {h.server.URL}},
	}
	conn, buffered, hs, err := dialer.Dial(context.Background(), strings.Replace(h.server.URL, "http", "ws", 1)+path)
	if err != nil {
		return nil, err
	}
	c := &client{t: h.t, conn: conn, in: conn, hs: hs}
	if buffered != nil {
		c.in = buffered // it reads on from the connection
	}
	h.t.Cleanup(func() { conn.Close() })
	return c, nil
}

// join dials, and subscribes to a room.
func (h *house) join(user, room int) *client {
	h.t.Helper()
	c := h.dial(user)
	c.want(`{"type":"welcome"}`)
	c.subscribe(roomParams(room))
	return c
}

func roomParams(room int) string { return fmt.Sprintf(`{"channel":"RoomChannel","room":%d}`, room) }

func (c *client) subscribe(params string) {
	c.t.Helper()
	c.send(commandFor("subscribe", params))
	c.want(fmt.Sprintf(`{"identifier":%s,"type":"confirm_subscription"}`, quote(params)))
}

func commandFor(name, params string) string {
	return fmt.Sprintf(`{"command":%q,"identifier":%s}`, name, quote(params))
}

func messageFor(params, data string) string {
	return fmt.Sprintf(`{"command":"message","identifier":%s,"data":%s}`, quote(params), quote(data))
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

func (c *client) send(text string) {
	c.t.Helper()
	c.sendRaw(ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(text)))))
}

func (c *client) sendRaw(frame []byte) {
	c.t.Helper()
	c.conn.SetWriteDeadline(time.Now().Add(patience))
	if _, err := c.conn.Write(frame); err != nil {
		c.t.Fatalf("write: %v", err)
	}
}

// nextFrame reads one frame of any kind.
func (c *client) nextFrame() (ws.Frame, error) {
	c.conn.SetReadDeadline(time.Now().Add(patience))
	h, err := ws.ReadHeader(c.in)
	if err != nil {
		return ws.Frame{}, err
	}
	payload := make([]byte, h.Length)
	_, err = io.ReadFull(c.in, payload)
	return ws.Frame{Header: h, Payload: payload}, err
}

// next returns the next text, pings left out.
func (c *client) next() string {
	c.t.Helper()
	for {
		f, err := c.nextFrame()
		if err != nil {
			c.t.Fatalf("read: %v", err)
		}
		if f.Header.OpCode != ws.OpText || f.Header.Masked || !f.Header.Fin {
			c.t.Fatalf("got frame %+v %q, want one text", f.Header, f.Payload)
		}
		if !bytes.HasPrefix(f.Payload, []byte(`{"type":"ping"`)) {
			return string(f.Payload)
		}
	}
}

func (c *client) want(text string) {
	c.t.Helper()
	if got := c.next(); got != text {
		c.t.Fatalf("got frame %s, want %s", got, text)
	}
}

func (c *client) wantMessage(params, message string) {
	c.t.Helper()
	c.want(fmt.Sprintf(`{"identifier":%s,"message":%s}`, quote(params), message))
}

// probe proves that the socket lives and that nothing was sent before its answer.
func (c *client) probe() {
	c.t.Helper()
	const params = `{"channel":"RoomChannel","room":99999}`
	c.subscribe(params)
	c.send(commandFor("unsubscribe", params))
}

// wantClose reads the close frame and then the end of the stream, and closes its own end.
func (c *client) wantClose(code ws.StatusCode) {
	c.t.Helper()
	for {
		f, err := c.nextFrame()
		if err != nil {
			c.t.Fatalf("read: %v, want a close frame", err)
		}
		if bytes.HasPrefix(f.Payload, []byte(`{"type":"ping"`)) {
			continue
		}
		if f.Header.OpCode != ws.OpClose || len(f.Payload) < 2 {
			c.t.Fatalf("got frame %+v %q, want a close frame", f.Header, f.Payload)
		}
		if got, _ := ws.ParseCloseFrameData(f.Payload); got != code {
			c.t.Fatalf("got close code %d, want %d", got, code)
		}
		break
	}
	if f, err := c.nextFrame(); err != io.EOF {
		c.t.Fatalf("after the close frame: %+v, %v, want the end", f, err)
	}
	c.conn.Close()
}

// eventually waits for what other goroutines are about to bring about.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("still not: %s", what)
		}
	}
}
