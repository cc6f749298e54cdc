package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// contest is a match between two accounts, Olena first.
type contest struct {
	*site
	id           match.ID
	olena, taras player.Player
	first        *browser
	second       *browser
}

func newContest(t *testing.T, o match.Options) *contest {
	t.Helper()
	s := newSite(t)
	c := &contest{site: s, olena: s.account("Olena", player.Plain), taras: s.account("Taras", player.Plain)}
	s.account("Boss", player.Operator) // a site without one asks for it first
	s.live.OnFinish(arbiter.New(s.store, s.live, arbiter.Config{Now: s.clock.Now}, nil).OnFinish)
	c.open(o)
	c.first, c.second = s.as(c.olena, lang.English), s.as(c.taras, lang.English)
	return c
}

// open opens a match of the two, another one where they have played already.
func (c *contest) open(o match.Options) {
	c.t.Helper()
	c.write(func(tx *store.Tx) (err error) {
		c.id, err = c.live.OpenTx(tx, live.Opening{Players: [2]player.ID{c.olena.ID, c.taras.ID}, Options: o})
		return err
	})
}

// short is a match without a gate in which each player has so many chips.
func short(chips int) match.Options {
	o := match.DefaultOptions()
	o.Envelope.Chips = chips
	return o
}

func (c *contest) url() string { return "/matches/" + string(c.id) }

func (c *contest) state() match.State {
	c.t.Helper()
	s, _, err := c.live.State(c.t.Context(), c.id)
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

// act sends a form of the match page and wants the page back.
func (c *contest) act(b *browser, pairs ...string) page {
	c.t.Helper()
	return b.post(c.url()+"/commands", pairs...).want(http.StatusOK)
}

// toBoard bids both chips away: Olena plays White, five minutes each.
func (c *contest) toBoard() {
	c.t.Helper()
	c.act(c.first, "target", "white", "chips", "1")
	c.act(c.second, "target", "time", "chips", "1", "minutes", "5", "increment", "0")
	if c.state().Status() != match.Playing {
		c.t.Fatalf("the match is %v", c.state().Status())
	}
}

func (c *contest) moves(texts ...string) {
	c.t.Helper()
	for i, text := range texts {
		b := c.first
		if i%2 == 1 {
			b = c.second
		}
		c.act(b, "act", text)
	}
}

// named is the first element with an attribute of that value, nil without one.
func (p page) named(name, value string) *html.Node {
	for n := range p.root.Descendants() {
		if v, ok := attr(n, name); ok && v == value {
			return n
		}
	}
	return nil
}

func TestAMatchStartsWhenBothPlayersAreThere(t *testing.T) {
	t.Parallel()
	o := short(1)
	o.Lateness = 5 * time.Minute
	c := newContest(t, o)
	c.browser(lang.English).get(c.url()).want(http.StatusOK).wantsNo("button", "Ready").wants("timer", "5:00")
	c.first.get(c.url()).wants("button", "Ready").wants("heading", "Bidding limits")
	c.act(c.first, "ready", "true").wantsNo("button", "Ready")
	c.clock.advance(time.Minute)
	c.second.get(c.url()).wants("timer", "4:00")
	c.act(c.second, "ready", "true").wants("heading", "White").wants("timer", "1:40")
}

func TestAWholeMatchIsPlayedByPlainForms(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.first.get(c.url()).want(http.StatusOK).wants("button", "Raise")
	c.second.get(c.url()).wantsNo("button", "Raise")
	c.toBoard()
	c.moves("e2e4", "e7e5", "d1h5", "b8c6", "h5f7", "g8f6")
	p := c.first.get(c.url())
	p.wants("gridcell", "") // the board
	if cell := p.named("data-sq", "f7"); cell == nil {
		t.Fatal("no square f7")
	} else if label, _ := attr(cell, "aria-label"); label != "f7, white queen" {
		t.Errorf("f7 reads %q", label)
	}
	end := c.act(c.first, "act", "f7e8")
	end.wants("heading", "You won").wants("link", "See what decided it").wantsNo("button", "Play")
	c.second.get(c.url()).wants("heading", "You lost")
	c.browser(lang.Ukrainian).get(c.url()).wants("heading", "Перемагає Olena")
}

func TestARefusedCommandComesBackWithTheReason(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.second.post(c.url()+"/commands", "target", "white", "chips", "1").want(http.StatusUnprocessableEntity).wants("status", "not your turn")
	c.first.post(c.url()+"/commands", "target", "white", "chips", "2").want(http.StatusUnprocessableEntity).wants("status", "that many chips")
	c.first.post(c.url()+"/commands", "target", "white", "chips", "1", "seq", "1").want(http.StatusConflict).wants("status", "moved on")
	c.toBoard()
	c.first.post(c.url()+"/commands", "act", "e2e5").want(http.StatusUnprocessableEntity).wants("status", "move isn’t legal")
	c.first.post(c.url()+"/commands", "act", "\"}").want(http.StatusUnprocessableEntity)
}

func TestACommandSentTwiceIsDoneOnce(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(2))
	seq := strconv.FormatInt(c.state().Seq(), 10)
	for range 2 {
		c.act(c.first, "id", "tap-1", "seq", seq, "target", "white", "chips", "1")
	}
	if left := c.state().Game().Bids().Purse(match.First); left != 1 {
		t.Errorf("%d chips left, want 1", left)
	}
}

