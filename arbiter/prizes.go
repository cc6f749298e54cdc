package arbiter

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
)

// PrizeLine is a prize with who gets it.
type PrizeLine struct {
	prize.Award
	Entry tournament.Entry
	Rank  int
	Score tournament.Score
}

// Prizes is who gets what of a tournament's fund as it stands.
type Prizes struct {
	Lines []PrizeLine
	Left  []prize.Left
	Paid  int64
}

// PrizePlayer is an entry as prizes see it, without its place. Programs win nothing.
func PrizePlayer(t *tournament.Tournament, e tournament.Entry) prize.Player {
	return prize.Player{
		Number: e.Number, Rating: e.Rating, Club: e.Club, Born: e.Born,
		Out: e.Bot || e.Status == tournament.Withdrawn || e.Expelled || !t.HasPlayed(e.ID),
	}
}

// AllotPrizes gives the fund away by the standings of now: nothing is kept, so a
// corrected result corrects the prizes.
func AllotPrizes(t *tournament.Tournament) (Prizes, error) {
	var out Prizes
	if t.Prizes.IsZero() || len(t.Rounds) == 0 {
		return out, nil
	}
	table, err := Standings(t, -1)
	if err != nil {
		return out, err
	}
	players, lines := make([]prize.Player, len(table.Lines)), make(map[int]Standing, len(table.Lines))
	for i, l := range table.Lines {
		p := PrizePlayer(t, l.Entry)
		p.Number, p.Rank, p.Score = l.Number, l.Rank, int(l.Score)
		players[i], lines[l.Number] = p, l
	}
	result := prize.Allot(t.Prizes, players)
	out.Left, out.Paid = result.Left, result.Paid()
	for _, a := range result.Awards {
		l := lines[a.Number]
		out.Lines = append(out.Lines, PrizeLine{a, l.Entry, l.Rank, l.Score})
	}
	return out, nil
}

// PrizeChange is what somebody gets instead of something else.
type PrizeChange struct {
	Entry   tournament.Entry
	Was, Is int64
}

// PrizeChanges compares what two states of a tournament give away, the largest first.
func PrizeChanges(before, after *tournament.Tournament) (list []PrizeChange, err error) {
	was, err := AllotPrizes(before)
	if err != nil {
		return nil, err
	}
	is, err := AllotPrizes(after)
	if err != nil {
		return nil, err
	}
	at := map[tournament.EntryID]int{}
	of := func(e tournament.Entry) *PrizeChange {
		if _, known := at[e.ID]; !known {
			at[e.ID] = len(list)
			list = append(list, PrizeChange{Entry: e})
		}
		return &list[at[e.ID]]
	}
	for _, l := range is.Lines {
		of(l.Entry).Is += l.Amount
	}
	for _, l := range was.Lines {
		of(l.Entry).Was += l.Amount
	}
	list = slices.DeleteFunc(list, func(c PrizeChange) bool { return c.Was == c.Is })
	slices.SortStableFunc(list, func(a, b PrizeChange) int { return cmp.Or(cmp.Compare(b.Is, a.Is), cmp.Compare(b.Was, a.Was)) })
	return list, nil
}

// SignedBefore is a tournament as it was signed off before its present state; nil:
// it never was.
func SignedBefore(t *tournament.Tournament, deeds []tournament.Deed) (*tournament.Tournament, error) {
	signed := 0
	if t.Status == tournament.Finalized {
		signed = -1 // the last one holds
	}
	for i := len(deeds) - 1; i >= 0; i-- {
		if deeds[i].Act != tournament.ActFinalize {
			continue
		}
		if signed++; signed == 1 {
			return tournament.At(deeds, deeds[i].Seq)
		}
	}
	return nil, nil
}

// SetPrizes changes what a tournament gives away.
func (a *Arbiter) SetPrizes(ctx context.Context, by player.Viewer, id tournament.ID, f prize.Fund) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActPrizes}, func(t *tournament.Tournament) error { return t.SetPrizes(by, f) })
	return err
}

// DeclareBorn notes the year an entry says it was born in; 0 takes it back.
func (a *Arbiter) DeclareBorn(ctx context.Context, by player.Viewer, id tournament.ID, e tournament.EntryID, year int) error {
	_, err := a.change(ctx, id, act{By: by, Act: tournament.ActDeclare},
		func(t *tournament.Tournament) error { return t.DeclareBorn(by, e, year) })
	return err
}

// PrizeList names a list of prizes for programs: "places", "under 1500", "club
// Dragon", "youth 2010".
func PrizeList(f prize.Fund, list int) string {
	if list == 0 {
		return "places"
	}
	c := f.Categories[list-1]
	if c.Kind == prize.Club {
		return string(c.Kind) + " " + c.Club
	}
	return fmt.Sprintf("%s %d", c.Kind, c.Bound)
}

// PrizeRows is the list of prizes as a table for files, with its head.
func PrizeRows(t *tournament.Tournament, allotted Prizes) [][]string {
	rows := [][]string{{"list", "place", "rank", "number", "player", "amount", "currency", "prize-of-place", "shared-by", "pool",
		"rounded-up"}}
	money := func(n int64) string { return prize.Plain(n, t.Prizes.Currency) }
	for _, l := range allotted.Lines {
		place := ""
		if l.Place > 0 {
			place = strconv.Itoa(l.Place)
		}
		rows = append(rows, []string{
			PrizeList(t.Prizes, l.List), place, strconv.Itoa(l.Rank), strconv.Itoa(l.Number), l.Entry.Name, money(l.Amount), t.Prizes.Currency,
			money(l.Own), strconv.Itoa(l.Shared), money(l.Pool), money(l.Rounded),
		})
	}
	for _, l := range allotted.Left {
		rows = append(rows, []string{PrizeList(t.Prizes, l.List), strconv.Itoa(l.Place), "", "", "", money(0), t.Prizes.Currency,
			money(l.Amount), "0", "", ""})
	}
	return rows
}
