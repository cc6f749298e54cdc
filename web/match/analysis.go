package match

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/live/analyst"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func (s pages) analysisRoutes() []page.Route {
	return []page.Route{
		page.Get("/matches/:id/analysis/feed", s.analysisFeed, page.Anyone),
	}
}

// judged is the analysis of a finished match as the viewer may see it.
type judged struct {
	scene.Judge
	waiting bool // the analysis goes on
	locked  bool // the viewer may not see it yet
}

// judge returns the analysis of a match; false if there is none to show.
func (s pages) judge(ctx context.Context, by seats.Asker, p lang.Printer, look live.View, us match.Seat) (j judged, ok bool, err error) {
	g := look.State.Game()
	if s.Analyst == nil || look.Delayed || look.State.Status() != match.Over || g.PlyCount() == 0 {
		return j, false, nil
	}
	err = s.Arbiter.Seats.MayReadAnalysis(ctx, by, look.Head, g)
	if j.locked = errors.Is(err, seats.ErrBeingPlayed); err != nil && !j.locked {
		return j, false, err
	}
	var status analyst.Status
	if !j.locked {
		if status, err = s.Analyst.Of(ctx, look.Head); err != nil {
			return j, false, err
		}
	}
	frame, err := s.matchFrame(ctx, p, look, 0)
	if err != nil {
		return j, false, err
	}
	names := [2]string{frame.Players[0].Name, frame.Players[1].Name}
	j.waiting, j.Judge = status.Waiting, scene.NewJudge(p, look.State, status.Report, us, names)
	return j, true, nil
}

// Accuracy returns the accuracy of both players once every position is counted; empty before.
func (j judged) Accuracy() string {
	if j.waiting {
		return ""
	}
	return j.Judge.Accuracy()
}

// expected returns the line over the chart.
func (j judged) expected() *matchview.ExpectedView {
	if j.locked {
		return &matchview.ExpectedView{Trouble: j.T("analysis.locked")}
	}
	return j.Expected(j.waiting)
}

// showJudged adds the analysis to a replay.
func (s pages) showJudged(c echo.Context, p lang.Printer, look live.View, v *matchview.ReplayView) (isWaiting bool, err error) {
	by, err := s.Asker(c)
	if err != nil {
		return false, err
	}
	j, ok, err := s.judge(c.Request().Context(), by, p, look, seatNamed(v.Match.Us.Seat))
	if err != nil || !ok {
		return false, err
	}
	if v.Match.Chart != nil { // nil in the bidding
		v.Match.Chart.Expected = j.expected()
	}
	if j.locked {
		return false, nil
	}
	if v.Match.Result != nil {
		v.Match.Result.IsJudged, v.Match.Result.Accuracy = true, j.Accuracy()
	}
	v.Judged = j.Ply(v.Ply)
	v.Judged.Explore = j.Explore(v.Ply)
	v.Moments = j.Moments(words.MatchURL(look.Head.ID)+"/replay", v.Ply)
	v.Decided = j.Decided(words.MatchURL(look.Head.ID)+"/replay", j.waiting)
	if v.Match.Board != nil {
		v.Match.Board.Arrows = v.Judged.Arrow
	}
	if v.Bid > 0 {
		v.Judged = j.Step(v.Bid)
	}
	for i := range v.Match.Log.Bids {
		if line := &v.Match.Log.Bids[i]; line.Step > 0 && j.Bid(line.Step) != "" {
			line.Label += ". " + j.Bid(line.Step)
			line.Dear = true
		}
	}
	for _, row := range v.Match.Log.Moves {
		for _, m := range []*matchview.MoveView{row.White, row.Black} {
			if m != nil {
				m.Grade = j.Grade(m.Ply)
			}
		}
	}
	return j.waiting, nil
}

// lookForAnalysis is how often a page that waits for an analysis looks for more.
const lookForAnalysis = 1500 * time.Millisecond

// analysisFeed streams an analysis in progress to a replay.
func (s pages) analysisFeed(c echo.Context) error {
	look, err := s.Look(c, match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	by, err := s.Asker(c)
	if err != nil {
		return err
	}
	p, us := s.Printer(c), cmp.Or(seatNamed(c.QueryParam("us")), match.First)
	return s.Follow(c, page.LivePage{Every: lookForAnalysis, Look: func(ctx context.Context, _ []live.Nudge) (page.Snapshot, error) {
		j, ok, err := s.judge(ctx, by, p, look, us)
		if err != nil || !ok {
			return page.Snapshot{Over: true}, err
		}
		g := page.Snapshot{Over: !j.waiting, Fragments: []page.Fragment{{ID: "expected", What: matchview.ExpectedChart(*j.expected())}}}
		if !j.locked {
			at := words.MatchURL(look.Head.ID) + "/replay"
			g.Fragments = append(g.Fragments, page.Fragment{ID: "moments", What: matchview.Moments(j.Moments(at, -1))},
				page.Fragment{ID: "decided", What: matchview.Decided(*j.Decided(at, j.waiting))})
		}
		if text := j.Accuracy(); text != "" {
			g.Fragments = append(g.Fragments, page.Fragment{ID: "accuracy", What: matchview.Accuracy(text)})
		}
		return g, nil
	}})
}
