package match

import (
	"fmt"
	"math"
	"time"

	"chpok.org/chpok/engine/bidding"
)

// ID names a match.
type ID string

// Status is where a live match stands.
type Status uint8

const (
	Waiting Status = iota // for the players to be ready
	Bidding
	Playing
	Over
)

// State is a live match at one place of its log: an immutable value. The zero
// value is a match that has not been opened.
type State struct {
	seq     int64
	status  Status
	options Options
	seed    Seed
	ready   [2]bool
	opened  time.Time
	started time.Time
	last    time.Time // of the last event
	clock   clock
	meeting meeting
	sealed  [2]int // bids for draw odds, by seat
	odds    Odds
	still   Standstill // zero: the match goes on
	game    Game
	drawn   int
	result  Result
	revised bool // an arbiter has taken something back
	known   bool // the seed is: the match was over once
	history *entry
}

// Entry is one event of a match's history with what the clocks showed after it.
type Entry struct {
	Recorded
	Left  [2]time.Duration // by seat, after the event
	Spent time.Duration    // of a bid, move or undo: what the clock of its player used
}

// entry is a link of the history, packed like ply. The first has seq 1.
type entry struct {
	prev  *entry
	event Event
	seq   int64
	at    int64 // ms since 1970
	left  [2]int32
	spent int32 // ms, as left
}

func (e *entry) unpack() Entry {
	return Entry{
		Recorded: Recorded{Seq: e.seq, At: time.UnixMilli(e.at).UTC(), Event: e.event},
		Left:     [2]time.Duration{time.Duration(e.left[0]) * time.Millisecond, time.Duration(e.left[1]) * time.Millisecond},
		Spent:    time.Duration(e.spent) * time.Millisecond,
	}
}

// packMs is a clock's time as an entry keeps it; no clock shows over 24 days.
func packMs(d time.Duration) int32 { return int32(min(d.Milliseconds(), math.MaxInt32)) }

// Open is the first events of a match: the log begins with them.
func Open(o Options, seed Seed) []Event {
	events := []Event{Opened{Options: o, Seed: seed, Commitment: seed.Commitment()}}
	if o.Lateness == 0 {
		events = append(events, Started{})
	}
	return events
}

// Fold is the state after a whole log. A log that Decide cannot have written
// is ErrLog.
func Fold(log []Recorded) (State, error) {
	var s State
	for _, r := range log {
		next, err := s.step(r)
		if err != nil {
			return s, err
		}
		s = next
	}
	return s, nil
}

// Apply is the state after one more event of the log. It panics when the event
// cannot follow; events that Decide answered, or that were read back from the
// log after them, always can.
func (s State) Apply(r Recorded) State {
	next, err := s.step(r)
	if err != nil {
		panic(err)
	}
	return next
}

func (s State) step(r Recorded) (State, error) { return s.follow(r, nil) }

// follow is step where the states before are known; nil: they are made anew
// when an arbiter goes back to one.
func (s State) follow(r Recorded, states earlier) (State, error) {
	if r.Seq != s.seq+1 {
		return s, fmt.Errorf("%w: event %d after %d", ErrLog, r.Seq, s.seq)
	}
	r.At = onClock(r.At)
	if r.At.Before(s.last) {
		return s, fmt.Errorf("%w: event %d is earlier than the one before", ErrLog, r.Seq)
	}
	if _, isOpened := r.Event.(Opened); isOpened != (s.seq == 0) {
		return s, fmt.Errorf("%w: event %d is %T", ErrLog, r.Seq, r.Event)
	}
	next, spent, err := s.change(r, states)
	if err != nil {
		return s, fmt.Errorf("%w: event %d, %T: %w", ErrLog, r.Seq, r.Event, err)
	}
	next.seq, next.last = r.Seq, r.At
	next.history = &entry{
		prev: s.history, event: r.Event, seq: r.Seq, at: r.At.UnixMilli(),
		left: [2]int32{packMs(next.clock.left[0]), packMs(next.clock.left[1])}, spent: packMs(spent),
	}
	return next, nil
}

// change is what an event does to all but its place in the log.
func (s State) change(r Recorded, states earlier) (next State, spent time.Duration, err error) {
	if err := s.mayFollow(r.Event); err != nil {
		return s, 0, err
	}
	switch e := r.Event.(type) {
	case Opened:
		err = s.open(e, r.At)
	case PlayerReady:
		err = s.comes(e, r.At)
	case Started:
		err = s.start(e, r.At)
	case Appointed:
		err = s.appoint(e)
	case OutageCredited:
		s.clock = s.clock.credit(e)
	case Ended:
		s.clock, s.still = s.clock.stop(r.At), Standstill{}
		s.status, s.result, s.known = Over, e.Result, true
	case BidPlaced, Drawn, Played, Undone, Claimed, Resigned, FlagFell:
		spent, err = s.act(r)
	default:
		s, err = s.arbitrated(r, states)
	}
	return s, spent, err
}

