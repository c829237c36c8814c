package view

import "hearth/internal/chat"

// quickBoosts are the eight boosts that every message offers, with their names.
var quickBoosts = [...]struct{ emoji, name string }{
	{"👍", "Thumbs up"},
	{"👏", "Clapping"},
	{"👋", "Waving hand"},
	{"💪", "Muscle"},
	{"❤️", "Red heart"},
	{"😂", "Face with tears of joy"},
	{"🎉", "Party popper"},
	{"🔥", "Fire"},
}

// quickBoostButtons is the same in every message. The buttons share one form and
// carry their value themselves: eight forms would be a fifth of a page's bytes.
var quickBoostButtons = func() []byte {
	var b []byte
	for _, q := range quickBoosts {
		b = append(b, `<button class="btn" name="boost[content]" value="`...)
		b = append(b, q.emoji...)
		b = append(b, `" data-emoji="`...)
		b = append(b, q.emoji...)
		b = append(b, `" title="`...)
		b = append(b, q.name...)
		b = append(b, `" aria-label="`...)
		b = append(b, q.name...)
		b = append(b, `">`...)
		b = append(b, q.emoji...)
		b = append(b, "</button>\n"...)
	}
	return b
}()

// appendActions appends the menu of a message. Edit is in every menu, because
// fragments are the same for all; styles show it to those who may.
func (s *Site) appendActions(dst []byte, m *chat.Message) []byte {
	dst = append(dst, "\n<details class=\"message__actions position-relative\" data-controller=\"popup\"><summary class=\"btn message__options-btn\" title=\"Message options\" aria-label=\"Message options\">"...)
	dst = s.appendIcon(dst, "dots")
	dst = append(dst, "</summary><div class=\"message__actions-menu\">\n"...)
	dst = s.appendQuickBoosts(dst, m)
	dst = append(dst, `<div class="message__actions-grid">`...)
	if m.Attachment != nil {
		dst = s.appendDownloadAction(dst, m.Attachment)
	} else {
		dst = append(dst, `<button type="button" class="btn message__action-btn" data-action="reply#reply">`...)
		dst = s.appendIcon(dst, "reply")
		dst = append(dst, "Reply</button>\n"...)
	}
	dst = s.appendCopyLink(dst, m)
	dst = s.appendEditLink(dst, m)
	return append(dst, `</div></div></details>`...)
}

func (s *Site) appendQuickBoosts(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `<form class="quick-boosts" action="`...)
	dst = appendBoostsPath(dst, m.ID)
	dst = append(dst, `" method="post" data-turbo-frame="boosting_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, "\">\n"...)
	dst = append(dst, quickBoostButtons...)
	dst = append(dst, "</form>\n<a class=\"btn message__action-btn message__boost-btn\" href=\""...)
	dst = appendBoostsPath(dst, m.ID)
	dst = append(dst, `/new" data-turbo-frame="new_boost_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `" data-action="soft-keyboard#open">`...)
	dst = s.appendIcon(dst, "smile")
	return append(dst, "New boost</a>\n"...)
}

func (s *Site) appendDownloadAction(dst []byte, b *chat.Blob) []byte {
	dst = append(dst, `<a class="btn message__action-btn" href="`...)
	dst = s.appendDownloadURL(dst, b)
	dst = append(dst, `" download>`...)
	dst = s.appendIcon(dst, "download")
	return append(dst, "Download</a>\n"...)
}

// appendCopyLink appends the button that copies the permalink. Its value is
// relative; the script makes it absolute for the host that the viewer is on.
func (s *Site) appendCopyLink(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `<button type="button" class="btn message__action-btn" title="Copy link" aria-label="Copy link" data-controller="copy-to-clipboard" data-action="copy-to-clipboard#copy" data-copy-to-clipboard-content-value="`...)
	dst = appendPermalink(dst, m)
	dst = append(dst, `">`...)
	dst = s.appendIcon(dst, "link")
	return append(dst, "Copy link</button>\n"...)
}

func (s *Site) appendEditLink(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `<a class="btn message__action-btn message__edit-btn" href="`...)
	dst = appendMessagePath(dst, m)
	dst = append(dst, `/edit" title="Edit" aria-label="Edit" data-action="soft-keyboard#open" data-turbo-frame="edit_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `">`...)
	dst = s.appendIcon(dst, "pencil")
	return append(dst, `Edit</a>`...)
}

func appendMessagePath(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `/rooms/`...)
	dst = appendInt(dst, m.RoomID)
	dst = append(dst, `/messages/`...)
	return appendInt(dst, m.ID)
}

func appendBoostsPath(dst []byte, id chat.MessageID) []byte {
	dst = append(dst, `/messages/`...)
	dst = appendInt(dst, id)
	return append(dst, `/boosts`...)
}
