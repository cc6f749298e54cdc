package leagues

import (
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/league"
)

// Ranks returns the final places that are still possible in a division that is played, by entry. Whoever has left, or
// whose results are left out, has none.
func Ranks(t *tournament.Tournament) map[tournament.EntryID]league.Ranks {
	table, err := format.Standings(t, -1)
	if err != nil || !t.Format.MeetsAll() || t.Status != tournament.Running {
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
	meet := 1
	if t.Double {
		meet = 2
	}
	played := map[league.Game]int{}
	for _, p := range t.AllBoards() {
		a, is := at[p.First]
		b, plays := at[p.Second]
		if is && plays && !p.Result.IsPending() {
			played[league.Game{min(a, b), max(a, b)}]++
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
		return league.Worth{int(t.Points.Of(a)), int(t.Points.Of(b))}
	}
	worth := []league.Worth{w(tournament.Win, tournament.Loss), w(tournament.Draw, tournament.Draw), w(tournament.Loss, tournament.Win),
		w(tournament.ForfeitLoss, tournament.ForfeitLoss)}
	if t.Points.ForfeitWin != t.Points.Win || t.Points.ForfeitLoss != t.Points.Loss {
		worth = append(worth, w(tournament.ForfeitWin, tournament.ForfeitLoss), w(tournament.ForfeitLoss, tournament.ForfeitWin))
	}
	out := map[tournament.EntryID]league.Ranks{}
	for i, r := range league.PossibleRanks(now, left, worth) {
		out[ids[i]] = r
	}
	return out
}
