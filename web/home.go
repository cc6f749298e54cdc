package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

func (s *Server) homeRoutes() []route {
	return []route{{get, "/", s.home, anyone}}
}

// How much of each the home page shows.
const (
	homeMatches     = 8
	homeTournaments = 6
)

func (s *Server) home(c echo.Context) error {
	ctx, v, p, now := c.Request().Context(), viewer(c), s.printer(c), s.now()
	if !v.IsSignedIn() {
		needed, err := s.needsSetup(ctx)
		if err != nil {
			return err
		}
		if needed {
			return s.redirect(c, "/setup", "")
		}
	}
	var running, open, finished []store.TournamentLine
	var mine, all []store.Head
	var who map[player.ID]player.Player
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		list := func(st tournament.Status) (lines []store.TournamentLine) {
			if err == nil {
				lines, _, err = tx.Tournaments(store.TournamentQuery{Statuses: []tournament.Status{st}, Limit: homeTournaments})
			}
			return lines
		}
		running, open, finished = list(tournament.Running), list(tournament.Registration), list(tournament.Finished)
		if err != nil {
			return err
		}
		if all, err = tx.RunningMatches(homeMatches); err != nil {
			return err
		}
		if v.IsSignedIn() {
			if mine, err = tx.MatchesOf(v.ID, homeMatches); err != nil {
				return err
			}
		}
		var ids []player.ID
		for _, h := range append(append([]store.Head{}, mine...), all...) {
			ids = append(ids, h.Players[0], h.Players[1])
		}
		who, err = tx.Players(ids...)
		return err
	})
	if err != nil {
		return err
	}
	view := templates.HomeView{IsSignedIn: v.IsSignedIn(), MayCreate: v.MayCreateTournament()}
	for _, h := range mine {
		if h.Status != match.Over {
			view.Mine = append(view.Mine, matchLine(p, v.ID, h, who, now))
		}
	}
	for _, h := range all {
		if h.SeatOf(v.ID) == 0 {
			view.Live = append(view.Live, liveLine(p, h, who))
		}
	}
	for _, t := range running {
		view.Running = append(view.Running, tournamentLine(p, t, now))
	}
	for _, t := range open {
		view.Open = append(view.Open, tournamentLine(p, t, now))
	}
	for _, t := range finished {
		view.Finished = append(view.Finished, tournamentLine(p, t, now))
	}
	sh := s.shell(c, p.T("home.title"))
	sh.Styles = []string{"home.css"}
	return s.render(c, http.StatusOK, templates.HomePage(sh, view))
}

// liveLine is a match as watchers see it in a list.
func liveLine(p lang.Printer, h store.Head, who map[player.ID]player.Player) templates.LiveLine {
	return templates.LiveLine{
		URL: matchURL(h.ID), First: string(who[h.Players[0]].Handle), Second: string(who[h.Players[1]].Handle), Phase: p.T("player.match." + phaseWord(h.Status)),
	}
}
