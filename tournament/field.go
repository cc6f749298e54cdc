package tournament

import (
	"time"

	"chpok.org/chpok/engine/match"
)

// Score is a tournament score in tenths of a point, the resolution of a TRF. By default a
// win is 10 and a draw 5.
type Score int

// Outcome is what a round gave a player: a game, a forfeit, a bye, or nothing. Comments
// give the TRF code.
type Outcome uint8

const (
	NoRecord    Outcome = iota // blank: had not entered yet
	Win                        // 1
	Draw                       // =
	Loss                       // 0
	WinUnrated                 // W: played, but not rated
	DrawUnrated                // D
	LossUnrated                // L
	ForfeitWin                 // +
	ForfeitLoss                // -; for both players: a double forfeit
	FullBye                    // F: full-point bye
	HalfBye                    // H: half-point bye
	ZeroBye                    // Z: zero-point bye, absent
	PairingBye                 // U: pairing-allocated bye
	Unfinished                 // blank result with an opponent, or *: no result yet
)

// IsPlayed reports whether the game was played.
func (o Outcome) IsPlayed() bool { return o >= Win && o <= LossUnrated }

// IsBye reports whether the player had a bye or was absent.
func (o Outcome) IsBye() bool { return o >= FullBye && o <= PairingBye }

// IsForfeit reports whether a game was decided by absence.
func (o Outcome) IsForfeit() bool { return o == ForfeitWin || o == ForfeitLoss }

// PointSystem says what each outcome is worth (TRF 162, BBW…).
type PointSystem struct {
	Win, Draw, Loss                    Score
	ForfeitWin, ForfeitLoss            Score
	FullBye, HalfBye, ZeroBye, PairBye Score
}

// StandardPoints returns the usual points: 1, ½, 0.
func StandardPoints() PointSystem {
	return PointSystem{Win: 10, Draw: 5, ForfeitWin: 10, FullBye: 10, HalfBye: 5, PairBye: 10}
}

// Of returns the points of an outcome; 0 for NoRecord and Unfinished.
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
	Opponent int        // number of the opponent; 0: none
	Seat     match.Seat // First is White in a TRF; 0 if unpaired
	Outcome  Outcome
	Odds     match.Seat // knock-out: who wins the contest with a draw here; 0: nobody
	Contest  int16      // knock-out: index of the contest in the bracket
	Gone     []int      // knock-out: numbers of all who had left when the result came
	Came     time.Time  // knock-out: when that was
	// Difference is the player's Chpok points minus the opponent's (tie-break CPD). A
	// TRF does not have it.
	Difference int
}

// IsBlank reports whether a round gave a player nothing, not even an absence.
func (r RoundResult) IsBlank() bool { return r.Opponent == 0 && r.Outcome == NoRecord }

// FieldPlayer is one player of a Field.
type FieldPlayer struct {
	Number  int // initial rank (TRF 001, columns 5-8)
	Name    string
	Rating  int           // 0: unrated
	Rounds  []RoundResult // index 0 is round 1; one more than Field.Played for a player who is not paired next
	Virtual []Score       // acceleration points, index 0 is round 1; empty: none
	Carried Score         // from an earlier stage; it counts for the order only
}

// Forbidden is ForbiddenEntries by numbers.
type Forbidden struct {
	Numbers  []int
	From, To int
	Soft     bool
}

// Field is what pairing systems, tie-breaks and reports see of a tournament: its players,
// and what each round gave them. It is made for one question and not kept.
type Field struct {
	Name       string
	Rounds     int // rounds planned; 0: unknown
	Played     int // rounds played so far
	Points     PointSystem
	Opening    match.Seat // seat of number 1 in round 1 (TRF 152, XXC); 0: not drawn
	Players    []FieldPlayer
	Forbidden  []Forbidden
	RoundRobin bool // unplayed games count as in the round robins of FIDE C.07
	// System is the code of what pairs it if no report holds what it pairs by: see Format.ReportSystem.
	System string
	Teams  *TeamEvent // nil: players meet
	// Places are the places in a knock-out, or a report's of another such system, by number; nil: points decide.
	Places map[int]int
}

// TeamEvent is what a field whose players are teams knows beside it. The field's points are match
// points, its numbers pairing numbers of teams (TPN), and a team's seat is that on board 1.
type TeamEvent struct {
	TeamRules
	Boards  int                 // of a match
	Game    PointSystem         // of one board
	Matches map[int][]TeamMatch // by number; index 0 is round 1
}

// TeamRules are what an event decides about how teams are paired by score (FIDE C.04.6).
type TeamRules struct {
	ByGames     bool // game points come first, not match points (1.2)
	OneScore    bool // the other score does not decide the first team (4.2.2)
	Preferences SeatPreferences
}

// TeamMatch is what a round gave a team beside its RoundResult.
type TeamMatch struct {
	Games  Score     // game points, those of a bye included
	Played bool      // at least one game was played
	Boards []Outcome // as they count, from board 1; NoRecord: nobody sat there; nil: no match
}

// IsDue reports whether a player is to be paired in the next round.
func (f Field) IsDue(p FieldPlayer) bool {
	return len(p.Rounds) <= f.Played || p.Rounds[f.Played].Outcome == NoRecord
}

// RoundPairing is the pairing of a round: each player to be paired is on exactly one board or
// has the pairing-allocated bye.
type RoundPairing struct {
	Boards []Board
	Bye    int // who has the pairing-allocated bye; 0: nobody
}

// Board is two numbers; First opens the bidding (White in a TRF).
type Board struct{ First, Second int }
