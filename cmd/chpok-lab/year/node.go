package year

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/arbiter/rounds"
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

// Errand is the task of a node: the weeks that are left, on a database.
type Errand struct {
	Database, Format string
	Seed             uint64
	Life             uint64 // number of the node in the year
	Week, Last       int
	Kills            int // in one week; then it may finish
	Now              time.Time
}

// line is what a node reports about an act: before it, and again when it is done or
// refused. What it reports as done must last, whatever happens to the node. A finished
// week is reported, too.
type line struct {
	Now           time.Time
	Act           string `json:",omitempty"`
	Done, Refused bool   `json:",omitempty"`

	Event tournament.ID `json:",omitempty"`
	Deed  int64         `json:",omitempty"` // number of the last line of its log
	Sum   string        `json:",omitempty"` // hash of that line
	Match match.ID      `json:",omitempty"`
	Seq   int64         `json:",omitempty"`

	Week, Rounds, Boards int `json:",omitempty"`
}

// node is a process that runs events until it is killed. What must last of the year is in
// the database.
type node struct {
	Errand
	out     *json.Encoder
	rng     *rand.Rand
	store   *store.Store
	live    *live.Runner
	arbiter *arbiter.Arbiter
	host    player.Viewer
	people  []player.Player

	said    line // about the current act
	refused map[string]int
}

// Run is the life of a node: it runs events and reports what it does until its errand is
// done or somebody kills it.
func Run(ctx context.Context, out io.Writer, e Errand) error {
	y, err := start(ctx, e)
	if err != nil {
		return err
	}
	defer y.close()
	y.out = json.NewEncoder(out)
	for ; y.Week <= y.Last; y.Week++ {
		if err := y.week(ctx); err != nil {
			return fmt.Errorf("week %d: %w", y.Week, err)
		}
	}
	return nil
}

// start returns a node on an existing database.
func start(ctx context.Context, e Errand) (*node, error) {
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(ctx, e.Database, store.Options{Logger: log, Fast: true})
	if err != nil {
		return nil, err
	}
	y := &node{Errand: e, rng: rand.New(rand.NewPCG(e.Seed, e.Life)), store: s, refused: map[string]int{}}
	y.host, y.people = people()
	now := func() time.Time { return y.Now }
	if y.live, err = live.New(s, live.NewInProcess(), live.Config{Now: now}, log); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	y.arbiter = arbiter.New(s, y.live, arbiter.Config{Now: now}, log)
	y.live.OnFinish(y.arbiter.OnFinish)
	if err := y.arbiter.Sweep(ctx); err != nil {
		return nil, errors.Join(err, y.close())
	}
	return y, nil
}

func (y *node) close() error {
	y.live.Close()
	return y.store.Close()
}

// opening is the beginning of the year.
var opening = time.Date(2026, 1, 2, 18, 0, 0, 0, time.UTC)

// people returns the organizer and the players.
func people() (host player.Viewer, list []player.Player) {
	for i := range 21 {
		list = append(list, player.Player{ID: player.ID(fmt.Sprintf("id-%d", i)), Handle: player.Handle(fmt.Sprintf("player-%d", i)),
			Role: player.Plain, Created: opening})
	}
	list[0].Role = player.Organizer
	return player.Viewer{Player: list[0]}, list[1:]
}

// do does one act and reports it before and after; false: it was refused.
func (y *node) do(ctx context.Context, name string, act func(context.Context) error) (bool, error) {
	y.Now = y.Now.Add(time.Duration(1+y.rng.IntN(20)) * time.Second)
	y.said = line{Now: y.Now, Act: name, Event: y.said.Event}
	if err := y.out.Encode(line{Now: y.Now, Act: name}); err != nil {
		return false, err
	}
	err := act(ctx)
	var refused *refusal.Error
	var ruled *match.Refusal
	switch {
	case errors.As(err, &refused), errors.As(err, &ruled):
		y.refused[name]++
		y.said.Refused = true
		return false, y.out.Encode(y.said)
	case err != nil:
		return false, fmt.Errorf("%s: %w", name, err)
	}
	deeds, err := y.deeds(ctx, y.said.Event)
	if err != nil {
		return false, err
	}
	y.said.Done, y.said.Deed, y.said.Sum = true, int64(len(deeds)), sum(deeds[len(deeds)-1])
	return true, y.out.Encode(y.said)
}

