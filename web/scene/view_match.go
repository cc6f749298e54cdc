package scene

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/board"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// Clocks below these are shown as low and announced.
const (
	lowOnBoard = 20 * time.Second
	LowInBids  = 30 * time.Second
)

// MatchFrame is what a match page shows around the match itself.
type MatchFrame struct {
	ID       string
	Players  [2]MatchPlayer // by seat
	Event    matchview.EventLink
	Ratings  []matchview.RatingView // changes, after the end
	Next     []matchview.LinkView   // where to go after the end
	Says     string                 // how an offer of a rematch stands
	Rematch  string                 // address of the rematch, once it is agreed
	Study    matchview.LinkView     // what the viewer can learn from it
	Settling bool                   // over, but the result is not in the ratings yet
	Hidden   bool                   // only staff may see the event and the match
	Delayed  bool                   // the viewer sees the match with a delay: clocks do not run
	CheckIn  *templates.CheckInNote // for a player whose page signs
	Mid      words.MidFrame         // checks during the match
	FairPlay *matchview.FairPlayBox // nil for a match without a policy

	HasArbiters bool              // players can call an arbiter
	Arbiters    map[string]string // handles of the arbiters who acted in the match, by ID
}

// MatchPlayer is a player of a match.
type MatchPlayer struct {
	Name, URL, Rating string
	Handle            player.Handle
	Bot               bool
	Seen              time.Time // when their page was last open; zero: unknown
}

// awayAfter is how long after MatchPlayer.Seen a player counts as away: less than two beats of live.BeatPresence, by which a
// page is told that somebody has gone.
const awayAfter = 9 * time.Second

// MatchViewer makes the views of a match for one viewer.
type MatchViewer struct {
	lang.Printer
	Frame MatchFrame
	State match.State
	Game  match.Game
	you   match.Seat // 0 for watchers
	Us    match.Seat // at the bottom of the page
	Bid   int        // step of the bidding that a replay shows; 0: the board, or all of the bidding
	Now   time.Time
}

