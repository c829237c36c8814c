package web

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/rails"

	"golang.org/x/net/html"
)

// Faults that servers of this kind have had, each with its right outcome.

const noRoomAlert = "Room not found or inaccessible"

func (b *browser) expectNoRoom(what string, got answer) {
	b.t.Helper()
	expect(b.t, what, got, "302 /")
	if alert := b.session().Flash.Alert; alert != noRoomAlert {
		b.t.Errorf("%s: the alert is %q, want %q", what, alert, noRoomAlert)
	}
}

func TestRoomsCantBeDestroyedOrConvertedThroughAnotherKindsPath(t *testing.T) {
	s := newSite(t)
	kevin := s.as("kevin").withToken()
	open, direct := s.Room("hq"), s.Room("david+kevin")
	kevin.expectNoRoom("delete an open room as a ping", kevin.do("DELETE", fmt.Sprintf("/rooms/directs/%d", open.ID), ""))
	for _, who := range []string{"kevin", "david"} {
		b := s.as(who).withToken()
		for _, kind := range []string{"opens", "closeds"} {
			path := fmt.Sprintf("/rooms/%s/%d", kind, direct.ID)
			b.expectNoRoom(who+" converts a ping", b.do("PATCH", path, "room[name]=Mine", "Content-Type", formType))
			b.expectNoRoom(who+" looks at it", b.get(path))
			b.expectNoRoom(who+" edits it", b.get(path+"/edit"))
		}
	}
	if got := s.Room("david+kevin"); got.Type != chat.Direct || got.Name != "" {
		t.Errorf("the ping became %s %q", got.Type, got.Name)
	}
	if got := s.Room("hq"); got.Type != chat.Open {
		t.Errorf("the open room became %s", got.Type)
	}
	expect(t, "a member who isn't its maker", kevin.do("PATCH", fmt.Sprintf("/rooms/closeds/%d", open.ID), "room[name]=Mine", "Content-Type", formType), "403")

	david := s.as("david").withToken()
	expect(t, "close", david.do("PATCH", fmt.Sprintf("/rooms/closeds/%d", open.ID), fmt.Sprintf("room[name]=HQ&user_ids[]=%d", s.ID("david")), "Content-Type", formType), "302 "+roomPath(open.ID))
	if got := s.Room("hq").Type; got != chat.Closed {
		t.Errorf("after closing: %s", got)
	}
	kevin.expectNoRoom("who was left out", kevin.get(roomPath(open.ID)))
	expect(t, "open", david.do("PATCH", fmt.Sprintf("/rooms/opens/%d", open.ID), "room[name]=HQ", "Content-Type", formType), "302 "+roomPath(open.ID))
	expect(t, "and back in", kevin.get(roomPath(open.ID)), "200")
}

func TestAlertsAreShownOnce(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin")
	b.expectNoRoom("missing", b.get("/rooms/424242"))
	expect(t, "a frame in between", b.get("/users/me/sidebar", "Turbo-Frame", "user_sidebar"), "200")
	expectIn(t, "the next page", b.get(s.roomPath("hq")).body, noRoomAlert)
	expectNotIn(t, "the page after it", b.get(s.roomPath("hq")).body, noRoomAlert)
}

func TestSessionsThatOutlivedTheirPersonAreRefused(t *testing.T) {
	s := newSite(t)
	check := Authenticate(s.Chat, s.Keys, time.Now)
	for _, name := range []string{"rita", "mallory"} {
		b := s.visitor().with(s.surviving(name))
		expect(t, name, b.get(s.roomPath("hq")), "302 /session/new")
		if user, ok, err := check(socketRequest(b)); ok || err != nil {
			t.Errorf("%s's socket: user %d, %v, %v; want refused", name, user, ok, err)
		}
	}
	b := s.as("kevin")
	if user, ok, err := check(socketRequest(b)); !ok || err != nil || user != int64(s.ID("kevin")) {
		t.Errorf("kevin's socket: user %d, %v, %v", user, ok, err)
	}
	s.Exec(`UPDATE users SET status = 1 WHERE id = ?1`, s.ID("kevin"))
	expect(t, "kevin, deactivated meanwhile", b.get(s.roomPath("hq")), "302 /session/new")
}

