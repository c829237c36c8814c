package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"hearth/internal/cable"
	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/rails"
	"hearth/internal/view"
	"hearth/internal/web"
)

// socketPatience is how long these tests wait for what must happen.
const socketPatience = 20 * time.Second

// hall is the cast, with sockets that hear what it does.
type hall struct {
	*chattest.World
	hub    *cable.Hub
	site   *view.Site
	server *httptest.Server
	t      *testing.T
}

func newHall(t *testing.T) *hall {
	t.Helper()
	site := view.New(view.Options{Keys: rails.NewKeys(chattest.Secret), Asset: func(name string) string { return "/assets/" + name }})
	announcer := web.NewAnnouncer(site)
	h := &hall{World: chattest.NewWith(t, chat.Options{Announce: announcer}), site: site, t: t}
	h.hub = web.NewCable(web.CableOptions{Chat: h.Chat, Keys: h.Keys})
	announcer.Connect(h.hub)
	h.server = httptest.NewServer(h.hub)
	t.Cleanup(h.close)
	return h
}

func (h *hall) close() {
	ctx, cancel := context.WithTimeout(context.Background(), socketPatience)
	defer cancel()
	if err := h.hub.Shutdown(ctx); err != nil {
		h.t.Errorf("shutdown: %v", err)
	}
	h.server.Close()
}

// socket is one page of somebody.
type socket struct {
	h    *hall
	name string
	conn net.Conn
	in   io.Reader
}

// open opens a socket with somebody's own session.
func (h *hall) open(name string) *socket {
	h.t.Helper()
	s := h.dial(name, h.SignIn(name).Token)
	s.want(`{"type":"welcome"}`)
	return s
}

// dial opens a socket with the cookie of a session.
func (h *hall) dial(name, token string) *socket {
	h.t.Helper()
	cookie := h.Keys.SignCookie(rails.TokenCookie, token, time.Now().Add(time.Hour))
	dialer := ws.Dialer{
		Timeout:   socketPatience,
		Protocols: []string{cable.Subprotocol, "actioncable-unsupported"},
		Header:    ws.HandshakeHeaderHTTP{"Origin": {h.server.URL}, "Cookie": {rails.TokenCookie + "=" + url.QueryEscape(cookie)}},
	}
	conn, buffered, _, err := dialer.Dial(context.Background(), strings.Replace(h.server.URL, "http", "ws", 1)+"/cable")
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { conn.Close() })
	s := &socket{h: h, name: name, conn: conn, in: conn}
	if buffered != nil {
		s.in = buffered
	}
	return s
}

// next returns the next text; "" after a close frame or the end.
func (s *socket) next() string {
	s.h.t.Helper()
	s.conn.SetReadDeadline(time.Now().Add(socketPatience))
	header, err := ws.ReadHeader(s.in)
	if err == io.EOF || err == nil && header.OpCode == ws.OpClose {
		return ""
	}
	if err != nil {
		s.h.t.Fatalf("%s: read: %v", s.name, err)
	}
	payload := make([]byte, header.Length)
	if _, err := io.ReadFull(s.in, payload); err != nil {
		s.h.t.Fatalf("%s: read: %v", s.name, err)
	}
	return string(payload)
}

func (s *socket) want(text string) {
	s.h.t.Helper()
	if got := s.next(); got != text {
		s.h.t.Fatalf("%s got frame %s, want %s", s.name, got, text)
	}
}

// wantMessage waits for a broadcast to one subscription.
func (s *socket) wantMessage(identifier, message string) {
	s.h.t.Helper()
	s.want(`{"identifier":` + jsonText(identifier) + `,"message":` + message + `}`)
}

// wantStream waits for a turbo stream whose HTML begins so, and returns it.
func (s *socket) wantStream(identifier, opening string) string {
	s.h.t.Helper()
	text := s.next()
	var frame struct {
		Identifier string
		Message    string
	}
	if err := json.Unmarshal([]byte(text), &frame); err != nil || frame.Identifier != identifier || !strings.HasPrefix(frame.Message, opening) {
		s.h.t.Fatalf("%s got frame %.300s, want a message to %s that begins with %s", s.name, text, identifier, opening)
	}
	return frame.Message
}

