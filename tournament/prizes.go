package tournament

import (
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/prize"
)

// Refusals of prizes.
var (
	ErrBorn     = refusal.Invalid("prize.error.born", "tournament: no such year of birth, or no prize asks for it")
	ErrOffBoard = refusal.Invalid("prize.error.no-board", "tournament: no team plays on that board, or has reserves")
	ErrAges     = refusal.Invalid("prize.error.ages", "tournament: a team has no year of birth")
	ErrNoPrize  = refusal.NotFound("error.not-found", "tournament: no prizes")
)

// SetPrizes changes the prizes. That is possible only until the tournament is over, so that
// nobody sets them for known winners.
func (t *Tournament) SetPrizes(by player.Viewer, f prize.Fund) error {
	switch {
	case !t.May(by, ActPrizes):
		return ErrNotAllowed
	case t.Status.IsOver():
		return ErrFinished
	}
	s := t.Settings
	s.Prizes = f
	if err := s.prizeFault(); err != nil {
		return err
	}
	if f.IsZero() {
		f = prize.Fund{}
	}
	t.Prizes = f.Clone()
	return nil
}

// prizeFault returns why the prizes cannot be: one that nobody could win is none.
func (s Settings) prizeFault() error {
	last, reserves := s.Prizes.Boards()
	switch err := s.Prizes.Validate(); {
	case err != nil:
		return err
	case last > s.Teams.Boards, reserves && s.Teams.Reserves == 0:
		return ErrOffBoard
	case s.HasTeams() && s.Prizes.AsksAge():
		return ErrAges
	}
	return nil
}

// DeclareBorn sets an entry's year of birth for age group prizes; 0 clears it. Players declare
// their own; staff may declare any.
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
	if t.Entries[i].Born = year; t.Entries[i].Report.BirthYear() != year {
		t.Entries[i].Report.Birth = ""
	}
	return nil
}

// HasPlayed reports whether an entry has played a match.
func (t *Table) HasPlayed(id EntryID) bool {
	for _, p := range t.AllBoards() {
		if t.SeatFor(*p, id).Valid() && p.Result.IsPlayed() {
			return true
		}
	}
	return false
}
