package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
)

// wins ends the matches of the open round: on every board the first of the names that
// sits there wins.
func (n *clubNight) wins(path string, names ...string) {
	n.t.Helper()
	t := n.tournament(path)
	for _, p := range t.Rounds[len(t.Rounds)-1].Pairings {
		if !p.Result.IsPending() {
			continue
		}
		loses := match.Seat(0)
		for _, name := range names {
			for _, seat := range match.Seats {
				if e, err := t.Entry(p.EntryAt(seat)); err == nil && e.Name == name && loses == 0 {
					loses = seat.Other()
				}
			}
		}
		loser, err := t.Entry(p.EntryAt(loses))
		if err == nil {
			_, err = n.live.Do(n.t.Context(), p.Match, loser.Player, live.Request{Command: match.Resign{Seat: loses}, Admit: admitted})
		}
		if err != nil {
			n.t.Fatal(err)
		}
	}
}

// open opens the next round by hand and answers who meets whom.
func (n *clubNight) open(path string) (boards []string) {
	n.t.Helper()
	n.host.post(path + "/rounds").want(http.StatusOK)
	t := n.tournament(path)
	for _, p := range t.Rounds[len(t.Rounds)-1].Pairings {
		first, _ := t.Entry(p.First)
		second, _ := t.Entry(p.Second)
		names := []string{first.Name, second.Name}
		slices.Sort(names)
		boards = append(boards, strings.Join(names, "-"))
	}
	return boards
}

func (n *clubNight) wantBoards(got []string, want ...string) {
	n.t.Helper()
	if !slices.Equal(got, want) {
		n.t.Fatalf("boards %v, want %v", got, want)
	}
}

// cup is a knock-out of six that has started: anna 1 … fiona 6.
func (n *clubNight) cup() (path string) {
	n.t.Helper()
	for _, h := range []player.Handle{"emil", "fiona"} {
		n.players[string(h)] = n.account(h, player.Plain)
	}
	path = n.create("format", "knock-out", "pace", "manual", "tie", "pair-seed", "losers", "third")
	for _, handle := range []string{"anna", "borys", "clara", "danylo", "emil", "fiona"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	return path
}

// Six play: anna and borys have byes. danylo's win over emil is corrected to a draw,
// both win one of two more matches, and danylo goes on as the better seed. borys beats
// clara, and when the final is open that is corrected: clara goes on, borys plays for
// third place and withdraws. clara wins the cup, danylo is third without a match.
func TestACupThroughThePages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.cup()
	visitor := n.browser(lang.English)
	p := visitor.get(path+"/bracket").want(http.StatusOK).wants("heading", "Quarter-finals").wants("heading", "Third place")
	for _, part := range []string{"no opponent", "danylo", "not known yet", "danylo or emil"} {
		if !strings.Contains(p.body, part) {
			t.Errorf("the bracket does not say %q", part)
		}
	}
	n.wantBoards(n.open(path), "danylo-emil", "clara-fiona")
	n.wins(path, "danylo", "clara")
	n.correctTo(path, 1, 1, "1/2-1/2", "")
	if body := visitor.get(path + "/bracket").body; !strings.Contains(body, "level, two more matches") {
		t.Error("the bracket does not say that two more matches decide")
	}
	n.wantBoards(n.open(path), "danylo-emil")
	visitor.get(path+"/rounds/2").wants("heading", "Quarter-finals, tie-break")
	n.wins(path, "danylo")
	n.wantBoards(n.open(path), "danylo-emil")
	n.wins(path, "emil")
	if body := visitor.get(path + "/bracket").body; !strings.Contains(body, "level, better seed") {
		t.Error("the bracket does not say that the seed has decided")
	}

	n.host.post(path+"/pairings").want(http.StatusOK).wants("heading", "Draft of round 4")
	draft := n.tournament(path).Draft.Boards
	n.host.post(path+"/pairings/edit", "kind", "swap", "a", fmt.Sprint(draft[0].First), "b", fmt.Sprint(draft[1].First)).
		want(http.StatusConflict).wants("alert", "bracket decides")
	n.host.post(path + "/pairings/edit/publish").want(http.StatusOK)
	n.wins(path, "anna", "borys")
	n.wantBoards(n.open(path), "anna-borys", "clara-danylo")
	lost := n.tournament(path).Rounds[4].Pairings

	n.correctsTheSemiFinal(path)
	for _, b := range lost {
		n.write(func(tx *store.Tx) error {
			head, err := tx.Match(b.Match)
			if head.Status != match.Over {
				t.Errorf("the match on board %d goes on", b.Board)
			}
			return err
		})
	}
	n.as(n.players["borys"], lang.English).post(path + "/withdraw").want(http.StatusOK)
	n.wantBoards(n.open(path), "anna-clara", "borys-danylo")
	n.wins(path, "clara")

	if tour := n.tournament(path); tour.Status != tournament.Finished {
		t.Fatalf("it is %v", tour.Status)
	}
	rows := strings.Split(visitor.get(path+"/standings.csv").want(http.StatusOK).body, "\n")
	for i, want := range []string{"1,3,clara", "2,1,anna", "3,4,danylo", "4,2,borys", "5,5,emil", "5,6,fiona"} {
		if !strings.HasPrefix(rows[i+1], want) {
			t.Errorf("line %d of the standings: %s, want %s", i+1, rows[i+1], want)
		}
	}
	visitor.get(path).want(http.StatusOK).wants("heading", "Friday")
	n.outlives(path)
}

