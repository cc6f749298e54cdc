package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// TestEveryOperationKeepsToItsDescription sends to every operation what its description allows and what it does not, as
// everybody there is, in an order of chance: what one answers, the others are asked about. No answer is a fault of the
// server or another than described. By default everybody asks for everything once. CHPOK_FUZZ is "SEED" or "SEED STEPS", to try others or more.
func TestEveryOperationKeepsToItsDescription(t *testing.T) {
	t.Parallel()
	seed, steps := uint64(20261129), 3000
	if _, err := fmt.Sscan(os.Getenv("CHPOK_FUZZ"), &seed, &steps); err != nil && seed == 0 {
		t.Fatal("CHPOK_FUZZ is a seed, or a seed and a number of steps")
	}
	f := newFuzz(t, seed)
	for k := range steps {
		if k%500 == 0 {
			f.settle()
		}
		f.step()
	}
	var never []string
	for _, o := range f.operations {
		if f.done[o.at] == 0 {
			never = append(never, o.at)
		}
	}
	t.Logf("%d requests of seed %d, of which %d were carried out; never carried out: %s", steps, seed, f.carriedOut, strings.Join(never, ", "))
	if f.carriedOut < steps/10 || len(never) > len(f.operations)/2 {
		t.Error("too little is carried out for this to tell anything")
	}
}

type fuzz struct {
	*clubNight
	rand       *rand.Rand
	operations []fuzzed
	tokens     map[string]player.Secret // by who has it
	who        []string
	seen       map[string][]string // values of answers, by their key
	done       map[string]int
	deck       []asker
	carriedOut int
	settled    int
}

// asker is who asks for which operation.
type asker struct {
	operation int
	who       string
}

// fuzzed is an operation.
type fuzzed struct {
	at, method, path string
	*openapi3.Operation
}

func newFuzz(t *testing.T, seed uint64) *fuzz {
	n := newClubNight(t)
	f := &fuzz{clubNight: n, rand: rand.New(rand.NewPCG(seed, 1)), tokens: map[string]player.Secret{}, seen: map[string][]string{},
		done: map[string]int{}}
	paths := n.described().Paths
	for _, path := range slices.Sorted(maps.Keys(paths.Map())) {
		for method, o := range paths.Value(path).Operations() {
			if path == "/me/events" || path == "/tournaments/{id}/events" { // have no end; events_test.go reads them
				continue
			}
			f.operations = append(f.operations, fuzzed{method + " " + path, method, path, o})
		}
	}
	slices.SortFunc(f.operations, func(a, b fuzzed) int { return strings.Compare(a.at, b.at) })
	bot := player.Player{ID: "id-robot", Handle: "robot", Bot: true, Role: player.Plain, Maintainer: n.players["anna"].ID,
		Created: n.clock.Now()}
	n.write(func(tx *store.Tx) error { return tx.AddPlayer(bot, "") })
	n.write(func(tx *store.Tx) (err error) {
		for _, p := range puzzle.House() {
			f.seen["puzzles"] = append(f.seen["puzzles"], p.ID())
			err = errors.Join(err, tx.AddPuzzle(store.Puzzle{ID: p.ID(), What: p}))
		}
		return err
	})
	n.account("Boss", player.Operator)
	f.tokens["nobody"] = ""
	for _, handle := range []player.Handle{"Olena", "Boss", "anna", "borys", "clara", "robot"} {
		f.tokens[string(handle)] = n.program(n.player(handle)).token
	}
	f.who = slices.Sorted(maps.Keys(f.tokens))
	for k, handle := range []string{"anna", "borys", "clara", "danylo", "Olena", "robot"} {
		f.seen["handle"] = append(f.seen["handle"], handle)
		f.seen["entry"] = append(f.seen["entry"], strconv.Itoa(k+1))
	}
	f.seen["round"], f.seen["board"] = []string{"1", "2"}, []string{"1", "2"}
	return f
}

