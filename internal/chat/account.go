package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"hearth/internal/rails"
	"hearth/sqlite"
)

// Account is the one account of an installation.
type Account struct {
	ID                   int64
	Name                 string
	JoinCode             string
	CustomStyles         string // CSS, put into every page as it is
	RestrictRoomCreation bool   // only administrators make open and closed rooms
	HasLogo              bool
	UpdatedAt            time.Time
}

// What a first run makes.
const (
	firstAccountName = "Hearth"
	firstRoomName    = "All Talk"
	firstSettings    = `{"restrict_room_creation_to_administrators":false}`
)

// Account returns the account; ErrNotFound before the first run.
func (r *Reader) Account() (Account, error) {
	var a Account
	found, err := r.q.One(`SELECT a.id, a.name, a.join_code, a.custom_styles, a.settings, a.updated_at,
		EXISTS (SELECT 1 FROM active_storage_attachments WHERE record_type = 'Account' AND record_id = a.id AND name = 'logo')
		FROM accounts a ORDER BY a.id LIMIT 1`, func(row sqlite.Row) (err error) {
		a = Account{
			ID:                   row.Int(0),
			Name:                 row.Text(1),
			JoinCode:             row.Text(2),
			CustomStyles:         row.Text(3),
			RestrictRoomCreation: restrictsRoomCreation(row.Text(4)),
			HasLogo:              row.Bool(6),
		}
		a.UpdatedAt, err = timeOf(row, 5)
		return err
	})
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return a, fmt.Errorf("load account: %w", err)
	}
	return a, nil
}

// restrictsRoomCreation reads the one setting there is. Old rows have NULL, and
// some hold it as text.
func restrictsRoomCreation(settings string) bool {
	var s struct {
		Restrict any `json:"restrict_room_creation_to_administrators"`
	}
	if settings == "" || json.Unmarshal([]byte(settings), &s) != nil {
		return false
	}
	return s.Restrict == true || s.Restrict == "true"
}

// Newcomer is somebody about to get an account of their own.
type Newcomer struct {
	Name     string
	Email    string
	Password string // empty: no password, so no way to sign in again
}

func (n *Newcomer) check() error {
	if err := checkLabel("a name", n.Name); err != nil {
		return err
	}
	return checkLabel("an email address", n.Email)
}

// FirstRun makes the account, its administrator and the first room, and signs
// the administrator in. ErrSetUp when somebody was faster, ErrInvalid for a name or
// an address that is too long.
func (c *Chat) FirstRun(ctx context.Context, n Newcomer, from Client) (Session, Room, error) {
	err := c.Read(ctx, func(r *Reader) error { return r.notSetUp() })
	if err == nil {
		err = n.check()
	}
	if err != nil {
		return Session{}, Room{}, fmt.Errorf("first run: %w", err)
	}
	digest, err := c.digest(n.Password)
	if err != nil {
		return Session{}, Room{}, fmt.Errorf("first run: %w", err)
	}
	var session Session
	var room Room
	err = c.write(ctx, func(w *writer) error {
		if err := w.notSetUp(); err != nil {
			return err
		}
		err := w.exec(`INSERT INTO accounts (name, join_code, settings, singleton_guard, created_at, updated_at) VALUES (?1, ?2, ?3, 0, ?4, ?4)`,
			firstAccountName, rails.NewJoinCode(), firstSettings, w.now)
		if err != nil {
			return err
		}
		u, err := w.insertUser(User{Name: n.Name, Email: n.Email, Role: Administrator}, digest)
		if err != nil {
			return err
		}
		if room, err = w.insertRoom(firstRoomName, Open, u.ID); err != nil {
			return err
		}
		if err := w.grantEverybody(room.ID); err != nil {
			return err
		}
		session, err = w.startSession(u, from)
		return err
	})
	if err != nil {
		return Session{}, Room{}, fmt.Errorf("first run: %w", err)
	}
	return session, room, nil
}

func (r *Reader) notSetUp() error {
	made, err := exists(r.q, `SELECT 1 FROM accounts LIMIT 1`)
	if err == nil && made {
		err = ErrSetUp
	}
	return err
}

// Join makes a member and signs them in. ErrNotFound when code is not the join
// code, ErrTaken when somebody has that email address, ErrInvalid for a name or an
// address that is too long.
func (c *Chat) Join(ctx context.Context, code string, n Newcomer, from Client) (Session, error) {
	err := c.Read(ctx, func(r *Reader) error { return r.mayJoin(code, n.Email) })
	if err == nil {
		err = n.check()
	}
	if err != nil {
		return Session{}, fmt.Errorf("join: %w", err)
	}
	digest, err := c.digest(n.Password)
	if err != nil {
		return Session{}, fmt.Errorf("join: %w", err)
	}
	var session Session
	err = c.write(ctx, func(w *writer) error {
		if err := w.mayJoin(code, n.Email); err != nil {
			return err
		}
		u, err := w.insertUser(User{Name: n.Name, Email: n.Email}, digest)
		if err != nil {
			return err
		}
		session, err = w.startSession(u, from)
		return err
	})
	if err != nil {
		return Session{}, fmt.Errorf("join: %w", err)
	}
	return session, nil
}

// ResetJoinCode makes another join code; links with the old one are void.
// ErrForbidden unless by is an administrator.
func (c *Chat) ResetJoinCode(ctx context.Context, by User) error {
	err := c.write(ctx, func(w *writer) error {
		if err := w.mustAdminister(by.ID); err != nil {
			return err
		}
		return w.exec(`UPDATE accounts SET join_code = ?1, updated_at = ?2`, rails.NewJoinCode(), w.now)
	})
	if err != nil {
		return fmt.Errorf("reset join code: %w", err)
	}
	return nil
}

func (r *Reader) mayJoin(code, email string) error {
	a, err := r.Account()
	if err != nil {
		return err
	}
	if code == "" || code != a.JoinCode {
		return ErrNotFound
	}
	taken, err := exists(r.q, `SELECT 1 FROM users WHERE email_address = ?1`, email)
	if err == nil && taken {
		err = ErrTaken
	}
	return err
}

// insertUser adds somebody, who gets into every open room. A digest or an address
// that is empty is stored as NULL.
func (w *writer) insertUser(u User, digest string) (User, error) {
	err := w.exec(`INSERT INTO users (name, email_address, password_digest, role, status, bot_token, created_at, updated_at)
		VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?6)`,
		u.Name, orNull(u.Email), orNull(digest), u.Role, orNull(u.BotToken), w.now)
	if sqlite.IsUnique(err) {
		return u, fmt.Errorf("email address: %w", ErrTaken)
	}
	if err != nil {
		return u, err
	}
	u.ID = UserID(w.tx.LastInsertID())
	u.CreatedAt, u.UpdatedAt = w.at, w.at
	return u, w.exec(`INSERT INTO memberships (room_id, user_id, involvement, created_at, updated_at)
		SELECT id, ?1, ?2, ?3, ?3 FROM rooms WHERE type = ?4 ON CONFLICT DO NOTHING`, u.ID, Mentions, w.now, Open)
}

// orNull returns text for a column where "" is stored as NULL.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
