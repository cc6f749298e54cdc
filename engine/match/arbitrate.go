package match

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chpok.org/chpok/engine/bidding"
)

// Bounds of an arbiter's acts.
const (
	MaxWhy   = 300                 // length of a reason, in characters
	MaxClock = 14 * 24 * time.Hour // longest time to set a clock to
)

// FairPlay takes the place of an arbiter in a warrant when the site itself pauses a match for a
// fair play check. An arbiter's pause replaces that pause, but not the other way round.
const FairPlay = "fair-play"

// AtBoard takes the place of an arbiter in a warrant when the site itself gives more time to come to
// a player who sits at another live board.
const AtBoard = "at-board"

// AtEnd takes the place of an arbiter in a warrant when the site itself ends a match because its event does.
const AtEnd = "at-end"

// Warrant says on whose authority an arbiter's act is done, and why. The caller checks that
// authority; a match knows no arbiters.
type Warrant struct {
	By  string // the arbiter's player id, or FairPlay, AtBoard, AtEnd
	Why string // one line, 1…MaxWhy characters
}

func (w Warrant) check() error {
	n := utf8.RuneCountInString(w.Why)
	if w.By == "" || strings.TrimSpace(w.Why) == "" || n > MaxWhy || !utf8.ValidString(w.Why) ||
		strings.ContainsFunc(w.Why, unicode.IsControl) {
		return refuse(BadReason, "an arbiter's act needs a reason: one line of at most %d characters", MaxWhy)
	}
	return nil
}

// Events of arbiters, and of players who call one. None is an act of the game.
type (
	// Called is a player's call for the arbiter. Stops says that it stopped the clocks.
	Called struct {
		Seat  Seat
		Stops bool
	}
	// Paused stops the clocks and keeps both players from acting.
	Paused struct{ Warrant }
	// Resumed continues the match. Seat is the player who took back the call that had
	// stopped the clocks; 0: an arbiter resumed it, under the warrant.
	Resumed struct {
		Seat Seat
		Warrant
	}
	// ClockSet sets a player's clock.
	ClockSet struct {
		Warrant
		Seat Seat
		Left time.Duration
	}
	// TakenBack restores the state after event To, including its clocks. Later events
	// stay in the log but no longer count.
	TakenBack struct {
		Warrant
		To int64
	}
	// Declared is a result declared by an arbiter; Ended follows.
	Declared struct {
		Warrant
		Outcome Outcome
		Reason  Reason // Adjudicated or Forfeit
	}
	// MadeVoid voids a match, even one that is over; Ended follows. Next is the match
	// that is played instead; empty: none.
	MadeVoid struct {
		Warrant
		Next ID
	}
	// Reopened continues a match that was over from the state after event To, which is
	// before its end. It stands still until an arbiter resumes it.
	Reopened struct {
		Warrant
		To   int64
		Left [2]time.Duration // new clock times by seat; 0: as they were
	}
)

func (Called) kind() string    { return kindCalled }
func (Paused) kind() string    { return kindPaused }
func (Resumed) kind() string   { return kindResumed }
func (ClockSet) kind() string  { return kindClockSet }
func (TakenBack) kind() string { return kindTakenBack }
func (Declared) kind() string  { return kindDeclared }
func (MadeVoid) kind() string  { return kindVoided }
func (Reopened) kind() string  { return kindReopened }

// Commands of arbiters, and of players who call one.
type (
	// Call calls the arbiter. Stops asks to stop the clocks, if they run.
	Call struct {
		Seat  Seat
		Stops bool
	}
	// CallOff resumes the clocks that the player's own call stopped.
	CallOff struct{ Seat Seat }
	// Pause stops the clocks and keeps both players from acting.
	Pause struct{ Warrant }
	// Resume continues a match that stands still.
	Resume struct{ Warrant }
	// SetClock sets a player's clock to 1 s … MaxClock.
	SetClock struct {
		Warrant
		Seat Seat
		Left time.Duration
	}
	// TakeBack takes back the last Actions bids, moves and undos of both players.
	TakeBack struct {
		Warrant
		Actions int
	}
	// Declare ends the match. Forfeit says that somebody did not play.
	Declare struct {
		Warrant
		Outcome Outcome // FirstWins … BothLose
		Forfeit bool
	}
	// MakeVoid voids the match, even one that is over.
	MakeVoid struct {
		Warrant
		Next ID
	}
	// Reopen continues a match that is over from before its end.
	Reopen struct {
		Warrant
		Left [2]time.Duration // new clock times by seat; 0: as they were
	}
)

func (Call) command()     {}
func (CallOff) command()  {}
func (Pause) command()    {}
func (Resume) command()   {}
func (SetClock) command() {}
func (TakeBack) command() {}
func (Declare) command()  {}
func (MakeVoid) command() {}
func (Reopen) command()   {}

// Arbitration is a command that needs a warrant.
type Arbitration interface {
	Command
	Word() Warrant
}

// Ruling is an event that needs a warrant.
type Ruling interface {
	Event
	Word() Warrant
}

// Word returns the warrant, for commands and events that embed it.
func (w Warrant) Word() Warrant { return w }

// Standstill says why a match stands still, and since when.
type Standstill struct {
	Since  time.Time
	Caller Seat // whose call stopped the clocks; 0: an arbiter did
	Warrant
}

