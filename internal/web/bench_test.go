package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"syscall"
	"testing"
	"time"

	"hearth/internal/rails"
)

// discard takes an answer and forgets it, so that what is measured is ours.
type discard struct {
	header http.Header
	status int
	bytes  int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(p []byte) (int, error) { d.bytes += len(p); return len(p), nil }

// BenchmarkRequests measures whole requests without a network: filters, queries,
// HTML, and with "gzip" the compression.
func BenchmarkRequests(b *testing.B) {
	s := newSite(b)
	s.server.log = slog.New(slog.DiscardHandler)
	for i := range 60 {
		s.Post([]string{"david", "kevin", "jason"}[i%3], "watercooler", fmt.Sprintf("<div>Message %d with some words in it, as people write them to each other.</div>", i))
	}
	login := s.Keys.SignCookie(rails.TokenCookie, s.SignIn("kevin").Token, time.Now().Add(time.Hour))
	session := s.Keys.EncryptCookie(rails.SessionCookie, (&rails.Session{ID: rails.NewSessionID(), CSRFToken: rails.NewCSRFSecret()}).JSON(), time.Now().Add(time.Hour))
	for _, c := range []struct{ name, path, encoding string }{
		{"room", s.roomPath("watercooler"), ""},
		{"room gzip", s.roomPath("watercooler"), "gzip"},
		{"messages", s.roomPath("watercooler") + "/messages", ""},
		{"sidebar", "/users/me/sidebar", ""},
		{"search", "/searches?q=message", ""},
		{"up", "/up", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequest("GET", "http://chat.test"+c.path, nil)
			r.Header.Set("Accept-Encoding", c.encoding)
			r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/131.0")
			r.AddCookie(&http.Cookie{Name: rails.TokenCookie, Value: url.QueryEscape(login)})
			r.AddCookie(&http.Cookie{Name: rails.SessionCookie, Value: url.QueryEscape(session)})
			b.ReportAllocs()
			start := cpuTime(b)
			for b.Loop() {
				w := &discard{header: http.Header{}}
				s.server.ServeHTTP(w, r)
				if w.status != 200 {
					b.Fatalf("status %d", w.status)
				}
				b.SetBytes(int64(w.bytes))
			}
			b.ReportMetric(float64(cpuTime(b)-start)/float64(b.N), "cpu-ns/op")
		})
	}
}

// cpuTime is what the process has used of the processors, which unlike the time
// on the wall doesn't count the waiting for other programs.
func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
