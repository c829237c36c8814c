package web

import (
	"net/http"
	"strconv"
	"strings"

	"hearth/internal/chat"
)

// The bots' interface: their key is part of the path, what they say is the body
// as it comes, whatever its type says.

func (x *exchange) botListMessages(in *chat.Reader) error {
	room, _, err := x.room(in)
	if err != nil {
		return err
	}
	messages, forward, err := x.pageOf(in, room)
	if err != nil {
		return err
	}
	total, err := in.CountMessages(room.ID)
	if err != nil {
		return err
	}
	x.w.Header().Set("X-Total-Count", strconv.Itoa(total))
	if err := x.linkNext(in, room, messages, forward); err != nil {
		return err
	}
	list, err := x.messagesJSON(in, messages)
	if err != nil {
		return err
	}
	return x.json(http.StatusOK, list)
}

// linkNext tells where the next page is, when there is one.
func (x *exchange) linkNext(in *chat.Reader, room chat.Room, messages []*chat.Message, forward bool) error {
	if len(messages) == 0 {
		return nil
	}
	name, edge, load := "before", messages[0].ID, in.PageBefore
	if forward {
		name, edge, load = "after", messages[len(messages)-1].ID, in.PageAfter
	}
	more, err := load(room, edge)
	if err != nil || len(more) == 0 {
		return err
	}
	address := x.baseURL() + x.r.URL.EscapedPath() + "?" + name + "=" + strconv.FormatInt(int64(edge), 10)
	x.w.Header().Set("Link", "<"+address+`>; rel="next"`)
	return nil
}

// botBody is what a bot says. A file is not yet taken; with one, the rest of
// the body counts for nothing.
func (x *exchange) botBody() (string, bool) {
	if !x.rawBody() {
		return "", false
	}
	text := strings.ToValidUTF8(string(x.raw), "\uFFFD")
	return text, strings.TrimSpace(text) != ""
}

func (x *exchange) botCreateMessage() error {
	room, err := x.pathRoom("room_id")
	if err != nil {
		return err
	}
	body, said := x.botBody()
	if !said {
		return x.botRefuse(room)
	}
	message, err := x.server.chat.PostMessage(x.r.Context(), *x.viewer, chat.Draft{Room: room, Body: body})
	if err != nil {
		return err
	}
	x.w.Header().Set("Location", x.baseURL()+"/messages/"+strconv.FormatInt(int64(message.ID), 10))
	return x.head(http.StatusCreated)
}

// botRefuse answers a body without words: 404 in a room that isn't the bot's,
// else 422.
func (x *exchange) botRefuse(room chat.RoomID) error {
	err := x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error {
		_, _, err := in.Room(room, x.viewer.ID)
		return err
	})
	if err != nil {
		return err
	}
	return x.head(http.StatusUnprocessableEntity)
}

func (x *exchange) botUpdateMessage() error {
	room, id, err := x.roomAndMessage()
	if err != nil {
		return err
	}
	body, said := x.botBody()
	if !said {
		return x.botRefuse(room)
	}
	message, err := x.server.chat.EditMessage(x.r.Context(), *x.viewer, room, id, body)
	if err != nil {
		return err
	}
	return x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error {
		return x.messageJSON(in, http.StatusOK, message)
	})
}

func (x *exchange) botDeleteMessage() error {
	room, id, err := x.roomAndMessage()
	if err != nil {
		return err
	}
	if err := x.server.chat.DeleteMessage(x.r.Context(), *x.viewer, room, id); err != nil {
		return err
	}
	return x.head(http.StatusNoContent)
}

// botMessage is the message of the path; it must be in the room of the path.
func (x *exchange) botMessage() (message *chat.Message, err error) {
	err = x.server.chat.Read(x.r.Context(), func(in *chat.Reader) (err error) {
		message, err = x.message(in, "message_id")
		return err
	})
	return message, err
}

func (x *exchange) botCreateBoost() error {
	message, err := x.botMessage()
	if err != nil {
		return err
	}
	content, said := x.botBody()
	if !said {
		return x.head(http.StatusUnprocessableEntity)
	}
	boost, err := x.server.chat.Boost(x.r.Context(), *x.viewer, message.ID, content)
	if err != nil {
		return err
	}
	return x.json(http.StatusCreated, boostJSON{
		ID: int64(boost.ID), Content: boost.Content, CreatedAt: boost.CreatedAt.UTC().Format(timeJSON),
		Booster: x.userJSON(boost.Booster),
		Message: idJSON{ID: int64(message.ID), URL: x.baseURL() + messagePath(message)},
	})
}

func (x *exchange) botDeleteBoost() error {
	message, err := x.botMessage()
	if err != nil {
		return err
	}
	id, err := x.pathID("id")
	if err != nil {
		return err
	}
	if err := x.server.chat.DeleteBoost(x.r.Context(), *x.viewer, message.ID, chat.BoostID(id)); err != nil {
		return err
	}
	return x.head(http.StatusNoContent)
}
