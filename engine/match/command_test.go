package match_test

import (
	"errors"
	"testing"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
)

func TestParseCommand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body string
		want match.Command
		code string
	}{
		{`{"id":"x1","seq":7,"act":"e2e4"}`, move(t, second, "e2e4"), ""},
		{`{"act":"undo"}`, match.Undo{Seat: second}, ""},
		{`{"act":"claim win"}`, match.Claim{Seat: second, Win: true}, ""},
		{`{"act":"claim draw"}`, match.Claim{Seat: second}, ""},
		{`{"act":"resign"}`, match.Resign{Seat: second}, ""},
		{`{"ready":true}`, match.Ready{Seat: second}, ""},
		{`{"bid":{"target":"white","chips":2}}`, bidWhite(second, 2), ""},
		{`{"act":"hello"}`, match.Play{Seat: second}, ""}, // no action: refused where the others are
		{`{"bid":{"target":"white","chips":0}}`, nil, bidding.BadChips},
		{`{"act":5}`, nil, bidding.Malformed},
		{`{"ready":false}`, nil, bidding.Malformed},
		{`{"act":"resign","ready":true}`, nil, bidding.Malformed},
		{`{"id":"x1","seq":7}`, nil, bidding.Malformed},
		{`[]`, nil, bidding.Malformed},
	} {
		have, err := match.ParseCommand(second, []byte(tt.body))
		if have != tt.want {
			t.Errorf("%s is read as %+v, want %+v", tt.body, have, tt.want)
		}
		if tt.code == "" && err != nil || tt.code != "" && !errors.Is(err, &match.Refusal{Code: tt.code}) {
			t.Errorf("%s: %v, want %q", tt.body, err, tt.code)
		}
	}
	b := onBoard(t, 0)
	b.refused(30, match.Play{Seat: first}, match.IllegalMove)
}

func TestOutcomesAndReasonsHaveTheirNames(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[match.Outcome]string{
		match.FirstWins: "1-0", match.SecondWins: "0-1", match.Draw: "1/2-1/2", match.BothLose: "0-0", match.Void: "",
	} {
		if have := (match.Result{Outcome: outcome}).Score(); have != want {
			t.Errorf("%v is %q, want %q", outcome, have, want)
		}
	}
	if w, ok := match.WinOf(second).Winner(); !ok || w != second {
		t.Errorf("the winner is %v", w)
	}
	if match.Reason("boredom").Valid() || !match.Adjudicated.Valid() {
		t.Error("reasons are a closed list")
	}
}
