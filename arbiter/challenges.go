package arbiter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/challenge"
)

// ChallengeTopic wakes whoever watches a challenge; its seq is the status.
func ChallengeTopic(id challenge.ID) string { return "challenge." + string(id) }

// Challenge offers a match to a player by handle, or with an empty handle to
// whoever has the link. A house bot accepts at once, and there is a match.
// Errors: those of challenge.New, store.ErrNotFound for a player who is not there.
func (a *Arbiter) Challenge(ctx context.Context, by player.Viewer, handle string, s challenge.Settings) (challenge.Challenge, error) {
	id := challenge.ID(store.NewID())
	return a.offer(ctx, func(tx *store.Tx, now time.Time) (c challenge.Challenge, to player.Player, err error) {
		if handle != "" {
			h, err := player.ParseHandle(handle)
			if err != nil {
				return c, to, fmt.Errorf("%w: %w", store.ErrNotFound, err)
			}
			if to, err = tx.PlayerByHandle(h); err != nil {
				return c, to, err
			}
			if err := mayChallenge(tx, by, to); err != nil {
				return c, to, err
			}
		}
		return a.newChallenge(tx, id, by, to, s, now)
	})
}

func (a *Arbiter) newChallenge(tx *store.Tx, id challenge.ID, by player.Viewer, to player.Player, s challenge.Settings,
	now time.Time) (c challenge.Challenge, of player.Player, err error) {
	open, err := tx.OpenChallenges(by.ID, now)
	if err != nil {
		return c, to, err
	}
	if err := a.meets(tx, by, s.Policy); err != nil {
		return c, to, err
	}
	c, err = challenge.New(id, by, to, s, open, now)
	return c, to, err
}

// mayChallenge is nil or challenge.ErrNotWanted: whom a player lets challenge
// them is theirs to say. Two who have played may go on by a rematch.
func mayChallenge(tx *store.Tx, by player.Viewer, to player.Player) error {
	if to.Bot {
		return nil
	}
	profile, err := tx.Profile(to.ID)
	if err != nil {
		return err
	}
	relation, err := tx.Relation(by, to.ID)
	if err != nil {
		return err
	}
	if !profile.Privacy.Challenge.Admits(relation) && !relation.Self { // of themselves the rulebook says more
		return challenge.ErrNotWanted
	}
	return nil
}

// offer writes the challenge that judge makes in the same transaction, with a house
// bot's answer to it.
func (a *Arbiter) offer(ctx context.Context,
	judge func(*store.Tx, time.Time) (challenge.Challenge, player.Player, error)) (c challenge.Challenge, err error) {
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		var to player.Player
		if c, to, err = judge(tx, a.now()); err != nil {
			return err
		}
		if to.IsHouse() {
			if err := c.Accept(player.Viewer{Player: to}, newMatchID(), c.Created); err != nil {
				return err
			}
		}
		if err := tx.ExpireChallenges(c.Challenger, c.Rematch, c.Created); err != nil {
			return err
		}
		if c.Status == challenge.Accepted {
			if err := a.openMatchOf(tx, c); err != nil {
				return err
			}
		}
		if err := tx.AddChallenge(c); err != nil {
			return err
		}
		return a.tellOfChallenge(tx, c)
	})
	if errors.Is(err, store.ErrTaken) {
		return c, challenge.ErrTwice
	}
	if err != nil {
		return c, err
	}
	return c, a.tell(ctx, c)
}

// meets is nil, player.ErrGuestPlays, or an *fairplay.UnmetError.
func (a *Arbiter) meets(tx *store.Tx, by player.Viewer, p fairplay.Policy) error {
	if err := mayBegin(tx, by.Player); err != nil {
		return err
	}
	standing, err := StandingOf(tx, by.Player, a.now())
	if err != nil {
		return err
	}
	return p.OrOpen().Admit(standing, true)
}

// ErrOtherUnmet says that the one who offered a match may not play it any more;
// why is between them and who decided.
var ErrOtherUnmet = refusal.Conflict("fairplay.error.other-unmet", "arbiter: the other player no longer meets the match's requirements")

// bothMeet is nil, an *fairplay.UnmetError of the viewer, or ErrOtherUnmet.
func (a *Arbiter) bothMeet(tx *store.Tx, by player.Viewer, c challenge.Challenge) error {
	if err := a.meets(tx, by, c.Settings.Policy); err != nil {
		return err
	}
	other, err := tx.Player(c.Challenger)
	if err == nil {
		err = a.meets(tx, player.Viewer{Player: other}, c.Settings.Policy)
	}
	if errors.Is(err, fairplay.ErrUnmet) || errors.Is(err, player.ErrGuestPlays) {
		return ErrOtherUnmet
	}
	return err
}

