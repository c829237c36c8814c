package view

import (
	"strings"
	"time"

	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// AvatarURL is the relative address of a person's picture. The version changes
// with the person, so that the picture may be cached.
func (s *Site) AvatarURL(id chat.UserID, updatedAt time.Time) string {
	return string(s.AppendAvatarURL(nil, id, updatedAt))
}

// AppendAvatarURL appends AvatarURL. Its bytes need no escaping in HTML.
func (s *Site) AppendAvatarURL(dst []byte, id chat.UserID, updatedAt time.Time) []byte {
	dst = append(dst, s.avatars.get(int64(id))...)
	return appendVersion(dst, updatedAt)
}

// Person is what a mention of a shows, for use as richtext.People.
func (s *Site) Person(a *chat.Author) richtext.Person {
	return richtext.Person{ID: int64(a.ID), Name: a.Name, Title: a.Title(), AvatarURL: s.AvatarURL(a.ID, a.UpdatedAt)}
}

// People looks mentioned people up among authors, which the caller has loaded
// for all messages that it is about to render: see chat.Reader.Mentioned.
func (s *Site) People(authors map[chat.UserID]chat.Author) richtext.People {
	return func(id int64) (richtext.Person, bool) {
		a, ok := authors[chat.UserID(id)]
		if !ok || a.Missing {
			return richtext.Person{}, false
		}
		return s.Person(&a), true
	}
}

// appendAvatar appends a person's picture alone: decoration beside their name.
func (s *Site) appendAvatar(dst []byte, a *chat.Author) []byte {
	dst = append(dst, `<img src="`...)
	dst = s.AppendAvatarURL(dst, a.ID, a.UpdatedAt)
	return append(dst, `" alt="" aria-hidden="true" loading="lazy">`...)
}

// appendTitle appends what a.Title returns, escaped, without building it.
func appendTitle(dst []byte, a *chat.Author) []byte {
	if strings.TrimSpace(a.Bio) == "" {
		return escape(dst, a.Name)
	}
	if strings.TrimSpace(a.Name) != "" {
		dst = escape(dst, a.Name)
		dst = append(dst, " – "...)
	}
	return escape(dst, a.Bio)
}
