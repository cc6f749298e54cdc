package tournament

import (
	"slices"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// CaseOf is a board as something to be decided.
func (l Entries) CaseOf(p Pairing, judges []player.ID) fairplay.Case {
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
	return t.CaseOf(*p, t.Judges(by, a)).Decide(by.ID)
}

// JudgesOf are the staff who may do an act about a board, without who plays on it.
func (t *Staffed) JudgesOf(a Act, round, board int) (ids []player.ID) {
	for _, id := range t.Judges(player.Viewer{}, a) {
		if t.PartyOf(player.Viewer{Player: player.Player{ID: id}}, a, round, board) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// CaseAbout is an act about all that an entry has played as something to be
// decided: its player and everybody whom it was paired with are parties.
func (t *Staffed) CaseAbout(a Act, id EntryID) fairplay.Case {
	c := fairplay.Case{Judges: t.Judges(player.Viewer{}, a)}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if !p.SeatOf(id).Valid() {
				continue
			}
			c.Parties = append(c.Parties, t.CaseOf(p, nil).Parties...)
		}
	}
	if e, err := t.Entry(id); err == nil && e.Player != "" {
		c.Parties = append(c.Parties, e.Player)
	}
	return c
}

// ownEntry is the *fairplay.PartyError of staff who decide about their own entry.
func (t *Staffed) ownEntry(by player.Viewer, a Act) error {
	return fairplay.Case{Parties: []player.ID{by.ID}, Judges: t.Judges(by, a)}.Decide(by.ID)
}

// Judges are the staff, without the viewer, who may do an act.
func (t *Staffed) Judges(by player.Viewer, a Act) (ids []player.ID) {
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

// BoardOf is where an entry sits in a round.
func (r Round) BoardOf(id EntryID) (Pairing, bool) {
	i := slices.IndexFunc(r.Pairings, func(p Pairing) bool { return p.SeatOf(id).Valid() })
	if i < 0 {
		return Pairing{}, false
	}
	return r.Pairings[i], true
}
