package kernel

import (
	"context"
	"errors"
	"slices"
	"sort"

	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// ErrOvertaken refuses an act on what somebody else has changed since its author saw it.
var ErrOvertaken = refusal.Conflict("desk.error.overtaken", "arbiter: somebody else has changed it since it was shown")

// Overtaken is ErrOvertaken with who did what, and when.
type Overtaken struct {
	First  ledger.Deed   // what came first
	Key    string        // of the text of what came first; empty: an act in the log of a tournament
	Field  string        // in which the author's form says what it showed; empty: the usual one
	Name   player.Handle // of who did it; empty: the site, or a match
	Refuse error         // why the act can no longer be done; nil: it still can, by whoever has seen what came first
	Now    int64         // version of what was changed
}

func (e *Overtaken) Error() string { return ErrOvertaken.Error() }

// Unwrap makes it a conflict, whatever the act would now be refused for.
func (e *Overtaken) Unwrap() error { return ErrOvertaken }

// Meanwhile is what others have done since the author of an act saw the tournament.
type Meanwhile struct {
	was   *tournament.Tournament // what its author saw
	deeds []ledger.Deed          // all since then
	by    player.ID
	meant ledger.Touched // what the act changes in what its author saw
	fits  bool           // the act was allowed there
	judge func(*tournament.Tournament) error
}

// Since judges an act on what its author saw; nil if nobody else has changed the tournament in between.
func (a *Kernel) Since(ctx context.Context, t *tournament.Tournament, by player.Viewer,
	judge func(*tournament.Tournament) error) (*Meanwhile, error) {
	if by.Shown <= 0 || by.Shown >= t.Version {
		return nil, nil
	}
	deeds, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]ledger.Deed, error) { return tx.DeedsSince(t.ID, by.Shown) })
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(deeds, func(d ledger.Deed) bool { return d.By != by.ID }) {
		return nil, nil
	}
	m := &Meanwhile{deeds: deeds, by: by.ID, judge: judge}
	if m.was, err = ledger.Before(t, deeds); err != nil {
		return nil, err
	}
	meant := m.was.Clone()
	if m.fits = judge(meant) == nil; m.fits {
		m.meant = ledger.TouchedBy(ledger.Diff(m.was, meant))
	}
	return m, nil
}

// others returns what others have done about parts that concern reports.
func (m *Meanwhile) others(concern func(ledger.Touched) bool) (list []ledger.Deed) {
	for _, d := range m.deeds {
		if d.By != m.by && concern(ledger.TouchedBy(d.Changes)) {
			list = append(list, d)
		}
	}
	return list
}

// ErrSame ends an act that somebody else has done already.
var ErrSame = errors.New("arbiter: done already")

// Decide compares an act with what others have done: ErrSame, *Overtaken, or what the judge said of the tournament as
// it is.
func (a *Kernel) Decide(ctx context.Context, m *Meanwhile, before, after *tournament.Tournament, refused error) error {
	if m == nil || errors.Is(refused, ErrSame) {
		return refused
	}
	if refused != nil && (!m.fits || errors.Is(refused, store.ErrConflict)) {
		return refused
	}
	now := ledger.Touched{}
	if refused == nil {
		now = ledger.TouchedBy(ledger.Diff(before, after))
	}
	first := m.others(func(t ledger.Touched) bool { return t.Meets(m.meant) || t.Meets(now) })
	if len(first) > 0 && m.fits && m.meant.IsDoneIn(ledger.TouchedBy(ledger.Diff(m.was, before))) {
		return ErrSame
	}
	switch {
	case len(first) > 0:
		return a.overtaken(ctx, first[len(first)-1], before.Version, refused)
	case refused == nil:
		if d, is := m.seated(before, after); is {
			return a.overtaken(ctx, d, before.Version, nil)
		}
	default:
		d, err := m.culprit(before)
		if err != nil {
			return err
		}
		if d.By != m.by {
			return a.overtaken(ctx, d, before.Version, refused)
		}
	}
	return refused
}

// seated returns the deed of others that has given a board, still to be played, to somebody who leaves with the act: they
// would be missed there.
func (m *Meanwhile) seated(before, after *tournament.Tournament) (ledger.Deed, bool) {
	for _, e := range before.Entries {
		if is, err := after.Entry(e.ID); err != nil || e.Status != tournament.Active || is.Status != tournament.Withdrawn || is.Expelled {
			continue
		}
		d, is := ledger.Seated(m.deeds, e.ID)
		for _, p := range before.Rounds.Pending() {
			if is && d.By != m.by && p.SeatOf(e.ID).Valid() {
				return d, true
			}
		}
	}
	return ledger.Deed{}, false
}

// culprit returns the deed since which the act is refused.
func (m *Meanwhile) culprit(t *tournament.Tournament) (ledger.Deed, error) {
	var broken error
	i := sort.Search(len(m.deeds)-1, func(i int) bool {
		then, err := ledger.Before(t, m.deeds[i+1:])
		if err != nil {
			broken = err
			return true
		}
		return m.judge(then) != nil
	})
	return m.deeds[i], broken
}

// overtaken names who was first.
func (a *Kernel) overtaken(ctx context.Context, first ledger.Deed, now int64, refused error) error {
	e := &Overtaken{First: first, Refuse: refused, Now: now}
	return a.Store.Read(ctx, e.Named)
}

// Named is an *Overtaken that says by name who was first.
func (e *Overtaken) Named(tx *store.Tx) error {
	if err := e.name(tx); err != nil {
		return err
	}
	return e
}

func (e *Overtaken) name(tx *store.Tx) error {
	if e.First.By == "" {
		return nil
	}
	who, err := tx.Player(e.First.By)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	e.Name = who.Handle
	return nil
}

// deedsUnseen are the acts since the author of one saw a tournament; none if they have seen all, or do not say.
func deedsUnseen(tx *store.Tx, t *tournament.Tournament, by player.Viewer) ([]ledger.Deed, error) {
	if by.Shown <= 0 || by.Shown >= t.Version {
		return nil, nil
	}
	return tx.DeedsSince(t.ID, by.Shown)
}

// Unseen is nil, or *Overtaken if somebody else has done the same act beside the tournament since its author saw it.
func Unseen(tx *store.Tx, t *tournament.Tournament, d Step) error {
	deeds, err := deedsUnseen(tx, t, d.By)
	if err != nil {
		return err
	}
	for _, x := range slices.Backward(deeds) {
		if x.Act == d.Act && x.By != d.By.ID {
			return (&Overtaken{First: x, Now: t.Version}).Named(tx)
		}
	}
	return nil
}

// Unseated is nil, or *Overtaken if an entry has got a board since the author of an act about its part in an event saw
// that; refused is why the act can no longer be done.
func Unseated(tx *store.Tx, t *tournament.Tournament, by player.Viewer, id tournament.EntryID, refused error) error {
	deeds, err := deedsUnseen(tx, t, by)
	if err != nil {
		return err
	}
	if d, is := ledger.Seated(deeds, id); is {
		return (&Overtaken{First: d, Refuse: refused, Now: t.Version}).Named(tx)
	}
	return refused
}

// Settled names who gave a board the result that stands.
func (a *Kernel) Settled(ctx context.Context, id tournament.ID, round, board int, stands tournament.Result) error {
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return err
	}
	p, err := t.BoardAt(round, board)
	if err != nil {
		return err
	}
	first := ledger.Deed{At: stands.At, By: stands.By, Act: tournament.ActResult,
		Changes: []ledger.Change{ledger.BoardChange(round, tournament.Pairing{}, p)}}
	return a.overtaken(ctx, first, t.Version, tournament.ErrSettled)
}
