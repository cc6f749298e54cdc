package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// says wants a text anywhere on the page, saysNot wants it nowhere.
func (p page) says(part string) page {
	p.t.Helper()
	if !strings.Contains(p.body, part) {
		p.t.Errorf("%s does not say %q", p.path, part)
	}
	return p
}

func (p page) saysNot(part string) page {
	p.t.Helper()
	if strings.Contains(p.body, part) {
		p.t.Errorf("%s says %q", p.path, part)
	}
	return p
}

// guarded is a club night with one match of a tournament at some level running.
type guarded struct {
	*clubNight
	path string // of the tournament
	id   match.ID
	// by seat
	seats    [2]player.Player
	browsers [2]*browser
	signedIn map[player.ID]*browser
}

func newGuarded(t *testing.T, level fairplay.Assurance) *guarded {
	t.Helper()
	return newGuardedEvent(t, level, []string{"anna", "borys"})
}

// newGuardedEvent is one of these players, with settings of its own.
func newGuardedEvent(t *testing.T, level fairplay.Assurance, handles []string, settings ...string) *guarded {
	t.Helper()
	return newGuardedAt(newSite(t), level, handles, settings...)
}

func newGuardedAt(s *site, level fairplay.Assurance, handles []string, settings ...string) *guarded {
	s.t.Helper()
	g := &guarded{clubNight: newClubNightAt(s), signedIn: map[player.ID]*browser{}}
	judge := arbiter.New(g.store, g.live, arbiter.Config{Now: g.clock.Now}, nil)
	g.live.OnFinish(judge.OnFinish)
	g.path = g.create(append([]string{"format", "swiss", "rounds", "1", "chips", "1", "policy", level.String()}, settings...)...)
	g.account("Boss", player.Operator)
	for _, h := range handles {
		if level == fairplay.Open {
			g.host.post(g.path+"/entries", "handle", h).want(http.StatusOK)
			continue
		}
		g.as(g.players[h], lang.English).post("/fair-play", "fair-play", words.FairPlayHash(lang.English), "return", g.path).want(http.StatusOK)
		g.host.post(g.path+"/fair-play/admit", "handle", h, "reason", "known for years",
			"without", "attestation", "without", "passkey", "without", "check-in").want(http.StatusOK)
	}
	g.host.post(g.path + "/start").want(http.StatusOK)
	if len(g.tournament(g.path).Rounds) == 0 {
		g.host.post(g.path + "/rounds").want(http.StatusOK)
	}
	g.sitDown(1)
	return g
}

// sitDown turns to a board of the last round.
func (g *guarded) sitDown(board int) {
	g.t.Helper()
	tour := g.tournament(g.path)
	pairing := tour.Rounds[len(tour.Rounds)-1].Pairings[board-1]
	g.id = pairing.Match
	for i, seat := range match.Seats {
		e, err := tour.Entry(pairing.EntryAt(seat))
		if err != nil {
			g.t.Fatal(err)
		}
		g.seats[i] = g.players[e.Name]
		if g.signedIn[g.seats[i].ID] == nil {
			g.signedIn[g.seats[i].ID] = g.as(g.seats[i], lang.English)
		}
		g.browsers[i] = g.signedIn[g.seats[i].ID]
	}
}

func (g *guarded) url() string { return "/matches/" + string(g.id) }

// act sends a form and wants the page back.
func (g *guarded) act(seat int, pairs ...string) {
	g.t.Helper()
	g.browsers[seat].post(g.url()+"/commands", pairs...).want(http.StatusOK)
}

// toBoard bids both chips away: First plays White, five minutes each.
func (g *guarded) toBoard() {
	g.t.Helper()
	g.act(0, "target", "white", "chips", "1")
	g.act(1, "target", "time", "chips", "1", "minutes", "5", "increment", "3")
}

// opening are eight plies of knights.
var opening = []string{"b1c3", "b8c6", "g1f3", "g8f6", "c3b1", "c6b8", "f3g1", "f6g8"}

func (g *guarded) play(plies ...string) {
	g.t.Helper()
	for i, ply := range plies {
		g.act(i%2, "act", ply)
	}
}

