package tables

import (
	"fmt"
	"strconv"

	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/prize"
)

// PrizeLine is a prize and who gets it.
type PrizeLine struct {
	prize.Award
	Entry tournament.Entry
	Rank  int
	Score tournament.Score
}

// Prizes is who gets what from a tournament's fund, by the present standings.
type Prizes struct {
	Lines []PrizeLine
	Left  []prize.Left
	Paid  int64
}

// PrizePlayer is an entry as the prize rules see it, without its place. Bots win nothing.
func PrizePlayer(t *tournament.Tournament, e tournament.Entry) prize.Player {
	return prize.Player{
		Number: e.Number, Rating: e.Rating, Club: e.Club, Born: e.Born,
		Out: e.Bot || e.Status == tournament.Withdrawn || e.Expelled || !t.HasPlayed(e.ID),
	}
}

// AllotPrizes distributes the fund by the present standings. Nothing is stored, so a
// corrected result corrects the prizes.
func AllotPrizes(t *tournament.Tournament) (Prizes, error) {
	var out Prizes
	if t.Prizes.IsZero() || len(t.Rounds) == 0 {
		return out, nil
	}
	table, err := format.Standings(t, -1)
	if err != nil {
		return out, err
	}
	players, lines := make([]prize.Player, len(table.Lines)), make(map[int]format.Standing, len(table.Lines))
	for i, l := range table.Lines {
		p := PrizePlayer(t, l.Entry)
		p.Number, p.Rank, p.Score = l.Number, l.Rank, int(l.Score)
		if t.Format.HasOwnOrder() && t.Format.InRounds() {
			p.Score = -l.Rank // those who share a place share its prize, whatever their byes
		}
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

// PrizeList names a list of prizes for programs: "places", "under 1500", "club Dragon",
// "youth 2010".
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

// PrizeRows are the prizes as a table for files, with a heading row.
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
