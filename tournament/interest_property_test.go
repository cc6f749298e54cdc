package tournament_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/prize"
)

// The people of an evening: an organizer and an arbiter who play, an arbiter and an operator who do not, an operator who
// does, a player and a stranger.
var evening = struct{ owner, judge, runs, outside, operator, plays, stranger player.Viewer }{
	signedIn("host", player.Organizer), signedIn("p1", player.Plain), signedIn("p3", player.Operator), signedIn("anna", player.Plain),
	boss, signedIn("p2", player.Plain), someone,
}

// anEvening is a running event of eight players, of whom two are guests without an account.
func anEvening(t *testing.T, f tournament.Format, r *rand.Rand) *tournament.Tournament {
	t.Helper()
	tour := newTournament(t, f, func(s *tournament.Settings) {
		switch f {
		case tournament.Swiss:
			s.Rounds, s.Entry.HalfByes = 5, 1
		case tournament.RoundRobin:
			s.Leave = []tournament.Leaving{tournament.LeaveUsual, tournament.LeaveForfeits, tournament.LeaveAnnul}[r.IntN(3)]
		}
	})
	prizes := prize.Fund{Currency: "EUR", Places: []int64{3000, 2000, 1000}}
	if err := tour.SetPrizes(host, prizes); err != nil {
		t.Fatal(err)
	}
	for i, id := range []player.ID{"p1", "p2", "p3", "host", "p5", "p6", "", ""} {
		c := tournament.Candidate{Player: id, Name: fmt.Sprintf("Player %02d", i+1), Rating: 2000 - 10*i}
		if _, err := tour.Register(host, c, start); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []player.ID{evening.judge.ID, evening.outside.ID} {
		tour.Staff = append(tour.Staff, tournament.Member{Player: id, Duty: tournament.Arbiter})
	}
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if f == tournament.Arena {
		if err := arena.Open(tour, start); err != nil {
			t.Fatal(err)
		}
	}
	return tour
}

// goesOn takes an evening one step further, as it goes on without anybody's decision: a round is drafted or published, or
// some of its boards end, some by absence.
func goesOn(t *testing.T, tour *tournament.Tournament, r *rand.Rand, newID func() match.ID, at int) {
	t.Helper()
	switch {
	case tour.Status != tournament.Running:
	case tour.Format == tournament.Arena && len(slices.Collect(maps.Values(pendingOf(tour)))) == 0:
		_, err := arena.PairWaiting(tour, waitingSince(0, 1, 2, 3, 4, 5, 6, 7, 8), newID, after(10*at))
		if err != nil && !errors.Is(err, arena.ErrPassNotDue) {
			t.Fatal(err)
		}
	case tour.Draft != nil:
		if _, err := tour.Publish(format.System(&tour.Table), nil, newID, start); err != nil { // somebody has left since
			tour.Draft = nil
		}
	case tour.Format == tournament.Arena || len(tour.Rounds) > 0 && !tour.RoundIsOver():
		all := r.IntN(2) == 0
		for id := range pendingOf(tour) {
			if all || r.IntN(2) == 0 {
				kind := tournament.ResultKind(1 + r.IntN(3))
				reason := match.Reason("")
				if r.IntN(5) == 0 {
					kind, reason = []tournament.ResultKind{tournament.FirstByForfeit, tournament.SecondByForfeit}[r.IntN(2)], match.Forfeit
				}
				tour.Record(id, tournament.Result{Kind: kind, Reason: reason, At: start, Odds: match.First})
			}
		}
	default:
		if tour.DraftNext(format.System(&tour.Table), "", start) != nil { // nobody is left to pair
			tour.Conclude(start)
		}
	}
	for n, p := range tour.Pending() { // guests have no matches; somebody has written their results down
		if p.Match == "" && r.IntN(2) == 0 {
			by := []player.Viewer{evening.outside, evening.owner}[r.IntN(2)]
			if err := tour.Enter(by, n, p.Board, tournament.ResultKind(1+r.IntN(6)), true, start); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func pendingOf(tour *tournament.Tournament) map[match.ID]bool {
	ids := map[match.ID]bool{}
	for _, p := range tour.Pending() {
		if p.Match != "" {
			ids[p.Match] = true
		}
	}
	return ids
}

// deed is one way to do an act of staff, with anything that it may be about.
type deed struct {
	act tournament.Act
	do  func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, e tournament.EntryID, round, board int) error
}

// deeds are the acts that change a running or finished event. Those that go on with it, and the first results of
// boards of others, are for staff who play, too: goesOnly.
var deeds = []deed{
	{tournament.ActWithdraw, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, e tournament.EntryID, _, _ int) error {
		return tour.Withdraw(by, e)
	}},
	{tournament.ActExpel, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, e tournament.EntryID, _, _ int) error {
		_, err := tour.Expel(by, e, nothingBegun, start)
		return err
	}},
	{tournament.ActReadmit, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, e tournament.EntryID, _, _ int) error {
		return tour.Readmit(by, e)
	}},
	{tournament.ActReinstate, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, e tournament.EntryID, _, _ int) error {
		return tour.Reinstate(by, e)
	}},
	{tournament.ActBye, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, e tournament.EntryID, round, _ int) error {
		kind := []tournament.Outcome{tournament.FullBye, tournament.HalfBye, tournament.ZeroBye, tournament.NoRecord}[r.IntN(4)]
		return tour.AskBye(by, e, len(tour.Rounds)+1+round%2, kind)
	}},
	{tournament.ActCorrect, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, _ tournament.EntryID, round, board int) error {
		reach := []tournament.Reach{tournament.FromNow, tournament.Replay, tournament.RatingsOnly}[r.IntN(3)]
		return tour.Correct(by, round, board, tournament.ResultKind(1+r.IntN(6)), reach, format.System(&tour.Table), start)
	}},
	{tournament.ActResult, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, _ tournament.EntryID, round, board int) error {
		if r.IntN(3) == 0 {
			return tour.TakeResultBack(by, round, board)
		}
		return tour.Enter(by, round, board, tournament.ResultKind(1+r.IntN(6)), true, start)
	}},
	{tournament.ActUnpair, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, _ tournament.EntryID, _, _ int) error {
		_, err := tour.Unpair(by, true, nothingBegun, start)
		return err
	}},
	{tournament.ActUnstart, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, _ tournament.EntryID, _, _ int) error {
		_, err := tour.Unstart(by, nothingBegun)
		return err
	}},
	{tournament.ActForbid, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, e tournament.EntryID, _, _ int) error {
		return tour.Forbid(by, tournament.ForbiddenEntries{Entries: []tournament.EntryID{e, tournament.EntryID(1 + r.IntN(8))}})
	}},
	{tournament.ActDraft, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, e tournament.EntryID, _, _ int) error {
		edit := tournament.Edit{Kind: tournament.EditKind(1 + r.IntN(9)), A: e, B: tournament.EntryID(1 + r.IntN(8)), Bye: tournament.HalfBye}
		return tour.EditDraft(by, edit, format.System(&tour.Table))
	}},
	{tournament.ActRepair, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, e tournament.EntryID, _, _ int) error {
		_, _, err := tour.EditRound(by, tournament.Edit{Kind: tournament.EditKind(1 + r.IntN(2)), A: e, B: tournament.EntryID(1 + r.IntN(8))},
			nothingBegun, ids())
		return err
	}},
	{tournament.ActParticulars, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, e tournament.EntryID, _, _ int) error {
		is, err := tour.Entry(e)
		if err != nil {
			return err
		}
		return tour.CorrectEntry(by, e, tournament.Particulars{Name: is.Name, Club: is.Club, Rating: 1900 + r.IntN(200)})
	}},
	{tournament.ActSettings, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, _ tournament.EntryID, _, _ int) error {
		s := tour.Clone().Settings
		switch r.IntN(4) {
		case 0:
			s.Tiebreaks = slices.Clone(s.Tiebreaks)
			slices.Reverse(s.Tiebreaks)
		case 1:
			s.Points.Draw = 3
		case 2:
			s.Entry.HalfByes++
		default:
			s.Rounds++
		}
		return tour.Change(by, s, start)
	}},
	{tournament.ActRounds, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, _ tournament.EntryID, _, _ int) error {
		return tour.SetRounds(by, tour.Settings.Rounds+1-2*r.IntN(2), true, start)
	}},
	{tournament.ActPrizes, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, _ tournament.EntryID, _, _ int) error {
		return tour.SetPrizes(by, prize.Fund{Currency: "EUR", Places: []int64{int64(500 * (1 + r.IntN(9)))}})
	}},
	{tournament.ActDeclare, func(tour *tournament.Tournament, by player.Viewer, r *rand.Rand, e tournament.EntryID, _, _ int) error {
		return tour.DeclareBorn(by, e, 1950+r.IntN(60))
	}},
	{tournament.ActEnter, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, _ tournament.EntryID, _, _ int) error {
		_, err := tour.Register(by, tournament.Candidate{Name: "Late", Rating: 1500}, start)
		return err
	}},
	{tournament.ActFinish, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, _ tournament.EntryID, _, _ int) error {
		return tour.Finish(by, start)
	}},
	{tournament.ActUnfinish, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, _ tournament.EntryID, _, _ int) error {
		return tour.Unfinish(by)
	}},
	{tournament.ActFinalize, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, _ tournament.EntryID, _, _ int) error {
		return tour.Finalize(by, "", start.Add(1000*time.Hour))
	}},
	{tournament.ActFixBoard, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, e tournament.EntryID, _, board int) error {
		return tour.FixBoard(by, e, board)
	}},
	{tournament.ActLink, func(tour *tournament.Tournament, by player.Viewer, _ *rand.Rand, e tournament.EntryID, _, _ int) error {
		return tour.Link(by, e, player.Player{ID: "new", Handle: "new"})
	}},
}

