package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What the tables of docs/secrets.md must name: columns, settings, addresses and cookies.
var (
	aTable       = regexp.MustCompile(`^CREATE TABLE (\w+)`)
	aColumn      = regexp.MustCompile(`^ {4}([a-z_]+) +TEXT|^ {4}([a-z_]*(?:seed|challenge)) +`)
	likeASecret  = regexp.MustCompile(`digest|sealed|code|token|secret|kiosk|password|credential|seed|auth$|answer|^challenge$|_key$|^mark$|sig$|hash|promise|endpoint|session|^device$`)
	aSetting     = regexp.MustCompile(`(?m)\b(?:setting[A-Z]\w*|ratingLock) += +"([^"]+)"|FirstSetting\("([^"]+)"`)
	aSecretRoute = regexp.MustCompile(`page\.(?:Get|Post)\("([^"]*:(?:token|secret|code))[/"]`)
	aCookie      = regexp.MustCompile(`(?m)\b[cC]ookie[A-Z]\w* += +"([^"]+)"|\b\w+Cookie += +"([^"]+)"|"__Host-([^"]+)"`)
	named        = regexp.MustCompile("`([^`]+)`")
)

// TestEverySecretIsInTheTable: whatever column, setting, address or cookie looks like a secret is told of in
// docs/secrets.md, as one or as none, and what that page names exists.
func TestEverySecretIsInTheTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/secrets.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(string(page), -1) {
		told[m[1]] = true
	}
	exists, must := map[string]bool{}, map[string]bool{}
	schema, err := os.ReadFile("../../migrations/0001_schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	table := ""
	for line := range strings.Lines(string(schema)) {
		if m := aTable.FindStringSubmatch(line); m != nil {
			table = m[1]
		}
		if m := aColumn.FindStringSubmatch(line); m != nil {
			column := m[1] + m[2]
			exists[table+"."+column] = true
			must[table+"."+column] = likeASecret.MatchString(column)
		}
	}
	columns := len(exists)
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, pattern := range []*regexp.Regexp{aSetting, aSecretRoute, aCookie} {
			for _, m := range pattern.FindAllStringSubmatch(string(source), -1) {
				name := strings.Join(m[1:], "")
				exists[name], must[name] = true, true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if columns < 200 || len(exists)-columns < 20 {
		t.Errorf("%d columns and %d settings, addresses and cookies were found only", columns, len(exists)-columns)
	}
	for _, name := range slices.Sorted(maps.Keys(must)) {
		if must[name] && !told[name] {
			t.Errorf("docs/secrets.md does not say what %s is", name)
		}
	}
	for _, m := range regexp.MustCompile("`([a-z_]+\\.[a-z_]+)`").FindAllStringSubmatch(string(page), -1) {
		if !exists[m[1]] && !strings.Contains(m[1], "fold.") && !exists["fairplay."+m[1]] {
			t.Errorf("docs/secrets.md names %s, which does not exist", m[1])
		}
	}
}
