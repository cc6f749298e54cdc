package player

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// The bans for no-shows: a day after the first, twice as long after each later one, half
// as long again if it comes during a ban (two events at once), and never longer than
// thirty days. Every match played undoes one doubling.
const (
	FirstBan   = 24 * time.Hour
	LongestBan = 30 * 24 * time.Hour
	// Remembered is how long a no-show counts towards later ones.
	Remembered = 365 * 24 * time.Hour
)

// Verdict is the decision on an appeal.
type Verdict uint8

const (
	Undecided Verdict = iota
	Excused           // the absence does not count
	Upheld            // it does
)

var verdictNames = [...]string{"undecided", "excused", "upheld"}

func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return ""
}

// NoShow is a match that a player did not come to, and their appeal, if any.
type NoShow struct {
	ID         string
	Player     ID
	Tournament string
	Round      int
	Board      int
	Match      string
	At         time.Time
	Appeal     string // empty: none
	AppealedAt time.Time
	Verdict    Verdict
	Answer     string
	DecidedBy  ID
	DecidedAt  time.Time
}

// The refusals of an appeal.
var (
	ErrAppealed   = refusal.Conflict("schedule.error.appealed", "player: already appealed")
	ErrNoAppeal   = refusal.Conflict("schedule.error.no-appeal", "player: no appeal to decide")
	ErrAppealText = refusal.Invalid("schedule.error.appeal-text", "player: the appeal is empty or too long")
	ErrAppealLate = refusal.Conflict("schedule.error.appeal-late", "player: too late to appeal")
	ErrBarred     = refusal.Forbidden("schedule.error.barred", "player: barred from events after no-shows")
)

// The bounds of an appeal.
const (
	MaxAppeal  = 1000 // characters, of the appeal and of the answer
	AppealTime = 30 * 24 * time.Hour
)

// MayAppeal is nil or why a no-show cannot be appealed now.
func (n NoShow) MayAppeal(now time.Time) error {
	switch {
	case n.Appeal != "":
		return ErrAppealed
	case now.After(n.At.Add(AppealTime)):
		return ErrAppealLate
	}
	return nil
}

// WithAppeal is the no-show with its player's appeal.
func (n NoShow) WithAppeal(text string, now time.Time) (NoShow, error) {
	if err := n.MayAppeal(now); err != nil {
		return n, err
	}
	text, ok := readable(text)
	if !ok || text == "" {
		return n, ErrAppealText
	}
	n.Appeal, n.AppealedAt = text, now
	return n, nil
}

// Decided is the no-show with the answer to its appeal, which may be changed later.
func (n NoShow) Decided(by ID, v Verdict, answer string, now time.Time) (NoShow, error) {
	answer, ok := readable(answer)
	switch {
	case n.Appeal == "" || v != Excused && v != Upheld:
		return n, ErrNoAppeal
	case !ok:
		return n, ErrAppealText
	}
	n.Verdict, n.Answer, n.DecidedBy, n.DecidedAt = v, answer, by, now
	return n, nil
}

// readable is text without surrounding space, and whether it can be kept.
func readable(text string) (string, bool) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	return text, IsText(text) && utf8.RuneCountInString(text) <= MaxAppeal
}

// Ban is until when a player is kept out of events that honor it.
type Ban struct {
	Until time.Time // the zero time: never
	Level int       // doublings that the next no-show starts with
}

// Bars reports whether the ban holds now.
func (b Ban) Bars(now time.Time) bool { return b.Until.After(now) }

// BanOf is the ban that a player's no-shows and the matches they have played since add up
// to, each in any order. Excused ones do not count.
func BanOf(absences []NoShow, played []time.Time) Ban {
	type mark struct {
		at     time.Time
		absent bool
	}
	var marks []mark
	for _, n := range absences {
		if n.Verdict != Excused {
			marks = append(marks, mark{n.At, true})
		}
	}
	for _, at := range played {
		marks = append(marks, mark{at, false})
	}
	// Stable, so that a match played at the moment of a no-show counts after it.
	slices.SortStableFunc(marks, func(a, b mark) int { return a.at.Compare(b.at) })
	var b Ban
	for _, m := range marks {
		if !m.absent {
			b.Level = max(0, b.Level-1)
			continue
		}
		ban := min(LongestBan, FirstBan<<min(b.Level, 10))
		if b.Until.After(m.at) {
			ban = min(LongestBan, ban+ban/2)
		}
		b.Level = min(b.Level+1, 10)
		if until := m.at.Add(ban); until.After(b.Until) {
			b.Until = until
		}
	}
	return b
}
