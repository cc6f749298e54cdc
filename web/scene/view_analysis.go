package scene

import (
	"math"
	"strings"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
)

// Judge shows what analysis says of a finished match, with the player of Us below.
type Judge struct {
	lang.Printer
	Game   match.Game
	Report analysis.Report
	Us     match.Seat
	Names  [2]string // by seat

	verdicts []analysis.Verdict
}

// NewJudge is a judge who has looked the moves over.
func NewJudge(p lang.Printer, g match.Game, r analysis.Report, us match.Seat, names [2]string) Judge {
	return Judge{p, g, r, us, names, analysis.Verdicts(g, r)}
}

// The box of the line of the expected score, as wide as that of the points.
const expectedTop, expectedBottom = 8.0, 88.0

// Expected is the line over the chart of points. Of it there are so many positions in all.
func (j Judge) Expected(waiting bool) *matchview.ExpectedView {
	of := j.Game.PlyCount()
	v := &matchview.ExpectedView{Label: j.T("analysis.chart", "Name", j.Names[j.Us.Index()])}
	if waiting {
		v.Progress = j.T("analysis.progress", "Done", j.Int(len(j.Report.Points)), "Of", j.Int(of+1))
	}
	if of == 0 || len(j.Report.Points) < 2 {
		return v
	}
	x := func(ply int) string { return fixed(scaleLeft + (scaleRight-scaleLeft)*float64(ply)/float64(of)) }
	y := func(ply int) string { return fixed(expectedBottom - (expectedBottom-expectedTop)*j.share(ply)) }
	var line strings.Builder
	for ply := range j.Report.Points {
		line.WriteString("ML"[min(ply, 1):min(ply, 1)+1] + x(ply) + " " + y(ply))
	}
	v.Line = line.String()
	last := len(j.Report.Points) - 1
	v.Area = v.Line + "L" + x(last) + " 48L" + x(0) + " 48Z"
	for _, verdict := range j.verdicts {
		if verdict.Grade < analysis.Mistake {
			continue
		}
		v.Marks = append(v.Marks, matchview.JudgedMark{
			X: x(verdict.Ply), Y: y(verdict.Ply), Grade: verdict.Grade.String(), Ply: verdict.Ply, Mine: verdict.Seat == j.Us,
			Label: j.Names[verdict.Seat.Index()] + ". " + j.text(verdict),
		})
	}
	return v
}

// share is what the lower player could expect after a ply.
func (j Judge) share(ply int) float64 {
	white := j.Report.Points[ply].White
	if j.Game.SeatOf(board.White) != j.Us {
		return 1 - white
	}
	return white
}

// Accuracy is how exactly both played; empty: nothing was judged of one of them.
func (j Judge) Accuracy() string {
	us, ok := analysis.Accuracy(j.verdicts, j.Us)
	them, also := analysis.Accuracy(j.verdicts, j.Us.Other())
	if !ok || !also {
		return ""
	}
	share := func(n float64) string { return j.T("analysis.accuracy.share", "N", j.Int(int(math.Round(n)))) }
	return j.T("analysis.accuracy", "Us", share(us), "Them", share(them))
}

// Ply is what is to be said of a ply, the start being 0.
func (j Judge) Ply(n int) *matchview.JudgedView {
	v := &matchview.JudgedView{}
	if n < 1 || n > len(j.verdicts) {
		return v
	}
	verdict := j.verdicts[n-1]
	v.Grade = verdict.Grade.String()
	v.Text = j.text(verdict)
	if verdict.Grade > analysis.Sound {
		v.Better = j.T("analysis.better", "Line", LineText(j.Game.Positions()[n-1], verdict.Best))
	}
	return v
}

// Bid is what is to be said of a step of the bidding, from 1; empty: nothing.
func (j Judge) Bid(step int) string {
	if step < 1 || step > len(j.Report.Bids) {
		return ""
	}
	b := j.Report.Bids[step-1]
	better, err := bidding.ParseBid(b.Better)
	if err != nil { // none
		return ""
	}
	return j.T("analysis.bid", "Loss", j.Int(int(math.Round(100*b.Loss))), "Chips", j.N("match.chips", better.Chips),
		"Better", BidAct(j.Printer, better, b.IsCall, false, board.DefaultFeatures()))
}

// Grade is how a ply was judged; empty: sound, or not judged yet.
func (j Judge) Grade(n int) string {
	if n < 1 || n > len(j.verdicts) || j.verdicts[n-1].Grade == analysis.Sound {
		return ""
	}
	return j.verdicts[n-1].Grade.String()
}

func (j Judge) text(v analysis.Verdict) string {
	if v.Grade == analysis.Sound {
		if len(v.Best) == 0 {
			return j.T("analysis.best")
		}
		return ""
	}
	text := j.T("analysis."+v.Grade.String(), "Loss", j.Int(int(math.Round(100*v.Loss))))
	if v.Cause == analysis.NoCause {
		return text
	}
	return text + " " + j.T("analysis."+v.Cause.String(), "Piece", j.T("match.kind."+v.Piece.String()))
}

// LineText is actions that follow each other from a position on, for people.
func LineText(p board.Position, line []board.Action) string {
	var texts []string
	for _, a := range line {
		ply := match.Ply{Action: a}
		if a.Kind() == board.Move {
			ply.Piece, _ = p.Look(a)
		}
		next, effect, err := p.Play(a)
		if err != nil {
			break
		}
		ply.Effect = effect
		texts = append(texts, MoveText(ply))
		p = next
	}
	return strings.Join(texts, " ")
}

// Explored are the best lines of a position that is being looked at: what the side
// to move can expect of each.
func Explored(p lang.Printer, position board.Position, lines []search.Line) matchview.ExploreView {
	v := matchview.ExploreView{}
	for _, l := range lines {
		v.Depth = p.T("analysis.depth", "N", p.Int(l.Depth))
		share := int(math.Round(100 * search.Expected(l.Score)))
		v.Lines = append(v.Lines, matchview.ExploredLine{
			Score: p.T("analysis.accuracy.share", "N", p.Int(share)), Text: LineText(position, l.Actions[:min(len(l.Actions), 8)]),
		})
	}
	return v
}
