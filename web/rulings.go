package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/templates"
	matchview "chpok.org/chpok/templates/match"
)

// errClock is a text that is no clock.
var errClock = refusal.Invalid("calls.error.clock", "web: a clock is hours:minutes:seconds")

// ruling brings an act of the arbiter's panel to the match.
func (s *Server) ruling(c echo.Context) error {
	ctx, by, id := c.Request().Context(), viewer(c), match.ID(c.Param("id"))
	act := c.FormValue("act")
	word := match.Warrant{By: string(by.ID), Why: strings.TrimSpace(shorten(c.FormValue(act+"-why"), match.MaxWhy+1))}
	command, err := rulingOf(c, act, word)
	if err != nil {
		return s.rulingTrouble(c, act, err)
	}
	q := live.Request{Command: command}
	if turn := shorten(c.FormValue("turn"), 30); turn != "" {
		q.CommandID = act + "/" + turn
	}
	next := id
	if act == "replay" {
		next, err = s.arbiter.Replay(ctx, by, id, q)
	} else {
		err = s.arbiter.Rule(ctx, by, id, q)
	}
	if err != nil {
		return s.rulingTrouble(c, act, err)
	}
	return c.Redirect(http.StatusSeeOther, matchURL(next)+"#m-bench")
}

// rulingOf reads the form of an act.
func rulingOf(c echo.Context, act string, word match.Warrant) (match.Command, error) {
	switch act {
	case "pause":
		return match.Pause{Warrant: word}, nil
	case "resume":
		return match.Resume{Warrant: word}, nil
	case "clock":
		left, err := parseClock(c.FormValue("clock-left"))
		return match.SetClock{Warrant: word, Seat: seatNamed(c.FormValue("clock-of")), Left: left}, err
	case "take-back":
		n, err := strconv.Atoi(strings.TrimSpace(c.FormValue("take-back-actions")))
		if err != nil {
			n = 0 // the rulebook refuses
		}
		return match.TakeBack{Warrant: word, Actions: n}, nil
	case "declare":
		outcome, forfeit := declaredOf(c.FormValue("declare-result"))
		return match.Declare{Warrant: word, Outcome: outcome, Forfeit: forfeit}, nil
	case "void", "replay":
		return match.MakeVoid{Warrant: word}, nil
	case "reopen":
		r := match.Reopen{Warrant: word}
		for i, name := range [...]string{"reopen-first", "reopen-second"} {
			if text := c.FormValue(name); strings.TrimSpace(text) != "" {
				var err error
				if r.Left[i], err = parseClock(text); err != nil {
					return r, err
				}
			}
		}
		return r, nil
	}
	return nil, errBadRequest
}

func seatNamed(word string) match.Seat {
	switch word {
	case match.First.String():
		return match.First
	case match.Second.String():
		return match.Second
	}
	return 0
}

// declarations are the results an arbiter can declare.
var declarations = []struct {
	word    string
	outcome match.Outcome
	forfeit bool
}{
	{"first", match.FirstWins, false}, {"second", match.SecondWins, false}, {"draw", match.Draw, false},
	{"first-forfeit", match.FirstWins, true}, {"second-forfeit", match.SecondWins, true}, {"both-lose", match.BothLose, true},
}

func declaredOf(word string) (match.Outcome, bool) {
	for _, d := range declarations {
		if d.word == word {
			return d.outcome, d.forfeit
		}
	}
	return 0, false // the rulebook refuses
}

// parseClock reads a clock as an arbiter writes it: 1:02:03, or 5:00.
func parseClock(text string) (time.Duration, error) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, errClock
	}
	total := 0
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 999 || i > 0 && (n > 59 || len(part) != 2) || strings.HasPrefix(part, "+") {
			return 0, errClock
		}
		total = total*60 + n
	}
	return time.Duration(total) * time.Second, nil
}

// rulingTrouble shows the page again with the form as it was filled in.
func (s *Server) rulingTrouble(c echo.Context, act string, err error) error {
	status, text := s.refusedText(c, err)
	if text == "" {
		return err
	}
	return s.showMatchWith(c, status, "", func(v *matchview.MatchView) {
		if v.Bench == nil {
			return
		}
		for i := range v.Bench.Forms {
			if f := &v.Bench.Forms[i]; f.Act == act {
				fillBenchForm(c, f, err, text)
			}
		}
	})
}

