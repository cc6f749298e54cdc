package web_test

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/scene"
)

// analysed is when the analysis of a match is done.
func (s *site) analysed(id match.ID) {
	s.t.Helper()
	for {
		var kept store.Analysis
		s.write(func(tx *store.Tx) (err error) {
			kept, err = tx.Analysis(id)
			return err
		})
		switch kept.State {
		case store.AnalysisDone, store.AnalysisMined:
			return
		case store.AnalysisFailed:
			s.t.Fatal("the analysis failed")
		}
		if err := s.analyst.Work(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		<-time.After(5 * time.Millisecond) // until the share has been paid back there is nothing to ask
	}
}

// The queen takes beside the king, Black lets it stand there, and White takes the
// king.
var gifts = []string{"e2e4", "e7e5", "d1h5", "d7d6", "h5f7", "a7a6", "f7e8"}

func TestAReplayTellsWhichMovesGaveTheMatchAway(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves(gifts...)
	if c.state().Status() != match.Over {
		t.Fatal("the match goes on")
	}
	c.first.get(c.url() + "/replay").want(http.StatusOK).says("0 of 8 positions")
	feed := c.stream(t.Context(), c.first, c.url()+"/analysis/feed?us=first")
	if _, event, data := feed(); event != "swap" || !strings.Contains(data, "0 of 8 positions") {
		t.Errorf("%s: %s", event, data)
	}
	c.analysed(c.id)

	visitor := c.browser(lang.English)
	replay := visitor.get(c.url() + "/replay?ply=5").want(http.StatusOK)
	replay.says("Left to be taken: queen.").says("Better: ").says("Accuracy ").says(`class="dot dot-`).says(">??</i>").
		says("Analyze from here").saysNot("of 8 positions")
	visitor.get(c.url() + "/replay?ply=6").says("A king can be taken.")
	var positions struct {
		Plies []struct{ Judged struct{ Grade, Text string } }
	}
	if err := json.Unmarshal([]byte(visitor.get(c.url()+"/positions").body), &positions); err != nil {
		t.Fatal(err)
	}
	if got := positions.Plies[6].Judged; got.Grade != "blunder" || !strings.Contains(got.Text, "A king can be taken.") {
		t.Errorf("a7a6: %+v", got)
	}
	if got := positions.Plies[7].Judged; got.Grade != "sound" {
		t.Errorf("f7e8: %+v", got)
	}
	c.browser(lang.Ukrainian).get(c.url() + "/replay?ply=5").says("Під боєм: ферзь.")
}

// TestAReplayTellsWhatDecidedIt in words, with the better move to play on the board. Until all is looked at it says so,
// and then fills in by itself.
func TestAReplayTellsWhatDecidedIt(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves(gifts...)
	c.first.get(c.url()+"/replay").want(http.StatusOK).wants("heading", "What decided it").says("Finding the three moments that decided it: 0 of 8")
	c.analysed(c.id)
	feed := c.stream(t.Context(), c.first, c.url()+"/analysis/feed?us=first")
	if _, event, data := feed(); event != "swap" || !strings.Contains(data, `id="m-decided"`) || !strings.Contains(data, "A king can be taken. Chances fell") {
		t.Errorf("%s: %s", event, data)
	}
	replay := c.browser(lang.English).get(c.url() + "/replay").want(http.StatusOK)
	replay.says("Move 3: a7–a6").says("Better: Ke8×f7")
	place := regexp.MustCompile(`href="(/analyse[^"]+)">Play it<span class="visually-hidden">: Move 3: a7`).FindStringSubmatch(replay.body)
	if place == nil {
		t.Fatal("the better move cannot be played")
	}
	c.browser(lang.English).get(html.UnescapeString(place[1])).want(http.StatusOK).says("Black to move").says(`data-arrows="e8f7"`).says("Ke8×f7")
	c.browser(lang.Ukrainian).get(c.url() + "/replay").says("Що вирішило матч").says("Короля можна взяти. Шанси впали з")
}

// TestTheExplorerGoesOnFromAReplay: anybody opens it at a ply with all moves of the match, and the engine tells more and
// more of it, to each one place at a time.
func TestTheExplorerGoesOnFromAReplay(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves(gifts...)
	visitor := c.browser(lang.English)
	replay := visitor.get(c.url() + "/replay?ply=6").want(http.StatusOK).says("Analyze from here")
	place := hrefs(replay.body, `data-do="explore"`)[0]
	explorer := visitor.get(place).want(http.StatusOK).says("Qf7×e8").says("White to move")
	feed := html.UnescapeString(regexp.MustCompile(`data-tells="([^"]+)"`).FindStringSubmatch(explorer.body)[1])
	ctx, leave := context.WithCancel(t.Context())
	next := c.stream(ctx, visitor, feed)
	for { // White takes the king
		if _, event, data := next(); event == "swap" && strings.Contains(data, "100%") && strings.Contains(data, "Qf7×e8") {
			break
		}
	}
	if body := visitor.get(feed).want(http.StatusOK).body; !strings.Contains(body, "The engine is busy") || !strings.Contains(body, `data-again="4"`) {
		t.Errorf("a second question at a time: %s", body)
	}
	leave()
	c.first.get("/analyse/feed?line=e2e5").want(http.StatusNotFound)
	c.first.get("/analyse?streak=x&position=" + url.QueryEscape("k7/8/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1")).want(http.StatusBadRequest)
}

// TestThePlacesOfTheExplorerAreAddresses: a form, a move and a bid each lead to the address of the next place, without
// scripts too.
func TestThePlacesOfTheExplorerAreAddresses(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	visitor := c.browser(lang.English)
	set := visitor.get("/analyse?set=on&width=10&row=KKQQ&moveLimit=888&undos=0&castlings=2&movePoints.K=0&skipMoves=on&position=").want(http.StatusOK)
	if want := "/analyse?castlings=2&row=KKQQPPPPPP&skipMoves=on&width=10"; set.path != want {
		t.Errorf("set up at %s, want %s", set.path, want)
	}
	moved := visitor.get(set.path + "&act=e2e4").want(http.StatusOK).says("e2–e4").says("Black to move")
	if !strings.HasSuffix(moved.path, "&width=10") || !strings.Contains(moved.path, "line=e2e4") {
		t.Errorf("played at %s", moved.path)
	}
	back := visitor.get("/analyse?line=e2e4+e7e5&at=1").want(http.StatusOK).says("Black to move").says("e7–e5")
	if on := visitor.get(back.path + "&act=e7e5").want(http.StatusOK); on.path != "/analyse?line=e2e4+e7e5" {
		t.Errorf("the same move leads to %s", on.path)
	}
	if other := visitor.get(back.path + "&act=d7d5").want(http.StatusOK); other.path != "/analyse?line=e2e4+d7d5" {
		t.Errorf("another move leads to %s", other.path)
	}
	visitor.get("/analyse?line=e2e4+e2e4").want(http.StatusUnprocessableEntity).wants("alert", "That isn’t possible here").says("e2–e4")
	asked := visitor.post("/analyse?line=e2e4", "act", "e7e5").want(http.StatusOK).says("White’s expected score").says("e7–e5")
	if n := strings.Count(asked.body, "<li data-squares"); n != 3 {
		t.Errorf("%d lines", n)
	}
	line := hrefs(asked.body, "data-go>")
	if i := slices.IndexFunc(line, func(at string) bool { return strings.Contains(at, "line=e2e4+e7e5+") }); i < 0 {
		t.Errorf("no move of a line leads on: %q", line)
	}
	bids := visitor.post("/analyse?bids=[]").want(http.StatusOK).says("What each bid promises Player 1").says("No extra rules")
	bid := slices.IndexFunc(hrefs(bids.body, "data-go>"), func(at string) bool { return strings.Contains(at, "%22target%22%3A%22white%22") })
	if bid < 0 {
		t.Fatalf("no bid on White: %s", bids.body)
	}
	visitor.get(hrefs(bids.body, "data-go>")[bid]).want(http.StatusOK).says("Player 2’s bid")
	called := visitor.get("/analyse?bids=" + url.QueryEscape(`[{"by":"A","bid":{"target":"white","chips":1}},{"by":"B","bid":{"target":"white","chips":1}}]`))
	called.want(http.StatusOK).says("A coin decides who plays White").says("Player 1 plays White").says("Player 2 plays White")
	visitor.get("/analyse?bids=" + url.QueryEscape(`[{"by":"A","act":"e2e4"}]`)).want(http.StatusBadRequest)
	over := []string{`{"by":"A","bid":{"target":"white","chips":1}}`, `{"by":"B","bid":{"target":"homeRow","chips":1,"row":"RNBKKBNR"}}`,
		`{"draw":"time","minutes":5,"increment":3}`}
	end := visitor.get("/analyse?limits=" + url.QueryEscape(`{"chips":1}`) + "&bids=" + url.QueryEscape("["+strings.Join(over, ",")+"]")).want(http.StatusOK)
	if !slices.Contains(hrefs(end.says("Explore the board").body, "data-go>"), "/analyse?row=RNBKKBNR") {
		t.Errorf("the bidding does not lead to its board: %s", end.body)
	}
}

// TestTheEngineTellsWhoAskedALotWhenItGoesOn: visitors share what their network may ask, accounts have their own.
func TestTheEngineTellsWhoAskedALotWhenItGoesOn(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	visitor := c.browser(lang.English)
	const over = "/analyse?position=k7%2F8%2F8%2F8%2F8%2F8%2F8%2FK7+b+-+1%2F1+0%2F0+0%2F0+1" // few moves
	for range 8 {
		visitor.post(over).want(http.StatusOK)
	}
	visitor.post(over).want(http.StatusTooManyRequests).wants("alert", "You have asked a lot. The engine goes on in 12 seconds.")
	feed := c.browser(lang.English).get(strings.Replace(over, "?", "/feed?", 1)).want(http.StatusOK)
	if !strings.Contains(feed.body, `data-again="12"`) {
		t.Errorf("the page does not go on by itself: %s", feed.body)
	}
	c.first.post(over).want(http.StatusOK)
	c.clock.advance(12 * time.Second)
	visitor.post(over).want(http.StatusOK)
}

// Two nodes share the work, and nothing is done twice or lost when one stops.
func TestTheWorkIsTakenUpWhereItWasLeft(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves(gifts...)
	kept := func() (a store.Analysis) {
		c.write(func(tx *store.Tx) (err error) {
			a, err = tx.Analysis(c.id)
			return err
		})
		return a
	}
	tired := analyst.NewShare(50)
	tired.Spend(time.Hour)
	if err := analyst.New(c.store, c.live, tired, c.clock.Now, nil).Work(t.Context()); err != nil || kept().Done != 0 {
		t.Errorf("a node that has used up its share goes on: %+v, %v", kept(), err)
	}
	before := kept()
	lease := func() error {
		return c.store.Write(t.Context(), func(tx *store.Tx) error { return tx.LeaseAnalysis(before, c.clock.Now().Add(time.Minute)) })
	}
	if err := lease(); err != nil {
		t.Fatal(err)
	}
	if lease() == nil {
		t.Error("two have one piece")
	}
	if err := c.analyst.Work(t.Context()); err != nil || kept().Done != 0 {
		t.Errorf("another node has it: %+v, %v", kept(), err)
	}
	c.clock.advance(2 * time.Minute) // the node that had it is gone
	c.analysed(c.id)
	if a := kept(); a.State < store.AnalysisDone || a.State == store.AnalysisFailed || a.Done < 8 { // some positions are looked at twice
		t.Errorf("%d looks at 8 positions, state %d", a.Done, a.State)
	}
}

// Who plays has the same position played out elsewhere, to read there what to do.
func TestAnAnalysisIsHeldBackWhileAPositionOfItIsPlayed(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	plies := []string{"a2a4", "h7h5", "b1c3", "b8c6", "g1f3", "g8f6", "a1a3"}
	g.play(plies...)
	c := &contest{site: g.site, olena: g.account("Mykola", player.Plain), taras: g.account("Roman", player.Plain)}
	c.first, c.second = c.as(c.olena, lang.English), c.as(c.taras, lang.English)
	c.open(short(1))
	c.toBoard()
	c.moves(plies...)
	c.act(c.first, "act", "resign")
	c.analysed(c.id)
	visitor := c.browser(lang.English)
	visitor.get(c.url() + "/replay?ply=3").want(http.StatusOK).says("A match with one of these positions is running").saysNot("Accuracy ")
	if strings.Contains(visitor.get(c.url()+"/positions").body, "judged") {
		t.Error("the positions tell what the page holds back")
	}
	visitor.post(explored(t, c.state().Game().Position())).want(http.StatusConflict).wants("alert", "or one close to it")

	g.act(0, "act", "resign")
	g.clock.advance(2 * time.Minute) // until watchers see it
	visitor.get(c.url() + "/replay?ply=3").want(http.StatusOK).says("Accuracy ").saysNot("A match with one of these positions is running")
}

// A bot that is played the moves of a match would tell what to play there. Whoever plays in that match gets no answer from one,
// near it either; others none in the very position; and whoever plays another game against it all of them.
func TestABotTellsNobodyWhatToPlayInAMatchThatIsOn(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	plies := []string{"a2a4", "h7h5", "b1c3", "b8c6", "g1f3", "g8f6", "a1a3", "h8h6", "a3b3", "h6g6"}
	g.play(plies...)
	robot := player.Player{ID: "id-robot", Handle: "Robot", Role: player.Plain, Bot: true, Created: g.clock.Now()}
	g.write(func(tx *store.Tx) error { return tx.AddPlayer(robot, credential) })
	const said = "the bot’s answer would tell what to play there"
	tried := func(who player.Player, plies ...string) (at int, refused page) {
		t.Helper()
		c := &contest{site: g.site, olena: who, taras: robot, first: g.as(who, lang.English)}
		c.open(short(1))
		replies := func(command match.Command) {
			if _, err := c.live.Do(t.Context(), c.id, robot.ID, live.Request{Command: command}); err != nil {
				t.Fatal(err)
			}
		}
		c.act(c.first, "target", "white", "chips", "1")
		replies(match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true, Time: bidding.TimeControl{Minutes: 5}}})
		for i, text := range plies {
			if i%2 == 1 {
				action, err := board.ParseAction(text)
				if err != nil {
					t.Fatal(err)
				}
				replies(match.Play{Seat: match.Second, Action: action})
				continue
			}
			if p := c.first.post(c.url()+"/commands", "act", text); p.status != http.StatusOK {
				return i + 1, p
			}
		}
		return 0, page{}
	}
	noted := func() (refused []store.AnalysisRefusal) {
		g.write(func(tx *store.Tx) (err error) { refused, err = tx.AnalysisRefusals(g.id); return err })
		return refused
	}
	anna, clara := g.seats[0], g.players["clara"]
	at, p := tried(anna, plies...)
	if at == 0 || at > 9 {
		t.Errorf("anna may play her match out against a bot up to ply %d", at)
	}
	p.want(http.StatusConflict).says(said)
	if n := g.signalsOf(review.SignalAnalysis); n != 1 || len(noted()) != 1 {
		t.Errorf("%d signals, noted %+v", n, noted())
	}
	// Two moves in another order and a pawn aside.
	if at, _ = tried(anna, "b1c3", "b8c6", "a2a4", "h7h5", "g1f3", "g8f6", "a1a3", "h8h6", "a3b3"); at == 0 {
		t.Error("another order of moves gets answers")
	}
	at, p = tried(clara, plies...)
	if at != 9 {
		t.Errorf("clara's stands at ply %d: 9 is the first of those that are locked for all", at)
	}
	p.want(http.StatusConflict).says(said)
	if list := noted(); !slices.ContainsFunc(list, func(r store.AnalysisRefusal) bool { return r.Player == clara.ID }) {
		t.Errorf("noted %+v", list)
	}
	for _, who := range []player.Player{anna, clara} {
		if at, p := tried(who, "e2e4", "e7e5", "d2d4", "d7d5", "f1d3", "f8d6", "d1g4", "d8g5", "c1e3", "c8e6", "h2h4"); at != 0 {
			t.Errorf("%s gets no answer in another game from ply %d on: %s", who.Handle, at, p.body)
		}
	}
	g.act(0, "act", "resign")
	g.clock.advance(2 * time.Minute) // until watchers see it
	if at, p := tried(anna, plies[:9]...); at != 0 {
		t.Errorf("when it is over, no answer at ply %d: %s", at, p.body)
	}
}

