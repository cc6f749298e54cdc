package match

import (
	"fmt"
	"math"
	"time"

	"chpok.org/chpok/engine/bidding"
)

// ID identifies a match.
type ID string

// Status is the status of a match.
type Status uint8

const (
	Waiting Status = iota // for the players to be ready
	Bidding
	Playing
	Over
)

// State is a match after some event of its log. It is an immutable value; the zero value has not
// been opened.
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
	still   Standstill // zero: it does not stand still
	game    Game
	drawn   int
	result  Result
	revised bool // an arbiter took something back
	known   bool // the seed is known, as the match was over once
	history *entry
}

// Entry is an event of the history with what the clocks showed after it.
type Entry struct {
	Recorded
	Left  [2]time.Duration // clocks after the event, by seat
	Spent time.Duration    // time that a bid, move or undo took
}

// entry is a link of the history, packed like ply.
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

// packMs converts a clock's time for an entry; no clock shows more than 24 days.
func packMs(d time.Duration) int32 { return int32(min(d.Milliseconds(), math.MaxInt32)) }

// Open returns the first events of a match.
func Open(o Options, seed Seed) []Event {
	events := []Event{Opened{Options: o, Seed: seed, Commitment: seed.Commitment()}}
	if o.Lateness == 0 {
		events = append(events, Started{})
	}
	return events
}

// Fold returns the state after a whole log, or ErrLog if Decide cannot have written it.
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

// Apply returns the state after one more event of the log. It panics if the event cannot follow;
// events that Decide returned always can.
func (s State) Apply(r Recorded) State {
	next, err := s.step(r)
	if err != nil {
		panic(err)
	}
	return next
}

func (s State) step(r Recorded) (State, error) { return s.follow(r, nil) }

// follow returns the state after one more event. states are the earlier ones; if nil, they are
// folded again when an arbiter goes back to one.
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

// change applies an event to everything but the history.
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

// mayFollow refuses events that cannot follow the end or a standstill.
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

// start opens the bidding or, after the meeting, the board.
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
		return refuse(bidding.Malformed, "the odds do not follow from the sealed bids")
	}
	each := bidding.ClockStart
	if s.options.BidTime > 0 {
		each = s.options.BidTime
	}
	s.status, s.started = Bidding, at
	s.clock = clock{left: [2]time.Duration{each, each}, running: First, since: s.bidsSince(First, at)}
	return nil
}

// bidsSince returns when the clock of a player who is to bid runs from.
func (s *State) bidsSince(by Seat, at time.Time) time.Time {
	if !s.IsFirstBidAwaited(by) {
		return at
	}
	return latest(at, s.started.Add(s.options.firstBidWait()))
}

func (s *State) open(e Opened, at time.Time) error {
	if err := e.Options.Validate(); err != nil {
		return err
	}
	if e.Commitment != e.Seed.Commitment() {
		return refuse(bidding.Malformed, "the seed does not match its commitment")
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

// act applies an act of the game, with its effect on the clocks.
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

// renew restores a player's time after an act if each has a time of its own.
func (s *State) renew(seat Seat) {
	if s.options.hasMoveTime() {
		s.clock.left[seat.Index()] = s.options.BidTime
	}
}

// run starts the clock of the player who acts next.
func (s *State) run(before Game, at time.Time) {
	turn, _ := s.game.Turn()
	s.clock.running, s.clock.since, s.clock.credited = turn, s.bidsSince(turn, at), nil
	if !s.game.OnBoard() || before.OnBoard() {
		return
	}
	each := time.Duration(s.game.terms.Time.Minutes) * time.Minute
	if s.options.hasMoveTime() {
		each = s.options.BidTime
	}
	s.clock.left = [2]time.Duration{each, each}
	if s.options.Meet > 0 {
		s.meet(at)
		return
	}
	s.openBoard(at)
}

// openBoard starts White's clock after the start delay (Rules 8).
func (s *State) openBoard(at time.Time) {
	turn, _ := s.game.Turn()
	s.clock.running, s.clock.since = turn, at.Add(s.options.StartDelay)
	s.status = Playing
}

// onClock converts a time to the log's: UTC, whole milliseconds.
func onClock(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
