package ladder_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
)

var start = time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)

const day = ladder.Day

// stage is a ladder under a clock of its own; its players are letters.
type stage struct {
	*ladder.Ladder
	t       judge
	now     time.Time
	matches int
}

// judge is a test or one case of a property.
type judge interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

func newStage(t judge, players string, change func(*ladder.Settings)) *stage {
	t.Helper()
	s := ladder.DefaultSettings()
	s.Name = "Club ladder"
	if change != nil {
		change(&s)
	}
	l, err := ladder.New("L", "host", s, start)
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{Ladder: l, t: t, now: start}
	for _, p := range players {
		st.ok(l.Join(as(string(p)), ladder.Candidate{Player: player.ID(p)}, start))
	}
	return st
}

func as(id string) ladder.Actor { return ladder.Actor{Player: player.ID(id)} }

var host = ladder.Actor{Player: "host", Directs: true}

func (s *stage) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// keeps is a site that was never away: no deadline stays.
func keeps(time.Time) bool { return false }

func (s *stage) wait(d time.Duration) {
	s.now = s.now.Add(d)
	s.Settle(s.now, keeps, func() match.ID {
		s.matches++
		return match.ID(fmt.Sprint("m", s.matches))
	})
}

func (s *stage) order() string {
	var b strings.Builder
	for _, r := range s.Rungs {
		b.WriteString(string(r.Player))
	}
	return b.String()
}

func (s *stage) wants(order string) {
	s.t.Helper()
	if got := s.order(); got != order {
		s.t.Errorf("the ladder stands %s, want %s", got, order)
	}
}

func (s *stage) send(challenger, defender string) ladder.ChallengeID {
	s.t.Helper()
	c, err := s.Send(as(challenger), player.ID(defender), s.now)
	s.ok(err)
	return c.Number
}

// meet plays a challenge up to the opening of its match.
func (s *stage) meet(challenger, defender string) ladder.ChallengeID {
	s.t.Helper()
	n := s.send(challenger, defender)
	s.ok(s.Accept(as(defender), n, s.now))
	at := s.now.Add(2 * time.Hour)
	s.ok(s.Propose(as(challenger), n, fixture.Offer{At: at, Now: s.now}))
	s.ok(s.Agree(as(defender), n, at, s.now))
	s.wait(2*time.Hour - fixture.Doors)
	if c, err := s.Challenge(n); err != nil || c.Status != fixture.Playing || c.Match == "" {
		s.t.Fatalf("the match is not open: %+v, %v", c, err)
	}
	return n
}

func (s *stage) status(n ladder.ChallengeID) ladder.Status {
	c, err := s.Challenge(n)
	if err != nil {
		return ladder.Ended
	}
	return c.Status
}

func (s *stage) endingOf(n ladder.ChallengeID) ladder.Ending {
	for _, c := range s.Ended() {
		if c.Number == n {
			return c.Ending
		}
	}
	return ""
}

var (
	firstWins  = match.Result{Outcome: match.FirstWins, Reason: match.KingsCaptured}
	secondWins = match.Result{Outcome: match.SecondWins, Reason: match.KingsCaptured}
	drawn      = match.Result{Outcome: match.Draw, Reason: match.ClaimDraw}
)

func TestChallengerWhoWinsTakesThePlaceAndTheOthersMoveDown(t *testing.T) {
	t.Parallel()
	s := newStage(t, "ABCDE", nil)
	n := s.meet("D", "B")
	s.Result(n, firstWins, s.now)
	s.wants("ADBCE")
	s.Result(n, firstWins, s.now)
	s.wants("ADBCE")
}

func TestChallengerWhoWinsChangesPlacesWhereTheLadderSwaps(t *testing.T) {
	t.Parallel()
	s := newStage(t, "ABCDE", func(s *ladder.Settings) { s.Climb = ladder.Swap })
	s.Result(s.meet("D", "B"), firstWins, s.now)
	s.wants("ADCBE")
}

