package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/ops/site"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/web"
)

// week is a site whose clock stands until the test sets it forward; its jobs run then.
type week struct {
	t    *testing.T
	site *site.Site
	base string
	zone *time.Location
	mila *visitor
	me   *client // Mila by the API

	mu  sync.Mutex
	now time.Time // each request takes a quarter of a second, so that nobody is too quick
}

func (w *week) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// at sets the clock to a time of one of the seven days; what is due by then happens.
func (w *week) at(day, hour, minute int) {
	w.t.Helper()
	w.mu.Lock()
	w.now = time.Date(2031, time.March, 2+day, hour, minute, 0, 0, w.zone)
	w.mu.Unlock()
	for range 2 { // what one does, the next may see
		for _, do := range []func() error{
			func() error { return w.site.Live.SweepDue(w.t.Context()) },
			func() error { return w.site.Arbiter.Sweep(w.t.Context()) },
			func() error { return w.site.Arbiter.Ladders.Sweep(w.t.Context()) },
			func() error { return w.site.Arbiter.Ratings.Sweep(w.t.Context()) },
			func() error { return w.site.Arbiter.Remind(w.t.Context()) },
		} {
			if err := do(); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// home opens Mila's first page, which has to say one thing and not another, and photographs it in every look.
func (w *week) home(name string, says, saysNot []string) {
	w.t.Helper()
	w.mila.dress(look{390, 844, "en", "light"})
	w.mila.open("/")
	w.mila.waitFor("#home-next")
	// Boards that are not drawn yet have no inner text.
	all := eval[string](w.mila, `document.querySelector("main").textContent.replace(/\s+/g, " ")`)
	for _, s := range says {
		if !strings.Contains(all, s) {
			w.t.Errorf("%s: the home does not say %q:\n%s", name, s, all)
		}
	}
	for _, s := range saysNot {
		if strings.Contains(all, s) {
			w.t.Errorf("%s: the home says %q:\n%s", name, s, all)
		}
	}
	w.mila.showsInEvery(walkLooks(), "/", func(l look) {
		w.mila.waitFor("#home-next")
		w.mila.checkPage(fmt.Sprintf("%s (%s)", name, l))
		w.mila.wholePage(name + "-" + l.String())
	})
}

// solve answers the puzzle of the day.
func (w *week) solve() {
	w.t.Helper()
	var p struct{ ID, Status string }
	w.me.must("GET", "/puzzles/daily", nil, &p)
	list := puzzle.House()
	at := slices.IndexFunc(list, func(x puzzle.Puzzle) bool { return x.ID() == p.ID })
	if at < 0 {
		w.t.Fatalf("%s is none of the puzzles that every site has", p.ID)
	}
	x := list[at]
	try := map[string]any{}
	if x.Table != nil {
		best := 0
		for i, c := range x.Table.Choices {
			if c.Worth > x.Table.Choices[best].Worth {
				best = i
			}
		}
		try["raise"] = best
	} else {
		var acts []string
		for i := 0; i < len(x.Answer); i += 2 {
			acts = append(acts, x.Answer[i].String())
		}
		try["acts"] = acts
	}
	if w.me.must("POST", "/puzzles/"+p.ID+"/tries", try, &p); p.Status != "solved" {
		w.t.Fatalf("the puzzle of the day is %s", p.Status)
	}
}

// wins plays a match in which Mila takes a king with White.
func (w *week) wins(id string, against *client) {
	w.t.Helper()
	for _, c := range []*client{w.me, against} {
		if c.match(id).Status == "waiting" {
			_, _ = c.send(id, c.match(id).Seq, map[string]any{"ready": true}) // the last one begins it
		}
	}
	for w.me.match(id).State.Phase == "bidding" {
		for _, c := range []*client{w.me, against} {
			m := c.match(id)
			if m.State.Phase != "bidding" || !m.mine() {
				continue
			}
			bid := map[string]any{"target": "time", "chips": 1, "minutes": 10, "increment": 0}
			if c == w.me {
				bid = map[string]any{"target": "white", "chips": m.State.Chips[*m.You]}
			} else if m.State.Stakes["time"][0]+m.State.Stakes["time"][1] > 0 {
				bid = map[string]any{"target": "features", "chips": 1, "features": map[string]any{}}
			}
			c.sends(id, map[string]any{"bid": bid})
		}
	}
	for i, act := range []string{"e2e4", "e7e5", "d1h5", "d7d6", "h5f7", "a7a6", "f7e8"} {
		[]*client{w.me, against}[i%2].sends(id, map[string]any{"act": act})
	}
}

// TestAPlayersFirstSevenDays lives the first week of somebody who signs up: what their home says each day, and that it
// stops saying so. make week takes the pictures.
func TestAPlayersFirstSevenDays(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	dsn := storetest.SQLiteDSN(t)
	w := &week{t: t, zone: zone, now: time.Date(2031, time.March, 3, 18, 0, 0, 0, zone)}
	w.site, err = site.Open(t.Context(), site.Config{Database: site.Database{URL: dsn}, EngineShare: 50},
		site.Options{FastDisk: true, Now: w.clock}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	pages := w.site.Pages(w.site.Live.Now, web.Config{InstantLinks: true, Zone: "Europe/Kyiv"})
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.now = w.now.Add(250 * time.Millisecond)
		w.mu.Unlock()
		pages.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() {
		_ = pages.CloseStreams(t.Context())
		server.Close()
		_ = w.site.Close()
	})
	w.base = server.URL
	boss, ivan := newPlayer(t, dsn, "Olena", "operator"), newPlayer(t, dsn, "Ivan", "player")
	boss.base, ivan.base = w.base, w.base
	w.mila = visit(t, lookingBrowser(t), w.base, 390, 844)

	w.monday(dsn)
	w.tuesday()
	w.wednesday(ivan)
	w.thursday(boss, ivan)
	w.friday(boss, ivan)
	w.saturday()
	w.sunday()
}

func (w *week) monday(dsn string) {
	w.mila.open("/sign-up")
	w.mila.fill("#handle", "Mila")
	w.mila.fill("#password", "correct horse staple")
	w.mila.click("main form button")
	w.mila.settles("/")
	w.me = &client{t: w.t, base: w.base, token: chpok(w.t, "token", "add", "Mila", "--database-url", dsn), name: "Mila"}
	w.home("1-monday", []string{"Ready for your first match?", "Puzzle of the day", "Lesson 1 of 7", "Not rated yet"}, []string{"in a row", "Last matches"})
	w.solve()
	w.home("1-monday-solved", []string{"1 day"}, nil)
}

func (w *week) tuesday() {
	w.at(2, 8, 0)
	w.home("2-tuesday", []string{"1 day"}, []string{"Solved"})
	w.solve()
	w.home("2-tuesday-solved", []string{"2 days in a row", "Solved"}, nil)
}

func (w *week) wednesday(ivan *client) {
	w.at(3, 19, 0)
	w.solve()
	var x struct{ ID, Match string }
	ivan.must("POST", "/challenges", map[string]any{"to": "Mila", "rated": true, "envelope": map[string]any{"chips": 6}}, &x)
	w.home("3-wednesday", []string{"Ivan challenges you", "3 days in a row"}, []string{"Last matches"})
	w.me.must("POST", "/challenges/"+x.ID+"/accept", nil, &x)
	w.home("3-wednesday-open", []string{"My matches", "Ivan"}, []string{"challenges you"})
	w.wins(x.Match, ivan)
	w.home("3-wednesday-won", []string{"Ivan", "3 days in a row", "+20 this week"}, []string{"challenges you", "has accepted", "Ready for your first match?"})
}

func (w *week) thursday(boss, ivan *client) {
	w.at(4, 8, 0)
	var club struct{ ID string }
	boss.must("POST", "/clubs", map[string]any{"name": "Dragon Club"}, &club)
	var cup struct{ ID string }
	boss.must("POST", "/tournaments", map[string]any{"name": "Thursday chpok", "format": "swiss", "rounds": 1, "clubId": club.ID, "pace": "auto",
		"lateness": 300_000, "envelope": map[string]any{"chips": 6}}, &cup)
	var series struct {
		ID    string
		Dates []struct {
			Day, Status string
			Tournament  *string
		}
	}
	boss.must("POST", "/clubs/"+club.ID+"/series", map[string]any{"name": "Thursday chpok", "weekdays": []string{"thu"}, "time": "19:00",
		"zone": "Europe/Kyiv", "event": cup.ID, "lead": 604800000, "selfStart": true}, &series)
	for _, c := range []*client{w.me, ivan} {
		c.must("POST", "/clubs/"+club.ID+"/join", nil, nil)
	}
	w.home("4-thursday", []string{"Thursday chpok", "19:00"}, nil)
	evening := *series.Dates[0].Tournament
	for _, c := range []*client{w.me, ivan} {
		c.must("POST", "/tournaments/"+evening+"/entries", nil, nil)
	}
	w.at(4, 18, 30)
	w.solve()
	w.home("4-thursday-entered", []string{"Thursday chpok", "4 days in a row"}, nil)
	w.at(4, 19, 0)
	w.at(4, 19, 1)
	var view tournamentView
	w.me.must("GET", "/tournaments/"+evening, nil, &view)
	if len(view.Rounds) == 0 || view.Rounds[0].Pairings[0].Match == nil {
		raw, _ := json.Marshal(view)
		w.t.Fatalf("the evening has not begun: %s", raw)
	}
	w.home("4-thursday-open", []string{"Thursday chpok"}, nil)
	w.wins(*view.Rounds[0].Pairings[0].Match, ivan)
	w.at(4, 19, 30)
	w.home("4-thursday-over", []string{"Thursday chpok"}, []string{"has opened"})
}

func (w *week) friday(boss, ivan *client) {
	w.at(5, 12, 0)
	w.solve()
	var ladder struct{ ID string }
	boss.must("POST", "/ladders", map[string]any{"name": "Dragon ladder"}, &ladder)
	for _, handle := range []string{"Mila", "Ivan"} {
		boss.must("POST", "/ladders/"+ladder.ID+"/players", map[string]any{"player": handle}, nil)
	}
	ivan.must("POST", "/ladders/"+ladder.ID+"/challenges", map[string]any{"player": "Mila"}, nil)
	w.home("5-friday", []string{"Ivan challenges you on the ladder", "5 days in a row"}, nil)
	w.me.must("POST", "/ladders/"+ladder.ID+"/challenges/1", map[string]any{"do": "accept"}, nil)
	w.home("5-friday-accepted", []string{"Your challenges on ladders", "agreeing on a time"}, []string{"challenges you on the ladder"})
	w.me.must("POST", "/ladders/"+ladder.ID+"/challenges/1", map[string]any{"do": "drop", "cost": "place"}, nil)
	w.home("5-friday-over", nil, []string{"challenges you on the ladder"})
}

func (w *week) saturday() {
	w.at(6, 20, 0)
	w.home("6-saturday", []string{"5 days in a row", "Thursday chpok"}, []string{"Solved"})
}

func (w *week) sunday() {
	w.at(7, 20, 0)
	w.home("7-sunday", []string{"1538? +38 this week", "Coming up", "Thursday chpok"}, []string{"in a row", "Solved", "Waiting for you"})
}
