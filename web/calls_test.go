package web_test

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// hall is a running round in which a call stops the clocks, its first board and
// who sits at it.
type hall struct {
	*clubNight
	path, match   string
	first, second *browser
	seats         [2]player.Player
}

func newHall(t *testing.T) *hall {
	t.Helper()
	h := &hall{clubNight: newClubNight(t)}
	h.path = h.create("callStops", "on")
	for _, name := range []string{"anna", "borys", "clara", "danylo"} {
		h.host.post(h.path+"/entries", "handle", name).want(http.StatusOK)
	}
	h.host.post(h.path + "/start").want(http.StatusOK)
	tour := h.tournament(h.path)
	if !tour.CallStops {
		t.Fatal("the form has not set that a call stops the clocks")
	}
	board := tour.Rounds[0].Pairings[0]
	h.match = "/matches/" + string(board.Match)
	for i, id := range []tournament.EntryID{board.First, board.Second} {
		e, err := tour.Entry(id)
		if err != nil {
			t.Fatal(err)
		}
		h.seats[i] = h.players[e.Name]
	}
	h.first, h.second = h.as(h.seats[0], lang.English), h.as(h.seats[1], lang.Ukrainian)
	return h
}

func (h *hall) state() match.State {
	h.t.Helper()
	s, _, err := h.live.State(h.t.Context(), match.ID(strings.TrimPrefix(h.match, "/matches/")))
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func TestACallGoesFromThePlayersPageThroughTheQueueAndBack(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	h := newHall(t)
	h.second.get(h.match).wants("heading", "Суддя")
	bystander := h.as(h.players[otherThan(h, "anna", "borys", "clara", "danylo")], lang.English)
	bystander.get(h.match).wantsNo("heading", "Arbiter").wantsNo("button", "Call the arbiter")
	bystander.post(h.match+"/calls", "call-text", "hello").want(http.StatusForbidden)

	events := h.host.follow(h.path + "/feed?part=calls")
	events()
	if body := h.first.post(h.match+"/calls", "call-text", "  ").want(http.StatusUnprocessableEntity).body; !strings.Contains(body, "up to 300 characters") {
		t.Error("an empty call is not told at the field")
	}
	h.first.post(h.match+"/calls", "call-text", "My row <b>is</b> wrong").want(http.StatusOK).wantsNo("button", "Call the arbiter").wants("button", "Withdraw the call")
	if html := events(); !strings.Contains(html, "Calls (1)") || !strings.Contains(html, "My row &lt;b&gt;is&lt;/b&gt; wrong") {
		t.Errorf("the queue hears %q", html)
	}
	if _, still := h.state().Standstill(); !still {
		t.Error("the clocks run")
	}
	bystander.get(h.match).wants("status", string(h.seats[0].Handle)+" called the arbiter")
	h.second.get(h.match).wants("status", "кличе суддю")
	bystander.get(h.path + "/calls").want(http.StatusForbidden)

	queue := h.host.get(h.path+"/calls").want(http.StatusOK).wants("status", "1 call waits").wants("button", "I’m on it")
	action := formAction(t, queue, "/take")
	h.host.post(action, "back", h.path+"/calls").want(http.StatusOK).wants("status", "0 calls wait").wantsNo("button", "I’m on it")
	h.host.post(strings.TrimSuffix(action, "take")+"resolve", "back", h.path+"/calls",
		"answer-"+strings.Split(action, "/")[4], "It is what was bid.").want(http.StatusOK).wants("status", "No calls.")
	if body := h.second.get(h.match).body; !strings.Contains(body, "It is what was bid.") {
		t.Error("the answer is not in the talk of the opponent")
	}
	h.second.post(h.match+"/messages", "say-text", "Дякую").want(http.StatusOK)
	if body := h.host.get(h.match).body; !strings.Contains(body, "Дякую") {
		t.Error("the arbiter does not see the talk")
	}
	for range 4 {
		h.second.post(h.match+"/messages", "say-text", "…").want(http.StatusOK)
	}
	many := h.second.post(h.match+"/messages", "say-text", "…").want(http.StatusTooManyRequests)
	if wait := many.header.Get("Retry-After"); wait != "30" { // five in 30 s, all of them now
		t.Errorf("come back after %q seconds", wait)
	}
	if body := bystander.get(h.match).body; strings.Contains(body, "Дякую") {
		t.Error("a bystander sees the talk")
	}
	// Who comes late with a call only hears so; a forged way back leads nowhere else.
	if late := h.host.post(action, "back", "//elsewhere.example/calls").want(http.StatusOK); late.path != h.match {
		t.Errorf("back to %q", late.path)
	}
}

// otherThan is one of these who does not sit at the hall's board.
func otherThan(h *hall, names ...string) string {
	for _, name := range names {
		if p := h.players[name]; p.ID != h.seats[0].ID && p.ID != h.seats[1].ID {
			return name
		}
	}
	h.t.Fatal("everybody plays at one board")
	return ""
}

// formAction is where the form is sent whose address ends so.
func formAction(t *testing.T, p page, end string) string {
	t.Helper()
	for n := range p.root.Descendants() {
		if action, ok := attr(n, "action"); ok && strings.HasSuffix(action, end) {
			return action
		}
	}
	t.Fatalf("%s has no form to %q", p.path, end)
	return ""
}

func TestTheArbitersPanel(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	h := newHall(t)
	rule := func(status int, pairs ...string) page {
		t.Helper()
		return h.host.post(h.match+"/rulings", pairs...).want(status)
	}
	h.first.get(h.match).wantsNo("heading", "Arbiter’s panel")
	h.first.post(h.match+"/rulings", "act", "pause", "pause-why", "I want to").want(http.StatusForbidden)
	page := h.host.get(h.match).wants("heading", "Arbiter’s panel").wants("button", "Stop")
	page.wantsNo("button", "Reopen").wantsNo("button", "Take back")

	if body := rule(http.StatusUnprocessableEntity, "act", "clock", "clock-of", "second", "clock-left", "five", "clock-why", "a lost connection").body; !strings.Contains(body, "like 1:05:00 or 5:00.") ||
		!strings.Contains(body, `value="five"`) || !strings.Contains(body, `value="a lost connection"`) {
		t.Error("a refused form has lost what was filled in")
	}
	if body := rule(http.StatusUnprocessableEntity, "act", "pause", "pause-why", " ").body; !strings.Contains(body, "Give a reason on one line.") {
		t.Error("an act without its reason is not told at the field")
	}
	feed := h.second.follow(h.match + "/feed?last=2")
	feed()
	rule(http.StatusOK, "act", "pause", "pause-why", "the light is out", "turn", "2")
	rule(http.StatusOK, "act", "pause", "pause-why", "the light is out", "turn", "2") // a second click
	if html := feed(); !strings.Contains(html, "Матч зупинено") || !strings.Contains(html, "the light is out") {
		t.Errorf("the opponent hears %q", html)
	}
	h.second.get(h.match).wants("status", "the light is out")
	if seq := h.state().Seq(); seq != 3 {
		t.Errorf("the log has %d events, want 3", seq)
	}
	rule(http.StatusOK, "act", "clock", "clock-of", "second", "clock-left", "1:05:00", "clock-why", "a lost connection")
	if _, left, _ := h.state().Clocks(h.clock.Now()); left != 65*time.Minute {
		t.Errorf("the clock shows %v", left)
	}
	body := rule(http.StatusOK, "act", "resume", "resume-why", "light").body
	for _, line := range []string{
		"Arbiter Olena: match stopped\u00a0– the light is out",
		"Arbiter Olena: clock of " + string(h.seats[1].Handle) + " set to 1:05:00\u00a0– a lost connection",
		"Arbiter Olena: match continued\u00a0– light",
	} {
		if !strings.Contains(body, line) || !strings.Contains(h.host.get(h.match+"/replay").body, line) {
			t.Errorf("page or replay do not say %q", line)
		}
	}
	rule(http.StatusOK, "act", "declare", "declare-result", "first-forfeit", "declare-why", "gone")
	if r := h.tournament(h.path).Rounds[0].Pairings[0].Result; r.Kind != tournament.FirstByForfeit {
		t.Errorf("the result: %+v", r)
	}
	next := rule(http.StatusOK, "act", "replay", "replay-why", "he is back").path
	if board := h.tournament(h.path).Rounds[0].Pairings[0]; next != "/matches/"+string(board.Match) || next == h.match || !board.Result.IsPending() {
		t.Errorf("the board is played again at %s: %+v", next, board)
	}
	h.first.get(h.match).wants("link", "The match played instead")
	record := h.first.get(h.match + "/record.json").body
	if !strings.Contains(record, `"arbiter":[{"act":"paused","after":0`) || !strings.Contains(record, `"who":"Olena","why":"the light is out"`) {
		t.Errorf("the record: %s", record)
	}
}

// An arbiter's form tells what it showed. Moves since do not matter; what another has ruled, and an end, do.
func TestARulingOnAnOlderStateIsRefused(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	h := newHall(t)
	boss := h.as(h.account("Boss", player.Operator), lang.English)
	shown := func() string { return strconv.FormatInt(h.state().Seq(), 10) }
	rule := func(by *browser, status int, turn string, pairs ...string) page {
		t.Helper()
		return by.post(h.match+"/rulings", append(pairs, "turn", turn)...).want(status)
	}
	clock := []string{"act", "clock", "clock-of", "second", "clock-left", "1:05:00", "clock-why", "a lost connection"}
	was := shown()
	rule(boss, http.StatusOK, was, "act", "clock", "clock-of", "second", "clock-left", "2:00", "clock-why", "as agreed")
	late := rule(h.host, http.StatusConflict, was, clock...).wants("status", "moved on")
	if !strings.Contains(late.body, `value="a lost connection"`) || !strings.Contains(late.body, `name="turn" value="`+shown()+`"`) {
		t.Error("the page does not show the state and what was filled in")
	}
	if _, left, _ := h.state().Clocks(h.clock.Now()); left != 2*time.Minute {
		t.Errorf("the clock shows %v", left)
	}
	h.program(h.player("Olena")).ask(http.MethodPost, "/"+strings.TrimPrefix(h.match, "/")+"/rulings",
		`{"seq":`+was+`,"act":"pause","why":"x"}`, http.StatusConflict, nil)
	was = shown()
	rule(h.host, http.StatusOK, was, clock...)
	rule(h.host, http.StatusOK, was, "act", "pause", "pause-why", "the light is out") // only their own act came between
	rule(h.host, http.StatusOK, shown(), "act", "resume", "resume-why", "light")
	was = shown()
	h.first.post(h.match+"/commands", "act", "resign").want(http.StatusOK)
	before := h.tournament(h.path).Rounds[0].Pairings[0].Result
	for _, act := range []string{"declare", "void", "replay", "pause"} {
		rule(h.host, http.StatusConflict, was, "act", act, "declare-result", "first", act+"-why", "his phone rang").wants("status", "moved on")
	}
	if r := h.tournament(h.path).Rounds[0].Pairings[0].Result; !reflect.DeepEqual(r, before) || r.Kind != tournament.SecondWins {
		t.Errorf("the result: %+v, was %+v", r, before)
	}
	rule(h.host, http.StatusOK, shown(), "act", "void", "void-why", "his phone rang")
	rule(h.host, http.StatusBadRequest, "x", "act", "void", "void-why", "again")
}

func TestTheBoardsDesk(t *testing.T) {
	storetest.ManyAtOnce(t)
	t.Parallel()
	h := newHall(t)
	h.first.get(h.path + "/boards").want(http.StatusForbidden)
	leave := h.live.See(match.ID(strings.TrimPrefix(h.match, "/matches/")), h.seats[0].ID)
	defer leave()
	h.host.get(h.path+"/boards").wants("status", "2 boards are open, 0 need a look") // they have just been opened
	h.clock.advance(50 * time.Second)
	if err := h.live.BeatPresence(t.Context()); err != nil {
		t.Fatal(err)
	}
	desk := h.host.get(h.path+"/boards").want(http.StatusOK).wants("heading", "Boards of round 1").wants("status", "2 boards are open, 2 need a look")
	desk.wants("link", string(h.seats[1].Handle)+" is disconnected").wantsNo("link", string(h.seats[0].Handle)+" is disconnected")
	events := h.host.follow(h.path + "/feed?part=boards")
	events()
	h.second.post(h.match+"/calls", "call-text", "help").want(http.StatusOK)
	if html := events(); !strings.Contains(html, string(h.seats[1].Handle)+" calls") || !strings.Contains(html, "stopped") {
		t.Errorf("the desk hears %q", html)
	}
	if _, err := h.live.Arbitrate(t.Context(), match.ID(strings.TrimPrefix(h.match, "/matches/")), liveDeclare()); err != nil {
		t.Fatal(err)
	}
	if html := events(); !strings.Contains(html, `class="is-over"`) {
		t.Errorf("the desk hears %q", html)
	}
}

func TestCallsAndRulingsByTheAPI(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	path := strings.TrimPrefix(h.match, "/")
	first, host := h.program(h.seats[0]), h.program(h.olena())
	var call struct{ ID, By, Seat string }
	first.ask(http.MethodPost, "/"+path+"/calls", `{"text":"look"}`, http.StatusCreated, &call)
	if call.By != string(h.seats[0].Handle) || call.Seat != "A" {
		t.Errorf("the call: %+v", call)
	}
	first.ask(http.MethodPost, "/"+path+"/rulings", `{"act":"resume","why":"x"}`, http.StatusForbidden, nil)
	var queue struct {
		Calls []struct {
			ID, Text string
			Stopped  bool
		}
	}
	host.ask(http.MethodGet, h.path+"/calls", "", http.StatusOK, &queue)
	if len(queue.Calls) != 1 || queue.Calls[0].ID != call.ID || !queue.Calls[0].Stopped {
		t.Errorf("the queue: %+v", queue)
	}
	first.ask(http.MethodGet, h.path+"/calls", "", http.StatusForbidden, nil)
	host.ask(http.MethodPost, "/calls/"+call.ID+"/take", "", http.StatusNoContent, nil)
	var ruled struct {
		Match string
		Seq   int64
	}
	host.ask(http.MethodPost, "/"+path+"/rulings", `{"id":"1","act":"resume","why":"it is right"}`, http.StatusOK, &ruled)
	again := ruled
	host.ask(http.MethodPost, "/"+path+"/rulings", `{"id":"1","act":"resume","why":"it is right"}`, http.StatusOK, &again)
	if again != ruled || ruled.Seq != 4 {
		t.Errorf("ruled %+v, sent again %+v", ruled, again)
	}
	host.ask(http.MethodPost, "/"+path+"/rulings", `{"act":"dance","why":"x"}`, http.StatusUnprocessableEntity, nil)
	host.ask(http.MethodPost, "/"+path+"/rulings", `{"act":"clock","of":"A","left":1,"why":"x"}`, http.StatusUnprocessableEntity, nil)
	host.ask(http.MethodPost, "/calls/"+call.ID+"/resolve", `{"text":"fine"}`, http.StatusNoContent, nil)
	var talk struct{ Messages []struct{ By, Text string } }
	first.ask(http.MethodGet, "/"+path+"/messages", "", http.StatusOK, &talk)
	if len(talk.Messages) != 1 || talk.Messages[0].Text != "fine" {
		t.Errorf("the talk: %+v", talk)
	}
	h.program(h.players[otherThan(h, "anna", "borys", "clara", "danylo")]).ask(http.MethodGet, "/"+path+"/messages", "", http.StatusForbidden, nil)
}

func liveDeclare() live.Request {
	return live.Request{Command: match.Declare{Warrant: match.Warrant{By: "1", Why: "gone"}, Outcome: match.Draw}}
}

func (h *hall) olena() (p player.Player) {
	h.t.Helper()
	h.write(func(tx *store.Tx) (err error) {
		p, err = tx.PlayerByHandle("Olena")
		return err
	})
	return p
}

func TestTwoMeetAfterBiddingByCorrespondence(t *testing.T) {
	t.Parallel()
	o := short(1)
	o.BidTime, o.Meet = time.Hour, 48*time.Hour
	c := newContest(t, o)
	c.first.post(c.url()+"/commands", "target", "white", "chips", "1").want(http.StatusOK)
	c.clock.advance(50 * time.Minute) // far more than the bidding clock of a live match
	c.second.post(c.url()+"/commands", "target", "time", "chips", "1", "minutes", "5", "increment", "0").want(http.StatusOK)
	page := c.first.get(c.url()).wants("heading", "Meet for the board phase").wants("button", "I’m here").wants("button", "Propose this time")
	page.wantsNo("button", "Agree to")
	c.first.post(c.url()+"/commands", "meet", "tomorrow").want(http.StatusUnprocessableEntity)
	c.first.post(c.url()+"/commands", "meet", "2026-11-22T20:00").want(http.StatusOK) // in Kyiv
	if _, named := c.state().Appointment(); !named[0].Equal(time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)) {
		t.Errorf("named %v", named)
	}
	c.second.get(c.url()).wants("button", "Agree to tomorrow 20:00")
	c.program(c.taras).ask(http.MethodPost, c.url()+"/commands", `{"meet":"2026-11-22T18:00:00Z"}`, http.StatusOK, nil)
	if body := c.first.get(c.url()).body; !strings.Contains(body, "You meet tomorrow 20:00.") {
		t.Error("the appointment is not on the page")
	}
	c.first.post(c.url()+"/commands", "ready", "true").want(http.StatusOK)
	c.second.post(c.url()+"/commands", "ready", "true").want(http.StatusOK)
	if s := c.state(); s.Status() != match.Playing {
		t.Errorf("the board phase has not begun: %v", s.Status())
	}
}
