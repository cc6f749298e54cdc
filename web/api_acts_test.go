package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// staffOperations are operations on a tournament whose first round is open: what is sent, who may (the letters of roleLetters), and
// how its owner is answered.
var staffOperations = []struct {
	at, body, may string
	want          int
}{
	{"POST /clone", `{"staff":true}`, "OS", http.StatusCreated},
	{"GET /staff", "", "OAPRLS", http.StatusOK},
	{"POST /staff", `{"handle":"danylo","duty":"results"}`, "OS", http.StatusNoContent},
	{"DELETE /staff/reader", "", "OLS", http.StatusNoContent},
	{"POST /registration", "", "OAS", http.StatusConflict}, // it has begun
	{"DELETE /registration", "", "OAS", http.StatusConflict},
	{"POST /entries", `{"name":"Late Guest","rating":1500}`, "OAS", http.StatusCreated},
	{"POST /entries/2/withdrawal", "", "OAS", http.StatusNoContent},
	{"DELETE /entries/2/withdrawal", "", "OAS", http.StatusConflict}, // it plays
	{"POST /entries/2/byes", `{"round":3,"kind":"half"}`, "OAPS", http.StatusNoContent},
	{"POST /entries/2/check-in", "{}", "OAPS", http.StatusConflict}, // there is none here
	{"DELETE /check-in", "", "OAPS", http.StatusConflict},
	{"PUT /entries/2/account", `{"player":"danylo"}`, "OAS", http.StatusNoContent},
	{"PUT /teams/2/captains", `{"captains":["danylo"]}`, "OAS", http.StatusNotFound},                 // nobody plays in teams
	{"PUT /rounds/1/matches/1/forfeit", `{"lost":"first","reason":"x"}`, "OAS", http.StatusNotFound}, // the same
	{"POST /reseats", `{"board":1,"out":1,"in":2}`, "OAPS", http.StatusConflict},                     // the same
	{"PUT /report", `{"city":"Lviv"}`, "OAS", http.StatusNoContent},
	{"POST /entries/2/slip", "", "OAS", http.StatusNotFound}, // nobody came in by the door
	{"POST /door", "", "OAS", http.StatusOK},
	{"GET /door", "", "OAS", http.StatusNotFound}, // it is closed
	{"DELETE /door", "", "OAS", http.StatusNotFound},
	{"POST /round/edits", `{"kind":"seats","a":2,"b":4,"reason":"x"}`, "OAPS", http.StatusOK},
	{"GET /forbidden", "", "OAPRLS", http.StatusOK},
	{"POST /forbidden", `{"entries":[1,2],"soft":true}`, "OAPS", http.StatusNoContent},
	{"POST /allowed", `{"entries":[1,2]}`, "OAPS", http.StatusUnprocessableEntity},  // nothing is forbidden
	{"POST /rounds/1/boards/1/match", "", "OAS", http.StatusConflict},               // one has no account
	{"POST /extension", `{"more":300000,"reason":"x"}`, "OAS", http.StatusNotFound}, // no match waits
	{"GET /screens", "", "OAPS", http.StatusOK},
	{"POST /screens", `{"name":"Hall","shows":["pairings"],"each":15000,"lang":"uk","zone":"Europe/Kyiv"}`, "OAPS", http.StatusCreated},
	{"DELETE /screens/hall", "", "OAPS", http.StatusNotFound},
	{"POST /announcements", `{"text":"hello"}`, "OAPS", http.StatusNoContent},
	{"PUT /chat/open", `{"open":true}`, "OAS", http.StatusNoContent},
	{"PUT /mutes/danylo", `{"for":3600000}`, "OAS", http.StatusNoContent},
	{"DELETE /mutes/danylo", "", "OAS", http.StatusNotFound},
	{"GET /dry-run", "", "OAPRLS", http.StatusNotFound},    // there was none
	{"POST /dry-run", "{}", "OAPRLS", http.StatusConflict}, // it has begun
	{"DELETE /dry-run", "", "OAPRLS", http.StatusNoContent},
	{"POST /rehearsal", `{"bots":4}`, "OAS", http.StatusConflict}, // there are no bots
	{"GET /appeals", "", "OAS", http.StatusOK},
	{"POST /admissions", `{"player":"danylo","without":["passkey"],"reason":"x"}`, "OAS", http.StatusNoContent},
	{"POST /venues", "", "OAS", http.StatusNoContent},
	{"DELETE /venues", "", "OAS", http.StatusNoContent},
	{"GET /watches", "", "OAS", http.StatusOK},
	{"PUT /entries/1/steward", `{"handle":"danylo"}`, "OAS", http.StatusNoContent},
}

