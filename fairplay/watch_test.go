package fairplay_test

import (
	"errors"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
)

// TestNobodyIsObservedWhileMarkedAbsent: the steward marks the player present, or says
// in part.
func TestNobodyIsObservedWhileMarkedAbsent(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)
	away := func() *fairplay.Watch {
		w := &fairplay.Watch{Steward: "eva"}
		if err := errors.Join(w.Accept("eva", at), w.Open("eva", at), w.SetAbsent("eva", true, at)); err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := away()
	if err := w.Sign("eva", fairplay.StewardSigned, true, at); !errors.Is(err, fairplay.ErrAway) || !w.Signed.IsZero() {
		t.Errorf("signed as observed: %v", err)
	}
	if err := w.Sign("eva", fairplay.StewardPartly, true, at); err != nil {
		t.Errorf("in part: %v", err)
	}
	w = away()
	if err := errors.Join(w.SetAbsent("eva", false, at), w.Sign("eva", fairplay.StewardSigned, true, at)); err != nil {
		t.Errorf("who came back: %v", err)
	}
	w.Reopen()
	if err := w.Sign("eva", fairplay.StewardNot, true, at); err != nil || w.Verdict != fairplay.StewardNot {
		t.Errorf("the next end: %v", err)
	}
}
