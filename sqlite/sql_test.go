package sqlite

import (
	"path/filepath"
	"testing"

	zombiezen "zombiezen.com/go/sqlite"
)

func TestFirstWordOfAStatement(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT 1":                         "SELECT",
		" \t\n\f\v\rselect*from t":         "SELECT",
		"-- a -- b\n/* c; */ Commit":       "COMMIT",
		"/*/ COMMIT */ END":                "END",
		";;COMMIT":                         "COMMIT",
		"\ufeffCOMMIT":                     "COMMIT",
		"COMMIT\x00SELECT":                 "COMMIT",
		"":                                 "",
		" ; /* never ended COMMIT":         "",
		"-- COMMIT":                        "",
		"\x00COMMIT":                       "",
		"(SELECT 1)":                       "(",
		"ROLLBACK_or_not":                  "ROLLBACK",
		"WITH a AS (SELECT 1) SELECT 1":    "WITH",
		"insert into t values (';COMMIT')": "INSERT",
	} {
		if got := firstWord(sql); got != want {
			t.Errorf("firstWord(%q) = %q, want %q", sql, got, want)
		}
	}
}

// FuzzFirstWord holds firstWord to SQLite's own reading: what is not taken for
// the end of a transaction must not end one, and what is taken for a question
// must not change anything.
func FuzzFirstWord(f *testing.F) {
	for _, sql := range []string{"COMMIT", ";COMMIT", " \vEND", "\ufeff ROLLBACK", "/**/BEGIN", "--\nSAVEPOINT a",
		"SELECT 1", "INSERT INTO notes (body) VALUES ('x')", "EXPLAIN COMMIT", "VALUES (1)", "DELETE FROM notes", "PRAGMA user_version = 3"} {
		f.Add(sql)
	}
	c, err := connect(filepath.Join(f.TempDir(), "fuzz.db"), true)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { c.close() })
	c.c.Limit(zombiezen.LimitAttached, 0) // nothing may reach other files
	if err := setUp(c, "CREATE TABLE notes (body TEXT)", "INSERT INTO notes VALUES ('first')"); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		if err := c.run("BEGIN"); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if c.inTransaction() {
				c.run("ROLLBACK")
			}
		}()
		before := total(t, c)
		q := &Queries{conn: c, whole: true}
		rows := 0
		err := q.Query(sql, func(Row) error {
			if rows++; rows > 100 {
				return ErrStop
			}
			return nil
		})
		if err == nil && !c.inTransaction() {
			t.Errorf("%q ended the transaction", sql)
		}
		if err == nil && !q.wrote && total(t, c) != before {
			t.Errorf("%q changed rows and was taken for a question", sql)
		}
	})
}

func total(t *testing.T, c *conn) int64 {
	t.Helper()
	var n int64
	q := &Queries{conn: c}
	if _, err := q.One("SELECT total_changes()", func(r Row) error { n = r.Int(0); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}
