package chat

import (
	"fmt"

	"hearth/sqlite"
)

// step is one change of the schema since oldestVersion.
type step struct {
	change string
	done   string // a query that has a row when the change is there
	sql    []string
}

// steps lead from oldestVersion to the newest schema. Which of the recorded
// versions brought what does not matter: each step looks whether its change is
// there. Columns are added and dropped rather than tables rebuilt, so that no
// foreign key has to be switched off; their order then differs from a new
// database's, as it does on every installation that was upgraded.
var steps = []step{
	{
		change: "files without a checksum",
		done:   `SELECT 1 FROM pragma_table_info('active_storage_blobs') WHERE name = 'checksum' AND "notnull" = 0`,
		sql: []string{
			`ALTER TABLE active_storage_blobs RENAME COLUMN checksum TO checksum_was`,
			`ALTER TABLE active_storage_blobs ADD COLUMN checksum varchar`,
			`UPDATE active_storage_blobs SET checksum = checksum_was`,
			`ALTER TABLE active_storage_blobs DROP COLUMN checksum_was`,
		},
	},
	{
		change: "bans",
		done:   `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'bans'`,
		sql: []string{
			"CREATE TABLE \"bans\" (\"id\" integer PRIMARY KEY AUTOINCREMENT NOT NULL, \"created_at\" datetime(6) NOT NULL, \"ip_address\" varchar NOT NULL, \"updated_at\" datetime(6) NOT NULL, \"user_id\" integer NOT NULL, CONSTRAINT \"fk_rails_070022cd76\"\nFOREIGN KEY (\"user_id\")\n  REFERENCES \"users\" (\"id\")\n)",
			`CREATE INDEX "index_bans_on_ip_address" ON "bans" ("ip_address")`,
			`CREATE INDEX "index_bans_on_user_id" ON "bans" ("user_id")`,
		},
	},
	{
		change: "a status of people in place of a flag",
		done:   `SELECT 1 FROM pragma_table_info('users') WHERE name = 'status'`,
		sql: []string{
			`ALTER TABLE users ADD COLUMN "status" integer DEFAULT 0 NOT NULL`,
			`UPDATE users SET status = 1 WHERE active = 0`,
			`ALTER TABLE users DROP COLUMN active`,
		},
	},
	{
		change: "settings of the account",
		done:   `SELECT 1 FROM pragma_table_info('accounts') WHERE name = 'settings'`,
		sql:    []string{`ALTER TABLE accounts ADD COLUMN "settings" json`},
	},
	{
		change: "no second account",
		done:   `SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = 'index_accounts_on_singleton_guard'`,
		sql: []string{
			`ALTER TABLE accounts ADD COLUMN "singleton_guard" integer DEFAULT 0 NOT NULL`,
			`CREATE UNIQUE INDEX "index_accounts_on_singleton_guard" ON "accounts" ("singleton_guard")`,
		},
	},
}

// upgrade brings an outdated database to the newest schema.
func upgrade(tx *sqlite.Tx) error {
	for _, s := range steps {
		done, err := tx.One(s.done, func(sqlite.Row) error { return nil })
		if err != nil {
			return fmt.Errorf("upgrade: %s: %w", s.change, err)
		}
		if done {
			continue
		}
		for _, sql := range s.sql {
			if err := tx.Exec(sql); err != nil {
				return fmt.Errorf("upgrade: %s: %w", s.change, err)
			}
		}
	}
	return recordVersions(tx)
}

func recordVersions(tx *sqlite.Tx) error {
	for _, v := range versions {
		if err := tx.Exec(`INSERT INTO schema_migrations (version) VALUES (?1) ON CONFLICT DO NOTHING`, v); err != nil {
			return fmt.Errorf("record schema version %s: %w", v, err)
		}
	}
	return nil
}
