package tournament_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
)

// account returns a candidate with an account, and the viewer they sign in as.
func account(name string) (tournament.Candidate, player.Viewer) {
	return tournament.Candidate{Player: player.ID(name), Name: name, Since: start}, signedIn(player.ID(name), player.Plain)
}

func verdict(kind setting.Condition, passed bool, have, want int) setting.Verdict {
	return setting.Verdict{Kind: kind, Passed: passed, Have: have, Want: want}
}

func TestConditionsAreJudgedForEachCandidate(t *testing.T) {
	t.Parallel()
	s := tournament.Settings{ClubID: "dragons", MembersOnly: true}
	s.Entry.Conditions = setting.Conditions{MinRating: 1200, MaxRating: 1600, MinGames: 10, MinAgeDays: 30, List: []player.Handle{"Anna", "borys"}}
	tests := []struct {
		name string
		who  tournament.Candidate
		want []setting.Verdict
	}{
		{"everything is met", tournament.Candidate{
			Player: "a", Name: "anna", Rated: 1500, Best: 1600, Games: 10, Since: start.AddDate(0, 0, -30), Clubs: []club.ID{"x", "dragons"},
		}, []setting.Verdict{
			verdict(setting.LeastRating, true, 1600, 1200), verdict(setting.MostRating, true, 1600, 1600), verdict(setting.Games, true, 10, 10),
			verdict(setting.Age, true, 30, 30), verdict(setting.Club, true, 0, 0), verdict(setting.Listed, true, 0, 0),
		}},
		{"who was too strong within the week is too strong, the rest fails by one", tournament.Candidate{
			Player: "c", Name: "clara", Rated: 1590, Best: 1601, Games: 9, Since: start.AddDate(0, 0, -30).Add(time.Minute), Clubs: []club.ID{"x"},
		}, []setting.Verdict{
			verdict(setting.LeastRating, true, 1601, 1200), verdict(setting.MostRating, false, 1601, 1600), verdict(setting.Games, false, 9, 10),
			verdict(setting.Age, false, 29, 30), verdict(setting.Club, false, 0, 0), verdict(setting.Listed, false, 0, 0),
		}},
		{"without a rating one has not the least and not too much", tournament.Candidate{Player: "d", Name: "BORYS", Rating: 1500, Since: start},
			[]setting.Verdict{
				verdict(setting.LeastRating, false, 0, 1200), verdict(setting.MostRating, true, 0, 1600), verdict(setting.Games, false, 0, 10),
				verdict(setting.Age, false, 0, 30), verdict(setting.Club, false, 0, 0), verdict(setting.Listed, true, 0, 0),
			}},
		{"of a guest only the rating is judged", tournament.Candidate{Name: "Guest", Rating: 1700},
			[]setting.Verdict{verdict(setting.LeastRating, true, 1700, 1200), verdict(setting.MostRating, false, 1700, 1600)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, s.Verdicts(test.who, start)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if list := (tournament.Settings{}).Verdicts(tournament.Candidate{Player: "x"}, start); len(list) != 0 {
		t.Errorf("nothing is asked, and judged is %v", list)
	}
}

func TestAConditionHoldsForPlayersAndIsOverriddenWithAReason(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Entry.Conditions.MinGames = 1 })
	anna, asAnna := account("anna")
	_, err := tour.Register(asAnna, anna, start)
	var conditions *setting.Unmet
	if !errors.Is(err, setting.ErrUnmet) || !errors.As(err, &conditions) || len(conditions.Failed) != 1 || conditions.Failed[0].Kind != setting.Games {
		t.Errorf("a player without games: %v", err)
	}
	anna.Reason = "please"
	if _, err := tour.Register(asAnna, anna, start); !errors.Is(err, setting.ErrUnmet) {
		t.Errorf("a player with a reason of his own: %v", err)
	}
	anna.Reason = "  "
	if _, err := tour.Register(host, anna, start); !errors.Is(err, setting.ErrUnmet) {
		t.Errorf("staff without a reason: %v", err)
	}
	anna.Reason = "the organizer's guest"
	if e, err := tour.Register(host, anna, start); err != nil || e.Status != tournament.Active || e.Reason != anna.Reason {
		t.Errorf("staff with a reason: %+v, %v", e, err)
	}
	borys, asBorys := account("borys")
	borys.Games = 1
	if e, err := tour.Register(asBorys, borys, start); err != nil || e.Reason != "" {
		t.Errorf("a player who meets it: %+v, %v", e, err)
	}
}

func TestTheEntryCode(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Entry.Code = "Dragon7" })
	anna, asAnna := account("anna")
	for code, want := range map[string]error{"": tournament.ErrCode, "dragon8": tournament.ErrCode, " dragon7 ": nil} {
		anna.Code = code
		if _, err := tour.Clone().Register(asAnna, anna, start); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", code, err, want)
		}
	}
	borys, _ := account("borys")
	if _, err := tour.Register(host, borys, start); err != nil {
		t.Errorf("staff need no code: %v", err)
	}
}

