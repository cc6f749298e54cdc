package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chpok.org/chpok/engine/notation"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	pages "chpok.org/chpok/web/page"
)

// played is a round robin of four with two rounds played and one open.
func (n *clubNight) played() (path string) {
	n.t.Helper()
	path = n.create()
	for _, handle := range []string{"anna", "borys", "clara", "danylo"} {
		n.host.post(path+"/entries", "handle", handle).want(http.StatusOK)
	}
	n.host.post(path + "/start").want(http.StatusOK)
	n.firstWins(path)
	n.firstWins(path)
	return path
}

// TestATieBreakIsWorkedOutInPlace with who stands next to the player, and by what: anna and borys have 2 points each, and
// anna has beaten borys; danylo and clara have 1, and danylo has beaten clara.
func TestATieBreakIsWorkedOutInPlace(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	n.firstWins(path)
	visitor := n.browser(lang.English)
	visitor.get(path + "/standings").want(http.StatusOK).says(`class="why" href="` + path + `/entries/1#t-breaks"`).
		says("where the tie-breaks of anna come from")
	req, err := http.NewRequest(http.MethodGet, n.http.URL+path+"/entries/2", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html-fragment")
	visitor.do(req).want(http.StatusOK).says("Behind anna: direct encounter 2 to 1.").says("Ahead of danylo: Score 2 to 1.").
		says("wins <strong>2</strong>").saysNot("<html").wants("link", "All rounds")
	visitor.get(path + "/entries/4").want(http.StatusOK).says("Behind borys: Score 1 to 2.").says("Ahead of clara: direct encounter 1 to 2.")
}

func TestPrintoutsOfATournament(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	visitor := n.browser(lang.English)
	files := visitor.get(path+"/files").want(http.StatusOK).wants("link", "Wallchart").wants("link", "By name").wants("link", "Log (JSON Lines)").wantsNo("link", "The whole tournament")
	for _, a := range files.find("link") {
		if a == "" {
			t.Error("a link without a text")
		}
	}
	n.host.get(path+"/files").want(http.StatusOK).wants("link", "The whole tournament")

	// 1-4, 2-3; 4-3, 1-2; 2-4, 3-1 is open; First wins all.
	wall := visitor.get(path + "/wallchart").want(http.StatusOK)
	var cells []string
	for node := range wall.root.Descendants() {
		if node.Type == html.ElementNode && node.Data == "td" {
			cells = append(cells, text(node))
		}
	}
	if want := []string{"1", "4f1 1", "2f1 2", "3s", "2", "2", "3f1 1", "1s0 1", "4f", "1"}; len(cells) < len(want) || !slices.Equal(cells[:len(want)], want) {
		t.Errorf("wallchart: %q, want %q first", cells, want)
	}
	visitor.get(path+"/cards").want(http.StatusOK).wants("link", "anna").wants("link", "danylo")
	names := visitor.get(path + "/rounds/2/names").want(http.StatusOK).find("header")
	var order []string
	for _, h := range names {
		if h == "anna" || h == "borys" || h == "clara" || h == "danylo" {
			order = append(order, h)
		}
	}
	if strings.Join(order, " ") != "anna borys clara danylo" {
		t.Errorf("by name: %q", order)
	}
	visitor.get(path + "/rounds/9/names").want(http.StatusNotFound)

	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(visitor.get(path+"/rounds/1/pairings.csv").want(http.StatusOK).body, "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 3 || strings.Join(rows[1], "|") != "1|anna|1|danylo|4|1-0|" {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestAFileIsNamedAfterWhatItIsOf(t *testing.T) {
	t.Parallel()
	for _, x := range [][2]string{
		{"Spring Swiss: group A", "spring-swiss-group-a-log.csv"}, {"Кубок Щасливців’26", "kubok-shchaslyvtsiv26-log.csv"},
		{`"/../\r\n;`, "r-n-log.csv"}, {"Coupe d’Été", "coupe-dete-log.csv"}, {"春 の 大会", "log.csv"}, {"", "log.csv"},
		{strings.Repeat("x", 200) + " Cup", "cup-log.csv"},
	} {
		if got := pages.FileName(x[0], "log.csv"); got != x[1] {
			t.Errorf("%q: %q, want %q", x[0], got, x[1])
		}
	}

	n := newClubNight(t)
	path := n.played()
	named := regexp.MustCompile(`filename="friday-[a-z0-9-]+\.[a-z]+"`)
	seen := 0
	for _, x := range regexp.MustCompile(`href="(/[^"]+\.[a-z]+)"`).FindAllStringSubmatch(n.host.get(path+"/files").want(http.StatusOK).body, -1) {
		if !strings.HasPrefix(x[1], path) {
			continue
		}
		seen++
		if got := n.host.get(x[1]).want(http.StatusOK).header.Get("Content-Disposition"); !named.MatchString(got) {
			t.Errorf("%s is saved as %q", x[1], got)
		}
	}
	if seen < 9 {
		t.Errorf("%d files", seen)
	}
	for _, address := range []string{"/ratings.csv", "/ratings.json", "/ratings.trf"} {
		if got := n.host.get(address).want(http.StatusOK).header.Get("Content-Disposition"); !strings.Contains(got, `"main-ratings.`) {
			t.Errorf("%s is saved as %q", address, got)
		}
	}
}

func TestTheRecordsOfATournamentAreOneArchive(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	archive := n.browser(lang.English).get(path + "/records.zip").want(http.StatusOK).body
	names := unzip(t, archive)
	if len(names) != 8 {
		t.Fatalf("4 matches are over, the archive has %d files", len(names))
	}
	z, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if at := n.tournament(path).Rounds[0].Pairings[0].Result.At; f.Modified.Year() != at.Year() {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
	}
	raw := names["round-1-board-1.json"]
	if record, err := notation.ParseRecord(raw); err != nil || !bytes.Contains(raw, []byte("anna")) {
		t.Errorf("%+v, %v", record, err)
	}
}

func unzip(t *testing.T, body string) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestABundleIsLookedAtAndThenImported(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.played()
	n.as(n.players["anna"], lang.English).get(path + "/bundle.zip").want(http.StatusForbidden)
	file := n.host.get(path + "/bundle.zip").want(http.StatusOK).body
	var manifest struct{ Tournament string }
	if err := json.Unmarshal(unzip(t, file)["bundle.json"], &manifest); err != nil || manifest.Tournament != "Friday" {
		t.Fatalf("%+v, %v", manifest, err)
	}
	send := func(content string) page {
		return n.upload("/tournaments/import/bundle", "t.zip", content, "link", "yes")
	}
	send(strings.Repeat("x", 600<<10)).want(http.StatusUnprocessableEntity) // more than forms may send
	send("no zip").want(http.StatusUnprocessableEntity).wants("alert", "can’t import this file")
	preview := send(file).want(http.StatusOK).wants("heading", "Friday").wants("button", "Import")
	if got := n.tournaments(); got != 1 {
		t.Fatalf("a look has made %d tournaments", got)
	}
	kept := ""
	for node := range preview.root.Descendants() {
		if name, _ := attr(node, "name"); name == "kept" {
			kept, _ = attr(node, "value")
		}
	}
	imported := n.host.post("/tournaments/import/bundle", "kept", kept, "link", "yes", "confirm", "yes").want(http.StatusOK).wants("heading", "Friday")
	if imported.path == path || n.tournaments() != 2 {
		t.Fatalf("imported to %s", imported.path)
	}
	files := n.host.get(imported.path+"/files").wants("button", "Begin the match on board 1").want(http.StatusOK)
	open := ""
	for node := range files.root.Descendants() {
		if action, _ := attr(node, "action"); strings.HasSuffix(action, "/boards/1/open") {
			open = action
		}
	}
	n.host.post(open).want(http.StatusOK)
	n.host.post(open).want(http.StatusConflict)
	if got := len(unzip(t, n.host.get(imported.path+"/records.zip").body)); got != 8 {
		t.Errorf("the archive of the imported one has %d files", got)
	}
	n.as(n.account("taras", player.Plain), lang.English).get("/tournaments/import/bundle").want(http.StatusForbidden)
}

func (n *clubNight) tournaments() (total int) {
	n.write(func(tx *store.Tx) (err error) {
		_, total, err = tx.Tournaments(store.TournamentQuery{AllDrafts: true, Limit: 1})
		return err
	})
	return total
}

// A report has room for 33 letters of a name; who exports it is told whose is cut.
func TestWhoseNameAReportCutsIsSaid(t *testing.T) {
	t.Parallel()
	n := newClubNight(t)
	path := n.event(func(*tournament.Settings) {})
	whole, long := strings.Repeat("о", 33), strings.Repeat("у", 34)
	n.host.post(path+"/players/add", "list", whole+"\n"+long, "do", "add").want(http.StatusOK)
	n.host.post(path + "/start").want(http.StatusOK)
	n.host.get(path + "/files").want(http.StatusOK).says("The TRF report has room for 33 letters of a name, and cuts: " + long + ".")
	if report := n.host.get(path + "/report.trf").want(http.StatusOK).body; !strings.Contains(report, long[:2*33]+" ") || strings.Contains(report, long) {
		t.Error("the report holds the whole name")
	}
}
