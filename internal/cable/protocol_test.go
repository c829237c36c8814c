package cable

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
)

func TestASocketIsWelcomedAndPingedWithTheTime(t *testing.T) {
	h := newHouse(t, func(opt *Options) { opt.PingEvery = 60 * time.Millisecond })
	c := h.dial(1)
	if got := c.hs.Protocol; got != Subprotocol {
		t.Errorf("got subprotocol %q, want %q", got, Subprotocol)
	}
	c.want(`{"type":"welcome"}`)
	for range 3 {
		f, err := c.nextFrame()
		if err != nil {
			t.Fatal(err)
		}
		var ping struct {
			Type    string
			Message int64
		}
		if err := json.Unmarshal(f.Payload, &ping); err != nil || ping.Type != "ping" {
			t.Fatalf("got %s (%v), want a ping", f.Payload, err)
		}
		if age := time.Since(time.Unix(ping.Message, 0)); age < -time.Second || age > patience {
			t.Errorf("the ping's time is %v ago", age)
		}
	}
}

func TestRequestsThatAreNoSocketsFromOurPagesAreNotFound(t *testing.T) {
	h := newHouse(t, nil)
	for _, tt := range []struct {
		name   string
		change func(*http.Request)
	}{
		{"a plain request", func(r *http.Request) { r.Header.Del("Upgrade"); r.Header.Del("Connection") }},
		{"no upgrade", func(r *http.Request) { r.Header.Del("Upgrade") }},
		{"another protocol", func(r *http.Request) { r.Header.Set("Upgrade", "h2c") }},
		{"no connection header", func(r *http.Request) { r.Header.Set("Connection", "keep-alive") }},
		{"an old version", func(r *http.Request) { r.Header.Set("Sec-WebSocket-Version", "8") }},
		{"no version", func(r *http.Request) { r.Header.Del("Sec-WebSocket-Version") }},
		{"no key", func(r *http.Request) { r.Header.Del("Sec-WebSocket-Key") }},
		{"a short key", func(r *http.Request) { r.Header.Set("Sec-WebSocket-Key", "abc") }},
		{"POST", func(r *http.Request) { r.Method = "POST" }},
		{"no origin", func(r *http.Request) { r.Header.Del("Origin") }},
		{"another site's page", func(r *http.Request) { r.Header.Set("Origin", "http://evil.test") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := http.NewRequest("GET", h.server.URL+"/?user=1", nil)
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range map[string]string{"Origin": h.server.URL, "Connection": "Upgrade", "Upgrade": "websocket",
				"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} {
				r.Header.Set(name, value)
			}
			tt.change(r)
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body := make([]byte, 100)
			n, _ := response.Body.Read(body)
			if response.StatusCode != 404 || string(body[:n]) != "Page not found" || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/plain") {
				t.Errorf("got %d %s %q, want 404 text/plain \"Page not found\"", response.StatusCode, response.Header.Get("Content-Type"), body[:n])
			}
		})
	}
}

func TestSomebodyUnknownIsToldToStayAway(t *testing.T) {
	h := newHouse(t, nil)
	c := h.dialPath("/")
	c.want(`{"type":"disconnect","reason":"unauthorized","reconnect":false}`)
	c.wantClose(ws.StatusNormalClosure)
}

func TestAFailingAuthenticationIsAnErrorOfTheServer(t *testing.T) {
	h := newHouse(t, func(opt *Options) {
		opt.Authenticate = func(*http.Request) (int64, bool, error) { return 0, false, context.DeadlineExceeded }
	})
	_, err := h.tryDial("/?user=1")
	if status, ok := err.(ws.StatusError); !ok || int(status) != 500 {
		t.Errorf("got %v, want status 500", err)
	}
}

func TestAClientThatSpeaksOnlySomethingElseGetsNoSubprotocol(t *testing.T) {
	h := newHouse(t, nil)
	dialer := ws.Dialer{Header: ws.HandshakeHeaderHTTP{"Origin": {h.server.URL}}}
	conn, _, hs, err := dialer.Dial(t.Context(), strings.Replace(h.server.URL, "http", "ws", 1)+"/?user=1")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if hs.Protocol != "" || len(hs.Extensions) != 0 {
		t.Errorf("got subprotocol %q and extensions %v, want none", hs.Protocol, hs.Extensions)
	}
}

