package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/live/livetest"
	"chpok.org/chpok/store/storetest"
)

// Between these lines of the docs the table stands.
const (
	tableBegins = "<!-- what make table has measured -->\n"
	tableEnds   = "<!-- until here -->\n"
)

// TestTheTableIsMeasured, as a small one beside the other tests: every kind of work is
// done and audited. make table measures the whole and writes it into the docs.
func TestTheTableIsMeasured(t *testing.T) {
	t.Parallel()
	into, scale, part := os.Getenv("CHPOK_TABLE"), cmp.Or(os.Getenv("CHPOK_SCALE"), "1"), 15*time.Second
	sites := map[string][]string{"SQLite": {"--database-url", "sqlite:" + filepath.Join(t.TempDir(), "chpok.db")}}
	order := []string{"SQLite"}
	if into == "" {
		scale, part = "0.004", 300*time.Millisecond
	} else {
		order = []string{"SQLite", "PostgreSQL", "three nodes"}
		sites["PostgreSQL"] = []string{"--database-url", storetest.DurableDSN(t)}
		sites["three nodes"] = []string{"--database-url", storetest.DurableDSN(t), "--nodes", "3", "--nats-url", livetest.Bus(t)}
	}
	var all strings.Builder
	for _, name := range order {
		out := lab(t, append([]string{"load", "--table", "--for", part.String(), "--scale", scale}, sites[name]...)...)
		if strings.Count(out, " within 8 ms") != 1 || strings.Count(out, " within 25 ms") != 1 {
			t.Errorf("%s: the largest rates in time are not told", name)
		}
		fmt.Fprintf(&all, "%s\n\n", out)
		t.Logf("%s\n%s", name, out)
	}
	if into == "" {
		return
	}
	docs, err := os.ReadFile(into)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(docs), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Fatalf("%s has no place for the table", into)
	}
	if err := os.WriteFile(into, []byte(before+tableBegins+all.String()+tableEnds+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAGrownSiteIsMeasured, as a small one beside the other tests. make growth measures
// one of many years.
func TestAGrownSiteIsMeasured(t *testing.T) {
	t.Parallel()
	told := lab(t, "load", "--grow", "60", "--players", "10", "--for", "300ms",
		"--database-url", "sqlite:"+filepath.Join(t.TempDir(), "chpok.db"))
	for _, row := range []string{"| a move |", "| the rating list |", "| a search |", "| job: flags |"} {
		if !strings.Contains(told, row) {
			t.Errorf("no row %q:\n%s", row, told)
		}
	}
}
