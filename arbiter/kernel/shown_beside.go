package kernel

import (
	"errors"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/ledger"
)

// OvertakenBeside says who did what first outside of the logs of tournaments; texts is the part of keys that stands
// before the act's.
func OvertakenBeside(by player.ID, at time.Time, texts, act string, now int64) *Overtaken {
	return &Overtaken{First: ledger.Deed{At: at, By: by, Act: tournament.Act(act)}, Key: texts + act, Now: now}
}

// ClubStep is an act on a part of a club.
type ClubStep struct {
	By   player.Viewer
	Club club.ID
	Part string // as in club.Change
	Act  string
}

// OfClub does an act on a part of a club and notes it. What somebody else has changed there since its author saw the
// club stays: ErrOvertaken.
func (a *Kernel) OfClub(tx *store.Tx, d ClubStep, act func() error) error {
	last, err := tx.ClubChange(d.Club, d.Part)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	refused := act()
	switch {
	case errors.Is(refused, store.ErrConflict):
		return refused // it is judged again
	case d.By.Shown > 0 && last.Version > d.By.Shown && last.By != d.By.ID:
		e := OvertakenBeside(last.By, last.At, "club.did.", last.Act, last.Version)
		e.Refuse = refused
		return e.Named(tx)
	case refused != nil:
		return refused
	}
	return tx.NoteClubChange(club.Change{Club: d.Club, Part: d.Part, Act: d.Act, By: d.By.ID, At: a.Now()})
}

// UnseenOnLadder is what an act on a ladder ends with: refused, or *Overtaken if somebody else has done something that
// concerns it since its author saw the ladder.
func UnseenOnLadder(tx *store.Tx, by player.Viewer, l *ladder.Ladder, concerns func(ladder.Event) bool, refused error) error {
	now := l.Seq - int64(len(l.Fresh()))
	if by.Shown <= 0 || by.Shown >= now {
		return refused
	}
	events, err := tx.LadderLogSince(l.ID, by.Shown)
	if err != nil {
		return err
	}
	var first *ladder.Event
	for i, e := range events {
		if e.By != "" && e.By != by.ID && concerns(e) {
			first = &events[i]
		}
	}
	if first == nil {
		return refused
	}
	e := OvertakenBeside(first.By, first.At, "ladder.did.", string(first.Kind), now)
	e.Refuse = refused
	return e.Named(tx)
}
