package arbiter_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
)

// told is what a player is told of, the latest first.
func (h *hall) told(handle string) (list []store.Told) {
	h.t.Helper()
	h.ok(h.store.Read(h.t.Context(), func(tx *store.Tx) (err error) {
		list, _, err = tx.Notices(store.NoticeQuery{Player: h.player(handle).ID, Limit: 100})
		return err
	}))
	return list
}

func TestNotifyWakesAfterTheCommitAndPassesOverWhatIsTooLate(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ana := h.player("ana").ID
		sub := h.live.Subscribe(t.Context(), live.PlayerTopic(ana))
		defer sub.Close()
		n := notice.Notice{To: ana, Kind: notice.Turn, Key: "m1/7", URL: "/matches/m1", Args: map[string]string{"Opponent": "bob"}}
		late := n
		late.Key, late.Until = "m1/8", h.clock.now()
		guest := n
		guest.To = ""
		notify := func(list ...notice.Notice) error {
			return h.store.Write(t.Context(), func(tx *store.Tx) error { return h.Notify(tx, list...) })
		}
		h.ok(notify(late, guest))
		select {
		case <-sub.Ready():
			t.Error("woken for nothing")
		default:
		}
		h.ok(notify(n, late))
		select {
		case <-sub.Ready():
		default:
			t.Error("not woken")
		}
		late.Until = h.clock.now().Add(time.Millisecond)
		h.ok(notify(n, late)) // m1/7 a second time
		if list := h.told("ana"); len(list) != 2 {
			t.Errorf("%+v", list)
		}
		if err := notify(notice.Notice{To: player.ID("ana"), Kind: notice.Turn, Key: "m1/9", URL: "/"}); !errors.Is(err, notice.ErrBad) {
			t.Errorf("without an opponent: %v", err)
		}
	})
}

// kinds are what a player was told, the earliest first, with where each leads.
func (h *hall) kinds(handle string) (out []string) {
	h.t.Helper()
	for _, t := range slices.Backward(h.told(handle)) {
		out = append(out, t.Kind.Name()+" "+t.URL)
	}
	return out
}

func (h *hall) wasTold(handle string, want ...string) {
	h.t.Helper()
	got := h.kinds(handle)
	slices.Sort(got) // of one moment
	slices.Sort(want)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		h.t.Errorf("%s was to be told (-), was told (+):\n%s", handle, diff)
	}
}

func TestPlayersOfATournamentAreToldWhatIsDoneToThem(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.RoundRobin, nil, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		page := "/tournaments/" + string(id)
		first := h.tournament(id).Rounds[0]
		match1 := "/matches/" + string(first.Pairings[0].Match)
		h.wasTold("dan", "entered "+page, "round-paired "+match1)
		h.beats(id, "ana", "dan") // who was not there
		h.wasTold("ana", "entered "+page, "round-paired "+match1, "result "+match1)
		h.wasTold("dan", "entered "+page, "round-paired "+match1) // who resigned
		draw := tables.Correction{Round: 1, Board: 1, Kind: tournament.Drawn, Reach: tournament.FromNow}
		h.ok(h.Correct(t.Context(), h.host, id, draw, "the scoresheet says so"))
		h.wasTold("ana", "entered "+page, "round-paired "+match1, "result "+match1, "corrected "+page)
		h.ok(h.Rounds.EnterResult(t.Context(), h.host, id, rounds.Seen{Round: 1, Board: 1}, tournament.Drawn)) // the same once more
		h.wasTold("dan", "entered "+page, "round-paired "+match1, "corrected "+page)
		for _, told := range h.told("ana") {
			if told.Kind != notice.Result && told.Args["Tournament"] != "Friday" || told.Kind == notice.Corrected && told.Args["Round"] != "1" {
				t.Errorf("%+v", told)
			}
		}
	})
}

func TestWhoEntersHimselfIsNotToldOfIt(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, nil, "ana")
		_, err := h.Entries.Register(t.Context(), h.viewer("bob"), id, entries.Application{})
		h.ok(err)
		h.wasTold("bob")
		e, _ := h.tournament(id).EntryOf(h.player("bob").ID)
		h.ok(h.Entries.Withdraw(t.Context(), h.host, id, e.ID))
		h.wasTold("bob", "removed /tournaments/"+string(id))
	})
}