func (y *node) deeds(ctx context.Context, id tournament.ID) ([]ledger.Deed, error) {
	return store.Get(ctx, y.store, func(tx *store.Tx) ([]ledger.Deed, error) { return tx.Deeds(id) })
}

// sum returns the hash of a line of a log.
func sum(d ledger.Deed) string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // d was unmarshaled from the database
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// find returns an event by its name; empty if nobody has announced it.
func (y *node) find(ctx context.Context, name string) (tournament.ID, error) {
	lines, err := store.Get(ctx, y.store, func(tx *store.Tx) ([]store.TournamentLine, error) {
		return tx.TournamentsRunBy(y.host.ID, nil, 10)
	})
	for _, l := range lines {
		if l.Name == name {
			return l.ID, err
		}
	}
	return "", err
}

// week runs the event of a week from wherever another node left it.
func (y *node) week(ctx context.Context) error {
	if begins := opening.AddDate(0, 0, 7*(y.Week-1)); y.Now.Before(begins) {
		y.Now = begins
	}
	told := line{Week: y.Week}
	if err := y.event(ctx, &told); err != nil {
		return err
	}
	told.Now = y.Now
	return y.out.Encode(told)
}

// event runs one event from its announcement to its end, with the final that follows.
func (y *node) event(ctx context.Context, told *line) error {
	format, _ := tournament.ParseFormat(y.Format)
	if f, staged := map[string]tournament.Format{"stages": tournament.Swiss, "groups": tournament.KnockOut}[y.Format]; staged {
		format = f
	}
	id, err := y.announce(ctx, fmt.Sprintf("Week %d", y.Week), format)
	if err != nil {
		return err
	}
	if y.Format == "groups" {
		if err := y.divided(ctx, id, told); err != nil {
			return err
		}
	}
	if err := y.play(ctx, id, told); err != nil || y.Format != "stages" {
		return err
	}
	name := fmt.Sprintf("Final %d", y.Week)
	final, err := y.find(ctx, name)
	if err != nil {
		return err
	}
	if final == "" {
		made, err := y.do(ctx, "final", func(ctx context.Context) (err error) {
			final, err = y.arbiter.Events.Follow(ctx, y.host, id, events.Stage{Name: name, Each: 4, Format: tournament.KnockOut})
			return err
		})
		if err != nil || !made { // too few players are left
			return err
		}
	}
	return y.play(ctx, final, told)
}

// announce creates the event of a week, unless it exists, and enters eight to thirteen
// players, some without accounts.
func (y *node) announce(ctx context.Context, name string, format tournament.Format) (tournament.ID, error) {
	plan := rand.New(rand.NewPCG(y.Seed, uint64(y.Week))) // the same on every node
	n := 8 + plan.IntN(6)
	if format.MeetsAll() {
		n = 4 + plan.IntN(4)
	}
	id, err := y.find(ctx, name)
	if err == nil && id == "" {
		s := settings(plan, name, format)
		_, err = y.do(ctx, "announce", func(ctx context.Context) (err error) {
			id, err = y.arbiter.Events.Create(ctx, y.host, s, true)
			y.said.Event = id
			return err
		})
	}
	y.said.Event = id
	for err == nil {
		t, failed := y.arbiter.Tournament(ctx, id)
		if failed != nil || t.Status != tournament.Registration || t.Origin != nil || len(t.Entries) >= n {
			return id, failed
		}
		_, err = y.do(ctx, "enter", func(ctx context.Context) error {
			i := len(t.Entries)
			if i%3 == 2 && format.InRounds() { // guests cannot wait in an arena
				_, err := y.arbiter.Entries.RegisterGuest(ctx, y.host, id, tournament.Candidate{Name: fmt.Sprintf("Guest %d", i)})
				return err
			}
			who := string(y.people[y.rng.IntN(len(y.people))].Handle)
			_, err := y.arbiter.Entries.Register(ctx, y.host, id, entries.Application{Handle: who})
			return err
		})
	}
	return id, err
}

