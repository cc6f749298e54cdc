package tournament_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/ledger"
)

// arenaOf returns an arena of n players that has just opened.
func arenaOf(t fataler, n int, change func(*tournament.Settings)) *tournament.Tournament {
	tour := newTournament(t, tournament.Arena, change)
	enter(t, tour, n)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if err := arena.Open(tour, start); err != nil {
		t.Fatal(err)
	}
	return tour
}

// waitingSince lets entries wait from some seconds after the start.
func waitingSince(seconds int, list ...tournament.EntryID) (waiting []tournament.Awaiting) {
	for _, id := range list {
		waiting = append(waiting, tournament.Awaiting{Entry: id, Since: after(seconds)})
	}
	return waiting
}

func after(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

func meet(t fataler, tour *tournament.Tournament, at int, waiting []tournament.Awaiting, newID func() match.ID) [][2]tournament.EntryID {
	boards, err := arena.PairWaiting(tour, waiting, newID, after(at))
	if err != nil {
		t.Fatal(err)
	}
	return pairs(tournament.Round{Pairings: boards})
}

func TestAnArenaGoesOnWithoutRounds(t *testing.T) {
	t.Parallel()
	tour, newID := arenaOf(t, 6, nil), ids()
	if _, err := arena.PairWaiting(tour, waitingSince(0, 1), newID, after(1)); !errors.Is(err, arena.ErrPassNotDue) {
		t.Errorf("one alone: %v", err)
	}
	// p1…p6 are 10 points apart each: 1 s. 1-2 and 3-4 are nearest; both numbers odd in
	// sum, so the lower one opens.
	if got := meet(t, tour, 2, waitingSince(0, 1, 2, 3, 4), newID); !slices.Equal(got, [][2]tournament.EntryID{{1, 2}, {3, 4}}) {
		t.Errorf("first pass: %v", got)
	}
	if _, err := arena.PairWaiting(tour, waitingSince(0, 5, 6), newID, after(3)); !errors.Is(err, arena.ErrPassNotDue) {
		t.Errorf("a second after a pass: %v", err)
	}
	// Players in a match are not paired, even if they are said to wait.
	if got := meet(t, tour, 4, waitingSince(0, 1, 5, 6), newID); !slices.Equal(got, [][2]tournament.EntryID{{5, 6}}) {
		t.Errorf("second pass: %v", got)
	}
	if got := tour.Rounds[0].Pass; got.Boards != 2 || got.Engine != arena.Version || len(got.Waiting) != 2 {
		t.Errorf("the pass as it is kept: %+v", got)
	}
	for i, kind := range []tournament.ResultKind{tournament.FirstWins, tournament.Drawn} {
		tour.Record(tour.Rounds[0].Pairings[i].Match, tournament.Result{Kind: kind, At: after(300)})
	}
	if tour.Conclude(after(300)) || tour.RoundIsOver() {
		t.Error("an arena is not over because nobody plays")
	}
	// 1 has 2 points, 3 and 4 one each; nobody meets their latest opponent.
	if got := meet(t, tour, 310, waitingSince(300, 1, 2, 3, 4), newID); len(got) != 2 || slices.Contains(got, [2]tournament.EntryID{1, 2}) ||
		slices.Contains(got, [2]tournament.EntryID{2, 1}) {
		t.Errorf("third pass: %v", got)
	}
	// The usual match: 4 s of waiting, 2 × 4 chips × 15 s, 3 minutes each: 484 s; half of
	// them are over within 8/10 of it, 387 s before the hour.
	if until, open := tour.PairsUntil(); !open || !until.Equal(after(3600-387)) {
		t.Errorf("pairs until %v", until)
	}
	if tour.CloseArena(after(3212)) {
		t.Error("closed too early")
	}
	if !tour.CloseArena(after(3213)) || tour.Conclude(after(3213)) {
		t.Error("it closes, and goes on with the matches under way")
	}
	if _, err := arena.PairWaiting(tour, waitingSince(0, 5, 6), newID, after(3214)); !errors.Is(err, tournament.ErrArenaOver) {
		t.Errorf("paired after the end: %v", err)
	}
	for _, p := range tour.Rounds[0].Pairings {
		tour.Record(p.Match, tournament.Result{Kind: tournament.FirstWins, At: after(3900)})
	}
	if !tour.Conclude(after(3900)) || tour.Status != tournament.Finished {
		t.Error("with the last result it is over")
	}
}

func TestWhoComesAndGoesInAnArena(t *testing.T) {
	t.Parallel()
	tour, newID := arenaOf(t, 4, nil), ids()
	late := tournament.Candidate{Player: "late", Name: "Late", Rating: 2500}
	e, err := tour.Register(signedIn("late", player.Plain), late, after(600))
	if err != nil || e.Number != 5 || e.From != 1 || e.Status != tournament.Active {
		t.Fatalf("late: %+v, %v", e, err)
	}
	if got := tour.Entries[0].Number; got != 1 {
		t.Errorf("the others keep their numbers: %d", got)
	}
	if _, err := tour.Register(signedIn("later", player.Plain), tournament.Candidate{Player: "later", Name: "Later"}, after(3213)); !errors.Is(err, tournament.ErrLate) {
		t.Errorf("after the end of pairing: %v", err)
	}
	meet(t, tour, 610, waitingSince(600, 1, 2), newID)
	p1 := signedIn("p1", player.Plain)
	if err := tour.Withdraw(p1, 1); err != nil {
		t.Fatal(err)
	}
	if err := arena.MayAwait(tour, 1, after(700)); !errors.Is(err, tournament.ErrWithdrawn) {
		t.Errorf("who has left waits: %v", err)
	}
	if err := tour.Return(p1, tournament.Candidate{Player: "p1", Name: "Player 01"}, after(800)); err != nil {
		t.Fatal(err)
	}
	tour.Record("m1", tournament.Result{Kind: tournament.FirstWins, At: after(900)})
	if got := meet(t, tour, 902, waitingSince(890, 1, 3), newID); !slices.Equal(got, [][2]tournament.EntryID{{1, 3}}) || tour.Rounds[0].Pairings[1].First != 3 {
		t.Errorf("back: %v, and 1 was first before", got)
	}
	if table := arena.TableOf(&tour.Table); table[0].ID != 1 || table[0].Score != 2 {
		t.Errorf("what was won stays: %+v", table[0])
	}
}

func TestThreeAbsencesAndOneIsOut(t *testing.T) {
	t.Parallel()
	tour, newID := arenaOf(t, 8, nil), ids()
	for i, opponent := range []tournament.EntryID{2, 3, 4} {
		meet(t, tour, 100*i+2, waitingSince(100*i, 1, opponent), newID)
		p := tour.Rounds[0].Pairings[i]
		kind := tournament.FirstByForfeit
		if p.First == 1 {
			kind = tournament.SecondByForfeit
		}
		tour.Record(p.Match, tournament.Result{Kind: kind, Reason: match.Forfeit, At: after(100*i + 22)})
		if dropped := arena.DropAbsent(tour, i+1); dropped != (i == 2) {
			t.Errorf("absence %d: out %v", i+1, dropped)
		}
	}
	if e := tour.Entries[0]; e.Status != tournament.Withdrawn || !e.Removed {
		t.Errorf("%+v", e)
	}
	// A readmitted player stays in when somebody else is absent.
	if err := tour.Readmit(host, 1); err != nil {
		t.Fatal(err)
	}
	meet(t, tour, 302, waitingSince(300, 5, 6), newID)
	tour.Record(tour.Rounds[0].Pairings[3].Match, tournament.Result{Kind: tournament.DoubleForfeit, Reason: match.Forfeit, At: after(322)})
	if arena.DropAbsent(tour, 4) || tour.Entries[0].Status != tournament.Active {
		t.Errorf("after an absence of others: %+v", tour.Entries[0])
	}
	// A win because nobody came is two points.
	if table := arena.TableOf(&tour.Table); table[0].Score != 2 || table[len(table)-1].ID != 1 {
		t.Errorf("%+v", table)
	}
}

func TestAVoidMatchOfAnArenaCountsNothing(t *testing.T) {
	t.Parallel()
	tour, newID := arenaOf(t, 2, nil), ids()
	meet(t, tour, 2, waitingSince(0, 1, 2), newID)
	tour.Record("m1", arena.Voided(after(60)))
	for _, l := range arena.TableOf(&tour.Table) {
		if l.Games != 0 || l.Score != 0 || arena.Absences(&tour.Table, tournament.EntryID(l.ID)) != 0 || l.Rank != 1 {
			t.Errorf("%+v", l)
		}
	}
	if got := meet(t, tour, 62, waitingSince(60, 1, 2), newID); len(got) != 1 {
		t.Errorf("they are paired again: %v", got)
	}
	if err := tour.Correct(host, 1, 1, tournament.FirstWins, tournament.FromNow, tournament.System{}, after(100)); err != nil {
		t.Fatal(err)
	}
	if table := arena.TableOf(&tour.Table); table[0].ID != 1 || table[0].Score != 2 {
		t.Errorf("corrected: %+v", table)
	}
}

func TestFinishingAnArenaStopsPairing(t *testing.T) {
	t.Parallel()
	tour, newID := arenaOf(t, 4, nil), ids()
	meet(t, tour, 2, waitingSince(0, 1, 2), newID)
	if err := tour.Finish(someone, after(60)); !errors.Is(err, tournament.ErrNotAllowed) {
		t.Errorf("anybody: %v", err)
	}
	if err := tour.Finish(host, after(60)); err != nil || tour.Status != tournament.Running {
		t.Fatalf("matches under way count: %v, %v", err, tour.Status)
	}
	tour.Record("m1", tournament.Result{Kind: tournament.Drawn, At: after(120)})
	if !tour.Conclude(after(120)) {
		t.Error("over")
	}
}

func TestAnArenaRefusesWhatHasRounds(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*tournament.Settings){
		"window":    func(s *tournament.Settings) { s.Window = 19 * time.Minute },
		"lateness":  func(s *tournament.Settings) { s.Lateness = 0 },
		"review":    func(s *tournament.Settings) { s.Review = true },
		"onClaim":   func(s *tournament.Settings) { s.OnClaim = true },
		"tiebreaks": func(s *tournament.Settings) { s.Tiebreaks = []string{"BH"} },
	} {
		s := tournament.DefaultSettings(tournament.Arena)
		s.Name = "Friday"
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&s)
		var bad *refusal.Error
		if err := s.Validate(); !errors.As(err, &bad) || bad.Faults[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Window = "Friday", time.Hour
	if err := s.Validate(); err == nil {
		t.Error("a Swiss with a window")
	}
	tour := arenaOf(t, 4, nil)
	newID := ids()
	meet(t, tour, 2, waitingSince(0, 1, 2), newID)
	if _, err := tour.Unpair(host, true, nothingBegun, after(3)); !errors.Is(err, tournament.ErrArena) {
		t.Errorf("taken back: %v", err)
	}
	if _, _, err := tour.EditRound(host, tournament.Edit{Kind: tournament.SwapSeats, A: 1}, nothingBegun, newID); !errors.Is(err, tournament.ErrArena) {
		t.Errorf("edited: %v", err)
	}
}

// A director who plays judges none of their own boards, neither the first nor the second.
func TestNobodyJudgesTheirOwnBoardInAnArena(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Arena, nil)
	enter(t, tour, 4)
	if _, err := tour.Register(host, tournament.Candidate{Player: host.ID, Name: "Host"}, start); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tour.Start(host, lowest, start), arena.Open(tour, start)); err != nil {
		t.Fatal(err)
	}
	newID := ids()
	meet(t, tour, 2, waitingSince(0, 1, 5), newID)
	tour.Record("m1", tournament.Result{Kind: tournament.FirstWins, At: after(50)})
	meet(t, tour, 60, waitingSince(50, 2, 5), newID)
	tour.Record("m2", tournament.Result{Kind: tournament.FirstWins, At: after(90)})
	changed := tour.Clone()
	if err := changed.Correct(host, 1, 2, tournament.Drawn, tournament.FromNow, tournament.System{}, after(100)); err != nil {
		t.Fatal(err)
	}
	if party(tour, changed, host, tournament.ActCorrect) == nil {
		t.Error("they have judged their second board")
	}
}

