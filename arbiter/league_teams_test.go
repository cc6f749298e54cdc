package arbiter_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/leagues"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// playWeek opens the round that is due in each of some events and lets the stronger team of each match win all its boards.
func (h *hall) playWeek(strength []string, events ...tournament.ID) {
	h.t.Helper()
	ctx := h.t.Context()
	h.jobs()
	for _, id := range events {
		t := h.tournament(id)
		rank := func(e tournament.EntryID) int {
			side, _ := t.Entry(t.SideOf(e))
			return slices.Index(strength, side.Name)
		}
		for _, p := range t.Rounds.Pending() {
			_, head, err := h.live.State(ctx, p.Match)
			h.ok(err)
			for _, seat := range match.Seats {
				_, err := h.live.Do(ctx, p.Match, head.Players[seat.Index()], live.Request{Command: match.Ready{Seat: seat}})
				h.ok(err)
			}
			loser := match.Second
			if rank(p.Second) < rank(p.First) {
				loser = match.First
			}
			h.ok(h.resign(p.Match, loser))
		}
	}
	h.ok(h.Sweep(ctx))
}

// Two divisions of four teams over two seasons, whose boards open together on the same evening of each week: a team leaves before the
// start and the club of Lions takes its place, a captain names whom they send, a player is sent off, the play-off turns the order of
// the boundary, and all come back under the numbers they had.
//
// The first season, by strength: Bears, Ants, Lions, Cats; below Hens, Foxes, Eels, Goats. Every match is 2–0, so they have 6, 4, 2 and 0
// match points. Cats go down and Hens rise; Lions and Foxes meet, and Foxes win.
func TestALeagueOfTeamsOverTwoSeasons(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		of, boss := h.dragon(), h.viewer("ana")
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			return tx.AddClub(club.New("lion", "Lions", "", h.player("dan").ID, h.clock.now()))
		}))
		_, err := h.Clubs.Join(ctx, h.viewer("eve"), "lion", "", "")
		h.ok(err)
		s := league.DefaultSettings()
		s.Name, s.Rule = "Club league", league.Rule{Least: 4, Usual: 4, Most: 6, Movers: 1, PlayOff: true}
		s.PlayIn(2, 1)
		starts := h.clock.now().Add(10 * 24 * time.Hour)
		id, err := h.Leagues.Create(ctx, boss, of, s, "", starts)
		h.ok(err)
		names := []string{"Ants", "Bears", "Cats", "Dogs", "Eels", "Foxes", "Goats", "Hens"}
		lower := func(name string, n int) string { return fmt.Sprint(strings.ToLower(name), n) }
		for i, name := range names {
			players := []string{lower(name, 1), lower(name, 2), lower(name, 3)}
			storetest.Players(t, h.store, players...)
			who, err := h.Leagues.SaveTeam(ctx, h.viewer(players[0]), id, "", leagues.Team{Name: name, Players: players})
			h.ok(err)
			if want := league.Member(fmt.Sprint("#", i+1)); who != want {
				t.Fatalf("%s are %s", name, who)
			}
		}
		if !h.hasTold("ants2", notice.LeagueTeam) || h.hasTold("ants1", notice.LeagueTeam) {
			t.Error("who is named by somebody else hears of it, and nobody else")
		}
		var unfit *entries.UnfitError
		_, err = h.Leagues.SaveTeam(ctx, h.viewer("fay"), id, "", leagues.Team{Name: "Others", Players: []string{"fay", "ants3"}})
		if !errors.Is(err, league.ErrMate) || !errors.As(err, &unfit) || unfit.Handle != "ants3" {
			t.Error("a player of another team:", err)
		}
		_, err = h.Leagues.SaveTeam(ctx, h.viewer("fay"), id, "", leagues.Team{Name: "Others", Players: []string{"fay", "bob"}})
		if !errors.Is(err, tournament.ErrTakesStaff) || !errors.As(err, &unfit) || unfit.Handle != "bob" {
			t.Error("a captain names who runs the league:", err)
		}
		if _, err := h.Leagues.SaveTeam(ctx, h.viewer("dan"), id, "", leagues.Team{Club: "lion", Players: []string{"dan", "fay"}}); !errors.Is(err, tournament.ErrNotMember) {
			t.Error("a stranger plays for a club:", err)
		}
		if _, err := h.Leagues.SaveTeam(ctx, h.viewer("eve"), id, "", leagues.Team{Club: "lion"}); !errors.Is(err, league.ErrNotAllowed) {
			t.Error("a member enters the club's team:", err)
		}
		h.ok(h.Leagues.Decline(ctx, h.viewer("ants2"), id, "#1"))
		if _, err := h.Leagues.SaveTeam(ctx, h.viewer("ants1"), id, "#1", leagues.Team{Name: "Ants", Players: []string{"ants1", "ants2"}}); !errors.Is(err, league.ErrNotTheirs) {
			t.Error("named against their will:", err)
		}
		_, err = h.Leagues.SaveTeam(ctx, h.viewer("ants2"), id, "#1", leagues.Team{Name: "Ants", Players: []string{"ants1", "ants2", "ants3"}})
		if !errors.Is(err, league.ErrNotAllowed) {
			t.Error("a player changes the team:", err)
		}
		_, err = h.Leagues.SaveTeam(ctx, boss, id, "#1", leagues.Team{Name: "Ants", Players: []string{"ants1", "ants2", "ants3"}})
		h.ok(err)
		if got := h.readLeague(id).Team("#1").Captains; !slices.Equal(got, []player.ID{"ants1"}) {
			t.Errorf("the organizer, who names no captains, leaves %q", got)
		}

		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		first := h.readLeague(id).Now()
		if got := fmt.Sprint(first.Divisions[0].Members, first.Divisions[1].Members); got != "[#1 #2 #3 #4] [#5 #6 #7 #8]" {
			t.Fatalf("divisions %s", got)
		}
		upper, below := first.Divisions[0].Tournament, first.Divisions[1].Tournament
		if !h.hasTold("ants2", notice.Entered) {
			t.Error("players do not hear of their division")
		}
		h.ok(h.Leagues.Leave(ctx, h.viewer("dogs1"), id, "#4"))
		lions, err := h.Leagues.SaveTeam(ctx, h.viewer("dan"), id, "", leagues.Team{Club: "lion", Players: []string{"eve", "dan"}})
		h.ok(err)
		h.clock.advance(starts.Add(-league.SearchFrom).Sub(h.clock.now()))
		h.jobs()
		if !h.hasTold("dan", notice.LeaguePlace) || h.hasTold("eve", notice.LeaguePlace) {
			t.Error("the place is offered to the captain, and to nobody else")
		}
		if err := h.Leagues.Answer(ctx, h.viewer("eve"), id, string(lions), 1, true); !errors.Is(err, league.ErrNotAllowed) {
			t.Error("a player takes the place:", err)
		}
		h.ok(h.Leagues.Answer(ctx, h.viewer("dan"), id, "", 1, true))
		e := h.team(h.tournament(upper), "Lions")
		if e.Status != tournament.Active || e.ClubID != "lion" || !slices.Equal(e.Captains, []player.ID{"dan"}) || slices.Contains(e.Heads(), "ana") {
			t.Errorf("the lions entered as %+v, for whom %q act", e, e.Heads())
		}
		if dogs := h.team(h.tournament(upper), "Dogs"); dogs.Status != tournament.Withdrawn {
			t.Errorf("the dogs are %v", dogs.Status)
		}
		if err := h.Entries.OrderRoster(ctx, h.viewer("dan"), upper, e.ID, []tournament.EntryID{e.ID + 2, e.ID + 1}); err != nil {
			t.Error("the captain orders the boards of the division:", err)
		}

		// The captain of the ants leaves their second board out of the first evening, before it begins.
		tour := h.tournament(upper)
		lineUp := store.TeamLineUp{Team: h.team(tour, "Ants").ID}
		for _, x := range []player.ID{"ants1", "ants3"} {
			e, _ := tour.EntryOf(x)
			lineUp.Players = append(lineUp.Players, e.ID)
		}
		h.ok(h.Rounds.HandIn(ctx, h.viewer("ants1"), upper, 1, lineUp))
		h.clock.advance(starts.Sub(h.clock.now()))
		h.jobs()
		if got := h.seated(upper, "Ants"); !slices.Equal(got, []string{"ants1-dan", "eve-ants3"}) {
			t.Errorf("the first match of the ants: %q", got)
		}

		// A player of the cats is sent off; their team plays on, with its reserve.
		for range 3 {
			h.ok(h.Leagues.Warn(ctx, boss, id, "cats2", "Shouted"))
		}
		if e, _ := h.tournament(upper).EntryOf("cats2"); e.Status != tournament.Withdrawn || h.team(h.tournament(upper), "Cats").Status != tournament.Active {
			t.Errorf("after a red card they are %v", e.Status)
		}
		if err := h.Leagues.Appeal(ctx, h.viewer("cats1"), id, 1, "They whispered"); !errors.Is(err, league.ErrNotAllowed) {
			t.Error("a captain appeals for a player:", err)
		}

		// Staff add a player to a team while it is played, but nobody of another division; of a team that has left they may.
		join := func(event tournament.ID, team, who string) error {
			_, err := h.Entries.JoinTeam(ctx, boss, event, h.team(h.tournament(event), team).ID, entries.Application{Handle: who}, tournament.Candidate{})
			return err
		}
		if err := join(below, "Eels", "bears3"); !errors.Is(err, tournament.ErrTeamFull) {
			t.Error("a fourth player:", err)
		}
		h.ok(h.Entries.WithdrawPlayer(ctx, boss, below, "eels3"))
		if err := join(below, "Eels", "bears3"); !errors.Is(err, league.ErrMate) {
			t.Error("a player of two teams:", err)
		}
		h.ok(join(below, "Eels", "dogs2"))

		strength := []string{"Bears", "Ants", "Lions", "Cats", "Hens", "Foxes", "Eels", "Goats"}
		for week := range 3 {
			if week == 2 {
				tour := h.tournament(upper)
				possible := leagues.Ranks(tour)
				for name, want := range map[string]league.Ranks{"Bears": {Best: 1, Worst: 3}, "Ants": {Best: 1, Worst: 4}, "Lions": {Best: 1, Worst: 4}, "Cats": {Best: 2, Worst: 4}} {
					if got := possible[h.team(tour, name).ID]; got != want {
						t.Errorf("before the last evening %s can be %+v, want %+v", name, got, want)
					}
				}
			}
			h.playWeek(strength, upper, below)
			if n := len(h.tournament(upper).Rounds); n != week+1 {
				t.Fatalf("after evening %d there are %d rounds", week+1, n)
			}
			h.clock.advance(starts.Add(time.Duration(week+1) * 7 * 24 * time.Hour).Sub(h.clock.now()))
		}
		h.ok(h.Leagues.Freeze(ctx, boss, id))
		order := func() (list []string) {
			l := h.readLeague(id)
			for _, table := range l.Now().Tables {
				var teams []string
				for _, row := range table {
					teams = append(teams, l.Team(row.Member).Name)
				}
				list = append(list, strings.Join(teams, " "))
			}
			return list
		}
		if got := order(); !slices.Equal(got, []string{"Bears Ants Lions Cats", "Hens Foxes Eels Goats"}) {
			t.Fatalf("frozen %q", got)
		}
		closing := h.readLeague(id).Now()
		if len(closing.PlayOffs) != 1 || closing.PlayOffs[0].Stays != lions || closing.PlayOffs[0].Rises != "#6" {
			t.Fatalf("play-offs %+v", closing.PlayOffs)
		}
		h.ok(h.Leagues.OpenPlayOffs(ctx, boss, id))
		final := h.readLeague(id).Now().Decided[0]
		h.ok(h.Rounds.Start(ctx, boss, final))
		for range 3 {
			h.playWeek([]string{"Foxes", "Lions"}, final)
			h.clock.advance(time.Hour)
		}
		next := h.clock.now().Add(14 * 24 * time.Hour)
		h.ok(h.Leagues.Archive(ctx, boss, id, next))
		if o := h.readLeague(id).Last().PlayOffs[0]; o.Winner != "#6" {
			t.Errorf("the play-off was won by %s", o.Winner)
		}

		// All come back but the dogs, of whom the bears take a player.
		if got := h.readLeague(id).Team(lions).Players; len(got) != 2 || got[0].Player != "dan" {
			t.Errorf("the lions come back as %+v: their boards were ordered in the division", got)
		}
		if got := h.readLeague(id).Team("#3").Players; len(got) != 2 {
			t.Errorf("the cats come back with who was sent off: %+v", got)
		}
		_, err = h.Leagues.SaveTeam(ctx, h.viewer("bears1"), id, "#2", leagues.Team{Name: "Bears", Players: []string{"bears1", "dogs1"}})
		h.ok(err)
		h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.AskErasure("goats3", h.clock.now(), h.clock.now()), tx.Erase("goats3", h.clock.now()))
		}))
		for _, name := range []string{"Ants", "Bears", "Cats", "Eels", "Foxes", "Goats", "Hens"} {
			h.ok(h.Leagues.Enter(ctx, h.viewer(lower(name, 1)), id, ""))
		}
		h.ok(h.Leagues.Enter(ctx, boss, id, string(lions)))
		if got := h.readLeague(id).Team("#7").Players; len(got) != 2 || got[1].Player != "goats2" {
			t.Errorf("the goats come back with who has no account any more: %+v", got)
		}
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		second := h.readLeague(id).Now()
		if got := fmt.Sprint(second.Divisions[0].Members, second.Divisions[1].Members); got != "[#2 #1 #8 #6] [#9 #3 #5 #7]" {
			t.Errorf("the second season: %s", got)
		}
		h.clock.advance(next.Sub(h.clock.now()))
		for week := range 3 {
			h.playWeek(strength, second.Divisions[0].Tournament, second.Divisions[1].Tournament)
			h.clock.advance(next.Add(time.Duration(week+1) * 7 * 24 * time.Hour).Sub(h.clock.now()))
		}
		h.ok(h.Leagues.Freeze(ctx, boss, id))
		if got := order(); !slices.Equal(got, []string{"Bears Ants Hens Foxes", "Lions Cats Eels Goats"}) {
			t.Errorf("frozen again %q", got)
		}
		if _, plays := h.tournament(second.Divisions[0].Tournament).EntryOf("dogs1"); !plays {
			t.Error("the player whom the bears took is not in their division")
		}
	})
}

