package arbiter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/club"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
)

// LadderTopic wakes whoever watches a ladder; seq is that of its log.
func LadderTopic(id ladder.ID) string { return "ladder." + string(id) }

// ladderVersions is where ladders stand, for nudges that were lost.
func (a *Arbiter) ladderVersions(ctx context.Context, ids []string) (map[string]int64, error) {
	wanted := make([]ladder.ID, len(ids))
	for i, id := range ids {
		wanted[i] = ladder.ID(id)
	}
	found := map[string]int64{}
	err := a.store.Read(ctx, func(tx *store.Tx) error {
		versions, err := tx.LadderVersions(wanted)
		for id, v := range versions {
			found[string(id)] = v
		}
		return err
	})
	return found, err
}

// CreateLadder makes a ladder of the viewer's. The error of settings is a
// *ladder.SettingsError.
func (a *Arbiter) CreateLadder(ctx context.Context, by player.Viewer, s ladder.Settings) (ladder.ID, error) {
	var role club.Role
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		role, err = ClubRole(tx, by.ID, s.Club)
		return err
	})
	if err != nil {
		return "", err
	}
	if !ladder.MayCreate(by, s.Club, role) {
		return "", ladder.ErrNotAllowed
	}
	l, err := ladder.New(ladder.ID(store.NewID()), by.ID, s, a.now())
	if err != nil {
		return "", err
	}
	if err := a.store.Write(ctx, func(tx *store.Tx) error { return tx.AddLadder(l) }); err != nil {
		return "", err
	}
	return l.ID, nil
}

// LadderActor is the viewer as somebody who asks a ladder.
func LadderActor(tx *store.Tx, by player.Viewer, l *ladder.Ladder) (ladder.Actor, error) {
	role, err := ClubRole(tx, by.ID, l.Settings.Club)
	return ladder.Actor{Player: by.ID, Directs: l.MayDirect(by, role)}, err
}

// LadderCandidate is a player as they would join now: with their rating or the one
// that newcomers start with.
func LadderCandidate(tx *store.Tx, p player.Player, l *ladder.Ladder, now time.Time) (ladder.Candidate, error) {
	if p.Guest {
		return ladder.Candidate{}, player.ErrGuest
	}
	rating, err := listedRating(tx, p.ID)
	if err != nil {
		return ladder.Candidate{}, err
	}
	role, err := ClubRole(tx, p.ID, l.Settings.Club)
	if err != nil {
		return ladder.Candidate{}, err
	}
	standing, err := StandingOf(tx, p, now)
	return ladder.Candidate{Player: p.ID, Rating: rating, Bot: p.Bot, Member: role != 0, Standing: standing}, err
}

// changeLadder reads a ladder, does what is due, lets f change it, and writes the
// new events with the matches they open; when another change came first, all of
// it again.
func (a *Arbiter) changeLadder(ctx context.Context, id ladder.ID, f func(*store.Tx, *ladder.Ladder, time.Time) error) error {
	var after *ladder.Ladder
	var opened []match.ID
	err := a.inTurn(ctx, string(id), func(ctx context.Context) error {
		var before *ladder.Ladder
		opened = nil
		now := a.now()
		err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
			if before, err = tx.Ladder(id); err != nil {
				return err
			}
			after = before.Clone()
			after.Settle(now, newMatchID)
			if err := f(tx, after, now); err != nil {
				return judgesNamed(tx, err)
			}
			after.Settle(now, newMatchID)
			return nil
		})
		if err != nil {
			return err
		}
		if len(after.Fresh()) == 0 {
			return nil
		}
		opened, err = a.writeLadder(ctx, before, after, now)
		return err
	})
	if err != nil || len(after.Fresh()) == 0 {
		return err
	}
	a.live.Nudge(LadderTopic(id), after.Seq)
	if len(opened) > 0 {
		return a.live.Opened(ctx, opened...)
	}
	return nil
}

func newMatchID() match.ID { return match.ID(store.NewID()) }

func (a *Arbiter) writeLadder(ctx context.Context, before, after *ladder.Ladder, now time.Time) (opened []match.ID, err error) {
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		opened = opened[:0]
		for _, e := range after.Fresh() {
			if e.Kind != ladder.Opened {
				continue
			}
			c, err := after.Challenge(e.Challenge)
			if err != nil {
				return err
			}
			// The challenger bids first.
			o := live.Opening{ID: e.Match, Players: [2]player.ID{c.Challenger, c.Defender}, Options: after.MatchOptions(c, now),
				Policy: after.Settings.Policy}
			if err := a.openAlone(tx, o); err != nil {
				return err
			}
			opened = append(opened, e.Match)
		}
		if err := tx.SaveLadder(before, after); err != nil {
			return err
		}
		return a.tellOfLadder(tx, after)
	})
	return opened, err
}

