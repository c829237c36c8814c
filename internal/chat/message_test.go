package chat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/rails"
)

func TestAPostWritesAllThatBelongsToIt(t *testing.T) {
	w := chattest.New(t)
	kevin, room := w.User("kevin"), w.Room("watercooler")
	m, err := w.Chat.PostMessage(ctx, kevin, chat.Draft{Room: room.ID, ClientID: "cid1", Body: "  <div>Salt <b>and</b> pepper</div> "})
	if err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]string{
		`SELECT client_message_id FROM messages WHERE id = ?1`:                                                       "cid1",
		`SELECT body FROM action_text_rich_texts WHERE record_type = 'Message' AND name = 'body' AND record_id = ?1`: "<div>Salt <b>and</b> pepper</div>",
		`SELECT body FROM message_search_index WHERE rowid = ?1`:                                                     "Salt and pepper",
		`SELECT created_at = updated_at FROM messages WHERE id = ?1`:                                                 "1",
		`SELECT r.updated_at = m.created_at FROM messages m JOIN rooms r ON r.id = m.room_id WHERE m.id = ?1`:        "1",
	} {
		if got := w.Text(sql, m.ID); got != want {
			t.Errorf("%s gives %q, want %q", sql, got, want)
		}
	}
	events := w.Heard.Take()
	if len(events) != 1 {
		t.Fatalf("announced %d events, want 1", len(events))
	}
	posted := events[0].(chat.MessagePosted)
	if posted.Message != m || posted.Room.ID != room.ID || posted.Room.UpdatedAt != m.CreatedAt {
		t.Errorf("announced %+v", posted)
	}
	want := w.IDs("david", "jason", "jz", "kevin", "mallory", "bender")
	if slices.Sort(want); !slices.Equal(posted.Members, want) {
		t.Errorf("announced to %v, want %v", posted.Members, want)
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		got, err := r.Message(room.ID, m.ID)
		if err != nil {
			return err
		}
		if got.Body != m.Body || !got.CreatedAt.Equal(m.CreatedAt) || got.Author.Name != "Kevin" || got.RoomName != "Watercooler" || !got.HasBody || got.Kind() != chat.Text {
			t.Errorf("read %+v, want %+v", got, m)
		}
		_, err = r.Message(w.Room("hq").ID, m.ID)
		wantErr(t, "a message of another room", err, chat.ErrNotFound)
		_, err = r.ReachableMessage(w.ID("lou"), m.ID)
		wantErr(t, "a message that an outsider reaches for", err, chat.ErrNotFound)
		_, err = r.ReachableMessage(w.ID("jz"), m.ID)
		return err
	})
	checkSound(t, w.DB)
}

func TestADraftThatIsSentAgainIsOneMessage(t *testing.T) {
	w := chattest.New(t)
	kevin, room := w.User("kevin"), w.Room("watercooler")
	draft := chat.Draft{Room: room.ID, ClientID: "cid7", Body: "<div>once</div>"}
	first, err := w.Chat.PostMessage(ctx, kevin, draft)
	if err != nil {
		t.Fatal(err)
	}
	w.Post("jz", "watercooler", "meanwhile")
	w.Heard.Take()
	again, err := w.Chat.PostMessage(ctx, kevin, draft)
	if err != nil || again.ID != first.ID || again.Body != first.Body || again.Author.Name != "Kevin" {
		t.Errorf("the same draft again gives %+v, error %v; want message %d", again, err, first.ID)
	}
	if got := w.Heard.Take(); len(got) != 0 {
		t.Errorf("announced %v for a repeated draft", got)
	}
	for what, other := range map[string]struct {
		by    string
		draft chat.Draft
	}{
		"another text":   {"kevin", chat.Draft{Room: room.ID, ClientID: "cid7", Body: "twice"}},
		"another room":   {"kevin", chat.Draft{Room: w.Room("hq").ID, ClientID: "cid7", Body: draft.Body}},
		"another person": {"jz", draft},
		"no client id":   {"kevin", chat.Draft{Room: room.ID, Body: draft.Body}},
	} {
		m, err := w.Chat.PostMessage(ctx, w.User(other.by), other.draft)
		if err != nil || m.ID == first.ID {
			t.Errorf("%s gives message %d, error %v; want a new one", what, m.ID, err)
		}
	}
}

