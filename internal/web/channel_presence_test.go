package web_test

import (
	"fmt"
	"testing"
)

const kevinsPages = `SELECT connections FROM memberships WHERE user_id = ?1 AND room_id = ?2`

func TestPagesAreCountedAndReadTheRoom(t *testing.T) {
	h := newHall(t)
	kevin, room := h.ID("kevin"), h.Room("designers").ID
	const reads = `{"channel":"ReadRoomsChannel"}`
	here := h.inRoom("PresenceChannel", "designers")
	read := fmt.Sprintf(`{"room_id":%d}`, room)
	other, david := h.open("kevin"), h.open("david")
	other.subscribe(reads)
	david.subscribe(reads)
	h.Post("david", "designers", "<div>news</div>")
	h.wantInt(1, `SELECT unread_at IS NOT NULL FROM memberships WHERE user_id = ?1 AND room_id = ?2`, kevin, room)

	first := h.open("kevin")
	first.subscribe(here)
	other.wantMessage(reads, read)
	h.wantInt(1, kevinsPages, kevin, room)
	h.wantInt(0, `SELECT unread_at IS NOT NULL FROM memberships WHERE user_id = ?1 AND room_id = ?2`, kevin, room)

	second := h.open("kevin")
	second.subscribe(here)
	other.wantMessage(reads, read)
	h.wantInt(2, kevinsPages, kevin, room)

	second.perform(here, "absent")
	second.perform(here, "absent") // it has gone already
	second.perform(here, "refresh")
	second.wantSilence()
	h.wantInt(1, kevinsPages, kevin, room)
	second.perform(here, "present")
	other.wantMessage(reads, read)
	second.perform(here, "present") // it is there already
	other.wantMessage(reads, read)
	second.wantSilence()
	h.wantInt(2, kevinsPages, kevin, room)
	second.send("unsubscribe", here, "")
	h.wantInt(1, kevinsPages, kevin, room)

	first.conn.Close()
	h.wantInt(0, kevinsPages, kevin, room)
	h.wantInt(1, `SELECT connected_at IS NULL FROM memberships WHERE user_id = ?1 AND room_id = ?2`, kevin, room)
	david.wantSilence()
}

func TestRefreshingKeepsAPagePresent(t *testing.T) {
	h := newHall(t)
	kevin, room := h.ID("kevin"), h.Room("designers").ID
	here := h.inRoom("PresenceChannel", "designers")
	s := h.open("kevin")
	s.subscribe(here)
	h.Exec(`UPDATE memberships SET connected_at = '2020-01-01 00:00:00', connections = 1 WHERE user_id = ?1 AND room_id = ?2`, kevin, room)
	s.perform(here, "refresh")
	s.wantSilence()
	h.wantInt(1, `SELECT connected_at > '2025' FROM memberships WHERE user_id = ?1 AND room_id = ?2`, kevin, room)
	h.wantInt(1, kevinsPages, kevin, room)
}

func TestARejectedPageTouchesNoCount(t *testing.T) {
	h := newHall(t)
	before := h.Int(`SELECT sum(connections) FROM memberships`)
	s := h.open("lou")
	here := h.inRoom("PresenceChannel", "designers")
	s.wantReject(here)
	s.perform(here, "present")
	s.send("unsubscribe", here, "")
	s.wantSilence()
	if got := h.Int(`SELECT sum(connections) FROM memberships`); got != before {
		t.Errorf("%d pages are counted, want %d", got, before)
	}
}

func TestAShutdownNotesEverybodyAsAbsent(t *testing.T) {
	h := newHall(t)
	for range 3 {
		h.open("kevin").subscribe(h.inRoom("PresenceChannel", "designers"))
	}
	h.wantInt(3, kevinsPages, h.ID("kevin"), h.Room("designers").ID)
	if err := h.hub.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.Int(kevinsPages, h.ID("kevin"), h.Room("designers").ID); got != 0 {
		t.Errorf("%d pages are counted after the shutdown, want 0", got)
	}
}