// byActor is a change by the viewer.
func (a *Arbiter) byActor(ctx context.Context, by player.Viewer, id ladder.ID,
	f func(l *ladder.Ladder, me ladder.Actor, now time.Time) error) error {
	return a.changeLadder(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		me, err := LadderActor(tx, by, l)
		if err != nil {
			return err
		}
		return f(l, me, now)
	})
}

// byAdmitted is a change by the viewer that leads to a match of theirs: they have to
// meet the ladder's demands now, else it is a *fairplay.UnmetError.
func (a *Arbiter) byAdmitted(ctx context.Context, by player.Viewer, id ladder.ID,
	f func(l *ladder.Ladder, me ladder.Actor, now time.Time) error) error {
	return a.changeLadder(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		me, err := LadderActor(tx, by, l)
		if err != nil {
			return err
		}
		if err := a.meets(tx, by, l.Settings.Policy); err != nil {
			return err
		}
		return f(l, me, now)
	})
}

// ChangeLadder replaces the settings.
func (a *Arbiter) ChangeLadder(ctx context.Context, by player.Viewer, id ladder.ID, s ladder.Settings) error {
	return a.byActor(ctx, by, id, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error { return l.Change(me, s, now) })
}

// JoinLadder takes a player by handle, or with an empty handle the viewer, onto
// a ladder. store.ErrNotFound: no such player or ladder.
func (a *Arbiter) JoinLadder(ctx context.Context, by player.Viewer, id ladder.ID, handle string) error {
	return a.changeLadder(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		me, err := LadderActor(tx, by, l)
		if err != nil {
			return err
		}
		p := by.Player
		if handle != "" {
			if p, err = playerByHandle(tx, handle); err != nil {
				return err
			}
		}
		c, err := LadderCandidate(tx, p, l, a.now())
		if err != nil {
			return err
		}
		return l.Join(me, c, now)
	})
}

func playerByHandle(tx *store.Tx, handle string) (player.Player, error) {
	h, err := player.ParseHandle(handle)
	if err != nil {
		return player.Player{}, fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	return tx.PlayerByHandle(h)
}

// account is the account with a handle; what is no handle is nobody's.
func (a *Arbiter) account(ctx context.Context, handle string) (p player.Player, err error) {
	err = a.store.Read(ctx, func(tx *store.Tx) error {
		p, err = playerByHandle(tx, handle)
		return err
	})
	return p, err
}

// SeedLadder takes the players of a tournament onto a ladder in the order of its
// standing, below those who are there; it tells how many have come.
func (a *Arbiter) SeedLadder(ctx context.Context, by player.Viewer, id ladder.ID, from tournament.ID) (n int, err error) {
	err = a.changeLadder(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		me, err := LadderActor(tx, by, l)
		if err != nil {
			return err
		}
		t, err := tx.Tournament(from)
		if err != nil {
			return err
		}
		if !t.MaySee(by) {
			return store.ErrNotFound
		}
		table, err := Standings(t, -1)
		if err != nil {
			return err
		}
		var order []ladder.Candidate
		for _, line := range table.Lines {
			if line.Entry.Player == "" {
				continue
			}
			p, err := tx.Player(line.Entry.Player)
			if err != nil {
				return err
			}
			c, err := LadderCandidate(tx, p, l, a.now())
			if err != nil {
				return err
			}
			order = append(order, c)
		}
		n, err = l.Seed(me, order, now)
		return err
	})
	return n, err
}

// LeaveLadder takes a player off a ladder.
func (a *Arbiter) LeaveLadder(ctx context.Context, by player.Viewer, id ladder.ID, who player.ID) error {
	return a.byActor(ctx, by, id, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error { return l.Leave(me, who, now) })
}

// MoveOnLadder puts a player on a place by the organizer's word.
func (a *Arbiter) MoveOnLadder(ctx context.Context, by player.Viewer, id ladder.ID, who player.ID, to int, why string) error {
	return a.byActor(ctx, by, id, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error { return l.Move(me, who, to, why, now) })
}

// Vacation begins or ends the viewer's vacation on a ladder.
func (a *Arbiter) Vacation(ctx context.Context, by player.Viewer, id ladder.ID, begin bool) error {
	return a.byActor(ctx, by, id, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		if begin {
			return l.StartVacation(me, now)
		}
		return l.EndVacation(me, now)
	})
}

