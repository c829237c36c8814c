package web

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func TestEveryAnswerHasTheDefaultHeaders(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin")
	for _, path := range []string{s.roomPath("hq"), "/", "/nowhere", "/session/new", "/up"} {
		got := b.get(path)
		for name, want := range map[string]string{
			"X-Frame-Options": "SAMEORIGIN", "X-XSS-Protection": "0", "X-Content-Type-Options": "nosniff",
			"X-Permitted-Cross-Domain-Policies": "none", "Referrer-Policy": "strict-origin-when-cross-origin",
		} {
			if value := got.header.Get(name); value != want {
				t.Errorf("%s: %s = %q, want %q", path, name, value, want)
			}
		}
		if id := got.header.Get("X-Request-Id"); !regexp.MustCompile(`^[0-9a-f-]{36}$`).MatchString(id) {
			t.Errorf("%s: X-Request-Id %q", path, id)
		}
		if took := got.header.Get("X-Runtime"); !regexp.MustCompile(`^\d+\.\d{6}$`).MatchString(took) {
			t.Errorf("%s: X-Runtime %q", path, took)
		}
	}
	if got := b.get("/up", "X-Request-Id", "from proxy/<1>@x").header.Get("X-Request-Id"); got != "fromproxy1@x" {
		t.Errorf("a proxy's id became %q", got)
	}
	if got := b.get("/up", "X-Request-Id", strings.Repeat("a", 1000)).header.Get("X-Request-Id"); len(got) != 255 {
		t.Errorf("a long id became %d bytes", len(got))
	}
}

func TestPagesTellTheirVersion(t *testing.T) {
	s := newSite(t)
	if got := s.as("kevin").get(s.roomPath("hq")).header; got.Get("X-Version") != "0" || len(got.Values("X-Rev")) != 1 {
		t.Errorf("X-Version %q, X-Rev %q", got.Get("X-Version"), got.Values("X-Rev"))
	}
	for _, path := range []string{s.roomPath("hq"), "/up"} {
		if got := s.visitor().get(path).header; got.Get("X-Version") != "" {
			t.Errorf("%s as a visitor: X-Version %q", path, got.Get("X-Version"))
		}
	}
}

func TestARedirectWithoutAHostIsAPath(t *testing.T) {
	s := newSite(t)
	r := httptest.NewRequest("GET", "/", nil)
	r.Host, r.ProtoMinor = "", 0 // what HTTP/1.0 allows
	recorder := httptest.NewRecorder()
	s.server.ServeHTTP(recorder, r)
	if got := recorder.Header().Get("Location"); recorder.Code != 302 || got != "/session/new" {
		t.Errorf("status %d to %q, want 302 to /session/new", recorder.Code, got)
	}
}

func TestOnlyWhatIsFreshMayBeKept(t *testing.T) {
	s := newSite(t)
	s.Post("kevin", "watercooler", "hello")
	b := s.as("kevin")
	page := b.get(s.roomPath("watercooler") + "/messages")
	if got := page.header.Get("Cache-Control"); got != "max-age=0, private, must-revalidate" {
		t.Errorf("a page: Cache-Control %q", got)
	}
	tag := page.header.Get("ETag")
	if !strings.HasPrefix(tag, `W/"`) {
		t.Errorf("ETag %q, want a weak one", tag)
	}
	if got := b.get("/rooms").header; got.Get("Cache-Control") != "no-cache" || got.Get("ETag") != "" {
		t.Errorf("a redirect: Cache-Control %q, ETag %q", got.Get("Cache-Control"), got.Get("ETag"))
	}
	for header, want := range map[string]string{
		tag: "304", `"x", ` + tag: "304", strings.TrimPrefix(tag, "W/"): "304", "*": "304", `W/"x"`: "200", "": "200", "nonsense": "200",
	} {
		got := b.get(s.roomPath("watercooler")+"/messages", "If-None-Match", header)
		expect(t, "If-None-Match "+header, got, want)
		if want == "304" && (got.body != "" || got.header.Get("ETag") != tag || got.header.Get("Content-Type") != "") {
			t.Errorf("304 with body %q, ETag %q, Content-Type %q", got.body, got.header.Get("ETag"), got.header.Get("Content-Type"))
		}
		if vary := got.header.Get("Vary"); vary != page.header.Get("Vary") || vary == "" {
			t.Errorf("Vary is %q, that of the page %q", vary, page.header.Get("Vary"))
		}
	}
}
