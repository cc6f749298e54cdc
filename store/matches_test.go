package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

const (
	anna   player.ID = "anna"
	bohdan player.ID = "bohdan"
	chris  player.ID = "chris"
)

func TestAMatchNeedsPlayers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		h := head("m1")
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.OpenMatch(store.Append{Head: h, Events: []match.Recorded{{Seq: 1, At: h.LastAt, Event: match.Started{}}}})
		})
		if !errors.Is(err, store.ErrDangling) {
			t.Errorf("a match of nobody: %v, want dangling", err)
		}
	})
}

// head is a running match of anna and bohdan in which First is to act.
func head(id match.ID) store.Head {
	return store.Head{
		ID: id, Players: [2]player.ID{anna, bohdan}, Seq: 1, Status: match.Bidding, ToAct: match.First,
		Deadline: moment(100), OpenedAt: moment(0), LastAt: moment(0),
	}
}

func open(t testing.TB, s *store.Store, heads ...store.Head) {
	t.Helper()
	storetest.Players(t, s, string(anna), string(bohdan), string(chris))
	err := s.Write(context.Background(), func(tx *store.Tx) error {
		for _, h := range heads {
			first := match.Recorded{Seq: h.Seq, At: h.LastAt, Event: match.Started{}}
			if err := tx.OpenMatch(store.Append{Head: h, Events: []match.Recorded{first}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// next is an append of n events to a match that stands as head says.
func next(h store.Head, n int, command string) store.Append {
	a := store.Append{Head: h, Seat: match.First, CommandID: command}
	for range n {
		a.Head.Seq++
		a.Head.LastAt = a.Head.LastAt.Add(time.Second)
		a.Events = append(a.Events, match.Recorded{Seq: a.Head.Seq, At: a.Head.LastAt, Event: match.Resigned{Seat: match.Second}})
	}
	return a
}

func read[T any](t testing.TB, s *store.Store, f func(*store.Tx) (T, error)) (v T) {
	t.Helper()
	err := s.Read(context.Background(), func(tx *store.Tx) (err error) {
		v, err = f(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func headOf(t testing.TB, s *store.Store, id match.ID) store.Head {
	t.Helper()
	return read(t, s, func(tx *store.Tx) (store.Head, error) { return tx.Match(id) })
}

func TestWhatIsAppendedIsReadBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		before := head("m1")
		open(t, s, before)
		a := next(before, 2, "c1")
		a.Head.Status, a.Head.ToAct, a.Head.Deadline = match.Over, 0, time.Time{}
		a.Head.Result = match.Result{Outcome: match.FirstWins, Reason: match.Resignation, Points: [2]int{-20, 1310}}
		if err := s.Append(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		if got := headOf(t, s, "m1"); got != a.Head {
			t.Errorf("head\n%+v, want\n%+v", got, a.Head)
		}
		log, err := s.Tail(t.Context(), "m1", 1)
		if err != nil || !slices.Equal(log, a.Events) {
			t.Errorf("tail\n%v, %v, want\n%v", log, err, a.Events)
		}
		if log, err := s.Tail(t.Context(), "m1", 3); err != nil || len(log) != 0 {
			t.Errorf("tail after the last event: %v, %v", log, err)
		}
	})
}

func TestAppendAnswersConflictWhenTheMatchHasMovedOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		before := head("m1")
		open(t, s, before)
		if err := s.Append(t.Context(), next(before, 1, "")); err != nil {
			t.Fatal(err)
		}
		for name, late := range map[string]store.Append{
			"written on an older state": next(before, 1, ""),
			"to no match":               next(head("m2"), 1, ""),
		} {
			if err := s.Append(t.Context(), late); !errors.Is(err, store.ErrConflict) {
				t.Errorf("%s: %v, want a conflict", name, err)
			}
		}
		if log, err := s.Tail(t.Context(), "m1", 0); err != nil || len(log) != 2 {
			t.Errorf("log has %d events, %v, want 2", len(log), err)
		}
	})
}

func TestACommandIsInTheLogOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		open(t, s, head("m1"), head("m2"))
		done := func(id match.ID, command string) bool {
			return read(t, s, func(tx *store.Tx) (bool, error) { return tx.CommandDone(id, command) })
		}
		if done("m1", "c") {
			t.Error("a command is done before it was sent")
		}
		if err := s.Append(t.Context(), next(head("m1"), 2, "c")); err != nil {
			t.Fatal(err)
		}
		if err := s.Append(t.Context(), next(headOf(t, s, "m1"), 1, "c")); !errors.Is(err, store.ErrConflict) {
			t.Errorf("the same command again: %v, want a conflict", err)
		}
		if err := s.Append(t.Context(), next(head("m2"), 1, "c")); err != nil {
			t.Errorf("the same name in another match: %v", err)
		}
		if !done("m1", "c") || done("m1", "d") {
			t.Error("done commands are not told from others")
		}
	})
}

// TestWritersOfOneMatchLeaveNoGap: eight writers, fifty appends each.
func TestWritersOfOneMatchLeaveNoGap(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, s *store.Store) {
		const writers, appends = 8, 50
		open(t, s, head("m1"))
		var wait sync.WaitGroup
		for w := range writers {
			wait.Go(func() {
				for n := 0; n < appends; {
					a := next(headOf(t, s, "m1"), 1+n%2, fmt.Sprintf("%d-%d", w, n))
					switch err := s.Append(t.Context(), a); {
					case err == nil:
						n++
					case !errors.Is(err, store.ErrConflict):
						t.Error(err)
						return
					}
				}
			})
		}
		wait.Wait()
		const want = 1 + writers*appends*3/2
		log, err := s.Tail(t.Context(), "m1", 0)
		if err != nil || len(log) != want {
			t.Fatalf("%d events, %v, want %d", len(log), err, want)
		}
		for i, e := range log {
			if e.Seq != int64(i+1) {
				t.Fatalf("event %d has seq %d", i+1, e.Seq)
			}
		}
		if h := headOf(t, s, "m1"); h.Seq != want {
			t.Errorf("head at %d, want %d", h.Seq, want)
		}
	})
}

