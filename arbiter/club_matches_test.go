package arbiter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/proposal"
)

// clubMatch is a match of the dragons (ana, bob, cyn) against the lions (dan, eve) on two boards, which begins in a day. The lions have
// yet to answer.
func (h *hall) clubMatch() tournament.ID {
	h.t.Helper()
	dragon := h.dragon()
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		return tx.AddClub(club.New("lion", "Lions", "", h.player("dan").ID, h.clock.now()))
	}))
	_, err := h.Clubs.Join(h.t.Context(), h.viewer("eve"), "lion", "", "")
	h.ok(err)
	id, err := h.Events.Challenge(h.t.Context(), h.viewer("ana"), proposal.ClubMatch{Home: dragon, Guest: "lion", Boards: 2,
		Begins: h.clock.now().Add(24 * time.Hour), Rated: true, Envelope: bidding.DefaultEnvelope()})
	h.ok(err)
	return id
}

func (h *hall) answers(id tournament.ID, by string, in bool) error {
	return h.Entries.AnswerInvitation(h.t.Context(), h.viewer(by), id, h.team(h.tournament(id), "Lions").ID, in)
}

func (h *hall) names(id tournament.ID, by, team, handles string) error {
	return h.Entries.NameMembers(h.t.Context(), h.viewer(by), id, h.team(h.tournament(id), team).ID, strings.Fields(handles))
}

// sends hands in a line-up, for round 1.
func (h *hall) sends(id tournament.ID, by, team, handles string) error {
	t := h.tournament(id)
	l := store.TeamLineUp{Team: h.team(t, team).ID}
	for _, x := range strings.Fields(handles) {
		e, _ := t.EntryOf(h.player(x).ID)
		l.Players = append(l.Players, e.ID)
	}
	return h.Rounds.HandIn(h.t.Context(), h.viewer(by), id, 1, l)
}

func (h *hall) givesUp(id tournament.ID, handle string) {
	h.t.Helper()
	t := h.tournament(id)
	e, _ := t.EntryOf(h.player(handle).ID)
	for _, p := range t.Rounds.Pending() {
		if seat := p.SeatOf(e.ID); seat.Valid() {
			for _, s := range match.Seats {
				x, _ := t.Entry(p.EntryAt(s))
				_, err := h.live.Do(h.t.Context(), p.Match, x.Player, live.Request{Command: match.Ready{Seat: s}, Admit: admitted})
				h.ok(err)
			}
			h.clock.advance(match.DefaultStartDelay)
			_, err := h.live.Do(h.t.Context(), p.Match, e.Player, live.Request{Command: match.Resign{Seat: seat}, Admit: admitted})
			h.ok(err)
		}
	}
}

