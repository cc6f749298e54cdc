package scene

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/engine/search"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// ViewExplorer returns the view of a place, without what the engine says of it.
func ViewExplorer(p lang.Printer, x Explored) matchview.ExplorerView {
	asked, other := x, Explored{Features: board.DefaultFeatures()}
	asked.IsAsked = true
	v := matchview.ExplorerView{Ask: asked.URL(), Next: nextAct(x)}
	if x.IsBidding {
		v.BoardURL = other.URL()
		v.Bids = viewExploredBids(p, x)
		return v
	}
	usual := bidding.DefaultEnvelope()
	usual.Defaults = x.Features
	v.BidsURL = ExploredBids(usual, [2]int{}).URL()
	if x.IsSetUp {
		v.SetUp = viewSetUp(p, x)
		return v
	}
	root := x.Root()
	position := root.Position
	var last board.Action
	if x.At > 0 {
		last = x.Line[x.At-1]
	}
	b := ViewBoard(p, position, last, x.AsBlack)
	b.N = position.CFEN() + words.Itoa(x.At)
	b.Side = colourLetter(position.Turn())
	if x.At < len(x.Line) {
		from, to := LastSquares(position, x.Line[x.At])
		b.Arrows = from + to
	}
	v.Turn = p.T("explorer.turn." + position.Turn().String())
	if white, over := root.Over(); over {
		v.IsOver = true
		v.Turn = p.T("explorer.over." + map[int]string{1: "white", 0: "drawn", -1: "black"}[white])
	} else {
		b.Legal = LegalText(position)
		for _, a := range position.Moves(nil) {
			switch a.Kind() {
			case board.Birth:
				v.MayBirth = true
			case board.Removal:
				v.MayRemove = true
			case board.Skip:
				v.Skip = x.after(a).URL()
			}
		}
	}
	v.Board = &b
	v.Points = p.T("explorer.points", "White", p.Int(position.Points(board.White)), "Black", p.Int(position.Points(board.Black)))
	v.Rules = FeatureTexts(p, x.Features)
	v.Line = exploredLine(x)
	if x.At > 0 {
		v.First, v.Back = x.at(0).URL(), x.at(x.At-1).URL()
	}
	if x.At < len(x.Line) {
		v.Forward, v.Last = x.at(x.At+1).URL(), x.at(len(x.Line)).URL()
	}
	set := ExploredRoot(root)
	set.IsSetUp, set.AsBlack = true, x.AsBlack
	if len(x.Line) == 0 && x.Position == "" {
		set = x
		set.IsSetUp = true
	}
	v.SetUpURL = set.URL()
	turned := x
	turned.AsBlack = !x.AsBlack
	v.Turned = turned.URL()
	return v
}

// nextAct is the address of a place to which a script adds an action.
func nextAct(x Explored) string {
	if x.IsBidding || x.IsSetUp {
		return ""
	}
	address, mark := x.URL(), "?"
	if strings.Contains(address, "?") {
		mark = "&"
	}
	return address + mark + FieldAct + "="
}

// linkedNear is how far from the board actions of the line are links: each link repeats the whole line.
const linkedNear = 24

// exploredLine is the line, with the place after each action that is near the one on the board.
func exploredLine(x Explored) (list []matchview.ExploredMove) {
	for i, a := range x.Line {
		position := x.roots[i].Position
		m := matchview.ExploredMove{Text: LineText(position, []board.Action{a}), Now: i+1 == x.At}
		if i+1 >= x.At-linkedNear && i+1 <= x.At+linkedNear {
			m.URL = x.at(i + 1).URL()
		}
		if position.Turn() == board.White {
			m.Number = words.Itoa(position.FullMove()) + "."
		} else if i == 0 {
			m.Number = words.Itoa(position.FullMove()) + "…"
		}
		list = append(list, m)
	}
	return list
}

// viewSetUp is the form in which a position is set up.
func viewSetUp(p lang.Printer, x Explored) *matchview.SetUpView {
	row := x.Row
	if row == "" {
		row = board.StandardRow(x.Features.Width)
	}
	// As if the row had been bid, so that other widths fit it.
	bids, err := bidding.Start(bidding.DefaultChips, x.Features).
		Place(match.First, bidding.Bid{Target: bidding.HomeRow, Chips: 1, HasOutcome: true, Row: row})
	if err != nil {
		bids = bidding.Start(bidding.DefaultChips, x.Features)
	}
	e := editor{p, bidding.DefaultEnvelope(), bids}
	v := &matchview.SetUpView{Row: *e.rowEditor(), Features: *e.featuresEditor(), Position: x.Position}
	start, err := board.Start(x.Features, bids.Row())
	if err == nil {
		v.Start = start.CFEN()
	}
	shown := start
	if len(x.roots) > 0 {
		shown = x.roots[0].Position
	}
	v.Shown, v.Board = shown.CFEN(), MiniBoard(p, shown, 0, false)
	v.Cancel = Explored{Features: x.Features, Row: x.Row, Position: x.Position}.URL()
	return v
}

