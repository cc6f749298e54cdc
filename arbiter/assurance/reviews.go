package assurance

import (
	"context"
	"fmt"

	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

var errReviews = refusal.Kindred(tournament.ErrProvisional, "desk.error.reviews", "arbiter: reviews can change the results")

// What one arbiter alone may not do to a player's results.
var (
	ErrReviewRuns   = refusal.Conflict("review.error.runs", "arbiter: the player is under review; results need two decisions there")
	ErrReviewStands = refusal.Conflict("review.error.stands", "arbiter: decided by two in a review; only an appeal can reverse it")
	ErrOfPlay       = refusal.Invalid("review.error.of-play",
		"arbiter: a single arbiter may disqualify for conduct only; doubts about play need a review")
)

// ReviewsDone is tournament.ErrProvisional while reviews can change the results. It
// counts them, without one about the viewer, who may not know of it.
func (a *Office) ReviewsDone(ctx context.Context, t *tournament.Tournament, by player.Viewer) error {
	return a.Store.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.ReviewsIn(t.ID.Place())
		if err != nil {
			return err
		}
		held, known := false, 0
		for _, r := range list {
			if !r.HoldsResults(t.Policy.OrOpen().Level) {
				continue
			}
			held = true
			if (Bench{Tournament: t}).May(by, r.Player) {
				known++
			}
		}
		switch {
		case known > 0:
			return refusal.Case(errReviews,
				fmt.Sprintf("arbiter: reviews that can change the results: %d", known), "Count", known)
		case held:
			return tournament.ErrProvisional
		}
		return nil
	})
}

// MayExpel is nil, or ErrReviewRuns.
func (a *Office) MayExpel(ctx context.Context, t *tournament.Tournament, e tournament.EntryID) error {
	return a.Reviewed(ctx, t, e, ErrReviewRuns, (*review.Review).Runs)
}

// MayReinstate is nil, or ErrReviewStands.
func (a *Office) MayReinstate(ctx context.Context, t *tournament.Tournament, e tournament.EntryID) error {
	return a.Reviewed(ctx, t, e, ErrReviewStands, func(r *review.Review) bool { return r.Stands(review.DecideAnnul) && !r.Before })
}

// Reviewed is refused if is holds for a review of an entry's player.
func (a *Office) Reviewed(ctx context.Context, t *tournament.Tournament, e tournament.EntryID, refused error,
	is func(*review.Review) bool) error {
	return a.Store.Read(ctx, func(tx *store.Tx) error { return reviewed(tx, t, e, refused, is) })
}

// MayExpelIn is MayExpel inside of a write.
func MayExpelIn(tx *store.Tx, t *tournament.Tournament, e tournament.EntryID) error {
	return reviewed(tx, t, e, ErrReviewRuns, (*review.Review).Runs)
}

func reviewed(tx *store.Tx, t *tournament.Tournament, e tournament.EntryID, refused error, is func(*review.Review) bool) error {
	entry, err := t.Entry(e)
	if err != nil || entry.Player == "" {
		return err
	}
	list, err := tx.ReviewsIn(t.ID.Place())
	for _, r := range list {
		if r.Player == entry.Player && is(&r.Review) {
			return refused
		}
	}
	return err
}
