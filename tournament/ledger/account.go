package ledger

import (
	"reflect"
	"slices"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// Account gives results set or changed by hand their reason and the previous result. It
// compares the states before and after, so that it covers every act.
func Account(before, after *tournament.Tournament, by player.ID, why string) {
	for i := range min(len(before.Rounds), len(after.Rounds)) {
		for k := range after.Rounds[i].Pairings {
			p := &after.Rounds[i].Pairings[k]
			was, there := SameBoard(before.Rounds[i].Pairings, *p)
			if !there || reflect.DeepEqual(was.Result, p.Result) || p.Result.By != by || by == "" {
				continue
			}
			p.Result.Why = why
			if stood := was.Result; !stood.IsPending() && stood.Was == tournament.Pending && was.Match == p.Match {
				p.Result.Stood = stood.Kind
				if stood.Stood != tournament.Pending {
					p.Result.Stood = stood.Stood
				}
				if p.Result.Stood == p.Result.Kind {
					p.Result.Stood = tournament.Pending
				}
			}
		}
	}
}

// SameBoard returns the board of the same players among those of a round. Its number may have
// changed with a correction that took another board back; in an arena the same two meet again.
func SameBoard(list []tournament.Pairing, p tournament.Pairing) (tournament.Pairing, bool) {
	isSame := func(q tournament.Pairing) bool {
		return q.First == p.First && q.Second == p.Second && q.Contest == p.Contest
	}
	i := slices.IndexFunc(list, func(q tournament.Pairing) bool { return q.Board == p.Board && isSame(q) })
	if i < 0 {
		i = slices.IndexFunc(list, isSame)
	}
	if i < 0 {
		return tournament.Pairing{}, false
	}
	return list[i], true
}