// TestEveryStaffOperationInEachOfTheRoles tries them by everybody, as TestEveryStaffActInEachOfTheRoles does the pages.
func TestEveryStaffOperationInEachOfTheRoles(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	staff, others := n.staffPeople()
	programs := map[byte]program{'V': {site: n.site}}
	for _, people := range []map[byte]player.Player{staff, others} {
		for letter, p := range people {
			programs[letter] = n.program(p)
		}
	}
	for i, o := range staffOperations {
		method, at, _ := strings.Cut(o.at, " ")
		for k := range len(roleLetters) {
			letter := roleLetters[k]
			id := tournament.ID(fmt.Sprintf("t-%d-%c", i, letter))
			n.staffed(id, staff)
			got := programs[letter].status(method, "/tournaments/"+string(id)+at, o.body)
			refused := got == http.StatusForbidden || got == http.StatusUnauthorized
			if may := strings.IndexByte(o.may, letter) >= 0; may == refused || got >= 500 {
				t.Errorf("%s by %c: status %d, it may: %v", o.at, letter, got, may)
			}
			if letter == 'O' && got != o.want {
				t.Errorf("%s by its owner: status %d, want %d", o.at, got, o.want)
			}
		}
	}
}

// status is that of an answer.
func (p program) status(method, path, body string) int {
	status, _ := p.answer(method, path, body)
	return status
}

// answer is an answer as it came, once it is seen to be as the API describes it.
func (p program) answer(method, path, body string) (int, string) {
	p.site.t.Helper()
	req := p.request(p.site.t.Context(), method, path, body)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.site.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.site.t.Fatal(err)
	}
	if err := p.site.isAsDescribed(req, res.StatusCode, res.Header, text); err != nil {
		p.site.t.Errorf("%s %s %s: %d %.500s\nis not as described: %.400s", method, path, body, res.StatusCode, text, err)
	}
	return res.StatusCode, string(text)
}

// tells checks that an operation answers with a status and a text.
func (p program) tells(method, path, body string, want int, text string) {
	p.site.t.Helper()
	if status, got := p.answer(method, path, body); status != want || !strings.Contains(got, text) {
		p.site.t.Fatalf("%s %s %s: status %d, want %d with %q: %s", method, path, body, status, want, text, got)
	}
}

// begins starts a tournament and opens its first round.
func (p program) begins(path string) {
	p.site.t.Helper()
	p.tells("POST", path+"/start", "", http.StatusOK, "")
	p.tells("POST", path+"/rounds", "", http.StatusCreated, "")
}

