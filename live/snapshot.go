package live

import (
	"context"
	"fmt"
	"hash/maphash"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// snapshot is a match at one place of its log, as this node knows it. It is immutable.
type snapshot struct {
	state   match.State
	players [2]player.ID
	bots    [2]bool
	house   [2]bool // which of them the house plays
	level   fairplay.Assurance
	feed    fairplay.Delay
}

// record is the snapshot after events that happen at one time, and the events with their
// numbers.
func (b *snapshot) record(events []match.Event, at time.Time) (*snapshot, []match.Recorded) {
	recorded := make([]match.Recorded, len(events))
	for i, e := range events {
		recorded[i] = match.Recorded{Seq: b.state.Seq() + int64(i) + 1, At: at, Event: e}
	}
	return b.after(recorded), recorded
}

// after is the snapshot after more of its log.
func (b *snapshot) after(log []match.Recorded) *snapshot {
	next := *b
	for _, e := range log {
		next.state = next.state.Apply(e)
	}
	return &next
}

// head is what the database stores about a match.
func (r *Runner) head(id match.ID, b *snapshot, now time.Time) store.Head {
	s := b.state
	h := store.Head{
		ID: id, Players: b.players, Bots: b.bots, Seq: s.Seq(), Status: s.Status(), Result: s.Result(),
		OpenedAt: s.OpenedAt(), LastAt: s.LastAt(), Level: b.level, Feed: b.feed,
		Untimed: s.Options().Untimed,
	}
	h.Deadline, _ = s.Deadline()
	h.ToAct, _ = s.ToAct()
	if s.Status() == match.Waiting {
		h.ToAct = 0
		for _, seat := range match.Seats {
			if !s.IsReady(seat) && s.IsReady(seat.Other()) {
				h.ToAct = seat
			}
		}
	}
	if seat, ok := b.botToAct(); ok {
		h.BotDue = now
		if s.Status() != match.Waiting {
			h.BotDue = now.Add(b.pause(seat, r.c.BotPause))
		}
	}
	return h
}

// unhurried is how many usual pauses must be left on a bot's clock for it to pause as
// long as usual.
const unhurried = 40

// pause is how long a bot waits before it acts, less when its clock runs low.
func (b *snapshot) pause(seat match.Seat, usual time.Duration) time.Duration {
	if b.state.Options().Untimed {
		return usual
	}
	_, first, second := b.state.Since()
	left := [2]time.Duration{first, second}[seat.Index()]
	return max(0, min(usual, left/unhurried))
}

// botToAct is the seat of a house bot that has to act.
func (b *snapshot) botToAct() (match.Seat, bool) {
	switch b.state.Status() {
	case match.Waiting:
		for _, seat := range match.Seats {
			if b.house[seat.Index()] && !b.state.IsReady(seat) {
				return seat, true
			}
		}
	case match.Bidding, match.Playing:
		if seat, ok := b.state.ToAct(); ok && b.house[seat.Index()] {
			return seat, true
		}
	}
	return 0, false
}

// load is a match as the log has it now: the cached state and the tail.
func (r *Runner) load(ctx context.Context, id match.ID) (*snapshot, error) {
	b, known := r.cache.get(id)
	r.counts.state(known)
	if !known {
		b = &snapshot{}
		err := r.store.Read(ctx, func(tx *store.Tx) error {
			head, err := tx.Match(id)
			if err != nil {
				return err
			}
			b.players, b.bots, b.level, b.feed = head.Players, head.Bots, head.Level, head.Feed
			if head.Bots == [2]bool{} {
				return nil
			}
			accounts, err := tx.Players(head.Players[:]...)
			for i, p := range head.Players {
				b.house[i] = head.Bots[i] && accounts[p].IsHouse()
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	tail, err := r.store.Tail(ctx, id, b.state.Seq())
	if err != nil {
		return nil, err
	}
	if len(tail) == 0 {
		return b, nil
	}
	if !known { // the whole log may be broken
		if _, err := match.Fold(tail); err != nil {
			return nil, fmt.Errorf("live: match %s: %w", id, err)
		}
	}
	return r.keep(id, b.after(tail)), nil
}

// loadAtLeast is a match at seq or later, from the cache, or read once for all who ask at
// the same time.
func (r *Runner) loadAtLeast(ctx context.Context, id match.ID, seq int64) (*snapshot, error) {
	cached := func() (*snapshot, bool) {
		b, ok := r.cache.get(id)
		return b, ok && b.state.Seq() >= seq
	}
	if b, ok := cached(); ok && seq > 0 {
		return b, nil
	}
	lock := &r.loading[maphash.String(r.hash, string(id))%uint64(len(r.loading))]
	if !lock.TryLock() {
		if store.HoldsSnapshot(ctx) { // who has the lock may need a connection
			return r.load(ctx, id)
		}
		lock.Lock()
	}
	defer lock.Unlock()
	if b, ok := cached(); ok && seq > 0 {
		return b, nil
	}
	return r.load(ctx, id)
}

// keep caches a snapshot unless a later one is there.
func (r *Runner) keep(id match.ID, b *snapshot) *snapshot {
	kept := r.cache.update(id, func(present *snapshot, ok bool) *snapshot {
		if ok && present.state.Seq() >= b.state.Seq() {
			return present
		}
		return b
	})
	if kept == b {
		r.moved.Add(1)
	}
	return kept
}

// State is a match as the log has it now, and its head. Show it to insiders only; others
// get a View.
func (r *Runner) State(ctx context.Context, id match.ID) (match.State, store.Head, error) {
	b, err := r.load(ctx, id)
	if err != nil {
		return match.State{}, store.Head{}, err
	}
	return b.state, r.head(id, b, b.state.LastAt()), nil
}

// Latest is State from memory, if this node has the match there: it may have moved on.
func (r *Runner) Latest(ctx context.Context, id match.ID) (match.State, store.Head, error) {
	if b, known := r.cache.get(id); known {
		return b.state, r.head(id, b, b.state.LastAt()), nil
	}
	return r.State(ctx, id)
}

// Events are the events of a match after a place in its log, as the asker may see them:
// without the seed of its draws while it runs.
func (r *Runner) Events(ctx context.Context, id match.ID, who Insider, after int64) ([]match.Recorded, error) {
	events, _, err := r.Feed(ctx, id, who, after, 0)
	return events, err
}

// Feed is Events, and whether the match is over after the last of them. upTo is what a
// nudge promised: a node reads the tail once for all who were nudged. 0: read now.
func (r *Runner) Feed(ctx context.Context, id match.ID, who Insider, after, upTo int64) (events []match.Recorded, over bool, err error) {
	b, err := r.loadAtLeast(ctx, id, upTo)
	if err != nil {
		return nil, false, err
	}
	if b, _, err = r.cut(ctx, id, b, who); err != nil {
		return nil, false, err
	}
	over = b.state.Status() == match.Over
	events = match.EventsAfter(b.state, after)
	if !over {
		for i := range events {
			events[i].Event = match.Public(events[i].Event)
		}
	}
	return events, over, nil
}

// lastNews is when players last had news, from a move in one of their matches or from a
// notice.
func lastNews(tx *store.Tx, ids []player.ID) (map[player.ID]time.Time, error) {
	news, err := tx.LastActs(ids)
	if err != nil {
		return nil, err
	}
	for _, last := range []func([]player.ID) (map[player.ID]time.Time, error){tx.LastNotices, tx.LastChallenges} {
		told, err := last(ids)
		if err != nil {
			return nil, err
		}
		for id, at := range told {
			if at.After(news[id]) {
				news[id] = at
			}
		}
	}
	return news, nil
}
