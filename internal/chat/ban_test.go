package chat_test

import (
	"context"
	"regexp"
	"slices"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
)

func TestDeactivatingKeepsWhatWasSaidAndEndsTheRest(t *testing.T) {
	w := chattest.New(t)
	s := w.SignIn("kevin")
	kevin := s.User.ID
	w.Post("kevin", "hq", "stays")
	if err := w.Chat.RecordSearch(ctx, kevin, "salt"); err != nil {
		t.Fatal(err)
	}
	w.Exec(`INSERT INTO push_subscriptions (user_id, endpoint, created_at, updated_at) VALUES (?1, 'https://push.test/', '2026-01-01 00:00:00', '2026-01-01 00:00:00')`, kevin)
	wantErr(t, "a member deactivates", w.Chat.Deactivate(ctx, w.User("jz"), kevin), chat.ErrForbidden)
	w.Heard.Take()
	if err := w.Chat.Deactivate(ctx, w.User("jason"), kevin); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Heard.Take(), (chat.AccessRevoked{User: kevin}); len(got) != 1 || got[0] != want {
		t.Errorf("announced %v, want %v", got, want)
	}
	u := w.User("kevin")
	if form := regexp.MustCompile(`^kevin-deactivated-[0-9a-f-]{36}@example\.test$`); u.Status != chat.Deactivated || !form.MatchString(u.Email) {
		t.Errorf("status %v, address %s", u.Status, u.Email)
	}
	for sql, want := range map[string]int64{
		`SELECT count(*) FROM sessions WHERE user_id = ?1`:                                                                    0,
		`SELECT count(*) FROM searches WHERE user_id = ?1`:                                                                    0,
		`SELECT count(*) FROM push_subscriptions WHERE user_id = ?1`:                                                          0,
		`SELECT count(*) FROM messages WHERE creator_id = ?1`:                                                                 1,
		`SELECT count(*) FROM memberships WHERE user_id = ?1`:                                                                 2,
		`SELECT count(*) FROM memberships m JOIN rooms r ON r.id = m.room_id WHERE user_id = ?1 AND r.type = 'Rooms::Direct'`: 2,
	} {
		if got := w.Int(sql, kevin); got != want {
			t.Errorf("%s gives %d, want %d", sql, got, want)
		}
	}
	wantErr(t, "deactivating twice", w.Chat.Deactivate(ctx, w.User("jason"), kevin), chat.ErrNotFound)
	if err := w.Chat.Deactivate(ctx, w.User("jason"), w.ID("bender")); err != nil {
		t.Fatal(err)
	}
	if got := w.Text(`SELECT coalesce(email_address, 'NULL') FROM users WHERE id = ?1`, w.ID("bender")); got != "NULL" {
		t.Errorf("a bot's address is %s, want NULL", got)
	}
}

func TestBanningTakesAddressesSessionsAndMessages(t *testing.T) {
	w := chattest.New(t)
	s := w.SignIn("kevin")
	kevin := s.User.ID
	w.Exec(`UPDATE sessions SET ip_address = '198.51.100.4'`)
	w.SignIn("kevin")
	w.Exec(`INSERT INTO sessions (user_id, token, ip_address, last_active_at, created_at, updated_at) VALUES (?1, 'blank', ' ', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00')`, kevin)
	for range 60 {
		w.Post("kevin", "hq", "spam")
	}
	kept := w.Post("jz", "hq", "kept")
	w.Heard.Take()
	if err := w.Chat.Ban(ctx, w.User("david"), kevin); err != nil {
		t.Fatal(err)
	}
	deleted := 0
	for i, e := range w.Heard.Take() {
		switch e := e.(type) {
		case chat.AccessRevoked:
			if i != 0 || e.User != kevin || e.Reconnect {
				t.Errorf("event %d is %+v", i, e)
			}
		case chat.MessageDeleted:
			deleted++
			if len(e.Members) == 0 {
				t.Errorf("a deletion was announced to nobody")
			}
		default:
			t.Errorf("announced %+v", e)
		}
	}
	if deleted != 60 {
		t.Errorf("announced %d deletions, want 60", deleted)
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		for _, ip := range []string{"198.51.100.4", "203.0.113.1"} {
			if banned, err := r.Banned(ip); !banned || err != nil {
				t.Errorf("%s is not banned, error %v", ip, err)
			}
		}
		page, err := r.LastPage(w.Room("hq"))
		if !slices.Equal(idsOf(page), []chat.MessageID{kept.ID}) {
			t.Errorf("left messages %v, want %d", idsOf(page), kept.ID)
		}
		return err
	})
	if got := w.Int(`SELECT count(*) FROM sessions`); got != 0 {
		t.Errorf("%d sessions are left", got)
	}
	if err := w.Chat.Unban(ctx, w.User("david"), kevin); err != nil {
		t.Fatal(err)
	}
	if got := w.Int(`SELECT count(*) FROM bans WHERE user_id = ?1`, kevin); got != 0 || w.User("kevin").Status != chat.Active {
		t.Errorf("%d bans and status %v after unbanning", got, w.User("kevin").Status)
	}
	w.SignIn("kevin")
	checkSound(t, w.DB)
}

