package web

import (
	"errors"
	"net/http"
	"time"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

// serve runs the filters in their order and then the handler.
func (x *exchange) serve() error {
	if err := x.receive(); err != nil {
		return err
	}
	found, ok := x.server.router.find(x.method, x.r.URL.EscapedPath())
	if !ok {
		x.wants = wanted("", x.r.Header.Get("Accept"), x.xhr())
		return chat.ErrNotFound
	}
	x.match = found
	x.negotiate()
	if err := x.parse(); err != nil {
		return err
	}
	if x.route.access != outside && unsupportedBrowser(x.r.UserAgent()) {
		return x.unsupported()
	}
	switch {
	case x.route.read != nil:
		return x.serveRead()
	case x.route.access == outside:
		return x.route.write(x)
	}
	return x.serveWrite()
}

func (x *exchange) negotiate() {
	suffix := x.suffix
	if suffix == "" && x.route.format != "" {
		suffix = x.route.format
	}
	x.wants = wanted(suffix, x.r.Header.Get("Accept"), x.xhr())
}

func (x *exchange) xhr() bool { return x.r.Header.Get("X-Requested-With") == "XMLHttpRequest" }

// serveRead authenticates and answers from one snapshot.
func (x *exchange) serveRead() error {
	err := x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error {
		passed, err := x.enter(in)
		if err != nil || !passed {
			return err
		}
		return x.route.read(x, in)
	})
	if err == nil {
		x.touchLogin()
	}
	return err
}

// serveWrite authenticates from a snapshot and ends it before the handler runs.
func (x *exchange) serveWrite() error {
	passed := false
	err := x.server.chat.Read(x.r.Context(), func(in *chat.Reader) (err error) {
		passed, err = x.enter(in)
		return err
	})
	if err != nil || !passed {
		return err
	}
	x.touchLogin()
	return x.route.write(x)
}

// enter decides whether the request reaches its handler; if not, it has
// already answered.
func (x *exchange) enter(in *chat.Reader) (passed bool, err error) {
	if x.route.access == outside {
		return true, nil
	}
	if passed, err = x.authenticate(in); err != nil || !passed {
		return false, err
	}
	if x.bot && x.route.access != personOrBot {
		return false, x.head(http.StatusForbidden)
	}
	if !x.safe() && !x.bot && !x.validCSRF() {
		return false, errForged
	}
	if !x.safe() {
		banned, err := in.Banned(x.ip)
		if err != nil {
			return false, err
		}
		if banned {
			return false, x.head(http.StatusTooManyRequests)
		}
	}
	x.w.Header().Set("X-Version", x.server.version)
	x.w.Header().Set("X-Rev", x.server.revision)
	return true, nil
}

// authenticate finds out who asks: by the login cookie, else by a bot's key.
func (x *exchange) authenticate(in *chat.Reader) (passed bool, err error) {
	if x.route.access == anyone {
		return true, nil
	}
	switch login, err := loginOf(in, x.server.keys, x.r, x.now); {
	case err == nil:
		x.login, x.viewer, x.loginToken = &login, &login.User, login.Token
		return true, nil
	case !errors.Is(err, chat.ErrNotFound):
		return false, err
	case x.route.access == recognised:
		return true, nil
	}
	if key, given := x.param("bot_key"); given {
		switch bot, err := in.UserByBotKey(key); {
		case err == nil:
			x.viewer, x.bot = &bot, true
			return true, nil
		case !errors.Is(err, chat.ErrNotFound):
			return false, err
		}
	}
	if x.safe() && x.frame() == "" {
		x.rememberReturn()
	}
	return false, x.redirect("/session/new")
}

// loginOf finds the login that a request's cookie names; chat.ErrNotFound when
// there is none, it is forged or expired, or its person may not come in any more.
func loginOf(in *chat.Reader, keys *rails.Keys, r *http.Request, now time.Time) (chat.Session, error) {
	cookie := cookieValue(r, rails.TokenCookie)
	if cookie == "" {
		return chat.Session{}, chat.ErrNotFound
	}
	token, err := keys.VerifyCookie(rails.TokenCookie, cookie, now)
	if err != nil {
		return chat.Session{}, chat.ErrNotFound
	}
	return in.SessionByToken(token)
}

// Authenticate returns the check of who opens a socket: the same login cookie
// as for pages, which is neither touched nor sent again.
func Authenticate(c *chat.Chat, keys *rails.Keys, now func() time.Time) func(*http.Request) (user int64, ok bool, err error) {
	return func(r *http.Request) (user int64, ok bool, err error) {
		err = c.Read(r.Context(), func(in *chat.Reader) error {
			login, err := loginOf(in, keys, r, now())
			user = int64(login.User.ID)
			return err
		})
		if errors.Is(err, chat.ErrNotFound) {
			return 0, false, nil
		}
		return user, err == nil, err
	}
}

// client says where this request comes from.
func (x *exchange) client() chat.Client { return chat.Client{IP: x.ip, UserAgent: x.r.UserAgent()} }

// touchLogin notes that a login is alive; how often, TouchSession knows. The answer
// doesn't depend on it.
func (x *exchange) touchLogin() {
	if x.login == nil {
		return
	}
	if err := x.server.chat.TouchSession(x.r.Context(), *x.login, x.client()); err != nil {
		x.server.log.WarnContext(x.r.Context(), "login not touched", "request", x.id, "error", err)
	}
}

// errForged is a request without a token that this site gave out.
var errForged = errors.New("the request's token or origin is not this site's")

// validCSRF checks where the request comes from and that one of its tokens is
// ours. Any one will do: a form inside a fragment that was made for all viewers
// may hold a useless one while the header has the right one.
func (x *exchange) validCSRF() bool {
	if origin, sent := x.r.Header["Origin"]; sent && origin[0] != x.baseURL() {
		return false
	}
	secret := x.session().CSRFToken
	if secret == "" {
		return false
	}
	tokens := append(x.list("authenticity_token"), x.r.Header.Values("X-CSRF-Token")...)
	for _, token := range tokens {
		if rails.ValidCSRFToken(secret, token, x.r.URL.EscapedPath(), x.method) {
			return true
		}
	}
	return false
}
