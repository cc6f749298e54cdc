package web_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/engine/puzzle"
	"chpok.org/chpok/notice/courier/couriertest"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
)

// withScopes is a program with a token that may do these things only.
func (s *site) withScopes(p player.Player, scopes ...player.Scope) program {
	s.t.Helper()
	var secret player.Secret
	s.write(func(tx *store.Tx) (err error) {
		secret, err = tx.AddToken(player.Token{Player: p.ID, Name: "some", Scopes: scopes, Created: s.clock.Now()})
		return err
	})
	return program{s, secret}
}

// TestProgramsKeepRatingLists: opened, changed, computed anew, and given ratings from elsewhere after a look at what that changes.
func TestProgramsKeepRatingLists(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	boss, anna := n.program(n.account("Boss", player.Operator)), n.program(n.players["anna"])
	anna.tells("POST", "/rating-pools", `{"name":"Blitz"}`, http.StatusForbidden, "")
	boss.tells("POST", "/rating-pools", `{}`, http.StatusUnprocessableEntity, `"field":"name"`)
	boss.tells("POST", "/rating-pools",
		`{"name":"Blitz","rules":{"start":1500,"newGames":30,"newK":900,"k":20,"floor":100,"juniorK":40,"top":2400}}`,
		http.StatusUnprocessableEntity, `"field":"rules.newK"`)
	boss.tells("POST", "/rating-pools", `{"name":"Blitz","counts":{"tournaments":false,"challenges":false,"ladders":false,"handicap":false}}`,
		http.StatusUnprocessableEntity, `"code":"pool-wrong"`)
	var pool struct {
		ID, Method string
		Rules      struct{ Start, NewK int }
		Glicko     *struct{ Tau float64 }
	}
	boss.ask("POST", "/rating-pools", `{"name":"Blitz","zone":"Europe/Kyiv"}`, http.StatusCreated, &pool)
	if pool.ID == "" || pool.Method != "elo" || pool.Rules.Start != store.DefaultStart || pool.Glicko != nil {
		t.Errorf("%+v", pool)
	}
	at := "/rating-pools/" + pool.ID
	boss.ask("PATCH", at, `{"method":"glicko2","glicko":{"tau":0.7,"deviation":300,"volatility":0.05,"provisional":100}}`,
		http.StatusOK, &pool)
	if pool.Method != "glicko2" || pool.Glicko == nil || pool.Glicko.Tau != 0.7 || pool.Rules.Start != store.DefaultStart {
		t.Errorf("%+v", pool)
	}
	boss.tells("PATCH", at, `{"glicko":{"tau":7,"deviation":300,"volatility":0.05,"provisional":100}}`,
		http.StatusUnprocessableEntity, `"field":"glicko.tau"`)
	anna.tells("PATCH", at, `{"name":"Mine"}`, http.StatusForbidden, "")
	boss.tells("POST", at+"/recompute", "", http.StatusNoContent, "")
	anna.tells("GET", at, "", http.StatusOK, `"name":"Blitz"`)

	const list = `"list":"handle,rating,games\nanna,1612,41\nnovice,1400,2"`
	anna.tells("POST", at+"/import", `{`+list+`}`, http.StatusForbidden, "")
	boss.tells("POST", at+"/import", `{"list":"name\nanna"}`, http.StatusUnprocessableEntity, `"code":"import-header"`)
	boss.tells("POST", at+"/import", `{"list":"handle,rating\nanna,high"}`, http.StatusUnprocessableEntity, "line 2")
	boss.tells("POST", at+"/import", `{"preview":true,`+list+`}`, http.StatusOK, `"left":[{"line":3,"text":"novice","why":"nobody"}]`)
	boss.tells("POST", at+"/import", `{"create":true,"preview":true,`+list+`}`,
		http.StatusOK, `"handle":"novice","rating":1400,"before":0,"games":2,"changes":"account"`)
	n.program(n.players["borys"]).tells("GET", "/players/novice", "", http.StatusNotFound, "")
	boss.tells("POST", at+"/import", `{"create":true,`+list+`}`, http.StatusOK, "")
	anna.tells("GET", "/ratings?pool="+pool.ID, "", http.StatusOK, `"handle":"novice"`)
	boss.tells("POST", at+"/import", `{"preview":true,"list":"handle,rating,games\nanna,1700,41"}`,
		http.StatusOK, `"before":1612,"games":41,"changes":"replaced"`)
	var pools struct{ Version int64 }
	boss.ask("GET", "/rating-pools", "", http.StatusOK, &pools)
	if pools.Version == 0 {
		t.Error("nothing says what was seen")
	}
}