// TestProgramsFillATournament before it starts: entries with and without accounts, rounds off, leaving and coming back, pairs that must
// not meet, and the staff.
func TestProgramsFillATournament(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host, anna, borys, danylo := n.program(n.viewer("Olena").Player), n.program(n.players["anna"]), n.program(n.players["borys"]), n.program(n.players["danylo"])
	var made struct{ ID string }
	host.ask("POST", "/tournaments", `{"name":"Cup","format":"swiss","rounds":3,"pace":"manual","entry":{"halfByes":1}}`, http.StatusCreated, &made)
	at, path := "/tournaments/"+made.ID, "/tournaments/"+made.ID
	var guest struct{ Entry int }
	anna.tells("POST", at+"/entries", `{"name":"Guest One"}`, http.StatusForbidden, "")
	host.ask("POST", at+"/entries", `{"name":"Guest One","rating":1500,"club":"Lviv"}`, http.StatusCreated, &guest)
	host.tells("POST", at+"/entries", `{"name":"Guest One"}`, http.StatusConflict, "")
	host.tells("POST", at+"/entries", `{"player":"clara","overTheBoard":true}`, http.StatusCreated, `"overTheBoard":true`)
	clara := n.program(n.players["clara"])
	clara.tells("POST", at+"/play-here", "", http.StatusNoContent, "")
	if e := n.entry(path, "clara"); e.OverTheBoard {
		t.Error("clara still plays at a table")
	}
	host.tells("DELETE", at+"/registration", "", http.StatusNoContent, "")
	anna.tells("POST", at+"/entries", "", http.StatusConflict, "")
	host.tells("POST", at+"/registration", "", http.StatusNoContent, "")
	anna.tells("POST", at+"/entries", "", http.StatusCreated, `"status":"active"`)
	borys.tells("POST", at+"/entries", "", http.StatusCreated, `"status":"active"`)

	danylo.tells("POST", at+"/byes", `{"round":1,"kind":"half"}`, http.StatusNotFound, "")
	borys.tells("POST", at+"/byes", `{"round":1,"kind":"half"}`, http.StatusNoContent, "")
	if byes := n.entry(path, "borys").Byes; len(byes) != 1 || byes[0].Kind != tournament.HalfBye {
		t.Errorf("borys has %v", byes)
	}
	borys.tells("POST", at+"/byes", `{"round":1,"kind":"none"}`, http.StatusNoContent, "")
	borys.tells("POST", at+fmt.Sprint("/entries/", n.entry(path, "anna").ID, "/byes"), `{"round":1,"kind":"zero"}`, http.StatusForbidden, "")
	borys.tells("POST", at+"/byes", `{"round":1,"kind":"long"}`, http.StatusUnprocessableEntity, "half,zero,full,none")
	if byes := n.entry(path, "borys").Byes; len(byes) != 0 {
		t.Errorf("borys still has %v", byes)
	}

	of := fmt.Sprint(at, "/entries/", guest.Entry)
	host.tells("POST", of+"/withdrawal", "", http.StatusNoContent, "")
	host.tells("DELETE", of+"/withdrawal", "", http.StatusNoContent, "")
	borys.tells("DELETE", at+"/entries/borys", "", http.StatusNoContent, "")
	borys.tells("POST", at+"/return", "", http.StatusNoContent, "")
	host.tells("PUT", of+"/account", `{"player":"danylo"}`, http.StatusNoContent, "")
	if _, entered := n.tournament(path).EntryOf(n.players["danylo"].ID); !entered || len(n.active(path)) != 4 {
		t.Errorf("danylo plays: %v, beside %q", entered, n.active(path))
	}

	pair := fmt.Sprintf(`{"entries":[%d,%d]`, n.entry(path, "anna").ID, n.entry(path, "borys").ID)
	host.tells("POST", at+"/forbidden", pair+`,"to":2,"reason":"They are siblings"}`, http.StatusNoContent, "")
	host.tells("GET", at+"/forbidden", "", http.StatusOK, `"forbidden":[`+pair+`,"to":2}]`)
	host.tells("POST", at+"/allowed", pair+`,"to":2}`, http.StatusNoContent, "")
	host.tells("GET", at+"/forbidden", "", http.StatusOK, `"forbidden":[]`)

	host.tells("POST", at+"/staff", `{"handle":"anna","duty":"results"}`, http.StatusNoContent, "")
	anna.tells("GET", at+"/staff", "", http.StatusForbidden, "")
	anna.tells("POST", at+"/staff/accept", "", http.StatusNoContent, "")
	anna.tells("GET", at+"/staff", "", http.StatusOK, `{"player":"anna","duty":"results","since"`)
	anna.tells("DELETE", at+"/staff/anna", "", http.StatusNoContent, "")
	anna.tells("GET", at+"/staff", "", http.StatusForbidden, "")
	host.tells("DELETE", at+"/staff/Olena", "", http.StatusConflict, "last owner")

	host.tells("POST", at+"/dry-run", `{"runs":20,"seed":7}`, http.StatusNoContent, "")
	host.tells("GET", at+"/dry-run", "", http.StatusOK, `"state":"running","done":0,"total":20,"seed":7,"ends":null`)
	host.tells("DELETE", at+"/dry-run", "", http.StatusNoContent, "")
	host.tells("GET", at+"/dry-run", "", http.StatusOK, `"state":"cancelled"`)
}

