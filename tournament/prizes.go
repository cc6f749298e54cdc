package tournament

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/prize"
)

// What of prizes is refused.
var (
	ErrBorn    = refusal.Invalid("prize.error.born", "tournament: a year of birth is four digits")
	ErrTeams   = refusal.Conflict("prize.error.teams", "tournament: a club match has no prizes of its players")
	ErrNoPrize = refusal.NotFound("error.not-found", "tournament: no prizes")
)

// SetPrizes changes what the event gives away, until it is over: who wins what is
// not decided by who has won.
func (t *Tournament) SetPrizes(by player.Viewer, f prize.Fund) error {
	switch {
	case !t.May(by, ActPrizes):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	case t.Format == ClubMatch && !f.IsZero():
		return ErrTeams
	}
	if err := f.Validate(); err != nil {
		return err
	}
	if f.IsZero() {
		f = prize.Fund{}
	}
	t.Prizes = f.Clone()
	return nil
}

// DeclareBorn notes the year an entry says it was born in, for the prizes of an age
// group; 0 takes it back. The player says it, or staff for who has no account.
func (t *Tournament) DeclareBorn(by player.Viewer, id EntryID, year int) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !by.Is(t.Entries[i].Player) && !t.May(by, ActDeclare):
		return ErrNotAllowed
	case t.Status == Finalized:
		return ErrFinished
	case year != 0 && (year < prize.FirstYear || year > prize.LastYear || !t.Prizes.AsksAge()):
		return ErrBorn
	}
	t.Entries[i].Born = year
	return nil
}

// HasPlayed reports whether an entry has sat at a board that was played.
func (l Rounds) HasPlayed(id EntryID) bool {
	for _, r := range l {
		for _, p := range r.Pairings {
			if p.SeatOf(id).Valid() && p.Result.IsPlayed() {
				return true
			}
		}
	}
	return false
}
