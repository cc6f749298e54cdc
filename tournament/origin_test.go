package tournament_test

import (
	"errors"
	"slices"
	"testing"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/stage"
)

// Four play a cup, and its first two advance by place. Before the final starts the places
// change: the third replaces the second.
func TestALaterStageTakesPlacesAsTheyStood(t *testing.T) {
	t.Parallel()
	cup, newID := knockOut(t, 4, nil), ids()
	s := stage.Next(cup.Settings, tournament.RoundRobin, "Final", 3)
	o := tournament.Origin{Of: []tournament.Source{{ID: cup.ID, Name: cup.Name}}, Each: 3, Seeds: []tournament.Qualifier{
		{Entry: 4, Place: 1}, {Entry: 2, Place: 2}, {Entry: 1, Place: 3},
	}}
	of := []*tournament.Tournament{cup}
	if _, err := stage.Follow(host, "final", s, o, of, start); !errors.Is(err, tournament.ErrNotOver) {
		t.Errorf("of a running tournament: %v", err)
	}
	next(t, cup, newID)
	wins(cup, 4, 2)
	next(t, cup, newID)
	wins(cup, 4, 1)
	final, err := stage.Follow(host, "final", s, o, of, start)
	if err != nil {
		t.Fatal(err)
	}
	few := o
	few.Seeds = o.Seeds[:2]
	if _, err := stage.Follow(host, "few", s, few, of, start); !errors.Is(err, tournament.ErrFewPlaces) {
		t.Errorf("two for a round robin: %v", err)
	}
	o.Seeds = []tournament.Qualifier{{Entry: 4, Place: 1}, {Entry: 3, Place: 2}, {Entry: 2, Place: 3}}
	if err := stage.Retake(final, host, o, of, start); err != nil {
		t.Fatal(err)
	}
	if err := final.Start(host, lowest, start); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, e := range final.Entries {
		got[e.Name] = e.Number
	}
	name := func(id tournament.EntryID) string { return cup.Entries[id-1].Name }
	if len(final.Entries) != 4 || got[name(4)] != 1 || got[name(3)] != 2 || got[name(2)] != 3 || got[name(1)] != 0 {
		t.Errorf("numbers %v", got)
	}
	if err := stage.Retake(final, host, o, of, start); !errors.Is(err, tournament.ErrStarted) {
		t.Errorf("places taken again after the start: %v", err)
	}
}

// Each seed comes from an existing event and entry, and there are as many as the events give.
func TestForgedSeedsAreSeen(t *testing.T) {
	t.Parallel()
	good := tournament.Origin{Of: []tournament.Source{{ID: "a"}, {ID: "b"}}, Each: 1, Seeds: []tournament.Qualifier{{Own: 1}, {Of: 1, Own: 2}}}
	for what, forge := range map[string]func(*tournament.Origin){
		"":                       func(*tournament.Origin) {},
		"no events":              func(o *tournament.Origin) { o.Of, o.Each, o.Seeds = nil, 0, nil },
		"an event that is none":  func(o *tournament.Origin) { o.Seeds[0].Of = 2 },
		"one below none":         func(o *tournament.Origin) { o.Seeds[0].Of = -1 },
		"an entry that is none":  func(o *tournament.Origin) { o.Seeds[1].Own = 3 },
		"fewer seeds than go on": func(o *tournament.Origin) { o.Each = 2 },
		"too many events": func(o *tournament.Origin) {
			o.Of = make([]tournament.Source, 9)
			o.Seeds = make([]tournament.Qualifier, 9)
		},
	} {
		tour := newTournament(t, tournament.KnockOut, nil)
		enter(t, tour, 2)
		o := good
		o.Seeds = slices.Clone(good.Seeds)
		forge(&o)
		tour.Origin = &o
		if tour.IsFollowable() != (what == "") {
			t.Errorf("%q: followable %v", what, tour.IsFollowable())
		}
	}
}

// People without an account are known by their names: who qualified from two events under one name is one person, unless
// somebody else has the name in either, or both are accounts.
func TestANamesakeOfAnotherStageIsTheSamePerson(t *testing.T) {
	t.Parallel()
	over := func(id tournament.ID, who ...tournament.Candidate) *tournament.Tournament {
		tour := newTournament(t, tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 1 })
		tour.ID = id
		for _, c := range who {
			if _, err := tour.Register(host, c, start); err != nil {
				t.Fatal(err)
			}
		}
		if err := tour.Start(host, lowest, start); err != nil {
			t.Fatal(err)
		}
		if _, err := tour.PairNext(system(tour), ids(), start); err != nil {
			t.Fatal(err)
		}
		for _, p := range tour.Rounds[0].Pairings {
			if p.Match != "" {
				tour.Record(p.Match, tournament.Result{Kind: tournament.FirstWins, At: start})
			} else if err := tour.Enter(host, 1, p.Board, tournament.FirstWins, true, start); err != nil {
				t.Fatal(err)
			}
		}
		if tour.Conclude(start); !tour.Status.IsOver() {
			t.Fatal("not over")
		}
		return tour
	}
	guest := func(name string) tournament.Candidate { return tournament.Candidate{Name: name, Another: true} }
	account := func(id player.ID, name string) tournament.Candidate {
		return tournament.Candidate{Player: id, Name: name, Another: true}
	}
	type names []tournament.Candidate // the first qualifies
	for name, test := range map[string]struct {
		first, second names
		want          error
	}{
		"two guests":             {names{guest("Ada One"), guest("Bo")}, names{guest("Ada  ONE"), guest("Cy")}, tournament.ErrQualifiedTwice},
		"a guest, an account":    {names{guest("Ada One"), guest("Bo")}, names{account("ada", "Ada One"), guest("Cy")}, tournament.ErrQualifiedTwice},
		"two accounts":           {names{account("ada1", "Ada One"), guest("Bo")}, names{account("ada", "Ada One"), guest("Cy")}, nil},
		"one of two of a name":   {names{guest("Ada One"), guest("Bo")}, names{guest("Ada One"), guest("Ada One")}, nil},
		"a name of its own":      {names{guest("Ada One"), guest("Bo")}, names{guest("Ida One"), guest("Cy")}, nil},
		"somebody below by name": {names{guest("Ada One"), guest("Bo")}, names{guest("Bo"), guest("Cy")}, nil},
	} {
		of := []*tournament.Tournament{over("a", test.first...), over("b", test.second...)}
		o := tournament.Origin{Of: []tournament.Source{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}}, Each: 1,
			Seeds: []tournament.Qualifier{{Of: 0, Entry: 1, Place: 1}, {Of: 1, Entry: 1, Place: 1}}}
		final, err := stage.Follow(host, "final", stage.Next(of[0].Settings, tournament.KnockOut, "Final", 2), o, of, start)
		if !errors.Is(err, test.want) || err == nil && final.Active() != 2 {
			t.Errorf("%s: %v, %+v", name, err, final)
		}
	}
}
