package tables

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/trf"
)

// ErrArenaReport refuses a report of an arena, which has no rounds.
var ErrArenaReport = refusal.Conflict("arena.error.report", "tables: a report has rounds, and an arena has none")

// WriteReport writes a tournament as a report file (TRF26) for other programs. Reports
// have no columns for bots and for what matches above Open achieved: these stand in
// comments (###). officials are the arbiters by name, the chief first. Days are those of the
// tournament's zone, so that an evening is one.
//
// Error: ErrArenaReport.
func WriteReport(out io.Writer, t *tournament.Tournament, heads map[match.ID]store.Head, officials []string) error {
	if !t.Format.InRounds() {
		return ErrArenaReport
	}
	f, counted := t.ReportField(), t.Field()
	f.Forbidden = slices.DeleteFunc(f.Forbidden, func(x tournament.Forbidden) bool { return x.Soft }) // reports know no wishes
	r := trf.FromField(f)
	if t.HasTeams() {
		r = teamReport(&t.Table, f)
	} else {
		pointed(r, counted)
	}
	described(r, t)
	if err := ranked(r, t); err != nil {
		return err
	}
	if !t.StartedAt.IsZero() {
		r.SetHeader("042", t.StartedAt.In(t.Location()).Format("2006/01/02"))
	}
	if !t.EndedAt.IsZero() {
		r.SetHeader("052", t.EndedAt.In(t.Location()).Format("2006/01/02"))
	}
	head := func(code string, texts ...string) {
		for _, text := range texts {
			if text != "" {
				r.Lines = append(r.Lines, trf.Line{Code: code, Text: code + " " + text})
			}
		}
	}
	head("022", t.Report.City)
	head("032", t.Report.Federation)
	head("102", officials[:min(1, len(officials))]...)
	head("112", officials[min(1, len(officials)):]...)
	head("122", cmp.Or(t.Report.TimeControl, allotted(t.Settings.Envelope)))
	r.SetDates(roundDates(t))
	comment := func(text string, args ...any) {
		r.Lines = append(r.Lines, trf.Line{Code: "###", Text: "### " + fmt.Sprintf(text, args...)})
	}
	for _, e := range t.Entries {
		if e.Bot && e.Number > 0 {
			comment("bot %d", e.Number)
		}
		if t.IsAnnulled(e.ID) {
			comment("%s %d", trf.AnnulledPlayer, e.Number)
		}
		if carried := t.Carried(e.ID); carried != 0 {
			comment("brought along %d %d.%d", e.Number, carried/10, carried%10)
		}
	}
	for _, d := range decided(t) {
		comment("decided round %d board %d %d by %s", d.round, d.board, d.winner, d.by)
	}
	for _, round := range t.Rounds {
		if round.Edited {
			comment("%s %d", trf.EditedRound, round.Number)
		}
		if round.Overtaken {
			comment("%s %d", trf.OvertakenRound, round.Number)
		}
		for _, p := range round.Pairings {
			if level := heads[p.Match].Achieved; level > fairplay.Open {
				comment("assurance round %d board %d %s", round.Number, p.Board, level)
			}
		}
	}
	return r.Write(out, trf.TRF2026)
}

// pointed fills in the points that count; players whose games do not count have none.
func pointed(r *trf.Report, counted tournament.Field) {
	points := map[int]tournament.Score{}
	for _, p := range trf.FromField(counted).Players {
		points[p.Number] = p.Points
	}
	for i := range r.Players {
		r.Players[i].Points = points[r.Players[i].Number]
	}
}

// described fills in what entries keep for the report alone. A year of birth that was declared here counts, too.
func described(r *trf.Report, t *tournament.Tournament) {
	told := map[int]tournament.ReportPlayer{}
	var inTeams map[tournament.EntryID]int
	if t.HasTeams() {
		_, inTeams = t.PlayerField()
	}
	for _, e := range t.Players() {
		p := e.Report
		if p.Birth == "" && e.Born > 0 {
			p.Birth = strconv.Itoa(e.Born)
		}
		if e.Team != 0 {
			e.Number = inTeams[e.ID]
		}
		told[e.Number] = p
	}
	for i := range r.Players {
		r.Players[i].ReportPlayer = told[r.Players[i].Number]
	}
}

// ranked fills in the players' places in the table; those off the table have none.
func ranked(r *trf.Report, t *tournament.Tournament) error {
	table, err := format.Standings(t, -1)
	if err != nil {
		return err
	}
	ranks := map[int]int{}
	for _, l := range table.Lines {
		ranks[l.Number] = l.Rank
	}
	if r.Teams != nil {
		rankedTeams(r, ranks)
		return nil
	}
	for i := range r.Players {
		r.Players[i].Rank = ranks[r.Players[i].Number]
	}
	return nil
}

// decision is who goes on from a board for a reason that its results do not show.
type decision struct {
	round, board, winner int
	by                   contest.By
}

// decided are the level contests of a knock-out, by their last boards.
func decided(t *tournament.Tournament) (list []decision) {
	if !t.Format.HasBracket() || t.Status < tournament.Running {
		return nil
	}
	last := map[int]decision{}
	for _, r := range t.Rounds {
		for _, p := range r.Sides() {
			last[p.Contest] = decision{round: r.Number, board: p.Board}
		}
	}
	for _, s := range t.Bracket(len(t.Rounds)).States {
		switch s.By {
		case contest.ByPoints, contest.ByOther, contest.ByBoardCount, contest.ByTopBoards, contest.ByLessBottom,
			contest.ByDecider, contest.ByLot, contest.BySeed:
			d := last[s.At]
			d.winner, d.by = s.Winner, s.By
			list = append(list, d)
		}
	}
	return list
}

// allotted is the time control of a match, for which its players bid.
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
	for i := range days {
		days[i] = days[i].In(t.Location())
	}
	return days
}
