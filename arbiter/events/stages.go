package events

import (
	"context"
	"errors"
	"slices"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/stage"
)

// Stage is what is asked of a later stage.
type Stage struct {
	Name   string
	With   []tournament.ID // other tournaments whose first go on as well
	Each   int             // how many of each
	Format tournament.Format
}

// Follow makes a later stage of a finished tournament, and of others beside it: its
// players are those who have qualified, in the order of their seeds.
func (a *Office) Follow(ctx context.Context, by player.Viewer, id tournament.ID, s Stage) (tournament.ID, error) {
	list := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(s.With), id))))
	if len(list) > stage.MostTables || s.Each < 1 {
		return "", tournament.ErrFewPlaces
	}
	of, err := a.sources(ctx, list)
	if err != nil {
		return "", err
	}
	for _, t := range of {
		if err := t.MayFollow(by); err != nil {
			return "", err
		}
	}
	o, err := tables.Qualified(of, s.Each)
	if err != nil {
		return "", err
	}
	next := of[0].Settings.Next(s.Format, s.Name, len(o.Seeds))
	if next.ClubID == "" && !by.MayCreateTournament() {
		return "", tournament.ErrNotAllowed
	}
	if err := errors.Join(CheckSettings(next), a.inClubsName(ctx, by, &next)); err != nil {
		return "", err
	}
	t, err := tournament.Follow(by, tournament.ID(store.NewID()), next, o, of, a.Now())
	if err != nil {
		return "", err
	}
	if err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddTournament(t, kernel.Step{By: by, Act: tournament.ActCreate}.Deed(t, a.Now())); err != nil {
			return err
		}
		return a.Notify(tx, toQualifiers(t, by)...)
	}); err != nil {
		return "", err
	}
	a.Nudge(t)
	return t.ID, nil
}

// toQualifiers tells whoever has qualified that they play on.
func toQualifiers(t *tournament.Tournament, by player.Viewer) (list []notice.Notice) {
	for _, e := range t.Entries {
		if e.Player != "" && !by.Is(e.Player) && !e.Bot {
			list = append(list, notice.Notice{To: e.Player, Kind: notice.Entered, Key: string(t.ID) + "/entry", URL: kernel.TournamentPath(t.ID),
				Args: map[string]string{"Tournament": t.Name}})
		}
	}
	return list
}

// Retake takes the places of a later stage anew, as they stand now.
func (a *Office) Retake(ctx context.Context, by player.Viewer, id tournament.ID, reason string) error {
	t, err := a.Tournament(ctx, id)
	if err != nil {
		return err
	}
	if !t.May(by, tournament.ActStage) {
		return tournament.ErrNotAllowed
	}
	of, err := a.Sources(ctx, t)
	if err != nil {
		return err
	}
	o, err := tables.Qualified(of, t.Origin.Each)
	if err != nil {
		return err
	}
	_, err = a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActStage, Reason: reason}, func(t *tournament.Tournament) error {
		return t.Retake(by, o, of, a.Now())
	})
	return err
}

// Sources are the tournaments that somebody's players have come from.
func (a *Office) Sources(ctx context.Context, t *tournament.Tournament) ([]*tournament.Tournament, error) {
	if t.Origin == nil {
		return nil, tournament.ErrNoOrigin
	}
	ids := make([]tournament.ID, len(t.Origin.Of))
	for i, s := range t.Origin.Of {
		ids[i] = s.ID
	}
	return a.sources(ctx, ids)
}

func (a *Office) sources(ctx context.Context, ids []tournament.ID) (list []*tournament.Tournament, err error) {
	err = a.Store.Read(ctx, func(tx *store.Tx) error {
		for _, id := range ids {
			t, err := tx.Tournament(id)
			if err != nil {
				return err
			}
			list = append(list, t)
		}
		return nil
	})
	return list, err
}
