package web

import (
	"context"
	"errors"
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
)

func (s *Server) scheduleRoutes() []route {
	return []route{
		{get, "/tournaments/:id/desk", s.controlDesk, signedIn},
		{post, "/tournaments/:id/pause", s.pauseRounds, signedIn},
		{post, "/tournaments/:id/continue", s.continueRounds, signedIn},
		{post, "/tournaments/:id/postpone", s.postponeRound, signedIn},
		{post, "/tournaments/:id/extend", s.extendWait, signedIn},
		{post, "/tournaments/:id/uncheck", s.uncheckAll, signedIn},
		{post, "/tournaments/:id/entries/:entry/check-in", s.checkInEntry, signedIn},

		{get, "/absences", s.absences, signedIn},
		{post, "/absences/:absence/appeal", s.appealAbsence, signedIn},
		{post, "/absences/:absence/verdict", s.decideAbsence, signedIn},

		// dryruns.go
		{get, "/tournaments/:id/dry-run", s.dryRun, signedIn},
		{post, "/tournaments/:id/dry-run", s.startDryRun, signedIn},
		{post, "/tournaments/:id/dry-run/cancel", s.cancelDryRun, signedIn},
		{post, "/tournaments/:id/dry-run/rehearsal", s.rehearse, signedIn},
	}
}

// controlForm is which form of the desk was refused, and why.
type controlForm struct {
	name string // pause, postpone, extend; empty: none was
	err  error
}

func controlURL(id tournament.ID) string { return tournamentURL(id) + "/desk" }

func (s *Server) controlDesk(c echo.Context) error { return s.showControl(c, controlForm{}) }

func (s *Server) showControl(c echo.Context, refused controlForm) error {
	t, err := s.staffed(c)
	if err != nil {
		return err
	}
	view, err := s.controlView(c, t, refused)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if refused.err != nil {
		status, _, _ = explain(refused.err)
	}
	sh := s.tournamentShell(c, t, s.printer(c).T("schedule.desk"), "desk")
	sh.Wide, sh.Scripts = true, append(sh.Scripts, "desk.js")
	sh.Styles = append(sh.Styles, "calls.css", "desk.css")
	return s.render(c, status, tournamentview.ControlPage(sh, view))
}

// doAtDesk does something and comes back to the desk; what a form can tell its
// writer stands at its field.
func (s *Server) doAtDesk(c echo.Context, form string, f deed) error {
	id := tournament.ID(c.Param("id"))
	err := f(c.Request().Context(), viewer(c), id)
	if err != nil && form != "" && isRefusal(err) {
		return s.showControl(c, controlForm{form, err})
	}
	if err != nil {
		return err
	}
	return s.redirect(c, controlURL(id), "flash.saved")
}

func (s *Server) pauseRounds(c echo.Context) error {
	return s.doAtDesk(c, "pause", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		return s.arbiter.PauseRounds(ctx, by, id, c.FormValue("pause_reason"), c.FormValue("matches") != "")
	})
}

func (s *Server) continueRounds(c echo.Context) error {
	return s.doAtDesk(c, "", s.arbiter.ContinueRounds)
}

func (s *Server) uncheckAll(c echo.Context) error { return s.doAtDesk(c, "", s.arbiter.UncheckAll) }

func (s *Server) postponeRound(c echo.Context) error {
	return s.doAtDesk(c, "postpone", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		round, err := strconv.Atoi(c.FormValue("round"))
		if err != nil {
			return tournament.ErrNoRoundsLeft
		}
		var to time.Time
		if text := strings.TrimSpace(c.FormValue("to")); text != "" {
			if to, err = time.ParseInLocation(timeLayout, strings.Replace(text, "T", " ", 1), s.printer(c).Zone); err != nil {
				return tournament.ErrTime
			}
		}
		return s.arbiter.Postpone(ctx, by, id, round, to, c.FormValue("shift") != "", strings.TrimSpace(shorten(c.FormValue("postpone_reason"), tournament.MaxReason)))
	})
}

func (s *Server) extendWait(c echo.Context) error {
	return s.doAtDesk(c, "extend", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		board, err := strconv.Atoi(c.FormValue("board"))
		if err != nil {
			return errBadRequest
		}
		more, err := readDuration(c.FormValue("more"))
		if err != nil {
			return tournament.ErrTime
		}
		reason := strings.TrimSpace(shorten(c.FormValue("extend_reason"), match.MaxWhy))
		if reason == "" {
			return tournament.ErrReason
		}
		_, err = s.arbiter.ExtendWait(ctx, by, id, board, more, reason)
		return err
	})
}

