package desk

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	deskoffice "chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s control) scheduleRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/desk", s.controlDesk, page.SignedIn),
		page.Post("/tournaments/:id/pause", s.pauseRounds, page.SignedIn),
		page.Post("/tournaments/:id/continue", s.continueRounds, page.SignedIn),
		page.Post("/tournaments/:id/postpone", s.postponeRound, page.SignedIn),
		page.Post("/tournaments/:id/rounds-count", s.setRounds, page.SignedIn),
		page.Post("/tournaments/:id/extend", s.extendWait, page.SignedIn),
		page.Post("/tournaments/:id/uncheck", s.uncheckAll, page.SignedIn),
		page.Post("/tournaments/:id/entries/:entry/check-in", s.checkInEntry, page.SignedIn),

		page.Get("/absences", s.absences, page.SignedIn),
		page.Post("/absences/:absence/appeal", s.appealAbsence, page.SignedIn),
		page.Post("/absences/:absence/verdict", s.decideAbsence, page.SignedIn),

		// dryruns.go
		page.Get("/tournaments/:id/dry-run", s.dryRun, page.SignedIn),
		page.Post("/tournaments/:id/dry-run", s.startDryRun, page.SignedIn),
		page.Post("/tournaments/:id/dry-run/cancel", s.cancelDryRun, page.SignedIn),
		page.Post("/tournaments/:id/dry-run/rehearsal", s.rehearse, page.SignedIn),
	}
}

// controlForm names the form of the desk that was refused, and why.
type controlForm struct {
	name string // pause, postpone, rounds, extend; empty: none
	err  error
}

// ControlURL returns the control desk of a tournament.
func ControlURL(id tournament.ID) string { return words.TournamentURL(id) + "/desk" }

func (s control) controlDesk(c echo.Context) error { return s.showControl(c, controlForm{}) }

func (s control) showControl(c echo.Context, refused controlForm) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	view, err := s.controlView(c, t, refused)
	if err != nil {
		return err
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("schedule.desk"), "desk")
	sh.Wide, sh.Scripts = true, append(sh.Scripts, "desk.js", "countdown.js")
	sh.Styles = append(sh.Styles, "calls.css", "desk.css")
	return s.Render(c, page.StatusOf(refused.err), deskview.ControlPage(sh, view))
}

// doAtDesk runs f and goes back to the desk. A refusal is shown at the form; without a form it is an error page.
func (s control) doAtDesk(c echo.Context, form string, f words.Deed) error {
	id := tournament.ID(c.Param("id"))
	err := f(c.Request().Context(), page.Viewer(c), id)
	if err == nil && c.FormValue("desk") != "" {
		return s.backToDesk(c, "", 0, 0)
	}
	if form == "" {
		if err != nil {
			return err
		}
		return s.Redirect(c, ControlURL(id), "")
	}
	again := func(c echo.Context, refused error) error { return s.showControl(c, controlForm{form, refused}) }
	return s.Answer(c, err, again, ControlURL(id), "flash.saved")
}

func (s control) pauseRounds(c echo.Context) error {
	return s.doAtDesk(c, "pause", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		return s.Arbiter.Desk.PauseRounds(ctx, by, id, c.FormValue("pause_reason"), c.FormValue("pause_matches") != "")
	})
}

func (s control) continueRounds(c echo.Context) error {
	return s.doAtDesk(c, "", s.Arbiter.Desk.ContinueRounds)
}

func (s control) uncheckAll(c echo.Context) error {
	return s.doAtDesk(c, "", s.Arbiter.Desk.UncheckAll)
}

func (s control) postponeRound(c echo.Context) error {
	return s.doAtDesk(c, "postpone", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		round, err := strconv.Atoi(c.FormValue("round"))
		if err != nil {
			return tournament.ErrNoRoundsLeft
		}
		var to time.Time
		if text := strings.TrimSpace(c.FormValue("to")); text != "" {
			t, err := s.Staffed(c)
			if err != nil {
				return err
			}
			planned, _ := t.RoundAt(round)
			set, _ := t.FixedAt(round)                                                                         // also while the event is paused
			if to, err = civil.Read(text, s.Printer(c).Zone, []time.Time{planned, set}, s.Now()); err != nil { // the event's
				return tournament.ErrTime
			}
		}
		return s.Arbiter.Desk.Postpone(ctx, kernel.For(by, strings.TrimSpace(words.Shorten(c.FormValue("postpone_reason"),
			tournament.MaxReason))), id, deskoffice.NewTime{Round: round, To: to, Shift: c.FormValue("shift") != ""})
	})
}

// setRounds changes how many rounds a running Swiss has.
func (s control) setRounds(c echo.Context) error {
	return s.doAtDesk(c, "rounds", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		return s.Arbiter.Desk.SetRounds(ctx, kernel.For(by, strings.TrimSpace(words.Shorten(c.FormValue("rounds_reason"),
			tournament.MaxReason))), id, words.AtoiOr(strings.TrimSpace(c.FormValue("rounds")), 0), c.FormValue("sure") != "")
	})
}

func (s control) extendWait(c echo.Context) error {
	return s.doAtDesk(c, "extend", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		more, err := words.ReadDuration(c.FormValue("more"))
		if err != nil {
			return tournament.ErrTime
		}
		reason := strings.TrimSpace(words.Shorten(c.FormValue("extend_reason"), match.MaxWhy))
		if reason == "" {
			return tournament.ErrReason
		}
		_, err = s.Arbiter.Desk.ExtendWait(ctx, kernel.For(by, reason), id, match.ID(c.FormValue("match")), more)
		return err
	})
}

func (s control) checkInEntry(c echo.Context) error {
	return s.doAtDesk(c, "", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		e, err := strconv.Atoi(c.Param("entry"))
		if err != nil {
			return tournament.ErrNoEntry
		}
		return s.Arbiter.Desk.CheckIn(ctx, by, id, tournament.EntryID(e), c.FormValue("out") == "")
	})
}

func (s control) absences(c echo.Context) error { return s.showAbsences(c, "", nil) }

// showAbsences shows the viewer's record; refused is why the appeal against absence id was not taken.
func (s control) showAbsences(c echo.Context, id string, refused error) error {
	view, err := s.absencesView(c, id, refused)
	if err != nil {
		return err
	}
	return s.Render(c, page.StatusOf(refused), deskview.AbsencesPage(s.Shell(c, s.Printer(c).T("schedule.absences")), view))
}

func (s control) appealAbsence(c echo.Context) error {
	id := c.Param("absence")
	err := s.Arbiter.Rounds.Appeal(c.Request().Context(), page.Viewer(c), id, c.FormValue("text-"+id))
	return s.Answer(c, err, func(c echo.Context, refused error) error { return s.showAbsences(c, id, refused) }, "/absences", "flash.saved")
}

func (s control) decideAbsence(c echo.Context) error {
	id, verdict := c.Param("absence"), player.Upheld
	if c.FormValue("verdict") == player.Excused.String() {
		verdict = player.Excused
	}
	at, err := s.Arbiter.Rounds.DecideAppeal(c.Request().Context(), page.Viewer(c), id, verdict, c.FormValue("text-"+id))
	if err != nil {
		return err
	}
	return s.Redirect(c, ControlURL(at), "flash.saved")
}
