package web

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"hearth/internal/chat"
)

// access is who may use a route.
type access uint8

const (
	anyone      access = iota // the session isn't even looked at
	recognised                // the session is looked at, not required
	person                    // a signed-in person; visitors are sent to sign in, bots get 403
	personOrBot               // a bot too, by its key
	outside                   // no filter at all: no gate, no session, no CSRF, no ban
)

// route is one row of the table of routes. Exactly one of read and write is set.
//
// A pattern's segments are literal, or "{name}" for one segment, or "@{name}",
// or, at the end, "{name...}" for all the rest. Every path may also end with a
// "/" or a ".format", except where the rest is taken whole.
type route struct {
	method  string // GET answers HEAD, PATCH answers PUT
	pattern string
	access  access
	read    func(*exchange, *chat.Reader) error // inside one snapshot, with the authentication
	write   func(*exchange) error               // outside of any snapshot
	format  string                              // the format when the path names none; empty: as the Accept header says
	quiet   bool                                // not logged

	names []string // in the pattern, in order; set by newRouter
}

// router finds the route of a path: a tree with one level a segment.
type router struct{ root node }

type node struct {
	literals map[string]*node
	at       *node // "@{name}"
	any      *node // "{name}"
	rest     map[string]*route
	routes   map[string]*route // by method
}

func newRouter(routes []route) *router {
	var tree router
	for i := range routes {
		routes[i].names = namesIn(routes[i].pattern)
		tree.add(&routes[i])
	}
	return &tree
}

func (t *router) add(r *route) {
	at := &t.root
	for _, segment := range segments(r.pattern) {
		if strings.HasSuffix(segment, "...}") {
			at.rest = register(at.rest, r)
			return
		}
		at = at.child(segment)
	}
	at.routes = register(at.routes, r)
}

func register(routes map[string]*route, r *route) map[string]*route {
	if routes == nil {
		routes = map[string]*route{}
	}
	if routes[r.method] != nil {
		panic("web: two routes for " + r.method + " " + r.pattern)
	}
	if (r.read == nil) == (r.write == nil) {
		panic("web: route " + r.method + " " + r.pattern + " needs one handler")
	}
	routes[r.method] = r
	return routes
}

func (n *node) child(segment string) *node {
	grow := func(child **node) *node {
		if *child == nil {
			*child = &node{}
		}
		return *child
	}
	switch {
	case strings.HasPrefix(segment, "@{"):
		return grow(&n.at)
	case strings.HasPrefix(segment, "{"):
		return grow(&n.any)
	}
	if n.literals == nil {
		n.literals = map[string]*node{}
	}
	if n.literals[segment] == nil {
		n.literals[segment] = &node{}
	}
	return n.literals[segment]
}

// match is a route that was found, with what its names stand for.
type match struct {
	route  *route
	values []string // of the pattern's names, in order
	suffix string   // the path's ".format", without the dot
}

// find looks a path up: first as it is, then, if its last segment has a dot,
// with what follows the dot taken as the format. The path is still escaped.
func (t *router) find(method, escapedPath string) (match, bool) {
	parts := segments(escapedPath)
	for i, part := range parts {
		plain, err := url.PathUnescape(part)
		if err != nil || !utf8.ValidString(plain) || strings.ContainsRune(plain, 0) {
			return match{}, false
		}
		parts[i] = plain
	}
	method = routeMethod(method)
	if r, values := t.root.find(method, parts, nil, false); r != nil {
		return match{route: r, values: values}, true
	}
	last := len(parts) - 1
	if last < 0 {
		return match{}, false
	}
	dot := strings.LastIndexByte(parts[last], '.')
	if dot <= 0 || dot == len(parts[last])-1 {
		return match{}, false
	}
	suffix := parts[last][dot+1:]
	parts[last] = parts[last][:dot]
	if r, values := t.root.find(method, parts, nil, true); r != nil {
		return match{route: r, values: values, suffix: suffix}, true
	}
	return match{}, false
}

func (n *node) find(method string, parts, values []string, cut bool) (*route, []string) {
	if len(parts) == 0 {
		return n.routes[method], values
	}
	part := parts[0]
	if child := n.literals[part]; child != nil {
		if r, found := child.find(method, parts[1:], values, cut); r != nil {
			return r, found
		}
	}
	if name, marked := strings.CutPrefix(part, "@"); marked && n.at != nil && named(name) {
		if r, found := n.at.find(method, parts[1:], append(values, name), cut); r != nil {
			return r, found
		}
	}
	if n.any != nil && named(part) {
		if r, found := n.any.find(method, parts[1:], append(values, part), cut); r != nil {
			return r, found
		}
	}
	if r := n.rest[method]; r != nil && !cut {
		return r, append(values, strings.Join(parts, "/"))
	}
	return nil, nil
}

// named reports text that one "{name}" may stand for; a dot begins a format.
func named(text string) bool { return text != "" && !strings.Contains(text, ".") }

func routeMethod(method string) string {
	switch method {
	case http.MethodHead:
		return http.MethodGet
	case http.MethodPut:
		return http.MethodPatch
	}
	return method
}

// segments splits a path; doubled and final slashes don't count.
func segments(path string) []string {
	parts := make([]string, 0, 8)
	for part := range strings.SplitSeq(path, "/") {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func namesIn(pattern string) []string {
	var names []string
	for _, segment := range segments(pattern) {
		if _, name, found := strings.Cut(segment, "{"); found {
			names = append(names, strings.TrimSuffix(strings.TrimSuffix(name, "}"), "..."))
		}
	}
	return names
}

// value is what a name of the pattern stands for in this request.
func (m match) value(name string) string {
	for i, one := range m.route.names {
		if one == name && i < len(m.values) {
			return m.values[i]
		}
	}
	return ""
}
