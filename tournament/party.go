package tournament

import (
	"slices"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// Party is nil, or a *fairplay.PartyError when what a viewer is about to do decides
// a board that they play on, their place in a pairing, or their own entry. It
// compares the state before with the one after, so no act can forget to ask.
// What the system pairs, and leaving by oneself, is nobody's decision.
func Party(before, after *Tournament, by player.Viewer, a Act) error {
	e, entered := before.EntryOf(by.ID)
	now, still := after.EntryOf(by.ID)
	if !entered || !still {
		return nil
	}
	if leaves := a == ActWithdraw && e.Status != Withdrawn && now.Status == Withdrawn; leaves {
		return nil
	}
	c := fairplay.Case{Parties: []player.ID{by.ID}, Judges: after.judges(by, a)}
	if e.Removed && e.Status == Withdrawn && now.Status != Withdrawn ||
		!slices.Equal(forbidden(before, e.ID), forbidden(after, e.ID)) ||
		after.Draft != nil && after.Draft.Edited && movedInDraft(before, after, e.ID) {
		return c.Decide(by.ID)
	}
	for i, r := range before.Rounds {
		if i >= len(after.Rounds) {
			break
		}
		was, sat := r.boardOf(e.ID)
		is, sits := after.Rounds[i].boardOf(e.ID)
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

// decided judges another result, or another match, on a board that the viewer
// plays on.
func decided(t *Tournament, was, is Pairing, by player.ID, a Act, c fairplay.Case) error {
	same := was.Result.Kind == is.Result.Kind && was.Result.RatedKind() == is.Result.RatedKind() && was.Match == is.Match
	if same {
		return nil
	}
	c = t.caseOf(is, c.Judges)
	// What two say who sat at a table: one of them has no account to agree with.
	if a == ActResult && was.Result.IsPending() && is.Match == "" && len(c.Parties) < 2 {
		return nil
	}
	return c.Decide(by)
}

// caseOf is a board as something to be decided.
func (l Entries) caseOf(p Pairing, judges []player.ID) fairplay.Case {
	c := fairplay.Case{Judges: judges}
	for _, id := range [...]EntryID{p.First, p.Second} {
		if e := l[l.index(id)]; e.Player != "" {
			c.Parties = append(c.Parties, e.Player)
		}
	}
	return c
}

// PartyOf is nil, or a *fairplay.PartyError when the viewer plays on a board that
// somebody is to decide about.
func (t *Staffed) PartyOf(by player.Viewer, a Act, round, board int) error {
	p, err := t.pairing(round, board)
	if err != nil {
		return err
	}
	return t.caseOf(*p, t.judges(by, a)).Decide(by.ID)
}

// JudgesOf are the staff who may do an act about a board, without who plays on it.
func (t *Staffed) JudgesOf(a Act, round, board int) (ids []player.ID) {
	for _, id := range t.judges(player.Viewer{}, a) {
		if t.PartyOf(player.Viewer{Player: player.Player{ID: id}}, a, round, board) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// CaseAbout is an act about all that an entry has played as something to be
// decided: its player and everybody whom it was paired with are parties.
func (t *Staffed) CaseAbout(a Act, id EntryID) fairplay.Case {
	c := fairplay.Case{Judges: t.judges(player.Viewer{}, a)}
	for _, r := range t.Rounds {
		if p, sat := r.boardOf(id); sat {
			c.Parties = append(c.Parties, t.caseOf(p, nil).Parties...)
		}
	}
	if e, err := t.Entry(id); err == nil && e.Player != "" {
		c.Parties = append(c.Parties, e.Player)
	}
	return c
}

// ownEntry is the *fairplay.PartyError of staff who decide about their own entry.
func (t *Staffed) ownEntry(by player.Viewer, a Act) error {
	return fairplay.Case{Parties: []player.ID{by.ID}, Judges: t.judges(by, a)}.Decide(by.ID)
}

// judges are the staff, without the viewer, who may do an act.
func (t *Staffed) judges(by player.Viewer, a Act) (ids []player.ID) {
	if _, known := mayAct[a]; !known {
		return nil
	}
	for _, m := range t.Staff {
		if !by.Is(m.Player) && t.May(player.Viewer{Player: player.Player{ID: m.Player, Role: player.Plain}}, a) {
			ids = append(ids, m.Player)
		}
	}
	return ids
}

// boardOf is where an entry sits in a round.
func (r Round) boardOf(id EntryID) (Pairing, bool) {
	i := slices.IndexFunc(r.Pairings, func(p Pairing) bool { return p.SeatOf(id).Valid() })
	if i < 0 {
		return Pairing{}, false
	}
	return r.Pairings[i], true
}

// forbidden tells whom an entry may not meet, and when.
func forbidden(t *Tournament, id EntryID) (places []EntryID) {
	for _, f := range t.Forbidden {
		if slices.Contains(f.Entries, id) {
			places = append(append(places, f.Entries...), EntryID(f.From), EntryID(f.To))
		}
	}
	return places
}

// movedInDraft tells whether an entry's place in the draft has become another.
func movedInDraft(before, after *Tournament, id EntryID) bool {
	if before.Draft == nil || before.Draft.Number != after.Draft.Number {
		return false
	}
	place := func(d *RoundDraft) [2]EntryID {
		if i := d.boardOf(id); i >= 0 {
			return [2]EntryID{d.Boards[i].First, d.Boards[i].Second}
		}
		return [2]EntryID{}
	}
	return place(before.Draft) != place(after.Draft) || (before.Draft.Bye == id) != (after.Draft.Bye == id)
}
