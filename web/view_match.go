package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
)

// Below so much time a clock is shown as low and announced.
const (
	lowOnBoard = 20 * time.Second
	lowInBids  = 30 * time.Second
)

// matchFrame is what a match page shows besides the match itself.
type matchFrame struct {
	ID       string
	Players  [2]matchPlayer // by seat
	Event    matchview.EventLink
	Ratings  []matchview.RatingView // changes, after the end
	Next     []matchview.LinkView   // where to go after the end
	Delayed  bool                   // watchers see it later than it is: clocks do not run
	CheckIn  *matchview.CheckInNote // for a player whose page signs
	Mid      midFrame               // of checks during the match
	FairPlay *matchview.FairPlayBox // on what it is played; nil: from before there were levels

	HasArbiters bool              // there is somebody to call
	Arbiters    map[string]string // the handles of those who acted in the match, by id
}

type matchPlayer struct {
	Name, URL, Rating string
	Bot               bool
	Seen              time.Time // when their page was last open; zero: not known
}

// awayAfter is how long after that a player counts as away.
const awayAfter = 12 * time.Second

// matchViewer makes the view of one match for one audience in one language.
type matchViewer struct {
	lang.Printer
	frame matchFrame
	state match.State
	game  match.Game
	you   match.Seat // none for watchers
	us    match.Seat // at the bottom of the page
	bid   int        // the step of the bidding that a replay shows; 0: it shows the board, or all of the bidding
	now   time.Time
}

// viewMatch is the match as a player (you) or a watcher sees it.
func viewMatch(p lang.Printer, f matchFrame, s match.State, you match.Seat, now time.Time) matchview.MatchView {
	if f.Delayed {
		now = s.LastAt()
	}
	m := matchViewer{Printer: p, frame: f, state: s, game: s.Game(), you: you, now: now}
	m.us = you
	if !you.Valid() {
		m.us = match.First
		if m.game.OnBoard() {
			m.us = m.game.SeatOf(board.White)
		}
	}
	v := matchview.MatchView{
		URL:      "/matches/" + f.ID,
		Title:    p.T("match.title", "First", f.Players[0].Name, "Second", f.Players[1].Name),
		Seq:      s.Seq(),
		Now:      now.UnixMilli(),
		Status:   matchStatus(s.Status()),
		Us:       m.player(m.us),
		Them:     m.player(m.us.Other()),
		Event:    f.Event,
		Say:      m.say(),
		Sound:    m.sound(),
		Sub:      m.sub(),
		Back:     "/",
		Envelope: m.envelope(),
		Draws:    m.draws(),
		FairPlay: f.FairPlay,
		CheckIn:  f.CheckIn,
		Log:      m.log(),
		Terms:    m.terms(),
		Still:    m.still(),
		MidDone:  f.Mid.Done,
	}
	if f.Event.URL != "" {
		v.Back = f.Event.URL
	}
	if you.Valid() {
		v.You = you.String()
		v.HasTalk = f.HasArbiters
	}
	turn, live := s.ToAct()
	v.YourTurn = live && turn == you || f.Mid.Open != nil
	v.StatusBar = m.statusBar(turn)
	if line := m.coach(); line != "" {
		v.Sub = line
	}
	switch s.Status() {
	case match.Waiting:
		v.Waiting = m.waiting()
	case match.Bidding:
		v.Bidding, v.LastAct = m.bidding(), m.lastAct()
	case match.Over:
		v.Result = m.result()
		v.StatusBar, v.Sub = v.Result.Headline, v.Result.Reason
		if !m.game.OnBoard() && !s.StartedAt().IsZero() {
			v.Bidding = m.bidding()
		}
	}
	v.Moments = m.moments()
	if m.game.OnBoard() {
		v.Board = m.board()
		v.Play, v.Tug, v.Chart, v.Gain = m.play(), m.tug(), m.chart(), m.gain()
		v.Rules, v.Ring = m.rules(), m.ring()
		if v.Still != nil {
			v.Play.Controls = nil
		}
	}
	return v
}

func matchStatus(s match.Status) string {
	return [...]string{"waiting", "bidding", "playing", "over"}[s]
}

// initial is the letter that stands for a picture of somebody.
func initial(name string) string {
	for _, r := range name {
		return strings.ToUpper(string(r))
	}
	return ""
}

