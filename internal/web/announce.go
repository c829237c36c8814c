package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"hearth/internal/cable"
	"hearth/internal/chat"
	"hearth/internal/view"
)

// Announcer tells open pages what happened: it renders an event once, and broadcasts
// it to those who may know. The chat needs an Announcer, the hub needs the chat, and
// the Announcer needs the hub; Connect closes the circle.
type Announcer struct {
	site *view.Site
	hub  atomic.Pointer[cable.Hub]
}

var _ chat.Announcer = (*Announcer)(nil)

// NewAnnouncer returns one that tells nobody until Connect is called.
func NewAnnouncer(site *view.Site) *Announcer { return &Announcer{site: site} }

// Connect gives the hub whose sockets are told. Call it before anything is written.
func (a *Announcer) Connect(hub *cable.Hub) { a.hub.Store(hub) }

// Announce tells those who may know about e. It doesn't wait for them.
func (a *Announcer) Announce(_ context.Context, e chat.Event) {
	hub := a.hub.Load()
	if hub == nil {
		return
	}
	t := telling{site: a.site, hub: hub}
	switch e := e.(type) {
	case chat.MessagePosted:
		t.messagePosted(e)
	case chat.MessageEdited:
		frame := a.site.AppendMessageEdited(nil, e.Message, a.site.People(e.People))
		t.room(&e.Room, e.Members, frame)
	case chat.MessageDeleted:
		t.room(&e.Room, e.Members, view.AppendMessageDeleted(nil, e.Message.ClientID))
	case chat.BoostAdded:
		t.room(&e.Room, e.Members, a.site.AppendBoostAdded(nil, e.Message, &e.Boost))
	case chat.BoostRemoved:
		t.room(&e.Room, e.Members, view.AppendBoostRemoved(nil, e.Boost.ID))
	case chat.RoomCreated:
		t.sidebars(&e.Room, e.Members, a.site.AppendRoomCreated(nil, &chat.SidebarRoom{Room: e.Room}))
	case chat.RoomUpdated:
		t.roomUpdated(e)
	case chat.RoomDeleted:
		// Also to who lost the room in another way and still has it in the sidebar.
		hub.Broadcast(sharedRooms, jsonString(view.AppendRoomDeleted(nil, &e.Room)))
	case chat.DirectOpened:
		t.directOpened(e)
	case chat.InvolvementChanged:
		t.involvementChanged(e)
	case chat.RoomRead:
		hub.Broadcast(readsStream(e.User), fmt.Appendf(nil, `{"room_id":%d}`, e.Room))
	case chat.AccessRevoked:
		hub.DisconnectUser(int64(e.User), e.Reconnect)
	default:
		panic(fmt.Sprintf("web: nobody told me how to announce a %T", e))
	}
}

// telling is the announcement of one event.
type telling struct {
	site *view.Site
	hub  *cable.Hub
}

// messagePosted shows the message to its room, and marks the room as unread with
// everybody else who is in it, whatever they want to hear of it.
func (t telling) messagePosted(e chat.MessagePosted) {
	people := t.site.People(e.People)
	for _, as := range typesInPages(e.Room.Type) {
		stream := messagesStream(e.Room.ID, as)
		if as != e.Room.Type && !t.hub.Listening(stream) {
			continue
		}
		// The page knows its list by the type that the room had then.
		shown := *e.Message
		shown.RoomType = as
		frame := t.site.AppendMessagePosted(nil, &shown, people)
		t.hub.BroadcastTo(stream, userIDs(e.Members), jsonString(frame))
	}
	unread := fmt.Appendf(nil, `{"roomId":%d}`, e.Room.ID)
	for _, member := range e.Members {
		if member != e.Message.Author.ID {
			t.hub.Broadcast(unreadsStream(member), unread)
		}
	}
}

// room sends a frame to the pages of a room, as far as their readers are in it now.
func (t telling) room(room *chat.Room, members []chat.UserID, frame []byte) {
	message := jsonString(frame)
	for _, as := range typesInPages(room.Type) {
		t.hub.BroadcastTo(messagesStream(room.ID, as), userIDs(members), message)
	}
}

// typesInPages returns the types under which open pages may know a room: a room that
// was converted while they were open keeps its old one there.
func typesInPages(t chat.RoomType) []chat.RoomType {
	switch t {
	case chat.Open:
		return []chat.RoomType{chat.Open, chat.Closed}
	case chat.Closed:
		return []chat.RoomType{chat.Closed, chat.Open}
	default:
		return []chat.RoomType{t}
	}
}

// sidebars sends a frame to the sidebars of a room's members: an open room's through
// the stream that everybody hears.
func (t telling) sidebars(room *chat.Room, members []chat.UserID, frame []byte) {
	message := jsonString(frame)
	if room.Type == chat.Open {
		t.hub.BroadcastTo(sharedRooms, userIDs(members), message)
		return
	}
	for _, member := range members {
		t.hub.Broadcast(sidebarStream(member), message)
	}
}

// roomUpdated replaces the room's row. After a conversion, sidebars that were loaded
// before it know the row by another id; who was put out loses the row.
func (t telling) roomUpdated(e chat.RoomUpdated) {
	row := &chat.SidebarRoom{Room: e.Room}
	t.sidebars(&e.Room, e.Members, t.site.AppendRoomUpdated(nil, row, e.Room.Type))
	was := e.Room
	was.Type = e.Was
	if e.Was != e.Room.Type {
		t.sidebars(&e.Room, e.Members, t.site.AppendRoomUpdated(nil, row, e.Was))
	}
	removal := jsonString(view.AppendRoomDeleted(nil, &was))
	for _, user := range e.Removed {
		t.hub.Broadcast(sidebarStream(user), removal)
	}
}

// directOpened shows the ping first in each member's sidebar, as that member sees it.
func (t telling) directOpened(e chat.DirectOpened) {
	for i := range e.Members {
		member := e.Members[i].ID
		row := &chat.SidebarDirect{Room: e.Room, Members: chat.Others(e.Members, member)}
		t.hub.Broadcast(sidebarStream(member), jsonString(t.site.AppendDirectOpened(nil, row)))
	}
}

// involvementChanged hides the room in its person's sidebar, or shows it again. Direct
// rooms stay where they are.
func (t telling) involvementChanged(e chat.InvolvementChanged) {
	var frame []byte
	switch {
	case e.Room.Direct() || e.From == e.To:
		return
	case e.To == chat.Invisible:
		frame = view.AppendRoomDeleted(nil, &e.Room)
	case e.From == chat.Invisible:
		frame = t.site.AppendRoomCreated(nil, &chat.SidebarRoom{Room: e.Room})
	default:
		return
	}
	t.hub.Broadcast(sidebarStream(e.User), jsonString(frame))
}

// jsonString returns HTML as a JSON string, for all sockets at once.
func jsonString(html []byte) []byte {
	return appendJSON(make([]byte, 0, len(html)+len(html)/8), string(html))
}

// appendJSON appends a value as JSON, leaving < and > as they are.
func appendJSON(dst []byte, value any) []byte {
	buffer := bytes.NewBuffer(dst)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("web: " + err.Error()) // strings and numbers always encode
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}

func userIDs(users []chat.UserID) []int64 {
	ids := make([]int64, len(users))
	for i, user := range users {
		ids[i] = int64(user)
	}
	return ids
}
