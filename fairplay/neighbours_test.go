package fairplay_test

import (
	"testing"

	"chpok.org/chpok/fairplay"
)

func TestNeighboursAreWhoSharesABrowserOrANetwork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b   fairplay.Seen
		venues []string
		want   fairplay.SignalKind
	}{
		"strangers":                  {fairplay.Seen{Devices: []string{"a"}, Networks: []string{"n"}}, fairplay.Seen{Devices: []string{"b"}, Networks: []string{"m"}}, nil, ""},
		"one browser":                {fairplay.Seen{Devices: []string{"a", "x"}}, fairplay.Seen{Devices: []string{"x"}}, nil, fairplay.SignalPairedDevice},
		"one network":                {fairplay.Seen{Devices: []string{"a"}, Networks: []string{"m", "n"}}, fairplay.Seen{Devices: []string{"b"}, Networks: []string{"n"}}, nil, fairplay.SignalPairedNetwork},
		"both: the graver":           {fairplay.Seen{Devices: []string{"x"}, Networks: []string{"n"}}, fairplay.Seen{Devices: []string{"x"}, Networks: []string{"n"}}, nil, fairplay.SignalPairedDevice},
		"the venue":                  {fairplay.Seen{Networks: []string{"n"}}, fairplay.Seen{Networks: []string{"n"}}, []string{"n"}, ""},
		"the venue and a flat":       {fairplay.Seen{Networks: []string{"n", "f"}}, fairplay.Seen{Networks: []string{"f", "n"}}, []string{"n"}, fairplay.SignalPairedNetwork},
		"one browser at the venue":   {fairplay.Seen{Devices: []string{"x"}, Networks: []string{"n"}}, fairplay.Seen{Devices: []string{"x"}, Networks: []string{"n"}}, []string{"n"}, fairplay.SignalPairedDevice},
		"unknown networks are not 1": {fairplay.Seen{Networks: []string{""}}, fairplay.Seen{Networks: []string{""}}, nil, ""},
		"nobody was seen":            {},
	} {
		if got := fairplay.Neighbours(c.a, c.b, c.venues); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, k := range []fairplay.SignalKind{fairplay.SignalPairedDevice, fairplay.SignalPairedNetwork} {
		if k.IsGrave() {
			t.Errorf("%s opens a review", k)
		}
		if w := (fairplay.Evidence{string(k): 9}).Weigh(); len(w) != 1 || w[0].High != 0 {
			t.Errorf("%s weighs %+v", k, w)
		}
	}
}
