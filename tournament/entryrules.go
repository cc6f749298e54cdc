package tournament

import (
	"strings"
	"time"
	"unicode/utf8"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/setting"
)

// EntryRules says how players enter. With the zero value everyone can, from the announcement
// to the start.
type EntryRules struct {
	Opens      time.Time          `json:"opens,omitzero"`     // when registration opens; zero: with the announcement
	Closes     time.Time          `json:"closes,omitzero"`    // when registration closes; zero: with the start
	Code       string             `json:"code,omitempty"`     // players must know it; only staff see it
	Approval   bool               `json:"approval,omitempty"` // staff accept each entry
	Conditions setting.Conditions `json:"conditions,omitzero"`
	// LateUntil is the last round that a player who enters after the start may begin with;
	// 0: only staff make late entries.
	LateUntil int     `json:"lateUntil,omitempty"`
	LateBye   Outcome `json:"lateBye,omitempty"`   // what late entries get for each missed round: HalfBye or nothing
	ByeLimit  int     `json:"byeLimit,omitempty"`  // byes that a player may request; 0: any number
	HalfByes  int     `json:"halfByes,omitempty"`  // of these, half-point byes
	HalfUntil int     `json:"halfUntil,omitempty"` // last round for these; 0: the last but one
}

// Bounds of the rules of entry.
const (
	MaxCodeLength = 40 // characters
	// MaxHalfLate is the last round that a late entry with half-point byes may begin
	// with: FIDE C.04.2 has late entries in the second and third round.
	MaxHalfLate = 3
)

// entryProblems finds faults of the rules of entry.
func (s Settings) entryProblems(f *setting.Faults) {
	e := s.Entry
	if !e.Opens.IsZero() && !e.Closes.IsZero() && !e.Opens.Before(e.Closes) {
		f.Add("entry_closes", "order", "registration closes before it opens")
	}
	if n := utf8.RuneCountInString(e.Code); n > MaxCodeLength {
		f.Add("entry_code", "long", "the code has %d characters, not at most %d", n, MaxCodeLength)
	}
	if !player.IsLine(e.Code) || strings.TrimSpace(e.Code) != e.Code {
		f.Add("entry_code", "unsuitable", "the code is one line without spaces around it")
	}
	e.Conditions.Faults(f)
	if !s.Format.PairsByScore() && (e.LateUntil != 0 || e.LateBye != NoRecord || e.ByeLimit != 0 || e.HalfByes != 0 || e.HalfUntil != 0) {
		f.Add("late_until", "unsuitable", "late entries and byes are for a Swiss")
		return
	}
	if e.LateBye != NoRecord && e.LateBye != HalfBye {
		f.Add("late_bye", "unsuitable", "a late entry gets half-point byes or nothing")
	}
	f.Between("late_until", e.LateUntil, s.Rounds)
	if e.LateBye == HalfBye && e.LateUntil > MaxHalfLate {
		f.Add("late_until", "half", "with half-point byes, late entries begin with round %d at the latest", MaxHalfLate)
	}
	f.Between("bye_limit", e.ByeLimit, MaxRounds)
	f.Between("half_byes", e.HalfByes, MaxRounds)
	if e.ByeLimit > 0 && e.HalfByes > e.ByeLimit {
		f.Add("half_byes", "order", "more half-point byes than byes")
	}
	f.Between("half_until", e.HalfUntil, s.Rounds)
}

// LastHalfBye returns the last round in which players may have half-point byes.
func (s Settings) LastHalfBye() int {
	if s.Entry.HalfUntil > 0 {
		return s.Entry.HalfUntil
	}
	return s.Rounds - 1
}

// Verdicts judges the candidate by every condition of entry.
func (s Settings) Verdicts(who Candidate, now time.Time) []setting.Verdict {
	p := setting.Applicant{Name: who.Name, Rating: max(who.Best, who.Rated), Games: who.Games, Since: who.Since, Clubs: who.Clubs}
	if who.Player == "" {
		p.IsGuest, p.Rating = true, who.Rating
	}
	of := s.ClubID
	if !s.MembersOnly {
		of = ""
	}
	return s.Entry.Conditions.Judge(p, of, now)
}
