package store_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// kept is one row of what has a term, made at noon by the statement, in which $
// stands for its moment.
var kept = []struct{ term, table, insert string }{
	{"telemetry", "telemetry", "INSERT INTO telemetry (match_id, seat, no, player_id, at, kind, move, number, hash) VALUES ('m', 1, 1, 'anna', $, 'focus', 1, 1, 'x')"},
	{"devices", "match_devices", "INSERT INTO match_devices (match_id, seat, session, device, network, at) VALUES ('m', 1, 's', 'd', 'n', $)"},
	{"devices", "tournament_venues", "INSERT INTO tournament_venues (tournament_id, network, at) VALUES ('elsewhere', 'n', $)"},
	{"check-in", "check_ins", "INSERT INTO check_ins (match_id, seat, no, player_id, session_id, page_key, policy, means, at) VALUES ('m', 1, 1, 'anna', 's', 'k', 'p', 'code', $)"},
	{"check-in", "check_in_codes", "INSERT INTO check_in_codes (digest, match_id, player_id, by_player, issued_at, expires_at) VALUES ('x', 'm', 'anna', 'host', $, $)"},
	{"check-in", "match_facts", "INSERT INTO match_facts (match_id, seat, kind, at) VALUES ('m', 1, 'checked-in', $)"},
	{"watches", "watches", "INSERT INTO watches (match_id, seat, steward_id, player_id) VALUES ('m', 1, 'host', 'anna')"},
	{"signals", "signals", "INSERT INTO signals (id, player_id, match_id, kind, at) VALUES ('s', 'anna', 'm', 'token', $)"},
	{"signals", "analysis_refusals", "INSERT INTO analysis_refusals (id, match_id, player_id, at, position) VALUES ('a', 'm', 'anna', $, 'x')"},
	{"reports", "play_reports", "INSERT INTO play_reports (match_id, reporter_id, player_id, at, text) VALUES ('m', 'host', 'anna', $, 'x')"},
	{"choices", "match_choices", "INSERT INTO match_choices (match_id, seat, player_id, engine, seq, rating, state, done, body, due_at) VALUES ('m', 1, 'anna', 1, 1, 1400, 2, 1, '{}', 0)"},
	{"choices", "dossiers", "INSERT INTO dossiers (player_id, place, calibration, at, concern, matches, body) VALUES ('anna', 'elsewhere', 'k', $, FALSE, '[]', '{}')"},
	{"looks", "dossier_views", "INSERT INTO dossier_views (player_id, place, by_player, at) VALUES ('anna', 'event', 'host', $)"},
	{"review-cleared", "reviews", "INSERT INTO reviews (id, player_id, place, status, opened_at, closed_at, upheld, version, body) VALUES ('c', 'anna', 'elsewhere', 'closed', $, $, FALSE, 1, '{}')"},
	{"review-upheld", "reviews", "INSERT INTO reviews (id, player_id, place, status, opened_at, closed_at, upheld, version, body) VALUES ('u', 'anna', 'elsewhere', 'closed', $, $, TRUE, 1, '{}')"},
	{"attestations", "attestations", "INSERT INTO attestations (id, player_id, issuer_id, by_player, kind, how, issued, expires, sig) VALUES ('w', 'anna', 'club', 'host', 'identity', 'video', $, $, 'x')"},
	{"attestations", "person_marks", "INSERT INTO person_marks (mark, player_id, at) VALUES ('x', 'anna', $)"},
}

// Acceptance 19: after each term, what it is about is gone and nothing else.
func TestEverythingGoesAfterItsTermAndNothingElse(t *testing.T) {
	t.Parallel()
	storetest.OneAfterAnother(t)
	for database, open := range databases {
		for _, term := range store.Terms {
			t.Run(database+"/"+term.Name, func(t *testing.T) {
				t.Parallel()
				s, db := open(t)
				goesAfterItsTerm(t, term, s, db)
			})
		}
	}
}

