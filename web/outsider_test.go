package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// Acceptance tests of an outsider that need a clock to move; docs/inside.md,
// "How fair play is tested", says where the others are.

// Acceptance 1: a player's own bot tries where they play.
func TestABotOfAPlayerDoesNotMoveInHisVerifiedMatch(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.browsers[0].post("/settings/bots", "handle", "mybot").want(http.StatusOK)
	clara := g.as(g.players["clara"], lang.English)
	clara.post("/settings/bots", "handle", "herbot").want(http.StatusOK)
	g.toBoard()
	at := "/matches/" + string(g.id) + "/commands"
	var answer struct {
		Code, Detail string
	}
	g.program(g.player("herbot")).ask("POST", at, `{"act":"b1c3"}`, http.StatusForbidden, &answer)
	if answer.Code != "not-playing" {
		t.Errorf("somebody else's bot: %+v", answer)
	}
	g.host.get(g.path + "/fair-play").want(http.StatusOK).saysNot("Move by token")
	g.program(g.player("mybot")).ask("POST", at, `{"act":"b1c3"}`, http.StatusForbidden, &answer)
	if answer.Code != "assurance" || !strings.Contains(answer.Detail, "level verified") {
		t.Errorf("his own bot: %+v", answer)
	}
	g.host.get(g.path + "/fair-play").want(http.StatusOK).says("Move by token")
	g.browsers[0].get("/fair-play/me").want(http.StatusOK).says("Move by token")
	g.browsers[1].get("/fair-play/me").want(http.StatusOK).saysNot("Move by token")
	if s := g.state(); s.Game().PlyCount() != 0 {
		t.Error("a bot has moved")
	}
}

// Acceptance 9, on the page: what is refused comes with what would do.
func TestARefusedBidIsToldTheNearestThatWouldDo(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.act(0, "target", "white", "chips", "1")
	bid := []string{"target", "time", "chips", "1", "minutes", "60", "increment", "5"}
	g.browsers[1].post(g.url()+"/commands", bid...).want(http.StatusUnprocessableEntity).says("Closest allowed: 10.")
	g.as(g.seats[1], lang.Ukrainian).post(g.url()+"/commands", bid...).want(http.StatusUnprocessableEntity).says("Найближче з дозволеного: 10.")
}

// Acceptance 13: that alone makes it Declared.
func TestASilentPageAloneMakesAMatchDeclared(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	g.begin()
	g.browsers[0].get(g.url()).want(http.StatusOK).says("This page hasn’t reported anything yet").says("play on: the match then achieves Declared at most")
	g.browsers[1].json(g.url()+"/telemetry", `{"rows":[{"kind":"hello"}]}`)
	g.browsers[1].get(g.url()).want(http.StatusOK).saysNot("hasn’t reported anything yet")
	g.pages[0].act("target", "white", "chips", "1").want(http.StatusOK)
	g.pages[1].act("target", "time", "chips", "1", "minutes", "5", "increment", "3").want(http.StatusOK)
	for i, ply := range opening[:4] {
		g.pages[i%2].act("act", ply).want(http.StatusOK)
	}
	g.pages[1].act("act", "resign").want(http.StatusOK)
	var found fairplay.Achievement
	g.write(func(tx *store.Tx) error {
		p, err := tx.MatchPolicy(g.id)
		found = p.Statement.Statement.Achieved
		return err
	})
	if found.Level != fairplay.Declared || len(found.Reasons) != 1 || found.Reasons[0].Key != string(fairplay.NoTelemetry) || found.Seats != [2]fairplay.Assurance{fairplay.Declared, fairplay.Verified} {
		t.Errorf("achieved %+v", found)
	}
	g.host.get(g.dossier(0)).want(http.StatusOK).saysNot("+0.") // no weight comes of it
}