func TestRegistrationOpensAndClosesByItself(t *testing.T) {
	t.Parallel()
	opens, closes := start.Add(time.Hour), start.Add(2*time.Hour)
	window := func(s *tournament.Settings) { s.Entry.Opens, s.Entry.Closes = opens, closes }
	anna, asAnna := account("anna")
	at := func(tour *tournament.Tournament, when time.Time) error {
		_, err := tour.Clone().Register(asAnna, anna, when)
		return err
	}
	late := newTournament(t, tournament.Swiss, window) // the job never comes
	timely := newTournament(t, tournament.Swiss, window)
	for _, step := range []struct {
		name string
		at   time.Time
		want error
	}{
		{"announced", start, tournament.ErrNotOpen},
		{"a moment before", opens.Add(-time.Millisecond), tournament.ErrNotOpen},
		{"the moment it opens", opens, nil},
		{"a moment before it closes", closes.Add(-time.Millisecond), nil},
		{"the moment it closes", closes, tournament.ErrClosed},
	} {
		timely.MoveGate(step.at)
		for name, tour := range map[string]*tournament.Tournament{"with the job": timely, "without": late} {
			if err := at(tour, step.at); !errors.Is(err, step.want) {
				t.Errorf("%s, %s: %v, want %v", step.name, name, err, step.want)
			}
		}
	}
	if next, due := timely.NextGateAt(); due {
		t.Errorf("closed for good, but moves at %v", next)
	}
	if err := timely.OpenRegistration(host, closes.Add(time.Minute)); err != nil || at(timely, closes.Add(time.Hour)) != nil || timely.MoveGate(closes.Add(time.Hour)) {
		t.Errorf("staff open it again, and it stays so: %v", err)
	}
	if err := late.CloseRegistration(host, start); err != nil || !errors.Is(at(late, opens.Add(-1)), tournament.ErrNotOpen) || at(late, opens) != nil {
		t.Errorf("closed before its time it opens when it is time: %v", err)
	}
	s := timely.Settings
	s.Entry.Closes = closes.Add(24 * time.Hour)
	if err := timely.Change(host, s, closes.Add(time.Hour)); err != nil || at(timely, closes.Add(2*time.Hour)) != nil {
		t.Errorf("a later end: %v", err)
	}
	if err := timely.CloseRegistration(someone, closes); !errors.Is(err, tournament.ErrNotAllowed) {
		t.Errorf("another organizer closes it: %v", err)
	}
}

func anybody(tournament.Entry) bool { return true }