// unmoved are acts that move nobody in a running or finished event.
var unmoved = []tournament.Act{
	tournament.ActStaff, tournament.ActOpen, tournament.ActClose, tournament.ActAccept, tournament.ActRefuse, tournament.ActWaive,
	tournament.ActPolicy, tournament.ActVenue, tournament.ActStart, tournament.ActPair, tournament.ActExport, tournament.ActScreen,
	tournament.ActDoor, tournament.ActHide, tournament.ActPublish, tournament.ActUnfinalize, tournament.ActDesk, tournament.ActAnnounce,
	tournament.ActModerate, tournament.ActPostpone, tournament.ActExtend, tournament.ActPause, tournament.ActCalls, tournament.ActAppeal, tournament.ActReview,
	tournament.ActWatch, tournament.ActSteward,
	tournament.ActReport,
	tournament.ActForfeitMatch,                 // of teams: TestNobodyDecidesAloneForTheirTeam
	tournament.ActMatch,                        // rules below
	tournament.ActReopen, tournament.ActReplay, // of a match: TestNobodyDecidesAloneWhereTheyAreAParty
	tournament.ActCheckIn, // TestNobodyChecksARivalOut
	tournament.ActStage,   // the standings say who goes on
}

// standingsOf is what a table says of each entry: place, score and prize.
func standingsOf(t *testing.T, tour *tournament.Tournament) map[tournament.EntryID][3]int {
	t.Helper()
	got := map[tournament.EntryID][3]int{}
	table, err := format.Standings(tour, -1)
	if err != nil {
		t.Fatal(err)
	}
	prizes, err := tables.AllotPrizes(tour)
	if err != nil {
		t.Fatal(err)
	}
	won := map[tournament.EntryID]int{}
	for _, l := range prizes.Lines {
		won[l.Entry.ID] += int(l.Amount)
	}
	for _, l := range table.Lines {
		got[l.Entry.ID] = [3]int{l.Rank, int(l.Score), won[l.Entry.ID]}
	}
	return got
}

