package bench

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"hearth/sqlite"
)

// planted is a small server that answers right, but for what a test breaks.
type planted struct {
	h *history

	mu     sync.Mutex
	posts  []line
	nextID int64

	room     int64                     // whose page it serves
	drop     func(lines []line) []line // what is missing in its pages
	forget   bool                      // posts are acknowledged and not kept
	misnamed bool                      // posts are acknowledged as another message
}

func (p *planted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch {
	case r.Method == http.MethodPost:
		p.post(w, r)
	case r.URL.Path == "/rooms/1":
		fmt.Fprintf(w, `<meta name="current-room-id" content="%d"><meta name="csrf-token" content="t"><script src="/assets/a.js"></script><div id="messages_rooms_open_%d">`, p.room, p.room)
		lines := append(append([]line(nil), p.h.busy...), p.posts...)
		p.write(w, lastOf(lines, pageSize))
	case r.URL.Path == "/rooms/1/messages":
		for _, page := range p.h.pages {
			if r.URL.Query().Get("before") == fmt.Sprint(page.before) {
				p.write(w, page.lines)
			}
		}
	case r.URL.Path == "/searches":
		fmt.Fprint(w, `<div id="search-results">`)
		p.write(w, p.h.frequent)
	default:
		http.NotFound(w, r)
	}
}

func (p *planted) write(w http.ResponseWriter, lines []line) {
	if p.drop != nil {
		lines = p.drop(lines)
	}
	for _, l := range lines {
		fmt.Fprintf(w, `<div data-message-id="%d">%s</div>`, l.id, l.text)
	}
}

func (p *planted) post(w http.ResponseWriter, r *http.Request) {
	client := r.FormValue("message[client_message_id]")
	text, _, _ := strings.Cut(strings.TrimPrefix(r.FormValue("message[body]"), "<p>"), "</p>")
	p.nextID++
	if strings.HasSuffix(r.URL.Path, "/1/messages") && !p.forget {
		p.posts = append(p.posts, line{p.nextID, text})
	}
	if p.misnamed {
		client = "another"
	}
	w.Header().Set("Content-Type", "text/vnd.turbo-stream.html; charset=utf-8")
	target := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/rooms/"), "/messages")
	fmt.Fprintf(w, `<turbo-stream action="append" target="messages_rooms_open_%s"><template><div id="message_%s" data-message-id="%d">%s</div></template></turbo-stream>`,
		target, client, p.nextID, text)
}

// servePlanted starts p on a history, and returns it as a target.
func servePlanted(t *testing.T, p *planted) target {
	t.Helper()
	p.h = testHistory(300, 1)
	if err := p.h.each(func(*message) error { return nil }); err != nil {
		t.Fatal(err)
	}
	p.nextID = int64(p.h.total)
	if p.room == 0 {
		p.room = busyRoom
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	s := newSite(p.h)
	s.addr = server.Listener.Addr().String()
	return target{site: s, pid: 1, loadCores: 1}
}

var shortly = timing{10 * time.Millisecond, 50 * time.Millisecond}

func questionNamed(t *testing.T, name string) question {
	t.Helper()
	for _, q := range questions() {
		if q.name == name {
			return q
		}
	}
	t.Fatalf("there is no question %q", name)
	return question{}
}

func TestRightAnswersAreMeasured(t *testing.T) {
	target := servePlanted(t, &planted{})
	for _, name := range []string{"room page", "messages page", "search", "post"} {
		s, err := target.measure(context.Background(), questionNamed(t, name), 4, shortly)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.requests < 4 || s.p50 <= 0 || s.p99 < s.p50 {
			t.Errorf("%s: %+v is no measurement", name, s)
		}
	}
}

func TestWrongAnswersEndTheRunAndAreNamed(t *testing.T) {
	without := func(at int) func([]line) []line {
		return func(lines []line) []line { return append(append([]line(nil), lines[:at]...), lines[at+1:]...) }
	}
	for _, c := range []struct {
		name     string
		question string
		server   *planted
		want     string
	}{
		{"the page of another room", "room page", &planted{room: 2}, "not the page of room 1"},
		{"a page without one message", "room page", &planted{drop: without(20)}, "39 messages"},
		{"a page that is old", "room page", &planted{drop: func(lines []line) []line { return lines[:len(lines)-1] }}, "acknowledged before"},
		{"a page with another's text", "room page", &planted{drop: func(lines []line) []line {
			changed := append([]line(nil), lines...)
			changed[3].text = "something else"
			return changed
		}}, "does not show its text"},
		{"another page", "messages page", &planted{drop: without(0)}, "39 messages"},
		{"a search with a wrong order", "search", &planted{drop: func(lines []line) []line {
			changed := append([]line(nil), lines...)
			changed[0], changed[1] = changed[1], changed[0]
			return changed
		}}, "has id"},
		{"a post that became another message", "post", &planted{misnamed: true}, "message_bench-"},
		{"a page that is not there", "sidebar", &planted{}, "status 404"},
	} {
		target := servePlanted(t, c.server)
		_, err := target.measure(context.Background(), questionNamed(t, c.question), 2, shortly)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.question) {
			t.Errorf("%s: got error %v, want one with %q about the %s", c.name, err, c.want, c.question)
		}
	}
}

