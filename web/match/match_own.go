package match

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// frameReplays links a void match with the one that replaced it.
func frameReplays(tx *store.Tx, p lang.Printer, id match.ID, f *scene.MatchFrame) error {
	of, by, err := tx.ReplaysOf(id)
	if by != "" {
		f.Next = append(f.Next, matchview.LinkView{Text: p.T("calls.replayed.by"), URL: words.MatchURL(by), Main: true})
	}
	if of != "" {
		f.Next = append(f.Next, matchview.LinkView{Text: p.T("calls.replayed.of"), URL: words.MatchURL(of)})
	}
	return err
}

// viewOwn adds to a match page what only players and arbiters see: the talk and the arbiter's panel. concerned reports
// whether the viewer is one of them.
func (s pages) viewOwn(c echo.Context, look live.View, f scene.MatchFrame, v *matchview.View) (concerned bool, err error) {
	me := page.Viewer(c)
	if !me.IsSignedIn() {
		return false, nil
	}
	ctx, p := c.Request().Context(), s.Printer(c)
	o, err := s.Arbiter.Assurance.Capacity(ctx, me, look.Head.ID)
	if err != nil {
		return false, err
	}
	if v.Talk, err = s.talkView(ctx, p, me, o); err != nil {
		return false, err
	}
	if o.MayJudge {
		m := scene.MatchViewer{Printer: p, Frame: f, State: look.State, Game: look.State.Game(), Now: s.Now()}
		v.Bench = m.Bench(o.Place.Tournament != "")
	}
	return o.MayJudge || o.Seat.Valid() && o.HasArbiters, nil
}

// ownFragments caches the viewer's capacity and the talk between looks.
type ownFragments struct {
	office *assurance.Capacity
	talk   *matchview.TalkView
}

// ownFragments renders what viewOwn adds; isNews tells that there are new calls or messages.
func (s pages) ownFragments(c echo.Context, look live.View, isNews bool, own *ownFragments) (concerned bool, pieces []page.Fragment, err error) {
	me := page.Viewer(c)
	ctx, p := c.Request().Context(), s.Printer(c)
	if own.office == nil {
		o, err := s.Arbiter.Assurance.Capacity(ctx, me, look.Head.ID)
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
	pieces = append(pieces, page.Fragment{ID: "talk", What: matchview.TalkFragment(own.talk), Apart: true})
	if !o.MayJudge {
		return concerned, pieces, nil
	}
	frame, err := s.matchFrame(ctx, p, look, 0)
	if err != nil {
		return concerned, nil, err
	}
	m := scene.MatchViewer{Printer: p, Frame: frame, State: look.State, Game: look.State.Game(), Now: s.Now()}
	bench := m.Bench(o.Place.Tournament != "")
	// The mark depends on what is allowed, not on the log: a move must not clear what the arbiter is writing.
	mark := "bench"
	for _, f := range bench.Forms {
		mark += " " + f.Act
	}
	return concerned, append(pieces, page.Fragment{ID: "bench", What: matchview.BenchFragment(bench), ETag: mark}), nil
}
