package arena

import (
	"cmp"
	"slices"

	"chpok.org/chpok/rating"
)

// Outcome is the outcome of a match for one player.
type Outcome uint8

const (
	Playing Outcome = iota // not over yet
	Win
	Draw
	Loss
	WinByForfeit // the opponent did not come
	Absent       // the player did not come
)

// Game is one match. Games are in the order in which they were paired, which is the order
// each player played them in.
type Game struct {
	Board    int // in that order, from 1
	Players  [2]int
	Outcomes [2]Outcome
	Claimed  bool // a draw by claim (Rules 4.1)
}

// Player is a player in the table.
type Player struct{ ID, Rating int }

// Points. A claimed draw earns nothing if the player has not won since their last draw, or
// two could collect points by moving to and fro.
const (
	winWorth, drawWorth = 2, 1
	streakFrom          = 2 // wins in a row after which points double
)

// Cell is one match on a player's score sheet.
type Cell struct {
	Board, Opponent int
	First           bool // opened the bidding
	Outcome         Outcome
	Points          int
	Double          bool // on a streak
	Vain            bool // a claimed draw that earned nothing
}

// Line is a player's line in the table, with their score sheet.
type Line struct {
	Rank        int // shared by equal players
	ID          int
	Score       int
	Wins        int
	Games       int // finished ones, forfeits included
	Performance int // rating performance against rated opponents; 0: none
	Streak      bool
	Cells       []Cell

	wins           int  // in a row
	drawn          bool // since the last win
	firsts, strike int  // as in Waiting
	against        []int
	halves         int // half points against rated opponents
	rating         int
}

// Waits returns the player as one who waits; the caller sets Since.
func (l Line) Waits() Waiting {
	w := Waiting{ID: l.ID, Rank: l.Rank, Rating: l.rating, Firsts: l.firsts, Strike: l.strike}
	for i := len(l.Cells) - 1; i >= 0 && len(w.Latest) < recent; i-- {
		w.Latest = append(w.Latest, l.Cells[i].Opponent)
	}
	return w
}

// Table ranks the players by score, then wins, then fewer matches, then performance against
// rated opponents. Players equal in all of these share a rank and are listed by rating and
// id.
func Table(players []Player, games []Game) []Line {
	lines := make([]Line, len(players))
	of := make(map[int]*Line, len(players))
	for i, p := range players {
		lines[i] = Line{ID: p.ID, rating: p.Rating}
		of[p.ID] = &lines[i]
	}
	for _, g := range games {
		if a, b := of[g.Players[0]], of[g.Players[1]]; a != nil && b != nil {
			a.add(g, 0, b.rating)
			b.add(g, 1, a.rating)
		}
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
		lines[i].Rank = i + 1
		if i > 0 && order(lines[i-1], lines[i]) == 0 {
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
	if c.Outcome <= Loss { // a forfeited board had no seats
		l.sat(1 - 2*side)
	}
	c.Double = l.wins >= streakFrom
	switch c.Outcome {
	case Win:
		c.Points, l.wins, l.drawn = winWorth, l.wins+1, false
		l.Wins++
	case Draw:
		c.Points = drawWorth
		if l.drawn && g.Claimed {
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

// sat counts a seat: 1 for First, -1 for Second.
func (l *Line) sat(step int) {
	l.firsts += step
	if l.strike*step > 0 {
		l.strike += step
	} else {
		l.strike = step
	}
}

// Finished returns the points of a line's finished matches, in order.
func (l Line) Finished() []int {
	points := []int{}
	for _, c := range l.Cells {
		if c.Outcome != Playing {
			points = append(points, c.Points)
		}
	}
	return points
}