// explored is the address of a position in the explorer.
func explored(t testing.TB, p board.Position) string {
	t.Helper()
	return scene.Explored{Features: p.Features(), Position: p.CFEN()}.URL()
}

// hrefs are the addresses of the links whose tags have some text after them.
func hrefs(body, after string) (list []string) {
	for _, m := range regexp.MustCompile(`<a ([^>]*)>`).FindAllStringSubmatch(body, -1) {
		if at := regexp.MustCompile(`href="([^"]+)"`).FindStringSubmatch(m[1]); at != nil && strings.Contains(m[1]+">", after) {
			list = append(list, html.UnescapeString(at[1]))
		}
	}
	return list
}

func TestWhatIsWrongWithAPositionIsToldInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	const board = "k7/8/8/8/8/8/8/K7"
	const good = board + " w - 1/1 0/0 0/0 1"
	for _, x := range []struct{ position, features, en, uk string }{
		{"8/8 w", "", "A position has 7 fields, one space apart; here are 2.", "Позиція має 7 полів"},
		{"8/8 w - 1/1 0/0 0/0 1", "", "A board has 8 ranks; here are 2.", "На дошці 8 рядів; тут їх 2."},
		{"k6/7/7/7/7/7/7/K6 w - 1/1 0/0 0/0 1", "", "has 7 files, the features say 8.", "на дошці 7, за особливими правилами 8."},
		{"k7/8/8/9/8/8/8/K7 w - 1/1 0/0 0/0 1", "", "Rank 5 has 9 files, not 8.", "Ряд 5: вертикалей 9, а не 8."},
		{"k7/8/8/80/8/8/8/K7 w - 1/1 0/0 0/0 1", "", "Rank 5: 80 empty squares", "Ряд 5: 80 порожніх полів"},
		{"k7/8/8/8/8/8/8/К7 w - 1/1 0/0 0/0 1", "", "Rank 1: “К” is not a piece.", "Ряд 1: «К»\u00a0— не фігура."},
		{"k7/8/8/8/8/8/8/8 w - 1/1 0/0 0/0 1", "", "White: no king.", "Білі: немає короля."},
		{"k6P/8/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", "", "h8: a pawn can’t stand there.", "h8: пішак не може там стояти."},
		{"k6P/9/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", "", "Rank 8: a pawn can’t stand there.", "Ряд 8: пішак не може"},
		{board + " W - 1/1 0/0 0/0 1", "", "not “W”.", "а не «W»."},
		{board + " w e9 1/1 0/0 0/0 1", "", "En passant: “e9” is not a square.", "«e9»\u00a0— не поле."},
		{board + " w e6 1/1 0/0 0/0 1", "", "En passant e6: no double step", "проході, e6: подвійного кроку"},
		{"k7/8/8/8/4P3/8/8/K7 b e3 1/1 0/0 0/0 1", "noEnPassant=on", "passant e3: the features", "проході, e3: особливі правила"},
		{board + " w - 9/1 0/0 0/0 1", "", "White: castlings left are 0 to 1, not 9.", "Білі: рокіровок лишається"},
		{board + " w - 1/1 0/2 0/0 1", "", "Black: newborn pawns left are 0 to 0", "Чорні: нових пішаків"},
		{board + " w - 1/1 0/0 9999999999/0 1", "", "White: points are 0 to ", "Білі: очок від 0 до "},
		{board + " w - 1/1 0/0 0/0 0", "", "The move number is 1 to ", "Номер ходу\u00a0— від 1 до "},
		{board + " w - 1 0/0 0/0 1", "", "Castlings left are given as white/black, not “1”.", "білі/чорні, а не «1»."},
		{board + " w - 1/1 2 0/0 1", "", "Newborn pawns left are given as", "Нових пішаків, що лишаються, пишуть"},
		{board + " w - 1/1 0/0 3 1", "", "Points are given as white/black", "Очки пишуть як"},
		{board + " w - a/1 0/0 0/0 1", "", "Castlings left: “a” is not a number.", "Рокіровок лишається: «a»"},
		{board + " w - 1/1 b/0 0/0 1", "", "Newborn pawns left: “b” is not a number.", "лишається: «b»\u00a0— не число."},
		{board + " w - 1/1 0/0 c/0 1", "", "Points: “c” is not a number.", "Очки: «c»\u00a0— не число."},
		{board + " w - 1/1 0/0 0/0 d", "", "Move number: “d” is not a number.", "Номер ходу: «d»\u00a0— не число."},
		{good, "undos=9", "undos: 0 to 5, not 9.", "undos: від 0 до 5, а не 9."},
		{good, "undos=many", `undos is a whole number, not "many".`, `undos: ціле число, а не "many".`},
		{good, "movePoints.K=10", "movePoints.K: 0 to 9, not 10.", "movePoints.K: від 0 до 9, а не 10."},
	} {
		for l, want := range map[lang.Lang]string{lang.English: x.en, lang.Ukrainian: x.uk} {
			c.first.lang = string(l)
			page := c.first.get("/analyse?" + x.features + "&position=" + url.QueryEscape(x.position)).want(http.StatusUnprocessableEntity)
			if body := html.UnescapeString(page.body); !strings.Contains(body, want) || strings.Contains(body, lang.Missing) {
				t.Errorf("%s, %s %s: no %q", l, x.position, x.features, want)
			}
		}
	}
}

