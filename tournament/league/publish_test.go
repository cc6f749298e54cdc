package league_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

var (
	noon   = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	itself = league.Actor{}
)

const day = 24 * time.Hour

// opened is a league whose season starts in ten days, with as many players.
func opened(t *testing.T, players int, change func(*league.Settings)) *league.League {
	t.Helper()
	s := league.DefaultSettings()
	s.Name = "Winter"
	if change != nil {
		change(&s)
	}
	l, err := league.New("l", "club", host, s, noon.Add(10*day), noon)
	if err != nil {
		t.Fatal(err)
	}
	for i := range players {
		if err := l.Enter(host, league.Member(string(rune('A'+i))), 2000-i, noon); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func counter() func() tournament.ID {
	n := 0
	return func() tournament.ID { n++; return tournament.ID(fmt.Sprint("t", n)) }
}

// A draft is published by itself at its time and not before, once. Whoever enters after it was drafted takes the draft away: at its
// time nothing is published, and the organizer may draft again.
func TestADraftIsPublishedByItselfIfItStillHolds(t *testing.T) {
	t.Parallel()
	at := noon.Add(3 * day)
	for name, c := range map[string]struct {
		meanwhile func(l *league.League) error
		want      error
	}{
		"nothing happens":               {func(*league.League) error { return nil }, nil},
		"somebody is moved":             {func(l *league.League) error { return l.Shift(host, "A", 2, noon) }, nil},
		"somebody enters":               {func(l *league.League) error { return l.Enter(host, "Z", 1500, noon) }, league.ErrNotNow},
		"somebody leaves":               {func(l *league.League) error { _, err := l.Leave(host, "B", noon); return err }, league.ErrNotNow},
		"drafted again, without a time": {func(l *league.League) error { return l.Propose(host, noon) }, league.ErrNotAllowed},
		"by hand again":                 {func(l *league.League) error { return l.PublishLater(host, time.Time{}, noon) }, league.ErrNotAllowed},
		"three are moved, two are left": {func(l *league.League) error { return moveAll(l, "E", "F", "G") }, league.ErrTooSmall},
		"three are moved and one is back": {func(l *league.League) error {
			return errors.Join(moveAll(l, "E", "F", "G"), l.Shift(host, "G", 2, noon))
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := opened(t, 9, func(s *league.Settings) { s.Rule = league.Rule{Least: 4, Usual: 4, Most: 5} }) // ABCDE? a four and a five
			if err := l.PublishLater(host, at, noon); !errors.Is(err, league.ErrNotNow) {
				t.Fatal("without a draft:", err)
			}
			if err := l.Propose(host, noon); err != nil {
				t.Fatal(err)
			}
			for bad, want := range map[time.Time]error{noon: league.ErrPublishAt, noon.Add(10 * day): league.ErrPublishAt} {
				if err := l.PublishLater(host, bad, noon); !errors.Is(err, want) {
					t.Errorf("at %v: %v", bad, err)
				}
			}
			if err := l.PublishLater(league.Actor{Player: "A"}, at, noon); !errors.Is(err, league.ErrNotAllowed) {
				t.Error("a player:", err)
			}
			if err := l.PublishLater(host, at, noon); err != nil || !l.Due().Equal(at) {
				t.Fatal(err, l.Due())
			}
			if err := l.Publish(itself, counter(), at.Add(-time.Second)); !errors.Is(err, league.ErrNotAllowed) {
				t.Error("too early:", err)
			}
			if err := c.meanwhile(l); err != nil {
				t.Fatal(err)
			}
			if err := l.Publish(itself, counter(), at); !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if c.want == nil {
				if l.Now().State != league.Placed || !l.Now().PublishAt.IsZero() || !l.Due().Equal(l.Now().Starts) {
					t.Errorf("%s, due %v", l.Now().State, l.Due())
				}
				if err := l.Publish(itself, counter(), at); err == nil {
					t.Error("it was published twice")
				}
				return
			}
			l.NotPublished(at)
			if l.Now().State != league.Open || !l.Due().IsZero() {
				t.Errorf("it does not stay a draft: %s, due %v", l.Now().State, l.Due())
			}
		})
	}
}

// moveAll moves players of the second division up.
func moveAll(l *league.League, who ...league.Member) error {
	var all []error
	for _, m := range who {
		all = append(all, l.Shift(host, m, 1, noon))
	}
	return errors.Join(all...)
}

// A start that comes before the divisions are published is refused.
func TestTheStartStaysAfterThePublishing(t *testing.T) {
	t.Parallel()
	l := opened(t, 6, nil)
	if err := errors.Join(l.Propose(host, noon), l.PublishLater(host, noon.Add(3*day), noon)); err != nil {
		t.Fatal(err)
	}
	if err := l.Change(host, l.Settings, noon.Add(2*day), noon); !errors.Is(err, league.ErrPublishAt) {
		t.Error(err)
	}
}

// What the settings of a league contradict, each by its own refusal.
func TestALeagueIsRefusedForAReason(t *testing.T) {
	t.Parallel()
	swiss := func(rounds int) func(s *league.Settings) { return func(s *league.Settings) { s.Play(rounds, 0) } }
	for name, c := range map[string]struct {
		change func(*league.Settings)
		want   error
		field  string // of the event that a division is
	}{
		"as it is":                            {func(*league.Settings) {}, nil, ""},
		"a window of three days":              {func(s *league.Settings) { s.Division.Window = 3 * day }, nil, ""},
		"two days, and a match can take 41 h": {func(s *league.Settings) { s.Division.Window = 2 * day }, nil, "window"},
		"a window of a day, with no room":     {func(s *league.Settings) { s.Division.Window = day }, nil, "window"},
		"a window of 61 days":                 {func(s *league.Settings) { s.Division.Window = 61 * day }, nil, "window"},
		"three of six move":                   {func(s *league.Settings) { s.Rule = league.Rule{Least: 6, Usual: 6, Most: 6, Movers: 3} }, league.ErrMovers, ""},
		"two of five move":                    {func(s *league.Settings) { s.Rule = league.Rule{Least: 5, Usual: 6, Most: 6, Movers: 2} }, nil, ""},
		"divisions of two":                    {func(s *league.Settings) { s.Least = 2 }, league.ErrSizes, ""},
		"thirty-three who all meet":           {func(s *league.Settings) { s.Most = 33 }, league.ErrSizes, ""},
		"thirty-three in a Swiss":             {func(s *league.Settings) { s.Most = 33; s.Play(3, 0) }, nil, ""},
		"a Swiss of 201":                      {func(s *league.Settings) { s.Most = 201; s.Play(3, 0) }, league.ErrSizes, ""},
		"four in three rounds":                {swiss(3), nil, ""},
		"four in four rounds":                 {swiss(4), league.ErrRounds, ""},
		"five in five rounds, with byes":      {func(s *league.Settings) { s.Least = 5; s.Play(5, 0) }, nil, ""},
		"a double Swiss":                      {func(s *league.Settings) { s.Division.Double = true; s.Play(3, 0) }, league.ErrRounds, ""},
		"a Swiss by correspondence":           {func(s *league.Settings) { s.Division.Window = 90 * day; s.Play(3, 3*day) }, league.ErrLetters, ""},
		"teams by correspondence":             {func(s *league.Settings) { s.Division.Window = 90 * day; s.PlayIn(2, 1); s.Play(0, 3*day) }, league.ErrLetters, ""},
		"teams in a Swiss":                    {func(s *league.Settings) { s.PlayIn(2, 1); s.Play(3, 0) }, nil, ""},
		"a Swiss of teams":                    {func(s *league.Settings) { s.Play(3, 0); s.PlayIn(2, 1) }, nil, ""},
		"correspondence of ninety days":       {func(s *league.Settings) { s.Division.Window = 90 * day; s.Play(0, 3*day) }, nil, ""},
		"correspondence of a week, too short": {func(s *league.Settings) { s.Play(0, 3*day) }, nil, "window"},
		"fifteen days for a move":             {func(s *league.Settings) { s.Division.Window = 200 * day; s.Play(0, 15*day) }, nil, "bidTime"},
		"a pace of its own":                   {func(s *league.Settings) { s.Division.Pace = tournament.Manual }, league.ErrTemplate, ""},
		"a knock-out":                         {func(s *league.Settings) { s.Division.Format = tournament.KnockOut }, league.ErrTemplate, ""},
		"Keizer":                              {func(s *league.Settings) { s.Division.Format, s.Division.Rounds = tournament.Keizer, 3 }, league.ErrTemplate, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := league.DefaultSettings()
			s.Name = "Winter"
			c.change(&s)
			err := s.Validate()
			faults := refusal.FaultsOf(err)
			switch {
			case c.field != "":
				if len(faults) != 1 || faults[0].Field != c.field {
					t.Errorf("%v: %+v", err, faults)
				}
			case !errors.Is(err, c.want):
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// Back and forth, a league keeps what its club has chosen, and each format has its own tie-breaks.
func TestALeagueChangesHowItsDivisionsPlay(t *testing.T) {
	t.Parallel()
	s := league.DefaultSettings()
	s.Name, s.Division.Rated, s.Division.DrawUnmet = "Winter", false, true
	before := s
	s.Play(3, 0)
	if d := s.Division; d.Format != tournament.Swiss || d.Rounds != 3 || d.Pace != tournament.Arranged || d.Rated || !d.DrawUnmet ||
		d.Tiebreaks[0] == before.Division.Tiebreaks[0] || d.Window != before.Division.Window || s.Validate() != nil {
		t.Errorf("%+v", d)
	}
	s.Play(0, 2*day)
	if d := s.Division; d.Format != tournament.RoundRobin || d.Rounds != 0 || d.Pace != tournament.Correspondence || d.BidTime != 2*day || d.DrawUnmet {
		t.Errorf("%+v", d)
	}
	s.Play(0, 0)
	if d := s.Division; d.Pace != tournament.Arranged || d.BidTime != 0 || d.Tiebreaks[0] != before.Division.Tiebreaks[0] || s.Validate() != nil {
		t.Errorf("%+v", d)
	}
}

// A division that is smaller than a draft was to make it has fewer opponents, and so fewer rounds.
func TestASmallSwissDivisionHasFewerRounds(t *testing.T) {
	t.Parallel()
	l := opened(t, 9, func(s *league.Settings) { s.Rule = league.Rule{Least: 6, Usual: 9, Most: 9}; s.Play(5, 0) })
	if err := errors.Join(l.Propose(host, noon), l.Publish(host, counter(), noon)); err != nil {
		t.Fatal(err)
	}
	if r := l.Event(1).Rounds; r != 5 {
		t.Errorf("nine play %d rounds", r)
	}
	l.Now().Divisions[0].Members = l.Now().Divisions[0].Members[:4]
	if r := l.Event(1).Rounds; r != 3 {
		t.Errorf("four play %d rounds", r)
	}
}

// Only staff take somebody into a season that runs, into a division that there is, and nobody twice.
func TestSomebodyComesLate(t *testing.T) {
	t.Parallel()
	l := opened(t, 6, func(s *league.Settings) { s.Play(3, 0) })
	if err := l.EnterLate(host, "Z", 1500, 1, noon); !errors.Is(err, league.ErrNotNow) {
		t.Error("before it runs:", err)
	}
	if err := errors.Join(l.Propose(host, noon), l.Publish(host, counter(), noon), l.Begin(host, noon)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		by       league.Actor
		who      league.Member
		division int
		want     error
	}{{league.Actor{Player: "Z"}, "Z", 1, league.ErrNotAllowed}, {host, "Z", 2, league.ErrNoDivision}, {host, "A", 1, league.ErrIn}, {host, "Z", 1, nil}, {host, "Z", 1, league.ErrIn}} {
		if err := l.EnterLate(c.by, c.who, 1500, c.division, noon); !errors.Is(err, c.want) {
			t.Errorf("%s into %d: %v, want %v", c.who, c.division, err, c.want)
		}
	}
	if l.Now().DivisionOf("Z") != 1 || !l.Now().IsIn("Z") {
		t.Error("they are not in the division")
	}
}

// Whoever is shifted by hand plays: a division with more than its format takes is not published, at once or at a time, and says that
// it is too large, as one that has become too small does.
func TestADivisionThatIsShiftedTooLargeIsNotPublished(t *testing.T) {
	t.Parallel()
	l := opened(t, 40, func(s *league.Settings) { s.Rule = league.Rule{Least: 10, Usual: 20, Most: 32} })
	if err := l.Propose(host, noon); err != nil {
		t.Fatal(err)
	}
	for i := range 13 {
		if n := len(l.Warnings()); n > 0 != (i > 10) {
			t.Errorf("%d shifted: %+v", i, l.Warnings())
		}
		if err := l.Shift(host, l.Now().Draft.Divisions[1][0].Member, 1, noon); err != nil {
			t.Fatal(err)
		}
	}
	want := []league.Warning{{Kind: league.TooLarge, Division: 1, Size: 33}, {Kind: league.TooSmall, Division: 2, Size: 7}}
	if got := l.Warnings(); !slices.Equal(got, want) {
		t.Errorf("warnings %+v, want %+v", got, want)
	}
	if err := l.PublishLater(host, noon.Add(day), noon); !errors.Is(err, league.ErrTooLarge) {
		t.Error("at a time:", err)
	}
	if err := l.Publish(host, counter(), noon); !errors.Is(err, league.ErrTooLarge) {
		t.Error("at once:", err)
	}
	if err := errors.Join(l.Shift(host, l.Now().Draft.Divisions[0][0].Member, 2, noon), l.Publish(host, counter(), noon)); err != nil {
		t.Error("one is back:", err)
	}
}
