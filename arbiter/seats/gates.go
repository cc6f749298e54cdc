package seats

import (
	"context"
	"errors"
	"sync"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

const (
	// gateFor bounds how long a node goes on with what it knows of a match when it hears
	// of no change (a lost bus).
	gateFor   = 15 * time.Second
	mostGates = 4096
)

// gate is everything a player's command is judged by, except the command.
type gate struct {
	policy  fairplay.Policy
	facts   []fairplay.Fact
	pages   []fairplay.Page // if they sign, or may be asked to unlock their device
	devices []store.Device
	watches [2]fairplay.Watch // by seat; zero: there is no steward
	read    time.Time
}

// gates caches them, so that a move does not ask the database for what has not changed.
// Any change of their contents clears the cache. The zero value is ready.
type gates struct {
	mu    sync.Mutex
	epoch int // counts changes: what was read before one is not cached
	known map[match.ID]gate
}

// listen clears the cache at changes on this node and, through the bus, on others.
func (gs *gates) listen(k *kernel.Kernel) {
	k.Store.OnGates(func() {
		gs.forget()
		k.Live.Nudge(live.GatesTopic, 0)
	})
	k.Live.On(live.GatesTopic, gs.forget)
}

func (gs *gates) forget() {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	gs.epoch++
	gs.known = nil
}

// of is a match's gate, cached or read. Do not change it.
func (gs *gates) of(ctx context.Context, k *kernel.Kernel, id match.ID) (g gate, isNew bool, err error) {
	gs.mu.Lock()
	g, ok := gs.known[id]
	gs.mu.Unlock()
	if ok && k.Now().Sub(g.read).Abs() < gateFor {
		return g, false, nil
	}
	g, err = gs.read(ctx, k, id)
	return g, true, err
}

// read is a match's gate as the database has it.
func (gs *gates) read(ctx context.Context, k *kernel.Kernel, id match.ID) (gate, error) {
	gs.mu.Lock()
	epoch := gs.epoch
	gs.mu.Unlock()
	now := k.Now()
	g, err := readGate(ctx, k, id)
	if err != nil {
		return gate{}, err
	}
	g.read = now
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if gs.epoch != epoch {
		return g, nil
	}
	if gs.known == nil || len(gs.known) >= mostGates {
		gs.known = map[match.ID]gate{}
	}
	gs.known[id] = g
	return g, nil
}

func readGate(ctx context.Context, k *kernel.Kernel, id match.ID) (g gate, err error) {
	err = k.Store.Read(ctx, func(tx *store.Tx) error {
		with, err := tx.MatchPolicy(id)
		if errors.Is(err, store.ErrNotFound) { // from before there were policies
			err = nil
		} else if err == nil {
			g.facts, err = tx.Facts(id)
		}
		if err != nil {
			return err
		}
		if g.policy = with.Policy; g.policy.Moves == fairplay.Signed || g.policy.CheckIn.MidMatch > 0 {
			if g.pages, err = tx.Pages(id); err != nil {
				return err
			}
		}
		if g.policy.Steward {
			for i, seat := range match.Seats {
				if g.watches[i], err = tx.Watch(id, seat); err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
			}
		}
		g.devices, err = tx.Devices(id)
		return err
	})
	return g, err
}
