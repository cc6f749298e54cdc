package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	webform "chpok.org/chpok/web/form"
)

// TestAnEventIsMadeOfThreeAnswers: what was changed by hand stays when an answer
// changes, everything else follows it.
func TestAnEventIsMadeOfThreeAnswers(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	first := n.host.get("/tournaments/new").want(http.StatusOK).wants("button", "Create event")
	// 24 people: 2^5 is the first above; the chips are the organizer's own choice.
	asked := filled(formValues(first), "name", "Dragon night", "people", "24", "day", "2026-12-04", "time", "18:00", "over_by", "20:00", "stake", "club")
	looked := n.host.post("/tournaments/propose", asked...).want(http.StatusOK).wants("heading", "Swiss, 5 rounds")
	if !looked.holds("rounds", "5") || !looked.holds("name", "Dragon night") {
		t.Error("the long form does not follow the answers, or forgets the name")
	}
	changed := n.host.post("/tournaments/propose", filled(formValues(looked), "chips", "9")...).want(http.StatusOK)
	few := n.host.post("/tournaments/propose", filled(formValues(changed), "people", "6", "over_by", "22:00", "stake", "fun")...).want(http.StatusOK).wants("heading", "Round robin, 5 rounds")
	if !few.holds("chips", "9") || !few.holds("format", "round-robin") {
		t.Error("what was changed by hand is lost, or the format is")
	}
	made := n.host.post("/tournaments", formValues(few)...).want(http.StatusOK)
	got := n.tournament(eventPath(made.path))
	at, _ := got.RoundAt(1)
	kyiv := time.Date(2026, 12, 4, 16, 0, 0, 0, time.UTC) // 18:00 in winter
	if got.Status != tournament.Registration || got.Name != "Dragon night" || got.Envelope.Chips != 9 || got.Rated || got.Review || got.Capacity != 7 ||
		!at.Equal(kyiv) || !got.Until.Equal(kyiv.Add(4*time.Hour)) || !slices.Equal(got.Tiebreaks, tournament.DefaultTiebreaks(tournament.RoundRobin, false)) {
		t.Errorf("starts %v: %+v", at, got.Settings)
	}
	n.as(n.players["anna"], lang.English).post("/tournaments", formValues(few)...).want(http.StatusForbidden)
}

// eventPath is the tournament to which a page belongs.
func eventPath(path string) string {
	parts := strings.Split(path, "/")
	return strings.Join(parts[:min(3, len(parts))], "/")
}

func TestAnEventLikeTheLastIsOneClickAway(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	last := n.event(func(s *tournament.Settings) { s.Name, s.Envelope.Chips, s.Rounds = "Friday Swiss", 7, 4 })
	page := n.host.get("/tournaments/new").want(http.StatusOK).wants("link", "Friday Swiss")
	if page.holds("chips", "7") {
		t.Error("the last event holds without being asked for")
	}
	again := n.host.get("/tournaments/new?like=" + strings.TrimPrefix(last, "/tournaments/")).want(http.StatusOK)
	made := n.host.post("/tournaments", formValues(again)...).want(http.StatusOK)
	got := n.tournament(eventPath(made.path))
	if got.Name != "Friday Swiss" || got.Envelope.Chips != 7 || got.Settings.Rounds != 4 || made.path == last {
		t.Errorf("%s: %+v", made.path, got.Settings)
	}
	n.as(n.players["anna"], lang.English).get("/tournaments/new?like=" + strings.TrimPrefix(last, "/tournaments/")).want(http.StatusForbidden)
}

