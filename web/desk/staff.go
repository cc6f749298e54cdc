package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s staff) staffRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/staff", s.staffPage, page.SignedIn),
		page.Post("/tournaments/:id/staff", s.appoint, page.SignedIn),
		page.Post("/tournaments/:id/staff/accept", s.acceptDuty, page.SignedIn),
		page.Post("/tournaments/:id/staff/decline", s.declineDuty, page.SignedIn),
		page.Post("/tournaments/:id/staff/dismiss", s.dismiss, page.SignedIn),
	}
}

func (s staff) staffPage(c echo.Context) error { return s.showStaff(c, nil) }

// showStaff shows who runs a tournament; refused is why the last change was not made.
func (s staff) showStaff(c echo.Context, refused error) error {
	t, err := s.TournamentFor(c, tournament.ActDesk)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	view, err := s.StaffView(c, t)
	if err != nil {
		return err
	}
	status := s.RefuseStaff(c, &view, refused)
	return s.Render(c, status, eventview.StaffPage(s.TournamentShell(c, t, p.T("staff.title"), "staff"), view))
}

// appoint invites somebody, or gives a member of the staff another duty.
func (s staff) appoint(c echo.Context) error {
	duty, err := tournament.ParseDuty(c.FormValue("duty"))
	if err != nil {
		return page.ErrBadRequest
	}
	id := tournament.ID(c.Param("id"))
	return s.staffDone(c, s.Arbiter.Events.Appoint(c.Request().Context(), page.Viewer(c), id, handleOf(c), duty))
}

func (s staff) dismiss(c echo.Context) error {
	id, handle := tournament.ID(c.Param("id")), handleOf(c)
	err := s.Arbiter.Events.Dismiss(c.Request().Context(), page.Viewer(c), id, handle)
	if err == nil && player.Handle(handle).Key() == page.Viewer(c).Handle.Key() {
		return s.Redirect(c, words.TournamentURL(id), "flash.saved")
	}
	return s.staffDone(c, err)
}

// handleOf reads a handle, with or without @.
func handleOf(c echo.Context) string {
	return words.Shorten(c.FormValue("handle"), 40)
}

func (s staff) staffDone(c echo.Context, err error) error {
	if err != nil {
		if _, isTold := page.InPlace(err, http.StatusForbidden); isTold {
			return s.showStaff(c, err)
		}
		return err
	}
	return s.Redirect(c, words.TournamentURL(tournament.ID(c.Param("id")))+"/staff", "flash.saved")
}

func (s staff) acceptDuty(c echo.Context) error {
	return s.Do(c, s.Arbiter.Events.AcceptDuty, "flash.staff-accepted")
}

func (s staff) declineDuty(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Events.Dismiss(c.Request().Context(), page.Viewer(c), id, string(page.Viewer(c).Handle)); err != nil {
		return err
	}
	return s.Redirect(c, "/tournaments", "flash.saved")
}
