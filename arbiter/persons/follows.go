package persons

import (
	"context"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
)

// Follow makes an account follow another; player.ErrFollow if that one does not want it.
func (a *Office) Follow(ctx context.Context, by player.Viewer, handle string) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		x, err := kernel.PlayerByHandle(tx, handle)
		if err != nil {
			return err
		}
		profile, err := tx.Profile(x.ID)
		if err != nil {
			return err
		}
		relation, err := tx.Relation(by, x.ID)
		if err != nil {
			return err
		}
		if err := by.MayFollow(x, profile.Privacy, relation); err != nil {
			return err
		}
		return tx.Follow(by.ID, x.ID, a.Now())
	})
}

// FollowClub makes an account follow a club.
func (a *Office) FollowClub(ctx context.Context, by player.Viewer, id club.ID) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Club(id); err != nil {
			return err
		}
		return tx.FollowClub(by.ID, id, a.Now())
	})
}

// How old a match may be to tell of it, how long it is news, and how many are told of at
// once.
const (
	friendsSince = 20 * time.Minute
	friendsNews  = 30 * time.Minute
	friendsTold  = 500
)

// TellFollowers tells followers that somebody has begun to play: once a day per player
// followed, so that an evening of ten matches is one notice.
func (a *Office) TellFollowers(ctx context.Context) error {
	now := a.Now()
	day := now.UTC().Format(time.DateOnly)
	var notices []notice.Notice // found before anything is locked: mostly none
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.FriendsToTell(now.Add(-friendsSince), notice.FollowedPlays.Name(), day, friendsTold)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, x := range list {
			h, err := tx.Match(x.Match)
			if err != nil {
				return err
			}
			names, err := tx.NamesIn(h)
			if err != nil {
				return err
			}
			followed := h.SeatOf(x.Followed)
			notices = append(notices, notice.Notice{
				To: x.Follower, Kind: notice.FollowedPlays, Key: string(x.Followed) + "/" + day, URL: kernel.MatchPath(x.Match),
				Until: now.Add(friendsNews),
				Args:  map[string]string{"Player": names[followed.Index()], "Opponent": names[followed.Other().Index()]},
			})
		}
		return nil
	})
	if err != nil || len(notices) == 0 {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return a.Notify(tx, notices...) })
}
