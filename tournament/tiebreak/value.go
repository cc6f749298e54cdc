package tiebreak

import (
	"strconv"
	"strings"
)

// Value is the value of a tie-break in hundredths, exact for every kind (two
// scores multiplied are hundredths, averages are rounded there by rule). The
// zero value is undefined: nothing the tie-break looks at has happened.
type Value struct {
	Hundredths int64
	Defined    bool
}

func hundredths(n int64) Value { return Value{n, true} }
func whole(n int) Value        { return Value{100 * int64(n), true} }
func tenths(n int64) Value     { return Value{10 * n, true} }

// Float is the value for JSON; undefined is 0.
func (v Value) Float() float64 { return float64(v.Hundredths) / 100 }

// String is the value without needless zeros, a dash when undefined.
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

// halfUp is sum/n rounded to the nearest whole number, a half up.
func halfUp(sum, n int64) int64 {
	d := 2*sum + n
	q := d / (2 * n)
	if d%(2*n) < 0 {
		q--
	}
	return q
}

// halfEven is the same with a half going to the even neighbour.
func halfEven(sum, n int64) int64 {
	q := halfUp(sum, n)
	if (2*sum+n)%(2*n) == 0 && q%2 != 0 {
		q--
	}
	return q
}

// Term is one part of a value: what one round, or one opponent, brought.
type Term struct {
	Round    int
	Opponent int   // number of the opponent, played or scheduled; 0: none
	Dummy    bool  // an own unplayed round, counted against a dummy (C.07, 16.4)
	Basis    Value // the opponent's (or dummy's) score, rating, Buchholz…
	Points   Value // own points, where they multiply or add
	Worth    Value // what the term adds
	Cut      bool  // left out by a modifier
	VUR      bool  // voluntarily unplayed: such terms are cut first (16.5)
}

// Explanation is how a value came about.
type Explanation struct {
	Terms      []Term
	Divided    int   // averages: the sum of the terms over this
	Percent    int   // TPR: the score in percent…
	Difference int   // …and the rating difference that goes with it
	Tied       []int // DE: the group it was applied to
}
