package view_test

import (
	"time"

	"hearth/internal/chat"
	"hearth/internal/rails"
	"hearth/internal/richtext"
	"hearth/internal/view"
)

// noon is when everything in these tests happened.
var noon = time.Date(2026, 11, 26, 12, 0, 0, 123456000, time.UTC)

var (
	ines   = chat.Author{ID: 1, Name: "Inês Carvalho", Bio: "Lights & clocks", UpdatedAt: noon}
	dana   = chat.Author{ID: 2, Name: "Dana Levi", UpdatedAt: noon.Add(time.Hour)}
	olu    = chat.Author{ID: 3, Name: "Olu Adeyemi", UpdatedAt: noon}
	robot  = chat.Author{ID: 4, Name: "Lamplighter", Role: chat.Bot, UpdatedAt: noon}
	gone   = chat.Author{ID: 9, Missing: true}
	viewer = &chat.User{ID: 1, Name: "Inês Carvalho", Email: "ines@example.org", Bio: "Lights & clocks", Role: chat.Administrator, UpdatedAt: noon}
	member = &chat.User{ID: 2, Name: "Dana Levi", Email: "dana@example.org", UpdatedAt: noon}

	account = &chat.Account{ID: 1, Name: "Marlow & Finch", JoinCode: "abcd-efgh-ijkl", UpdatedAt: noon}
	harbour = &chat.Room{ID: 5, Name: "Harbour <exhibit>", Type: chat.Open, CreatorID: 1, CreatedAt: noon, UpdatedAt: noon}
	quiet   = &chat.Room{ID: 6, Name: "Quiet", Type: chat.Closed, CreatorID: 2, CreatedAt: noon, UpdatedAt: noon}
	ping    = &chat.Room{ID: 7, Type: chat.Direct, CreatorID: 1, CreatedAt: noon, UpdatedAt: noon}

	keys = rails.NewKeys("test-secret-key-base-0123456789abcdef")
	site = view.New(view.Options{Keys: keys, Asset: func(name string) string { return "/assets/" + name }, Version: "0.1"})
	cast = site.People(map[chat.UserID]chat.Author{1: ines, 2: dana, 3: olu, 4: robot})
)

// layout is a signed-in administrator's, with tokens that say what they are for.
func layout() *view.Layout {
	return &view.Layout{
		Viewer: viewer, Account: account, BaseURL: "https://chat.example.org", CSRFToken: "CSRF",
		FormToken: func(path, method string) string { return method + " " + path },
		LastRoom:  5,
	}
}

// text is a plain message of dana's in harbour.
func text() *chat.Message {
	return &chat.Message{
		ID: 12, ClientID: "abc123", RoomID: 5, RoomType: chat.Open, RoomName: "Harbour <exhibit>", Author: dana,
		Body: "<p>The tide clock runs.</p>", HasBody: true, CreatedAt: noon, UpdatedAt: noon.Add(time.Minute),
	}
}

func boosted() *chat.Message {
	m := text()
	m.Boosts = []chat.Boost{
		{ID: 3, MessageID: 12, Booster: ines, Content: "🎉", CreatedAt: noon},
		{ID: 4, MessageID: 12, Booster: olu, Content: "at last!", CreatedAt: noon},
	}
	return m
}

func file() *chat.Message {
	m := text()
	m.Body, m.HasBody = "", false
	m.Attachment = &chat.Blob{ID: 1, Key: "k", Filename: "tide tables 100%.pdf", ContentType: "application/pdf", ByteSize: 142_300}
	return m
}

func orphan() *chat.Message {
	m := text()
	m.Author = gone
	return m
}

func with(m *chat.Message, change func(*chat.Message)) *chat.Message {
	change(m)
	return m
}

// roomShown is harbour with messages.
func roomShown(messages ...*chat.Message) *view.RoomShown {
	return &view.RoomShown{
		Room: harbour, Membership: &chat.Membership{RoomID: 5, UserID: 1, Involvement: chat.Mentions},
		Messages: messages, People: cast, LoadedAt: noon,
	}
}

var _ richtext.People = cast
