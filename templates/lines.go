package templates

import (
	"context"

	"chpok.org/chpok/templates/lang"
)

// What several sections tell in one line or card, filled in by the kits of web.

// BoardLine is one pairing.
type BoardLine struct {
	Board               string
	First, Second       EntryRef
	Result, ResultWords string
	Live                string // phase of a running match
	IsWaiting           bool   // it has not begun
	Level               string // of fair play, above Open
	URL                 string // of the match
	Points              string // Chpok points
	IsMine              bool
	CorrectURL          string // where a result that stands is corrected
	Why                 string
	Ruled               string // where on the page it says that it is not the match's own; empty: it is
}

// RuledLine says of a result that is not the match's own by whom it is, when and why.
type RuledLine struct {
	ID, Text string
}

// EntryRef is a player where they are mentioned.
type EntryRef struct {
	Name, URL, Score, Rating string
	Chips                    string // that they have more than the other, by a handicap
	Number                   string
	Team                     string // that they fight for in a battle
	House                    string // the key of what a bot of the house is called; empty: it is none
	Out                      string // the key of how they are out; empty: they are in, or it is not said
	Bot, Guest               bool
}

// Called is the player's name, that of a bot of the house in the reader's language.
func (e EntryRef) Called(ctx context.Context) string {
	if e.House != "" {
		return lang.T(ctx, e.House)
	}
	return e.Name
}

// StaffAct is one thing that can be done, and who may.
type StaffAct struct {
	Text string
	May  []bool
}

// ConditionLine is one condition of entry, with the verdict on the viewer.
type ConditionLine struct {
	Text, Have     string // what is asked, and what the viewer has
	Judged, Passed bool
}

// PrizeChange is what somebody gets instead of something else.
type PrizeChange struct {
	Player  EntryRef
	Was, Is string
}

// CallLine is a player's call as the queue and the match show it.
type CallLine struct {
	ID, Action           string // where its forms are sent
	Back                 string // where they lead back to
	Who, WhoURL          string
	Text, When, Stamp    string
	Age                  string // how long it waits
	Where, WhereURL      string // round and board
	State, StateText     string // waiting, taken, settled
	Stopped, IsOpen      bool
	MayTake, MayWithdraw bool
	Answer               *Field // to settle it with
}

// CheckInNote is what a match page says to a player who must check in, and what
// its script signs with.
type CheckInNote struct {
	URL    string
	Needed string // why they must, now; empty: a page of theirs is checked in
	Lost   string // told when it is not this one
	Page   string // the key of the checked-in page
	Chain  string // the log in one hash
}

// SignalLine is one thing the server noticed.
type SignalLine struct{ When, Stamp, Player, PlayerURL, Text, Means, Match, MatchURL string }

// LiveLine is a running match for watchers; without a phase it is on the board.
type LiveLine struct{ URL, First, Second, Phase string }

// ProfileAbout is what an account tells this viewer about itself.
type ProfileAbout struct {
	Name, Country string
	FIDE          string
	Last          string // when they were here; empty: not for this viewer
	Text, Links   []string
	MayChallenge  bool
	MayBlock      bool
	MayFollow     bool
	Follows       bool
	HidesHistory  bool
}
