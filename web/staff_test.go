package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/roundrobin"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/web"
)

// Who tries what: owner, arbiter, pairing, results, read-only, somebody invited
// to be an arbiter, an entrant, another organizer, a visitor, the site's operator.
const roleLetters = "OAPRLIEXVS"

// staffActs is every address with which staff change a tournament, what is sent
// there, and whom it is not refused. For what players do themselves see ownActs.
var staffActs = []struct{ path, form, may string }{
	{"", "name=Cup", "OS"},
	{"/fair-play", "policy=open", "OS"},
	{"/staff", "handle=danylo&duty=results", "OS"},
	{"/webhooks", "do=add&url=https://example.org/x", "OS"},
	{"/staff/dismiss", "handle=reader", "OLS"}, // a reader may leave
	{"/clone", "", "OS"},                       // the owner is an organizer as well
	{"/registration", "", "OAS"},
	{"/registration/close", "", "OAS"},
	{"/start", "", "OAS"},
	{"/finish", "", "OAS"},
	{"/next", "name=Final&each=2&format=knock-out", "OAS"},
	{"/groups", "groups=2&each=1&way=snake", "OAS"},
	{"/groups/step", "act=start", "OAS"},
	{"/origin", "reason=x", "OAS"},
	{"/origin/exchange", "seed=0&name=danylo&reason=x", "OAS"},
	{"/origin/reopen", "lose=yes&reason=x", "OAS"},
	{"/pause", "pause_reason=x", "OAS"},
	{"/continue", "", "OAS"},
	{"/postpone", "round=2&to=2026-11-25 18:00&postpone_reason=x", "OAS"},
	{"/rounds-count", "rounds=3", "OAS"},
	{"/extend", "more=5&extend_reason=x", "OAS"},
	{"/prizes", "currency=UAH&places=300", "OS"},
	{"/entries", "handle=danylo", "OAS"},
	{"/players/add", "list=danylo&do=add", "OAS"},
	{"/teams/:entry/players", "list=danylo", "OAS"},
	{"/teams/:entry/captains", "captains=danylo", "OAS"},
	{"/rounds/:round/matches/:match/forfeit", "lost=first&reason=x", "OAS"},
	{"/reseat", "seat=1-1-2&reason=x", "OAPS"},
	{"/door", "", "OAS"},
	{"/door/kiosk", "", "OAS"},
	{"/door/close", "", "OAS"},
	{"/entries/:entry/slip", "", "OAS"},
	{"/entries/:entry/born", "born=1990", "OAS"},
	{"/entries/:entry/accept", "", "OAS"},
	{"/entries/:entry/refuse", "", "OAS"},
	{"/entries/:entry/withdraw", "", "OAS"},
	{"/entries/:entry/readmit", "", "OAS"},
	{"/entries/:entry/expel", "reason=x", "OAS"},
	{"/entries/:entry/reinstate", "reason=x", "OAS"},
	{"/entries/:entry/link", "handle-2=danylo", "OAS"},
	{"/report", "city=Lviv", "OAS"},
	{"/entries/:entry/byes", "round=3&kind=half", "OAPS"},
	{"/entries/:entry/board", "board=2", "OAPS"},
	{"/entries/:entry/correct", "name=Somebody+Else", "OAS"},
	{"/entries/:entry/check-in", "in=on", "OAPS"},
	{"/uncheck", "", "OAPS"},
	{"/fair-play/of/:player", "do=open", "OAS"},
	{"/fair-play/admit", "handle=danylo&without=text&reason=x", "OAS"},
	{"/fair-play/venue", "do=name", "OAS"},
	{"/rounds", "", "OAPS"},
	{"/pairings", "", "OAPS"},
	{"/pairings/again", "", "OAPS"},
	{"/pairings/edit", "kind=swap&a=1&b=2&reason=x", "OAPS"},
	{"/pairings/edit/publish", "", "OAPS"},
	{"/pairings/edit/schedule", "", "OAPS"},
	{"/pairings/edit/discard", "", "OAPS"},
	{"/pairings/release", "", "OAPS"},
	{"/pairings/round", "kind=seats&a=1&b=2&reason=x", "OAPS"},
	{"/pairings/forbid", "entries=1&entries=2", "OAPS"},
	{"/pairings/allow", "entries=1&entries=2", "OAPS"},
	{"/results", "round=1&board=1&result=1-0", "OARS"},
	{"/results/undo", "round=1&board=1", "OARS"},
	{"/rounds/:round/boards/:board", "result=1-0&reach=from-now&reason=x", "OAS"},
	{"/rounds/:round/boards/:board/open", "", "OAS"},
	{"/life/:step", "reason=x", "OAS"},
	{"/screens", "name=Hall", "OAPS"},
	{"/screens/:screen", "", "OAPS"},
	{"/screens/:screen/drop", "", "OAPS"},
	{"/announcements", "announcement=hello", "OAPS"},
	{"/chat/open", "", "OAS"},
	{"/posts/:no/delete", "", "OAES"}, // the entrant their own
	{"/posts/:no/settle", "", "OAS"},
	{"/mutes", "handle=danylo&for=hour&reason=x", "OAS"},
	{"/mutes/:player/drop", "", "OAS"},
	{"/dry-run", "", "OAPRLS"},
	{"/fixtures/:round/:board/extend", "until=2030-01-01T10:00", "OAS"},
	{"/dry-run/cancel", "", "OAPRLS"},
	{"/dry-run/rehearsal", "bots=4", "OAS"},
}