func TestOutsidersCanNotPost(t *testing.T) {
	w := chattest.New(t)
	before := w.Int(`SELECT count(*) FROM messages`)
	for _, c := range []struct {
		who  string
		room chat.RoomID
	}{{"lou", w.Room("hq").ID}, {"david", w.Room("secret").ID}, {"bender", w.Room("designers").ID}, {"david", 99999}, {"mallory", w.Room("hq").ID}} {
		_, err := w.Chat.PostMessage(ctx, w.User(c.who), chat.Draft{Room: c.room, Body: "knock"})
		wantErr(t, c.who, err, chat.ErrNotFound)
	}
	if got := w.Int(`SELECT count(*) FROM messages`); got != before {
		t.Errorf("%d messages, want %d", got, before)
	}
	if got := w.Heard.Take(); len(got) != 0 {
		t.Errorf("announced %v", got)
	}
}

func TestTheUnreadMarkIsTheFirstUnreadMessages(t *testing.T) {
	w := chattest.New(t)
	room := w.Room("watercooler").ID
	if err := w.Chat.Present(ctx, w.ID("jason"), room); err != nil {
		t.Fatal(err)
	}
	if err := w.Chat.SetInvolvement(ctx, w.User("jz"), room, chat.Invisible); err != nil {
		t.Fatal(err)
	}
	// Somebody whose page gave no sign of life for over a minute is away.
	w.Exec(`UPDATE memberships SET connections = 1, connected_at = ?1 WHERE user_id = ?2 AND room_id = ?3`,
		rails.FormatTime(time.Now().Add(-2*time.Minute)), w.ID("bender"), room)
	first := w.Post("david", "watercooler", "one")
	w.Post("david", "watercooler", "two")
	w.Post("david", "watercooler", "three")
	unread := func(name string) time.Time {
		var m chat.Membership
		read(t, w.Chat, func(r *chat.Reader) (err error) {
			m, err = r.Membership(room, w.ID(name))
			return err
		})
		return m.UnreadAt
	}
	for name, want := range map[string]time.Time{"kevin": first.CreatedAt, "bender": first.CreatedAt, "david": {}, "jason": {}, "jz": {}} {
		if got := unread(name); !got.Equal(want) {
			t.Errorf("%s: unread since %v, want %v", name, got, want)
		}
	}
	// It goes with reading, comes again with the next, and nothing moves it else.
	if err := w.Chat.Present(ctx, w.ID("kevin"), room); err != nil {
		t.Fatal(err)
	}
	if got := unread("kevin"); !got.IsZero() {
		t.Errorf("unread since %v after reading", got)
	}
	if err := w.Chat.Absent(ctx, w.ID("kevin"), room); err != nil {
		t.Fatal(err)
	}
	next := w.Post("david", "watercooler", "four")
	if got := unread("kevin"); !got.Equal(next.CreatedAt) {
		t.Errorf("unread since %v, want %v", got, next.CreatedAt)
	}
	if _, err := w.Chat.EditMessage(ctx, w.User("david"), room, next.ID, "four, edited"); err != nil {
		t.Fatal(err)
	}
	if got := unread("kevin"); !got.Equal(next.CreatedAt) {
		t.Errorf("an edit moved the mark to %v", got)
	}
}

func TestAPostThatFailsLeavesNothing(t *testing.T) {
	w := chattest.New(t)
	w.Exec(`CREATE TRIGGER hearth_test_fail BEFORE UPDATE OF unread_at ON memberships BEGIN SELECT RAISE(ABORT, 'no'); END`)
	count := func() string {
		return fmt.Sprint(w.Int(`SELECT count(*) FROM messages`), w.Int(`SELECT count(*) FROM action_text_rich_texts`),
			w.Int(`SELECT count(*) FROM message_search_index`), w.Text(`SELECT max(updated_at) FROM rooms`), w.Int(`SELECT count(unread_at) FROM memberships`))
	}
	before := count()
	if _, err := w.Chat.PostMessage(ctx, w.User("kevin"), chat.Draft{Room: w.Room("hq").ID, Body: "half"}); err == nil {
		t.Fatal("the post succeeded in spite of the trigger")
	}
	if got := count(); got != before {
		t.Errorf("left %s, want %s", got, before)
	}
	if got := w.Heard.Take(); len(got) != 0 {
		t.Errorf("announced %v", got)
	}
}

