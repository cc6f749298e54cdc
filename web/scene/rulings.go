package scene

import (
	"fmt"
	"strconv"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/templates"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/web/words"
)

// Bench returns the arbiter's panel. Its forms depend only on what is allowed, so that a move does not clear what the
// arbiter is writing.
func (m MatchViewer) Bench(replay bool) *matchview.BenchView {
	v := &matchview.BenchView{URL: "/matches/" + m.Frame.ID, Turn: strconv.FormatInt(m.State.Seq(), 10)}
	add := func(act string, danger bool, fill func(*matchview.BenchForm)) {
		f := matchview.BenchForm{
			Act: act, Danger: danger, Title: m.T("calls.do." + act), Hint: m.T("calls.do." + act + ".hint"),
			Button: m.T("calls.do." + act + ".button"),
			Why:    templates.Field{Name: act + "-why", Label: m.T("calls.why"), Max: match.MaxWhy, Required: true, Autocomplete: "off"},
		}
		if fill != nil {
			fill(&f)
		}
		v.Forms = append(v.Forms, f)
	}
	stands, still := m.State.Standstill()
	still = still && !stands.EndsByItself()
	over := m.State.Status() == match.Over
	if !over {
		if still {
			add("resume", false, nil)
			if m.State.Game().Acts() > 0 {
				add("take-back", false, func(f *matchview.BenchForm) {
					f.Fields = []templates.Field{{Name: "take-back-actions", Label: m.T("calls.actions"), Value: "1", Type: "number", Required: true}}
				})
			}
		} else {
			add("pause", false, nil)
		}
		if !m.State.StartedAt().IsZero() {
			add("clock", false, func(f *matchview.BenchForm) {
				f.Select = &matchview.BenchSelect{Name: "clock-of", Label: m.T("calls.clock-of"), Choices: m.seatChoices()}
				f.Fields = []templates.Field{{Name: "clock-left", Label: m.T("calls.clock-left"), Hint: m.T("calls.clock.example"), Max: 9,
					Required: true, Autocomplete: "off"}}
			})
		}
		add("declare", true, func(f *matchview.BenchForm) {
			f.Select = &matchview.BenchSelect{Name: "declare-result", Label: m.T("calls.result"), Choices: m.declarationChoices()}
		})
	}
	if over && m.Game.OnBoard() {
		add("reopen", true, func(f *matchview.BenchForm) {
			f.Fields = []templates.Field{
				{Name: "reopen-first", Label: m.T("calls.clock-of-name", "Name", m.name(match.First)), Hint: m.T("calls.clock.as-it-was"), Max: 9,
					Autocomplete: "off"},
				{Name: "reopen-second", Label: m.T("calls.clock-of-name", "Name", m.name(match.Second)), Hint: m.T("calls.clock.as-it-was"), Max: 9,
					Autocomplete: "off"},
			}
		})
	}
	if replay {
		add("replay", true, nil)
	}
	if m.State.Result().Outcome != match.Void {
		add("void", true, nil)
	}
	return v
}

func (m MatchViewer) seatChoices() []templates.Choice {
	return []templates.Choice{
		{Value: match.First.String(), Text: m.name(match.First)}, {Value: match.Second.String(), Text: m.name(match.Second)},
	}
}

func (m MatchViewer) declarationChoices() []templates.Choice {
	list := []templates.Choice{{Text: "—"}} // so that an untouched list declares nothing
	for _, d := range words.Declarations {
		list = append(list, templates.Choice{Value: d.Word, Text: m.T("calls.declare."+d.Word, "First", m.name(match.First), "Second",
			m.name(match.Second))})
	}
	return list
}

// acts returns what arbiters did in the match and players asked for, as texts.
func (m MatchViewer) acts() []string {
	var acts []string
	var at []int64
	for _, e := range m.State.History() {
		switch e.Event.(type) {
		case match.BidPlaced, match.Played, match.Undone:
			at = append(at, e.Seq)
		}
		taken := 0
		if to, ok := words.RevisedTo(e.Event); ok {
			for len(at) > 0 && at[len(at)-1] > to {
				at, taken = at[:len(at)-1], taken+1
			}
		}
		if text := m.actText(e.Event, taken); text != "" {
			acts = append(acts, m.Clock(e.At)+" "+text)
		}
	}
	return acts
}

