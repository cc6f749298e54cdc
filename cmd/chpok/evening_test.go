package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"chpok.org/chpok/store/storetest"
)

// TestAnEveningOfFour plays a round robin of two people and two house bots
// through the API to its end, and works the table and the ratings out again from
// the results alone.
func TestAnEveningOfFour(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	people := map[string]*client{"anna": newPlayer(t, dsn, "anna", "organizer"), "bohdan": newPlayer(t, dsn, "bohdan", "player")}
	chpok(t, "player", "add", "bot-one", "--bot", "--database-url", dsn)
	chpok(t, "player", "add", "bot-two", "--bot", "--database-url", dsn)
	server := startNode(t, dsn)
	for _, c := range people {
		c.base = server.base
	}
	anna := people["anna"]
	id := newTournament(anna, "Four", map[string]any{
		"chips": 3, "moveLimit": []int{10, 10}, "defaults": map[string]any{"moveLimit": 10},
		"presets": []any{map[string]int{"minutes": 3, "increment": 2}},
	}, "bohdan", "bot-one", "bot-two")
	anna.must("POST", "/tournaments/"+id+"/start", nil, nil)

	ctx, cancel := context.WithTimeout(t.Context(), 3*within)
	defer cancel()
	done := make(chan error, len(people))
	for _, c := range people {
		go func() { done <- c.playAll(ctx, id) }()
	}
	for range people {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}

	var view tournamentView
	anna.must("GET", "/tournaments/"+id, nil, &view)
	if view.Status != "finished" || len(view.Rounds) != 3 {
		t.Fatalf("status %s after %d rounds", view.Status, len(view.Rounds))
	}
	checkTable(t, view)
	checkElo(t, anna, view)
	chpok(t, "ratings", "recompute", "--database-url", dsn)
	checkElo(t, anna, view)
}

