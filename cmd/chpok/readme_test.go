package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"chpok.org/chpok/cmd/internal/cli"
)

func TestReadmeListsEverySetting(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(--[a-z-]+)` \\| `(CHPOK_[A-Z_]+)`").FindAllStringSubmatch(string(readme), -1) {
		listed[m[1]+" "+m[2]] = true
	}
	var help strings.Builder
	if code := app.Run(t.Context(), []string{"serve", "--help"}, cli.IO{In: strings.NewReader(""), Out: &help, Err: &help}); code != 0 {
		t.Fatalf("serve --help: %d", code)
	}
	flat := strings.ReplaceAll(strings.Join(strings.Fields(help.String()), " "), "--help", "")
	found := regexp.MustCompile(`(--[a-z-]+)(?:=| [A-Z])[^$]*?\(\$(CHPOK_[A-Z_]+)`).FindAllStringSubmatch(flat, -1)
	if len(found) == 0 {
		t.Fatalf("no setting found in\n%s", help.String())
	}
	for _, m := range found {
		key := m[1] + " " + m[2]
		if !listed[key] {
			t.Errorf("README does not list %s", key)
		}
		delete(listed, key)
	}
	for key := range listed {
		t.Errorf("README lists %s, which serve does not know", key)
	}
}
