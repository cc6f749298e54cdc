package web

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/house"
	"chpok.org/chpok/live"
	"chpok.org/chpok/store"
	homeview "chpok.org/chpok/templates/home"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// showcase is a match between two house bots that visitors are shown when nobody
// plays: really played by the rules engine, once for each start of the server.
type showcase struct {
	once   sync.Once
	names  [2]string
	game   match.Game // as it ended
	frames string     // JSON of []showFrame
}

// showFrame is the board after a move: pieces as in CFEN, the squares of the move,
// and the points of White and Black.
type showFrame struct {
	Pieces string `json:"p"`
	Last   string `json:"l"`
	Points [2]int `json:"s"`
}

// showMoves is how many moves of a side the match is long, at most.
const showMoves = 20

func (x *showcase) play() {
	bots := house.Bots()
	seats := [2]house.Bot{bots[2], bots[1]}
	x.names = [2]string{string(seats[0].Handle), string(seats[1].Handle)}
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
			break // a match that stops is shown as far as it went
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
			frames = append(frames, showFrame{scene.Placement(p), from + to, [2]int{p.Points(board.White), p.Points(board.Black)}})
		}
	}
	x.game = s.Game()
	text, err := json.Marshal(frames)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	x.frames = string(text)
}

// homeBoard is what a visitor sees beside the first button: the running match that
// has gone furthest, or the showcase.
func (s *Server) homeBoard(ctx context.Context, p lang.Printer, running []store.Head,
	names map[match.ID][2]string) (homeview.BoardCard, error) {
	best, plies := homeview.BoardCard{}, -1
	for _, h := range running {
		if h.Status != match.Playing {
			continue
		}
		view, err := s.Live.View(ctx, h.ID, nil)
		if errors.Is(err, match.ErrLog) {
			continue // /tv tells of it
		}
		if err != nil {
			return best, err
		}
		g := view.State.Game()
		if view.Delayed || g.PlyCount() <= plies {
			continue
		}
		plies = g.PlyCount()
		best = boardCard(p, g, names[h.ID])
		best.URL, best.IsLive, best.Topic = words.MatchURL(h.ID), true, string(h.ID)
	}
	if plies >= 0 {
		return best, nil
	}
	s.showcase.once.Do(s.showcase.play)
	best = boardCard(p, s.showcase.game, s.showcase.names)
	best.Frames = s.showcase.frames
	return best, nil
}

// homeBoardFeed is the running match of the home page as it goes on, for watchers.
func (s *Server) homeBoardFeed(c echo.Context) error {
	id, p := match.ID(c.Param("id")), s.Printer(c)
	var names [2]string
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		head, err := tx.Match(id)
		if err != nil {
			return err
		}
		who, err := tx.Players(head.Players[:]...)
		names = [2]string{string(who[head.Players[0]].Handle), string(who[head.Players[1]].Handle)}
		return err
	})
	if err != nil {
		return err
	}
	return s.Share(c, "home "+string(id), p, page.LivePage{Topics: []string{live.MatchTopic(id)},
		Look: func(ctx context.Context, _ []live.Nudge) (g page.Glance, err error) {
			view, err := s.Live.View(ctx, id, nil)
			if err != nil {
				return g, err
			}
			card := boardCard(p, view.State.Game(), names)
			card.URL, card.IsLive = words.MatchURL(id), true
			g.Pieces = []page.Piece{{ID: "board", What: homeview.HomeBoard(card)}}
			return g, nil
		}})
}

// boardCard is a match in small with what was bid for; names are by seat.
func boardCard(p lang.Printer, g match.Game, names [2]string) homeview.BoardCard {
	card := homeview.BoardCard{Board: scene.MatchMini(p, g), Names: names}
	bids := g.Bids()
	for target := bidding.White; target <= bidding.Features; target++ {
		first, second := bids.Stake(target, bidding.First), bids.Stake(target, bidding.Second)
		if first+second == 0 {
			continue
		}
		stake := homeview.Stake{Chips: max(first, second), ByFirst: first > second, Text: scene.TargetName(p, target)}
		switch target {
		case bidding.White:
			if white, ok := bids.White(); ok {
				stake.Text = p.T("home.plays-white", "Name", names[white.Index()])
			}
		case bidding.Time:
			if control, ok := bids.Time(); ok {
				stake.Text = control.String()
			}
		}
		card.Bids = append(card.Bids, stake)
	}
	if g.OnBoard() {
		white := g.SeatOf(board.White)
		card.Names = [2]string{names[white.Index()], names[white.Other().Index()]}
		card.Points = [2]int{g.Position().Points(board.White), g.Position().Points(board.Black)}
	}
	return card
}
