package desk

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/ledger"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s record) logRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/log", s.tournamentLog, page.Anyone),
		page.Get("/tournaments/:id/log.jsonl", s.logJSON, page.Anyone),
		page.Get("/tournaments/:id/log.csv", s.logCSV, page.Anyone),
		page.Get("/tournaments/:id/at/:seq", s.moment, page.Anyone),
	}
}

// keptDeeds returns a tournament's log as it is kept, with accounts by their ids, which no page and no file shows.
func (s record) keptDeeds(c echo.Context, id tournament.ID) ([]ledger.Deed, error) {
	return store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]ledger.Deed, error) { return tx.Deeds(id) })
}

// deedsOf returns a tournament's log with handles in the place of accounts, and whose they are.
func (s record) deedsOf(c echo.Context, id tournament.ID) (names map[player.ID]string, deeds []ledger.Deed, err error) {
	if deeds, err = s.keptDeeds(c, id); err != nil {
		return nil, nil, err
	}
	return s.named(c, deeds)
}

// named returns deeds with handles in the place of accounts, and whose they are.
func (s record) named(c echo.Context, deeds []ledger.Deed) (names map[player.ID]string, _ []ledger.Deed, err error) {
	if names, err = s.NamesOf(c.Request().Context(), ledger.People(deeds)...); err != nil {
		return nil, nil, err
	}
	handles := make(map[player.ID]player.ID, len(names))
	for id, handle := range names {
		handles[id] = player.ID(handle)
	}
	return names, ledger.Renamed(deeds, handles), nil
}

// seenDeeds returns the tournament of the address with the part of its log that the viewer may see.
func (s record) seenDeeds(c echo.Context) (t *tournament.Tournament, deeds []ledger.Deed, err error) {
	return s.seenSince(c, 0)
}

// seenSince is seenDeeds for the deeds after one.
func (s record) seenSince(c echo.Context, seq int64) (t *tournament.Tournament, deeds []ledger.Deed, err error) {
	if t, err = s.SeenTournament(c); err != nil {
		return nil, nil, err
	}
	deeds, err = store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]ledger.Deed, error) { return tx.DeedsSince(t.ID, seq) })
	if err == nil {
		_, deeds, err = s.named(c, deeds)
	}
	if err == nil && !t.May(page.Viewer(c), tournament.ActDesk) {
		deeds = ledger.Public(deeds)
	}
	return t, deeds, err
}

// logFilter selects deeds.
type logFilter struct {
	act      tournament.Act
	by       player.ID
	round    string
	entry    tournament.EntryID
	from, to time.Time
}

func (s record) logFilterOf(c echo.Context) logFilter {
	f := logFilter{
		act: tournament.Act(words.Shorten(c.QueryParam("act"), 40)), by: player.ID(words.Shorten(c.QueryParam("by"), 60)),
		round: words.Shorten(c.QueryParam("round"), 3), entry: words.EntryIDOf(c.QueryParam("entry")),
	}
	zone := s.Printer(c).Zone
	f.from, _ = civil.Read(c.QueryParam("from"), zone, nil, time.Time{}) // an invalid time filters nothing
	f.to, _ = civil.Read(c.QueryParam("to"), zone, nil, s.Now())         // the second of two hours, once it is over
	return f
}

func (f logFilter) takes(d ledger.Deed) bool {
	switch {
	case f.act != "" && d.Act != f.act, f.by != "" && d.By != f.by,
		!f.from.IsZero() && d.At.Before(f.from), !f.to.IsZero() && d.At.After(f.to):
		return false
	case f.round != "" && !slices.ContainsFunc(d.Changes, func(x ledger.Change) bool {
		return x.Path == "rounds."+f.round || strings.HasPrefix(x.Path, "rounds."+f.round+".")
	}):
		return false
	case f.entry > 0 && !slices.ContainsFunc(d.Changes, func(x ledger.Change) bool { return touches(x, f.entry) }):
		return false
	}
	return true
}

// touches reports whether a change is about an entry, its boards or its byes.
func touches(x ledger.Change, id tournament.EntryID) bool {
	if x.Path == "entries."+words.Itoa(int(id)) {
		return true
	}
	for _, raw := range []json.RawMessage{x.Before, x.After} {
		switch {
		case strings.Contains(x.Path, ".boards."):
			var p tournament.Pairing
			if len(raw) > 0 && json.Unmarshal(raw, &p) == nil && p.SeatOf(id).Valid() {
				return true
			}
		case strings.HasSuffix(x.Path, ".byes"):
			var byes []tournament.Bye
			if len(raw) > 0 && json.Unmarshal(raw, &byes) == nil && slices.ContainsFunc(byes, func(b tournament.Bye) bool { return b.Entry == id }) {
				return true
			}
		}
	}
	return false
}

const deedsOnPage = 60

