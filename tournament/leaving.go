package tournament

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/setting"
)

// Leaving says what happens to the results of players who leave. It is fixed before the start.
type Leaving uint8

const (
	LeaveUsual    Leaving = iota // results stand; in a round robin only after half of the games
	LeaveKeep                    // results stand
	LeaveForfeits                // their games become unrated forfeit wins for the opponents
	LeaveAnnul                   // round robin: their games count for nothing, not even ratings
)

var leavingNames = [...]string{"usual", "keep", "forfeits", "annul"}

func (l Leaving) String() string { return nameOf(leavingNames[:], l) }

// ParseLeaving reads what String writes; the empty text is LeaveUsual.
func ParseLeaving(s string) (Leaving, error) { return parseName[Leaving]("leave", leavingNames[:], s) }

// policyOf returns what happens to the results of an entry; LeaveKeep if it is not out.
func (s Settings) policyOf(e Entry) Leaving {
	switch {
	case e.Status != Withdrawn || e.Number == 0:
		return LeaveKeep
	case e.Expelled:
		return s.Expulsion
	}
	return s.Leave
}

// leavingAt returns what happens to the results of whoever has a seat of a board: as their team's, or as their own
// if they were disqualified from it.
func (t *Table) leavingAt(p Pairing, s match.Seat) Leaving {
	e := t.Entries[t.index(p.EntryAt(s))]
	if e.Team == 0 {
		return t.policyOf(e)
	}
	team := t.policyOf(t.Entries[t.index(e.Team)])
	if team == LeaveUsual || team == LeaveKeep {
		if e.Expelled && (t.Expulsion == LeaveForfeits || t.Expulsion == LeaveAnnul) {
			return LeaveForfeits
		}
	}
	return team
}

// Expel disqualifies an entry. Its results follow Settings.Expulsion, and its pending boards
// are forfeited. It returns the matches that are no longer played. If isPlaying reports that
// one is in play, Expel fails with ErrBeingPlayed: the arbiter has to end it first.
func (t *Tournament) Expel(by player.Viewer, id EntryID, isPlaying func(match.ID) bool, now time.Time) (void []match.ID, err error) {
	i := t.index(id)
	switch {
	case i < 0:
		return nil, ErrNoEntry
	case !t.May(by, ActExpel):
		return nil, ErrNotAllowed
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
	for _, p := range c.AllBoards() {
		seat := c.SeatFor(*p, id)
		if !seat.Valid() || !p.Result.IsPending() || c.Status != Running {
			continue
		}
		if p.Match != "" && isPlaying(p.Match) {
			return nil, ErrBeingPlayed
		}
		if p.Match != "" {
			void = append(void, p.Match)
		}
		p.Result = Result{Kind: SecondByForfeit, Reason: match.Forfeit, By: by.ID, At: now, Gone: c.Gone()}
		if seat == match.Second {
			p.Result.Kind = FirstByForfeit
		}
	}
	c.judgeLeavers()
	*t = *c
	return void, nil
}

// hasLeft reports whether an entry has withdrawn or was disqualified.
func (l Entries) hasLeft(id EntryID) bool { return l[l.index(id)].Status == Withdrawn }

// Stayed is a running tournament as if an entry that has left, and could be let back in, had stayed.
func (t *Tournament) Stayed(id EntryID) *Tournament {
	i := t.index(id)
	if i < 0 || t.Status != Running || t.Entries[i].Number == 0 || t.readmits(i) != nil {
		return t
	}
	c := t.Clone()
	c.readmit(i)
	return c
}

// DidNotCome reports whether an entry missed the last board or round it was expected at: it lost
// there by absence, or missed the check-in. What one of the staff has entered there is their word
// and proves nothing for what they do next.
func (t *Table) DidNotCome(id EntryID, word player.ID) bool {
	e := t.Entries[t.index(id)]
	for i := len(t.Rounds) - 1; i >= 0; i-- {
		r := t.Rounds[i]
		if slices.Contains(e.Missed, r.Number) {
			return true
		}
		if n, m := r.MatchOf(id); n > 0 { // of a team: too few of its players
			return m.By == "" && m.Lost[m.SeatOf(id).Index()]
		}
		p, sits := r.BoardOf(id)
		if !sits {
			continue
		}
		lost := SecondByForfeit
		if p.First != id {
			lost = FirstByForfeit
		}
		return p.Result.By != word && p.Result.Was == Pending && (p.Result.Kind == lost || p.Result.Kind == DoubleForfeit)
	}
	return false
}

// Gone returns who of a knock-out has left by now: a result that comes after leaves them out if it is level, and
// gives them nothing that it decides without a match.
func (t *Table) Gone() (list []EntryID) {
	if !t.Format.HasBracket() {
		return nil
	}
	for _, e := range t.Entries {
		if e.Status == Withdrawn && e.Number > 0 {
			list = append(list, e.ID)
		}
	}
	return list
}

// Reinstate lifts a disqualification: results stand as played, and the entry has the status it
// had before. A player who took part is paired again from the next round. Before the start the
// entry waits if its place is taken.
func (t *Tournament) Reinstate(by player.Viewer, id EntryID) error {
	if t.index(id) >= 0 && !t.May(by, ActReinstate) {
		return ErrNotAllowed
	}
	return t.TakeBack(id)
}

// TakeBack is Reinstate on the decision of an appeal, without a check of rights.
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
	case was != Active || e.Number > 0 || e.Team != 0:
	case c.Status == Running && !c.Format.HasTable(): // was disqualified before numbers were drawn
		c.seat(i)
	case c.Status == Running || c.Status.IsOver():
		e.Status = Withdrawn // a table is fixed, or no round is left
	case c.Active() > c.room():
		e.Status = Waiting
	}
	c.judgeLeavers()
	*t = *c
	return nil
}

