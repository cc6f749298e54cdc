package tournament_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/resume"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/swiss"
)

var start = time.Date(2026, 9, 4, 18, 0, 0, 0, time.UTC)

func signedIn(id player.ID, role player.Role) player.Viewer {
	return player.Viewer{Player: player.Player{ID: id, Role: role}}
}

var (
	host    = signedIn("host", player.Organizer)
	someone = signedIn("someone", player.Organizer)
	boss    = signedIn("boss", player.Operator)
)

// lowest draws 0 for each lot, so that nothing is left to chance.
var lowest = tournament.Drawing{Seed: "00", Pick: func(int) int { return 0 }, Restricted: roundrobin.Draw}

func newTournament(t fataler, f tournament.Format, change func(*tournament.Settings)) *tournament.Tournament {
	s := tournament.DefaultSettings(f)
	s.Name = "Friday"
	if change != nil {
		change(&s)
	}
	tour, err := tournament.New("t", host.ID, s, start)
	if err != nil {
		t.Fatal(err)
	}
	if err := tour.OpenRegistration(host, start); err != nil {
		t.Fatal(err)
	}
	return tour
}

type fataler interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

// enter enters n players p1 … pn, the first with the highest rating.
func enter(t fataler, tour *tournament.Tournament, n int) {
	for i := 1; i <= n; i++ {
		c := tournament.Candidate{Player: player.ID(fmt.Sprintf("p%d", i)), Name: fmt.Sprintf("Player %02d", i), Rating: 2000 - 10*i}
		if _, err := tour.Register(host, c, start); err != nil {
			t.Fatal(err)
		}
	}
}

func system(tour *tournament.Tournament) tournament.System {
	if tour.Format == tournament.RoundRobin {
		return tournament.System{Pairer: roundrobin.Berger{Double: tour.Double}, Engine: "berger"}
	}
	return tournament.System{Pairer: swiss.Dutch{}, Engine: swiss.Version}
}

func ids() func() match.ID {
	n := 0
	return func() match.ID { n++; return match.ID(fmt.Sprintf("m%d", n)) }
}

// play gives every open board of the last round a result.
func play(tour *tournament.Tournament, decide func(p tournament.Pairing) tournament.ResultKind) {
	for _, p := range tour.Rounds[len(tour.Rounds)-1].Pairings {
		if p.Result.IsPending() {
			tour.Record(p.Match, tournament.Result{Kind: decide(p), At: start})
		}
	}
}

func firstWins(tournament.Pairing) tournament.ResultKind { return tournament.FirstWins }

