// Package year holds an event a week on a site whose node is killed again and again, and
// compares every log with its table. It decides what happens at such events, by chance from
// a seed; it refuses to go round the site: whatever is done is done by its offices, as people do it.
package year

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/ledger"
)

// year is a site in a temporary folder on which one event a week is held. Its node is
// killed again and again in the middle of what it does: what that had not committed is
// undone by the database, and another node goes on.
type year struct {
	format string
	rng    *rand.Rand
	store  *store.Store
	log    *slog.Logger
	now    time.Time
	host   player.Viewer
	people []player.Player

	live    *live.Runner
	arbiter *arbiter.Arbiter

	rounds, boards, deaths int
	acts, refused          map[string]int
	differences            []string
}

// Hold holds so many events of a format and tells what they came to: the differences
// between a log and its table.
func Hold(ctx context.Context, out io.Writer, format string, events int, seed uint64) (differences []string, err error) {
	dir, err := os.MkdirTemp("", "chpok-year-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(ctx, "sqlite:"+filepath.Join(dir, "year.db"), store.Options{Logger: log, Fast: true})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	y := &year{format: format, rng: rand.New(rand.NewPCG(seed, 0x79656172)), store: s, log: log,
		now: time.Date(2026, 1, 2, 18, 0, 0, 0, time.UTC), acts: map[string]int{}, refused: map[string]int{}}
	if err := y.settle(ctx); err != nil {
		return nil, err
	}
	defer func() { y.live.Close() }()
	for week := range events {
		if err := y.event(ctx, week+1); err != nil {
			return nil, fmt.Errorf("week %d: %w", week+1, err)
		}
		y.now = y.now.AddDate(0, 0, 7)
	}
	fmt.Fprintf(out, "events         %d (%s)\nrounds         %d\nboards         %d\nnodes killed   %d\n",
		events, format, y.rounds, y.boards, y.deaths)
	names := maps.Clone(y.acts)
	maps.Copy(names, y.refused)
	for _, act := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(out, "%-14s %d (%d more refused)\n", act, y.acts[act], y.refused[act])
	}
	return y.differences, nil
}

// settle makes the accounts and starts the first node.
func (y *year) settle(ctx context.Context) error {
	if err := y.node(); err != nil {
		return err
	}
	return y.store.Write(ctx, func(tx *store.Tx) error {
		for i := range 21 {
			p := player.Player{ID: player.ID(fmt.Sprintf("id-%d", i)), Handle: player.Handle(fmt.Sprintf("player-%d", i)),
				Role: player.Plain, Created: y.now}
			if i == 0 {
				p.Role = player.Organizer
				y.host = player.Viewer{Player: p}
			} else {
				y.people = append(y.people, p)
			}
			if err := tx.AddPlayer(p, ""); err != nil {
				return err
			}
		}
		return nil
	})
}

// node starts a node on the database as it is.
func (y *year) node() (err error) {
	now := func() time.Time { return y.now }
	if y.live, err = live.New(y.store, live.NewInProcess(), live.Config{Now: now}, y.log); err != nil {
		return err
	}
	y.arbiter = arbiter.New(y.store, y.live, arbiter.Config{Now: now}, y.log)
	y.live.OnFinish(y.arbiter.OnFinish)
	return nil
}

// mortality is how often a node is killed, and within which time of what it does.
const (
	mortality = 0.08
	lifetime  = 4 * time.Millisecond
)

// do is one act of whoever, on a node that may be killed meanwhile. Refusals are counted;
// false: it was refused, or nobody knows.
func (y *year) do(ctx context.Context, name string, act func(context.Context) error) (bool, error) {
	y.now = y.now.Add(time.Duration(1+y.rng.IntN(20)) * time.Second)
	mortal, kill := ctx, func() {}
	if y.rng.Float64() < mortality {
		mortal, kill = context.WithTimeout(ctx, time.Duration(y.rng.Int64N(int64(lifetime))))
	}
	defer kill()
	err := act(mortal)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	var refused *refusal.Error
	var ruled *match.Refusal
	switch {
	case mortal.Err() != nil:
		y.deaths++
		y.live.Close()
		if err := y.node(); err != nil {
			return false, err
		}
		return false, y.arbiter.Sweep(ctx)
	case errors.As(err, &refused), errors.As(err, &ruled):
		y.refused[name]++
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%s: %w", name, err)
	}
	y.acts[name]++
	return true, nil
}

