package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/trf"
)

// rules is a filled-in form of a list.
func rules(change ...string) []string {
	fields := []string{
		"name", "Blitz", "zone", "Europe/Kyiv", "tournaments", "1", "challenges", "1", "method", "elo",
		"start", "1200", "new-games", "9", "new-k", "30", "k", "15", "floor", "100", "junior-k", "40", "top", "2400",
		"glicko-tau", "0.5", "glicko-deviation", "350", "glicko-volatility", "0.06", "glicko-provisional", "110",
	}
	for i := 0; i < len(change); i += 2 {
		for j := 0; j < len(fields); j += 2 {
			if fields[j] == change[i] {
				fields[j+1] = change[i+1]
			}
		}
	}
	return fields
}

func TestTheOperatorSetsTheRulesOfTheRatingList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.as(s.account("anna", player.Organizer), lang.English).get("/ratings/pools/main").want(http.StatusForbidden)
	boss := s.as(s.account("boss", player.Operator), lang.English)
	boss.get("/ratings/pools").want(http.StatusOK).wants("heading", "Rating lists").wants("link", "Handicap matches")
	boss.get("/ratings/pools/main").want(http.StatusOK).wants("heading", "Ratings")
	boss.post("/ratings/pools/main", rules("floor", "1300")...).want(http.StatusUnprocessableEntity).wants("alert", "below the lowest rating")
	boss.post("/ratings/pools/main", rules("start", "many")...).want(http.StatusUnprocessableEntity).wants("alert", "whole number")
	boss.post("/ratings/pools/main", rules("zone", "Mars")...).want(http.StatusUnprocessableEntity).wants("alert", "time zone")
	boss.post("/ratings/pools/main", rules()...).want(http.StatusOK).wants("status", "recalculated")

	var set rating.Settings
	s.write(func(tx *store.Tx) (err error) {
		set, err = ratings.Settings(tx)
		return err
	})
	want := rating.Club(1200)
	want.NewGames, want.NewK, want.K, want.Floor, want.Glicko = 9, 30, 15, 100, rating.Glickman(0).Glicko
	if set != want {
		t.Errorf("the list follows %+v, want %+v", set, want)
	}
	boss.post("/ratings/pools/main/recompute").want(http.StatusOK).wants("status", "recalculated")
}

func TestAListIsReadInAfterALook(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	boss := s.as(s.account("boss", player.Operator), lang.English)
	s.account("bohdan", player.Plain)
	at := "/ratings/pools/main/import"
	boss.get(at).want(http.StatusOK)
	boss.post(at, "text", "name\nx\n").want(http.StatusUnprocessableEntity).wants("alert", "first line")
	bad := boss.post(at, "text", "handle,rating\nbohdan,high\nnobody,1500\n").want(http.StatusUnprocessableEntity)
	for _, want := range []string{"Line 2", "Line 3", "“high”", "“nobody”"} {
		if !strings.Contains(bad.body, want) {
			t.Errorf("no %q on the page", want)
		}
	}
	text := "handle,rating,games\nBohdan,1650,40\nnewone,1480,3\n"
	boss.post(at, "text", text, "create", "1").want(http.StatusOK).wants("button", "Import").wants("header", "newone")
	boss.get("/ratings").wantsNo("header", "bohdan") // a look changes nothing
	boss.post(at, "text", text, "create", "1", "confirm", "1").want(http.StatusOK).wants("header", "bohdan").wants("header", "newone")
	boss.get("/ratings?settled=1").wants("header", "bohdan").wantsNo("header", "newone")
	boss.get("/ratings?games=10&q=NEW").wantsNo("header", "newone")
	boss.get("/ratings?q=NEW").wants("header", "newone").wantsNo("header", "bohdan")
	boss.get("/ratings?bots=1").wantsNo("header", "bohdan")
	csv := boss.get("/ratings.csv").want(http.StatusOK)
	if want := "\ufeffrank,handle,rating,games,deviation,peak,provisional,last\n1,bohdan,1650,40,,1650,false,"; !strings.HasPrefix(csv.body, want) {
		t.Errorf("%q", csv.body)
	}
	trf := boss.get("/ratings.trf").want(http.StatusOK)
	again := boss.post(at, "text", trf.body).want(http.StatusOK)
	if !strings.Contains(again.body, "ratings replaced: 2") && !strings.Contains(again.body, "unchanged") {
		t.Errorf("the report does not read back: %s", again.body)
	}
	if lines := strings.Count(boss.get("/ratings.json").want(http.StatusOK).body, "\n"); lines != 2 {
		t.Errorf("%d lines of JSON", lines)
	}
	boss.get("/players/bohdan").want(http.StatusOK)
	s.as(s.account("anna", player.Organizer), lang.English).post(at, "text", text, "confirm", "1").want(http.StatusForbidden)
}

