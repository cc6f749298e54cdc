package page

import (
	"context"
	"errors"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
)

// PastOf returns the first finished matches of a list that reached the board, at most as many as are wanted. It leaves
// out a match with a broken log, so that the page stays.
func (s *Site) PastOf(ctx context.Context, list []store.Head, most int) (out []live.View, err error) {
	for _, h := range list {
		if h.Status != match.Over || len(out) == most {
			continue
		}
		v, err := s.Live.View(ctx, h.ID, nil) // nothing of a finished match is delayed
		switch {
		case errors.Is(err, match.ErrLog):
			s.Log.Error("match not shown", "match", h.ID, "err", err)
		case err != nil:
			return nil, err
		case v.State.Game().OnBoard():
			out = append(out, v)
		}
	}
	return out, nil
}
