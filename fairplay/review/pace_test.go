package review_test

import (
	"fmt"
	"testing"
	"time"

	"chpok.org/chpok/fairplay/review"
)

var paceStart = time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)

func TestActsOnOneTurnThatAreTooQuick(t *testing.T) {
	t.Parallel()
	type act struct {
		ms      int
		place   int64
		turn    bool
		command string
	}
	for name, c := range map[string]struct {
		acts []act
		want int // number of the act from which on it is noted; 0: never
	}{
		"four in a row are three too quick": {[]act{{0, 5, true, "a"}, {149, 5, true, "b"}, {298, 5, true, "c"}, {447, 5, true, "d"}}, 4},
		"150 ms apart":                      {[]act{{0, 5, true, "a"}, {150, 5, true, "b"}, {300, 5, true, "c"}, {450, 5, true, "d"}, {600, 5, true, "e"}}, 0},
		"a lost answer, asked for again":    {[]act{{0, 5, true, "a"}, {10, 5, true, "a"}, {20, 6, false, "a"}, {30, 6, false, "a"}, {40, 6, false, "a"}}, 0},
		"the other side answers in between": {[]act{{0, 5, true, "a"}, {40, 7, true, "b"}, {80, 9, true, "c"}, {120, 11, true, "d"}, {160, 13, true, "e"}}, 0},
		"out of turn":                       {[]act{{0, 5, true, "a"}, {40, 6, false, "b"}, {80, 6, false, "c"}, {120, 6, false, "d"}}, 4},
		"without names":                     {[]act{{0, 5, true, ""}, {1, 5, true, ""}, {2, 5, true, ""}, {3, 5, true, ""}}, 4},
		"twice by a stutter":                {[]act{{0, 5, true, "a"}, {10, 5, true, "b"}, {5000, 5, true, "c"}, {5010, 5, true, "d"}}, 0},
	} {
		var p review.Pace
		got := 0
		for i, a := range c.acts {
			if p.Acted(a.command, a.place, a.turn, paceStart.Add(time.Duration(a.ms)*time.Millisecond)) && got == 0 {
				got = i + 1
			}
		}
		if got != c.want {
			t.Errorf("%s: noted from act %d on, want %d", name, got, c.want)
		}
	}
}

func TestAskingMoreThanTwiceASecond(t *testing.T) {
	t.Parallel()
	for every, want := range map[time.Duration]int{
		0:                      21, // at once
		250 * time.Millisecond: 40, // four a second leave two too many in each: 1 + 39·½ > 20
		500 * time.Millisecond: 0,
		time.Second:            0,
	} {
		var p review.Pace
		got := 0
		for i := range 400 {
			if p.Asked(paceStart.Add(time.Duration(i)*every)) && got == 0 {
				got = i + 1
			}
		}
		if got != want {
			t.Errorf("every %v: noted at request %d, want %d", every, got, want)
		}
	}
	for _, k := range []review.SignalKind{review.SignalFastActs, review.SignalPolling} {
		if w := (review.Evidence{string(k): 3}).Weigh(); k.IsGrave() || len(w) != 1 || w[0].Class != review.ServerTiming || w[0].High != 0 {
			t.Errorf("%s weighs %s", k, fmt.Sprint(w))
		}
	}
}
