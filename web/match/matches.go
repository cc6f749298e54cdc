package match

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/live"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) matchRoutes() []page.Route {
	return []page.Route{
		page.Get("/matches/:id", s.matchPage, page.Anyone),
		page.Get("/matches/:id/feed", s.matchFeed, page.Anyone),
		page.Get("/matches/:id/positions", s.matchPositions, page.Anyone),
		page.Get("/matches/:id/replay", s.replayPage, page.Anyone),
		page.Get("/matches/:id/record.json", s.matchRecordJSON, page.Anyone),
		page.Get("/matches/:id/record.txt", s.matchRecordText, page.Anyone),
		page.Post("/matches/:id/commands", s.matchCommand, page.Players),
	}
}

func (s pages) matchPage(c echo.Context) error { return s.showMatch(c, http.StatusOK, "") }

// showMatch renders the page of a match; trouble is the refusal of a form, if any.
func (s pages) showMatch(c echo.Context, status int, trouble string) error {
	return s.showMatchWith(c, status, trouble, func(*matchview.View) {})
}

// showMatchWith is showMatch with changes to the view, such as what was filled in.
func (s pages) showMatchWith(c echo.Context, status int, trouble string, change func(*matchview.View)) error {
	ctx, id := c.Request().Context(), match.ID(c.Param("id"))
	s.Shows(c, id)
	view, err := s.Look(c, id)
	if err != nil {
		return err
	}
	state, head := view.State, view.Head
	p, seat := s.Printer(c), head.SeatOf(page.Viewer(c).ID)
	frame, err := s.matchFrame(ctx, p, view, seat)
	if err != nil {
		return err
	}
	v := scene.ViewMatch(p, frame, state, seat, s.Now())
	concerned, err := s.viewOwn(c, view, frame, &v)
	if err != nil {
		return err
	}
	if err := s.viewTold(c, view, &v); err != nil {
		return err
	}
	v.Comforts, v.Share = s.Comforts(c), s.shareLive(c, p, frame)
	change(&v)
	if seat.Valid() {
		if err := s.hearCalls(c, id); err != nil {
			return err
		}
	}
	sh := s.Shell(c, v.Title)
	sh.Path = words.MatchURL(id)
	s.linkMatch(c, &sh, p, frame, state, "")
	sh.Compact, sh.Wide, sh.KeepFeed = true, true, seat.Valid()
	sh.Styles, sh.Scripts = []string{"board.css", "bidding.css", "match.css", "calls.css"}, []string{"match.js", "share.js"}
	sh.Holds = v.CheckIn != nil
	if frame.Mid.MayAsk {
		sh.Scripts = append(sh.Scripts, "passkeys.js")
	}
	if v.Telemetry != nil {
		sh.Scripts = append(sh.Scripts, "telemetry.js")
	}
	if state.Status() != match.Over || concerned || frame.Settling {
		sh.Feed = words.MatchURL(id) + "/feed?last=" + strconv.FormatInt(state.Seq(), 10)
	}
	if trouble != "" {
		sh.Flash = trouble
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return s.Render(c, status, matchview.Page(sh, v))
}

// matchFrame returns what a match page shows around the match itself.
func (s pages) matchFrame(ctx context.Context, p lang.Printer, view live.View, you match.Seat) (scene.MatchFrame, error) {
	head := view.Head
	f := scene.MatchFrame{ID: string(head.ID), Delayed: view.Delayed}
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if f.Arbiters, err = assurance.ArbitersIn(tx, view.State); err != nil {
			return err
		}
		accounts, err := tx.Players(head.Players[:]...)
		if err != nil {
			return err
		}
		ratings, err := tx.Ratings(head.Players[:]...)
		if err != nil {
			return err
		}
		for i, id := range head.Players {
			x := accounts[id]
			f.Players[i] = scene.MatchPlayer{Name: words.PlayerName(p, x), Handle: x.Handle, URL: words.PlayerURL(x.Handle), Bot: head.Bots[i]}
			if r, ok := ratings[id]; ok {
				f.Players[i].Rating = words.RatingText(p, r)
			}
		}
		if f.FairPlay, err = s.fairPlayBox(tx, p, view); err != nil {
			return err
		}
		if f.CheckIn, err = s.CheckInNote(tx, p, view, you); err != nil {
			return err
		}
		if f.Mid, err = frameMidCheck(tx, p, view, you); err != nil {
			return err
		}
		if err := frameReplays(tx, p, head.ID, &f); err != nil {
			return err
		}
		if head.Status == match.Over {
			chores, err := tx.ChoresOf(head.ID)
			if err != nil {
				return err
			}
			f.Settling = slices.ContainsFunc(chores, func(c store.Chore) bool { return c.Kind == store.ChoreResult })
		}
		if you.Valid() && head.Status != match.Over {
			seen, err := tx.SeenIn([]match.ID{head.ID})
			if err != nil {
				return err
			}
			for i, id := range head.Players {
				f.Players[i].Seen = seen[head.ID][id]
			}
		}
		return frameEvent(tx, p, head, accounts, &f)
	})
	if err != nil || head.Status != match.Over || !you.Valid() {
		return f, err
	}
	return f, s.frameNext(ctx, p, view, you, &f)
}