// gains says what somebody who plays has from a change, looked at from outside; empty: nothing. first is a first result
// of a board of others, which only has to leave their own board alone.
func gains(t *testing.T, before, after *tournament.Tournament, me tournament.EntryID, first bool) string {
	t.Helper()
	own, _ := before.Entry(me)
	seats := func(r tournament.Round) (own []string) {
		for _, p := range r.Pairings {
			if p.First == me || p.Second == me {
				own = append(own, fmt.Sprint(p.First, p.Second, p.Result.Kind, p.Result.Rated))
			}
		}
		return own
	}
	guest := func(id tournament.EntryID) bool { e, err := before.Entry(id); return err == nil && e.IsGuest() }
	for i, r := range before.Rounds {
		if i >= len(after.Rounds) {
			continue // a whole round taken back: their score tells
		}
		was, is := seats(r), seats(after.Rounds[i])
		p, sits := r.BoardOf(me)
		if sits && first && p.Match == "" && p.Result.IsPending() && (guest(p.First) || guest(p.Second)) {
			now, _ := after.Rounds[i].BoardOf(me)
			if k := now.Result.Kind; k == tournament.DoubleForfeit || now.First == me && k == tournament.FirstByForfeit ||
				now.Second == me && k == tournament.SecondByForfeit {
				return "a guest's absence by their own word"
			}
			continue
		}
		if !slices.Equal(was, is) {
			return fmt.Sprintf("their board in round %d: %v, now %v", r.Number, was, is)
		}
	}
	if first {
		return ""
	}
	was, is := standingsOf(t, before), standingsOf(t, after)
	switch {
	case is[me][0] > 0 && is[me][0] < was[me][0]:
		return fmt.Sprintf("place %d after %d", is[me][0], was[me][0])
	case is[me][1] > was[me][1]:
		return "points"
	case is[me][2] > was[me][2]:
		return "a prize"
	}
	for _, e := range before.Entries {
		now, _ := after.Entry(e.ID)
		rival := e.ID != me && was[e.ID][0] > 0 && was[e.ID][0] <= was[me][0]
		left := e.Status == tournament.Active && now.Status != tournament.Active
		switch {
		case !rival:
		case left && now.Expelled:
			return e.Name + " is disqualified"
		case left && !e.IsGuest() && !before.DidNotCome(e.ID, own.Player):
			return e.Name + " is withdrawn"
		case !e.IsGuest() && !before.DidNotCome(e.ID, own.Player) && len(now.Byes) > len(e.Byes):
			return e.Name + " is not paired"
		case now.Status == tournament.Active && is[e.ID][0] > 0 && before.Points == after.Points &&
			is[e.ID][1]-was[e.ID][1] < is[me][1]-was[me][1]:
			return e.Name + " loses points"
		}
	}
	return ""
}

