package web_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/tournament/trf"
)

// An event of teams runs through the pages there are: a form with boards and reserves, a list whose lines name their team, the
// desk, boards, standings of teams and the report with its records of teams.
func TestAnEventOfTeamsRunsThroughThePages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "2", "pace", "manual", "tiebreaks", "EMGSB/C1, MPvGP", "team_boards", "2", "team_reserves", "1")
	list := "handle;team\nanna;Lions\nborys;Lions\nclara;Bears\ndanylo;Bears\n"
	n.host.post(path+"/players/add", "list", list, "do", "add").want(http.StatusOK)
	tour := n.tournament(path)
	if len(tour.Sides()) != 2 || len(tour.Players()) != 4 {
		t.Fatalf("%d teams, %d players", len(tour.Sides()), len(tour.Players()))
	}
	look := func() {
		t.Helper()
		for _, page := range []string{"", "/desk", "/players", "/standings", "/rounds/1", "/info", "/log", "/staff", "/schedule", "/pairings",
			"/crosstable", "/print/standings", "/print/pairings", "/calls", "/files", "/settings"} {
			if p := n.host.get(path + page); p.status != http.StatusOK && p.status != http.StatusNotFound {
				t.Errorf("%s: status %d", page, p.status)
			}
		}
	}
	look()
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	look()
	n.firstWins(path)
	look()
	if tour = n.tournament(path); len(tour.Rounds) != 1 || tour.Rounds[0].Pairings[1].Result.Kind != tournament.FirstWins {
		t.Fatalf("%+v", tour.Rounds)
	}
	if report := n.host.get(path + "/report.trf"); report.status == http.StatusOK && !strings.Contains(report.body, "\n310   1 ") {
		t.Errorf("a report without teams:\n%s", report.body)
	}
}

// teamOf returns the team of a name.
func (n *clubNight) teamOf(path, name string) tournament.Entry {
	n.t.Helper()
	for _, e := range n.tournament(path).Sides() {
		if e.Name == name {
			return e
		}
	}
	n.t.Fatalf("no team %s", name)
	return tournament.Entry{}
}

// A captain enters a team; players follow its address, and join once they are accepted. The board order is fixed at the start.
func TestACaptainMakesUpATeamOnItsPage(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "3", "pace", "manual", "tiebreaks", "EMGSB/C1, MPvGP", "team_boards", "2", "team_reserves", "1",
		"team_line_ups", "10", "entry_code", "lion")
	anna, borys, clara := n.as(n.players["anna"], lang.English), n.as(n.players["borys"], lang.English), n.as(n.players["clara"], lang.English)
	anna.get(path).want(http.StatusOK).wants("link", "Enter a team").wantsNo("button", "Enter")
	wrong := anna.post(path+"/teams", "name", "Lions", "code", "bear").want(http.StatusUnprocessableEntity)
	if !wrong.holds("name", "Lions") {
		t.Error("what was typed is lost")
	}
	made := anna.post(path+"/teams", "name", "Lions", "code", "lion", "plays", "on").want(http.StatusOK).wants("heading", "Lions").says("1 of 3")
	team := made.path
	if !strings.HasPrefix(team, path+"/teams/") || !made.holds("captains", "anna") {
		t.Fatalf("%s", team)
	}
	joins := borys.get(team).want(http.StatusOK).wants("button", "Ask to join") // the address that the captain shares
	if !strings.HasPrefix(joins.path, path+"?team=") {
		t.Errorf("led to %s", joins.path)
	}
	id := fmt.Sprint(n.teamOf(path, "Lions").ID)
	for _, b := range []*browser{borys, clara} {
		b.post(path+"/teams/join", "team", id).want(http.StatusOK).says("A captain has yet to accept you")
	}
	entry := func(name string) string {
		e, _ := n.tournament(path).EntryOf(n.players[name].ID)
		return fmt.Sprint(e.ID)
	}
	clara.post(team+"/mates", "mate", entry("clara"), "do", "accept").want(http.StatusForbidden)
	anna.get(team).want(http.StatusOK).wants("button", "Accept")
	anna.post(team+"/mates", "mate", entry("borys"), "do", "accept").want(http.StatusOK)
	anna.post(team+"/mates", "mate", entry("clara"), "do", "refuse").want(http.StatusOK)
	anna.post(team+"/mates", "mate", entry("borys"), "do", "up").want(http.StatusOK)
	borys.get(path).want(http.StatusOK).says("You play for Lions")
	var roster []string
	for _, e := range n.tournament(path).Roster(n.teamOf(path, "Lions").ID) {
		roster = append(roster, e.Name)
	}
	if !slices.Equal(roster, []string{"borys", "anna"}) {
		t.Errorf("%v", roster)
	}
	anna.post(team+"/captains", "captains", "@borys").want(http.StatusUnprocessableEntity).wants("alert", "captains") // she stays one
	anna.post(team+"/captains", "captains", "anna, borys").want(http.StatusOK)
	n.host.post(path+"/teams", "name", "Bears").want(http.StatusOK)
	bears := fmt.Sprint(path, "/teams/", n.teamOf(path, "Bears").ID)
	left := n.host.post(bears+"/players", "list", "Danylo Kit; 1700\nanna\nOlha Lys; many").want(http.StatusUnprocessableEntity)
	if !strings.Contains(left.body, "Olha Lys; many") || strings.Contains(left.body, "Danylo Kit; 1700") {
		t.Error("the form does not hold the lines that are left")
	}
	n.host.post(bears+"/players", "list", "Olha Lys").want(http.StatusOK).says("2 of 3")
	n.host.get(path+"/players").want(http.StatusOK).wants("link", "make up the team").wants("link", "Enter a team")
	n.host.post(path + "/start").want(http.StatusOK)
	anna.post(team+"/mates", "mate", entry("anna"), "do", "up").want(http.StatusConflict).wants("alert", "fixed")
}

