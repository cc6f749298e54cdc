package tables_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/trf"
)

var evening = time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)

// teamWalk is an event of teams in which anything may happen.
type teamWalk struct {
	*rapid.T
	tour  *tournament.Tournament
	deeds []ledger.Deed
	ids   int
	owner player.Viewer
}

func (w *teamWalk) newID() match.ID { w.ids++; return match.ID(fmt.Sprint("m", w.ids)) }

// do does something, and logs it if it was allowed.
func (w *teamWalk) do(f func(*tournament.Tournament) error) bool {
	before := w.tour.Clone()
	if f(w.tour) != nil {
		w.tour = before
		return false
	}
	w.tour.MarkOvertaken(&before.Table)
	w.tour.Version = before.Version + 1
	w.deeds = append(w.deeds, ledger.Deed{Seq: w.tour.Version, Changes: ledger.Diff(before, w.tour)})
	return true
}

func (w *teamWalk) enter(players int) {
	k := len(w.tour.Sides()) + 1
	of := tournament.TeamOf{Name: fmt.Sprint("Team ", k)}
	for i := range players {
		of.Players = append(of.Players, tournament.Candidate{Name: fmt.Sprintf("Player %c%d", 'a'+k, i+1), Rating: 2000 - 10*k - i})
	}
	if w.tour.Status == tournament.Running {
		w.do(func(t *tournament.Tournament) error { _, err := t.EnterTeam(w.owner, of, evening); return err })
		return
	}
	if !w.do(func(t *tournament.Tournament) error {
		_, err := t.EnterTeam(w.owner, of, evening)
		if err != nil {
			w.Log(err)
		}
		return err
	}) {
		w.Fatalf("%+v does not enter", of)
	}
}

// Teams come late, leave and return, hand in line-ups or none, boards and matches are forfeited, results corrected, players
// put at boards by an arbiter. At every moment the log folds to the table, every side that is due has one match or bye, and the
// game points of all matches are those of all boards less what nobody won. At the end the report reads as it was written, and
// its rounds pair again to the same matches.
func TestAnEventOfTeamsHoldsWhateverHappens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &teamWalk{T: t, owner: player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}}
		f := rapid.SampledFrom([]tournament.Format{tournament.Swiss, tournament.Swiss, tournament.RoundRobin}).Draw(t, "format")
		s := tournament.DefaultSettings(f)
		s.Name, s.Pace = "League", tournament.Manual
		s.Teams = tournament.Teams{Boards: rapid.IntRange(1, 4).Draw(t, "boards"), Reserves: 2, ByGames: rapid.Bool().Draw(t, "by games"),
			LineUps: rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(t, "line-ups"),
			Points:  rapid.SampledFrom([]tournament.TeamPoints{{}, {Win: 30, Draw: 10}}).Draw(t, "points")}
		s.Tiebreaks = tournament.DefaultTiebreaks(f, true)
		leaving := []tournament.Leaving{tournament.LeaveUsual, tournament.LeaveUsual, tournament.LeaveKeep, tournament.LeaveForfeits}
		if f == tournament.RoundRobin {
			leaving = append(leaving, tournament.LeaveAnnul)
		}
		s.Leave, s.Expulsion = rapid.SampledFrom(leaving).Draw(t, "leave"), rapid.SampledFrom(leaving).Draw(t, "expulsion")
		if f == tournament.RoundRobin {
			s.Double = rapid.Bool().Draw(t, "double")
		} else {
			s.Entry.LateUntil = 5
			s.Teams.Preferences = rapid.SampledFrom([]tournament.SeatPreferences{tournament.TypeA, tournament.TypeB, tournament.NoPreferences}).
				Draw(t, "preferences")
		}
		var err error
		if w.tour, err = tournament.New("t", "host", s, evening); err != nil {
			t.Fatal(err)
		}
		w.tour.Version = 1
		w.deeds = []ledger.Deed{{Seq: 1, Changes: ledger.Diff(&tournament.Tournament{}, w.tour)}}
		w.do(func(t *tournament.Tournament) error { return t.OpenRegistration(w.owner, evening) })
		for range rapid.IntRange(4, 8).Draw(t, "teams") {
			w.enter(s.Teams.Boards + rapid.IntRange(0, 2).Draw(t, "reserves"))
		}
		if !w.do(func(t *tournament.Tournament) error {
			return t.Start(w.owner, tournament.Drawing{Seed: "00", Pick: func(int) int { return 0 }}, evening)
		}) {
			t.Fatal("it does not start")
		}
		for range 120 {
			w.step()
			w.look()
			if w.tour.Status != tournament.Running {
				break
			}
		}
		w.report()
	})
}

