package site

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"
)

func TestAJobThatPanicsIsAskedAgain(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	var failures atomic.Int64
	told := func(name string, _ time.Duration, failed bool) {
		if name == "broken" && failed {
			failures.Add(1)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	stop, err := startJobs(ctx, []job{{"broken", time.Millisecond, func(ctx context.Context) error {
		select {
		case asked <- struct{}{}:
		case <-ctx.Done():
		}
		panic("no")
	}}}, told, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		select {
		case <-asked:
		case <-time.After(time.Minute):
			t.Fatal("not asked again")
		}
	}
	cancel()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if failures.Load() < 2 {
		t.Errorf("%d failures were told of", failures.Load())
	}
}
