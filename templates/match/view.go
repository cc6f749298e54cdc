package match

import (
	"chpok.org/chpok/templates/board"
	"strconv"
)

// MatchView is a match as one audience sees it: the player of either seat, or
// a watcher. Us is the player at the bottom.
type MatchView struct {
	URL       string
	Title     string
	Seq       int64
	Now       int64  // the server's time, UTC ms
	Status    string // waiting, bidding, playing, over
	You       string // first, second, or empty for watchers
	Us, Them  PlayerView
	StatusBar string // whose turn it is, or what has happened
	YourTurn  bool
	Say       string // for screen readers: what happened last
	Sound     string // name of the sound that goes with it
	Event     EventLink
	Waiting   *WaitingView
	Bidding   *BiddingView
	Board     *board.BoardView
	Play      *PlayView
	Result    *ResultView
	Log       MatchLog
	Terms     []FactView // the outcomes in force, once on the board
	Envelope  EnvelopeView
	Draws     DrawsView
	FairPlay  *FairPlayBox
	CheckIn   *CheckInNote   // of a player whose page signs what he does
	Telemetry *TelemetryView // where the own page tells of itself
	Report    string         // where another's play is reported; empty: not here
	Still     *StillView     // while an arbiter, or a call, stops the match
	MidDone   string         // how the player's check during the match ended
	HasTalk   bool           // a player who may call
	Talk      *TalkView      // for players and arbiters, each his own
	Bench     *BenchView     // for arbiters
}

// EventLink is the tournament a match belongs to; empty for none.
type EventLink struct{ Name, URL, Detail string }

// PlayerView is a player's strip beside the board.
type PlayerView struct {
	Name, URL string
	Rating    string
	Bot       bool
	Seat      string // first, second
	SeatLabel string
	Colour    string // w, b, or empty before the board phase
	ColourOf  string // the colour in words
	ToAct     bool
	ShowClock bool
	Clock     ClockView
	HasPoints bool
	Points    string
	Purse     int
	ShowChips bool
	Captured  []string // piece codes this player has taken
	Ready     bool
	Outcome   string // at the end: won, lost, drawn
}

// ClockView is a clock, counted down by the page itself.
type ClockView struct {
	Text     string
	Left     int64 // ms when the fragment was made
	Deadline int64 // UTC ms, of a running clock; 0 when it stands
	Low      int64 // ms below which it is shown as low
}

// FactView is a label with its value.
type FactView struct{ Label, Value string }

// EnvelopeView is what the bidding may decide on.
type EnvelopeView struct {
	Facts []FactView
	Worst string
}

// WaitingView is the ready gate.
type WaitingView struct {
	Meeting   *MeetingView // for the board phase, after bidding by correspondence
	Deadline  ClockView
	MayReady  bool
	YourReady bool
	Claim     *ClaimView
}

// ClaimView is the claim of the forfeit of an opponent who has not come.
type ClaimView struct {
	Open  bool
	From  string // from when on, while it is not open
	Opens int64  // the same, UTC ms
}

// BiddingView is the bidding phase.
type BiddingView struct {
	Targets []TargetView
	Preview board.MiniBoardView
	Caption string
	Action  string // where bids are posted
	Pending string // the draw that is due
}

// TargetView is one of the four targets. A nil Call or Raise comes with the reason.
type TargetView struct {
	Key, Title, Ask  string
	Outcome          string
	Note             string
	Row              []string // pieces of the home row in force
	List             []string // features in force
	Us, Them         int      // stakes
	UsName, ThemName string
	Gap              string
	Lead             string // us, them, or empty when level
	Call             *CallView
	CallWhy          string
	Raise            *RaiseView
	RaiseWhy         string
}

// CallView is a call that may be made.
type CallView struct {
	Chips  int
	Effect string
}

// RaiseView is a raise that may be made, with the editor of its outcome.
type RaiseView struct {
	Min, Max int
	Effect   string
	Time     *TimeEditor
	Row      *RowEditor
	Features *FeaturesEditor
}

// TimeEditor states minutes and increment.
type TimeEditor struct {
	Minutes, Increment NumberField
	Presets            []PresetView
}

// PresetView is a time control to pick at once.
type PresetView struct {
	Text               string
	Minutes, Increment int
}

// NumberField is a whole number between bounds; Why says who set them. A field
// with equal bounds cannot be changed.
type NumberField struct {
	Key, Label, Help, Why string
	Value, Min, Max       int
	Piece                 string
}

func (f NumberField) fixed() bool { return f.Min == f.Max }

// RowEditor states the home row of the width in force.
type RowEditor struct {
	Width    int
	Row      string
	Standard string
	Free     bool     // any pieces; else only Rows
	Rows     []string // rows that may be chosen
	Why      string
	Kinds    []KindView
	Preview  board.MiniBoardView
}

// KindView is a kind of piece to put on the home row.
type KindView struct{ Letter, Name string }

// FeaturesEditor states the features.
type FeaturesEditor struct {
	Section  string // of the width
	Widths   []WidthChoice
	Numbers  []NumberField
	Points   []NumberField
	Switches []SwitchField
	Preview  board.MiniBoardView
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
	Key, Label, Help, Why string
	On, Allowed           bool
}

// PlayView is what stands beside the board.
type PlayView struct {
	Sources  []SourceView
	Totals   [2]string // us, them
	Counters []CounterView
	Claims   []string
	Controls *ControlsView
}

// SourceView is a source of points with the points of us and them.
type SourceView struct{ Label, Us, Them string }

// CounterView is something each player has left.
type CounterView struct{ Label, Us, Them string }

// ControlsView is what a player may do besides moving.
type ControlsView struct {
	Action    string
	Birth     bool
	Remove    bool
	Skip      bool
	Undo      bool
	UndoLeft  string
	UndoWhy   string
	HasUndo   bool
	Manual    bool
	ClaimWin  bool
	ClaimDraw bool
	ClaimWhy  string
	Resign    bool
	MayType   bool
}

// ResultView is the end of a match.
type ResultView struct {
	Headline string
	Reason   string
	Points   string
	Ratings  []FactView
	Next     []LinkView
	Kind     string // won, lost, drawn, ended
}

// LinkView is a link with its text; Main is the thing to do next.
type LinkView struct {
	Text, URL string
	Main      bool
}

// MatchLog is the list of bids, draws and moves.
type MatchLog struct {
	Bids  []BidLine
	Moves []MoveRow
	Acts  []string // of arbiters
}

// BidLine is a bid or a draw.
type BidLine struct {
	Player string
	Us     bool
	Kind   string // call, raise, draw, event
	Text   string
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
	Text   string
	Points string
	Clock  string
	Label  string
	URL    string
	Now    bool
}

// DrawsView is the committed draws and, after the end, their check.
type DrawsView struct {
	Commitment string
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
	Match    MatchView
	Ply, Of  int
	Caption  string
	First    string
	Previous string
	Next     string
	Last     string
	Action   string
	JSON     string
	Text     string
}

func itoa64(n int64) string { return strconv.FormatInt(n, 10) }

func chipsOf(n int) []struct{} { return make([]struct{}, min(max(n, 0), 20)) }