// event is one event from its announcement to its end, and the final that follows it.
func (y *year) event(ctx context.Context, week int) error {
	format, _ := tournament.ParseFormat(y.format)
	if f, staged := map[string]tournament.Format{"stages": tournament.Swiss, "groups": tournament.KnockOut}[y.format]; staged {
		format = f
	}
	id, err := y.announce(ctx, fmt.Sprintf("Week %d", week), format)
	if err != nil {
		return err
	}
	if y.format == "groups" {
		if err := y.divided(ctx, id); err != nil {
			return err
		}
	}
	if err := y.play(ctx, id); err != nil || y.format != "stages" {
		return err
	}
	var final tournament.ID
	for final == "" {
		ok, err := y.do(ctx, "final", func(ctx context.Context) (err error) {
			final, err = y.arbiter.Events.Follow(ctx, y.host, id, events.Stage{Name: "Final", Each: 4, Format: tournament.KnockOut})
			return err
		})
		if err != nil {
			return err
		}
		if !ok && final == "" && y.refused["final"] > 0 { // too few are left, or it was made and nobody heard of it
			y.refused["final"] = 0
			return nil
		}
	}
	return y.play(ctx, final)
}

// announce makes an event of eight to thirteen players, of whom some have no account.
func (y *year) announce(ctx context.Context, name string, format tournament.Format) (tournament.ID, error) {
	s := tournament.DefaultSettings(format)
	s.Name, s.Pace, s.Rounds = name, tournament.Manual, 0
	switch format {
	case tournament.Swiss:
		s.Rounds = 4
	case tournament.Arena:
		s.Rounds, s.Window, s.Lateness = 1, time.Duration(60+y.rng.IntN(30))*time.Minute, 2*time.Minute
	case tournament.RoundRobin:
		s.Double = y.rng.IntN(4) == 0
	case tournament.KnockOut:
		switch y.rng.IntN(6) {
		case 0, 1:
			s.Double = true
		case 2:
			s.Legs = 4
		}
		s.Losers = contest.AllLosers[y.rng.IntN(len(contest.AllLosers))]
		s.Tie = [][]contest.Step{{contest.Decider}, {contest.Pair, contest.Decider}, {contest.Points, contest.Seed}, {contest.Lot}}[y.rng.IntN(4)]
	}
	s.Expulsion = []tournament.Leaving{tournament.LeaveUsual, tournament.LeaveKeep}[y.rng.IntN(2)]
	id, err := y.arbiter.Events.Create(ctx, y.host, s, true)
	if err != nil {
		return "", err
	}
	n := 8 + y.rng.IntN(6)
	if format == tournament.RoundRobin {
		n = 4 + y.rng.IntN(4)
	}
	for i, k := range y.rng.Perm(len(y.people))[:n] {
		if i%3 == 2 && format != tournament.Arena { // nobody without an account waits there
			_, err = y.arbiter.Entries.RegisterGuest(ctx, y.host, id, tournament.Candidate{Name: fmt.Sprintf("Guest %d", i)})
		} else {
			_, err = y.arbiter.Entries.Register(ctx, y.host, id, entries.Application{Handle: string(y.people[k].Handle)})
		}
		if err != nil {
			return "", err
		}
	}
	return id, nil
}

// divided plays the groups that say who plays an event, and takes their places.
func (y *year) divided(ctx context.Context, id tournament.ID) error {
	t, err := y.arbiter.Tournament(ctx, id)
	for err == nil && t.Origin == nil {
		if _, err = y.do(ctx, "divide", func(ctx context.Context) error {
			return y.arbiter.Events.Divide(ctx, y.host, id, events.Division{Groups: 2, Each: 2, Pots: y.rng.IntN(2) == 0})
		}); err == nil {
			t, err = y.arbiter.Tournament(ctx, id)
		}
	}
	for i := 0; err == nil && i < len(t.Origin.Of); i++ {
		err = y.play(ctx, t.Origin.Of[i].ID)
	}
	for n := 0; err == nil && t.Origin.IsAwaited() && n < mostActs; n++ {
		_, err = y.do(ctx, "take", func(ctx context.Context) error { return y.arbiter.Events.Retake(ctx, y.host, id, "") })
		if err == nil {
			t, err = y.arbiter.Tournament(ctx, id)
		}
	}
	return err
}

// mostActs bounds an event: one that does not end by then never does.
const mostActs = 3000

// play goes on with an event until it is over, and checks it.
func (y *year) play(ctx context.Context, id tournament.ID) error {
	for n := 0; ; n++ {
		t, err := y.arbiter.Tournament(ctx, id)
		switch {
		case err != nil:
			return err
		case n > mostActs:
			return fmt.Errorf("%s of %d rounds does not end: %s", t.Format, t.Settings.Rounds, t.Stuck)
		case t.Status.IsOver():
			y.rounds += len(t.Rounds)
			for _, r := range t.Rounds {
				y.boards += len(r.Pairings)
			}
			return y.check(ctx, t)
		}
		if err := y.step(ctx, t, n < mostActs/3); err != nil {
			return err
		}
	}
}