// anna and borys have byes in round 1, and with danylo's win emil is out: nobody was absent.
func TestNobodyIsAbsentFromAKnockOut(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.cup()
	n.open(path)
	n.wins(path, "danylo", "clara")
	n.open(path)
	visitor := n.browser(lang.English)
	visitor.get(path + "/cards").want(http.StatusOK).saysNot("absent")
	of := func(name string) string { return fmt.Sprint(path, "/entries/", n.entry(path, name).ID) }
	visitor.get(of("anna")).want(http.StatusOK).says("no match").saysNot("absent")
	visitor.get(of("emil")).want(http.StatusOK).saysNot("no match").saysNot("absent")
}

// Four play until two losses: borys loses to anna in the upper bracket, comes back
// through the lower one and beats her in the grand final, so that they meet once more.
func TestADoubleEliminationThroughThePages(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.create("format", "knock-out", "pace", "manual", "tie", "seed", "losers", "double-reset")
	for _, handle := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	visitor := n.browser(lang.English)
	p := visitor.get(path+"/bracket").want(http.StatusOK).wants("heading", "Upper bracket").wants("heading", "Lower bracket")
	if !strings.Contains(p.body, "the two play once more") || strings.Contains(p.body, "Deciding final") {
		t.Error("the rule of the grand final is not told, or the deciding final is there already")
	}
	n.wantBoards(n.open(path), "anna-danylo", "borys-clara")
	n.wins(path, "anna", "borys")
	n.host.post(path+"/screens", "name", "Hall", "seconds", "20", "shows", "standings", "lang", "en", "zone", "Europe/Kyiv").want(http.StatusOK)
	visitor.get("/screens/"+n.screens(path)[0].Token).want(http.StatusOK).wants("heading", "Upper bracket").wants("heading", "Grand final")
	n.wantBoards(n.open(path), "anna-borys", "clara-danylo")
	visitor.get(path+"/rounds/2").wants("heading", "Upper bracket: Final · Lower round 1")
	n.wins(path, "anna", "clara")
	n.wantBoards(n.open(path), "borys-clara")
	n.wins(path, "borys")
	n.wantBoards(n.open(path), "anna-borys")
	visitor.get(path+"/rounds/4").wants("heading", "Grand final")
	n.wins(path, "borys")
	n.wantBoards(n.open(path), "anna-borys")
	visitor.get(path+"/bracket").wants("heading", "Deciding final")
	n.wins(path, "borys")
	if tour := n.tournament(path); tour.Status != tournament.Finished || !cmp.Equal(tour.Field().Places, map[int]int{2: 1, 1: 2, 3: 3, 4: 4}) {
		t.Fatalf("it is %v, places %v", tour.Status, tour.Field().Places)
	}
	var told struct {
		Bracket []struct {
			Part   string
			Winner playerName
		}
	}
	if err := json.Unmarshal([]byte(n.host.get("/api/v1"+path).want(http.StatusOK).body), &told); err != nil || len(told.Bracket) != 7 {
		t.Fatalf("%d contests, %v", len(told.Bracket), err)
	}
	if last := told.Bracket[6]; last.Part != "reset" || last.Winner != "borys" {
		t.Errorf("the last contest: %+v", last)
	}
	n.imported(path)
}