// settle makes what there is to ask about: events of several kinds at several stages, a club, a ladder, a match.
func (f *fuzz) settle() {
	ask := func(who, method, path, body string) (answer map[string]any) {
		f.t.Helper()
		program{f.site, f.tokens[who]}.ask(method, path, body, http.StatusCreated, &answer)
		f.learn(path, answer)
		return answer
	}
	f.settled++
	olena, boss := f.player("Olena"), f.player("Boss")
	f.write(func(tx *store.Tx) error { // whatever operators have made of each other
		return errors.Join(tx.SetRole(olena.ID, player.Organizer), tx.SetRole(boss.ID, player.Operator))
	})
	for _, key := range []string{"tournaments", "clubs", "ladders", "matches"} {
		f.seen[key] = nil // those before are over, or worse
	}
	for _, format := range []string{"swiss", "knock-out", "round-robin", "arena", "keizer"} {
		rounds := ""
		if format != "arena" {
			rounds = `,"pace":"manual","lateness":300000,"envelope":{"chips":1}`
		}
		path := "/tournaments/" + ask("Olena", "POST", "/tournaments", `{"name":"The `+format+`","format":"`+format+`"`+rounds+`}`)["id"].(string)
		host := program{f.site, f.tokens["Olena"]}
		host.ask("POST", path+"/lists", `{"list":"anna\nborys\nclara\nGuest One; 1500"}`, http.StatusOK, nil)
		if format != "keizer" {
			host.ask("POST", path+"/start", "", http.StatusOK, nil)
		}
		if format == "swiss" || format == "knock-out" {
			host.ask("POST", path+"/rounds", "", http.StatusCreated, nil)
		}
	}
	if f.settled == 1 { // it may wait still
		ask("anna", "POST", "/challenges", `{"to":"borys"}`)
	}
	club := ask("Olena", "POST", "/clubs", `{"name":"School `+strconv.Itoa(f.settled)+`"}`)["id"].(string)
	cup := ask("Olena", "POST", "/tournaments", `{"name":"Friday","format":"swiss","clubId":"`+club+`"}`)["id"].(string)
	for name, made := range map[string]map[string]any{
		"series": ask("Olena", "POST", "/clubs/"+club+"/series", `{"name":"Friday","weekdays":["fri"],"time":"19:00","event":"`+cup+`"}`),
		"post":   ask("Olena", "POST", "/clubs/"+club+"/news", `{"title":"We move","text":"To the library"}`),
		"hook":   ask("Olena", "POST", "/webhooks", `{"of":"club","id":"`+club+`","url":"https://example.org/chpok"}`),
	} {
		f.seen[name] = []string{made["id"].(string)}
	}
	f.seen["clubs"] = []string{club}
	ladder := "/ladders/" + ask("Boss", "POST", "/ladders", `{"name":"Stairs `+strconv.Itoa(f.settled)+`","places":9}`)["id"].(string)
	for _, who := range []string{"anna", "borys", "clara"} {
		program{f.site, f.tokens[who]}.ask("POST", ladder+"/players", "", http.StatusOK, nil)
	}
	for _, e := range f.tournament("/tournaments/" + f.seen["tournaments"][0]).Rounds[0].Pairings {
		if e.Match != "" {
			f.play("/matches/" + string(e.Match))
		}
	}
}

// play brings a match to its board, where it is ruled on.
func (f *fuzz) play(path string) {
	boss := program{f.site, f.tokens["Olena"]}
	var m struct {
		First, Second playerName
		State         struct{ Legal []string }
	}
	boss.ask("GET", path, "", http.StatusOK, &m)
	seats := [2]playerName{m.First, m.Second}
	for k, body := range []string{`{"ready":true}`, `{"ready":true}`, `{"bid":{"target":"white","chips":1}}`,
		`{"bid":{"target":"time","chips":1,"minutes":5,"increment":3}}`, "", "", ""} {
		if body == "" {
			boss.ask("GET", path, "", http.StatusOK, &m)
			body = `{"act":"` + m.State.Legal[0] + `"}`
		}
		program{f.site, f.tokens[string(seats[k%2])]}.ask("POST", path+"/commands", body, http.StatusOK, nil)
	}
	for _, body := range []string{`{"act":"pause","why":"noise"}`, `{"act":"clock","of":"A","left":60000,"why":"noise"}`,
		`{"act":"resume","why":"quiet"}`} {
		boss.ask("POST", path+"/rulings", body, http.StatusOK, nil)
	}
}

