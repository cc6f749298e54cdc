package tables_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/stage"
)

// leagues holds events of guests beside any site.
type leagues struct {
	*testing.T
	*rand.Rand
	host player.Viewer
	at   time.Time
}

func (l leagues) ok(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// plays starts an event and plays it to its end, by such results.
func (l leagues) plays(t *tournament.Tournament, kinds ...tournament.ResultKind) {
	l.Helper()
	l.ok(t.Start(l.host, tournament.Drawing{Seed: "seed", Pick: l.IntN}, l.at))
	for t.Status == tournament.Running {
		r, err := t.PairNext(format.System(&t.Table), func() match.ID { return "" }, l.at)
		l.ok(err)
		for _, p := range r.Pairings {
			if p.Result.IsPending() {
				l.ok(t.Enter(l.host, r.Number, p.Board, kinds[l.IntN(len(kinds))], true, l.at))
			}
		}
		t.Conclude(l.at)
	}
	t.Version++
}

// cup is an event divided into groups that are over; with many draws, so that places are
// shared.
func (l leagues) cup() (cup *tournament.Tournament, groups []*tournament.Tournament) {
	l.Helper()
	s := tournament.DefaultSettings(tournament.KnockOut)
	s.Name, s.Rated, s.Pace, s.Tie = "Cup", false, tournament.Manual, []contest.Step{contest.Seed}
	cup, err := tournament.New("cup", l.host.ID, s, l.at)
	l.ok(err)
	l.ok(cup.OpenRegistration(l.host, l.at))
	number := 2 + l.IntN(3)
	for i := range number * (3 + l.IntN(3)) {
		_, err := cup.Register(l.host, tournament.Candidate{Name: fmt.Sprintf("Player %d", i+1)}, l.at)
		l.ok(err)
	}
	how := tables.Divided(cup, number, false, tournament.Drawing{Pick: l.IntN})
	var parts []stage.Group
	for i, of := range how.Groups {
		parts = append(parts, stage.Group{ID: tournament.ID(fmt.Sprintf("group-%d", i)), Name: fmt.Sprintf("Group %d", i), Of: of})
	}
	groups, err = stage.Divide(cup, l.host, parts, 1+l.IntN(2), how, l.at)
	l.ok(err)
	for _, g := range groups {
		g.Tiebreaks = nil
		l.plays(g, tournament.FirstWins, tournament.SecondWins, tournament.Drawn, tournament.Drawn)
	}
	return cup, groups
}

// playOff makes a play-off of those who share the last place that goes on from a group.
func (l leagues) playOff(g *tournament.Tournament, playOffs []*tournament.Tournament, each int) (*tournament.Tournament, error) {
	l.Helper()
	o, err := tables.PlayOff(g, playOffs, each)
	if err != nil {
		return nil, err
	}
	id := tournament.ID(fmt.Sprintf("%s-off-%d", g.ID, len(playOffs)))
	return stage.Follow(l.host, id, stage.PlayOff(g.Settings, "Play-off", len(o.Seeds)), o, []*tournament.Tournament{g}, l.at)
}

// winners are the entries of a group in the order of its play-off, if that left none of
// them equal.
func (l leagues) winners(off *tournament.Tournament) (list []tournament.EntryID, isClear bool) {
	l.Helper()
	table, err := format.Standings(off, -1)
	l.ok(err)
	isClear = true
	for i, line := range table.Lines {
		isClear = isClear && line.Rank == i+1
		list = append(list, off.Origin.Seeds[off.Origin.SeedOf(line.Entry.ID)].Entry)
	}
	return list, isClear
}

// Of random groups many of whose places are shared, some hold play-offs, before the places
// are taken or after. Whoever won one, or alone stayed for it, has the place, by taking, by taking again, and by
// exchanging; nobody is told who goes on while one is not over.
func TestWhoeverWinsAPlayOffHasThePlace(t *testing.T) {
	t.Parallel()
	held, exchanged, undecided, left := 0, 0, 0, 0
	for seed := range uint64(400) {
		l := leagues{T: t, Rand: rand.New(rand.NewPCG(seed, 1)), at: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)}
		l.host = player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
		cup, groups := l.cup()
		each := cup.Origin.Each
		early := cup.Clone() // takes its places at once, by lot where they are shared
		o, err := tables.Anew(*early.Origin, nil, groups, nil)
		l.ok(err)
		l.ok(stage.Retake(early, l.host, o, groups, l.at))

		var offs []*tournament.Tournament
		want := map[tournament.ID][]tournament.EntryID{}
		for _, g := range groups {
			_, shared, err := tables.Order(g, nil, each)
			l.ok(err)
			if len(shared) == 0 || l.IntN(4) == 0 {
				continue
			}
			off, err := l.playOff(g, offs, each)
			l.ok(err)
			offs = append(offs, off)
			if _, err := l.playOff(g, offs, each); !errors.Is(err, tournament.ErrPlayOffOpen) {
				t.Fatalf("seed %d: a second play-off beside the first: %v", seed, err)
			}
			if _, err := tables.Anew(*cup.Origin, nil, groups, offs); !errors.Is(err, tournament.ErrPlayOffOpen) {
				t.Fatalf("seed %d: places are told before the play-off is over: %v", seed, err)
			}
			if l.IntN(5) == 0 { // all but one go home, before it begins
				stays := l.IntN(len(off.Entries))
				for i, e := range off.Entries {
					if i != stays {
						l.ok(off.Withdraw(l.host, e.ID))
					}
				}
				want[g.ID] = append(want[g.ID], off.Origin.Seeds[off.Origin.SeedOf(off.Entries[stays].ID)].Entry)
				left++
				continue
			}
			l.plays(off, tournament.FirstWins, tournament.SecondWins, tournament.DoubleForfeit)
			order, isClear := l.winners(off)
			for n := 0; !isClear && n < 20; n++ { // those it left equal play again, if it is about their place
				undecided++
				again, err := l.playOff(g, offs, each)
				if errors.Is(err, tournament.ErrNoneShared) {
					break
				}
				l.ok(err)
				offs = append(offs, again)
				l.plays(again, tournament.FirstWins, tournament.SecondWins)
				next, _ := l.winners(again)
				slices.SortStableFunc(order, func(a, b tournament.EntryID) int {
					if x, y := slices.Index(next, a), slices.Index(next, b); x >= 0 && y >= 0 {
						return x - y
					}
					return 0
				})
				isClear = true
			}
			want[g.ID] = append(want[g.ID], order[:each-(first(g, l, shared)-1)]...)
			held++
		}
		o, err = tables.Anew(*cup.Origin, nil, groups, offs)
		l.ok(err)
		l.ok(stage.Retake(cup, l.host, o, groups, l.at))
		check := func(how string, c *tournament.Tournament) {
			t.Helper()
			for i, g := range groups {
				for _, id := range want[g.ID] {
					if !slices.ContainsFunc(c.Origin.Seeds, func(q tournament.Qualifier) bool { return q.Of == i && q.Entry == id }) {
						t.Fatalf("seed %d, %s: entry %d of %s won the play-off and does not go on: %+v", seed, how, id, g.ID, c.Origin.Seeds)
					}
				}
			}
		}
		check("taken", cup)
		if moved, err := tables.Moved(*cup.Origin, groups, offs); err != nil || len(moved) > 0 {
			t.Fatalf("seed %d: taken and moved at once: %+v, %v", seed, moved, err)
		}
		for {
			list, err := tables.Exchanges(early, groups, offs)
			l.ok(err)
			if len(list) == 0 {
				break
			}
			exchanged++
			_, _, err = stage.Exchange(early, l.host, list[0].Seed, list[0].In, groups, func(match.ID) bool { return false },
				func() match.ID { return "" }, l.at)
			l.ok(err)
		}
		check("exchanged", early)
	}
	if held < 100 || exchanged < 50 || undecided < 10 || left < 10 {
		t.Errorf("%d play-offs held, %d seeds exchanged, %d play-offs undecided, %d left: too few to tell anything", held, exchanged, undecided, left)
	}
}

// first is the place, from 1, of the first of those who share one.
func first(g *tournament.Tournament, l leagues, shared []format.Standing) int {
	places, _, err := tables.Order(g, nil, 1)
	l.ok(err)
	return 1 + slices.IndexFunc(places, func(p format.Standing) bool { return p.Entry.ID == shared[0].Entry.ID })
}
