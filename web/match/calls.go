package match

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) callRoutes() []page.Route {
	return []page.Route{
		page.Post("/matches/:id/calls", s.makeCall, page.SignedIn),
		page.Post("/matches/:id/calls/:call/take", s.takeCall, page.SignedIn),
		page.Post("/matches/:id/calls/:call/resolve", s.resolveCall, page.SignedIn),
		page.Post("/matches/:id/calls/:call/withdraw", s.withdrawCall, page.SignedIn),
		page.Post("/matches/:id/messages", s.sayInMatch, page.SignedIn),
		page.Post("/matches/:id/rulings", s.ruling, page.SignedIn), // rulings.go
	}
}

// makeCall calls the arbiter into the viewer's match.
func (s pages) makeCall(c echo.Context) error {
	id := match.ID(c.Param("id"))
	_, err := s.Arbiter.Judges.Call(c.Request().Context(), page.Viewer(c), id, words.Shorten(c.FormValue("call-text"), call.MaxText+1))
	return s.afterTalk(c, err, func(v *matchview.TalkView, text string) {
		v.Call.Value, v.Call.Error, v.Call.Focus = words.Shorten(c.FormValue("call-text"), call.MaxText), text, true
	})
}

func (s pages) sayInMatch(c echo.Context) error {
	err := s.Arbiter.Judges.Say(c.Request().Context(), page.Viewer(c), match.ID(c.Param("id")),
		words.Shorten(c.FormValue("say-text"), call.MaxMessage+1))
	return s.afterTalk(c, err, func(v *matchview.TalkView, text string) {
		v.Say.Value, v.Say.Error, v.Say.Focus = words.Shorten(c.FormValue("say-text"), call.MaxMessage), text, true
	})
}

func (s pages) withdrawCall(c echo.Context) error {
	err := s.Arbiter.Judges.WithdrawCall(c.Request().Context(), page.Viewer(c), call.ID(c.Param("call")))
	return s.afterTalk(c, err, func(*matchview.TalkView, string) {})
}

// afterTalk redirects to the talk, or shows the page with the refused form.
func (s pages) afterTalk(c echo.Context, err error, fill func(*matchview.TalkView, string)) error {
	if err == nil {
		return c.Redirect(http.StatusSeeOther, words.MatchURL(match.ID(c.Param("id")))+"#m-talk")
	}
	page.SayWhen(c, err, s.Now())
	status, text := s.refusedText(c, err)
	if text == "" {
		return err
	}
	return s.showMatchWith(c, status, text, func(v *matchview.View) {
		if v.Talk != nil {
			fill(v.Talk, text)
		}
	})
}

func (s pages) takeCall(c echo.Context) error {
	return s.answerCall(c, s.Arbiter.Judges.TakeCall(c.Request().Context(), page.Viewer(c), call.ID(c.Param("call"))))
}

func (s pages) resolveCall(c echo.Context) error {
	id := call.ID(c.Param("call"))
	answer := strings.TrimSpace(words.Shorten(c.FormValue("answer-"+string(id)), call.MaxMessage+1))
	return s.answerCall(c, s.Arbiter.Judges.ResolveCall(c.Request().Context(), page.Viewer(c), id, answer))
}

// answerCall redirects to where the call was answered, the queue or the match. Two arbiters often reach for the same
// call: the later one is told so.
func (s pages) answerCall(c echo.Context, err error) error {
	if err != nil && !errors.Is(err, call.ErrTaken) && !errors.Is(err, call.ErrResolved) {
		return err
	}
	back, flash := words.MatchURL(match.ID(c.Param("id")))+"#m-talk", ""
	if to, ok := strings.CutPrefix(c.FormValue("back"), "/tournaments/"); ok &&
		(strings.HasSuffix(to, "/calls") || strings.HasSuffix(to, "/desk")) && strings.Count(to, "/") == 1 {
		back = "/tournaments/" + to
	}
	if err != nil {
		flash = "flash.call-late"
	}
	return s.Redirect(c, back, flash)
}

// talkView returns the calls and messages of a match for its players and arbiters; nil for others.
func (s pages) talkView(ctx context.Context, p lang.Printer, me player.Viewer, o assurance.Capacity) (*matchview.TalkView, error) {
	id := o.Head.ID
	if !o.MayJudge && !(o.Seat.Valid() && o.HasArbiters) {
		return nil, nil
	}
	var calls []call.Call
	var messages []call.Message
	var accounts map[player.ID]player.Player
	err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if calls, err = tx.CallsOfMatch(id); err != nil {
			return err
		}
		if messages, err = tx.Messages(id); err != nil {
			return err
		}
		accounts, err = tx.Players(words.PeopleOf(calls, messages)...)
		return err
	})
	if err != nil {
		return nil, err
	}
	v := &matchview.TalkView{URL: words.MatchURL(id), IsArbiter: o.MayJudge}
	v.MayCall = o.Seat.Valid()
	for _, c := range calls {
		line := words.CallLine(p, c, accounts, o, me, s.Now())
		line.Where, line.WhereURL, line.Back = "", "", ""
		v.Calls = append(v.Calls, line)
		if c.IsOpen() && me.Is(c.Caller) {
			v.MayCall = false
		}
	}
	for _, m := range messages {
		v.Lines = append(v.Lines, matchview.TalkLine{
			Who: o.NameOf(accounts[m.By]), Text: m.Text, When: p.Clock(m.At), Stamp: p.Stamp(m.At), Staff: m.Staff, Own: me.Is(m.By),
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
