package bench

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/richtext"
	"hearth/sqlite"
)

var testEnd = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func testHistory(messages int, seed uint64) *history {
	return newHistory(dataset{Messages: messages, Seed: seed, Secret: "a test's secret", End: testEnd})
}

// digest is a number for everything that a history would write, and for what it
// expects of answers.
func digest(t *testing.T, h *history) uint64 {
	t.Helper()
	sum := fnv.New64a()
	err := h.each(func(m *message) error {
		fmt.Fprintln(sum, m.id, string(m.client[:]), m.room.id, m.creator, m.at, string(m.body.html), string(m.body.plain), m.boosts)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(sum, h.people, h.busy, h.pages, h.frequent, h.rare)
	return sum.Sum64()
}

func TestTheSameSeedMakesTheSameHistory(t *testing.T) {
	first, again := digest(t, testHistory(500, 7)), digest(t, testHistory(500, 7))
	if first != again {
		t.Errorf("two histories of seed 7 are %x and %x", first, again)
	}
	if other := digest(t, testHistory(500, 8)); other == first {
		t.Errorf("seeds 7 and 8 make the same history, %x", other)
	}
}

func TestAHistoryHasWhatTheQuestionsNeed(t *testing.T) {
	h := testHistory(1000, 1)
	perRoom := map[int64]int{}
	kinds := map[string]int{}
	at := h.first
	err := h.each(func(m *message) error {
		perRoom[m.room.id]++
		if !m.at.After(at) || !m.at.Before(h.End) {
			return fmt.Errorf("message %d is of %v, after one of %v", m.id, m.at, at)
		}
		at = m.at
		if !bytes.Contains(m.body.html, []byte(m.body.begins)) || m.body.begins == "" || strings.ContainsAny(m.body.begins, `&<>"'`) {
			return fmt.Errorf("message %d begins %q, its body is %s", m.id, m.body.begins, m.body.html)
		}
		for _, sign := range []string{"<pre>", "sgid=", "https://", "<ul>", "<blockquote>", "<div>", "<p>"} {
			if bytes.Contains(m.body.html, []byte(sign)) {
				kinds[sign]++
			}
		}
		if len(m.boosts) > 0 {
			kinds["boosts"]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range h.rooms {
		if perRoom[r.id] != r.planned {
			t.Errorf("room %d has %d messages, want %d", r.id, perRoom[r.id], r.planned)
		}
	}
	for _, sign := range []string{"<pre>", "sgid=", "https://", "<ul>", "<blockquote>", "<div>", "<p>", "boosts"} {
		if kinds[sign] < 10 {
			t.Errorf("only %d messages have %s", kinds[sign], sign)
		}
	}
	if len(h.rare) != 3 || len(h.frequent) < 50 || len(h.pages) != anchorsMax || len(h.busy) != 2*pageSize {
		t.Errorf("%d rare, %d frequent, %d pages, %d newest", len(h.rare), len(h.frequent), len(h.pages), len(h.busy))
	}
	for _, p := range h.pages {
		if len(p.lines) != pageSize || p.lines[pageSize-1].id >= p.before {
			t.Errorf("the page before %d is %s of %d", p.before, lineIDs(p.lines), len(p.lines))
		}
	}
}

func TestTheIndexedTextIsWhatTheServerWouldIndex(t *testing.T) {
	h := testHistory(1000, 3)
	names := func(id int64) (richtext.Person, bool) {
		return richtext.Person{ID: id, Name: h.people[id-1].name}, true
	}
	err := h.each(func(m *message) error {
		stored := string(m.body.html)
		if want := richtext.PlainText(stored, names); string(m.body.plain) != want {
			return fmt.Errorf("message %d, %s:\nindexed %q\nwant    %q", m.id, stored, m.body.plain, want)
		}
		if want := richtext.Canonical(stored); stored != want {
			return fmt.Errorf("message %d is stored as\n%s, the server would store\n%s", m.id, stored, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// filled makes a database with a history.
func filled(t *testing.T, h *history) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chat.sqlite3")
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{Readers: 1, Synchronous: sqlite.Off})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := chat.Prepare(context.Background(), db, "production", nil); err != nil {
		t.Fatal(err)
	}
	if err := h.fill(context.Background(), db, func(int) {}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheDomainReadsWhatTheHistoryExpects(t *testing.T) {
	h := testHistory(300, 2)
	db, err := sqlite.Open(context.Background(), filled(t, h), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c := chat.New(db, h.keys, chat.Options{})
	err = c.Read(context.Background(), func(r *chat.Reader) error {
		session, err := r.SessionByToken(h.people[firstReader-1].token)
		if err != nil {
			return err
		}
		room, _, err := r.Room(busyRoom, session.User.ID)
		if err != nil {
			return err
		}
		last, err := r.LastPage(room)
		if err != nil {
			return err
		}
		sameMessages(t, "the last page", last, lastOf(h.busy, pageSize))
		for _, p := range h.pages {
			before, err := r.PageBefore(room, chat.MessageID(p.before))
			if err != nil {
				return err
			}
			sameMessages(t, fmt.Sprintf("the page before %d", p.before), before, p.lines)
		}
		for word, want := range map[string][]line{frequentWord: h.frequent, rareWord: h.rare, forbiddenWord: nil} {
			found, err := r.Search(session.User.ID, word)
			if err != nil {
				return err
			}
			sameMessages(t, "search for "+word, found, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func sameMessages(t *testing.T, what string, got []*chat.Message, want []line) {
	t.Helper()
	var ids, wantIDs []int64
	for _, m := range got {
		ids = append(ids, int64(m.ID))
	}
	for _, l := range want {
		wantIDs = append(wantIDs, l.id)
	}
	if !slices.Equal(ids, wantIDs) {
		t.Errorf("%s holds %v, want %v", what, ids, wantIDs)
	}
}
