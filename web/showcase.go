package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/house"
	"chpok.org/chpok/store"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// showcase is a match between two house bots for visitors to see when nobody plays. The engine plays it once, when
// it is first shown.
type showcase struct {
	once   sync.Once
	seats  [2]player.Handle
	state  match.State // as it ended
	frames string      // JSON of []showFrame
}

// showFrame is the board after a move: pieces as in CFEN, squares of the move, points of White and Black, and
// White's share of the bar.
type showFrame struct {
	Pieces string `json:"p"`
	Last   string `json:"l"`
	Points [2]int `json:"s"`
	Share  string `json:"w"`
}

// showMoves is the move limit of the match.
const showMoves = 20

func (x *showcase) play() {
	bots := house.Bots()
	seats := [2]house.Bot{bots[2], bots[1]}
	x.seats = [2]player.Handle{seats[0].Handle, seats[1].Handle}
	o := match.DefaultOptions()
	o.Envelope = challenge.Presets()[0].Envelope
	o.Envelope.Defaults.MoveLimit = showMoves
	now := time.Unix(0, 0).UTC()
	var s match.State
	var frames []showFrame
	apply := func(events []match.Event) {
		for _, e := range events {
			s = s.Apply(match.Recorded{Seq: s.Seq() + 1, At: now, Event: e})
		}
	}
	apply(match.Open(o, match.Seed{7}))
	for s.Status() != match.Over {
		seat, _ := s.ToAct()
		bot := seats[seat.Index()]
		command, err := search.Bot{Nodes: bot.Nodes, Seed: bot.Seed}.Choose(context.Background(), s, seat)
		if err != nil {
			break // show the moves so far
		}
		events, err := match.Decide(s, command, now)
		if err != nil {
			break
		}
		apply(events)
		if g := s.Game(); g.OnBoard() {
			p := g.Position()
			ply, _ := g.LastPly()
			from, to := scene.LastSquares(p, ply.Action)
			points := [2]int{p.Points(board.White), p.Points(board.Black)}
			frames = append(frames, showFrame{scene.Placement(p), from + to, points, scene.Share(points[0] - points[1])})
		}
	}
	x.state = s
	text, err := json.Marshal(frames)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	x.frames = string(text)
}

// homeBoardPlace is the element ID of the match on the home page.
const homeBoardPlace = "home-board"

// homeBoard returns the running match most worth watching and its ID; without one, the showcase.
func (s *Server) homeBoard(ctx context.Context, p lang.Printer, running []store.Head) (boardview.LiveView, match.ID, error) {
	var views []live.View
	for _, h := range running {
		view, err := s.Live.View(ctx, h.ID, nil)
		switch {
		case errors.Is(err, match.ErrLog): // /tv reports it
		case err != nil:
			return boardview.LiveView{}, "", err
		case view.State.Status() == match.Playing && !view.Delayed:
			views = append(views, view)
		}
	}
	if len(views) == 0 {
		return s.showcase.view(p), "", nil
	}
	a, err := store.Get(ctx, s.Store, func(tx *store.Tx) (scene.Around, error) { return scene.ReadAround(tx, views) })
	best := slices.MaxFunc(views, func(x, y live.View) int { return cmp.Compare(a.Appeal(x), a.Appeal(y)) })
	return scene.ViewLive(p, homeBoardPlace, a.Frame(p, best), best, s.Now(), s.Rooms.Watchers()[best.Head.ID]), best.Head.ID, err
}

// view returns the end of the match, with its moves to replay.
func (x *showcase) view(p lang.Printer) boardview.LiveView {
	x.once.Do(x.play)
	var f scene.MatchFrame
	for i, h := range x.seats {
		f.Players[i].Name = words.PlayerName(p, player.Player{Handle: h, Bot: true})
	}
	v := scene.ViewLive(p, homeBoardPlace, f, live.View{State: x.state}, x.state.LastAt(), 0)
	v.URL, v.Where, v.Line, v.Frames = "", p.T("home.replay"), "", x.frames
	v.Us.Outcome, v.Them.Outcome = "", ""
	return v
}

// homeBoardFeed streams the running match of the home page to visitors.
func (s *Server) homeBoardFeed(c echo.Context) error {
	id, p := match.ID(c.Param("id")), s.Printer(c)
	shown, err := s.outside.Following(c.Request().Context(), p, id, homeBoardPlace, false)
	if err != nil {
		return err
	}
	return s.Share(c, "home "+string(id), p, shown)
}