// settings returns the settings of one event.
func settings(plan *rand.Rand, name string, format tournament.Format) tournament.Settings {
	s := tournament.DefaultSettings(format)
	s.Name, s.Pace, s.Rounds = name, tournament.Manual, 0
	switch {
	case format.PairsByScore():
		s.Rounds = 4
	case !format.InRounds():
		s.Rounds, s.Window, s.Lateness = 1, time.Duration(60+plan.IntN(30))*time.Minute, 2*time.Minute
	case format.MeetsAll():
		s.Double = plan.IntN(4) == 0
	case format.HasBracket():
		switch plan.IntN(6) {
		case 0, 1:
			s.Double = true
		case 2:
			s.Legs = 4
		}
		if plan.IntN(3) == 0 {
			s.Pace = tournament.Rolling
		}
		s.Losers = contest.AllLosers[plan.IntN(len(contest.AllLosers))]
		s.Tie = [][]contest.Step{{contest.Decider}, {contest.Pair, contest.Decider}, {contest.Points, contest.Seed}, {contest.Lot}}[plan.IntN(4)]
	}
	s.Expulsion = []tournament.Leaving{tournament.LeaveUsual, tournament.LeaveKeep}[plan.IntN(2)]
	return s
}

// divided plays the groups that qualify for an event, and takes the places.
func (y *node) divided(ctx context.Context, id tournament.ID, told *line) error {
	t, err := y.arbiter.Tournament(ctx, id)
	for err == nil && t.Origin == nil {
		if _, err = y.do(ctx, "divide", func(ctx context.Context) error {
			return y.arbiter.Events.Divide(ctx, y.host, id, events.Division{Groups: 2, Each: 2, Pots: y.rng.IntN(2) == 0})
		}); err == nil {
			t, err = y.arbiter.Tournament(ctx, id)
		}
	}
	for i := 0; err == nil && i < len(t.Origin.Of); i++ {
		err = y.play(ctx, t.Origin.Of[i].ID, told)
	}
	y.said.Event = id
	for n := 0; err == nil && t.Origin.IsAwaited() && n < mostActs; n++ {
		_, err = y.do(ctx, "take", func(ctx context.Context) error { return y.arbiter.Events.Retake(ctx, y.host, id, "") })
		if err == nil {
			t, err = y.arbiter.Tournament(ctx, id)
		}
	}
	return err
}

// mostActs limits an event: one that takes longer will never end.
const mostActs = 3000

// play plays an event until it is over.
func (y *node) play(ctx context.Context, id tournament.ID, told *line) error {
	y.said.Event = id
	for n := 0; ; n++ {
		t, err := y.arbiter.Tournament(ctx, id)
		switch {
		case err != nil:
			return err
		case n > mostActs:
			return fmt.Errorf("%s of %d rounds does not end: %s", t.Format, t.Settings.Rounds, t.Stuck)
		case t.Status.IsOver():
			told.Rounds += len(t.Rounds)
			for _, r := range t.Rounds {
				told.Boards += len(r.Pairings)
			}
			return nil
		}
		if err := y.step(ctx, t, n < mostActs/3); err != nil {
			return err
		}
	}
}

