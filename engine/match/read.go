package match

import (
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Phase returns the current phase.
func (g Game) Phase() Phase { return g.phase }

// Bids returns the bidding phase; in the board phase, as it ended.
func (g Game) Bids() bidding.State { return g.bids }

// Claims returns how claims are made.
func (g Game) Claims() Claims { return g.claims }

// Acts returns the number of acts accepted so far.
func (g Game) Acts() int { return g.acts }

// PendingDraw returns the draw that has to come next, if there is one (Rules D22).
func (g Game) PendingDraw() (bidding.Target, bool) {
	if g.phase != PhaseBidding {
		return 0, false
	}
	return g.bids.Pending()
}

// Turn returns who bids or moves next. It reports false when the game is over, and while the
// draws at the end of the bidding are pending.
func (g Game) Turn() (Seat, bool) {
	switch g.phase {
	case PhaseBidding:
		return g.bids.Turn()
	case PhaseBoard:
		return g.SeatOf(g.pos.Turn()), true
	}
	return 0, false
}

// OnBoard reports whether the board phase has begun, even if the game is over.
func (g Game) OnBoard() bool { return g.start != nil }

// Terms returns the terms of the board phase, and whether it has begun.
func (g Game) Terms() (bidding.Terms, bool) { return g.terms, g.OnBoard() }

// Position returns the position on the board; zero before the board phase.
func (g Game) Position() board.Position { return g.pos }

// Color returns the color of a seat on the board. It means nothing before the board phase.
func (g Game) Color(by Seat) board.Color {
	if by == g.terms.White {
		return board.White
	}
	return board.Black
}

// SeatOf returns who plays a color; 0 before the board phase.
func (g Game) SeatOf(c board.Color) Seat {
	switch {
	case !g.OnBoard():
		return 0
	case c == board.White:
		return g.terms.White
	}
	return g.terms.White.Other()
}

// Points returns the Chpok points by seat, including the penalty for a fallen flag.
func (g Game) Points() [2]int {
	if !g.OnBoard() {
		return [2]int{}
	}
	var points [2]int
	for _, by := range Seats {
		points[by.Index()] = g.pos.Points(g.Color(by)) - g.penalty[by.Index()]
	}
	return points
}

// margin returns White's points − Black's (Rules 4), without flag penalties.
func (g Game) margin() int { return g.pos.Points(board.White) - g.pos.Points(board.Black) }

// UndosLeft returns the undos that a seat has left (Rules 7.3).
func (g Game) UndosLeft(by Seat) int { return g.terms.Features.Undos - g.undos[by.Index()] }

// MayUndo returns nil, or the *Refusal that an undo would get now.
func (g Game) MayUndo(by Seat) error {
	_, err := g.Do(Undone{by})
	return err
}

// Result returns how the game ended; zero before.
func (g Game) Result() Result { return g.result }

// Plies returns the plies of the game in order, without what was taken back.
func (g Game) Plies() []Ply { return g.line.list() }

// PlyCount returns the number of Plies.
func (g Game) PlyCount() int { return g.line.len() }

// LastPly returns the last of Plies, if there is one.
func (g Game) LastPly() (Ply, bool) {
	if g.line == nil {
		return Ply{}, false
	}
	return g.line.ply(), true
}

// Positions returns the positions from the start to now, one more than Plies; none before the
// board phase.
func (g Game) Positions() []board.Position {
	if !g.OnBoard() {
		return nil
	}
	list := make([]board.Position, 1, g.line.len()+1)
	list[0] = *g.start
	for _, p := range g.line.list() {
		next, _ := list[len(list)-1].PlayUnchecked(p.Action)
		list = append(list, next)
	}
	return list
}

// Sources holds a player's points by source (Rules 2).
type Sources struct {
	Kings int // kings captured, removed by their owner, or counted for the hill or the run
	Ranks int // relative ranks 5 to 8
	Types int // by type of the piece (Rules 7.4)
	Flag  int // 0 or −5000
}

// Total returns the sum of the sources.
func (s Sources) Total() int { return s.Kings + s.Ranks + s.Types + s.Flag }

// Sources returns the points by source, by seat.
func (g Game) Sources() [2]Sources {
	var s [2]Sources
	for _, p := range g.line.list() {
		mine, theirs := &s[p.Seat.Index()], &s[p.Seat.Other().Index()]
		mine.Ranks += p.Effect.RankPoints
		mine.Types += p.Effect.MovePoints
		if p.Action.Kind() == board.Removal {
			theirs.Kings += p.Effect.KingPoints // Rules D18
		} else {
			mine.Kings += p.Effect.KingPoints
		}
	}
	for i, lost := range g.penalty {
		s[i].Flag = -lost
	}
	return s
}

// Captured returns the pieces that left the board in order, by capture (a fierce king's own
// included) or by removal. The index is the color of the piece.
func (g Game) Captured() [2][]board.Piece {
	var gone [2][]board.Piece
	for _, p := range g.line.list() {
		if piece := p.Effect.Captured; !piece.IsEmpty() {
			gone[piece.Color()] = append(gone[piece.Color()], piece)
		}
	}
	return gone
}