func TestMentionsAreFoundByNameAndAnnounced(t *testing.T) {
	w := chattest.New(t)
	jz := w.User("jz")
	m := w.Post("kevin", "watercooler", `<div>Ask <action-text-attachment sgid="`+w.Keys.MentionSGID(int64(jz.ID))+`" content-type="application/vnd.campfire.mention"></action-text-attachment> now</div>`)
	posted := w.Heard.Take()[0].(chat.MessagePosted)
	if got := posted.People[jz.ID].Name; got != "JZ" {
		t.Errorf("announced people %v, want JZ among them", posted.People)
	}
	if got, want := w.Text(`SELECT body FROM message_search_index WHERE rowid = ?1`, m.ID), "Ask @JZ now"; got != want {
		t.Errorf("search text %q, want %q", got, want)
	}
}

func TestAnEditIsSeenEverywhereAndMovesTimesForward(t *testing.T) {
	w := chattest.New(t)
	room := w.Room("watercooler")
	m := w.Post("kevin", "watercooler", "<div>before</div>")
	w.Heard.Take()
	// The clock was ahead when the message and the room were last touched.
	ahead := m.UpdatedAt.Add(time.Minute)
	w.Exec(`UPDATE messages SET updated_at = ?1 WHERE id = ?2`, rails.FormatTime(ahead), m.ID)
	w.Exec(`UPDATE rooms SET updated_at = ?1 WHERE id = ?2`, rails.FormatTime(ahead), room.ID)
	edited, err := w.Chat.EditMessage(ctx, w.User("kevin"), room.ID, m.ID, "<div>after</div>")
	if err != nil {
		t.Fatal(err)
	}
	if !edited.UpdatedAt.After(ahead) || !edited.CreatedAt.Equal(m.CreatedAt) {
		t.Errorf("updated at %v, created at %v; want after %v and %v", edited.UpdatedAt, edited.CreatedAt, ahead, m.CreatedAt)
	}
	if got := w.Room("watercooler").UpdatedAt; !got.After(ahead) {
		t.Errorf("room updated at %v, want after %v", got, ahead)
	}
	if got := w.Text(`SELECT body FROM message_search_index WHERE rowid = ?1`, m.ID); got != "after" {
		t.Errorf("search text %q", got)
	}
	if got := w.Text(`SELECT body FROM action_text_rich_texts WHERE record_id = ?1`, m.ID); got != "<div>after</div>" {
		t.Errorf("body %q", got)
	}
	if e, ok := w.Heard.Take()[0].(chat.MessageEdited); !ok || e.Message.Body != "<div>after</div>" {
		t.Errorf("announced %+v", e)
	}
	checkSound(t, w.DB)
}

func TestOnlyAuthorAndAdministratorsChangeAMessage(t *testing.T) {
	w := chattest.New(t)
	room := w.Room("watercooler").ID
	for _, c := range []struct {
		who  string
		want error
	}{{"jz", chat.ErrForbidden}, {"bender", chat.ErrForbidden}, {"lou", chat.ErrNotFound}, {"kevin", nil}, {"jason", nil}} {
		m := w.Post("kevin", "watercooler", "mine")
		_, err := w.Chat.EditMessage(ctx, w.User(c.who), room, m.ID, "edited")
		wantErr(t, c.who+" edits", err, c.want)
		err = w.Chat.DeleteMessage(ctx, w.User(c.who), room, m.ID)
		wantErr(t, c.who+" deletes", err, c.want)
		err = w.Chat.DeleteMessage(ctx, w.User("david"), w.Room("hq").ID, m.ID)
		wantErr(t, "deletes under another room", err, chat.ErrNotFound)
	}
	secret := w.Post("jz", "secret", "hush")
	err := w.Chat.DeleteMessage(ctx, w.User("david"), secret.RoomID, secret.ID)
	wantErr(t, "an administrator outside the room", err, chat.ErrNotFound)
}

// removed notes which files went.
type removed struct{ keys []string }

func (r *removed) RemoveBlob(key string) error {
	r.keys = append(r.keys, key)
	return nil
}

