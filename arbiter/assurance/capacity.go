package assurance

import (
	"context"
	"errors"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/tournament/ladder"
)

// The refusals of arbiters and of calls to them.
var (
	ErrNotJudge = refusal.Forbidden("calls.error.not-judge", "arbiter: not an arbiter of this match")
	ErrCounted  = refusal.Conflict("calls.error.counted", "arbiter: the result counts already")
	ErrNoBoard  = refusal.Conflict("calls.error.no-board", "arbiter: only a tournament's board gets another match")
	ErrNoCall   = refusal.Conflict("calls.error.no-arbiter", "arbiter: nobody to call for this match")
	ErrNoTalk   = refusal.Conflict("calls.error.no-talk", "arbiter: this match has no chat")
)

// Capacity is what a viewer is to a match: a player who may call, an arbiter who may
// judge, or neither.
type Capacity struct {
	Head  store.Head
	Seat  match.Seat // none: not a player
	Place call.Place
	Event string // the name of the tournament or ladder

	HasArbiters bool // players may call
	CallStops   bool // a call stops the clocks
	MayJudge    bool // rule in the match, answer calls and write messages; never in one's own

	Tournament *tournament.Tournament
	Ladder     *ladder.Ladder
	own        error // a *fairplay.PartyError if only their own part in it keeps the viewer from judging
}

// CheckJudge is nil or why the viewer may not judge the match.
func (o Capacity) CheckJudge() error {
	switch {
	case o.MayJudge:
		return nil
	case o.own != nil:
		return o.own
	}
	return ErrNotJudge
}

// Capacity reads what the viewer is to a match. Staff judge in a tournament; on a ladder
// those who direct it or judge for its club do; elsewhere operators.
func (a *Office) Capacity(ctx context.Context, by player.Viewer, id match.ID) (Capacity, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (Capacity, error) { return CapacityOf(tx, by, id) })
}

// CapacityOf is Capacity inside a transaction.
func CapacityOf(tx *store.Tx, by player.Viewer, id match.ID) (o Capacity, err error) {
	if o.Head, err = tx.Match(id); err != nil {
		return o, err
	}
	o.Seat = o.Head.SeatOf(by.ID)
	var may bool
	first, _, err := firstOf(tx, id)
	if err != nil {
		return o, err
	}
	ref, err := tx.PairingOf(first)
	switch {
	case err == nil:
		if o.Tournament, err = tx.Tournament(ref.Tournament); err != nil {
			return o, err
		}
		o.Place = call.Place{Tournament: string(ref.Tournament), Round: ref.Round, Board: ref.Board}
		o.Event, o.HasArbiters, o.CallStops = o.Tournament.Name, true, o.Tournament.CallStops
		may = o.Tournament.May(by, tournament.ActMatch)
	case !errors.Is(err, store.ErrNotFound):
		return o, err
	default:
		if may, err = o.ofLadder(tx, by, id); err != nil {
			return o, err
		}
	}
	o.MayJudge = may && !o.Seat.Valid()
	if may && o.Seat.Valid() {
		c := fairplay.Case{Parties: o.Head.Players[:]}
		switch {
		case o.Tournament != nil:
			c = o.Tournament.CaseOf(tournament.ActMatch, c.Parties...)
		case o.Ladder != nil:
			if c.Judges, err = ladderJudges(tx, o.Ladder, club.ActJudge); err != nil {
				return o, err
			}
		}
		o.own = kernel.JudgesNamed(tx, c.Decide(by.ID))
	}
	return o, nil
}

// NameOf names somebody as their event does, else by handle.
func (o Capacity) NameOf(who player.Player) string {
	if o.Tournament != nil {
		if e, in := o.Tournament.EntryOf(who.ID); in {
			return e.Name
		}
	}
	return string(who.Handle)
}

// firstOf is the match that now stands on the board of a void one, and whether it is
// another.
func firstOf(tx *store.Tx, id match.ID) (now match.ID, replaced bool, err error) {
	for now = id; ; replaced = true {
		_, next, err := tx.ReplaysOf(now)
		if err != nil || next == "" {
			return now, replaced, err
		}
		now = next
	}
}

func (o *Capacity) ofLadder(tx *store.Tx, by player.Viewer, id match.ID) (may bool, err error) {
	ref, err := tx.LadderChallengeOf(id)
	if errors.Is(err, store.ErrNotFound) {
		return by.MayOperate(), nil
	}
	if err != nil {
		return false, err
	}
	if o.Ladder, err = tx.Ladder(ref.Ladder); err != nil {
		return false, err
	}
	role, err := tx.ClubRole(by.ID, o.Ladder.Settings.Club)
	o.Place, o.Event, o.HasArbiters = call.Place{Ladder: string(ref.Ladder)}, o.Ladder.Settings.Name, true
	return o.Ladder.MayDirect(by, role) || o.Ladder.Settings.Club != "" && club.May(by, role, club.ActJudge), err
}

// Answerers are those whom a call is told.
func (o Capacity) Answerers() []player.ID {
	switch {
	case o.Tournament != nil:
		return o.Tournament.Judges("", tournament.ActCalls)
	case o.Ladder != nil:
		return []player.ID{o.Ladder.Organizer}
	}
	return nil
}
