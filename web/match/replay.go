package match

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// plyView is a position for the page's script.
type plyView struct {
	Placement string `json:"placement"`
	Last      string `json:"last"` // squares of the last move
	Caption   string `json:"caption"`
	// By seat.
	Points [2]string `json:"points"`
	Units  [2]string `json:"units"` // of the points, in their form
	Clocks [2]string `json:"clocks"`
	Lead   int       `json:"lead"`            // of First
	Taken  string    `json:"taken,omitempty"` // piece that the move captured from the opponent
	// Points for kings, ranks and moves of pieces, each by seat.
	Sources [3][2]string `json:"sources"`
	// Verdict of the analysis, if there is one.
	Judged  *matchview.JudgedView `json:"judged,omitempty"`
	sources [2]match.Sources
}

// matchPositions sends all positions of the game, to step through.
func (s pages) matchPositions(c echo.Context) error {
	view, err := s.Look(c, match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	state := view.State
	c.Response().Header().Set("Cache-Control", "no-store")
	p := s.Printer(c)
	plies := plyViews(p, state)
	by, err := s.Asker(c)
	if err != nil {
		return err
	}
	j, ok, err := s.judge(c.Request().Context(), by, p, view, match.First)
	if err != nil {
		return err
	}
	if ok && !j.locked {
		for i := range plies {
			plies[i].Judged = j.Ply(i)
		}
	}
	return c.JSON(http.StatusOK, map[string]any{"seq": state.Seq(), "plies": plies})
}

func plyViews(p lang.Printer, s match.State) []plyView {
	g := s.Game()
	list := []plyView{}
	terms, _ := g.Terms()
	each := words.ClockText(p, time.Duration(terms.Time.Minutes)*time.Minute)
	clocks, moves := [2]string{each, each}, s.Moves()
	var sources [2]match.Sources
	before := [2]int{}
	for i, pos := range g.Positions() {
		view := plyView{Placement: scene.Placement(pos), Caption: p.T("match.replay.start"), Points: [2]string{"0", "0"},
			Units: pointsUnits(p, [2]int{}), Clocks: clocks}
		if i > 0 {
			move := moves[i-1]
			clocks[move.Seat.Index()] = words.ClockText(p, move.Left)
			from, to := scene.LastSquares(pos, move.Action)
			view.Last, view.Clocks = from+to, clocks
			view.Points, view.Units = [2]string{p.Int(move.Points[0]), p.Int(move.Points[1])}, pointsUnits(p, move.Points)
			view.Lead = move.Points[0] - move.Points[1]
			if piece := move.Effect.Captured; !piece.IsEmpty() && piece.Color() != move.Color {
				view.Taken = scene.PieceCode(piece)
			}
			for seat := range sources {
				gained := move.Points[seat] - before[seat]
				if seat == move.Seat.Index() {
					sources[seat].Ranks += move.Effect.RankPoints
					sources[seat].Types += move.Effect.MovePoints
					gained -= move.Effect.RankPoints + move.Effect.MovePoints
				}
				sources[seat].Kings += gained // includes a king that its owner removed
			}
			before = move.Points
			view.Caption = p.T("match.replay.caption", "Move", scene.PlyText(move.Ply),
				"White", p.Int(pos.Points(board.White)), "Black", p.Int(pos.Points(board.Black)))
		}
		view.sources = sources
		for k, of := range [3]func(match.Sources) int{words.KingPoints, words.RankPoints, words.TypePoints} {
			view.Sources[k] = [2]string{p.Int(of(sources[0])), p.Int(of(sources[1]))}
		}
		list = append(list, view)
	}
	return list
}

func pointsUnits(p lang.Printer, points [2]int) [2]string {
	return [2]string{p.N("match.pts", points[0]), p.N("match.pts", points[1])}
}

// replayPage shows a match to step through, from the ply or bid in the address.
func (s pages) replayPage(c echo.Context) error {
	ctx, id := c.Request().Context(), match.ID(c.Param("id"))
	look, err := s.Look(c, id)
	if err != nil {
		return err
	}
	p, seat := s.Printer(c), look.Head.SeatOf(page.Viewer(c).ID)
	frame, err := s.matchFrame(ctx, p, look, seat)
	if err != nil {
		return err
	}
	v := viewReplay(p, frame, look.State, seat, s.Now(), c.QueryParam("ply"), c.QueryParam("bid"))
	isWaiting, err := s.showJudged(c, p, look, &v)
	if err != nil {
		return err
	}
	place := placeOf(c, v)
	v.Share = s.shareView(c, p, frame, look.State, place)
	sh := s.Shell(c, v.Match.Title)
	s.linkMatch(c, &sh, p, frame, look.State, place)
	sh.Compact, sh.Wide = true, true
	if isWaiting {
		sh.Feed = words.MatchURL(id) + "/analysis/feed?us=" + v.Match.Us.Seat
	}
	sh.Styles, sh.Scripts = []string{"board.css", "bidding.css", "match.css", "calls.css"}, []string{"replay.js", "share.js"}
	return s.Render(c, http.StatusOK, matchview.ReplayPage(sh, v))
}

// placeOf returns the query of a replay's moment; empty for its end.
func placeOf(c echo.Context, v matchview.ReplayView) string {
	switch {
	case c.QueryParam("bid") != "" && v.Bid > 0:
		return "bid=" + strconv.Itoa(v.Bid)
	case c.QueryParam("ply") != "" && v.Match.Board != nil:
		return "ply=" + strconv.Itoa(v.Ply)
	}
	return ""
}

// viewReplay returns the view of a match at a ply or a step of its bidding, or the nearest that exists.
func viewReplay(p lang.Printer, f scene.MatchFrame, state match.State, seat match.Seat, now time.Time,
	ply, bid string) matchview.ReplayView {
	m := scene.ViewMatch(p, f, state, seat, now)
	g, steps := state.Game(), len(state.BidSteps())
	of := g.PlyCount()
	n, err := strconv.Atoi(ply)
	if err != nil {
		n = of
	}
	n = min(max(n, 0), of)
	base := m.URL + "/replay"
	// Places number the moments of the match: bids up to -1, the start of the board 0, moves from 1.
	at := func(place int) string {
		switch {
		case place >= 0 && g.OnBoard():
			return base + "?ply=" + strconv.Itoa(min(place, of))
		case steps == 0:
			return base
		}
		return base + "?bid=" + strconv.Itoa(min(max(steps+place+bidsBeforeBoard(g), 1), steps))
	}
	v := matchview.ReplayView{Ply: n, Of: of, Action: base}
	place := n
	if b, err := strconv.Atoi(bid); err == nil && steps > 0 || !g.OnBoard() && steps > 0 {
		if err != nil {
			b = steps
		}
		v.Bid = min(max(b, 1), steps)
		place = v.Bid - steps - bidsBeforeBoard(g)
		showBid(p, &m, f, state, v.Bid)
	} else if g.OnBoard() {
		v.Caption = showPly(p, &m, state, n)
	}
	if steps > 0 && v.Bid == 0 {
		v.Bids = at(-1)
	}
	v.First, v.Previous, v.Next, v.Last = at(-steps), at(place-1), at(place+1), at(of)
	m.You = "" // no controls
	if m.Play != nil {
		m.Play.Controls = nil
	}
	if m.Bidding != nil {
		for i := range m.Bidding.Targets {
			m.Bidding.Targets[i].Bid = nil
		}
	}
	m.Log.Steps = true
	m.Title = p.T("match.replay.title", "First", m.Us.Name, "Second", m.Them.Name)
	if m.Result != nil {
		m.Result.Next = slices.DeleteFunc(m.Result.Next, func(l matchview.LinkView) bool { return strings.HasPrefix(l.URL, base) })
	}
	v.Match = m
	return v
}

// bidsBeforeBoard returns 1 if the start of the board is a place of its own after the last bid.
func bidsBeforeBoard(g match.Game) int {
	if g.OnBoard() {
		return 1
	}
	return 0
}

// showBid changes the view to a step of the bidding.
func showBid(p lang.Printer, v *matchview.View, f scene.MatchFrame, state match.State, bid int) {
	m := scene.MatchViewer{Printer: p, Frame: f, State: state, Game: state.Game(), Us: seatNamed(v.Us.Seat), Bid: bid}
	v.Bidding, v.LastAct, v.Log = m.Bidding(), m.LastAct(), m.Log()
	v.Board, v.Play, v.Tug, v.Chart, v.Ring, v.Rules = nil, nil, nil, nil, nil, nil
	step := m.Steps()[bid-1]
	for _, strip := range []*matchview.PlayerView{&v.Us, &v.Them} {
		strip.HasPoints, strip.Captured, strip.ToAct, strip.Colour, strip.Outcome = false, nil, false, "", ""
		strip.ShowChips, strip.Purse, strip.ShowClock = true, step.After.Purse(seatNamed(strip.Seat)), false
	}
}

// capturedBy returns the pieces that a player has captured in the first n plies.
func capturedBy(g match.Game, seat, n int) (codes []string) {
	for _, ply := range g.Plies()[:n] {
		piece := ply.Effect.Captured
		if ply.Seat.Index() == seat && !piece.IsEmpty() && piece.Color() != ply.Color {
			codes = append(codes, scene.PieceCode(piece))
		}
	}
	return codes
}

// showPly changes the view to a ply and returns the caption.
func showPly(p lang.Printer, m *matchview.View, state match.State, n int) string {
	g := state.Game()
	var last board.Action
	if n > 0 {
		last = g.Plies()[n-1].Action
	}
	shown, views := scene.ViewBoard(p, g.Positions()[n], last, m.Board.AsBlack), plyViews(p, state)
	m.Board = &shown
	lead, us := views[n].Lead, seatNamed(m.Us.Seat).Index()
	if us == 1 {
		lead = -lead
	}
	if n < g.PlyCount() { // at the end the view includes points for a fallen flag
		m.Tug = scene.ViewTug(p, lead, m.Us.Name, m.Them.Name)
		m.Play.Totals = [2]string{views[n].Points[us], views[n].Points[1-us]}
		for i := range m.Play.Sources {
			s := &m.Play.Sources[i]
			s.Us, s.Them = "0", "0"
			if s.Kind > 0 {
				s.Us, s.Them = views[n].Sources[s.Kind-1][us], views[n].Sources[s.Kind-1][1-us]
			}
		}
	}
	for _, strip := range []*matchview.PlayerView{&m.Us, &m.Them} {
		i := seatNamed(strip.Seat).Index()
		strip.Points, strip.Captured, strip.ToAct = views[n].Points[i], capturedBy(g, i, n), false
		strip.Clock = templates.ClockView{Text: views[n].Clocks[i]}
	}
	for _, row := range m.Log.Moves {
		for _, move := range []*matchview.MoveView{row.White, row.Black} {
			if move != nil {
				move.Now = move.Ply == n
			}
		}
	}
	return views[n].Caption
}
