package prize

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// field is players by their scores in the order of the standings: number, rank, score.
func field(scores ...int) []Player {
	list := make([]Player, len(scores))
	for i, s := range scores {
		list[i] = Player{Number: i + 1, Rank: i + 1, Score: s}
	}
	return list
}

func amounts(r Result) (list []int64) {
	for _, a := range r.Awards {
		list = append(list, a.Amount)
	}
	return list
}

func TestHortGivesHalfOfTheOwnPlaceAndAPartOfHalfOfAll(t *testing.T) {
	for _, c := range []struct {
		name    string
		sharing Sharing
		places  []int64
		scores  []int
		want    []int64
	}{
		// Three tied for 600, 300, 150: the pool is 1050, a third of it 350. Hort: 300+175,
		// 150+175, 75+175.
		{"three tied by Hort", Hort, []int64{600, 300, 150}, []int{9, 9, 9}, []int64{475, 325, 250}},
		{"three tied equally", Equal, []int64{600, 300, 150}, []int{9, 9, 9}, []int64{350, 350, 350}},
		{"three tied, and tie-breaks decide", Alone, []int64{600, 300, 150}, []int{9, 9, 9}, []int64{600, 300, 150}},
		// In cents. 100 and 80 share 180: 50+45, 40+45. 60 is alone. 40, 20, 10 share 70: half of
		// it in three is 11 2/3, so 31 2/3, 21 2/3, 16 2/3: rounded down they are two cents short
		// of 70.00, which go to the two who stand highest.
		{"groups of two, one and three", Hort, []int64{100_00, 80_00, 60_00, 40_00, 20_00, 10_00}, []int{9, 9, 8, 7, 7, 7},
			[]int64{95_00, 85_00, 60_00, 31_67, 21_67, 16_66}},
		// Four tied for second with 300 and 150: half of 450 in four is 56.25 each, and
		// half of the own place.
		{"more are tied than there are prizes", Hort, []int64{600_00, 300_00, 150_00}, []int{9, 8, 8, 8, 8, 7}, []int64{600_00, 206_25, 131_25, 56_25, 56_25}},
		{"a cent that cannot be divided", Equal, []int64{100}, []int{9, 9, 9}, []int64{34, 33, 33}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Allot(Fund{Currency: "EUR", Places: c.places, Sharing: c.sharing}, field(c.scores...))
			if !slices.Equal(amounts(got), c.want) {
				t.Errorf("got %v, want %v", amounts(got), c.want)
			}
		})
	}
}

