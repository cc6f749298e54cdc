package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// open stands where a program cannot yet do what a page does.
const open = "open"

// acts are all forms of the pages with what a program does instead: one or several operations, or in words why none.
// The first part is of tournaments and matches, the second of all else.
var acts = map[string]string{
	"/tournaments":               "POST /tournaments",
	"/tournaments/propose":       open,
	"/tournaments/estimate":      open,
	"/tournaments/import":        open,
	"/tournaments/import/bundle": open,
	"/tournaments/:id":           "PUT /tournaments/{id}",
	"/tournaments/:id/clone":     open,
	"/tournaments/:id/webhooks":  open,

	"/tournaments/:id/staff":         open,
	"/tournaments/:id/staff/accept":  open,
	"/tournaments/:id/staff/decline": open,
	"/tournaments/:id/staff/dismiss": open,

	"/tournaments/:id/register":                 "POST /tournaments/{id}/entries",
	"/tournaments/:id/withdraw":                 "DELETE /tournaments/{id}/entries/{handle}",
	"/tournaments/:id/return":                   open,
	"/tournaments/:id/play-here":                open,
	"/tournaments/:id/byes":                     open,
	"/tournaments/:id/check-in":                 "POST /tournaments/{id}/check-in",
	"/tournaments/:id/ready":                    open,
	"/tournaments/:id/ready/claim":              open,
	"/tournaments/:id/arena":                    "POST /tournaments/{id}/arena",
	"/tournaments/:id/arena/rest":               "POST /tournaments/{id}/arena",
	"/tournaments/:id/line-ups":                 open,
	"/tournaments/:id/entries":                  open,
	"/tournaments/:id/players/add":              "POST /tournaments/{id}/lists",
	"/tournaments/:id/entries/:entry/accept":    "POST /tournaments/{id}/requests/{handle}",
	"/tournaments/:id/entries/:entry/refuse":    "POST /tournaments/{id}/requests/{handle}",
	"/tournaments/:id/entries/:entry/withdraw":  "POST /tournaments/{id}/entries/{entry}/withdrawal",
	"/tournaments/:id/entries/:entry/readmit":   open,
	"/tournaments/:id/entries/:entry/expel":     "POST /tournaments/{id}/expulsions",
	"/tournaments/:id/entries/:entry/reinstate": "DELETE /tournaments/{id}/expulsions/{entry}",
	"/tournaments/:id/entries/:entry/byes":      open,
	"/tournaments/:id/entries/:entry/board":     "PUT /tournaments/{id}/entries/{entry}/board",
	"/tournaments/:id/entries/:entry/correct":   "PUT /tournaments/{id}/entries/{entry}/particulars",
	"/tournaments/:id/entries/:entry/born":      "PUT /tournaments/{id}/entries/{entry}/born",
	"/tournaments/:id/entries/:entry/check-in":  open,
	"/tournaments/:id/entries/:entry/link":      open,
	"/tournaments/:id/entries/:entry/slip":      open,
	"/tournaments/:id/door":                     open,
	"/tournaments/:id/door/close":               open,
	"/tournaments/:id/door/kiosk":               open,
	"/t/:code":                                  open,
	"/kiosk/:token":                             open,
	"/k":                                        open,
	"/k/:secret":                                open,
	"/tournaments/:id/registration":             open,
	"/tournaments/:id/registration/close":       open,
	"/tournaments/:id/prizes":                   "PUT /tournaments/{id}/prizes",

	"/tournaments/:id/start":                            "POST /tournaments/{id}/start",
	"/tournaments/:id/finish":                           "POST /tournaments/{id}/finish",
	"/tournaments/:id/life/:step":                       "POST /tournaments/{id}/steps",
	"/tournaments/:id/rounds":                           "POST /tournaments/{id}/rounds",
	"/tournaments/:id/pause":                            "POST /tournaments/{id}/pause",
	"/tournaments/:id/continue":                         "POST /tournaments/{id}/continue",
	"/tournaments/:id/postpone":                         "POST /tournaments/{id}/postpone",
	"/tournaments/:id/rounds-count":                     "PUT /tournaments/{id}/rounds-count",
	"/tournaments/:id/extend":                           open,
	"/tournaments/:id/uncheck":                          open,
	"/tournaments/:id/dry-run":                          open,
	"/tournaments/:id/dry-run/cancel":                   open,
	"/tournaments/:id/dry-run/rehearsal":                open,
	"/tournaments/:id/next":                             "POST /tournaments/{id}/next",
	"/tournaments/:id/groups":                           "POST /tournaments/{id}/groups",
	"/tournaments/:id/groups/step":                      "POST /tournaments/{id}/groups/step",
	"/tournaments/:id/origin":                           "POST /tournaments/{id}/origin",
	"/tournaments/:id/origin/exchange":                  "POST /tournaments/{id}/origin/exchange",
	"/tournaments/:id/origin/reopen":                    "POST /tournaments/{id}/origin/reopen",
	"/tournaments/:id/pairings":                         "POST /tournaments/{id}/draft",
	"/tournaments/:id/pairings/again":                   "POST /tournaments/{id}/draft/edits",
	"/tournaments/:id/pairings/edit":                    "POST /tournaments/{id}/draft/edits",
	"/tournaments/:id/pairings/edit/publish":            "POST /tournaments/{id}/draft/publication",
	"/tournaments/:id/pairings/edit/schedule":           "POST /tournaments/{id}/draft/publication",
	"/tournaments/:id/pairings/edit/discard":            "DELETE /tournaments/{id}/draft",
	"/tournaments/:id/pairings/release":                 "DELETE /tournaments/{id}/hold",
	"/tournaments/:id/pairings/round":                   open,
	"/tournaments/:id/pairings/forbid":                  open,
	"/tournaments/:id/pairings/allow":                   open,
	"/tournaments/:id/results":                          "POST /tournaments/{id}/results",
	"/tournaments/:id/results/undo":                     "DELETE /tournaments/{id}/results/{round}/{board}",
	"/tournaments/:id/rounds/:round/boards/:board":      "POST /tournaments/{id}/corrections",
	"/tournaments/:id/rounds/:round/boards/:board/open": open,

	"/tournaments/:id/screens":              open,
	"/tournaments/:id/screens/:screen":      open,
	"/tournaments/:id/screens/:screen/drop": open,
	"/tournaments/:id/announcements":        open,
	"/tournaments/:id/chat":                 open,
	"/tournaments/:id/chat/open":            open,
	"/tournaments/:id/posts/:no/delete":     open,
	"/tournaments/:id/posts/:no/report":     open,
	"/tournaments/:id/posts/:no/settle":     open,
	"/tournaments/:id/mutes":                open,
	"/tournaments/:id/mutes/:player/drop":   open,

	"/tournaments/:id/fair-play":        "PUT /tournaments/{id}/policy",
	"/tournaments/:id/fair-play/admit":  open,
	"/tournaments/:id/fair-play/venue":  open,
	"/tournaments/:id/fair-play/me":     open,
	"/tournaments/:id/fair-play/:entry": open,
	"/tournaments/:id/steward":          open,
	"/absences/:absence/appeal":         open,
	"/absences/:absence/verdict":        open,

	"/matches/:id/commands":             "POST /matches/{id}/commands",
	"/matches/:id/calls":                "POST /matches/{id}/calls",
	"/matches/:id/calls/:call/take":     "POST /calls/{id}/take",
	"/matches/:id/calls/:call/resolve":  "POST /calls/{id}/resolve",
	"/matches/:id/calls/:call/withdraw": "POST /calls/{id}/withdraw",
	"/matches/:id/messages":             "POST /matches/{id}/messages",
	"/matches/:id/rulings":              "POST /matches/{id}/rulings",
	"/matches/:id/report":               open,
	"/matches/:id/rematch":              open,
	"/matches/:id/opponent":             open,
	"/matches/:id/telemetry":            "what a page tells of itself is worth something only from the page",
	"/matches/:id/check-in":             open,
	"/matches/:id/check-in/options":     open,
	"/matches/:id/check-in/code":        open,
	"/matches/:id/check-in/issue":       open,
	"/matches/:id/mid-check":            open,
	"/matches/:id/mid-check/options":    open,

	"/challenges":     "POST /challenges",
	"/c/:id/accept":   "POST /challenges/{id}/accept",
	"/c/:id/decline":  "POST /challenges/{id}/decline",
	"/c/:id/withdraw": "DELETE /challenges/{id}",
	"/play/now":       open,
	"/play/pair":      open,
	"/analyse":        "POST /analyse",

	// Everything else.
	"/practice/:id":     open,
	"/fair-play":        open,
	"/site/face":        open,
	"/site/mail":        open,
	"/site/skip":        open,
	"/admin/sign-up":    open,
	"/admin/role":       open,
	"/admin/link":       open,
	"/sign-in":          "signing in is the browser’s: a program has a token",
	"/sign-out":         "signing in is the browser’s: a program has a token",
	"/sign-up":          "signing in is the browser’s: a program has a token",
	"/link":             "signing in is the browser’s: a program has a token",
	"/setup":            "signing in is the browser’s: a program has a token",
	"/preferences":      open,
	"/preferences/play": open,

	"/clubs":                         open,
	"/clubs/:id":                     open,
	"/clubs/:id/join":                "POST /clubs/{id}/join",
	"/clubs/:id/unask":               open,
	"/clubs/:id/leave":               "POST /clubs/{id}/leave",
	"/clubs/:id/requests":            open,
	"/clubs/:id/roles":               open,
	"/clubs/:id/expel":               open,
	"/clubs/:id/bans":                open,
	"/clubs/:id/unban":               open,
	"/clubs/:id/code":                open,
	"/clubs/:id/news":                open,
	"/clubs/:id/news/:post":          open,
	"/clubs/:id/news/:post/delete":   open,
	"/clubs/:id/series":              open,
	"/clubs/:id/series/:series":      open,
	"/clubs/:id/series/:series/skip": open,
	"/clubs/:id/series/:series/end":  open,
	"/clubs/:id/matches":             open,
	"/clubs/:id/follow":              open,
	"/clubs/:id/unfollow":            open,
	"/clubs/:id/webhooks":            open,

	"/ladders":                                "POST /ladders",
	"/ladders/:id":                            "PATCH /ladders/{id}",
	"/ladders/:id/join":                       "POST /ladders/{id}/players",
	"/ladders/:id/leave":                      "DELETE /ladders/{id}/players/{handle}",
	"/ladders/:id/vacation":                   "POST /ladders/{id}/vacation, DELETE /ladders/{id}/vacation",
	"/ladders/:id/players":                    "POST /ladders/{id}/players",
	"/ladders/:id/seed":                       open,
	"/ladders/:id/move":                       open,
	"/ladders/:id/remove":                     "DELETE /ladders/{id}/players/{handle}",
	"/ladders/:id/challenges":                 "POST /ladders/{id}/challenges",
	"/ladders/:id/challenges/:number/accept":  "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/drop":    "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/times":   "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/agree":   "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/dispute": "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/judge":   "POST /ladders/{id}/challenges/{number}",

	"/ratings/pools":                       open,
	"/ratings/pools/:id":                   open,
	"/ratings/pools/:id/recompute":         open,
	"/ratings/pools/:id/import":            open,
	"/players/:handle/birth-year":          open,
	"/players/:handle/follow":              open,
	"/players/:handle/unfollow":            open,
	"/attestations/issuers":                open,
	"/attestations/issuers/:issuer":        open,
	"/attestations/issuers/:issuer/revoke": open,
	"/attestations/:id/revoke":             open,

	"/settings":                       open,
	"/settings/profile":               open,
	"/settings/password":              open,
	"/settings/sessions/drop":         open,
	"/settings/tokens":                open,
	"/settings/tokens/drop":           open,
	"/settings/bots":                  open,
	"/settings/bots/rules":            open,
	"/settings/blocks":                open,
	"/settings/blocks/drop":           open,
	"/settings/calendar":              open,
	"/settings/calendar/drop":         open,
	"/settings/mail":                  open,
	"/settings/mail/drop":             open,
	"/mail/confirm":                   open,
	"/mail/stop":                      open,
	"/settings/notices":               open,
	"/notices/read":                   open,
	"/notices/:id":                    open,
	"/settings/push":                  open,
	"/settings/push/drop":             open,
	"/settings/data/erase":            open,
	"/settings/data/keep":             open,
	"/sign-in/passkey":                open,
	"/sign-in/passkey/options":        open,
	"/settings/passkeys":              open,
	"/settings/passkeys/options":      open,
	"/settings/passkeys/drop":         open,
	"/settings/passkeys/drop/options": open,
}

