package storage

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hearth/sqlite"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// sampleFolder is a copy of the sample that a test may change.
func sampleFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "storage")
	if err := os.CopyFS(dir, os.DirFS("../../testdata/sample/storage")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(name string, item fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if item.IsDir() {
			return os.Chmod(name, 0o755)
		}
		return os.Chmod(name, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func look(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Look(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const holdFolder = "HEARTH_TEST_HOLD_FOLDER"

// TestMain lets the test binary be the second process that some tests need.
func TestMain(m *testing.M) {
	if dir := os.Getenv(holdFolder); dir != "" {
		if _, err := Open(dir); err != nil {
			os.Stdout.WriteString(err.Error())
			os.Exit(1)
		}
		os.Stdout.WriteString("held\n")
		os.Stdin.Read(make([]byte, 1)) // until the parent closes it
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestASecondProcessIsToldWhoHoldsTheFolder(t *testing.T) {
	dir := t.TempDir()
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), holdFolder+"="+dir)
	in, _ := holder.StdinPipe()
	out, _ := holder.StdoutPipe()
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 5))

	_, err := Open(dir)
	var inUse *InUseError
	if !errors.As(err, &inUse) || inUse.PID != holder.Process.Pid {
		t.Errorf("second Open: got %v, want an InUseError with process %d", err, holder.Process.Pid)
	}

	holder.Process.Kill() // the lock must not outlive its process
	holder.Wait()
	in.Close()
	f, err := Open(dir)
	if err != nil {
		t.Fatalf("Open after the holder was killed: %v", err)
	}
	f.Close()
}

func TestAFolderThatCannotBeWrittenIsOneSentence(t *testing.T) {
	for name, dir := range map[string]string{
		"a file in its place": filepath.Join(t.TempDir(), "file"),
		"a read-only disk":    "/proc/hearth",
	} {
		if strings.HasSuffix(dir, "file") {
			os.WriteFile(dir, []byte("x"), 0o644)
		}
		_, err := Open(dir)
		if err == nil || !strings.Contains(err.Error(), "--storage") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one sentence that says what to do", name, err)
		}
	}
}

func TestANewFolderIsForItsOwnerAlone(t *testing.T) {
	f, err := Open(filepath.Join(t.TempDir(), "new"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, path := range []string{f.Dir(), filepath.Dir(f.DatabasePath()), f.filesPath(), f.BackupsPath()} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v; want 0700", path, info.Mode(), err)
		}
	}
}

func TestTheSecretIsMadeOnceAndForItsOwnerAlone(t *testing.T) {
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	made, origin, err := f.Secret("")
	if err != nil || origin != SecretMade || len(made) != 128 {
		t.Fatalf("first start: %q, %v, %v; want 128 characters, made", made, origin, err)
	}
	info, err := os.Stat(filepath.Join(f.Dir(), secretName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the secret: %v, %v; want 0600", info.Mode(), err)
	}
	kept, origin, err := f.Secret("")
	if err != nil || origin != SecretKept || kept != made {
		t.Errorf("second start: %v, %v, same %v", origin, err, kept == made)
	}
	given, origin, _ := f.Secret("from the environment")
	if given != "from the environment" || origin != SecretGiven {
		t.Errorf("the environment's secret: %q, %v", given, origin)
	}
	os.WriteFile(filepath.Join(f.Dir(), secretName), []byte("short"), 0o600)
	if _, _, err := f.Secret(""); err == nil {
		t.Error("a secret that was cut off was accepted")
	}
}

func TestAnExistingDatabaseWithoutItsSecretIsNoticed(t *testing.T) {
	f := look(t, sampleFolder(t))
	if _, origin, err := f.Secret(""); err != nil || origin != SecretMadeForExisting {
		t.Errorf("got %v, %v; want SecretMadeForExisting", origin, err)
	}
}

func TestKeysCannotLeadOutOfTheFolder(t *testing.T) {
	f := look(t, t.TempDir())
	for _, key := range []string{"", "a", "../../../../etc/passwd", "aa/../../x", "..aa", "aabb\x00", "aab/", strings.Repeat("a", 200)} {
		if path := f.FilePath(key); path != "" {
			t.Errorf("FilePath(%q) = %q, want none", key, path)
		}
		if err := f.RemoveBlob(key); err == nil {
			t.Errorf("RemoveBlob(%q) went through", key)
		}
	}
	if got, want := f.FilePath("28cinc4fuaelpx88fhnq4e5eo6bt"), filepath.Join(f.Dir(), "files/28/ci/28cinc4fuaelpx88fhnq4e5eo6bt"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRemovingABlobTakesItsVariantsAndNothingElse(t *testing.T) {
	f := look(t, sampleFolder(t))
	const key, other = "28cinc4fuaelpx88fhnq4e5eo6bt", "2zb7u8yhnqonh5z01iz1y017kb6w"
	variant := filepath.Join(f.filesPath(), "va/ri/variants", key, "digest")
	os.MkdirAll(filepath.Dir(variant), 0o755)
	os.WriteFile(variant, []byte("small"), 0o644)
	for range 2 { // the second time there is nothing left, which is no error
		if err := f.RemoveBlob(key); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{f.FilePath(key): false, variant: false, f.FilePath(other): true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
}

func TestABackupRestoresToTheSameFolder(t *testing.T) {
	f := look(t, sampleFolder(t))
	secret, _, err := f.Secret("")
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "backup.tar.gz")
	var last int64
	if err := f.Backup(t.Context(), archive, func(_ string, bytes int64) { last = max(last, bytes) }); err != nil {
		t.Fatal(err)
	}
	if last == 0 {
		t.Error("no progress was told")
	}
	if info, err := os.Stat(archive); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the archive holds the secret; its mode is %v, want 0600", info.Mode())
	}
	if err := f.Backup(t.Context(), archive, nil); err == nil {
		t.Error("an existing backup was replaced")
	}

	target := filepath.Join(t.TempDir(), "restored")
	if err := Restore(t.Context(), archive, target, nil); err != nil {
		t.Fatal(err)
	}
	restored := look(t, target)
	if got, origin, err := restored.Secret(""); err != nil || origin != SecretKept || got != secret {
		t.Errorf("the secret did not come back: %v, %v", origin, err)
	}
	sameFiles(t, f.filesPath(), restored.filesPath())
	if got, want := countMessages(t, restored), int64(763); got != want {
		t.Errorf("%d messages restored, want %d", got, want)
	}
	if err := Restore(t.Context(), archive, target, nil); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("restore into a full folder: %v", err)
	}
}

func sameFiles(t *testing.T, from, to string) {
	t.Helper()
	count := 0
	fs.WalkDir(os.DirFS(from), ".", func(name string, item fs.DirEntry, err error) error {
		if err != nil || item.IsDir() {
			return err
		}
		count++
		want, _ := os.ReadFile(filepath.Join(from, name))
		got, err := os.ReadFile(filepath.Join(to, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("file %s differs: %v", name, err)
		}
		return nil
	})
	if count != 6 {
		t.Errorf("compared %d files, want the sample's 6", count)
	}
}

func countMessages(t *testing.T, f *Folder) (count int64) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), f.DatabasePath(), sqlite.Options{Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Read(t.Context(), func(s *sqlite.Snapshot) error {
		_, err := s.One("SELECT count(*) FROM messages", func(row sqlite.Row) error { count = row.Int(0); return nil })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

func TestAnInterruptedBackupLeavesNothing(t *testing.T) {
	f := look(t, sampleFolder(t))
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	err := f.Backup(ctx, filepath.Join(dir, "b.tar.gz"), func(string, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestADamagedArchiveRestoresNothing(t *testing.T) {
	f := look(t, sampleFolder(t))
	archive := filepath.Join(t.TempDir(), "good.tar.gz")
	if err := f.Backup(t.Context(), archive, nil); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 0x40
	cases := map[string][]byte{
		"empty":           {},
		"not an archive":  []byte("hello, world"),
		"a flipped bit":   flipped,
		"its last byte":   good[:len(good)-1],
		"its last third":  good[:len(good)*2/3],
		"only its header": good[:20],
		"an absolute path": packed(t, map[string]string{
			"/etc/passwd": "x",
		}),
		"a path upwards": packed(t, map[string]string{"files/../../../evil": "x"}),
		"a foreign file": packed(t, map[string]string{"db/other.sqlite3": "x"}),
		"no list":        packed(t, map[string]string{databaseEntry: "x"}),
		"no database": packed(t, map[string]string{
			listEntry: `{"format":1,"entries":[]}`,
		}),
		"another format": packed(t, map[string]string{listEntry: `{"format":9}`}),
	}
	for name, content := range cases {
		bad := filepath.Join(t.TempDir(), "bad.tar.gz")
		os.WriteFile(bad, content, 0o600)
		target := filepath.Join(t.TempDir(), "target")
		err := Restore(t.Context(), bad, target, nil)
		if err == nil || !strings.Contains(err.Error(), "nothing was restored") {
			t.Errorf("%s: got %v", name, err)
		}
		if left, _ := os.ReadDir(target); len(left) != 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
}

func TestAnArchiveWithoutAChatRestoresNothing(t *testing.T) {
	f := look(t, t.TempDir())
	for name, database := range map[string][]byte{"an empty file": {}, "something else": otherDatabase(t)} {
		os.MkdirAll(filepath.Dir(f.DatabasePath()), 0o755)
		os.WriteFile(f.DatabasePath(), database, 0o644)
		archive := filepath.Join(t.TempDir(), "odd.tar.gz")
		file, err := os.Create(archive)
		if err != nil {
			t.Fatal(err)
		}
		err = f.writeArchive(t.Context(), file, f.DatabasePath(), nil)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(t.TempDir(), "target")
		if err := Restore(t.Context(), archive, target, nil); err == nil || !strings.Contains(err.Error(), "not a chat's; nothing was restored") {
			t.Errorf("%s: got %v", name, err)
		}
		if left, _ := os.ReadDir(target); len(left) != 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
}

// otherDatabase is a database of another program.
func otherDatabase(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.sqlite3")
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{Readers: 1})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Write(t.Context(), func(tx *sqlite.Tx) error { return tx.Exec(`CREATE TABLE notes (text)`) })
	if closing := db.Close(); err == nil {
		err = closing
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func packed(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var entries [][2]string
	for name, content := range files {
		entries = append(entries, [2]string{name, content})
	}
	return packedInOrder(t, entries)
}

// packedInOrder is an archive of entries, each a name and a content.
func packedInOrder(t testing.TB, entries [][2]string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	compressed := gzip.NewWriter(&buffer)
	archive := tar.NewWriter(compressed)
	for _, entry := range entries {
		if err := archive.WriteHeader(&tar.Header{Name: entry[0], Size: int64(len(entry[1])), Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		archive.Write([]byte(entry[1]))
	}
	archive.Close()
	compressed.Close()
	return buffer.Bytes()
}

func TestASymbolicLinkInAnArchiveIsRefused(t *testing.T) {
	link := &tar.Header{Name: "files/aa/bb/link", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}
	if ours(link) {
		t.Error("a link counts as a backup's file")
	}
}

func TestTheDoctorFindsNothingWrongWithTheSample(t *testing.T) {
	findings, err := look(t, sampleFolder(t)).Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range findings {
		if finding.Severity == Problem {
			t.Errorf("%s", finding.Text)
		}
	}
}

// TestTheDoctorNamesEachPlantedFault proves that every examination can fail.
func TestTheDoctorNamesEachPlantedFault(t *testing.T) {
	run := func(sql string) func(t *testing.T, f *Folder) {
		return func(t *testing.T, f *Folder) {
			db, err := sqlite.Open(t.Context(), f.DatabasePath(), sqlite.Options{Readers: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if err := db.Write(t.Context(), func(tx *sqlite.Tx) error { return tx.Exec(sql) }); err != nil {
				t.Fatal(err)
			}
		}
	}
	runWithoutKeys := func(sql string) func(t *testing.T, f *Folder) {
		return func(t *testing.T, f *Folder) {
			conn, err := driver.OpenConn(f.DatabasePath()) // foreign keys are off on it, as in other programs
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := sqlitex.ExecuteTransient(conn, sql, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, fault := range map[string]struct {
		plant func(t *testing.T, f *Folder)
		want  string
	}{
		"a message that search can't find": {run(`DELETE FROM message_search_index WHERE rowid = (SELECT max(id) FROM messages)`), "not in the search index"},
		"an index row of no message":       {run(`INSERT INTO message_search_index(rowid, body) VALUES (5, 'x')`), "belong to no message"},
		"a boost of no message":            {runWithoutKeys(`INSERT INTO boosts(booster_id, content, message_id, created_at, updated_at) VALUES (1, 'x', 5, '2026-11-30 10:00:00', '2026-11-30 10:00:00')`), "deleted by another program"},
		"a message from the future":        {run(`UPDATE messages SET created_at = '2999-01-01 00:00:00' WHERE id = (SELECT max(id) FROM messages)`), "yet to come"},
		"a time in another form":           {run(`UPDATE messages SET created_at = '2026-11-01T00:00:00Z' WHERE id = (SELECT min(id) FROM messages)`), "1 rows of messages have a created_at that is no time"},
		"a month that isn't":               {run(`UPDATE users SET updated_at = '2026-13-01 00:00:00' WHERE id = (SELECT min(id) FROM users)`), "1 rows of users have a updated_at that is no time"},
		"a missing file": {func(t *testing.T, f *Folder) {
			if err := os.Remove(f.FilePath("28cinc4fuaelpx88fhnq4e5eo6bt")); err != nil {
				t.Fatal(err)
			}
		}, "1 of 6 files are missing"},
		"a file of another size": {func(t *testing.T, f *Folder) {
			if err := os.Truncate(f.FilePath("28cinc4fuaelpx88fhnq4e5eo6bt"), 3); err != nil {
				t.Fatal(err)
			}
		}, "another size"},
		"an orphan file": {func(t *testing.T, f *Folder) {
			path := f.FilePath("zzzzorphan")
			os.MkdirAll(filepath.Dir(path), 0o755)
			os.WriteFile(path, []byte("x"), 0o644)
		}, "belong to nothing"},
		"a secret that all can read": {func(t *testing.T, f *Folder) {
			os.WriteFile(filepath.Join(f.Dir(), secretName), bytes.Repeat([]byte("a"), 128), 0o644)
		}, "chmod 600"},
		"a database that all can read": {func(t *testing.T, f *Folder) {}, "chmod 700"},
		"a database of something else": {run(`DROP TABLE schema_migrations`), "not a chat's"},
		"a database that is none": {func(t *testing.T, f *Folder) {
			os.WriteFile(f.DatabasePath(), bytes.Repeat([]byte("no database "), 1000), 0o644)
		}, "restore a backup"},
		"no database": {func(t *testing.T, f *Folder) { os.Remove(f.DatabasePath()) }, "There is no database"},
		"a torn page": {func(t *testing.T, f *Folder) {
			file, err := os.OpenFile(f.DatabasePath(), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			info, _ := file.Stat()
			junk := bytes.Repeat([]byte{0xAA}, int(info.Size()/3))
			if _, err := file.WriteAt(junk, info.Size()/3); err != nil {
				t.Fatal(err)
			}
		}, "restore a backup"},
	} {
		t.Run(name, func(t *testing.T) {
			f := look(t, sampleFolder(t))
			fault.plant(t, f)
			findings, err := f.Examine(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, finding := range findings {
				all = append(all, finding.Text)
			}
			if text := strings.Join(all, "\n"); !strings.Contains(text, fault.want) {
				t.Errorf("want %q among:\n%s", fault.want, text)
			}
			if Worst(findings) == Fine {
				t.Error("the fault counts as fine")
			}
		})
	}
}

func TestADatabaseIsCopiedBeforeItsUpgrade(t *testing.T) {
	f, err := Open(sampleFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, err := sqlite.Open(t.Context(), f.DatabasePath(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := f.BackupDatabase(t.Context(), db, "20240209110503")
	db.Close()
	if err != nil || filepath.Dir(path) != f.BackupsPath() {
		t.Fatalf("%s, %v", path, err)
	}
	if err := soundDatabase(t.Context(), path); err != nil {
		t.Error(err)
	}
}
