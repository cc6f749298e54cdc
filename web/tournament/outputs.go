package tournament

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/events"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/bundle"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/stage"
	"chpok.org/chpok/tournament/trf"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// BundlePath is the page that imports a tournament from another site.
const BundlePath = "/tournaments/import/bundle"

func (s outputs) outputRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/files", s.files, page.Anyone),
		page.Get("/tournaments/:id/wallchart", s.wallchart, page.Anyone),
		page.Get("/tournaments/:id/crosstable.csv", s.crossCSV(pages.crosstableView, "crosstable.csv"), page.Anyone),
		page.Get("/tournaments/:id/wallchart.csv", s.crossCSV(pages.wallchartView, "wallchart.csv"), page.Anyone),
		page.Get("/tournaments/:id/cards", s.cards, page.Anyone),
		page.Get("/tournaments/:id/rounds/:round/names", s.roundNames, page.Anyone),
		page.Get("/tournaments/:id/rounds/:round/pairings.csv", s.pairingsCSV, page.Anyone),
		page.Get("/tournaments/:id/records.zip", s.recordsZip, page.Anyone),
		page.Get("/tournaments/:id/bundle.zip", s.bundleZip, page.SignedIn),
		page.Get(BundlePath, s.bundleForm, player.Viewer.MayCreateTournament),
		page.Post(BundlePath, s.importBundle, player.Viewer.MayCreateTournament),
		page.Post("/tournaments/:id/entries/:entry/link", s.linkEntry, page.SignedIn),
		page.Post("/tournaments/:id/report", s.setReportHead, page.SignedIn),
		page.Post("/tournaments/:id/rounds/:round/boards/:board/open", s.openBoard, page.SignedIn),
	}
}

// files lists the printouts and files of a tournament.
func (s outputs) files(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	return s.showFiles(c, t, filesTyped{head: t.Report})
}

// filesTyped is what the forms of the list show: what was typed, and what is wrong with it.
type filesTyped struct {
	account templates.Field // that staff could not give to a guest
	head    tournament.ReportHead
	refused error
}

// showFiles renders that list.
func (s outputs) showFiles(c echo.Context, t *tournament.Tournament, typed filesTyped) error {
	status := http.StatusOK
	if typed.refused != nil {
		status, _ = page.InPlace(typed.refused)
	}
	p, at := s.Printer(c), words.TournamentURL(t.ID)
	view := tournamentview.FilesView{Head: s.TournamentHead(c, t, "/files")}
	group := func(title string, links ...templates.Link) {
		view.Groups = append(view.Groups, tournamentview.FileGroup{Title: title, Links: links})
	}
	if len(t.Rounds) > 0 {
		links := []templates.Link{{Text: p.T("tournament.tab.standings"), URL: at + "/standings"}}
		if t.Format.InRounds() { // in an arena some meet more than once
			links = append(links, templates.Link{Text: p.T("tournament.tab.crosstable"), URL: at + "/crosstable"},
				templates.Link{Text: p.T("files.wallchart"), URL: at + "/wallchart"})
			if t.HasTeams() {
				links = append(links, templates.Link{Text: p.T("teams.by-board"), URL: at + "/by-board"})
			}
		}
		view.Print = append(view.Print, tournamentview.FileGroup{Title: p.T("files.all-rounds"),
			Links: append(links, templates.Link{Text: p.T("files.cards"), URL: at + "/cards"})})
	}
	for _, r := range t.Rounds {
		at := words.RoundURL(t.ID, r.Number)
		view.Print = append(view.Print, tournamentview.FileGroup{Title: words.RoundTitle(p, t, r.Number), Links: []templates.Link{
			{Text: p.T("files.by-board"), URL: at}, {Text: p.T("files.by-name"), URL: at + "/names"},
			{Text: p.T("files.pairings-csv"), URL: at + "/pairings.csv"}}})
	}
	if t.Status >= tournament.Running {
		view.Groups = append(view.Groups, dataFiles(p, t))
	}
	if !t.Prizes.IsZero() && len(t.Rounds) > 0 {
		links := []templates.Link{{Text: p.T("prize.list"), URL: words.PrizesURL(t.ID)},
			{Text: p.T("prize.csv"), URL: words.PrizesURL(t.ID) + ".csv"}}
		if t.May(page.Viewer(c), tournament.ActDesk) {
			links = append(links, templates.Link{Text: p.T("prize.receipts"), URL: words.PrizesURL(t.ID) + "/receipts"})
		}
		group(p.T("prize.title"), links...)
	}
	if t.May(page.Viewer(c), tournament.ActExport) {
		view.Groups = append(view.Groups, tournamentview.FileGroup{Title: p.T("files.staff"), Hint: p.T("files.bundle-hint"),
			Links: []templates.Link{{Text: p.T("files.bundle"), URL: at + "/bundle.zip"}}})
	}
	if t.May(page.Viewer(c), tournament.ActReport) && t.Format.InRounds() {
		view.Report, view.ReportTo = reportFields(p, typed.head, words.ProblemsOf(typed.refused)), at+"/report"
	}
	if t.May(page.Viewer(c), tournament.ActLink) {
		view.Guests, view.Boards = guestLines(t, typed.account), openBoardLines(p, t)
	}
	return s.Render(c, status, tournamentview.FilesPage(s.TournamentShell(c, t, p.T("files.title"), "files"), view))
}

