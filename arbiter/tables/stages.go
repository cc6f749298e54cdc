package tables

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/stage"
	"chpok.org/chpok/tournament/stages"
)

// Asked is what a later stage wants of tournaments that are over.
type Asked struct {
	Each     int                      // how many of each
	PlayOffs []*tournament.Tournament // that decide about places shared there
	Carry    string                   // which results count on (stages.Carries)
}

// Qualified are the first of each of some tournaments as they stand now, by seed, with
// the log's line at which they stand so. Whoever has left does not go on. Lots are
// drawn from the tournaments' own seeds, so that anybody can draw them again.
func Qualified(of []*tournament.Tournament, asked Asked) (tournament.Origin, error) {
	o := tournament.Origin{Each: asked.Each, Carry: asked.Carry}
	chance := sha256.New()
	places, lines := make([][]Standing, len(of)), make([][]stage.Line, len(of))
	for _, p := range asked.PlayOffs {
		o.PlayOffs = append(o.PlayOffs, tournament.Source{ID: p.ID, Name: p.Name, Seq: p.Version})
	}
	for i, t := range of {
		o.Of = append(o.Of, tournament.Source{ID: t.ID, Name: t.Name, Seq: t.Version})
		chance.Write([]byte(t.Seed))
		var err error
		if places[i], lines[i], err = linesOf(t, asked.PlayOffs); err != nil {
			return o, err
		}
	}
	seeds := stage.Qualifiers(lines, asked.Each, DrawingOf([32]byte(chance.Sum(nil))).Pick)
	if len(seeds) == 0 {
		return o, tournament.ErrFewPlaces
	}
	for _, p := range seeds {
		l := places[p.Table][p.Line]
		q := tournament.Qualifier{Of: p.Table, Entry: l.Entry.ID, Place: l.Rank, ByLot: p.ByLot}
		switch asked.Carry {
		case stages.CarryAll:
			q.Score = l.Score
		case stages.CarryHalf:
			if q.Score = l.Score / 2; l.Score%2 != 0 {
				return o, tournament.ErrCarry
			}
		}
		o.Seeds = append(o.Seeds, q)
	}
	if asked.Carry == stages.CarryMutual {
		o.Met = met(o.Seeds, of)
	}
	return o, nil
}

// linesOf are the lines of a table that are still in it, and what stages compare of them.
func linesOf(t *tournament.Tournament, playOffs []*tournament.Tournament) (places []Standing, lines []stage.Line, err error) {
	table, err := Standings(t, -1)
	if err != nil {
		return nil, nil, err
	}
	off, err := placesOff(t, playOffs)
	if err != nil {
		return nil, nil, err
	}
	had := matchesOf(t)
	for _, l := range table.Lines {
		if l.Entry.Status != tournament.Active {
			continue
		}
		line := had[l.Number]
		line.Rank, line.Points, line.PlayOff = l.Rank, int(l.Score), off[l.Entry.ID]
		places, lines = append(places, l), append(lines, line)
	}
	return places, lines, nil
}

// placesOff are the places of a tournament's entries in play-offs.
func placesOff(t *tournament.Tournament, playOffs []*tournament.Tournament) (map[tournament.EntryID]int, error) {
	places := map[tournament.EntryID]int{}
	for _, p := range playOffs {
		if p.Origin == nil || !p.Origin.PlayOff || p.Origin.Of[0].ID != t.ID {
			continue
		}
		table, err := Standings(p, -1)
		if err != nil {
			return nil, err
		}
		for _, l := range table.Lines {
			for _, q := range p.Origin.Seeds {
				if q.Own == l.Entry.ID {
					places[q.Entry] = l.Rank
				}
			}
		}
	}
	return places, nil
}

// Cuts are, for each number of places of a tournament, those who share the last of them
// with somebody who would not go on; none: nobody does.
func Cuts(t *tournament.Tournament, each ...int) ([][]tournament.Qualifier, error) {
	places, lines, err := linesOf(t, nil)
	if err != nil {
		return nil, err
	}
	list := make([][]tournament.Qualifier, len(each))
	for i, n := range each {
		from, to := stage.Cut(lines, n)
		for _, l := range places[from:to] {
			list[i] = append(list[i], tournament.Qualifier{Entry: l.Entry.ID, Place: l.Rank})
		}
	}
	return list, nil
}

// met are the results between those of the seeds who have met.
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

// Divided are a tournament's active players in groups, down their list by rating and
// back up, or drawn from pots. next is what a draw leaves promised.
func Divided(t *tournament.Tournament, groups int, pots bool, d tournament.Drawing) (how tournament.Division, next string) {
	var list []tournament.Entry
	for _, e := range t.Entries {
		if e.Status == tournament.Active {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b tournament.Entry) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Name, b.Name))
	})
	how, next = tournament.Division{Pots: pots}, t.Promise
	var places [][]int
	if pots {
		clubs := make([]string, len(list))
		for i, e := range list {
			clubs[i] = strings.ToLower(strings.TrimSpace(e.Club))
		}
		drawn := draw.Pots(clubs, groups, d.Pick)
		how.Seed, how.Rejected, how.Beyond, places, next = d.Seed, drawn.Rejected, drawn.Beyond, drawn.Groups, d.Next
	} else {
		places = draw.Snake(len(list), groups)
	}
	how.Groups = make([][]tournament.EntryID, groups)
	for k, group := range places {
		for _, i := range group {
			how.Groups[k] = append(how.Groups[k], list[i].ID)
		}
	}
	return how, next
}

// matchesOf are how many matches everybody had, won and by how much, by number.
func matchesOf(t *tournament.Tournament) map[int]stage.Line {
	lines := map[int]stage.Line{}
	for _, p := range t.Field().Players {
		var l stage.Line
		for _, r := range p.Rounds {
			if r.Opponent == 0 {
				continue
			}
			if l.Matches++; r.Outcome == tournament.Win || r.Outcome == tournament.WinUnrated || r.Outcome == tournament.ForfeitWin {
				l.Wins++
			}
			l.Difference += max(-100, min(100, r.Difference))
		}
		lines[p.Number] = l
	}
	return lines
}

// SeedChange is a seed whose holder would be somebody else now.
type SeedChange struct {
	Seed     int
	Was, Now tournament.Entry // of the tournaments the places are of
}

// Moved are the seeds that would be others if the places were taken now.
func Moved(o tournament.Origin, of, playOffs []*tournament.Tournament) (list []SeedChange, err error) {
	now, err := Qualified(of, Asked{Each: o.Each, PlayOffs: playOffs, Carry: o.Carry})
	if err != nil {
		return nil, err
	}
	for i, q := range o.Seeds {
		x := now.Seeds[i]
		if x.Of == q.Of && x.Entry == q.Entry {
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
