// Package selfplay lets the engine play itself, so that its evaluation and its bidding are
// learned and measured (docs/engine.md).
package selfplay

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/duel"
	"chpok.org/chpok/engine/search"
)

// Sample is a game of our engine against itself on some terms. White is 2 if White won, 1
// for a draw.
type Sample struct {
	Features board.Features `json:"features"`
	Row      board.Row      `json:"row"`
	White    int            `json:"white"`
}

// ReadSamples reads what SampleTerms wrote.
func ReadSamples(r io.Reader) (list []Sample, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var s Sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return list, err
		}
		list = append(list, s)
	}
	return list, lines.Err()
}

// SampleTerms plays our engine against itself on random terms and writes a line for each
// game. Some terms are anything at all; some are those a bidder considers; and some are
// those a bidder would ask for: the best known for a color, given the home row or the
// features, or of all.
func SampleTerms(ctx context.Context, w io.Writer, games, nodes int, seed uint64) error {
	lots := rand.New(rand.NewPCG(seed, 0))
	e := search.NewEngine(14)
	out := json.NewEncoder(w)
	known := menu()
	for range games {
		var t *tried
		s := Sample{}
		switch lots.IntN(10) {
		case 0, 1, 2:
			s.Features, s.Row = AnyTerms(lots)
		case 3:
			t = &known[lots.IntN(len(known))]
		default:
			t = extreme(known, lots)
		}
		if t != nil {
			s.Features, s.Row = t.features, t.row
		}
		var err error
		if s.White, err = selfPlay(ctx, e, s.Features, s.Row, nodes, lots); err != nil {
			return err
		}
		if t != nil {
			t.games++
			t.half += s.White
		}
		if err := out.Encode(s); err != nil {
			return err
		}
	}
	return nil
}

// tried are terms, and how White has scored on them so far.
type tried struct {
	features    board.Features
	row         board.Row
	games, half int
	before      float64 // by the table in force
}

func menu() (list []tried) {
	for width := board.MinWidth; width <= board.MaxWidth; width += 2 {
		for _, f := range search.Twists(board.DefaultFeatures(), width) {
			for _, row := range search.Armies(width) {
				list = append(list, tried{features: f, row: row, before: search.WorthOfWhite(f, row)})
			}
		}
	}
	return list
}

// believed is how many games the table in force counts for.
const believed = 10

// extreme returns the terms that may favor a color most, as far as is known: of all, or of
// those with a home row or features drawn by lot.
func extreme(list []tried, lots *rand.Rand) *tried {
	given, fixed, white := &list[lots.IntN(len(list))], lots.IntN(3), lots.IntN(2) == 0
	best, found := -1.0, given
	for i := range list {
		t := &list[i]
		if fixed == 1 && t.row != given.row || fixed == 2 && t.features != given.features {
			continue
		}
		n := float64(t.games + believed)
		worth := (float64(t.half)/2 + believed*t.before) / n
		if !white {
			worth = 1 - worth
		}
		if worth += 0.6 / math.Sqrt(n); worth > best {
			best, found = worth, t
		}
	}
	return found
}

// AnyTerms returns features and a home row by lot, the usual ones most often.
func AnyTerms(lots *rand.Rand) (board.Features, board.Row) {
	f := board.DefaultFeatures()
	f.Width = board.MinWidth + lots.IntN(board.MaxWidth-board.MinWidth+1)
	f.Castlings = lots.IntN(3)
	for _, key := range bidding.Switches {
		*f.Switch(key) = lots.IntN(6) == 0
	}
	if lots.IntN(4) == 0 {
		f.MoveLimit = 10 + lots.IntN(25)
	}
	if lots.IntN(4) == 0 {
		f.MovePoints[board.Pawn+board.Kind(lots.IntN(6))] = 1 + lots.IntN(9)
	}
	row := []byte(board.StandardRow(f.Width))
	for range lots.IntN(2) * lots.IntN(2*f.Width) {
		row[lots.IntN(f.Width)] = "KQRBNDP"[lots.IntN(7)]
	}
	if board.ValidateRow(board.Row(row), f.Width) != nil {
		row[f.Width/2] = 'K'
	}
	return f, board.Row(row)
}

// How long a game of the engine against itself lasts at most, and which score then counts
// as won.
const (
	longestSelfPlay = 160
	clearlyWon      = 250
)

