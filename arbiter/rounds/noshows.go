package rounds

import (
	"context"
	"errors"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// absent returns who did not come to a match, by seat. What an arbiter declared is not an
// absence.
func (a *Office) absent(ctx context.Context, head store.Head) (missing [2]bool, by match.Warrant, err error) {
	if head.Result.Reason != match.Forfeit && head.Result.Reason != match.Adjudicated {
		return missing, by, nil
	}
	s, _, err := a.Live.State(ctx, head.ID)
	if err != nil {
		return missing, by, err
	}
	for _, e := range s.Standing() {
		if d, declared := e.Event.(match.Declared); declared {
			return missing, d.Warrant, nil
		}
	}
	if !s.StartedAt().IsZero() || head.Result.Reason != match.Forfeit {
		return missing, by, nil
	}
	for _, seat := range match.Seats {
		missing[seat.Index()] = !s.IsReady(seat) && !head.Bots[seat.Index()]
	}
	return missing, by, nil
}

// noteNoShows records who did not come, except in rehearsals.
func noteNoShows(tx *store.Tx, ref store.PairingRef, head store.Head, missing [2]bool, r tournament.Result) error {
	for _, seat := range match.Seats {
		if !missing[seat.Index()] || ref.Rehearsal {
			continue
		}
		err := tx.AddNoShow(player.NoShow{
			ID: store.NewID(), Player: head.Players[seat.Index()], Tournament: string(ref.Tournament),
			Round: ref.Round, Board: ref.Board, Match: string(head.ID), At: r.At,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Appeal appeals one of the viewer's absences and tells those who can decide it.
func (a *Office) Appeal(ctx context.Context, by player.Viewer, id, text string) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		n, err := tx.NoShow(id)
		if err != nil {
			return err
		}
		if !by.Is(n.Player) {
			return store.ErrNotFound
		}
		if n, err = n.WithAppeal(text, a.Now()); err != nil {
			return err
		}
		if err := tx.SaveAppeal(n); err != nil {
			return err
		}
		t, err := tx.Tournament(tournament.ID(n.Tournament))
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		var list []notice.Notice
		for _, to := range t.JudgesOf(tournament.ActAppeal, n.Round, n.Board) {
			list = append(list, notice.Notice{
				To: to, Kind: notice.Appeal, Key: n.ID, URL: "/tournaments/" + n.Tournament + "/desk",
				Args: map[string]string{"Tournament": t.Name, "By": string(by.Handle)},
			})
		}
		return a.Notify(tx, list...)
	})
}

// DecideAppeal answers an appeal and returns its tournament, whose staff decide. Nobody decides
// their own.
func (a *Office) DecideAppeal(ctx context.Context, by player.Viewer, id string, v player.Verdict,
	answer string) (at tournament.ID, err error) {
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		n, err := tx.NoShow(id)
		if err != nil {
			return err
		}
		t, err := tx.Tournament(tournament.ID(n.Tournament))
		if err != nil {
			return err
		}
		if !t.May(by, tournament.ActAppeal) {
			return tournament.ErrNotAllowed
		}
		if err := t.PartyOf(by, tournament.ActAppeal, n.Round, n.Board); err != nil {
			return kernel.JudgesNamed(tx, err)
		}
		if n, err = n.Decided(by.ID, v, answer, a.Now()); err != nil {
			return err
		}
		at = t.ID
		if err := tx.EndNotices(notice.AbsenceMatter, n.ID, a.Now()); err != nil {
			return err
		}
		return tx.SaveVerdict(n)
	})
	return at, err
}
