package seats

import (
	"context"
	"errors"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/persons"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// The refusals around the check during a match.
var (
	ErrUnlockFirst  = refusal.Forbidden("passkey.error.unlock-first", "arbiter: unlock the device first, the clock stands still for it")
	ErrChecking     = refusal.Conflict("passkey.error.checking", "arbiter: the match stands still for a short check and goes on by itself")
	ErrMidCheckOver = refusal.Conflict("passkey.error.mid-check-over", "arbiter: the check is over, the match goes on")
)

// midCheckWord is the warrant under which a match stands still for a check. It says
// neither who is asked nor the outcome: the facts do, once the match is over.
var midCheckWord = match.Warrant{By: match.FairPlay, Why: "a short check"}

// OnTurn asks the player to act to unlock their device once more, if it is time: for
// live.Runner.OnTurn. What fails, or is lost in a crash, is done when they want to act
// (MayAct).
func (a *Office) OnTurn(ctx context.Context, id match.ID, s match.State) {
	if _, err := a.askMidCheck(context.WithoutCancel(ctx), id, s); err != nil {
		a.Log.Error("check during the match not asked for", "match", id, "err", err)
	}
}

// askMidCheck stops the match and notes that the player to act was asked; false if nobody
// is to be asked at this place of the log.
func (a *Office) askMidCheck(ctx context.Context, id match.ID, s match.State) (asked bool, err error) {
	if !fairplay.MayMidCheck(s) {
		return false, nil
	}
	g, _, err := a.gates.of(ctx, a.Kernel, id)
	if err != nil {
		return false, err
	}
	seat, due := g.policy.MidCheckDue(s)
	if !due || !mayAsk(g.facts, g.pages, seat) {
		return false, nil
	}
	// Nobody is asked twice, even if another node has asked unheard.
	if g, err = a.gates.read(ctx, a.Kernel, id); err != nil || !mayAsk(g.facts, g.pages, seat) {
		return false, err
	}
	err = a.ruleMidCheck(ctx, id, s, match.Pause{Warrant: midCheckWord}, func(tx *store.Tx) error {
		return tx.AddFacts(id, fairplay.Fact{Kind: fairplay.MidCheckAsked, Seat: seat, At: a.Now(), Move: assurance.MoveOf(s)})
	})
	return err == nil, overtaken(err)
}

// mayAsk reports whether a player can be asked: their page was checked in by passkey, and
// they have not been asked. Whoever came by code, or without a check-in, has no device to
// unlock.
func mayAsk(facts []fairplay.Fact, pages []fairplay.Page, seat match.Seat) bool {
	if slices.ContainsFunc(facts, func(f fairplay.Fact) bool { return f.Kind == fairplay.MidCheckAsked && f.Seat == seat }) {
		return false
	}
	page, ok := fairplay.PageOf(pages, seat)
	return ok && page.Means == fairplay.ByPasskey
}

// ruleMidCheck writes the site's act in a match in state s and its note in one
// transaction.
func (a *Office) ruleMidCheck(ctx context.Context, id match.ID, s match.State, c match.Command, note func(*store.Tx) error) error {
	seq := s.Seq()
	ruling, err := a.Live.Prepare(ctx, id, live.Request{Seq: &seq, Command: c})
	if err == nil && ruling.IsDone() {
		err = match.ErrStale
	}
	if err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := a.Live.RuleTx(tx, ruling); err != nil {
			return err
		}
		return note(tx)
	})
}

// overtaken is nil for an error that only says that the match has moved on: whoever moved
// it looks again.
func overtaken(err error) error {
	for _, harmless := range []error{match.ErrStale, match.ErrOver, store.ErrConflict} {
		if errors.Is(err, harmless) {
			return nil
		}
	}
	return err
}

// MidCheck is a check that a player has not answered yet: the match stands still for it.
type MidCheck struct {
	Head  store.Head
	Seat  match.Seat // none: after a takeback the player to act is not the one who was asked
	Until time.Time  // when the match goes on without an answer

	state match.State
	with  assurance.Known
}

// MidCheckOf is the check that a match stands still for; false without one. A player who
// was asked while no node was up has the whole time again.
func MidCheckOf(tx *store.Tx, head store.Head, s match.State) (c MidCheck, open bool, err error) {
	still, _ := s.Standstill()
	if !still.EndsByItself() {
		return c, false, nil
	}
	with, _, err := assurance.Of(tx, head)
	if err != nil {
		return c, false, err
	}
	outages, err := tx.OutagesSince(still.Since)
	if err != nil {
		return c, false, err
	}
	from := still.Since
	if n := len(outages); n > 0 {
		from = outages[n-1].To
	}
	c = MidCheck{Head: head, Until: from.Add(with.Policy.GraceTime()), state: s, with: with}
	if turn, _ := s.Game().Turn(); fairplay.IsMidCheckOpen(with.Facts, turn) {
		c.Seat = turn
	}
	return c, true, nil
}

// midCheckBy is the check that a player's page may answer, and that page. Errors:
// live.ErrNotPlaying, ErrMidCheckOver, and ErrTakenOver for any other page.
func (a *Office) midCheckBy(ctx context.Context, by player.Viewer, id match.ID,
	session string) (c MidCheck, page fairplay.Page, err error) {
	s, head, err := a.Live.State(ctx, id)
	if err != nil {
		return c, page, err
	}
	seat := head.SeatOf(by.ID)
	if !seat.Valid() {
		return c, page, live.ErrNotPlaying
	}
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		var open bool
		if c, open, err = MidCheckOf(tx, head, s); err != nil {
			return err
		}
		if !open || c.Seat != seat || !a.Now().Before(c.Until) {
			return ErrMidCheckOver
		}
		pages, err := tx.Pages(id)
		if page, _ = fairplay.PageOf(pages, seat); err == nil && page.Session != session {
			return ErrTakenOver
		}
		return err
	})
	return c, page, err
}

