package web

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/rails"
)

func TestTheFirstOneSetsUpTheAccount(t *testing.T) {
	s := serving(t, chattest.Empty(t, chat.Options{}), Options{})
	b := s.visitor()
	expect(t, "root", b.get("/"), "302 /session/new")
	expect(t, "sign-in page", b.get("/session/new"), "302 /first_run")
	page := b.get("/first_run")
	expect(t, "first run", page, "200")
	expectIn(t, "first run", page.body, `name="user[name]"`, `name="user[email_address]"`, `name="user[password]"`)

	token := formToken(t, page.body, "/first_run")
	expect(t, "without its token", b.post("/first_run", "user[name]=Ann"), "422")
	expect(t, "without its fields", b.post("/first_run", "authenticity_token="+url.QueryEscape(token)), "400")
	form := "authenticity_token=" + url.QueryEscape(token) + "&user[name]=Ann&user[email_address]=ann@example.test&user[password]=secret"
	expect(t, "set up", b.post("/first_run", form), "302 /")
	expect(t, "signed in", b.get("/"), fmt.Sprintf("302 /rooms/%d", s.Int(`SELECT id FROM rooms`)))
	expect(t, "first run again", b.get("/first_run"), "302 /")
	if got := s.Int(`SELECT count(*) FROM users WHERE role = 1`); got != 1 {
		t.Errorf("%d administrators, want 1", got)
	}
}

// formToken finds the token in the form that goes to a path.
func formToken(t testing.TB, page, action string) string {
	t.Helper()
	form := regexp.MustCompile(`(?s)<form[^>]*action="` + regexp.QuoteMeta(action) + `".*?</form>`).FindString(page)
	found := regexp.MustCompile(`name="authenticity_token" value="([^"]+)"`).FindStringSubmatch(form)
	if found == nil {
		t.Fatalf("no token in the form to %s:\n%.3000s", action, page)
	}
	return found[1]
}

func TestFiveFirstRunsAtOnceMakeOneAccount(t *testing.T) {
	s := serving(t, chattest.Empty(t, chat.Options{}), Options{})
	answers := make([]answer, 5)
	var all sync.WaitGroup
	for i := range answers {
		b := s.visitor().withToken()
		all.Go(func() {
			answers[i] = b.post("/first_run", fmt.Sprintf("user[name]=P%d&user[email_address]=p%d@example.test&user[password]=x", i, i))
		})
	}
	all.Wait()
	winners := 0
	for _, a := range answers {
		expect(t, "first run", a, "302 /")
		if strings.Contains(strings.Join(a.header.Values("Set-Cookie"), "\n"), rails.TokenCookie+"=") {
			winners++
		}
	}
	if accounts, people := s.Int(`SELECT count(*) FROM accounts`), s.Int(`SELECT count(*) FROM users`); accounts != 1 || people != 1 || winners != 1 {
		t.Errorf("%d accounts, %d people, %d signed in; want one of each", accounts, people, winners)
	}
}

func TestSigningInLeadsBackToWhereOneWanted(t *testing.T) {
	s := newSite(t)
	b := s.visitor()
	want := s.roomPath("hq") + "/@5?a=b"
	expect(t, "a room", b.get(want), "302 /session/new")
	expect(t, "a frame is no place to return to", b.get("/users/me/sidebar", "Turbo-Frame", "user_sidebar"), "302 /session/new")
	page := b.get("/session/new?email_address=kevin@example.test")
	expectIn(t, "sign-in page", page.body, `value="kevin@example.test"`, `name="password"`, `name="log_in"`)
	token := "authenticity_token=" + url.QueryEscape(formToken(t, page.body, "/session"))
	failed := b.post("/session", token+"&email_address=kevin@example.test&password=wrong")
	expect(t, "a wrong password", failed, "401")
	expectIn(t, "a wrong password", failed.body, `id="sign_in_problem"`)
	expect(t, "the right one", b.post("/session", token+"&email_address=kevin@example.test&password="+chattest.Password), "302 "+want)
	expect(t, "once only", b.get("/"), "302 "+s.roomPath("hq"))
	if got := b.session().ReturnTo; got != "" {
		t.Errorf("still wants to return to %q", got)
	}
}

