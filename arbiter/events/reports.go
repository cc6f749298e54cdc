package events

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/resume"
	"chpok.org/chpok/tournament/trf"
)

// ErrSystemReport refuses to continue from a report what no report holds: a bracket, a Keizer's values, line-ups.
var ErrSystemReport = refusal.Invalid("bracket.error.report", "arbiter: the report does not hold what its system pairs by")

// Report is a report to continue from, and what it may not say itself.
type Report struct {
	Text    string
	Name    string // if the report has none
	Rounds  int    // if the report does not say how many there are
	Another bool   // names that read the same are different people's
}

// Import makes a tournament that continues from a report, as PreviewReport shows it.
func (a *Office) Import(ctx context.Context, by player.Viewer, r Report) (tournament.ID, error) {
	t, err := a.PreviewReport(by, r)
	if err != nil {
		return "", err
	}
	if err := a.Promise(ctx, t); err != nil {
		return "", err
	}
	if err := a.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.AddTournament(t, kernel.Step{By: by, Act: tournament.ActImport}.Deed(t, a.Now()))
	}); err != nil {
		return "", err
	}
	a.Nudge(t)
	return t.ID, nil
}

// PreviewReport returns the tournament that continues from a report; its players are
// guests, whose results are entered by hand. Errors: *trf.SyntaxError, trf.ErrEmpty,
// *resume.FieldError, setting.ErrSettings, ErrSystemReport.
func (a *Office) PreviewReport(by player.Viewer, r Report) (*tournament.Tournament, error) {
	if !by.MayCreateTournament() {
		return nil, tournament.ErrNotAllowed
	}
	report, err := trf.Read(r.Text)
	if err != nil {
		return nil, err
	}
	if report.System() != "" {
		return nil, ErrSystemReport
	}
	f := report.Field()
	format := tournament.Swiss
	if f.RoundRobin {
		format = tournament.RoundRobin
	}
	s := tournament.DefaultSettings(format)
	s.Pace, s.Name, s.Rounds = tournament.Manual, cmp.Or(f.Name, r.Name), cmp.Or(max(0, f.Rounds), r.Rounds)
	s.Report = headOf(report)
	if format.MeetsAll() {
		f.Rounds = s.Rounds
		s.Double = tables.Berger(f).Double
		if err := followsTables(f); err != nil {
			return nil, err
		}
	}
	s.Rounds = max(s.Rounds, f.Played)
	if err := CheckSettings(s); err != nil {
		return nil, err
	}
	t, err := resume.From(tournament.ID(store.NewID()), by.ID, s, f, a.Now())
	if err == nil {
		err = resume.CheckNames(t, r.Another)
	}
	if err != nil {
		return nil, err
	}
	told := map[int]tournament.ReportPlayer{}
	for _, p := range report.Players {
		told[p.Number] = p.ReportPlayer
	}
	for i, e := range t.Entries {
		t.Entries[i] = e.Brought(told[e.Number])
		if report.Commented(trf.AnnulledPlayer)[e.Number] { // they left before half of their games
			t.Entries[i].Status, t.Entries[i].Removed, t.Entries[i].Until = tournament.Withdrawn, true, f.Played
		}
	}
	resume.Redate(t, report.Dates(), report.Day("042"), report.Day("052"), a.Now())
	return t, nil
}

// headOf is what a report's head tells that nothing else of an event does.
func headOf(r *trf.Report) tournament.ReportHead {
	h := tournament.ReportHead{City: r.Header("022"), Federation: r.Header("032"), TimeControl: strings.Join(r.Headers("122"), " "),
		Deputies: r.Headers("112")}
	if chiefs := r.Headers("102"); len(chiefs) > 0 {
		h.Chief, h.Deputies = chiefs[0], append(chiefs[1:], h.Deputies...)
	}
	return h.Tidied()
}

// followsTables checks that the rounds played follow the tables, as the rest will.
func followsTables(f tournament.Field) error {
	rounds, err := tables.OffTables(f)
	if err != nil {
		return &resume.FieldError{Problems: []string{err.Error()}}
	}
	var problems []string
	for _, n := range rounds {
		problems = append(problems, fmt.Sprintf("round %d is not that of the Berger tables", n))
	}
	if len(problems) > 0 {
		return &resume.FieldError{Problems: problems}
	}
	return nil
}
