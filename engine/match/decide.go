package match

import "time"

// Decide answers a command with the events that follow, to be recorded together at State.At, or
// with a *Refusal. The time is the server's. There are no events if the command asks for what
// is already so.
//
// Once the deadline has passed, the answer to any command is the flag fall, or the forfeit of
// players who are not ready (Rules D19). Only outages are credited first.
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
	return nil, refuse("malformed", "no such command")
}

// decision is a state with the time at which a command is answered.
type decision struct {
	State
	now time.Time
}

// At returns the time at which events decided now are recorded: in whole milliseconds, and never
// before the last event.
func (s State) At(now time.Time) time.Time { return latest(onClock(now), s.last) }

// decideAct answers with an act and what follows from it: draws that are due (Rules 5.3, 5.4)
// and the end.
func (d decision) decideAct(act Event) ([]Event, error) {
	if d.status == Waiting && !d.mayWhileWaiting(act) {
		return nil, refuse(NotStarted, "the match waits for its players: be ready first")
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

// ending adds the end if the game is over.
func ending(events []Event, game Game) []Event {
	if r := game.Result(); !r.IsZero() {
		events = append(events, Ended{r})
	}
	return events
}

// mayWhileWaiting reports whether an act is possible while the match waits for its players:
// only resigning instead of meeting for the board phase (Rules D34).
func (s State) mayWhileWaiting(act Event) bool {
	_, resigns := act.(Resigned)
	return resigns && s.IsMeeting()
}

// overdue returns what follows when the deadline has passed.
func (d decision) overdue() []Event {
	if d.status != Waiting {
		act := FlagFell{d.clock.running}
		game, err := d.game.Do(act)
		if err != nil {
			panic("match: the clock of the wrong player runs: " + err.Error())
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

// creditOutage gives back the time lost in an outage that was not given back yet. The flag falls
// if the deadline had passed before the outage.
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