// The log of an arena holds only what changed, and what each pass was made from.
func TestAPassThatWasForgedIsFound(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Arena, nil)
	enter(t, tour, 6)
	last := &tournament.Tournament{}
	var deeds []ledger.Deed
	note := func(a tournament.Act) {
		tour.Version++
		deeds = append(deeds, ledger.Deed{Seq: tour.Version, At: start, Act: a, Changes: ledger.Diff(last, tour)})
		last = tour.Clone()
	}
	note(tournament.ActCreate)
	if err := errors.Join(tour.Start(host, lowest, start), arena.Open(tour, start)); err != nil {
		t.Fatal(err)
	}
	note(tournament.ActPair)
	newID := ids()
	meet(t, tour, 2, waitingSince(0, 1, 2, 3, 4), newID)
	note(tournament.ActPair)
	tour.Record("m1", tournament.Result{Kind: tournament.FirstWins, At: after(50)})
	note(tournament.ActRecord)
	meet(t, tour, 60, waitingSince(50, 1, 2, 5, 6), newID)
	note(tournament.ActPair)
	// The head of the round and two boards, but none of those before.
	if n := len(deeds[len(deeds)-1].Changes); n != 3 {
		t.Errorf("%d changes in a pass of two boards", n)
	}
	if err := ledger.CheckPasses(deeds); err != nil {
		t.Fatal(err)
	}
	forged := slices.Clone(deeds)
	d := &forged[len(forged)-1]
	d.Changes = slices.Clone(d.Changes)
	for i, c := range d.Changes {
		var p tournament.Pairing
		if c.Path == ledger.BoardPath(1, 3) {
			if err := json.Unmarshal(c.After, &p); err != nil {
				t.Fatal(err)
			}
			p.First, p.Second = p.Second, p.First
			d.Changes[i].After, _ = json.Marshal(p)
		}
	}
	if err := ledger.CheckPasses(forged); !errors.Is(err, ledger.ErrBroken) {
		t.Errorf("seats exchanged: %v", err)
	}
	more, _ := json.Marshal(tournament.Pairing{Board: 5, First: 3, Second: 4})
	added := slices.Clone(deeds)
	d = &added[len(added)-1]
	d.Changes = append(slices.Clone(d.Changes), ledger.Change{Path: ledger.BoardPath(1, 5), After: more})
	if err := ledger.CheckPasses(added); !errors.Is(err, ledger.ErrBroken) {
		t.Errorf("a board more than the pass gives: %v", err)
	}
}

