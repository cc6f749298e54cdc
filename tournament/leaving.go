package tournament

import (
	"fmt"
	"reflect"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/setting"
)

// Leaving is what becomes of the results of somebody who is out, fixed before
// the start.
type Leaving uint8

const (
	// LeaveUsual keeps results; in a round robin only of those who have played
	// half of their games, the others are taken off the table.
	LeaveUsual    Leaving = iota
	LeaveKeep             // results stand, also in a round robin
	LeaveForfeits         // every game played against them is a forfeit win, and unrated
	LeaveAnnul            // round robin: off the table however much was played, and unrated
)

var leavingNames = [...]string{"usual", "keep", "forfeits", "annul"}

func (l Leaving) String() string { return nameOf(leavingNames[:], int(l)) }

// ParseLeaving reads what String writes; the empty text is LeaveUsual.
func ParseLeaving(s string) (Leaving, error) {
	for i, name := range leavingNames {
		if s == name || s == "" {
			return Leaving(i), nil
		}
	}
	return 0, fmt.Errorf("what becomes of results is usual, keep, forfeits or annul, not %q", s)
}

// policyOf is what the settings say of somebody who is out.
func (s Settings) policyOf(e Entry) Leaving {
	switch {
	case e.Status != Withdrawn || e.Number == 0:
		return LeaveKeep
	case e.Expelled:
		return s.Expulsion
	}
	return s.Leave
}

// Expel disqualifies an entry. Results so far follow the policy that was fixed
// before the start, and boards of the open round on which nothing is being
// played are forfeited. isPlaying tells of a match; where one is being played,
// the arbiter ends that first.
func (t *Tournament) Expel(by player.Viewer, id EntryID, isPlaying func(match.ID) bool, now time.Time) (void []match.ID, err error) {
	i := t.index(id)
	switch {
	case i < 0:
		return nil, ErrNoEntry
	case !t.May(by, ActExpel):
		return nil, ErrNotAllowed
	case by.Is(t.Entries[i].Player):
		return nil, t.ownEntry(by, ActExpel)
	case t.Status == Finalized:
		return nil, ErrFinalized
	case t.Entries[i].Expelled:
		return nil, ErrWithdrawn
	}
	c := t.Clone()
	e := &c.Entries[i]
	if e.Status != Withdrawn {
		e.Until = len(c.Rounds)
	}
	e.Status, e.Expelled, e.Was = Withdrawn, true, e.Status
	for r := range c.Rounds {
		for k := range c.Rounds[r].Pairings {
			p := &c.Rounds[r].Pairings[k]
			seat := p.SeatOf(id)
			if !seat.Valid() || !p.Result.IsPending() || c.Status != Running {
				continue
			}
			if p.Match != "" && isPlaying(p.Match) {
				return nil, ErrBeingPlayed
			}
			if p.Match != "" {
				void = append(void, p.Match)
			}
			p.Result = Result{Kind: SecondByForfeit, Reason: match.Forfeit, By: by.ID, At: now}
			if seat == match.Second {
				p.Result.Kind = FirstByForfeit
			}
		}
	}
	c.judgeLeavers()
	c.promote()
	*t = *c
	return void, nil
}

// Reinstate takes a disqualification back: results stand as they were played, and
// the entry is where it was before. One that took part is paired again from the
// next round, if there is one; before the start it waits if its place was taken.
func (t *Tournament) Reinstate(by player.Viewer, id EntryID) error {
	if i := t.index(id); i >= 0 {
		switch {
		case !t.May(by, ActReinstate):
			return ErrNotAllowed
		case by.Is(t.Entries[i].Player):
			return t.ownEntry(by, ActReinstate)
		}
	}
	return t.TakeBack(id)
}

// TakeBack is Reinstate by those who have judged an appeal.
func (t *Tournament) TakeBack(id EntryID) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case t.Status == Finalized:
		return ErrFinalized
	case !t.Entries[i].Expelled:
		return ErrEntered
	}
	c := t.Clone()
	e := &c.Entries[i]
	was := max(e.Was, Active)
	e.Status, e.Expelled, e.Was = was, false, 0
	if was != Withdrawn {
		e.Until = 0
	}
	switch {
	case was != Active || e.Number > 0:
	case c.Status == Running && !c.Format.HasTable(): // disqualified before the numbers were drawn
		c.seat(i)
	case c.Status == Running || c.Status.IsOver():
		e.Status = Withdrawn // no round is left to them: a table stands without them
	case c.Active() > c.room():
		e.Status = Waiting
	}
	c.judgeLeavers()
	*t = *c
	return nil
}

// judgeLeavers makes results forfeits where the policy says so, and gives back
// those of players who are in again.
func (t *Table) judgeLeavers() {
	for i := range t.Rounds {
		for k := range t.Rounds[i].Pairings {
			p := &t.Rounds[i].Pairings[k]
			base := p.Result.Kind
			if p.Result.Was != Pending {
				base = p.Result.Was
			}
			if base < FirstWins || base > Drawn {
				continue
			}
			first, second := t.policyOf(t.Entries[t.index(p.First)]), t.policyOf(t.Entries[t.index(p.Second)])
			p.Result.Kind, p.Result.Was = base, base
			switch {
			case first == LeaveAnnul || second == LeaveAnnul, first == LeaveForfeits && second == LeaveForfeits:
				p.Result.Kind = DoubleForfeit
			case first == LeaveForfeits:
				p.Result.Kind = SecondByForfeit
			case second == LeaveForfeits:
				p.Result.Kind = FirstByForfeit
			default:
				p.Result.Was = Pending
			}
		}
	}
}

// SameResults reports whether what was played counts the same in another state of
// the tournament.
func (t *Table) SameResults(other *Table) bool {
	if t.Format == Arena {
		return reflect.DeepEqual(t.Rounds, other.Rounds)
	}
	return reflect.DeepEqual(t.Field(), other.Field())
}

// leavingProblems are the faults of what becomes of results.
func (s Settings) leavingProblems(f *setting.Faults) {
	for _, x := range []struct {
		field string
		value Leaving
	}{{"leave", s.Leave}, {"expulsion", s.Expulsion}} {
		switch {
		case x.value > LeaveAnnul:
			f.Add(x.field, "missing", "what becomes of results is usual, keep, forfeits or annul")
		case x.value == LeaveAnnul && s.Format != RoundRobin:
			f.Add(x.field, "unsuitable", "only a round robin is played without somebody who was in it")
		}
	}
}