// exported are the files of the export of one's data.
func (b *browser) exported() map[string]string {
	b.site.t.Helper()
	file := b.get("/settings/data/export.zip").want(http.StatusOK)
	z, err := zip.NewReader(bytes.NewReader([]byte(file.body)), int64(len(file.body)))
	if err != nil {
		b.site.t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		if f.Modified.Year() != b.site.clock.Now().Year() {
			b.site.t.Errorf("%s is of %v", f.Name, f.Modified)
		}
		r, err := f.Open()
		if err != nil {
			b.site.t.Fatal(err)
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(r); err != nil {
			b.site.t.Fatal(err)
		}
		files[f.Name] = body.String()
	}
	return files
}

// Acceptance 19: the player has every signal and number; what pages told is gone 31
// days after the match, except where a review needs it, and that reads the same.
func TestAPlayerExportsEverySignalAndOldTelemetryIsGone(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	g.toBoard()
	for seat, rows := range []string{`{"kind":"hello"},{"kind":"focus","number":12},{"kind":"paste"}`, `{"kind":"hello"},{"kind":"focus","number":7}`} {
		g.browsers[seat].json(g.url()+"/telemetry", `{"rows":[`+rows+`]}`)
	}
	g.program(g.seats[0]).ask("POST", "/matches/"+string(g.id)+"/commands", `{"act":"b1c3"}`, http.StatusForbidden, nil)
	g.play(opening[:2]...)
	g.act(0, "act", "resign")
	g.browsers[1].post(g.url()+"/report", "seat", "1", "text", "so fast").want(http.StatusOK)
	g.sweep() // opens the review of a fact of the server
	told := func(seat int) (numbers []int) {
		var rows []struct {
			Kind   string
			Number int
			Hash   string
		}
		if err := json.Unmarshal([]byte(g.as(g.seats[seat], lang.English).exported()["telemetry.json"]), &rows); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			numbers = append(numbers, r.Number)
		}
		return numbers
	}
	if first, second := told(0), told(1); !slices.Equal(first, []int{0, 12, 0}) || !slices.Equal(second, []int{0, 7}) {
		t.Errorf("exported telemetry: %v, %v", first, second)
	}
	files := g.browsers[0].exported()
	for name, part := range map[string]string{
		"fair_play_signals.json": `"token"`, "reviews.json": `"open"`, "play_reports_about.json": string(g.id), "match_facts.json": `"waived"`, "devices.json": string(g.id),
	} {
		if !strings.Contains(files[name], part) {
			t.Errorf("%s has no %s: %s", name, part, files[name])
		}
	}
	if strings.Contains(files["play_reports_about.json"], "so fast") || strings.Contains(g.browsers[1].exported()["fair_play_signals.json"], `"token"`) {
		t.Error("it has what is another's")
	}
	review := func() string {
		return g.as(g.seats[0], lang.English).get("/api/v1/dossier?place=" + string(g.place())).want(http.StatusOK).body
	}
	for _, part := range []string{`"token"`, `"focus"`, `"paste"`} {
		if !strings.Contains(review(), part) {
			t.Errorf("review.json has no %s", part)
		}
	}
	g.clock.advance(31 * 24 * time.Hour)
	before := review()
	if err := g.judge().Persons.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if first, second := told(0), told(1); len(first) != 3 || len(second) != 0 {
		t.Errorf("after 31 days %v of who is under review and %v of who is not", first, second)
	}
	if after := review(); after != before {
		t.Errorf("the review reads otherwise:\n%s", difference(before, after))
	}
}

// Acceptance 18: nobody else hears of a concern by a notice, from which letters are
// made; and what changes a result is in the log with who decided.
func TestAConcernIsInNobodyElsesNoticesAndTheDecisionInTheLog(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Verified)
	clara := g.second("clara")
	g.toBoard()
	g.program(g.seats[0]).ask("POST", "/matches/"+string(g.id)+"/commands", `{"act":"b1c3"}`, http.StatusForbidden, nil)
	g.act(0, "act", "b1c3")
	g.act(1, "act", "resign")
	notices := func(b *browser) string { return b.exported()["notices.json"] }
	before, own := notices(g.browsers[1]), notices(g.browsers[0])
	g.sweep()
	r, at := g.review(), g.dossier(0)
	deal := func(b *browser, pairs ...string) {
		b.post(at, append([]string{"review", r.ID, "steps", strconv.Itoa(len(g.review().Steps))}, pairs...)...).want(http.StatusOK)
	}
	deal(g.host, "do", "tell", "text", "A token tried to move. Why?")
	g.browsers[0].post(g.path+"/fair-play/of/me", "review", r.ID, "do", "answer", "text", "It was my board at home.").want(http.StatusOK)
	result := g.tournament(g.path).Rounds[0].Pairings[0].Result
	deal(g.host, "do", "propose", "decision", "annul", "ground", "server-fact", "text", "a token moved")
	if after := notices(g.browsers[1]); after != before {
		t.Errorf("the opponent is told:\n%s", difference(before, after))
	}
	if notices(g.browsers[0]) == own {
		t.Error("the player is not told")
	}
	if now := g.tournament(g.path).Rounds[0].Pairings[0].Result; !reflect.DeepEqual(now, result) {
		t.Errorf("a proposal made %v of %v", now, result)
	}
	deal(clara, "do", "confirm")
	g.write(func(tx *store.Tx) error {
		deeds, err := tx.Deeds(tournament.ID(strings.TrimPrefix(g.path, "/tournaments/")))
		last := deeds[len(deeds)-1]
		if last.Act != tournament.ActExpel || last.By != g.players["clara"].ID || last.Reason == "" {
			t.Errorf("the last line of the log: %+v", last)
		}
		return err
	})
}