func fillBenchForm(c echo.Context, f *matchview.BenchForm, err error, text string) {
	f.Open = true
	f.Why.Value = shorten(c.FormValue(f.Why.Name), match.MaxWhy)
	if f.Select != nil {
		for i := range f.Select.Choices {
			f.Select.Choices[i].Chosen = f.Select.Choices[i].Value == c.FormValue(f.Select.Name)
		}
	}
	for i := range f.Fields {
		f.Fields[i].Value = shorten(c.FormValue(f.Fields[i].Name), 20)
	}
	if len(f.Fields) > 0 && !errors.Is(err, &match.Refusal{Code: match.BadReason}) {
		f.Fields[0].Error, f.Fields[0].Focus = text, true
		return
	}
	f.Why.Error, f.Why.Focus = text, true
}

// refusedText is how a refused ruling, call or message is told; no text for
// errors that are no refusals.
func (s *Server) refusedText(c echo.Context, err error) (int, string) {
	if status, text := s.commandTrouble(c, err); text != "" {
		return status, text
	}
	status, key, known := explain(err)
	if !known || status == http.StatusNotFound {
		return 0, ""
	}
	return status, s.printer(c).T(key)
}

// bench is the panel of an arbiter. Its forms change only with what may be done,
// so that a move does not take away what he is writing.
func (m matchViewer) bench(replay bool) *matchview.BenchView {
	v := &matchview.BenchView{URL: "/matches/" + m.frame.ID, Turn: strconv.FormatInt(m.state.Seq(), 10)}
	add := func(act string, danger bool, fill func(*matchview.BenchForm)) {
		f := matchview.BenchForm{
			Act: act, Danger: danger, Title: m.T("calls.do." + act), Hint: m.T("calls.do." + act + ".hint"), Button: m.T("calls.do." + act + ".button"),
			Why: templates.Field{Name: act + "-why", Label: m.T("calls.why"), Max: match.MaxWhy, Required: true, Autocomplete: "off"},
		}
		if fill != nil {
			fill(&f)
		}
		v.Forms = append(v.Forms, f)
	}
	stands, still := m.state.Standstill()
	still = still && !stands.EndsByItself()
	over := m.state.Status() == match.Over
	if !over {
		if still {
			add("resume", false, nil)
			if m.state.Game().Acts() > 0 {
				add("take-back", false, func(f *matchview.BenchForm) {
					f.Fields = []templates.Field{{Name: "take-back-actions", Label: m.T("calls.actions"), Value: "1", Type: "number", Required: true}}
				})
			}
		} else {
			add("pause", false, nil)
		}
		if !m.state.StartedAt().IsZero() {
			add("clock", false, func(f *matchview.BenchForm) {
				f.Select = &matchview.BenchSelect{Name: "clock-of", Label: m.T("calls.clock-of"), Choices: m.seatChoices()}
				f.Fields = []templates.Field{{Name: "clock-left", Label: m.T("calls.clock-left"), Hint: m.T("calls.clock.example"), Max: 9, Required: true, Autocomplete: "off"}}
			})
		}
		add("declare", true, func(f *matchview.BenchForm) {
			f.Select = &matchview.BenchSelect{Name: "declare-result", Label: m.T("calls.result"), Choices: m.declarationChoices()}
		})
	}
	if over && m.game.OnBoard() {
		add("reopen", true, func(f *matchview.BenchForm) {
			f.Fields = []templates.Field{
				{Name: "reopen-first", Label: m.T("calls.clock-of-name", "Name", m.name(match.First)), Hint: m.T("calls.clock.as-it-was"), Max: 9, Autocomplete: "off"},
				{Name: "reopen-second", Label: m.T("calls.clock-of-name", "Name", m.name(match.Second)), Hint: m.T("calls.clock.as-it-was"), Max: 9, Autocomplete: "off"},
			}
		})
	}
	if replay {
		add("replay", true, nil)
	}
	if m.state.Result().Outcome != match.Void {
		add("void", true, nil)
	}
	return v
}

func (m matchViewer) seatChoices() []templates.Choice {
	return []templates.Choice{
		{Value: match.First.String(), Text: m.name(match.First)}, {Value: match.Second.String(), Text: m.name(match.Second)},
	}
}

