package web_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// swissNight is a Swiss of four that has started, whose rounds staff open.
func swissNight(t *testing.T) (n *clubNight, path string) {
	t.Helper()
	n = newClubNight(t)
	path = n.create("format", "swiss", "rounds", "3", "pace", "manual", "tiebreaks", "BH, SB")
	for _, handle := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	return n, path
}

func TestNobodyButStaffSeesADraft(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.get(path+"/pairings").want(http.StatusOK).wants("button", "Draft round 1")
	n.host.post(path+"/pairings").want(http.StatusOK).wants("heading", "Draft of round 1").wants("button", "Publish round 1")
	draft := n.tournament(path).Draft
	if draft == nil || len(draft.Boards) != 2 {
		t.Fatalf("%+v", draft)
	}
	anna := n.as(n.players["anna"], lang.English)
	visitor := n.browser(lang.English)
	id := strings.TrimPrefix(path, "/tournaments/")
	anna.get(path + "/pairings").want(http.StatusForbidden)
	for _, door := range []string{"", "/standings", "/crosstable", "/log", "/log.jsonl", "/log.csv", "/tournament.json", "/report.trf", "/rounds/1", "/at/6", "/at/7", "/at/7?show=pairings"} {
		for _, b := range []*browser{anna, visitor} {
			body := b.get(path + door).body
			if strings.Contains(body, `"draft":`) || strings.Contains(body, "draft,") || strings.Contains(body, "Draft of round") {
				t.Errorf("%s shows the draft:\n%s", door, body)
			}
		}
	}
	if body := visitor.get("/api/v1/tournaments/" + id).body; strings.Contains(body, "draft") || strings.Contains(body, `"round":1`) {
		t.Errorf("the API shows the draft: %s", body)
	}
	n.host.post(path+"/pairings/edit/publish").want(http.StatusOK).wants("heading", "Round 1")
	visitor.get(path + "/rounds/1").want(http.StatusOK)
}

// Two of a draft are forbidden to meet: no door publishes it, and all say who it is about.
func TestABanAfterTheDraftIsPublishedByNoDoor(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/pairings").want(http.StatusOK)
	n.host.get(path+"/desk").want(http.StatusOK).wants("button", "Publish round 1")
	tour := n.tournament(path)
	board := tour.Draft.Boards[0]
	first, _ := tour.Entry(board.First)
	second, _ := tour.Entry(board.Second)
	who := first.Name + " – " + second.Name + ": since the draft was made"
	n.host.post(path+"/pairings/forbid", "entries", strconv.Itoa(int(board.First)), "entries", strconv.Itoa(int(board.Second)), "reason", "sisters").
		want(http.StatusOK).says(who)
	n.host.get(path+"/desk").want(http.StatusOK).says(who).wants("button", "Pair round 1 again").wantsNo("button", "Publish round 1")
	n.host.post(path+"/pairings/edit/publish").want(http.StatusConflict).wants("alert", who)
	if code := n.program(n.player("Olena")).refused(path+"/draft/publication", "", http.StatusConflict); code != "draft-broken" {
		t.Error(code)
	}
	if rounds := n.tournament(path).Rounds; len(rounds) > 0 {
		t.Fatalf("%+v", rounds)
	}
	n.host.post(path + "/pairings/again").want(http.StatusOK)
	n.host.get(path+"/desk").want(http.StatusOK).wants("button", "Publish round 1")
	n.host.post(path + "/pairings/edit/publish").want(http.StatusOK)
}

// TestADeskLeftOpenForgetsItsListOnceARoundIsDrafted: whoever else drafts it.
func TestADeskLeftOpenForgetsItsListOnceARoundIsDrafted(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	if desk := n.host.get(path + "/desk").want(http.StatusOK).body; !strings.Contains(desk, `id="tournament-entries"`) {
		t.Fatal("before a round is drafted the desk does not show who is there")
	}
	swaps := n.host.listen(path + "/feed?part=desk")
	if first := <-swaps; !strings.Contains(first, `id="tournament-entries"`) {
		t.Fatalf("the desk is sent %s", first)
	}
	n.host.post(path + "/pairings").want(http.StatusOK)
	if next := <-swaps; !strings.Contains(next, `id="desk-people"`) || strings.Contains(next, `id="tournament-entries"`) {
		t.Errorf("the list stays beside the draft: %s", next)
	}
}

