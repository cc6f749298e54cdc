package live_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
)

// TestAboveOpenAPlayersCommandIsJudgedOnTheStateItIsDecidedOn, and without a
// judgement nothing is done.
func TestAboveOpenAPlayersCommandIsJudgedOnTheStateItIsDecidedOn(t *testing.T) {
	t.Parallel()
	each(t, live.Config{}, func(t *testing.T, n node, _ *clock) {
		var id match.ID
		o := match.DefaultOptions()
		err := n.store.Write(t.Context(), func(tx *store.Tx) (err error) {
			id, err = n.OpenTx(tx, live.Opening{Players: [2]player.ID{anna, bohdan}, Options: o, Policy: fairplay.Preset(fairplay.Declared)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		opened := n.state(t, id).Seq()
		bid := chipOnWhite(match.First)
		if _, err := n.Do(t.Context(), id, anna, live.Request{Command: bid}); !errors.Is(err, live.ErrNotAdmitted) {
			t.Errorf("without a judgement: %v", err)
		}
		no := errors.New("no")
		refuse := func(context.Context, match.State, store.Head) error { return no }
		if _, err := n.Do(t.Context(), id, anna, live.Request{Command: bid, Admit: refuse}); !errors.Is(err, no) || n.state(t, id).Seq() != opened {
			t.Errorf("refused: %v, the log stands at %d", err, n.state(t, id).Seq())
		}
		let := func(context.Context, match.State, store.Head) error { return nil }
		if _, err := n.Do(t.Context(), id, bohdan, live.Request{Command: bid, Admit: let}); !errors.Is(err, live.ErrNotPlaying) {
			t.Errorf("of another: %v", err)
		}
		// The opponent gives up between the judgement and the log: it is judged again.
		var judged []int64
		_, err = n.Do(t.Context(), id, anna, live.Request{Command: bid, Admit: func(ctx context.Context, s match.State, h store.Head) error {
			if judged = append(judged, s.Seq()); h.Seq != s.Seq() || h.Level != fairplay.Declared {
				t.Errorf("the head is at %d of %v, the state at %d", h.Seq, h.Level, s.Seq())
			}
			if len(judged) > 1 {
				return no
			}
			_, err := n.Do(ctx, id, bohdan, live.Request{Command: match.Resign{Seat: match.Second}, Admit: let})
			return err
		}})
		if !errors.Is(err, no) || len(judged) != 2 || !slices.IsSorted(judged) || judged[0] == judged[1] {
			t.Errorf("judged at %d, then %v", judged, err)
		}
	})
}
