package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// threeTeams is a Swiss of three teams with two boards whose captains have ten minutes for line-ups. Tetyana is the captain of Owls and does
// not play. All are unrated, so that numbers follow the names: Bears meet Lions, and Owls have the bye.
func (n *clubNight) threeTeams() string {
	n.t.Helper()
	for _, h := range []player.Handle{"eva", "fedir", "hanna", "ivan", "tetyana"} {
		n.players[string(h)] = n.account(h, player.Plain)
	}
	path := n.event(func(s *tournament.Settings) {
		s.Teams = tournament.Teams{Boards: 2, Reserves: 1, LineUps: 10 * time.Minute}
		s.Rounds, s.Tiebreaks = 2, []string{"EMGSB/C1", "MPvGP", "EDEBB", "SSSC", "BH:MP/C1"}
	})
	n.host.post(path+"/players/add", "do", "add", "list",
		"handle;team\nanna;Lions\nborys;Lions\nclara;Lions\ndanylo;Bears\neva;Bears\nfedir;Bears\nhanna;Owls\nivan;Owls\n").want(http.StatusOK)
	owls := n.entry(path, "Owls")
	if err := n.judge.Entries.SetCaptains(n.t.Context(), n.viewer("Olena"), "cup", owls.ID, []string{"tetyana"}); err != nil {
		n.t.Fatal(err)
	}
	return path
}

// resigns ends the match of a player in the open round.
func (n *clubNight) resigns(path, name string) {
	n.t.Helper()
	t := n.tournament(path)
	e := n.entry(path, name)
	for _, p := range t.Rounds.Pending() {
		if seat := p.SeatOf(e.ID); seat.Valid() {
			if _, err := n.live.Do(n.t.Context(), p.Match, e.Player, live.Request{Command: match.Resign{Seat: seat}, Admit: admitted}); err != nil {
				n.t.Fatal(err)
			}
		}
	}
}

// crawl looks at every page of an event of teams, as a visitor, a player, a captain and the host.
func (n *clubNight) crawl(path string) {
	n.t.Helper()
	tour := n.tournament(path)
	pages := []string{"", "/info", "/standings", "/standings.csv", "/crosstable", "/crosstable.csv", "/wallchart", "/wallchart.csv", "/cards", "/files",
		"/by-board", "/by-board.csv", "/log", "/log.jsonl", "/chat", "/prizes", "/report.trf", "/tournament.json", "/records.zip", "/calendar.ics",
		"/picture.png", "/ratings", "/draw", "/origin"}
	for _, r := range tour.Rounds {
		at := "/rounds/" + fmt.Sprint(r.Number)
		pages = append(pages, at, at+"?why=yes", at+"/names", at+"/pairings.csv", at+"/input.trf")
		for i := range r.Teams {
			pages = append(pages, at+"/matches/"+fmt.Sprint(i+1))
		}
	}
	for _, e := range tour.Entries {
		pages = append(pages, "/entries/"+fmt.Sprint(e.ID))
	}
	staff := []string{"/desk", "/edit", "/players", "/players.csv", "/pairings", "/boards", "/calls", "/results", "/fair-play", "/screens", "/staff", "/webhooks",
		"/prizes/edit", "/next", "/life", "/dry-run", "/settings", "/slips"}
	look := func(b *browser, at string) page {
		p := b.get(at)
		if p.status >= http.StatusInternalServerError {
			n.t.Errorf("%s: status %d\n%s", at, p.status, n.log)
		}
		return p
	}
	for _, b := range []*browser{n.browser(lang.English), n.as(n.players["anna"], lang.Ukrainian), n.as(n.players["clara"], lang.English),
		n.as(n.players["tetyana"], lang.English), n.host} {
		for _, at := range pages {
			look(b, path+at)
		}
		for _, at := range []string{"/", "/tournaments", "/players/anna", "/embed" + path + "/standings?tiebreaks=1", "/embed" + path + "/round",
			"/embed" + path + "/boards/1", "/overlay" + path + "/standings", "/api/v1" + path, "/api/v1/tournaments"} {
			if strings.Contains(look(b, at).body, "8 players") {
				n.t.Errorf("%s counts players where teams are meant", at)
			}
		}
	}
	for _, at := range staff {
		look(n.host, path+at)
	}
}

