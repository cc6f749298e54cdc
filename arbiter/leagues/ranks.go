package leagues

import (
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/league"
)

// Ranks returns the final places that are still possible in a division that is played, by entry. Whoever has left, or
// whose results are left out, has none. In a Swiss nobody knows yet who meets whom: what everybody can gain bounds them. Of teams it
// counts match points; where game points come first it says nothing.
func Ranks(t *tournament.Tournament) map[tournament.EntryID]league.Ranks {
	table, err := format.Standings(t, -1)
	if err != nil || t.Status != tournament.Running || t.Teams.ByGames {
		return nil
	}
	var now []league.Standing
	var ids []tournament.EntryID
	at := map[tournament.EntryID]int{}
	for _, line := range table.Lines {
		if line.Entry.Status == tournament.Active {
			at[line.Entry.ID] = len(ids)
			ids = append(ids, line.Entry.ID)
			now = append(now, league.Standing{Points: int(line.Score)})
		}
	}
	list := func(ranks []league.Ranks) map[tournament.EntryID]league.Ranks {
		out := map[tournament.EntryID]league.Ranks{}
		for i, r := range ranks {
			out[ids[i]] = r
		}
		return out
	}
	if !t.Format.MeetsAll() {
		return list(league.RanksBetween(reach(t, ids, now)))
	}
	meet := 1
	if t.Double {
		meet = 2
	}
	played := map[league.Game]int{}
	over := func(first, second tournament.EntryID) {
		a, is := at[first]
		b, plays := at[second]
		if is && plays {
			played[league.Game{min(a, b), max(a, b)}]++
		}
	}
	points := t.Points
	if t.HasTeams() {
		points = t.Teams.MatchPoints()
		for _, r := range t.Rounds {
			for i, m := range r.Teams {
				if t.ScoreOf(r, i+1)[0].Outcome != tournament.Unfinished {
					over(m.First, m.Second)
				}
			}
		}
	} else {
		for _, p := range t.AllBoards() {
			if !p.Result.IsPending() {
				over(p.First, p.Second)
			}
		}
	}
	var left []league.Game
	for b := range ids {
		for a := range b {
			for range meet - played[league.Game{a, b}] {
				left = append(left, league.Game{a, b})
			}
		}
	}
	w := func(a, b tournament.Outcome) league.Worth {
		return league.Worth{int(points.Of(a)), int(points.Of(b))}
	}
	worth := []league.Worth{w(tournament.Win, tournament.Loss), w(tournament.Draw, tournament.Draw), w(tournament.Loss, tournament.Win),
		w(tournament.ForfeitLoss, tournament.ForfeitLoss)}
	if points.ForfeitWin != points.Win || points.ForfeitLoss != points.Loss {
		worth = append(worth, w(tournament.ForfeitWin, tournament.ForfeitLoss), w(tournament.ForfeitLoss, tournament.ForfeitWin))
	}
	return list(league.PossibleRanks(now, left, worth))
}

// reach returns the points with which players of a Swiss end, at least and at most: in each round that they have not had, anything
// can come, and in an open one whatever a board brings.
func reach(t *tournament.Tournament, ids []tournament.EntryID, now []league.Standing) (least, most []int) {
	points, lo, hi := t.Points, 0, 0
	if t.HasTeams() {
		points = t.Teams.MatchPoints()
	}
	for o := tournament.Win; o <= tournament.PairingBye; o++ {
		lo, hi = min(lo, int(points.Of(o))), max(hi, int(points.Of(o)))
	}
	for i, id := range ids {
		left := t.Settings.Rounds - len(t.Rounds)
		for _, r := range t.Rounds {
			if p, sits := r.BoardOf(id); sits && p.Result.IsPending() {
				left++
			}
			for i, m := range r.Teams {
				if m.SeatOf(id).Valid() && t.ScoreOf(r, i+1)[0].Outcome == tournament.Unfinished {
					left++
				}
			}
		}
		least, most = append(least, now[i].Points+left*lo), append(most, now[i].Points+left*hi)
	}
	return least, most
}
