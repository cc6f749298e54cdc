package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// hookActs are what is done with webhooks, of whatever they are.
const hookActs = "POST /webhooks, POST /webhooks/{hook}, DELETE /webhooks/{hook}"

// acts are all forms of the pages with what a program does instead: one or several operations, or in words why none.
// The first part is of tournaments and matches, the second of all else.
var acts = map[string]string{
	"/tournaments":               "POST /tournaments",
	"/tournaments/propose":       "POST /tournaments/proposals",
	"/tournaments/estimate":      "POST /tournaments/proposals",
	"/tournaments/import":        "POST /tournaments/import",
	"/tournaments/import/bundle": "POST /tournaments/import/bundle",
	"/tournaments/:id":           "PUT /tournaments/{id}",
	"/tournaments/:id/clone":     "POST /tournaments/{id}/clone",
	"/tournaments/:id/webhooks":  hookActs,

	"/tournaments/:id/staff":         "POST /tournaments/{id}/staff",
	"/tournaments/:id/staff/accept":  "POST /tournaments/{id}/staff/accept",
	"/tournaments/:id/staff/decline": "DELETE /tournaments/{id}/staff/{handle}",
	"/tournaments/:id/staff/dismiss": "DELETE /tournaments/{id}/staff/{handle}",

	"/tournaments/:id/register":                       "POST /tournaments/{id}/entries",
	"/tournaments/:id/withdraw":                       "DELETE /tournaments/{id}/entries/{handle}",
	"/tournaments/:id/return":                         "POST /tournaments/{id}/return",
	"/tournaments/:id/play-here":                      "POST /tournaments/{id}/play-here",
	"/tournaments/:id/byes":                           "POST /tournaments/{id}/byes",
	"/tournaments/:id/check-in":                       "POST /tournaments/{id}/check-in",
	"/days":                                           "PUT /me/days",
	"/leagues":                                        "POST /leagues",
	"/leagues/:id/settings":                           "PATCH /leagues/{id}",
	"/leagues/:id/enter":                              "POST /leagues/{id}",
	"/leagues/:id/leave":                              "POST /leagues/{id}",
	"/leagues/:id/teams":                              "POST /leagues/{id}",
	"/leagues/:id/teams/:no":                          "POST /leagues/{id}",
	"/leagues/:id/teams/:no/decline":                  "POST /leagues/{id}",
	"/leagues/:id/stay":                               "POST /leagues/{id}",
	"/leagues/:id/answer":                             "POST /leagues/{id}",
	"/leagues/:id/propose":                            "POST /leagues/{id}",
	"/leagues/:id/shift":                              "POST /leagues/{id}",
	"/leagues/:id/publish":                            "POST /leagues/{id}",
	"/leagues/:id/publish-later":                      "POST /leagues/{id}",
	"/leagues/:id/begin":                              "POST /leagues/{id}",
	"/leagues/:id/freeze":                             "POST /leagues/{id}",
	"/leagues/:id/play-offs":                          "POST /leagues/{id}",
	"/leagues/:id/archive":                            "POST /leagues/{id}",
	"/leagues/:id/sanctions":                          "POST /leagues/{id}",
	"/leagues/:id/sanctions/:no/appeal":               "POST /leagues/{id}",
	"/leagues/:id/sanctions/:no/decide":               "POST /leagues/{id}",
	"/tournaments/:id/fixtures/:round/:board/times":   "POST /tournaments/{id}/fixtures/{round}/{board}",
	"/tournaments/:id/fixtures/:round/:board/agree":   "POST /tournaments/{id}/fixtures/{round}/{board}",
	"/tournaments/:id/fixtures/:round/:board/dispute": "POST /tournaments/{id}/fixtures/{round}/{board}",
	"/tournaments/:id/fixtures/:round/:board/give-up": "POST /tournaments/{id}/fixtures/{round}/{board}",
	"/tournaments/:id/fixtures/:round/:board/extend":  "POST /tournaments/{id}/fixtures/{round}/{board}",
	"/tournaments/:id/ready":                          "POST /matches/{id}/commands",
	"/tournaments/:id/ready/claim":                    "POST /matches/{id}/commands",
	"/tournaments/:id/arena":                          "POST /tournaments/{id}/arena",
	"/tournaments/:id/arena/rest":                     "POST /tournaments/{id}/arena",

	"/tournaments/:id/teams":                                "POST /tournaments/{id}/teams",
	"/tournaments/:id/teams/join":                           "POST /tournaments/{id}/teams/{entry}/players",
	"/tournaments/:id/teams/:entry/players":                 "POST /tournaments/{id}/lists, POST /tournaments/{id}/teams/{entry}/players",
	"/tournaments/:id/teams/:entry/invitation":              "PUT /tournaments/{id}/teams/{entry}/invitation",
	"/tournaments/:id/teams/:entry/mates":                   "POST /tournaments/{id}/teams/{entry}/requests/{mate}, PUT /tournaments/{id}/teams/{entry}/players, POST /tournaments/{id}/entries/{entry}/withdrawal",
	"/tournaments/:id/teams/:entry/captains":                "PUT /tournaments/{id}/teams/{entry}/captains",
	"/tournaments/:id/teams/:entry/line-up":                 "PUT /tournaments/{id}/teams/{entry}/line-up",
	"/tournaments/:id/rounds/:round/matches/:match/forfeit": "PUT /tournaments/{id}/rounds/{round}/matches/{match}/forfeit",
	"/tournaments/:id/reseat":                               "POST /tournaments/{id}/reseats",

	"/tournaments/:id/entries":                  "POST /tournaments/{id}/entries",
	"/tournaments/:id/players/add":              "POST /tournaments/{id}/lists",
	"/tournaments/:id/entries/:entry/accept":    "POST /tournaments/{id}/requests/{handle}",
	"/tournaments/:id/entries/:entry/refuse":    "POST /tournaments/{id}/requests/{handle}",
	"/tournaments/:id/entries/:entry/withdraw":  "POST /tournaments/{id}/entries/{entry}/withdrawal",
	"/tournaments/:id/entries/:entry/readmit":   "DELETE /tournaments/{id}/entries/{entry}/withdrawal",
	"/tournaments/:id/entries/:entry/expel":     "POST /tournaments/{id}/expulsions",
	"/tournaments/:id/entries/:entry/reinstate": "DELETE /tournaments/{id}/expulsions/{entry}",
	"/tournaments/:id/entries/:entry/byes":      "POST /tournaments/{id}/entries/{entry}/byes",
	"/tournaments/:id/entries/:entry/board":     "PUT /tournaments/{id}/entries/{entry}/board",
	"/tournaments/:id/entries/:entry/correct":   "PUT /tournaments/{id}/entries/{entry}/particulars",
	"/tournaments/:id/entries/:entry/born":      "PUT /tournaments/{id}/entries/{entry}/born",
	"/tournaments/:id/entries/:entry/check-in":  "POST /tournaments/{id}/entries/{entry}/check-in",
	"/tournaments/:id/entries/:entry/link":      "PUT /tournaments/{id}/entries/{entry}/account",
	"/tournaments/:id/entries/:entry/slip":      "POST /tournaments/{id}/entries/{entry}/slip",
	"/tournaments/:id/door":                     "POST /tournaments/{id}/door",
	"/tournaments/:id/door/close":               "DELETE /tournaments/{id}/door",
	"/tournaments/:id/door/kiosk":               "POST /tournaments/{id}/door/kiosk",
	"/t/:code":                                  "a door signs in the device of whoever comes in; programs enter people as staff",
	"/kiosk/:token":                             "a kiosk shows the slip of whoever comes in; programs enter people as staff",
	"/k":                                        "a slip signs in the device of whoever has it",
	"/k/:secret":                                "a slip signs in the device of whoever has it",
	"/tournaments/:id/registration":             "POST /tournaments/{id}/registration",
	"/tournaments/:id/registration/close":       "DELETE /tournaments/{id}/registration",
	"/tournaments/:id/prizes":                   "PUT /tournaments/{id}/prizes",
	"/tournaments/:id/report":                   "PUT /tournaments/{id}/report",

	"/tournaments/:id/start":                            "POST /tournaments/{id}/start",
	"/tournaments/:id/finish":                           "POST /tournaments/{id}/finish",
	"/tournaments/:id/life/:step":                       "POST /tournaments/{id}/steps",
	"/tournaments/:id/rounds":                           "POST /tournaments/{id}/rounds",
	"/tournaments/:id/pause":                            "POST /tournaments/{id}/pause",
	"/tournaments/:id/continue":                         "POST /tournaments/{id}/continue",
	"/tournaments/:id/postpone":                         "POST /tournaments/{id}/postpone",
	"/tournaments/:id/rounds-count":                     "PUT /tournaments/{id}/rounds-count",
	"/tournaments/:id/extend":                           "POST /tournaments/{id}/extension",
	"/tournaments/:id/uncheck":                          "DELETE /tournaments/{id}/check-in",
	"/tournaments/:id/dry-run":                          "POST /tournaments/{id}/dry-run",
	"/tournaments/:id/dry-run/cancel":                   "DELETE /tournaments/{id}/dry-run",
	"/tournaments/:id/dry-run/rehearsal":                "POST /tournaments/{id}/rehearsal",
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
	"/tournaments/:id/pairings/round":                   "POST /tournaments/{id}/round/edits",
	"/tournaments/:id/pairings/forbid":                  "POST /tournaments/{id}/forbidden",
	"/tournaments/:id/pairings/allow":                   "POST /tournaments/{id}/allowed",
	"/tournaments/:id/results":                          "POST /tournaments/{id}/results",
	"/tournaments/:id/results/undo":                     "DELETE /tournaments/{id}/results/{round}/{board}",
	"/tournaments/:id/rounds/:round/boards/:board":      "POST /tournaments/{id}/corrections",
	"/tournaments/:id/rounds/:round/boards/:board/open": "POST /tournaments/{id}/rounds/{round}/boards/{board}/match",

	"/tournaments/:id/screens":              "POST /tournaments/{id}/screens",
	"/tournaments/:id/screens/:screen":      "PUT /tournaments/{id}/screens/{screen}",
	"/tournaments/:id/screens/:screen/drop": "DELETE /tournaments/{id}/screens/{screen}",
	"/tournaments/:id/announcements":        "POST /tournaments/{id}/announcements",
	"/tournaments/:id/chat":                 "POST /tournaments/{id}/chat",
	"/tournaments/:id/chat/open":            "PUT /tournaments/{id}/chat/open",
	"/tournaments/:id/posts/:no/delete":     "DELETE /tournaments/{id}/posts/{number}",
	"/tournaments/:id/posts/:no/report":     "POST /tournaments/{id}/posts/{number}/report",
	"/tournaments/:id/posts/:no/settle":     "POST /tournaments/{id}/posts/{number}/settle",
	"/tournaments/:id/mutes":                "PUT /tournaments/{id}/mutes/{handle}",
	"/tournaments/:id/mutes/:player/drop":   "DELETE /tournaments/{id}/mutes/{handle}",

	"/tournaments/:id/fair-play":                "PUT /tournaments/{id}/policy",
	"/tournaments/:id/fair-play/admit":          "POST /tournaments/{id}/admissions",
	"/tournaments/:id/fair-play/venue":          "POST /tournaments/{id}/venues, DELETE /tournaments/{id}/venues",
	"/tournaments/:id/fair-play/of/:player":     "POST /reviews, POST /reviews/{review}/steps",
	"/ladders/:id/:season/fair-play/of/:player": "POST /reviews, POST /reviews/{review}/steps",
	"/challenges/:season/fair-play/of/:player":  "POST /reviews, POST /reviews/{review}/steps",
	"/tournaments/:id/steward":                  "PUT /tournaments/{id}/entries/{entry}/steward, POST /matches/{id}/watch",
	"/absences/:absence/appeal":                 "POST /absences/{absence}/appeal",
	"/absences/:absence/verdict":                "POST /absences/{absence}/verdict",

	"/matches/:id/commands":             "POST /matches/{id}/commands",
	"/matches/:id/calls":                "POST /matches/{id}/calls",
	"/matches/:id/calls/:call/take":     "POST /calls/{id}/take",
	"/matches/:id/calls/:call/resolve":  "POST /calls/{id}/resolve",
	"/matches/:id/calls/:call/withdraw": "POST /calls/{id}/withdraw",
	"/matches/:id/messages":             "POST /matches/{id}/messages",
	"/matches/:id/rulings":              "POST /matches/{id}/rulings",
	"/matches/:id/report":               "POST /matches/{id}/report",
	"/matches/:id/rematch":              "POST /challenges",
	"/matches/:id/opponent":             "POST /matches/{id}/opponent",
	"/matches/:id/telemetry":            "what a page tells of itself is worth something only from the page",
	"/matches/:id/check-in":             "a check-in says that a person sits before a page, which makes a key for it",
	"/matches/:id/check-in/options":     "a check-in says that a person sits before a page, which makes a key for it",
	"/matches/:id/check-in/code":        "a check-in says that a person sits before a page, which makes a key for it",
	"/matches/:id/check-in/issue":       "POST /matches/{id}/check-in-code",
	"/matches/:id/mid-check":            "a check in between says that the person still sits before the page",
	"/matches/:id/mid-check/options":    "a check in between says that the person still sits before the page",

	"/challenges":     "POST /challenges",
	"/c/:id/accept":   "POST /challenges/{id}/accept",
	"/c/:id/decline":  "POST /challenges/{id}/decline",
	"/c/:id/withdraw": "DELETE /challenges/{id}",
	"/play/now":       "POST /challenges",
	"/play/pair":      "POST /lobby",
	"/analyse":        "POST /analyse",

	// Everything else.
	"/practice/:id":       "POST /puzzles/{id}/tries",
	"/fair-play":          "POST /fair-play/text",
	"/site/face":          "PUT /site/face",
	"/site/mail":          "PUT /site/mail",
	"/site/telegram":      "PUT /site/telegram",
	"/site/telegram/drop": "DELETE /site/telegram",
	"/site/skip":          "POST /site/skip",
	"/admin/sign-up":      "PUT /site/sign-up",
	"/admin/role":         "PUT /site/roles/{handle}",
	"/admin/link":         "a link that signs somebody in is handed over by an operator who knows whom",
	"/sign-in":            "signing in is the browser’s: a program has a token",
	"/sign-out":           "signing in is the browser’s: a program has a token",
	"/sign-up":            "signing in is the browser’s: a program has a token",
	"/link":               "signing in is the browser’s: a program has a token",
	"/oauth/authorize":    "whether a program may act is for the person to say, who reads the page",
	"/setup":              "signing in is the browser’s: a program has a token",
	"/preferences":        "PATCH /me/settings",
	"/preferences/play":   "PATCH /me/settings",

	"/clubs":                         "POST /clubs",
	"/clubs/:id":                     "PATCH /clubs/{id}",
	"/clubs/:id/join":                "POST /clubs/{id}/join",
	"/clubs/:id/unask":               "DELETE /clubs/{id}/join",
	"/clubs/:id/leave":               "POST /clubs/{id}/leave",
	"/clubs/:id/requests":            "POST /clubs/{id}/requests/{handle}",
	"/clubs/:id/roles":               "PUT /clubs/{id}/members/{handle}",
	"/clubs/:id/expel":               "DELETE /clubs/{id}/members/{handle}",
	"/clubs/:id/bans":                "PUT /clubs/{id}/bans/{handle}",
	"/clubs/:id/unban":               "DELETE /clubs/{id}/bans/{handle}",
	"/clubs/:id/code":                "POST /clubs/{id}/code",
	"/clubs/:id/news":                "POST /clubs/{id}/news",
	"/clubs/:id/news/:post":          "PUT /clubs/{id}/news/{post}",
	"/clubs/:id/news/:post/delete":   "DELETE /clubs/{id}/news/{post}",
	"/clubs/:id/series":              "POST /clubs/{id}/series",
	"/clubs/:id/series/:series":      "PATCH /clubs/{id}/series/{series}",
	"/clubs/:id/series/:series/skip": "PUT /clubs/{id}/series/{series}/dates/{day}",
	"/clubs/:id/series/:series/end":  "DELETE /clubs/{id}/series/{series}",
	"/clubs/:id/challenge":           "POST /tournaments, POST /tournaments/{id}/teams",
	"/clubs/:id/follow":              "POST /clubs/{id}/follow",
	"/clubs/:id/unfollow":            "DELETE /clubs/{id}/follow",
	"/clubs/:id/webhooks":            hookActs,

	"/ladders/:id/webhooks":                   hookActs,
	"/ladders":                                "POST /ladders",
	"/ladders/:id":                            "PATCH /ladders/{id}",
	"/ladders/:id/join":                       "POST /ladders/{id}/players",
	"/ladders/:id/leave":                      "DELETE /ladders/{id}/players/{handle}",
	"/ladders/:id/vacation":                   "POST /ladders/{id}/vacation, DELETE /ladders/{id}/vacation",
	"/ladders/:id/players":                    "POST /ladders/{id}/players",
	"/ladders/:id/seed":                       "POST /ladders/{id}/seed",
	"/ladders/:id/move":                       "PUT /ladders/{id}/players/{handle}/place",
	"/ladders/:id/remove":                     "DELETE /ladders/{id}/players/{handle}",
	"/ladders/:id/challenges":                 "POST /ladders/{id}/challenges",
	"/ladders/:id/challenges/:number/accept":  "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/drop":    "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/times":   "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/agree":   "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/dispute": "POST /ladders/{id}/challenges/{number}",
	"/ladders/:id/challenges/:number/judge":   "POST /ladders/{id}/challenges/{number}",

	"/ratings/pools":                       "POST /rating-pools",
	"/ratings/pools/:id":                   "PATCH /rating-pools/{id}",
	"/ratings/pools/:id/recompute":         "POST /rating-pools/{id}/recompute",
	"/ratings/pools/:id/import":            "POST /rating-pools/{id}/import",
	"/players/:handle/birth-year":          "PUT /players/{handle}/birth-year",
	"/players/:handle/follow":              "POST /players/{handle}/follow",
	"/players/:handle/unfollow":            "DELETE /players/{handle}/follow",
	"/attestations/issuers":                "POST /attestations/issuers",
	"/attestations/issuers/:issuer":        "POST /attestations/issuers/{issuer}/attestations",
	"/attestations/issuers/:issuer/revoke": "POST /attestations/issuers/{issuer}/revocation",
	"/attestations/:id/revoke":             "POST /attestations/{id}/revocation",

	"/settings":                       "PATCH /me/settings",
	"/settings/profile":               "PUT /me/profile",
	"/settings/password":              "a password is known to its person, who proves the one before",
	"/settings/sessions/drop":         "sessions are of browsers, and a token must not end what could end it",
	"/settings/tokens":                "a token that makes tokens would outlive its end; applications ask at /oauth/authorize",
	"/settings/tokens/drop":           "a program ends its own token at /oauth/revoke; others are the person’s to judge",
	"/settings/bots":                  "POST /me/bots",
	"/settings/bots/rules":            "PUT /me/bots/{handle}/rules",
	"/settings/blocks":                "PUT /me/blocks/{handle}",
	"/settings/blocks/drop":           "DELETE /me/blocks/{handle}",
	"/settings/calendar":              "POST /me/calendar",
	"/settings/calendar/drop":         "DELETE /me/calendar",
	"/settings/mail":                  "PUT /me/mail",
	"/settings/mail/drop":             "DELETE /me/mail",
	"/mail/confirm":                   "opening the link shows that somebody reads the address",
	"/mail/stop":                      "the link of a letter works without an account",
	"/settings/notices":               "PATCH /me/notices/settings",
	"/notices/read":                   "POST /me/notices/read",
	"/notices/:id":                    "POST /me/notices/{id}/read",
	"/settings/telegram":              "POST /me/telegram",
	"/settings/telegram/drop":         "DELETE /me/telegram",
	"/settings/push":                  "a browser registers itself, with keys that it makes",
	"/settings/push/drop":             "a browser registers itself, with keys that it makes",
	"/settings/data/erase":            "only the password, which a token does not know, lets an account be erased",
	"/settings/data/keep":             "who asked for the erasure signs in again to end it",
	"/sign-in/passkey":                "a passkey is unlocked by its person at a browser",
	"/sign-in/passkey/options":        "a passkey is unlocked by its person at a browser",
	"/settings/passkeys":              "a passkey is unlocked by its person at a browser",
	"/settings/passkeys/options":      "a passkey is unlocked by its person at a browser",
	"/settings/passkeys/drop":         "a passkey is unlocked by its person at a browser",
	"/settings/passkeys/drop/options": "a passkey is unlocked by its person at a browser",
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
			if len(strings.Fields(does)) < 4 {
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