func TestTheDeskNamesTheRuleThatAnEditBreaks(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/pairings").want(http.StatusOK)
	d := n.tournament(path).Draft
	a, b := strconv.Itoa(int(d.Boards[0].Second)), strconv.Itoa(int(d.Boards[1].Second))
	p := n.host.post(path+"/pairings/edit", "kind", "swap", "a", a, "b", b).want(http.StatusOK)
	if !strings.Contains(p.body, "the rules put another pairing first") || !strings.Contains(p.body, "Changed by hand") {
		t.Errorf("1-4 and 2-3 come after 1-3 and 2-4:\n%s", p.body)
	}
	n.host.post(path+"/pairings/edit", "kind", "swap", "a", a, "b", a).want(http.StatusUnprocessableEntity).wants("alert", "can’t be changed")
	// A bye for one leaves two over; nothing is published until they are provided for.
	n.host.post(path+"/pairings/edit", "kind", "bye", "a", a, "bye", "half").want(http.StatusOK)
	n.host.post(path+"/pairings/edit/publish").want(http.StatusConflict).wants("alert", "doesn’t have every player")
	n.host.post(path+"/pairings/edit", "kind", "re-pair").want(http.StatusOK)
	n.host.post(path + "/pairings/edit/publish").want(http.StatusOK)
	r := n.tournament(path).Rounds[0]
	if len(r.Pairings) != 1 || len(r.Byes) != 2 {
		t.Errorf("one board, the half-point bye and the allocated one: %+v", r)
	}
}

// TestASwapThatMakesARematchSaysSo: the draft is staff's to change, but beside the board
// stands the rule, on the desk as well; and the toast takes the swap back.
func TestASwapThatMakesARematchSaysSo(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.firstWins(path)
	n.host.post(path + "/pairings").want(http.StatusOK)
	const met = "they have met in round 1"
	if body := n.host.get(path + "/pairings").body; strings.Contains(body, met) {
		t.Fatalf("a rematch without a swap:\n%s", body)
	}
	now := n.tournament(path)
	board := now.Draft.Boards[0]
	var before tournament.EntryID // who met the first player of board 1
	for _, b := range now.Rounds[0].Pairings {
		if b.First == board.First {
			before = b.Second
		} else if b.Second == board.First {
			before = b.First
		}
	}
	a, b := strconv.Itoa(int(board.Second)), strconv.Itoa(int(before))
	p := n.host.post(path+"/pairings/edit", "kind", "swap", "a", a, "b", b).want(http.StatusOK)
	if p.wants("button", "Undo"); !strings.Contains(p.body, met) {
		t.Errorf("no word of the rematch:\n%s", p.body)
	}
	if body := n.host.get(path + "/desk").body; !strings.Contains(body, met) {
		t.Errorf("the desk would publish it without a word:\n%s", body)
	}
	n.host.post(path+"/pairings/edit", "kind", "swap", "a", a, "b", b).want(http.StatusOK)
	if after := n.tournament(path).Draft; after.Edited || strings.Contains(n.host.get(path+"/pairings").body, met) {
		t.Errorf("taken back, the draft is %+v", after)
	}
}

func TestAForbiddenPairIsLifted(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path+"/pairings/forbid", "entries", "1", "entries", "3", "soft", "yes", "reason", "sisters").want(http.StatusOK).wants("button", "Lift")
	if f := n.tournament(path).Forbidden; len(f) != 1 || !f[0].Soft {
		t.Fatalf("%+v", f)
	}
	n.host.post(path+"/pairings/forbid", "entries", "1").want(http.StatusUnprocessableEntity)
	n.host.post(path+"/pairings/allow", "entries", "1", "entries", "3", "soft", "on", "from", "0", "to", "0").want(http.StatusOK).wantsNo("button", "Lift")
}

func TestAResultIsCorrectedWithItsEffectInSight(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.firstWins(path)
	board := path + "/rounds/1/boards/1"
	n.host.get(path+"/results").want(http.StatusOK).wants("link", "Correct result")
	n.host.get(board).want(http.StatusOK).wants("button", "wins")
	p := n.host.get(board+"?result=0-1&reach=from-now").want(http.StatusOK).wants("heading", "What changes").wants("button", "Correct the result")
	if !strings.Contains(p.body, "<del>") {
		t.Error("no figure before and after")
	}
	seen := fmt.Sprint("&shown=", n.tournament(path).Version)
	if !p.holds("shown", strings.TrimPrefix(seen, "&shown=")) {
		t.Error("the form does not say what it is of")
	}
	n.host.post(board+"?result=0-1&reach=from-now"+seen).want(http.StatusUnprocessableEntity).wants("alert", "reason")
	n.host.post(board+"?result=0-1&reach=from-now"+seen, "reason", "the sheet says so").want(http.StatusOK).wants("link", "†")
	if r := n.tournament(path).Rounds[0].Pairings[0].Result; r.Kind != tournament.SecondWins {
		t.Errorf("%+v", r)
	}
	if body := n.host.get(board).body; !strings.Contains(body, "1 : 0 → 0 : 1: Olena") || !strings.Contains(body, "the sheet says so") {
		t.Errorf("no previous value:\n%s", body)
	}
	anna := n.as(n.players["anna"], lang.English)
	anna.get(board).want(http.StatusForbidden)
	body := anna.get(path + "/log").want(http.StatusOK).body
	if !strings.Contains(body, "Result corrected") || strings.Contains(body, "the sheet says so") {
		t.Errorf("everybody sees the act and nobody but staff the reason:\n%s", body)
	}
	if body := n.host.get(path + "/log?act=correct").body; !strings.Contains(body, "the sheet says so") || strings.Contains(body, "Player entered</strong>") {
		t.Errorf("staff filter the log:\n%s", body)
	}
}

