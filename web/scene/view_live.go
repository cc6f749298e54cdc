package scene

import (
	"strconv"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	boardview "chpok.org/chpok/templates/board"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// Around holds what the small views of matches need besides their logs.
type Around struct {
	players  map[player.ID]player.Player
	ratings  map[player.ID]store.Rating
	pairings map[match.ID]store.PairingRef
}

// ReadAround reads the players, ratings and pairings of matches.
func ReadAround(tx *store.Tx, views []live.View) (a Around, err error) {
	var ids []match.ID
	var who []player.ID
	for _, v := range views {
		ids, who = append(ids, v.Head.ID), append(who, v.Head.Players[:]...)
	}
	if a.players, err = tx.Players(who...); err != nil {
		return a, err
	}
	if a.ratings, err = tx.Ratings(who...); err != nil {
		return a, err
	}
	a.pairings, err = tx.PairingsOf(ids)
	return a, err
}

// Frame returns what the small view of a match shows around it.
func (a Around) Frame(p lang.Printer, v live.View) MatchFrame {
	f := MatchFrame{ID: string(v.Head.ID), Delayed: v.Delayed}
	for i, id := range v.Head.Players {
		f.Players[i] = MatchPlayer{
			Name: words.NameIn(p, a.players[id], a.pairings[v.Head.ID].Names[i]), Handle: a.players[id].Handle, Bot: v.Head.Bots[i],
		}
		if r, ok := a.ratings[id]; ok {
			f.Players[i].Rating = words.RatingText(p, r)
		}
	}
	f.Hidden = a.pairings[v.Head.ID].Hidden
	if ref, ok := a.pairings[v.Head.ID]; ok && !ref.Rehearsal {
		f.Event = matchview.EventLink{
			Name: p.Event(ref.Name), URL: words.TournamentURL(ref.Tournament),
			Detail: p.T("match.event.round", "Round", p.Int(ref.Round), "Board", p.Int(ref.Board)),
		}
	}
	return f
}

// ViewLive returns the small view of a match; place is the ID of its element.
func ViewLive(p lang.Printer, place string, f MatchFrame, v live.View, now time.Time, watchers int) boardview.LiveView {
	s := v.State
	if v.Delayed {
		now = s.LastAt()
	}
	m := MatchViewer{Printer: p, Frame: f, State: s, Game: s.Game(), Us: match.First, Now: now}
	if m.Game.OnBoard() {
		m.Us = m.Game.SeatOf(board.White)
	}
	out := boardview.LiveView{
		ID: place, URL: words.MatchURL(v.Head.ID), Title: p.T("match.title", "First", f.Players[0].Name, "Second", f.Players[1].Name),
		Seq: s.Seq(), Now: now.UnixMilli(), Status: MatchStatus(s.Status()), Where: f.Event.Name, Watchers: watchers,
		Us: m.liveSide(m.Us, "me"), Them: m.liveSide(m.Us.Other(), "foe"), IsTurned: m.Us == match.Second,
	}
	if out.Where == "" {
		out.Where = p.T("tv.casual")
	}
	if v.Delayed {
		out.Later = p.T("tv.later", "Time", p.Duration(time.Duration(v.Head.Feed.Seconds)*time.Second))
	}
	switch {
	case m.Game.OnBoard():
		out.Board, out.Share = MatchMini(p, m.Game), scorer{m}.tug().Share
		out.For = m.liveFor()
	default:
		out.Bids = m.liveBids()
		if act := m.LastAct(); act != nil {
			out.Line = act.Told()
		}
	}
	if s.Status() == match.Waiting {
		out.Line = p.T("match.status.waiting")
	}
	if s.Status() == match.Over {
		out.Line, out.URL = m.result().Headline, out.URL+"/replay"
	}
	return out
}

// liveFor returns what the winning bids for white and time bought, and the features in force.
func (m MatchViewer) liveFor() (list []boardview.LiveFor) {
	bids := m.Game.Bids()
	for _, t := range []bidding.Target{bidding.White, bidding.Time} {
		us, them := bids.Stake(t, m.Us), bids.Stake(t, m.Us.Other())
		if us == them {
			continue // decided by lot
		}
		x := boardview.LiveFor{Chips: max(us, them), Who: "me"}
		if them > us {
			x.Who = "foe"
		}
		if t == bidding.White {
			white, _ := bids.White()
			x.Text = m.T("match.outcome.white", "Name", m.name(white))
		} else {
			control, _ := bids.Time()
			x.Text = control.String()
		}
		list = append(list, x)
	}
	for _, r := range (scorer{m}).rules() {
		list = append(list, boardview.LiveFor{Text: r.Name})
	}
	return list
}

func (m MatchViewer) liveSide(by match.Seat, who string) boardview.LiveSide {
	p := m.player(by)
	v := boardview.LiveSide{Name: p.Name, Rating: p.Rating, Colour: p.Colour, Who: who, Points: p.Points}
	if m.State.Status() == match.Over {
		v.Outcome = outcomeWord(m.State.Result(), by)
		return v
	}
	if p.ShowClock {
		v.Clock = &boardview.LiveClock{Text: p.Clock.Text, Left: p.Clock.Left, Deadline: p.Clock.Deadline, Low: p.Clock.Low}
	}
	if p.ShowChips {
		v.Purse = m.Int(p.Purse)
	}
	if last, ok := m.Game.LastPly(); ok && last.Seat == by {
		if n := last.Effect.RankPoints + last.Effect.MovePoints + last.Effect.KingPoints; n > 0 {
			v.Gain = m.Signed(n)
		}
	}
	return v
}

func (m MatchViewer) liveBids() []boardview.LiveBid {
	bids := m.bids()
	var out []boardview.LiveBid
	for t := bidding.White; t <= bidding.Features; t++ {
		v := m.target(t)
		line := boardview.LiveBid{
			Title: TargetName(m.Printer, t), Stands: v.Outcome, Them: bids.Stake(t, m.Us.Other()), Us: bids.Stake(t, m.Us),
		}
		if t == bidding.HomeRow {
			line.Row = string(bids.Row())
		}
		out = append(out, line)
	}
	return out
}

// LiveMark returns what makes a small view worth sending again: not the clocks, which the page counts down.
func LiveMark(v boardview.LiveView) string {
	return v.ID + " " + v.URL + " " + strconv.FormatInt(v.Seq, 10) + " " + v.Status + " " + v.Later + " " + strconv.Itoa(v.Watchers)
}

// PastMatch returns the small view of a finished match with its result for a player, whom the reader may be, and what it
// did to their rating if that is among the changes.
func PastMatch(
	p lang.Printer, place string, of player.ID, isMe bool, a Around, v live.View, now time.Time, changes []store.RatingChange,
) boardview.LiveView {
	out := ViewLive(p, place, a.Frame(p, v), v, now, 0)
	winner, isWon := v.State.Result().Outcome.Winner()
	switch isTheirs := winner == v.Head.SeatOf(of); {
	case isMe && isWon && isTheirs:
		out.Line = p.T("match.result.you-won")
	case isMe && isWon:
		out.Line = p.T("match.result.you-lost")
	case isWon && isTheirs:
		out.Line = p.T("player.result.won")
	case isWon:
		out.Line = p.T("player.result.lost")
	}
	for _, c := range changes {
		if c.Played == v.Head.ID && c.Before != 0 { // who had none is given one first, which is no gain
			out.Line += " · " + p.Signed((c.After - c.Before).Whole())
		}
	}
	return out
}
