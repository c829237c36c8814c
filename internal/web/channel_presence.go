package web

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"hearth/internal/cable"
	"hearth/internal/chat"
)

// presence counts the pages that show a room. Nothing is broadcast to it: what it
// causes goes to the person's other pages through ReadRoomsChannel.
type presence struct {
	chat *chat.Chat
	log  *slog.Logger
	room chat.RoomID
	here bool // this page is in the count; one page counts once, whatever it says
}

// Subscribed is the first sign that the page shows the room. It isn't cancelled with
// the socket: we have to know whether the page is in the count.
func (p *presence) Subscribed(ctx context.Context, s *cable.Subscription) error {
	err := p.chat.Present(context.WithoutCancel(ctx), subscriber(s), p.room)
	p.here = err == nil
	return rejectMissing(err)
}

func (p *presence) Received(ctx context.Context, s *cable.Subscription, action string, _ json.RawMessage) error {
	ctx = context.WithoutCancel(ctx)
	switch action {
	case "present":
		return p.present(ctx, subscriber(s))
	case "absent":
		return p.absent(ctx, subscriber(s))
	case "refresh":
		if !p.here {
			return nil
		}
		return p.chat.RefreshPresence(ctx, subscriber(s), p.room)
	default:
		return cable.ErrUnknownAction
	}
}

// present notes the room as read again, even if the page has been here all the time;
// then the page counts twice for a moment rather than not at all.
func (p *presence) present(ctx context.Context, user chat.UserID) error {
	if err := p.chat.Present(ctx, user, p.room); err != nil {
		return err
	}
	if p.here {
		return p.chat.Absent(ctx, user, p.room)
	}
	p.here = true
	return nil
}

func (p *presence) absent(ctx context.Context, user chat.UserID) error {
	if !p.here {
		return nil
	}
	p.here = false
	return p.chat.Absent(ctx, user, p.room)
}

// Unsubscribed may find the membership or the whole room gone; then so is its count.
func (p *presence) Unsubscribed(ctx context.Context, s *cable.Subscription) {
	if err := p.absent(ctx, subscriber(s)); err != nil && !errors.Is(err, chat.ErrNotFound) {
		p.log.Error("note absence", "user", s.User(), "room", p.room, "error", err)
	}
}