// A Swiss of six teams over three evenings, in which the stronger team of each match wins both boards: Ants win all and have 6 match
// points, Foxes lose all and have none, whoever meets whom. No team meets another twice, and the places that were possible in each
// round hold.
func TestALeagueOfTeamsInASwiss(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx, boss := t.Context(), h.viewer("ana")
		s := league.DefaultSettings()
		s.Name, s.Rule = "Club league", league.Rule{Least: 4, Usual: 6, Most: 12}
		s.PlayIn(2, 1)
		s.Play(3, 0)
		id, err := h.Leagues.Create(ctx, boss, h.dragon(), s, "", h.clock.now().Add(10*24*time.Hour))
		h.ok(err)
		names := []string{"Ants", "Bears", "Cats", "Dogs", "Eels", "Foxes"}
		for _, name := range names {
			players := []string{strings.ToLower(name) + "1", strings.ToLower(name) + "2"}
			storetest.Players(t, h.store, players...)
			_, err := h.Leagues.SaveTeam(ctx, h.viewer(players[0]), id, "", leagues.Team{Name: name, Players: players})
			h.ok(err)
		}
		h.ok(h.Leagues.Propose(ctx, boss, id))
		h.ok(h.Leagues.Publish(ctx, boss, id))
		h.clock.advance(10 * 24 * time.Hour)
		division := h.readLeague(id).Now().Divisions[0].Tournament
		var possible []map[tournament.EntryID]league.Ranks
		for range 3 {
			h.jobs()
			possible = append(possible, leagues.Ranks(h.tournament(division)))
			h.playWeek(names, division)
			h.clock.advance(7 * 24 * time.Hour)
		}
		h.jobs()
		tour := h.tournament(division)
		if tour.Status != tournament.Finished || len(tour.Rounds) != 3 {
			t.Fatalf("%v after %d rounds", tour.Status, len(tour.Rounds))
		}
		met := map[[2]tournament.EntryID]bool{}
		for _, r := range tour.Rounds {
			for _, m := range r.Teams {
				met[[2]tournament.EntryID{min(m.First, m.Second), max(m.First, m.Second)}] = true
			}
		}
		if len(met) != 9 {
			t.Errorf("%d different matches of 9", len(met))
		}
		h.ok(h.Leagues.Freeze(ctx, boss, id))
		table := h.readLeague(id).Now().Tables[0]
		if len(table) != 6 || table[0].Member != "#1" || table[5].Member != "#6" {
			t.Fatalf("the table %+v", table)
		}
		sides := tour.Sides()
		for i, row := range table {
			e := sides[slices.IndexFunc(sides, func(e tournament.Entry) bool { return e.Name == h.readLeague(id).Team(row.Member).Name })]
			for round, ranks := range possible {
				if r, is := ranks[e.ID]; !is || i+1 < r.Best || i+1 > r.Worst {
					t.Errorf("%s became %d; in round %d %d–%d was possible", e.Name, i+1, round+1, r.Best, r.Worst)
				}
			}
			// In the last round 2 points are left: 4 cannot fall behind 0, nor 0 pass 4.
			if r := possible[2][e.ID]; i == 0 && r.Worst == 6 || i == 5 && r.Best == 1 {
				t.Errorf("%s before the last round: %d–%d", e.Name, r.Best, r.Worst)
			}
		}
	})
}
