package entries

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// The refusals of a line-up.
var (
	ErrLineUpSize = refusal.Invalid("clubmatch.error.size",
		"arbiter: a line-up needs 1 player at least and no more than the match has boards")
	ErrStrangers   = refusal.Invalid("clubmatch.error.strangers", "arbiter: not of the club")
	ErrLineUpTwice = refusal.Invalid("clubmatch.error.twice", "arbiter: somebody stands in the line-up twice")
)

// LineUpSeen is the field of a form with when the line-up was named that it shows; 1: none was.
const LineUpSeen = "seen"

// NameLineUp sets a club's line-up for a match, by handles, board by board. It stays
// hidden from the other club; once both are named they are revealed. by.Shown is when the line-up was named that its
// author saw, in milliseconds; what another captain has named since stays: kernel.ErrOvertaken.
func (a *Office) NameLineUp(ctx context.Context, by player.Viewer, id tournament.ID, of club.ID, handles []string) error {
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return err
	}
	both := false
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if of == "" || of != t.ClubID && of != t.OpponentID {
			return club.ErrNotAllowed
		}
		if err := assurance.MayInClub(tx, by, of, club.ActLineUp); err != nil {
			return err
		}
		if _, waits := t.LineUpsDueAt(); !waits {
			return tournament.ErrLaidOpen
		}
		players, err := a.lineUp(tx, t, of, handles)
		if err != nil {
			return err
		}
		named, err := tx.LineUps(id)
		if err != nil {
			return err
		}
		old, isNamed := named[of]
		both = len(named) == 2 || !isNamed && len(named) == 1
		if at := old.At.UnixMilli(); isNamed && by.Shown > 0 && old.By != by.ID && at > by.Shown && !slices.Equal(old.Players, players) {
			e := kernel.OvertakenBeside(old.By, old.At, "club.did.", "line-up", at)
			e.Field = LineUpSeen
			return e.Named(tx)
		}
		return tx.SetLineUp(id, store.LineUp{Club: of, Players: players, By: by.ID, At: a.Now()})
	})
	if err != nil || !both {
		return err
	}
	return a.layOpen(ctx, id)
}

// lineUp reads handles: members of the club, no bots, each once, and admitted.
func (a *Office) lineUp(tx *store.Tx, t *tournament.Tournament, of club.ID, handles []string) ([]player.ID, error) {
	if len(handles) < 1 || len(handles) > t.Boards {
		return nil, ErrLineUpSize
	}
	roster, err := tx.Roster(of)
	if err != nil {
		return nil, err
	}
	var players []player.ID
	var strangers []string
	var unfit error
	for _, text := range handles {
		p, err := kernel.PlayerByHandle(tx, text)
		switch {
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return nil, err
		case err != nil || roster.RoleOf(p.ID) == 0:
			strangers = append(strangers, text)
		case slices.Contains(players, p.ID):
			return nil, ErrLineUpTwice
		case unfit == nil:
			c, err := a.namedBy(tx, t, of, p)
			if err != nil {
				return nil, err
			}
			if err := t.MayPlay(c); err != nil {
				unfit = &UnfitError{string(p.Handle), err}
			}
		}
		players = append(players, p.ID)
	}
	if len(strangers) > 0 {
		return nil, refusal.Case(ErrStrangers, fmt.Sprintf("arbiter: not of the club: %v", strangers),
			"Handles", strings.Join(strangers, ", "))
	}
	return players, unfit
}