func goesAfterItsTerm(t *testing.T, term store.Term, s *store.Store, db *sql.DB) {
	t.Helper()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	run(t, db, "INSERT INTO matches (id, first_player, second_player, seq, status, to_act, outcome, opened_at, last_at) VALUES ('m', 'anna', 'host', 1, 3, 0, 1, $, $)", noon)
	run(t, db, "INSERT INTO match_policies (match_id, policy_hash, statement) VALUES ('m', 'p', '{}')", noon)
	run(t, db, "INSERT INTO match_facts (match_id, seat, kind, at) VALUES ('m', 1, 'text-accepted', $)", noon)
	for _, k := range kept {
		run(t, db, k.insert, noon)
	}
	before := counts(t, db)
	want := map[string]int{}
	for table, n := range before {
		want[table] = n
	}
	gone := 0
	for _, k := range kept {
		if k.term == term.Name {
			want[k.table]--
			gone++
		}
	}
	if gone == 0 {
		t.Fatalf("the test has nothing of %s", term.Name)
	}
	forget := func(now time.Time) {
		write(t, s, func(tx *store.Tx) error { return tx.Forget(term, now) })
	}
	forget(noon.Add(term.Keep))
	if diff := cmp.Diff(before, counts(t, db)); diff != "" {
		t.Errorf("at the last moment: kept (-), there (+):\n%s", diff)
	}
	for range 2 {
		forget(noon.Add(term.Keep + time.Millisecond))
		if diff := cmp.Diff(want, counts(t, db)); diff != "" {
			t.Errorf("after the term: wanted (-), there (+):\n%s", diff)
		}
	}
}

// TestAReviewKeepsWhatItIsAbout: what pages told stays until a month after the
// review of the event.
func TestAReviewKeepsWhatItIsAbout(t *testing.T) {
	t.Parallel()
	for name, open := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reviewKeeps(t, open)
		})
	}
}

func reviewKeeps(t *testing.T, open func(*testing.T) (*store.Store, *sql.DB)) {
	t.Helper()
	s, db := open(t)
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	run(t, db, "INSERT INTO matches (id, first_player, second_player, seq, status, to_act, outcome, opened_at, last_at, place) VALUES ('m', 'anna', 'host', 1, 3, 0, 1, $, $, 'ladders/l/2026-Q4')", noon)
	run(t, db, kept[0].insert, noon)
	run(t, db, "INSERT INTO reviews (id, player_id, place, status, opened_at, version, body) VALUES ('r', 'anna', 'ladders/l/2026-Q4', 'told', $, 1, '{}')", noon)
	term := store.Terms[0]
	at := func(days int, want int) {
		t.Helper()
		write(t, s, func(tx *store.Tx) error { return tx.Forget(term, noon.Add(time.Duration(days)*24*time.Hour)) })
		if got := counts(t, db)["telemetry"]; got != want {
			t.Errorf("day %d: %d rows, want %d", days, got, want)
		}
	}
	at(31, 1)
	at(300, 1)
	run(t, db, "UPDATE reviews SET status = 'closed', closed_at = $ WHERE id = 'r'", noon.Add(300*24*time.Hour))
	at(330, 1)
	at(331, 0)
}

// TestTheTermsAreUnderstood by both databases.
func TestTheTermsAreUnderstood(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *store.Store) {
		for _, term := range store.Terms {
			write(t, s, func(tx *store.Tx) error { return tx.Forget(term, noon) })
		}
	})
}

// databases are a store and its database, where rows need not refer to others, on
// both.
var databases = map[string]func(*testing.T) (*store.Store, *sql.DB){"SQLite": besides, "PostgreSQL": besidesPostgres}

func besidesPostgres(t *testing.T) (*store.Store, *sql.DB) {
	t.Helper()
	dsn := storetest.PostgresDSN(t)
	s := storetest.Open(t, dsn)
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), "SET session_replication_role = replica"); err != nil { // references are not looked at
		t.Fatal(err)
	}
	return s, db
}

func besides(t *testing.T) (*store.Store, *sql.DB) {
	t.Helper()
	dsn := storetest.SQLiteDSN(t)
	s := storetest.Open(t, dsn)
	db, err := sql.Open("sqlite", strings.TrimPrefix(dsn, "sqlite:")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return s, db
}

func run(t *testing.T, db *sql.DB, statement string, at time.Time) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), strings.ReplaceAll(statement, "$", fmt.Sprint(at.UnixMilli()))); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func counts(t *testing.T, db *sql.DB) map[string]int {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
	if err != nil { // SQLite knows them by another name
		rows, err = db.QueryContext(t.Context(), "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
	}
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, table := range tables {
		var n int
		if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		out[table] = n
	}
	return out
}
