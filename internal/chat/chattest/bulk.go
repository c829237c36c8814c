package chattest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/rails"
	"hearth/sqlite"
)

// Words that Fill puts into messages, for searches.
const (
	FrequentWord  = "salt"      // in every fourth message of every room
	RareWord      = "zeppelin"  // in three messages
	ForbiddenWord = "hush"      // in every message of the room that only Fill's stranger is in
	UnevenWord    = "porcupine" // in every message of the forbidden room and in three others
)

// Crowd is what Fill has made: a big chat in which everybody of the cast who is
// in hq sees all but Forbidden.
type Crowd struct {
	People    []chat.UserID
	Archive   chat.Room // 45 percent of the messages
	Forbidden chat.Room // 5 percent of them
	Rooms     []chat.Room
	Messages  int
	Newest    time.Time
}

// Fill puts n messages of fifty people into 20 rooms, the same every time, a
// second apart and ending an hour ago. Every fiftieth has boosts. ANALYZE has
// been run afterwards, as the old server does it now and then.
func (w *World) Fill(t testing.TB, n int) Crowd {
	t.Helper()
	c := Crowd{Messages: n}
	w.crowd(&c)
	f := &filler{
		crowd:  &c,
		random: rand.New(rand.NewPCG(7, 2026)),
		at:     time.Now().UTC().Truncate(time.Microsecond).Add(-time.Hour - time.Duration(n)*time.Second),
	}
	const most = 20_000 // messages in one write
	for done := 0; done < n; done += most {
		some := min(most, n-done)
		err := w.DB.Write(context.Background(), func(tx *sqlite.Tx) error { return f.write(tx, done, some) })
		if err != nil {
			t.Fatal(err)
		}
	}
	c.Newest = f.at
	w.Exec(`UPDATE rooms SET updated_at = ?1`, rails.FormatTime(f.at))
	w.Exec(`ANALYZE`)
	return c
}

// crowd makes the people and the rooms.
func (w *World) crowd(c *Crowd) {
	w.t.Helper()
	ctx := context.Background()
	code := w.Text(`SELECT join_code FROM accounts`)
	for i := range 50 {
		s, err := w.Chat.Join(ctx, code, chat.Newcomer{Name: fmt.Sprintf("Crowd Member %02d", i), Email: fmt.Sprintf("crowd%02d@example.test", i)}, chat.Client{})
		if err != nil {
			w.t.Fatal(err)
		}
		c.People = append(c.People, s.User.ID)
	}
	for i := range 20 {
		room, err := w.Chat.CreateOpenRoom(ctx, w.User("david"), fmt.Sprintf("Room %02d", i))
		if err != nil {
			w.t.Fatal(err)
		}
		c.Rooms = append(c.Rooms, room)
	}
	c.Archive, c.Forbidden = c.Rooms[0], c.Rooms[1]
	w.Exec(`UPDATE rooms SET type = 'Rooms::Closed' WHERE id = ?1`, c.Forbidden.ID)
	w.Exec(`DELETE FROM memberships WHERE room_id = ?1 AND user_id <> ?2`, c.Forbidden.ID, c.People[0])
	c.Forbidden.Type = chat.Closed
	w.Exec(`DELETE FROM sessions`)
}

// filler writes messages, each a second after the last.
type filler struct {
	crowd  *Crowd
	random *rand.Rand
	at     time.Time
}

var vocabulary = strings.Fields(`pepper water bread lamp river stone window garden letter paper music morning
	evening summer winter bridge market ticket coffee orange silver button pocket mirror ladder candle basket
	harbor island forest meadow thunder shadow whisper journey compass anchor lantern blanket kettle saddle
	deploy server commit branch review release request answer index query cache socket thread queue worker`)

func (f *filler) write(tx *sqlite.Tx, first, n int) error {
	for i := first; i < first+n; i++ {
		f.at = f.at.Add(time.Second)
		room, body := f.room(i), f.text(i)
		if room.ID == f.crowd.Forbidden.ID {
			body += " " + ForbiddenWord + " " + UnevenWord
		}
		now := rails.FormatTime(f.at.Add(time.Duration(i%1000) * time.Microsecond))
		author := f.crowd.People[f.random.IntN(len(f.crowd.People))]
		err := tx.Exec(`INSERT INTO messages (room_id, creator_id, client_message_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)`,
			room.ID, author, fmt.Sprintf("bulk%08d", i), now)
		if err != nil {
			return err
		}
		id := tx.LastInsertID()
		err = tx.Exec(`INSERT INTO action_text_rich_texts (name, record_type, record_id, body, created_at, updated_at) VALUES ('body', 'Message', ?1, ?2, ?3, ?3)`,
			id, "<div>"+body+"</div>", now)
		if err != nil {
			return err
		}
		if err := tx.Exec(`INSERT INTO message_search_index (rowid, body) VALUES (?1, ?2)`, id, body); err != nil {
			return err
		}
		if i%50 == 0 {
			err := tx.Exec(`INSERT INTO boosts (message_id, booster_id, content, created_at, updated_at) VALUES (?1, ?2, '👍', ?3, ?3)`, id, author, now)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// room spreads messages evenly over time: 9 of 20 to the archive, 1 of 20 to the
// forbidden room, the rest to the others.
func (f *filler) room(i int) chat.Room {
	switch slot := i % 20; {
	case slot < 9:
		return f.crowd.Archive
	case slot == 9:
		return f.crowd.Forbidden
	default:
		return f.crowd.Rooms[2+f.random.IntN(len(f.crowd.Rooms)-2)]
	}
}

// text is 4 to 15 words. Rare words are near the beginning, where a search that
// walks back from the newest finds them last.
func (f *filler) text(i int) string {
	var b strings.Builder
	for k := range 4 + f.random.IntN(12) {
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(vocabulary[f.random.IntN(len(vocabulary))])
	}
	if i%4 == 0 {
		b.WriteString(" " + FrequentWord)
	}
	if i == 3 || i == 4 || i == 5 {
		b.WriteString(" " + RareWord + " " + UnevenWord)
	}
	return b.String()
}