// mayFollow refuses what cannot follow the end, or a standstill.
func (s State) mayFollow(e Event) error {
	switch e.(type) {
	case MadeVoid:
		return nil
	case Reopened:
		if s.status != Over {
			return refuse(bidding.Malformed, "the match is not over")
		}
		return nil
	case Ended: // again after MadeVoid
		if s.status == Over && !s.result.IsZero() {
			return ErrOver
		}
		return nil
	}
	if s.status == Over {
		return ErrOver
	}
	if _, isPlayers := e.(PlayerReady); (isPlayers || IsAct(e)) && !s.still.Since.IsZero() {
		return errStill
	}
	return nil
}

// start opens the bidding or, when the players have met, the board.
func (s *State) start(e Started, at time.Time) error {
	if s.status != Waiting {
		return refuse(bidding.Malformed, "started already")
	}
	if s.game.OnBoard() {
		s.openBoard(at)
		return nil
	}
	if s.options.Odds {
		if err := giveOdds(s); err != nil {
			return err
		}
	}
	if e.Odds != s.odds {
		return refuse(bidding.Malformed, "the sealed bids come to other odds")
	}
	each := bidding.ClockStart
	if s.options.BidTime > 0 {
		each = s.options.BidTime
	}
	s.status, s.started = Bidding, at
	s.clock = clock{left: [2]time.Duration{each, each}, running: First, since: at}
	return nil
}

func (s *State) open(e Opened, at time.Time) error {
	if err := e.Options.Validate(); err != nil {
		return err
	}
	if e.Commitment != e.Seed.Commitment() {
		return refuse(bidding.Malformed, "the seed is not the one committed to")
	}
	game, err := newGame(e.Options)
	if err != nil {
		return err
	}
	s.options, s.seed, s.game, s.opened = e.Options, e.Seed, game, at
	s.clock = clock{wait: e.Options.Lateness, since: at}
	return nil
}

func newGame(o Options) (Game, error) {
	return NewGame(Rules{Chips: o.Envelope.Chips, Extra: o.Extra, Claims: o.Claims, Defaults: o.Envelope.Defaults})
}

// act is an act of the game: the game judges it, the clocks follow.
func (s *State) act(r Recorded) (spent time.Duration, err error) {
	if s.status == Waiting && !s.mayWhileWaiting(r.Event) {
		return 0, refuse(NotStarted, "the players are awaited")
	}
	before := s.game
	if s.game, err = before.Do(r.Event); err != nil {
		return 0, err
	}
	switch e := r.Event.(type) {
	case BidPlaced:
		spent = s.clock.elapsed(r.At)
		i := e.Seat.Index()
		left := s.clock.left[i] - spent
		s.clock.left[i] = bidding.AfterBid(left, s.game.Bids().Purse(e.Seat.Other()) > 0)
		if s.options.BidTime > 0 {
			s.clock.left[i] = s.options.BidTime
		}
	case Played:
		spent = s.clock.elapsed(r.At)
		increment := time.Duration(s.game.terms.Time.Increment) * time.Second
		s.clock.left[e.Seat.Index()] += increment - spent
		s.renew(e.Seat)
	case Undone: // Rules D14: no increment
		spent = s.clock.elapsed(r.At)
		s.clock.left[e.Seat.Index()] -= spent
		s.renew(e.Seat)
	case Drawn:
		s.drawn++
	case FlagFell:
		s.clock.left[e.Seat.Index()] = 0
		s.clock = s.clock.stop(r.At)
		return 0, nil
	case Claimed, Resigned:
		s.clock = s.clock.stop(r.At)
		return 0, nil
	}
	s.run(before, r.At)
	return spent, nil
}

// renew gives who has acted all of their time again where nothing is timed.
func (s *State) renew(seat Seat) {
	if s.options.Untimed {
		s.clock.left[seat.Index()] = s.options.BidTime
	}
}

// run starts the clock of whoever acts next.
func (s *State) run(before Game, at time.Time) {
	turn, _ := s.game.Turn()
	s.clock.running, s.clock.since, s.clock.credited = turn, at, nil
	if !s.game.OnBoard() || before.OnBoard() {
		return
	}
	each := time.Duration(s.game.terms.Time.Minutes) * time.Minute
	if s.options.Untimed {
		each = s.options.BidTime
	}
	s.clock.left = [2]time.Duration{each, each}
	if s.options.Meet > 0 {
		s.meet(at)
		return
	}
	s.openBoard(at)
}

// openBoard starts White's clock, a little later (Rules 8).
func (s *State) openBoard(at time.Time) {
	turn, _ := s.game.Turn()
	s.clock.running, s.clock.since = turn, at.Add(s.options.StartDelay)
	s.status = Playing
}

// onClock is a time as the log keeps it: UTC, whole milliseconds.
func onClock(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
