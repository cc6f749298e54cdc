package match

import (
	"strconv"

	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/board"
)

// View is a match as one audience sees it: the player of either seat, or
// a watcher. Us is the player at the bottom.
type View struct {
	URL       string
	Title     string
	Seq       int64
	Now       int64  // the server's time, UTC ms
	Status    string // waiting, bidding, playing, over
	You       string // first, second, or empty for watchers
	Us, Them  PlayerView
	StatusBar string // whose turn it is, or what has happened
	Sub       string // what stands under that
	Coached   bool   // it is a hint, to be read whole
	Back      string // where a phone's arrow leads
	YourTurn  bool
	Say       string // for screen readers: what happened last
	Sound     string // name of the sound that goes with it
	Event     EventLink
	Waiting   *WaitingView
	Bidding   *BiddingView
	LastAct   *LastActView
	Moments   []DrawMoment // draws that nothing has followed
	Board     *board.BoardView
	Play      *PlayView
	Tug       *TugView
	Ring      *RingView
	Chart     *PointsChartView
	Rules     []RuleView // the features in force
	Gain      *GainView  // points of the last move
	Result    *ResultView
	Log       Log
	Terms     []FactView // the outcomes in force, once on the board
	Envelope  EnvelopeView
	Draws     DrawsView
	FairPlay  *FairPlayBox
	CheckIn   *templates.CheckInNote // of a player whose page signs what they do
	Telemetry *TelemetryView         // where the own page tells of itself
	Report    string                 // where another's play is reported; empty: not here
	Still     *StillView             // while an arbiter, or a call, stops the match
	MidDone   string                 // how the player's check during the match ended
	HasTalk   bool                   // a player who may call
	Talk      *TalkView              // for players and arbiters, each their own
	Bench     *BenchView             // for arbiters
	Comforts  []templates.Comfort    // how the viewer likes to play
	Share     ShareView              // empty: nothing of it is passed on
	Private   bool                   // it is for staff
}

// EventLink is the tournament a match belongs to; empty for none.
type EventLink struct{ Name, URL, Detail string }

// PlayerView is a player's strip beside the board.
type PlayerView struct {
	Name, URL string
	Rating    string
	Bot       bool
	Initial   string // in place of a picture
	Face      string // of a house bot, which has one
	Here      bool   // the opponent has the page open
	AwaySince int64  // UTC ms since when not; 0: not known, or here
	AwayText  string // how long that is
	Mine      bool   // blue, as opposed to amber
	Seat      string // first, second
	SeatLabel string
	Colour    string // w, b, or empty before the board phase
	ColourOf  string // the colour in words
	ToAct     bool
	ShowClock bool
	Clock     templates.ClockView
	HasPoints bool
	Points    string
	// PointsUnit follows the number, in its form.
	PointsUnit string
	Purse      int
	ShowChips  bool
	Captured   []string // piece codes this player has taken
	Ready      bool
	Outcome    string // at the end: won, lost, drawn
	HasSeal    bool   // they bid for draw odds
	Seal       string // of that bid; empty: it is not made yet
	Odds       string // that they have draw odds
	OddsTold   string // and why
}

// FactView is a label with its value.
type FactView struct {
	Label, Value string
	Row          bool // the value is a home row
}

// EnvelopeView is what the bidding may decide on.
type EnvelopeView struct {
	Facts []FactView
	Worst string
}

// WaitingView is the ready gate.
type WaitingView struct {
	Meeting    *MeetingView // for the board phase, after bidding by correspondence
	Deadline   templates.ClockView
	Watched    bool // by somebody who does not play
	MayReady   bool
	YourReady  bool
	MostSealed int    // where draw odds are bid for: the most chips, more than nothing while the viewer may bid
	Sealed     string // how that goes; empty: there are none
	Practice   string // what comes, to somebody who may play it for the first time; empty: a match as any other
	Claim      *ClaimView
}

// ClaimView is the claim of the forfeit of an opponent who has not come.
type ClaimView struct {
	Open  bool
	From  string // from when on, while it is not open
	Opens int64  // the same, UTC ms
}

// BiddingView is the bidding phase: one table of four rows.
type BiddingView struct {
	Targets          []TargetView
	UsName, ThemName string
	Row              string // the home row if the bidding ended now
	Preview          string // the board of that row, for a screen reader
	AsBlack          bool   // it is seen from the side of Black
	Now              string // what would be played if it ended now
	Rules            string // and with which features
	Left             string // how many chips are still to be bid
	Action           string // where bids are posted
	Pending          string // the draw that is due
}

// TargetView is one of the four targets. Bid is nil when the viewer is not to bid.
type TargetView struct {
	Key, Title string
	Outcome    string
	Note       string
	Row        string   // the home row in force
	List       []string // features in force
	Us, Them   int      // stakes
	Gap        string
	Lead       string // us, them, or empty when even
	Clock      templates.ClockView
	Bid        *BidView
}

