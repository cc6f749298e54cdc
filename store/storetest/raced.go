package storetest

import (
	"os"
	"strings"
	"sync"
	"testing"
)

// RacedApart names the variable by which .ci/test says that the tests that act at once
// run under the race detector beside this process and need not run here.
const RacedApart = "CHPOK_RACED_APART"

// crowded holds the tests that said ManyAtOnce.
var crowded sync.Map

// ManyAtOnce says that a test opens streams or acts several times at once. In suites that
// use OneAfterAnother only such tests run under the race detector, which is six times
// slower and finds nothing where one act follows another.
func ManyAtOnce(t *testing.T) {
	t.Helper()
	if !raced && os.Getenv(RacedApart) != "" {
		t.Skip("runs under the race detector at the same time")
	}
	crowded.Store(t.Name(), true)
}

// OneAfterAnother skips a test under the race detector unless it said ManyAtOnce.
func OneAfterAnother(t testing.TB) {
	t.Helper()
	root, _, _ := strings.Cut(t.Name(), "/")
	if _, many := crowded.Load(root); raced && !many {
		t.Skip("one act after another: nothing to race")
	}
}