// Twelve teams of four with two reserves play five rounds of a Swiss through the pages: captains hand in line-ups, a team comes
// late, a board and a match are forfeited, a result is corrected after the next pairing, and the report of the event that was
// signed off pairs to the same rounds.
func TestTwelveTeamsPlayFiveRoundsThroughThePages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "5", "pace", "manual", "tiebreaks", "EMGSB/C1, MPvGP, BH:MP/C1", "team_boards", "4",
		"team_reserves", "2", "team_line_ups", "10", "leave", "keep")
	quick := n.as(n.viewer("Olena").Player, lang.English) // does not look at the desk after each result
	quick.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	names := []string{"Ants", "Bears", "Cats", "Deer", "Elks", "Foxes", "Geese", "Hares", "Ibis", "Jays", "Koalas", "Lions"}
	captains := map[string]*browser{}
	enter := func(name string) {
		t.Helper()
		n.clock.advance(time.Minute) // nobody signs in faster
		captain := "captain" + name
		captains[name] = n.as(n.account(player.Handle(captain), player.Plain), lang.English)
		made := n.host.post(path+"/teams", "name", name, "captains", captain).want(http.StatusOK)
		var list strings.Builder
		for k := range 6 {
			fmt.Fprintf(&list, "%s Player%c; %d\n", name, 'A'+k, 2000-10*slices.Index(names, name)-k)
		}
		n.host.post(made.path+"/players", "list", list.String()).want(http.StatusOK).says("6 of 6")
	}
	for _, name := range names[:11] {
		enter(name)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	teamPage := func(id tournament.EntryID) string { return fmt.Sprint(path, "/teams/", id) }
	handIn := func(e tournament.Entry, players ...tournament.EntryID) page {
		t.Helper()
		sent := formValues(captains[e.Name].get(teamPage(e.ID)).want(http.StatusOK).wants("button", "Hand in the line-up"))
		ticked := 0
		for i := 0; i < len(sent); i += 2 {
			if sent[i] == "players" {
				ticked++
			}
		}
		if ticked != 4 {
			t.Errorf("%d players of %s are ticked", ticked, e.Name)
		}
		if players != nil {
			sent = []string{"round", fmt.Sprint(len(n.tournament(path).Rounds)), "seen", "1"}
			for _, id := range players {
				sent = append(sent, "players", fmt.Sprint(id))
			}
		}
		return captains[e.Name].post(teamPage(e.ID)+"/line-up", sent...)
	}
	for round := 1; round <= 5; round++ {
		if round == 2 {
			enter(names[11])
		}
		n.host.post(path + "/rounds").want(http.StatusOK)
		tour := n.tournament(path)
		if len(tour.Rounds) != round || len(tour.Rounds[round-1].Pairings) > 0 || len(tour.Awaited()) != 5+min(round-1, 1) {
			t.Fatalf("round %d: %d rounds, %d matches awaited", round, len(tour.Rounds), len(tour.Awaited()))
		}
		n.host.get(path+"/desk").want(http.StatusOK).wants("link", "Hand in the line-up of")
		for i, m := range tour.Rounds[round-1].Teams {
			for _, team := range []tournament.EntryID{m.First, m.Second} {
				e, _ := tour.Entry(team)
				roster := tour.Roster(team)
				switch {
				case round == 2 && i == 0 && team == m.First: // three players: board 4 is forfeited
					handIn(e, roster[2].ID, roster[0].ID).want(http.StatusUnprocessableEntity).wants("alert", "in its order")
					handIn(e, roster[0].ID, roster[2].ID, roster[5].ID).want(http.StatusOK).says("Line-up handed in")
				case round == 4 && i == 0 && team == m.Second: // an arbiter for the captain
					n.host.post(teamPage(team)+"/line-up", formValues(n.host.get(teamPage(team)))...).want(http.StatusOK)
				case round == 5 && i == 0: // two taps: the link of the event's page, and the button below the usual line-up
					captains[e.Name].get(path).want(http.StatusOK).wants("link", "Line-up of "+e.Name)
					fallthrough
				default:
					handIn(e).want(http.StatusOK)
				}
			}
		}
		if tour = n.tournament(path); len(tour.Awaited()) > 0 || len(tour.Rounds[round-1].Pairings) != 4*len(tour.Rounds[round-1].Teams) {
			t.Fatalf("round %d: %d boards are open", round, len(tour.Rounds[round-1].Pairings))
		}
		switch round {
		case 2:
			if kind := tour.Rounds[1].Pairings[3].Result.Kind; kind != tournament.FirstByForfeit && kind != tournament.SecondByForfeit {
				t.Errorf("board 4 of three players: %v", kind)
			}
		case 3:
			n.host.get(path + "/desk").want(http.StatusOK).says(path + "/rounds/3/matches/2/forfeit")
			n.host.post(path+"/rounds/3/matches/2/forfeit", "lost", "second", "reason", "They left the hall").want(http.StatusOK).
				says("They left the hall")
			n.browser(lang.English).get(path + "/rounds/3/matches/2").want(http.StatusOK).says("forfeits the match. They left the hall")
		case 5: // a reserve for whoever sits at board 1
			p := tour.Rounds[4].Pairings[0]
			in := tour.Roster(tour.SideOf(p.First))[5].ID
			n.host.get(path+"/desk").want(http.StatusOK).wants("button", "Exchange")
			n.host.post(path+"/reseat", "seat", fmt.Sprint("1-", p.First, "-", in), "reason", "Ill").want(http.StatusOK)
			if now := n.tournament(path).Rounds[4].Pairings[0]; now.First != in {
				t.Errorf("board 1: %+v", now)
			}
		}
		for i, p := range n.tournament(path).Rounds[round-1].Pairings {
			if p.Result.IsPending() {
				n.clock.advance(time.Second)
				quick.post(path+"/results", "round", fmt.Sprint(round), "board", fmt.Sprint(p.Board), "result",
					[]string{"1-0", "0-1", "1/2-1/2", "1-0"}[(i*i+round*i/3+round)%4]).want(http.StatusSeeOther)
			}
		}
		if round == 3 { // round 2 is corrected once round 3 is paired
			tour, result := n.tournament(path), "0-1"
			if tour.Rounds[1].Pairings[5].Result.Kind == tournament.SecondWins {
				result = "1-0"
			}
			n.host.post(fmt.Sprint(path, "/rounds/2/boards/6?result=", result, "&reach=from-now&shown=", tour.Version), "reason", "the sheet says so").
				want(http.StatusOK)
		}
	}
	captains["Ants"].get("/notices").want(http.StatusOK).says("your team meets")
	if n.tournament(path).Status == tournament.Running {
		n.host.post(path + "/finish").want(http.StatusOK)
	}
	n.host.post(path+"/life/finalize").want(http.StatusOK).wants("heading", "Signed off")
	report := n.host.get(path + "/report.trf").want(http.StatusOK).body
	r, err := trf.ReadAny(report)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Teams.List) != 12 || len(r.Teams.Forfeits) != 1 {
		t.Errorf("%d teams, %d forfeits", len(r.Teams.List), len(r.Teams.Forfeits))
	}
	program := filepath.Join(t.TempDir(), "chpok")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "chpok.org/chpok/cmd/chpok").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for text, want := range map[string]string{report: "5 rounds checked", n.host.get(path + "/log.jsonl").want(http.StatusOK).body: ": 0 differences"} {
		check := exec.CommandContext(t.Context(), program, "check")
		check.Stdin = strings.NewReader(text)
		if out, err := check.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("no %q, %v: %s\n%s", want, err, out, text)
		}
	}
}

