package ladders

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/fixture"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ladder"
)

// Topic wakes those who watch a ladder; seq is that of its log.
func Topic(id ladder.ID) string { return "ladder." + string(id) }

// Create makes a ladder of the viewer's. Bad settings are a case of setting.ErrSettings.
func (a *Office) Create(ctx context.Context, by player.Viewer, s ladder.Settings) (ladder.ID, error) {
	role, err := store.Get(ctx, a.Store, func(tx *store.Tx) (club.Role, error) {
		if s.Club != "" {
			if _, err := tx.Club(s.Club); err != nil {
				return 0, err
			}
		}
		return tx.ClubRole(by.ID, s.Club)
	})
	if err != nil {
		return "", err
	}
	if !ladder.MayCreate(by, s.Club, role) {
		return "", ladder.ErrNotAllowed
	}
	l, err := ladder.New(ladder.ID(store.NewID()), by.ID, s, a.Now())
	if err != nil {
		return "", err
	}
	if err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddLadder(l) }); err != nil {
		return "", err
	}
	return l.ID, nil
}

// Candidate is a player as they would join now, with their rating or that of newcomers.
func Candidate(tx *store.Tx, p player.Player, l *ladder.Ladder, now time.Time) (ladder.Candidate, error) {
	if p.Guest {
		return ladder.Candidate{}, player.ErrGuest
	}
	rating, err := ratings.ListedRating(tx, p.ID)
	if err != nil {
		return ladder.Candidate{}, err
	}
	role, err := tx.ClubRole(p.ID, l.Settings.Club)
	if err != nil {
		return ladder.Candidate{}, err
	}
	standing, err := assurance.StandingOf(tx, p, now)
	return ladder.Candidate{Player: p.ID, Rating: rating, Bot: p.Bot, Member: role != 0, Standing: standing}, err
}

// change reads a ladder, does what is due, lets f change it, and writes the new events
// with the matches they open; if another change came first, it starts over.
func (a *Office) change(ctx context.Context, id ladder.ID, f func(*store.Tx, *ladder.Ladder, time.Time) error) error {
	var after *ladder.Ladder
	var opened []match.ID
	err := a.InTurn(ctx, string(id), func() error {
		var before *ladder.Ladder
		opened = nil
		stay, err := a.Stay(ctx)
		if err != nil {
			return err
		}
		now := a.Now()
		err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
			if before, err = tx.Ladder(id); err != nil {
				return err
			}
			after = before.Clone()
			after.Settle(now, stay.Holds, kernel.NewMatchID)
			if err := f(tx, after, now); err != nil {
				return kernel.JudgesNamed(tx, err)
			}
			after.Settle(now, stay.Holds, kernel.NewMatchID)
			return nil
		})
		if err != nil {
			return err
		}
		if len(after.Fresh()) == 0 {
			return nil
		}
		opened, err = a.write(ctx, before, after, now)
		return err
	})
	if err != nil || len(after.Fresh()) == 0 {
		return err
	}
	a.Live.Nudge(Topic(id), after.Seq)
	if len(opened) > 0 {
		return a.Live.Opened(ctx, opened...)
	}
	return nil
}

func (a *Office) write(ctx context.Context, before, after *ladder.Ladder, now time.Time) (opened []match.ID, err error) {
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		opened = opened[:0]
		for _, e := range after.Fresh() {
			if e.Kind != fixture.Opened {
				continue
			}
			c, err := after.Challenge(e.Challenge)
			if err != nil {
				return err
			}
			// The challenger bids first.
			o := live.Opening{ID: e.Match, Players: [2]player.ID{c.Challenger, c.Defender}, Options: after.MatchOptions(c, now),
				Policy: after.Settings.Policy, Place: assurance.OnLadder(after.ID, now)}
			if err := a.assurance.OpenAlone(tx, o); err != nil {
				return err
			}
			opened = append(opened, e.Match)
		}
		if err := tx.SaveLadder(before, after); err != nil {
			return err
		}
		return a.TellOfLadder(tx, after)
	})
	return opened, err
}

// byActor makes a change by the viewer.
func (a *Office) byActor(ctx context.Context, by player.Viewer, id ladder.ID,
	f func(l *ladder.Ladder, me ladder.Actor, now time.Time) error) error {
	return a.change(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		return a.do(tx, by, l, now, func(l *ladder.Ladder, me ladder.Actor) error { return f(l, me, now) })
	})
}

