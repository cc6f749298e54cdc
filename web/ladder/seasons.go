package ladder

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// ladderFairPlay shows the organizer the signals on a ladder.
func (s pages) ladderFairPlay(c echo.Context) error {
	f, err := s.directedLadder(c)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	view := fairplayview.LadderFairPlayView{Ladder: templates.Link{Text: f.ladder.Settings.Name, URL: words.LadderURL(f.ladder.ID)}}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, err := tx.SignalsOnLadder(f.ladder.ID, page.MostElsewhere)
		if err != nil {
			return err
		}
		with, err := page.ReadSignalPeople(tx, list)
		view.Signals = with.Lines(p, list)
		return err
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	sh := s.Shell(c, p.T("fairplay.ladder.title"))
	sh.Section = "ladders"
	return s.Render(c, http.StatusOK, fairplayview.LadderFairPlayPage(sh, view))
}