func (w *teamWalk) step() {
	n := len(w.tour.Rounds)
	entry := tournament.EntryID(rapid.IntRange(1, len(w.tour.Entries)).Draw(w.T, "entry"))
	round := rapid.IntRange(1, max(1, n)).Draw(w.T, "round")
	boards := 1
	if n > 0 {
		boards = len(w.tour.Rounds[round-1].Pairings)
	}
	board := rapid.IntRange(1, max(1, boards)).Draw(w.T, "board")
	kind := tournament.ResultKind(rapid.IntRange(int(tournament.FirstWins), int(tournament.DoubleForfeit)).Draw(w.T, "kind"))
	nothing := func(match.ID) bool { return false }
	what := rapid.SampledFrom([]string{"play", "play", "play", "pair", "pair", "open", "open", "correct", "forfeit", "lift", "withdraw", "readmit",
		"reseat", "late", "unpair", "expel", "bye"}).Draw(w.T, "what")
	w.do(func(t *tournament.Tournament) error {
		switch what {
		case "play":
			if n == 0 {
				return tournament.ErrNoBoard
			}
			for _, p := range t.Rounds[n-1].Pairings {
				if p.Result.IsPending() {
					t.Record(p.Match, tournament.Result{Kind: kind, At: evening})
					if p.Match == "" {
						_ = t.Enter(w.owner, n, p.Board, kind, true, evening)
					}
					kind = kind%tournament.Drawn + 1
				}
			}
			t.Conclude(evening)
			return nil
		case "pair":
			_, err := t.PairNext(format.System(&t.Table), w.newID, evening)
			if err == nil {
				t.Conclude(evening)
			}
			return err
		case "open":
			awaited := t.Awaited()
			if len(awaited) == 0 {
				return tournament.ErrNotAwaited
			}
			named := map[tournament.EntryID][]tournament.EntryID{}
			for _, id := range []tournament.EntryID{t.Rounds[n-1].Teams[awaited[0]-1].First} {
				for _, e := range t.Roster(id) {
					if len(named[id]) < t.Teams.Boards && rapid.IntRange(0, 3).Draw(w.T, "out") > 0 {
						named[id] = append(named[id], e.ID)
					}
				}
				if t.CheckLineUp(id, named[id]) != nil {
					delete(named, id)
				}
			}
			_, err := t.OpenTeamMatch(awaited[0], named, w.newID, evening)
			return err
		case "correct":
			return t.Correct(w.owner, round, board, kind, tournament.FromNow, format.System(&t.Table), evening)
		case "forfeit":
			m := rapid.IntRange(1, 4).Draw(w.T, "match")
			lost := [2]bool{rapid.Bool().Draw(w.T, "first"), rapid.Bool().Draw(w.T, "second")}
			_, err := t.ForfeitMatch(w.owner, tournament.MatchForfeit{Round: round, Match: m, Lost: lost, Why: "a reason"}, nothing, evening)
			return err
		case "lift":
			_, err := t.ForfeitMatch(w.owner, tournament.MatchForfeit{Round: round, Match: 1, Lost: [2]bool{}, Why: "a slip"}, nothing, evening)
			return err
		case "withdraw":
			return t.Withdraw(w.owner, entry)
		case "expel":
			_, err := t.Expel(w.owner, entry, nothing, evening)
			return err
		case "readmit":
			return errors.Join(t.Readmit(w.owner, entry))
		case "bye":
			return t.AskBye(w.owner, entry, n+1, tournament.HalfBye)
		case "reseat":
			p, err := t.BoardAt(n, board)
			if err != nil {
				return err
			}
			_, _, err = t.Reseat(w.owner, board, p.First, entry, nothing, w.newID, evening)
			return err
		case "unpair":
			_, err := t.Unpair(w.owner, true, nothing, evening)
			if err == nil {
				err = t.Discard(w.owner, evening)
			}
			return err
		}
		return tournament.ErrNotAllowed
	})
	if what == "late" && len(w.tour.Sides()) < 10 {
		w.enter(w.tour.Teams.Boards)
	}
}

