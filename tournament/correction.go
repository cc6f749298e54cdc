package tournament

import (
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
)

// Reach says how far a correction goes.
type Reach uint8

const (
	FromNow     Reach = iota + 1 // standings and ratings change; rounds paired since stay
	RatingsOnly                  // only ratings count the new result
	RepairDraft                  // as FromNow, and the drafted round is paired again
	Replay                       // knock-out: as FromNow, and boards of players who should not have advanced are removed
)

var reachNames = [...]string{"", "from-now", "ratings", "re-pair", "replay"}

func (r Reach) String() string { return nameOf(reachNames[:], r) }

// ParseReach reads what String writes.
func ParseReach(s string) (Reach, error) { return parseName[Reach]("reach", reachNames[:], s) }

// RatedKind returns the result that ratings count.
func (r Result) RatedKind() ResultKind {
	if r.Rated != Pending {
		return r.Rated
	}
	return r.Kind
}

// Correct changes a result that was entered or played before.
func (t *Tournament) Correct(by player.Viewer, round, board int, kind ResultKind, reach Reach, s System, now time.Time) error {
	if !t.May(by, ActCorrect) {
		return ErrNotAllowed
	}
	if t.Status == Finalized {
		return ErrFinalized
	}
	c, toCome := t.Clone(), !t.isPlayed()
	p, err := c.pairing(round, board)
	switch {
	case err != nil:
		return err
	case kind < FirstWins || kind > DoubleForfeit:
		return fmt.Errorf("no such result: %d", kind)
	case p.Result.IsPending():
		return ErrNoResult
	case c.isEmptySeat(p.First) || c.isEmptySeat(p.Second):
		return ErrEmptySeat
	}
	switch reach {
	case RatingsOnly:
		p.Result.Rated = kind
		if kind == p.Result.Kind {
			p.Result.Rated = Pending
		}
		p.Result.By, p.Result.At = by.ID, now
	case FromNow, RepairDraft, Replay:
		r := Result{Kind: kind, Reason: match.Adjudicated, By: by.ID, At: now, Odds: p.Result.Odds, Gone: c.Gone()}
		if kind >= FirstByForfeit {
			r.Reason = match.Forfeit
		} else {
			r.Points = p.Result.Points
		}
		p.Result = r
		c.decideNow(round, *p)
		c.judgeLeavers()
		if err := c.advance(reach); err != nil {
			return err
		}
	default:
		return ErrBadEdit
	}
	if reach == RepairDraft {
		if c.Draft == nil {
			return ErrNoDraft
		}
		if err := c.pairDraft(c.Draft, s); err != nil {
			return err
		}
		c.Draft.Edited = c.differs(s)
	}
	if toCome && c.isPlayed() {
		c.Conclude(now) // a match-up that was level, or a leader who had not won yet, is decided
	}
	*t = *c
	return nil
}

// decideNow makes who is there now those by whom the contest of a board, in a round, and what was played in it since is decided.
func (t *Table) decideNow(round int, board Pairing) {
	if !t.Format.HasBracket() {
		return
	}
	contest := t.ContestOf(round, board)
	for n, p := range t.AllBoards() {
		if (n > round || n == round && p.TeamMatch > 0) && t.ContestOf(n, *p) == contest && !p.Result.IsPending() {
			p.Result.Gone = t.Gone()
		}
	}
}

// ContestOf returns the contest of a board in a round of a knock-out.
func (l Rounds) ContestOf(round int, p Pairing) int {
	if p.TeamMatch > 0 {
		return l[round-1].Teams[p.TeamMatch-1].Contest
	}
	return p.Contest
}

// isPlayed reports whether the last round is over.
func (t *Tournament) isPlayed() bool { return t.RoundIsOver() && len(t.Rounds) >= t.Settings.Rounds }

