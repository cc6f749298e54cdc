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
	MaxWhy   = 300                 // characters of a reason
	MaxClock = 14 * 24 * time.Hour // an arbiter sets a clock to
)

// FairPlay stands in a warrant in place of an arbiter where the site itself lets a
// match stand still for a while, for a check of fair play. Its pause takes the
// place of no other; an arbiter's takes the place of its.
const FairPlay = "fair-play"

// Warrant is by whose word an arbiter's act was done, and why. Whether they may is
// decided before: the match knows no arbiters.
type Warrant struct {
	By  string // the arbiter's player id, or FairPlay
	Why string // one line, 1…MaxWhy characters
}

func (w Warrant) check() error {
	n := utf8.RuneCountInString(w.Why)
	if w.By == "" || strings.TrimSpace(w.Why) == "" || n > MaxWhy || !utf8.ValidString(w.Why) ||
		strings.ContainsFunc(w.Why, unicode.IsControl) {
		return refuse(BadReason, "an arbiter's act has a reason of one line, at most %d characters", MaxWhy)
	}
	return nil
}

// The acts of arbiters, and the call that asks for one. None is an act of the
// game; the game goes on from where they leave it.
type (
	// Called is a player's call for the arbiter. Stops: it stopped the clocks.
	Called struct {
		Seat  Seat
		Stops bool
	}
	// Paused stops the clocks and keeps both players from acting.
	Paused struct{ Warrant }
	// Resumed lets the match go on. Seat is the player who took back their own call
	// that had stopped the clocks; none: an arbiter, by the warrant.
	Resumed struct {
		Seat Seat
		Warrant
	}
	// ClockSet gives a player's clock a new time.
	ClockSet struct {
		Warrant
		Seat Seat
		Left time.Duration
	}
	// TakenBack brings back the state after event To, its clocks with it. What
	// stands between stays in the log and is not played any more.
	TakenBack struct {
		Warrant
		To int64
	}
	// Declared is a result by the arbiter's word; Ended follows.
	Declared struct {
		Warrant
		Outcome Outcome
		Reason  Reason // Adjudicated or Forfeit
	}
	// MadeVoid makes a match void, one that is over too; Ended follows. Next is the
	// match that is played instead, empty for none.
	MadeVoid struct {
		Warrant
		Next ID
	}
	// Reopened lets a match that was over go on from the state after event To,
	// which was before its end. It stands still until the arbiter resumes it.
	Reopened struct {
		Warrant
		To   int64
		Left [2]time.Duration // by seat; 0: what the clock showed then
	}
)

func (Called) event()    {}
func (Paused) event()    {}
func (Resumed) event()   {}
func (ClockSet) event()  {}
func (TakenBack) event() {}
func (Declared) event()  {}
func (MadeVoid) event()  {}
func (Reopened) event()  {}

type (
	// Call calls the arbiter; Stops asks for the clocks to stand still, which they
	// do while they run.
	Call struct {
		Seat  Seat
		Stops bool
	}
	// CallOff lets the clocks run again that one's own call has stopped.
	CallOff struct{ Seat Seat }
	// Pause stops the clocks and keeps both players from acting.
	Pause struct{ Warrant }
	// Resume lets a match that stands still go on.
	Resume struct{ Warrant }
	// SetClock gives a player's clock a new time, 1 s … MaxClock.
	SetClock struct {
		Warrant
		Seat Seat
		Left time.Duration
	}
	// TakeBack takes the last Actions bids, moves and undos back, whoever's.
	TakeBack struct {
		Warrant
		Actions int
	}
	// Declare ends the match; Forfeit: because somebody did not play.
	Declare struct {
		Warrant
		Outcome Outcome // FirstWins … BothLose
		Forfeit bool
	}
	// MakeVoid makes the match void, even one that is over.
	MakeVoid struct {
		Warrant
		Next ID
	}
	// Reopen lets a match go on from before its end.
	Reopen struct {
		Warrant
		Left [2]time.Duration // 0: what the clock showed then
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

// Arbitration is a command that only an arbiter gives.
type Arbitration interface {
	Command
	Word() Warrant
}

// Word is the warrant itself, as its commands and events carry it.
func (w Warrant) Word() Warrant { return w }

// Standstill is why a match stands still, and since when.
type Standstill struct {
	Since  time.Time
	Caller Seat // whose call stopped the clocks; none: an arbiter did
	Warrant
}

// EndsByItself reports whether it is the site's own, for which nobody has to be
// waited for.
func (s Standstill) EndsByItself() bool { return s.By == FairPlay }

// Standstill reports whether the match stands still: no clock runs, and no player
// may act.
func (s State) Standstill() (Standstill, bool) { return s.still, !s.still.Since.IsZero() }

// arbitrate answers the commands that arbiters give and the calls for them;
// false when c is none.
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
			return nil, refuse(NotYourPause, "no call of this player stops the clocks"), true
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

// mayPause reports whether a pause changes anything: calls give way to an arbiter's
// word, and so does the site's own.
func (d decision) mayPause(by string) bool {
	if by == FairPlay {
		return d.still.Since.IsZero()
	}
	return d.still.By == "" || d.still.By == FairPlay
}

func (d decision) decideCall(c Call) ([]Event, error) {
	if !c.Seat.Valid() {
		return nil, refuse(UnknownPlayer, "there is no such player")
	}
	stops := c.Stops && d.clock.running.Valid() && d.still.Since.IsZero()
	return []Event{Called{c.Seat, stops}}, nil
}

func (d decision) decideClock(c SetClock) ([]Event, error) {
	switch {
	case !c.Seat.Valid():
		return nil, refuse(UnknownPlayer, "there is no such player")
	case d.started.IsZero():
		return nil, refuse(NotStarted, "no clock has started")
	case !isClock(c.Left):
		return nil, refuse(BadClock, "a clock shows 1 s to %v in whole milliseconds", MaxClock)
	}
	return []Event{ClockSet(c)}, nil
}

func isClock(d time.Duration) bool {
	return d >= time.Second && d <= MaxClock && d%time.Millisecond == 0
}

func (d decision) decideTakeBack(c TakeBack) ([]Event, error) {
	standing, left := d.Standing(), c.Actions
	for i := len(standing) - 1; i > 0 && left > 0; i-- {
		switch standing[i].Event.(type) {
		case BidPlaced, Played, Undone:
			if left--; left == 0 {
				return d.revising(TakenBack{c.Warrant, standing[i-1].Seq})
			}
		}
	}
	return nil, refuse(NothingToTakeBack, "there are not %d actions to take back", c.Actions)
}

func (d decision) decideResult(c Declare) ([]Event, error) {
	if c.Outcome < FirstWins || c.Outcome > BothLose || c.Forfeit && c.Outcome == Draw {
		return nil, refuse(bidding.Malformed, "no such result is declared")
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

// afterEnd answers a command in a match that is over.
func (d decision) afterEnd(c Command) ([]Event, error) {
	switch c := c.(type) {
	case MakeVoid:
		return d.voided(c), c.check()
	case Reopen:
		return d.decideReopen(c)
	}
	return nil, ErrOver
}

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
			return nil, refuse(BadClock, "a clock shows 1 s to %v in whole milliseconds", MaxClock)
		}
	}
	return d.revising(Reopened{c.Warrant, d.beforeEnd(), c.Left})
}

// revising is an event that goes back, if the match can.
func (d decision) revising(e Event) ([]Event, error) {
	to, _ := revises(e)
	if _, err := d.revisedTo(to, d.last, nil); err != nil {
		return nil, err
	}
	return []Event{e}, nil
}
