package view

import (
	"io"
	"slices"

	"hearth/internal/chat"
)

type involvementShown struct {
	Room  *chat.Room
	Value chat.Involvement
}

// InvolvementPage writes the bell of a room: it says what one is told about, and
// pressing it goes on to the next.
func (s *Site) InvolvementPage(w io.Writer, l *Layout, r *chat.Room, now chat.Involvement) error {
	return s.render(w, "involvement", l, page{Title: "Notifications", D: involvementShown{r, now}})
}

// bell is appendBell for templates.
func (s *Site) bell(r *chat.Room, now chat.Involvement, token string) markup {
	return s.appendBell(nil, r, now, token)
}

// appendBell appends the button for a room in which one hears of now. It is a
// checkbox that is always checked: its label says what for.
func (s *Site) appendBell(dst []byte, r *chat.Room, now chat.Involvement, token string) []byte {
	label, icon := involvementLabel(now)
	dst = append(dst, `<turbo-frame id="`...)
	dst = appendRoomID(dst, "involvement_", r.Type, r.ID)
	dst = append(dst, `"><form action="`...)
	dst = append(dst, involvementPath(r)...)
	dst = append(dst, `?involvement=`...)
	dst = append(dst, nextInvolvement(r.Type, now)...)
	dst = append(dst, `" method="post"><input type="hidden" name="_method" value="put"><input type="hidden" name="authenticity_token" value="`...)
	dst = escape(dst, token)
	dst = append(dst, `"><button type="submit" class="btn btn--quiet `...)
	dst = escape(dst, string(now))
	dst = append(dst, `" role="checkbox" aria-checked="true" title="`...)
	dst = append(dst, label...)
	dst = append(dst, `" aria-labelledby="`...)
	dst = appendRoomID(dst, "involvement_label_", r.Type, r.ID)
	dst = append(dst, `">`...)
	dst = s.appendIcon(dst, icon)
	dst = append(dst, `<span class="for-screen-reader" id="`...)
	dst = appendRoomID(dst, "involvement_label_", r.Type, r.ID)
	dst = append(dst, `">`...)
	dst = append(dst, label...)
	return append(dst, `</span></button></form></turbo-frame>`...)
}

func involvementPath(r *chat.Room) string {
	return string(append(appendInt([]byte("/rooms/"), r.ID), "/involvement"...))
}

// nextInvolvement is what pressing the bell asks for.
func nextInvolvement(t chat.RoomType, now chat.Involvement) chat.Involvement {
	order := []chat.Involvement{chat.Mentions, chat.Everything, chat.Nothing, chat.Invisible}
	if t == chat.Direct {
		order = []chat.Involvement{chat.Everything, chat.Nothing}
	}
	return order[(slices.Index(order, now)+1)%len(order)]
}

// involvementLabel says what one is told about, and names the bell's shape.
func involvementLabel(now chat.Involvement) (label, icon string) {
	switch now {
	case chat.Everything:
		return "Notifying about all messages", "bell"
	case chat.Nothing:
		return "Notifications are off", "bell-off"
	case chat.Invisible:
		return "Notifications are off and room invisible in sidebar", "bell-hidden"
	}
	return "Notifying about @ mentions", "bell-at"
}