func TestReadersNoticeAPostThatWasNotKept(t *testing.T) {
	for _, forget := range []bool{false, true} {
		target := servePlanted(t, &planted{forget: forget})
		ctx, stop := context.WithCancel(context.Background())
		posted := make(chan error, 1)
		go func() { posted <- target.site.postSteadily(ctx, target.site.busy) }()
		_, err := target.measure(ctx, questionNamed(t, "room page"), 2, timing{steadyEvery, 4 * steadyEvery})
		stop()
		if postErr := <-posted; postErr != nil {
			t.Fatal(postErr)
		}
		if target.site.busy.now() == len(target.site.history.busy) {
			t.Fatal("nobody posted: the test tests nothing")
		}
		if forget != (err != nil) {
			t.Errorf("posts forgotten: %v; the readers' error is %v", forget, err)
		}
	}
}

func TestAcknowledgedPostsMustBeInTheDatabase(t *testing.T) {
	h := testHistory(messagesMin, 1)
	path := filled(t, h)
	kept := post{id: int64(h.total) + 1, room: postRoom, creator: 3, client: "bench-00000001", text: postText(1), html: "<p>" + postText(1) + "</p>"}
	insert := func(changes ...string) {
		t.Helper()
		db, err := sqlite.Open(context.Background(), path, sqlite.Options{Readers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		err = db.Write(context.Background(), func(tx *sqlite.Tx) error {
			for _, change := range changes {
				if err := tx.Exec(change); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	at := "'2026-06-01 00:00:00'"
	message := fmt.Sprintf(`INSERT INTO messages (id, room_id, creator_id, client_message_id, created_at, updated_at) VALUES (%d, %d, %d, '%s', %s, %s)`,
		kept.id, kept.room, kept.creator, kept.client, at, at)
	body := fmt.Sprintf(`INSERT INTO action_text_rich_texts (name, body, record_type, record_id, created_at, updated_at) VALUES ('body', '%s', 'Message', %d, %s, %s)`, kept.html, kept.id, at, at)
	index := fmt.Sprintf(`INSERT INTO message_search_index (rowid, body) VALUES (%d, '%s')`, kept.id, kept.text)
	for _, c := range []struct {
		name    string
		changes []string
		want    string // in the error; empty: all is well
	}{
		{"nothing was kept", nil, "is not there"},
		{"no body was kept", []string{message}, "has the body"},
		{"it can't be found", []string{body}, "not in the search index"},
		{"all was kept", []string{index}, ""},
		{"it was kept twice", []string{strings.Replace(message, fmt.Sprint(kept.id), fmt.Sprint(kept.id+1), 1)}, "1 posts were acknowledged and 2"},
		{"it is in another room", []string{fmt.Sprintf(`DELETE FROM messages WHERE id = %d`, kept.id+1), fmt.Sprintf(`UPDATE messages SET room_id = 5 WHERE id = %d`, kept.id)}, "was posted as"},
	} {
		insert(c.changes...)
		l := &ledger{posts: []post{kept}}
		err := l.verify(context.Background(), path, h.total)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestSidebarsAreComparedInTheirOrder(t *testing.T) {
	page := []byte(`<a id="list_rooms_direct_9"></a><a id="list_rooms_open_1"></a>`)
	if err := expectSidebar(page, []string{"direct_9", "open_1"}); err != nil {
		t.Error(err)
	}
	if err := expectSidebar(page, []string{"open_1", "direct_9"}); err == nil {
		t.Error("another order was taken for right")
	}
}

func TestTheFloorRepeatsWhatItWasGiven(t *testing.T) {
	answers := []floorAnswer{{"/rooms/1", "text/html", "gzip", 200, []byte("packed"), 6}, {"/rooms/2/messages", "text/vnd.turbo-stream.html", "", 201, []byte("posted"), 6}}
	server := httptest.NewServer(floorHandler(answers))
	defer server.Close()
	b, err := dial(context.Background(), server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	for i, request := range []string{"GET /rooms/1?x=y HTTP/1.1\r\nHost: h\r\n\r\n", "POST /rooms/2/messages HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na=b"} {
		a, err := b.ask(context.Background(), []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		want := answers[i]
		if a.Status != want.Status || a.Type != want.Type || a.Encoding != want.Encoding || !bytes.Equal(a.Body, want.Body) {
			t.Errorf("got %+v, want %+v", a, want)
		}
		if path := pathOf([]byte(request)); path != want.Path {
			t.Errorf("the path of %q is %q, want %q", request, path, want.Path)
		}
	}
}
