package search

import (
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// claims tells how near the claims of Rules 4 are: White's lead after Black's last move,
// and for how many of Black's moves it has not fallen and not risen.
type claims struct{ margin, up, down int }

// after returns the claims after a Black move.
func (c claims) after(margin int) claims {
	next := claims{margin, c.up + 1, c.down + 1}
	if margin < c.margin {
		next.up = 0
	}
	if margin > c.margin {
		next.down = 0
	}
	return next
}

// holds reports whether one of the claims is valid (Rules 4).
func (c claims) holds() bool {
	switch {
	case c.margin > 0:
		return c.up >= match.ClaimSteps
	case c.margin < 0:
		return c.down >= match.ClaimSteps
	}
	return c.up >= match.ClaimSteps && c.down >= match.ClaimSteps
}

// Root is where a search starts: a position, and how near claims are.
type Root struct {
	Position board.Position
	claims   claims
}

// RootOf returns the root for a match's board phase.
func RootOf(g match.Game) Root {
	root := Root{Position: g.Position()}
	white := g.SeatOf(board.White)
	for _, p := range g.Plies() {
		if p.Color == board.Black {
			root.claims = root.claims.after(p.Points[white.Index()] - p.Points[white.Other().Index()])
		}
	}
	return root
}

// Play returns the root after an action of its position's Moves.
func (r Root) Play(a board.Action) Root {
	mover := r.Position.Turn()
	r.Position, _ = r.Position.PlayUnchecked(a)
	if mover == board.Black {
		r.claims = r.claims.after(r.Position.Points(board.White) - r.Position.Points(board.Black))
	}
	return r
}

// Over returns how the game ended for White under automatic claims: 1 won, 0 drawn, -1
// lost; false while it goes on. It ignores undos and clocks.
func (r Root) Over() (white int, over bool) {
	p := &r.Position
	if !p.IsOver() && (p.Turn() == board.Black || p.FullMove() <= p.Features().MoveLimit && !r.claims.holds()) {
		return 0, false
	}
	switch lead := p.Points(board.White) - p.Points(board.Black); {
	case lead > 0:
		return 1, true
	case lead < 0:
		return -1, true
	}
	return 0, true
}

// RootAt returns the root of a position with the given Streak.
func RootAt(p board.Position, streak [3]int) Root {
	return Root{p, claims{streak[0], streak[1], streak[2]}}
}

// Streak returns White's lead after Black's last move, and for how many of Black's moves
// it has not fallen and not risen.
func (r Root) Streak() [3]int { return [3]int{r.claims.margin, r.claims.up, r.claims.down} }

// ClaimIn returns who leads, and after how many more of Black's moves that side may claim
// a win (Rules 4.2); false if nobody leads.
func (r Root) ClaimIn() (leads board.Color, moves int, ok bool) {
	switch c := r.claims; {
	case c.margin > 0:
		return board.White, max(0, match.ClaimSteps-c.up), true
	case c.margin < 0:
		return board.Black, max(0, match.ClaimSteps-c.down), true
	}
	return 0, 0, false
}
