package seats

import (
	"context"
	"errors"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
)

// Source is where a command comes from.
type Source struct {
	Token bool // a program, by token
	// Of a page: keyed hashes of the session, the browser and its network.
	Session, Device, Network string
	// What the page signed, where it signs: the place of the log it shows, the
	// fields of its form, and the signature.
	Seq       *int64
	Fields    [][2]string
	Signature []byte
}

// MayAct is nil when a player's command may come from this source: else a
// *fairplay.TokenError, ErrCheckIn, ErrCheckInOld, ErrTakenOver,
// *fairplay.SignatureError, match.ErrStale, ErrSteward, ErrUnlockFirst or ErrChecking.
// Whatever stands out is noted as a fact or a signal, refused or not. Matches at Open
// ask for nothing and cost nothing; to call an arbiter, and to call that off, nobody
// has to be checked in.
func (a *Office) MayAct(ctx context.Context, by player.Viewer, state match.State, head store.Head, from Source, c match.Command) error {
	seat := head.SeatOf(by.ID)
	if head.Level <= fairplay.Open || !seat.Valid() {
		return nil
	}
	switch c.(type) {
	case match.Call, match.CallOff:
		return nil
	}
	at, err := a.gateOf(ctx, head, seat)
	if err != nil {
		return err
	}
	here := Noted{Office: a, Head: head, seat: seat, player: by.ID, At: a.Now(), Move: assurance.MoveOf(state)}
	if from.Token {
		if refused := at.with.Policy.MayMoveByToken(shortest(state)); refused != nil {
			if head.Level >= fairplay.Verified {
				return errors.Join(refused, here.signal(ctx, review.SignalToken, ""))
			}
			return refused
		}
		if err := here.fact(ctx, at.with.Facts, fairplay.TokenMove); err != nil {
			return err
		}
		return here.unchecked(ctx, at.with.Policy, state, c)
	}
	if err := errors.Join(here.device(ctx, at, from), here.watched(ctx, at, c)); err != nil {
		return err
	}
	if at.with.Policy.Moves == fairplay.Signed && !at.with.Waives(seat, fairplay.DemandCheckIn) {
		if err := here.signed(ctx, at.with.Policy, at.pages, state, from, c); err != nil {
			return err
		}
	}
	return here.unchecked(ctx, at.with.Policy, state, c)
}

// Admits is the judgement of what a player does in their match by doing something
// else on the site: it came from no page of the match, so no page is noted for it.
func (a *Office) Admits(by player.Viewer, c match.Command) live.Admission {
	return func(ctx context.Context, s match.State, h store.Head) error {
		return a.MayAct(ctx, by, s, h, Source{}, c)
	}
}

// gate is all that a player's command is judged by, but the command.
type gate struct {
	with    assurance.Known
	pages   []fairplay.Page
	devices []store.Device
	watch   fairplay.Watch // of the player's steward; zero: there is none
}

func (a *Office) gateOf(ctx context.Context, head store.Head, seat match.Seat) (g gate, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if g.with, _, err = assurance.Of(tx, head); err != nil {
			return err
		}
		if g.with.Policy.Moves == fairplay.Signed {
			if g.pages, err = tx.Pages(head.ID); err != nil {
				return err
			}
		}
		if g.with.Policy.Steward {
			if g.watch, err = tx.Watch(head.ID, seat); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		g.devices, err = tx.Devices(head.ID)
		return err
	})
	return g, err
}

// RefuseStranger is why somebody who does not play in a match does not move in it:
// live.ErrNotPlaying. Of a bot whose maintainer plays there at Verified or above it
// is a *fairplay.TokenError, and a signal about the maintainer.
func (a *Office) RefuseStranger(ctx context.Context, by player.Viewer, state match.State, head store.Head) error {
	seat := head.SeatOf(by.Maintainer)
	if !by.Bot || head.Level < fairplay.Verified || !seat.Valid() {
		return live.ErrNotPlaying
	}
	here := Noted{Office: a, Head: head, seat: seat, player: by.Maintainer, At: a.Now(), Move: assurance.MoveOf(state)}
	return errors.Join(&fairplay.TokenError{Level: head.Level}, here.signal(ctx, review.SignalToken, string(by.Handle)))
}