func TestDeletingAMessageTakesItsFileItsPreviewAndItsVariants(t *testing.T) {
	files := &removed{}
	w := chattest.NewWith(t, chat.Options{Files: files})
	m := w.Post("kevin", "watercooler", "look")
	if _, err := w.Chat.Boost(ctx, w.User("jz"), m.ID, "👍"); err != nil {
		t.Fatal(err)
	}
	attach(w, 1, "Message", int64(m.ID), "attachment", "filekey")
	attach(w, 2, "ActiveStorage::Blob", 1, "preview_image", "previewkey")
	w.Exec(`INSERT INTO active_storage_variant_records (id, blob_id, variation_digest) VALUES (1, 2, 'digest')`)
	attach(w, 3, "ActiveStorage::VariantRecord", 1, "image", "variantkey")
	attach(w, 4, "User", int64(w.ID("kevin")), "avatar", "avatarkey")
	other := w.Post("kevin", "watercooler", "the same file")
	attach(w, 5, "Message", int64(m.ID), "attachment", "sharedkey")
	w.Exec(`INSERT INTO active_storage_attachments (name, record_type, record_id, blob_id, created_at) VALUES ('attachment', 'Message', ?1, 5, '2026-01-01 00:00:00')`, other.ID)

	if err := w.Chat.DeleteMessage(ctx, w.User("kevin"), m.RoomID, m.ID); err != nil {
		t.Fatal(err)
	}
	slices.Sort(files.keys)
	if want := []string{"filekey", "previewkey", "variantkey"}; !slices.Equal(files.keys, want) {
		t.Errorf("removed files %q, want %q", files.keys, want)
	}
	for sql, want := range map[string]string{
		`SELECT group_concat(key) FROM (SELECT key FROM active_storage_blobs ORDER BY id)`: "avatarkey,sharedkey",
		`SELECT count(*) FROM active_storage_attachments`:                                  "2",
		`SELECT count(*) FROM active_storage_variant_records`:                              "0",
		`SELECT count(*) FROM boosts`:                                                      "0",
		`SELECT count(*) FROM action_text_rich_texts WHERE body = 'look'`:                  "0",
	} {
		if got := w.Text(sql); got != want {
			t.Errorf("%s gives %s, want %s", sql, got, want)
		}
	}
	checkSound(t, w.DB)
}

func TestAFileStaysWhenTheDeletionFails(t *testing.T) {
	files := &removed{}
	w := chattest.NewWith(t, chat.Options{Files: files})
	m := w.Post("kevin", "watercooler", "look")
	attach(w, 1, "Message", int64(m.ID), "attachment", "filekey")
	w.Exec(`CREATE TRIGGER hearth_test_fail BEFORE DELETE ON messages BEGIN SELECT RAISE(ABORT, 'no'); END`)
	if err := w.Chat.DeleteMessage(ctx, w.User("kevin"), m.RoomID, m.ID); err == nil {
		t.Fatal("the deletion succeeded in spite of the trigger")
	}
	if len(files.keys) != 0 || w.Int(`SELECT count(*) FROM active_storage_blobs`) != 1 {
		t.Errorf("files %q are gone, %d rows are left", files.keys, w.Int(`SELECT count(*) FROM active_storage_blobs`))
	}
}

// attach gives an owner a file.
func attach(w *chattest.World, blob int64, ownerType string, owner int64, name, key string) {
	w.Exec(`INSERT INTO active_storage_blobs (id, key, filename, content_type, metadata, service_name, byte_size, checksum, created_at)
		VALUES (?1, ?2, ?2 || '.png', 'image/png', '{"identified":true,"width":320,"height":200.0,"analyzed":true}', 'local', 7, 'x', '2026-01-01 00:00:00')`, blob, key)
	w.Exec(`INSERT INTO active_storage_attachments (name, record_type, record_id, blob_id, created_at) VALUES (?1, ?2, ?3, ?4, '2026-01-01 00:00:00')`, name, ownerType, owner, blob)
}

