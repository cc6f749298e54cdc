package tiebreak_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
)

// cells reads a row such as "2w1 3b= H 4w-": opponent, seat, result, or a bye.
func cells(text string) (row []tournament.RoundResult) {
	outcomes := map[string]tournament.Outcome{
		"1": tournament.Win, "=": tournament.Draw, "0": tournament.Loss, "+": tournament.ForfeitWin, "-": tournament.ForfeitLoss,
		"U": tournament.PairingBye, "F": tournament.FullBye, "H": tournament.HalfBye, "Z": tournament.ZeroBye, "*": tournament.Unfinished,
	}
	for _, word := range strings.Fields(text) {
		c := tournament.RoundResult{Outcome: outcomes[word[len(word)-1:]]}
		if len(word) > 1 {
			c.Opponent = int(word[0] - '0')
			c.Seat = match.First
			if word[1] == 'b' {
				c.Seat = match.Second
			}
		}
		row = append(row, c)
	}
	return row
}

// event is a field of rows; ratings are 2000, 1900, 1800… by number.
func event(rows ...string) tournament.Field {
	f := tournament.Field{Points: tournament.StandardPoints()}
	for i, row := range rows {
		p := tournament.FieldPlayer{Number: i + 1, Rating: 2000 - 100*i, Rounds: cells(row)}
		f.Played = max(f.Played, len(p.Rounds))
		f.Players = append(f.Players, p)
	}
	f.Rounds = f.Played
	return f
}

// values is the value of one code by number.
func values(t *testing.T, f tournament.Field, code string) map[int]string {
	t.Helper()
	table, err := tiebreak.Standings(f, codes(t, code))
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]string{}
	for _, s := range table {
		got[s.Number] = s.Values[0].String()
	}
	return got
}