func TestAPageShowsWhatAnotherProcessWrote(t *testing.T) {
	s := newSite(t)
	m := s.Post("david", "watercooler", "<div>first words</div>")
	b := s.as("kevin")
	for _, path := range []string{s.roomPath("watercooler"), s.roomPath("watercooler") + "/messages", "/searches?q=first"} {
		warm := b.get(path)
		expectIn(t, path, warm.body, "first words", ">David<")
		conditions := []string{"If-None-Match", warm.header.Get("ETag"), "If-Modified-Since", time.Now().Add(time.Hour).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")}
		if strings.HasSuffix(path, "/messages") {
			expect(t, "unchanged fragments", b.get(path, conditions...), "304")
		}
		s.Exec(`UPDATE action_text_rich_texts SET body = '<div>first changed</div>' WHERE record_id = ?1`, m.ID)
		s.Exec(`UPDATE users SET name = 'Renamed' WHERE id = ?1`, s.ID("david"))
		s.Exec(`INSERT INTO boosts (message_id, booster_id, content, created_at, updated_at) VALUES (?1, ?2, 'foreign boost', ?3, ?3)`, m.ID, s.ID("jason"), rails.FormatTime(time.Now()))
		got := b.get(path, conditions...)
		expect(t, path, got, "200")
		expectIn(t, path, got.body, "first changed", ">Renamed<", "foreign boost")
		s.Exec(`UPDATE action_text_rich_texts SET body = '<div>first words</div>' WHERE record_id = ?1`, m.ID)
		s.Exec(`UPDATE users SET name = 'David' WHERE id = ?1`, s.ID("david"))
		s.Exec(`DELETE FROM boosts`)
	}
}

func TestAnAnswerIsNeverOlderThanTheCommitBeforeIt(t *testing.T) {
	s := newSite(t)
	m := s.Post("david", "watercooler", "<div>counter 0.</div>")
	token := s.SignIn("kevin").Token
	counter := regexp.MustCompile(`counter (\d+)\.`)
	var mu sync.Mutex
	committed := 0
	stop := make(chan struct{})
	var readers, writer sync.WaitGroup
	writer.Go(func() {
		for n := 1; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			s.Exec(`UPDATE action_text_rich_texts SET body = ?1 WHERE record_id = ?2`, fmt.Sprintf("<div>counter %d.</div>", n), m.ID)
			mu.Lock()
			committed = n
			mu.Unlock()
		}
	})
	for range 16 {
		readers.Go(func() {
			b := s.visitor().with(token)
			for range 25 {
				mu.Lock()
				least := committed
				mu.Unlock()
				found := counter.FindStringSubmatch(b.get(s.roomPath("watercooler")).body)
				if found == nil {
					t.Error("no counter in the page")
					return
				}
				if got, _ := strconv.Atoi(found[1]); got < least {
					t.Errorf("shown %d after %d was committed", got, least)
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	writer.Wait()
}

func TestAForgedHostStaysInItsOwnAnswer(t *testing.T) {
	s := newSite(t)
	s.Post("bender", "watercooler", "hello")
	good := s.as("kevin")
	evil := s.as("kevin")
	evil.host = "evil.test"
	bot := s.roomPath("watercooler") + "/" + s.BotKey("bender") + "/messages"
	for _, path := range []string{s.roomPath("watercooler"), s.roomPath("watercooler") + "/messages", "/rooms/opens/new", "/autocompletable/users.json?query=j", "/users/me/sidebar"} {
		evil.get(path)
		got := good.get(path)
		expect(t, path, got, "200")
		expectNotIn(t, path, got.body, "evil.test")
		for name, values := range got.header {
			expectNotIn(t, path+" "+name, strings.Join(values, "\n"), "evil.test")
		}
	}
	robot := s.visitor()
	robot.host = "evil.test"
	expectIn(t, "evil's own", robot.get(bot).body, "http://evil.test/rooms/")
	robot.host = "chat.test"
	got := robot.get(bot)
	expectNotIn(t, "the bot's", got.body, "evil.test")
	expectIn(t, "the bot's", got.body, "http://chat.test/rooms/")
}

func TestAnswersAreCompressedOnlyForWhoTakesIt(t *testing.T) {
	s := newSite(t)
	for i := range 30 {
		s.Post("kevin", "watercooler", fmt.Sprint("message ", i))
	}
	b := s.as("kevin")
	path := s.roomPath("watercooler") + "/messages"
	plain := b.get(path)
	for _, c := range []struct {
		accept string
		packed bool
	}{
		{"", false}, {"gzip", true}, {"gzip;q=0", false}, {strings.Repeat("br,", 16) + "gzip;q=0", false},
		{"identity;q=0, gzip", true}, {"*;q=0", false}, {"gzip;q=0.5, identity", false}, {"deflate, gzip;q=1.0, *;q=0.5", true},
	} {
		got := b.get(path, "Accept-Encoding", c.accept)
		if packed := got.header.Get("Content-Encoding") == "gzip"; packed != c.packed {
			t.Errorf("%q: packed %v, want %v", c.accept, packed, c.packed)
		}
		if got.unpacked(t) != plain.body {
			t.Errorf("%q: another body", c.accept)
		}
		if length := got.header.Get("Content-Length"); length != strconv.Itoa(len(got.body)) {
			t.Errorf("%q: Content-Length %s of %d bytes", c.accept, length, len(got.body))
		}
		expectIn(t, "Vary", got.header.Get("Vary"), "Accept-Encoding")
		head := b.do("HEAD", path, "", "Accept-Encoding", c.accept)
		if head.body != "" {
			t.Errorf("%q: HEAD has a body", c.accept)
		}
		for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Type", "ETag", "Vary", "Cache-Control"} {
			if head.header.Get(name) != got.header.Get(name) {
				t.Errorf("%q: HEAD has %s %q, GET %q", c.accept, name, head.header.Get(name), got.header.Get(name))
			}
		}
	}
}

func TestSearchWordsAreOnlyWords(t *testing.T) {
	s := newSite(t)
	s.Post("kevin", "watercooler", "salt AND pepper NEAR the stove")
	s.Post("kevin", "watercooler", "snake_case größe")
	b := s.as("kevin").withToken()
	for query, found := range map[string]int{
		"AND": 1, "salt AND": 1, "NOT": 0, "NEAR": 1, `"`: 0, "(": 0, "*": 0, "-": 0, "": 0, "sal*": 0, "body:salt": 0, "snake_case": 1, "größe": 1,
		"🔥": 0, strings.Repeat("pepper ", 3000): 1, "\u0000": -1,
	} {
		got := b.get("/searches?q=" + url.QueryEscape(query))
		if found < 0 {
			expect(t, fmt.Sprintf("%q", query), got, "400")
			continue
		}
		expect(t, fmt.Sprintf("%.20q", query), got, "200")
		if n := strings.Count(got.body, "data-message-id="); n != found {
			t.Errorf("%.20q found %d, want %d", query, n, found)
		}
	}
	expectIn(t, "the box", b.get("/searches?q=salt+AND").body, `value="salt AND"`)
	expect(t, "a query is remembered", b.post("/searches", "q=salt+%26+pepper"), "302 /searches?q=salt+++pepper")
	expect(t, "an empty one is not", b.post("/searches", "q=%2A%2A"), "302 /searches")
	expect(t, "a missing one", b.post("/searches", "query=x"), "400")
	long := b.post("/searches", "q="+strings.Repeat("%C3%BC", 20_000))
	if location := long.header.Get("Location"); long.status != 302 || len(location) > 8000 {
		t.Errorf("a long query: %d with a Location of %d bytes", long.status, len(location))
	}
}

func TestAPageThatWasAwayCatchesUp(t *testing.T) {
	s := newSite(t)
	var shown []string
	for i := range 3 {
		shown = append(shown, fmt.Sprint(s.Post("kevin", "watercooler", fmt.Sprint("old ", i)).ID))
	}
	s.Exec(`UPDATE messages SET created_at = '2020-01-01 00:00:0' || (id % 10), updated_at = '2020-01-01 00:00:00'`)
	since := time.Now().Add(-time.Minute).UnixMilli()
	b := s.as("kevin")
	ask := func(since int64, ids ...string) string {
		t.Helper()
		got := b.get(fmt.Sprintf("%s/refresh?since=%d&reason=connection&ids=%s", s.roomPath("watercooler"), since, strings.Join(ids, ",")), "Accept", "text/vnd.turbo-stream.html, text/html")
		expect(t, "refresh", got, "200")
		if kind := got.header.Get("Content-Type"); kind != typeTurboStream {
			t.Errorf("Content-Type %q", kind)
		}
		return got.body
	}
	if got := ask(since, shown...); got != "" {
		t.Errorf("nothing happened, but: %s", got)
	}
	for i := range 45 {
		s.Post("kevin", "watercooler", fmt.Sprintf("new message %02d.", i))
	}
	if err := s.Chat.DeleteMessage(t.Context(), s.User("kevin"), s.Room("watercooler").ID, messageID(t, shown[0])); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Chat.EditMessage(t.Context(), s.User("kevin"), s.Room("watercooler").ID, messageID(t, shown[1]), "<p>edited words</p>"); err != nil {
		t.Fatal(err)
	}
	got := ask(since, append(shown, "4242", "nonsense")...)
	expectIn(t, "refresh", got, "new message 00.", "new message 39.", "edited words",
		`<turbo-stream action="remove" targets="[data-message-id='`+shown[0]+`']">`, `data-message-id='4242'`)
	expectNotIn(t, "refresh", got, "old 2")
	added, _, _ := strings.Cut(got, "</turbo-stream>")
	expectNotIn(t, "the oldest 40", added, "new message 40.")
	if n := strings.Count(got, `action="append"`); n != 1 {
		t.Errorf("%d appends, want one", n)
	}
	for _, odd := range []string{"since=never", "since=-5", "since=99999999999999999999", ""} {
		expect(t, odd, b.get(s.roomPath("watercooler")+"/refresh?"+odd, "Accept", "text/vnd.turbo-stream.html"), "200")
	}
	expect(t, "as a page", b.get(s.roomPath("watercooler")+"/refresh?since=0", "Accept", "text/html"), "406")
}

func messageID(t testing.TB, text string) chat.MessageID {
	t.Helper()
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return chat.MessageID(id)
}

func TestASidebarOfManyPingsNamesNobodyTwice(t *testing.T) {
	s := newSite(t)
	code := s.Text(`SELECT join_code FROM accounts`)
	for i := range 25 {
		other, err := s.Chat.Join(t.Context(), code, chat.Newcomer{Name: fmt.Sprintf("Crowd %02d", i), Email: fmt.Sprintf("crowd%d@example.test", i), Password: "x"}, chat.Client{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Chat.OpenDirect(t.Context(), s.User("david"), []chat.UserID{other.User.ID}); err != nil {
			t.Fatal(err)
		}
	}
	got := s.as("david").get("/users/me/sidebar")
	expect(t, "sidebar", got, "200")
	expectNotIn(t, "sidebar", got.body, "Start a ping with")
	if first := strings.Index(got.body, "Crowd"); first < 0 || !strings.HasPrefix(got.body[first:], "Crowd 24") && !strings.HasPrefix(got.body[first:], "Crowd") {
		t.Error("nobody of the crowd is in the sidebar")
	}
	rows := regexp.MustCompile(`id="list_rooms_direct_(\d+)"`).FindAllStringSubmatch(got.body, -1)
	if len(rows) != 29 {
		t.Errorf("%d pings, want 29", len(rows))
	}
	newest := s.Int(`SELECT max(id) FROM rooms`)
	if len(rows) > 0 && rows[0][1] != fmt.Sprint(newest) {
		t.Errorf("ping %s is first, want the newest, %d", rows[0][1], newest)
	}
}

func TestOldMentionsAndMissingAuthorsShow(t *testing.T) {
	world := chattest.OpenSample(t, chat.Options{})
	s := serving(t, world, Options{})
	labels := chattest.Labels(t)
	id := func(label string) int64 {
		t.Helper()
		number, ok := labels[label].(float64)
		if !ok {
			t.Fatalf("no label %q", label)
		}
		return int64(number)
	}
	b := s.visitor()
	header, _ := labels["cookies.david"].(string)
	b.headers["Cookie"] = header
	legacy := id("messages.mention_legacy")
	room := world.Int(`SELECT room_id FROM messages WHERE id = ?1`, legacy)
	page := b.get(fmt.Sprintf("/rooms/%d/@%d", room, legacy))
	expect(t, "a room of the sample", page, "200")
	expectIn(t, "an old mention", page.body, "mention", "David")

	gone := id("messages.unrenderable")
	room = world.Int(`SELECT room_id FROM messages WHERE id = ?1`, gone)
	page = b.get(fmt.Sprintf("/rooms/%d", room))
	expect(t, "the author is gone", page, "200")
	expectIn(t, "the author is gone", page.body, fmt.Sprintf(`data-message-id="%d"`, gone), "message--failed")
	if n := strings.Count(page.body, "message--failed"); n != 1 {
		t.Errorf("%d stubs, want 1", n)
	}
	words := world.Text(`SELECT body FROM message_search_index WHERE rowid = ?1`, gone)
	search := b.get("/searches?q=" + url.QueryEscape(chat.SearchWords(words)))
	expect(t, "search", search, "200")
	expectIn(t, "search", search.body, "message--failed")
}

func TestMentionsSurviveAnEdit(t *testing.T) {
	s := newSite(t)
	david := fmt.Sprint(s.ID("david"))
	uri := base64.StdEncoding.EncodeToString([]byte("\x04\x08I\"\x1fgid://campfire/User/" + david + "?expires_in\x06:\x06ET"))
	payload := []byte(`{"_rails":{"message":"` + uri + `","exp":null,"pur":"attachable"}}`)
	for name, sgid := range map[string]string{
		"of today":                 s.Keys.MentionSGID(int64(s.ID("david"))),
		"of another secret":        rails.NewKeys("before").MentionSGID(int64(s.ID("david"))),
		"of Rails 7":               base64.StdEncoding.EncodeToString(payload) + "--0123456789012345678901234567890123456789",
		"of Rails 7, for the URLs": base64.URLEncoding.EncodeToString(payload) + "--0123456789012345678901234567890123456789",
	} {
		mention := `<action-text-attachment sgid="` + sgid + `" content-type="application/vnd.campfire.mention"></action-text-attachment>`
		m := s.Post("kevin", "watercooler", "<div>Hi "+mention+" there</div>")
		b := s.as("kevin").withToken()
		shows := regexp.MustCompile(`class="mention"[^>]*>.*?href="/users/` + david + `"`)
		if text := b.get(messagePath(m)).body; !shows.MatchString(text) {
			t.Errorf("%s: no mention in %.3000s", name, text)
		}
		form := b.get(messagePath(m) + "/edit").body
		value := regexp.MustCompile(`(?s)<lexxy-editor[^>]*value="([^"]*)"`).FindStringSubmatch(form)
		if value == nil {
			t.Fatalf("%s: no editor in %.3000s", name, form)
		}
		edited := url.QueryEscape(html.UnescapeString(value[1]) + "<p>and more</p>")
		expect(t, name, b.post(messagePath(m), "_method=patch&message[body]="+edited), "302 "+messagePath(m))
		if text := b.get(messagePath(m)).body; !shows.MatchString(text) || !strings.Contains(text, "and more") {
			t.Errorf("%s: after the edit there is no mention in %.3000s", name, text)
		}
	}
	m := s.Post("kevin", "watercooler", `<div>Hi <action-text-attachment sgid="`+s.Keys.MentionSGID(4242)+`" content-type="application/vnd.campfire.mention"></action-text-attachment> and the rest</div>`)
	expectIn(t, "a mention of nobody", s.as("kevin").get(messagePath(m)).body, "☒", "and the rest")
}

func TestStoredMarkupCantRunInAPage(t *testing.T) {
	s := newSite(t)
	for _, body := range []string{
		`<a title="> http://x.test/ onmouseover=alert(1)">t</a>`, `<img src=x onerror=alert(1)>`, `<a href="javascript:alert(1)">j</a>`,
		`<form name="body"><input name="cookie"></form>`, `<script>alert(1)</script>`, `<p onclick="alert(1)" name="location">n</p>`,
		`<svg><script>alert(1)</script></svg>`, `<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	} {
		s.Post("kevin", "watercooler", body)
	}
	b := s.as("david")
	page := b.get(s.roomPath("watercooler") + "/messages").body
	expectNotIn(t, "the messages", page, "<script", "onerror=", "onclick=\"alert", "javascript:", "srcdoc", `name="location"`, `name="body"`, `name="cookie"`, "<iframe")
	expectNoHandlers(t, page)
	policy := b.get(s.roomPath("watercooler")).header.Get("Content-Security-Policy")
	expectIn(t, "the policy", policy, "script-src 'self';", "connect-src 'self' ws://chat.test wss://chat.test;", "style-src 'self' 'unsafe-inline'")
}

// expectNoHandlers reads the page as a browser does.
func expectNoHandlers(t testing.TB, page string) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(page))
	for tokens.Next() != html.ErrorToken {
		for _, attribute := range tokens.Token().Attr {
			if strings.HasPrefix(attribute.Key, "on") {
				t.Errorf("an element has the attribute %s", attribute.Key)
			}
		}
	}
}

func TestAPostToARoomThatIsGoneIsToldSo(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	for _, path := range []string{"/rooms/424242/messages", s.roomPath("secret") + "/messages", "/rooms/nonsense/messages"} {
		got := b.post(path, "message[body]=hi", "Accept", "text/vnd.turbo-stream.html, text/html", "Turbo-Frame", "composer-frame")
		expect(t, path, got, "200")
		expectIn(t, path, got.body, `<turbo-frame id="composer-frame"`, "deleted")
	}
	if n := s.Int(`SELECT count(*) FROM messages`); n != 0 {
		t.Errorf("%d messages, want none", n)
	}
}

func TestABotsBoostsStayUnderTheirMessage(t *testing.T) {
	s := newSite(t)
	here, there := s.Post("david", "watercooler", "here"), s.Post("david", "hq", "there")
	bot := s.visitor()
	base := func(room string, message chat.MessageID) string {
		return fmt.Sprintf("%s/%s/messages/%d/boosts", s.roomPath(room), s.BotKey("bender"), message)
	}
	made := bot.do("POST", base("watercooler", here.ID), "👍")
	expect(t, "boost", made, "201")
	var boost boostJSON
	if err := json.Unmarshal([]byte(made.body), &boost); err != nil || boost.Content != "👍" || boost.Message.ID != int64(here.ID) || boost.Booster.Role != "bot" {
		t.Errorf("boost %+v, %v", boost, err)
	}
	expect(t, "a message of another room", bot.do("POST", base("watercooler", there.ID), "👍"), "404")
	expect(t, "an empty boost", bot.do("POST", base("watercooler", here.ID), "  "), "422")
	expect(t, "under another message", bot.do("DELETE", fmt.Sprintf("%s/%d", base("hq", there.ID), boost.ID), ""), "404")
	others, err := s.Chat.Boost(t.Context(), s.User("david"), here.ID, "x")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "somebody else's", bot.do("DELETE", fmt.Sprintf("%s/%d", base("watercooler", here.ID), others.ID), ""), "404")
	expect(t, "its own", bot.do("DELETE", fmt.Sprintf("%s/%d", base("watercooler", here.ID), boost.ID), ""), "204")
}