func selfPlay(ctx context.Context, e *search.Engine, f board.Features, row board.Row, nodes int, lots *rand.Rand) (int, error) {
	p, err := board.Start(f, row)
	if err != nil {
		return 0, err
	}
	return playOut(ctx, e, search.Root{Position: p}, nodes, lots, nil)
}

// playOut plays a game of our engine against itself to its end: 2 if White won, 1 for a
// draw. each, unless nil, sees every position with the best line found.
func playOut(
	ctx context.Context, e *search.Engine, root search.Root, nodes int, lots *rand.Rand, each func(search.Root, search.Line),
) (int, error) {
	e.Forget()
	limits := search.Limits{Nodes: nodes, Seed: lots.Uint64() | 1, Error: 20}
	for ply := 0; ; ply++ {
		if white, over := root.Over(); over {
			return white + 1, nil
		}
		lines := e.Search(ctx, root, limits, nil)
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		us := root.Position.Turn()
		if len(lines) == 0 { // the flag will fall (Rules D3)
			return duel.Flagged(us, root.Position.Points(board.White)-root.Position.Points(board.Black)) + 1, nil
		}
		if ply >= longestSelfPlay {
			score := lines[0].Score
			if us == board.Black {
				score = -score
			}
			switch {
			case score > clearlyWon:
				return 2, nil
			case score < -clearlyWon:
				return 0, nil
			}
			return 1, nil
		}
		if each != nil {
			each(root, lines[0])
		}
		root = root.Play(lines[0].Actions[0])
	}
}

// Constants of the fit.
const (
	fitSteps  = 400
	fitSpeed  = 2.0
	fitRidge  = 0.002 // pulls the weights of traits toward zero
	knownFrom = 24    // games for terms to get an entry of their own
	prior     = 30    // games the traits count for in such an entry
)

// FitTerms learns from samples what White is worth.
func FitTerms(samples []Sample) search.Worth {
	var w search.Worth
	rows := make([][]float64, len(samples))
	for i, s := range samples {
		rows[i] = search.TraitsOf(s.Features, s.Row)
	}
	if len(rows) == 0 {
		return w
	}
	w.Traits = make([]float64, len(rows[0]))
	slope := make([]float64, len(w.Traits))
	for range fitSteps {
		clear(slope)
		for i, s := range samples {
			sum := 0.0
			for j, trait := range rows[i] {
				sum += trait * w.Traits[j]
			}
			off := float64(s.White)/2 - 1/(1+math.Exp(-sum))
			for j, trait := range rows[i] {
				slope[j] += off * trait
			}
		}
		for j := range w.Traits {
			w.Traits[j] += fitSpeed * (slope[j]/float64(len(samples)) - fitRidge*w.Traits[j])
		}
	}
	for j, t := range w.Traits {
		w.Traits[j] = math.Round(t*1000) / 1000
	}
	return AddTerms(w, samples)
}

// AddTerms adds the games of samples to a table's entries for single terms. Its traits stay
// as they are.
func AddTerms(w search.Worth, samples []Sample) search.Worth {
	list := together(samples)
	for _, k := range w.Known {
		i := slices.IndexFunc(list, func(t tried) bool { return t.features == k.Features && t.row == k.Row })
		if i < 0 {
			i, list = len(list), append(list, tried{features: k.Features, row: k.Row})
		}
		n, traits := float64(k.Games), search.Estimate(w.Traits, k.Features, k.Row)
		list[i].games += k.Games
		list[i].half += int(math.Round(2 * (k.White*(n+prior) - prior*traits)))
	}
	slices.SortStableFunc(list, func(a, b tried) int { return b.games - a.games })
	w.Known = nil
	for _, t := range list {
		if t.games < knownFrom {
			continue
		}
		n := float64(t.games)
		white := (float64(t.half)/2 + prior*search.Estimate(w.Traits, t.features, t.row)) / (n + prior)
		w.Known = append(w.Known, search.Known{Features: t.features, Row: t.row, Games: t.games, White: math.Round(white*1000) / 1000})
	}
	return w
}

// together sums up the samples by terms, the most played first.
func together(samples []Sample) []tried {
	type terms struct {
		features board.Features
		row      board.Row
	}
	at := map[terms]int{}
	var list []tried
	for _, s := range samples {
		key := terms{s.Features, s.Row}
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key] = i
			list = append(list, tried{features: s.Features, row: s.Row})
		}
		list[i].games++
		list[i].half += s.White
	}
	slices.SortStableFunc(list, func(a, b tried) int { return b.games - a.games })
	return list
}