// ownActs is what players and the invited do for themselves; the rulebook's own
// tests say to whom those are refused.
var ownActs = []string{
	"/register", "/play-here", "/withdraw", "/return", "/byes", "/check-in", "/ready", "/ready/claim", "/chat", "/posts/:no/report",
	"/staff/accept", "/staff/decline", "/teams/:entry/invitation", "/teams", "/teams/join", "/teams/:entry/mates", "/teams/:entry/line-up", "/steward", "/arena", "/arena/rest",
	"/fixtures/:round/:board/times", "/fixtures/:round/:board/agree", "/fixtures/:round/:board/dispute", "/fixtures/:round/:board/give-up",
}

func TestEveryStaffActIsInTheTable(t *testing.T) {
	t.Parallel()
	known := slices.Clone(ownActs)
	for _, a := range staffActs {
		known = append(known, a.path)
	}
	routes := web.TournamentPosts()
	for _, path := range routes {
		if !slices.Contains(known, path) {
			t.Errorf("POST /tournaments/ID%s stands neither among staffActs nor among ownActs", path)
		}
	}
	for _, path := range known {
		if !slices.Contains(routes, path) {
			t.Errorf("POST /tournaments/ID%s is in a table and no address", path)
		}
	}
}

// TestEveryStaffActInEachOfTheRoles tries all of them by everybody.
func TestEveryStaffActInEachOfTheRoles(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	staff, others := n.staffPeople()
	people := map[byte]*browser{'V': n.browser(lang.English)}
	for _, some := range []map[byte]player.Player{staff, others} {
		for letter, p := range some {
			people[letter] = n.as(p, lang.English)
		}
	}
	for i, a := range staffActs {
		for k := range len(roleLetters) {
			letter := roleLetters[k]
			id := tournament.ID(fmt.Sprintf("t-%d-%c", i, letter))
			n.staffed(id, staff)
			path := strings.NewReplacer("life/:step", "life/unstart", ":step", "format", ":entry", "2", ":round", "1", ":board", "1", ":match", "1", ":screen", "hall", ":no", "1", ":player", "danylo").Replace(a.path)
			var pairs []string
			for pair := range strings.SplitSeq(a.form, "&") {
				name, value, _ := strings.Cut(pair, "=")
				pairs = append(pairs, name, value)
			}
			if strings.HasPrefix(path, "/posts/") {
				n.clock.advance(time.Minute) // nobody talks faster
				people['E'].post("/tournaments/"+string(id)+"/chat", "text", "hello").want(http.StatusOK)
			}
			got := people[letter].post("/tournaments/"+string(id)+path, pairs...)
			refused := got.status == http.StatusForbidden || got.status == http.StatusUnauthorized
			if may := strings.IndexByte(a.may, letter) >= 0; may == refused || got.status >= 500 {
				t.Errorf("POST %s by %c: status %d, it may: %v", a.path, letter, got.status, may)
			}
		}
	}
}