func TestReadingsOfTheRules(t *testing.T) {
	t.Parallel()
	// 1 beats 2, forfeits to 3, has a half-point bye; 2 withdraws after round 1.
	swiss := event(
		"2w1 3b- H",
		"1b0 Z Z",
		"4w= 1w+ 4b1",
		"3b= U 3w0",
	)
	threePoints := event("2w1 3b=", "1b0 U", "H 1w=")
	threePoints.Points = tournament.PointSystem{Win: 30, Draw: 10, ForfeitWin: 30, FullBye: 30, HalfBye: 10, PairBye: 30}
	robin := event("4w1 3b+ 2w=", "3w= 4b1 1b=", "2b= 1w- 4w1", "1b0 2w0 3b0")
	robin.RoundRobin = true
	capped := event("2w1 2b0", "1b0 1w1")
	capped.Players[0].Rounds[0].Difference, capped.Players[1].Rounds[0].Difference = 1012, -1012
	capped.Players[0].Rounds[1].Difference, capped.Players[1].Rounds[1].Difference = -30, 30
	running := event("2w1 3b*", "1b0 U", "Z 1w*")
	running.Rounds = 5
	cases := []struct {
		name   string
		field  tournament.Field
		code   string
		number int
		want   string
	}{
		// Player 2: 0 points; the byes in their tail count as draws for opponents: 1.
		// Player 1's own rounds: 2 gives 1; the forfeit a dummy min(1.5, 3 has 2.5) = 1.5; the bye min(1.5, 1.5).
		{"a withdrawn opponent's trailing byes are draws", swiss, "BH", 1, "4"},
		// Player 2: 1 has 1.5, of which the half-point bye in the last round stays a draw; dummies of 0.
		{"a dummy has no more than the player's own score", swiss, "BH", 2, "1.5"},
		// Player 4: own 1.5; 3 has 2.5 twice; bye min(1.5, 0.5·3).
		{"a bye's dummy is capped at a draw in every round", swiss, "BH", 4, "6.5"},
		// VUR contributions of 1 are 1.5 and 1.5, not below the lowest value 1: one of them goes.
		{"a voluntarily unplayed round is cut first", swiss, "BH/C1", 1, "2.5"},
		// Without the preference the high cut takes the highest left: 1 and 1.5 are left, 1.5 goes.
		{"the high cut knows no preference", swiss, "BH/M1", 1, "1"},
		{"with P the forfeit counts the scheduled opponent", swiss, "BH/P", 1, "5"},
		// Fore: 4 drew 3 in round 3 instead, so 3 has 2 and 4 has 2; bye min(2, 1.5).
		{"Fore Buchholz draws the last round", swiss, "FB", 4, "5.5"},
		{"Sonneborn-Berger multiplies the points", swiss, "SB", 1, "1.75"}, // 1·1 + 0·1.5 + ½·1.5
		{"an average without a game is undefined", event("U", "3w1", "2b0"), "AOB", 1, "-"},
		{"AOB takes opponents over the board only", swiss, "AOB", 1, "1.5"},

		{"WIN counts rounds worth a win, played or not", swiss, "WIN", 3, "2"},
		{"WON counts games won", swiss, "WON", 3, "1"},
		{"BPG counts games opened by the opponent", swiss, "BPG", 3, "1"},
		{"BWG counts those won", swiss, "BWG", 3, "1"},
		{"REP leaves out requested byes and forfeit losses", swiss, "REP", 1, "1"},
		{"PS adds up the running score", swiss, "PS", 1, "3.5"},
		{"PS/C1 leaves out the first round", swiss, "PS/C1", 1, "2.5"},
		{"STD counts a three-point win as one", threePoints, "STD", 1, "1.5"},
		{"a bye worth a win is a standard point", threePoints, "STD", 2, "1"},

		{"ARO is the mean rating over the board", swiss, "ARO", 3, "1700"},
		// One and a half of two is 75 %, dp 193.
		{"TPR adds the difference of the percentage", swiss, "TPR", 3, "1893"},
		// 1.5 of 2 against 1700 twice: 75 % needs 189 more.
		{"PTP is the lowest rating with that expectation", swiss, "PTP", 3, "1889"},
		{"PTP without a point is 800 below the weakest opponent", swiss, "PTP", 2, "1200"},
		{"APRO averages the opponents' TPR", swiss, "APRO", 2, "2700"}, // 1 won their only game against 1900: +800
		{"TPR without a game is undefined", event("U", "3w1", "2b0"), "TPR", 1, "-"},

		{"in a round robin a forfeit is a game", robin, "SB", 1, "2.5"}, // 1·0 + 1·1.5 + ½·2
		{"a rest is no part of a round robin's sum", func() tournament.Field {
			f := event("2w1 Z 3b=", "1b0 3w1 Z", "Z 2b0 1w=")
			f.RoundRobin = true
			return f
		}(), "SB", 1, "1.25"}, // 1·1 + ½·½
		{"Koya counts points against those with half the maximum", robin, "KS", 1, "1.5"},
		{"a moved limit lets others in", robin, "KS/L-3", 1, "2.5"},
		{"the difference of a match is capped", capped, "CPD", 1, "70"},
		{"another cap", capped, "CPD/10", 1, "0"},

		{"a game still going on is no part of Buchholz", running, "BH", 1, "1"}, // 2 has 1 from their bye
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := values(t, c.field, c.code)[c.number]; got != c.want {
				t.Errorf("%s of %d is %s, want %s", c.code, c.number, got, c.want)
			}
		})
	}
}