// dataFiles lists the files for other programs, with what a report cannot express.
func dataFiles(p lang.Printer, t *tournament.Tournament) tournamentview.FileGroup {
	at := words.TournamentURL(t.ID)
	g := tournamentview.FileGroup{Title: p.T("files.data"), Links: []templates.Link{
		{Text: p.T("tournament.file.csv"), URL: at + "/standings.csv"},
		{Text: p.T("tournament.file.trf"), URL: at + "/report.trf"},
		{Text: p.T("tournament.file.json"), URL: at + "/tournament.json"},
		{Text: p.T("log.jsonl"), URL: at + "/log.jsonl"}, {Text: p.T("files.records"), URL: at + "/records.zip"},
		{Text: p.T("place.add-calendar"), URL: at + "/calendar.ics"},
	}}
	switch o := t.Origin; {
	case !t.Format.InRounds():
		g.Links, g.Hint = slices.Delete(g.Links, 1, 2), p.T("arena.error.report")
	case t.Format.HasBracket():
		g.Hint = p.T("files.trf.knock-out")
	case o != nil && (o.Carry == stage.CarryAll || o.Carry == stage.CarryHalf):
		g.Hint = p.T("files.trf.carried")
	}
	if names := cutNames(p, t); t.Format.InRounds() && len(names) > 0 {
		g.Hint = strings.TrimSpace(g.Hint + " " + p.T("files.trf.cut", "N", trf.NameWidth, "Names", strings.Join(names, ", ")))
	}
	return g
}

// cutNames are the names that a report has no room for, in the order of numbers.
func cutNames(p lang.Printer, t *tournament.Tournament) (names []string) {
	for _, e := range t.Entries {
		width := trf.NameWidth
		if t.IsTeam(e) {
			width = trf.TeamWidth
		}
		if name := words.EntryName(p, e); (e.Number > 0 || e.Team != 0) && utf8.RuneCountInString(name) > width {
			names = append(names, name)
		}
	}
	return names
}

// reportFields are the inputs for what the head of the report tells.
func reportFields(p lang.Printer, h tournament.ReportHead, problems []tournament.Problem) []templates.Field {
	list := []templates.Field{{Name: "city", Value: h.City}, {Name: "federation", Value: h.Federation}, {Name: "chief", Value: h.Chief},
		{Name: "deputies", Value: strings.Join(h.Deputies, "\n"), Type: "textarea"}, {Name: "timeControl", Value: h.TimeControl}}
	for i, f := range list {
		list[i].Label, list[i].Error, list[i].Autocomplete = p.T("files.report."+f.Name), form.ProblemOf(p, problems, f.Name), "off"
		if hint := "files.report." + f.Name + "-hint"; p.Has(hint) {
			list[i].Hint = p.T(hint)
		}
		if f.Type == "" {
			list[i].Max = tournament.MaxNameLength
		}
	}
	return list
}

func (s outputs) setReportHead(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActReport)
	if err != nil {
		return err
	}
	value := func(name string) string { return words.Shorten(c.FormValue(name), 10_000) }
	h := tournament.ReportHead{City: value("city"), Federation: value("federation"), Chief: value("chief"),
		Deputies: strings.Split(value("deputies"), "\n"), TimeControl: value("timeControl")}
	err = s.Arbiter.Events.SetReportHead(c.Request().Context(), page.Viewer(c), t.ID, h)
	return s.Answer(c, err, func(c echo.Context, refused error) error {
		return s.showFiles(c, t, filesTyped{head: h, refused: refused})
	}, words.TournamentURL(t.ID)+"/files", "flash.saved")
}

