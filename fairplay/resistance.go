package fairplay

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"sync"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// MeasuredTerms are the features, beside the usual, on which resistance is measured.
var MeasuredTerms = []string{
	`{"castlings":0}`,
	`{"castlings":0,"width":6}`,
	`{"castlings":0,"width":10}`,
	`{"castlings":0,"movePoints":{"P":1,"N":6,"B":5,"R":2,"Q":3,"K":4}}`,
	`{"castlings":0,"moveLimit":40}`,
	`{"castlings":0,"moveLimit":20}`,
	`{"castlings":0,"moveLimit":20,"movePoints":{"N":9}}`,
	`{"castlings":0,"moveLimit":20,"movePoints":{"P":1,"N":6,"B":5,"R":2,"Q":3,"K":4}}`,
	`{"castlings":0,"moveLimit":10}`,
	`{"castlings":0,"moveLimit":10,"movePoints":{"P":1,"N":6,"B":5,"R":2,"Q":3,"K":4}}`,
	`{"castlings":0,"moveLimit":10,"movePoints":{"P":9}}`,
	`{"castlings":0,"moveLimit":10,"movePoints":{"K":9}}`,
}

// Subject is what resistance is measured of.
type Subject struct {
	Terms string    `json:"terms"`          // a features object
	Row   board.Row `json:"row,omitempty"`  // the home row; "": the standard one
	Bids  string    `json:"bids,omitempty"` // the envelope within which two bidders decide terms anew for each two games; "free": the widest
}

// MeasuredBids are what bidding may add, each alone, over the shortest move limit and (those that matter there) over the
// usual one, and what bidding makes of whole envelopes. Only who asks an ordinary chess engine about every move was
// measured on them.
var MeasuredBids = []Subject{
	{Terms: `{"moveLimit":10}`},
	{Terms: `{"castlings":0,"moveLimit":10,"undos":5}`},
	{Terms: `{"castlings":0,"moveLimit":10,"kingOfTheHill":true}`},
	{Terms: `{"castlings":0,"moveLimit":10,"kingsRun":true}`},
	{Terms: `{"castlings":0,"moveLimit":10,"fierceKings":true}`},
	{Terms: `{"castlings":0,"moveLimit":10,"mightyQueens":true}`},
	{Terms: `{"castlings":0,"moveLimit":10,"pawnsBack":true}`},
	{Terms: `{"castlings":0,"moveLimit":10,"newbornPawns":true}`},
	{Terms: `{"castlings":0,"moveLimit":10,"removeOwn":true}`},
	{Terms: `{"castlings":0,"moveLimit":10,"skipMoves":true}`},
	{Terms: `{"castlings":0,"moveLimit":10}`, Row: "RNBKKBNR"},
	{Terms: `{"castlings":0,"moveLimit":10}`, Row: "KKKKKKKK"},
	{Terms: `{"castlings":0,"moveLimit":10}`, Row: "QQQQKQQQ"},
	{Terms: `{}`, Bids: "sprint"},
	{Terms: `{}`},
	{Terms: `{"castlings":0,"undos":5}`},
	{Terms: `{"castlings":0,"kingOfTheHill":true}`},
	{Terms: `{"castlings":0,"kingsRun":true}`},
	{Terms: `{"castlings":0,"mightyQueens":true}`},
}

// ResistanceTable is what was measured of how much an engine gains somebody who asks it, by the terms: games between two
// simulated club players of whom one asks.
type ResistanceTable struct {
	Engine  string       `json:"engine"`  // the ordinary chess engine
	Version int          `json:"version"` // of our own
	Nodes   int          `json:"nodes"`   // positions that an engine looks at when it is asked
	Rows    []Resistance `json:"rows"`    // of MeasuredTerms
	Bids    []Resistance `json:"bids"`    // of MeasuredBids
}

