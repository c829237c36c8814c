package view

import (
	"io"

	"hearth/internal/chat"
)

type involvementShown struct {
	Room  *chat.Room
	Value chat.Involvement
}

// InvolvementPage writes the bell of a room: it says what one is told about, and
// pressing it goes on to the next.
func (s *Site) InvolvementPage(w io.Writer, l *Layout, r *chat.Room, now chat.Involvement) error {
	return s.render(w, "involvement_page", l, page{Title: "Notifications", D: involvementShown{r, now}})
}

// bell is an involvement with the form that changes it.
type bell struct {
	involvementShown
	Path, Token string
}

// Next is what pressing the bell asks for.
func (d involvementShown) Next() chat.Involvement {
	order := []chat.Involvement{chat.Mentions, chat.Everything, chat.Nothing, chat.Invisible}
	if d.Room.Type == chat.Direct {
		order = []chat.Involvement{chat.Everything, chat.Nothing}
	}
	for i, v := range order {
		if v == d.Value {
			return order[(i+1)%len(order)]
		}
	}
	return order[0]
}

// Label says what one is told about.
func (d involvementShown) Label() string {
	switch d.Value {
	case chat.Everything:
		return "Notifying about all messages"
	case chat.Nothing:
		return "Notifications are off"
	case chat.Invisible:
		return "Notifications are off and room invisible in sidebar"
	}
	return "Notifying about @ mentions"
}

// Icon is the bell's shape.
func (d involvementShown) Icon() string {
	switch d.Value {
	case chat.Everything:
		return "bell"
	case chat.Nothing:
		return "bell-off"
	case chat.Invisible:
		return "bell-hidden"
	}
	return "bell-at"
}
