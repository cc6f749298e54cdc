package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/store/storetest"
)

// TestKilledAnywhereNothingIsLost kills the server with kill -9 in the middle of
// bidding and of the board phase. Everything that was acknowledged must still be
// there, and both players must be able to go on until the match is over.
func TestKilledAnywhereNothingIsLost(t *testing.T) {
	t.Parallel()
	for _, database := range []struct {
		name string
		dsn  func(testing.TB) string
	}{
		{"SQLite", storetest.SQLiteDSN},
		{"PostgreSQL", storetest.PostgresDSN},
	} {
		t.Run(database.name, func(t *testing.T) {
			t.Parallel()
			dsn := database.dsn(t)
			clients := trio(t, dsn, "")
			var server *node
			start := func() {
				t.Helper()
				server = startNode(t, dsn)
				for _, c := range clients {
					c.base = server.base
				}
			}
			start()
			id, first, second := openMatch(t, clients, map[string]any{"chips": 5, "presets": []any{map[string]int{"minutes": 10, "increment": 5}}})
			acknowledged := int64(0)
			bids, moves := 0, 0
			for range 400 {
				m := first.match(id)
				if m.Seq < acknowledged {
					t.Fatalf("the match stands at %d, but %d was acknowledged", m.Seq, acknowledged)
				}
				if m.Status == "over" {
					break
				}
				mover := first
				if !m.mine() {
					mover, m = second, second.match(id)
				}
				if m.State.Phase == "bidding" {
					bids++
				} else {
					moves++
				}
				if moves == 12 {
					seq, err := mover.send(id, m.Seq, map[string]any{"act": "resign"})
					if err != nil {
						t.Fatal(err)
					}
					acknowledged = seq
					continue
				}
				seq, err := mover.act(m, 7*moves+3)
				if err != nil {
					t.Fatalf("after %d bids and %d moves: %v", bids, moves, err)
				}
				acknowledged = seq
				if bids == 4 && moves == 0 || moves == 5 {
					server.kill()
					start()
				}
			}
			last := first.match(id)
			if last.Status != "over" || bids < 5 || moves < 5 {
				t.Fatalf("the match did not end: %s after %d bids and %d moves", last.Status, bids, moves)
			}
			verifyRecord(t, first, id, last)
		})
	}
}

// pairThree creates a round robin of three and starts it: its only board, and
// who plays there.
func pairThree(t *testing.T, clients []*client, envelope map[string]any) (id, first, second string) {
	t.Helper()
	organizer := clients[0]
	tournament := newTournament(organizer, "Three", envelope, clients[1].name, clients[2].name)
	organizer.must("POST", "/tournaments/"+tournament+"/start", nil, nil)
	var view tournamentView
	organizer.must("GET", "/tournaments/"+tournament, nil, &view)
	if len(view.Rounds) != 1 || len(view.Rounds[0].Pairings) != 1 || view.Rounds[0].Pairings[0].Match == nil {
		t.Fatalf("three players have one board in round 1, got %+v", view.Rounds)
	}
	board := view.Rounds[0].Pairings[0]
	return *board.Match, board.First, board.Second
}

// openMatch is pairThree with both players ready.
func openMatch(t *testing.T, clients []*client, envelope map[string]any) (id string, first, second *client) {
	t.Helper()
	id, firstName, secondName := pairThree(t, clients, envelope)
	named := func(name string) *client {
		return clients[slices.IndexFunc(clients, func(c *client) bool { return c.name == name })]
	}
	first, second = named(firstName), named(secondName)
	for _, c := range []*client{first, second} {
		if _, err := c.send(id, c.match(id).Seq, map[string]any{"ready": true}); err != nil {
			t.Fatalf("%s ready: %v", c.name, err)
		}
	}
	return id, first, second
}

type tournamentView struct {
	Status string
	Rounds []struct {
		Round    int
		Pairings []struct {
			Board         int
			First, Second string
			Match, Result *string
		}
		Byes []string
	}
	Standings []struct {
		Rank      int
		Player    string
		Score     float64
		Tiebreaks map[string]*float64
	}
}

// newTournament creates a round robin with the organizer and the others in it.
func newTournament(organizer *client, name string, envelope map[string]any, others ...string) string {
	organizer.t.Helper()
	var made struct{ ID string }
	organizer.must("POST", "/tournaments", map[string]any{"name": name, "format": "round-robin", "pace": "auto", "lateness": 300_000, "envelope": envelope}, &made)
	organizer.must("POST", "/tournaments/"+made.ID+"/entries", nil, nil)
	for _, o := range others {
		organizer.must("POST", "/tournaments/"+made.ID+"/entries", map[string]any{"player": o}, nil)
	}
	return made.ID
}

// verifyRecord replays the exported record with the command line: every action
// must be accepted and the end must be the one the server shows.
func verifyRecord(t *testing.T, c *client, id string, m matchView) {
	t.Helper()
	var record any
	c.must("GET", "/matches/"+id+"/record", nil, &record)
	file := filepath.Join(t.TempDir(), "record.json")
	writeJSON(t, file, record)
	out := chpok(t, "replay", file)
	if strings.Contains(out, `"ok":false`) {
		t.Errorf("the record holds an action that replay refuses:\n%s", tail(out, 2000))
	}
	lines := strings.Split(out, "\n")
	if want := `"reason":"` + m.State.Reason + `"`; !strings.Contains(lines[len(lines)-1], want) {
		t.Errorf("replay ends with %s, the server says %s", lines[len(lines)-1], want)
	}
	if strings.Contains(chpok(t, "draws", file), "✗") {
		t.Error("a draw does not follow from the seed")
	}
}

func writeJSON(t *testing.T, file string, v any) {
	t.Helper()
	raw, err := jsonIndent(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}
