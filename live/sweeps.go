package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// sweepSize is how many overdue matches are read at a time.
const sweepSize = 200

// judge does what is due in a match whose deadline has passed: it judges by the clock, or waits
// longer.
func (r *Runner) judge(ctx context.Context, id match.ID) error {
	if waits, err := r.waitsFor(ctx, id, match.State.Deadline); waits || err != nil {
		return err
	}
	_, err := r.Do(ctx, id, "", Request{Command: match.CheckClock{}})
	return err
}

// waitsFor gives more time to come to a player who sits at another live board of the site, or has
// just left it, before their absence costs them the match: by the clock, or by the opponent's claim.
// due is when it would.
func (r *Runner) waitsFor(ctx context.Context, id match.ID, due func(match.State) (time.Time, bool)) (waits bool, err error) {
	at, more := r.moreTime(ctx, id, due)
	if more < time.Second {
		return false, nil
	}
	c := match.ExtendWait{Warrant: match.Warrant{By: match.AtBoard, Why: "at another board"}, By: more}
	_, err = r.do(ctx, id, "", Request{Command: c}, at.Add(-time.Millisecond)) // as when it was due
	return true, err
}

// moreTime returns when the absence of players was due to cost them a match, and how much longer it
// waits for them because they could not come.
func (r *Runner) moreTime(ctx context.Context, id match.ID, dueAt func(match.State) (time.Time, bool)) (due time.Time, more time.Duration) {
	s, head, err := r.State(ctx, id)
	if err != nil || s.Status() != match.Waiting {
		return due, 0
	}
	due, ok := dueAt(s)
	now, wait := r.Now(), max(s.Options().Lateness, time.Minute)
	if !ok || now.Before(due) {
		return due, 0
	}
	var missing []player.ID
	for _, seat := range match.Seats {
		if !s.IsReady(seat) && !head.Bots[seat.Index()] {
			missing = append(missing, head.Players[seat.Index()])
		}
	}
	seated, err := store.Get(ctx, r.store, func(tx *store.Tx) (map[player.ID]time.Time, error) {
		return tx.AtBoards(now.Add(-wait), now, missing...)
	})
	if err != nil {
		r.log.Error("other boards not looked at", "match", id, "err", err)
	}
	for _, p := range missing {
		more = max(more, min(seated[p].Add(wait).Sub(due), match.MaxExtension))
	}
	return due, more.Truncate(time.Millisecond)
}

// SweepDue lets the flags fall, and the late forfeit, in all matches whose deadline has
// passed.
func (r *Runner) SweepDue(ctx context.Context) error {
	if err := r.Awake(ctx); err != nil {
		return err
	}
	tried := map[match.ID]bool{}
	for {
		due, err := store.Get(ctx, r.store, func(tx *store.Tx) ([]match.ID, error) {
			return tx.DueMatches(r.Now().Add(-r.c.FlagGrace), sweepSize+len(tried))
		})
		if err != nil {
			r.fails(err)
			return fmt.Errorf("live: sweep: %w", err)
		}
		fresh := 0
		for _, id := range due {
			if tried[id] {
				continue // still due: it failed, or another node is at it
			}
			tried[id] = true
			fresh++
			if err := r.judge(ctx, id); err != nil && !errors.Is(err, match.ErrOver) {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.log.Error("flag not fallen", "match", id, "err", err)
			}
		}
		if fresh < sweepSize {
			return nil
		}
	}
}
