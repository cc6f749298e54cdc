package web_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/store/storetest"
	"chpok.org/chpok/tournament"
)

// filesOf are all tables of the templates, by the one that holds them: the file that has the same for spreadsheets, linked
// from the pages that show it, or in words why there is none.
var filesOf = map[string]string{
	"club.clubRoster":                 "/clubs/ID/members?csv=members",
	"ladder.ladderRungs":              "/ladders/ID?csv=rungs",
	"event.TournamentEntriesFragment": "/tournaments/ID?csv=entries",
	"event.boardTable":                "/tournaments/ID/rounds/ID/pairings.csv",
	"event.TeamMatches":               "/tournaments/ID/rounds/ID/pairings.csv",
	"event.TeamRoster":                "/tournaments/ID/by-board.csv",
	"tournament.ByBoardPage":          "/tournaments/ID/by-board.csv",
	"event.StandingsFragment":         "/tournaments/ID/standings.csv",
	"event.battle":                    "teams have the sums of their best players’ scores, who stand with their teams in the file below it",
	"event.CrosstableFragment":        "/tournaments/ID/crosstable.csv",
	"tournament.NamesFragment":        "/tournaments/ID/rounds/ID/pairings.csv",
	"tournament.prizeGroup":           "/tournaments/ID/prizes.csv",
	"rating.botTable":                 "/bots?csv=bots",
	"rating.PlayerPage":               "/players/ID?csv=history",
	"rating.RatingsPage":              "/ratings.csv",
	"rating.EventRatingsPage":         "/tournaments/ID/ratings.csv",
	"fairplay.words":                  "/attestations?csv=attestations",
	"rating.playerTable":              "who has a rating stands in the rating list, which is a file; the others have a handle and nothing else",
	"tournament.DaysPage":             "when who is away is for those who arrange their matches, and only until those are played",
	"league.division":                 "the standings of its tournament, which are a file there",
	"club.clubActs":                   "the club’s staff read there what was decided and why: sentences, not figures",
	"tournament.TopFragment":          "the head of the standings, which are a file",
	"tournament.screenTable":          "a screen on a wall turns the pages of tables that are files elsewhere",
	"tournament.ready":                "it is true for seconds, until the round begins",
	"tournament.month":                "a calendar to choose a day from; the events are a file for calendars",
	"event.StaffPage":                 "what each duty may do is the same at every event",
	"event.CardRounds":                "a player’s lines of the pairings of all rounds, which are files",
	"event.CheckInsFragment":          "it is true for minutes, until check-in closes",
	"rating.opponents":                "counted from matches, each of which is a file; who met whom is told to nobody as a list",
	"rating.spending":                 "averages of one player’s bids, which the records have one by one",
	"rating.ratingPreview":            "a preview of the file that was just brought",
	"account.NoticeSettingsPage":      "a form: which news comes by which way",
	"account.AdminPage":               "what the site counts of itself is read by the operator’s own tools (metrics)",
	"account.pageLines":               "a sheet of code names for a guest’s passkey, shown once",
	"desk.BoardsFragment":             "staff enter results there; the round’s pairings are a file",
	"desk.importPreview":              "a preview of the file that was just brought",
	"desk.hook":                       "deliveries of a webhook, which its receiver has",
	"desk.DryRunFragment":             "a picture of how likely each end is",
	"desk.effect":                     "what a correction would change, before it is made; the log has what was",
	"desk.ResultsPage":                "staff enter results there; the round’s pairings are a file",
	"desk.rosterPreview":              "a preview of the list that was just brought",
	"desk.groupTable":                 "the standings of a group, which are a file at the group",
	"desk.OriginPage":                 "who would come in where after a correction, before it is made",
	"home.StyleGuidePage":             "a sample of how tables look",
	"match.pointsFrom":                "what the points of a match are made of; its record is a file",
	"match.pointsTable":               "what the points of a match are made of; its record is a file",
	"fairplay.FairPlayPage":           "measured once, with the engine; the document of the measurement has it",
	"fairplay.CalibrationPage":        "a document of a few lines; the whole of it is a file in JSON, linked below",
	"fairplay.signalTable":            "evidence about people stays where arbiters weigh it",
	"fairplay.TournamentFairPlayPage": "evidence about people stays where arbiters weigh it",
	"fairplay.DossierPage":            "evidence about people stays where arbiters weigh it",
	"fairplay.StewardPage":            "who watches whose match is set there while it runs",
	"fairplay.OperatorFairPlayPage":   "evidence about people stays where arbiters weigh it",
	"embed.StandingsFragment":         "another site shows it in a frame; the standings are a file",
	"embed.RoundFragment":             "another site shows it in a frame; the round’s pairings are a file",
	"learn.pairs":                     "a lesson: text in two columns",
	"learn.BiddingExamplePage":        "a lesson: an example worked out",
	"learn.bidTable":                  "a lesson: an example worked out",
}

