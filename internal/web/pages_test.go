package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"hearth/internal/chat"
)

const streamType = "text/vnd.turbo-stream.html, text/html, application/xhtml+xml"

func TestThePostersOwnPageGetsTheMessage(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	room := s.Room("watercooler")
	got := b.post(roomPath(room.ID)+"/messages", "message[body]=%3Cp%3Ehello%3C%2Fp%3E&message[client_message_id]=abc123", "Accept", streamType)
	expect(t, "post", got, "200")
	expectIn(t, "stream", got.body, `<turbo-stream action="append" target="`+room.DOMID("messages")+`">`, `id="message_abc123"`, "hello")
	if kind := got.header.Get("Content-Type"); kind != typeTurboStream {
		t.Errorf("Content-Type %q", kind)
	}
	anything := b.post(roomPath(room.ID)+"/messages", "message[body]=again", "Accept", "*/*")
	if kind := anything.header.Get("Content-Type"); kind != typeTurboStream {
		t.Errorf("for anything: Content-Type %q", kind)
	}
	expectIn(t, "the page", b.get(roomPath(room.ID)).body, `id="message_abc123"`)
}

func TestAPostThatIsRepeatedIsOneMessage(t *testing.T) {
	s := newSite(t)
	path := s.roomPath("watercooler") + "/messages"
	kevin, jason := s.as("kevin").withToken(), s.as("jason").withToken()
	const form = "message[client_message_id]=abc123&message[body]="
	first := kevin.post(path, form+"hello", "Accept", streamType)
	s.Heard.Take()
	again := kevin.post(path, form+"hello", "Accept", streamType)
	if first.body != again.body {
		t.Errorf("the second answer is %.300s, want %.300s", again.body, first.body)
	}
	if events := s.Heard.Take(); len(events) != 0 {
		t.Errorf("announced again: %T", events[0])
	}
	if n := s.Int(`SELECT count(*) FROM messages`); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	kevin.post(path, form+"something+else", "Accept", streamType)
	jason.post(path, form+"hello", "Accept", streamType)
	if n := s.Int(`SELECT count(*) FROM messages`); n != 3 {
		t.Errorf("%d messages, want other words and another's words beside it", n)
	}
}

func TestEditingAndDeletingAMessage(t *testing.T) {
	s := newSite(t)
	m := s.Post("kevin", "watercooler", "<p>before</p>")
	b := s.as("kevin").withToken()
	path := messagePath(m)
	frame := "edit_message_" + m.ClientID
	form := b.get(path+"/edit", "Turbo-Frame", frame)
	expectIn(t, "the form", form.body, `<turbo-frame id="`+frame+`"`, "before", "Save changes", "Delete message")
	expectNotIn(t, "the form", form.body, "user_sidebar")
	expect(t, "save", b.post(path, "_method=patch&message[body]=%3Cp%3Eafter%3C%2Fp%3E", "Accept", streamType), "302 "+path)
	expectIn(t, "the frame again", b.get(path, "Turbo-Frame", frame).body, `<turbo-frame id="`+frame+`"`, "after")
	expectIn(t, "the page", b.get(path).body, "after", "user_sidebar")
	object := b.do("PUT", path, "message[body]=as+json", "Content-Type", formType, "Accept", "application/json")
	var one messageJSON
	if err := json.Unmarshal([]byte(object.body), &one); err != nil || one.Body.PlainText != "as json" {
		t.Errorf("JSON: %+v, %v", one, err)
	}
	gone := b.post(path, "_method=delete", "Accept", streamType)
	expectIn(t, "delete", gone.body, `<turbo-stream action="remove" target="message_`+m.ClientID+`">`)
	expect(t, "afterwards", b.get(path), "404")
}

func TestBoostsComeAndGo(t *testing.T) {
	s := newSite(t)
	m := s.Post("david", "watercooler", "boost me")
	b := s.as("kevin").withToken()
	path := fmt.Sprintf("/messages/%d/boosts", m.ID)
	expectIn(t, "the form", b.get(path+"/new", "Turbo-Frame", "new_boost_message_"+m.ClientID).body, `name="boost[content]"`, "new_boost_message_"+m.ClientID)
	expect(t, "boost", b.post(path, "boost[content]=%F0%9F%8E%89"), "302 "+path)
	expectIn(t, "the boosts", b.get(path, "Turbo-Frame", "boosting_message_"+m.ClientID).body, "boosting_message_"+m.ClientID, "🎉")
	id := s.Int(`SELECT id FROM boosts`)
	expect(t, "another's", s.as("david").withToken().post(fmt.Sprint(path, "/", id), "_method=delete"), "404")
	got := b.post(fmt.Sprint(path, "/", id), "_method=delete")
	expect(t, "delete", got, "204")
	if got.body != "" || got.header.Get("Content-Length") != "" {
		t.Errorf("204 with %q, Content-Length %q", got.body, got.header.Get("Content-Length"))
	}
}

