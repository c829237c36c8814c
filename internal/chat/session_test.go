package chat_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
)

var ctx = context.Background()

// read runs fn in one snapshot; an error of fn fails the test.
func read(t *testing.T, c *chat.Chat, fn func(*chat.Reader) error) {
	t.Helper()
	if err := c.Read(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

// wantErr checks an error by identity.
func wantErr(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got error %v, want %v", what, got, want)
	}
}

func TestFiveFirstRunsAtOnceMakeOneAccount(t *testing.T) {
	w := chattest.Empty(t, chat.Options{})
	read(t, w.Chat, func(r *chat.Reader) error {
		_, err := r.Account()
		wantErr(t, "account before the first run", err, chat.ErrNotFound)
		any, err := r.HasUsers()
		if any {
			t.Errorf("there are users before the first run")
		}
		return err
	})
	var wait sync.WaitGroup
	errs := make([]error, 5)
	for i := range errs {
		wait.Go(func() {
			n := chat.Newcomer{Name: "Ann", Email: strings.Repeat("a", i+1) + "@example.test", Password: "secret123456"}
			_, _, errs[i] = w.Chat.FirstRun(ctx, n, chat.Client{IP: "203.0.113.5", UserAgent: "test"})
		})
	}
	wait.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			wantErr(t, "a later first run", err, chat.ErrSetUp)
		}
	}
	if won != 1 {
		t.Errorf("%d first runs succeeded, want 1", won)
	}
	for sql, want := range map[string]int64{
		`SELECT count(*) FROM accounts`:                                    1,
		`SELECT count(*) FROM users`:                                       1,
		`SELECT count(*) FROM users WHERE role = 1`:                        1,
		`SELECT count(*) FROM rooms WHERE type = 'Rooms::Open'`:            1,
		`SELECT count(*) FROM memberships`:                                 1,
		`SELECT count(*) FROM sessions WHERE ip_address <> ''`:             1,
		`SELECT count(*) FROM rooms r JOIN users u ON u.id = r.creator_id`: 1,
	} {
		if got := w.Int(sql); got != want {
			t.Errorf("%s gives %d, want %d", sql, got, want)
		}
	}
}

