package rounds

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
)

// Players who wait in an arena have its page open. That is noted every seenEvery; who has not
// been seen for Gone no longer waits.
const (
	seenEvery = 5 * time.Second
	Gone      = 20 * time.Second
)

// Await lets the viewer wait for an opponent in an arena; one who waits already goes on waiting.
func (a *Office) Await(ctx context.Context, by player.Viewer, id tournament.ID) error {
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.Tournament(id)
		if err != nil {
			return err
		}
		e, entered := t.EntryOf(by.ID)
		if !entered {
			return tournament.ErrNoEntry
		}
		now := a.Now()
		if err := arena.MayAwait(t, e.ID, now); err != nil {
			return err
		}
		if err := mayLeaveBoard(tx, t, by, e.ID); err != nil {
			return err
		}
		excluded, err := a.excludedFrom(tx, t)
		switch {
		case err != nil:
			return err
		case excluded[by.ID]:
			return ErrKeptOut
		}
		return tx.Await(id, e.ID, now, now.Add(-Gone))
	})
	if err != nil {
		return err
	}
	if err := a.StepArena(ctx, id); err != nil {
		return err
	}
	return a.NudgeByID(ctx, id)
}

// mayLeaveBoard is nil, or ErrBeingPlayed for somebody at a board; who has got one since their page was shown is told so,
// even if its match is over.
func mayLeaveBoard(tx *store.Tx, t *tournament.Tournament, by player.Viewer, id tournament.EntryID) error {
	return kernel.Unseated(tx, t, by, id, atBoard(tx, t, id))
}

// atBoard returns nil, or ErrBeingPlayed while the match of an entry goes on.
func atBoard(tx *store.Tx, t *tournament.Tournament, id tournament.EntryID) error {
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if !p.SeatOf(id).Valid() || !p.Result.IsPending() {
				continue
			}
			if p.Match == "" {
				return tournament.ErrBeingPlayed
			}
			head, err := tx.Match(p.Match)
			if err != nil {
				return err
			}
			if head.Status != match.Over {
				return tournament.ErrBeingPlayed
			}
		}
	}
	return nil
}

// Rest stops the viewer from being paired in an arena until they wait again. Neither it nor Await is done for somebody
// at a board.
func (a *Office) Rest(ctx context.Context, by player.Viewer, id tournament.ID) error {
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.Tournament(id)
		if err != nil {
			return err
		}
		e, entered := t.EntryOf(by.ID)
		if !entered || t.Format.InRounds() {
			return tournament.ErrNoEntry
		}
		if err := mayLeaveBoard(tx, t, by, e.ID); err != nil {
			return err
		}
		return tx.Unawait(id, e.ID)
	})
	if err != nil {
		return err
	}
	return a.NudgeByID(ctx, id)
}

// Waiting returns who waits in an arena now, house bots included.
func (a *Office) Waiting(tx *store.Tx, t *tournament.Tournament) (list []tournament.Awaiting, err error) {
	r, open := t.ArenaRound()
	if !open || t.Status != tournament.Running {
		return nil, nil
	}
	now := a.Now()
	rows, err := tx.ArenaWaiting(t.ID, now.Add(-Gone))
	if err != nil {
		return nil, err
	}
	excluded, err := a.excludedFrom(tx, t)
	if err != nil {
		return nil, err
	}
	since := map[tournament.EntryID]time.Time{}
	for _, e := range t.Entries {
		if e.Bot && e.Status == tournament.Active {
			since[e.ID] = slices.MaxFunc([]time.Time{r.OpenedAt, e.EnteredAt}, time.Time.Compare)
		}
	}
	for _, p := range r.Pairings {
		if len(since) == 0 {
			break // no bot waits
		}
		for _, id := range [...]tournament.EntryID{p.First, p.Second} {
			if at, isBot := since[id]; isBot && !p.Result.IsPending() {
				since[id] = slices.MaxFunc([]time.Time{at, p.Result.At}, time.Time.Compare)
			} else if isBot {
				delete(since, id) // plays
			}
		}
	}
	for id, at := range since {
		list = append(list, tournament.Awaiting{Entry: id, Since: at})
	}
	for _, w := range rows {
		e, err := t.Entry(w.Entry)
		if err == nil && !excluded[e.Player] && !e.Bot && arena.MayAwait(t, w.Entry, now) == nil {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b tournament.Awaiting) int { return int(a.Entry - b.Entry) })
	return list, nil
}

