package league

import (
	"reflect"
	"slices"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// Do does an act. Whoever directs the league does alone what everybody may do for themselves. Any other act of theirs is judged by
// what it does to them, so that no act can forget to ask: it fails with a *fairplay.PartyError, and changes nothing, if it decides
// where they play or about a sanction of theirs, changes who is in their division, or takes out or sanctions somebody with whom they
// compete (see compete). Theirs are the teams that they act or play for, too; and they change nothing of the players of another team with
// which those compete.
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
	mine := before.stakes(by)
	was, is := before.Now(), l.Now()
	competes := func(m Member) bool {
		return slices.ContainsFunc(mine, func(me Member) bool { return was.compete(me, before.Side(m)) })
	}
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
		case slices.Contains(mine, before.Side(x.Member)):
			party.Stake = fairplay.StakeEntry
			return party
		case !x.Lifted && competes(x.Member): // a third one has taken them out
			return l.rival(party, x.Member)
		}
	}
	if was.State == is.State {
		for i, t := range before.Teams {
			if competes(t.Member()) && !slices.Contains(mine, t.Member()) && !reflect.DeepEqual(t, l.Teams[i]) {
				return l.rival(party, t.Member())
			}
		}
	}
	for _, me := range mine {
		if err := l.placedOtherwise(was, is, me, party); err != nil {
			return err
		}
	}
	return nil
}

// rival is the refusal that names somebody with whom the actor competes.
func (l *League) rival(party *fairplay.PartyError, m Member) error {
	party.Stake, party.RivalID = fairplay.StakeRival, player.ID(m)
	if t := l.Team(m); t != nil {
		party.Rival, party.RivalID = t.Name, ""
	}
	return party
}

// placedOtherwise judges where a change puts somebody, and against whom.
func (l *League) placedOtherwise(was, is *Season, me Member, party *fairplay.PartyError) error {
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
	if other := was.takenOut(is, me); other != "" {
		return l.rival(party, other)
	}
	return nil
}

// takenOut returns whom a change has taken out to somebody's advantage: an opponent, whose place is filled; whoever would be placed
// before them or beside them in the coming season; or, while they wait for a place, whoever has one or is asked before them. Empty: nobody.
func (s *Season) takenOut(is *Season, me Member) Member {
	waits := s.Bench.index(me) >= 0
	for _, p := range s.In {
		if p.Member == me || is.IsIn(p.Member) {
			continue
		}
		if d := s.DivisionOf(me); waits || d > 0 && d == s.DivisionOf(p.Member) || s.State == Open && s.compete(me, p.Member) {
			return p.Member
		}
	}
	for _, a := range s.Bench.queue() {
		switch {
		case !waits || a.Member == me:
			return ""
		case is.Bench.index(a.Member) < 0 && !is.IsIn(a.Member):
			return a.Member
		}
	}
	return ""
}

// compete reports whether two play in one division of a season, or in two that exchange players, as far as that is known: until
// divisions are drafted anybody may meet anybody, and whoever waits for a place may get that of anybody.
func (s *Season) compete(a, b Member) bool {
	if s.State == Open && s.Draft == nil {
		return s.IsIn(a) && s.IsIn(b)
	}
	if s.State == Placed && s.Bench.index(a) >= 0 {
		return s.IsIn(b)
	}
	x, y := s.DivisionOf(a), s.DivisionOf(b)
	if s.Draft != nil {
		x, _ = s.Draft.divisionOf(a)
		y, _ = s.Draft.divisionOf(b)
	}
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