// TestProgramsFollowAndSayWhenOneWasBorn for their own account, and only with the scope for that.
func TestProgramsFollowAndSayWhenOneWasBorn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna, borys := n.program(n.players["anna"]), n.program(n.players["borys"])
	n.withScopes(n.players["anna"], player.ScopeRead, player.ScopeChallenge).tells("POST", "/players/borys/follow", "",
		http.StatusForbidden, `"scope"`)
	anna.tells("POST", "/players/anna/follow", "", http.StatusForbidden, "")
	anna.tells("POST", "/players/nobody/follow", "", http.StatusNotFound, "")
	anna.tells("POST", "/players/borys/follow", "", http.StatusNoContent, "")
	anna.tells("GET", "/me/following", "", http.StatusOK, `{"players":["borys"],"clubs":[]}`)
	anna.tells("DELETE", "/players/borys/follow", "", http.StatusNoContent, "")
	anna.tells("GET", "/me/following", "", http.StatusOK, `"players":[]`)

	anna.tells("PUT", "/players/anna/birth-year", `{"year":2012}`, http.StatusNoContent, "")
	anna.tells("PUT", "/players/anna/birth-year", `{"year":1812}`, http.StatusUnprocessableEntity, `"birth-year"`)
	anna.tells("GET", "/players/anna", "", http.StatusOK, `"birthYear":2012`)
	if _, body := borys.answer("GET", "/players/anna", ""); len(body) == 0 || strings.Contains(body, "2012") {
		t.Errorf("others read %s", body)
	}
	boss := n.account("Boss", player.Operator)
	n.withScopes(boss, player.ScopeRead, player.ScopeAccount).tells("PUT", "/players/anna/birth-year", `{"year":2011}`,
		http.StatusForbidden, `"scope"`)
	n.program(boss).tells("PUT", "/players/anna/birth-year", `{"year":0}`, http.StatusNoContent, "")
	borys.tells("PUT", "/players/anna/birth-year", `{"year":2011}`, http.StatusForbidden, "")
	if _, body := anna.answer("GET", "/players/anna", ""); strings.Contains(body, "birthYear") {
		t.Errorf("%s", body)
	}
}

// TestProgramsKeepAnAccount: settings, profile, blocks and bots, each as the pages show it then.
func TestProgramsKeepAnAccount(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna, borys := n.program(n.players["anna"]), n.program(n.players["borys"])
	anna.tells("PATCH", "/me/settings", `{"theme":"dark","zone":"Europe/Kyiv","play":{"board":"walnut"}}`,
		http.StatusOK, `"theme":"dark","zone":"Europe/Kyiv"`)
	anna.tells("PATCH", "/me/settings", `{"lang":"uk"}`, http.StatusOK, `"lang":"uk","theme":"dark"`)
	anna.tells("PATCH", "/me/settings", `{"zone":"Europe/Nowhere"}`, http.StatusUnprocessableEntity, `"field":"zone"`)
	anna.tells("PATCH", "/me/settings", `{"play":{"board":"pink"}}`, http.StatusUnprocessableEntity, `"comfort"`)
	anna.tells("GET", "/me/settings", "", http.StatusOK, `"board":"walnut"`)

	const profile = `{"name":"Anna Koval","about":"I teach","country":"UA","fide":"14100001","links":["https://example.org"],` +
		`"privacy":{"profile":"nobody","history":"everyone","online":"members","challenge":"everyone","follow":"%","hidden":true}}`
	anna.tells("PUT", "/me/profile", strings.Replace(profile, "%", "friends", 1), http.StatusUnprocessableEntity, `"field":"privacy"`)
	anna.tells("PUT", "/me/profile", strings.Replace(strings.Replace(profile, "%", "everyone", 1), "UA", "ZZ", 1),
		http.StatusUnprocessableEntity, `"country"`)
	anna.tells("PUT", "/me/profile", strings.Replace(profile, "%", "nobody", 1), http.StatusNoContent, "")
	anna.tells("GET", "/me/profile", "", http.StatusOK, `"name":"Anna Koval","about":"I teach","country":"UA","fide":"14100001"`)
	borys.tells("POST", "/players/anna/follow", "", http.StatusForbidden, "")

	anna.tells("PUT", "/me/blocks/anna", "", http.StatusBadRequest, "")
	anna.tells("PUT", "/me/blocks/borys", "", http.StatusNoContent, "")
	anna.tells("GET", "/me/blocks", "", http.StatusOK, `{"players":["borys"]}`)
	borys.tells("POST", "/challenges", `{"to":"anna"}`, http.StatusUnprocessableEntity, `"not-wanted"`)
	anna.tells("DELETE", "/me/blocks/borys", "", http.StatusNoContent, "")
	anna.tells("GET", "/me/blocks", "", http.StatusOK, `{"players":[]}`)

	anna.tells("POST", "/me/bots", `{"handle":"borys"}`, http.StatusUnprocessableEntity, `"handle-taken"`)
	anna.tells("POST", "/me/bots", `{"handle":"annas-bot"}`,
		http.StatusCreated, `{"handle":"annas-bot","rules":{"from":"everyone","low":0,"high":0,"longest":0,"atOnce":4}}`)
	const rules = `{"from":"members","low":1200,"high":%,"longest":3600000,"atOnce":2}`
	borys.tells("PUT", "/me/bots/annas-bot/rules", strings.Replace(rules, "%", "1800", 1), http.StatusForbidden, "")
	anna.tells("PUT", "/me/bots/anna/rules", strings.Replace(rules, "%", "1800", 1), http.StatusNotFound, "")
	anna.tells("PUT", "/me/bots/annas-bot/rules", strings.Replace(rules, "%", "1100", 1), http.StatusUnprocessableEntity, "")
	anna.tells("PUT", "/me/bots/annas-bot/rules", strings.Replace(rules, "%", "1800", 1), http.StatusOK, "")
	anna.tells("GET", "/me/bots", "", http.StatusOK, `"low":1200,"high":1800,"longest":3600000,"atOnce":2`)
}

