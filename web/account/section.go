// Package account shows what people do about themselves: signing in and up,
// passkeys, sessions and tokens, settings, notices, mail, profiles, what is
// kept of them; and the operator's desk. It refuses to tell of others more than
// their profiles allow.
package account

import (
	"slices"

	"chpok.org/chpok/web/page"
)

type (
	// pages are of who signs in and how.
	pages    struct{ *page.Site }
	admin    struct{ *page.Site }
	profiles struct{ *page.Site }
	notices  struct{ *page.Site }
	follows  struct{ *page.Site }
)

// Routes are the addresses of the section.
func Routes(s *page.Site) []page.Route {
	p, n := pages{s}, notices{s}
	return slices.Concat(
		p.accountRoutes(),           // account.go: /sign-in, /sign-up, /sign-out, /link, /setup
		p.settingsRoutes(),          // settings.go: /settings, /preferences
		p.passkeyRoutes(),           // passkeys.go: /settings/passkeys, /sign-in/passkey
		p.ownDataRoutes(),           // own_data.go: /settings/data
		n.noticeRoutes(),            // notices.go: /notices, /settings/notices
		n.pushRoutes(),              // push.go: /settings/push
		n.calendarRoutes(),          // calendars.go: /calendar, /tournaments/ID/calendar.ics
		n.mailRoutes(),              // mail.go: /mail, /settings/mail
		profiles{s}.profileRoutes(), // profiles.go: /settings/profile, /settings/blocks
		admin{s}.adminRoutes(),      // admin.go: /admin
		follows{s}.followRoutes(),   // follows.go: /following
	)
}
