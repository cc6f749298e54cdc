package tournament_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// teamEvent is an event of teams A, B, C … with players a1 a2 …, the first team the strongest. Team t is entry
// t*(players+1)+1 (t from 0), and its players follow it.
func teamEvent(t fataler, f tournament.Format, teams, players int, change func(*tournament.Settings)) *tournament.Tournament {
	tour := newTournament(t, f, func(s *tournament.Settings) {
		s.Teams = tournament.Teams{Boards: 2, Reserves: 1}
		s.Tiebreaks = tournament.DefaultTiebreaks(f, true)
		if change != nil {
			change(s)
		}
	})
	for k := range teams {
		enterTeam(t, tour, k, players)
	}
	return tour
}

func enterTeam(t fataler, tour *tournament.Tournament, k, players int) tournament.Entry {
	of := tournament.TeamOf{Name: "Team " + string(rune('A'+k)), Captains: []player.ID{captain(k).ID}}
	for i := range players {
		name := fmt.Sprintf("%c%d", 'a'+k, i+1)
		of.Players = append(of.Players, tournament.Candidate{Player: player.ID(name), Name: name, Rating: 2000 - 50*k - i})
	}
	e, err := tour.EnterTeam(host, of, start)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func captain(k int) player.Viewer {
	return signedIn(player.ID(fmt.Sprintf("captain-%d", k)), player.Plain)
}

func begin(t fataler, tour *tournament.Tournament) {
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
}

func pairTeams(t fataler, tour *tournament.Tournament, newID func() match.ID) tournament.Round {
	r, err := tour.PairNext(format.System(&tour.Table), newID, start)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func nameOf(tour *tournament.Tournament, id tournament.EntryID) string {
	e, _ := tour.Entry(id)
	return strings.TrimPrefix(e.Name, "Team ")
}

// boards writes the boards of a match with their results.
func boardsOf(tour *tournament.Tournament, r tournament.Round, n int) (list []string) {
	for _, p := range r.BoardsOf(n) {
		list = append(list, nameOf(tour, p.First)+"-"+nameOf(tour, p.Second)+" "+p.Result.Kind.String())
	}
	return list
}

// The example of 4.4: MP 4 3 3 2, GP 4, 3, 3½, 1½. Teams 2 and 3 are level at 3 match points; 2 has beaten 3 (1½ to ½), so
// the direct encounter puts it first. With three points for a won match they have 3+1+1, 3+0+1, 0+1+3 and 0+3+0.
func TestATableOfTeamsFollowsFromItsBoards(t *testing.T) {
	t.Parallel()
	fourTeamsMeet(t, tournament.TeamPoints{}, "1 A 40 40", "2 B 30 30", "3 C 30 35", "4 D 20 15")
	fourTeamsMeet(t, tournament.TeamPoints{Win: 30, Draw: 10}, "1 A 50 40", "2 B 40 30", "3 C 40 35", "4 D 30 15")
}

func fourTeamsMeet(t *testing.T, worth tournament.TeamPoints, want ...string) {
	t.Helper()
	tour := teamEvent(t, tournament.RoundRobin, 4, 2, func(s *tournament.Settings) { s.Teams.Points = worth })
	begin(t, tour)
	if tour.Settings.Rounds != 3 {
		t.Fatalf("%d rounds", tour.Settings.Rounds)
	}
	// Points on the two boards of the team named first, in tenths.
	played := map[string][2]int{"A-D": {10, 10}, "B-C": {10, 5}, "A-C": {5, 5}, "D-B": {5, 10}, "A-B": {0, 10}, "C-D": {10, 10}}
	newID := ids()
	for range 3 {
		r := pairTeams(t, tour, newID)
		for n, m := range r.Teams {
			name, reversed := nameOf(tour, m.First)+"-"+nameOf(tour, m.Second), false
			if _, is := played[name]; !is {
				name, reversed = nameOf(tour, m.Second)+"-"+nameOf(tour, m.First), true
			}
			points := played[name]
			for k, p := range r.BoardsOf(n + 1) {
				mine := points[k]
				if reversed {
					mine = 10 - mine
				}
				kind := map[int]tournament.ResultKind{10: tournament.FirstWins, 5: tournament.Drawn, 0: tournament.SecondWins}[mine]
				if k%2 == 1 && kind != tournament.Drawn { // the first named team is Second there
					kind = tournament.FirstWins + tournament.SecondWins - kind
				}
				tour.Record(p.Match, tournament.Result{Kind: kind, At: start})
			}
		}
		tour.Conclude(start)
	}
	// The example has D win its first board against B by half a point: D-B ½, 1 means D 1½, B ½.
	table, err := format.Standings(tour, -1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range table.Lines {
		got = append(got, fmt.Sprint(l.Rank, " ", nameOf(tour, l.Entry.ID), " ", int(l.Score), " ", int(l.Other)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if tour.Status != tournament.Finished {
		t.Errorf("status %v", tour.Status)
	}
}

func TestTopPlayersSitDownInOrderAndSeatsAlternate(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.Swiss, 4, 3, nil)
	begin(t, tour)
	r := pairTeams(t, tour, ids())
	// Team A has the drawn seat First against C, whose seat on board 1 is Second; on board 2 it is the other way round.
	if got, want := boardsOf(tour, r, 1), []string{"a1-c1 ", "c2-a2 "}; !slices.Equal(got, want) {
		t.Errorf("match 1: %v, want %v", got, want)
	}
	if got, want := boardsOf(tour, r, 2), []string{"d1-b1 ", "b2-d2 "}; !slices.Equal(got, want) {
		t.Errorf("match 2: %v, want %v", got, want)
	}
	for i, p := range r.Pairings {
		if p.Board != i+1 || p.Match == "" {
			t.Errorf("board %+v", p)
		}
	}
}

// In round 1 A and D were First on board 1, and every board was drawn. The least identifier of round 2 is 1 2 | 4 3. By type
// B A and D are mildly due Second, B and C First, so that A-D and B-C leave two wishes unmet and A-B with C-D none.
func TestTheTypeOfSeatPreferencesDecidesWhoMeets(t *testing.T) {
	t.Parallel()
	for kind, want := range map[tournament.SeatPreferences][]string{
		tournament.TypeA: {"A-D", "B-C"}, tournament.NoPreferences: {"A-D", "B-C"}, tournament.TypeB: {"B-A", "C-D"},
	} {
		tour := teamEvent(t, tournament.Swiss, 4, 2, func(s *tournament.Settings) { s.Teams.Preferences = kind })
		begin(t, tour)
		newID := ids()
		for _, p := range pairTeams(t, tour, newID).Pairings {
			tour.Record(p.Match, tournament.Result{Kind: tournament.Drawn, At: start})
		}
		var got []string
		for _, m := range pairTeams(t, tour, newID).Teams {
			name := nameOf(tour, m.First) + "-" + nameOf(tour, m.Second)
			if kind != tournament.TypeB && m.First > m.Second { // who is First there is not the question
				name = nameOf(tour, m.Second) + "-" + nameOf(tour, m.First)
			}
			got = append(got, name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("type %v: %v, want %v", kind, got, want)
		}
	}
}

// A line-up keeps the order of the roster; who is left out moves up those behind, and what is empty is the last board.
func TestLineUpsAreInOrderAndGapsSink(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.Swiss, 2, 4, func(s *tournament.Settings) {
		s.Teams = tournament.Teams{Boards: 3, Reserves: 1, Least: 1, LineUps: time.Hour}
	})
	begin(t, tour)
	r := pairTeams(t, tour, ids())
	if len(r.Pairings) > 0 || r.IsOver() || tour.RoundIsOver() {
		t.Fatalf("boards are open before the line-ups: %+v", r)
	}
	if due, waits := tour.BoardsDueAt(); !waits || !due.Equal(start.Add(time.Hour)) {
		t.Errorf("due %v %v", due, waits)
	}
	const a, b tournament.EntryID = 1, 6
	for _, bad := range [][]tournament.EntryID{nil, {3, 2}, {2, 2}, {7}, {2, 3, 4, 5}, {a}} {
		if err := tour.CheckLineUp(a, bad); !errors.Is(err, tournament.ErrLineUpOrder) {
			t.Errorf("line-up %v: %v", bad, err)
		}
	}
	if err := tour.CheckLineUp(a, []tournament.EntryID{2, 4, 5}); err != nil {
		t.Error(err)
	}
	if n, err := tour.LineUpFor(captain(0), a); err != nil || n != 1 {
		t.Error(err)
	}
	if _, err := tour.LineUpFor(captain(0), b); !errors.Is(err, tournament.ErrNotAllowed) {
		t.Errorf("a captain names the other line-up: %v", err)
	}
	if _, err := tour.PairNext(format.System(&tour.Table), ids(), start); !errors.Is(err, tournament.ErrRoundOpen) {
		t.Errorf("another round over sealed line-ups: %v", err)
	}
	named := map[tournament.EntryID][]tournament.EntryID{a: {2, 5}} // a1, a4; B names nobody
	if _, err := tour.OpenTeamMatch(1, named, ids(), start); err != nil {
		t.Fatal(err)
	}
	if got, want := boardsOf(tour, tour.Rounds[0], 1), []string{"a1-b1 ", "b2-a4 ", "A-b3 -/+"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, err := tour.OpenTeamMatch(1, named, ids(), start); !errors.Is(err, tournament.ErrNotAwaited) {
		t.Errorf("opened twice: %v", err)
	}
	if n, err := tour.LineUpFor(captain(1), b); err != nil || n != 2 {
		t.Errorf("a line-up after the opening is for round %d: %v", n, err)
	}
	play(tour, func(tournament.Pairing) tournament.ResultKind { return tournament.Drawn })
	// ½ + ½ + 0 against ½ + ½ + 1.
	s := tour.ScoreOf(tour.Rounds[0], 1)
	if s[0].Games != 10 || s[1].Games != 20 || s[0].Outcome != tournament.Loss || s[1].Outcome != tournament.Win || !s[0].Played {
		t.Errorf("%+v", s)
	}
}

// Line-ups may be handed in before the round: its boards open with it if both teams have, and wait otherwise.
func TestLineUpsMayBeHandedInBeforeTheRound(t *testing.T) {
	t.Parallel()
	const a, b tournament.EntryID = 1, 5
	for _, c := range []struct {
		lineUps time.Duration
		named   tournament.LineUps
		want    []string
	}{
		{time.Hour, nil, nil},
		{time.Hour, tournament.LineUps{a: {3, 4}}, nil},
		{time.Hour, tournament.LineUps{a: {3, 4}, b: {6, 8}}, []string{"a2-b1 ", "b3-a3 "}},
		{0, tournament.LineUps{a: {3, 4}}, []string{"a2-b1 ", "b2-a3 "}},
	} {
		tour := teamEvent(t, tournament.RoundRobin, 2, 3, func(s *tournament.Settings) { s.Teams.LineUps = c.lineUps })
		if err := tour.OpenRegistration(host, start); err != nil {
			t.Fatal(err)
		}
		if n, err := tour.LineUpFor(captain(0), a); err != nil || n != 1 {
			t.Errorf("before the start for round %d: %v", n, err)
		}
		begin(t, tour)
		if err := tour.DraftNext(format.System(&tour.Table), "host", start); err != nil {
			t.Fatal(err)
		}
		r, err := tour.Publish(format.System(&tour.Table), c.named, ids(), start)
		if err != nil {
			t.Fatal(err)
		}
		if got := boardsOf(tour, r, 1); !slices.Equal(got, c.want) {
			t.Errorf("%v named %v: %v, want %v", c.lineUps, c.named, got, c.want)
		}
		play(tour, func(tournament.Pairing) tournament.ResultKind { return tournament.Drawn })
		if _, err := tour.LineUpFor(captain(0), a); !errors.Is(err, tournament.ErrNotAwaited) && c.want != nil {
			t.Errorf("after the last round: %v", err)
		}
	}
}

func TestATeamWithoutEnoughPlayersForfeitsEveryBoard(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.Swiss, 2, 3, func(s *tournament.Settings) { s.Teams.LineUps = time.Hour; s.Teams.Least = 2 })
	begin(t, tour)
	pairTeams(t, tour, ids())
	if _, err := tour.OpenTeamMatch(1, map[tournament.EntryID][]tournament.EntryID{5: {7}}, ids(), start); err != nil {
		t.Fatal(err)
	}
	r := tour.Rounds[0]
	if got, want := boardsOf(tour, r, 1), []string{"a1-b2 +/-", "B-a2 -/+"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	s := tour.ScoreOf(r, 1)
	if s[0].Outcome != tournament.ForfeitWin || s[1].Outcome != tournament.ForfeitLoss || s[0].Games != 20 || s[0].Played {
		t.Errorf("%+v", s)
	}
	if !tour.RoundIsOver() {
		t.Error("the round waits for a forfeited match")
	}
}

// What was played stays beside a forfeit: ratings count it, and it stands again when the decision is lifted.
func TestAForfeitedMatchKeepsWhatWasPlayed(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.Swiss, 4, 2, nil)
	begin(t, tour)
	r := pairTeams(t, tour, ids())
	first := r.Pairings[0]
	tour.Record(first.Match, tournament.Result{Kind: tournament.FirstWins, At: start})
	isPlaying := func(match.ID) bool { return false }
	if _, err := tour.ForfeitMatch(captain(0), tournament.MatchForfeit{Round: 1, Match: 1, Lost: [2]bool{true, false}, Why: "why"}, isPlaying, start); !errors.Is(err, tournament.ErrNotAllowed) {
		t.Errorf("a captain decides: %v", err)
	}
	if _, err := tour.ForfeitMatch(host, tournament.MatchForfeit{Round: 1, Match: 1, Lost: [2]bool{true, false}, Why: "why"}, func(match.ID) bool { return true }, start); !errors.Is(err, tournament.ErrBeingPlayed) {
		t.Errorf("over a match in play: %v", err)
	}
	void, err := tour.ForfeitMatch(host, tournament.MatchForfeit{Round: 1, Match: 1, Lost: [2]bool{true, false}, Why: "an ineligible player"}, isPlaying, start)
	if err != nil || !slices.Equal(void, []match.ID{r.Pairings[1].Match}) {
		t.Fatalf("%v %v", void, err)
	}
	if got, want := boardsOf(tour, tour.Rounds[0], 1), []string{"a1-c1 -/+", "c2-a2 +/-"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if p := tour.Rounds[0].Pairings[0]; p.Result.Was != tournament.FirstWins {
		t.Errorf("%+v", p.Result)
	}
	s := tour.ScoreOf(tour.Rounds[0], 1)
	if s[0].Outcome != tournament.ForfeitLoss || s[1].Outcome != tournament.ForfeitWin || !s[1].Played || s[1].Games != 20 || s[0].Games != 0 {
		t.Errorf("%+v", s)
	}
	if _, err := tour.ForfeitMatch(host, tournament.MatchForfeit{Round: 1, Match: 1, Lost: [2]bool{}, Why: "a mistake"}, isPlaying, start); err != nil {
		t.Fatal(err)
	}
	if got, want := boardsOf(tour, tour.Rounds[0], 1), []string{"a1-c1 1-0", "c2-a2 +/-"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAnArbiterReseatsABoardUntilItsFirstBid(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.Swiss, 2, 3, nil)
	begin(t, tour)
	newID := ids()
	r := pairTeams(t, tour, newID)
	begun := func(id match.ID) bool { return id == r.Pairings[1].Match }
	reseat := func(by player.Viewer, board int, out, in tournament.EntryID) error {
		_, _, err := tour.Reseat(by, board, out, in, begun, newID, start)
		return err
	}
	for _, c := range []struct {
		what    string
		err     error
		refused error
	}{
		{"a captain", reseat(captain(0), 1, 2, 4), tournament.ErrNotAllowed},
		{"somebody of the other team", reseat(host, 1, 2, 8), tournament.ErrNoEntry},
		{"somebody who sits elsewhere", reseat(host, 1, 2, 3), tournament.ErrSeated},
		{"a match that has begun", reseat(host, 2, 3, 4), tournament.ErrBeingPlayed},
		{"somebody who is not there", reseat(host, 1, 4, 2), tournament.ErrMoved},
	} {
		if !errors.Is(c.err, c.refused) {
			t.Errorf("%s: %v, want %v", c.what, c.err, c.refused)
		}
	}
	void, changed, err := tour.Reseat(host, 1, 2, 4, begun, newID, start)
	if err != nil || !slices.Equal(void, []match.ID{r.Pairings[0].Match}) || len(changed) != 1 || changed[0].Match == "" {
		t.Fatalf("%v %v %v", void, changed, err)
	}
	if _, _, err := tour.Reseat(host, 1, 4, 1, begun, newID, start); err != nil { // nobody
		t.Fatal(err)
	}
	if got, want := boardsOf(tour, tour.Rounds[0], 1), []string{"A-b1 -/+", "b2-a2 "}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, _, err := tour.Reseat(host, 1, 1, 2, begun, newID, start); err != nil { // the first player has come after all
		t.Fatal(err)
	}
	if got, want := boardsOf(tour, tour.Rounds[0], 1), []string{"a1-b1 ", "b2-a2 "}; !slices.Equal(got, want) || !tour.Rounds[0].Edited {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTeamsEnterWithTheirPlayers(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.Swiss, 2, 3, func(s *tournament.Settings) { s.Capacity = 3 })
	is := func(what string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	join := func(by player.Viewer, team tournament.EntryID, name string) error {
		_, err := tour.JoinTeam(by, team, tournament.Candidate{Player: player.ID(name), Name: name}, start)
		return err
	}
	_, err := tour.Register(host, tournament.Candidate{Player: "x", Name: "x"}, start)
	is("a player without a team", err, tournament.ErrInTeams)
	is("a player of another team", join(host, 5, "a1"), tournament.ErrEntered)
	is("one too many", join(host, 1, "a4"), tournament.ErrTeamFull)
	is("somebody enters another", join(captain(0), 1, "z"), tournament.ErrNotAllowed)
	is("a team of somebody else", func() error {
		_, err := tour.EnterTeam(someone, tournament.TeamOf{Name: "Team S", Captains: []player.ID{"other"}}, start)
		return err
	}(), tournament.ErrNotAllowed)
	c, err := tour.EnterTeam(someone, tournament.TeamOf{Name: "Team C", Captains: []player.ID{someone.ID}}, start)
	is("a captain enters a team", err, nil)
	is("its captain joins", join(someone, c.ID, string(someone.ID)), nil)
	is("a player asks to join", join(signedIn("c2", player.Plain), c.ID, "c2"), nil)
	asked, _ := tour.EntryOf("c2")
	if asked.Status != tournament.Requested {
		t.Errorf("asked: %+v", asked)
	}
	is("another captain accepts", tour.AcceptMate(captain(0), asked.ID, true), tournament.ErrNotAllowed)
	is("the captain accepts", tour.AcceptMate(someone, asked.ID, true), nil)
	is("twice", tour.AcceptMate(someone, asked.ID, true), tournament.ErrNoRequest)
	if len(tour.Roster(c.ID)) != 2 || tour.Active() != 3 || len(tour.Players()) != 8 || len(tour.Sides()) != 3 {
		t.Errorf("%v, %d active", tour.Roster(c.ID), tour.Active())
	}
	d, err := tour.EnterTeam(host, tournament.TeamOf{Name: "Team D"}, start)
	if err != nil || d.Status != tournament.Waiting {
		t.Errorf("beyond the places: %v %v", d, err)
	}
	// 2000, 1999 and 1998: the mean of those at the two boards, rounded.
	if a, _ := tour.Entry(1); a.Rating != 2000 {
		t.Errorf("strength %d", a.Rating)
	}
	is("an order that lacks somebody", tour.OrderRoster(captain(0), 1, []tournament.EntryID{4, 3}), tournament.ErrNotRoster)
	is("an order", tour.OrderRoster(captain(0), 1, []tournament.EntryID{4, 3, 2}), nil)
	if a, _ := tour.Entry(1); a.Rating != 1999 { // 1998 and 1999
		t.Errorf("strength %d", a.Rating)
	}
	is("a captain withdraws a player", tour.Withdraw(captain(0), 2), nil)
	if r := tour.Roster(1); len(r) != 2 || r[0].ID != 4 {
		t.Errorf("%v", r)
	}
	is("a size that teams have outgrown", func() error {
		s := tour.Settings
		s.Teams = tournament.Teams{Boards: 2}
		return tour.Change(host, s, start)
	}(), tournament.ErrTeamsFixed)
	is("no teams any more", func() error {
		s := tour.Settings
		s.Teams, s.Tiebreaks = tournament.Teams{}, tournament.DefaultTiebreaks(tournament.Swiss, false)
		return tour.Change(host, s, start)
	}(), tournament.ErrTeamsFixed)
	for k := range 3 {
		if k > 0 {
			is("few players", tour.Withdraw(host, tournament.EntryID(k+5)), nil)
		}
	}
	is("a start with a team too small", func() error {
		if err := tour.Withdraw(host, 8); err != nil {
			return err
		}
		return tour.Start(host, lowest, start)
	}(), tournament.ErrTeamSmall)
}

func TestSettingsOfTeamsHaveBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field string
		f     tournament.Format
		teams tournament.Teams
	}{
		{"tie", tournament.KnockOut, tournament.Teams{Boards: 4}}, // players bid for draw odds, teams do not
		{"teams", tournament.Arena, tournament.Teams{Boards: 4}},
		{"team_boards", tournament.Swiss, tournament.Teams{Boards: 51}},
		{"team_boards", tournament.Swiss, tournament.Teams{Reserves: 1}},
		{"team_reserves", tournament.Swiss, tournament.Teams{Boards: 4, Reserves: 13}},
		{"team_least", tournament.Swiss, tournament.Teams{Boards: 4, Least: 5}},
		{"team_points", tournament.Swiss, tournament.Teams{Boards: 4, Points: tournament.TeamPoints{Win: 10, Draw: 20}}},
		{"team_line_ups", tournament.Swiss, tournament.Teams{Boards: 4, LineUps: time.Second}},
		{"team_preferences", tournament.RoundRobin, tournament.Teams{Boards: 4, Preferences: tournament.TypeB}},
		{"team_preferences", tournament.Swiss, tournament.Teams{Boards: 4, Preferences: tournament.NoPreferences + 1}},
	} {
		s := tournament.DefaultSettings(c.f)
		s.Name, s.Teams = "Friday", c.teams
		told, is := errors.AsType[*refusal.Error](s.Validate())
		if !is || !slices.ContainsFunc(told.Faults, func(f refusal.Fault) bool { return f.Field == c.field }) {
			t.Errorf("%+v in %v: %+v", c.teams, c.f, told.Faults)
		}
	}
}

// A club's team: its officers act for it, and for nobody else's; it is invited by others and answers; its players are members.
func TestAClubAnswersForItsTeamAndNamesItsMembers(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.RoundRobin, 0, 0, func(s *tournament.Settings) { s.Capacity = 2 })
	lion, dragon, guest := signedIn("lion", player.Plain), signedIn("dragon", player.Plain), signedIn("guest", player.Plain)
	lions := tournament.TeamOf{Name: "Lions", Club: "Lions", ClubID: "lions", Officers: []player.ID{"lion", "lioness"}}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	is := func(what string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	own := lions
	own.ClubID, own.Name, own.Officers, own.Captains = "dragons", "Dragons", []player.ID{"dragon"}, []player.ID{"dragon"}
	is("no officer enters the club's team", errOf(tour.EnterTeam(guest, own, start)), tournament.ErrNotAllowed)
	home, err := tour.EnterTeam(dragon, own, start)
	ok(err)
	invited, err := tour.EnterTeam(host, lions, start)
	ok(err)
	if home.Status != tournament.Active || invited.Status != tournament.Invited || !invited.IsPrivate() || tour.Active() != 1 {
		t.Fatalf("%v, %v, %d active", home.Status, invited.Status, tour.Active())
	}
	is("staff accept for it", tour.Accept(host, invited.ID, "", start), tournament.ErrNoRequest)
	is("staff answer for it", tour.AnswerInvitation(host, invited.ID, true, start), tournament.ErrNotAllowed)
	is("staff name its captains", tour.SetCaptains(host, invited.ID, []player.ID{"host"}), tournament.ErrNotAllowed)
	is("the other club answers", tour.AnswerInvitation(dragon, invited.ID, true, start), tournament.ErrNotAllowed)
	ok(tour.AnswerInvitation(lion, invited.ID, false, start))
	is("twice", tour.AnswerInvitation(lion, invited.ID, true, start), tournament.ErrNoRequest)
	is("staff accept what the club declined", tour.Accept(host, invited.ID, "", start), tournament.ErrNoRequest)
	again, err := tour.EnterTeam(host, lions, start)
	ok(err)
	if again.ID != invited.ID || len(tour.Entries) != 2 {
		t.Errorf("invited once more as entry %d of %d", again.ID, len(tour.Entries))
	}
	ok(tour.AnswerInvitation(lion, invited.ID, true, start))
	if e, _ := tour.Entry(invited.ID); e.Status != tournament.Active || !slices.Equal(e.Captains, []player.ID{"lion"}) {
		t.Errorf("accepted: %+v", e)
	}
	if who := tour.Behind(invited.ID); !slices.Equal(who, []player.ID{"lion", "lioness"}) {
		t.Errorf("a party to what becomes of the team: %v", who)
	}
	tour.Staff = append(tour.Staff, tournament.Member{Player: "dragon", Duty: tournament.Owner})
	if _, err := tour.LineUpFor(host, invited.ID); errors.Is(err, tournament.ErrNotAllowed) {
		t.Error("staff who act for no team cannot hand in a line-up")
	}
	_, err = tour.LineUpFor(dragon, invited.ID)
	is("staff name the line-up that their own team meets", err, tournament.ErrNotAllowed)
	tour.Staff = tour.Staff[:len(tour.Staff)-1]
	late, err := tour.EnterTeam(host, tournament.TeamOf{Name: "Bears", ClubID: "bears", Officers: []player.ID{"bear"}}, start)
	if err == nil {
		err = tour.AnswerInvitation(signedIn("bear", player.Plain), late.ID, true, start)
	}
	ok(err)
	if e, _ := tour.Entry(late.ID); e.Status != tournament.Waiting {
		t.Errorf("a third team of two is %v", e.Status)
	}

	member := func(name string, of ...club.ID) tournament.Candidate {
		return tournament.Candidate{Player: player.ID(name), Name: name, Clubs: of}
	}
	lioness := signedIn("lioness", player.Plain)
	is("a stranger", errOf(tour.JoinTeam(lioness, invited.ID, member("eve"), start)), tournament.ErrNotMember)
	is("by staff", errOf(tour.JoinTeam(host, invited.ID, member("eve", "lions"), start)), tournament.ErrNotAllowed)
	is("for the other club", errOf(tour.JoinTeam(lion, home.ID, member("eve", "dragons"), start)), tournament.ErrNotAllowed)
	is("somebody without an account", errOf(tour.JoinTeam(lion, invited.ID, tournament.Candidate{Name: "Eve"}, start)), tournament.ErrNotAllowed)
	eve, err := tour.JoinTeam(lioness, invited.ID, member("eve", "lions"), start)
	ok(err)
	if eve.Status != tournament.Active || eve.Club != "Lions" {
		t.Errorf("named by an officer: %v for %q", eve.Status, eve.Club)
	}
	asks, err := tour.JoinTeam(signedIn("dan", player.Plain), invited.ID, member("dan", "lions"), start)
	ok(err)
	if asks.Status != tournament.Requested {
		t.Errorf("who asks for themselves is %v", asks.Status)
	}
	ok(tour.Withdraw(signedIn("eve", player.Plain), eve.ID)) // whoever is named may say no
	// The word of the other team's officer carries nobody, one's own does.
	policy := fairplay.Preset(fairplay.Declared)
	policy.Attestations = 1
	ok(tour.SetPolicy(host, policy.WithAge()))
	known := member("fay", "lions")
	known.Standing = fairplay.Standing{Human: true, Accepted: true, Known: []fairplay.Voucher{{By: "dragon"}}}
	is("known to the other club alone", errOf(tour.JoinTeam(lion, invited.ID, known, start)), fairplay.ErrUnmet)
	known.Standing.Known[0].By = "lion"
	ok(errOf(tour.JoinTeam(lion, invited.ID, known, start)))
}

func errOf(_ tournament.Entry, err error) error { return err }

// A round is open, and line-ups are awaited: of a team that has left by then nobody sits down, and the others win every board.
func TestATeamThatLeavesWhileItsLineUpIsAwaitedSitsDownNoMore(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*tournament.Tournament, tournament.EntryID) error{
		"its captain withdraws it": func(tour *tournament.Tournament, id tournament.EntryID) error { return tour.Withdraw(captain(0), id) },
		"staff withdraw it":        func(tour *tournament.Tournament, id tournament.EntryID) error { return tour.Withdraw(host, id) },
		"it is disqualified": func(tour *tournament.Tournament, id tournament.EntryID) error {
			_, err := tour.Expel(host, id, nothingBegun, start)
			return err
		},
	} {
		for _, f := range []tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.KnockOut} {
			tour := teamEvent(t, f, 4, 2, func(s *tournament.Settings) {
				s.Teams.LineUps = time.Hour
				if f == tournament.KnockOut {
					s.Tie = tournament.DefaultTie(true)
				}
			})
			begin(t, tour)
			pairTeams(t, tour, ids())
			id := teamID(tour, "A")
			if err := leave(tour, id); err != nil {
				t.Fatal(err)
			}
			n, m := tour.Rounds[0].MatchOf(id)
			boards, err := tour.OpenTeamMatch(n, tournament.LineUps{id: {id + 1, id + 2}}, ids(), start)
			if err != nil || len(boards) != 2 {
				t.Fatalf("%s, %v: %d boards, %v", name, f, len(boards), err)
			}
			for k, p := range boards {
				if seat := tournament.TeamSeat(k+1, m.SeatOf(id)); p.Outcome(seat) != tournament.ForfeitLoss || p.Match != "" {
					t.Errorf("%s, %v: board %d is %+v", name, f, k+1, p)
				}
			}
		}
	}
}

// A match whose boards the expulsion of its players' team had made forfeits becomes a forfeit itself: no board's result
// changes, but played matches weigh otherwise than forfeits, so the round that was paired since is overtaken and the draft stale.
func TestAForfeitOfAMatchChangesWhatLaterRoundsArePairedFrom(t *testing.T) {
	t.Parallel()
	tour := teamEvent(t, tournament.Swiss, 6, 2, func(s *tournament.Settings) { s.Rounds, s.Expulsion = 4, tournament.LeaveForfeits })
	begin(t, tour)
	for range 2 {
		r := pairTeams(t, tour, ids())
		for _, p := range r.Pairings {
			tour.Record(p.Match, tournament.Result{Kind: tournament.FirstWins, At: start})
		}
	}
	out := tour.Rounds[0].Teams[0].First
	if _, err := tour.Expel(host, out, nothingBegun, start); err != nil {
		t.Fatal(err)
	}
	if err := tour.DraftNext(format.System(&tour.Table), host.ID, start); err != nil {
		t.Fatal(err)
	}
	before := tour.Clone()
	x := tournament.MatchForfeit{Round: 1, Match: 1, Lost: [2]bool{true, false}, Why: "an ineligible player"}
	if _, err := tour.ForfeitMatch(host, x, nothingBegun, start); err != nil {
		t.Fatal(err)
	}
	if got, want := boardsOf(tour, tour.Rounds[0], 1), boardsOf(before, before.Rounds[0], 1); !slices.Equal(got, want) {
		t.Fatalf("the boards of a team that was expelled change with the forfeit: %v, want %v", got, want)
	}
	tour.MarkOvertaken(&before.Table)
	if tour.Rounds[0].Overtaken || !tour.Rounds[1].Overtaken {
		t.Errorf("overtaken: round 1 %t, round 2 %t", tour.Rounds[0].Overtaken, tour.Rounds[1].Overtaken)
	}
	if err := tour.DraftStale(); !errors.Is(err, tournament.ErrDraftStale) {
		t.Errorf("the draft: %v", err)
	}
}