func TestARoundedShareSaysSo(t *testing.T) {
	got := Allot(Fund{Currency: "EUR", Places: []int64{100}, Sharing: Equal}, field(9, 9, 9)).Awards
	want := []Award{
		{Number: 1, Place: 1, Own: 100, Amount: 34, Shared: 3, Pool: 100, Rounded: 1},
		{Number: 2, Amount: 33, Shared: 3, Pool: 100},
		{Number: 3, Amount: 33, Shared: 3, Pool: 100},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A is a senior, B below 1500, C neither, D both. A takes the first place, B 60 rather
// than the 50 of the rating group, C the third place; D the rating group's, and as
// nobody has two prizes that of the seniors goes back.
func TestEverybodyHasOnePrizeTheLargest(t *testing.T) {
	players := []Player{
		{Number: 1, Rank: 1, Score: 9, Rating: 1900, Born: 1950}, {Number: 2, Rank: 2, Score: 8, Rating: 1480},
		{Number: 3, Rank: 3, Score: 7, Rating: 1700}, {Number: 4, Rank: 4, Score: 6, Rating: 1400, Born: 1955},
	}
	got := Allot(Fund{Currency: "EUR", Places: []int64{100, 60, 40}, Categories: []Category{
		{Kind: Under, Bound: 1500, Amounts: []int64{50}}, {Kind: Senior, Bound: 1960, Amounts: []int64{50}},
	}}, players)
	want := []Award{
		{Number: 1, Place: 1, Own: 100, Amount: 100, Shared: 1, Pool: 100}, {Number: 2, Place: 2, Own: 60, Amount: 60, Shared: 1, Pool: 60},
		{Number: 3, Place: 3, Own: 40, Amount: 40, Shared: 1, Pool: 40}, {Number: 4, List: 1, Place: 1, Own: 50, Amount: 50, Shared: 1, Pool: 50},
	}
	if !slices.Equal(got.Awards, want) {
		t.Errorf("got %+v, want %+v", got.Awards, want)
	}
	if !slices.Equal(got.Left, []Left{{2, 1, 50}}) || got.Paid() != 250 {
		t.Errorf("left %+v, paid %d; the seniors' 50 goes back and 250 is paid", got.Left, got.Paid())
	}
}

// The third takes 50 of the rating group rather than 40 of the third place, which
// goes to the fourth.
func TestWhoTakesACategoryLeavesThePlaceToTheNext(t *testing.T) {
	players := field(9, 8, 7, 6)
	players[2].Rating = 1400
	got := Allot(Fund{Currency: "EUR", Places: []int64{100, 60, 40}, Categories: []Category{{Kind: Under, Bound: 1500, Amounts: []int64{50}}}}, players)
	want := []Award{
		{Number: 1, Place: 1, Own: 100, Amount: 100, Shared: 1, Pool: 100}, {Number: 2, Place: 2, Own: 60, Amount: 60, Shared: 1, Pool: 60},
		{Number: 4, Place: 3, Own: 40, Amount: 40, Shared: 1, Pool: 40}, {Number: 3, List: 1, Place: 1, Own: 50, Amount: 50, Shared: 1, Pool: 50},
	}
	if !slices.Equal(got.Awards, want) {
		t.Errorf("got %+v, want %+v", got.Awards, want)
	}
}

// Numbers 2 and 3 have one rank: without sharing, 60 and 40 are still 50 each. And
// who shares the last paid place with somebody shares its prize.
func TestWhomNothingSeparatesShareEqually(t *testing.T) {
	players := field(9, 8, 8, 7)
	players[2].Rank = 2
	got := Allot(Fund{Currency: "EUR", Places: []int64{100, 60, 40}}, players)
	if want := []int64{100, 50, 50}; !slices.Equal(amounts(got), want) {
		t.Errorf("got %v, want %v", amounts(got), want)
	}
	got = Allot(Fund{Currency: "EUR", Places: []int64{100, 60}}, players)
	if want := []int64{100, 30, 30}; !slices.Equal(amounts(got), want) {
		t.Errorf("got %v, want %v", amounts(got), want)
	}
}

// Nobody came to the final of a knock-out: its two share the second place and its prize, what the others have stays as
// it is, and the first prize goes back. If one of the finalists has left, the other has the second prize, and the third
// and fourth stand behind one less.
func TestAPlaceThatNobodyHasIsNobodysPrize(t *testing.T) {
	finalists := func(out ...int) []Player {
		players := field(-2, -2, -3, -3)
		for i, rank := range []int{2, 2, 3, 3} {
			players[i].Rank, players[i].Out = rank, slices.Contains(out, i+1)
		}
		return players
	}
	fund := Fund{Currency: "EUR", Places: []int64{100, 60, 40, 20}}
	for _, c := range []struct {
		name string
		out  []int
		want []int64
		left []Left
	}{
		{"both are there", nil, []int64{30, 30, 30, 30}, []Left{{0, 1, 100}}},
		{"one has left", []int{1}, []int64{60, 30, 30}, []Left{{0, 1, 100}}},
		{"both have left", []int{1, 2}, []int64{50, 50}, []Left{{0, 1, 100}, {0, 4, 20}}},
	} {
		for _, sharing := range []Sharing{Alone, Equal, Hort} {
			fund.Sharing = sharing
			if got := Allot(fund, finalists(c.out...)); !slices.Equal(amounts(got), c.want) || !slices.Equal(got.Left, c.left) {
				t.Errorf("%s: %v, left %v, want %v, %v", c.name, amounts(got), got.Left, c.want, c.left)
			}
		}
	}
	// The first finalist takes 90 of the rating group rather than 60; the second has the second prize alone.
	players := finalists()
	players[0].Rating = 1400
	fund.Categories = []Category{{Kind: Under, Bound: 1500, Amounts: []int64{90}}}
	if got := Allot(fund, players); !slices.Equal(amounts(got), []int64{60, 30, 30, 90}) {
		t.Errorf("with a group: %v", amounts(got))
	}
}

// A knock-out's winner had a bye: the loser of the final has more points, the
// third as many as the winner. Between those two stands somebody else, so they share
// nothing: each has the prize of their place, and the sixth no part of the first's. The fourth and fifth are side by side with one
// score and share the fourth prize, by Hort 20 + 10 and 0 + 10.
func TestOnlyWhoStandSideBySideAreTied(t *testing.T) {
	players := field(6, 8, 6, 4, 4, 6)
	got := Allot(Fund{Currency: "EUR", Places: []int64{100, 80, 60, 40}, Sharing: Hort}, players)
	if want := []int64{100, 80, 60, 30, 10}; !slices.Equal(amounts(got), want) {
		t.Errorf("got %v, want %v", amounts(got), want)
	}
	if len(got.Awards) == 5 && got.Awards[0].Shared != 1 {
		t.Errorf("the winner shares with %d", got.Awards[0].Shared)
	}
}

// The second takes the rating group's 90 rather than the second place's 80. Those who
// stand around them with the same points are tied all the same: 100 and 80 are 180, half
// of it in two is 45 each, and half of their own.
func TestWhoTookACategoryDoesNotPartThoseTied(t *testing.T) {
	players := field(9, 9, 9, 7)
	players[1].Rating = 1400
	got := Allot(Fund{Currency: "EUR", Places: []int64{100, 80}, Sharing: Hort, Categories: []Category{{Kind: Under, Bound: 1500, Amounts: []int64{90}}}}, players)
	if want := []int64{95, 85, 90}; !slices.Equal(amounts(got), want) {
		t.Errorf("got %v, want %v", amounts(got), want)
	}
}

// Of a team event: two teams, and on board 1 three players of whom two have 2 points. By Hort of 100 and 60 these have 50 + 40
// and 30 + 40. Of the reserves one is there, so the second prize goes back. Teams have no part in it, nor have players in theirs.
func TestBoardsOfTeamsAreTablesOfTheirOwn(t *testing.T) {
	on := func(board int, players []Player) []Player {
		for i := range players {
			players[i].Board = board
		}
		return players
	}
	fund := Fund{Currency: "EUR", Places: []int64{300, 200, 100}, Sharing: Hort,
		Categories: []Category{{Kind: Reserve, Amounts: []int64{30, 20}}, {Kind: Under, Bound: 1500, Amounts: []int64{80}},
			{Kind: Board, Bound: 1, Amounts: []int64{100, 60}}, {Kind: Board, Bound: 2, Amounts: []int64{50}}}}
	if err := fund.Validate(); err != nil || fund.Total() != 940 {
		t.Fatalf("%v, %d in all", err, fund.Total())
	}
	one := on(1, field(2, 2, 1))
	one[2].Rating = 1400 // who is below the bound stands on a board: the group is of teams
	players := slices.Concat(on(Reserves, field(1)), one, field(4, 2))
	want := []Award{
		{Number: 1, Place: 1, Own: 300, Amount: 300, Shared: 1, Pool: 300}, {Number: 2, Place: 2, Own: 200, Amount: 200, Shared: 1, Pool: 200},
		{Number: 1, List: 1, Place: 1, Own: 30, Amount: 30, Shared: 1, Pool: 30},
		{Number: 1, List: 3, Place: 1, Own: 100, Amount: 90, Shared: 2, Pool: 160}, {Number: 2, List: 3, Place: 2, Own: 60, Amount: 70, Shared: 2, Pool: 160},
	}
	got := Allot(fund, players)
	if !slices.Equal(got.Awards, want) {
		t.Errorf("got %+v, want %+v", got.Awards, want)
	}
	if left := []Left{{0, 3, 100}, {1, 2, 20}, {2, 1, 80}, {4, 1, 50}}; !slices.Equal(got.Left, left) {
		t.Errorf("left %+v, want %+v", got.Left, left)
	}
}

func TestWhoLeftOrDidNotPlayGetsNothing(t *testing.T) {
	players := field(9, 8, 7)
	players[0].Out = true
	got := Allot(Fund{Currency: "EUR", Places: []int64{100, 60}}, players)
	if len(got.Awards) != 2 || got.Awards[0].Number != 2 || got.Awards[0].Amount != 100 || got.Awards[1].Number != 3 {
		t.Errorf("got %+v; the second is the first to be paid", got.Awards)
	}
}

func TestCategoriesAdmit(t *testing.T) {
	for _, c := range []struct {
		name string
		cat  Category
		who  Player
		want bool
	}{
		{"below the bound", Category{Kind: Under, Bound: 1500}, Player{Rating: 1499}, true},
		{"at the bound", Category{Kind: Under, Bound: 1500}, Player{Rating: 1500}, false},
		{"unrated", Category{Kind: Under, Bound: 1500}, Player{}, false},
		{"club, case and spaces aside", Category{Kind: Club, Club: "Клуб Дракон"}, Player{Club: " клуб  дракон "}, true},
		{"another club", Category{Kind: Club, Club: "Dragon"}, Player{Club: "Dragons"}, false},
		{"born in the year", Category{Kind: Youth, Bound: 2010}, Player{Born: 2010}, true},
		{"born before", Category{Kind: Youth, Bound: 2010}, Player{Born: 2009}, false},
		{"no year is no youth", Category{Kind: Youth, Bound: 2010}, Player{}, false},
		{"senior", Category{Kind: Senior, Bound: 1966}, Player{Born: 1966}, true},
		{"no year is no senior", Category{Kind: Senior, Bound: 1966}, Player{}, false},
	} {
		if got := c.cat.Admits(c.who); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestFundsThatCannotBe(t *testing.T) {
	good := Fund{Currency: "EUR", Places: []int64{100, 60}, Sharing: Hort, Categories: []Category{{Kind: Under, Bound: 1500, Amounts: []int64{50}}}}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	if err := (Fund{}).Validate(); err != nil {
		t.Errorf("no fund at all: %v", err)
	}
	for name, c := range map[string]struct {
		spoil func(*Fund)
		want  error
	}{
		"rising":          {func(f *Fund) { f.Places = []int64{60, 100} }, ErrAmounts},
		"nothing":         {func(f *Fund) { f.Places = []int64{100, 0} }, ErrAmounts},
		"no such money":   {func(f *Fund) { f.Currency = "XXX" }, ErrCurrency},
		"no such sharing": {func(f *Fund) { f.Sharing = "fair" }, ErrSharing},
		"no bound":        {func(f *Fund) { f.Categories[0].Bound = 0 }, ErrCategory},
		"no year":         {func(f *Fund) { f.Categories[0] = Category{Kind: Youth, Bound: 20, Amounts: []int64{1}} }, ErrCategory},
		"no amount":       {func(f *Fund) { f.Categories[0].Amounts = nil }, ErrAmounts},
		"twice":           {func(f *Fund) { f.Categories = append(f.Categories, f.Categories[0]) }, ErrTwice},
	} {
		f := good.Clone()
		c.spoil(&f)
		if err := f.Validate(); err != c.want {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// drawFund and drawField make any fund and any standings.
func drawFund(t *rapid.T) Fund {
	falling := func(name string, least int) []int64 {
		list := rapid.SliceOfN(rapid.Int64Range(1, 100_000), least, 6).Draw(t, name)
		slices.SortFunc(list, func(a, b int64) int { return int(b - a) })
		return list
	}
	f := Fund{Currency: "EUR", Places: falling("places", 0), Sharing: rapid.SampledFrom([]Sharing{Alone, Equal, Hort}).Draw(t, "sharing")}
	for _, c := range []Category{{Kind: Under, Bound: 1500}, {Kind: Club, Club: "A"}, {Kind: Youth, Bound: 2010}, {Kind: Senior, Bound: 1966}} {
		if rapid.Bool().Draw(t, "has "+string(c.Kind)) {
			c.Amounts = falling(string(c.Kind), 1)
			f.Categories = append(f.Categories, c)
		}
	}
	return f
}

func drawField(t *rapid.T) []Player {
	n := rapid.IntRange(0, 12).Draw(t, "players")
	list := make([]Player, n)
	score, rank := 20, 1
	for i := range list {
		if i > 0 && rapid.Bool().Draw(t, "falls") {
			score--
			rank = i + 1
		} else if i > 0 && rapid.Bool().Draw(t, "separated") {
			rank = i + 1
		}
		list[i] = Player{
			Number: i + 1, Rank: rank, Score: score, Rating: rapid.SampledFrom([]int{0, 1200, 1499, 1500, 2000}).Draw(t, "rating"),
			Club: rapid.SampledFrom([]string{"", "A", "B"}).Draw(t, "club"), Born: rapid.SampledFrom([]int{0, 1950, 1990, 2012}).Draw(t, "born"),
			Out: rapid.IntRange(0, 9).Draw(t, "out") == 0,
		}
	}
	return list
}

func TestNobodyHasTwoAndTheFundIsNeverExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, players := drawFund(t), drawField(t)
		r := Allot(f, players)
		seen := map[int]bool{}
		for _, a := range r.Awards {
			if seen[a.Number] {
				t.Fatalf("number %d has two", a.Number)
			}
			if seen[a.Number] = true; a.Amount <= 0 {
				t.Fatalf("%+v is no prize", a)
			}
			p := players[a.Number-1]
			if p.Out || !f.admits(a.List, p) {
				t.Fatalf("%+v has a prize of list %d", p, a.List)
			}
		}
		var back int64
		for _, l := range r.Left {
			back += l.Amount
		}
		if r.Paid()+back != f.Total() {
			t.Fatalf("%d paid and %d back of %d", r.Paid(), back, f.Total())
		}
	})
}

func TestTheOrderOfThePlayersDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, players := drawFund(t), drawField(t)
		want := Allot(f, players)
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		rnd.Shuffle(len(players), func(i, j int) { players[i], players[j] = players[j], players[i] })
		if got := Allot(f, players); !slices.Equal(got.Awards, want.Awards) || !slices.Equal(got.Left, want.Left) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// A place's prize is never less than that of a lower one in the same list, whatever
// is shared: who stands higher on it has no less.
func TestWhoStandsHigherInAListHasNoLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		awards := Allot(drawFund(t), drawField(t)).Awards
		for i := 1; i < len(awards); i++ {
			if a, b := awards[i-1], awards[i]; a.List == b.List && a.Amount < b.Amount {
				t.Fatalf("%+v stands before %+v", a, b)
			}
		}
	})
}

func TestAmountsAreReadAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct {
		text, currency string
		want           []int64
		err            error
	}{
		{"600 300 150", "EUR", []int64{600_00, 300_00, 150_00}, nil},
		{"600, 300; 150", "UAH", []int64{600_00, 300_00, 150_00}, nil},
		{"31.67 20,5", "EUR", []int64{31_67, 20_50}, nil},
		{"500", "JPY", []int64{500}, nil},
		{"", "EUR", nil, nil},
		{"1.5", "JPY", nil, ErrAmounts},
		{"1.234", "EUR", nil, ErrAmounts},
		{"-5", "EUR", nil, ErrAmounts},
		{"ten", "EUR", nil, ErrAmounts},
		{"10", "XXX", nil, ErrCurrency},
	} {
		got, err := ParseAmounts(c.text, c.currency)
		if !slices.Equal(got, c.want) || err != c.err {
			t.Errorf("%q %s: %v, %v", c.text, c.currency, got, err)
		}
	}
	if got := PlainAmounts([]int64{600_00, 31_67, 5}, "EUR"); got != "600 31.67 0.05" {
		t.Errorf("written %q", got)
	}
}