// KeepFeatures puts what was sent back in the fields of features, where it cannot be.
func KeepFeatures(e *matchview.FeaturesEditor, q url.Values) {
	for _, fields := range [][]matchview.NumberField{e.Numbers, e.Points} {
		for i := range fields {
			if n, err := strconv.Atoi(q.Get(fields[i].Key)); err == nil {
				fields[i].Value = n
			}
		}
	}
	for i := range e.Widths {
		if q.Has("width") {
			e.Widths[i].Checked = words.Itoa(e.Widths[i].Width) == q.Get("width")
		}
	}
	for i := range e.Switches {
		e.Switches[i].On = q.Get(e.Switches[i].Key) == fieldOn
	}
}

// Found returns what the engine says of a position: what either side can expect, and the best lines, whose moves lead on.
func Found(p lang.Printer, x Explored, lines []search.Line) matchview.FoundView {
	position := x.Root().Position
	v := matchview.FoundView{Side: p.T("explorer.promises." + position.Turn().String())}
	for i, l := range lines {
		share := search.Expected(l.Score)
		if i == 0 {
			v.Depth = p.T("analysis.depth", "N", p.Int(l.Depth))
			white := share
			if position.Turn() == board.Black {
				white = 1 - share
			}
			v.Score = scoreOf(p, inPercent(white))
		}
		line := matchview.FoundLine{Score: expectedText(p, inPercent(share))}
		from, to := LastSquares(position, l.Actions[0])
		line.Squares = from + to
		at := position
		for n, a := range l.Actions[:min(len(l.Actions), 8)] {
			next, _, err := at.Play(a)
			if err != nil {
				break
			}
			line.Moves = append(line.Moves, matchview.ExploredMove{
				Text: LineText(at, []board.Action{a}), URL: x.after(l.Actions[:n+1]...).URL(),
			})
			at = next
		}
		v.Lines = append(v.Lines, line)
	}
	if len(v.Lines) > 0 {
		v.Say = p.T("explorer.say", "Score", v.Lines[0].Score, "Move", v.Lines[0].Moves[0].Text)
	}
	return v
}

func inPercent(share float64) int { return int(math.Round(100 * share)) }

func expectedText(p lang.Printer, percent int) string {
	return p.T("analysis.accuracy.share", "N", p.Int(percent))
}

func scoreOf(p lang.Printer, white int) matchview.ExpectedBar {
	bar := matchview.ExpectedBar{White: expectedText(p, white), Black: expectedText(p, 100-white), Share: words.Itoa(white) + "%"}
	bar.Label = p.T("explorer.score", "White", bar.White, "Black", bar.Black)
	return bar
}

// exploredSeat is how the explorer calls who sits there.
func exploredSeat(p lang.Printer, seat match.Seat) string {
	return p.T("explorer.seat." + seat.String())
}

// viewExploredBids is a bidding with what may happen next.
func viewExploredBids(p lang.Printer, x Explored) *matchview.ExploredBids {
	game := x.games[len(x.games)-1]
	bids := game.Bids()
	v := &matchview.ExploredBids{Table: matchview.BiddingView{
		ThemName: exploredSeat(p, match.First), UsName: exploredSeat(p, match.Second),
		Left: p.N("match.chips-to-go", bids.Purse(match.First)+bids.Purse(match.Second)), Rules: FeaturesText(p, bids.Features()),
	}}
	for t := bidding.White; t <= bidding.Features; t++ {
		v.Table.Targets = append(v.Table.Targets, exploredTarget(p, bids, t))
	}
	v.Preview = StartBoard(p, bids.Features(), bids.Row(), false)
	for i, act := range x.Acts {
		back := x
		back.Acts = x.Acts[:i]
		text := ""
		switch act := act.(type) {
		case match.BidPlaced:
			before := x.games[i].Bids()
			isCall := act.Bid.Chips == before.Gap(act.Bid.Target, act.Seat)
			text = BidTold(p, exploredSeat(p, act.Seat), BidAct(p, act.Bid, isCall, false, before.Features())) + ", " +
				p.N("match.chips", act.Bid.Chips)
		case match.Drawn:
			text = drawnText(p, act.Draw)
		}
		v.Acts = append(v.Acts, text)
		v.Back = back.URL()
	}
	if due, ok := game.PendingDraw(); ok {
		v.Due = p.T("explorer.due." + TargetWord(due))
		for _, d := range draws(due, x.Envelope) {
			v.Draws = append(v.Draws, matchview.LinkView{Text: drawnText(p, d), URL: x.afterAct(match.Drawn{Draw: d}).URL()})
		}
	} else if turn, ok := bids.Turn(); ok {
		v.Turn = p.T("match.status.bids", "Name", exploredSeat(p, turn)) + " · " + p.N("match.chips-left", bids.Purse(turn))
	} else if terms, ok := game.Terms(); ok {
		v.Done = Explored{Features: terms.Features, Row: terms.Row}.URL()
	}
	return v
}