// look checks what holds at every moment.
func (w *teamWalk) look() {
	t := w.tour
	folded, err := ledger.Fold(w.deeds)
	if err != nil {
		w.Fatal(err)
	}
	if d := ledger.Diff(folded, t); len(d) > 0 {
		w.Fatalf("the log does not fold to the table: %s", d[0].Path)
	}
	if err := ledger.CheckSeats(t); err != nil {
		w.Fatal(err)
	}
	var games, boards, nobody tournament.Score
	for _, r := range t.Rounds {
		seen := map[tournament.EntryID]bool{}
		once := func(id tournament.EntryID) {
			if seen[id] {
				w.Fatalf("round %d has entry %d twice", r.Number, id)
			}
			seen[id] = true
		}
		for n, m := range r.Teams {
			once(m.First)
			once(m.Second)
			for _, s := range t.ScoreOf(r, n+1) {
				games += s.Games
			}
			for _, p := range r.BoardsOf(n + 1) {
				for _, id := range []tournament.EntryID{p.First, p.Second} {
					if e, _ := t.Entry(id); e.Team != 0 {
						once(id)
					}
				}
				boards += 10
				if p.Result.IsPending() || p.Result.Kind == tournament.DoubleForfeit {
					nobody += 10
				}
			}
		}
		for _, b := range r.Byes {
			once(b.Entry)
		}
	}
	if games != boards-nobody {
		w.Fatalf("%d game points of %d, of which nobody won %d", games, boards, nobody)
	}
	if _, err := format.Standings(t, -1); err != nil {
		w.Fatal(err)
	}
}

// report checks the report of the event.
func (w *teamWalk) report() {
	t := w.tour
	var out bytes.Buffer
	if err := tables.WriteReport(&out, t, nil, nil); err != nil {
		w.Fatal(err)
	}
	r, err := trf.ReadAny(out.String())
	if err != nil {
		w.Fatalf("%v\n%s", err, out.String())
	}
	field, own := r.TeamField(), t.ReportField()
	if len(t.Awaited()) > 0 {
		return // its last round is not in the report
	}
	if len(field.Players) == 0 || field.Played != own.Played {
		w.Fatalf("%d rounds of %d\n%s", field.Played, own.Played, out.String())
	}
	if field.Points.Win != own.Points.Win || field.Points.PairBye != own.Points.PairBye ||
		t.Format == tournament.Swiss && field.Teams.TeamRules != own.Teams.TeamRules {
		w.Fatalf("%+v %+v, read %+v %+v\n%s", own.Points, own.Teams.TeamRules, field.Points, field.Teams.TeamRules, out.String())
	}
	for i, p := range own.Players {
		for k, c := range p.Rounds {
			got, m, theirs := field.Players[i].Rounds[k], field.Teams.Matches[p.Number][k], own.Teams.Matches[p.Number][k]
			if c.Outcome == tournament.LossUnrated { // never of teams
				w.Fatal("unrated")
			}
			if got.Opponent != c.Opponent || got.Outcome != c.Outcome || m.Games != theirs.Games || m.Played != theirs.Played ||
				got.Opponent > 0 && m.Played && got.Seat != c.Seat {
				w.Fatalf("team %d, round %d: %+v %+v, read %+v %+v\n%s", p.Number, k+1, c, theirs, got, m, out.String())
			}
		}
	}
	for _, problem := range r.Warnings {
		w.Fatalf("%+v\n%s", problem, out.String())
	}
	counted := t.Field()
	points, games := counted.Scored()
	readPoints, readGames := r.Counted().Scored()
	if !maps.Equal(points, readPoints) || !maps.Equal(games, readGames) {
		w.Fatalf("%v %v, read %v %v\n%s", points, games, readPoints, readGames, out.String())
	}
	for _, team := range r.Teams.List {
		if team.Match != points[team.Number] || team.Games != games[team.Number] {
			w.Fatalf("team %d has %v and %v, the report says %v and %v\n%s", team.Number, points[team.Number], games[team.Number], team.Match, team.Games,
				out.String())
		}
	}
	if t.Format != tournament.Swiss {
		return
	}
	teams := teamswiss.Swiss{}
	differences, err := swiss.Checker{Pairer: teams, TellApart: teams.TellApart}.Check(field)
	if err != nil {
		w.Fatalf("%v\n%s", err, out.String())
	}
	for _, d := range differences {
		if !r.Commented(trf.OvertakenRound)[d.Round] && !r.Commented(trf.EditedRound)[d.Round] {
			w.Fatalf("%v\n%s", d, out.String())
		}
	}
}