// TestTheLongFormTellsItsFaultsWhereTheyStand, and keeps what was written.
func TestTheLongFormTellsItsFaultsWhereTheyStand(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	first := n.host.get("/tournaments/new").want(http.StatusOK)
	bad := n.host.post("/tournaments", filled(formValues(first), "name", "", "rounds", "7", "people", "24")...).want(http.StatusUnprocessableEntity).wants("alert", "name")
	if !bad.holds("rounds", "7") {
		t.Error("what was written is lost")
	}
	made := n.host.post("/tournaments", filled(formValues(bad), "name", "Open cup", "do", "draft", "people", "24", "default_points", "N6", "capacity", "12", "entry_code", "lion", "approval", "on", "min_games", "2",
		"entry_opens", "2026-12-01T18:00", "entry_closes", "2026-12-02 18:00", "entry_list", "anna, Borys", "late_until", "2", "late_bye", "half", "half_byes", "1", "lateness", "7")...).want(http.StatusOK)
	path := eventPath(made.path)
	got := n.tournament(path).Settings
	e := got.Entry
	if n.tournament(path).Status != tournament.Draft || got.Rounds != 7 || got.Lateness != 7*time.Minute || got.Capacity != 12 || e.Code != "lion" || !e.Approval ||
		e.Conditions.MinGames != 2 || len(e.Conditions.List) != 2 || e.LateUntil != 2 || e.LateBye != tournament.HalfBye || e.HalfByes != 1 ||
		!e.Closes.Equal(e.Opens.Add(24*time.Hour)) || !slices.Equal(got.Tiebreaks, tournament.DefaultTiebreaks(tournament.Swiss, false)) {
		t.Errorf("%+v", got)
	}
	// What stands stays, what is unticked is off, tie-breaks stand in the order that was chosen.
	edit := n.host.get(path + "/edit").want(http.StatusOK)
	if !edit.holds("default_points", "N6") {
		t.Error("the points for moves are lost")
	}
	values := filled(formValues(edit), "entry_code", "")
	values = append(without(without(values, "approval"), "tiebreaks"), "tiebreaks", "WIN", "tiebreaks", "BH/C1", "tiebreaks", "")
	n.host.post(path, values...).want(http.StatusOK)
	if again := n.tournament(path).Settings; again.Entry.Approval || again.Entry.Code != "" || again.Capacity != 12 || !slices.Equal(again.Tiebreaks, []string{"WIN", "BH/C1"}) {
		t.Errorf("%+v", again)
	}
	n.host.post(path, filled(values, "max_rating", "1000", "min_rating", "1200", "entry_list", "a b!")...).
		want(http.StatusUnprocessableEntity).wants("alert", "check the list of handles")
}

// without is a form without one of its names.
func without(values []string, name string) []string {
	var out []string
	for i := 0; i < len(values); i += 2 {
		if values[i] != name {
			out = append(out, values[i], values[i+1])
		}
	}
	return out
}

func TestATournamentIsClonedWithItsStaff(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	at := n.clock.Now().Add(-48 * time.Hour)
	path := n.event(func(s *tournament.Settings) {
		s.Pace, s.Rounds, s.Times, s.Entry.Code = tournament.Times, 2, tournament.Moments{at, at.Add(time.Hour)}, "lion"
	})
	n.host.post(path+"/staff", "handle", "anna", "duty", "results").want(http.StatusOK)
	n.as(n.players["anna"], lang.English).post(path + "/staff/accept").want(http.StatusOK)
	p := n.host.post(path+"/clone", "staff", "on").want(http.StatusOK)
	got := n.tournament(eventPath(p.path))
	if got.Status != tournament.Draft || got.Settings.Entry.Code != "lion" || !got.Times[0].Equal(at.Add(7*24*time.Hour)) || len(got.Staff) != 2 || !got.Staff[1].Invited || got.Staff[1].Duty != tournament.Results {
		t.Errorf("%+v", got)
	}
	n.as(n.players["anna"], lang.English).post(path + "/clone").want(http.StatusForbidden) // of the staff, but no organizer
	var lines int
	n.write(func(tx *store.Tx) (err error) {
		_, lines, err = tx.Tournaments(store.TournamentQuery{AllDrafts: true, Limit: 9})
		return err
	})
	if lines != 2 {
		t.Errorf("%d tournaments", lines)
	}
}

