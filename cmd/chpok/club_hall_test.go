package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// evening is an event of a club while it is held: its two nodes, its staff at
// the pages, its players at the API, and what these remember of their matches.
type evening struct {
	t        *testing.T
	dsn      string
	start    func() *node
	one, two *node
	alone    bool    // there is one node, which is both
	boss     *client // the organizer's program
	desk     *person // the organizer at the pages; nil: programs do all
	staff    clerk
	players  map[string]*client
	id, path string

	mu     sync.Mutex
	half   map[string]int // half points won
	played map[string]int // games
}

type pairingView struct {
	Board         int
	First, Second string
	Match, Result *string
}

type roundView struct {
	Round    int
	Pairings []pairingView
	Byes     []string
}

type clubView struct {
	Status    string
	Entries   []struct{ Player, Status string }
	Rounds    []roundView
	Standings []struct {
		Rank      int
		Player    string
		Score     float64
		Tiebreaks map[string]*float64
	}
}

// finalTable is a table as the site's files carry it.
type finalTable struct {
	Seq   int64
	Lines []struct {
		Rank   int
		Name   string
		Score  int
		Values []string
	}
}

func (e *evening) view() (v clubView) {
	e.t.Helper()
	e.boss.must("GET", "/tournaments/"+e.id, nil, &v)
	return v
}

// table is the last line of the exported log.
func (e *evening) table() finalTable {
	e.t.Helper()
	lines := strings.Split(strings.TrimSpace(e.file("/log.jsonl")), "\n")
	var last struct{ Table finalTable }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		e.t.Fatal(err)
	}
	return last.Table
}

// file is what the organizer's program downloads.
func (e *evening) file(name string) string {
	e.t.Helper()
	a, err := e.boss.request(http.MethodGet, e.path+name, nil)
	if err != nil || a.status != http.StatusOK {
		e.t.Fatalf("%s: status %d, %v", name, a.status, err)
	}
	return string(a.body)
}

// save keeps a file that the organizer downloads.
func (e *evening) save(name string) string {
	e.t.Helper()
	file := filepath.Join(e.t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(file, []byte(e.file(name)), 0o600); err != nil {
		e.t.Fatal(err)
	}
	return file
}

func (e *evening) names() []string { return slices.Sorted(maps.Keys(e.players)) }

// entryOf is the id of an entry, in the order of entering.
func (e *evening) entryOf(name string) int {
	e.t.Helper()
	for i, x := range e.view().Entries {
		if x.Player == name {
			return i + 1
		}
	}
	e.t.Fatalf("%s is not entered", name)
	return 0
}

func boardsOf(r roundView) (list [][2]string) {
	for _, p := range r.Pairings {
		list = append(list, [2]string{p.First, p.Second})
	}
	return list
}

// tableOf is a table with every figure, for printing and comparing.
func tableOf(v clubView) (list []string) {
	for _, l := range v.Standings {
		line := fmt.Sprintf("%d %s %v", l.Rank, l.Player, l.Score)
		for _, code := range slices.Sorted(maps.Keys(l.Tiebreaks)) {
			if value := l.Tiebreaks[code]; value != nil {
				line += fmt.Sprintf(" %s=%v", code, *value)
			}
		}
		list = append(list, line)
	}
	return list
}

// opened is a round that has just been published; who has the bye is counted.
func (e *evening) opened(n, boards, byes int) roundView {
	e.t.Helper()
	v := e.view()
	if len(v.Rounds) != n {
		e.t.Fatalf("%d rounds, want %d", len(v.Rounds), n)
	}
	r := v.Rounds[n-1]
	if len(r.Pairings) != boards || len(r.Byes) != byes {
		e.t.Fatalf("round %d has %d boards and byes for %v", n, len(r.Pairings), r.Byes)
	}
	for _, name := range r.Byes {
		if n != 2 || name != halfBye {
			e.half[name] += 2
		}
	}
	return r
}

// over waits until every board of a round has its result.
func (e *evening) over(n int) (r roundView) {
	e.t.Helper()
	e.until(fmt.Sprintf("the end of round %d", n), func() bool {
		r = e.view().Rounds[n-1]
		return !slices.ContainsFunc(r.Pairings, func(p pairingView) bool { return p.Result == nil })
	})
	return r
}

func (e *evening) until(what string, done func() bool) {
	e.t.Helper()
	deadline := time.Now().Add(within)
	for !done() {
		if time.Now().After(deadline) {
			e.t.Fatalf("%s does not come", what)
		}
		if err := pause(e.t.Context(), 150*time.Millisecond); err != nil {
			e.t.Fatal(err)
		}
	}
}

// reach asks over the API; a player whose node does not answer goes on over the
// one that does.
func (e *evening) reach(c *client, do func() error) error {
	for tries := 0; ; tries++ {
		err := do()
		var refused *apiError
		if err == nil || errors.As(err, &refused) || tries == 50 {
			return err
		}
		if err := pause(e.t.Context(), 100*time.Millisecond); err != nil {
			return err
		}
		c.base = e.refuge()
	}
}

func (e *evening) refuge() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.two.base
}