// Whatever staff who play do, to whomever, in every format and at any moment: nothing that they gain by is theirs to do
// alone. Nobody who does not play is ever in the way, and players and strangers only act for themselves.
func TestNobodyGainsByWhatTheyDoAlone(t *testing.T) {
	t.Parallel()
	for _, act := range tournament.StaffActs() {
		if !slices.Contains(unmoved, act) && !slices.ContainsFunc(deeds, func(d deed) bool { return d.act == act }) {
			t.Errorf("nobody tries %q", act)
		}
	}
	for _, f := range []tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.KnockOut, tournament.Arena} {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			done, refused, ruled := map[tournament.Act]bool{}, 0, 0
			for seed := range uint64(5) {
				r := rand.New(rand.NewPCG(seed, uint64(f)))
				tour, newID := anEvening(t, f, r), ids()
				for step := range 10 {
					goesOn(t, tour, r, newID, step)
					for _, d := range deeds {
						refused += tries(t, tour, d, r, done)
					}
					if step%2 == 0 {
						ruled += rules(t, tour)
					}
					if d := deeds[r.IntN(5)]; r.IntN(3) == 0 { // and somebody from outside does something
						c := tour.Clone()
						if d.do(c, evening.outside, r, tournament.EntryID(1+r.IntN(8)), 1, 1) == nil {
							tour = c
						}
					}
				}
			}
			if len(done) < 10 || refused < 20 {
				t.Errorf("too little was tried: %v done, %d refused", done, refused)
			}
			if ruled == 0 {
				t.Error("no ruling was refused")
			}
		})
	}
}

