package arbiter

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/trf"
)

// WriteReport writes a tournament as a report file, for other programs. Who is a
// bot and what matches above Open achieved stand in comments (###), as reports
// have no columns for them. officials are the arbiters by name, the chief first.
func WriteReport(out io.Writer, t *tournament.Tournament, heads map[match.ID]store.Head, officials []string) error {
	f := t.Field()
	f.Forbidden = slices.DeleteFunc(f.Forbidden, func(x tournament.Forbidden) bool { return x.Soft }) // reports know no wishes
	r := trf.FromField(f)
	if !t.StartedAt.IsZero() {
		r.SetHeader("042", t.StartedAt.Format("2006/01/02"))
	}
	if !t.EndedAt.IsZero() {
		r.SetHeader("052", t.EndedAt.Format("2006/01/02"))
	}
	for i, name := range officials {
		if i == 0 {
			r.SetHeader("102", name)
		} else {
			r.Lines = append(r.Lines, trf.Line{Code: "112", Text: "112 " + name})
		}
	}
	r.SetHeader("122", allotted(t.Settings.Envelope))
	r.SetDates(roundDates(t))
	comment := func(format string, args ...any) {
		r.Lines = append(r.Lines, trf.Line{Code: "###", Text: "### " + fmt.Sprintf(format, args...)})
	}
	for _, e := range t.Entries {
		if e.Bot && e.Number > 0 {
			comment("bot %d", e.Number)
		}
	}
	for _, round := range t.Rounds {
		if round.Edited {
			comment("%s %d", trf.EditedRound, round.Number)
		}
		for _, p := range round.Pairings {
			if level := heads[p.Match].Achieved; level > fairplay.Open {
				comment("assurance round %d board %d %s", round.Number, p.Board, level)
			}
		}
	}
	return r.Write(out, trf.TRF2026)
}

// Officials are a tournament's arbiters, in the order in which they were named; who
// runs it where there are none.
func Officials(tx *store.Tx, t *tournament.Tournament) (names []string, err error) {
	ids := []player.ID{}
	for _, m := range t.Staff {
		if m.Duty == tournament.Arbiter && !m.Invited {
			ids = append(ids, m.Player)
		}
	}
	if len(ids) == 0 {
		ids = append(ids, t.Organizer)
	}
	who, err := tx.Players(ids...)
	for _, id := range ids {
		if p, known := who[id]; known {
			names = append(names, string(p.Handle))
		}
	}
	return names, err
}

// allotted is the time of a match, which its players bid for.
func allotted(e bidding.Envelope) string {
	span := func(s [2]int, unit string) string {
		if s[0] == s[1] {
			return fmt.Sprint(s[0], " ", unit)
		}
		return fmt.Sprint(s[0], "-", s[1], " ", unit)
	}
	return "bid for: " + span(e.Minutes, "min") + " + " + span(e.Increment, "s") + " a move"
}

// roundDates are the days of the rounds, played and announced.
func roundDates(t *tournament.Tournament) (days []time.Time) {
	for _, r := range t.Rounds {
		days = append(days, r.OpenedAt)
	}
	if t.Pace == tournament.Times && len(t.Times) > len(days) {
		days = append(days, t.Times[len(days):]...)
	}
	return days
}

// Import reads a report file and makes a tournament that goes on from there:
// its players are guests, whose results are entered by hand. s says what a
// report does not; name, format and rounds come from the file where it has
// them. Errors: *trf.SyntaxError, *tournament.FieldError,
// *tournament.SettingsError.
func (a *Arbiter) Import(ctx context.Context, by player.Viewer, in io.Reader, s tournament.Settings) (tournament.ID, error) {
	if !by.MayCreateTournament() {
		return "", tournament.ErrNotAllowed
	}
	report, err := trf.Read(in)
	if err != nil {
		return "", err
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
	t, err := tournament.Resume(tournament.ID(store.NewID()), by.ID, s, f, a.now())
	if err != nil {
		return "", err
	}
	if err := a.store.Write(ctx, func(tx *store.Tx) error {
		return tx.AddTournament(t, act{By: by, Act: tournament.ActImport}.deed(t, a.now()))
	}); err != nil {
		return "", err
	}
	a.nudge(t)
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
			return &tournament.FieldError{Problems: []string{err.Error()}}
		}
		if slices.ContainsFunc(paired.Boards, func(b tournament.Board) bool {
			p := byNumber[b.First]
			return n >= len(p.Rounds) || p.Rounds[n].Opponent != b.Second && p.Rounds[n].Opponent != 0
		}) {
			problems = append(problems, fmt.Sprintf("round %d is not that of the Berger tables", n+1))
		}
	}
	if len(problems) > 0 {
		return &tournament.FieldError{Problems: problems}
	}
	return nil
}
