package league_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// Sixteen of four divisions of four, A the strongest: ABCD, EFGH, IJKL, MNOP. G, of the second, organizes, as does Anna, who does
// not play.
func TestWhoOrganizesAndPlaysDecidesNothingOfTheirOwn(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	anna := league.Actor{Player: "anna", Directs: true, Others: []player.ID{"G", "anna"}}
	g := league.Actor{Player: "G", Directs: true, Others: []player.ID{"G", "anna"}}
	type deed = func(*league.League, league.Actor) error
	shift := func(who league.Member, to int) deed {
		return func(l *league.League, by league.Actor) error { return l.Shift(by, who, to, now) }
	}
	warn := func(who league.Member) deed {
		return func(l *league.League, by league.Actor) error { _, err := l.Warn(by, who, "No answer", now); return err }
	}
	leave := func(who league.Member) deed {
		return func(l *league.League, by league.Actor) error { _, err := l.Leave(by, who, now); return err }
	}
	decide := func(id league.SanctionID, lift bool) deed {
		return func(l *league.League, by league.Actor) error { return l.DecideAppeal(by, id, lift, "So it is", now) }
	}
	propose := func(l *league.League, by league.Actor) error { return l.Propose(by, now) }
	entered := func(t *testing.T) *league.League {
		t.Helper()
		s := league.DefaultSettings()
		s.Name, s.Rule = "Winter", league.Rule{Least: 3, Usual: 4, Most: 6, Movers: 1}
		l, err := league.New("l", "club", anna, s, now.Add(time.Hour), now)
		for i, c := range "ABCDEFGHIJKLMNOP" {
			err = errors.Join(err, l.Enter(anna, league.Member(string(c)), 2000-50*i, now))
		}
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	drafted := func(t *testing.T) *league.League {
		t.Helper()
		l := entered(t)
		if err := l.Propose(anna, now); err != nil {
			t.Fatal(err)
		}
		if got := letters(*l.Now().Draft); !slices.Equal(got, []string{"ABCD", "EFGH", "IJKL", "MNOP"}) {
			t.Fatalf("drafted %q", got)
		}
		return l
	}
	shifted := func(t *testing.T) *league.League { // by Anna: G is in the third
		l := drafted(t)
		if err := l.Shift(anna, "G", 3, now); err != nil {
			t.Fatal(err)
		}
		return l
	}
	placed := func(t *testing.T) *league.League {
		l, ids := drafted(t), 0
		err := l.Publish(anna, func() tournament.ID { ids++; return tournament.ID(fmt.Sprint("t", ids)) }, now)
		for _, who := range []league.Member{"G", "H", "N"} { // sanctions 1 to 3
			_, warned := l.Warn(anna, who, "No answer", now)
			err = errors.Join(err, warned, l.Appeal(league.Actor{Player: player.ID(who)}, league.SanctionID(len(l.Sanctions)), "I was ill", now))
		}
		if err = errors.Join(err, l.Enter(anna, "Z", 1500, now)); err != nil {
			t.Fatal(err)
		}
		return l
	}
	twice := func(t *testing.T) *league.League { // L has two sanctions
		l := placed(t)
		for range 2 {
			if _, err := l.Warn(anna, "L", "No answer", now); err != nil {
				t.Fatal(err)
			}
		}
		return l
	}
	waiting := func(t *testing.T) *league.League { // G has left, and waits between X and Y
		l := placed(t)
		_, err := l.Leave(anna, "G", now)
		for i, who := range []league.Member{"X", "G", "Y"} {
			err = errors.Join(err, l.Enter(anna, who, 1500, now.Add(time.Duration(i)*time.Minute)))
		}
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, c := range []struct {
		name  string
		of    func(*testing.T) *league.League
		do    deed
		stake fairplay.Stake // empty: theirs to do
		rival player.ID
	}{
		{"move themselves up", drafted, shift("G", 1), fairplay.StakeEntry, ""},
		{"move themselves down", drafted, shift("G", 3), fairplay.StakeEntry, ""},
		{"move a strong opponent out", drafted, shift("E", 1), fairplay.StakePairing, ""},
		{"take in a weak one", drafted, shift("I", 2), fairplay.StakePairing, ""},
		{"sanction themselves", placed, warn("G"), fairplay.StakeEntry, ""},
		{"sanction an opponent", placed, warn("E"), fairplay.StakeRival, "E"},
		{"sanction somebody of the division above", placed, warn("A"), fairplay.StakeRival, "A"},
		{"sanction somebody of the division below", placed, warn("L"), fairplay.StakeRival, "L"},
		{"hear themselves", placed, decide(1, true), fairplay.StakeEntry, ""},
		{"let the sanction of an opponent stand", placed, decide(2, false), fairplay.StakeRival, "H"},
		{"take an opponent out", placed, leave("F"), fairplay.StakeRival, "F"},

		{"take out who has entered, before anybody knows who meets whom", entered, leave("A"), fairplay.StakeRival, "A"},
		{"sanction who has entered, before anybody knows who meets whom", entered, warn("P"), fairplay.StakeRival, "P"},
		{"take an opponent out of a draft", drafted, leave("E"), fairplay.StakeRival, "E"},
		{"take somebody out of the division above, in a draft", drafted, leave("D"), fairplay.StakeRival, "D"},
		{"sanction an opponent of a draft", drafted, warn("H"), fairplay.StakeRival, "H"},
		{"the third sanction, for somebody of the division below", twice, warn("L"), fairplay.StakeRival, "L"},
		{"while they wait, take out who has a place", waiting, leave("A"), fairplay.StakeRival, "A"},
		{"while they wait, sanction who has a place", waiting, warn("P"), fairplay.StakeRival, "P"},
		{"while they wait, send away who is asked before them", waiting, leave("X"), fairplay.StakeRival, "X"},

		{"take somebody far away out of a draft", drafted, leave("P"), "", ""},
		{"send away who is asked after them", waiting, leave("Y"), "", ""},
		{"send away who waits, from their own place", placed, leave("Z"), "", ""},
		{"wait no more", waiting, leave("G"), "", ""},
		{"draft again", drafted, propose, "", ""},
		{"draft again what somebody else has changed for them, which holds", shifted, propose, "", ""},
		{"move others elsewhere", drafted, shift("A", 3), "", ""},
		{"sanction somebody far away", placed, warn("P"), "", ""},
		{"lift the sanction of an opponent", placed, decide(2, true), "", ""},
		{"hear somebody far away", placed, decide(3, false), "", ""},
		{"take out somebody of another division", placed, leave("A"), "", ""},
		{"leave", placed, leave("G"), "", ""},
		{"start", placed, func(l *league.League, by league.Actor) error { return l.Begin(by, now) }, "", ""},
		{"rename it", placed, func(l *league.League, by league.Actor) error {
			s := l.Settings
			s.Name = "Frost"
			return l.Change(by, s, l.Now().Starts, now)
		}, "", ""},
	} {
		l := c.of(t)
		before := l.Clone()
		err := l.Do(g, c.do)
		var party *fairplay.PartyError
		switch {
		case c.stake == "" && err != nil:
			t.Errorf("%s: refused: %v", c.name, err)
		case c.stake == "":
		case !errors.As(err, &party) || party.Stake != c.stake || party.RivalID != c.rival || !slices.Equal(party.CanDecide(), []player.ID{"anna"}):
			t.Errorf("%s: %v, of %+v", c.name, err, party)
		case !reflect.DeepEqual(before, l.Clone()):
			t.Errorf("%s: what is refused has changed something", c.name)
		}
		if err := c.of(t).Do(anna, c.do); err != nil {
			t.Errorf("%s: Anna is refused: %v", c.name, err)
		}
	}
}

// TestNoWayRoundUndoesWhatAColleagueShifted: Anna has put G into the third division, and E last in the second. G
// organizes, too, and plays: whatever they do that ends the draft, the next one has what Anna decided, and nothing that they shifted
// while it did not concern them.
func TestNoWayRoundUndoesWhatAColleagueShifted(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	anna := league.Actor{Player: "anna", Directs: true, Others: []player.ID{"G", "anna"}}
	g := league.Actor{Player: "G", Directs: true, Others: []player.ID{"G", "anna"}}
	type deed = func(*league.League, league.Actor) error
	leave := func(l *league.League, by league.Actor) error { _, err := l.Leave(by, by.Member(), now); return err }
	enter := func(who league.Member, rating int) deed {
		return func(l *league.League, by league.Actor) error { return l.Enter(by, who, rating, now) }
	}
	propose := func(l *league.League, by league.Actor) error { return l.Propose(by, now) }
	shift := func(who league.Member, to int) deed {
		return func(l *league.League, by league.Actor) error { return l.Shift(by, who, to, now) }
	}
	divisions := func(usual int) deed {
		return func(l *league.League, by league.Actor) error {
			s := l.Settings
			s.Rule.Usual, s.Rule.Most = usual, max(usual, 6)
			return l.Change(by, s, l.Now().Starts, now)
		}
	}
	for _, c := range []struct {
		name string
		acts []deed
		want []string
	}{
		{"draft again", []deed{propose}, []string{"ABCD", "FHE", "IJKLG", "MNOP"}},
		{"leave and enter again", []deed{leave, enter("G", 1700), propose}, []string{"ABCD", "FHE", "IJKLG", "MNOP"}},
		{"leave, draft, and enter again", []deed{leave, propose, propose, enter("G", 1700), propose}, []string{"ABCD", "FHE", "IJKLG", "MNOP"}},
		{"leave, shift as somebody who does not play, and enter again", []deed{leave, propose, shift("E", 4), shift("N", 2), enter("G", 1700), propose},
			[]string{"ABCD", "FHE", "IJKLG", "MNOP"}},
		{"add somebody", []deed{enter("Q", 1000), propose}, []string{"ABCD", "FHIE", "JKLMG", "NOPQ"}},
		{"make larger divisions for a moment", []deed{divisions(8), propose, divisions(4), propose}, []string{"ABCD", "FHE", "IJKLG", "MNOP"}},
		{"shift among larger divisions", []deed{divisions(8), propose, shift("G", 1), divisions(4), propose}, []string{"ABCD", "FHE", "IJKLG", "MNOP"}},
	} {
		s := league.DefaultSettings()
		s.Name, s.Rule = "Winter", league.Rule{Least: 3, Usual: 4, Most: 6, Movers: 1}
		l, err := league.New("l", "club", anna, s, now.Add(time.Hour), now)
		for i, x := range "ABCDEFGHIJKLMNOP" {
			err = errors.Join(err, l.Enter(anna, league.Member(string(x)), 2000-50*i, now))
		}
		if err = errors.Join(err, l.Propose(anna, now), l.Shift(anna, "G", 3, now), l.Shift(anna, "E", 2, now)); err != nil {
			t.Fatal(err)
		}
		for i, act := range c.acts {
			var party *fairplay.PartyError
			if err := l.Do(g, act); err != nil && !errors.As(err, &party) {
				t.Errorf("%s: act %d: %v", c.name, i+1, err)
			}
		}
		if x := l.Now(); x.Draft == nil || !slices.Equal(letters(*x.Draft), c.want) {
			t.Errorf("%s: %q, want %q", c.name, letters(*x.Draft), c.want)
		}
		if err := errors.Join(l.Shift(anna, "G", 2, now), l.Propose(anna, now)); err != nil || !strings.Contains(letters(*l.Now().Draft)[1], "G") {
			t.Errorf("%s: Anna drafts without what she has shifted: %q, %v", c.name, letters(*l.Now().Draft), err)
		}
	}
}
