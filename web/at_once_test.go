package web_test

import (
	"strings"
	"sync"
	"testing"
)

// crowded holds the tests that called manyAtOnce.
var crowded sync.Map

// manyAtOnce says that a test brings streams or several requests at one moment.
// Only such tests run under the race detector: it takes six times the time, and
// finds nothing where one request follows another.
func manyAtOnce(t *testing.T) {
	t.Helper()
	crowded.Store(t.Name(), true)
}

// raceable skips a test under the race detector unless it called manyAtOnce.
func raceable(t *testing.T) {
	t.Helper()
	root, _, _ := strings.Cut(t.Name(), "/")
	if _, many := crowded.Load(root); raced && !many {
		t.Skip("one request after another: nothing to race")
	}
}
