package arena

import (
	"cmp"
	"slices"

	"chpok.org/chpok/rating"
)

// Outcome is what a match gave one of its two.
type Outcome uint8

const (
	Playing Outcome = iota // not over yet
	Win
	Draw
	Loss
	WinByForfeit // the opponent did not come
	Absent       // did not come oneself
)

// Game is one match. Games count in the order in which they were paired: nobody plays
// two at a time.
type Game struct {
	Board    int // in that order, from 1
	Players  [2]int
	Outcomes [2]Outcome
	Claimed  bool // a draw that was claimed: nobody scored for as long as the rules ask
}

// Player is who stands in the table.
type Player struct{ ID, Rating int }

// What results are worth. A claimed draw is worth nothing where no win has come since
// the last draw: two could make one after another by moving to and fro.
const (
	winWorth, drawWorth = 2, 1
	streakFrom          = 2 // so many wins running double what follows
)

// Cell is one match of a player's sheet.
type Cell struct {
	Board, Opponent int
	First           bool // opened the bidding
	Outcome         Outcome
	Points          int
	Double          bool // on a streak
	Vain            bool // a claimed draw after another, worth nothing
}

// Line is a player's place with the sheet it comes from.
type Line struct {
	Rank        int // shared where nothing tells apart
	ID          int
	Score       int
	Wins        int
	Games       int // that are over, forfeits too
	Performance int // over rated opponents; 0: none
	Streak      bool
	Cells       []Cell

	wins           int  // running
	drawn          bool // since the last win
	firsts, strike int
	against        []int
	halves         int
	rating         int
}

// Waits is the line as somebody who waits.
func (l Line) Waits() Waiting {
	w := Waiting{ID: l.ID, Rank: l.Rank, Rating: l.rating, Firsts: l.firsts, Strike: l.strike}
	for i := len(l.Cells) - 1; i >= 0 && len(w.Latest) < recent; i-- {
		w.Latest = append(w.Latest, l.Cells[i].Opponent)
	}
	return w
}

// Table is the order of all players: score, then wins, then fewer matches, then the
// performance against rated opponents; whoever is equal in all shares the place and
// stands by rating and number.
func Table(players []Player, games []Game) []Line {
	lines := make([]Line, len(players))
	most := 0
	for _, p := range players {
		most = max(most, p.ID)
	}
	at := make([]int, most+1) // places in lines, from 1
	for i, p := range players {
		lines[i] = Line{ID: p.ID, rating: p.Rating}
		at[p.ID] = i + 1
	}
	line := func(id int) *Line {
		if id < 0 || id > most || at[id] == 0 {
			return nil
		}
		return &lines[at[id]-1]
	}
	for _, g := range games {
		a, b := line(g.Players[0]), line(g.Players[1])
		if a == nil || b == nil {
			continue
		}
		a.add(g, 0, b.rating)
		b.add(g, 1, a.rating)
	}
	for i := range lines {
		if l := &lines[i]; len(l.against) > 0 {
			l.Performance, _ = rating.Performance(l.against, l.halves)
		}
		lines[i].Streak = lines[i].wins >= streakFrom
	}
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(order(a, b), cmp.Compare(b.rating, a.rating), cmp.Compare(a.ID, b.ID))
	})
	for i := range lines {
		if lines[i].Rank = i + 1; i > 0 && order(lines[i-1], lines[i]) == 0 {
			lines[i].Rank = lines[i-1].Rank
		}
	}
	return lines
}

func order(a, b Line) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Wins, a.Wins), cmp.Compare(a.Games, b.Games),
		cmp.Compare(b.Performance, a.Performance))
}

// add writes one match into a sheet.
func (l *Line) add(g Game, side, opponentRating int) {
	c := Cell{Board: g.Board, Opponent: g.Players[1-side], First: side == 0, Outcome: g.Outcomes[side]}
	if c.Outcome <= Loss { // at a board nobody came to nobody sat
		l.sat(1 - 2*side)
	}
	c.Double = l.wins >= streakFrom
	switch c.Outcome {
	case Win:
		c.Points, l.wins, l.drawn = winWorth, l.wins+1, false
		l.Wins++
	case Draw:
		if c.Points = drawWorth; l.drawn && g.Claimed {
			c.Points, c.Vain = 0, true
		}
		l.wins, l.drawn = 0, true
	case WinByForfeit:
		c.Points, c.Double = winWorth, false
		l.Wins++
	case Loss, Absent:
		l.wins = 0
	}
	if c.Double = c.Double && c.Points > 0; c.Double {
		c.Points *= 2
	}
	if c.Outcome != Playing {
		l.Score += c.Points
		l.Games++
	}
	if c.Outcome >= Win && c.Outcome <= Loss && opponentRating > 0 {
		l.against = append(l.against, opponentRating)
		l.halves += [...]int{Win: 2, Draw: 1, Loss: 0}[c.Outcome]
	}
	l.Cells = append(l.Cells, c)
}

// sat counts a seat: 1 for who opened the bidding, -1 for the other.
func (l *Line) sat(step int) {
	if l.firsts += step; l.strike*step > 0 {
		l.strike += step
	} else {
		l.strike = step
	}
}
