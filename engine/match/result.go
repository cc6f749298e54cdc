package match

// Outcome says who won a match. The zero value means that it has not ended.
type Outcome uint8

const (
	FirstWins Outcome = iota + 1
	SecondWins
	Draw
	BothLose // a double forfeit
	Void     // voided by an arbiter, as if not played
)

var outcomeNames = [...]string{"", "first", "second", "draw", "both-lose", "void"}

func (o Outcome) String() string {
	if int(o) >= len(outcomeNames) {
		return ""
	}
	return outcomeNames[o]
}

// WinOf returns the outcome in which a seat wins.
func WinOf(by Seat) Outcome {
	if by == First {
		return FirstWins
	}
	return SecondWins
}

// Winner returns the seat that won. It reports false for any other outcome.
func (o Outcome) Winner() (Seat, bool) {
	switch o {
	case FirstWins:
		return First, true
	case SecondWins:
		return Second, true
	}
	return 0, false
}

// Reason says why a match ended, by the codes of Rules 3. The last three belong to the platform,
// not to the game.
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

// Result is how a match ended. Points are the Chpok points by seat, both 0 if the board phase was
// never reached.
type Result struct {
	Outcome Outcome
	Reason  Reason
	Points  [2]int
}

// IsZero reports whether there is no result yet.
func (r Result) IsZero() bool { return r.Outcome == 0 }

// Score returns the result as "1-0", "0-1" or "1/2-1/2", a double forfeit as "0-0", and any other
// as "".
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

// Valid reports whether r is a known reason.
func (r Reason) Valid() bool {
	switch r {
	case Resignation, FlagBidding, FlagBoard, KingsCaptured, ClaimWin, ClaimDraw, KingOfTheHill, KingsRun, MoveLimit,
		Forfeit, Adjudicated, Voided:
		return true
	}
	return false
}
