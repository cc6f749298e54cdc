package match

import (
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Phase is where the game stands.
func (g Game) Phase() Phase { return g.phase }

// Bids is the bidding phase, kept as it ended once the board phase has begun.
func (g Game) Bids() bidding.State { return g.bids }

// Claims is how claims are made.
func (g Game) Claims() Claims { return g.claims }

// Acts is how many acts were accepted so far.
func (g Game) Acts() int { return g.acts }

// PendingDraw is the draw that is due now, before which nothing else may
// happen (Rules D22).
func (g Game) PendingDraw() (bidding.Target, bool) {
	if g.phase != PhaseBidding {
		return 0, false
	}
	return g.bids.Pending()
}

// Turn is who bids or moves next; false at the end, and while the draws at the
// end of the bidding are due.
func (g Game) Turn() (Seat, bool) {
	switch g.phase {
	case PhaseBidding:
		return g.bids.Turn()
	case PhaseBoard:
		return g.SeatOf(g.pos.Turn()), true
	}
	return 0, false
}

// OnBoard reports whether the board phase was reached, whatever followed.
func (g Game) OnBoard() bool { return g.start != nil }

// Terms is on what the board phase is played; false before it.
func (g Game) Terms() (bidding.Terms, bool) { return g.terms, g.OnBoard() }

// Position is the position on the board; the zero value before the board phase.
func (g Game) Position() board.Position { return g.pos }

// Colour is the colour a seat plays on the board; it counts only when OnBoard.
func (g Game) Colour(by Seat) board.Color {
	if by == g.terms.White {
		return board.White
	}
	return board.Black
}

// SeatOf is who plays a colour; none before the board phase.
func (g Game) SeatOf(c board.Color) Seat {
	switch {
	case !g.OnBoard():
		return 0
	case c == board.White:
		return g.terms.White
	}
	return g.terms.White.Other()
}

// Points are the Chpok points by seat, a fallen flag included.
func (g Game) Points() [2]int {
	if !g.OnBoard() {
		return [2]int{}
	}
	var points [2]int
	for _, by := range [...]Seat{First, Second} {
		points[by.Index()] = g.pos.Points(g.Colour(by)) - g.penalty[by.Index()]
	}
	return points
}

// margin is White's points − Black's (Rules 4); no flag has fallen when it is taken.
func (g Game) margin() int { return g.pos.Points(board.White) - g.pos.Points(board.Black) }

// UndosLeft is how many undos a seat has left (Rules 7.3).
func (g Game) UndosLeft(by Seat) int { return g.terms.Features.Undos - g.undos[by.Index()] }

// MayUndo is nil when the player to move may take back two plies now, else a
// *Refusal that says why not.
func (g Game) MayUndo(by Seat) error {
	_, err := g.Do(Undone{by})
	return err
}

// Result is how the game ended; the zero value before.
func (g Game) Result() Result { return g.result }

// Plies is the game as it stands, from the first ply; what was taken back is
// not in it.
func (g Game) Plies() []Ply { return g.line.list() }

// PlyCount is the length of Plies.
func (g Game) PlyCount() int { return g.line.len() }

// LastPly is the last ply of the game as it stands; false without one.
func (g Game) LastPly() (Ply, bool) {
	if g.line == nil {
		return Ply{}, false
	}
	return g.line.ply(), true
}

// Positions are the positions from the start to now, one more than plies; none
// before the board phase.
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

// Sources are one player's points by where they came from (Rules 2).
type Sources struct {
	Kings int // kings taken, removed by their owner, or counted for the hill or the run
	Ranks int // relative ranks 5 to 8
	Types int // feature 7.4
	Flag  int // 0 or −5000
}

// Total is the sum of the sources.
func (s Sources) Total() int { return s.Kings + s.Ranks + s.Types + s.Flag }

// Sources are the points by source, by seat.
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

// Captured are the pieces that left the board, in their order: by capture,
// fierce kings' own ones included, and by removal. Index by colour of the piece.
func (g Game) Captured() [2][]board.Piece {
	var gone [2][]board.Piece
	for _, p := range g.line.list() {
		if piece := p.Effect.Captured; !piece.IsEmpty() {
			gone[piece.Color()] = append(gone[piece.Color()], piece)
		}
	}
	return gone
}
