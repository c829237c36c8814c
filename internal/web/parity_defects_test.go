package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// defect spoils every answer of a server in one way; the rows that it must
// break stand beside it.
type defect struct {
	name  string
	spoil func(*httptest.ResponseRecorder)
	area  string
	rows  []string // kind, what and expectation of each
}

// textual replaces one text of bodies by another.
func textual(old, replacement string) func(*httptest.ResponseRecorder) {
	return func(answer *httptest.ResponseRecorder) {
		body := bytes.ReplaceAll(answer.Body.Bytes(), []byte(old), []byte(replacement))
		answer.Body = bytes.NewBuffer(body)
	}
}

func header(name, value string) func(*httptest.ResponseRecorder) {
	return func(answer *httptest.ResponseRecorder) {
		answer.Header().Del(name)
		if value != "" {
			answer.Header().Set(name, value)
		}
	}
}

// moved answers with another status instead.
func moved(from, to int) func(*httptest.ResponseRecorder) {
	return func(answer *httptest.ResponseRecorder) {
		if answer.Code == from {
			answer.Code = to
		}
	}
}

var defects = []defect{
	{"the composer has another id", textual(`id="composer"`, `id="composer2"`), "composer", []string{
		"element #footer turbo-frame#composer-frame > form#composer 1", "attribute form#composer @method post"}},
	{"the button has another name", textual(`Send Message`, `Send it`), "composer", []string{"control button Send Message 1"}},
	{"the button's name is hidden from readers", textual(`aria-label="Write a message"`, `data-label="Write a message"`), "composer", []string{"control textbox Write a message 1"}},
	{"the field has another name", textual(`name="message[body]"`, `name="body"`), "composer", []string{"attribute form#composer lexxy-editor @name message[body]"}},
	{"a class is gone", textual(`composer__input`, `writing`), "composer", []string{"element form#composer fieldset .composer__input 1"}},
	{"the form goes elsewhere", textual(`/messages" method="post"`, `/posts" method="post"`), "composer", []string{"attribute form#composer @action */rooms/{room watercooler}/messages"}},
	{"a switch has another role", textual(`role="checkbox"`, `role="switch"`), "settings", []string{"element button[role=checkbox][aria-checked=true] 1", "control checkbox Notifying about @ mentions 1"}},
	{"a message lacks its id for scripts", textual(`data-message-id="`, `data-id="`), "message", []string{"attribute #message_hello @data-message-id {message hello}"}},
	{"a message carries what depends on the viewer", textual(`class="message"`, `class="message message--me"`), "message", []string{"element #message_hello.message--me 0"}},
	{"the parts of a message change places", textual(`<h2 class="message__day-separator">`, `<h2 class="message__separator">`), "message", []string{
		"order #message_hello h2.message__day-separator < #message_hello figure.message__avatar < #message_hello turbo-frame#edit_message_hello "}},
	{"the title is another", textual(`<title>New chat room`, `<title>Room`), "settings", []string{"text title New chat room"}},
	{"a failed sign-in is a success", moved(http.StatusUnauthorized, http.StatusOK), "entry", []string{"status  401"}},
	{"redirects are see-others", moved(http.StatusFound, http.StatusSeeOther), "routes", []string{"status  302 /rooms/{it}", "status  302 /session/new"}},
	{"no content is some", moved(http.StatusNoContent, http.StatusOK), "routes", []string{"status  204"}},
	{"frames may be anybody's", header("X-Frame-Options", ""), "headers", []string{"header X-Frame-Options SAMEORIGIN"}},
	{"a stream is HTML", header("Content-Type", "text/html"), "streams", []string{"header Content-Type text/vnd.turbo-stream.html; charset=utf-8"}},
	{"a stream replaces instead of appending", textual(`action="append"`, `action="replace"`), "streams", []string{
		`element turbo-stream[action=append][target="messages_{dom watercooler}"] > template > #message_streamed 1`}},
	{"JSON says it otherwise", textual(`"plain_text"`, `"text"`), "bots", []string{"json 0.body keys plain_text html", "json 0.body.plain_text write to somebody@example.com"}},
	{"nobody counts", header("X-Total-Count", ""), "bots", []string{"header X-Total-Count ~[0-9]+"}},
}

