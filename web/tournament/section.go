// Package tournament shows tournaments to those who play and watch: what goes
// on, entries, rounds, standings, prizes, talk, printouts, files and screens of
// the venue. It refuses what staff do: that is package desk.
package tournament

import (
	"slices"
	"sync"

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
	// outputs are printouts and files.
	outputs struct {
		event.Frame
		unpacking *sync.Mutex // one bundle at a time: each may be large
	}
)

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	f := event.Frame{Site: s}
	p := pages{f}
	return slices.Concat(
		p.tournamentRoutes(),                     // tournaments.go: /tournaments
		p.drawRoutes(),                           // draw.go: /tournaments/ID/draw
		p.entryRoutes(),                          // entry.go: what players do about their own entries
		p.readyRoutes(),                          // schedule.go: /tournaments/ID/ready
		p.arenaRoutes(),                          // arena.go: /tournaments/ID/arena
		chat{f}.chatRoutes(),                     // chat.go: announcements and the chat of tournaments
		prizes{f}.prizeRoutes(),                  // prizes.go: /tournaments/ID/prizes
		doors{f}.doorRoutes(),                    // door.go: /t/CODE, /kiosk, /k, /tournaments/ID/door
		outputs{f, &sync.Mutex{}}.outputRoutes(), // outputs.go: printouts and files of tournaments
		screens{f}.screenRoutes(),                // screens.go: /screens
	)
}

// API are what programs ask of the section.
func API(s *page.Site) []page.Route {
	a := api{event.Frame{Site: s}}
	return slices.Concat(a.apiTournamentRoutes(), a.apiEntryRoutes())
}
