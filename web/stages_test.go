package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/words"
)

// group is a finished round robin of three, who come in that order.
func (n *clubNight) group(name string, handles ...string) (path string) {
	n.t.Helper()
	path = n.create("name", name, "format", "round-robin", "pace", "manual", "tiebreaks", "DE")
	for _, handle := range handles {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	for n.tournament(path).Status == tournament.Running {
		n.open(path)
		n.wins(path, handles...)
	}
	return path
}

// Two groups of three; the first two of each go on into a knock-out, so that those of
// one group can meet again in the final only. A result is corrected before it starts,
// and the places are taken again; another one after, and nobody is moved.
func TestGroupsIntoAFinal(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	for _, h := range []player.Handle{"emil", "fiona"} {
		n.players[string(h)] = n.account(h, player.Plain)
	}
	a, b := n.group("Group A", "anna", "borys", "clara"), n.group("Group B", "danylo", "emil", "fiona")
	n.correct(b, "danylo", "fiona", "1/2-1/2") // the first of B has less than the first of A
	form := n.host.get(a+"/next").want(http.StatusOK).wants("heading", "Hold the next stage")
	if !strings.Contains(form.body, "Group B") || !strings.Contains(form.body, "Group A: final") {
		t.Error("the other group is not offered, or the stage has no name")
	}
	visitor := n.browser(lang.English)
	n.as(n.players["anna"], lang.English).get(a + "/next").want(http.StatusForbidden)
	n.host.post(a+"/next", "name", "Final", "each", "4", "format", "knock-out").want(http.StatusConflict).wants("alert", "not enough players")
	with := strings.TrimPrefix(b, "/tournaments/")
	final := strings.TrimSuffix(n.host.post(a+"/next", "name", "Final", "each", "2", "format", "knock-out", "with", with).
		want(http.StatusOK).wants("heading", "Who qualified").path, "/origin")
	n.wantSeeds(final, "anna", "danylo", "borys", "emil")
	if told := n.as(n.players["emil"], lang.English).get("/notices").want(http.StatusOK); !strings.Contains(told.body, "You’re in “Final”") {
		t.Error("emil is not told that he has qualified")
	}

	// clara beats borys after all: she was third with no win.
	n.correct(a, "clara", "borys", "1-0")
	page := n.host.get(final+"/origin").want(http.StatusOK).wants("status", "1 seed would be different")
	if !strings.Contains(page.body, "clara") {
		t.Error("it is not told who would go on")
	}
	n.host.post(final+"/origin", "reason", "corrected").want(http.StatusOK)
	n.wantSeeds(final, "anna", "danylo", "clara", "emil")
	n.host.post(final + "/start").want(http.StatusOK)
	n.host.post(final + "/registration").want(http.StatusConflict)
	n.wantBoards(n.open(final), "anna-emil", "clara-danylo")

	n.correct(a, "borys", "clara", "1-0") // too late
	visitor.get(final+"/origin").want(http.StatusOK).wants("status", "1 seed would be different")
	n.host.post(final+"/origin", "reason", "again").want(http.StatusConflict)
	n.wantSeeds(final, "anna", "danylo", "clara", "emil")
	n.wins(final, "emil", "clara")
	n.wantBoards(n.open(final), "clara-emil", "anna-danylo")
	n.wins(final, "emil", "anna")
	if got := n.tournament(final).Field().Places; got[4] != 1 {
		t.Errorf("places %v", got)
	}
	n.imported(final)

	// Programs do the same, into a round robin.
	api := n.program(n.player("Olena"))
	var made struct{ ID string }
	api.ask("POST", a+"/next", `{"name":"Final B","each":2,"format":"round-robin","with":["`+with+`"]}`, http.StatusCreated, &made)
	var told struct {
		Qualified []struct {
			Player playerName
			From   string
			Place  int
		}
	}
	if api.ask("GET", "/tournaments/"+made.ID, "", http.StatusOK, &told); len(told.Qualified) != 4 {
		t.Fatalf("%+v", told)
	}
	if q := told.Qualified[2]; q.Player != "borys" || q.Place != 2 || q.From != strings.TrimPrefix(a, "/tournaments/") {
		t.Errorf("the last seed: %+v", q)
	}

	// Two of three are disqualified after all: what has been played is still told.
	for _, entry := range []string{"1", "3"} {
		n.host.post(a+"/entries/"+entry+"/expel", "reason", "an engine").want(http.StatusOK)
	}
	visitor.get(final+"/origin").want(http.StatusOK).wants("status", "too few players are left").says("anna")
	for _, page := range []string{"/standings", "/crosstable"} {
		visitor.get(a + page).want(http.StatusOK).says("disqualified")
	}
}

// wantSeeds compares who has qualified, by seed.
func (n *clubNight) wantSeeds(path string, want ...string) {
	n.t.Helper()
	t := n.tournament(path)
	for i, q := range t.Origin.Seeds {
		e, err := t.Entry(q.Own)
		if err != nil || e.Name != want[i] {
			n.t.Fatalf("seed %d is %s (%v), want %v; %+v", i+1, e.Name, err, want, t.Origin)
		}
	}
}

// correct corrects the board of two who have met, as seen from the first of them.
func (n *clubNight) correct(path, one, other, result string) {
	n.t.Helper()
	t := n.tournament(path)
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			first, _ := t.Entry(p.First)
			second, _ := t.Entry(p.Second)
			if first.Name == other && second.Name == one && result == "1-0" {
				n.correctTo(path, r.Number, p.Board, "0-1", "from-now").want(http.StatusOK)
			} else if first.Name == one && second.Name == other || first.Name == other && second.Name == one {
				n.correctTo(path, r.Number, p.Board, result, "from-now").want(http.StatusOK)
			}
		}
	}
}

