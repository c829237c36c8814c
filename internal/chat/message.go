package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"hearth/internal/richtext"
	"hearth/sqlite"
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
func (m *Message) Kind() Kind {
	if m.Attachment != nil {
		return Attachment
	}
	if strings.Contains(m.Body, "/play ") {
		if _, ok := richtext.Sound(plainText(m.Body, nil)); ok {
			return Sound
		}
	}
	return Text
}

// PlainText returns m as text, with the names that people have now: what search
// finds and the bots' interface shows. Mentioned returns the people.
func (m *Message) PlainText(people map[UserID]Author) string {
	text := plainText(m.Body, people)
	if strings.TrimSpace(text) == "" && m.Attachment != nil {
		return m.Attachment.Filename
	}
	return text
}

// messageColumns is what batch.add reads, of messages called m with messageJoins.
const (
	messageColumns = `m.id, m.client_message_id, m.creator_id, m.created_at, m.updated_at, t.id, t.body,
	u.id, u.name, u.bio, u.role, u.status, u.updated_at`
	messageJoins = ` LEFT JOIN action_text_rich_texts t ON t.record_type = 'Message' AND t.record_id = m.id AND t.name = 'body'
	LEFT JOIN users u ON u.id = m.creator_id`
	messageColumnCount = 13
)

// batch gathers messages and then, for all of them at once, what belongs to them.
type batch struct {
	size     int // how many messages are expected
	texts    texts
	messages []Message
	ids      []int64           // of messages
	people   map[UserID]Author // authors and boosters so far, the missing too
}

func newBatch(size int) *batch { return &batch{size: size} }

// grow makes room for all messages when the first comes: many pages are empty.
func (b *batch) grow() {
	b.texts.buf = make([]byte, 0, 256*b.size)
	b.messages = make([]Message, 0, b.size)
	b.ids = make([]int64, 0, b.size)
	b.people = make(map[UserID]Author, min(b.size, 16))
}

// add reads a row of messageColumns.
func (b *batch) add(row sqlite.Row, room *Room) error {
	if b.people == nil {
		b.grow()
	}
	m := Message{
		ID:       MessageID(row.Int(0)),
		ClientID: b.texts.copy(row, 1),
		RoomID:   room.ID,
		RoomType: room.Type,
		RoomName: room.Name,
		HasBody:  !row.Null(5),
		Body:     b.texts.copy(row, 6),
	}
	var err error
	if m.CreatedAt, err = b.texts.time(row, 3); err != nil {
		return fmt.Errorf("message %d: %w", m.ID, err)
	}
	if m.UpdatedAt, err = b.texts.time(row, 4); err != nil {
		return fmt.Errorf("message %d: %w", m.ID, err)
	}
	if m.Author, err = b.author(row, UserID(row.Int(2))); err != nil {
		return fmt.Errorf("message %d: %w", m.ID, err)
	}
	b.append(m)
	return nil
}

func (b *batch) append(m Message) {
	b.messages = append(b.messages, m)
	b.ids = append(b.ids, int64(m.ID))
}

// message returns the message that has an id.
func (b *batch) message(id int64) *Message { return &b.messages[slices.Index(b.ids, id)] }

// author reads the author's columns the first time that somebody is met.
func (b *batch) author(row sqlite.Row, id UserID) (Author, error) {
	if a, known := b.people[id]; known {
		return a, nil
	}
	a := Author{ID: id, Missing: true}
	var err error
	if !row.Null(7) {
		a, err = scanAuthor(&b.texts, row, 7)
	}
	b.people[id] = a
	return a, err
}

// finish loads what belongs to the messages, and returns them in the order they
// were added.
func (b *batch) finish(r *Reader) ([]*Message, error) {
	if len(b.messages) == 0 {
		return nil, nil
	}
	if err := b.loadAttachments(r); err != nil {
		return nil, err
	}
	if err := b.loadBoosts(r); err != nil {
		return nil, err
	}
	if err := b.loadBoosters(r); err != nil {
		return nil, err
	}
	messages := make([]*Message, len(b.messages))
	for i := range b.messages {
		messages[i] = &b.messages[i]
	}
	return messages, nil
}

// Few messages have a file or boosts, and few others lie between those of a page: a
// walk along an index from the lowest id to the highest tells which have
// any in less time than a look for each. The + 0 is as in inQuery.
const (
	attachedSQL = `SELECT record_id FROM active_storage_attachments
	WHERE record_type = 'Message' AND record_id BETWEEN ?1 + 0 AND ?2 + 0 AND name = 'attachment' LIMIT ?3`
	boostedSQL = `SELECT message_id FROM boosts WHERE message_id BETWEEN ?1 + 0 AND ?2 + 0 LIMIT ?3`

	walkMax = 64 // rows; more belong to others' messages, between those of the page
)

// having returns the ids of the messages that a walk finds; when it is long, all ids.
func (b *batch) having(r *Reader, walk string) ([]int64, error) {
	var found []int64
	rows := 0
	err := r.q.Query(walk, func(row sqlite.Row) error {
		rows++
		if id := row.Int(0); slices.Contains(b.ids, id) && !slices.Contains(found, id) {
			found = append(found, id)
		}
		return nil
	}, slices.Min(b.ids), slices.Max(b.ids), walkMax)
	if rows == walkMax {
		return b.ids, err
	}
	return found, err
}