func TestWhoWaitsGetsTheFirstFreePlace(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Capacity = 2 })
	status := func(name string) tournament.EntryStatus {
		e, _ := tour.EntryOf(player.ID(name))
		return e.Status
	}
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		c, as := account(name)
		e, err := tour.Register(as, c, start.Add(time.Duration(i)*time.Minute))
		if err != nil || tour.WaitingPlace(e.ID) != max(0, i-1) {
			t.Fatalf("%s: %v, place %d", name, err, tour.WaitingPlace(e.ID))
		}
	}
	leave := func(name string) {
		t.Helper()
		e, _ := tour.EntryOf(player.ID(name))
		_, as := account(name)
		if err := tour.Withdraw(as, e.ID); err != nil {
			t.Fatal(err)
		}
		tour.Promote(anybody, start)
	}
	leave("d") // from the list: nobody comes in
	leave("a")
	if status("c") != tournament.Active || status("e") != tournament.Waiting {
		t.Errorf("c %v, e %v", status("c"), status("e"))
	}
	// A player who comes back is last on the waiting list.
	d, asD := account("d")
	if e, err := tour.Register(asD, d, start.Add(time.Hour)); err != nil || tour.WaitingPlace(e.ID) != 2 {
		t.Errorf("%v, place %d", err, tour.WaitingPlace(e.ID))
	}
	s := tour.Settings
	s.Capacity = 3
	err := tour.Change(host, s, start)
	if tour.Promote(anybody, start); err != nil || status("e") != tournament.Active || status("d") != tournament.Waiting {
		t.Errorf("more room: %v, e %v, d %v", err, status("e"), status("d"))
	}
	// After the start nobody moves up from the waiting list unless staff accept them.
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	leave("b")
	if status("d") != tournament.Waiting {
		t.Errorf("promoted into a running tournament: %v", status("d"))
	}
	e, _ := tour.EntryOf("d")
	if err := tour.Accept(host, e.ID, "", start); err != nil || status("d") != tournament.Active {
		t.Errorf("%v, %v", err, status("d"))
	}
}

func TestStaffAcceptAndRefuseRequests(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Entry.Approval, s.Capacity = true, 2 })
	var ids []tournament.EntryID
	for i, name := range []string{"a", "b", "c", "d"} {
		c, as := account(name)
		e, err := tour.Register(as, c, start.Add(time.Duration(i)*time.Minute))
		if err != nil || e.Status != tournament.Requested {
			t.Fatal(e.Status, err)
		}
		ids = append(ids, e.ID)
	}
	is := func(what string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	_, asA := account("a")
	is("a player accepts himself", tour.Accept(asA, ids[0], "", start), tournament.ErrNotAllowed)
	is("a player refuses another", tour.Refuse(asA, ids[1], ""), tournament.ErrNotAllowed)
	is("staff refuse", tour.Refuse(host, ids[0], "a bot"), nil)
	is("and again", tour.Refuse(host, ids[0], ""), tournament.ErrNoRequest)
	is("with a reason that is too long", tour.Refuse(host, ids[1], fmt.Sprintf("%301d", 1)), tournament.ErrBadReason)
	a, _ := account("a")
	_, err := tour.Register(asA, a, start)
	is("the refused one asks again", err, tournament.ErrShutOut)
	is("staff accept d", tour.Accept(host, ids[3], "", start), nil)
	is("staff accept the refused one after all", tour.Accept(host, ids[0], "", start), nil)
	is("staff accept c, without a place", tour.Accept(host, ids[2], "", start), nil)
	is("staff accept b, who had asked before c", tour.Accept(host, ids[1], "", start), nil)
	is("staff accept who waits, without a place", tour.Accept(host, ids[1], "", start), tournament.ErrFull)
	is("staff accept who is in", tour.Accept(host, ids[3], "", start), tournament.ErrEntered)
	if got := []int{tour.WaitingPlace(ids[0]), tour.WaitingPlace(ids[1]), tour.WaitingPlace(ids[2]), tour.WaitingPlace(ids[3])}; !slices.Equal(got, []int{0, 1, 2, 0}) {
		t.Errorf("places on the list: %v", got)
	}
}

// running returns a Swiss of eight after some rounds.
func running(t *testing.T, rounds int, change func(*tournament.Settings)) *tournament.Tournament {
	t.Helper()
	tour := newTournament(t, tournament.Swiss, change)
	enter(t, tour, 8)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	for range rounds {
		nextRound(t, tour)
	}
	return tour
}

