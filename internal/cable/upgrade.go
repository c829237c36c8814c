package cable

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gobwas/ws"
)

// handshakeWait is how long the answer to an upgrade may take to leave.
const handshakeWait = 10 * time.Second

// ServeHTTP turns a request into a socket and returns at once, so that the memory of
// the request is free while the socket lives. What isn't a WebSocket from one of our
// pages gets a 404; somebody unknown gets a socket that says so and closes.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isHandshake(r) || !h.opt.OriginAllowed(r) {
		notFound(w)
		return
	}
	before := h.roster.disconnects.Load()
	user, known, err := h.opt.Authenticate(r)
	if err != nil {
		h.opt.Log.Error("cable: authenticate", "error", err)
		http.Error(w, "Internal server error", http.StatusInternalServerError)
		return
	}
	c, err := h.upgrade(w, r)
	if err != nil {
		h.opt.Log.Info("cable: upgrade", "error", err)
		return
	}
	c.user = user
	if known {
		c.out.push(welcomeFrame)
	} else {
		c.refuse()
	}
	if !h.roster.join(c, &h.sockets) {
		c.net.Close()
		return
	}
	h.stats.connections.Add(1)
	if known && h.roster.disconnects.Load() != before {
		again, stillKnown, err := h.opt.Authenticate(r)
		if err != nil || !stillKnown || again != user {
			c.refuse()
		}
	}
	go c.drain()
	go c.run(h.life)
}

// refuse tells somebody unknown to stay away.
func (c *conn) refuse() {
	c.end(ws.StatusNormalClosure, "", disconnectFrame(reasonUnauthorized, false))
}

func (h *Hub) upgrade(w http.ResponseWriter, r *http.Request) (*conn, error) {
	upgrader := ws.HTTPUpgrader{
		Timeout:  handshakeWait,
		Protocol: func(offered string) bool { return offered == Subprotocol },
	}
	socket, buffered, _, err := upgrader.Upgrade(r, w)
	if err != nil {
		if socket != nil {
			socket.Close()
		}
		return nil, fmt.Errorf("upgrade: %w", err)
	}
	c := &conn{hub: h, net: socket, src: socket, drained: make(chan struct{}), subscriptions: map[string]*Subscription{}}
	c.out = outbox{maxFrames: h.opt.MaxQueueFrames, maxBytes: h.opt.MaxQueueBytes, wake: make(chan struct{}, 1)}
	if early := buffered.Reader.Buffered(); early > 0 {
		first, _ := buffered.Reader.Peek(early)
		c.src = io.MultiReader(bytes.NewReader(bytes.Clone(first)), socket)
	}
	return c, nil
}

// isHandshake reports whether the request asks for a WebSocket as RFC 6455, section 4.2.1, says.
func isHandshake(r *http.Request) bool {
	return r.Method == http.MethodGet && r.ProtoAtLeast(1, 1) && r.ProtoMajor == 1 && r.Host != "" &&
		hasToken(r.Header, "Connection", "upgrade") &&
		strings.EqualFold(r.Header.Get("Upgrade"), "websocket") &&
		r.Header.Get("Sec-WebSocket-Version") == "13" &&
		len(r.Header.Get("Sec-WebSocket-Key")) == 24
}

func hasToken(header http.Header, name, token string) bool {
	for _, line := range header.Values(name) {
		for part := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(part), token) {
				return true
			}
		}
	}
	return false
}

func notFound(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	io.WriteString(w, "Page not found")
}
