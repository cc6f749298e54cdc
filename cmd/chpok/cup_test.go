package main

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"chpok.org/chpok/store/storetest"
)

// cup is an event whose players act through the pages.
type cup struct {
	t       *testing.T
	dsn     string
	api     *client
	host    *person
	players map[string]*person
	id      string
}

// newCup has players p01, p02 … whose names are their seeds.
func newCup(t *testing.T, n int) *cup {
	t.Helper()
	c := &cup{t: t, dsn: storetest.SQLiteDSN(t), players: map[string]*person{}}
	c.api = newPlayer(t, c.dsn, "host", "organizer")
	for i := range n {
		chpok(t, "player", "add", fmt.Sprintf("p%02d", i+1), "--role", "player", "--database-url", c.dsn)
	}
	c.api.base = startNode(t, c.dsn, "--trusted-proxies", "127.0.0.0/8").base
	c.host = newPerson(t, c.dsn, "host", c.api.base)
	for i := range n {
		name := fmt.Sprintf("p%02d", i+1)
		c.players[name] = newPersonFrom(t, c.dsn, name, c.api.base, fmt.Sprintf("10.0.0.%d", i+1))
	}
	return c
}

// start makes an event of short matches for everybody and starts it.
func (c *cup) start(settings map[string]any) {
	c.t.Helper()
	settings["pace"], settings["lateness"] = "manual", 300_000
	settings["envelope"] = map[string]any{"chips": 2, "moveLimit": []int{10, 10}, "defaults": map[string]any{"moveLimit": 10, "skipMoves": true},
		"presets": []any{map[string]int{"minutes": 10, "increment": 5}}}
	var made struct{ ID string }
	c.api.must("POST", "/tournaments", settings, &made)
	c.id = made.ID
	for name := range c.players {
		c.api.must("POST", "/tournaments/"+c.id+"/entries", map[string]any{"player": name}, nil)
	}
	c.host.send(c.at("/desk"), c.at("/start"))
}

func (c *cup) at(page string) string { return "/tournaments/" + c.id + page }

func (c *cup) view() (v tournamentView) {
	c.t.Helper()
	c.api.must("GET", "/tournaments/"+c.id, nil, &v)
	return v
}

// open pairs the next round; its boards are as wanted: "p05-p12", the better seed first.
func (c *cup) open(want ...string) {
	c.t.Helper()
	c.host.send(c.at("/desk"), c.at("/rounds"))
	rounds := c.view().Rounds
	var got []string
	for _, p := range rounds[len(rounds)-1].Pairings {
		got = append(got, min(p.First, p.Second)+"-"+max(p.First, p.Second))
	}
	if len(want) > 0 && !slices.Equal(got, want) {
		c.t.Fatalf("round %d: boards %v, want %v", len(rounds), got, want)
	}
}

// play plays the open round, its boards at once: on each the first of winners who sits
// there wins; nobody: a draw. sealed are bids for draw odds, by name.
func (c *cup) play(sealed map[string]string, winners ...string) {
	c.t.Helper()
	rounds := c.view().Rounds
	var group sync.WaitGroup
	for _, p := range rounds[len(rounds)-1].Pairings {
		if p.Result != nil {
			continue
		}
		loser := ""
		if i := slices.IndexFunc(winners, func(w string) bool { return w == p.First || w == p.Second }); i >= 0 {
			loser = map[string]string{p.First: p.Second, p.Second: p.First}[winners[i]]
		}
		group.Go(func() { c.match(*p.Match, sealed, loser, p.First, p.Second) })
	}
	group.Wait()
}

// match plays one match: the loser resigns as soon as it has begun, or else both bid
// for White and pass until the last move.
func (c *cup) match(id string, sealed map[string]string, loser string, names ...string) {
	page := "/matches/" + id
	send := func(name string, pairs ...string) { c.players[name].send(page, page+"/commands", pairs...) }
	for _, name := range names {
		if bid, asked := sealed[name]; asked {
			send(name, "ready", "true", "sealed", bid)
			continue
		}
		send(name, "ready", "true")
	}
	if loser != "" {
		send(loser, "act", "resign")
		return
	}
	for {
		m := c.api.match(id)
		if m.Status == "over" {
			return
		}
		name := names[strings.Index("AB", *m.State.Turn)]
		if m.State.Phase != "bidding" {
			send(name, "act", "--")
			continue
		}
		m.You = m.State.Turn
		bid := c.api.bid(m)
		send(name, "target", fmt.Sprint(bid["target"]), "chips", fmt.Sprint(bid["chips"]))
	}
}

// says tells whether a page says something.
func (c *cup) says(who *person, page, want string) {
	c.t.Helper()
	if said := textOf(who.open(page).root); !strings.Contains(said, want) {
		c.t.Errorf("%s does not say %q: %s", page, want, strings.Join(strings.Fields(said), " "))
	}
}

