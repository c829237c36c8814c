package chat_test

import (
	"fmt"
	"sync"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
)

func TestManyPostAndReadTogether(t *testing.T) {
	w := chattest.New(t)
	const writers, each = 8, 15
	posters := []string{"david", "jason", "jz", "kevin", "bender"}
	var users []chat.User
	for _, name := range posters {
		users = append(users, w.User(name))
	}
	room, hq := w.Room("watercooler"), w.Room("hq")
	var wait sync.WaitGroup
	for i := range writers {
		wait.Go(func() {
			by := users[i%len(users)]
			for k := range each {
				m, err := w.Chat.PostMessage(ctx, by, chat.Draft{Room: room.ID, Body: fmt.Sprintf("common word%dx%d", i, k)})
				if err != nil {
					t.Error(err)
					return
				}
				// Refusals among them must not undo what others do.
				if _, err := w.Chat.PostMessage(ctx, by, chat.Draft{Room: 4242, Body: "nowhere"}); err == nil {
					t.Error("a post to no room succeeded")
				}
				if k%5 == 0 {
					if _, err := w.Chat.Boost(ctx, by, m.ID, "👍"); err != nil {
						t.Error(err)
					}
					if err := w.Chat.Present(ctx, by.ID, hq.ID); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for range 3 {
		wait.Go(func() {
			for range 20 {
				err := w.Chat.Read(ctx, func(r *chat.Reader) error {
					page, err := r.LastPage(room)
					for i := 1; i < len(page); i++ {
						if a, b := page[i-1], page[i]; !a.CreatedAt.Before(b.CreatedAt) || a.ID >= b.ID {
							t.Errorf("message %d at %v stands before %d at %v", a.ID, a.CreatedAt, b.ID, b.CreatedAt)
						}
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	posted := map[chat.MessageID]int{}
	for _, e := range w.Heard.Take() {
		if e, ok := e.(chat.MessagePosted); ok {
			posted[e.Message.ID]++
		}
	}
	if len(posted) != writers*each {
		t.Errorf("announced %d posts, want %d", len(posted), writers*each)
	}
	for id, n := range posted {
		if n != 1 || w.Int(`SELECT count(*) FROM messages m JOIN action_text_rich_texts t ON t.record_id = m.id JOIN message_search_index f ON f.rowid = m.id WHERE m.id = ?1`, id) != 1 {
			t.Errorf("message %d was announced %d times, or is not whole", id, n)
		}
	}
	if got := len(search(t, w, "kevin", "common")); got != 100 {
		t.Errorf("search finds %d, want 100", got)
	}
	checkSound(t, w.DB)
}

// Whatever somebody types, a search answers.
func FuzzSearch(f *testing.F) {
	for _, query := range []string{"salt", "AND", "salt AND", "NEAR(a b)", `"`, `a"b`, "*", "-a", "body:x", "^x", "_", "a_b", "é", "日本", "\x00", "\xff", "𝔘𝔫𝔦", "a\u0301"} {
		f.Add(query)
	}
	w := chattest.New(f)
	w.Post("kevin", "hq", "salt and pepper")
	kevin := w.ID("kevin")
	f.Fuzz(func(t *testing.T, query string) {
		words := chat.SearchWords(query)
		if again := chat.SearchWords(words); again != words {
			t.Errorf("SearchWords(%q) is not stable: %q", words, again)
		}
		read(t, w.Chat, func(r *chat.Reader) error {
			_, err := r.Search(kevin, query)
			return err
		})
	})
}
