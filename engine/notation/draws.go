package notation

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/exact"
	"chpok.org/chpok/engine/match"
)

// ErrNoSeed is returned for a record without the seed and commitment of its draws: the match is
// not over, or its platform does not publish them.
var ErrNoSeed = errors.New("the record has no seed and commitment of its draws")

// DrawCheck is a check of a record's draws against its seed (Rules D8, match.Seed).
type DrawCheck struct {
	CommitmentHolds bool // the seed matches its commitment
	Draws           []bidding.Draw
	Holds           []bool // for each draw, whether it follows from the seed
	HasOdds         bool   // there were sealed bids for draw odds
	OddsHold        bool   // the bids match their seals, and the odds follow from them
}

// AllHold reports whether the whole check succeeded.
func (c DrawCheck) AllHold() bool {
	return c.CommitmentHolds && c.OddsHold == c.HasOdds && !slices.Contains(c.Holds, false)
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
			seat, _ := match.FirstIsA.Seat(x.Has)
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

// oddsJSON is the result of sealed bids for draw odds in a record: who has the odds, and by seat
// the bids, their salts and their seals.
type oddsJSON struct {
	Has   string    `json:"has"`
	Bids  [2]int    `json:"bids"`
	Salts [2]string `json:"salts"`
	Seals [2]string `json:"seals"`
}

// drawNumber returns the number of a draw: the action's own, as draws were taken back, or the
// next one.
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
