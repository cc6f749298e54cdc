package review_test

import (
	"math"
	"testing"

	"chpok.org/chpok/fairplay/review"
)

// resultsOf makes results of a short hand, the latest first: q a quick loss, l a
// long one, w a quick win, d a draw, r a quick loss that an arbiter ruled.
func resultsOf(hand string) (out []review.RatedResult) {
	for _, c := range hand {
		r := review.RatedResult{Against: "other", Plies: 8}
		switch c {
		case 'l':
			r.Plies = 9
		case 'w':
			r.Halves = 2
		case 'd':
			r.Halves = 1
		case 'r':
			r.Ruled = true
		}
		out = append(out, r)
	}
	return out
}

func TestSandbaggingIsThreeOrFourOfTheLastSeven(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, hand string
		quick      int
		want       review.SignalKind
	}{
		{"nothing yet", "", 0, ""},
		{"two are no pattern", "qqwwwww", 2, ""},
		{"three of seven are a notice", "qwqwwqw", 3, review.SignalQuickLosses},
		{"four of seven are a concern", "qwqwqqw", 4, review.SignalQuickLossesMore},
		{"the eighth is out of the window", "qwqwwwwqq", 2, ""},
		{"nine plies are no quick loss", "lqqqqqq", 0, ""},
		{"nothing is said after a win", "wqqqqqq", 0, ""},
		{"nor after a draw", "dqqqq", 0, ""},
		{"an arbiter's ruling does not count", "qrrrqww", 2, ""},
		{"nor does one lead to anything", "rqqqq", 0, ""},
		{"the first three matches of a player", "qqq", 3, review.SignalQuickLosses},
		{"all seven", "qqqqqqq", 7, review.SignalQuickLossesMore},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if quick, leads := review.Sandbagging(resultsOf(c.hand)); quick != c.quick || leads != c.want {
				t.Errorf("%d quick, leads to %q; want %d, %q", quick, leads, c.quick, c.want)
			}
		})
	}
}

func TestShortWinsOverOneOpponent(t *testing.T) {
	t.Parallel()
	won := func(plies ...int) (out []review.RatedResult) {
		for _, n := range plies {
			out = append(out, review.RatedResult{Against: "other", Halves: 2, Plies: n})
		}
		return out
	}
	for _, c := range []struct {
		name string
		of   []review.RatedResult
		want review.SignalKind
	}{
		{"two", won(10, 4), ""},
		{"three", won(10, 4, 0), review.SignalShortWins},
		{"three among long ones", won(10, 60, 4, 50, 50, 40, 0), review.SignalShortWins},
		{"four", won(10, 4, 0, 10), review.SignalShortWinsMore},
		{"eleven plies are no short win", won(10, 11, 11, 4), ""},
		{"the latest took long", won(11, 2, 2, 2, 2), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, leads := review.ShortWins(c.of); leads != c.want {
				t.Errorf("leads to %q, want %q", leads, c.want)
			}
		})
	}
}

func TestPairSurprise(t *testing.T) {
	t.Parallel()
	many := func(n, expected, halves int) (out []review.Expectation) {
		for range n {
			out = append(out, review.Expectation{Expected: expected, Halves: halves})
		}
		return out
	}
	for _, c := range []struct {
		name string
		of   []review.Expectation
		z    float64
		ok   bool
	}{
		{"three matches say nothing", many(3, 50, 2), 0, false},
		{"four wins of equals: (4-2)/√(4·¼)", many(4, 50, 2), 2, true},
		{"four losses are as surprising the other way", many(4, 50, 0), -2, true},
		{"draws of equals do not surprise", many(9, 50, 1), 0, true},
		{"the weaker wins all four: (4-0.8)/√(4·0.2·0.8)", many(4, 20, 2), 4, true},
		{"as expected: 4 of 5 by 0.8", append(many(4, 80, 2), review.Expectation{Expected: 80}), 0, true},
		{"nothing can surprise", many(5, 100, 2), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, ok := review.PairSurprise(c.of)
			if ok != c.ok || math.Abs(got.Z-c.z) > 1e-9 || got.Matches != len(c.of) {
				t.Errorf("%+v, %v; want %v, %v", got, ok, c.z, c.ok)
			}
		})
	}
}

func TestPatternsOfResultsWeighNothingAndAreNoGround(t *testing.T) {
	t.Parallel()
	kinds := []review.SignalKind{review.SignalQuickLosses, review.SignalQuickLossesMore, review.SignalShortWins, review.SignalShortWinsMore}
	opens := map[review.SignalKind]bool{review.SignalQuickLossesMore: true, review.SignalShortWinsMore: true}
	found := review.Evidence{"token": 1}
	for _, k := range kinds {
		found[string(k)] = 3
		if class, known := review.ClassOf(string(k)); !known || class != review.ResultPatterns {
			t.Errorf("%s is of class %q", k, class)
		}
		if k.IsGrave() || k.OpensReview() != opens[k] {
			t.Errorf("%s: a ground %v, opens a review %v", k, k.IsGrave(), k.OpensReview())
		}
	}
	for _, w := range found.Weigh() {
		if w.Class == review.ResultPatterns && (w.High != 0 || len(w.Kinds) != 4) {
			t.Errorf("%+v", w)
		}
	}
}
