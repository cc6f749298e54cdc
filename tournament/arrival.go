package tournament

import (
	"slices"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
)

// Arrive adapts a tournament from another site to this one. It belongs to the player who
// imports it, and to no club. here maps players of that site to accounts of this one; those
// it does not know become guests. Open boards wait for a result by hand or for OpenBoard.
// What was rated there is not rated again.
func (t *Tournament) Arrive(owner player.ID, here func(player.ID) player.ID, now time.Time) {
	t.Organizer = owner
	t.ClubID, t.MembersOnly, t.Rehearsal = "", false, ""
	t.Staff = []Member{{Player: owner, Duty: Owner, Since: now}}
	taken := map[player.ID]bool{}
	for i := range t.Entries {
		e := &t.Entries[i]
		e.ClubID, e.Officers = "", nil
		e.Captains = slices.DeleteFunc(slices.Clone(e.Captains), func(id player.ID) bool { return here(id) == "" })
		for k, id := range e.Captains {
			e.Captains[k] = here(id)
		}
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
	for _, p := range t.AllBoards() {
		p.Match = ""
	}
	if !t.RatedAt.IsZero() {
		t.Rated, t.RatedAt = false, time.Time{}
	}
}

// Refusals of linking.
var (
	ErrLinked      = refusal.Conflict("files.error.linked", "tournament: the entry already has an account")
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
	case !t.Entries[i].IsGuest() || t.IsTeam(t.Entries[i]):
		return ErrLinked
	}
	if _, entered := t.EntryOf(account.ID); entered {
		return ErrEntered
	}
	t.Entries[i].Player, t.Entries[i].Bot = account.ID, account.Bot
	return nil
}

// OpenBoard opens a match on a pending board of a round whose entries have both got accounts
// since it was paired.
func (t *Tournament) OpenBoard(by player.Viewer, round, board int, id match.ID) (Pairing, error) {
	switch {
	case !t.May(by, ActLink):
		return Pairing{}, ErrNotAllowed
	case t.Status != Running:
		return Pairing{}, ErrNotRunning
	}
	p, err := t.pairing(round, board)
	if err != nil {
		return Pairing{}, err
	}
	if p.Match != "" || p.Fixture != nil || !p.Result.IsPending() || t.hasLeft(p.First) || t.hasLeft(p.Second) {
		return Pairing{}, ErrNotPlayable
	}
	t.NameMatch(p, func() match.ID { return id })
	if p.Match == "" {
		return Pairing{}, ErrNotPlayable
	}
	return *p, nil
}
