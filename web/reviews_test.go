package web_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// place is where the play of the tournament is reviewed.
func (g *guarded) place() fairplay.Place { return fairplay.Place(strings.TrimPrefix(g.path, "/")) }

// dossier is the page of a seat for arbiters; "me" is that of the viewer.
func (g *guarded) dossier(seat int) string {
	return g.path + "/fair-play/of/" + string(g.seats[seat].Handle)
}

// entryOf is the number of a seat's entry.
func (g *guarded) entryOf(seat int) string {
	e, _ := g.tournament(g.path).EntryOf(g.seats[seat].ID)
	return fmtInt(int(e.ID))
}

func fmtInt(n int) string { raw, _ := json.Marshal(n); return string(raw) }

// judge is an arbiter over the site's store, as a job of the server has it.
func (g *guarded) judge() *arbiter.Arbiter {
	return arbiter.New(g.store, g.live, arbiter.Config{Now: g.clock.Now}, nil)
}

func (g *guarded) sweep() {
	g.t.Helper()
	if err := g.judge().Sweep(g.t.Context()); err != nil {
		g.t.Fatal(err)
	}
}

// second makes somebody an arbiter of the tournament.
func (g *guarded) second(handle player.Handle) *browser {
	g.t.Helper()
	p := g.player(handle)
	ctx, judge, host := g.t.Context(), g.judge(), player.Viewer{Player: g.player("Boss")}
	if err := judge.Events.Appoint(ctx, host, tournament.ID(strings.TrimPrefix(g.path, "/tournaments/")), string(handle), tournament.Arbiter); err != nil {
		g.t.Fatal(err)
	}
	if err := judge.Events.AcceptDuty(ctx, player.Viewer{Player: p}, tournament.ID(strings.TrimPrefix(g.path, "/tournaments/"))); err != nil {
		g.t.Fatal(err)
	}
	return g.as(p, lang.English)
}

func (g *guarded) review() (r store.Review) {
	g.write(func(tx *store.Tx) error {
		list, err := tx.ReviewsIn(g.place())
		if len(list) > 0 {
			r = list[0]
		}
		return err
	})
	return r
}