// Acceptance 1.
func TestATokenDoesNotMoveInAVerifiedMatch(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	white := g.program(g.seats[0])
	var answer struct {
		Code, Detail string
	}
	for range 2 {
		white.ask("POST", "/matches/"+string(g.id)+"/commands", `{"act":"b1c3"}`, http.StatusForbidden, &answer)
	}
	if answer.Code != "assurance" || !strings.Contains(answer.Detail, "level verified") {
		t.Errorf("%+v", answer)
	}
	desk := g.host.get(g.path + "/fair-play").want(http.StatusOK).says("Move by token")
	if n := strings.Count(desk.body, "Move by token"); n != 1 {
		t.Errorf("the signal stands there %d times", n)
	}
	g.browsers[0].get("/fair-play/me").want(http.StatusOK).says("Move by token")
	// Acceptance 18: nobody else sees it.
	g.browsers[1].get("/fair-play/me").want(http.StatusOK).saysNot("Move by token")
	g.browsers[1].get(g.path + "/fair-play").want(http.StatusForbidden)
	for _, path := range []string{g.path, g.url(), "/players/" + string(g.seats[0].Handle)} {
		if strings.Contains(g.browsers[1].get(path).want(http.StatusOK).body, "Move by token") {
			t.Errorf("%s shows a signal", path)
		}
	}
	g.act(0, "act", "b1c3") // the page goes on
}

func TestABotMovesByTokenWhereItMay(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Open)
	anna := g.as(g.players["anna"], lang.English)
	made := anna.post("/settings/bots", "handle", "annabot").want(http.StatusOK).wants("heading", "annabot")
	if made.find("heading") == nil {
		t.Fatal("no bot")
	}
	anna.post("/settings/bots", "handle", "annabot").want(http.StatusUnprocessableEntity)
	var bot player.Player
	g.write(func(tx *store.Tx) (err error) {
		bot, err = tx.PlayerByHandle("annabot")
		return err
	})
	var id match.ID
	g.write(func(tx *store.Tx) (err error) {
		id, err = g.live.OpenTx(tx, live.Opening{Players: [2]player.ID{bot.ID, g.players["borys"].ID}, Options: short(1)})
		return err
	})
	g.program(bot).ask("POST", "/matches/"+string(id)+"/commands", `{"bid":{"target":"white","chips":1}}`, http.StatusOK, nil)
	anna.get("/matches/" + string(id)).want(http.StatusOK).says("bot")
	for path, mark := range map[string]string{"/record.json": `"bots":["A"]`, "/record.txt": `[bots ["A"]]`} {
		if body := anna.get("/matches/" + string(id) + path).want(http.StatusOK).body; !strings.Contains(body, mark) {
			t.Errorf("%s does not mark the bot: %s", path, body)
		}
	}
	open := g.create("format", "swiss", "rounds", "2")
	for _, h := range []string{"annabot", "borys", "clara"} {
		g.host.post(open+"/entries", "handle", h).want(http.StatusOK)
	}
	g.host.post(open + "/start").want(http.StatusOK)
	e, _ := g.tournament(open).EntryOf(bot.ID)
	for path, mark := range map[string]string{
		"/report.trf": fmt.Sprintf("### bot %d\n", e.Number), "/standings.csv": "annabot", "/tournament.json": `"bot": true`,
	} {
		if body := g.host.get(open + path).want(http.StatusOK).body; !strings.Contains(body, mark) ||
			path == "/standings.csv" && !strings.Contains(body, ",bot,\n") {
			t.Errorf("%s does not mark the bot:\n%s", path, body)
		}
	}

	// Acceptance 2.
	var secret player.Secret
	err := g.store.Write(context.Background(), func(tx *store.Tx) (err error) {
		scopes, err := g.players["anna"].ParseScopes([]string{"bot:play"})
		if err == nil {
			secret, err = tx.AddToken(player.Token{Player: g.players["anna"].ID, Name: "x", Scopes: scopes, Created: g.clock.Now()})
		}
		return err
	})
	if err == nil || secret != "" {
		t.Errorf("a person has a bot's token: %v", err)
	}
	anna.post("/settings/tokens", "name", "engine", "scoped", "yes", "scope", "bot:play").want(http.StatusUnprocessableEntity).
		wants("alert", "bot accounts only")
	anna.post("/settings/tokens", "name", "engine", "scoped", "yes").want(http.StatusUnprocessableEntity).wants("alert", "at least one")
	borys := g.as(g.players["borys"], lang.English)
	borys.post("/settings/tokens", "name", "thief", "bot", "annabot").want(http.StatusForbidden)
	declared := g.create("format", "swiss", "policy", "declared")
	g.host.post(declared+"/entries", "handle", "annabot").wants("alert", "requirement")
	if len(g.tournament(declared).Entries) != 0 {
		t.Error("a bot is in")
	}
}

