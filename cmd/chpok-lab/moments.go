package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/player/house"
)

// momentsCmd asks a teacher, a far longer search, about the moments that are said to have decided
// matches.
type momentsCmd struct {
	Matches int    `default:"10" help:"How many whole matches between bots of neighboring levels."`
	Longest int    `default:"120" help:"Plies of a match at most; then the one to move resigns."`
	Times   int    `default:"20" help:"How many times the positions of a first look the teacher looks at."`
	Seed    uint64 `default:"1" help:"Seed of the matches."`
}

// judgedMoments counts moments by what the teacher says of them, and lists them as rows of a table.
type judgedMoments struct {
	told, bids, real, better, asked, shared int
	rows                                    []string
}

func (t judgedMoments) String() string {
	return fmt.Sprintf("%d moments, %d of them bids; of the others %d gave as much away to the teacher; of %d better moves %d are better; "+
		"%d of all are among the teacher's three", t.told, t.bids, t.real, t.asked, t.better, t.shared)
}

// Run plays the matches and prints how many moments the teacher shares.
func (c *momentsCmd) Run(ctx context.Context, std cli.IO) error {
	lots := rand.New(rand.NewPCG(c.Seed, 0x303e275))
	var t judgedMoments
	for m := range c.Matches {
		s, err := c.play(ctx, lots)
		if err != nil {
			return err
		}
		if err := c.judge(ctx, s, &t); err != nil {
			return err
		}
		fmt.Fprintf(std.Err, "match %d: %d plies, %s; so far %v\n", m+1, s.Game().PlyCount(), s.Result().Reason, t)
		for _, row := range t.rows {
			fmt.Fprintf(std.Out, "| %d | %s |\n", m+1, row)
		}
		t.rows = nil
	}
	fmt.Fprintf(std.Out, "%d matches: %v\n", c.Matches, t)
	return nil
}

// play lets two bots of neighboring levels play a match, the bidding with six chips included.
func (c *momentsCmd) play(ctx context.Context, lots *rand.Rand) (s match.State, err error) {
	o := match.DefaultOptions()
	o.Envelope.Chips = 6
	var seed match.Seed
	for i := range seed {
		seed[i] = byte(lots.Uint32())
	}
	now := time.UnixMilli(0).UTC()
	add := func(events []match.Event) {
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: now, Event: e})
		}
	}
	add(match.Open(o, seed))
	level := lots.IntN(house.Levels - 1)
	var bots [2]search.Bot
	for i := range bots {
		b := house.Bots()[level+i]
		bots[i] = search.Bot{Nodes: b.Nodes, Error: b.Error, Seed: lots.Uint64()}
	}
	for s.Status() != match.Over {
		seat, _ := s.ToAct()
		var next match.Command = match.Resign{Seat: seat}
		if s.Game().PlyCount() < c.Longest {
			if next, err = bots[seat.Index()].Choose(ctx, s, seat); err != nil {
				return s, err
			}
		}
		events, err := match.Decide(s, next, now)
		if err != nil {
			return s, err
		}
		add(events)
	}
	return s, nil
}

// judge compares the moments of a match with what the teacher says.
func (c *momentsCmd) judge(ctx context.Context, s match.State, t *judgedMoments) error {
	roots, played := analysis.Roots(s.Game())
	e, teacher := search.NewEngine(analyst.TableBits), search.NewEngine(20)
	var r analysis.Report
	for more := true; more; {
		var err error
		if more, err = r.Look(ctx, e, roots, played, analyst.Nodes); err != nil {
			return err
		}
	}
	r.Bids = analysis.Bids(ctx, s)
	nodes := analysis.Nodes{First: c.Times * analyst.Nodes.First}
	knows := analysis.Report{Second: map[int]analysis.Point{}, Bids: r.Bids}
	for i := range roots {
		teacher.Forget()
		if _, err := knows.Look(ctx, teacher, roots, played, nodes); err != nil {
			return err
		}
		knows.Second[i] = knows.Points[i] // it looks once, and long
	}
	shared := map[[3]int]bool{}
	key := func(m analysis.Moment) [3]int { return [3]int{int(m.Kind), m.Step, m.Ply} }
	for _, m := range analysis.Moments(s, knows) {
		shared[key(m)] = true
	}
	for _, m := range analysis.Moments(s, r) {
		row := fmt.Sprintf("%v of %v | %d | -%.0f %%", m.Kind, m.Seat, max(m.Ply, m.Step), 100*m.Loss)
		t.told++
		isShared := shared[key(m)]
		if isShared {
			t.shared++
		}
		if m.Kind == analysis.DearBid { // chpok-lab terms dear
			t.bids++
			t.rows = append(t.rows, fmt.Sprintf("%s | | | | %v", row, isShared))
			continue
		}
		by := s.Game().Color(m.Seat)
		if m.Kind != analysis.BadMove {
			had := share(knows.Points[m.Ply], by)
			if analysis.GradeOf(had) > analysis.Sound || m.Kind == analysis.MissedClaim {
				t.real++
			}
			t.rows = append(t.rows, fmt.Sprintf("%s | -%.0f %% | | | %v", row, 100*had, isShared))
			continue
		}
		loss := analysis.Loss(knows.Points[m.Ply], knows.Points[m.Ply+1], played[m.Ply], by)
		if analysis.GradeOf(loss) > analysis.Sound {
			t.real++
		}
		var after analysis.Report
		teacher.Forget()
		if _, err := after.Look(ctx, teacher, []search.Root{roots[m.Ply].Play(m.Move.Best[0])}, nil, nodes); err != nil {
			return err
		}
		gain := share(after.Points[0], by) - share(knows.Points[m.Ply+1], by)
		t.asked++
		if gain > 0 {
			t.better++
		}
		t.rows = append(t.rows, fmt.Sprintf("%s | -%.0f %% | %v, not %v | %+.0f %% | %v",
			row, 100*loss, m.Move.Best[0], played[m.Ply], 100*gain, isShared))
	}
	return nil
}

// share returns what a color can expect of the point.
func share(p analysis.Point, of board.Color) float64 {
	if of == board.Black {
		return 1 - p.White
	}
	return p.White
}