// checks compares the log with its table and with the database.
func (c *cup) checks(rounds, players int) {
	c.t.Helper()
	want := fmt.Sprintf("%d rounds, %d players: 0 differences", rounds, players)
	log, sheet := download(c.t, c.api, c.at("/log.jsonl")), download(c.t, c.api, c.at("/standings.csv"))
	if out := chpok(c.t, "check", log, "--standings", sheet); !strings.HasSuffix(out, want) {
		c.t.Errorf("check of the log says: %s", out)
	}
	if out := chpok(c.t, "check", "--tournament", c.id, "--database-url", c.dsn); !strings.HasSuffix(out, want) {
		c.t.Errorf("check of the database says: %s", out)
	}
}

// places are the names down the table.
func (c *cup) places() (list []string) {
	for _, line := range c.view().Standings {
		list = append(list, fmt.Sprint(line.Rank, " ", line.Player))
	}
	return list
}

// TestACupOfTwelveIsPlayedThroughItsPages: p01 to p04 have byes. p06 and p11 draw; in
// the match that decides p11 bids a chip for draw odds, p06 none, and p11 goes on with
// another draw. p02 leaves before the quarter-finals. p01 wins a semi-final against
// p05; with the final open it turns out that p05 has won it, and the final is another.
func TestACupOfTwelveIsPlayedThroughItsPages(t *testing.T) {
	t.Parallel()
	c := newCup(t, 12)
	c.start(map[string]any{"name": "Cup", "format": "knock-out", "tie": []string{"decider"}, "losers": "third"})
	c.open("p08-p09", "p05-p12", "p07-p10", "p06-p11")
	c.play(nil, "p09", "p05", "p07")
	c.says(c.host, c.at("/bracket"), "level, sealed bids")
	c.open("p06-p11")
	tie := "/matches/" + *c.view().Rounds[1].Pairings[0].Match
	c.says(c.players["p06"], tie, "Sealed bids for draw odds")
	c.says(c.players["p06"], c.at(""), "name yours at the board")
	c.play(map[string]string{"p06": "0", "p11": "1"})
	c.says(c.players["p06"], tie, "p11 goes through with draw odds")
	c.says(c.host, c.at("/bracket"), "after sealed bids")
	c.players["p02"].send(c.at(""), c.at("/withdraw"))
	c.open("p01-p09", "p04-p05", "p02-p07", "p03-p11")
	c.play(nil, "p01", "p05", "p11")
	quarter := c.view().Rounds[2].Pairings[1]
	won := "1-0"
	if quarter.First == "p05" {
		won = "0-1"
	}
	c.host.send(c.at("/desk"), c.at("/pairings"))
	c.says(c.host, c.at("/rounds/3/boards/2?result="+won), "The draft of round 4 is paired again")
	c.host.send(c.at("/pairings"), c.at("/pairings/edit/discard"))
	c.open("p01-p05", "p07-p11")
	c.play(nil, "p01", "p07")
	c.open("p01-p07", "p05-p11")
	semi := c.view().Rounds[3].Pairings[0]
	won = "1-0"
	if semi.First == "p01" {
		won = "0-1"
	}
	correction := c.at(fmt.Sprintf("/rounds/4/boards/%d", semi.Board))
	c.says(c.host, correction+"?result="+won, "Someone else goes through")
	preview := c.host.open(correction + "?result=" + won)
	_, after, _ := strings.Cut(preview.body, `action="`+correction+"?")
	query, _, _ := strings.Cut(after, `"`)
	c.host.sendFrom(preview, correction+"?"+html.UnescapeString(query), "reason", "Entered the wrong way round")
	c.open("p05-p07", "p01-p11")
	c.play(nil, "p05", "p01")
	want := []string{"1 p05", "2 p07", "3 p01", "4 p11", "5 p02", "5 p03", "5 p04", "5 p09", "9 p06", "9 p08", "9 p10", "9 p12"}
	if got := c.places(); !slices.Equal(got, want) {
		t.Errorf("places %v, want %v", got, want)
	}
	c.checks(5, 12)
}