func TestNobodyMovesWhenTheDefenderWinsOrTheMatchIsDrawn(t *testing.T) {
	t.Parallel()
	for _, r := range []match.Result{secondWins, drawn} {
		s := newStage(t, "ABC", nil)
		s.Result(s.meet("C", "A"), r, s.now)
		s.wants("ABC")
		if a, _ := s.RungOf("A"); a.Credit != s.Settings.Credit {
			t.Errorf("after %v the defender has a credit of %v", r.Outcome, a.Credit)
		}
	}
}

func TestChallengerWhoHasPassedTheDefenderMeanwhileStaysWhereHeIs(t *testing.T) {
	t.Parallel()
	s := newStage(t, "ABC", nil)
	n := s.meet("C", "B")
	s.ok(s.Move(host, "C", 1, "a mistake at the start", s.now))
	s.Result(n, firstWins, s.now)
	s.wants("CAB")
}

func TestWhatEndsAChallengeWithoutAMatch(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		do     func(*stage, ladder.ChallengeID)
		order  string
		ending ladder.Ending
	}{
		{"the defender declines and loses the place", func(s *stage, n ladder.ChallengeID) { s.ok(s.Drop(as("A"), n, s.now)) },
			"CAB", ladder.Declined},
		{"the challenger withdraws before the answer", func(s *stage, n ladder.ChallengeID) { s.ok(s.Drop(as("C"), n, s.now)) },
			"ABC", ladder.Withdrawn},
		{"nobody answers in 36 hours", func(s *stage, n ladder.ChallengeID) { s.wait(36 * time.Hour) }, "CAB", ladder.NoReply},
		{"the challenger withdraws after it", func(s *stage, n ladder.ChallengeID) {
			s.ok(s.Accept(as("A"), n, s.now))
			s.ok(s.Drop(as("C"), n, s.now))
		}, "ABC", ladder.Withdrawn},
		{"the defender gives up after accepting", func(s *stage, n ladder.ChallengeID) {
			s.ok(s.Accept(as("A"), n, s.now))
			s.ok(s.Drop(as("A"), n, s.now))
		}, "CAB", ladder.Conceded},
		{"neither names a time", func(s *stage, n ladder.ChallengeID) {
			s.ok(s.Accept(as("A"), n, s.now))
			s.wait(3 * day)
		}, "ABC", ladder.NoTime},
		{"only the challenger names a time", func(s *stage, n ladder.ChallengeID) {
			s.ok(s.Accept(as("A"), n, s.now))
			s.ok(s.Propose(as("C"), n, fixture.Offer{At: s.now.Add(5 * day), Now: s.now}))
			s.wait(3 * day)
		}, "CAB", ladder.NoTime},
		{"both name times and agree on none", func(s *stage, n ladder.ChallengeID) {
			s.ok(s.Accept(as("A"), n, s.now))
			s.ok(s.Propose(as("C"), n, fixture.Offer{At: s.now.Add(5 * day), Now: s.now}))
			s.ok(s.Propose(as("A"), n, fixture.Offer{At: s.now.Add(6 * day), Now: s.now}))
			s.wait(3 * day)
		}, "ABC", ladder.NoTime},
		{"the defender leaves the ladder", func(s *stage, n ladder.ChallengeID) { s.ok(s.Leave(as("A"), "A", s.now)) }, "CB", ladder.Left},
		{"the challenger leaves the ladder", func(s *stage, n ladder.ChallengeID) { s.ok(s.Leave(as("C"), "C", s.now)) }, "AB", ladder.Left},
		{"the organizer judges for the challenger", func(s *stage, n ladder.ChallengeID) {
			s.ok(s.Judge(host, n, "C", "played over a real board", s.now))
		}, "CAB", ladder.Judged},
		{"the organizer annuls it", func(s *stage, n ladder.ChallengeID) { s.ok(s.Judge(host, n, "", "sent by mistake", s.now)) },
			"ABC", ladder.Judged},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "ABC", nil)
			n := s.send("C", "A")
			test.do(s, n)
			s.wants(test.order)
			if got := s.endingOf(n); got != test.ending {
				t.Errorf("ended by %q, want %q", got, test.ending)
			}
		})
	}
}