func TestBothSidesOfAChallengeAreTold(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		c := h.challenge("ana", "bob", friendly(false))
		h.wasTold("bob", "challenge-received /c/"+string(c.ID))
		h.wasTold("ana")
		_, err := h.Challenges.Decline(t.Context(), h.viewer("bob"), c.ID, "")
		h.ok(err)
		h.wasTold("ana", "challenge-declined /c/"+string(c.ID))
		link := h.challenge("cyn", "", friendly(false))
		_, err = h.Challenges.Accept(t.Context(), h.viewer("dan"), link.ID)
		h.ok(err)
		h.wasTold("cyn", "challenge-accepted /c/"+string(link.ID))
		h.wasTold("dan")
	})
}

func TestALadderTellsOfEveryStep(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.ladder(nil, "ana", "bob", "cyn")
		h.appoint(id, "cyn", "ana")
		page := "/ladders/" + string(id) + "/challenges/1"
		h.wasTold("ana", "ladder-challenge "+page, "ladder-times "+page)
		h.wasTold("cyn", "challenge-accepted "+page, "appointment "+page)
		h.clock.advance(2*time.Hour - fixture.Doors)
		h.sweepLadders()
		h.sweepLadders()
		c := h.ladderChallenge(store.LadderRef{Ladder: id, Number: 1})
		match := "match-opened /matches/" + string(c.Match)
		h.wasTold("ana", "ladder-challenge "+page, "ladder-times "+page, match)
		h.wasTold("cyn", "challenge-accepted "+page, "appointment "+page, match)
	})
}

// TestPublishingADraftTellsThePlayersWhomTheyMeet: the draft itself tells nobody.
func TestPublishingADraftTellsThePlayersWhomTheyMeet(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Review = 3, true }, "ana", "bob")
		h.ok(h.Rounds.Start(ctx, h.host, id))
		if h.tournament(id).Draft == nil {
			h.ok(h.Rounds.Draft(ctx, h.host, id))
		}
		paired := func(handle string) (urls []string) {
			for _, n := range h.told(handle) {
				if n.Kind == notice.RoundPaired {
					urls = append(urls, n.URL)
				}
			}
			return urls
		}
		if told := append(paired("ana"), paired("bob")...); len(told) > 0 {
			t.Errorf("told of a draft: %v", told)
		}
		h.ok(h.Rounds.Publish(ctx, h.host, id))
		want := []string{"/matches/" + string(h.tournament(id).Rounds[0].Pairings[0].Match)}
		for _, handle := range []string{"ana", "bob"} {
			if told := paired(handle); !slices.Equal(told, want) {
				t.Errorf("%s was told %v, want %v", handle, told, want)
			}
		}
	})
}

// TestACallToAMatchThatIsOverIsNoNews: not even to who never came to look.
func TestACallToAMatchThatIsOverIsNoNews(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 3 }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		first := h.tournament(id).Rounds[0].Pairings[0]
		h.ok(h.resign(first.Match, match.Second))
		for _, handle := range []string{"ana", "bob", "cyn", "dan"} {
			i := slices.IndexFunc(h.told(handle), func(n store.Told) bool { return n.Kind == notice.RoundPaired })
			if i < 0 {
				t.Fatalf("%s was not told whom they meet", handle)
			}
			n := h.told(handle)[i]
			if isOver := n.URL == "/matches/"+string(first.Match); isOver == n.Read.IsZero() {
				t.Errorf("%s, whose match is over: %v, has the call to it as new: %v", handle, isOver, n.Read.IsZero())
			}
		}
	})
}

func TestAnArenaTellsOfMatchesNotOfRounds(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.arena("ana", "bob")
		h.await(id, "ana", "bob")
		h.later(8 * time.Second)
		want := "/matches/" + string(h.tournament(id).Rounds[0].Pairings[0].Match)
		for _, handle := range []string{"ana", "bob"} {
			i := slices.IndexFunc(h.told(handle), func(n store.Told) bool { return n.Kind == notice.MatchOpened && n.URL == want })
			if i < 0 || slices.ContainsFunc(h.told(handle), func(n store.Told) bool { return n.Kind == notice.RoundPaired }) {
				t.Errorf("%s was told %+v", handle, h.told(handle))
			}
		}
		h.comes(id, "ana", "bob")
		h.winsIn(id, "ana", "bob")
		h.ok(h.Rounds.Finish(t.Context(), h.host, id))
		if i := slices.IndexFunc(h.told("ana"), func(n store.Told) bool { return n.Kind == notice.MatchOpened && n.Read.IsZero() }); i >= 0 {
			t.Error("a call to a match of an arena that is over stays news")
		}
	})
}