func nextRound(t *testing.T, tour *tournament.Tournament) {
	t.Helper()
	n := len(tour.Rounds) + 1
	if _, err := tour.PairNext(system(tour), ids(), start); err != nil {
		t.Fatal(err)
	}
	for _, p := range tour.Rounds[n-1].Pairings {
		if err := tour.Enter(host, n, p.Board, tournament.Drawn, true, start); err != nil {
			t.Fatal(err)
		}
	}
}

// rounds returns a number's rounds as TRF codes.
func outcomes(tour *tournament.Tournament, id tournament.EntryID) string {
	e, _ := tour.Entry(id)
	letters := map[tournament.Outcome]string{tournament.NoRecord: ".", tournament.HalfBye: "H", tournament.ZeroBye: "Z", tournament.Draw: "=", tournament.PairingBye: "U"}
	text := ""
	for _, p := range tour.Field().Players {
		if p.Number == e.Number {
			for _, r := range p.Rounds {
				text += letters[r.Outcome]
			}
		}
	}
	return text
}

func TestLateEntriesHaveTheStatedByes(t *testing.T) {
	t.Parallel()
	late := func(until int, bye tournament.Outcome) func(*tournament.Settings) {
		return func(s *tournament.Settings) { s.Entry.LateUntil, s.Entry.LateBye = until, bye }
	}
	tests := []struct {
		name   string
		rounds int // gone by
		change func(*tournament.Settings)
		err    error
		want   string
	}{
		{"nobody said that one may come late", 1, late(0, 0), tournament.ErrClosed, ""},
		{"in time for the last round for it", 2, late(3, tournament.HalfBye), nil, "HH"},
		{"without points", 2, late(3, 0), nil, ".."},
		{"a round too late", 3, late(3, tournament.HalfBye), tournament.ErrLate, ""},
		{"before the first round there is nothing to miss", 0, late(2, tournament.HalfBye), nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tour := running(t, test.rounds, test.change)
			c, as := account("late")
			e, err := tour.Register(as, c, start)
			if !errors.Is(err, test.err) {
				t.Fatal(err)
			}
			if err == nil && outcomes(tour, e.ID) != test.want {
				t.Errorf("%q, want %q", outcomes(tour, e.ID), test.want)
			}
		})
	}
	t.Run("staff enter after that too, without points", func(t *testing.T) {
		t.Parallel()
		tour := running(t, 3, late(2, tournament.HalfBye))
		c, _ := account("late")
		e, err := tour.Register(host, c, start)
		if err != nil || outcomes(tour, e.ID) != "..." {
			t.Errorf("%v, %q", err, outcomes(tour, e.ID))
		}
	})
	t.Run("with half-point byes until the third round only", func(t *testing.T) {
		t.Parallel()
		s := tournament.DefaultSettings(tournament.Swiss)
		s.Name = "Friday"
		if late(3, tournament.HalfBye)(&s); s.Validate() != nil {
			t.Error(s.Validate())
		}
		if late(4, tournament.HalfBye)(&s); s.Validate() == nil {
			t.Error("round 4 with half-point byes is let through")
		}
		if late(4, 0)(&s); s.Validate() != nil {
			t.Error(s.Validate())
		}
	})
}

