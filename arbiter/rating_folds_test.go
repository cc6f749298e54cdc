package arbiter_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// played stores a finished tournament of one round, boards between these pairs,
// and rates it.
func (h *hall) played(n int, pairs [][2]string, results []tournament.ResultKind) tournament.ID {
	h.t.Helper()
	s := tournament.DefaultSettings(tournament.RoundRobin)
	s.Name, s.Lateness = fmt.Sprint("Event ", n), 0
	t, err := tournament.New(tournament.ID(fmt.Sprintf("event-%03d", n)), h.host.ID, s, h.clock.now())
	h.ok(err)
	place := map[string]tournament.EntryID{}
	enter := func(handle string) tournament.EntryID {
		if place[handle] == 0 {
			place[handle] = tournament.EntryID(len(t.Entries) + 1)
			t.Entries = append(t.Entries, tournament.Entry{ID: place[handle], Player: h.player(handle).ID, Name: handle, Status: tournament.Active, Number: len(t.Entries) + 1, From: 1})
		}
		return place[handle]
	}
	round := tournament.Round{Number: 1, OpenedAt: h.clock.now(), Engine: "test"}
	for i, p := range pairs {
		round.Pairings = append(round.Pairings, tournament.Pairing{
			Board: i + 1, First: enter(p[0]), Second: enter(p[1]), Result: tournament.Result{Kind: results[i], At: h.clock.now()},
		})
	}
	t.Rounds, t.Status, t.EndedAt, t.Opening = []tournament.Round{round}, tournament.Finished, h.clock.now(), match.First
	h.ok(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		return tx.AddTournament(t, ledger.Deed{At: h.clock.now(), Act: tournament.ActCreate})
	}))
	h.ok(h.Sweep(h.t.Context()))
	return t.ID
}

// lists is every number of every pool, as text.
func (h *hall) lists() string {
	h.t.Helper()
	var b strings.Builder
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) error {
		pools, err := tx.RatingPools()
		if err != nil {
			return err
		}
		for _, p := range pools {
			for _, name := range names {
				history, err := tx.PoolHistory(p.ID, h.playerOf(name))
				if err != nil {
					return err
				}
				for _, c := range history {
					fmt.Fprintf(&b, "%s %s %d %+v provisional %v at %v\n", p.Name, name, c.Ordinal, c.Change, c.Provisional, c.At)
				}
				now, err := tx.PoolRatings(p.ID, h.playerOf(name))
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, "%s %s now %+v\n", p.Name, name, now)
			}
			months, err := tx.MonthlyLists(p.ID)
			if err != nil {
				return err
			}
			for _, m := range months {
				list, total, err := tx.RatingList(store.RatingQuery{List: m.ID, Limit: 50})
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, "%s %s %d %+v\n", p.Name, m.Month, total, list)
			}
		}
		return nil
	}))
	return b.String()
}

// playerOf: accounts of the hall have their handles as ids.
func (h *hall) playerOf(handle string) player.ID { return player.ID(handle) }

