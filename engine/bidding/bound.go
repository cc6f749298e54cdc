package bidding

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
)

// Bound is one bound of an envelope that is made of numbers. Its row is all that the rulebook, the
// JSON, forms, facts and the description of the API need of it, beside its text (tournament.envelope.KEY).
// What bounds bids, not their outcome, has its default in DefaultEnvelope, and State judges it.
// One of Number, Span and List holds it.
type Bound struct {
	Key    string // in the envelope's JSON, in forms and in texts
	Widest [2]int // the least and the most that the rules allow

	Number func(*Envelope) *int
	Span   func(*Envelope) *[2]int // the least and the most
	List   func(*Envelope) *[]int  // ascending

	time     func(TimeControl) int        // what it bounds of a time control; nil: nothing
	Feature  string                       // the key of what it bounds of the features
	Features func(*board.Features) []*int // the numbers that it bounds of them; nil: none
}

// Bounds lists them in the order of the JSON.
var Bounds = []Bound{
	{Key: "chips", Widest: [2]int{MinChips, MaxChips}, Number: func(e *Envelope) *int { return &e.Chips }},
	{Key: "minutes", Widest: [2]int{MinMinutes, MaxMinutes}, Span: func(e *Envelope) *[2]int { return &e.Minutes },
		time: func(c TimeControl) int { return c.Minutes }},
	{Key: "increment", Widest: [2]int{MinIncrement, MaxIncrement}, Span: func(e *Envelope) *[2]int { return &e.Increment },
		time: func(c TimeControl) int { return c.Increment }},
	{Key: "widths", Widest: [2]int{board.MinWidth, board.MaxWidth}, List: func(e *Envelope) *[]int { return &e.Widths },
		Feature: "width", Features: func(f *board.Features) []*int { return []*int{&f.Width} }},
	{Key: "moveLimit", Widest: [2]int{10, 999}, Span: func(e *Envelope) *[2]int { return &e.MoveLimit },
		Feature: "moveLimit", Features: func(f *board.Features) []*int { return []*int{&f.MoveLimit} }},
	{Key: "undos", Widest: [2]int{0, 5}, Span: func(e *Envelope) *[2]int { return &e.Undos },
		Feature: "undos", Features: func(f *board.Features) []*int { return []*int{&f.Undos} }},
	{Key: "castlings", Widest: [2]int{0, 5}, Span: func(e *Envelope) *[2]int { return &e.Castlings },
		Feature: "castlings", Features: func(f *board.Features) []*int { return []*int{&f.Castlings} }},
	{Key: "movePoints", Widest: [2]int{0, 9}, Span: func(e *Envelope) *[2]int { return &e.MovePoints },
		Feature: "movePoints", Features: func(f *board.Features) (points []*int) {
			for kind := board.Pawn; kind <= board.Dragon; kind++ {
				points = append(points, &f.MovePoints[kind])
			}
			return points
		}},
}

// widen makes the bound as wide as the rules allow; one that is a number stays.
func (b Bound) widen(e *Envelope) {
	switch {
	case b.Span != nil:
		*b.Span(e) = b.Widest
	case b.List != nil:
		for n := b.Widest[0]; n <= b.Widest[1]; n++ {
			*b.List(e) = append(*b.List(e), n)
		}
	}
}

// faults adds what is wrong with the bound.
func (b Bound) faults(e Envelope, p *faults) {
	outside := func(value any) { p.outside(b.Key, value, b.Widest[0], b.Widest[1]) }
	switch {
	case b.Number != nil:
		if n := *b.Number(&e); !within(n, b.Widest) {
			outside(n)
		}
	case b.Span != nil:
		have := *b.Span(&e)
		if have[0] > have[1] {
			p.add(b.Key, "order", fmt.Sprintf("%d is above %d", have[0], have[1]), "Low", have[0], "High", have[1])
		}
		if have[0] < b.Widest[0] || have[1] > b.Widest[1] {
			outside(span(have))
		}
	case b.List != nil:
		list := *b.List(&e)
		if len(list) == 0 {
			p.add(b.Key, "none", "at least one is needed")
		}
		for i, n := range list {
			if !within(n, b.Widest) {
				outside(n)
			}
			if i > 0 && n <= list[i-1] {
				p.add(b.Key, "", fmt.Sprintf("%d does not rise", n))
			}
		}
	}
}

// check returns nil for a number within the bound.
func (b Bound) check(e *Envelope, n int) *Refusal {
	nearest, is := b.nearest(e, n)
	if is {
		return nil
	}
	r := &Refusal{Code: OutOfEnvelope, Bound: b.Key, Nearest: strconv.Itoa(nearest)}
	if b.List != nil {
		r.Allowed = list(*b.List(e))
	} else {
		r.Allowed = span(*b.Span(e))
	}
	return r
}

// nearest returns the number within the bound that differs least, the first of two, and whether it is n.
func (b Bound) nearest(e *Envelope, n int) (best int, is bool) {
	if b.Span != nil {
		best = max(b.Span(e)[0], min(b.Span(e)[1], n))
		return best, best == n
	}
	for i, v := range *b.List(e) {
		if i == 0 || abs(v-n) < abs(best-n) {
			best = v
		}
	}
	return best, best == n && len(*b.List(e)) > 0
}

// read takes the bound from its JSON.
func (b Bound) read(r *envelopeReader, raw json.RawMessage) {
	switch {
	case b.Number != nil:
		n, ok := exact.Int(raw)
		if !ok {
			r.fault("%s: a whole number is needed", b.Key)
			return
		}
		*b.Number(&r.e) = n
	case b.Span != nil:
		ns := r.ints(b.Key, raw)
		if len(ns) != 2 {
			r.fault("%s: [lowest, highest] is needed", b.Key)
			return
		}
		*b.Span(&r.e) = [2]int{ns[0], ns[1]}
	case b.List != nil:
		if ns := r.ints(b.Key, raw); ns != nil {
			slices.Sort(ns)
			*b.List(&r.e) = ns
		}
	}
}

// json returns what its JSON is written from.
func (b Bound) json(e *Envelope) any {
	switch {
	case b.Number != nil:
		return *b.Number(e)
	case b.Span != nil:
		return *b.Span(e)
	}
	return append([]int{}, *b.List(e)...)
}

// Nearest moves features within the bounds, but for those whose key stays.
func (e Envelope) Nearest(f board.Features, stays func(feature string) bool) board.Features {
	for _, b := range Bounds {
		if b.Features == nil || stays(b.Feature) {
			continue
		}
		for _, n := range b.Features(&f) {
			if b.List == nil || len(*b.List(&e)) > 0 {
				*n, _ = b.nearest(&e, *n)
			}
		}
	}
	return f
}

func within(n int, b [2]int) bool { return n >= b[0] && n <= b[1] }

func span(b [2]int) string { return strconv.Itoa(b[0]) + "…" + strconv.Itoa(b[1]) }

func abs(n int) int { return max(n, -n) }
