package tournament

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) standings(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	view, err := s.standingsView(c, t)
	if err != nil {
		return err
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("tournament.tab.standings"), "standings")
	sh.Scripts = append(sh.Scripts, "standings.js")
	return s.Render(c, http.StatusOK, eventview.StandingsPage(sh, view))
}

func (s pages) standingsView(c echo.Context, t *tournament.Tournament) (eventview.StandingsView, error) {
	p, v := s.Printer(c), page.Viewer(c)
	view := eventview.StandingsView{Head: s.TournamentHead(c, t, "/standings")}
	table, err := format.Standings(t, -1)
	if err != nil {
		return view, err
	}
	changes, err := ratingChanges(c.Request().Context(), s.Store, t)
	if err != nil {
		return view, err
	}
	view.Body = event.StandingsBody(p, v, t, table, changes)
	for i, l := range view.Body.Lines {
		if len(table.Codes) > 0 {
			view.Body.Lines[i].Why = l.Player.URL + "#t-breaks"
		}
	}
	view.Body.Switch = tableSwitch(p, t, "/standings")
	if t.MaySee(player.Viewer{}) && len(t.Rounds) > 0 {
		frame := s.Address(c, words.EmbedStandingsURL(t.ID)+"?lang="+string(p.Lang))
		view.Embed = words.EmbedCode(frame, p.Event(t.Name), words.EmbedWidth, words.EmbedStandingsHeight)
	}
	if view.Body.Ruled, err = s.RuledLines(c, t, 0, 0); err != nil {
		return view, err
	}
	if t.Status >= tournament.Running {
		at := words.TournamentURL(t.ID)
		view.Files = []templates.Link{{Text: p.T("tournament.file.csv"), URL: at + "/standings.csv"}}
		if t.Format.InRounds() {
			view.Files = append(view.Files, templates.Link{Text: p.T("tournament.file.trf"), URL: at + "/report.trf"})
		}
		if !t.RatedAt.IsZero() {
			view.Files = append(view.Files, templates.Link{Text: p.T("rating.event"), URL: at + "/ratings"})
		}
	}
	return view, nil
}

// battleTeam shows the players of a team of a battle with what each has scored.
func (s pages) battleTeam(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	camp := words.AtoiOr(c.Param("team"), 0)
	name := t.Battle.NameOf(camp)
	if name == "" {
		return store.ErrNotFound
	}
	view, err := s.standingsView(c, t)
	if err != nil {
		return err
	}
	p, body := s.Printer(c), view.Body
	view.Files, view.Embed, view.Body.Lines, view.Body.Ruled, view.Body.Acts = nil, "", nil, nil, nil
	table, err := format.Standings(t, -1)
	if err != nil {
		return err
	}
	for i, l := range table.Lines {
		if l.Entry.Camp == camp {
			view.Body.Lines = append(view.Body.Lines, body.Lines[i])
			view.Body.Lines[len(view.Body.Lines)-1].Player.Team = ""
		}
	}
	view.Body.Caption, view.Body.Note, view.Body.Teams = name, p.N("battle.rule", t.Battle.LeadersOf()), nil
	for _, l := range body.Teams {
		if l.Team.Text == name {
			view.Body.Teams = append(view.Body.Teams, l)
		}
	}
	for _, e := range t.Entries { // before the start there is no table
		if len(table.Lines) == 0 && e.Camp == camp && e.Status == tournament.Active {
			view.Body.Lines = append(view.Body.Lines, eventview.StandingLine{Player: words.EntryRefOf(t, e), Score: "0"})
		}
	}
	return s.Render(c, http.StatusOK, eventview.StandingsPage(s.TournamentShell(c, t, name, "standings"), view))
}

// ratingChanges returns the rating changes of an event by player.
func ratingChanges(ctx context.Context, st *store.Store, t *tournament.Tournament) (map[player.ID]store.RatingChange, error) {
	changes := map[player.ID]store.RatingChange{}
	if t.RatedAt.IsZero() {
		return changes, nil
	}
	return changes, st.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.RatingChangesOf(t.ID)
		for _, change := range list {
			if len(change.Steps) > 0 {
				changes[player.ID(change.Player)] = change
			}
		}
		return err
	})
}

// outWord is how files say that somebody is out, by the key of how pages say it: as the API does.
func outWord(key string) string { return strings.TrimPrefix(key, "tournament.") }