// Resistance is one row: what those won who asked an ordinary chess engine about every move, about a quarter of them, and a
// Chpok engine about every move, of which only the first was measured of MeasuredBids. Without asking it is a half.
type Resistance struct {
	Subject
	Games  int        `json:"games"` // for each score
	Scores []Measured `json:"scores"`
	At     string     `json:"at"` // YYYY-MM-DD

	features board.Features // Terms, read
}

// Measured is a share of the points and half of its interval of 95 %.
type Measured struct {
	Share  float64 `json:"share"`
	Margin float64 `json:"margin"`
}

// R is how well terms resist ordinary chess engines: 100 where nobody wins who asks one about every move, 50 where it gains
// nothing, 0 where it always wins.
func (r Resistance) R() int { return int(math.Round(100 * (1 - r.Scores[0].Share))) }

// uneven is by how many points the moves of two kinds of pieces differ at least where points are uneven.
const uneven = 5

// Of returns R of some features: at least that of measured ones that resist no better, by their move limit and whether points
// for moves are uneven, and at most that of what MeasuredBids has of them over no longer a limit.
func (t ResistanceTable) Of(f board.Features) (best int) {
	isUneven := func(f board.Features) bool {
		kinds := f.MovePoints[board.Pawn:]
		return slices.Max(kinds)-slices.Min(kinds) >= uneven
	}
	for _, r := range t.Rows {
		if of := r.features; of.MoveLimit >= f.MoveLimit && (!isUneven(of) || isUneven(f) && of.MovePoints == f.MovePoints) {
			best = max(best, r.R())
		}
	}
	for _, r := range t.Bids {
		if r.Row == "" && r.Bids == "" && r.features.MoveLimit <= f.MoveLimit && r.onTopOf(f) == f {
			best = min(best, r.R())
		}
	}
	return best
}

// Least returns the least R of what may be bid in an envelope, and of its defaults: whatever a bid may add lowers it to what
// was measured of that.
func (t ResistanceTable) Least(e bidding.Envelope) int {
	plain := e.Defaults
	plain.MoveLimit = e.MoveLimit[1]
	for kind := board.Pawn; kind <= board.Dragon; kind++ {
		plain.MovePoints[kind] = e.MovePoints[0]
	}
	least := min(t.Of(e.Defaults), t.Of(plain))
	for _, r := range t.Bids {
		if r.Bids != "" || r.features.MoveLimit > plain.MoveLimit {
			continue
		}
		bid := bidding.Bid{Target: bidding.Features, HasOutcome: true, Features: r.onTopOf(plain)}
		if r.Row != "" {
			bid = bidding.Bid{Target: bidding.HomeRow, HasOutcome: true, Row: r.Row}
		}
		if e.Check(bid) == nil {
			least = min(least, r.R())
		}
	}
	return least
}

// onTopOf returns features with what the row adds to the usual ones.
func (r Resistance) onTopOf(f board.Features) board.Features {
	f.Undos, f.Castlings = max(f.Undos, r.features.Undos), max(f.Castlings, r.features.Castlings)
	for _, key := range board.SwitchKeys() {
		if *r.features.Switch(key) {
			*f.Switch(key) = true
		}
	}
	return f
}

// Features returns the terms of the row.
func (r Resistance) Features() board.Features { return r.features }

//go:embed resistance.json
var resistance []byte

// ReadResistance reads a table as chpok-lab resistance writes it.
func ReadResistance(raw []byte) (t ResistanceTable, err error) {
	if err := json.Unmarshal(raw, &t); err != nil {
		return t, err
	}
	for _, rows := range [][]Resistance{t.Rows, t.Bids} {
		for i := range rows {
			if rows[i].features, err = bidding.ParseFeatures([]byte(rows[i].Terms)); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// MeasuredResistance returns what chpok-lab resistance has measured.
var MeasuredResistance = sync.OnceValue(func() ResistanceTable {
	t, err := ReadResistance(resistance)
	if err != nil {
		panic("fairplay: resistance.json: " + err.Error())
	}
	return t
})
