package challenges

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament/challenge"
)

// Topic wakes those who watch a challenge; seq is its status.
func Topic(id challenge.ID) string { return "challenge." + string(id) }

// Send offers a match to a player by handle, or with an empty handle to anybody with the
// link. A house bot accepts at once. Errors: those of challenge.New, and
// store.ErrNotFound without such a player.
func (a *Office) Send(ctx context.Context, by player.Viewer, handle string, s challenge.Settings) (challenge.Challenge, error) {
	id := challenge.ID(store.NewID())
	return a.offer(ctx, func(tx *store.Tx, now time.Time) (c challenge.Challenge, to player.Player, err error) {
		if handle != "" {
			if to, err = kernel.PlayerByHandle(tx, handle); err != nil {
				return c, to, err
			}
			if err := mayChallenge(tx, by, to); err != nil {
				return c, to, err
			}
		}
		return a.newChallenge(tx, challenge.Offer{ID: id, By: by, Settings: s}, to, now)
	})
}

func (a *Office) newChallenge(tx *store.Tx, o challenge.Offer, to player.Player, now time.Time) (c challenge.Challenge, of player.Player,
	err error) {
	if o.Open, err = tx.OpenChallenges(o.By.ID, now); err != nil {
		return c, to, err
	}
	if err := a.assurance.Meets(tx, o.By, o.Settings.Policy); err != nil {
		return c, to, err
	}
	if c, err = challenge.New(o, to, now); err != nil {
		return c, to, err
	}
	return c, to, botsMay(tx, o.By, to, c)
}

// botsMay returns nil, or the refusal of a bot's rules: of the one that is challenged, or of the challenger's own.
func botsMay(tx *store.Tx, by player.Viewer, to player.Player, c challenge.Challenge) error {
	if by.Bot {
		if err := mayPlayMore(tx, by.ID, c.Settings); err != nil {
			return err
		}
	}
	if !to.Bot || to.IsHouse() {
		return nil
	}
	rules, err := tx.BotRules(to.ID)
	if err != nil {
		return err
	}
	asked := player.Asked{Longest: c.Settings.WorstCase()}
	if asked.By, err = tx.Relation(by, to.Maintainer); err != nil {
		return err
	}
	rated, err := tx.Ratings(by.ID)
	if err != nil {
		return err
	}
	asked.Rating = rated[by.ID].Rating.Whole()
	running, err := tx.RunningOf(to.ID)
	asked.Running = len(running)
	if err != nil {
		return err
	}
	return rules.Admit(asked)
}

// mayPlayMore returns nil, or why a bot's own rules keep it from one more match like this.
func mayPlayMore(tx *store.Tx, bot player.ID, s challenge.Settings) error {
	rules, err := tx.BotRules(bot)
	if err != nil {
		return err
	}
	running, err := tx.RunningOf(bot)
	if err != nil {
		return err
	}
	return rules.Own(s.WorstCase(), len(running))
}

// mayChallenge is nil or challenge.ErrNotWanted: players decide who may challenge them.
// Two who have played may go on by a rematch.
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
	if !profile.Privacy.Challenge.Admits(relation) && !relation.Self { // the rulebook refuses oneself
		return challenge.ErrNotWanted
	}
	return nil
}

// offer writes the challenge that judge makes in the same transaction, with a house bot's
// answer.
func (a *Office) offer(ctx context.Context,
	judge func(*store.Tx, time.Time) (challenge.Challenge, player.Player, error)) (c challenge.Challenge, err error) {
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		var to player.Player
		if c, to, err = judge(tx, a.Now()); err != nil {
			return err
		}
		if to.IsHouse() {
			if err := c.Accept(player.Viewer{Player: to}, kernel.NewMatchID(), c.Created); err != nil {
				return err
			}
		}
		if err := tx.ExpireChallenges(c.Challenger, c.Rematch, c.Created); err != nil {
			return err
		}
		if err := a.openMatchOf(tx, c); err != nil {
			return err
		}
		if err := tx.AddChallenge(c); err != nil {
			return err
		}
		return a.TellOfChallenge(tx, c)
	})
	if errors.Is(err, store.ErrTaken) {
		return c, challenge.ErrTwice
	}
	if err != nil {
		return c, err
	}
	return c, a.tell(ctx, c)
}

// ErrOtherUnmet says that the player who offered the match may no longer play it; the
// reason is theirs to know.
var ErrOtherUnmet = refusal.Conflict("fairplay.error.other-unmet", "arbiter: the other player no longer meets the match's requirements")