// Two matches with the seats swapped, one won by each: the lot of the second match, from
// the seed that its record shows, says who goes on.
func TestALotDecidesALevelContest(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	if four := n.tournament(n.create("format", "knock-out", "tie", "seed", "legs", "4")); four.Legs != 4 || four.Double {
		t.Errorf("of four matches the form makes %d, %v", four.Legs, four.Double)
	}
	path := n.create("format", "knock-out", "pace", "manual", "tie", "lot", "legs", "2")
	for _, handle := range []string{"anna", "borys"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.wantBoards(n.open(path), "anna-borys")
	n.wins(path, "anna")
	n.wantBoards(n.open(path), "anna-borys")
	n.wins(path, "borys")
	tour := n.tournament(path)
	last := tour.Rounds[1].Pairings[0]
	s, _, err := n.live.State(t.Context(), last.Match)
	if err != nil || tour.Status != tournament.Finished {
		t.Fatalf("%v, %v", tour.Status, err)
	}
	seed, _ := s.Seed()
	lucky, _ := tour.Entry(last.EntryAt(match.Seats[seed.Lot("contest", 2)]))
	if places := tour.Field().Places; places[lucky.Number] != 1 {
		t.Errorf("places %v, the lot names number %d", places, lucky.Number)
	}
	n.browser(lang.English).get(path + "/bracket").want(http.StatusOK).tells("level, by lot")
}

// correctTo corrects a result and answers the preview.
func (n *clubNight) correctTo(path string, round, board int, result, reach string) page {
	n.t.Helper()
	address := fmt.Sprintf("%s/rounds/%d/boards/%d?result=%s&shown=%d", path, round, board, result, n.tournament(path).Version)
	if reach != "" {
		address += "&reach=" + reach
	}
	preview := n.host.get(address)
	n.host.post(address, "reason", "misread").want(preview.status)
	return preview
}

// correctsTheSemiFinal lets clara beat borys after all.
func (n *clubNight) correctsTheSemiFinal(path string) {
	n.t.Helper()
	tour := n.tournament(path)
	result := "1-0"
	if e, _ := tour.Entry(tour.Rounds[3].Pairings[1].First); e.Name == "borys" {
		result = "0-1"
	}
	n.correctTo(path, 4, 2, result, "from-now").want(http.StatusConflict).wants("alert", "Someone else would go through")
	preview := n.correctTo(path, 4, 2, result, "").want(http.StatusOK)
	for _, part := range []string{"their matches are lost", "Final: "} {
		if !strings.Contains(preview.body, part) {
			n.t.Errorf("the preview does not say %q", part)
		}
	}
	if now := n.tournament(path); len(now.Rounds) != 4 || now.Settings.Rounds != 5 {
		n.t.Fatalf("%d rounds of %d", len(now.Rounds), now.Settings.Rounds)
	}
}

// outlives checks what is told of a finished cup elsewhere: the log, the report, the
// API and a bundle.
func (n *clubNight) outlives(path string) {
	n.t.Helper()
	var deeds []ledger.Deed
	tour := n.tournament(path)
	n.write(func(tx *store.Tx) (err error) {
		deeds, err = tx.Deeds(tour.ID)
		return err
	})
	folded, err := ledger.Fold(deeds)
	if err != nil {
		n.t.Fatal(err)
	}
	if diff := cmp.Diff(tour, folded, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(tournament.Tournament{}, "ClubStaff")); diff != "" {
		n.t.Errorf("the table (-) is not what the log says (+):\n%s", diff)
	}
	report := n.host.get(path + "/report.trf").want(http.StatusOK).body
	if !strings.Contains(report, "192 CUSTOM_KNOCKOUT") {
		n.t.Errorf("the report does not name its system:\n%s", report)
	}
	n.upload("/tournaments/import", "cup.trf", report).want(http.StatusUnprocessableEntity).wants("alert", "does not hold what these are paired by")
	var told struct {
		Bracket []struct {
			Round   int
			Places  [2]int
			Players [2]playerName
			Winner  playerName
			By      string
		}
	}
	if err := json.Unmarshal([]byte(n.host.get("/api/v1"+path).want(http.StatusOK).body), &told); err != nil || len(told.Bracket) != 8 {
		n.t.Fatalf("%d contests, %v", len(told.Bracket), err)
	}
	final, third := told.Bracket[6], told.Bracket[7]
	if final.Winner != "clara" || final.By != "score" || third.By != "forfeit" || third.Places != [2]int{3, 4} {
		n.t.Errorf("the final %+v, for third place %+v", final, third)
	}
	n.imported(path)
	n.host.get(path+"/log").want(http.StatusOK).wants("heading", "Friday")
}

// imported takes a finished cup in from its bundle.
func (n *clubNight) imported(path string) {
	n.t.Helper()
	copied := n.bundled(path)
	if got := n.tournament(copied).Field().Places; !cmp.Equal(got, n.tournament(path).Field().Places) || len(got) == 0 {
		n.t.Errorf("imported, places are %v", got)
	}
	n.host.get(copied + "/bracket").want(http.StatusOK)
}

// bundled imports an event from its bundle and answers where.
func (n *clubNight) bundled(path string) (copied string) {
	n.t.Helper()
	preview := n.upload("/tournaments/import/bundle", "t.zip", n.host.get(path+"/bundle.zip").want(http.StatusOK).body, "link", "yes").want(http.StatusOK)
	kept := ""
	for node := range preview.root.Descendants() {
		if name, _ := attr(node, "name"); name == "kept" {
			kept, _ = attr(node, "value")
		}
	}
	return n.host.post("/tournaments/import/bundle", "kept", kept, "link", "yes", "confirm", "yes").want(http.StatusOK).path
}

// upload sends a file as a browser does.
func (n *clubNight) upload(to, name, content string, pairs ...string) page {
	n.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	for i := 0; err == nil && i < len(pairs); i += 2 {
		err = w.WriteField(pairs[i], pairs[i+1])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		n.t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, n.http.URL+to, &body)
	if err != nil {
		n.t.Fatal(err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	req.Header.Set("Origin", n.http.URL)
	return n.host.do(req)
}
