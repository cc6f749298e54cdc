package tournament

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/setting"
)

// EntryRules is how players come in. The zero value: everybody, from the
// opening of registration to the start.
type EntryRules struct {
	Opens      time.Time  `json:"opens,omitzero"`  // of registration, by itself once the tournament is announced; zero: then at once
	Closes     time.Time  `json:"closes,omitzero"` // by itself; zero: with the start
	Code       string     `json:"code,omitempty"`  // what players have to know; staff see it
	Approval   bool       `json:"approval,omitempty"`
	Conditions Conditions `json:"conditions,omitzero"`
	// LateUntil is the last round that a player who enters after the
	// start may begin with; 0: only staff enter anybody then.
	LateUntil int     `json:"lateUntil,omitempty"`
	LateBye   Outcome `json:"lateBye,omitempty"` // what a late entry has for every round missed: HalfBye, or zero: nothing
	ByeLimit  int     `json:"byeLimit,omitempty"`
	HalfByes  int     `json:"halfByes,omitempty"`  // how many of a player's own byes may be half-point byes
	HalfUntil int     `json:"halfUntil,omitempty"` // the last round they may ask such a bye for; 0: any
}

// Conditions is what a player has to be, beside a member of the club where the
// settings say so. The zero value asks for nothing.
type Conditions struct {
	MinRating  int             `json:"minRating,omitempty"` // judged, as the highest, on the best of the last RatingWindow
	MaxRating  int             `json:"maxRating,omitempty"` // 0: none
	MinGames   int             `json:"minGames,omitempty"`  // rated ones
	MinAgeDays int             `json:"minAgeDays,omitempty"`
	List       []player.Handle `json:"list,omitempty"` // only these; empty: everybody
}

// RatingWindow is how far back a rating is looked at, so that nobody loses
// points for an evening to enter below their strength.
const RatingWindow = 7 * 24 * time.Hour

// Bounds of the rules of entry.
const (
	MaxCodeLength = 40 // characters
	MaxListed     = 2000
	MaxAgeDays    = 3650
	MaxRating     = 4000
	// MaxHalfLate is the last round that a late entry with half-point byes may
	// begin with: FIDE C.04.2 knows late entries of the second and third round.
	MaxHalfLate = 3
)

// ParseHandles reads a list of handles, in lines or between commas.
func ParseHandles(text string) ([]player.Handle, error) {
	var list []player.Handle
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", ;\r\n\t", r) }) {
		h, err := player.ParseHandle(strings.TrimPrefix(word, "@"))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", word, err)
		}
		if !slices.ContainsFunc(list, func(o player.Handle) bool { return o.Key() == h.Key() }) {
			list = append(list, h)
		}
	}
	return list, nil
}

// entryProblems are the faults of the rules of entry.
func (s Settings) entryProblems(f *setting.Faults) {
	between := func(field string, n, most int) {
		if n < 0 || n > most {
			f.Add(field, "range", "%s is 0…%d, not %d", field, most, n)
		}
	}
	e, c := s.Entry, s.Entry.Conditions
	if !e.Opens.IsZero() && !e.Closes.IsZero() && !e.Opens.Before(e.Closes) {
		f.Add("entry_closes", "order", "registration closes before it opens")
	}
	if n := len([]rune(e.Code)); n > MaxCodeLength {
		f.Add("entry_code", "long", "the code has %d characters, %d are possible", n, MaxCodeLength)
	}
	if !player.IsLine(e.Code) || strings.TrimSpace(e.Code) != e.Code {
		f.Add("entry_code", "unsuitable", "the code is one line without spaces around it")
	}
	between("min_rating", c.MinRating, MaxRating)
	between("max_rating", c.MaxRating, MaxRating)
	if c.MaxRating > 0 && c.MinRating > c.MaxRating {
		f.Add("max_rating", "order", "the highest rating is below the lowest")
	}
	between("min_games", c.MinGames, 100_000)
	between("min_age", c.MinAgeDays, MaxAgeDays)
	if len(c.List) > MaxListed {
		f.Add("entry_list", "range", "%d handles, %d are possible", len(c.List), MaxListed)
	}
	if s.Format != Swiss && (e.LateUntil != 0 || e.LateBye != NoRecord || e.ByeLimit != 0 || e.HalfByes != 0 || e.HalfUntil != 0) {
		f.Add("late_until", "unsuitable", "late entries and byes are for a Swiss")
		return
	}
	if e.LateBye != NoRecord && e.LateBye != HalfBye {
		f.Add("late_bye", "unsuitable", "a late entry has half-point byes or nothing")
	}
	between("late_until", e.LateUntil, s.Rounds)
	if e.LateBye == HalfBye && e.LateUntil > MaxHalfLate {
		f.Add("late_until", "half", "with half-point byes, late entries begin with round %d at the latest", MaxHalfLate)
	}
	between("bye_limit", e.ByeLimit, MaxRounds)
	between("half_byes", e.HalfByes, MaxRounds)
	if e.ByeLimit > 0 && e.HalfByes > e.ByeLimit {
		f.Add("half_byes", "order", "more half-point byes than byes")
	}
	between("half_until", e.HalfUntil, s.Rounds)
}

