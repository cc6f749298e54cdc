package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/call"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/tournament"
)

func (s *Server) callRoutes() []route {
	return []route{
		{post, "/matches/:id/calls", s.makeCall, signedIn},
		{post, "/matches/:id/calls/:call/take", s.takeCall, signedIn},
		{post, "/matches/:id/calls/:call/resolve", s.resolveCall, signedIn},
		{post, "/matches/:id/calls/:call/withdraw", s.withdrawCall, signedIn},
		{post, "/matches/:id/messages", s.sayInMatch, signedIn},
		{post, "/matches/:id/rulings", s.ruling, signedIn}, // rulings.go
	}
}

// makeCall calls the arbiter into the viewer's match.
func (s *Server) makeCall(c echo.Context) error {
	id := match.ID(c.Param("id"))
	_, err := s.arbiter.Call(c.Request().Context(), viewer(c), id, shorten(c.FormValue("call-text"), call.MaxText+1))
	return s.afterTalk(c, err, func(v *matchview.TalkView, text string) {
		v.Call.Value, v.Call.Error, v.Call.Focus = shorten(c.FormValue("call-text"), call.MaxText), text, true
	})
}

func (s *Server) sayInMatch(c echo.Context) error {
	err := s.arbiter.Say(c.Request().Context(), viewer(c), match.ID(c.Param("id")), shorten(c.FormValue("say-text"), call.MaxMessage+1))
	return s.afterTalk(c, err, func(v *matchview.TalkView, text string) {
		v.Say.Value, v.Say.Error, v.Say.Focus = shorten(c.FormValue("say-text"), call.MaxMessage), text, true
	})
}

func (s *Server) withdrawCall(c echo.Context) error {
	err := s.arbiter.WithdrawCall(c.Request().Context(), viewer(c), call.ID(c.Param("call")))
	return s.afterTalk(c, err, func(*matchview.TalkView, string) {})
}

// afterTalk goes back to the talk, or shows the page with the refused form.
func (s *Server) afterTalk(c echo.Context, err error, fill func(*matchview.TalkView, string)) error {
	if err == nil {
		return c.Redirect(http.StatusSeeOther, matchURL(match.ID(c.Param("id")))+"#m-talk")
	}
	status, text := s.refusedText(c, err)
	if text == "" {
		return err
	}
	return s.showMatchWith(c, status, text, func(v *matchview.MatchView) {
		if v.Talk != nil {
			fill(v.Talk, text)
		}
	})
}

func (s *Server) takeCall(c echo.Context) error {
	return s.answerCall(c, s.arbiter.TakeCall(c.Request().Context(), viewer(c), call.ID(c.Param("call"))))
}

func (s *Server) resolveCall(c echo.Context) error {
	id := call.ID(c.Param("call"))
	answer := strings.TrimSpace(shorten(c.FormValue("answer-"+string(id)), call.MaxMessage+1))
	return s.answerCall(c, s.arbiter.ResolveCall(c.Request().Context(), viewer(c), id, answer))
}

// answerCall goes back to where the call was answered, the queue or the match.
// Two arbiters often reach for the same call: whoever is late just sees so.
func (s *Server) answerCall(c echo.Context, err error) error {
	if err != nil && !errors.Is(err, call.ErrTaken) && !errors.Is(err, call.ErrResolved) {
		return err
	}
	back, flash := matchURL(match.ID(c.Param("id")))+"#m-talk", ""
	if to, ok := strings.CutPrefix(c.FormValue("back"), "/tournaments/"); ok && (strings.HasSuffix(to, "/calls") || strings.HasSuffix(to, "/desk")) && strings.Count(to, "/") == 1 {
		back = "/tournaments/" + to
	}
	if err != nil {
		flash = "flash.call-late"
	}
	return s.redirect(c, back, flash)
}

// talkView is the calls and the talk as one of those whom they concern sees them;
// nil for everybody else.
func (s *Server) talkView(ctx context.Context, p lang.Printer, me player.Viewer, o arbiter.Office) (*matchview.TalkView, error) {
	id := o.Head.ID
	if !o.MayJudge && !(o.Seat.Valid() && o.HasArbiters) {
		return nil, nil
	}
	var calls []call.Call
	var messages []call.Message
	var accounts map[player.ID]player.Player
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		if calls, err = tx.CallsOfMatch(id); err != nil {
			return err
		}
		if messages, err = tx.Messages(id); err != nil {
			return err
		}
		accounts, err = tx.Players(peopleOf(calls, messages)...)
		return err
	})
	if err != nil {
		return nil, err
	}
	v := &matchview.TalkView{URL: matchURL(id), IsArbiter: o.MayJudge}
	v.MayCall = o.Seat.Valid()
	for _, c := range calls {
		line := callLine(p, c, accounts, o, me, s.now())
		line.Where, line.WhereURL, line.Back = "", "", ""
		v.Calls = append(v.Calls, line)
		if c.IsOpen() && me.Is(c.Caller) {
			v.MayCall = false
		}
	}
	for _, m := range messages {
		v.Lines = append(v.Lines, matchview.TalkLine{
			Who: string(accounts[m.By].Handle), Text: m.Text, When: p.Clock(m.At), Stamp: p.Stamp(m.At), Staff: m.Staff, Own: me.Is(m.By),
		})
	}
	v.MaySay = o.MayJudge || len(calls)+len(messages) > 0
	v.Say = templates.Field{Name: "say-text", Label: p.T("calls.say"), Max: call.MaxMessage, Required: true, Autocomplete: "off"}
	v.Call = templates.Field{Name: "call-text", Label: p.T("calls.call.what"), Max: call.MaxText, Required: true, Autocomplete: "off"}
	v.CallHint = p.T("calls.call.runs")
	if o.CallStops {
		v.CallHint = p.T("calls.call.stops", "Times", call.MaxStops)
	}
	return v, nil
}

