package main

import (
	"regexp"
	"testing"
)

func TestATeacherIsAskedAboutLabels(t *testing.T) {
	t.Parallel()
	out := lab(t, "labels", "--matches=1", "--longest=8", "--times=1")
	const says = `^a first look alone, \d+ mistakes and blunders: .*\nboth looks, \d+ mistakes and blunders: \d+ the same, \d+ too hard, .*$`
	if !regexp.MustCompile(says).MatchString(out) {
		t.Error(out)
	}
}