// Acceptance 18: a fact opens a review that nobody but the player and arbiters
// sees anywhere; one arbiter alone annuls nothing.
func TestAConcernIsForThePlayerAndTheArbitersAndTwoDecide(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	white := g.program(g.seats[0])
	white.ask("POST", "/matches/"+string(g.id)+"/commands", `{"act":"b1c3"}`, http.StatusForbidden, nil)
	g.act(0, "act", "b1c3")
	g.act(1, "act", "resign")
	watchers := map[string]*browser{"a visitor": g.browser(lang.English), "another player": g.as(g.players["clara"], lang.English), "the opponent": g.browsers[1]}
	before := map[string]string{}
	doors, _ := g.doors()
	doors = slices.DeleteFunc(doors, func(door string) bool {
		return !strings.Contains(door, string(g.id)) && !strings.Contains(door, g.path)
	})
	doors = append(doors, "/", "/players/"+string(g.seats[0].Handle))
	for who, b := range watchers {
		for _, door := range doors {
			if who != "the opponent" || !strings.Contains(door, "zip") {
				before[who+door] = b.get(door).unkeyed()
			}
		}
	}
	g.sweep()
	r := g.review()
	if r.Player != g.seats[0].ID || r.Status != review.StatusOpen {
		t.Fatalf("no review: %+v", r)
	}
	at := g.dossier(0)
	g.host.get(at).want(http.StatusOK).says("Server facts").says("from 0 to +2.0").saysNot("cheat").says("move by token")
	for who, b := range watchers {
		for _, door := range []string{at, g.path + "/fair-play", g.path + "/steward"} {
			if got := b.get(door); got.status == http.StatusOK && !strings.HasPrefix(got.path, "/sign-in") {
				t.Errorf("%s sees %s", who, door)
			}
		}
	}
	deal := func(b *browser, status int, pairs ...string) page {
		return b.post(at, append([]string{"review", r.ID, "steps", strconv.Itoa(len(g.review().Steps))}, pairs...)...).want(status)
	}
	deal(g.host, http.StatusConflict, "do", "propose", "decision", "annul", "ground", "server-fact", "text", "a token moved")
	deal(g.host, http.StatusOK, "do", "tell", "text", "A token tried to move. Why?")
	own := g.path + "/fair-play/of/me"
	g.browsers[0].get(own).want(http.StatusOK).says("A token tried to move. Why?")
	g.browsers[0].post(own, "review", r.ID, "do", "answer", "text", "It was my board at home.").want(http.StatusOK)
	deal(g.host, http.StatusUnprocessableEntity, "do", "propose", "decision", "annul", "ground", "", "text", "a token moved").says("a token moved")
	deal(g.host, http.StatusOK, "do", "propose", "decision", "annul", "ground", "server-fact", "text", "a token moved")
	deal(g.host, http.StatusConflict, "do", "confirm").says("second arbiter").wantsNo("button", "Confirm the proposal")
	g.host.get(g.path+"/entries/"+g.entryOf(0)+"/expel").want(http.StatusOK).says("A review of this player is open").wantsNo("button", "Disqualify")
	g.host.post(g.path+"/entries/"+g.entryOf(0)+"/expel", "reason", "an engine", "lose", "yes").want(http.StatusConflict).says("A review of this player is open")
	desk := g.program(g.player("Olena"))
	desk.ask("POST", g.path+"/expulsions", `{"entry":`+g.entryOf(0)+`,"reason":"an engine","conduct":true}`, http.StatusConflict, nil)
	desk.ask("POST", g.path+"/expulsions", `{"entry":`+g.entryOf(1)+`,"reason":"an engine"}`, http.StatusUnprocessableEntity, nil)
	if e, _ := g.tournament(g.path).EntryOf(g.seats[0].ID); e.Expelled {
		t.Fatal("one alone has annulled")
	}
	for who, b := range watchers {
		for _, door := range doors {
			if was, looked := before[who+door]; looked && b.get(door).unkeyed() != was {
				t.Errorf("%s sees something at %s:\n%s", who, door, difference(was, b.get(door).unkeyed()))
			}
		}
	}
	clara := g.second("clara")
	// What she confirms is what she has read: a milder proposal has taken the place of that one meanwhile.
	read := strconv.Itoa(len(g.review().Steps))
	if p := clara.get(at).wants("button", "Confirm the proposal"); !p.holds("steps", read) {
		t.Error("the forms of a review do not carry what it shows")
	}
	deal(g.host, http.StatusOK, "do", "reject", "text", "too hard")
	deal(g.host, http.StatusOK, "do", "propose", "decision", "exclude", "days", "90", "ground", "server-fact", "text", "a token moved")
	late := clara.post(at, "review", r.ID, "steps", read, "do", "confirm").want(http.StatusConflict).
		says("Olena was first").says("proposed").wants("link", "Keep theirs").wants("button", "Do mine all the same")
	clara.post(at, "review", r.ID, "do", "confirm").want(http.StatusConflict).says("Olena was first")
	if now := g.review(); now.Decided != nil || !late.holds("steps", strconv.Itoa(len(now.Steps))) {
		t.Errorf("confirmed unseen: %+v", now.Decided)
	}
	deal(g.host, http.StatusOK, "do", "reject", "text", "not that")
	deal(g.host, http.StatusOK, "do", "propose", "decision", "annul", "ground", "server-fact", "text", "a token moved")
	deal(clara, http.StatusOK, "do", "confirm")
	if e, _ := g.tournament(g.path).EntryOf(g.seats[0].ID); !e.Expelled {
		t.Error("two have not annulled")
	}
	if done := g.review(); !done.Stands(review.DecideAnnul) || done.Second != g.players["clara"].ID {
		t.Errorf("%+v", done.Decided)
	}
	// Acceptance 19: everything is in the player's own files.
	file := g.browsers[0].get("/api/v1/dossier?place=" + string(g.place())).want(http.StatusOK).body
	for _, part := range []string{`"token"`, "It was my board at home.", "chpok-review/1"} {
		if !strings.Contains(file, part) {
			t.Errorf("review.json does not have %s", part)
		}
	}
	g.browsers[0].post(own, "review", r.ID, "do", "appeal", "text", "I was not heard.").want(http.StatusOK)
}

