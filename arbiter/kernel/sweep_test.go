package kernel

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

// TestABrokenTournamentHoldsUpNoOther: one fails, at one the rulebook panics,
// and the third has its turn.
func TestABrokenTournamentHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	var asked []string
	err := ForEach(t.Context(), logger, Work{Of: "tournament", Trouble: "round not opened"}, []string{"fails", "panics", "fine"}, func(_ context.Context, id string) error {
		asked = append(asked, id)
		switch id {
		case "fails":
			return errors.New("no")
		case "panics":
			panic("never")
		}
		return nil
	})
	if err != nil || !slices.Equal(asked, []string{"fails", "panics", "fine"}) {
		t.Errorf("asked %v, %v", asked, err)
	}
	for _, want := range []string{"tournament=fails err=no", "tournament=panics", "never"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("not logged: %s", want)
		}
	}
}
