package web_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/arena"
	tree "chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/stage"
	"chpok.org/chpok/tournament/trf"
)

// held makes events of guests whose results are entered by hand, an hour a round, beside
// any site: what is told of them is all that a site does.
type held struct {
	t    *testing.T
	host player.Viewer
	at   time.Time
}

// itsHead is what no event of ours says by itself.
var itsHead = tournament.ReportHead{City: "Львів", Federation: "UKR", Chief: "Дарина Ткач", Deputies: []string{"Ivan Bondar", "Lesia Rud"},
	TimeControl: "90 min + 30 s a move"}

// event is one that has started, of players with 2000, 1900 … rating points.
func (h *held) event(f tournament.Format, names string, change func(*tournament.Settings)) *tournament.Tournament {
	h.t.Helper()
	s := tournament.DefaultSettings(f)
	s.Name, s.Rated, s.Pace, s.Report = "Cup", false, tournament.Manual, itsHead
	if change != nil {
		change(&s)
	}
	t, err := tournament.New("cup", h.host.ID, s, h.at)
	if err == nil {
		err = t.OpenRegistration(h.host, h.at)
	}
	for i, name := range strings.Fields(names) {
		if err == nil {
			_, err = t.Register(h.host, tournament.Candidate{Name: name, Rating: 2000 - 100*i}, h.at)
		}
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return h.started(t)
}

func (h *held) started(t *tournament.Tournament) *tournament.Tournament {
	h.t.Helper()
	seed := tournament.Drawing{Seed: strings.Repeat("0", 64), Pick: func(int) int { return 0 }}
	if err := t.Start(h.host, seed, h.at); err != nil {
		h.t.Fatal(err)
	}
	return t
}

// round plays the next round: "a=b" is drawn, "a-b" forfeited by b; on all other boards
// whoever comes first in the order wins.
func (h *held) round(t *tournament.Tournament, order string, others ...string) {
	h.t.Helper()
	h.at = h.at.Add(time.Hour)
	r, err := t.PairNext(format.System(&t.Table), func() match.ID { return "" }, h.at)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, p := range r.Pairings {
		if !p.Result.IsPending() {
			continue
		}
		first, _ := t.Entry(p.First)
		second, _ := t.Entry(p.Second)
		kind := tournament.FirstWins
		if strings.Index(order, first.Name) > strings.Index(order, second.Name) {
			kind = tournament.SecondWins
		}
		switch {
		case slices.Contains(others, first.Name+"="+second.Name) || slices.Contains(others, second.Name+"="+first.Name):
			kind = tournament.Drawn
		case slices.Contains(others, first.Name+"-"+second.Name):
			kind = tournament.FirstByForfeit
		case slices.Contains(others, second.Name+"-"+first.Name):
			kind = tournament.SecondByForfeit
		}
		if err := t.Enter(h.host, r.Number, p.Board, kind, true, h.at); err != nil {
			h.t.Fatal(err)
		}
	}
	t.Conclude(h.at)
}

// played plays all rounds that are left.
func (h *held) played(t *tournament.Tournament, order string, others ...string) *tournament.Tournament {
	h.t.Helper()
	for t.Status == tournament.Running {
		h.round(t, order, others...)
	}
	return t
}

// next is a later stage of the first of some events, before its first round.
func (h *held) next(f tournament.Format, carry string, each int, of ...*tournament.Tournament) *tournament.Tournament {
	h.t.Helper()
	o, err := tables.Qualified(of, tables.Asked{Each: each, Carry: carry})
	if err != nil {
		h.t.Fatal(err)
	}
	t, err := stage.Follow(h.host, "final", stage.Next(of[0].Settings, f, "Final", len(o.Seeds)), o, of, h.at)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.started(t)
}

// exported is an event and what its files say.
type exported struct {
	name string
	make func(*held) *tournament.Tournament
	// Of standings.csv all lines, here and where the bundle is imported, of tournament.json the rounds, the bracket and the
	// rest, of the report the players and comments, of the calendar when what begins.
	csv, json, trf, calendar string
	back                     bool // the report is imported again
}

// Whatever is held, its files say what was played. The rounds begin at 13, 14 … o'clock
// of November 21.
var exports = []exported{
	{name: "swiss", make: func(h *held) *tournament.Tournament {
		t := h.event(tournament.Swiss, "anna borys clara danylo emil", func(s *tournament.Settings) {
			s.Rounds, s.Tiebreaks, s.Pace = 3, []string{"WIN", "DE"}, tournament.Times
			s.Times = tournament.Moments{h.at.Add(time.Hour), h.at.Add(2 * time.Hour), h.at.Add(25 * time.Hour)}
		})
		h.round(t, "anna clara", "danylo=borys")
		h.round(t, "anna emil borys danylo")
		return t
	}, csv: `
rank,number,player,club,rating,score,WIN,DE,bot,ruled
1,1,anna,,2000,2,2,1,,
1,5,emil,,1600,2,2,1,,
3,3,clara,,1800,1,1,1,,
4,2,borys,,1900,0.5,0,1,,
4,4,danylo,,1700,0.5,0,1,,
`, json: `
anna clara 1-0; danylo borys 1/2-1/2; bye [emil]
borys anna 0-1; emil danylo 1-0; bye [clara]
1 anna 2  1 emil 2  3 clara 1  4 borys 0.5  4 danylo 0.5
`, trf: `
192 FIDE_DUTCH_2025
1 anna 2000 2.0 1 3 w 1 2 b 1
2 borys 1900 0.5 4 4 b = 1 w 0
3 clara 1800 1.0 3 1 b 0 0000 - U
4 danylo 1700 0.5 4 2 w = 5 b 0
5 emil 1600 2.0 1 0000 - U 4 w 1
`, calendar: `
21T130000Z Cup: round 1 CONFIRMED
21T140000Z Cup: round 2 CONFIRMED
22T130000Z Cup: round 3 CONFIRMED
`, back: true},
	{name: "round robin", make: func(h *held) *tournament.Tournament {
		t := h.event(tournament.RoundRobin, "anna borys clara danylo", func(s *tournament.Settings) { s.Tiebreaks = []string{"DE", "SB"} })
		return h.played(t, "clara anna danylo borys", "borys=clara", "clara-danylo")
	}, csv: `
rank,number,player,club,rating,score,DE,SB,bot,ruled
1,3,clara,,1800,2.5,1,3.25,,
2,1,anna,,2000,2,1,1.5,,
3,4,danylo,,1700,1,1,0.5,,
4,2,borys,,1900,0.5,1,1.25,,
`, json: `
anna danylo 1-0; borys clara 1/2-1/2; bye []
danylo clara -/+; anna borys 1-0; bye []
borys danylo 0-1; clara anna 1-0; bye []
1 clara 2.5  2 anna 2  3 danylo 1  4 borys 0.5
`, trf: `
192 BERGER
1 anna 2000 2.0 2 4 w 1 2 w 1 3 b 0
2 borys 1900 0.5 4 3 w = 1 b 0 4 w 0
3 clara 1800 2.5 1 2 b = 4 b + 1 w 1
4 danylo 1700 1.0 3 1 b 0 3 w - 2 b 1
`, calendar: `
21T130000Z Cup: round 1 CONFIRMED
21T140000Z Cup: round 2 CONFIRMED
21T150000Z Cup: round 3 CONFIRMED
`, back: true},
	{name: "round robin of two matches", make: func(h *held) *tournament.Tournament {
		t := h.event(tournament.RoundRobin, "anna borys clara", func(s *tournament.Settings) { s.Double, s.Tiebreaks = true, []string{"SB"} })
		h.round(t, "", "borys=clara")
		return h.played(t, "clara anna borys")
	}, csv: `
rank,number,player,club,rating,score,SB,bot,ruled
1,3,clara,,1800,3.5,4.75,,
2,1,anna,,2000,2,1,,
3,2,borys,,1900,0.5,1.75,,
`, json: `
borys clara 1/2-1/2; bye [anna]
clara anna 1-0; bye [borys]
anna borys 1-0; bye [clara]
clara borys 1-0; bye [anna]
borys anna 0-1; bye [clara]
anna clara 0-1; bye [borys]
1 clara 3.5  2 anna 2  3 borys 0.5
`, trf: `
192 BERGER
1 anna 2000 2.0 2 0000 - Z 3 b 0 2 w 1 0000 - Z 2 b 1 3 w 0
2 borys 1900 0.5 3 3 w = 0000 - Z 1 b 0 3 b 0 1 w 0 0000 - Z
3 clara 1800 3.5 1 2 b = 1 w 1 0000 - Z 2 w 1 0000 - Z 1 b 1
`, calendar: `
21T130000Z Cup: round 1 CONFIRMED
21T140000Z Cup: round 2 CONFIRMED
21T150000Z Cup: round 3 CONFIRMED
21T160000Z Cup: round 4 CONFIRMED
21T170000Z Cup: round 5 CONFIRMED
21T180000Z Cup: round 6 CONFIRMED
`, back: true},
	{name: "knock-out", make: func(h *held) *tournament.Tournament {
		t := h.event(tournament.KnockOut, "anna borys clara danylo emil fiona", func(s *tournament.Settings) {
			s.Tie, s.Losers = []tree.Step{tree.Decider}, tree.ForThird
		})
		h.round(t, "clara fiona", "danylo=emil")
		h.round(t, "", "danylo=emil") // without bids the better seed goes on
		if err := t.Withdraw(h.host, 2); err != nil {
			h.t.Fatal(err)
		}
		return h.played(t, "clara danylo anna")
	}, csv: `
rank,number,player,club,rating,score,bot,ruled,out
1,3,clara,,1800,3,,,
2,4,danylo,,1700,2,,,
3,1,anna,,2000,1,,,
4,2,borys,,1900,0,,,withdrawn
5,5,emil,,1600,1,,,
5,6,fiona,,1500,0,,,
`, json: `
emil danylo 1/2-1/2; clara fiona 1-0; bye []
danylo emil 1/2-1/2; bye []
anna danylo 0-1; borys clara -/+; bye []
danylo clara 0-1; borys anna -/+; bye []
main 1: "anna" "" "anna" bye
main 1: "danylo" "emil" "danylo" seed
main 1: "borys" "" "borys" bye
main 1: "clara" "fiona" "clara" score
main 2: "anna" "danylo" "danylo" score
main 2: "borys" "clara" "clara" forfeit
main 3: "danylo" "clara" "clara" score
places 1: "anna" "borys" "anna" forfeit
1 clara 3  2 danylo 2  3 anna 1  4 borys 0  5 emil 1  5 fiona 0
`, trf: `
192 CUSTOM_KNOCKOUT
### decided round 2 board 1 4 by seed
1 anna 2000 1.0 3 0000 - Z 0000 - Z 4 w 0 2 b +
2 borys 1900 0.0 4 0000 - Z 0000 - Z 3 w - 1 w -
3 clara 1800 3.0 1 6 w 1 0000 - Z 2 b + 4 b 1
4 danylo 1700 2.0 2 5 b = 5 w D 1 b 1 3 w 0
5 emil 1600 1.0 5 4 w = 4 b D 0000 - Z 0000 - Z
6 fiona 1500 0.0 5 3 b 0 0000 - Z 0000 - Z 0000 - Z
`, calendar: `
21T130000Z Cup: round 1 CONFIRMED
21T140000Z Cup: round 2 CONFIRMED
21T150000Z Cup: round 3 CONFIRMED
21T160000Z Cup: round 4 CONFIRMED
`},
	{name: "knock-out of two matches", make: func(h *held) *tournament.Tournament {
		t := h.event(tournament.KnockOut, "anna borys clara", func(s *tournament.Settings) {
			s.Double, s.Tie = true, []tree.Step{tree.Seed}
		})
		h.round(t, "borys clara")
		h.round(t, "clara borys")
		h.round(t, "anna borys")
		return t
	}, csv: `
rank,number,player,club,rating,score,bot,ruled
1,1,anna,,2000,1,,
1,2,borys,,1900,1,,
3,3,clara,,1800,1,,
`, json: `
clara borys 0-1; bye []
borys clara 0-1; bye []
anna borys 1-0; bye []
main 1: "anna" "" "anna" bye
main 1: "borys" "clara" "borys" seed
main 2: "anna" "borys" "" 
places 1: "" "clara" "clara" bye
1 anna 1  1 borys 1  3 clara 1
`, trf: `
192 CUSTOM_KNOCKOUT
### decided round 2 board 1 2 by seed
1 anna 2000 1.0 1 0000 - Z 0000 - Z 2 w 1
2 borys 1900 1.0 1 3 b 1 3 w 0 1 b 0
3 clara 1800 1.0 3 2 w 0 2 b 1 0000 - Z
`, calendar: `
21T130000Z Cup: round 1 CONFIRMED
21T140000Z Cup: round 2 CONFIRMED
21T150000Z Cup: round 3 CONFIRMED
`},
	{name: "double elimination", make: func(h *held) *tournament.Tournament {
		t := h.event(tournament.KnockOut, "anna borys clara danylo", func(s *tournament.Settings) { s.Losers = tree.TwiceReset })
		for range 3 {
			h.round(t, "anna borys clara danylo")
		}
		return h.played(t, "borys anna")
	}, csv: `
rank,number,player,club,rating,score,bot,ruled
1,2,borys,,1900,4,,
2,1,anna,,2000,2,,
3,3,clara,,1800,1,,
4,4,danylo,,1700,0,,
`, json: `
anna danylo 1-0; clara borys 0-1; bye []
borys anna 0-1; danylo clara 0-1; bye []
clara borys 0-1; bye []
borys anna 1-0; bye []
anna borys 0-1; bye []
main 1: "anna" "danylo" "anna" score
main 1: "borys" "clara" "borys" score
main 2: "anna" "borys" "anna" score
lower 1: "danylo" "clara" "clara" score
lower 2: "clara" "borys" "borys" score
grand-final 1: "anna" "borys" "borys" score
reset 1: "anna" "borys" "borys" score
1 borys 4  2 anna 2  3 clara 1  4 danylo 0
`, trf: `
192 CUSTOM_KNOCKOUT
1 anna 2000 2.0 2 4 w 1 2 b 1 0000 - Z 2 b 0 2 w 0
2 borys 1900 4.0 1 3 b 1 1 w 0 3 b 1 1 w 1 1 b 1
3 clara 1800 1.0 3 2 w 0 4 b 1 2 w 0 0000 - Z 0000 - Z
4 danylo 1700 0.0 4 1 b 0 3 w 0 0000 - Z 0000 - Z 0000 - Z
`, calendar: `
21T130000Z Cup: round 1 CONFIRMED
21T140000Z Cup: round 2 CONFIRMED
21T150000Z Cup: round 3 CONFIRMED
21T160000Z Cup: round 4 CONFIRMED
21T170000Z Cup: round 5 CONFIRMED
`},
	{name: "swiss, then a knock-out", make: func(h *held) *tournament.Tournament {
		t := h.event(tournament.Swiss, "anna borys clara danylo", func(s *tournament.Settings) { s.Rounds = 2 })
		h.round(t, "anna clara", "borys=danylo")
		h.played(t, "anna borys danylo clara")
		return h.played(h.next(tournament.KnockOut, "", 2, t), "borys anna")
	}, csv: `
rank,number,player,club,rating,score,bot,ruled
1,2,danylo,,1700,1,,
2,1,anna,,2000,0,,
`, json: `
from place 1 anna 0
from place 2 danylo 0
anna danylo 0-1; bye []
main 1: "anna" "danylo" "danylo" score
1 danylo 1  2 anna 0
`, trf: `
192 CUSTOM_KNOCKOUT
1 anna 2000 0.0 2 2 w 0
2 danylo 1700 1.0 1 1 b 1
`, calendar: `
21T150000Z Final: round 1 CONFIRMED
`},
	{name: "groups, then a knock-out", make: func(h *held) *tournament.Tournament {
		a := h.played(h.event(tournament.RoundRobin, "anna borys clara", nil), "anna borys clara")
		b := h.played(h.event(tournament.RoundRobin, "danylo emil fiona", nil), "danylo emil fiona", "danylo=fiona")
		t := h.next(tournament.KnockOut, "", 2, a, b)
		h.round(t, "emil anna danylo borys")
		return t
	}, csv: `
rank,number,player,club,rating,score,bot,ruled
1,2,danylo,,2000,1,,
1,4,emil,,1900,1,,
3,1,anna,,2000,0,,
3,3,borys,,1900,0,,
`, json: `
from place 1 anna 0
from place 1 danylo 0
from place 2 borys 0
from place 2 emil 0
anna emil 0-1; borys danylo 0-1; bye []
main 1: "anna" "emil" "emil" score
main 1: "danylo" "borys" "danylo" score
main 2: "emil" "danylo" "" 
places 1: "anna" "borys" "" 
1 danylo 1  1 emil 1  3 anna 0  3 borys 0
`, trf: `
192 CUSTOM_KNOCKOUT
1 anna 2000 0.0 3 4 w 0
2 danylo 2000 1.0 1 3 b 1
3 borys 1900 0.0 3 2 w 0
4 emil 1900 1.0 1 1 b 1
`, calendar: `
21T190000Z Final: round 1 CONFIRMED
`},
	{name: "all points go on", make: func(h *held) *tournament.Tournament {
		t := h.played(h.event(tournament.RoundRobin, "anna borys clara danylo", nil), "anna borys clara danylo")
		return h.played(h.next(tournament.RoundRobin, stage.CarryAll, 3, t), "clara borys anna")
	}, csv: `
rank,number,player,club,rating,score,DE,WIN,SB,KS,bot,ruled
1,3,clara,,1800,3,1,2,1,1,,
2,2,borys,,1900,3,2,1,0,0,,
3,1,anna,,2000,3,3,0,0,0,,
`, json: `
from place 1 anna 3
from place 2 borys 2
from place 3 clara 1
borys clara 0-1; bye [anna]
anna borys 0-1; bye [clara]
clara anna 1-0; bye [borys]
1 clara 3  2 borys 3  3 anna 3
`, trf: `
192 BERGER
### brought along 1 3.0
### brought along 2 2.0
### brought along 3 1.0
1 anna 2000 0.0 3 0000 - Z 2 w 0 3 b 0
2 borys 1900 1.0 2 3 w 0 1 b 1 0000 - Z
3 clara 1800 2.0 1 2 b 1 0000 - Z 1 w 1
`, calendar: `
21T160000Z Final: round 1 CONFIRMED
21T170000Z Final: round 2 CONFIRMED
21T180000Z Final: round 3 CONFIRMED
`, back: true},
	{name: "results go on", make: func(h *held) *tournament.Tournament {
		t := h.played(h.event(tournament.RoundRobin, "anna borys clara danylo", nil), "anna borys clara danylo")
		return h.played(h.next(tournament.RoundRobin, stage.CarryMutual, 3, t), "")
	}, csv: `
rank,number,player,club,rating,score,DE,WIN,SB,KS,bot,ruled
1,1,anna,,2000,2,1,2,1,1,,
2,2,borys,,1900,1,1,1,0,0,,
3,3,clara,,1800,0,1,0,0,0,,
`, json: `
from place 1 anna 0
from place 2 borys 0
from place 3 clara 0
borys clara 1-0; bye [anna]
anna borys 1-0; bye [clara]
clara anna 0-1; bye [borys]
1 anna 2  2 borys 1  3 clara 0
`, trf: `
192 BERGER
1 anna 2000 2.0 1 0000 - Z 2 w W 3 b W
2 borys 1900 1.0 2 3 w W 1 b L 0000 - Z
3 clara 1800 0.0 3 2 b L 0000 - Z 1 w L
`, calendar: `
21T160000Z Final: round 1 CONFIRMED
21T170000Z Final: round 2 CONFIRMED
21T180000Z Final: round 3 CONFIRMED
`, back: true},
	{name: "arena", make: func(h *held) *tournament.Tournament {
		t := h.event(tournament.Arena, "anna borys clara", nil)
		if err := arena.Open(t, h.at); err != nil {
			h.t.Fatal(err)
		}
		for i, p := range []tournament.Pairing{
			{First: 1, Second: 2, Result: tournament.Result{Kind: tournament.FirstWins}},
			{First: 1, Second: 3, Result: tournament.Result{Kind: tournament.FirstWins}},
			{First: 2, Second: 1, Result: tournament.Result{Kind: tournament.SecondWins}},
			{First: 3, Second: 2, Result: tournament.Result{Kind: tournament.Drawn}},
			{First: 2, Second: 1},
		} {
			p.Board, p.Result.At = i+1, h.at.Add(time.Duration(i)*time.Minute)
			t.Rounds[0].Pairings = append(t.Rounds[0].Pairings, p)
		}
		return t
	}, csv: `
rank,number,player,club,rating,score,wins,matches,performance,sheet,bot,ruled
1,1,anna,,2000,8,3,3,2667,2 2 4,,
2,3,clara,,1800,1,0,2,1757,0 1,,
3,2,borys,,1900,1,0,3,1660,0 0 1,,
`, json: `
anna borys 1-0; anna clara 1-0; borys anna 0-1; clara borys 1/2-1/2; borys anna open; bye []
1 anna 8  [2 2 4]2 clara 1  [0 1]3 borys 1  [0 0 1]
`, trf: "", calendar: `
21T120000Z Cup CONFIRMED
`},
}

func TestFilesOfEveryFormat(t *testing.T) {
	t.Parallel()
	for _, tt := range exports {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n := newClubNight(t)
			h := &held{t: t, host: player.Viewer{Player: n.player("Olena")}, at: n.clock.Now()}
			made := tt.make(h)
			n.write(func(tx *store.Tx) error {
				return tx.AddTournament(made, ledger.Deed{At: h.at, By: h.host.ID, Act: tournament.ActCreate})
			})
			path, visitor := "/tournaments/"+string(made.ID), n.browser(lang.English)
			files := visitor.get(path + "/files").want(http.StatusOK)
			same(t, "standings.csv", strings.TrimPrefix(visitor.get(path+"/standings.csv").want(http.StatusOK).body, "\ufeff"), tt.csv)
			figures := func(address string, after string) (columns [][]string) {
				rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(visitor.get(address).want(http.StatusOK).body, "\ufeff"))).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				from := slices.Index(rows[0], after) + 1
				for _, row := range rows {
					columns = append(columns, row[from:])
				}
				return columns
			}
			byPage, byProgram := figures(path+"/standings.csv", "score"), figures("/api/v1"+path+"?csv=standings", "score")
			for i, row := range byProgram { // what orders equal scores, and no columns of other formats
				marks := len(byPage[0]) - slices.Index(byPage[0], "bot")
				if !slices.Equal(row, byPage[i][:len(byPage[i])-marks]) {
					t.Errorf("line %d of ?csv=standings: %q, want %q", i+1, row, byPage[i])
				}
			}
			same(t, "tournament.json", n.told(visitor.get(path+"/tournament.json").want(http.StatusOK).body), tt.json)
			same(t, "calendar.ics", begins(visitor.get(path+"/calendar.ics").want(http.StatusOK).body), tt.calendar)
			copied := n.bundled(path)
			same(t, "standings.csv elsewhere", strings.TrimPrefix(visitor.get(copied+"/standings.csv").want(http.StatusOK).body, "\ufeff"), tt.csv)
			if tt.trf == "" {
				visitor.get(path + "/report.trf").want(http.StatusConflict)
				files.wantsNo("link", "TRF report").says("cannot be written as a TRF report")
				return
			}
			files.wants("link", "TRF report")
			report := visitor.get(path + "/report.trf").want(http.StatusOK).body
			same(t, "report.trf", tableOf(report), tt.trf)
			n.readsBack(made, report, tt.back)
		})
	}
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got, want = strings.TrimSpace(got), strings.TrimSpace(want); got != want {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}