// TestProgramsReadNoticesAndChooseThem: read one by one or up to a moment, and told of differently from then on.
func TestProgramsReadNoticesAndChooseThem(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna, borys := n.program(n.players["anna"]), n.program(n.players["borys"])
	for _, by := range []program{n.program(n.players["clara"]), borys} {
		by.tells("POST", "/challenges", `{"to":"anna"}`, http.StatusCreated, "")
		n.clock.advance(time.Second)
	}
	var told struct {
		Notices []struct {
			ID, Kind, Text, URL string
			At                  time.Time
			Read                *time.Time
		}
	}
	unread := func() int {
		t.Helper()
		anna.ask("GET", "/me/notices?unread=1", "", http.StatusOK, &told)
		return len(told.Notices)
	}
	if unread() != 2 || !strings.Contains(told.Notices[0].Text, "borys") || !strings.HasPrefix(told.Notices[0].URL, n.http.URL+"/c/") {
		t.Fatalf("%+v", told)
	}
	borys.tells("POST", "/me/notices/"+told.Notices[0].ID+"/read", "", http.StatusNotFound, "")
	anna.tells("POST", "/me/notices/read", `{"until":"`+told.Notices[1].At.Format(time.RFC3339Nano)+`"}`, http.StatusNoContent, "")
	if unread() != 1 {
		t.Fatalf("%+v", told)
	}
	anna.tells("POST", "/me/notices/"+told.Notices[0].ID+"/read", "", http.StatusNoContent, "")
	if unread() != 0 {
		t.Errorf("%+v", told)
	}
	if anna.ask("GET", "/me/notices", "", http.StatusOK, &told); len(told.Notices) != 2 || told.Notices[0].Read == nil {
		t.Errorf("%+v", told)
	}

	anna.tells("PATCH", "/me/notices/settings", `{"early":1}`, http.StatusUnprocessableEntity, `"field":"early"`)
	anna.tells("PATCH", "/me/notices/settings", `{"kinds":[{"kind":"rain","app":true,"mail":false,"push":false,"telegram":false}]}`,
		http.StatusUnprocessableEntity, `"field":"kinds"`)
	anna.tells("PATCH", "/me/notices/settings",
		`{"early":0,"kinds":[{"kind":"`+told.Notices[0].Kind+`","app":false,"mail":false,"push":false,"telegram":false}]}`,
		http.StatusOK,
		`"early":0,"late":900000`)
	n.program(n.players["danylo"]).tells("POST", "/challenges", `{"to":"anna"}`, http.StatusCreated, "")
	if unread() != 0 {
		t.Errorf("told all the same: %+v", told)
	}

	var link struct{ URL string }
	anna.tells("GET", "/me/calendar", "", http.StatusOK, `{"since":null}`)
	anna.ask("POST", "/me/calendar", "", http.StatusCreated, &link)
	at := strings.TrimPrefix(link.URL, n.http.URL)
	n.browser(lang.English).get(at).want(http.StatusOK)
	anna.tells("DELETE", "/me/calendar", "", http.StatusNoContent, "")
	n.browser(lang.English).get(at).want(http.StatusNotFound)

	anna.tells("GET", "/me/mail", "", http.StatusOK, `{"offered":false,"address":null,"pending":null}`)
	anna.tells("PUT", "/me/mail", `{"address":"anna@example.org"}`, http.StatusNotFound, "")
}

