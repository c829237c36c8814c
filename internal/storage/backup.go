package storage

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"hearth/sqlite"
)

// A backup is a gzip-compressed tar archive (POSIX pax) with these entries:
//
//	db/production.sqlite3   one consistent snapshot
//	hearth.secret           when the folder keeps its own secret
//	files/ab/cd/abcd…       every file
//	hearth-backup.json      last: format, time, and size and SHA-256 of each entry
//
// The list comes last, so that an archive that was cut off has none.
const (
	databaseEntry = "db/" + databaseName
	listEntry     = "hearth-backup.json"
	backupFormat  = 1
)

// contents is the archive's own list of what it holds.
type contents struct {
	Format  int       `json:"format"`
	Made    time.Time `json:"made"`
	Entries []entry   `json:"entries"`
}

type entry struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Progress hears how far a long work is: what it works on, and how many bytes
// are done. It may be nil.
type Progress func(what string, bytes int64)

func (p Progress) say(what string, bytes int64) {
	if p != nil {
		p(what, bytes)
	}
}

// Backup copies database and files to the archive at target, while the folder
// may be in use. The archive appears under its name only when it is whole, on
// the disk, and has been read back and verified. Files that people delete
// meanwhile may be missing in it, as they are missing in the folder.
func (f *Folder) Backup(ctx context.Context, target string, progress Progress) error {
	if !f.HasDatabase() {
		return fmt.Errorf("back up: %s has no database; name a storage folder with --storage", f.dir)
	}
	if _, err := os.Stat(target); err == nil {
		return fmt.Errorf("back up: %s is there already; name another file with --to", target)
	}
	snapshot, err := f.snapshot(ctx, filepath.Dir(target))
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer os.Remove(snapshot)

	// The archive may hold the secret that signs people in: it is for its owner alone.
	file, err := os.OpenFile(target+".partial", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	err = f.writeArchive(ctx, file, snapshot, progress)
	if err == nil {
		progress.say("verifying", 0)
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = readArchive(ctx, file, discard)
	}
	if err := finish(file, target, err); err != nil {
		return fmt.Errorf("back up to %s: %w", target, err)
	}
	return nil
}

// snapshot copies the database, as it is at one moment, to a file in dir.
func (f *Folder) snapshot(ctx context.Context, dir string) (string, error) {
	db, err := sqlite.Open(ctx, f.DatabasePath(), sqlite.Options{Readers: 1})
	if err != nil {
		return "", err
	}
	defer db.Close()
	name := filepath.Join(dir, fmt.Sprintf(".snapshot-%d.sqlite3", os.Getpid()))
	if err := db.Backup(ctx, name); err != nil {
		return "", err
	}
	return name, nil
}

func (f *Folder) writeArchive(ctx context.Context, file *os.File, snapshot string, progress Progress) error {
	compressed := gzip.NewWriter(file)
	archive := &archiver{ctx: ctx, tar: tar.NewWriter(compressed), progress: progress}
	if err := archive.add(databaseEntry, snapshot, 0o644); err != nil {
		return err
	}
	secret := filepath.Join(f.dir, secretName)
	if err := archive.add(secretName, secret, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := archive.addFiles(f.filesPath()); err != nil {
		return err
	}
	if err := archive.close(); err != nil {
		return err
	}
	return compressed.Close()
}

// archiver writes entries and remembers them for the list at the end.
type archiver struct {
	ctx      context.Context
	tar      *tar.Writer
	list     []entry
	bytes    int64
	progress Progress
}

// addFiles adds every regular file below root. Ones that vanish are left out.
func (a *archiver) addFiles(root string) error {
	return filepath.WalkDir(root, func(name string, item fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !item.Type().IsRegular() {
			return err
		}
		relative, err := filepath.Rel(filepath.Dir(root), name)
		if err != nil {
			return err
		}
		if err := a.add(filepath.ToSlash(relative), name, 0o644); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

func (a *archiver) add(name, source string, mode int64) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	file, err := os.Open(source)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	header := &tar.Header{Name: name, Mode: mode, Size: info.Size(), ModTime: info.ModTime(), Format: tar.FormatPAX}
	if err := a.tar.WriteHeader(header); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.CopyN(io.MultiWriter(a.tar, sum), file, info.Size()); err != nil {
		return fmt.Errorf("copy %s: %w", name, err)
	}
	a.list = append(a.list, entry{Name: name, Bytes: info.Size(), SHA256: hex.EncodeToString(sum.Sum(nil))})
	a.bytes += info.Size()
	a.progress.say(name, a.bytes)
	return nil
}

// close writes the list and ends the archive.
func (a *archiver) close() error {
	text, err := json.MarshalIndent(contents{Format: backupFormat, Made: time.Now().UTC(), Entries: a.list}, "", "\t")
	if err != nil {
		return err
	}
	if err := a.tar.WriteHeader(&tar.Header{Name: listEntry, Mode: 0o644, Size: int64(len(text)), ModTime: time.Now(), Format: tar.FormatPAX}); err != nil {
		return err
	}
	if _, err := a.tar.Write(text); err != nil {
		return err
	}
	return a.tar.Close()
}

// place says where the bytes of an entry go.
type place func(name string) (io.WriteCloser, error)

func discard(string) (io.WriteCloser, error) { return nopCloser{io.Discard}, nil }

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// listMax bounds the list's own size; a million files need a tenth of it.
const listMax = 1 << 30

// errDamaged is wrapped with what is wrong with an archive.
var errDamaged = errors.New("this is no whole backup")

// readArchive puts every entry into its place and holds it against the list.
func readArchive(ctx context.Context, source io.Reader, put place) (contents, error) {
	compressed, err := gzip.NewReader(source)
	if err != nil {
		return contents{}, fmt.Errorf("%w: %w", errDamaged, err)
	}
	archive := tar.NewReader(compressed)
	var found []entry
	for {
		if err := ctx.Err(); err != nil {
			return contents{}, err
		}
		header, err := archive.Next()
		if err == io.EOF {
			return contents{}, fmt.Errorf("%w: its end is missing", errDamaged)
		}
		if err != nil {
			return contents{}, fmt.Errorf("%w: %w", errDamaged, err)
		}
		if header.Name == listEntry {
			return checkList(archive, compressed, found)
		}
		item, err := readEntry(archive, header, put)
		if err != nil {
			return contents{}, err
		}
		found = append(found, item)
	}
}

func readEntry(archive *tar.Reader, header *tar.Header, put place) (entry, error) {
	if !ours(header) {
		return entry{}, fmt.Errorf("%w: it holds %q, which no backup has", errDamaged, header.Name)
	}
	target, err := put(header.Name)
	if err != nil {
		return entry{}, err
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(target, sum), archive)
	if closing := target.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return entry{}, fmt.Errorf("read %s: %w", header.Name, err)
	}
	return entry{Name: header.Name, Bytes: size, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// ours reports whether an entry is one that a backup can have. Anything else,
// links and paths that lead elsewhere above all, is refused.
func ours(header *tar.Header) bool {
	name := header.Name
	if header.Typeflag != tar.TypeReg || path.Clean(name) != name || !filepath.IsLocal(name) {
		return false
	}
	return name == databaseEntry || name == secretName || (len(name) > len("files/") && name[:len("files/")] == "files/")
}

// checkList compares what was read with what the archive says it holds.
func checkList(archive io.Reader, compressed *gzip.Reader, found []entry) (contents, error) {
	var list contents
	if err := json.NewDecoder(io.LimitReader(archive, listMax)).Decode(&list); err != nil {
		return contents{}, fmt.Errorf("%w: its list can't be read: %w", errDamaged, err)
	}
	if list.Format != backupFormat {
		return contents{}, fmt.Errorf("this backup has format %d, and this version of Hearth reads %d: use the version that made it", list.Format, backupFormat)
	}
	if !slices.Equal(list.Entries, found) {
		return contents{}, fmt.Errorf("%w: its files differ from its list", errDamaged)
	}
	if len(found) == 0 || found[0].Name != databaseEntry {
		return contents{}, fmt.Errorf("%w: it has no database", errDamaged)
	}
	if _, err := io.Copy(io.Discard, compressed); err != nil { // the checksum is at the end
		return contents{}, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return list, nil
}

// BackupDatabase copies the database into the backups folder before it is
// upgraded from this version, and returns where the copy is.
func (f *Folder) BackupDatabase(ctx context.Context, db *sqlite.DB, version string) (string, error) {
	name := fmt.Sprintf("production-before-upgrade-from-%s-%s.sqlite3", path.Base(version), time.Now().UTC().Format("20060102T150405Z"))
	target := filepath.Join(f.BackupsPath(), name)
	if err := db.Backup(ctx, target); err != nil {
		return "", fmt.Errorf("back up the database before its upgrade: %w", err)
	}
	return target, nil
}
