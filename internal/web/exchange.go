package web

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

// exchange is one request, what the filters found out about it, and the answer
// as it takes shape. It lives in one goroutine and ends with the request.
type exchange struct {
	server *Server
	w      http.ResponseWriter
	r      *http.Request
	now    time.Time
	id     string // X-Request-Id
	ip     string // the client's address

	match
	method  string // after the override
	raw     []byte // the body as it came
	form    params // of the body, where its type says that it holds some
	query   params
	formErr error // why form is not all
	wants   []format

	viewer *chat.User    // who asks; nil: a visitor
	login  *chat.Session // nil for visitors and bots
	bot    bool          // viewer is a bot that showed its key

	loaded      *rails.Session
	keepSession bool   // send the session cookie
	loginToken  string // send a login cookie with this token
	signedOut   bool   // delete the login cookie
	masked      bool   // the body holds a masked token: no two are the same

	status      int
	contentType string
	body        *buffer  // from a pool; nil: no body
	content     *content // sent instead of body; nil: none
}

// methods that a form may stand in for.
var overridable = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true}

// receive reads what is needed to find the route: address, body, method. A body
// that can't be parsed is an error only for routes that want parameters of it.
func (x *exchange) receive() error {
	var err error
	if x.ip, err = remoteIP(x.r); err != nil {
		return err
	}
	if x.raw, err = readBody(x.w, x.r); err != nil {
		return err
	}
	x.form, x.formErr = parseBody(x.r.Header.Get("Content-Type"), x.raw)
	if x.method == http.MethodPost {
		x.overrideMethod()
	}
	return nil
}

// overrideMethod lets a POST say which method it means.
func (x *exchange) overrideMethod() {
	means := x.r.Header.Get("X-HTTP-Method-Override")
	if named, ok := x.form.get("_method"); ok {
		means = named
	}
	if means = strings.ToUpper(means); overridable[means] {
		x.method = means
	}
}

// parse completes the parameters. A bot's messages are raw: what they contain
// need not be what their type says.
func (x *exchange) parse() error {
	if err := x.query.addURLEncoded(x.r.URL.RawQuery); err != nil {
		return err
	}
	if x.rawBody() {
		x.form = params{}
		return nil
	}
	return x.formErr
}

// rawBody reports a body that a bot's message is made of.
func (x *exchange) rawBody() bool {
	return x.route.access == personOrBot && !strings.HasPrefix(x.r.Header.Get("Content-Type"), "multipart/form-data")
}

// safe reports a request that changes nothing.
func (x *exchange) safe() bool { return x.method == http.MethodGet || x.method == http.MethodHead }

// param gives a parameter: of the path, else the body, else the query.
func (x *exchange) param(name string) (string, bool) {
	if value := x.value(name); value != "" {
		return value, true
	}
	if value, ok := x.form.get(name); ok {
		return value, true
	}
	return x.query.get(name)
}

func (x *exchange) text(name string) string { value, _ := x.param(name); return value }

// list gives all values of a name such as "user_ids[]".
func (x *exchange) list(name string) []string {
	return append(append([]string(nil), x.query.values[name]...), x.form.values[name]...)
}

// require answers 400 for a request without a group of parameters.
func (x *exchange) require(group string) error {
	if x.form.group(group) || x.query.group(group) {
		return nil
	}
	return errMissing
}

var errMissing = errors.New("a required group of parameters is missing")

// pathID reads an id of the path. What is no number names nothing.
func (x *exchange) pathID(name string) (int64, error) {
	id, err := strconv.ParseInt(x.value(name), 10, 64)
	if err != nil || id < 0 {
		return 0, chat.ErrNotFound
	}
	return id, nil
}

func (x *exchange) pathRoom(name string) (chat.RoomID, error) {
	id, err := x.pathID(name)
	return chat.RoomID(id), err
}

func (x *exchange) pathMessage(name string) (chat.MessageID, error) {
	id, err := x.pathID(name)
	return chat.MessageID(id), err
}

// userIDs reads the people a form lists; what is no id is left out.
func (x *exchange) userIDs() []chat.UserID {
	var ids []chat.UserID
	for _, text := range x.list("user_ids[]") {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil && id > 0 {
			ids = append(ids, chat.UserID(id))
		}
	}
	return ids
}

// frame is the id of the Turbo frame that asks, or empty.
func (x *exchange) frame() string { return x.r.Header.Get("Turbo-Frame") }

func (x *exchange) baseURL() string { return x.server.ssl.BaseURL(x.r) }

// pathOf makes an address that was kept earlier one of this site: whatever its
// host, only path and query count.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		return "/"
	}
	return "/" + strings.TrimLeft(u.RequestURI(), "/")
}

var unsafeRequestID = regexp.MustCompile(`[^\w\-@]`)

// requestID keeps the id that a proxy gave, or makes one.
func requestID(r *http.Request) string {
	given := r.Header.Get("X-Request-Id")
	if given == "" {
		return rails.NewUUID()
	}
	given = unsafeRequestID.ReplaceAllString(given, "")
	if given = given[:min(len(given), 255)]; given == "" {
		return rails.NewUUID()
	}
	return given
}
