package cable

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

func FuzzDecodeCommand(f *testing.F) {
	f.Add([]byte(commandFor("subscribe", room1)))
	f.Add([]byte(messageFor(room1, `{"action":"say"}`)))
	f.Fuzz(func(t *testing.T, frame []byte) {
		c, err := decodeCommand(frame)
		if err != nil {
			if !errors.Is(err, errMalformed) {
				t.Fatalf("got error %v, want one that wraps %v", err, errMalformed)
			}
			return
		}
		var echoed string
		if err := json.Unmarshal([]byte(c.token), &echoed); err != nil || echoed != c.identifier {
			t.Fatalf("the token %s doesn't hold the identifier %q (%v)", c.token, c.identifier, err)
		}
		if !bytes.Contains(frame, []byte(c.token)) {
			t.Fatalf("the token %s is not what the client wrote", c.token)
		}
		if utf8.Valid(frame) && !json.Valid(messageFrame(c.token, []byte(`1`))[headerLength(c.token):]) {
			t.Fatalf("the token %s makes a broken frame", c.token)
		}
		if c.name == "message" && !json.Valid(c.data) {
			t.Fatalf("data %q is not JSON", c.data)
		}
	})
}

// headerLength is that of the header of a message "1".
func headerLength(token string) int {
	return len(appendTextHeader(nil, len(`{"identifier":,"message":1}`)+len(token)))
}

func FuzzMessageReader(f *testing.F) {
	f.Add(rawFrame(masked(ws.OpText, true), []byte(commandFor("subscribe", room1))))
	f.Add(append(rawFrame(masked(ws.OpText, false), []byte("é")[:1]), rawFrame(masked(ws.OpContinuation, true), []byte("é")[1:])...))
	f.Add(rawFrame(masked(ws.OpClose, true), []byte{3, 0xe8, 'o', 'k'}))
	f.Fuzz(func(t *testing.T, wire []byte) {
		const limit = 1000
		in := messageReader{src: bytes.NewReader(wire), limit: limit}
		for messages := 0; ; messages++ {
			op, payload, err := in.next()
			if hostile, ok := errors.AsType[*hostileError](err); ok {
				if hostile.code < 1002 || hostile.code > 1009 {
					t.Fatalf("close code %d for %v", hostile.code, err)
				}
				return
			}
			if err != nil {
				if err != io.EOF && err != io.ErrUnexpectedEOF {
					t.Fatalf("got error %v, want the end", err)
				}
				return
			}
			switch {
			case op == ws.OpText && (len(payload) > limit || !utf8.Valid(payload)):
				t.Fatalf("let through %q", payload)
			case op.IsControl() && len(payload) > 125:
				t.Fatalf("let through a control frame of %d bytes", len(payload))
			case op == ws.OpClose:
				if code, err := closeCode(payload); err == nil && (code < 1000 || code > 4999) {
					t.Fatalf("would answer with close code %d", code)
				}
			}
			if messages > len(wire) {
				t.Fatal("more messages than bytes")
			}
		}
	})
}