// bothMeet is nil, a *fairplay.UnmetError about the viewer, or ErrOtherUnmet.
func (a *Office) bothMeet(tx *store.Tx, by player.Viewer, c challenge.Challenge) error {
	if err := a.assurance.Meets(tx, by, c.Settings.Policy); err != nil {
		return err
	}
	other, err := tx.Player(c.Challenger)
	if err == nil {
		err = a.assurance.Meets(tx, player.Viewer{Player: other}, c.Settings.Policy)
	}
	if errors.Is(err, fairplay.ErrUnmet) || errors.Is(err, player.ErrGuestPlays) {
		return ErrOtherUnmet
	}
	return err
}

func (a *Office) openMatchOf(tx *store.Tx, c challenge.Challenge) error {
	if c.Status != challenge.Accepted {
		return nil
	}
	options, err := handicapped(tx, c)
	if err == nil && c.Settings.Welcomes() {
		options.Newcomer, err = newcomers(tx, c)
	}
	if err != nil {
		return err
	}
	o := live.Opening{ID: c.Match, Players: c.Seats(), Options: options, Policy: c.Settings.Policy}
	if c.Settings.Rated {
		o.Place = assurance.InChallenges(a.Now())
	}
	return a.assurance.OpenAlone(tx, o)
}

// newcomers are the people of a challenge who have not played a match, by seat.
func newcomers(tx *store.Tx, c challenge.Challenge) (is [2]bool, err error) {
	accounts, err := tx.Players(c.Challenger, c.Opponent)
	if err != nil {
		return is, err
	}
	for i, id := range c.Seats() {
		if accounts[id].Bot {
			continue
		}
		if is[i], err = tx.IsNewcomer(id); err != nil {
			return is, err
		}
	}
	return is, nil
}

// handicapped is the match's options; under a handicap the weaker player has extra chips
// for the present difference in rating.
func handicapped(tx *store.Tx, c challenge.Challenge) (match.Options, error) {
	o := c.Settings.MatchOptions()
	if !c.Settings.Handicap {
		return o, nil
	}
	seats := c.Seats()
	rated, err := tx.Ratings(seats[:]...)
	o.Extra = ratings.ChipsOf([2]rating.Rating{rated[seats[0]].Rating, rated[seats[1]].Rating})
	return o, err
}

// tell wakes those who watch a challenge and its match.
func (a *Office) tell(ctx context.Context, c challenge.Challenge) error {
	a.Live.Nudge(Topic(c.ID), int64(c.Status))
	if c.Settings.Lobby != "" {
		a.Live.Nudge(LobbyTopic, a.Now().UnixMilli())
	}
	for _, id := range c.Seats() {
		if id != "" {
			a.Live.Nudge(live.PlayerTopic(id), 0)
		}
	}
	if c.Status != challenge.Accepted {
		return nil
	}
	return a.Live.Opened(ctx, c.Match)
}

// Accept opens the match of a challenge in one transaction with it. Whoever accepts is
// there, so they are made ready for the match if it asks for no more. Errors: those of
// challenge.MayAccept, and store.ErrNotFound.
func (a *Office) Accept(ctx context.Context, by player.Viewer, id challenge.ID) (challenge.Challenge, error) {
	return a.accept(ctx, by, id, func(s challenge.Settings) challenge.Settings { return s })
}

// accept is Accept under settings derived from those of the challenge.
func (a *Office) accept(ctx context.Context, by player.Viewer, id challenge.ID,
	on func(challenge.Settings) challenge.Settings) (challenge.Challenge, error) {
	c, err := a.answer(ctx, id, func(tx *store.Tx, c *challenge.Challenge) error {
		c.Settings = on(c.Settings)
		if err := c.MayAccept(by, a.Now()); err != nil {
			return err
		}
		if err := a.bothMeet(tx, by, *c); err != nil {
			return err
		}
		if by.Bot {
			if err := mayPlayMore(tx, by.ID, c.Settings); err != nil {
				return err
			}
		}
		return c.Accept(by, match.ID(store.NewID()), a.Now())
	})
	if err != nil || c.Settings.Lateness == 0 {
		return c, err
	}
	ready := match.Ready{Seat: c.Seat.Other()}
	_, err = a.Live.Do(ctx, c.Match, by.ID, live.Request{Command: ready, Admit: a.seats.Admits(by, ready)})
	if err != nil && !errors.Is(err, seats.ErrCheckIn) && !errors.Is(err, seats.ErrSteward) {
		a.Log.Warn("acceptor not ready", "challenge", id, "match", c.Match, "err", err) // they can press Ready themselves
	}
	return c, nil
}

// Decline declines a challenge, and tells why unless that is empty.
func (a *Office) Decline(ctx context.Context, by player.Viewer, id challenge.ID, why challenge.Why) (challenge.Challenge, error) {
	return a.answer(ctx, id, func(_ *store.Tx, c *challenge.Challenge) error { return c.Decline(by, why, a.Now()) })
}