func (s record) tournamentLog(c echo.Context) error {
	t, deeds, err := s.seenDeeds(c)
	if err != nil {
		return err
	}
	p, at := s.Printer(c), words.TournamentURL(t.ID)
	filter := s.logFilterOf(c)
	view := deskview.LogView{
		Head: s.TournamentHead(c, t, "/log"), Title: p.T("log.title"), Note: p.T("log.note-public"), Action: at + "/log",
		From: templates.Field{Name: "from", Label: p.T("log.filter.from"), Type: "datetime-local",
			Value: words.Shorten(c.QueryParam("from"), 16)},
		To:    templates.Field{Name: "to", Label: p.T("log.filter.to"), Type: "datetime-local", Value: words.Shorten(c.QueryParam("to"), 16)},
		Files: []templates.Link{{Text: p.T("log.jsonl"), URL: at + "/log.jsonl"}, {Text: p.T("log.csv"), URL: at + "/log.csv"}},
	}
	isStaff := t.May(page.Viewer(c), tournament.ActDesk)
	if isStaff {
		view.Note = p.T("log.note-staff")
	}
	fillLogFilters(p, t, isStaff, deeds, filter, &view)
	var chosen []ledger.Deed
	for _, d := range slices.Backward(deeds) {
		if filter.takes(d) {
			chosen = append(chosen, d)
		}
	}
	view.Count = p.N("log.count", len(chosen))
	view.Paging = page.PagingBy(c, len(chosen), deedsOnPage)
	begin := min((page.Number(c)-1)*deedsOnPage, len(chosen))
	view.Zone = p.T("core.footer.zone", "Zone", p.Zone.String())
	w := deedWriter{p: p.Bare(), t: t}
	for _, d := range chosen[begin:min(begin+deedsOnPage, len(chosen))] {
		view.Lines = append(view.Lines, w.line(d))
	}
	return s.Render(c, http.StatusOK, deskview.LogPage(s.DeskShell(c, t, view.Title), view))
}

// logJSON sends the log as JSON Lines for "chpok check"; the last line is the table that follows from it.
func (s record) logJSON(c echo.Context) error {
	t, deeds, err := s.seenDeeds(c)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := tables.WriteLog(&b, t, deeds); err != nil {
		return err
	}
	return page.SendFile(c, s.Printer(c).Event(t.Name), "log.jsonl", "application/jsonl; charset=utf-8", b.Bytes())
}

// logCSV sends the log for spreadsheets: a row for everything that a line changed, in the words of the page. The file
// log.jsonl has it whole.
func (s record) logCSV(c echo.Context) error {
	t, deeds, err := s.seenDeeds(c)
	if err != nil {
		return err
	}
	rows := [][]string{{"number", "time", "who", "duty", "act", "reason", "what", "before", "after"}}
	w := deedWriter{p: s.Printer(c).Bare(), t: t}
	for _, d := range deeds {
		head := []string{strconv.FormatInt(d.Seq, 10), d.At.UTC().Format(time.RFC3339), string(d.By), d.Duty.String(),
			string(d.Act), d.Reason}
		begun := len(rows)
		for _, x := range d.Changes {
			for _, l := range w.change(x) {
				rows = append(rows, append(slices.Clone(head), l.What, l.Was, l.Is))
			}
		}
		if len(rows) == begun {
			rows = append(rows, append(head, "", "", ""))
		}
	}
	return page.SendCSV(c, s.Printer(c).Event(t.Name), "log.csv", rows)
}

// moment shows the tournament as it stood after one of its deeds.
func (s record) moment(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	seq, err := strconv.ParseInt(c.Param("seq"), 10, 64)
	if err != nil {
		return store.ErrNotFound
	}
	deeds, err := s.keptDeeds(c, t.ID)
	if err != nil {
		return err
	}
	then, err := ledger.At(deeds, seq)
	if err != nil {
		return store.ErrNotFound
	}
	p, v := s.Printer(c), page.Viewer(c)
	then.ClubStaff = t.ClubStaff
	if !then.MaySee(v) && !t.May(v, tournament.ActDesk) {
		return store.ErrNotFound
	}
	at := words.TournamentURL(t.ID) + "/at/"
	here := at + strconv.FormatInt(seq, 10)
	i := slices.IndexFunc(deeds, func(d ledger.Deed) bool { return d.Seq == seq })
	view := deskview.MomentView{
		Name: p.Event(then.Name), Banner: p.T("log.banner", "Number", seq, "When", p.DateTime(deeds[i].At)), NowURL: words.TournamentURL(t.ID),
		LogURL: words.TournamentURL(t.ID) + "/log",
	}
	if i > 0 {
		view.Earlier = at + strconv.FormatInt(deeds[i-1].Seq, 10)
	}
	if i+1 < len(deeds) {
		view.Later = at + strconv.FormatInt(deeds[i+1].Seq, 10)
	}
	show := words.Shorten(c.QueryParam("show"), 20)
	for _, tab := range []struct{ word, text string }{
		{"", p.T("tournament.tab.overview")}, {"pairings", p.T("tournament.pairings")}, {"standings", p.T("tournament.tab.standings")},
		{"crosstable", p.T("tournament.tab.crosstable")},
	} {
		link := templates.TabLink{Text: tab.text, URL: here, Current: tab.word == show}
		if tab.word != "" {
			link.URL = words.WithQuery(here, "show", tab.word)
		}
		view.Tabs = append(view.Tabs, link)
	}
	if err := fillMoment(p, v, then, show, &view); err != nil {
		return err
	}
	ruled, err := s.RuledLines(c, then, 0, 0)
	if err != nil {
		return err
	}
	switch {
	case view.Standings != nil:
		view.Standings.Ruled = ruled
	case view.Crosstable != nil:
		view.Crosstable.Ruled = ruled
	case len(view.Rounds) > 0:
		view.Rounds[len(view.Rounds)-1].Body.Ruled = ruled
	}
	c.Response().Header().Set("X-Robots-Tag", "noindex, nofollow") // each moment links to the next and takes work to rebuild
	sh := s.Shell(c, p.T("log.banner-short", "Number", seq)+" · "+view.Name)
	sh.Section, sh.Styles, sh.Wide = "tournaments", []string{"tournament.css", "desk.css"}, show == "crosstable"
	return s.Render(c, http.StatusOK, deskview.MomentPage(sh, view))
}