// TestProgramsHoldTheVenue: door and slips, screens, announcements and chat.
func TestProgramsHoldTheVenue(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(*tournament.Settings) {})
	at := path
	host, anna, borys := n.program(n.viewer("Olena").Player), n.program(n.players["anna"]), n.program(n.players["borys"])
	var door struct {
		Code, URL, Kiosk string
		Guests           []struct {
			Entry      int
			Name, Code string
		}
	}
	host.ask("POST", at+"/door", "", http.StatusOK, &door)
	anna.tells("GET", at+"/door", "", http.StatusForbidden, "")
	kiosk := door.Kiosk
	daria := n.browser(lang.English)
	daria.post("/t/"+door.Code, "name", "Daria Tkach").want(http.StatusOK)
	host.ask("GET", at+"/door", "", http.StatusOK, &door)
	if len(door.Guests) != 1 || door.Guests[0].Name != "Daria Tkach" {
		t.Fatalf("%+v", door.Guests)
	}
	was := door.Guests[0]
	var slip struct{ Code string }
	host.ask("POST", fmt.Sprint(at, "/entries/", was.Entry, "/slip"), "", http.StatusOK, &slip)
	if slip.Code == "" || slip.Code == was.Code {
		t.Errorf("%q after %q", slip.Code, was.Code)
	}
	n.browser(lang.English).get("/k/" + slip.Code).want(http.StatusOK)
	host.ask("POST", at+"/door/kiosk", "", http.StatusOK, &door)
	if door.Kiosk == kiosk {
		t.Error("the kiosk stays")
	}
	host.tells("DELETE", at+"/door", "", http.StatusNoContent, "")
	host.tells("GET", at+"/door", "", http.StatusNotFound, "")

	var screen struct{ ID, URL string }
	const shows = `{"name":"Hall","shows":["pairings","message"],"each":15000,"message":"Tea","lang":"uk","zone":"Europe/Kyiv"}`
	host.ask("POST", at+"/screens", shows, http.StatusCreated, &screen)
	page := strings.TrimPrefix(screen.URL, n.http.URL)
	if body := n.browser(lang.English).get(page).want(http.StatusOK).body; !strings.Contains(body, "Tea") {
		t.Error("the screen says nothing")
	}
	host.tells("PUT", at+"/screens/"+screen.ID, strings.Replace(shows, "Tea", "Coffee", 1), http.StatusOK, `"each":15000,"message":"Coffee"`)
	host.tells("PUT", at+"/screens/"+screen.ID, strings.Replace(shows, "message", "weather", 1), http.StatusUnprocessableEntity, "shows are some of")
	host.tells("GET", at+"/screens", "", http.StatusOK, `"message":"Coffee"`)
	host.tells("DELETE", at+"/screens/"+screen.ID, "", http.StatusNoContent, "")
	n.browser(lang.English).get(page).want(http.StatusNotFound)

	anna.tells("POST", at+"/entries", "", http.StatusCreated, "")
	borys.tells("POST", at+"/entries", "", http.StatusCreated, "")
	host.tells("POST", at+"/announcements", `{"text":"We begin at seven"}`, http.StatusNoContent, "")
	host.tells("PUT", at+"/chat/open", `{"open":false}`, http.StatusNoContent, "")
	anna.tells("POST", at+"/chat", `{"text":"Good luck"}`, http.StatusConflict, "")
	host.tells("PUT", at+"/chat/open", `{"open":true}`, http.StatusNoContent, "")
	anna.tells("POST", at+"/chat", `{"text":"Good luck"}`, http.StatusNoContent, "")
	var chat struct {
		Announcements, Posts, Reported []struct {
			Number   int
			By, Text string
			Deleted  bool
			Reports  []struct{ By, Reason string }
		}
		Mutes []struct{ Player string }
	}
	borys.ask("GET", at+"/chat", "", http.StatusOK, &chat)
	if len(chat.Announcements) != 1 || len(chat.Posts) != 1 || chat.Posts[0].By != "anna" || chat.Posts[0].Text != "Good luck" {
		t.Fatalf("%+v", chat)
	}
	post := fmt.Sprint(at, "/posts/", chat.Posts[0].Number)
	borys.tells("DELETE", post, "", http.StatusForbidden, "")
	borys.tells("POST", post+"/report", `{"reason":"Rude"}`, http.StatusNoContent, "")
	host.ask("GET", at+"/chat", "", http.StatusOK, &chat)
	if len(chat.Reported) != 1 || chat.Reported[0].Reports[0].By != "borys" {
		t.Errorf("%+v", chat.Reported)
	}
	if _, body := anna.answer("GET", at+"/chat", ""); strings.Contains(body, "Rude") {
		t.Error("anna reads who has reported her")
	}
	host.tells("POST", post+"/settle", "", http.StatusNoContent, "")
	host.tells("PUT", at+"/mutes/anna", `{"for":3600000,"reason":"Rude"}`, http.StatusNoContent, "")
	n.clock.advance(time.Minute) // nobody talks faster
	anna.tells("POST", at+"/chat", `{"text":"Hello?"}`, http.StatusConflict, "")
	host.tells("DELETE", at+"/mutes/anna", "", http.StatusNoContent, "")
	anna.tells("POST", at+"/chat", `{"text":"Hello!"}`, http.StatusNoContent, "")
	anna.tells("DELETE", post, "", http.StatusNoContent, "")
	anna.tells("GET", at+"/chat", "", http.StatusOK, `"text":"","deleted":true`)
}