func TestOnlyTheRightPasswordOfAnActivePersonSignsIn(t *testing.T) {
	w := chattest.New(t)
	for _, c := range []struct {
		name, email, password string
		ok                    bool
	}{
		{"the right password", "kevin@example.test", chattest.Password, true},
		{"a wrong password", "kevin@example.test", "secret1234567", false},
		{"no password", "kevin@example.test", "", false},
		{"another case of the address", "Kevin@example.test", chattest.Password, false},
		{"nobody", "nobody@example.test", chattest.Password, false},
		{"no address", "", chattest.Password, false},
		{"deactivated", "rita@example.test", chattest.Password, false},
		{"banned", "mallory@example.test", chattest.Password, false},
	} {
		s, err := w.Chat.SignIn(ctx, c.email, c.password, chat.Client{IP: "203.0.113.7", UserAgent: "Browser"})
		if !c.ok {
			wantErr(t, c.name, err, chat.ErrForbidden)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(s.Token) != 24 {
			t.Errorf("%s: token %q, want 24 characters", c.name, s.Token)
		}
		if got := w.Text(`SELECT ip_address || ' ' || user_agent FROM sessions WHERE token = ?1`, s.Token); got != "203.0.113.7 Browser" {
			t.Errorf("%s: the session is from %q", c.name, got)
		}
		read(t, w.Chat, func(r *chat.Reader) error {
			got, err := r.SessionByToken(s.Token)
			if got.User.Name != "Kevin" || got.ID != s.ID || !got.LastActiveAt.Equal(s.LastActiveAt) {
				t.Errorf("the token finds %+v, want %+v", got, s)
			}
			return err
		})
	}
	if got := w.Int(`SELECT count(*) FROM sessions`); got != 1 {
		t.Errorf("%d sessions, want 1", got)
	}
}

func TestPasswordsBeyond72BytesAreCutOff(t *testing.T) {
	w := chattest.New(t)
	long := strings.Repeat("é", 36) // 72 bytes
	if err := w.Chat.ResetPassword(ctx, "kevin@example.test", long+"tail"); err != nil {
		t.Fatal(err)
	}
	digest := w.Text(`SELECT password_digest FROM users WHERE email_address = 'kevin@example.test'`)
	if err := bcrypt.CompareHashAndPassword([]byte(digest), []byte(long)); err != nil {
		t.Errorf("the digest is not that of the first 72 bytes: %v", err)
	}
	if _, err := w.Chat.SignIn(ctx, "kevin@example.test", long+"another tail", chat.Client{}); err != nil {
		t.Errorf("sign in with the same 72 bytes: %v", err)
	}
	wantErr(t, "an empty new password", w.Chat.ResetPassword(ctx, "kevin@example.test", ""), chat.ErrInvalid)
	wantErr(t, "a new password for nobody", w.Chat.ResetPassword(ctx, "nobody@example.test", "x"), chat.ErrNotFound)
}

func TestPeopleOfTheSampleSignInWithTheirOldPasswordsAndCookies(t *testing.T) {
	w := chattest.OpenSample(t, chat.Options{})
	if _, err := w.Chat.SignIn(ctx, "david@example.test", "secret123456", chat.Client{}); err != nil {
		t.Error(err)
	}
	labels := chattest.Labels(t)
	read(t, w.Chat, func(r *chat.Reader) error {
		for _, name := range []string{"david", "jason", "kevin", "loner"} {
			s, err := r.SessionByToken(labels["sessions."+name].(string))
			if err != nil || s.User.ID != w.ID(name) {
				t.Errorf("the session of %s gives user %d, error %v", name, s.User.ID, err)
			}
		}
		bot, err := r.UserByBotKey(labels["bot_keys.bender"].(string))
		if err != nil || bot.ID != w.ID("bender") {
			t.Errorf("bender's key gives user %d, error %v", bot.ID, err)
		}
		_, err = r.UserByBotKey(labels["bot_keys.old_bot"].(string))
		wantErr(t, "a deactivated bot's key", err, chat.ErrNotFound)
		return nil
	})
}

func TestASessionThatOutlivesItsUserIsRefused(t *testing.T) {
	w := chattest.New(t)
	s := w.SignIn("kevin")
	for _, status := range []chat.Status{chat.Deactivated, chat.Banned} {
		w.Exec(`UPDATE users SET status = ?1 WHERE id = ?2`, status, s.User.ID)
		read(t, w.Chat, func(r *chat.Reader) error {
			_, err := r.SessionByToken(s.Token)
			wantErr(t, "a session of somebody put out", err, chat.ErrNotFound)
			return nil
		})
		_, err := w.Chat.PostMessage(ctx, s.User, chat.Draft{Room: w.Room("hq").ID, Body: "still here"})
		wantErr(t, "a post by somebody put out", err, chat.ErrNotFound)
		_, err = w.Chat.CreateOpenRoom(ctx, s.User, "Mine")
		wantErr(t, "a room by somebody put out", err, chat.ErrForbidden)
	}
}

func TestSigningOutEndsTheSessionAndItsPushSubscription(t *testing.T) {
	w := chattest.New(t)
	here, there := w.SignIn("kevin"), w.SignIn("kevin")
	for _, endpoint := range []string{"https://push.test/here", "https://push.test/there"} {
		w.Exec(`INSERT INTO push_subscriptions (user_id, endpoint, created_at, updated_at) VALUES (?1, ?2, '2026-01-01 00:00:00', '2026-01-01 00:00:00')`, here.User.ID, endpoint)
	}
	if err := w.Chat.SignOut(ctx, here, "https://push.test/here"); err != nil {
		t.Fatal(err)
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		_, err := r.SessionByToken(here.Token)
		wantErr(t, "the session that ended", err, chat.ErrNotFound)
		_, err = r.SessionByToken(there.Token)
		return err
	})
	if got := w.Text(`SELECT group_concat(endpoint) FROM push_subscriptions`); got != "https://push.test/there" {
		t.Errorf("push subscriptions are %q", got)
	}
	if err := w.Chat.SignOut(ctx, here, ""); err != nil {
		t.Errorf("signing out twice: %v", err)
	}
}

