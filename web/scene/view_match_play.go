package scene

import (
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// play returns what is shown beside the board.
func (m MatchViewer) play() *matchview.PlayView {
	us, them := m.Us.Index(), m.Us.Other().Index()
	f := m.Game.Position().Features()
	v := &matchview.PlayView{}
	sources := m.Game.Sources()
	add := func(key string, kind int, of func(match.Sources) int, always bool) {
		if a, b := of(sources[us]), of(sources[them]); always || a != 0 || b != 0 {
			v.Sources = append(v.Sources, matchview.SourceView{Label: m.T(key), Kind: kind, Us: m.Int(a), Them: m.Int(b)})
		}
	}
	add("match.points.kings", 1, words.KingPoints, true)
	add("match.points.ranks", 2, words.RankPoints, true)
	add("match.points.types", 3, words.TypePoints, f.MovePoints != board.DefaultFeatures().MovePoints)
	add("match.points.flag", 0, func(s match.Sources) int { return s.Flag }, false)
	v.Totals = [2]string{m.Int(sources[us].Total()), m.Int(sources[them].Total())}
	m.counters(v, f)
	m.claims(v, f)
	if m.you.Valid() && m.State.Status() == match.Playing {
		v.Controls = m.controls(f)
	}
	return v
}

// counters adds what each player has left.
func (m MatchViewer) counters(v *matchview.PlayView, f board.Features) {
	pos := m.Game.Position()
	add := func(key string, of func(by match.Seat) int) {
		v.Counters = append(v.Counters, matchview.CounterView{Label: m.T(key), Us: m.Int(of(m.Us)), Them: m.Int(of(m.Us.Other()))})
	}
	add("match.left.castlings", func(by match.Seat) int { return pos.CastlingsLeft(m.Game.Color(by)) })
	if f.Undos > 0 {
		add("match.left.undos", func(by match.Seat) int { return m.Game.UndosLeft(by) })
	}
	if f.NewbornPawns {
		add("match.left.births", func(by match.Seat) int { return pos.BirthsLeft(m.Game.Color(by)) })
	}
}

// claims adds how near the end by claims and by the move limit is.
func (m MatchViewer) claims(v *matchview.PlayView, f board.Features) {
	move := m.Game.PlyCount()/2 + 1
	if last, ok := m.Game.LastPly(); ok && m.State.Status() == match.Over {
		move = last.Move
	}
	v.Claims = append(v.Claims, m.T("match.move-of", "Move", m.Int(move), "Limit", m.Int(f.MoveLimit)))
	if m.State.Status() != match.Playing {
		return
	}
	manual := m.Game.Claims() == match.Manual
	c := m.Game.ClaimCount()
	if c.WinFor.Valid() {
		key := "match.claim.win"
		if manual {
			key = "match.claim.win.manual"
		}
		v.Claims = append(v.Claims, m.N(key, c.WinIn, "Name", m.name(c.WinFor)))
		return
	}
	key := "match.claim.draw"
	if manual {
		key = "match.claim.draw.manual"
	}
	v.Claims = append(v.Claims, m.N(key, c.DrawIn))
}

// controls returns what a player may do besides moving.
func (m MatchViewer) controls(f board.Features) *matchview.ControlsView {
	turn, _ := m.State.ToAct()
	mine := turn == m.you
	v := &matchview.ControlsView{Action: m.commands()}
	v.Birth.On, v.Remove.On, v.Skip.On, v.Undo.On = f.NewbornPawns, f.RemoveOwn, f.SkipMoves, f.Undos > 0
	if mine {
		position := m.Game.Position()
		for _, a := range position.Moves(nil) {
			switch a.Kind() {
			case board.Birth:
				v.Birth.May = true
			case board.Removal:
				v.Remove.May = true
			case board.Skip:
				v.Skip.May = true
			}
		}
	}
	left := m.Game.UndosLeft(m.you)
	v.UndoLeft = m.N("match.act.undo", left)
	switch {
	case !mine:
		v.Undo.Why = m.T("match.why.undo-turn")
	case left <= 0:
		v.Undo.Why = m.T("match.refused.no-undo-left")
	case m.Game.MayUndo(m.you) != nil:
		v.Undo.Why = m.T("match.refused.undo-too-early")
	default:
		v.Undo.May = true
	}
	if v.Manual = m.Game.Claims() == match.Manual; v.Manual {
		by, may := m.Game.MayClaimWin()
		v.ClaimWin = may && by == m.you && m.isCheckedIn()
		v.ClaimDraw = m.Game.MayClaimDraw() && m.isCheckedIn()
		v.ClaimWhy = m.T("match.why.claim")
	}
	return v
}

// commands returns the address for a player's commands.
func (m MatchViewer) commands() string { return "/matches/" + m.Frame.ID + "/commands" }