// TestProgramsBringTournaments: proposed, made again, from a report and from another site's bundle.
func TestProgramsBringTournaments(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host, anna := n.program(n.viewer("Olena").Player), n.program(n.players["anna"])
	var offer struct {
		Proposals []struct {
			Settings json.RawMessage
			Fits     bool
		}
	}
	host.ask("POST", "/tournaments/proposals", `{"people":16,"name":"Friday cup","starts":"2027-01-15T18:00:00Z","until":"2027-01-15T21:00:00Z"}`, http.StatusOK, &offer)
	if len(offer.Proposals) < 2 || !offer.Proposals[0].Fits {
		t.Fatalf("%+v", offer)
	}
	var made struct{ ID string }
	host.ask("POST", "/tournaments", string(offer.Proposals[0].Settings), http.StatusCreated, &made)
	if got := n.tournament("/tournaments/" + made.ID); got.Name != "Friday cup" || got.Status != tournament.Registration {
		t.Errorf("%s, %v", got.Name, got.Status)
	}
	anna.tells("POST", "/tournaments/"+made.ID+"/clone", "{}", http.StatusForbidden, "")
	host.ask("POST", "/tournaments/"+made.ID+"/clone", "{}", http.StatusCreated, &made)
	if got := n.tournament("/tournaments/" + made.ID); got.Name != "Friday cup" || got.Status != tournament.Draft {
		t.Errorf("%s, %v", got.Name, got.Status)
	}

	path := n.event(func(*tournament.Settings) {})
	for _, name := range []string{"Guest One", "Guest Two"} {
		host.tells("POST", path+"/entries", `{"name":"`+name+`"}`, http.StatusCreated, "")
	}
	host.begins(path)
	host.tells("POST", path+"/results", `{"round":1,"board":1,"result":"1-0"}`, http.StatusOK, "")
	report, err := json.Marshal(n.host.get(path + "/report.trf").want(http.StatusOK).body)
	if err != nil {
		t.Fatal(err)
	}
	var arrived struct {
		ID              *string
		Entries, Rounds int
	}
	host.ask("POST", "/tournaments/import", `{"preview":true,"name":"Brought","report":`+string(report)+`}`, http.StatusCreated, &arrived)
	if arrived.ID != nil || arrived.Entries != 2 || arrived.Rounds != 1 {
		t.Errorf("%+v", arrived)
	}
	host.ask("POST", "/tournaments/import", `{"name":"Brought","report":`+string(report)+`}`, http.StatusCreated, &arrived)
	if got := n.tournament("/tournaments/" + *arrived.ID); len(got.Rounds) != 1 || got.Rounds[0].Pairings[0].Result.IsPending() {
		t.Errorf("%+v", got.Rounds)
	}
	host.tells("POST", "/tournaments/import", `{"report":"001 one"}`, http.StatusUnprocessableEntity, `"field":"report"`)
	host.tells("POST", "/tournaments/import", `{"report":"012 Cup\n001    1      Ann Lee\n013 Lions                               1\n"}`, // in English, as all that programs are told
		http.StatusUnprocessableEntity, "belongs to a team event")
	anna.tells("POST", "/tournaments/import", `{"report":`+string(report)+`}`, http.StatusForbidden, "")

	var taken struct{ Bundle string }
	anna.tells("GET", path+"/bundle", "", http.StatusForbidden, "")
	host.ask("GET", path+"/bundle", "", http.StatusOK, &taken)
	bundle := taken.Bundle
	arrived.ID = nil
	host.ask("POST", "/tournaments/import/bundle", `{"preview":true,"bundle":"`+bundle+`"}`, http.StatusCreated, &arrived)
	if arrived.ID != nil || arrived.Entries != 2 {
		t.Errorf("%+v", arrived)
	}
	host.ask("POST", "/tournaments/import/bundle", `{"bundle":"`+bundle+`"}`, http.StatusCreated, &arrived)
	if got := n.tournament("/tournaments/" + *arrived.ID); len(got.Rounds) != 1 || len(got.Entries) != 2 {
		t.Errorf("%+v", got)
	}
	host.tells("POST", "/tournaments/import/bundle", `{"bundle":"`+bundle[:400]+`"}`, http.StatusUnprocessableEntity, "")
	host.tells("POST", "/tournaments/import/bundle", `{"bundle":"?"}`, http.StatusUnprocessableEntity, `"field":"bundle"`)
	anna.tells("POST", "/tournaments/import/bundle", `{"bundle":"`+bundle+`"}`, http.StatusForbidden, "")
}

