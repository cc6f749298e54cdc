package main

import (
	"context"
	"log/slog"
	"testing"
	"time"
)

func TestAJobThatPanicsIsAskedAgain(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	stop, err := startJobs(ctx, []job{{"broken", time.Millisecond, func(ctx context.Context) error {
		select {
		case asked <- struct{}{}:
		case <-ctx.Done():
		}
		panic("no")
	}}}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		select {
		case <-asked:
		case <-time.After(20 * time.Second):
			t.Fatal("not asked again")
		}
	}
	cancel()
	if err := stop(); err != nil {
		t.Error(err)
	}
}
