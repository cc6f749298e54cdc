package main

import (
	"regexp"
	"testing"
)

func TestATeacherIsAskedAboutLabels(t *testing.T) {
	t.Parallel()
	out := lab(t, "labels", "--matches=1", "--longest=8", "--times=1", "--slips=1", "--unheard=1", "--teachers=2")
	const says = `^a first look alone, \d+ mistakes and blunders: \d+ the same, .*\nall looks, \d+ mistakes and blunders: \d+ the same, .*\n` +
		`\d+ moves that seemed worse were called slip: .*\n.* called sound: .*\n[1-8] moves of which nothing seemed wrong: .*\n(pairs of teachers .*\n)?\d+\.\d million positions a game\n?$`
	if !regexp.MustCompile(says).MatchString(out) {
		t.Error(out)
	}
}

func TestATeacherIsAskedAboutMoments(t *testing.T) {
	t.Parallel()
	out := lab(t, "moments", "--matches=1", "--longest=6", "--times=1")
	const says = `(?m)^1 matches: \d+ moments, \d+ of them bids; of the others \d+ gave as much away to the teacher; `
	if !regexp.MustCompile(says).MatchString(out) {
		t.Error(out)
	}
}