// TestProgramsFindOpponents: two who look for the same meet, and go on to others.
func TestProgramsFindOpponents(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	anna, borys := n.program(n.players["anna"]), n.program(n.players["borys"])
	var found struct{ Match, Status string }
	anna.ask("POST", "/lobby", `{"preset":"quick","rated":false}`, http.StatusCreated, &found)
	if found.Match != "" || found.Status != "open" {
		t.Fatalf("%+v", found)
	}
	borys.ask("POST", "/lobby", `{"preset":"quick"}`, http.StatusCreated, &found)
	if found.Match == "" {
		t.Fatalf("%+v", found)
	}
	at := "/matches/" + found.Match
	borys.tells("POST", at+"/opponent", "", http.StatusConflict, "")
	for _, p := range []program{anna, borys} {
		p.tells("POST", at+"/commands", `{"ready":true}`, http.StatusOK, "")
	}
	borys.tells("POST", at+"/commands", `{"act":"resign"}`, http.StatusOK, "")
	found.Match = ""
	borys.ask("POST", at+"/opponent", "", http.StatusCreated, &found)
	if found.Match != "" || found.Status != "open" {
		t.Errorf("%+v", found)
	}
	n.program(n.players["clara"]).tells("POST", at+"/opponent", "", http.StatusForbidden, "")
}

// TestProgramsWatchAndReview: a steward at a board, a report, and a review from its opening to the player's answer.
func TestProgramsWatchAndReview(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host, anna, borys, danylo := n.program(n.viewer("Olena").Player), n.program(n.players["anna"]), n.program(n.players["borys"]), n.program(n.players["danylo"])
	path := n.event(func(*tournament.Settings) {})
	for _, p := range []program{anna, borys} {
		p.tells("POST", path+"/entries", "", http.StatusCreated, "")
	}
	entry := fmt.Sprint(path, "/entries/", n.entry(path, "anna").ID)
	host.tells("PUT", entry+"/steward", `{"handle":"borys"}`, http.StatusUnprocessableEntity, "")
	host.tells("PUT", entry+"/steward", `{"handle":"danylo"}`, http.StatusNoContent, "")
	host.begins(path)
	board := n.tournament(path).Rounds[0].Pairings[0]
	seats := map[bool]string{true: "A", false: "B"}
	annas := seats[board.First == n.entry(path, "anna").ID]
	at := "/matches/" + string(board.Match)
	borys.tells("GET", path+"/watches", "", http.StatusForbidden, "")
	borys.tells("POST", at+"/watch", `{"seat":"`+annas+`","do":"accept"}`, http.StatusForbidden, "")
	danylo.tells("POST", at+"/watch", `{"seat":"`+annas+`","do":"accept"}`, http.StatusNoContent, "")
	danylo.tells("GET", path+"/watches", "", http.StatusOK, `"steward":"danylo","demanded":false,"state":"accepted"`)

	for _, p := range []program{anna, borys} {
		p.tells("POST", at+"/commands", `{"ready":true}`, http.StatusOK, "")
	}
	anna.tells("POST", at+"/commands", `{"act":"resign"}`, http.StatusOK, "")
	borys.tells("POST", at+"/report", `{"seat":"`+annas+`","text":"Too quick"}`, http.StatusNoContent, "")
	borys.tells("POST", at+"/report", `{"seat":"`+annas+`","text":"Too quick"}`, http.StatusConflict, "")

	var opened struct{ Review string }
	place := strings.TrimPrefix(path, "/")
	open, own, of := `{"place":"`+place+`","player":"anna"}`, "/dossier?place="+place, "/dossiers/anna?place="+place
	borys.tells("POST", "/reviews", open, http.StatusForbidden, "")
	host.ask("POST", "/reviews", open, http.StatusCreated, &opened)
	host.tells("POST", "/reviews", open, http.StatusConflict, `"runs"`)
	steps := "/reviews/" + opened.Review + "/steps"
	borys.tells("POST", steps, `{"step":"note","steps":1,"text":"x"}`, http.StatusNotFound, "")
	host.tells("POST", steps, `{"step":"note","steps":1,"text":"I have looked"}`, http.StatusNoContent, "")
	host.tells("GET", of, "", http.StatusOK, `"step":"note","text":"I have looked"`)
	anna.tells("GET", own, "", http.StatusOK, `"reports":1,"reviews":[]`)
	host.tells("POST", steps, `{"step":"tell","steps":2,"text":"Your replies were quick"}`, http.StatusNoContent, "")
	anna.tells("GET", own, "", http.StatusOK, `"status":"told"`)
	anna.tells("POST", steps, `{"step":"answer","steps":3,"text":"I had seen it all before"}`, http.StatusNoContent, "")
	anna.tells("GET", own, "", http.StatusOK, `"looks":[{"by":"Olena"`)
	borys.tells("GET", of, "", http.StatusForbidden, "")
	host.tells("GET", "/dossiers/anna?place=clubs/x", "", http.StatusNotFound, "")
	borys.tells("GET", own, "", http.StatusOK, `"reports":0`)
}