// battleOf is an open arena in which teams meet: camps are the teams of p1, p2 …
func battleOf(t fataler, leaders int, camps ...int) *tournament.Tournament {
	tour := arenaOf(t, len(camps), func(s *tournament.Settings) {
		s.Battle = tournament.Battle{Teams: []string{"Lions", "Bears", "Cats"}, Leaders: leaders}
	})
	for i, camp := range camps {
		tour.Entries[i].Camp = camp
	}
	return tour
}

// Mates are not paired however long they wait, and a player whose only opponents have met them last meets them again at once: p1 alone
// fights for the Lions. Where two are left of the others, nobody is met twice in a row before both have waited 45 s.
func TestInABattleOnlyPlayersOfDifferentTeamsMeet(t *testing.T) {
	t.Parallel()
	tour, newID := battleOf(t, 2, 1, 1, 2, 2), ids()
	if got := meet(t, tour, 2, waitingSince(0, 1, 2, 3, 4), newID); !slices.Equal(got, [][2]tournament.EntryID{{1, 3}, {2, 4}}) {
		t.Errorf("p1 and p2 are mates, and so are p3 and p4: %v", got)
	}
	tour = battleOf(t, 2, 1, 1)
	if _, err := arena.PairWaiting(tour, waitingSince(0, 1, 2), newID, after(600)); !errors.Is(err, arena.ErrPassNotDue) {
		t.Errorf("mates alone: %v", err)
	}
	again := func(camps ...int) error {
		tour := battleOf(t, 2, camps...)
		if got := meet(t, tour, 2, waitingSince(0, 1, 2), newID); len(got) != 1 {
			t.Fatalf("%v", got)
		}
		tour.Record(tour.Rounds[0].Pairings[0].Match, tournament.Result{Kind: tournament.Drawn, At: after(10)})
		boards, err := arena.PairWaiting(tour, waitingSince(10, 1, 2, 3), newID, after(20))
		for _, p := range boards {
			if p.SeatOf(1).Valid() && p.SeatOf(2).Valid() {
				return nil
			}
		}
		return errors.Join(errors.New("they do not meet again"), err)
	}
	if err := again(1, 2, 1); err != nil { // p2 alone is left for both
		t.Errorf("one active opponent: %v", err)
	}
	if err := again(1, 2, 3); err == nil { // p3 is another opponent of both
		t.Error("they meet twice in a row, though there is somebody else")
	}
}

