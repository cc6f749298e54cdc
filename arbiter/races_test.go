package arbiter_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/fairplay/vouch"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/tournament/challenge"
)

// atOnce does n acts at one moment; it answers why those that were refused were.
func atOnce(n int, act func(i int) error) (refused []error) {
	var all sync.WaitGroup
	errs := make([]error, n)
	begin := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-begin
			errs[i] = act(i)
		})
	}
	close(begin)
	all.Wait()
	for _, err := range errs {
		if err != nil {
			refused = append(refused, err)
		}
	}
	return refused
}

// TestNoBrakeIsPassedByTwo races what the rulebooks bound or allow once: however
// many come at one moment, as many pass as would one after the other, and the
// others are told of the bound.
func TestNoBrakeIsPassedByTwo(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	for name, prepare := range map[string]func(*testing.T, *hall) (left, acts int, bound error, act func(i int) error){
		"reports of a week": func(t *testing.T, h *hall) (int, int, error, func(int) error) {
			tour, fay := h.lost(), h.viewer("fay")
			return 3, 4, judges.ErrReportMany, func(i int) error {
				of, _ := tour.EntryOf(h.player(names[i]).ID)
				for _, p := range tour.Rounds[0].Pairings {
					if seat := p.SeatOf(of.ID); seat.Valid() {
						return h.Judges.Report(t.Context(), fay, p.Match, seat, "so fast")
					}
				}
				return errors.New("does not play")
			}
		},
		"words of an issuer":   wordsOfAnIssuer,
		"networks of an event": networksOfAnEvent,
		"challenges that wait": challengesThatWait,
		"matches of a guest":   matchesOfAGuest,
		"messages of half a minute": func(t *testing.T, h *hall) (int, int, error, func(int) error) {
			id, p, gus := evening(h)
			h.ok(h.Judges.Say(t.Context(), gus, p.Match, "hello"))
			ana := h.at(id, p, 1)
			return call.Burst, 7, call.ErrTooFast, func(int) error { return h.Judges.Say(t.Context(), ana, p.Match, "look") }
		},
		"open calls": func(t *testing.T, h *hall) (int, int, error, func(int) error) {
			id, p, _ := evening(h)
			ana := h.at(id, p, 1)
			return 1, 4, call.ErrOpen, func(int) error {
				_, err := h.Judges.Call(t.Context(), ana, p.Match, "look")
				return err
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, h *hall) {
				left, acts, bound, act := prepare(t, h)
				refused := atOnce(acts, act)
				for _, err := range refused {
					if !errors.Is(err, bound) {
						t.Errorf("refused: %v", err)
					}
				}
				if got := acts - len(refused); got != left {
					t.Errorf("%d of %d passed, the bound leaves %d", got, acts, left)
				}
			})
		})
	}
}

func wordsOfAnIssuer(t *testing.T, h *hall) (int, int, error, func(int) error) {
	ctx, boss, owner := t.Context(), h.host, h.viewer("gus")
	boss.Role = player.Operator
	h.ok(h.store.Write(ctx, func(tx *store.Tx) error { return tx.AddClub(club.New("club", "Dragons", "", owner.ID, h.clock.now())) }))
	issuer, err := h.Persons.Certify(ctx, boss, "club")
	h.ok(err)
	attest := func(by player.Viewer, of string, issuer vouch.IssuerID, n int) error {
		_, err := h.Persons.Attest(ctx, by, persons.Word{Issuer: issuer, Handle: of, Says: identity(), Days: 365, Person: persons.Person{Name: of, Born: fmt.Sprintf("%d-01-01", 1900+n)}})
		return err
	}
	h.ok(attest(boss, "gus", vouch.SiteIssuer, 0))
	const left = 2
	h.ok(h.store.Write(ctx, func(tx *store.Tx) error {
		for i := range vouch.MaxIssues - left {
			word := identity()
			word.ID, word.Player, word.Issuer, word.By = fmt.Sprint("word", i), h.player("ana").ID, issuer.ID, owner.ID
			word.Issued, word.Expires = h.clock.now(), h.clock.now().AddDate(1, 0, 0)
			if err := tx.AddAttestation(word); err != nil {
				return err
			}
		}
		return nil
	}))
	return left, 5, vouch.ErrTooMany, func(i int) error { return attest(owner, names[i], issuer.ID, i+1) }
}

func networksOfAnEvent(t *testing.T, h *hall) (int, int, error, func(int) error) {
	id := h.create(tournament.Swiss, nil)
	name := func(i int) error { return h.Judges.NameVenue(t.Context(), h.host, id, fmt.Sprint("network ", i)) }
	const left = 2
	for i := range 20 - left {
		h.ok(name(i))
	}
	return left, 6, judges.ErrVenues, func(i int) error { return name(100 + i) }
}

func challengesThatWait(t *testing.T, h *hall) (int, int, error, func(int) error) {
	ana := h.viewer("ana")
	offer := func(int) error {
		_, err := h.Challenges.Send(t.Context(), ana, "", friendly(false))
		return err
	}
	const left = 2
	for i := range challenge.MostOpen - left {
		h.ok(offer(i))
	}
	return left, 6, challenge.ErrTooMany, offer
}

func matchesOfAGuest(t *testing.T, h *hall) (int, int, error, func(int) error) {
	const offers = 4
	guest, err := h.Persons.Guest(t.Context())
	h.ok(err)
	ids := make([]challenge.ID, offers)
	for i := range ids {
		c, err := h.Challenges.Send(t.Context(), h.viewer(names[i]), "", friendly(false))
		h.ok(err)
		ids[i] = c.ID
	}
	return 1, offers, player.ErrGuestPlays, func(i int) error {
		_, err := h.Challenges.Accept(t.Context(), player.Viewer{Player: guest}, ids[i])
		return err
	}
}

