package tables

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/stage"
)

// Asked is how to choose the players of a later stage from finished tournaments.
type Asked struct {
	Each     int                      // how many go on from each
	PlayOffs []*tournament.Tournament // for places shared there, the earliest first
	Carry    string                   // which results carry over (stages.Carries)
	Left     []tournament.Qualifier   // who had a place and has left it
}

// Qualified are the first of each tournament as they stand now, by seed, with the version
// at which they stand so. Those who have withdrawn do not go on. Lots follow from the
// tournaments' own seeds, so that anybody can repeat them. While a play-off for a shared
// last place is not over, nobody can say who goes on: tournament.ErrPlayOffOpen.
func Qualified(of []*tournament.Tournament, asked Asked) (tournament.Origin, error) {
	o := tournament.Origin{Each: asked.Each, Carry: asked.Carry, Left: asked.Left}
	chance, smallest := sha256.New(), smallest(of)
	o.Equal = smallest > 0
	places, lines := make([][]format.Standing, len(of)), make([][]stage.Line, len(of))
	for _, p := range asked.PlayOffs {
		if stage.IsDecided(p) {
			o.PlayOffs = append(o.PlayOffs, tournament.Source{ID: p.ID, Name: p.Name, Seq: p.Version})
		}
	}
	for i, t := range of {
		o.Of = append(o.Of, tournament.Source{ID: t.ID, Name: t.Name, Seq: t.Version})
		chance.Write([]byte(t.Seed))
		var err error
		left := map[tournament.EntryID]bool{}
		for _, q := range asked.Left {
			if q.Of == i {
				left[q.Entry] = true
			}
		}
		if places[i], lines[i], err = linesOf(t, asked.PlayOffs, left, smallest); err != nil {
			return o, err
		}
		if isPlayedOff(t, sharing(places[i], lines[i], asked.Each), asked.PlayOffs) {
			return o, tournament.ErrPlayOffOpen
		}
	}
	seeds, next := stage.Qualifiers(lines, asked.Each, DrawingOf([32]byte(chance.Sum(nil))).Pick)
	if len(seeds) == 0 {
		return o, tournament.ErrFewPlaces
	}
	for _, p := range seeds {
		l := places[p.Table][p.Line]
		q := tournament.Qualifier{Of: p.Table, Entry: l.Entry.ID, Place: l.Rank, ByLot: p.ByLot}
		switch asked.Carry {
		case stage.CarryAll:
			q.Score = l.Score
		case stage.CarryHalf:
			q.Score = l.Score / 2
			if l.Score%2 != 0 {
				return o, tournament.ErrCarry
			}
		}
		o.Seeds = append(o.Seeds, q)
	}
	for _, p := range next {
		l := places[p.Table][p.Line]
		o.Next = append(o.Next, tournament.Qualifier{Of: p.Table, Entry: l.Entry.ID, Place: l.Rank, ByLot: p.ByLot})
	}
	if asked.Carry == stage.CarryMutual {
		o.Met = met(o.Seeds, of)
	}
	return o, nil
}

// Anew are the places of a later stage as they stand now, without those who had one and
// have left.
func Anew(o tournament.Origin, left []tournament.Qualifier, of, playOffs []*tournament.Tournament) (tournament.Origin, error) {
	return Qualified(of, Asked{Each: o.Each, PlayOffs: playOffs, Carry: o.Carry, Left: left})
}

// smallest is the size of the smallest of some round robins if their sizes differ: places
// are then compared without what was won from the last of the larger ones. 0: they are
// compared as they are.
func smallest(of []*tournament.Tournament) int {
	least, most := of[0].Active(), of[0].Active()
	for _, t := range of {
		if !t.Format.MeetsAll() {
			return 0
		}
		least, most = min(least, t.Active()), max(most, t.Active())
	}
	if least == most {
		return 0
	}
	return least
}

// linesOf are the lines of a table that are still in it, in the order in which they go on,
// and what stages compare: all results, or those against the first so many.
func linesOf(t *tournament.Tournament, playOffs []*tournament.Tournament, left map[tournament.EntryID]bool, first int) (
	places []format.Standing, lines []stage.Line, err error) {
	table, err := format.Standings(t, -1)
	if err != nil {
		return nil, nil, err
	}
	last, n := map[int]bool{}, 0
	for _, l := range table.Lines {
		if l.Entry.Status != tournament.Active {
			continue
		}
		n++
		last[l.Number] = first > 0 && n > first
		if !left[l.Entry.ID] {
			places = append(places, l)
		}
	}
	off, err := placesOff(t, places, playOffs)
	if err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(places, func(a, b format.Standing) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(off[a.Entry.ID], off[b.Entry.ID]))
	})
	had := matchesOf(t, last)
	for _, l := range places {
		line := had[l.Number]
		line.Rank, line.PlayOff = l.Rank, off[l.Entry.ID]
		line.Points += int(l.Score)
		lines = append(lines, line)
	}
	return places, lines, nil
}

