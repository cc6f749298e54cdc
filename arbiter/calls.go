package arbiter

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/call"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// CallsTopic wakes whoever watches the calls of a tournament; TalkTopic the talk
// and the calls on a match. A nudge says only that something is new.
func CallsTopic(id tournament.ID) string { return "calls." + string(id) }
func TalkTopic(id match.ID) string       { return "talk." + string(id) }

// rereadCalls and rereadTalks are where they stand, for nudges that were lost.
func (a *Arbiter) rereadCalls(ctx context.Context, ids []string) (map[string]int64, error) {
	return a.rereadAt(ctx, func(tx *store.Tx) (map[string]time.Time, error) { return tx.CalledAt(idsOf[tournament.ID](ids)) })
}

func (a *Arbiter) rereadTalks(ctx context.Context, ids []string) (map[string]int64, error) {
	return a.rereadAt(ctx, func(tx *store.Tx) (map[string]time.Time, error) { return tx.TalkedAt(idsOf[match.ID](ids)) })
}

func (a *Arbiter) rereadAt(ctx context.Context, read func(*store.Tx) (map[string]time.Time, error)) (map[string]int64, error) {
	seqs := map[string]int64{}
	err := a.store.Read(ctx, func(tx *store.Tx) error {
		moments, err := read(tx)
		for id, at := range moments {
			seqs[id] = at.UnixMilli()
		}
		return err
	})
	return seqs, err
}

func idsOf[ID ~string](texts []string) []ID {
	ids := make([]ID, len(texts))
	for i, text := range texts {
		ids[i] = ID(text)
	}
	return ids
}

// callUntil is how long the notice of a call is of use.
const callUntil = 2 * time.Hour

// Call calls the arbiter into the viewer's match and, where the tournament lets
// it, stops the clocks. Errors: live.ErrNotPlaying, ErrNoCall, those of call.New.
func (a *Arbiter) Call(ctx context.Context, by player.Viewer, id match.ID, text string) (c call.Call, err error) {
	var o Office
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if o, err = officeOf(tx, by, id); err != nil {
			return err
		}
		switch {
		case !o.Seat.Valid():
			return live.ErrNotPlaying
		case !o.HasArbiters:
			return ErrNoCall
		}
		before, err := tx.CallsOfMatch(id)
		if err != nil {
			return err
		}
		mayStop := o.CallStops && (o.Head.Status == match.Bidding || o.Head.Status == match.Playing)
		c, err = call.New(call.ID(store.NewID()), id, o.Place, by.ID, o.Seat, text, mayStop, before, a.now())
		if err != nil {
			return err
		}
		if err := tx.AddCall(c); err != nil {
			if errors.Is(err, store.ErrTaken) {
				return call.ErrOpen
			}
			return err
		}
		return a.Notify(tx, a.callNotices(o, c, by)...)
	})
	if err != nil {
		return call.Call{}, err
	}
	if o.Head.Status != match.Over {
		called := match.Call{Seat: c.Seat, Stops: c.Stopped}
		q := live.Request{CommandID: "call/" + string(c.ID), Command: called, Admit: a.admits(by, called)}
		if _, err := a.live.Do(ctx, id, by.ID, q); err != nil && !errors.Is(err, match.ErrOver) {
			return c, err
		}
	}
	a.nudgeCall(c)
	return c, nil
}

func (a *Arbiter) callNotices(o Office, c call.Call, by player.Viewer) []notice.Notice {
	url := "/matches/" + string(c.Match)
	if c.Tournament != "" {
		url = "/tournaments/" + c.Tournament + "/calls"
	}
	var list []notice.Notice
	for _, to := range o.answerers() {
		if to != by.ID {
			list = append(list, notice.Notice{
				To: to, Kind: notice.Call, Key: string(c.ID), URL: url, Until: c.At.Add(callUntil),
				Args: map[string]string{"Tournament": o.Event, "By": string(by.Handle)},
			})
		}
	}
	return list
}

func (a *Arbiter) nudgeCall(c call.Call) {
	a.live.Nudge(TalkTopic(c.Match), 0)
	if c.Tournament != "" {
		a.live.Nudge(CallsTopic(tournament.ID(c.Tournament)), 0)
	}
}