// step does what is next in an event, or what nobody has planned.
func (y *year) step(ctx context.Context, t *tournament.Tournament, troubled bool) error {
	id := t.ID
	if troubled && t.Status == tournament.Running && y.rng.IntN(10) == 0 {
		return y.trouble(ctx, t)
	}
	switch {
	case t.Status == tournament.Registration:
		_, err := y.do(ctx, "start", func(ctx context.Context) error { return y.arbiter.Rounds.Start(ctx, y.host, id) })
		return err
	case t.Draft != nil && (t.DraftIsStale() || y.rng.IntN(12) == 0):
		_, err := y.do(ctx, "discard", func(ctx context.Context) error { return y.arbiter.Desk.DiscardDraft(ctx, y.host, id) })
		return err
	case t.Draft != nil:
		ok, err := y.do(ctx, "publish", func(ctx context.Context) error { return y.arbiter.Desk.PublishRound(ctx, y.host, id) })
		if ok || err != nil {
			return err
		}
		_, err = y.do(ctx, "discard", func(ctx context.Context) error { return y.arbiter.Desk.DiscardDraft(ctx, y.host, id) })
		return err
	case isPaired(t):
		return y.arena(ctx, t)
	case !t.RoundIsOver():
		return y.board(ctx, t)
	case len(t.Rounds) >= t.Settings.Rounds || t.MayPair() == nil && y.rng.IntN(200) == 0:
		_, err := y.do(ctx, "finish", func(ctx context.Context) error { return y.arbiter.Rounds.Finish(ctx, y.host, id) })
		return err
	case y.rng.IntN(2) == 0:
		_, err := y.do(ctx, "draft", func(ctx context.Context) error { return y.arbiter.Desk.DraftRound(ctx, y.host, id) })
		return err
	}
	_, err := y.do(ctx, "round", func(ctx context.Context) error { return y.arbiter.Rounds.Open(ctx, y.host, id) })
	if err == nil && y.refused["round"] > 0 && len(t.Rounds) > 0 && y.rng.IntN(20) == 0 { // nobody can be paired any more
		_, err = y.do(ctx, "finish", func(ctx context.Context) error { return y.arbiter.Rounds.Finish(ctx, y.host, id) })
	}
	return err
}

// board brings one of the open boards to its end.
func (y *year) board(ctx context.Context, t *tournament.Tournament) error {
	r := t.Rounds[len(t.Rounds)-1]
	open := slices.DeleteFunc(slices.Clone(r.Pairings), func(p tournament.Pairing) bool { return !p.Result.IsPending() })
	p := open[y.rng.IntN(len(open))]
	if p.Match == "" {
		kind := [...]tournament.ResultKind{tournament.FirstWins, tournament.SecondWins, tournament.FirstWins, tournament.SecondWins,
			tournament.Drawn, tournament.Drawn, tournament.FirstByForfeit, tournament.DoubleForfeit}[y.rng.IntN(8)]
		_, err := y.do(ctx, "result", func(ctx context.Context) error {
			return y.arbiter.Rounds.EnterResult(ctx, y.host, t.ID, r.Number, p.Board, kind)
		})
		return err
	}
	state, head, err := y.live.State(ctx, p.Match)
	if err != nil {
		return err
	}
	if state.Status() == match.Over { // its node was killed before the result was taken in
		if err := y.arbiter.Sweep(ctx); err != nil {
			return err
		}
		_, err = y.do(ctx, "result", func(ctx context.Context) error {
			return y.arbiter.Rounds.EnterResult(ctx, y.host, t.ID, r.Number, p.Board, tournament.Drawn)
		})
		return err
	}
	send := func(name string, seat match.Seat, c match.Command) (bool, error) {
		return y.do(ctx, name, func(ctx context.Context) error {
			_, err := y.live.Do(ctx, p.Match, head.Players[seat.Index()], live.Request{Command: c})
			if errors.Is(err, match.ErrOver) && name == "forfeit" {
				return nil // who says that they are ready is told that it is too late
			}
			return err
		})
	}
	if y.rng.IntN(15) == 0 && state.Status() == match.Waiting { // they do not come
		y.now = y.now.Add(12 * t.Lateness)
		_, err := send("forfeit", match.First, match.Ready{Seat: match.First})
		return err
	}
	seats := [...]match.Seat{match.First, match.Second}
	for _, seat := range seats {
		if !state.IsReady(seat) {
			c := match.Ready{Seat: seat}
			if state.Options().Odds {
				c.Sealed = y.rng.IntN(state.Options().MostSealed() + 1)
			}
			if ok, err := send("ready", seat, c); !ok {
				return err
			}
		}
	}
	loser := seats[y.rng.IntN(2)]
	_, err = send("resign", loser, match.Resign{Seat: loser})
	return err
}

// isPaired tells whether an arena is open.
func isPaired(t *tournament.Tournament) bool {
	_, open := t.PairsUntil()
	return open
}

