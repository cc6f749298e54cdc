package events

import (
	"context"
	"slices"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/tournament/stage"
)

// measuredMatches is how many of the last matches the usual duration is measured by.
const measuredMatches = 300

// Durations is how long matches take here; false: too few were played to know.
func (a *Office) Durations(ctx context.Context) (d outlook.Durations, measured bool, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.Durations(measuredMatches)
		d, measured = outlook.MeasureDurations(list)
		return err
	})
	return d, measured, err
}

// Forecast is when the round and the tournament will end.
func (a *Office) Forecast(ctx context.Context, t *tournament.Tournament) (outlook.Forecast, error) {
	d, _, err := a.Durations(ctx)
	if err != nil {
		return outlook.Forecast{}, err
	}
	if t.Status < tournament.Running && t.Groups > 0 {
		return a.forecastStages(ctx, t, d)
	}
	boards, err := a.boards(ctx, t)
	if err != nil {
		return outlook.Forecast{}, err
	}
	now := a.Now()
	var clocks []outlook.BoardClock
	for _, b := range boards {
		c := outlook.BoardClock{Board: b.pairing.Board, IsGuest: b.pairing.Match == ""}
		if !c.IsGuest {
			c.Still = assurance.StandsForArbiter(b.state) || b.state.Status() == match.Over // void: a result must be entered by hand
			c.Elapsed, c.Longest = now.Sub(b.state.OpenedAt()), b.state.Longest(now)
		}
		clocks = append(clocks, c)
	}
	return outlook.Of(t, clocks, d, now), nil
}

// forecastStages is the forecast of an event that begins with groups: of those still to be played, and the knock-out.
func (a *Office) forecastStages(ctx context.Context, t *tournament.Tournament, d outlook.Durations) (outlook.Forecast, error) {
	now := a.Now()
	if t.Pace == tournament.Manual {
		return outlook.Forecast{Round: 1}, nil
	}
	if t.Origin == nil || t.Origin.Division == nil {
		starts := now
		if at := t.StartsAt(); at.After(now) {
			starts = at
		}
		return proposal.Plan(t.Settings, t.Active()*max(1, t.Teams.Boards), starts, d), nil
	}
	of, _, err := a.Sources(ctx, t)
	if err != nil {
		return outlook.Forecast{}, err
	}
	var groups outlook.Span
	for _, g := range of {
		if g.Status.IsOver() {
			continue
		}
		f, err := a.Forecast(ctx, g)
		if err != nil || f.End.Latest.IsZero() {
			return outlook.Forecast{Round: 1}, err
		}
		groups = groups.OrLater(f.End)
	}
	last := t.Settings
	last.Groups = 0
	f := proposal.Plan(last, stage.OfGroup*t.Groups*max(1, t.Teams.Boards), now, d)
	if !groups.Latest.IsZero() {
		f.RoundEnd, f.End = outlook.After(groups, t.Break, f.RoundEnd, now), outlook.After(groups, t.Break, f.End, now)
	}
	return f, nil
}

// openBoard is a board without a result.
type openBoard struct {
	round   int
	pairing tournament.Pairing
	head    store.Head
	state   match.State
}

// boards are the boards of open rounds without a result.
func (a *Office) boards(ctx context.Context, t *tournament.Tournament) ([]openBoard, error) {
	if t.Status != tournament.Running {
		return nil, nil
	}
	var list []openBoard
	var ids []match.ID
	for n, p := range t.Rounds.Pending() {
		list = append(list, openBoard{round: n, pairing: p})
		if p.Match != "" {
			ids = append(ids, p.Match)
		}
	}
	heads, err := store.Get(ctx, a.Store, func(tx *store.Tx) (map[match.ID]store.Head, error) { return tx.Matches(ids) })
	if err != nil {
		return nil, err
	}
	states, err := a.Live.States(ctx, heads)
	if err != nil {
		return nil, err
	}
	for i, b := range list {
		list[i].head, list[i].state = heads[b.pairing.Match], states[b.pairing.Match]
	}
	return list, nil
}

// Blockers are what a tournament waits for.
func (a *Office) Blockers(ctx context.Context, t *tournament.Tournament) ([]outlook.Blocker, error) {
	boards, err := a.boards(ctx, t)
	if err != nil {
		return nil, err
	}
	calls, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]call.Call, error) { return tx.OpenCalls(t.ID) })
	if err != nil {
		return nil, err
	}
	duties, err := a.assurance.Duties(ctx, t, "")
	if err != nil {
		return nil, err
	}
	waiting := map[[2]int]int{}
	for _, c := range calls {
		waiting[[2]int{c.Place.Round, c.Place.Board}]++
	}
	facts := make([]outlook.BoardFact, len(boards))
	for i, b := range boards {
		facts[i] = outlook.BoardFact{Round: b.round, Board: b.pairing.Board, Calls: waiting[[2]int{b.round, b.pairing.Board}]}
		if b.pairing.Match == "" {
			continue
		}
		f := &facts[i]
		f.Still = assurance.StandsForArbiter(b.state)
		f.Waiting, f.Void, f.Since = b.state.Status() == match.Waiting, b.state.Status() == match.Over, b.state.OpenedAt()
		for _, seat := range match.Seats {
			if !b.state.IsReady(seat) {
				f.Missing++
			}
		}
	}
	return outlook.Blockers(t, watchFacts(facts, duties, t.Rounds.Open()), a.Now()), nil
}

// watchFacts adds what the stewards of open rounds still have to do.
func watchFacts(facts []outlook.BoardFact, duties []assurance.Duty, rounds []tournament.Round) []outlook.BoardFact {
	for _, d := range duties {
		isOpen := slices.ContainsFunc(rounds, func(r tournament.Round) bool { return r.Number == d.Round })
		if !isOpen || !d.Demanded || d.IsDone() {
			continue
		}
		i := slices.IndexFunc(facts, func(f outlook.BoardFact) bool { return f.Round == d.Round && f.Board == d.Board })
		if i < 0 {
			facts, i = append(facts, outlook.BoardFact{Round: d.Round, Board: d.Board, Since: d.Head.LastAt}), len(facts)
		}
		if d.Head.Status == match.Over {
			facts[i].Unsaid = true
		} else {
			facts[i].Steward = facts[i].Steward || d.Watch.Opened.IsZero()
		}
	}
	return facts
}
