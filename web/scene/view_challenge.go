package scene

import (
	"errors"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// FrameChallenge adds the challenge that led to a match, and its rating changes.
func FrameChallenge(tx *store.Tx, p lang.Printer, head store.Head, f *MatchFrame) error {
	c, err := tx.ChallengeOf(head.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	f.Event = matchview.EventLink{Name: p.T("challenge.name"), URL: words.ChallengeURL(c.ID), Detail: p.T("challenge.rating.unrated")}
	if !c.Settings.Rated {
		return nil
	}
	f.Event.Detail = p.T("challenge.rating.rated")
	changes, err := tx.RatingChangesOfChallenge(c.ID)
	for _, change := range changes {
		if change.Reason == rating.Started {
			continue
		}
		for i, id := range head.Players {
			if player.ID(change.Player) == id {
				f.Ratings = append(f.Ratings, matchview.RatingView{
					Name: f.Players[i].Name, Before: change.Before.String(), After: change.After.String(),
					Delta: p.Signed(change.After.Whole() - change.Before.Whole()), Up: change.After > change.Before,
				})
			}
		}
	}
	return err
}
