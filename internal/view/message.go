package view

import (
	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// AppendMessages appends messages in the order given.
func (s *Site) AppendMessages(dst []byte, messages []*chat.Message, people richtext.People) []byte {
	for _, m := range messages {
		dst = s.AppendMessage(dst, m, people)
	}
	return dst
}

// AppendMessage appends one whole item of a message list. It holds nothing about
// the viewer: the page's scripts add what depends on who looks, in which time
// zone, and what stands before it.
func (s *Site) AppendMessage(dst []byte, m *chat.Message, people richtext.People) []byte {
	if m.Author.Missing {
		return s.appendUnrenderable(dst, m)
	}
	dst = append(dst, `<div id="message_`...)
	dst = escape(dst, m.ClientID)
	if emojiOnly(m, people) {
		dst = append(dst, `" class="message message--emoji"`...)
	} else {
		dst = append(dst, `" class="message"`...)
	}
	dst = appendMessageData(dst, m)
	dst = append(dst, ` data-controller="reply" data-reply-composer-outlet="#composer">`...)
	dst = appendDaySeparator(dst, m)
	dst = s.appendMessageAvatar(dst, &m.Author)
	dst = s.appendMessageFrame(dst, m, people)
	return append(dst, "</div>\n"...)
}

// AppendMessageFrame appends what a message's edit frame shows when nobody edits:
// the answer to saving or cancelling an edit.
func (s *Site) AppendMessageFrame(dst []byte, m *chat.Message, people richtext.People) []byte {
	if m.Author.Missing {
		return s.appendUnrenderable(dst, m)
	}
	return s.appendMessageFrame(dst, m, people)
}

func (s *Site) appendMessageFrame(dst []byte, m *chat.Message, people richtext.People) []byte {
	dst = append(dst, `<turbo-frame id="edit_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, "\"><div class=\"message__body\"><div class=\"message__body-content\">\n<div class=\"message__meta\">"...)
	dst = appendHeading(dst, m)
	dst = s.appendActions(dst, m)
	dst = append(dst, "</div>\n"...)
	dst = s.AppendPresentation(dst, m, people)
	dst = append(dst, "</div>\n"...)
	dst = s.AppendBoosts(dst, m)
	return append(dst, `</div></turbo-frame>`...)
}

// appendMessageData appends the attributes by which scripts find, sort, group
// and refresh a message.
func appendMessageData(dst []byte, m *chat.Message) []byte {
	dst = append(dst, ` data-user-id="`...)
	dst = appendInt(dst, m.Author.ID)
	dst = append(dst, `" data-message-id="`...)
	dst = appendInt(dst, m.ID)
	dst = append(dst, `" data-message-timestamp="`...)
	dst = appendMillis(dst, m.CreatedAt)
	dst = append(dst, `" data-message-updated-at="`...)
	dst = appendMillis(dst, m.UpdatedAt)
	dst = append(dst, `" data-sort-value="`...)
	dst = appendMillis(dst, m.CreatedAt)
	return append(dst, `" data-messages-target="message" data-search-results-target="message" data-refresh-room-target="message"`...)
}

// appendDaySeparator appends the heading that scripts show above the first
// message of a day in the viewer's time zone.
func appendDaySeparator(dst []byte, m *chat.Message) []byte {
	dst = append(dst, "\n<h2 class=\"message__day-separator\"><time datetime=\""...)
	dst = appendISO(dst, m.CreatedAt)
	dst = append(dst, `" data-local-time-target="date">`...)
	dst = appendDay(dst, m.CreatedAt)
	return append(dst, "</time></h2>\n"...)
}

func (s *Site) appendMessageAvatar(dst []byte, a *chat.Author) []byte {
	dst = append(dst, `<figure class="avatar message__avatar"><a class="btn avatar" href="/users/`...)
	dst = appendInt(dst, a.ID)
	dst = append(dst, `" title="`...)
	dst = appendTitle(dst, a)
	dst = append(dst, `" data-turbo-frame="_top">`...)
	dst = s.appendAvatar(dst, a)
	return append(dst, "</a></figure>\n"...)
}

// appendHeading appends author, time and, for search results, the room. The time
// is UTC until a script writes the viewer's own.
func appendHeading(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `<h3 class="message__heading"><span class="message__author" title="`...)
	dst = appendTitle(dst, &m.Author)
	dst = append(dst, `"><strong dir="auto" data-reply-target="author">`...)
	dst = escape(dst, m.Author.Name)
	dst = append(dst, `</strong></span> <a class="message__permalink" href="`...)
	dst = appendPermalink(dst, m)
	dst = append(dst, `" data-reply-target="permalink" data-turbo-frame="_top"><time class="message__timestamp" datetime="`...)
	dst = appendISO(dst, m.CreatedAt)
	dst = append(dst, `" data-local-time-target="time">`...)
	dst = appendClock(dst, m.CreatedAt)
	dst = append(dst, `</time></a> <span class="message__room"><a href="`...)
	dst = appendPermalink(dst, m)
	dst = append(dst, `" data-reply-target="link" data-turbo-frame="_top">`...)
	if m.RoomName != "" {
		dst = escape(dst, m.RoomName)
	} else {
		dst = append(dst, `Ping`...)
	}
	return append(dst, `</a></span></h3>`...)
}

// appendPermalink appends the path to a room at this message. It is relative:
// the same fragment is shown under every host name that the server has.
func appendPermalink(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `/rooms/`...)
	dst = appendInt(dst, m.RoomID)
	dst = append(dst, `/@`...)
	return appendInt(dst, m.ID)
}

// appendUnrenderable appends what stands in the place of a message whose author
// is gone. It keeps its ids and times, so that paging and refreshing pass over it.
func (s *Site) appendUnrenderable(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `<div id="message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `" class="message message--failed"`...)
	dst = appendMessageData(dst, m)
	dst = append(dst, `><div class="message__body"><div class="message__body-content"><p class="message__state">`...)
	dst = s.appendIcon(dst, "alert")
	return append(dst, "This message can’t be shown: the account that wrote it is gone.</p></div></div></div>\n"...)
}
