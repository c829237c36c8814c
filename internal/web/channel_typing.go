package web

import (
	"context"
	"encoding/json"

	"hearth/internal/cable"
	"hearth/internal/chat"
)

// typing passes on who is writing in a room.
type typing struct {
	chat *chat.Chat
	room chat.RoomID
}

func (t *typing) Subscribed(ctx context.Context, s *cable.Subscription) error {
	s.StreamFrom(typingStream(t.room))
	_, err := requireMember(ctx, t.chat, t.room, subscriber(s))
	return err
}

// Received tells all who are in the room now, the sender too. Somebody who is not in
// it any more, or whose room is gone, tells nobody.
func (t *typing) Received(ctx context.Context, s *cable.Subscription, action string, _ json.RawMessage) error {
	if action != "start" && action != "stop" {
		return cable.ErrUnknownAction
	}
	var members []chat.UserID
	var writer chat.User
	err := t.chat.Read(ctx, func(r *chat.Reader) (err error) {
		if _, _, err = r.Room(t.room, subscriber(s)); err != nil {
			return err
		}
		if writer, err = r.User(subscriber(s)); err != nil {
			return err
		}
		members, err = r.MemberIDs(t.room)
		return err
	})
	if err != nil {
		return err
	}
	s.Hub().BroadcastTo(typingStream(t.room), userIDs(members), typingMessage(action, &writer))
	return nil
}

func typingMessage(action string, writer *chat.User) []byte {
	message := appendJSON([]byte(`{"action":"`+action+`","user":{"id":`), writer.ID)
	message = appendJSON(append(message, `,"name":`...), writer.Name)
	return append(message, "}}"...)
}

func (*typing) Unsubscribed(context.Context, *cable.Subscription) {}
