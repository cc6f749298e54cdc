package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
)

type standingsCmd struct {
	Tiebreaks string `help:"Tie-breaks in their order, separated by commas, as in BH/C1,BH,SB,DE; without it FIDE's list for the format." placeholder:"CODES"`
	JSON      bool   `name:"json" help:"Write JSON instead of a table."`
	File      string `arg:"" optional:"" help:"The tournament report (TRF); without it standard input is read."`
}

func (c *standingsCmd) Run(std cli.IO) error {
	report, err := readReport(c.File, std)
	if err != nil {
		return err
	}
	field := report.Counted()
	format := tournament.Swiss
	switch {
	case field.System != "" && c.Tiebreaks != "":
		return cli.Fail(2, "%s has places, no tie-breaks", field.System)
	case field.System != "":
		format = tournament.KnockOut
	case field.RoundRobin:
		format = tournament.RoundRobin
	}
	defaults, parse := tournament.DefaultTiebreaks(format, false), tiebreak.ParseList
	if field.Teams != nil {
		defaults, parse = tournament.DefaultTiebreaks(format, true), tiebreak.ParseListForTeams
	}
	codes, err := parse(cmp.Or(c.Tiebreaks, strings.Join(defaults, ",")))
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	names := make([]string, len(codes))
	asked := strings.FieldsFunc(c.Tiebreaks, func(r rune) bool { return r == ',' || r == ' ' })
	for i, code := range codes {
		names[i] = code.String()
		if len(asked) == len(codes) {
			names[i] = asked[i]
		}
	}
	table, err := tiebreak.Standings(field, codes)
	if err != nil {
		return cli.Fail(2, "%w", err)
	}
	if c.JSON {
		return writeStandingsJSON(std.Out, table, names)
	}
	return writeStandings(std.Out, table, names)
}

func writeStandings(out io.Writer, table []tiebreak.Standing, names []string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	heads := []string{"Rank", "No."}
	width := len("Name")
	for _, s := range table {
		width = max(width, len([]rune(s.Name)))
	}
	heads = append(append(heads, pad("Name", width), "Score"), names...)
	fmt.Fprintln(w, strings.Join(heads, "\t")+"\t")
	for _, s := range table {
		row := []string{fmt.Sprint(s.Rank), fmt.Sprint(s.Number), pad(s.Name, width), points(int64(s.Score)).String()}
		for _, v := range s.Values {
			row = append(row, v.String())
		}
		fmt.Fprintln(w, strings.Join(row, "\t")+"\t")
	}
	return w.Flush()
}

// pad fills a name to a width on the right, because the writer aligns to the right.
func pad(name string, width int) string {
	return name + strings.Repeat(" ", width-len([]rune(name)))
}

// points formats a score, in tenths, like the values of tie-breaks.
func points(tenths int64) tiebreak.Value {
	return tiebreak.Value{Hundredths: 10 * tenths, Defined: true}
}

// writeStandingsJSON keeps the tie-breaks of each player in order.
func writeStandingsJSON(out io.Writer, table []tiebreak.Standing, names []string) error {
	w := bufio.NewWriter(out)
	w.WriteString(`{"standings":[`)
	for i, s := range table {
		if i > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(w, `{"rank":%d,"number":%d,"score":%s,"tiebreaks":{`, s.Rank, s.Number, points(int64(s.Score)))
		for k, v := range s.Values {
			if k > 0 {
				w.WriteByte(',')
			}
			key, err := json.Marshal(names[k])
			if err != nil {
				return err
			}
			value := "null"
			if v.Defined {
				value = v.String()
			}
			fmt.Fprintf(w, "%s:%s", key, value)
		}
		w.WriteString("}}")
	}
	w.WriteString("]}\n")
	return w.Flush()
}