// EndsByItself reports whether the site itself paused the match, and will resume it.
func (s Standstill) EndsByItself() bool { return s.By == FairPlay }

// Standstill reports whether the match stands still: no clock runs, and no player may act.
func (s State) Standstill() (Standstill, bool) { return s.still, !s.still.Since.IsZero() }

// arbitrate answers the commands of arbiters and calls for them. It reports false for any other
// command.
func (d decision) arbitrate(c Command) (events []Event, err error, ok bool) {
	if a, isArbiters := c.(Arbitration); isArbiters {
		if err := a.Word().check(); err != nil {
			return nil, err, true
		}
	}
	switch c := c.(type) {
	case Call:
		events, err = d.decideCall(c)
	case CallOff:
		if d.still.Since.IsZero() || !c.Seat.Valid() || d.still.Caller != c.Seat {
			return nil, refuse(NotYourPause, "the clocks are not stopped by a call of this player"), true
		}
		events = []Event{Resumed{Seat: c.Seat}}
	case Pause:
		if d.mayPause(c.By) {
			events = []Event{Paused(c)}
		}
	case Resume:
		if !d.still.Since.IsZero() {
			events = []Event{Resumed{Warrant: c.Warrant}}
		}
	case SetClock:
		events, err = d.decideClock(c)
	case ExtendWait:
		events, err = d.decideWait(c)
	case TakeBack:
		events, err = d.decideTakeBack(c)
	case Declare:
		events, err = d.decideResult(c)
	case MakeVoid:
		events = d.voided(c)
	default:
		return nil, nil, false
	}
	return events, err, true
}

// mayPause reports whether a pause changes anything. An arbiter's pause replaces calls and the
// pauses of the site.
func (d decision) mayPause(by string) bool {
	if by == FairPlay {
		return d.still.Since.IsZero()
	}
	return d.still.By == "" || d.still.By == FairPlay
}

func (d decision) decideCall(c Call) ([]Event, error) {
	if !c.Seat.Valid() {
		return nil, refuse(UnknownPlayer, "no such player")
	}
	stops := c.Stops && d.clock.running.Valid() && d.still.Since.IsZero()
	return []Event{Called{c.Seat, stops}}, nil
}

func (d decision) decideClock(c SetClock) ([]Event, error) {
	switch {
	case !c.Seat.Valid():
		return nil, refuse(UnknownPlayer, "no such player")
	case d.started.IsZero():
		return nil, refuse(NotStarted, "no clock has started")
	case !isClock(c.Left):
		return nil, refuse(BadClock, "a clock is set to 1 s … %v in whole milliseconds", MaxClock)
	}
	return []Event{ClockSet(c)}, nil
}

// isClock reports whether a clock can be set to a time.
func isClock(d time.Duration) bool {
	return d >= time.Second && d <= MaxClock && d%time.Millisecond == 0
}

func (d decision) decideTakeBack(c TakeBack) ([]Event, error) {
	standing, left := d.Standing(), c.Actions
	for i := len(standing) - 1; i > 0 && left > 0; i-- {
		switch standing[i].Event.(type) {
		case BidPlaced, Played, Undone:
			left--
			if left == 0 {
				return d.revising(TakenBack{c.Warrant, standing[i-1].Seq})
			}
		}
	}
	return nil, refuse(NothingToTakeBack, "fewer than %d actions can be taken back", c.Actions)
}

func (d decision) decideResult(c Declare) ([]Event, error) {
	if c.Outcome < FirstWins || c.Outcome > BothLose || c.Forfeit && c.Outcome == Draw {
		return nil, refuse(bidding.Malformed, "no such result can be declared")
	}
	why := Adjudicated
	if c.Forfeit || c.Outcome == BothLose {
		why = Forfeit
	}
	return []Event{
		Declared{c.Warrant, c.Outcome, why},
		Ended{Result{Outcome: c.Outcome, Reason: why, Points: d.game.Points()}},
	}, nil
}

// afterEnd answers a command to a match that is over.
func (d decision) afterEnd(c Command) ([]Event, error) {
	switch c := c.(type) {
	case MakeVoid:
		return d.voided(c), c.check()
	case Reopen:
		return d.decideReopen(c)
	}
	return nil, ErrOver
}

// voided voids the match unless it is void.
func (d decision) voided(c MakeVoid) []Event {
	if d.result.Outcome == Void {
		return nil
	}
	return []Event{MadeVoid(c), Ended{Result{Outcome: Void, Reason: Voided, Points: d.game.Points()}}}
}

func (d decision) decideReopen(c Reopen) ([]Event, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	for _, left := range c.Left {
		if left != 0 && !isClock(left) {
			return nil, refuse(BadClock, "a clock is set to 1 s … %v in whole milliseconds", MaxClock)
		}
	}
	return d.revising(Reopened{c.Warrant, d.beforeEnd(), c.Left})
}

// revising returns an event that goes back, if the match can go back to there.
func (d decision) revising(e Event) ([]Event, error) {
	to, _ := revises(e)
	if _, err := d.revisedTo(to, d.last, nil); err != nil {
		return nil, err
	}
	return []Event{e}, nil
}