// byStaff makes a change by one of several who run the ladder; see kernel.UnseenOnLadder.
func (a *Office) byStaff(ctx context.Context, by player.Viewer, id ladder.ID, concerns func(ladder.Event) bool,
	f func(l *ladder.Ladder, me ladder.Actor, now time.Time) error) error {
	return a.change(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		refused := a.do(tx, by, l, now, func(l *ladder.Ladder, me ladder.Actor) error { return f(l, me, now) })
		return kernel.UnseenOnLadder(tx, by, l, concerns, refused)
	})
}

// do does an act of the viewer, as Ladder.Do.
func (a *Office) do(tx *store.Tx, by player.Viewer, l *ladder.Ladder, now time.Time, act func(*ladder.Ladder, ladder.Actor) error) error {
	me, err := assurance.LadderActor(tx, by, l)
	if err != nil {
		return err
	}
	return l.Do(me, now, act)
}

// byAdmitted makes a change by the viewer that leads to a match of theirs: they must meet
// the ladder's demands now, else it fails with a *fairplay.UnmetError.
func (a *Office) byAdmitted(ctx context.Context, by player.Viewer, id ladder.ID,
	f func(l *ladder.Ladder, me ladder.Actor, now time.Time) error) error {
	return a.change(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		if err := a.assurance.Meets(tx, by, l.Settings.Policy); err != nil {
			return err
		}
		return a.do(tx, by, l, now, func(l *ladder.Ladder, me ladder.Actor) error { return f(l, me, now) })
	})
}

// Change replaces the settings.
func (a *Office) Change(ctx context.Context, by player.Viewer, id ladder.ID, s ladder.Settings) error {
	return a.byStaff(ctx, by, id, func(e ladder.Event) bool { return e.Kind == ladder.Changed },
		func(l *ladder.Ladder, me ladder.Actor, now time.Time) error { return l.Change(me, s, now) })
}

// Join puts a player by handle, or with an empty handle the viewer, on a ladder;
// store.ErrNotFound without such a player or ladder.
func (a *Office) Join(ctx context.Context, by player.Viewer, id ladder.ID, handle string) error {
	return a.change(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		p := by.Player
		if handle != "" {
			var err error
			if p, err = kernel.PlayerByHandle(tx, handle); err != nil {
				return err
			}
		}
		c, err := Candidate(tx, p, l, a.Now())
		if err != nil {
			return err
		}
		return a.do(tx, by, l, now, func(l *ladder.Ladder, me ladder.Actor) error { return l.Join(me, c, now) })
	})
}

// Seed puts the players of a tournament on a ladder in the order of its standings, below
// those who are there; it returns how many have joined.
func (a *Office) Seed(ctx context.Context, by player.Viewer, id ladder.ID, from tournament.ID) (n int, err error) {
	err = a.change(ctx, id, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		t, err := tx.Tournament(from)
		if err != nil {
			return err
		}
		if !t.MaySee(by) {
			return store.ErrNotFound
		}
		table, err := format.Standings(t, -1)
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
			c, err := Candidate(tx, p, l, a.Now())
			if err != nil {
				return err
			}
			order = append(order, c)
		}
		return a.do(tx, by, l, now, func(l *ladder.Ladder, me ladder.Actor) (err error) {
			n, err = l.Seed(me, order, now)
			return err
		})
	})
	return n, err
}

// Leave takes a player off a ladder.
func (a *Office) Leave(ctx context.Context, by player.Viewer, id ladder.ID, who player.ID) error {
	return a.byStaff(ctx, by, id, func(e ladder.Event) bool { return e.Player == who && placed[e.Kind] },
		func(l *ladder.Ladder, me ladder.Actor, now time.Time) error { return l.Leave(me, who, now) })
}

// placed are the events by which people change the order.
var placed = map[ladder.Kind]bool{ladder.Joined: true, ladder.LeftLadder: true, ladder.Moved: true}

// Move puts a player on a place by the organizer's decision.
func (a *Office) Move(ctx context.Context, d kernel.Step, id ladder.ID, who player.ID, to int) error {
	return a.byStaff(ctx, d.By, id, func(e ladder.Event) bool { return placed[e.Kind] },
		func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
			return l.Move(me, who, to, d.Reason, now)
		})
}

// Vacation begins or ends the viewer's vacation on a ladder.
func (a *Office) Vacation(ctx context.Context, by player.Viewer, id ladder.ID, begin bool) error {
	return a.byActor(ctx, by, id, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		if begin {
			return l.StartVacation(me, now)
		}
		return l.EndVacation(me, now)
	})
}

// Challenge challenges a player of the ladder; a refusal is a *ladder.Refusal.
func (a *Office) Challenge(ctx context.Context, by player.Viewer, id ladder.ID, to player.ID) (n ladder.ChallengeID, err error) {
	err = a.byAdmitted(ctx, by, id, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		c, err := l.Send(me, to, now)
		n = c.Number
		return err
	})
	return n, err
}