func (s *socket) send(command, identifier, data string) {
	s.h.t.Helper()
	text := `{"command":"` + command + `","identifier":` + jsonText(identifier)
	if data != "" {
		text += `,"data":` + jsonText(data)
	}
	if _, err := s.conn.Write(ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(text + "}"))))); err != nil {
		s.h.t.Fatal(err)
	}
}

func (s *socket) subscribe(identifier string) string {
	s.h.t.Helper()
	s.send("subscribe", identifier, "")
	s.want(`{"identifier":` + jsonText(identifier) + `,"type":"confirm_subscription"}`)
	return identifier
}

func (s *socket) wantReject(identifier string) {
	s.h.t.Helper()
	s.send("subscribe", identifier, "")
	s.want(`{"identifier":` + jsonText(identifier) + `,"type":"reject_subscription"}`)
}

// wantSilence proves that nothing has been sent, by asking for something.
func (s *socket) wantSilence() {
	s.h.t.Helper()
	const heartbeat = `{"channel":"HeartbeatChannel"}`
	s.subscribe(heartbeat)
	s.send("unsubscribe", heartbeat, "")
}

func (s *socket) perform(identifier, action string) {
	s.h.t.Helper()
	s.send("message", identifier, `{"action":"`+action+`"}`)
}

func jsonText(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// messages is the identifier of a room's messages, as the room's page has it.
func (h *hall) messages(room string) string {
	r := h.Room(room)
	return h.signed("RoomMessagesChannel", r.Stream())
}

func (h *hall) signed(channel, stream string) string {
	return `{"channel":"` + channel + `","signed_stream_name":"` + h.Keys.SignStream(stream) + `"}`
}

// sidebar is the identifier of somebody's own sidebar.
func (h *hall) sidebar(name string) string {
	return h.signed("Turbo::StreamsChannel", rails.GIDParam("User", int64(h.ID(name)))+":rooms")
}

func (h *hall) inRoom(channel, room string) string {
	return fmt.Sprintf(`{"channel":"%s","room_id":%d}`, channel, h.Room(room).ID)
}

// foreignExec writes as another process would.
func (h *hall) foreignExec(sql string, args ...any) {
	h.t.Helper()
	conn, err := sqlite.OpenConn(filepath.Join(h.Dir, "db", "production.sqlite3"), sqlite.OpenReadWrite)
	if err != nil {
		h.t.Fatal(err)
	}
	defer conn.Close()
	conn.SetBusyTimeout(socketPatience)
	if err := sqlitex.Execute(conn, sql, &sqlitex.ExecOptions{Args: args}); err != nil {
		h.t.Fatal(err)
	}
	if conn.Changes() == 0 {
		h.t.Fatalf("%s changed nothing", sql)
	}
}

func (h *hall) wantInt(want int64, sql string, args ...any) {
	h.t.Helper()
	for deadline := time.Now().Add(socketPatience); ; {
		got := h.Int(sql, args...)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			h.t.Fatalf("%s is %d, want %d", sql, got, want)
		}
	}
}

