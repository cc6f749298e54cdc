package kernel_test

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestEveryChangeOfATournamentIsWrittenBySave: who has a stake, who is told and what the log says is
// decided there. A preview of ratings undoes what it writes.
func TestEveryChangeOfATournamentIsWrittenBySave(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	var writers []string
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "store/") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if strings.Contains(string(text), ".SaveTournament(") {
			writers = append(writers, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"arbiter/kernel/tellings.go", "arbiter/ratings/rating_preview.go"}; !slices.Equal(writers, want) {
		t.Errorf("tournaments are written in %q, want %q", writers, want)
	}
}
