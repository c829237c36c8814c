package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"hearth/internal/chat/chattest"
	"hearth/internal/rails"
	"hearth/internal/storage"
	"hearth/internal/view"
)

// site is a server over a world of chattest, without a network between.
type site struct {
	*chattest.World
	t      testing.TB
	server *Server
	log    *syncBuffer
}

type syncBuffer struct {
	mu  sync.Mutex // guards buf
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func newSite(t testing.TB) *site { return serving(t, chattest.New(t), Options{}) }

func serving(t testing.TB, world *chattest.World, opt Options) *site {
	t.Helper()
	log := &syncBuffer{}
	opt.Chat, opt.Keys = world.Chat, world.Keys
	opt.Site = view.New(view.Options{Keys: world.Keys, Asset: func(name string) string { return "/assets/" + name }, Version: "test"})
	opt.Cable = http.NotFoundHandler()
	opt.Assets = http.NotFoundHandler()
	opt.FilePath = filesOf(t, world.Dir)
	opt.Log = slog.New(slog.NewTextHandler(log, nil))
	server, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return &site{World: world, t: t, server: server, log: log}
}

// browser is one visitor's browser: it keeps cookies and follows nothing.
type browser struct {
	*site
	cookies map[string]string // as they stand in the header
	headers map[string]string // sent with every request
	ip      string
	host    string
}

func (s *site) visitor() *browser {
	return &browser{site: s, cookies: map[string]string{}, headers: map[string]string{}, ip: "203.0.113.77", host: "chat.test"}
}

// as is a browser in which somebody of the cast is signed in.
func (s *site) as(name string) *browser {
	s.t.Helper()
	return s.visitor().with(s.SignIn(name).Token)
}

func (b *browser) with(token string) *browser {
	b.cookies[rails.TokenCookie] = url.QueryEscape(b.Keys.SignCookie(rails.TokenCookie, token, time.Now().Add(time.Hour)))
	return b
}

// withToken gives the browser a CSRF secret, and a header with its token.
func (b *browser) withToken() *browser {
	secret := rails.NewCSRFSecret()
	text := (&rails.Session{ID: rails.NewSessionID(), CSRFToken: secret}).JSON()
	b.cookies[rails.SessionCookie] = url.QueryEscape(b.Keys.EncryptCookie(rails.SessionCookie, text, time.Now().Add(time.Hour)))
	b.headers["X-CSRF-Token"] = rails.MaskedCSRFToken(secret)
	return b
}

// session is what the session cookie holds.
func (b *browser) session() *rails.Session {
	b.t.Helper()
	value, err := url.PathUnescape(b.cookies[rails.SessionCookie])
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := b.Keys.DecryptCookie(rails.SessionCookie, value, time.Now())
	if err != nil {
		b.t.Fatalf("session cookie: %v", err)
	}
	session, err := rails.ParseSession(text)
	if err != nil {
		b.t.Fatal(err)
	}
	return session
}

type answer struct {
	status int
	header http.Header
	body   string
}

// where is status and, of a redirect, its path.
func (a answer) where() string {
	if a.status != http.StatusFound {
		return fmt.Sprint(a.status)
	}
	u, err := url.Parse(a.header.Get("Location"))
	if err != nil || u.Host == "" {
		return "302 with a broken Location " + a.header.Get("Location")
	}
	return "302 " + u.RequestURI()
}

const formType = "application/x-www-form-urlencoded"

func (b *browser) get(path string, headers ...string) answer {
	return b.do("GET", path, "", headers...)
}
func (b *browser) post(path, form string, headers ...string) answer {
	return b.do("POST", path, form, append([]string{"Content-Type", formType}, headers...)...)
}

// do sends one request; headers are name, value, name, value.
func (b *browser) do(method, path, body string, headers ...string) answer {
	b.t.Helper()
	r := httptest.NewRequest(method, "http://"+b.host+path, strings.NewReader(body))
	r.RemoteAddr = b.ip + ":50000"
	for name, value := range b.headers {
		r.Header.Set(name, value)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	recorder := httptest.NewRecorder()
	b.server.ServeHTTP(recorder, r)
	result := recorder.Result()
	for _, cookie := range result.Cookies() {
		if cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		} else {
			b.cookies[cookie.Name] = cookie.Value
		}
	}
	text, err := io.ReadAll(result.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{result.StatusCode, result.Header, string(text)}
}

// unpacked is the body as it was before compression.
func (a answer) unpacked(t testing.TB) string {
	t.Helper()
	if a.header.Get("Content-Encoding") != "gzip" {
		return a.body
	}
	r, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func expect(t testing.TB, what string, got answer, where string) {
	t.Helper()
	if got.where() != where {
		t.Errorf("%s: %s, want %s\n%.300s", what, got.where(), where, got.body)
	}
}

func expectIn(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%.2000s", what, part, text)
		}
	}
}

func expectNotIn(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%s has %q", what, part)
		}
	}
}

func (s *site) roomPath(name string) string { return roomPath(s.Room(name).ID) }

// surviving makes a login of somebody whose account no longer allows one.
func (s *site) surviving(name string) string {
	token := rails.NewSessionToken()
	now := rails.FormatTime(time.Now())
	s.Exec(`INSERT INTO sessions (user_id, token, ip_address, user_agent, last_active_at, created_at, updated_at) VALUES (?1, ?2, '203.0.113.9', 'old', ?3, ?3, ?3)`,
		s.ID(name), token, now)
	return token
}

// socketRequest is the request by which a browser opens its socket.
func socketRequest(b *browser) *http.Request {
	r := httptest.NewRequest("GET", "http://"+b.host+"/cable", nil)
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	return r
}

// filesOf finds files in a storage folder as the program does.
func filesOf(t testing.TB, dir string) func(key string) string {
	t.Helper()
	folder, err := storage.Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	return folder.FilePath
}
