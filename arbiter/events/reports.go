package events

import (
	"context"
	"fmt"
	"io"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/resume"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/trf"
)

// ErrKnockOutReport says that a report cannot be gone on from: it does not hold the
// bracket.
var ErrKnockOutReport = refusal.Invalid("bracket.error.report", "arbiter: the report of a knock-out does not hold its bracket")

// Import reads a report file and makes a tournament that goes on from there:
// its players are guests, whose results are entered by hand. s says what a
// report does not; name, format and rounds come from the file where it has
// them. Errors: *trf.SyntaxError, *resume.FieldError,
// *tournament.SettingsError, ErrKnockOutReport.
func (a *Office) Import(ctx context.Context, by player.Viewer, in io.Reader, s tournament.Settings) (tournament.ID, error) {
	if !by.MayCreateTournament() {
		return "", tournament.ErrNotAllowed
	}
	report, err := trf.Read(in)
	if err != nil {
		return "", err
	}
	if report.IsKnockOut() {
		return "", ErrKnockOutReport
	}
	f := report.Field()
	if f.Name != "" {
		s.Name = f.Name
	}
	if s.Format = tournament.Swiss; f.RoundRobin {
		s.Format = tournament.RoundRobin
	}
	if f.Rounds > 0 {
		s.Rounds = f.Rounds
	}
	if s.Format == tournament.RoundRobin {
		n := len(f.Players)
		s.Double = s.Rounds > n-1+n%2
		if err := followsTables(f, s.Double); err != nil {
			return "", err
		}
	}
	if len(s.Tiebreaks) == 0 {
		s.Tiebreaks = tournament.DefaultTiebreaks(s.Format)
	}
	s.Rounds = max(s.Rounds, f.Played)
	if err := CheckSettings(s); err != nil {
		return "", err
	}
	t, err := resume.From(tournament.ID(store.NewID()), by.ID, s, f, a.Now())
	if err != nil {
		return "", err
	}
	resume.Redate(&t.Course, report.Dates(), a.Now())
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

// followsTables checks that the rounds played are those of the tables, for the
// rest will be.
func followsTables(f tournament.Field, double bool) error {
	played := f.Played
	byNumber := map[int]tournament.FieldPlayer{}
	for _, p := range f.Players {
		byNumber[p.Number] = p
	}
	var problems []string
	for n := range played {
		f.Played = n
		paired, err := roundrobin.Berger{Double: double}.Pair(f)
		if err != nil {
			return &resume.FieldError{Problems: []string{err.Error()}}
		}
		if slices.ContainsFunc(paired.Boards, func(b tournament.Board) bool {
			p := byNumber[b.First]
			return n >= len(p.Rounds) || p.Rounds[n].Opponent != b.Second && p.Rounds[n].Opponent != 0
		}) {
			problems = append(problems, fmt.Sprintf("round %d is not that of the Berger tables", n+1))
		}
	}
	if len(problems) > 0 {
		return &resume.FieldError{Problems: problems}
	}
	return nil
}