var blobsByMessage = newInQuery(`SELECT a.record_id, b.id, b.key, b.filename, b.content_type, b.byte_size, b.checksum, b.metadata
	FROM active_storage_attachments a JOIN active_storage_blobs b ON b.id = a.blob_id
	WHERE a.record_type = 'Message' AND a.name = 'attachment' AND a.record_id IN `, ` ORDER BY a.record_id, a.blob_id`)

// loadAttachments gives each message its file; of several, which somebody must
// have added to the database by hand, the first.
func (b *batch) loadAttachments(r *Reader) error {
	ids, err := b.having(r, attachedSQL)
	if err == nil {
		err = blobsByMessage.query(r.q, ids, func(row sqlite.Row) error {
			if m := b.message(row.Int(0)); m.Attachment == nil {
				m.Attachment = scanBlob(&b.texts, row, 1)
			}
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("load attachments: %w", err)
	}
	return nil
}

func scanBlob(t *texts, row sqlite.Row, first int) *Blob {
	blob := &Blob{
		ID:          BlobID(row.Int(first)),
		Key:         t.copy(row, first+1),
		Filename:    t.copy(row, first+2),
		ContentType: t.copy(row, first+3),
		ByteSize:    row.Int(first + 4),
		Checksum:    t.copy(row, first+5),
	}
	var size struct{ Width, Height float64 } // of videos they are not integers
	if json.Unmarshal(row.Bytes(first+6), &size) == nil {
		blob.Width, blob.Height = int(size.Width), int(size.Height)
	}
	return blob
}

var boostsByMessage = newInQuery(`SELECT id, message_id, booster_id, content, created_at FROM boosts WHERE message_id IN `, ` ORDER BY created_at, id`)

func (b *batch) loadBoosts(r *Reader) error {
	ids, err := b.having(r, boostedSQL)
	if err == nil {
		err = boostsByMessage.query(r.q, ids, b.addBoost)
	}
	if err != nil {
		return fmt.Errorf("load boosts: %w", err)
	}
	return nil
}

func (b *batch) addBoost(row sqlite.Row) error {
	boost := Boost{
		ID:        BoostID(row.Int(0)),
		MessageID: MessageID(row.Int(1)),
		Booster:   Author{ID: UserID(row.Int(2)), Missing: true},
		Content:   b.texts.copy(row, 3),
	}
	var err error
	if boost.CreatedAt, err = b.texts.time(row, 4); err != nil {
		return fmt.Errorf("boost %d: %w", boost.ID, err)
	}
	m := b.message(row.Int(1))
	m.Boosts = append(m.Boosts, boost)
	return nil
}

// loadBoosters fills in who boosted; who is gone stays Missing.
func (b *batch) loadBoosters(r *Reader) error {
	var ids []int64
	for i := range b.messages {
		for j := range b.messages[i].Boosts {
			a := b.messages[i].Boosts[j].Booster
			if _, known := b.people[a.ID]; !known {
				b.people[a.ID] = a
				ids = append(ids, int64(a.ID))
			}
		}
	}
	if err := r.loadPeople(&b.texts, b.people, ids); err != nil {
		return err
	}
	for i := range b.messages {
		for j := range b.messages[i].Boosts {
			a := &b.messages[i].Boosts[j].Booster
			*a = b.people[a.ID]
		}
	}
	return nil
}

// Message returns a message of a room.
func (r *Reader) Message(room RoomID, id MessageID) (*Message, error) {
	m, err := r.oneMessage(` WHERE m.id = ?1 AND m.room_id = ?2`, id, room)
	if err != nil {
		return nil, fmt.Errorf("load message %d of room %d: %w", id, room, err)
	}
	return m, nil
}

// ReachableMessage returns a message of any room that viewer is in.
func (r *Reader) ReachableMessage(viewer UserID, id MessageID) (*Message, error) {
	m, err := r.oneMessage(` WHERE m.id = ?1 AND EXISTS (SELECT 1 FROM memberships WHERE room_id = m.room_id AND user_id = ?2)`, id, viewer)
	if err != nil {
		return nil, fmt.Errorf("load message %d: %w", id, err)
	}
	return m, nil
}

func (r *Reader) oneMessage(where string, args ...any) (*Message, error) {
	b := newBatch(1)
	found, err := r.q.One(`SELECT `+messageColumns+`, m.room_id, r.name, r.type FROM messages m JOIN rooms r ON r.id = m.room_id`+messageJoins+where,
		func(row sqlite.Row) error { return b.addAnywhere(row) }, args...)
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	messages, err := b.finish(r)
	if err != nil {
		return nil, err
	}
	return messages[0], nil
}

// addAnywhere reads a row of messageColumns followed by id, name and type of the
// message's room.
func (b *batch) addAnywhere(row sqlite.Row) error {
	if b.people == nil {
		b.grow()
	}
	return b.add(row, &Room{
		ID:   RoomID(row.Int(messageColumnCount)),
		Name: b.texts.copy(row, messageColumnCount+1),
		Type: RoomType(b.texts.copy(row, messageColumnCount+2)),
	})
}
