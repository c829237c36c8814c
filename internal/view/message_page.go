package view

import (
	"io"

	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// MessageShown is one message by itself.
type MessageShown struct {
	Message *chat.Message
	People  richtext.People
}

type messageShown struct {
	Message *chat.Message
	HTML    markup
	Editor  string // value of the editor
	Path    string
}

// MessagePage writes one message: a page, or what fills its edit frame again.
func (s *Site) MessagePage(w io.Writer, l *Layout, d *MessageShown) error {
	shown := messageShown{Message: d.Message}
	if l.Frame != "" {
		shown.HTML = s.AppendMessageFrame(nil, d.Message, d.People)
	} else {
		shown.HTML = s.AppendMessage(nil, d.Message, d.People)
	}
	return s.render(w, "message", l, page{Title: "Message", BodyClass: "sidebar", D: shown})
}

// EditMessagePage writes the form that edits or deletes a message.
func (s *Site) EditMessagePage(w io.Writer, l *Layout, d *MessageShown) error {
	shown := messageShown{
		Message: d.Message,
		Path:    string(appendMessagePath(nil, d.Message)),
		Editor:  richtext.EditorHTML(d.Message.Body, d.People),
	}
	if d.Message.Attachment != nil {
		shown.HTML = s.AppendPresentation(nil, d.Message, d.People)
	}
	return s.render(w, "message_edit", l, page{Title: "Edit message", D: shown})
}

// BoostsPage writes the frame of a message's boosts.
func (s *Site) BoostsPage(w io.Writer, l *Layout, m *chat.Message) error {
	return s.render(w, "boosts", l, page{Title: "Boosts", D: messageShown{Message: m, HTML: s.AppendBoosts(nil, m)}})
}

// NewBoostPage writes the form of a new boost.
func (s *Site) NewBoostPage(w io.Writer, l *Layout, m *chat.Message) error {
	path := string(appendBoostsPath(nil, m.ID))
	return s.render(w, "boost_new", l, page{Title: "Add a boost", D: messageShown{Message: m, Path: path}})
}
