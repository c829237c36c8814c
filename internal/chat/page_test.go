package chat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/rails"
	"hearth/sqlite"
)

// fill puts n messages into a room behind the chat's back: ids in random order,
// many with the same time, times with 0, 3 and 6 digits. It returns the ids in
// the order of pages.
func fill(t *testing.T, w *chattest.World, room chat.RoomID, n int) []chat.MessageID {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	ids := random.Perm(n)
	type row struct {
		id     chat.MessageID
		moment string
	}
	rows := make([]row, n)
	base := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	for i := range rows {
		at := base.Add(time.Duration(i/3) * 700 * time.Millisecond)
		moment := rails.FormatTime(at)
		if i%5 == 0 {
			moment = at.Format("2006-01-02 15:04:05.000")
		}
		rows[i] = row{chat.MessageID(1000 + ids[i]), moment}
	}
	err := w.DB.Write(ctx, func(tx *sqlite.Tx) error {
		for _, r := range rows {
			if err := tx.Exec(`INSERT INTO messages (id, room_id, creator_id, client_message_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
				r.id, room, w.ID("kevin"), fmt.Sprint("c", r.id), r.moment); err != nil {
				return err
			}
			if err := tx.Exec(`INSERT INTO message_search_index (rowid, body) VALUES (?1, 'filler')`, r.id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(rows, func(a, b row) int {
		if a.moment != b.moment {
			if a.moment < b.moment {
				return -1
			}
			return 1
		}
		return int(a.id - b.id)
	})
	order := make([]chat.MessageID, n)
	for i, r := range rows {
		order[i] = r.id
	}
	return order
}

func idsOf(messages []*chat.Message) []chat.MessageID {
	ids := make([]chat.MessageID, len(messages))
	for i, m := range messages {
		ids[i] = m.ID
	}
	return ids
}

func TestPagesMissAndRepeatNothingWhereTimesAreTheSame(t *testing.T) {
	w := chattest.New(t)
	room := w.Room("hq")
	order := fill(t, w, room.ID, 1003)
	read(t, w.Chat, func(r *chat.Reader) error {
		page, err := r.LastPage(room)
		if err != nil {
			return err
		}
		back := idsOf(page)
		for len(page) > 0 {
			if page, err = r.PageBefore(room, back[0]); err != nil {
				return err
			}
			back = append(idsOf(page), back...)
		}
		if !slices.Equal(back, order) {
			t.Errorf("walking back gives %d messages, want %d in order", len(back), len(order))
		}
		forth := order[:1:1]
		for {
			page, err := r.PageAfter(room, forth[len(forth)-1])
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			forth = append(forth, idsOf(page)...)
		}
		if !slices.Equal(forth, order) {
			t.Errorf("walking forth gives %d messages, want %d in order", len(forth), len(order))
		}
		for _, i := range []int{0, 17, 500, 1002} {
			page, err := r.PageAround(room, order[i])
			if err != nil {
				return err
			}
			if want := order[max(0, i-40):min(len(order), i+41)]; !slices.Equal(idsOf(page), want) {
				t.Errorf("around message %d: %d messages, want %d", i, len(page), len(want))
			}
		}
		for what, get := range map[string]func(chat.Room, chat.MessageID) ([]*chat.Message, error){"before": r.PageBefore, "after": r.PageAfter, "around": r.PageAround} {
			_, err := get(room, 999999)
			wantErr(t, what+" an unknown message", err, chat.ErrNotFound)
			_, err = get(w.Room("watercooler"), order[0])
			wantErr(t, what+" a message of another room", err, chat.ErrNotFound)
		}
		n, err := r.CountMessages(room.ID)
		if n != len(order) {
			t.Errorf("counted %d, want %d", n, len(order))
		}
		return err
	})
}

func TestTheSamplesBusyRoomPagesByTimeThoughIdsDoNotFollowIt(t *testing.T) {
	w := chattest.OpenSample(t, chat.Options{})
	rooms := map[string]int{}
	for _, name := range []string{"pets", "hq", "archive", "watercooler", "designers", "quiet", "broken", "secret", "david_and_jason", "david_and_kevin", "bender_and_kevin", "group_direct"} {
		room := w.Room(name)
		read(t, w.Chat, func(r *chat.Reader) error {
			page, err := r.LastPage(room)
			for err == nil && len(page) > 0 {
				rooms[name] += len(page)
				if !slices.IsSortedFunc(page, func(a, b *chat.Message) int { return a.CreatedAt.Compare(b.CreatedAt) }) {
					t.Errorf("a page of %s is out of order", name)
				}
				page, err = r.PageBefore(room, page[0].ID)
			}
			return err
		})
	}
	total := 0
	for _, n := range rooms {
		total += n
	}
	if total != 763 {
		t.Errorf("paged through %d messages %v, want all 763", total, rooms)
	}
}

func TestRefreshTellsWhatCameWhatChangedAndWhatWent(t *testing.T) {
	w := chattest.New(t)
	room, kevin := w.Room("watercooler"), w.User("kevin")
	var old []*chat.Message
	for i := range 60 {
		old = append(old, w.Post("kevin", "watercooler", fmt.Sprint("old ", i)))
	}
	refresh := func(since time.Time, shown ...chat.MessageID) chat.Changes {
		t.Helper()
		var c chat.Changes
		read(t, w.Chat, func(r *chat.Reader) (err error) {
			c, err = r.Refresh(room, since, shown)
			return err
		})
		return c
	}
	check := func(what string, got []chat.MessageID, want []chat.MessageID) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	since := old[59].UpdatedAt
	c := refresh(since)
	check("created when nothing happened", idsOf(c.Created), nil)
	check("updated when nothing happened", idsOf(c.Updated), nil)

	for _, i := range []int{40, 3, 7} {
		if _, err := w.Chat.EditMessage(ctx, kevin, room.ID, old[i].ID, "edited"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Chat.DeleteMessage(ctx, kevin, room.ID, old[5].ID); err != nil {
		t.Fatal(err)
	}
	c = refresh(since, old[4].ID, old[5].ID, w.Post("kevin", "hq", "elsewhere").ID, 77777)
	check("updated", idsOf(c.Updated), []chat.MessageID{old[3].ID, old[7].ID, old[40].ID})
	if len(c.Vanished) != 3 || c.Vanished[0] != old[5].ID {
		t.Errorf("vanished %v, want %d, one of another room and one that never was", c.Vanished, old[5].ID)
	}

	var fresh []chat.MessageID
	for i := range 50 {
		fresh = append(fresh, w.Post("kevin", "watercooler", fmt.Sprint("new ", i)).ID)
	}
	c = refresh(since)
	check("created", idsOf(c.Created), fresh[:40])
	check("updated", idsOf(c.Updated), append([]chat.MessageID{old[3].ID, old[7].ID, old[40].ID}, fresh[40:]...))

	c = refresh(time.UnixMilli(0))
	all := append(idsOf(old), fresh...)
	all = slices.Delete(all, 5, 6)
	check("created since the beginning", idsOf(c.Created), all[:40])
	check("updated since the beginning", idsOf(c.Updated), all[len(all)-40:])
	if c = refresh(time.Now().Add(time.Hour)); len(c.Created)+len(c.Updated) != 0 {
		t.Errorf("changes in the future: %v", c)
	}
}

func TestRefreshIsRightForEveryMoment(t *testing.T) {
	w := chattest.New(t)
	room := w.Room("hq")
	order := fill(t, w, room.ID, 200)
	// A third was touched later than the last was made.
	w.Exec(`UPDATE messages SET updated_at = '2026-05-01 00:00:00.' || printf('%06d', id) WHERE id % 3 = 0`)
	at := map[chat.MessageID][2]string{}
	err := w.DB.Read(ctx, func(s *sqlite.Snapshot) error {
		return s.Query(`SELECT id, created_at, updated_at FROM messages`, func(row sqlite.Row) error {
			at[chat.MessageID(row.Int(0))] = [2]string{row.Text(1), row.Text(2)}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 50, 118, 119, 120, 121, 140, 158, 159, 160, 161, 180, 199} {
		moment := at[order[i]][0]
		since, err := rails.ParseTime(moment)
		if err != nil {
			t.Fatal(err)
		}
		var created, updated []chat.MessageID
		for _, id := range order {
			if at[id][0] > rails.FormatTime(since) && len(created) < 40 {
				created = append(created, id)
			}
		}
		for _, id := range order {
			if at[id][1] > rails.FormatTime(since) && !slices.Contains(created, id) {
				updated = append(updated, id)
			}
		}
		updated = updated[max(0, len(updated)-40):]
		err = w.Chat.Read(context.Background(), func(r *chat.Reader) error {
			c, err := r.Refresh(room, since, nil)
			if !slices.Equal(idsOf(c.Created), created) {
				t.Errorf("since message %d: created %v, want %v", i, idsOf(c.Created), created)
			}
			if !slices.Equal(idsOf(c.Updated), updated) {
				t.Errorf("since message %d: updated %v, want %v", i, idsOf(c.Updated), updated)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
