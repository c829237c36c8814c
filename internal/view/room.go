package view

import (
	"io"
	"time"

	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// RoomShown is a room as one member sees it.
type RoomShown struct {
	Room       *chat.Room
	Membership *chat.Membership
	Others     []chat.Author // of a ping, as chat.SidebarDirect has them; nil otherwise
	Messages   []*chat.Message
	People     richtext.People

	Welcome  bool      // this is the account's first room, and all of it is shown
	LoadedAt time.Time // from when on a refresh asks for what is new
}

// Name is the room's name as its viewer sees it.
func (d *RoomShown) Name() string {
	if d.Room.Direct() {
		return DirectName(d.Others)
	}
	return d.Room.Name
}

// Kind is the path of the room's own settings: "opens", "closeds" or "directs".
func (d *RoomShown) Kind() string { return kindPath(d.Room.Type) }

func kindPath(t chat.RoomType) string {
	switch t {
	case chat.Closed:
		return "closeds"
	case chat.Direct:
		return "directs"
	}
	return "opens"
}

// Involvement is the bell of this room.
func (d *RoomShown) Involvement() involvementShown {
	return involvementShown{d.Room, d.Membership.Involvement}
}

// RoomPage writes a whole room. Everything but the messages comes from two
// templates, so that the messages are written once, by append functions.
func (s *Site) RoomPage(w io.Writer, l *Layout, d *RoomShown) error {
	if err := s.RoomTop(w, l, d); err != nil {
		return err
	}
	if _, err := w.Write(s.AppendMessages(nil, d.Messages, d.People)); err != nil {
		return err
	}
	return s.RoomBottom(w, l, d)
}

// RoomTop writes a room's page up to where its messages begin. What RoomPage
// does in one go, a cache of rendered messages does with RoomTop and RoomBottom.
func (s *Site) RoomTop(w io.Writer, l *Layout, d *RoomShown) error {
	return s.renderRoom(w, "room_top", l, d)
}

// RoomBottom writes a room's page from where its messages end.
func (s *Site) RoomBottom(w io.Writer, l *Layout, d *RoomShown) error {
	return s.renderRoom(w, "room_bottom", l, d)
}

func (s *Site) renderRoom(w io.Writer, name string, l *Layout, d *RoomShown) error {
	return s.render(w, name, l, page{Title: d.Name(), BodyClass: "sidebar", Room: d.Room, D: d})
}

// WelcomePage is the root for who is in no room.
func (s *Site) WelcomePage(w io.Writer, l *Layout) error {
	return s.render(w, "welcome", l, page{Title: "No rooms yet", BodyClass: "sidebar"})
}

// RoomGoneFrame answers a post to a room that is no more: it takes the composer's place.
func (s *Site) RoomGoneFrame(w io.Writer, l *Layout) error {
	return s.render(w, "room_gone", l, page{Title: "This room was deleted"})
}
