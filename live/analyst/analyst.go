// Package analyst runs the engine on what was played: on finished matches, piece by
// piece, on whichever node has time, then on the choices of their players and on puzzles
// in them, and on positions that somebody asks about and waits for. Results are stored
// under the version of the engine.
//
// It does not judge (engine/analysis does), does not decide who may ask (the arbiter
// does), and takes no more of the machine than the operator's share.
package analyst

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/live"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// Work on finished matches.
const (
	piece = 250 * time.Millisecond // of work between two saves
	shift = 2 * time.Second
	lease = 20 * time.Second
)

// TableBits is the size of the tables (search.NewEngine).
const TableBits = 18

// Nodes are the positions usually looked at for each position of a match.
var Nodes = analysis.Nodes{First: 40_000, Second: 800_000, Third: 1_600_000}

// Work that somebody waits for.
const (
	mostLines     = 3
	mostBidsAhead = 4
)

// Look limits work that somebody waits for: its time, and the positions, 0 for any number.
type Look struct {
	For   time.Duration
	Nodes int
}

// ErrBusy says that too many positions are being analyzed.
var ErrBusy = refusal.Busy("analysis.error.busy", "analyst: enough is looked at already")

// ErrNone says that the site leaves its engine no time.
var ErrNone = refusal.NotFound("analysis.error.none", "analyst: the site has no engine to ask")

// Analyst does the work. Its owner calls Work on every node, at any pace.
type Analyst struct {
	store *store.Store
	live  *live.Runner
	share *Share
	now   func() time.Time
	log   *slog.Logger

	// Nodes are the positions looked at for each position of a match; fewer take less time and are wrong more often.
	Nodes analysis.Nodes

	engines sync.Pool
	mu      sync.Mutex
	looking map[string]bool // keys of the explorations that run
}

// New returns an analyst limited by share.
func New(s *store.Store, l *live.Runner, share *Share, now func() time.Time, log *slog.Logger) *Analyst {
	a := &Analyst{store: s, live: l, share: share, now: now, log: log, Nodes: Nodes, looking: map[string]bool{}}
	a.engines.New = func() any { return search.NewEngine(TableBits) }
	return a
}

// Status is what is known about a match, and whether more is to come.
type Status struct {
	Report  analysis.Report
	Waiting bool
}

// Of returns what is known about a finished match and moves its analysis to the front.
func (a *Analyst) Of(ctx context.Context, h store.Head) (s Status, err error) {
	kept, err := store.Get(ctx, a.store, func(tx *store.Tx) (store.Analysis, error) { return tx.Analysis(h.ID) })
	isNew := errors.Is(err, store.ErrNotFound) || err == nil && kept.Seq != h.Seq
	if err != nil && !isNew {
		return s, err
	}
	s.Waiting = isNew || kept.State == store.AnalysisUnderWay
	if isNew || s.Waiting && kept.Due.UnixMilli() > 0 && !kept.Due.After(a.now()) {
		if err := a.store.Write(ctx, func(tx *store.Tx) error { return tx.AskAnalysis(h, a.now()) }); err != nil || isNew {
			return s, err
		}
	}
	s.Report, err = read(kept)
	return s, err
}

func read(kept store.Analysis) (r analysis.Report, err error) {
	if kept.Body != "" {
		err = json.Unmarshal([]byte(kept.Body), &r)
	}
	return r, err
}

// Work does what is due for a while, as long as the machine has time for it.
func (a *Analyst) Work(ctx context.Context) error {
	for began := time.Now(); a.share.isFree() && time.Since(began) < shift && ctx.Err() == nil; {
		more, err := a.work(ctx)
		for _, rest := range []func(context.Context) (bool, error){a.weigh, a.mine} {
			if err == nil && !more {
				more, err = rest(ctx)
			}
		}
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// work does a piece of the analysis that is due; more is false if there was none.
func (a *Analyst) work(ctx context.Context) (more bool, err error) {
	before, err := store.Get(ctx, a.store, func(tx *store.Tx) (store.Analysis, error) { return tx.DueAnalysis(a.now()) })
	if err == nil {
		err = a.store.Write(ctx, func(tx *store.Tx) error { return tx.LeaseAnalysis(before, a.now().Add(lease)) })
	}
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	after, err := a.do(ctx, before)
	if ctx.Err() != nil && after.Done == before.Done {
		return false, nil // the lease runs out
	}
	if err != nil {
		a.log.Error("analysis failed", "match", before.Match, "err", err)
		after.State = store.AnalysisFailed
	}
	err = a.store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return tx.SaveAnalysis(before.Done, after) })
	if errors.Is(err, store.ErrConflict) {
		return true, nil
	}
	if err == nil && after.State == store.AnalysisDone {
		err = a.tell(ctx, after.Match)
	}
	return err == nil, err
}

