package match

import (
	"fmt"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// FlagPenalty is the cost in points of running out of time on the board (Rules 2).
const FlagPenalty = 5000

// Phase is a phase of the game.
type Phase uint8

const (
	PhaseBidding Phase = iota
	PhaseBoard
	PhaseOver
)

// String returns the phase's name in the output of replay (Rules 11).
func (p Phase) String() string {
	return [...]string{"bidding", "board", "finished"}[p]
}

// Rules are the settings of a game that bidding does not decide.
type Rules struct {
	Chips    int    // of each player, 1…99
	Extra    [2]int // handicap, by seat; see bidding.ValidExtra
	Claims   Claims
	Defaults board.Features // Rules D20
}

// Game is a game without clocks, as live play and the replay of a record share it. It is an
// immutable value.
type Game struct {
	claims  Claims
	phase   Phase
	bids    bidding.State
	terms   bidding.Terms
	start   *board.Position // start of the board phase; never written
	pos     board.Position
	line    *ply // last ply, without what was taken back
	undos   [2]int
	penalty [2]int
	result  Result
	acts    int // accepted so far
}

// NewGame starts a game.
func NewGame(r Rules) (Game, error) {
	if r.Chips < bidding.MinChips || r.Chips > bidding.MaxChips {
		return Game{}, fmt.Errorf("chips must be %d…%d, not %d", bidding.MinChips, bidding.MaxChips, r.Chips)
	}
	if err := r.Defaults.Validate(); err != nil {
		return Game{}, fmt.Errorf("defaults: %w", err)
	}
	if err := bidding.ValidExtra(r.Extra); err != nil {
		return Game{}, err
	}
	return Game{claims: r.Claims, bids: bidding.Start(r.Chips, r.Defaults).WithExtra(r.Extra)}, nil
}

// Do returns the game after an act, or the same game and a *Refusal. Acts are BidPlaced, Drawn,
// Played, Undone, Claimed, Resigned and FlagFell.
func (g Game) Do(act Event) (Game, error) {
	if err := g.mayAct(act); err != nil {
		return g, err
	}
	next, err := g, error(nil)
	switch e := act.(type) {
	case BidPlaced:
		next.bids, err = g.bids.Place(e.Seat, e.Bid)
		next.openBoard()
	case Drawn:
		next.bids, err = g.bids.Draw(e.Draw)
		next.openBoard()
	case Played:
		err = next.play(e)
	case Undone:
		err = next.undo(e.Seat)
	case Claimed:
		err = next.claim(e)
	case Resigned:
		next.end(WinOf(e.Seat.Other()), Resignation)
	case FlagFell:
		err = next.flag(e.Seat)
	}
	if err != nil {
		return g, err
	}
	next.acts++
	return next, nil
}

// mayAct refuses acts that the phase or a pending draw rules out.
func (g Game) mayAct(act Event) error {
	if g.phase == PhaseOver {
		return ErrOver
	}
	_, isDraw := act.(Drawn)
	if due, ok := g.PendingDraw(); ok && !isDraw {
		return refuse(bidding.DrawPending, "the draw of %s comes first", due) // Rules D22
	}
	inBidding, inBoard := true, true
	switch act.(type) {
	case Drawn:
		if g.phase != PhaseBidding {
			return refuse(bidding.NoDrawPending, "no draw is due")
		}
		return nil
	case BidPlaced:
		inBoard = false
	case Played, Undone, Claimed:
		inBidding = false
	case Resigned, FlagFell:
	default:
		return refuse(bidding.Malformed, "%T is not an act of the game", act)
	}
	switch {
	case !ActorOf(act).Valid():
		return refuse(UnknownPlayer, "no such player")
	case g.phase == PhaseBidding && !inBidding:
		return refuse(NotBoard, "the board phase has not begun")
	case g.phase == PhaseBoard && !inBoard:
		return refuse(bidding.NotBidding, "the bidding is over")
	}
	return nil
}

// openBoard begins the board phase if the bidding has ended (Rules 5.4).
func (g *Game) openBoard() {
	terms, err := g.bids.Terms()
	if err != nil {
		return
	}
	pos, err := board.Start(terms.Features, terms.Row)
	if err != nil {
		panic(fmt.Sprintf("match: the bidding ended on impossible terms: %v", err))
	}
	g.terms, g.start, g.pos, g.phase = terms, &pos, pos, PhaseBoard
}

func (g *Game) play(e Played) error {
	if turn, _ := g.Turn(); e.Seat != turn {
		return refuse(bidding.NotYourTurn, "it is the other player's turn")
	}
	mover, number := g.pos.Turn(), g.pos.FullMove()
	next, effect, err := g.pos.Play(e.Action)
	if err != nil {
		return refuse(IllegalMove, "%s: %v", e.Action, err)
	}
	piece := moved(g.pos, e.Action)
	g.pos = next
	g.line = g.line.push(Ply{
		Seat: e.Seat, Color: mover, Move: number, Action: e.Action, Piece: piece,
		Effect: effect, Points: g.Points(), Act: g.acts,
	}, g.margin())
	switch {
	case effect.End != 0: // before the move limit, and that before a claim (Rules D21)
		g.endByPoints(reasonOf(effect.End))
	case mover == board.Black && number >= g.terms.Features.MoveLimit:
		g.endByPoints(MoveLimit)
	case mover == board.Black && g.claims == Automatic: // Rules D5
		if by, ok := g.winClaim(); ok {
			g.end(WinOf(by), ClaimWin)
		} else if g.drawClaim() {
			g.end(Draw, ClaimDraw)
		}
	}
	return nil
}

// undo takes back two plies. It plays the others again from the start, to restore everything
// that belongs to the position (Rules D14).
func (g *Game) undo(by Seat) error {
	turn, _ := g.Turn()
	switch {
	case by != turn:
		return refuse(bidding.NotYourTurn, "an undo needs your turn")
	case g.UndosLeft(by) <= 0:
		return refuse(NoUndoLeft, "no undo is left")
	case g.line.len() < 2:
		return refuse(UndoTooEarly, "fewer than two moves have been played")
	}
	g.line = g.line.prev.prev
	g.pos = *g.start
	for _, p := range g.line.list() {
		g.pos, _ = g.pos.PlayUnchecked(p.Action)
	}
	g.undos[by.Index()]++
	return nil
}

func (g *Game) claim(e Claimed) error {
	if e.Win {
		if by, ok := g.MayClaimWin(); !ok || by != e.Seat {
			return refuse(InvalidClaimWin, "the claim does not hold")
		}
		g.end(WinOf(e.Seat), ClaimWin)
		return nil
	}
	if !g.MayClaimDraw() {
		return refuse(InvalidClaimDraw, "the claim does not hold")
	}
	g.end(Draw, ClaimDraw)
	return nil
}

func (g *Game) flag(of Seat) error {
	if turn, _ := g.Turn(); of != turn {
		return refuse(FlagNotToAct, "the other player's clock is running")
	}
	if g.phase == PhaseBidding {
		g.end(WinOf(of.Other()), FlagBidding)
		return nil
	}
	g.penalty[of.Index()] += FlagPenalty
	g.endByPoints(FlagBoard)
	return nil
}

// endByPoints ends the game by points.
func (g *Game) endByPoints(why Reason) { g.end(g.ByPoints(), why) }

// ByPoints returns what points say (Rules 2, D1); before the board phase nobody has any.
func (g Game) ByPoints() Outcome {
	points := g.Points()
	switch {
	case points[0] > points[1]:
		return FirstWins
	case points[0] < points[1]:
		return SecondWins
	}
	return Draw
}

func (g *Game) end(o Outcome, why Reason) {
	g.result = Result{Outcome: o, Reason: why, Points: g.Points()}
	g.phase = PhaseOver
}

// reasonOf returns the reason for an end on the board.
func reasonOf(end board.End) Reason {
	switch end {
	case board.KingOfTheHill:
		return KingOfTheHill
	case board.KingsRun:
		return KingsRun
	}
	return KingsCaptured
}
