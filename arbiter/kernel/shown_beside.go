package kernel

import (
	"encoding/json"
	"errors"
	"strconv"
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
	if errors.Is(refused, store.ErrConflict) {
		return refused // it is judged again
	}
	first := OvertakenBeside(last.By, last.At, "club.did.", last.Act, last.Version)
	if err := first.UnlessSeen(tx, d.By, refused); err != nil {
		return err
	}
	return tx.NoteClubChange(club.Change{Club: d.Club, Part: d.Part, Act: d.Act, By: d.By.ID, At: a.Now()})
}

// UnlessSeen is what an act ends with that is refused or follows another of somebody else, which its author may have seen.
func (e *Overtaken) UnlessSeen(tx *store.Tx, by player.Viewer, refused error) error {
	if by.Shown <= 0 || e.Now <= by.Shown || e.First.By == by.ID {
		return refused
	}
	e.Refuse = refused
	return e.Named(tx)
}

// SiteStep is an act on a part of what the staff of a site keep together: its face, its mail, who may sign up, an account's
// role, a rating list.
type SiteStep struct {
	By   player.Viewer
	Part string
	Act  string
}

// siteChange is the last change of a part of the site.
type siteChange struct {
	Version int64     `json:"version"`
	Act     string    `json:"act"`
	By      player.ID `json:"by"`
	At      time.Time `json:"at"`
}

// settingSite is the name of the setting with the version of what the staff keep together, and of those with the last change of
// each part.
const settingSite = "site-changed"

// SiteVersion is the version of what the staff of the site keep together, which forms show.
func SiteVersion(tx *store.Tx) (int64, error) {
	text, err := tx.Setting(settingSite, "1")
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// OfSite does an act on a part of the site and notes it. What somebody else has changed there since its author saw it stays:
// ErrOvertaken.
func (a *Kernel) OfSite(tx *store.Tx, d SiteStep, act func() error) error {
	var last siteChange
	text, err := tx.Setting(settingSite+"/"+d.Part, "{}")
	if err == nil {
		err = json.Unmarshal([]byte(text), &last)
	}
	if err != nil {
		return err
	}
	first := OvertakenBeside(last.By, last.At, "site.did.", last.Act, last.Version)
	if err := first.UnlessSeen(tx, d.By, act()); err != nil {
		return err
	}
	now, err := SiteVersion(tx)
	if err != nil {
		return err
	}
	row, err := json.Marshal(siteChange{now + 1, d.Act, d.By.ID, a.Now()})
	if err != nil {
		return err
	}
	if err := tx.SetSetting(settingSite+"/"+d.Part, string(row)); err != nil {
		return err
	}
	return tx.SetSetting(settingSite, strconv.FormatInt(now+1, 10))
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
	return OvertakenBeside(first.By, first.At, "ladder.did.", string(first.Kind), now).UnlessSeen(tx, by, refused)
}