// TestProgramsRunASite for its operators, with the scope for that.
func TestProgramsRunASite(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	inbox := couriertest.Start(t)
	s.mailedBy(nil, "")
	boss, taras := s.program(people["operator"]), s.program(people["player"])
	for _, program := range []program{taras, s.withScopes(people["operator"], player.ScopeRead, player.ScopeOrganize, player.ScopeAccount)} {
		program.tells("GET", "/site", "", http.StatusForbidden, "")
		program.tells("PUT", "/site/sign-up", `{"open":false}`, http.StatusForbidden, "")
		program.tells("PUT", "/site/roles/Taras", `{"role":"operator"}`, http.StatusForbidden, "")
	}
	boss.tells("PUT", "/site/face", `{"name":" ","mark":"D"}`, http.StatusUnprocessableEntity, `"site-name"`)
	boss.tells("PUT", "/site/face", `{"name":"Dragon  Club","mark":"D"}`, http.StatusNoContent, "")
	boss.tells("PUT", "/site/sign-up", `{"open":false}`, http.StatusNoContent, "")
	boss.tells("POST", "/site/skip", `{"step":"event"}`, http.StatusNoContent, "")
	boss.tells("PUT", "/site/mail", `{"server":"smtp://127.0.0.1:1?tls=none","from":"site@club.example"}`,
		http.StatusUnprocessableEntity, "the mail server refused the letter: ")
	boss.tells("PUT", "/site/mail", `{"server":"`+inbox.URL+`","from":"site@club.example"}`, http.StatusNoContent, "")
	if got := inbox.Letters(); len(got) != 1 || got[0].To != "<site@club.example>" {
		t.Errorf("%+v", got)
	}
	type setupStep struct {
		Step          string
		Done, Skipped bool
	}
	var site struct {
		Name, Mark string
		SignUp     bool
		Steps      []setupStep
		Version    int64
	}
	boss.ask("GET", "/site", "", http.StatusOK, &site)
	step := func(name string) (of setupStep) {
		for _, x := range site.Steps {
			if x.Step == name {
				of = x
			}
		}
		return of
	}
	if site.Name != "Dragon Club" || site.Mark != "D" || site.SignUp || !step("mail").Done || !step("event").Skipped {
		t.Errorf("%+v", site)
	}
	boss.tells("PUT", "/site/roles/Boss", `{"role":"player"}`, http.StatusForbidden, "")
	boss.tells("PUT", "/site/roles/Taras", `{"role":"organizer"}`, http.StatusNoContent, "")
	taras.tells("GET", "/me", "", http.StatusOK, `"role":"organizer"`)
	vera := s.program(s.account("Vera", player.Operator))
	vera.tells("PUT", "/site/face?shown="+strconv.FormatInt(site.Version, 10), `{"name":"Lions","mark":""}`, http.StatusNoContent, "")
	boss.tells("PUT", "/site/face?shown="+strconv.FormatInt(site.Version, 10), `{"name":"Tigers","mark":""}`,
		http.StatusConflict, `"overtaken"`)
	taras.tells("PUT", "/me/mail", `{"address":"nobody"}`, http.StatusUnprocessableEntity, "")
	taras.tells("PUT", "/me/mail", `{"address":"taras@example.org"}`,
		http.StatusOK, `{"offered":true,"address":null,"pending":"taras@example.org"}`)
	taras.tells("DELETE", "/me/mail", "", http.StatusNoContent, "")
	taras.tells("GET", "/me/mail", "", http.StatusOK, `"pending":null`)
}