func TestEveryStepBackIsOnOnePage(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.host.get(path+"/life").want(http.StatusOK).wants("button", "Undo the start").wants("button", "Undo the round").wantsNo("button", "Sign off")
	n.host.post(path+"/life/unpair").want(http.StatusUnprocessableEntity).wants("alert", "reason")
	n.host.post(path+"/life/unpair", "reason", "too early").want(http.StatusOK)
	if n.tournament(path).Draft == nil {
		t.Fatal("a draft again")
	}
	n.host.post(path + "/pairings/edit/publish").want(http.StatusOK)
	for range 3 {
		n.firstWins(path)
		if n.tournament(path).Status == tournament.Running {
			n.host.post(path + "/rounds").want(http.StatusOK)
		}
	}
	n.host.get(path+"/life").want(http.StatusOK).wants("button", "Sign off")
	n.host.post(path+"/life/finalize", "reason", "all correct").want(http.StatusOK).wants("heading", "Signed off")
	n.host.get(path+"/life").want(http.StatusOK).wants("button", "Undo the sign-off")
	n.host.post(path+"/life/nonsense", "reason", "x").want(http.StatusNotFound)
	n.host.post(path+"/life/unfinalize", "reason", "a wrong sheet").want(http.StatusOK).wants("button", "Sign off")
}

func TestAMomentShowsTheTournamentAsItWas(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/rounds").want(http.StatusOK)
	then := strconv.Itoa(int(n.tournament(path).Version))
	n.firstWins(path)
	visitor := n.browser(lang.English)
	for _, show := range []string{"", "?show=standings", "?show=crosstable", "?show=pairings"} {
		visitor.get(path+"/at/"+then+show).want(http.StatusOK).wants("status", "You can’t change anything here")
	}
	if body := visitor.get(path + "/at/" + then + "?show=pairings").body; strings.Contains(body, "1 : 0") {
		t.Error("a result that came later")
	}
	visitor.get(path + "/at/1").want(http.StatusOK)
	visitor.get(path + "/at/999").want(http.StatusNotFound)
	visitor.get(path + "/at/x").want(http.StatusNotFound)
}

// TestAPlayingArbiterReadsWhoCanDisqualifyThem: their own entry's page is no dead end.
func TestAPlayingArbiterReadsWhoCanDisqualifyThem(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path+"/staff", "handle", "anna", "duty", "arbiter").want(http.StatusOK)
	anna := n.as(n.players["anna"], lang.English)
	anna.post(path + "/staff/accept").want(http.StatusOK)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.firstWins(path)
	own := n.entry(path, "anna").ID
	anna.get(path+"/entries/"+strconv.Itoa(int(own))+"/expel").want(http.StatusOK).
		says("Nobody decides alone in a matter of their own").says("Olena").wantsNo("button", "Disqualify")
}

func TestADisqualificationShowsItsEffectFirst(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/rounds").want(http.StatusOK)
	n.firstWins(path)
	n.host.get(path+"/entries/1/expel").want(http.StatusOK).wants("button", "Disqualify")
	n.host.post(path+"/entries/1/expel", "reason", "an engine").want(http.StatusOK)
	if e := n.tournament(path).Entries[0]; !e.Expelled {
		t.Fatalf("%+v", e)
	}
	n.host.get(path+"/entries/1/expel").want(http.StatusOK).wants("button", "Readmit")
	n.host.post(path+"/entries/1/reinstate", "reason", "it was not").want(http.StatusOK)
	if e := n.tournament(path).Entries[0]; e.Expelled || e.Status != tournament.Active {
		t.Errorf("%+v", e)
	}
}