// Every page of an event of teams has teams where sides stand, and players where people do: before it begins, while line-ups are
// sealed, in play and after it.
func TestThePagesOfAnEventOfTeamsShowTeamsAndTheirPlayers(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.threeTeams()
	visitor, anna := n.browser(lang.English), n.as(n.players["anna"], lang.English)
	visitor.get(path).want(http.StatusOK).wants("heading", "Teams").says("3 teams, 8 players").saysNot(`<span class="badge">guest</span>`)
	visitor.get("/tournaments").says("3 teams")
	n.host.get(path + "/desk").want(http.StatusOK).says("3 teams")
	n.crawl(path)

	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	round := visitor.get(path + "/rounds/1").want(http.StatusOK).says("The boards of a match open when both line-ups are in").
		says("line-ups of 1 match to come").says("line-up to come").says("danylo").saysNot("line-up handed in")
	round.wants("link", "Owls")
	visitor.get(path + "/rounds/1/names").want(http.StatusOK).says("1 match waits for line-ups.")
	n.host.get(path + "/results").want(http.StatusOK).says("1 match waits for line-ups.").saysNot("<table")
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "pairings", "shows", "names", "shows", "countdown", "lang", "en", "zone",
		"Europe/Kyiv").want(http.StatusOK)
	wall := "/screens/" + n.screens(path)[0].Token
	visitor.get(wall).want(http.StatusOK).says("Bears").saysNot("Find your board").says("Line-ups are awaited until").
		says(`class="countdown" data-until`).saysNot("0 boards")
	anna.get("/").want(http.StatusOK).says("Cup: ").says("Line-ups until")
	n.host.get(path + "/desk").want(http.StatusOK).says("1 match waits for line-ups.").says("Who can act: the captains")
	lions := fmt.Sprint(path, "/teams/", n.entry(path, "Lions").ID) // whose captain anna is
	anna.get("/").says(`href="` + lions + `"`)
	step := func(button string) { // what is pressed stands in the first card, not at the end of the page
		t.Helper()
		_, card, _ := strings.Cut(anna.get(path).want(http.StatusOK).body, `id="ready"`)
		card, rest, _ := strings.Cut(card, "</section>")
		if link := `<a class="` + button + `" href="` + lions + `">`; !strings.Contains(card, link) || strings.Contains(rest, lions) {
			t.Errorf("the captain's first step has no %s", link)
		}
	}
	step("button")
	anna.post(lions+"/line-up", formValues(anna.get(lions))...).want(http.StatusOK)
	step("button quiet")
	visitor.get(path + "/rounds/1").says("line-up handed in").says("line-up to come")
	n.as(n.players["clara"], lang.English).get("/").says(`href="` + path + `/rounds/1/matches/1"`)
	anna.get(fmt.Sprint(path, "/entries/", n.entry(path, "Lions").ID)).want(http.StatusOK).wants("link", "Players and line-up")
	n.crawl(path)

	n.clock.advance(10 * time.Minute)
	if err := n.judge.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	visitor.get(wall).want(http.StatusOK).says("Find your board")
	n.resigns(path, "anna")
	visitor.get(path + "/rounds/1").want(http.StatusOK).says("1.1").says("1.2").says("danylo").saysNot("clara").saysNot("line-up to come")
	shown := visitor.get(path + "/rounds/1/matches/1").want(http.StatusOK).says("Round 1 · match 1").saysNot("Owls")
	if !strings.Contains(shown.body, "1 : 0") && !strings.Contains(shown.body, "0 : 1") {
		t.Error("the page of the match has no score")
	}
	visitor.get(path + "/rounds/1/matches/2").want(http.StatusNotFound)
	visitor.get(path + "/rounds/1?why=yes").want(http.StatusOK).says("The number of teams is odd. The bye goes to the lowest possible score: Owls").
		says("opens the bidding")
	visitor.get(path + "/rounds/1/names").want(http.StatusOK).says("danylo").saysNot("Bears")
	n.as(n.players["clara"], lang.English).get(path).want(http.StatusOK).says("You are not in the line-up.")
	n.crawl(path)

	n.resigns(path, "borys")
	shown = visitor.get(path + "/rounds/1/matches/1").want(http.StatusOK)
	// Both boards went to Bears, who are on the same side of both, though they are First on one of them only.
	if a, b := strings.Count(shown.body, "1 : 0"), strings.Count(shown.body, "0 : 1"); a+b != 2 || a*b != 0 {
		t.Errorf("%d boards are 1 : 0 and %d 0 : 1", a, b)
	}
	standings := visitor.get(path+"/standings").want(http.StatusOK).wants("link", "Boards").says(`<abbr title="match points">MP</abbr>`).
		says(`<abbr title="game points">GP</abbr>`)
	if strings.Contains(standings.body, "the other score") {
		t.Error("the game points stand twice")
	}
	visitor.get(fmt.Sprint(path, "/entries/", n.entry(path, "Bears").ID)).want(http.StatusOK).wants("heading", "Roster").says("danylo").says("2 : 0").says("captain")
	visitor.get(path+"/entries/2").want(http.StatusOK).wants("link", "Lions")
	csv := visitor.get(path + "/standings.csv").want(http.StatusOK).body
	for _, line := range []string{"rank,number,player,club,rating,score,EMGSB/C1,MPvGP,EDEBB,SSSC,BH:MP/C1,bot,ruled,game-points\n", "1,1,Bears,", "2,3,Owls,",
		"3,2,Lions,"} {
		if !strings.Contains(csv, line) {
			t.Errorf("no %q in\n%s", line, csv)
		}
	}
	for _, line := range []string{"board,rank,player,team,rating,points,games,performance\n", "1,1,danylo,Bears,", "2,1,eva,Bears,", "3,,clara,Lions,"} {
		visitor.get(path+"/by-board").want(http.StatusOK).says(path+"/by-board.csv").says("Reserves").wants("link", "eva")
		if body := visitor.get(path + "/by-board.csv").want(http.StatusOK).body; !strings.Contains(body, line) {
			t.Errorf("no %q in\n%s", line, body)
		}
	}
	visitor.get("/api/v1" + path).want(http.StatusOK).says(`"matches":[{"number":1,"first":`).says(`"captains":["tetyana"]`).says(`"teamMatch":1`).
		says(`"other":2`)
	n.crawl(path)
}

