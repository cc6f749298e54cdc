package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// teamRow and playerRow are records of teams of one player, who have the same number.
func teamRow(n int) string {
	return fmt.Sprintf("310 %3d %-32s %-5s %34d", n, fmt.Sprint("Team ", n), "", n)
}

func playerRow(n int, cells ...string) string {
	return fmt.Sprintf("001 %4d %-37s 2000%38s  %s", n, fmt.Sprint("     Player ", n), "", strings.Join(cells, "  "))
}

// In round 1 of six teams 1 beats 4, 2 beats 5 and 3 draws with 6. In round 2 the winners meet; 3 and 6 have met, so
// 4 and 5 come up to them (FIDE C.04.6).
func TestTeamsArePairedFromTheirReport(t *testing.T) {
	t.Parallel()
	lines := []string{"192 FIDE_TEAM", "142 5", "152 W"}
	for n, cell := range []string{"   4 w 1", "   5 b 1", "   6 w =", "   1 b 0", "   2 w 0", "   3 b ="} {
		lines = append(lines, playerRow(n+1, cell))
	}
	for n := range 6 {
		lines = append(lines, teamRow(n+1))
	}
	report := strings.Join(lines, "\n")
	if status, out, errs := runWith(report, "pair"); status != 0 || out != "3\n2 1\n5 3\n6 4\n" {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
	// 3 meets 5, who came up since 3 and 6 have met.
	if status, out, errs := runWith(report, "pair", "--explain"); status != 0 || strings.Count(out, "came up to meet") != 2 ||
		!strings.Contains(out, "not all could meet each other") {
		t.Errorf("explained: status %d, %q, %s", status, out, errs)
	}
	if status, out, errs := runWith(report, "check"); status != 0 || !strings.Contains(out, "1 rounds checked (team-2026.02-1), 0 edited by staff, 0 differ") {
		t.Errorf("check: status %d, %q, %s", status, out, errs)
	}
	// 1 and 5 met in round 1, and 2 and 4.
	wrong := strings.NewReplacer("   4 w 1", "   5 w 1", "   5 b 1", "   4 b 1", "   1 b 0", "   2 w 0", "   2 w 0", "   1 b 0").Replace(report)
	if status, out, _ := runWith(wrong, "check"); status != 1 || !strings.Contains(out, "round 1, order: expected [1-4 5-2], the report has [1-5 4-2]") {
		t.Errorf("a wrong pairing: status %d, %q", status, out)
	}
	seats := strings.NewReplacer("   4 w 1", "   4 b 1", "   1 b 0", "   1 w 0").Replace(report)
	if status, out, _ := runWith(seats, "check"); status != 1 || !strings.Contains(out, "round 1, seats: expected [1-4], the report has [4-1]") {
		t.Errorf("wrong seats: status %d, %q", status, out)
	}
}

// The values of the example were worked out by hand: package tiebreak has them, too.
func TestTeamsAreOrderedFromTheirReport(t *testing.T) {
	t.Parallel()
	const file = "../../tournament/trf/testdata/teams/four.trf"
	status, out, errs := runWith("", "standings", file, "--tiebreaks", "MPvGP,EMGSB,BC,DE")
	want := []string{"1 1 Team A 4 4 10 6.5 1", "2 3 Team C 3 3.5 9.5 5.5 1", "3 2 Team B 3 3 9.5 3.5 1", "4 4 Team D 2 1.5 4.5 2.5 1"}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || errs != "" || len(lines) != 5 {
		t.Fatalf("status %d, %s%s", status, out, errs)
	}
	for i, w := range want {
		if got := strings.Join(strings.Fields(lines[i+1]), " "); got != w {
			t.Errorf("line %d: %q, want %q", i+1, got, w)
		}
	}
	if _, out, _ = runWith("", "standings", file); !strings.Contains(out, "EMGSB/C1") {
		t.Errorf("a Swiss of teams is ordered otherwise:\n%s", out)
	}
	if status, _, errs = runWith("", "standings", file, "--tiebreaks", "XYZ"); status != 2 || !strings.Contains(errs, "XYZ") {
		t.Errorf("status %d, %s", status, errs)
	}
}

func TestARoundRobinOfTeamsFollowsTheTables(t *testing.T) {
	t.Parallel()
	lines := []string{"192 BERGER_TEAM_ROUNDROBIN_G1"}
	for n := range 4 {
		lines = append(lines, playerRow(n+1), teamRow(n+1))
	}
	if status, out, errs := runWith(strings.Join(lines, "\n"), "pair"); status != 0 || out != "2\n1 4\n2 3\n" {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
}

// TestRandomTeamEventsPairTheSameTwice plays events with late, absent and leaving teams, byes, line-ups out of order,
// empty boards and forfeited matches; every round is paired from the report, and again by trial of every candidate.
func TestRandomTeamEventsPairTheSameTwice(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	out := strings.Join(strings.Fields(chpok(t, "simulate", "--teams", "8", "--mixed", "--smallest", "2", "--largest", "10",
		"--count", "400", "--check", "--out", folder)), " ")
	if !strings.Contains(out, "tournaments 400 ") || !strings.HasSuffix(out, "discrepancies 0") || strings.Contains(out, "paired twice 0 ") {
		t.Errorf("the run says: %s", out)
	}
	for _, seed := range []int{1, 2, 3} {
		report, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("%08d.trf", seed)))
		if err != nil {
			t.Fatal(err)
		}
		if status, out, errs := runWith(string(report), "check"); status != 0 || errs != "" {
			t.Errorf("seed %d: status %d, %s%s", seed, status, out, errs)
		}
	}
}
