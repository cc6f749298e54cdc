package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/rating"
)

func TestStepsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	want := []rating.Step{
		{Opponent: "ana", OpponentRating: 1850, Difference: -350, Expected: 11, Result: rating.Win},
		{Opponent: `a "b"`, OpponentRating: 2400, Difference: 400, Cut: true, Expected: 92, Result: rating.Draw},
		{Opponent: "new", Result: rating.Loss},
	}
	text, err := encodeSteps(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeSteps(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, none := range []string{"null", "[]"} {
		if got, err := decodeSteps(none); err != nil || got != nil {
			t.Errorf("%s: %v, %v", none, got, err)
		}
	}
	if _, err := decodeSteps(`[["ana",1850]]`); err == nil {
		t.Error("a step that is cut off is read")
	}
}
