package main

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestRoomsComeAndChangeLive(t *testing.T) {
	t.Parallel()
	s := serve(t, sample(t), sampleEnv)
	david, kevin := arrives(t, s, "david"), arrives(t, s, "kevin")
	cast := []*person{david, kevin}
	kevin.opens(quiet)
	david.opens(quiet)
	scene(t, "open room", cast, func(t *testing.T) { openRoom(david, kevin) })
	scene(t, "open to closed and back", cast, func(t *testing.T) { convertRoom(david, kevin) })
	scene(t, "somebody loses access", cast, func(t *testing.T) { loseAccess(david, kevin) })
	scene(t, "unread marks", cast, func(t *testing.T) { unread(david, kevin) })
	scene(t, "ping", cast, func(t *testing.T) { ping(t, david) })
	scene(t, "room deleted", cast, func(t *testing.T) { deleteRoom(david, kevin) })
}

func openRoom(david, kevin *person) {
	david.clicks("link", "New Chat Room")
	david.isAt("/rooms/opens/new")
	david.fills("Name this room", "Lighthouse")
	david.clicks("button", "Save")
	david.isAt(`/rooms/\d+`)
	for _, p := range []*person{david, kevin} {
		p.seesTimes(1, "#shared_rooms a", "Lighthouse")
	}
	david.clicks("link", "Settings for this room")
	david.isAt(`/rooms/opens/\d+/edit`)
	david.fills("Name this room", "Harbour")
	david.presses(kb.Enter)
	david.isAt(`/rooms/\d+`)
	for _, p := range []*person{david, kevin} {
		p.seesTimes(1, "#shared_rooms a", "Harbour")
		p.seesNot("#shared_rooms a", "Lighthouse")
	}
}

func convertRoom(david, kevin *person) {
	kevin.in("#shared_rooms").clicks("link", "Harbour")
	kevin.isAt(`/rooms/\d+`)
	david.clicks("link", "Settings for this room")
	david.isAt(`/rooms/opens/\d+/edit`)
	david.clicks("checkbox", "Give only some access to this room")
	david.isAt(`/rooms/closeds/\d+/edit`)
	david.clicks("button", "Save")
	david.isAt(`/rooms/\d+`)
	for _, p := range []*person{david, kevin} {
		p.seesTimes(1, "#shared_rooms a[id^=list_rooms_closed_]", "Harbour")
		p.seesTimes(1, "#shared_rooms a", "Harbour")
	}
	// Whoever had the room open goes on hearing what is said.
	david.says("We are closed now")
	kevin.reads("We are closed now")
	david.clicks("link", "Settings for this room")
	david.isAt(`/rooms/closeds/\d+/edit`)
	david.clicks("checkbox", "Give everyone access to this room")
	david.isAt(`/rooms/opens/\d+/edit`)
	david.clicks("button", "Save")
	david.isAt(`/rooms/\d+`)
	for _, p := range []*person{david, kevin} {
		p.seesTimes(1, "#shared_rooms a[id^=list_rooms_open_]", "Harbour")
		p.seesTimes(1, "#shared_rooms a", "Harbour")
	}
	david.says("We are open again")
	kevin.reads("We are open again")
}

func loseAccess(david, kevin *person) {
	kevin.in("#shared_rooms").clicks("link", "Quiet Corner")
	kevin.isAt(quiet)
	david.clicks("link", "Settings for this room")
	david.isAt(`/rooms/opens/\d+/edit`)
	david.clicks("checkbox", "Give only some access to this room")
	david.isAt(`/rooms/closeds/\d+/edit`)
	david.clicks("checkbox", "Give Kevin access to this room")
	david.clicks("button", "Save")
	david.isAt(`/rooms/\d+`)
	kevin.seesNot("#shared_rooms a", "Harbour")
	david.clicks("link", "Settings for this room")
	david.clicks("checkbox", "Give Kevin access to this room")
	david.clicks("button", "Save")
	david.isAt(`/rooms/\d+`)
	kevin.seesTimes(1, "#shared_rooms a", "Harbour")
}

func unread(david, kevin *person) {
	kevin.opens(hq) // reads what the sample left
	kevin.in("#shared_rooms").clicks("link", "Quiet Corner")
	kevin.isAt(quiet)
	kevin.seesNot("#shared_rooms a.unread", "HQ")
	david.opens(hq)
	david.says("News from headquarters")
	kevin.sees("#shared_rooms a.unread", "HQ")
	david.seesNot("#shared_rooms a.unread", "HQ")
	kevin.in("#shared_rooms").clicksOn("a.unread[href='" + hq + "']")
	kevin.isAt(hq)
	kevin.reads("News from headquarters")
	kevin.seesNot("#shared_rooms a.unread", "HQ")
	david.says("More news")
	kevin.reads("More news")
	kevin.opens(quiet)
	kevin.seesNot("#shared_rooms a.unread", "HQ")
	david.says("One for a page that is not loaded yet")
	kevin.opens(quiet)
	kevin.sees("#shared_rooms a.unread", "HQ")
	// The browser has kept the page of before; it comes back to life.
	kevin.opens(hq)
	kevin.opens(quiet)
	david.says("Come back")
	ask[bool](kevin, `setTimeout(() => history.back()) > 0`)
	kevin.isAt(hq)
	kevin.reads("Come back")
	david.says("Welcome back")
	kevin.reads("Come back", "Welcome back")
}

func ping(t *testing.T, david *person) {
	lou := arrives(t, david.server, "loner")
	lou.opens("/")
	lou.seesNot("#direct_rooms a", "David")
	david.clicks("link", "New Ping")
	david.clicks("combobox", "Who do you want to ping?")
	david.presses("lou")
	david.sees("suggestion-option", "Lonely Lou")
	david.clicksOn("suggestion-option")
	david.until("one is chosen", `document.querySelector("[data-autocomplete-target=select]").selectedOptions.length === 1`)
	david.clicks("button", "Start Ping")
	david.isAt(`/rooms/\d+`)
	david.sees("#nav h1", "Ping with Lonely Lou")
	lou.seesTimes(1, "#direct_rooms a", "David")
	david.says("Hello Lou")
	lou.sees("#direct_rooms a.unread", "David")
	lou.in("#direct_rooms").clicksOn("a.direct")
	lou.isAt(`/rooms/\d+`)
	lou.reads("Hello Lou")
	lou.seesNot("#direct_rooms a.unread", "")
	lou.says("Hello David")
	david.reads("Hello David")
}

func deleteRoom(david, kevin *person) {
	david.in("#shared_rooms").clicks("link", "Harbour")
	kevin.in("#shared_rooms").clicks("link", "Harbour")
	kevin.isAt(`/rooms/\d+`)
	david.clicks("link", "Settings for this room")
	david.confirms(func() { david.clicks("button", "Delete Harbour") })
	for _, p := range []*person{david, kevin} {
		p.seesNot("#shared_rooms a", "Harbour")
	}
	// Who still has it open is told when they write.
	kevin.writes("Anybody here?")
	kevin.presses(kb.Enter)
	kevin.sees("#composer-frame [role=alert]", "deleted")
}
