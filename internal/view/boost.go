package view

import (
	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// AppendBoosts appends the frame that holds a message's boosts and the place
// where a new one is written.
func (s *Site) AppendBoosts(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `<turbo-frame id="boosting_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `"><div class="boosts"><div id="boosts_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `">`...)
	for i := range m.Boosts {
		dst = s.AppendBoost(dst, &m.Boosts[i])
	}
	dst = append(dst, `</div><turbo-frame id="new_boost_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `"><a class="boost__action" href="`...)
	dst = appendBoostsPath(dst, m.ID)
	dst = append(dst, `/new" title="Add a boost" aria-label="Add a boost" data-action="soft-keyboard#open">`...)
	dst = s.appendIcon(dst, "plus")
	return append(dst, "</a></turbo-frame></div></turbo-frame>\n"...)
}

// AppendBoost appends one boost. Everybody gets the form that deletes it; a
// script shows it to the booster, and the server listens to nobody else.
func (s *Site) AppendBoost(dst []byte, b *chat.Boost) []byte {
	dst = append(dst, `<div id="boost_`...)
	dst = appendInt(dst, b.ID)
	dst = append(dst, `" class="boost boost-item" data-controller="boost-delete" data-boost-delete-booster-id-value="`...)
	dst = appendInt(dst, b.Booster.ID)
	dst = append(dst, `">`...)
	dst = s.appendBooster(dst, b)
	class := ""
	if richtext.EmojiOnly(b.Content) {
		class = ` class="boost-character"`
	}
	dst = append(dst, `<span`...)
	dst = append(dst, class...)
	dst = append(dst, ` dir="auto" role="button" tabindex="0" aria-describedby="delete_boost_accessible_label" data-action="click->boost-delete#reveal keydown.enter->boost-delete#reveal keydown.space->boost-delete#reveal">`...)
	dst = escape(dst, b.Content)
	dst = append(dst, `</span><form action="`...)
	dst = appendBoostsPath(dst, b.MessageID)
	dst = append(dst, '/')
	dst = appendInt(dst, b.ID)
	dst = append(dst, `" method="post" data-action="submit->boost-delete#remove"><input type="hidden" name="_method" value="delete"><button class="btn boost__delete" title="Delete this boost" aria-label="Delete this boost">`...)
	dst = s.appendIcon(dst, "trash")
	return append(dst, "</button></form></div>\n"...)
}

// appendBooster appends the face of who boosted, named by what they did.
func (s *Site) appendBooster(dst []byte, b *chat.Boost) []byte {
	if b.Booster.Missing {
		return dst
	}
	dst = append(dst, `<a class="btn avatar boost__avatar" href="/users/`...)
	dst = appendInt(dst, b.Booster.ID)
	dst = append(dst, `" title="`...)
	dst = escape(dst, b.Booster.Name)
	dst = append(dst, `" aria-label="`...)
	dst = escape(dst, b.Booster.Name)
	dst = append(dst, ` boosted `...)
	dst = escape(dst, b.Content)
	dst = append(dst, `" data-turbo-frame="_top">`...)
	dst = s.appendAvatar(dst, &b.Booster)
	return append(dst, `</a>`...)
}
