package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s *Server) scheduleRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/desk", s.controlDesk, page.SignedIn),
		page.Post("/tournaments/:id/pause", s.pauseRounds, page.SignedIn),
		page.Post("/tournaments/:id/continue", s.continueRounds, page.SignedIn),
		page.Post("/tournaments/:id/postpone", s.postponeRound, page.SignedIn),
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

// controlForm is which form of the desk was refused, and why.
type controlForm struct {
	name string // pause, postpone, extend; empty: none was
	err  error
}

func controlURL(id tournament.ID) string { return words.TournamentURL(id) + "/desk" }

func (s *Server) controlDesk(c echo.Context) error { return s.showControl(c, controlForm{}) }

func (s *Server) showControl(c echo.Context, refused controlForm) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	view, err := s.controlView(c, t, refused)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if refused.err != nil {
		status, _, _ = page.Explain(refused.err)
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("schedule.desk"), "desk")
	sh.Wide, sh.Scripts = true, append(sh.Scripts, "desk.js")
	sh.Styles = append(sh.Styles, "calls.css", "desk.css")
	return s.Render(c, status, tournamentview.ControlPage(sh, view))
}

// doAtDesk does something and comes back to the desk; what a form can tell its
// writer stands at its field.
func (s *Server) doAtDesk(c echo.Context, form string, f words.Deed) error {
	id := tournament.ID(c.Param("id"))
	err := f(c.Request().Context(), page.Viewer(c), id)
	if err != nil && form != "" && page.IsRefusal(err) {
		return s.showControl(c, controlForm{form, err})
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, controlURL(id), "flash.saved")
}

func (s *Server) pauseRounds(c echo.Context) error {
	return s.doAtDesk(c, "pause", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		return s.Arbiter.PauseRounds(ctx, by, id, c.FormValue("pause_reason"), c.FormValue("matches") != "")
	})
}

func (s *Server) continueRounds(c echo.Context) error {
	return s.doAtDesk(c, "", s.Arbiter.ContinueRounds)
}

func (s *Server) uncheckAll(c echo.Context) error { return s.doAtDesk(c, "", s.Arbiter.UncheckAll) }

func (s *Server) postponeRound(c echo.Context) error {
	return s.doAtDesk(c, "postpone", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		round, err := strconv.Atoi(c.FormValue("round"))
		if err != nil {
			return tournament.ErrNoRoundsLeft
		}
		var to time.Time
		if text := strings.TrimSpace(c.FormValue("to")); text != "" {
			if to, err = time.ParseInLocation(form.TimeLayout, strings.Replace(text, "T", " ", 1), s.Printer(c).Zone); err != nil {
				return tournament.ErrTime
			}
		}
		return s.Arbiter.Postpone(ctx, by, id, round, to, c.FormValue("shift") != "", strings.TrimSpace(words.Shorten(c.FormValue("postpone_reason"), tournament.MaxReason)))
	})
}

func (s *Server) extendWait(c echo.Context) error {
	return s.doAtDesk(c, "extend", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		board, err := strconv.Atoi(c.FormValue("board"))
		if err != nil {
			return page.ErrBadRequest
		}
		more, err := words.ReadDuration(c.FormValue("more"))
		if err != nil {
			return tournament.ErrTime
		}
		reason := strings.TrimSpace(words.Shorten(c.FormValue("extend_reason"), match.MaxWhy))
		if reason == "" {
			return tournament.ErrReason
		}
		_, err = s.Arbiter.ExtendWait(ctx, by, id, board, more, reason)
		return err
	})
}

func (s *Server) checkInEntry(c echo.Context) error {
	return s.doAtDesk(c, "", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		e, err := strconv.Atoi(c.Param("entry"))
		if err != nil {
			return tournament.ErrNoEntry
		}
		return s.Arbiter.CheckIn(ctx, by, id, tournament.EntryID(e), c.FormValue("out") == "")
	})
}

