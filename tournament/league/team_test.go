package league_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

var monday = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// host runs the league and is in no team.
var host = league.Actor{Player: "host", Directs: true, Others: []player.ID{"host", "anna"}}

// teamLeague is a league of teams of two boards and one reserve, which starts in a day.
func teamLeague(t *testing.T, r league.Rule) *league.League {
	t.Helper()
	s := league.DefaultSettings()
	s.Name, s.Rule = "Club league", r
	s.Division.PlayIn(tournament.Teams{Boards: 2, Reserves: 1})
	l, err := league.New("l", "club", host, s, monday.Add(24*time.Hour), monday)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// side is a team whose captain is its first player; each has a rating.
func side(name string, players ...any) league.Team {
	x := league.Team{Name: name}
	for i := 0; i < len(players); i += 2 {
		x.Players = append(x.Players, league.Mate{Player: player.ID(players[i].(string)), Rating: players[i+1].(int)})
	}
	x.Captains = []player.ID{x.Players[0].Player}
	return x
}

func captain(x league.Team) league.Actor { return league.Actor{Player: x.Captains[0]} }

// Eight teams in two fours: the rating of a team is the mean of its two boards, so the reserve of team 8, the best player of all,
// does not lift it, and board 2 of team 7, who has no rating, does not lower it. The second division is won by team 8, the first lost by
// team 3. In the next season team 8 comes with other, weak players: what it has won holds. Team 9, new and rated 1450, joins the lowest
// division in which somebody is rated as high.
func TestATeamRisesByItsNumberWhoeverPlaysForIt(t *testing.T) {
	l := teamLeague(t, league.Rule{Least: 3, Usual: 4, Most: 6, Movers: 1})
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var teams []league.Team
	for i := 1; i <= 8; i++ {
		a, b := fmt.Sprint("a", i), fmt.Sprint("b", i)
		x := side(fmt.Sprint("Team of ", a), a, 2000-100*i, b, 2000-100*i-1)
		switch i {
		case 7:
			x.Players[1].Rating = 0
		case 8:
			x.Players = append(x.Players, league.Mate{Player: "star", Rating: 2600})
		}
		teams = append(teams, x)
		who, err := l.Found(captain(x), x, monday)
		ok(err)
		if want := league.Member(fmt.Sprint("#", i)); who != want || l.Now().In[i-1].Rating != 2000-100*i {
			t.Errorf("team %d is %s, rated %d", i, who, l.Now().In[i-1].Rating)
		}
	}
	ok(l.Propose(host, monday))
	if got := letters(*l.Now().Draft); !slices.Equal(got, []string{"#1#2#3#4", "#5#6#7#8"}) {
		t.Fatalf("drafted %q", got)
	}
	ids := 0
	newID := func() tournament.ID { ids++; return tournament.ID(fmt.Sprint("t", ids)) }
	ok(l.Publish(host, newID, monday))
	if err := l.Name(captain(teams[0]), "#1", teams[0], monday); !errors.Is(err, league.ErrRoster) {
		t.Errorf("a captain changes in the league who plays in a division: %v", err)
	}

	// Four teams meet in three rounds, a week apart, at the time of day of the start.
	s := l.Event(1)
	if s.Pace != tournament.Times || !slices.Equal(s.Times, tournament.Moments{monday.AddDate(0, 0, 1), monday.AddDate(0, 0, 8), monday.AddDate(0, 0, 15)}) {
		t.Errorf("rounds %v %v", s.Pace, s.Times)
	}
	ok(s.Validate())

	ok(l.Begin(host, monday))
	l.Keep("#8", []player.ID{"b8"}, []league.Mate{{Player: "b8", Rating: 1190}, {Player: "a8", Rating: 1200}})
	rows := func(list ...league.Member) (x league.Table) {
		for _, m := range list {
			x = append(x, league.Row{Member: m})
		}
		return x
	}
	ok(l.Freeze(host, []league.Table{rows("#2", "#1", "#4", "#3"), rows("#8", "#5", "#6", "#7")}, monday))
	ok(l.Archive(host, nil, monday.AddDate(0, 1, 0), monday))

	if x := l.Team("#8"); x.Captains[0] != "b8" || x.Players[0].Player != "b8" {
		t.Errorf("team 8 comes back as %+v", x)
	}
	for i := range 8 {
		by := captain(teams[i])
		if i == 7 {
			by = league.Actor{Player: "b8"}
			ok(l.Name(by, "#8", side("Eight anew", "b8", 900, "c8", 800), monday))
		}
		ok(l.Enter(by, league.Member(fmt.Sprint("#", i+1)), 0, monday))
	}
	nine := side("Nine", "a9", 1450, "b9", 1450)
	_, err := l.Found(captain(nine), nine, monday)
	ok(err)
	ok(l.Propose(host, monday))
	if got := letters(*l.Now().Draft); !slices.Equal(got, []string{"#2#1#4#8", "#3#5#6#7#9"}) {
		t.Errorf("the next season %q", got)
	}
}

// Who may name whom, and what keeps a team out.
func TestNobodyPlaysForTwoTeamsOfASeason(t *testing.T) {
	ants, bears := side("Ants", "ann", 1500, "abe", 1400), side("Bears", "bob", 1500, "bea", 1400)
	with := func(x league.Team, players ...any) league.Team {
		x.Players = append(slices.Clone(x.Players), side("x", players...).Players...)
		return x
	}
	named := func(x league.Team, name string, captains ...player.ID) league.Team {
		x.Name, x.Captains = name, captains
		return x
	}
	type deed = func(*league.League) error
	change := func(by league.Actor, who league.Member, x league.Team) deed {
		return func(l *league.League) error { return l.Name(by, who, x, monday) }
	}
	found := func(by league.Actor, x league.Team) deed {
		return func(l *league.League) error { _, err := l.Found(by, x, monday); return err }
	}
	ann, bob, abe := captain(ants), captain(bears), league.Actor{Player: "abe"}
	officer := league.Actor{Player: "olga", Names: []club.ID{"dragons"}}
	dragons := side("Dragons", "olga", 1500, "dan", 1400)
	dragons.Club = "dragons"
	for _, c := range []struct {
		what string
		do   []deed
		want error
		whom player.ID // whom the refusal names
	}{
		{"a third player", []deed{change(ann, "#1", with(ants, "ada", 1300))}, nil, ""},
		{"a fourth of two boards and one reserve", []deed{change(ann, "#1", with(ants, "ada", 1300, "al", 1200))}, league.ErrTeamFull, ""},
		{"somebody twice", []deed{change(ann, "#1", with(ants, "abe", 1300))}, league.ErrTwice, "abe"},
		{"a player of the other team", []deed{change(ann, "#1", with(ants, "bea", 1400))}, league.ErrMate, "bea"},
		{"a new team with a player of the other", []deed{found(league.Actor{Player: "cy"}, side("Cats", "cy", 1000, "bea", 1400))}, league.ErrMate, "bea"},
		{"for the other team", []deed{change(ann, "#2", bears)}, league.ErrNotAllowed, ""},
		{"a player who is no captain", []deed{change(abe, "#1", ants)}, league.ErrNotAllowed, ""},
		{"the organizer", []deed{change(host, "#1", with(ants, "ada", 1300))}, nil, ""},
		{"a captain who leaves nobody of the team", []deed{change(ann, "#1", named(ants, "Ants", "abe"))}, tournament.ErrCaptains, ""},
		{"a captain who adds one", []deed{change(ann, "#1", named(ants, "Ants", "ann", "abe")), change(abe, "#1", ants)}, tournament.ErrCaptains, ""},
		{"four captains", []deed{change(ann, "#1", named(ants, "Ants", "ann", "abe", "bob", "bea"))}, tournament.ErrCaptains, ""},
		{"a name that is taken", []deed{change(ann, "#1", named(ants, "BEARS", "ann"))}, league.ErrTeamName, ""},
		{"who has declined", []deed{func(l *league.League) error { return l.Decline(abe, "#1", monday) }, change(ann, "#1", ants)}, league.ErrNotTheirs, "abe"},
		{"who has declined, by themselves", []deed{func(l *league.League) error { return l.Decline(league.Actor{Player: "ann"}, "#1", monday) },
			change(ann, "#1", ants)}, nil, ""},
		{"who plays for nobody declines", []deed{func(l *league.League) error { return l.Decline(bob, "#1", monday) }}, league.ErrNotIn, ""},
		{"somebody else's team", []deed{found(ann, named(ants, "Others", "zoe"))}, league.ErrNotAllowed, ""},
		{"for a club", []deed{found(officer, dragons)}, nil, ""},
		{"for a club by a stranger", []deed{found(league.Actor{Player: "olga"}, dragons)}, league.ErrNotAllowed, ""},
		{"a player alone", []deed{func(l *league.League) error { return l.Enter(league.Actor{Player: "zoe"}, "zoe", 1500, monday) }}, league.ErrTeams, ""},
		{"a team that is none", []deed{func(l *league.League) error { return l.Enter(host, "#7", 1500, monday) }}, league.ErrNoTeam, ""},
		{"once more", []deed{func(l *league.League) error { return l.Enter(ann, "#1", 0, monday) }}, league.ErrIn, ""},
		{"settings without teams", []deed{func(l *league.League) error {
			s := l.Settings
			s.Division.PlayIn(tournament.Teams{})
			return l.Change(host, s, l.Now().Starts, monday)
		}}, nil, ""},
		{"settings without teams in the second season", []deed{func(l *league.League) error {
			l.Seasons = append([]league.Season{{Number: 1, State: league.Archived}}, l.Seasons...)
			s := l.Settings
			s.Division.PlayIn(tournament.Teams{})
			return l.Change(host, s, l.Now().Starts, monday)
		}}, league.ErrKind, ""},
		{"settings with fewer places than a team has players", []deed{change(ann, "#1", with(ants, "ada", 1300)), func(l *league.League) error {
			s := l.Settings
			s.Division.PlayIn(tournament.Teams{Boards: 2})
			return l.Change(host, s, l.Now().Starts, monday)
		}}, league.ErrKind, ""},
	} {
		l := teamLeague(t, league.Rule{Least: 3, Usual: 4, Most: 6})
		var err error
		for _, x := range []league.Team{ants, bears} {
			_, e := l.Found(captain(x), x, monday)
			err = errors.Join(err, e)
		}
		if c.what == "settings without teams" {
			_, a := l.Leave(ann, "#1", monday)
			_, b := l.Leave(bob, "#2", monday)
			err = errors.Join(err, a, b)
		}
		for i, do := range c.do {
			if err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			if err = do(l); i < len(c.do)-1 && err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
		}
		var unfit *league.UnfitError
		switch {
		case c.want == nil && err != nil, c.want != nil && !errors.Is(err, c.want):
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		case c.whom != "" && (!errors.As(err, &unfit) || unfit.Player != c.whom):
			t.Errorf("%s: the refusal names %+v", c.what, unfit)
		}
	}
}

// Three teams, of which one has a single player for two boards: the draft says so, and nothing is published until it has two. A
// team that waits takes no place without its boards either.
func TestATeamWithoutItsBoardsIsNotPublished(t *testing.T) {
	l := teamLeague(t, league.Rule{Least: 3, Usual: 4, Most: 6})
	list := []league.Team{side("Ants", "ann", 1500, "abe", 1400), side("Bears", "bob", 1500), side("Cats", "cy", 1500, "cat", 1400)}
	var err error
	for _, x := range list {
		_, e := l.Found(captain(x), x, monday)
		err = errors.Join(err, e)
	}
	if err = errors.Join(err, l.Propose(host, monday)); err != nil {
		t.Fatal(err)
	}
	if got := l.Warnings(); !slices.Equal(got, []league.Warning{{Kind: league.Short, Division: 1, Member: "#2", Size: 1}}) {
		t.Errorf("the draft warns of %+v", got)
	}
	publish := func() error { return l.Publish(host, func() tournament.ID { return "t" }, monday) }
	if err := publish(); !errors.Is(err, league.ErrShort) {
		t.Errorf("published: %v", err)
	}
	if err := l.Name(captain(list[1]), "#2", side("Bears", "bob", 1500, "bea", 1400), monday); err != nil {
		t.Fatal(err)
	}
	if got := l.Warnings(); len(got) > 0 || l.Now().Draft == nil {
		t.Errorf("with two players: %+v", got)
	}
	dogs := side("Dogs", "dan", 1500)
	if _, e := l.Found(captain(dogs), dogs, monday); e != nil {
		t.Fatal(e)
	}
	if _, e := l.Leave(captain(dogs), "#4", monday); e != nil {
		t.Fatal(e)
	}
	if err := errors.Join(l.Propose(host, monday), publish(), l.Enter(captain(dogs), "#4", 0, monday)); err != nil {
		t.Fatal(err)
	}
	number, err := l.Leave(captain(list[0]), "#1", monday)
	l.Settle(nil, monday)
	if err != nil || number != 1 || len(l.Now().Bench.Vacancies[0].Asked()) != 1 {
		t.Fatalf("%v: place %d of %+v", err, number, l.Now().Bench)
	}
	answer := func() error { return l.Answer(captain(dogs), "#4", 1, true, monday) }
	if err := answer(); !errors.Is(err, league.ErrShort) {
		t.Errorf("one player takes a place of two boards: %v", err)
	}
	if err := l.Name(captain(dogs), "#4", side("Dogs", "dan", 1500, "ann", 1400), monday); err != nil { // the ants play no more
		t.Fatal(err)
	}
	if err := l.Answer(league.Actor{Player: "ann"}, "#4", 1, true, monday); !errors.Is(err, league.ErrNotAllowed) {
		t.Errorf("a player who is no captain answers: %v", err)
	}
	if err := answer(); err != nil || l.Now().DivisionOf("#4") != 1 {
		t.Errorf("%v: in division %d", err, l.Now().DivisionOf("#4"))
	}
}

// A red card sends a player off their team, and the team plays on; that of a team frees its place.
func TestARedCardOfAPlayerLeavesTheirTeamIn(t *testing.T) {
	l := teamLeague(t, league.Rule{Least: 3, Usual: 4, Most: 6})
	ants := side("Ants", "ann", 1500, "abe", 1400)
	if _, err := l.Found(captain(ants), ants, monday); err != nil {
		t.Fatal(err)
	}
	warn := func(who league.Member, times int) {
		t.Helper()
		for range times {
			if _, err := l.Warn(host, who, "No answer", monday); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := l.Warn(host, "zoe", "No answer", monday); !errors.Is(err, league.ErrNotIn) {
		t.Errorf("somebody of no team: %v", err)
	}
	warn("abe", 3)
	if x := l.Team("#1"); !l.Now().IsIn("#1") || len(x.Players) != 1 || x.Players[0].Player != "ann" || l.Now().In[0].Rating != 1500 {
		t.Errorf("the team is %+v", x)
	}
	if err := l.Name(captain(ants), "#1", ants, monday); !errors.Is(err, league.ErrOut) {
		t.Errorf("named again: %v", err)
	}
	if err := l.Appeal(league.Actor{Player: "ann"}, 1, "They were ill", monday); !errors.Is(err, league.ErrNotAllowed) {
		t.Errorf("a captain appeals for a player: %v", err)
	}
	warn("#1", 1)
	if err := l.Appeal(league.Actor{Player: "ann"}, 4, "We were ill", monday); err != nil {
		t.Error("a captain appeals for the team:", err)
	}
	warn("#1", 2)
	if l.Now().IsIn("#1") || l.Level("#1") != league.Red {
		t.Error("the team is in after a red card")
	}
}

// Three divisions of three teams, of which the organizer Gus is captain of team 1, plays for team 4, or has nothing with any.
func TestWhoOrganizesAndHasATeamDecidesNothingOfIt(t *testing.T) {
	t.Parallel()
	type deed = func(*league.League, league.Actor) error
	warn := func(who league.Member) deed {
		return func(l *league.League, by league.Actor) error {
			_, err := l.Warn(by, who, "No answer", monday)
			return err
		}
	}
	shift := func(who league.Member, to int) deed {
		return func(l *league.League, by league.Actor) error { return l.Shift(by, who, to, monday) }
	}
	change := func(who league.Member) deed {
		return func(l *league.League, by league.Actor) error {
			x := *l.Team(who)
			x.Players = x.Players[:1]
			return l.Name(by, who, x, monday)
		}
	}
	for _, c := range []struct {
		what   string
		as     player.ID
		placed bool
		do     deed
		stake  fairplay.Stake
		rival  string
	}{
		{"moves the own team", "a1", false, shift("#1", 2), fairplay.StakeEntry, ""},
		{"moves the team they play for", "b4", false, shift("#4", 1), fairplay.StakeEntry, ""},
		{"moves an opponent of it", "b4", false, shift("#5", 1), fairplay.StakePairing, ""},
		{"moves others elsewhere", "b4", false, shift("#1", 3), "", ""},
		{"takes a player off a rival", "a1", false, change("#2"), fairplay.StakeRival, "Team of a2"},
		{"takes a player off the own team", "a1", false, change("#1"), "", ""},
		{"takes a player off the team of others", "host", false, change("#2"), "", ""},
		{"warns the own team", "a1", true, warn("#1"), fairplay.StakeEntry, ""},
		{"warns a player of it", "a1", true, warn("b1"), fairplay.StakeEntry, ""},
		{"warns a rival", "a1", true, warn("#3"), fairplay.StakeRival, "Team of a3"},
		{"warns a rival in the division below", "a1", true, warn("#5"), fairplay.StakeRival, "Team of a5"},
		{"warns a player of a rival", "b4", true, warn("a9"), fairplay.StakeRival, ""},
		{"warns a player far away", "a1", true, warn("a9"), "", ""},
		{"takes a rival out", "b4", true, func(l *league.League, by league.Actor) error { _, err := l.Leave(by, "#6", monday); return err },
			fairplay.StakeRival, "Team of a6"},
		{"takes the own team out", "a1", true, func(l *league.League, by league.Actor) error { _, err := l.Leave(by, "#1", monday); return err }, "", ""},
	} {
		l := teamLeague(t, league.Rule{Least: 3, Usual: 3, Most: 4, Movers: 1})
		var err error
		for i := 1; i <= 9; i++ {
			x := side(fmt.Sprint("Team of a", i), fmt.Sprint("a", i), 2000-100*i, fmt.Sprint("b", i), 2000-100*i)
			_, e := l.Found(captain(x), x, monday)
			err = errors.Join(err, e)
		}
		err = errors.Join(err, l.Propose(host, monday))
		ids := 0
		if c.placed {
			err = errors.Join(err, l.Publish(host, func() tournament.ID { ids++; return tournament.ID(fmt.Sprint("t", ids)) }, monday))
		}
		if err != nil {
			t.Fatal(err)
		}
		err = l.Do(league.Actor{Player: c.as, Directs: true, Others: []player.ID{c.as, "anna"}}, c.do)
		var party *fairplay.PartyError
		switch {
		case c.stake == "" && err != nil:
			t.Errorf("%s: refused: %v", c.what, err)
		case c.stake == "":
		case !errors.As(err, &party) || party.Stake != c.stake || party.Rival != c.rival || strings.HasPrefix(string(party.RivalID), "#"):
			t.Errorf("%s: %v, of %+v", c.what, err, party)
		}
	}
}
