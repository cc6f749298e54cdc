package tournament

import (
	"slices"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
)

// PartyOf returns nil, or a *fairplay.PartyError if the viewer, who is to decide about a board,
// plays on it.
func (t *Tournament) PartyOf(by player.Viewer, a Act, round, board int) error {
	p, err := t.pairing(round, board)
	if err != nil {
		return err
	}
	return t.CaseOf(a, t.accounts(*p)...).Decide(by.ID)
}

// JudgesOf returns the staff who may do an act about a board and do not play on it.
func (t *Tournament) JudgesOf(a Act, round, board int) []player.ID {
	p, err := t.pairing(round, board)
	if err != nil {
		return nil
	}
	parties := t.accounts(*p)
	return slices.DeleteFunc(t.Judges("", a), func(id player.ID) bool { return slices.Contains(parties, id) })
}

// CaseOf returns the case of an act with its parties. The people of the club can decide it, too,
// though they are not told of everything as staff are.
func (t *Tournament) CaseOf(a Act, parties ...player.ID) fairplay.Case {
	c := fairplay.Case{Parties: parties, Judges: t.Judges("", a)}
	for _, m := range t.ClubStaff {
		if Allows(t.GivenDuty(m.Player), a) && !slices.Contains(c.Judges, m.Player) {
			c.Judges = append(c.Judges, m.Player)
		}
	}
	for _, id := range t.people() {
		if t.GivenDuty(id) == Owner {
			c.Owners = append(c.Owners, id)
		}
	}
	return c
}

// people returns all who may have a duty, here or by their role in the club.
func (t *Tournament) people() (ids []player.ID) {
	for _, m := range t.Staff {
		ids = append(ids, m.Player)
	}
	for _, m := range t.ClubStaff {
		ids = append(ids, m.Player)
	}
	return ids
}

// CaseAbout returns the case of a decision about all that an entry has played. Its parties are
// the player and all opponents.
func (t *Tournament) CaseAbout(a Act, id EntryID) fairplay.Case {
	var parties []player.ID
	for _, p := range t.AllBoards() {
		if t.SeatFor(*p, id).Valid() {
			parties = append(parties, t.accounts(*p)...)
		}
	}
	if e, err := t.Entry(id); err == nil && e.Player != "" {
		parties = append(parties, e.Player)
	}
	return t.CaseOf(a, parties...)
}

// accounts returns the players of a board who have accounts. Of a match of teams everybody in them is a party, and
// so is whoever acts for them.
func (l Entries) accounts(p Pairing) (ids []player.ID) {
	for _, id := range [...]EntryID{p.First, p.Second} {
		if e := l[l.index(id)]; e.Player != "" {
			ids = append(ids, e.Player)
		}
		if p.TeamMatch == 0 {
			continue
		}
		for _, who := range l.Behind(l.SideOf(id)) {
			if !slices.Contains(ids, who) {
				ids = append(ids, who)
			}
		}
	}
	return ids
}

// Behind returns the accounts whose interest a side is: a player's own, or those of a team's heads and players.
func (l Entries) Behind(side EntryID) (ids []player.ID) {
	if i := l.index(side); i >= 0 {
		ids = l[i].Heads()
		if l[i].Player != "" {
			ids = append(ids, l[i].Player)
		}
	}
	for _, e := range l.Roster(side) {
		if e.Player != "" && !slices.Contains(ids, e.Player) {
			ids = append(ids, e.Player)
		}
	}
	return ids
}

// Judges returns the staff who may do an act, except one player; "": all.
func (t *Tournament) Judges(except player.ID, a Act) (ids []player.ID) {
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