// Six of one list in two groups, by rating down the list and back up: the first two of
// each play the cup, everybody else is out. Nobody starts it before the groups are over.
func TestGroupsFromOneList(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	names := []string{"anna", "borys", "clara", "danylo", "emil", "fiona"}
	for _, h := range names[4:] {
		n.players[h] = n.account(player.Handle(h), player.Plain)
	}
	cup := n.create("name", "Cup", "format", "knock-out", "pace", "manual", "tie", "seed")
	for _, handle := range names {
		n.host.post(cup+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.get(cup+"/groups").want(http.StatusOK).wants("heading", "Divide the players into groups").says("2, of 3 each")
	n.host.post(cup+"/groups", "groups", "2", "each", "4", "way", "snake").want(http.StatusConflict).wants("alert", "not enough players")
	n.host.post(cup+"/groups", "groups", "2", "each", "2", "way", "snake").want(http.StatusOK).wants("heading", "2 groups").says("Cup: A")
	n.host.get("/tournaments/new").want(http.StatusOK).wants("link", "Cup").saysNot("Cup: ") // the groups are no events to repeat
	n.host.get(cup+"/groups").want(http.StatusOK).wants("heading", "2 groups")               // back again
	of := n.tournament(cup).Origin.Of
	groups := []string{"/tournaments/" + string(of[0].ID), "/tournaments/" + string(of[1].ID)}
	n.wantSeeds(groups[0], "anna", "danylo", "emil")
	n.wantSeeds(groups[1], "borys", "clara", "fiona")
	n.host.get(cup+"/desk").want(http.StatusOK).wants("heading", "2 groups play first").wants("link", "To the groups").wants("button", "Start 2 groups")
	n.host.get("/").want(http.StatusOK).says("2 groups play first")
	n.host.post(cup + "/start").want(http.StatusConflict)
	n.host.post(cup+"/origin", "reason", "now").want(http.StatusConflict) // they are not over
	n.browser(lang.English).get(groups[0]).want(http.StatusOK).says("From Cup")
	for i, order := range [][]string{{"emil", "anna", "danylo"}, {"borys", "clara", "fiona"}} {
		n.host.post(groups[i] + "/start").want(http.StatusOK)
		for n.tournament(groups[i]).Status == tournament.Running {
			n.open(groups[i])
			n.wins(groups[i], order...)
		}
	}
	// Both tables as they are, the line below the second of each.
	for i, order := range [][]string{{"emil", "anna", "danylo"}, {"borys", "clara", "fiona"}} {
		var rows []string
		for node := range n.browser(lang.English).get(cup + "/origin").root.Descendants() {
			if section := node.Parent; node.Data == "tr" && section.Data == "tbody" {
				class, _ := attr(node, "class")
				rows = append(rows, strings.Join(strings.Fields(text(node)), " ")+class)
			}
		}
		want := []string{"1 " + order[0] + " 2", "2 " + order[1] + " 1cut", "3 " + order[2] + " 0"}
		if len(rows) != 6 || !slices.Equal(rows[3*i:3*i+3], want) {
			t.Errorf("groups %q, want %q at %d", rows, want, 3*i)
		}
	}
	n.host.post(cup + "/origin").want(http.StatusOK).says("emil")
	var seeds []string // equal places by lot
	for _, q := range n.tournament(cup).Origin.Seeds {
		e, _ := n.tournament(cup).Entry(q.Own)
		seeds = append(seeds, e.Name)
	}
	slices.Sort(seeds[:2])
	slices.Sort(seeds[2:])
	if got := strings.Join(seeds, " "); got != "borys emil anna clara" {
		t.Errorf("seeds %s", got)
	}
	if n.tournament(cup).Active() != 4 {
		t.Error("the others are not out")
	}
	n.host.post(cup + "/start").want(http.StatusOK)
	if boards := n.open(cup); len(boards) != 2 || strings.Contains(strings.Join(boards, " "), "anna-emil") || strings.Contains(strings.Join(boards, " "), "borys-clara") {
		t.Errorf("two of one group meet in the semi-finals: %v", boards)
	}
	n.imported(cup)
}

// Olena runs a league and is third of it. A knock-out can have two players; so with three she would go on by her own
// choice, as in a play-off that she is in. Another of the staff can decide that. As the second she goes on by her place.
func TestWhoPlaysDoesNotChooseSoManyThatTheyGoOn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	boss := n.as(n.account("Boss", player.Operator), lang.English)
	third := n.group("Third", "anna", "borys", "Olena")
	was := n.tournaments()
	n.host.post(third+"/next", "name", "Final", "each", "3", "format", "knock-out").want(http.StatusForbidden).says("Nobody decides alone in a matter of their own.")
	if n.tournaments() != was {
		t.Error("refused, the stage is made")
	}
	two := strings.TrimSuffix(n.host.post(third+"/next", "name", "Two", "each", "2", "format", "knock-out").want(http.StatusOK).path, "/origin")
	three := strings.TrimSuffix(boss.post(third+"/next", "name", "Three", "each", "3", "format", "knock-out").want(http.StatusOK).path, "/origin")
	for _, path := range []string{two, three} {
		if own := n.tournament(path).Interests; len(own) != 0 {
			t.Errorf("%s: nobody decided of themselves, but %+v", path, own)
		}
	}

	second := n.group("Second", "anna", "Olena", "clara")
	final := strings.TrimSuffix(n.host.post(second+"/next", "name", "Both", "each", "2", "format", "knock-out").want(http.StatusOK).path, "/origin")
	made := n.tournament(final)
	own, _ := made.EntryOf(n.hostID())
	if list := made.Interests; len(list) != 1 || list[0].Entry != own.ID || list[0].Act != tournament.ActStage || list[0].Seq != 1 {
		t.Errorf("that she goes on by her own act is not marked: %+v", list)
	}

	level := n.group("Level", "anna", "borys", "Olena")
	olena := n.host
	n.host = boss // a result of hers is not hers to correct
	n.correct(level, "borys", "Olena", "1/2-1/2")
	olena.post(level+"/next", "each", "2", "format", "knock-out", "playOff", "on").want(http.StatusForbidden)
}

// The first two of a league of four go on into a round robin: nobody meets again whom they
// have met, and that result counts, but not for the rating. Two share the second place of
// it, so that they play off for it first.
func TestAPlayOffAtTheCutAndResultsThatGoOn(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	names := []string{"anna", "borys", "clara", "danylo"}
	league := n.create("name", "League", "format", "round-robin", "pace", "manual")
	for _, handle := range names {
		n.host.post(league+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(league + "/start").want(http.StatusOK)
	for n.tournament(league).Status == tournament.Running {
		n.open(league)
		n.wins(league, names...)
	}
	n.correct(league, "borys", "clara", "1/2-1/2")
	n.correct(league, "clara", "danylo", "1/2-1/2") // 3, 1½, 1, ½
	n.correct(league, "borys", "danylo", "1/2-1/2") // 3, 1, 1, 1: borys, clara and danylo share second place
	n.host.get(league + "/next").want(http.StatusOK).says("Hold a play-off first")
	n.host.post(league+"/next", "each", "1", "format", "knock-out", "playOff", "on").want(http.StatusConflict).wants("alert", "Nobody shares the last place")
	off := strings.TrimSuffix(n.host.post(league+"/next", "each", "2", "format", "knock-out", "playOff", "on").want(http.StatusOK).path, "/origin")
	for _, playOff := range []string{"", "on"} { // it has to be over
		n.host.post(league+"/next", "name", "Final", "each", "2", "format", "knock-out", "playOff", playOff).
			want(http.StatusConflict).wants("alert", "A play-off for a place that goes on is not over")
	}
	n.host.post(off+"/next", "name", "Final", "each", "2", "format", "knock-out").want(http.StatusConflict)
	n.host.post(off + "/start").want(http.StatusOK)
	for n.tournament(off).Status == tournament.Running {
		n.open(off)
		n.wins(off, "danylo", "clara", "borys")
	}
	n.host.post(league+"/next", "each", "2", "format", "knock-out", "playOff", "on").want(http.StatusConflict).wants("alert", "Nobody shares the last place")
	n.host.post(league+"/next", "name", "Final", "each", "3", "format", "knock-out", "carry", "all").want(http.StatusConflict).wants("alert", "only be brought")
	final := strings.TrimSuffix(n.host.post(league+"/next", "name", "Final", "each", "3", "format", "round-robin", "carry", "mutual").
		want(http.StatusOK).path, "/origin")
	n.wantSeeds(final, "anna", "danylo", "borys") // borys has the bye and loses the final
	n.host.post(final + "/start").want(http.StatusOK)
	for n.tournament(final).Status == tournament.Running {
		n.open(final) // all have met: every round is over at once
	}
	tour := n.tournament(final)
	if r := tour.Rounds[0].Pairings[0].Result; tour.Status != tournament.Finished || r.Reason != tournament.CarriedOver || tour.Rounds[0].Pairings[0].Match != "" {
		t.Errorf("%v, %+v", tour.Status, r)
	}
	rows := strings.Split(n.browser(lang.English).get(final+"/standings.csv").want(http.StatusOK).body, "\n")
	for i, want := range []string{"1,1,anna,", "2,2,danylo,", "2,3,borys,"} { // 2, ½, ½
		if !strings.HasPrefix(rows[i+1], want) {
			t.Errorf("line %d: %s, want %s", i+1, rows[i+1], want)
		}
	}

	// All four go on with all their points; half of an odd one is refused.
	half := strings.TrimSuffix(n.host.post(league+"/next", "name", "Half", "each", "4", "format", "round-robin", "carry", "all").want(http.StatusOK).path, "/origin")
	n.host.post(half + "/start").want(http.StatusOK)
	n.open(half)
	n.wins(half, names...)
	if got := n.browser(lang.English).get(half + "/standings.csv").body; !strings.Contains(got, "anna") || !strings.Contains(got, ",4,") {
		t.Errorf("anna brings 3 and has won once: %s", got)
	}
	n.host.post(league+"/next", "name", "Halves", "each", "4", "format", "round-robin", "carry", "half").want(http.StatusOK).says("1½")
}

// The places of a league of five, of whom the first four play a cup. Whoever is
// disqualified before their first match makes room for the next of the places, before the
// start and in an open round; after a correction that changes who has qualified the table
// stands alone, somebody is exchanged who has not begun, or all of it is opened again.
func TestAStageIsCorrectedInEveryState(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	names := []string{"anna", "borys", "clara", "danylo", "emil", "fiona", "hanna"}
	for _, h := range names[4:] {
		n.players[h] = n.account(player.Handle(h), player.Plain)
	}
	league := n.group("League", names...)
	cup := strings.TrimSuffix(n.host.post(league+"/next", "name", "Cup", "each", "4", "format", "knock-out").want(http.StatusOK).path, "/origin")
	n.wantSeeds(cup, "anna", "borys", "clara", "danylo")
	expel := func(name string) {
		t.Helper()
		for _, e := range n.tournament(cup).Entries {
			if e.Name == name {
				n.host.post(cup+"/entries/"+words.Itoa(int(e.ID))+"/expel", "reason", "an engine").want(http.StatusOK)
			}
		}
	}
	exchange := func(seed, name string) page {
		return n.host.post(cup+"/origin/exchange", "seed", seed, "name", name, "reason", "next in the standings")
	}

	// Before the start.
	exchange("3", "emil").want(http.StatusConflict).wants("status", "Nobody is next") // danylo plays
	expel("danylo")
	n.as(n.players["anna"], lang.English).get(cup+"/origin").want(http.StatusOK).wantsNo("button", "emil takes the place of danylo")
	n.host.get(cup+"/origin").want(http.StatusOK).wants("button", "emil takes the place of danylo").says("League, place 5")
	n.as(n.players["anna"], lang.English).post(cup+"/origin/exchange", "seed", "3", "name", "emil", "reason", "x").want(http.StatusForbidden)
	exchange("3", "emil").want(http.StatusOK)
	n.wantSeeds(cup, "anna", "borys", "clara", "emil")
	if told := n.as(n.players["emil"], lang.English).get("/notices"); !strings.Contains(told.body, "You’re in “Cup”") {
		t.Error("emil is not told")
	}

	// In the open round: who has not bid yet is disqualified, the next one has the match.
	n.host.post(cup + "/start").want(http.StatusOK)
	n.wantBoards(n.open(cup), "anna-emil", "borys-clara")
	expel("emil")
	if p := exchange("3", "fiona"); p.status != http.StatusOK {
		t.Fatal(p.body[strings.Index(p.body, "origin-title"):])
	}
	n.wantSeeds(cup, "anna", "borys", "clara", "fiona")
	board := n.tournament(cup).Rounds[0].Pairings[0]
	first, _ := n.tournament(cup).Entry(board.First)
	second, _ := n.tournament(cup).Entry(board.Second)
	if first.Name != "fiona" && second.Name != "fiona" || !board.Result.IsPending() || board.Match == "" {
		t.Fatalf("%+v of %s and %s", board, first.Name, second.Name)
	}

	// A correction: hanna was last, beat clara, borys and all the others after all.
	for _, name := range names[:6] {
		n.correct(league, "hanna", name, "1-0")
	}
	n.correct(league, "fiona", "hanna", "1-0")
	for _, name := range names[:6] {
		n.correct(league, "hanna", name, "1-0") // 1: hanna, then anna, borys, clara: fiona is out
	}
	moved := n.host.get(cup+"/origin").want(http.StatusOK).wants("status", "this event goes on as it is").wants("button", "Open the stage again")
	moved.wants("button", "hanna takes the place of fiona")
	n.wantSeeds(cup, "anna", "borys", "clara", "fiona") // table only: nobody is moved
	exchange("3", "hanna").want(http.StatusOK)
	n.wantSeeds(cup, "anna", "borys", "clara", "hanna")
	old := board.Match
	if board = n.tournament(cup).Rounds[0].Pairings[0]; board.Match == old || board.Match == "" {
		t.Errorf("fiona's match is not taken back: %+v", board)
	}
	if s, _, err := n.live.State(t.Context(), old); err != nil || s.Status() != match.Over {
		t.Errorf("fiona's match goes on: %v", err)
	}

	// Who has begun stays; opening again tells what is lost, and goes back.
	n.wins(cup, "hanna", "borys")
	n.correct(league, "fiona", "hanna", "1-0")
	for _, name := range names[:5] {
		n.correct(league, "fiona", name, "1-0")
	}
	n.host.get(cup+"/origin").want(http.StatusOK).wants("alert", "has begun or is decided").says("Round 1: ").wantsNo("button", "fiona takes the place of clara")
	exchange("2", "fiona").want(http.StatusConflict)
	n.host.post(cup+"/origin/reopen", "reason", "again").want(http.StatusConflict)
	n.host.post(cup+"/origin/reopen", "reason", "again", "lose", "yes").want(http.StatusOK)
	if tour := n.tournament(cup); tour.Status != tournament.Registration || len(tour.Rounds) > 0 || tour.Seed != "" {
		t.Errorf("%v with %d rounds", tour.Status, len(tour.Rounds))
	}
	n.wantSeeds(cup, "fiona", "hanna", "anna", "borys")
	n.host.post(cup + "/start").want(http.StatusOK)
	n.wantBoards(n.open(cup), "borys-fiona", "anna-hanna")
	n.wins(cup, "fiona", "hanna")
	n.open(cup)
	n.wins(cup, "hanna", "anna")
	if tour := n.tournament(cup); tour.Status != tournament.Finished {
		t.Fatalf("%v", tour.Status)
	}
	n.imported(cup)

	// Over: nobody can be exchanged, but all of it can be opened again.
	n.correct(league, "clara", "fiona", "1-0")
	n.correct(league, "clara", "hanna", "1-0")
	n.correct(league, "clara", "borys", "1-0")
	n.host.get(cup+"/origin").want(http.StatusOK).wants("button", "Open the stage again").wantsNo("button", "takes the place of")
	n.host.post(cup + "/life/finalize").want(http.StatusOK)
	n.host.post(cup+"/origin/reopen", "reason", "again", "lose", "yes").want(http.StatusConflict)
	exchange("3", "clara").want(http.StatusConflict)
}

// Groups of six and of three, the first of each goes on. anna has 4 of 5, which is more a
// match than hanna's 1½ of 2; against the first three of her group she has 1 of 2.
func TestGroupsOfDifferentSizeAreComparedWithoutTheLast(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	for _, h := range []player.Handle{"emil", "fiona", "hanna", "ivan", "olha"} {
		n.players[string(h)] = n.account(h, player.Plain)
	}
	a, b := n.group("Group A", "anna", "borys", "clara", "danylo", "emil", "fiona"), n.group("Group B", "hanna", "ivan", "olha")
	for _, pair := range [][2]string{{"anna", "borys"}, {"anna", "clara"}, {"borys", "clara"}, {"borys", "danylo"}, {"clara", "danylo"}} {
		n.correct(a, pair[0], pair[1], "1/2-1/2")
	}
	n.correct(b, "hanna", "olha", "1/2-1/2")
	final := strings.TrimSuffix(n.host.post(a+"/next", "name", "Final", "each", "1", "format", "knock-out", "with", strings.TrimPrefix(b, "/tournaments/")).
		want(http.StatusOK).says("results against the last of a larger group do not count").path, "/origin")
	n.wantSeeds(final, "hanna", "anna")
}

// The first two of three play a final. Programs take the places again before it starts,
// exchange who has not begun, and open all of it again, by the same rules as the page.
func TestProgramsCorrectAStage(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	league := n.group("League", "anna", "borys", "clara")
	final := strings.TrimSuffix(n.host.post(league+"/next", "name", "Final", "each", "2", "format", "knock-out").want(http.StatusOK).path, "/origin")
	api, other := n.program(n.player("Olena")), n.program(n.players["anna"])
	says := func(want string) {
		t.Helper()
		var got json.RawMessage
		if api.ask("GET", final+"/origin", "", http.StatusOK, &got); string(got) != want {
			t.Fatalf("%s\nwant %s", got, want)
		}
	}
	none := `{"moved":[],"tooFew":false,"playOff":false,"retake":false,"exchanges":[],"reopen":false,"lost":[]}`
	says(none)
	other.ask("GET", final+"/origin", "", http.StatusForbidden, nil)
	api.ask("GET", league+"/origin", "", http.StatusNotFound, nil) // it is the first

	n.correct(league, "clara", "borys", "1-0")
	says(`{"moved":[{"seed":2,"was":"borys","now":"clara"}],"tooFew":false,"playOff":false,"retake":true,"exchanges":[],"reopen":false,"lost":[]}`)
	if code := api.refused(final+"/origin", `{"reason":" "}`, http.StatusUnprocessableEntity); code != "reason" {
		t.Error(code)
	}
	if code := other.refused(final+"/origin", `{"reason":"misread"}`, http.StatusForbidden); code != "forbidden" {
		t.Error(code)
	}
	api.ask("POST", final+"/origin", `{"reason":"misread"}`, http.StatusNoContent, nil)
	n.wantSeeds(final, "anna", "clara")

	n.host.post(final + "/start").want(http.StatusOK)
	n.wantBoards(n.open(final), "anna-clara")
	n.correct(league, "borys", "clara", "1-0")
	says(`{"moved":[{"seed":2,"was":"clara","now":"borys"}],"tooFew":false,"playOff":false,"retake":false,` +
		`"exchanges":[{"seed":2,"out":"clara","in":"borys","left":false}],"reopen":true,"lost":[]}`)
	change := func(in, reason string) string { return `{"seed":2,"in":"` + in + `","reason":"` + reason + `"}` }
	for _, tt := range []struct {
		by     program
		body   string
		status int
		code   string
	}{
		{api, change("borys", ""), http.StatusUnprocessableEntity, "reason"},
		{api, change("anna", "misread"), http.StatusConflict, "no-next"},
		{other, change("borys", "misread"), http.StatusForbidden, "forbidden"},
	} {
		if code := tt.by.refused(final+"/origin/exchange", tt.body, tt.status); code != tt.code {
			t.Errorf("%s: %s, want %s", tt.body, code, tt.code)
		}
	}
	api.ask("POST", final+"/origin/exchange", change("borys", "misread"), http.StatusNoContent, nil)
	n.wantSeeds(final, "anna", "borys")
	says(none)

	n.wins(final, "borys")
	n.correct(league, "clara", "borys", "1-0")
	n.correct(league, "clara", "anna", "1-0") // 2, 1, 0
	says(`{"moved":[{"seed":1,"was":"anna","now":"clara"},{"seed":2,"was":"borys","now":"anna"}],"tooFew":false,"playOff":false,"retake":false,` +
		`"exchanges":[],"reopen":true,"lost":[{"round":1,"boards":[1]}]}`)
	if code := api.refused(final+"/origin/reopen", `{"reason":"again"}`, http.StatusConflict); code != "begun" {
		t.Error(code)
	}
	if code := api.refused(final+"/origin/reopen", `{"lose":true}`, http.StatusUnprocessableEntity); code != "reason" {
		t.Error(code)
	}
	api.ask("POST", final+"/origin/reopen", `{"lose":true,"reason":"again"}`, http.StatusNoContent, nil)
	n.wantSeeds(final, "clara", "anna")
	if tour := n.tournament(final); tour.Status != tournament.Registration || len(tour.Rounds) > 0 {
		t.Errorf("%v with %d rounds", tour.Status, len(tour.Rounds))
	}
	deeds := n.deeds(final)
	if last := deeds[len(deeds)-1]; last.Act != tournament.ActStage || last.Reason != "again" {
		t.Errorf("the log says %s, %q", last.Act, last.Reason)
	}
}

// Twelve guests in four groups of three. The desk of their cup starts all groups or none, says how far they are before,
// during and after, takes results of their boards, publishes what is drafted, and takes the places.
func TestGroupsAreRunFromOneDesk(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	cup := n.create("name", "Cup", "format", "knock-out", "pace", "manual", "review", "on", "tie", "seed")
	for _, name := range strings.Split("Adam Bela Cezar Daria Egon Fedir Galya Hanna Ihor Julia Kyrylo Lida", " ") {
		n.host.post(cup+"/entries", "guest", name).want(http.StatusOK)
	}
	n.host.post(cup+"/groups", "groups", "4", "each", "1", "way", "snake").want(http.StatusOK)
	var groups []string
	for _, o := range n.tournament(cup).Origin.Of {
		groups = append(groups, "/tournaments/"+string(o.ID))
	}
	visitor, anna := n.browser(lang.English), n.as(n.players["anna"], lang.English)

	// Nobody enters an event whose players groups decide, staff neither, and its page does not offer it.
	for _, b := range []*browser{n.host, anna, visitor} {
		b.get(cup).want(http.StatusOK).wantsNo("button", "Enter")
	}
	// It says who plays with whom, and when.
	known := visitor.get(cup).wants("heading", "Groups").says("The first of each group plays on here.").says("when the organizer is ready").
		saysNot("Registration is closed")
	_, inC, _ := strings.Cut(known.body, ">Group C<")
	inC, _, _ = strings.Cut(inC, ">Group D<")
	for _, e := range n.tournament(groups[2]).Entries {
		if !strings.Contains(inC, ">"+e.Name+"<") {
			t.Errorf("%s is not shown in group C", e.Name)
		}
	}
	n.host.post(cup+"/entries", "guest", "Late").want(http.StatusConflict)
	n.host.post(cup + "/registration").want(http.StatusConflict)
	anna.post(cup + "/register").want(http.StatusConflict)

	// Before: one who has left makes a group too small, so none starts, and it is said which.
	desk := n.host.get(cup+"/desk").want(http.StatusOK).wants("heading", "4 groups play first").wants("button", "Start 4 groups").
		says("All groups start together").says("3 players, 3 rounds")
	for _, name := range []string{n.entryOf(groups[1], 1), n.entryOf(groups[1], 2)} {
		n.host.post(groups[1] + "/entries/" + name + "/withdraw").want(http.StatusOK)
	}
	n.step(desk, n.host, cup).want(http.StatusConflict).wants("alert", "Cup: group B: ")
	for _, g := range groups {
		if n.tournament(g).Status != tournament.Registration {
			t.Fatalf("%s has started, or its withdrawal counts", g)
		}
	}
	n.host.get(cup+"/desk").wantsNo("button", "Start 4 groups").says("Group B")
	for _, name := range []string{n.entryOf(groups[1], 1), n.entryOf(groups[1], 2)} {
		n.host.post(groups[1] + "/entries/" + name + "/readmit").want(http.StatusOK)
	}
	anna.post(cup+"/groups/step", "act", "start").want(http.StatusForbidden)
	n.step(n.host.get(cup+"/desk"), n.host, cup).want(http.StatusOK).wants("heading", "4 of 4 groups wait for their next round")
	for _, act := range []string{"start", "", "finish"} { // nothing of the kind is due
		n.host.post(cup+"/groups/step", "act", act).want(http.StatusConflict)
	}
	n.host.get("/").want(http.StatusOK).says("4 of 4 groups wait")

	// During: drafted in all, one draft changed meanwhile, so that publishing asks to look again.
	drafted := n.step(n.host.get(cup+"/desk"), n.host, cup).want(http.StatusOK).wants("button", "Publish 4 drafted rounds")
	arbiter := n.account("arbiter", player.Plain)
	n.host.post(groups[2]+"/staff", "handle", "arbiter", "duty", "arbiter").want(http.StatusOK)
	other := n.as(arbiter, lang.English)
	other.post(groups[2] + "/staff/accept").want(http.StatusOK)
	board := n.tournament(groups[2]).Draft.Boards[0]
	other.post(groups[2]+"/pairings/edit", "kind", "seats", "a", words.Itoa(int(board.First))).want(http.StatusOK)
	n.step(drafted, n.host, cup).want(http.StatusConflict).wants("alert", "Cup: group C: arbiter was first")
	for _, g := range groups {
		if len(n.tournament(g).Rounds) > 0 {
			t.Fatalf("%s has been published", g)
		}
	}

	n.step(n.host.get(cup+"/desk"), n.host, cup).want(http.StatusOK).wants("heading", "4 of 4 groups play round 1").says("Boards in play: A1, B1, C1, D1.")
	visitor.get(cup).want(http.StatusOK).wantsNo("button", "Enter")

	// Results by tap, there and back.
	play := func(i int) page {
		x := n.tournament(groups[i])
		r := x.Rounds[len(x.Rounds)-1]
		return n.host.post(groups[i]+"/results", "round", words.Itoa(r.Number), "board", "1", "first", words.Itoa(int(r.Pairings[0].First)), "result", "1-0",
			"desk", strings.TrimPrefix(cup, "/tournaments/"), "shown", words.Itoa(int(x.Version)))
	}
	entered := play(1).want(http.StatusOK).wants("status", "Group B. Board 1").wants("heading", "1 of 4 groups wait for their next round").
		says("Boards in play: A1, C1, D1.").wants("button", "Draft the next round")
	if !strings.HasPrefix(entered.path, cup+"/desk") {
		t.Errorf("a result leads to %s", entered.path)
	}
	n.host.post(groups[1]+"/results/undo", "round", "1", "board", "1", "desk", strings.TrimPrefix(cup, "/tournaments/")).want(http.StatusOK).
		wants("heading", "4 of 4 groups play round 1")
	n.host.post(groups[0]+"/results/undo", "round", "1", "board", "1", "desk", "elsewhere").want(http.StatusBadRequest)
	form := regexp.MustCompile(`<form method="post" action="` + groups[1] + `/results"[^>]*data-shown="(\d+)"[^>]*>(?s:.*?)<input type="hidden" name="shown" value="(\d+)"`).
		FindStringSubmatch(n.host.get(cup + "/desk").body)
	if want := words.Itoa(int(n.tournament(groups[1]).Version)); form == nil || form[1] != want || form[2] != want {
		t.Errorf("the form of a group acts on %v, want its version %s", form, want)
	}
	for round := 1; round <= 3; round++ {
		for i := range groups {
			play(i).want(http.StatusOK)
		}
		if round < 3 {
			n.step(n.host.get(cup+"/desk"), n.host, cup).want(http.StatusOK)
			n.step(n.host.get(cup+"/desk"), n.host, cup).want(http.StatusOK)
		}
	}

	// After. Programs take the same steps.
	if code := n.program(n.player("Olena")).refused(cup+"/groups/step", `{"act":"start"}`, http.StatusConflict); code != "no-step" {
		t.Errorf("a program is refused with %s", code)
	}
	n.host.get(cup+"/desk").want(http.StatusOK).wants("heading", "All 4 groups are over").wants("button", "Take the places")
	n.host.get("/").want(http.StatusOK).says("All 4 groups are over")
	n.host.post(cup + "/origin").want(http.StatusOK)
	n.host.post(cup + "/start").want(http.StatusOK)
	for _, b := range []*browser{n.host, anna, visitor} {
		b.get(cup).want(http.StatusOK).wantsNo("button", "Enter")
	}
	n.host.post(cup+"/groups/step", "act", "pair").want(http.StatusNotFound)
}

// entryOf is the number of a group's k-th entry.
func (n *clubNight) entryOf(path string, k int) string {
	return words.Itoa(int(n.tournament(path).Entries[k-1].ID))
}

// step presses the button that takes a step in all groups of an event.
func (n *clubNight) step(desk page, by *browser, path string) page {
	n.t.Helper()
	_, form, found := strings.Cut(desk.body, `action="`+path+`/groups/step"`)
	form, _, _ = strings.Cut(form, "</form>")
	if !found {
		n.t.Fatalf("no step is offered: %s", desk.find("heading"))
	}
	var pairs []string
	for _, field := range regexp.MustCompile(`name="(act|seen)" value="([^"]+)"`).FindAllStringSubmatch(form, -1) {
		pairs = append(pairs, field[1], field[2])
	}
	return by.post(path+"/groups/step", pairs...)
}

// The first page of an event of groups shows what they play, the viewer's own step and group first, then how they ended,
// until the event itself begins. Nothing on it has the name of something else.
func TestTheFirstPageShowsWhatTheGroupsPlay(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	names := []string{"anna", "borys", "clara", "danylo", "emil", "fiona"}
	for _, h := range names[4:] {
		n.players[h] = n.account(player.Handle(h), player.Plain)
	}
	cup := n.create("name", "Cup", "format", "knock-out", "pace", "manual", "tie", "seed")
	for _, handle := range names {
		n.host.post(cup+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(cup+"/groups", "groups", "2", "each", "2", "way", "snake").want(http.StatusOK)
	visitor, clara := n.browser(lang.English), n.as(n.players["clara"], lang.English)
	clara.get(cup).want(http.StatusOK).says("You play in Group B.").wantsNo("heading", "Group B")
	first := "/tournaments/" + string(n.tournament(cup).Origin.Of[0].ID)
	n.host.post(first+"/life/hide", "reason", "the hall is taken").want(http.StatusOK)
	clara.get(cup).want(http.StatusOK).says("You play in Group B.") // whatever others are hidden
	n.host.post(first + "/registration").want(http.StatusOK)
	n.step(n.host.get(cup+"/desk"), n.host, cup).want(http.StatusOK)
	n.step(n.host.get(cup+"/desk"), n.host, cup).want(http.StatusOK)

	headings := func(p page) string {
		var list []string
		seen := map[string]bool{}
		for node := range p.root.Descendants() {
			if id, named := attr(node, "id"); named && seen[id] {
				t.Errorf("%s stands twice on the page", id)
			} else {
				seen[id] = true
			}
			if node.Data == "h2" && strings.HasPrefix(text(node), "Group ") {
				list = append(list, text(node))
			}
		}
		return strings.Join(list, ", ")
	}
	if got := headings(visitor.get(cup).want(http.StatusOK).wants("link", "Live").says("group stage").saysNot("Starts")); got !=
		"Group A · Round 1, Group B · Round 1, Group A, Group B" {
		t.Errorf("a visitor reads %q", got)
	}
	for _, list := range []string{"/tournaments", "/search?q=" + url.QueryEscape(n.tournament(cup).Name)} {
		visitor.get(list).want(http.StatusOK).says("group stage").saysNot("places left").saysNot("Cup: group A")
	}
	visitor.get("/tournaments?status=running").want(http.StatusOK).says("group stage")
	visitor.get("/tournaments?status=registration").want(http.StatusOK).saysNot("group stage")
	mine := clara.get(cup).want(http.StatusOK).wants("link", "To the board")
	if got := headings(mine); got != "Group B · Round 1, Group A · Round 1, Group A, Group B" {
		t.Errorf("clara reads %q", got)
	}
	for i, order := range [][]string{{"emil", "anna", "danylo"}, {"borys", "clara", "fiona"}} {
		group := "/tournaments/" + string(n.tournament(cup).Origin.Of[i].ID)
		for n.tournament(group).Status == tournament.Running {
			if n.tournament(group).RoundIsOver() {
				n.open(group)
			}
			n.wins(group, order...)
		}
	}
	over := "Group A · Round 3, Group B · Round 3, Group A, Group B"
	if got := headings(visitor.get(cup).want(http.StatusOK)); got != over {
		t.Errorf("after the groups a visitor reads %q", got)
	}
	n.host.post(cup + "/origin").want(http.StatusOK)
	if got := headings(visitor.get(cup).want(http.StatusOK).says("emil")); got != over {
		t.Errorf("before the final a visitor reads %q", got)
	}
	n.host.post(cup + "/start").want(http.StatusOK)
	if got := headings(visitor.get(cup).want(http.StatusOK)); got != "" {
		t.Errorf("in the final a visitor reads %q", got)
	}
}
