package cable

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"
)

// browser is the real @rails/actioncable under Node, driven over its standard input.
type browser struct {
	t      *testing.T
	in     io.WriteCloser
	events chan map[string]any // closed when Node has ended
}

var installOnce sync.Once

// newBrowser starts Node with a consumer for the hub at host.
func newBrowser(t *testing.T, host string, user int) *browser {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("these tests run the real Action Cable client and need node (20 or newer) in the PATH")
	}
	folder := filepath.Join("testdata", "node")
	installOnce.Do(func() { installClient(t, folder) })
	cmd := exec.Command(node, "client.js", fmt.Sprintf("ws://%s/?user=%d", host, user), "http://"+host)
	cmd.Dir = folder
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, in: in, events: make(chan map[string]any, 100)}
	go b.listen(out)
	t.Cleanup(func() {
		in.Close()
		for range b.events { // until Node has closed its output
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("node: %v", err)
		}
	})
	return b
}

func installClient(t *testing.T, folder string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "@rails", "actioncable")); err == nil {
		return
	}
	install := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	install.Dir = folder
	if output, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci in %s: %v\n%s", folder, err, output)
	}
}

func (b *browser) listen(out io.Reader) {
	defer close(b.events)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var event map[string]any
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			event = map[string]any{"event": "garbage", "line": lines.Text()}
		}
		b.events <- event
	}
}

func (b *browser) do(command string) {
	b.t.Helper()
	if _, err := io.WriteString(b.in, command+"\n"); err != nil {
		b.t.Fatal(err)
	}
}

// want waits for the next event, given as JSON, and fails on any other.
func (b *browser) want(event string) {
	b.t.Helper()
	b.compare(b.next(), event)
}

// wantAfterAttempts is want, after any number of sockets that found no server.
func (b *browser) wantAfterAttempts(event string) {
	b.t.Helper()
	got := b.next()
	for got["event"] == "closed" && got["code"] == 1006.0 {
		got = b.next()
	}
	b.compare(got, event)
}

func (b *browser) next() map[string]any {
	b.t.Helper()
	select {
	case got := <-b.events:
		return got
	case <-time.After(patience):
		b.t.Fatal("nothing happens")
		return nil
	}
}

func (b *browser) compare(got map[string]any, event string) {
	b.t.Helper()
	var want map[string]any
	if err := json.Unmarshal([]byte(event), &want); err != nil {
		b.t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		b.t.Fatalf("got event %v, want %v", got, want)
	}
}

// wantSilence proves that nothing happened by making something happen.
func (b *browser) wantSilence() {
	b.t.Helper()
	b.do(`{"do":"perform","name":"room","action":"whisper"}`)
	b.want(`{"event":"received","name":"room","message":"psst"}`)
}

const openRoom = `{"do":"subscribe","name":"room","params":{"channel":"RoomChannel","room":1}}`

func TestTheRealClientSubscribesAndHearsBroadcasts(t *testing.T) {
	h := newHouse(t, nil)
	b := newBrowser(t, h.server.Listener.Addr().String(), 1)
	b.do(openRoom)
	b.want(`{"event":"connected","name":"room","reconnected":false}`)
	h.Broadcast("room:1", []byte(`"<turbo-stream action=\"append\"></turbo-stream>"`))
	h.Broadcast("room:1", []byte(`{"roomId":7}`))
	b.want(`{"event":"received","name":"room","message":"<turbo-stream action=\"append\"></turbo-stream>"}`)
	b.want(`{"event":"received","name":"room","message":{"roomId":7}}`)
	b.do(`{"do":"perform","name":"room","action":"say","data":{"what":"<hello> é"}}`)
	if got, want := <-h.received, `say {"what":"<hello> é","action":"say"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.do(`{"do":"subscribe","name":"other","params":{"channel":"RoomChannel","room":2}}`)
	b.want(`{"event":"connected","name":"other","reconnected":false}`)
	b.do(`{"do":"unsubscribe","name":"other"}`)
	eventually(t, "the other room is left", func() bool { return h.unsubscriptions(roomParams(2)) == 1 })
	h.Broadcast("room:2", []byte(`"nobody hears this"`))
	b.wantSilence()
}

func TestTheRealClientIsRejected(t *testing.T) {
	h := newHouse(t, nil)
	b := newBrowser(t, h.server.Listener.Addr().String(), 1)
	b.do(`{"do":"subscribe","name":"locked","params":{"channel":"LockedChannel"}}`)
	b.want(`{"event":"rejected","name":"locked"}`)
	b.do(openRoom)
	b.want(`{"event":"connected","name":"room","reconnected":false}`)
	h.Broadcast("locked", []byte(`"nobody hears this"`))
	b.wantSilence()
}

func TestTheRealClientComesBackAfterARestart(t *testing.T) {
	first := newHouse(t, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	server := &http.Server{Handler: first.Hub}
	served := make(chan error, 2)
	go func() { served <- server.Serve(listener) }()
	b := newBrowser(t, address, 1)
	b.do(openRoom)
	b.want(`{"event":"connected","name":"room","reconnected":false}`)

	if err := first.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	server.Close()
	<-served
	b.want(`{"event":"closed","code":1001}`)
	b.want(`{"event":"disconnected","name":"room","willAttemptReconnect":true}`)

	second := newHouse(t, nil)
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	again := &http.Server{Handler: second.Hub}
	go func() { served <- again.Serve(listener) }()
	defer func() { again.Close(); <-served }()
	b.wantAfterAttempts(`{"event":"connected","name":"room","reconnected":true}`)
	second.Broadcast("room:1", []byte(`"here again"`))
	b.want(`{"event":"received","name":"room","message":"here again"}`)
}

func TestTheRealClientComesBackAfterARemoteDisconnectIfItMay(t *testing.T) {
	h := newHouse(t, nil)
	b := newBrowser(t, h.server.Listener.Addr().String(), 1)
	b.do(openRoom)
	b.want(`{"event":"connected","name":"room","reconnected":false}`)
	h.DisconnectUser(1, true)
	b.want(`{"event":"closed","code":1000}`)
	b.want(`{"event":"disconnected","name":"room","willAttemptReconnect":true}`)
	b.want(`{"event":"connected","name":"room","reconnected":true}`)
	b.wantSilence()
}

func TestTheRealClientStaysAwayWhenTold(t *testing.T) {
	h := newHouse(t, nil)
	b := newBrowser(t, h.server.Listener.Addr().String(), 1)
	b.do(openRoom)
	b.want(`{"event":"connected","name":"room","reconnected":false}`)
	h.DisconnectUser(1, false)
	b.want(`{"event":"closed","code":1000}`)
	b.want(`{"event":"disconnected","name":"room","willAttemptReconnect":false}`)
}

func TestTheRealClientStaysAwayWhenUnauthorized(t *testing.T) {
	h := newHouse(t, func(opt *Options) {
		opt.Authenticate = func(*http.Request) (int64, bool, error) { return 0, false, nil }
	})
	b := newBrowser(t, h.server.Listener.Addr().String(), 1)
	b.do(openRoom)
	b.want(`{"event":"closed","code":1000}`)
	b.want(`{"event":"disconnected","name":"room","willAttemptReconnect":false}`)
	eventually(t, "the socket is gone", func() bool { return h.Stats().Connections == 0 })
}