// arena lets somebody wait or rest, or a match end, or only time pass until who waits is
// paired.
func (y *year) arena(ctx context.Context, t *tournament.Tournament) error {
	e := t.Entries[y.rng.IntN(len(t.Entries))]
	who := player.Viewer{Player: player.Player{ID: e.Player, Role: player.Plain}}
	playing := slices.ContainsFunc(t.Rounds[0].Pairings, func(p tournament.Pairing) bool { return p.Result.IsPending() })
	switch n := y.rng.IntN(10); {
	case n < 5:
		_, err := y.do(ctx, "wait", func(ctx context.Context) error { return y.arbiter.Rounds.Await(ctx, who, t.ID) })
		return err
	case n == 5:
		_, err := y.do(ctx, "rest", func(ctx context.Context) error { return y.arbiter.Rounds.Rest(ctx, who, t.ID) })
		return err
	case n < 9 && playing:
		return y.board(ctx, t)
	}
	_, err := y.do(ctx, "pass", y.arbiter.Rounds.SweepArenas)
	return err
}

// trouble is what nobody has planned.
func (y *year) trouble(ctx context.Context, t *tournament.Tournament) error {
	id, e := t.ID, t.Entries[y.rng.IntN(len(t.Entries))].ID
	kinds := []tournament.ResultKind{tournament.FirstWins, tournament.SecondWins, tournament.Drawn,
		tournament.FirstByForfeit, tournament.SecondByForfeit}
	reaches := []tournament.Reach{tournament.FromNow, tournament.FromNow, tournament.RatingsOnly, tournament.Replay, tournament.RepairDraft}
	var name string
	var act func(context.Context) error
	switch y.rng.IntN(8) {
	case 0:
		name, act = "withdraw", func(ctx context.Context) error { return y.arbiter.Entries.Withdraw(ctx, y.host, id, e) }
	case 1:
		name, act = "readmit", func(ctx context.Context) error { return y.arbiter.Entries.Readmit(ctx, y.host, id, e) }
	case 2:
		name, act = "expel", func(ctx context.Context) error {
			return y.arbiter.Desk.Expel(ctx, y.host, id, e, tables.Expulsion{Reason: "It had to be"})
		}
	case 3:
		name, act = "take back", func(ctx context.Context) error { return y.arbiter.Desk.Unpair(ctx, y.host, id, true, "It had to be") }
	default:
		if len(t.Rounds) == 0 {
			return nil
		}
		r := t.Rounds[y.rng.IntN(len(t.Rounds))]
		if len(r.Pairings) == 0 {
			return nil
		}
		c := tables.Correction{Seen: t.Version, Round: r.Number, Board: 1 + y.rng.IntN(len(r.Pairings)),
			Kind: kinds[y.rng.IntN(len(kinds))], Reach: reaches[y.rng.IntN(len(reaches))]}
		name, act = "correct", func(ctx context.Context) error { return y.arbiter.Desk.Correct(ctx, y.host, id, c, "It had to be") }
	}
	_, err := y.do(ctx, name, act)
	return err
}

// check compares an event that is over with what its log alone makes of it, and every
// board with its match.
func (y *year) check(ctx context.Context, t *tournament.Tournament) error {
	if err := y.arbiter.Sweep(ctx); err != nil {
		return err
	}
	t, err := y.arbiter.Tournament(ctx, t.ID)
	if err != nil {
		return err
	}
	var deeds []ledger.Deed
	if err := y.store.Read(ctx, func(tx *store.Tx) (err error) {
		deeds, err = tx.Deeds(t.ID)
		return err
	}); err != nil {
		return err
	}
	differs := func(format string, args ...any) {
		y.differences = append(y.differences, t.Name+" "+string(t.ID)+": "+fmt.Sprintf(format, args...))
	}
	if err := ledger.CheckPasses(deeds); err != nil {
		differs("%v", err)
	}
	folded, err := ledger.Fold(deeds)
	if err != nil {
		differs("%v", err)
		return nil
	}
	for _, x := range ledger.Diff(folded, t) {
		differs("%s: %s by the log, %s stored", x.Path, x.Before, x.After)
	}
	stored, err := tables.TableOf(t)
	if err != nil {
		return err
	}
	byLog, err := tables.TableOf(folded)
	if err != nil {
		return err
	}
	for _, d := range byLog.Differences(stored) {
		differs("%s", d)
	}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Match == "" {
				continue
			}
			s, _, err := y.live.State(ctx, p.Match)
			if err != nil {
				return err
			}
			if s.Status() != match.Over && !strings.HasPrefix(p.Result.Kind.String(), "+") {
				differs("round %d board %d is decided, its match goes on", r.Number, p.Board)
			}
		}
	}
	return nil
}