func TestATokenDoesWhatItWasMadeFor(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	with := func(scopes ...player.Scope) program {
		var secret player.Secret
		c.write(func(tx *store.Tx) (err error) {
			secret, err = tx.AddToken(player.Token{Player: c.olena.ID, Name: "some", Scopes: scopes, Created: c.clock.Now()})
			return err
		})
		return program{c.site, secret}
	}
	match, command, challenge := "/matches/"+string(c.id), `{"bid":{"target":"white","chips":1}}`, `{"to":"Taras"}`
	reader := with(player.ScopeRead)
	reader.ask("GET", match, "", http.StatusOK, nil)
	for _, path := range []string{match + "/commands", "/challenges"} {
		if code := reader.refused(path, command, http.StatusForbidden); code != "scope" {
			t.Errorf("%s: %s", path, code)
		}
	}
	mover := with(player.ScopeBoardPlay)
	mover.ask("GET", match, "", http.StatusOK, nil) // as everybody may
	mover.ask("GET", "/me", "", http.StatusForbidden, nil)
	mover.ask("POST", match+"/commands", command, http.StatusOK, nil)
	if code := mover.refused("/challenges", challenge, http.StatusForbidden); code != "scope" {
		t.Errorf("challenge: %s", code)
	}
	arranger := with(player.ScopeChallenge)
	arranger.ask("POST", match+"/commands", command, http.StatusForbidden, nil)
	var answer struct{ ID string }
	arranger.ask("POST", "/challenges", challenge, http.StatusCreated, &answer)
}

// elsewhere are addresses at which nothing of a match of a tournament can be seen, by their beginnings: whoever adds one
// that is neither here nor filled in by doors is asked to think of it.
var elsewhere = []string{
	"/admin", "/analyse/feed", // refuses positions that are played: that much the lock tells
	"/api/v1/challenges/", "/api/v1/clubs", "/api/v1/ladders", "/api/v1/leagues", "/api/v1/me/events",
	"/api/v1/openapi.json", "/api/v1/puzzles/", "/api/v1/rating-pools",
	"/attestations", "/c/", "/calendar/", "/challenges/", "/clubs/", "/faq", "/.well-known/", "/oauth/", "/favicon.ico", "/healthz", "/k/", "/kiosk/",
	"/help/", "/ladders/", "/leagues/", // names and times of matches, no positions
	"/learn", "/link", "/mail/", "/manifest", "/offline",
	"/practice/", "/ratings/pools", "/robots.txt", "/rules", "/settings", "/setup", "/sign-", "/site", "/static/", "/styleguide",
	"/sw.js", "/t/",
}

// doors are all addresses of the site, as they are for a match that runs: pages and files, and streams.
func (g *guarded) doors() (pages, feeds []string) {
	g.t.Helper()
	g.host.post(g.path+"/screens", "name", "Hall", "seconds", "20", "shows", "pairings", "shows", "boards", "lang", "en", "zone",
		"Europe/Kyiv").want(http.StatusOK)
	screen := g.screens(g.path)[0].Token
	handle := string(g.seats[0].Handle)
	fill := strings.NewReplacer("/matches/:id", g.url(), "/home/board/:id", "/home/board/"+string(g.id), "/tournaments/:id", g.path,
		":handle", handle, ":other", string(g.seats[1].Handle), ":round", "1", ":board", "1", ":match", "1", ":entry", "1",
		"/dossiers/:player/moves", "/dossiers/"+handle+"/moves?place="+string(g.place()), "/dossiers/:player", "/dossiers/"+handle+"?place="+string(g.place()),
		":player", handle, ":team", "1", ":seq", "3", ":year", g.clock.Now().Format("2006"),
		"/screens/:token", "/screens/"+screen)
	for _, path := range web.Pages() {
		if slices.ContainsFunc(elsewhere, func(begins string) bool { return strings.HasPrefix(path, begins) }) {
			continue
		}
		path = fill.Replace(path)
		switch {
		case strings.Contains(path, ":"):
			g.t.Errorf("nobody has said whether a match can be seen at %s", path)
		case path == "/notices/feed", path == g.path+"/chat/feed": // silent until somebody is told, or something is said
		case path == "/api/v1"+g.path+"/events": // an endless stream of the lines of /log, which is among the pages
		case strings.HasSuffix(path, "/feed"):
			feeds = append(feeds, path)
		default:
			pages = append(pages, path)
		}
	}
	pages = append(pages, "/tv?show=board", "/tv?show=bidding", g.url()+"/picture.png?ply=3", g.url()+"/position.png?bid=2",
		"/oembed?url="+url.QueryEscape(g.http.URL+g.url()), g.url()+"/replay?ply=3", "/search?q="+handle)
	return pages, append(feeds, g.path+"/feed?part=live", g.path+"/feed?part=round-1")
}

