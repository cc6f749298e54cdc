// Command chpok runs tournaments and ladders of the game Chpok: the server, its
// administration, and the tools that check games and pairings without one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// cli lists every command and flag.
type cli struct {
	Serve serveCmd `cmd:"" help:"Serve the site."`
	Demo  demoCmd  `cmd:"" help:"Serve a club at play, from a temporary folder."`

	Player  playerCmd  `cmd:"" help:"Accounts."`
	Token   tokenCmd   `cmd:"" help:"API tokens."`
	Ratings ratingsCmd `cmd:"" help:"The rating list."`
	Migrate migrateCmd `cmd:"" help:"Bring a database to this release's schema."`
	Doctor  doctorCmd  `cmd:"" help:"Look at the configuration, database, mail, bus, disk and clock, and say what is wrong."`
	Health  healthCmd  `cmd:"" help:"Ask the server on this machine whether it is well: status 0 or 1, for containers."`
	Backup  backupCmd  `cmd:"" help:"Copy the database to a file, also while the server runs, and check the copy."`
	Restore restoreCmd `cmd:"" help:"Put a copy in the place of the database; what was there is kept."`

	Perft  perftCmd  `cmd:"" help:"Count the leaves of the tree of moves (rules, section 11)."`
	Replay replayCmd `cmd:"" help:"Replay a game record, one JSON line for each action (rules, section 11)."`
	Record recordCmd `cmd:"" help:"Write a match for people to read, or with --json as a record."`
	Verify verifyCmd `cmd:"" help:"Check what a site signed about a finished match: on what it was played and what was achieved."`
	Draws  drawsCmd  `cmd:"" help:"Check the random draws of a finished match, or of a tournament, against their published seeds."`

	Engine  engineCmd  `cmd:"" help:"Serve the engine over its text protocol."`
	Match   matchCmd   `cmd:"" help:"Let two engines play a match on the board."`
	Puzzles puzzlesCmd `cmd:"" help:"Find the puzzles of every site in games of the engine against itself (docs/engine.md)."`
	Tune    tuneCmd    `cmd:"" help:"Learn the weights of the engine's evaluation from games against itself (docs/engine.md)."`
	Terms   termsCmd   `cmd:"" help:"Find out what terms are worth to the engine's bidding (docs/engine.md)."`
	Labels  labelsCmd  `cmd:"" help:"Ask a far longer search what it thinks of the labels that analysis gives to moves (docs/engine.md)."`

	Standings standingsCmd `cmd:"" help:"The standings of a tournament report with its tie-breaks."`
	Pair      pairCmd      `cmd:"" help:"Pair the next round of a tournament report by the Dutch system."`
	Check     checkCmd     `cmd:"" help:"Pair every round of a tournament report again and compare; or work the table out again from a tournament's log."`
	DryRun    dryRunCmd    `cmd:"" name:"dry-run" help:"Play a tournament beforehand, many times: when it would end and what its rounds would tell."`
	Simulate  simulateCmd  `cmd:"" help:"Make random tournaments, paired by the Dutch system."`
	Load      loadCmd      `cmd:"" hidden:"" help:"Measure a server under watchers and moves."`
}

// stdio is what a command reads and writes; tests pass buffers.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// exitError ends the process with a status, after its message, if any, is printed to
// standard error.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// fail returns an exitError with a message.
func fail(code int, format string, args ...any) error {
	return &exitError{code, fmt.Errorf(format, args...)}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code := run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// run is the whole program, for main and tests. It returns the exit status: 0 done, 1
// failed, 2 wrong usage or unreadable input, others by command.
func run(ctx context.Context, args []string, std stdio) int {
	var c cli
	exited, status := false, 0
	parser, err := kong.New(&c,
		kong.Name("chpok"),
		kong.Description("Tournaments and ladders of the game Chpok."),
		kong.UsageOnError(),
		kong.Writers(std.out, std.err),
		kong.Exit(func(code int) { exited, status = true, code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std),
	)
	if err != nil {
		fmt.Fprintf(std.err, "chpok: %v\n", err)
		return 1
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	kctx, err := parser.Parse(args)
	if exited { // --help
		return status
	}
	if err != nil {
		fmt.Fprintf(std.err, "chpok: %v\n", err)
		return 2
	}
	err = kctx.Run()
	var exit *exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		if exit.err != nil {
			fmt.Fprintf(std.err, "chpok: %v\n", exit.err)
		}
		return exit.code
	default:
		fmt.Fprintf(std.err, "chpok: %v\n", err)
		return 1
	}
}
