package main

import (
	"context"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/ladder"
)

// ladder creates three weeks of the club's ladder: two challenges played, and one that
// waits for an answer.
func (d *demo) ladder(ctx context.Context, own club.ID) error {
	s := ladder.DefaultSettings()
	s.Name, s.Club, s.MembersOnly, s.Envelope = "Драбина клубу", own, true, eveningEnvelope()
	id, err := d.arbiter.Ladders.Create(ctx, d.viewer("Olena"), s)
	if err != nil {
		return err
	}
	for _, handle := range []player.Handle{"Olena", "Sofia", "Maksym", "Taras"} {
		if err := d.arbiter.Ladders.Join(ctx, d.viewer(handle), id, ""); err != nil {
			return err
		}
	}
	d.clock = d.clock.AddDate(0, 0, 1)
	for _, pair := range [][2]player.Handle{{"Taras", "Sofia"}, {"Maksym", "Olena"}} {
		if err := d.ladderMatch(ctx, id, pair[0], pair[1]); err != nil {
			return err
		}
		d.clock = d.clock.AddDate(0, 0, 2)
	}

	d.clock = time.Now().Add(-27 * time.Hour)
	return d.ladderNow(ctx, id)
}

func (d *demo) viewer(handle player.Handle) player.Viewer {
	return player.Viewer{Player: d.players[handle]}
}

// challengeOn sends a challenge and accepts it.
func (d *demo) challengeOn(ctx context.Context, id ladder.ID, challenger, defender player.Handle) (store.LadderRef, error) {
	n, err := d.arbiter.Ladders.Challenge(ctx, d.viewer(challenger), id, d.players[defender].ID)
	if err != nil {
		return store.LadderRef{}, err
	}
	ref := store.LadderRef{Ladder: id, Number: n}
	d.clock = d.clock.Add(5 * time.Hour)
	return ref, d.arbiter.Ladders.Accept(ctx, d.viewer(defender), ref)
}

// ladderMatch plays a challenge from its first message to its end.
func (d *demo) ladderMatch(ctx context.Context, id ladder.ID, challenger, defender player.Handle) error {
	ref, err := d.challengeOn(ctx, id, challenger, defender)
	if err != nil {
		return err
	}
	at := d.clock.Add(20 * time.Hour)
	if err := d.arbiter.Ladders.ProposeTime(ctx, d.viewer(challenger), ref, at); err != nil {
		return err
	}
	d.clock = d.clock.Add(2 * time.Hour)
	if err := d.arbiter.Ladders.AgreeTime(ctx, d.viewer(defender), ref, at.UTC().Truncate(time.Minute)); err != nil {
		return err
	}
	d.clock = at.Add(-fixture.Doors)
	if err := d.arbiter.Ladders.Sweep(ctx); err != nil {
		return err
	}
	d.clock = at.Add(-time.Minute)
	return d.round(ctx)
}

// ladderNow lets the last on the ladder challenge Taras or, if Taras is the last, Taras
// challenge the one above.
func (d *demo) ladderNow(ctx context.Context, id ladder.ID) error {
	l, err := store.Get(ctx, d.store, func(tx *store.Tx) (*ladder.Ladder, error) { return tx.Ladder(id) })
	if err != nil {
		return err
	}
	handles := map[player.ID]player.Handle{}
	for h, p := range d.players {
		handles[p.ID] = h
	}
	last := len(l.Rungs) - 1
	from, to := handles[l.Rungs[last].Player], player.Handle("Taras")
	if from == to {
		to = handles[l.Rungs[last-1].Player]
	}
	_, err = d.arbiter.Ladders.Challenge(ctx, d.viewer(from), id, d.players[to].ID)
	return err
}