func TestMessagesComeInPages(t *testing.T) {
	s := newSite(t)
	for i := range 100 {
		s.Post("kevin", "watercooler", fmt.Sprintf("message %03d.", i))
	}
	b := s.as("kevin")
	ids := func(text string) []string {
		var list []string
		for _, found := range regexp.MustCompile(`data-message-id="(\d+)"`).FindAllStringSubmatch(text, -1) {
			list = append(list, found[1])
		}
		return list
	}
	base := s.roomPath("watercooler")
	last := b.get(base + "/messages")
	expectNotIn(t, "fragments", last.body, "<html", "csrf-token", "authenticity_token")
	first := ids(last.body)
	if len(first) != 40 {
		t.Fatalf("%d messages in the last page", len(first))
	}
	older := b.get(base + "/messages?before=" + first[0])
	expectIn(t, "older", older.body, "message 020.", "message 059.")
	newer := b.get(base + "/messages?after=" + ids(older.body)[39])
	if got := ids(newer.body); len(got) != 40 || got[0] != first[0] {
		t.Errorf("newer starts with %s, want %s", got[0], first[0])
	}
	expect(t, "after the newest", b.get(base+"/messages?after="+first[39]), "204")
	expectIn(t, "before wins", b.get(base+"/messages?after="+first[39]+"&before="+first[0]).body, "message 059.")
	middle := ids(older.body)[0]
	around := b.get(base + "/@" + middle)
	if got := ids(around.body); len(got) < 60 || got[20] != middle {
		t.Errorf("%d messages around %s", len(got), middle)
	}
	expectIn(t, "an unknown message shows the newest", b.get(base+"/@424242").body, "message 099.")
}

func TestRoomsAreMadeRenamedAndLeft(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	expectIn(t, "new", b.get("/rooms/opens/new").body, "Name this room", `action="/rooms/opens"`)
	made := b.post("/rooms/opens", "room[name]=Garden")
	path := strings.TrimPrefix(made.where(), "302 ")
	page := b.get(path)
	expectIn(t, "the room", page.body, "Garden", "Settings for this room")
	if b.cookies[cookieLastRoom] != strings.TrimPrefix(path, "/rooms/") {
		t.Errorf("last_room is %q", b.cookies[cookieLastRoom])
	}
	expect(t, "the root leads there", b.get("/"), "302 "+path)
	opens := strings.Replace(path, "/rooms/", "/rooms/opens/", 1)
	expectIn(t, "settings", b.get(opens+"/edit").body, `value="Garden"`, "Delete")
	expectIn(t, "settings of who may not", s.as("jz").get(opens+"/edit").body, "Garden")
	expectNotIn(t, "settings of who may not", s.as("jz").get(opens+"/edit").body, `name="room[name]"`)
	expect(t, "rename", b.post(opens, "_method=patch&room[name]=Orchard"), "302 "+path)
	expectIn(t, "renamed", b.get(path).body, "Orchard")

	s.Exec(`UPDATE accounts SET settings = '{"restrict_room_creation_to_administrators":true}'`)
	expect(t, "when only administrators may", b.get("/rooms/opens/new"), "403")
	expect(t, "when only administrators may", b.post("/rooms/closeds", "room[name]=Den"), "403")
	expect(t, "an administrator", s.as("david").get("/rooms/closeds/new"), "200")
	expect(t, "a ping", b.post("/rooms/directs", fmt.Sprintf("user_ids[]=%d", s.ID("jz"))), "302 /rooms/"+fmt.Sprint(s.Int(`SELECT max(id) FROM rooms`)))
}

func TestAClosedRoomHasExactlyItsPeople(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	form := url.Values{"room[name]": {"Den"}, "user_ids[]": {fmt.Sprint(s.ID("kevin")), fmt.Sprint(s.ID("jz")), "424242", "word"}}
	made := b.post("/rooms/closeds", form.Encode())
	path := strings.TrimPrefix(made.where(), "302 ")
	expect(t, "a member", s.as("jz").get(path), "200")
	jason := s.as("jason")
	jason.expectNoRoom("an administrator who isn't in it", jason.get(path))
	edit := strings.Replace(path, "/rooms/", "/rooms/closeds/", 1)
	page := b.get(edit + "/edit")
	expectIn(t, "settings", page.body, fmt.Sprintf(`value="%d"`, s.ID("jason")), "Give JZ access to this room")
	expect(t, "leave oneself out", b.post(edit, fmt.Sprintf("_method=put&room[name]=Den&user_ids[]=%d", s.ID("jz"))), "302 "+path)
	b.expectNoRoom("afterwards", b.get(path))
	expect(t, "who stayed", s.as("jz").get(path), "200")
}