func TestWhoMaySubscribeToWhat(t *testing.T) {
	h := newHall(t)
	secret := h.Room("secret")
	hq := h.Room("hq")
	withKevin := h.Room("david+kevin")
	other := rails.NewKeys("another secret")
	gid := func(class string) string { return rails.GIDParam(class, int64(secret.ID)) }
	for _, tt := range []struct {
		name, identifier string
		may, mayNot      []string
	}{
		{"heartbeat", `{"channel":"HeartbeatChannel"}`, []string{"lou", "david"}, nil},
		{"reads", `{"channel":"ReadRoomsChannel"}`, []string{"lou"}, nil},
		{"unreads", `{"channel":"UnreadRoomsChannel"}`, []string{"lou"}, nil},
		{"presence", h.inRoom("PresenceChannel", "secret"), []string{"jz", "jason"}, []string{"david", "lou"}},
		{"presence by text", fmt.Sprintf(`{"channel":"PresenceChannel","room_id":"%d"}`, secret.ID), []string{"jz"}, []string{"david"}},
		{"typing", h.inRoom("TypingNotificationsChannel", "secret"), []string{"jz"}, []string{"david", "lou"}},
		{"typing in a ping", h.inRoom("TypingNotificationsChannel", "david+kevin"), []string{"david", "kevin"}, []string{"jason"}},
		{"the base of both", h.inRoom("RoomChannel", "secret"), []string{"jz"}, []string{"david"}},
		{"no room", `{"channel":"PresenceChannel"}`, nil, []string{"david"}},
		{"a room that is none", `{"channel":"TypingNotificationsChannel","room_id":99999}`, nil, []string{"david"}},
		{"a negative room", `{"channel":"PresenceChannel","room_id":-1}`, nil, []string{"david"}},
		{"a room of another kind of thing", `{"channel":"PresenceChannel","room_id":{"id":1}}`, nil, []string{"david"}},
		{"a huge room", `{"channel":"PresenceChannel","room_id":99999999999999999999}`, nil, []string{"david"}},
		{"messages", h.messages("secret"), []string{"jz", "jason"}, []string{"david", "lou"}},
		{"messages of an open room", h.messages("hq"), []string{"david", "kevin"}, []string{"lou"}},
		{"messages of a ping", h.messages("david+kevin"), []string{"david", "kevin"}, []string{"jason"}},
		{"messages by the name before a conversion", h.signed("RoomMessagesChannel", gid("Rooms::Open")+":messages"), []string{"jz"}, []string{"david"}},
		{"messages by a name that never was", h.signed("RoomMessagesChannel", gid("Rooms::Direct")+":messages"), nil, []string{"jz"}},
		{"messages of a ping by an open room's name", h.signed("RoomMessagesChannel", rails.GIDParam("Rooms::Open", int64(withKevin.ID))+":messages"), nil, []string{"david"}},
		{"messages of no class of rooms", h.signed("RoomMessagesChannel", gid("Room")+":messages"), nil, []string{"jz"}},
		{"messages of a user", h.signed("RoomMessagesChannel", rails.GIDParam("User", int64(h.ID("jz")))+":messages"), nil, []string{"jz"}},
		{"more after the name", h.signed("RoomMessagesChannel", secret.Stream()+":more"), nil, []string{"jz"}},
		{"another stream of the room", h.signed("RoomMessagesChannel", gid("Rooms::Closed")+":boosts"), nil, []string{"jz"}},
		{"the sidebar as messages", h.signed("RoomMessagesChannel", "rooms"), nil, []string{"jz"}},
		{"messages, unsigned", `{"channel":"RoomMessagesChannel","signed_stream_name":"` + hq.Stream() + `"}`, nil, []string{"david"}},
		{"messages, signed by somebody else", `{"channel":"RoomMessagesChannel","signed_stream_name":"` + other.SignStream(hq.Stream()) + `"}`, nil, []string{"david"}},
		{"messages, no name", `{"channel":"RoomMessagesChannel"}`, nil, []string{"david"}},
		{"messages, a number", `{"channel":"RoomMessagesChannel","signed_stream_name":5}`, nil, []string{"david"}},
		{"messages through turbo, for members too", h.signed("Turbo::StreamsChannel", secret.Stream()), nil, []string{"jz", "david"}},
		{"messages and more through turbo", h.signed("Turbo::StreamsChannel", secret.Stream()+":more"), nil, []string{"jz"}},
		{"everybody's sidebar", h.signed("Turbo::StreamsChannel", "rooms"), []string{"lou", "david"}, nil},
		{"one's own sidebar", h.sidebar("lou"), []string{"lou"}, []string{"david"}},
		{"turbo, unsigned", `{"channel":"Turbo::StreamsChannel","signed_stream_name":"rooms"}`, nil, []string{"david"}},
		{"turbo, signed by somebody else", `{"channel":"Turbo::StreamsChannel","signed_stream_name":"` + other.SignStream("rooms") + `"}`, nil, []string{"david"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h.t = t
			for _, name := range tt.may {
				h.open(name).subscribe(tt.identifier)
			}
			for _, name := range tt.mayNot {
				h.open(name).wantReject(tt.identifier)
			}
		})
	}
	h.t = t
}