func TestALifecycleRefusesTheWrongMoment(t *testing.T) {
	t.Parallel()
	s := tournament.DefaultSettings(tournament.RoundRobin)
	s.Name = "Friday"
	tour, err := tournament.New("t", host.ID, s, start)
	if err != nil {
		t.Fatal(err)
	}
	ana := tournament.Candidate{Player: "ana", Name: "Ana"}
	is := func(what string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	enterAna := func(by player.Viewer) error { _, err := tour.Register(by, ana, start); return err }
	next := func() error { _, err := tour.PairNext(system(tour), ids(), start); return err }

	is("a player enters a draft", enterAna(signedIn("ana", player.Plain)), tournament.ErrNotOpen)
	is("someone else opens registration", tour.OpenRegistration(someone, start), tournament.ErrNotAllowed)
	is("a visitor opens registration", tour.OpenRegistration(player.Viewer{}, start), tournament.ErrNotAllowed)
	is("the operator opens registration", tour.OpenRegistration(boss, start), nil)
	is("someone enters another", enterAna(someone), tournament.ErrNotAllowed)
	is("a player enters", enterAna(signedIn("ana", player.Plain)), nil)
	is("a player enters twice", enterAna(signedIn("ana", player.Plain)), tournament.ErrEntered)
	is("a round before the start", next(), tournament.ErrNotRunning)
	is("a start with one player", tour.Start(host, lowest, start), tournament.ErrTooFew)
	is("a player withdraws another", tour.Withdraw(signedIn("eve", player.Plain), 1), tournament.ErrNotAllowed)
	is("a player withdraws", tour.Withdraw(signedIn("ana", player.Plain), 1), nil)
	is("a player withdraws twice", tour.Withdraw(signedIn("ana", player.Plain), 1), tournament.ErrWithdrawn)
	is("a player comes back", enterAna(signedIn("ana", player.Plain)), nil)
	enter(t, tour, 2)
	is("someone else starts", tour.Start(someone, lowest, start), tournament.ErrNotAllowed)
	is("the organizer starts", tour.Start(host, lowest, start), nil)
	is("a second start", tour.Start(host, lowest, start), tournament.ErrStarted)
	is("settings after the start", tour.Change(host, s, start), tournament.ErrStarted)
	is("a late entry in a round robin", func() error {
		_, err := tour.Register(host, tournament.Candidate{Player: "late", Name: "Late"}, start)
		return err
	}(), tournament.ErrStarted)
	is("the first round", next(), nil)
	is("a second one over it", next(), tournament.ErrRoundOpen)
	is("an end over it", tour.Finish(host, start), tournament.ErrRoundOpen)
	is("a result by hand while the match is played", tour.Enter(host, 1, 1, tournament.Drawn, false, start), tournament.ErrBeingPlayed)
	is("a board that is not there", tour.Enter(host, 1, 9, tournament.Drawn, true, start), tournament.ErrNoBoard)
	play(tour, firstWins)
	is("another result", tour.Enter(host, 1, 1, tournament.Drawn, true, start), tournament.ErrSettled)
	is("a correction", tour.Correct(host, 1, 1, tournament.Drawn, tournament.FromNow, system(tour), start), nil)
	for tour.Conclude(start) == false {
		is("the next round", next(), nil)
		play(tour, firstWins)
	}
	is("a round too many", next(), tournament.ErrFinished)
	is("leaving afterwards", tour.Withdraw(host, 1), tournament.ErrFinished)
	if tour.Status != tournament.Finished || len(tour.Rounds) != 3 {
		t.Errorf("%v after %d rounds", tour.Status, len(tour.Rounds))
	}
}

func TestSettingsNameEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Rounds, s.Double, s.Lateness, s.Numbering = 0, true, -time.Second, tournament.Varma
	s.Envelope.Chips = 0
	s.Break, s.Firm = -time.Second, true
	var list *refusal.Error
	if err := s.Validate(); !errors.As(err, &list) {
		t.Fatal(err)
	}
	var fields []string
	for _, p := range list.Faults {
		fields = append(fields, p.Field)
	}
	slices.Sort(fields)
	want := []string{"break", "double", "envelope", "envelope", "lateness", "name", "numbering", "rounds", "until"}
	fields, want = slices.Compact(fields), slices.Compact(want)
	if !slices.Equal(fields, want) {
		t.Errorf("%v, want %v", fields, want)
	}
	s = tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.OnClaim, s.Lateness, s.Until, s.Firm = "Cup", true, 0, start.Add(time.Hour), true
	if err := s.Validate(); !errors.As(err, &list) || list.Faults[0].Field != "onClaim" {
		t.Errorf("a claim against somebody who cannot be late: %v", err)
	}
}

