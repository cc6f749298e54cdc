package tournament

import (
	"slices"
	"strings"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

var (
	// ErrAccountName is returned when the name of an account is to be corrected: its owner
	// chose it.
	ErrAccountName = refusal.Invalid("entry.error.account-name", "tournament: the name is that of an account")
	ErrBadRating   = refusal.Invalid("entry.line.rating", "tournament: the rating must be a number from 0 to 4000")
)

// Namesake returns who has entered under a name that reads the same, apart from one entry.
func (l Entries) Namesake(name string, but EntryID) (Entry, bool) {
	i := slices.IndexFunc(l, func(e Entry) bool { return e.ID != but && e.isIn() && club.SameName(e.Name, name) })
	if i < 0 {
		return Entry{}, false
	}
	return l[i], true
}

// named returns the name and club of a candidate as an entry has them. but is the entry that
// they are for; 0: a new one.
func (t *Table) named(c Candidate, but EntryID) (name, of string, err error) {
	name, of = player.Tidy(c.Name), player.Tidy(c.Club)
	if c.Player == "" && isOneLine(c.Name) {
		if name, err = club.ParseGuestName(name); err != nil {
			return "", "", err
		}
	}
	if name == "" || utf8.RuneCountInString(name) > MaxNameLength || !isOneLine(c.Name) {
		return "", "", ErrBadName
	}
	if utf8.RuneCountInString(of) > MaxNameLength || !isOneLine(c.Club) {
		return "", "", ErrBadClub
	}
	if c.Player != "" {
		return name, of, nil
	}
	if _, is := t.Namesake(name, but); is && !c.Another {
		return "", "", ErrNamesake
	}
	return name, of, nil
}

// NameFaults returns why names are none that could be entered, by entry; names that read the same are the same
// person's, unless another says otherwise. It is for entries that were not registered one by one.
func (t *Table) NameFaults(another bool) map[EntryID]error {
	faults := map[EntryID]error{}
	for _, e := range t.Entries {
		if _, _, err := t.named(Candidate{Name: e.Name, Club: e.Club, Another: another}, e.ID); err != nil {
			faults[e.ID] = err
		}
	}
	return faults
}

// isOneLine reports whether a text has neither control characters nor lost letters.
func isOneLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError })
}

// Particulars are what can be corrected of an entry.
type Particulars struct {
	Name, Club string
	Rating     int
	// OverTheBoard is Entry.OverTheBoard, for entries with an account; it counts from the
	// next pairing.
	OverTheBoard bool
	Another      bool // is known to be another person than those of the same name
}

// PlayHere has a player who was entered to play over the board play on the site, from the
// next pairing on.
func (t *Tournament) PlayHere(by player.Viewer) error {
	e, entered := t.EntryOf(by.ID)
	switch {
	case !entered || !e.isIn():
		return ErrNoEntry
	case t.Status.IsOver():
		return ErrFinished
	}
	t.Entries = slices.Clone(t.Entries)
	t.Entries[t.index(e.ID)].OverTheBoard = false
	return nil
}

// CorrectEntry corrects what was written of an entry, before and after the start, until the
// event is signed off. Tables, files and the conditions of prizes follow. Numbers follow a
// rating as those of late entries do: until the fourth round is paired (FIDE C.04.2). Boards
// that are paired stay.
func (t *Tournament) CorrectEntry(by player.Viewer, id EntryID, x Particulars) error {
	i := t.index(id)
	switch {
	case i < 0:
		return ErrNoEntry
	case !t.May(by, ActParticulars):
		return ErrNotAllowed
	case t.Status == Finalized:
		return ErrFinalized
	case x.Rating < 0 || x.Rating > setting.MaxRating:
		return ErrBadRating
	}
	e := t.Entries[i]
	c := Candidate{Name: x.Name, Club: x.Club, Another: x.Another || club.SameName(x.Name, e.Name)}
	if player.Tidy(x.Name) == e.Name {
		c.Player = e.Player // as it is
	}
	name, of, err := t.named(c, id)
	if err != nil {
		return err
	}
	t.Entries = slices.Clone(t.Entries)
	t.Entries[i].Name, t.Entries[i].Club, t.Entries[i].Rating = name, of, x.Rating
	t.Entries[i].OverTheBoard = x.OverTheBoard && !e.IsGuest() && !e.Bot && t.Format.InRounds()
	if x.Rating != e.Rating && e.Number > 0 && t.Status == Running {
		t.renumber()
	}
	return nil
}
