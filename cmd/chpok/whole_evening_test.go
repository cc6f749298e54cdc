package main

import (
	"archive/zip"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"chpok.org/chpok/live/livetest"
	"chpok.org/chpok/store/storetest"
)

// The two tests of a club's evening hold an event of 24 players and 5 rounds, with what
// happens on such evenings, and wait for more than others do. Of tests in parallel, those
// of the last file begin first: here they keep nobody waiting.

// TestAClubEvening is held on one node that is killed and started again. At its end every
// figure of the table is the one that follows from the log, and from what the players saw.
func TestAClubEvening(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	start := func() *node { return startNode(t, dsn) }
	only := start()
	e := newEvening(t, dsn, start, only, only)
	e.desk = newPerson(t, dsn, "olena", only.base)
	e.staff = atPages{e}
	e.hold()
}

// TestAClubEveningOnTwoNodes is the same on two nodes of which one dies, and by programs alone: nobody opens a page.
func TestAClubEveningOnTwoNodes(t *testing.T) {
	t.Parallel()
	dsn := storetest.PostgresDSN(t)
	bus := livetest.Bus(t)
	start := func() *node { return startNode(t, dsn, "--nats-url", bus) }
	e := newEvening(t, dsn, start, start(), start())
	e.staff = byProgram{e}
	e.hold()
}

func (e *evening) hold() {
	e.t.Helper()
	e.prepare()
	e.enter()
	e.firstRound()
	e.secondRound()
	e.thirdRound()
	e.fourthRound()
	e.lastRound()
	e.compare()
	e.carryOver()
}

const (
	absent   = 3 // the board of round 1 to which its first player does not come
	deserted = 5 // the board of round 1 to which nobody comes
	misheard = 2 // the board of round 2 of which the arbiter declares the wrong winner
	disputed = 1 // the board of round 3 where the arbiter stops the clocks
	halfBye  = "player05"
	leaver   = "player07"
	late     = "player24"
)

func newEvening(t *testing.T, dsn string, start func() *node, one, two *node) *evening {
	t.Helper()
	e := &evening{t: t, dsn: dsn, start: start, one: one, two: two, alone: one == two, players: map[string]*client{}, half: map[string]int{}, played: map[string]int{}}
	e.boss = newPlayer(t, dsn, "olena", "organizer")
	for i := range 24 {
		name := fmt.Sprintf("player%02d", i+1)
		e.players[name] = newPlayer(t, dsn, name, "player")
	}
	e.spread()
	return e
}

// prepare makes the event: three answers, and all that is different this evening.
// Two hundred requests come in at once when a round opens: the lateness is short for
// an evening and long for a busy machine.
func (e *evening) prepare() {
	e.t.Helper()
	e.id = e.staff.propose()
	e.path = "/tournaments/" + e.id
}

// enter: eighteen enter themselves, staff paste five; all check in after the
// start, one of them at the desk.
func (e *evening) enter() {
	e.t.Helper()
	list := "handle;club\n"
	for i := range 23 {
		name := fmt.Sprintf("player%02d", i+1)
		if i < 18 {
			e.players[name].must("POST", "/tournaments/"+e.id+"/entries", nil, nil)
			continue
		}
		list += name + ";North\n"
	}
	e.staff.enter(list)
	if n := len(e.view().Entries); n != 23 {
		e.t.Fatalf("%d entries", n)
	}
	e.staff.start()
	for _, name := range e.names()[:22] {
		e.players[name].must("POST", "/tournaments/"+e.id+"/check-in", nil, nil)
	}
	e.staff.checkIn(e.entryOf("player23"))
}

