package web

import (
	"encoding/json"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

func FuzzChannelParams(f *testing.F) {
	keys := rails.NewKeys("test-secret-key-base-0123456789abcdef")
	for _, seed := range []string{
		`{"channel":"PresenceChannel","room_id":5}`, `{"room_id":"5"}`, `{"room_id":-5}`, `{"room_id":5.5}`, `{"room_id":"\"5\""}`, `{"room_id":[5]}`,
		`{"signed_stream_name":"rooms"}`, `{"signed_stream_name":"` + keys.SignStream("rooms") + `"}`, `null`, `[]`,
	} {
		f.Add(seed)
	}
	signed := map[string]bool{"": true, "rooms": true} // all that is signed above
	f.Fuzz(func(t *testing.T, params string) {
		if room := roomParam(json.RawMessage(params)); room < 0 {
			t.Errorf("room %d of %s", room, params)
		}
		if stream := streamParam(keys, json.RawMessage(params)); !signed[stream] {
			t.Errorf("took the stream %q, which nobody signed, from %s", stream, params)
		}
	})
}

func FuzzStreamNames(f *testing.F) {
	for _, seed := range []string{
		messagesStream(5, chat.Open), messagesStream(1, chat.Direct), sidebarStream(7), "rooms", ":messages", "a:b:c", "Z2lkOi8v:rooms",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		if room, kind, ok := messagesRoom(stream); ok {
			again, kindAgain, okAgain := messagesRoom(messagesStream(room, kind))
			if !okAgain || again != room || kindAgain != kind {
				t.Errorf("%q is room %d (%s), whose stream is of room %d (%s)", stream, room, kind, again, kindAgain)
			}
			if _, also := sidebarOwner(stream); also {
				t.Errorf("%q is messages and a sidebar", stream)
			}
		}
		if user, ok := sidebarOwner(stream); ok {
			if again, _ := sidebarOwner(sidebarStream(user)); again != user {
				t.Errorf("%q is the sidebar of %d, whose stream is that of %d", stream, user, again)
			}
		}
	})
}