func TestPingsAreFoundAgain(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	want := "302 " + s.roomPath("david+kevin")
	expect(t, "the same people", b.post("/rooms/directs", fmt.Sprintf("user_ids[]=%d", s.ID("david"))), want)
	expect(t, "the same people, oneself named", b.post("/rooms/directs", fmt.Sprintf("user_ids[]=%d&user_ids[]=%d", s.ID("david"), s.ID("kevin"))), want)
	page := b.get(s.roomPath("david+kevin"))
	expectIn(t, "the ping", page.body, "Ping with", "David", "Settings for this Ping")
	edit := strings.Replace(s.roomPath("david+kevin"), "/rooms/", "/rooms/directs/", 1)
	expectIn(t, "settings", b.get(edit+"/edit").body, "Delete Ping")
	b.expectNoRoom("settings of a room as a ping", b.get(strings.Replace(s.roomPath("hq"), "/rooms/", "/rooms/directs/", 1)+"/edit"))
	expectIn(t, "the form", b.get("/rooms/directs/new", "Turbo-Frame", "direct_rooms_control").body, `name="user_ids[]"`, "Start Ping")
}

func TestTheBellGoesRound(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	room := s.Room("watercooler")
	path := roomPath(room.ID) + "/involvement"
	for _, to := range []chat.Involvement{chat.Everything, chat.Nothing, chat.Invisible, chat.Mentions} {
		expect(t, string(to), b.post(path, "_method=put&involvement="+string(to)), "302 "+path)
		expectIn(t, string(to), b.get(path, "Turbo-Frame", room.DOMID("involvement")).body, room.DOMID("involvement"))
		if got := s.Text(`SELECT involvement FROM memberships WHERE room_id = ?1 AND user_id = ?2`, room.ID, s.ID("kevin")); got != string(to) {
			t.Errorf("involvement is %q, want %q", got, to)
		}
		listed := strings.Contains(b.get("/users/me/sidebar").body, room.DOMID("list"))
		if want := to != chat.Invisible; listed != want {
			t.Errorf("%s: in the sidebar %v, want %v", to, listed, want)
		}
	}
}

