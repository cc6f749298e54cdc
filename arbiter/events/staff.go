package events

import (
	"context"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// Appoint invites a player to a duty, or gives a member of staff another.
func (a *Office) Appoint(ctx context.Context, by player.Viewer, id tournament.ID, handle string, d tournament.Duty) error {
	return a.ofStaff(ctx, by, id, handle, func(t *tournament.Tournament, of player.ID) error { return t.Appoint(by, of, d, a.Now()) })
}

// Dismiss ends a duty or an invitation, another's or one's own.
func (a *Office) Dismiss(ctx context.Context, by player.Viewer, id tournament.ID, handle string) error {
	return a.ofStaff(ctx, by, id, handle, func(t *tournament.Tournament, of player.ID) error { return t.Dismiss(by, of) })
}

func (a *Office) ofStaff(ctx context.Context, by player.Viewer, id tournament.ID, handle string,
	f func(*tournament.Tournament, player.ID) error) error {
	p, err := a.Account(ctx, handle)
	if err != nil {
		return err
	}
	if p.Bot {
		return tournament.ErrNotStaff
	}
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActStaff}, func(t *tournament.Tournament) error { return f(t, p.ID) })
}

// AcceptDuty accepts the viewer's invitation.
func (a *Office) AcceptDuty(ctx context.Context, by player.Viewer, id tournament.ID) error {
	return a.Amend(ctx, id, kernel.Step{By: by, Act: tournament.ActStaff}, func(t *tournament.Tournament) error {
		return t.AcceptDuty(by, a.Now())
	})
}