func TestLeavingAndComingBackGivesNoBye(t *testing.T) {
	t.Parallel()
	half := func(s *tournament.Settings) {
		s.Entry.LateUntil, s.Entry.LateBye, s.Entry.HalfByes, s.Entry.ByeLimit = 3, tournament.HalfBye, 1, 2
	}
	_, asP1 := account("p1")
	me := tournament.Candidate{Player: "p1", Name: "Player 01"}

	t.Run("the rounds between are absences, also with a bye asked for", func(t *testing.T) {
		t.Parallel()
		tour := running(t, 1, half)
		if err := tour.AskBye(asP1, 1, 2, tournament.HalfBye); err != nil {
			t.Fatal(err)
		}
		if err := tour.Withdraw(asP1, 1); err != nil {
			t.Fatal(err)
		}
		nextRound(t, tour)
		if _, err := tour.Register(asP1, me, start); !errors.Is(err, tournament.ErrEntered) {
			t.Errorf("a second entry: %v", err)
		}
		if err := tour.Return(asP1, me, start); err != nil {
			t.Fatal(err)
		}
		if got := outcomes(tour, 1); got != "=Z" {
			t.Errorf("%q, want a draw and an absence", got)
		}
		if err := tour.AskBye(asP1, 1, 3, tournament.HalfBye); !errors.Is(err, tournament.ErrByeLimit) {
			t.Errorf("the half-point bye asked for is used: %v", err)
		}
		nextRound(t, tour)
		if got := outcomes(tour, 1); got != "=Z=" {
			t.Errorf("%q", got)
		}
	})
	t.Run("who left before the start comes late without half points", func(t *testing.T) {
		t.Parallel()
		tour := newTournament(t, tournament.Swiss, half)
		enter(t, tour, 8)
		if err := tour.Withdraw(asP1, 1); err != nil {
			t.Fatal(err)
		}
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		nextRound(t, tour)
		e, err := tour.Register(asP1, me, start)
		if err != nil || outcomes(tour, e.ID) != "Z" {
			t.Errorf("%v, %q", err, outcomes(tour, e.ID))
		}
	})
	t.Run("whom staff took out does not come back by himself", func(t *testing.T) {
		t.Parallel()
		tour := running(t, 1, half)
		if err := tour.Withdraw(host, 1); err != nil {
			t.Fatal(err)
		}
		if err := tour.Return(asP1, me, start); !errors.Is(err, tournament.ErrShutOut) {
			t.Error(err)
		}
		if err := tour.Readmit(host, 1); err != nil {
			t.Error(err)
		}
	})
	t.Run("the conditions hold, but for the rating", func(t *testing.T) {
		t.Parallel()
		tour := running(t, 1, nil)
		if err := tour.Withdraw(asP1, 1); err != nil {
			t.Fatal(err)
		}
		tour.Settings.Entry.Conditions, tour.ClubID, tour.MembersOnly = setting.Conditions{MaxRating: 1000}, "dragons", true
		back := me
		back.Best = 1500
		if err := tour.Clone().Return(asP1, back, start); !errors.Is(err, setting.ErrUnmet) {
			t.Error(err)
		}
		back.Clubs = []club.ID{"dragons"}
		if err := tour.Return(asP1, back, start); err != nil {
			t.Error(err)
		}
	})
}

// In every format players take their own leaving back, after which everything is as it was: in a table until an opponent
// has won a board that they missed, otherwise as long as somebody is paired.
func TestPlayersTakeTheirLeavingBackWhereNobodyHasGainedByIt(t *testing.T) {
	t.Parallel()
	me, asP5 := account("p5")
	for _, f := range tournament.Formats() {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			tour := anEvening(t, f, r)
			newID, step := ids(), 0
			play := func() {
				for paired := len(tour.Rounds); tour.Status == tournament.Running && step < 20; step++ {
					if goesOn(t, tour, r, newID, step); len(tour.Rounds) > paired && tour.RoundIsOver() {
						return
					}
				}
			}
			e, _ := tour.EntryOf("p5")
			before := tour.Clone()
			for _, err := range []error{tour.Withdraw(asP5, e.ID), tour.Return(asP5, me, start)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(tour, before) {
				t.Errorf("%+v, not as before: %+v", tour, before)
			}
			if err := tour.Withdraw(asP5, e.ID); err != nil {
				t.Fatal(err)
			}
			var want error
			if play(); f.HasTable() {
				want = tournament.ErrMissedBoard
			}
			if err := tour.Clone().Return(asP5, me, start); f.InRounds() && !errors.Is(err, want) {
				t.Errorf("after a round without them: %v", err)
			}
			if err := tour.Clone().Readmit(host, e.ID); err != nil && !tour.Status.IsOver() {
				t.Errorf("the organizer: %v", err)
			}
		})
	}
}

