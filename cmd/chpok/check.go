package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/trf"
)

type checkCmd struct {
	databaseFlag
	File       string `arg:"" optional:"" help:"The tournament report (TRF), or a tournament's exported log (JSON lines); without it standard input is read."`
	Tournament string `help:"The id of a tournament: its log is read from the database, and compared with what is stored." placeholder:"ID"`
	Standings  string `help:"A table as the site exports it (standings.csv), to compare with the one worked out from the log." type:"existingfile" placeholder:"FILE"`
}

// Run checks a report by pairing its rounds again, and a log by working out its table
// again. Status 1: something differs, other than rounds that the file marks as edited by
// staff or overtaken by a correction.
func (c *checkCmd) Run(ctx context.Context, std cli.IO) error {
	if c.Tournament != "" {
		return c.stored(ctx, std)
	}
	raw, err := readText(c.File, std.In)
	if err != nil {
		return err
	}
	if !isJSON(raw) {
		return c.report(ctx, std, raw)
	}
	deeds, table, err := tables.ReadLog(bytes.NewReader(raw))
	if err != nil {
		return cli.Fail(2, "%s: %w", inputName(c.File), err)
	}
	return c.log(std, deeds, table, nil)
}

// report pairs every round of a report again.
func (c *checkCmd) report(ctx context.Context, std cli.IO, raw []byte) error {
	report, err := parseReport(c.File, raw, std)
	if err != nil {
		return err
	}
	field := fieldOf(report)
	if field.System != "" {
		return cli.Fail(2, "no report holds what %s is paired by: check its log", field.System)
	}
	if field.RoundRobin {
		return checkTables(std, field, report.Commented(trf.EditedRound))
	}
	checker, version := swiss.Checker{Pairer: swiss.Dutch{Cancelled: func() bool { return ctx.Err() != nil }}}, swiss.Version
	if report.Teams != nil {
		checker, version = teamChecker(ctx), teamswiss.Version
	}
	if isTerminal(std.Err) {
		checker.Progress = func(done, total int) { fmt.Fprintf(std.Err, "\rround %d of %d", done, total) }
		defer fmt.Fprintln(std.Err)
	}
	differences, err := checker.Check(field)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	edited, overtaken, byStaff := report.Commented(trf.EditedRound), report.Commented(trf.OvertakenRound), 0
	for _, d := range differences {
		switch {
		case edited[d.Round]:
			byStaff++
			fmt.Fprintln(std.Out, "edited by staff:", d)
		case overtaken[d.Round]:
			byStaff++
			fmt.Fprintln(std.Out, "paired before a correction:", d)
		default:
			fmt.Fprintln(std.Out, d)
		}
	}
	return sumUp(std, field, version, byStaff, len(differences)-byStaff)
}

// sumUp prints the last line of a check of rounds.
func sumUp(std cli.IO, field tournament.Field, how string, byStaff, differ int) error {
	fmt.Fprintf(std.Out, "%d rounds checked (%s), %d edited by staff, %d differ\n", field.Played, how, byStaff, differ)
	return differing(differ)
}

// differing ends a command with status 1 if there are differences.
func differing(n int) error {
	if n > 0 {
		return cli.Exit(1)
	}
	return nil
}

// checkTables compares the rounds of a round robin with the Berger tables.
func checkTables(std cli.IO, field tournament.Field, edited map[int]bool) error {
	rounds, err := tables.OffTables(field)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	byStaff := 0
	for _, n := range rounds {
		says := ""
		if edited[n] {
			byStaff++
			says = "edited by staff: "
		}
		fmt.Fprintf(std.Out, "%sround %d is not that of the Berger tables\n", says, n)
	}
	return sumUp(std, field, "Berger tables", byStaff, len(rounds)-byStaff)
}

