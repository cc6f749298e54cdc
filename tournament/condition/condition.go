// Package condition decides whether somebody meets the entry conditions of an event:
// rating, rated games, age of the account, club, or a list of names.
package condition

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament/setting"
)

// Asked is the entry conditions, besides membership in the club, which is a setting. The
// zero value has none.
type Asked struct {
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

// ErrUnmet is the refusal of every Error.
var ErrUnmet = refusal.Conflict("entry.error.conditions", "tournament: conditions of entry not met")

// ParseHandles reads a list of handles on lines or separated by commas.
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

// Faults adds the faults of the conditions.
func (a Asked) Faults(f *setting.Faults) {
	f.Between("min_rating", a.MinRating, MaxRating)
	f.Between("max_rating", a.MaxRating, MaxRating)
	if a.MaxRating > 0 && a.MinRating > a.MaxRating {
		f.Add("max_rating", "order", "the highest rating is below the lowest")
	}
	f.Between("min_games", a.MinGames, maxGames)
	f.Between("min_age", a.MinAgeDays, maxAgeDays)
	if len(a.List) > maxListed {
		f.Add("entry_list", "range", "%d handles, %d are possible", len(a.List), maxListed)
	}
}

// Kind is one of the conditions.
type Kind string

// The conditions, in the order in which they are shown.
const (
	LeastRating Kind = "min-rating"
	MostRating  Kind = "max-rating"
	Games       Kind = "games"
	Age         Kind = "age"
	Club        Kind = "club"
	Listed      Kind = "list"
)

// Verdict is one condition judged for one person.
type Verdict struct {
	Kind       Kind
	Passed     bool
	Have, Want int // ratings (0: none), games or days
}

// Person is somebody who is judged.
type Person struct {
	Name    string
	IsGuest bool // only the rating counts; staff vouch for the rest
	Rating  int  // best of the last RatingWindow; 0: none
	Games   int
	Since   time.Time
	Clubs   []club.ID
}

// Judge judges every condition. of is the club whose members may enter; empty for
// everybody.
func (a Asked) Judge(who Person, of club.ID, now time.Time) []Verdict {
	var list []Verdict
	if a.MinRating > 0 {
		list = append(list, Verdict{LeastRating, who.Rating >= a.MinRating, who.Rating, a.MinRating})
	}
	if a.MaxRating > 0 {
		list = append(list, Verdict{MostRating, who.Rating <= a.MaxRating, who.Rating, a.MaxRating})
	}
	if who.IsGuest {
		return list
	}
	if a.MinGames > 0 {
		list = append(list, Verdict{Games, who.Games >= a.MinGames, who.Games, a.MinGames})
	}
	if a.MinAgeDays > 0 {
		days := int(now.Sub(who.Since) / (24 * time.Hour))
		list = append(list, Verdict{Age, days >= a.MinAgeDays, max(0, days), a.MinAgeDays})
	}
	if of != "" {
		list = append(list, Verdict{Kind: Club, Passed: slices.Contains(who.Clubs, of)})
	}
	if len(a.List) > 0 {
		key := player.Handle(who.Name).Key()
		list = append(list, Verdict{Kind: Listed,
			Passed: slices.ContainsFunc(a.List, func(h player.Handle) bool { return h.Key() == key })})
	}
	return list
}

// Failed returns the verdicts that did not pass.
func Failed(list []Verdict) []Verdict {
	return slices.DeleteFunc(list, func(v Verdict) bool { return v.Passed })
}

// Error says which conditions somebody does not meet.
type Error struct{ Failed []Verdict }

// Error says which conditions somebody does not meet.
func (e *Error) Error() string {
	words := make([]string, len(e.Failed))
	for i, v := range e.Failed {
		if words[i] = string(v.Kind); v.Want != 0 {
			words[i] += fmt.Sprintf(" %d, not %d", v.Want, v.Have)
		}
	}
	return "tournament: conditions of entry not met: " + strings.Join(words, ", ")
}

// Unwrap returns ErrUnmet.
func (e *Error) Unwrap() error { return ErrUnmet }
