// Package live plays matches: it judges commands on whichever node they arrive and
// appends the outcome to the log, lets flags fall, gives back the time of outages, asks
// bots, and wakes viewers. It holds nothing that is not in the log: every node may die at
// any moment.
package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// Config configures a Runner; the zero value serves.
type Config struct {
	Now func() time.Time // nil: the machine's clock
	// Elapsed is a monotonic clock; nil: derived from Now.
	Elapsed func() time.Duration
	Node    string // empty: a new id
	// Think finds a bot's command. It may take long and runs outside any transaction.
	// nil: this node plays no bots.
	Think func(ctx context.Context, bot player.ID, s match.State, seat match.Seat) (match.Command, error)

	// FlagGrace is how long after a deadline the sweep waits, for commands that came in
	// time (Rules D19) and are still on their way into the log. Commands that come after
	// the deadline are refused at once all the same.
	FlagGrace   time.Duration
	CacheSize   int           // matches in memory; 0: 2048
	OutageAfter time.Duration // silence of all nodes that counts as an outage; 0: 1 s
	StoppedFor  time.Duration // the same when a node starts; 0: two beats
	BotPause    time.Duration // how long a bot waits, so that its opponent can look at the board
	BotLease    time.Duration // after which another node may ask the bot again; 0: 20 s
	BotsAtOnce  int           // bots thinking at the same time; 0: 2
}

// ErrNotPlaying refuses a command from somebody who does not play in the match.
var ErrNotPlaying = refusal.Named(refusal.Forbidden("match.refused.unknown-player", "live: not a player of this match"),
	"not-playing", "this account does not play in this match")

// ErrNotAdmitted refuses a player's command above Open without an Admit, a mistake of the
// caller.
var ErrNotAdmitted = errors.New("live: player's command not admitted")

// errBroken is the error of a match whose log or rulebook panics.
var errBroken = errors.New("live: match is broken")

// attempts is how often a command is decided when others come first.
const attempts = 5

// Runner plays matches. Its owner calls its jobs (SweepDue, RunBots, Heartbeat, Reread)
// on every node, at any pace.
type Runner struct {
	*Hub
	store    *store.Store
	onFinish func(ctx context.Context, id match.ID)
	onTurn   func(ctx context.Context, id match.ID, s match.State)
	c        Config
	log      *slog.Logger
	clock    *clock

	cache    *lru[match.ID, *snapshot]
	shown    *lru[match.ID, *snapshot] // matches as watchers see them, where they see them later
	loading  [64]sync.Mutex            // by match: one read of a tail serves all who wait
	hash     maphash.Seed
	beating  chan struct{} // one slot
	owed     owed
	suspect  suspicion             // under beating
	lastBeat atomic.Int64          // unix ms, 0: never
	failing  atomic.Bool           // the database has failed since, or the time is being set
	failed   atomic.Pointer[error] // of the last beat that failed
	botWake  chan struct{}         // one slot
	botPass  sync.Mutex
	presence presence
	counts   counts
	moved    atomic.Int64 // counts the states that entered the cache
}

// New makes a runner over a store and a bus. Close it before them.
func New(s *store.Store, bus Bus, c Config, log *slog.Logger) (*Runner, error) {
	if c.Node == "" {
		c.Node = store.NewID()
	}
	setDefault(&c.CacheSize, 2048)
	setDefault(&c.OutageAfter, time.Second)
	setDefault(&c.StoppedFor, 2*BeatEvery)
	setDefault(&c.BotLease, 20*time.Second)
	setDefault(&c.BotsAtOnce, 2)
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	hub, err := newHub(bus, log)
	if err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	r := &Runner{
		Hub: hub, store: s, c: c, log: log, clock: newClock(c.Now, c.Elapsed),
		cache: newLRU[match.ID, *snapshot](c.CacheSize), shown: newLRU[match.ID, *snapshot](c.CacheSize),
		beating: make(chan struct{}, 1), botWake: make(chan struct{}, 1), hash: maphash.MakeSeed(),
		presence: presence{here: map[seen]int{}, gone: map[seen]int{}, moved: map[seen]struct{}{}},
	}
	hub.RereadWith("match", RereadBy(s, (*store.Tx).Matches, func(h store.Head) int64 { return h.Seq }))
	hub.RereadWith("player", RereadBy(s, lastNews, time.Time.UnixMilli))
	return r, nil
}

