package persons

import (
	"context"
	"errors"
	"slices"
	"time"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/league"
)

// Hindrance is something that has to be settled before an account can be erased.
type Hindrance struct {
	player.Obstacle
	Name, URL string // of the thing; empty: the site
}

// ErrHindered refuses to erase an account that is still needed.
var ErrHindered = refusal.Conflict("place.error.hindered", "arbiter: the account is still in use")

// Hindrances are what keeps an account from being erased; none: nothing.
func Hindrances(tx *store.Tx, p player.Player) ([]Hindrance, error) {
	var out []Hindrance
	heads, err := tx.MatchesOf(p.ID, pastMatches)
	if err != nil {
		return nil, err
	}
	for _, h := range heads {
		if h.Status != match.Over {
			out = append(out, Hindrance{player.PlaysMatch, string(h.ID), kernel.MatchPath(h.ID)})
		}
	}
	events, err := eventHindrances(tx, p)
	if err != nil {
		return nil, err
	}
	out = append(out, events...)
	ladders, _, err := tx.Ladders(store.LadderQuery{For: p.ID, Limit: pastMatches})
	if err != nil {
		return nil, err
	}
	for _, l := range ladders {
		if l.Place > 0 {
			out = append(out, Hindrance{player.StandsOnLadder, l.Name, kernel.LadderPath(l.ID)})
		}
	}
	leagues, _, err := tx.Leagues(store.LeagueQuery{Limit: pastMatches})
	if err != nil {
		return nil, err
	}
	for _, l := range leagues { // once divisions play, their tournaments hinder
		state := l.Now().State
		if (state == league.Open || state == league.Placed) && l.TakesPart(l.Side(league.Member(p.ID))) {
			out = append(out, Hindrance{player.PlaysLeague, l.Settings.Name, "/leagues/" + string(l.ID)})
		}
	}
	memberships, err := tx.Memberships(p.ID)
	if err != nil {
		return nil, err
	}
	for _, m := range memberships {
		last, err := isLastOwner(tx, m)
		if err != nil {
			return nil, err
		}
		if last {
			c, err := tx.Club(m.Club)
			if err != nil {
				return nil, err
			}
			out = append(out, Hindrance{player.OwnsClub, c.Name, "/clubs/" + string(c.ID)})
		}
	}
	if p.Role == player.Operator {
		n, err := tx.CountOperators()
		if err != nil {
			return nil, err
		}
		if n == 1 {
			out = append(out, Hindrance{Obstacle: player.RunsSite})
		}
	}
	return out, nil
}

// pastMatches is how many matches are searched for running ones, which come first.
const pastMatches = 500

func isLastOwner(tx *store.Tx, m club.Membership) (bool, error) {
	if m.Role != club.Owner {
		return false, nil
	}
	members, err := tx.Members(m.Club)
	return !slices.ContainsFunc(members, func(x club.Membership) bool { return x.Role == club.Owner && x.Player != m.Player }), err
}

func eventHindrances(tx *store.Tx, p player.Player) ([]Hindrance, error) {
	var out []Hindrance
	entered, _, err := tx.Tournaments(store.TournamentQuery{Player: p.ID, Drafts: p.ID,
		Statuses: []tournament.Status{tournament.Registration, tournament.Running}, Limit: pastMatches})
	if err != nil {
		return nil, err
	}
	for _, line := range entered {
		t, err := tx.Tournament(line.ID)
		if err != nil {
			return nil, err
		}
		if e, entered := t.EntryOf(p.ID); entered && e.Status != tournament.Withdrawn { // a team can have other captains
			out = append(out, Hindrance{player.PlaysEvent, t.Name, kernel.TournamentPath(t.ID)})
		}
	}
	owned, err := tx.TournamentsOwnedBy(p.ID)
	if err != nil {
		return nil, err
	}
	for _, id := range owned {
		t, err := tx.Tournament(id)
		if err != nil {
			return nil, err
		}
		others := slices.ContainsFunc(t.Staff, func(m tournament.Member) bool {
			return m.Duty == tournament.Owner && !m.Invited && m.Player != p.ID
		})
		if t.Status != tournament.Finished && !others {
			out = append(out, Hindrance{player.OwnsEvent, t.Name, kernel.TournamentPath(t.ID)})
		}
	}
	return out, nil
}

// AskErasure schedules the erasure of an account after time to reconsider, or fails with
// ErrHindered. Until then nothing changes.
func (a *Office) AskErasure(ctx context.Context, by player.Viewer) (due time.Time, err error) {
	now := a.Now()
	due = now.Add(player.ErasureGrace)
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		hindered, err := Hindrances(tx, by.Player)
		if err != nil {
			return err
		}
		if len(hindered) > 0 {
			return ErrHindered
		}
		if err := tx.AskErasure(by.ID, now, due); err != nil {
			return err
		}
		return a.Notify(tx, notice.Notice{To: by.ID, Kind: notice.ErasureSoon, Key: due.Format(time.DateTime), URL: "/settings/data", When: due,
			Until: due})
	})
	return due, err
}

// erasureRetry is when an account that is needed again is looked at again, so that it does not stand before others that
// are due.
const erasureRetry = time.Hour

// SweepErasures turns the accounts that are due into ghosts. One that is needed again
// waits.
func (a *Office) SweepErasures(ctx context.Context) error {
	return kernel.Sweep(ctx, a.Kernel, kernel.Work{Of: "player", Trouble: "account not erased"},
		func(tx *store.Tx) ([]player.ID, error) { return tx.DueErasures(a.Now(), kernel.SweepSize) }, a.erase)
}

func (a *Office) erase(ctx context.Context, id player.ID) error {
	now := a.Now()
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		p, err := tx.Player(id)
		if err != nil {
			return err
		}
		hindered, err := Hindrances(tx, p)
		if err != nil {
			return err
		}
		if len(hindered) > 0 {
			return tx.PostponeErasure(id, now.Add(erasureRetry))
		}
		if err := tx.WithdrawChallengesOf(id, now); err != nil {
			return err
		}
		return tx.Erase(id, now)
	})
	if errors.Is(err, store.ErrConflict) {
		return nil // another node was quicker, or a tournament has just changed: next time
	}
	return err
}
