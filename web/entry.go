package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

func (s *Server) entryRoutes() []route {
	return []route{
		{post, "/tournaments/:id/register", s.enterTournament, signedIn},
		{post, "/tournaments/:id/withdraw", s.leaveTournament, signedIn},
		{post, "/tournaments/:id/return", s.returnToTournament, signedIn},
		{post, "/tournaments/:id/byes", s.askBye, signedIn},
	}
}

// registrationText is when one can enter, where one cannot now.
func registrationText(p lang.Printer, t *tournament.Tournament, now time.Time) string {
	switch opens := t.Settings.Entry.Opens; {
	case t.Status != tournament.Registration || t.IsOpen(now):
		return ""
	case now.Before(opens):
		return p.T("entry.opens", "Time", p.DateTime(opens))
	}
	return p.T("entry.closed")
}

func (s *Server) enterTournament(c echo.Context) error {
	if err := s.acceptFairPlayText(c); err != nil {
		return err
	}
	id := tournament.ID(c.Param("id"))
	code := shorten(c.FormValue("code"), 100)
	var e tournament.Entry
	err := s.mayTry(c, code)
	if err == nil {
		e, err = s.arbiter.Register(c.Request().Context(), viewer(c), id, arbiter.Application{Code: code})
	}
	if err != nil {
		return s.refuseOwn(c, err, func(o *tournamentview.OwnEntry, text string) {
			if o.Code != nil {
				o.Code.Value, o.Code.Error = code, text
				return
			}
			o.Refusal = text
		})
	}
	flash := "flash.tournament-entered"
	switch e.Status {
	case tournament.Waiting:
		flash = "flash.entry-waiting"
	case tournament.Requested:
		flash = "flash.entry-requested"
	}
	return s.redirect(c, tournamentURL(id), flash)
}

// refuseOwn shows the first page again with what was wrong.
func (s *Server) refuseOwn(c echo.Context, refused error, show func(*tournamentview.OwnEntry, string)) error {
	status, key, known := explain(refused)
	if !known || status == http.StatusNotFound {
		return refused
	}
	return s.showLive(c, status, func(view *tournamentview.LiveView) {
		show(&view.Body.Own, errorText(s.printer(c), key, refused))
		if errors.Is(refused, player.ErrBarred) {
			view.Body.Own.Help = templates.Link{Text: s.printer(c).T("schedule.absences"), URL: "/absences"}
		}
	})
}

func (s *Server) leaveTournament(c echo.Context) error {
	return s.do(c, func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		return s.arbiter.WithdrawPlayer(ctx, by, id, string(by.Handle))
	}, "flash.tournament-left")
}

func (s *Server) returnToTournament(c echo.Context) error {
	err := s.arbiter.Return(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")))
	if err != nil {
		return s.refuseOwn(c, err, func(o *tournamentview.OwnEntry, text string) { o.Refusal = text })
	}
	return s.redirect(c, tournamentURL(tournament.ID(c.Param("id"))), "flash.entry-returned")
}

// byeKind reads what was chosen: nothing said is an absence.
func byeKind(word string) (tournament.Outcome, bool) {
	kind, known := map[string]tournament.Outcome{
		"": tournament.ZeroBye, "zero": tournament.ZeroBye, "half": tournament.HalfBye, "full": tournament.FullBye, "none": tournament.NoRecord,
	}[word]
	return kind, known
}

// askBye is a player's own wish to sit out a round, or that he will play after all.
func (s *Server) askBye(c echo.Context) error {
	round, err := strconv.Atoi(c.FormValue("round"))
	kind, known := byeKind(c.FormValue("kind"))
	if err != nil || !known {
		return errBadRequest
	}
	id := tournament.ID(c.Param("id"))
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	e, entered := t.EntryOf(viewer(c).ID)
	if !entered {
		return tournament.ErrNoEntry
	}
	if err := s.arbiter.AskBye(c.Request().Context(), viewer(c), id, e.ID, round, kind); err != nil {
		return s.refuseOwn(c, err, func(o *tournamentview.OwnEntry, text string) { o.Refusal = text })
	}
	return s.redirect(c, tournamentURL(id), "flash.saved")
}
