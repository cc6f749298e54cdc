package live_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

// mostIdle is what a running match may cost a node that has it cached.
const mostIdle = 16 << 10

// TestAnIdleMatchIsSmall measures what stays of matches of 24 acts, after a collection.
// It is not parallel: nothing else is made meanwhile.
func TestAnIdleMatchIsSmall(t *testing.T) {
	if got := idleMatch(t, 100); got > mostIdle {
		t.Errorf("an idle match holds %.0f bytes", got)
	}
}

// BenchmarkIdleMatch is the same figure.
func BenchmarkIdleMatch(b *testing.B) { b.ReportMetric(idleMatch(b, b.N), "B/match") }

// idleMatch is what each of n matches holds.
func idleMatch(t testing.TB, n int) float64 {
	s := storetest.SQLite(t)
	storetest.Players(t, s, string(anna), string(bohdan))
	r, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	players, pick := [2]player.ID{anna, bohdan}, rand.New(rand.NewPCG(9, 9))
	play := func() {
		var id match.ID
		err := s.Write(t.Context(), func(tx *store.Tx) (err error) {
			id, err = r.OpenTx(tx, live.Opening{Players: players, Options: quick()})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 24 {
			state, _, err := r.State(t.Context(), id)
			if err != nil || state.Status() == match.Over {
				break
			}
			c, err := command(state, pick)
			if err != nil {
				t.Fatal(err)
			}
			seat, _ := state.ToAct()
			if _, err := r.Do(t.Context(), id, players[seat.Index()], live.Request{Command: c}); err != nil {
				t.Fatal(err)
			}
		}
	}
	play() // what the first one needs besides
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range n {
		play()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	return (float64(after.HeapAlloc) - float64(before.HeapAlloc)) / float64(n)
}