// Acceptance 11.
func TestWatchersSeeAVerifiedMatchLaterAtEveryDoor(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	watchers := map[string]*browser{"a visitor": g.browser(lang.English), "another player": g.as(g.players["clara"], lang.English)}
	for _, b := range watchers {
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // who must sign in sees nothing
	}
	pages, feeds := g.doors()
	see := func(b *browser, path string) string {
		answer := b.get(path)
		return fmt.Sprint(answer.status, " ", watching.ReplaceAllString(answer.unkeyed(), ""))
	}
	hear := func(b *browser, feed string) string { return watching.ReplaceAllString(b.firstOf(feed), "") }
	before := map[string]string{}
	for who, b := range watchers {
		for _, feed := range feeds {
			before[who+feed] = hear(b, feed)
		}
		for _, door := range pages {
			before[who+door] = see(b, door)
		}
	}
	g.toBoard()
	g.play(opening...)
	if seq := g.state().Seq(); seq < 12 {
		t.Fatalf("only %d events", seq)
	}
	compare := func(who, door, after string) {
		t.Helper()
		if after != before[who+door] {
			t.Errorf("%s sees something of it at %s:\n%s", who, door, difference(before[who+door], after))
		}
	}
	for who, b := range watchers {
		for _, door := range pages {
			compare(who, door, see(b, door))
		}
	}
	for who, b := range watchers {
		for _, feed := range feeds {
			compare(who, feed, hear(b, feed))
		}
	}
	// Players and arbiters see it as it stands.
	seq := g.state().Seq()
	for name, b := range map[string]*browser{"a player": g.browsers[1], "the arbiter": g.host,
		"an operator": g.as(g.player("Boss"), lang.English)} {
		var v struct {
			Seq     int64
			Delayed bool
		}
		if err := json.Unmarshal([]byte(b.get("/api/v1/matches/"+string(g.id)).body), &v); err != nil || v.Seq != seq || v.Delayed {
			t.Errorf("%s: %+v, %v; it stands at %d", name, v, err, seq)
		}
	}
	// Two minutes later six acts must have followed: of two bids and eight plies
	// the first four acts show.
	g.clock.advance(2 * time.Minute)
	shown := g.acts(watchers["a visitor"])
	if want := []string{"bid", "bid", "b1c3", "b8c6"}; !slices.Equal(shown, want) {
		t.Errorf("shown: %v, want %v", shown, want)
	}
	g.browser(lang.English).get(g.url()).want(http.StatusOK).wants("status", "You watch with a delay")
	// It ends: the rest shows when the seconds have passed.
	g.act(0, "act", "resign")
	if shown := g.acts(watchers["a visitor"]); len(shown) != 4 {
		t.Errorf("right after the end: %v", shown)
	}
	g.clock.advance(119 * time.Second)
	if shown := g.acts(watchers["a visitor"]); len(shown) > 5 {
		t.Errorf("119 s after the end: %v", shown)
	}
	g.clock.advance(time.Second)
	if shown := g.acts(watchers["a visitor"]); len(shown) != 11 {
		t.Errorf("at last: %v", shown)
	}
}

func (s *site) player(h player.Handle) (p player.Player) {
	s.write(func(tx *store.Tx) (err error) {
		p, err = tx.PlayerByHandle(h)
		return err
	})
	return p
}