func (a *Arbiter) openMatchOf(tx *store.Tx, c challenge.Challenge) error {
	options, err := handicapped(tx, c)
	if err != nil {
		return err
	}
	o := live.Opening{ID: c.Match, Players: c.Seats(), Options: options, Policy: c.Settings.Policy}
	return a.openAlone(tx, o)
}

// handicapped is on what the match of a challenge is played: with a handicap, the
// weaker player has chips for the difference in rating as it is now.
func handicapped(tx *store.Tx, c challenge.Challenge) (match.Options, error) {
	o := c.Settings.MatchOptions()
	if !c.Settings.Handicap {
		return o, nil
	}
	seats := c.Seats()
	ratings, err := tx.Ratings(seats[:]...)
	o.Extra = extraChips([2]rating.Rating{ratings[seats[0]].Rating, ratings[seats[1]].Rating})
	return o, err
}

// tell wakes whoever watches a challenge, and its match.
func (a *Arbiter) tell(ctx context.Context, c challenge.Challenge) error {
	a.live.Nudge(ChallengeTopic(c.ID), int64(c.Status))
	if c.Settings.Lobby != "" {
		a.live.Nudge(LobbyTopic, a.now().UnixMilli())
	}
	for _, id := range c.Seats() {
		if id != "" {
			a.live.Nudge(live.PlayerTopic(id), a.now().UnixMilli())
		}
	}
	if c.Status != challenge.Accepted {
		return nil
	}
	return a.live.Opened(ctx, c.Match)
}

// AcceptChallenge makes a match of a challenge, in one transaction with it.
// Whoever accepts is there, so they are ready for the match where that asks for no more. Errors: those of
// challenge.MayAccept, store.ErrNotFound.
func (a *Arbiter) AcceptChallenge(ctx context.Context, by player.Viewer, id challenge.ID) (challenge.Challenge, error) {
	return a.accept(ctx, by, id, func(s challenge.Settings) challenge.Settings { return s })
}

// accept is AcceptChallenge under settings that follow from those of the challenge.
func (a *Arbiter) accept(ctx context.Context, by player.Viewer, id challenge.ID,
	on func(challenge.Settings) challenge.Settings) (challenge.Challenge, error) {
	c, err := a.answer(ctx, id, func(tx *store.Tx, c *challenge.Challenge) error {
		c.Settings = on(c.Settings)
		if err := c.MayAccept(by, a.now()); err != nil {
			return err
		}
		if err := a.bothMeet(tx, by, *c); err != nil {
			return err
		}
		return c.Accept(by, match.ID(store.NewID()), a.now())
	})
	if err != nil || c.Settings.Lateness == 0 {
		return c, err
	}
	ready := match.Ready{Seat: c.Seat.Other()}
	_, err = a.live.Do(ctx, c.Match, by.ID, live.Request{Command: ready, Admit: a.admits(by, ready)})
	if err != nil && !errors.Is(err, ErrCheckIn) && !errors.Is(err, ErrSteward) {
		a.log.Warn("acceptor not ready", "challenge", id, "match", c.Match, "err", err) // they can say so themselves
	}
	return c, nil
}

// DeclineChallenge says no.
func (a *Arbiter) DeclineChallenge(ctx context.Context, by player.Viewer, id challenge.ID) (challenge.Challenge, error) {
	return a.answer(ctx, id, func(_ *store.Tx, c *challenge.Challenge) error { return c.Decline(by, a.now()) })
}

// WithdrawChallenge takes a challenge back.
func (a *Arbiter) WithdrawChallenge(ctx context.Context, by player.Viewer, id challenge.ID) (challenge.Challenge, error) {
	return a.answer(ctx, id, func(_ *store.Tx, c *challenge.Challenge) error { return c.Withdraw(by, a.now()) })
}

// answer closes a challenge as f decides, in one transaction with what f reads: a
// guest who accepts two challenges at once plays one match.
func (a *Arbiter) answer(ctx context.Context, id challenge.ID,
	f func(*store.Tx, *challenge.Challenge) error) (c challenge.Challenge, err error) {
	err = a.inTurn(ctx, string(id), func(ctx context.Context) error {
		return a.store.Write(ctx, func(tx *store.Tx) (err error) {
			if c, err = tx.Challenge(id); err != nil {
				return err
			}
			if err := f(tx, &c); err != nil {
				return err
			}
			if c.Status == challenge.Accepted {
				if err := a.openMatchOf(tx, c); err != nil {
					return err
				}
			}
			if err := tx.CloseChallenge(c); err != nil {
				return err
			}
			return a.tellOfChallenge(tx, c)
		})
	})
	if err != nil {
		return c, err
	}
	return c, a.tell(ctx, c)
}