func (s pages) standingsCSV(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	table, err := format.Standings(t, -1)
	if err != nil {
		return err
	}
	head := []string{"rank", "number", "player", "club", "rating", "score"}
	head = append(append(head, table.Columns...), "bot", "ruled")
	if len(t.Interests) > 0 {
		head = append(head, "own-acts")
	}
	switch {
	case t.HasTeams() && t.Teams.ByGames:
		head = append(head, "match-points")
	case t.HasTeams():
		head = append(head, "game-points")
	}
	isOut := slices.ContainsFunc(table.Lines, func(l format.Standing) bool { return words.OutKey(l.Entry) != "" })
	if isOut {
		head = append(head, "out")
	}
	if t.IsBattle() {
		head = append(head, "team")
	}
	rows := [][]string{head}
	for _, l := range table.Lines {
		row := []string{words.Itoa(l.Rank), words.Itoa(l.Number), l.Entry.Name, l.Entry.Club,
			words.NumberText(l.Entry.Rating), scoreNumber(l.Score)}
		row = append(row, l.Figures...)
		bot := ""
		if l.Entry.Bot {
			bot = "bot"
		}
		row = append(row, bot, words.RuledRounds(t, l.Entry.ID))
		if len(t.Interests) > 0 {
			row = append(row, words.ActsOf(t, l.Entry.ID))
		}
		if t.HasTeams() {
			row = append(row, scoreNumber(l.Other))
		}
		if isOut {
			row = append(row, outWord(words.OutKey(l.Entry)))
		}
		if t.IsBattle() {
			row = append(row, t.Battle.NameOf(l.Entry.Camp))
		}
		rows = append(rows, row)
	}
	return page.SendCSV(c, s.Printer(c).Event(t.Name), "standings.csv", rows)
}

// scoreNumber writes a score for other programs.
func scoreNumber(s tournament.Score) string { return strconv.FormatFloat(float64(s)/10, 'f', -1, 64) }

// narrowTable is the largest number of players whose crosstable fits a page of usual width.
const narrowTable = 12

func (s pages) crosstable(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	view, err := s.crosstableView(c, t)
	if err != nil {
		return err
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("tournament.tab.crosstable"), "crosstable")
	sh.Wide = len(t.Sides()) > narrowTable
	return s.Render(c, http.StatusOK, eventview.CrosstablePage(sh, view))
}

func (s pages) crosstableView(c echo.Context, t *tournament.Tournament) (eventview.CrosstableView, error) {
	p, v := s.Printer(c), page.Viewer(c)
	view := eventview.CrosstableView{Head: s.TournamentHead(c, t, "/crosstable"), Files: crossFiles(s.Printer(c), t, "/crosstable.csv")}
	table, err := format.Standings(t, -1)
	if err != nil {
		return view, err
	}
	if t.Format.MeetsAll() {
		view.Body = event.CrossBody(p, v, t, table)
	} else {
		view.Body = event.WallBody(p, v, t, table)
	}
	view.Body.Switch = tableSwitch(p, t, "/crosstable")
	view.Body.Ruled, err = s.RuledLines(c, t, 0, 0)
	return view, err
}

// tableSwitch links the standings and the crosstable or, of a knock-out, the bracket and the places.
func tableSwitch(p lang.Printer, t *tournament.Tournament, current string) (list []templates.TabLink) {
	names := [][2]string{{"/standings", "standings"}, {"/crosstable", "crosstable"}}
	switch {
	case !t.Format.InRounds():
		return nil // no crosstable: some meet more than once
	case t.Format.HasBracket():
		names = [][2]string{{"/bracket", "bracket"}, {"/standings", "places"}}
	}
	if t.HasTeams() {
		names = append(names, [2]string{"/by-board", "by-board"})
	}
	for _, n := range names {
		list = append(list, templates.TabLink{Text: p.T("tournament.tab." + n[1]), URL: words.TournamentURL(t.ID) + n[0],
			Current: n[0] == current})
	}
	return list
}

// card shows a player in a tournament.
func (s pages) card(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	view, err := s.cardView(c, t, c.Param("entry"))
	if err != nil {
		return err
	}
	c.Response().Header().Add(echo.HeaderVary, echo.HeaderAccept) // caches keep the fragment and the page apart
	if c.Request().Header.Get(echo.HeaderAccept) == words.FragmentType {
		return s.Render(c, http.StatusOK, eventview.WhyFragment(view))
	}
	return s.Render(c, http.StatusOK, eventview.CardPage(s.TournamentShell(c, t, view.Player.Name, "entry-"+c.Param("entry")), view))
}

