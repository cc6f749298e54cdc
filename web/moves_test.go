package web_test

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/fairplay/screening"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// What the moves come to is for arbiters in a review, and for the player from the moment they are told; to the byte as anybody
// can make it. Everybody reads what the statistic is worth, and that it is silent where there are too few people.
func TestWhatMovesComeToIsReadWhereStaffMayActOnIt(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, fairplay.Declared)
	visitor := g.browser(lang.English)
	visitor.get("/fair-play").want(http.StatusOK).wants("link", "What the statistic of moves is worth")
	visitor.get("/fair-play/calibration").want(http.StatusOK).says("It knows 0 people beyond doubt").says("it takes 30")
	g.browser(lang.Ukrainian).get("/fair-play/calibration").want(http.StatusOK).says("а треба 30")
	visitor.get("/api/v1/fair-play/calibration").want(http.StatusNotFound)

	g.toBoard()
	start := g.state().Game().Position().CFEN()
	g.play(opening...)
	g.act(0, "act", "resign")
	g.sweep()
	d := review.Dossier{Player: string(g.seats[0].Handle), Rating: 1500, Engine: search.Version, Nodes: review.LookNodes, People: 40,
		Records: []review.MatchLook{{Moves: 4, Counted: 1}}, Performance: &review.Performance{Rating: 1810, Deviation: 90},
		Figures: &screening.Figures{Moves: 80}, Rarity: &screening.Rarity{P: 0.0004, Mixture: 0.0002, Steady: 0.4}, Odds: []float64{0.04, 0.3, 0.68},
		Moves: []review.MoveLook{{Move: 1, Position: start, Played: "b1c3", Best: "e2e4", Loss: 0.013, Weighs: 1, Losses: []float64{0, 0.013, 0.2}, Index: 1}}}
	var body bytes.Buffer
	if err := d.Write(&body); err != nil {
		t.Fatal(err)
	}
	g.write(func(tx *store.Tx) error {
		now := g.clock.Now()
		k := store.Calibration{ID: "k", Engine: search.Version, People: 40, Sides: 160}
		if err := tx.LeaseCalibration(k, now, now.Add(time.Minute)); err != nil {
			return err
		}
		k.At, k.Body = now, `{"people":40}`
		k.Power = []screening.Power{{Moves: 80, Honest: [3]float64{0.05, 0.01, 0.001}, Helped: [3]float64{0.9, 0.8, 0.7}},
			{Ratings: screening.BandOf(1500), Moves: 80, Honest: [3]float64{0.05, 0.012, 0}, Helped: [3]float64{0.9, 0.62, 0.4}},
			{Ratings: screening.BandOf(2400), Moves: 80, Honest: [3]float64{0.05, 0.01, 0}, Helped: [3]float64{0.4, 0.31, 0.1}}}
		if err := tx.SaveCalibration(k); err != nil {
			return err
		}
		return tx.SaveDossier(store.Dossier{Player: g.seats[0].ID, Place: g.place(), Calibration: "k", At: now, IsTold: true, P: 0.0004, Adjusted: 0.0004,
			Matches: []match.ID{g.id}, Body: body.String()}, time.Time{})
	})
	visitor.get("/fair-play/calibration").want(http.StatusOK).says("90.0").says("Of fewer than 80 choices").
		says("1200 to 1599").says("62 (1.2)").says("31 (1.0)").says("too few people to tell").says("Rated 2000 and above: most players who are helped are not noticed").
		saysNot("Rated 1200 to 1599: most")
	if got := visitor.get("/api/v1/fair-play/calibration").want(http.StatusOK).body; got != `{"people":40}` {
		t.Errorf("the calibration is %s", got)
	}

	at, own := g.dossier(0), g.path+"/fair-play/of/me"
	g.host.get(at).want(http.StatusOK).wantsNo("link", "What the moves come to")
	file, ownFile := "/api/v1/dossiers/"+string(g.seats[0].Handle)+"/moves?place="+string(g.place()), "/api/v1/dossier/moves?place="+string(g.place())
	for _, door := range []string{at + "/moves", file} {
		g.host.get(door).want(http.StatusNotFound) // without a review nobody goes looking
	}
	g.host.post(at, "do", "open").want(http.StatusOK).wants("link", "What the moves come to")
	g.host.get(at + "/moves").want(http.StatusOK).says("About one in 2,500 honest players").says("about 4").says("about 68").
		says("The engine prefers e2–e4").says("gives away 1.3").says("2 of 3 possible moves are about as good").says("no decision may rest on it").
		says("--rating 1500").says("rated 1200 to 1599 and 80 moves that count, it noticed 62 of 100").says("1.2 of 100 who had chosen them alone").saysNot("cheat")
	for _, door := range []string{own + "/moves", ownFile} {
		g.browsers[0].get(door).want(http.StatusNotFound) // not told yet
		g.browsers[1].get(door).want(http.StatusNotFound)
	}
	for _, door := range []string{at + "/moves", file} {
		g.browsers[1].get(door).want(http.StatusForbidden)
	}
	g.host.post(at, "review", g.review().ID, "do", "tell", "text", "We want to talk.").want(http.StatusOK)
	g.browsers[0].get(own).want(http.StatusOK).wants("link", "What the moves come to")
	g.browsers[0].get(own+"/moves").want(http.StatusOK).says("About one in 2,500 honest players").wants("link", "Answer on your page")
	for _, got := range []string{g.browsers[0].get(ownFile).want(http.StatusOK).body, g.host.get(file).want(http.StatusOK).body} {
		if got != body.String() {
			t.Errorf("the file is\n%s\nnot\n%s", got, body.String())
		}
	}
	g.browsers[1].get(own + "/moves").want(http.StatusNotFound)
}
