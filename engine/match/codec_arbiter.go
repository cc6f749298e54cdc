package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chpok.org/chpok/engine/exact"
)

// Kinds of version 2: what arbiters do, the calls for them, and appointments.
const (
	kindCalled    = "called"
	kindPaused    = "paused"
	kindResumed   = "resumed"
	kindClockSet  = "clock-set"
	kindTakenBack = "taken-back"
	kindDeclared  = "declared"
	kindVoided    = "voided"
	kindReopened  = "reopened"
	kindAppointed = "appointed"
	kindForfeit   = "forfeit-claimed"
	kindWait      = "wait-extended"
)

// kindOfArbiters is the kind of an event of version 2.
func kindOfArbiters(e Event) string {
	switch e.(type) {
	case Called:
		return kindCalled
	case Paused:
		return kindPaused
	case Resumed:
		return kindResumed
	case ClockSet:
		return kindClockSet
	case TakenBack:
		return kindTakenBack
	case Declared:
		return kindDeclared
	case MadeVoid:
		return kindVoided
	case Reopened:
		return kindReopened
	case Appointed:
		return kindAppointed
	case ForfeitClaimed:
		return kindForfeit
	case WaitExtended:
		return kindWait
	}
	return ""
}

// jsonArbiter is an event of version 2; each kind has keys of its own.
type jsonArbiter struct {
	By      string  `json:"by,omitempty"` // the player whose act or clock it is
	Arbiter string  `json:"arbiter,omitempty"`
	Why     string  `json:"why,omitempty"`
	Stops   *bool   `json:"stops,omitempty"`
	Left    any     `json:"left,omitempty"` // ms, or of A and B
	To      int64   `json:"to,omitempty"`
	Outcome string  `json:"outcome,omitempty"`
	Reason  Reason  `json:"reason,omitempty"`
	Next    *string `json:"next,omitempty"`
	At      int64   `json:"at,omitempty"` // ms since 1970, UTC
}

func encodeArbiter(e Event) ([]byte, error) {
	var j jsonArbiter
	word := func(w Warrant) { j.Arbiter, j.Why = w.By, w.Why }
	switch e := e.(type) {
	case Called:
		j.By, j.Stops = FirstIsA.Of(e.Seat), &e.Stops
	case Paused:
		word(e.Warrant)
	case Resumed:
		word(e.Warrant)
		if e.Seat.Valid() {
			j.By = FirstIsA.Of(e.Seat)
		}
	case ClockSet:
		word(e.Warrant)
		j.By, j.Left = FirstIsA.Of(e.Seat), e.Left.Milliseconds()
	case TakenBack:
		word(e.Warrant)
		j.To = e.To
	case Declared:
		word(e.Warrant)
		j.Outcome, j.Reason = e.Outcome.String(), e.Reason
	case MadeVoid:
		word(e.Warrant)
		if e.Next != "" {
			next := string(e.Next)
			j.Next = &next
		}
	case Reopened:
		word(e.Warrant)
		j.To, j.Left = e.To, [2]int64{e.Left[0].Milliseconds(), e.Left[1].Milliseconds()}
	case ForfeitClaimed:
		j.By = FirstIsA.Of(e.Seat)
	case WaitExtended:
		word(e.Warrant)
		j.Left = e.By.Milliseconds()
	case Appointed:
		j.By, j.At = FirstIsA.Of(e.Seat), e.At.UnixMilli()
	}
	return json.Marshal(j)
}

// arbiterReader reads the keys of an event of version 2; the first fault stays.
type arbiterReader struct {
	o   exact.Object
	err error
}

func (r *arbiterReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *arbiterReader) text(key string) string {
	raw, _ := r.o.Get(key)
	s, ok := exact.String(raw)
	if !ok || s == "" {
		r.fail("%s is text", key)
	}
	return s
}

func (r *arbiterReader) seat() Seat {
	raw, _ := r.o.Get("by")
	seat, ok := FirstIsA.seat(raw)
	if !ok {
		r.fail("by names no player")
	}
	return seat
}