// learn keeps the values of an answer by their keys, and what has an ID by the first part of its address.
func (f *fuzz) learn(path string, v any) {
	part := strings.Split(strings.TrimPrefix(path, "/"), "/")[0]
	var walk func(key string, v any)
	keep := func(key, value string) {
		if list := f.seen[key]; len(value) < 100 && !slices.Contains(list, value) {
			f.seen[key] = append(list[max(0, len(list)-40):], value)
		}
	}
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(k, v[k])
			}
		case []any:
			for _, x := range v {
				walk(key, x)
			}
		case string:
			switch keep(key, v); key {
			case "id":
				keep(part, v)
			case "match":
				keep("matches", v)
			case "legal":
				keep("act", v)
			}
		case float64:
			keep(key, strconv.FormatFloat(v, 'f', -1, 64))
		}
	}
	walk("", v)
}

// pick is one of a list.
func pick[T any](f *fuzz, list ...T) T { return list[f.rand.IntN(len(list))] }

// junk is what no field expects.
func (f *fuzz) junk() any {
	return pick[any](f, nil, true, -1, 0, 1e15, 0.5, "", " ", "x", "0", strings.Repeat("Щ", 3000), "\x00", "’💥\u202e", "../..",
		"2026-13-99T99:00:00Z",
		[]any{}, []any{nil, 1, "a"}, map[string]any{}, map[string]any{"id": map[string]any{}})
}

// value makes what a schema allows.
func (f *fuzz) value(key string, s *openapi3.Schema, depth int) any {
	if list := f.seen[key]; len(list) > 0 && f.rand.IntN(3) > 0 && s.Type.Includes("string") && s.Enum == nil {
		return pick(f, list...)
	}
	if list := append(slices.Clone(s.OneOf), s.AnyOf...); len(list) > 0 {
		return f.value(key, pick(f, list...).Value, depth)
	}
	switch {
	case len(s.AllOf) > 0:
		return f.value(key, s.AllOf[0].Value, depth)
	case len(s.Enum) > 0:
		return pick(f, s.Enum...)
	case s.Example != nil && f.rand.IntN(2) == 0:
		return s.Example
	case s.Type.Includes("object"):
		out := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if slices.Contains(s.Required, name) || depth < 3 && f.rand.IntN(3) == 0 {
				out[name] = f.value(name, s.Properties[name].Value, depth+1)
			}
		}
		return out
	case s.Type.Includes("array"):
		out := []any{}
		for range f.rand.IntN(3) {
			out = append(out, f.value(key, s.Items.Value, depth+1))
		}
		return out
	case s.Type.Includes("boolean"):
		return f.rand.IntN(2) == 0
	case s.Type.Includes("integer"), s.Type.Includes("number"):
		if list := f.seen[key]; len(list) > 0 && f.rand.IntN(2) == 0 {
			if n, err := strconv.ParseFloat(pick(f, list...), 64); err == nil {
				return n
			}
		}
		least, most := 0.0, 9.0
		if s.Min != nil {
			least = *s.Min
		}
		if most = least + 9; s.Max != nil {
			most = *s.Max
		}
		return pick(f, least, most, least+float64(f.rand.IntN(10)))
	case s.Type.Includes("string"):
		return pick(f, "", "Anna Koval", "1-0", "a", strings.Repeat("ї", 60))
	}
	return f.junk()
}

// spoil changes one place of a body.
func (f *fuzz) spoil(v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if len(keys) == 0 || f.rand.IntN(8) == 0 {
			v[pick(f, "unknown", "id", "", "__proto__")] = f.junk()
			return v
		}
		switch key := pick(f, keys...); f.rand.IntN(3) {
		case 0:
			delete(v, key)
		case 1:
			v[key] = f.junk()
		default:
			v[key] = f.spoil(v[key])
		}
		return v
	case []any:
		if len(v) > 0 && f.rand.IntN(2) == 0 {
			v[0] = f.spoil(v[0])
			return v
		}
		return append(v, f.junk())
	}
	return f.junk()
}