// told is what programs read of an event, if it is as the API is described.
func (n *clubNight) told(body string) string {
	n.t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(n.host.get("/api/v1/openapi.json").want(http.StatusOK).body))
	var raw any
	var v struct {
		Rounds []struct {
			Pairings []struct {
				First, Second playerName
				Result        *string
			}
			Byes []playerName
		}
		Bracket []struct {
			Part, By string
			Winner   playerName
			Round    int
			Players  [2]playerName
		}
		Qualified []struct {
			Player playerName
			Place  int
			Score  float64
		}
		Standings []struct {
			Rank   int
			Player playerName
			Score  float64
			Arena  *struct{ Points []int }
		}
	}
	if err == nil {
		err = cmp.Or(json.Unmarshal([]byte(body), &raw), json.Unmarshal([]byte(body), &v))
	}
	if err == nil {
		err = doc.Components.Schemas["Tournament"].Value.VisitJSON(raw)
	}
	if err != nil {
		n.t.Fatal(err)
	}
	var b strings.Builder
	for _, q := range v.Qualified {
		fmt.Fprintln(&b, "from place", q.Place, q.Player, q.Score)
	}
	for _, r := range v.Rounds {
		for _, p := range r.Pairings {
			how := "open"
			if p.Result != nil {
				how = *p.Result
			}
			fmt.Fprint(&b, p.First, " ", p.Second, " ", how, "; ")
		}
		fmt.Fprintln(&b, "bye", r.Byes)
	}
	for _, c := range v.Bracket {
		fmt.Fprintf(&b, "%s %d: %q %q %q %s\n", c.Part, c.Round, c.Players[0], c.Players[1], c.Winner, c.By)
	}
	for _, s := range v.Standings {
		if fmt.Fprint(&b, s.Rank, " ", s.Player, " ", s.Score, "  "); s.Arena != nil {
			fmt.Fprint(&b, s.Arena.Points)
		}
	}
	return b.String()
}