func (g *guarded) state() match.State {
	g.t.Helper()
	s, _, err := g.live.State(g.t.Context(), g.id)
	if err != nil {
		g.t.Fatal(err)
	}
	return s
}

// acts are the acts of players that the API's list of events shows.
func (g *guarded) acts(b *browser) (acts []string) {
	g.t.Helper()
	var answer struct {
		Events []struct {
			Kind string
			Body struct {
				Bid json.RawMessage
				Act string
			}
		}
	}
	body := b.get("/api/v1/matches/" + string(g.id) + "/events").want(http.StatusOK).body
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		g.t.Fatal(err)
	}
	for _, e := range answer.Events {
		switch {
		case e.Body.Act != "":
			acts = append(acts, e.Body.Act)
		case len(e.Body.Bid) > 0:
			acts = append(acts, "bid")
		}
	}
	return acts
}

// difference is where two texts part.
func difference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("…%s\n…%s", a[max(0, i-60):min(len(a), i+120)], b[max(0, i-60):min(len(b), i+120)])
}

func TestTheStreamsOfAVerifiedMatchAreLaterToo(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	g.play(opening...)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := &contest{site: g.site, id: g.id}
	watcher, own := c.feed(ctx, g.browser(lang.English), -1), c.feed(ctx, g.browsers[0], -1)
	if id, _, _ := own(); id != fmt.Sprint(g.state().Seq()) {
		t.Errorf("the player's stream stands at %s", id)
	}
	if id, _, data := watcher(); id != "2" || strings.Contains(data, "b1") && strings.Contains(data, "c3") && strings.Contains(data, "Nb1") {
		t.Errorf("the watcher's stream stands at %s", id)
	}
	// Who watches many is told no more, players neither.
	for who, b := range map[string]*browser{"a visitor": g.browser(lang.English), "a player": g.browsers[0]} {
		many := c.stream(ctx, b, "/tv/feed")
		if _, _, data := many(); strings.Count(data, "is-bidding") != 1 ||
			strings.Contains(data, "is-playing") || !strings.Contains(data, `data-seq="2"`) {
			t.Errorf("%s sees of many:\n%s", who, data)
		}
	}
}

// Acceptance 11, second half.
func TestTheAnalysisDoesNotAnswerForARunningMatch(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	// Castling is off by default here; this position comes up in no other match.
	g.play("a2a4", "h7h5", "b1c3", "b8c6", "g1f3", "g8f6", "a1a3")
	pos := g.state().Game().Position()
	features, err := json.Marshal(pos.Features())
	if err != nil {
		t.Fatal(err)
	}
	clara := g.as(g.players["clara"], lang.English)
	ask := func(b *browser) page { return b.post(explored(t, pos)) }
	feed := strings.Replace(explored(t, pos), "/analyse?", "/analyse/feed?pressed=on&", 1)
	g.browsers[1].get(feed).want(http.StatusOK).says("is on. Ask again") // anybody may have sent this link: it is not noted
	ask(clara).want(http.StatusConflict).wants("alert", "A match with this position, or one close to it, is on")
	g.program(g.players["clara"]).ask("POST", "/analyse",
		fmt.Sprintf(`{"position":%q,"features":%s}`, pos.CFEN(), features), http.StatusConflict, nil)
	var refused []store.AnalysisRefusal
	var signals []review.Signal
	read := func() {
		g.write(func(tx *store.Tx) (err error) {
			if refused, err = tx.AnalysisRefusals(g.id); err == nil {
				signals, err = tx.SignalsIn([]match.ID{g.id})
			}
			// All tests play from one network.
			signals = slices.DeleteFunc(signals, func(s review.Signal) bool { return s.Kind != review.SignalAnalysis })
			return err
		})
	}
	read()
	if len(refused) != 2 || refused[0].Player != g.players["clara"].ID || refused[0].Position != pos.CFEN() || len(signals) != 0 {
		t.Errorf("noted %+v, signals %+v: clara does not play", refused, signals)
	}
	clara.post("/analyse?position=" + url.QueryEscape(pos.CFEN())).want(http.StatusConflict) // other features do not open it
	ask(g.browsers[1]).want(http.StatusConflict)
	if read(); len(signals) != 1 || signals[0].Kind != review.SignalAnalysis || signals[0].Player != g.seats[1].ID {
		t.Errorf("signals %+v", signals)
	}
	g.host.get(g.path + "/fair-play").want(http.StatusOK).says("Asked our analysis")
	g.asksForImages(pos, features)
	own := func(s review.Signal) bool { return s.Player == g.seats[0].ID }
	if read(); len(refused) != 4+3*2 || len(signals) != 2 || !slices.ContainsFunc(signals, own) { // one signal for each player and move
		t.Errorf("of three images, asked for by a player and by a program: %d refusals, signals %+v", len(refused), signals)
	}
	g.asksForNeighbors(clara, pos, features)
	for range 10 {
		ask(clara)
	}
	read()
	had := len(refused)
	ask(clara).want(http.StatusTooManyRequests) // before it is looked whether the position is played
	if read(); len(refused) != had {
		t.Errorf("%d questions noted, %d before one too many", len(refused), had)
	}
	g.act(0, "act", "resign")
	g.clock.advance(119 * time.Second)
	ask(clara).want(http.StatusConflict)
	g.clock.advance(time.Second)
	ask(clara).want(http.StatusOK).says("expected score")
	g.program(g.players["clara"]).ask("POST", "/analyse",
		fmt.Sprintf(`{"position":%q,"features":%s}`, pos.CFEN(), features), http.StatusOK, nil)
	clara.get("/analyse?position=nonsense").want(http.StatusUnprocessableEntity).wants("alert", "couldn’t read this")
}

