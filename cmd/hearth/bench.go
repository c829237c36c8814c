package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"hearth/bench"
)

type benchCommand struct {
	Chat  benchChatCommand  `cmd:"" help:"Measure the chat: pages, posts and sockets, on a database made for it."`
	Floor benchFloorCommand `cmd:"" hidden:"" help:"Serve recorded answers with nothing but net/http."`
}

func (benchCommand) Help() string { return "Example: hearth bench chat" }

type benchChatCommand struct {
	Messages    int     `default:"1000" placeholder:"N" help:"Messages in the busy room (${default})."`
	Seconds     float64 `default:"1.5" placeholder:"S" help:"How long each cell is measured (${default})."`
	Repetitions int     `default:"3" placeholder:"N" help:"Interleaved repetitions; every figure is their median (${default})."`
	Clients     []int   `default:"1,16,64" placeholder:"N,…" help:"Clients that ask at once (${default})."`
	Sockets     []int   `default:"100,1000" placeholder:"N,…" help:"Cable clients (${default})."`
	ServerCores int     `placeholder:"N" help:"Cores of the server, the load gets the others (half of them)."`
	Seed        uint64  `default:"1" placeholder:"N" help:"Of the database's content (${default})."`
	Folder      string  `placeholder:"DIR" help:"Where the temporary database is made (the system's temporary folder)."`
	Full        bool    `help:"Every question in every mode with every number of clients: twice as long."`
	Quick       bool    `help:"A smoke run of some seconds; its figures mean nothing."`
}

func (benchChatCommand) Help() string {
	return `Makes a database in a temporary folder, runs a server on it, and measures room page, messages page,
sidebar, search, post, /up and a static asset with several numbers of clients, with mechanisms on and
off, with somebody posting meanwhile, and the cable; beside them a bare handler as floor. Checks every
answer, and looks for every acknowledged post afterwards: wrong answers give no result, and status 1.
The result is Markdown on standard output; what is going on, on standard error. About six minutes.

Example: hearth bench chat > chat.md

Example: hearth bench chat --messages 2000000 --folder /mnt/disk`
}

func (c benchChatCommand) Run(ctx context.Context) error {
	err := bench.Chat(ctx, bench.Options{
		Messages:    c.Messages,
		Seed:        c.Seed,
		PerCell:     time.Duration(c.Seconds * float64(time.Second)),
		Repetitions: c.Repetitions,
		Clients:     c.Clients,
		Sockets:     c.Sockets,
		ServerCores: c.ServerCores,
		Folder:      c.Folder,
		Full:        c.Full,
		Quick:       c.Quick,
		Mechanisms:  mechanisms,
		Command:     strings.Join(append([]string{"hearth"}, os.Args[1:]...), " "),
		Commit:      commit,
		Progress:    os.Stderr,
	}, os.Stdout)
	if err != nil {
		return fmt.Errorf("bench chat: %w", err)
	}
	return nil
}

type benchFloorCommand struct {
	Addr    string `required:"" placeholder:"HOST:PORT" help:"Where to listen."`
	Answers string `required:"" placeholder:"FILE" help:"What to answer, as bench chat recorded it."`
}

func (c benchFloorCommand) Run(ctx context.Context) error {
	return bench.Floor(ctx, c.Addr, c.Answers)
}