// Accept accepts a challenge.
func (a *Office) Accept(ctx context.Context, by player.Viewer, ref store.LadderRef) error {
	return a.byAdmitted(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		return l.Accept(me, ref.Number, now)
	})
}

// Drop declines, concedes or withdraws, if that costs what the viewer was told, else
// fixture.ErrNotNow.
func (a *Office) Drop(ctx context.Context, by player.Viewer, ref store.LadderRef, told ladder.Cost) error {
	return a.byActor(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		if cost, _, err := l.GiveUp(me.Player, ref.Number); err == nil && cost != told {
			return fixture.ErrNotNow
		}
		return l.Drop(me, ref.Number, now)
	})
}

// ProposeTime names a time for a challenge's match.
func (a *Office) ProposeTime(ctx context.Context, by player.Viewer, ref store.LadderRef, at time.Time) error {
	return a.change(ctx, ref.Ladder, func(tx *store.Tx, l *ladder.Ladder, now time.Time) error {
		o := fixture.Offer{At: at.UTC().Truncate(time.Minute), Now: now}
		if c, err := l.Challenge(ref.Number); err == nil {
			days, err := a.DaysOff(tx, c.Opponent(by.ID))
			if err != nil {
				return err
			}
			o.Theirs = days[c.Opponent(by.ID)]
		}
		return a.do(tx, by, l, now, func(l *ladder.Ladder, me ladder.Actor) error { return l.Propose(me, ref.Number, o) })
	})
}

// AgreeTime accepts the opponent's proposal.
func (a *Office) AgreeTime(ctx context.Context, by player.Viewer, ref store.LadderRef, at time.Time) error {
	return a.byActor(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		return l.Agree(me, ref.Number, at.UTC(), now)
	})
}

// DisputeForfeit objects to a forfeit.
func (a *Office) DisputeForfeit(ctx context.Context, by player.Viewer, ref store.LadderRef, text string) error {
	return a.byActor(ctx, by, ref.Ladder, func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
		return l.Object(me, ref.Number, text, now)
	})
}

// Judge ends a challenge by the organizer's decision; winner empty: nobody moves.
func (a *Office) Judge(ctx context.Context, by player.Viewer, ref store.LadderRef, winner player.ID, text string) error {
	return a.byStaff(ctx, by, ref.Ladder, func(e ladder.Event) bool { return e.Challenge == ref.Number },
		func(l *ladder.Ladder, me ladder.Actor, now time.Time) error {
			return l.Judge(me, ref.Number, winner, text, now)
		})
}

// Record records the result of a finished match on its ladder, if it belongs to one; a
// repetition changes nothing.
func (a *Office) Record(ctx context.Context, id match.ID) error {
	var ref store.LadderRef
	var head store.Head
	err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
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
	return a.change(ctx, ref.Ladder, func(_ *store.Tx, l *ladder.Ladder, now time.Time) error {
		if c, err := l.Challenge(ref.Number); err == nil && c.Match == id {
			l.Result(ref.Number, head.Result, now)
		}
		return nil
	})
}

// RateMatch applies the result of a rated ladder's match to the ratings, once. A match
// that nobody played does not count.
func (a *Office) RateMatch(ctx context.Context, id match.ID) error {
	_, err := a.ratings.RateEvent(ctx, store.RatedEvent{Match: id}, func(tx *store.Tx) (ratings.Due, error) {
		ref, err := tx.LadderChallengeOf(id)
		if errors.Is(err, store.ErrNotFound) {
			return ratings.Due{}, nil
		}
		if err != nil {
			return ratings.Due{}, err
		}
		c, err := tx.LadderChallenge(ref)
		if err != nil || !c.Rated {
			return ratings.Due{}, err
		}
		head, err := tx.Match(id)
		return ratings.Due{Ok: ratings.IsPlayed(head), Ended: head.LastAt}, err
	})
	return err
}

// Sweep does what is due on ladders. Every node may call it at any pace.
func (a *Office) Sweep(ctx context.Context) error {
	stay, err := a.Stay(ctx)
	if err != nil {
		return err
	}
	return kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "ladder", Trouble: "ladder not settled"}, func(tx *store.Tx) ([]ladder.ID, error) {
		return tx.DueLadders(stay.Passed(a.Now()), a.Now(), kernel.SweepSize)
	}, func(ctx context.Context, id ladder.ID) error {
		return a.change(ctx, id, func(*store.Tx, *ladder.Ladder, time.Time) error { return nil })
	})
}
