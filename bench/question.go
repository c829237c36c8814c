package bench

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// question is one kind of request and how its answers are judged.
type question struct {
	name string
	// ask returns the next request of w, and what says why its answer is wrong.
	ask func(w *worker) (request []byte, judge func(*answer) error)
}

// worker is one client of a cell. It belongs to one goroutine.
type worker struct {
	*browser
	site   *site
	person int64
	asked  int // how many questions so far

	// right holds, by what was asked, a body that was found to be right:
	// the same bytes need not be unpacked and read again.
	right map[string][]byte

	repeated []byte // the request to the floor
}

// questions are what the load asks, in the order of the tables.
func questions() []question {
	return []question{
		{"room page", askRoom},
		{"messages page", askMessages},
		{"sidebar", askSidebar},
		{"search", askSearch},
		{"post", askPost},
		{"/up", askUp},
		{"static asset", askAsset},
	}
}

func askRoom(w *worker) ([]byte, func(*answer) error) {
	before := w.site.busy.now()
	return w.site.get(w.person, roomPath(busyRoom), ""), func(a *answer) error {
		page, err := w.unpacked(a)
		if err != nil {
			return err
		}
		return w.site.judgeRoom(a, page, before)
	}
}

func askMessages(w *worker) ([]byte, func(*answer) error) {
	page := w.site.history.pages[w.asked%len(w.site.history.pages)]
	path := roomPath(busyRoom) + "/messages?before=" + strconv.FormatInt(page.before, 10)
	return w.site.get(w.person, path, ""), func(a *answer) error {
		return w.judgePage(path, a, "text/html", func(body []byte) error { return expectLines(body, page.lines) })
	}
}

func askSidebar(w *worker) ([]byte, func(*answer) error) {
	const path = "/users/me/sidebar"
	return w.site.get(w.person, path, "Turbo-Frame: user_sidebar\r\n"), func(a *answer) error {
		return w.judgePage(path, a, "text/html", func(body []byte) error {
			return expectSidebar(body, sidebarOf(w.site.history.rooms, w.person))
		})
	}
}

func askSearch(w *worker) ([]byte, func(*answer) error) {
	return w.search(frequentWord, w.site.history.frequent)
}

func (w *worker) search(word string, want []line) ([]byte, func(*answer) error) {
	path := "/searches?q=" + word
	return w.site.get(w.person, path, ""), func(a *answer) error {
		return w.judgePage(path, a, "text/html", func(body []byte) error {
			if !bytes.Contains(body, []byte(`id="search-results"`)) {
				return errors.New("it has no element search-results")
			}
			return expectLines(body, want)
		})
	}
}

func askPost(w *worker) ([]byte, func(*answer) error) {
	p := w.site.ledger.write(postRoom, w.person)
	return w.site.request(p), func(a *answer) error {
		_, err := w.site.judgePost(w.browser, a, p)
		return err
	}
}

func askUp(w *worker) ([]byte, func(*answer) error) {
	return w.site.get(w.person, "/up", ""), func(a *answer) error {
		return w.judgePage("/up", a, "text/html", func(body []byte) error {
			if !bytes.Contains(body, []byte("green")) {
				return errors.New("its page is not green")
			}
			return nil
		})
	}
}

func askAsset(w *worker) ([]byte, func(*answer) error) {
	return w.site.get(w.person, w.site.asset, ""), func(a *answer) error {
		return w.judgePage(w.site.asset, a, "", func(body []byte) error {
			if !strings.Contains(a.Type, "javascript") {
				return fmt.Errorf("content type %q, want a script", a.Type)
			}
			if len(body) < 1000 {
				return fmt.Errorf("it has %d bytes, too few for the pages' script", len(body))
			}
			return nil
		})
	}
}

// judgePage checks status and type of every answer, and the content of every
// body that was not found right before.
func (w *worker) judgePage(key string, a *answer, kind string, check func(body []byte) error) error {
	if err := expectStatus(a, kind); err != nil {
		return err
	}
	if known := w.right[key]; known != nil && bytes.Equal(known, a.Body) {
		return nil
	}
	body, err := w.unpacked(a)
	if err != nil {
		return err
	}
	if err := check(body); err != nil {
		return err
	}
	w.right[key] = append(w.right[key][:0], a.Body...)
	return nil
}