func TestAMessageShowsItsAttachmentBoostsAndKind(t *testing.T) {
	w := chattest.New(t)
	file := w.Post("kevin", "watercooler", "")
	attach(w, 1, "Message", int64(file.ID), "attachment", "filekey")
	sound := w.Post("kevin", "watercooler", "/play rimshot")
	if _, err := w.Chat.Boost(ctx, w.User("jz"), sound.ID, "first"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Chat.Boost(ctx, w.User("bender"), sound.ID, "second"); err != nil {
		t.Fatal(err)
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		page, err := r.LastPage(w.Room("watercooler"))
		if err != nil {
			return err
		}
		if len(page) != 2 {
			t.Fatalf("%d messages, want 2", len(page))
		}
		want := chat.Blob{ID: 1, Key: "filekey", Filename: "filekey.png", ContentType: "image/png", ByteSize: 7, Checksum: "x", Width: 320, Height: 200}
		if a := page[0].Attachment; a == nil || *a != want || page[0].Kind() != chat.Attachment || page[0].PlainText(nil) != "filekey.png" {
			t.Errorf("attachment %+v, want %+v", a, want)
		}
		b := page[1].Boosts
		if page[1].Kind() != chat.Sound || len(b) != 2 || b[0].Content != "first" || b[0].Booster.Name != "JZ" || b[1].Booster.Role != chat.Bot {
			t.Errorf("kind %v, boosts %+v", page[1].Kind(), b)
		}
		return nil
	})
}

func TestAPageShowsItsOwnFilesAndBoostsAmongManyOfOthers(t *testing.T) {
	for _, others := range []int{0, 3, 100} {
		w := chattest.New(t)
		first := w.Post("kevin", "watercooler", "<div>one</div>")
		attach(w, 1000, "Message", int64(first.ID), "attachment", "firstkey")
		w.Exec(`INSERT INTO boosts (message_id, booster_id, content, created_at, updated_at) VALUES (?1, ?2, '1', ?3, ?3)`, first.ID, w.ID("kevin"), "2026-01-01 00:00:00")
		for i := range others {
			m := w.Post("david", "hq", fmt.Sprintf("<div>%d</div>", i))
			attach(w, int64(i+1), "Message", int64(m.ID), "attachment", fmt.Sprint("otherkey", i))
			w.Exec(`INSERT INTO boosts (message_id, booster_id, content, created_at, updated_at) VALUES (?1, ?2, 'x', ?3, ?3)`, m.ID, w.ID("david"), "2026-01-01 00:00:00")
		}
		last := w.Post("kevin", "watercooler", "<div>two</div>")
		attach(w, 1001, "Message", int64(last.ID), "attachment", "lastkey")
		attach(w, 1002, "Message", int64(last.ID), "attachment", "laterkey") // by hand: of two, the first counts
		w.Exec(`INSERT INTO boosts (message_id, booster_id, content, created_at, updated_at) VALUES (?1, ?2, '3', ?4, ?4), (?1, ?3, '2', ?5, ?5)`,
			last.ID, w.ID("jason"), w.ID("david"), "2026-01-01 00:00:02", "2026-01-01 00:00:01")
		read(t, w.Chat, func(r *chat.Reader) error {
			page, err := r.LastPage(w.Room("watercooler"))
			var got strings.Builder
			for _, m := range page {
				fmt.Fprint(&got, m.ID == first.ID || m.ID == last.ID)
				if m.Attachment != nil {
					got.WriteString(" " + m.Attachment.Key)
				}
				for _, b := range m.Boosts {
					got.WriteString(" " + b.Booster.Name + b.Content)
				}
				got.WriteString("; ")
			}
			kevin, david, jason := w.User("kevin").Name, w.User("david").Name, w.User("jason").Name
			want := fmt.Sprintf("true firstkey %s1; true lastkey %s2 %s3; ", kevin, david, jason)
			if got := got.String(); !strings.HasSuffix(got, want) {
				t.Errorf("among %d others: %q, want %q at the end", others, got, want)
			}
			return err
		})
	}
}

func TestAMessageWhoseAuthorIsGoneIsMarked(t *testing.T) {
	w := chattest.OpenSample(t, chat.Options{})
	missing := 0
	read(t, w.Chat, func(r *chat.Reader) error {
		page, err := r.LastPage(w.Room("broken"))
		for _, m := range page {
			if m.Author.Missing {
				missing++
			}
		}
		return err
	})
	if missing != 1 {
		t.Errorf("%d authors are missing, want 1", missing)
	}
	// It can still be cheered, edited and deleted: it refers to nobody, but nothing
	// in that refers to it.
	id := chat.MessageID(chattest.Labels(t)["messages.unrenderable"].(float64))
	david, room := w.User("david"), w.Room("broken").ID
	if _, err := w.Chat.Boost(ctx, david, id, "👍"); err != nil {
		t.Error(err)
	}
	if _, err := w.Chat.EditMessage(ctx, david, room, id, "edited"); err != nil {
		t.Error(err)
	}
	if err := w.Chat.DeleteMessage(ctx, david, room, id); err != nil {
		t.Error(err)
	}
	checkSound(t, w.DB)
}

