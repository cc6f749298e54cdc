package league_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/tournament/league"
)

var sixes = league.Rule{Least: 4, Usual: 6, Most: 8}

// table makes a frozen table of one-letter members; a small letter has left.
func table(letters string) (t league.Table) {
	for _, c := range letters {
		name := string(c)
		t = append(t, league.Row{Member: league.Member(strings.ToUpper(name)), Left: name != strings.ToUpper(name)})
	}
	return t
}

// enter enters one-letter members, all rated alike.
func enter(letters string) (list []league.Entrant) {
	for _, c := range letters {
		list = append(list, league.Entrant{Member: league.Member(string(c)), Rating: 1500})
	}
	return list
}

func letters(d league.Draft) (out []string) {
	for _, list := range d.Divisions {
		text := ""
		for _, x := range list {
			text += string(x.Member)
		}
		out = append(out, text)
	}
	return out
}

func place(t *testing.T, r league.Rule, last []league.Table, offs []league.PlayOff, enter []league.Entrant) league.Draft {
	t.Helper()
	d, err := league.PlaceSeason(r, last, offs, enter)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSeasonsFollowFromFrozenTables(t *testing.T) {
	three := []league.Table{table("ABCDEF"), table("GHIJKL"), table("MNOPQR")}
	for name, c := range map[string]struct {
		rule  league.Rule
		last  []league.Table
		offs  []league.PlayOff
		enter string
		want  []string
		warns []league.WarningKind
	}{
		"the last of each and the first of the next change places": {
			sixes, three, nil, "ABCDEFGHIJKLMNOPQR", []string{"ABCDEG", "FHIJKM", "LNOPQR"}, nil},
		"a hole is filled from below in the order of the table": { // B leaves: after G, H rises too, and then N
			sixes, three, nil, "ACDEFGHIJKLMNOPQR", []string{"ACDEGH", "FIJKMN", "LOPQR"}, nil},
		"whoever went down goes down even if somebody leaves above them": {
			sixes, []league.Table{table("ABCDEF"), table("GHIJKL")}, nil, "ABCDFGHIJKL", []string{"ABCDGH", "FIJKL"}, nil},
		"the first who left passes the promotion on": {
			sixes, []league.Table{table("ABCDEF"), table("gHIJKL")}, nil, "ABCDEFHIJKL", []string{"ABCDEH", "FIJKL"}, nil},
		"only where nobody is left to rise is a relegation waived": {
			league.Rule{Least: 3, Usual: 3, Most: 6}, []league.Table{table("ABC"), table("DEF"), table("GHI")}, nil, "ABCGHI",
			[]string{"ABC", "GHI"}, []league.WarningKind{league.Waived}},
		"a play-off is one more exchange where the lower one wins": {
			league.Rule{Least: 4, Usual: 6, Most: 8, PlayOff: true}, []league.Table{table("ABCDEF"), table("GHIJKL")},
			[]league.PlayOff{{Upper: 1, Stays: "E", Rises: "H", Winner: "H"}}, "ABCDEFGHIJKL", []string{"ABCDGH", "EFIJKL"}, nil},
		"and none where the upper one wins": {
			league.Rule{Least: 4, Usual: 6, Most: 8, PlayOff: true}, []league.Table{table("ABCDEF"), table("GHIJKL")},
			[]league.PlayOff{{Upper: 1, Stays: "E", Rises: "H", Winner: "E"}}, "ABCDEFGHIJKL", []string{"ABCDEG", "FHIJKL"}, nil},
		"two change places where the rule says so": {
			league.Rule{Least: 5, Usual: 6, Most: 8, Movers: 2}, []league.Table{table("ABCDEF"), table("GHIJKL")}, nil, "ABCDEFGHIJKL",
			[]string{"ABCDGH", "EFIJKL"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := place(t, c.rule, c.last, c.offs, enter(c.enter))
			if got := letters(d); !slices.Equal(got, c.want) {
				t.Errorf("divisions %v, want %v", got, c.want)
			}
			var kinds []league.WarningKind
			for _, w := range d.Warnings {
				kinds = append(kinds, w.Kind)
			}
			if !slices.Equal(slices.Compact(kinds), c.warns) {
				t.Errorf("warnings %v, want %v", d.Warnings, c.warns)
			}
		})
	}
}

func TestTheFirstSeasonIsDividedByRating(t *testing.T) {
	var list []league.Entrant
	for i := range 20 {
		list = append(list, league.Entrant{Member: league.Member(fmt.Sprintf("p%02d", i)), Rating: 2000 - 10*i})
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	d := place(t, sixes, nil, nil, list)
	var sizes []int
	next := 0
	for _, div := range d.Divisions {
		sizes = append(sizes, len(div))
		for _, x := range div {
			if want := league.Member(fmt.Sprintf("p%02d", next)); x.Member != want || x.Way != league.Newcomer {
				t.Errorf("%v stands where %s belongs", x, want)
			}
			next++
		}
	}
	if !slices.Equal(sizes, []int{7, 7, 6}) {
		t.Errorf("sizes %v", sizes)
	}
}

func TestNewcomersJoinTheLowestDivisionWithSomebodyAsStrong(t *testing.T) {
	last := []league.Table{table("ABCD"), table("EFGH")}
	list := enter("ABCDEFGH")
	for i := range list {
		list[i].Rating = 1900 - 100*i // A 1900 … H 1200; D goes down, E rises
	}
	for _, c := range []struct {
		rating, want int
	}{{1000, 2}, {1600, 2}, {1650, 1}, {2500, 1}} {
		d := place(t, sixes, last, nil, append(slices.Clone(list), league.Entrant{Member: "new", Rating: c.rating}))
		for i, div := range d.Divisions {
			if at := slices.IndexFunc(div, func(x league.Place) bool { return x.Member == "new" }); at >= 0 && i+1 != c.want {
				t.Errorf("somebody new of %d plays in division %d, want %d", c.rating, i+1, c.want)
			}
		}
	}
}

func TestOversizedDivisionsPushTheFreestAndWeakestDown(t *testing.T) {
	rule := league.Rule{Least: 3, Usual: 4, Most: 5}
	last := []league.Table{table("ABCD"), table("EFGH")}
	list := append(enter("ABCDEFGH"), league.Entrant{Member: "R", Rating: 1400, Last: 1}, league.Entrant{Member: "X", Rating: 2000},
		league.Entrant{Member: "Y", Rating: 1900})
	// D goes down, E rises. X and Y are stronger than all, so the first division has seven: Y and then X go down before R,
	// who returns. The second has six then, pushes Y on, and gives X to the third, which is still one too small.
	d := place(t, rule, last, nil, list)
	if got := letters(d); !slices.Equal(got, []string{"ABCER", "DFGH", "XY"}) {
		t.Errorf("divisions %v", got)
	}
	if want := []league.Warning{{Kind: league.TooSmall, Division: 3, Size: 2}}; !slices.Equal(d.Warnings, want) {
		t.Errorf("warnings %v", d.Warnings)
	}
}

func TestAPlayOffIsBetweenTheTwoAtTheLine(t *testing.T) {
	rule := league.Rule{Least: 4, Usual: 6, Most: 8, PlayOff: true}
	got := rule.PlayOffs([]league.Table{table("ABCDeF"), table("gHiJKL"), table("MNOPQR")})
	want := []league.PlayOff{{Upper: 1, Stays: "D", Rises: "J"}, {Upper: 2, Stays: "K", Rises: "N"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("play-offs %v, want %v", got, want)
	}
	if err := league.Decide(got, 1, "K"); !errors.Is(err, league.ErrNoSuchOff) {
		t.Error("somebody else won a play-off:", err)
	}
	_, err := league.PlaceSeason(rule, []league.Table{table("ABCDEF"), table("GHIJKL")}, got[:1], enter("ABCDEFGHIJKL"))
	if !errors.Is(err, league.ErrPlayOff) {
		t.Error("a season was placed while a play-off ran:", err)
	}
}

func TestBadRulesAndListsAreRefused(t *testing.T) {
	for _, c := range []struct {
		rule league.Rule
		want error
	}{
		{league.Rule{Least: 2, Usual: 6, Most: 8}, league.ErrSizes}, {league.Rule{Least: 4, Usual: 3, Most: 8}, league.ErrSizes},
		{league.Rule{Least: 4, Usual: 6, Most: 201}, league.ErrSizes}, {league.Rule{Least: 4, Usual: 6, Most: 8, Movers: 2}, league.ErrMovers},
		{league.Rule{Least: 4, Usual: 6, Most: 8, Movers: -1}, league.ErrMovers},
		{league.Rule{Least: 3, Usual: 6, Most: 8, PlayOff: true}, league.ErrPlayOffs},
		{sixes, nil},
	} {
		if err := c.rule.Validate(); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.rule, err, c.want)
		}
	}
	for _, c := range []struct {
		last  []league.Table
		enter string
		want  error
	}{
		{nil, "ABCA", league.ErrTwice}, {[]league.Table{table("ABC"), table("CDE")}, "ABCDE", league.ErrTwice}, {nil, "AB", league.ErrNobody},
	} {
		if _, err := league.PlaceSeason(sixes, c.last, nil, enter(c.enter)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.enter, err, c.want)
		}
	}
}

