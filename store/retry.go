package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	attempts   = 12                     // of one change
	firstPause = 2 * time.Millisecond   // the most before the second attempt; doubled each time
	mostPause  = 250 * time.Millisecond // the most before any
)

// Retry does f again as long as another writer came first (ErrConflict), a bounded
// number of times. f begins with its read. The pauses between are longer each time
// and left to chance, so that nodes do not meet again and again.
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

// conflicting is the error of a transaction, which is ErrConflict where others are
// the reason. Inside of a transaction that is not said: what is judged there must
// not take it for a guard that has refused.
func conflicting(err error) error {
	if isRace(err) {
		return errors.Join(ErrConflict, err)
	}
	return err
}

// isRace tells whether PostgreSQL undid a transaction only because of what others
// did at that moment: a serialization failure or a deadlock.
func isRace(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}
