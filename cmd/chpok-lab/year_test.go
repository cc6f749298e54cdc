package main

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
	"chpok.org/chpok/store/storetest"
)

// TestEventsOutliveTheirNodes: an event of each format, and one on PostgreSQL, on nodes
// that are processes and get kill -9 again and again; every log folds to its table, and
// nothing that a node had called done is lost.
func TestEventsOutliveTheirNodes(t *testing.T) {
	t.Parallel()
	killed, within := 0, 0
	hold := func(t *testing.T, format string, more ...string) {
		t.Helper()
		said := lab(t, append([]string{"year", "--format", format, "--count", "1", "--seed", "7", "--kills", "6"}, more...)...)
		out := strings.Join(strings.Fields(said), " ")
		if !strings.HasPrefix(out, "events 1 ("+format+")") || !strings.HasSuffix(out, "discrepancies 0") {
			t.Error(out)
		}
		_, after, _ := strings.Cut(said, "nodes killed")
		var all, midst int
		if _, err := fmt.Sscanf(after, "%d, %d in the middle of an act", &all, &midst); err != nil {
			t.Errorf("%v: %s", err, said)
		}
		killed, within = killed+all, within+midst
	}
	for _, format := range []string{"round-robin", "swiss", "knock-out", "stages", "groups", "arena"} {
		hold(t, format)
	}
	if killed < 12 || within == 0 {
		t.Errorf("%d nodes were killed, %d in the middle of an act", killed, within)
	}
	t.Run("PostgreSQL", func(t *testing.T) {
		dsn := storetest.PostgresDSN(t)
		hold(t, "knock-out", "--database-url", dsn)
		var errs strings.Builder
		again := []string{"year", "--format", "swiss", "--database-url", dsn}
		if code := app.Run(t.Context(), again, cli.IO{In: strings.NewReader(""), Out: io.Discard, Err: &errs}); code == 0 || !strings.Contains(errs.String(), "already") {
			t.Errorf("events are held beside what is there: %d, %s", code, errs.String())
		}
	})
}
