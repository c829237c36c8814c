package web

import (
	"encoding/json"
	"strconv"
	"strings"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

// Streams. What a page carries signed is the name of its room's messages or of a
// sidebar; the other names never leave the process.

// sharedRooms is the stream of everybody's sidebar.
const sharedRooms = "rooms"

func readsStream(user chat.UserID) string   { return userStream(user, "reads") }
func unreadsStream(user chat.UserID) string { return userStream(user, "unreads") }

func userStream(user chat.UserID, of string) string {
	return "user_" + strconv.FormatInt(int64(user), 10) + "_" + of
}

// sidebarStream is the stream of one person's sidebar.
func sidebarStream(user chat.UserID) string {
	return rails.GIDParam("User", int64(user)) + ":rooms"
}

// typingStream doesn't name the room's type, so that a conversion cuts nobody off.
func typingStream(room chat.RoomID) string {
	return "typing_notifications:" + strconv.FormatInt(int64(room), 10)
}

// messagesStream names the messages of a room as pages of the given type carry it.
func messagesStream(room chat.RoomID, t chat.RoomType) string {
	return rails.GIDParam(string(t), int64(room)) + ":messages"
}

// roomParam is the room_id of an identifier, a number or digits in a string; 0 for
// anything else, which is nobody's room.
func roomParam(params json.RawMessage) chat.RoomID {
	var p struct {
		RoomID json.RawMessage `json:"room_id"`
	}
	if json.Unmarshal(params, &p) != nil {
		return 0
	}
	id, err := strconv.ParseInt(strings.Trim(string(p.RoomID), `"`), 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return chat.RoomID(id)
}

// streamParam is the name that an identifier carries signed; empty when we didn't sign it.
func streamParam(keys *rails.Keys, params json.RawMessage) string {
	var p struct {
		Signed string `json:"signed_stream_name"`
	}
	if json.Unmarshal(params, &p) != nil || p.Signed == "" {
		return ""
	}
	name, err := keys.VerifyStream(p.Signed)
	if err != nil {
		return ""
	}
	return name
}

// messagesRoom tells whose messages a stream has, and of which type the room was
// when the page was made.
func messagesRoom(stream string) (room chat.RoomID, t chat.RoomType, ok bool) {
	gid, rest, _ := strings.Cut(stream, ":")
	class, id, err := rails.ParseGIDParam(gid)
	t = chat.RoomType(class)
	ok = err == nil && rest == "messages" && (t == chat.Open || t == chat.Closed || t == chat.Direct)
	return chat.RoomID(id), t, ok
}

// sidebarOwner tells whose personal sidebar a stream is for.
func sidebarOwner(stream string) (user chat.UserID, ok bool) {
	gid, rest, _ := strings.Cut(stream, ":")
	class, id, err := rails.ParseGIDParam(gid)
	return chat.UserID(id), err == nil && class == "User" && rest == "rooms"
}
