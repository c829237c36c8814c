package web

import (
	"log/slog"
	"strings"
	"time"
)

// record writes the one line that a request gets in the log.
func (x *exchange) record(took time.Duration, sendErr error) {
	if x.route != nil && x.route.quiet {
		return
	}
	attributes := []slog.Attr{
		slog.String("method", x.method),
		slog.String("path", x.loggedPath()),
		slog.Int("status", x.status),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("ip", x.ip),
		slog.String("request", x.id),
	}
	if x.viewer != nil {
		attributes = append(attributes, slog.Int64("user", int64(x.viewer.ID)))
	}
	if sendErr != nil {
		attributes = append(attributes, slog.String("send", sendErr.Error()))
	}
	x.server.log.LogAttrs(x.r.Context(), slog.LevelInfo, "request", attributes...)
}

// secretNames are the names in patterns whose values let somebody in; they are
// kept out of the log.
var secretNames = map[string]bool{"bot_key": true, "join_code": true, "token": true, "signed_id": true, "encoded_key": true}

// loggedPath is the request's path without secrets and without its query, in
// which people search for things.
func (x *exchange) loggedPath() string {
	m := x.match
	if m.route == nil {
		var found bool
		if m, found = x.server.anyRoute(x.r.URL.EscapedPath()); !found {
			return shortened(x.r.URL.Path)
		}
	}
	path := m.route.pattern
	for i, name := range m.route.names {
		if secretNames[name] || i >= len(m.values) {
			continue
		}
		path = strings.Replace(strings.Replace(path, "{"+name+"...}", m.values[i], 1), "{"+name+"}", m.values[i], 1)
	}
	return path
}

// anyRoute finds what a path stands for under any method: of a request that
// ended before its own route was found.
func (s *Server) anyRoute(escapedPath string) (match, bool) {
	for _, method := range []string{get, post, patch, del} {
		if m, found := s.router.find(method, escapedPath); found {
			return m, true
		}
	}
	return match{}, false
}

// shortened is a path of no route: what is long in it may be a token of another
// server's, or of another version's.
func shortened(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if len(part) > 24 {
			parts[i] = "…"
		}
	}
	return strings.Join(parts, "/")
}