func TestWhoeverMayNotComeInGetsNoSocket(t *testing.T) {
	h := newHall(t)
	now := rails.FormatTime(time.Now())
	for _, name := range []string{"mallory", "rita", "old_bot"} { // banned, deactivated
		token := rails.NewSessionToken()
		h.Exec(`INSERT INTO sessions (user_id, token, last_active_at, created_at, updated_at) VALUES (?1, ?2, ?3, ?3, ?3)`, h.ID(name), token, now)
		s := h.dial(name, token)
		s.want(`{"type":"disconnect","reason":"unauthorized","reconnect":false}`)
		s.want("")
	}
	s := h.dial("a signed-out browser", "nosuchtokennosuchtoken24")
	s.want(`{"type":"disconnect","reason":"unauthorized","reconnect":false}`)
	gone := h.SignIn("kevin")
	if err := h.Chat.SignOut(t.Context(), gone, ""); err != nil {
		t.Fatal(err)
	}
	h.dial("kevin, signed out", gone.Token).want(`{"type":"disconnect","reason":"unauthorized","reconnect":false}`)
}

func TestSigningOutClosesThatSessionsOtherPagesForGood(t *testing.T) {
	h := newHall(t)
	here, there := h.SignIn("kevin"), h.SignIn("kevin")
	page, elsewhere := h.dial("kevin's other tab", here.Token), h.dial("kevin's phone", there.Token)
	for _, s := range []*socket{page, elsewhere} {
		s.want(`{"type":"welcome"}`)
	}
	if err := h.Chat.SignOut(t.Context(), here, ""); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*socket{page, elsewhere} {
		s.want(`{"type":"disconnect","reason":"remote","reconnect":true}`)
	}
	h.dial("kevin's other tab again", here.Token).want(`{"type":"disconnect","reason":"unauthorized","reconnect":false}`)
	h.dial("kevin's phone again", there.Token).want(`{"type":"welcome"}`)
}

func TestAMemberWhoIsPutOutByTheAppHearsNoMore(t *testing.T) {
	h := newHall(t)
	designers := h.Room("designers")
	token := h.SignIn("kevin").Token
	kevin, jason := h.dial("kevin", token), h.open("jason")
	kevin.want(`{"type":"welcome"}`)
	room := h.messages("designers")
	kevin.subscribe(room)
	jason.subscribe(room)

	if _, err := h.Chat.UpdateClosedRoom(t.Context(), h.User("david"), designers.ID, "Designers", h.IDs("david", "jason")); err != nil {
		t.Fatal(err)
	}
	h.Post("david", "designers", "<div>behind the back</div>")
	kevin.want(`{"type":"disconnect","reason":"remote","reconnect":true}`)
	kevin.want("")
	jason.wantStream(room, `<turbo-stream action="append" target="messages_rooms_closed_`)

	again := h.dial("kevin", token)
	again.want(`{"type":"welcome"}`)
	again.wantReject(room)
	again.wantReject(h.signed("Turbo::StreamsChannel", designers.Stream()))
	h.Post("david", "designers", "<div>once more</div>")
	again.wantSilence()
}

