package judges

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
)

// CallsTopic wakes those who watch the calls of a tournament, TalkTopic those who watch
// the messages and calls on a match. Their nudges say only that there is news.
func CallsTopic(id tournament.ID) string { return "calls." + string(id) }
func TalkTopic(id match.ID) string       { return "talk." + string(id) }

// callUntil is how long the notice of a call is of use.
const callUntil = 2 * time.Hour

// Call calls the arbiter to the viewer's match and, where the tournament allows, stops
// the clocks. Errors: live.ErrNotPlaying, ErrNoCall, and those of call.New.
func (a *Office) Call(ctx context.Context, by player.Viewer, id match.ID, text string) (c call.Call, err error) {
	var o assurance.Capacity
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if o, err = assurance.CapacityOf(tx, by, id); err != nil {
			return err
		}
		switch {
		case !o.Seat.Valid():
			return live.ErrNotPlaying
		case !o.HasArbiters:
			return assurance.ErrNoCall
		}
		before, err := tx.CallsOfMatch(id)
		if err != nil {
			return err
		}
		mayStop := o.CallStops && (o.Head.Status == match.Bidding || o.Head.Status == match.Playing)
		c, err = call.New(call.Call{ID: call.ID(store.NewID()), Match: id, Place: o.Place, Caller: by.ID, Seat: o.Seat, Text: text}, mayStop,
			before, a.Now())
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
		q := live.Request{CommandID: "call/" + string(c.ID), Command: called, Admit: a.seats.Admits(by, called)}
		if _, err := a.Live.Do(ctx, id, by.ID, q); err != nil && !errors.Is(err, match.ErrOver) {
			return c, err
		}
	}
	a.nudgeCall(c)
	return c, nil
}

func (a *Office) callNotices(o assurance.Capacity, c call.Call, by player.Viewer) []notice.Notice {
	url := "/matches/" + string(c.Match)
	if c.Tournament != "" {
		url = "/tournaments/" + c.Tournament + "/calls"
	}
	var list []notice.Notice
	for _, to := range o.Answerers() {
		if to != by.ID {
			list = append(list, notice.Notice{
				To: to, Kind: notice.Call, Key: string(c.ID), URL: url, Until: c.At.Add(callUntil),
				Args: map[string]string{"Tournament": o.Event, "By": o.NameOf(by.Player)},
			})
		}
	}
	return list
}

func (a *Office) nudgeCall(c call.Call) {
	a.Live.Nudge(TalkTopic(c.Match), 0)
	if c.Tournament != "" {
		a.Live.Nudge(CallsTopic(tournament.ID(c.Tournament)), 0)
	}
}

// TakeCall notes that the viewer looks into a call. Errors: ErrNotJudge, and those of
// call.Take.
func (a *Office) TakeCall(ctx context.Context, by player.Viewer, id call.ID) error {
	return a.changeCall(ctx, by, id, "", func(c *call.Call, o assurance.Capacity) error {
		if err := o.CheckJudge(); err != nil {
			return err
		}
		return c.Take(by.ID, a.Now())
	})
}

// ResolveCall settles a call; an answer becomes a message on the match. Errors:
// ErrNotJudge, and those of call.Resolve and call.Say.
func (a *Office) ResolveCall(ctx context.Context, by player.Viewer, id call.ID, answer string) error {
	return a.changeCall(ctx, by, id, answer, func(c *call.Call, o assurance.Capacity) error {
		if err := o.CheckJudge(); err != nil {
			return err
		}
		return c.Resolve(by.ID, a.Now())
	})
}

// WithdrawCall withdraws the viewer's own call; clocks that it stopped go on. Errors:
// ErrNotJudge for another's call, and call.ErrResolved.
func (a *Office) WithdrawCall(ctx context.Context, by player.Viewer, id call.ID) error {
	var withdrawn call.Call
	err := a.changeCall(ctx, by, id, "", func(c *call.Call, _ assurance.Capacity) error {
		if !by.Is(c.Caller) {
			return assurance.ErrNotJudge
		}
		withdrawn = *c
		return c.Resolve(by.ID, a.Now())
	})
	if err != nil || !withdrawn.Stopped {
		return err
	}
	off := match.CallOff{Seat: withdrawn.Seat}
	_, err = a.Live.Do(ctx, withdrawn.Match, by.ID, live.Request{Command: off, Admit: a.seats.Admits(by, off)})
	var refusal *match.Refusal
	if errors.As(err, &refusal) { // an arbiter has taken over, or the clocks run already
		return nil
	}
	return err
}

// changeCall reads a call, lets f judge and change it, and writes it with the answer to
// the caller.
func (a *Office) changeCall(ctx context.Context, by player.Viewer, id call.ID, answer string, f func(*call.Call,
	assurance.Capacity) error) error {
	var after call.Call
	err := a.InTurn(ctx, string(id), func() error {
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			before, err := tx.Call(id)
			if err != nil {
				return err
			}
			o, err := assurance.CapacityOf(tx, by, before.Match)
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
			if !after.IsOpen() {
				if err := tx.EndNotices(notice.CallMatter, string(id), a.Now()); err != nil {
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

// Say adds a message to a match: arbiters at any time, a player once they or their
// opponent have called or an arbiter has spoken. Errors: ErrNotJudge, ErrNoTalk, and
// those of call.Say.
func (a *Office) Say(ctx context.Context, by player.Viewer, id match.ID, text string) error {
	err := a.InTurn(ctx, string(id), func() error {
		return a.Store.Write(ctx, func(tx *store.Tx) error {
			o, err := assurance.CapacityOf(tx, by, id)
			if err != nil {
				return err
			}
			return a.say(tx, by, o, text)
		})
	})
	if err == nil {
		a.Live.Nudge(TalkTopic(id), 0)
	}
	return err
}

func (a *Office) say(tx *store.Tx, by player.Viewer, o assurance.Capacity, text string) error {
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
		return assurance.ErrNotJudge
	case !o.MayJudge && len(calls)+len(before) == 0:
		return assurance.ErrNoTalk
	}
	m, err := call.Say(call.Message{Match: id, By: by.ID, Staff: o.MayJudge, Text: text}, before, a.Now())
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
