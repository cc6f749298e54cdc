package tournament

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/refusal"
)

// Round is a paired round.
type Round struct {
	Number   int // from 1
	OpenedAt time.Time
	Pairings []Pairing // by board
	Byes     []Bye     // by entry
	Engine   string    // what paired it, with its version
	Edited   bool      // by hand afterwards
	// Overtaken says that a result or a number it was paired from was corrected since, so
	// that pairing it again gives something else.
	Overtaken bool
	Pass      *Pass         // arena: what its latest boards were paired from
	Teams     []TeamPairing // by number from 1; nil: players meet
}

// Pairing is a board: two entries who meet. First opens the bidding.
type Pairing struct {
	Board  int     `json:"board"` // from 1
	First  EntryID `json:"first"`
	Second EntryID `json:"second"`
	// Contest is the index of the contest in the bracket of a knock-out.
	Contest int `json:"contest,omitempty"`
	// Sealed marks a deciding match of a knock-out: the players bid for draw odds with
	// chips that the winner of the bid plays without. It is not rated.
	Sealed bool `json:"sealed,omitempty"`
	// TeamMatch is the number of the match of teams that the board belongs to, from 1; 0: none.
	TeamMatch int      `json:"teamMatch,omitempty"`
	Match     match.ID `json:"match,omitempty"` // empty: not played on the server, or not yet
	Result    Result   `json:"result,omitzero"`
	// Fixture is how the two came or come to their match at the Arranged pace; nil otherwise. It is replaced, never
	// changed, as copies share it.
	Fixture *Fixture `json:"fixture,omitempty"`
}

// Outcome returns the outcome for a seat.
func (p Pairing) Outcome(s match.Seat) Outcome {
	o := p.Result.Outcome(s)
	if (p.Sealed || p.Result.Reason == CarriedOver) && o >= Win && o <= Loss {
		o += WinUnrated - Win
	}
	return o
}

// EntryAt returns the entry at a seat.
func (p Pairing) EntryAt(s match.Seat) EntryID {
	if s == match.First {
		return p.First
	}
	return p.Second
}

// SeatOf returns the seat of an entry; 0: not at this board.
func (p Pairing) SeatOf(id EntryID) match.Seat {
	switch id {
	case p.First:
		return match.First
	case p.Second:
		return match.Second
	}
	return 0
}

// Bye is an entry that takes part in a round but is not paired.
type Bye struct {
	Entry EntryID `json:"entry"`
	Kind  Outcome `json:"kind"` // PairingBye, FullBye, HalfBye or ZeroBye (in a round robin: the rest)
}

// Rounds holds the paired rounds by number.
type Rounds []Round

// IsOver reports whether all boards have results and no more are to come.
func (r Round) IsOver() bool {
	if r.Pass != nil && !r.Pass.Closed {
		return false
	}
	for _, p := range r.Pairings {
		if p.Result.IsPending() {
			return false
		}
	}
	return !slices.ContainsFunc(r.Teams, func(p TeamPairing) bool { return p.OpenedAt.IsZero() })
}

// SortByes sorts the byes by entry, as the log and the database have them.
func (r *Round) SortByes() {
	slices.SortFunc(r.Byes, func(a, b Bye) int { return int(a.Entry - b.Entry) })
}

// endedAt returns the time of the last result.
func (r Round) endedAt() time.Time {
	end := r.OpenedAt
	for _, p := range r.Pairings {
		end = later(end, p.Result.At)
	}
	return end
}

// RoundIsOver reports whether every round is over.
func (l Rounds) RoundIsOver() bool {
	return !slices.ContainsFunc(l, func(r Round) bool { return !r.IsOver() })
}

// AllBoards yields every board with the number of its round.
func (l Rounds) AllBoards() iter.Seq2[int, *Pairing] {
	return func(yield func(int, *Pairing) bool) {
		for _, r := range l {
			for i := range r.Pairings {
				if !yield(r.Number, &r.Pairings[i]) {
					return
				}
			}
		}
	}
}

// Pending yields every board without a result, with the number of its round.
func (l Rounds) Pending() iter.Seq2[int, Pairing] {
	return func(yield func(int, Pairing) bool) {
		for n, p := range l.AllBoards() {
			if p.Result.IsPending() && !yield(n, *p) {
				return
			}
		}
	}
}

