package bench

import (
	"bytes"
	"fmt"
	"sync"
)

// pageSize is how many messages a page of a room shows.
const pageSize = 40

// tail is the end of a room's history as the load knows it: what the maker of
// the database put there, then what one writer has posted and seen acknowledged.
// It must have one writer at most, so that the order of posts is known.
type tail struct {
	room int64

	mu    sync.Mutex
	lines []line // ascending
	next  string // the text of the post that is under way; may be shown already
}

// now returns how much of the history a page asked for now must show.
func (t *tail) now() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.lines)
}

func (t *tail) posting(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = text
}

func (t *tail) posted(l line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, l)
}

// expect says what is wrong with a page of the newest messages that was asked
// for when the history had `before` messages. The page may be of any moment
// since: it must show all that was acknowledged before, and nothing twice, nothing
// that was not posted.
func (t *tail) expect(page []byte, before int) error {
	got, err := messagesIn(page)
	if err != nil {
		return err
	}
	t.mu.Lock()
	lines, next := t.lines[:len(t.lines):len(t.lines)], t.next
	t.mu.Unlock()

	if len(got) == 0 {
		return fmt.Errorf("it shows no message")
	}
	last := got[len(got)-1].id
	for end := before; end <= len(lines); end++ {
		if lines[end-1].id == last {
			return compareLines(got, lines[max(0, end-pageSize):end])
		}
	}
	if newest := lines[len(lines)-1].id; last > newest && next != "" {
		if !bytes.Contains(got[len(got)-1].segment, []byte(next)) {
			return fmt.Errorf("its last message, %d, is not one that was posted", last)
		}
		return compareLines(got[:len(got)-1], lines[max(0, len(lines)-pageSize+1):])
	}
	return fmt.Errorf("its last message is %d, but %d was acknowledged before it was asked for", last, lines[before-1].id)
}
