package review_test

import (
	"testing"

	"chpok.org/chpok/fairplay/review"
)

func TestNeighboursAreWhoSharesABrowserOrANetwork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b   review.Seen
		venues []string
		want   review.SignalKind
	}{
		"strangers":                  {review.Seen{Devices: []string{"a"}, Networks: []string{"n"}}, review.Seen{Devices: []string{"b"}, Networks: []string{"m"}}, nil, ""},
		"one browser":                {review.Seen{Devices: []string{"a", "x"}}, review.Seen{Devices: []string{"x"}}, nil, review.SignalPairedDevice},
		"one network":                {review.Seen{Devices: []string{"a"}, Networks: []string{"m", "n"}}, review.Seen{Devices: []string{"b"}, Networks: []string{"n"}}, nil, review.SignalPairedNetwork},
		"both: the graver":           {review.Seen{Devices: []string{"x"}, Networks: []string{"n"}}, review.Seen{Devices: []string{"x"}, Networks: []string{"n"}}, nil, review.SignalPairedDevice},
		"the venue":                  {review.Seen{Networks: []string{"n"}}, review.Seen{Networks: []string{"n"}}, []string{"n"}, ""},
		"the venue and a flat":       {review.Seen{Networks: []string{"n", "f"}}, review.Seen{Networks: []string{"f", "n"}}, []string{"n"}, review.SignalPairedNetwork},
		"one browser at the venue":   {review.Seen{Devices: []string{"x"}, Networks: []string{"n"}}, review.Seen{Devices: []string{"x"}, Networks: []string{"n"}}, []string{"n"}, review.SignalPairedDevice},
		"unknown networks are not 1": {review.Seen{Networks: []string{""}}, review.Seen{Networks: []string{""}}, nil, ""},
		"nobody was seen":            {},
	} {
		if got := review.Neighbours(c.a, c.b, c.venues); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, k := range []review.SignalKind{review.SignalPairedDevice, review.SignalPairedNetwork} {
		if k.IsGrave() {
			t.Errorf("%s opens a review", k)
		}
		if w := (review.Evidence{string(k): 9}).Weigh(); len(w) != 1 || w[0].High != 0 {
			t.Errorf("%s weighs %+v", k, w)
		}
	}
}
