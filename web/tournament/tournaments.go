package tournament

import "chpok.org/chpok/web/page"

func (s pages) tournamentRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments", s.tournaments, page.Anyone),
		page.Get("/tournaments/:id", s.tournament, page.Anyone), // live_tournament.go
		page.Get("/tournaments/:id/info", s.info, page.Anyone),
		page.Get("/tournaments/:id/feed", s.tournamentFeed, page.Anyone),

		// rounds.go, bracket.go, standings.go, by_board.go
		page.Get("/tournaments/:id/rounds/:round", s.round, page.Anyone),
		page.Get("/tournaments/:id/rounds/:round/matches/:match", s.teamMatch, page.Anyone),
		page.Get("/tournaments/:id/rounds/:round/input.trf", s.roundInput, page.Anyone),
		page.Get("/tournaments/:id/bracket", s.bracket, page.Anyone),
		page.Get("/tournaments/:id/bracket.svg", s.bracketFile, page.Anyone),
		page.Get("/tournaments/:id/standings", s.standings, page.Anyone),
		page.Get("/tournaments/:id/battle/:team", s.battleTeam, page.Anyone),
		page.Get("/tournaments/:id/standings.csv", s.standingsCSV, page.Anyone),
		page.Get("/tournaments/:id/crosstable", s.crosstable, page.Anyone),
		page.Get("/tournaments/:id/by-board", s.byBoard, page.Anyone),
		page.Get("/tournaments/:id/by-board.csv", s.byBoardCSV, page.Anyone),
		page.Get("/tournaments/:id/entries/:entry", s.card, page.Anyone),
		page.Get("/tournaments/:id/report.trf", s.report, page.Anyone),
		page.Get("/tournaments/:id/tournament.json", s.tournamentJSON, page.Anyone),
	}
}
