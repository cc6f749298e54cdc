package page

import (
	"errors"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/notice"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/web/words"
)

// alerts is the news for the viewer in the frame of each page.
type alerts struct {
	unread int // number of notices
	called templates.Called
}

func (s *Site) alerts(c echo.Context) (a alerts, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if a.unread, err = tx.UnreadNotices(Viewer(c).ID, s.Now()); err != nil {
			return err
		}
		a.called, err = calledTo(s, tx, c)
		return err
	})
	return a, err
}

// calledTo returns the first of the viewer's matches that has opened or is running, unless this is its own page.
// Matches with days to act do not count.
func calledTo(s *Site, tx *store.Tx, c echo.Context) (v templates.Called, err error) {
	me, p, now := Viewer(c).ID, s.Printer(c), s.Now()
	running, err := tx.RunningOf(me)
	if err != nil {
		return v, err
	}
	for _, h := range running {
		isHere := strings.HasPrefix(c.Path(), "/matches/:id") && c.Param("id") == string(h.ID)
		isOpening := h.Status == match.Waiting && h.WaitsFor(me)
		if isHere || h.Deadline.IsZero() || h.Deadline.Sub(now) > notice.SlowTurn || h.Status == match.Waiting && !isOpening {
			continue
		}
		them := h.SeatOf(me).Other().Index()
		other, err := tx.Player(h.Players[them])
		if err != nil {
			return v, err
		}
		ref, err := tx.PairingOf(h.ID)
		isOfEvent := err == nil
		if !isOfEvent && !errors.Is(err, store.ErrNotFound) {
			return v, err
		}
		name := words.NameIn(p, other, ref.Names[them])
		v = templates.Called{
			URL: words.MatchURL(h.ID), Text: p.T("core.called.runs", "Name", name), Now: now.UnixMilli(),
			Mark: string(h.ID) + " " + strconv.FormatBool(isOpening),
		}
		if isOpening {
			left := max(0, h.Deadline.Sub(now))
			v.Text = p.T("core.called.opened", "Name", name)
			v.Left, v.Deadline, v.Clock = left.Milliseconds(), h.Deadline.UnixMilli(), words.ClockText(p, left)
		}
		runs := false // whoever runs it is not carried off the desk
		if isOfEvent {
			if runs, err = tx.IsStaff(ref.Tournament, me); err != nil {
				return v, err
			}
		}
		v.Goes = goesTo(c, isOfEvent && !runs)
		return v, nil
	}
	return v, nil
}

// goesTo reports whether pages shall go to the match by themselves. By default they do for a tournament's match, as
// only players who are present get paired, but not for those who run it.
func goesTo(c echo.Context, isOfEvent bool) bool {
	switch PlayOf(c).Of("go") {
	case "always":
		return true
	case "never":
		return false
	}
	return isOfEvent
}