func TestNamesAreOneLine(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"Friday\nnight", "Friday\x00", "Friday\x1b[2J", "Friday\xff"} {
		s := tournament.DefaultSettings(tournament.Swiss)
		s.Name, s.Club, s.About = bad, bad, bad
		var list *refusal.Error
		if err := s.Validate(); !errors.As(err, &list) || list.Faults[0].Why != "unsuitable" || list.Faults[1].Field != "club" {
			t.Errorf("%q: %v", bad, err)
		}
		tour := newTournament(t, tournament.RoundRobin, nil)
		if _, err := tour.Register(host, tournament.Candidate{Player: "x", Name: bad}, start); !errors.Is(err, tournament.ErrBadName) {
			t.Errorf("%q enters: %v", bad, err)
		}
	}
	tour := newTournament(t, tournament.RoundRobin, nil)
	enter(t, tour, 1)
	for _, bad := range []string{"Friday\nnight", "Friday\x00", "Friday\xff", strings.Repeat("c", tournament.MaxNameLength+1)} {
		if _, err := tour.Register(host, tournament.Candidate{Name: "Xenia", Club: bad}, start); !errors.Is(err, tournament.ErrBadClub) {
			t.Errorf("a guest of club %q: %v", bad, err)
		}
		if err := tour.CorrectEntry(host, 1, tournament.Particulars{Name: tour.Entries[0].Name, Club: bad}); !errors.Is(err, tournament.ErrBadClub) {
			t.Errorf("corrected to club %q: %v", bad, err)
		}
	}
}

func TestARoundRobinIsLimitedTo32(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.RoundRobin, nil)
	enter(t, tour, 32)
	if e, err := tour.Register(host, tournament.Candidate{Player: "x", Name: "X"}, start); err != nil || e.Status != tournament.Waiting {
		t.Error(e.Status, err)
	}
}

