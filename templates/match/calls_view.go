package match

import (
	"chpok.org/chpok/templates"
)

// TalkView is the calls and the talk on a match, for its players and arbiters.
type TalkView struct {
	URL       string // of the match
	Calls     []templates.CallLine
	Lines     []TalkLine
	MayCall   bool
	CallHint  string // what a call does to the clocks
	Call      templates.Field
	MaySay    bool
	Say       templates.Field
	IsArbiter bool
}

// TalkLine is one message.
type TalkLine struct {
	Who, Text, When, Stamp string
	Staff, Own             bool
}

// BenchView is what an arbiter may do in a match.
type BenchView struct {
	URL   string // of the match
	Turn  string // names the acts that follow
	Forms []BenchForm
}

// BenchForm is one act with its reason.
type BenchForm struct {
	Act, Title, Hint, Button string
	Danger, Open             bool
	Select                   *BenchSelect
	Fields                   []templates.Field
	Why                      templates.Field
}

// BenchSelect is a choice among a few.
type BenchSelect struct {
	Name, Label string
	Choices     []templates.Choice
}

// StillView is why a match stands still.
type StillView struct {
	Title, Why string
	ByItself   bool                // it goes on without anybody's word
	Unlock     string              // where the player who is asked to unlock their device sends the answer; empty: they are not
	Left       templates.ClockView // how long they are waited for
}

// MeetingView is the players' agreement on when to meet for the board phase.
type MeetingView struct {
	Agreed  string
	Named   []string // what each has named
	Take    string   // text of the button that agrees; empty: nothing to agree to
	TakeAt  string   // its moment
	MayName bool
	When    templates.Field
}
