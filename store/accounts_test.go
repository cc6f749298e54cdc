package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quiet are the functions after which nobody need look again who is signed in: uses
// are noted, and what is swept has run out anyway.
var quiet = map[string]bool{"TouchUses": true, "SweepSessions": true}

// TestEveryChangeOfAnAccountIsTold reads the package: a function that changes accounts,
// or ends what signs somebody in, says so.
func TestEveryChangeOfAnAccountIsTold(t *testing.T) {
	t.Parallel()
	changes := regexp.MustCompile(`(UPDATE|DELETE FROM) (players|sessions|tokens)\b|playerRow\{\}\)[^\n]*Updates`)
	name := regexp.MustCompile(`^\(tx \*Tx\) (\w+)`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range strings.Split(string(text), "\nfunc ")[1:] {
			body, _, _ := strings.Cut(f, "\n}\n")
			m := name.FindStringSubmatch(body)
			if !changes.MatchString(body) || m != nil && quiet[m[1]] {
				continue
			}
			told++
			if !strings.Contains(body, "tx.accounts = true") {
				t.Errorf("%s: a change of an account that nobody is told of:\nfunc %s", file, body)
			}
		}
	}
	if told < 5 {
		t.Errorf("only %d changes were found", told)
	}
}
