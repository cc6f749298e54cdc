package arbiter_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// filled is a database with so many accounts and finished tournaments of 45
// players and 450 games each, rated but not folded.
func filled(b *testing.B, players, tournaments int) *store.Store {
	b.Helper()
	dsn := storetest.SQLiteDSN(b)
	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:"))
	if err != nil {
		b.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	insert := func(query string, args ...any) {
		if _, err := tx.Exec(query, args...); err != nil {
			b.Fatal(err)
		}
	}
	for i := range players {
		insert("INSERT INTO players (id, handle, handle_key, role, created_at) VALUES (?, ?, ?, 'player', 0)", fmt.Sprint("p", i), fmt.Sprint("p", i, "xx"), fmt.Sprint("p", i, "xx"))
	}
	pairing, err := tx.Prepare("INSERT INTO pairings (tournament_id, round, board, first_entry, second_entry, result) VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		b.Fatal(err)
	}
	seed := uint32(1)
	next := func(n int) int { seed = seed*1664525 + 1013904223; return int(seed>>8) % n }
	for i := range tournaments {
		id, at := fmt.Sprint("t", i), int64(i)*3_600_000+1_700_000_000_000
		insert("INSERT INTO tournaments (id, organizer_id, name, format, status, rated, settings, created_at, ended_at, rated_at, rated_no, version) VALUES (?, 'p0', 'x', 1, 4, TRUE, '{}', ?, ?, ?, ?, 1)", id, at, at, at, i+1)
		insert("INSERT INTO rated_events (ordinal, tournament_id, ended_at, rated_at) VALUES (?, ?, ?, ?)", i+1, id, at, at)
		first := next(players - 45)
		for e := range 45 {
			insert("INSERT INTO entries (tournament_id, id, player_id, name, status, entered_at) VALUES (?, ?, ?, 'x', 1, 0)", id, e+1, fmt.Sprint("p", first+e))
		}
		for round := range 20 {
			if round%2 == 0 {
				insert("INSERT INTO rounds (tournament_id, number, opened_at, engine) VALUES (?, ?, 0, 'x')", id, round/2+1)
			}
		}
		for g := range 450 {
			one := next(45)
			two := (one + 1 + next(44)) % 45
			if _, err := pairing.Exec(id, g/45+1, g%45+1, one+1, two+1, 1+next(3)); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	return storetest.Open(b, dsn)
}

// BenchmarkRecompute makes a list of a million results anew, from the database
// and back into it, with every step of every change.
func BenchmarkRecompute(b *testing.B) {
	const tournaments = 222
	s := filled(b, 5000, tournaments)
	runner, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(runner.Close)
	a := arbiter.New(s, runner, arbiter.Config{}, nil)
	b.ResetTimer()
	for range b.N {
		if err := a.Ratings.Recompute(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/(450*tournaments)*1e6, "s/million")
}

// BenchmarkNextEvent is what one more rated game costs after so many results.
func BenchmarkNextEvent(b *testing.B) {
	for _, tournaments := range []int{20, 200} {
		b.Run(fmt.Sprint(450*tournaments, " results before"), func(b *testing.B) {
			s := filled(b, 500, tournaments)
			runner, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(runner.Close)
			a := arbiter.New(s, runner, arbiter.Config{}, nil)
			if err := a.Ratings.Recompute(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
			boss := player.Viewer{Player: player.Player{ID: "p0", Role: player.Operator}}
			b.ResetTimer()
			for i := range b.N {
				if err := a.Ratings.Give(b.Context(), boss, rating.Main, []rating.Start{{Player: fmt.Sprint("p", i%500), Rating: 1500}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkList is a page of a list of 100,000, as pages are asked for, and as a server has it: without statistics of
// its tables.
func BenchmarkList(b *testing.B) {
	dsn := storetest.SQLiteDSN(b)
	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:"))
	if err != nil {
		b.Fatal(err)
	}
	for _, query := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 100000) INSERT INTO players (id, handle, handle_key, role, created_at)
			SELECT 'p' || i, 'player' || i, 'player' || i, 'player', 0 FROM n`,
		`INSERT INTO ratings (fold_id, player_id, bot, rating, games, provisional, peak, deviation, state, at)
			SELECT 1, id, FALSE, 100000 + (rowid * 7919) % 150000, rowid % 200, rowid % 3 = 0, 250000, 0, '', 1700000000000 + rowid * 1000 FROM players`,
	} {
		if _, err := db.Exec(query); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	s := storetest.Open(b, dsn)
	for name, q := range map[string]store.RatingQuery{
		"first page": {}, "page 1000": {Offset: 50_000}, "search": {Search: "er777"}, "settled, 30 games": {Settled: true, MinGames: 30},
		"active lately": {ActiveSince: time.UnixMilli(1_700_000_000_000 + 99_000_000)},
	} {
		b.Run(name, func(b *testing.B) {
			q.Limit = 50
			for range b.N {
				err := s.Read(b.Context(), func(tx *store.Tx) error {
					list, total, err := tx.RatingList(q)
					if err == nil && (len(list) != 50 || total < 50) {
						err = fmt.Errorf("%d of %d", len(list), total)
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
