package chat

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/crypto/bcrypt"

	"hearth/internal/rails"
	"hearth/sqlite"
)

const (
	bcryptCost  = 12        // of new passwords
	passwordMax = 72        // bytes that bcrypt looks at; the reference cuts off the rest
	touchEvery  = time.Hour // least time between two notes that a session is alive
)

// Session is one signed-in browser.
type Session struct {
	ID           SessionID
	User         User
	Token        string
	LastActiveAt time.Time
}

// SessionByToken returns the session of an active user, exactly as its cookie
// names it. A session that outlived its user's deactivation or ban is ErrNotFound.
func (r *Reader) SessionByToken(token string) (Session, error) {
	var s Session
	found, err := r.q.One(`SELECT `+userColumns+`, s.id, s.last_active_at FROM sessions s JOIN users u ON u.id = s.user_id
		WHERE s.token = ?1 AND u.status = 0`, func(row sqlite.Row) (err error) {
		var t texts
		if s.User, err = scanUser(&t, row); err != nil {
			return err
		}
		s.ID = SessionID(row.Int(9))
		s.Token = token
		s.LastActiveAt, err = t.time(row, 10)
		return err
	}, token)
	if err == nil && !found {
		err = ErrNotFound
	}
	if err != nil {
		return Session{}, fmt.Errorf("load session: %w", err)
	}
	return s, nil
}

// SignIn starts a session. ErrForbidden when no active user has that email
// address and password; it takes as long as when one has.
func (c *Chat) SignIn(ctx context.Context, email, password string, from Client) (Session, error) {
	refuse := func(err error) (Session, error) { return Session{}, fmt.Errorf("sign in: %w", err) }
	if password == "" {
		return refuse(ErrForbidden)
	}
	var u User
	var digest string
	err := c.db.Read(ctx, func(s *sqlite.Snapshot) (err error) {
		u, digest, err = credentials(s.Queries, email)
		return err
	})
	if err != nil {
		return refuse(err)
	}
	if !c.passwordMatches(digest, password) {
		return refuse(ErrForbidden)
	}
	var session Session
	err = c.write(ctx, func(w *writer) error {
		now, same, err := credentials(w.q, email)
		if err != nil {
			return err
		}
		if now.ID != u.ID || same != digest { // deactivated, or another password, since we looked
			return ErrForbidden
		}
		session, err = w.startSession(now, from)
		return err
	})
	if err != nil {
		return refuse(err)
	}
	return session, nil
}

// credentials returns the active user with an email address and the digest of
// their password, or nobody and "".
func credentials(q *sqlite.Queries, email string) (u User, digest string, err error) {
	_, err = q.One(`SELECT `+userColumns+`, u.password_digest FROM users u WHERE u.email_address = ?1 AND u.status = 0`, func(row sqlite.Row) (err error) {
		digest = row.Text(9)
		u, err = scanUser(&texts{}, row)
		return err
	}, email)
	return u, digest, err
}

// passwordMatches takes as long for nobody, whose digest is empty, as for
// somebody.
func (c *Chat) passwordMatches(digest, password string) bool {
	if digest == "" {
		c.digest(password)
		return false
	}
	return bcrypt.CompareHashAndPassword([]byte(digest), cut(password)) == nil
}

// digest returns what is stored of a password: "" for none.
func (c *Chat) digest(password string) (string, error) {
	if password == "" {
		return "", nil
	}
	digest, err := bcrypt.GenerateFromPassword(cut(password), c.opt.BcryptCost)
	if err != nil {
		return "", fmt.Errorf("digest of password: %w", err)
	}
	return string(digest), nil
}

// cut returns as much of a password as bcrypt looks at.
func cut(password string) []byte {
	return []byte(password[:min(len(password), passwordMax)])
}

func (w *writer) startSession(u User, from Client) (Session, error) {
	s := Session{User: u, Token: rails.NewSessionToken(), LastActiveAt: w.at}
	err := w.exec(`INSERT INTO sessions (user_id, token, ip_address, user_agent, last_active_at, created_at, updated_at)
		VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5)`, u.ID, s.Token, from.IP, from.UserAgent, w.now)
	s.ID = SessionID(w.tx.LastInsertID())
	return s, err
}

// SignOut ends a session, and the push subscriptions of its user with that
// endpoint, if one is named. A session that is gone already is no error. The
// user's sockets are closed; those of other sessions come back.
func (c *Chat) SignOut(ctx context.Context, s Session, pushEndpoint string) error {
	err := c.write(ctx, func(w *writer) error {
		if pushEndpoint != "" {
			err := w.exec(`DELETE FROM push_subscriptions WHERE user_id = ?1 AND endpoint = ?2`, s.User.ID, pushEndpoint)
			if err != nil {
				return err
			}
		}
		w.announce(AccessRevoked{User: s.User.ID, Reconnect: true})
		return w.exec(`DELETE FROM sessions WHERE id = ?1`, s.ID)
	})
	if err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	return nil
}

// TouchSession notes that a session is alive and from where. It writes at most
// once an hour; s tells when it did last.
func (c *Chat) TouchSession(ctx context.Context, s Session, from Client) error {
	if c.opt.Now().Sub(s.LastActiveAt) <= touchEvery {
		return nil
	}
	err := c.write(ctx, func(w *writer) error {
		return w.exec(`UPDATE sessions SET last_active_at = ?1, updated_at = ?1, ip_address = ?2, user_agent = ?3 WHERE id = ?4`,
			w.now, from.IP, from.UserAgent, s.ID)
	})
	if err != nil {
		return fmt.Errorf("touch session: %w", err)
	}
	return nil
}

// ResetPassword sets the password of whoever has that email address, for the
// operator of the server. ErrNotFound when nobody has, ErrInvalid for an empty
// password.
func (c *Chat) ResetPassword(ctx context.Context, email, password string) error {
	if password == "" {
		return fmt.Errorf("reset password: %w: a password can't be empty", ErrInvalid)
	}
	digest, err := c.digest(password)
	if err != nil {
		return fmt.Errorf("reset password: %w", err)
	}
	err = c.write(ctx, func(w *writer) error {
		u, err := w.user(`SELECT `+userColumns+` FROM users u WHERE u.email_address = ?1`, email)
		if err != nil {
			return err
		}
		return w.exec(`UPDATE users SET password_digest = ?1, updated_at = ?2 WHERE id = ?3`, digest, w.now, u.ID)
	})
	if err != nil {
		return fmt.Errorf("reset password of %s: %w", email, err)
	}
	return nil
}
