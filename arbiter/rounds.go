package arbiter

import (
	"context"
	crand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/tournament/trf"
)

// BergerVersion names the behaviour of the round robin tables.
const BergerVersion = "berger-1"

// System is what pairs a tournament.
func System(t *tournament.Tournament) tournament.System {
	if t.Format == tournament.RoundRobin {
		return tournament.System{Pairer: roundrobin.Berger{Double: t.Double}, Engine: BergerVersion}
	}
	return tournament.System{Pairer: swiss.Dutch{}, Engine: swiss.Version}
}

// NewDrawing is fresh chance for a start.
func NewDrawing() tournament.Drawing {
	var seed [32]byte
	crand.Read(seed[:])
	return DrawingOf(seed)
}

// DrawingOf is the chance that a seed gives: draws by ChaCha8, so that anybody
// can repeat them from the seed the tournament keeps.
func DrawingOf(seed [32]byte) tournament.Drawing {
	source := rand.New(rand.NewChaCha8(seed))
	return tournament.Drawing{Seed: hex.EncodeToString(seed[:]), Pick: source.IntN, Restricted: roundrobin.Draw}
}

// Start ends the registration; a first round that opens by itself is opened.
func (a *Arbiter) Start(ctx context.Context, by player.Viewer, id tournament.ID) error {
	d := NewDrawing()
	t, err := a.change(ctx, id, act{By: by, Act: tournament.ActStart}, func(t *tournament.Tournament) error { return t.Start(by, d, a.now()) })
	if err != nil {
		return err
	}
	return a.openIfDue(ctx, t)
}

// OpenRound pairs and opens the next round now.
func (a *Arbiter) OpenRound(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.openRound(ctx, id, by, func(t *tournament.Tournament) error {
		if !t.May(by, tournament.ActPair) {
			return tournament.ErrNotAllowed
		}
		return t.MayPair()
	})
}

// errNotDue stops the opening of a round that another node has opened.
var errNotDue = errors.New("arbiter: not due")

// openIfDue opens rounds as long as the next one is due: a round of rests only
// is over at once. A field that cannot be paired is no failure of the caller;
// the tournament shows it.
func (a *Arbiter) openIfDue(ctx context.Context, t *tournament.Tournament) error {
	if next, due := t.NextRoundAt(); !due || next.After(a.now()) {
		return nil
	}
	err := a.openRound(ctx, t.ID, player.Viewer{}, func(t *tournament.Tournament) error {
		if next, due := t.NextRoundAt(); !due || t.Stuck != "" || next.After(a.now()) {
			return errNotDue
		}
		return nil
	})
	if errors.Is(err, errNotDue) || errors.Is(err, tournament.ErrNoPairing) {
		return nil
	}
	return err
}

// openRound pairs outside any transaction and then writes the round, its
// matches and their first events at once.
func (a *Arbiter) openRound(ctx context.Context, id tournament.ID, by player.Viewer, may func(*tournament.Tournament) error) error {
	for range attempts {
		before, err := a.read(ctx, id)
		if err != nil {
			return err
		}
		if err := may(before); err != nil {
			return err
		}
		err = a.tryRound(ctx, before, by)
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("tournament %s: %w", id, store.ErrConflict)
}

func (a *Arbiter) tryRound(ctx context.Context, before *tournament.Tournament, by player.Viewer) error {
	after := before.Clone()
	after.Stuck = ""
	input, err := Report(before.PairingField())
	if err != nil {
		return fmt.Errorf("input of round %d: %w", len(before.Rounds)+1, err)
	}
	round, err := after.PairNext(System(after), func() match.ID { return match.ID(store.NewID()) }, a.now())
	if errors.Is(err, tournament.ErrNoPairing) {
		return errors.Join(err, a.markStuck(ctx, before, err))
	}
	if err != nil {
		return fmt.Errorf("pair round %d: %w", len(before.Rounds)+1, err)
	}
	after.Conclude(a.now())
	opened, err := a.writeRound(ctx, before, after, act{By: by, Act: tournament.ActPair}, round, input)
	if err != nil {
		return err
	}
	a.nudge(after)
	if len(opened) > 0 {
		return a.live.Opened(ctx, opened...)
	}
	if after.Status == tournament.Finished {
		return a.rate(ctx, after.ID)
	}
	return a.openIfDue(ctx, after)
}

func (a *Arbiter) writeRound(ctx context.Context, before, after *tournament.Tournament, d act, round tournament.Round, input string) (opened []match.ID, err error) {
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := a.openMatches(tx, after, round); err != nil {
			return err
		}
		if err := a.save(tx, before, after, d.By, d.deed(before, a.now())); err != nil {
			return err
		}
		return tx.SetRoundInput(after.ID, round.Number, input)
	})
	for _, p := range round.Pairings {
		if p.Match != "" {
			opened = append(opened, p.Match)
		}
	}
	return opened, err
}

// openMatches begins the matches of the boards that have one.
func (a *Arbiter) openMatches(tx *store.Tx, t *tournament.Tournament, round tournament.Round) error {
	for _, p := range round.Pairings {
		if p.Match == "" {
			continue
		}
		o := live.Opening{ID: p.Match, Options: t.MatchOptions(), Policy: t.Policy}
		var waived [2][]fairplay.Demand
		for _, seat := range [...]match.Seat{match.First, match.Second} {
			e, err := t.Entry(p.EntryAt(seat))
			if err != nil {
				return err
			}
			o.Players[seat.Index()], waived[seat.Index()] = e.Player, e.Waived
		}
		if err := a.openMatch(tx, o, waived); err != nil {
			return err
		}
	}
	return nil
}

// markStuck writes why there is no round, so that the page says it and nobody
// tries again before something has changed.
func (a *Arbiter) markStuck(ctx context.Context, before *tournament.Tournament, why error) error {
	after := before.Clone()
	after.Stuck = why.Error()
	if err := a.store.Write(ctx, func(tx *store.Tx) error {
		return tx.SaveTournament(before, after, act{Act: tournament.ActStuck}.deed(before, a.now()))
	}); err != nil {
		return err
	}
	a.nudge(after)
	return nil
}

// sweepRounds opens the rounds whose time has come.
func (a *Arbiter) sweepRounds(ctx context.Context) error {
	var due []tournament.ID
	err := a.store.Read(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.DueTournaments(a.now(), sweepSize)
		return err
	})
	if err != nil {
		return err
	}
	return forEach(ctx, a, "tournament", "round not opened", due, func(ctx context.Context, id tournament.ID) error {
		t, err := a.read(ctx, id)
		if err != nil {
			return err
		}
		return a.openIfDue(ctx, t)
	})
}

// Report is a field as a report that pairs to the same round again.
func Report(f tournament.Field) (string, error) {
	var b strings.Builder
	err := trf.FromField(f).Write(&b, trf.TRF2026)
	return b.String(), err
}

// Repeat pairs a kept report again.
func Repeat(report string) (tournament.RoundPairing, tournament.Field, error) {
	r, err := trf.Read(strings.NewReader(report))
	if err != nil {
		return tournament.RoundPairing{}, tournament.Field{}, err
	}
	f := r.Field()
	s := tournament.System{Pairer: swiss.Dutch{}}
	if f.RoundRobin {
		n := len(f.Players)
		s.Pairer = roundrobin.Berger{Double: f.Rounds > n-1+n%2}
	}
	paired, err := s.Pairer.Pair(f)
	return paired, f, err
}
