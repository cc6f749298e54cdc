package tournament

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) entryRoutes() []page.Route {
	return []page.Route{
		page.Post("/tournaments/:id/register", s.enterTournament, page.SignedIn),
		page.Post("/tournaments/:id/withdraw", s.leaveTournament, page.SignedIn),
		page.Post("/tournaments/:id/return", s.returnToTournament, page.SignedIn),
		page.Post("/tournaments/:id/play-here", s.playHere, page.SignedIn),
		page.Post("/tournaments/:id/byes", s.askBye, page.SignedIn),
	}
}

// registrationText says when registration opens or that it is closed; empty if it is open.
func registrationText(p lang.Printer, t *tournament.Tournament, now time.Time) string {
	switch opens := t.Settings.Entry.Opens; {
	case t.Status != tournament.Registration || t.IsOpen(now):
		return ""
	case now.Before(opens):
		return p.T("entry.opens", "Time", p.On(opens))
	case t.Origin.IsAwaited():
		return p.N("tournament.groups.on", t.Origin.Each)
	}
	return p.T("entry.closed")
}

func (s pages) enterTournament(c echo.Context) error {
	if err := s.AcceptFairPlayText(c); err != nil {
		return err
	}
	id := tournament.ID(c.Param("id"))
	code := words.Shorten(c.FormValue("code"), 100)
	var e tournament.Entry
	err := s.MayTry(c, code)
	if err == nil {
		e, err = s.Arbiter.Entries.Register(c.Request().Context(), page.Viewer(c), id, entries.Application{Code: code, Camp: words.AtoiOr(c.FormValue("camp"), 0)})
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
	return s.Redirect(c, words.TournamentURL(id), flash)
}

// refuseOwn shows the first page again with why something was refused.
func (s pages) refuseOwn(c echo.Context, refused error, show func(*tournamentview.OwnEntry, string)) error {
	status, isTold := page.InPlace(refused, http.StatusNotFound)
	if !isTold {
		return refused
	}
	return s.showLive(c, status, func(view *tournamentview.LiveView) {
		show(&view.Body.Own, page.TextOf(s.Printer(c), refused))
		if errors.Is(refused, player.ErrBarred) {
			view.Body.Own.Help = templates.Link{Text: s.Printer(c).T("schedule.absences"), URL: "/absences"}
		}
	})
}

func (s pages) leaveTournament(c echo.Context) error {
	return s.Do(c, func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		return s.Arbiter.Entries.WithdrawPlayer(ctx, by, id, string(by.Handle))
	}, "flash.tournament-left")
}

func (s pages) playHere(c echo.Context) error {
	return s.Do(c, s.Arbiter.Entries.PlayHere, "flash.saved")
}

func (s pages) returnToTournament(c echo.Context) error {
	err := s.Arbiter.Entries.Return(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")))
	if err != nil {
		return s.refuseOwn(c, err, func(o *tournamentview.OwnEntry, text string) { o.Refusal = text })
	}
	return s.Redirect(c, words.TournamentURL(tournament.ID(c.Param("id"))), "flash.entry-returned")
}

// askBye asks for a bye in a round for the viewer, or takes that back.
func (s pages) askBye(c echo.Context) error {
	round, err := strconv.Atoi(c.FormValue("round"))
	kind, known := words.ByeKind(c.FormValue("kind"))
	if err != nil || !known {
		return page.ErrBadRequest
	}
	id := tournament.ID(c.Param("id"))
	if err := s.Arbiter.Entries.AskBye(c.Request().Context(), page.Viewer(c), id, entries.Bye{Round: round, Kind: kind}); err != nil {
		return s.refuseOwn(c, err, func(o *tournamentview.OwnEntry, text string) { o.Refusal = text })
	}
	return s.Redirect(c, words.TournamentURL(id), "flash.saved")
}
