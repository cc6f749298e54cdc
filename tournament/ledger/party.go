package ledger

import (
	"slices"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// Party returns nil, or a *fairplay.PartyError if an act of the viewer decides a board on
// which they play, their place in a pairing, or their own entry. It compares the states
// before and after, so that no act can forget to check. Pairing by the system and leaving
// are nobody's decisions.
func Party(before, after *tournament.Tournament, by player.Viewer, a tournament.Act) error {
	e, entered := before.EntryOf(by.ID)
	now, still := after.EntryOf(by.ID)
	if !entered || !still {
		return nil
	}
	if leaves := a == tournament.ActWithdraw && e.Status != tournament.Withdrawn && now.Status == tournament.Withdrawn; leaves {
		return nil
	}
	c := fairplay.Case{Parties: []player.ID{by.ID}, Judges: after.Judges(by.ID, a)}
	if e.Removed && e.Status == tournament.Withdrawn && now.Status != tournament.Withdrawn ||
		!slices.Equal(forbidden(before, e.ID), forbidden(after, e.ID)) ||
		after.Draft != nil && after.Draft.Edited && movedInDraft(before, after, e.ID) {
		return c.Decide(by.ID)
	}
	for i, r := range before.Rounds {
		if i >= len(after.Rounds) {
			break
		}
		if before.Format == tournament.Arena {
			if err := decidedIn(before, r, after.Rounds[i], e.ID, by.ID, a, c); err != nil {
				return err
			}
			continue
		}
		was, sat := r.BoardOf(e.ID)
		is, sits := after.Rounds[i].BoardOf(e.ID)
		switch {
		case !sat && !sits:
		case sat != sits || was.First != is.First || was.Second != is.Second:
			return c.Decide(by.ID)
		default:
			if err := decided(before, was, is, by.ID, a, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// decidedIn is decided for all boards of an arena that existed before; boards of an arena
// never move.
func decidedIn(t *tournament.Tournament, before, after tournament.Round, id tournament.EntryID, by player.ID, a tournament.Act,
	c fairplay.Case) error {
	for k, was := range before.Pairings[:min(len(before.Pairings), len(after.Pairings))] {
		if !was.SeatOf(id).Valid() {
			continue
		}
		if err := decided(t, was, after.Pairings[k], by, a, c); err != nil {
			return err
		}
	}
	return nil
}

// decided judges another result or another match on a board of the viewer.
func decided(t *tournament.Tournament, was, is tournament.Pairing, by player.ID, a tournament.Act, c fairplay.Case) error {
	same := was.Result.Kind == is.Result.Kind && was.Result.RatedKind() == is.Result.RatedKind() && was.Match == is.Match
	if same {
		return nil
	}
	c = t.CaseOf(is, c.Judges)
	// Two people at a table agree on a result, but one of them has no account.
	if a == tournament.ActResult && was.Result.IsPending() && is.Match == "" && len(c.Parties) < 2 {
		return nil
	}
	return c.Decide(by)
}

// forbidden returns whom an entry may not meet, and when.
func forbidden(t *tournament.Tournament, id tournament.EntryID) (places []tournament.EntryID) {
	for _, f := range t.Forbidden {
		if slices.Contains(f.Entries, id) {
			places = append(append(places, f.Entries...), tournament.EntryID(f.From), tournament.EntryID(f.To))
		}
	}
	return places
}

// movedInDraft reports whether the place of an entry in the draft changed.
func movedInDraft(before, after *tournament.Tournament, id tournament.EntryID) bool {
	if before.Draft == nil || before.Draft.Number != after.Draft.Number {
		return false
	}
	place := func(d *tournament.RoundDraft) [2]tournament.EntryID {
		if i := d.BoardOf(id); i >= 0 {
			return [2]tournament.EntryID{d.Boards[i].First, d.Boards[i].Second}
		}
		return [2]tournament.EntryID{}
	}
	return place(before.Draft) != place(after.Draft) || (before.Draft.Bye == id) != (after.Draft.Bye == id)
}

// Account gives results set or changed by hand their reason and the previous result. It
// compares the states before and after, so that it covers every act.
func Account(before, after *tournament.Tournament, by player.ID, why string) {
	for i := range min(len(before.Rounds), len(after.Rounds)) {
		for k := range after.Rounds[i].Pairings {
			p := &after.Rounds[i].Pairings[k]
			was, there := sameBoard(before.Rounds[i].Pairings, *p)
			if !there || was.Result == p.Result || p.Result.By != by || by == "" {
				continue
			}
			p.Result.Why = why
			if stood := was.Result; !stood.IsPending() && stood.Was == tournament.Pending && was.Match == p.Match {
				if p.Result.Stood = stood.Kind; stood.Stood != tournament.Pending {
					p.Result.Stood = stood.Stood
				}
				if p.Result.Stood == p.Result.Kind {
					p.Result.Stood = tournament.Pending
				}
			}
		}
	}
}

// sameBoard returns the board of the same players among those of a round. Its number may have
// changed with a correction that took another board back; in an arena the same two meet again.
func sameBoard(list []tournament.Pairing, p tournament.Pairing) (tournament.Pairing, bool) {
	isSame := func(q tournament.Pairing) bool {
		return q.First == p.First && q.Second == p.Second && q.Contest == p.Contest
	}
	i := slices.IndexFunc(list, func(q tournament.Pairing) bool { return q.Board == p.Board && isSame(q) })
	if i < 0 {
		i = slices.IndexFunc(list, isSame)
	}
	if i < 0 {
		return tournament.Pairing{}, false
	}
	return list[i], true
}
