package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// guests makes a knock-out of so many guests.
func (c *cup) guests(n int, settings map[string]any) {
	c.t.Helper()
	settings["format"], settings["pace"] = "knock-out", "manual"
	var made struct{ ID string }
	c.api.must("POST", "/tournaments", settings, &made)
	c.id = made.ID
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("Мілана Савченко-Гнатюк ", i+1))
	}
	if n == 0 {
		return
	}
	c.api.must("POST", c.at("/lists"), map[string]any{"list": strings.Join(names, "\n")}, nil)
}

// TestThePagesOfCupsFitEveryLook: the room in which two bid for draw odds, brackets of every
// kind, groups, who qualified, and the draw, by the rules of all pages. A bracket of 128 is
// made smaller and larger, and as narrow as can still be read.
func TestThePagesOfCupsFitEveryLook(t *testing.T) {
	t.Parallel()
	window := browser(t)
	c := newCup(t, 2)
	c.guests(0, map[string]any{"name": "Cup", "tie": []string{"decider"}})
	for _, name := range []string{"p01", "p02"} {
		c.api.must("POST", c.at("/entries"), map[string]any{"player": name}, nil)
	}
	c.host.send(c.at("/desk"), c.at("/start"))
	c.open("p01-p02")
	c.api.must("POST", "/matches/"+*c.view().Rounds[0].Pairings[0].Match+"/rulings",
		map[string]any{"act": "declare", "result": "1/2-1/2", "why": "The hall closes"}, nil)
	c.open("p01-p02")
	room := "/matches/" + *c.view().Rounds[1].Pairings[0].Match
	pages := map[string]string{"room": room, "own": c.at(""), "tie": c.at("/bracket")}
	for _, losers := range []string{"third", "consolation", "places", "double-reset"} {
		c.guests(16, map[string]any{"name": "Cup: " + losers, "losers": losers, "numbering": "pots"})
		c.host.send(c.at("/desk"), c.at("/start"))
		c.host.send(c.at("/desk"), c.at("/rounds"))
		pages[losers] = c.at("/bracket")
	}
	pages["draw"], pages["files"] = c.at("/draw"), c.at("/files")
	c.guests(12, map[string]any{"name": "Cup of groups", "losers": "third"})
	c.api.must("POST", c.at("/groups"), map[string]any{"groups": 3, "each": 2, "pots": true}, nil)
	pages["groups"] = c.at("/origin")
	c.guests(128, map[string]any{"name": "Cup of 128", "losers": "third"})
	c.host.send(c.at("/desk"), c.at("/start"))
	large := c.at("/bracket")

	v := visit(t, window, c.api.base, 390, 844)
	v.signIn(c.dsn, "p01")
	for _, l := range looks() {
		v.wear(l)
		for name, page := range pages {
			v.open(page)
			v.checkPage(name + " " + l.String())
		}
		v.open(room)
		row := eval[float64](v, `(() => { const all = [...document.querySelectorAll(".sealed label")].map(e => e.getBoundingClientRect()); return all.at(-1).top - all[0].top })()`)
		if bids := eval[int](v, `document.querySelectorAll(".sealed label").length`); row != 0 || bids != 7 {
			t.Errorf("%s: %d bids stand in more than one row, or not none to six", l, bids)
		}
		v.open(large)
		v.checkPage("128 " + l.String())
		width := func() float64 {
			return eval[float64](v, `document.querySelector(".bracket-tree").getBoundingClientRect().width`)
		}
		letters := func() float64 { return eval[float64](v, bracketLetters) }
		own, boxes := width(), eval[int](v, `document.querySelectorAll(".bracket-tree .contest").length`)
		v.click("[data-zoom=in]")
		larger := width()
		v.click("[data-zoom=all]")
		narrow := width()
		v.click("[data-zoom=out]")
		if smaller := width(); boxes != 128 || larger <= own || narrow >= larger || smaller >= narrow {
			t.Errorf("%s: %d boxes, %.0f px wide, larger %.0f, narrow %.0f, smaller %.0f", l, boxes, own, larger, narrow, smaller)
		}
		if v.click("[data-zoom=all]"); letters() < 5 {
			t.Errorf("%s: as narrow as the page its letters have %.1f px", l, letters())
		}
	}
}

// TestAVenueSeesTheBracket: a screen that shows standings shows every tree of a cup whole;
// of a large one everybody who plays now, in parts, and later the rounds that fit.
func TestAVenueSeesTheBracket(t *testing.T) {
	t.Parallel()
	window := lookingBrowser(t)
	c := newCup(t, 0)
	for _, cup := range []struct {
		players          int
		losers, pictures string
	}{
		{8, "consolation", "bracket-1 7, bracket-2 3"},
		{16, "double", "bracket-1 16, bracket-2 14"},
		{64, "third", "bracket-1-A 15, bracket-1-B 15, bracket-1-C 15, bracket-1-D 15"},
	} {
		c.guests(cup.players, map[string]any{"name": "Cup", "losers": cup.losers, "tie": []string{"seed"}})
		c.host.send(c.at("/desk"), c.at("/start"))
		c.host.send(c.at("/desk"), c.at("/rounds"))
		wall := visit(t, window, c.api.base, 1280, 720)
		wall.turnPages(screenOn(c.host.send(c.at("/screens"), c.at("/screens"), "name", "Hall", "seconds", "600", "shows", "standings")),
			fmt.Sprint("cup-", cup.players))
		var pictures []string
		seeds := map[string]bool{}
		for range strings.Count(cup.pictures, ",") + 1 {
			pictures = append(pictures, eval[string](wall, `document.querySelector(".picture.on").id.slice(8) + " " + document.querySelectorAll(".picture.on .contest").length`))
			for seed := range strings.FieldsSeq(eval[string](wall, `[...document.querySelectorAll(".picture.on .contest .seed")].map(e => e.textContent).join(" ")`)) {
				seeds[seed] = true
			}
			if small := eval[float64](wall, bracketLetters+" / innerHeight"); small < 0.012 {
				t.Errorf("%s of %d: letters of %.1f %% of the wall", pictures, cup.players, 100*small)
			}
			wall.keys(kb.ArrowRight)
		}
		if got := strings.Join(pictures, ", "); got != cup.pictures || len(seeds) != cup.players {
			t.Errorf("%d players: %s and %d seeds, want %s", cup.players, got, len(seeds), cup.pictures)
		}
	}
}

// bracketLetters is the height of the smallest letters in the boxes that are shown.
const bracketLetters = `Math.min(...[...document.querySelectorAll(".contest text")].map(e => [e.getScreenCTM(), parseFloat(getComputedStyle(e).fontSize)]).filter(e => e[0].a).map(e => e[0].a * e[1]))`
