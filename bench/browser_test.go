package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestAnswersAreReadAsTheyWereSent(t *testing.T) {
	for _, c := range []struct {
		name, wire string
		want       answer
	}{
		{"with a length", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\ncontent-length: 5\r\n\r\nhello", answer{Status: 200, Type: "text/html", Body: []byte("hello")}},
		{"in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n", answer{Status: 200, Body: []byte("hello")}},
		{"without a body", "HTTP/1.1 204 No Content\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n", answer{Status: 204, Cookies: []string{"a=1", "b=2"}}},
		{"as a redirect", "HTTP/1.1 302 Found\r\nLocation: /session/new\r\nContent-Length: 0\r\n\r\n", answer{Status: 302, Location: "/session/new"}},
	} {
		var got answer
		if err := readAnswer(bufio.NewReader(strings.NewReader(c.wire)), &got); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got.Status != c.want.Status || got.Type != c.want.Type || got.Location != c.want.Location ||
			!bytes.Equal(got.Body, c.want.Body) || !slices.Equal(got.Cookies, c.want.Cookies) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestHalfAnswersAreErrors(t *testing.T) {
	for _, wire := range []string{
		"", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 xx\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
		"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n",
		"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", headerBytesMax) + "\r\n\r\n",
	} {
		if err := readAnswer(bufio.NewReader(strings.NewReader(wire)), &answer{}); err == nil {
			t.Errorf("%.60q was taken for an answer", wire)
		}
	}
}

func TestABrowserKeepsItsConnectionAndUnpacks(t *testing.T) {
	long := strings.Repeat("a long page ", 50_000)
	connections := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connections[r.RemoteAddr] = true
		if r.URL.Path == "/zipped" {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write([]byte(long))
			z.Close()
			return
		}
		w.Write([]byte(long))
	}))
	defer server.Close()
	b, err := dial(context.Background(), server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	for _, path := range []string{"/zipped", "/plain", "/zipped"} {
		a, err := b.ask(context.Background(), []byte("GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := b.unpacked(a)
		if err != nil {
			t.Fatal(err)
		}
		if string(body) != long {
			t.Errorf("%s: got %d bytes, want the page of %d", path, len(body), len(long))
		}
	}
	if len(connections) != 1 {
		t.Errorf("%d connections for three questions, want 1", len(connections))
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Fuzz(func(t *testing.T, wire []byte) {
		in := bufio.NewReader(bytes.NewReader(wire))
		var a answer
		for range 4 {
			if readAnswer(in, &a) != nil {
				return
			}
			if a.Status < 200 || len(a.Body) > len(wire) {
				t.Fatalf("status %d with %d bytes out of %d", a.Status, len(a.Body), len(wire))
			}
		}
	})
}
