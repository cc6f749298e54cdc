package arbiter_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
)

// What held when a round was drafted is judged again when it is published, whoever
// publishes it: staff by hand (desk, pairings page and programs are one door here), or the
// job at the appointed moment. Paired again, it can be published.
func TestADraftIsJudgedAgainWhenItIsPublished(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *hall) {
		ctx := t.Context()
		type change struct {
			name string
			do   func(id tournament.ID, d tournament.RoundDraft) error
			want error // nil: the draft stands
		}
		forbid := func(soft bool) func(id tournament.ID, d tournament.RoundDraft) error {
			return func(id tournament.ID, d tournament.RoundDraft) error {
				pair := []tournament.EntryID{d.Boards[0].First, d.Boards[0].Second}
				return h.Desk.Forbid(ctx, h.host, id, tournament.ForbiddenEntries{Entries: pair, Soft: soft}, "sisters")
			}
		}
		for _, x := range []change{
			{"nothing", func(tournament.ID, tournament.RoundDraft) error { return nil }, nil},
			{"a ban", forbid(false), tournament.ErrDraftBroken},
			{"a wish", forbid(true), tournament.ErrDraftBroken},
			{"a ban of others", func(id tournament.ID, d tournament.RoundDraft) error {
				pair := []tournament.EntryID{d.Boards[0].First, d.Boards[1].First}
				return h.Desk.Forbid(ctx, h.host, id, tournament.ForbiddenEntries{Entries: pair}, "sisters")
			}, nil},
			{"a withdrawal", func(id tournament.ID, d tournament.RoundDraft) error {
				return h.Entries.Withdraw(ctx, h.host, id, d.Boards[0].First)
			}, tournament.ErrDraftUnfit},
			{"a disqualification", func(id tournament.ID, d tournament.RoundDraft) error {
				return h.Desk.Expel(ctx, h.host, id, d.Boards[1].Second, tables.Expulsion{Reason: "an engine"})
			}, tournament.ErrDraftUnfit},
			{"a bye", func(id tournament.ID, d tournament.RoundDraft) error {
				return h.Entries.AskBye(ctx, h.host, id, entries.Bye{Entry: d.Boards[0].Second, Round: d.Number, Kind: tournament.HalfBye})
			}, tournament.ErrDraftUnfit},
			{"a late entry", func(id tournament.ID, _ tournament.RoundDraft) error {
				_, err := h.Entries.RegisterGuest(ctx, h.host, id, tournament.Candidate{Name: "Late"})
				return err
			}, tournament.ErrDraftUnfit},
			{"a pause", func(id tournament.ID, _ tournament.RoundDraft) error {
				return h.Desk.PauseRounds(ctx, h.host, id, "lunch", false)
			}, tournament.ErrPaused},
			{"a correction", func(id tournament.ID, _ tournament.RoundDraft) error {
				c := tables.Correction{Round: 1, Board: 1, Kind: tournament.Drawn, Reach: tournament.FromNow}
				return h.Correct(ctx, h.host, id, c, "misread")
			}, tournament.ErrDraftStale},
		} {
			id := h.create(tournament.Swiss, func(s *tournament.Settings) { s.Rounds, s.Pace, s.Rated = 3, tournament.Manual, false })
			for i := range 6 {
				_, err := h.Entries.RegisterGuest(ctx, h.host, id, tournament.Candidate{Name: fmt.Sprintf("Guest %d", i+1)})
				h.ok(err)
			}
			h.ok(h.Rounds.Start(ctx, h.host, id))
			h.ok(h.Rounds.Open(ctx, h.host, id))
			for _, p := range h.tournament(id).Rounds[0].Pairings {
				h.ok(h.Rounds.EnterResult(ctx, h.host, id, rounds.Seen{Round: 1, Board: p.Board, First: p.First}, tournament.FirstWins))
			}
			h.ok(h.Rounds.Draft(ctx, h.host, id))
			h.ok(h.Desk.ScheduleRound(ctx, h.host, id, h.clock.now().Add(time.Hour)))
			h.ok(x.do(id, *h.tournament(id).Draft))
			if x.want != nil {
				if err := h.Rounds.Publish(ctx, h.host, id); !errors.Is(err, x.want) {
					t.Errorf("%s: published by hand: %v, want %v", x.name, err, x.want)
				}
			}
			h.clock.advance(2 * time.Hour)
			h.ok(h.Sweep(ctx))
			if n := len(h.tournament(id).Rounds); n != map[bool]int{true: 2, false: 1}[x.want == nil] {
				t.Errorf("%s: %d rounds after the job", x.name, n)
			}
			if x.want == nil || errors.Is(x.want, tournament.ErrPaused) {
				continue
			}
			h.ok(h.Desk.EditDraft(ctx, h.host, id, tournament.Edit{Kind: tournament.Repair}, "again"))
			h.ok(h.Rounds.Publish(ctx, h.host, id))
		}
	})
}

