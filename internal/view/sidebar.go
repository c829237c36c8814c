package view

import (
	"strings"
	"unicode"

	"hearth/internal/chat"
)

// AppendSidebarRoom appends the row of an open or closed room. Styles name an
// unread row for screen readers, because scripts only toggle its class.
func (s *Site) AppendSidebarRoom(dst []byte, r *chat.SidebarRoom) []byte {
	dst = append(dst, `<a id="`...)
	dst = appendRoomID(dst, "list_", r.Room.Type, r.Room.ID)
	dst = append(dst, `" class="room btn`...)
	dst = appendRowData(dst, &r.Room, r.Unread)
	dst = append(dst, ` data-sorted-list-name="`...)
	dst = escape(dst, r.Room.Name)
	dst = append(dst, `"><span dir="auto">`...)
	dst = escape(dst, r.Room.Name)
	return append(dst, "</span></a>\n"...)
}

// AppendSidebarDirect appends the row of a ping as one of its members sees it.
func (s *Site) AppendSidebarDirect(dst []byte, d *chat.SidebarDirect) []byte {
	dst = append(dst, `<a id="`...)
	dst = appendRoomID(dst, "list_", d.Room.Type, d.Room.ID)
	dst = append(dst, `" class="direct`...)
	dst = appendRowData(dst, &d.Room, d.Unread)
	dst = append(dst, ` data-sorted-list-number="`...)
	dst = appendMillis(dst, d.Room.UpdatedAt)
	dst = append(dst, `">`...)
	if len(d.Members) == 1 {
		dst = s.appendDirectWithOne(dst, &d.Members[0])
	} else {
		dst = s.appendDirectWithMany(dst, d.Members)
	}
	return append(dst, "</a>\n"...)
}

func (s *Site) appendDirectWithOne(dst []byte, a *chat.Author) []byte {
	dst = append(dst, `<span class="avatar">`...)
	dst = s.appendAvatar(dst, a)
	dst = append(dst, `</span><span class="direct__author"><span class="for-screen-reader">Ping with </span><bdi>`...)
	dst = escape(dst, firstName(a.Name))
	return append(dst, `</bdi></span>`...)
}

// appendDirectWithMany appends up to four faces and everybody's initials; screen
// readers hear the names instead.
func (s *Site) appendDirectWithMany(dst []byte, members []chat.Author) []byte {
	dst = append(dst, `<span class="avatar avatar__group">`...)
	for i := range members[:min(len(members), 4)] {
		dst = s.appendAvatar(dst, &members[i])
	}
	dst = append(dst, `</span><span class="direct__author"><span class="for-screen-reader">Ping with `...)
	for i := range members {
		dst = append(dst, joint(i, len(members))...)
		dst = escape(dst, members[i].Name)
	}
	dst = append(dst, `</span><span aria-hidden="true">`...)
	for i := range members {
		if i > 0 {
			dst = append(dst, ` + `...)
		}
		dst = appendInitials(dst, members[i].Name)
	}
	return append(dst, `</span></span>`...)
}

// appendRowData appends the end of the class, the link, and the attributes by
// which scripts mark a row.
func appendRowData(dst []byte, r *chat.Room, unread bool) []byte {
	if unread {
		dst = append(dst, ` unread`...)
	}
	dst = append(dst, `" href="/rooms/`...)
	dst = appendInt(dst, r.ID)
	dst = append(dst, `" data-room-id="`...)
	dst = appendInt(dst, r.ID)
	return append(dst, `" data-rooms-list-target="room" data-badge-dot-target="unread" data-sorted-list-target="item"`...)
}

// DirectName is what a ping is called: the names of chat.Others as a sentence.
func DirectName(others []chat.Author) string {
	var b strings.Builder
	for i := range others {
		b.WriteString(joint(i, len(others)))
		b.WriteString(others[i].Name)
	}
	return b.String()
}

// joint is what stands before item i of n in "a, b, and c".
func joint(i, n int) string {
	switch {
	case i == 0:
		return ""
	case n == 2:
		return " and "
	case i == n-1:
		return ", and "
	}
	return ", "
}

// firstName is the first word of a name.
func firstName(name string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(name), " ")
	return first
}

// appendInitials appends what chat.Author.Initials returns, without building it.
func appendInitials(dst []byte, name string) []byte {
	inWord := false
	for _, r := range name {
		word := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.Nd, r) || unicode.Is(unicode.Pc, r)
		if word && !inWord {
			dst = append(dst, string(r)...)
		}
		inWord = word
	}
	return dst
}