// judgeLeavers turns results into forfeits where the policy says so, and restores those of
// players who are back.
func (t *Table) judgeLeavers() {
	for n, p := range t.AllBoards() {
		base := cmp.Or(p.Result.Was, p.Result.Kind)
		if p.TeamMatch > 0 && base != Pending && t.overrule(t.Rounds[n-1].Teams[p.TeamMatch-1], p, base) ||
			base < FirstWins || base > Drawn {
			continue
		}
		first, second := t.leavingAt(*p, match.First), t.leavingAt(*p, match.Second)
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

// overrule makes a board of a match of teams what the match's forfeit says, and reports whether there is one; otherwise the board
// stands as it did.
func (t *Table) overrule(m TeamPairing, p *Pairing, base ResultKind) bool {
	p.Result.Kind, p.Result.Was = base, Pending
	if !m.IsForfeited() {
		return false
	}
	first, second := t.lostBy(m, *p)
	if forced := absent(first, second, time.Time{}).Kind; forced != base {
		p.Result.Kind, p.Result.Was = forced, base
	}
	return true
}

// SameResults reports whether another state of the tournament has the same results.
func (t *Table) SameResults(other *Table) bool {
	if !t.Format.InRounds() {
		return reflect.DeepEqual(t.Rounds, other.Rounds)
	}
	return reflect.DeepEqual(t.Field(), other.Field())
}

// leavingProblems finds faults of Leave and Expulsion.
func (s Settings) leavingProblems(f *setting.Faults) {
	for _, x := range []struct {
		field string
		value Leaving
	}{{"leave", s.Leave}, {"expulsion", s.Expulsion}} {
		switch {
		case x.value > LeaveAnnul:
			f.Add(x.field, "missing", "results are usual, keep, forfeits or annul")
		case !x.value.Suits(s.Format):
			f.Add(x.field, "unsuitable", "only a round robin can annul results, and no knock-out can make them forfeits")
		}
	}
}

// Suits reports whether a format can treat results so.
func (l Leaving) Suits(f Format) bool {
	return (l != LeaveAnnul || f.MeetsAll()) && (l != LeaveForfeits || !f.HasBracket())
}
