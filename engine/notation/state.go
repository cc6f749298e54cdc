package notation

import (
	"encoding/json"
	"slices"
	"strconv"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// StateJSON returns the state of a game exactly as replay prints it (Rules 11); in live matches l
// is match.FirstIsA. With legal the board phase lists every legal action.
func StateJSON(g match.Game, l match.Letters, legal bool) []byte {
	w := stateWriter{letters: l, legal: legal}
	w.state(g)
	return w.b
}

// stateWriter writes states to a buffer, and can be reused.
type stateWriter struct {
	b       []byte
	letters match.Letters
	legal   bool
	moves   []board.Action
	texts   []string
}

func (w *stateWriter) text(s string) { w.b = append(w.b, s...) }
func (w *stateWriter) int(n int)     { w.b = strconv.AppendInt(w.b, int64(n), 10) }

// seat writes the letter of a seat in quotes, or null.
func (w *stateWriter) seat(s match.Seat, ok bool) {
	if !ok {
		w.text("null")
		return
	}
	w.b = append(w.b, '"')
	w.text(w.letters.Of(s))
	w.b = append(w.b, '"')
}

// seats returns the seats of A and B.
func (w *stateWriter) seats() (a, b match.Seat) {
	a, _ = w.letters.Seat("A")
	return a, a.Other()
}

// pair writes {"A":…,"B":…}.
func (w *stateWriter) pair(of func(match.Seat) int) {
	a, b := w.seats()
	w.text(`{"A":`)
	w.int(of(a))
	w.text(`,"B":`)
	w.int(of(b))
	w.text(`}`)
}

func (w *stateWriter) points(points [2]int) {
	w.text(`"points":`)
	w.pair(func(s match.Seat) int { return points[s.Index()] })
}

func (w *stateWriter) state(g match.Game) {
	w.text(`{"phase":"`)
	w.text(g.Phase().String())
	w.text(`",`)
	switch g.Phase() {
	case match.PhaseBidding:
		w.bidding(g)
	case match.PhaseBoard:
		w.board(g)
	case match.PhaseOver:
		w.finished(g.Result())
	}
	w.b = append(w.b, '}')
}

func (w *stateWriter) bidding(g match.Game) {
	bids := g.Bids()
	w.text(`"turn":`)
	w.seat(bids.Turn())
	w.text(`,"chips":`)
	w.pair(bids.Purse)
	w.text(`,"stakes":{`)
	a, b := w.seats()
	for t := bidding.White; t <= bidding.Features; t++ {
		if t > bidding.White {
			w.b = append(w.b, ',')
		}
		w.text(`"` + t.String() + `":[`)
		w.int(bids.Stake(t, a))
		w.b = append(w.b, ',')
		w.int(bids.Stake(t, b))
		w.b = append(w.b, ']')
	}
	w.text(`},"white":`)
	w.seat(bids.White())
	w.text(`,"time":`)
	if c, ok := bids.Time(); ok {
		w.text(`{"minutes":`)
		w.int(c.Minutes)
		w.text(`,"increment":`)
		w.int(c.Increment)
		w.text(`}`)
	} else {
		w.text("null")
	}
	w.text(`,"row":"`)
	w.text(string(bids.Row()))
	w.text(`","features":`)
	w.b = append(w.b, featuresJSON(bids.Features())...)
	w.text(`,"pending":[`)
	var buf [2]bidding.Target
	for i, t := range bids.AppendPending(buf[:0]) {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.text(`"` + t.String() + `"`)
	}
	w.b = append(w.b, ']')
}

func featuresJSON(f board.Features) []byte {
	raw, err := json.Marshal(f)
	if err != nil {
		panic(err) // it always encodes
	}
	return raw
}

func (w *stateWriter) board(g match.Game) {
	pos := g.Position()
	w.text(`"turn":`)
	w.seat(g.Turn())
	w.text(`,"white":`)
	w.seat(g.SeatOf(board.White), true)
	w.text(`,"cfen":"`)
	w.text(pos.CFEN())
	w.text(`",`)
	w.points(g.Points())
	w.text(`,"undos":`)
	w.pair(g.UndosLeft)
	w.text(`,"claims":{"win":`)
	w.seat(g.MayClaimWin())
	w.text(`,"draw":`)
	w.b = strconv.AppendBool(w.b, g.MayClaimDraw())
	w.text(`}`)
	if w.legal {
		w.text(`,"legal":[`)
		w.moves = pos.Moves(w.moves[:0])
		w.texts = w.texts[:0]
		for _, a := range w.moves {
			w.texts = append(w.texts, a.String())
		}
		slices.Sort(w.texts)
		for i, text := range w.texts {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.text(`"` + text + `"`)
		}
		w.b = append(w.b, ']')
	}
}

func (w *stateWriter) finished(r match.Result) {
	w.text(`"result":`)
	if by, ok := r.Outcome.Winner(); ok {
		w.seat(by, true)
	} else {
		w.text(`"` + r.Outcome.String() + `"`)
	}
	w.text(`,"reason":"`)
	w.text(string(r.Reason))
	w.text(`",`)
	w.points(r.Points)
}