// Programs make up teams, hand in line-ups and decide about matches as the pages do; sealed line-ups stay so.
func TestProgramsActForTeams(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "3", "pace", "manual", "tiebreaks", "EMGSB/C1, MPvGP", "team_boards", "2", "team_reserves", "1",
		"team_line_ups", "10")
	olena, anna, borys, clara := n.program(n.viewer("Olena").Player), n.program(n.players["anna"]), n.program(n.players["borys"]), n.program(n.players["clara"])
	anna.tells("POST", path+"/teams", `{"name":"Lions","plays":true}`, http.StatusCreated, `"name":"Lions"`)
	borys.tells("POST", path+"/teams/1/players", "{}", http.StatusCreated, `"status":"requested"`)
	anna.tells("GET", path+"/teams", "", http.StatusOK, `"requests":[`)
	if _, body := clara.answer("GET", path+"/teams", ""); strings.Contains(body, "borys") {
		t.Errorf("everybody reads who asks to join: %s", body)
	}
	borys.tells("POST", path+"/teams/1/requests/3", `{"accept":true}`, http.StatusForbidden, "")
	anna.tells("POST", path+"/teams/1/requests/3", `{"accept":true}`, http.StatusNoContent, "")
	anna.tells("PUT", path+"/teams/1/players", `{"players":[3]}`, http.StatusUnprocessableEntity, "")
	anna.tells("PUT", path+"/teams/1/players", `{"players":[3,2]}`, http.StatusNoContent, "")
	olena.tells("POST", path+"/teams", `{"name":"Bears","captains":["clara"]}`, http.StatusCreated, "")
	olena.tells("POST", path+"/lists", `{"list":"Guest One\nGuest Two","team":4}`, http.StatusOK, `"status":"active"`)
	olena.tells("POST", path+"/teams/4/players", `{"name":"Guest Three","rating":1500}`, http.StatusCreated, "")
	olena.tells("PUT", path+"/teams/4/captains", `{"captains":["clara","danylo"]}`, http.StatusNoContent, "")
	olena.begins(path)
	anna.tells("GET", path+"/teams/1/line-up", "", http.StatusOK, `"usual":[3,2]`)
	clara.tells("GET", path+"/teams/1/line-up", "", http.StatusForbidden, "")
	anna.tells("PUT", path+"/teams/1/line-up", `{"round":1,"players":[2,3]}`, http.StatusUnprocessableEntity, "")
	anna.tells("PUT", path+"/teams/1/line-up", `{"round":1,"players":[3]}`, http.StatusNoContent, "")
	anna.tells("GET", path+"/teams/1/line-up", "", http.StatusOK, `"players":[3]`)
	if _, body := olena.answer("GET", path+"/teams/1/line-up", ""); strings.Contains(body, `"players"`) || strings.Contains(body, `"handedIn":null`) {
		t.Errorf("staff read a sealed line-up: %s", body)
	}
	clara.tells("PUT", path+"/teams/4/line-up", `{"round":1,"players":[5,6]}`, http.StatusNoContent, "")
	olena.tells("POST", path+"/reseats", `{"board":1,"out":3,"in":2}`, http.StatusNoContent, "")
	if p := n.tournament(path).Rounds[0].Pairings[0]; p.First != 2 && p.Second != 2 {
		t.Errorf("board 1: %+v", p)
	}
	olena.tells("PUT", path+"/rounds/1/matches/1/forfeit", `{"lost":"both","reason":"Neither came"}`, http.StatusNoContent, "")
	if m := n.tournament(path).Rounds[0].Teams[0]; m.Lost != [2]bool{true, true} || m.Why != "Neither came" {
		t.Errorf("%+v", m)
	}
}

