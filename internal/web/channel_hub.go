package web

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"hearth/internal/cable"
	"hearth/internal/chat"
	"hearth/internal/rails"
)

// CableOptions say what a hub is made of. Fields without a word on zero are required.
type CableOptions struct {
	Chat *chat.Chat
	Keys *rails.Keys
	SSL  SSL
	Log  *slog.Logger     // nil: nothing is logged
	Now  func() time.Time // nil: time.Now

	// NoPreparedFrames makes every frame of a broadcast anew: for measurement.
	NoPreparedFrames bool
}

// NewCable makes the hub that answers "/cable". Whoever makes it runs it, and shuts it
// down before the database is closed: pages that leave are noted there.
func NewCable(opt CableOptions) *cable.Hub {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return cable.New(cable.Options{
		Authenticate:     Authenticate(opt.Chat, opt.Keys, opt.Now),
		OriginAllowed:    func(r *http.Request) bool { return opt.SSL.OriginAllowed(r) },
		Channels:         channels(opt.Chat, opt.Keys, opt.Log),
		Log:              opt.Log,
		NoPreparedFrames: opt.NoPreparedFrames,
	})
}

// channels is the table of everything that a page can subscribe to.
func channels(c *chat.Chat, keys *rails.Keys, log *slog.Logger) map[string]func(json.RawMessage) cable.Channel {
	return map[string]func(json.RawMessage) cable.Channel{
		"HeartbeatChannel":           func(json.RawMessage) cable.Channel { return heartbeat{} },
		"ReadRoomsChannel":           func(json.RawMessage) cable.Channel { return personal{stream: readsStream} },
		"UnreadRoomsChannel":         func(json.RawMessage) cable.Channel { return personal{stream: unreadsStream} },
		"RoomChannel":                func(p json.RawMessage) cable.Channel { return &roomChannel{chat: c, room: roomParam(p)} },
		"PresenceChannel":            func(p json.RawMessage) cable.Channel { return &presence{chat: c, log: log, room: roomParam(p)} },
		"TypingNotificationsChannel": func(p json.RawMessage) cable.Channel { return &typing{chat: c, room: roomParam(p)} },
		"RoomMessagesChannel":        func(p json.RawMessage) cable.Channel { return &roomMessages{chat: c, stream: streamParam(keys, p)} },
		"Turbo::StreamsChannel":      func(p json.RawMessage) cable.Channel { return &turboStreams{stream: streamParam(keys, p)} },
	}
}