// rules lets everybody declare the end of each match that is played, void it, and set its clock. It returns how many
// declarations were refused.
func rules(t *testing.T, tour *tournament.Tournament) (refused int) {
	t.Helper()
	end := func(id match.ID, r match.Result) *tournament.Tournament {
		c := tour.Clone()
		c.Record(id, tournament.ResultOf(r, start))
		return c
	}
	outcomes := []match.Outcome{match.FirstWins, match.SecondWins, match.Draw}
	for id := range pendingOf(tour) {
		for _, by := range []player.Viewer{evening.owner, evening.judge, evening.runs, evening.outside, boss} {
			own, plays := tour.EntryOf(by.ID)
			if slices.ContainsFunc(slices.Collect(maps.Values(maps.Collect(tour.AllBoards()))), func(p *tournament.Pairing) bool {
				return p.Match == id && p.SeatOf(own.ID).Valid()
			}) {
				continue // never in their own
			}
			touches := false
			for _, o := range outcomes {
				after := end(id, match.Result{Outcome: o})
				note, err := tables.OwnRuling(tour, id, match.Declare{Outcome: o}, by, start)
				for _, other := range outcomes {
					before := end(id, match.Result{Outcome: other})
					moves := plays && standingsOf(t, before)[own.ID] != standingsOf(t, after)[own.ID]
					touches = touches || moves
					switch gain := gains(t, before, after, own.ID, false); {
					case !plays && (note != nil || err != nil):
						t.Fatalf("%s does not play: %v, %v", by.ID, note, err)
					case plays && err == nil && gain != "":
						t.Fatalf("%s declares %v, not %v, and gains: %s", by.ID, o, other, gain)
					case moves && err == nil && note == nil:
						t.Fatalf("%s declares %v, not %v, and nobody is told", by.ID, o, other)
					}
				}
				if err != nil {
					refused++
				}
			}
			_, void := tables.OwnRuling(tour, id, match.MakeVoid{}, by, start)
			note, clock := tables.OwnRuling(tour, id, match.SetClock{}, by, start)
			if touches && (void == nil || note == nil) || clock != nil {
				t.Fatalf("%s voids what touches them: %v; sets its clock: %v, %v", by.ID, void, note, clock)
			}
			if note, err := tables.OwnRuling(tour, id, match.Pause{}, by, start); note != nil || err != nil {
				t.Fatalf("%s stops it: %v, %v", by.ID, note, err)
			}
		}
	}
	return refused
}

// tries lets everybody do a deed about the same, and returns how many were refused as parties.
func tries(t *testing.T, tour *tournament.Tournament, d deed, r *rand.Rand, done map[tournament.Act]bool) (refused int) {
	t.Helper()
	seed := r.Uint64()
	for _, by := range []player.Viewer{evening.owner, evening.judge, evening.runs, evening.outside, boss, evening.plays, evening.stranger} {
		r := rand.New(rand.NewPCG(seed, 0)) // the same for all
		e, round := tournament.EntryID(1+r.IntN(8)), 1+r.IntN(max(1, len(tour.Rounds)))
		board := 1 + r.IntN(4)
		before, after := tour.Clone(), tour.Clone()
		first := false
		if p, err := before.BoardAt(round, board); err == nil {
			first = d.act == tournament.ActResult && (p.Result.IsPending() || by.Is(p.Result.By))
		}
		if d.do(after, by, r, e, round, board) != nil {
			continue
		}
		first = first || d.act == tournament.ActUnpair && len(before.Losses(nothingBegun)) == 0 // nothing had happened in it
		done[d.act] = true
		note, err := tables.OwnInterest(before, after, by, d.act, start)
		var party *fairplay.PartyError
		if err != nil && !errors.As(err, &party) {
			t.Fatal(err)
		}
		own, entered := before.EntryOf(by.ID)
		what := fmt.Sprintf("%s by %s about %d, round %d board %d", d.act, by.ID, e, round, board)
		switch {
		case before.DutyOf(by) == 0:
			is, _ := after.Entry(e)
			if err != nil || note != nil || !by.Is(is.Player) && d.act != tournament.ActEnter {
				t.Fatalf("%s, who is no staff: %v, %v", what, err, note)
			}
		case !entered:
			if err != nil || note != nil {
				t.Fatalf("%s, who does not play: %v, %v", what, err, note)
			}
		case d.act == tournament.ActWithdraw && own.ID == e:
			if err != nil || note != nil {
				t.Fatalf("%s, for themselves: %v, %v", what, err, note)
			}
		case err != nil:
			refused++
			if by.ID == evening.owner.ID && slices.Contains(party.CanDecide(), by.ID) {
				t.Fatalf("%s: they are told to ask themselves: %+v", what, party)
			}
		default:
			if gain := gains(t, before, after, own.ID, first); gain != "" {
				t.Fatalf("%s goes through, and they gain: %s (note %+v)", what, gain, note)
			}
			was, is := standingsOf(t, before)[own.ID], standingsOf(t, after)[own.ID]
			if !first && d.act != tournament.ActEnter && was != is && note == nil {
				t.Fatalf("%s moves them from %v to %v, and nobody is told", what, was, is)
			}
			p, err := before.BoardAt(round, board)
			if err == nil && p.SeatOf(own.ID).Valid() && d.act == tournament.ActResult && note == nil {
				t.Fatalf("%s: their own board, and nobody is told", what)
			}
		}
	}
	return refused
}

