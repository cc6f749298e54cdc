package match

// Outcome is who has won a match. The zero value is "not ended".
type Outcome uint8

const (
	FirstWins Outcome = iota + 1
	SecondWins
	Draw
	BothLose // a double forfeit
	Void     // an arbiter's: as if not played
)

var outcomeNames = [...]string{"", "first", "second", "draw", "both-lose", "void"}

func (o Outcome) String() string {
	if int(o) >= len(outcomeNames) {
		return ""
	}
	return outcomeNames[o]
}

// WinOf is the outcome in which a seat wins.
func WinOf(by Seat) Outcome {
	if by == First {
		return FirstWins
	}
	return SecondWins
}

// Winner is the seat that has won; false for every other outcome.
func (o Outcome) Winner() (Seat, bool) {
	switch o {
	case FirstWins:
		return First, true
	case SecondWins:
		return Second, true
	}
	return 0, false
}

// Reason is why a match ended, by the codes of Rules 3. The last three are the
// platform's and not part of the game.
type Reason string

const (
	Resignation   Reason = "resignation"
	FlagBidding   Reason = "flag-bidding"
	FlagBoard     Reason = "flag-board"
	KingsCaptured Reason = "kings-captured"
	ClaimWin      Reason = "claim-win"
	ClaimDraw     Reason = "claim-draw"
	KingOfTheHill Reason = "king-of-the-hill"
	KingsRun      Reason = "kings-run"
	MoveLimit     Reason = "move-limit"
	Forfeit       Reason = "forfeit"
	Adjudicated   Reason = "adjudicated"
	Voided        Reason = "void"
)

// Result is how a match ended: the outcome, why, and the Chpok points by seat
// (index Seat.Index), both 0 when the board phase was never reached.
type Result struct {
	Outcome Outcome
	Reason  Reason
	Points  [2]int
}

// IsZero reports whether there is no result yet.
func (r Result) IsZero() bool { return r.Outcome == 0 }

// Score is the result as tournaments write it: "1-0", "0-1", "1/2-1/2", for a
// double forfeit "0-0", and "" without one.
func (r Result) Score() string {
	switch r.Outcome {
	case FirstWins:
		return "1-0"
	case SecondWins:
		return "0-1"
	case Draw:
		return "1/2-1/2"
	case BothLose:
		return "0-0"
	}
	return ""
}

// Valid reports whether r is one of the reasons above.
func (r Reason) Valid() bool {
	switch r {
	case Resignation, FlagBidding, FlagBoard, KingsCaptured, ClaimWin, ClaimDraw, KingOfTheHill, KingsRun, MoveLimit,
		Forfeit, Adjudicated, Voided:
		return true
	}
	return false
}