// Both boards go to different clubs: board 1 counts for more (Berlin), so the dragons, who win it, have won.
func TestAClubMatchFromTheChallengeToItsResult(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.clubMatch()
		if !h.hasTold("dan", notice.ClubTeam) || h.hasTold("eve", notice.ClubTeam) || h.hasTold("bob", notice.ClubTeam) {
			t.Error("who names the lions' players, and nobody else, is to hear of the challenge")
		}
		tour := h.tournament(id)
		if tour.Name != "Dragon – Lions" || tour.Active() != 1 || !tour.StartsAt().Equal(h.clock.now().Add(24*time.Hour)) {
			t.Errorf("%q, %d teams, begins %v", tour.Name, tour.Active(), tour.StartsAt())
		}
		if err := h.Rounds.Start(ctx, h.viewer("ana"), id); !errors.Is(err, tournament.ErrTooFew) {
			t.Errorf("begun without an answer: %v", err)
		}
		if err := h.answers(id, "eve", true); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("a member answers: %v", err)
		}
		if err := h.answers(id, "ana", true); !errors.Is(err, tournament.ErrNotAllowed) {
			t.Errorf("the other club answers: %v", err)
		}
		h.ok(h.answers(id, "dan", true))
		if !h.hasTold("ana", notice.ClubTeam) {
			t.Error("the dragons hear nothing of the answer")
		}
		for what, c := range map[string]struct {
			by, team, handles string
			want              error
		}{
			"a member names":     {"cyn", "Dragon", "bob", tournament.ErrNotAllowed},
			"for the other club": {"ana", "Lions", "eve", tournament.ErrNotAllowed},
			"somebody twice":     {"ana", "Dragon", "cyn cyn", tournament.ErrEntered},
			"a stranger":         {"bob", "Dragon", "cyn fay", tournament.ErrNotMember},
		} {
			var unfit *entries.UnfitError
			if err := h.names(id, c.by, c.team, c.handles); !errors.Is(err, c.want) || !errors.As(err, &unfit) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if n := len(h.tournament(id).Players()); n != 0 {
			t.Errorf("%d players of lists that were refused", n)
		}
		h.ok(h.names(id, "bob", "Dragon", "cyn ana bob"))
		h.ok(h.names(id, "dan", "Lions", "eve dan"))
		if !h.hasTold("cyn", notice.Entered) {
			t.Error("cyn does not hear that she plays")
		}
		h.ok(h.sends(id, "bob", "Dragon", "cyn ana"))
		h.ok(h.sends(id, "dan", "Lions", "eve dan"))
		if tour = h.tournament(id); len(tour.Rounds) > 0 || tour.Status != tournament.Registration {
			t.Fatalf("begun by line-ups: %+v", tour.Rounds)
		}
		h.ok(h.Rounds.Start(ctx, h.viewer("ana"), id))
		h.clock.advance(24 * time.Hour)
		h.ok(h.Sweep(ctx))
		var seats []string
		for _, p := range h.tournament(id).Rounds[0].BoardsOf(1) {
			a, _ := h.tournament(id).Entry(p.First)
			b, _ := h.tournament(id).Entry(p.Second)
			pair := []string{a.Name, b.Name}
			slices.Sort(pair)
			seats = append(seats, strings.Join(pair, "-"))
		}
		if !slices.Equal(seats, []string{"cyn-eve", "ana-dan"}) {
			t.Fatalf("%v", seats)
		}
		h.givesUp(id, "eve")
		h.givesUp(id, "ana")
		tour = h.tournament(id)
		table, err := format.Standings(tour, -1)
		h.ok(err)
		if tour.Status != tournament.Finished || tour.RatedAt.IsZero() || table.Lines[0].Entry.Name != "Dragon" || table.Lines[0].Rank != 1 ||
			table.Lines[1].Rank != 2 || table.Lines[0].Score != 10 || table.Lines[1].Score != 10 {
			t.Errorf("%v: %+v", tour.Status, table.Lines)
		}
		if err := h.Correct(ctx, h.viewer("ana"), id, tables.Correction{Round: 1, Board: 2, Kind: tournament.Drawn, Reach: tournament.FromNow}, "agreed"); err != nil && !errors.Is(err, fairplay.ErrParty) {
			t.Errorf("a correction: %v", err)
		}
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			for _, of := range []club.ID{"dragon", "lion"} { // it stands on both pages
				lines, _, err := tx.Tournaments(store.TournamentQuery{Club: of, Limit: 9})
				if err != nil || len(lines) != 1 {
					t.Errorf("%s: %d, %v", of, len(lines), err)
				}
			}
			return nil
		}))
	})
}

// A club that has not answered, or has declined, is found nowhere; its captains find the match among what is theirs.
func TestAChallengeIsBetweenThoseItConcerns(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.clubMatch()
		found := func(q store.TournamentQuery) int {
			n, err := store.Get(ctx, h.store, func(tx *store.Tx) (int, error) {
				q.Limit = 9
				_, n, err := tx.Tournaments(q)
				return n, err
			})
			h.ok(err)
			return n
		}
		for handle, want := range map[string]int{"dan": 1, "eve": 0, "ana": 1, "bob": 1, "cyn": 0} {
			if n := found(store.TournamentQuery{Player: h.player(handle).ID}); n != want {
				t.Errorf("%s finds %d", handle, n)
			}
		}
		if n := found(store.TournamentQuery{Club: "lion"}); n != 0 {
			t.Errorf("the lions' page has %d before they answer", n)
		}
		h.ok(h.answers(id, "dan", false))
		if !h.hasTold("ana", notice.ClubTeam) || found(store.TournamentQuery{Club: "lion"}) != 0 || found(store.TournamentQuery{Player: "dan"}) != 0 {
			t.Error("declined")
		}
		_, err := h.Entries.EnterTeam(ctx, h.viewer("ana"), id, entries.TeamApplication{ClubID: "lion"}) // once more
		h.ok(err)
		h.ok(h.answers(id, "dan", true))
		if n := len(h.tournament(id).Entries); n != 2 || found(store.TournamentQuery{Club: "lion"}) != 1 {
			t.Errorf("%d entries", n)
		}
	})
}

