package web_test

import (
	"database/sql"
	"net/http"
	"strings"
	"testing"

	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web"
)

// TestARunningNodeLivesOnWhereTheNextVersionHasAddedToTheSchema: every table gets a
// column while it runs, as the first node of a new version adds them, and whatever it
// was asked before it answers as before.
func TestARunningNodeLivesOnWhereTheNextVersionHasAddedToTheSchema(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]struct {
		driver, tables string
		dsn            func(testing.TB) string
	}{
		"SQLite":     {"sqlite", "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite%'", storetest.SQLiteDSN},
		"PostgreSQL": {"pgx", "SELECT tablename FROM pg_tables WHERE schemaname = 'public'", storetest.PostgresDSN},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := database.dsn(t)
			s := newNode(t, storetest.Open(t, dsn), live.NewInProcess(), web.Config{})
			g := newGuardedAt(s, fairplay.Open, []string{"anna", "borys"})
			g.toBoard()
			visitor, anna := g.browser(lang.English), g.as(g.players["anna"], lang.English)
			program := g.program(g.seats[0])
			look := func() {
				t.Helper()
				for _, path := range []string{"/", "/matches", "/tv", "/players/anna", "/ratings", "/clubs", "/ladders", "/tournaments", g.path, g.path + "/standings",
					g.path + "/rounds/1", g.url(), "/rules", "/search?q=ann"} {
					visitor.get(path).want(http.StatusOK)
					anna.get(path).want(http.StatusOK)
				}
				for _, path := range []string{"/settings", "/notices", "/play"} {
					anna.get(path).want(http.StatusOK)
				}
				program.ask(http.MethodGet, g.url(), "", http.StatusOK, nil)
				for _, sweep := range []func() error{
					func() error { return g.live.SweepDue(t.Context()) }, func() error { return g.live.Heartbeat(t.Context()) },
					func() error { return g.judge().Sweep(t.Context()) },
				} {
					if err := sweep(); err != nil {
						t.Error(err)
					}
				}
			}
			t.Cleanup(func() {
				if t.Failed() {
					t.Log(g.log.String())
				}
			})
			look()
			g.play(opening[:2]...)
			db, err := sql.Open(database.driver, strings.TrimPrefix(dsn, "sqlite:"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			rows, err := db.Query(database.tables)
			if err != nil {
				t.Fatal(err)
			}
			var tables []string
			for rows.Next() {
				var table string
				if err := rows.Scan(&table); err != nil {
					t.Fatal(err)
				}
				tables = append(tables, table)
			}
			if err := rows.Close(); err != nil || len(tables) < 50 {
				t.Fatal(len(tables), err)
			}
			for _, table := range tables {
				if _, err := db.Exec("ALTER TABLE " + table + " ADD COLUMN of_the_next_version TEXT NOT NULL DEFAULT ''"); err != nil {
					t.Fatal(err)
				}
			}
			look()
			g.play(opening[2:4]...)
			g.act(0, "act", "resign")
			look()
			if log := g.log.String(); strings.Contains(log, "level=ERROR") {
				t.Error(log)
			}
		})
	}
}
