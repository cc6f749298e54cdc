package tables

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/draw"
	"chpok.org/chpok/tournament/ledger"
)

// DrawCheck is one draw of a tournament's log.
type DrawCheck struct {
	Seq        int64
	What       string // "numbers", "groups", or the board of a lot
	IsPromised bool   // its seed was promised beforehand
	IsKept     bool   // the seed is the promised one
	Holds      bool   // the draw follows from its seed
}

// IsRight reports whether the draw holds and no promise was broken.
func (c DrawCheck) IsRight() bool { return c.Holds && (c.IsKept || !c.IsPromised) }

// CheckDraws repeats every draw of a tournament (its numbers, its groups, lots of boards)
// from the seeds in its log, each of which was promised beforehand by its SHA-256.
func CheckDraws(deeds []ledger.Deed) (list []DrawCheck, err error) {
	promised := ""
	for i, d := range deeds {
		given, next := promised, promised
		for _, c := range d.Changes {
			if c.Path == "promise" {
				next = textOf(c.After)
			}
		}
		promised = next
		for _, c := range d.Changes {
			check := DrawCheck{Seq: d.Seq, IsPromised: given != ""}
			var seed string
			switch {
			case c.Path == "seed" && len(c.After) > 0:
				check.What, seed = "numbers", textOf(c.After)
				check.Holds, err = isStart(deeds[:i+1], seed)
			case c.Path == "origin":
				var o tournament.Origin
				if len(c.After) == 0 || json.Unmarshal(c.After, &o) != nil || o.Division == nil || o.Division.Seed == "" ||
					strings.Contains(string(c.Before), o.Division.Seed) {
					continue
				}
				check.What, seed = "groups", o.Division.Seed
				check.Holds, err = isDivision(deeds[:i], *o.Division)
			default:
				lot, drawn := lotOf(c)
				if !drawn || next == given {
					continue // a match has a seed of its own; or the site promised nothing
				}
				check.What, seed = c.Path, next
				d, known := drawingOf(seed)
				check.Holds = known && lot == d.Seat()
			}
			if err != nil {
				return nil, err
			}
			check.IsKept = draw.Keeps(given, seed)
			list = append(list, check)
		}
	}
	return list, nil
}

func textOf(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s) // empty without one
	return s
}

// drawingOf is the drawing that a seed in hexadecimal gives.
func drawingOf(seed string) (tournament.Drawing, bool) {
	raw, err := hex.DecodeString(seed)
	if err != nil || len(raw) != 32 {
		return tournament.Drawing{}, false
	}
	return DrawingOf([32]byte(raw)), true
}

// lotOf is the lot drawn in a change of a board.
func lotOf(c ledger.Change) (match.Seat, bool) {
	var before, after tournament.Pairing
	if !strings.Contains(c.Path, ".boards.") || len(c.After) == 0 || json.Unmarshal(c.After, &after) != nil || after.Match != "" {
		return 0, false
	}
	_ = json.Unmarshal(c.Before, &before) // a new board has no state before
	return after.Result.Odds, after.Result.Odds.Valid() && !before.Result.Odds.Valid()
}

// isStart reports whether the last deed, a start, gave the numbers that follow from its
// seed.
func isStart(deeds []ledger.Deed, seed string) (bool, error) {
	before, err := ledger.Fold(deeds[:len(deeds)-1])
	if err != nil {
		return false, err
	}
	after, err := ledger.Fold(deeds)
	if err != nil {
		return false, err
	}
	for was := range asNamed(before) {
		d, known := drawingOf(seed) // from its beginning
		if !known {
			return false, nil
		}
		again, err := was.Redrawn(d, deeds[len(deeds)-1].At)
		if err != nil {
			return false, fmt.Errorf("number %d: %w", deeds[len(deeds)-1].Seq, err)
		}
		if again.Opening == after.Opening && slices.EqualFunc(again.Entries, after.Entries, func(a, b tournament.Entry) bool { return a.Number == b.Number }) {
			return true, nil
		}
	}
	return false, nil
}

// mostNamed bounds the orders that asNamed tries.
const mostNamed = 1000

// asNamed yields a tournament, and then as it may have been before people in it were erased: equal ratings are ordered by name, and
// nobody knows theirs any more, so that each may have stood anywhere among those of their rating.
func asNamed(t *tournament.Tournament) iter.Seq[*tournament.Tournament] {
	return func(yield func(*tournament.Tournament) bool) {
		left := mostNamed
		var try func(t *tournament.Tournament, from int) bool
		try = func(t *tournament.Tournament, from int) bool {
			for i := from; i < len(t.Entries); i++ {
				gone := t.Entries[i]
				if !player.Handle(gone.Name).IsGhost() {
					continue
				}
				names := []string{""} // before all others, or just after one of them
				for k, e := range t.Entries {
					if k != i && e.Rating == gone.Rating && e.Team == gone.Team {
						names = append(names, e.Name+"\x01")
					}
				}
				for _, name := range names {
					was := t.Clone()
					was.Entries = slices.Clone(was.Entries)
					was.Entries[i].Name = name
					if !try(was, i+1) {
						return false
					}
				}
				return true
			}
			left--
			return yield(t) && left > 0
		}
		if yield(t) {
			try(t, 0)
		}
	}
}

// isDivision reports whether groups follow from their seed and the players of the time.
func isDivision(deeds []ledger.Deed, d tournament.Division) (bool, error) {
	before, err := ledger.Fold(deeds)
	if err != nil {
		return false, err
	}
	for was := range asNamed(before) {
		chance, known := drawingOf(d.Seed)
		if !known || len(d.Groups) == 0 {
			return false, nil
		}
		if reflect.DeepEqual(Divided(was, len(d.Groups), true, chance), d) {
			return true, nil
		}
	}
	return false, nil
}
