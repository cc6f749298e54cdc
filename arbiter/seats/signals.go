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
	// Keyed hashes of the page's session, browser and network.
	Session, Device, Network string
	// What a signing page signed: the last event it shows, the fields of its form, and
	// the signature.
	Seq       *int64
	Fields    [][2]string
	Signature []byte
}

// MayAct is nil when a player's command may come from this source, else a
// fairplay.ErrByToken, ErrCheckIn, ErrCheckInOld, ErrTakenOver,
// fairplay.ErrUnsigned, match.ErrStale, ErrSteward, ErrUnlockFirst or ErrChecking.
// Whatever stands out is noted as a fact or a signal, refused or not. Matches at Open
// demand nothing and cost nothing; calling an arbiter, and calling that off, needs no
// check-in.
func (a *Office) MayAct(ctx context.Context, by player.Viewer, state match.State, head store.Head, from Source, c match.Command) error {
	seat := head.SeatOf(by.ID)
	if head.Level <= fairplay.Open || !seat.Valid() {
		return nil
	}
	switch c.(type) {
	case match.Call, match.CallOff:
		return nil
	}
	at, isNew, err := a.gates.of(ctx, a.Kernel, head.ID)
	if err != nil {
		return err
	}
	here := Noted{Office: a, Head: head, seat: seat, player: by.ID, At: a.Now(), Move: assurance.MoveOf(state), remembers: !isNew}
	err = here.mayAct(ctx, at, state, from, c)
	if err == nil || isNew {
		return err
	}
	// What is cached may be old: it refuses nothing, and nothing is noted by it.
	if at, err = a.gates.read(ctx, a.Kernel, head.ID); err != nil {
		return err
	}
	here.remembers = false
	return here.mayAct(ctx, at, state, from, c)
}

func (n Noted) mayAct(ctx context.Context, at gate, state match.State, from Source, c match.Command) error {
	if from.Token {
		if refused := at.policy.MayMoveByToken(shortest(state)); refused != nil {
			if n.Head.Level >= fairplay.Verified {
				return errors.Join(refused, n.signal(ctx, review.SignalToken, ""))
			}
			return refused
		}
		if err := n.fact(ctx, at.facts, fairplay.TokenMove); err != nil {
			return err
		}
		return n.unchecked(ctx, at.policy, state, c)
	}
	if err := errors.Join(n.device(ctx, at, from), n.watched(ctx, at, c)); err != nil {
		return err
	}
	if at.policy.Moves == fairplay.Signed && !assurance.Waives(at.facts, n.seat, fairplay.DemandCheckIn) {
		if err := n.signed(ctx, at.policy, at.pages, state, from, c); err != nil {
			return err
		}
	}
	return n.unchecked(ctx, at.policy, state, c)
}

// Admits judges a command that follows from what a player does elsewhere on the site: it
// came from no page of the match, so no page is noted.
func (a *Office) Admits(by player.Viewer, c match.Command) live.Admission {
	return func(ctx context.Context, s match.State, h store.Head) error {
		return a.MayAct(ctx, by, s, h, Source{}, c)
	}
}

// RefuseStranger is why somebody who does not play in a match may not move in it:
// live.ErrNotPlaying. For a bot whose maintainer plays there at Verified or above it is a
// fairplay.ErrByToken, and a signal about the maintainer.
func (a *Office) RefuseStranger(ctx context.Context, by player.Viewer, state match.State, head store.Head) error {
	seat := head.SeatOf(by.Maintainer)
	if !by.Bot || head.Level < fairplay.Verified || !seat.Valid() {
		return live.ErrNotPlaying
	}
	here := Noted{Office: a, Head: head, seat: seat, player: by.Maintainer, At: a.Now(), Move: assurance.MoveOf(state)}
	return errors.Join(fairplay.NotByToken(head.Level), here.signal(ctx, review.SignalToken, string(by.Handle)))
}

// shortest is the time control in minutes, or the least that can be bid.
func shortest(s match.State) int {
	if terms, ok := s.Game().Terms(); ok {
		return terms.Time.Minutes
	}
	return s.Options().Envelope.Minutes[0]
}

// Noted is one player in one match at one moment, to note things about.
type Noted struct {
	*Office
	Head   store.Head
	seat   match.Seat
	player player.ID
	At     time.Time
	Move   int
	// remembers says that they are judged by the cache: nothing is noted then.
	remembers bool
}

// errRemembers asks to judge by the database instead of the cache.
var errRemembers = errors.New("arbiter: to be noted")

// fact notes a fact unless it is known.
func (n Noted) fact(ctx context.Context, known []fairplay.Fact, kind fairplay.FactKind) error {
	if slices.ContainsFunc(known, func(f fairplay.Fact) bool { return f.Kind == kind && f.Seat == n.seat }) {
		return nil
	}
	if n.remembers {
		return errRemembers
	}
	return n.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.AddFacts(n.Head.ID, fairplay.Fact{Kind: kind, Seat: n.seat, At: n.At, Move: n.Move})
	})
}

// signal notes a signal, once per match.
func (n Noted) signal(ctx context.Context, kind review.SignalKind, detail string) error {
	if n.remembers {
		return errRemembers
	}
	return n.Store.Write(ctx, func(tx *store.Tx) error { return n.SignalTx(tx, n.player, kind, detail) })
}

// SignalTx stores a signal about a player, once per match and kind.
func (n Noted) SignalTx(tx *store.Tx, of player.ID, kind review.SignalKind, detail string) error {
	has, err := tx.HasSignal(of, n.Head.ID, kind)
	if err != nil || has {
		return err
	}
	return tx.AddSignal(review.Signal{ID: store.NewID(), Player: of, Match: n.Head.ID, Kind: kind, At: n.At, Move: n.Move, Detail: detail})
}

// device notes where a page moves from, and the signals that follow.
func (n Noted) device(ctx context.Context, g gate, from Source) error {
	if from.Session == "" {
		return nil
	}
	known := g.devices
	d := store.Device{Seat: n.seat, Session: from.Session, Device: from.Device, Network: from.Network, At: n.At}
	if slices.ContainsFunc(known, func(k store.Device) bool { k.At = d.At; return k == d }) {
		return nil
	}
	if n.remembers {
		return errRemembers
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
		// A signing page takes over by a check-in of its own, where it is noted.
		if second && g.policy.OneSession && (g.policy.Moves != fairplay.Signed || assurance.Waives(g.facts, n.seat,
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

// watched is nil when a player's steward lets them act, else ErrSteward. Moves while the
// steward says the player is absent are noted but not refused.
func (n Noted) watched(ctx context.Context, g gate, c match.Command) error {
	if _, resigns := c.(match.Resign); resigns || !g.policy.Steward || assurance.Waives(g.facts, n.seat, fairplay.DemandSteward) {
		return nil
	}
	switch {
	case g.watches[n.seat.Index()].Opened.IsZero():
		return ErrSteward
	case g.watches[n.seat.Index()].Absent.IsZero():
		return nil
	}
	return n.signal(ctx, review.SignalWhileAbsent, "")
}
