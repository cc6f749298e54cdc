package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
)

// A league by its pages: started from the club's page, entered, drafted, published; it starts by itself, and two agree on
// a time on the page of their match.
func TestALeagueByItsPages(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena := s.as(people["organizer"], lang.English)
	olena.get("/clubs/club1").says("Start a league")
	s.as(people["player"], lang.English).get("/leagues/new?club=club1").want(http.StatusForbidden)
	form := formValues(olena.get("/leagues/new?club=club1").want(http.StatusOK))
	olena.post("/leagues", replaced(replaced(form, "name", "Winter league"), "least", "2")...).want(http.StatusUnprocessableEntity).
		says("A division has 3 to 32 players").says(`value="Winter league"`)
	olena.post("/leagues", replaced(replaced(form, "name", "W"), "about", "Be kind")...).want(http.StatusUnprocessableEntity).says("Be kind").
		says("3 to 80 characters")
	p := olena.post("/leagues", replaced(form, "name", "Winter league")...).want(http.StatusOK).wants("heading", "Winter league")
	path := p.path
	olena.get("/clubs/club1").says("Winter league")
	olena.get("/leagues").says("Winter league").says("Start a league")
	olena.get("/leagues?q=summer").saysNot("Winter league")
	s.browser(lang.English).get("/search?q=wint").says("Winter league")
	olena.post(path+"/settings", replaced(formValues(olena.get(path+"/settings")), "movers", "9")...).want(http.StatusUnprocessableEntity).
		says("Fewer than half").says(`value="9"`)
	s.browser(lang.Ukrainian).get(path).want(http.StatusOK).says("Увійдіть, щоб грати")
	players := map[player.ID]*browser{}
	for _, name := range []player.Handle{"lina", "marko", "nadia", "ostap"} {
		who := s.account(name, player.Plain)
		players[who.ID] = s.as(who, lang.English)
		players[who.ID].get(path).wants("button", "Play this season")
		players[who.ID].post(path+"/enter").want(http.StatusOK).wants("button", "Leave the season")
		players[who.ID].post(path + "/propose").want(http.StatusForbidden)
	}
	olena.post(path+"/propose").want(http.StatusOK).wants("button", "Publish the divisions").says("Division 1")
	p = olena.post(path+"/publish").want(http.StatusOK).wants("button", "Start the season now").wants("button", "Add a player")
	event := between(t, p.body, `<h3><a href="`, `"`)
	s.clock.advance(8 * 24 * time.Hour)
	host := arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil)
	for range 2 {
		if err := host.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	night := &clubNight{site: s}
	tour := night.tournament(event)
	if tour.Status != tournament.Running || len(tour.Rounds) != 1 {
		t.Fatalf("%v, %d rounds", tour.Status, len(tour.Rounds))
	}
	at := func(id tournament.EntryID) *browser {
		e, err := tour.Entry(id)
		if err != nil {
			t.Fatal(err)
		}
		return players[e.Player]
	}
	board := tour.Rounds[0].Pairings[0]
	first, second := at(board.First), at(board.Second)
	match := event + "/fixtures/1/1"
	first.get(path).want(http.StatusOK).says("Arrange my match against")
	first.get("/").says("Arrange my match against")
	home, _ := url.Parse(s.http.URL)
	first.client.Jar.SetCookies(home, []*http.Cookie{{Name: "zone", Value: "America/New_York"}})
	for _, place := range []string{"/", path, match, path + "/seasons/1"} { // times of the league, beside the reader's own
		first.get(place).want(http.StatusOK).says(" (" + tour.Zone + "; ").says(" for you)")
	}
	propose := formValues(first.get(match).want(http.StatusOK).says("In America/New_York, by"))

	// What each crosses out is seen by the other and by the organizer, and the time to begin with is the first evening of both.
	day := func(n int) string {
		return s.clock.Now().In(civil.Zone("America/New_York")).AddDate(0, 0, n).Format(time.DateOnly)
	}
	days := formValues(second.get("/days").want(http.StatusOK).says("Winter league: season 1, division 1, round 1"))
	second.post("/days", append(days, "off", day(1), "off", day(2))...).want(http.StatusOK)
	second.post("/days", "from", "", "to", day(30), "off", "tomorrow").want(http.StatusUnprocessableEntity)
	second.post("/days", "from", day(2), "to", day(9), "off", day(1)).want(http.StatusUnprocessableEntity)
	if form := formValues(second.get("/days")); len(form) != len(days)+4 {
		t.Errorf("of two crossed-out days the form has %v", form)
	}
	// Tomorrow’s evening in New York is on the second day by their clocks.
	if got := formValues(first.get(match).says("can’t")); !slices.Contains(got, day(2)+"T19:00") {
		t.Errorf("the time to begin with is %v, not on %s", got, day(2))
	}
	second.get(match).says("you can’t")
	olena.get(event + "/days").want(http.StatusOK).says("can’t play").says("Round 1")
	olena.get(event + "/desk").says("Availability")
	var both []string
	for n := range 30 {
		both = append(both, "off", day(n))
	}
	second.post("/days", append([]string{"from", "", "to", day(40)}, both...)...).want(http.StatusOK)
	first.get(match).says("You have no day in common")
	olena.get(event + "/days").says("No day in common").says(match)
	first.get(event + "/days").want(http.StatusOK).says("No day in common")
	s.as(people["player"], lang.English).get(event + "/days").want(http.StatusOK).saysNot("can’t play at all").saysNot("No day in common")
	second.post("/days", "from", "", "to", day(40)).want(http.StatusOK)
	second.get(match).wantsNo("button", "Agree")
	first.post(match+"/times", propose...).want(http.StatusOK)
	if at := night.tournament(event).Rounds[0].Pairings[0].Fixture.Times[0].At; at.In(civil.Zone("America/New_York")).Hour() != 19 {
		t.Errorf("19:00 tomorrow in New York was read as %v", at)
	}
	offered := between(t, second.get(match).want(http.StatusOK).body, `name="time" value="20`, `"`)
	second.post(match+"/agree", "time", "20"+offered).want(http.StatusOK).says("arranged")
	olena.get(match).want(http.StatusOK)
	s.browser(lang.English).get(match).want(http.StatusOK).wantsNo("button", "Propose")
	tour = night.tournament(event)
	if f := tour.Rounds[0].Pairings[0].Fixture; f.Status != fixture.Scheduled {
		t.Errorf("the match is %s", f.Status)
	}
	if ics := s.browser(lang.English).get(path + "/calendar.ics").want(http.StatusOK).body; strings.Count(ics, "BEGIN:VEVENT") != 4 ||
		!strings.Contains(ics, "Winter league: Season 1") || !strings.Contains(ics, "-fixture-1-1@chpok") || !strings.Contains(ics, "You arrange the time") {
		t.Errorf("the season, two rounds and the agreed match in the calendar:\n%s", ics)
	}
	set := formValues(olena.get(path + "/settings").want(http.StatusOK))
	first.get(path + "/settings").want(http.StatusForbidden)
	first.post(path+"/settings", set...).want(http.StatusForbidden)
	olena.post(path+"/settings", replaced(replaced(set, "name", "Frost league"), "movers", "9")...).want(http.StatusUnprocessableEntity)
	olena.post(path+"/settings", replaced(replaced(set, "name", "Frost league"), "movers", "1")...).want(http.StatusOK).wants("heading", "Frost league")
	got := formValues(olena.get(path + "/settings").want(http.StatusOK))
	if now := got[slices.Index(got, "shown")+1]; !slices.Equal(got, replaced(replaced(replaced(set, "name", "Frost league"), "movers", "1"), "shown", now)) {
		t.Errorf("settings %q, then %q", set, got)
	}
	olena.post(path+"/sanctions", "warned", "lina", "reason", "Silent for a week").want(http.StatusOK).says("warning")
	var lina *browser
	for id, b := range players {
		if id == s.player("lina").ID {
			lina = b
		}
	}
	lina.post(path+"/sanctions/1/appeal", "text", "I answered").want(http.StatusOK).says("I answered")
	olena.post(path+"/sanctions/1/decide", "text", "So it is", "lift", "yes").want(http.StatusOK).says("Lifted: So it is")
	olena.post(path + "/freeze").want(http.StatusConflict)
	olena.get(path).wantsNo("button", "Add a player")
	olena.post(path+"/enter", "handle", string(people["player"].Handle)).want(http.StatusConflict).says("The season is at another stage")

	// On the other board only one proposes a time. The other objects to the forfeit, and the organizer decides from the league's page.
	board = tour.Rounds[0].Pairings[1]
	first, second = at(board.First), at(board.Second)
	match = event + "/fixtures/1/2"
	propose = formValues(first.get(match).want(http.StatusOK))
	first.post(match+"/times", propose...).want(http.StatusOK)
	s.clock.advance(board.Fixture.PlayBy.Sub(s.clock.Now()))
	if err := host.Rounds.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	first.get(match).wants("button", "Play it after all").wantsNo("button", "Object")
	second.get(match).wantsNo("button", "Play it after all")
	second.post(match + "/give-up").want(http.StatusForbidden)
	second.post(match+"/dispute", "text", "I was ill").want(http.StatusOK).says("If staff decide nothing")
	first.get(match).wants("button", "Play it after all").wantsNo("button", "Let the forfeit count")
	olena.get(path).want(http.StatusOK).says("is disputed. Let the forfeit count or give them more time").says(match)
	first.get(path).want(http.StatusOK).saysNot("is disputed. Let")
	decide := olena.get(match).want(http.StatusOK).wants("button", "Let the forfeit count").says("wins by forfeit unless")
	form = nil
	for _, name := range []string{"round", "board", "first"} {
		form = append(form, name, between(t, decide.body, `name="`+name+`" value="`, `"`))
	}
	olena.post(event+"/results", append(form, "result", between(t, decide.body, `name="result" value="`, `"`))...).want(http.StatusOK)
	if got := night.tournament(event).Rounds[0].Pairings[1].Result; got.Kind != tournament.FirstByForfeit {
		t.Errorf("decided as %v", got.Kind)
	}
	olena.get(path).saysNot("is disputed")
}

