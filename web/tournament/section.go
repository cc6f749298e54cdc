// Package tournament shows tournaments to players and watchers: entries, rounds, standings, prizes, chat,
// printouts, files and the screens of a venue. It refuses to serve the work of staff, which package desk
// does, except for chat, doors, prizes and screens.
package tournament

import (
	"slices"

	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

type (
	pages   struct{ event.Frame }
	chat    struct{ event.Frame }
	screens struct{ event.Frame }
	prizes  struct{ event.Frame }
	doors   struct{ event.Frame }
	api     struct{ event.Frame }
	// outputs serves printouts and files.
	outputs struct{ event.Frame }
)

// Routes returns the pages of the section.
func Routes(s *page.Site) []page.Route {
	f := event.Frame{Site: s}
	p := pages{f}
	return slices.Concat(
		p.tournamentRoutes(),      // tournaments.go: /tournaments
		p.drawRoutes(),            // draw.go: /tournaments/ID/draw
		p.entryRoutes(),           // entry.go: players' own entries
		p.teamRoutes(),            // teams.go: /tournaments/ID/teams, made up by captains and staff
		p.readyRoutes(),           // schedule.go: /tournaments/ID/ready
		p.fixtureRoutes(),         // fixtures.go: /tournaments/ID/fixtures
		p.daysRoutes(),            // days.go: /tournaments/ID/days
		p.arenaRoutes(),           // arena.go: /tournaments/ID/arena
		chat{f}.chatRoutes(),      // chat.go: announcements and the chat of tournaments
		prizes{f}.prizeRoutes(),   // prizes.go: /tournaments/ID/prizes
		doors{f}.doorRoutes(),     // door.go: /t/CODE, /kiosk, /k, /tournaments/ID/door
		outputs{f}.outputRoutes(), // outputs.go: printouts and files of tournaments
		screens{f}.screenRoutes(), // screens.go: /screens
	)
}

// API returns what programs can do in tournaments.
func API(s *page.Site) page.Chapter {
	a := api{event.Frame{Site: s}}
	return page.Chapter{Name: "Tournaments", Text: "Events, their entries, rounds and standings.", Operations: slices.Concat(a.tournamentOperations(), a.eventOperations(), a.entryOperations(), a.teamOperations(), a.venueOperations(), a.fixtureOperations(), a.daysOperations())}
}
