package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hearth/sqlite"
)

// restoring is where an archive is unpacked until all of it is verified.
const restoring = ".restoring"

// Restore unpacks the archive into the folder, which must be empty or not there
// yet. Nothing of it is put in place before all of it is verified.
func Restore(ctx context.Context, archive, dir string, progress Progress) error {
	f, err := Look(dir)
	if err != nil {
		return err
	}
	if err := mustBeEmpty(f.dir); err != nil {
		return err
	}
	source, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("restore: the backup %s can't be read (%w)", archive, reason(err))
	}
	defer source.Close()

	workshop := filepath.Join(f.dir, restoring)
	if err := os.MkdirAll(workshop, 0o700); err != nil {
		return fmt.Errorf("restore into %s: %w", f.dir, reason(err))
	}
	defer os.RemoveAll(workshop)
	if err := unpack(ctx, source, workshop, progress); err != nil {
		return fmt.Errorf("restore from %s: %w; nothing was restored", archive, err)
	}
	progress.say("examining the database", 0)
	if err := soundDatabase(ctx, filepath.Join(workshop, filepath.FromSlash(databaseEntry))); err != nil {
		return fmt.Errorf("restore from %s: %w; nothing was restored", archive, err)
	}
	return moveIn(workshop, f.dir)
}

// mustBeEmpty refuses a folder that holds anything: a restore never replaces.
func mustBeEmpty(dir string) error {
	items, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if len(items) > 0 {
		return fmt.Errorf("restore: the folder %s is not empty (it holds %s): name an empty one with --storage", dir, items[0].Name())
	}
	return nil
}

func unpack(ctx context.Context, source io.Reader, workshop string, progress Progress) error {
	var unpacked int64
	_, err := readArchive(ctx, source, func(name string) (io.WriteCloser, error) {
		path := filepath.Join(workshop, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		mode := os.FileMode(0o644)
		if name == secretName {
			mode = 0o600
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, err
		}
		return &unpacking{File: file, done: func(n int64) { unpacked += n; progress.say(name, unpacked) }}, nil
	})
	return err
}

// unpacking is a file that reaches the disk before it counts as written.
type unpacking struct {
	*os.File
	bytes int64
	done  func(int64)
}

func (u *unpacking) Write(p []byte) (int, error) {
	n, err := u.File.Write(p)
	u.bytes += int64(n)
	return n, err
}

func (u *unpacking) Close() error {
	err := u.Sync()
	if closing := u.File.Close(); err == nil {
		err = closing
	}
	u.done(u.bytes)
	return err
}

// soundDatabase reports what is wrong with the database at path, if anything.
func soundDatabase(ctx context.Context, path string) error {
	db, err := sqlite.Open(ctx, path, sqlite.Options{Readers: 1})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Read(ctx, func(s *sqlite.Snapshot) error {
		problems, err := integrity(s)
		if err == nil && len(problems) > 0 {
			return fmt.Errorf("its database is damaged: %s", problems[0])
		}
		if err != nil {
			return err
		}
		if isChat, err := holdsChat(s); err != nil || !isChat {
			return cmp.Or(err, errors.New("its database is not a chat's"))
		}
		return nil
	})
}

// moveIn puts what was unpacked in place, the database last: a folder without
// one is plainly not restored.
func moveIn(workshop, dir string) error {
	for _, part := range []string{"files", secretName, "db"} {
		err := os.Rename(filepath.Join(workshop, part), filepath.Join(dir, part))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("restore into %s: %w", dir, err)
		}
	}
	return syncFolder(dir)
}
