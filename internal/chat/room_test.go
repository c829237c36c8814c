package chat_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/rails"
)

// members returns the ids of who is in a room.
func members(t *testing.T, w *chattest.World, room chat.RoomID) []chat.UserID {
	t.Helper()
	var ids []chat.UserID
	read(t, w.Chat, func(r *chat.Reader) (err error) {
		ids, err = r.MemberIDs(room)
		return err
	})
	return ids
}

func sorted(ids []chat.UserID) []chat.UserID {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return ids
}

func TestAnOpenRoomHoldsEveryActiveUser(t *testing.T) {
	w := chattest.New(t)
	room, err := w.Chat.CreateOpenRoom(ctx, w.User("kevin"), "Plaza")
	if err != nil {
		t.Fatal(err)
	}
	want := sorted(w.IDs("david", "jason", "jz", "kevin", "lou", "bender"))
	if got := members(t, w, room.ID); !slices.Equal(got, want) {
		t.Errorf("members %v, want %v", got, want)
	}
	if room.Type != chat.Open || room.CreatorID != w.ID("kevin") || room.DOMID("list") != fmt.Sprintf("list_rooms_open_%d", room.ID) {
		t.Errorf("room %+v", room)
	}
	e, ok := w.Heard.Take()[0].(chat.RoomCreated)
	if !ok || e.Room != room || !slices.Equal(e.Members, want) {
		t.Errorf("announced %+v", e)
	}
	if got := w.Text(`SELECT group_concat(DISTINCT involvement) FROM memberships WHERE room_id = ?1`, room.ID); got != "mentions" {
		t.Errorf("involvements %q, want mentions", got)
	}
}

func TestAClosedRoomHoldsExactlyWhoWasChosen(t *testing.T) {
	w := chattest.New(t)
	room, err := w.Chat.CreateClosedRoom(ctx, w.User("kevin"), "Duo", append(w.IDs("jz", "jason", "jz"), 424242))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := members(t, w, room.ID), sorted(w.IDs("jz", "jason")); !slices.Equal(got, want) {
		t.Errorf("members %v, want %v", got, want)
	}
}

func TestRoomCreationCanBeLimitedToAdministrators(t *testing.T) {
	w := chattest.New(t)
	for settings, kevin := range map[string]error{
		`{"restrict_room_creation_to_administrators":true}`:   chat.ErrForbidden,
		`{"restrict_room_creation_to_administrators":"true"}`: chat.ErrForbidden,
		`{"restrict_room_creation_to_administrators":false}`:  nil,
		`{}`:       nil,
		`not json`: nil,
	} {
		w.Exec(`UPDATE accounts SET settings = ?1`, settings)
		_, err := w.Chat.CreateClosedRoom(ctx, w.User("kevin"), "Mine", w.IDs("kevin"))
		wantErr(t, settings, err, kevin)
		_, err = w.Chat.CreateOpenRoom(ctx, w.User("jason"), "Jason's")
		wantErr(t, settings, err, nil)
		_, err = w.Chat.OpenDirect(ctx, w.User("kevin"), w.IDs("jz"))
		wantErr(t, "a ping under "+settings, err, nil)
	}
	w.Exec(`UPDATE accounts SET settings = NULL`)
	_, err := w.Chat.CreateOpenRoom(ctx, w.User("kevin"), "Mine")
	wantErr(t, "no settings", err, nil)
}

func TestAPingIsTheOneRoomOfExactlyThesePeople(t *testing.T) {
	w := chattest.New(t)
	open := func(by string, others ...string) chat.RoomID {
		t.Helper()
		room, err := w.Chat.OpenDirect(ctx, w.User(by), w.IDs(others...))
		if err != nil {
			t.Fatal(err)
		}
		return room.ID
	}
	if got, want := open("jason", "david"), w.Room("david+jason").ID; got != want {
		t.Errorf("the other way round it is room %d, want %d", got, want)
	}
	if e := w.Heard.Take()[0].(chat.DirectOpened); len(e.Members) != 2 || e.Members[0].Name != "David" || e.Members[1].Name != "Jason" {
		t.Errorf("announced %+v", e)
	}
	if got, want := open("kevin", "jason", "david", "kevin", "jason"), w.Room("david+jason+kevin").ID; got != want {
		t.Errorf("with doubles it is room %d, want %d", got, want)
	}
	rooms := w.Int(`SELECT count(*) FROM rooms`)
	alone := open("lou")
	if again := open("lou", "lou"); again != alone {
		t.Errorf("alone again it is room %d, want %d", again, alone)
	}
	fresh := open("jz", "kevin")
	if got := w.Int(`SELECT count(*) FROM rooms`); got != rooms+2 {
		t.Errorf("%d rooms, want %d", got, rooms+2)
	}
	if got := w.Text(`SELECT group_concat(DISTINCT involvement) || ' ' || count(*) FROM memberships WHERE room_id = ?1`, fresh); got != "everything 2" {
		t.Errorf("memberships of a new ping: %q", got)
	}
	if got := w.Text(`SELECT coalesce(name, 'NULL') || creator_id FROM rooms WHERE id = ?1`, fresh); got != fmt.Sprint("NULL", w.ID("jz")) {
		t.Errorf("a new ping has name and creator %q", got)
	}
}

