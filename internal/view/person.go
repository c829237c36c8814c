package view

import (
	"io"

	"hearth/internal/chat"
)

type personShown struct {
	Person *chat.User
	Self   bool
}

// PersonPage writes what one can know of another.
func (s *Site) PersonPage(w io.Writer, l *Layout, person *chat.User) error {
	self := l.Viewer != nil && l.Viewer.ID == person.ID
	return s.render(w, "person", l, page{Title: person.Name, D: personShown{person, self}})
}
