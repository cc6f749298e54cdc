package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
)

// arbitersIn are the handles of those who acted in a match as arbiters, by id.
func arbitersIn(tx *store.Tx, state match.State) (map[string]string, error) {
	var ids []player.ID
	for _, e := range state.History() {
		if word, ok := e.Event.(interface{ Word() match.Warrant }); ok && word.Word().By != "" {
			ids = append(ids, player.ID(word.Word().By))
		}
	}
	names := map[string]string{}
	if len(ids) == 0 {
		return names, nil
	}
	accounts, err := tx.Players(ids...)
	for id, account := range accounts {
		names[string(id)] = string(account.Handle)
	}
	return names, err
}

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

// ownPieces remembers what of viewOwn a browser was sent.
type ownPieces struct {
	office *arbiter.Office
	talk   string
	bench  string
}

// renderOwn is what of viewOwn has changed since it was sent; isNews: something
// was said or called; isSeen: the page shows the match as it stands.
func (s *Server) renderOwn(c echo.Context, look live.View, isNews, isSeen bool, sent *ownPieces) (concerned bool, html string, err error) {
	me := viewer(c)
	if !me.IsSignedIn() {
		return false, "", nil
	}
	ctx, p := c.Request().Context(), s.printer(c)
	if sent.office == nil {
		o, err := s.arbiter.Office(ctx, me, look.Head.ID)
		if err != nil {
			return false, "", err
		}
		sent.office = &o
	}
	o := *sent.office
	o.Head = look.Head
	concerned = o.MayJudge || o.Seat.Valid() && o.HasArbiters
	if !concerned {
		return false, "", nil
	}
	var pieces []templ.Component
	if isNews || sent.talk == "" {
		talk, err := s.talkView(ctx, p, me, o)
		if err != nil {
			return concerned, "", err
		}
		text, err := s.fragments(c, matchview.TalkFragment(talk))
		if err != nil {
			return concerned, "", err
		}
		if text != sent.talk {
			sent.talk = text
			pieces = append(pieces, matchview.TalkFragment(talk))
		}
	}
	if o.MayJudge {
		frame, err := s.matchFrame(ctx, p, look, 0)
		if err != nil {
			return concerned, "", err
		}
		m := matchViewer{Printer: p, frame: frame, state: look.State, game: look.State.Game(), now: s.now()}
		bench := m.bench(o.Place.Tournament != "")
		// What may be done, without the place of the log: a move takes away nothing
		// that the arbiter is writing.
		mark := ""
		for _, f := range bench.Forms {
			mark += f.Act + " "
		}
		// The page that has just been opened has its panel, perhaps with a form filled in.
		isFresh := sent.bench == "" && isSeen
		if mark != sent.bench && !isFresh {
			pieces = append(pieces, matchview.BenchFragment(bench))
		}
		sent.bench = mark
	}
	html, err = s.fragments(c, pieces...)
	return concerned, html, err
}