// TestProgramsVouch: a club is let vouch, attests, and takes it back; and the fair-play text is accepted as it was read.
func TestProgramsVouch(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	boss, olena, taras, visitor := s.program(people["operator"]), s.program(people["organizer"]), s.program(people["player"]), program{site: s}
	var issuer, word struct{ ID string }
	olena.tells("POST", "/attestations/issuers", `{"club":"club1"}`, http.StatusForbidden, "")
	boss.ask("POST", "/attestations/issuers", `{"club":"club1"}`, http.StatusCreated, &issuer)
	at := "/attestations/issuers/" + issuer.ID
	boss.tells("POST", "/attestations/issuers/site/attestations",
		`{"player":"Olena","kind":"identity","how":"video","days":400,"name":"Олена","born":"1980-01-01"}`,
		http.StatusCreated, `"counts":true`)
	const says = `{"player":"Taras","kind":"identity","how":"in-person","days":365,"name":"Тарас Коваль",` +
		`"born":"1999-04-05","note":"plays on Tuesdays"}`
	taras.tells("POST", at+"/attestations", says, http.StatusForbidden, "")
	olena.tells("POST", at+"/attestations", `{"player":"Taras","kind":"identity","how":"in-person","days":365}`,
		http.StatusUnprocessableEntity, "")
	olena.ask("POST", at+"/attestations", says, http.StatusCreated, &word)
	_, body := visitor.answer("GET", "/attestations", "")
	if strings.Contains(body, "Коваль") || !strings.Contains(body, "plays on Tuesdays") {
		t.Errorf("everybody reads %s", body)
	}
	olena.tells("GET", "/attestations", "", http.StatusOK, `"club":"club1","mine":true,"revoked":null`)
	taras.tells("GET", "/me/attestations", "", http.StatusOK, `"player":"Taras","issuer":"`+issuer.ID+`"`)
	taras.tells("POST", "/attestations/"+word.ID+"/revocation", `{"code":"error"}`, http.StatusForbidden, "")
	olena.tells("POST", "/attestations/"+word.ID+"/revocation", `{"code":"error"}`, http.StatusNoContent, "")
	taras.tells("GET", "/me/attestations", "", http.StatusOK, `"code":"error"`)
	olena.tells("POST", at+"/revocation", `{"code":"left-club"}`, http.StatusForbidden, "")
	boss.tells("POST", at+"/revocation", `{"code":"left-club"}`, http.StatusNoContent, "")
	olena.tells("POST", at+"/attestations", says, http.StatusForbidden, "")

	var text struct{ Hash, Text string }
	taras.ask("GET", "/fair-play/text?lang=uk", "", http.StatusOK, &text)
	if text.Text == "" {
		t.Error("there is nothing to read")
	}
	taras.tells("POST", "/fair-play/text", `{"hash":"0000"}`, http.StatusUnprocessableEntity, `"field":"hash"`)
	taras.tells("GET", "/fair-play/text", "", http.StatusOK, `"accepted":null`)
	taras.tells("POST", "/fair-play/text", `{"hash":"`+text.Hash+`"}`, http.StatusNoContent, "")
	if _, body := taras.answer("GET", "/fair-play/text", ""); strings.Contains(body, `"accepted":null`) {
		t.Errorf("%s", body)
	}
}

