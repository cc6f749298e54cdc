package web

import (
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/web/page"
)

// siteMap is every address of the site, by page family: one line for each
// family here, its addresses at the top of the family's own file.
func (s *Server) siteMap() []page.Route {
	return slices.Concat(
		s.homeRoutes(),        // home.go: /
		s.followRoutes(),      // follows.go: /following, /players/A/follow, /clubs/ID/follow
		s.searchRoutes(),      // search.go: /search
		s.learnRoutes(),       // learn.go: /learn
		s.styleRoutes(),       // styleguide.go: /styleguide
		s.playRoutes(),        // play.go: /play
		s.matchRoutes(),       // matches.go: /matches/ID
		s.tvRoutes(),          // tv.go: /tv, /matches
		s.outside.Routes(),    // outside: /embed, /oembed, pictures
		s.callRoutes(),        // calls.go: /matches/ID/calls
		s.boardRoutes(),       // boards.go: /tournaments/ID/calls, /tournaments/ID/boards
		s.challengeRoutes(),   // challenges.go: /challenges, /c, /matches/ID/rematch
		s.fairPlayRoutes(),    // fairplay.go: /fair-play
		s.analysisRoutes(),    // fairplay_analyse.go: /analyse
		s.ruleRoutes(),        // rules.go: /rules, /faq
		s.tournamentRoutes(),  // tournaments.go: /tournaments
		s.organizeRoutes(),    // tournaments.go: /tournaments/new, /tournaments/import
		s.deskRoutes(),        // tournament_desk.go: entries, results, start and finish
		s.pairingDeskRoutes(), // pairing_desk.go: /tournaments/ID/rounds/N/edit, drafts
		s.lifeRoutes(),        // life.go: pause, postpone, call off
		s.correctionRoutes(),  // corrections.go: results, entries, expulsions
		s.logRoutes(),         // log.go: /tournaments/ID/log, /tournaments/ID/at
		s.entryRoutes(),       // entry.go: what players do about their own entries
		s.prizeRoutes(),       // prizes.go: /tournaments/ID/prizes
		s.rosterRoutes(),      // players_desk.go: /tournaments/ID/players
		s.staffRoutes(),       // staff.go: /tournaments/ID/staff
		s.outputRoutes(),      // outputs.go: printouts and files of tournaments
		s.screenRoutes(),      // screens.go: /screens
		s.doorRoutes(),        // door.go: /t, /k, /kiosk, /tournaments/ID/door
		s.chatRoutes(),        // chat.go: announcements and the chat of tournaments
		s.ladderRoutes(),      // ladders.go: /ladders
		s.playerRoutes(),      // players.go: /players
		s.ratingRoutes(),      // ratings.go: /ratings, /players/A/vs/B, /tournaments/ID/ratings
		s.clubRoutes(),        // clubs.go: /clubs
		s.clubMatchRoutes(),   // club_matches.go: /clubs/ID/matches, /tournaments/ID/match
		s.seriesRoutes(),      // series.go: /clubs/ID/series
		s.settingsRoutes(),    // settings.go: /settings, /preferences
		s.passkeyRoutes(),     // passkeys.go: /settings/passkeys, /sign-in/passkey
		s.checkInRoutes(),     // checkins.go: /matches/ID/check-in
		s.noticeRoutes(),      // notices.go: /notices, /settings/notices
		s.profileRoutes(),     // profiles.go: /settings/profile, /settings/blocks
		s.ownDataRoutes(),     // own_data.go: /settings/data
		s.calendarRoutes(),    // calendars.go: /calendar, /tournaments/ID/calendar.ics
		s.mailRoutes(),        // mail.go: /mail, /settings/mail
		s.adminRoutes(),       // admin.go: /admin
		s.seasonRoutes(),      // seasons.go: /fair-play/numbers
		s.accountRoutes(),     // account.go: /sign-in, /sign-up, /sign-out, /link, /setup
		s.apiRoutes(),         // api.go: /api/v1
		s.staticRoutes(),      // static.go: /static, /robots.txt
		s.healthRoutes(),      // health.go: /healthz
		s.attestationRoutes(), // attestations.go: who vouches for whom
		s.reviewRoutes(),      // reviews.go: what pages tell, reports, stewards, reviews
		s.scheduleRoutes(),    // schedule.go: /tournaments/ID/desk, dry-run; /absences
		s.readyRoutes(),       // schedule.go: /tournaments/ID/ready
	)
}

func (s *Server) routes() {
	for _, r := range s.siteMap() {
		s.echo.Add(r.Method, r.Path, r.Handler, s.guard(r.May), s.scoped(r), s.WatchPolling(r))
	}
}

// scoped keeps out tokens that were not made for this.
func (s *Server) scoped(r page.Route) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if t, ok := page.Token(c); ok && !r.Open(t) {
				return page.ErrScope
			}
			return next(c)
		}
	}
}

// guard keeps out who may not ask: a visitor is asked to sign in first.
func (s *Server) guard(may page.Access) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			v := page.Viewer(c)
			switch {
			case may(v):
				return next(c)
			case !v.IsSignedIn():
				return page.ErrSignIn
			case v.Guest:
				return player.ErrGuest
			}
			return page.ErrForbidden
		}
	}
}