func TestAResultIsOneTapAndOneUndo(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "swiss", "rounds", "2", "pace", "manual")
	for _, guest := range []string{"Ivan", "Maria", "Petro", "Sofia"} {
		n.host.post(path+"/entries", "guest", guest, "rating", "1400").want(http.StatusOK)
	}
	n.host.get(path+"/desk").wants("heading", "4 players").wants("button", "Start the tournament")
	n.host.post(path+"/start").want(http.StatusOK).wants("heading", "Round 1").wants("button", "Open round 1").wants("button", "Draft round 1").
		wants("heading", "Players").wantsNo("status", "Saved")
	n.host.post(path+"/rounds").want(http.StatusOK).wants("heading", "2 boards to go").wantsNo("button", "Undo")
	tapped := n.host.post(path+"/results", "round", "1", "board", "1", "result", "0-1").want(http.StatusOK)
	second, _ := n.tournament(path).Entry(n.tournament(path).Rounds[0].Pairings[0].Second)
	tapped.wants("heading", "1 board to go").wants("button", "Undo").wants("status", "Board 1: "+second.Name+" won.")
	n.host.post(path+"/results/undo", "round", "1", "board", "1").want(http.StatusOK).wants("heading", "2 boards to go").wantsNo("button", "Undo")
	if r := n.tournament(path).Rounds[0].Pairings[0].Result; !r.IsPending() {
		t.Errorf("taken back: %+v", r)
	}
	n.host.post(path+"/results/undo", "round", "1", "board", "1").want(http.StatusOK).wants("status", "there is no result any more")
	for _, board := range []string{"1", "2"} {
		n.host.post(path+"/results", "round", "1", "board", board, "result", "1/2-1/2").want(http.StatusOK)
	}
	n.host.get(path+"/desk").wants("button", "Open round 2").wants("button", "Finish")
	n.host.post(path+"/pairings").want(http.StatusOK).wants("button", "Publish round 2")
	n.host.post(path+"/results/undo", "round", "1", "board", "1").want(http.StatusOK).wants("status", "entered by Olena") // a draft rests on it
	if n.tournament(path).Rounds[0].Pairings[0].Result.IsPending() {
		t.Error("taken back under a draft")
	}
	n.host.get(path+"/desk").wants("button", "Publish round 2").wants("link", "Look closer, swap players")
	n.host.post(path+"/pairings/edit/publish").want(http.StatusOK).wants("heading", "2 boards to go")
	for _, board := range []string{"1", "2"} {
		n.host.post(path+"/results", "round", "2", "board", board, "result", "1-0").want(http.StatusOK)
	}
	n.host.get(path+"/desk").wants("heading", "Finished, not signed off yet").wants("link", "Sign off").wantsNo("button", "Undo")
	visitor := n.browser(lang.English).get(path).want(http.StatusOK)
	visitor.wants("link", "Results").wantsNo("link", "Manage")
	if !strings.Contains(visitor.body, `class="podium"`) {
		t.Error("a tournament that is over opens with its podium")
	}
}

func TestWhoIsTappedChangesPlacesWithWhoIsTappedNext(t *testing.T) {
	t.Parallel()
	n, path := swissNight(t)
	n.host.post(path + "/pairings").want(http.StatusOK)
	boards := n.tournament(path).Draft.Boards
	a, b := strconv.Itoa(int(boards[0].Second)), strconv.Itoa(int(boards[1].First))
	picked := n.host.get(path+"/pairings?pick="+a).want(http.StatusOK).wants("status", "changes places with whoever you choose next")
	if swaps := strings.Count(picked.body, `name="kind" value="swap"`); swaps != 2 {
		t.Errorf("%d to change places with, want the two of the other board; with the own opponent seats are exchanged", swaps)
	}
	n.host.post(path+"/pairings/edit", "kind", "swap", "a", a, "b", b).want(http.StatusOK).wants("status", "have changed places").wants("button", "Undo")
	if now := n.tournament(path).Draft.Boards; now[0].Second == boards[0].Second {
		t.Errorf("the same pairs: %+v", now)
	}
	n.host.post(path+"/pairings/edit", "kind", "swap", "a", a, "b", b).want(http.StatusOK)
	if now := n.tournament(path).Draft.Boards; now[0].First != boards[0].First || now[0].Second != boards[0].Second {
		t.Errorf("undone, but %+v is not %+v", now, boards)
	}
}

// TestTheDeskCallsBotsOfTheHouseInTheReadersLanguage, in the draft of a round and while it is played.
func TestTheDeskCallsBotsOfTheHouseInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s, _ := houseSite(t)
	n := newClubNightBy(s, "Host")
	path := n.create("format", "swiss", "rounds", "1", "pace", "manual")
	for _, handle := range []string{"Pishak", "anna"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	here := n.as(n.player("Host"), lang.Ukrainian)
	n.host.post(path + "/start").want(http.StatusOK)
	here.post(path + "/pairings").want(http.StatusOK)
	here.get(path + "/desk").want(http.StatusOK).says("Пішак")
	here.post(path + "/pairings/edit/publish").want(http.StatusOK)
	here.get(path + "/desk").want(http.StatusOK).says("Пішак")
}
