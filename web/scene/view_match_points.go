package scene

import (
	"math"
	"strconv"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
)

// scorer shows the points: who leads, by how much and how that came about.
type scorer struct{ MatchViewer }

// lead returns by how much the player at the bottom leads.
func (m scorer) lead(points [2]int) int {
	return points[m.Us.Index()] - points[m.Us.Other().Index()]
}

// tug returns the bar of the lead.
func (m scorer) tug() *matchview.TugView {
	return ViewTug(m.Printer, m.lead(m.Game.Points()), m.name(m.Us), m.name(m.Us.Other()))
}

// ViewTug returns the bar of a lead: half full when even, nearly full from some fifty points on.
func ViewTug(p lang.Printer, lead int, us, them string) *matchview.TugView {
	size := max(lead, -lead)
	v := &matchview.TugView{
		Share: Share(lead), Top: percent(100 - share(lead)), Mine: lead > 0, Even: lead == 0, Lead: "+" + p.Int(size),
		Label: p.T("match.gap.even"),
	}
	if size >= 1000 {
		v.Lead = "+" + p.Int(size/1000) + "k"
	}
	if lead > 0 {
		v.Label = p.T("match.gap.leads", "Name", us, "N", p.Int(size))
	} else if lead < 0 {
		v.Label = p.T("match.gap.leads", "Name", them, "N", p.Int(size))
	}
	return v
}

// share returns how much of the bar a lead fills, in percent.
func share(lead int) float64 { return 50 + 46*math.Tanh(float64(lead)/23) }

// Share returns how much of the bar a lead fills, as CSS percentage.
func Share(lead int) string { return percent(share(lead)) }

func percent(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) + "%" }

// ringFrom is the number of moves towards a claim from which its ring is shown.
const ringFrom = 10

// ring returns the ring of a claim that is near; nil if none is.
func (m scorer) ring() *matchview.RingView {
	c := m.Game.ClaimCount()
	if m.State.Status() != match.Playing {
		return nil
	}
	v := &matchview.RingView{Who: "draw"}
	left, key := c.DrawIn, "draw"
	if c.WinFor.Valid() {
		left = c.WinIn
		v.Who, key = "them", "them"
		if c.WinFor == m.Us {
			v.Who = "us"
		}
		if c.WinFor == m.you {
			key = "you"
		}
	}
	if match.ClaimSteps-left < ringFrom {
		return nil
	}
	name := ""
	if c.WinFor.Valid() {
		name = m.name(c.WinFor)
	}
	manual := ""
	if m.Game.Claims() == match.Manual {
		manual = ".manual"
	}
	done := match.ClaimSteps - left
	v.Left, v.Dash = m.Int(left), RingDash(done)
	v.Title = m.N("match.ring."+key+manual, left, "Name", name)
	v.Text = m.T("match.ring.if-lead")
	if v.Who == "draw" {
		v.Text = m.T("match.ring.if-same")
	}
	v.Label = m.T("match.ring.held", "Done", m.Int(done), "Of", m.Int(match.ClaimSteps))
	return v
}

// RingDash returns the dash array of a claim's ring after a number of moves.
func RingDash(done int) string {
	const round = 150.8 // circumference, radius 24
	return fixed(round*float64(done)/match.ClaimSteps) + " " + fixed(round)
}

// rules returns the features in force, each with its rule in a line.
func (m scorer) rules() []matchview.RuleView { return Rules(m.Printer, m.Game.Position().Features()) }

// Rules returns the features that differ from the defaults (Rules 7), each with its rule in a line.
func Rules(p lang.Printer, f board.Features) []matchview.RuleView {
	var list []matchview.RuleView
	usual := board.DefaultFeatures()
	add := func(key, name string) {
		list = append(list, matchview.RuleView{Key: key, Name: name, Text: p.T("match.rule." + key)})
	}
	if f.Width != usual.Width {
		add("width", p.N("match.rule.files", f.Width))
	}
	for _, key := range bidding.Switches {
		if bidding.SwitchOn(f, key) {
			list = append(list, matchview.RuleView{Key: key, Name: p.T("match.feature." + key), Text: p.T("match.help." + key)})
		}
	}
	if f.MovePoints != usual.MovePoints {
		list = append(list, matchview.RuleView{Key: "movePoints", Name: p.T("match.rule.points"), Text: pointsText(p, f)})
	}
	if f.MoveLimit != usual.MoveLimit {
		add("moveLimit", p.N("match.rule.moves", f.MoveLimit))
	}
	if f.Undos != usual.Undos {
		add("undos", p.N("match.rule.takebacks", f.Undos))
	}
	if f.Castlings != usual.Castlings {
		add("castlings", p.N("match.rule.castlings.n", f.Castlings))
	}
	return list
}

