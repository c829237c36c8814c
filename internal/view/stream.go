package view

import (
	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// Actions of turbo streams.
const (
	Append  = "append"
	Prepend = "prepend"
	Replace = "replace"
	Update  = "update"
	Remove  = "remove"
)

// maintainScroll asks the page to keep what the reader sees where it is.
const maintainScroll = ` maintain_scroll="true"`

// AppendStream appends a turbo stream element that does action to the element
// whose id is target. attrs stands verbatim in the tag: empty, or ` name="value"`.
// html comes from this package's append functions; it is left out for Remove.
func AppendStream(dst []byte, action, target, attrs string, html []byte) []byte {
	dst = openStream(dst, action, attrs)
	dst = escape(dst, target)
	if action == Remove {
		return append(dst, "\"></turbo-stream>\n"...)
	}
	dst = append(dst, `"><template>`...)
	dst = append(dst, html...)
	return closeStream(dst)
}

// The frames below are named like the events of package chat that they show, and
// say to whom web sends them.

// AppendMessagePosted appends the frame that adds a message to its room's list.
func (s *Site) AppendMessagePosted(dst []byte, m *chat.Message, people richtext.People) []byte {
	dst = openStream(dst, Append, "")
	dst = appendMessagesID(dst, m)
	dst = append(dst, `"><template>`...)
	dst = s.AppendMessage(dst, m, people)
	return closeStream(dst)
}

// AppendMessagesPosted appends one frame that adds messages of one room, or
// nothing when there are none.
func (s *Site) AppendMessagesPosted(dst []byte, messages []*chat.Message, people richtext.People) []byte {
	if len(messages) == 0 {
		return dst
	}
	dst = openStream(dst, Append, "")
	dst = appendMessagesID(dst, messages[0])
	dst = append(dst, `"><template>`...)
	dst = s.AppendMessages(dst, messages, people)
	return closeStream(dst)
}

// AppendMessageEdited appends the frame that replaces what a message says, and
// nothing else of it: an open boost form stays.
func (s *Site) AppendMessageEdited(dst []byte, m *chat.Message, people richtext.People) []byte {
	dst = openStream(dst, Replace, maintainScroll)
	dst = append(dst, `presentation_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `"><template>`...)
	dst = s.AppendPresentation(dst, m, people)
	return closeStream(dst)
}

// AppendMessageReplaced appends the frame that replaces a whole message: how a
// page that was away catches up.
func (s *Site) AppendMessageReplaced(dst []byte, m *chat.Message, people richtext.People) []byte {
	dst = openStream(dst, Replace, "")
	dst = append(dst, `message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `"><template>`...)
	dst = s.AppendMessage(dst, m, people)
	return closeStream(dst)
}

// AppendMessageDeleted appends the frame that removes a message by its client id.
func AppendMessageDeleted(dst []byte, clientID string) []byte {
	dst = openStream(dst, Remove, "")
	dst = append(dst, `message_`...)
	dst = escape(dst, clientID)
	return append(dst, "\"></turbo-stream>\n"...)
}

// AppendMessageVanished appends the frame that removes a message of which only
// the id is known, because it is gone from the database.
func AppendMessageVanished(dst []byte, id chat.MessageID) []byte {
	dst = append(dst, `<turbo-stream action="remove" targets="[data-message-id='`...)
	dst = appendInt(dst, id)
	return append(dst, "']\"></turbo-stream>\n"...)
}

// AppendBoostAdded appends the frame that adds a boost to m.
func (s *Site) AppendBoostAdded(dst []byte, m *chat.Message, b *chat.Boost) []byte {
	dst = openStream(dst, Append, maintainScroll)
	dst = append(dst, `boosts_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `"><template>`...)
	dst = s.AppendBoost(dst, b)
	return closeStream(dst)
}

// AppendBoostRemoved appends the frame that removes a boost.
func AppendBoostRemoved(dst []byte, id chat.BoostID) []byte {
	dst = openStream(dst, Remove, "")
	dst = append(dst, `boost_`...)
	dst = appendInt(dst, id)
	return append(dst, "\"></turbo-stream>\n"...)
}

// AppendRoomCreated appends the frame that adds an open or closed room to a
// sidebar: one that is new, or that somebody wants to see again.
func (s *Site) AppendRoomCreated(dst []byte, r *chat.SidebarRoom) []byte {
	dst = openStream(dst, Prepend, "")
	dst = append(dst, `shared_rooms"><template>`...)
	dst = s.AppendSidebarRoom(dst, r)
	return closeStream(dst)
}

// AppendRoomUpdated appends the frame that replaces a room's row in the sidebars
// of those who have it there. was is the room's type before: a page that was
// loaded before a conversion knows the row under that type's id.
func (s *Site) AppendRoomUpdated(dst []byte, r *chat.SidebarRoom, was chat.RoomType) []byte {
	dst = openStream(dst, Replace, "")
	dst = appendRoomID(dst, "list_", was, r.Room.ID)
	dst = append(dst, `"><template>`...)
	dst = s.AppendSidebarRoom(dst, r)
	return closeStream(dst)
}

// AppendRoomDeleted appends the frame that removes a room's row, whatever its type.
func AppendRoomDeleted(dst []byte, r *chat.Room) []byte {
	dst = openStream(dst, Remove, "")
	dst = appendRoomID(dst, "list_", r.Type, r.ID)
	return append(dst, "\"></turbo-stream>\n"...)
}

// AppendDirectOpened appends the frame that puts a ping first in the sidebar of
// the member that d was made for.
func (s *Site) AppendDirectOpened(dst []byte, d *chat.SidebarDirect) []byte {
	dst = openStream(dst, Prepend, "")
	dst = append(dst, `direct_rooms"><template>`...)
	dst = s.AppendSidebarDirect(dst, d)
	return closeStream(dst)
}

func openStream(dst []byte, action, attrs string) []byte {
	dst = append(dst, `<turbo-stream`...)
	dst = append(dst, attrs...)
	dst = append(dst, ` action="`...)
	dst = append(dst, action...)
	return append(dst, `" target="`...)
}

func closeStream(dst []byte) []byte {
	return append(dst, "</template></turbo-stream>\n"...)
}

// appendMessagesID appends the id of the list that m belongs to.
func appendMessagesID(dst []byte, m *chat.Message) []byte {
	return appendRoomID(dst, "messages_", m.RoomType, m.RoomID)
}

// appendRoomID appends an element id such as "messages_rooms_open_5".
func appendRoomID(dst []byte, prefix string, t chat.RoomType, id chat.RoomID) []byte {
	dst = append(dst, prefix...)
	dst = append(dst, t.DOM()...)
	dst = append(dst, '_')
	return appendInt(dst, id)
}
