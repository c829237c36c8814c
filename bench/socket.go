package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"hearth/internal/rails"
)

// socket is one page that listens to the cable room. Its goroutine reads until
// it is closed.
type socket struct {
	conn net.Conn
	in   *bufio.Reader
	buf  []byte
	got  []bool // by number of the message
}

// listen opens a socket as a person and subscribes it to the cable room. It
// returns when the server has confirmed.
func (s *site) listen(ctx context.Context, person int64) (*socket, error) {
	dialer := ws.Dialer{
		Timeout:   answerTime,
		Protocols: []string{"actioncable-v1-json", "actioncable-unsupported"},
		Header: ws.HandshakeHeaderHTTP(http.Header{
			"Cookie":     {s.cookies[person]},
			"Origin":     {"http://" + s.addr},
			"User-Agent": {userAgent},
		}),
	}
	conn, in, _, err := dialer.Dial(ctx, "ws://"+s.addr+"/cable")
	if err != nil {
		return nil, fmt.Errorf("open a socket: %w", err)
	}
	if in == nil {
		in = bufio.NewReaderSize(conn, 4<<10)
	}
	k := &socket{conn: conn, in: in}
	if err := k.subscribe(s.cableIdentifier()); err != nil {
		conn.Close()
		return nil, fmt.Errorf("subscribe: %w", err)
	}
	return k, nil
}

func (s *site) cableIdentifier() string {
	stream := s.history.keys.SignStream(rails.GIDParam("Rooms::Open", cableRoom) + ":messages")
	identifier, err := json.Marshal(map[string]string{"channel": "RoomMessagesChannel", "signed_stream_name": stream})
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(identifier)
}

func (k *socket) subscribe(identifier string) error {
	k.conn.SetDeadline(time.Now().Add(answerTime))
	if err := k.await(`{"type":"welcome"}`); err != nil {
		return err
	}
	command, err := json.Marshal(map[string]string{"command": "subscribe", "identifier": identifier})
	if err != nil {
		return err
	}
	if err := wsutil.WriteClientText(k.conn, command); err != nil {
		return err
	}
	if err := k.await(`"type":"confirm_subscription"`); err != nil {
		return err
	}
	return k.conn.SetDeadline(time.Time{})
}

// await reads until a frame has part in it. Pings may come in between.
func (k *socket) await(part string) error {
	for {
		frame, err := k.read()
		if err != nil {
			return fmt.Errorf("await %s: %w", part, err)
		}
		switch {
		case bytes.Contains(frame, []byte(part)):
			return nil
		case !bytes.Contains(frame, []byte(`"type":"ping"`)):
			return fmt.Errorf("await %s: the server sent %.200q", part, frame)
		}
	}
}

// frameBytesMax is far above what a message of this load makes.
const frameBytesMax = 1 << 20

// read returns the next text frame. It is good until the next call.
func (k *socket) read() ([]byte, error) {
	for {
		header, err := ws.ReadHeader(k.in)
		if err != nil {
			return nil, err
		}
		if header.Length > frameBytesMax || !header.Fin || header.Masked {
			return nil, fmt.Errorf("a frame that is no whole message of a server: %+v", header)
		}
		if cap(k.buf) < int(header.Length) {
			k.buf = make([]byte, header.Length)
		}
		k.buf = k.buf[:header.Length]
		if _, err := io.ReadFull(k.in, k.buf); err != nil {
			return nil, err
		}
		switch header.OpCode {
		case ws.OpText:
			return k.buf, nil
		case ws.OpPing:
			if err := wsutil.WriteClientMessage(k.conn, ws.OpPong, k.buf); err != nil {
				return nil, err
			}
		case ws.OpClose:
			return nil, fmt.Errorf("the server closed the socket: %q", k.buf)
		}
	}
}

// clientMark comes before the client id of a post of this load, in any frame
// that carries it; JSON escapes none of it.
const clientMark = "message_bench-"

// follow reads until the socket is closed and hands every message of the load
// to heard. Twice the same message, or one that does not belong here, is an error.
func (k *socket) follow(closing *atomic.Bool, heard func(number int)) error {
	for {
		frame, err := k.read()
		if err != nil {
			if closing.Load() {
				return nil
			}
			return fmt.Errorf("a socket ended: %w", err)
		}
		_, after, found := bytes.Cut(frame, []byte(clientMark))
		if !found {
			continue // a ping
		}
		number, err := k.judge(frame, after)
		if err != nil {
			return fmt.Errorf("wrong frame: %w", err)
		}
		heard(number)
	}
}

func (k *socket) judge(frame, after []byte) (int, error) {
	if len(after) < 8 {
		return 0, fmt.Errorf("it ends within a client id: %.100q", frame)
	}
	number, err := strconv.Atoi(string(after[:8]))
	if err != nil {
		return 0, fmt.Errorf("a client id of nobody: %.8q", after)
	}
	for _, part := range []string{"turbo-stream", roomTarget(cableRoom), postText(number)} {
		if !bytes.Contains(frame, []byte(part)) {
			return 0, fmt.Errorf("message %d comes without %q", number, part)
		}
	}
	for len(k.got) <= number {
		k.got = append(k.got, make([]bool, number+1024-len(k.got))...)
	}
	if k.got[number] {
		return 0, fmt.Errorf("message %d came twice", number)
	}
	k.got[number] = true
	return number, nil
}