// boardsAre enters the results of a match of the latest round, board by board as seen from the team: 1, 0 or =.
func (n *clubNight) boardsAre(path, team, results string) {
	n.t.Helper()
	tour := n.tournament(path)
	r := tour.Rounds[len(tour.Rounds)-1]
	number, m := r.MatchOf(n.teamOf(path, team).ID)
	for k, p := range r.BoardsOf(number) {
		result := map[byte]tournament.ResultKind{'1': tournament.FirstWins, '0': tournament.SecondWins, '=': tournament.Drawn}[results[k]]
		if tournament.TeamSeat(k+1, m.SeatOf(n.teamOf(path, team).ID)) == match.Second {
			result = result.Swapped()
		}
		n.host.post(path+"/results", "round", fmt.Sprint(r.Number), "board", fmt.Sprint(p.Board), "result", result.String()).want(http.StatusOK)
	}
}

// meetings opens the next round and says who meets, the better seed first.
func (n *clubNight) meetings(path string) (list []string) {
	n.t.Helper()
	n.host.post(path + "/rounds").want(http.StatusOK)
	tour := n.tournament(path)
	for _, m := range tour.Rounds[len(tour.Rounds)-1].Teams {
		first, _ := tour.Entry(m.First)
		second, _ := tour.Entry(m.Second)
		list = append(list, min(first.Name, second.Name)+"-"+max(first.Name, second.Name))
	}
	return list
}

