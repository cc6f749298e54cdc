package web_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
)

// happened is a line of an account's stream.
type happened struct {
	ID, Kind  string
	Challenge struct{ ID, Challenger, Status, Why string }
	Match     struct{ ID, You, Result string }
	Notice    struct{ Kind, Text string }
}

// hears opens the stream of a program's account; each call of the result waits for its next event.
func (p program) hears(since string) func() happened { return follows[happened](p, "/me/events"+since) }

// follows opens a stream of lines; each call of the result waits for the next one.
func follows[Line any](p program, address string) func() Line {
	p.site.t.Helper()
	req := p.request(p.site.t.Context(), http.MethodGet, address, "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.site.t.Fatal(err)
	}
	p.site.t.Cleanup(func() { res.Body.Close() })
	if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "application/x-ndjson" {
		p.site.t.Fatalf("%d %s", res.StatusCode, kind)
	}
	lines := bufio.NewScanner(res.Body)
	return func() (e Line) {
		p.site.t.Helper()
		for lines.Scan() {
			if lines.Text() == "" {
				continue
			}
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				p.site.t.Fatalf("%s: %v", lines.Text(), err)
			}
			return e
		}
		p.site.t.Fatalf("the stream has ended: %v", lines.Err())
		return e
	}
}

// kinds are the next n events of a stream, by kind.
func kinds(next func() happened, n int) (list []string) {
	for range n {
		list = append(list, next().Kind)
	}
	return list
}

func TestAnAccountHearsWhatWaitsAndWhatHappensAndResumes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	anna, bohdan := s.account("Anna", player.Plain), s.account("Bohdan", player.Plain)
	one, two := s.program(anna), s.program(bohdan)
	var c struct{ ID, Match string }
	one.ask("POST", "/challenges", `{"to":"Bohdan","lateness":0,"envelope":{"chips":1}}`, http.StatusCreated, &c)
	var open struct{ In, Out []struct{ ID string } }
	two.ask("GET", "/me/challenges", "", http.StatusOK, &open)
	if len(open.In) != 1 || open.In[0].ID != c.ID || len(open.Out) != 0 {
		t.Errorf("open: %+v", open)
	}
	hers, his := one.hears(""), two.hears("")
	first := his()
	if first.Kind != "challenge" || first.Challenge.ID != c.ID || first.Challenge.Challenger != "Anna" || hers().Kind != "challenge" {
		t.Fatalf("what waits: %+v", first)
	}
	two.ask("POST", "/challenges/"+c.ID+"/accept", "", http.StatusOK, &c)
	got := []string{hers().Kind, hers().Kind, hers().Kind}
	if slices.Sort(got); !slices.Equal(got, []string{"challenge-ended", "match", "turn"}) { // all at one moment
		t.Errorf("she hears %v", got)
	}
	if got = kinds(his, 2); slices.Contains(got, "turn") {
		t.Errorf("he hears %v: she bids first", got)
	}
	one.ask("POST", "/matches/"+c.Match+"/commands", `{"bid":{"target":"white","chips":1}}`, http.StatusOK, nil)
	if e := his(); e.Kind != "turn" || e.Match.ID != c.Match || e.Match.You != "B" {
		t.Errorf("his turn: %+v", e)
	}
	two.ask("POST", "/matches/"+c.Match+"/commands", `{"act":"resign"}`, http.StatusOK, nil)
	end := hers()
	if end.Kind != "result" || end.Match.Result != "1-0" || his().Kind != "result" {
		t.Errorf("the end: %+v", end)
	}

	// A program that comes back hears what it has missed, and one that knows all hears only what is new.
	again := two.hears("?since=" + first.ID)
	for want := []string{"challenge-ended", "match", "result"}; len(want) > 0; {
		e := again()
		want = slices.DeleteFunc(want, func(k string) bool { return k == e.Kind })
	}
	s.clock.advance(10 * time.Second)
	late := two.hears("?since=" + end.ID[:strings.Index(end.ID, "-")] + "-result-x")
	one.ask("POST", "/challenges", `{"to":"Bohdan"}`, http.StatusCreated, &c)
	for e := late(); e.Challenge.ID != c.ID; e = late() {
		if e.Kind == "turn" {
			t.Errorf("of a match that is over: %+v", e)
		}
	}
	two.ask("POST", "/challenges/"+c.ID+"/decline", `{"why":"level"}`, http.StatusOK, nil)
	for e := hers(); ; e = hers() {
		if e.Kind == "challenge-ended" && e.Challenge.ID == c.ID {
			if e.Challenge.Status != "declined" || e.Challenge.Why != "level" {
				t.Errorf("declined: %+v", e)
			}
			break
		}
	}
	two.ask("GET", "/me/events?since=yesterday", "", http.StatusUnprocessableEntity, nil)
}

