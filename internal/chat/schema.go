package chat

import (
	"context"

	"hearth/sqlite"
)

// UnsupportedError says in a sentence why a database can't be used.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

// Prepare makes db ready for New: creates the schema in an empty database, upgrades
// an older one after calling backup with the version it has, and forgets who was
// present. It must be called once per process start, before anybody connects.
// *UnsupportedError for a database that is not a chat's, or too old, or too new.
func Prepare(ctx context.Context, db *sqlite.DB, environment string, backup func(version string) error) error {
	return errLater
}
