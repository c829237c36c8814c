package chat

import (
	"context"
	"time"
)

// Kind is what a message shows.
type Kind int

const (
	Text Kind = iota
	Sound
	Attachment
)

// Blob is a stored file.
type Blob struct {
	ID          BlobID
	Key         string // names the file in the storage folder
	Filename    string // as the client called it
	ContentType string
	ByteSize    int64
	Checksum    string // standard base64 of the MD5; may be empty
	Width       int    // in pixels; 0: unknown
	Height      int
}

// Message is something said in a room.
type Message struct {
	ID         MessageID
	ClientID   string // chosen by the client; names the message in pages
	RoomID     RoomID
	RoomType   RoomType
	RoomName   string // empty for direct rooms
	Author     Author
	Body       string // canonical HTML as stored; not safe to show
	HasBody    bool   // a body is stored, maybe an empty one
	Attachment *Blob
	Boosts     []Boost // oldest first
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// DOMID returns the id of an element about m, such as
// "presentation_message_<client id>".
func (m *Message) DOMID(prefix string) string {
	if prefix == "" {
		return "message_" + m.ClientID
	}
	return prefix + "_message_" + m.ClientID
}

// Kind returns what m shows.
func (m *Message) Kind() Kind { return Text }

// Message returns a message of a room.
func (r *Reader) Message(room RoomID, id MessageID) (*Message, error) { return nil, errLater }

// ReachableMessage returns a message of any room that viewer is in.
func (r *Reader) ReachableMessage(viewer UserID, id MessageID) (*Message, error) {
	return nil, errLater
}

// Draft is a message to post. The body is HTML as a client wrote it; it is made
// canonical, not safe: rendering does that.
type Draft struct {
	Room     RoomID
	ClientID string // empty: a random one
	Body     string
}

// PostMessage posts a message. ErrNotFound when there is no such room or by is not
// in it any more.
func (c *Chat) PostMessage(ctx context.Context, by User, d Draft) (*Message, error) {
	return nil, errLater
}

// EditMessage replaces the body of a message. ErrNotFound when by is not in its
// room, ErrForbidden when by may not administer it.
func (c *Chat) EditMessage(ctx context.Context, by User, room RoomID, id MessageID, body string) (*Message, error) {
	return nil, errLater
}

// DeleteMessage deletes a message with its boosts and its file. Errors as for
// EditMessage.
func (c *Chat) DeleteMessage(ctx context.Context, by User, room RoomID, id MessageID) error {
	return errLater
}
