package tiebreak

import (
	"cmp"
	"strconv"
	"strings"
)

// Value is the value of a tie-break in hundredths, exact for nearly every kind: products of two
// scores are hundredths, averages are rounded by rule. The zero value is undefined: there
// was nothing to compute it from.
type Value struct {
	Hundredths int64
	Defined    bool
	rest       int64 // orders equal hundredths: what rounding lost, or the boards that follow the first
}

// compare compares two values that are defined.
func (v Value) compare(o Value) int {
	return cmp.Or(cmp.Compare(v.Hundredths, o.Hundredths), cmp.Compare(v.rest, o.rest))
}

func hundredths(n int64) Value { return Value{Hundredths: n, Defined: true} }
func whole(n int) Value        { return hundredths(100 * int64(n)) }
func tenths(n int64) Value     { return hundredths(10 * n) }

// Float returns the value for JSON; undefined is 0.
func (v Value) Float() float64 { return float64(v.Hundredths) / 100 }

// String formats the value without trailing zeros; undefined is a dash.
func (v Value) String() string {
	if !v.Defined {
		return "-"
	}
	n, sign := v.Hundredths, ""
	if n < 0 {
		n, sign = -n, "-"
	}
	text := strconv.FormatInt(n/100, 10) + "." + strconv.FormatInt(100+n%100, 10)[1:]
	return sign + strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// halfUp returns sum/n rounded to the nearest whole number, half up.
func halfUp(sum, n int64) int64 {
	d := 2*sum + n
	q := d / (2 * n)
	if d%(2*n) < 0 {
		q--
	}
	return q
}

// halfEven returns sum/n rounded to the nearest whole number, half to even.
func halfEven(sum, n int64) int64 {
	q := halfUp(sum, n)
	if (2*sum+n)%(2*n) == 0 && q%2 != 0 {
		q--
	}
	return q
}

// Term is the contribution of one round or one opponent to a value.
type Term struct {
	Round    int
	Board    int   // of a team, with Round 0: all matches on it (TBR, BC), or on it and those above (BBE)
	Opponent int   // number of the played or scheduled opponent; 0: none
	Dummy    bool  // an unplayed round, counted against a dummy (C.07, 16.4)
	Basis    Value // the opponent's (or dummy's) score, rating, Buchholz…
	Points   Value // own points, if they matter
	Worth    Value // what the term contributes
	Cut      bool  // left out by a modifier
	VUR      bool  // voluntarily unplayed; cut first (16.5)
}

// Explanation shows how a value came about.
type Explanation struct {
	Terms      []Term
	Divided    int   // averages, SSSC: what the sum of the terms is divided by
	Plus       Value // SSSC: what is added then
	Percent    int   // TPR: the score in percent
	Difference int   // TPR: the rating difference for Percent
	Tied       []int // DE, EDE, and tie-breaks by boards: the tied group

	// EDE takes steps, each for those whom the one before left level.
	By   string        // what this step compared: MP, GP, BC, TBR or BBE; empty: not EDE
	Then []Explanation // the steps after this one
}
