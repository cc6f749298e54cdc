package match

import (
	"fmt"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// FlagPenalty is what running out of time on the board costs (Rules 2).
const FlagPenalty = 5000

// Phase is a phase of the game. The zero value is bidding, where it begins.
type Phase uint8

const (
	PhaseBidding Phase = iota
	PhaseBoard
	PhaseOver
)

// String is the phase's name in the output of replay (Rules 11).
func (p Phase) String() string {
	return [...]string{"bidding", "board", "finished"}[p]
}

// Rules are the settings of a game that its bidding does not decide.
type Rules struct {
	Chips    int            // each player's, 1…99
	Extra    [2]int         // a handicap: see bidding.ValidExtra
	Claims   Claims         //
	Defaults board.Features // Rules D20
}

// Game is the game without clocks: what live play and the replay of a record
// share. It is a value; Do returns a new one.
type Game struct {
	claims  Claims
	phase   Phase
	bids    bidding.State
	terms   bidding.Terms
	start   *board.Position // where the board phase began; never written
	pos     board.Position
	line    *ply // the last ply of the game as it stands
	undos   [2]int
	penalty [2]int
	result  Result
	acts    int // accepted so far
}

// NewGame opens a game, in which First bids first.
func NewGame(r Rules) (Game, error) {
	if r.Chips < bidding.MinChips || r.Chips > bidding.MaxChips {
		return Game{}, fmt.Errorf("chips are %d…%d, not %d", bidding.MinChips, bidding.MaxChips, r.Chips)
	}
	if err := r.Defaults.Validate(); err != nil {
		return Game{}, fmt.Errorf("defaults: %w", err)
	}
	if err := bidding.ValidExtra(r.Extra); err != nil {
		return Game{}, err
	}
	return Game{claims: r.Claims, bids: bidding.Start(r.Chips, r.Defaults).WithExtra(r.Extra)}, nil
}

// Do is the game after an act, or a *Refusal; then the game is as it was. The
// acts are BidPlaced, Drawn, Played, Undone, Claimed, Resigned and FlagFell.
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

// mayAct refuses what the moment does not allow, whatever the act says.
func (g Game) mayAct(act Event) error {
	if g.phase == PhaseOver {
		return ErrOver
	}
	_, isDraw := act.(Drawn)
	if due, ok := g.PendingDraw(); ok && !isDraw {
		return refuse(bidding.DrawPending, "the draw of %s comes first", due) // Rules D22
	}
	var by Seat
	inBidding, inBoard := true, true
	switch e := act.(type) {
	case BidPlaced:
		by, inBoard = e.Seat, false
	case Drawn:
		if g.phase != PhaseBidding {
			return refuse(bidding.NoDrawPending, "no draw is due")
		}
		return nil
	case Played:
		by, inBidding = e.Seat, false
	case Undone:
		by, inBidding = e.Seat, false
	case Claimed:
		by, inBidding = e.Seat, false
	case Resigned:
		by = e.Seat
	case FlagFell:
		by = e.Seat
	default:
		return refuse(bidding.Malformed, "%T is not an act of the game", act)
	}
	switch {
	case !by.Valid():
		return refuse(UnknownPlayer, "there is no such player")
	case g.phase == PhaseBidding && !inBidding:
		return refuse(NotBoard, "the board phase has not begun")
	case g.phase == PhaseBoard && !inBoard:
		return refuse(bidding.NotBidding, "the bidding is over")
	}
	return nil
}

// openBoard begins the board phase when the bidding has ended (Rules 5.4).
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
		return refuse(bidding.NotYourTurn, "the other player moves")
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
	case effect.End != 0: // Rules D21: before the move limit, and that before a claim
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

// undo takes back two plies by playing the others again from the start, so
// that everything that belongs to the position comes back (Rules D14).
func (g *Game) undo(by Seat) error {
	turn, _ := g.Turn()
	switch {
	case by != turn:
		return refuse(bidding.NotYourTurn, "an undo needs the turn")
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
		return refuse(FlagNotToAct, "the clock of the other player runs")
	}
	if g.phase == PhaseBidding {
		g.end(WinOf(of.Other()), FlagBidding)
		return nil
	}
	g.penalty[of.Index()] += FlagPenalty
	g.endByPoints(FlagBoard)
	return nil
}

// endByPoints ends the game for who has more points (Rules 2, D1).
func (g *Game) endByPoints(why Reason) {
	points := g.Points()
	switch {
	case points[0] > points[1]:
		g.end(FirstWins, why)
	case points[0] < points[1]:
		g.end(SecondWins, why)
	default:
		g.end(Draw, why)
	}
}

func (g *Game) end(o Outcome, why Reason) {
	g.result = Result{Outcome: o, Reason: why, Points: g.Points()}
	g.phase = PhaseOver
}

func reasonOf(end board.End) Reason {
	switch end {
	case board.KingOfTheHill:
		return KingOfTheHill
	case board.KingsRun:
		return KingsRun
	}
	return KingsCaptured
}