// asksForNeighbors asks for what nearly is a position: with a pawn less, and a file more. Players get no answer, by the
// page or a program; others do, and players for another position.
func (g *guarded) asksForNeighbors(other *browser, pos board.Position, features []byte) {
	g.t.Helper()
	_, rest, _ := strings.Cut(pos.CFEN(), " ")
	const (
		pawnLess = "r1bqkb1r/1pppppp1/2n2n2/7p/P7/R1N2N2/1PPPPPPP/2BQKB1R "
		fileMore = "r1bqkb1r1/ppppppp2/2n2n3/7p1/P8/R1N2N3/1PPPPPPP1/2BQKB1R1 "
	)
	wide := strings.Replace(string(features), "{", `{"width":9,`, 1)
	at := func(position, features string) string {
		f, err := board.ParseFeatures([]byte(features))
		if err != nil {
			g.t.Fatal(err)
		}
		return scene.Explored{Features: f, Position: position}.URL()
	}
	g.browsers[0].post(at(pawnLess+rest, string(features))).want(http.StatusConflict)
	g.browsers[1].post(at(fileMore+rest, wide)).want(http.StatusConflict)
	visitor := g.browser(lang.English) // could be either of them
	visitor.post(at(pawnLess+rest, string(features))).want(http.StatusConflict).wants("alert", "or one close to it")
	feed := visitor.get(strings.Replace(at(fileMore+rest, wide), "?", "/feed?", 1)).want(http.StatusOK)
	if !strings.Contains(feed.body, "A match with this position, or one close to it, is on") {
		g.t.Errorf("a visitor's page is told %s", feed.body)
	}
	visitor.post(at("k7/8/8/8/8/8/8/K7 w - 0/0 0/0 0/0 9", string(features))).want(http.StatusOK)
	g.program(g.seats[0]).ask("POST", "/analyse",
		fmt.Sprintf(`{"position":%q,"features":%s}`, pawnLess+rest, features), http.StatusConflict, nil)
	other.post(at(pawnLess+rest, string(features))).want(http.StatusOK)
	g.browsers[0].post(at("k7/8/8/8/8/8/8/K7 w - 0/0 0/0 0/0 9", "{}")).want(http.StatusOK)
}

// asksForImages asks for the mirror images of a position, with the other side to
// move, by the form as a player of it and by the API as somebody else.
func (g *guarded) asksForImages(pos board.Position, features []byte) {
	g.t.Helper()
	_, rest, _ := strings.Cut(pos.CFEN(), " ")
	other := strings.NewReplacer("w ", "b ", "b ", "w ").Replace(rest)
	if other == rest {
		g.t.Fatalf("whose turn is it in %s?", rest)
	}
	for _, image := range []string{
		"r1bkqb1r/1ppppppp/2n2n2/p7/7P/2N2N1R/PPPPPPP1/R1BKQB2 " + rest,  // files mirrored
		"2bqkb1r/1ppppppp/r1n2n2/p7/7P/2N2N2/PPPPPPP1/R1BQKB1R " + rest,  // colors swapped
		"r1bkqb2/ppppppp1/2n2n1r/7p/P7/2N2N2/1PPPPPPP/R1BKQB1R " + other, // both, and the other side to move
	} {
		p, err := board.ParseCFEN(pos.Features(), image)
		if err != nil {
			g.t.Fatal(err)
		}
		g.browsers[0].post(explored(g.t, p)).want(http.StatusConflict)
		g.program(g.players["clara"]).ask("POST", "/analyse",
			fmt.Sprintf(`{"position":%q,"features":%s}`, image, features), http.StatusConflict, nil)
	}
}

