package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"hearth/sqlite"
)

// Severity grades a Finding.
type Severity int

const (
	Fine    Severity = iota // examined, nothing to do
	Advice                  // worth knowing; nothing is lost
	Problem                 // something is damaged or missing
)

func (s Severity) String() string { return [...]string{"ok", "note", "problem"}[s] }

// Finding is one sentence about a storage folder.
type Finding struct {
	Severity Severity
	Text     string
}

// examination collects findings.
type examination struct {
	folder   *Folder
	findings []Finding
	readOnly bool // the database's folder can't be written
}

func (x *examination) add(severity Severity, format string, values ...any) {
	x.findings = append(x.findings, Finding{severity, fmt.Sprintf(format, values...)})
}

// Examine looks at everything in the folder and says what it found. It changes
// nothing, and may run while the folder is being served. The error is ctx's.
func (f *Folder) Examine(ctx context.Context) ([]Finding, error) {
	x := &examination{folder: f}
	if !x.folders() {
		return x.findings, nil
	}
	x.lock()
	x.secret()
	x.privacy()
	x.space()
	x.clock()
	if !f.HasDatabase() {
		x.add(Problem, "There is no database in %s: start hearth serve to make one, or restore a backup.", f.DatabasePath())
		return x.findings, nil
	}
	if x.readOnly {
		x.add(Advice, "The database was not examined: SQLite has to write beside it for that.")
		return x.findings, nil
	}
	db, err := sqlite.Open(ctx, f.DatabasePath(), sqlite.Options{Readers: 1})
	if err != nil {
		x.add(Problem, "The database can't be opened (%v): restore a backup with hearth restore.", err)
		return x.findings, ctx.Err()
	}
	defer db.Close()
	if err := db.Read(ctx, x.database); err != nil {
		x.add(Problem, "The database can't be read (%v): restore a backup with hearth restore.", err)
	}
	return x.findings, ctx.Err()
}

func (x *examination) folders() bool {
	info, err := os.Stat(x.folder.dir)
	if err != nil || !info.IsDir() {
		x.add(Problem, "%s is no folder: name a storage folder with --storage.", x.folder.dir)
		return false
	}
	for _, part := range []string{"db", "files"} {
		path := filepath.Join(x.folder.dir, part)
		switch err := writable(path); {
		case errors.Is(err, fs.ErrNotExist):
			x.add(Advice, "%s is not there yet; hearth serve makes it.", path)
		case err != nil:
			x.add(Problem, "%s can't be written (%v): give this user the right to.", path, reason(err))
			x.readOnly = x.readOnly || part == "db"
		}
	}
	return true
}

// privacy notices a database that other users of the machine can read: the path
// to it and the file itself must both be open to them.
func (x *examination) privacy() {
	for _, path := range []string{x.folder.dir, filepath.Dir(x.folder.DatabasePath())} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o001 == 0 {
			return
		}
	}
	info, err := os.Stat(x.folder.DatabasePath())
	if err == nil && info.Mode().Perm()&0o004 != 0 {
		x.add(Advice, "Every user of this machine can read the database, which holds what signs people in: run chmod 700 %s.", x.folder.dir)
	}
}

func (x *examination) lock() {
	file, err := os.Open(filepath.Join(x.folder.dir, lockName))
	if err != nil {
		return // never served by Hearth
	}
	defer file.Close()
	if syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil {
		x.add(Fine, "Process %d is serving this folder.", lockHolder(file))
	}
}

func (x *examination) secret() {
	path := filepath.Join(x.folder.dir, secretName)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		x.add(Advice, "The folder keeps no secret of its own: SECRET_KEY_BASE must be set when it is served, or people must sign in again.")
	case err != nil:
		x.add(Problem, "The secret in %s can't be read (%v): give this user the right to.", path, reason(err))
	case info.Mode().Perm()&0o077 != 0:
		x.add(Problem, "Others can read the secret in %s: run chmod 600 on it.", path)
	case info.Size() < secretMin:
		x.add(Problem, "The secret in %s is cut off: restore that file from a backup, or remove it to get a new one.", path)
	}
}

