package scene

import (
	"math"
	"strings"

	"chpok.org/chpok/engine/analysis"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// Judge shows the analysis of a finished match, with the player of Us at the bottom.
type Judge struct {
	lang.Printer
	State  match.State
	Report analysis.Report
	Us     match.Seat
	Names  [2]string // by seat

	game     match.Game
	verdicts []analysis.Verdict
}

// NewJudge returns the judge of a report.
func NewJudge(p lang.Printer, s match.State, r analysis.Report, us match.Seat, names [2]string) Judge {
	g := s.Game()
	return Judge{p, s, r, us, names, g, analysis.Verdicts(g, r)}
}

// Top and bottom of the line of the expected score; it is as wide as the chart of points.
const expectedTop, expectedBottom = 8.0, 88.0

// Expected returns the line over the chart of points, with progress while the analysis goes on.
func (j Judge) Expected(waiting bool) *matchview.ExpectedView {
	of := j.game.PlyCount()
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

// share returns the score that the player at the bottom could expect after a ply.
func (j Judge) share(ply int) float64 {
	white := j.Report.Points[ply].White
	if j.game.SeatOf(board.White) != j.Us {
		return 1 - white
	}
	return white
}

// Accuracy returns the accuracy of both players; empty if one has no judged move.
func (j Judge) Accuracy() string {
	us, ok := analysis.Accuracy(j.verdicts, j.Us)
	them, also := analysis.Accuracy(j.verdicts, j.Us.Other())
	if !ok || !also {
		return ""
	}
	share := func(n float64) string { return j.T("analysis.accuracy.share", "N", j.Int(int(math.Round(n)))) }
	return j.T("analysis.accuracy", "Us", share(us), "Them", share(them))
}

// Explore returns the address at which the match is explored after a ply; empty after none of its plies.
func (j Judge) Explore(n int) string {
	if n < 0 || n > j.game.PlyCount() {
		return ""
	}
	x := ExploredMatch(j.game, n)
	x.AsBlack, x.IsAsked = j.game.Color(j.Us) == board.Black, true
	return x.URL()
}

// Ply returns the verdict on a ply, from 1.
func (j Judge) Ply(n int) *matchview.JudgedView {
	v := &matchview.JudgedView{}
	if n < 1 || n > len(j.verdicts) {
		return v
	}
	verdict := j.verdicts[n-1]
	v.Grade = verdict.Grade.String()
	v.Text = j.text(verdict)
	if verdict.Grade > analysis.Sound {
		before := j.game.Positions()[n-1]
		v.Better = j.T("analysis.better", "Line", LineText(before, verdict.Best))
		if len(verdict.Best) > 0 {
			from, to := LastSquares(before, verdict.Best[0])
			v.Arrow = from + to
		}
	}
	return v
}

// Moments returns the moves that gave much away, with their places in the replay at an address.
func (j Judge) Moments(base string, now int) (list []matchview.MomentView) {
	plies := j.game.Plies()
	for _, v := range j.verdicts {
		if v.Grade < analysis.Mistake {
			continue
		}
		list = append(list, matchview.MomentView{
			Ply: v.Ply, Text: PlyText(plies[v.Ply-1]), Grade: v.Grade.String(), Mine: v.Seat == j.Us, Now: v.Ply == now,
			Label: j.Names[v.Seat.Index()] + ". " + j.text(v), URL: base + "?ply=" + words.Itoa(v.Ply),
		})
	}
	return list
}

// Decided returns the moments that decided the match, with their places in the replay at an address.
func (j Judge) Decided(base string, waiting bool) *matchview.DecidedView {
	v := &matchview.DecidedView{}
	if waiting {
		v.Wait = j.T("decided.wait", "Done", j.Int(len(j.Report.Points)), "Of", j.Int(j.game.PlyCount()+1))
		return v
	}
	for _, m := range analysis.Moments(j.State, j.Report) {
		shown := matchview.DecisiveMoment{Name: j.Names[m.Seat.Index()], Mine: m.Seat == j.Us, URL: base + "?ply=" + words.Itoa(m.Ply)}
		if m.Kind == analysis.DearBid {
			j.decidedByBid(&shown, m, base)
		} else {
			j.decidedOnBoard(&shown, m, base)
		}
		v.Moments = append(v.Moments, shown)
	}
	return v
}

func (j Judge) decidedByBid(v *matchview.DecisiveMoment, m analysis.Moment, base string) {
	step := j.State.BidSteps()[m.Step-1]
	v.Turn = BidAct(j.Printer, step.Bid, step.IsCall, false, step.Before.Features()) + ", " + j.N("match.chips", step.Bid.Chips)
	v.Text, v.Target = j.Bid(m.Step), step.Bid.Target.String()
	v.URL, v.Try = base+"?bid="+words.Itoa(m.Step), j.Step(m.Step).Explore
}

func (j Judge) decidedOnBoard(v *matchview.DecisiveMoment, m analysis.Moment, base string) {
	before := j.game.Positions()[m.Ply]
	mini := MiniBoard(j.Printer, before, 0, j.game.Color(j.Us) == board.Black)
	v.Board = &mini
	v.Turn = j.T("decided.move", "N", before.FullMove())
	percent := func(share float64) string {
		return j.T("analysis.accuracy.share", "N", j.Int(int(math.Round(100*share))))
	}
	switch m.Kind {
	case analysis.MissedClaim:
		v.Text = j.T("decided.claim." + map[bool]string{true: "win", false: "draw"}[m.Loss == 1])
		return
	case analysis.LostOnTime, analysis.GaveUp:
		v.Text, v.Try = j.T("decided."+m.Kind.String(), "Share", percent(m.Loss)), j.Explore(m.Ply)
		return
	}
	played := j.game.Plies()[m.Ply]
	v.URL = base + "?ply=" + words.Itoa(m.Ply+1)
	v.Turn += " " + MoveText(played)
	held := j.share(m.Ply)
	if m.Seat != j.Us {
		held = 1 - held
	}
	v.Text = j.T("decided.fell", "Before", percent(held), "After", percent(max(0, held-m.Loss)))
	if m.Move.Cause != analysis.NoCause {
		v.Text = j.T("analysis."+m.Move.Cause.String(), "Piece", j.T("match.kind."+m.Move.Piece.String())) + " " + v.Text
	}
	mini.Last = miniSquares(LastSquares(before, played.Action))
	if len(m.Move.Best) == 0 {
		return
	}
	v.Better = j.T("analysis.better", "Line", LineText(before, m.Move.Best[:1]))
	mini.Arrow = miniSquares(LastSquares(before, m.Move.Best[0]))
	x := ExploredMatch(j.game, m.Ply)
	x.Line = append(x.Line[:m.Ply:m.Ply], m.Move.Best...)
	x.AsBlack, x.IsAsked = mini.AsBlack, true
	v.Try = x.URL()
}

// Step returns the verdict on a step of the bidding, from 1, with the explorer's place before it.
func (j Judge) Step(n int) *matchview.JudgedView {
	o, steps := j.State.Options(), j.State.BidSteps()
	x := ExploredBids(o.Envelope, o.Extra)
	for _, step := range steps[:min(max(n-1, 0), len(steps))] {
		if step.Seat.Valid() {
			x.Acts = append(x.Acts, match.BidPlaced{Seat: step.Seat, Bid: step.Bid})
		} else {
			x.Acts = append(x.Acts, match.Drawn{Draw: step.Draw})
		}
	}
	x.IsAsked = true
	return &matchview.JudgedView{Text: j.Bid(n), Explore: x.URL()}
}

// Bid returns the verdict on a step of the bidding, from 1; empty if there is none.
func (j Judge) Bid(step int) string {
	if step < 1 || step > len(j.Report.Bids) {
		return ""
	}
	b := j.Report.Bids[step-1]
	better, err := bidding.ParseBid(b.Better)
	if err != nil { // no better bid
		return ""
	}
	return j.T("analysis.bid", "Loss", j.Int(int(math.Round(100*b.Loss))), "Chips", j.N("match.chips", better.Chips),
		"Better", BidAct(j.Printer, better, b.IsCall, false, j.State.BidSteps()[step-1].Before.Features()))
}

// Grade returns the grade of a ply; empty if it is sound or not judged yet.
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

// LineText returns the text of successive actions from a position.
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
