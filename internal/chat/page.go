package chat

import "time"

// PageSize is how many messages a page has.
const PageSize = 40

// LastPage returns the newest messages of a room. This and all pages are
// ascending by time, and by id where times are the same.
func (r *Reader) LastPage(room Room) ([]*Message, error) { return nil, errLater }

// PageBefore returns the messages before one; ErrNotFound when the room has no
// such message.
func (r *Reader) PageBefore(room Room, id MessageID) ([]*Message, error) { return nil, errLater }

// PageAfter returns the messages after one; ErrNotFound when the room has no such
// message.
func (r *Reader) PageAfter(room Room, id MessageID) ([]*Message, error) { return nil, errLater }

// PageAround returns a message with a page before and a page after it;
// ErrNotFound when the room has no such message.
func (r *Reader) PageAround(room Room, id MessageID) ([]*Message, error) { return nil, errLater }

// Changes is what happened in a room since some moment.
type Changes struct {
	Created  []*Message  // the oldest PageSize of them, ascending
	Updated  []*Message  // the newest PageSize of the others that changed, ascending
	Vanished []MessageID // those of the asked-for ids that the room has no more
}

// Refresh returns what happened in a room after since, and which of the messages
// that a page shows are gone.
func (r *Reader) Refresh(room Room, since time.Time, shown []MessageID) (Changes, error) {
	return Changes{}, errLater
}