func TestASessionIsTouchedOnceAnHour(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	w := chattest.NewWith(t, chat.Options{Now: func() time.Time { return now }})
	s := w.SignIn("kevin")
	touch := func(after time.Duration, from string) string {
		t.Helper()
		now = s.LastActiveAt.Add(after)
		if err := w.Chat.TouchSession(ctx, s, chat.Client{IP: from, UserAgent: "New"}); err != nil {
			t.Fatal(err)
		}
		return w.Text(`SELECT ip_address FROM sessions WHERE id = ?1`, s.ID)
	}
	if got := touch(time.Hour, "203.0.113.50"); got != "203.0.113.1" {
		t.Errorf("touched after exactly an hour: address %q", got)
	}
	if got := touch(time.Hour+time.Second, "203.0.113.51"); got != "203.0.113.51" {
		t.Errorf("not touched after more than an hour: address %q", got)
	}
}

func TestJoiningNeedsTheCodeAndAFreeAddress(t *testing.T) {
	w := chattest.New(t)
	code := w.Text(`SELECT join_code FROM accounts`)
	n := chat.Newcomer{Name: "Newt", Email: "newt@example.test", Password: "pass"}
	_, err := w.Chat.Join(ctx, "wrong", n, chat.Client{})
	wantErr(t, "a wrong code", err, chat.ErrNotFound)
	_, err = w.Chat.Join(ctx, "", n, chat.Client{})
	wantErr(t, "no code", err, chat.ErrNotFound)
	_, err = w.Chat.Join(ctx, code, chat.Newcomer{Name: "K", Email: "kevin@example.test", Password: "pass"}, chat.Client{})
	wantErr(t, "a taken address", err, chat.ErrTaken)
	s, err := w.Chat.Join(ctx, code, n, chat.Client{})
	if err != nil {
		t.Fatal(err)
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		if _, _, err := r.Room(w.Room("hq").ID, s.User.ID); err != nil {
			t.Errorf("the newcomer is not in the open room: %v", err)
		}
		_, _, err := r.Room(w.Room("watercooler").ID, s.User.ID)
		wantErr(t, "a closed room for a newcomer", err, chat.ErrNotFound)
		return nil
	})
}

func TestABotKeyNeedsAnActiveBotsToken(t *testing.T) {
	w := chattest.New(t)
	kevin, bender := w.User("kevin"), w.User("bender")
	read(t, w.Chat, func(r *chat.Reader) error {
		u, err := r.UserByBotKey("  " + w.BotKey("bender") + "\n")
		if err != nil || u.ID != bender.ID {
			t.Errorf("bender's key gives user %d, error %v", u.ID, err)
		}
		id := strings.Split(w.BotKey("kevin"), "-")[0]
		for _, key := range []string{id + "-", id, "-", "", id + "-" + bender.BotToken, strings.Split(w.BotKey("bender"), "-")[0] + "-", w.BotKey("old_bot"), "99999999999999999999-x"} {
			if u, err := r.UserByBotKey(key); !errors.Is(err, chat.ErrNotFound) {
				t.Errorf("key %q gives user %d (kevin is %d), error %v", key, u.ID, kevin.ID, err)
			}
		}
		return nil
	})
}

func TestBansAreByExactAddress(t *testing.T) {
	w := chattest.New(t)
	read(t, w.Chat, func(r *chat.Reader) error {
		for ip, want := range map[string]bool{"203.0.113.9": true, "203.0.113.90": false, "": false} {
			if got, err := r.Banned(ip); got != want || err != nil {
				t.Errorf("Banned(%q) = %v, %v, want %v", ip, got, err, want)
			}
		}
		return nil
	})
}
