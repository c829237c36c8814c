package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"hearth/internal/chat"
	"hearth/internal/rails"
	"hearth/internal/storage"
	"hearth/sqlite"
)

type resetPasswordCommand struct {
	Email   string `arg:"" help:"The address that the person signs in with."`
	Storage string `default:"./storage" placeholder:"DIR" help:"The storage folder (${default})."`
	Stdin   bool   `help:"Read the new password from standard input, one line, instead of making one up."`
}

func (resetPasswordCommand) Help() string {
	return `Gives a person a new password, also while the chat is being served, and prints it.

Example: hearth reset-password ines@example.org --storage ./storage

Example: hearth reset-password ines@example.org --stdin < password.txt`
}

func (r resetPasswordCommand) Run(ctx context.Context) error {
	password := rails.NewJoinCode() // three groups of four letters and digits, easy to read out
	if r.Stdin {
		line, err := bufio.NewReader(os.Stdin).ReadString('\n')
		password = strings.TrimRight(line, "\r\n")
		switch {
		case password != "":
		case err == nil || err == io.EOF:
			return errors.New("reset password: standard input holds no password: write it there as one line")
		default:
			return fmt.Errorf("reset password: read standard input: %w", err)
		}
	}
	folder, err := storage.Look(r.Storage)
	if err != nil {
		return err
	}
	if !folder.HasDatabase() {
		return fmt.Errorf("reset password: %s has no database; name a storage folder with --storage", folder.Dir())
	}
	db, err := sqlite.Open(ctx, folder.DatabasePath(), sqlite.Options{Readers: 1})
	if err != nil {
		return fmt.Errorf("reset password: %w", err)
	}
	defer db.Close()

	err = chat.New(db, nil, chat.Options{}).ResetPassword(ctx, r.Email, password)
	switch {
	case errors.Is(err, chat.ErrNotFound):
		return fmt.Errorf("reset password: nobody signs in as %s here; capitals count", r.Email)
	case err != nil:
		return err
	case r.Stdin:
		fmt.Printf("%s has the new password.\n", r.Email)
	default:
		fmt.Printf("%s signs in with: %s\n", r.Email, password)
	}
	return nil
}