var (
	templHead = regexp.MustCompile(`^templ (\w+)\(`)
	ofEvent   = regexp.MustCompile(`^/tournaments/[a-z0-9]{16}$`)
	isNamed   = regexp.MustCompile(`/(tournaments|clubs|ladders|rounds|players|pools)/[^/?]+`)
)

// templatesWithTables finds them in the source, as package.template.
func templatesWithTables(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	files, _ := filepath.Glob("../templates/*/*.templ")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		at := ""
		for line := range strings.Lines(string(raw)) {
			if head := templHead.FindStringSubmatch(line); head != nil {
				at = filepath.Base(filepath.Dir(file)) + "." + head[1]
			}
			if strings.Contains(line, "<table") {
				found[at] = true
			}
		}
	}
	return found
}

// linkedElsewhere are files whose links other tests see, as what they take would be all of those tests again.
var linkedElsewhere = map[string]string{
	"/attestations?csv=attestations": "TestAPlayerIsVouchedForThroughThePages",
	"/tournaments/ID/by-board.csv":   "TestThePagesOfAnEventOfTeamsShowTeamsAndTheirPlayers",
}

// TestEveryTableIsAFile or it is said in words why not. The pages are those that visitors, players and staff find by the
// links of a busy site; what they lead to has heads and can be read by spreadsheets.
func TestEveryTableIsAFile(t *testing.T) {
	t.Parallel()
	found := templatesWithTables(t)
	for name := range found {
		if filesOf[name] == "" {
			t.Errorf("%s: say in the list which file has this table, or why none does", name)
		}
	}
	wanted := map[string]bool{}
	for name, file := range filesOf {
		if !found[name] {
			t.Errorf("%s is in the list and has no table", name)
		}
		if strings.HasPrefix(file, "/") {
			wanted[file] = true
		} else if len(strings.Fields(file)) < 5 {
			t.Errorf("%s: %q is no reason", name, file)
		}
	}
	db, err := store.Open(t.Context(), storetest.SQLiteDSN(t), store.Options{Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	n, people := busyPlace(t, db)
	n.write(func(tx *store.Tx) error {
		return tx.AddPlayer(player.Player{ID: "pishak", Handle: "Pishak", Bot: true, Role: player.Plain, Created: n.clock.Now()}, "")
	})
	linked := map[string]string{}
	events := n.host.get("/tournaments").root
	for e := range events.Descendants() {
		if to, _ := attr(e, "href"); e.Data == "a" && ofEvent.MatchString(to) && n.tournament(to).Status == tournament.Running {
			n.host.post(to+"/prizes", "currency", "EUR", "places", "100 60").want(http.StatusOK)
			break
		}
	}
	for _, b := range people {
		look := func(p page) {
			if p.root == nil {
				return
			}
			for e := range p.root.Descendants() {
				to, _ := attr(e, "href")
				if e.Type == html.ElementNode && e.Data == "a" && strings.Contains(to, "csv") {
					path, query, _ := strings.Cut(strings.TrimPrefix(to, "/api/v1"), "?")
					if list, is := strings.CutPrefix(query, "csv="); is {
						path += "?csv=" + list
					}
					linked[isNamed.ReplaceAllString(path, "/$1/ID")] = to
				}
			}
		}
		b.pagesFrom("/", look)
		look(b.get("/players?show=bots"))
	}
	for name := range linked { // the log has no table, and is a file as well
		wanted[name] = true
	}
	for file := range wanted {
		switch {
		case linked[file] == "" && linkedElsewhere[file] != "":
			continue
		case linked[file] == "":
			t.Errorf("no page links %s", file)
			continue
		}
		n.clock.advance(time.Minute) // files are not taken one after another
		got := n.host.get(linked[file]).want(http.StatusOK)
		rows, err := csv.NewReader(bytes.NewReader([]byte(strings.TrimPrefix(got.body, "\ufeff")))).ReadAll()
		if err != nil || len(rows) == 0 || len(rows[0]) < 2 || !strings.HasPrefix(got.body, "\ufeff") {
			t.Errorf("%s: %v, %d rows of %.200q", linked[file], err, len(rows), got.body)
		}
		noneIsJSON(t, linked[file], rows)
	}
}

// noneIsJSON checks that people can read every cell of a file for spreadsheets.
func noneIsJSON(t *testing.T, file string, rows [][]string) {
	t.Helper()
	for _, row := range rows {
		for _, cell := range row {
			if (strings.HasPrefix(cell, "{") || strings.HasPrefix(cell, "[")) && json.Valid([]byte(cell)) {
				t.Errorf("%s has a cell of JSON in %.200q", file, row)
				return
			}
		}
	}
}
