package swiss

import (
	"slices"

	"chpok.org/chpok/tournament"
)

// Relax decides which wishes (soft prohibitions) hold in the next round: all if everybody
// can be paired then. Otherwise they are added in order, larger sets pair by pair, and
// those that would leave somebody without an opponent are given up. Wishes that hold are
// prohibitions, so they take precedence over the quality criteria (C5…C21), but not over
// the absolute ones.
func Relax(f tournament.Field) (held tournament.Field, given []tournament.Forbidden, err error) {
	return RelaxBy(f, canPair)
}

// RelaxBy is Relax for a system that can pair a field, or not.
func RelaxBy(f tournament.Field, canPair func(tournament.Field) (bool, error)) (
	held tournament.Field, given []tournament.Forbidden, err error,
) {
	var wishes []tournament.Forbidden
	held = f
	held.Forbidden = nil
	for _, x := range f.Forbidden {
		if x.Soft {
			x.Soft = false
			wishes = append(wishes, x)
		} else {
			held.Forbidden = append(held.Forbidden, x)
		}
	}
	if len(wishes) == 0 {
		return held, nil, nil
	}
	hard := held.Forbidden
	with := func(more ...tournament.Forbidden) (bool, error) {
		held.Forbidden = slices.Concat(hard, more)
		return canPair(held)
	}
	if ok, err := with(wishes...); ok || err != nil {
		return held, nil, err
	}
	var kept []tournament.Forbidden
	keep := func(x tournament.Forbidden) (bool, error) {
		ok, err := with(append(slices.Clone(kept), x)...)
		if ok {
			kept = append(kept, x)
		}
		return ok, err
	}
	for _, x := range wishes {
		if ok, err := keep(x); err != nil {
			return held, nil, err
		} else if ok {
			continue
		}
		for i, a := range x.Numbers {
			for _, b := range x.Numbers[i+1:] {
				pair := tournament.Forbidden{Numbers: []int{a, b}, From: x.From, To: x.To}
				ok := false
				if len(x.Numbers) > 2 {
					if ok, err = keep(pair); err != nil {
						return held, nil, err
					}
				}
				if !ok {
					given = append(given, pair)
				}
			}
		}
	}
	held.Forbidden = slices.Concat(hard, kept)
	return held, given, nil
}

// canPair reports whether the next round has a legal pairing.
func canPair(f tournament.Field) (bool, error) {
	r, err := prepare(f)
	if err != nil {
		return false, err
	}
	return len(r.players) == 0 || r.begin() == nil, nil
}
