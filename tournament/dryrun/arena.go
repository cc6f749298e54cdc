package dryrun

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	"chpok.org/chpok/tournament/ledger"
)

// ArenaSample is the outcome of one simulated arena.
type ArenaSample struct {
	Passes, Matches, Rematches int // rematches: pairs who met in the latest match of either
	Mean, P90, P99, Longest    time.Duration
	Apart                      float64 // average distance in the table between opponents
	Balance                    int     // largest difference of anybody's games as first and second
	Peak                       int     // most matches at the same time
	End                        time.Duration
	Deeds                      []ledger.Deed // the whole log, if requested
}

// How people behave in a simulated arena.
const (
	backAfter   = 6 * time.Second // average wait before asking for the next match
	pauseChance = 0.03            // after a match, for a few minutes
	leaveChance = 0.004           // after a match, for good
	mostInArena = 1000
	mostPasses  = 3000 // of a run without a log, so that long arenas are paired less often
)

// run is an arena being simulated.
type run struct {
	p       Plan
	t       *tournament.Tournament
	chance  *rand.Rand
	now     time.Time
	every   time.Duration                    // interval of passes
	waiting map[tournament.EntryID]time.Time // since when; in the future: back at that time
	playing []playing
	waits   []time.Duration
	ended   map[tournament.EntryID]int // board of the latest match
	rank    map[tournament.EntryID]int
	apart   int
	log     bool
	last    *tournament.Tournament // state at the last deed
	sample  ArenaSample
}

// playing is a running match and how it will end.
type playing struct {
	id     match.ID
	board  int
	over   time.Time
	result tournament.Result
	who    [2]tournament.EntryID
}

// Arena simulates an arena once; log keeps its deeds.
func (p Plan) Arena(seed uint64, log bool) (*tournament.Tournament, ArenaSample, error) {
	t, err := p.tournament()
	if err != nil {
		return nil, ArenaSample{}, err
	}
	r := &run{p: p, t: t, chance: rand.New(rand.NewPCG(seed, 0x6172656e61)), now: p.StartAt, every: arena.Interval, log: log,
		waiting: map[tournament.EntryID]time.Time{}, ended: map[tournament.EntryID]int{}, last: &tournament.Tournament{}}
	if !log {
		r.every = max(r.every, (t.Window / mostPasses).Round(time.Second))
	}
	r.note(tournament.ActCreate)
	d := tournament.Drawing{Seed: fmt.Sprint(seed), Pick: r.chance.IntN}
	if err := t.Start(director, d, r.now); err != nil {
		return nil, r.sample, fmt.Errorf("%w (%w)", err, ErrPlan)
	}
	r.note(tournament.ActStart)
	if err := arena.Open(t, r.now); err != nil {
		return nil, r.sample, err
	}
	r.note(tournament.ActPair)
	for _, e := range t.Entries {
		r.waiting[e.ID] = r.now.Add(r.pause(backAfter))
	}
	for t.Status == tournament.Running {
		r.now = r.now.Add(r.every)
		if err := r.step(); err != nil {
			return nil, r.sample, err
		}
	}
	r.sum()
	return t, r.sample, nil
}

// pause returns how long somebody takes: half of them less than ⅔ of the mean, few much
// more.
func (r *run) pause(mean time.Duration) time.Duration {
	return time.Duration(float64(mean) * r.chance.ExpFloat64()).Truncate(100 * time.Millisecond)
}

func (r *run) note(a tournament.Act) {
	r.t.Version++
	if !r.log {
		return
	}
	r.sample.Deeds = append(r.sample.Deeds, ledger.Deed{Seq: r.t.Version, At: r.now, Act: a, Changes: ledger.Diff(r.last, r.t)})
	r.last = r.t.Clone()
}

// step is one moment: matches end, those who wait are paired, and the arena closes.
func (r *run) step() error {
	slices.SortFunc(r.playing, func(a, b playing) int { return cmp.Or(a.over.Compare(b.over), cmp.Compare(a.id, b.id)) })
	for len(r.playing) > 0 && !r.playing[0].over.After(r.now) {
		r.finish(r.playing[0])
		r.playing = r.playing[1:]
	}
	if r.t.CloseArena(r.now) {
		r.note(tournament.ActConclude)
	}
	if r.t.Conclude(r.now) {
		r.note(tournament.ActConclude)
		return nil
	}
	var list []tournament.Awaiting
	for id, since := range r.waiting {
		if !since.After(r.now) {
			list = append(list, tournament.Awaiting{Entry: id, Since: since})
		}
	}
	slices.SortFunc(list, func(a, b tournament.Awaiting) int { return cmp.Compare(b.Entry, a.Entry) })
	boards, err := arena.PairWaiting(r.t, list, func() match.ID { return "" }, r.now)
	if errors.Is(err, arena.ErrPassNotDue) || errors.Is(err, tournament.ErrArenaOver) {
		return nil
	}
	if err != nil {
		return err
	}
	r.sample.Passes++
	r.rank = map[tournament.EntryID]int{}
	if !r.log {
		for _, l := range arena.TableOf(&r.t.Table) {
			r.rank[tournament.EntryID(l.ID)] = l.Rank
		}
	}
	for _, b := range boards {
		r.begin(b)
	}
	r.note(tournament.ActPair)
	r.sample.Peak = max(r.sample.Peak, len(r.playing))
	return nil
}