func TestProposalOfTheLastMinuteGivesTheOtherADay(t *testing.T) {
	t.Parallel()
	s := newStage(t, "AB", nil)
	n := s.send("B", "A")
	s.ok(s.Accept(as("A"), n, s.now))
	s.wait(3*day - time.Minute)
	s.ok(s.Propose(as("B"), n, fixture.Offer{At: s.now.Add(2 * day), Now: s.now}))
	s.wait(time.Hour)
	if got := s.status(n); got != fixture.Arranging {
		t.Fatalf("after an hour the challenge is %s", got)
	}
	s.wait(day)
	s.wants("BA")
}

func TestForfeitWaitsForAnObjection(t *testing.T) {
	t.Parallel()
	forfeit := match.Result{Outcome: match.FirstWins, Reason: match.Forfeit}
	t.Run("nobody objects", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, "AB", nil)
		s.Result(s.meet("B", "A"), forfeit, s.now)
		s.wants("AB")
		s.wait(day)
		s.wants("BA")
	})
	t.Run("the organizer decides", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, "AB", nil)
		n := s.meet("B", "A")
		s.Result(n, forfeit, s.now)
		if err := s.Object(as("B"), n, "no", s.now); !errors.Is(err, ladder.ErrNotAllowed) {
			t.Errorf("the winner objects: %v", err)
		}
		s.ok(s.Object(as("A"), n, "the power was out", s.now))
		s.wait(6 * day)
		if got := s.status(n); got != fixture.Disputed {
			t.Fatalf("the disputed challenge is %s", got)
		}
		s.ok(s.Judge(host, n, "", "to be played again", s.now))
		if s.Rungs[0].Won+s.Rungs[0].Lost+s.Rungs[1].Won+s.Rungs[1].Lost != 0 {
			t.Errorf("somebody has won: %+v", s.Rungs)
		}
	})
}

// A disputed forfeit counts after a week in which the organizer decides nothing, also where the winner is on vacation.
func TestADisputeThatNobodyDecidesEnds(t *testing.T) {
	t.Parallel()
	for _, away := range []string{"", "A", "B"} {
		for _, isBefore := range []bool{true, false} {
			s := newStage(t, "AB", func(s *ladder.Settings) { s.Vacation = 30 * day })
			n := s.meet("B", "A")
			s.Result(n, match.Result{Outcome: match.FirstWins, Reason: match.Forfeit}, s.now)
			leave := func() {
				if away != "" {
					s.ok(s.StartVacation(as(away), s.now))
				}
			}
			if isBefore {
				leave()
			}
			s.ok(s.Object(as("A"), n, "the power was out", s.now))
			if !isBefore {
				leave()
			}
			s.wait(7*day - time.Second)
			if got := s.status(n); got != fixture.Disputed {
				t.Fatalf("away %q: a second before the end it is %s", away, got)
			}
			s.wait(time.Second)
			s.wants("BA")
		}
	}
}

func TestVoidMatchIsAgreedAnew(t *testing.T) {
	t.Parallel()
	s := newStage(t, "AB", nil)
	n := s.meet("B", "A")
	s.Result(n, match.Result{Outcome: match.Void, Reason: match.Voided}, s.now)
	c, err := s.Challenge(n)
	s.ok(err)
	if c.Status != fixture.Arranging || c.Match != "" || !c.Due.Equal(s.now.Add(3*day)) {
		t.Errorf("after a void match: %+v", c)
	}
}

