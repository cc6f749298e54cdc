package web_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

func TestHomeHasOneNextStepForEverybody(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	for _, l := range lang.All {
		p := texts(l)
		visitor := s.browser(l)
		page := visitor.get("/").want(http.StatusOK).wants("heading", p.T("home.hero")).wants("button", p.T("home.play-now"))
		if !strings.Contains(page.body, `data-frames="[{`) {
			t.Error("nobody plays, and no recorded match replays")
		}
		played := visitor.post("/play/now").want(http.StatusOK)
		visitor.get("/").want(http.StatusOK).wants("link", p.T("play.continue")).wantsNo("button", p.T("home.play-now"))
		if !strings.HasPrefix(played.path, "/matches/") {
			t.Errorf("at %s", played.path)
		}
	}
	ivan := s.as(s.account("Ivan", player.Plain), lang.English)
	ivan.get("/").want(http.StatusOK).wants("heading", "Ready for your first match?").wants("link", "Play")
	operator := s.as(s.account("Nadia", player.Operator), lang.English)
	operator.get("/").want(http.StatusOK).wants("heading", "Get the site ready").wants("button", "Create").wants("link", "Plan")
}

// TestPracticeIsWatchedByNobody: many a visitor leaves it lying in its bidding.
func TestPracticeIsWatchedByNobody(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	visitor := s.browser(lang.English)
	path := visitor.post("/play/now").want(http.StatusOK).path
	id := match.ID(strings.TrimPrefix(path, "/matches/"))
	var head store.Head
	s.write(func(tx *store.Tx) (err error) {
		head, err = tx.Match(id)
		return err
	})
	for i, who := range head.Players {
		if _, err := s.live.Do(t.Context(), id, who, live.Request{Command: match.Ready{Seat: match.Seat(i + 1)}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, place := range []string{"/", "/tv"} {
		if strings.Contains(s.browser(lang.English).get(place).want(http.StatusOK).body, string(id)) {
			t.Errorf("%s shows the bidding", place)
		}
	}
	if _, err := s.live.Do(t.Context(), id, head.Players[0], live.Request{Command: match.Resign{Seat: match.First}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.browser(lang.English).get("/matches").want(http.StatusOK).body, string(id)) {
		t.Error("/matches shows the end")
	}
	visitor.get(path).want(http.StatusOK)
}

var matchStates = regexp.MustCompile(`/styleguide/[a-z-]+`)

func TestTheStyleGuideIsTheOperators(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	for _, l := range lang.All {
		boss := s.as(s.account(player.Handle("Operator"+string(l)), player.Operator), l)
		guide := boss.get("/styleguide").want(http.StatusOK)
		checkPage(t, guide, l)
		states := matchStates.FindAllString(guide.body, -1)
		if len(states) < 17 {
			t.Errorf("matches in %d states: %v", len(states), states)
		}
		for _, state := range states {
			checkPage(t, boss.get(state).want(http.StatusOK), l)
		}
		boss.get("/styleguide/nothing").want(http.StatusNotFound)
	}
	s.as(s.account("Ivan", player.Plain), lang.English).get("/styleguide").want(http.StatusForbidden)
	s.browser(lang.English).get("/styleguide").wants("heading", "Sign in")
}

// TestTheEndOfADelayedMatchIsNotToldAtHome: for visitors it goes on until they have
// seen its end.
func TestTheEndOfADelayedMatchIsNotToldAtHome(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	g.play(opening...)
	line := func() string {
		_, rest, _ := strings.Cut(g.browser(lang.English).get("/").want(http.StatusOK).body, `href="`+g.url())
		rest, _, _ = strings.Cut(rest, "</li>")
		return rest
	}
	before := line()
	if !strings.Contains(before, texts(lang.English).T("player.match.running")) {
		t.Fatalf("not at home: %q", before)
	}
	g.act(0, "act", "resign")
	if after := line(); after != before {
		t.Errorf("%q became %q", before, after)
	}
	g.clock.advance(time.Hour)
	if after := line(); after != "" {
		t.Errorf("an hour later: %q", after)
	}
}

// TestWhomNothingWaitsForSeesWhatOthersPlay: a running match stands on their home page
// and goes on there; what concerns themselves is not sent again for its moves.
func TestWhomNothingWaitsForSeesWhatOthersPlay(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	ivan := c.as(c.account("Ivan", player.Plain), lang.English)
	ivan.get("/").want(http.StatusOK).wantsNo("link", "Watch Olena\u00a0– Taras") // they bid: there is no board yet
	c.toBoard()
	c.first.get("/").want(http.StatusOK).wantsNo("link", "Watch Olena\u00a0– Taras")
	page := ivan.get("/").want(http.StatusOK).wants("link", "Watch Olena\u00a0– Taras")
	feed := regexp.MustCompile(`data-feed="(/feed[^"]*)"`).FindStringSubmatch(page.body)[1]
	next := c.stream(t.Context(), ivan, html.UnescapeString(feed))
	if _, _, all := next(); !strings.Contains(all, "home-board") || !strings.Contains(all, "home-next") {
		t.Errorf("first comes %q", all)
	}
	c.moves("e2e4")
	if _, _, move := next(); !strings.Contains(move, "home-board") || strings.Contains(move, "home-next") {
		t.Errorf("after a move comes %q", move)
	}
}

// TestAMatchThatHasOpenedStandsAtHomeOnce: its card says all there is to see of it, and is marked for the bar that
// would say the same. Bidding is a picture, and stands there beside the card.
func TestAMatchThatHasOpenedStandsAtHomeOnce(t *testing.T) {
	t.Parallel()
	gated := short(1)
	gated.Lateness = 5 * time.Minute
	c := newContest(t, gated)
	home := c.first.get("/").want(http.StatusOK).body
	if !strings.Contains(home, `class="next-card board"`) || strings.Contains(home, `class="live-card`) {
		t.Errorf("a match that waits for its players:\n%s", home)
	}
	c.act(c.first, "ready", "yes")
	c.act(c.second, "ready", "yes")
	if home := c.first.get("/").want(http.StatusOK).body + c.second.get("/").want(http.StatusOK).body; strings.Count(home, `class="live-card`) != 2 {
		t.Errorf("the bidding of both is not shown:\n%s", home)
	}
}

// TestWhatWaitsForOneselfComesBeforeTheEventsOneRuns: five events would fill the first screen of a phone, and the boards
// and challenges of who runs them would wait below.
func TestWhatWaitsForOneselfComesBeforeTheEventsOneRuns(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	home := s.as(s.account("host", player.Organizer), lang.English).get("/").want(http.StatusOK).body
	at := -1
	for _, part := range []string{"next", "mine", "challenges", "duties", "staff", "friends", "notices"} {
		next := strings.Index(home, `id="home-`+part+`"`)
		if next <= at {
			t.Errorf("%s stands at %d, after %d", part, next, at)
		}
		at = next
	}
}

// TestHomeTellsNewsAndNoResults: boards show how matches ended, and results leave room for what else there is to know.
func TestHomeTellsNewsAndNoResults(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	ivan := s.account("Ivan", player.Plain)
	list := []notice.Notice{{To: ivan.ID, Kind: notice.ChallengeDeclined, Key: "declined", URL: "/c/declined", Args: map[string]string{"By": "Sofia"}}}
	for i := range 10 {
		list = append(list, notice.Notice{To: ivan.ID, Kind: notice.Result, Key: itoa(i), URL: "/matches/" + itoa(i),
			Args: map[string]string{"Case": "lost", "Opponent": "Mila"}})
	}
	for _, n := range list { // one after the other: the news is the oldest
		s.clock.advance(time.Minute)
		s.write(func(tx *store.Tx) error { return tx.AddNotices([]notice.Notice{n}, s.clock.Now()) })
	}
	b := s.as(ivan, lang.English)
	b.get("/").want(http.StatusOK).says("Sofia").saysNot("You lost to Mila")
	b.get("/notices").want(http.StatusOK).says("You lost to Mila")
}

// TestHomeShowsWhatOneHasPlayedAndWhatThereIsToday follows a player's home from the first day on.
func TestHomeShowsWhatOneHasPlayedAndWhatThereIsToday(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.second.get("/").want(http.StatusOK).says("Not rated yet").says("Lesson 1 of 7").saysNot("My last matches").saysNot("Puzzle of the day")
	c.toBoard()
	c.moves(fool...)
	c.second.get("/").want(http.StatusOK).wants("heading", "My last matches").says("You won")
	c.first.get("/").want(http.StatusOK).wants("heading", "My last matches").says("You lost")
	c.write(func(tx *store.Tx) error { return tx.SetLearned(c.taras.ID, 0b1011) })
	c.second.get("/").says("Lesson 3 of 7")
	c.write(func(tx *store.Tx) error { return tx.SetLearned(c.taras.ID, 0b1111111) })
	c.second.get("/").saysNot("Lesson")

	if !c.searched(c.id) {
		t.Fatal("nobody looked for puzzles")
	}
	c.second.get("/").says("Puzzle of the day").says("Take their last king in 2 moves").says("Solve it")
	at := c.second.get("/practice/daily").want(http.StatusOK).says("Puzzle of the day")
	if other := c.browser(lang.Ukrainian).get("/practice/daily").want(http.StatusOK).says("Задача дня"); other.path != at.path {
		t.Errorf("%s for one, %s for another", at.path, other.path)
	}
	c.second.post(at.path, "act", "d8h4", "act", "h4e1").says("Solved!").says("1 day in a row").says("after any other move it gets away")
	c.second.get("/").says("Solved today").says("1 day in a row")
	c.first.post(at.path, "act", "a6a5").says("Not this time")
	c.first.post(at.path, "act", "d8h4", "act", "h4e1").says("Solved!").saysNot("in a row")
	c.first.get("/").says("Not today").saysNot("in a row")
	c.clock.advance(24 * time.Hour)
	c.second.get("/").says("Solve it").says("1 day in a row") // yesterday's holds until midnight
	c.clock.advance(24 * time.Hour)
	c.second.get("/").says("Solve it").saysNot("in a row")
}

// TestHomeOfAnEmptySiteSaysWhatOneCanDo: a friend, a bot, a club; who may hold events is led there; and a match replays.
func TestHomeOfAnEmptySiteSaysWhatOneCanDo(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	for _, l := range lang.All {
		p := texts(l)
		plain := s.as(s.account(player.Handle("Plain"+string(l)), player.Plain), l).get("/").want(http.StatusOK)
		plain.wants("heading", p.T("home.ways")).wants("link", p.T("play.friend.link")).wantsNo("link", p.T("home.setup.event.do"))
		if !strings.Contains(plain.body, `href="/play?bot=`) || !strings.Contains(plain.body, `data-frames="[{`) {
			t.Errorf("%s: no bot is offered, or nothing replays", l)
		}
		checkPage(t, plain, l)
		s.as(s.account(player.Handle("Host"+string(l)), player.Organizer), l).get("/").wants("link", p.T("home.setup.event.do"))
	}
	s.as(s.account("Nadia", player.Operator), lang.English).get("/").want(http.StatusOK).wantsNo("heading", "What you can do here")
}

// TestHomeOfWhomNothingWaitsForSaysWhatComesNext within a day: their own round before what others begin. A newcomer's
// is the first match.
func TestHomeOfWhomNothingWaitsForSaysWhatComesNext(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves(fool...)
	host, entered := c.account("host", player.Organizer), c.account("Iryna", player.Plain)
	c.timed(host, entered)
	c.clock.advance(-time.Hour) // more than a day before
	iryna, new := c.as(entered, lang.English), c.as(c.account("Ivan", player.Plain), lang.English)
	c.second.get("/").want(http.StatusOK).wants("heading", "No games need you right now.")
	iryna.get("/").want(http.StatusOK).wants("heading", "Ready for your first match?")
	c.clock.advance(time.Hour + 23*time.Hour + 30*time.Minute)
	next := c.second.get("/").want(http.StatusOK).wants("heading", "Cup; the first").says("Coming up").says("in 30\u00a0min").wants("link", "Play")
	if _, list, has := strings.Cut(next.body, `id="h-events"`); has && strings.Contains(list, "Cup; the first") {
		t.Error("what comes next stands in the list of events again")
	}
	iryna.get("/").want(http.StatusOK).wants("heading", "Cup; the first: round 1").says("Coming up").says("in 30\u00a0min")
	new.get("/").want(http.StatusOK).wants("heading", "Ready for your first match?")
}
