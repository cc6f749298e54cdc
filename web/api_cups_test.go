package web_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/tournament"
	bracket "chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/ledger"
)

// TestProgramsCorrectOddKnockOuts walks knock-outs of all kinds by chance: fields with byes, contests of several matches,
// every tie-break, second chances, third places, people who leave. Whatever is answered with 2xx was done, what a dry run
// shows is what comes of it, what is refused changes nothing, and the log gives the event as it stands.
func TestProgramsCorrectOddKnockOuts(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host := n.program(n.player("Olena"))
	results := []string{"1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-"}
	ties := []string{`["pair","decider"]`, `["pair","lot"]`, `["seed"]`, `["lot"]`}
	type standings []struct {
		Rank   int
		Player playerName
		Score  float64
	}
	done := map[string]int{}
	for seed := range uint64(len(bracket.AllLosers) * 2) {
		chance := rand.New(rand.NewPCG(seed, 29))
		n.clock.advance(24 * time.Hour) // nobody makes so many a day
		var made struct{ ID string }
		host.ask("POST", "/tournaments", fmt.Sprintf(`{"name":"Cup","format":"knock-out","pace":"manual","losers":%q,%s"tie":%s}`,
			bracket.AllLosers[seed%uint64(len(bracket.AllLosers))], []string{"", "", `"double":true,`, `"legs":4,`}[chance.IntN(4)], ties[chance.IntN(len(ties))]), http.StatusCreated, &made)
		path := "/tournaments/" + made.ID
		var list strings.Builder
		for i := range 3 + chance.IntN(6) {
			fmt.Fprintf(&list, "Guest %c; %d\\n", 'A'+i, 1900-10*i)
		}
		host.ask("POST", path+"/lists", `{"list":"`+list.String()+`"}`, http.StatusOK, nil)
		host.ask("POST", path+"/start", "", http.StatusOK, nil)
		for range 50 {
			before := n.tournament(path)
			type board struct {
				round int
				tournament.Pairing
			}
			var boards []board
			for _, r := range before.Rounds {
				for _, b := range r.Pairings {
					boards = append(boards, board{r.Number, b})
				}
			}
			act, body, asked := "POST "+path+"/rounds", "", ""
			var of board
			if len(boards) > 0 {
				of = boards[chance.IntN(len(boards))]
			}
			switch k := chance.IntN(10); {
			case k == 0:
				act = fmt.Sprint("POST ", path, "/entries/", 1+chance.IntN(len(before.Entries)), "/withdrawal")
			case k == 1:
				act = fmt.Sprint("DELETE ", path, "/entries/", 1+chance.IntN(len(before.Entries)), "/withdrawal")
			case k < 4 && of.round > 0:
				asked = results[chance.IntN(len(results))]
				act, body = fmt.Sprint("POST ", path, "/corrections?shown=", before.Version), fmt.Sprintf(`{"round":%d,"board":%d,"result":%q,"reach":%q,"reason":"the sheet"`,
					of.round, of.Board, asked, []string{"from-now", "re-pair", "replay", "ratings"}[chance.IntN(4)])
			case k < 9 && len(before.Rounds) > 0:
				for _, b := range boards {
					if b.Result.IsPending() {
						of = b
					}
				}
				asked = results[chance.IntN(3)]
				act, body = "POST "+path+"/results", fmt.Sprintf(`{"round":%d,"board":%d,"result":%q}`, of.round, of.Board, asked)
			}
			method, at, _ := strings.Cut(act, " ")
			var shown struct{ Standings standings }
			dry := 0
			if strings.Contains(at, "/corrections") {
				var text string
				dry, text = host.answer(method, at, body+`,"dryRun":true}`)
				if dry == http.StatusOK && json.Unmarshal([]byte(text), &shown) != nil {
					t.Fatal(text)
				}
				body += "}"
				if now := n.tournament(path); len(ledger.Diff(before, now)) > 0 {
					t.Errorf("seed %d: a dry run of %s has changed something", seed, body)
				}
			}
			status, text := host.answer(method, at, body)
			after := n.tournament(path)
			what := fmt.Sprintf("seed %d: %s %s: %d %s", seed, act, body, status, text[:min(len(text), 200)])
			changes := ledger.Diff(before, after)
			switch {
			case status >= 500:
				t.Fatal(what)
			case status >= 400 && len(changes) > 0:
				t.Errorf("%s: refused, but changed: %v", what, changes)
			case status >= 400:
				continue
			}
			name, _, _ := strings.Cut(at[strings.LastIndex(at, "/"):], "?")
			done[name]++
			// A correction for the ratings alone leaves the table as it is, and a replay empties the board.
			apart := strings.Contains(body, `"ratings"`) || strings.Contains(body, `"replay"`)
			if len(changes) == 0 && (asked == "" || of.Result.Kind.String() != asked && !apart) {
				t.Errorf("%s: nothing was done", what)
			}
			if p, err := after.BoardAt(of.round, of.Board); asked != "" && (err != nil || p.Result.Kind.String() != asked) && !apart {
				t.Errorf("%s: the board has %v", what, p.Result)
			}
			if dry == http.StatusOK {
				var is struct{ Standings standings }
				if err := json.Unmarshal([]byte(text), &is); err != nil || !slices.Equal(is.Standings, shown.Standings) {
					t.Errorf("%s: the dry run showed\n%v, it became\n%v", what, shown.Standings, is.Standings)
				}
			}
			folded, err := ledger.Fold(n.deeds(path))
			if err != nil {
				t.Fatal(what, err)
			}
			if odd := ledger.Diff(folded, after); len(odd) > 0 {
				t.Fatalf("%s: the log gives another event: %v", what, odd)
			}
		}
	}
	t.Log(done)
	for _, act := range []string{"/corrections", "/results", "/withdrawal", "/rounds"} {
		if done[act] < 20 {
			t.Errorf("hardly any %s: %v", act, done)
		}
	}
}
