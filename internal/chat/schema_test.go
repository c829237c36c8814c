package chat_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/sqlite"
)

// objects returns the SQL of everything in the schema, by name, ours apart.
func objects(t *testing.T, db *sqlite.DB) (theirs, ours map[string]string) {
	t.Helper()
	theirs, ours = map[string]string{}, map[string]string{}
	err := db.Read(context.Background(), func(s *sqlite.Snapshot) error {
		return s.Query(`SELECT type, name, tbl_name, sql FROM sqlite_schema`, func(row sqlite.Row) error {
			name := row.Text(0) + " " + row.Text(1) + " on " + row.Text(2)
			if strings.HasPrefix(row.Text(1), "hearth_") || strings.HasPrefix(row.Text(2), "hearth_") {
				ours[name] = row.Text(3)
			} else {
				theirs[name] = row.Text(3)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return theirs, ours
}

func openFile(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{Synchronous: sqlite.Off, Readers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func rowsOf(t *testing.T, db *sqlite.DB, sql string) []string {
	t.Helper()
	var rows []string
	err := db.Read(context.Background(), func(s *sqlite.Snapshot) error {
		return s.Query(sql, func(row sqlite.Row) error {
			rows = append(rows, row.Text(0))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// checkSound checks the file itself, and that no reference and no search row is
// left over but those of the messages named.
func checkSound(t *testing.T, db *sqlite.DB, orphans ...string) {
	t.Helper()
	if got := rowsOf(t, db, `PRAGMA integrity_check`); !slices.Equal(got, []string{"ok"}) {
		t.Errorf("integrity_check says %q", got)
	}
	if got := rowsOf(t, db, `SELECT "table" || ' ' || rowid FROM pragma_foreign_key_check`); !slices.Equal(got, orphans) {
		t.Errorf("broken foreign keys in %q", got)
	}
	if got := rowsOf(t, db, `SELECT id FROM messages WHERE id NOT IN (SELECT id FROM message_search_index_docsize)
		UNION ALL SELECT id FROM message_search_index_docsize WHERE id NOT IN (SELECT id FROM messages)`); len(got) != 0 {
		t.Errorf("messages without search row, or search rows without message: %q", got)
	}
}

func TestANewDatabaseHasTheReferencesSchemaLetterByLetter(t *testing.T) {
	sample := openFile(t, filepath.Join(chattest.Sample(t), "db", "production.sqlite3"))
	want, _ := objects(t, sample)
	fresh := openFile(t, filepath.Join(t.TempDir(), "fresh.sqlite3"))
	if err := chat.Prepare(context.Background(), fresh, "production", nil); err != nil {
		t.Fatal(err)
	}
	got, ours := objects(t, fresh)
	if !maps.Equal(got, want) {
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s is\n%q, want\n%q", name, got[name], want[name])
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok {
				t.Errorf("%s is not in the reference's schema", name)
			}
		}
	}
	for _, index := range []string{"index hearth_messages_by_time on messages", "index hearth_messages_by_change on messages"} {
		if ours[index] == "" {
			t.Errorf("%s is missing", index)
		}
	}
	if got, want := rowsOf(t, fresh, `SELECT version FROM schema_migrations ORDER BY version`), rowsOf(t, sample, `SELECT version FROM schema_migrations ORDER BY version`); !slices.Equal(got, want) {
		t.Errorf("recorded versions are %q, want %q", got, want)
	}
	if got := rowsOf(t, fresh, `SELECT value FROM ar_internal_metadata WHERE key = 'environment'`); !slices.Equal(got, []string{"production"}) {
		t.Errorf("environment is %q", got)
	}
	checkSound(t, fresh)
}

func TestTheSampleOpensWithoutAChangeToWhatTheOldServerReads(t *testing.T) {
	path := filepath.Join(chattest.Sample(t), "db", "production.sqlite3")
	db := openFile(t, path)
	before, _ := objects(t, db)
	contents := func() []string {
		var all []string
		for _, table := range []string{"accounts", "users", "sessions", "rooms", "messages", "boosts", "searches", "bans", "webhooks",
			"push_subscriptions", "action_text_rich_texts", "active_storage_blobs", "active_storage_attachments", "schema_migrations", "ar_internal_metadata"} {
			columns := strings.Join(rowsOf(t, db, `SELECT 'coalesce("' || name || '", ''NULL'')' FROM pragma_table_info('`+table+`') ORDER BY cid`), " || '|' || ")
			all = append(all, rowsOf(t, db, `SELECT `+columns+` FROM `+table+` ORDER BY 1`)...)
		}
		return all
	}
	rows := contents()
	if len(rows) < 1000 {
		t.Fatalf("the sample has %d rows, which is too few to tell anything", len(rows))
	}
	for range 2 { // twice: the second start finds what the first left
		err := chat.Prepare(context.Background(), db, "production", func(string) error {
			return errors.New("there is nothing to upgrade, so nothing to back up")
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	after, ours := objects(t, db)
	if !maps.Equal(before, after) {
		t.Errorf("schema objects of the reference changed")
	}
	if len(ours) == 0 {
		t.Errorf("no index of ours was made")
	}
	if got := contents(); !slices.Equal(got, rows) {
		t.Errorf("rows changed")
	}
	checkSound(t, db, "messages 933434631") // its author is gone on purpose
}

func TestADatabaseOfFebruary2024IsUpgradedAfterABackup(t *testing.T) {
	old, err := os.ReadFile("testdata/february2024.sql")
	if err != nil {
		t.Fatal(err)
	}
	db := openFile(t, filepath.Join(t.TempDir(), "old.sqlite3"))
	run(t, db, string(old))
	var saved string
	err = chat.Prepare(context.Background(), db, "production", func(version string) error {
		saved = version
		if got := rowsOf(t, db, `SELECT name FROM pragma_table_info('users') WHERE name = 'active'`); len(got) != 1 {
			t.Errorf("the backup comes after the upgrade")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "20240209110503"; saved != want {
		t.Errorf("backed up version %q, want %q", saved, want)
	}
	checkSound(t, db)
	for sql, want := range map[string]string{
		`SELECT group_concat(status) FROM (SELECT status FROM users ORDER BY id)`: "0,1,0",
		`SELECT count(*) FROM schema_migrations`:                                  "15",
		`SELECT singleton_guard FROM accounts`:                                    "0",
		`SELECT coalesce(settings, 'NULL') FROM accounts`:                         "NULL",
		`SELECT checksum FROM active_storage_blobs`:                               "3juviRDxuET7yZtJ0YnQkA==",
	} {
		if got := rowsOf(t, db, sql); !slices.Equal(got, []string{want}) {
			t.Errorf("%s gives %q, want %q", sql, got, want)
		}
	}
	sameColumns(t, db)

	w := chattest.NewOn(t, db, chattest.Secret, chat.Options{})
	err = w.Chat.Read(context.Background(), func(r *chat.Reader) error {
		room, _, err := r.Room(1, 1)
		if err != nil {
			return err
		}
		page, err := r.LastPage(room)
		if err != nil {
			return err
		}
		if len(page) != 1 || page[0].Body != "<div>Hello from 2024</div>" || page[0].Author.Name != "David" {
			t.Errorf("the old message shows as %+v", page)
		}
		if _, err := r.SessionByToken("token-of-deactivated-mia"); !errors.Is(err, chat.ErrNotFound) {
			t.Errorf("a deactivated person's session gives %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sameColumns checks that an upgraded database has the columns of a new one, in
// whatever order.
func sameColumns(t *testing.T, db *sqlite.DB) {
	t.Helper()
	fresh := openFile(t, filepath.Join(t.TempDir(), "fresh.sqlite3"))
	if err := chat.Prepare(context.Background(), fresh, "production", nil); err != nil {
		t.Fatal(err)
	}
	const columns = `SELECT m.name || '.' || c.name || ' ' || lower(c.type) || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '-')
		FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY 1`
	if got, want := rowsOf(t, db, columns), rowsOf(t, fresh, columns); !slices.Equal(got, want) {
		for _, c := range want {
			if !slices.Contains(got, c) {
				t.Errorf("column %s is missing", c)
			}
		}
		for _, c := range got {
			if !slices.Contains(want, c) {
				t.Errorf("column %s is too much", c)
			}
		}
	}
}

// run executes statements that end with ";\n".
func run(t *testing.T, db *sqlite.DB, script string) {
	t.Helper()
	err := db.Write(context.Background(), func(tx *sqlite.Tx) error {
		for sql := range strings.SplitSeq(strings.TrimSpace(script), ";\n") {
			if err := tx.Exec(strings.TrimSuffix(sql, ";")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFailedBackupLeavesAnOldDatabaseAsItIs(t *testing.T) {
	old, err := os.ReadFile("testdata/february2024.sql")
	if err != nil {
		t.Fatal(err)
	}
	db := openFile(t, filepath.Join(t.TempDir(), "old.sqlite3"))
	run(t, db, string(old))
	before, _ := objects(t, db)
	full := errors.New("no space left")
	err = chat.Prepare(context.Background(), db, "production", func(string) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got error %v, want %v", err, full)
	}
	if after, ours := objects(t, db); !maps.Equal(before, after) || len(ours) != 0 {
		t.Errorf("the schema changed without a backup")
	}
}

func TestForeignAndUnknownDatabasesAreRefusedWithASentence(t *testing.T) {
	const migrations = `CREATE TABLE schema_migrations (version varchar NOT NULL PRIMARY KEY)`
	for name, c := range map[string]struct {
		script string
		reason string
	}{
		"another program":         {`CREATE TABLE notes (id integer)`, "another program"},
		"another Rails program":   {migrations + ";\nINSERT INTO schema_migrations VALUES ('20200101000000')", "another program"},
		"an empty record":         {migrations, "another program"},
		"before February 2024":    {migrations + ";\nINSERT INTO schema_migrations VALUES ('20231215043540'), ('20231220143106')", "older"},
		"from the future":         {migrations + ";\nINSERT INTO schema_migrations VALUES ('20231215043540'), ('20990101000000')", "newer"},
		"a record without tables": {migrations + ";\nINSERT INTO schema_migrations VALUES ('20231215043540'), ('20231220143106'), ('20240110071740'), ('20240115124901'), ('20240130003150'), ('20240130213001'), ('20240131105830'), ('20240209110503')", "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			db := openFile(t, filepath.Join(t.TempDir(), "other.sqlite3"))
			run(t, db, c.script)
			before, _ := objects(t, db)
			err := chat.Prepare(context.Background(), db, "production", nil)
			var unsupported *chat.UnsupportedError
			if !errors.As(err, &unsupported) {
				t.Fatalf("got error %v, want an UnsupportedError", err)
			}
			if !strings.Contains(unsupported.Reason, c.reason) || !strings.HasSuffix(unsupported.Reason, ".") {
				t.Errorf("the reason is %q, want a sentence with %q", unsupported.Reason, c.reason)
			}
			if after, ours := objects(t, db); !maps.Equal(before, after) || len(ours) != 0 {
				t.Errorf("a refused database was changed")
			}
		})
	}
}

func TestStartingForgetsWhoWasPresent(t *testing.T) {
	w := chattest.New(t)
	ctx := context.Background()
	kevin, room := w.ID("kevin"), w.Room("watercooler").ID
	if err := w.Chat.Present(ctx, kevin, room); err != nil {
		t.Fatal(err)
	}
	const present = `SELECT count(*) FROM memberships WHERE connected_at IS NOT NULL`
	if got := w.Int(present); got != 1 {
		t.Fatalf("%d memberships are connected before the start, want 1", got)
	}
	if err := chat.Prepare(ctx, w.DB, "production", nil); err != nil {
		t.Fatal(err)
	}
	if got := w.Int(present); got != 0 {
		t.Errorf("%d memberships are connected after the start, want 0", got)
	}
	if got := w.Int(`SELECT sum(connections) FROM memberships`); got != 0 {
		t.Errorf("%d connections are left", got)
	}
}
