package web_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// program speaks to the API for an account; without a token, for nobody.
type program struct {
	site  *site
	token player.Secret
}

func (s *site) program(p player.Player) program {
	s.t.Helper()
	var secret player.Secret
	s.write(func(tx *store.Tx) (err error) {
		secret, err = tx.AddToken(player.Token{Player: p.ID, Name: "test", Scopes: p.MostScopes(), Created: s.clock.Now()})
		return err
	})
	return program{s, secret}
}

func (p program) request(ctx context.Context, method, path, body string) *http.Request {
	p.site.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, p.site.http.URL+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		p.site.t.Fatal(err)
	}
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+string(p.token))
	}
	return req
}

// ask reads the JSON of an answer into what; nil: nothing is read.
func (p program) ask(method, path, body string, want int, what any) {
	p.site.t.Helper()
	status, says := p.answer(method, path, body)
	if status != want {
		p.site.t.Fatalf("%s %s %s: status %d, want %d", method, path, body, status, want)
	}
	if what == nil {
		return
	}
	if err := json.Unmarshal([]byte(says), what); err != nil {
		p.site.t.Fatal(err)
	}
}

// refused is the code of a refusal; each has words, too.
func (p program) refused(path, body string, want int) string {
	p.site.t.Helper()
	var answer struct {
		Code, Detail string
	}
	p.ask(http.MethodPost, path, body, want, &answer)
	if answer.Detail == "" {
		p.site.t.Errorf("%s: %s without a message", body, answer.Code)
	}
	return answer.Code
}

// playerName is a player of an answer, by the name that the event or the account has.
type playerName string

func (n *playerName) UnmarshalJSON(raw []byte) error {
	var of struct{ Name, Handle string }
	err := json.Unmarshal(raw, &of)
	*n = playerName(cmp.Or(of.Name, of.Handle))
	return err
}

func TestCommandsOfPrograms(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	olena, taras, nobody := c.program(c.olena), c.program(c.taras), program{site: c.site}
	path, chip := "/matches/"+string(c.id)+"/commands", `"bid":{"target":"white","chips":1}`

	for _, tt := range []struct {
		name, body string
		by         program
		status     int
		code       string
	}{
		{"a visitor", `{` + chip + `}`, nobody, 401, "sign-in"},
		{"somebody else", `{` + chip + `}`, c.program(c.account("Ivan", player.Plain)), 403, "not-playing"},
		{"not on turn", `{` + chip + `}`, taras, 422, "not-your-turn"},
		{"on an old sight", `{"seq":1,` + chip + `}`, olena, 409, "stale"},
		{"too many chips", `{"bid":{"target":"white","chips":2}}`, olena, 422, "not-enough-chips"},
		{"nothing to do", `{}`, olena, 422, "malformed"},
		{"no JSON", `{`, olena, 400, "bad-request"},
		{"a long id", `{"id":"` + strings.Repeat("x", 65) + `",` + chip + `}`, olena, 400, "bad-request"},
		{"an id with NUL, which PostgreSQL takes for no text", `{"id":"a\u0000",` + chip + `}`, olena, 400, "bad-request"},
	} {
		if code := tt.by.refused(path, tt.body, tt.status); code != tt.code {
			t.Errorf("%s: %s, want %s", tt.name, code, tt.code)
		}
	}
	if code := olena.refused("/matches/none/commands", `{`+chip+`}`, 404); code != "not-found" {
		t.Errorf("no such match: %s", code)
	}

	var first, again struct{ Seq int64 }
	bid := fmt.Sprintf(`{"id":"bid 1","seq":%d,%s}`, c.state().Seq(), chip)
	olena.ask(http.MethodPost, path, bid, 200, &first)
	olena.ask(http.MethodPost, path, bid, 200, &again)
	if bids := c.state().Game().Bids(); first.Seq != c.state().Seq() || again != first || bids.Purse(match.First) != 0 {
		t.Errorf("sent twice: %d, %d at %d", first.Seq, again.Seq, c.state().Seq())
	}
	taras.ask(http.MethodPost, path, `{"act":"resign"}`, 200, nil)
	if code := olena.refused(path, `{"act":"e2e4"}`, 422); code != "finished" {
		t.Errorf("after the end: %s", code)
	}
	olena.ask(http.MethodPost, path, bid, 200, nil) // done is done
}

// TestAStreamOfEventsResumesWhereItWasCut, and ends with the match. The seed
// of the draws is in neither form of the log before that.
func TestAStreamOfEventsResumesWhereItWasCut(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	c := newContest(t, short(1))
	path := "/matches/" + string(c.id) + "/events"
	visitor := program{site: c.site}
	type event struct {
		Seq  int64
		Kind string
		Body map[string]any
	}
	list := func(after int64) []event {
		t.Helper()
		var answer struct{ Events []event }
		visitor.ask(http.MethodGet, fmt.Sprintf("%s?after=%d", path, after), "", 200, &answer)
		return answer.Events
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	open := func(lastID string) func() (id string, e event, ended bool) {
		t.Helper()
		req := visitor.request(ctx, http.MethodGet, path, "")
		req.Header.Set("Accept", "text/event-stream")
		if lastID != "" {
			req.Header.Set("Last-Event-ID", lastID)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		lines := bufio.NewScanner(res.Body)
		return func() (id string, e event, ended bool) {
			for lines.Scan() {
				switch key, value, _ := strings.Cut(lines.Text(), ": "); key {
				case "id":
					id = value
				case "event":
					ended = value == "end"
				case "data":
					if err := json.Unmarshal([]byte(value), &e); err != nil {
						t.Fatal(err)
					}
					return id, e, ended
				}
			}
			t.Fatal("the stream broke off")
			return id, e, ended
		}
	}
	if opened := list(0)[0]; opened.Kind != "opened" || opened.Body["seed"] != nil || opened.Body["commitment"] == nil {
		t.Errorf("the first event is %+v", opened)
	}
	next := open("")
	if id, e, _ := next(); id != "1" || e.Kind != "opened" || e.Body["seed"] != nil {
		t.Errorf("the stream begins with %s %+v", id, e)
	}
	c.program(c.olena).ask(http.MethodPost, "/matches/"+string(c.id)+"/commands", `{"act":"resign"}`, 200, nil)
	rest := list(2)
	if len(rest) != 2 || rest[0].Kind != "resign" || rest[1].Kind != "ended" {
		t.Fatalf("after 2: %+v", rest)
	}
	for _, next := range []func() (string, event, bool){next, open("2")} {
		for {
			id, e, ended := next()
			if ended {
				break
			}
			if want := fmt.Sprint(e.Seq); id != want || e.Seq < 2 {
				t.Errorf("event %d has id %s", e.Seq, id)
			}
		}
	}
	if opened := list(0)[0]; opened.Body["seed"] == nil {
		t.Error("the seed is not revealed at the end")
	}
	visitor.ask(http.MethodGet, path+"?after=-1", "", 422, nil)
	visitor.ask(http.MethodGet, path+"?after=999", "", 200, nil)
}