// frameEvent adds the tournament or challenge of a match, and its rating changes.
func frameEvent(tx *store.Tx, p lang.Printer, head store.Head, who map[player.ID]player.Player, f *scene.MatchFrame) error {
	ref, err := tx.PairingOf(head.ID)
	if errors.Is(err, store.ErrNotFound) {
		return scene.FrameChallenge(tx, p, head, f)
	}
	if err != nil {
		return err
	}
	for i, id := range head.Players {
		f.Players[i].Name = words.NameIn(p, who[id], ref.Names[i])
	}
	f.HasArbiters, f.Hidden = true, ref.Hidden
	if ref.Rehearsal {
		return nil // only staff may know the tournament
	}
	f.Event = matchview.EventLink{
		Name: ref.Name, URL: "/tournaments/" + string(ref.Tournament),
		Detail: p.T("match.event.round", "Round", p.Int(ref.Round), "Board", p.Int(ref.Board)),
	}
	back := matchview.LinkView{Text: p.T("match.next.round"), URL: f.Event.URL}
	if !ref.Format.InRounds() {
		f.Event.Detail = p.T("match.event.board", "Board", p.Int(ref.Board))
		back.Text = p.T("match.next.tournament")
	}
	f.Next = append(f.Next, back)
	if head.Status != match.Over {
		return nil
	}
	n, rated, err := tx.RatedGameNo(head.ID)
	if err != nil || !rated {
		return err
	}
	changes, err := tx.RatingChangesOf(ref.Tournament)
	for i, id := range head.Players {
		for _, change := range changes {
			if player.ID(change.Player) != id {
				continue
			}
			if gained, ok := change.OfGame(string(head.Players[1-i]), n); ok {
				f.Ratings = append(f.Ratings, matchview.RatingView{
					Name: f.Players[i].Name, Before: change.Before.String(), Delta: p.Signed(gained.Whole()), Up: gained > 0,
				})
			}
		}
	}
	return err
}

