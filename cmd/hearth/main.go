// Command hearth is a team chat server in one process.
//
// It only ties the parts together: flags and environment become one
// configuration, and every subcommand has a file of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// Set by the linker; see the Makefile.
var (
	version = "dev"
	commit  = "unknown"
)

// commands is the command line: one field a subcommand.
type commands struct {
	Serve         serveCommand         `cmd:"" help:"Serve the chat."`
	Backup        backupCommand        `cmd:"" help:"Copy the database and the files of a storage folder, also while it is being served."`
	Restore       restoreCommand       `cmd:"" help:"Unpack a backup into an empty storage folder."`
	ResetPassword resetPasswordCommand `cmd:"" name:"reset-password" help:"Give a person who is locked out a new password."`
	Doctor        doctorCommand        `cmd:"" help:"Examine a storage folder and say what is wrong with it."`
	Version       versionCommand       `cmd:"" help:"Say which build this is."`
	Bench         benchCommand         `cmd:"" help:"Measure this machine: make a database, run a server and a load beside it."`
}

const description = `A team chat server in one process.

Example: hearth serve --storage ./storage --addr 127.0.0.1:3000

Run "hearth COMMAND --help" for an example of each command.`

func main() {
	os.Exit(run(os.Args[1:]))
}

// run executes one command line and returns the exit status: 0 for success, 1
// for a command that could not do its work, 2 for a command line that is wrong.
func run(args []string) int {
	parser, err := kong.New(&commands{},
		kong.Name("hearth"),
		kong.Description(description),
		kong.Vars{"mechanisms": strings.Join(mechanisms, ", ")},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 90}),
	)
	if err != nil {
		panic(err) // the command table itself is wrong
	}
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "--version":
		args = []string{"version"}
	}
	call, err := parser.Parse(args)
	if err != nil {
		said := strings.ReplaceAll(err.Error(), `"EOL" (<EOL>)`, "nothing") // kong's name for the end of the line
		fmt.Fprintf(os.Stderr, "hearth: %s. Try hearth --help.\n", said)
		return 2
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	call.BindTo(ctx, (*context.Context)(nil))
	if err := call.Run(); err != nil {
		if !errors.Is(err, errReported) {
			fmt.Fprintf(os.Stderr, "hearth: %s\n", err)
		}
		return 1
	}
	return 0
}

// errReported makes the exit status 1 without a further word: the command has
// already told the person what is wrong.
var errReported = errors.New("reported")