// TestProgramsSolvePuzzles as the page lets people: what is right is told only once it was tried.
func TestProgramsSolvePuzzles(t *testing.T) {
	t.Parallel()
	c := newContest(t, short(1))
	visitor, taras := program{site: c.site}, c.program(c.taras)
	visitor.tells("GET", "/puzzles/next", "", http.StatusNotFound, "")
	c.toBoard()
	c.moves(fool...)
	if !c.searched(c.id) {
		t.Fatal("nobody looked for puzzles")
	}
	var put struct {
		ID, Theme, Position, Status string
		Legal, Answer               []string
		Mine                        *struct{ Rating, Streak int }
		Tried                       bool
	}
	visitor.ask("GET", "/puzzles/next", "", http.StatusOK, &put)
	if put.Theme != "king" || put.Position == "" || put.Status != "asked" || len(put.Answer) != 0 || put.Mine != nil {
		t.Fatalf("%+v", put)
	}
	at := "/puzzles/" + put.ID + "/tries"
	visitor.tells("POST", at, `{"acts":["d8h4"]}`, http.StatusUnauthorized, "")
	taras.tells("POST", at, `{"acts":["d8d4"]}`, http.StatusUnprocessableEntity, `"field":"acts"`)
	taras.ask("POST", at, `{"acts":["d8h4"]}`, http.StatusOK, &put)
	if put.Status != "asked" || put.Tried || put.Mine.Rating != 1200 || len(put.Legal) == 0 {
		t.Errorf("%+v", put)
	}
	taras.ask("POST", at, `{"acts":["d8h4","h4e1"]}`, http.StatusOK, &put)
	if put.Status != "solved" || put.Mine.Rating <= 1200 || put.Mine.Streak != 1 || put.Answer[0] != "d8h4" {
		t.Errorf("%+v", put)
	}
	solvers := 0
	// What is refused was not judged, and what was judged is told, whatever comes after it.
	for body, isJudged := range map[string]bool{`{}`: false, `{"acts":[]}`: false, `{"raise":0}`: false, `{"raise":0,"acts":["d8h4"]}`: false,
		`{"acts":["d8d4"]}`: false, `{"acts":["d8h4","a1a1"]}`: false, `{"acts":["d8e7"]}`: true, `{"acts":["d8e7","a1a1"]}`: true, `{"acts":["d8e7","d8h4"]}`: true} {
		solvers++
		who := c.program(c.account(player.Handle("solver-"+strconv.Itoa(solvers)), player.Plain))
		status, answer := who.answer("POST", at, body)
		var then struct{ Tried bool }
		who.ask("GET", strings.TrimSuffix(at, "/tries"), "", http.StatusOK, &then)
		if told := strings.Contains(answer, `"status":"wrong"`); (status == http.StatusOK) != isJudged || told != isJudged || then.Tried != isJudged {
			t.Errorf("%s: %d, told %v, judged %v", body, status, told, then.Tried)
		}
	}
	visitor.tells("GET", "/puzzles/daily", "", http.StatusOK, `"daily":true`)

	known := puzzle.House()[slices.IndexFunc(puzzle.House(), func(p puzzle.Puzzle) bool { return p.Table != nil })]
	c.write(func(tx *store.Tx) error { return tx.AddPuzzle(store.Puzzle{ID: known.ID(), What: known}) })
	at = "/puzzles/" + known.ID()
	visitor.tells("GET", at, "", http.StatusOK, `"worth":null}],"right":null}`)
	taras.tells("POST", at+"/tries", `{"raise":99}`, http.StatusUnprocessableEntity, `"field":"raise"`)
	taras.tells("POST", at+"/tries", `{"raise":`+strconv.Itoa(known.Table.Right)+`}`,
		http.StatusOK, `"right":`+strconv.Itoa(known.Table.Right)+`},"status":"solved"`)
}

// TestBotsAreListedWithWhoAnswersForThem on a page and for programs: how strong each is, and what it plays; first by
// a rating with games behind it, then the site's by level, then who was hardly measured.
func TestBotsAreListedWithWhoAnswersForThem(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna := n.program(n.players["anna"])
	anna.tells("POST", "/me/bots", `{"handle":"annas-bot"}`, http.StatusCreated, "")
	anna.tells("PUT", "/me/bots/annas-bot/rules", `{"from":"members","low":1200,"high":1800,"longest":3600000,"atOnce":2}`, http.StatusOK, "")
	n.write(func(tx *store.Tx) error {
		for _, b := range []player.Player{{Handle: "Pishak"}, {Handle: "Drakon"}, {Handle: "Bashta"}, {Handle: "a-strong-one", Maintainer: n.players["anna"].ID},
			{Handle: "z-stronger", Maintainer: n.players["anna"].ID}} {
			b.ID, b.Bot, b.Role, b.Created = player.ID(b.Handle), true, player.Plain, n.clock.Now()
			if err := tx.AddPlayer(b, ""); err != nil {
				return err
			}
		}
		return nil
	})
	n.as(n.account("Boss", player.Operator), lang.English).post("/ratings/pools/main/import", "confirm", "1",
		"text", "handle,rating,games\na-strong-one,1700,40\nBashta,1500,40\nz-stronger,1900,40\nannas-bot,2400,1\nDrakon,1400,2\n").want(http.StatusOK)
	list := n.browser(lang.English).get("/players?show=bots").want(http.StatusOK).wants("link", "annas-bot").wants("link", "anna").
		wants("link", "Write a bot in 30 minutes").wants("link", "Example in one file")
	list.says("Level 1 of 8").says("1500 · Level 4 of 8").says("Plays members of the site, rated 1200 or more, rated 1800 or less, up to 1 h, 2 matches at once").saysNot("borys")
	n.browser(lang.Ukrainian).get("/players/annas-bot").want(http.StatusOK).
		says("Грає із зареєстрованими, рейтинг від 1200, рейтинг до 1800")
	var told struct {
		Bots []struct {
			Handle     string
			Maintainer *string
			Level      *int
			Last       struct{ Matches int }
			Rules      *struct{ High, AtOnce int }
		}
	}
	program{site: n.site}.ask("GET", "/bots", "", http.StatusOK, &told)
	order, places := []string{"z-stronger", "a-strong-one", "Bashta", "Drakon", "Pishak", "annas-bot"}, []int{}
	for i, b := range told.Bots {
		if i >= len(order) || b.Handle != order[i] {
			t.Fatalf("%+v, want %q", told.Bots, order)
		}
		places = append(places, strings.Index(list.body, ">"+b.Handle+"<"))
	}
	if !slices.IsSorted(places) || places[0] < 0 {
		t.Errorf("on the page they stand at %v", places)
	}
	if b := told.Bots[5]; *b.Maintainer != "anna" || b.Rules.High != 1800 || b.Level != nil {
		t.Errorf("%+v", b)
	}
	if house := told.Bots[4]; house.Maintainer != nil || *house.Level != 1 || house.Rules != nil {
		t.Errorf("%+v", house)
	}
}

