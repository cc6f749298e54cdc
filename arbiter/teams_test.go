package arbiter_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/roster"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/teamswiss"
	"chpok.org/chpok/tournament/trf"
)

// league is a Swiss of teams with two boards and one reserve each, whose captains have ten minutes for line-ups. Players of
// team Bears are bears1, bears2, bears3; the first is their captain.
func (h *hall) league(teams ...string) tournament.ID {
	h.t.Helper()
	var list strings.Builder
	list.WriteString("handle;team\n")
	for _, team := range teams {
		for k := range 3 {
			handle := fmt.Sprint(strings.ToLower(team), k+1)
			storetest.Players(h.t, h.store, handle)
			fmt.Fprintf(&list, "%s;%s\n", handle, team)
		}
	}
	id := h.create(tournament.Swiss, func(s *tournament.Settings) {
		s.Teams = tournament.Teams{Boards: 2, Reserves: 1, LineUps: 10 * time.Minute}
		s.Rounds, s.Tiebreaks = 3, tournament.DefaultTiebreaks(tournament.Swiss, true)
	})
	planned, err := h.Entries.RegisterAll(h.t.Context(), h.host, id, entries.Listed{Lines: roster.Read(list.String())})
	h.ok(err)
	for _, p := range planned {
		h.ok(p.Err)
	}
	return id
}

func (h *hall) team(t *tournament.Tournament, name string) tournament.Entry {
	h.t.Helper()
	for _, e := range t.Sides() {
		if e.Name == name {
			return e
		}
	}
	h.t.Fatalf("no team %s", name)
	return tournament.Entry{}
}

// handIn hands in a line-up by its captain: players by their numbers.
func (h *hall) handIn(id tournament.ID, captain, team string, players ...int) error {
	t := h.tournament(id)
	l := store.TeamLineUp{Team: h.team(t, team).ID}
	for _, k := range players {
		e, _ := t.EntryOf(h.player(fmt.Sprint(strings.ToLower(team), k)).ID)
		l.Players = append(l.Players, e.ID)
	}
	return h.Rounds.HandIn(h.t.Context(), h.viewer(captain), id, len(t.Rounds), l)
}

// seated says who sits at the boards of a match of the latest round.
func (h *hall) seated(id tournament.ID, team string) (list []string) {
	t := h.tournament(id)
	r := t.Rounds[len(t.Rounds)-1]
	n, _ := r.MatchOf(h.team(t, team).ID)
	for _, p := range r.BoardsOf(n) {
		first, _ := t.Entry(p.First)
		second, _ := t.Entry(p.Second)
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s-%s %s", first.Name, second.Name, p.Result.Kind)))
	}
	return list
}

// first wins every board that is played.
func (h *hall) firstWins(id tournament.ID) {
	h.t.Helper()
	t := h.tournament(id)
	for _, p := range t.Rounds.Pending() {
		loser, _ := t.Entry(p.Second)
		_, err := h.live.Do(h.t.Context(), p.Match, loser.Player, live.Request{Command: match.Resign{Seat: match.Second}, Admit: admitted})
		if !errors.Is(err, match.ErrOver) { // nobody bid in time
			h.ok(err)
		}
	}
}

