package chat

import (
	"context"
	"fmt"
	"slices"
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
func (r *Reader) Boosts(message MessageID) ([]Boost, error) {
	b := newBatch(1)
	b.grow()
	b.append(Message{ID: message})
	messages, err := b.finish(r)
	if err != nil {
		return nil, fmt.Errorf("load boosts of message %d: %w", message, err)
	}
	return messages[0].Boosts, nil
}

// Boost cheers a message. ErrNotFound when by is not in its room, ErrInvalid when
// content is too long.
func (c *Chat) Boost(ctx context.Context, by User, message MessageID, content string) (Boost, error) {
	if err := checkLabel("a boost", content); err != nil {
		return Boost{}, fmt.Errorf("boost message %d: %w", message, err)
	}
	var boost Boost
	err := c.write(ctx, func(w *writer) error {
		m, room, booster, err := w.reached(by.ID, message)
		if err != nil {
			return err
		}
		boost = Boost{MessageID: message, Booster: booster, Content: content, CreatedAt: w.at}
		err = w.exec(`INSERT INTO boosts (message_id, booster_id, content, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)`,
			message, by.ID, content, w.now)
		if err != nil {
			return err
		}
		boost.ID = BoostID(w.tx.LastInsertID())
		m.Boosts = append(m.Boosts, boost)
		if err := w.touch(m, &room); err != nil {
			return err
		}
		members, err := w.MemberIDs(room.ID)
		w.announce(BoostAdded{Boost: boost, Message: m, Room: room, Members: members})
		return err
	})
	if err != nil {
		return Boost{}, fmt.Errorf("boost message %d: %w", message, err)
	}
	return boost, nil
}

// reached returns a message, its room, and the active member who reaches for it.
func (r *Reader) reached(by UserID, message MessageID) (*Message, Room, Author, error) {
	m, err := r.ReachableMessage(by, message)
	if err != nil {
		return nil, Room{}, Author{}, err
	}
	room, author, err := r.speaker(m.RoomID, by)
	return m, room, author, err
}

// DeleteBoost takes back a boost. ErrNotFound unless it is by's own, of that
// message, and by is in the message's room.
func (c *Chat) DeleteBoost(ctx context.Context, by User, message MessageID, id BoostID) error {
	err := c.write(ctx, func(w *writer) error {
		m, room, _, err := w.reached(by.ID, message)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(m.Boosts, func(b Boost) bool { return b.ID == id && b.Booster.ID == by.ID })
		if i < 0 {
			return ErrNotFound
		}
		boost := m.Boosts[i]
		if err := w.exec(`DELETE FROM boosts WHERE id = ?1`, id); err != nil {
			return err
		}
		m.Boosts = slices.Delete(m.Boosts, i, i+1)
		if err := w.touch(m, &room); err != nil {
			return err
		}
		members, err := w.MemberIDs(room.ID)
		w.announce(BoostRemoved{Boost: boost, Message: m, Room: room, Members: members})
		return err
	})
	if err != nil {
		return fmt.Errorf("delete boost %d of message %d: %w", id, message, err)
	}
	return nil
}
