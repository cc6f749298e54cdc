package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/exact"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay/screening"
)

// Dossier is what somebody's moves in some matches look like beside what an engine would have played. It follows from public
// records alone, to the bit, and is no verdict.
type Dossier struct {
	Player string `json:"player"`
	Rating int    `json:"rating"`
	Engine int    `json:"engine"` // search.Version
	Nodes  int    `json:"nodes"`  // positions looked at for each move
	// Records are the matches in order: how many moves the player made on the board, and how many of them count.
	Records []MatchLook `json:"records"`
	// Past are the matches before that Weigh was given.
	Past []MatchLook `json:"past,omitempty"`
	// Silence is why nothing is said; empty: something is.
	Silence Silence `json:"silence,omitempty"`
	// Figures and what follows from them; with Silence they are empty.
	Performance *Performance       `json:"performance,omitempty"`
	Figures     *screening.Figures `json:"figures,omitempty"`
	IsByPast    bool               `json:"byPast,omitempty"` // what is expected of the player is learned from Past, not from Rating
	Rarity      *screening.Rarity  `json:"rarity,omitempty"`
	Odds        []float64          `json:"odds,omitempty"`   // the chance of help, for each of screening.Priors
	People      int                `json:"people,omitempty"` // of the reference
	Moves       []MoveLook         `json:"moves"`
}

// Performance is the rating that the moves alone come to, and its standard error.
type Performance struct {
	Rating    int `json:"rating"`
	Deviation int `json:"deviation"`
}

// MatchLook is a match in a dossier.
type MatchLook struct {
	Moves   int `json:"moves"`
	Counted int `json:"counted"`
}

// MoveLook is one move of the player that counts.
type MoveLook struct {
	Record   int       `json:"record"` // index of the match
	Move     int       `json:"move"`   // number of the full move
	Position string    `json:"position"`
	Played   string    `json:"played"`
	Best     string    `json:"best"` // a best action; the played one if it is as good
	Loss     float64   `json:"loss"` // what the played one gave away of the expected score
	Weighs   float64   `json:"weighs"`
	Losses   []float64 `json:"losses"` // of all actions, the best first
	Index    int       `json:"index"`  // of the played one
}

// Silence is a reason why a dossier says nothing.
type Silence string

// The reasons.
const (
	SilenceFewMoves    Silence = "few-moves"    // fewer than screening.TestedMoves count
	SilenceNoReference Silence = "no-reference" // nobody beyond doubt to compare with
)

// ErrNoSuchPlayer says that somebody did not play the match of a record.
var ErrNoSuchPlayer = errors.New("the record names no such player")

// Moves are a player's moves on the board of one match, in order, as its record has them.
type Moves []ownMove

type ownMove struct {
	root   search.Root
	played board.Action
	move   int     // number of the full move
	left   float64 // seconds on the clock; +Inf: unknown
}

// MovesOf returns the moves of one of the players of a match.
func MovesOf(r notation.Record, player string) (list Moves, err error) {
	seat, err := seatOf(r, player)
	if err != nil {
		return nil, err
	}
	g, err := r.NewGame()
	if err != nil {
		return nil, err
	}
	clocks := map[int]float64{} // by act, from 0: seconds left
	for _, raw := range r.Actions {
		act := g.Acts()
		if g, err = notation.Do(g, raw, r.First); err != nil {
			return nil, err
		}
		if o, err := exact.ParseObject(raw); err == nil {
			if left, has := o.Get("clock"); has {
				if ms, ok := exact.Int(left); ok {
					clocks[act] = float64(ms) / 1000
				}
			}
		}
	}
	roots, played := analysis.Roots(g)
	for i, p := range g.Plies() {
		if p.Seat != seat {
			continue
		}
		left, timed := clocks[p.Act]
		if !timed {
			left = math.Inf(1)
		}
		list = append(list, ownMove{roots[i], played[i], p.Move, left})
	}
	return list, nil
}

// Looked is what an engine has said of a player's moves in one match, as far as it has come.
type Looked struct {
	Done    int        `json:"done"` // how many of the player's moves have been looked at
	Counted []MoveLook `json:"counted,omitempty"`
}