// Withdraw withdraws a challenge.
func (a *Office) Withdraw(ctx context.Context, by player.Viewer, id challenge.ID) (challenge.Challenge, error) {
	return a.answer(ctx, id, func(_ *store.Tx, c *challenge.Challenge) error { return c.Withdraw(by, a.Now()) })
}

// answer closes a challenge as f decides, in one transaction with what f reads: a guest
// who accepts two challenges at once plays one match.
func (a *Office) answer(ctx context.Context, id challenge.ID,
	f func(*store.Tx, *challenge.Challenge) error) (c challenge.Challenge, err error) {
	err = a.InTurn(ctx, string(id), func() error {
		return a.Store.Write(ctx, func(tx *store.Tx) (err error) {
			if c, err = tx.Challenge(id); err != nil {
				return err
			}
			if err := f(tx, &c); err != nil {
				return err
			}
			if err := a.openMatchOf(tx, c); err != nil {
				return err
			}
			if err := tx.CloseChallenge(c); err != nil {
				return err
			}
			return a.TellOfChallenge(tx, c)
		})
	})
	if err != nil {
		return c, err
	}
	return c, a.tell(ctx, c)
}

// Rematch offers to play the match of a challenge again with the seats swapped. An offer
// by the opponent is accepted; the viewer's own offer, or a match that has begun, is
// returned as it is. Errors: those of challenge.NewRematch, and store.ErrNotFound for a
// match of no challenge.
func (a *Office) Rematch(ctx context.Context, by player.Viewer, of match.ID) (challenge.Challenge, error) {
	var c challenge.Challenge
	err := store.Retry(ctx, func() error {
		now := a.Now()
		var before, offered challenge.Challenge
		var played challenge.Played
		var open int
		err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
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
		c, err = challenge.NewRematch(challenge.Offer{ID: challenge.ID(store.NewID()), By: by, Settings: before.Settings, Open: open}, played,
			now)
		switch {
		case errors.Is(err, challenge.ErrTooMany) && offered.StatusAt(now) == challenge.Open:
			// accepting adds no challenge
		case err != nil:
			return err
		}
		switch status := offered.StatusAt(now); {
		case status == challenge.Accepted, status == challenge.Open && by.Is(offered.Challenger):
			c = offered
			return nil
		case status == challenge.Open:
			c, err = a.Accept(ctx, by, offered.ID)
			return err
		}
		c, err = a.offer(ctx, func(tx *store.Tx, now time.Time) (challenge.Challenge, player.Player, error) {
			open, err := tx.OpenChallenges(by.ID, now)
			if err == nil {
				err = a.assurance.Meets(tx, by, before.Settings.Policy)
			}
			if err != nil {
				return c, player.Player{}, err
			}
			again, err := challenge.NewRematch(challenge.Offer{ID: c.ID, By: by, Settings: before.Settings, Open: open}, played, now)
			to := played.Players[c.Seat.Index()]
			if err == nil {
				err = botsMay(tx, by, to, again)
			}
			return again, to, err
		})
		if errors.Is(err, challenge.ErrTwice) { // the opponent was quicker with the same offer
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

// RateMatch applies the result of a match to the ratings if a rated challenge led to it.
func (a *Office) RateMatch(ctx context.Context, id match.ID) error {
	c, err := store.Get(ctx, a.Store, func(tx *store.Tx) (challenge.Challenge, error) { return tx.ChallengeOf(id) })
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.rateChallenge(ctx, c.ID)
}

// rateChallenge applies the result of a rated challenge to the ratings, once. A match
// that nobody played does not count.
func (a *Office) rateChallenge(ctx context.Context, id challenge.ID) error {
	_, err := a.ratings.RateEvent(ctx, store.RatedEvent{Challenge: id}, func(tx *store.Tx) (ratings.Due, error) {
		c, err := tx.Challenge(id)
		if err != nil || !c.Settings.Rated || c.Match == "" || !c.RatedAt.IsZero() {
			return ratings.Due{}, err
		}
		head, err := tx.Match(c.Match)
		return ratings.Due{Ok: ratings.IsPlayed(head), Ended: head.LastAt, Handicap: c.Settings.Handicap}, err
	})
	return err
}

// Sweep closes the expired challenges.
func (a *Office) Sweep(ctx context.Context) error {
	now := a.Now()
	due, err := store.Get(ctx, a.Store, func(tx *store.Tx) ([]challenge.Challenge, error) {
		return tx.DueChallenges(now, kernel.SweepSize)
	})
	if err != nil {
		return err
	}
	for _, c := range due {
		c.Expire(now)
		err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.CloseChallenge(c) })
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
			a.Log.Error("challenge not expired", "challenge", c.ID, "err", err)
		}
	}
	return nil
}