// begins is what begins when, as calendars read it.
func begins(file string) string {
	var b strings.Builder
	for l := range strings.SplitSeq(strings.ReplaceAll(file, "\r\n ", ""), "\r\n") {
		for _, key := range []string{"DTSTART:202611", "SUMMARY:", "STATUS:"} {
			if value, is := strings.CutPrefix(l, key); is {
				b.WriteString(value + strings.Repeat("\n", map[bool]int{true: 1}[key == "STATUS:"]) + " ")
			}
		}
	}
	return strings.ReplaceAll(b.String(), "\n ", "\n")
}

// tableOf are the system, the players and the comments of a report.
func tableOf(report string) string {
	var lines []string
	for l := range strings.SplitSeq(report, "\n") {
		if name, is := strings.CutPrefix(l, "001"); is {
			lines = append(lines, strings.Join(strings.Fields(name), " "))
		} else if strings.HasPrefix(l, "192") || strings.HasPrefix(l, "###") {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// sameHead compares the head of a report with that of the event that was made from it.
func (n *clubNight) sameHead(was *trf.Report, copied string) {
	n.t.Helper()
	is, err := trf.Read(copied)
	if err != nil {
		n.t.Fatal(err)
	}
	played := was.Played() // of rounds to come no report tells the time
	if got, want := is.Dates(), was.Dates(); len(got) < played || !slices.Equal(got[:played], want[:played]) {
		n.t.Errorf("132: %v, want %v", got, want)
	}
	for _, code := range strings.Fields("012 022 032 042 052 062 072 092 102 112 122 192") {
		if got, want := is.Headers(code), was.Headers(code); !slices.Equal(got, want) {
			n.t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// readsBack reads a report as other sites do.
func (n *clubNight) readsBack(made *tournament.Tournament, report string, isImported bool) {
	n.t.Helper()
	read, err := trf.Read(report)
	if err != nil || len(read.Warnings) > 0 {
		n.t.Fatal(err, read.Warnings)
	}
	want, got := made.Field(), read.Field()
	uploaded := n.upload("/tournaments/import", "cup.trf", report)
	if !isImported {
		uploaded.want(http.StatusUnprocessableEntity)
		if fmt.Sprint(got.Places) != fmt.Sprint(want.Places) || len(want.Places) == 0 {
			n.t.Errorf("places %v, want %v", got.Places, want.Places)
		}
		return
	}
	uploaded.want(http.StatusOK)
	for _, code := range strings.Fields("022 032 102 112 122") {
		uploaded.says(strings.Join(read.Headers(code), ", "))
	}
	copied := n.host.post("/tournaments/import", "text", report, "do", "import").want(http.StatusOK).path
	n.sameHead(read, n.host.get(copied+"/report.trf").want(http.StatusOK).body)
	got = n.tournament(copied).Field()
	if got.Rounds != want.Rounds || got.Played != want.Played || got.RoundRobin != want.RoundRobin {
		n.t.Errorf("%d of %d rounds, all play all: %v", got.Played, got.Rounds, got.RoundRobin)
	}
	for i, p := range want.Players {
		q := got.Players[i]
		if q.Name != p.Name || q.Rating != p.Rating || len(q.Rounds) < got.Played {
			n.t.Errorf("%+v, want %+v", q, p)
			continue
		}
		for r := range got.Played {
			x, y := q.Rounds[r], p.Rounds[r]
			if x.Opponent != y.Opponent || x.Seat != y.Seat || x.Outcome.IsForfeit() != y.Outcome.IsForfeit() ||
				want.Points.Of(x.Outcome) != want.Points.Of(y.Outcome) {
				n.t.Errorf("%s in round %d: %+v, want %+v", p.Name, r+1, x, y)
			}
		}
	}
}