func TestATeamSwissFromAListToItsReport(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.league("Ants", "Bears", "Cats", "Dogs")
		tour := h.tournament(id)
		if n := len(tour.Sides()); n != 4 || len(tour.Roster(h.team(tour, "Cats").ID)) != 3 || !tour.IsCaptain(h.viewer("dogs1"), h.team(tour, "Dogs").ID) {
			t.Fatalf("%d teams", n)
		}
		h.ok(h.Rounds.Start(ctx, h.host, id))
		if tour = h.tournament(id); len(tour.Rounds) != 1 || len(tour.Rounds[0].Pairings) > 0 || len(tour.Awaited()) != 2 {
			t.Fatalf("%+v", tour.Rounds)
		}
		// All are rated 1500, so numbers follow the names: Ants–Cats, Bears–Dogs in some seats.
		if err := h.handIn(id, "bears1", "Ants", 1, 2); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("another captain: %v", err)
		}
		if err := h.handIn(id, "ants1", "Ants", 2, 1); !errors.Is(err, tournament.ErrLineUpOrder) {
			t.Errorf("out of order: %v", err)
		}
		h.ok(h.handIn(id, "ants1", "Ants", 1, 3))
		h.ok(h.handIn(id, "ants1", "Ants", 2, 3)) // they think better of it
		if got := h.seated(id, "Ants"); len(got) > 0 {
			t.Errorf("open before both are in: %v", got)
		}
		var deeds int
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			log, err := tx.Deeds(id)
			for _, d := range log {
				if d.Act == tournament.ActLineUp {
					if deeds++; len(d.Changes) > 0 {
						t.Errorf("the log tells a sealed line-up: %+v", d)
					}
				}
			}
			return err
		}))
		if deeds != 2 {
			t.Errorf("%d line-ups in the log", deeds)
		}
		h.ok(h.handIn(id, "cats1", "Cats", 1, 2))
		seats := func(list []string) []string { // whoever sits First
			var out []string
			for _, s := range list {
				a, b, _ := strings.Cut(strings.Fields(s)[0], "-")
				pair := []string{a, b}
				slices.Sort(pair)
				out = append(out, strings.Join(pair, "-"))
			}
			return out
		}
		if diff := cmp.Diff([]string{"ants2-cats1", "ants3-cats2"}, seats(h.seated(id, "Ants"))); diff != "" {
			t.Error(diff)
		}
		if err := h.handIn(id, "ants1", "Ants", 1, 2); !errors.Is(err, tournament.ErrNotAwaited) {
			t.Errorf("after the opening: %v", err)
		}
		if got := h.seated(id, "Bears"); len(got) > 0 {
			t.Errorf("the other match is open: %v", got)
		}
		h.ok(h.handIn(id, "bears1", "Bears", 3)) // one of two is half of the boards: enough
		h.clock.advance(9 * time.Minute)
		h.ok(h.Sweep(ctx))
		if got := h.seated(id, "Bears"); len(got) > 0 {
			t.Errorf("open before it is due: %v", got)
		}
		h.clock.advance(time.Minute)
		h.ok(h.Sweep(ctx))
		if got := seats(h.seated(id, "Bears")); !slices.Equal(got, []string{"bears3-dogs1", "Bears-dogs2"}) {
			t.Errorf("at the time: %v", got)
		}
		h.firstWins(id)
		if tour = h.tournament(id); len(tour.Rounds) != 2 {
			t.Fatalf("%d rounds after the first is played", len(tour.Rounds))
		}
		// A fifth team comes late, and waits for round 3.
		e, err := h.Entries.EnterTeam(ctx, h.host, id, entries.TeamApplication{Name: "Elks", Captains: []string{"eve"}})
		h.ok(err)
		for _, handle := range []string{"eve", "fay"} {
			_, err := h.Entries.JoinTeam(ctx, h.host, id, e.ID, entries.Application{Handle: handle}, tournament.Candidate{})
			h.ok(err)
		}
		h.clock.advance(10 * time.Minute)
		h.ok(h.Sweep(ctx))
		h.ok(h.Arbiter.Desk.ForfeitMatch(ctx, h.host, id, tournament.MatchForfeit{Round: 2, Match: 1, Lost: [2]bool{true, false}, Why: "They left"}))
		h.firstWins(id)
		if tour = h.tournament(id); len(tour.Rounds) != 3 {
			t.Fatalf("%d rounds after the second is played", len(tour.Rounds))
		}
		// A correction after the next pairing.
		h.ok(h.Correct(ctx, h.host, id, tables.Correction{Round: 1, Board: 1, Kind: tournament.Drawn, Reach: tournament.FromNow}, "the scoresheet says so"))
		h.clock.advance(10 * time.Minute)
		h.ok(h.Sweep(ctx))
		h.firstWins(id)
		if tour = h.tournament(id); tour.Status != tournament.Finished || tour.RatedAt.IsZero() {
			t.Fatalf("%v, rated %v", tour.Status, tour.RatedAt)
		}
		h.ok(h.Arbiter.Desk.Finalize(ctx, h.host, id, ""))
		var out bytes.Buffer
		h.ok(tables.WriteReport(&out, h.tournament(id), nil, nil))
		r, err := trf.ReadAny(out.String())
		h.ok(err)
		teams := teamswiss.Swiss{}
		differences, err := swiss.Checker{Pairer: teams, TellApart: teams.TellApart}.Check(r.TeamField())
		h.ok(err)
		for _, d := range differences {
			if !r.Commented(trf.OvertakenRound)[d.Round] {
				t.Errorf("%v\n%s", d, out.String())
			}
		}
		if len(r.Teams.List) != 5 || len(r.Teams.Forfeits) != 1 || len(r.Players) != 14 {
			t.Errorf("%d teams, %d forfeits, %d players", len(r.Teams.List), len(r.Teams.Forfeits), len(r.Players))
		}
	})
}

