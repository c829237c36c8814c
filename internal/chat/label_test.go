package chat_test

import (
	"strings"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
)

func TestNamesBoostsAndClientIDsOfMoreThanAKilobyteAreRefused(t *testing.T) {
	w := chattest.New(t)
	david, room := w.User("david"), w.Room("hq").ID
	message := w.Post("david", "hq", "hello")
	code := w.Text(`SELECT join_code FROM accounts`)
	for name, try := range map[string]func(text string) error{
		"a name": func(text string) error {
			_, err := w.Chat.Join(ctx, code, chat.Newcomer{Name: text, Email: text[:5] + "@name.test"}, chat.Client{})
			return err
		},
		"an address": func(text string) error {
			_, err := w.Chat.Join(ctx, code, chat.Newcomer{Name: "New", Email: text}, chat.Client{})
			return err
		},
		"an open room": func(text string) error {
			_, err := w.Chat.CreateOpenRoom(ctx, david, text)
			return err
		},
		"a room's new name": func(text string) error {
			_, err := w.Chat.UpdateOpenRoom(ctx, david, room, text)
			return err
		},
		"a boost": func(text string) error {
			_, err := w.Chat.Boost(ctx, david, message.ID, text)
			return err
		},
		"a client's id": func(text string) error {
			_, err := w.Chat.PostMessage(ctx, david, chat.Draft{Room: room, ClientID: text, Body: "x"})
			return err
		},
	} {
		if err := try(strings.Repeat("a", 1024)); err != nil {
			t.Errorf("%s of a kilobyte: %v", name, err)
		}
		before := w.Int(`SELECT total(length(name)) + count(*) FROM users`) + w.Int(`SELECT total(length(name)) + count(*) FROM rooms`) + w.Int(`SELECT count(*) FROM boosts`) + w.Int(`SELECT count(*) FROM messages`)
		wantErr(t, name+" of more", try(strings.Repeat("b", 1025)), chat.ErrInvalid)
		after := w.Int(`SELECT total(length(name)) + count(*) FROM users`) + w.Int(`SELECT total(length(name)) + count(*) FROM rooms`) + w.Int(`SELECT count(*) FROM boosts`) + w.Int(`SELECT count(*) FROM messages`)
		if before != after {
			t.Errorf("%s of more than a kilobyte was stored", name)
		}
	}
}

func TestAMessageOfMoreThan64KBIsRefused(t *testing.T) {
	w := chattest.New(t)
	david, room := w.User("david"), w.Room("hq").ID
	long := strings.Repeat("a", 64<<10)
	m, err := w.Chat.PostMessage(ctx, david, chat.Draft{Room: room, Body: long})
	if err != nil {
		t.Fatalf("64 KB: %v", err)
	}
	before := w.Int(`SELECT count(*) FROM messages`)
	_, err = w.Chat.PostMessage(ctx, david, chat.Draft{Room: room, Body: long + "b"})
	wantErr(t, "a longer post", err, chat.ErrInvalid)
	_, err = w.Chat.EditMessage(ctx, david, room, m.ID, long+"b")
	wantErr(t, "a longer edit", err, chat.ErrInvalid)
	if got := w.Int(`SELECT count(*) FROM messages`); got != before {
		t.Errorf("%d messages, want %d", got, before)
	}
}
