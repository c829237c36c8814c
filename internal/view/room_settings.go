package view

import (
	"io"

	"hearth/internal/chat"
)

// RoomSettings is the form that makes a room or changes one.
type RoomSettings struct {
	Room       *chat.Room    // nil: a new one
	Type       chat.RoomType // what the form makes of it, Open or Closed
	Name       string        // empty on a new room: "New room"
	Members    []chat.User   // who has access; on a new closed room nobody but the viewer
	Others     []chat.User   // who has not; active ones
	Administer bool          // the viewer may change it; always on a new one
}

type roomSettings struct {
	*RoomSettings
	Viewer *chat.User
}

// NewRoomPage writes the form of a new open or closed room.
func (s *Site) NewRoomPage(w io.Writer, l *Layout, d *RoomSettings) error {
	return s.renderSettings(w, l, d, "New chat room")
}

// EditRoomPage writes the settings of an open or closed room.
func (s *Site) EditRoomPage(w io.Writer, l *Layout, d *RoomSettings) error {
	return s.renderSettings(w, l, d, "Edit settings for "+d.Room.Name)
}

func (s *Site) renderSettings(w io.Writer, l *Layout, d *RoomSettings, title string) error {
	return s.render(w, "room_settings", l, page{Title: title, D: roomSettings{d, l.Viewer}})
}

func (d roomSettings) New() bool  { return d.Room == nil }
func (d roomSettings) Open() bool { return d.Type == chat.Open }

// Action is where the form goes.
func (d roomSettings) Action() string {
	return d.path(d.Type, "", "")
}

// Switch is the page of the same form for the other type.
func (d roomSettings) Switch() string {
	other := chat.Open
	if d.Open() {
		other = chat.Closed
	}
	return d.path(other, "/new", "/edit")
}

func (d roomSettings) path(t chat.RoomType, ifNew, ifOld string) string {
	if d.New() {
		return "/rooms/" + kindPath(t) + ifNew
	}
	return string(append(appendSettingsPath(nil, t, d.Room.ID), ifOld...))
}

// TypedName is the content of the name field.
func (d roomSettings) TypedName() string {
	if d.Name == "" && d.New() {
		return "New room"
	}
	if d.Name == "" {
		return d.Room.Name
	}
	return d.Name
}

// Many reports whether the list of people needs a filter.
func (d roomSettings) Many() bool { return len(d.Members)+len(d.Others) > 20 }

// Creator reports whether u made the room.
func (d roomSettings) Creator(u chat.User) bool {
	if d.New() {
		return d.Viewer != nil && u.ID == d.Viewer.ID
	}
	return u.ID == d.Room.CreatorID
}

// PingSettings are the settings of a ping: who is in it, and its end.
type PingSettings struct {
	Room    *chat.Room
	Members []chat.User // the viewer too
}

type pingSettings struct {
	*PingSettings
	Name string
}

// EditPingPage writes the settings of a ping.
func (s *Site) EditPingPage(w io.Writer, l *Layout, d *PingSettings) error {
	members := make([]chat.Author, len(d.Members))
	for i := range d.Members {
		members[i] = d.Members[i].Author()
	}
	name := DirectName(chat.Others(members, l.Viewer.ID))
	return s.render(w, "ping_settings", l, page{Title: "Edit settings for " + name, D: pingSettings{d, name}})
}
