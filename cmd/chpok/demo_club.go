package main

import (
	"context"
	"time"

	"chpok.org/chpok/arbiter/clubs"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/tournament/series"
)

const demoNews = "Наступної п’ятниці граємо коловий у два кола. " +
	`Приходьте трохи раніше: поставимо дошки й вип’ємо чаю.

Правила клубу й драбини: https://chpok.org/`

// clubLife adds to the club roles, news, two people who ask to join, and a match against
// another club.
func (d *demo) clubLife(ctx context.Context, own club.ID) error {
	olena := d.viewer("Olena")
	if err := d.arbiter.Clubs.Change(ctx, olena, own, clubs.Settings{Name: "Шпок-клуб «Дракон»", Text: demoClub,
		Joining: club.ByRequest}); err != nil {
		return err
	}
	for handle, role := range map[player.Handle]club.Role{"Sofia": club.Organizer, "Taras": club.Arbiter} {
		if err := d.arbiter.Clubs.SetRole(ctx, olena, own, d.players[handle].ID, role); err != nil {
			return err
		}
	}
	lions := club.New(club.ID(store.NewID()), "Леви Дніпра", "Граємо в суботу на набережній.",
		d.players["Maksym"].ID, d.clock)
	for _, handle := range []player.Handle{"Slon", "Pishak"} {
		lions.Members = append(lions.Members, club.Membership{Club: lions.ID, Player: d.players[handle].ID, Role: club.Member, Joined: d.clock})
	}
	err := d.store.Write(ctx, func(tx *store.Tx) error {
		for _, handle := range []player.Handle{"Nadiia", "Bohdan"} {
			p := player.Player{ID: player.ID(store.NewID()), Handle: handle, Role: player.Plain, Created: d.clock}
			if err := tx.AddPlayer(p, ""); err != nil {
				return err
			}
			d.players[handle] = p
		}
		return tx.AddClub(lions)
	})
	if err != nil {
		return err
	}
	news := club.Post{Club: own, Title: "П’ятниця: коловий у два кола", Text: demoNews}
	if _, err := d.arbiter.Clubs.PostNews(ctx, d.viewer("Sofia"), news); err != nil {
		return err
	}
	for handle, note := range map[player.Handle]string{
		"Nadiia": "Граю в шахи десять років, хочу спробувати торги.",
		"Bohdan": "Мене запросила Софія.",
	} {
		if _, err := d.arbiter.Clubs.Join(ctx, d.viewer(handle), own, "", note); err != nil {
			return err
		}
	}
	return d.clubMatch(ctx, own, lions.ID)
}

// clubMatch plays a match on three boards to its end.
func (d *demo) clubMatch(ctx context.Context, home, guest club.ID) error {
	olena, maksym := d.viewer("Olena"), d.viewer("Maksym")
	id, err := d.arbiter.Events.Challenge(ctx, olena, proposal.ClubMatch{Home: home, Guest: guest, Name: "Дракон – Леви Дніпра", Boards: 3, Rated: true,
		Envelope: eveningEnvelope()})
	if err != nil {
		return err
	}
	if err := d.arbiter.Entries.AnswerInvitation(ctx, maksym, id, 2, true); err != nil {
		return err
	}
	if err := d.arbiter.Entries.NameMembers(ctx, d.viewer("Sofia"), id, 1, []string{"Sofia", "Drakon", "Torhash"}); err != nil {
		return err
	}
	if err := d.arbiter.Entries.NameMembers(ctx, maksym, id, 2, []string{"Maksym", "Slon", "Pishak"}); err != nil {
		return err
	}
	for by, l := range map[player.Handle]store.TeamLineUp{"Sofia": {Team: 1, Players: []tournament.EntryID{3, 4, 5}},
		"Maksym": {Team: 2, Players: []tournament.EntryID{6, 7, 8}}} {
		if err := d.arbiter.Rounds.HandIn(ctx, d.viewer(by), id, 1, l); err != nil {
			return err
		}
	}
	if err := d.arbiter.Rounds.Start(ctx, olena, id); err != nil {
		return err
	}
	return d.round(ctx)
}

// clubSeries repeats the club's last tournament every Friday.
func (d *demo) clubSeries(ctx context.Context, own club.ID) error {
	var like tournament.ID
	err := d.store.Read(ctx, func(tx *store.Tx) error {
		lines, _, err := tx.Tournaments(store.TournamentQuery{Club: own, Statuses: []tournament.Status{tournament.Finished}, Limit: 10})
		for _, l := range lines {
			if !l.Event.HasTeams() {
				like = l.ID
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	s := series.Settings{
		Name: "П’ятничний вечір", Zone: "Europe/Kyiv", Lead: 96 * time.Hour, SelfStart: true,
		Rule: series.Rule{Weekdays: []time.Weekday{time.Friday}, Every: 1, Hour: 19, First: series.DayOf(d.clock, time.UTC)},
	}
	_, err = d.arbiter.Events.CreateSeries(ctx, d.viewer("Sofia"), own, s, like)
	return err
}
