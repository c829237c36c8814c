package chat

import (
	"context"
	"errors"
	"time"
)

var errLater = errors.New("chat: not written yet")

const bcryptCost = 12

// Session is one signed-in browser.
type Session struct {
	ID           SessionID
	User         User
	Token        string
	LastActiveAt time.Time
}

// SessionByToken returns the session of an active user, exactly as its cookie
// names it. A session that outlived its user's deactivation or ban is ErrNotFound.
func (r *Reader) SessionByToken(token string) (Session, error) { return Session{}, errLater }

// SignIn starts a session. ErrForbidden when no active user has that email
// address and password; it takes as long as when one has.
func (c *Chat) SignIn(ctx context.Context, email, password string, from Client) (Session, error) {
	return Session{}, errLater
}

// SignOut ends a session, and the push subscription of its user with that
// endpoint, if one is named. A session that is gone already is no error.
func (c *Chat) SignOut(ctx context.Context, s Session, pushEndpoint string) error { return errLater }

// TouchSession notes that a session is alive and from where. It writes at most
// once an hour; s tells when it did last.
func (c *Chat) TouchSession(ctx context.Context, s Session, from Client) error { return errLater }

// ResetPassword sets the password of whoever has that email address, for the
// operator of the server. ErrNotFound when nobody has.
func (c *Chat) ResetPassword(ctx context.Context, email, password string) error { return errLater }
