package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

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
	if err := judge.Appoint(ctx, host, tournament.ID(strings.TrimPrefix(g.path, "/tournaments/")), string(handle), tournament.Arbiter); err != nil {
		g.t.Fatal(err)
	}
	if err := judge.AcceptDuty(ctx, player.Viewer{Player: p}, tournament.ID(strings.TrimPrefix(g.path, "/tournaments/"))); err != nil {
		g.t.Fatal(err)
	}
	return g.as(p, lang.English)
}

func (g *guarded) review() (r store.Review) {
	g.write(func(tx *store.Tx) error {
		list, err := tx.ReviewsIn(tournament.ID(strings.TrimPrefix(g.path, "/tournaments/")))
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
	doors := append(g.doors(), g.path+"/log", g.path+"/standings", "/matches/"+string(g.id))
	for who, b := range watchers {
		for _, door := range doors {
			if who != "the opponent" || !strings.Contains(door, "zip") {
				before[who+door] = b.get(door).body
			}
		}
	}
	g.sweep()
	r := g.review()
	if r.Player != g.seats[0].ID || r.Status != fairplay.ReviewOpen {
		t.Fatalf("no review: %+v", r)
	}
	at := g.path + "/fair-play/" + g.entryOf(0)
	g.host.get(at).want(http.StatusOK).says("Facts of the server").says("from 0 to +2.0").saysNot("cheat").says("move by token")
	for who, b := range watchers {
		for _, door := range []string{at, g.path + "/fair-play", g.path + "/steward"} {
			if got := b.get(door); got.status == http.StatusOK && !strings.HasPrefix(got.path, "/sign-in") {
				t.Errorf("%s sees %s", who, door)
			}
		}
	}
	deal := func(b *browser, status int, pairs ...string) page {
		return b.post(at, append([]string{"review", r.ID}, pairs...)...).want(status)
	}
	deal(g.host, http.StatusConflict, "do", "propose", "decision", "annul", "ground", "server-fact", "text", "a token moved")
	deal(g.host, http.StatusOK, "do", "tell", "text", "A token tried to move. Why?")
	own := g.path + "/fair-play/me"
	g.browsers[0].get(own).want(http.StatusOK).says("A token tried to move. Why?")
	g.browsers[0].post(own, "review", r.ID, "do", "answer", "text", "It was my board at home.").want(http.StatusOK)
	deal(g.host, http.StatusUnprocessableEntity, "do", "propose", "decision", "annul", "ground", "", "text", "a token moved").says("a token moved")
	deal(g.host, http.StatusOK, "do", "propose", "decision", "annul", "ground", "server-fact", "text", "a token moved")
	deal(g.host, http.StatusConflict, "do", "confirm").says("second arbiter")
	if e, _ := g.tournament(g.path).EntryOf(g.seats[0].ID); e.Expelled {
		t.Fatal("one alone has annulled")
	}
	for who, b := range watchers {
		for _, door := range doors {
			if was, looked := before[who+door]; looked && b.get(door).body != was {
				t.Errorf("%s sees something at %s:\n%s", who, door, difference(was, b.get(door).body))
			}
		}
	}
	clara := g.second("clara")
	deal(clara, http.StatusOK, "do", "confirm")
	if e, _ := g.tournament(g.path).EntryOf(g.seats[0].ID); !e.Expelled {
		t.Error("two have not annulled")
	}
	if done := g.review(); !done.Stands(fairplay.DecideAnnul) || done.Second != g.players["clara"].ID {
		t.Errorf("%+v", done.Decided)
	}
	// Acceptance 19: everything is in the player's own files.
	file := g.browsers[0].get(own + "/review.json").want(http.StatusOK).body
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
	if !strings.Contains(told, "focus left 2×") || !strings.Contains(told, "You and the arbiter see this") {
		t.Errorf("answer: %s", told)
	}
	g.browsers[0].get(g.url()).want(http.StatusOK).says("focus left 2×")
	g.browsers[1].get(g.url()).want(http.StatusOK).saysNot("focus left")
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
		rows, err2 := tx.Told(g.id, match.First)
		if fairplay.CheckChain(rows) != -1 || len(rows) != 3 || err2 != nil {
			t.Errorf("%+v, %v", rows, err2)
		}
		return err
	})
	g.browsers[1].get(g.url()).want(http.StatusOK).says("told nothing of itself")
}

func TestAStewardOpensTheBoardAndSigns(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Supervised)
	refused := g.browsers[0].post(g.url()+"/commands", "id", "aaaaaaaaaaaaaaaaaaaaaaaa", "target", "white", "chips", "1")
	refused.want(http.StatusForbidden).says("steward opens the board")
	steward := g.as(g.players["clara"], lang.English)
	page := g.path + "/steward"
	steward.get(page).want(http.StatusForbidden)
	for _, seat := range []int{0, 1} {
		g.host.post(page, "do", "name", "entry", g.entryOf(seat), "handle", "anna").want(http.StatusUnprocessableEntity).says("cannot watch")
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
	g.host.get(g.path + "/fair-play/" + g.entryOf(0)).want(http.StatusOK).says("while the steward said")
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
	g.clock.advance(time.Hour)
	g.browsers[0].get(g.path + "/fair-play/me").want(http.StatusOK).saysNot("so fast")
}
