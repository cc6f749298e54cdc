package notation

import (
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
)

// Event describes the occasion of a match in a record. Empty fields are left out.
type Event struct {
	First, Second string // handles of the players
	Name          string // of the tournament or other occasion
	Site          string // where the match was played
	Round, Board  int
	Arbiters      map[string]string // handles of those who acted in the match, by player id
}

// Export returns the record of a match so far, with A for First. Its actions are the acts that
// stand, with "at" and, for bids, moves and undos, "clock" (see Record in the package
// documentation); a draw has its number in "n" if that does not follow from the draw before,
// as others were taken back. Draws get their commitment and recipe and, once the match is over,
// the seed and sealed bids for draw odds. "arbiter" lists what arbiters did and took back.
func Export(s match.State, e Event) (Record, error) {
	o := s.Options()
	r := Record{
		First: match.FirstIsA, Chips: o.Envelope.Chips, Extra: o.Extra, Claims: o.Claims,
		Defaults: o.Envelope.Defaults, HasDefaults: true,
	}
	x := exporter{record: &r}
	x.event(e)
	if at := s.StartedAt(); !at.IsZero() {
		x.add("started", at.Format("2006-01-02T15:04:05.000Z07:00"))
	}
	x.add("envelope", o.Envelope)
	draws := map[string]any{"commitment": s.Commitment(), "recipe": match.DrawRecipe}
	if e.Site != "" {
		draws["explained"] = e.Site + "/faq"
	}
	if seed, over := s.Seed(); over {
		draws["seed"] = seed.String()
		if o := match.OddsIn(s); o.Seat.Valid() {
			draws["odds"] = oddsJSON{match.FirstIsA.Of(o.Seat), o.Bids, o.Salts, match.SealsIn(s)}
		}
	}
	x.add("draws", draws)
	if result := s.Result(); !result.IsZero() {
		x.add("result", resultJSON(result))
	}
	numbers := s.DrawNumbers()
	for _, entry := range s.Standing() {
		n := 0
		if _, ok := entry.Event.(match.Drawn); ok {
			n, numbers = numbers[0], numbers[1:]
		}
		if match.IsAct(entry.Event) {
			x.action(entry, s.StartedAt(), n)
		}
	}
	if acts := x.arbiters(s, e.Arbiters); len(acts) > 0 {
		x.add("arbiter", acts)
	}
	return r, x.err
}

type exporter struct {
	record *Record
	drawn  int // number of the last draw
	err    error
}

func (x *exporter) fail(err error) {
	if x.err == nil {
		x.err = err
	}
}

func (x *exporter) add(key string, value any) { x.fail(x.record.Add(key, value)) }

func (x *exporter) event(e Event) {
	if e.First != "" || e.Second != "" {
		x.add("players", struct{ A, B string }{e.First, e.Second})
	}
	if e.Name != "" {
		x.add("event", e.Name)
	}
	if e.Site != "" {
		x.add("site", e.Site)
	}
	if e.Round != 0 {
		x.add("round", e.Round)
	}
	if e.Board != 0 {
		x.add("board", e.Board)
	}
}

type jsonResult struct {
	Outcome string       `json:"outcome"` // "A", "B", "draw", "both-lose" or "void"
	Reason  match.Reason `json:"reason"`
	Score   string       `json:"score,omitempty"`
}

func resultJSON(r match.Result) jsonResult {
	j := jsonResult{Outcome: r.Outcome.String(), Reason: r.Reason, Score: r.Score()}
	if by, ok := r.Outcome.Winner(); ok {
		j.Outcome = match.FirstIsA.Of(by)
	}
	return j
}

// action adds an act; n is the number of a draw.
func (x *exporter) action(e match.Entry, started time.Time, n int) {
	t := times{hasAt: true, at: int(e.At.Sub(started).Milliseconds())}
	switch e.Event.(type) {
	case match.BidPlaced, match.Played, match.Undone:
		t.hasClock, t.clock = true, int(e.Left[match.ActorOf(e.Event).Index()].Milliseconds())
	}
	raw, err := actionJSON(e.Event, match.FirstIsA, t)
	x.fail(err)
	if n > 0 {
		if err == nil && n != x.drawn+1 {
			raw = fmt.Appendf(raw[:len(raw)-1], `,"n":%d}`, n)
		}
		x.drawn = n
	}
	x.record.Actions = append(x.record.Actions, raw)
}