func TestOnlyThePlayersMayAct(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	stranger := c.as(c.account("Ivan", player.Plain), lang.English)
	stranger.get(c.url()).want(http.StatusOK).wantsNo("button", "Raise").wantsNo("button", "Resign").wantsNo("button", "Yes, I resign")
	stranger.post(c.url()+"/commands", "act", "resign").want(http.StatusForbidden)
	c.browser(lang.English).post(c.url()+"/commands", "act", "resign").want(http.StatusUnauthorized)
	if c.state().Status() != match.Bidding {
		t.Errorf("the match is %v", c.state().Status())
	}
	c.first.get("/matches/nowhere").want(http.StatusNotFound)
}

func TestTheBiddingOffersOnlyWhatTheEnvelopeAllows(t *testing.T) {
	t.Parallel()
	o := short(4)
	o.Envelope.Widths = []int{6, 8, 10}
	o.Envelope.Forbidden = []string{"skipMoves"}
	o.Envelope.Minutes, o.Envelope.Increment = [2]int{3, 15}, [2]int{0, 10}
	c := newContest(t, o)
	p := c.first.get(c.url())
	wantAttr := func(name, value, want string, there bool) {
		t.Helper()
		n := p.named(name, value)
		if n == nil {
			t.Fatalf("no element with %s=%s", name, value)
		}
		if _, ok := attr(n, want); ok != there {
			t.Errorf("%s=%s: %s is %v, want %v", name, value, want, ok, there)
		}
	}
	wantAttr("name", "skipMoves", "disabled", true)
	wantAttr("name", "pawnsBack", "disabled", false)
	if most, _ := attr(p.named("name", "minutes"), "max"); most != "15" {
		t.Errorf("minutes go to %s", most)
	}
	for n := range p.root.Descendants() {
		if name, _ := attr(n, "name"); name == "width" {
			value, _ := attr(n, "value")
			_, off := attr(n, "disabled")
			if want := value == "7" || value == "9"; off != want {
				t.Errorf("width %s disabled: %v", value, off)
			}
		}
	}
	if !strings.Contains(p.body, "This match: 3–15") || !strings.Contains(p.body, "nothing to call") {
		t.Error("the reasons are missing")
	}
	c.first.post(c.url()+"/commands", "target", "time", "chips", "1", "minutes", "20", "increment", "0").
		want(http.StatusUnprocessableEntity).wants("status", "minutes 3…15")
}

