package search

import (
	_ "embed"
	"encoding/json"
	"math"
	"sync"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
)

// Worth is how White scored in games of the engine against itself: on terms that were
// played often, and by their traits on any others (`chpok-lab terms`).
type Worth struct {
	Traits []float64 `json:"traits"` // logits, in the order of TraitsOf
	Known  []Known   `json:"known"`
}

// Known is White's score on terms that were played often.
type Known struct {
	Features board.Features `json:"features"`
	Row      board.Row      `json:"row"`
	Games    int            `json:"games"`
	White    float64        `json:"white"`
}

// sealed is terms without what is worth the same to both sides.
type sealed struct {
	features board.Features
	row      board.Row
}

func seal(f board.Features, row board.Row) sealed {
	f.Castlings, f.Undos = 1, 0
	if f.MoveLimit > longGame {
		f.MoveLimit = board.DefaultFeatures().MoveLimit
	}
	return sealed{f, row}
}

// longGame is a move limit hardly any game reaches.
const longGame = 80

//go:embed worth.json
var worthFile []byte

var worth = sync.OnceValue(func() (w struct {
	traits []float64
	known  map[sealed]float64
}) {
	var file Worth
	if err := json.Unmarshal(worthFile, &file); err != nil {
		panic("search: worth.json: " + err.Error()) // it is part of the program
	}
	w.traits, w.known = file.Traits, make(map[sealed]float64, len(file.Known))
	for _, k := range file.Known {
		w.known[seal(k.Features, k.Row)] = k.White
	}
	return w
})

// WorthOfWhite returns the share of the points White can expect on some terms.
func WorthOfWhite(f board.Features, row board.Row) float64 {
	w := worth()
	if share, ok := w.known[seal(f, row)]; ok {
		return share
	}
	return Estimate(w.traits, f, row)
}

// Estimate returns what traits alone say of some terms.
func Estimate(logits []float64, f board.Features, row board.Row) float64 {
	sum := 0.0
	for i, trait := range TraitsOf(f, row) {
		sum += trait * logits[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// TraitsOf returns the numbers that describe terms: switches, width, move limit, points
// for pieces, the home row, and what works together.
func TraitsOf(f board.Features, row board.Row) []float64 {
	on := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	traits := []float64{1, float64(f.Width-8) / 2}
	for _, key := range bidding.Switches {
		traits = append(traits, on(bidding.SwitchOn(f, key)))
	}
	short := max(0, 1-float64(f.MoveLimit-10)/30)
	traits = append(traits, short, short*float64(f.Width-8)/2)
	var share [8]float64
	for _, letter := range []byte(row) {
		for kind := board.Pawn; kind <= board.Dragon; kind++ {
			if kind.String()[0] == letter {
				share[kind] += 1 / float64(len(row))
			}
		}
	}
	for kind := board.Pawn; kind <= board.Dragon; kind++ {
		traits = append(traits, float64(f.MovePoints[kind])/9, share[kind])
	}
	kings := share[board.King] - 1/float64(max(1, len(row)))
	return append(traits, kings*on(f.KingOfTheHill), kings*on(f.KingsRun), on(f.KingOfTheHill && f.FierceKings),
		kings*on(f.KingOfTheHill && f.FierceKings), share[board.Queen]*on(f.MightyQueens), short*on(f.KingOfTheHill), short*on(f.MightyQueens))
}