func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	if !found {
		t.Fatalf("no %s in\n%s", from, text)
	}
	out, _, _ := strings.Cut(rest, to)
	return out
}

// Two who run a league act on what they have seen: a draft that the other has moved somebody in is not published, a sanction that the
// other has given is not given again, and what the other has done already is told by their name. Acts on other parts are in nobody's way.
func TestNoActInALeagueOverwritesWhatItsAuthorHasNotSeen(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, vera := s.as(people["organizer"], lang.English), s.as(s.account("vera", player.Operator), lang.English)
	form := formValues(olena.get("/leagues/new?club=club1").want(http.StatusOK))
	path := olena.post("/leagues", replaced(replaced(form, "name", "Winter league"), "least", "3")...).want(http.StatusOK).path
	for _, name := range []player.Handle{"lina", "marko", "nadia", "ostap"} {
		s.as(s.account(name, player.Plain), lang.English).post(path + "/enter").want(http.StatusOK)
	}
	olena.post(path + "/propose").want(http.StatusOK)
	for _, page := range []string{path, path + "/settings"} {
		if !slices.Contains(formValues(vera.get(page).want(http.StatusOK)), "shown") {
			t.Errorf("the forms of %s do not carry what it shows", page)
		}
	}
	rules := formValues(olena.get(path + "/settings"))
	for i, x := range []struct {
		first  string
		with   []string
		then   string
		mine   []string
		say    string
		may    bool   // mine can be done after theirs
		beside string // in nobody's way
		by     []string
	}{
		{path + "/settings", replaced(rules, "about", "Theirs."), path + "/settings", replaced(rules, "about", "Mine."), "Settings changed", true,
			path + "/sanctions", []string{"warned", "ostap", "reason", "No answer"}},
		{path + "/shift", []string{"player", "lina", "to", "1"}, path + "/publish", nil, "Player moved", true, "", nil},
		{path + "/sanctions", []string{"warned", "lina", "reason", "No answer"}, path + "/sanctions", []string{"warned", "lina", "reason", "No answer!"},
			"Sanction given", true, path + "/sanctions", []string{"warned", "marko", "reason", "No answer"}},
		{path + "/begin", nil, path + "/begin", nil, "Season started", false, "", nil},
	} {
		form := formValues(vera.get(path))
		shown := form[slices.Index(form, "shown")+1]
		with := func(fields []string) []string {
			fields = slices.Clone(fields)
			if i := slices.Index(fields, "shown"); i >= 0 {
				fields = slices.Delete(fields, i, i+2)
			}
			return append(fields, "shown", shown)
		}
		olena.post(x.first, with(x.with)...).want(http.StatusOK)
		p := vera.post(x.then, with(x.mine)...)
		if p.status != http.StatusConflict || !strings.Contains(p.body, "Olena was first") || !strings.Contains(p.body, x.say) ||
			strings.Contains(p.body, "Do mine all the same") != x.may {
			t.Errorf("%d: %d\n%s", i, p.status, p.body)
			continue
		}
		if x.beside != "" {
			vera.post(x.beside, with(x.by)...).want(http.StatusOK)
		}
		if x.may {
			vera.post(x.then, formValues(p)...).want(http.StatusOK)
		}
	}
}

