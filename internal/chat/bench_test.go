package chat_test

import (
	"fmt"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
)

// What the chat does most, from the call of the domain to its answer, on a room
// of 1,000 messages with boosts among 50 people. The floor of a statement is in
// package sqlite's benchmarks; nothing is rendered here.

func busy(b *testing.B) (*chattest.World, chattest.Crowd) {
	w := chattest.New(b)
	return w, w.Fill(b, 2_300)
}

func BenchmarkRoomPage(b *testing.B) {
	w, crowd := busy(b)
	kevin := w.ID("kevin")
	b.ReportAllocs()
	for b.Loop() {
		err := w.Chat.Read(ctx, func(r *chat.Reader) error {
			room, _, err := r.Room(crowd.Archive.ID, kevin)
			if err != nil {
				return err
			}
			page, err := r.LastPage(room)
			if len(page) != chat.PageSize {
				return fmt.Errorf("page of %d", len(page))
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSession(b *testing.B) {
	w, _ := busy(b)
	s := w.SignIn("kevin")
	b.ReportAllocs()
	for b.Loop() {
		err := w.Chat.Read(ctx, func(r *chat.Reader) error {
			_, err := r.SessionByToken(s.Token)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSidebar(b *testing.B) {
	w, _ := busy(b)
	kevin := w.ID("kevin")
	b.ReportAllocs()
	for b.Loop() {
		err := w.Chat.Read(ctx, func(r *chat.Reader) error {
			s, err := r.Sidebar(kevin)
			if len(s.Shared) < 20 {
				return fmt.Errorf("%d rooms", len(s.Shared))
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRefreshWithoutChanges(b *testing.B) {
	w, crowd := busy(b)
	since := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		err := w.Chat.Read(ctx, func(r *chat.Reader) error {
			_, err := r.Refresh(crowd.Archive, since, nil)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	w, _ := busy(b)
	kevin := w.ID("kevin")
	for _, word := range []string{chattest.FrequentWord, chattest.RareWord, chattest.ForbiddenWord} {
		b.Run(word, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				err := w.Chat.Read(ctx, func(r *chat.Reader) error {
					_, err := r.Search(kevin, word)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPost(b *testing.B) {
	w, crowd := busy(b)
	kevin := w.User("kevin")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Chat.PostMessage(ctx, kevin, chat.Draft{Room: crowd.Archive.ID, Body: "<div>Salt and <b>pepper</b>, a line as people write it</div>"}); err != nil {
			b.Fatal(err)
		}
	}
}