func (m matchViewer) name(by match.Seat) string { return m.frame.Players[by.Index()].Name }

// player is the strip of one seat.
func (m matchViewer) player(by match.Seat) matchview.PlayerView {
	p := m.frame.Players[by.Index()]
	v := matchview.PlayerView{
		Name: p.Name, URL: p.URL, Rating: p.Rating, Bot: p.Bot,
		Initial: initial(p.Name), Mine: by == m.us, Seat: by.String(),
		Clock: m.clock(by), ShowClock: !m.state.StartedAt().IsZero(),
		Ready: m.state.IsReady(by) || m.state.Status() != match.Waiting,
	}
	v.SeatLabel = m.T("match.seat.second")
	if by == match.First {
		v.SeatLabel = m.T("match.seat.first")
	}
	if away := m.now.Sub(p.Seen); !p.Seen.IsZero() && by != m.you {
		v.Here = away <= awayAfter
		if !v.Here {
			v.AwaySince, v.AwayText = p.Seen.UnixMilli(), clockText(away)
		}
	}
	turn, live := m.state.ToAct()
	v.ToAct = live && turn == by
	if m.state.Status() == match.Bidding || m.state.Status() == match.Over && !m.game.OnBoard() && !m.state.StartedAt().IsZero() {
		v.ShowChips, v.Purse = true, m.game.Bids().Purse(by)
	}
	if m.game.OnBoard() {
		c := m.game.Colour(by)
		v.Colour, v.ColourOf = colourLetter(c), m.T("match.colour."+c.String())
		v.HasPoints, v.Points = true, m.Int(m.game.Points()[by.Index()])
		for _, piece := range m.game.Captured()[c.Other()] {
			v.Captured = append(v.Captured, pieceCode(piece))
		}
	}
	if r := m.state.Result(); !r.IsZero() {
		switch winner, won := r.Outcome.Winner(); {
		case won && winner == by:
			v.Outcome = m.T("match.outcome.won")
		case won || r.Outcome == match.BothLose:
			v.Outcome = m.T("match.outcome.lost")
		case r.Outcome == match.Draw:
			v.Outcome = m.T("match.outcome.drawn")
		}
	}
	return v
}

// clock is a player's clock; the page counts a running one down by itself.
func (m matchViewer) clock(by match.Seat) matchview.ClockView {
	first, second, running := m.state.Clocks(m.now)
	left := [2]time.Duration{first, second}[by.Index()]
	v := matchview.ClockView{Text: clockText(left), Left: left.Milliseconds(), Low: lowOnBoard.Milliseconds()}
	if m.state.Status() == match.Bidding {
		v.Low = lowInBids.Milliseconds()
	}
	if running == by && !m.frame.Delayed {
		if deadline, ok := m.state.Deadline(); ok {
			v.Deadline = deadline.UnixMilli()
		}
	}
	return v
}