// shortest is the thinking time in minutes, or the least that may be bid.
func shortest(s match.State) int {
	if terms, ok := s.Game().Terms(); ok {
		return terms.Time.Minutes
	}
	return s.Options().Envelope.Minutes[0]
}

// Noted is one player in one match at one moment, to note things of.
type Noted struct {
	*Office
	Head   store.Head
	seat   match.Seat
	player player.ID
	At     time.Time
	Move   int
}

// fact notes a fact unless it is known.
func (n Noted) fact(ctx context.Context, known []fairplay.Fact, kind fairplay.FactKind) error {
	if slices.ContainsFunc(known, func(f fairplay.Fact) bool { return f.Kind == kind && f.Seat == n.seat }) {
		return nil
	}
	return n.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.AddFacts(n.Head.ID, fairplay.Fact{Kind: kind, Seat: n.seat, At: n.At, Move: n.Move})
	})
}

// signal notes a signal once for each match, and wakes the event's pages.
func (n Noted) signal(ctx context.Context, kind review.SignalKind, detail string) error {
	return n.Store.Write(ctx, func(tx *store.Tx) error { return n.SignalTx(tx, n.player, kind, detail) })
}

func (n Noted) SignalTx(tx *store.Tx, of player.ID, kind review.SignalKind, detail string) error {
	has, err := tx.HasSignal(of, n.Head.ID, kind)
	if err != nil || has {
		return err
	}
	return tx.AddSignal(review.Signal{ID: store.NewID(), Player: of, Match: n.Head.ID, Kind: kind, At: n.At, Move: n.Move, Detail: detail})
}

// device notes from where a page moves, and what that says.
func (n Noted) device(ctx context.Context, g gate, from Source) error {
	if from.Session == "" {
		return nil
	}
	with, known := g.with, g.devices
	d := store.Device{Seat: n.seat, Session: from.Session, Device: from.Device, Network: from.Network, At: n.At}
	if slices.ContainsFunc(known, func(k store.Device) bool { k.At = d.At; return k == d }) {
		return nil
	}
	var second, device, network bool
	for _, k := range known {
		if k.Seat == n.seat {
			second = second || k.Session != d.Session
			continue
		}
		device = device || k.Device == d.Device
		network = network || k.Network == d.Network && d.Network != ""
	}
	return n.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddDevice(n.Head.ID, d); err != nil {
			return err
		}
		if network {
			venue, err := tx.IsVenue(n.Head.ID, d.Network)
			if err != nil {
				return err
			}
			network = !venue
		}
		var errs []error
		// A page that signs takes over by its own check-in, and is noted there.
		if second && with.Policy.OneSession && (with.Policy.Moves != fairplay.Signed || assurance.Waives(with.Facts, n.seat,
			fairplay.DemandCheckIn)) {
			errs = append(errs, tx.AddFacts(n.Head.ID, fairplay.Fact{Kind: fairplay.SecondSession, Seat: n.seat, At: n.At, Move: n.Move}),
				n.SignalTx(tx, n.player, review.SignalSecondSession, ""))
		}
		for _, id := range n.Head.Players {
			if device {
				errs = append(errs, n.SignalTx(tx, id, review.SignalSharedDevice, ""))
			} else if network {
				errs = append(errs, n.SignalTx(tx, id, review.SignalSharedNetwork, ""))
			}
		}
		return errors.Join(errs...)
	})
}

// ErrSteward refuses a player's acts until their steward has opened the board.
var ErrSteward = refusal.Forbidden("review.error.steward-opens", "arbiter: the steward opens the board first")

// watched is nil when a player's steward lets them act: ErrSteward. Moves while
// the steward says that the player is not there are noted, and not refused.
func (n Noted) watched(ctx context.Context, g gate, c match.Command) error {
	if _, resigns := c.(match.Resign); resigns || !g.with.Policy.Steward || g.with.Waives(n.seat, fairplay.DemandSteward) {
		return nil
	}
	switch {
	case g.watch.Opened.IsZero():
		return ErrSteward
	case g.watch.Absent.IsZero():
		return nil
	}
	return n.signal(ctx, review.SignalWhileAbsent, "")
}
