package match

import "time"

// Decide answers a command at a time of the server's with the events that
// follow, to be recorded together at that time (State.At), or with a *Refusal.
// No events and no error: the command asks for what is already so.
//
// The clock comes first: past the deadline the answer is the flag fall, or the
// forfeit of whoever is not ready, whatever was asked (Rules D19). Only an
// outage is credited before.
func Decide(s State, c Command, now time.Time) ([]Event, error) {
	if s.seq == 0 {
		return nil, refuse(NotStarted, "the match is not open")
	}
	d := decision{s, s.At(now)}
	if s.status == Over {
		return d.afterEnd(c)
	}
	if c, ok := c.(CreditOutage); ok {
		return d.creditOutage(c), nil
	}
	if s.clock.isUp(d.now) {
		return d.overdue(), nil
	}
	if _, ok := c.(CheckClock); ok {
		return nil, nil
	}
	if events, err, ok := d.arbitrate(c); ok {
		return events, err
	}
	if !s.still.Since.IsZero() {
		return nil, errStill
	}
	switch c := c.(type) {
	case Ready:
		return d.decideReady(c)
	case Appoint:
		return d.decideAppoint(c)
	case ClaimForfeit:
		return d.decideForfeit(c)
	case PlaceBid:
		return d.decideAct(BidPlaced(c))
	case Play:
		return d.decideAct(Played(c))
	case Undo:
		return d.decideAct(Undone(c))
	case Claim:
		return d.decideAct(Claimed(c))
	case Resign:
		return d.decideAct(Resigned(c))
	}
	return nil, refuse("malformed", "there is no such command")
}

// decision is a state at the moment at which a command is answered. It only
// reads the state; State.Apply takes the events in.
type decision struct {
	State
	now time.Time
}

// At is the time at which events decided now are recorded: never before the
// last event, in whole milliseconds.
func (s State) At(now time.Time) time.Time { return latest(onClock(now), s.last) }

// decideAct is an act with all that follows from it: the draws that are due
// at once (Rules 5.3, 5.4) and the end.
func (d decision) decideAct(act Event) ([]Event, error) {
	if d.status == Waiting && !d.mayWhileWaiting(act) {
		return nil, refuse(NotStarted, "the players are awaited")
	}
	game, err := d.game.Do(act)
	if err != nil {
		return nil, err
	}
	if bid, ok := act.(BidPlaced); ok {
		if err := d.options.Envelope.Check(bid.Bid); err != nil {
			return nil, err
		}
	}
	events := []Event{act}
	for n := d.drawn + 1; ; n++ {
		due, ok := game.PendingDraw()
		if !ok {
			break
		}
		drawn := Drawn{d.seed.Draw(n, due, d.options.Envelope.Presets)}
		if game, err = game.Do(drawn); err != nil {
			return nil, err
		}
		events = append(events, drawn)
	}
	return ending(events, game), nil
}

// ending adds the end if the game has come to it.
func ending(events []Event, game Game) []Event {
	if r := game.Result(); !r.IsZero() {
		events = append(events, Ended{r})
	}
	return events
}

// mayWhileWaiting reports whether an act needs no player at the board: who does not
// want to meet may give up.
func (s State) mayWhileWaiting(act Event) bool {
	_, resigns := act.(Resigned)
	return resigns && s.IsMeeting()
}

// overdue is what follows when the deadline has passed.
func (d decision) overdue() []Event {
	if d.status != Waiting {
		act := FlagFell{d.clock.running}
		game, err := d.game.Do(act)
		if err != nil {
			panic("match: the clock of a player runs who is not to act: " + err.Error())
		}
		return ending([]Event{act}, game)
	}
	r := Result{Outcome: BothLose, Reason: Forfeit, Points: d.game.Points()}
	switch d.came() {
	case [2]bool{true, false}:
		r.Outcome = FirstWins
	case [2]bool{false, true}:
		r.Outcome = SecondWins
	}
	return []Event{Ended{r}}
}

// creditOutage gives back what an outage has used up and was not given back
// yet; the flag falls when the time before it was used up already.
func (d decision) creditOutage(c CreditOutage) []Event {
	part, given := d.clock.uncredited(onClock(c.From), onClock(c.To), d.now)
	var events []Event
	if given > 0 {
		e := OutageCredited{Seat: d.clock.running, From: part.from, To: part.to, Given: given}
		events = append(events, e)
		d.clock = d.clock.credit(e)
	}
	if d.clock.isUp(d.now) {
		events = append(events, d.overdue()...)
	}
	return events
}
