package scene

import (
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/picture"
)

// Pictured returns pictures of the moments of a match.
type Pictured struct {
	MatchViewer
	base  picture.Match
	moves []match.Move
}

// NewPictured returns the pictures of a match on a site; asBlack puts Black at the bottom.
func NewPictured(p lang.Printer, site string, f MatchFrame, v live.View, asBlack bool) Pictured {
	g := v.State.Game()
	m := Pictured{moves: v.State.Moves()}
	m.MatchViewer = MatchViewer{Printer: p, Frame: f, State: v.State, Game: g, Us: match.First, Now: v.State.LastAt()}
	m.base = picture.Match{Site: site, Event: f.Event.Name, Headline: m.Headline(), AsBlack: asBlack}
	if f.Event.Detail != "" {
		m.base.Event += " · " + f.Event.Detail
	}
	if m.base.Event == "" {
		m.base.Event = p.T("tv.casual")
	}
	if !g.OnBoard() {
		m.base.Position = startPosition(g.Bids().Features(), g.Bids().Row())
		return m
	}
	m.Us = g.SeatOf(board.White)
	if asBlack {
		m.Us = m.Us.Other()
	}
	m.base.Position = g.Positions()[0]
	terms, _ := g.Terms()
	rules := []string{terms.Time.String()}
	for _, r := range (scorer{m.MatchViewer}).rules() {
		rules = append(rules, r.Name)
	}
	m.base.Rules = strings.Join(rules, " · ")
	return m
}

// Headline returns the status or result of the match in a line.
func (m MatchViewer) Headline() string {
	if m.State.Status() == match.Over {
		return m.result().Headline
	}
	turn, _ := m.State.ToAct()
	return m.statusBar(turn)
}

// picturedSide returns a player with their points or chips left.
func (m Pictured) picturedSide(by match.Seat, points int) picture.Side {
	p := m.Frame.Players[by.Index()]
	v := picture.Side{Name: p.Name, Rating: p.Rating, Points: m.Int(points)}
	if m.Game.OnBoard() && m.Bid == 0 {
		v.HasColor, v.Color = true, m.Game.Color(by)
	}
	return v
}

// at returns the board after a number of plies.
func (m Pictured) at(ply int) picture.Match {
	v := m.base
	v.Position, v.Caption = m.Game.Positions()[ply], m.T("match.replay.start")
	var points [2]int
	if ply > 0 {
		move := m.moves[ply-1]
		points, v.Caption = move.Points, PlyText(move.Ply)
		from, to := LastSquares(v.Position, move.Action)
		for _, name := range []string{from, to} {
			if sq, err := board.ParseSquare(name); err == nil {
				v.Last = append(v.Last, sq)
			}
		}
	}
	if ply == m.Game.PlyCount() { // includes points for a fallen flag
		points = m.Game.Points()
	} else {
		v.Headline = v.Caption
	}
	v.Lower, v.Upper = m.picturedSide(m.Us, points[m.Us.Index()]), m.picturedSide(m.Us.Other(), points[m.Us.Other().Index()])
	v.Share = share(scorer{m.MatchViewer}.lead(points)) / 100
	return v
}

// step returns the bidding after n steps; 0: after all.
func (m Pictured) step(n int) picture.Match {
	m.Bid = n
	v, bids := m.base, m.bids()
	for _, b := range m.liveBids() {
		v.Bids = append(v.Bids, picture.Bid{Title: b.Title, Stands: b.Stands, Row: board.Row(b.Row), Upper: b.Them, Lower: b.Us})
	}
	v.Lower, v.Upper = m.picturedSide(m.Us, bids.Purse(m.Us)), m.picturedSide(m.Us.Other(), bids.Purse(m.Us.Other()))
	if act := m.LastAct(); act != nil {
		v.Caption = act.Told()
	}
	if n > 0 {
		v.Headline = v.Caption
	}
	v.Rules = strings.Join(FeatureTexts(m.Printer, bids.Features()), ", ")
	return v
}

// Moment returns the moment of the ply or bid in a replay's address; without one the latest.
func (m Pictured) Moment(ply, bid string) picture.Match {
	if n, err := strconv.Atoi(bid); err == nil && len(m.State.BidSteps()) > 0 {
		return m.step(min(max(n, 1), len(m.State.BidSteps())))
	}
	if !m.Game.OnBoard() {
		return m.step(0)
	}
	n, err := strconv.Atoi(ply)
	if err != nil {
		n = m.Game.PlyCount()
	}
	return m.at(min(max(n, 0), m.Game.PlyCount()))
}

// Moments returns what an animation shows, at least one moment: every bid, or once they are over what they have come to
// and every move.
func (m Pictured) Moments() (all []picture.Match) {
	if m.Game.OnBoard() {
		if n := len(m.State.BidSteps()); n > 0 {
			all = append(all, m.step(n))
		}
		for i := range m.Game.PlyCount() + 1 {
			all = append(all, m.at(i))
		}
		return all
	}
	for i := range m.State.BidSteps() {
		all = append(all, m.step(i+1))
	}
	if len(all) == 0 {
		all = append(all, m.step(0))
	}
	return all
}

// PicturedEnd returns the last position of a match on the board, and what moved there, from the side of one of its players.
func PicturedEnd(p lang.Printer, f MatchFrame, v live.View, of player.ID) picture.Match {
	asBlack := v.State.Game().Color(v.Head.SeatOf(of)) == board.Black
	last := NewPictured(p, "", f, v, asBlack).Moment("", "")
	return picture.Match{Position: last.Position, Last: last.Last, AsBlack: asBlack}
}

// PicturedRaise returns an outcome as it stands on a picture.
func PicturedRaise(p lang.Printer, r store.Raise) picture.YearBid {
	b := picture.YearBid{Chips: r.Usual(), Target: TargetName(p, bidding.Target(r.Target)), Text: r.Outcome}
	switch bidding.Target(r.Target) {
	case bidding.HomeRow:
		b.Row = board.Row(r.Outcome)
	case bidding.Features:
		if f, err := board.ParseFeatures([]byte(r.Outcome)); err == nil {
			b.Text = FeaturesText(p, f)
		}
	}
	return b
}

// PlyText returns a ply with its number: 12. Ng1–f3, 12… e7–e5.
func PlyText(p match.Ply) string {
	dots := ". "
	if p.Color == board.Black {
		dots = "… "
	}
	return strconv.Itoa(p.Move) + dots + MoveText(p)
}