// SendChallenge challenges a player of the ladder; the error of a refusal is a
// *ladder.Refusal.
func (a *Arbiter) SendChallenge(ctx context.Context, by player.Viewer, id ladder.ID, to player.ID) (n ladder.ChallengeID, err error) {
	err = a.byAdmitted(ctx, by, id, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		c, err := l.Send(me, to, now)
		n = c.Number
		return err
	})
	return n, err
}

// AcceptLadderChallenge takes a challenge on.
func (a *Arbiter) AcceptLadderChallenge(ctx context.Context, by player.Viewer, ref store.LadderRef) error {
	return a.byAdmitted(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		return l.Accept(me, ref.Number, now)
	})
}

// DropLadderChallenge declines, concedes or withdraws, if that costs what the
// viewer was told; ladder.ErrNotNow when it has become something else.
func (a *Arbiter) DropLadderChallenge(ctx context.Context, by player.Viewer, ref store.LadderRef, told ladder.Cost) error {
	return a.byActor(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		if cost, _, err := l.GiveUp(me.Player, ref.Number); err == nil && cost != told {
			return ladder.ErrNotNow
		}
		return l.Drop(me, ref.Number, now)
	})
}

// ProposeTime names a time for a challenge's match.
func (a *Arbiter) ProposeTime(ctx context.Context, by player.Viewer, ref store.LadderRef, at time.Time) error {
	return a.byActor(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		return l.Propose(me, ref.Number, at.UTC().Truncate(time.Minute), now)
	})
}

// AgreeTime takes the opponent's proposal.
func (a *Arbiter) AgreeTime(ctx context.Context, by player.Viewer, ref store.LadderRef, at time.Time) error {
	return a.byActor(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		return l.Agree(me, ref.Number, at.UTC(), now)
	})
}

// DisputeForfeit objects to a forfeit.
func (a *Arbiter) DisputeForfeit(ctx context.Context, by player.Viewer, ref store.LadderRef, text string) error {
	return a.byActor(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		return l.Object(me, ref.Number, text, now)
	})
}

// JudgeLadderChallenge ends a challenge by the organizer's word; winner empty: nobody moves.
func (a *Arbiter) JudgeLadderChallenge(ctx context.Context, by player.Viewer, ref store.LadderRef, winner player.ID, text string) error {
	return a.byActor(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		return l.Judge(me, ref.Number, winner, text, now)
	})
}

// recordLadderResult takes the result of a match that is over into its ladder, if
// it belongs to one; a second time changes nothing.
func (a *Arbiter) recordLadderResult(ctx context.Context, id match.ID) error {
	var ref store.LadderRef
	var head store.Head
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		if head, err = tx.Match(id); err != nil {
			return err
		}
		ref, err = tx.LadderChallengeOf(id)
		return err
	})
	if errors.Is(err, store.ErrNotFound) && head.ID != "" {
		return nil // not of a ladder
	}
	if err != nil || head.Status != match.Over {
		return err
	}
	return a.changeLadder(ctx, ref.Ladder, func(_ *store.Tx, l *ladder.Ladder, now time.Time) error {
		if c, err := l.Challenge(ref.Number); err == nil && c.Match == id {
			l.Result(ref.Number, head.Result, now)
		}
		return nil
	})
}

// rateLadderMatch applies the result of a rated ladder's match to the ratings,
// once. A match that nobody played is no game.
func (a *Arbiter) rateLadderMatch(ctx context.Context, id match.ID) error {
	_, err := a.rateEvent(ctx, store.RatedEvent{Match: id}, func(tx *store.Tx) (due, error) {
		ref, err := tx.LadderChallengeOf(id)
		if errors.Is(err, store.ErrNotFound) {
			return due{}, nil
		}
		if err != nil {
			return due{}, err
		}
		c, err := tx.LadderChallenge(ref)
		if err != nil || !c.Rated {
			return due{}, err
		}
		head, err := tx.Match(id)
		return due{ok: isPlayed(head), ended: head.LastAt}, err
	})
	return err
}

// SweepLadders does what is due on ladders. Every node may call it at any pace.
func (a *Arbiter) SweepLadders(ctx context.Context) error {
	var due []ladder.ID
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.DueLadders(a.now(), sweepSize)
		return err
	})
	if err != nil {
		return err
	}
	return forEach(ctx, a, "ladder", "ladder not settled", due, func(ctx context.Context, id ladder.ID) error {
		return a.changeLadder(ctx, id, func(*store.Tx, *ladder.Ladder, time.Time) error { return nil })
	})
}