// Bears have beaten Lions 2 : 0 in the first round, and the second is paired. Bears forfeit the first after all: Lions have its 2
// match points and Bears none, what was played stands beside, the second round stays. Lifted, the boards count again.
func TestAMatchOfAnEarlierRoundIsForfeitedOnItsPage(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.threeTeams()
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.clock.advance(10 * time.Minute)
	if err := n.judge.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.resigns(path, "anna")
	n.resigns(path, "borys")
	n.host.post(path + "/rounds").want(http.StatusOK)

	tour, bears := n.tournament(path), n.entry(path, "Bears").ID
	seat := tour.Rounds[0].Teams[0].SeatOf(bears)
	loser := [...]string{"first", "second"}[seat.Index()]
	at := path + "/rounds/1/matches/1"
	for name, who := range map[string]*browser{"a visitor": n.browser(lang.English), "a player": n.as(n.players["anna"], lang.English),
		"a captain": n.as(n.players["tetyana"], lang.English)} {
		who.get(at).want(http.StatusOK).saysNot(at + "/forfeit")
		if shown := who.get(at + "/forfeit"); strings.Contains(shown.body, "Who forfeits the match") {
			t.Errorf("%s sees the page of a forfeit", name)
		}
	}
	n.host.get(at).want(http.StatusOK).wants("link", "Forfeit this match")
	n.host.get(path+"/results?round=1").want(http.StatusOK).wants("link", "Forfeit this match")
	n.host.get(path + "/rounds/1/matches/2/forfeit").want(http.StatusNotFound)
	n.host.get(at+"/forfeit").want(http.StatusOK).wants("button", "Bears").wantsNo("button", "neither: the boards count").wantsNo("button", "Decide")
	n.host.get(at+"/forfeit?lost="+loser).want(http.StatusOK).wants("button", "Decide").says("What changes").says("<del>2</del>")
	outcome := func() tournament.Outcome {
		return n.tournament(path).ScoreOf(n.tournament(path).Rounds[0], 1)[seat.Index()].Outcome
	}
	if got := outcome(); got != tournament.Win {
		t.Fatalf("looking has made it %v", got)
	}
	shown := fmt.Sprint(n.tournament(path).Version)
	n.host.post(at+"/forfeit?lost="+loser, "shown", shown).want(http.StatusUnprocessableEntity)
	n.host.post(at+"/forfeit?lost="+loser, "reason", "A player of another club", "shown", shown).want(http.StatusOK).
		says("Bears forfeits the match. A player of another club")
	if got := outcome(); got != tournament.ForfeitLoss {
		t.Errorf("Bears have %v", got)
	}
	if got := n.tournament(path); len(got.Rounds) != 2 || got.Rounds[0].Pairings[0].Result.Was == tournament.Pending {
		t.Errorf("what was played is gone, or the second round: %+v", got.Rounds[0].Pairings)
	}
	n.host.get(at + "/forfeit?lost=none").want(http.StatusOK).says("The boards count again as they were played.")
	n.host.post(at+"/forfeit?lost=none", "reason", "A mistake", "shown", fmt.Sprint(n.tournament(path).Version)).want(http.StatusOK)
	if got := outcome(); got != tournament.Win {
		t.Errorf("lifted, Bears have %v", got)
	}
}