func TestWhyAPlayerCannotBeChallenged(t *testing.T) {
	t.Parallel()
	narrow := func(s *ladder.Settings) { s.Places, s.Percent, s.FirstFree = 2, 0, false }
	for _, test := range []struct {
		name     string
		settings func(*ladder.Settings)
		before   func(*stage)
		from, to string
		want     ladder.Reason
	}{
		{"a stranger to the ladder", narrow, nil, "X", "A", ladder.NotOnLadder},
		{"somebody who is not on it", narrow, nil, "A", "X", ladder.NoSuchRung},
		{"oneself", narrow, nil, "C", "C", ladder.Yourself},
		{"somebody below", narrow, nil, "B", "C", ladder.Lower},
		{"two places up", narrow, nil, "C", "A", ""},
		{"three places up", narrow, nil, "D", "A", ladder.TooHigh},
		{"three of six places, when half of the rungs are in reach", func(s *ladder.Settings) {
			s.Places, s.Percent,
				s.FirstFree = 1, 50, false
		}, nil, "D", "A", ""},
		{"the top, with one's first challenge", func(s *ladder.Settings) { s.Places, s.Percent = 1, 0 }, nil, "F", "A", ""},
		{"the top, with one's second", func(s *ladder.Settings) { s.Places, s.Percent, s.Rest = 1, 0, 0 }, func(s *stage) {
			s.ok(s.Drop(as("F"), s.send("F", "A"), s.now))
		}, "F", "A", ladder.TooHigh},
		{"from a vacation", narrow, func(s *stage) { s.ok(s.StartVacation(as("C"), s.now)) }, "C", "B", ladder.OwnVacation},
		{"somebody on vacation", narrow, func(s *stage) { s.ok(s.StartVacation(as("B"), s.now)) }, "C", "B", ladder.OnVacation},
		{"whom one has challenged already", narrow, func(s *stage) { s.send("C", "B") }, "C", "B", ladder.Between},
		{"a second player, when one is the limit", narrow, func(s *stage) { s.send("C", "B") }, "C", "A", ladder.OutgoingLimit},
		{"somebody whom another has challenged", narrow, func(s *stage) { s.send("C", "B") }, "D", "B", ladder.IncomingLimit},
		{"whom one has met six days ago", narrow, func(s *stage) {
			s.Result(s.meet("C", "B"), secondWins,
				s.now)
			s.wait(6 * day)
		}, "C", "B", ladder.RecentlyMet},
		{"who has taken one's place six days ago", narrow, func(s *stage) {
			s.Result(s.meet("C", "B"), firstWins,
				s.now)
			s.wait(6 * day)
		}, "B", "C", ladder.RecentlyMet},
		{"whom one has met seven days ago", narrow, func(s *stage) {
			s.Result(s.meet("C", "B"), secondWins,
				s.now)
			s.wait(7 * day)
		}, "C", "B", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "ABCDEF", test.settings)
			if test.before != nil {
				test.before(s)
			}
			got := ladder.Reason("")
			if why := s.WhyNot(player.ID(test.from), player.ID(test.to), s.now); why != nil {
				got = why.Reason
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			_, err := s.Send(as(test.from), player.ID(test.to), s.now)
			if (err == nil) != (got == "") {
				t.Errorf("the row says %q, sending says %v", got, err)
			}
		})
	}
}

func TestVacationPausesEverythingAndLetsItRunOn(t *testing.T) {
	t.Parallel()
	s := newStage(t, "AB", nil)
	n := s.send("B", "A")
	s.wait(30 * time.Hour) // 6 h are left
	s.ok(s.StartVacation(as("A"), s.now))
	s.wait(20 * day)
	s.ok(s.EndVacation(as("A"), s.now))
	c, err := s.Challenge(n)
	s.ok(err)
	if want := s.now.Add(6 * time.Hour); c.IsPaused() || !c.Due.Equal(want) {
		t.Errorf("the reply is due at %v, want %v", c.Due, want)
	}
	if got, want := s.VacationLeft("A", s.now), 22*day; got != want {
		t.Errorf("%v of vacation are left, want %v", got, want)
	}
	a, _ := s.RungOf("A")
	if want := start.Add(20 * day); !a.ActiveAt.Equal(want) {
		t.Errorf("the silence counts from %v, want %v", a.ActiveAt, want)
	}
}

