package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/web"
)

// followed opens a page of somebody that shows a sidebar and, unless empty, a room.
func (h *hall) followed(name, room string) (s *socket, shared, own, messages string) {
	h.t.Helper()
	s = h.open(name)
	shared = s.subscribe(h.signed("Turbo::StreamsChannel", "rooms"))
	own = s.subscribe(h.sidebar(name))
	if room != "" {
		messages = s.subscribe(h.messages(room))
	}
	return s, shared, own, messages
}

func TestAMessageIsShownAsItsPageShowsIt(t *testing.T) {
	h := newHall(t)
	kevin, _, _, room := h.followed("kevin", "hq")
	david, _, _, _ := h.followed("david", "hq")
	m := h.Post("david", "hq", `<div>&lt;b&gt; &amp; "quotes" \ é 🎉 `+"\u2028"+`</div>`)
	want := string(h.site.AppendMessagePosted(nil, m, h.site.People(nil)))
	for _, s := range []*socket{kevin, david} {
		text := s.next()
		var frame struct{ Identifier, Message string }
		if err := json.Unmarshal([]byte(text), &frame); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if frame.Identifier != room || frame.Message != want {
			t.Errorf("%s got %s, want %s", s.name, frame.Message, want)
		}
		if strings.Contains(text, `\u003c`) {
			t.Errorf("%s's frame escapes what needs no escape: %s", s.name, text)
		}
	}
}

func TestWhatHappensToAMessageIsTold(t *testing.T) {
	h := newHall(t)
	ctx, david := t.Context(), h.User("david")
	kevin, _, _, room := h.followed("kevin", "designers")
	m := h.Post("david", "designers", "<div>first</div>")
	kevin.wantStream(room, fmt.Sprintf(`<turbo-stream action="append" target="messages_rooms_closed_%d"><template>`, m.RoomID))
	if _, err := h.Chat.EditMessage(ctx, david, m.RoomID, m.ID, "<div>second</div>"); err != nil {
		t.Fatal(err)
	}
	html := kevin.wantStream(room, `<turbo-stream maintain_scroll="true" action="replace" target="presentation_message_`+m.ClientID+`"><template>`)
	if !strings.Contains(html, "second") {
		t.Errorf("the edit shows %s", html)
	}
	boost, err := h.Chat.Boost(ctx, david, m.ID, "👍")
	if err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(room, `<turbo-stream maintain_scroll="true" action="append" target="boosts_message_`+m.ClientID+`"><template>`)
	if err := h.Chat.DeleteBoost(ctx, david, m.ID, boost.ID); err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(room, fmt.Sprintf(`<turbo-stream action="remove" target="boost_%d"></turbo-stream>`, boost.ID))
	if err := h.Chat.DeleteMessage(ctx, david, m.RoomID, m.ID); err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(room, `<turbo-stream action="remove" target="message_`+m.ClientID+`"></turbo-stream>`)
	kevin.wantSilence()
}

func TestRoomsComeAndGoInTheSidebarsOfTheirMembers(t *testing.T) {
	h := newHall(t)
	ctx, david := t.Context(), h.User("david")
	kevin, shared, own, _ := h.followed("kevin", "")
	lou, louShared, _, _ := h.followed("lou", "")

	open, err := h.Chat.CreateOpenRoom(ctx, david, "Garden")
	if err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(shared, `<turbo-stream action="prepend" target="shared_rooms"><template>`)
	lou.wantStream(louShared, `<turbo-stream action="prepend" target="shared_rooms"><template>`)
	closed, err := h.Chat.CreateClosedRoom(ctx, david, "Shed", h.IDs("david", "kevin"))
	if err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(own, `<turbo-stream action="prepend" target="shared_rooms"><template>`)
	if _, err := h.Chat.UpdateOpenRoom(ctx, david, open.ID, "Orchard"); err != nil {
		t.Fatal(err)
	}
	html := kevin.wantStream(shared, fmt.Sprintf(`<turbo-stream action="replace" target="list_rooms_open_%d"><template>`, open.ID))
	if !strings.Contains(html, "Orchard") {
		t.Errorf("the new name is not in %s", html)
	}
	lou.wantStream(louShared, `<turbo-stream action="replace"`)
	if _, err := h.Chat.UpdateClosedRoom(ctx, david, closed.ID, "Barn", h.IDs("david", "kevin")); err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(own, fmt.Sprintf(`<turbo-stream action="replace" target="list_rooms_closed_%d"><template>`, closed.ID))
	if err := h.Chat.DeleteRoom(ctx, david, closed.ID); err != nil {
		t.Fatal(err)
	}
	removal := fmt.Sprintf(`<turbo-stream action="remove" target="list_rooms_closed_%d"></turbo-stream>`, closed.ID)
	kevin.wantStream(shared, removal)
	lou.wantStream(louShared, removal)

	h.foreignExec(`DELETE FROM memberships WHERE room_id = ? AND user_id = ?`, int64(open.ID), int64(h.ID("lou")))
	if _, err := h.Chat.UpdateOpenRoom(ctx, david, open.ID, "Meadow"); err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(shared, `<turbo-stream action="replace"`)
	kevin.wantSilence()
	lou.wantSilence()
}

