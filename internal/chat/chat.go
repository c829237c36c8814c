package chat

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"hearth/internal/rails"
	"hearth/sqlite"
)

var (
	// ErrNotFound means missing or hidden from who asks; callers can't tell which.
	ErrNotFound = errors.New("chat: not found")
	// ErrForbidden means that who asks may see it but not do that to it.
	ErrForbidden = errors.New("chat: not allowed")
	// ErrTaken means that somebody else has that email address.
	ErrTaken = errors.New("chat: already taken")
	// ErrInvalid is wrapped with a sentence that says what can't be.
	ErrInvalid = errors.New("chat: invalid")
	// ErrSetUp means that the first run has been: there is an account.
	ErrSetUp = errors.New("chat: account exists")
	// ErrBusy means that too many writes wait already. Nothing was changed.
	ErrBusy = sqlite.ErrBusy
	// ErrFull means that the disk is full. Nothing was changed.
	ErrFull = sqlite.ErrFull
)

// Identifiers of rows. They are different types so that one can't stand in for
// another.
type (
	UserID    int64
	RoomID    int64
	MessageID int64
	BoostID   int64
	SessionID int64
	BlobID    int64
)

// Options of a Chat. The zero value is ready for production, but announces
// nothing and leaves the files of deleted attachments on disk.
type Options struct {
	Announce   Announcer        // hears of what happened, after its commit; nil: nobody
	Files      Files            // holds the bytes of attachments; nil: they are left alone
	Now        func() time.Time // nil: time.Now
	BcryptCost int              // of new passwords; 0: 12. Tests use 4
	Log        *slog.Logger     // hears what went wrong after a commit; nil: nothing is logged
}

// Files is what this package wants of the storage folder.
type Files interface {
	// RemoveBlob removes the file with this key, and its variants. A file that
	// is not there is no error.
	RemoveBlob(key string) error
}

// Client says where a request comes from, for the list of sessions and bans.
type Client struct {
	IP        string
	UserAgent string
}

// Chat answers and changes. It is safe for all goroutines.
type Chat struct {
	db    *sqlite.DB
	keys  *rails.Keys
	opt   Options // as given to New, with nothing left to default
	clock clock
	order order

	announcements announcements
}

// New returns a Chat over a database that Prepare has been called for.
func New(db *sqlite.DB, keys *rails.Keys, opt Options) *Chat {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.BcryptCost == 0 {
		opt.BcryptCost = bcryptCost
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return &Chat{db: db, keys: keys, opt: opt, announcements: announcements{to: opt.Announce, log: opt.Log}}
}

// Read calls fn with one moment of the database, on the caller's goroutine. fn
// must not keep the Reader, nor call a method of Chat that writes.
func (c *Chat) Read(ctx context.Context, fn func(*Reader) error) error {
	return c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		return fn(&Reader{q: s.Queries, ctx: ctx, order: &c.order})
	})
}

// Reader has every question that can be asked, as a method. It belongs to the
// function that it was given to.
type Reader struct {
	q     *sqlite.Queries
	ctx   context.Context // ends a long search
	order *order
}
