package event

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	boardview "chpok.org/chpok/templates/board"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/tournament/stage"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// LiveBoards returns the boards of a round with the current points of the running matches.
func LiveBoards(r eventview.RoundBody) []templates.BoardLine {
	boards := slices.Clone(r.Boards)
	for i := range boards {
		boards[i].Live = cmp.Or(livePoints(r, i, false), boards[i].Live)
	}
	return boards
}

// livePoints returns the current points of the match on a board of a round, from 0, those of First in front unless it is
// turned; empty: it does not run.
func livePoints(r eventview.RoundBody, i int, turned bool) string {
	k := slices.IndexFunc(r.Watch, func(w boardview.LiveView) bool { return w.URL == r.Boards[i].URL })
	if k < 0 || r.Boards[i].Result != "" || r.Watch[k].Us.Points == "" {
		return ""
	}
	left, right := r.Watch[k].Us, r.Watch[k].Them
	if r.Watch[k].IsTurned != turned { // White stands below
		left, right = right, left
	}
	return left.Points + " : " + right.Points
}

// Do runs f and goes back to the page of the form.
func (s Frame) Do(c echo.Context, f words.Deed, flash string) error {
	id := tournament.ID(c.Param("id"))
	if err := f(c.Request().Context(), page.Viewer(c), id); err != nil {
		return err
	}
	if c.FormValue("back") == "players" {
		return s.Redirect(c, words.PlayersURL(id), flash)
	}
	return s.Redirect(c, words.TournamentURL(id), flash)
}

// WithHead puts the head of a tournament's page in front of its other pieces.
func WithHead(head templates.TournamentHead, rest ...page.Fragment) []page.Fragment {
	return append([]page.Fragment{{ID: "head", What: templates.TournamentHeadFragment(head)}}, rest...)
}

// TournamentShell returns the shell of a tournament's page; part names what its feed updates, empty for none.
func (s Frame) TournamentShell(c echo.Context, t *tournament.Tournament, title, part string) templates.Shell {
	s.Shows(c) // no matches, unless the page has named some
	name := s.Printer(c).Event(t.Name)
	sh := s.Shell(c, title+" · "+name)
	if title == "" {
		sh.Title = name
	}
	sh.Section, sh.Styles = "tournaments", []string{"tournament.css"}
	if part != "" && t.Status < tournament.Finished {
		sh.Feed = words.TournamentFeedURL(t, part, strconv.FormatInt(t.Version, 10))
	}
	s.link(c, &sh, t)
	if e, entered := t.EntryOf(page.Viewer(c).ID); entered {
		sh.Mine = words.EntryURL(t.ID, e.ID)
		if e.Team != 0 {
			sh.Mine += " " + words.EntryURL(t.ID, e.Team)
		}
	}
	for _, e := range t.CaptainOf(page.Viewer(c)) {
		sh.Mine = strings.TrimSpace(sh.Mine + " " + words.EntryURL(t.ID, e.ID))
	}
	return sh
}

// link sets how other sites preview a link to a public tournament; others are not indexed.
func (s Frame) link(c echo.Context, sh *templates.Shell, t *tournament.Tournament) {
	if sh.NoIndex = !t.MaySee(player.Viewer{}); sh.NoIndex {
		return
	}
	p, at := s.Printer(c), words.TournamentURL(t.ID)
	p.Reader = nil // others read it
	text := strings.Join(words.TournamentLines(p, t), " · ")
	sh.Card = s.EmbedCard(c, p, templates.Card{Title: p.Event(t.Name), Text: text, URL: at,
		Picture: at + "/picture.png?v=" + strconv.FormatInt(t.Version, 10)})
}

// FillAddForm fills the form in again and says what is wrong with it.
func (s Frame) FillAddForm(c echo.Context, add *eventview.AddEntryView, refused error) {
	p := s.Printer(c)
	text := page.TextOf(p, refused)
	add.Handle.Value, add.Guest.Value = words.Shorten(c.FormValue("handle"), 40), words.Shorten(c.FormValue("guest"), 100)
	add.Rating.Value, add.Club.Value = words.Shorten(c.FormValue("rating"), 5), words.Shorten(c.FormValue("club"), 100)
	if add.Camp != nil {
		for i, x := range add.Camp.Choices {
			add.Camp.Choices[i].Chosen = x.Value == c.FormValue("camp")
		}
	}
	if errors.Is(refused, setting.ErrUnmet) {
		text = p.T("entry.error.conditions-staff")
		add.Reason = &templates.Field{Name: "reason", Label: p.T("entry.override"), Hint: p.T("entry.override-hint"),
			Max: tournament.MaxReason, Required: true, Autocomplete: "off"}
	}
	var known *entries.KnownError
	if errors.As(refused, &known) {
		text = p.T("entry.error.known")
		for _, k := range known.Known {
			add.Known = append(add.Known, eventview.KnownPerson{Handle: string(k.Handle),
				Text: p.T("entry.same", "Name", k.Name, "Handle", string(k.Handle)),
				Note: words.KnownText(p, k)})
		}
	}
	add.MayBeAnother = known != nil || errors.Is(refused, tournament.ErrNamesake)
	if add.Guest.Value != "" {
		add.Guest.Error = text
	} else {
		add.Handle.Error = text
	}
}

