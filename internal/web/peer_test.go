package web

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func request(peer string, headers ...string) *http.Request {
	r := httptest.NewRequest("GET", "http://chat.test/", nil)
	r.RemoteAddr = peer
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func TestRemoteIP(t *testing.T) {
	const inside, public = "10.0.0.2:40000", "203.0.113.9:40000"
	for _, c := range []struct {
		name    string
		request *http.Request
		want    string
		err     error
	}{
		{"the peer", request(public), "203.0.113.9", nil},
		{"a public peer may not speak for others", request(public, "X-Forwarded-For", "198.51.100.1"), "203.0.113.9", nil},
		{"a private peer may", request(inside, "X-Forwarded-For", "198.51.100.1"), "198.51.100.1", nil},
		{"the last one that is not private", request(inside, "X-Forwarded-For", "198.51.100.1, 198.51.100.2, 192.168.0.3"), "198.51.100.2", nil},
		{"of several headers too", request(inside, "X-Forwarded-For", "198.51.100.1", "X-Forwarded-For", "198.51.100.2"), "198.51.100.2", nil},
		{"all private: the first", request(inside, "X-Forwarded-For", "192.168.0.3, 10.1.1.1"), "192.168.0.3", nil},
		{"nonsense is left out", request(inside, "X-Forwarded-For", "unknown, 198.51.100.1, 1.2.3.4.5, _x"), "198.51.100.1", nil},
		{"IPv6", request("[::1]:40000", "X-Forwarded-For", "2001:db8::1"), "2001:db8::1", nil},
		{"mapped IPv4", request("[::ffff:127.0.0.1]:40000", "X-Forwarded-For", "::ffff:198.51.100.7"), "198.51.100.7", nil},
		{"Client-Ip", request(inside, "Client-Ip", "198.51.100.1"), "198.51.100.1", nil},
		{"Client-Ip that agrees", request(inside, "Client-Ip", "198.51.100.1", "X-Forwarded-For", "198.51.100.1"), "198.51.100.1", nil},
		{"Client-Ip that contradicts", request(inside, "Client-Ip", "198.51.100.1", "X-Forwarded-For", "198.51.100.2"), "", errSpoofed},
		{"no one forwarded", request(inside), "10.0.0.2", nil},
	} {
		got, err := remoteIP(c.request)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, got, err, c.want, c.err)
		}
	}
}

func TestBaseURLComesFromTheRequest(t *testing.T) {
	const inside, public = "127.0.0.1:40000", "203.0.113.9:40000"
	secure := request(public)
	secure.TLS = &tls.ConnectionState{}
	withPort := request(public)
	withPort.Host = "chat.test:80"
	for _, c := range []struct {
		name    string
		ssl     SSL
		request *http.Request
		want    string
		strict  bool
	}{
		{"plain", SSL{}, request(public), "http://chat.test", false},
		{"the default port is left out", SSL{}, withPort, "http://chat.test", false},
		{"own TLS", SSL{}, secure, "https://chat.test", true},
		{"assumed", SSL{Assume: true}, request(public), "https://chat.test", true},
		{"disabled wins", SSL{Assume: true, Disable: true}, request(public), "http://chat.test", false},
		{"a trusted proxy", SSL{}, request(inside, "X-Forwarded-Proto", "https"), "https://chat.test", true},
		{"anybody", SSL{}, request(public, "X-Forwarded-Proto", "https"), "http://chat.test", false},
		{"disabled behind a proxy with TLS", SSL{Disable: true}, request(inside, "X-Forwarded-Proto", "https"), "https://chat.test", false},
		{"a forwarded host", SSL{}, request(inside, "X-Forwarded-Host", "first.test, team.test:3000"), "http://team.test:3000", false},
		{"a host forwarded by anybody", SSL{}, request(public, "X-Forwarded-Host", "evil.test"), "http://chat.test", false},
		{"a host that is none", SSL{}, request(inside, "X-Forwarded-Host", `evil.test/"><b>`), "http://chat.test", false},
	} {
		if got := c.ssl.BaseURL(c.request); got != c.want {
			t.Errorf("%s: BaseURL = %q, want %q", c.name, got, c.want)
		}
		if got := c.ssl.Strict(c.request); got != c.strict {
			t.Errorf("%s: Strict = %v, want %v", c.name, got, c.strict)
		}
	}
}

func TestSocketsNeedAnOriginOfThisSite(t *testing.T) {
	for origin, want := range map[string]bool{
		"": false, "null": false, "http://chat.test": true, "https://chat.test": false, "http://evil.test": false, "http://chat.test:81": false,
	} {
		r := request("203.0.113.9:1")
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		if got := (SSL{}).OriginAllowed(r); got != want {
			t.Errorf("origin %q allowed: %v, want %v", origin, got, want)
		}
	}
}

func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{"", "198.51.100.1", "a, b, c", "::1, fe80::1%eth0", "1.2.3.4:80", "\x00,\xff"} {
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, forwarded, client string) {
		r := request("127.0.0.1:1")
		r.Header["X-Forwarded-For"] = []string{forwarded}
		r.Header["Client-Ip"] = []string{client}
		ip, err := remoteIP(r)
		if err != nil {
			return
		}
		if _, err := netip.ParseAddr(ip); err != nil || strings.Contains(ip, "%") {
			t.Errorf("remote address %q of %q, %q", ip, forwarded, client)
		}
	})
}
