package web

import (
	"context"
	"encoding/json"

	"hearth/internal/cable"
	"hearth/internal/chat"
)

// heartbeat tells a page that the server hears it, and nothing else.
type heartbeat struct{}

func (heartbeat) Subscribed(context.Context, *cable.Subscription) error { return nil }

func (heartbeat) Received(context.Context, *cable.Subscription, string, json.RawMessage) error {
	return cable.ErrUnknownAction
}

func (heartbeat) Unsubscribed(context.Context, *cable.Subscription) {}

// personal is a stream of one's own: which rooms were read, or have news.
type personal struct {
	stream func(chat.UserID) string
}

func (p personal) Subscribed(_ context.Context, s *cable.Subscription) error {
	s.StreamFrom(p.stream(subscriber(s)))
	return nil
}

func (personal) Received(context.Context, *cable.Subscription, string, json.RawMessage) error {
	return cable.ErrUnknownAction
}

func (personal) Unsubscribed(context.Context, *cable.Subscription) {}

// subscriber is who a subscription belongs to.
func subscriber(s *cable.Subscription) chat.UserID { return chat.UserID(s.User()) }
