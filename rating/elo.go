// Package rating decides how results change ratings: Elo by FIDE B.02 in the edition of 1
// March 2024 with the amendment of 1 October 2025, or by an operator's own numbers, or
// Glicko-2; which results a pool counts, what a tournament was worth to a player, and how
// many chips a difference in rating is worth. It knows no players beyond their
// identities, and refuses results it cannot place.
package rating

import (
	"fmt"
	"strconv"

	"chpok.org/chpok/refusal"
)

// Rating is in hundredths of a point; 0 is unrated. Lists by FIDE's rules hold whole
// points, others keep the fractions and show whole points.
type Rating int64

// Points is a rating of whole points.
func Points(whole int) Rating { return Rating(whole) * 100 }

// Whole is the rating as it is published, a half rounded up.
func (r Rating) Whole() int { return int(floor(int64(r)+50, 100)) }

func (r Rating) String() string {
	if r == 0 {
		return "unrated"
	}
	return strconv.Itoa(r.Whole())
}

// Result is a game's outcome for one player, in half points.
type Result uint8

const (
	Loss Result = iota
	Draw
	Win
)

// Settings are the rules of one rating list. The zero value is invalid; start with FIDE
// or Club.
type Settings struct {
	Method Method
	Glicko Glicko // if Method is Glicko2; then of the rest only Start and Floor count

	// Start is the provisional rating of a newcomer. 0: newcomers stay unrated
	// until they have earned a first rating (B.02, 8.2), and games against
	// unrated opponents do not count.
	Start int

	MinGames   int // games against rated opponents for a first rating (7.1.4)
	MaxInitial int // the highest first rating (8.2.3); 0: none
	Months     int // a first rating forgets older results (7.1.4); 0: none

	// Floor is the lowest rating. A first rating below it is not published, and
	// those who fall below it become unrated (7.2.1); with Start set they stay on it.
	Floor int

	// K-factors (8.3.3).
	NewK, K, TopK int
	NewGames      int // games with NewK, until which a rating is provisional
	Top           int // TopK for good once this rating has been reached; 0: never
	JuniorK       int // until the end of the year of the JuniorAge-th birthday, rated below JuniorUnder
	JuniorAge     int
	JuniorUnder   int
	MaxKGames     int // K times the games of one event stays within this; 0: no limit

	Gap       int  // larger differences count as this (8.3.1); 0: no limit
	GapBelow  int  // for players rated below this; 0: for all
	WholeOnly bool // round every event's change to whole points (8.3.4)
}

// FIDE is B.02 for over-the-board standard play.
func FIDE() Settings {
	return Settings{
		MinGames: 5, MaxInitial: 2200, Months: 26, Floor: 1400,
		NewK: 40, K: 20, TopK: 10, NewGames: 30, Top: 2400,
		JuniorK: 40, JuniorAge: 18, JuniorUnder: 2300, MaxKGames: 700,
		Gap: 400, GapBelow: 2650, WholeOnly: true,
	}
}

// Club is a list where everybody starts at the same provisional rating and every game
// counts; otherwise FIDE's formulas, keeping hundredths.
func Club(start int) Settings {
	s := FIDE()
	s.Start, s.Floor, s.MaxInitial, s.MinGames, s.Months = start, 100, 0, 0, 0
	s.WholeOnly = false
	return s
}

// ErrRules refuses settings that contradict each other.
var ErrRules = refusal.Invalid("rating.rules-wrong", "rating settings: they contradict each other")

func contradiction(format string, args ...any) error {
	return refusal.Told(ErrRules, "", fmt.Sprintf(format, args...))
}

// Validate names settings that contradict each other: ErrRules.
func (s Settings) Validate() error {
	if s.Method > Glicko2 {
		return contradiction("no such method")
	}
	if s.Method == Glicko2 {
		return s.validateGlicko()
	}
	switch {
	case s.NewK <= 0 || s.K <= 0 || (s.Top > 0 && s.TopK <= 0) || (s.JuniorAge > 0 && s.JuniorK <= 0):
		return contradiction("a K-factor is not positive")
	case s.Start < 0 || s.Floor < 0 || s.MinGames < 0 || s.MaxInitial < 0 || s.Gap < 0 || s.MaxKGames < 0 || s.Months < 0:
		return contradiction("a negative number")
	case s.Start > 0 && s.Start < s.Floor:
		return contradiction("newcomers start at %d, below the floor %d", s.Start, s.Floor)
	case s.Start == 0 && s.MinGames == 0:
		return contradiction("newcomers have neither a start rating nor a number of games for a first one")
	}
	return nil
}

// difference is D of 8.3.1, and whether the 400-point rule cut it.
func (s Settings) difference(own, opponent int) (d int, cut bool) {
	d = own - opponent
	if s.Gap == 0 || (s.GapBelow > 0 && own >= s.GapBelow) || max(d, -d) <= s.Gap {
		return d, false
	}
	if d < 0 {
		return -s.Gap, true
	}
	return s.Gap, true
}

// factor is K for a player at the start of an event of so many games.
func (s Settings) factor(p Standing, birthYear, month, games int) int {
	k := s.K
	switch {
	case s.Top > 0 && p.Peak.Whole() >= s.Top:
		k = s.TopK
	case p.Games < s.NewGames:
		k = s.NewK
	case s.JuniorAge > 0 && birthYear > 0 && p.Rating.Whole() < s.JuniorUnder && month/12 <= birthYear+s.JuniorAge:
		k = s.JuniorK
	}
	if s.MaxKGames > 0 && games*k > s.MaxKGames {
		k = s.MaxKGames / games
	}
	return k
}

// Performance is the average rating of the opponents plus the difference for the score in
// half points (8.1.1), the percentage and the result rounded half up; not ok without
// opponents.
func Performance(opponents []int, halves int) (performance int, ok bool) {
	if len(opponents) == 0 {
		return 0, false
	}
	n := int64(len(opponents))
	var sum int64
	for _, r := range opponents {
		sum += int64(r)
	}
	percent := floor(100*int64(halves)+n, 2*n)
	return int(floor(2*(sum+n*int64(Difference(int(percent))))+n, 2*n)), true
}

// hypothetical is the rating of the two opponents of 8.2.2, each drawn against.
const hypothetical = 1800

// Initial is the first rating from games against rated opponents (8.2): their performance
// together with two draws against 1800, at most most if that is set; not ok without
// opponents.
func Initial(opponents []int, halves, most int) (rating int, ok bool) {
	if len(opponents) == 0 {
		return 0, false
	}
	all := append(append(make([]int, 0, len(opponents)+2), opponents...), hypothetical, hypothetical)
	rating, _ = Performance(all, halves+2)
	if most > 0 {
		rating = min(rating, most)
	}
	return rating, true
}

// floor is the quotient rounded down, for a positive divisor.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// roundAway rounds hundredths to whole points, a half away from zero (8.3.4).
func roundAway(change int64) int64 {
	if change < 0 {
		return -((-change + 50) / 100) * 100
	}
	return (change + 50) / 100 * 100
}