func setDefault[T comparable](v *T, to T) {
	var zero T
	if *v == zero {
		*v = to
	}
}

// OnFinish sets what is called after the commit that ended a match; set it before
// anything runs. A node that dies in between never calls it.
func (r *Runner) OnFinish(f func(ctx context.Context, id match.ID)) { r.onFinish = f }

// OnTurn sets what is called after each commit that leaves a player of a match above Open
// to move. A node that dies in between never calls it.
func (r *Runner) OnTurn(f func(ctx context.Context, id match.ID, s match.State)) { r.onTurn = f }

// Close stops listening to the bus.
func (r *Runner) Close() { r.bus.Leave() }

// Now is the time of this node, which everything that shows clocks uses.
func (r *Runner) Now() time.Time { return r.clock.now() }

// Opening is a match to open.
type Opening struct {
	ID      match.ID     // empty: a new one
	Players [2]player.ID // First, Second
	Options match.Options
	Policy  fairplay.Policy // frozen with the match; zero: Open
	Facts   []fairplay.Fact // already known of the players
	// Accounts of the players, where they were read for many matches at once; nil: they are read.
	Accounts map[player.ID]player.Player
	Place    fairplay.Place
}

// OpenTx opens a match in the caller's transaction; call Opened after it.
func (r *Runner) OpenTx(tx *store.Tx, o Opening) (match.ID, error) {
	if o.ID == "" {
		o.ID = match.ID(store.NewID())
	}
	if err := o.Options.Validate(); err != nil {
		return "", fmt.Errorf("live: open match: %w", err)
	}
	if o.Accounts == nil {
		var err error
		if o.Accounts, err = tx.Players(o.Players[:]...); err != nil {
			return "", fmt.Errorf("live: open match: %w", err)
		}
	}
	var seed match.Seed
	rand.Read(seed[:])
	policy := o.Policy.OrOpen()
	b := &snapshot{players: o.Players, level: policy.Level, feed: policy.Feed}
	for i, id := range o.Players {
		b.bots[i], b.house[i] = o.Accounts[id].Bot, o.Accounts[id].IsHouse()
	}
	now := r.Now()
	next, recorded := b.record(match.Open(o.Options, seed), now)
	head := r.head(o.ID, next, now)
	head.Place = o.Place
	if err := tx.OpenMatch(store.Append{Head: head, Events: recorded}); err != nil {
		return "", fmt.Errorf("live: %w", err)
	}
	for i := range o.Facts {
		o.Facts[i].At = now
	}
	if err := errors.Join(tx.FreezePolicy(o.ID, policy), tx.AddFacts(o.ID, o.Facts...)); err != nil {
		return "", fmt.Errorf("live: %w", err)
	}
	return o.ID, nil
}

// Opened wakes those who wait for matches that OpenTx has opened.
func (r *Runner) Opened(ctx context.Context, ids ...match.ID) error {
	r.wakeBots()
	return r.store.Read(ctx, func(tx *store.Tx) error {
		heads, err := tx.Matches(ids)
		for _, h := range heads {
			r.nudge(h)
		}
		return err
	})
}

// nudge wakes the watchers of a match and of either player's list of matches.
func (r *Runner) nudge(h store.Head) {
	r.Nudge(MatchTopic(h.ID), h.Seq)
	for _, p := range h.Players {
		r.Nudge(PlayerTopic(p), h.LastAt.UnixMilli())
	}
}