// A report numbers its players, so nothing keeps it from naming one twice.
func TestAListNamesAPlayerOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	boss := s.as(s.account("boss", player.Operator), lang.English)
	var report trf.Report
	report.SetHeader("012", "Ratings")
	for i, name := range []string{"newone", "another", "NewOne"} {
		report.Players = append(report.Players, trf.Player{Number: i + 1, Name: name, Rating: 1500, Rank: i + 1})
	}
	var b strings.Builder
	if err := report.Write(&b, trf.TRF16); err != nil {
		t.Fatal(err)
	}
	for text, line := range map[string]string{b.String(): "Line 3", "handle,rating\nnewone,1500\nanother,1500\nNewOne,1500\n": "Line 4"} {
		page := boss.post("/ratings/pools/main/import", "text", text, "create", "1", "confirm", "1").want(http.StatusUnprocessableEntity)
		page.says(line).says("“NewOne”: not a handle, or listed above already").wantsNo("button", "Import")
	}
}

func TestAClubHasAListOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	anna, bohdan := s.account("anna", player.Plain), s.account("bohdan", player.Plain)
	s.write(func(tx *store.Tx) error { return tx.AddClub(club.New("dragons", "Dragons", "", anna.ID, time.Now())) })
	s.as(bohdan, lang.English).get("/ratings/pools/new?club=dragons").want(http.StatusForbidden)
	s.as(bohdan, lang.English).post("/ratings/pools?club=dragons", rules()...).want(http.StatusForbidden)
	own := s.as(anna, lang.English)
	own.get("/ratings/pools").want(http.StatusOK).wants("link", "New list")
	own.get("/ratings/pools/new").want(http.StatusForbidden)
	own.get("/ratings/pools/new?club=dragons").want(http.StatusOK)
	own.post("/ratings/pools?club=dragons", rules("name", " ")...).want(http.StatusUnprocessableEntity).wants("alert", "60 letters")
	own.post("/ratings/pools?club=dragons", rules("method", "glicko2", "start", "1500")...).want(http.StatusOK).wants("heading", "Blitz")
	var id rating.PoolID
	s.write(func(tx *store.Tx) error {
		pools, err := tx.RatingPoolsOf("dragons")
		if err == nil && (len(pools) != 1 || pools[0].Rules.Method != rating.Glicko2 || pools[0].Zone != "Europe/Kyiv") {
			err = fmt.Errorf("%+v", pools)
		}
		if err == nil {
			id = pools[0].ID
		}
		return err
	})
	at := "/ratings/pools/" + string(id)
	s.as(bohdan, lang.English).get(at).want(http.StatusForbidden)
	// A club makes no accounts for others.
	own.post(at+"/import", "text", "handle,rating\nstranger,1500\n", "create", "1").want(http.StatusOK).
		shows("“stranger”: nobody here").wantsNo("button", "Import")
	own.post(at+"/import", "text", "handle,rating,deviation\nbohdan,1600,80\n", "confirm", "1").want(http.StatusOK).wants("header", "bohdan")
	own.get("/players/bohdan").want(http.StatusOK).wants("link", "Blitz")
	own.get("/ratings").wantsNo("header", "bohdan")
	own.get("/ratings?pool=none").want(http.StatusNotFound)
	own.get("/ratings?list=2020-01").want(http.StatusNotFound)
}

func TestABirthYearIsTheirsWhoseItIs(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	anna, bohdan := s.account("anna", player.Plain), s.account("bohdan", player.Plain)
	own := s.as(anna, lang.English)
	own.post("/players/anna/birth-year", "year", "2011").want(http.StatusOK).wants("status", "Saved")
	if p := own.get("/players/anna"); !strings.Contains(p.body, `value="2011"`) {
		t.Error("anna does not see what she has told")
	}
	other := s.as(bohdan, lang.English)
	if p := other.get("/players/anna").want(http.StatusOK); strings.Contains(p.body, "2011") || strings.Contains(p.body, "birth-year") {
		t.Error("bohdan sees it")
	}
	other.post("/players/anna/birth-year", "year", "1990").want(http.StatusForbidden)
	own.post("/players/anna/birth-year", "year", "3011").want(http.StatusUnprocessableEntity)
	own.get("/players/anna/vs/bohdan").want(http.StatusOK).wants("heading", "anna")
	own.get("/players/anna/vs/anna").want(http.StatusNotFound)
}