// Directed returns the tournament of the address if the viewer directs it.
func (s Frame) Directed(c echo.Context) (*tournament.Tournament, error) {
	return s.TournamentFor(c, tournament.ActSettings)
}

// TournamentHead returns the top of a tournament's page; current is the path of the page below the tournament's.
func (s Frame) TournamentHead(c echo.Context, t *tournament.Tournament, current string) templates.TournamentHead {
	p := s.Printer(c)
	at := words.TournamentURL(t.ID)
	h := templates.TournamentHead{
		Name: p.Event(t.Name), URL: at, Club: t.Club, Status: words.StatusText(p, t), StatusWord: t.Status.String(),
		Format: words.FormatText(p, t), Level: p.T("fairplay.unchecked"), LevelURL: at + "/info#fair-play-card",
	}
	if level := t.Policy.OrOpen().Level; level > fairplay.Open {
		h.Level = form.LevelText(p, level)
	}
	if staff := s.staffTabs(c, t, current); len(staff) > 0 {
		h.Manage = staff[0].URL
		if publicTab(current) == noTab {
			h.Menu = staff
		}
	}
	if len(h.Menu) == 0 {
		h.Tabs = publicTabs(p, t, publicTab(current))
	}
	h.Invitation = words.InvitationOf(p, page.Viewer(c), t)
	if strings.HasPrefix(current, "/rounds/") && t.Format.InRounds() {
		for _, r := range t.Rounds {
			path := "/rounds/" + words.Itoa(r.Number)
			h.Rounds = append(h.Rounds, templates.TabLink{Text: words.Itoa(r.Number), URL: at + path, Current: path == current})
		}
	}
	if t.Origin != nil {
		h.Stage = &templates.Link{Text: stageText(p, *t.Origin), URL: at + "/origin"}
	}
	if t.Rehearsal != "" {
		h.Rehearsal = p.T("schedule.rehearsal")
	}
	if t.Timetable.IsPaused() {
		h.Paused = p.T("schedule.paused", "Time", p.When(t.Timetable.Pause.Since), "Why", t.Timetable.Pause.Reason)
	}
	if t.Stuck != "" {
		h.Stuck = p.T("tournament.stuck.public", "Round", len(t.Rounds)+1)
		if t.May(page.Viewer(c), tournament.ActDesk) {
			h.Stuck = p.T("tournament.stuck", "Round", len(t.Rounds)+1)
		}
	}
	if next, due := t.NextRoundAt(); due && len(h.Menu) == 0 && t.Stuck == "" && next.After(s.Now()) {
		h.NextTitle, h.Next, h.NextStamp = p.T("tournament.next-round"), p.Soon(next), p.Stamp(next)
		if t.Rolls() {
			h.NextTitle = p.T("tournament.next-match")
		}
	}
	return h
}

// stageText says where the players come from.
func stageText(p lang.Printer, o tournament.Origin) string {
	switch {
	case o.PlayOff:
		return p.T("stage.head.play-off", "Name", p.Event(o.Of[0].Name))
	case o.Division != nil:
		return p.N("stage.head.groups", len(o.Of))
	case len(o.Of) == 1:
		return p.T("stage.head.from", "Name", p.Event(o.Of[0].Name))
	}
	return p.N("stage.head.events", len(o.Of))
}

// noTab is the tab of staff pages.
const noTab = "-"

// publicTab returns the tab that a page belongs to.
func publicTab(page string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(page, "/"), "/")
	switch first {
	case "", "match", "rounds":
		return first
	case "standings", "crosstable", "bracket", "by-board", "entries":
		return "standings"
	case "info", "files", "log", "chat", "prizes":
		if page == "/prizes/edit" {
			return noTab
		}
		return "info"
	}
	return noTab
}