// Acceptance 13.
func TestAPageThatIsBlockedLowersWhatTheMatchAchieves(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	url := g.url() + "/telemetry"
	told := g.browsers[0].json(url, `{"rows":[{"kind":"hello"},{"kind":"focus","number":12},{"kind":"focus","number":3}]}`)
	if !strings.Contains(told, "the page was left 2×") || !strings.Contains(told, "You and the arbiter see this") {
		t.Errorf("answer: %s", told)
	}
	g.browsers[0].get(g.url()).want(http.StatusOK).says("the page was left 2×")
	g.browsers[1].get(g.url()).want(http.StatusOK).saysNot("the page was left")
	for _, bad := range []string{`{"rows":[{"kind":"camera"}]}`, `{"rows":[{"kind":"focus","number":-1}]}`, `no`} {
		if got := g.browsers[0].json(url, bad); strings.Contains(got, "text") && !strings.Contains(got, "error") {
			t.Errorf("%s is taken: %s", bad, got)
		}
	}
	g.play(opening[:2]...)
	g.act(0, "act", "resign")
	g.write(func(tx *store.Tx) error {
		facts, err := tx.Facts(g.id)
		silent := map[match.Seat]bool{}
		for _, f := range facts {
			if f.Kind == fairplay.NoTelemetry {
				silent[f.Seat] = true
			}
		}
		if silent[match.First] || !silent[match.Second] {
			t.Errorf("silent: %v", silent)
		}
		rows, err2 := tx.Telemetry(g.id, match.First)
		if review.CheckChain(rows) != -1 || len(rows) != 3 || err2 != nil {
			t.Errorf("%+v, %v", rows, err2)
		}
		return err
	})
	g.browsers[1].get(g.url()).want(http.StatusOK).says("page reported nothing")
}

func TestAStewardOpensTheBoardAndSigns(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Supervised)
	refused := g.browsers[0].post(g.url()+"/commands", "id", "aaaaaaaaaaaaaaaaaaaaaaaa", "target", "white", "chips", "1")
	refused.want(http.StatusForbidden).says("steward must open the board")
	steward := g.as(g.players["clara"], lang.English)
	page := g.path + "/steward"
	steward.get(page).want(http.StatusForbidden)
	for _, seat := range []int{0, 1} {
		g.host.post(page, "do", "name", "entry", g.entryOf(seat), "handle", "anna").want(http.StatusUnprocessableEntity).says("can’t be its stewards")
		g.host.post(page, "do", "name", "entry", g.entryOf(seat), "handle", "clara").want(http.StatusOK)
	}
	for _, seat := range []string{"1", "2"} {
		steward.post(page, "do", "open", "match", string(g.id), "seat", seat).want(http.StatusConflict)
		steward.post(page, "do", "accept", "match", string(g.id), "seat", seat).want(http.StatusOK)
		steward.post(page, "do", "open", "match", string(g.id), "seat", seat).want(http.StatusOK)
	}
	g.toBoard()
	steward.post(page, "do", "check", "match", string(g.id), "seat", "1", "note", "hands on the table").want(http.StatusOK).says("hands on the table")
	steward.post(page, "do", "absent", "match", string(g.id), "seat", "1").want(http.StatusOK)
	g.act(0, "act", "b1c3")
	g.host.get(g.dossier(0)).want(http.StatusOK).says("while the steward said")
	g.act(1, "act", "resign")
	if h := g.head(); h.Achieved != 0 {
		t.Error("it is judged before the steward signs")
	}
	steward.post(page, "do", "sign", "match", string(g.id), "seat", "1", "verdict", "steward-partly").want(http.StatusOK)
	steward.post(page, "do", "sign", "match", string(g.id), "seat", "2", "verdict", "steward-signed").want(http.StatusOK)
	if h := g.head(); h.Achieved == 0 {
		t.Error("it is not judged though the steward has signed")
	}
}

