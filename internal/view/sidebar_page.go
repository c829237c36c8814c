package view

import (
	"io"

	"hearth/internal/chat"
)

type sidebarShown struct {
	*chat.Sidebar
	DirectRows, RoomRows markup
}

// SidebarPage writes the frame that stays beside every page of the layout's viewer.
func (s *Site) SidebarPage(w io.Writer, l *Layout, d *chat.Sidebar) error {
	// A row has about 500 bytes, of which 200 are the address of a face.
	shown := sidebarShown{d, make(markup, 0, 768*len(d.Directs)), make(markup, 0, 512*len(d.Shared))}
	for i := range d.Directs {
		shown.DirectRows = s.AppendSidebarDirect(shown.DirectRows, &d.Directs[i])
	}
	for i := range d.Shared {
		shown.RoomRows = s.AppendSidebarRoom(shown.RoomRows, &d.Shared[i])
	}
	return s.render(w, "sidebar", l, page{Title: "Pings and rooms", D: shown})
}

// NewPingPage writes the form that takes the place of the pings while one
// chooses people.
func (s *Site) NewPingPage(w io.Writer, l *Layout) error {
	return s.render(w, "ping_new", l, page{Title: "New Ping"})
}

// AppendPromptItems appends people as the editor's mention menu wants them: what
// is searched, what the menu shows, and what lands in the text.
func (s *Site) AppendPromptItems(dst []byte, people []chat.User) []byte {
	for i := range people {
		a := people[i].Author()
		dst = append(dst, `<lexxy-prompt-item search="`...)
		dst = escape(dst, a.Name)
		dst = append(dst, `" sgid="`...)
		dst = escape(dst, s.keys.MentionSGID(int64(a.ID)))
		dst = append(dst, `"><template type="menu"><span class="avatar">`...)
		dst = s.appendAvatar(dst, &a)
		dst = append(dst, `</span><span class="autocompletable__name" dir="auto">`...)
		dst = escape(dst, a.Name)
		dst = append(dst, `</span></template><template type="editor"><span class="mention"><span class="avatar">`...)
		dst = s.appendAvatar(dst, &a)
		dst = append(dst, `</span>`...)
		dst = escape(dst, a.Name)
		dst = append(dst, "</span></template></lexxy-prompt-item>\n"...)
	}
	return dst
}