// ConditionKind is one of the conditions.
type ConditionKind string

// The conditions, in the order in which they are shown.
const (
	ConditionMinRating ConditionKind = "min-rating"
	ConditionMaxRating ConditionKind = "max-rating"
	ConditionGames     ConditionKind = "games"
	ConditionAge       ConditionKind = "age"
	ConditionClub      ConditionKind = "club"
	ConditionList      ConditionKind = "list"
)

// Verdict is one condition judged for one candidate.
type Verdict struct {
	Kind       ConditionKind
	Passed     bool
	Have, Want int // ratings (0: none), games, days; of a club and a list nothing
}

// Verdicts judges every condition there is. For a guest, of whom only the
// rating is known, staff vouch in everything else.
func (s Settings) Verdicts(who Candidate, now time.Time) []Verdict {
	var list []Verdict
	c := s.Entry.Conditions
	best := max(who.Best, who.Rated)
	if who.Player == "" {
		best = who.Rating
	}
	if c.MinRating > 0 {
		list = append(list, Verdict{ConditionMinRating, best >= c.MinRating, best, c.MinRating})
	}
	if c.MaxRating > 0 {
		list = append(list, Verdict{ConditionMaxRating, best <= c.MaxRating, best, c.MaxRating})
	}
	if who.Player == "" {
		return list
	}
	if c.MinGames > 0 {
		list = append(list, Verdict{ConditionGames, who.Games >= c.MinGames, who.Games, c.MinGames})
	}
	if c.MinAgeDays > 0 {
		days := int(now.Sub(who.Since) / (24 * time.Hour))
		list = append(list, Verdict{ConditionAge, days >= c.MinAgeDays, max(0, days), c.MinAgeDays})
	}
	if s.MembersOnly {
		list = append(list, Verdict{Kind: ConditionClub, Passed: slices.Contains(who.Clubs, s.ClubID)})
	}
	if len(c.List) > 0 {
		key := player.Handle(who.Name).Key()
		list = append(list, Verdict{Kind: ConditionList,
			Passed: slices.ContainsFunc(c.List, func(h player.Handle) bool { return h.Key() == key })})
	}
	return list
}

// failed are the verdicts that are not passed.
func failed(list []Verdict) []Verdict {
	return slices.DeleteFunc(list, func(v Verdict) bool { return v.Passed })
}

// ConditionsError says which conditions a candidate does not meet.
type ConditionsError struct{ Failed []Verdict }

func (e *ConditionsError) Error() string {
	words := make([]string, len(e.Failed))
	for i, v := range e.Failed {
		if words[i] = string(v.Kind); v.Want != 0 {
			words[i] += fmt.Sprintf(" %d, not %d", v.Want, v.Have)
		}
	}
	return "tournament: conditions of entry not met: " + strings.Join(words, ", ")
}

// Unwrap is the refusal that every such error is a case of.
func (e *ConditionsError) Unwrap() error { return ErrConditions }