// clockText is a clock as a clock shows it: 4:05, 1:02:03.
func clockText(d time.Duration) string {
	s := int((d + time.Second - 1) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func (m matchViewer) statusBar(turn match.Seat) string {
	if still, stands := m.state.Standstill(); stands {
		if still.EndsByItself() && m.frame.Mid.Open != nil {
			return m.T("passkey.mid.status")
		}
		return m.T("calls.status.still")
	}
	switch m.state.Status() {
	case match.Waiting:
		return m.T("match.status.waiting")
	case match.Bidding:
		switch {
		case !turn.Valid():
			return m.T("match.status.draw")
		case turn == m.you:
			return m.T("match.status.your-bid")
		}
		return m.T("match.status.bids", "Name", m.name(turn))
	case match.Playing:
		if turn == m.you {
			return m.T("match.status.your-move")
		}
		return m.T("match.status.moves", "Name", m.name(turn))
	}
	return m.T("match.status.over")
}

func (m matchViewer) waiting() *matchview.WaitingView {
	v := &matchview.WaitingView{}
	if deadline, ok := m.state.Deadline(); ok {
		left := max(0, deadline.Sub(m.now))
		v.Deadline = matchview.ClockView{
			Text: clockText(left), Left: left.Milliseconds(), Deadline: deadline.UnixMilli(), Low: lowInBids.Milliseconds(),
		}
	}
	if m.you.Valid() {
		v.YourReady = m.state.IsReady(m.you)
		v.MayReady = !v.YourReady && m.isCheckedIn()
		if from, ok := m.state.ForfeitClaim(m.you); ok && m.isCheckedIn() {
			v.Claim = &matchview.ClaimView{Open: !m.now.Before(from), From: m.T("schedule.claim-from", "Time", m.DateTime(from)), Opens: from.UnixMilli()}
		}
	}
	if m.state.IsMeeting() {
		v.Meeting, v.MayReady = m.meeting(), m.you.Valid() && m.isCheckedIn()
	}
	return v
}

// isCheckedIn is false while a player has to check in before they do anything.
func (m matchViewer) isCheckedIn() bool {
	return m.frame.CheckIn == nil || m.frame.CheckIn.Needed == ""
}

// envelope is what the bidding may decide on, for people who have not begun.
func (m matchViewer) envelope() matchview.EnvelopeView {
	o := m.state.Options()
	e := o.Envelope
	var v matchview.EnvelopeView
	add := func(label, value string) {
		v.Facts = append(v.Facts, matchview.FactView{Label: label, Value: value})
	}
	add(m.T("match.envelope.chips"), m.Int(e.Chips))
	for i, extra := range o.Extra {
		if extra > 0 {
			add(m.T("rating.handicap.has"), m.name(match.Seat(i+1))+": +"+m.Int(extra))
		}
	}
	add(m.T("match.envelope.minutes"), m.span(e.Minutes))
	add(m.T("match.envelope.increment"), m.span(e.Increment))
	presets := ""
	for i, preset := range e.Presets {
		if i > 0 {
			presets += ", "
		}
		presets += preset.String()
	}
	add(m.T("match.envelope.presets"), presets)
	add(m.T("match.envelope.widths"), m.list(e.Widths))
	add(m.T("match.envelope.move-limit"), m.span(e.MoveLimit))
	if e.Undos[1] > 0 {
		add(m.T("match.feature.undos"), m.span(e.Undos))
	}
	add(m.T("match.feature.castlings"), m.span(e.Castlings))
	if e.MovePoints[1] > 0 {
		add(m.T("match.feature.movePoints"), m.span(e.MovePoints))
	}
	if len(e.Forbidden) > 0 {
		forbidden := ""
		for i, key := range e.Forbidden {
			if i > 0 {
				forbidden += ", "
			}
			forbidden += m.T("match.feature." + key)
		}
		add(m.T("match.envelope.forbidden"), forbidden)
	}
	if !e.AnyRow {
		add(m.T("match.target.home-row"), m.N("match.envelope.rows", len(e.Rows)+1))
	}
	if e.Defaults != board.DefaultFeatures() {
		add(m.T("match.envelope.defaults"), joined(m.featureTexts(e.Defaults)))
	}
	if o.Claims == match.Manual {
		add(m.T("match.envelope.claims"), m.T("match.envelope.claims.manual"))
	} else {
		add(m.T("match.envelope.claims"), m.T("match.envelope.claims.automatic"))
	}
	v.Worst = m.T("match.envelope.worst", "Duration", m.Duration(e.WorstCase(o.StartDelay)))
	if o.BidTime > 0 {
		v.Worst = m.T("match.envelope.worst-slow", "Bid", m.Duration(o.BidTime), "Duration", m.Duration(e.WorstBoard(o.StartDelay)))
	}
	return v
}

func (m matchViewer) span(b [2]int) string {
	if b[0] == b[1] {
		return m.Int(b[0])
	}
	return m.Int(b[0]) + "–" + m.Int(b[1])
}

func (m matchViewer) list(ns []int) string {
	text := ""
	for i, n := range ns {
		if i > 0 {
			text += ", "
		}
		text += m.Int(n)
	}
	return text
}

func joined(texts []string) string {
	out := ""
	for i, t := range texts {
		if i > 0 {
			out += "; "
		}
		out += t
	}
	return out
}

// terms are the outcomes the board phase is played on.
func (m matchViewer) terms() []matchview.FactView {
	t, ok := m.game.Terms()
	if !ok {
		return nil
	}
	features := joined(m.featureTexts(t.Features))
	if features == "" {
		features = m.T("match.features.none")
	}
	return []matchview.FactView{
		{Label: m.T("match.target.white"), Value: m.name(t.White)},
		{Label: m.T("match.target.time"), Value: t.Time.String()},
		{Label: m.T("match.target.home-row"), Value: string(t.Row)},
		{Label: m.T("match.target.features"), Value: features},
	}
}

// featureTexts are the features that differ from the defaults of section 7.
func (m matchViewer) featureTexts(f board.Features) []string {
	var out []string
	usual := board.DefaultFeatures()
	for _, n := range []struct {
		label       string
		have, usual int
	}{
		{m.T("match.feature.width"), f.Width, usual.Width},
		{m.T("match.feature.moveLimit"), f.MoveLimit, usual.MoveLimit},
		{m.T("match.feature.undos"), f.Undos, usual.Undos},
	} {
		if n.have != n.usual {
			out = append(out, n.label+": "+m.Int(n.have))
		}
	}
	points := ""
	for _, kind := range kinds {
		if n := f.MovePoints[kind]; n != 0 {
			if points != "" {
				points += ", "
			}
			points += m.T("match.kind."+kind.String()) + " " + m.Signed(n)
		}
	}
	if points != "" {
		out = append(out, m.T("match.feature.movePoints")+": "+points)
	}
	if f.Castlings != usual.Castlings {
		out = append(out, m.T("match.feature.castlings")+": "+m.Int(f.Castlings))
	}
	for _, key := range bidding.Switches {
		if bidding.SwitchOn(f, key) {
			out = append(out, m.T("match.feature."+key))
		}
	}
	return out
}

// draws are the random draws, and whether they follow from the seed once it is known.
func (m matchViewer) draws() matchview.DrawsView {
	v := matchview.DrawsView{Commitment: m.state.Commitment(), Command: "chpok draws match-" + m.frame.ID + ".json"}
	var made []bidding.Draw
	for _, e := range m.state.History() {
		if d, ok := e.Event.(match.Drawn); ok {
			made = append(made, d.Draw)
			v.Draws = append(v.Draws, matchview.DrawView{Text: m.drawText(d.Draw)})
		}
	}
	if seed, known := m.state.Seed(); known {
		v.Seed = seed.String()
		for i, holds := range seed.CheckDraws(made, nil, m.state.Options().Envelope.Presets) {
			v.Draws[i].Checked, v.Draws[i].Holds = true, holds
		}
	}
	return v
}

func (m matchViewer) drawText(d bidding.Draw) string {
	if d.Target == bidding.White {
		return m.T("match.draw.white", "Name", m.name(d.White))
	}
	return m.T("match.draw.time", "Time", d.Time.String())
}

// oneMain leaves the first of the main links the only one.
func oneMain(links []matchview.LinkView) []matchview.LinkView {
	first := true
	for i := range links {
		links[i].Main = links[i].Main && first
		first = first && !links[i].Main
	}
	return links
}

func (m matchViewer) result() *matchview.ResultView {
	r := m.state.Result()
	v := &matchview.ResultView{Kind: "ended", Reason: m.T("match.reason." + string(r.Reason)), Ratings: m.frame.Ratings}
	v.Next = oneMain(append(slices.Clone(m.frame.Next), matchview.LinkView{Text: m.T("match.next.replay"), URL: "/matches/" + m.frame.ID + "/replay"}))
	winner, won := r.Outcome.Winner()
	switch {
	case won && winner == m.you:
		v.Kind, v.Headline = "won", m.T("match.result.you-won")
	case won && m.you.Valid():
		v.Kind, v.Headline = "lost", m.T("match.result.you-lost")
	case won:
		v.Headline = m.T("match.result.won", "Name", m.name(winner))
	case r.Outcome == match.Draw:
		v.Kind, v.Headline = "drawn", m.T("match.result.draw")
	case r.Outcome == match.BothLose:
		v.Kind, v.Headline = "lost", m.T("match.result.both-lose")
	default:
		v.Headline = m.T("match.result.void")
	}
	if m.game.OnBoard() {
		v.Score = [2]string{m.Int(r.Points[m.us.Index()]), m.Int(r.Points[m.us.Other().Index()])}
		v.Points = m.T("match.result.points",
			"Us", m.name(m.us), "UsPoints", m.Int(r.Points[m.us.Index()]),
			"Them", m.name(m.us.Other()), "ThemPoints", m.Int(r.Points[m.us.Other().Index()]))
	}
	return v
}