func TestOrganizersShiftByHand(t *testing.T) {
	d := place(t, sixes, []league.Table{table("ABCDEF"), table("GHIJKL")}, nil, enter("ABCDEFGHIJKL"))
	got, err := d.Shift("F", 1)
	if err != nil || !slices.Equal(letters(got), []string{"ABCDEGF", "HIJKL"}) || got.Divisions[0][6].Way != league.Stayed {
		t.Errorf("%v %v", letters(got), err)
	}
	if !slices.Equal(letters(d), []string{"ABCDEG", "FHIJKL"}) {
		t.Error("the draft itself changed:", letters(d))
	}
	if _, err := d.Shift("F", 3); !errors.Is(err, league.ErrNoDivision) {
		t.Error(err)
	}
	if _, err := d.Shift("Z", 1); !errors.Is(err, league.ErrNotIn) {
		t.Error(err)
	}
}

// A decade of seasons in which people leave, return and join: everybody who enters plays in one division, nobody
// moves two, and the same tables and entrants give the same draft.
func TestADecadeOfSeasonsConservesPlayers(t *testing.T) {
	for seed := range uint64(300) {
		chance := rand.New(rand.NewPCG(seed, 33))
		rule := league.Rule{Least: 4 + chance.IntN(3), Usual: 7, Most: 9 + chance.IntN(4), PlayOff: chance.IntN(2) == 0}
		ratings, lastIn := map[league.Member]int{}, map[league.Member]int{}
		join := func() league.Member {
			m := league.Member(fmt.Sprintf("p%03d", len(ratings)))
			ratings[m] = 1000 + chance.IntN(1200)
			return m
		}
		var here []league.Member
		for range 18 {
			here = append(here, join())
		}
		var last []league.Table
		for season := range 10 {
			var list []league.Entrant
			for _, m := range here {
				list = append(list, league.Entrant{Member: m, Rating: ratings[m], Last: lastIn[m]})
			}
			offs := rule.PlayOffs(last)
			for i := range offs {
				offs[i].Winner = []league.Member{offs[i].Stays, offs[i].Rises}[chance.IntN(2)]
			}
			d := place(t, rule, last, offs, list)
			shuffled := slices.Clone(list)
			chance.Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
			if again := place(t, rule, last, offs, shuffled); !reflect.DeepEqual(d, again) {
				t.Fatalf("seed %d, season %d: another order of entrants gives another draft", seed, season)
			}
			seen := map[league.Member]bool{}
			last = nil
			for i, div := range d.Divisions {
				var table league.Table
				for _, x := range div {
					if seen[x.Member] || x.To != i+1 {
						t.Fatalf("seed %d, season %d: %v is placed twice or said to play elsewhere", seed, season, x)
					}
					seen[x.Member] = true
					move := map[league.Way]int{league.Promoted: -1, league.Relegated: 1}[x.Way]
					if x.From > 0 && x.To-x.From != move {
						t.Fatalf("seed %d, season %d: %v", seed, season, x)
					}
					lastIn[x.Member] = x.To
					table = append(table, league.Row{Member: x.Member})
				}
				chance.Shuffle(len(table), func(i, k int) { table[i], table[k] = table[k], table[i] })
				last = append(last, table)
			}
			if len(seen) != len(here) {
				t.Fatalf("seed %d, season %d: %d of %d play", seed, season, len(seen), len(here))
			}
			here = slices.DeleteFunc(here, func(league.Member) bool { return chance.IntN(12) == 0 })
			for m := range ratings { // somebody returns
				if !slices.Contains(here, m) && len(here) < 20 {
					here = append(here, m)
					break
				}
			}
			for len(here) < 16 || chance.IntN(3) == 0 {
				here = append(here, join())
			}
		}
	}
}
