package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	matchview "chpok.org/chpok/templates/match"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

// deskRoutes are what players and organizers do.
func (s *Server) deskRoutes() []route {
	return []route{
		{post, "/tournaments/:id/entries", s.addEntry, signedIn},
		{post, "/tournaments/:id/entries/:entry/withdraw", s.withdrawEntry, signedIn},
		{post, "/tournaments/:id/entries/:entry/readmit", s.readmitEntry, signedIn},
		{post, "/tournaments/:id/registration", s.openRegistration, signedIn},
		{post, "/tournaments/:id/start", s.startTournament, signedIn},
		{post, "/tournaments/:id/rounds", s.openRound, signedIn},
		{post, "/tournaments/:id/results", s.enterResult, signedIn},
		{post, "/tournaments/:id/results/undo", s.takeResultBack, signedIn},
		{post, "/tournaments/:id/finish", s.finishTournament, signedIn},
	}
}

// deed is something the viewer does to the tournament of the address.
type deed func(ctx context.Context, by player.Viewer, id tournament.ID) error

// do does it and goes back to where the form stood.
func (s *Server) do(c echo.Context, f deed, flash string) error {
	id := tournament.ID(c.Param("id"))
	if err := f(c.Request().Context(), viewer(c), id); err != nil {
		return err
	}
	if c.FormValue("back") == "players" {
		return s.redirect(c, playersURL(id), flash)
	}
	return s.redirect(c, tournamentURL(id), flash)
}

// addEntry enters a player by handle, or a guest by name.
func (s *Server) addEntry(c echo.Context) error {
	ctx, by, id := c.Request().Context(), viewer(c), tournament.ID(c.Param("id"))
	guest := strings.TrimSpace(shorten(c.FormValue("guest"), 200))
	var err error
	if guest != "" {
		rating, _ := strconv.Atoi(c.FormValue("rating"))
		_, err = s.arbiter.RegisterGuest(ctx, by, id, tournament.Candidate{
			Name: guest, Reason: strings.TrimSpace(shorten(c.FormValue("reason"), tournament.MaxReasonLength)), Club: strings.TrimSpace(shorten(c.FormValue("club"), 100)), Rating: min(max(rating, 0), tournament.MaxRating),
		})
	} else {
		handle := strings.TrimSpace(c.FormValue("handle"))
		if handle == "" {
			return s.showRefusedEntry(c, store.ErrNotFound)
		}
		_, err = s.arbiter.Register(ctx, by, id, arbiter.Application{Handle: handle, Reason: strings.TrimSpace(shorten(c.FormValue("reason"), tournament.MaxReasonLength))})
	}
	if err != nil {
		if status, _, known := explain(err); known && status != http.StatusForbidden {
			return s.showRefusedEntry(c, err)
		}
		return err
	}
	return s.redirect(c, playersURL(id)+"#add", "")
}

// ofEntry does something to the entry of the address.
func (s *Server) ofEntry(c echo.Context, f func(context.Context, player.Viewer, tournament.ID, tournament.EntryID) error) error {
	entry, err := strconv.Atoi(c.Param("entry"))
	if err != nil {
		return store.ErrNotFound
	}
	return s.do(c, func(ctx context.Context, by player.Viewer, id tournament.ID) error {
		return f(ctx, by, id, tournament.EntryID(entry))
	}, "")
}

func (s *Server) withdrawEntry(c echo.Context) error { return s.ofEntry(c, s.arbiter.Withdraw) }
func (s *Server) readmitEntry(c echo.Context) error  { return s.ofEntry(c, s.arbiter.Readmit) }
func (s *Server) openRegistration(c echo.Context) error {
	return s.doAtDesk(c, "", s.arbiter.OpenRegistration)
}
func (s *Server) startTournament(c echo.Context) error  { return s.doAtDesk(c, "", s.arbiter.Start) }
func (s *Server) finishTournament(c echo.Context) error { return s.doAtDesk(c, "", s.arbiter.Finish) }

func (s *Server) openRound(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.arbiter.OpenRound(c.Request().Context(), viewer(c), id); err != nil {
		return err
	}
	return s.redirect(c, controlURL(id), "")
}

func (s *Server) enterResult(c echo.Context) error {
	round, board, err := deskBoard(c)
	if err != nil {
		return err
	}
	kind, err := tournament.ParseResultKind(c.FormValue("result"))
	if err != nil {
		return errBadRequest
	}
	id := tournament.ID(c.Param("id"))
	if err := s.arbiter.EnterResult(c.Request().Context(), viewer(c), id, round, board, kind); err != nil {
		return err
	}
	return s.redirect(c, withQuery(controlURL(id), "entered", itoa(round)+"-"+itoa(board)), "")
}

func (s *Server) takeResultBack(c echo.Context) error {
	round, board, err := deskBoard(c)
	if err != nil {
		return err
	}
	id := tournament.ID(c.Param("id"))
	if err := s.arbiter.TakeResultBack(c.Request().Context(), viewer(c), id, round, board); err != nil {
		return err
	}
	return s.redirect(c, controlURL(id), "")
}

// deskBoard is the round and the board of a form.
func deskBoard(c echo.Context) (round, board int, err error) {
	round, err1 := strconv.Atoi(c.FormValue("round"))
	board, err2 := strconv.Atoi(c.FormValue("board"))
	if err1 != nil || err2 != nil {
		return 0, 0, errBadRequest
	}
	return round, board, nil
}

// deskPieces are the fragments of one of the pages that staff keep open.
func (s *Server) deskPieces(c echo.Context, t *tournament.Tournament, part string) ([]piece, error) {
	act := tournament.ActDesk
	if part == "calls" {
		act = tournament.ActCalls
	}
	if !t.May(viewer(c), act) {
		return nil, errForbidden
	}
	switch part {
	case "desk":
		body, err := s.controlBody(c, t)
		pieces := withHead(s.tournamentHead(c, t, "/desk"),
			piece{id: "next", what: tournamentview.NextFragment(body.Next), beside: true},
			piece{id: "desk-round", what: tournamentview.DeskRoundFragment(body.Round), beside: true},
			piece{id: "desk-calls", what: tournamentview.DeskCallsFragment(body.Calls), beside: true},
			piece{id: "control", what: tournamentview.ControlFragment(body), beside: true})
		if list := checkInList(s.printer(c), t); list != nil && t.May(viewer(c), tournament.ActCheckIn) {
			pieces = append(pieces, piece{id: "check-ins", what: tournamentview.CheckInsFragment(*list), beside: true})
		}
		return pieces, err
	case "dry-run":
		body, err := s.dryRunBody(c, t)
		return withHead(s.tournamentHead(c, t, "/dry-run"), piece{id: "dry-run", what: tournamentview.DryRunFragment(body), beside: true}), err
	case "boards":
		view, err := s.boardsView(c, t)
		return withHead(view.Head, piece{id: "boards", what: matchview.BoardsFragment(view.Body), mark: boardsMark(view.Body), beside: true}), err
	case "calls":
		view, err := s.callsView(c, t)
		return withHead(view.Head, piece{id: "calls", what: matchview.CallsFragment(view.Body), beside: true}), err
	}
	return nil, errBadRequest
}