func TestCommandsThatComeWithTheHandshakeAreRead(t *testing.T) {
	h := newHouse(t, nil)
	c := h.dialTogetherWith(commandFor("subscribe", roomParams(1)))
	c.want(`{"type":"welcome"}`)
	c.want(fmt.Sprintf(`{"identifier":%s,"type":"confirm_subscription"}`, quote(roomParams(1))))
}

// room1 is what every row of the table below starts with: a confirmed subscription.
var room1 = roomParams(1)

func TestCommandsAndTheirAnswers(t *testing.T) {
	confirm := func(token string) string { return `{"identifier":` + token + `,"type":"confirm_subscription"}` }
	for _, tt := range []struct {
		name string
		send string
		want []string // in order; then nothing
	}{
		{"subscribe", commandFor("subscribe", roomParams(2)), []string{confirm(quote(roomParams(2)))}},
		{"the same again", commandFor("subscribe", room1), nil},
		{"the same room with other bytes", commandFor("subscribe", `{"channel":"RoomChannel", "room":1}`), []string{confirm(quote(`{"channel":"RoomChannel", "room":1}`))}},
		{"an identifier comes back byte by byte",
			`{"identifier":"{\"channel\":\"RoomChannel\",\"room\":3,\"x\":\"\u003cé\ud83d\ude00\ud800\/\"}","command":"subscribe"}`,
			[]string{confirm(`"{\"channel\":\"RoomChannel\",\"room\":3,\"x\":\"\u003cé\ud83d\ude00\ud800\/\"}"`)}},
		{"rejected", commandFor("subscribe", `{"channel":"LockedChannel"}`), []string{`{"identifier":"{\"channel\":\"LockedChannel\"}","type":"reject_subscription"}`}},
		{"bad parameters", commandFor("subscribe", `{"channel":"RoomChannel","room":{}}`), []string{`{"identifier":"{\"channel\":\"RoomChannel\",\"room\":{}}","type":"reject_subscription"}`}},
		{"a channel that fails", commandFor("subscribe", `{"channel":"BrokenChannel"}`), nil},
		{"a channel that panics", commandFor("subscribe", `{"channel":"BrokenChannel","how":"panic"}`), nil},
		{"an unknown channel", commandFor("subscribe", `{"channel":"NoChannel"}`), nil},
		{"no channel", commandFor("subscribe", `{}`), nil},
		{"a channel that is a number", commandFor("subscribe", `{"channel":5}`), nil},
		{"unsubscribe", commandFor("unsubscribe", room1), nil},
		{"unsubscribe from nothing", commandFor("unsubscribe", roomParams(8)), nil},
		{"a message", messageFor(room1, `{"action":"whisper"}`), []string{`{"identifier":` + quote(room1) + `,"message":"psst"}`}},
		{"a message to nothing", messageFor(roomParams(8), `{"action":"whisper"}`), nil},
		{"an unknown action", messageFor(room1, `{"action":"fly"}`), nil},
		{"an action that panics", messageFor(room1, `{"action":"panic"}`), nil},
		{"an action that is a number", messageFor(room1, `{"action":7}`), nil},
		{"data that is no JSON", messageFor(room1, `whisper`), nil},
		{"data that is a list", messageFor(room1, `[]`), nil},
		{"data that is null", messageFor(room1, `null`), nil},
		{"data that is an object", `{"command":"message","identifier":` + quote(room1) + `,"data":{"action":"whisper"}}`, nil},
		{"no data", commandFor("message", room1), nil},
		{"an unknown command", commandFor("sing", room1), nil},
		{"no command", `{}`, nil},
		{"no identifier", `{"command":"subscribe"}`, nil},
		{"an identifier that is an object", `{"command":"subscribe","identifier":{"channel":"RoomChannel"}}`, nil},
		{"an identifier that is null", `{"command":"subscribe","identifier":null}`, nil},
		{"an identifier that holds no JSON", `{"command":"subscribe","identifier":"RoomChannel"}`, nil},
		{"an identifier that holds null", `{"command":"subscribe","identifier":"null"}`, nil},
		{"no JSON", `subscribe please`, nil},
		{"half of it", `{"command":"subscribe","identifier":"{`, nil},
		{"a list", `[1,2,3]`, nil},
		{"null", `null`, nil},
		{"nothing", ``, nil},
		{"deep nesting", strings.Repeat("[", 60000), nil},
		{"deep nesting inside", commandFor("subscribe", `{"channel":`+strings.Repeat("[", 30000)), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t, nil)
			c := h.join(1, 1)
			c.send(tt.send)
			for _, want := range tt.want {
				c.want(want)
			}
			c.probe()
		})
	}
}

