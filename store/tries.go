package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// tryLife is how long the answer to a try is kept.
const tryLife = day

// ErrRepeated undoes a write because another one has been committed under the key of its try.
var ErrRepeated = errors.New("store: done already")

// Try is one attempt at something: a form as it was rendered once, or a program's request with a key of its own. The
// first write of its request claims the key in its own transaction, so that of all requests under one key only one
// does anything, on whichever nodes they run and whichever of them fail.
type Try struct {
	Key     string // digest of the key and of whose it is
	Content string // digest of what was sent
	Who     string // digest of the key and the account; empty: a visitor
	At      time.Time

	mu       sync.Mutex
	acted    bool
	repeated bool
}

// HasActed reports whether the request has changed anything.
func (t *Try) HasActed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.acted
}

// IsRepeat reports whether a write of the request was undone because another request had acted before.
func (t *Try) IsRepeat() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.repeated
}

// KeptTry is a try that has acted. The answer is sealed; nil while it is being made or where it was lost, empty where
// there will be none.
type KeptTry struct {
	Content, Who string
	At           time.Time
	Answer       *string
}

type tryRow struct {
	Digest  string `gorm:"primaryKey"`
	Content string
	Who     string
	At      int64
	Answer  *string
}

func (tryRow) TableName() string { return "tries" }

func (r tryRow) kept() KeptTry { return KeptTry{r.Content, r.Who, at(r.At), r.Answer} }

type tryKey struct{}

// WithTry makes the writes of a request those of a try.
func WithTry(ctx context.Context, t *Try) context.Context { return context.WithValue(ctx, tryKey{}, t) }

// ofTry runs a write for the try of its request, if it has one.
func ofTry(ctx context.Context, f func(*Tx) error, write func(func(*Tx) error) error) error {
	t, ok := ctx.Value(tryKey{}).(*Try)
	if !ok {
		return write(f)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.acted {
		return write(f)
	}
	err := write(func(tx *Tx) error {
		// First, so that whoever comes second is refused by nothing that the first has done.
		if err := tx.claim(t); err != nil {
			return err
		}
		return f(tx)
	})
	t.acted = err == nil
	t.repeated = t.repeated || errors.Is(err, ErrRepeated)
	return err
}

// claimTry claims the key of a request's try before a change that is no Write of its own, the acts of matches. If the
// node dies in between, repeats are told that the answer was lost.
func (s *Store) claimTry(ctx context.Context) error {
	if t, ok := ctx.Value(tryKey{}).(*Try); !ok || t.HasActed() {
		return nil
	}
	return s.Write(ctx, func(*Tx) error { return nil })
}

func (tx *Tx) claim(t *Try) error {
	err := tx.db.Create(&tryRow{Digest: t.Key, Content: t.Content, Who: t.Who, At: ms(t.At)}).Error
	if errors.Is(err, ErrTaken) {
		return ErrRepeated
	}
	return wrap(err, "claim try")
}

// KeptTry finds the try that has acted under a key; ErrNotFound: none has.
func (tx *Tx) KeptTry(key string) (KeptTry, error) {
	return findOne(tx.db.Where("digest = ?", key), tryRow.kept, "kept try")
}

// AnswerTry keeps the answer to a try.
func (tx *Tx) AnswerTry(key, answer string) error {
	return wrap(existing(tx.db.Exec("UPDATE tries SET answer = ? WHERE digest = ?", answer, key)), "answer try")
}

// SweepTries forgets old tries.
func (tx *Tx) SweepTries(now time.Time) error {
	return wrap(tx.db.Exec("DELETE FROM tries WHERE at < ?", ms(now.Add(-tryLife))).Error, "sweep tries")
}