func peopleOf(calls []call.Call, messages []call.Message) []player.ID {
	var ids []player.ID
	for _, c := range calls {
		ids = append(ids, c.Caller, c.TakenBy, c.ResolvedBy)
	}
	for _, m := range messages {
		ids = append(ids, m.By)
	}
	return ids
}

// callLine is a call as o's viewer sees it.
func callLine(p lang.Printer, c call.Call, accounts map[player.ID]player.Player, o arbiter.Office, me player.Viewer, now time.Time) matchview.CallLine {
	l := matchview.CallLine{
		ID: string(c.ID), Action: matchURL(c.Match) + "/calls/" + string(c.ID), Who: string(accounts[c.Caller].Handle), WhoURL: playerURL(accounts[c.Caller].Handle),
		Text: c.Text, When: p.Clock(c.At), Stamp: p.Stamp(c.At), Stopped: c.Stopped, IsOpen: c.IsOpen(),
		WhereURL: matchURL(c.Match), Where: p.T("calls.where", "Round", c.Round, "Board", c.Board),
		State: "waiting", StateText: p.T("calls.state.waiting"),
	}
	switch {
	case !c.IsOpen():
		l.State, l.StateText = "settled", p.T("calls.state.settled", "Name", string(accounts[c.ResolvedBy].Handle))
		return l
	case c.TakenBy != "":
		l.State, l.StateText = "taken", p.T("calls.state.taken", "Name", string(accounts[c.TakenBy].Handle))
	default:
		l.Age = p.T("calls.age", "Duration", p.Duration(now.Sub(c.At).Truncate(time.Minute)))
	}
	l.MayTake = o.MayJudge && c.TakenBy == ""
	l.MayWithdraw = me.Is(c.Caller)
	if o.MayJudge {
		l.Answer = &templates.Field{Name: "answer-" + string(c.ID), Label: p.T("calls.answer"), Max: call.MaxMessage, Autocomplete: "off"}
	}
	return l
}

// callsPage is the queue of a tournament's calls, for those who answer them.
func (s *Server) callsPage(c echo.Context) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	if !t.May(viewer(c), tournament.ActCalls) {
		return errForbidden
	}
	view, err := s.callsView(c, t)
	if err != nil {
		return err
	}
	sh := s.tournamentShell(c, t, s.printer(c).T("calls.queue"), "calls")
	sh.Styles = append(sh.Styles, "calls.css")
	return s.render(c, http.StatusOK, matchview.CallsPage(sh, view))
}

func (s *Server) callsView(c echo.Context, t *tournament.Tournament) (matchview.CallsView, error) {
	p, me := s.printer(c), viewer(c)
	view := matchview.CallsView{Head: s.tournamentHead(c, t, "/calls")}
	var open, settled []call.Call
	var accounts map[player.ID]player.Player
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if open, err = tx.OpenCalls(t.ID); err != nil {
			return err
		}
		if settled, err = tx.ResolvedCalls(t.ID); err != nil {
			return err
		}
		accounts, err = tx.Players(peopleOf(append(open[:len(open):len(open)], settled...), nil)...)
		return err
	})
	if err != nil {
		return view, err
	}
	waiting := 0
	line := func(one call.Call) matchview.CallLine {
		// Nobody judges his own match, nor answers the call in it.
		e, plays := t.EntryOf(me.ID)
		o := arbiter.Office{MayJudge: !plays || !t.PlaysIn(e.ID, one.Round, one.Board)}
		l := callLine(p, one, accounts, o, me, s.now())
		l.Back = tournamentURL(t.ID) + "/calls"
		l.MayWithdraw = false
		return l
	}
	for _, one := range open {
		view.Body.Open = append(view.Body.Open, line(one))
		if one.TakenBy == "" {
			waiting++
		}
	}
	for _, one := range settled {
		view.Body.Settled = append(view.Body.Settled, line(one))
	}
	if view.Body.Summary = p.N("calls.waiting", waiting); len(open) == 0 {
		view.Body.Summary = p.T("calls.none")
	}
	return view, nil
}

// callsText names the page of calls, with how many wait.
func (s *Server) callsText(c echo.Context, t *tournament.Tournament) string {
	waiting := 0
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		waiting, err = tx.WaitingCalls(t.ID)
		return err
	})
	if err != nil {
		s.log.Warn("calls not counted", "tournament", t.ID, "err", err)
	}
	if waiting > 0 {
		return s.printer(c).T("calls.queue.n", "N", waiting)
	}
	return s.printer(c).T("calls.queue")
}
