package store_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"chpok.org/chpok/migrations"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// TestRatingsOf010Survive: what 0.1.0 has rated stands in the site's own list,
// with its settings, and is marked to be folded again.
func TestRatingsOf010Survive(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "old.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := migrations.For("sqlite")
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), 6); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"INSERT INTO players (id, handle, handle_key, role, created_at) VALUES ('ana', 'ana', 'ana', 'player', 0), ('bob', 'bob', 'bob', 'player', 0)",
		"INSERT INTO clubs (id, name, name_key, created_at) VALUES ('c', 'C', 'c', 0)",
		"INSERT INTO club_members (club_id, player_id, role, joined_at) VALUES ('c', 'ana', 'head', 0)",
		`INSERT INTO settings (name, value) VALUES ('rating', '{"Start":1200,"NewK":30,"K":15,"NewGames":9,"Floor":100}')`,
		`INSERT INTO tournaments (id, organizer_id, name, format, status, rated, settings, created_at, ended_at, rated_at, rated_no, version)
			VALUES ('t', 'ana', 'T', 1, 4, TRUE, '{}', 1, 1000, 2000, 1, 5)`,
		"INSERT INTO entries (tournament_id, id, player_id, name, status, entered_at) VALUES ('t', 1, 'ana', 'ana', 1, 0), ('t', 2, 'bob', 'bob', 1, 0)",
		"INSERT INTO ratings (player_id, rating, games, provisional, peak, at) VALUES ('ana', 121500, 1, TRUE, 121500, 2000), ('bob', 118500, 1, TRUE, 120000, 2000)",
		`INSERT INTO rating_changes (ordinal, player_id, reason, tournament_id, before, after, k, games, steps, at) VALUES
			(1, 'ana', 1, 't', 0, 120000, 0, 0, 'null', 2000), (1, 'ana', 2, 't', 120000, 121500, 30, 1, '[{"Opponent":"bob","OpponentRating":1200,"Expected":50,"Result":2}]', 2000),
			(1, 'bob', 1, 't', 0, 120000, 0, 0, 'null', 2000), (1, 'bob', 2, 't', 120000, 118500, 30, 1, '[]', 2000)`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, "sqlite:"+path)
	err = s.Read(t.Context(), func(tx *store.Tx) error {
		list, total, err := tx.RatingList(store.RatingQuery{Limit: 10})
		if err != nil || total != 2 || list[0].Player != "ana" || list[0].Rating != 121500 || list[1].Peak != rating.Points(1200) {
			t.Errorf("%d: %+v, %v", total, list, err)
		}
		history, err := tx.RatingHistory("ana")
		if err != nil || len(history) != 2 || history[1].Tournament != "t" || history[1].After != 121500 || history[1].Steps[0].Opponent != "bob" {
			t.Errorf("%+v, %v", history, err)
		}
		p, err := tx.RatingPool(rating.Main)
		if err != nil || p.Rules.Start != 1200 || p.Rules.K != 15 || !p.Counts.Tournaments || p.Counts.Handicap {
			t.Errorf("%+v, %v", p, err)
		}
		f, err := tx.RatingFold(rating.Main)
		if err != nil || f.StaleFrom != 1 || f.UpTo != 1 {
			t.Errorf("%+v, %v", f, err)
		}
		events, err := tx.RatedGames(p, 0, 10)
		if err != nil || len(events) != 1 || events[0].Tournament != "t" {
			t.Errorf("%+v, %v", events, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