// firstRound goes from a draft over a look at it to the open round; one player
// does not come to their board, and to another nobody does.
func (e *evening) firstRound() {
	e.t.Helper()
	e.staff.draft()
	if n := len(e.view().Rounds); n != 0 {
		e.t.Fatalf("a draft shows as %d rounds", n)
	}
	e.staff.publish()
	r := e.opened(1, 11, 1)
	missing := r.Pairings[absent-1].First
	present := r.Pairings[absent-1].Second
	for _, p := range r.Pairings {
		switch p.Board {
		case absent:
			e.act(present, *p.Match, map[string]any{"ready": true})
		case deserted:
		default:
			e.ready(p)
		}
	}
	e.playAll(r, absent, deserted)
	r = e.over(1)
	if got := r.Pairings[absent-1]; *got.Result != "-/+" {
		e.t.Errorf("%s did not come: %s", missing, *got.Result)
	}
	if got := r.Pairings[deserted-1]; *got.Result != "-/-" {
		e.t.Errorf("nobody came: %s", *got.Result)
	}
	e.half[present] += 2
	for _, name := range []string{missing, r.Pairings[deserted-1].First, r.Pairings[deserted-1].Second} {
		if record := e.staff.absences(name); !strings.Contains(record, e.id) {
			e.t.Errorf("the absence of %s is not on record:\n%s", name, record)
		}
	}
}

// attended drafts a round and publishes it; everybody comes to their board.
func (e *evening) attended(number, boards, byes int) roundView {
	e.t.Helper()
	e.staff.draft()
	e.staff.publish()
	r := e.opened(number, boards, byes)
	for _, p := range r.Pairings {
		e.ready(p)
	}
	return r
}

// secondRound: somebody comes late, somebody else has asked for a half-point
// bye, and the arbiter hears a result wrong.
func (e *evening) secondRound() {
	e.t.Helper()
	e.players[late].must("POST", "/tournaments/"+e.id+"/entries", nil, nil)
	e.half[late]++ // for round 1, as the rules of entry state
	e.staff.askHalfBye(halfBye, 2)
	e.half[halfBye]++
	r := e.attended(2, 11, 2)
	wrong := r.Pairings[misheard-1]
	e.staff.declareSecond(*wrong.Match)
	e.playAll(r, misheard)
	r = e.over(2)
	if got := *r.Pairings[misheard-1].Result; got != "0-1" {
		e.t.Fatalf("declared for the second, stands as %s", got)
	}
	// It will be corrected.
	e.half[wrong.First] += 2
	e.played[wrong.First]++
	e.played[wrong.Second]++
}

// thirdRound: the result is corrected when the round is paired already; a match
// stands still and its clock is set; somebody goes home.
func (e *evening) thirdRound() {
	e.t.Helper()
	r := e.attended(3, 12, 0)
	e.correct()
	if again := e.opened(3, 12, 0); fmt.Sprint(boardsOf(again)) != fmt.Sprint(boardsOf(r)) {
		e.t.Errorf("the open round changed with the correction:\n%v\n%v", boardsOf(r), boardsOf(again))
	}
	e.stopClocks(*r.Pairings[disputed-1].Match)
	e.players[leaver].must("DELETE", "/tournaments/"+e.id+"/entries/"+leaver, nil, nil)
	e.playAll(r)
	e.over(3)
}

// correct gives the board of round 2 its true result, and holds what the
// preview foretold against what came.
func (e *evening) correct() {
	e.t.Helper()
	var foretold clubView
	in := map[string]any{"round": 2, "board": misheard, "result": "1-0", "reach": "from-now", "dryRun": true}
	e.boss.must("POST", "/tournaments/"+e.id+"/corrections", in, &foretold)
	e.staff.correct(2, misheard)
	for i, line := range e.view().Standings {
		if l := foretold.Standings[i]; l.Player != line.Player || l.Rank != line.Rank || l.Score != line.Score {
			e.t.Errorf("place %d: the preview said %+v, the table shows %+v", i+1, l, line)
		}
	}
}

