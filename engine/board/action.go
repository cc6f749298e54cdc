package board

import "fmt"

// Action is what a player does with a turn on the board (Rules 9), packed into a
// comparable value. The zero value is none.
type Action uint32

// ActionKind tells the sorts of action apart. The zero value is none.
type ActionKind uint8

const (
	NoAction ActionKind = iota
	Move                // a move or capture, perhaps with a promotion
	Castling            // From is the king's square, To the rook's
	Birth               // of a pawn (Rules 7.12); From and To are both its square
	Removal             // of one's own piece (Rules 7.13); From and To are both its square
	Skip                // (Rules 7.14); From and To mean nothing
)

const (
	actionMove     = Action(Move) << 20
	actionCastling = Action(Castling) << 20
	actionBirth    = Action(Birth) << 20
	actionRemoval  = Action(Removal) << 20
	actionSkip     = Action(Skip) << 20
)

// NewMove returns a move or capture; promotion is NoKind unless a pawn promotes.
func NewMove(from, to Square, promotion Kind) Action {
	return actionMove | Action(promotion)<<16 | Action(from)<<8 | Action(to)
}

// NewCastling returns the castling of the king and the rook on those squares.
func NewCastling(king, rook Square) Action {
	return actionCastling | Action(king)<<8 | Action(rook)
}

// NewBirth returns the birth of a pawn.
func NewBirth(s Square) Action { return actionBirth | Action(s)<<8 | Action(s) }

// NewRemoval returns the removal of one's own piece.
func NewRemoval(s Square) Action { return actionRemoval | Action(s)<<8 | Action(s) }

// NewSkip returns a turn passed.
func NewSkip() Action { return actionSkip }

// Kind returns the sort of action.
func (a Action) Kind() ActionKind { return ActionKind(a >> 20 & 15) }

// From returns the square the action starts on.
func (a Action) From() Square { return Square(a >> 8) }

// To returns the square the action ends on or aims at.
func (a Action) To() Square { return Square(a) }

// Promotion returns what a pawn becomes, NoKind for any other action.
func (a Action) Promotion() Kind { return Kind(a >> 16 & 7) }

// String returns the action's text (Rules 9), "" for none.
func (a Action) String() string { return string(a.Append(make([]byte, 0, 5))) }

// Append appends the action's text to b.
func (a Action) Append(b []byte) []byte {
	switch a.Kind() {
	case Move:
		b = a.To().append(a.From().append(b))
		if k := a.Promotion(); k != NoKind {
			b = append(b, lowerLetters[k])
		}
	case Castling:
		b = a.To().append(a.From().append(append(b, 'O')))
	case Birth:
		b = a.To().append(append(b, 'P', '@'))
	case Removal:
		b = a.To().append(append(b, '-'))
	case Skip:
		b = append(b, '-', '-')
	}
	return b
}

// ParseAction reads the text of an action on the board (Rules 9). It does not ask
// whether a position allows it.
func ParseAction(text string) (Action, error) {
	fault := fmt.Errorf("%q is not an action", text)
	switch {
	case text == "--":
		return NewSkip(), nil
	case len(text) == 3 && text[0] == '-':
		s, err := ParseSquare(text[1:])
		if err != nil {
			return 0, fault
		}
		return NewRemoval(s), nil
	case len(text) == 4 && text[:2] == "P@":
		s, err := ParseSquare(text[2:])
		if err != nil {
			return 0, fault
		}
		return NewBirth(s), nil
	case len(text) == 5 && text[0] == 'O':
		king, err1 := ParseSquare(text[1:3])
		rook, err2 := ParseSquare(text[3:])
		if err1 != nil || err2 != nil {
			return 0, fault
		}
		return NewCastling(king, rook), nil
	case len(text) == 4 || len(text) == 5:
		from, err1 := ParseSquare(text[:2])
		to, err2 := ParseSquare(text[2:4])
		if err1 != nil || err2 != nil {
			return 0, fault
		}
		promotion := NoKind
		if len(text) == 5 {
			k, ok := parseLower(text[4])
			if !ok || k == Pawn {
				return 0, fault
			}
			promotion = k
		}
		return NewMove(from, to, promotion), nil
	}
	return 0, fault
}

// MarshalText returns the action's text (Rules 9).
func (a Action) MarshalText() ([]byte, error) { return a.Append(nil), nil }

// UnmarshalText reads an action's text; empty text is none.
func (a *Action) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*a = 0
		return nil
	}
	parsed, err := ParseAction(string(text))
	if err != nil {
		return err
	}
	*a = parsed
	return nil
}