// draw is the next operation and who asks it, of a shuffled deck with each operation for everybody once, and twice more for
// whom it is made.
func (f *fuzz) draw() (o fuzzed, who string) {
	if len(f.deck) == 0 {
		for i, o := range f.operations {
			host := "Olena"
			if slices.Contains([]string{"site", "rating-pools", "attestations"}, strings.Split(o.path, "/")[1]) {
				host = "Boss"
			}
			for _, who := range append([]string{host, host}, f.who...) {
				f.deck = append(f.deck, asker{i, who})
			}
		}
		f.rand.Shuffle(len(f.deck), func(i, j int) { f.deck[i], f.deck[j] = f.deck[j], f.deck[i] })
	}
	next := f.deck[0]
	f.deck = f.deck[1:]
	return f.operations[next.operation], next.who
}

var inPath = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

func (f *fuzz) step() {
	f.clock.advance(500 * time.Millisecond) // nobody asks too often
	o, who := f.draw()
	path := inPath.ReplaceAllStringFunc(o.path, func(name string) string {
		name = strings.Trim(name, "{}")
		list := f.seen[name]
		if first := strings.Split(o.path, "/")[1]; name == "id" {
			list = f.seen[first]
		}
		value := pick(f, "none", "0", "-1", "99999999999999999999", "%20", "a%2Fb", "%F0%9F%92%A5")
		if len(list) > 0 && f.rand.IntN(10) > 0 {
			value = url.PathEscape(pick(f, list...))
		}
		return value
	})
	query := url.Values{}
	for _, p := range o.Parameters {
		if p.Value.In == "query" && f.rand.IntN(3) == 0 {
			if query.Set(p.Value.Name, fmt.Sprint(f.value(p.Value.Name, p.Value.Schema.Value, 0))); f.rand.IntN(4) == 0 {
				query.Set(p.Value.Name, fmt.Sprint(f.junk()))
			}
		}
	}
	body := ""
	if o.RequestBody != nil {
		media := o.RequestBody.Value.Content["application/json"]
		v := f.value("", media.Schema.Value, 0)
		if f.rand.IntN(3) == 0 {
			raw, _ := json.Marshal(media.Example)
			_ = json.Unmarshal(raw, &v) // a copy
		}
		if f.rand.IntN(5) == 0 {
			v = f.spoil(v)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			f.t.Fatal(err)
		}
		if body = string(raw); f.rand.IntN(30) == 0 {
			body = pick(f, "", "{", "[]", "null", `"x"`, body+body, "\xff\xfe", strings.Repeat("[", 20_000))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	f.ask(o, who, path, body)
}

func (f *fuzz) ask(o fuzzed, who, path, body string) {
	req := httptest.NewRequest(o.method, "/api/v1"+path, strings.NewReader(body))
	if token := f.tokens[who]; token != "" {
		req.Header.Set("Authorization", "Bearer "+string(token))
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	answer := httptest.NewRecorder()
	f.web.ServeHTTP(answer, req)
	says := fmt.Sprintf("%s asks %s %s %.500s: %d %.500s", who, o.method, path, body, answer.Code, answer.Body)
	if answer.Code >= 500 {
		f.t.Errorf("%s", says)
		return
	}
	if err := f.isAsDescribed(req, answer.Code, answer.Result().Header, answer.Body.Bytes()); err != nil {
		f.t.Errorf("%s\nis not as described: %.400s", says, err.Error())
	}
	if answer.Code == http.StatusTooManyRequests && answer.Header().Get("Retry-After") == "" {
		f.t.Errorf("%s: nothing says for how long", says)
	}
	if who == "nobody" && answer.Code < 300 && o.method != http.MethodGet {
		f.t.Errorf("%s", says)
	}
	if answer.Code < 300 {
		f.done[o.at]++
		f.carriedOut++
		var v any
		if json.Unmarshal(answer.Body.Bytes(), &v) == nil {
			f.learn(o.path, v)
		}
	}
}