// publicTabs returns the tabs that everybody sees.
func publicTabs(p lang.Printer, t *tournament.Tournament, current string) (tabs []templates.TabLink) {
	add := func(tab, path, text string) {
		tabs = append(tabs, templates.TabLink{Text: p.T("tournament.tab." + text), URL: words.TournamentURL(t.ID) + path,
			Current: tab == current})
	}
	switch {
	case t.Origin.IsAwaited():
		add("", "", "live")
	case t.Status < tournament.Running:
		add("", "", "entry")
	case t.Status.IsOver():
		add("", "", "over")
	default:
		add("", "", "live")
	}
	switch {
	case t.Status < tournament.Running:
	case t.Format.HasBracket():
		add("standings", "/bracket", "bracket")
	default:
		add("standings", "/standings", "standings")
	}
	if n := len(t.Rounds); n > 0 {
		add("rounds", "/rounds/"+words.Itoa(n), "rounds")
		if !t.Format.InRounds() {
			tabs[len(tabs)-1].Text = p.T("arena.tab")
		}
	}
	add("info", "/info", "info")
	return tabs
}

// staffTabs returns the menu of those who run a tournament.
func (s Frame) staffTabs(c echo.Context, t *tournament.Tournament, current string) []templates.TabLink {
	p, v := s.Printer(c), page.Viewer(c)
	var tabs []templates.TabLink
	tab := func(show bool, path, text string) {
		if show {
			tabs = append(tabs, templates.TabLink{Text: text, URL: words.TournamentURL(t.ID) + path, Current: path == current,
				Near: path == "/players" || path == "/screens"})
		}
	}
	desk, rounds := t.May(v, tournament.ActDesk), len(t.Rounds) > 0
	tab(desk, "/desk", p.T("schedule.desk"))
	tab(t.Status < tournament.Running && t.May(v, tournament.ActSettings), "/edit", p.T("tournament.edit"))
	tab(desk, "/players", p.T("entry.desk"))
	tab(t.May(v, tournament.ActDoor) && !t.Status.IsOver() && t.HasDoor(), "/door", p.T("door.title"))
	tab(desk && t.Status == tournament.Running && t.Format.InRounds(), "/pairings", p.T("desk.title"))
	tab(t.May(v, tournament.ActExtend) && t.Status == tournament.Running && (t.Pace == tournament.Arranged || t.HasTeams()), "/days", p.T("days.grid"))
	tab(desk && rounds, "/boards", p.T("calls.boards"))
	if desk && rounds && t.May(v, tournament.ActCalls) {
		tab(true, "/calls", s.callsText(c, t))
	}
	tab(desk && rounds, "/results", p.T("desk.results"))
	tab(t.May(v, tournament.ActWatch), "/fair-play", p.T("fairplay.title"))
	tab(t.May(v, tournament.ActScreen), "/screens", p.T("screen.title"))
	tab(desk, "/staff", p.T("staff.title"))
	tab(t.May(v, tournament.ActSettings), "/webhooks", p.T("hook.title"))
	prizes := "/prizes"
	if t.Prizes.IsZero() {
		prizes += "/edit"
	}
	tab(t.May(v, tournament.ActPrizes), prizes, p.T("prize.title"))
	tab(t.MayFollow(v) == nil && (t.ClubID != "" || v.MayCreateTournament()), "/next", p.T("stage.next"))
	tab(stage.MayDivide(t, v) == nil, "/groups", p.T("stage.groups"))
	tab(desk && t.Origin != nil, "/origin", p.T("stage.origin"))
	tab(desk && t.Status > tournament.Draft, "/life", p.T("desk.life-link"))
	return tabs
}