func TestVacationEndsByItselfWhenNoneIsLeft(t *testing.T) {
	t.Parallel()
	s := newStage(t, "AB", func(s *ladder.Settings) { s.Vacation = 10 * day })
	s.ok(s.StartVacation(as("A"), s.now))
	s.wait(10 * day)
	if a, _ := s.RungOf("A"); a.OnVacation() {
		t.Error("still on vacation")
	}
	if err := s.StartVacation(as("A"), s.now); !errors.Is(err, ladder.ErrNoVacation) {
		t.Errorf("another vacation: %v", err)
	}
	s.now = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	s.ok(s.StartVacation(as("A"), s.now))
}

func TestVacationTakesAnAppointmentBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, "AB", nil)
	n := s.send("B", "A")
	s.ok(s.Accept(as("A"), n, s.now))
	at := s.now.Add(5 * day)
	s.ok(s.Propose(as("A"), n, fixture.Offer{At: at, Now: s.now}))
	s.ok(s.Agree(as("B"), n, at, s.now))
	s.ok(s.StartVacation(as("B"), s.now))
	s.wait(10 * day)
	s.ok(s.EndVacation(as("B"), s.now))
	c, err := s.Challenge(n)
	s.ok(err)
	if c.Status != fixture.Arranging || !c.Due.Equal(s.now.Add(3*day)) || !c.At.IsZero() {
		t.Errorf("after the vacation: %+v", c)
	}
}

func TestWhoWaitsForAVacationMayGoFreeOfCost(t *testing.T) {
	t.Parallel()
	s := newStage(t, "AB", nil)
	n := s.send("B", "A")
	s.ok(s.StartVacation(as("B"), s.now))
	if err := s.Drop(as("B"), n, s.now); !errors.Is(err, ladder.ErrVacation) {
		t.Errorf("who is away drops: %v", err)
	}
	s.ok(s.Drop(as("A"), n, s.now))
	s.wants("AB")
}

func TestSilenceIsWarnedOfAndThenCostsPlaces(t *testing.T) {
	t.Parallel()
	s := newStage(t, "ZABCD", nil)
	s.ok(s.StartVacation(as("C"), s.now))
	s.ok(s.StartVacation(as("B"), s.now))
	s.wait(25*day - time.Minute)
	if a, _ := s.RungOf("A"); !a.WarnedAt.IsZero() {
		t.Error("warned too early")
	}
	s.wait(time.Minute)
	if a, _ := s.RungOf("A"); !a.WarnedAt.Equal(s.now) {
		t.Errorf("warned at %v, want %v", a.WarnedAt, s.now)
	}
	s.wait(5*day - time.Minute)
	s.wants("ZABCD")
	s.wait(time.Minute)
	s.wants("ZBCAD")
}

func TestNobodySinksWithoutTheWholeNoticeHoweverLateTheClockComes(t *testing.T) {
	t.Parallel()
	s := newStage(t, "ZAB", nil)
	s.wait(100 * day)
	s.wants("ZAB")
	s.wait(5*day - time.Minute)
	s.wants("ZAB")
	s.wait(time.Minute)
	s.wants("ZBA")
}

// The first can challenge nobody, and so can whoever has only people on vacation in reach; who has
// a challenge waits for its end, and is then warned anew.
func TestNobodySinksWhoCouldNotPlay(t *testing.T) {
	t.Parallel()
	s := newStage(t, "ABCD", func(s *ladder.Settings) { s.Places, s.Percent, s.FirstFree, s.Vacation = 1, 0, false, 60*day })
	s.ok(s.StartVacation(as("A"), s.now)) // above B; C and D have each other
	s.wait(20 * day)
	n := s.send("D", "C")
	s.ok(s.Accept(as("C"), n, s.now))
	s.ok(s.Propose(as("D"), n, fixture.Offer{At: s.now.Add(13 * day), Now: s.now}))
	s.ok(s.Agree(as("C"), n, s.now.Add(13*day), s.now))
	s.wait(12 * day)
	s.wants("ABCD") // for 32 days nobody has played
	s.ok(s.Judge(ladder.Actor{Player: "host", Directs: true}, n, "", "the hall is closed", s.now))
	s.wait(0)
	if c, _ := s.RungOf("C"); !c.WarnedAt.Equal(s.now) {
		t.Errorf("C was warned at %v, want %v", c.WarnedAt, s.now)
	}
	s.wait(5*day - time.Minute)
	s.wants("ABCD")
	s.wait(time.Minute)
	s.wants("ABDC") // B can still challenge nobody
}