// stored checks a tournament of the database against its log.
func (c *checkCmd) stored(ctx context.Context, std cli.IO) error {
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	var t *tournament.Tournament
	var deeds []ledger.Deed
	err = s.Read(ctx, func(tx *store.Tx) (err error) {
		if t, err = tx.Tournament(tournament.ID(c.Tournament)); err != nil {
			return err
		}
		deeds, err = tx.Deeds(t.ID)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return cli.Fail(2, "there is no tournament %s", c.Tournament)
	}
	if err != nil {
		return err
	}
	table, err := tables.TableOf(t)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	return c.log(std, deeds, &table, t)
}

// log folds a log, works out its table, and compares both with the table given, with what
// is stored, and with an exported table.
func (c *checkCmd) log(std cli.IO, deeds []ledger.Deed, table *tables.FinalTable, stored *tournament.Tournament) error {
	folded, err := ledger.Fold(deeds)
	if err == nil {
		err = ledger.CheckPasses(deeds)
	}
	if err != nil {
		fmt.Fprintln(std.Out, err)
		return differing(1)
	}
	got, err := tables.TableOf(folded)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	drawn, err := tables.CheckDraws(deeds)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	var differences []string
	for _, d := range drawn {
		if !d.IsRight() {
			differences = append(differences, drawText(d))
		}
	}
	if stored != nil {
		for _, x := range ledger.Diff(folded, stored) {
			differences = append(differences, fmt.Sprintf("%s: %s by the log, %s stored", x.Path, orNothing(x.Before), orNothing(x.After)))
		}
	}
	if table != nil {
		differences = append(differences, got.Differences(*table)...)
	}
	if c.Standings != "" {
		exported, err := readStandings(c.Standings, got)
		if err != nil {
			return cli.Fail(2, "%s: %w", c.Standings, err)
		}
		differences = append(differences, got.Differences(exported)...)
	}
	for _, d := range differences {
		fmt.Fprintln(std.Out, d)
	}
	for _, r := range folded.Rounds {
		if r.Edited {
			fmt.Fprintf(std.Out, "edited by staff: round %d\n", r.Number)
		}
	}
	fmt.Fprintf(std.Out, "%d deeds, %d draws, %d rounds, %d players: %d differences\n", len(deeds), len(drawn), len(folded.Rounds),
		len(got.Lines), len(differences))
	if table == nil && c.Standings == "" {
		fmt.Fprintln(std.Err, "chpok: warning: the log has no table to compare with")
	}
	return differing(len(differences))
}

func orNothing(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	return string(raw)
}

// readStandings reads a standings.csv of the site. Names come from the log, because the
// file escapes those that spreadsheets would read as formulas.
func readStandings(name string, log tables.FinalTable) (tables.FinalTable, error) {
	var table tables.FinalTable
	text, err := readText(name, nil)
	if err != nil {
		return table, err
	}
	in := csv.NewReader(bytes.NewReader(text))
	for _, saved := range []rune{';', '\t'} { // again, by a spreadsheet
		if bytes.HasPrefix(text, []byte("rank"+string(saved))) {
			in.Comma = saved
		}
	}
	rows, err := in.ReadAll()
	if err != nil {
		return table, err
	}
	const fixed = 6 // rank, number, player, club, rating, score
	if len(rows) == 0 || len(rows[0]) < fixed || rows[0][0] != "rank" {
		return table, errNoStandings
	}
	last := len(rows[0])
	// these columns are not tie-breaks; tables of other programs may lack them
	others := []string{"bot", "ruled", "own-acts", "game-points", "match-points", "out"}
	for last > fixed && slices.Contains(others, rows[0][last-1]) {
		last--
	}
	table.Codes = rows[0][fixed:last]
	names := map[int]string{}
	for _, l := range log.Lines {
		names[l.Number] = l.Name
	}
	pointed := strings.NewReplacer(",", ".") // decimals, where the spreadsheet has commas
	for n, row := range rows[1:] {
		rank, err1 := strconv.Atoi(row[0])
		number, err2 := strconv.Atoi(row[1])
		score, err3 := strconv.ParseFloat(pointed.Replace(row[5]), 64)
		if err := errors.Join(err1, err2, err3); err != nil {
			return table, fmt.Errorf("line %d: %w", n+2, err)
		}
		line := tables.FinalLine{Rank: rank, Number: number, Name: strings.TrimPrefix(row[2], "'"),
			Score: tournament.Score(score*10 + 0.5)}
		for _, v := range row[fixed:last] {
			line.Values = append(line.Values, pointed.Replace(v))
		}
		if name := names[number]; line.Name == strings.TrimPrefix(name, "'") {
			line.Name = name
		}
		table.Lines = append(table.Lines, line)
	}
	return table, nil
}

var errNoStandings = errors.New("this is no table of the site")