// TestASwissOfTwentyFourLeadsIntoAFinalOfEight: the better seed wins every match of four
// rounds. Its first eight play a knock-out, seeded by their places, which the
// favorites win.
func TestASwissOfTwentyFourLeadsIntoAFinalOfEight(t *testing.T) {
	t.Parallel()
	c := newCup(t, 24)
	c.start(map[string]any{"name": "Open", "format": "swiss", "rounds": 4})
	var favorites []string
	for i := range 24 {
		favorites = append(favorites, fmt.Sprintf("p%02d", i+1))
	}
	for range 4 {
		c.open()
		c.play(nil, favorites...)
	}
	c.checks(4, 24)
	table := c.places()
	made := c.host.send(c.at("/next"), c.at("/next"), "name", "Final", "format", "knock-out", "each", "8")
	swiss := c.id
	c.id = strings.Split(made.path, "/")[2]
	var final struct{ Qualified []struct{ Player string } }
	c.api.must("GET", "/tournaments/"+c.id, nil, &final)
	var seeds []string
	for _, q := range final.Qualified {
		if seeds = append(seeds, q.Player); !slices.ContainsFunc(table[:8], func(line string) bool { return strings.HasSuffix(line, " "+q.Player) }) {
			t.Errorf("%s has qualified of %v", q.Player, table)
		}
	}
	c.says(c.host, c.at("/origin"), seeds[7])
	c.host.send(c.at("/desk"), c.at("/start"))
	pair := func(a, b int) string { return min(seeds[a-1], seeds[b-1]) + "-" + max(seeds[a-1], seeds[b-1]) }
	for _, round := range [][]string{{pair(1, 8), pair(4, 5), pair(2, 7), pair(3, 6)}, {pair(1, 4), pair(2, 3)}, {pair(1, 2), pair(3, 4)}} {
		c.open(round...)
		c.play(nil, seeds...)
	}
	for i, place := range c.places()[:4] {
		if want := fmt.Sprint(i+1, " ", seeds[i]); place != want {
			t.Errorf("place %s, want %s", place, want)
		}
	}
	c.checks(3, 8)
	c.id = swiss
	c.checks(4, 24)
}

// TestABracketIsAPictureThatLives: a visitor sees the boxes of a cup of four on a phone.
// A result comes in and the final has its player; all of it fits the screen when they
// ask for that, also after the next result.
func TestABracketIsAPictureThatLives(t *testing.T) {
	t.Parallel()
	window := browser(t)
	c := newCup(t, 4)
	c.start(map[string]any{"name": "Cup", "format": "knock-out", "tie": []string{"decider"}, "losers": "third"})
	c.open("p01-p04", "p02-p03")
	v := visit(t, window, c.api.base, 390, 844)
	v.open(c.at("/bracket"))
	v.waitFor("#stage-1-1 .contest.live[aria-label*='p01']")
	if n := eval[int](v, "document.querySelectorAll('.bracket-tree .contest').length"); n != 4 {
		t.Errorf("%d boxes, want two semi-finals, the final and the match for third place", n)
	}
	c.play(nil, "p01", "p02")
	v.waitFor("#stage-1-2 .contest[aria-label*='1 p01'][aria-label*='2 p02']")
	v.waitFor("#stage-1-1 .won")
	fits := "(() => { const t = document.querySelector('.bracket-tree').getBoundingClientRect(); return t.right <= innerWidth && t.height <= innerHeight })()"
	if eval[bool](v, fits) {
		t.Error("at its own size it fits a phone: nothing is left to try")
	}
	v.click("[data-zoom=all]")
	if !eval[bool](v, fits) {
		t.Error("shown as a whole it does not fit")
	}
	c.open("p01-p02", "p03-p04")
	v.waitFor("#stage-1-2 .contest.live")
	if !eval[bool](v, fits) {
		t.Error("the next picture has another size")
	}
	v.open(c.at("/bracket.svg"))
	if shown := eval[string](v, "document.documentElement.textContent"); !strings.Contains(shown, "Cup") || !strings.Contains(shown, "p04") {
		t.Errorf("the file shows %q", shown)
	}
}

// TestABracketIsPrintedOnOneSheet: of sixteen, also of two defeats, on A4, of sixty-four on a
// larger one, nothing of them on a second page.
func TestABracketIsPrintedOnOneSheet(t *testing.T) {
	t.Parallel()
	window := browser(t)
	c := newCup(t, 0)
	v := visit(t, window, c.api.base, 1366, 768)
	for _, cup := range []struct {
		players       int
		losers, sheet string // in points
	}{{16, "third", "[0 0 841 594]"}, {64, "third", "[0 0 841 1191]"}, {16, "double", "[0 0 841 594]"}} {
		var made struct{ ID string }
		c.api.must("POST", "/tournaments", map[string]any{"name": "Cup", "format": "knock-out", "tie": []string{"seed"}, "losers": cup.losers}, &made)
		c.id = made.ID
		var names []string
		for i := range cup.players {
			names = append(names, fmt.Sprint("Guest ", i+1))
		}
		c.api.must("POST", c.at("/lists"), map[string]any{"list": strings.Join(names, "\n")}, nil)
		c.host.send(c.at("/desk"), c.at("/start"))
		v.open(c.at("/bracket"))
		pdf, err := chromedp.Run(v.ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
		if err != nil {
			t.Fatal(err)
		}
		pages := regexp.MustCompile(`/Type /Page\s`).FindAll(pdf, -1)
		sheet := regexp.MustCompile(`/MediaBox (\[[^]]*\])`).FindStringSubmatch(string(pdf))
		if whole := regexp.MustCompile(`\.\d+`).ReplaceAllString(strings.Join(sheet, " "), ""); len(pages) != 1 || !strings.HasSuffix(whole, cup.sheet) {
			t.Errorf("%d players, %s: %d pages of %q, want one of %s", cup.players, cup.losers, len(pages), whole, cup.sheet)
		}
	}
}