// Request is a command from a client.
type Request struct {
	// CommandID is the client's name for the command, which makes a repetition harmless.
	// Empty: none.
	CommandID string
	Seq       *int64 // the last event the client has seen (match.State.HasStoodSince); nil: any
	Command   match.Command
	// Admit judges how a command came, on the very state it is decided on, and again on
	// each later state. Above Open it is required for players' commands.
	Admit Admission
}

// Admission returns nil if a command may come as it came to a match in this state.
type Admission func(context.Context, match.State, store.Head) error

// Do judges a player's command and appends the outcome to the log; the server's own
// commands (CheckClock, CreditOutage) come from player "". It returns the log's last
// sequence number. Errors: store.ErrNotFound, ErrNotPlaying, match.ErrStale,
// match.ErrOver (also when the flag fell before the command came), any other
// *match.Refusal, those of Admit, and store.ErrConflict after too many races.
func (r *Runner) Do(ctx context.Context, id match.ID, by player.ID, q Request) (seq int64, err error) {
	arrived := r.Now() // Rules D19: waiting here does not cost the player time
	if err := r.Awake(ctx); err != nil {
		return 0, err
	}
	if c, claims := q.Command.(match.ClaimForfeit); claims {
		due := func(s match.State) (time.Time, bool) { return s.ForfeitClaim(c.Seat) }
		if _, err := r.waitsFor(ctx, id, due); err != nil && !errors.Is(err, match.ErrOver) {
			return 0, err
		}
	}
	return r.do(ctx, id, by, q, arrived)
}

func (r *Runner) do(ctx context.Context, id match.ID, by player.ID, q Request, arrived time.Time) (seq int64, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			r.log.Error("match broken", "match", id, "seq", seq, "err", broken, "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: %s: %v", errBroken, id, broken)
		}
	}()
	for i := range attempts {
		seq, err = r.try(ctx, id, by, q, arrived, i > 0)
		if !errors.Is(err, store.ErrConflict) {
			break
		}
	}
	r.fails(err)
	r.counts.command(err)
	return seq, err
}

// stand is the match a command is decided on. If this node has the state the client has
// seen, the log is not read: the guard of the append detects that the match has moved on,
// and what is refused is decided again.
func (r *Runner) stand(ctx context.Context, id match.ID, q Request, again bool) (b *snapshot, isRead bool, err error) {
	if b, known := r.cache.get(id); known && !again && q.Seq != nil && *q.Seq == b.state.Seq() {
		r.counts.state(true)
		return b, false, nil
	}
	b, err = r.load(ctx, id)
	return b, true, err
}

// try is one attempt: read, decide, append under the guard, tell. ErrConflict asks for
// another.
func (r *Runner) try(ctx context.Context, id match.ID, by player.ID, q Request, arrived time.Time, again bool) (int64, error) {
	b, isRead, err := r.stand(ctx, id, q, again)
	if err != nil {
		return 0, err
	}
	seat := seatOf(q.Command)
	if seat.Valid() && b.players[seat.Index()] != by || !seat.Valid() && by != "" {
		return 0, ErrNotPlaying
	}
	refused := func(why error) (int64, error) {
		if !isRead {
			return 0, store.ErrConflict
		}
		if done, err := r.done(ctx, id, commandID(q)); err != nil || done {
			return b.state.Seq(), err
		}
		return b.state.Seq(), why
	}
	if err := r.admit(ctx, id, b, q); err != nil {
		if !isRead {
			return 0, store.ErrConflict
		}
		return b.state.Seq(), err
	}
	if q.Seq != nil && !b.state.HasStoodSince(*q.Seq) {
		return refused(match.ErrStale)
	}
	events, err := match.Decide(b.state, q.Command, arrived)
	if err != nil {
		return refused(err)
	}
	if len(events) == 0 {
		return refused(nil)
	}
	a := store.Append{Seat: seat, CommandID: commandID(q)}
	tooLate := isTooLate(q.Command, events)
	if tooLate {
		a.Seat, a.CommandID = 0, ""
	}
	next, recorded := b.record(events, b.state.At(arrived))
	a.Head, a.Events = r.head(id, next, r.Now()), recorded
	// From here on the client may hang up: what is committed is also told.
	ctx = context.WithoutCancel(ctx)
	if err := r.store.Append(ctx, a); err != nil {
		if errors.Is(err, store.ErrConflict) {
			// Another writer came first, perhaps this very command on another node.
			if done, derr := r.done(ctx, id, a.CommandID); derr != nil || !done {
				return 0, errors.Join(derr, err)
			}
			if b, err = r.load(ctx, id); err == nil {
				return b.state.Seq(), nil
			}
		}
		return 0, err
	}
	r.keep(id, next)
	r.counts.appended(events)
	r.tell(ctx, a.Head, next)
	b = next
	if tooLate { // unless it repeats an old command
		return refused(match.ErrOver)
	}
	return b.state.Seq(), nil
}

