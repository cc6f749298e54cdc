package web_test

import (
	"bufio"
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// clubNight is a site with an organizer and four players; matches that end reach
// their tournament.
type clubNight struct {
	*site
	host    *browser
	players map[string]player.Player
}

func newClubNight(t testing.TB) *clubNight {
	t.Helper()
	return newClubNightAt(newSite(t))
}

func newClubNightAt(s *site) *clubNight { return newClubNightBy(s, "Olena") }

func newClubNightBy(s *site, host player.Handle) *clubNight {
	n := &clubNight{site: s, players: map[string]player.Player{}}
	judge := arbiter.New(n.store, n.live, arbiter.Config{Now: n.clock.Now}, nil)
	n.live.OnFinish(judge.OnFinish)
	n.host = n.as(n.account(host, player.Organizer), lang.English)
	for _, h := range []player.Handle{"anna", "borys", "clara", "danylo"} {
		n.players[string(h)] = n.account(h, player.Plain)
	}
	return n
}

// form is what a browser sends of an untouched form, with some of it changed.
func form(pairs ...string) []string {
	values := map[string]string{
		"name": "Friday", "club": "Dragons", "about": "At seven.", "format": "round-robin", "rounds": "5", "pace": "auto", "break": "0", "lateness": "0",
		"claims": "automatic", "numbering": "rating", "tiebreaks": "DE, SB, WIN", "capacity": "", "rated": "on", "times": "",
		"chips": "8", "presets": "5+3, 10+5", "default_limit": "40", "any_row": "on",
		"minutes_low": "3", "minutes_high": "10", "increment_low": "0", "increment_high": "5", "moveLimit_low": "10", "moveLimit_high": "60",
		"undos_low": "0", "undos_high": "0", "castlings_low": "0", "castlings_high": "5", "movePoints_low": "0", "movePoints_high": "9",
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	var out []string
	for name, value := range values {
		out = append(out, name, value)
	}
	return append(out, "widths", "6", "widths", "8", "switches", "kingsRun")
}

func (n *clubNight) create(pairs ...string) string {
	n.t.Helper()
	return n.host.post("/tournaments", form(pairs...)...).want(http.StatusOK).path
}

func (n *clubNight) tournament(path string) (t *tournament.Tournament) {
	n.t.Helper()
	n.write(func(tx *store.Tx) (err error) {
		t, err = tx.Tournament(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		return err
	})
	return t
}

// firstWins ends every match of the open round for First.
func (n *clubNight) firstWins(path string) {
	n.t.Helper()
	t := n.tournament(path)
	for _, p := range t.Rounds[len(t.Rounds)-1].Pairings {
		if p.Match == "" || !p.Result.IsPending() {
			continue
		}
		loser, err := t.Entry(p.Second)
		if err == nil {
			_, err = n.live.Do(context.Background(), p.Match, loser.Player, live.Request{Command: match.Resign{Seat: match.Second}, Admit: admitted})
		}
		if err != nil {
			n.t.Fatal(err)
		}
	}
}

func TestAClubNightThroughThePages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	// 8 chips: 26:40 of bidding; twice 10 min and 59 increments of 5 s, and the
	// 5 s before them: 29:55.
	n.host.get(path).wants("heading", "Friday").wants("link", "Manage").wants("link", "Info").want(http.StatusOK)
	n.host.get(path+"/info").wants("heading", "Bidding limits").wants("heading", "Fair play: Open")
	if body := n.host.get(path + "/info").body; !strings.Contains(body, "never more than 57\u00a0min.") {
		t.Error("no worst case on the page")
	}
	anna := n.as(n.players["anna"], lang.English)
	anna.get(path).wants("button", "Enter the tournament").wantsNo("button", "Start the tournament")
	anna.post(path+"/register").want(http.StatusOK).wants("header", "anna").wantsNo("button", "Enter the tournament").wants("button", "Leave the tournament")
	for _, handle := range []string{"borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK).wants("link", handle)
	}
	n.host.post(path+"/entries", "handle", "nobody").want(http.StatusUnprocessableEntity).wants("alert", "No player has that handle")
	anna.post(path + "/start").want(http.StatusForbidden)
	n.host.post(path+"/start").want(http.StatusOK).wants("heading", "Round 1").wants("heading", "2 boards to go")
	n.host.get(path+"/info").wants("link", "Round 1").wants("heading", "Schedule")
	anna.get(path).wants("link", "To the board").wants("link", "Standings").wants("link", "Rounds").wantsNo("link", "Manage")
	n.host.post(path + "/rounds").want(http.StatusConflict)

	// 1-4, 2-3; 4-3, 1-2; 2-4, 3-1: First wins all.
	for range 3 {
		n.firstWins(path)
	}
	standings := n.host.get(path + "/standings").want(http.StatusOK)
	// anna 2, borys 2, clara 1, danylo 1; anna has beaten borys, danylo clara.
	order := standings.find("header")
	got := strings.Join(order[len(order)-4:], " ")
	if got != "anna borys danylo clara" {
		t.Errorf("final order: %s", got)
	}
	if !strings.Contains(standings.body, "+20") || !strings.Contains(standings.body, "−20") {
		t.Error("the rating changes are not on the page")
	}
	n.host.get(path+"/crosstable").want(http.StatusOK).wants("header", "anna")
	n.host.get(path+"/rounds/3").want(http.StatusOK).wants("heading", "Round 3").wants("link", "1 : 0")
	n.host.get(path + "/rounds/4").want(http.StatusNotFound)
	card := n.host.get(path + "/entries/1").want(http.StatusOK)
	if !strings.Contains(card.body, "Sonneborn-Berger") || !strings.Contains(card.body, "opens the bidding") {
		t.Error("the card tells neither tie-breaks nor seats")
	}
	for _, file := range []string{"/report.trf", "/standings.csv", "/tournament.json", "/rounds/1/input.trf"} {
		p := n.host.get(path + file).want(http.StatusOK)
		if p.header.Get("Content-Disposition") == "" || !strings.Contains(p.body, "anna") {
			t.Errorf("%s: %q", file, p.body)
		}
	}
}

func TestTheFormNamesEveryFaultAndLosesNothing(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	p := n.host.post("/tournaments", form("name", "", "club", "Keep this club", "minutes_low", "20", "minutes_high", "10", "tiebreaks", "NONSENSE", "pace", "times")...)
	p.want(http.StatusUnprocessableEntity)
	for _, want := range []string{"Give the tournament a name.", "Minutes each: the lowest, 20, is above the highest, 10", "One of the tie-breaks is unknown, or the format has none.", "Give the time of each round.", `value="Keep this club"`, `value="NONSENSE" selected`} {
		if !strings.Contains(p.body, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	step := n.create("step", "format")
	for input, pairs := range map[string][]string{
		"minutes":       {"minutes_low", "9", "minutes_high", "3"},
		"chips":         {"chips", "0"},
		"presets":       {"presets", "90+30"},
		"default_limit": {"default_limit", "1"},
	} {
		page := n.host.post(step, form(pairs...)...).want(http.StatusUnprocessableEntity)
		mark := regexp.MustCompile(`<input id="` + input + `"[^>]*>`).FindString(page.body)
		for _, part := range []string{`aria-invalid="true"`, `aria-describedby="` + input + `-note"`} {
			if !strings.Contains(mark, part) {
				t.Errorf("%v: the input has no %s: %s", pairs, part, mark)
			}
		}
		page.says(`#` + input + `"`).says(`<span id="` + input + `-note" class="error"`)
	}
	n.host.post("/tournaments", form("chips", "many")...).want(http.StatusUnprocessableEntity).wants("link", "Chips each: use a whole number")
	estimate := n.host.post("/tournaments/estimate", form()...).want(http.StatusOK)
	if !strings.Contains(estimate.body, "27\u00a0min") {
		t.Errorf("8 chips are 26:40 of bidding: %s", estimate.body)
	}
	estimate = n.host.post("/tournaments/estimate", form("moveLimit_high", "5")...).want(http.StatusOK)
	if !strings.Contains(estimate.body, "Move limit: ") {
		t.Errorf("the estimate does not say why there is none: %s", estimate.body)
	}
	n.as(n.players["anna"], lang.English).get("/tournaments/new").want(http.StatusForbidden)
}

func TestSettingsCanBeChangedUntilTheStart(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("do", "draft")
	anna := n.as(n.players["anna"], lang.English)
	anna.get(path).want(http.StatusNotFound)
	anna.get("/tournaments").wantsNo("link", "Friday")
	n.host.get(path+"/edit").want(http.StatusOK).wants("button", "Save")
	n.host.post(path, form("name", "Saturday", "format", "swiss", "rounds", "4", "numbering", "lots")...).want(http.StatusOK).wants("heading", "Saturday")
	n.host.post(path + "/registration").want(http.StatusOK)
	anna.get(path).want(http.StatusOK)
	anna.get(path + "/edit").want(http.StatusForbidden)
	if got := n.tournament(path).Settings; got.Format != tournament.Swiss || got.Rounds != 4 || got.Numbering != tournament.Lots || got.Envelope.Chips != 8 || len(got.Envelope.Forbidden) != 10 {
		t.Errorf("%+v", got)
	}
}

func TestASwissWithGuestsAndAByeAskedFor(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "3", "pace", "manual", "tiebreaks", "BH/C1, BH")
	anna := n.as(n.players["anna"], lang.English)
	anna.post(path + "/register").want(http.StatusOK)
	for _, guest := range []string{"Ivan", "Maria", "Petro", "Sofia"} {
		n.host.post(path+"/entries", "guest", guest, "rating", "1400").want(http.StatusOK).wants("link", guest)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	anna.post(path+"/byes", "round", "2").want(http.StatusOK)
	n.host.post(path+"/rounds").want(http.StatusOK).wants("heading", "Round 1")
	for range 2 {
		open := n.tournament(path)
		r := open.Rounds[len(open.Rounds)-1]
		for _, p := range r.Pairings {
			n.host.post(path+"/results", "round", itoa(r.Number), "board", itoa(p.Board), "result", "1/2-1/2").want(http.StatusOK)
		}
		if r.Number == 1 {
			n.host.post(path + "/rounds").want(http.StatusOK)
			if p := n.host.get(path + "/rounds/2"); !strings.Contains(p.body, "absent, 0 points") {
				t.Error("the bye is not on the page")
			}
		}
	}
	second := n.tournament(path).Rounds[1]
	if len(second.Pairings) != 2 || len(second.Byes) != 1 || second.Byes[0].Kind != tournament.ZeroBye {
		t.Errorf("anna sits out round 2: %+v", second)
	}
	why := n.host.get(path + "/rounds/2?why=yes").want(http.StatusOK)
	if !strings.Contains(why.body, `class="why"`) || strings.Contains(why.body, lang.Missing) {
		t.Error("the pairs are not explained")
	}
	anna.post(path+"/results", "round", "2", "board", "1", "result", "1-0").want(http.StatusForbidden)
	n.host.post(path+"/finish").want(http.StatusOK).wantsNo("button", "Finish")
}

func TestTournamentPagesSpeakBothLanguages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	robin, swiss := n.create(), n.create("format", "swiss", "rounds", "3", "name", "Swiss")
	for _, path := range []string{robin, swiss} {
		for handle := range n.players {
			n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
		}
		n.host.post(path + "/start").want(http.StatusOK)
		n.firstWins(path)
	}
	open := n.create("name", "Open")
	paths := []string{"/tournaments", "/tournaments?status=mine", "/tournaments/new", "/tournaments/import", open, open + "/edit"}
	for _, path := range []string{robin, swiss} {
		paths = append(paths, path, path+"/rounds/1", path+"/rounds/1?why=yes", path+"/rounds/2", path+"/standings", path+"/crosstable", path+"/entries/1")
	}
	for _, l := range lang.All {
		n.host.lang = string(l)
		visitor := n.browser(l)
		for _, path := range paths {
			checkPage(t, n.host.get(path), l)
			checkPage(t, visitor.get(path), l)
		}
	}
}

func TestAPageFollowsItsTournament(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	n := newClubNight(t)
	path := n.create()
	for handle := range n.players {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.http.URL+path+"/feed?part=standings&last="+itoa(int(n.tournament(path).Version)), nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := n.host.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	n.firstWins(path)
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `id="tournament-standings"`) {
			return
		}
	}
	t.Fatalf("the standings were not sent: %v", lines.Err())
}

func TestReportsComeInAndNameTheirFaults(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	n.host.post("/tournaments/import").want(http.StatusUnprocessableEntity)
	n.upload("/tournaments/import", "cup.trf", "001 nonsense\n").want(http.StatusUnprocessableEntity).wants("alert", "line 1")

	const report = `012 Spring cup
142 3
001    1      Anna                              1600                             1.0    1     3 w 1
001    2      Borys                             1500                             0.5    2     4 b =
001    3      Clara                             1400                             0.0    4     1 b 0
001    4      Danylo                            1300                             0.5    3     2 w =
`
	n.upload("/tournaments/import", "cup.trf", report).want(http.StatusOK).wants("heading", "Spring cup")
	p := n.host.post("/tournaments/import", "text", report, "do", "import").
		want(http.StatusOK).wants("heading", "Spring cup").wants("link", "Round 1").wants("header", "Anna")
	n.host.post(p.path+"/rounds").want(http.StatusOK).wants("heading", "Round 2")
	if r := n.tournament(p.path).Rounds; len(r) != 2 || len(r[1].Pairings) != 2 {
		t.Errorf("%+v", r)
	}
}

func itoa(n int) string { return texts(lang.English).Int(n) }

func TestAFinishedTournamentShowsItsLastBoardsToEverybody(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	n.firstWins(path)
	for name, b := range map[string]*browser{
		"a visitor": n.browser(lang.English), "a player": n.as(n.players["anna"], lang.English), "the host": n.host,
	} {
		body := b.get(path).want(http.StatusOK).wants("link", "Round 3").body
		if !strings.Contains(body, `id="last-1"`) || !strings.Contains(body, `id="last-2"`) {
			t.Errorf("%s does not see the two boards of the last round in small", name)
		}
	}
}

// The time that two have to arrange their match in is given in days.
func TestRoundsThatAreArrangedLastDays(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("pace", "arranged", "round_days", "7", "lateness", "10")
	if w := n.tournament(path).Window; w != 7*24*time.Hour {
		t.Errorf("seven days are %v", w)
	}
	edit := formValues(n.host.get(path + "/edit").want(http.StatusOK))
	n.host.post(path, replaced(edit, "round_days", "2,5")...).want(http.StatusOK)
	if w := n.tournament(path).Window; w != 60*time.Hour {
		t.Errorf("two and a half days are %v", w)
	}
	n.host.post(path, formValues(n.host.get(path+"/edit").want(http.StatusOK))...).want(http.StatusOK)
	if w := n.tournament(path).Window; w != 60*time.Hour {
		t.Errorf("saved untouched, two and a half days are %v", w)
	}
	n.host.post("/tournaments", form("pace", "arranged", "round_days", "a week", "lateness", "10")...).want(http.StatusUnprocessableEntity).
		says("Give the days, like 7").says("a week")
	n.host.post("/tournaments", form("pace", "arranged", "round_days", "0", "lateness", "10")...).want(http.StatusUnprocessableEntity).
		says("needs a day to arrange")
}