// SweepArenas does what is due in every arena: begin, pair those who wait, stop pairing, end.
// Of several nodes the first succeeds, and the others see it.
func (a *Office) SweepArenas(ctx context.Context) error {
	if err := a.beatLookers(ctx); err != nil {
		return err
	}
	ids, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]tournament.ID, error) { return tx.Arenas(a.Now(), kernel.SweepSize) })
	if err != nil {
		return err
	}
	a.known.only(ids)
	return kernel.ForEach(ctx, a.Log, kernel.Work{Of: "tournament", Trouble: "arena stands still"}, ids, a.StepArena)
}

// arenasKnown keeps arenas as this node last read them.
type arenasKnown struct {
	mu sync.Mutex
	by map[tournament.ID]*tournament.Tournament
}

// only forgets all arenas but these.
func (k *arenasKnown) only(ids []tournament.ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.DeleteFunc(k.by, func(id tournament.ID, _ *tournament.Tournament) bool { return !slices.Contains(ids, id) })
}

// arena returns an arena for reading only; it is read again only if it has changed.
func (a *Office) arena(ctx context.Context, id tournament.ID) (*tournament.Tournament, error) {
	version, err := a.Version(ctx, id)
	if err != nil {
		return nil, err
	}
	a.known.mu.Lock()
	t := a.known.by[id]
	a.known.mu.Unlock()
	if t != nil && t.Version == version {
		return t, nil
	}
	if t, err = a.Tournament(ctx, id); err != nil {
		return nil, err
	}
	a.known.mu.Lock()
	defer a.known.mu.Unlock()
	if a.known.by == nil {
		a.known.by = map[tournament.ID]*tournament.Tournament{}
	}
	a.known.by[id] = t
	return t, nil
}

// StepArena does what is due in one arena.
func (a *Office) StepArena(ctx context.Context, id tournament.ID) error {
	var x *opening
	err := a.InTurn(ctx, string(id), func() error {
		before, err := a.arena(ctx, id)
		if err != nil {
			return err
		}
		x = &opening{}
		c, err := a.arenaStep(ctx, before, x)
		if err == nil {
			x.Judged, err = a.Judged(ctx, before, c)
		}
		if err != nil {
			return err
		}
		return a.WriteAll(ctx, x.Judged)
	})
	switch {
	case errors.Is(err, errNotDue), errors.Is(err, ErrKeptOut): // kept out since: the next pass is without them
		return nil
	case err != nil:
		return err
	case len(x.opened) > 0:
		return a.Live.Opened(ctx, x.opened...)
	case x.After.Status.IsOver():
		return a.ratings.Rate(ctx, x.After.ID)
	}
	return nil
}

// arenaStep returns what is due in an arena, with the matches it opens in x; errNotDue if nothing is.
func (a *Office) arenaStep(ctx context.Context, before *tournament.Tournament, x *opening) (c kernel.Change, err error) {
	now := a.Now()
	_, open := before.ArenaRound()
	until, pairs := before.PairsUntil()
	next, due := before.NextRoundAt()
	switch at := before.StartsAt(); {
	case before.Status == tournament.Registration && !at.IsZero() && !at.After(now):
		c.Act, c.Judge = tournament.ActStart, func(t *tournament.Tournament) error {
			drawn, err := a.NextDraw(ctx, t)
			if err == nil && t.StartArena(tables.DrawingFrom(drawn), now) != nil {
				err = errNotDue // too few so far
			}
			return err
		}
	case before.Status != tournament.Running:
		return c, errNotDue
	case !open && due && !next.After(now):
		c.Act, c.Judge = tournament.ActPair, func(t *tournament.Tournament) error { return arena.Open(t, now) }
	case pairs && !now.Before(until):
		return a.arenaEnd(ctx, before)
	case pairs:
		return a.arenaPass(ctx, before, x)
	default:
		return c, errNotDue
	}
	return c, nil
}