func TestWhoLeftBeforeTheStartTakesThatBack(t *testing.T) {
	t.Parallel()
	me, asP1 := account("p1")
	left := func(change func(*tournament.Settings)) *tournament.Tournament {
		tour := newTournament(t, tournament.RoundRobin, change)
		enter(t, tour, 5)
		if err := tour.Withdraw(asP1, 1); err != nil {
			t.Fatal(err)
		}
		return tour
	}
	later := start.Add(time.Hour)
	closed := left(func(s *tournament.Settings) { s.Entry.Closes, s.Entry.Code = start.Add(time.Minute), "secret" })
	if err := closed.Return(asP1, me, later); err != nil || closed.Active() != 5 {
		t.Errorf("with registration closed, and without the code once more: %v", err)
	}
	full := left(func(s *tournament.Settings) { s.Capacity = 4 }) // the fifth had waited and has the place
	full.Promote(func(tournament.Entry) bool { return true }, later)
	if err := full.Return(asP1, me, later); !errors.Is(err, tournament.ErrFull) {
		t.Errorf("into a place that another has: %v", err)
	}
	rated := left(nil)
	rated.Settings.Entry.Conditions = setting.Conditions{MaxRating: 1000}
	strong := me
	strong.Rating, strong.Rated, strong.Best = 1900, 1900, 1900
	if err := rated.Return(asP1, strong, later); !errors.Is(err, setting.ErrUnmet) {
		t.Errorf("past a condition that they no longer meet: %v", err)
	}
	barred := left(func(s *tournament.Settings) { s.HonourNoShows = true })
	absent := me
	absent.Barred = true
	if err := barred.Return(asP1, absent, later); !errors.Is(err, player.ErrBarred) {
		t.Errorf("past their absences: %v", err)
	}
	final := left(nil)
	final.Origin = &tournament.Origin{Of: []tournament.Source{{}}, Each: 1, Seeds: []tournament.Qualifier{{Own: 2}}}
	if err := final.Return(asP1, me, later); !errors.Is(err, tournament.ErrNoEntry) {
		t.Errorf("into a stage for which they did not qualify: %v", err)
	}
	asks := left(func(s *tournament.Settings) { s.Entry.Approval = true })
	if err := asks.Return(asP1, me, later); !errors.Is(err, tournament.ErrNoEntry) {
		t.Errorf("past the approval: %v", err)
	}
}

func TestByesAreAskedForWithinTheLimits(t *testing.T) {
	t.Parallel()
	tour := running(t, 1, func(s *tournament.Settings) {
		s.Rounds, s.Entry.ByeLimit, s.Entry.HalfByes, s.Entry.HalfUntil = 7, 2, 1, 4
	})
	_, asP1 := account("p1")
	for _, step := range []struct {
		name  string
		by    player.Viewer
		round int
		kind  tournament.Outcome
		want  error
	}{
		{"a round gone by", asP1, 1, tournament.ZeroBye, tournament.ErrNoBye},
		{"a half-point bye too late", asP1, 5, tournament.HalfBye, tournament.ErrByeLimit},
		{"a half-point bye", asP1, 4, tournament.HalfBye, nil},
		{"another one", asP1, 3, tournament.HalfBye, tournament.ErrByeLimit},
		{"an absence", asP1, 6, tournament.ZeroBye, nil},
		{"a third bye", asP1, 7, tournament.ZeroBye, tournament.ErrByeLimit},
		{"the same round otherwise", asP1, 4, tournament.ZeroBye, nil},
		{"the wish is taken back", asP1, 6, tournament.NoRecord, nil},
		{"and there is room for another", asP1, 3, tournament.HalfBye, nil},
		{"staff are not bound", host, 7, tournament.HalfBye, nil},
		{"somebody else's", signedIn("p2", player.Plain), 7, tournament.ZeroBye, tournament.ErrNotAllowed},
	} {
		if err := tour.AskBye(step.by, 1, step.round, step.kind); !errors.Is(err, step.want) {
			t.Errorf("%s: %v, want %v", step.name, err, step.want)
		}
	}
	e, _ := tour.Entry(1)
	if diff := cmp.Diff([]tournament.AskedBye{{3, tournament.HalfBye}, {4, tournament.ZeroBye}, {7, tournament.HalfBye}}, e.Byes); diff != "" {
		t.Error(diff)
	}
	if kinds := tour.MayAskBye(signedIn("p2", player.Plain), 2, 4); !slices.Equal(kinds, []tournament.Outcome{tournament.ZeroBye, tournament.HalfBye}) {
		t.Errorf("p2 may ask for %v in round 4", kinds)
	}
	if kinds := tour.MayAskBye(signedIn("p2", player.Plain), 2, 5); !slices.Equal(kinds, []tournament.Outcome{tournament.ZeroBye}) {
		t.Errorf("p2 may ask for %v in round 5", kinds)
	}
}