// What an edit breaks, its editor has been told. A ban that came in between stays unknown
// to whoever edits another board; who fixes the board means it.
func TestADraftKeepsWhatItsEditsKnowinglyBroke(t *testing.T) {
	t.Parallel()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	s := tournament.DefaultSettings(tournament.Swiss)
	s.Name, s.Pace, s.Rounds = "Friday", tournament.Manual, 3
	tour, err := tournament.New("t", host.ID, s, at)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(err)
	ok(tour.OpenRegistration(host, at))
	for i := range 6 {
		_, err := tour.Register(host, tournament.Candidate{Name: fmt.Sprintf("Guest %d", i+1)}, at)
		ok(err)
	}
	ok(tour.Start(host, tables.DrawingOf([32]byte{}), at))
	system := format.System(&tour.Table)
	ok(tour.DraftNext(system, host.ID, at))
	board := func(i int) (a, b tournament.EntryID) { return tour.Draft.Boards[i].First, tour.Draft.Boards[i].Second }
	breaks := func(want bool, when string) {
		t.Helper()
		if err := tour.DraftBreaks(system); errors.Is(err, tournament.ErrDraftBroken) != want {
			t.Errorf("%s: %v", when, err)
		}
	}

	a, b := board(0)
	c, _ := board(1)
	ok(tour.Forbid(host, tournament.ForbiddenEntries{Entries: []tournament.EntryID{a, b}}))
	breaks(true, "a ban")
	ok(tour.EditDraft(host, tournament.Edit{Kind: tournament.SwapSeats, A: c}, system))
	breaks(true, "a ban, and an edit of another board")
	ok(tour.EditDraft(host, tournament.Edit{Kind: tournament.FixPair, A: a, B: b}, system))
	breaks(false, "the board is fixed all the same")
	ok(tour.EditDraft(host, tournament.Edit{Kind: tournament.FreePair, A: a, Rest: true}, system))
	breaks(false, "paired again")
	if i := tour.Draft.BoardOf(a); tour.Draft.Boards[i].First == b || tour.Draft.Boards[i].Second == b {
		t.Error("paired again, they meet")
	}

	// Two are brought together against a ban, then another is made.
	x := tour.Draft.BoardOf(a)
	rival := tour.Draft.Boards[x].First
	if rival == a {
		rival = tour.Draft.Boards[x].Second
	}
	ok(tour.EditDraft(host, tournament.Edit{Kind: tournament.SwapEntries, A: rival, B: b}, system))
	breaks(false, "brought together by hand")
	for i := range tour.Draft.Boards {
		if i == tour.Draft.BoardOf(a) {
			continue
		}
		first, second := board(i)
		ok(tour.Forbid(host, tournament.ForbiddenEntries{Entries: []tournament.EntryID{first, second}}))
		breaks(true, "another ban")
		break
	}
	if _, err := tour.Publish(system, nil, func() match.ID { return "" }, at); !errors.Is(err, tournament.ErrDraftBroken) {
		t.Errorf("published: %v", err)
	}
}