// step does the next thing in an event, or something unplanned.
func (y *node) step(ctx context.Context, t *tournament.Tournament, troubled bool) error {
	id := t.ID
	if troubled && t.Status == tournament.Running && y.rng.IntN(10) == 0 {
		return y.trouble(ctx, t)
	}
	switch {
	case t.Status == tournament.Registration:
		_, err := y.do(ctx, "start", func(ctx context.Context) error { return y.arbiter.Rounds.Start(ctx, y.host, id) })
		return err
	case t.Draft != nil && (t.DraftStale() != nil || y.rng.IntN(12) == 0):
		_, err := y.do(ctx, "discard", func(ctx context.Context) error { return y.arbiter.Desk.DiscardDraft(ctx, y.host, id) })
		return err
	case t.Draft != nil:
		ok, err := y.do(ctx, "publish", func(ctx context.Context) error { return y.arbiter.Rounds.Publish(ctx, y.host, id) })
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
		_, err := y.do(ctx, "draft", func(ctx context.Context) error { return y.arbiter.Rounds.Draft(ctx, y.host, id) })
		return err
	}
	_, err := y.do(ctx, "round", func(ctx context.Context) error { return y.arbiter.Rounds.Open(ctx, y.host, id) })
	if err == nil && y.refused["round"] > 0 && len(t.Rounds) > 0 && y.rng.IntN(20) == 0 { // no pairing is possible any more
		_, err = y.do(ctx, "finish", func(ctx context.Context) error { return y.arbiter.Rounds.Finish(ctx, y.host, id) })
	}
	return err
}

// board finishes one of the open boards.
func (y *node) board(ctx context.Context, t *tournament.Tournament) error {
	var open []func() (int, tournament.Pairing)
	for round, p := range t.Rounds.Pending() {
		open = append(open, func() (int, tournament.Pairing) { return round, p })
	}
	round, p := open[y.rng.IntN(len(open))]()
	if p.Match == "" {
		kind := [...]tournament.ResultKind{tournament.FirstWins, tournament.SecondWins, tournament.FirstWins, tournament.SecondWins,
			tournament.Drawn, tournament.Drawn, tournament.FirstByForfeit, tournament.DoubleForfeit}[y.rng.IntN(8)]
		_, err := y.do(ctx, "result", func(ctx context.Context) error {
			return y.arbiter.Rounds.EnterResult(ctx, y.host, t.ID, rounds.Seen{Round: round, Board: p.Board}, kind)
		})
		return err
	}
	state, head, err := y.live.State(ctx, p.Match)
	if err != nil {
		return err
	}
	if state.Status() == match.Over { // its node was killed before it took the result
		if err := y.arbiter.Sweep(ctx); err != nil {
			return err
		}
		_, err = y.do(ctx, "result", func(ctx context.Context) error {
			return y.arbiter.Rounds.EnterResult(ctx, y.host, t.ID, rounds.Seen{Round: round, Board: p.Board}, tournament.Drawn)
		})
		return err
	}
	send := func(name string, seat match.Seat, c match.Command) (bool, error) {
		return y.do(ctx, name, func(ctx context.Context) error {
			seq, err := y.live.Do(ctx, p.Match, head.Players[seat.Index()], live.Request{Command: c})
			if err == nil {
				y.said.Match, y.said.Seq = p.Match, seq
			}
			if errors.Is(err, match.ErrOver) && name == "forfeit" {
				return nil // Ready came too late, which ends the match
			}
			return err
		})
	}
	if y.rng.IntN(15) == 0 && state.Status() == match.Waiting { // the opponent does not come
		y.Now = y.Now.Add(12 * t.Lateness)
		_, err := send("forfeit", match.First, match.Ready{Seat: match.First})
		return err
	}
	seats := match.Seats
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

// isPaired reports whether an arena is open.
func isPaired(t *tournament.Tournament) bool {
	_, open := t.PairsUntil()
	return open
}

// arena lets somebody wait or rest, ends a match, or lets time pass until those who wait
// are paired.
func (y *node) arena(ctx context.Context, t *tournament.Tournament) error {
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

// trouble does something unplanned.
func (y *node) trouble(ctx context.Context, t *tournament.Tournament) error {
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
		c := tables.Correction{Round: r.Number, Board: 1 + y.rng.IntN(len(r.Pairings)),
			Kind: kinds[y.rng.IntN(len(kinds))], Reach: reaches[y.rng.IntN(len(reaches))]}
		name, act = "correct", func(ctx context.Context) error {
			by := y.host
			by.Shown = t.Version
			return y.arbiter.Desk.Correct(ctx, by, id, c, "It had to be")
		}
	}
	_, err := y.do(ctx, name, act)
	return err
}
