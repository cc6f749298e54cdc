package live

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
)

// BotWake receives when a bot may have to act. A job then calls RunBots, and also about
// once a second, for turns that came up on other nodes.
func (r *Runner) BotWake() <-chan struct{} { return r.botWake }

func (r *Runner) wakeBots() {
	select {
	case r.botWake <- struct{}{}:
	default: // already set
	}
}

// RunBots asks every bot that is due, a few at a time, until none is. A turn is leased in
// the database, so that only one node asks.
func (r *Runner) RunBots(ctx context.Context) error {
	if r.c.Think == nil {
		return nil
	}
	r.botPass.Lock()
	defer r.botPass.Unlock()
	type turn struct {
		id  match.ID
		seq int64
	}
	tried := map[turn]bool{}
	for ctx.Err() == nil {
		due, err := store.Get(ctx, r.store, func(tx *store.Tx) ([]store.Head, error) { return tx.BotsDue(r.Now(), sweepSize) })
		if err != nil {
			return fmt.Errorf("live: bots: %w", err)
		}
		due = slices.DeleteFunc(due, func(h store.Head) bool {
			again := tried[turn{h.ID, h.Seq}]
			tried[turn{h.ID, h.Seq}] = true
			return again
		})
		if len(due) == 0 {
			return nil
		}
		var wait sync.WaitGroup
		free := make(chan struct{}, r.c.BotsAtOnce)
		for _, h := range due {
			free <- struct{}{}
			wait.Go(func() {
				defer func() { <-free }()
				if err := r.runBot(ctx, h); err != nil && ctx.Err() == nil {
					r.log.Error("bot failed", "match", h.ID, "seq", h.Seq, "err", err)
				}
			})
		}
		wait.Wait()
	}
	return ctx.Err()
}

// runBot makes one bot's command. If it fails, the lease expires and the bot is asked
// again, until its flag falls.
func (r *Runner) runBot(ctx context.Context, h store.Head) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("live: bot is broken: %v\n%s", broken, debug.Stack())
		}
	}()
	err = r.store.Write(ctx, func(tx *store.Tx) error { return tx.LeaseBot(h, r.Now().Add(r.c.BotLease)) })
	if errors.Is(err, store.ErrConflict) {
		return nil // another node is at it
	}
	if err != nil {
		return err
	}
	b, err := r.load(ctx, h.ID)
	if err != nil {
		return err
	}
	seat, ok := b.botToAct()
	if !ok || b.state.Seq() != h.Seq {
		return nil // the match has moved on
	}
	var command match.Command = match.Ready{Seat: seat}
	if b.state.Status() != match.Waiting || b.state.Options().Odds {
		thinking, cancel := context.WithTimeout(ctx, r.c.BotLease/2)
		command, err = r.c.Think(thinking, b.players[seat.Index()], b.state, seat)
		cancel()
		if err != nil {
			return err
		}
	}
	_, err = r.Do(ctx, h.ID, b.players[seat.Index()], Request{Seq: &h.Seq, Command: command})
	if errors.Is(err, match.ErrStale) || errors.Is(err, match.ErrOver) {
		return nil
	}
	return err
}
