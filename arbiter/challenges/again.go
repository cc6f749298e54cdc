package challenges

import (
	"context"
	"errors"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/challenge"
)

// ErrNoOther says that only matches from the lobby and against bots of the house lead to another
// opponent on the same terms.
var ErrNoOther = refusal.Conflict("challenge.error.no-other", "challenge: no other opponent for these terms")

// Another is who plays next on the terms of a match that is over: a bot of the house, or anybody
// in the lobby but the opponent.
type Another struct {
	Bot   player.Handle // empty: somebody in the lobby
	Lobby string        // empty, without a Bot either: nobody
}

// AnotherFor returns whom a player of a finished match of a challenge can play next: after a bot
// the next one, stronger if they won.
func AnotherFor(tx *store.Tx, c challenge.Challenge, head store.Head, by player.ID) (Another, error) {
	seat := head.SeatOf(by)
	if c.Settings.Lobby != "" || !seat.Valid() || !head.Bots[seat.Other().Index()] {
		return Another{Lobby: c.Settings.Lobby}, nil
	}
	opponent, err := tx.Player(head.Players[seat.Other().Index()])
	bot, ok := house.Named(opponent.Handle)
	if err != nil || !ok || !opponent.IsHouse() {
		return Another{}, err
	}
	winner, _ := head.Result.Outcome.Winner()
	next := bot.Beside(winner == seat)
	if _, err := kernel.PlayerByHandle(tx, string(next.Handle)); err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = nil // the site does without it
		}
		return Another{}, err
	}
	return Another{Bot: next.Handle}, nil
}

// PlayAnother plays on, on the terms of a finished match, with another opponent. An offer of a
// rematch that waits is withdrawn. Errors: those of Send and Pair, challenge.ErrNotPlayed,
// challenge.ErrNotOver and ErrNoOther.
func (a *Office) PlayAnother(ctx context.Context, by player.Viewer, of match.ID) (challenge.Challenge, error) {
	var c, offered challenge.Challenge
	var head store.Head
	var next Another
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if c, err = tx.ChallengeOf(of); err != nil {
			return err
		}
		if head, err = tx.Match(of); err != nil {
			return err
		}
		if offered, err = tx.RematchOf(of); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		next, err = AnotherFor(tx, c, head, by.ID)
		return err
	})
	switch {
	case err != nil:
		return c, err
	case !head.SeatOf(by.ID).Valid():
		return c, challenge.ErrNotPlayed
	case head.Status != match.Over:
		return c, challenge.ErrNotOver
	case next == Another{}:
		return c, ErrNoOther
	}
	if offered.MayWithdraw(by, a.Now()) == nil {
		if _, err := a.Withdraw(ctx, by, offered.ID); err != nil && !errors.Is(err, challenge.ErrClosed) {
			return c, err
		}
	}
	if next.Bot != "" {
		return a.Send(ctx, by, string(next.Bot), c.Settings)
	}
	seek := challenge.SeekUnrated
	switch {
	case c.Settings.Either && by.HasAccount():
		seek = challenge.SeekAny
	case c.Settings.Rated:
		seek = challenge.SeekRated
	}
	s, ok := challenge.ForAnyone(next.Lobby, seek)
	if !ok {
		return c, ErrNoOther
	}
	return a.pair(ctx, by, s, head.Players[head.SeatOf(by.ID).Other().Index()])
}