func TestOpenAndClosedRoomsConvertAndDirectRoomsNever(t *testing.T) {
	w := chattest.New(t)
	room := w.Room("watercooler")
	w.Heard.Take()
	opened, err := w.Chat.UpdateOpenRoom(ctx, w.User("david"), room.ID, "Fountain")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := members(t, w, room.ID), sorted(w.IDs("david", "jason", "jz", "kevin", "lou", "mallory", "bender")); !slices.Equal(got, want) {
		t.Errorf("members after opening %v, want %v", got, want)
	}
	if e := w.Heard.Take()[0].(chat.RoomUpdated); e.Was != chat.Closed || e.Room != opened || opened.Type != chat.Open || opened.Name != "Fountain" || len(e.Removed) != 0 {
		t.Errorf("announced %+v", e)
	}
	if got := w.Room("watercooler"); got != opened {
		t.Errorf("stored %+v, want %+v", got, opened)
	}

	if _, err := w.Chat.UpdateClosedRoom(ctx, w.User("david"), room.ID, "Pond", w.IDs("david", "kevin")); err != nil {
		t.Fatal(err)
	}
	events := w.Heard.Take()
	removed := sorted(w.IDs("jason", "jz", "lou", "mallory", "bender"))
	if e := events[0].(chat.RoomUpdated); e.Was != chat.Open || !slices.Equal(e.Removed, removed) || !slices.Equal(e.Members, sorted(w.IDs("david", "kevin"))) {
		t.Errorf("announced %+v", e)
	}
	var revoked []chat.UserID
	for _, e := range events[1:] {
		if a := e.(chat.AccessRevoked); a.Reconnect {
			revoked = append(revoked, a.User)
		}
	}
	if !slices.Equal(sorted(revoked), removed) {
		t.Errorf("revoked %v, want %v", revoked, removed)
	}

	ping := w.Room("david+kevin")
	for _, who := range []string{"kevin", "david"} {
		_, err = w.Chat.UpdateOpenRoom(ctx, w.User(who), ping.ID, "Plaza")
		if err == nil || w.Room("david+kevin") != ping {
			t.Errorf("%s changed a ping: %v", who, err)
		}
		_, err = w.Chat.UpdateClosedRoom(ctx, w.User(who), ping.ID, "Plaza", w.IDs("jz"))
		if err == nil || w.Room("david+kevin") != ping {
			t.Errorf("%s changed a ping: %v", who, err)
		}
	}
	wantErr(t, "an administrator", err, chat.ErrNotFound)
}

func TestWhoStaysInAClosedRoomKeepsTheirMembership(t *testing.T) {
	w := chattest.New(t)
	room := w.Room("designers")
	w.Post("david", "designers", "unread for kevin")
	if err := w.Chat.SetInvolvement(ctx, w.User("kevin"), room.ID, chat.Everything); err != nil {
		t.Fatal(err)
	}
	before := w.Text(`SELECT id || involvement || unread_at || created_at FROM memberships WHERE room_id = ?1 AND user_id = ?2`, room.ID, w.ID("kevin"))
	if _, err := w.Chat.UpdateClosedRoom(ctx, w.User("jason"), room.ID, "Designers", w.IDs("kevin", "jason", "jz")); err != nil {
		t.Fatal(err)
	}
	if got := w.Text(`SELECT id || involvement || unread_at || created_at FROM memberships WHERE room_id = ?1 AND user_id = ?2`, room.ID, w.ID("kevin")); got != before {
		t.Errorf("membership %q, want %q", got, before)
	}
}

