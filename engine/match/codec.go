package match

import (
	"encoding/json"
	"fmt"

	"chpok.org/chpok/engine/bidding"
)

// CodecVersion is the version of the log. After the first release, any change to what is
// written needs a new version, and old ones stay readable: testdata/log-v*.jsonl has logs of
// each.
const CodecVersion = 1

// Kinds of events in the log.
const (
	kindOpened    = "opened"
	kindReady     = "ready"
	kindStarted   = "started"
	kindBid       = "bid"
	kindDraw      = "draw"
	kindPlay      = "play"
	kindUndo      = "undo"
	kindClaim     = "claim"
	kindResign    = "resign"
	kindFlag      = "flag"
	kindOutage    = "outage"
	kindEnded     = "ended"
	kindAppointed = "appointed"
	kindForfeit   = "forfeit-claimed"
	kindCalled    = "called"
	kindPaused    = "paused"
	kindResumed   = "resumed"
	kindClockSet  = "clock-set"
	kindTakenBack = "taken-back"
	kindDeclared  = "declared"
	kindVoided    = "voided"
	kindReopened  = "reopened"
	kindWait      = "wait-extended"
)

// Kind returns the kind of an event in the log.
func Kind(e Event) string { return e.kind() }

type (
	jsonOptions struct {
		Envelope   bidding.Envelope `json:"envelope"`
		Claims     string           `json:"claims"`
		StartDelay int64            `json:"startDelay"`        // ms
		Lateness   int64            `json:"lateness"`          // ms
		BidTime    int64            `json:"bidTime,omitempty"` // ms
		Meet       int64            `json:"meet,omitempty"`    // ms
		OnClaim    bool             `json:"onClaim,omitempty"`
		ByMove     bool             `json:"byMove,omitempty"`
		Untimed    bool             `json:"untimed,omitempty"`
		Extra      *[2]int          `json:"extra,omitempty"`
		Odds       bool             `json:"odds,omitempty"`
		Newcomer   *[2]bool         `json:"newcomer,omitempty"`
	}
	jsonOpened struct {
		Options    jsonOptions `json:"options"`
		Seed       string      `json:"seed,omitempty"`
		Commitment string      `json:"commitment"`
	}
	jsonReady struct {
		By     string `json:"by"`
		Seal   string `json:"seal,omitempty"`
		Sealed int    `json:"sealed,omitempty"`
	}
	jsonStarted struct {
		Odds  string     `json:"odds,omitempty"` // who has them
		Bids  *[2]int    `json:"bids,omitempty"`
		Salts *[2]string `json:"salts,omitempty"`
	}
	jsonOutage struct {
		By    string `json:"by,omitempty"` // empty: the wait for the players
		From  int64  `json:"from"`         // ms since 1970, UTC
		To    int64  `json:"to"`
		Given int64  `json:"given"` // ms
	}
	jsonEnded struct {
		Outcome string `json:"outcome"`
		Reason  Reason `json:"reason"`
		Points  [2]int `json:"points"` // A, B
	}
	// jsonRuling is an event of an arbiter, or one that waits or calls for somebody.
	jsonRuling struct {
		By      string  `json:"by,omitempty"` // the player who acts, or whose clock it is
		Arbiter string  `json:"arbiter,omitempty"`
		Why     string  `json:"why,omitempty"`
		Stops   *bool   `json:"stops,omitempty"`
		Left    any     `json:"left,omitempty"` // ms, or ms of A and B
		To      int64   `json:"to,omitempty"`
		Outcome string  `json:"outcome,omitempty"`
		Reason  Reason  `json:"reason,omitempty"`
		Next    *string `json:"next,omitempty"`
		At      int64   `json:"at,omitempty"` // ms since 1970, UTC
	}
)

// Encode writes an event for the log. Acts of the game have the JSON of records (Rules 11),
// with A for First; every other kind has its own.
func Encode(e Event) (kind string, version int, body []byte, err error) {
	switch e := e.(type) {
	case Opened:
		body, err = encodeOpened(e)
	case PlayerReady:
		body, err = json.Marshal(jsonReady{FirstIsA.Of(e.Seat), e.Seal, e.Sealed})
	case Started:
		var j jsonStarted
		if e.Odds.Seat.Valid() {
			j = jsonStarted{FirstIsA.Of(e.Odds.Seat), &e.Odds.Bids, &e.Odds.Salts}
		}
		body, err = json.Marshal(j)
	case OutageCredited:
		j := jsonOutage{From: e.From.UnixMilli(), To: e.To.UnixMilli(), Given: e.Given.Milliseconds()}
		if e.Seat.Valid() {
			j.By = FirstIsA.Of(e.Seat)
		}
		body, err = json.Marshal(j)
	case Ended:
		body, err = json.Marshal(jsonEnded{e.Result.Outcome.String(), e.Result.Reason, e.Result.Points})
	case Called, Paused, Resumed, ClockSet, TakenBack, Declared, MadeVoid, Reopened, Appointed, ForfeitClaimed, WaitExtended:
		body, err = encodeRuling(e)
	default:
		body, err = FormatAct(e, FirstIsA)
	}
	if err != nil {
		return "", 0, nil, fmt.Errorf("encode %T: %w", e, err)
	}
	return e.kind(), CodecVersion, body, nil
}

func encodeOpened(e Opened) ([]byte, error) {
	o := e.Options
	j := jsonOpened{Commitment: e.Commitment, Options: jsonOptions{
		Envelope: o.Envelope, Claims: o.Claims.String(),
		StartDelay: o.StartDelay.Milliseconds(), Lateness: o.Lateness.Milliseconds(), BidTime: o.BidTime.Milliseconds(),
		Meet: o.Meet.Milliseconds(), OnClaim: o.OnClaim, ByMove: o.ByMove, Untimed: o.Untimed, Odds: o.Odds,
	}}
	if o.Extra != [2]int{} {
		j.Options.Extra = &o.Extra
	}
	if o.Newcomer != [2]bool{} {
		j.Options.Newcomer = &o.Newcomer
	}
	if e.Seed != (Seed{}) {
		j.Seed = e.Seed.String()
	}
	return json.Marshal(j)
}

func encodeRuling(e Event) ([]byte, error) {
	var j jsonRuling
	if ruling, ok := e.(Ruling); ok {
		j.Arbiter, j.Why = ruling.Word().By, ruling.Word().Why
	}
	switch e := e.(type) {
	case Called:
		j.By, j.Stops = FirstIsA.Of(e.Seat), &e.Stops
	case Resumed:
		if e.Seat.Valid() {
			j.By = FirstIsA.Of(e.Seat)
		}
	case ClockSet:
		j.By, j.Left = FirstIsA.Of(e.Seat), e.Left.Milliseconds()
	case TakenBack:
		j.To = e.To
	case Declared:
		j.Outcome, j.Reason = e.Outcome.String(), e.Reason
	case MadeVoid:
		if e.Next != "" {
			next := string(e.Next)
			j.Next = &next
		}
	case Reopened:
		j.To, j.Left = e.To, [2]int64{e.Left[0].Milliseconds(), e.Left[1].Milliseconds()}
	case ForfeitClaimed:
		j.By = FirstIsA.Of(e.Seat)
	case WaitExtended:
		j.Left = e.By.Milliseconds()
	case Appointed:
		j.By, j.At = FirstIsA.Of(e.Seat), e.At.UnixMilli()
	}
	return json.Marshal(j)
}
