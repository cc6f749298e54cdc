package web_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// tells says which of some texts is not on the page.
func (p page) tells(parts ...string) page {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(strings.ReplaceAll(p.body, "\u00a0", " "), part) {
			p.t.Errorf("%s: no %q", p.path, part)
		}
	}
	return p
}

// arena is an arena that is open, with these players.
func (n *clubNight) arena(handles ...string) (path string) {
	n.t.Helper()
	path = n.create("format", "arena", "window", "60", "pace", "auto", "lateness", "5", "review", "on", "chips", "4", "minutes_low", "3",
		"minutes_high", "3", "increment_low", "0", "increment_high", "0", "moveLimit_low", "20", "moveLimit_high", "40", "default_limit", "40", "presets", "3+0")
	for _, handle := range handles {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.get(path + "/desk").want(http.StatusOK).says("Players can still enter.").saysNot("closes registration")
	n.host.post(path + "/start").want(http.StatusOK)
	return path
}

// A page that is open for half a minute waits all the time; without one nobody waits for
// longer than twenty seconds.
func TestWhoeverHasTheArenasPageOpenGoesOnWaiting(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.arena("anna", "borys")
	anna := n.as(n.players["anna"], lang.English)
	passes := func() {
		for range 6 {
			n.clock.advance(5 * time.Second)
			if err := n.judge.Rounds.SweepArenas(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	anna.post(path + "/arena").want(http.StatusOK).tells("Waiting for an opponent")
	passes()
	anna.get(path).want(http.StatusOK).tells("Ready for a match?")
	anna.post(path + "/arena").want(http.StatusOK)
	<-anna.listen(path + "/feed?part=live")
	passes()
	anna.get(path).want(http.StatusOK).tells("Waiting for an opponent")
}

// A board each 20 s for hours would be a desk of a thousand lines, made anew at all news.
func TestAnArenasDeskListsTheLatestResultsOnly(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.arena("anna", "borys", "clara")
	before := n.tournament(path)
	after := before.Clone()
	for i := range 40 {
		p := tournament.Pairing{Board: i + 1, First: 2, Second: 3, Result: tournament.Result{Kind: tournament.Drawn, At: n.clock.Now()}}
		if i == 0 {
			p.Result = tournament.Result{}
		}
		after.Rounds[0].Pairings = append(after.Rounds[0].Pairings, p)
	}
	n.write(func(tx *store.Tx) error {
		return tx.SaveTournament(before, after, ledger.Deed{At: n.clock.Now(), Act: tournament.ActPair})
	})
	desk := n.host.get(path + "/desk").want(http.StatusOK).body
	if got := strings.Count(desk, `id="board-`); got != 21 || strings.Index(desk, `id="board-1"`) > strings.Index(desk, `id="board-40"`) ||
		!strings.Contains(desk, `id="board-21"`) {
		t.Errorf("%d boards, not the one under way and then the latest 20", got)
	}
	if got := strings.Count(desk, `class="dot `); got != 1 {
		t.Errorf("%d dots", got)
	}
	before = n.tournament(path)
	after = before.Clone()
	for i := range 80 {
		after.Rounds[0].Pairings = append(after.Rounds[0].Pairings, tournament.Pairing{Board: 41 + i, First: 2, Second: 3})
	}
	n.write(func(tx *store.Tx) error {
		return tx.SaveTournament(before, after, ledger.Deed{At: n.clock.Now(), Act: tournament.ActPair})
	})
	if got := strings.Count(n.host.get(path+"/desk").want(http.StatusOK).body, `class="dot `); got != 0 {
		t.Errorf("%d dots of 81 boards", got)
	}
	n.host.get(path + "/players").want(http.StatusOK).tells(`action="` + path + `/entries"`) // late ones, too
	if body := n.host.get(path + "/players").body; strings.Contains(body, "add-guest") {
		t.Error("somebody without an account is entered, who can never wait")
	}
	n.host.post(path+"/pause", "pause_reason", "The light is out").want(http.StatusOK)
	n.as(n.players["anna"], lang.English).get(path).want(http.StatusOK).tells(`role="status">Paused</span></h2>`)
	n.host.get(path + "/boards").want(http.StatusOK)
}

// An arena as its players go through it: the form, the page that waits, the board, and
// back by one press; then what its files say.
func TestAnArenaOnItsPages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.arena("anna", "borys", "clara")
	made := n.tournament(path)
	if made.Format != tournament.Arena || made.Window != time.Hour || made.Lateness != 20*time.Second || made.Review {
		t.Fatalf("%+v", made.Settings)
	}
	anna, borys := n.as(n.players["anna"], lang.English), n.as(n.players["borys"], lang.Ukrainian)
	anna.get(path).want(http.StatusOK).tells("Ready for a match?", path+"/arena", "Pairing ends in", "Arena, 1 h")
	anna.post(path+"/arena").want(http.StatusOK).tells("Waiting for an opponent", path+"/arena/rest")
	anna.post(path + "/arena/rest").want(http.StatusOK).tells("Ready for a match?")
	clara, program := n.as(n.players["clara"], lang.English), n.program(n.players["clara"])
	program.ask(http.MethodPost, path+"/arena", "", http.StatusNoContent, nil)
	clara.get(path).tells("Waiting for an opponent")
	program.ask(http.MethodPost, path+"/arena", `{"rest":true}`, http.StatusNoContent, nil)
	clara.get(path).tells("Ready for a match?")
	n.program(n.player("Olena")).ask(http.MethodPost, path+"/arena", "", http.StatusNotFound, nil) // has not entered
	anna.post(path + "/arena").want(http.StatusOK)
	borys.post(path + "/arena").want(http.StatusOK).tells("Ваш суперник: anna")
	anna.get(path).want(http.StatusOK).tells("You play borys")
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "countdown", "lang", "en", "zone", "Europe/Kyiv").want(http.StatusOK)
	wall := n.host.get("/screens/" + n.screens(path)[0].Token).want(http.StatusOK).tells("Likely over")
	if large := strings.Count(wall.body, `class="countdown`); large != 1 {
		t.Errorf("the wall of a running arena shows %d large figures, nobody knows of what", large)
	}
	board := n.tournament(path).Rounds[0].Pairings[0]
	for _, seat := range match.Seats {
		if e, err := n.tournament(path).Entry(board.EntryAt(seat)); err == nil {
			_, err = n.live.Do(t.Context(), board.Match, e.Player, live.Request{Command: match.Ready{Seat: seat}, Admit: admitted})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	n.wins(path, "anna")
	m := string(n.tournament(path).Rounds[0].Pairings[0].Match)
	anna.get("/matches/"+m).want(http.StatusOK).tells("Next match in the arena", `action="`+path+`/arena"`)
	anna.post(path + "/arena").want(http.StatusOK).tells("Waiting for an opponent")
	anna.get(path+"/standings").want(http.StatusOK).tells("2: won against borys", "0: lost to anna")
	csv := anna.get(path + "/standings.csv").want(http.StatusOK).body
	if line := strings.Split(csv, "\n")[1]; !strings.HasPrefix(line, "1,1,anna,") || !strings.Contains(line, ",2,1,1,") {
		t.Errorf("two points, one win in one match: %s", csv)
	}
	anna.get(path + "/report.trf").want(http.StatusConflict).tells("cannot be written as a TRF report")
	for _, at := range []string{"", "/desk", "/players", "/boards", "/results", "/life", "/screens", "/rounds/1", "/entries/1", "/files", "/info", "/log",
		"/staff", "/tournament.json", "/picture.png", "/rounds/1/names", "/rounds/1/pairings.csv"} {
		n.host.get(path + at).want(http.StatusOK)
	}
	n.host.get(path+"/desk").tells("The arena is open", "Finish now", path+"/finish")
	n.host.post(path + "/finish").want(http.StatusOK)
	if got := n.tournament(path).Status; got != tournament.Finished {
		t.Errorf("nobody plays: %v", got)
	}
	borys.get(path).want(http.StatusOK).tells("podium", "1 матч")
	if log := n.host.get(path + "/log").tells("Boards paired").body; strings.Contains(log, "Round 1 changed") || strings.Contains(log, "Round over") {
		t.Error("the log speaks of rounds")
	}
}

// Whoever rests or leaves on a page from before the board that they have got since is told of it first: they would be
// missed there, or would not be found again.
func TestNobodyRestsOrLeavesUnawareOfTheirBoard(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.arena("anna", "borys", "clara")
	anna, borys := n.as(n.players["anna"], lang.English), n.as(n.players["borys"], lang.English)
	anna.post(path + "/arena").want(http.StatusOK)
	seen := strconv.FormatInt(n.tournament(path).Version, 10)
	borys.post(path + "/arena").want(http.StatusOK)
	shown := func() string { return strconv.FormatInt(n.tournament(path).Version, 10) }
	waits := func(want bool) {
		t.Helper()
		if got := strings.Contains(anna.get(path).want(http.StatusOK).body, "Waiting for an opponent"); got != want {
			t.Errorf("anna waits: %v", got)
		}
	}
	anna.post(path+"/arena/rest", "shown", seen).want(http.StatusConflict).tells("the site was first", "Round opened")
	left := anna.post(path+"/withdraw", "shown", seen).want(http.StatusConflict).tells("the site was first", "Round opened")
	if e := n.entry(path, "anna"); e.Status != tournament.Active || !left.holds("shown", shown()) {
		t.Errorf("anna is %v, and the form to leave all the same shows %q", e.Status, left.body)
	}
	board := n.tournament(path).Rounds[0].Pairings[0]
	for _, seat := range match.Seats {
		e, err := n.tournament(path).Entry(board.EntryAt(seat))
		if err == nil {
			_, err = n.live.Do(t.Context(), board.Match, e.Player, live.Request{Command: match.Ready{Seat: seat}, Admit: admitted})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	n.wins(path, "anna")
	anna.post(path+"/arena", "shown", seen).want(http.StatusConflict)
	waits(false)
	anna.post(path+"/arena", "shown", shown()).want(http.StatusOK)
	anna.post(path+"/arena/rest", "shown", seen).want(http.StatusConflict) // of the wait before the board
	waits(true)
	anna.post(path+"/arena/rest", "shown", shown()).want(http.StatusOK)
	waits(false)
	anna.post(path+"/withdraw", "shown", seen).want(http.StatusOK) // that board is played
}

// On one page a bot of the house has one name, and its reader's.
func TestBotsOfTheHouseAreCalledInTheReadersLanguageInEvents(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.arena("anna", "borys")
	n.write(func(tx *store.Tx) error {
		bot := player.Player{ID: "id-korol", Handle: "Korol", Role: player.Plain, Bot: true, Created: n.clock.Now()}
		return tx.AddPlayer(bot, "")
	})
	n.host.post(path+"/entries", "handle", "Korol").want(http.StatusOK)
	for l, name := range map[lang.Lang]string{lang.English: "Korol", lang.Ukrainian: "Король"} {
		b := n.as(n.players["anna"], l)
		for _, at := range []string{path, path + "/standings", "/search?q=korol"} {
			b.get(at).want(http.StatusOK).tells(">" + name + "<")
		}
	}
	if body := n.as(n.player("Olena"), lang.Ukrainian).get(path + "/players").want(http.StatusOK).body; !strings.Contains(body, ">Король<") {
		t.Error("another name at the desk")
	}
	if body := n.as(n.account("dora", player.Plain), lang.English).get(path).want(http.StatusOK).body; strings.Contains(body, "You start in round") {
		t.Error("whoever comes late to an arena is told of rounds")
	}
}

// The team of a battle is chosen wherever people come in: staff choose it for an account, and at the door it is chosen by somebody
// new, by an account on its own device, and on the kiosk, which says which one it became. Who leaves the choice gets the smallest
// team. A refused name or handle keeps the choice.
func TestTheTeamOfABattleIsChosenWhereverPeopleComeIn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "arena", "window", "60", "pace", "auto", "lateness", "20", "chips", "4", "minutes_low", "3", "minutes_high", "3",
		"increment_low", "0", "increment_high", "0", "moveLimit_low", "20", "moveLimit_high", "40", "default_limit", "40", "presets", "3+0",
		"battle_teams", "Lions\r\nBears", "battle_leaders", "1")
	n.host.post(path + "/door").want(http.StatusOK)
	var door, kiosk string
	n.write(func(tx *store.Tx) error {
		d, err := tx.Door(tournament.ID(strings.TrimPrefix(path, "/tournaments/")))
		door, kiosk = "/t/"+strings.ToUpper(d.Code), "/kiosk/"+d.Kiosk
		return err
	})
	bears := `<option value="2" selected`
	n.host.get(path + "/players").want(http.StatusOK).says("Whichever team has the fewest players")
	n.host.post(path+"/entries", "handle", "nobody", "camp", "2").want(http.StatusUnprocessableEntity).says(bears)
	n.host.post(path+"/entries", "handle", "anna", "camp", "2").want(http.StatusOK)
	n.host.post(path+"/entries", "handle", "borys", "camp", "3").want(http.StatusUnprocessableEntity).says("No such team fights here")

	daria := n.browser(lang.English)
	daria.get(door).want(http.StatusOK).says("Whichever team has the fewest players")
	daria.post(door, "name", "anna", "camp", "2").says(bears).wants("alert", "")
	daria.post(door, "name", "Дарина Ткач", "camp", "2").want(http.StatusOK).says("You play for Bears.")
	clara := n.as(n.players["clara"], lang.English)
	clara.get(door).want(http.StatusOK).says("Whichever team has the fewest players")
	clara.post(door, "camp", "2").want(http.StatusOK).says("You play for Bears.")
	tablet := n.browser(lang.English)
	tablet.get(kiosk).want(http.StatusOK).says("Whichever team has the fewest players")
	tablet.post(kiosk, "name", "Марко Лис", "camp", "0").want(http.StatusOK).says("You play for Lions.") // which nobody has chosen
	tablet.post(kiosk, "name", "Ірина Лис", "camp", "2").want(http.StatusOK).says("You play for Bears.")
	for name, want := range map[string]int{"anna": 2, "Дарина Ткач": 2, "clara": 2, "Марко Лис": 1, "Ірина Лис": 2} {
		if got := n.entry(path, name).Camp; got != want {
			t.Errorf("%s fights for %d, want %d", name, got, want)
		}
	}
}

// Two teams fight in an arena through the pages: they are chosen on the event's page, at the door and in a list, mates do not meet, the
// table of teams names who counts, and the log tells the same.
func TestABattleOfTeamsRunsThroughThePages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	n.host.post("/tournaments", form("format", "arena", "window", "60", "pace", "auto", "lateness", "20", "battle_teams", "Lions")...).
		want(http.StatusUnprocessableEntity).says("A battle has 2 to 20 teams.")
	path := n.create("format", "arena", "window", "60", "pace", "auto", "lateness", "20", "chips", "4", "minutes_low", "3", "minutes_high", "3",
		"increment_low", "0", "increment_high", "0", "moveLimit_low", "20", "moveLimit_high", "40", "default_limit", "40", "presets", "3+0",
		"battle_teams", "Lions\r\n Bears \r\n\r\n", "battle_leaders", "1")
	anna, clara, visitor := n.as(n.players["anna"], lang.English), n.as(n.players["clara"], lang.English), n.browser(lang.English)
	anna.get(path).want(http.StatusOK).says("Whichever team has the fewest players")
	anna.post(path+"/register", "camp", "3").want(http.StatusUnprocessableEntity).says("No such team fights here")
	anna.post(path+"/register", "camp", "2").want(http.StatusOK).says("You play for Bears.")
	n.host.post(path+"/players/add", "list", "handle;team\nborys;bears\n", "do", "add").want(http.StatusOK)
	n.program(n.players["danylo"]).tells("POST", path+"/entries", `{"battleTeam":"Lions"}`, http.StatusCreated, `"battleTeam":1`)
	clara.post(path+"/register", "camp", "0").want(http.StatusOK).says("You play for Lions.") // who have fewer
	if list := visitor.get(path).says("battle of 2 teams").body; strings.Count(list, `<span class="muted">Bears</span>`) != 2 {
		t.Error("the list of players does not say who fights for Bears")
	}
	n.host.post(path + "/start").want(http.StatusOK)
	visitor.get(path+"/battle/2").want(http.StatusOK).wants("heading", "Bears").says("anna").says("borys").saysNot("danylo")
	visitor.get(path + "/battle/3").want(http.StatusNotFound)
	for range 2 { // mates wait as long as nobody else is there
		for _, name := range []string{"anna", "borys"} {
			n.as(n.players[name], lang.English).post(path + "/arena").want(http.StatusOK)
		}
		n.clock.advance(10 * time.Second)
		if err := n.judge.Rounds.SweepArenas(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if boards := n.tournament(path).Rounds[0].Pairings; len(boards) > 0 {
		t.Fatalf("mates meet: %+v", boards)
	}
	clara.post(path + "/arena").want(http.StatusOK)
	n.clock.advance(10 * time.Second)
	if err := n.judge.Rounds.SweepArenas(t.Context()); err != nil {
		t.Fatal(err)
	}
	tour := n.tournament(path)
	if boards := tour.Rounds[0].Pairings; len(boards) != 1 || !boards[0].SeatOf(n.entry(path, "clara").ID).Valid() {
		t.Fatalf("%+v", boards)
	}
	for _, seat := range match.Seats {
		e, _ := tour.Entry(tour.Rounds[0].Pairings[0].EntryAt(seat))
		if _, err := n.live.Do(t.Context(), tour.Rounds[0].Pairings[0].Match, e.Player,
			live.Request{Command: match.Ready{Seat: seat}, Admit: admitted}); err != nil {
			t.Fatal(err)
		}
	}
	n.resigns(path, "clara")
	winner, _ := tour.Entry(tour.Rounds[0].Pairings[0].EntryAt(tour.Rounds[0].Pairings[0].SeatOf(n.entry(path, "clara").ID).Other()))
	for _, at := range []string{"", "/standings"} {
		visitor.get(path+at).want(http.StatusOK).wants("link", "Bears").wants("link", "Lions")
	}
	standings := visitor.get(path + "/standings").want(http.StatusOK).body
	teams, _, _ := strings.Cut(standings, "standings-box")
	if !strings.Contains(teams, winner.Name) || strings.Contains(teams, "danylo") {
		t.Error("the table of teams does not name whose points count")
	}
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "standings", "lang", "en", "zone", "Europe/Kyiv").want(http.StatusOK)
	_, wall, _ := strings.Cut(visitor.get("/screens/"+n.screens(path)[0].Token).want(http.StatusOK).body, `id="picture-battle"`)
	wall, _, _ = strings.Cut(wall, "</section>")
	if !strings.Contains(wall, ">2<") || !strings.Contains(wall, "Bears") || !strings.Contains(wall, "Lions") {
		t.Errorf("the wall does not show both teams and what the first has: %s", wall)
	}
	visitor.get(path + "/info").want(http.StatusOK).says("Lions, Bears").says("The best player of each team counts.").saysNot("Pace of rounds").saysNot("Seeding")
	if csv := visitor.get(path + "/standings.csv").want(http.StatusOK).body; !strings.Contains(csv, ",Bears\n") {
		t.Errorf("no team in %s", csv)
	}
	visitor.get("/embed" + path + "/standings").want(http.StatusOK).says("Bears").saysNot("danylo")
	visitor.get("/api/v1" + path).want(http.StatusOK).tells(`"name":"Bears","score":2`)
	folded, err := ledger.Fold(n.deeds(path))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(n.tournament(path).Entries, folded.Entries, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the tables (-) are not what the log says (+):\n%s", diff)
	}
}
