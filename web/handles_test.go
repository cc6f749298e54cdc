package web_test

import (
	"go/ast"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ladder"
	"chpok.org/chpok/tournament/league"
)

// handlesElsewhere are the functions that read a handle of somebody out of a form without looking for who has it.
var handlesElsewhere = map[string]string{
	"signIn": "tells nobody who has an account", "createAccount": "a new handle", "addBot": "a new handle", "handleOf": "reads it for appoint",
	"showSignInWith": "shows it again", "newAccount": "shows it again", "showSettings": "shows it again", "showClubPeople": "shows it again",
	"RefuseStaff": "shows it again", "FillAddForm": "shows it again",
}

// Wherever staff or players type a handle, one that nobody has is refused beside the form, which still holds what was
// typed; so is a handle that is none, and one with @ and blanks about it is read.
func TestAHandleThatNobodyHasIsRefusedInItsForm(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	boss := n.as(n.account("boss", player.Operator), lang.English)
	staff, _ := n.staffPeople()
	n.staffed("night", staff)
	const cup = "/tournaments/night"
	office := arbiter.New(n.store, n.live, arbiter.Config{Now: n.clock.Now}, nil)
	settings := ladder.DefaultSettings()
	settings.Name = "Hill"
	olena := n.viewer("Olena")
	hill, err := office.Ladders.Create(t.Context(), olena, settings)
	if err != nil {
		t.Fatal(err)
	}
	n.write(func(tx *store.Tx) error {
		return tx.AddClub(club.New("dragons", "Dragons", "", olena.ID, n.clock.Now()))
	})
	rules := league.DefaultSettings()
	rules.Name = "Winter"
	winter, err := office.Leagues.Create(t.Context(), olena, "dragons", rules, "", n.clock.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	registering := n.event(func(s *tournament.Settings) { s.Policy = fairplay.Preset(fairplay.Verified) })
	challenge := without(without(without(formValues(n.host.get("/challenges/new").want(http.StatusOK)), "handle"), "who"), "bot")
	forms := map[string]struct {
		by     *browser
		action string
		field  string // of the handle
		with   []string
	}{
		"banFromClub":       {n.host, "/clubs/dragons/bans", "handle", []string{"reason", "x"}},
		"mute":              {n.host, cup + "/mutes", "handle", []string{"for", "hour"}},
		"appoint":           {n.host, cup + "/staff", "handle", []string{"duty", "arbiter"}},
		"addEntry":          {n.host, registering + "/entries", "handle", nil},
		"linkEntry":         {n.host, cup + "/entries/2/link", "handle-2", nil},
		"addToLadder":       {n.host, "/ladders/" + string(hill) + "/players", "handle", nil},
		"enter":             {n.host, "/leagues/" + string(winter) + "/enter", "handle", nil},
		"doWatch":           {n.host, cup + "/steward", "handle", []string{"do", "name", "entry", "1"}},
		"attest":            {boss, "/attestations/issuers/site", "handle", []string{"kind", "human", "how", "in-person", "days", "365"}},
		"admitEntry":        {n.host, registering + "/fair-play/admit", "handle", []string{"reason", "x", "without", "handshake"}},
		"readChallengeForm": {n.host, "/challenges", "handle", append(challenge, "who", "player")},
	}
	for of, f := range forms {
		for _, handle := range []string{"nobody", " @nobody ", "a b", "Ніхто"} {
			p := f.by.post(f.action, append(slices.Clone(f.with), f.field, handle)...)
			if p.status != http.StatusUnprocessableEntity || !strings.Contains(p.body, "No player has that handle.") {
				t.Errorf("%s of %q: %d %v", of, handle, p.status, p.find("alert"))
			}
			if of != "mute" && of != "doWatch" && !p.holds(f.field, handle) { // they name who stands on the page
				t.Errorf("%s of %q: what was typed is lost", of, handle)
			}
		}
	}
	n.host.post(cup+"/entries/2/link", "handle-2", " @danylo ").want(http.StatusOK)

	found := map[string]bool{} // the challenge's form is read by its table
	eachFile(t, func(name string, file *ast.File) {
		if !strings.HasPrefix(name, "web/") {
			return
		}
		for _, d := range file.Decls {
			in, is := d.(*ast.FuncDecl)
			if !is {
				continue
			}
			ast.Inspect(in, func(x ast.Node) bool {
				call, is := x.(*ast.CallExpr)
				if !is {
					return true
				}
				for _, arg := range call.Args {
					lit, is := arg.(*ast.BasicLit)
					sel, named := call.Fun.(*ast.SelectorExpr)
					if is && named && lit.Value == `"handle"` && (sel.Sel.Name == "FormValue" || sel.Sel.Name == "Named") {
						found[in.Name.Name] = true
					}
				}
				return true
			})
		}
	})
	for of := range found {
		if _, tried := forms[of]; !tried && handlesElsewhere[of] == "" {
			t.Errorf("%s reads a handle of a form; is one that nobody has refused there?", of)
		}
	}
	for of := range handlesElsewhere {
		if !found[of] {
			t.Errorf("%s reads no handle any more", of)
		}
	}
}