// spaceMin is the free space under which a busy chat fills a disk within days.
const spaceMin = 512 << 20

func (x *examination) space() {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(x.folder.dir, &disk); err != nil {
		x.add(Advice, "The free space of the disk can't be told (%v).", err)
		return
	}
	free := uint64(disk.Bavail) * uint64(disk.Bsize)
	if free < spaceMin {
		x.add(Problem, "Only %d MB are free on the disk of %s: make room, or posts will be refused.", free>>20, x.folder.dir)
		return
	}
	x.add(Fine, "%d MB are free on the disk.", free>>20)
}

// clockMin is before any version of Hearth was made.
var clockMin = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func (x *examination) clock() {
	if now := time.Now(); now.Before(clockMin) {
		x.add(Problem, "The clock says %s, which is before Hearth was made: set it, or messages get the wrong order.", now.Format(time.DateTime))
	}
}

// database holds what the file says of itself and of the other files.
func (x *examination) database(s *sqlite.Snapshot) error {
	problems, err := integrity(s)
	if err != nil {
		return err
	}
	for _, problem := range problems {
		x.add(Problem, "The database is damaged (%s): restore a backup with hearth restore.", problem)
	}
	if len(problems) == 0 {
		x.add(Fine, "The database is sound.")
	}
	return errors.Join(x.schema(s), x.foreignKeys(s), x.searchIndex(s), x.times(s), x.newestTime(s), x.blobs(s))
}

// integrity asks SQLite to read every page; it returns at most a few sentences.
func integrity(s *sqlite.Snapshot) (problems []string, err error) {
	err = s.Query("PRAGMA integrity_check(5)", func(row sqlite.Row) error {
		if text := row.Text(0); text != "ok" {
			problems = append(problems, text)
		}
		return nil
	})
	return problems, err
}

func (x *examination) schema(s *sqlite.Snapshot) error {
	isChat, err := holdsChat(s)
	if err != nil {
		return err
	}
	if !isChat {
		x.add(Problem, "The database is not a chat's: name another storage folder with --storage.")
		return errNotAChat
	}
	_, err = s.One("SELECT max(version) FROM schema_migrations", func(row sqlite.Row) error {
		x.add(Fine, "The schema has version %s.", row.Text(0))
		return nil
	})
	return err
}

func holdsChat(s *sqlite.Snapshot) (bool, error) {
	return s.One("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'", ignoreRow)
}

var errNotAChat = errors.New("it holds something else")

func ignoreRow(sqlite.Row) error { return nil }

func (x *examination) foreignKeys(s *sqlite.Snapshot) error {
	broken := map[string]int{}
	err := s.Query("PRAGMA foreign_key_check", func(row sqlite.Row) error {
		broken[row.Text(0)+" without their "+row.Text(2)]++
		return nil
	})
	for what, count := range broken {
		x.add(Advice, "%d rows of %s: what they belong to was deleted by another program; pages show a stub in their place.", count, what)
	}
	return err
}

