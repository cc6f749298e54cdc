// Package prize distributes the prizes of an event: places, and categories beside them (a
// rating group, a club, an age group, a board of teams). It never gives away more than the fund or two
// prizes to one player, and looks at nothing but the standings: corrected results give a
// corrected distribution.
//
// Amounts are in the smallest unit of the currency (cents). Shares are exact fractions
// until they are rounded once at the end.
package prize

import (
	"slices"
	"strings"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// Limits of a fund.
const (
	MaxCategories = 8 // beside those of boards
	MaxBoards     = 50
	MaxPlaces     = 50
	MaxAmount     = 100_000_000_00 // per prize, in the smallest unit
	MaxClubLength = 100
	FirstYear     = 1900
	LastYear      = 2100
)

// The refusals of a fund.
var (
	ErrCurrency = refusal.Invalid("prize.error.currency", "prize: not a currency that is known")
	ErrAmounts  = refusal.Invalid("prize.error.amounts", "prize: the amounts of a list are at most 50, above nothing and never rising")
	ErrSharing  = refusal.Invalid("prize.error.sharing", "prize: prizes are shared by Hort, equally or not at all")
	ErrCategory = refusal.Invalid("prize.error.category", "prize: a category needs its bound: a rating, a year of birth, a club or a board")
	ErrTwice    = refusal.Invalid("prize.error.twice", "prize: the same category stands twice")
	ErrMany     = refusal.Invalid("prize.error.many", "prize: at most eight categories")
)

// Sharing is how players with the same score share their prizes.
type Sharing string

// The ways of sharing. Players that not even tie-breaks separate always share equally.
const (
	Alone Sharing = ""      // by place, so tie-breaks decide
	Equal Sharing = "equal" // equal parts of the prizes of the tied places
	Hort  Sharing = "hort"  // half of the own prize plus an equal part of half of all
)

// Kind is the kind of a category.
type Kind string

// The kinds of categories.
const (
	Under  Kind = "under"  // rated below a bound; not for unrated players
	Club   Kind = "club"   // of a club, by its name in the list of players
	Youth  Kind = "youth"  // born in a year or later
	Senior Kind = "senior" // born in a year or earlier
	// Of an event of teams, for the best players: on one board, or of all reserves.
	Board   Kind = "board"
	Reserve Kind = "reserve"
)

// Groups are the kinds for whoever meets a condition: of teams and of players.
var (
	TeamGroups   = []Kind{Under, Club}
	PlayerGroups = append(slices.Clone(TeamGroups), Youth, Senior)
)

// Reserves is the board of players who are reserves.
const Reserves = -1

// Category is a list of prizes for some of the players.
type Category struct {
	Kind    Kind    `json:"kind"`
	Bound   int     `json:"bound,omitempty"` // rating, year or board
	Club    string  `json:"club,omitempty"`
	Amounts []int64 `json:"amounts"` // for the first, second …, in the smallest unit
}

// Fund is the prizes of an event. The zero value has none.
type Fund struct {
	Currency   string     `json:"currency"`
	Places     []int64    `json:"places,omitempty"` // for the first, second …, in the smallest unit
	Sharing    Sharing    `json:"sharing,omitempty"`
	Categories []Category `json:"categories,omitempty"`
}

// Digits maps the currencies of prizes to their decimals.
var Digits = map[string]int{"UAH": 2, "EUR": 2, "USD": 2, "GBP": 2, "PLN": 2, "CZK": 2, "CHF": 2, "CAD": 2, "JPY": 0}

// Currencies lists the currency codes, the default first.
var Currencies = []string{"UAH", "EUR", "USD", "GBP", "PLN", "CZK", "CHF", "CAD", "JPY"}

// IsZero reports whether there are no prizes.
func (f Fund) IsZero() bool { return len(f.Places) == 0 && len(f.Categories) == 0 }

// AsksAge reports whether a category needs years of birth.
func (f Fund) AsksAge() bool {
	return slices.ContainsFunc(f.Categories, func(c Category) bool { return c.Kind == Youth || c.Kind == Senior })
}

// Boards returns the last board that has prizes of its own, and whether reserves have.
func (f Fund) Boards() (last int, reserves bool) {
	for _, c := range f.Categories {
		last, reserves = max(last, c.board()), reserves || c.Kind == Reserve
	}
	return last, reserves
}

// IsOfBoard reports whether a list is of players of teams.
func (f Fund) IsOfBoard(list int) bool { return list > 0 && f.Categories[list-1].board() != 0 }

// Total returns the sum of all prizes.
func (f Fund) Total() (sum int64) {
	for i := range f.lists() {
		for _, a := range f.amounts(i) {
			sum += a
		}
	}
	return sum
}

// Clone returns an independent copy.
func (f Fund) Clone() Fund {
	f.Places, f.Categories = slices.Clone(f.Places), slices.Clone(f.Categories)
	for i := range f.Categories {
		f.Categories[i].Amounts = slices.Clone(f.Categories[i].Amounts)
	}
	return f
}

// Validate returns nil for a fund that can be distributed.
func (f Fund) Validate() error {
	if f.IsZero() {
		return nil
	}
	if _, known := Digits[f.Currency]; !known {
		return ErrCurrency
	}
	if f.Sharing != Alone && f.Sharing != Equal && f.Sharing != Hort {
		return ErrSharing
	}
	if !falls(f.Places) {
		return ErrAmounts
	}
	if len(f.Categories) > MaxCategories+MaxBoards+1 {
		return ErrMany
	}
	groups := 0
	for i, c := range f.Categories {
		if err := c.validate(); err != nil {
			return err
		}
		if c.board() == 0 {
			groups++
		}
		if slices.ContainsFunc(f.Categories[:i], c.sameAs) {
			return ErrTwice
		}
	}
	if groups > MaxCategories {
		return ErrMany
	}
	return nil
}

func (c Category) validate() error {
	isYear := c.Bound >= FirstYear && c.Bound <= LastYear
	switch {
	case len(c.Amounts) == 0 || !falls(c.Amounts):
		return ErrAmounts
	case c.Kind == Under && c.Bound > 0 && c.Bound <= 9999 && c.Club == "":
		return nil
	case (c.Kind == Youth || c.Kind == Senior) && isYear && c.Club == "":
		return nil
	case c.Kind == Board && c.Bound > 0 && c.Bound <= MaxBoards && c.Club == "", c.Kind == Reserve && c.Bound == 0 && c.Club == "":
		return nil
	case c.Kind == Club && c.Bound == 0 && strings.TrimSpace(c.Club) != "" && utf8.RuneCountInString(c.Club) <= MaxClubLength:
		return nil
	}
	return ErrCategory
}

// board returns whose prizes these are: of the players on a board, of the Reserves, or 0.
func (c Category) board() int {
	switch c.Kind {
	case Board:
		return c.Bound
	case Reserve:
		return Reserves
	}
	return 0
}

func (c Category) sameAs(o Category) bool {
	return c.Kind == o.Kind && c.Bound == o.Bound && sameClub(c.Club, o.Club)
}

// falls reports whether amounts are positive and never rise.
func falls(amounts []int64) bool {
	for i, a := range amounts {
		if a <= 0 || a > MaxAmount || i > 0 && a > amounts[i-1] {
			return false
		}
	}
	return len(amounts) <= MaxPlaces
}

// lists returns the number of lists: places, and categories.
func (f Fund) lists() int { return 1 + len(f.Categories) }

// amounts returns the prizes of a list; 0 is the places.
func (f Fund) amounts(list int) []int64 {
	if list == 0 {
		return f.Places
	}
	return f.Categories[list-1].Amounts
}

// Admits reports whether a player can have a prize of the category.
func (c Category) Admits(p Player) bool {
	switch c.Kind {
	case Under:
		return p.Rating > 0 && p.Rating < c.Bound
	case Club:
		return sameClub(p.Club, c.Club)
	case Youth:
		return p.Born >= c.Bound
	case Senior:
		return p.Born > 0 && p.Born <= c.Bound
	case Board, Reserve:
		return p.Board == c.board()
	}
	return false
}

func sameClub(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}