// A playing arbiter checks no rival out before a round, and nobody else either without a mark.
func TestNobodyChecksARivalOut(t *testing.T) {
	t.Parallel()
	tour := anEvening(t, tournament.Swiss, rand.New(rand.NewPCG(1, 1)))
	tour.CheckIn.Scope = tournament.ForRound
	for i := range tour.Entries {
		tour.Entries[i].CheckedIn = []int{1}
	}
	for id, refused := range map[tournament.EntryID]bool{2: true, 7: false} { // all are level; 7 is a guest
		for _, by := range []player.Viewer{evening.judge, evening.outside} {
			after := tour.Clone()
			if err := after.Check(by, id, false, start); err != nil {
				t.Fatal(err)
			}
			note, err := tables.OwnInterest(tour, after, by, tournament.ActCheckIn, start)
			plays := by.ID == evening.judge.ID
			if errors.Is(err, fairplay.ErrParty) != (refused && plays) || (note != nil) != (plays && !refused) {
				t.Errorf("%s checks %d out: %v, %v", by.ID, id, err, note)
			}
		}
	}
}

// The advice names whom to ask, by who reads it, and what to do where nobody is left.
func TestAPartyIsToldWhomToAsk(t *testing.T) {
	t.Parallel()
	type e = fairplay.PartyError
	for _, c := range []struct {
		name string
		is   e
		want []fairplay.Advice
	}{
		{"a second arbiter, no operator", e{Names: []string{"anna"}}, []fairplay.Advice{fairplay.AskNames}},
		{"a second arbiter or an operator", e{Names: []string{"anna"}, Others: true}, []fairplay.Advice{fairplay.AskNamesOperator}},
		{"an operator reads it", e{Names: []string{"anna"}, Others: true, Operates: true}, []fairplay.Advice{fairplay.AskNamesAnother}},
		{"the only operator reads it", e{Names: []string{"anna"}, Operates: true}, []fairplay.Advice{fairplay.AskNames}},
		{"a lone organizer", e{By: "o", Case: fairplay.Case{Owners: []player.ID{"o"}}, Others: true},
			[]fairplay.Advice{fairplay.AskOperator, fairplay.Appoint}},
		{"a lone organizer who runs the site alone", e{By: "o", Case: fairplay.Case{Owners: []player.ID{"o"}}, Operates: true},
			[]fairplay.Advice{fairplay.AskNobody, fairplay.Appoint}},
		{"one of two operators, who does not own it", e{By: "x", Case: fairplay.Case{Owners: []player.ID{"o"}}, Operates: true, Others: true},
			[]fairplay.Advice{fairplay.AskAnother, fairplay.Appoint}},
		{"an arbiter without another", e{By: "a", Case: fairplay.Case{Owners: []player.ID{"o"}}, Others: true},
			[]fairplay.Advice{fairplay.AskOperator, fairplay.HaveAppointed}},
		{"where staff are not appointed", e{By: "a", Others: true}, []fairplay.Advice{fairplay.AskOperator}},
		{"where the only operator is a party", e{By: "a", Operates: true}, []fairplay.Advice{fairplay.AskNobody, fairplay.AppointOperator}},
		{"or somebody plays the only operator", e{By: "a"}, []fairplay.Advice{fairplay.AskNobody, fairplay.HaveOperator}},
	} {
		if got := c.is.Advices(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	tour := anEvening(t, tournament.Swiss, rand.New(rand.NewPCG(1, 1)))
	tour.ClubID = "dragon"
	tour.ClubStaff = []club.Membership{{Club: "dragon", Player: "head", Role: club.Owner}}
	if c := tour.CaseOf(tournament.ActWithdraw, "p1"); !slices.Contains(c.Judges, "head") || !slices.Contains(c.Owners, "head") {
		t.Errorf("the club's people can decide, too: %+v", c)
	}
}