// Six teams play a knock-out through the pages: byes, a level match decided by the board count, a team that leaves, a result that
// turns once the next round is made, and an event that its log, its report and its bundle tell.
func TestAKnockOutOfTeamsRunsThroughThePages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	n.players["tetyana"] = n.account("tetyana", player.Plain)
	n.host.post("/tournaments", form("format", "knock-out", "team_boards", "2", "team_tie", "boards", "losers", "third")...).
		want(http.StatusUnprocessableEntity).says("not for teams") // its last step decides nothing
	path := n.create("format", "knock-out", "pace", "manual", "tie", "pair-decider", "team_tie", "boards-bottom-seed", "losers", "third",
		"team_boards", "2", "team_reserves", "1", "team_line_ups", "0")
	n.sixTeams(path)
	n.host.post(path + "/start").want(http.StatusOK)
	if got := n.meetings(path); !slices.Equal(got, []string{"Dogs-Elks", "Cats-Foxes"}) {
		t.Fatalf("round 1: %v", got)
	}
	n.boardsAre(path, "Dogs", "10")
	n.boardsAre(path, "Cats", "11")
	visitor := n.browser(lang.English)
	bracket := visitor.get(path + "/bracket").want(http.StatusOK).tells("level, board count").tells("4 Dogs 1 (goes through)")
	if !strings.Contains(bracket.body, path+"/rounds/1/matches/1") {
		t.Error("the box does not lead to the match of the teams")
	}
	visitor.get(path + "/info").want(http.StatusOK).says("the lower board count, then without the last boards, then the better seed")
	n.host.post(fmt.Sprint(path, "/entries/", n.teamOf(path, "Bears").ID, "/withdraw"), "reason", "ill").want(http.StatusOK)
	if got := n.meetings(path); !slices.Equal(got, []string{"Ants-Dogs", "Bears-Cats"}) {
		t.Fatalf("round 2: %v", got)
	}
	n.boardsAre(path, "Ants", "1=")
	if got := n.meetings(path); !slices.Equal(got, []string{"Ants-Cats", "Bears-Dogs"}) {
		t.Fatalf("round 3: %v", got)
	}
	n.crawl(path)
	n.boardsAre(path, "Ants", "=1") // the final; nobody of the Bears comes for third place
	if places := n.tournament(path).Field().Places; n.tournament(path).Status != tournament.Finished || places[1] != 1 || places[4] != 3 {
		t.Fatalf("places %v", places)
	}
	first := n.tournament(path).Rounds[1]
	number, m := first.MatchOf(n.teamOf(path, "Ants").ID)
	board, result := first.BoardsOf(number)[0].Board, "0-1"
	if m.SeatOf(n.teamOf(path, "Ants").ID) == match.Second {
		result = "1-0"
	}
	n.correctTo(path, 2, board, result, "from-now").want(http.StatusConflict).wants("alert", "Someone else would go through")
	n.correctTo(path, 2, board, result, "").want(http.StatusOK).says("their matches are lost")
	if now := n.tournament(path); now.Status != tournament.Running || len(now.Rounds) != 2 {
		t.Fatalf("%v with %d rounds", now.Status, len(now.Rounds))
	}
	if got := n.meetings(path); !slices.Equal(got, []string{"Cats-Dogs", "Ants-Bears"}) {
		t.Fatalf("round 3 anew: %v", got)
	}
	n.boardsAre(path, "Dogs", "01")
	visitor.get(path + "/bracket").want(http.StatusOK).tells("3 Cats 1 (goes through)")
	report := n.host.get(path + "/report.trf").want(http.StatusOK).body
	r, err := trf.ReadAny(report)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.TeamField(); f.System != "CUSTOM_TEAM_KNOCKOUT" || f.Places[3] != 1 || f.Places[4] != 2 || f.Places[1] != 3 {
		t.Errorf("%s places %v\n%s", f.System, f.Places, report)
	}
	tour := n.tournament(path)
	folded, err := ledger.Fold(n.deeds(path))
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(tour, folded, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(tournament.Tournament{}, "ClubStaff")); diff != "" {
		t.Errorf("the tables (-) are not what the log says (+):\n%s", diff)
	}
	if copied := n.tournament(n.bundled(path)); !gocmp.Equal(copied.Field().Places, tour.Field().Places) {
		t.Errorf("imported, places are %v", copied.Field().Places)
	}
}