func TestLeavingARoundRobin(t *testing.T) {
	t.Parallel()
	// Five players, numbers by rating. Round 1 of the table: 2-5, 3-4, 1 rests;
	// round 2: 5-3, 1-2, 4 rests; round 3: 3-1, 4-5, 2 rests.
	tour := newTournament(t, tournament.RoundRobin, nil)
	enter(t, tour, 5)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	newID := ids()
	round := func() {
		t.Helper()
		if _, err := tour.PairNext(system(tour), newID, start); err != nil {
			t.Fatal(err)
		}
		play(tour, firstWins)
	}
	round()
	// 5 has played one game of four and leaves: off the table.
	if err := tour.Withdraw(host, 5); err != nil {
		t.Fatal(err)
	}
	if !tour.IsAnnulled(5) || len(tour.Field().Players) != 4 {
		t.Fatal("one game of four: the results do not count")
	}
	if got := tour.Field().Players[1].Rounds[0]; got.Outcome != tournament.ZeroBye {
		t.Errorf("2 has beaten 5, which counts as a rest: %v", got)
	}
	round()
	if r := tour.Rounds[1]; len(r.Pairings) != 2 || r.Pairings[0].Result.Kind != tournament.SecondByForfeit || r.Pairings[0].Match != "" {
		t.Errorf("5 forfeits to 3, and no match is opened: %+v", r)
	}
	if got := tour.Field().Players[2].Rounds[1]; got.Outcome != tournament.ZeroBye {
		t.Errorf("which gives 3 nothing, as 5 is off the table: %v", got)
	}
	round()
	// 1 has played two of four, 3 too.
	if err := tour.Withdraw(host, 1); err != nil {
		t.Fatal(err)
	}
	if tour.IsAnnulled(1) {
		t.Error("half of the games played: the results stand")
	}
	round()
	for _, p := range tour.Rounds[3].Pairings {
		if seat := p.SeatOf(1); seat.Valid() && (p.Result.Outcome(seat) != tournament.ForfeitLoss || p.Match != "") {
			t.Errorf("a player who has left forfeits, and no match is opened: %+v", p)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	numbers := func(tour *tournament.Tournament) (list []int) {
		for _, e := range tour.Entries {
			list = append(list, e.Number)
		}
		return list
	}
	t.Run("by rating, equal ones by name, unrated last", func(t *testing.T) {
		t.Parallel()
		tour := newTournament(t, tournament.Swiss, nil)
		for _, c := range []tournament.Candidate{{Name: "unrated"}, {Name: "bb", Rating: 1500}, {Name: "AA", Rating: 1500},
			{Name: "top", Rating: 1600}} {
			if _, err := tour.Register(host, c, start); err != nil {
				t.Fatal(err)
			}
		}
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		if got := numbers(tour); !slices.Equal(got, []int{4, 3, 2, 1}) {
			t.Error(got)
		}
	})
	t.Run("a late entry takes its place until the fourth round is paired", func(t *testing.T) {
		t.Parallel()
		tour := newTournament(t, tournament.Swiss, nil)
		enter(t, tour, 12)
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		newID := ids()
		late := func(rating int) int {
			e, err := tour.Register(host, tournament.Candidate{Name: fmt.Sprint("late ", rating), Rating: rating}, start)
			if err != nil {
				t.Fatal(err)
			}
			if e.From != len(tour.Rounds)+1 {
				t.Errorf("from round %d", e.From)
			}
			return e.Number
		}
		for r := 1; r <= 4; r++ {
			if _, err := tour.PairNext(system(tour), newID, start); err != nil {
				t.Fatal(err)
			}
			for _, p := range tour.Rounds[r-1].Pairings {
				if p.Match == "" {
					if err := tour.Enter(host, r, p.Board, tournament.Drawn, true, start); err != nil {
						t.Fatal(err)
					}
				}
			}
			play(tour, firstWins)
			if r == 1 {
				if n := late(1985); n != 2 {
					t.Errorf("1985 is behind 1990 and before 1980: number 2, not %d", n)
				}
			}
		}
		if n := late(1986); n != 14 {
			t.Errorf("after round 4 last: 14, not %d", n)
		}
	})
	t.Run("there is no Varma table for eight", func(t *testing.T) {
		t.Parallel()
		tour := newTournament(t, tournament.RoundRobin, func(s *tournament.Settings) { s.Numbering = tournament.Varma })
		enter(t, tour, 8)
		if err := tour.Start(host, lowest, start); !errors.Is(err, tournament.ErrVarmaSize) || tour.Status != tournament.Registration {
			t.Errorf("%v, %v", err, tour.Status)
		}
	})
	t.Run("club mates draw from one Varma group", func(t *testing.T) {
		t.Parallel()
		tour := newTournament(t, tournament.RoundRobin, func(s *tournament.Settings) { s.Numbering = tournament.Varma })
		for i := range 9 {
			c := tournament.Candidate{Name: fmt.Sprint("name ", i)}
			if i < 3 {
				c.Club = "Lviv"
			}
			if _, err := tour.Register(host, c, start); err != nil {
				t.Fatal(err)
			}
		}
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		groups, err := roundrobin.Varma(9)
		if err != nil {
			t.Fatal(err)
		}
		mates := numbers(tour)[:3]
		if !slices.ContainsFunc(groups[:], func(g []int) bool {
			return slices.Contains(g, mates[0]) && slices.Contains(g, mates[1]) && slices.Contains(g, mates[2])
		}) {
			t.Errorf("%v are in no group of %v", mates, groups)
		}
	})
}

func TestTheUpperHalfIsAccelerated(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Acceleration = 9, tournament.Baku })
	enter(t, tour, 22)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	// C.04.7: 22 players, the upper group has 12; of 9 rounds 5 are accelerated, three by a point.
	for _, p := range tour.PairingField().Players {
		want := []tournament.Score(nil)
		if p.Number <= 12 {
			want = []tournament.Score{10, 10, 10, 5, 5}
		}
		if !slices.Equal(p.Virtual, want) {
			t.Errorf("number %d has %v", p.Number, p.Virtual)
		}
	}
}

