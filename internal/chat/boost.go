package chat

import (
	"context"
	"time"
)

// Boost is a short cheer for a message.
type Boost struct {
	ID        BoostID
	MessageID MessageID
	Booster   Author
	Content   string
	CreatedAt time.Time
}

// Boosts returns the boosts of a message, oldest first.
func (r *Reader) Boosts(message MessageID) ([]Boost, error) { return nil, errLater }

// Boost cheers a message. ErrNotFound when by is not in its room.
func (c *Chat) Boost(ctx context.Context, by User, message MessageID, content string) (Boost, error) {
	return Boost{}, errLater
}

// DeleteBoost takes back a boost. ErrNotFound unless it is by's own, of that
// message, and by is in the message's room.
func (c *Chat) DeleteBoost(ctx context.Context, by User, message MessageID, id BoostID) error {
	return errLater
}