// json posts a text as the page's script does.
func (b *browser) json(path, body string) string {
	b.site.t.Helper()
	req, err := http.NewRequestWithContext(b.site.t.Context(), http.MethodPost, b.site.http.URL+path, strings.NewReader(body))
	if err != nil {
		b.site.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Origin", b.site.http.URL)
	return b.do(req).body
}

func (g *guarded) head() (h store.Head) {
	g.write(func(tx *store.Tx) (err error) {
		h, err = tx.Match(g.id)
		return err
	})
	return h
}

func TestThreeReportsOpenAReview(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	g.toBoard()
	report := g.url() + "/report"
	g.browsers[1].get(report).want(http.StatusUnprocessableEntity)
	g.act(0, "act", "resign")
	g.browsers[1].get(report).want(http.StatusOK)
	for i, h := range []string{"borys", "clara", "Boss"} {
		b := g.as(g.player(player.Handle(h)), lang.English)
		if h == "borys" {
			b = g.browsers[1]
		}
		seat := "1"
		b.post(report, "seat", seat, "text", "so fast").want(http.StatusOK)
		b.post(report, "seat", seat, "text", "so fast").want(http.StatusConflict)
		g.sweep()
		if opened := g.review().ID != ""; opened != (i == 2) {
			t.Errorf("after %d reports a review is there: %v", i+1, opened)
		}
	}
	g.browsers[0].post(report, "seat", "1", "text", "myself").want(http.StatusUnprocessableEntity)
	boss := g.player("Boss").ID
	for _, of := range []player.ID{g.players["clara"].ID, g.seats[1].ID} {
		g.write(func(tx *store.Tx) error {
			return tx.AddReport(store.Report{Match: g.id, By: boss, Of: of, At: g.clock.Now(), Text: "x"})
		})
	}
	fourth := g.as(g.player("Boss"), lang.English).post(report, "seat", "2", "text", "once more").want(http.StatusTooManyRequests)
	fourth.says("the next one from").says("once more")
	if wait, err := strconv.Atoi(fourth.header.Get("Retry-After")); err != nil || wait < 24*60*60 {
		t.Errorf("come back after %q seconds: %v", fourth.header.Get("Retry-After"), err)
	}
	g.clock.advance(time.Hour)
	g.browsers[0].get(g.path + "/fair-play/of/me").want(http.StatusOK).saysNot("so fast")
}

// openReview lets the host open a review of a seat's player and tell them.
func (g *guarded) openReview(seat int) (at string) {
	g.t.Helper()
	at = g.dossier(seat)
	g.host.post(at, "do", "open").want(http.StatusOK)
	g.host.post(at, "review", g.review().ID, "do", "tell", "text", "We want to talk.").want(http.StatusOK)
	return at
}

// heard is openReview with the player's answer.
func (g *guarded) heard(seat int) (at string) {
	g.t.Helper()
	at = g.openReview(seat)
	g.browsers[seat].post(g.path+"/fair-play/of/me", "review", g.review().ID, "do", "answer", "text", "I did it.").want(http.StatusOK)
	return at
}

// TestADecisionPutsTheNextRoundsUnderAStewardForThatPlayerAlone.
func TestADecisionPutsTheNextRoundsUnderAStewardForThatPlayerAlone(t *testing.T) {
	t.Parallel()
	g := newGuardedEvent(t, fairplay.Verified, []string{"anna", "borys", "clara", "danylo"}, "rounds", "2", "pace", "manual")
	steward := g.as(g.account("eva", player.Plain), lang.English)
	watched := g.seats[0]
	g.host.post(g.heard(0), "review", g.review().ID, "steps", strconv.Itoa(len(g.review().Steps)), "do", "propose", "decision", "supervise", "text", "to be sure").want(http.StatusOK)
	if h := g.head(); h.Level != fairplay.Verified {
		t.Errorf("the running match has changed to %s", h.Level)
	}
	g.firstWins(g.path)
	desk := g.path + "/steward"
	g.host.get(desk).want(http.StatusOK).says("A decision requires a steward")
	g.host.post(g.path + "/rounds").want(http.StatusOK)
	var own match.ID
	for board := 1; board <= 2; board++ {
		g.sitDown(board)
		want := fairplay.Verified
		if g.seats[0].ID == watched.ID || g.seats[1].ID == watched.ID {
			want, own = fairplay.Supervised, g.id
		}
		if h := g.head(); h.Level != want {
			t.Errorf("board %d is at %s, want %s", board, h.Level, want)
		}
	}
	if g.id != own {
		g.sitDown(1)
	}
	seat := 0
	if g.seats[1].ID == watched.ID {
		seat = 1
		g.act(0, "target", "white", "chips", "1") // the opponent needs nobody
	}
	g.browsers[seat].post(g.url()+"/commands", "id", "aaaaaaaaaaaaaaaaaaaaaaaa", "target", "white", "chips", "1").want(http.StatusForbidden).says("steward must open the board")
	g.host.get(g.path).want(http.StatusOK).says("a steward must open the board")
	g.browser(lang.English).get(g.path).want(http.StatusOK).saysNot("decision requires").saysNot("review")
	g.host.post(desk, "do", "name", "entry", g.entryOf(seat), "handle", "eva").want(http.StatusOK)
	for _, do := range []string{"accept", "open"} {
		steward.post(desk, "do", do, "match", string(g.id), "seat", fmtInt(seat+1)).want(http.StatusOK)
	}
	if seat == 0 {
		g.act(0, "target", "white", "chips", "1")
		g.act(1, "target", "time", "chips", "1", "minutes", "5", "increment", "3")
	} else {
		g.act(1, "target", "time", "chips", "1", "minutes", "5", "increment", "3")
	}
	g.act(seat, "act", "resign")
	if h := g.head(); h.Achieved != 0 {
		t.Error("it is judged before the steward signs")
	}
	steward.post(desk, "do", "sign", "match", string(g.id), "seat", fmtInt(seat+1), "verdict", "steward-signed").want(http.StatusOK)
	if h := g.head(); h.Achieved == 0 {
		t.Error("it is not judged though the steward has signed")
	}
}

// TestWhoIsExcludedReadsUntilWhenAndNobodyElseDoes, on pages and in the API.
func TestWhoIsExcludedReadsUntilWhenAndNobodyElseDoes(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	next := g.create("format", "swiss", "rounds", "1", "chips", "1", "policy", "verified")
	of := g.seats[0]
	r := review.New("r", of.ID, g.place(), review.OpenedByArbiter, g.player("Olena").ID, g.clock.Now())
	r.Status, r.DecidedAt, r.Excluded = review.StatusDecided, g.clock.Now(), g.clock.Now().Add(30*24*time.Hour)
	r.Decided = &review.Proposal{Decision: review.DecideExclude, Days: 30, Why: "x", By: g.player("Olena").ID}
	g.write(func(tx *store.Tx) error { return tx.AddReview(*r) })
	when := lang.Printer{Lang: lang.English, Now: g.clock.Now}.Day(r.Excluded)
	g.browsers[0].get(next).want(http.StatusOK).says(when)
	g.browsers[0].post(next + "/register").want(http.StatusUnprocessableEntity).says(when)
	g.browsers[0].get(g.path + "/fair-play/of/me").want(http.StatusOK).says(when)
	for who, page := range map[string]page{
		"the arbiter": g.host.post(next+"/entries", "handle", string(of.Handle)), "the arbiter who waives": g.host.post(next+"/fair-play/admit", "handle", string(of.Handle), "reason", "please"),
		"another": g.browsers[1].get(next), "a visitor": g.browser(lang.English).get(next),
	} {
		if strings.Contains(page.body, when) {
			t.Errorf("%s reads until when: %s", who, page.body)
		}
	}
	var answer struct {
		Code, Detail string
	}
	ask := func(p player.Player) string {
		g.program(p).ask("POST", next+"/entries", `{"player":"`+string(of.Handle)+`"}`, http.StatusForbidden, &answer)
		return answer.Detail
	}
	stamp := r.Excluded.Format(time.RFC3339)
	if got := ask(of); !strings.Contains(got, stamp) {
		t.Errorf("the API tells him %q", got)
	}
	if got := ask(g.player("Olena")); strings.Contains(got, stamp) {
		t.Errorf("the API tells the arbiter %q", got)
	}
}

// TestTheTableSaysThatItIsProvisionalAndNobodyLearnsOfAReviewByIt.
func TestTheTableSaysThatItIsProvisionalAndNobodyLearnsOfAReviewByIt(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	table, finish := g.path+"/standings", g.path+"/life/finalize"
	visitor := g.browser(lang.English)
	visitor.get(table).want(http.StatusOK).says("72 hours after the last match")
	g.toBoard()
	g.act(1, "act", "resign")
	day := lang.Printer{Lang: lang.English, Now: g.clock.Now}.Day(g.clock.Now().Add(72 * time.Hour))
	visitor.get(table).want(http.StatusOK).says("provisional until they are signed off, not before Tue " + day)
	g.host.post(finish, "reason", "done").want(http.StatusConflict).says("You can sign them off from Tue " + day)
	g.clock.advance(72 * time.Hour)
	before := visitor.get(table).want(http.StatusOK).body
	g.openReview(0)
	g.host.post(finish, "reason", "done").want(http.StatusConflict).says("Reviews that can still change results: 1")
	g.program(g.player("Olena")).ask("POST", g.path+"/steps", `{"step":"finalize"}`, http.StatusConflict, nil)
	if got := visitor.get(table).want(http.StatusOK).body; got != before {
		t.Errorf("the table tells of the review:\n%s", difference(before, got))
	}
	g.host.post(g.dossier(0), "review", g.review().ID, "steps", strconv.Itoa(len(g.review().Steps)), "do", "propose", "decision", "nothing", "text", "all is well").want(http.StatusOK)
	g.host.post(finish, "reason", "done").want(http.StatusOK)
	visitor.get(table).want(http.StatusOK).saysNot("provisional")
}

// Acceptance 19: a player's export has every signal and number that is stored about
// them, in tables and in one file for each event; 31 days after the event what pages
// told is gone, but for whom a review needs it.
func TestAnExportHasAllThatIsRecordedAndAMonthLaterWhatPagesToldIsGone(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	for seat, rows := range []string{`[{"kind":"hello"},{"kind":"focus","number":4711}]`, `[{"kind":"hello"},{"kind":"focus","number":815}]`} {
		g.browsers[seat].json(g.url()+"/telemetry", `{"rows":`+rows+`}`)
	}
	g.program(g.seats[0]).ask("POST", "/matches/"+string(g.id)+"/commands", `{"act":"b1c3"}`, http.StatusForbidden, nil)
	g.act(0, "act", "b1c3")
	g.act(1, "act", "resign")
	export := func(seat int) map[string]string {
		return g.browsers[seat].exported()
	}
	own := "fair-play/" + string(g.place()) + "/review.json"
	stored := func(seat int) (words []string, told int) {
		g.write(func(tx *store.Tx) error {
			signals, err := tx.SignalsIn([]match.ID{g.id})
			for _, s := range signals {
				if s.Player == g.seats[seat].ID {
					words = append(words, `"`+string(s.Kind)+`"`)
				}
			}
			rows, err2 := tx.Telemetry(g.id, match.Seat(seat+1))
			for _, r := range rows {
				words = append(words, r.Hash)
			}
			told = len(rows)
			return errors.Join(err, err2)
		})
		return words, told
	}
	for seat := range 2 {
		words, told := stored(seat)
		if told != 2 {
			t.Fatalf("seat %d: %d rows", seat, told)
		}
		files := export(seat)
		for _, word := range words {
			if !strings.Contains(files[own], word) || !strings.Contains(files["telemetry.json"]+files["fair_play_signals.json"], word) {
				t.Errorf("seat %d: the export lacks %s", seat, word)
			}
		}
	}
	if files := export(1); strings.Contains(files[own], "4711") || strings.Contains(files[own], `"token"`) {
		t.Errorf("the opponent's export has what is another's: %s", files[own])
	}
	g.sweep() // opens a review for the token
	if files := export(0); !strings.Contains(files["reviews.json"], g.review().ID) || strings.Contains(files[own], g.review().ID) {
		t.Error("that there is a review is his to know; what arbiters note stands there when they have told him")
	}
	g.host.post(g.dossier(0), "review", g.review().ID, "steps", strconv.Itoa(len(g.review().Steps)), "do", "tell", "text", "Why?").want(http.StatusOK)
	if files := export(0); !strings.Contains(files["reviews.json"], g.review().ID) || !strings.Contains(files[own], "Why?") {
		t.Error("the export lacks the review")
	}
	g.clock.advance(31 * 24 * time.Hour)
	if err := g.judge().Persons.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, told := stored(0); told != 2 {
		t.Errorf("a review runs, and %d rows of what the page told are left", told)
	}
	if words, told := stored(1); told != 0 {
		t.Errorf("after 31 days %d rows are left: %v", told, words)
	}
}