// BidView is what the viewer may do about a target. Without a Call or a raise there is the reason.
type BidView struct {
	Call                 int // chips of a call; 0: none
	CallEffect, CallWhy  string
	MayRaise             bool
	Min, Max, Purse      int
	Say, Few, Many, Keep string // the foot's texts, "{n}" standing for the chips
	Effect, Changed      string // what a raise states: as it stands, and after a change
	Clock                templates.ClockView
	Time                 *TimeEditor
	Row                  *RowEditor
	Features             *FeaturesEditor
}

// Told is the act in one line of text.
func (a LastActView) Told() string {
	text := a.Text
	if a.Row != "" {
		text += " " + a.Row
	}
	if a.Chips != "" {
		text += " (" + a.Chips + ")"
	}
	return text
}

// LastActView is the last thing that happened in the bidding.
type LastActView struct {
	Who   string // us, them, or empty for a draw
	Text  string
	Row   string // a home row that was bid
	Chips string
}

// DrawMoment is a draw as a stage of its own.
type DrawMoment struct {
	Seq      int64
	Why      string
	UsName   string
	ThemName string
	Us, Them int // stakes on what was drawn
	Piece    string
	Reel     []string // the time controls it was drawn from
	Row      string   // nothing was drawn: the home row that is to be played
	AsBlack  bool     // from the side of Black
	Result   string
	Next     string
}

// TimeEditor states minutes and increment.
type TimeEditor struct {
	Minutes, Increment NumberField
	Presets            []PresetView
	Bounds             string
}

// PresetView is a time control to pick at once.
type PresetView struct {
	Text               string
	Minutes, Increment int
}

// NumberField is a whole number between bounds; Why says who set them. A field
// with equal bounds cannot be changed.
type NumberField struct {
	Key, Label, Why string
	Value, Min, Max int
	Piece           string
}

func (f NumberField) fixed() bool { return f.Min == f.Max }

// RowEditor states the home row of the width in force.
type RowEditor struct {
	Width    int
	Row      string
	Standard string
	Free     bool     // any pieces; else only Rows
	Rows     []string // rows that may be chosen
	Back     string   // the name of the row in force
	Preview  string
	Why      string
	Kinds    []KindView
}

// KindView is a kind of piece to put on the home row.
type KindView struct{ Letter, Name string }

// FeaturesEditor states the features.
type FeaturesEditor struct {
	Why      string // of the widths
	Widths   []WidthChoice
	Numbers  []NumberField
	Points   []NumberField
	Switches []SwitchField
}

// WidthChoice is a board width; Row is the home row that would be in force.
type WidthChoice struct {
	Width            int
	Row              string
	Checked, Allowed bool
	Why              string
}

// SwitchField is a feature that is on or off.
type SwitchField struct {
	Key, Label, Short, Help, Why string
	On, Allowed                  bool
}

// PlayView is what stands beside the board.
type PlayView struct {
	Sources  []SourceView
	Totals   [2]string // us, them
	Counters []CounterView
	Claims   []string
	Controls *ControlsView
}

// TugView is the lead as a bar that both pull at: Share is the lower player's part in percent.
type TugView struct {
	Share string
	Top   string // 100 − Share
	Lead  string
	Label string
	Mine  bool // the lower player leads
	Even  bool
}

// RingView is a claim that comes nearer: Done of Of moves.
type RingView struct {
	Who   string // us, them, draw
	Left  string
	Title string
	Text  string
	Dash  string
	Label string
}

// PointsChartView is the points of both by ply: paths in a box of 340 by 132.
type PointsChartView struct {
	Us, Them string
	Marks    []ChartMark // of the points
	Moves    []ChartMark
	Kings    []ChartKing
	Label    string
	Expected *ExpectedView // what analysis says, on the same scale of moves
}

// ExpectedView is what the lower player could expect by ply, a path in a box of
// 340 by 96: the top is all of the point. Until it is made it says how far that is.
type ExpectedView struct {
	Line, Area string
	Marks      []JudgedMark
	Progress   string // while it is made
	Trouble    string // why it is not shown
	Label      string
}

// JudgedMark is a move that gave something away, on the line.
type JudgedMark struct {
	X, Y, Grade string
	Ply         int
	Mine        bool
	Label       string
}

// JudgedView is what analysis says of the ply that is shown.
type JudgedView struct {
	Grade   string `json:"grade"` // slip, mistake, blunder, sound or empty
	Text    string `json:"text"`
	Better  string `json:"better"`
	Arrow   string `json:"arrow"` // the squares of the better move
	Explore string `json:"-"`     // where the explorer goes on from there; empty: nowhere
}

// MomentView is a move that gave much away, as a way to it.
type MomentView struct {
	Ply              int
	Text, Grade, URL string
	Label            string
	Mine, Now        bool
}