func TestWhoMayAdministerARoom(t *testing.T) {
	w := chattest.New(t)
	designers, secret := w.Room("designers").ID, w.Room("secret").ID
	for _, c := range []struct {
		who  string
		room chat.RoomID
		want error
	}{
		{"kevin", designers, chat.ErrForbidden}, // a member
		{"jz", designers, chat.ErrNotFound},     // not in it
		{"david", secret, chat.ErrNotFound},     // administrator, but not in it
		{"lou", 12345, chat.ErrNotFound},
	} {
		_, err := w.Chat.UpdateOpenRoom(ctx, w.User(c.who), c.room, "X")
		wantErr(t, c.who+" opens", err, c.want)
		_, err = w.Chat.UpdateClosedRoom(ctx, w.User(c.who), c.room, "X", nil)
		wantErr(t, c.who+" closes", err, c.want)
		wantErr(t, c.who+" deletes", w.Chat.DeleteRoom(ctx, w.User(c.who), c.room), c.want)
		wantErr(t, c.who+" deletes as a ping", w.Chat.DeleteDirect(ctx, w.User(c.who), c.room), chat.ErrNotFound)
	}
	if got := w.Heard.Take(); len(got) != 0 {
		t.Errorf("announced %v", got)
	}
	wantErr(t, "the creator", w.Chat.DeleteRoom(ctx, w.User("jz"), secret), nil)
	wantErr(t, "an administrator in it", w.Chat.DeleteRoom(ctx, w.User("jason"), designers), nil)
	wantErr(t, "a member of a ping", w.Chat.DeleteDirect(ctx, w.User("kevin"), w.Room("david+kevin").ID), nil)
}

func TestDeletingARoomLeavesNothingOfIt(t *testing.T) {
	files := &removed{}
	w := chattest.NewWith(t, chat.Options{Files: files})
	kept := w.Post("kevin", "hq", "kept")
	for i := range 5 {
		m := w.Post("kevin", "designers", "doomed")
		if _, err := w.Chat.Boost(ctx, w.User("david"), m.ID, "👍"); err != nil {
			t.Fatal(err)
		}
		attach(w, int64(i+1), "Message", int64(m.ID), "attachment", fmt.Sprint("filekey", i))
	}
	w.Heard.Take()
	room := w.Room("designers")
	if err := w.Chat.DeleteRoom(ctx, w.User("david"), room.ID); err != nil {
		t.Fatal(err)
	}
	if e := w.Heard.Take()[0].(chat.RoomDeleted); e.Room.ID != room.ID || !slices.Equal(e.Members, sorted(w.IDs("david", "jason", "kevin"))) {
		t.Errorf("announced %+v", e)
	}
	for table, want := range map[string]int64{
		"rooms WHERE id = " + fmt.Sprint(room.ID):            0,
		"memberships WHERE room_id = " + fmt.Sprint(room.ID): 0,
		"messages": 1, "boosts": 0, "action_text_rich_texts": 1, "message_search_index": 1,
		"active_storage_blobs": 0, "active_storage_attachments": 0,
	} {
		if got := w.Int(`SELECT count(*) FROM ` + table); got != want {
			t.Errorf("%d rows in %s, want %d", got, table, want)
		}
	}
	if len(files.keys) != 5 {
		t.Errorf("removed files %q, want 5", files.keys)
	}
	_, err := w.Chat.PostMessage(ctx, w.User("kevin"), chat.Draft{Room: room.ID, Body: "late"})
	wantErr(t, "a post to a deleted room", err, chat.ErrNotFound)
	read(t, w.Chat, func(r *chat.Reader) error {
		_, err := r.Message(kept.RoomID, kept.ID)
		return err
	})
	checkSound(t, w.DB)
}

