// Package account serves the pages of people's own accounts: signing in and up, passkeys, sessions and tokens,
// settings, notices, mail, profiles and their data, and the operator's desk. It shows no more of others than their
// profiles allow.
package account

import (
	"slices"

	"chpok.org/chpok/web/page"
)

type (
	// pages serves signing in and the keys to an account.
	pages    struct{ *page.Site }
	admin    struct{ *page.Site }
	profiles struct{ *page.Site }
	notices  struct{ *page.Site }
	follows  struct{ *page.Site }
	api      struct{ *page.Site }
)

// Routes returns the pages of the section.
func Routes(s *page.Site) []page.Route {
	p, n := pages{s}, notices{s}
	return slices.Concat(
		p.accountRoutes(),           // account.go: /sign-in, /sign-up, /sign-out, /link, /setup
		p.settingsRoutes(),          // settings.go: /settings, /preferences
		p.oauthRoutes(),             // oauth.go: /oauth/authorize, /api/v1/oauth/token
		p.passkeyRoutes(),           // passkeys.go: /settings/passkeys, /sign-in/passkey
		p.ownDataRoutes(),           // own_data.go: /settings/data
		p.daysRoutes(),              // days.go: /days
		n.noticeRoutes(),            // notices.go: /notices, /settings/notices
		n.pushRoutes(),              // push.go: /settings/push
		n.calendarRoutes(),          // calendars.go: /calendar, /tournaments/ID/calendar.ics
		n.mailRoutes(),              // mail.go: /mail, /settings/mail
		profiles{s}.profileRoutes(), // profiles.go: /settings/profile, /settings/blocks
		admin{s}.adminRoutes(),      // admin.go: /admin
		follows{s}.followRoutes(),   // follows.go: /following
	)
}

// API returns what programs can do for an account.
func API(s *page.Site) page.Chapter {
	a := api{s}
	return page.Chapter{Name: "Account", Text: "What an account keeps for itself.",
		Operations: slices.Concat(a.settingsOperations(), a.followOperations(), a.noticeOperations())}
}
