package web_test

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
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
		saysNot("Analyze from here").saysNot("of 8 positions")
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

func TestAPositionOfAFinishedMatchIsLookedAtFurther(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves(gifts...)
	c.second.get(c.url() + "/replay?ply=4").want(http.StatusOK).says("Analyze from here")
	explore := c.url() + "/explore/feed"
	ctx, leave := context.WithCancel(t.Context())
	next := c.stream(ctx, c.second, explore+"?ply=6")
	for { // White takes the king
		if _, event, data := next(); event == "swap" && strings.Contains(data, "100%") && strings.Contains(data, "Qf7×e8") {
			break
		}
	}
	c.second.get(explore + "?ply=6").want(http.StatusServiceUnavailable) // one at a time
	leave()
	c.second.get(explore + "?ply=8").want(http.StatusNotFound)
	c.browser(lang.English).get(explore+"?ply=6").wants("heading", "Sign in") // it costs
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
	if a := kept(); a.State != store.AnalysisDone || a.Done < 8 { // some positions are looked at twice
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
	c.second.get(c.url() + "/explore/feed?ply=7").want(http.StatusConflict)

	g.act(0, "act", "resign")
	g.clock.advance(2 * time.Minute) // until watchers see it
	visitor.get(c.url() + "/replay?ply=3").want(http.StatusOK).says("Accuracy ").saysNot("A match with one of these positions is running")
}

func TestWhatIsWrongWithAPositionIsToldInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	const board = "k7/8/8/8/8/8/8/K7"
	const good = board + " w - 1/1 0/0 0/0 1"
	for _, x := range []struct{ position, features, en, uk string }{
		{"8/8 w", "", "A position has 7 fields, one space apart; here are 2.", "Позиція має 7 полів"},
		{"8/8 w - 1/1 0/0 0/0 1", "", "A board has 8 ranks; here are 2.", "На дошці 8 рядів; тут їх 2."},
		{"k6/7/7/7/7/7/7/K6 w - 1/1 0/0 0/0 1", "", "has 7 files, the features say 8.", "на дошці 7, за функціями 8."},
		{"k7/8/8/9/8/8/8/K7 w - 1/1 0/0 0/0 1", "", "Rank 5 has 9 files, not 8.", "Ряд 5: вертикалей 9, а не 8."},
		{"k7/8/8/80/8/8/8/K7 w - 1/1 0/0 0/0 1", "", "Rank 5: 80 empty squares", "Ряд 5: 80 порожніх полів"},
		{"k7/8/8/8/8/8/8/К7 w - 1/1 0/0 0/0 1", "", "Rank 1: “К” is not a piece.", "Ряд 1: «К» — не фігура."},
		{"k7/8/8/8/8/8/8/8 w - 1/1 0/0 0/0 1", "", "White: no king.", "Білі: немає короля."},
		{"k6P/8/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", "", "h8: a pawn can’t stand there.", "h8: пішак не може там стояти."},
		{"k6P/9/8/8/8/8/8/K7 w - 1/1 0/0 0/0 1", "", "Rank 8: a pawn can’t stand there.", "Ряд 8: пішак не може"},
		{board + " W - 1/1 0/0 0/0 1", "", "not “W”.", "а не «W»."},
		{board + " w e9 1/1 0/0 0/0 1", "", "En passant: “e9” is not a square.", "«e9» — не поле."},
		{board + " w e6 1/1 0/0 0/0 1", "", "En passant e6: no double step", "проході, e6: подвійного кроку"},
		{"k7/8/8/8/4P3/8/8/K7 b e3 1/1 0/0 0/0 1", `{"noEnPassant":true}`, "passant e3: the features", "проході, e3: функції"},
		{board + " w - 9/1 0/0 0/0 1", "", "White: castlings left are 0 to 1, not 9.", "Білі: рокіровок лишається"},
		{board + " w - 1/1 0/2 0/0 1", "", "Black: newborn pawns left are 0 to 0", "Чорні: нових пішаків"},
		{board + " w - 1/1 0/0 9999999999/0 1", "", "White: points are 0 to ", "Білі: очок від 0 до "},
		{board + " w - 1/1 0/0 0/0 0", "", "The move number is 1 to ", "Номер ходу — від 1 до "},
		{board + " w - 1 0/0 0/0 1", "", "Castlings left are given as white/black, not “1”.", "білі/чорні, а не «1»."},
		{board + " w - 1/1 2 0/0 1", "", "Newborn pawns left are given as", "Нових пішаків, що лишаються, пишуть"},
		{board + " w - 1/1 0/0 3 1", "", "Points are given as white/black", "Очки пишуть як"},
		{board + " w - a/1 0/0 0/0 1", "", "Castlings left: “a” is not a number.", "Рокіровок лишається: «a»"},
		{board + " w - 1/1 b/0 0/0 1", "", "Newborn pawns left: “b” is not a number.", "лишається: «b» — не число."},
		{board + " w - 1/1 0/0 c/0 1", "", "Points: “c” is not a number.", "Очки: «c» — не число."},
		{board + " w - 1/1 0/0 0/0 d", "", "Move number: “d” is not a number.", "Номер ходу: «d» — не число."},
		{good, "[]", "This is not a JSON object.", "Це не об’єкт JSON."},
		{good, `{"undos":1,"undos":2}`, "“undos” is there twice.", "«undos» стоїть двічі."},
		{good, `{"wide":8}`, "There is no feature “wide”.", "Функції «wide» немає."},
		{good, `{"undos":9}`, "undos: 0 to 5, not 9.", "undos: від 0 до 5, а не 9."},
		{good, `{"undos":"1"}`, `undos is a whole number, not "1".`, `undos: ціле число, а не "1".`},
		{good, `{"skipMoves":1}`, "skipMoves is true or false, not 1.", "skipMoves: true або false, а не 1."},
		{good, `{"movePoints":{"X":1}}`, "movePoints: “X” is not one of", "movePoints: «X» — не одна з"},
	} {
		for l, want := range map[lang.Lang]string{lang.English: x.en, lang.Ukrainian: x.uk} {
			c.first.lang = string(l)
			page := c.first.post("/analyse", "position", x.position, "features", x.features).want(http.StatusUnprocessableEntity)
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
	empty := c.first.get("/analyse").want(http.StatusOK).wants("group", "The position").wants("button", "Analyze")
	if want := `value="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - `; !strings.Contains(empty.body, want) || !strings.Contains(empty.body, `aria-label="black dragon"`) {
		t.Errorf("the board does not begin with the start position: %s", empty.body)
	}
	if strings.Contains(empty.body, "<details open") {
		t.Error("the text is not folded")
	}
	bad := c.first.post("/analyse", "position", "8/8 w").want(http.StatusUnprocessableEntity)
	if !strings.Contains(bad.body, "<details open") {
		t.Error("what is wrong with the text is folded away")
	}
	for _, link := range []string{"https://chpok.example" + c.url(), c.url() + "/replay?ply=1", c.http.URL + c.url() + "#end"} {
		if page := c.first.get("/analyse?match=" + url.QueryEscape(link)).want(http.StatusOK); page.path != c.url()+"/replay" {
			t.Errorf("%s leads to %s", link, page.path)
		}
	}
	c.first.get("/analyse?match=nothing").want(http.StatusNotFound).wants("alert", "no match at this link")
}
