package notice_test

import (
	"slices"
	"testing"
	"time"

	"chpok.org/chpok/notice"
)

func TestLeadsComeDueOneAfterAnotherAndNeverAfterTheMoment(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)
	h, m := time.Hour, time.Minute
	tests := []struct {
		before time.Duration
		want   []time.Duration
	}{
		{49 * h, nil},
		{48 * h, []time.Duration{48 * h}},
		{24*h + 1, []time.Duration{48 * h}},
		{24 * h, []time.Duration{24 * h, 48 * h}},
		{15 * m, []time.Duration{15 * m, 30 * m, h, 6 * h, 12 * h, 24 * h, 48 * h}},
		{1, []time.Duration{5 * m, 15 * m, 30 * m, h, 6 * h, 12 * h, 24 * h, 48 * h}},
		{0, nil},
		{-h, nil},
	}
	for _, test := range tests {
		got := notice.DueLeads(moment, moment.Add(-test.before))
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%v before: %v, want %v", test.before, got, test.want)
		}
	}
}

func TestOfSeveralLeadsThatComeTogetherTheShortestOfHisCounts(t *testing.T) {
	t.Parallel()
	late := []time.Duration{15 * time.Minute, time.Hour, 24 * time.Hour}
	if lead, ok := notice.DefaultLeads.Of(late); !ok || lead != 15*time.Minute {
		t.Errorf("%v %v", lead, ok)
	}
	if lead, ok := notice.DefaultLeads.Of([]time.Duration{24 * time.Hour, 48 * time.Hour}); !ok || lead != 24*time.Hour {
		t.Errorf("%v %v", lead, ok)
	}
	if _, ok := (notice.Leads{}).Of(late); ok {
		t.Error("who wants none is reminded")
	}
	if _, ok := notice.DefaultLeads.Of([]time.Duration{time.Hour}); ok {
		t.Error("at another one's lead")
	}
	if (notice.Leads{Early: 3 * time.Hour}).IsValid() || !notice.DefaultLeads.IsValid() || !(notice.Leads{}).IsValid() {
		t.Error("validity")
	}
}
