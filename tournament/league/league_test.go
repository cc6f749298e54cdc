package league_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// Ten players in two fives, of whom one was promised to rise and to go down: settings that change meanwhile do not change
// that, neither for those who look at the frozen tables nor for the next placing; sizes hold from the next season on.
func TestASeasonIsHeldByTheRuleItWasPlacedBy(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	host := league.Actor{Player: "host", Directs: true}
	s := league.DefaultSettings()
	s.Name, s.Rule = "Winter", league.Rule{Least: 4, Usual: 5, Most: 6, Movers: 1}
	l, err := league.New("l", "club", host, s, now.Add(time.Hour), now)
	if err != nil {
		t.Fatal(err)
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ids := 0
	newID := func() tournament.ID { ids++; return tournament.ID(fmt.Sprint("t", ids)) }
	everybody := "ABCDEFGHIJ"
	enterAll := func() {
		for i, c := range everybody {
			ok(l.Enter(host, league.Member(string(c)), 2000-100*i, now))
		}
	}
	changed := func(rule league.Rule) league.Settings {
		s.Rule = rule
		return s
	}

	enterAll()
	ok(l.Propose(host, now))
	if err := l.Change(league.Actor{Player: "A"}, s, l.Now().Starts, now); !errors.Is(err, league.ErrNotAllowed) {
		t.Errorf("a player changes the league: %v", err)
	}
	ok(l.Change(host, s, now.Add(2*time.Hour), now))
	if l.Now().Draft == nil || !l.Now().Starts.Equal(now.Add(2*time.Hour)) {
		t.Error("another start keeps the draft")
	}
	if err := l.Change(host, s, now.Add(-time.Hour), now); !errors.Is(err, league.ErrStarts) {
		t.Errorf("a start in the past: %v", err)
	}
	ok(l.Change(host, changed(league.Rule{Least: 4, Usual: 6, Most: 8, Movers: 1}), l.Now().Starts, now))
	if l.Now().Draft != nil {
		t.Error("the draft outlives its rule")
	}
	ok(l.Change(host, changed(league.Rule{Least: 4, Usual: 5, Most: 6, Movers: 1}), l.Now().Starts, now))
	ok(l.Propose(host, now))
	ok(l.Publish(host, newID, now))
	ok(l.Begin(host, now))

	ok(l.Change(host, changed(league.Rule{Least: 5, Usual: 5, Most: 10, Movers: 1, PlayOff: true}), time.Time{}, now))
	if !l.Settings.PlayOff || l.Now().Rule.Movers != 1 {
		t.Errorf("the running season has the rule %+v", l.Now().Rule)
	}
	ok(l.Freeze(host, []league.Table{table("ABCDE"), table("FGHIJ")}, now))
	if len(l.Now().PlayOffs) > 0 {
		t.Errorf("play-offs nobody was told of: %v", l.Now().PlayOffs)
	}
	ok(l.Change(host, changed(league.Rule{Least: 5, Usual: 5, Most: 10, Movers: 2}), time.Time{}, now))
	moves := l.Movements(l.Now())
	for who, want := range map[league.Member]league.Way{"D": league.Stayed, "E": league.Relegated, "F": league.Promoted, "G": league.Stayed} {
		if moves[who] != want {
			t.Errorf("%s %s, want %s", who, moves[who], want)
		}
	}
	ok(l.Archive(host, nil, now.Add(3*time.Hour), now))
	enterAll()
	ok(l.Propose(host, now))
	if got := letters(*l.Now().Draft); len(got) != 2 || got[0] != "ABCDF" || got[1] != "EGHIJ" {
		t.Errorf("the next season: %q", got)
	}
	ok(l.Publish(host, newID, now))
	if l.Now().Rule.Movers != 2 {
		t.Errorf("the next season has the rule %+v", l.Now().Rule)
	}
	if err := l.Change(host, changed(league.Rule{Least: 3, Usual: 3, Most: 6}), time.Time{}, now); err == nil {
		t.Error("two of three go down, as was promised to this season")
	}
}

// A third sanction before the season starts takes somebody out: of those who entered, or of their division, whose place is then
// offered to alternates.
func TestARedCardBeforeTheStartFreesThePlace(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	host := league.Actor{Player: "host", Directs: true}
	for _, placed := range []bool{false, true} {
		s := league.DefaultSettings()
		s.Name, s.Rule = "Winter", league.Rule{Least: 3, Usual: 4, Most: 6}
		l, err := league.New("l", "club", host, s, now.Add(24*time.Hour), now)
		for _, who := range []league.Member{"A", "B", "C", "D", "E"} {
			err = errors.Join(err, l.Enter(host, who, 2000, now))
		}
		if placed {
			err = errors.Join(err, l.Propose(host, now), l.Publish(host, func() tournament.ID { return "t" }, now), l.Enter(host, "X", 1500, now))
		}
		for range 3 {
			_, warned := l.Warn(host, "B", "Silent for a week", now)
			err = errors.Join(err, warned)
		}
		if err != nil {
			t.Fatal(err)
		}
		x := l.Now()
		if x.IsIn("B") || x.DivisionOf("B") > 0 || l.Level("B") != league.Red {
			t.Errorf("placed %v: they are in, of division %d", placed, x.DivisionOf("B"))
		}
		if err := l.Enter(host, "B", 2000, now); !errors.Is(err, league.ErrOut) {
			t.Errorf("they come in again: %v", err)
		}
		l.Settle(nil, now)
		if !placed {
			if len(x.Bench.Vacancies) > 0 {
				t.Errorf("a place before there are divisions: %+v", x.Bench.Vacancies)
			}
			continue
		}
		if len(x.Bench.Vacancies) != 1 || x.Bench.Vacancies[0].Out != "B" || len(x.Bench.Vacancies[0].Asked()) != 1 {
			t.Errorf("their place: %+v", x.Bench.Vacancies)
		}
	}
}