func TestARaiseStatesItsOutcome(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(9))
	bids := func() bidding.State { return c.state().Game().Bids() }
	c.act(c.first, "target", "homeRow", "chips", "1", "row", "kqrbndrk")
	if got := bids().Row(); got != "KQRBNDRK" {
		t.Errorf("the row is %s", got)
	}
	features := []string{"target", "features", "chips", "1", "width", "9", "moveLimit", "40", "undos", "2", "castlings", "0", "pawnsBack", "on"}
	for _, kind := range "KQRBNDP" {
		points := "0"
		if kind == 'D' {
			points = "3"
		}
		features = append(features, "movePoints."+string(kind), points)
	}
	c.act(c.second, features...)
	want := board.DefaultFeatures()
	want.Width, want.MoveLimit, want.Undos, want.Castlings, want.PawnsBack = 9, 40, 2, 0, true
	want.MovePoints[board.Dragon] = 3
	if got := bids().Features(); got != want {
		t.Errorf("the features are %+v, want %+v", got, want)
	}
	if got := bids().Row(); got != "KQRBNDRKP" {
		t.Errorf("the row in force is %s", got)
	}
	// Taras leads by one on features: a call of one chip puts the defaults back.
	c.first.get(c.url()).wants("button", "Call 1")
	c.act(c.first, "target", "features", "chips", "1")
	if got := bids().Features(); got != board.DefaultFeatures() {
		t.Errorf("after the call the features are %+v", got)
	}
}

func TestTheSeedIsShownOnlyWhenTheMatchIsOver(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.act(c.first, "target", "homeRow", "chips", "1", "row", "RNBQKBNR")
	c.act(c.second, "target", "homeRow", "chips", "1") // a call; white and time are drawn at the end
	open := c.first.get(c.url())
	if !strings.Contains(open.body, c.state().Commitment()) {
		t.Error("the commitment is not shown")
	}
	c.act(c.first, "act", "resign")
	seed, over := c.state().Seed()
	if !over {
		t.Fatal("the match goes on")
	}
	if strings.Contains(open.body, seed.String()) {
		t.Error("the seed was shown during the match")
	}
	closed := c.browser(lang.English).get(c.url() + "/replay").want(http.StatusOK)
	if !strings.Contains(closed.body, seed.String()) {
		t.Error("the seed is not shown after the match")
	}
	if n := strings.Count(closed.body, "matches the seed"); n != 2 {
		t.Errorf("%d draws hold, want 2", n)
	}
}

func TestNothingIsOfferedAfterAResignationInTheBidding(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(2))
	c.first.get(c.url()).want(http.StatusOK).wants("button", "Yes, I resign")
	c.act(c.first, "act", "resign")
	for _, b := range []*browser{c.first, c.second} {
		b.get(c.url()).want(http.StatusOK).wantsNo("button", "Yes, I resign").wantsNo("button", "Raise")
	}
}

func TestReplayStepsWithoutScripts(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves("e2e4", "d7d5", "e4d5")
	visitor := c.browser(lang.English)
	for _, test := range []struct{ ply, square, want string }{
		{"0", "e2", "wP"}, {"1", "e4", "wP"}, {"2", "d5", "bP"}, {"3", "d5", "wP"}, {"99", "d5", "wP"}, {"-1", "e2", "wP"}, {"x", "d5", "wP"},
	} {
		p := visitor.get(c.url() + "/replay?ply=" + test.ply).want(http.StatusOK)
		if got, _ := attr(p.named("data-sq", test.square), "data-pc"); got != test.want {
			t.Errorf("ply %s: %s holds %q, want %s", test.ply, test.square, got, test.want)
		}
	}
	p := visitor.get(c.url() + "/replay?ply=2")
	if p.named("href", c.url()+"/replay?ply=1") == nil || p.named("href", c.url()+"/replay?ply=3") == nil {
		t.Error("no links to the plies beside")
	}
	var positions struct {
		Seq   int64
		Plies []struct {
			Placement, Last string
			Sources         [3][2]string
		}
	}
	if err := json.Unmarshal([]byte(visitor.get(c.url()+"/positions").body), &positions); err != nil {
		t.Fatal(err)
	}
	// e4×d5 ends on rank 5: one point for its rank, none before.
	if got := positions.Plies[3].Sources; got[1] != [2]string{"1", "0"} || positions.Plies[2].Sources[1] != [2]string{"0", "0"} {
		t.Errorf("points from ranks: %v after three plies", got)
	}
	if len(positions.Plies) != 4 || positions.Plies[3].Last != "e4d5" || !strings.HasPrefix(positions.Plies[3].Placement, "rnbqkbnr/ppp1pppp/8/3P4/") {
		t.Errorf("positions: %+v", positions)
	}
}

