package setting

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
)

// Conditions are an event's entry conditions, besides membership in its club, which is a setting
// of its own. The zero value has none.
type Conditions struct {
	MinRating  int             `json:"minRating,omitempty"` // both limits apply to the best rating in RatingWindow
	MaxRating  int             `json:"maxRating,omitempty"` // 0: no limit
	MinGames   int             `json:"minGames,omitempty"`  // rated games
	MinAgeDays int             `json:"minAgeDays,omitempty"`
	List       []player.Handle `json:"list,omitempty"` // only these players; empty: everybody
}

// RatingWindow is how far back ratings count, so that nobody loses points on purpose to
// enter.
const RatingWindow = 7 * 24 * time.Hour

// Limits of the conditions.
const (
	MaxRating  = 4000
	maxListed  = 2000
	maxAgeDays = 3650
	maxGames   = 100_000
)

// ErrUnmet is the refusal of every Unmet.
var ErrUnmet = refusal.Conflict("entry.error.conditions", "tournament: conditions of entry not met")

// ParseHandles reads a list of handles on lines or separated by commas.
func ParseHandles(text string) ([]player.Handle, error) {
	var list []player.Handle
	for _, word := range SplitHandles(text) {
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

// SplitHandles returns the words of such a list as they stand there, handles or not.
func SplitHandles(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", ;\r\n\t", r) })
}

// Faults adds the faults of the conditions.
func (c Conditions) Faults(f *Faults) {
	f.Between("min_rating", c.MinRating, MaxRating)
	f.Between("max_rating", c.MaxRating, MaxRating)
	if c.MaxRating > 0 && c.MinRating > c.MaxRating {
		f.Add("max_rating", "order", "the highest rating is below the lowest")
	}
	f.Between("min_games", c.MinGames, maxGames)
	f.Between("min_age", c.MinAgeDays, maxAgeDays)
	if len(c.List) > maxListed {
		f.Add("entry_list", "range", "%d handles, %d are possible", len(c.List), maxListed)
	}
}

// Condition is one of the conditions.
type Condition string

// The conditions, in the order in which they are shown.
const (
	LeastRating Condition = "min-rating"
	MostRating  Condition = "max-rating"
	Games       Condition = "games"
	Age         Condition = "age"
	Club        Condition = "club"
	Listed      Condition = "list"
)

// Verdict is one condition judged for one person.
type Verdict struct {
	Kind       Condition
	Passed     bool
	Have, Want int // ratings (0: none), games or days
}

// Applicant is somebody who is judged.
type Applicant struct {
	Name    string
	IsGuest bool // only the rating counts; staff vouch for the rest
	Rating  int  // best of the last RatingWindow; 0: none
	Games   int
	Since   time.Time
	Clubs   []club.ID
}

// Judge judges every condition. of is the club whose members may enter; empty for
// everybody.
func (c Conditions) Judge(who Applicant, of club.ID, now time.Time) []Verdict {
	var list []Verdict
	if c.MinRating > 0 {
		list = append(list, Verdict{LeastRating, who.Rating >= c.MinRating, who.Rating, c.MinRating})
	}
	if c.MaxRating > 0 {
		list = append(list, Verdict{MostRating, who.Rating <= c.MaxRating, who.Rating, c.MaxRating})
	}
	if who.IsGuest {
		return list
	}
	if c.MinGames > 0 {
		list = append(list, Verdict{Games, who.Games >= c.MinGames, who.Games, c.MinGames})
	}
	if c.MinAgeDays > 0 {
		days := int(now.Sub(who.Since) / (24 * time.Hour))
		list = append(list, Verdict{Age, days >= c.MinAgeDays, max(0, days), c.MinAgeDays})
	}
	if of != "" {
		list = append(list, Verdict{Kind: Club, Passed: slices.Contains(who.Clubs, of)})
	}
	if len(c.List) > 0 {
		key := player.Handle(who.Name).Key()
		list = append(list, Verdict{Kind: Listed,
			Passed: slices.ContainsFunc(c.List, func(h player.Handle) bool { return h.Key() == key })})
	}
	return list
}

// Failed returns the verdicts that did not pass.
func Failed(list []Verdict) []Verdict {
	return slices.DeleteFunc(list, func(v Verdict) bool { return v.Passed })
}

// Unmet is an error: the conditions that somebody does not meet.
type Unmet struct{ Failed []Verdict }

// Error says which conditions somebody does not meet.
func (e *Unmet) Error() string { return "tournament: " + e.detail() }

func (e *Unmet) detail() string {
	words := make([]string, len(e.Failed))
	for i, v := range e.Failed {
		words[i] = string(v.Kind)
		if v.Want != 0 {
			words[i] += fmt.Sprintf(" %d, not %d", v.Want, v.Have)
		}
	}
	return "conditions of entry not met: " + strings.Join(words, ", ")
}

// Unwrap is a case of ErrUnmet.
func (e *Unmet) Unwrap() error { return refusal.Told(ErrUnmet, "", e.detail()) }
