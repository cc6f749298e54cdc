package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store/storetest"
)

// TestASwissOfBotsIsWhatTheCommandLineSays plays a Swiss of seven bots, six of them the house's, on
// the server. Its report, downloaded, must pass `chpok check`; every round's
// input must pair the same again; and `chpok standings` must come to the site's
// own table, tie-breaks included.
func TestASwissOfBotsIsWhatTheCommandLineSays(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	anna := newPlayer(t, dsn, "anna", "organizer")
	server := startNode(t, dsn)
	anna.base = server.base
	var made struct{ ID string }
	anna.must("POST", "/tournaments", map[string]any{
		"name": "Bots", "format": "swiss", "rounds": 3, "tiebreaks": []string{"BH/C1", "BH", "SB", "WIN"},
		"envelope": map[string]any{"chips": 2, "moveLimit": []int{10, 10}, "defaults": map[string]any{"moveLimit": 10}},
	}, &made)
	chpok(t, "player", "add", "bot-0", "--bot", "--database-url", dsn) // who thinks as far as the best of the house
	bots := []string{"bot-0"}
	for _, b := range house.Bots()[:6] {
		bots = append(bots, string(b.Handle))
	}
	for _, bot := range bots {
		anna.must("POST", "/tournaments/"+made.ID+"/entries", map[string]any{"player": bot}, nil)
	}
	anna.must("POST", "/tournaments/"+made.ID+"/start", nil, nil)

	ctx, cancel := context.WithTimeout(t.Context(), 3*within)
	defer cancel()
	var view tournamentView
	for view.Status != "finished" {
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			t.Fatalf("the Swiss does not end: %v", err)
		}
		anna.must("GET", "/tournaments/"+made.ID, nil, &view)
	}
	for _, r := range view.Rounds {
		if len(r.Pairings) != 3 || len(r.Byes) != 1 {
			t.Errorf("round %d has %d boards and %d byes", r.Round, len(r.Pairings), len(r.Byes))
		}
	}

	report := download(t, anna, "/tournaments/"+made.ID+"/report.trf")
	log, sheet := download(t, anna, "/tournaments/"+made.ID+"/log.jsonl"), download(t, anna, "/tournaments/"+made.ID+"/standings.csv")
	if out := chpok(t, "check", log, "--standings", sheet); !strings.HasSuffix(out, "3 rounds, 7 players: 0 differences") {
		t.Errorf("check of the log says: %s", out)
	}
	if out := chpok(t, "draws", log); !strings.HasSuffix(out, "1 draws, 0 do not hold") {
		t.Errorf("draws of the log: %s", out)
	}
	if out := chpok(t, "check", "--tournament", made.ID, "--database-url", dsn); !strings.HasSuffix(out, "3 rounds, 7 players: 0 differences") {
		t.Errorf("check of the database says: %s", out)
	}
	if out := chpok(t, "check", report); !strings.Contains(out, "3 rounds checked") || !strings.HasSuffix(out, " 0 differ") {
		t.Errorf("check says: %s", out)
	}
	var table struct {
		Standings []struct {
			Rank, Number int
			Score        float64
			Tiebreaks    map[string]*float64
		}
	}
	if err := json.Unmarshal([]byte(chpok(t, "standings", "--json", "--tiebreaks", "BH/C1,BH,SB,WIN", report)), &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Standings) != len(view.Standings) {
		t.Fatalf("the report has %d players, the site %d", len(table.Standings), len(view.Standings))
	}
	for i, line := range table.Standings {
		site := view.Standings[i]
		if line.Rank != site.Rank || line.Score != site.Score {
			t.Errorf("place %d: the report says rank %d with %v, the site %d with %v", i+1, line.Rank, line.Score, site.Rank, site.Score)
		}
		for code, value := range line.Tiebreaks {
			if theirs := site.Tiebreaks[code]; (value == nil) != (theirs == nil) || value != nil && *value != *theirs {
				t.Errorf("place %d: %s is %v by the report, %v on the site", i+1, code, value, theirs)
			}
		}
	}
	for _, r := range view.Rounds {
		input := download(t, anna, fmt.Sprintf("/tournaments/%s/rounds/%d/input.trf", made.ID, r.Round))
		made, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(made), "### engine dutch-") || !strings.Contains(string(made), "\n### seed ") {
			t.Errorf("round %d does not say what paired it:\n%.200s", r.Round, made)
		}
		lines := strings.Split(chpok(t, "pair", input), "\n")
		if len(lines) != 5 || lines[0] != "4" || !strings.HasSuffix(lines[4], " 0") {
			t.Errorf("round %d paired again: %v", r.Round, lines)
		}
	}
}

// download saves what a page of the site hands out.
func download(t *testing.T, c *client, path string) string {
	t.Helper()
	a, err := c.request("GET", path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.status != 200 {
		t.Fatalf("%s: status %d", path, a.status)
	}
	file := filepath.Join(t.TempDir(), "download.trf")
	if err := os.WriteFile(file, a.body, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