func TestWhoMeetsSomebodyElseIsToldOnceMore(t *testing.T) {
	t.Parallel()
	one(t, func(t *testing.T, h *hall) {
		id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds = 3 }, "ana", "bob", "cyn", "dan")
		h.ok(h.Rounds.Start(t.Context(), h.host, id))
		toldOf := func(handle string) (opponents []string) {
			for _, n := range slices.Backward(h.told(handle)) {
				if n.Kind == notice.RoundPaired {
					opponents = append(opponents, n.Args["Opponent"])
				}
			}
			return opponents
		}
		opponent := func(handle string) string {
			tour := h.tournament(id)
			e, _ := tour.EntryOf(h.player(handle).ID)
			for _, p := range tour.Rounds[0].Pairings {
				if seat := p.SeatOf(e.ID); seat.Valid() {
					them, _ := tour.Entry(p.EntryAt(seat.Other()))
					return them.Name
				}
			}
			return ""
		}
		want := []string{opponent("ana")}
		h.clock.advance(time.Minute)
		one, two := h.tournament(id).Rounds[0].Pairings[0], h.tournament(id).Rounds[0].Pairings[1]
		h.ok(h.Desk.EditRound(t.Context(), h.host, id, tournament.Edit{Kind: tournament.SwapEntries, A: one.Second, B: two.Second}, ""))
		want = append(want, opponent("ana"))
		h.clock.advance(time.Minute)
		h.ok(h.Desk.Unpair(t.Context(), h.host, id, false, "a mistake"))
		h.ok(h.Rounds.Publish(t.Context(), h.host, id))
		want = append(want, opponent("ana"))
		if got := toldOf("ana"); !slices.Equal(got, want) {
			t.Errorf("told of %v, want %v", got, want)
		}
	})
}

// results are what a player was told of how matches ended, the earliest first.
func (h *hall) results(handle string) (out []string) {
	h.t.Helper()
	for _, t := range slices.Backward(h.told(handle)) {
		if t.Kind == notice.Result {
			out = append(out, t.Args["Case"]+" "+t.Args["Opponent"])
		}
	}
	return out
}

// resignBob lets bob resign, who has the second seat.
func resignBob(h *hall, id match.ID) {
	_, err := h.live.Do(h.t.Context(), id, h.player("bob").ID, live.Request{Command: match.Resign{Seat: match.Second}})
	h.ok(err)
}

func TestWhoWasAwayIsToldHowTheirMatchEnded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		here     func(h *hall, id match.ID)
		end      func(h *hall, id match.ID)
		ana, bob []string // what they are told
	}{
		{"whoever resigns has seen it", nil, resignBob, []string{"won bob"}, nil},
		{"and so has whoever looks at the board on this node", func(h *hall, id match.ID) {
			h.live.See(id, h.player("ana").ID)
		}, resignBob, nil, nil},
		{"or on another one", func(h *hall, id match.ID) {
			leave := h.live.See(id, h.player("ana").ID)
			h.ok(h.live.BeatPresence(h.t.Context()))
			leave()
			h.clock.advance(5 * time.Second)
		}, resignBob, nil, nil},
		{"but not who has left a while ago", func(h *hall, id match.ID) {
			leave := h.live.See(id, h.player("ana").ID)
			h.ok(h.live.BeatPresence(h.t.Context()))
			leave()
			h.clock.advance(15 * time.Second)
		}, resignBob, []string{"won bob"}, nil},
		{"a clock that runs out tells both", nil, func(h *hall, id match.ID) {
			h.clock.advance(48 * time.Hour)
			h.ok(h.live.SweepDue(h.t.Context()))
		}, []string{"lost bob"}, []string{"won ana"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			one(t, func(t *testing.T, h *hall) {
				c, err := h.Challenges.Accept(t.Context(), h.viewer("bob"), h.challenge("ana", "bob", friendly(false)).ID)
				h.ok(err)
				id := c.Match
				if test.here != nil {
					test.here(h, id)
				}
				test.end(h, id)
				if got := h.results("ana"); !slices.Equal(got, test.ana) {
					t.Errorf("ana was told %q, want %q", got, test.ana)
				}
				if got := h.results("bob"); !slices.Equal(got, test.bob) {
					t.Errorf("bob was told %q, want %q", got, test.bob)
				}
			})
		})
	}
}
