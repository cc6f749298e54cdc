// Package desk is where organizers and arbiters work: tournaments are made and
// changed, players entered, rounds paired, called and held, results corrected,
// and all of it written down. It refuses to judge who may: the tournament's
// table of duties does.
package desk

import (
	"slices"

	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

type (
	// control is the desk itself.
	control struct{ event.Frame }
	// staging is what becomes of an event before or after it: groups, later stages.
	staging   struct{ event.Frame }
	pairings  struct{ event.Frame }
	players   struct{ event.Frame }
	staff     struct{ event.Frame }
	organizer struct{ event.Frame }
	// record is what was done, and what of it is set right.
	record struct{ event.Frame }
	api    struct{ event.Frame }
)

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	f := event.Frame{Site: s}
	c, r := control{f}, record{f}
	return slices.Concat(
		organizer{f}.organizeRoutes(),   // tournaments.go: /tournaments/new, /tournaments/import
		c.scheduleRoutes(),              // schedule.go: /tournaments/ID/desk, dry-run; /absences
		c.deskRoutes(),                  // tournament_desk.go: entries, results, start and finish
		c.boardRoutes(),                 // boards.go: /tournaments/ID/calls, /tournaments/ID/boards
		staging{f}.stageRoutes(),        // stages.go: /tournaments/ID/next, /tournaments/ID/origin
		c.lifeRoutes(),                  // life.go: pause, postpone, call off
		pairings{f}.pairingDeskRoutes(), // pairing_desk.go: /tournaments/ID/rounds/N/edit, drafts
		players{f}.rosterRoutes(),       // players_desk.go: /tournaments/ID/players
		staff{f}.staffRoutes(),          // staff.go: /tournaments/ID/staff
		r.correctionRoutes(),            // corrections.go: results, entries, expulsions
		r.logRoutes(),                   // log.go: /tournaments/ID/log, /tournaments/ID/at
	)
}

// API are what programs ask of the section.
func API(s *page.Site) []page.Route {
	a := api{event.Frame{Site: s}}
	return slices.Concat(a.apiDeskRoutes(), a.apiScheduleRoutes(), a.apiStageRoutes())
}

// Link answers what other sections ask of this one.
func Link(s *page.Site) { s.Links.DeskPieces = control{event.Frame{Site: s}}.deskPieces }