// restart starts the first node again, which may be the only one.
func (e *evening) restart() {
	e.t.Helper()
	again := e.start()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.two == e.one {
		e.two = again
	}
	e.one = again
}

// spread gives everybody a node that is alive.
func (e *evening) spread() {
	for i, name := range e.names() {
		e.players[name].base = []string{e.one.base, e.two.base}[i%2]
	}
	e.boss.base = e.two.base
	if e.desk != nil {
		e.desk.base = e.one.base
	}
}

func (e *evening) ready(p pairingView) {
	e.t.Helper()
	for _, name := range []string{p.First, p.Second} {
		e.act(name, *p.Match, map[string]any{"ready": true})
	}
}

func (e *evening) act(name, match string, command map[string]any) {
	e.t.Helper()
	c := e.players[name]
	err := e.reach(c, func() error {
		_, err := c.send(match, c.match(match).Seq, command)
		return err
	})
	if err != nil {
		e.t.Fatalf("%s in match %s: %v", name, match, err)
	}
}

// playAll plays the boards of a round at once, but those that are left out.
func (e *evening) playAll(r roundView, without ...int) {
	e.t.Helper()
	e.begin(r, nil, without...)()
}

// begin has the boards of a round played; wait is until all are over. seen hears
// of every step of every board.
func (e *evening) begin(r roundView, seen func(board, step int), without ...int) (wait func()) {
	failed := make(chan error, len(r.Pairings))
	var all sync.WaitGroup
	for _, p := range r.Pairings {
		if slices.Contains(without, p.Board) {
			continue
		}
		all.Go(func() {
			if err := e.play(r.Round, p, seen); err != nil {
				failed <- fmt.Errorf("round %d, board %d, %s against %s: %w", r.Round, p.Board, p.First, p.Second, err)
			}
		})
	}
	return func() {
		e.t.Helper()
		all.Wait()
		close(failed)
		for err := range failed {
			e.t.Error(err)
		}
		if e.t.Failed() {
			e.t.FailNow()
		}
	}
}

// play brings a match to its end: mostly the weaker one resigns soon, every
// fourth board plays until the rules end it; on two nodes only in the round in which one of them dies.
func (e *evening) play(round int, p pairingView, seen func(board, step int)) error {
	loser := p.Second
	if (p.First > p.Second) != ((round+p.Board)%5 == 0) { // some surprises
		loser = p.First
	}
	if (round+p.Board)%4 == 0 && (e.alone || round == 4) {
		loser = ""
	}
	for n := 0; n < 400; n++ {
		if seen != nil {
			seen(p.Board, n)
		}
		resigns := ""
		if n >= 6 {
			resigns = loser
		}
		m, err := e.step(*p.Match, p.First, p.Second, resigns, n+p.Board)
		if err != nil {
			return err
		}
		if m.Status == "over" {
			return e.remember(p, m)
		}
	}
	return errors.New("the match does not end")
}

// step lets whose turn it is bid, move or resign. Who was too slow looks again.
func (e *evening) step(match, first, second, resigns string, pick int) (m matchView, err error) {
	c := e.players[first]
	err = e.reach(c, func() error { return c.call("GET", "/matches/"+match, nil, &m) })
	if err != nil || m.Status == "over" || m.State.Turn == nil {
		return m, err
	}
	if *m.State.Turn == "B" {
		c = e.players[second]
	}
	m.You = m.State.Turn
	err = e.reach(c, func() error {
		if c.name == resigns && m.State.Phase != "bidding" {
			_, err := c.send(match, m.Seq, map[string]any{"act": "resign"})
			return err
		}
		_, err := c.act(m, 3*pick)
		return err
	})
	var refused *apiError
	if errors.As(err, &refused) && refused.Status == http.StatusConflict {
		err = nil
	}
	return m, err
}

// remember counts what a match brought, as its players see it.
func (e *evening) remember(p pairingView, m matchView) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.played[p.First]++
	e.played[p.Second]++
	switch m.State.Result {
	case "A":
		e.half[p.First] += 2
	case "B":
		e.half[p.Second] += 2
	case "draw":
		e.half[p.First]++
		e.half[p.Second]++
	default:
		return fmt.Errorf("it ended with %q by %s", m.State.Result, m.State.Reason)
	}
	return nil
}
