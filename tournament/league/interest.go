package league

import (
	"slices"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// Do does an act. Whoever directs the league does alone what everybody may do for themselves. Any other act of theirs is judged by
// what it does to them, so that no act can forget to ask: it fails with a *fairplay.PartyError, and changes nothing, if it decides
// where they play or about a sanction of theirs, changes who is in their division, or sanctions somebody with whom they compete:
// of their division or of one beside it, with which it exchanges players.
func (l *League) Do(by Actor, act func(*League, Actor) error) error {
	if !by.Directs {
		return act(l, by)
	}
	asPlayer := by
	asPlayer.Directs = false
	if act(l.Clone(), asPlayer) == nil {
		return act(l, by)
	}
	before := l.Clone()
	before.fresh = slices.Clone(l.fresh)
	err := act(l, by)
	if err == nil {
		err = l.ownInterest(before, by)
	}
	if err != nil {
		*l = *before
	}
	return err
}

// ownInterest judges what has changed for whoever has acted.
func (l *League) ownInterest(before *League, by Actor) error {
	me := by.Member()
	was, is := before.Now(), l.Now()
	party := &fairplay.PartyError{Case: fairplay.Case{Parties: []player.ID{by.Player}, Judges: by.Others}, By: by.Player}
	if was.Number != is.Number {
		return nil // a season closes by its tables
	}
	for i, x := range l.Sanctions {
		isNew := i >= len(before.Sanctions)
		if !isNew && before.Sanctions[i] == x {
			continue
		}
		switch {
		case x.Member == me:
			party.Stake = fairplay.StakeEntry
			return party
		case !x.Lifted && is.compete(me, x.Member):
			party.Stake, party.RivalID = fairplay.StakeRival, player.ID(x.Member)
			return party
		}
	}
	if was.Draft != nil && is.Draft != nil {
		from, here := was.Draft.divisionOf(me)
		to, now := is.Draft.divisionOf(me)
		switch {
		case from != to:
			party.Stake = fairplay.StakeEntry
			return party
		case !slices.Equal(here, now):
			party.Stake = fairplay.StakePairing
			return party
		}
	}
	if d := is.DivisionOf(me); d > 0 && d == was.DivisionOf(me) {
		for _, other := range was.Divisions[d-1].Members {
			if !slices.Contains(is.Divisions[d-1].Members, other) {
				party.Stake, party.RivalID = fairplay.StakeRival, player.ID(other)
				return party
			}
		}
	}
	return nil
}

// compete reports whether two play in one division of a season, or in two that exchange players.
func (s *Season) compete(a, b Member) bool {
	x, y := s.DivisionOf(a), s.DivisionOf(b)
	return x > 0 && y > 0 && x-y <= 1 && y-x <= 1
}

// divisionOf returns the division of somebody, from 1, and who is in it, sorted; 0: none.
func (d *Draft) divisionOf(who Member) (division int, with []Member) {
	for i, list := range d.Divisions {
		if !slices.ContainsFunc(list, func(p Place) bool { return p.Member == who }) {
			continue
		}
		for _, p := range list {
			with = append(with, p.Member)
		}
		slices.Sort(with)
		return i + 1, with
	}
	return 0, nil
}
