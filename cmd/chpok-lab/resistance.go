package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"chpok.org/chpok/cmd/chpok-lab/selfplay"
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
		if table, err = fairplay.ReadResistance(raw); err != nil {
			return cli.Fail(2, "%s: %w", c.Into, err)
		}
	} else if !os.IsNotExist(err) {
		return err
	}
	program, err := duel.Launch(ctx, c.Engine)
	if err != nil {
		return err
	}
	table.Engine = program.Name
	if err := program.Close(); err != nil {
		return err
	}
	table.Version, table.Nodes = search.Version, c.Nodes
	var subjects []fairplay.Subject
	for _, terms := range fairplay.MeasuredTerms {
		subjects = append(subjects, fairplay.Subject{Terms: terms})
	}
	for i, subject := range append(subjects, fairplay.MeasuredBids...) {
		rows, ways := &table.Rows, len(askers)
		if i >= len(subjects) {
			rows, ways = &table.Bids, 1
		}
		if slices.ContainsFunc(*rows, func(r fairplay.Resistance) bool { return r.Subject == subject }) {
			continue
		}
		row, err := c.measure(ctx, std, subject, ways)
		if err != nil {
			return err
		}
		*rows = append(*rows, row)
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

// measure measures the first ways of asking.
func (c *resistanceCmd) measure(ctx context.Context, std cli.IO, subject fairplay.Subject, ways int) (fairplay.Resistance, error) {
	row := fairplay.Resistance{Subject: subject, Games: c.Games}
	for _, a := range askers[:ways] {
		began := time.Now()
		m := meeting{e: search.NewEngine(16), asked: search.NewEngine(18), share: a.share, nodes: c.Nodes, lots: rand.New(rand.NewPCG(c.Seed, 0x4e5))}
		if !a.ours {
			m.command = c.Engine
		}
		score, err := m.measure(ctx, subject, c.Games)
		if err != nil {
			return row, fmt.Errorf("%+v, %s: %w", subject, a.name, err)
		}
		row.Scores = append(row.Scores, score)
		fmt.Fprintf(std.Err, "%+v %s: %.3f ± %.3f, %d s\n", subject, a.name, score.Share, score.Margin, int(time.Since(began).Seconds()))
	}
	row.At = time.Now().UTC().Format(time.DateOnly)
	return row, nil
}

// meeting is games between somebody who asks and somebody who does not.
type meeting struct {
	e, asked *search.Engine
	command  string        // of the program that is asked; "": ours
	program  *duel.Program // the running one
	share    float64       // of the moves that are asked about
	nodes    int
	lots     *rand.Rand
}

// envelopes are those of the site by name, and the widest.
func envelopes() map[string]bidding.Envelope {
	named := map[string]bidding.Envelope{"free": bidding.DefaultEnvelope()}
	for _, e := range fairplay.Envelopes() {
		named[e.Name] = e.Envelope
	}
	return named
}

// measure returns what games on some terms, or on those of a bidding for each two games, brought whoever asked.
func (m *meeting) measure(ctx context.Context, subject fairplay.Subject, games int) (fairplay.Measured, error) {
	if subject.Bids != "" {
		e, bids := envelopes()[subject.Bids], rand.New(rand.NewPCG(m.lots.Uint64(), 0xb1d))
		var all []float64
		for len(all) < games {
			terms, err := selfplay.Terms(ctx, e, bids)
			if err != nil {
				return fairplay.Measured{}, err
			}
			shares, err := m.play(ctx, terms.Features, terms.Row, min(2, games-len(all)))
			if err != nil {
				return fairplay.Measured{}, fmt.Errorf("%+v: %w", terms, err)
			}
			all = append(all, shares...)
		}
		return measured(all), nil
	}
	f, err := bidding.ParseFeatures([]byte(subject.Terms))
	if err != nil {
		return fairplay.Measured{}, err
	}
	shares, err := m.play(ctx, f, cmp.Or(subject.Row, board.StandardRow(f.Width)), games)
	return measured(shares), err
}

// measured returns the mean of shares and its interval.
func measured(shares []float64) fairplay.Measured {
	sum, squares := 0.0, 0.0
	for _, share := range shares {
		sum, squares = sum+share, squares+share*share
	}
	n := float64(len(shares))
	mean := sum / n
	deviation := math.Sqrt(max(0, squares/n-mean*mean) / n)
	return fairplay.Measured{Share: math.Round(mean*1000) / 1000, Margin: math.Round(1.96*deviation*1000) / 1000}
}

// play returns what each game brought whoever asked, with a program of its own: a second variants file does not reach a
// running one.
func (m *meeting) play(ctx context.Context, f board.Features, row board.Row, games int) (shares []float64, err error) {
	start, err := board.Start(f, row)
	if err != nil {
		return nil, err
	}
	if m.command != "" {
		if m.program, err = duel.Launch(ctx, m.command); err != nil {
			return nil, err
		}
		defer m.program.Close()
		if err := m.program.NewGame(duel.Known(f)); err != nil {
			return nil, err
		}
	}
	for i := range games {
		m.asked.Forget()
		share, err := m.game(ctx, start, board.Color(i%2))
		if err != nil {
			return nil, err
		}
		shares = append(shares, share)
	}
	return shares, nil
}

// longestGame is after how many actions a game is broken off, and whoever leads has won.
const longestGame = 240

// worthUndo is how much more of the point another action must have promised for the last one to be taken back (Rules 7.3).
const worthUndo = 0.2

// choosing is a position of a game, and what was done there.
type choosing struct {
	root   search.Root
	action board.Action
	other  float64        // share of the point that another action promised whoever chose by themselves; else 0
	tried  []board.Action // taken back
}

// game plays one game and returns the asker's share of the point. Whoever chooses by themselves takes actions back that
// they regret; what an engine told nobody takes back.
func (m *meeting) game(ctx context.Context, start board.Position, asker board.Color) (float64, error) {
	turns := []choosing{{root: search.Root{Position: start}}}
	undos := [2]int{start.Features().Undos, start.Features().Undos}
	for {
		now := &turns[len(turns)-1]
		white, over := now.root.Over()
		us := now.root.Position.Turn()
		lead := now.root.Position.Points(board.White) - now.root.Position.Points(board.Black)
		switch {
		case over:
		case len(now.root.Position.Moves(nil)) == 0: // the flag will fall (Rules D3)
			white, over = duel.Flagged(us, lead), true
		case len(turns) > longestGame:
			white, over = cmp.Compare(lead, 0), true
		}
		if over {
			if asker == board.Black {
				white = -white
			}
			return float64(white+1) / 2, nil
		}
		told := false
		if us == asker && m.lots.Float64() < m.share {
			var err error
			if now.action, told, err = m.ask(ctx, turns); err != nil {
				return 0, err
			}
			now.other = 0
		}
		if !told {
			c, err := analysis.Weigh(ctx, m.e, now.root, clubNodes)
			if err != nil {
				return 0, err
			}
			if undos[us] > 0 && len(turns) > 2 && turns[len(turns)-3].other-c.Best >= worthUndo {
				undos[us]--
				turns = turns[:len(turns)-2]
				back := &turns[len(turns)-1]
				back.tried = append(back.tried, back.action)
				continue
			}
			now.choose(c, m.lots)
		}
		turns = append(turns, choosing{root: now.root.Play(now.action)})
	}
}

// choose lets a person choose among what was not taken back.
func (t *choosing) choose(c analysis.Choice, lots *rand.Rand) {
	var actions []board.Action
	var losses []float64
	for i, a := range c.Actions {
		if !slices.Contains(t.tried, a) {
			actions, losses = append(actions, a), append(losses, c.Losses[i])
		}
	}
	i := screening.Pick(lots, screening.People(nil, losses, clubStrength, clubShape))
	t.action, t.other = actions[i], 0
	if len(actions) > 1 {
		best := 0
		if i == 0 {
			best = 1
		}
		t.other = c.Best - losses[best]
	}
}

// ask returns what an engine tells, and whether it knows any action.
func (m *meeting) ask(ctx context.Context, turns []choosing) (board.Action, bool, error) {
	now := turns[len(turns)-1]
	if m.program == nil {
		lines := m.asked.Search(ctx, now.root, search.Limits{Nodes: m.nodes}, nil)
		return lines[0].Actions[0], true, ctx.Err()
	}
	var played []board.Action
	for _, t := range turns[:len(turns)-1] {
		played = append(played, t.action)
	}
	a, err := m.program.Play(turns[0].root.Position, played, now.root, fmt.Sprintf("nodes %d", m.nodes))
	if errors.Is(err, duel.ErrNoAction) {
		return 0, false, nil
	}
	return a, true, err
}
