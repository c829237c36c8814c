package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"hearth/internal/storage"
)

type backupCommand struct {
	Storage string `default:"./storage" placeholder:"DIR" help:"The storage folder (${default})."`
	To      string `placeholder:"FILE" help:"The archive to write; by default one named after the time, in the folder's backups."`
}

func (backupCommand) Help() string {
	return `Copies the database and the files into one archive, while the folder may be in use.
The archive is read back and verified before it gets its name.

Example: hearth backup --storage ./storage --to /mnt/nas/chat.tar.gz`
}

func (b backupCommand) Run(ctx context.Context) error {
	folder, err := storage.Look(b.Storage)
	if err != nil {
		return err
	}
	target := b.To
	if target == "" {
		target = filepath.Join(folder.BackupsPath(), "hearth-"+time.Now().UTC().Format("20060102T150405Z")+".tar.gz")
		if folder.HasDatabase() {
			if err := os.MkdirAll(folder.BackupsPath(), 0o755); err != nil {
				return fmt.Errorf("back up: %w", err)
			}
		}
	}
	progress, done := showProgress(os.Stderr)
	err = folder.Backup(ctx, target, progress)
	done()
	if err != nil {
		return err
	}
	fmt.Println(target)
	return nil
}
