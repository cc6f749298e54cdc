package match

// ClaimSteps is over how many Black moves a margin is looked at (Rules 4, D4).
const ClaimSteps = 20

// winClaim is for whom a win claim holds at the latest sample (Rules 4.2, D30).
func (g Game) winClaim() (Seat, bool) {
	margin, up, down := g.line.sample()
	white := g.terms.White
	switch {
	case margin > 0 && up >= ClaimSteps:
		return white, true
	case margin < 0 && down >= ClaimSteps:
		return white.Other(), true
	}
	return 0, false
}

// drawClaim reports whether the last 21 samples are equal (Rules 4.1).
func (g Game) drawClaim() bool {
	_, up, down := g.line.sample()
	return up >= ClaimSteps && down >= ClaimSteps
}

// MayClaimWin is who could claim a win now; never under automatic claims (Rules D27).
func (g Game) MayClaimWin() (Seat, bool) {
	if g.phase != PhaseBoard || g.claims != Manual {
		return 0, false
	}
	return g.winClaim()
}

// MayClaimDraw reports whether either player could claim a draw now; never under
// automatic claims (Rules D27).
func (g Game) MayClaimDraw() bool {
	return g.phase == PhaseBoard && g.claims == Manual && g.drawClaim()
}

// ClaimCount is how near the claims are (Rules 4).
type ClaimCount struct {
	Margin int // White's points − Black's at the latest sample
	Rising int // Black moves in a row over which the margin did not fall
	Steady int // and over which it did not change

	// WinFor is for whom the win claim counts, who leads at the sample; none
	// when level. WinIn and DrawIn are the Black moves until the claim holds if
	// the margin stays as it is; 0 when it holds.
	WinFor Seat
	WinIn  int
	DrawIn int
}

// ClaimCount tells how near the claims are.
func (g Game) ClaimCount() ClaimCount {
	margin, up, down := g.line.sample()
	c := ClaimCount{Margin: margin, Rising: up, Steady: min(up, down)}
	c.DrawIn = max(0, ClaimSteps-c.Steady)
	switch {
	case margin > 0:
		c.WinFor, c.WinIn = g.terms.White, max(0, ClaimSteps-up)
	case margin < 0:
		c.WinFor, c.WinIn = g.terms.White.Other(), max(0, ClaimSteps-down)
	}
	return c
}