// Rematch offers to play the match of a challenge again, with the seats
// swapped. Where the other one has offered it already, that is accepted; where
// one's own offer waits, or there is a match, that is the answer. Errors: those of
// challenge.NewRematch, store.ErrNotFound for a match of no challenge.
func (a *Arbiter) Rematch(ctx context.Context, by player.Viewer, of match.ID) (challenge.Challenge, error) {
	var c challenge.Challenge
	err := store.Retry(ctx, func() error {
		now := a.now()
		var before, offered challenge.Challenge
		var played challenge.Played
		var open int
		err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
			if before, err = tx.ChallengeOf(of); err != nil {
				return err
			}
			if played, err = playedMatch(tx, of); err != nil {
				return err
			}
			if offered, err = tx.RematchOf(of); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			open, err = tx.OpenChallenges(by.ID, now)
			return err
		})
		if err != nil {
			return err
		}
		c, err = challenge.NewRematch(challenge.ID(store.NewID()), by, played, before.Settings, open, now)
		switch {
		case errors.Is(err, challenge.ErrTooMany) && offered.StatusAt(now) == challenge.Open:
			// accepting is no further challenge
		case err != nil:
			return err
		}
		switch status := offered.StatusAt(now); {
		case status == challenge.Accepted, status == challenge.Open && by.Is(offered.Challenger):
			c = offered
			return nil
		case status == challenge.Open:
			c, err = a.AcceptChallenge(ctx, by, offered.ID)
			return err
		}
		c, err = a.offer(ctx, func(tx *store.Tx, now time.Time) (challenge.Challenge, player.Player, error) {
			open, err := tx.OpenChallenges(by.ID, now)
			if err == nil {
				err = a.meets(tx, by, before.Settings.Policy)
			}
			if err != nil {
				return c, player.Player{}, err
			}
			again, err := challenge.NewRematch(c.ID, by, played, before.Settings, open, now)
			return again, played.Players[c.Seat.Index()], err
		})
		if errors.Is(err, challenge.ErrTwice) { // the other one was quicker with the same offer
			return errors.Join(store.ErrConflict, err)
		}
		return err
	})
	return c, err
}

func playedMatch(tx *store.Tx, id match.ID) (challenge.Played, error) {
	head, err := tx.Match(id)
	if err != nil {
		return challenge.Played{}, err
	}
	accounts, err := tx.Players(head.Players[:]...)
	return challenge.Played{
		Match: id, Players: [2]player.Player{accounts[head.Players[0]], accounts[head.Players[1]]}, IsOver: head.Status == match.Over,
	}, err
}

// rateChallengeOf applies the result of a match to the ratings, if it was a
// rated challenge's.
func (a *Arbiter) rateChallengeOf(ctx context.Context, id match.ID) error {
	var c challenge.Challenge
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		c, err = tx.ChallengeOf(id)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.rateChallenge(ctx, c.ID)
}

// rateChallenge applies the result of a rated challenge to the ratings, once. A
// match that nobody played is no game.
func (a *Arbiter) rateChallenge(ctx context.Context, id challenge.ID) error {
	_, err := a.rateEvent(ctx, store.RatedEvent{Challenge: id}, func(tx *store.Tx) (due, error) {
		c, err := tx.Challenge(id)
		if err != nil || !c.Settings.Rated || c.Match == "" || !c.RatedAt.IsZero() {
			return due{}, err
		}
		head, err := tx.Match(c.Match)
		return due{ok: isPlayed(head), ended: head.LastAt, handicap: c.Settings.Handicap}, err
	})
	return err
}

// sweepChallenges closes the challenges whose time is over.
func (a *Arbiter) sweepChallenges(ctx context.Context) error {
	now := a.now()
	var due []challenge.Challenge
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.DueChallenges(now, sweepSize)
		return err
	})
	if err != nil {
		return err
	}
	for _, c := range due {
		c.Expire(now)
		err := a.store.Write(ctx, func(tx *store.Tx) error { return tx.CloseChallenge(c) })
		if errors.Is(err, store.ErrConflict) {
			continue // it was answered at the last moment, or another node was quicker
		}
		if err == nil {
			err = a.tell(ctx, c)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.log.Error("challenge not expired", "challenge", c.ID, "err", err)
		}
	}
	return nil
}

// challengeStatuses is where challenges stand, for nudges that were lost.
func (a *Arbiter) challengeStatuses(ctx context.Context, ids []string) (map[string]int64, error) {
	wanted := make([]challenge.ID, len(ids))
	for i, id := range ids {
		wanted[i] = challenge.ID(id)
	}
	found := map[string]int64{}
	err := a.store.Read(ctx, func(tx *store.Tx) error {
		statuses, err := tx.ChallengeStatuses(wanted)
		for id, status := range statuses {
			found[string(id)] = int64(status)
		}
		return err
	})
	return found, err
}
