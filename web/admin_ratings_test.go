package web_test

import (
	"net/http"
	"testing"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

func TestTheOperatorSetsTheRulesOfTheRatingList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.as(s.account("anna", player.Organizer), lang.English).get("/admin/ratings").want(http.StatusForbidden)
	boss := s.as(s.account("boss", player.Operator), lang.English)
	boss.get("/admin/ratings").want(http.StatusOK).wants("heading", "Ratings")
	boss.post("/admin/ratings", "start", "1200", "new-games", "9", "new-k", "30", "k", "15", "floor", "1300").
		want(http.StatusUnprocessableEntity).wants("alert", "below the lowest rating")
	boss.post("/admin/ratings", "start", "many", "new-games", "9", "new-k", "30", "k", "15", "floor", "100").
		want(http.StatusUnprocessableEntity)
	boss.post("/admin/ratings", "start", "1200", "new-games", "9", "new-k", "30", "k", "15", "floor", "100").
		want(http.StatusOK).wants("status", "made anew")

	var set rating.Settings
	s.write(func(tx *store.Tx) (err error) {
		set, err = arbiter.RatingSettings(tx)
		return err
	})
	want := rating.Club(1200)
	want.NewGames, want.NewK, want.K, want.Floor = 9, 30, 15, 100
	if set != want {
		t.Errorf("the list follows %+v, want %+v", set, want)
	}
	boss.post("/admin/ratings/recompute").want(http.StatusOK).wants("status", "made anew")
}