// Where players and staff share an operation, a program that may arrange an organizer's own matches only does nothing to others: not in
// an event, on a ladder, in a league or in a club.
func TestAProgramWithoutTheScopeToOrganizeIsNoStaff(t *testing.T) {
	t.Parallel()
	s, people := peopled(t)
	olena, lina := people["organizer"], s.account("lina", player.Plain)
	whole, some := s.program(olena), s.withScopes(olena, player.ScopeRead, player.ScopeChallenge)
	var event, ladder, league struct{ ID string }
	whole.ask("POST", "/tournaments", `{"name":"Friday","format":"swiss","rounds":3}`, http.StatusCreated, &event)
	whole.ask("POST", "/ladders", `{"name":"Steps","places":3}`, http.StatusCreated, &ladder)
	whole.ask("POST", "/leagues", `{"club":"club1","name":"Winter league","starts":"`+
		s.clock.Now().Add(48*time.Hour).UTC().Format(time.RFC3339)+`"}`, http.StatusCreated, &league)
	whole.tells("POST", "/tournaments/"+event.ID+"/registration", "", http.StatusNoContent, "")
	s.program(lina).tells("POST", "/tournaments/"+event.ID+"/entries", "", http.StatusCreated, "")
	s.program(lina).tells("POST", "/tournaments/"+event.ID+"/chat", `{"text":"Hello"}`, http.StatusNoContent, "")
	s.program(lina).tells("POST", "/ladders/"+ladder.ID+"/players", "", http.StatusOK, "")
	s.program(lina).tells("POST", "/leagues/"+league.ID, `{"do":"enter"}`, http.StatusOK, "")
	for _, x := range [][3]string{
		{"DELETE", "/tournaments/" + event.ID + "/entries/lina", ""},
		{"DELETE", "/tournaments/" + event.ID + "/posts/1", ""},
		{"DELETE", "/ladders/" + ladder.ID + "/players/lina", ""},
		{"POST", "/leagues/" + league.ID, `{"do":"warn","player":"lina","text":"No answer"}`},
		{"POST", "/leagues/" + league.ID, `{"do":"leave","player":"lina"}`},
		{"POST", "/leagues/" + league.ID, `{"do":"propose"}`},
	} {
		if status, body := some.answer(x[0], x[1], x[2]); status != http.StatusForbidden {
			t.Errorf("%s %s %s: %d %s", x[0], x[1], x[2], status, body)
		}
	}
	some.tells("POST", "/leagues/"+league.ID, `{"do":"enter"}`, http.StatusOK, `"Olena"`)
	some.tells("POST", "/tournaments/"+event.ID+"/entries", "", http.StatusCreated, "")
	some.tells("POST", "/ladders/"+ladder.ID+"/players", "", http.StatusOK, "")
	whole.tells("POST", "/leagues/"+league.ID, `{"do":"propose"}`, http.StatusConflict, "nobody")
}