func TestAMemberWhoIsPutOutByAnotherProcessHearsNoMore(t *testing.T) {
	h := newHall(t)
	kevin, jason := h.open("kevin"), h.open("jason")
	room, typing := h.messages("designers"), h.inRoom("TypingNotificationsChannel", "designers")
	for _, s := range []*socket{kevin, jason} {
		s.subscribe(room)
		s.subscribe(typing)
		s.subscribe(`{"channel":"UnreadRoomsChannel"}`)
	}
	m := h.Post("david", "designers", "<div>for all three</div>")
	kevin.wantStream(room, `<turbo-stream action="append"`)
	kevin.wantMessage(`{"channel":"UnreadRoomsChannel"}`, fmt.Sprintf(`{"roomId":%d}`, h.Room("designers").ID))

	h.foreignExec(`DELETE FROM memberships WHERE room_id = ? AND user_id = ?`, int64(h.Room("designers").ID), int64(h.ID("kevin")))
	ctx, david := t.Context(), h.User("david")
	h.Post("david", "designers", "<div>for two</div>")
	if _, err := h.Chat.EditMessage(ctx, david, m.RoomID, m.ID, "<div>edited</div>"); err != nil {
		t.Fatal(err)
	}
	boost, err := h.Chat.Boost(ctx, david, m.ID, "👍")
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Chat.DeleteBoost(ctx, david, m.ID, boost.ID); err != nil {
		t.Fatal(err)
	}
	if err := h.Chat.DeleteMessage(ctx, david, m.RoomID, m.ID); err != nil {
		t.Fatal(err)
	}
	jason.perform(typing, "start")
	jason.wantStream(room, `<turbo-stream action="append"`)
	jason.wantMessage(`{"channel":"UnreadRoomsChannel"}`, fmt.Sprintf(`{"roomId":%d}`, h.Room("designers").ID))
	jason.wantStream(room, `<turbo-stream action="append"`)
	jason.wantMessage(`{"channel":"UnreadRoomsChannel"}`, fmt.Sprintf(`{"roomId":%d}`, h.Room("designers").ID))
	jason.wantStream(room, `<turbo-stream maintain_scroll="true" action="replace" target="presentation_message_`)
	jason.wantStream(room, `<turbo-stream maintain_scroll="true" action="append" target="boosts_message_`)
	jason.wantStream(room, `<turbo-stream action="remove" target="boost_`)
	jason.wantStream(room, `<turbo-stream action="remove" target="message_`)
	jason.wantMessage(typing, fmt.Sprintf(`{"action":"start","user":{"id":%d,"name":"Jason"}}`, h.ID("jason")))
	kevin.perform(typing, "start")
	kevin.wantSilence()
	jason.wantSilence()
}

func TestUnreadMarksGoToTheOtherMembersAlone(t *testing.T) {
	h := newHall(t)
	const unreads = `{"channel":"UnreadRoomsChannel"}`
	sockets := map[string]*socket{}
	for _, name := range []string{"jz", "jason", "lou", "david"} {
		sockets[name] = h.open(name)
		sockets[name].subscribe(unreads)
	}
	if err := h.Chat.SetInvolvement(t.Context(), h.User("jason"), h.Room("secret").ID, chat.Nothing); err != nil {
		t.Fatal(err)
	}
	h.Post("jz", "secret", "<div>psst</div>")
	sockets["jason"].wantMessage(unreads, fmt.Sprintf(`{"roomId":%d}`, h.Room("secret").ID))
	for _, s := range sockets {
		s.wantSilence()
	}
}

func TestTypingIsToldToTheRoomAndTheWriter(t *testing.T) {
	h := newHall(t)
	typing := h.inRoom("TypingNotificationsChannel", "designers")
	david, kevin := h.open("david"), h.open("kevin")
	david.subscribe(typing)
	kevin.subscribe(typing)
	for _, action := range []string{"start", "stop"} {
		kevin.perform(typing, action)
		want := fmt.Sprintf(`{"action":"%s","user":{"id":%d,"name":"Kevin"}}`, action, h.ID("kevin"))
		david.wantMessage(typing, want)
		kevin.wantMessage(typing, want)
	}
	kevin.perform(typing, "dance")
	kevin.wantSilence()
	david.wantSilence()
}

func TestTypingInADeletedRoomHarmsNobody(t *testing.T) {
	h := newHall(t)
	typing, here := h.inRoom("TypingNotificationsChannel", "designers"), h.inRoom("PresenceChannel", "designers")
	david, kevin := h.open("david"), h.open("kevin")
	for _, s := range []*socket{david, kevin} {
		s.subscribe(typing)
		s.subscribe(here)
	}
	if err := h.Chat.DeleteRoom(t.Context(), h.User("david"), h.Room("designers").ID); err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{"start", "stop"} {
		kevin.perform(typing, action)
	}
	for _, action := range []string{"refresh", "present", "absent"} {
		kevin.perform(here, action)
	}
	kevin.wantSilence()
	david.wantSilence()
	kevin.wantReject(here + " ")
}
