package duel

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/search"
)

// Config says how two programs meet.
type Config struct {
	Features board.Features
	Row      board.Row // "" for the standard row of the width
	Opening  int       // plies drawn by lot before each pair of games
	Pairs    int
	Nodes    [2]int // for each action
	Seed     uint64
	SPRT     *SPRT // ends the match once it is decided; nil plays all pairs
}

func (c Config) start() (board.Position, error) {
	row := c.Row
	if row == "" {
		row = board.StandardRow(c.Features.Width)
	}
	return board.Start(c.Features, row)
}

// flagPenalty is what running out of time costs (Rules 2).
const flagPenalty = 5000

// Game is a game that has been played.
type Game struct {
	Start   board.Position
	Actions []board.Action
	White   int // which program
	Score   int // for White: 1 won, 0 drawn, -1 lost
	End     string
}

// Match plays the pairs and calls report after each game.
func Match(ctx context.Context, programs [2]*Program, c Config, report func(Game, Tally)) (Tally, error) {
	var t Tally
	lots := rand.New(rand.NewPCG(c.Seed, 0xc40b))
	start, err := c.start()
	if err != nil {
		return t, err
	}
	for range c.Pairs {
		opening := draw(lots, start, c.Opening)
		points := 0
		for white := range programs {
			g, err := play(ctx, programs, c, start, opening, white)
			if err != nil {
				return t, err
			}
			score := g.Score
			if white == 1 {
				score = -score
			}
			points += score
			t.Add(score, g.End)
			if report != nil {
				report(g, t)
			}
		}
		t.Pairs[points+2]++
		if c.SPRT != nil && c.SPRT.Decide(t) != 0 {
			break
		}
	}
	return t, nil
}

// draw returns a random opening that does not end the game or leave a last king to be
// taken at once.
func draw(lots *rand.Rand, start board.Position, plies int) []board.Action {
	for {
		root := search.Root{Position: start}
		actions := make([]board.Action, 0, plies)
		for range plies {
			moves := root.Position.Moves(nil)
			if len(moves) == 0 {
				break
			}
			a := moves[lots.IntN(len(moves))]
			actions = append(actions, a)
			root = root.Play(a)
		}
		if _, over := root.Over(); !over && len(actions) == plies && isCalm(&root.Position) {
			return actions
		}
	}
}

func isCalm(p *board.Position) bool {
	for c := board.White; c <= board.Black; c++ {
		kings := p.Pieces(c, board.King)
		if p.Attacked(kings.First(), c.Other()) {
			return false
		}
	}
	return true
}

func play(ctx context.Context, programs [2]*Program, c Config, start board.Position, opening []board.Action, white int) (Game, error) {
	g := Game{Start: start, White: white, Actions: append([]board.Action(nil), opening...)}
	root := search.Root{Position: start}
	for _, a := range opening {
		root = root.Play(a)
	}
	for _, p := range programs {
		if err := p.NewGame(c.Features); err != nil {
			return g, err
		}
	}
	for {
		score, over := root.Over()
		if over {
			g.Score, g.End = score, end(&root.Position)
			return g, nil
		}
		us := root.Position.Turn()
		if len(root.Position.Moves(nil)) == 0 { // the flag will fall (Rules D3)
			lead := root.Position.Points(board.White) - root.Position.Points(board.Black)
			g.Score, g.End = Flagged(us, lead), "flag"
			return g, nil
		}
		if err := ctx.Err(); err != nil {
			return g, err
		}
		mover := white
		if us == board.Black {
			mover = 1 - white
		}
		a, err := programs[mover].Play(start, g.Actions, root, nodesOnly(c.Nodes[mover]))
		if err != nil {
			return g, err
		}
		g.Actions = append(g.Actions, a)
		root = root.Play(a)
	}
}

// Flagged returns White's score when a side's flag falls at White's given lead.
func Flagged(side board.Color, lead int) int {
	if side == board.White {
		return cmp.Compare(lead, flagPenalty)
	}
	return cmp.Compare(lead, -flagPenalty)
}