func TestEveryActiveEntryIsPairedOrByedExactlyOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom([]tournament.Format{tournament.RoundRobin, tournament.Swiss}).Draw(rt, "format")
		tour := newTournament(rt, format, func(s *tournament.Settings) {
			s.Double = format == tournament.RoundRobin && rapid.Bool().Draw(rt, "double")
		})
		enter(rt, tour, rapid.IntRange(4, 13).Draw(rt, "players"))
		if err := tour.Start(host, lowest, start); err != nil {
			rt.Fatal(err)
		}
		newID := ids()
		met := map[[2]tournament.EntryID]int{}
		allocated := map[tournament.EntryID]int{}
		for tour.Status == tournament.Running {
			r, err := tour.PairNext(system(tour), newID, start)
			if errors.Is(err, tournament.ErrNoPairing) {
				return
			}
			if err != nil {
				rt.Fatal(err)
			}
			there := map[tournament.EntryID]int{}
			for _, p := range r.Pairings {
				there[p.First]++
				there[p.Second]++
				pair := [2]tournament.EntryID{min(p.First, p.Second), max(p.First, p.Second)}
				// A forfeited game is not a meeting.
				if most := btoi(tour.Double); met[pair] > most {
					rt.Fatalf("%v met %d times before", pair, met[pair])
				}
			}
			for _, b := range r.Byes {
				there[b.Entry]++
				if b.Kind == tournament.PairingBye {
					if allocated[b.Entry]++; allocated[b.Entry] > 1 {
						rt.Fatalf("entry %d has a second pairing-allocated bye", b.Entry)
					}
				}
			}
			for _, e := range tour.Entries {
				takesPart, forfeits := e.TakesPart(r.Number), format == tournament.RoundRobin && !e.TakesPart(r.Number)
				if n := there[e.ID]; takesPart && n != 1 || !takesPart && !forfeits && n != 0 || n > 1 {
					rt.Fatalf("round %d: entry %d stands there %d times", r.Number, e.ID, n)
				}
			}
			play(tour, func(tournament.Pairing) tournament.ResultKind {
				return tournament.ResultKind(rapid.IntRange(int(tournament.FirstWins), int(tournament.DoubleForfeit)).Draw(rt, "result"))
			})
			for _, p := range tour.Rounds[r.Number-1].Pairings {
				if p.Result.IsPlayed() {
					met[[2]tournament.EntryID{min(p.First, p.Second), max(p.First, p.Second)}]++
				}
			}
			disturb(rt, tour)
			tour.Conclude(start)
		}
	})
}

// disturb sometimes lets somebody leave, come late or request a bye.
func disturb(rt *rapid.T, tour *tournament.Tournament) {
	id := tournament.EntryID(rapid.IntRange(1, len(tour.Entries)).Draw(rt, "entry"))
	var err error
	switch rapid.IntRange(0, 5).Draw(rt, "disturbance") {
	case 0:
		err = tour.Withdraw(host, id)
	case 1:
		_, err = tour.Register(host, tournament.Candidate{Player: player.ID(fmt.Sprint("late", len(tour.Entries))), Name: "Late",
			Rating: 1985}, start)
	case 2:
		err = tour.AskBye(host, id, len(tour.Rounds)+1, tournament.HalfBye)
	case 3:
		err = tour.Readmit(host, id)
	}
	_ = err // most of these are refused now and then, which is fine here
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestARecordedResultStays(t *testing.T) {
	t.Parallel()
	tour := newTournament(t, tournament.RoundRobin, nil)
	enter(t, tour, 4)
	if err := tour.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	if _, err := tour.PairNext(system(tour), ids(), start); err != nil {
		t.Fatal(err)
	}
	if !tour.Record("m1", tournament.Result{Kind: tournament.FirstWins}) {
		t.Fatal("the first result was not taken")
	}
	if tour.Record("m1", tournament.Result{Kind: tournament.SecondWins}) || tour.Rounds[0].Pairings[0].Result.Kind != tournament.FirstWins {
		t.Error("the second one was")
	}
	if tour.Record("m2", tournament.ResultOf(match.Result{Outcome: match.Void, Reason: match.Voided}, start)) {
		t.Error("a void match leaves its pairing open")
	}
}

func TestAMatchsEndIsWorthWhatItSays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name          string
		end           match.Result
		first, second tournament.Outcome
	}{
		{"a win on the board", match.Result{Outcome: match.FirstWins, Reason: match.KingsCaptured}, tournament.Win, tournament.Loss},
		{"a resignation while bidding is a played game", match.Result{Outcome: match.SecondWins, Reason: match.Resignation},
			tournament.Loss, tournament.Win},
		{"a draw", match.Result{Outcome: match.Draw, Reason: match.MoveLimit}, tournament.Draw, tournament.Draw},
		{"First did not come", match.Result{Outcome: match.SecondWins, Reason: match.Forfeit}, tournament.ForfeitLoss, tournament.ForfeitWin},
		{"nobody came", match.Result{Outcome: match.BothLose, Reason: match.Forfeit}, tournament.ForfeitLoss, tournament.ForfeitLoss},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := tournament.ResultOf(test.end, start)
			if a, b := r.Outcome(match.First), r.Outcome(match.Second); a != test.first || b != test.second {
				t.Errorf("%v and %v", a, b)
			}
		})
	}
}