// readyRoutes are what players do before their boards open.
func (s *Server) readyRoutes() []page.Route {
	return []page.Route{
		page.Post("/tournaments/:id/ready", s.sayReady, page.SignedIn),
		page.Post("/tournaments/:id/ready/claim", s.claimForfeit, page.SignedIn),
		page.Post("/tournaments/:id/check-in", s.checkInOwn, page.SignedIn),
	}
}

// atOwnBoard does a command in the viewer's match of the open round and goes on to an
// address, or to the match. What is refused stands on the tournament's page.
func (s *Server) atOwnBoard(c echo.Context, to string, command func(match.Seat) match.Command) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	b, _, ok := ownBoard(t, page.Viewer(c))
	if !ok || b.Match == "" {
		return tournament.ErrNoBoard
	}
	_, err = s.Command(c, b.Match, func(_ match.Game, seat match.Seat) (live.Request, error) {
		return live.Request{Command: command(seat)}, nil
	})
	if status, text := s.CommandTrouble(c, err); text != "" {
		return s.showLive(c, status, func(view *tournamentview.LiveView) { view.Trouble = text })
	}
	if err != nil {
		return err
	}
	if to == "" {
		to = words.MatchURL(b.Match)
	}
	return s.Redirect(c, to, "")
}

// ownBoard is where the viewer sits in the open round, without a result.
func ownBoard(t *tournament.Tournament, v player.Viewer) (tournament.Pairing, match.Seat, bool) {
	e, entered := t.EntryOf(v.ID)
	if !entered || len(t.Rounds) == 0 {
		return tournament.Pairing{}, 0, false
	}
	for _, p := range t.Rounds[len(t.Rounds)-1].Pairings {
		if seat := p.SeatOf(e.ID); seat.Valid() && p.Result.IsPending() {
			return p, seat, true
		}
	}
	return tournament.Pairing{}, 0, false
}

func (s *Server) sayReady(c echo.Context) error {
	return s.atOwnBoard(c, "", func(seat match.Seat) match.Command { return match.Ready{Seat: seat} })
}

func (s *Server) claimForfeit(c echo.Context) error {
	return s.atOwnBoard(c, words.TournamentURL(tournament.ID(c.Param("id"))), func(seat match.Seat) match.Command {
		return match.ClaimForfeit{Seat: seat}
	})
}

func (s *Server) checkInOwn(c echo.Context) error {
	id, in := tournament.ID(c.Param("id")), c.FormValue("out") == ""
	if err := s.Arbiter.CheckInOwn(c.Request().Context(), page.Viewer(c), id, in); err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id), "flash.saved")
}

func (s *Server) absences(c echo.Context) error { return s.showAbsences(c, "", nil) }

// showAbsences is the viewer's record; refused is why the appeal of one of them
// was not taken.
func (s *Server) showAbsences(c echo.Context, id string, refused error) error {
	view, err := s.absencesView(c, id, refused)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if refused != nil {
		status, _, _ = page.Explain(refused)
	}
	return s.Render(c, status, tournamentview.AbsencesPage(s.Shell(c, s.Printer(c).T("schedule.absences")), view))
}

func (s *Server) appealAbsence(c echo.Context) error {
	id := c.Param("absence")
	err := s.Arbiter.Appeal(c.Request().Context(), page.Viewer(c), id, c.FormValue("text-"+id))
	if err != nil && page.IsRefusal(err) {
		return s.showAbsences(c, id, err)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, "/absences", "flash.saved")
}

func (s *Server) decideAbsence(c echo.Context) error {
	id, verdict := c.Param("absence"), player.Upheld
	if c.FormValue("verdict") == player.Excused.String() {
		verdict = player.Excused
	}
	at, err := s.Arbiter.DecideAppeal(c.Request().Context(), page.Viewer(c), id, verdict, c.FormValue("text-"+id))
	if err != nil {
		return err
	}
	return s.Redirect(c, controlURL(at), "flash.saved")
}
