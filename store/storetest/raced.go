package storetest

import (
	"os"
	"strings"
	"sync"
	"testing"
)

// RacedApart names the variable by which .ci/test says that what is done many at
// once runs under the race detector beside this process, and need not run here.
const RacedApart = "CHPOK_RACED_APART"

// crowded holds the tests that said ManyAtOnce.
var crowded sync.Map

// ManyAtOnce says that a test brings streams or several acts at one moment. Of the
// suites that ask OneAfterAnother only such tests run under the race detector: it takes
// six times the time, and finds nothing where one act follows another.
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
