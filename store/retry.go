package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	attempts   = 12                     // at one change
	firstPause = 2 * time.Millisecond   // at most, before the second attempt; doubles each time
	mostPause  = 250 * time.Millisecond // at most, before any attempt
)

// Retry calls f again while another writer comes first (ErrConflict), a bounded number of
// times. f begins with its read. The pauses grow and are random, so that nodes do not
// meet again and again.
func Retry(ctx context.Context, f func() error) error {
	return retry(ctx, f, func(err error) bool { return errors.Is(err, ErrConflict) })
}

func retry(ctx context.Context, f func() error, again func(error) bool) error {
	pause := firstPause
	for left := attempts - 1; ; left-- {
		err := f()
		if left == 0 || !again(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(rand.N(pause)):
		}
		pause = min(2*pause, mostPause)
	}
}

// conflicting marks the error of a transaction with ErrConflict where other transactions
// caused it. Inside the transaction it is not marked, so that nobody takes it for a guard
// that has refused.
func conflicting(err error) error {
	if isRace(err) {
		return errors.Join(ErrConflict, err)
	}
	return err
}

// isRace reports whether PostgreSQL undid a transaction only because of what others did at
// the same time: a serialization failure or a deadlock.
func isRace(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}
