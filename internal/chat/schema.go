package chat

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"hearth/internal/rails"
	"hearth/sqlite"
)

// schemaSQL makes the reference's tables and indexes, letter by letter: the old
// server reads the file that we leave.
//
//go:embed schema.sql
var schemaSQL string

// versions are the reference's schema versions. All must be recorded, or the old
// server would run migrations that have been.
var versions = []string{
	"20231215043540", "20231220143106", "20240110071740", "20240115124901",
	"20240130003150", "20240130213001", "20240131105830", "20240209110503",
	"20250825100957", "20250825100958", "20250825100959", "20251126092013",
	"20251126115722", "20251126130131", "20251212154340",
}

// oldestVersion is the oldest schema that Prepare upgrades: February 2024.
const oldestVersion = "20240209110503"

// ownSQL is what we keep beside the reference's tables. The old server ignores
// names that it doesn't know, and every name of ours begins with hearth_.
var ownSQL = []string{
	`CREATE INDEX IF NOT EXISTS hearth_messages_by_time ON messages (room_id, created_at, id)`,
	`CREATE INDEX IF NOT EXISTS hearth_messages_by_change ON messages (room_id, updated_at)`,
	`CREATE TABLE IF NOT EXISTS hearth_facts (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE IF NOT EXISTS hearth_doomed_rooms (room_id INTEGER PRIMARY KEY NOT NULL)`,
}

// UnsupportedError says in a sentence why a database can't be used.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

// Prepare makes db ready for New: creates the schema in an empty database, upgrades
// an older one after calling backup with the version it has, and forgets who was
// present. It must be called once per process start, before anybody connects.
// *UnsupportedError for a database that is not a chat's, or too old, or too new.
func Prepare(ctx context.Context, db *sqlite.DB, environment string, backup func(version string) error) error {
	var found state
	err := db.Read(ctx, func(s *sqlite.Snapshot) (err error) {
		found, err = look(s.Queries)
		return err
	})
	if err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	if err := found.supported(); err != nil {
		return err
	}
	if found.outdated() && backup != nil {
		if err := backup(found.latest()); err != nil {
			return fmt.Errorf("prepare database: back up before the upgrade from %s: %w", found.latest(), err)
		}
	}
	err = db.Write(ctx, func(tx *sqlite.Tx) error {
		if found.empty {
			if err := create(tx, environment); err != nil {
				return err
			}
		} else if found.outdated() {
			if err := upgrade(tx); err != nil {
				return err
			}
		}
		for _, sql := range ownSQL {
			if err := tx.Exec(sql); err != nil {
				return err
			}
		}
		return forgetPresence(tx, time.Now())
	})
	if err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	if err := checkOrder(ctx, db); err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	return nil
}

// state is what Prepare finds.
type state struct {
	empty    bool     // no table at all
	versions []string // recorded schema versions, ascending; nil: none are recorded
	missing  string   // a table that should be there
	accounts int
}

// neededTables have been there since oldestVersion.
var neededTables = []string{
	"accounts", "users", "sessions", "rooms", "memberships", "messages", "boosts", "searches",
	"push_subscriptions", "webhooks", "action_text_rich_texts", "active_storage_blobs",
	"active_storage_attachments", "active_storage_variant_records", "message_search_index",
}

func look(q *sqlite.Queries) (state, error) {
	var found state
	var tables []string
	err := q.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`, func(row sqlite.Row) error {
		tables = append(tables, row.Text(0))
		return nil
	})
	if err != nil || len(tables) == 0 {
		found.empty = err == nil
		return found, err
	}
	if !slices.Contains(tables, "schema_migrations") {
		return found, nil
	}
	err = q.Query(`SELECT version FROM schema_migrations ORDER BY version`, func(row sqlite.Row) error {
		found.versions = append(found.versions, row.Text(0))
		return nil
	})
	if err != nil {
		return found, err
	}
	for _, table := range neededTables {
		if !slices.Contains(tables, table) {
			found.missing = table
			return found, nil
		}
	}
	_, err = q.One(`SELECT count(*) FROM accounts`, func(row sqlite.Row) error {
		found.accounts = int(row.Int(0))
		return nil
	})
	return found, err
}

func (s *state) supported() error {
	refuse := func(format string, args ...any) error {
		return &UnsupportedError{Reason: fmt.Sprintf(format, args...)}
	}
	if s.empty {
		return nil
	}
	if len(s.versions) == 0 {
		return refuse("This database belongs to another program: it has tables, but no record of a Campfire schema.")
	}
	for _, v := range s.versions {
		if !slices.Contains(versions, v) {
			if v > versions[len(versions)-1] {
				return refuse("This database has schema version %s, which is newer than %s, the newest that this release knows.", v, versions[len(versions)-1])
			}
			return refuse("This database belongs to another program: schema version %s is none of Campfire's.", v)
		}
	}
	for _, v := range versions {
		if v <= oldestVersion && !slices.Contains(s.versions, v) {
			return refuse("This database has schema version %s, which is older than %s (February 2024): let a later release of Campfire upgrade it first.", s.latest(), oldestVersion)
		}
	}
	if s.missing != "" {
		return refuse("This database is damaged: it records a Campfire schema, but has no table %s.", s.missing)
	}
	if s.accounts > 1 {
		return refuse("This database has %d accounts, and there can be only one.", s.accounts)
	}
	return nil
}

func (s *state) outdated() bool {
	return !s.empty && len(s.versions) < len(versions)
}

func (s *state) latest() string {
	if len(s.versions) == 0 {
		return ""
	}
	return s.versions[len(s.versions)-1]
}

// create makes the schema in an empty database.
func create(tx *sqlite.Tx, environment string) error {
	for sql := range strings.SplitSeq(strings.TrimSpace(schemaSQL), ";\n") {
		if err := tx.Exec(strings.TrimSuffix(sql, ";")); err != nil {
			return err
		}
	}
	if err := recordVersions(tx); err != nil {
		return err
	}
	return tx.Exec(`INSERT INTO ar_internal_metadata (key, value, created_at, updated_at) VALUES ('environment', ?1, ?2, ?2)`,
		environment, rails.FormatTime(time.Now()))
}

// forgetPresence: whoever was present before the process started has no open
// page any more.
func forgetPresence(tx *sqlite.Tx, now time.Time) error {
	return tx.Exec(`UPDATE memberships SET connected_at = NULL, connections = 0, updated_at = ?1 WHERE connected_at >= ?2`,
		rails.FormatTime(now), rails.FormatTime(now.Add(-presenceTTL)))
}