func TestActionsArriveWithTheirData(t *testing.T) {
	h := newHouse(t, nil)
	c := h.join(1, 1)
	for _, tt := range []struct{ data, want string }{
		{`{"action":"say", "what":"hello"}`, `say {"action":"say", "what":"hello"}`},
		{`{"what":"hello"}`, `receive {"what":"hello"}`},
	} {
		c.send(messageFor(room1, tt.data))
		if got := <-h.received; got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestOnlySubscribersHearABroadcast(t *testing.T) {
	h := newHouse(t, nil)
	david, kevin, lou := h.join(1, 1), h.join(2, 1), h.join(3, 2)
	kevin.send(commandFor("unsubscribe", room1))
	kevin.probe()
	h.Broadcast("room:1", []byte(`{"text":"<b>"}`))
	h.Broadcast("room:nobody", []byte(`1`))
	david.wantMessage(room1, `{"text":"<b>"}`)
	kevin.probe()
	lou.probe()
	for stream, want := range map[string]bool{"room:1": true, "room:2": true, "room:3": false} {
		if got := h.Listening(stream); got != want {
			t.Errorf("Listening(%q) is %t, want %t", stream, got, want)
		}
	}
	want := Stats{Connections: 3, Subscriptions: 2, Broadcasts: 2, Deliveries: 1}
	eventually(t, "probes are unsubscribed", func() bool { return h.Stats() == want })
}

func TestWhatIsBroadcastWhileSubscribingComesAfterTheConfirmation(t *testing.T) {
	h := newHouse(t, func(opt *Options) {
		opt.Channels["EagerChannel"] = func(json.RawMessage) Channel { return &eagerChannel{} }
	})
	c := h.dial(1)
	c.want(`{"type":"welcome"}`)
	c.subscribe(`{"channel":"EagerChannel"}`)
	c.wantMessage(`{"channel":"EagerChannel"}`, `1`)
	c.wantMessage(`{"channel":"EagerChannel"}`, `2`)
	c.probe()
}

// eagerChannel broadcasts on its own stream before it is confirmed.
type eagerChannel struct{}

func (*eagerChannel) Subscribed(_ context.Context, s *Subscription) error {
	s.StreamFrom("eager")
	s.conn.hub.Broadcast("eager", []byte(`1`))
	s.Transmit([]byte(`2`))
	return nil
}
func (*eagerChannel) Received(context.Context, *Subscription, string, json.RawMessage) error {
	return nil
}
func (*eagerChannel) Unsubscribed(context.Context, *Subscription) {}

func TestFramesOfEveryLengthArrive(t *testing.T) {
	h := newHouse(t, nil)
	c := h.join(1, 1)
	for _, size := range []int{0, 10, 60, 70, 125, 126, 127, 65000, 65534, 65535, 65536, 70000, 2 << 20} {
		message := quote(strings.Repeat("x", size))
		h.Broadcast("room:1", []byte(message))
		c.wantMessage(room1, message)
	}
}

func TestClientPingsAreAnswered(t *testing.T) {
	h := newHouse(t, nil)
	c := h.join(1, 1)
	c.sendRaw(ws.MustCompileFrame(ws.MaskFrame(ws.NewPingFrame([]byte("are you there?")))))
	f, err := c.nextFrame()
	if err != nil || f.Header.OpCode != ws.OpPong || string(f.Payload) != "are you there?" {
		t.Errorf("got %+v %q %v, want the pong", f.Header, f.Payload, err)
	}
}
