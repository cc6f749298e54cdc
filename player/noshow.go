package player

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// How absences keep a player out of events: for a day after the first, for
// twice as long after each that follows, for half as long again when it comes
// while the player is kept out already (two events at once), and never longer
// than thirty days. Every match played takes one doubling back.
const (
	FirstBan   = 24 * time.Hour
	LongestBan = 30 * 24 * time.Hour
	// Remembered is how long an absence counts for those that follow.
	Remembered = 365 * 24 * time.Hour
)

// Verdict is what became of an appeal.
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

// NoShow is a match to which a player did not come, and their appeal, if they made one.
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

// What an appeal is refused for.
var (
	ErrAppealed   = refusal.Conflict("schedule.error.appealed", "player: already appealed")
	ErrNoAppeal   = refusal.Conflict("schedule.error.no-appeal", "player: no appeal to decide")
	ErrAppealText = refusal.Invalid("schedule.error.appeal-text", "player: the appeal is empty or too long")
	ErrAppealLate = refusal.Conflict("schedule.error.appeal-late", "player: too late to appeal")
	ErrBarred     = refusal.Forbidden("schedule.error.barred", "player: barred from events after no-shows")
)

// Bounds of an appeal.
const (
	MaxAppeal  = 1000 // characters, of the appeal and of the answer
	AppealTime = 30 * 24 * time.Hour
)

// MayAppeal is nil or why an absence cannot be appealed now.
func (n NoShow) MayAppeal(now time.Time) error {
	switch {
	case n.Appeal != "":
		return ErrAppealed
	case now.After(n.At.Add(AppealTime)):
		return ErrAppealLate
	}
	return nil
}

// WithAppeal is the absence with its player's appeal.
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

// Decided is the absence with the answer to its appeal, which may be changed later.
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

// readable is text without its margins, and whether it can be kept.
func readable(text string) (string, bool) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	return text, IsText(text) && utf8.RuneCountInString(text) <= MaxAppeal
}

// Ban is until when a player is kept out of events that honour it.
type Ban struct {
	Until time.Time // the zero time: never was
	Level int       // how many doublings the next absence starts from
}

// Bars tells whether the player is kept out now.
func (b Ban) Bars(now time.Time) bool { return b.Until.After(now) }

// BanOf is what a player's absences and the matches they have played since add up
// to, each in any order. An absence that was excused counts for nothing.
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
	slices.SortStableFunc(marks, func(a, b mark) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return cmp.Compare(btoi(b.absent), btoi(a.absent)) // absent first: a match at that moment heals it
	})
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

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