// Next looks at the next of the moves that may count, with so many positions; more is false if there is none.
func (l *Looked) Next(ctx context.Context, e *search.Engine, moves Moves, nodes int) (more bool, err error) {
	for ; l.Done < len(moves); l.Done++ {
		m := moves[l.Done]
		seen := screening.Seen{Ply: l.Done + 1, ClockLeft: m.left}
		if !seen.IsOwn() {
			continue
		}
		c, err := analysis.Weigh(ctx, e, m.root, nodes)
		if err != nil {
			return false, err
		}
		at := slices.Index(c.Actions, m.played)
		if seen.Best, seen.Losses = c.Best, c.Losses; at >= 0 && c.IsWhole && seen.Counts() {
			best := c.Actions[0]
			if c.Losses[at] == 0 {
				best = m.played
			}
			l.Counted = append(l.Counted, MoveLook{Move: m.move, Position: m.root.Position.CFEN(), Played: m.played.String(),
				Best: best.String(), Loss: c.Losses[at], Losses: c.Losses, Index: at})
		}
		l.Done++
		return true, nil
	}
	return false, nil
}

// Choices returns the moves for screening.
func (l Looked) Choices() (list []screening.Choice) { return choices(l.Counted) }

// Look looks at the moves of the player of a dossier in a match, for Add or Weigh.
func (d *Dossier) Look(ctx context.Context, e *search.Engine, r notation.Record) (l Looked, err error) {
	moves, err := MovesOf(r, d.Player)
	for more := err == nil; more; {
		more, err = l.Next(ctx, e, moves, d.Nodes)
	}
	return l, err
}

// Add adds a match that has been looked at.
func (d *Dossier) Add(l Looked) {
	for _, m := range l.Counted {
		m.Record = len(d.Records)
		d.Moves = append(d.Moves, m)
	}
	d.Records = append(d.Records, MatchLook{l.Done, len(l.Counted)})
}

// New dossiers are made with these, so that a site and anybody with its records come to the same.
const (
	LookNodes = 20_000 // positions looked at for each move
	LookTable = 18     // size of the engine's table, in bits
)

// Write writes a dossier as chpok review prints it.
func (d *Dossier) Write(to io.Writer) error {
	enc := json.NewEncoder(to)
	enc.SetIndent("", " ")
	return enc.Encode(d)
}

// seatOf returns where somebody sat.
func seatOf(r notation.Record, player string) (match.Seat, error) {
	raw, _ := r.Others.Get("players")
	var names struct{ A, B string }
	if err := json.Unmarshal(raw, &names); err != nil {
		return 0, fmt.Errorf("%w: it names nobody", ErrNoSuchPlayer)
	}
	for letter, name := range map[string]string{"A": names.A, "B": names.B} {
		if name == player {
			seat, _ := r.First.Seat(letter)
			return seat, nil
		}
	}
	return 0, fmt.Errorf("%w: it names %s and %s", ErrNoSuchPlayer, names.A, names.B)
}

func choices(moves []MoveLook) (list []screening.Choice) {
	for _, m := range moves {
		list = append(list, screening.Choice{Losses: m.Losses, Played: m.Index})
	}
	return list
}

// Weigh says what the moves come to beside those of people beyond doubt; of a calibration without people, nothing. What is expected
// of the player is learned from matches before, in order, if there are enough, otherwise from their rating.
func (d *Dossier) Weigh(k screening.Calibration, past ...Looked) {
	var before [][]screening.Choice
	for _, l := range past {
		d.Past, before = append(d.Past, MatchLook{l.Done, len(l.Counted)}), append(before, l.Choices())
	}
	switch {
	case len(d.Moves) < screening.TestedMoves:
		d.Silence = SilenceFewMoves
		return
	case len(k.Strata) == 0:
		d.Silence = SilenceNoReference
		return
	}
	baseline, others := k.Against(d.Rating, before)
	gauge, list := k.Model.Gauge(baseline), choices(d.Moves)
	figures := gauge.Measure(list)
	d.Figures, d.People, d.IsByPast = &figures, others.People, others == k.Own
	rarity := others.Rarity(figures)
	d.Rarity = &rarity
	// A chance rests on no rarer p than the people behind it can show, whatever their tail is continued to.
	chances := others.Odds(figures, max(rarity.P, 1/float64(others.People+1)), 1)
	d.Odds = chances[:]
	if rating, deviation, ok := k.Model.Performance(list); ok {
		d.Performance = &Performance{rating, deviation}
	}
	for i, c := range list {
		d.Moves[i].Weighs = math.Round(gauge.Weighing(c)*1e4) / 1e4
	}
}

// Heaviest returns the moves that weigh most, at most so many, the heaviest first.
func (d *Dossier) Heaviest(most int) []MoveLook {
	list := slices.Clone(d.Moves)
	slices.SortStableFunc(list, func(a, b MoveLook) int { return cmp.Compare(b.Weighs, a.Weighs) })
	return list[:min(most, len(list))]
}
