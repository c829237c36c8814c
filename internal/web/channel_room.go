package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"hearth/internal/cable"
	"hearth/internal/chat"
)

// requireMember returns the room if user is in it now; else an error that rejects.
func requireMember(ctx context.Context, c *chat.Chat, room chat.RoomID, user chat.UserID) (chat.Room, error) {
	var found chat.Room
	err := c.Read(ctx, func(r *chat.Reader) (err error) {
		found, _, err = r.Room(room, user)
		return err
	})
	return found, rejectMissing(err)
}

// rejectMissing rejects whoever asks for what is missing or hidden from them. Other
// errors are the server's, and the client asks again.
func rejectMissing(err error) error {
	if errors.Is(err, chat.ErrNotFound) {
		return fmt.Errorf("%w: %w", cable.ErrReject, err)
	}
	return err
}

// roomChannel only follows a room. Nothing is said there; clients may name it.
type roomChannel struct {
	chat *chat.Chat
	room chat.RoomID
}

func (c *roomChannel) Subscribed(ctx context.Context, s *cable.Subscription) error {
	s.StreamFrom("room:" + strconv.FormatInt(int64(c.room), 10))
	_, err := requireMember(ctx, c.chat, c.room, subscriber(s))
	return err
}

func (*roomChannel) Received(context.Context, *cable.Subscription, string, json.RawMessage) error {
	return cable.ErrUnknownAction
}

func (*roomChannel) Unsubscribed(context.Context, *cable.Subscription) {}
