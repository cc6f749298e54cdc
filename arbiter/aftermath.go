package arbiter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/call"
)

// OnFinish does the follow-up of a finished match, for live.Runner.OnFinish. What it does
// not reach, or what fails, is left to Sweep.
func (a *Arbiter) OnFinish(ctx context.Context, id match.ID) {
	chores, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]store.Chore, error) { return tx.ChoresOf(id) })
	if err == nil {
		err = a.doChores(ctx, chores)
	}
	if err != nil {
		a.Log.Error("aftermath not done", "match", id, "err", err)
	}
}

// sweepChores does the follow-up that a crash or an error has left.
func (a *Arbiter) sweepChores(ctx context.Context) error {
	due, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]store.Chore, error) { return tx.DueChores(a.Now(), kernel.SweepSize) })
	if err != nil {
		return err
	}
	return a.doChores(ctx, due)
}

// doChores does each chore and crosses out what is done. What fails waits ever longer.
func (a *Arbiter) doChores(ctx context.Context, chores []store.Chore) error {
	if len(chores) == 0 {
		return nil
	}
	waits := make([]time.Time, len(chores))
	for i, c := range chores {
		err := kernel.Guard(func() (err error) {
			waits[i], err = a.doChore(ctx, c)
			return err
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			now := a.Now()
			waits[i] = now.Add(time.Second + now.Sub(c.EndedAt)/2)
			a.Log.Error("chore not done", "chore", c.Kind, "match", c.Match, "err", err)
		}
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		var errs []error
		for i, c := range chores {
			if waits[i].IsZero() {
				errs = append(errs, tx.CrossOut(c))
				if c.Kind == store.ChoreResult {
					errs = append(errs, a.settleCalls(tx, c.Match))
					tx.AfterCommit(func() { a.Live.Nudge(live.MatchTopic(c.Match), 0) }) // its effect on the ratings is known now
				}
			} else {
				errs = append(errs, tx.PutOff(c, waits[i]))
			}
		}
		return errors.Join(errs...)
	})
}

// settleCalls settles the notices of a match that is over, and that its challenge was accepted.
func (a *Arbiter) settleCalls(tx *store.Tx, id match.ID) error {
	head, err := tx.Match(id)
	if err != nil {
		return err
	}
	tx.AfterCommit(func() {
		for _, who := range head.Players {
			a.Live.Nudge(live.PlayerTopic(who), 0)
		}
	})
	if err := tx.EndNotices(notice.MatchMatter, kernel.MatchPath(id), a.Now()); err != nil {
		return err
	}
	c, err := tx.ChallengeOf(id)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return tx.EndNotices(notice.AcceptedMatter, kernel.ChallengePath(c.ID), a.Now())
}

// doChore does one chore; a repetition changes nothing. until is when to do it, if not
// now.
func (a *Arbiter) doChore(ctx context.Context, c store.Chore) (until time.Time, err error) {
	switch c.Kind {
	case store.ChoreResult:
		if err = a.recordResult(ctx, c.Match); err == nil {
			err = a.tellResult(ctx, c.Match)
		}
	case store.ChoreBids:
		err = a.Ratings.ReadDone(ctx, c.Match)
	case store.ChoreWorth:
		return a.Judges.Assure(ctx, c.Match)
	case store.ChorePositions:
		err = a.readPositions(ctx, c.Match)
	}
	return until, err
}

// tellResult tells the players how their match ended, except whoever ended it by an act of theirs or had its page open: they have
// seen it. A match made void has no result; whom that concerns is told of the round.
func (a *Arbiter) tellResult(ctx context.Context, id match.ID) error {
	var head store.Head
	var names [2]string
	var seen map[match.ID]map[player.ID]time.Time
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if head, err = tx.Match(id); err != nil {
			return err
		}
		if names, err = tx.NamesIn(head); err != nil {
			return err
		}
		seen, err = tx.SeenIn([]match.ID{id})
		return err
	})
	if err != nil || head.Status != match.Over || head.Result.Outcome == match.Void {
		return err
	}
	log, err := a.Store.Tail(ctx, id, head.Seq-lastEvents)
	if err != nil {
		return err
	}
	ended, by := endOf(log)
	var list []notice.Notice
	for i, to := range head.Players {
		seat := match.Seats[i]
		if seat == by || a.Live.IsHere(id, to) || call.ConnectionAt(seen[id][to], ended.At) == call.Present {
			continue
		}
		list = append(list, notice.Notice{
			To: to, Kind: notice.Result, Key: fmt.Sprint(id, "/", ended.Seq), URL: kernel.MatchPath(id),
			Args: map[string]string{"Case": outcomeFor(seat, head.Result.Outcome), "Opponent": names[1-i]},
		})
	}
	if list == nil {
		return nil
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return a.Notify(tx, list...) })
}

// lastEvents are enough of a log's end to hold the last act: little is written after it.
const lastEvents = 16

// endOf is the last end in a log, and the seat whose own act it followed from; none: from a clock or a ruling.
func endOf(log []match.Recorded) (end match.Recorded, by match.Seat) {
	for i, r := range log {
		if _, is := r.Event.(match.Ended); !is {
			continue
		}
		end, by = r, 0
		if i > 0 && log[i-1].At.Equal(r.At) {
			switch act := log[i-1].Event.(type) {
			case match.Played:
				by = act.Seat
			case match.Claimed:
				by = act.Seat
			case match.Resigned:
				by = act.Seat
			}
		}
	}
	return end, by
}

// outcomeFor is the case of a notice of a result.
func outcomeFor(seat match.Seat, o match.Outcome) string {
	switch winner, won := o.Winner(); {
	case won && winner == seat:
		return "won"
	case won || o == match.BothLose:
		return "lost"
	}
	return "drawn"
}

// recordResult records the result of a finished match in its tournament or ladder, and
// that of a rated challenge or ladder in the ratings; a repetition changes nothing.
func (a *Arbiter) recordResult(ctx context.Context, id match.ID) error {
	var ref store.PairingRef
	var head store.Head
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if head, err = tx.Match(id); err != nil {
			return err
		}
		ref, err = tx.PairingOf(id)
		return err
	})
	if errors.Is(err, store.ErrNotFound) && head.ID != "" {
		// It belongs to no tournament.
		return errors.Join(a.Challenges.RateMatch(ctx, id), a.Ladders.Record(ctx, id), a.Ladders.RateMatch(ctx, id))
	}
	if err != nil {
		return err
	}
	return a.Rounds.Record(ctx, ref, head)
}
