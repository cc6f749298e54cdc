package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// evening is a tournament with a check-in before every round.
func (s *site) evening(host player.Player, players ...player.Player) tournament.ID {
	s.t.Helper()
	set := tournament.DefaultSettings(tournament.Swiss)
	set.Name, set.Rounds, set.OnClaim = "Friday", 2, true
	set.CheckIn = tournament.CheckIn{Scope: tournament.ForRound, Opens: 10 * time.Minute, Closes: time.Minute}
	t, err := tournament.New("friday", host.ID, set, s.clock.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	by := player.Viewer{Player: host}
	if err := t.OpenRegistration(by, s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
	for _, p := range players {
		if _, err := t.Register(by, tournament.Candidate{Player: p.ID, Name: string(p.Handle), Rating: 1500, Bot: p.Bot}, s.clock.Now()); err != nil {
			s.t.Fatal(err)
		}
	}
	s.write(func(tx *store.Tx) error {
		return tx.AddTournament(t, ledger.Deed{At: s.clock.Now(), By: host.ID, Act: tournament.ActCreate})
	})
	return t.ID
}

func TestFromCheckInToTheBoard(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	s := newSite(t)
	host, olena, taras := s.account("host", player.Organizer), s.account("Olena", player.Plain), s.account("Taras", player.Plain)
	s.evening(host, olena, taras)
	desk, first, second := s.as(host, lang.English), s.as(olena, lang.English), s.as(taras, lang.English)

	desk.post("/tournaments/friday/start")
	page := desk.get("/tournaments/friday/desk")
	if strings.Contains(page.body, `role="alert"`) {
		t.Error("a fault before anything was asked for")
	}
	page.wants("heading", "Round 1").wants("heading", "Check-in for round 1")
	if !strings.Contains(page.body, "2 players have not checked in yet.") || !strings.Contains(page.body, "0 of 2") {
		t.Errorf("the desk does not tell who is missing:\n%s", page.body)
	}
	if got := first.get("/tournaments/friday/desk").status; got != http.StatusForbidden {
		t.Errorf("a player at the desk: %d", got)
	}

	first.get("/").wants("button", "Check in")
	if page = first.get("/tournaments/friday"); !strings.Contains(page.body, "2 players have not checked in yet.") || !strings.Contains(page.body, "Who can act: the players, the owner, the arbiter") {
		t.Error("the overview does not say what is waited for, and who can help")
	}
	// Open pages follow: a player's page, the desk and another's.
	ready, control, overview := first.follow("/tournaments/friday/feed?part=live&last=0"), desk.follow("/tournaments/friday/feed?part=desk&last=0"), second.follow("/tournaments/friday/feed?part=live&last=0")
	for _, next := range []func() string{ready, control, overview} {
		next()
	}
	page = first.get("/tournaments/friday")
	page.wants("button", "Check in")
	page = first.post("/tournaments/friday/check-in")
	page.wants("button", "Check out")
	for what, next := range map[string]func() string{"Check out": ready, "1 of 2": control, "1 player has not checked in yet.": overview} {
		if html := next(); !strings.Contains(html, what) {
			t.Errorf("an open page does not come to %q: %s", what, html)
		}
	}
	first.get("/").wantsNo("button", "Check in")
	desk.post("/tournaments/friday/entries/2/check-in")
	if page = desk.get("/tournaments/friday/desk"); !strings.Contains(page.body, "2 of 2") {
		t.Error("both are there")
	}

	page = desk.post("/tournaments/friday/pause", "pause_reason", " ")
	if page.status != http.StatusUnprocessableEntity || !strings.Contains(page.body, "Give a reason") {
		t.Errorf("a pause without a reason: %d", page.status)
	}
	desk.post("/tournaments/friday/pause", "pause_reason", "The light is out")
	if page = first.get("/tournaments/friday"); !strings.Contains(page.body, "The light is out") {
		t.Error("everybody reads why it is paused")
	}
	desk.post("/tournaments/friday/continue")
	page = desk.post("/tournaments/friday/postpone", "round", "1", "to", "2026-11-20 10:00")
	if page.status != http.StatusUnprocessableEntity || !strings.Contains(page.body, `value="2026-11-20 10:00"`) {
		t.Errorf("a time in the past: %d", page.status)
	}

	s.clock.advance(10 * time.Minute)
	a := s.arbiter(t)
	if err := a.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	page = first.get("/tournaments/friday")
	page.wants("heading", "Round 1, board 1").wants("button", "I am ready")
	if page = first.post("/tournaments/friday/ready"); !strings.HasPrefix(page.path, "/matches/") {
		t.Errorf("who is ready goes to the board, not to %s", page.path)
	}
	first.get("/tournaments/friday").wantsNo("button", "I am ready").wantsNo("button", "Claim the forfeit")
	board := page.path
	if page = first.get(board); !strings.Contains(page.body, "You can claim the forfeit from") {
		t.Error("the board does not say when the forfeit can be claimed")
	}
	first.post("/tournaments/friday/ready/claim").want(http.StatusUnprocessableEntity).says("You can’t claim a forfeit yet.")
	page = first.post(board+"/commands", "forfeit", "true")
	if page.status != http.StatusUnprocessableEntity || !strings.Contains(page.body, "You can’t claim a forfeit yet.") {
		t.Errorf("claimed too early: %d", page.status)
	}
	page = desk.post("/tournaments/friday/pause", "pause_reason", "Fire alarm", "pause_matches", "on")
	if !strings.Contains(page.body, "with the matches of the round: Fire alarm") || !strings.Contains(first.get(board).body, "Fire alarm") {
		t.Error("the match does not stop with the tournament")
	}
	desk.post("/tournaments/friday/continue")
	if page = first.get(board); !strings.Contains(page.body, "Arbiter host: match continued\u00a0– Fire alarm") {
		t.Error("the match does not go on with the tournament")
	}
	page = desk.post("/tournaments/friday/extend", "match", "", "more", "1:30", "extend_reason", "The tram")
	if !strings.HasSuffix(page.path, "/desk") || page.status != http.StatusOK {
		t.Errorf("extended: %d, %s", page.status, page.path)
	}
	s.clock.advance(6*time.Minute + 30*time.Second)
	first.get("/tournaments/friday").wants("button", "Claim the forfeit")
	if page = first.get(board); strings.Contains(page.body, "can claim the forfeit from") {
		t.Error("the board does not offer the claim")
	}
	page.wants("button", "Claim the forfeit")
	second.get(board).wantsNo("button", "Claim the forfeit")
	if page = first.post(board+"/commands", "forfeit", "true"); page.status != http.StatusOK {
		t.Fatalf("claimed: %d", page.status)
	}
	for _, path := range []string{board, board + "/replay"} {
		for who, said := range map[*browser][2]string{
			second:                      {"Olena claimed the forfeit", "more\u00a0– The tram"},
			s.as(olena, lang.Ukrainian): {"Olena заявляє неявку суперника", "The tram"},
		} {
			for _, text := range said {
				if !strings.Contains(who.get(path).body, text) {
					t.Errorf("%s does not say %q", path, text)
				}
			}
		}
	}
	if err := a.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	page = second.get("/absences")
	page.wants("button", "Appeal")
	if !strings.Contains(page.body, "Friday, round 1, board 1") || !strings.Contains(page.body, "closed to you until") {
		t.Errorf("the record:\n%s", page.body)
	}
	for _, path := range []string{"/", "/players/Taras"} {
		if page = second.get(path); !strings.Contains(page.body, "closed to you until") || !strings.Contains(page.body, `href="/absences"`) {
			t.Errorf("%s does not say that he is kept out", path)
		}
	}
	if page = first.get("/players/Taras"); strings.Contains(page.body, "can’t enter") {
		t.Error("others read that he is kept out")
	}
	cup := s.timed(host, olena)
	if page = second.post("/tournaments/" + string(cup.ID) + "/register"); !strings.Contains(page.body, `href="/absences"`) {
		t.Errorf("the refusal does not lead to his absences: %d, %s", page.status, page.body)
	}
	s.excuses(desk, second)
}

// excuses lets the player's absence be excused.
func (s *site) excuses(desk, second *browser) {
	t := s.t
	t.Helper()
	var n player.NoShow
	if err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		list, err := tx.NoShowsIn("friday")
		n = list[0]
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if page := second.post("/absences/"+n.ID+"/appeal", "text-"+n.ID, ""); page.status != http.StatusUnprocessableEntity {
		t.Errorf("an empty appeal: %d", page.status)
	}
	second.post("/absences/"+n.ID+"/appeal", "text-"+n.ID, "The tram stood still.").wantsNo("button", "Appeal")
	desk.get("/tournaments/friday/desk").wants("button", "Excuse").wants("link", "1 appeal against an absence waits for you")
	desk.post("/absences/"+n.ID+"/verdict", "verdict", "excused", "text-"+n.ID, "It did.").wantsNo("button", "Excuse")
	if page := second.get("/absences"); strings.Contains(page.body, "closed to you until") || !strings.Contains(page.body, "excused") {
		t.Error("what was excused keeps nobody out")
	}
}

// arbiter is one more node's arbiter over the same store.
func (s *site) arbiter(t *testing.T) *arbiter.Arbiter {
	t.Helper()
	return arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil)
}

func TestADryRunAndARehearsal(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	s := newSite(t)
	host, olena := s.account("host", player.Organizer), s.account("Olena", player.Plain)
	for _, h := range []player.Handle{"bot-1", "bot-2", "bot-3"} {
		s.write(func(tx *store.Tx) error {
			return tx.AddPlayer(player.Player{ID: player.ID(h), Handle: h, Role: player.Plain, Bot: true, Created: s.clock.Now()}, "")
		})
	}
	s.evening(host, olena)
	desk := s.as(host, lang.English)
	if page := desk.post("/tournaments/friday/dry-run", "runs", "20", "extra", "0"); page.status != http.StatusConflict {
		t.Errorf("one player: %d", page.status)
	}
	next := desk.follow("/tournaments/friday/feed?part=dry-run&last=0")
	next()
	desk.post("/tournaments/friday/dry-run", "runs", "20", "extra", "7", "seed", "5").wants("button", "Stop")
	if html := next(); !strings.Contains(html, "Stop") {
		t.Errorf("the open page does not see the dry run begin: %s", html)
	}
	a := s.arbiter(t)
	for range 20 {
		if err := a.Events.WorkDryRuns(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	page := desk.get("/tournaments/friday/dry-run")
	if !strings.Contains(page.body, "Played 20 times, seed 5.") || !strings.Contains(page.body, "Players: 8.") {
		t.Errorf("the report:\n%s", page.body)
	}
	page.wantsNo("button", "Stop")
	for html := next(); !strings.Contains(html, "Played 20 times"); html = next() { // until the feed ends
	}
	page = desk.post("/tournaments/friday/dry-run/rehearsal", "bots", "3")
	if page.status != http.StatusOK || !strings.Contains(page.body, "A rehearsal: bots play") {
		t.Errorf("the rehearsal: %d", page.status)
	}
	rehearsal := page.path
	if got := s.as(olena, lang.English).get(rehearsal).status; got != http.StatusNotFound {
		t.Errorf("a player at the rehearsal: %d", got)
	}
	if page = s.browser(lang.English).get("/tournaments"); strings.Count(page.body, "Friday") != 1 {
		t.Error("the rehearsal is in the list")
	}
	s.write(func(tx *store.Tx) error {
		kept, err := tx.Rehearsals("friday")
		if err != nil {
			return err
		}
		made, err := tx.Tournament(kept[0].ID)
		if err != nil {
			return err
		}
		running, err := tx.RunningMatches(10)
		if len(running) != 0 {
			t.Errorf("%d matches of the rehearsal are shown as running", len(running))
		}
		board := made.Rounds[0].Pairings[0].Match
		if page := s.browser(lang.English).get("/matches/" + string(board)); page.status != http.StatusOK || strings.Contains(page.body, "Friday") {
			t.Errorf("a match of the rehearsal tells of what: %d", page.status)
		}
		return err
	})
}

// Four players, one of three rounds. A fourth round is one more than they have opponents: the desk asks first. Programs
// change it the same way; the log says it, and players are told.
func TestTheDeskAddsARound(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "2", "pace", "manual")
	for _, handle := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.open(path)
	n.host.post(path+"/rounds-count", "rounds", "3", "rounds_reason", "it goes fast").want(http.StatusOK)
	many := n.host.post(path+"/rounds-count", "rounds", "4").want(http.StatusConflict).says("with these players 3 can be paired at most")
	if !many.holds("sure", "on") || !many.holds("rounds", "4") || n.tournament(path).Settings.Rounds != 3 {
		t.Error("the form does not ask whether to do it all the same")
	}
	n.host.post(path+"/rounds-count", "rounds", "4", "sure", "on").want(http.StatusOK)
	api := n.program(n.player("Olena"))
	api.ask("PUT", path+"/rounds-count", `{"rounds":9}`, http.StatusConflict, nil)
	api.ask("PUT", path+"/rounds-count", `{"rounds":2,"reason":"late"}`, http.StatusNoContent, nil)
	if got := n.tournament(path).Settings.Rounds; got != 2 {
		t.Errorf("%d rounds, want 2", got)
	}
	n.as(n.players["anna"], lang.English).get("/notices").says("the number of rounds is now 2")
	n.host.get(path + "/log").want(http.StatusOK).says("Number of rounds changed").says("it goes fast")
	n.browser(lang.English).get(path + "/info").want(http.StatusOK).says("2 rounds")
}

// A player in a running event whose first round opens by hand is told once what it waits for.
func TestWhatAnEventWaitsForIsSaidOnce(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "2", "pace", "manual")
	for _, handle := range []string{"anna", "borys"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	for _, b := range []*browser{n.as(n.players["anna"], lang.English), n.browser(lang.English)} {
		if said := strings.Count(b.get(path).want(http.StatusOK).body, ">Waiting for<"); said != 1 {
			t.Errorf("said %d times, want once", said)
		}
	}
}