// TestABotIsChallengedWithinTheRulesThatItsMaintainerSets, on the settings page, and is told why it may not challenge.
func TestABotIsChallengedWithinTheRulesThatItsMaintainerSets(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	olena, taras := s.account("Olena", player.Plain), s.account("Taras", player.Plain)
	hers := s.as(olena, lang.English)
	hers.post("/settings/bots", "handle", "herbot").want(http.StatusOK)
	rules := []string{"bot", "herbot", "from", "everyone", "low", "", "high", "", "longest", "0", "at-once", "1"}
	with := func(pairs ...string) []string {
		out := slices.Clone(rules)
		for i := 0; i < len(pairs); i += 2 {
			out[slices.Index(out, pairs[i])+1] = pairs[i+1]
		}
		return out
	}
	wrong := hers.post("/settings/bots/rules", with("low", "1500", "high", "14oo")...)
	wrong.want(http.StatusUnprocessableEntity).says("Ratings are whole numbers").says(`value="14oo"`)
	s.as(taras, lang.English).post("/settings/bots/rules", rules...).want(http.StatusForbidden)

	his, bot := s.program(taras), s.program(s.player("herbot"))
	refused := func(p program, to string) string {
		t.Helper()
		return p.refused("/challenges", `{"to":"`+to+`"}`, http.StatusForbidden)
	}
	hers.post("/settings/bots/rules", with("from", "nobody")...).want(http.StatusOK)
	if code := refused(his, "herbot"); code != "from" {
		t.Errorf("nobody may: %s", code)
	}
	hers.post("/settings/bots/rules", with("low", "1200")...).want(http.StatusOK)
	if code := refused(his, "herbot"); code != "level" {
		t.Errorf("without a rating: %s", code)
	}
	hers.post("/settings/bots/rules", with("longest", "30")...).want(http.StatusOK)
	if code := his.refused("/challenges", `{"to":"herbot","lateness":0}`, http.StatusUnprocessableEntity); code != "long" {
		t.Errorf("for an hour: %s", code)
	}
	hers.post("/settings/bots/rules", rules...).want(http.StatusOK)
	var c struct{ ID, Match string }
	his.ask("POST", "/challenges", `{"to":"herbot"}`, http.StatusCreated, &c)
	bot.ask("POST", "/challenges", `{"to":"Olena"}`, http.StatusCreated, nil)
	if code := bot.refused("/challenges", `{"to":"Olena","rated":true}`, http.StatusUnprocessableEntity); code != "bot-rated" {
		t.Errorf("rated: %s", code)
	}
	bot.ask("POST", "/challenges/"+c.ID+"/accept", "", http.StatusOK, nil)
	if code := s.program(olena).refused("/challenges", `{"to":"herbot"}`, http.StatusConflict); code != "busy" {
		t.Errorf("while it plays: %s", code)
	}
}

// doneTo is a line of a tournament's stream.
type doneTo struct {
	Seq     int64
	By, Act string
	Reason  string
	Changes []struct{ What, Before, After string }
}

func TestProgramsHearWhatIsDoneToATournament(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host, anna := n.program(n.viewer("Olena").Player), n.program(n.players["anna"])
	var made struct{ ID string }
	host.ask("POST", "/tournaments", `{"name":"Cup","format":"swiss","rounds":2,"pace":"manual"}`, http.StatusCreated, &made)
	at := "/tournaments/" + made.ID
	all, now := follows[doneTo](anna, at+"/events?since=0"), follows[doneTo](host, at+"/events")
	begin := all()
	for _, name := range []string{"Guest One", "Guest Two"} {
		host.tells("POST", at+"/entries", `{"name":"`+name+`"}`, http.StatusCreated, "")
	}
	first := now() // nothing of what was before
	if e := all(); e.Act != first.Act || e.Seq != first.Seq || e.By != "Olena" || len(e.Changes) == 0 {
		t.Errorf("anna hears %+v, the host %+v", e, first)
	}
	second := all()
	if again := follows[doneTo](anna, at+"/events?since="+strconv.FormatInt(first.Seq, 10))(); again.Seq != second.Seq {
		t.Errorf("a stream that goes on after %d begins with %+v, not %+v", first.Seq, again, second)
	}
	if second.Seq != first.Seq+1 || begin.Act != "create" {
		t.Errorf("it begins with %+v, and the second guest is %+v", begin, second)
	}
	host.tells("POST", at+"/steps", `{"step":"hide","reason":"Too early"}`, http.StatusNoContent, "")
	anna.tells("GET", at+"/events", "", http.StatusNotFound, "")
	anna.tells("GET", at+"/events?since=x", "", http.StatusBadRequest, "")
}