func TestDefendedPlaceKeepsSilenceFromCounting(t *testing.T) {
	t.Parallel()
	s := newStage(t, "AB", nil)
	s.Result(s.meet("B", "A"), secondWins, s.now)
	a, _ := s.RungOf("A")
	if want := s.now.Add(37 * day); !s.SinkAt(a).Equal(want) {
		t.Errorf("sinks at %v, want %v", s.SinkAt(a), want)
	}
}

func TestNewcomerIsPlacedByRatingAboveTheLowerOnesOnly(t *testing.T) {
	t.Parallel()
	s := newStage(t, "", func(s *ladder.Settings) { s.Placement = ladder.ByRating })
	for _, c := range []ladder.Candidate{{Player: "A", Rating: 1500}, {Player: "B", Rating: 1900}, {Player: "C", Rating: 1700},
		{Player: "D", Rating: 1500}, {Player: "E", Rating: 1600}} {
		s.ok(s.Join(as(string(c.Player)), c, s.now))
	}
	s.wants("BCEAD")
}

func TestTournamentSeedsBelowThoseWhoAreThere(t *testing.T) {
	t.Parallel()
	s := newStage(t, "A", nil)
	order := []ladder.Candidate{{Player: "C"}, {Player: "A"}, {Player: "bot", Bot: true}, {Player: "B"}}
	if _, err := s.Seed(as("A"), order, s.now); !errors.Is(err, ladder.ErrNotAllowed) {
		t.Errorf("a player seeds: %v", err)
	}
	if n, err := s.Seed(host, order, s.now); n != 2 || err != nil {
		t.Errorf("seeded %d, %v", n, err)
	}
	s.wants("ACB")
}

