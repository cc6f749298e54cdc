package clubmatch_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/clubmatch"
)

var (
	start = time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)
	host  = player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
)

// side makes players named by letter and number, the later the stronger.
func side(letter string, n int) (list []tournament.Candidate) {
	for i := 1; i <= n; i++ {
		name := fmt.Sprint(letter, i)
		list = append(list, tournament.Candidate{Player: player.ID(name), Name: name, Rating: 1000 + i})
	}
	return list
}

// begun is a match of so many boards that has started; First of number 1 is drawn.
func begun(t *testing.T, home, guest int, change func(*tournament.Settings)) *tournament.Tournament {
	t.Helper()
	s := tournament.DefaultSettings(tournament.ClubMatch)
	s.Name, s.ClubID, s.OpponentID, s.Boards, s.LineUpsBy, s.Numbering = "Lions v Dragons", "lion", "dragon", 4, start, tournament.Given
	if change != nil {
		change(&s)
	}
	m, err := tournament.New("t", host.ID, s, start)
	if err != nil {
		t.Fatal(err)
	}
	d := tournament.Drawing{Seed: "00", Pick: func(int) int { return 0 }}
	if err := m.Start(host, d, start); !errors.Is(err, tournament.ErrNoLineUps) {
		t.Fatalf("started without line-ups: %v", err)
	}
	if err := m.LayOpen([2][]tournament.Candidate{side("h", home), side("g", guest)}, start); err != nil {
		t.Fatal(err)
	}
	if err := m.LayOpen([2][]tournament.Candidate{}, start); !errors.Is(err, tournament.ErrLaidOpen) {
		t.Fatalf("laid open twice: %v", err)
	}
	if err := m.Start(host, d, start); err != nil {
		t.Fatal(err)
	}
	return m
}

var system = tournament.System{Pairer: clubmatch.Table{}, Engine: clubmatch.Version}

func pair(t *testing.T, m *tournament.Tournament) (lines []string) {
	t.Helper()
	n := 0
	r, err := m.PairNext(system, func() match.ID { n++; return match.ID(fmt.Sprint("m", len(m.Rounds), n)) }, start)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Pairings {
		first, _ := m.Entry(p.First)
		second, _ := m.Entry(p.Second)
		lines = append(lines, fmt.Sprint(p.Board, " ", first.Name, " ", second.Name, " ", p.Result.Kind))
	}
	return lines
}

// result enters what the home club's player of a board got in the last round.
func result(t *testing.T, m *tournament.Tournament, board int, homeGets tournament.Outcome) {
	t.Helper()
	p := m.Rounds[len(m.Rounds)-1].Pairings[board-1]
	kind := tournament.Drawn
	first, _ := m.Entry(p.First)
	switch isFirst := first.Side == tournament.HomeSide; {
	case homeGets == tournament.Win && isFirst, homeGets == tournament.Loss && !isFirst:
		kind = tournament.FirstWins
	case homeGets != tournament.Draw:
		kind = tournament.SecondWins
	}
	if err := m.Enter(host, len(m.Rounds), board, kind, true, start); err != nil {
		t.Fatal(err)
	}
	m.Conclude(start)
}

func TestFirstAlternatesOverTheBoardsAndTheSecondRoundReversesIt(t *testing.T) {
	t.Parallel()
	m := begun(t, 4, 4, func(s *tournament.Settings) { s.Double = true })
	if diff := cmp.Diff([]string{"1 h1 g1 ", "2 g2 h2 ", "3 h3 g3 ", "4 g4 h4 "}, pair(t, m)); diff != "" {
		t.Error(diff)
	}
	for board := 1; board <= 4; board++ {
		result(t, m, board, tournament.Draw)
	}
	if diff := cmp.Diff([]string{"1 g1 h1 ", "2 h2 g2 ", "3 g3 h3 ", "4 h4 g4 "}, pair(t, m)); diff != "" {
		t.Error(diff)
	}
}