// guestLines lists the guests who can be linked to an account.
func guestLines(t *tournament.Tournament, wrong templates.Field) (lines []tournamentview.GuestLine) {
	if t.Status.IsOver() {
		return nil
	}
	for _, e := range t.Entries {
		if e.IsGuest() && !t.IsTeam(e) && e.Status == tournament.Active {
			f := templates.Field{Name: guestField(e.ID), Label: e.Name, Max: 21, Required: true, Autocomplete: "off"}
			if wrong.Name == f.Name {
				f.Value, f.Error = wrong.Value, wrong.Error
			}
			lines = append(lines, tournamentview.GuestLine{Action: words.EntryURL(t.ID, e.ID) + "/link", Account: f})
		}
	}
	return lines
}

// guestField is the field with the account of a guest.
func guestField(e tournament.EntryID) string { return "handle-" + words.Itoa(int(e)) }

// openBoardLines lists the boards on which a match can be opened.
func openBoardLines(p lang.Printer, t *tournament.Tournament) (lines []templates.Link) {
	if t.Status != tournament.Running || len(t.Rounds) == 0 {
		return nil
	}
	for round, b := range t.Rounds.Pending() {
		first, err1 := t.Entry(b.First)
		second, err2 := t.Entry(b.Second)
		if err1 == nil && err2 == nil && b.Match == "" && !first.IsGuest() && !second.IsGuest() {
			lines = append(lines, templates.Link{
				Text: p.T("files.open-board", "Board", b.Board, "First", words.EntryName(p, first), "Second", words.EntryName(p, second)),
				URL:  words.BoardURL(t.ID, round, b.Board) + "/open",
			})
		}
	}
	return lines
}

func (s outputs) wallchart(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	view, err := pages(s).wallchartView(c, t)
	if err != nil {
		return err
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("files.wallchart"), "wallchart")
	sh.Wide = true
	return s.Render(c, http.StatusOK, eventview.CrosstablePage(sh, view))
}

func (s pages) wallchartView(c echo.Context, t *tournament.Tournament) (eventview.CrosstableView, error) {
	view := eventview.CrosstableView{Head: s.TournamentHead(c, t, "/files"), Files: crossFiles(s.Printer(c), t, "/wallchart.csv")}
	table, err := format.Standings(t, -1)
	if err == nil {
		view.Body = wallchartBody(s.Printer(c), page.Viewer(c), t, table)
		view.Body.Ruled, err = s.RuledLines(c, t, 0, 0)
	}
	return view, err
}

// crossFiles links a crosstable or wallchart as a file.
func crossFiles(p lang.Printer, t *tournament.Tournament, file string) []templates.Link {
	if t.Status < tournament.Running || !t.Format.InRounds() {
		return nil
	}
	return []templates.Link{{Text: p.T("core.csv"), URL: words.TournamentURL(t.ID) + file}}
}

// crossCSV sends a crosstable or wallchart as its page shows it, with scores that spreadsheets add up.
func (s outputs) crossCSV(view func(pages, echo.Context, *tournament.Tournament) (eventview.CrosstableView, error),
	name string) echo.HandlerFunc {
	return func(c echo.Context) error {
		t, err := s.SeenTournament(c)
		if err != nil {
			return err
		}
		v, err := view(pages(s), c, t)
		if err != nil {
			return err
		}
		head := []string{"rank", "player"}
		if v.Body.Number {
			head[0] = "number"
		}
		for _, column := range v.Body.Columns {
			head = append(head, column.Name)
		}
		head = append(head, "score")
		isOut := slices.ContainsFunc(v.Body.Lines, func(l eventview.CrossLine) bool { return l.Player.Out != "" })
		if isOut {
			head = append(head, "out")
		}
		rows := [][]string{head}
		for _, l := range v.Body.Lines {
			row := []string{l.Rank, l.Player.Name}
			for _, cell := range l.Cells {
				row = append(row, cell.Text)
			}
			whole, half := strings.CutSuffix(l.Score, "½")
			if half {
				whole = cmp.Or(whole, "0") + ".5"
			}
			row = append(row, whole)
			if isOut {
				row = append(row, outWord(l.Player.Out))
			}
			rows = append(rows, row)
		}
		return page.SendCSV(c, s.Printer(c).Event(t.Name), name, rows)
	}
}