// Acceptance 7.
func TestAChangedPolicyHoldsForTheNextRound(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	old, changed := fairplay.Preset(fairplay.Verified), fairplay.Preset(fairplay.Verified)
	changed.Feed.Seconds = 300
	g.host.post(g.path+"/fair-play", "policy", "verified", "policy_seconds", "60").want(http.StatusUnprocessableEntity).
		wants("alert", "raise a level’s requirements, not lower them")
	page := g.host.post(g.path+"/fair-play", "policy", "verified", "policy_seconds", "300").want(http.StatusOK)
	for _, hash := range []string{old.Hash(), changed.Hash()} {
		if !strings.Contains(page.body, hash) || !strings.Contains(g.browser(lang.English).get(g.path+"/info").body, hash) {
			t.Errorf("%s is not shown", hash)
		}
	}
	var frozen store.MatchPolicy
	g.write(func(tx *store.Tx) (err error) {
		frozen, err = tx.MatchPolicy(g.id)
		return err
	})
	if frozen.Policy != old {
		t.Errorf("the running match has %+v", frozen.Policy)
	}
}

func TestWhatWasAchievedIsShownAndSigned(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	g.play(opening...)
	g.act(0, "act", "resign")
	g.clock.advance(3 * time.Minute)
	visitor := g.browser(lang.English)
	visitor.get(g.url()).want(http.StatusOK).wants("heading", "Fair play: Declared").says("An arbiter let anna play without")
	visitor.get(g.path + "/rounds/1").want(http.StatusOK).says("Declared")
	visitor.get("/players/anna").want(http.StatusOK).says("Declared")
	key, err := fairplay.ParseKey(strings.TrimSpace(visitor.get("/fair-play/key").want(http.StatusOK).body))
	if err != nil {
		t.Fatal(err)
	}
	record := visitor.get(g.url() + "/record.json").want(http.StatusOK).body
	signed, err := fairplay.CheckRecord([]byte(record), key)
	if err != nil {
		t.Fatal(err)
	}
	st := signed.Statement
	if st.Demanded != fairplay.Verified || st.Achieved.Level != fairplay.Declared || st.Match != string(g.id) ||
		st.Policy != fairplay.Preset(fairplay.Verified).Hash() {
		t.Errorf("%+v", st)
	}
	if _, err := fairplay.CheckRecord([]byte(strings.Replace(record, "b8c6", "b8a6", 1)), key); err == nil {
		t.Error("another move holds, too")
	}
	var api struct {
		Assurance struct{ Demanded, Achieved, Policy string }
	}
	if err := json.Unmarshal([]byte(visitor.get("/api/v1/matches/"+string(g.id)).body), &api); err != nil ||
		api.Assurance.Achieved != "declared" || api.Assurance.Policy != st.Policy {
		t.Errorf("%+v, %v", api, err)
	}
}

