package arbiter

import (
	"context"
	"errors"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
)

// absent is who did not come to a match, by seat, or by whose word it ended: what
// an arbiter declared is no absence.
func (a *Arbiter) absent(ctx context.Context, head store.Head) (missing [2]bool, by match.Warrant, err error) {
	if head.Result.Reason != match.Forfeit && head.Result.Reason != match.Adjudicated {
		return missing, by, nil
	}
	s, _, err := a.live.State(ctx, head.ID)
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
	for _, seat := range [...]match.Seat{match.First, match.Second} {
		missing[seat.Index()] = !s.IsReady(seat) && !head.Bots[seat.Index()]
	}
	return missing, by, nil
}

// noteNoShows writes down who did not come. A rehearsal is nobody's fault.
func noteNoShows(tx *store.Tx, ref store.PairingRef, head store.Head, missing [2]bool, r tournament.Result) error {
	for _, seat := range [...]match.Seat{match.First, match.Second} {
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

// NoShowRecord is what a player's absences add up to.
type NoShowRecord struct {
	player.Ban
	NoShows []player.NoShow // the newest first
}

// NoShows is a player's record as it stands now.
func (a *Arbiter) NoShows(ctx context.Context, id player.ID) (r NoShowRecord, err error) {
	err = a.store.Read(ctx, func(tx *store.Tx) error {
		r, err = a.noShows(tx, id)
		return err
	})
	return r, err
}

func (a *Arbiter) noShows(tx *store.Tx, id player.ID) (NoShowRecord, error) {
	return noShowsAt(tx, id, a.now())
}

// BanOf is how long a player's absences keep them out, as it stands now.
func BanOf(tx *store.Tx, id player.ID, now time.Time) (player.Ban, error) {
	r, err := noShowsAt(tx, id, now)
	return r.Ban, err
}

func noShowsAt(tx *store.Tx, id player.ID, now time.Time) (NoShowRecord, error) {
	list, err := tx.NoShowsOf(id, now.Add(-player.Remembered))
	if err != nil || len(list) == 0 {
		return NoShowRecord{}, err
	}
	played, err := tx.PlayedSince(id, list[len(list)-1].At)
	return NoShowRecord{player.BanOf(list, played), list}, err
}

// Appeal is a player's word about one of their absences; who can decide it is told.
func (a *Arbiter) Appeal(ctx context.Context, by player.Viewer, id, text string) error {
	return a.store.Write(ctx, func(tx *store.Tx) error {
		n, err := tx.NoShow(id)
		if err != nil {
			return err
		}
		if !by.Is(n.Player) {
			return store.ErrNotFound
		}
		if n, err = n.WithAppeal(text, a.now()); err != nil {
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

// DecideAppeal answers an appeal, as who may judge in its tournament. Nobody
// judges their own. It answers the tournament.
func (a *Arbiter) DecideAppeal(ctx context.Context, by player.Viewer, id string, v player.Verdict,
	answer string) (at tournament.ID, err error) {
	err = a.store.Write(ctx, func(tx *store.Tx) error {
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
			return judgesNamed(tx, err)
		}
		if n, err = n.Decided(by.ID, v, answer, a.now()); err != nil {
			return err
		}
		at = t.ID
		return tx.SaveVerdict(n)
	})
	return at, err
}