// TestReplayGoesFromTheFirstBidToTheLastMove: one line, of which the bids are steps that show the table as it stood.
func TestReplayGoesFromTheFirstBidToTheLastMove(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard() // Olena: one chip on White; Taras: one on the time
	c.moves("e2e4", "d7d5", "e4d5", "d8d5")
	visitor := c.browser(lang.English)
	links := func(p page) (back, on string) {
		for n := range p.root.Descendants() {
			url, _ := attr(n, "href")
			switch do, _ := attr(n, "data-do"); do {
			case "back":
				back = url
			case "forward":
				on = url
			}
		}
		return back, on
	}
	base := c.url() + "/replay"
	for _, test := range []struct{ at, back, on, holds, lacks string }{
		{"?bid=1", "?bid=1", "?bid=2", "<span>Olena raised White</span>", "<span>Taras raised"},
		{"?bid=2", "?bid=1", "?ply=0", "<span>Taras raised Time to ", "chpok-board"},
		{"?bid=9", "?bid=1", "?ply=0", "<span>Taras raised Time to ", "chpok-board"},
		{"?ply=0", "?bid=2", "?ply=1", "chpok-board", "<span>Taras raised"},
		{"?ply=3", "?ply=2", "?ply=4", "chpok-board", "<span>Taras raised"},
	} {
		p := visitor.get(base + test.at).want(http.StatusOK)
		if back, on := links(p); back != base+test.back || on != base+test.on {
			t.Errorf("%s: back to %s, on to %s", test.at, back, on)
		}
		if !strings.Contains(p.body, test.holds) || strings.Contains(p.body, test.lacks) {
			t.Errorf("%s: lacks %q, or holds %q", test.at, test.holds, test.lacks)
		}
	}
}

func TestTheRecordCanBeDownloadedInBothForms(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	c.toBoard()
	c.moves("e2e4", "d7d5")
	c.act(c.first, "act", "resign")
	visitor := c.browser(lang.English)
	asJSON, asText := visitor.get(c.url()+"/record.json").want(http.StatusOK), visitor.get(c.url()+"/record.txt").want(http.StatusOK)
	fromJSON, err := notation.ParseRecord([]byte(asJSON.body))
	if err != nil {
		t.Fatal(err)
	}
	fromText, err := notation.ParseText([]byte(asText.body))
	if err != nil {
		t.Fatal(err)
	}
	// Two bids, two moves, the resignation.
	if len(fromJSON.Actions) != 5 || len(fromText.Actions) != 5 {
		t.Errorf("%d and %d actions, want 5", len(fromJSON.Actions), len(fromText.Actions))
	}
}

// feed opens the stream of a match page.
func (c *contest) feed(ctx context.Context, b *browser, after int64) (next func() (id, event, data string)) {
	c.t.Helper()
	return c.stream(ctx, b, c.url()+"/feed?last="+url.QueryEscape(strconv.FormatInt(after, 10)))
}

// stream reads the events of an address.
func (c *contest) stream(ctx context.Context, b *browser, address string) (next func() (id, event, data string)) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.http.URL+address, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Language", b.lang)
	res, err := b.client.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return func() (id, event, data string) {
		for lines.Scan() {
			key, value, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case key == "id":
				id = value
			case key == "event":
				event = value
			case key == "data":
				data += value + "\n"
			case lines.Text() == "" && event != "":
				return id, event, data
			}
		}
		c.t.Fatal("the stream ended")
		return "", "", ""
	}
}