// Two of each team count. p1 (Lions) beats p3 and p5: 2 + 2; p2 (Lions) draws with p4 (Bears): 1; p6 (Cats) beats p3 (Bears) and p4: 4;
// p7 (Lions) beats p6: 2. Lions 4 + 2 = 6 with p2 next, Cats 4 + 0 = 4, Bears 1 + 0 = 1. With one leader Lions and Cats have 4 each, and
// the next of the Lions is p7 with 2, ahead of p5's 0. Once p7 is disqualified, Lions have p2's 1.
func TestATeamOfABattleHasTheScoresOfItsBest(t *testing.T) {
	t.Parallel()
	tour, newID := battleOf(t, 2, 1, 1, 2, 2, 3, 3, 1), ids()
	at := 0
	play := func(a, b tournament.EntryID, winner tournament.EntryID) {
		t.Helper()
		at += 50
		if got := meet(t, tour, at, waitingSince(at-50, a, b), newID); len(got) != 1 {
			t.Fatalf("%d-%d: %v", a, b, got)
		}
		p := tour.Rounds[0].Pairings[len(tour.Rounds[0].Pairings)-1]
		kind := map[tournament.EntryID]tournament.ResultKind{p.First: tournament.FirstWins, p.Second: tournament.SecondWins, 0: tournament.Drawn}[winner]
		tour.Record(p.Match, tournament.Result{Kind: kind, At: after(at)})
	}
	play(1, 3, 1)
	play(1, 5, 1)
	play(2, 4, 0)
	play(6, 3, 6)
	play(6, 4, 6)
	play(7, 6, 7)
	table := func() (list []string) {
		for _, l := range arena.BattleOf(&tour.Table) {
			list = append(list, fmt.Sprintf("%d %s %d %d", l.Rank, tour.Battle.NameOf(l.Team), l.Score, l.Next))
		}
		return list
	}
	if got, want := table(), []string{"1 Lions 6 1", "2 Cats 4 0", "3 Bears 1 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	tour.Settings.Battle.Leaders = 1
	if got, want := table(), []string{"1 Lions 4 2", "2 Cats 4 0", "3 Bears 1 0"}; !slices.Equal(got, want) {
		t.Errorf("one leader: %q, want %q", got, want)
	}
	tour.Settings.Battle.Leaders = 2
	if _, err := tour.Expel(host, 7, func(match.ID) bool { return false }, after(at)); err != nil {
		t.Fatal(err)
	}
	if got, want := table(), []string{"1 Lions 5 0", "2 Cats 4 0", "3 Bears 1 0"}; !slices.Equal(got, want) {
		t.Errorf("without p7: %q, want %q", got, want)
	}
}

// Whoever names no team fights for the one with the fewest, and has the same when they come back. Teams can be renamed and added, but
// none is taken from under its players.
func TestEveryPlayerOfABattleHasATeam(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Arena, func(s *tournament.Settings) { s.Battle = tournament.Battle{Teams: []string{"Lions", "Bears"}} })
	join := func(name string, camp int) tournament.Entry {
		e, err := tour.Register(host, tournament.Candidate{Player: player.ID(name), Name: name, Camp: camp}, start)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for i, want := range []int{2, 2, 1, 1, 1} {
		if got := join(fmt.Sprint("p", i), []int{2, 2, 0, 0, 0}[i]).Camp; got != want {
			t.Errorf("p%d fights for %d, want %d", i, got, want)
		}
	}
	if _, err := tour.Register(host, tournament.Candidate{Player: "x", Name: "x", Camp: 3}, start); !errors.Is(err, tournament.ErrNoCamp) {
		t.Errorf("a third of two: %v", err)
	}
	s := tour.Settings
	s.Battle.Teams = []string{"Lions", "Wolves", "Cats"}
	if err := tour.Change(host, s, start); err != nil {
		t.Error(err)
	}
	s.Battle = tournament.Battle{}
	if err := tour.Change(host, s, start); !errors.Is(err, tournament.ErrTeamsFixed) {
		t.Errorf("teams are taken away: %v", err)
	}
	for _, bad := range []tournament.Battle{{Teams: []string{"Lions"}}, {Teams: []string{"Lions", "lions"}}, {Teams: []string{"Сині", "Cині"}}, {Teams: []string{"Lions", ""}},
		{Teams: []string{"Lions", "Bears"}, Leaders: 21}, {Leaders: 5}} {
		s.Battle = bad
		if err := s.Validate(); err == nil {
			t.Errorf("%+v has no fault", bad)
		}
	}
	s = tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Battle.Teams = "Swiss", []string{"Lions", "Bears"}
	if err := s.Validate(); err == nil {
		t.Error("a Swiss is a battle")
	}
}