// placesOff are the places of those who share one, as play-offs decided them. A play-off
// counts between those who all took part in it; a later one between those whom an earlier
// one left equal.
func placesOff(t *tournament.Tournament, places []format.Standing, playOffs []*tournament.Tournament) (map[tournament.EntryID]int, error) {
	off := map[tournament.EntryID]int{}
	for _, p := range playOffs {
		if !stage.IsDecided(p) {
			continue
		}
		table, err := format.Standings(p, -1)
		if err != nil {
			return nil, err
		}
		rank := map[tournament.EntryID]int{}
		for _, q := range p.Origin.Seeds {
			if p.Origin.Of[0].ID == t.ID {
				rank[q.Entry] = len(p.Entries) + 1 // who left it before its start is last
				if own, err := p.Entry(q.Own); err == nil && p.BeforeStart() == nil && own.Status == tournament.Active {
					rank[q.Entry] = 1
				} else if at := slices.IndexFunc(table.Lines, func(l format.Standing) bool { return l.Entry.ID == q.Own }); at >= 0 {
					rank[q.Entry] = table.Lines[at].Rank
				}
			}
		}
		equal := map[[2]int][]tournament.EntryID{}
		for _, l := range places {
			k := [2]int{l.Rank, off[l.Entry.ID]}
			equal[k] = append(equal[k], l.Entry.ID)
		}
		for k, ids := range equal {
			if slices.ContainsFunc(ids, func(id tournament.EntryID) bool { return rank[id] == 0 }) {
				continue
			}
			for _, id := range ids { // after those whom an earlier play-off put first
				off[id] = max(1, k[1])
				for _, other := range ids {
					if rank[other] < rank[id] {
						off[id]++
					}
				}
			}
		}
	}
	return off, nil
}

// Order are the lines of a table in the order in which they go on, and those who share the
// last of each places with somebody who would not, unless play-offs have decided.
func Order(t *tournament.Tournament, playOffs []*tournament.Tournament, each int) (places, shared []format.Standing, err error) {
	places, lines, err := linesOf(t, playOffs, nil, 0)
	return places, sharing(places, lines, each), err
}

func sharing(places []format.Standing, lines []stage.Line, each int) []format.Standing {
	from, to := stage.Cut(lines, each)
	return places[from:to]
}

// isPlayedOff reports whether a play-off between some who share a place of a tournament has
// yet to decide.
func isPlayedOff(t *tournament.Tournament, shared []format.Standing, playOffs []*tournament.Tournament) bool {
	return slices.ContainsFunc(playOffs, func(p *tournament.Tournament) bool {
		return len(shared) > 0 && !stage.IsDecided(p) && p.Origin.Of[0].ID == t.ID && !slices.ContainsFunc(shared, func(l format.Standing) bool {
			return !slices.ContainsFunc(p.Origin.Seeds, func(q tournament.Qualifier) bool { return q.Entry == l.Entry.ID })
		})
	})
}

// PlayOff are the players of a play-off: those who share the last of each places that go
// on from a tournament. tournament.ErrNoneShared if nobody does, or if it is decided.
func PlayOff(t *tournament.Tournament, playOffs []*tournament.Tournament, each int) (o tournament.Origin, err error) {
	_, shared, err := Order(t, playOffs, each)
	switch {
	case err != nil:
		return o, err
	case len(shared) == 0:
		return o, tournament.ErrNoneShared
	case isPlayedOff(t, shared, playOffs):
		return o, tournament.ErrPlayOffOpen
	}
	o = tournament.Origin{Each: len(shared), PlayOff: true, Of: []tournament.Source{{ID: t.ID, Name: t.Name, Seq: t.Version}}}
	for _, l := range shared {
		o.Seeds = append(o.Seeds, tournament.Qualifier{Entry: l.Entry.ID, Place: l.Rank})
	}
	return o, nil
}

// met are the results between seeds who have met.
func met(seeds []tournament.Qualifier, of []*tournament.Tournament) (list []tournament.Met) {
	tables := map[int]map[tournament.EntryID]map[tournament.EntryID][]tournament.Meeting{}
	for i, t := range of {
		tables[i] = t.Crosstable()
	}
	for a, x := range seeds {
		for b, y := range seeds {
			if x.Of != y.Of || a == b {
				continue
			}
			for _, m := range tables[x.Of][x.Entry][y.Entry] {
				if m.Seat == match.First {
					list = append(list, tournament.Met{First: a, Second: b, Kind: m.Result.Kind, Points: m.Result.Points})
				}
			}
		}
	}
	return list
}