func TestABanThatWouldHitAPrivateAddressChangesNothing(t *testing.T) {
	w := chattest.New(t)
	first := w.SignIn("kevin")
	w.SignIn("kevin") // from a public address
	w.Post("kevin", "hq", "spam")
	for _, ip := range []string{"127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "172.20.1.1", "fc00::1", "fe80::1", "169.254.0.1", "::ffff:10.0.0.1", "not an address"} {
		w.Exec(`UPDATE sessions SET ip_address = ?1 WHERE id = ?2`, ip, first.ID)
		wantErr(t, "the ban of "+ip, w.Chat.Ban(ctx, w.User("david"), w.ID("kevin")), chat.ErrInvalid)
		if w.User("kevin").Status != chat.Active || w.Int(`SELECT count(*) FROM sessions`) != 2 || w.Int(`SELECT count(*) FROM messages`) != 1 {
			t.Errorf("a refused ban of %s changed something", ip)
		}
	}
}

func TestNewKeysVoidOldOnes(t *testing.T) {
	w := chattest.New(t)
	key, code := w.BotKey("bender"), w.Text(`SELECT join_code FROM accounts`)
	wantErr(t, "a member resets a key", w.Chat.ResetBotKey(ctx, w.User("kevin"), w.ID("bender")), chat.ErrForbidden)
	wantErr(t, "a key for a person", w.Chat.ResetBotKey(ctx, w.User("david"), w.ID("kevin")), chat.ErrNotFound)
	wantErr(t, "a member resets the join code", w.Chat.ResetJoinCode(ctx, w.User("kevin")), chat.ErrForbidden)
	if err := w.Chat.ResetBotKey(ctx, w.User("david"), w.ID("bender")); err != nil {
		t.Fatal(err)
	}
	if err := w.Chat.ResetJoinCode(ctx, w.User("david")); err != nil {
		t.Fatal(err)
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		_, err := r.UserByBotKey(key)
		wantErr(t, "the old key", err, chat.ErrNotFound)
		_, err = r.UserByBotKey(w.BotKey("bender"))
		return err
	})
	_, err := w.Chat.Join(ctx, code, chat.Newcomer{Name: "N", Email: "n@example.test"}, chat.Client{})
	wantErr(t, "the old join code", err, chat.ErrNotFound)
}

// hangUp is an announcer whose asker is gone once the first thing has happened.
type hangUp struct{ cancel context.CancelFunc }

func (h hangUp) Announce(context.Context, chat.Event) { h.cancel() }

func TestABanIsFinishedThoughWhoAskedHangsUp(t *testing.T) {
	asking, cancel := context.WithCancel(ctx)
	world := chattest.New(t)
	kevin := world.SignIn("kevin").User.ID
	world.Exec(`UPDATE sessions SET ip_address = '198.51.100.4'`)
	for range 60 { // more than one turn takes
		world.Post("kevin", "hq", "spam")
	}
	c := chat.New(world.DB, world.Keys, chat.Options{Announce: hangUp{cancel}})
	if err := c.Ban(asking, world.User("david"), kevin); err != nil {
		t.Fatal(err)
	}
	if asking.Err() == nil {
		t.Fatal("nobody hung up")
	}
	if n := world.Int(`SELECT count(*) FROM messages WHERE creator_id = ?1`, kevin); n != 0 {
		t.Errorf("%d messages are left, want none", n)
	}
}