func TestBoostsTouchMessageAndRoomAndAreTheirOwnersToTakeBack(t *testing.T) {
	w := chattest.New(t)
	m := w.Post("kevin", "watercooler", "cheer me")
	other := w.Post("kevin", "watercooler", "not me")
	w.Heard.Take()
	_, err := w.Chat.Boost(ctx, w.User("lou"), m.ID, "👍")
	wantErr(t, "an outsider's boost", err, chat.ErrNotFound)
	boost, err := w.Chat.Boost(ctx, w.User("jz"), m.ID, "a cheer of more than sixteen letters")
	if err != nil {
		t.Fatal(err)
	}
	added := w.Heard.Take()[0].(chat.BoostAdded)
	if added.Boost != boost || !added.Message.UpdatedAt.After(m.UpdatedAt) || !added.Room.UpdatedAt.After(m.UpdatedAt) || len(added.Message.Boosts) != 1 {
		t.Errorf("announced %+v", added)
	}
	for _, c := range []struct {
		who     string
		message chat.MessageID
	}{{"kevin", m.ID}, {"david", m.ID}, {"jz", other.ID}, {"lou", m.ID}} {
		wantErr(t, c.who, w.Chat.DeleteBoost(ctx, w.User(c.who), c.message, boost.ID), chat.ErrNotFound)
	}
	if err := w.Chat.DeleteBoost(ctx, w.User("jz"), m.ID, boost.ID); err != nil {
		t.Fatal(err)
	}
	gone := w.Heard.Take()[0].(chat.BoostRemoved)
	if gone.Boost.ID != boost.ID || !gone.Message.UpdatedAt.After(added.Message.UpdatedAt) || len(gone.Message.Boosts) != 0 {
		t.Errorf("announced %+v", gone)
	}
}

func TestMessagesGetStrictlyLaterTimesWhenTheClockStandsOrGoesBack(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 123456789, time.UTC)
	w := chattest.NewWith(t, chat.Options{Now: func() time.Time { return now }})
	var last time.Time
	var lastID chat.MessageID
	for i := range 20 {
		if i == 10 {
			now = now.Add(-10 * time.Minute)
		}
		m := w.Post("kevin", []string{"hq", "watercooler"}[i%2], "tick")
		if !m.CreatedAt.After(last) || m.ID <= lastID {
			t.Errorf("message %d at %v follows %d at %v", m.ID, m.CreatedAt, lastID, last)
		}
		last, lastID = m.CreatedAt, m.ID
	}
	// A new process goes on from the newest message.
	again := chat.New(w.DB, w.Keys, chat.Options{Now: func() time.Time { return now.Add(-time.Minute) }})
	m, err := again.PostMessage(ctx, w.User("kevin"), chat.Draft{Room: w.Room("hq").ID, Body: "after a restart"})
	if err != nil || !m.CreatedAt.After(last) {
		t.Errorf("message at %v, error %v; want after %v", m.CreatedAt, err, last)
	}
	if strings.Contains(rails.FormatTime(m.CreatedAt), "T") {
		t.Errorf("stored time %s", rails.FormatTime(m.CreatedAt))
	}
}

func TestAMessageFromTheFarFutureDoesNotPullOthersAlong(t *testing.T) {
	w := chattest.New(t)
	w.Exec(`INSERT INTO messages (room_id, creator_id, client_message_id, created_at, updated_at) VALUES (?1, ?2, 'far', '2099-01-01 00:00:00', '2099-01-01 00:00:00')`,
		w.Room("hq").ID, w.ID("kevin"))
	before := time.Now()
	again := chat.New(w.DB, w.Keys, chat.Options{})
	m, err := again.PostMessage(ctx, w.User("kevin"), chat.Draft{Room: w.Room("hq").ID, Body: "now"})
	if err != nil {
		t.Fatal(err)
	}
	if m.CreatedAt.Before(before.Add(-time.Second)) || m.CreatedAt.After(time.Now().Add(time.Second)) {
		t.Errorf("posted at %v, want about %v", m.CreatedAt, before)
	}
}
