package sqlite

import (
	"errors"
	"fmt"
)

var (
	// ErrBusy: the queue of waiting writes is full, or another process held the
	// database for longer than Options.BusyTimeout. Nothing was changed.
	ErrBusy = errors.New("sqlite: busy")
	// ErrFull: no space is left on the disk. Nothing of the call was changed;
	// calls succeed again when space returns.
	ErrFull = errors.New("sqlite: disk is full")
	// ErrClosed: the call came after Close.
	ErrClosed = errors.New("sqlite: database is closed")
	// ErrStop, returned by the function given to Query, ends the rows without
	// an error.
	ErrStop = errors.New("sqlite: stop")
	// ErrEnded: a Snapshot or Tx was used after the function it was given to
	// had returned.
	ErrEnded = errors.New("sqlite: used after its transaction ended")
)

// Result codes that this package branches on (sqlite.org/rescode.html).
const (
	codeError      = 1
	codeBusy       = 5
	codeReadOnly   = 8
	codeFull       = 13
	codeConstraint = 19
	codeMisuse     = 21
	codeRange      = 25

	codeConstraintPrimaryKey = codeConstraint | 6<<8
	codeConstraintUnique     = codeConstraint | 8<<8
	codeConstraintRowID      = codeConstraint | 10<<8
	codeIOErrShmSize         = 10 | 19<<8 // the log's index can't grow: no space
)

// Error is an error that SQLite reported.
type Error struct {
	Code         int    // primary result code: 19 is SQLITE_CONSTRAINT
	ExtendedCode int    // extended result code: 2067 is SQLITE_CONSTRAINT_UNIQUE
	Op           string // open, prepare, bind, run, begin, commit, checkpoint, backup or close
	Message      string // SQLite's own sentence
	SQL          string // text of the statement, without its arguments; may be empty
}

func (e *Error) Error() string {
	if e.SQL == "" {
		return fmt.Sprintf("sqlite: %s: %s (%d)", e.Op, e.Message, e.ExtendedCode)
	}
	const enough = 120
	sql := e.SQL
	if len(sql) > enough {
		sql = sql[:enough] + "…"
	}
	return fmt.Sprintf("sqlite: %s: %s (%d) in %q", e.Op, e.Message, e.ExtendedCode, sql)
}

// Is makes errors.Is(err, ErrBusy) and errors.Is(err, ErrFull) hold for what
// SQLite reports with other words.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrBusy:
		return e.Code == codeBusy
	case ErrFull:
		return e.Code == codeFull || e.ExtendedCode == codeIOErrShmSize
	}
	return false
}

// IsUnique reports whether err says that a row with the same unique or primary
// key exists. The statement changed nothing and its transaction goes on.
func IsUnique(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	switch e.ExtendedCode {
	case codeConstraintUnique, codeConstraintPrimaryKey, codeConstraintRowID:
		return true
	}
	return false
}

// Panic is what Write panics with in its caller's goroutine when the callback
// panicked in the writer's.
type Panic struct {
	Value any    // what the callback panicked with
	Stack []byte // where
}

func (p *Panic) Error() string {
	return fmt.Sprintf("sqlite: panic in a write: %v\n\n%s", p.Value, p.Stack)
}

// Unwrap returns the value when it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
