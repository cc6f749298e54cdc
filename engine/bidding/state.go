package bidding

import "chpok.org/chpok/engine/board"

// Chips each player may start with (Rules 5.1).
const (
	DefaultChips       = 15
	MinChips, MaxChips = 1, 99
)

// State is the bidding phase so far. It is a comparable value; Place and Draw return new ones.
// First bids first (Rules 5.3, D11).
type State struct {
	chips    int            // of each player at the start
	extra    [2]int         // a handicap on top of that
	defaults board.Features // in force before any bid and after a call (D20)

	stakes [Targets][2]int
	turn   Seat // who bids next; none once no chips are left

	white    Seat        // who plays White; none while open
	time     TimeControl // zero while open
	row      board.Row   // as bid (D23)
	rowBid   bool        // false for the standard row
	features board.Features

	called Target // a call whose draw is due
}

// Start opens the phase with that many chips each and the features in force before any bid
// (Rules 5.1, D20). It takes both as valid: chips from MinChips to MaxChips, and defaults that
// pass Validate.
func Start(chips int, defaults board.Features) State {
	return State{chips: chips, defaults: defaults, features: defaults, turn: First}
}

// Place returns the state after a seat's bid, or a *Refusal (Rules 5.3, D6, D10, D25).
func (s State) Place(by Seat, bid Bid) (State, error) {
	switch _, pending := s.Pending(); {
	case pending:
		return s, refuse(DrawPending, "a draw comes first")
	case s.IsOver():
		return s, refuse(NotBidding, "the bidding is over")
	case by != s.turn:
		return s, refuse(NotYourTurn, "the other player bids")
	case !bid.Target.Valid():
		return s, refuse(UnknownTarget, "there is no such target")
	case bid.Chips < 1:
		return s, refuse(BadChips, "a bid takes at least one chip")
	case bid.Chips > s.Purse(by):
		return s, refuse(NotEnoughChips, "%d chips are left", s.Purse(by))
	}
	gap := s.Gap(bid.Target, by)
	switch {
	case bid.Chips < gap:
		return s, refuse(BelowGap, "the gap is %d chips", gap) // D6: no all-in below it
	case bid.Chips == gap:
		if bid.HasOutcome && bid.Target != White {
			return s, refuse(OutcomeOnCall, "a call states no outcome") // D25
		}
		s.call(bid.Target)
	default:
		if err := s.raise(by, bid); err != nil {
			return s, err
		}
	}
	s.stakes[bid.Target.index()][by.Index()] += bid.Chips
	s.turn = s.next(by)
	return s, nil
}

// call resets the target's outcome (Rules 5.3).
func (s *State) call(t Target) {
	switch t {
	case White:
		s.white, s.called = 0, White
	case Time:
		s.time, s.called = TimeControl{}, Time
	case HomeRow:
		s.row, s.rowBid = "", false
	case Features:
		s.features = s.defaults
	}
}

// raise sets the outcome the bid states. If it refuses, it changes nothing.
func (s *State) raise(by Seat, bid Bid) error {
	if bid.Target == White {
		s.white = by
		return nil
	}
	if err := s.checkOutcome(bid); err != nil {
		return err
	}
	switch bid.Target {
	case Time:
		s.time = bid.Time
	case HomeRow:
		s.row, s.rowBid = bid.Row, true
	case Features:
		s.features = bid.Features
	}
	return nil
}

// checkOutcome refuses outcomes no envelope could allow (Rules D9, D10).
func (s State) checkOutcome(bid Bid) error {
	switch bid.Target {
	case Time:
		if !bid.HasOutcome {
			return refuse(BadTime, "a raise states minutes and increment")
		}
		return bid.Time.Validate()
	case HomeRow:
		if !bid.HasOutcome {
			return refuse(BadRow, "a raise states the home row")
		}
		if err := board.ValidateRow(bid.Row, s.features.Width); err != nil {
			return refuse(BadRow, "%v", err)
		}
	case Features:
		if !bid.HasOutcome {
			return refuse(BadFeatures, "a raise states the features")
		}
		if err := bid.Features.Validate(); err != nil {
			return refuse(BadFeatures, "%v", err)
		}
	}
	return nil
}

// next returns who bids after a bid of by (Rules D7).
func (s State) next(by Seat) Seat {
	switch {
	case s.Purse(by.Other()) > 0:
		return by.Other()
	case s.Purse(by) > 0:
		return by
	}
	return 0
}

// Draw returns the state after the draw that is due; any other is a *Refusal (Rules D8, D22).
// The time may be any within D9's bounds: the list to draw from is the envelope's.
func (s State) Draw(d Draw) (State, error) {
	due, ok := s.Pending()
	switch {
	case !ok:
		return s, refuse(NoDrawPending, "no draw is due")
	case d.Target != due:
		return s, refuse(WrongDraw, "the draw of %s is due", due)
	case due == White && !d.White.Valid():
		return s, refuse(BadDraw, "a draw of white names a player")
	case due == Time && d.Time.Validate() != nil:
		return s, refuse(BadDraw, "%v", d.Time.Validate())
	}
	if due == White {
		s.white = d.White
	} else {
		s.time = d.Time
	}
	if s.called == due {
		s.called = 0
	}
	return s, nil
}
