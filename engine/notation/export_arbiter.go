package notation

import (
	"encoding/json"

	"chpok.org/chpok/engine/match"
)

// jsonArbiterAct is an act of an arbiter, or a call for one, in a record.
type jsonArbiterAct struct {
	Act   string            `json:"act"`   // kind in the log: "paused", "clock-set", …
	After int               `json:"after"` // actions before it, without those taken back by then
	At    int64             `json:"at"`    // ms since the bidding began
	Who   string            `json:"who,omitempty"`
	Why   string            `json:"why,omitempty"`
	By    string            `json:"by,omitempty"` // the player who called, or whose clock was set
	Left  any               `json:"left,omitempty"`
	Score string            `json:"score,omitempty"` // declared
	Next  match.ID          `json:"next,omitempty"`  // the match that is played instead
	Taken []json.RawMessage `json:"taken,omitempty"` // actions that it took back
}

// arbiters returns every act of arbiters in a match, and calls for them, in order.
func (x *exporter) arbiters(s match.State, names map[string]string) []jsonArbiterAct {
	var acts []jsonArbiterAct
	var standing []match.Entry // acts of the game so far, without those taken back
	for _, e := range s.History() {
		act := jsonArbiterAct{Act: match.Kind(e.Event), After: len(standing), At: e.At.Sub(s.StartedAt()).Milliseconds()}
		ruling, isRuling := e.Event.(match.Ruling)
		if isRuling {
			act.Why, act.Who = ruling.Word().Why, ruling.Word().By
			if name := names[act.Who]; name != "" {
				act.Who = name
			}
		}
		to := int64(-1)
		switch event := e.Event.(type) {
		case match.Called:
			act.By = match.FirstIsA.Of(event.Seat)
		case match.Resumed:
			if event.Seat.Valid() {
				act.By = match.FirstIsA.Of(event.Seat)
			}
		case match.ClockSet:
			act.By, act.Left = match.FirstIsA.Of(event.Seat), event.Left.Milliseconds()
		case match.Declared:
			act.Score = match.Result{Outcome: event.Outcome}.Score()
		case match.MadeVoid:
			act.Next = event.Next
		case match.TakenBack:
			to = event.To
		case match.Reopened:
			to = event.To
			act.Left = map[string]int64{"A": e.Left[0].Milliseconds(), "B": e.Left[1].Milliseconds()}
		default:
			if !isRuling {
				if match.IsAct(e.Event) {
					standing = append(standing, e)
				}
				continue
			}
		}
		for to >= 0 && len(standing) > 0 && standing[len(standing)-1].Seq > to {
			raw, err := match.FormatAct(standing[len(standing)-1].Event, match.FirstIsA)
			x.fail(err)
			act.Taken = append([]json.RawMessage{raw}, act.Taken...)
			standing = standing[:len(standing)-1]
		}
		acts = append(acts, act)
	}
	return acts
}