var isOperation = regexp.MustCompile(`^(POST|PUT|PATCH|DELETE) /`)

// TestAProgramDoesWhatAPageDoes, or it is said in words why not.
func TestAProgramDoesWhatAPageDoes(t *testing.T) {
	t.Parallel()
	operations, forms := map[string]bool{}, map[string]bool{}
	for _, chapter := range (&Server{}).chapters() {
		for _, o := range chapter.Operations {
			operations[o.Method+" "+o.Address] = true
		}
	}
	for _, r := range (&Server{}).siteMap() {
		if r.IsAPI || r.Method == http.MethodGet {
			continue
		}
		forms[r.Path] = true
		if acts[r.Path] == "" {
			t.Errorf("%s %s: say in the table with which operation a program does this, or why it cannot", r.Method, r.Path)
		}
	}
	for path, does := range acts {
		if !forms[path] {
			t.Errorf("%s is in the table and no form", path)
		}
		if !isOperation.MatchString(does) {
			if does != open && len(strings.Fields(does)) < 4 {
				t.Errorf("%s: %q is no reason", path, does)
			}
			continue
		}
		for name := range strings.SplitSeq(does, ", ") {
			if !operations[name] {
				t.Errorf("%s: there is no operation %s", path, name)
			}
		}
	}
}