func TestWhenTheNextRoundOpens(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(*tournament.Settings)
		first  time.Time
		second time.Time // after a last result at start + 1 h; zero: not by itself
	}{
		{"auto: at the start and after the last result", func(*tournament.Settings) {}, start, start.Add(time.Hour)},
		{"auto with a break", func(s *tournament.Settings) { s.Break = 10 * time.Minute }, start, start.Add(70 * time.Minute)},
		{"manual: never", func(s *tournament.Settings) { s.Pace = tournament.Manual }, time.Time{}, time.Time{}},
		{"times: at the announced moments", func(s *tournament.Settings) {
			s.Pace, s.Times = tournament.Times, []time.Time{start.Add(time.Minute), start.Add(2 * time.Hour), start.Add(3 * time.Hour)}
		}, start.Add(time.Minute), start.Add(2 * time.Hour)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tour := newTournament(t, tournament.RoundRobin, test.change)
			enter(t, tour, 4)
			if err := tour.Start(host, lowest, start); err != nil {
				t.Fatal(err)
			}
			if at, _ := tour.NextRoundAt(); !at.Equal(test.first) {
				t.Errorf("first round at %v", at)
			}
			r, err := tour.PairNext(system(tour), ids(), start)
			if err != nil {
				t.Fatal(err)
			}
			if _, due := tour.NextRoundAt(); due {
				t.Error("a round over an open one")
			}
			for _, p := range r.Pairings {
				tour.Record(p.Match, tournament.Result{Kind: tournament.Drawn, At: start.Add(time.Hour)})
			}
			if at, _ := tour.NextRoundAt(); !at.Equal(test.second) {
				t.Errorf("second round at %v", at)
			}
		})
	}
}

func TestAReportIsGoneOnFrom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tour := newTournament(rt, tournament.Swiss, nil)
		enter(rt, tour, rapid.IntRange(6, 12).Draw(rt, "players"))
		if err := tour.Start(host, lowest, start); err != nil {
			rt.Fatal(err)
		}
		newID := ids()
		for range rapid.IntRange(1, 4).Draw(rt, "rounds") {
			if _, err := tour.PairNext(system(tour), newID, start); err != nil {
				return
			}
			play(tour, func(tournament.Pairing) tournament.ResultKind {
				return tournament.ResultKind(rapid.IntRange(int(tournament.FirstWins), int(tournament.DoubleForfeit)).Draw(rt, "result"))
			})
			disturb(rt, tour)
		}
		again, err := resume.From("u", host.ID, tour.Settings, tour.Field(), start)
		if err != nil {
			rt.Fatal(err)
		}
		a, b := tour.Field(), again.Field()
		for i := range a.Players {
			if !slices.EqualFunc(a.Players[i].Rounds, b.Players[i].Rounds, func(x, y tournament.RoundResult) bool {
				return x.Opponent == y.Opponent && x.Seat == y.Seat && x.Outcome == y.Outcome
			}) {
				rt.Fatalf("number %d: %v became %v", a.Players[i].Number, a.Players[i].Rounds, b.Players[i].Rounds)
			}
		}
	})
}
