package notation

import (
	"encoding/json"
	"errors"
	"fmt"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/exact"
	"chpok.org/chpok/engine/match"
)

// ErrNoSeed is the error for a record without the seed and the commitment of
// its draws: the match is not over, or was not played on a platform that
// publishes them.
var ErrNoSeed = errors.New("the record has no seed and commitment of draws")

// DrawCheck is what a record's seed says of its draws (Rules D8; match.Seed
// has the way they follow from it).
type DrawCheck struct {
	CommitmentHolds bool // the seed is the one committed to
	Draws           []bidding.Draw
	Holds           []bool // of each draw, whether it follows from the seed
	HasOdds         bool   // the two bid for draw odds
	OddsHold        bool   // their bids are those that were sealed, and who has the odds follows
}

// AllHold reports whether nothing is wrong.
func (c DrawCheck) AllHold() bool {
	for _, holds := range c.Holds {
		if !holds {
			return false
		}
	}
	return c.CommitmentHolds && c.OddsHold == c.HasOdds
}

// CheckDraws checks the draws of an exported record against its seed.
func CheckDraws(r Record) (DrawCheck, error) {
	raw, ok := r.Others.Get("draws")
	o, err := exact.ParseObject(raw)
	if !ok || err != nil || !o.Has("seed") || !o.Has("commitment") {
		return DrawCheck{}, ErrNoSeed
	}
	raw, _ = o.Get("seed")
	text, _ := exact.String(raw)
	seed, err := match.ParseSeed(text)
	if err != nil {
		return DrawCheck{}, err
	}
	raw, _ = o.Get("commitment")
	commitment, _ := exact.String(raw)

	var presets []bidding.TimeControl
	if raw, ok := r.Others.Get("envelope"); ok {
		e, err := bidding.ParseEnvelope(raw)
		if err != nil {
			return DrawCheck{}, fmt.Errorf("envelope: %w", err)
		}
		presets = e.Presets
	}
	g, err := r.NewGame()
	if err != nil {
		return DrawCheck{}, err
	}
	var numbers []int
	c := DrawCheck{CommitmentHolds: seed.Commitment() == commitment}
	if raw, ok := o.Get("odds"); ok {
		var x oddsJSON
		c.HasOdds = true
		if json.Unmarshal(raw, &x) == nil {
			seat, _ := match.FirstIsA.Seat(x.Has) // none: the lot of equal bids
			c.OddsHold = seed.CheckOdds(match.Odds{Bids: x.Bids, Salts: x.Salts, Seat: seat}, x.Seals)
		}
	}
	for _, raw := range r.Actions {
		next, err := Do(g, raw, r.First)
		if err != nil {
			continue
		}
		g = next
		if act, err := match.ParseAct(raw, r.First); err == nil {
			if drawn, ok := act.(match.Drawn); ok {
				c.Draws = append(c.Draws, drawn.Draw)
				numbers = append(numbers, drawNumber(raw, numbers))
			}
		}
	}
	c.Holds = seed.CheckDraws(c.Draws, numbers, presets)
	return c, nil
}

// oddsJSON are sealed bids for draw odds in a record: whose odds they are, and by seat
// what was bid, with which salt, and what everybody saw of it before the start.
type oddsJSON struct {
	Has   string    `json:"has"`
	Bids  [2]int    `json:"bids"`
	Salts [2]string `json:"salts"`
	Seals [2]string `json:"seals"`
}

// drawNumber is the number of a draw: what the action says, where an arbiter
// took draws back, or the one after the last.
func drawNumber(raw []byte, before []int) int {
	if o, err := exact.ParseObject(raw); err == nil {
		if value, ok := o.Get("n"); ok {
			if n, ok := exact.Int(value); ok {
				return n
			}
		}
	}
	if len(before) == 0 {
		return 1
	}
	return before[len(before)-1] + 1
}
