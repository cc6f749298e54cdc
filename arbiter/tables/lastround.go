package tables

import (
	"slices"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// prizePlaces is how many first places are looked at.
const prizePlaces = 3

// Otherwise is how the first places would stand after another result.
type Otherwise struct {
	Kind tournament.ResultKind
	Top  []format.Standing
}

// PrizeResult is a result of the last round without which the first places would stand
// differently.
type PrizeResult struct {
	Pairing tournament.Pairing
	Others  []Otherwise // the other results that would change it
}

// LastRound is the first places of a tournament whose last round is over, and the results
// of that round that decided them; nothing before.
// It looks at the boards of those who stand at a first place or could have reached one by
// their own result. It ignores what a result does to the tie-breaks of others, and points
// on the boards, which stay as they are.
func LastRound(t *tournament.Tournament) (top []format.Standing, list []PrizeResult, err error) {
	if !t.Status.IsOver() || len(t.Rounds) == 0 {
		return nil, nil, nil
	}
	table, err := format.Standings(t, -1)
	if err != nil || len(table.Lines) == 0 {
		return nil, nil, err
	}
	top = firstPlaces(table)
	if t.Format.HasOwnOrder() {
		return top, nil, nil // every result can decide a place, or no round is the last
	}
	most := t.Points.Win // that a result can bring
	if t.HasTeams() && !t.Teams.ByGames {
		most = t.Teams.MatchPoints().Win
	}
	reach := top[len(top)-1].Score - most
	near := map[tournament.EntryID]bool{}
	for _, l := range table.Lines {
		near[l.Entry.ID] = l.Score >= reach
	}
	last := len(t.Rounds) - 1
	for i, p := range t.Rounds[last].Pairings {
		if !slices.Contains(played, p.Result.Kind) || !near[t.SideOf(p.First)] && !near[t.SideOf(p.Second)] {
			continue
		}
		r := PrizeResult{Pairing: p}
		for _, kind := range played {
			if kind == p.Result.Kind {
				continue
			}
			other := t.Clone()
			other.Rounds[last].Pairings[i].Result.Kind = kind
			table, err := format.Standings(other, -1)
			if err != nil {
				return nil, nil, err
			}
			if there := firstPlaces(table); !slices.EqualFunc(top, there,
				func(a, b format.Standing) bool { return a.Rank == b.Rank && a.Entry.ID == b.Entry.ID }) {
				r.Others = append(r.Others, Otherwise{kind, there})
			}
		}
		if len(r.Others) > 0 {
			list = append(list, r)
		}
	}
	return top, list, nil
}

// played are the results of a match that was played.
var played = []tournament.ResultKind{tournament.FirstWins, tournament.Drawn, tournament.SecondWins}

// firstPlaces are the lines at the first places, with all who share them.
func firstPlaces(t format.Table) []format.Standing {
	n := slices.IndexFunc(t.Lines, func(s format.Standing) bool { return s.Rank > prizePlaces })
	if n < 0 {
		n = len(t.Lines)
	}
	return t.Lines[:n]
}