func (m matchViewer) declarationChoices() []templates.Choice {
	list := make([]templates.Choice, len(declarations))
	for i, d := range declarations {
		list[i] = templates.Choice{Value: d.word, Text: m.T("calls.declare."+d.word, "First", m.name(match.First), "Second", m.name(match.Second))}
	}
	return list
}

// acts is what arbiters did in the match, and the calls for them, in words.
func (m matchViewer) acts() []string {
	var acts []string
	var at []int64
	for _, e := range m.state.History() {
		switch e.Event.(type) {
		case match.BidPlaced, match.Played, match.Undone:
			at = append(at, e.Seq)
		}
		taken := 0
		if to, ok := revisedTo(e.Event); ok {
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

func revisedTo(e match.Event) (int64, bool) {
	switch e := e.(type) {
	case match.TakenBack:
		return e.To, true
	case match.Reopened:
		return e.To, true
	}
	return 0, false
}

// actText is an act of an arbiter, or what a player asks for; empty for other events.
func (m matchViewer) actText(e match.Event, taken int) string {
	by := func(w match.Warrant) string { return m.frame.Arbiters[w.By] }
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
		return m.T("calls.act.clock-set", "Arbiter", by(e.Warrant), "Name", m.name(e.Seat), "Time", clockText(e.Left), "Why", e.Why)
	case match.TakenBack:
		return m.T("calls.act.taken-back", "Arbiter", by(e.Warrant), "Actions", m.N("calls.actions-n", taken), "Why", e.Why)
	case match.Declared:
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
		return m.T("calls.act.wait-extended", "Arbiter", by(e.Warrant), "Time", m.Duration(e.By), "Why", e.Why)
	case match.Appointed:
		return m.T("calls.act.appointed", "Name", m.name(e.Seat), "When", m.DateTime(e.At))
	}
	return ""
}

func (m matchViewer) declaredText(e match.Declared) string {
	for _, d := range declarations {
		if d.outcome == e.Outcome && (d.forfeit == (e.Reason == match.Forfeit)) {
			return m.T("calls.declare."+d.word, "First", m.name(match.First), "Second", m.name(match.Second))
		}
	}
	panic(fmt.Sprintf("web: declared %v by %s", e.Outcome, e.Reason)) // Decide declares nothing else
}

// still is why the match stands still.
func (m matchViewer) still() *matchview.StillView {
	still, ok := m.state.Standstill()
	if !ok {
		return nil
	}
	if still.Caller.Valid() {
		return &matchview.StillView{Title: m.T("calls.still.called", "Name", m.name(still.Caller)), Why: m.T("calls.still.wait")}
	}
	if still.EndsByItself() {
		return m.midCheck()
	}
	return &matchview.StillView{Title: m.T("calls.still.paused", "Arbiter", m.frame.Arbiters[still.By]), Why: still.Why}
}

// meetingLayout is how a browser sends a time.
const meetingLayout = "2006-01-02T15:04"

// meeting is how far the players are with meeting for the board phase.
func (m matchViewer) meeting() *matchview.MeetingView {
	v := &matchview.MeetingView{}
	agreed, named := m.state.Appointment()
	if !agreed.IsZero() {
		v.Agreed = m.T("calls.meeting.agreed", "When", m.Moment(agreed))
		return v
	}
	for i, seat := range [...]match.Seat{match.First, match.Second} {
		if named[i].IsZero() {
			continue
		}
		v.Named = append(v.Named, m.T("calls.meeting.named", "Name", m.name(seat), "When", m.Moment(named[i])))
		if m.you.Valid() && seat != m.you && m.isCheckedIn() {
			v.Take, v.TakeAt = m.T("calls.meeting.take", "When", m.DateTime(named[i])), m.Stamp(named[i])
		}
	}
	if v.MayName = m.you.Valid() && m.isCheckedIn(); v.MayName {
		v.When = templates.Field{Name: "meet", Label: m.T("calls.meeting.when", "Zone", m.Zone.String()), Type: "datetime-local", Required: true}
	}
	return v
}

// meetOfForm reads a time to meet: of a button, or as it is written in a zone.
func meetOfForm(text string, zone *time.Location) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	at, err := time.ParseInLocation(meetingLayout, text, zone)
	if err != nil {
		return at, malformed("meet")
	}
	return at, nil
}
