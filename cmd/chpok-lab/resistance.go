package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/duel"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/screening"
)

// resistanceCmd measures how much an engine gains somebody who asks it, by the terms.
type resistanceCmd struct {
	Engine string `required:"" placeholder:"COMMAND" help:"An ordinary chess engine that takes a variants file, such as Fairy-Stockfish."`
	Games  int    `default:"200" help:"Games for each terms and way of asking, half of them as White."`
	Nodes  int    `default:"3000" help:"Positions that an engine looks at when it is asked."`
	Seed   uint64 `default:"1" help:"Seed of the players."`
	Into   string `required:"" placeholder:"FILE" help:"File into which each measured terms is written at once; what stands there is kept, so that a stopped run goes on."`
}

// clubStrength is how well the simulated club player chooses: the club's of docs/evidence.md.
const (
	clubStrength = 0.029
	clubShape    = 0.93
	clubNodes    = 1500 // positions by which what actions give away is judged
)

// askers are the ways of asking that are measured.
var askers = []struct {
	name  string
	ours  bool
	share float64
}{{"ordinary", false, 1}, {"ordinary-quarter", false, 0.25}, {"chpok", true, 1}}

// Run measures the terms that are not in the file yet.
func (c *resistanceCmd) Run(ctx context.Context, std cli.IO) error {
	var table fairplay.ResistanceTable
	if raw, err := os.ReadFile(c.Into); err == nil {
		if err := json.Unmarshal(raw, &table); err != nil {
			return cli.Fail(2, "%s: %w", c.Into, err)
		}
	} else if !os.IsNotExist(err) {
		return err
	}
	table.Version, table.Nodes, table.Games = search.Version, c.Nodes, c.Games
	for _, text := range fairplay.MeasuredTerms {
		if table.Has(text) {
			continue
		}
		row, err := c.measure(ctx, std, text, &table)
		if err != nil {
			return err
		}
		table.Rows = append(table.Rows, row)
		raw, err := json.MarshalIndent(table, "", " ")
		if err == nil {
			err = os.WriteFile(c.Into, append(raw, '\n'), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measure measures some terms with a program of their own: a second variants file does not reach a running one.
func (c *resistanceCmd) measure(ctx context.Context, std cli.IO, text string, table *fairplay.ResistanceTable) (fairplay.Resistance, error) {
	row := fairplay.Resistance{Terms: text}
	f, err := bidding.ParseFeatures([]byte(text))
	if err != nil {
		return row, fmt.Errorf("%s: %w", text, err)
	}
	program, err := duel.Launch(ctx, c.Engine)
	if err != nil {
		return row, err
	}
	defer program.Close()
	table.Engine = program.Name
	for i, a := range askers {
		began := time.Now()
		m := meeting{e: search.NewEngine(16), asked: search.NewEngine(18), share: a.share, nodes: c.Nodes, lots: rand.New(rand.NewPCG(c.Seed, 0x4e5)), features: f}
		if !a.ours {
			m.program = program
		}
		if row.Scores[i], err = m.play(ctx, c.Games); err != nil {
			return row, fmt.Errorf("%s, %s: %w", text, a.name, err)
		}
		fmt.Fprintf(std.Err, "%s %s: %.3f ± %.3f, %d s\n", text, a.name, row.Scores[i].Share, row.Scores[i].Margin, int(time.Since(began).Seconds()))
	}
	row.At = time.Now().UTC().Format(time.DateOnly)
	return row, nil
}

// meeting is games between somebody who asks and somebody who does not.
type meeting struct {
	e, asked *search.Engine
	program  *duel.Program // that is asked; nil: ours
	share    float64       // of the moves that are asked about
	nodes    int
	lots     *rand.Rand
	features board.Features
}

// play returns what the games brought whoever asked.
func (m *meeting) play(ctx context.Context, games int) (fairplay.Measured, error) {
	start, err := board.Start(m.features, board.StandardRow(m.features.Width))
	if err != nil {
		return fairplay.Measured{}, err
	}
	if m.program != nil {
		if err := m.program.NewGame(m.features); err != nil {
			return fairplay.Measured{}, err
		}
	}
	sum, squares := 0.0, 0.0
	for i := range games {
		m.asked.Forget()
		share, err := m.game(ctx, start, board.Color(i%2))
		if err != nil {
			return fairplay.Measured{}, err
		}
		sum, squares = sum+share, squares+share*share
	}
	n := float64(games)
	mean := sum / n
	deviation := math.Sqrt(max(0, squares/n-mean*mean) / n)
	return fairplay.Measured{Share: math.Round(mean*1000) / 1000, Margin: math.Round(1.96*deviation*1000) / 1000}, nil
}

// longestGame is after how many actions a game is broken off, and whoever leads has won.
const longestGame = 240

// game plays one game and returns the asker's share of the point.
func (m *meeting) game(ctx context.Context, start board.Position, asker board.Color) (float64, error) {
	root := search.Root{Position: start}
	var played []board.Action
	for {
		white, over := root.Over()
		us := root.Position.Turn()
		lead := root.Position.Points(board.White) - root.Position.Points(board.Black)
		switch {
		case over:
		case len(root.Position.Moves(nil)) == 0: // the flag will fall (Rules D3)
			white, over = duel.Flagged(us, lead), true
		case len(played) >= longestGame:
			white, over = cmp.Compare(lead, 0), true
		}
		if over {
			if asker == board.Black {
				white = -white
			}
			return float64(white+1) / 2, nil
		}
		a, err := m.choose(ctx, start, played, root, us == asker && m.lots.Float64() < m.share)
		if err != nil {
			return 0, err
		}
		played = append(played, a)
		root = root.Play(a)
	}
}

func (m *meeting) choose(ctx context.Context, start board.Position, played []board.Action, root search.Root, asks bool) (board.Action, error) {
	switch {
	case asks && m.program != nil:
		return m.program.Play(start, played, root, fmt.Sprintf("nodes %d", m.nodes))
	case asks:
		lines := m.asked.Search(ctx, root, search.Limits{Nodes: m.nodes}, nil)
		return lines[0].Actions[0], ctx.Err()
	}
	c, err := analysis.Weigh(ctx, m.e, root, clubNodes)
	if err != nil {
		return 0, err
	}
	return c.Actions[screening.Pick(m.lots, screening.People(nil, c.Losses, clubStrength, clubShape))], nil
}