// TakeCall notes that the viewer looks into a call. Errors: ErrNotJudge, those of
// call.Take.
func (a *Arbiter) TakeCall(ctx context.Context, by player.Viewer, id call.ID) error {
	return a.changeCall(ctx, by, id, "", func(c *call.Call, o Office) error {
		if err := o.mayJudge(); err != nil {
			return err
		}
		return c.Take(by.ID, a.now())
	})
}

// ResolveCall settles a call; the answer, if there is one, goes into the talk of
// the match. Errors: ErrNotJudge, those of call.Resolve and call.Say.
func (a *Arbiter) ResolveCall(ctx context.Context, by player.Viewer, id call.ID, answer string) error {
	return a.changeCall(ctx, by, id, answer, func(c *call.Call, o Office) error {
		if err := o.mayJudge(); err != nil {
			return err
		}
		return c.Resolve(by.ID, a.now())
	})
}

// WithdrawCall takes the viewer's own call back; clocks that it stopped go on.
// Errors: ErrNotJudge for the call of another, call.ErrResolved.
func (a *Arbiter) WithdrawCall(ctx context.Context, by player.Viewer, id call.ID) error {
	var withdrawn call.Call
	err := a.changeCall(ctx, by, id, "", func(c *call.Call, _ Office) error {
		if !by.Is(c.Caller) {
			return ErrNotJudge
		}
		withdrawn = *c
		return c.Resolve(by.ID, a.now())
	})
	if err != nil || !withdrawn.Stopped {
		return err
	}
	off := match.CallOff{Seat: withdrawn.Seat}
	_, err = a.live.Do(ctx, withdrawn.Match, by.ID, live.Request{Command: off, Admit: a.admits(by, off)})
	var refusal *match.Refusal
	if errors.As(err, &refusal) { // an arbiter has taken over, or it goes on already
		return nil
	}
	return err
}

// changeCall reads a call, lets f judge and change it, and writes it with the
// answer to the caller.
func (a *Arbiter) changeCall(ctx context.Context, by player.Viewer, id call.ID, answer string, f func(*call.Call, Office) error) error {
	var after call.Call
	err := a.inTurn(ctx, string(id), func(ctx context.Context) error {
		return a.store.Write(ctx, func(tx *store.Tx) error {
			before, err := tx.Call(id)
			if err != nil {
				return err
			}
			o, err := officeOf(tx, by, before.Match)
			if err != nil {
				return err
			}
			after = before
			if err := f(&after, o); err != nil {
				return err
			}
			if answer != "" {
				if err := a.say(tx, by, o, answer); err != nil {
					return err
				}
			}
			return tx.SaveCall(before, after)
		})
	})
	if err == nil {
		a.nudgeCall(after)
	}
	return err
}

// Say adds to the talk on a match: arbiters when they like, a player once they or
// their opponent has called, or an arbiter has spoken. Errors: ErrNotJudge,
// ErrNoTalk, those of call.Say.
func (a *Arbiter) Say(ctx context.Context, by player.Viewer, id match.ID, text string) error {
	err := a.inTurn(ctx, string(id), func(ctx context.Context) error {
		return a.store.Write(ctx, func(tx *store.Tx) error {
			o, err := officeOf(tx, by, id)
			if err != nil {
				return err
			}
			return a.say(tx, by, o, text)
		})
	})
	if err == nil {
		a.live.Nudge(TalkTopic(id), 0)
	}
	return err
}

func (a *Arbiter) say(tx *store.Tx, by player.Viewer, o Office, text string) error {
	id := o.Head.ID
	before, err := tx.Messages(id)
	if err != nil {
		return err
	}
	calls, err := tx.CallsOfMatch(id)
	switch {
	case err != nil:
		return err
	case !o.MayJudge && !o.Seat.Valid():
		return ErrNotJudge
	case !o.MayJudge && len(calls)+len(before) == 0:
		return ErrNoTalk
	}
	m, err := call.Say(id, by.ID, o.MayJudge, text, before, a.now())
	if err != nil {
		return err
	}
	if err := tx.AddMessage(m); err != nil {
		return err
	}
	if !o.MayJudge {
		return nil
	}
	var list []notice.Notice
	for _, to := range o.Head.Players {
		list = append(list, notice.Notice{
			To: to, Kind: notice.Answer, Key: fmt.Sprintf("%s/%d", id, m.No), URL: "/matches/" + string(id), Until: m.At.Add(callUntil),
			Args: map[string]string{"Tournament": o.Event},
		})
	}
	if o.Event == "" {
		return nil
	}
	return a.Notify(tx, list...)
}