// advance updates a knock-out to a corrected result. If others have played on in the
// meantime, it removes their boards with Replay, and fails with ErrGoesOn without.
func (t *Tournament) advance(reach Reach) error {
	if !t.Format.HasBracket() {
		if reach == Replay {
			return ErrBadEdit
		}
		return nil
	}
	wasPlayed := len(t.Rounds) >= t.Settings.Rounds
	if len(t.strays()) > 0 {
		if reach != Replay {
			return ErrGoesOn
		}
		t.dropStrays()
	}
	t.redraft()
	t.reopen(wasPlayed)
	return nil
}

// boardBasis is what later rounds are paired from at a board: a forfeit of its match counts although all its boards were
// forfeits before.
type boardBasis struct {
	First, Second EntryID
	Kind, Was     ResultKind
	Lost          [2]bool
}

func (r Round) basisOf(p Pairing) boardBasis {
	b := boardBasis{First: p.First, Second: p.Second, Kind: p.Result.Kind, Was: p.Result.Was}
	if p.TeamMatch > 0 {
		b.Lost = r.Teams[p.TeamMatch-1].Lost
	}
	return b
}

// MarkOvertaken marks the rounds of a Swiss that were paired from results or numbers which
// have changed since the state before, or as the last one when they are not, or the other way round.
func (t *Table) MarkOvertaken(before *Table) {
	if !t.Format.PairsByScore() {
		return
	}
	from := len(before.Rounds)
	for r := min(len(t.Rounds), len(before.Rounds)) - 1; r >= 0; r-- {
		was := before.Rounds[r]
		if !slices.EqualFunc(t.Rounds[r].Pairings, was.Pairings, func(a, b Pairing) bool { return t.Rounds[r].basisOf(a) == was.basisOf(b) }) {
			from = r + 1
		}
	}
	if before.reordered(t.Entries) {
		from = 0
	}
	if n := len(t.Rounds); n == len(before.Rounds) && n > 0 && (n == t.Settings.Rounds) != (n == before.Settings.Rounds) {
		from = min(from, n-1)
	}
	for r := from; r < min(len(t.Rounds), len(before.Rounds)); r++ {
		if !t.Rounds[r].Overtaken {
			t.Rounds = slices.Clone(t.Rounds)
			t.Rounds[r].Overtaken = true
		}
	}
}

// reordered reports whether two entries stand in another order of numbers later.
func (l Entries) reordered(later Entries) bool {
	order := slices.Clone(l[:min(len(l), len(later))])
	order = slices.DeleteFunc(order, func(e Entry) bool { return e.Number == 0 || later[e.ID-1].Number == 0 })
	slices.SortFunc(order, func(a, b Entry) int { return a.Number - b.Number })
	return !slices.IsSortedFunc(order, func(a, b Entry) int { return later[a.ID-1].Number - later[b.ID-1].Number })
}

// Forbid keeps entries from meeting each other. A soft prohibition gives way if they could
// not be paired otherwise; see package swiss for the order.
func (t *Tournament) Forbid(by player.Viewer, f ForbiddenEntries) error {
	switch {
	case !t.May(by, ActForbid):
		return ErrNotAllowed
	case !t.Format.PairsByScore():
		return ErrTable
	case t.Status.IsOver():
		return ErrFinished
	case len(f.Entries) < 2 || f.From < 0 || f.To < 0 || f.To > 0 && f.To < f.From:
		return ErrBadEdit
	}
	seen := map[EntryID]bool{}
	for _, id := range f.Entries {
		if t.index(id) < 0 {
			return ErrNoEntry
		}
		if seen[id] {
			return ErrBadEdit
		}
		seen[id] = true
	}
	t.Forbidden = append(slices.Clone(t.Forbidden), f)
	return nil
}

// Allow lifts a prohibition.
func (t *Tournament) Allow(by player.Viewer, f ForbiddenEntries) error {
	i := slices.IndexFunc(t.Forbidden, func(o ForbiddenEntries) bool {
		return slices.Equal(o.Entries, f.Entries) && o.From == f.From && o.To == f.To && o.Soft == f.Soft
	})
	switch {
	case !t.May(by, ActForbid):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case i < 0:
		return ErrBadEdit
	}
	t.Forbidden = slices.Delete(slices.Clone(t.Forbidden), i, i+1)
	return nil
}
