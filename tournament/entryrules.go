package tournament

import (
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/condition"
	"chpok.org/chpok/tournament/setting"
)

// EntryRules is how players come in. The zero value: everybody, from the
// opening of registration to the start.
type EntryRules struct {
	Opens      time.Time       `json:"opens,omitzero"`  // of registration, by itself once the tournament is announced; zero: then at once
	Closes     time.Time       `json:"closes,omitzero"` // by itself; zero: with the start
	Code       string          `json:"code,omitempty"`  // what players have to know; staff see it
	Approval   bool            `json:"approval,omitempty"`
	Conditions condition.Asked `json:"conditions,omitzero"`
	// LateUntil is the last round that a player who enters after the
	// start may begin with; 0: only staff enter anybody then.
	LateUntil int     `json:"lateUntil,omitempty"`
	LateBye   Outcome `json:"lateBye,omitempty"` // what a late entry has for every round missed: HalfBye, or zero: nothing
	ByeLimit  int     `json:"byeLimit,omitempty"`
	HalfByes  int     `json:"halfByes,omitempty"`  // how many of a player's own byes may be half-point byes
	HalfUntil int     `json:"halfUntil,omitempty"` // the last round they may ask such a bye for; 0: any
}

// Bounds of the rules of entry.
const (
	MaxCodeLength = 40 // characters
	// MaxHalfLate is the last round that a late entry with half-point byes may
	// begin with: FIDE C.04.2 knows late entries of the second and third round.
	MaxHalfLate = 3
)

// entryProblems are the faults of the rules of entry.
func (s Settings) entryProblems(f *setting.Faults) {
	e := s.Entry
	if !e.Opens.IsZero() && !e.Closes.IsZero() && !e.Opens.Before(e.Closes) {
		f.Add("entry_closes", "order", "registration closes before it opens")
	}
	if n := len([]rune(e.Code)); n > MaxCodeLength {
		f.Add("entry_code", "long", "the code has %d characters, %d are possible", n, MaxCodeLength)
	}
	if !player.IsLine(e.Code) || strings.TrimSpace(e.Code) != e.Code {
		f.Add("entry_code", "unsuitable", "the code is one line without spaces around it")
	}
	e.Conditions.Faults(f)
	if s.Format != Swiss && (e.LateUntil != 0 || e.LateBye != NoRecord || e.ByeLimit != 0 || e.HalfByes != 0 || e.HalfUntil != 0) {
		f.Add("late_until", "unsuitable", "late entries and byes are for a Swiss")
		return
	}
	if e.LateBye != NoRecord && e.LateBye != HalfBye {
		f.Add("late_bye", "unsuitable", "a late entry has half-point byes or nothing")
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

// Verdicts judges every condition there is.
func (s Settings) Verdicts(who Candidate, now time.Time) []condition.Verdict {
	p := condition.Person{Name: who.Name, Rating: max(who.Best, who.Rated), Games: who.Games, Since: who.Since, Clubs: who.Clubs}
	if who.Player == "" {
		p.IsGuest, p.Rating = true, who.Rating
	}
	of := s.ClubID
	if !s.MembersOnly {
		of = ""
	}
	return s.Entry.Conditions.Judge(p, of, now)
}