// Forty-eight people in teams of four are twelve teams: 2^4 is the first above. What only teams have follows the answer, and a size
// chosen by hand in the long form stays.
func TestTeamsAreOneOfTheAnswers(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	first := n.host.get("/tournaments/new").want(http.StatusOK)
	asked := filled(formValues(first), "people", "48", "teams", "4", "over_by", "open", "stake", "club")
	looked := n.host.post("/tournaments/propose", asked...).want(http.StatusOK).wants("heading", "Swiss, 4 rounds, teams of 4").
		says("Every team plays").wantsNo("radio", "Arena")
	boards := func(p page) string {
		list := formValues(p)
		return list[slices.Index(list, "team_boards")+1]
	}
	if boards(looked) != "4" || !looked.holds("team_reserves", "2") || !looked.holds("team_line_ups", "5") || !looked.holds("team_win", "2") {
		t.Error("the long form does not follow the answer")
	}
	made := n.host.post("/tournaments", filled(formValues(looked), "team_line_ups", "20", "team_by_games", "on", "team_win", "3",
		"team_preferences", "b")...).want(http.StatusOK)
	n.host.post("/tournaments", filled(formValues(looked), "team_draw", "one")...).want(http.StatusUnprocessableEntity).wants("alert", "use points such as 3 or 1.5")
	n.host.post("/tournaments", filled(formValues(looked), "team_draw", "2.5")...).want(http.StatusUnprocessableEntity).
		wants("alert", "A won match is worth more than 0 and no less than a drawn one")
	got := n.tournament(eventPath(made.path))
	want := tournament.Teams{Boards: 4, Reserves: 2, LineUps: 20 * time.Minute, ByGames: true,
		Points: tournament.TeamPoints{Win: 30, Draw: 10}, Preferences: tournament.TypeB}
	n.host.get(eventPath(made.path) + "/info").says("3 won, 1 drawn, 0 lost").says("Type B: strong and mild")
	if got.Teams != want || got.Capacity != 14 || !slices.Equal(got.Tiebreaks, tournament.DefaultTiebreaks(tournament.Swiss, true)) {
		t.Errorf("%+v, %d teams, %v", got.Teams, got.Capacity, got.Tiebreaks)
	}
	again := n.host.get("/tournaments/new?like=" + string(got.ID)).want(http.StatusOK)
	if !again.holds("team_line_ups", "20") {
		t.Error("an event like it has no teams")
	}
	alone := n.host.post("/tournaments/propose", filled(formValues(looked), "teams", "0")...).want(http.StatusOK).wants("heading", "Swiss, 6 rounds")
	if boards(alone) != "0" {
		t.Error("the teams stay")
	}
}

// Forty-eight people in teams of four may also fight in one arena: twelve teams, of each of which four count. Their names are to be
// changed, and an event like it has them again.
func TestABattleIsOneOfTheShapesOfTeams(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	first := n.host.get("/tournaments/new").want(http.StatusOK)
	asked := filled(formValues(first), "people", "48", "teams", "4", "over_by", "open", "stake", "club")
	looked := n.host.post("/tournaments/propose", asked...).want(http.StatusOK).says("Arena, battle of 12 teams, over by").saysNot("Name the teams")
	chosen := n.host.post("/tournaments/propose", filled(formValues(looked), "shape", "arena+0")...).want(http.StatusOK).
		wants("heading", "Arena, 1 h, battle of 12 teams").wants("link", "Name the teams").says("Team 1, Team 2").
		says("The best 4 players of each team count.")
	made := n.host.post("/tournaments", filled(formValues(chosen), "battle_teams", "Lions\r\nBears\r\nOwls")...).want(http.StatusOK)
	got := n.tournament(eventPath(made.path))
	if !slices.Equal(got.Battle.Teams, []string{"Lions", "Bears", "Owls"}) || got.Battle.Leaders != 4 || got.HasTeams() {
		t.Errorf("%+v, in teams %v", got.Battle, got.HasTeams())
	}
	n.host.get("/tournaments/new?like="+string(got.ID)).want(http.StatusOK).wants("heading", "Arena, 1 h, battle of 3 teams").
		says("Lions, Bears, Owls")
	n.host.post("/tournaments/propose", filled(formValues(chosen), "stake", "prize", "shape", "best")...).want(http.StatusOK).saysNot("battle of 12")
	n.host.post("/tournaments/propose", filled(formValues(chosen), "teams", "0")...).want(http.StatusOK).saysNot("battle of 12")
}

// filled is a form with some of it changed or added.
func filled(values []string, pairs ...string) []string {
	changed := map[string]bool{}
	for i := 0; i < len(pairs); i += 2 {
		changed[pairs[i]] = true
	}
	var out []string
	for i := 0; i < len(values); i += 2 {
		if !changed[values[i]] {
			out = append(out, values[i], values[i+1])
		}
	}
	return append(out, pairs...)
}

// What a folded section says of itself follows what was written in it.
func TestAFoldedSectionSumsUpWhatIsInIt(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	form := formValues(n.host.get("/tournaments/new").want(http.StatusOK).says("No description"))
	said := n.host.post("/tournaments/propose?part=card", filled(form, "about", "Bring a pen.\nAnd a friend.", "break", "7", "rated", "",
		"lateness", "4", "capacity", "33", "chips", "3")...).want(http.StatusOK)
	for _, line := range []string{"Bring a pen. And a friend.", "7\u00a0min between rounds", "Unrated", "Late after 4\u00a0min", "player limit 33", "3 chips"} {
		said.says(line)
	}
	said = n.host.post("/tournaments/propose?part=card", filled(form, "format", "round-robin", "pace", "arranged", "round_days", "7", "lateness", "10")...)
	said.want(http.StatusOK).says("7\u00a0d for each round")
}

