package main

import (
	"context"
	"fmt"

	"hearth/internal/storage"
)

type doctorCommand struct {
	Storage string `default:"./storage" placeholder:"DIR" help:"The storage folder (${default})."`
}

func (doctorCommand) Help() string {
	return `Examines a storage folder: permissions, secret, free space, clock, database, search index, files.
It changes nothing and may run beside the server. The exit status is 1 when there is a problem.

Example: hearth doctor --storage ./storage`
}

func (d doctorCommand) Run(ctx context.Context) error {
	folder, err := storage.Look(d.Storage)
	if err != nil {
		return err
	}
	findings, err := folder.Examine(ctx)
	if err != nil {
		return err
	}
	for _, finding := range storage.Sorted(findings) {
		fmt.Printf("%-8s %s\n", finding.Severity, finding.Text)
	}
	if storage.Worst(findings) == storage.Problem {
		return errReported
	}
	return nil
}