// cardsOnAPage is how many cards a page holds: eight printed sheets.
const cardsOnAPage = 64

// cards shows the cards of many players, for printing.
func (s outputs) cards(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	table, err := format.Standings(t, -1)
	if err != nil {
		return err
	}
	view := tournamentview.CardsView{Head: s.TournamentHead(c, t, "/files"), Caption: event.Caption(p, t, p.T("files.cards")),
		Paging: page.PagingBy(c, len(table.Lines), cardsOnAPage)}
	ruled, err := s.RuledOf(c, t)
	if err != nil {
		return err
	}
	teams, err := pages(s).teamFactsOf(c.Request().Context(), t)
	if err != nil {
		return err
	}
	from := min((page.Number(c)-1)*cardsOnAPage, len(table.Lines))
	for _, l := range table.Lines[from:min(from+cardsOnAPage, len(table.Lines))] {
		card := eventview.CardView{}
		fillCard(p, t, l.Entry, table, &card)
		teams.fill(p, page.Viewer(c), t, l.Entry, &card)
		card.Ruled = slices.Clone(ruled[l.Entry.ID])
		// A board is on two cards, so each has its own anchor.
		for i := range card.Ruled {
			card.Ruled[i].ID += "-" + words.Itoa(int(l.Entry.ID))
		}
		for i, r := range card.Rounds {
			if r.Ruled != "" {
				card.Rounds[i].Ruled += "-" + words.Itoa(int(l.Entry.ID))
			}
		}
		view.Cards = append(view.Cards, card)
	}
	sh := s.TournamentShell(c, t, p.T("files.cards"), "")
	sh.Feed = ""
	return s.Render(c, http.StatusOK, tournamentview.CardsPage(sh, view))
}

// roundNames shows a round by the players' names, for a notice board.
func (s outputs) roundNames(c echo.Context) error {
	t, n, err := pages(s).seenRound(c)
	if err != nil {
		return err
	}
	p := s.Printer(c)
	view := tournamentview.NamesView{
		Head: s.TournamentHead(c, t, "/rounds/"+words.Itoa(n)), Body: namesBody(p, t, t.Rounds[n-1:n]),
		ByBoard: templates.Link{Text: p.T("files.by-board"), URL: words.RoundURL(t.ID, n)}, CSV: words.RoundURL(t.ID, n) + "/pairings.csv",
	}
	sh := s.TournamentShell(c, t, p.T("tournament.round-n", "Round", n), "names-"+words.Itoa(n))
	return s.Render(c, http.StatusOK, tournamentview.NamesPage(sh, view))
}

func (s outputs) pairingsCSV(c echo.Context) error {
	t, n, err := pages(s).seenRound(c)
	if err != nil {
		return err
	}
	rows := [][]string{{"board", "first", "first-number", "second", "second-number", "result", "ruled"}}
	r := t.Rounds[n-1]
	names, err := s.Rulers(c, t)
	if err != nil {
		return err
	}
	cell := func(id tournament.EntryID) (name, number string) {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		return e.Name, words.NumberText(e.Number)
	}
	if t.HasTeams() {
		return page.SendCSV(c, s.Printer(c).Event(t.Name), fmt.Sprintf("round-%d.csv", n), teamPairings(t, r, names))
	}
	for _, b := range r.Pairings {
		first, firstNumber := cell(b.First)
		second, secondNumber := cell(b.Second)
		rows = append(rows, []string{words.Itoa(b.Board), first, firstNumber, second, secondNumber, b.Result.Kind.String(),
			words.RuledNote(t, b, names)})
	}
	for _, b := range r.Byes {
		name, number := cell(b.Entry)
		rows = append(rows, []string{"", name, number, "", "", byeCode(b.Kind), ""})
	}
	return page.SendCSV(c, s.Printer(c).Event(t.Name), fmt.Sprintf("round-%d.csv", n), rows)
}

