package match

import (
	"encoding/json"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/seats"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player/passkey"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// frameMidCheck returns the checks during a match. Until its end only the player sees the outcome of theirs.
func frameMidCheck(tx *store.Tx, p lang.Printer, view live.View, you match.Seat) (f words.MidFrame, err error) {
	if view.Head.Level <= fairplay.Open || view.Head.Status == match.Over {
		return f, nil
	}
	with, known, err := assurance.Of(tx, view.Head)
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
	c, open, err := seats.MidCheckOf(tx, view.Head, view.State)
	if open && c.Seat == you {
		f.Open = &c
	}
	return f, err
}

func (s pages) midCheckOptions(c echo.Context) error {
	return s.DeviceOptions(c, func(site *passkey.Site) (json.RawMessage, error) {
		challenge, keys, err := s.Arbiter.Seats.BeginMidCheck(c.Request().Context(), page.Viewer(c), match.ID(c.Param("id")), page.SessionID(c))
		if err != nil {
			return nil, err
		}
		return site.Request(keys, challenge)
	})
}

func (s pages) passMidCheck(c echo.Context) error {
	id := match.ID(c.Param("id"))
	site, err := s.Passkeys(c)
	if err == nil {
		err = s.Arbiter.Seats.PassMidCheck(c.Request().Context(), page.Viewer(c), id, page.Said(c, site))
	}
	if text := s.DoorTrouble(c, err); text != "" {
		status := page.StatusOf(err)
		return s.showMatch(c, status, text)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.MatchURL(id), "flash.mid-check")
}