// gain returns what the last move scored, at its target square.
func (m scorer) gain() *matchview.GainView {
	last, ok := m.Game.LastPly()
	n := last.Effect.RankPoints + last.Effect.MovePoints + last.Effect.KingPoints
	if !ok || n <= 0 {
		return nil
	}
	_, to := LastSquares(m.Game.Position(), last.Action)
	return &matchview.GainView{Square: to, Text: m.Signed(n), Mine: last.Seat == m.Us, Big: last.Effect.KingPoints > 0}
}

// Measures of the chart of points.
const (
	scaleLeft, scaleRight  = 26.0, 334.0
	scaleTop, scaleBottom  = 20.0, 112.0
	scaleKing, scaleMarks  = 1000, 4
	scaleMost, scaleMoveBy = 10, 5
)

// chart returns the points of both players by ply, as steps. Captured kings are marks, so that a thousand points do
// not flatten the rest.
func (m scorer) chart() *matchview.PointsChartView {
	moves := m.State.Moves()
	if len(moves) == 0 {
		return nil
	}
	x := func(ply int) string {
		return fixed(scaleLeft + (scaleRight-scaleLeft)*float64(ply)/float64(len(moves)))
	}
	most := scaleMost
	for _, move := range moves {
		for _, n := range move.Points {
			most = max(most, n%scaleKing)
		}
	}
	by := (most + scaleMarks*5 - 1) / (scaleMarks * 5) * 5
	top := (most + by - 1) / by * by
	y := func(points int) string {
		n := min(max(points, 0)%scaleKing, top)
		return fixed(scaleBottom - (scaleBottom-scaleTop)*float64(n)/float64(top))
	}
	v := &matchview.PointsChartView{Label: m.T("match.chart")}
	for n := 0; n <= top; n += by {
		v.Marks = append(v.Marks, matchview.ChartMark{At: y(n), Text: m.Int(n)})
	}
	v.Marks[len(v.Marks)-1].At = fixed(scaleTop)
	us, them, before := "M"+x(0)+" "+y(0), "M"+x(0)+" "+y(0), [2]int{}
	for i, move := range moves {
		us += "H" + x(i+1) + "V" + y(move.Points[m.Us.Index()])
		them += "H" + x(i+1) + "V" + y(move.Points[m.Us.Other().Index()])
		gained := move.Points[move.Seat.Index()] - before[move.Seat.Index()]
		before = move.Points
		if move.Effect.KingPoints > 0 && gained >= scaleKing {
			v.Kings = append(v.Kings, matchview.ChartKing{
				At: x(i + 1), PieceAt: fixed(scaleLeft + (scaleRight-scaleLeft)*float64(i+1)/float64(len(moves)) - 9),
				Text: m.Signed(gained / scaleKing * scaleKing), Piece: colourLetter(move.Color.Other()) + "K", Mine: move.Seat == m.Us,
			})
		}
	}
	v.Us, v.Them = us, them
	each := max(scaleMoveBy, (len(moves)/2/scaleMarks+scaleMoveBy-1)/scaleMoveBy*scaleMoveBy)
	for n := each; n*2 <= len(moves); n += each {
		v.Moves = append(v.Moves, matchview.ChartMark{At: x(n * 2), Text: m.Int(n)})
	}
	return v
}

func fixed(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// sub returns the line under the title: the chips left in the bidding, the time control and move on the board.
func (m scorer) sub() string {
	switch m.State.Status() {
	case match.Bidding:
		bids := m.Game.Bids()
		if turn, live := m.State.ToAct(); live && bids.Purse(turn.Other()) == 0 {
			if turn == m.you {
				return m.N("match.bids-on.you", bids.Purse(turn))
			}
			return m.N("match.bids-on", bids.Purse(turn), "Name", m.name(turn))
		}
		return m.N("match.chips-to-go", bids.Purse(match.First)+bids.Purse(match.Second))
	case match.Playing:
		terms, _ := m.Game.Terms()
		at := m.MoveText()
		if h := m.State.History(); len(h) > 0 {
			if e, isUndone := h[len(h)-1].Event.(match.Undone); isUndone {
				return m.T("match.say.undone", "Name", m.name(e.Seat)) + " · " + at
			}
		}
		if m.timeNote() != "" {
			return at // no clock was bid for
		}
		return terms.Time.String() + " · " + at
	}
	return ""
}

// MoveText says which move is played, of how many; empty: none is.
func (m MatchViewer) MoveText() string {
	if m.State.Status() != match.Playing {
		return ""
	}
	terms, _ := m.Game.Terms()
	return m.T("match.move-of", "Move", m.Int(m.Game.PlyCount()/2+1), "Limit", m.Int(terms.Features.MoveLimit))
}