// TestParityFailsForPlantedDefects proves that the checker sees what it is for:
// each defect breaks the rows that name what it spoils, and without it they hold.
func TestParityFailsForPlantedDefects(t *testing.T) {
	tables := parityFacts(t)
	var spoil func(*httptest.ResponseRecorder) // changed between requests only
	c := newChecker(t, func(server http.Handler) http.Handler {
		return spoiling(server, func(answer *httptest.ResponseRecorder) { spoil(answer) })
	})
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			spoil = d.spoil
			for _, s := range c.stages {
				clear(s.visits)
			}
			if d.area == "" || len(d.rows) == 0 {
				t.Fatal("breaks nothing")
			}
			facts := slices.DeleteFunc(slices.Clone(tables[d.area]), func(f *fact) bool { return !slices.Contains(d.rows, saying(f)) })
			for _, row := range d.rows {
				if !slices.ContainsFunc(facts, func(f *fact) bool { return saying(f) == row }) {
					t.Fatalf("no row of %s says %q", d.area, row)
				}
			}
			_, _, wrong := judge(c, facts)
			for _, row := range d.rows {
				if !slices.ContainsFunc(wrong, func(text string) bool {
					return strings.Contains(text, ": "+row+" [") && strings.Contains(text, "doesn't hold")
				}) {
					t.Errorf("nobody minds about %q; complaints: %q", row, wrong)
				}
			}
		})
	}
}

func saying(f *fact) string { return fmt.Sprintf("%s %s %s", f.kind, f.what, f.expected) }

// spoiling answers what a server answers, spoilt.
func spoiling(server http.Handler, spoil func(*httptest.ResponseRecorder)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding")
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, r)
		spoil(answer)
		answer.Header().Del("Content-Length")
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		w.Write(answer.Body.Bytes())
	})
}

// rotten is a table whose every row is wrong about a sound server, about its
// mark, or about itself.
const rotten = paritySheet + `
GET /rooms/{room watercooler}	member	element	#composer	1	x	later	it is there
GET /rooms/{room watercooler}	member	control	button Send Message	1	x	differs	it is the same
GET /rooms/{room watercooler}	member	control	button Dispatch Message	1	x		
GET /rooms/{room watercooler}	member	element	#composer	2	x		
GET /rooms/{room watercooler}	member	element	#composer	0	x		
GET /rooms/{room watercooler}	outsider	element	#composer	0	x		
GET /rooms/{room watercooler}	member	attribute	form#composer @action	/elsewhere	x		
GET /rooms/{room watercooler}	member	order	footer#footer < nav#nav		x		
GET /rooms/{room watercooler}	member	status		302 /	x		
GET /rooms/{room watercooler}	member	header	X-Frame-Options		x		
GET /rooms/{room watercooler}	member	element	#composer[		x		
GET /rooms/{room watercooler}	member	smell	#composer		x		
CABLE	member	opens		{"type":"hello"}	x		
CABLE	member	confirms	{"channel":"HeartbeatChannel"}	*"reject_subscription"*	x		
CABLE	member	confirms	{"channel":"PresenceChannel","room_id":{room secret}}	*"confirm_subscription"*	x		
CABLE	member	confirms	{"channel":"HeartbeatChannel"}	nothing	x		
by jason POST /rooms/{room hq}/messages message[body]=x	member	hears	{"channel":"UnreadRoomsChannel"}	{"room_id":{room hq}}	x		
by jason POST /rooms/{room hq}/messages message[body]=x	member	hears	{"channel":"UnreadRoomsChannel"}	nothing	x		
by jason POST /rooms/{room hq}/messages message[body]=x	member	hears	{"channel":"RoomMessagesChannel","signed_stream_name":"{stream hq}"}	<turbo-stream action="prepend"*	x		
STYLES	visitor	class	message__nothing		x		
STYLES	visitor	declared	--color-nothing		x		
STYLES	visitor	read	--color-nothing		x		
`

func TestParityFailsForRottenRows(t *testing.T) {
	facts, err := readFacts("rotten", rotten)
	if err != nil {
		t.Fatal(err)
	}
	n, missing, wrong := judge(newChecker(t, nil), facts)
	if n.held != 0 || len(missing) != 0 || len(wrong) != len(facts) {
		t.Errorf("%v, and %d missing; %d complaints of %d:\n%s", n, len(missing), len(wrong), len(facts), strings.Join(wrong, "\n"))
	}
	for text, want := range map[string]string{
		"request\tas\n": "first line",
		paritySheet + "\nGET /\tvisitor\tstatus\t\t200\tx\tsoon\t\n":                                               "mark",
		paritySheet + "\nGET /\tvisitor\tstatus\t\t200\tx\tdiffers\t\n":                                            "why",
		paritySheet + "\nGET /\tvisitor\tstatus\t\t200\tx\t\n":                                                     "7 columns",
		paritySheet + "\nGET /\tvisitor\tstatus\t\t200\t\t\t\n":                                                    "needs",
		paritySheet + "\nGET /\tvisitor\tstatus\t\t200\tx\t\t\nGET /\tvisitor\tstatus\t\t200\ty\tlater\tsomeday\n": "line 2 says",
	} {
		if _, err := readFacts("broken", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("table %q: error %v, want one about %q", text, err, want)
		}
	}
}
