package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// userAgent passes the browser gate.
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"

// site is a running server as the load sees it: where it is, who is signed in,
// and what its answers must hold. The tails and the ledger outlive the server,
// since the next one serves the same database.
type site struct {
	addr    string
	history *history
	cookies map[int64]string // of each person: what the browser sends
	tokens  map[int64]string // of each person: the page's CSRF token
	asset   string           // path of the script that pages load

	busy, elsewhere *tail
	ledger          *ledger
}

// ledger makes the posts of a run and notes which of them were acknowledged.
type ledger struct {
	mu       sync.Mutex
	writer   *writer
	posts    []post
	serial   int // of the latest post
	verified int // how many of posts were found in the database
}

// post is one message of the load. Its body is like those in the history, after
// a paragraph with a text that no other message has.
type post struct {
	room, creator int64
	number        int
	client, text  string
	html          string

	id int64 // known from the answer
}

func newLedger(h *history) *ledger {
	random := rand.New(rand.NewPCG(h.Seed, 3))
	return &ledger{writer: &writer{random: random, people: h.people}}
}

// write makes the next post.
func (l *ledger) write(room, creator int64) post {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serial++
	return post{
		room: room, creator: creator, number: l.serial,
		client: fmt.Sprintf("bench-%08d", l.serial), text: postText(l.serial),
		html: "<p>" + postText(l.serial) + "</p>" + string(l.writer.write("").html),
	}
}

func postText(number int) string { return fmt.Sprintf("post number %d by the load", number) }

func (l *ledger) acknowledged(p post) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts = append(l.posts, p)
}

// newSite prepares the cookies of everybody; arrive fetches the rest.
func newSite(h *history) *site {
	s := &site{
		history:   h,
		cookies:   map[int64]string{},
		tokens:    map[int64]string{},
		busy:      &tail{room: busyRoom, lines: h.busy},
		elsewhere: &tail{room: elsewhereRoom},
		ledger:    newLedger(h),
	}
	for _, p := range h.people {
		signed := h.keys.SignCookie("session_token", p.token, h.End.AddDate(20, 0, 0))
		s.cookies[p.id] = "session_token=" + url.QueryEscape(signed)
	}
	return s
}

var scriptPath = regexp.MustCompile(`(?:src|href)="(/assets/[^"]+\.js)"`)

// arrive opens the busy room as everybody, on a server that has just started:
// each gets a session for forms and its CSRF token.
func (s *site) arrive(ctx context.Context, addr string) error {
	s.addr = addr
	b, err := dial(ctx, addr)
	if err != nil {
		return err
	}
	defer b.close()
	for _, p := range s.history.people {
		if err := s.open(ctx, b, p.id); err != nil {
			return fmt.Errorf("%s opens the busy room: %w", p.name, err)
		}
	}
	return nil
}

func (s *site) open(ctx context.Context, b *browser, person int64) error {
	before := s.busy.now()
	a, err := b.ask(ctx, s.get(person, roomPath(busyRoom), ""))
	if err != nil {
		return err
	}
	page, err := b.unpacked(a)
	if err != nil {
		return err
	}
	if err := s.judgeRoom(a, page, before); err != nil {
		return err
	}
	token := meta(page, "csrf-token")
	if token == "" {
		return errors.New("the page has no meta csrf-token")
	}
	script := scriptPath.FindSubmatch(page)
	if script == nil {
		return errors.New("the page loads no script from /assets/")
	}
	s.tokens[person], s.asset = token, string(script[1])
	signedIn, _, _ := strings.Cut(s.cookies[person], "; ")
	s.cookies[person] = signedIn
	for _, cookie := range a.Cookies {
		pair, _, _ := strings.Cut(cookie, ";")
		if strings.HasPrefix(pair, "_campfire_session=") {
			s.cookies[person] += "; " + pair
		}
	}
	return nil
}

func (s *site) judgeRoom(a *answer, page []byte, before int) error {
	if err := expectStatus(a, "text/html"); err != nil {
		return err
	}
	if err := expectRoom(page, s.busy.room); err != nil {
		return err
	}
	return s.busy.expect(page, before)
}

func roomPath(room int64) string { return "/rooms/" + strconv.FormatInt(room, 10) }

// get returns a request as a browser sends it; extra holds further header lines.
func (s *site) get(person int64, path, extra string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: " + s.addr +
		"\r\nUser-Agent: " + userAgent +
		"\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip\r\nAccept-Language: en\r\nCookie: " + s.cookies[person] +
		"\r\n" + extra + "\r\n")
}

// request returns the request that makes a post.
func (s *site) request(p post) []byte {
	form := url.Values{
		"message[body]":              {p.html},
		"message[client_message_id]": {p.client},
	}.Encode()
	return []byte("POST " + roomPath(p.room) + "/messages HTTP/1.1\r\nHost: " + s.addr +
		"\r\nUser-Agent: " + userAgent +
		"\r\nAccept: text/vnd.turbo-stream.html, text/html, application/xhtml+xml\r\nAccept-Encoding: gzip\r\nAccept-Language: en\r\nOrigin: http://" + s.addr +
		"\r\nX-CSRF-Token: " + s.tokens[p.creator] +
		"\r\nCookie: " + s.cookies[p.creator] +
		"\r\nContent-Type: application/x-www-form-urlencoded;charset=UTF-8\r\nContent-Length: " + strconv.Itoa(len(form)) +
		"\r\n\r\n" + form)
}

// steadyEvery is the pace of the person who posts while others read.
const steadyEvery = 100 * time.Millisecond

// postSteadily posts ten times a second at the end of t until ctx ends.
func (s *site) postSteadily(ctx context.Context, t *tail) error {
	b, err := dial(ctx, s.addr)
	if err != nil {
		return err
	}
	defer b.close()
	tick := time.NewTicker(steadyEvery)
	defer tick.Stop()
	for turn := 0; ; turn++ { // everybody in turn, as in the history
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		p := s.ledger.write(t.room, int64(1+turn%peopleCount))
		t.posting(p.text)
		id, err := s.send(b, p)
		if err != nil {
			return fmt.Errorf("post while others read: %w", err)
		}
		t.posted(line{id, p.text})
	}
}

// send posts, checks the answer and enters it in the ledger. What has begun is
// finished, whatever the load decides meanwhile: only then is its fate known.
func (s *site) send(b *browser, p post) (int64, error) {
	a, err := b.ask(context.Background(), s.request(p))
	if err != nil {
		return 0, err
	}
	return s.judgePost(b, a, p)
}

func (s *site) judgePost(b *browser, a *answer, p post) (int64, error) {
	body, err := b.unpacked(a)
	if err != nil {
		return 0, err
	}
	p.id, err = expectPosted(a, body, p.room, p.client, p.text)
	if err != nil {
		return 0, err
	}
	s.ledger.acknowledged(p)
	return p.id, nil
}
