package cable

import (
	"bytes"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
)

// rawFrame builds a frame that may break any rule.
func rawFrame(h ws.Header, payload []byte) []byte {
	var b bytes.Buffer
	if h.Length == 0 {
		h.Length = int64(len(payload))
	}
	if err := ws.WriteHeader(&b, h); err != nil {
		panic(err)
	}
	masked := bytes.Clone(payload)
	if h.Masked {
		ws.Cipher(masked, h.Mask, 0)
	}
	b.Write(masked)
	return b.Bytes()
}

func masked(op ws.OpCode, final bool) ws.Header {
	return ws.Header{Fin: final, OpCode: op, Masked: true, Mask: [4]byte{1, 2, 3, 4}}
}

func repeat(times int, frame []byte) []byte { return bytes.Repeat(frame, times) }

func TestHostileFramesGetOneClearClose(t *testing.T) {
	text, cont := masked(ws.OpText, true), masked(ws.OpContinuation, false)
	first := masked(ws.OpText, false)
	rsv := text
	rsv.Rsv = 4
	unmasked := ws.Header{Fin: true, OpCode: ws.OpText}
	longer := text
	longer.Length = 1 << 40
	for _, tt := range []struct {
		name string
		send []byte
		want ws.StatusCode
	}{
		{"a message over 64 KB", rawFrame(text, make([]byte, 64<<10+1)), ws.StatusMessageTooBig},
		{"a length of a terabyte", rawFrame(longer, nil), ws.StatusMessageTooBig},
		{"a length with the top bit", []byte{0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4}, ws.StatusProtocolError},
		{"invalid UTF-8", rawFrame(text, []byte("{\"command\":\"\xff\"}")), ws.StatusInvalidFramePayloadData},
		{"half a character", rawFrame(text, []byte("\xe2\x82")), ws.StatusInvalidFramePayloadData},
		{"no mask", rawFrame(unmasked, []byte(`{}`)), ws.StatusProtocolError},
		{"binary", rawFrame(masked(ws.OpBinary, true), []byte(`{}`)), ws.StatusUnsupportedData},
		{"a compressed frame", rawFrame(rsv, []byte(`{}`)), ws.StatusProtocolError},
		{"a reserved op code", rawFrame(masked(3, true), nil), ws.StatusProtocolError},
		{"a reserved control code", rawFrame(masked(11, true), nil), ws.StatusProtocolError},
		{"a continuation of nothing", rawFrame(masked(ws.OpContinuation, true), []byte(`{}`)), ws.StatusProtocolError},
		{"a text inside a text", append(rawFrame(first, []byte(`{`)), rawFrame(text, []byte(`{}`))...), ws.StatusProtocolError},
		{"fragments over 64 KB together", append(rawFrame(first, make([]byte, 60<<10)), rawFrame(cont, make([]byte, 5<<10))...), ws.StatusMessageTooBig},
		{"fragments without end", append(rawFrame(first, nil), repeat(200, rawFrame(cont, nil))...), ws.StatusPolicyViolation},
		{"invalid UTF-8 over two fragments", append(rawFrame(first, []byte("\xe2")), rawFrame(masked(ws.OpContinuation, true), []byte("x"))...), ws.StatusInvalidFramePayloadData},
		{"a ping of 126 bytes", rawFrame(masked(ws.OpPing, true), make([]byte, 126)), ws.StatusProtocolError},
		{"a huge ping", rawFrame(masked(ws.OpPing, true), make([]byte, 70000)), ws.StatusProtocolError},
		{"a ping in fragments", rawFrame(masked(ws.OpPing, false), nil), ws.StatusProtocolError},
		{"a huge close", rawFrame(masked(ws.OpClose, true), make([]byte, 200)), ws.StatusProtocolError},
		{"a close of one byte", rawFrame(masked(ws.OpClose, true), []byte{3}), ws.StatusProtocolError},
		{"a close with a code that must not be sent", rawFrame(masked(ws.OpClose, true), []byte{3, 0xee}), ws.StatusProtocolError},
		{"a close with code 65535", rawFrame(masked(ws.OpClose, true), []byte{0xff, 0xff}), ws.StatusProtocolError},
		{"a close with broken words", rawFrame(masked(ws.OpClose, true), []byte{3, 0xe8, 0xff}), ws.StatusInvalidFramePayloadData},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t, nil)
			c, other := h.join(1, 1), h.join(1, 1)
			c.sendRaw(tt.send)
			c.wantClose(tt.want)
			eventually(t, "the hostile socket is unsubscribed", func() bool { return h.unsubscriptions(room1) == 1 })
			other.probe()
		})
	}
}