// ViewMatch returns the match as a player (you) or a watcher sees it.
func ViewMatch(p lang.Printer, f MatchFrame, s match.State, you match.Seat, now time.Time) matchview.View {
	if f.Delayed {
		now = s.LastAt()
	}
	m := MatchViewer{Printer: p, Frame: f, State: s, Game: s.Game(), you: you, Now: now}
	m.Us = you
	if !you.Valid() {
		m.Us = match.First
		if m.Game.OnBoard() {
			m.Us = m.Game.SeatOf(board.White)
		}
	}
	v := matchview.View{
		URL:      "/matches/" + f.ID,
		Title:    p.T("match.title", "First", f.Players[0].Name, "Second", f.Players[1].Name),
		Seq:      s.Seq(),
		Now:      now.UnixMilli(),
		Status:   MatchStatus(s.Status()),
		Us:       m.player(m.Us),
		Them:     m.player(m.Us.Other()),
		Event:    f.Event,
		Say:      m.say(),
		Sound:    m.sound(),
		Sub:      scorer{m}.sub(),
		Back:     "/",
		Envelope: m.envelope(),
		Draws:    m.draws(),
		FairPlay: f.FairPlay,
		CheckIn:  f.CheckIn,
		Log:      m.Log(),
		Terms:    m.terms(),
		Still:    m.still(),
		MidDone:  f.Mid.Done,
		Private:  f.Hidden,
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
	v.Coached = s.Status() != match.Over && mentor{m}.teaches()
	if line := (mentor{m}).coach(); line != "" {
		v.Sub = line
	}
	if line := (mentor{m}).firstBid(); line != "" {
		if s.Status() == match.Bidding && turn == you {
			line += " " + v.Sub
		}
		v.Sub, v.Coached = line, true
	}
	switch s.Status() {
	case match.Waiting:
		v.Waiting = m.waiting()
	case match.Bidding:
		v.Bidding, v.LastAct = m.Bidding(), m.LastAct()
	case match.Over:
		v.Result = m.result()
		v.StatusBar, v.Sub = v.Result.Headline, v.Result.Reason
		if !m.Game.OnBoard() && !s.StartedAt().IsZero() {
			v.Bidding = m.Bidding()
		}
	}
	v.Moments = m.moments()
	if m.Game.OnBoard() {
		v.Board = m.board()
		v.Play, v.Tug, v.Chart, v.Gain = m.play(), scorer{m}.tug(), scorer{m}.chart(), scorer{m}.gain()
		v.Rules, v.Ring = scorer{m}.rules(), scorer{m}.ring()
		if v.Still != nil {
			v.Play.Controls = nil
		}
	}
	return v
}

// MatchStatus returns the word for a status in pages and scripts.
func MatchStatus(s match.Status) string {
	return [...]string{"waiting", "bidding", "playing", "over"}[s]
}

// Initial returns the letter that stands for a name in place of a picture.
func Initial(name string) string {
	for _, r := range name {
		return strings.ToUpper(string(r))
	}
	return ""
}

func (m MatchViewer) name(by match.Seat) string { return m.Frame.Players[by.Index()].Name }

// outcomeWord returns won, lost or drawn, as the match ended for a seat; empty if void or not over.
func outcomeWord(r match.Result, by match.Seat) string {
	switch winner, won := r.Outcome.Winner(); {
	case won && winner == by:
		return "won"
	case won || r.Outcome == match.BothLose:
		return "lost"
	case r.Outcome == match.Draw:
		return "drawn"
	}
	return ""
}

// player returns the strip of a seat.
func (m MatchViewer) player(by match.Seat) matchview.PlayerView {
	p := m.Frame.Players[by.Index()]
	v := matchview.PlayerView{
		Name: p.Name, URL: p.URL, Rating: p.Rating, Bot: p.Bot,
		Initial: Initial(p.Name), Face: botFace(p), Mine: by == m.Us, Seat: by.String(),
		Clock: m.SideClock(by), ShowClock: !m.State.StartedAt().IsZero() && !m.State.Options().Untimed,
		Ready: m.State.IsReady(by) || m.State.Status() != match.Waiting, HasSeal: m.State.Options().Odds,
	}
	if seal := match.SealsIn(m.State)[by.Index()]; seal != "" {
		v.Seal = seal[:12] + "…" // shown in full beside the draws
	}
	if match.OddsIn(m.State).Seat == by {
		v.Odds, v.OddsTold = m.T("match.odds.tag"), m.oddsTold()
	}
	v.SeatLabel = m.T("match.seat.second")
	if by == match.First {
		v.SeatLabel = m.T("match.seat.first")
	}
	if away := m.Now.Sub(p.Seen); !p.Seen.IsZero() && by != m.you {
		v.Here = away <= awayAfter
		if !v.Here {
			v.AwaySince, v.AwayText = p.Seen.UnixMilli(), words.ClockText(m.Printer, away)
		}
	}
	turn, live := m.State.ToAct()
	v.ToAct = live && turn == by
	if m.State.Status() == match.Bidding || m.State.Status() == match.Over && !m.Game.OnBoard() && !m.State.StartedAt().IsZero() {
		v.ShowChips, v.Purse = true, m.Game.Bids().Purse(by)
	}
	if m.Game.OnBoard() {
		c := m.Game.Color(by)
		v.Colour, v.ColourOf = colourLetter(c), m.T("match.colour."+c.String())
		points := m.Game.Points()[by.Index()]
		v.HasPoints, v.Points, v.PointsUnit = true, m.Int(points), m.N("match.pts", points)
		for _, piece := range m.Game.Captured()[c.Other()] {
			v.Captured = append(v.Captured, PieceCode(piece))
		}
	}
	if word := outcomeWord(m.State.Result(), by); word != "" {
		v.Outcome = m.T("match.outcome." + word)
	}
	return v
}

// SideClock returns a player's clock, which the page counts down if it runs; empty if the match is untimed.
func (m MatchViewer) SideClock(by match.Seat) templates.ClockView {
	if m.State.Options().Untimed {
		return templates.ClockView{}
	}
	first, second, running := m.State.Clocks(m.Now)
	left := [2]time.Duration{first, second}[by.Index()]
	v := templates.ClockView{Text: words.ClockText(m.Printer, left), Left: left.Milliseconds(), Low: lowOnBoard.Milliseconds()}
	if m.State.Status() == match.Bidding {
		v.Low = LowInBids.Milliseconds()
	}
	if running == by && !m.Frame.Delayed {
		if deadline, ok := m.State.Deadline(); ok {
			v.Deadline = deadline.UnixMilli()
		}
	}
	return v
}

func (m MatchViewer) statusBar(turn match.Seat) string {
	if still, stands := m.State.Standstill(); stands {
		if still.EndsByItself() && m.Frame.Mid.Open != nil {
			return m.T("passkey.mid.status")
		}
		return m.T("calls.status.still")
	}
	switch m.State.Status() {
	case match.Waiting:
		if m.you.Valid() && !m.State.IsReady(m.you) && m.isCheckedIn() {
			return m.T("match.status.waiting-you")
		}
		for _, seat := range [...]match.Seat{m.Us.Other(), m.Us} {
			if seat != m.you && m.State.IsReady(seat.Other()) && !m.State.IsReady(seat) {
				return m.T("match.status.waiting-one", "Name", m.name(seat))
			}
		}
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

func (m MatchViewer) waiting() *matchview.WaitingView {
	v := &matchview.WaitingView{Watched: !m.you.Valid()}
	if deadline, ok := m.State.Deadline(); ok && !m.State.Options().Untimed {
		left := max(0, deadline.Sub(m.Now))
		v.Deadline = templates.ClockView{
			Text: words.ClockText(m.Printer, left), Left: left.Milliseconds(), Deadline: deadline.UnixMilli(), Low: LowInBids.Milliseconds(),
		}
	}
	if m.you.Valid() {
		v.YourReady = m.State.IsReady(m.you)
		v.MayReady = !v.YourReady && m.isCheckedIn()
		if (mentor{m}).coach() != "" {
			v.Practice = m.N("match.gate.practice", m.State.Options().Envelope.Chips)
		}
		if from, ok := m.State.ForfeitClaim(m.you); ok && m.isCheckedIn() {
			v.Claim = &matchview.ClaimView{Open: !m.Now.Before(from), From: m.T("schedule.claim-from", "Time", m.When(from)),
				Opens: from.UnixMilli()}
		}
	}
	if m.State.Options().Odds && !m.State.IsMeeting() {
		v.Sealed = m.T("match.odds.rule")
		if v.MayReady {
			v.MostSealed = m.State.Options().MostSealed()
		}
	}
	if m.State.IsMeeting() {
		v.Meeting, v.MayReady = m.meeting(), m.you.Valid() && m.isCheckedIn()
	}
	return v
}

// oddsTold returns the outcome of sealed bids; empty until both are known.
func (m MatchViewer) oddsTold() string {
	o := match.OddsIn(m.State)
	if !o.Seat.Valid() {
		return ""
	}
	key := "match.odds.told"
	if o.Bids[0] == o.Bids[1] {
		key = "match.odds.told-lot"
	}
	return m.T(key, "A", m.name(match.First), "AChips", m.Int(o.Bids[0]), "B", m.name(match.Second), "BChips", m.Int(o.Bids[1]),
		"Name", m.name(o.Seat))
}

// isCheckedIn reports whether the viewer need not check in before acting.
func (m MatchViewer) isCheckedIn() bool {
	return m.Frame.CheckIn == nil || m.Frame.CheckIn.Needed == ""
}

// envelope returns the bounds within which the players may bid.
func (m MatchViewer) envelope() matchview.EnvelopeView {
	o := m.State.Options()
	e := o.Envelope
	var v matchview.EnvelopeView
	add := func(label, value string) {
		v.Facts = append(v.Facts, matchview.FactView{Label: label, Value: value})
	}
	for i, extra := range o.Extra {
		if extra > 0 {
			add(m.T("rating.handicap.has"), m.name(match.Seat(i+1))+": +"+m.Int(extra))
		}
	}
	if told := m.oddsTold(); told != "" {
		add(m.T("match.odds.title"), told)
	}
	for _, fact := range words.EnvelopeFacts(m.Printer, e) {
		add(fact.Name, fact.Value)
	}
	if e.Defaults != board.DefaultFeatures() {
		add(m.T("match.envelope.defaults"), FeaturesText(m.Printer, e.Defaults))
	}
	if o.Claims == match.Manual {
		add(m.T("match.envelope.claims"), m.T("match.envelope.claims.manual"))
	} else {
		add(m.T("match.envelope.claims"), m.T("match.envelope.claims.automatic"))
	}
	v.Worst = m.T("match.length", "Length", words.MatchLength(m.Printer, o))
	switch {
	case o.Untimed:
		v.Worst = m.T("match.envelope.untimed")
	case o.ByMove:
		v.Worst = m.T("match.envelope.by-move", "Time", m.Length(o.BidTime))
	case o.BidTime > 0:
		v.Worst = m.T("match.envelope.worst-slow", "Bid", m.Duration(o.BidTime), "Duration", m.Length(e.WorstBoard(o.StartDelay)))
	}
	return v
}

func joined[T any](list []T, text func(T) string) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = text(x)
	}
	return strings.Join(texts, ", ")
}

// terms returns the outcomes of the bidding, without the features.
func (m MatchViewer) terms() []matchview.FactView {
	t, ok := m.Game.Terms()
	if !ok {
		return nil
	}
	return []matchview.FactView{
		{Label: TargetName(m.Printer, bidding.White), Value: m.name(t.White)},
		{Label: TargetName(m.Printer, bidding.Time), Value: cmp.Or(m.timeNote(), t.Time.String())},
		{Label: TargetName(m.Printer, bidding.HomeRow), Value: string(t.Row), Row: true},
	}
}

// FeaturesText returns FeatureTexts in a line, or the text that there are none.
func FeaturesText(p lang.Printer, f board.Features) string {
	return cmp.Or(strings.Join(FeatureTexts(p, f), ", "), p.T("match.features.none"))
}

// FeatureTexts returns the names of Rules, those that change the game most first; points with what they are for.
func FeatureTexts(p lang.Printer, f board.Features) []string {
	var out []string
	for _, r := range Rules(p, f) {
		if r.Key == "movePoints" {
			r.Name += ": " + r.Text
		}
		out = append(out, r.Name)
	}
	return out
}

// pointsText returns the points of moves by kind of piece; empty if there are none.
func pointsText(p lang.Printer, f board.Features) string {
	var out []string
	for _, kind := range words.Kinds {
		if n := f.MovePoints[kind]; n != 0 {
			out = append(out, p.T("match.kind."+kind.String())+" "+p.Signed(n))
		}
	}
	return strings.Join(out, ", ")
}

// draws returns the random draws and, once the seed is known, whether they follow from it.
func (m MatchViewer) draws() matchview.DrawsView {
	v := matchview.DrawsView{Commitment: m.State.Commitment(), Command: "chpok draws match-" + m.Frame.ID + ".json"}
	var made []bidding.Draw
	for _, e := range m.State.History() {
		if d, ok := e.Event.(match.Drawn); ok {
			made = append(made, d.Draw)
			v.Draws = append(v.Draws, matchview.DrawView{Text: m.drawText(d.Draw)})
		}
	}
	for i, seal := range match.SealsIn(m.State) {
		if seal == "" {
			continue
		}
		who := m.name(match.Seat(i + 1))
		v.Seals = append(v.Seals, matchview.FactView{Label: m.T("match.odds.seal", "Name", who), Value: seal})
		if o := match.OddsIn(m.State); o.Seat.Valid() {
			v.Seals = append(v.Seals, matchview.FactView{Label: m.T("match.odds.opened", "Name", who),
				Value: o.Salts[i] + "/" + words.Itoa(o.Bids[i])})
		}
	}
	if seed, known := m.State.Seed(); known {
		v.Seed = seed.String()
		for i, holds := range seed.CheckDraws(made, nil, m.State.Options().Envelope.Presets) {
			v.Draws[i].Checked, v.Draws[i].Holds = true, holds
		}
	}
	return v
}

func (m MatchViewer) drawText(d bidding.Draw) string {
	if d.Target == bidding.White {
		return m.T("match.draw.white", "Name", m.name(d.White))
	}
	if note := m.timeNote(); note != "" {
		return m.T("match.draw.time.besides", "Time", d.Time.String(), "Note", note)
	}
	return m.T("match.draw.time", "Time", d.Time.String())
}

// timeNote says what counts instead of the clock that was bid; empty if that does.
func (m MatchViewer) timeNote() string {
	switch o := m.State.Options(); {
	case o.Untimed:
		return m.T("match.time.untimed")
	case o.ByMove:
		return m.T("match.time.by-move", "Time", m.Length(o.BidTime))
	}
	return ""
}

// oneMain keeps only the first of the main links main.
func oneMain(links []matchview.LinkView) []matchview.LinkView {
	first := true
	for i := range links {
		links[i].Main = links[i].Main && first
		first = first && !links[i].Main
	}
	return links
}

// reason returns why a match ended, with the name of a player who resigned.
func (m MatchViewer) reason(r match.Result) string {
	winner, won := r.Outcome.Winner()
	switch {
	case r.Outcome == match.Draw && match.OddsIn(m.State).Seat.Valid():
		return m.T("match.reason."+string(r.Reason)) + " " + m.T("match.odds.through", "Name", m.name(match.OddsIn(m.State).Seat))
	case r.Reason != match.Resignation || !won:
		return m.T("match.reason." + string(r.Reason))
	case winner.Other() == m.you:
		return m.T("match.reason.resigned.you")
	}
	return m.T("match.reason.resigned", "Name", m.name(winner.Other()))
}

// hasBegun reports whether a bid was placed, so that there is something to replay.
func hasBegun(s match.State) bool {
	return slices.ContainsFunc(s.History(), func(e match.Entry) bool {
		_, isBid := e.Event.(match.BidPlaced)
		return isBid
	}) || s.Game().OnBoard()
}

func (m MatchViewer) result() *matchview.ResultView {
	r := m.State.Result()
	v := &matchview.ResultView{Kind: "ended", Reason: m.reason(r), Ratings: m.Frame.Ratings,
		Says: m.Frame.Says, Rematch: m.Frame.Rematch, Study: m.Frame.Study}
	var next []matchview.LinkView
	switch replay := words.MatchURL(match.ID(m.Frame.ID)) + "/replay"; {
	case m.Game.PlyCount() > 0:
		next = append(next, matchview.LinkView{Text: m.T("match.next.decided"), URL: replay + "#m-decided"})
	case hasBegun(m.State):
		next = append(next, matchview.LinkView{Text: m.T("match.next.replay"), URL: replay})
	}
	answers := min(1, len(m.Frame.Next)) // what comes first, and to decline it
	for answers > 0 && answers < len(m.Frame.Next) && m.Frame.Next[answers].Here {
		answers++
	}
	v.Next = oneMain(slices.Insert(slices.Clone(m.Frame.Next), answers, next...))
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
	if m.Game.OnBoard() {
		v.Score = [2]string{m.Int(r.Points[m.Us.Index()]), m.Int(r.Points[m.Us.Other().Index()])}
		v.Points = m.T("match.result.points",
			"Us", m.name(m.Us), "UsPoints", m.Int(r.Points[m.Us.Index()]),
			"Them", m.name(m.Us.Other()), "ThemPoints", m.Int(r.Points[m.Us.Other().Index()]))
	}
	return v
}
