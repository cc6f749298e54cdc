package web

import (
	"encoding/json"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/passkey"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
)

// midFrame is what a match page shows of checks during the match.
type midFrame struct {
	MayAsk bool              // this player may be asked to unlock his device
	Grace  int               // seconds for which the clock stands still
	Open   *arbiter.MidCheck // he is asked now
	Done   string            // how his check ended, while the match runs; empty: there was none
}

// frameMidCheck adds it. What a check came to is the player's own to see until the
// match is over.
func frameMidCheck(tx *store.Tx, p lang.Printer, view live.View, you match.Seat) (f midFrame, err error) {
	if view.Head.Level <= fairplay.Open || view.Head.Status == match.Over {
		return f, nil
	}
	with, known, err := arbiter.AssuranceOf(tx, view.Head)
	if err != nil || !known || with.Policy.CheckIn.MidMatch == 0 {
		return f, err
	}
	f.MayAsk, f.Grace = you.Valid(), with.Policy.CheckIn.Grace
	if !f.MayAsk {
		return f, nil
	}
	for _, fact := range with.Facts {
		if fact.Seat == you && (fact.Kind == fairplay.MidCheckPassed || fact.Kind == fairplay.MidCheckMissed) {
			f.Done = p.T("passkey."+string(fact.Kind), "Move", p.Int(fact.Move))
		}
	}
	c, open, err := arbiter.MidCheckOf(tx, view.Head, view.State)
	if open && c.Seat == you {
		f.Open = &c
	}
	return f, err
}

// midCheck is the banner while a match stands still for a check: with a button for
// the player who is asked, a calm sentence for everybody else.
func (m matchViewer) midCheck() *matchview.StillView {
	mid := m.frame.Mid
	seconds := m.Int(mid.Grace)
	if mid.Open == nil {
		return &matchview.StillView{Title: m.T("passkey.mid.other"), Why: m.T("passkey.mid.other-why", "Seconds", seconds), ByItself: true}
	}
	left := max(0, mid.Open.Until.Sub(m.now))
	return &matchview.StillView{
		Title: m.T("passkey.mid.title"), Why: m.T("passkey.mid.why", "Seconds", seconds), ByItself: true,
		Unlock: "/matches/" + m.frame.ID + "/mid-check",
		Left:   matchview.ClockView{Text: clockText(left), Left: left.Milliseconds(), Deadline: mid.Open.Until.UnixMilli(), Low: 10_000},
	}
}

func (s *Server) midCheckOptions(c echo.Context) error {
	return s.deviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		challenge, keys, err := s.arbiter.BeginMidCheck(c.Request().Context(), viewer(c), match.ID(c.Param("id")), sessionID(c))
		if err != nil {
			return nil, err
		}
		return site.Request(keys, challenge)
	})
}

func (s *Server) passMidCheck(c echo.Context) error {
	id := match.ID(c.Param("id"))
	site, err := s.passkeys(c)
	if err == nil {
		err = s.arbiter.PassMidCheck(c.Request().Context(), site, viewer(c), id, sessionID(c), []byte(c.FormValue("answer")))
	}
	if text := s.doorTrouble(c, err); text != "" {
		status, _, _ := explain(err)
		return s.showMatch(c, status, text)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, matchURL(id), "flash.mid-check")
}
