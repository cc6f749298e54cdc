package scene

import (
	"strconv"
	"strings"
	"time"

	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// Log returns the bids, draws, moves and acts of arbiters so far.
func (m MatchViewer) Log() matchview.Log {
	var v matchview.Log
	placed := m.placed()
	step := 0
	add := func(line matchview.BidLine) {
		step++
		line.Step, line.Now, line.URL = step, step == m.Bid, m.bidURL(step)
		line.Label = line.Text
		if line.Player != "" {
			line.Label = BidTold(m.Printer, line.Player, line.Text) + ", " + line.Chips
		}
		v.Bids = append(v.Bids, line)
	}
	for _, e := range m.State.Standing() {
		switch event := e.Event.(type) {
		case match.BidPlaced:
			kind := "raise"
			if placed[e.Seq].IsCall {
				kind = "call"
			}
			add(matchview.BidLine{
				Player: m.name(event.Seat), Us: event.Seat == m.Us, Kind: kind, Target: event.Bid.Target.String(), Number: m.Int(event.Bid.Chips),
				Text: bidAct(m.Printer, placed[e.Seq], false), Chips: m.N("match.chips", event.Bid.Chips),
				Clock: m.clockThen(e.Left[event.Seat.Index()]),
			})
		case match.Drawn:
			add(matchview.BidLine{Kind: "draw", Text: m.drawText(event.Draw)})
		case match.OutageCredited:
			line := matchview.BidLine{Kind: "event", Text: m.T("match.outage", "Duration", m.Duration(event.Given))}
			v.Bids = append(v.Bids, line)
		}
	}
	v.Moves = m.moves()
	v.Acts = m.acts()
	return v
}

// clockThen returns a player's clock after an act.
func (m MatchViewer) clockThen(left time.Duration) string {
	if m.State.Options().Untimed {
		return ""
	}
	return words.ClockText(m.Printer, left)
}

func (m MatchViewer) bidURL(step int) string {
	return "/matches/" + m.Frame.ID + "/replay?bid=" + strconv.Itoa(step)
}

// placed returns the steps of the bidding by their place in the log.
func (m MatchViewer) placed() map[int64]match.BidStep {
	placed := map[int64]match.BidStep{}
	for _, step := range m.State.BidSteps() {
		placed[step.Seq] = step
	}
	return placed
}

// moves returns the game by full moves.
func (m MatchViewer) moves() []matchview.MoveRow {
	var rows []matchview.MoveRow
	before := [2]int{}
	for i, move := range m.State.Moves() {
		view := &matchview.MoveView{
			Ply: i + 1, Us: move.Seat == m.Us, Text: MoveText(move.Ply), URL: m.plyURL(i + 1), Now: i+1 == m.Game.PlyCount(),
			Clock: m.clockThen(move.Left),
		}
		gained := move.Points[move.Seat.Index()] - before[move.Seat.Index()]
		if gained != 0 {
			view.Points = m.Signed(gained)
		}
		view.Label = m.name(move.Seat) + ": " + view.Text
		if gained != 0 {
			view.Label += ", " + m.N("match.points.n", gained)
		}
		before = move.Points
		if len(rows) == 0 || rows[len(rows)-1].Number != move.Move {
			rows = append(rows, matchview.MoveRow{Number: move.Move})
		}
		if row := &rows[len(rows)-1]; move.Color == board.White {
			row.White = view
		} else {
			row.Black = view
		}
	}
	return rows
}

func (m MatchViewer) plyURL(ply int) string {
	return "/matches/" + m.Frame.ID + "/replay?ply=" + strconv.Itoa(ply)
}

// MoveText returns the text of a ply: Ng1–f3, e4×d5, e7–e8=Q; for actions other than moves, that of Rules 9.
func MoveText(p match.Ply) string {
	if p.Action.Kind() != board.Move {
		return p.Action.String()
	}
	text := ""
	if p.Piece.Kind() != board.Pawn {
		text = p.Piece.Kind().String()
	}
	sign := "–"
	if !p.Effect.Captured.IsEmpty() {
		sign = "×"
	}
	text += p.Action.From().String() + sign + p.Action.To().String()
	if k := p.Action.Promotion(); k != board.NoKind {
		text += "=" + k.String()
	}
	return text
}

// say returns the last event for screen readers.
func (m MatchViewer) say() string {
	history := m.State.History()
	for i := len(history) - 1; i >= 0 && i >= len(history)-3; i-- {
		switch e := history[i].Event.(type) {
		case match.Ended:
			return m.result().Headline + ". " + m.result().Reason
		case match.Played:
			last, ok := m.Game.LastPly()
			if !ok {
				return ""
			}
			return m.name(e.Seat) + ": " + MoveText(last) + ". " + m.T("match.say.points",
				"Us", m.Int(m.Game.Points()[m.Us.Index()]), "Them", m.Int(m.Game.Points()[m.Us.Other().Index()]))
		case match.Undone:
			return m.T("match.say.undone", "Name", m.name(e.Seat))
		case match.Drawn:
			return m.drawText(e.Draw)
		case match.BidPlaced:
			act := bidAct(m.Printer, m.placed()[history[i].Seq], false)
			return BidTold(m.Printer, m.name(e.Seat), act) + ", " + m.N("match.chips", e.Bid.Chips)
		case match.Called, match.Paused, match.Resumed, match.ClockSet, match.TakenBack, match.Declared, match.MadeVoid, match.Reopened,
			match.Appointed, match.WaitExtended:
			acts := m.acts()
			return acts[len(acts)-1]
		case match.PlayerReady:
			return m.T("match.say.ready", "Name", m.name(e.Seat))
		case match.Started:
			return strings.TrimSpace(m.T("match.say.started") + " " + m.oddsTold())
		}
	}
	return ""
}

// sound returns the name of the last event's sound.
func (m MatchViewer) sound() string {
	history := m.State.History()
	if len(history) == 0 {
		return ""
	}
	switch history[len(history)-1].Event.(type) {
	case match.Ended:
		return "end"
	case match.Played:
		if last, ok := m.Game.LastPly(); ok && !last.Effect.Captured.IsEmpty() {
			return "capture"
		}
		return "move"
	case match.Undone:
		return "undo"
	case match.BidPlaced:
		return "bid"
	case match.Drawn:
		return "draw"
	case match.Paused:
		if m.Frame.Mid.Open != nil {
			return "ready"
		}
	case match.PlayerReady, match.Started:
		return "ready"
	}
	return ""
}
