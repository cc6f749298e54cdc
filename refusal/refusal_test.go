package refusal_test

import (
	"errors"
	"fmt"
	"testing"

	"chpok.org/chpok/refusal"
)

func TestACaseOfARefusalIsThatRefusal(t *testing.T) {
	t.Parallel()
	full := refusal.Conflict("hall.error.full", "hall: full")
	other := refusal.Conflict("hall.error.full", "hall: full")
	seats := refusal.Case(refusal.Kindred(full, "hall.error.seats", "hall: no seat"), "hall: no seat of 12", "Seats", 12)

	wrapped := fmt.Errorf("enter: %w", seats)
	if !errors.Is(wrapped, full) || errors.Is(wrapped, other) {
		t.Errorf("a case is %v, another refusal of the same words is %v; want true, false", errors.Is(wrapped, full), errors.Is(wrapped, other))
	}
	told, ok := errors.AsType[*refusal.Error](wrapped)
	if !ok || told.Kind != refusal.KindConflict || told.Code != "hall.error.seats" || len(told.Args) != 2 {
		t.Errorf("told %+v, want the kind of what it is a case of with words and numbers of its own", told)
	}
}