// staffPeople are accounts for all letters of roleLetters but the visitor's: those of whom staffed makes something, and the others.
func (n *clubNight) staffPeople() (staff, others map[byte]player.Player) {
	n.t.Helper()
	staff = map[byte]player.Player{'O': n.viewer("Olena").Player}
	for letter, handle := range map[byte]player.Handle{'A': "arbiter", 'P': "pairer", 'R': "results", 'L': "reader", 'I': "invited", 'E': "entrant"} {
		staff[letter] = n.account(handle, player.Plain)
	}
	return staff, map[byte]player.Player{'X': n.account("other", player.Organizer), 'S': n.account("operator", player.Operator)}
}

// staffed stores a tournament with one of each duty, its first round open.
func (n *clubNight) staffed(id tournament.ID, staff map[byte]player.Player) {
	n.t.Helper()
	host, now := player.Viewer{Player: staff['O']}, n.clock.Now()
	set := tournament.DefaultSettings(tournament.Swiss)
	set.Name, set.Pace, set.CheckIn = "Cup", tournament.Manual, tournament.CheckIn{}
	t, err := tournament.New(id, host.ID, set, now)
	must := func(err error) {
		if err != nil {
			n.t.Fatal(err)
		}
	}
	must(err)
	must(t.OpenRegistration(host, now))
	duties := map[byte]tournament.Duty{'A': tournament.Arbiter, 'P': tournament.Pairings, 'R': tournament.Results, 'L': tournament.Reader, 'I': tournament.Arbiter}
	for letter, duty := range duties {
		must(t.Appoint(host, staff[letter].ID, duty, now))
		if letter != 'I' {
			must(t.AcceptDuty(player.Viewer{Player: staff[letter]}, now))
		}
	}
	_, err = t.Register(host, tournament.Candidate{Player: staff['E'].ID, Name: "entrant"}, now)
	must(err)
	for _, name := range []string{"Guest A", "Guest B", "Guest C"} {
		_, err = t.Register(host, tournament.Candidate{Name: name}, now)
		must(err)
	}
	must(t.Start(host, tournament.Drawing{Seed: "00", Pick: func(int) int { return 0 }, Restricted: roundrobin.Draw}, now))
	_, err = t.PairNext(tournament.System{Pairer: swiss.Dutch{}, Engine: swiss.Version}, func() match.ID { return "" }, now)
	must(err)
	n.write(func(tx *store.Tx) error {
		return tx.AddTournament(t, ledger.Deed{At: now, By: host.ID, Duty: tournament.Owner, Act: tournament.ActCreate})
	})
}

func TestStaffAreInvitedAnswerAndLeave(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(*tournament.Settings) {})
	anna := n.as(n.players["anna"], lang.English)
	anna.get(path + "/staff").want(http.StatusForbidden)
	n.host.post(path+"/staff", "handle", "nobody", "duty", "arbiter").want(http.StatusUnprocessableEntity).wants("alert", "No player has that handle")
	n.host.post(path+"/staff", "handle", "@anna", "duty", "owner").want(http.StatusOK)
	anna.get(path).want(http.StatusOK).wants("button", "Accept").wantsNo("link", "Staff")
	n.host.post(path+"/staff/dismiss", "handle", "Olena").want(http.StatusConflict).wants("alert", "last owner")
	anna.post(path+"/staff/accept").want(http.StatusOK).wants("link", "Manage")
	anna.get(path+"/desk").want(http.StatusOK).wants("link", "Staff")
	n.host.post(path+"/staff", "handle", "anna", "duty", "owner").want(http.StatusConflict).wants("alert", "has this duty")
	n.host.post(path+"/staff/dismiss", "handle", "Olena").want(http.StatusOK)
	anna.post(path+"/staff/dismiss", "handle", "anna").want(http.StatusConflict)
	n.host.get(path + "/staff").want(http.StatusForbidden)
	anna.post(path+"/staff", "handle", "borys", "duty", "results").want(http.StatusOK)
	n.as(n.players["borys"], lang.English).post(path + "/staff/decline").want(http.StatusOK)
	if staff := n.tournament(path).Staff; len(staff) != 1 || staff[0].Player != n.players["anna"].ID {
		t.Errorf("%+v", staff)
	}
	if page := anna.get(path + "/staff").want(http.StatusOK); strings.Contains(page.body, "⟦") {
		t.Error("an act or a duty has no text")
	}
}

// TestEveryActOfStaffHasAText on the page that lists them act by act.
func TestEveryActOfStaffHasAText(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	for _, l := range lang.All {
		n.as(n.viewer("Olena").Player, l).get(path + "/staff").want(http.StatusOK).saysNot("⟦")
	}
}
