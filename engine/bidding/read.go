package bidding

import "chpok.org/chpok/engine/board"

// Turn returns who bids next, even while a draw is due (Rules D22); false once no chips are
// left.
func (s State) Turn() (Seat, bool) { return s.turn, s.turn.Valid() }

// Pending returns the draw that is due now, if any.
func (s State) Pending() (Target, bool) {
	var buf [2]Target
	if due := s.AppendPending(buf[:0]); len(due) > 0 {
		return due[0], true
	}
	return 0, false
}

// AppendPending appends the draws that are due, in order: that of a call and, at the end of
// the bidding, white, then time, if nobody ever bid on them (Rules 5.4, D22).
func (s State) AppendPending(due []Target) []Target {
	if s.called != 0 {
		due = append(due, s.called)
	}
	if s.turn.Valid() {
		return due
	}
	if s.white == 0 && s.called != White {
		due = append(due, White)
	}
	if s.time == (TimeControl{}) && s.called != Time {
		due = append(due, Time)
	}
	return due
}

// IsOver reports whether the phase has ended: no chips and no draws are left.
func (s State) IsOver() bool {
	_, pending := s.Pending()
	return !s.turn.Valid() && !pending
}

// Chips returns what each player started with, apart from a handicap.
func (s State) Chips() int { return s.chips }

// Purse returns how many chips a seat has not staked yet.
func (s State) Purse(by Seat) int {
	left := s.chips + s.extra[by.Index()]
	for _, stake := range s.stakes {
		left -= stake[by.Index()]
	}
	return left
}

// Stake returns how many chips a seat has staked on a target.
func (s State) Stake(t Target, by Seat) int { return s.stakes[t.index()][by.Index()] }

// Gap returns the opponent's stake on a target minus the seat's own (Rules 5.3).
func (s State) Gap(t Target, by Seat) int { return s.Stake(t, by.Other()) - s.Stake(t, by) }

// White returns who plays White, false while that is open.
func (s State) White() (Seat, bool) { return s.white, s.white.Valid() }

// Time returns the time control, false while it is open.
func (s State) Time() (TimeControl, bool) { return s.time, s.time != TimeControl{} }

// Row returns the home row in force: the last one bid, fitted to the width, or that width's
// standard row (Rules D10, D23).
func (s State) Row() board.Row {
	if !s.rowBid {
		return board.StandardRow(s.features.Width)
	}
	return board.Fit(s.row, s.features.Width)
}

// RowAt returns the row that would be in force at another width, for previews.
func (s State) RowAt(width int) board.Row {
	if !s.rowBid {
		return board.StandardRow(width)
	}
	return board.Fit(s.row, width)
}

// Features returns the features in force.
func (s State) Features() board.Features { return s.features }

// Defaults returns the features before any bid, which a call restores (D20).
func (s State) Defaults() board.Features { return s.defaults }

// CallOf returns the call the player to bid may make on a target now, or a *Refusal that says
// why there is none: the turn, the gap or the chips.
func (s State) CallOf(t Target) (Bid, error) {
	if err := s.mayBid(); err != nil {
		return Bid{}, err
	}
	gap := s.Gap(t, s.turn)
	switch {
	case gap <= 0:
		return Bid{}, refuse(BelowGap, "there is no gap to call")
	case gap > s.Purse(s.turn):
		return Bid{}, refuse(NotEnoughChips, "the gap is %d chips, %d are left", gap, s.Purse(s.turn))
	}
	return Bid{Target: t, Chips: gap}, nil
}

// MayRaise returns nil if the player to bid has the chips for a raise on a target, else a
// *Refusal that says why not.
func (s State) MayRaise(t Target) error {
	if err := s.mayBid(); err != nil {
		return err
	}
	if least := s.LeastRaise(t); least > s.Purse(s.turn) {
		return refuse(NotEnoughChips, "a raise takes %d chips, %d are left", least, s.Purse(s.turn))
	}
	return nil
}

// LeastRaise returns how many chips the smallest raise on a target takes the player to bid:
// one more than the gap, and at least one.
func (s State) LeastRaise(t Target) int {
	if !s.turn.Valid() {
		return 0
	}
	return max(1, s.Gap(t, s.turn)+1)
}

func (s State) mayBid() error {
	if due, ok := s.Pending(); ok {
		return refuse(DrawPending, "the draw of %s comes first", due)
	}
	if !s.turn.Valid() {
		return refuse(NotBidding, "the bidding is over")
	}
	return nil
}

// Terms are what the board phase is played on: the four outcomes, fixed when the bidding
// ends.
type Terms struct {
	White    Seat
	Time     TimeControl
	Row      board.Row
	Features board.Features
}

// Terms returns the outcomes the bidding ended with, or a *Refusal before that.
func (s State) Terms() (Terms, error) {
	if !s.IsOver() {
		return Terms{}, refuse(NotBidding, "the bidding is not over")
	}
	return Terms{White: s.white, Time: s.time, Row: s.Row(), Features: s.features}, nil
}
