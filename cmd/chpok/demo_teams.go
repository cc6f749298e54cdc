package main

import (
	"context"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/prize"
	"chpok.org/chpok/tournament/roster"
)

// demoTeams are four teams of two with a reserve; the first of each is its captain.
const demoTeams = `handle;team
Taras;Дніпро
Drakon;Дніпро
Slon;Дніпро
Sofia;Карпати
Torhash;Карпати
Pishak;Карпати
Maksym;Полісся
Bashta;Полісся
Ferz;Полісся
Bohdan;Таврія
Korol;Таврія
Kin;Таврія
`

// teams plays a round of an event of teams; for the next, captains are awaited.
func (d *demo) teams(ctx context.Context, own club.ID) error {
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.ClubID, s.Rounds, s.Break, s.Envelope = "Командний кубок", own, 3, time.Minute, eveningEnvelope()
	s.Envelope.Minutes, s.Envelope.Presets = [2]int{10, 10}, []bidding.TimeControl{{Minutes: 10, Increment: 5}} // four boards share the demo's clock
	s.PlayIn(tournament.Teams{Boards: 2, Reserves: 1, LineUps: 2 * time.Hour})
	s.Prizes = prize.Fund{Currency: "UAH", Places: []int64{1200_00, 800_00}, Sharing: prize.Hort, Categories: []prize.Category{
		{Kind: prize.Board, Bound: 1, Amounts: []int64{300_00}}, {Kind: prize.Board, Bound: 2, Amounts: []int64{300_00}}}}
	id, err := d.enter(ctx, s)
	if err != nil {
		return err
	}
	planned, err := d.arbiter.Entries.RegisterAll(ctx, d.viewer("Olena"), id, entries.Listed{Lines: roster.Read(demoTeams)})
	if err != nil {
		return err
	}
	for _, p := range planned {
		if p.Err != nil {
			return p.Err
		}
	}
	if err := d.arbiter.Rounds.Start(ctx, d.viewer("Olena"), id); err != nil {
		return err
	}
	d.clock = d.clock.Add(s.Teams.LineUps)
	if err := d.arbiter.Sweep(ctx); err != nil { // nobody has handed in: the usual players sit down
		return err
	}
	if err := d.round(ctx); err != nil {
		return err
	}
	d.clock = d.clock.Add(s.Break)
	return d.arbiter.Sweep(ctx)
}
