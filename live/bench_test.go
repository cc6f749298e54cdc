package live_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// BenchmarkDo plays matches through the runner, every command durable: decided,
// appended, told; with the place that the client has seen and without. It reports the median and the 99th percentile of one command.
func BenchmarkDo(b *testing.B) {
	for _, database := range []struct {
		name string
		dsn  func(testing.TB) string
	}{
		{"SQLite", func(b testing.TB) string { return "sqlite:" + filepath.Join(b.TempDir(), "chpok.db") }},
		{"PostgreSQL", storetest.PostgresDSN},
	} {
		for _, matches := range []int{1, 200} {
			for _, names := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/matches-%d/names-place-%t", database.name, matches, names),
					func(b *testing.B) { benchDo(b, database.dsn(b), matches, names) })
			}
		}
	}
}

func benchDo(b *testing.B, dsn string, matches int, names bool) {
	s, err := store.Open(b.Context(), dsn, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	storetest.Players(b, s, string(anna), string(bohdan))
	r, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(r.Close)
	players := [2]player.ID{anna, bohdan}
	var left atomic.Int64
	left.Store(int64(b.N))
	times := make([][]time.Duration, matches)
	var wait sync.WaitGroup
	b.ResetTimer()
	for m := range matches {
		wait.Go(func() {
			pick := rand.New(rand.NewPCG(5, uint64(m)))
			for left.Load() > 0 {
				var id match.ID
				err := s.Write(context.Background(), func(tx *store.Tx) (err error) {
					id, err = r.OpenTx(tx, live.Opening{Players: players, Options: quick()})
					return err
				})
				if err != nil {
					b.Error(err)
					return
				}
				for left.Add(-1) >= 0 {
					state, _, err := r.Latest(context.Background(), id)
					if err != nil {
						b.Error(err)
						return
					}
					if state.Status() == match.Over {
						break
					}
					c, err := command(state, pick)
					if err != nil {
						b.Error(err)
						return
					}
					seat, _ := state.ToAct()
					began, q := time.Now(), live.Request{CommandID: fmt.Sprint(state.Seq()), Command: c}
					if seq := state.Seq(); names {
						q.Seq = &seq
					}
					if _, err := r.Do(context.Background(), id, players[seat.Index()], q); err != nil {
						b.Error(err)
						return
					}
					times[m] = append(times[m], time.Since(began))
				}
			}
		})
	}
	wait.Wait()
	all := slices.Concat(times...)
	slices.Sort(all)
	if len(all) == 0 {
		return
	}
	b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "commands/s")
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
}