// actText returns the text of an act of an arbiter or a request of a player; empty for other events.
func (m MatchViewer) actText(e match.Event, taken int) string {
	by := func(w match.Warrant) string { return m.Frame.Arbiters[w.By] }
	switch e := e.(type) {
	case match.Called:
		if e.Stops {
			return m.T("calls.act.called-stops", "Name", m.name(e.Seat))
		}
		return m.T("calls.act.called", "Name", m.name(e.Seat))
	case match.Paused:
		if e.By == match.FairPlay {
			return m.T("passkey.mid.act.stood")
		}
		return m.T("calls.act.paused", "Arbiter", by(e.Warrant), "Why", e.Why)
	case match.Resumed:
		if e.Seat.Valid() {
			return m.T("calls.act.called-off", "Name", m.name(e.Seat))
		}
		if e.By == match.FairPlay {
			return m.T("passkey.mid.act.goes-on")
		}
		return m.T("calls.act.resumed", "Arbiter", by(e.Warrant), "Why", e.Why)
	case match.ClockSet:
		return m.T("calls.act.clock-set", "Arbiter", by(e.Warrant), "Name", m.name(e.Seat), "Time", words.ClockText(m.Printer, e.Left), "Why", e.Why)
	case match.TakenBack:
		return m.T("calls.act.taken-back", "Arbiter", by(e.Warrant), "Actions", m.N("calls.actions-n", taken), "Why", e.Why)
	case match.Declared:
		if e.By == match.AtEnd {
			return m.T("calls.act.at-end", "Result", m.declaredText(e))
		}
		return m.T("calls.act.declared", "Arbiter", by(e.Warrant), "Result", m.declaredText(e), "Why", e.Why)
	case match.MadeVoid:
		if e.Next != "" {
			return m.T("calls.act.replayed", "Arbiter", by(e.Warrant), "Why", e.Why)
		}
		return m.T("calls.act.voided", "Arbiter", by(e.Warrant), "Why", e.Why)
	case match.Reopened:
		return m.T("calls.act.reopened", "Arbiter", by(e.Warrant), "Why", e.Why)
	case match.ForfeitClaimed:
		return m.T("calls.act.forfeit-claimed", "Name", m.name(e.Seat))
	case match.WaitExtended:
		if e.Warrant.By == match.AtBoard {
			return m.T("calls.act.wait-elsewhere", "Time", m.Duration(e.By))
		}
		return m.T("calls.act.wait-extended", "Arbiter", by(e.Warrant), "Time", m.Duration(e.By), "Why", e.Why)
	case match.Appointed:
		return m.T("calls.act.appointed", "Name", m.name(e.Seat), "When", m.On(e.At))
	}
	return ""
}

func (m MatchViewer) declaredText(e match.Declared) string {
	for _, d := range words.Declarations {
		if d.Outcome == e.Outcome && (d.Forfeit == (e.Reason == match.Forfeit)) {
			return m.T("calls.declare."+d.Word, "First", m.name(match.First), "Second", m.name(match.Second))
		}
	}
	panic(fmt.Sprintf("scene: declared %v by %s", e.Outcome, e.Reason)) // match.Decide declares nothing else
}

// still returns why the match is paused; nil if it is not.
func (m MatchViewer) still() *matchview.StillView {
	still, ok := m.State.Standstill()
	if !ok {
		return nil
	}
	if still.Caller.Valid() {
		return &matchview.StillView{Title: m.T("calls.still.called", "Name", m.name(still.Caller)), Why: m.T("calls.still.wait")}
	}
	if still.EndsByItself() {
		return m.midCheck()
	}
	return &matchview.StillView{Title: m.T("calls.still.paused", "Arbiter", m.Frame.Arbiters[still.By]), Why: still.Why}
}

// meeting returns the times proposed and agreed for the board phase.
func (m MatchViewer) meeting() *matchview.MeetingView {
	v := &matchview.MeetingView{}
	agreed, named := m.State.Appointment()
	if !agreed.IsZero() {
		v.Agreed = m.T("calls.meeting.agreed", "When", m.On(agreed))
		return v
	}
	for i, seat := range match.Seats {
		if named[i].IsZero() {
			continue
		}
		v.Named = append(v.Named, m.T("calls.meeting.named", "Name", m.name(seat), "When", m.On(named[i])))
		if m.you.Valid() && seat != m.you && m.isCheckedIn() {
			v.Take, v.TakeAt = m.T("calls.meeting.take", "When", m.On(named[i])), m.Stamp(named[i])
		}
	}
	if v.MayName = m.you.Valid() && m.isCheckedIn(); v.MayName {
		v.When = templates.Field{Name: "meet", Label: m.T("calls.meeting.when", "Zone", m.Zone.String()), Type: "datetime-local", Required: true}
	}
	return v
}
