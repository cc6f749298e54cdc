package store_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pressly/goose/v3"

	"chpok.org/chpok/migrations"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
)

// TestATournamentOfRelease010ComesAlong: its owner is who made it, and its log
// begins with the state it was in.
func TestATournamentOfRelease010ComesAlong(t *testing.T) {
	t.Parallel()
	for dialect, c := range map[string]struct {
		driver string
		goose  goose.Dialect
		dsn    func(testing.TB) string
	}{
		"sqlite":   {"sqlite", goose.DialectSQLite3, func(t testing.TB) string { return "sqlite:" + t.TempDir() + "/old.db" }},
		"postgres": {"pgx", goose.DialectPostgres, storetest.EmptyPostgresDSN},
	} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			dsn := c.dsn(t)
			db, err := sql.Open(c.driver, strings.TrimPrefix(dsn, "sqlite:"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			files, err := migrations.For(dialect)
			if err != nil {
				t.Fatal(err)
			}
			provider, err := goose.NewProvider(c.goose, db, files)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := provider.UpTo(t.Context(), 6); err != nil {
				t.Fatal(err)
			}
			for _, statement := range strings.Split(release010, ";\n") {
				if _, err := db.ExecContext(t.Context(), statement); err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
			}
			checkUpgraded(t, storetest.Open(t, dsn))
		})
	}
}

// release010 is what 0.1.0 wrote: a Swiss of two with one round being played.
const release010 = `INSERT INTO players (id, handle, handle_key, role, bot, created_at) VALUES ('host', 'host', 'host', 'organizer', FALSE, 1);
INSERT INTO tournaments (id, organizer_id, name, format, status, rated, settings, opening, seed, rounds, created_at, started_at, version) VALUES
 ('t', 'host', 'Friday', 2, 3, TRUE, '{"pace":2,"lateness":300000000000,"claims":0,"envelope":{"chips":15},"points":[10,5,0,10,0,10,5,0,10],"tiebreaks":["BH"],"numbering":1}', 1, '00', 3, 1000, 2000, 5);
INSERT INTO entries (tournament_id, id, name, status, number, byes, entered_at) VALUES ('t', 1, 'Ana', 1, 1, '', 1000), ('t', 2, 'Bob', 1, 2, '[{"Round":2,"Kind":11}]', 1000);
INSERT INTO rounds (tournament_id, number, opened_at, engine) VALUES ('t', 1, 2000, 'dutch');
INSERT INTO pairings (tournament_id, round, board, first_entry, second_entry) VALUES ('t', 1, 1, 1, 2);
`

func checkUpgraded(t *testing.T, s *store.Store) {
	t.Helper()
	host := player.Viewer{Player: player.Player{ID: "host", Role: player.Organizer}}
	read := func() (tour *tournament.Tournament, deeds []tournament.Deed) {
		err := s.Read(t.Context(), func(tx *store.Tx) (err error) {
			if tour, err = tx.Tournament("t"); err != nil {
				return err
			}
			deeds, err = tx.Deeds("t")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return tour, deeds
	}
	before, deeds := read()
	if before.DutyOf(host) != tournament.Owner || before.Name != "Friday" || before.Settings.Rounds != 3 || !before.Rated {
		t.Fatalf("%+v", before)
	}
	if byes := before.Entries[1].Byes; len(byes) != 1 || byes[0].Round != 2 || byes[0].Kind != tournament.ZeroBye {
		t.Errorf("byes: %+v", byes)
	}
	if len(deeds) != 1 || deeds[0].Act != tournament.ActBaseline || deeds[0].Seq != 5 {
		t.Fatalf("deeds: %+v", deeds)
	}
	after := before.Clone()
	if err := after.Enter(host, 1, 1, tournament.Drawn, true, after.StartedAt); err != nil {
		t.Fatal(err)
	}
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SaveTournament(before, after, tournament.Deed{At: after.StartedAt, By: "host", Duty: tournament.Owner, Act: tournament.ActResult})
	})
	if err != nil {
		t.Fatal(err)
	}
	tour, deeds := read()
	if len(deeds) != 2 || deeds[1].Seq != 6 || deeds[1].Act != tournament.ActResult {
		t.Fatalf("deeds: %+v", deeds)
	}
	folded, err := tournament.FoldDeeds(deeds)
	if diff := cmp.Diff(tour, folded, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Errorf("%v; stored (-), log (+):\n%s", err, diff)
	}
}