// playAll is ready, bids and moves wherever this client is waited for, until the
// tournament is finished. It learns of changes from the stream of its match.
func (c *client) playAll(ctx context.Context, tournament string) error {
	for pick := 0; ; pick++ {
		var view struct{ Status string }
		if err := c.call("GET", "/tournaments/"+tournament, nil, &view); err != nil {
			return err
		}
		if view.Status == "finished" {
			return nil
		}
		var mine struct {
			Matches []struct {
				ID, Status string
				Waiting    bool `json:"waitingForMe"`
			}
		}
		if err := c.call("GET", "/me/matches", nil, &mine); err != nil {
			return err
		}
		if len(mine.Matches) == 0 || !mine.Matches[0].Waiting {
			if err := pause(ctx, 50*time.Millisecond); err != nil {
				return fmt.Errorf("%s still waits in tournament %s: %w", c.name, tournament, err)
			}
			continue
		}
		var m matchView
		if err := c.call("GET", "/matches/"+mine.Matches[0].ID, nil, &m); err != nil {
			return err
		}
		var err error
		switch {
		case m.Status == "waiting":
			_, err = c.send(m.ID, m.Seq, map[string]any{"ready": true})
		case m.mine():
			_, err = c.act(m, 5*pick+len(c.name))
		}
		var refused *apiError
		if errors.As(err, &refused) && refused.Status == http.StatusConflict {
			continue // the opponent, a draw or the clock came first
		}
		if err != nil {
			return fmt.Errorf("%s in match %s: %w", c.name, m.ID, err)
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

var pointsOf = map[string][2]float64{"1-0": {1, 0}, "0-1": {0, 1}, "1/2-1/2": {0.5, 0.5}}

// checkTable works the standings out from the pairings: everybody met everybody
// once; score, then direct encounter, Sonneborn-Berger and wins.
func checkTable(t *testing.T, v tournamentView) {
	t.Helper()
	score, wins, against := map[string]float64{}, map[string]float64{}, map[string]map[string]float64{}
	for _, r := range v.Rounds {
		for _, p := range r.Pairings {
			if p.Result == nil {
				t.Fatalf("round %d board %d has no result", r.Round, p.Board)
			}
			points, known := pointsOf[*p.Result]
			if !known {
				t.Fatalf("result %s", *p.Result)
			}
			for i, who := range []string{p.First, p.Second} {
				other := []string{p.Second, p.First}[i]
				if against[who] == nil {
					against[who] = map[string]float64{}
				}
				if _, met := against[who][other]; met {
					t.Errorf("%s and %s met twice", who, other)
				}
				against[who][other] = points[i]
				score[who] += points[i]
				if points[i] == 1 {
					wins[who]++
				}
			}
		}
	}
	if len(v.Standings) != 4 {
		t.Fatalf("%d lines in the table", len(v.Standings))
	}
	for i, line := range v.Standings {
		if len(against[line.Player]) != 3 {
			t.Errorf("%s has met %d", line.Player, len(against[line.Player]))
		}
		if line.Score != score[line.Player] {
			t.Errorf("%s has %v points, the results say %v", line.Player, line.Score, score[line.Player])
		}
		sb := 0.0
		for other, got := range against[line.Player] {
			sb += got * score[other]
		}
		if got := line.Tiebreaks["SB"]; got == nil || *got != sb {
			t.Errorf("Sonneborn-Berger of %s is %v, the results say %v", line.Player, got, sb)
		}
		if got := line.Tiebreaks["WIN"]; got == nil || *got != wins[line.Player] {
			t.Errorf("wins of %s are %v, the results say %v", line.Player, got, wins[line.Player])
		}
		if i > 0 && v.Standings[i-1].Score < line.Score {
			t.Errorf("%s stands below a lower score", line.Player)
		}
	}
}

// checkElo recomputes the first event of four newcomers: all start equal, so a
// game is expected to bring one half, and K is a newcomer's 40 (FIDE B.02 8.3.3).
func checkElo(t *testing.T, c *client, v tournamentView) {
	t.Helper()
	sum := 0.0
	for _, line := range v.Standings {
		var p struct {
			Rating      *float64
			Provisional bool
			Games       int
			History     []struct {
				Before, After float64
				K             int
			}
		}
		deadline := time.Now().Add(within)
		for { // ratings follow the last result in the next sweep
			c.must("GET", "/players/"+line.Player, nil, &p)
			if p.Games > 0 || time.Now().After(deadline) {
				break
			}
			if err := pause(t.Context(), 50*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		if p.Rating == nil || len(p.History) == 0 || p.Games != 3 || !p.Provisional {
			t.Errorf("%s: rating %v, %d changes, %d games, provisional %v", line.Player, p.Rating, len(p.History), p.Games, p.Provisional)
			continue
		}
		last := p.History[len(p.History)-1]
		want := 40 * (line.Score - 1.5)
		if got := last.After - last.Before; math.Abs(got-want) > 0.01 || last.K != 40 || last.After != *p.Rating {
			t.Errorf("%s with %v of 3: %v → %v (K %d, now %v), want a change of %v", line.Player, line.Score, last.Before, last.After, last.K, *p.Rating, want)
		}
		sum += last.After - last.Before
	}
	if math.Abs(sum) > 0.01 {
		t.Errorf("at equal K the changes sum to %v, not to zero", sum)
	}
}

// TestTheAPIAnswersAsItsDescriptionSays checks answers and refusals against
// the OpenAPI document that the server itself hands out.
func TestTheAPIAnswersAsItsDescriptionSays(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	server := startNode(t, dsn)
	clients := trio(t, dsn, server.base)
	anna := clients[0]
	router := described(t, anna)
	match, first, _ := openMatch(t, clients, map[string]any{"chips": 2})
	seq := anna.match(match).Seq
	stranger := &client{t: t, base: server.base, name: "nobody"}
	over := clients[slices.IndexFunc(clients, func(c *client) bool { return c.name != first.name && c.name != anna.match(match).Second })]

	tournaments := struct{ Tournaments []struct{ ID string } }{}
	anna.must("GET", "/tournaments", nil, &tournaments)
	tournament := "/tournaments/" + tournaments.Tournaments[0].ID
	for _, try := range []struct {
		who          *client
		method, path string
		in           any
		want         int
	}{
		{anna, "GET", "/me", nil, 200},
		{stranger, "GET", "/me", nil, 401},
		{anna, "GET", "/me/matches", nil, 200},
		{anna, "GET", "/players/anna", nil, 200},
		{anna, "GET", "/players/nobody-here", nil, 404},
		{stranger, "GET", "/tournaments", nil, 200},
		{stranger, "GET", tournament, nil, 200},
		{anna, "GET", "/tournaments/none", nil, 404},
		{anna, "POST", "/tournaments", map[string]any{"name": "Club cup", "format": "swiss", "rounds": 5, "tiebreaks": []string{"BH/C1", "SB"}}, 201},
		{anna, "POST", "/tournaments", map[string]any{"name": "", "format": "knock-out"}, 422},
		{anna, "POST", "/tournaments", map[string]any{"name": "x", "format": "swiss", "speed": 3}, 400},
		{anna, "POST", "/tournaments", map[string]any{"name": "x", "format": "swiss", "envelope": map[string]any{"chips": 0}}, 422},
		{clients[1], "POST", "/tournaments", map[string]any{"name": "Club cup", "format": "swiss"}, 403},
		{stranger, "POST", "/tournaments", map[string]any{"name": "Club cup", "format": "swiss"}, 401},
		{anna, "POST", tournament + "/start", nil, 409},
		{anna, "POST", tournament + "/rounds", nil, 409},
		{clients[1], "POST", tournament + "/rounds", nil, 403},
		{anna, "POST", tournament + "/entries", map[string]any{"player": "bohdan"}, 409},
		{anna, "DELETE", tournament + "/entries/nobody-here", nil, 404},
		{anna, "GET", "/matches/" + match, nil, 200},
		{anna, "GET", "/matches/none", nil, 404},
		{stranger, "GET", "/matches/" + match + "/record", nil, 200},
		{stranger, "GET", "/matches/" + match + "/events?after=1", nil, 200},
		{stranger, "GET", "/matches/" + match + "/events?after=x", nil, 400},
		{over, "POST", "/matches/" + match + "/commands", map[string]any{"id": "1", "act": "resign"}, 403},
		{stranger, "POST", "/matches/" + match + "/commands", map[string]any{"id": "1", "act": "resign"}, 401},
		{first, "POST", "/matches/" + match + "/commands", map[string]any{"id": "a", "seq": seq - 1, "act": "resign"}, 409},
		{first, "POST", "/matches/" + match + "/commands", map[string]any{"id": "b", "seq": seq, "act": "e2e4"}, 422},
		{first, "POST", "/matches/" + match + "/commands", map[string]any{"id": "c", "seq": seq, "bid": map[string]any{"target": "white", "chips": 1}}, 200},
		{first, "POST", "/matches/" + match + "/commands", map[string]any{"id": "c", "seq": seq, "bid": map[string]any{"target": "white", "chips": 1}}, 200},
	} {
		name := fmt.Sprintf("%s %s %s", try.who.name, try.method, try.path)
		if got := conforms(t, router, try.who, try.method, try.path, try.in); got != try.want {
			t.Errorf("%s: status %d, want %d", name, got, try.want)
		}
	}
	if now := anna.match(match).Seq; now != seq+1 {
		t.Errorf("the same command sent twice moved the match from %d to %d", seq, now)
	}
}

func described(t *testing.T, c *client) routers.Router {
	t.Helper()
	raw := rawCall(t, c, "GET", "/openapi.json", nil)
	doc, err := openapi3.NewLoader().LoadFromData(raw.body)
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = openapi3.Servers{{URL: c.base + "/api/v1"}}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// conforms sends a request and holds the answer against the description.
func conforms(t *testing.T, router routers.Router, c *client, method, path string, in any) int {
	t.Helper()
	answer := rawCall(t, c, method, path, in)
	route, params, err := router.FindRoute(answer.request)
	if err != nil {
		t.Errorf("%s %s is not described: %v", method, path, err)
		return answer.status
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: answer.request, PathParams: params, Route: route},
		Status:                 answer.status, Header: answer.header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	input.SetBodyBytes(answer.body)
	if err := openapi3filter.ValidateResponse(t.Context(), input); err != nil {
		t.Errorf("%s %s answers otherwise than described: %v\n%s", method, path, err, tail(string(answer.body), 400))
	}
	return answer.status
}
