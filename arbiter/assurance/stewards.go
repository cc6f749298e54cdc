package assurance

import (
	"context"
	"errors"
	"slices"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// ToWatch are the players of a tournament whom its arbiters have decided to watch in the
// next rounds.
func (a *Office) ToWatch(ctx context.Context, id tournament.ID) (map[player.ID]bool, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) (map[player.ID]bool, error) { return WatchedBy(tx, id) })
}

// Duty is one side of a board that somebody watches.
type Duty struct {
	Tournament *tournament.Tournament
	Round      int
	Board      int
	Entry      tournament.Entry
	Against    tournament.Entry
	Seat       match.Seat
	Head       store.Head
	Watch      fairplay.Watch
	Demanded   bool // the match's policy demands a steward, and no arbiter waived it
}

// IsDone reports whether nothing is left to do.
func (d Duty) IsDone() bool { return !d.Watch.Signed.IsZero() }

// Duties are the sides of a tournament's boards that have a steward or need one, the
// latest round first; of all stewards, or of one.
func (a *Office) Duties(ctx context.Context, t *tournament.Tournament, of player.ID) ([]Duty, error) {
	return store.Get(ctx, a.Store, func(tx *store.Tx) ([]Duty, error) { return DutiesOf(tx, t, of) })
}

// DutiesOf is Duties inside a transaction.
func DutiesOf(tx *store.Tx, t *tournament.Tournament, of player.ID) ([]Duty, error) {
	var ids []match.ID
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Match != "" {
				ids = append(ids, p.Match)
			}
		}
	}
	heads, err := tx.Matches(ids)
	if err != nil {
		return nil, err
	}
	watches, err := tx.Watches(ids)
	if err != nil {
		return nil, err
	}
	var list []Duty
	for _, r := range slices.Backward(t.Rounds) {
		for _, p := range r.Pairings {
			h, has := heads[p.Match]
			if !has {
				continue
			}
			for _, seat := range match.Seats {
				e, err := t.Entry(p.EntryAt(seat))
				if err != nil {
					return nil, err
				}
				d := Duty{Tournament: t, Round: r.Number, Board: p.Board, Entry: e, Seat: seat, Head: h, Watch: watches[p.Match][seat.Index()]}
				if d.Against, err = t.Entry(p.EntryAt(seat.Other())); err != nil {
					return nil, err
				}
				if d.Watch.Steward == "" && h.Status != match.Over {
					d.Watch.Steward = e.Steward // who is named now, for matches that run
				}
				with, err := tx.MatchPolicy(h.ID)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return nil, err
				}
				if d.Demanded, err = asksForSteward(tx, h.ID, seat, with.Policy); err != nil {
					return nil, err
				}
				if d.Demanded && d.Watch.Steward == "" && h.Status == match.Over {
					d.Watch.Steward = e.Steward
				}
				if d.Watch.Steward == "" && !d.Demanded || of != "" && d.Watch.Steward != of {
					continue
				}
				list = append(list, d)
			}
		}
	}
	return list, nil
}

// asksForSteward reports whether a side of a match must be watched.
func asksForSteward(tx *store.Tx, id match.ID, seat match.Seat, p fairplay.Policy) (bool, error) {
	if !p.Steward {
		return false, nil
	}
	facts, err := tx.Facts(id)
	return !Waives(facts, seat, fairplay.DemandSteward), err
}
