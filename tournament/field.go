package tournament

import "chpok.org/chpok/engine/match"

// Score is a tournament score in tenths of a point, the resolution of a TRF
// (a win is 10, a draw 5 by default), so that every point system stays exact.
type Score int

// Outcome is what one round gave one player: a game, a forfeit, a bye, or
// nothing. The zero value is "no record": the player was not there yet.
type Outcome uint8

const (
	NoRecord    Outcome = iota // blank: not registered in that round
	Win                        // 1: played
	Draw                       // =
	Loss                       // 0
	WinUnrated                 // W: played, not rated
	DrawUnrated                // D
	LossUnrated                // L
	ForfeitWin                 // +: the opponent did not appear
	ForfeitLoss                // -: did not appear (both: double forfeit)
	FullBye                    // F: full-point bye
	HalfBye                    // H: half-point bye
	ZeroBye                    // Z: zero-point bye, absent
	PairingBye                 // U: pairing-allocated bye
	Unfinished                 // paired, the game has no result yet (TRF: blank result with an opponent, or *)
)

// IsPlayed reports whether the two met over the board.
func (o Outcome) IsPlayed() bool { return o >= Win && o <= LossUnrated }

// IsBye reports whether the player had no opponent in that round by decision.
func (o Outcome) IsBye() bool { return o >= FullBye && o <= PairingBye }

// IsForfeit reports whether a scheduled game was decided by absence.
func (o Outcome) IsForfeit() bool { return o == ForfeitWin || o == ForfeitLoss }

// PointSystem is what each outcome is worth (TRF 162, BBW…).
type PointSystem struct {
	Win, Draw, Loss                    Score
	ForfeitWin, ForfeitLoss            Score
	FullBye, HalfBye, ZeroBye, PairBye Score
}

// StandardPoints is 1, ½, 0.
func StandardPoints() PointSystem {
	return PointSystem{Win: 10, Draw: 5, ForfeitWin: 10, FullBye: 10, HalfBye: 5, PairBye: 10}
}

// Of is the worth of one outcome; nothing for NoRecord and Unfinished.
func (p PointSystem) Of(o Outcome) Score {
	switch o {
	case Win, WinUnrated:
		return p.Win
	case Draw, DrawUnrated:
		return p.Draw
	case Loss, LossUnrated:
		return p.Loss
	case ForfeitWin:
		return p.ForfeitWin
	case ForfeitLoss:
		return p.ForfeitLoss
	case FullBye:
		return p.FullBye
	case HalfBye:
		return p.HalfBye
	case ZeroBye:
		return p.ZeroBye
	case PairingBye:
		return p.PairBye
	}
	return 0
}

// RoundResult is one cell of a crosstable.
type RoundResult struct {
	Opponent int        // number of the opponent; 0 for byes and no record
	Seat     match.Seat // First is TRF's w; the zero value when unpaired
	Outcome  Outcome
	Odds     match.Seat // knock-out: who wins the contest by a draw here; none: neither
	Contest  int16      // knock-out: the place of its contest in the bracket
	// Difference is own Chpok points minus the opponent's in a played match
	// (tie-break CPD); a TRF does not carry it.
	Difference int
}

// FieldPlayer is one player of a Field.
type FieldPlayer struct {
	Number  int // number in the tournament (TRF 001, columns 5-8), the initial ranking
	Name    string
	Rating  int           // 0: unrated
	Rounds  []RoundResult // index 0 is round 1; an entry beyond Field.Played is known of the next round (a bye asked for)
	Virtual []Score       // acceleration points by round, index 0 is round 1; empty: none
	Carried Score         // of an earlier stage: they count for the order only
}

// Forbidden is a set of players no two of whom may meet in rounds From…To (0, 0: always).
type Forbidden struct {
	Numbers  []int
	From, To int
	Soft     bool // given up where nobody could be paired otherwise
}

// Field is what pairing systems, tie-breaks and tournament reports see of a
// tournament: its players and what every round gave them. It is a value made
// for one question; nothing keeps it.
type Field struct {
	Name       string
	Rounds     int // rounds planned; 0: unknown
	Played     int // rounds played so far
	Points     PointSystem
	Opening    match.Seat // seat of the highest number in round 1 (TRF 152, XXC); zero: not drawn
	Players    []FieldPlayer
	Forbidden  []Forbidden
	RoundRobin bool // unplayed games are treated as FIDE C.07 says for round robins
	// Places are those of a knock-out, by number; nil: points make the order.
	Places map[int]int
}

// RoundPairing is the answer of a pairing system: every player to be paired
// stands on exactly one board or is the one with the pairing-allocated bye.
type RoundPairing struct {
	Boards []Board
	Bye    int // number of the player with the pairing-allocated bye; 0: none
}

// Board is two numbers; First opens the bidding (TRF's white).
type Board struct{ First, Second int }