func TestRulesOfEntryNameTheirFaults(t *testing.T) {
	t.Parallel()
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name = "Friday"
	s.Entry = tournament.EntryRules{
		Opens: start, Closes: start, Code: " x", LateUntil: 6, LateBye: tournament.ZeroBye, ByeLimit: 1, HalfByes: 2, HalfUntil: 9,
		Conditions: setting.Conditions{MinRating: 1600, MaxRating: 1500, MinGames: -1, MinAgeDays: 4000},
	}
	var list *refusal.Error
	if !errors.As(s.Validate(), &list) {
		t.Fatal(s.Validate())
	}
	var got []string
	for _, p := range list.Faults {
		got = append(got, p.Field+" "+p.Why)
	}
	want := []string{
		"entry_closes order", "entry_code unsuitable", "max_rating order", "min_games range", "min_age range",
		"late_bye unsuitable", "late_until range", "half_byes order", "half_until range",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	robin := tournament.DefaultSettings(tournament.RoundRobin)
	robin.Name, robin.Entry.LateUntil = "Friday", 1
	if robin.Validate() == nil {
		t.Error("late entries into a round robin are let through")
	}
}

// However people come and go, there are never more entries than places, and before the start
// nobody waits while a place is free for them.
func TestEntriesNeverOverfillATournament(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tour := newTournament(rt, tournament.Swiss, func(s *tournament.Settings) {
			s.Capacity = rapid.IntRange(1, 4).Draw(rt, "capacity")
			s.Entry.Approval = rapid.Bool().Draw(rt, "approval")
			s.Entry.LateUntil = 3
		})
		for step := range rapid.IntRange(1, 40).Draw(rt, "steps") {
			now := start.Add(time.Duration(step) * time.Second)
			c, as := account(rapid.SampledFrom([]string{"aa", "bb", "cc", "dd", "ee", "ff"}).Draw(rt, "who"))
			by := rapid.SampledFrom([]player.Viewer{as, host}).Draw(rt, "by")
			e, _ := tour.EntryOf(c.Player)
			switch rapid.IntRange(0, 7).Draw(rt, "what") {
			case 0, 1, 2:
				_, _ = tour.Register(by, c, now)
			case 3:
				_ = tour.Withdraw(by, e.ID)
			case 4:
				_ = tour.Accept(by, e.ID, "", now)
			case 5:
				_ = tour.Refuse(by, e.ID, "no")
			case 6:
				_ = tour.Readmit(by, e.ID)
			case 7:
				if rapid.IntRange(0, 9).Draw(rt, "starts") == 0 {
					_ = tour.Start(host, lowest, now)
				}
				_ = tour.Return(as, c, now)
			}
			unfit := player.ID(rapid.SampledFrom([]string{"", "aa", "bb"}).Draw(rt, "unfit"))
			passed := tour.Promote(func(e tournament.Entry) bool { return e.Player != unfit }, now)
			active := 0
			for _, e := range tour.Entries {
				if e.Status == tournament.Active {
					active++
				}
				if tour.Status == tournament.Running && e.Status == tournament.Active && e.Number == 0 {
					rt.Fatalf("plays without a number: %+v", e)
				}
			}
			if active > tour.Capacity {
				rt.Fatalf("%d in %d places", active, tour.Capacity)
			}
			if w := tour.WaitingList(); active < tour.Capacity && tour.Status < tournament.Running &&
				slices.ContainsFunc(w, func(e tournament.Entry) bool { return e.Player != unfit || len(passed) != 1 }) {
				rt.Fatalf("a place is free, and %v wait, %v passed over", w, passed)
			}
		}
	})
}
