// Package prize decides who gets what of an event's prizes: the places, and
// categories beside them (a rating group, a club, an age group). It refuses to give
// away more than the fund holds, to give anybody two prizes, and to look at
// anything but the standings it is handed: corrected results give a corrected list.
//
// Amounts are whole numbers of the smallest unit of the money (cents), and shares
// are exact fractions until they are rounded, once, at the end.
package prize

import (
	"slices"
	"strings"
	"unicode/utf8"

	"chpok.org/chpok/refusal"
)

// Bounds of a fund.
const (
	MaxCategories = 8
	MaxPlaces     = 50
	MaxAmount     = 100_000_000_00 // of one prize, in the smallest unit
	MaxClubLength = 100
	FirstYear     = 1900
	LastYear      = 2100
)

// What a fund cannot be.
var (
	ErrCurrency = refusal.Invalid("prize.error.currency", "prize: not a currency that is known")
	ErrAmounts  = refusal.Invalid("prize.error.amounts", "prize: the amounts of a list are at most 50, above nothing and never rising")
	ErrSharing  = refusal.Invalid("prize.error.sharing", "prize: prizes are shared by Hort, equally or not at all")
	ErrCategory = refusal.Invalid("prize.error.category", "prize: a category needs its bound: a rating, a year of birth or a club")
	ErrTwice    = refusal.Invalid("prize.error.twice", "prize: the same category stands twice")
	ErrMany     = refusal.Invalid("prize.error.many", "prize: at most eight categories")
)

// Sharing is what becomes of the prizes of players with the same score.
type Sharing string

// Ways of sharing. Whom nothing separates, not even tie-breaks, share equally in
// every one of them.
const (
	Alone Sharing = ""      // by place: tie-breaks decide
	Equal Sharing = "equal" // the prizes of the tied places together, in equal parts
	Hort  Sharing = "hort"  // half of the own place's prize, and an equal part of half of them all
)

// Kind is what makes a category.
type Kind string

// Kinds of categories.
const (
	Under  Kind = "under"  // rated below a bound; who has no rating is not in it
	Club   Kind = "club"   // of a club, as the list of players names it
	Youth  Kind = "youth"  // born in a year or later, as declared
	Senior Kind = "senior" // born in a year or earlier, as declared
)

// Kinds are all of them.
var Kinds = []Kind{Under, Club, Youth, Senior}

// Category is prizes for some of the players.
type Category struct {
	Kind    Kind    `json:"kind"`
	Bound   int     `json:"bound,omitempty"` // rating or year
	Club    string  `json:"club,omitempty"`
	Amounts []int64 `json:"amounts"` // of its first, second … in the smallest unit
}

// Fund is what an event gives away. The zero value: nothing.
type Fund struct {
	Currency   string     `json:"currency"`
	Places     []int64    `json:"places,omitempty"` // of the first, second … in the smallest unit
	Sharing    Sharing    `json:"sharing,omitempty"`
	Categories []Category `json:"categories,omitempty"`
}

// Digits are the decimals of the currencies prizes can be in.
var Digits = map[string]int{"UAH": 2, "EUR": 2, "USD": 2, "GBP": 2, "PLN": 2, "CZK": 2, "CHF": 2, "CAD": 2, "JPY": 0}

// Currencies are their codes, the usual one first.
var Currencies = []string{"UAH", "EUR", "USD", "GBP", "PLN", "CZK", "CHF", "CAD", "JPY"}

// IsZero tells whether there is nothing to give away.
func (f Fund) IsZero() bool { return len(f.Places) == 0 && len(f.Categories) == 0 }

// AsksAge tells whether a category needs years of birth.
func (f Fund) AsksAge() bool {
	return slices.ContainsFunc(f.Categories, func(c Category) bool { return c.Kind == Youth || c.Kind == Senior })
}

// Total is all of the fund.
func (f Fund) Total() (sum int64) {
	for i := range f.lists() {
		for _, a := range f.amounts(i) {
			sum += a
		}
	}
	return sum
}

// Clone shares nothing with the original.
func (f Fund) Clone() Fund {
	f.Places, f.Categories = slices.Clone(f.Places), slices.Clone(f.Categories)
	for i := range f.Categories {
		f.Categories[i].Amounts = slices.Clone(f.Categories[i].Amounts)
	}
	return f
}

// Validate is nil for a fund that can be given away.
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
	if len(f.Categories) > MaxCategories {
		return ErrMany
	}
	if !falls(f.Places) {
		return ErrAmounts
	}
	for i, c := range f.Categories {
		if err := c.validate(); err != nil {
			return err
		}
		if slices.ContainsFunc(f.Categories[:i], c.sameAs) {
			return ErrTwice
		}
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
	case c.Kind == Club && c.Bound == 0 && strings.TrimSpace(c.Club) != "" && utf8.RuneCountInString(c.Club) <= MaxClubLength:
		return nil
	}
	return ErrCategory
}

func (c Category) sameAs(o Category) bool {
	return c.Kind == o.Kind && c.Bound == o.Bound && sameClub(c.Club, o.Club)
}

// falls tells whether amounts are above nothing and never rise.
func falls(amounts []int64) bool {
	for i, a := range amounts {
		if a <= 0 || a > MaxAmount || i > 0 && a > amounts[i-1] {
			return false
		}
	}
	return len(amounts) <= MaxPlaces
}

// lists is how many lists of prizes there are: that of the places, and categories.
func (f Fund) lists() int { return 1 + len(f.Categories) }

// amounts are those of a list; 0 is that of the places.
func (f Fund) amounts(list int) []int64 {
	if list == 0 {
		return f.Places
	}
	return f.Categories[list-1].Amounts
}

// Admits tells whether a player can have a prize of a category.
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
	}
	return false
}

func sameClub(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}