var errDuration = errors.New("web: a duration is minutes, or minutes:seconds")

// readDuration reads "5", "1:30" (minutes and seconds) and "0:45".
func readDuration(text string) (time.Duration, error) {
	minutes, seconds, both := strings.Cut(strings.TrimSpace(text), ":")
	m, err := strconv.Atoi(minutes)
	if err != nil || m < 0 || m > 1_000_000 {
		return 0, errDuration
	}
	if !both {
		return time.Duration(m) * time.Minute, nil
	}
	n, err := strconv.Atoi(seconds)
	if err != nil || n < 0 || n > 59 || len(seconds) != 2 {
		return 0, errDuration
	}
	return time.Duration(m)*time.Minute + time.Duration(n)*time.Second, nil
}

// writeDuration writes what readDuration reads.
func writeDuration(d time.Duration) string {
	text := itoa(int(d / time.Minute))
	if rest := int(d % time.Minute / time.Second); rest > 0 {
		text += ":" + itoa(rest/10) + itoa(rest%10)
	}
	return text
}

func (s *Server) checkInEntry(c echo.Context) error {
	return s.doAtDesk(c, "", func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		e, err := strconv.Atoi(c.Param("entry"))
		if err != nil {
			return tournament.ErrNoEntry
		}
		return s.arbiter.CheckIn(ctx, by, id, tournament.EntryID(e), c.FormValue("out") == "")
	})
}

// readyRoutes are what players do before their boards open.
func (s *Server) readyRoutes() []route {
	return []route{
		{post, "/tournaments/:id/ready", s.sayReady, signedIn},
		{post, "/tournaments/:id/ready/claim", s.claimForfeit, signedIn},
		{post, "/tournaments/:id/check-in", s.checkInOwn, signedIn},
	}
}

// atOwnBoard does a command in the viewer's match of the open round and goes on to an
// address, or to the match. What is refused stands on the tournament's page.
func (s *Server) atOwnBoard(c echo.Context, to string, command func(match.Seat) match.Command) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	b, _, ok := ownBoard(t, viewer(c))
	if !ok || b.Match == "" {
		return tournament.ErrNoBoard
	}
	_, err = s.command(c, b.Match, func(_ match.Game, seat match.Seat) (live.Request, error) {
		return live.Request{Command: command(seat)}, nil
	})
	if status, text := s.commandTrouble(c, err); text != "" {
		return s.showLive(c, status, func(view *tournamentview.LiveView) { view.Trouble = text })
	}
	if err != nil {
		return err
	}
	if to == "" {
		to = matchURL(b.Match)
	}
	return s.redirect(c, to, "")
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
	return s.atOwnBoard(c, tournamentURL(tournament.ID(c.Param("id"))), func(seat match.Seat) match.Command {
		return match.ClaimForfeit{Seat: seat}
	})
}

func (s *Server) checkInOwn(c echo.Context) error {
	id, in := tournament.ID(c.Param("id")), c.FormValue("out") == ""
	if err := s.arbiter.CheckInOwn(c.Request().Context(), viewer(c), id, in); err != nil {
		return err
	}
	return s.redirect(c, tournamentURL(id), "flash.saved")
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
		status, _, _ = explain(refused)
	}
	return s.render(c, status, tournamentview.AbsencesPage(s.shell(c, s.printer(c).T("schedule.absences")), view))
}

func (s *Server) appealAbsence(c echo.Context) error {
	id := c.Param("absence")
	err := s.arbiter.Appeal(c.Request().Context(), viewer(c), id, c.FormValue("text-"+id))
	if err != nil && isRefusal(err) {
		return s.showAbsences(c, id, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(c, "/absences", "flash.saved")
}

func (s *Server) decideAbsence(c echo.Context) error {
	id, verdict := c.Param("absence"), player.Upheld
	if c.FormValue("verdict") == player.Excused.String() {
		verdict = player.Excused
	}
	at, err := s.arbiter.DecideAppeal(c.Request().Context(), viewer(c), id, verdict, c.FormValue("text-"+id))
	if err != nil {
		return err
	}
	return s.redirect(c, controlURL(at), "flash.saved")
}