// BeginMidCheck starts a player's answer to the check: the challenge for their device,
// and the passkeys that can answer it. Errors: those of midCheckBy, and ErrNoPasskey.
func (a *Office) BeginMidCheck(ctx context.Context, by player.Viewer, id match.ID,
	session string) (challenge []byte, keys []player.Passkey, err error) {
	c, page, err := a.midCheckBy(ctx, by, id, session)
	if err != nil {
		return nil, nil, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if keys, err = tx.Passkeys(by.ID); err != nil {
			return err
		}
		keys = slices.DeleteFunc(keys, func(k player.Passkey) bool { return takes(c.with, c.Seat, k) != nil })
		if len(keys) == 0 {
			return persons.ErrNoPasskey
		}
		ref, err := tx.PairingOf(id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		challenge, err = begin(tx, persons.CeremonyMidCheck, session, a.Now(),
			fairplay.CheckInTerms{Match: id, Round: ref.Round, Player: by.ID, Policy: c.with.Policy.Hash(), Key: page.Key, During: true})
		return err
	})
	return challenge, keys, err
}

// PassMidCheck takes the answer of the player's device, and the match goes on. Errors:
// those of BeginMidCheck, ErrTooLong, ErrOneDevice, and those of passkey.Site.Check.
func (a *Office) PassMidCheck(ctx context.Context, by player.Viewer, id match.ID, x persons.Said) error {
	asked, key, err := a.persons.Answered(ctx, by.Player, persons.CeremonyMidCheck, x)
	if err != nil {
		return err
	}
	return a.InTurn(ctx, string(id), func() error {
		c, page, err := a.midCheckBy(ctx, by, id, x.Session)
		if err != nil {
			return err
		}
		if asked.Match != id || asked.Policy != c.with.Policy.Hash() || !slices.Equal(asked.Key, page.Key) {
			return persons.ErrTooLong
		}
		if err := takes(c.with, c.Seat, key); err != nil {
			return err
		}
		err = a.endMidCheck(ctx, c, fairplay.MidCheckPassed)
		if err != nil && overtaken(err) == nil {
			return store.ErrConflict
		}
		return err
	})
}

// endMidCheck resumes the match and notes how the check ended.
func (a *Office) endMidCheck(ctx context.Context, c MidCheck, how fairplay.FactKind) error {
	here := Noted{Office: a, Head: c.Head, seat: c.Seat, player: c.Head.Players[c.Seat.Index()], At: a.Now(), Move: assurance.MoveOf(c.state)}
	return a.ruleMidCheck(ctx, c.Head.ID, c.state, match.Resume{Warrant: midCheckWord}, func(tx *store.Tx) error {
		err := tx.AddFacts(c.Head.ID, fairplay.Fact{Kind: how, Seat: c.Seat, At: here.At, Move: here.Move})
		if err == nil && how == fairplay.MidCheckMissed {
			err = here.SignalTx(tx, here.player, review.SignalMidCheck, "")
		}
		return err
	})
}

// SweepMidChecks resumes matches whose player has not answered in time. Every node may
// call it at any pace: the first does it.
func (a *Office) SweepMidChecks(ctx context.Context) error {
	if err := a.Live.Awake(ctx); err != nil {
		return err
	}
	return kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "match", Trouble: "check during the match not ended"}, (*store.Tx).StandingStill,
		a.missMidCheck)
}

func (a *Office) missMidCheck(ctx context.Context, id match.ID) error {
	s, head, err := a.Live.State(ctx, id)
	if err != nil {
		return err
	}
	var c MidCheck
	open := false
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		c, open, err = MidCheckOf(tx, head, s)
		return err
	})
	if err != nil || !open || c.Seat.Valid() && a.Now().Before(c.Until) {
		return err
	}
	if !c.Seat.Valid() {
		return overtaken(a.ruleMidCheck(ctx, id, s, match.Resume{Warrant: midCheckWord}, func(*store.Tx) error { return nil }))
	}
	return overtaken(a.endMidCheck(ctx, c, fairplay.MidCheckMissed))
}

// unchecked is nil when no check stands in the way of a command: ErrUnlockFirst for the
// player who is asked, ErrChecking for the other. A player who was due to be asked is
// asked before they act, except to resign.
func (n Noted) unchecked(ctx context.Context, p fairplay.Policy, state match.State, c match.Command) error {
	if p.CheckIn.MidMatch == 0 {
		return nil
	}
	still, stands := state.Standstill()
	turn, _ := state.Game().Turn() // even while the match stands still and no clock runs
	if _, resigns := c.(match.Resign); !stands && !resigns {
		if turn != n.seat {
			return nil
		}
		asked, err := n.askMidCheck(ctx, n.Head.ID, state)
		if err != nil || !asked {
			return err
		}
		return ErrUnlockFirst
	}
	if !still.EndsByItself() {
		return nil
	}
	if turn == n.seat {
		return ErrUnlockFirst
	}
	return ErrChecking
}
