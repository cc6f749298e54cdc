package tables

import (
	"crypto/sha256"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/stage"
)

// Qualified are the first of each of some tournaments as they stand now, by seed, with
// the log's line at which they stand so. Whoever has left does not go on. Lots are
// drawn from the tournaments' own seeds, so that anybody can draw them again.
func Qualified(of []*tournament.Tournament, each int) (tournament.Origin, error) {
	o := tournament.Origin{Each: each}
	chance := sha256.New()
	places, lines := make([][]Standing, len(of)), make([][]stage.Line, len(of))
	for i, t := range of {
		o.Of = append(o.Of, tournament.Source{ID: t.ID, Name: t.Name, Seq: t.Version})
		chance.Write([]byte(t.Seed))
		table, err := Standings(t, -1)
		if err != nil {
			return o, err
		}
		had := matchesOf(t)
		for _, l := range table.Lines {
			if l.Entry.Status != tournament.Active {
				continue
			}
			line := had[l.Number]
			line.Rank, line.Points = l.Rank, int(l.Score)
			places[i], lines[i] = append(places[i], l), append(lines[i], line)
		}
	}
	seeds := stage.Qualifiers(lines, each, DrawingOf([32]byte(chance.Sum(nil))).Pick)
	if len(seeds) == 0 {
		return o, tournament.ErrFewPlaces
	}
	for _, p := range seeds {
		l := places[p.Table][p.Line]
		o.Seeds = append(o.Seeds, tournament.Qualifier{Of: p.Table, Entry: l.Entry.ID, Place: l.Rank, ByLot: p.ByLot})
	}
	return o, nil
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
func Moved(o tournament.Origin, of []*tournament.Tournament) (list []SeedChange, err error) {
	now, err := Qualified(of, o.Each)
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