// TestTheLongFormHasAnInputForEverySetting that its table describes, in every language.
func TestTheLongFormHasAnInputForEverySetting(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(s *tournament.Settings) { s.Name = "Friday" })
	for _, l := range []lang.Lang{lang.English, lang.Ukrainian} {
		names := map[string]bool{"clubId": true, "membersOnly": true, "envelope": true} // of whoever holds it for a club; many inputs
		shown := n.as(n.player("Olena"), l).get(path + "/edit").want(http.StatusOK)
		for node := range shown.root.Descendants() {
			if name, has := attr(node, "name"); has {
				names[name] = true
			}
		}
		for _, f := range webform.Tournament.Fields {
			if f.Part != "" && !names[f.Name] {
				t.Errorf("%v: no input %s", l, f.Name)
			}
		}
		if strings.Contains(shown.body, "tournament.form.") || strings.Contains(shown.body, "wizard.") {
			t.Errorf("%v: a label or hint has no text", l)
		}
	}
}

// Sixteen have an evening and want groups first: four of four and a cup of eight. The event
// does not start before they are made, and the form that makes them has their number.
func TestGroupsAreOneOfTheAnswers(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	first := n.host.get("/tournaments/new").want(http.StatusOK)
	asked := filled(formValues(first), "people", "16", "day", "2026-12-04", "time", "18:00", "over_by", "open", "stake", "club")
	offered := n.host.post("/tournaments/propose", asked...).want(http.StatusOK).says("Groups, then knock-out")
	chosen := n.host.post("/tournaments/propose", filled(formValues(offered), "shape", "knock-out+groups+4")...).want(http.StatusOK).
		wants("heading", "Groups, then knock-out, 6 rounds").says("the top two of each")
	path := eventPath(n.host.post("/tournaments", formValues(chosen)...).want(http.StatusOK).path)
	if got := n.tournament(path); got.Groups != 4 {
		t.Fatalf("%+v", got.Settings)
	}
	for i := range 12 {
		n.host.post(path+"/entries", "guest", string(rune('A'+i))+"lex").want(http.StatusOK)
	}
	n.host.get(path+"/desk").want(http.StatusOK).wants("link", "Divide the players into groups").wantsNo("button", "Start")
	n.host.post(path + "/start").want(http.StatusConflict)
	form := n.host.get(path + "/groups").want(http.StatusOK).says(n.tournament(path).Promise)
	given := n.tournament(path).Promise
	n.browser(lang.English).get(path + "/draw").want(http.StatusOK).says("divided into groups first").says(given)
	n.host.post(path+"/groups", filled(formValues(form), "way", "pots")...).want(http.StatusOK).says(given)
	tour := n.tournament(path)
	list, err := tables.CheckDraws(ledger.Public(n.deeds(path)))
	if err != nil || len(list) != 1 || !list[0].IsRight() || !list[0].IsPromised || tour.Promise != tour.Origin.Division.Seed {
		t.Errorf("%+v, %v", list, err)
	}
	if len(tour.Origin.Of) != 4 || tour.Origin.Each != 2 {
		t.Errorf("%d groups, the first %d of each", len(tour.Origin.Of), tour.Origin.Each)
	}
	for _, group := range tour.Origin.Division.Groups {
		if len(group) != 3 {
			t.Errorf("groups %v", tour.Origin.Division.Groups)
		}
	}
	n.host.get(path+"/desk").want(http.StatusOK).says("All groups start together").wants("button", "Start 4 groups").wantsNo("button", "Start the tournament")
}

// Whoever chooses an arena in the long form gets one that can be made, with every ready-made limit that suits it.
func TestAnArenaChosenInTheLongFormCanBeMade(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	for _, stake := range []string{"fun", "club", "prize"} {
		asked := filled(formValues(n.host.get("/tournaments/new").want(http.StatusOK)), "people", "12", "stake", stake, "over_by", "open")
		proposed := n.host.post("/tournaments/propose", asked...).want(http.StatusOK)
		byHand := filled(formValues(proposed), "format", "arena")
		looked := n.host.post("/tournaments/propose", byHand...).want(http.StatusOK)
		if !looked.has("heading", "Arena, 1 h") || strings.Contains(looked.body, " 0\u00a0s") {
			t.Errorf("%s: %v", stake, looked.find("heading"))
		}
		if made := n.tournament(strings.TrimSuffix(n.host.post("/tournaments", byHand...).want(http.StatusOK).path, "/door")); made.Format != tournament.Arena || made.Window != time.Hour {
			t.Errorf("%s: %v open for %v", stake, made.Format, made.Window)
		}
	}
}