func TestDirectEncounter(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		field tournament.Field
		code  string
		want  map[int]string // by number
	}{
		{"who won the game is first", event("2w1 Z", "1b0 F"), "DE", map[int]string{1: "1", 2: "2"}},
		{"a circle stays tied", event("2w1 3b0", "1b0 3w1", "1w1 2b0"), "DE", map[int]string{1: "1", 2: "1", 3: "1"}},
		// All have 2: 1 beat 2 and 3; 2 and 3 drew.
		{"those still equal share the next place", event("2w1 3b1 Z Z", "1b0 F 3w= H", "F 1w0 2b= H"), "DE",
			map[int]string{1: "1", 2: "2", 3: "2"}},
		// 1 beat 2, nobody met 3: whoever 3 would beat, nobody is safe.
		{"a missing game may change everything", event("2w1", "1b0 F", "F"), "DE", map[int]string{1: "1", 2: "1", 3: "1"}},
		// 1 beat both; 2 and 3 have not met and cannot reach them; they stay tied.
		{"who is first whatever happens is first", event("2w1 3b1 Z", "1b0 F F", "F 1w0 F"), "DE",
			map[int]string{1: "1", 2: "2", 3: "2"}},
		{"a forfeited game is no meeting", event("2w+ Z", "1b- F"), "DE", map[int]string{1: "1", 2: "1"}},
		{"with P it is one", event("2w+ Z", "1b- F"), "DE/P", map[int]string{1: "1", 2: "2"}},
		{"several games are averaged", event("2w1 2b0 2w= Z", "1b0 1w1 1b= Z"), "DE", map[int]string{1: "1", 2: "1"}},
		{"who is tied with nobody is first of one", event("2w1", "1b0"), "DE", map[int]string{1: "1", 2: "1"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := values(t, c.field, c.code); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestDirectEncounterBreaksWhatIsLeftTied(t *testing.T) {
	t.Parallel()
	// All have a point; WIN puts 3 last, and 2 won against 1.
	table, err := tiebreak.Standings(event("2b0 F", "1w1 Z", "H H"), codes(t, "WIN,DE"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		number int
		tied   []int
	}{{2, []int{1, 2}}, {1, []int{1, 2}}, {3, []int{3}}} {
		if got := table[i]; got.Rank != i+1 || got.Number != want.number || !slices.Equal(got.Why[1].Tied, want.tied) {
			t.Errorf("rank %d is %d, tied with %v; want %v", got.Rank, got.Number, got.Why[1].Tied, want)
		}
	}
}

func TestRanksAreSharedOnlyByEquals(t *testing.T) {
	t.Parallel()
	f := event("2w1 3b=", "1b0 H", "H 1w=")
	table, err := tiebreak.Standings(f, codes(t, "BPG"))
	if err != nil {
		t.Fatal(err)
	}
	// Scores 1½, ½, 1.
	var got [][2]int
	for _, s := range table {
		got = append(got, [2]int{s.Rank, s.Number})
	}
	if want := [][2]int{{1, 1}, {2, 3}, {3, 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
	tied, err := tiebreak.Standings(event("2w=", "1b="), codes(t, "WIN,DE,SB"))
	if err != nil {
		t.Fatal(err)
	}
	if tied[0].Rank != 1 || tied[1].Rank != 1 {
		t.Errorf("equals have ranks %d and %d", tied[0].Rank, tied[1].Rank)
	}
	lots, err := tiebreak.Standings(event("2w=", "1b="), codes(t, "TPN/R"))
	if err != nil {
		t.Fatal(err)
	}
	if lots[0].Number != 2 || lots[1].Rank != 2 {
		t.Errorf("by number downwards %v", lots)
	}
}

func TestExplanationsAddUp(t *testing.T) {
	t.Parallel()
	f := field(t, "sw-all-01")
	list := codes(t, "BH/C1,BH/M1,FB,SB/C2,PS/C1,KS,WIN,STD,REP,AOB,ARO/C1")
	table, err := tiebreak.Standings(f, list)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range table {
		for k, c := range list {
			var sum int64
			cuts := 0
			for _, term := range s.Why[k].Terms {
				if term.Cut {
					cuts++
					continue
				}
				sum += term.Worth.Hundredths
			}
			got := s.Values[k]
			if n := int64(s.Why[k].Divided); n > 0 {
				// Averages are within half a unit of the rounding of the sum.
				if d := got.Hundredths*n - sum; d > 50*n || d < -50*n {
					t.Errorf("%s of %d is %v, the terms give %d/%d", c, s.Number, got, sum, n)
				}
				continue
			}
			if got.Hundredths != sum {
				t.Errorf("%s of %d is %v, the terms give %d", c, s.Number, got, sum)
			}
			if c.Kind.Code == "BH" && cuts != c.Low+c.High {
				t.Errorf("%s of %d cuts %d", c, s.Number, cuts)
			}
		}
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"bh/c1": "BH/C1", "BH-C1": "BH/C1", "BH/M2/P": "BH/M2/P", "BH/P/C1": "BH/C1/P", "KS/L1": "KS/L+1", "KS/L-2": "KS/L-2",
		" SB ": "SB", "AOB/F": "AOB/F", "TPR/U1500": "TPR/U1500", "CPD": "CPD", "CPD/30": "CPD/30", "RTNG/R": "RTNG/R",
	} {
		c, err := tiebreak.Parse(text)
		if err != nil || c.String() != want {
			t.Errorf("%q reads as %q, %v; want %q", text, c, err, want)
		}
	}
	for _, text := range []string{"", "XX", "BH/", "BH/C", "BH/C0", "BH/C1/C1", "BH/C1/M1", "WIN/C1", "BH/P1", "KS/L0", "SB/F", "CPD/0", "DE/C1", "BH/X"} {
		if c, err := tiebreak.Parse(text); err == nil {
			t.Errorf("%q reads as %q", text, c)
		}
	}
	if _, err := tiebreak.ParseList("BH,SB,nonsense"); err == nil {
		t.Error("a list with an unknown code was read")
	}
	for _, k := range tiebreak.Kinds() {
		if c, err := tiebreak.ParseForTeams(k.Code); (err != nil || c.String() != k.Code) && k.Teams {
			t.Errorf("%s: %q, %v", k.Code, c, err)
		} else if k.Teams {
			continue
		}
		if c, err := tiebreak.Parse(k.Code); err != nil || c.String() != k.Code || k.Name == "" {
			t.Errorf("%s: %q, %v", k.Code, c, err)
		}
	}
}

// A code that can be chosen has a value in some tournament: a row without a computation
// would give everybody nothing.
func TestEveryOfferedTiebreakSeparatesSomebody(t *testing.T) {
	t.Parallel()
	offered := tiebreak.Offered()
	if want := []string{"BH/C1", "BH", "SB", "DE", "WIN", "KS"}; !slices.Equal(offered[:6], want) {
		t.Errorf("offered first: %v; want the default lists, %v", offered[:6], want)
	}
	for _, k := range tiebreak.Kinds() {
		if !slices.Contains(offered, k.Code) && k.Code != "PTS" && !k.Teams {
			t.Errorf("%s cannot be chosen", k.Code)
		}
	}
	varied := event("2w1 3b- H 4w1 5b0", "1b0 Z Z 5w0 4b0", "4w= 1w+ 4b1 U 6w1", "3b= U 3w0 1b0 2w1", "6w0 6b0 6w= 2b1 1w1", "5b1 5w1 5b= H 3b0")
	level := event("2w1 3b0 4w=", "1b0 4w1 3w=", "4w1 1w1 2b=", "3b0 2b0 1b=") // 1 and 2 are level, and 1 beat 2
	varied.Players[0].Rounds[0].Difference, varied.Players[1].Rounds[0].Difference = 7, -7
	for _, text := range offered {
		code, err := tiebreak.Parse(text)
		if err != nil {
			t.Errorf("%s is offered: %v", text, err)
			continue
		}
		separates := func(f tournament.Field) bool {
			table, err := tiebreak.Standings(f, []tiebreak.Code{code})
			if err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(table, func(s tiebreak.Standing) bool { return s.Values[0] != table[0].Values[0] })
		}
		if !separates(varied) && !separates(level) {
			t.Errorf("%s: everybody has the same", text)
		}
	}
}

func TestContradictoryFieldsAreRefused(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]tournament.Field{
		"an opponent from nowhere": event("9w1"),
		"a number twice":           {Players: []tournament.FieldPlayer{{Number: 1}, {Number: 1}}},
	} {
		if _, err := tiebreak.Standings(f, nil); !errors.Is(err, tiebreak.ErrField) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStandingsDoNotDependOnTheOrderOfPlayers(t *testing.T) {
	t.Parallel()
	f := field(t, "sw-all-02")
	list := codes(t, "BH/C1,BH,SB,DE,AOB,FB/C1,ARO,TPR,PTP,APRO,APPO,PS,KS,REP,STD")
	want, err := tiebreak.Standings(f, list)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		shuffled := f
		shuffled.Players = rapid.Permutation(f.Players).Draw(t, "players")
		got, err := tiebreak.Standings(shuffled, list)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\nwant\n%v", got, want)
		}
	})
}

func BenchmarkStandings(b *testing.B) {
	f := field(b, "sw-late-03")
	list := codes(b, "BH/C1,BH,SB,DE,APRO")
	for b.Loop() {
		if _, err := tiebreak.Standings(f, list); err != nil {
			b.Fatal(err)
		}
	}
}