// searchIndex counts messages that search can't find, and finds of nothing.
func (x *examination) searchIndex(s *sqlite.Snapshot) error {
	for _, question := range []struct{ sql, sentence string }{
		{`SELECT count(*) FROM messages m WHERE NOT EXISTS (SELECT 1 FROM message_search_index_docsize d WHERE d.id = m.id)`,
			"%d messages are not in the search index, so search can't find them."},
		{`SELECT count(*) FROM message_search_index_docsize d WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = d.id)`,
			"%d rows of the search index belong to no message; search leaves them out."},
	} {
		if _, err := s.One(question.sql, func(row sqlite.Row) error {
			if count := row.Int(0); count > 0 {
				x.add(Advice, question.sentence, count)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// aTime is the condition that a column holds a time as the chat reads it.
func aTime(column string) string {
	return column + ` GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]*'
		AND length(` + column + `) IN (19, 23, 26) AND datetime(` + column + `) IS NOT NULL`
}

// times counts what another program wrote in another form, ISO 8601 above all.
func (x *examination) times(s *sqlite.Snapshot) error {
	for _, place := range []struct{ table, column string }{
		{"messages", "created_at"}, {"messages", "updated_at"}, {"boosts", "created_at"}, {"rooms", "created_at"}, {"rooms", "updated_at"},
		{"memberships", "unread_at"}, {"memberships", "connected_at"}, {"users", "created_at"}, {"users", "updated_at"},
		{"sessions", "last_active_at"}, {"accounts", "updated_at"},
	} {
		sql := `SELECT count(*), min(` + place.column + `) FROM ` + place.table + ` WHERE ` + place.column + ` <> '' AND NOT (` + aTime(place.column) + `)`
		if _, err := s.One(sql, func(row sqlite.Row) error {
			if count := row.Int(0); count > 0 {
				x.add(Problem, "%d rows of %s have a %s that is no time, such as %q: write it as 2026-11-30 10:00:00 (UTC), or pages that show them fail.",
					count, place.table, place.column, row.Text(1))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// newestTime notices a clock that was ahead once: new messages would sort before.
func (x *examination) newestTime(s *sqlite.Snapshot) error {
	_, err := s.One("SELECT max(created_at) FROM messages WHERE created_at > datetime('now', '+1 hour') AND "+aTime("created_at"), func(row sqlite.Row) error {
		if !row.Null(0) {
			x.add(Problem, "A message has the time %s UTC, which is yet to come: set the clock, or that message stays the newest.", row.Text(0))
		}
		return nil
	})
	return err
}

// blobs compares the files with the rows that speak of them, both ways.
func (x *examination) blobs(s *sqlite.Snapshot) error {
	known := map[string]bool{}
	missing, wrong := 0, 0
	err := s.Query("SELECT key, byte_size FROM active_storage_blobs", func(row sqlite.Row) error {
		key := row.Text(0)
		known[key] = true
		info, err := os.Stat(x.folder.FilePath(key))
		switch {
		case err != nil:
			missing++
		case info.Size() != row.Int(1):
			wrong++
		}
		return nil
	})
	if err != nil {
		return err
	}
	if missing > 0 {
		x.add(Problem, "%d of %d files are missing below %s: restore them from a backup.", missing, len(known), x.folder.filesPath())
	}
	if wrong > 0 {
		x.add(Problem, "%d of %d files have another size than the database says: restore them from a backup.", wrong, len(known))
	}
	switch {
	case missing+wrong > 0:
	case len(known) == 0:
		x.add(Fine, "No files have been uploaded.")
	default:
		x.add(Fine, "All %d files are there.", len(known))
	}
	return x.orphans(known)
}

// orphans counts files that no row speaks of. A crash between a deletion's
// commit and the removal of its file leaves one; they cost only space.
func (x *examination) orphans(known map[string]bool) error {
	count, bytes := 0, int64(0)
	variants := filepath.Join(x.folder.filesPath(), "va", "ri", "variants")
	err := filepath.WalkDir(x.folder.filesPath(), func(name string, item fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case item.IsDir() && name == variants:
			return filepath.SkipDir
		case item.Type().IsRegular() && !known[item.Name()]:
			count++
			if info, err := item.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	if count > 0 {
		x.add(Advice, "%d files (%d KB) belong to nothing in the database; they cost only space.", count, bytes>>10)
	}
	return err
}

// Worst is the highest severity among findings.
func Worst(findings []Finding) Severity {
	worst := Fine
	for _, finding := range findings {
		worst = max(worst, finding.Severity)
	}
	return worst
}

// Sorted returns findings with the worst first, otherwise in their order.
func Sorted(findings []Finding) []Finding {
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b Finding) int { return int(b.Severity) - int(a.Severity) })
	return sorted
}