// Who has left the club does not sit down for it: its captains hear of that, and the next of the team moves up.
func TestOnlyMembersSitDownForAClub(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.clubMatch()
		h.ok(h.answers(id, "dan", true))
		h.ok(h.names(id, "ana", "Dragon", "cyn bob ana"))
		h.ok(h.names(id, "dan", "Lions", "eve"))
		h.ok(h.sends(id, "ana", "Dragon", "cyn bob"))
		h.ok(h.Clubs.Leave(ctx, h.viewer("cyn"), "dragon"))
		for who, want := range map[string]bool{"ana": true, "bob": true, "cyn": false, "eve": false} {
			left := slices.ContainsFunc(h.told(who), func(n store.Told) bool {
				return n.Kind == notice.ClubTeam && n.Args["Case"] == "left" && n.Args["Player"] == "cyn"
			})
			if left != want {
				t.Errorf("%s is told: %+v", who, h.told(who))
			}
		}
		h.ok(h.Rounds.Start(ctx, h.viewer("ana"), id))
		h.clock.advance(24 * time.Hour)
		h.ok(h.Sweep(ctx))
		if got := h.seated(id, "Dragon"); len(got) > 0 {
			t.Errorf("open before the lions name anybody: %v", got)
		}
		h.clock.advance(15 * time.Minute)
		h.ok(h.Sweep(ctx))
		got := h.seated(id, "Dragon")
		for i := range got {
			a, b, _ := strings.Cut(strings.Fields(got[i])[0], "-")
			pair := []string{a, b}
			slices.Sort(pair)
			got[i] = strings.Join(pair, "-")
		}
		if !slices.Equal(got, []string{"bob-eve", "Dragon-Lions"}) {
			t.Errorf("%v", got)
		}
	})
}

// The word of the other club's captain does not carry a player in a match against that club, neither when they are named nor when
// the boards open.
func TestTheOtherCaptainsWordDoesNotCount(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.clubMatch()
		h.ok(h.answers(id, "dan", true))
		policy := fairplay.Preset(fairplay.Declared)
		policy.Attestations = 1
		h.ok(h.Events.SetPolicy(ctx, h.viewer("ana"), id, policy.WithAge()))
		say := func(by, of string) {
			t.Helper()
			v := h.viewer(by)
			v.Role = player.Operator
			_, err := h.Persons.Attest(ctx, v, persons.Word{Issuer: vouch.SiteIssuer, Handle: of, Says: identity(), Days: 365, Person: persons.Person{Name: of, Born: "1990-01-01"}})
			h.ok(err)
			h.ok(h.Persons.AcceptText(ctx, h.viewer(of), "en", "…"))
		}
		say("dan", "cyn") // the lions' owner about a dragon
		say("dan", "eve") // and about a lion
		say("gus", "bob")
		var unfit *entries.UnfitError
		if err := h.names(id, "ana", "Dragon", "bob cyn"); !errors.As(err, &unfit) || unfit.Handle != "cyn" || !errors.Is(err, fairplay.ErrUnmet) {
			t.Fatalf("cyn, known to the other captain alone, is named: %v", err)
		}
		h.ok(h.names(id, "ana", "Dragon", "bob"))
		h.ok(h.names(id, "dan", "Lions", "eve"))
		h.ok(h.sends(id, "ana", "Dragon", "bob"))
		h.ok(h.sends(id, "dan", "Lions", "eve"))
		// bob's word is given again, by the other captain alone, before the start.
		h.clock.advance(time.Minute)
		say("dan", "bob")
		h.ok(h.Rounds.Start(ctx, h.viewer("ana"), id))
		h.clock.advance(24 * time.Hour)
		h.ok(h.Sweep(ctx))
		board := h.tournament(id).Rounds[0].Pairings[0]
		counts := map[player.ID]int{}
		h.ok(h.store.Read(ctx, func(tx *store.Tx) error {
			facts, err := tx.Facts(board.Match)
			for _, f := range facts {
				if f.Kind == fairplay.Attested {
					counts[h.head(board.Match).Players[f.Seat.Index()]] = f.Count
				}
			}
			return err
		}))
		if counts["bob"] != 0 || counts["eve"] != 1 {
			t.Errorf("the match counts %v", counts)
		}
	})
}