func TestCompletionsHoldWhatTheEditorAndTheFormNeed(t *testing.T) {
	s := newSite(t)
	s.Exec(`UPDATE users SET name = 'Jay <b>' WHERE id = ?1`, s.ID("jz"))
	b := s.as("kevin")
	got := b.get("/autocompletable/users.json?query=j")
	var list []completion
	if err := json.Unmarshal([]byte(got.body), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Name != "Jason" || list[1].Name != "Jay &lt;b&gt;" && list[0].Name != "Jay &lt;b&gt;" {
		t.Errorf("completions %+v", list)
	}
	for _, one := range list {
		if id, err := s.Keys.VerifyMentionSGID(one.SGID); err != nil || id != one.Value {
			t.Errorf("sgid of %s: %d, %v", one.Name, id, err)
		}
		expect(t, "avatar", b.get(strings.TrimPrefix(one.AvatarURL, "http://chat.test")), "200")
	}
	if total := got.header.Get("X-Total-Count"); total != "2" {
		t.Errorf("X-Total-Count %q", total)
	}
	elements := b.get("/autocompletable/users?filter=dav&room_id="+fmt.Sprint(s.Room("watercooler").ID), "Accept", "*/*")
	expectIn(t, "the editor's", elements.body, "<lexxy-prompt-item", `search="David"`, `type="menu"`, `type="editor"`)
	if kind := elements.header.Get("Content-Type"); kind != typeHTML {
		t.Errorf("the editor's as %q", kind)
	}

	code := s.Text(`SELECT join_code FROM accounts`)
	for i := range 45 {
		if _, err := s.Chat.Join(t.Context(), code, chat.Newcomer{Name: fmt.Sprintf("Crowd %02d", i), Email: fmt.Sprint("c", i), Password: "x"}, chat.Client{}); err != nil {
			t.Fatal(err)
		}
	}
	path, pages := "/autocompletable/users.json?query=crowd", 0
	for ; path != "" && pages < 10; pages++ {
		got := b.get(path)
		path = ""
		if link := regexp.MustCompile(`^<http://chat\.test(\S+)>; rel="next"$`).FindStringSubmatch(got.header.Get("Link")); link != nil {
			path = link[1]
		}
	}
	if pages != 3 {
		t.Errorf("%d pages of 45 people, want 3", pages)
	}
}

func TestSearchesAreRemembered(t *testing.T) {
	s := newSite(t)
	s.Post("david", "watercooler", "a garden party")
	s.Post("jz", "secret", "a secret garden")
	b := s.as("kevin").withToken()
	expect(t, "search", b.post("/searches", "q=garden"), "302 /searches?q=garden")
	page := b.get("/searches?q=garden")
	expectIn(t, "results", page.body, "garden party", "Watercooler", `id="search-results"`, "Exit search")
	expectNotIn(t, "results", page.body, "secret garden")
	expectIn(t, "recent", b.get("/searches").body, "garden", "Clear recent searches")
	expect(t, "clear", b.post("/searches/clear", "_method=delete"), "302 /searches")
	expectNotIn(t, "recent", b.get("/searches").body, "garden")
}

func TestWhoIsInNoRoomIsWelcome(t *testing.T) {
	s := newSite(t)
	lou := s.as("lou")
	page := lou.get("/")
	expectIn(t, "welcome", page.body, "No rooms yet", "user_sidebar")
	lou.cookies[cookieLastRoom] = fmt.Sprint(s.Room("secret").ID)
	expect(t, "with a cookie of a room that isn't theirs", lou.get("/"), "200")
	kevin := s.as("kevin")
	kevin.cookies[cookieLastRoom] = fmt.Sprint(s.Room("secret").ID)
	expect(t, "kevin", kevin.get("/"), "302 "+s.roomPath("hq"))
	kevin.cookies[cookieLastRoom] = "nonsense"
	expect(t, "kevin", kevin.get("/"), "302 "+s.roomPath("hq"))
}

func TestUnreadStartsWithTheFirstMessageThatWasMissed(t *testing.T) {
	s := newSite(t)
	david := s.as("david").withToken()
	unread := func(name string) string {
		return s.Text(`SELECT unread_at FROM memberships WHERE room_id = ?1 AND user_id = ?2`, s.Room("watercooler").ID, s.ID(name))
	}
	for range 3 {
		expect(t, "post", david.post(s.roomPath("watercooler")+"/messages", "message[body]=hi", "Accept", streamType), "200")
	}
	if first := s.Text(`SELECT min(created_at) FROM messages`); unread("kevin") != first {
		t.Errorf("unread since %q, want the first message's %q", unread("kevin"), first)
	}
	if got := unread("david"); got != "" {
		t.Errorf("unread for who posted, since %q", got)
	}
	room := s.Room("watercooler")
	row := regexp.MustCompile(`<a[^>]*id="` + room.DOMID("list") + `"[^>]*>`)
	expectIn(t, "kevin's sidebar", row.FindString(s.as("kevin").get("/users/me/sidebar").body), " unread")
	expectNotIn(t, "david's sidebar", row.FindString(david.get("/users/me/sidebar").body), " unread")
}

func TestOnlyTheFirstRoomWelcomes(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin")
	expectIn(t, "the first room", b.get(s.roomPath("hq")).body, `id="system_welcome"`, "http://chat.test/join/")
	expectNotIn(t, "another room", b.get(s.roomPath("watercooler")).body, `id="system_welcome"`)
}

func TestCustomStylesAreInEveryHead(t *testing.T) {
	s := newSite(t)
	s.Exec(`UPDATE accounts SET custom_styles = 'body > .x { color: red }'`)
	for _, path := range []string{s.roomPath("hq"), "/searches"} {
		expectIn(t, path, s.as("kevin").get(path).body, "body > .x { color: red }")
	}
}

func TestNoLinkOfAPageLeadsNowhere(t *testing.T) {
	s := newSite(t)
	m := s.Post("david", "watercooler", "hello")
	if _, err := s.Chat.Boost(t.Context(), s.User("kevin"), m.ID, "🎉"); err != nil {
		t.Fatal(err)
	}
	b := s.as("david")
	link := regexp.MustCompile(`(?:href|src|action|data-refresh-room-url-value|data-messages-page-url-value)="(/[^"]*)"`)
	seen := map[string]bool{}
	queue := []string{"/", s.roomPath("watercooler"), "/session/new", "/join/" + s.Text(`SELECT join_code FROM accounts`)}
	for len(queue) > 0 && len(seen) < 400 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] || strings.HasPrefix(path, "/assets/") {
			continue
		}
		seen[path] = true
		address := pathOnly(path)
		routed := false
		for _, method := range []string{"GET", "POST", "PATCH", "DELETE"} {
			_, found := s.server.router.find(method, address)
			routed = routed || found
		}
		if !routed {
			t.Errorf("%s is linked and leads nowhere", path)
		}
		if _, found := s.server.router.find("GET", address); !found {
			continue // a form goes there
		}
		got := b.get(path)
		if got.status >= 400 && got.status != 406 {
			t.Errorf("%s is linked and answers %d", path, got.status)
		}
		for _, found := range link.FindAllStringSubmatch(got.body, -1) {
			queue = append(queue, strings.ReplaceAll(found[1], "&amp;", "&"))
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d links were found", len(seen))
	}
}
