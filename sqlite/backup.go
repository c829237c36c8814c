package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Backup copies one consistent snapshot of the database to the file at path,
// page by page as they are, while reads and writes go on. The file appears, or
// is replaced, only when the copy is whole and on the disk. A backup that ends
// early leaves nothing.
//
// It lends a reader's connection, and while it runs the log can't be restarted.
func (db *DB) Backup(ctx context.Context, path string) error {
	source, err := db.readers.take(ctx)
	if err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	defer db.readers.give(source)
	if sameFile(path, db.path) {
		return fmt.Errorf("back up to %s: that is the database itself", path)
	}
	partial := path + ".partial"
	removeDatabase(partial) // of a backup that was killed; its journal would be played back
	if err := copySnapshot(ctx, partial, source); err != nil {
		removeDatabase(partial)
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	if err := publish(partial, path); err != nil {
		removeDatabase(partial)
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	return nil
}

func copySnapshot(ctx context.Context, path string, source *conn) error {
	target, err := connect(path, true)
	if err != nil {
		return err
	}
	if err := source.run("BEGIN"); err != nil {
		target.close()
		return err
	}
	defer endSnapshot(source)
	err = source.run("SELECT 1 FROM sqlite_schema LIMIT 1") // fixes the snapshot
	if err == nil {
		err = copyDatabase(ctx, target, source)
	}
	return errors.Join(err, target.close())
}

// publish gives a finished file its name, so that a crash leaves the old one or
// the new one.
func publish(partial, path string) error {
	if err := syncFile(partial); err != nil {
		return err
	}
	if err := os.Rename(partial, path); err != nil {
		return err
	}
	return syncFile(filepath.Dir(path))
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func removeDatabase(path string) {
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		os.Remove(path + suffix)
	}
}