func TestTheFeedSendsEachAudienceWhatChanged(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	seq := c.state().Seq()
	mine, theirs := c.feed(ctx, c.second, seq), c.feed(ctx, c.browser(lang.Ukrainian), seq)
	c.act(c.first, "target", "white", "chips", "1")
	id, event, data := mine()
	if id != strconv.FormatInt(c.state().Seq(), 10) || event != "swap" {
		t.Errorf("first frame: id %s, event %s", id, event)
	}
	if !strings.Contains(data, `id="m-state"`) || !strings.Contains(data, "Your bid") || !strings.Contains(data, `id="raise-white"`) {
		t.Errorf("Taras is not offered to bid: %s", data)
	}
	if _, _, data = theirs(); !strings.Contains(data, "Ставить Taras") || strings.Contains(data, "<form") {
		t.Errorf("a watcher got %s", data)
	}
	c.act(c.second, "target", "time", "chips", "1", "minutes", "5", "increment", "0")
	if _, _, data = mine(); !strings.Contains(data, "chpok-board") {
		t.Errorf("the board did not come: %s", data)
	}
	// A piece that is as it was is not sent again: the move changes neither player's terms.
	c.act(c.first, "act", "e2e4")
	if _, _, data = mine(); !strings.Contains(data, `id="m-main"`) || !strings.Contains(data, ` a7a5 `) {
		t.Errorf("Black may not move: %s", data)
	}
	// Whoever comes back late gets what they missed, and watchers are told goodbye at the end.
	c.act(c.second, "act", "resign")
	again := c.feed(ctx, c.second, seq)
	if id, _, data = again(); id != strconv.FormatInt(c.state().Seq(), 10) || !strings.Contains(data, "You lost") {
		t.Errorf("after coming back: id %s, %s", id, data)
	}
	for event = "swap"; event == "swap"; {
		_, event, _ = theirs()
	}
	if event != "end" {
		t.Errorf("the last event is %s", event)
	}
}

// TestEveryTextIsSaidInBothLanguages plays matches with every feature and looks
// at the pages of both players and a watcher for texts that are missing.
func TestEveryTextIsSaidInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, claims := range []match.Claims{match.Automatic, match.Manual} {
		o := short(6)
		o.Claims = claims
		f := &o.Envelope.Defaults
		f.MoveLimit, f.Undos = 12, 2
		f.KingOfTheHill, f.KingsRun, f.FierceKings, f.MightyQueens, f.CornerBishops, f.PawnsBack = true, true, true, true, true, true
		f.NewbornPawns, f.RemoveOwn, f.SkipMoves, f.NoKingPromotion, f.NoEnPassant = true, true, true, true, true
		f.MovePoints[board.Queen] = 4
		c := newContest(t, o)
		look := func() {
			t.Helper()
			for _, l := range lang.All {
				c.first.lang, c.second.lang = string(l), string(l)
				for _, b := range []*browser{c.first, c.second, c.browser(l)} {
					for _, path := range []string{"", "/replay"} {
						p := b.get(c.url() + path).want(http.StatusOK)
						if i := strings.IndexAny(p.body, "⟦⟧"); i >= 0 {
							t.Fatalf("%s: %s", l, p.body[i:min(i+80, len(p.body))])
						}
						if strings.Contains(p.body, "no value") || strings.Contains(p.body, "{{") {
							t.Fatalf("%s: a text lacks its argument", l)
						}
					}
				}
			}
		}
		for step := 0; c.state().Status() != match.Over; step++ {
			if step%9 == 0 {
				look()
			}
			seat, _ := c.state().ToAct()
			by := []player.ID{c.olena.ID, c.taras.ID}[seat.Index()]
			var command match.Command
			if g := c.state().Game(); !g.OnBoard() {
				command = match.PlaceBid{Seat: seat, Bid: anyBid(t, g.Bids(), step)}
			} else {
				position := g.Position()
				moves := position.Moves(nil)
				command = match.Play{Seat: seat, Action: moves[step*7919%len(moves)]}
			}
			if _, err := c.live.Do(t.Context(), c.id, by, live.Request{Command: command}); err != nil {
				t.Fatalf("%+v: %v", command, err)
			}
		}
		look()
	}
}

// anyBid is a bid that is legal now, a call where step says so.
func anyBid(t *testing.T, b bidding.State, step int) bidding.Bid {
	t.Helper()
	for i := range bidding.Targets {
		target := bidding.Target((step+i)%bidding.Targets + 1)
		if call, err := b.CallOf(target); err == nil && step%2 == 1 {
			return call
		}
		if b.MayRaise(target) == nil {
			return bidding.Bid{
				Target: target, Chips: b.LeastRaise(target), HasOutcome: target != bidding.White,
				Time: bidding.TimeControl{Minutes: 4, Increment: 1}, Row: b.Row(), Features: b.Features(),
			}
		}
	}
	for target := bidding.White; target <= bidding.Features; target++ {
		if call, err := b.CallOf(target); err == nil {
			return call
		}
	}
	t.Fatal("no bid is possible")
	return bidding.Bid{}
}
