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
	scorers, err := boardPlayers(t)
	if err != nil {
		return out, err
	}
	for _, x := range scorers {
		players = append(players, x.player)
	}
	result := prize.Allot(t.Prizes, players)
	out.Left, out.Paid = result.Left, result.Paid()
	for _, a := range result.Awards {
		if t.Prizes.IsOfBoard(a.List) {
			x := scorers[a.Number]
			out.Lines = append(out.Lines, PrizeLine{a, x.Entry, x.Rank, x.Points})
			continue
		}
		l := lines[a.Number]
		out.Lines = append(out.Lines, PrizeLine{a, l.Entry, l.Rank, l.Score})
	}
	return out, nil
}

// boardPlayer is a player of a team as prizes of boards see them.
type boardPlayer struct {
	format.Scorer
	player prize.Player
}

// boardPlayers returns who can win prizes of boards, by their numbers; none where there are no such prizes. Who played too few games
// has no place on their board, and who left with their team left.
func boardPlayers(t *tournament.Tournament) (map[int]boardPlayer, error) {
	if last, reserves := t.Prizes.Boards(); last == 0 && !reserves {
		return nil, nil
	}
	list, err := format.Scorers(t)
	players := make(map[int]boardPlayer, len(list))
	for _, x := range list {
		if x.Rank == 0 {
			continue
		}
		p := PrizePlayer(t, x.Entry)
		p.Number, p.Rank, p.Score, p.Board = x.Number, x.Rank, int(x.Points), x.Board
		if x.Board > t.Teams.Boards {
			p.Board = prize.Reserves
		}
		p.Out = p.Out || x.Team.Status == tournament.Withdrawn || x.Team.Expelled
		players[x.Number] = boardPlayer{x, p}
	}
	return players, err
}

// PrizeList names a list of prizes for programs: "places", "under 1500", "club Dragon",
// "youth 2010", "board 2", "reserve".
func PrizeList(f prize.Fund, list int) string {
	if list == 0 {
		return "places"
	}
	c := f.Categories[list-1]
	switch c.Kind {
	case prize.Club:
		return string(c.Kind) + " " + c.Club
	case prize.Reserve:
		return string(c.Kind)
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