func TestABigRoomIsGoneAtOnceAndDeletedByAndBy(t *testing.T) {
	w := chattest.New(t)
	room := w.Room("hq")
	fill(t, w, room.ID, 1500)
	elsewhere := w.Post("kevin", "watercooler", "filler elsewhere")
	w.Heard.Take()
	// The process is stopped in the middle: here, by a deletion in a later turn.
	w.Exec(`CREATE TRIGGER hearth_test_stop BEFORE DELETE ON messages WHEN (SELECT count(*) FROM messages) < 1000 BEGIN SELECT RAISE(ABORT, 'stopped'); END`)
	if err := w.Chat.DeleteRoom(ctx, w.User("david"), room.ID); err == nil {
		t.Fatal("the deletion was not stopped")
	}
	events := w.Heard.Take()
	if len(events) != 1 || events[0].(chat.RoomDeleted).Room.ID != room.ID || len(events[0].(chat.RoomDeleted).Members) < 5 {
		t.Errorf("announced %+v", events)
	}
	left := w.Int(`SELECT count(*) FROM messages WHERE room_id = ?1`, room.ID)
	if left == 0 || left > 1500 {
		t.Errorf("%d messages are left in the middle", left)
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		_, _, err := r.Room(room.ID, w.ID("david"))
		wantErr(t, "a doomed room", err, chat.ErrNotFound)
		return nil
	})
	s, err := w.Chat.Join(ctx, w.Text(`SELECT join_code FROM accounts`), chat.Newcomer{Name: "Newt", Email: "newt@example.test"}, chat.Client{})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Int(`SELECT count(*) FROM memberships WHERE room_id = ?1`, room.ID); got != 0 {
		t.Errorf("%s got into a doomed room", s.User.Name)
	}
	checkSound(t, w.DB)
	w.Exec(`DROP TRIGGER hearth_test_stop`)
	for range 2 {
		if err := w.Chat.Resume(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for table, want := range map[string]int64{"messages": 1, "message_search_index": 1, "hearth_doomed_rooms": 0, "rooms WHERE type = 'Rooms::Open'": 0} {
		if got := w.Int(`SELECT count(*) FROM ` + table); got != want {
			t.Errorf("%d rows in %s, want %d", got, table, want)
		}
	}
	if got := search(t, w, "kevin", "filler"); !slices.Equal(got, []chat.MessageID{elsewhere.ID}) {
		t.Errorf("search finds %v, want %d", got, elsewhere.ID)
	}
	checkSound(t, w.DB)
}

func TestInvolvementChangesAreAnnouncedOnce(t *testing.T) {
	w := chattest.New(t)
	room, kevin := w.Room("watercooler"), w.User("kevin")
	wantErr(t, "an unknown involvement", w.Chat.SetInvolvement(ctx, kevin, room.ID, "loud"), chat.ErrInvalid)
	wantErr(t, "an outsider", w.Chat.SetInvolvement(ctx, w.User("lou"), room.ID, chat.Nothing), chat.ErrNotFound)
	for range 2 {
		if err := w.Chat.SetInvolvement(ctx, kevin, room.ID, chat.Invisible); err != nil {
			t.Fatal(err)
		}
	}
	events := w.Heard.Take()
	if len(events) != 1 {
		t.Fatalf("announced %d events, want 1", len(events))
	}
	if e := events[0].(chat.InvolvementChanged); e.From != chat.Mentions || e.To != chat.Invisible || e.User != kevin.ID || e.Room.ID != room.ID {
		t.Errorf("announced %+v", e)
	}
}

func TestPresenceCountsPagesAndForgetsAfterAMinute(t *testing.T) {
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	w := chattest.NewWith(t, chat.Options{Now: func() time.Time { return now }})
	kevin, room := w.ID("kevin"), w.Room("watercooler").ID
	state := func() string {
		return w.Text(`SELECT connections || CASE WHEN connected_at IS NULL THEN ' away' ELSE ' here' END FROM memberships WHERE room_id = ?1 AND user_id = ?2`, room, kevin)
	}
	for i, step := range []struct {
		do    func() error
		after time.Duration
		want  string
	}{
		{func() error { return w.Chat.Present(ctx, kevin, room) }, 0, "1 here"},
		{func() error { return w.Chat.Present(ctx, kevin, room) }, time.Second, "2 here"},
		{func() error { return w.Chat.Absent(ctx, kevin, room) }, time.Second, "1 here"},
		{func() error { return w.Chat.RefreshPresence(ctx, kevin, room) }, 50 * time.Second, "1 here"},
		{func() error { return w.Chat.Absent(ctx, kevin, room) }, 50 * time.Second, "0 away"},
		{func() error { return w.Chat.Absent(ctx, kevin, room) }, time.Second, "0 away"},
		{func() error { return w.Chat.RefreshPresence(ctx, kevin, room) }, time.Second, "1 here"},
		{func() error { return w.Chat.Present(ctx, kevin, room) }, 2 * time.Minute, "1 here"}, // the old ones are forgotten
		{func() error { return w.Chat.Absent(ctx, kevin, room) }, 2 * time.Minute, "0 away"},
	} {
		now = now.Add(step.after)
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := state(); got != step.want {
			t.Errorf("after step %d: %s, want %s", i, got, step.want)
		}
	}
	if e, ok := w.Heard.Take()[0].(chat.RoomRead); !ok || e.User != kevin || e.Room != room {
		t.Errorf("announced %+v", e)
	}
	for what, err := range map[string]error{
		"present": w.Chat.Present(ctx, w.ID("lou"), room),
		"absent":  w.Chat.Absent(ctx, w.ID("lou"), room),
		"refresh": w.Chat.RefreshPresence(ctx, w.ID("lou"), room),
	} {
		wantErr(t, what+" of an outsider", err, chat.ErrNotFound)
	}
	if got := w.Heard.Take(); len(got) != 0 {
		t.Errorf("announced %v for an outsider", got)
	}
}

func TestRoomsOfAViewer(t *testing.T) {
	w := chattest.New(t)
	read(t, w.Chat, func(r *chat.Reader) error {
		oldest, err := r.OldestRoom(w.ID("jz"))
		if err != nil || oldest.ID != w.Room("hq").ID {
			t.Errorf("oldest room %+v, error %v", oldest, err)
		}
		last, err := r.LastRoom(w.ID("jz"))
		if err != nil || last.ID != w.Room("secret").ID {
			t.Errorf("last room %+v, error %v", last, err)
		}
		_, err = r.OldestRoom(w.ID("lou"))
		wantErr(t, "lou's oldest room", err, chat.ErrNotFound)
		_, err = r.LastRoom(w.ID("lou"))
		wantErr(t, "lou's last room", err, chat.ErrNotFound)
		room, m, err := r.Room(w.Room("secret").ID, w.ID("jz"))
		if err != nil || room.Stream() != rails.GIDParam("Rooms::Closed", int64(room.ID))+":messages" || m.Involvement != chat.Mentions || m.UserID != w.ID("jz") {
			t.Errorf("room %+v, membership %+v, error %v", room, m, err)
		}
		_, _, err = r.Room(w.Room("secret").ID, w.ID("david"))
		wantErr(t, "an administrator outside", err, chat.ErrNotFound)
		all, err := r.Members(w.Room("secret").ID)
		if err != nil || len(all) != 2 || all[0].Name != "Jason" || all[1].Name != "JZ" {
			t.Errorf("members %+v, error %v", all, err)
		}
		return nil
	})
}

func TestCompletionOffersActivePeopleByName(t *testing.T) {
	w := chattest.New(t)
	complete := func(viewer, query string, room chat.RoomID, page int) (names []string, total int, err error) {
		err = w.Chat.Read(ctx, func(r *chat.Reader) error {
			users, n, err := r.Autocomplete(w.ID(viewer), query, room, page)
			total = n
			for _, u := range users {
				names = append(names, u.Name)
			}
			return err
		})
		return names, total, err
	}
	for _, c := range []struct {
		query string
		room  string
		want  []string
	}{
		{"", "", []string{"Bender Bot", "David", "Jason", "JZ", "Kevin", "Lonely Lou"}},
		{"j", "", []string{"Jason", "JZ"}},
		{"LOU", "", []string{"Lonely Lou"}},
		{"j", "designers", []string{"Jason"}},
		{"rita", "", nil},
		{"%", "", nil},
		{"_", "", nil},
		{`\`, "", nil},
	} {
		room := chat.RoomID(0)
		if c.room != "" {
			room = w.Room(c.room).ID
		}
		got, total, err := complete("kevin", c.query, room, 0)
		if err != nil || !slices.Equal(got, c.want) || total != len(c.want) {
			t.Errorf("%q in %q gives %q of %d, error %v; want %q", c.query, c.room, got, total, err, c.want)
		}
	}
	if got, total, err := complete("kevin", "", 0, 2); err != nil || len(got) != 0 || total != 6 {
		t.Errorf("page 2 gives %q of %d, error %v", got, total, err)
	}
	_, _, err := complete("lou", "", w.Room("designers").ID, 1)
	wantErr(t, "an outsider completes in a room", err, chat.ErrNotFound)
}
