package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAnAccountBecomesABotBeforeItsFirstMatch(t *testing.T) {
	t.Parallel()
	db := "--database-url=sqlite:" + filepath.Join(t.TempDir(), "chpok.db")
	chpok := func(want int, says string, args ...string) {
		t.Helper()
		status, out, errs := runOn(t, "", append(args, db)...)
		if status != want || !strings.Contains(out+errs, says) {
			t.Errorf("%v: status %d, want %d; it says %q %q", args, status, want, out, errs)
		}
	}
	chpok(0, "", "player", "add", "Olena")
	chpok(0, "", "player", "add", "Robot")
	chpok(1, "nobody", "player", "bot", "Robot", "--maintainer", "nobody")
	chpok(2, "maintainer", "player", "bot", "Robot")
	chpok(0, "", "player", "bot", "Robot", "--maintainer", "Olena")
	chpok(1, "", "player", "bot", "Robot", "--maintainer", "Olena") // there is no second time
	chpok(1, "", "player", "bot", "Olena", "--maintainer", "Robot") // a bot answers for nobody
}
