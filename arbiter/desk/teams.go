package desk

import (
	"context"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament"
)

// MatchForfeit is the decision that teams forfeit a match, by their seats on board 1; nobody: it is lifted.
type MatchForfeit struct {
	Round, Match int
	Lost         [2]bool
	Reason       string
}

// ForfeitMatch decides a match of teams without its boards; see tournament.ForfeitMatch.
func (a *Office) ForfeitMatch(ctx context.Context, by player.Viewer, id tournament.ID, x MatchForfeit) error {
	err := a.undo(ctx, id, undoing{Step: kernel.Step{By: by, Act: tournament.ActForfeitMatch, Reason: x.Reason},
		judge: func(t *tournament.Tournament, b begun) ([]match.ID, error) {
			void, err := t.ForfeitMatch(by, x.Round, x.Match, x.Lost, x.Reason, b.has, a.Now())
			if err == nil {
				t.Conclude(a.Now())
			}
			return void, err
		}})
	return a.AfterJudgement(ctx, id, err)
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
