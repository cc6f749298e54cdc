package store_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// BenchmarkAppend measures durable appends of one event through the group
// commit, from 1 and from 256 matches at once, beside a bare loop that writes the
// same two rows a time with nothing between it and the database.
func BenchmarkAppend(b *testing.B) {
	for _, database := range []struct {
		name, driver string
		dsn          func(testing.TB) string
	}{
		{"SQLite", "sqlite", func(b testing.TB) string { return "sqlite:" + filepath.Join(b.TempDir(), "chpok.db") }},
		{"PostgreSQL", "pgx", storetest.PostgresDSN},
	} {
		for _, matches := range []int{1, 256} {
			b.Run(fmt.Sprintf("%s/grouped-%d", database.name, matches), func(b *testing.B) {
				grouped(b, database.dsn(b), matches)
			})
		}
		b.Run(database.name+"/bare-loop", func(b *testing.B) { bareLoop(b, database.driver, database.dsn(b)) })
	}
}

func durable(b *testing.B, dsn string) *store.Store {
	s, err := store.Open(b.Context(), dsn, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

func grouped(b *testing.B, dsn string, matches int) {
	s := durable(b, dsn)
	heads := make([]store.Head, matches)
	for i := range heads {
		heads[i] = head(match.ID(fmt.Sprintf("m%03d", i)))
	}
	open(b, s, heads...)
	var left atomic.Int64
	left.Store(int64(b.N))
	var wait sync.WaitGroup
	b.ResetTimer()
	for i := range heads {
		wait.Go(func() {
			for h := heads[i]; left.Add(-1) >= 0; {
				a := next(h, 1, fmt.Sprint("c", h.Seq))
				if err := s.Append(b.Context(), a); err != nil {
					b.Error(err)
					return
				}
				h = a.Head
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
}

func bareLoop(b *testing.B, driver, dsn string) {
	s := durable(b, dsn) // for its schema
	open(b, s, head("m"))
	address := dsn
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		address = "file:" + path + "?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)&_txlock=immediate"
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	update, err := db.Prepare("UPDATE matches SET seq = $1, last_at = $2 WHERE id = $3 AND seq = $4")
	if err != nil {
		b.Fatal(err)
	}
	insert, err := db.Prepare("INSERT INTO match_events (match_id, seq, at, kind, v, seat, command_id, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
	if err != nil {
		b.Fatal(err)
	}
	seq := 1
	b.ResetTimer()
	for range b.N {
		tx, err := db.Begin()
		if err != nil {
			b.Fatal(err)
		}
		_, err = tx.Stmt(update).Exec(seq+1, 1000, "m", seq)
		if err == nil {
			_, err = tx.Stmt(insert).Exec("m", seq+1, 1000, "resign", 1, 1, fmt.Sprint("c", seq), `{"by":"B","act":"resign"}`)
		}
		if err == nil {
			err = tx.Commit()
		}
		if err != nil {
			b.Fatal(err)
		}
		seq++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
}
