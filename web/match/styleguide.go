package match

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) styleRoutes() []page.Route {
	return []page.Route{page.Get("/styleguide/:state", s.styledPage, player.Viewer.MayOperate)}
}

// styledMatch is a match in one of the states of its page, with the commands that lead there and the viewer.
type styledMatch struct {
	name string
	you  match.Seat
	acts []styledAct
	ago  time.Duration // since the last act
}

type styledAct struct {
	by      match.Seat // 0: the player to act
	command string     // as in the API; empty: an arbiter voids the match
}

const styledReady = `{"ready":true}`

func bidBy(seat match.Seat, bid string) styledAct { return styledAct{seat, `{"bid":` + bid + `}`} }

func playBy(seat match.Seat, act string) styledAct { return styledAct{seat, `{"act":"` + act + `"}`} }

// styledMatches returns the states of a match: raises on features and row, a toss for white, a raise on time; on the
// board both players pass until a claim is near, or one resigns.
func styledMatches() []styledMatch {
	one, two, next := match.First, match.Second, match.Seat(0)
	ready := []styledAct{{one, styledReady}, {two, styledReady}}
	sealed := []styledAct{{one, `{"ready":true,"sealed":1}`}, {two, `{"ready":true,"sealed":2}`}}
	raised := append(slices.Clip(ready),
		bidBy(one, `{"target":"features","chips":1,"features":{"width":10,"pawnsBack":true,"skipMoves":true}}`),
		bidBy(two, `{"target":"homeRow","chips":2,"row":"KNBDQKDBNR"}`))
	tossed := append(slices.Clip(raised), bidBy(one, `{"target":"white","chips":1}`), bidBy(two, `{"target":"white","chips":1}`))
	board := append(slices.Clip(tossed), bidBy(one, `{"target":"time","chips":2,"minutes":5,"increment":3}`),
		bidBy(two, `{"target":"homeRow","chips":1,"row":"RNBDQKDBNR"}`))
	passed := slices.Clip(board)
	for range 34 {
		passed = append(passed, playBy(next, "--"))
	}
	resigned := append(slices.Clip(board), playBy(two, "resign"))
	drawn := slices.Clip(passed)
	for range 6 {
		drawn = append(drawn, playBy(next, "--"))
	}
	promoting := slices.Clip(board)
	for _, act := range []string{"a2a4", "--", "a4a5", "--", "a5a6", "--", "a6b7", "--"} {
		promoting = append(promoting, playBy(next, act))
	}
	return []styledMatch{
		{"waiting", one, nil, 0}, {"half-ready", one, ready[:1], 0},
		{"sealed", one, sealed[1:], 0}, {"sealed-bids", one, sealed, 10 * time.Second},
		{"bid-mine", one, ready, 10 * time.Second}, {"bid-theirs", two, ready, 10 * time.Second},
		{"raised", one, raised, 5 * time.Second}, {"raised-watched", next, raised, 5 * time.Second},
		{"low-on-time", one, raised, 175 * time.Second},
		{"tossed", one, tossed, 0}, {"board", one, board, 9 * time.Second}, {"board-watched", next, board, 9 * time.Second},
		{"promoting", one, promoting, time.Second}, {"promoting-other", two, promoting, time.Second},
		{"claim-near", one, passed, time.Second}, {"won", one, resigned, 0}, {"lost", two, resigned, 0},
		{"drawn", one, drawn, 0}, {"void", one, append(slices.Clip(board), styledAct{command: ""}), 0},
	}
}

// state plays the commands. It panics if one is refused, as they are all above.
func (m styledMatch) state(now time.Time) (s match.State) {
	o := match.DefaultOptions()
	o.Envelope.Chips, o.Lateness = 4, 10*time.Minute
	o.Envelope.Presets = []bidding.TimeControl{{Minutes: 5, Increment: 3}, {Minutes: 10, Increment: 5}}
	at := now.Add(-m.ago - time.Duration(len(m.acts))*time.Second)
	take := func(events []match.Event) {
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: at, Event: e})
		}
	}
	o.Odds = strings.HasPrefix(m.name, "sealed")
	take(match.Open(o, match.Seed{}))
	for _, act := range m.acts {
		at = at.Add(time.Second)
		if !act.by.Valid() {
			act.by, _ = s.ToAct()
		}
		command, err := match.Command(match.MakeVoid{Warrant: match.Warrant{By: "styleguide", Why: "The light went out"}}), error(nil)
		if act.command != "" {
			command, err = match.ParseCommand(act.by, []byte(act.command))
		}
		if err != nil {
			panic(err)
		}
		events, err := match.Decide(s, command, at)
		if err != nil {
			panic(err)
		}
		take(events)
	}
	return s
}

// StyledStates returns the names of the states in the style guide.
func StyledStates() (names []string) {
	for _, m := range styledMatches() {
		names = append(names, m.name)
	}
	return names
}

// styledPage renders the page of a match in one of its states.
func (s pages) styledPage(c echo.Context) error {
	all := styledMatches()
	i := slices.IndexFunc(all, func(m styledMatch) bool { return m.name == c.Param("state") })
	if i < 0 {
		return echo.ErrNotFound
	}
	now := s.Now()
	frame := scene.MatchFrame{ID: "styleguide", Event: matchview.EventLink{Name: s.Printer(c).T("style.title"), URL: "/styleguide"},
		Players: [2]scene.MatchPlayer{{Name: "Mila", URL: "/players", Rating: "1702", Seen: now},
			{Name: "Ivan", URL: "/players", Rating: "1644?", Bot: true}}}
	v := scene.ViewMatch(s.Printer(c), frame, all[i].state(now), all[i].you, now)
	v.URL, v.Comforts = words.MatchURL("styleguide"), s.Comforts(c)
	sh := s.Shell(c, all[i].name)
	sh.NoIndex, sh.Compact, sh.Wide, sh.Feed = true, true, true, ""
	sh.Styles, sh.Scripts = []string{"board.css", "bidding.css", "match.css", "calls.css"}, []string{"match.js"}
	return s.Render(c, http.StatusOK, matchview.Page(sh, v))
}
