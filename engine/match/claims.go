package match

// ClaimSteps is the number of Black moves that a claim looks at (Rules 4, D4).
const ClaimSteps = 20

// winClaim returns the seat for which a win claim holds now, if any (Rules 4.2, D30).
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

// drawClaim reports whether a draw claim holds now (Rules 4.1).
func (g Game) drawClaim() bool {
	_, up, down := g.line.sample()
	return up >= ClaimSteps && down >= ClaimSteps
}

// MayClaimWin returns who can claim a win now, if anybody; nobody under automatic claims (Rules
// D27).
func (g Game) MayClaimWin() (Seat, bool) {
	if g.phase != PhaseBoard || g.claims != Manual {
		return 0, false
	}
	return g.winClaim()
}

// MayClaimDraw reports whether a player can claim a draw now; never under automatic claims
// (Rules D27).
func (g Game) MayClaimDraw() bool {
	return g.phase == PhaseBoard && g.claims == Manual && g.drawClaim()
}

// ClaimCount is the progress of claims (Rules 4).
type ClaimCount struct {
	Margin int // White's points − Black's after the latest Black move
	Rising int // latest Black moves over which the margin did not fall
	Steady int // latest Black moves over which it did not change

	// WinFor is the leader; 0 when level. WinIn and DrawIn are the Black moves until a
	// claim holds if the margin stays the same; 0 if it holds.
	WinFor Seat
	WinIn  int
	DrawIn int
}

// ClaimCount returns the progress of claims.
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