// A league of teams by its pages: a captain enters a team and names players, who may leave it; the draft names a team without its
// boards; once the divisions are published, the team has its page in one.
func TestALeagueOfTeamsByItsPages(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena := s.as(people["organizer"], lang.English)
	form := replaced(formValues(olena.get("/leagues/new?club=club1").want(http.StatusOK)), "name", "Club league")
	form = changed(form, "least", "3", "usual", "3", "meet", "swiss", "rounds", "2", "play", "teams")
	olena.post("/leagues", replaced(form, "boards", "99")...).want(http.StatusUnprocessableEntity)
	path := olena.post("/leagues", replaced(replaced(form, "boards", "2"), "reserves", "1")...).want(http.StatusOK).
		says("boards: 2, reserves: 1 at most").says("Swiss, 2 rounds").saysNot("agree on").says("every 7 days").says("Rise and go down").saysNot("Time for each round").path
	set := formValues(olena.get(path + "/settings").want(http.StatusOK))
	olena.post(path+"/settings", set...).want(http.StatusOK)
	if got := formValues(olena.get(path + "/settings")); !slices.Equal(replaced(set, "shown", ""), replaced(got, "shown", "")) {
		t.Errorf("settings %q, saved as they are %q", set, got)
	}
	s.browser(lang.Ukrainian).get(path).want(http.StatusOK).wantsNo("link", "Заявити команду")
	captains := map[string]*browser{}
	for _, name := range []string{"lina", "marko", "nadia", "ostap", "petro", "roma", "stas"} {
		captains[name] = s.as(s.account(player.Handle(name), player.Plain), lang.English)
	}
	lina, marko := captains["lina"], captains["marko"]
	lina.get(path).wants("link", "Enter a team").wantsNo("button", "Play this season")
	team := formValues(lina.get(path + "/teams/new").want(http.StatusOK))
	if !slices.Contains(team, "lina") {
		t.Errorf("the form of a new team: %q", team)
	}
	enter := func(b *browser, name, players string) page {
		return b.post(path+"/teams", "name", name, "captains", strings.Fields(players)[0], "players", players)
	}
	enter(lina, "Ants", "lina nobody-there").want(http.StatusUnprocessableEntity).says("nobody-there can’t play").says(`value="Ants"`)
	enter(lina, "Ants", "lina\nmarko\nnadia\nostap").want(http.StatusConflict).says("at most this many players: 3")
	ants := enter(lina, "Ants", "lina\nmarko").want(http.StatusOK).wants("heading", "Ants").path
	if ants != path+"/teams/1" {
		t.Errorf("the first team is at %s", ants)
	}
	enter(marko, "Bears", "marko nadia").want(http.StatusConflict).says("marko can’t play in this team: They play for another team this season.")
	marko.get(path).says("Ants").wants("button", "Leave the team").wantsNo("button", "Take the team out")
	marko.post(ants, "name", "Mine", "captains", "marko", "players", "marko").want(http.StatusForbidden)
	marko.post(ants + "/decline").want(http.StatusOK)
	lina.post(ants, "name", "Ants", "captains", "lina", "players", "lina marko").want(http.StatusConflict).says("don’t want to play")
	enter(marko, "Bears", "marko nadia").want(http.StatusOK)
	enter(captains["petro"], "Cats", "petro, roma").want(http.StatusOK)
	s.browser(lang.English).get(ants).want(http.StatusOK).says("lina").wantsNo("button", "Save")
	s.browser(lang.English).get(path + "/teams/9").want(http.StatusNotFound)
	s.browser(lang.English).get("/leagues").says("3 teams")

	stale := formValues(captains["petro"].get(path + "/teams/3"))
	olena.post(path+"/teams/3", "name", "Wild Cats", "captains", "petro", "players", "petro roma").want(http.StatusOK)
	captains["petro"].post(path+"/teams/3", stale...).want(http.StatusConflict).says("Olena was first").says("Team changed")

	olena.post(path + "/propose").want(http.StatusOK).says("Ants has too few players for its boards (1)")
	olena.post(path + "/publish").want(http.StatusConflict).says("Ants has fewer players than boards (2)")
	lina.post(ants, "name", "Red Ants", "captains", "lina", "players", "lina\nostap").want(http.StatusOK).wants("heading", "Red Ants")
	olena.post(path+"/shift", "player", "#1", "to", "1").want(http.StatusOK)
	p := olena.post(path+"/publish").want(http.StatusOK).wants("button", "Start the season now").wantsNo("button", "Add a player").says("Red Ants")
	event := between(t, p.body, `<h3><a href="`, `"`)
	lina.get(path).says("Plays in division 1").wants("link", "Players and line-up").wants("button", "Take the team out of the season")
	lina.post(ants, "name", "Ants", "captains", "lina", "players", "lina").want(http.StatusConflict).says("The team is in its division")
	captains["ostap"].get(ants).want(http.StatusOK).says("Plays in division 1").wantsNo("button", "Leave the team")
	enter(captains["stas"], "Dogs", "stas").want(http.StatusOK).says("Waits as an alternate")
	captains["stas"].get(path).wants("button", "Wait no more")
	olena.post(path+"/sanctions", "warned", "#2", "reason", "Came late").want(http.StatusOK).says("Bears").says("warning")
	olena.post(path+"/sanctions", "warned", "roma", "reason", "Shouted").want(http.StatusOK).says("roma")
	marko.get(path).says("Came late").saysNot("Shouted")
	olena.post(path + "/begin").want(http.StatusOK).says("Organizer’s next step").saysNot("round 0 of").
		says("Division 1: no round yet, the first opens") // an evening that is to come
	s.clock.advance(8 * 24 * time.Hour)
	host := arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil)
	for range 2 {
		if err := host.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	tour := (&clubNight{site: s}).tournament(event)
	if tour.Status != tournament.Running || len(tour.Rounds) != 1 || len(tour.Rounds[0].Teams) != 1 || len(tour.Rounds[0].Pairings) != 2 {
		t.Errorf("%v, rounds %+v", tour.Status, tour.Rounds)
	}
	olena.get(path).want(http.StatusOK).says("Organizer’s next step").saysNot("Add a player") // no team comes late
	s.browser(lang.Ukrainian).get(path).want(http.StatusOK).says("Red Ants").says("Команда")
}

// Programs make leagues as large as the rules allow, and hear of the rules where they end.
func TestProgramsMakeLeaguesAsLargeAsTheRulesAllow(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	program := n.program(n.viewer("Olena").Player)
	var of struct{ ID string }
	program.ask(http.MethodPost, "/clubs", `{"name":"Dragons","text":""}`, http.StatusCreated, &of)
	for sizes, want := range map[string]int{
		`"rounds":7,"least":100,"usual":150,"most":200,"movers":49`: http.StatusCreated,
		`"rounds":7,"least":100,"usual":150,"most":200,"movers":50`: http.StatusUnprocessableEntity,
		`"least":20,"usual":30,"most":32`:                           http.StatusCreated,
		`"least":20,"usual":30,"most":33`:                           http.StatusUnprocessableEntity,
	} {
		program.ask(http.MethodPost, "/leagues", `{"club":"`+of.ID+`","name":"Winter","starts":"`+
			n.clock.Now().AddDate(0, 0, 9).UTC().Format(time.RFC3339)+`",`+sizes+`}`, want, nil)
	}
}
