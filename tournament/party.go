package tournament

import (
	"slices"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// CaseOf returns the case of a decision about a board; its parties are the players.
func (l Entries) CaseOf(p Pairing, judges []player.ID) fairplay.Case {
	c := fairplay.Case{Judges: judges}
	for _, id := range [...]EntryID{p.First, p.Second} {
		if e := l[l.index(id)]; e.Player != "" {
			c.Parties = append(c.Parties, e.Player)
		}
	}
	return c
}

// PartyOf returns nil, or a *fairplay.PartyError if the viewer, who is to decide about a board,
// plays on it.
func (t *Staffed) PartyOf(by player.Viewer, a Act, round, board int) error {
	p, err := t.pairing(round, board)
	if err != nil {
		return err
	}
	return t.CaseOf(*p, t.Judges(by.ID, a)).Decide(by.ID)
}

// JudgesOf returns the staff who may do an act about a board and do not play on it.
func (t *Staffed) JudgesOf(a Act, round, board int) []player.ID {
	p, err := t.pairing(round, board)
	if err != nil {
		return nil
	}
	parties := t.CaseOf(*p, nil).Parties
	return slices.DeleteFunc(t.Judges("", a), func(id player.ID) bool { return slices.Contains(parties, id) })
}

// CaseAbout returns the case of a decision about all that an entry has played. Its parties are
// the player and all opponents.
func (t *Staffed) CaseAbout(a Act, id EntryID) fairplay.Case {
	c := fairplay.Case{Judges: t.Judges("", a)}
	for _, p := range t.AllBoards() {
		if p.SeatOf(id).Valid() {
			c.Parties = append(c.Parties, t.CaseOf(*p, nil).Parties...)
		}
	}
	if e, err := t.Entry(id); err == nil && e.Player != "" {
		c.Parties = append(c.Parties, e.Player)
	}
	return c
}

// ownEntry returns the *fairplay.PartyError for staff who decide about their own entry.
func (t *Staffed) ownEntry(by player.Viewer, a Act) error {
	return fairplay.Case{Parties: []player.ID{by.ID}, Judges: t.Judges(by.ID, a)}.Decide(by.ID)
}

// Judges returns the staff who may do an act, except one player; "": all.
func (t *Staffed) Judges(except player.ID, a Act) (ids []player.ID) {
	if _, known := mayAct[a]; !known {
		return nil
	}
	for _, m := range t.Staff {
		if m.Player != except && Allows(t.GivenDuty(m.Player), a) {
			ids = append(ids, m.Player)
		}
	}
	return ids
}

// BoardOf returns the board of an entry in a round, and whether it has one.
func (r Round) BoardOf(id EntryID) (Pairing, bool) {
	i := slices.IndexFunc(r.Pairings, func(p Pairing) bool { return p.SeatOf(id).Valid() })
	if i < 0 {
		return Pairing{}, false
	}
	return r.Pairings[i], true
}