// TestAPositionIsSetUpOnABoardAndAMatchIsAskedForByItsLink: nobody has to know how a position is written.
func TestAPositionIsSetUpOnABoardAndAMatchIsAskedForByItsLink(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.act(c.first, "act", "resign")
	empty := c.first.get("/analyse?edit=on").want(http.StatusOK).wants("group", "The position").wants("button", "Done")
	if want := `data-shown="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - `; !strings.Contains(empty.body, want) || !strings.Contains(empty.body, `aria-label="black dragon"`) {
		t.Errorf("the board does not begin with the start position: %s", empty.body)
	}
	folded := `<details class="card">`
	if !strings.Contains(empty.body, folded) {
		t.Error("the text is not folded")
	}
	wrong := c.first.get("/analyse?set=on&width=7&moveLimit=887&undos=99&skipMoves=on").want(http.StatusUnprocessableEntity)
	for _, kept := range []string{`name="width" value="7"[^>]* checked`, `name="moveLimit"[^>]* value="887"`, `name="skipMoves" value="on" checked`} {
		if !regexp.MustCompile(kept).MatchString(wrong.body) {
			t.Errorf("%s is lost: %s", kept, wrong.body)
		}
	}
	bad := c.first.get("/analyse?position=8%2F8+w").want(http.StatusUnprocessableEntity)
	if strings.Contains(bad.body, folded) {
		t.Error("what is wrong with the text is folded away")
	}
	for _, link := range []string{"https://chpok.example" + c.url(), c.url() + "/replay?ply=1", c.http.URL + c.url() + "#end"} {
		if page := c.first.get("/analyse?match=" + url.QueryEscape(link)).want(http.StatusOK); page.path != c.url()+"/replay" {
			t.Errorf("%s leads to %s", link, page.path)
		}
	}
	c.first.get("/analyse?match=nothing").want(http.StatusNotFound).wants("alert", "no match at this link")
}
