package desk

import (
	"context"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// ForfeitMatch decides a match of teams without its boards; see tournament.ForfeitMatch.
func (a *Office) ForfeitMatch(ctx context.Context, by player.Viewer, id tournament.ID, x tournament.MatchForfeit) error {
	err := a.undo(ctx, id, undoing{Step: kernel.Step{By: by, Act: tournament.ActForfeitMatch, Reason: x.Why},
		judge: func(t *tournament.Tournament, b begun) ([]match.ID, error) {
			before := t.Matches()
			void, err := t.ForfeitMatch(by, x, b.has, a.Now())
			if err != nil {
				return nil, err
			}
			t.Conclude(a.Now())
			void = append(void, gone(before, t)...)
			return void, a.look(ctx, b, void)
		}})
	return a.AfterJudgement(ctx, id, err)
}

// TryForfeitMatch decides a match of t so without writing anything.
func (a *Office) TryForfeitMatch(ctx context.Context, t *tournament.Tournament, by player.Viewer, x tournament.MatchForfeit) error {
	b, err := a.begunOf(ctx, t)
	if err != nil {
		return err
	}
	return a.try(ctx, t, by, tournament.ActForfeitMatch, func() error {
		_, err := t.ForfeitMatch(by, x, b.has, a.Now())
		t.Conclude(a.Now())
		return err
	})
}

// Reseat puts another player of a team at a board before its first bid; see tournament.Reseat.
func (a *Office) Reseat(ctx context.Context, by player.Viewer, id tournament.ID, board int, out, in tournament.EntryID, reason string) error {
	var changed []tournament.Pairing
	return a.undo(ctx, id, undoing{Step: kernel.Step{By: by, Act: tournament.ActRepair, Reason: reason},
		judge: func(t *tournament.Tournament, b begun) (void []match.ID, err error) {
			void, changed, err = t.Reseat(by, board, out, in, b.has, kernel.NewMatchID, a.Now())
			return void, err
		}, open: func(*tournament.Tournament) []tournament.Pairing { return changed }})
}