// Divided are a tournament's active players in groups, by rating in a snake, or drawn
// from pots.
func Divided(t *tournament.Tournament, groups int, pots bool, d tournament.Drawing) tournament.Division {
	var list []tournament.Entry
	for _, e := range t.Sides() {
		if e.Status == tournament.Active {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b tournament.Entry) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Name, b.Name))
	})
	how := tournament.Division{Pots: pots}
	var places [][]int
	if pots {
		clubs := make([]string, len(list))
		for i, e := range list {
			clubs[i] = e.ClubKey()
		}
		drawn := draw.Pots(clubs, groups, d.Pick)
		how.Seed, how.Rejected, how.Beyond, places = d.Seed, drawn.Rejected, drawn.Beyond, drawn.Groups
	} else {
		places = draw.Snake(len(list), groups)
	}
	how.Groups = make([][]tournament.EntryID, groups)
	for k, group := range places {
		for _, i := range group {
			how.Groups[k] = append(how.Groups[k], list[i].ID)
		}
	}
	return how
}

// matchesOf are each number's matches, wins and point differences, except those against
// some; what these scored is taken off the points. Of teams the other score stands for the difference.
func matchesOf(t *tournament.Tournament, without map[int]bool) map[int]stage.Line {
	lines, f := map[int]stage.Line{}, t.Field()
	for _, p := range f.Players {
		var l stage.Line
		for i, r := range p.Rounds {
			if r.Opponent == 0 {
				continue
			}
			points, other := int(f.Points.Of(r.Outcome)), 0
			if f.Teams != nil {
				if other = int(f.Teams.Matches[p.Number][i].Games); f.Teams.ByGames {
					points, other = other, points
				}
			}
			if without[r.Opponent] {
				l.Points -= points
				continue
			}
			l.Matches++
			if r.Outcome == tournament.Win || r.Outcome == tournament.WinUnrated || r.Outcome == tournament.ForfeitWin {
				l.Wins++
			}
			l.Difference += max(-100, min(100, r.Difference)) + other
		}
		lines[p.Number] = l
	}
	return lines
}

// SeedChange is a seed that somebody else would hold now.
type SeedChange struct {
	Seed     int
	Was, Now tournament.Entry // entries of the tournaments they come from
}

// AreOver reports whether all tournaments are over.
func AreOver(of []*tournament.Tournament) bool {
	return len(of) > 0 && !slices.ContainsFunc(of, func(x *tournament.Tournament) bool { return !x.Status.IsOver() })
}

// Moved are the seeds that others would hold if the places were taken now.
func Moved(o tournament.Origin, of, playOffs []*tournament.Tournament) (list []SeedChange, err error) {
	now, err := Anew(o, o.Left, of, playOffs)
	if err != nil {
		return nil, err
	}
	for i, q := range o.Seeds {
		x := now.Seeds[i]
		if x.IsOf(q) {
			continue
		}
		c := SeedChange{Seed: i + 1}
		if c.Was, err = of[q.Of].Entry(q.Entry); err == nil {
			c.Now, err = of[x.Of].Entry(x.Entry)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// Exchange is a seed of a stage, from 0, that somebody else can have.
type Exchange struct {
	Seed int
	In   tournament.Qualifier
	Name string // of who would come in
	Left bool   // its holder has left; else a correction says so
}

// Exchanges are the seeds of a stage that others can have: if its holder has left, the
// next in line; if a correction or a play-off says that others have qualified, these. A
// different order of the same seeds moves nobody.
func Exchanges(t *tournament.Tournament, of, playOffs []*tournament.Tournament) (list []Exchange, err error) {
	o := *t.Origin
	now, err := Anew(o, o.Left, of, playOffs)
	if err != nil || !AreOver(of) { // who has qualified cannot be said
		now.Seeds, now.Next = o.Seeds, o.Next
	}
	in := slices.DeleteFunc(slices.Clone(now.Seeds), func(q tournament.Qualifier) bool { return slices.ContainsFunc(o.Seeds, q.IsOf) })
	o.Next = slices.Concat(in, now.Next)
	for i, q := range o.Seeds {
		holder, err := t.Entry(q.Own)
		if err != nil {
			return nil, err
		}
		x := Exchange{Seed: i}
		at := slices.IndexFunc(in, func(x tournament.Qualifier) bool { return x.Of == q.Of })
		switch {
		case holder.Status == tournament.Withdrawn:
			next, there := stage.Reserve(o, i, of)
			x.In, x.Left = next, true
			if !there {
				continue
			}
		case !slices.ContainsFunc(now.Seeds, q.IsOf) && at >= 0:
			x.In = in[at]
			in = slices.Delete(in, at, at+1)
		default:
			continue
		}
		e, err := of[x.In.Of].Entry(x.In.Entry)
		if err != nil {
			return nil, err
		}
		x.Name = e.Name
		list = append(list, x)
	}
	return list, nil
}