func TestDeclaredAsksForThePromiseBeforeAnybodyEnters(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "policy", "declared")
	anna := n.as(n.players["anna"], lang.English)
	anna.get(path).wants("link", "Fair play: Declared").wants("heading", "What you lack").wants("button", "Accept").
		wantsNo("button", "Enter the tournament")
	anna.post(path + "/register").want(http.StatusUnprocessableEntity)
	anna.post("/fair-play", "fair-play", "another text", "return", path).want(http.StatusOK).wantsNo("button", "Enter the tournament")
	anna.post("/fair-play", "fair-play", words.FairPlayHash(lang.English), "return", path).want(http.StatusOK).
		wants("button", "Enter the tournament").wantsNo("button", "Accept")
	anna.post(path+"/register").want(http.StatusOK).wants("header", "anna")
	// An arbiter who enters somebody else cannot promise for them.
	n.host.post(path+"/entries", "handle", "borys")
	n.host.post(path+"/fair-play/admit", "handle", "borys", "without", "text", "reason", "").
		want(http.StatusUnprocessableEntity).wants("alert", "Give a reason")
	n.host.post(path+"/fair-play/admit", "handle", "borys", "without", "text", "reason", "has no device here").want(http.StatusOK)
	if e := n.tournament(path).Entries; len(e) != 2 || !slices.Equal(e[1].Waived, []fairplay.Demand{fairplay.DemandText}) {
		t.Errorf("%+v", e)
	}
	anna.post(path+"/fair-play/admit", "handle", "clara", "without", "text", "reason", "a friend").want(http.StatusForbidden)
}

func TestADeclaredChallengeBetweenTwoWhoPromised(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna, borys := n.as(n.players["anna"], lang.English), n.as(n.players["borys"], lang.English)
	proposal := []string{"who", "player", "handle", "borys", "preset", "points", "claims", "automatic", "lateness", "0", "life",
		"60", "policy", "declared"}
	anna.post("/challenges", proposal...).want(http.StatusUnprocessableEntity).wants("alert", "acceptance of the fair-play text")
	verified := append(slices.Clone(proposal[:len(proposal)-1]), "verified", "fair-play", words.FairPlayHash(lang.English))
	anna.post("/challenges", verified...).want(http.StatusUnprocessableEntity).wants("alert", "a passkey")
	sent := anna.post("/challenges", append(proposal, "fair-play", words.FairPlayHash(lang.English))...).want(http.StatusOK).
		wants("heading", "Fair play: Declared")
	borys.get(sent.path).wants("button", "Accept").wants("link", "fair-play text")
	borys.post(sent.path + "/accept").want(http.StatusUnprocessableEntity)
	borys.post("/fair-play", "fair-play", words.FairPlayHash(lang.English), "return", sent.path).want(http.StatusOK)
	borys.post(sent.path+"/accept").want(http.StatusOK).wants("heading", "Fair play: Declared")
	// Acceptance 9, in part: the event's own default outcome.
	var heads []store.Head
	n.write(func(tx *store.Tx) (err error) {
		heads, err = tx.MatchesOf(n.players["borys"].ID, 1)
		return err
	})
	state, _, err := n.live.State(t.Context(), heads[0].ID)
	if f := state.Options().Envelope.Defaults; err != nil || f.MoveLimit != 20 || f.MovePoints[2] != 6 {
		t.Errorf("defaults %+v, %v", f, err)
	}
}

func TestOpponentsOnOneDeviceAreNoticed(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	one := g.browsers[0]
	one.post(g.url()+"/commands", "target", "white", "chips", "1").want(http.StatusOK)
	// The second player signs in on the same browser.
	var secret player.Secret
	g.write(func(tx *store.Tx) (err error) {
		secret, err = tx.CreateSignInLink(g.seats[1].ID, g.clock.Now().Add(time.Hour))
		return err
	})
	one.post("/link", "key", string(secret)).want(http.StatusOK)
	one.post(g.url()+"/commands", "target", "time", "chips", "1", "minutes", "5", "increment", "3")
	var signals []review.Signal
	g.write(func(tx *store.Tx) (err error) {
		signals, err = tx.SignalsIn([]match.ID{g.id})
		return err
	})
	if len(signals) != 2 || signals[0].Kind != review.SignalSharedDevice || signals[1].Kind != review.SignalSharedDevice ||
		signals[0].Player == signals[1].Player {
		t.Errorf("%+v", signals)
	}
}

// Acceptance 9.
func TestAPolicysBoundsOfTimeHoldInTheBidding(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.act(0, "target", "white", "chips", "1")
	for _, minutes := range []string{"60", "2"} {
		g.browsers[1].post(g.url()+"/commands", "target", "time", "chips", "1", "minutes", minutes, "increment", "5").
			want(http.StatusUnprocessableEntity)
	}
	g.browsers[1].post(g.url()+"/commands", "target", "time", "chips", "1", "minutes", "5", "increment", "0").
		want(http.StatusUnprocessableEntity)
	g.act(1, "target", "time", "chips", "1", "minutes", "5", "increment", "2")
}
