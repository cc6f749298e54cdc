package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
)

// plyView is one position for the page's script: where the pieces stand, the
// squares of the last move and what to write under it.
type plyView struct {
	Placement string `json:"placement"`
	Last      string `json:"last"`
	Caption   string `json:"caption"`
	// By seat: points, and what the clocks showed.
	Points [2]string `json:"points"`
	Clocks [2]string `json:"clocks"`
}

// matchPositions is every position of the game as it stands, for stepping back.
func (s *Server) matchPositions(c echo.Context) error {
	view, err := s.look(c, match.ID(c.Param("id")))
	if err != nil {
		return err
	}
	state := view.State
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, map[string]any{"seq": state.Seq(), "plies": plyViews(s.printer(c), state)})
}

func plyViews(p lang.Printer, s match.State) []plyView {
	g := s.Game()
	list := []plyView{}
	terms, _ := g.Terms()
	each := clockText(time.Duration(terms.Time.Minutes) * time.Minute)
	clocks, moves := [2]string{each, each}, s.Moves()
	for i, pos := range g.Positions() {
		view := plyView{Placement: placement(pos), Caption: p.T("match.replay.start"), Points: [2]string{"0", "0"}, Clocks: clocks}
		if i > 0 {
			move := moves[i-1]
			clocks[move.Seat.Index()] = clockText(move.Left)
			from, to := lastSquares(pos, move.Action)
			view.Last, view.Clocks = from+to, clocks
			view.Points = [2]string{p.Int(move.Points[0]), p.Int(move.Points[1])}
			view.Caption = p.T("match.replay.caption", "Move", plyText(move.Ply),
				"White", p.Int(pos.Points(board.White)), "Black", p.Int(pos.Points(board.Black)))
		}
		list = append(list, view)
	}
	return list
}

// plyText is a ply with its number: 12. Ng1–f3, 12… e7–e5.
func plyText(p match.Ply) string {
	dots := ". "
	if p.Color == board.Black {
		dots = "… "
	}
	return strconv.Itoa(p.Move) + dots + moveText(p)
}

// replayPage is a match to step through, from the ply the address names.
func (s *Server) replayPage(c echo.Context) error {
	ctx, id := c.Request().Context(), match.ID(c.Param("id"))
	look, err := s.look(c, id)
	if err != nil {
		return err
	}
	p, seat := s.printer(c), look.Head.SeatOf(viewer(c).ID)
	frame, err := s.matchFrame(ctx, p, look, seat)
	if err != nil {
		return err
	}
	v := viewReplay(p, frame, look.State, seat, s.now(), c.QueryParam("ply"))
	sh := s.shell(c, v.Match.Title)
	sh.Compact, sh.Wide = true, true
	sh.Styles, sh.Scripts = []string{"match.css", "calls.css"}, []string{"replay.js"}
	return s.render(c, http.StatusOK, matchview.ReplayPage(sh, v))
}

// viewReplay is the view of a match at a ply; a ply that is not there is the
// nearest.
func viewReplay(p lang.Printer, f matchFrame, state match.State, seat match.Seat, now time.Time, ply string) matchview.ReplayView {
	m := viewMatch(p, f, state, seat, now)
	g := state.Game()
	of := g.PlyCount()
	n, err := strconv.Atoi(ply)
	if err != nil {
		n = of
	}
	n = min(max(n, 0), of)
	base := m.URL + "/replay"
	at := func(ply int) string { return base + "?ply=" + strconv.Itoa(min(max(ply, 0), of)) }
	v := matchview.ReplayView{
		Ply: n, Of: of, First: at(0), Previous: at(n - 1), Next: at(n + 1), Last: at(of), Action: base,
		JSON: m.URL + "/record.json", Text: m.URL + "/record.txt",
	}
	if g.OnBoard() {
		v.Caption = showPly(p, &m, state, n)
	}
	if m.Bidding != nil { // to look at only
		for i := range m.Bidding.Targets {
			m.Bidding.Targets[i].Bid = nil
		}
	}
	m.Title = p.T("match.replay.title", "First", f.Players[0].Name, "Second", f.Players[1].Name)
	if m.Result != nil && len(m.Result.Next) > 0 {
		m.Result.Next = m.Result.Next[:len(m.Result.Next)-1] // the replay itself
	}
	v.Match = m
	return v
}

// showPly turns the view back to a ply; it answers the caption.
func showPly(p lang.Printer, m *matchview.MatchView, state match.State, n int) string {
	g := state.Game()
	var last board.Action
	if n > 0 {
		last = g.Plies()[n-1].Action
	}
	shown, views := viewBoard(p, g.Positions()[n], last, m.Board.AsBlack), plyViews(p, state)
	m.Board = &shown
	for _, strip := range []*matchview.PlayerView{&m.Us, &m.Them} {
		i := match.First.Index()
		if strip.Seat == match.Second.String() {
			i = match.Second.Index()
		}
		strip.Points, strip.Captured, strip.ToAct = views[n].Points[i], nil, false
		strip.Clock = matchview.ClockView{Text: views[n].Clocks[i]}
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
