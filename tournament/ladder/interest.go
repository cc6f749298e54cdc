package ladder

import (
	"reflect"
	"slices"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// Do does an act. Whoever runs the ladder and stands on it does alone what every player may do for
// themselves. Any other act of theirs is judged by what it does to them, so that no act can forget
// to ask: it fails with a *fairplay.PartyError, and changes nothing, if it ends or changes a
// challenge of theirs, moves them, sets back somebody above them, or lets them challenge, or be
// challenged, otherwise than before.
func (l *Ladder) Do(by Actor, now time.Time, act func(*Ladder, Actor) error) error {
	if !by.Directs || l.Place(by.Player) == 0 {
		return act(l, by)
	}
	asPlayer := by
	asPlayer.Directs = false
	if act(l.Clone(), asPlayer) == nil {
		return act(l, by)
	}
	before := l.Clone()
	before.fresh, before.ended = slices.Clone(l.fresh), slices.Clone(l.ended)
	err := act(l, by)
	if err == nil {
		err = l.ownInterest(before, by, now)
	}
	if err != nil {
		*l = *before
	}
	return err
}

// ownInterest judges what has changed for whoever has acted.
func (l *Ladder) ownInterest(before *Ladder, by Actor, now time.Time) error {
	me := by.Player
	party := &fairplay.PartyError{Case: fairplay.Case{Parties: []player.ID{me}, Judges: by.Others}, By: me,
		Was: before.Place(me), Is: l.Place(me)}
	acted := l.fresh[len(before.fresh):]
	has := func(is func(Event) bool) bool { return slices.ContainsFunc(acted, is) }
	isVerdict := has(func(e Event) bool { return e.Ending == Judged }) // about others it is their office
	rival := l.fallen(before, me)
	switch {
	case !reflect.DeepEqual(before.challengesOf(me), l.challengesOf(me)):
		party.Stake = fairplay.StakeBoard
	case party.Is > 0 && party.Is < party.Was, has(func(e Event) bool { return e.Kind == Moved && e.By == me && e.Player == me }):
		party.Stake = fairplay.StakePlace
	case rival != "" && !isVerdict:
		party.Stake, party.RivalID = fairplay.StakeRival, rival
	case l.safer(before, me, now) && !isVerdict,
		before.Last > 0 && has(func(e Event) bool { return e.Kind == Changed }) && l.eases(before, me, now):
		party.Stake = fairplay.StakeChallenges
	default:
		return nil
	}
	return party
}

// challengesOf returns the running challenges of a player.
func (l *Ladder) challengesOf(id player.ID) []Challenge {
	return slices.DeleteFunc(slices.Clone(l.Challenges), func(c Challenge) bool { return !c.Is(id) })
}

// fallen returns who stood above a player and has lost places or the ladder.
func (l *Ladder) fallen(before *Ladder, id player.ID) player.ID {
	for i, r := range before.Rungs[:before.Place(id)-1] {
		if at := l.Place(r.Player); at == 0 || at > i+1 {
			return r.Player
		}
	}
	return ""
}

// safer reports whether somebody could challenge a player and no longer can.
func (l *Ladder) safer(before *Ladder, id player.ID, now time.Time) bool {
	return slices.ContainsFunc(before.Rungs, func(r Rung) bool {
		return before.WhyNot(r.Player, id, now) == nil && l.WhyNot(r.Player, id, now) != nil
	})
}

// eases reports whether other settings let a player challenge more, sink later or be away longer.
func (l *Ladder) eases(before *Ladder, id player.ID, now time.Time) bool {
	r, _ := l.RungOf(id)
	was, is := before.SinkAt(r), l.SinkAt(r)
	return !was.IsZero() && (is.IsZero() || is.After(was)) || l.VacationLeft(id, now) > before.VacationLeft(id, now) ||
		slices.ContainsFunc(l.Rungs, func(r Rung) bool {
			return before.WhyNot(id, r.Player, now) != nil && l.WhyNot(id, r.Player, now) == nil
		})
}
