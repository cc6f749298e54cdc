package learn

import (
	"slices"
	"strconv"
	"strings"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/lang"
	learnview "chpok.org/chpok/templates/learn"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

func viewRules(p lang.Printer) learnview.RulesView {
	v := learnview.RulesView{}
	v.Blocks, v.Readings = footnoted(words.LongText("rules", p.Lang))
	for _, b := range v.Blocks {
		if b.Kind == templates.TextSection {
			v.Contents = append(v.Contents, templates.Link{Text: b.Number + ". " + b.Spans[0].Text, URL: "#" + b.Anchor})
		}
	}
	v.Figures = map[string][]boardview.DiagramView{
		"start":    {standardStart(p, 8)},
		"dragon":   {marked(p, "rules.figure.dragon", 8, "wDe4", "e2 e6 c4 g4 d3 d5 f3 f5")},
		"hill":     {marked(p, "rules.figure.hill-even", 8, "wKe4 bKg8", "d5 e5"), marked(p, "rules.figure.hill-odd", 7, "wKd4 bKf8", "d5")},
		"castling": castlingStrips(p),
	}
	for w := board.MinWidth; w <= board.MaxWidth; w++ {
		v.Figures["rows"] = append(v.Figures["rows"], rowStrip(p, w))
	}
	v.Summary = Summary(p)
	v.Ranks = v.Summary.Ranks
	v.Points = [][2]string{
		{p.T("rules.points.king"), "+1000"}, {p.T("rules.points.rank"), "+4 / +3 / +2 / +1"},
		{p.T("rules.points.type"), "+0…9"}, {p.T("rules.points.flag"), "−5000"},
	}
	for _, reason := range []string{"resignation", "flag-bidding", "flag-board", "kings-captured", "claim-win", "claim-draw",
		"king-of-the-hill", "kings-run", "move-limit"} {
		v.Endings = append(v.Endings, [2]string{p.T("rules.ending." + reason), p.T("rules.ending-result." + reason)})
	}
	for i, f := range featureValues {
		v.Features = append(v.Features, learnview.FeatureLine{
			Number: "7." + strconv.Itoa(i+1), Anchor: "f7-" + strconv.Itoa(i+1), Name: featureName(p, f.key), Values: values(p, f.values),
			Effect: p.T("rules.feature." + f.key),
		})
	}
	v.Actions = [][2]string{
		{p.T("rules.action.move"), "e2e4"}, {p.T("rules.action.promotion"), "e7e8q, e7e8d, e7e8k"}, {p.T("rules.action.castling"), "Oe1h1"},
		{p.T("rules.action.birth"), "P@c2"}, {p.T("rules.action.removal"), "-c2"}, {p.T("rules.action.skip"), "--"},
		{p.T("rules.action.other"), "undo, claim win, claim draw, resign"},
	}
	return v
}

// footnoted splits a text into itself and its decisions, which become footnotes to the paragraphs before them.
func footnoted(blocks []templates.TextBlock) (text, notes []templates.TextBlock) {
	last := -1
	for _, b := range blocks {
		switch b.Kind {
		case templates.TextDecision:
			notes = append(notes, b)
			text[last].Notes = append(slices.Clip(text[last].Notes), b.Number)
			continue
		case templates.TextParagraph, templates.TextNumbered, templates.TextItem:
			last = len(text)
		}
		text = append(text, b)
	}
	return text, notes
}

// Summary returns the game in six pictures.
func Summary(p lang.Printer) learnview.SummaryView {
	ranks := boardview.RankPoints{Board: boardview.MiniBoardView{Width: 8, Label: p.T("rules.figure.ranks")}}
	for rank := 4; rank < 8; rank++ {
		ranks.Points = append(ranks.Points, boardview.RankPoint{Y: 7 - rank, Text: "+" + strconv.Itoa(rank-3)})
	}
	v := learnview.SummaryView{
		Dragon: marked(p, "rules.figure.dragon", 8, "wDe4", "e2 e6 c4 g4 d3 d5 f3 f5"),
		King:   marked(p, "rules.sum.king.picture", 5, "wRc5 bKc8 bBa8 bPe7", "c5 c8"),
		Ranks:  ranks,
	}
	v.Dragon.Top, v.Dragon.Rows, v.Dragon.Board.Width = 2, 5, 7 // the squares it reaches
	v.King.Rows, v.King.Says, v.King.At = 4, "+1000", boardview.MiniSquare{File: 2, Rank: 5}
	for _, s := range []struct {
		target     bidding.Target
		them, mine int
	}{{bidding.White, 2, 3}, {bidding.Time, 4, 0}, {bidding.HomeRow, 1, 2}, {bidding.Features, 3, 3}} {
		v.Stakes = append(v.Stakes, learnview.SummaryStake{Name: scene.TargetName(p, s.target), Them: s.them, Mine: s.mine})
	}
	const done = 14
	v.Ring, v.Left = scene.RingDash(done), p.Int(match.ClaimSteps-done)
	return v
}

// featureValues are the features of Rules 7 in order, with their values and, in brackets, the default; switches have
// none.
var featureValues = []struct{ key, values string }{
	{"width", "6…10 (8)"}, {"moveLimit", "10…999 (888)"}, {"undos", "0…5 (0)"}, {"movePoints", "0…9 (0)"}, {"castlings", "0…5 (1)"},
	{"kingOfTheHill", ""}, {"kingsRun", ""}, {"fierceKings", ""}, {"mightyQueens", ""}, {"cornerBishops", ""}, {"pawnsBack", ""},
	{"newbornPawns", ""}, {"removeOwn", ""}, {"skipMoves", ""}, {"noKingPromotion", ""}, {"noEnPassant", ""},
}

// featureName returns the name of a feature in the table, where those that count something have another form.
func featureName(p lang.Printer, key string) string {
	if key == "undos" || key == "castlings" {
		return p.T("rules.name." + key)
	}
	return p.T("match.feature." + key)
}

func values(p lang.Printer, text string) string {
	if text == "" {
		return p.T("rules.off")
	}
	return text
}

func standardStart(p lang.Printer, width int) boardview.DiagramView {
	f := board.DefaultFeatures()
	f.Width = width
	return boardview.DiagramView{Board: scene.StartBoard(p, f, board.StandardRow(width), false), Caption: p.T("rules.figure.start"), Rows: 8}
}

// rowStrip returns White's home row of a standard board.
func rowStrip(p lang.Printer, width int) boardview.DiagramView {
	d := standardStart(p, width)
	d.Top, d.Rows = 7, 1
	d.Caption = p.N("rules.figure.row", width) + ": " + string(board.StandardRow(width))
	d.Board.Label = d.Caption
	return d
}

// marked returns a board with a few pieces ("wKe4 bKg8") and marked squares.
func marked(p lang.Printer, caption string, width int, pieces, marks string) boardview.DiagramView {
	d := boardview.DiagramView{Caption: p.T(caption), Rows: 8, Board: boardview.MiniBoardView{Width: width, Label: p.T(caption)}}
	for _, word := range strings.Fields(pieces) {
		d.Board.Pieces = append(d.Board.Pieces, miniPiece(word))
	}
	for _, word := range strings.Fields(marks) {
		m := miniPiece("wK" + word)
		d.Marks = append(d.Marks, boardview.MiniSquare{File: m.File, Rank: m.Rank})
	}
	return d
}

func miniPiece(word string) boardview.MiniPiece {
	return boardview.MiniPiece{Code: word[:2], File: int(word[2] - 'a'), Rank: int(word[3] - '1')}
}

// castlingStrips returns home rows before and after castling (Rules 6.5).
func castlingStrips(p lang.Printer) []boardview.DiagramView {
	strip := func(key, pieces string) boardview.DiagramView {
		d := marked(p, key, 8, pieces, "")
		d.Top, d.Rows = 7, 1
		return d
	}
	return []boardview.DiagramView{
		strip("rules.figure.castling-apart", "wKe1 wRh1"), strip("rules.figure.castling-apart-after", "wKg1 wRf1"),
		strip("rules.figure.castling-near", "wKb1 wRa1"), strip("rules.figure.castling-near-after", "wKa1 wRb1"),
	}
}