// matchFeed streams a match page. Watchers share a stream; players and arbiters have their own, with what concerns
// them, which goes on after the end of the match.
func (s pages) matchFeed(c echo.Context) error {
	id := match.ID(c.Param("id"))
	view, err := s.Look(c, id)
	if err != nil {
		return err
	}
	me, inside := page.Viewer(c), false
	if me.IsSignedIn() {
		if inside, err = s.Insider(c)(c.Request().Context(), view.Head); err != nil {
			return err
		}
	}
	sheet := page.LivePage{Topics: []string{live.MatchTopic(id)}}
	if view.Delayed {
		sheet.Every = form.LookAgain
	}
	p := s.Printer(c)
	if !inside {
		sheet.Look = func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
			view, err := s.Live.View(ctx, id, nil)
			if err != nil {
				return page.Snapshot{}, err
			}
			return s.glanceAt(ctx, p, view, 0)
		}
		return s.Share(c, "match "+string(id), p, sheet)
	}
	seat := view.Head.SeatOf(me.ID)
	if seat.Valid() {
		context.AfterFunc(c.Request().Context(), s.Live.See(id, me.ID))
		sheet.Topics = append(sheet.Topics, live.PresenceTopic(id), live.PlayerTopic(me.ID)) // for rematches and next matches
	}
	sheet.Topics = append(sheet.Topics, judges.TalkTopic(id))
	var own ownFragments
	sheet.Look = func(ctx context.Context, news []live.Nudge) (page.Snapshot, error) {
		isNews := slices.ContainsFunc(news, func(n live.Nudge) bool { return n.Topic == judges.TalkTopic(id) })
		view, err := s.Look(c, id)
		if err != nil {
			return page.Snapshot{}, err
		}
		g, err := s.glanceAt(ctx, p, view, seat)
		if err != nil {
			return g, err
		}
		concerned, pieces, err := s.ownFragments(c, view, isNews, &own)
		g.Fragments, g.Over = append(g.Fragments, pieces...), g.Over && !concerned && !seat.Valid()
		return g, err
	}
	return s.Follow(c, sheet)
}

// glanceAt returns a match page as a seat or, with 0, a watcher sees it.
func (s pages) glanceAt(ctx context.Context, p lang.Printer, view live.View, seat match.Seat) (page.Snapshot, error) {
	f, err := s.matchFrame(ctx, p, view, seat)
	if err != nil {
		return page.Snapshot{}, err
	}
	v := scene.ViewMatch(p, f, view.State, seat, s.Now())
	isOver := view.State.Status() == match.Over && !f.Settling
	return page.Snapshot{ETag: strconv.FormatInt(view.State.Seq(), 10), Over: isOver, Fragments: []page.Fragment{
		{ID: "state", What: matchview.State(v), Apart: isOver}, // changes after the end are not in the log
		{ID: "them", What: matchview.Strip(v.Them, "m-them")},
		{ID: "main", What: matchview.Main(v)}, {ID: "us", What: matchview.Strip(v.Us, "m-us")},
		{ID: "actions", What: matchview.Actions(v)}, {ID: "side", What: matchview.Side(v)},
		{ID: "log", What: matchview.LogList(v)},
	}}, nil
}

// fileName returns the name of a match's files without its last part.
func fileName(id match.ID) string { return "match-" + string(id) }

func (s pages) matchRecordJSON(c echo.Context) error {
	record, err := s.RecordOf(c, match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	page.Download(c, "", fileName(match.ID(c.Param("id")))+".json")
	return c.JSON(http.StatusOK, record)
}

func (s pages) matchRecordText(c echo.Context) error {
	record, err := s.RecordOf(c, match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	text, err := notation.Text(record)
	if err != nil {
		return err
	}
	return page.SendFile(c, "", fileName(match.ID(c.Param("id")))+".txt", "text/plain; charset=utf-8", text)
}

// hearCalls settles the notices that called the viewer to the match they have opened.
func (s pages) hearCalls(c echo.Context, id match.ID) error {
	ctx, me, at := c.Request().Context(), page.Viewer(c).ID, words.MatchURL(id)
	isCalled, err := store.Get(ctx, s.Store, func(tx *store.Tx) (bool, error) { return tx.HasNotice(me, at) })
	if err != nil || !isCalled {
		return err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.SettleNotices(me, at, s.Now(), notice.AtBoard...)
	})
	s.Live.Nudge(live.PlayerTopic(me), 0)
	return err
}
