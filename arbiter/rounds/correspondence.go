package rounds

import (
	"context"
	"errors"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/tournament"
)

// closeBoards ends what still runs by correspondence when its time is over: matches by the points on the board, boards without a
// match as unrated draws. Every node may try.
func (a *Office) closeBoards(ctx context.Context, t *tournament.Tournament) error {
	stay, err := a.Stay(ctx)
	if err != nil {
		return err
	}
	if at, _ := t.DecidedAt(); stay.Holds(at) {
		return nil // the next sweep
	}
	void := map[match.ID]bool{}
	for _, p := range t.Rounds.Pending() {
		if p.Match == "" {
			continue
		}
		s, head, err := a.Live.State(ctx, p.Match)
		if err != nil {
			return err
		}
		void[p.Match] = head.Status == match.Over && head.Result.Outcome == match.Void
		if head.Status == match.Over {
			continue
		}
		end := match.Declare{Warrant: match.Warrant{By: match.AtEnd, Why: "the event ended"}, Outcome: s.Game().ByPoints()}
		if _, err := a.Live.Arbitrate(ctx, p.Match, live.Request{Command: end, Seq: &head.Seq}); err != nil && !errors.Is(err, match.ErrOver) &&
			!errors.Is(err, match.ErrStale) { // the next sweep judges what has moved on
			return err
		}
	}
	after, err := a.Apply(ctx, t.ID, kernel.Change{Step: kernel.Step{Act: tournament.ActSettle}, Judge: func(t *tournament.Tournament) error {
		if !t.CloseBoards(func(id match.ID) bool { return void[id] }, a.Now()) {
			return errNotDue
		}
		t.Conclude(a.Now())
		return nil
	}})
	if errors.Is(err, errNotDue) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.AfterRound(ctx, after)
}

// ratedAtEnd returns what ratings count of a match that its event ended, instead of the result: nothing, if not a move was played.
func (a *Office) ratedAtEnd(ctx context.Context, id match.ID) (tournament.ResultKind, error) {
	s, _, err := a.Live.State(ctx, id)
	if err != nil || s.Game().PlyCount() > 0 {
		return tournament.Pending, err
	}
	return tournament.DoubleForfeit, nil
}