// A captain cannot hand in a line-up while the site is down. It waits as long after an outage as that took.
func TestLineUpsOfTeamsWaitAfterAnOutage(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.league("Ants", "Bears")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		due, _ := h.tournament(id).BoardsDueAt()
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.AddOutage(store.Outage{From: due.Add(-8 * time.Minute), To: due.Add(2 * time.Minute)})
		}))
		for _, c := range []struct {
			after time.Duration
			open  int
		}{{2 * time.Minute, 0}, {11 * time.Minute, 0}, {12*time.Minute + time.Second, 2}} {
			h.clock.advance(due.Add(c.after).Sub(h.clock.now()))
			h.ok(h.Sweep(t.Context()))
			if got := h.seated(id, "Ants"); len(got) != c.open {
				t.Fatalf("%v after they were due: %v", c.after, got)
			}
			if c.open == 0 {
				h.ok(h.handIn(id, "ants1", "Ants", 2, 3))
			}
		}
	})
}

// Two captains of one team: the second does not overwrite what they have not seen.
func TestACaptainOverwritesNoLineUpThatTheyHaveNotSeen(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.league("Ants", "Bears")
		tour := h.tournament(id)
		h.ok(h.Entries.SetCaptains(t.Context(), h.host, id, h.team(tour, "Ants").ID, []string{"ants1", "ants2"}))
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		h.ok(h.handIn(id, "ants1", "Ants", 1, 2))
		second := h.viewer("ants2")
		second.Shown = 1 // the page showed none
		tour = h.tournament(id)
		e, _ := tour.EntryOf("ants3")
		err := h.Rounds.HandIn(t.Context(), second, id, 1, store.TeamLineUp{Team: h.team(tour, "Ants").ID, Players: []tournament.EntryID{e.ID}})
		if !errors.Is(err, kernel.ErrOvertaken) {
			t.Errorf("%v", err)
		}
		second.Shown = h.clock.now().UnixMilli()
		h.ok(h.Rounds.HandIn(t.Context(), second, id, 1, store.TeamLineUp{Team: h.team(tour, "Ants").ID, Players: []tournament.EntryID{e.ID}}))
	})
}

// A captain accepts who asks to join, and orders the boards until the start.
func TestACaptainMakesUpATeam(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.league("Ants", "Bears")
		team, err := h.Entries.EnterTeam(ctx, h.viewer("ana"), id, entries.TeamApplication{Name: "Cats"})
		h.ok(err)
		for _, handle := range []string{"ana", "bob", "cyn"} {
			_, err := h.Entries.JoinTeam(ctx, h.viewer(handle), id, team.ID, entries.Application{}, tournament.Candidate{})
			h.ok(err)
		}
		entry := func(handle string) tournament.EntryID {
			e, _ := h.tournament(id).EntryOf(h.player(handle).ID)
			return e.ID
		}
		h.ok(h.Entries.AcceptMate(ctx, h.viewer("ana"), id, entry("bob"), true))
		h.ok(h.Entries.AcceptMate(ctx, h.viewer("ana"), id, entry("cyn"), false))
		h.ok(h.Entries.OrderRoster(ctx, h.viewer("ana"), id, team.ID, []tournament.EntryID{entry("bob"), entry("ana")}))
		var roster []string
		for _, e := range h.tournament(id).Roster(team.ID) {
			roster = append(roster, e.Name)
		}
		if !slices.Equal(roster, []string{"bob", "ana"}) {
			t.Errorf("%v", roster)
		}
	})
}
