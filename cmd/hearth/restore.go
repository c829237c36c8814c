package main

import (
	"context"
	"fmt"
	"os"

	"hearth/internal/storage"
)

type restoreCommand struct {
	Archive string `arg:"" help:"A file that hearth backup made."`
	Storage string `default:"./storage" placeholder:"DIR" help:"An empty folder, or one to be made (${default})."`
}

func (restoreCommand) Help() string {
	return `Unpacks a backup. Nothing is put in place before all of it is verified, and nothing is ever replaced.

Example: hearth restore /mnt/nas/chat.tar.gz --storage ./storage`
}

func (r restoreCommand) Run(ctx context.Context) error {
	progress, done := showProgress(os.Stderr)
	err := storage.Restore(ctx, r.Archive, r.Storage, progress)
	done()
	if err != nil {
		return err
	}
	fmt.Printf("restored into %s; start it with: hearth serve --storage %s\n", r.Storage, r.Storage)
	return nil
}
