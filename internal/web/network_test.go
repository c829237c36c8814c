package web

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// What only a real connection shows: lengths, bodies that must not be there,
// and what happens to a connection after an error.

// talk sends raw requests over one connection and reads the answers to them.
func talk(t *testing.T, addr string, requests ...string) []*http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	answers := bufio.NewReader(conn)
	var got []*http.Response
	for _, text := range requests {
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		method, _, _ := strings.Cut(text, " ")
		answer, err := http.ReadResponse(answers, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("after %.60q: %v", text, err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatalf("body after %.60q: %v", text, err)
		}
		answer.Body = io.NopCloser(strings.NewReader(string(body)))
		got = append(got, answer)
	}
	return got
}

func TestConnectionsStayInStep(t *testing.T) {
	s := newSite(t)
	s.Post("kevin", "watercooler", strings.Repeat("many words ", 500))
	server := httptest.NewServer(s.server)
	defer server.Close()
	addr := server.Listener.Addr().String()
	b := s.as("kevin")
	cookie := "Cookie: session_token=" + b.cookies["session_token"] + "\r\n"
	line := func(method, path, headers string) string {
		return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n%s%s\r\n", method, path, addr, cookie, headers)
	}
	path := s.roomPath("watercooler") + "/messages"
	got := talk(t, addr,
		line("GET", path, "Accept-Encoding: gzip\r\n"),
		line("HEAD", path, "Accept-Encoding: gzip\r\n"),
		line("GET", path, ""),
		line("HEAD", path, ""),
		line("GET", s.roomPath("hq")+"/messages", ""), // nothing: 204
		line("POST", "/session", "Content-Length: 0\r\n"),
		line("GET", "/nowhere", ""),
		line("GET", "/up", ""),
	)
	want := []int{200, 200, 200, 200, 204, 422, 404, 200}
	for i, answer := range got {
		if answer.StatusCode != want[i] {
			t.Errorf("answer %d: %d, want %d", i, answer.StatusCode, want[i])
		}
	}
	for _, i := range []int{0, 2} {
		body, _ := io.ReadAll(got[i].Body)
		if got[i].ContentLength != int64(len(body)) || got[i+1].Header.Get("Content-Length") != got[i].Header.Get("Content-Length") {
			t.Errorf("GET: Content-Length %d of %d bytes; HEAD: %s", got[i].ContentLength, len(body), got[i+1].Header.Get("Content-Length"))
		}
	}
	tagged := got[2].Header.Get("ETag")
	again := talk(t, addr, line("GET", path, "If-None-Match: "+tagged+"\r\n"), line("GET", "/up", ""))
	if again[0].StatusCode != 304 || again[1].StatusCode != 200 {
		t.Errorf("304 and on: %d, %d", again[0].StatusCode, again[1].StatusCode)
	}
}

func TestBodiesWithoutALengthAreBoundedToo(t *testing.T) {
	s := newSite(t)
	server := httptest.NewServer(s.server)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+"/session", io.LimitReader(endless{}, 3*maxForm))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", formType)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return // the server may hang up before all of it is sent
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, want 413", answer.StatusCode)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}