// TestProgramsAppealAndDecide: an absence counts no more when the staff excuse it.
func TestProgramsAppealAndDecide(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	host, anna, borys := n.program(n.viewer("Olena").Player), n.program(n.players["anna"]), n.program(n.players["borys"])
	path := n.event(func(*tournament.Settings) {})
	for _, p := range []program{anna, borys} {
		p.tells("POST", path+"/entries", "", http.StatusCreated, "")
	}
	host.begins(path)
	missed := player.NoShow{ID: "tram", Player: n.players["anna"].ID, Tournament: strings.TrimPrefix(path, "/tournaments/"), Round: 1, Board: 1, Match: "m", At: n.clock.Now()}
	n.write(func(tx *store.Tx) error { return tx.AddNoShow(missed) })
	anna.tells("GET", "/me/absences", "", http.StatusOK, `"round":1,"board":1`)
	anna.tells("POST", "/absences/tram/appeal", `{"text":" "}`, http.StatusUnprocessableEntity, "")
	borys.tells("POST", "/absences/tram/appeal", `{"text":"It stood still"}`, http.StatusNotFound, "")
	host.tells("POST", "/absences/tram/verdict", `{"excused":true}`, http.StatusConflict, "")
	anna.tells("POST", "/absences/tram/appeal", `{"text":"It stood still"}`, http.StatusNoContent, "")
	host.tells("GET", path+"/appeals", "", http.StatusOK, `"id":"tram","player":"anna"`)
	borys.tells("GET", path+"/appeals", "", http.StatusForbidden, "")
	borys.tells("POST", "/absences/tram/verdict", `{"excused":true}`, http.StatusForbidden, "")
	host.tells("POST", "/absences/tram/verdict", `{"excused":true,"text":"It did"}`, http.StatusNoContent, "")
	anna.tells("GET", "/me/absences", "", http.StatusOK, `"appeal":"It stood still","verdict":"excused","answer":"It did"`)
	host.tells("GET", path+"/appeals", "", http.StatusOK, `"appeals":[]`)
}

// TestAProgramIssuesACheckInCode that the player types on their page.
func TestAProgramIssuesACheckInCode(t *testing.T) {
	t.Parallel()
	g := newVerified(t, "1")
	g.program(g.seats[0]).tells("POST", g.url()+"/check-in-code", `{"seat":"A"}`, http.StatusForbidden, "")
	var issued struct{ Code string }
	g.program(g.viewer("Olena").Player).ask("POST", g.url()+"/check-in-code", `{"seat":"A"}`, http.StatusOK, &issued)
	g.browsers[0].post(g.url()+"/check-in/code", "code", issued.Code, "key", g.pages[0].public()).want(http.StatusOK).says("You are checked in")
}
