package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"golang.org/x/net/html"

	"hearth/internal/rails"
)

const heartbeat = `{"channel":"HeartbeatChannel","parity":true}`

// cableHolds holds a fact against a socket of the person in its second column.
func (s *stage) cableHolds(c *checker, trigger string, f *fact) (bool, string, error) {
	s.t = c.t
	m := memory{}
	trigger, err := s.fill(trigger, m)
	if err != nil {
		return false, "", err
	}
	what, err := s.fill(f.what, m)
	if err != nil {
		return false, "", err
	}
	var frames []string
	switch f.kind {
	case "opens":
		frames, err = s.greeting(f.as)
	case "pings":
		frames, err = s.pinged(f.as)
	case "confirms":
		frames, err = s.subscribing(f.as, what)
	case "hears", "ends":
		frames, err = s.hearing(trigger, f, what)
	}
	if err != nil {
		return false, "", err
	}
	for _, frame := range frames {
		if doc, err := html.Parse(strings.NewReader(frame)); err == nil {
			c.noteClasses(doc)
		}
	}
	expected, err := s.fill(f.expected, m)
	if err != nil {
		return false, "", err
	}
	if expected == "nothing" {
		return len(frames) == 0, fmt.Sprintf("%.300q", frames), nil
	}
	for _, frame := range frames {
		if ok, err := fits(expected, frame); ok || err != nil {
			return ok, "", err
		}
	}
	return false, fmt.Sprintf("%.300q", frames), nil
}

// socketOf opens a socket; of a visitor with a login that is none.
func (s *stage) socketOf(as string) *socket {
	token := rails.NewSessionToken()
	if name := s.person(as); name != "" {
		token = s.login(name)
	}
	return s.dial(as, token)
}

func (s *stage) greeting(as string) ([]string, error) {
	socket := s.socketOf(as)
	defer socket.conn.Close()
	return []string{socket.next()}, nil
}

// pinged waits for the first ping, three seconds at most in the reference.
func (s *stage) pinged(as string) ([]string, error) {
	socket := s.socketOf(as)
	defer socket.conn.Close()
	for began := time.Now(); time.Since(began) < socketPatience; {
		if frame := socket.next(); strings.HasPrefix(frame, `{"type":"ping"`) {
			return []string{frame}, nil
		}
	}
	return nil, nil
}

// subscribing returns what comes of a subscription.
func (s *stage) subscribing(as, identifier string) ([]string, error) {
	socket := s.socketOf(as)
	defer socket.conn.Close()
	socket.next()
	socket.send("subscribe", identifier, "")
	return socket.heard(), nil
}

// heard is what has come so far: the server answers one socket in order, so it
// is all that stands before the confirmation of one more subscription.
func (s *socket) heard() []string {
	var frames []string
	s.send("subscribe", heartbeat, "")
	for {
		frame := s.next()
		switch {
		case frame == "", strings.Contains(frame, jsonText(heartbeat)) && strings.Contains(frame, `"confirm_subscription"`):
			return frames
		case !strings.HasPrefix(frame, `{"type":"ping"`):
			frames = append(frames, frame)
		}
	}
}

// hearing subscribes, lets the trigger happen, and returns the messages of the
// subscription; or, if it shall end, the frames of the socket until then.
func (s *stage) hearing(trigger string, f *fact, identifier string) ([]string, error) {
	listener := s.socketOf(f.as)
	defer listener.conn.Close()
	listener.next()
	listener.send("subscribe", identifier, "")
	if got := listener.heard(); len(got) != 1 || !strings.Contains(got[0], `"confirm_subscription"`) {
		return nil, fmt.Errorf("%s could not subscribe to %s: %q", f.as, identifier, got)
	}
	if err := s.happen(trigger); err != nil {
		return nil, err
	}
	if f.kind == "ends" {
		var frames []string
		for frame := listener.next(); frame != ""; frame = listener.next() {
			frames = append(frames, frame)
		}
		return frames, nil
	}
	listener.send("unsubscribe", heartbeat, "")
	var messages []string
	for _, frame := range listener.heard() {
		var message struct {
			Identifier string
			Message    json.RawMessage
		}
		if err := json.Unmarshal([]byte(frame), &message); err != nil {
			return nil, err
		}
		if message.Identifier != identifier || message.Message == nil {
			continue
		}
		var text string
		if json.Unmarshal(message.Message, &text) != nil {
			text = string(message.Message)
		}
		messages = append(messages, text)
	}
	return messages, nil
}

// happen does what a trigger says: "by jason POST /rooms/1/messages …", or with
// a socket "by jason SUBSCRIBE identifier", "by jason PERFORM identifier action".
func (s *stage) happen(trigger string) error {
	words := strings.Fields(trigger)
	if len(words) < 4 || words[0] != "by" {
		return fmt.Errorf("trigger %q is not: by somebody METHOD path", trigger)
	}
	if words[2] != "SUBSCRIBE" && words[2] != "PERFORM" {
		v := &visit{memory: memory{}}
		return s.ask(v, words[2:], words[1])
	}
	actor := s.socketOf(words[1])
	defer actor.conn.Close()
	actor.next()
	actor.send("subscribe", words[3], "")
	if words[2] == "PERFORM" {
		actor.perform(words[3], words[4])
	}
	actor.heard()
	return nil
}
