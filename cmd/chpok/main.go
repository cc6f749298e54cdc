// Command chpok runs tournaments and ladders of the game Chpok: the server, its
// administration, and the tools that check games and pairings without one.
package main

import (
	_ "time/tzdata" // for where there is nothing but the program, and for Windows

	_ "golang.org/x/crypto/x509roots/fallback" // the same for the authorities behind https

	"chpok.org/chpok/cmd/internal/cli"
)

// commands lists every command and flag.
type commands struct {
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
	Version versionCmd `cmd:"" help:"Say which version this is, from which commit and of what day, and which schema it writes."`

	Perft  perftCmd  `cmd:"" help:"Count the leaves of the tree of moves (rules, section 11)."`
	Replay replayCmd `cmd:"" help:"Replay a game record, one JSON line for each action (rules, section 11)."`
	Record recordCmd `cmd:"" help:"Write a match for people to read, or with --json as a record."`
	Verify verifyCmd `cmd:"" help:"Check what a site signed about a finished match: on what it was played and what was achieved."`
	Review reviewCmd `cmd:"" help:"Say how unusual somebody's moves are in some matches, from their records (docs/evidence.md)."`
	Draws  drawsCmd  `cmd:"" help:"Check the random draws of a finished match, or of a tournament, against their published seeds."`

	Engine engineCmd `cmd:"" help:"Serve the engine over its text protocol."`
	Bot    botCmd    `cmd:"" help:"Let a program play at a site as a bot."`
	Match  matchCmd  `cmd:"" help:"Let two engines play a match on the board."`

	Standings standingsCmd `cmd:"" help:"The standings of a tournament report with its tie-breaks."`
	Pair      pairCmd      `cmd:"" help:"Pair the next round of a tournament report by the Dutch system."`
	Check     checkCmd     `cmd:"" help:"Pair every round of a tournament report again and compare; or work the table out again from a tournament's log."`
	DryRun    dryRunCmd    `cmd:"" name:"dry-run" help:"Play a tournament beforehand, many times: when it would end and what its rounds would tell."`
	Simulate  simulateCmd  `cmd:"" help:"Make random tournaments, paired by the Dutch system."`
}

var app = cli.Program{Name: "chpok", About: "Tournaments and ladders of the game Chpok.", Commands: func() any { return &commands{} }}

func main() { app.Main() }