func TestBoardsByRating(t *testing.T) {
	t.Parallel()
	m := begun(t, 4, 4, func(s *tournament.Settings) { s.Numbering = tournament.ByRating })
	if diff := cmp.Diff([]string{"1 h4 g4 ", "2 g3 h3 ", "3 h2 g2 ", "4 g1 h1 "}, pair(t, m)); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyBoardsAreForfeited(t *testing.T) {
	t.Parallel()
	m := begun(t, 4, 2, nil)
	if diff := cmp.Diff([]string{"1 h1 g1 ", "2 g2 h2 ", "3 h3 — +/-", "4 — h4 -/+"}, pair(t, m)); diff != "" {
		t.Error(diff)
	}
	result(t, m, 1, tournament.Loss)
	result(t, m, 2, tournament.Draw)
	s := clubmatch.Of(m)
	if !s.Over || s.Points != [2]tournament.Score{25, 15} || s.Winner != tournament.HomeSide || s.By != clubmatch.Points {
		t.Errorf("%+v", s)
	}
}

func TestWhoWinsAMatch(t *testing.T) {
	t.Parallel()
	const w, d, l = tournament.Win, tournament.Draw, tournament.Loss
	for _, test := range []struct {
		name   string
		boards []tournament.Outcome // of the home club
		points [2]tournament.Score
		berlin [2]int // in tenths: board 1 of 4 counts four times
		winner tournament.Side
		by     clubmatch.By
	}{
		{"more board points", []tournament.Outcome{l, w, w, d}, [2]tournament.Score{25, 15}, [2]int{55, 45}, tournament.HomeSide, clubmatch.Points},
		{"equal points: the upper boards", []tournament.Outcome{l, w, d, d}, [2]tournament.Score{20, 20}, [2]int{45, 55}, tournament.GuestSide, clubmatch.Berlin},
		{"equal again: the first board that is not even", []tournament.Outcome{w, l, l, w}, [2]tournament.Score{20, 20}, [2]int{50, 50}, tournament.HomeSide, clubmatch.TopBoard},
		{"all even: drawn", []tournament.Outcome{d, d, d, d}, [2]tournament.Score{20, 20}, [2]int{50, 50}, 0, clubmatch.Nothing},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := begun(t, 4, 4, nil)
			pair(t, m)
			for i, o := range test.boards {
				if s := clubmatch.Of(m); s.Over || s.By != 0 {
					t.Errorf("decided after %d boards", i)
				}
				result(t, m, i+1, o)
			}
			s := clubmatch.Of(m)
			if s.Points != test.points || s.Berlin != test.berlin || s.Winner != test.winner || s.By != test.by {
				t.Errorf("points %v, Berlin %v, winner %d by %v", s.Points, s.Berlin, s.Winner, s.By)
			}
		})
	}
}

func TestAFieldThatIsNotNumberedByBoards(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]tournament.Field{
		"a gap":           {Rounds: 1, Players: []tournament.FieldPlayer{{Number: 1}, {Number: 3}}},
		"an odd one":      {Rounds: 1, Players: []tournament.FieldPlayer{{Number: 1}, {Number: 2}, {Number: 3}}},
		"no rounds left":  {Rounds: 1, Played: 1, Players: []tournament.FieldPlayer{{Number: 1}, {Number: 2}}},
		"numbers below 1": {Rounds: 1, Players: []tournament.FieldPlayer{{Number: 0}, {Number: 1}}},
	} {
		if _, err := (clubmatch.Table{}).Pair(f); err == nil {
			t.Errorf("%s is paired", name)
		}
	}
}

func TestFaultsOfAClubMatch(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*tournament.Settings){
		"opponentId": func(s *tournament.Settings) { s.OpponentID = "lion" },
		"boards":     func(s *tournament.Settings) { s.Boards = 0 },
		"lineUpsBy":  func(s *tournament.Settings) { s.LineUpsBy = time.Time{} },
		"numbering":  func(s *tournament.Settings) { s.Numbering = tournament.Lots },
	} {
		s := tournament.DefaultSettings(tournament.ClubMatch)
		s.Name, s.ClubID, s.OpponentID, s.Boards, s.LineUpsBy = "Match", "lion", "dragon", 4, start
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&s)
		var list *refusal.Error
		if err := s.Validate(); !errors.As(err, &list) || list.Faults[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