// end returns the reason code of a game that is over (Rules 3).
func end(p *board.Position) string {
	switch {
	case p.IsOver():
		return p.End().String()
	case p.FullMove() > p.Features().MoveLimit:
		return "move-limit"
	}
	return "claim"
}

// Tally counts the games of a match for the first program.
type Tally struct {
	Won, Drawn, Lost int
	Pairs            [5]int            // by the points of a pair, in halves
	Ends             map[string][3]int // by reason: won, drawn, lost
}

// Add counts a game by our score, 1, 0 or −1, and what ended it.
func (t *Tally) Add(score int, end string) {
	if t.Ends == nil {
		t.Ends = map[string][3]int{}
	}
	e := t.Ends[end]
	switch {
	case score > 0:
		t.Won++
		e[0]++
	case score < 0:
		t.Lost++
		e[2]++
	default:
		t.Drawn++
		e[1]++
	}
	t.Ends[end] = e
}

// Games returns the number of games played.
func (t Tally) Games() int { return t.Won + t.Drawn + t.Lost }

// Score returns the share of points and half the width of its 95 % interval. The interval
// is taken over pairs, since games from the same opening are not independent.
func (t Tally) Score() (share, margin float64) {
	n, mean, variance := t.moments()
	if n == 0 {
		return 0.5, 0.5
	}
	return mean, 1.96 * math.Sqrt(max(0, variance)/n)
}

// moments returns the number of pairs, and the mean and variance of their shares of the
// points.
func (t Tally) moments() (n, mean, variance float64) {
	square := 0.0
	for halves, count := range t.Pairs {
		x := float64(halves) / 4
		n += float64(count)
		mean += x * float64(count)
		square += x * x * float64(count)
	}
	if n == 0 {
		return 0, 0, 0
	}
	mean /= n
	return n, mean, square/n - mean*mean
}

// Elo returns the difference in rating a share of the points amounts to.
func Elo(share float64) float64 {
	share = min(0.999, max(0.001, share))
	return -400 * math.Log10(1/share-1)
}

// SPRT is a sequential test of two differences in rating, with an error of 5 % either way.
type SPRT struct{ Elo0, Elo1 float64 }

// Ratio returns the log-likelihood ratio, by the normal approximation over pairs.
func (s SPRT) Ratio(t Tally) float64 {
	n, mean, variance := t.moments()
	if n < 2 || variance <= 0 {
		return 0
	}
	expected := func(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
	low, high := expected(s.Elo0), expected(s.Elo1)
	return n * (high - low) * (2*mean - low - high) / (2 * variance)
}

// Decide returns 1 for the higher difference, -1 for the lower, 0 while undecided.
func (s SPRT) Decide(t Tally) int {
	bound := math.Log(0.95 / 0.05)
	switch ratio := s.Ratio(t); {
	case ratio >= bound:
		return 1
	case ratio <= -bound:
		return -1
	}
	return 0
}

// Calibrate returns how many positions a program looks at in a given processor time,
// measured on positions with the match's features.
func Calibrate(ctx context.Context, p *Program, c Config, each time.Duration) (int, error) {
	const probe, rounds = 60_000, 24
	lots := rand.New(rand.NewPCG(c.Seed, 7))
	start, err := c.start()
	if err != nil {
		return 0, err
	}
	if err := p.NewGame(c.Features); err != nil {
		return 0, err
	}
	before, err := p.CPU()
	if err != nil {
		return 0, err
	}
	for i := range rounds {
		actions := draw(lots, start, 4+i%8)
		root := search.Root{Position: start}
		for _, a := range actions {
			root = root.Play(a)
		}
		if _, err := p.Play(start, actions, root, nodesOnly(probe)); err != nil {
			return 0, err
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	after, err := p.CPU()
	if err != nil {
		return 0, err
	}
	if after <= before {
		return 0, fmt.Errorf("duel: %s uses no processor time that could be measured", p.Name)
	}
	return max(1, int(float64(probe*rounds)*each.Seconds()/(after-before).Seconds())), nil
}

// nodesOnly is the limit of so many positions.
func nodesOnly(n int) string { return fmt.Sprintf("nodes %d", n) }