func (s pages) cardView(c echo.Context, t *tournament.Tournament, entry string) (eventview.CardView, error) {
	p := s.Printer(c)
	view := eventview.CardView{Head: s.TournamentHead(c, t, "/entries/"+entry)}
	n, err := strconv.Atoi(entry)
	if err != nil {
		return view, store.ErrNotFound
	}
	e, err := t.Entry(tournament.EntryID(n))
	if err != nil {
		return view, store.ErrNotFound
	}
	if !t.MaySeeEntry(page.Viewer(c), e) {
		return view, store.ErrNotFound
	}
	table, err := format.Standings(t, -1)
	if err != nil {
		return view, err
	}
	fillCard(p, t, e, table, &view)
	teams, err := s.teamFactsOf(c.Request().Context(), t)
	if err != nil {
		return view, err
	}
	teams.fill(p, page.Viewer(c), t, e, &view)
	if e.Status == tournament.Invited {
		isOpen := false
		if view.Invited, isOpen, err = s.invitation(c, t, e); err != nil {
			return view, err
		}
		if isOpen && t.IsCaptain(page.Viewer(c), e.ID) {
			view.MakeUp.Text = p.T("teams.invited-name", "Team", words.EntryName(p, e))
		}
	}
	if !e.IsGuest() {
		x, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (player.Player, error) { return tx.Player(e.Player) })
		if err != nil {
			return view, err
		}
		view.Player.URL = words.PlayerURL(x.Handle)
	}
	ruled, err := s.RuledOf(c, t)
	if err != nil {
		return view, err
	}
	view.Ruled = ruled[e.ID]
	if t.IsTeam(e) && !t.Status.IsOver() {
		view.Calendar = words.EntryURL(t.ID, e.ID) + "/calendar.ics"
	}
	if t.May(page.Viewer(c), tournament.ActExpel) && t.Status != tournament.Finalized {
		view.Judge = templates.Link{Text: p.T("desk.expel-link"), URL: words.EntryURL(t.ID, e.ID) + "/expel"}
		if e.Expelled {
			view.Judge.Text = p.T("desk.reinstate-link")
		}
	}
	return view, nil
}

// teamFacts are what the cards of an event of teams show beside those of others.
type teamFacts struct {
	scorers  []format.Scorer
	captains map[player.ID]string // their handles
}

// teamFactsOf reads them for all cards; nothing if players meet.
func (s pages) teamFactsOf(ctx context.Context, t *tournament.Tournament) (f teamFacts, err error) {
	if !t.HasTeams() {
		return f, nil
	}
	if f.scorers, err = format.Scorers(t); err != nil {
		return f, err
	}
	var ids []player.ID
	for _, e := range t.Sides() {
		ids = append(ids, e.Captains...)
	}
	f.captains, err = s.NamesOf(ctx, ids...)
	return f, err
}

// fill adds to the card of a team its players and captains, to that of a player what they scored for theirs.
func (f teamFacts) fill(p lang.Printer, v player.Viewer, t *tournament.Tournament, e tournament.Entry, view *eventview.CardView) {
	if i := slices.IndexFunc(f.scorers, func(x format.Scorer) bool { return x.Entry.ID == e.ID }); i >= 0 {
		x := f.scorers[i]
		view.Facts = append([]templates.TournamentFact{words.Fact(p.T("tournament.board"), words.Itoa(x.Board)),
			words.Fact(p.T("tournament.score"), words.ScoreText(p, x.Points)+" / "+words.Itoa(x.Games)),
			words.Fact(p.T("teams.performance"), words.ValueText(p, x.Performance))}, view.Facts...)
	}
	if !t.IsTeam(e) {
		return
	}
	view.Roster = rosterOf(p, v, t, e, f.scorers)
	if !t.Status.IsOver() && (e.IsOwn(v) || t.May(v, tournament.ActParticulars)) {
		view.MakeUp = templates.Link{Text: p.T("teams.players-line-up"), URL: words.TeamURL(t.ID, e.ID)}
	}
	if len(e.Captains) > 0 {
		var list []string
		for _, id := range e.Captains {
			list = append(list, f.captains[id])
		}
		view.Facts = append(view.Facts, words.Fact(p.T("teams.captains"), strings.Join(list, ", ")))
	}
}

// report sends the tournament as a TRF report.
func (s pages) report(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	if t.Status < tournament.Running {
		return store.ErrNotFound
	}
	heads, err := s.HeadsOf(c.Request().Context(), t)
	if err != nil {
		return err
	}
	officials, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) ([]string, error) { return assurance.Officials(tx, t) })
	if err != nil {
		return err
	}
	if !t.May(page.Viewer(c), tournament.ActReport) {
		t = t.Clone()
		for i, e := range t.Entries {
			t.Entries[i] = e.Public()
		}
	}
	var b bytes.Buffer
	if err := tables.WriteReport(&b, t, heads, officials); err != nil {
		return err
	}
	names, err := s.Rulers(c, t)
	if err != nil {
		return err
	}
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if note := words.RuledNote(t, p, names); note != "" {
				fmt.Fprintf(&b, "### ruled round %d board %d %s: %s\n", r.Number, p.Board, p.Result.Kind, note)
			}
		}
	}
	for _, n := range t.Interests {
		e, _ := t.Entry(n.Entry)
		fmt.Fprintf(&b, "### own act %d: %s by number %d, place %d, now %d\n", n.Seq, n.Act, e.Number, n.Was, n.Is)
	}
	return page.SendFile(c, s.Printer(c).Event(t.Name), "report.trf", "text/plain; charset=utf-8", b.Bytes())
}

// tournamentJSON sends the API's view of the tournament as a file.
func (s pages) tournamentJSON(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	v, err := api(s).tournamentShown(c, t)
	if err != nil {
		return err
	}
	body, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return page.SendFile(c, s.Printer(c).Event(t.Name), "tournament.json", echo.MIMEApplicationJSON, body)
}