func TestAMessageOf64KBInFragmentsWithAPingBetweenIsRead(t *testing.T) {
	h := newHouse(t, nil)
	c := h.join(1, 1)
	command := messageFor(room1, `{"action":"say","x":"`+strings.Repeat("x", 65400)+`"}`)
	third := len(command) / 3
	c.sendRaw(rawFrame(masked(ws.OpText, false), []byte(command[:third])))
	c.sendRaw(rawFrame(masked(ws.OpPing, true), []byte("now")))
	c.sendRaw(rawFrame(masked(ws.OpContinuation, false), []byte(command[third:2*third])))
	c.sendRaw(rawFrame(masked(ws.OpContinuation, true), []byte(command[2*third:])))
	if got := <-h.received; !strings.HasPrefix(got, `say {"action":"say","x":"xxx`) || len(got) < 65400 {
		t.Errorf("got %d bytes: %.40s", len(got), got)
	}
	if f, err := c.nextFrame(); err != nil || f.Header.OpCode != ws.OpPong {
		t.Errorf("got %+v %v, want the pong", f.Header, err)
	}
}

func TestTooManySubscriptionsAreOneClearClose(t *testing.T) {
	h := newHouse(t, func(opt *Options) { opt.MaxSubscriptions = 5 })
	c := h.dial(1)
	c.want(`{"type":"welcome"}`)
	for room := range 5 {
		c.subscribe(roomParams(room))
	}
	c.send(commandFor("subscribe", roomParams(5)))
	c.wantClose(ws.StatusPolicyViolation)
}

func TestAFloodOfCommandsIsOneClearClose(t *testing.T) {
	h := newHouse(t, func(opt *Options) { opt.MaxFramesSecond, opt.MaxFramesAtOnce = 1, 20 })
	c := h.join(1, 1) // one frame, and a probe's few more
	for range 100 {
		c.sendRaw(rawFrame(masked(ws.OpText, true), []byte(messageFor(room1, `{"action":"say"}`))))
	}
	c.wantClose(ws.StatusPolicyViolation)
}

func TestFramesBelowTheRateAreNeverTooMany(t *testing.T) {
	c := &conn{hub: New(Options{MaxFramesSecond: 10, MaxFramesAtOnce: 5})}
	now := time.Unix(1_800_000_000, 0)
	for i := range 1000 {
		if err := c.spend(now); err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		now = now.Add(100 * time.Millisecond)
	}
	for range 5 {
		c.spend(now)
	}
	if err := c.spend(now); err == nil {
		t.Error("six frames at once went through a bound of five")
	}
}

func TestAClientThatStopsInsideAFrameIsClosedAtShutdown(t *testing.T) {
	h := newHouse(t, nil)
	c := h.join(1, 1)
	c.sendRaw(rawFrame(masked(ws.OpText, true), make([]byte, 1000))[:500])
	c.conn.SetReadDeadline(time.Now().Add(patience))
}

func TestAPingFloodFromAClientThatDoesNotReadDropsIt(t *testing.T) {
	h := newHouse(t, func(opt *Options) { opt.MaxQueueFrames = 16 })
	c := h.join(1, 1)
	ping := repeat(1000, rawFrame(masked(ws.OpPing, true), make([]byte, 125)))
	c.conn.SetWriteDeadline(time.Now().Add(patience))
	for h.Stats().Dropped == 0 {
		if _, err := c.conn.Write(ping); err != nil {
			break
		}
	}
	eventually(t, "the flood's socket is gone", func() bool { return h.Stats().Connections == 0 })
}

// dialTogetherWith sends a command in the packet of the handshake.
func (h *house) dialTogetherWith(command string) *client {
	h.t.Helper()
	conn, err := net.Dial("tcp", h.server.Listener.Addr().String())
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { conn.Close() })
	r, err := http.NewRequest("GET", h.server.URL+"/?user=1", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header = http.Header{"Origin": {h.server.URL}, "Connection": {"Upgrade"}, "Upgrade": {"websocket"},
		"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="}}
	var packet bytes.Buffer
	if err := r.Write(&packet); err != nil {
		h.t.Fatal(err)
	}
	packet.Write(rawFrame(masked(ws.OpText, true), []byte(command)))
	c := &client{t: h.t, conn: conn, in: conn}
	c.sendRaw(packet.Bytes())
	conn.SetReadDeadline(time.Now().Add(patience))
	var head []byte
	for one := make([]byte, 1); !bytes.HasSuffix(head, []byte("\r\n\r\n")); head = append(head, one...) {
		if _, err := conn.Read(one); err != nil {
			h.t.Fatal(err)
		}
	}
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 101 ")) {
		h.t.Fatalf("got %s, want 101", head)
	}
	return c
}
