package scene

import (
	"errors"
	"time"

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

// FrameRematch adds the link to offer a rematch of a challenge's match, or to answer an offer.
func FrameRematch(tx *store.Tx, p lang.Printer, head store.Head, me player.ID, now time.Time, f *MatchFrame) error {
	_, err := tx.ChallengeOf(head.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	offered, err := tx.RematchOf(head.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	l := matchview.LinkView{Text: p.T("challenge.rematch"), URL: words.MatchURL(head.ID) + "/rematch", Main: true, Posts: true}
	switch {
	case offered.Match != "":
		l.Posts = false // leads to the rematch
	case offered.ID == "" || !now.Before(offered.Expires):
	case offered.Challenger == me:
		l.Text, l.Posts = p.T("challenge.rematch.offered"), false
	default:
		l.Text, l.Posts = p.T("challenge.rematch.accept"), offered.Settings.Policy.OrOpen().Level.String() == "open"
		if l.Posts { // else its page tells first what it demands
			l.URL = words.ChallengeURL(offered.ID) + "/accept"
		}
	}
	f.Next = append(f.Next, l)
	return nil
}
