package chat

import (
	"context"
	"time"
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

// Account returns the account; ErrNotFound before the first run.
func (r *Reader) Account() (Account, error) { return Account{}, errLater }

// Newcomer is somebody about to get an account of their own.
type Newcomer struct {
	Name     string
	Email    string
	Password string
}

// FirstRun makes the account, its administrator and the first room, and signs
// the administrator in. ErrSetUp when somebody was faster.
func (c *Chat) FirstRun(ctx context.Context, n Newcomer, from Client) (Session, Room, error) {
	return Session{}, Room{}, errLater
}

// Join makes a member and signs them in. ErrNotFound when code is not the join
// code, ErrTaken when somebody has that email address.
func (c *Chat) Join(ctx context.Context, code string, n Newcomer, from Client) (Session, error) {
	return Session{}, errLater
}