func (r *arbiterReader) number(key string) int64 {
	raw, _ := r.o.Get(key)
	n, ok := exact.Int(raw)
	if !ok || n <= 0 {
		r.fail("%s is a whole number above 0", key)
	}
	return int64(n)
}

func (r *arbiterReader) warrant() Warrant {
	w := Warrant{r.text("arbiter"), r.text("why")}
	if err := w.check(); err != nil {
		r.fail("%w", err)
	}
	return w
}

func (r *arbiterReader) duration(raw json.RawMessage) time.Duration {
	n, ok := exact.Int(raw)
	if !ok || n < 0 || n > int(MaxClock/time.Millisecond) {
		r.fail("left is milliseconds up to %v", MaxClock)
	}
	return time.Duration(n) * time.Millisecond
}

// keysOf are the keys of each kind of version 2.
var keysOf = map[string][]string{
	kindCalled:    {"by", "stops"},
	kindPaused:    {"arbiter", "why"},
	kindResumed:   {"arbiter", "why"},
	kindClockSet:  {"by", "arbiter", "why", "left"},
	kindTakenBack: {"arbiter", "why", "to"},
	kindDeclared:  {"arbiter", "why", "outcome", "reason"},
	kindVoided:    {"arbiter", "why"},
	kindReopened:  {"arbiter", "why", "to", "left"},
	kindAppointed: {"by", "at"},
	kindForfeit:   {"by"},
	kindWait:      {"arbiter", "why", "left"},
}

func decodeArbiter(kind string, o exact.Object) (Event, error) {
	want, known := keysOf[kind]
	switch {
	case !known:
		return nil, errors.New("unknown kind")
	case kind == kindResumed && o.Has("by"):
		want = []string{"by"}
	case kind == kindVoided && o.Has("next"):
		want = []string{"arbiter", "why", "next"}
	}
	if err := keys(o, want...); err != nil {
		return nil, err
	}
	r := &arbiterReader{o: o}
	e := r.event(kind)
	return e, r.err
}

func (r *arbiterReader) event(kind string) Event {
	switch kind {
	case kindCalled:
		raw, _ := r.o.Get("stops")
		stops := string(raw) == "true"
		if !stops && string(raw) != "false" {
			r.fail("stops is true or false")
		}
		return Called{r.seat(), stops}
	case kindPaused:
		return Paused{r.warrant()}
	case kindResumed:
		if r.o.Has("by") {
			return Resumed{Seat: r.seat()}
		}
		return Resumed{Warrant: r.warrant()}
	case kindClockSet:
		raw, _ := r.o.Get("left")
		return ClockSet{r.warrant(), r.seat(), r.duration(raw)}
	case kindTakenBack:
		return TakenBack{r.warrant(), r.number("to")}
	case kindDeclared:
		return r.declared()
	case kindVoided:
		e := MadeVoid{Warrant: r.warrant()}
		if r.o.Has("next") {
			e.Next = ID(r.text("next"))
		}
		return e
	case kindReopened:
		return r.reopened()
	case kindForfeit:
		return ForfeitClaimed{r.seat()}
	case kindWait:
		raw, _ := r.o.Get("left")
		return WaitExtended{r.warrant(), r.duration(raw)}
	default:
		return Appointed{r.seat(), time.UnixMilli(r.number("at")).UTC()}
	}
}

func (r *arbiterReader) declared() Event {
	e := Declared{Warrant: r.warrant(), Outcome: Outcome(slices.Index(outcomeNames[:], r.text("outcome"))), Reason: Reason(r.text("reason"))}
	if e.Outcome < FirstWins || e.Outcome > BothLose || e.Reason != Adjudicated && e.Reason != Forfeit {
		r.fail("no such result is declared")
	}
	return e
}

func (r *arbiterReader) reopened() Event {
	e := Reopened{Warrant: r.warrant(), To: r.number("to")}
	raw, _ := r.o.Get("left")
	list, err := exact.ParseArray(raw)
	if err != nil || len(list) != 2 {
		r.fail("left is two times")
		return e
	}
	for i, item := range list {
		e.Left[i] = r.duration(item)
	}
	return e
}
