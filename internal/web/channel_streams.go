package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"hearth/internal/cable"
	"hearth/internal/chat"
)

// roomMessages is what happens in a room, for its members. The signature in a page
// outlives its reader's membership; so the membership is what counts.
type roomMessages struct {
	chat   *chat.Chat
	stream string // as signed; empty: we didn't
}

func (c *roomMessages) Subscribed(ctx context.Context, s *cable.Subscription) error {
	id, t, ok := messagesRoom(c.stream)
	if !ok {
		return fmt.Errorf("%w: %q is no room's stream", cable.ErrReject, c.stream)
	}
	s.StreamFrom(c.stream)
	room, err := requireMember(ctx, c.chat, id, subscriber(s))
	if err != nil {
		return err
	}
	if room.Type != t && (room.Direct() || t == chat.Direct) {
		return fmt.Errorf("%w: room %d never was %s", cable.ErrReject, id, t)
	}
	return nil
}

func (*roomMessages) Received(context.Context, *cable.Subscription, string, json.RawMessage) error {
	return cable.ErrUnknownAction
}

func (*roomMessages) Unsubscribed(context.Context, *cable.Subscription) {}

// turboStreams is everything else that pages carry signed: the sidebar of everybody,
// and one's own. Rooms' messages are not served here, because membership isn't checked.
type turboStreams struct {
	stream string // as signed; empty: we didn't
}

func (c *turboStreams) Subscribed(_ context.Context, s *cable.Subscription) error {
	if c.stream == "" {
		return fmt.Errorf("%w: no signed stream", cable.ErrReject)
	}
	if parts := strings.Split(c.stream, ":"); len(parts) > 1 && parts[1] == "messages" {
		return fmt.Errorf("%w: messages have a channel of their own", cable.ErrReject)
	}
	if owner, ok := sidebarOwner(c.stream); ok && owner != subscriber(s) {
		return fmt.Errorf("%w: the sidebar of user %d", cable.ErrReject, owner)
	}
	s.StreamFrom(c.stream)
	return nil
}

func (*turboStreams) Received(context.Context, *cable.Subscription, string, json.RawMessage) error {
	return cable.ErrUnknownAction
}

func (*turboStreams) Unsubscribed(context.Context, *cable.Subscription) {}