// TestALoserSpoilsNothingForOthers: appends of many matches at once, among them
// ones that come too late and ones the schema refuses.
func TestALoserSpoilsNothingForOthers(t *testing.T) {
	t.Parallel()
	storetest.ManyAtOnce(t)
	each(t, func(t *testing.T, s *store.Store) {
		const matches = 120
		var all []store.Head
		for i := range matches {
			all = append(all, head(match.ID(fmt.Sprintf("m%03d", i))))
		}
		open(t, s, all...)
		answers := make([]error, matches)
		var wait sync.WaitGroup
		for i, h := range all {
			switch i % 3 {
			case 1:
				h.Seq = 7 // too late or too early
			case 2:
				h.ToAct = 9 // CHECK
			}
			wait.Go(func() { answers[i] = s.Append(t.Context(), next(h, 1, "")) })
		}
		wait.Wait()
		for i, err := range answers {
			want := []error{nil, store.ErrConflict, store.ErrRefused}[i%3]
			if !errors.Is(err, want) {
				t.Errorf("match %d: %v, want %v", i, err, want)
			}
			if seq := headOf(t, s, all[i].ID).Seq; seq != []int64{2, 1, 1}[i%3] {
				t.Errorf("match %d stands at %d", i, seq)
			}
		}
	})
}

func TestAppendAfterCloseIsRefused(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), storetest.SQLiteDSN(t), store.Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), next(head("m1"), 1, "")); err == nil {
		t.Error("a closed store took an append")
	}
}

