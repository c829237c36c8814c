package web

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"hearth/internal/chat"
	"hearth/internal/richtext"
	"hearth/internal/view"
)

// people loads whom messages mention, for rendering them.
func (x *exchange) people(in *chat.Reader, messages ...*chat.Message) (richtext.People, error) {
	mentioned, err := in.Mentioned(messages...)
	if err != nil {
		return nil, err
	}
	return x.server.site.People(mentioned), nil
}

// listMessages answers with one page of messages and nothing around it.
func (x *exchange) listMessages(in *chat.Reader) error {
	room, _, err := x.room(in)
	if err != nil {
		return err
	}
	messages, _, err := x.pageOf(in, room)
	if err != nil {
		return err
	}
	if len(messages) == 0 {
		return x.head(http.StatusNoContent)
	}
	if _, ok := pick(x.wants, formatHTML); !ok {
		return errNotAcceptable
	}
	people, err := x.people(in, messages...)
	if err != nil {
		return err
	}
	return x.append(http.StatusOK, typeHTML, func(dst []byte) []byte {
		return x.server.site.AppendMessages(dst, messages, people)
	})
}

// pageOf loads the page before or after a message, or the last one; before wins.
func (x *exchange) pageOf(in *chat.Reader, room chat.Room) (messages []*chat.Message, forward bool, err error) {
	for _, one := range []struct {
		name string
		load func(chat.Room, chat.MessageID) ([]*chat.Message, error)
	}{{"before", in.PageBefore}, {"after", in.PageAfter}} {
		text := x.text(one.name)
		if text == "" {
			continue
		}
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, false, chat.ErrNotFound
		}
		messages, err = one.load(room, chat.MessageID(id))
		return messages, one.name == "after", err
	}
	messages, err = in.LastPage(room)
	return messages, false, err
}

// createMessage posts. The answer is a stream that appends the message to the
// author's own page; everybody has it from the broadcast, too.
func (x *exchange) createMessage() error {
	if err := x.require("message"); err != nil {
		return err
	}
	room, err := x.pathRoom("room_id")
	if err != nil {
		return x.roomGone()
	}
	body, given := x.param("message[body]")
	if !given {
		return errMissing
	}
	message, err := x.server.chat.PostMessage(x.r.Context(), *x.viewer, chat.Draft{
		Room: room, ClientID: x.text("message[client_message_id]"), Body: body,
	})
	if errors.Is(err, chat.ErrNotFound) {
		return x.roomGone()
	}
	if err != nil {
		return err
	}
	if _, ok := pick(x.wants, formatTurboStream); !ok {
		return errNotAcceptable // the message stays
	}
	return x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error {
		people, err := x.people(in, message)
		if err != nil {
			return err
		}
		return x.append(http.StatusOK, typeTurboStream, func(dst []byte) []byte {
			return x.server.site.AppendMessagePosted(dst, message, people)
		})
	})
}

// roomGone puts a word in the composer's place: there is no room to post to.
func (x *exchange) roomGone() error {
	return x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error {
		l, err := x.layout(in)
		if err != nil {
			return err
		}
		return x.write(http.StatusOK, typeHTML, func(w io.Writer) error { return x.server.site.RoomGoneFrame(w, l) })
	})
}

// message loads the message that a path is about, if the viewer is in its room.
func (x *exchange) message(in *chat.Reader, name string) (*chat.Message, error) {
	room, _, err := x.room(in)
	if err != nil {
		return nil, err
	}
	id, err := x.pathMessage(name)
	if err != nil {
		return nil, err
	}
	return in.Message(room.ID, id)
}

func (x *exchange) showMessage(in *chat.Reader) error {
	return x.messagePage(in, func(*chat.Message) bool { return true }, x.server.site.MessagePage)
}

func (x *exchange) editMessage(in *chat.Reader) error {
	return x.messagePage(in, func(m *chat.Message) bool { return x.viewer.CanAdminister(m.Author.ID) }, x.server.site.EditMessagePage)
}

func (x *exchange) messagePage(in *chat.Reader, allowed func(*chat.Message) bool, render func(io.Writer, *view.Layout, *view.MessageShown) error) error {
	message, err := x.message(in, "id")
	if err != nil {
		return err
	}
	if !allowed(message) {
		return chat.ErrForbidden
	}
	people, err := x.people(in, message)
	if err != nil {
		return err
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		return render(w, l, &view.MessageShown{Message: message, People: people})
	})
}

func (x *exchange) updateMessage() error {
	room, id, err := x.roomAndMessage()
	if err != nil {
		return err
	}
	body, given := x.param("message[body]")
	if !given {
		return errMissing
	}
	message, err := x.server.chat.EditMessage(x.r.Context(), *x.viewer, room, id, body)
	if err != nil {
		return err
	}
	if f, _ := pick(x.wants, formatHTML, formatJSON); f == formatJSON {
		return x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error { return x.messageJSON(in, http.StatusOK, message) })
	}
	return x.redirect(messagePath(message))
}

func (x *exchange) roomAndMessage() (chat.RoomID, chat.MessageID, error) {
	room, err := x.pathRoom("room_id")
	if err != nil {
		return 0, 0, err
	}
	message, err := x.pathMessage("id")
	return room, message, err
}

func messagePath(m *chat.Message) string {
	return roomPath(m.RoomID) + "/messages/" + strconv.FormatInt(int64(m.ID), 10)
}

func (x *exchange) deleteMessage() error {
	room, id, err := x.roomAndMessage()
	if err != nil {
		return err
	}
	var message *chat.Message
	err = x.server.chat.Read(x.r.Context(), func(in *chat.Reader) (err error) {
		message, err = x.message(in, "id")
		return err
	})
	if err != nil {
		return err
	}
	if err := x.server.chat.DeleteMessage(x.r.Context(), *x.viewer, room, id); err != nil {
		return err
	}
	if _, ok := pick(x.wants, formatTurboStream); !ok {
		return errNotAcceptable // the message is gone
	}
	return x.append(http.StatusOK, typeTurboStream, func(dst []byte) []byte {
		return view.AppendMessageDeleted(dst, message.ClientID)
	})
}
