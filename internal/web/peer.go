package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// SSL says when a request counts as https: then cookies are secure, answers
// carry HSTS, and absolute links and the origin check use https.
type SSL struct {
	Assume  bool // every request is https: --assume-ssl
	Disable bool // DISABLE_SSL: never secure cookies, never HSTS; wins over Assume
}

// HTTPS reports whether a request came by https: assumed, by its own TLS, or
// because a trusted peer says so.
func (p SSL) HTTPS(r *http.Request) bool {
	return p.Assume && !p.Disable || r.TLS != nil || forwardedProto(r) == "https"
}

// Strict reports whether to insist on https from now on: secure cookies, HSTS.
func (p SSL) Strict(r *http.Request) bool { return !p.Disable && p.HTTPS(r) }

// BaseURL is scheme and host as the client sees them, without a final slash.
// It comes from the request alone and must never outlive it.
func (p SSL) BaseURL(r *http.Request) string {
	scheme, port := "http://", ":80"
	if p.HTTPS(r) {
		scheme, port = "https://", ":443"
	}
	return scheme + strings.TrimSuffix(hostOf(r), port)
}

// OriginAllowed reports whether a request says that it comes from this very
// site; one that doesn't say is not allowed. It guards the socket.
func (p SSL) OriginAllowed(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin != "" && origin == p.BaseURL(r)
}

// hostOf is the host the client asked for; a trusted peer may name it.
func hostOf(r *http.Request) string {
	if forwarded := r.Header.Get("X-Forwarded-Host"); forwarded != "" && trustedPeer(r) {
		if last := strings.LastIndexByte(forwarded, ','); last >= 0 {
			forwarded = forwarded[last+1:]
		}
		if host := strings.TrimSpace(forwarded); validHost(host) {
			return host
		}
	}
	return r.Host
}

// validHost keeps a forwarded host to what a name or an address and a port
// are written with.
func validHost(host string) bool {
	return host != "" && len(host) <= 255 && strings.IndexFunc(host, func(c rune) bool {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		return !letter && !strings.ContainsRune("-._:[]", c)
	}) < 0
}

func forwardedProto(r *http.Request) string {
	proto := r.Header.Get("X-Forwarded-Proto")
	if proto == "" || !trustedPeer(r) {
		return ""
	}
	first, _, _ := strings.Cut(proto, ",")
	return strings.ToLower(strings.TrimSpace(first))
}

// trustedPeer reports whether the other end of the connection may speak for
// others: it is on this machine or in a private network.
func trustedPeer(r *http.Request) bool {
	peer, ok := peerAddr(r)
	return ok && private(peer)
}

func peerAddr(r *http.Request) (netip.Addr, bool) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	return addr.Unmap().WithZone(""), err == nil
}

func private(addr netip.Addr) bool {
	return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()
}

// errSpoofed is a request whose two stories about the client's address differ.
var errSpoofed = errors.New("Client-Ip is not among X-Forwarded-For")

// remoteIP is the address of the client: the last forwarded one that is not
// private, if the peer may be believed, else the peer itself. If all are
// private, it is the first that was forwarded.
func remoteIP(r *http.Request) (string, error) {
	peer, known := peerAddr(r)
	if !known {
		return "", nil
	}
	if !private(peer) {
		return peer.String(), nil
	}
	forwarded := addresses(r.Header.Values("X-Forwarded-For"))
	clients := addresses(r.Header.Values("Client-Ip"))
	if len(forwarded) > 0 && len(clients) > 0 && !contains(forwarded, clients[0]) {
		return "", errSpoofed
	}
	all := append(clients, forwarded...) // nearest last
	for i := len(all) - 1; i >= 0; i-- {
		if !private(all[i]) {
			return all[i].String(), nil
		}
	}
	if len(all) > 0 {
		return all[0].String(), nil
	}
	return peer.String(), nil
}

func contains(list []netip.Addr, addr netip.Addr) bool {
	for _, one := range list {
		if one == addr {
			return true
		}
	}
	return false
}

// addresses reads lists of addresses, separated by commas or blanks; what is no
// address is left out.
func addresses(headers []string) []netip.Addr {
	var list []netip.Addr
	for _, header := range headers {
		for _, field := range strings.FieldsFunc(header, func(c rune) bool { return c == ',' || c == ' ' || c == '\t' }) {
			if addr, err := netip.ParseAddr(field); err == nil {
				list = append(list, addr.Unmap().WithZone(""))
			}
		}
	}
	return list
}
