package learn

import (
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	learnview "chpok.org/chpok/templates/learn"
	"chpok.org/chpok/web/scene"
	"chpok.org/chpok/web/words"
)

// viewRaise returns the puzzle of finding a raise.
func viewRaise(p lang.Printer, put store.Puzzle, status puzzle.Status, tried attempt) (v puzzleView) {
	table := put.What.Table
	s, us, _ := table.State() // checked when the puzzle was made
	them := us.Other()
	v.URL, v.Next, v.Title = puzzleURL(put.ID), "/practice?after="+put.ID, PuzzleTitle(p, put.What)
	v.Turn, v.Note = p.T("match.status.your-bid"), p.T("puzzle.one")
	v.Chips = p.T("puzzle.chips", "Mine", p.Int(s.Purse(us)), "Theirs", p.Int(s.Purse(them)))
	v.Preview = scene.StartBoard(p, s.Features(), s.Row(), false)
	for t := bidding.White; t <= bidding.Features; t++ {
		v.Table = append(v.Table, learnview.LessonRow{
			Name: scene.TargetName(p, t), Now: standing(p, s, t, us), Theirs: s.Stake(t, them), Mine: s.Stake(t, us),
		})
	}
	right := table.Choices[table.Right]
	for i, c := range table.Choices {
		choice := learnview.RaiseChoice{
			Value: words.Itoa(i), Name: scene.TargetName(p, c.Bid.Target), Asks: scene.BidAsks(p, c.Bid.Bid, s.Gap(c.Bid.Target, us)),
			Chips: p.N("match.chips", c.Bid.Chips), Taken: words.Itoa(i) == tried.raise && status != puzzle.Asked,
		}
		if status != puzzle.Asked {
			choice.Worth, choice.Right = p.T("analysis.accuracy.share", "N", p.Int(c.Worth)), i == table.Right
		}
		v.Choices = append(v.Choices, choice)
	}
	switch status {
	case puzzle.Solved:
		v.Done, v.Note = true, p.T("puzzle.raise.right", "N", p.Int(right.Worth))
	case puzzle.Wrong:
		v.Wrong, v.Note = true, p.T("puzzle.raise.wrong", "N", p.Int(right.Worth))
	}
	if v.Done || v.Wrong {
		x := scene.ExploredTable(*table)
		x.IsAsked = true
		v.Explore = x.URL()
	}
	if (v.Done || v.Wrong) && put.Match != "" && put.Ply > 0 {
		v.From = words.MatchURL(put.Match) + "/replay?bid=" + words.Itoa(put.Ply)
	}
	return v
}

// standing returns the present outcome of a target.
func standing(p lang.Printer, s bidding.State, t bidding.Target, us bidding.Seat) string {
	switch t {
	case bidding.White:
		if by, ok := s.White(); ok && by == us {
			return p.T("learn.you")
		} else if ok {
			return p.T("puzzle.them")
		}
		return p.T("match.outcome.open")
	case bidding.Time:
		if control, ok := s.Time(); ok {
			return control.String()
		}
		return p.T("match.outcome.open")
	case bidding.HomeRow:
		return string(s.Row())
	}
	return scene.FeaturesText(p, s.Features())
}