// arenaEnd gives an arena back what outages took of its window, or ends it.
func (a *Office) arenaEnd(ctx context.Context, before *tournament.Tournament) (c kernel.Change, err error) {
	if err := a.Live.Awake(ctx); err != nil { // an outage that has just ended is to be known
		return c, err
	}
	outages, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]store.Outage, error) { return tx.OutagesSince(before.Rounds[0].OpenedAt) })
	if err != nil {
		return c, err
	}
	back := func(t *tournament.Tournament) (any bool) {
		for _, o := range outages {
			any = t.GiveBackWindow(o.From, o.To) || any
		}
		return any
	}
	if back(before.Clone()) {
		return kernel.Change{Step: kernel.Step{Act: tournament.ActGiveBack}, Judge: func(t *tournament.Tournament) error {
			back(t)
			return nil
		}}, nil
	}
	return kernel.Change{Step: kernel.Step{Act: tournament.ActConclude}, Judge: func(t *tournament.Tournament) error {
		t.CloseArena(a.Now())
		t.Conclude(a.Now())
		return nil
	}}, nil
}

// arenaPass pairs outside any transaction, then writes the boards, their matches and who sits
// there in one, if all of them still wait.
func (a *Office) arenaPass(ctx context.Context, before *tournament.Tournament, x *opening) (c kernel.Change, err error) {
	waiting, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]tournament.Awaiting, error) { return a.Waiting(tx, before) })
	if err == nil && len(waiting) < 2 {
		err = errNotDue
	}
	var boards []tournament.Pairing
	return kernel.Change{Step: kernel.Step{Act: tournament.ActPair}, Judge: func(t *tournament.Tournament) (err error) {
		boards, err = arena.PairWaiting(t, waiting, kernel.NewMatchID, a.Now())
		if errors.Is(err, arena.ErrPassNotDue) || errors.Is(err, tournament.ErrPaused) || errors.Is(err, tournament.ErrArenaOver) {
			return errNotDue
		}
		return err
	}, Also: func(tx *store.Tx, t *tournament.Tournament) (err error) {
		if x.opened, err = a.OpenBoards(tx, t, boards); err != nil {
			return err
		}
		for _, p := range boards {
			for _, id := range [...]tournament.EntryID{p.First, p.Second} {
				if e, err := t.Entry(id); err != nil || e.Bot {
					continue
				}
				if err := tx.SeatWaiting(t.ID, p.Board, id); err != nil {
					return err
				}
			}
		}
		return nil
	}}, err
}

// backToArena lets players whose opponent did not come wait again, and withdraws those who
// stayed away too often. It returns the changed tournament, or nil.
func (a *Office) backToArena(tx *store.Tx, ref store.PairingRef, head store.Head, missing [2]bool) (*tournament.Tournament, error) {
	if !missing[0] && !missing[1] {
		return nil, nil
	}
	for i, p := range head.Players {
		if missing[i] {
			continue
		}
		if err := tx.AwaitAgain(ref.Tournament, ref.Board, p, a.Now()); err != nil {
			return nil, err
		}
	}
	before, err := tx.Tournament(ref.Tournament)
	if err != nil {
		return nil, err
	}
	after := before.Clone()
	if !arena.DropAbsent(after, ref.Board) {
		return nil, nil
	}
	after.Conclude(a.Now())
	return after, a.Save(tx, before, after, player.Viewer{}, kernel.Step{Act: tournament.ActWithdraw}.Deed(before, a.Now()))
}

// lookers counts the streams by which players have the page of an arena open on this node.
type lookers struct {
	mu   sync.Mutex
	here map[looker]int
	at   time.Time // of the last beat
}

type looker struct {
	arena  tournament.ID
	player player.ID
}

// Look notes that a player has the page of an arena open until leave.
func (a *Office) Look(id tournament.ID, p player.ID) (leave func()) {
	key := looker{id, p}
	a.here.mu.Lock()
	defer a.here.mu.Unlock()
	if a.here.here == nil {
		a.here.here = map[looker]int{}
	}
	a.here.here[key]++
	return sync.OnceFunc(func() {
		a.here.mu.Lock()
		defer a.here.mu.Unlock()
		a.here.here[key]--
		if a.here.here[key] == 0 {
			delete(a.here.here, key)
		}
	})
}

// beatLookers writes every few seconds who is here.
func (a *Office) beatLookers(ctx context.Context) error {
	now := a.Now()
	a.here.mu.Lock()
	by := map[tournament.ID][]player.ID{}
	if now.Sub(a.here.at) >= seenEvery {
		a.here.at = now
		for key := range a.here.here {
			by[key.arena] = append(by[key.arena], key.player)
		}
	}
	a.here.mu.Unlock()
	if len(by) == 0 {
		return nil
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		for id, players := range by {
			if err := tx.SeeWaiting(id, players, now); err != nil {
				return err
			}
		}
		return nil
	})
}
