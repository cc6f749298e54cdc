package live_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
)

func TestZZPace(t *testing.T) {
	if os.Getenv("ZZ") == "" {
		t.Skip()
	}
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "chpok.db")
	if os.Getenv("ZZ") == "pg" {
		dsn = storetest.DurableDSN(t)
	}
	rate, _ := strconv.Atoi(os.Getenv("ZZRATE"))
	s, err := store.Open(t.Context(), dsn, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := 1000
	var names []string
	for i := range 2 * n {
		names = append(names, fmt.Sprintf("p%04d", i))
	}
	storetest.Players(t, s, names...)
	r, err := live.New(s, live.NewInProcess(), live.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	options := match.DefaultOptions()
	options.Envelope.Chips, options.Envelope.Defaults.MoveLimit = 1, options.Envelope.MoveLimit[1]
	options.Claims = match.Manual
	type bd struct {
		id    match.ID
		p     [2]player.ID
		seq   int64
		plies int
	}
	boards := make([]*bd, n)
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		for i := range boards {
			b := &bd{p: [2]player.ID{player.ID(names[2*i]), player.ID(names[2*i+1])}}
			if b.id, err = r.OpenTx(tx, live.Opening{Players: b.p, Options: options}); err != nil {
				return err
			}
			boards[i] = b
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	bids := []match.Command{
		match.PlaceBid{Seat: match.First, Bid: bidding.Bid{Target: bidding.White, Chips: 1}},
		match.PlaceBid{Seat: match.Second, Bid: bidding.Bid{Target: bidding.Time, Chips: 1, HasOutcome: true,
			Time: bidding.TimeControl{Minutes: bidding.MaxMinutes, Increment: bidding.MaxIncrement}}},
	}
	var wg sync.WaitGroup
	for _, b := range boards {
		wg.Go(func() {
			for k, bid := range bids {
				if b.seq, err = r.Do(context.Background(), b.id, b.p[k], live.Request{Command: bid}); err != nil {
					panic(err)
				}
			}
		})
	}
	wg.Wait()
	var mu sync.Mutex
	var took []time.Duration
	free := make(chan *bd, n)
	for _, b := range boards {
		free <- b
	}
	time.Sleep(time.Second)
	var u0, u1 syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u0)
	begun := time.Now()
	knights := [4]string{"b1c3", "b8c6", "c3b1", "c6b8"}
	g0 := s.Stats().Groups
	for due := begun; time.Since(begun) < 10*time.Second; due = due.Add(time.Second / time.Duration(rate)) {
		time.Sleep(time.Until(due))
		wg.Go(func() {
			b := <-free
			act, _ := board.ParseAction(knights[b.plies%4])
			seat := []match.Seat{match.First, match.Second}[b.plies%2]
			seq := b.seq
			next, err := r.Do(context.Background(), b.id, b.p[seat.Index()], live.Request{CommandID: fmt.Sprint(b.plies), Seq: &seq, Command: match.Play{Seat: seat, Action: act}})
			if err != nil {
				panic(err)
			}
			b.seq = next
			b.plies++
			d := time.Since(due)
			mu.Lock()
			took = append(took, d)
			mu.Unlock()
			free <- b
		})
	}
	wg.Wait()
	syscall.Getrusage(syscall.RUSAGE_SELF, &u1)
	slices.Sort(took)
	q := func(p float64) time.Duration { return took[int(p*float64(len(took)-1))].Round(10 * time.Microsecond) }
	cpu := time.Duration(u1.Utime.Nano() + u1.Stime.Nano() - u0.Utime.Nano() - u0.Stime.Nano())
	fmt.Printf("n=%d groups=%d p50=%v p90=%v p99=%v p99.9=%v max=%v cpu/move=%v out=%dKB/move\n", len(took), s.Stats().Groups-g0, q(.5), q(.9), q(.99), q(.999), q(1), cpu/time.Duration(len(took)), (u1.Oublock-u0.Oublock)/2/int64(len(took)))
}
