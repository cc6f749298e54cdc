package main

import (
	"context"
	"time"

	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// league starts a season of the club's league: one division, in which Taras has been proposed a time.
func (d *demo) league(ctx context.Context, own club.ID) error {
	s := league.DefaultSettings()
	s.Name, s.Division.Envelope = "Зимова ліга", eveningEnvelope()
	id, err := d.arbiter.Leagues.Create(ctx, d.viewer("Olena"), own, s, "", d.clock.Add(48*time.Hour))
	if err != nil {
		return err
	}
	for _, handle := range []player.Handle{"Olena", "Sofia", "Maksym", "Taras"} {
		if err := d.arbiter.Leagues.Enter(ctx, d.viewer(handle), id, ""); err != nil {
			return err
		}
	}
	if err := d.arbiter.Leagues.Propose(ctx, d.viewer("Olena"), id); err != nil {
		return err
	}
	if err := d.arbiter.Leagues.Publish(ctx, d.viewer("Olena"), id); err != nil {
		return err
	}
	if err := d.arbiter.Leagues.Begin(ctx, d.viewer("Olena"), id); err != nil {
		return err
	}
	var t *tournament.Tournament
	err = d.store.Read(ctx, func(tx *store.Tx) error {
		l, err := tx.League(id)
		if err == nil {
			t, err = tx.Tournament(l.Now().Divisions[0].Tournament)
		}
		return err
	})
	if err != nil {
		return err
	}
	e, _ := t.EntryOf(d.players["Taras"].ID)
	for _, x := range t.FixturesOf(e.ID) {
		other, err := t.Entry(x.EntryAt(x.SeatOf(e.ID).Other()))
		if err != nil {
			return err
		}
		at := d.clock.Add(50 * time.Hour).Truncate(time.Hour)
		err = d.arbiter.Rounds.ProposeTime(ctx, player.Viewer{Player: player.Player{ID: other.Player}}, rounds.At{Tournament: t.ID, Round: x.Round, Board: x.Board}, at)
		if err != nil {
			return err
		}
	}
	return nil
}