// An arena is open for as long as the hour leaves or an organizer writes, not for the hour that is usual.
func TestAnArenaIsOpenForAsLongAsItsFormSays(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	asked := filled(formValues(n.host.get("/tournaments/new").want(http.StatusOK)), "people", "24", "stake", "club",
		"day", "2026-12-04", "time", "18:00", "over_by", "22:00")
	proposed := filled(formValues(n.host.post("/tournaments/propose", asked...).want(http.StatusOK)), "shape", "arena+0")
	tapped := formValues(n.host.post("/tournaments/propose", proposed...).want(http.StatusOK).wants("button", "Create event"))
	shown := url.Values{}
	for i := 0; i < len(tapped); i += 2 {
		shown.Add(tapped[i], tapped[i+1])
	}
	minutes, err := strconv.Atoi(shown.Get("window"))
	if err != nil || minutes <= 120 || minutes >= 240 { // four hours without the last match
		t.Fatalf("the form shows %q min", shown.Get("window"))
	}
	for _, want := range []int{minutes, 190} {
		path := n.host.post("/tournaments", filled(tapped, "window", strconv.Itoa(want))...).want(http.StatusOK).path
		if made := n.tournament(eventPath(path)); made.Window != time.Duration(want)*time.Minute {
			t.Errorf("%d min became %v", want, made.Window)
		}
	}
}

// Whoever has chosen a format by hand and then taps another shape gets that one, and what else was changed stays.
func TestATappedShapeWinsOverAFormatChosenByHand(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	asked := filled(formValues(n.host.get("/tournaments/new").want(http.StatusOK)), "people", "16", "stake", "club", "over_by", "open")
	proposed := filled(formValues(n.host.post("/tournaments/propose", asked...).want(http.StatusOK)), "format", "knock-out", "name", "Our cup")
	looked := n.host.post("/tournaments/propose?part=card", proposed...).want(http.StatusOK).wants("heading", "Knock-out")
	var shaped string
	for _, m := range regexp.MustCompile(`name="shaped" value="([^"]*)"`).FindAllStringSubmatch(looked.body, -1) {
		shaped = html.UnescapeString(m[1])
	}
	if !strings.HasPrefix(shaped, "knock-out+0") {
		t.Fatalf("the card shows %q as chosen", shaped)
	}
	// The script replaces the card alone: what was proposed is still from before.
	card := filled(proposed, "shaped", shaped, "shape", shaped)
	n.host.post("/tournaments/propose", card...).want(http.StatusOK).wants("heading", "Knock-out")
	tapped := filled(card, "shape", "swiss+5")
	n.host.post("/tournaments/propose", tapped...).want(http.StatusOK).wants("heading", "Swiss, 5 rounds")
	made := n.tournament(strings.TrimSuffix(n.host.post("/tournaments", tapped...).want(http.StatusOK).path, "/door"))
	if made.Format != tournament.Swiss || made.Settings.Rounds != 5 || made.Name != "Our cup" {
		t.Errorf("%v, %d rounds, %q", made.Format, made.Settings.Rounds, made.Name)
	}
}

// Eight people, a round a day from 19:00 on over the end of summer time in Kyiv: a round robin of a week, each round at the
// same hour of the clocks.
func TestAWeekIsOneOfTheAnswers(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	asked := filled(formValues(n.host.get("/tournaments/new").want(http.StatusOK)), "people", "8", "stake", "club", "over_by", "daily",
		"day", "2027-03-25", "time", "19:00")
	proposed := n.host.post("/tournaments/propose", asked...).want(http.StatusOK).wants("heading", "Round robin, 7 rounds")
	made := n.tournament(strings.TrimSuffix(n.host.post("/tournaments", formValues(proposed)...).want(http.StatusOK).path, "/door"))
	if made.Format != tournament.RoundRobin || made.Pace != tournament.Times || len(made.Times) != 7 {
		t.Fatalf("%v, %v, %v", made.Format, made.Pace, made.Times)
	}
	for i, at := range made.Times {
		if got := at.In(made.Location()).Format("2006-01-02 15:04"); got != fmt.Sprintf("2027-03-%d 19:00", 25+i) {
			t.Errorf("round %d at %s", i+1, got)
		}
	}
	weekly := n.host.post("/tournaments/propose", filled(asked, "people", "24", "over_by", "weekly")...).want(http.StatusOK).wants("heading", "Swiss, 5 rounds")
	if regexp.MustCompile(`name="shape" value="(arena|knock)`).MatchString(weekly.body) {
		t.Error("a format whose rounds have no dates is proposed for weeks")
	}
}