// Open returns the rounds in play or, if there are none, the last one.
func (l Rounds) Open() []Round {
	open := slices.DeleteFunc(slices.Clone(l), Round.IsOver)
	if len(open) == 0 && len(l) > 0 {
		open = l[len(l)-1:]
	}
	return open
}

// roundOpen is ErrRoundOpen, and the boards that have no result.
func (t *Tournament) roundOpen() error {
	var boards []string
	several := len(t.Rounds.Open()) > 1
	for n, b := range t.Rounds.Pending() {
		label := strconv.Itoa(b.Board)
		if several {
			label = strconv.Itoa(n) + "." + label
		}
		if boards = append(boards, label); len(boards) > mostNamed {
			boards[mostNamed] = "…"
			break
		}
	}
	return refusal.Case(ErrRoundOpen, ErrRoundOpen.Error(), "Boards", strings.Join(boards, ", "))
}

// mostNamed bounds the boards that a refusal names.
const mostNamed = 12

// MayPair returns nil, or why no round can be paired with those before it over, and no match opened at the rolling pace.
func (t *Tournament) MayPair() error { return t.mayPair(time.Time{}) }

// mayPair is MayPair at a time, which lets rounds whose window has begun open beside those before.
func (t *Tournament) mayPair(now time.Time) error {
	switch {
	case t.Status.IsOver():
		return ErrFinished
	case t.Status != Running:
		return ErrNotRunning
	case t.Draft != nil:
		return ErrDraftOpen
	}
	return t.mayOpen(now)
}

// mayOpen returns nil, or why no round can open at a time, drafted or not.
func (t *Tournament) mayOpen(now time.Time) error {
	switch {
	case t.Status != Running:
		return ErrNotRunning
	case len(t.NextMatches()) > 0:
		return nil
	case !t.RoundIsOver() && !t.isBeside(now):
		return t.roundOpen()
	case len(t.Rounds) >= t.Settings.Rounds:
		return ErrNoRoundsLeft
	case t.Timetable.IsPaused():
		return ErrPaused
	}
	return nil
}

// StepDue returns what staff do next to bring a tournament on: start it, publish its draft, draft or open its next
// round; empty: nothing for now.
func (t *Tournament) StepDue() Act {
	switch {
	case t.BeforeStart() == nil:
		return ActStart
	case t.Draft != nil:
		return ActPublish
	case t.MayPair() != nil:
		return ""
	case t.Review:
		return ActDraft
	}
	return ActPair
}

// System is a pairing system, and its name with version.
type System struct {
	Pairer Pairer
	Engine string
	// Judge returns what boards break of the rules of the field's next round; nil: they follow
	// a table or bracket.
	Judge func(Field, RoundPairing) ([]Objection, error)
	// Relax turns the wishes that the field's next round can grant into prohibitions and drops the
	// others; nil: there are none.
	Relax func(Field) (Field, error)
	// Scores returns the scores by number that players have in the system; nil: their points.
	Scores func(Field) map[int]Score
}

// ScoresIn returns the scores by number after the rounds of a field.
func (s System) ScoresIn(f Field) map[int]Score {
	if s.Scores != nil {
		return s.Scores(f)
	}
	scores := make(map[int]Score, len(f.Players))
	for _, p := range f.Players {
		for _, r := range p.Rounds[:min(f.Played, len(p.Rounds))] {
			scores[p.Number] += f.Points.Of(r.Outcome)
		}
		if f.Teams != nil && f.Teams.ByGames {
			scores[p.Number] = 0
			for _, m := range f.Teams.Matches[p.Number][:min(f.Played, len(f.Teams.Matches[p.Number]))] {
				scores[p.Number] += m.Games
			}
		}
	}
	return scores
}

// PairNext pairs and opens the next round. newID names the match of each board that is
// played on the server. It returns ErrNoPairing if there is no legal pairing.
func (t *Tournament) PairNext(s System, newID func() match.ID, now time.Time) (Round, error) {
	c := *t.Clone()
	if err := c.DraftNext(s, "", now); err != nil {
		return Round{}, err
	}
	r, err := c.Publish(s, nil, newID, now)
	if err != nil {
		return Round{}, err
	}
	*t = c
	return r, nil
}
