package chat

import "context"

// Announcer hears of what happened, after the commits and in their order. Announce
// is called by one goroutine at a time, with a context that is not cancelled, and
// whoever asked for the write waits for it; it must not write.
type Announcer interface {
	Announce(ctx context.Context, e Event)
}

// Event is one of the types below.
type Event interface{ event() }

type (
	// MessagePosted: Members are all who are in the room, the author too.
	MessagePosted struct {
		Message *Message
		Room    Room
		Members []UserID
		People  map[UserID]Author // whom the body mentions
	}
	// MessageEdited: the message as it is now. Members are all who are in the room.
	MessageEdited struct {
		Message *Message
		Room    Room
		Members []UserID
		People  map[UserID]Author
	}
	// MessageDeleted: the message as it was. Members are all who are in the room.
	MessageDeleted struct {
		Message *Message
		Room    Room
		Members []UserID
	}
	// BoostAdded: Message is as it is now. Members are all who are in the room.
	BoostAdded struct {
		Boost   Boost
		Message *Message
		Room    Room
		Members []UserID
	}
	// BoostRemoved: Message is as it is now. Members are all who are in the room.
	BoostRemoved struct {
		Boost   Boost
		Message *Message
		Room    Room
		Members []UserID
	}
	// RoomCreated: an open or closed room.
	RoomCreated struct {
		Room    Room
		Members []UserID
	}
	// RoomUpdated: an open or closed room; Members are who is in it now. Each of
	// Removed gets an AccessRevoked of its own.
	RoomUpdated struct {
		Room    Room
		Was     RoomType
		Members []UserID
		Removed []UserID
	}
	// RoomDeleted: Members are who was in it.
	RoomDeleted struct {
		Room    Room
		Members []UserID
	}
	// DirectOpened: somebody asked for a direct room, which may be an old one.
	DirectOpened struct {
		Room    Room
		Members []Author
	}
	// InvolvementChanged: somebody wants to hear more or less of a room.
	InvolvementChanged struct {
		Room     Room
		User     UserID
		From, To Involvement
	}
	// RoomRead: somebody has seen all of a room.
	RoomRead struct {
		User UserID
		Room RoomID
	}
	// AccessRevoked: somebody lost a room or ended a session (Reconnect), or lost
	// everything (not). Their sockets must be closed.
	AccessRevoked struct {
		User      UserID
		Reconnect bool
	}
)

func (MessagePosted) event()      {}
func (MessageEdited) event()      {}
func (MessageDeleted) event()     {}
func (BoostAdded) event()         {}
func (BoostRemoved) event()       {}
func (RoomCreated) event()        {}
func (RoomUpdated) event()        {}
func (RoomDeleted) event()        {}
func (DirectOpened) event()       {}
func (InvolvementChanged) event() {}
func (RoomRead) event()           {}
func (AccessRevoked) event()      {}
