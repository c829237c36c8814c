package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

// What clients get wrong, by accident or on purpose, changes nothing and gets
// one clear answer; never a 500.
func TestBadInputIsRefused(t *testing.T) {
	s := newSite(t)
	mine := s.Post("kevin", "watercooler", "mine")
	elsewhere := s.Post("jason", "secret", "elsewhere")
	b := s.as("kevin").withToken()
	room, other := s.roomPath("watercooler"), s.roomPath("hq")
	before := s.fingerprint()
	for _, c := range []struct {
		name, method, path, kind, body string
		want                           string
	}{
		{"an id that is a word", "GET", "/rooms/abc", "", "", "302 /"},
		{"an id below zero", "GET", "/rooms/-1", "", "", "302 /"},
		{"an id beyond all numbers", "GET", "/rooms/99999999999999999999999", "", "", "302 /"},
		{"an id with something behind it", "GET", "/rooms/1abc", "", "", "302 /"},
		{"a message of another room", "GET", fmt.Sprintf("%s/messages/%d", other, mine.ID), "", "", "404"},
		{"a message of a hidden room under an own one", "GET", fmt.Sprintf("%s/messages/%d", room, elsewhere.ID), "", "", "404"},
		{"editing it", "PATCH", fmt.Sprintf("%s/messages/%d", room, elsewhere.ID), formType, "message[body]=x", "404"},
		{"deleting it", "DELETE", fmt.Sprintf("%s/messages/%d", room, elsewhere.ID), "", "", "404"},
		{"boosting it", "POST", fmt.Sprintf("/messages/%d/boosts", elsewhere.ID), formType, "boost[content]=x", "404"},
		{"paging from it", "GET", fmt.Sprintf("%s/messages?before=%d", room, elsewhere.ID), "", "", "404"},
		{"paging from nothing", "GET", room + "/messages?after=word", "", "", "404"},
		{"a room as text", "POST", "/rooms/opens", formType, "room=hall", "400"},
		{"a name that is a list", "POST", "/rooms/opens", formType, "room[name][]=hall", "400"},
		{"a name that is an object", "POST", "/rooms/opens", "application/json", `{"room":{"name":{"a":1}}}`, "400"},
		{"a message without a body", "POST", room + "/messages", formType, "message[client_message_id]=x", "400"},
		{"a message that is a list", "POST", room + "/messages", "application/json", `{"message":["x"]}`, "400"},
		{"JSON that isn't", "POST", room + "/messages", "application/json", `{"message":`, "400"},
		{"a broken escape", "POST", room + "/messages", formType, "message[body]=%zz", "400"},
		{"Latin-1", "POST", room + "/messages", formType, "message[body]=%e9", "400"},
		{"a zero byte", "POST", room + "/messages", formType, "message[body]=%00", "400"},
		{"a broken query", "GET", room + "?a=%zz", "", "", "400"},
		{"a path that is no text", "GET", "/rooms/%ff%fe", "", "", "404"},
		{"a multipart body without its boundary", "POST", room + "/messages", "multipart/form-data", "x", "400"},
		{"a multipart body that breaks off", "POST", room + "/messages", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n", "400"},
		{"ten thousand parameters", "POST", room + "/messages", formType, strings.Repeat("a[]=1&", 10_000), "400"},
		{"more than a megabyte", "POST", room + "/messages", formType, "message[body]=" + strings.Repeat("a", maxForm), "413"},
		{"an unknown involvement", "PUT", room + "/involvement", formType, "involvement=shouting", "422"},
		{"an involvement in another case", "PUT", room + "/involvement", formType, "involvement=Everything", "422"},
		{"a forged avatar", "GET", "/users/" + s.Keys.SignedID(1, "user/transfer", time.Time{}) + "/avatar", "", "", "404"},
		{"an avatar by its plain id", "GET", "/users/1/avatar", "", "", "404"},
		{"a blob id of another purpose", "GET", "/rails/active_storage/blobs/redirect/" + s.Keys.SignedID(1, "user/avatar", time.Time{}) + "/x", "", "", "404"},
		{"an expired link to a file", "GET", "/rails/active_storage/disk/" + escapeSegment(s.Keys.DiskKey(rails.DiskFile{Key: "abcdefgh"}, time.Now().Add(-time.Second))) + "/x", "", "", "404"},
		{"a link out of the folder", "GET", "/rails/active_storage/disk/" + escapeSegment(s.Keys.DiskKey(rails.DiskFile{Key: "../../../../etc/passwd"}, time.Now().Add(time.Minute))) + "/x", "", "", "404"},
		{"completing from another's room", "GET", fmt.Sprintf("/autocompletable/users.json?room_id=%d", s.Room("secret").ID), "", "", "404"},
		{"completing from no room", "GET", "/autocompletable/users.json?room_id=word", "", "", "404"},
		{"a page that is no number", "GET", "/autocompletable/users.json?page=-3", "", "", "200"},
		{"a person who isn't", "GET", "/users/424242", "", "", "404"},
		{"a method that isn't", "BREW", room, "", "", "404"},
		{"a suffix that isn't", "GET", room + ".exe", "", "", "406"},
		{"a representation that isn't", "GET", room + ".json", "", "", "406"},
	} {
		got := b.do(c.method, c.path, c.body, "Content-Type", c.kind)
		expect(t, c.name, got, c.want)
		if got.status >= 400 && got.status != 406 && got.body == "" {
			t.Errorf("%s: nothing is said about it", c.name)
		}
	}
	if after := s.fingerprint(); after != before {
		t.Errorf("something was changed: %s, before %s", after, before)
	}
	if strings.Contains(s.log.String(), "level=ERROR") {
		t.Errorf("logged as an error:\n%s", s.log)
	}
}

// fingerprint is the state of everything that a request could have changed.
func (s *site) fingerprint() string {
	return fmt.Sprint(s.Int(`SELECT count(*) FROM messages`), s.Int(`SELECT count(*) FROM rooms`), s.Int(`SELECT count(*) FROM boosts`),
		s.Text(`SELECT group_concat(body) FROM action_text_rich_texts`), s.Text(`SELECT group_concat(involvement) FROM memberships`))
}

func TestPeopleWhoArentCantBePutIntoRooms(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	people := fmt.Sprintf("&user_ids[]=%d&user_ids[]=424242&user_ids[]=-1&user_ids[]=word&user_ids[]=", s.ID("kevin"))
	for _, path := range []string{"/rooms/closeds", "/rooms/directs"} {
		made := b.post(path, "room[name]=Odd"+people)
		if made.status != 302 {
			t.Errorf("%s: %s", path, made.where())
			continue
		}
		expect(t, path, b.get(strings.TrimPrefix(made.where(), "302 ")), "200")
	}
	if n := s.Int(`SELECT count(*) FROM memberships WHERE user_id NOT IN (SELECT id FROM users)`); n != 0 {
		t.Errorf("%d memberships of nobody", n)
	}
}

func TestErrorsComeInTheFormThatWasAskedFor(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin")
	page := b.get("/users/424242", "Accept", "text/html")
	expectIn(t, "a page", page.body, "<html", "404")
	object := b.get("/users/424242", "Accept", "application/json")
	if object.body != `{"status":404,"error":"Not Found"}` || object.header.Get("Content-Type") != typeJSON {
		t.Errorf("JSON: %s %q", object.header.Get("Content-Type"), object.body)
	}
	if got := b.get("/users/424242.json"); got.body != object.body {
		t.Errorf("by suffix: %q", got.body)
	}
	nothing := b.get(s.roomPath("hq"), "Accept", "image/avif")
	if nothing.status != 406 || nothing.body != "" {
		t.Errorf("a picture of a room: %d %q", nothing.status, nothing.body)
	}
	large := b.withToken().post("/searches", "q="+strings.Repeat("a", maxForm))
	expectIn(t, "413", large.body, "too large")
}

func TestAFaultBecomesAPageAndALine(t *testing.T) {
	s := newSite(t)
	s.Exec(`ALTER TABLE searches RENAME TO lost`)
	got := s.as("kevin").get("/searches")
	expect(t, "a broken table", got, "500")
	expectIn(t, "the page", got.body, "<html")
	expectNotIn(t, "the page", got.body, "SQL", "searches", "goroutine")
	expectIn(t, "the log", s.log.String(), "level=ERROR", "searches", got.header.Get("X-Request-Id"))
}

func TestAPanicEndsOneRequest(t *testing.T) {
	s := newSite(t)
	s.server.router = newRouter([]route{
		{method: get, pattern: "/panic", access: person, read: func(*exchange, *chat.Reader) error { panic("boom") }},
		{method: get, pattern: "/half", access: person, read: func(x *exchange, _ *chat.Reader) error {
			return x.write(200, typeHTML, func(w io.Writer) error {
				io.WriteString(w, "half a page")
				return errors.New("broken template")
			})
		}},
	})
	for _, path := range []string{"/panic", "/half"} {
		got := s.as("kevin").get(path)
		expect(t, path, got, "500")
		expectNotIn(t, path, got.body, "half a page", "boom")
	}
	expectIn(t, "the log", s.log.String(), "boom", "broken template")
}

func TestABodyThatStopsComingIsAnAnswer(t *testing.T) {
	s := newSite(t)
	r := httptest.NewRequest("POST", "http://chat.test/session", &breaking{})
	r.Header.Set("Content-Type", formType)
	recorder := httptest.NewRecorder()
	s.server.ServeHTTP(recorder, r)
	if recorder.Code != http.StatusBadRequest {
		t.Errorf("status %d, want 400", recorder.Code)
	}
}

type breaking struct{ sent bool }

func (b *breaking) Read(p []byte) (int, error) {
	if b.sent {
		return 0, errors.New("connection reset")
	}
	b.sent = true
	return copy(p, "email_address="), nil
}

func TestNothingSecretIsLogged(t *testing.T) {
	s := newSite(t)
	key := s.BotKey("bender")
	s.visitor().get(s.roomPath("watercooler") + "/" + key + "/messages")
	b := s.as("kevin").withToken()
	b.get("/searches?q=privatething")
	b.post("/session", "email_address=kevin@example.test&password=hunter2hunter2")
	b.get("/join/" + s.Text(`SELECT join_code FROM accounts`))
	b.get("/up")
	s.visitor().do("POST", s.roomPath("watercooler")+"/"+key+"/messages", strings.Repeat("a", maxForm+1))
	transfer := s.Keys.SignedID(1, "user/transfer", time.Now().Add(time.Hour))
	b.get("/session/transfers/" + transfer)
	log := s.log.String()
	expectNotIn(t, "the log", log, key, transfer, "privatething", "hunter2", s.Text(`SELECT join_code FROM accounts`), "path=/up")
	expectIn(t, "the log", log, "path=/rooms/2/{bot_key}/messages", "status=200", fmt.Sprintf("user=%d", s.ID("bender")), "ip=203.0.113.77")
}