// draws are the outcomes of a draw.
func draws(due bidding.Target, e bidding.Envelope) (list []bidding.Draw) {
	if due == bidding.White {
		return []bidding.Draw{{Target: due, White: match.First}, {Target: due, White: match.Second}}
	}
	for _, preset := range e.Presets {
		list = append(list, bidding.Draw{Target: due, Time: preset})
	}
	return list
}

func drawnText(p lang.Printer, d bidding.Draw) string {
	if d.Target == bidding.White {
		return p.T("match.outcome.white", "Name", exploredSeat(p, d.White))
	}
	return TargetName(p, d.Target) + ": " + d.Time.String()
}

func exploredTarget(p lang.Printer, bids bidding.State, t bidding.Target) matchview.TargetView {
	v := matchview.TargetView{
		Key: t.String(), Title: TargetName(p, t), Them: bids.Stake(t, match.First), Us: bids.Stake(t, match.Second),
		Outcome: p.T("match.outcome.open"),
	}
	switch gap := bids.Gap(t, match.Second); {
	case gap > 0:
		v.Lead, v.Gap = "them", p.T("match.gap.leads", "Name", exploredSeat(p, match.First), "N", p.Int(gap))
	case gap < 0:
		v.Lead, v.Gap = "us", p.T("match.gap.leads", "Name", exploredSeat(p, match.Second), "N", p.Int(-gap))
	case v.Us > 0:
		v.Gap = p.T("match.gap.even")
	}
	switch t {
	case bidding.White:
		if white, ok := bids.White(); ok {
			v.Outcome = exploredSeat(p, white)
		}
	case bidding.Time:
		if control, ok := bids.Time(); ok {
			v.Outcome = control.String()
		}
	case bidding.HomeRow:
		v.Outcome, v.Row = string(bids.Row()), string(bids.Row())
	case bidding.Features:
		v.Outcome, v.List = FeaturesText(p, bids.Features()), FeatureTexts(p, bids.Features())
	}
	return v
}

// FoundBids returns what the engine says of the bids that are worth considering: what each promises to who makes it.
func FoundBids(p lang.Printer, x Explored, options []search.Option, ahead int) matchview.FoundView {
	bids := x.Bids()
	turn, _ := bids.Turn()
	v := matchview.FoundView{
		Side:  p.T("explorer.promises.seat", "Name", exploredSeat(p, turn)),
		Depth: p.N("explorer.ahead", ahead),
	}
	for _, o := range options {
		gap, worth := bids.Gap(o.Bid.Target, turn), inPercent(o.Worth)
		asks := BidAsks(p, o.Bid, gap)
		if o.Bid.Target == bidding.White && o.Bid.Chips != gap {
			asks = p.T("match.outcome.white", "Name", exploredSeat(p, turn))
		}
		v.Bids = append(v.Bids, matchview.FoundBid{
			Name: TargetName(p, o.Bid.Target), Asks: asks,
			Chips: p.N("match.chips", o.Bid.Chips), Worth: expectedText(p, worth), Share: words.Itoa(worth) + "%",
			URL: x.afterAct(match.BidPlaced{Seat: turn, Bid: o.Bid}).URL(), Row: string(o.Bid.Row),
		})
	}
	if len(v.Bids) > 0 {
		v.Say = p.T("explorer.say", "Score", v.Bids[0].Worth, "Move", v.Bids[0].Name+", "+v.Bids[0].Asks)
	}
	return v
}
