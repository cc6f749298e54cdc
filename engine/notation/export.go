package notation

import (
	"encoding/json"
	"fmt"
	"time"

	"chpok.org/chpok/engine/exact"
	"chpok.org/chpok/engine/match"
)

// Event is what a record says about a match beside its course. Empty fields
// are left out.
type Event struct {
	First, Second string // the players' handles
	Name          string // of the tournament or the occasion
	Site          string // where it was played
	Round, Board  int
	// Arbiters are the handles of those who acted in the match, by player id.
	Arbiters map[string]string
}

// Export is the record of a live match so far, A being First: every act that
// stands with "at", the milliseconds since the bidding began, and for a player's
// bid, move or undo "clock", what they had left after it; a draw whose number is
// not its place among them, since others were taken back, with "n". Beside the
// actions stand players, event, site, round, board, started, envelope, the draws'
// commitment and recipe with the seed and the sealed bids for draw odds once the match is over, the result, and under
// "arbiter" what arbiters did and took back.
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
		x.action(entry, s.StartedAt(), n)
	}
	if acts := x.arbiters(s, e.Arbiters); len(acts) > 0 {
		x.add("arbiter", acts)
	}
	return r, x.err
}

type exporter struct {
	record *Record
	drawn  int // the number of the last draw
	err    error
}

func (x *exporter) add(key string, value any) {
	raw, err := json.Marshal(value)
	if err != nil && x.err == nil {
		x.err = fmt.Errorf("export %s: %w", key, err)
	}
	x.record.Others = append(x.record.Others, exact.Member{Key: key, Value: raw})
}

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

// action adds an entry if it is an act of the game; n is the number of a draw.
func (x *exporter) action(e match.Entry, started time.Time, n int) {
	if n > 0 {
		follows := n == x.drawn+1
		x.drawn = n
		if follows {
			n = 0 // it need not be said
		}
	}
	t := times{hasAt: true, at: int(e.At.Sub(started).Milliseconds())}
	var by match.Seat
	switch act := e.Event.(type) {
	case match.BidPlaced:
		by = act.Seat
	case match.Played:
		by = act.Seat
	case match.Undone:
		by = act.Seat
	case match.Drawn, match.Claimed, match.Resigned, match.FlagFell:
	default:
		return
	}
	if by.Valid() {
		t.hasClock, t.clock = true, int(e.Left[by.Index()].Milliseconds())
	}
	raw, err := actionJSON(e.Event, match.FirstIsA, t)
	if err == nil && n > 0 {
		raw = fmt.Appendf(raw[:len(raw)-1], `,"n":%d}`, n)
	}
	if err != nil && x.err == nil {
		x.err = err
	}
	x.record.Actions = append(x.record.Actions, raw)
}
