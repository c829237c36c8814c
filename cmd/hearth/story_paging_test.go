package main

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"hearth/sqlite"
)

// stored are the ids of a room's messages in the database, in their order. The
// room 0 stands for all of them.
func stored(t *testing.T, storage string, room int64) []int64 {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(storage, "db", "production.sqlite3"), sqlite.Options{NoCheckpointer: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var ids []int64
	err = db.Read(t.Context(), func(in *sqlite.Snapshot) error {
		return in.Query("SELECT id FROM messages WHERE ?1 = 0 OR room_id = ?1 ORDER BY created_at, id", func(row sqlite.Row) error {
			ids = append(ids, row.Int(0))
			return nil
		}, room)
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func idOf(room string) int64 {
	id, err := strconv.ParseInt(strings.TrimPrefix(room, "/rooms/"), 10, 64)
	if err != nil {
		panic(err)
	}
	return id
}

// shown are the ids of the messages on the page, in their order.
func (p *person) shown() []int64 {
	p.t.Helper()
	return ask[[]int64](p, `[...document.querySelectorAll(".messages > .message[data-message-id]")].map(message => Number(message.dataset.messageId))`)
}

// pagesUp scrolls to the top until the first message of the room is there.
func (p *person) pagesUp(first int64) {
	p.t.Helper()
	p.until("the oldest message is there", fmt.Sprintf(`(list => { list.scrollTop = 0; return list.querySelector(".message[data-message-id]").dataset.messageId === "%d" })(document.querySelector(".messages"))`, first))
}

// pagesDown scrolls to the end until the last message of the room is there.
func (p *person) pagesDown(last int64) {
	p.t.Helper()
	p.until("the newest message is there", fmt.Sprintf(`(list => { list.scrollTop = list.scrollHeight; return [...list.querySelectorAll(":scope > .message[data-message-id]")].at(-1).dataset.messageId === "%d" })(document.querySelector(".messages"))`, last))
}

const (
	pill  = ".message-area__return-to-latest"
	atEnd = `(list => list.scrollHeight - list.clientHeight - list.scrollTop <= 1)(document.querySelector(".messages"))`
)

func TestMessagesPageBothWaysWithoutGaps(t *testing.T) {
	t.Parallel()
	storage := sample(t)
	talk, old := stored(t, storage, idOf(allTalk)), stored(t, storage, idOf(archive))
	s := serve(t, storage, sampleEnv)
	david := arrives(t, s, "david")
	cast := []*person{david}
	scene(t, "to the top of the busy room and back", cast, func(t *testing.T) { pageUp(t, s, david, talk) })
	scene(t, "from a link into the middle", cast, func(t *testing.T) { pageFromTheMiddle(t, s, david) })
	scene(t, "more than a page holds", cast, func(t *testing.T) { trim(t, s, david, old) })
}

func pageUp(t *testing.T, s *server, david *person, all []int64) {
	david.opens(allTalk)
	david.until("the newest message is in view", atEnd)
	david.seesNot(pill, "")
	if shown := david.shown(); !slices.Equal(shown, all[len(all)-40:]) {
		t.Fatalf("the first page shows %v", shown)
	}
	david.pagesUp(all[0])
	david.settles()
	if shown := david.shown(); !slices.Equal(shown, all) {
		t.Fatalf("at the top there are %d messages, want all %d in order: %v", len(shown), len(all), shown)
	}
	// What comes in meanwhile is counted, and read by going there.
	bot(t, s, http.MethodPost, "", "You are far up")
	david.sees(pill, "1 new message")
	bot(t, s, http.MethodPost, "", "And still are")
	david.sees(pill, "2 new messages")
	david.stays("the reader is still at the top", `document.querySelector(".messages").scrollTop < 200`)
	david.clicksOn(pill)
	david.until("the newest message is in view", atEnd)
	david.reads("You are far up", "And still are")
	david.seesNot(pill, "")
}

func pageFromTheMiddle(t *testing.T, s *server, david *person) {
	all := stored(t, s.storage, idOf(allTalk))
	middle := int64(933434563) // busy_060
	at := slices.Index(all, middle)
	david.opens(fmt.Sprintf("%s/@%d", allTalk, middle))
	linked := david.in(fmt.Sprintf(`.message[data-message-id="%d"]`, middle))
	linked.is("search-highlight")
	david.until("the linked message is in the middle", fmt.Sprintf(`((list, row) => Math.abs((row.top + row.bottom) / 2 - (list.top + list.bottom) / 2) < 60)
		(document.querySelector(".messages").getBoundingClientRect(), %s.getBoundingClientRect())`, linked.js))
	david.sees(pill, "Jump to newest message")
	if shown := david.shown(); !isRunOf(shown, all) || !slices.Contains(shown, middle) || len(shown) < 81 {
		t.Fatalf("around message %d of %d there are %d messages: %v", at, len(all), len(shown), shown)
	}
	// What comes in is not put behind a gap.
	news, _ := strconv.ParseInt(bot(t, s, http.MethodPost, "", "Behind the gap"), 10, 64)
	david.sees(pill, "1 new message")
	if shown := david.shown(); slices.Contains(shown, news) && !isRunOf(shown, append(all, news)) {
		t.Fatalf("a new message was put behind a gap: %v", shown)
	}
	all = append(all, news)
	david.pagesUp(all[0])
	david.pagesDown(news)
	david.settles()
	if shown := david.shown(); !slices.Equal(shown, all) {
		t.Fatalf("after paging both ways there are %d messages, want all %d in order: %v", len(shown), len(all), shown)
	}
	david.seesNot(pill, "")
}

// isRunOf reports whether part is a run of all without gaps.
func isRunOf(part, all []int64) bool {
	if len(part) == 0 {
		return false
	}
	at := slices.Index(all, part[0])
	return at >= 0 && at+len(part) <= len(all) && slices.Equal(part, all[at:at+len(part)])
}

// trim pages through more messages than a page holds at once: those far away
// are dropped, and found again by paging back or by going to the newest.
func trim(t *testing.T, s *server, david *person, old []int64) {
	storage := s.storage
	postMany(t, s, archive, 60)
	all := stored(t, storage, idOf(archive))
	if len(all) != len(old)+60 {
		t.Fatalf("there are %d messages, want %d", len(all), len(old)+60)
	}
	david.opens(archive)
	david.pagesUp(all[0])
	david.settles()
	shown := david.shown()
	if len(shown) < 260 || len(shown) > 320 || !isRunOf(shown, all) {
		t.Fatalf("at the top there are %d messages: %v", len(shown), shown)
	}
	david.sees(pill, "Jump to newest message")
	david.clicksOn(pill)
	david.until("the newest message is in view", atEnd)
	david.seesNot(pill, "")
	if shown := david.shown(); !isRunOf(shown, all) || shown[len(shown)-1] != all[len(all)-1] {
		t.Fatalf("back at the newest there are %d messages: %v", len(shown), shown)
	}
	david.pagesUp(all[0])
	david.pagesDown(all[len(all)-1])
	if shown := david.shown(); !isRunOf(shown, all) {
		t.Fatalf("after paging up and down again there is a gap in %v", shown)
	}
}

// postMany posts n messages as David, without a browser.
func postMany(t *testing.T, s *server, room string, n int) {
	t.Helper()
	who := client(t, s, "david")
	token := csrfToken(t, who, s, room)
	for i := range n {
		form := url.Values{"message[body]": {fmt.Sprintf("<p>number %d</p>", i)}, "message[client_message_id]": {fmt.Sprintf("many%d", i)}}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+room+"/messages", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Accept", "text/vnd.turbo-stream.html")
		request.Header.Set("X-CSRF-Token", token)
		answer, err := who.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("post answers %d", answer.StatusCode)
		}
	}
}

// client is a visitor with the ready cookie of somebody of the sample.
func client(t *testing.T, s *server, name string) *http.Client {
	t.Helper()
	address, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	key, value, _ := strings.Cut(labels(t)["cookies."+name].(string), "=")
	who := visitor(t)
	who.Jar.SetCookies(address, []*http.Cookie{{Name: key, Value: value, Path: "/"}})
	return who
}

func TestAllMessagesOfTheSampleAreServedByPaging(t *testing.T) {
	t.Parallel()
	storage := sample(t)
	all := stored(t, storage, 0)
	if len(all) != 763 {
		t.Fatalf("the sample has %d messages", len(all))
	}
	s := serve(t, storage, sampleEnv)
	rooms := map[string][]string{"david": {}, "kevin": {"480438502", "340026324"}} // Kevin's are those without David
	for label, id := range labels(t) {
		if strings.HasPrefix(label, "rooms.") && !slices.Contains(rooms["kevin"], fmt.Sprint(id)) {
			rooms["david"] = append(rooms["david"], fmt.Sprint(id))
		}
	}
	var seen []int64
	broken := 0
	for name, ids := range rooms {
		who := client(t, s, name)
		for _, id := range ids {
			shown, failed := walk(t, who, s.URL+"/rooms/"+id+"/messages")
			if want := stored(t, storage, idOf("/rooms/"+id)); failed == 0 && !slices.Equal(shown, want) {
				t.Errorf("room %s shows %d messages, want %d in order", id, len(shown), len(want))
			}
			seen, broken = append(seen, shown...), broken+failed
		}
	}
	slices.Sort(seen)
	slices.Sort(all)
	missing := slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return slices.Contains(seen, id) })
	// The author of one message is gone; what stands for it has no id.
	if broken != 1 || len(missing) > 1 || len(missing) == 1 && missing[0] != 933434631 || len(slices.Compact(seen)) != len(all)-len(missing) {
		t.Errorf("%d of %d messages show, %d as broken; missing: %v", len(seen), len(all), broken, missing)
	}
}

// walk reads a room from its newest page to its first, and returns the ids in
// the order of the room, and how many messages could not be shown.
func walk(t *testing.T, who *http.Client, address string) (ids []int64, failed int) {
	t.Helper()
	for before := ""; ; {
		answer, err := who.Get(address + before)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode == http.StatusNoContent {
			answer.Body.Close()
			return ids, failed
		}
		page, err := html.Parse(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s%s answers %d, %v", address, before, answer.StatusCode, err)
		}
		var these []int64
		for node := range page.Descendants() {
			switch {
			case !hasClass(node, "message"):
			case hasClass(node, "message--failed"):
				failed++
			default:
				these = append(these, checkedMessage(t, node))
			}
		}
		if len(these) == 0 {
			return ids, failed
		}
		ids = append(these, ids...)
		before = fmt.Sprintf("?before=%d", these[0])
	}
}

// checkedMessage is the id of a message that has an author, a time and a text or a file.
func checkedMessage(t *testing.T, message *html.Node) int64 {
	t.Helper()
	id, err := strconv.ParseInt(attribute(message, "data-message-id"), 10, 64)
	if err != nil {
		t.Fatalf("a message has no id: %v", err)
	}
	var author, when, body bool
	for node := range message.Descendants() {
		author = author || attribute(node, "data-reply-target") == "author" && node.FirstChild != nil
		when = when || node.Data == "time" && attribute(node, "datetime") != ""
		body = body || attribute(node, "data-messages-target") == "body" && node.FirstChild != nil
	}
	if !author || !when || !body {
		t.Errorf("message %d has author %v, time %v, body %v", id, author, when, body)
	}
	return id
}

func hasClass(node *html.Node, class string) bool {
	return node.Type == html.ElementNode && slices.Contains(strings.Fields(attribute(node, "class")), class)
}

func attribute(node *html.Node, name string) string {
	for _, attribute := range node.Attr {
		if attribute.Key == name {
			return attribute.Val
		}
	}
	return ""
}
