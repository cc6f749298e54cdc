package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestATeacherIsAskedAboutLabels(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	if status := run(t.Context(), []string{"labels", "--matches=1", "--longest=8", "--times=1"}, stdio{strings.NewReader(""), &out, &err}); status != 0 {
		t.Fatal(status, err.String())
	}
	const says = `^a first look alone, \d+ mistakes and blunders: .*\nboth looks, \d+ mistakes and blunders: \d+ the same, \d+ too hard, .*\n$`
	if !regexp.MustCompile(says).MatchString(out.String()) {
		t.Error(out.String())
	}
}