func TestCookiesStayBelowWhatBrowsersKeep(t *testing.T) {
	s := newSite(t)
	for _, length := range []int{10, 1400, 1600, 100_000} {
		b := s.visitor()
		got := b.get("/searches?q=" + strings.Repeat("a", length))
		expect(t, "search", got, "302 /session/new")
		for _, cookie := range got.header.Values("Set-Cookie") {
			pair, _, _ := strings.Cut(cookie, ";")
			name, value, _ := strings.Cut(pair, "=")
			if plain, err := url.QueryUnescape(value); err != nil || len(name)+len(plain) > cookieMax {
				t.Errorf("%d: %s has %d bytes, %v", length, name, len(name)+len(plain), err)
			}
		}
		if kept := b.cookies[rails.SessionCookie] != "" && b.session().ReturnTo != ""; kept != (length < 1500) {
			t.Errorf("an address of %d bytes is kept: %v", length, kept)
		}
	}
	b := s.visitor()
	b.cookies[rails.SessionCookie] = "nonsense"
	expect(t, "a session that can't be read", b.get("/session/new"), "200")
	if b.session().CSRFToken == "" {
		t.Error("it isn't replaced by one that can")
	}
}

func TestReturningNeverLeavesTheSite(t *testing.T) {
	for address, want := range map[string]string{
		"http://evil.test/rooms/5?x=1": "/rooms/5?x=1", "//evil.test/a": "/a", "http://evil.test//other.test": "/other.test",
		"javascript:alert(1)": "/", "": "/", "http://[broken": "/", "\\\\evil.test": "/%5C%5Cevil.test",
	} {
		if got := pathOf(address); got != want {
			t.Errorf("pathOf(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestElevenAttemptsAreTooMany(t *testing.T) {
	s := newSite(t)
	b := s.visitor().withToken()
	const form = "email_address=kevin@example.test&password="
	for i := range 10 {
		if got := b.post("/session", form+"wrong"); got.status != 401 {
			t.Fatalf("attempt %d: %d, want 401", i+1, got.status)
		}
	}
	refused := b.post("/session", form+chattest.Password)
	expect(t, "the eleventh, with the right password", refused, "429")
	expectIn(t, "the eleventh", refused.body, `id="sign_in_problem"`, `name="log_in"`)
	b.ip = "203.0.113.78"
	expect(t, "from another address", b.post("/session", form+chattest.Password), "302 /")
}

func TestALoginCookieThatWasSignedOutIsWorthNothing(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	expect(t, "before", b.get(s.roomPath("hq")), "200")
	before := b.session()
	stolen := b.cookies[rails.TokenCookie]
	out := b.do("DELETE", "/session", "")
	expect(t, "sign out", out, "302 /")
	expectIn(t, "sign out", strings.Join(out.header.Values("Set-Cookie"), "\n"), rails.TokenCookie+"=; path=/; max-age=0; expires=Thu, 01 Jan 1970")
	if _, kept := b.cookies[rails.TokenCookie]; kept {
		t.Error("the login cookie stays")
	}
	if after := b.session(); after.CSRFToken == before.CSRFToken {
		t.Error("the CSRF secret stays")
	}
	thief := s.visitor()
	thief.cookies[rails.TokenCookie] = stolen
	expect(t, "replayed", thief.get(s.roomPath("hq")), "302 /session/new")
	if n := s.Int(`SELECT count(*) FROM sessions`); n != 0 {
		t.Errorf("%d sessions left, want none", n)
	}
}

func TestForgedAndExpiredLoginsAreVisitors(t *testing.T) {
	s := newSite(t)
	token := s.SignIn("kevin").Token
	good := s.Keys.SignCookie(rails.TokenCookie, token, time.Now().Add(time.Hour))
	for name, cookie := range map[string]string{
		"forged":          strings.Replace(good, "--", "--0", 1),
		"of another name": s.Keys.SignCookie("last_room", token, time.Now().Add(time.Hour)),
		"expired":         s.Keys.SignCookie(rails.TokenCookie, token, time.Now().Add(-time.Second)),
		"of other keys":   rails.NewKeys("other").SignCookie(rails.TokenCookie, token, time.Now().Add(time.Hour)),
		"plain":           token,
		"cut":             good[:40],
		"broken escapes":  "%zz",
	} {
		b := s.visitor()
		b.cookies[rails.TokenCookie] = cookie
		expect(t, name, b.get(s.roomPath("hq")), "302 /session/new")
	}
	expect(t, "good", s.visitor().with(token).get(s.roomPath("hq")), "200")
}

func TestLoginsAreSentAgainAndTouchedHourly(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin")
	b.headers["User-Agent"] = "curl/8.5"
	first := b.get(s.roomPath("hq"))
	if !strings.Contains(strings.Join(first.header.Values("Set-Cookie"), "\n"), rails.TokenCookie+"=") {
		t.Error("the login cookie is not sent again")
	}
	if got := s.Text(`SELECT user_agent FROM sessions`); got != "chattest" {
		t.Errorf("touched within the hour: %q", got)
	}
	s.Exec(`UPDATE sessions SET last_active_at = ?1`, rails.FormatTime(time.Now().Add(-61*time.Minute)))
	b.get(s.roomPath("hq"))
	if agent, ip := s.Text(`SELECT user_agent FROM sessions`), s.Text(`SELECT ip_address FROM sessions`); agent != "curl/8.5" || ip != "203.0.113.77" {
		t.Errorf("after an hour: %q from %q, want the new client", agent, ip)
	}
}

func TestCookiesSayHowTheyMayTravel(t *testing.T) {
	world := chattest.New(t)
	for name, c := range map[string]struct {
		ssl    SSL
		secure bool
	}{"http": {SSL{}, false}, "https": {SSL{Assume: true}, true}, "disabled": {SSL{Assume: true, Disable: true}, false}} {
		s := serving(t, world, Options{SSL: c.ssl})
		got := s.as("kevin").get(s.roomPath("hq"))
		cookies := got.header.Values("Set-Cookie")
		if len(cookies) != 3 {
			t.Fatalf("%s: %d cookies, want 3: %q", name, len(cookies), cookies)
		}
		for _, cookie := range cookies {
			scripts := strings.HasPrefix(cookie, cookieLastRoom+"=")
			if strings.Contains(cookie, "; secure") != c.secure || strings.Contains(cookie, "; httponly") == scripts ||
				!strings.Contains(cookie, "; samesite=lax") || !strings.Contains(cookie, "; path=/; expires=") {
				t.Errorf("%s: %s", name, cookie)
			}
		}
		if hsts := got.header.Get("Strict-Transport-Security") != ""; hsts != c.secure {
			t.Errorf("%s: HSTS %v, want %v", name, hsts, c.secure)
		}
	}
}

func TestWritingNeedsOneGoodToken(t *testing.T) {
	s := newSite(t)
	path := s.roomPath("hq") + "/messages"
	const body = "message[body]=hi"
	b := s.as("kevin").withToken()
	good := b.headers["X-CSRF-Token"]
	secret := b.session().CSRFToken
	delete(b.headers, "X-CSRF-Token")
	field := func(token string) string { return body + "&authenticity_token=" + url.QueryEscape(token) }
	for _, c := range []struct {
		name, form, header, origin, want string
	}{
		{"none", body, "", "", "422"},
		{"in the header", body, good, "", "200"},
		{"in the form", field(good), "", "", "200"},
		{"for this form", field(rails.MaskedFormToken(secret, path, "post")), "", "", "200"},
		{"for another form", field(rails.MaskedFormToken(secret, "/session", "post")), "", "", "422"},
		{"for another method", field(rails.MaskedFormToken(secret, path, "delete")), "", "", "422"},
		{"another's in the form, good in the header", field(rails.MaskedCSRFToken(rails.NewCSRFSecret())), good, "", "200"},
		{"good in the form, another's in the header", field(good), rails.MaskedCSRFToken(rails.NewCSRFSecret()), "", "200"},
		{"the plain secret", field(secret), "", "", "200"},
		{"nonsense", field("nonsense"), "x", "", "422"},
		{"from this site", body, good, "http://chat.test", "200"},
		{"from another site", body, good, "http://evil.test", "422"},
		{"from nowhere", body, good, "null", "422"},
		{"from another scheme", body, good, "https://chat.test", "422"},
	} {
		headers := []string{"Accept", "text/vnd.turbo-stream.html"}
		if c.header != "" {
			headers = append(headers, "X-CSRF-Token", c.header)
		}
		if c.origin != "" {
			headers = append(headers, "Origin", c.origin)
		}
		expect(t, c.name, b.post(path, c.form, headers...), c.want)
	}
	stranger := s.as("kevin")
	expect(t, "without a session", stranger.post(path, body, "X-CSRF-Token", good), "422")
}

func TestPagesGiveTokensThatWork(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin")
	page := b.get(s.roomPath("hq"))
	meta := regexp.MustCompile(`name="csrf-token" content="([^"]+)"`).FindStringSubmatch(page.body)
	if meta == nil {
		t.Fatal("no token in the page's head")
	}
	posted := b.post(s.roomPath("hq")+"/messages", "message[body]=hi", "X-CSRF-Token", meta[1], "Accept", "text/vnd.turbo-stream.html")
	expect(t, "post", posted, "200")
	if again := b.get(s.roomPath("hq")); strings.Contains(again.body, meta[1]) {
		t.Error("two pages hold the same masked token")
	}
}

func TestAFormMayNameItsMethod(t *testing.T) {
	s := newSite(t)
	b := s.as("david").withToken()
	for i, ask := range []func(path string) answer{
		func(path string) answer { return b.post(path, "_method=delete") },
		func(path string) answer { return b.post(path, "", "X-HTTP-Method-Override", "DELETE") },
		func(path string) answer { return b.do("DELETE", path, "") },
	} {
		room, err := s.Chat.CreateOpenRoom(t.Context(), s.User("david"), "Short-lived")
		if err != nil {
			t.Fatal(err)
		}
		expect(t, fmt.Sprint("way ", i), ask(roomPath(room.ID)), "302 /")
		if n := s.Int(`SELECT count(*) FROM rooms WHERE id = ?1`, room.ID); n != 0 {
			t.Errorf("way %d: the room is still there", i)
		}
	}
	expect(t, "a GET names no other", b.get(s.roomPath("hq")+"?_method=delete"), "200")
	expect(t, "a method that is none", b.post(s.roomPath("hq"), "_method=explode"), "404")
}

func TestOldBrowsersGetAPageOfTheirOwnBeforeAnythingElse(t *testing.T) {
	s := newSite(t)
	const old = "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko"
	for _, path := range []string{"/", "/session/new", s.roomPath("hq"), "/account/logo"} {
		got := s.visitor().get(path, "User-Agent", old)
		expect(t, path, got, "200")
		expectIn(t, path, got.body, "Unsupported browser")
		if got.header.Get("X-Version") != "" {
			t.Errorf("%s: X-Version is set", path)
		}
	}
	expect(t, "/up", s.visitor().get("/up", "User-Agent", old), "200")
}

func TestABannedAddressMayReadButNotWrite(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin").withToken()
	b.ip = "203.0.113.9"
	expect(t, "read", b.get(s.roomPath("hq")), "200")
	refused := b.post(s.roomPath("hq")+"/messages", "message[body]=hi")
	expect(t, "write", refused, "429")
	if refused.body != "" || refused.header.Get("X-Version") != "" {
		t.Errorf("body %q, X-Version %q; want neither", refused.body, refused.header.Get("X-Version"))
	}
	delete(b.headers, "X-CSRF-Token")
	expect(t, "without a token, which is looked at first", b.post(s.roomPath("hq")+"/messages", "message[body]=hi"), "422")
	b.withToken().ip = "10.0.0.1"
	expect(t, "through a proxy", b.post(s.roomPath("hq")+"/messages", "message[body]=hi", "X-Forwarded-For", "203.0.113.9"), "429")
	expect(t, "two stories", b.get(s.roomPath("hq"), "X-Forwarded-For", "1.1.1.1", "Client-Ip", "2.2.2.2"), "400")
}

func TestABotKeyOpensWhatBotsMayDoAndNoMore(t *testing.T) {
	s := newSite(t)
	messages := func(room, key string) string { return s.roomPath(room) + "/" + key + "/messages" }
	human := fmt.Sprintf("%d-", s.ID("kevin"))
	for name, key := range map[string]string{"a person's id": human, "a deactivated bot": s.BotKey("old_bot"), "nonsense": "x", "a wrong token": fmt.Sprintf("%d-aaaaaaaaaaaa", s.ID("bender"))} {
		expect(t, name, s.visitor().do("POST", messages("watercooler", key), "hello"), "302 /session/new")
		expect(t, name, s.visitor().get(messages("watercooler", key)), "302 /session/new")
	}
	if n := s.Int(`SELECT count(*) FROM messages`); n != 0 {
		t.Errorf("%d messages were posted, want none", n)
	}
	for _, got := range []answer{s.visitor().get(messages("secret", s.BotKey("bender"))), s.visitor().do("POST", messages("secret", s.BotKey("bender")), "hello")} {
		expect(t, "a room that isn't the bot's", got, "404")
		if got.body != "" {
			t.Errorf("a bot is told %q", got.body)
		}
	}
	bot := s.visitor()
	expect(t, "elsewhere", bot.get(s.roomPath("watercooler")+"?bot_key="+s.BotKey("bender")), "403")
	person := s.as("kevin")
	expect(t, "a person's login wins, and needs a token", person.do("POST", messages("watercooler", s.BotKey("bender")), "hello"), "422")
	expect(t, "and posts as the person", person.withToken().do("POST", messages("watercooler", s.BotKey("bender")), "hello"), "201")
	if got := s.Int(`SELECT creator_id FROM messages`); got != int64(s.ID("kevin")) {
		t.Errorf("posted by %d, want kevin", got)
	}
}

func TestWhoHasTheLinkMayJoin(t *testing.T) {
	s := newSite(t)
	code := s.Text(`SELECT join_code FROM accounts`)
	b := s.visitor()
	page := b.get("/join/" + code)
	expectIn(t, "join page", page.body, `name="user[name]"`, `name="user[email_address]"`, `name="user[password]"`)
	token := "authenticity_token=" + url.QueryEscape(formToken(t, page.body, "/join/"+code))
	taken := b.post("/join/"+code, token+"&user[name]=K&user[email_address]=kevin%40example.test&user[password]=x")
	expect(t, "a taken address", taken, "302 /session/new?email_address=kevin%40example.test")
	expectIn(t, "a taken address", b.get("/session/new?email_address=kevin%40example.test").body, "This address has an account already", `value="kevin@example.test"`)
	expect(t, "a wrong code", s.visitor().withToken().post("/join/aaaa-bbbb-cccc", "user[name]=K&user[email_address]=new@example.test&user[password]=x"), "404")
	expect(t, "join", b.post("/join/"+code, token+"&user[name]=New&user[email_address]=new@example.test&user[password]=x"), "302 /")
	expect(t, "joined", b.get("/"), "302 "+s.roomPath("hq"))
}
