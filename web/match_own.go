package web

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
)

// frameReplays links a void match and the one that is played instead of it.
func frameReplays(tx *store.Tx, p lang.Printer, id match.ID, f *matchFrame) error {
	of, by, err := tx.ReplaysOf(id)
	if by != "" {
		f.Next = append(f.Next, matchview.LinkView{Text: p.T("calls.replayed.by"), URL: matchURL(by), Main: true})
	}
	if of != "" {
		f.Next = append(f.Next, matchview.LinkView{Text: p.T("calls.replayed.of"), URL: matchURL(of)})
	}
	return err
}

// viewOwn adds to a match page what concerns this viewer only: the talk, for a
// player or an arbiter, and the arbiter's panel. concerned: he is one of those.
func (s *Server) viewOwn(c echo.Context, look live.View, f matchFrame, v *matchview.MatchView) (concerned bool, err error) {
	me := viewer(c)
	if !me.IsSignedIn() {
		return false, nil
	}
	ctx, p := c.Request().Context(), s.printer(c)
	o, err := s.arbiter.Office(ctx, me, look.Head.ID)
	if err != nil {
		return false, err
	}
	if v.Talk, err = s.talkView(ctx, p, me, o); err != nil {
		return false, err
	}
	if o.MayJudge {
		m := matchViewer{Printer: p, frame: f, state: look.State, game: look.State.Game(), now: s.now()}
		v.Bench = m.bench(o.Place.Tournament != "")
	}
	return o.MayJudge || o.Seat.Valid() && o.HasArbiters, nil
}

// ownPieces remembers who looks, and the talk as it was read last.
type ownPieces struct {
	office *arbiter.Office
	talk   *matchview.TalkView
}

// ownPieces is what of viewOwn changes; isNews: something was said or called.
func (s *Server) ownPieces(c echo.Context, look live.View, isNews bool, own *ownPieces) (concerned bool, pieces []piece, err error) {
	me := viewer(c)
	ctx, p := c.Request().Context(), s.printer(c)
	if own.office == nil {
		o, err := s.arbiter.Office(ctx, me, look.Head.ID)
		if err != nil {
			return false, nil, err
		}
		own.office = &o
	}
	o := *own.office
	o.Head = look.Head
	if concerned = o.MayJudge || o.Seat.Valid() && o.HasArbiters; !concerned {
		return false, nil, nil
	}
	if isNews || own.talk == nil {
		if own.talk, err = s.talkView(ctx, p, me, o); err != nil {
			return concerned, nil, err
		}
	}
	pieces = append(pieces, piece{id: "talk", what: matchview.TalkFragment(own.talk), beside: true})
	if !o.MayJudge {
		return concerned, pieces, nil
	}
	frame, err := s.matchFrame(ctx, p, look, 0)
	if err != nil {
		return concerned, nil, err
	}
	m := matchViewer{Printer: p, frame: frame, state: look.State, game: look.State.Game(), now: s.now()}
	bench := m.bench(o.Place.Tournament != "")
	// What may be done, without the place of the log: a move takes away nothing
	// that the arbiter is writing.
	mark := "bench"
	for _, f := range bench.Forms {
		mark += " " + f.Act
	}
	return concerned, append(pieces, piece{id: "bench", what: matchview.BenchFragment(bench), mark: mark}), nil
}
