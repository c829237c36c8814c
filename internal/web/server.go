package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"hearth/internal/chat"
	"hearth/internal/rails"
	"hearth/internal/view"
)

// Options say what a Server is made of. Fields without a word on zero are required.
type Options struct {
	Chat *chat.Chat
	Site *view.Site
	Keys *rails.Keys

	// Cable answers "/cable".
	Cable http.Handler

	// Assets answers for what is below "/assets/".
	Assets http.Handler

	// FilePath tells where the bytes of a blob lie, by its key; empty for a key that
	// can't be one.
	FilePath func(key string) string

	Log      *slog.Logger // zero: nothing is logged
	Version  string       // X-Version; empty: "0"
	Revision string       // X-Rev; may be empty
	SSL      SSL

	VAPIDPublicKey string           // for the pages' head; may be empty
	Now            func() time.Time // zero: time.Now
}

// Server answers every request of the chat. It is safe for all goroutines.
type Server struct {
	chat     *chat.Chat
	site     *view.Site
	keys     *rails.Keys
	cable    http.Handler
	assets   http.Handler
	filePath func(key string) string
	log      *slog.Logger
	version  string
	revision string
	ssl      SSL
	vapidKey string
	now      func() time.Time

	router  *router
	signIns *limiter
}

// Ten attempts to sign in within three minutes from one address; of how many
// addresses at once, the memory bounds.
const (
	signInLimit     = 10
	signInWindow    = 3 * time.Minute
	signInAddresses = 20_000
)

// New makes a Server. It fails when something that is required is missing.
func New(opt Options) (*Server, error) {
	if opt.Chat == nil || opt.Site == nil || opt.Keys == nil || opt.Cable == nil || opt.Assets == nil || opt.FilePath == nil {
		return nil, errors.New("web: Chat, Site, Keys, Cable, Assets and FilePath are required")
	}
	s := &Server{
		chat: opt.Chat, site: opt.Site, keys: opt.Keys, cable: opt.Cable, assets: opt.Assets, filePath: opt.FilePath,
		log: opt.Log, version: opt.Version, revision: opt.Revision,
		ssl: opt.SSL, vapidKey: opt.VAPIDPublicKey, now: opt.Now,
		router:  newRouter(routes()),
		signIns: newLimiter(signInLimit, signInWindow, signInAddresses),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.version == "" {
		s.version = "0"
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/cable":
		s.cable.ServeHTTP(w, r)
		return
	case strings.HasPrefix(r.URL.Path, "/assets/") && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.defaultHeaders(w.Header(), r)
		s.assets.ServeHTTP(w, r)
		return
	}
	x := &exchange{server: s, w: w, r: r, method: r.Method, now: s.now(), id: requestID(r)}
	s.defaultHeaders(w.Header(), r)
	w.Header().Set("X-Request-Id", x.id)
	began := time.Now()
	if err := x.guarded(); err != nil {
		x.fail(err)
	}
	w.Header().Set("X-Runtime", strconv.FormatFloat(time.Since(began).Seconds(), 'f', 6, 64))
	err := x.send()
	x.record(time.Since(began), err)
}

// guarded turns a panic of a handler into an error.
func (x *exchange) guarded() (err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			panic(p)
		default:
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return x.serve()
}

// defaultHeaders are on every answer.
func (s *Server) defaultHeaders(header http.Header, r *http.Request) {
	header["X-Frame-Options"] = sameOrigin
	header["X-Xss-Protection"] = zero
	header["X-Content-Type-Options"] = noSniff
	header["X-Permitted-Cross-Domain-Policies"] = none
	header["Referrer-Policy"] = strictOrigin
	header.Set("Content-Security-Policy", contentPolicy(hostOf(r)))
	if s.ssl.Strict(r) {
		header["Strict-Transport-Security"] = strictTransport
	}
}

// Header values that never change; sharing them saves an allocation each.
var (
	sameOrigin      = []string{"SAMEORIGIN"}
	zero            = []string{"0"}
	noSniff         = []string{"nosniff"}
	none            = []string{"none"}
	strictOrigin    = []string{"strict-origin-when-cross-origin"}
	strictTransport = []string{"max-age=63072000; includeSubDomains"}
)

// contentPolicy lets scripts come from this site only. An account's own styles
// stand inline in the page and may fetch pictures and fonts from elsewhere, as
// they always could; so may the pictures in a link's preview.
func contentPolicy(host string) string {
	sockets := ""
	if validHost(host) {
		sockets = " ws://" + host + " wss://" + host
	}
	return "default-src 'self'; script-src 'self'; connect-src 'self'" + sockets +
		"; style-src 'self' 'unsafe-inline' https:; font-src 'self' data: https:; img-src 'self' data: blob: https: http:" +
		"; media-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
}
