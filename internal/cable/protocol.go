package cable

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gobwas/ws"
)

// Subprotocol is what this package speaks; clients offer it beside
// "actioncable-unsupported", which they use to learn that nobody speaks it.
const Subprotocol = "actioncable-v1-json"

// The reasons of disconnect frames, which clients show in their logs.
const (
	reasonUnauthorized = "unauthorized"
	reasonRestart      = "server_restart"
	reasonRemote       = "remote"
)

var welcomeFrame = textFrame([]byte(`{"type":"welcome"}`))

func pingFrame(now time.Time) []byte {
	return textFrame(append(strconv.AppendInt([]byte(`{"type":"ping","message":`), now.Unix(), 10), '}'))
}

func disconnectFrame(reason string, reconnect bool) []byte {
	return textFrame([]byte(`{"type":"disconnect","reason":"` + reason + `","reconnect":` + strconv.FormatBool(reconnect) + `}`))
}

// replyFrame is the answer to a subscribe command; token is the identifier as a JSON string.
func replyFrame(token, kind string) []byte {
	return textFrame([]byte(`{"identifier":` + token + `,"type":"` + kind + `"}`))
}

// messageFrame is one broadcast as one kind of subscription hears it.
func messageFrame(token string, message []byte) []byte {
	const opening, middle = `{"identifier":`, `,"message":`
	size := len(opening) + len(token) + len(middle) + len(message) + 1
	frame := appendTextHeader(make([]byte, 0, size+maxServerHeader), size)
	frame = append(append(frame, opening...), token...)
	frame = append(append(frame, middle...), message...)
	return append(frame, '}')
}

func textFrame(payload []byte) []byte {
	return append(appendTextHeader(make([]byte, 0, len(payload)+maxServerHeader), len(payload)), payload...)
}

// maxServerHeader is the length of the longest header of an unmasked frame.
const maxServerHeader = 10

// appendTextHeader writes the header of one final, unmasked text frame (RFC 6455, section 5.2).
func appendTextHeader(dst []byte, length int) []byte {
	dst = append(dst, 0x80|byte(ws.OpText))
	switch {
	case length < 126:
		return append(dst, byte(length))
	case length < 1<<16:
		return binary.BigEndian.AppendUint16(append(dst, 126), uint16(length))
	default:
		return binary.BigEndian.AppendUint64(append(dst, 127), uint64(length))
	}
}

// command is what a client asks for.
type command struct {
	name       string // subscribe, unsubscribe, message, or something unknown
	identifier string // the key of the subscription
	token      string // the identifier as the client wrote it: a JSON string with its quotes
	channel    string // from the identifier
	action     string // of a message; "receive" when the client names none
	data       json.RawMessage
}

var errMalformed = errors.New("malformed command")

// decodeCommand reads one text frame. It checks form only: names may be unknown.
// The identifier must be a string that holds a JSON object; data, which only
// messages have, too.
func decodeCommand(frame []byte) (command, error) {
	var envelope struct {
		Command    string          `json:"command"`
		Identifier json.RawMessage `json:"identifier"`
		Data       *string         `json:"data"`
	}
	if err := json.Unmarshal(frame, &envelope); err != nil {
		return command{}, fmt.Errorf("%w: %v", errMalformed, err)
	}
	c := command{name: envelope.Command, token: string(envelope.Identifier)}
	if len(c.token) < 2 || c.token[0] != '"' {
		return command{}, fmt.Errorf("%w: the identifier is not a string", errMalformed)
	}
	if err := json.Unmarshal(envelope.Identifier, &c.identifier); err != nil {
		return command{}, fmt.Errorf("%w: identifier: %v", errMalformed, err)
	}
	var key struct {
		Channel string `json:"channel"`
	}
	if err := unmarshalObject(c.identifier, &key); err != nil {
		return command{}, fmt.Errorf("%w: identifier: %v", errMalformed, err)
	}
	c.channel = key.Channel
	if c.name != "message" {
		return c, nil
	}
	return c, c.decodeData(envelope.Data)
}

func (c *command) decodeData(data *string) error {
	if data == nil {
		return fmt.Errorf("%w: a message without data", errMalformed)
	}
	var message struct {
		Action *string `json:"action"`
	}
	if err := unmarshalObject(*data, &message); err != nil {
		return fmt.Errorf("%w: data: %v", errMalformed, err)
	}
	c.action, c.data = "receive", json.RawMessage(*data)
	if message.Action != nil {
		c.action = *message.Action
	}
	return nil
}

// unmarshalObject refuses what json.Unmarshal would accept silently: null.
func unmarshalObject(text string, into any) error {
	if text == "null" {
		return errors.New("not an object")
	}
	return json.Unmarshal([]byte(text), into)
}