// admit judges how a command came.
func (r *Runner) admit(ctx context.Context, id match.ID, b *snapshot, q Request) error {
	switch {
	case q.Admit != nil:
		return q.Admit(ctx, b.state, r.head(id, b, b.state.LastAt()))
	case seatOf(q.Command).Valid() && b.level > fairplay.Open:
		return fmt.Errorf("%w: %T", ErrNotAdmitted, q.Command)
	}
	return nil
}

// tell wakes and calls those who wait for a commit.
func (r *Runner) tell(ctx context.Context, h store.Head, b *snapshot) {
	r.nudge(h)
	if !h.BotDue.IsZero() {
		r.wakeBots()
	}
	if ctx.Value(beatKey{}) != nil {
		r.owed.add(func() { r.tellOwners(ctx, h, b) })
		return
	}
	r.tellOwners(ctx, h, b)
}

// tellOwners calls OnTurn and OnFinish.
func (r *Runner) tellOwners(ctx context.Context, h store.Head, b *snapshot) {
	if h.Status == match.Playing && h.Level > fairplay.Open && r.onTurn != nil {
		r.onTurn(ctx, h.ID, b.state)
	}
	if h.Status == match.Over && r.onFinish != nil {
		r.onFinish(ctx, h.ID)
	}
}

// done reports whether a command is in the log already.
func (r *Runner) done(ctx context.Context, id match.ID, command string) (bool, error) {
	if command == "" {
		return false, nil
	}
	return store.Get(ctx, r.store, func(tx *store.Tx) (bool, error) { return tx.CommandDone(id, command) })
}

// commandID keeps the command names of both players, the server and arbiters apart.
func commandID(q Request) string {
	if q.CommandID == "" {
		return ""
	}
	if a, ok := q.Command.(match.Arbitration); ok {
		return "arbiter/" + a.Word().By + ":" + q.CommandID
	}
	return seatOf(q.Command).String() + ":" + q.CommandID
}

// seatOf is the player who gave a command; none: the server.
func seatOf(c match.Command) match.Seat {
	switch c := c.(type) {
	case match.Ready:
		return c.Seat
	case match.PlaceBid:
		return c.Seat
	case match.Play:
		return c.Seat
	case match.Undo:
		return c.Seat
	case match.Claim:
		return c.Seat
	case match.Resign:
		return c.Seat
	case match.Appoint:
		return c.Seat
	case match.ClaimForfeit:
		return c.Seat
	case match.Call:
		return c.Seat
	case match.CallOff:
		return c.Seat
	}
	return 0
}

// isTooLate reports whether the judge answered a player or an arbiter with the end of
// somebody's time.
func isTooLate(c match.Command, events []match.Event) bool {
	if _, ok := c.(match.Arbitration); !ok && !seatOf(c).Valid() {
		return false
	}
	switch events[0].(type) {
	case match.FlagFell, match.Ended:
		return true
	}
	return false
}
