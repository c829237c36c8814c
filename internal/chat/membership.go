package chat

import (
	"context"
	"time"
)

// Involvement is how much of a room somebody wants to hear.
type Involvement string

const (
	Invisible  Involvement = "invisible" // nothing, and not in the sidebar
	Nothing    Involvement = "nothing"
	Mentions   Involvement = "mentions"
	Everything Involvement = "everything"
)

// Valid reports whether i is one of the four.
func (i Involvement) Valid() bool {
	switch i {
	case Invisible, Nothing, Mentions, Everything:
		return true
	}
	return false
}

// Membership is somebody's place in a room.
type Membership struct {
	RoomID      RoomID
	UserID      UserID
	Involvement Involvement
	UnreadAt    time.Time // of the first message that was not read; zero: all read
	ConnectedAt time.Time // zero: not there
	Connections int       // open pages
}

// Unread reports whether there is something new.
func (m *Membership) Unread() bool { return !m.UnreadAt.IsZero() }

// Membership returns the viewer's place in a room; ErrNotFound when there is none.
func (r *Reader) Membership(room RoomID, viewer UserID) (Membership, error) {
	return Membership{}, errLater
}

// MemberIDs returns the ids of who is in a room.
func (r *Reader) MemberIDs(room RoomID) ([]UserID, error) { return nil, errLater }

// SetInvolvement changes how much of a room by wants to hear. ErrInvalid for what
// is not an Involvement.
func (c *Chat) SetInvolvement(ctx context.Context, by User, room RoomID, to Involvement) error {
	return errLater
}

// Present notes that one more page of somebody shows a room; they have read it.
// ErrNotFound when they are not in it any more.
func (c *Chat) Present(ctx context.Context, user UserID, room RoomID) error { return errLater }

// Absent notes that one page less of somebody shows a room.
func (c *Chat) Absent(ctx context.Context, user UserID, room RoomID) error { return errLater }

// RefreshPresence notes that a page of somebody still shows a room. Without it
// they count as away after a minute.
func (c *Chat) RefreshPresence(ctx context.Context, user UserID, room RoomID) error { return errLater }
