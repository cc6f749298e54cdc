// Package desk serves organizers and arbiters: it makes and changes tournaments, enters players, pairs
// and runs rounds, corrects results and shows the log. It refuses to decide who may do what: the table
// of duties does.
package desk

import (
	"slices"

	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
)

type (
	// control is the control desk and what is done from it.
	control struct{ event.Frame }
	// staging makes the groups before an event and the stages after it.
	staging   struct{ event.Frame }
	pairings  struct{ event.Frame }
	players   struct{ event.Frame }
	staff     struct{ event.Frame }
	hooks     struct{ event.Frame }
	organizer struct{ event.Frame }
	// record shows the log and the results, and corrects them.
	record struct{ event.Frame }
	api    struct{ event.Frame }
)

// Routes returns the pages of the section.
func Routes(s *page.Site) []page.Route {
	f := event.Frame{Site: s}
	c, r := control{f}, record{f}
	return slices.Concat(
		organizer{f}.organizeRoutes(),   // tournaments.go: /tournaments/new, /tournaments/import
		c.scheduleRoutes(),              // schedule.go: /tournaments/ID/desk, dry-run; /absences
		c.deskRoutes(),                  // tournament_desk.go: entries, results, start, rounds, finish
		c.boardRoutes(),                 // boards.go: /tournaments/ID/calls, /tournaments/ID/boards
		staging{f}.stageRoutes(),        // stages.go: /tournaments/ID/next, /tournaments/ID/groups, /tournaments/ID/origin
		c.lifeRoutes(),                  // life.go: /tournaments/ID/life
		pairings{f}.pairingDeskRoutes(), // pairing_desk.go: /tournaments/ID/pairings
		players{f}.rosterRoutes(),       // players_desk.go: /tournaments/ID/players
		staff{f}.staffRoutes(),          // staff.go: /tournaments/ID/staff
		hooks{f}.hookRoutes(),           // hooks.go: /tournaments/ID/webhooks, /clubs/ID/webhooks, /ladders/ID/webhooks
		r.correctionRoutes(),            // corrections.go: results, entries, expulsions
		r.logRoutes(),                   // log.go: /tournaments/ID/log, /tournaments/ID/at
	)
}

// API returns what programs can do as staff of a tournament.
func API(s *page.Site) page.Chapter {
	a := api{event.Frame{Site: s}}
	return page.Chapter{Name: "Desk", Text: "What the staff of a tournament do: pairings, results, schedule, stages; and webhooks.",
		Operations: slices.Concat(a.eventOperations(), a.deskOperations(), a.scheduleOperations(), a.absenceOperations(),
			a.stageOperations(), a.hookOperations())}
}

// Link gives other sections what they need from this one.
func Link(s *page.Site) { s.Links.DeskFragments = control{event.Frame{Site: s}}.deskFragments }