// TestThirtyAtOneMomentAreAllIn: registrations, check-ins and withdrawals of one
// tournament that come together on two nodes wait for one another.
func TestThirtyAtOneMomentAreAllIn(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		const crowd = 30
		handles := make([]string, crowd)
		for i := range handles {
			handles[i] = fmt.Sprintf("guest%02d", i)
		}
		storetest.Players(t, h.store, handles...)
		viewers := make([]player.Viewer, crowd)
		for i := range viewers {
			viewers[i] = h.viewer(handles[i])
		}
		second, err := live.New(h.store, live.NewInProcess(), live.Config{Now: h.clock.now}, nil)
		h.ok(err)
		t.Cleanup(second.Close)
		nodes := [2]*arbiter.Arbiter{h.Arbiter, arbiter.New(h.store, second, arbiter.Config{Now: h.clock.now}, nil)}
		id := h.create(tournament.Swiss, func(s *tournament.Settings) {
			s.Rounds, s.CheckIn = 2, tournament.CheckIn{Scope: tournament.ForRound, Opens: 10 * time.Minute, Closes: time.Minute}
		})
		for _, step := range []struct {
			name string
			act  func(context.Context, *arbiter.Arbiter, player.Viewer) error
		}{
			{"registration", func(ctx context.Context, a *arbiter.Arbiter, v player.Viewer) error {
				_, err := a.Entries.Register(ctx, v, id, entries.Application{})
				return err
			}},
			{"check-in", func(ctx context.Context, a *arbiter.Arbiter, v player.Viewer) error {
				return a.Desk.CheckInOwn(ctx, v, id, true)
			}},
			{"withdrawal", func(ctx context.Context, a *arbiter.Arbiter, v player.Viewer) error {
				return a.Entries.WithdrawPlayer(ctx, v, id, string(v.Handle))
			}},
		} {
			if step.name == "check-in" {
				h.ok(h.Rounds.Start(t.Context(), h.host, id))
			}
			for _, err := range atOnce(crowd, func(i int) error { return step.act(t.Context(), nodes[i%2], viewers[i]) }) {
				t.Errorf("%s: %v", step.name, err)
			}
		}
		for _, e := range h.tournament(id).Entries {
			if e.Status != tournament.Withdrawn {
				t.Errorf("%s is %v", e.Name, e.Status)
			}
		}
		if n := len(h.tournament(id).Entries); n != crowd {
			t.Errorf("%d of %d are in", n, crowd)
		}
	})
}

// TestOneDryRunIsUnderWay: of several begun at one moment the last one runs.
func TestOneDryRunIsUnderWay(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 3 }, "ana", "bob", "cyn", "dan")
		for _, err := range atOnce(4, func(i int) error {
			return h.Events.StartDryRun(ctx, h.host, id, events.DryRun{Runs: 100, Extra: 0, First: 1, Seed: int64(i + 1)})
		}) {
			t.Error(err)
		}
		running := 0
		for {
			var due store.DryRun
			err := h.store.Write(ctx, func(tx *store.Tx) (err error) {
				if due, err = tx.DueDryRun(h.clock.now()); err != nil {
					return err
				}
				return tx.LeaseDryRun(due, h.clock.now(), h.clock.now().Add(time.Minute))
			})
			if errors.Is(err, store.ErrNotFound) {
				break
			}
			h.ok(err)
			running++
		}
		if running != 1 {
			t.Errorf("%d are under way", running)
		}
	})
}

// TestPlacesAreGivenOnce: of many who come for the last two places two have them.
func TestPlacesAreGivenOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Capacity = 2 })
		viewers := make([]player.Viewer, len(names))
		for i, name := range names {
			viewers[i] = h.viewer(name)
		}
		for _, err := range atOnce(len(names), func(i int) error {
			_, err := h.Entries.Register(t.Context(), viewers[i], id, entries.Application{})
			return err
		}) {
			t.Error(err)
		}
		in := map[tournament.EntryStatus]int{}
		for _, e := range h.tournament(id).Entries {
			in[e.Status]++
		}
		if in[tournament.Active] != 2 || in[tournament.Waiting] != len(names)-2 {
			t.Errorf("%v", in)
		}
	})
}

// TestACorrectionIsOfWhatWasLookedAt: of two corrections of one board at one moment
// one stands, and the other is refused as stale; what changes elsewhere hinders none.
func TestACorrectionIsOfWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, h *hall) {
		id := friday(h)
		gus := h.viewer("gus")
		h.giveDuty(id, gus)
		seen := h.tournament(id).Version
		by := [2]player.Viewer{h.host, gus}
		kinds := [2]tournament.ResultKind{tournament.Drawn, tournament.DoubleForfeit}
		correct := func(board, i int) error {
			c := tables.Correction{Round: 1, Board: board, Kind: kinds[i], Reach: tournament.FromNow}
			who := by[i]
			who.Shown = seen
			return h.Arbiter.Desk.Correct(t.Context(), who, id, c, "the scoresheet says so")
		}
		refused := atOnce(2, func(i int) error { return correct(1, i) })
		if len(refused) != 1 || !errors.Is(refused[0], kernel.ErrOvertaken) {
			t.Errorf("%v", refused)
		}
		h.ok(correct(2, 0))
	})
}