// SettingFacts renders the settings that players should know.
func SettingFacts(p lang.Printer, t *tournament.Tournament) []templates.TournamentFact {
	pace := words.Fact(p.T("tournament.pace"), p.T("tournament.pace."+t.Pace.String()))
	if t.Pace.OpensByItself() && t.Break > 0 {
		pace.Hint = p.T("tournament.break-of", "Time", p.Duration(t.Break))
	}
	lateness := words.Fact(p.T("tournament.lateness"), p.T("tournament.lateness.none"))
	if t.Lateness > 0 {
		lateness.Value = p.T("tournament.lateness.some", "Time", p.Duration(t.Lateness))
	}
	numbering := words.Fact(p.T("tournament.numbering"), p.T("tournament.numbering."+t.Numbering.String()))
	if t.Seed != "" && (t.Numbering == tournament.Lots || t.Numbering == tournament.Varma || t.Numbering == tournament.Pots) {
		numbering.Hint = p.T("tournament.seed", "Seed", t.Seed)
	}
	if t.Pace == tournament.Correspondence {
		pace.Hint = p.T("tournament.correspondence", "Move", p.Length(t.BidTime), "All", p.Length(t.Window))
		lateness.Value = p.T("tournament.lateness.none")
	}
	facts := []templates.TournamentFact{lateness, words.Fact(p.T("tournament.claims"), p.T("tournament.claims."+t.Claims.String())),
		words.OrderFact(p, t.Settings)}
	if t.Format.InRounds() { // an arena pairs whoever waits
		facts = append(slices.Insert(facts, 0, pace), numbering)
	}
	if t.Format.HasBracket() {
		facts = append(facts, words.Fact(p.T("bracket.losers"), p.T("bracket.losers."+string(t.Losers))))
	}
	if t.HasTeams() {
		facts = append(facts, teamFacts(p, t.Settings)...)
	}
	if t.IsBattle() {
		facts = append(facts, words.BattleFact(p, t.Battle))
	}
	if t.Acceleration != tournament.NoAcceleration {
		facts = append(facts, words.Fact(p.T("tournament.acceleration"), p.T("tournament.acceleration."+t.Acceleration.String())))
	}
	facts = append(facts, scheduleFacts(p, t)...)
	rated := p.T("core.no")
	if t.Rated {
		rated = p.T("core.yes")
	}
	facts = append(facts, words.Fact(p.T("tournament.rated"), rated))
	if t.Handicap {
		facts = append(facts, templates.TournamentFact{Name: p.T("rating.handicap.has"), Value: p.T("rating.handicap.by-table"),
			Hint: words.HandicapTable(p)})
	}
	return facts
}

// teamFacts renders what matches of teams are worth and, where they are paired by it, how seats are balanced.
func teamFacts(p lang.Printer, s tournament.Settings) []templates.TournamentFact {
	worth := s.Teams.PointsOf()
	facts := []templates.TournamentFact{words.Fact(p.T("teams.worth"), p.T("teams.match-worth",
		"Win", words.ScoreText(p, worth.Win), "Draw", words.ScoreText(p, worth.Draw), "Loss", words.ScoreText(p, worth.Loss)))}
	if s.Format.PairsByScore() {
		facts = append(facts, words.Fact(p.T("teams.preferences"), p.T("teams.preferences."+s.Teams.Preferences.String())))
	}
	return facts
}

// EntriesView renders the list of players: by number once it is drawn, by rating before; below each team its players in board
// order.
func EntriesView(p lang.Printer, v player.Viewer, t *tournament.Tournament) eventview.EntriesView {
	view := eventview.EntriesView{URL: words.TournamentURL(t.ID), IsDrawn: t.Status >= tournament.Running, OfTeams: t.HasTeams()}
	list := t.Sides()
	if view.IsDrawn {
		slices.SortStableFunc(list, func(a, b tournament.Entry) int { return a.Number - b.Number })
	} else {
		slices.SortStableFunc(list, func(a, b tournament.Entry) int { return b.Rating - a.Rating })
	}
	active, players, isMine := 0, 0, words.IsMine(t, v)
	for _, e := range list {
		if e.Status != tournament.Active && e.Number == 0 {
			continue
		}
		l := eventview.EntryLine{
			Number: words.NumberText(e.Number), Name: words.EntryName(p, e), URL: words.EntryURL(t.ID, e.ID), Rating: words.NumberText(e.Rating),
			Club: e.Club, Bot: e.Bot, Guest: e.IsGuest() && !t.HasTeams(), IsMe: isMine(e), IsTeam: t.HasTeams(),
			Team: t.Battle.NameOf(e.Camp)}
		if out := words.OutKey(e); out != "" {
			l.Status, l.IsOut = p.T(out), true
		} else {
			active++
		}
		view.Lines = append(view.Lines, l)
		for k, e := range t.Roster(e.ID) {
			players++
			view.Lines = append(view.Lines, eventview.EntryLine{Number: words.Itoa(k + 1), Name: words.EntryName(p, e), URL: words.EntryURL(t.ID, e.ID),
				Rating: words.NumberText(e.Rating), Club: e.Club, Bot: e.Bot, Guest: e.IsGuest(), IsMe: isMine(e)})
		}
	}
	view.Count = words.SidesText(p, t.Settings, active)
	if t.HasTeams() {
		view.Count += ", " + p.N("player.count", players)
	}
	return view
}