// teamPairings are the boards of a round of teams; a player is missing where nobody sat.
func teamPairings(t *tournament.Tournament, r tournament.Round, rulers map[player.ID]string) [][]string {
	rows := [][]string{{"match", "board", "first", "first-team", "second", "second-team", "result", "ruled"}}
	sits := func(id tournament.EntryID) (name, team string) {
		e, _ := t.Entry(id) // a pairing's entries are in the tournament
		if t.IsTeam(e) {
			return "", e.Name
		}
		of, _ := t.Entry(e.Team)
		return e.Name, of.Name
	}
	for n, m := range r.Teams {
		if m.OpenedAt.IsZero() { // its line-ups are awaited
			_, first := sits(m.First)
			_, second := sits(m.Second)
			rows = append(rows, []string{words.Itoa(n + 1), "", "", first, "", second, "", ""})
		}
		for k, b := range r.BoardsOf(n + 1) {
			first, firstTeam := sits(b.First)
			second, secondTeam := sits(b.Second)
			rows = append(rows, []string{words.Itoa(n + 1), words.Itoa(k + 1), first, firstTeam, second, secondTeam, b.Result.Kind.String(),
				words.RuledNote(t, b, rulers)})
		}
	}
	for _, b := range r.Byes {
		_, team := sits(b.Entry)
		rows = append(rows, []string{"", "", "", team, "", "", byeCode(b.Kind), ""})
	}
	return rows
}

// byeCode is the code of a bye in TRF reports.
func byeCode(o tournament.Outcome) string {
	switch o {
	case tournament.FullBye:
		return "F"
	case tournament.HalfBye:
		return "H"
	case tournament.PairingBye:
		return "U"
	}
	return "Z"
}

// recordsZip sends the records of all finished matches, including those imported from another site.
func (s outputs) recordsZip(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if err := s.Within(c, page.LimitArchive); err != nil {
		return err
	}
	imported, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[store.BoardRef][]byte, error) {
		return tx.ImportedRecords(t.ID)
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentType, "application/zip")
	page.Download(c, s.Printer(c).Event(t.Name), "records.zip")
	z := zip.NewWriter(c.Response())
	for _, r := range t.Rounds {
		for _, b := range r.Pairings {
			raw := imported[store.BoardRef{Round: r.Number, Board: b.Board}]
			if b.Match != "" && !b.Result.IsPending() {
				record, err := s.RecordOf(c, b.Match)
				if err != nil {
					s.Log.Warn("record left out of the archive", "request", page.RequestID(c), "match", b.Match, "err", err)
					continue
				}
				if raw, err = json.Marshal(record); err != nil {
					return err
				}
			}
			if raw == nil {
				continue
			}
			if err := page.AddRecord(z, fmt.Sprintf("round-%d-board-%d", r.Number, b.Board), cmp.Or(b.Result.At, s.Now()), raw); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

// bundleZip sends the whole tournament for another site.
func (s outputs) bundleZip(c echo.Context) error {
	t, file, err := s.bundleOf(c, tournament.ID(c.Param("id")))
	if err != nil {
		return err
	}
	return page.SendFile(c, s.Printer(c).Event(t.Name), "tournament.zip", "application/zip", file)
}

// bundleOf returns a tournament and the whole of it, signed, for another site. Only those who may have it are counted.
func (s outputs) bundleOf(c echo.Context, id tournament.ID) (*tournament.Tournament, []byte, error) {
	t, err := s.TournamentFor(c, tournament.ActExport)
	if err != nil {
		return nil, nil, err
	}
	if err := s.Within(c, page.LimitArchive); err != nil {
		return nil, nil, err
	}
	b, err := s.Arbiter.Events.Bundle(c.Request().Context(), page.Viewer(c), id, s.Address(c, ""))
	if err != nil {
		return nil, nil, err
	}
	key, err := s.Arbiter.SiteKey(c.Request().Context())
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	err = bundle.Write(&out, b, key)
	return t, out.Bytes(), err
}

func (s outputs) bundleForm(c echo.Context) error {
	return s.showBundleForm(c, tournamentview.BundleView{Link: true})
}

func (s outputs) showBundleForm(c echo.Context, view tournamentview.BundleView) error {
	status := http.StatusOK
	if view.Problem != "" {
		status = http.StatusUnprocessableEntity
	}
	sh := s.Shell(c, s.Printer(c).T("files.import"))
	sh.Section, sh.Styles = "tournaments", []string{"tournament.css"}
	return s.Render(c, status, tournamentview.BundlePage(sh, view))
}

// importBundle previews a bundle and imports it once confirmed. In between the form holds the file.
func (s outputs) importBundle(c echo.Context) error {
	ctx, p, by := c.Request().Context(), s.Printer(c), page.Viewer(c)
	view := tournamentview.BundleView{Link: c.FormValue("link") != ""}
	raw, err := uploadedBundle(c)
	if err != nil || len(raw) == 0 {
		view.Problem = p.T("tournament.import.no-file")
		return s.showBundleForm(c, view)
	}
	unpacking.Lock()
	defer unpacking.Unlock()
	b, err := readBundle(raw)
	if err != nil {
		view.Problem = p.T("files.error.bundle") + " " + page.TextOf(p, err)
		return s.showBundleForm(c, view)
	}
	if c.FormValue("confirm") == "" {
		arrival, err := s.Arbiter.Events.Preview(ctx, by, b, view.Link)
		if problems := words.ProblemsOf(err); problems != nil {
			view.Problem = form.ProblemText(p, form.ByInput(p, problems)[0])
			return s.showBundleForm(c, view)
		} else if err != nil {
			return err
		}
		view.File, view.Preview = base64.StdEncoding.EncodeToString(raw), s.arrivalView(c, b, arrival)
		return s.showBundleForm(c, view)
	}
	id, err := s.Arbiter.Events.ImportBundle(ctx, by, b, view.Link)
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id), "flash.tournament-imported")
}

