package chat

import (
	"fmt"
	"slices"
	"time"

	"hearth/sqlite"
)

// PageSize is how many messages a page has.
const PageSize = 40

// Pages are walks along hearth_messages_by_time. Times are compared as they are
// stored: with 0, 3 or 6 digits of fraction, their texts have the order of time.
//
// Once ANALYZE has run, SQLite plans a statement anew for each value bound to a
// parameter that bounds a range, which costs as much as the page. A parameter in
// an expression it does not look into: ?2 and the empty text, joined, is one.
const (
	newestSQL = `SELECT ` + messageColumns + ` FROM messages m` + messageJoins + `
	WHERE m.room_id = ?1 ORDER BY m.created_at DESC, m.id DESC LIMIT ?2`
	beforeSQL = `SELECT ` + messageColumns + ` FROM messages m` + messageJoins + `
	WHERE m.room_id = ?1 AND (m.created_at, m.id) < (?2 || '', ?3) ORDER BY m.created_at DESC, m.id DESC LIMIT ?4`
	afterSQL = `SELECT ` + messageColumns + ` FROM messages m` + messageJoins + `
	WHERE m.room_id = ?1 AND (m.created_at, m.id) > (?2 || '', ?3) ORDER BY m.created_at, m.id LIMIT ?4`
	momentSQL = `SELECT created_at FROM messages WHERE id = ?1 AND room_id = ?2`
)

// page runs a query for messageColumns in one room.
func (r *Reader) page(room *Room, sql string, args ...any) ([]*Message, error) {
	b := newBatch(PageSize)
	if err := r.q.Query(sql, func(row sqlite.Row) error { return b.add(row, room) }, args...); err != nil {
		return nil, err
	}
	return b.finish(r)
}

// LastPage returns the newest messages of a room. This and all pages are
// ascending by time, and by id where times are the same.
func (r *Reader) LastPage(room Room) ([]*Message, error) {
	page, err := r.page(&room, newestSQL, room.ID, PageSize)
	if err != nil {
		return nil, fmt.Errorf("load last page of room %d: %w", room.ID, err)
	}
	slices.Reverse(page)
	return page, nil
}

// PageBefore returns the messages before one; ErrNotFound when the room has no
// such message.
func (r *Reader) PageBefore(room Room, id MessageID) ([]*Message, error) {
	page, err := r.around(&room, id, true, false)
	if err != nil {
		return nil, fmt.Errorf("load page before message %d of room %d: %w", id, room.ID, err)
	}
	return page, nil
}

// PageAfter returns the messages after one; ErrNotFound when the room has no such
// message.
func (r *Reader) PageAfter(room Room, id MessageID) ([]*Message, error) {
	page, err := r.around(&room, id, false, true)
	if err != nil {
		return nil, fmt.Errorf("load page after message %d of room %d: %w", id, room.ID, err)
	}
	return page, nil
}

// PageAround returns a message with a page before and a page after it;
// ErrNotFound when the room has no such message.
func (r *Reader) PageAround(room Room, id MessageID) ([]*Message, error) {
	page, err := r.around(&room, id, true, true)
	if err != nil {
		return nil, fmt.Errorf("load page around message %d of room %d: %w", id, room.ID, err)
	}
	return page, nil
}

// around returns the pages on the sides of a message, and it too when both are
// asked for.
func (r *Reader) around(room *Room, id MessageID, before, after bool) ([]*Message, error) {
	var moment string // as stored, so that it compares as its row does
	found, err := r.q.One(momentSQL, func(row sqlite.Row) error {
		moment = row.Text(0)
		return nil
	}, id, room.ID)
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	var page []*Message
	if before {
		if page, err = r.page(room, beforeSQL, room.ID, moment, id, PageSize); err != nil {
			return nil, err
		}
		slices.Reverse(page)
	}
	if before && after {
		m, err := r.Message(room.ID, id)
		if err != nil {
			return nil, err
		}
		page = append(page, m)
	}
	if after {
		rest, err := r.page(room, afterSQL, room.ID, moment, id, PageSize)
		if err != nil {
			return nil, err
		}
		page = append(page, rest...)
	}
	return page, nil
}

// Changes is what happened in a room since some moment.
type Changes struct {
	Created  []*Message  // the oldest PageSize of them, ascending
	Updated  []*Message  // the newest PageSize of the others that changed, ascending
	Vanished []MessageID // those of the asked-for ids that the room has no more
}

// refreshMax bounds how many changed messages Refresh looks at: beyond, those
// that changed last count. Without a bound, an edit of a whole room would make
// everybody who comes back read it whole.
const refreshMax = 5000

const (
	createdSinceSQL = `SELECT ` + messageColumns + ` FROM messages m` + messageJoins + `
	WHERE m.room_id = ?1 AND m.created_at > ?2 || '' ORDER BY m.created_at, m.id LIMIT ?3`
	// Sorting by time of change picks hearth_messages_by_change, whatever ANALYZE
	// has told the planner; walking the room by time instead would read all of it
	// to find that nothing has changed. The + keeps it from doing that anyway.
	updatedSinceSQL = `SELECT ` + messageColumns + ` FROM (
		SELECT id, client_message_id, creator_id, created_at, updated_at FROM messages
		WHERE room_id = ?1 AND updated_at > ?2 || '' AND +created_at <= ?2 ORDER BY updated_at DESC LIMIT ?3) m` + messageJoins + `
	ORDER BY m.created_at DESC, m.id DESC LIMIT ?4`
)

// Refresh returns what happened in a room after since, and which of the messages
// that a page shows are gone.
func (r *Reader) Refresh(room Room, since time.Time, shown []MessageID) (Changes, error) {
	var c Changes
	fail := func(err error) (Changes, error) {
		return Changes{}, fmt.Errorf("refresh room %d: %w", room.ID, err)
	}
	moment := rowTime(since)
	var err error
	if c.Created, err = r.page(&room, createdSinceSQL, room.ID, moment, PageSize); err != nil {
		return fail(err)
	}
	if c.Updated, err = r.updatedSince(&room, moment, c.Created); err != nil {
		return fail(err)
	}
	if c.Vanished, err = r.vanished(room.ID, shown); err != nil {
		return fail(err)
	}
	return c, nil
}

// updatedSince returns the newest of the messages that changed after moment and
// are not among created. Those that came after created did not exist at moment
// either; being the newest of all, they are looked at first.
func (r *Reader) updatedSince(room *Room, moment string, created []*Message) ([]*Message, error) {
	var updated []*Message // descending
	if len(created) == PageSize {
		newest, err := r.page(room, newestSQL, room.ID, PageSize)
		if err != nil {
			return nil, err
		}
		last := slices.IndexFunc(newest, func(m *Message) bool { return m.ID == created[PageSize-1].ID })
		if last < 0 {
			last = len(newest)
		}
		updated = newest[:last]
	}
	if left := PageSize - len(updated); left > 0 {
		older, err := r.page(room, updatedSinceSQL, room.ID, moment, refreshMax, left)
		if err != nil {
			return nil, err
		}
		updated = append(updated, older...)
	}
	slices.Reverse(updated)
	return updated, nil
}

// vanished returns those of ids that a room has not.
func (r *Reader) vanished(room RoomID, ids []MessageID) ([]MessageID, error) {
	var gone []MessageID
	for _, id := range ids {
		there, err := exists(r.q, `SELECT 1 FROM messages WHERE id = ?1 AND room_id = ?2`, id, room)
		if err != nil {
			return nil, err
		}
		if !there {
			gone = append(gone, id)
		}
	}
	return gone, nil
}