func TestWhoMayJoin(t *testing.T) {
	t.Parallel()
	s := newStage(t, "", func(s *ladder.Settings) { s.Club, s.MembersOnly = "dragon", true })
	for _, test := range []struct {
		name string
		by   ladder.Actor
		c    ladder.Candidate
		want error
	}{
		{"a member", as("B"), ladder.Candidate{Player: "B", Member: true}, nil},
		{"somebody else", as("B"), ladder.Candidate{Player: "B"}, ladder.ErrMembersOnly},
		{"a bot", host, ladder.Candidate{Player: "B", Bot: true, Member: true}, ladder.ErrBot},
		{"one for another", as("B"), ladder.Candidate{Player: "C", Member: true}, ladder.ErrNotAllowed},
		{"the organizer for another", host, ladder.Candidate{Player: "C", Member: true}, nil},
	} {
		if err := s.MayJoin(test.by, test.c); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}

func TestWhoRunsALadder(t *testing.T) {
	t.Parallel()
	viewer := func(id string, r player.Role) player.Viewer {
		return player.Viewer{Player: player.Player{ID: player.ID(id), Role: r}}
	}
	s := newStage(t, "", func(s *ladder.Settings) { s.Club = "dragon" })
	for _, test := range []struct {
		name string
		v    player.Viewer
		in   club.Role
		want bool
	}{
		{"the organizer", viewer("host", player.Organizer), 0, true},
		{"an owner of the club", viewer("A", player.Plain), club.Owner, true},
		{"an organizer of the club", viewer("A", player.Plain), club.Organizer, true},
		{"an arbiter of the club", viewer("A", player.Plain), club.Arbiter, false},
		{"a member", viewer("A", player.Plain), club.Member, false},
		{"another organizer", viewer("A", player.Organizer), 0, false},
		{"an operator", viewer("A", player.Operator), 0, true},
		{"a visitor", player.Viewer{}, 0, false},
	} {
		if got := s.MayDirect(test.v, test.in); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	if ladder.MayCreate(viewer("A", player.Plain), "", 0) || !ladder.MayCreate(viewer("A", player.Plain), "dragon", club.Organizer) {
		t.Error("a club's organizers make its ladders, players none")
	}
	if ladder.MayCreate(viewer("A", player.Organizer), "dragon", 0) {
		t.Error("an organizer of the site makes a ladder of a club he is not in")
	}
}

func TestSettingsNameEveryFault(t *testing.T) {
	t.Parallel()
	s := ladder.DefaultSettings()
	s.Places, s.Outgoing, s.Play, s.Notice, s.About = 0, 11, day, 0, "NUL\x00"
	var all *refusal.Error
	if err := s.Validate(); !errors.As(err, &all) {
		t.Fatal(err)
	}
	var fields []string
	for _, p := range all.Faults {
		fields = append(fields, p.Field)
	}
	if got, want := strings.Join(fields, " "), "name about places outgoing play notice"; got != want {
		t.Errorf("faults of %s, want %s", got, want)
	}
}

func TestBiddingByCorrespondenceOpensWithTheAcceptance(t *testing.T) {
	t.Parallel()
	settings := ladder.DefaultSettings()
	settings.Name, settings.BidTime = "Slow", 30*time.Minute
	if settings.Validate() == nil {
		t.Error("half an hour for a bid is no correspondence")
	}
	settings.BidTime = 36 * time.Hour
	l, err := ladder.New("l", "host", settings, start)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []player.ID{"ana", "bob"} {
		if err := l.Join(as(string(id)), ladder.Candidate{Player: id}, start); err != nil {
			t.Fatal(err)
		}
	}
	c, err := l.Send(as("bob"), "ana", start)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Accept(as("ana"), c.Number, start); err != nil {
		t.Fatal(err)
	}
	l.Settle(start, keeps, func() match.ID { return "m" })
	c, _ = l.Challenge(c.Number)
	o := l.MatchOptions(c, start)
	if c.Status != fixture.Playing || c.Match != "m" || o.BidTime != 36*time.Hour || o.Meet != settings.Play || o.Lateness != 0 {
		t.Errorf("%+v, played on %+v", c, o)
	}
}

// Whoever runs the ladder and stands on it decides nothing of their own, lifts nobody by it and sets nobody above them
// back; others who run it may do all that.
func TestWhoRunsTheLadderAndPlaysDecidesNothingOfTheirOwn(t *testing.T) {
	t.Parallel()
	type deed = func(*ladder.Ladder, ladder.Actor) error
	var n, other ladder.ChallengeID
	settings := func(change func(*ladder.Settings)) deed {
		return func(l *ladder.Ladder, by ladder.Actor) error {
			s := l.Settings
			change(&s)
			return l.Change(by, s, start)
		}
	}
	newcomer := func(rating int) deed {
		return func(l *ladder.Ladder, by ladder.Actor) error {
			return l.Join(by, ladder.Candidate{Player: "N", Rating: rating}, start)
		}
	}
	// A to G; D runs the ladder and has challenged C, and F has challenged E.
	for _, c := range []struct {
		name  string
		do    deed
		stake fairplay.Stake // empty: theirs to do
	}{
		{"declare themselves the winner", func(l *ladder.Ladder, by ladder.Actor) error { return l.Judge(by, n, "D", "so", start) }, fairplay.StakeBoard},
		{"let nobody win", func(l *ladder.Ladder, by ladder.Actor) error { return l.Judge(by, n, "", "so", start) }, fairplay.StakeBoard},
		{"take the opponent off", func(l *ladder.Ladder, by ladder.Actor) error { return l.Leave(by, "C", start) }, fairplay.StakeBoard},
		{"take off who stands above", func(l *ladder.Ladder, by ladder.Actor) error { return l.Leave(by, "A", start) }, fairplay.StakePlace},
		{"take off who may challenge them", func(l *ladder.Ladder, by ladder.Actor) error { return l.Leave(by, "E", start) }, fairplay.StakeChallenges},
		{"move up", func(l *ladder.Ladder, by ladder.Actor) error { return l.Move(by, "D", 1, "so", start) }, fairplay.StakePlace},
		{"move down", func(l *ladder.Ladder, by ladder.Actor) error { return l.Move(by, "D", 6, "so", start) }, fairplay.StakePlace},
		{"send down who stands above", func(l *ladder.Ladder, by ladder.Actor) error { return l.Move(by, "A", 6, "so", start) }, fairplay.StakePlace},
		{"order those above", func(l *ladder.Ladder, by ladder.Actor) error { return l.Move(by, "A", 2, "so", start) }, fairplay.StakeRival},
		{"reach further", settings(func(s *ladder.Settings) { s.Outgoing = 3 }), fairplay.StakeChallenges},
		{"be challenged less", settings(func(s *ladder.Settings) { s.Places, s.Percent, s.FirstFree = 1, 0, false }), fairplay.StakeChallenges},
		{"never sink", settings(func(s *ladder.Settings) { s.Inactivity, s.Notice, s.Sink = 0, 0, 0 }), fairplay.StakeChallenges},
		{"be longer away", settings(func(s *ladder.Settings) { s.Vacation += ladder.Day }), fairplay.StakeChallenges},

		{"rename it", settings(func(s *ladder.Settings) { s.Name = "Another" }), ""},
		{"judge others", func(l *ladder.Ladder, by ladder.Actor) error { return l.Judge(by, other, "F", "so", start) }, ""},
		{"let somebody pass them", func(l *ladder.Ladder, by ladder.Actor) error { return l.Move(by, "F", 3, "so", start) }, fairplay.StakeRival},
		{"let somebody pass only them", func(l *ladder.Ladder, by ladder.Actor) error { return l.Move(by, "F", 4, "so", start) }, ""},
		{"take in a newcomer", newcomer(0), ""},
		{"leave", func(l *ladder.Ladder, by ladder.Actor) error { return l.Leave(by, "D", start) }, ""},
		{"withdraw their challenge", func(l *ladder.Ladder, by ladder.Actor) error { return l.Drop(by, n, start) }, ""},
		{"go on vacation", func(l *ladder.Ladder, by ladder.Actor) error { return l.StartVacation(by, start) }, ""},
		{"seed", func(l *ladder.Ladder, by ladder.Actor) error {
			_, err := l.Seed(by, []ladder.Candidate{{Player: "N"}}, start)
			return err
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newStage(t, "ABCDEFG", func(s *ladder.Settings) { s.Outgoing, s.Incoming = 1, 1 })
			n, other = l.send("D", "C"), l.send("F", "E")
			me := ladder.Actor{Player: "D", Directs: true, Others: []player.ID{"D", "anna"}}
			tried := l.Clone()
			before := tried.Clone()
			err := tried.Do(me, start, c.do)
			var party *fairplay.PartyError
			switch {
			case c.stake == "" && err != nil:
				t.Errorf("refused: %v, %+v", err, party)
			case c.stake == "":
			case !errors.As(err, &party) || party.Stake != c.stake || !slices.Equal(party.CanDecide(), []player.ID{"anna"}):
				t.Errorf("%v, of %+v", err, party)
			case !reflect.DeepEqual(before, tried):
				t.Error("a refused act has changed something")
			}
			if err := l.Clone().Do(host, start, c.do); err != nil && c.name != "leave" && c.name != "withdraw their challenge" && c.name != "go on vacation" {
				t.Errorf("somebody else who runs it: %v", err)
			}
		})
	}
}