// layOpen turns the named line-ups into entries. Players no longer admitted, or of the club, are left out;
// one in both plays for the club that named them first.
func (a *Office) layOpen(ctx context.Context, id tournament.ID) error {
	var named map[club.ID]store.LineUp
	_, err := a.Apply(ctx, id, kernel.Change{Step: kernel.Step{Act: tournament.ActLineUps}, Judge: func(t *tournament.Tournament) error {
		var sides [2][]tournament.Candidate
		err := a.Store.Read(ctx, func(tx *store.Tx) (err error) {
			if named, err = tx.LineUps(id); err != nil {
				return err
			}
			home, guest := named[t.ClubID], named[t.OpponentID]
			inBoth := func(other []player.ID) func(player.ID) bool {
				return func(p player.ID) bool { return slices.Contains(other, p) }
			}
			if home.At.After(guest.At) && len(guest.Players) > 0 {
				home.Players = slices.DeleteFunc(slices.Clone(home.Players), inBoth(guest.Players))
			} else {
				guest.Players = slices.DeleteFunc(slices.Clone(guest.Players), inBoth(home.Players))
			}
			for i, l := range []store.LineUp{home, guest} {
				if sides[i], err = a.sideCandidates(tx, t, l, []club.ID{t.ClubID, t.OpponentID}[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return t.LayOpen(sides, a.Now())
	}, Also: func(tx *store.Tx, t *tournament.Tournament) error { return a.tellLeftOut(tx, t, named) }})
	if errors.Is(err, tournament.ErrLaidOpen) {
		return nil // another node was quicker
	}
	return err
}

// tellLeftOut tells each club whom of its line-up the match has no board for.
func (a *Office) tellLeftOut(tx *store.Tx, t *tournament.Tournament, named map[club.ID]store.LineUp) error {
	for i, side := range tournament.Sides {
		roster, err := tx.Roster([]club.ID{t.ClubID, t.OpponentID}[i])
		if err != nil {
			return err
		}
		for _, id := range named[roster.ID].Players {
			if slices.ContainsFunc(t.Entries, func(e tournament.Entry) bool { return e.Side == side && e.Player == id }) {
				continue
			}
			if err := a.TellLineUp(tx, t, roster, id, "out"); err != nil {
				return err
			}
		}
	}
	return nil
}

// named is a player as a candidate, with their no-shows.
func (a *Office) named(tx *store.Tx, p player.Player) (tournament.Candidate, error) {
	c, err := candidate(tx, a.Now(), p)
	if err != nil {
		return c, err
	}
	record, err := a.assurance.NoShowsOf(tx, p.ID)
	c.Barred = record.Bars(a.Now())
	return c, err
}

// namedBy is named for a player in a club's line-up: attestations by the other club's
// captains do not count.
func (a *Office) namedBy(tx *store.Tx, t *tournament.Tournament, of club.ID, p player.Player) (tournament.Candidate, error) {
	other := t.OpponentID
	if of == other {
		other = t.ClubID
	}
	captains, err := assurance.OfficersOf(tx, other)
	if err != nil {
		return tournament.Candidate{}, err
	}
	c, err := a.named(tx, p)
	c.Standing.Known = t.Policy.Young(c.Standing.Known, captains...)
	return c, err
}

// sideCandidates are the players of a line-up as they enter now.
func (a *Office) sideCandidates(tx *store.Tx, t *tournament.Tournament, l store.LineUp, of club.ID) ([]tournament.Candidate, error) {
	who, err := tx.Players(l.Players...)
	if err != nil {
		return nil, err
	}
	c, err := tx.Club(of)
	if err != nil {
		return nil, err
	}
	roster, err := tx.Roster(of)
	if err != nil {
		return nil, err
	}
	var list []tournament.Candidate
	for _, id := range l.Players {
		p, there := who[id]
		if !there || roster.RoleOf(id) == 0 { // has left since
			continue
		}
		x, err := a.namedBy(tx, t, of, p)
		if err != nil {
			return nil, err
		}
		x.Club = c.Name
		if t.MayPlay(x) == nil {
			list = append(list, x)
		}
	}
	return list, nil
}

// SweepLineUps reveals the line-ups that are due.
func (a *Office) SweepLineUps(ctx context.Context) error {
	stay, err := a.Stay(ctx)
	if err != nil {
		return err
	}
	return kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "tournament", Trouble: "line-ups not laid open"},
		func(tx *store.Tx) ([]tournament.ID, error) {
			return tx.DueLineUps(stay.Passed(a.Now()), kernel.SweepSize)
		}, a.layOpen)
}