func (r *run) begin(b tournament.Pairing) {
	first, _ := r.t.Entry(b.First)
	second, _ := r.t.Entry(b.Second)
	kind := r.p.result(first, second, r.chance)
	took := min(r.t.WorstRound(), time.Duration(r.p.Durations.Quantile(r.chance.Float64())*float64(r.t.UsualRound())))
	if kind >= tournament.FirstByForfeit {
		took = r.t.Lateness
	}
	over := r.now.Add(took.Truncate(time.Second))
	x := playing{board: b.Board, over: over, who: [2]tournament.EntryID{b.First, b.Second}, result: tournament.Result{Kind: kind, At: over}}
	x.id = match.ID(fmt.Sprint("b", b.Board))
	if kind == tournament.Drawn && r.chance.IntN(2) == 0 {
		x.result.Reason = match.ClaimDraw
	} else if kind >= tournament.FirstByForfeit {
		x.result.Reason = match.Forfeit
	}
	r.playing = append(r.playing, x)
	r.t.Rounds[0].Pairings[b.Board-1].Match = x.id
	r.apart += max(r.rank[b.First]-r.rank[b.Second], r.rank[b.Second]-r.rank[b.First])
	again := false
	for i, id := range x.who {
		r.waits = append(r.waits, r.now.Sub(r.waiting[id]))
		delete(r.waiting, id)
		if n := r.ended[id]; n > 0 {
			again = again || r.t.Rounds[0].Pairings[n-1].SeatOf(x.who[1-i]).Valid()
		}
	}
	if again {
		r.sample.Rematches++
	}
	r.ended[b.First], r.ended[b.Second] = b.Board, b.Board
}

// finish records a result; the players come back, or leave.
func (r *run) finish(x playing) {
	r.t.Record(x.id, x.result)
	r.note(tournament.ActRecord)
	if arena.DropAbsent(r.t, x.board) {
		r.note(tournament.ActWithdraw)
	}
	for i, id := range x.who {
		back := x.over.Add(r.pause(backAfter))
		absent := x.result.Kind == tournament.DoubleForfeit || x.result.Kind == tournament.FirstByForfeit && i == 1 ||
			x.result.Kind == tournament.SecondByForfeit && i == 0
		switch u := r.chance.Float64(); {
		case u < leaveChance && r.t.Withdraw(director, id) == nil:
			r.note(tournament.ActWithdraw)
			continue
		case absent || u < pauseChance:
			back = back.Add(3 * time.Minute)
		}
		r.waiting[id] = back
	}
}

// sum computes the figures of the sample.
func (r *run) sum() {
	s := &r.sample
	s.Matches, s.End = len(r.t.Rounds[0].Pairings), r.now.Sub(r.p.StartAt)
	balance := map[tournament.EntryID]int{}
	for _, b := range r.t.Rounds[0].Pairings {
		if b.Result.IsPlayed() {
			balance[b.First]++
			balance[b.Second]--
		}
	}
	for _, n := range balance {
		s.Balance = max(s.Balance, n, -n)
	}
	slices.Sort(r.waits)
	if n := len(r.waits); n > 0 {
		var sum time.Duration
		for _, w := range r.waits {
			sum += w
		}
		at := func(percent int) time.Duration { return r.waits[(n-1)*percent/100] }
		s.Mean, s.P90, s.P99, s.Longest = sum/time.Duration(n), at(90), at(99), at(100)
		s.Apart = float64(r.apart) / float64(s.Matches)
	}
}

// simulateArena is Simulate for an arena.
func (p Plan) simulateArena(seed uint64, first int) (Sample, error) {
	t, s, err := p.Arena(seed, false)
	if err != nil {
		return Sample{}, err
	}
	table := arena.TableOf(&t.Table)
	best, _ := t.Entry(tournament.EntryID(table[0].ID))
	out := Sample{End: s.End, Rounds: 1, Peak: s.Peak, Separated: true, Strongest: best.Number == strongest(t)}
	for i := range min(first, len(table)-1) {
		out.Separated = out.Separated && table[i].Score != table[i+1].Score
	}
	return out, nil
}
