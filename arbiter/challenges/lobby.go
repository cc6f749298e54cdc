package challenges

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/challenge"
)

// LobbyTopic wakes those who watch the challenges that anybody may accept.
const LobbyTopic = "lobby"

// lobbySize is how many of them are looked at.
const lobbySize = 200

// errSomebodyWaits ends the offer of somebody who can be paired at once.
var errSomebodyWaits = errors.New("arbiter: somebody waits")

// Pair brings the viewer together with somebody who looks for the same: in a match with
// one who waits, or as the next one to wait. A viewer who waits already goes on. A newcomer
// who leaves it open whether the match is rated gets one that welcomes them. Errors: those
// of Send.
func (a *Office) Pair(ctx context.Context, by player.Viewer, s challenge.Settings) (challenge.Challenge, error) {
	return a.pair(ctx, by, s, "")
}

// pair is Pair with anybody but one player.
func (a *Office) pair(ctx context.Context, by player.Viewer, s challenge.Settings, not player.ID) (challenge.Challenge, error) {
	if s.Either {
		isNew, err := store.Get(ctx, a.Store, func(tx *store.Tx) (bool, error) { return tx.IsNewcomer(by.ID) })
		if err != nil {
			return challenge.Challenge{}, err
		}
		s.Either = !isNew
	}
	refused := map[challenge.ID]bool{}
	id := challenge.ID(store.NewID())
	for {
		var found challenge.Challenge
		made, err := a.offer(ctx, func(tx *store.Tx, now time.Time) (c challenge.Challenge, to player.Player, err error) {
			lobby, err := tx.Lobby(now, lobbySize)
			if err != nil {
				return c, to, err
			}
			var open []challenge.Challenge
			for _, c := range lobby {
				if c.Challenger == by.ID && c.Settings.Lobby == s.Lobby && c.Settings.Rated == s.Rated && c.Settings.Either == s.Either {
					found = c
					return c, to, errSomebodyWaits // the viewer
				}
				if !refused[c.ID] && c.Challenger != not {
					open = append(open, c)
				}
			}
			ratings, err := lobbyRatings(tx, by.ID, open)
			if err != nil {
				return c, to, err
			}
			if best, ok := challenge.Match(open, by.ID, s, ratings); ok {
				found = best
				return c, to, errSomebodyWaits
			}
			return a.newChallenge(tx, challenge.Offer{ID: id, By: by, Settings: s}, player.Player{}, now)
		})
		switch {
		case !errors.Is(err, errSomebodyWaits):
			return made, err
		case found.Challenger == by.ID:
			return found, nil
		}
		made, err = a.accept(ctx, by, found.ID, s.Met)
		if !errors.Is(err, challenge.ErrClosed) && !errors.Is(err, challenge.ErrExpired) && !errors.Is(err, ErrOtherUnmet) {
			return made, err
		}
		refused[found.ID] = true
	}
}

func lobbyRatings(tx *store.Tx, by player.ID, lobby []challenge.Challenge) (map[player.ID]rating.Rating, error) {
	ids := []player.ID{by}
	for _, c := range lobby {
		ids = append(ids, c.Challenger)
	}
	states, err := tx.Ratings(ids...)
	out := make(map[player.ID]rating.Rating, len(states))
	for id, s := range states {
		out[id] = s.Rating
	}
	return out, err
}