// sixTeams enters six teams of three guests, the first the strongest.
func (n *clubNight) sixTeams(path string) {
	n.t.Helper()
	var list strings.Builder
	list.WriteString("name;rating;team\n")
	for k, team := range []string{"Ants", "Bears", "Cats", "Dogs", "Elks", "Foxes"} {
		for i := range 3 {
			fmt.Fprintf(&list, "%s %c;%d;%s\n", team, 'A'+i, 2000-50*k-i, team)
		}
	}
	n.host.post(path+"/players/add", "list", list.String(), "do", "add").want(http.StatusOK)
}

// inOrder plays an event of teams to its end: who comes first in the alphabet wins every board, or as results say.
func (n *clubNight) inOrder(path string, results map[string]string) {
	n.t.Helper()
	for n.tournament(path).Status == tournament.Running {
		for _, m := range n.meetings(path) {
			first, _, _ := strings.Cut(m, "-")
			n.boardsAre(path, first, cmp.Or(results[first], "11"))
		}
	}
}

// Six teams in two groups of three, of which the first two go on into a knock-out with their players, those of a group apart. A
// team that leaves before its first match makes way for the next of its group, whose players sit down at once.
func TestTeamsGoFromGroupsIntoAKnockOut(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	cup := n.create("name", "Cup", "format", "knock-out", "pace", "manual", "team_tie", "boards-bottom-seed", "losers", "third",
		"team_boards", "2", "team_reserves", "1", "team_line_ups", "0")
	n.sixTeams(cup)
	n.host.get(cup + "/groups").want(http.StatusOK).says("2, of 3 each")
	n.host.post(cup+"/groups", "groups", "2", "each", "2", "way", "snake").want(http.StatusOK)
	n.host.get(cup+"/desk").want(http.StatusOK).says("3 teams, 3 rounds").wants("button", "Start")
	n.step(n.host.get(cup+"/desk"), n.host, cup).want(http.StatusOK)
	for i, want := range []string{"Ants Dogs Elks", "Bears Cats Foxes"} {
		group := "/tournaments/" + string(n.tournament(cup).Origin.Of[i].ID)
		tour, names := n.tournament(group), []string{}
		for _, e := range tour.Sides() {
			names = append(names, e.Name)
		}
		if slices.Sort(names); strings.Join(names, " ") != want || len(tour.Players()) != 9 || !tour.Format.MeetsAll() || tour.Teams.Boards != 2 {
			t.Fatalf("group %d: %v with %d players, %+v", i+1, names, len(tour.Players()), tour.Teams)
		}
		n.inOrder(group, map[string]string{"Bears": "1="})
	}
	n.browser(lang.English).get(cup + "/origin").want(http.StatusOK).says("Foxes")
	n.host.post(cup + "/origin").want(http.StatusOK)
	n.wantSeeds(cup, "Ants", "Bears", "Dogs", "Cats") // Ants have more game points than Bears; the second of a group meets the first of the other
	tour := n.tournament(cup)
	if len(tour.Roster(n.teamOf(cup, "Dogs").ID)) != 3 || len(tour.Roster(n.teamOf(cup, "Elks").ID)) != 0 || len(tour.Entries) != 24 {
		t.Fatalf("%d entries: teams and players are those of before", len(tour.Entries))
	}
	n.host.post(cup + "/start").want(http.StatusOK)
	if got := n.meetings(cup); !slices.Equal(got, []string{"Ants-Cats", "Bears-Dogs"}) {
		t.Fatalf("%v", got)
	}
	dogs := n.teamOf(cup, "Dogs")
	n.host.post(fmt.Sprint(cup, "/entries/", dogs.ID, "/withdraw"), "reason", "ill").want(http.StatusOK)
	n.host.post(cup+"/origin/exchange?seed=2&name=Elks", "reason", "they left").want(http.StatusOK)
	n.wantSeeds(cup, "Ants", "Bears", "Elks", "Cats")
	tour = n.tournament(cup)
	number, m := tour.Rounds[0].MatchOf(n.teamOf(cup, "Elks").ID)
	for k, p := range tour.Rounds[0].BoardsOf(number) {
		e, _ := tour.Entry(p.EntryAt(tournament.TeamSeat(k+1, m.SeatOf(n.teamOf(cup, "Elks").ID))))
		if want := fmt.Sprintf("Elks %c", 'A'+k); e.Name != want || !p.Result.IsPending() {
			t.Errorf("at board %d sits %s, %+v", k+1, e.Name, p.Result)
		}
	}
	n.boardsAre(cup, "Elks", "1=")
	n.boardsAre(cup, "Ants", "11")
	if got := n.meetings(cup); !slices.Equal(got, []string{"Ants-Elks", "Bears-Cats"}) {
		t.Fatalf("%v", got)
	}
	n.host.post(cup+"/origin/exchange?seed=2&name=Dogs", "reason", "back").want(http.StatusConflict) // they have played
	n.boardsAre(cup, "Bears", "1=")
	n.boardsAre(cup, "Ants", "1=")
	if tour = n.tournament(cup); tour.Status != tournament.Finished || tour.Field().Places[1] != 1 {
		t.Errorf("%v, places %v", tour.Status, tour.Field().Places)
	}
	folded, err := ledger.Fold(n.deeds(cup))
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(tour, folded, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(tournament.Tournament{}, "ClubStaff")); diff != "" {
		t.Errorf("the tables (-) are not what the log says (+):\n%s", diff)
	}
}