func TestMatchesOfAPlayerBeginWithThoseThatWaitForHim(t *testing.T) {
	t.Parallel()
	over := func(id match.ID, last int) store.Head {
		h := head(id)
		h.Status, h.ToAct, h.Deadline, h.LastAt = match.Over, 0, time.Time{}, moment(last)
		h.Result = match.Result{Outcome: match.Draw, Reason: match.Resignation}
		return h
	}
	running := func(id match.ID, status match.Status, toAct match.Seat, deadline int) store.Head {
		h := head(id)
		h.Status, h.ToAct, h.Deadline = status, toAct, moment(deadline)
		return h
	}
	other := running("others", match.Playing, match.First, 1)
	other.Players = [2]player.ID{bohdan, chris}
	swapped := running("as-second", match.Playing, match.Second, 30)
	swapped.Players = [2]player.ID{chris, anna}
	all := []store.Head{
		over("older", 10), over("newer", 20),
		running("his-turn", match.Playing, match.Second, 5), running("urgent", match.Bidding, match.First, 20), swapped,
		running("both-awaited", match.Waiting, 0, 40), running("he-is-late", match.Waiting, match.Second, 50), other,
	}
	want := []match.ID{"urgent", "as-second", "both-awaited", "his-turn", "he-is-late", "newer", "older"}
	each(t, func(t *testing.T, s *store.Store) {
		open(t, s, all...)
		ids := func(heads []store.Head) (ids []match.ID) {
			for _, h := range heads {
				ids = append(ids, h.ID)
			}
			return ids
		}
		mine := read(t, s, func(tx *store.Tx) ([]store.Head, error) { return tx.MatchesOf(anna, 50) })
		if got := ids(mine); !slices.Equal(got, want) {
			t.Errorf("anna's matches %v, want %v", got, want)
		}
		for i, h := range mine {
			if h.WaitsFor(anna) != (i < 3) {
				t.Errorf("%s waits for anna: %v", h.ID, h.WaitsFor(anna))
			}
		}
		live := ids(read(t, s, func(tx *store.Tx) ([]store.Head, error) { return tx.RunningMatches(50) }))
		slices.Sort(live)
		if got := strings.Join(strings.Fields(fmt.Sprint(live)), " "); got != "[as-second both-awaited he-is-late his-turn others urgent]" {
			t.Errorf("running: %s", got)
		}
		due := read(t, s, func(tx *store.Tx) ([]match.ID, error) { return tx.DueMatches(moment(20), 50) })
		if !slices.Equal(due, []match.ID{"others", "his-turn", "urgent"}) {
			t.Errorf("due: %v", due)
		}
		some := read(t, s, func(tx *store.Tx) (map[match.ID]store.Head, error) {
			return tx.Matches([]match.ID{"older", "nowhere", "urgent"})
		})
		if len(some) != 2 || some["older"].Status != match.Over || some["urgent"] != all[3] {
			t.Errorf("by id: %v", some)
		}
	})
}

func TestOneNodeLeasesABotsTurn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		h := head("m1")
		h.Bots, h.BotDue = [2]bool{true, false}, moment(5)
		open(t, s, h)
		due := func(now int) []store.Head {
			return read(t, s, func(tx *store.Tx) ([]store.Head, error) { return tx.BotsDue(moment(now), 10) })
		}
		if len(due(4)) != 0 || len(due(5)) != 1 {
			t.Fatal("a bot is due at the wrong time")
		}
		seen := due(5)[0]
		lease := func() error {
			return s.Write(t.Context(), func(tx *store.Tx) error { return tx.LeaseBot(seen, moment(15)) })
		}
		if err := lease(); err != nil {
			t.Fatal(err)
		}
		if err := lease(); !errors.Is(err, store.ErrConflict) {
			t.Errorf("the second node: %v, want a conflict", err)
		}
		if len(due(14)) != 0 || len(due(15)) != 1 {
			t.Error("the lease does not end when it should")
		}
	})
}

// TestBytesThatAreNoText: PostgreSQL takes neither NUL nor broken UTF-8. SQLite
// does; whatever a visitor sends, neither answers with a failure of its own.
func TestBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		open(t, s, head("m1"))
		for _, id := range []match.ID{"m\x00", "m\xff"} {
			err := s.Read(t.Context(), func(tx *store.Tx) error {
				_, err := tx.Match(id)
				return err
			})
			if want := map[string]error{"sqlite": store.ErrNotFound, "postgres": store.ErrText}[s.Dialect()]; !errors.Is(err, want) {
				t.Errorf("match %q: %v, want %v", id, err, want)
			}
		}
		if err := s.Append(t.Context(), next(head("m1"), 1, "c\x00")); s.Dialect() == "postgres" && !errors.Is(err, store.ErrText) {
			t.Errorf("a command: %v", err)
		}
	})
}