// stopClocks pauses a match, sets a clock and lets it go on.
func (e *evening) stopClocks(id string) {
	e.t.Helper()
	m := e.boss.match(id)
	for m.State.Phase == "bidding" { // a clock of the board is set on the board
		if _, err := e.step(id, m.First, m.Second, "", 0); err != nil {
			e.t.Fatal(err)
		}
		m = e.boss.match(id)
	}
	e.staff.halt(id)
	m.You = m.State.Turn
	if _, err := e.players[map[string]string{"A": m.First, "B": m.Second}[*m.You]].act(m, 0); err == nil {
		e.t.Error("a move was played while the match stood still")
	}
	e.staff.setFirstClock(id, 2*time.Minute+34*time.Second)
	var clocks struct {
		Clocks struct {
			First int64 `json:"first"`
		}
	}
	e.boss.must("GET", "/matches/"+id, nil, &clocks)
	if clocks.Clocks.First != 154_000 {
		e.t.Errorf("set to 2:34, the clock shows %d ms", clocks.Clocks.First)
	}
	e.staff.goOn(id)
}

// fourthRound: the first node dies while all boards play; whoever was on it goes
// on over the second.
func (e *evening) fourthRound() {
	e.t.Helper()
	r := e.attended(4, 11, 1)
	amid, died := make(chan struct{}), make(chan struct{})
	var once sync.Once
	wait := e.begin(r, func(board, step int) {
		if step != 5 {
			return
		}
		once.Do(func() { close(amid) })
		if board%2 == 0 {
			<-died // some boards surely have most before them yet
		}
	})
	<-amid
	e.one.kill()
	if e.one == e.two {
		e.restart()
	}
	close(died)
	wait()
	if e.one != e.two {
		e.over(4) // the second node does it all
		e.restart()
	}
	e.spread()
	e.over(4)
}

func (e *evening) lastRound() {
	e.t.Helper()
	r := e.attended(5, 11, 1)
	e.playAll(r)
	e.over(5)
	e.until("the ratings", func() bool {
		for _, name := range e.names() {
			if e.games(name) != e.played[name] {
				return false
			}
		}
		return true
	})
	e.staff.signOff()
	if got := e.view().Status; got != "finalized" {
		e.t.Errorf("signed off, it is %s", got)
	}
}

// compare holds the table against the log, the database and the players' memory.
func (e *evening) compare() {
	e.t.Helper()
	log, sheet := e.save("/log.jsonl"), e.save("/standings.csv")
	for _, args := range [][]string{{"check", log, "--standings", sheet}, {"check", "--tournament", e.id, "--database-url", e.dsn}} {
		if out := chpok(e.t, args...); !strings.HasSuffix(out, "5 rounds, 24 players: 0 differences") {
			e.t.Errorf("chpok %s says: %s", strings.Join(args, " "), out)
		}
	}
	view := e.view()
	if len(view.Standings) != 24 {
		e.t.Fatalf("%d lines in the table", len(view.Standings))
	}
	for i, line := range view.Standings {
		if want := float64(e.half[line.Player]) / 2; line.Score != want {
			e.t.Errorf("%s has %v points, won %v", line.Player, line.Score, want)
		}
		if i > 0 && line.Score > view.Standings[i-1].Score {
			e.t.Errorf("%s stands below a lower score", line.Player)
		}
		if n := e.games(line.Player); n != e.played[line.Player] {
			e.t.Errorf("%s has %d rated games, played %d", line.Player, n, e.played[line.Player])
		}
	}
}

// games is how many rated games a player has.
func (e *evening) games(name string) int {
	e.t.Helper()
	var p struct{ Games int }
	e.boss.must("GET", "/players/"+name, nil, &p)
	return p.Games
}

// carryOver takes the whole event to a fresh site on SQLite.
func (e *evening) carryOver() {
	e.t.Helper()
	bundle := e.staff.bundle()
	if _, err := zip.NewReader(strings.NewReader(bundle), int64(len(bundle))); err != nil {
		e.t.Fatalf("the bundle: %v", err)
	}
	dsn := storetest.SQLiteDSN(e.t)
	there := newPlayer(e.t, dsn, "maksym", "organizer")
	server := startNode(e.t, dsn)
	there.base = server.base
	var view clubView
	there.must("GET", e.staff.bring(there, dsn, bundle), nil, &view)
	if got, want := fmt.Sprint(tableOf(view)), fmt.Sprint(tableOf(e.view())); got != want {
		e.t.Errorf("there the table is\n%s\nhere\n%s", got, want)
	}
}
