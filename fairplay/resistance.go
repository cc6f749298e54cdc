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

// ResistanceTable is what was measured of how much an engine gains somebody who asks it, by the terms: games between two
// simulated club players of whom one asks.
type ResistanceTable struct {
	Engine  string       `json:"engine"`  // the ordinary chess engine
	Version int          `json:"version"` // of our own
	Nodes   int          `json:"nodes"`   // positions that an engine looks at when it is asked
	Games   int          `json:"games"`   // for each figure
	Rows    []Resistance `json:"rows"`
}

// Resistance is one row: what those won who asked an ordinary chess engine about every move, about a quarter of them, and a
// Chpok engine about every move. Without asking it is a half.
type Resistance struct {
	Terms  string      `json:"terms"` // as in MeasuredTerms
	Scores [3]Measured `json:"scores"`
	At     string      `json:"at"` // YYYY-MM-DD

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
// for moves are uneven; of nothing else it is known that it matters.
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
	return best
}

// Features returns the terms of the row.
func (r Resistance) Features() board.Features { return r.features }

// Has reports whether terms are in the table.
func (t ResistanceTable) Has(terms string) bool {
	return slices.ContainsFunc(t.Rows, func(r Resistance) bool { return r.Terms == terms })
}

//go:embed resistance.json
var resistance []byte

// MeasuredResistance returns what chpok-lab resistance has measured.
var MeasuredResistance = sync.OnceValue(func() (t ResistanceTable) {
	if err := json.Unmarshal(resistance, &t); err != nil {
		panic("fairplay: resistance.json: " + err.Error())
	}
	for i := range t.Rows {
		f, err := bidding.ParseFeatures([]byte(t.Rows[i].Terms))
		if err != nil {
			panic("fairplay: resistance.json: " + err.Error())
		}
		t.Rows[i].features = f
	}
	return t
})