// unpacking lets one bundle be read at a time, as they may be large.
var unpacking sync.Mutex

// readBundle reads a bundle. Errors: those of package bundle; all that is not known by name is damage.
func readBundle(raw []byte) (bundle.Bundle, error) {
	b, err := bundle.Read(bytes.NewReader(raw), int64(len(raw)))
	if refused, _ := page.Of(err); err != nil && refused == nil {
		err = bundle.ErrDamaged
	}
	return b, err
}

func uploadedBundle(c echo.Context) ([]byte, error) {
	if kept := c.FormValue("kept"); kept != "" {
		return base64.StdEncoding.DecodeString(kept)
	}
	return page.Uploaded(c, "file")
}

func (s outputs) arrivalView(c echo.Context, b bundle.Bundle, a events.Arrival) *tournamentview.ArrivalView {
	p, t := s.Printer(c), a.Tournament
	v := &tournamentview.ArrivalView{
		Name: t.Name,
		Facts: []templates.TournamentFact{
			words.Fact(p.T("files.from"), b.Site), words.Fact(p.T("files.exported"), p.DateTime(b.ExportedAt)),
			words.Fact(p.T("files.stands"), p.T("home.status."+t.Status.String())), words.Fact(p.T("files.players"), words.Itoa(len(t.Players()))),
			words.Fact(p.T("files.rounds"), words.Itoa(len(t.Rounds))), words.Fact(p.T("files.open"), words.Itoa(a.Open)),
			words.Fact(p.T("files.records"), words.Itoa(len(b.Records))), words.Fact(p.T("files.deeds"), words.Itoa(len(b.Deeds))),
		},
		Signed: p.T("files.unsigned"),
	}
	for _, at := range b.Doubtful() {
		v.Facts = append(v.Facts, words.Fact(p.T("schedule.ready.board", "Round", at.Round, "Board", at.Board), p.T("files.doubtful")))
	}
	if b.SignedBy != "" {
		v.Signed = p.T("files.signed", "Key", b.SignedBy)
	}
	for _, e := range t.Players() {
		to := p.T("files.guest")
		if h, linked := a.Linked[e.ID]; linked {
			to = string(h)
		}
		v.People = append(v.People, words.Fact(e.Name, to))
	}
	return v
}

func (s outputs) linkEntry(c echo.Context) error {
	id, entry, err := page.EntryOfPath(c)
	if err != nil {
		return err
	}
	field := guestField(entry)
	err = s.Arbiter.Events.Link(c.Request().Context(), page.Viewer(c), id, entry, c.FormValue(field))
	if _, isTold := page.InPlace(err, http.StatusForbidden, http.StatusNotFound); isTold {
		t, failed := s.SeenTournament(c)
		if failed != nil {
			return failed
		}
		return s.showFiles(c, t, filesTyped{head: t.Report, refused: err, account: templates.Field{Name: field,
			Value: words.Shorten(c.FormValue(field), 40), Error: page.TextOf(s.Printer(c), err)}})
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/files", "flash.saved")
}

func (s outputs) openBoard(c echo.Context) error {
	round, err1 := strconv.Atoi(c.Param("round"))
	board, err2 := strconv.Atoi(c.Param("board"))
	if err1 != nil || err2 != nil {
		return store.ErrNotFound
	}
	m, err := s.Arbiter.Events.OpenBoard(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), round, board)
	if errors.Is(err, store.ErrConflict) {
		return s.Redirect(c, words.TournamentURL(tournament.ID(c.Param("id")))+"/files", "")
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.MatchURL(m), "")
}
