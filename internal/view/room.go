package view

import (
	"bytes"
	"fmt"
	"io"
	"sync"
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

// RoomPage writes a whole room.
func (s *Site) RoomPage(w io.Writer, l *Layout, d *RoomShown) error {
	return withScratch(w, func(dst []byte) ([]byte, error) {
		dst, err := s.AppendRoomTop(dst, l, d)
		if err != nil {
			return dst, err
		}
		dst = s.AppendMessages(dst, d.Messages, d.People)
		return s.AppendRoomBottom(dst, l, d)
	})
}

// AppendRoomTop appends a room's page up to where its messages begin. What
// RoomPage does in one go, a cache of rendered messages does with
// AppendRoomTop and AppendRoomBottom.
func (s *Site) AppendRoomTop(dst []byte, l *Layout, d *RoomShown) ([]byte, error) {
	p := roomPage(l, d)
	dst = s.appendTop(dst, p)
	var err error
	dst = s.roomTop.appendTo(dst, func(dst []byte, hole string) []byte {
		switch hole {
		case "flash":
			if p.Notice != "" || p.Alert != "" {
				dst, err = s.appendTemplate(dst, "flash", p)
			}
			return dst
		case "welcome":
			if d.Welcome {
				dst, err = s.appendTemplate(dst, "system_welcome", p)
			}
			return dst
		}
		return s.fillRoom(dst, p, d, hole)
	})
	return dst, err
}

// AppendRoomBottom appends a room's page from where its messages end.
func (s *Site) AppendRoomBottom(dst []byte, l *Layout, d *RoomShown) ([]byte, error) {
	p := roomPage(l, d)
	var err error
	dst = s.roomBottom.appendTo(dst, func(dst []byte, hole string) []byte {
		if hole == "empty" {
			if len(d.Messages) == 0 && !d.Welcome {
				dst, err = s.appendTemplate(dst, "room_empty", p)
			}
			return dst
		}
		return s.fillRoom(dst, p, d, hole)
	})
	return append(dst, s.bottom...), err
}

func roomPage(l *Layout, d *RoomShown) *page {
	return &page{Layout: l, Title: d.Name(), BodyClass: "sidebar", Room: d.Room, D: d}
}

// fillRoom fills a hole of the room's stencils.
func (s *Site) fillRoom(dst []byte, p *page, d *RoomShown, hole string) []byte {
	switch hole {
	case "id":
		return appendInt(dst, d.Room.ID)
	case "dom":
		return appendRoomID(dst, "", d.Room.Type, d.Room.ID)
	case "name":
		return escape(dst, p.Title)
	case "ping with":
		if d.Room.Direct() {
			return append(dst, `<span class="for-screen-reader">Ping with </span>`...)
		}
		return dst
	case "kind":
		if d.Room.Direct() {
			return append(dst, `Ping`...)
		}
		return append(dst, `room`...)
	case "settings":
		return append(appendSettingsPath(dst, d.Room.Type, d.Room.ID), "/edit"...)
	case "bell":
		return s.appendBell(dst, d.Room, d.Membership.Involvement, p.Token(involvementPath(d.Room), "put"))
	case "loaded at":
		return appendMillis(dst, d.LoadedAt)
	case "stream":
		return append(dst, s.keys.SignStream(d.Room.Stream())...)
	case "token":
		return escape(dst, p.Token(messagesPath(d.Room), "post"))
	case "viewer id":
		return appendInt(dst, p.Viewer.ID)
	case "viewer name":
		return escape(dst, p.Viewer.Name)
	case "viewer avatar":
		return s.AppendAvatarURL(dst, p.Viewer.ID, p.Viewer.UpdatedAt)
	}
	panic(fmt.Sprintf("view: the room's stencils have an unknown hole %q", hole))
}

func messagesPath(r *chat.Room) string {
	return string(append(appendInt([]byte("/rooms/"), r.ID), "/messages"...))
}

// appendSettingsPath appends the path under which a room of that type is changed.
func appendSettingsPath(dst []byte, t chat.RoomType, id chat.RoomID) []byte {
	dst = append(dst, `/rooms/`...)
	dst = append(dst, kindPath(t)...)
	dst = append(dst, '/')
	return appendInt(dst, id)
}

func kindPath(t chat.RoomType) string {
	switch t {
	case chat.Closed:
		return "closeds"
	case chat.Direct:
		return "directs"
	}
	return "opens"
}

// scratch are slices in which pages are rendered; they hold nothing between two
// uses. A large page is 200 KB, which is worth not making anew.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// withScratch writes what render appends to a borrowed slice.
func withScratch(w io.Writer, render func(dst []byte) ([]byte, error)) error {
	buf := scratch.Get().(*[]byte)
	defer scratch.Put(buf)
	var err error
	if *buf, err = render((*buf)[:0]); err != nil {
		return err
	}
	_, err = w.Write(*buf)
	return err
}

// appendTemplate appends what a template writes.
func (s *Site) appendTemplate(dst []byte, name string, p *page) ([]byte, error) {
	w := bytes.NewBuffer(dst)
	err := s.run(w, name, p)
	return w.Bytes(), err
}

// WelcomePage is the root for who is in no room.
func (s *Site) WelcomePage(w io.Writer, l *Layout) error {
	return s.render(w, "welcome", l, page{Title: "No rooms yet", BodyClass: "sidebar"})
}

// RoomGoneFrame answers a post to a room that is no more: it takes the composer's place.
func (s *Site) RoomGoneFrame(w io.Writer, l *Layout) error {
	return s.render(w, "room_gone", l, page{Title: "This room was deleted"})
}