// A Swiss of teams leads into a knock-out of its first four, and into a round robin that counts its points. Neither takes individual
// results along, nor an event of players beside it.
func TestTeamsGoFromASwissIntoAFinal(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	league := n.create("name", "League", "format", "swiss", "rounds", "3", "pace", "manual", "tiebreaks", "MPvGP", "team_boards", "2", "team_reserves", "1",
		"team_line_ups", "0")
	n.sixTeams(league)
	n.host.post(league + "/start").want(http.StatusOK)
	n.inOrder(league, nil)
	players := n.group("Players", "anna", "borys", "clara")
	n.host.get(league+"/next").want(http.StatusOK).wants("heading", "Hold the next stage")
	n.host.post(league+"/next", "name", "Final", "each", "2", "format", "knock-out", "with", strings.TrimPrefix(players, "/tournaments/")).
		want(http.StatusConflict).wants("alert", "as many boards")
	final := strings.TrimSuffix(n.host.post(league+"/next", "name", "Final", "each", "4", "format", "knock-out").want(http.StatusOK).path, "/origin")
	table, err := format.Standings(n.tournament(league), -1)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range n.tournament(final).Origin.Seeds { // equal places are drawn
		if q.Place != table.Lines[i].Rank {
			t.Errorf("seed %d had place %d, not %d", i+1, q.Place, table.Lines[i].Rank)
		}
	}
	if tour := n.tournament(final); tour.Teams.Boards != 2 || !slices.Equal(tour.Tie, tournament.DefaultTie(true)) || len(tour.Players()) != 12 {
		t.Errorf("%+v with %d players", tour.Teams, len(tour.Players()))
	}
	n.host.post(final + "/start").want(http.StatusOK)
	if got := n.meetings(final); len(got) != 2 {
		t.Errorf("%v", got)
	}
	n.host.post(league+"/next", "name", "Mutual", "each", "4", "format", "round-robin", "carry", "mutual").want(http.StatusConflict)
	all := strings.TrimSuffix(n.host.post(league+"/next", "name", "Second", "each", "4", "format", "round-robin", "carry", "all").want(http.StatusOK).path, "/origin")
	if first := n.tournament(all).Origin.Seeds[0]; first.Score != table.Lines[0].Score || first.Score == 0 {
		t.Errorf("the first brings %v of %v", first.Score, table.Lines[0].Score)
	}
}