// DecidedView is what decided a match; Wait is set until all of it has been looked at.
type DecidedView struct {
	Wait    string
	Moments []DecisiveMoment
}

// DecisiveMoment is a moment that decided a match, in words. Board is the position before it, with what was played and
// an arrow for what was better.
type DecisiveMoment struct {
	Name, Turn, Text string
	Better           string
	Mine             bool
	URL, Try         string // its place in the replay, and in the explorer; without Try there is nothing to play
	Board            *board.MiniBoardView
	Target           string // that was bid on, in place of the board
}

// ChartMark is a line of the scale with its number.
type ChartMark struct{ At, Text string }

// ChartKing is a king taken: a spike through the top.
type ChartKing struct {
	At, Text, Piece string
	PieceAt         string
	Mine            bool
}

// RuleView is a feature in force with its rule in one line.
type RuleView struct{ Key, Name, Text string }

// GainView is points that the last move made, shown where it ended.
type GainView struct {
	Square, Text string
	Mine, Big    bool
}

// RatingView is what one match did to a rating.
type RatingView struct {
	Name, Before, After, Delta string
	Up                         bool
}

// SourceView is a source of points with the points of us and them.
type SourceView struct {
	Label, Us, Them string
	Kind            int // 1 kings, 2 ranks, 3 moves of pieces; 0: something else
}

// CounterView is something each player has left.
type CounterView struct{ Label, Us, Them string }

// ControlsView is what a player may do besides moving.
type ControlsView struct {
	Action    string
	Birth     ControlView
	Remove    ControlView
	Skip      ControlView
	Undo      ControlView
	UndoLeft  string
	Manual    bool
	ClaimWin  bool
	ClaimDraw bool
	ClaimWhy  string
}

// ControlView is something that may be done by the rules of this match: it keeps its place while it may not be done now.
type ControlView struct {
	On, May bool
	Why     string // why it may not
}

// ResultView is the end of a match.
type ResultView struct {
	Headline string
	Reason   string
	Score    [2]string // us, them; empty: the board was not reached
	Accuracy string    // of both, as far as analysis has told
	IsJudged bool      // analysis tells, now or later
	Points   string    // the same in words
	Ratings  []RatingView
	Next     []LinkView
	Says     string   // how an offer of a rematch stands
	Rematch  string   // address of the rematch; a page that hears of it goes there
	Study    LinkView // what the viewer can learn from it; no Text: nothing
	Kind     string   // won, lost, drawn, ended
}

// LinkView is a link with its text; Main is the thing to do next.
type LinkView struct {
	Text, URL string
	Main      bool
	Posts     bool // the address does something
	Here      bool // which is shown on this page
}

// Log is the list of bids, draws and moves.
type Log struct {
	Steps bool // bids are steps of a replay
	Bids  []BidLine
	Moves []MoveRow
	Acts  []string // of arbiters
}

// BidLine is a bid or a draw.
type BidLine struct {
	Player string
	Us     bool
	Kind   string // call, raise, draw, event
	Target string
	Text   string
	Label  string // all of it in one line
	Number string // of chips
	Step   int    // of the bidding, from 1
	URL    string // where it is shown; empty: nowhere
	Now    bool   // it is shown
	Dear   bool   // analysis says that it gave something away
	Chips  string
	Clock  string
}

// MoveRow is a full move.
type MoveRow struct {
	Number       int
	White, Black *MoveView
	Note         string
}

// MoveView is one ply.
type MoveView struct {
	Ply    int
	Us     bool // of the lower player
	Text   string
	Points string
	Clock  string
	Label  string
	URL    string
	Grade  string // slip, mistake or blunder, where analysis says so
	Now    bool
}

// DrawsView is the committed draws and, after the end, their check.
type DrawsView struct {
	Commitment string
	Seals      []FactView // of sealed bids, and after the start what they hid
	Seed       string
	Draws      []DrawView
	Command    string
}

// DrawView is one random draw.
type DrawView struct {
	Text    string
	Checked bool
	Holds   bool
}

// ReplayView is the page of a finished match.
type ReplayView struct {
	Match    View
	Bid      int    // the step of the bidding that is shown; 0: a ply
	Bids     string // where the bidding ended, before the first ply; empty: no bids
	Ply, Of  int
	Caption  string
	First    string
	Previous string
	Next     string
	Last     string
	Action   string
	Judged   *JudgedView
	Moments  []MomentView
	Decided  *DecidedView // nil: nothing is known of it
	Share    ShareView
}

// gradeSign is how players mark such a move.
func gradeSign(grade string) string {
	return map[string]string{"slip": "?!", "mistake": "?", "blunder": "??"}[grade]
}

func itoa64(n int64) string { return strconv.FormatInt(n, 10) }

func chipsOf(n int) []struct{} { return make([]struct{}, min(max(n, 0), 15)) }
