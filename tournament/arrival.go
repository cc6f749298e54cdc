package tournament

import (
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Arrive makes a tournament of another site one of this: it belongs to who
// brings it, its entries are the accounts that here names, and guests where it
// names none. It is of no club, as those of another site are not those of this,
// and no rehearsal. No match is played here yet, so that open boards wait for a
// result by hand or for OpenBoard. What was rated elsewhere is not rated again.
func (t *Tournament) Arrive(owner player.ID, here func(player.ID) player.ID, now time.Time) {
	t.Organizer = owner
	t.ClubID, t.OpponentID, t.MembersOnly, t.Rehearsal = "", "", false, ""
	t.Staff = []Member{{Player: owner, Duty: Owner, Since: now}}
	taken := map[player.ID]bool{}
	for i := range t.Entries {
		e := &t.Entries[i]
		if e.IsGuest() {
			continue
		}
		if e.Player = here(e.Player); taken[e.Player] {
			e.Player = ""
		}
		if e.Player != "" {
			taken[e.Player] = true
		}
	}
	for i := range t.Rounds {
		for j := range t.Rounds[i].Pairings {
			t.Rounds[i].Pairings[j].Match = ""
		}
	}
	if !t.RatedAt.IsZero() {
		t.Rated, t.RatedAt = false, time.Time{}
	}
}

// What linking cannot do.
var (
	ErrLinked      = refusal.Conflict("files.error.linked", "tournament: the entry has an account already")
	ErrNotPlayable = refusal.Conflict("files.error.not-playable", "tournament: a match needs two accounts and a board without a result")
)

// Link gives a guest's entry its account.
func (t *Tournament) Link(by player.Viewer, id EntryID, account player.Player) error {
	i := t.index(id)
	switch {
	case !t.May(by, ActLink):
		return ErrNotAllowed
	case i < 0:
		return ErrNoEntry
	case t.Status == Finalized:
		return ErrFinalized
	case !t.Entries[i].IsGuest():
		return ErrLinked
	}
	if _, entered := t.EntryOf(account.ID); entered {
		return ErrEntered
	}
	t.Entries[i].Player, t.Entries[i].Bot = account.ID, account.Bot
	return nil
}

// OpenBoard begins a match on a board of the last round that waits for a result
// and has none: both entries have got accounts since it was paired.
func (t *Tournament) OpenBoard(by player.Viewer, board int, id match.ID) (Pairing, error) {
	switch {
	case !t.May(by, ActLink):
		return Pairing{}, ErrNotAllowed
	case t.Status != Running:
		return Pairing{}, ErrNotRunning
	}
	p, err := t.pairing(len(t.Rounds), board)
	if err != nil {
		return Pairing{}, err
	}
	if p.Match != "" || !p.Result.IsPending() || t.Entries[t.index(p.First)].IsGuest() || t.Entries[t.index(p.Second)].IsGuest() {
		return Pairing{}, ErrNotPlayable
	}
	p.Match = id
	return *p, nil
}