// tell wakes the players of a match that has been analyzed: its page tells the loser what to learn.
func (a *Analyst) tell(ctx context.Context, id match.ID) error {
	_, head, err := a.live.State(ctx, id)
	if err != nil {
		return err
	}
	for _, of := range head.Players {
		a.live.Nudge(live.PlayerTopic(of), 0)
	}
	return nil
}

// do analyzes the next positions for a while, at least one.
func (a *Analyst) do(ctx context.Context, kept store.Analysis) (store.Analysis, error) {
	state, _, err := a.live.State(ctx, kept.Match)
	if err != nil {
		return kept, err
	}
	report, err := read(kept)
	if err != nil {
		return kept, err
	}
	roots, played := analysis.Roots(state.Game())
	e := a.engines.Get().(*search.Engine)
	defer a.engines.Put(e)
	e.Forget()
	more := true
	for began := time.Now(); more && time.Since(began) <= piece; {
		start := time.Now()
		more, err = report.Look(Polite(ctx), e, roots, played, a.Nodes)
		a.share.Spend(time.Since(start))
		if err != nil {
			break // the node stops: what was found is kept
		}
	}
	kept.Done = report.Looks()
	if !more && err == nil {
		start := time.Now()
		bids := analysis.Bids(Polite(ctx), state)
		a.share.Spend(time.Since(start))
		if ctx.Err() == nil {
			kept.State, report.Bids = store.AnalysisDone, bids
		}
	}
	body, err := json.Marshal(report)
	kept.Body = string(body)
	return kept, err
}

// Enter reserves a slot for Explore; key is whose question it is, one at a time. The
// caller has to call leave.
func (a *Analyst) Enter(key string) (leave func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.looking[key] || len(a.looking) >= a.share.Slots() {
		return nil, ErrBusy
	}
	a.looking[key] = true
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.looking, key)
	}, nil
}

// Explore analyzes a position for somebody who waits, for a while, and reports the best lines at
// each depth. It takes as many processors as the share leaves to each who waits.
func (a *Analyst) Explore(ctx context.Context, root search.Root, limits Look, report func([]search.Line)) {
	ctx, cancel := context.WithTimeout(ctx, limits.For)
	defer cancel()
	a.mu.Lock()
	engines := make(search.Engines, max(1, a.share.Slots()/max(1, len(a.looking))))
	a.mu.Unlock()
	for i := range engines {
		engines[i] = a.engines.Get().(*search.Engine)
		defer a.engines.Put(engines[i])
	}
	engines.Forget()
	ctx = &paced{polite: polite{ctx}, share: a.share, searches: len(engines), last: time.Now()}
	engines.Search(ctx, root, search.Limits{Lines: mostLines, Nodes: limits.Nodes}, report)
}

// ExploreBids is Explore for a bidding: it reports the bids of the player whose turn it is, after
// looking ever more bids ahead, and how many.
func (a *Analyst) ExploreBids(ctx context.Context, s bidding.State, e bidding.Envelope, limits Look, report func([]search.Option, int)) {
	by, ok := s.Turn()
	ctx, cancel := context.WithTimeout(ctx, limits.For)
	defer cancel()
	ctx = &paced{polite: polite{ctx}, share: a.share, searches: 1, last: time.Now()}
	most := min(s.Purse(match.First)+s.Purse(match.Second), mostBidsAhead)
	for ahead := min(2, most); ok && ahead <= most; ahead++ {
		options := search.Options(ctx, s, e, by, ahead)
		if ctx.Err() != nil {
			return // what it did not see to the end means nothing
		}
		report(options, ahead)
	}
}