func TestPagesThatAreOpenSurviveAConversion(t *testing.T) {
	h := newHall(t)
	ctx, david, room := t.Context(), h.User("david"), h.Room("designers")
	before := h.messages("designers")
	kevin, shared, own, messages := h.followed("kevin", "designers")
	row := func(t string) string {
		return fmt.Sprintf(`<turbo-stream action="replace" target="list_rooms_%s_%d"><template>`, t, room.ID)
	}

	if _, err := h.Chat.UpdateOpenRoom(ctx, david, room.ID, "Designers"); err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(shared, row("open"))
	html := kevin.wantStream(shared, row("closed"))
	if want := fmt.Sprintf(`id="list_rooms_open_%d"`, room.ID); !strings.Contains(html, want) {
		t.Errorf("the row that replaces the old one has no %s: %s", want, html)
	}
	m := h.Post("david", "designers", "<div>still heard</div>")
	kevin.wantStream(messages, fmt.Sprintf(`<turbo-stream action="append" target="messages_rooms_closed_%d"><template>`, room.ID))
	lou, _, _, louMessages := h.followed("jz", "designers")
	again := h.open("kevin")
	again.subscribe(before)
	if err := h.Chat.DeleteMessage(ctx, david, room.ID, m.ID); err != nil {
		t.Fatal(err)
	}
	removal := `<turbo-stream action="remove" target="message_` + m.ClientID + `"></turbo-stream>`
	kevin.wantStream(messages, removal)
	again.wantStream(before, removal)
	lou.wantStream(louMessages, removal)
	h.Post("david", "designers", "<div>both ways</div>")
	kevin.wantStream(messages, fmt.Sprintf(`<turbo-stream action="append" target="messages_rooms_closed_%d"><template>`, room.ID))
	lou.wantStream(louMessages, fmt.Sprintf(`<turbo-stream action="append" target="messages_rooms_open_%d"><template>`, room.ID))

	if _, err := h.Chat.UpdateClosedRoom(ctx, david, room.ID, "Designers", h.IDs("david", "kevin")); err != nil {
		t.Fatal(err)
	}
	kevin.wantStream(own, row("closed"))
	kevin.wantStream(own, row("open"))
	kevin.wantSilence()
	lou.wantStream(h.sidebar("jz"), fmt.Sprintf(`<turbo-stream action="remove" target="list_rooms_open_%d"></turbo-stream>`, room.ID))
	lou.want(`{"type":"disconnect","reason":"remote","reconnect":true}`)
}

func TestAPingShowsEachMemberTheOthers(t *testing.T) {
	h := newHall(t)
	david, _, davids, _ := h.followed("david", "")
	jz, _, jzs, _ := h.followed("jz", "")
	kevin, _, _, _ := h.followed("kevin", "")
	const opening = `<turbo-stream action="prepend" target="direct_rooms"><template>`
	for range 2 { // new, then existing
		if _, err := h.Chat.OpenDirect(t.Context(), h.User("david"), h.IDs("jz")); err != nil {
			t.Fatal(err)
		}
		if html := david.wantStream(davids, opening); !strings.Contains(html, "JZ") || strings.Contains(html, "David") {
			t.Errorf("david sees %s", html)
		}
		if html := jz.wantStream(jzs, opening); !strings.Contains(html, "David") || strings.Contains(html, "JZ") {
			t.Errorf("jz sees %s", html)
		}
	}
	kevin.wantSilence()
}

func TestInvolvementShowsAndHidesTheRoomForOnePersonOnly(t *testing.T) {
	h := newHall(t)
	kevin, _, own, _ := h.followed("kevin", "")
	david, _, _, _ := h.followed("david", "")
	room := h.Room("designers")
	for _, tt := range []struct {
		to   chat.Involvement
		want string // beginning of the one frame; empty: none
	}{
		{chat.Nothing, ""},
		{chat.Everything, ""},
		{chat.Invisible, fmt.Sprintf(`<turbo-stream action="remove" target="list_rooms_closed_%d"></turbo-stream>`, room.ID)},
		{chat.Mentions, `<turbo-stream action="prepend" target="shared_rooms"><template>`},
	} {
		if err := h.Chat.SetInvolvement(t.Context(), h.User("kevin"), room.ID, tt.to); err != nil {
			t.Fatal(err)
		}
		if tt.want != "" {
			kevin.wantStream(own, tt.want)
		}
	}
	for _, to := range []chat.Involvement{chat.Invisible, chat.Everything} {
		if err := h.Chat.SetInvolvement(t.Context(), h.User("kevin"), h.Room("david+kevin").ID, to); err != nil {
			t.Fatal(err)
		}
	}
	kevin.wantSilence()
	david.wantSilence()
}

func TestWhoLosesEverythingIsSentAwayForGood(t *testing.T) {
	h := newHall(t)
	kevin := h.open("kevin")
	announcer := web.NewAnnouncer(h.site)
	announcer.Announce(t.Context(), chat.AccessRevoked{User: h.ID("kevin")}) // nobody is connected: no harm
	announcer.Connect(h.hub)
	announcer.Announce(t.Context(), chat.AccessRevoked{User: h.ID("kevin")})
	kevin.want(`{"type":"disconnect","reason":"remote","reconnect":false}`)
	kevin.want("")
}

func TestNobodyElseMayChangeARoomAndNothingIsTold(t *testing.T) {
	h := newHall(t)
	david, _, _, _ := h.followed("david", "designers")
	ctx, kevin, room := t.Context(), h.User("kevin"), h.Room("designers").ID
	m := h.Post("david", "designers", "<div>mine</div>")
	david.wantStream(h.messages("designers"), `<turbo-stream action="append"`)
	if _, err := h.Chat.UpdateClosedRoom(ctx, kevin, room, "Kevin's", h.IDs("kevin")); err == nil {
		t.Error("kevin renamed the room")
	}
	if err := h.Chat.DeleteRoom(ctx, kevin, room); err == nil {
		t.Error("kevin deleted the room")
	}
	if err := h.Chat.DeleteMessage(ctx, kevin, room, m.ID); err == nil {
		t.Error("kevin deleted david's message")
	}
	david.wantSilence()
}