func TestWhatIsAddedOrCorrectedIsAsIfItHadBeenEnteredRight(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		operator := h.host
		operator.Role = player.Operator
		h.ok(h.Ratings.SetSettings(t.Context(), operator, rating.FIDE()))
		glicko := rating.Pool{Name: "Glicko", Zone: "Europe/Kyiv", Counts: rating.Counts{Tournaments: true}, Rules: rating.Glickman(1500)}
		_, err := h.Ratings.AddPool(t.Context(), operator, glicko)
		h.ok(err)
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) error {
			r := club.New("c", "Club", "", h.playerOf(names[0]), h.clock.now())
			for _, name := range names[1:4] {
				r.Members = append(r.Members, club.Membership{Club: "c", Player: h.playerOf(name), Role: club.Member, Joined: h.clock.now()})
			}
			return tx.AddClub(r)
		}))
		clubs := rating.Pool{Club: "c", Name: "Of the club", Zone: "UTC", Counts: rating.Counts{Tournaments: true, Challenges: true}, Rules: rating.Club(1200)}
		inClub, err := h.Ratings.AddPool(t.Context(), operator, clubs)
		h.ok(err)
		// Somebody is rated to begin with, or nobody ever would be.
		h.ok(h.Ratings.Give(t.Context(), operator, rating.Main, []rating.Start{{Player: "ana", Rating: 1900, Games: 40}, {Player: "bob", Rating: 1750, Games: 12}, {Player: "cyn", Rating: 1420, Games: 60}}))

		seed := rand.Uint64()
		chance := rand.New(rand.NewPCG(seed, 1))
		kinds := []tournament.ResultKind{tournament.FirstWins, tournament.SecondWins, tournament.Drawn, tournament.FirstByForfeit}
		var events []tournament.ID
		boards := map[tournament.ID]int{}
		for step := range 40 {
			h.clock.advance(time.Duration(chance.IntN(9*24)) * time.Hour)
			switch what := chance.IntN(10); {
			case what < 6 || len(events) == 0:
				var pairs [][2]string
				var results []tournament.ResultKind
				for range 1 + chance.IntN(5) {
					who := chance.Perm(len(names))
					pairs = append(pairs, [2]string{names[who[0]], names[who[1]]})
					results = append(results, kinds[chance.IntN(len(kinds))])
				}
				id := h.played(step, pairs, results)
				events, boards[id] = append(events, id), len(pairs)
			case what < 9:
				id := events[chance.IntN(len(events))]
				other := tables.Correction{Round: 1, Board: 1 + chance.IntN(boards[id]), Kind: kinds[chance.IntN(3)], Reach: tournament.FromNow}
				h.ok(h.Correct(t.Context(), operator, id, other, "the scoresheet says so"))
			case step%2 == 0:
				h.ok(h.Ratings.SetBirthYear(t.Context(), operator, h.playerOf(names[chance.IntN(len(names))]), 2005+chance.IntN(12)))
			default:
				h.ok(h.Ratings.Give(t.Context(), operator, inClub, []rating.Start{{Player: names[chance.IntN(4)], Rating: 1000 + chance.IntN(1000), Games: chance.IntN(50)}}))
			}
			if step%4 != 3 {
				continue
			}
			h.ok(h.Ratings.Sweep(t.Context()))
			before := h.lists()
			h.ok(h.Ratings.Recompute(t.Context(), nil))
			h.ok(h.Ratings.Sweep(t.Context()))
			if diff := cmp.Diff(before, h.lists()); diff != "" {
				t.Fatalf("seed %d, step %d: step by step (-), all anew (+):\n%s", seed, step, diff)
			}
		}
		if lists := h.lists(); !strings.Contains(lists, "Of the club ana now map[ana") || !strings.Contains(lists, "Glicko 2026-1") || strings.Contains(lists, "Of the club eve now map[eve") {
			t.Errorf("the lists of the end hold too little, or too much:\n%s", lists)
		}
	})
}

// TestARecomputeGoesOnWhereItWasStopped: what is shown stays until the new fold
// is whole, whatever happens in between.
func TestARecomputeGoesOnWhereItWasStopped(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		operator := h.host
		operator.Role = player.Operator
		for n := range 3 {
			h.played(n, [][2]string{{"ana", "bob"}, {"cyn", "dan"}}, []tournament.ResultKind{tournament.FirstWins, tournament.Drawn})
		}
		before := h.lists()
		var begun store.RatingFold
		h.ok(h.store.Write(t.Context(), func(tx *store.Tx) (err error) { // as a process does that is killed right after
			begun, err = tx.BeginFold(rating.Main, h.clock.now())
			return err
		}))
		if diff := cmp.Diff(before, h.lists()); diff != "" {
			t.Fatalf("something half made is shown: %s", diff)
		}
		// A correction meanwhile makes the begun fold worthless: another is begun.
		other := tables.Correction{Round: 1, Board: 1, Kind: tournament.SecondWins, Reach: tournament.FromNow}
		h.ok(h.Correct(t.Context(), operator, "event-000", other, "the scoresheet says so"))
		told := map[rating.PoolID]int64{}
		h.ok(h.Ratings.Recompute(t.Context(), func(p rating.Pool, done, all int64) { told[p.ID] = done }))
		if told[rating.Main] != 3 {
			t.Errorf("heard of %d events", told[rating.Main])
		}
		h.ok(h.store.Read(t.Context(), func(tx *store.Tx) error {
			shown, err := tx.RatingFold(rating.Main)
			if err == nil && (shown.IsStale() || shown.UpTo != 3) {
				err = fmt.Errorf("%+v, begun was %d", shown, begun.ID)
			}
			return err
		}))
		// bob won the first at 1500 each (±20), ana the next two, K 40: at 1480 to 1520
		// 0.44 was expected of her (+22.4), at 1502 to 1498 0.51 (+19.6).
		if got := h.ratings("ana", "bob", "cyn"); got["ana"] != 1522 || got["bob"] != 1478 || got["cyn"] != 1500 {
			t.Errorf("%v", got)
		}
	})
}
