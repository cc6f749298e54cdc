package search

import (
	"context"
	"errors"
	"hash/fnv"
	"sync"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
)

// Bot is a house player. Bots that differ only in Seed are equally strong but have
// different tastes.
type Bot struct {
	Nodes int // how many positions it may look at for a move
	Error int // by how much it may misjudge a position, in hundredths of a pawn
	Seed  uint64
}

// ErrNotToAct is the error for a seat that has nothing to do now.
var ErrNotToAct = errors.New("search: the seat is not to act")

// ErrWait is the error when doing nothing is best: the seat has no action on the board,
// but is so far ahead that it wins even after its flag falls (Rules 2, D3).
var ErrWait = errors.New("search: the best is to let the flag fall")

// Choose returns what the bot does when it is its turn in a match. If the context is done
// from the start, that is an error; if it ends during the search, the answer is the best
// found so far.
func (b Bot) Choose(ctx context.Context, s match.State, seat match.Seat) (match.Command, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g := s.Game()
	switch s.Status() {
	case match.Over:
		return nil, match.ErrOver
	case match.Waiting:
		if s.IsReady(seat) {
			return nil, ErrNotToAct
		}
		return match.Ready{Seat: seat, Sealed: b.sealed(s, seat)}, nil
	}
	if c, ok := claim(g, seat); ok {
		return c, nil
	}
	if turn, ok := s.ToAct(); !ok || turn != seat {
		return nil, ErrNotToAct
	}
	seed := b.seed(s, seat)
	if s.Status() == match.Bidding {
		bid, err := BestBid(ctx, g.Bids(), s.Options().Envelope, seat, Taste{Seed: seed, Whim: 0.01 + float64(b.Error)/4000})
		if err != nil {
			return nil, err
		}
		return match.PlaceBid{Seat: seat, Bid: bid}, nil
	}
	b.Nodes = b.hurried(s, seat)
	position := g.Position()
	switch actions := position.Moves(nil); len(actions) {
	case 0:
		return stuck(g, seat)
	case 1:
		return match.Play{Seat: seat, Action: actions[0]}, nil
	}
	best := b.think(ctx, RootOf(g), seed, takenBack(s))
	if b.regrets(ctx, g, seat, seed, best) {
		return match.Undo{Seat: seat}, nil
	}
	return match.Play{Seat: seat, Action: best.Actions[0]}, nil
}

// A bot thinks for at most a fiftieth of its clock, assuming a busy machine that looks at
// only perSecond positions a second.
const (
	perThought = 50
	perSecond  = 250_000
)

// hurried returns how many positions the bot's clock lets it look at.
func (b Bot) hurried(s match.State, seat match.Seat) int {
	if s.Options().Untimed {
		return b.Nodes
	}
	_, first, second := s.Since()
	left := [2]time.Duration{first, second}[seat.Index()]
	return max(1, min(b.Nodes, int(left.Seconds()*perSecond/perThought)))
}

// worthUndo is how much more another move must have promised for the last one to be taken
// back.
const worthUndo = 0.2

// regrets reports whether to take the last move back (Rules 7.3): what came of it is far
// below what another one promised.
func (b Bot) regrets(ctx context.Context, g match.Game, seat match.Seat, seed uint64, now Line) bool {
	if g.MayUndo(seat) != nil {
		return false
	}
	plies := g.Plies()
	before := Root{Position: g.Positions()[0]}
	for _, p := range plies[:len(plies)-2] {
		before = before.Play(p.Action)
	}
	if len(before.Position.Moves(nil)) < 2 {
		return false
	}
	other := b.think(ctx, before, seed, []board.Action{plies[len(plies)-2].Action})
	return Expected(other.Score)-Expected(now.Score) >= worthUndo
}

// takenBack returns the actions already taken back in the position on the board.
func takenBack(s match.State) []board.Action {
	var played []board.Action
	tried := map[int][]board.Action{} // by the number of plies before them
	for _, e := range s.Standing() {
		switch event := e.Event.(type) {
		case match.Played:
			delete(tried, len(played)+1)
			delete(tried, len(played)+2)
			played = append(played, event.Action)
		case match.Undone:
			n := len(played) - 2
			tried[n] = append(tried[n], played[n])
			played = played[:n]
		}
	}
	return tried[len(played)]
}

// engines are reused: a table is far larger than anything else a turn needs.
var engines = sync.Pool{New: func() any { return NewEngine(tableBits) }}

const tableBits = 15

// think returns the best line of a position that has one. It remembers nothing from
// earlier turns, so the same question gets the same answer.
func (b Bot) think(ctx context.Context, root Root, seed uint64, avoid []board.Action) Line {
	e := engines.Get().(*Engine)
	defer engines.Put(e)
	e.Forget()
	return e.Search(ctx, root, Limits{Nodes: max(1, b.Nodes), Seed: seed | 1, Error: b.Error, Avoid: avoid}, nil)[0]
}

// sealed returns how many chips the bot would give up for draw odds: a cautious bot none
// or few, a bold one up to half. A lot drawn for the match keeps the number secret.
func (b Bot) sealed(s match.State, seat match.Seat) int {
	o := s.Options()
	if !o.Odds {
		return 0
	}
	most := o.MostSealed()
	boldness := int(b.Seed % 3)
	return min(most, boldness*most/5+int(b.seed(s, seat)%uint64(1+(most+2)/3)))
}

// seed returns the bot's taste in this match, derived from what everyone knows of it.
func (b Bot) seed(s match.State, seat match.Seat) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s.Commitment()))
	return mix(h.Sum64() ^ mix(b.Seed) ^ uint64(seat.Index()))
}

// mix spreads every bit over all the others.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// claim returns what a seat should claim under manual claims: a win, or a draw when
// nothing better is in sight.
func claim(g match.Game, seat match.Seat) (match.Command, bool) {
	winner, win := g.MayClaimWin()
	switch {
	case win && winner == seat:
		return match.Claim{Seat: seat, Win: true}, true
	case g.MayClaimDraw(): // the score is level, or the opponent's claim is valid too
		return match.Claim{Seat: seat}, true
	}
	return nil, false
}

// stuck returns what to do without any action on the board (Rules D3).
func stuck(g match.Game, seat match.Seat) (match.Command, error) {
	points := g.Points()
	switch {
	case points[seat.Index()]-match.FlagPenalty > points[seat.Other().Index()]:
		return nil, ErrWait
	case g.MayUndo(seat) == nil:
		return match.Undo{Seat: seat}, nil
	}
	return match.Resign{Seat: seat}, nil
}
