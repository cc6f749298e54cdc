package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/tiebreak"
)

func roundURL(id tournament.ID, n int) string { return tournamentURL(id) + "/rounds/" + itoa(n) }

func entryURL(id tournament.ID, e tournament.EntryID) string {
	return tournamentURL(id) + "/entries/" + itoa(int(e))
}

// tournamentHead is the top of a tournament's page; current is the page's own
// address below the tournament's.
func (s *Server) tournamentHead(c echo.Context, t *tournament.Tournament, current string) templates.TournamentHead {
	p := s.printer(c)
	at := tournamentURL(t.ID)
	h := templates.TournamentHead{
		Name: t.Name, URL: at, Club: t.Club, Status: p.T("home.status." + t.Status.String()), StatusWord: t.Status.String(), Format: formatText(p, t),
		Level: p.T("fairplay.title") + ": " + levelText(p, t.Policy.OrOpen().Level), LevelURL: at + "/info#fair-play-card",
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
	h.Invitation = invitationOf(p, viewer(c), t)
	if strings.HasPrefix(current, "/rounds/") {
		for _, r := range t.Rounds {
			path := "/rounds/" + itoa(r.Number)
			h.Rounds = append(h.Rounds, templates.TabLink{Text: itoa(r.Number), URL: at + path, Current: path == current})
		}
	}
	if t.Rehearsal != "" {
		h.Rehearsal = p.T("schedule.rehearsal")
	}
	if t.Timetable.IsPaused() {
		h.Paused = p.T("schedule.paused", "Time", p.Moment(t.Timetable.Pause.Since), "Why", t.Timetable.Pause.Reason)
	}
	if t.Stuck != "" {
		h.Stuck = p.T("tournament.stuck", "Round", len(t.Rounds)+1)
	}
	if next, due := t.NextRoundAt(); due && t.Stuck == "" && next.After(s.now()) {
		h.Next, h.NextStamp = p.DateTime(next), p.Stamp(next)
	}
	return h
}

// noTab is the tab of the staff's pages.
const noTab = "-"

// publicTab is under which tab of a tournament one of its pages stands.
func publicTab(page string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(page, "/"), "/")
	switch first {
	case "", "match", "rounds":
		return first
	case "standings", "crosstable", "entries":
		return "standings"
	case "info", "files", "log", "chat", "prizes":
		if page == "/prizes/edit" {
			return noTab
		}
		return "info"
	}
	return noTab
}

// publicTabs are the pages of a tournament that everybody sees.
func publicTabs(p lang.Printer, t *tournament.Tournament, current string) (tabs []templates.TabLink) {
	add := func(tab, path, text string) {
		tabs = append(tabs, templates.TabLink{Text: p.T("tournament.tab." + text), URL: tournamentURL(t.ID) + path, Current: tab == current})
	}
	switch {
	case t.Status < tournament.Running:
		add("", "", "entry")
	case t.Status.IsOver():
		add("", "", "over")
	default:
		add("", "", "live")
	}
	if t.Format == tournament.ClubMatch {
		add("match", "/match", "teams")
	}
	if t.Status >= tournament.Running {
		add("standings", "/standings", "standings")
	}
	if n := len(t.Rounds); n > 0 {
		add("rounds", "/rounds/"+itoa(n), "rounds")
	}
	add("info", "/info", "info")
	return tabs
}

// staffTabs lead who runs a tournament from desk to desk.
func (s *Server) staffTabs(c echo.Context, t *tournament.Tournament, current string) []templates.TabLink {
	p, v := s.printer(c), viewer(c)
	var tabs []templates.TabLink
	tab := func(show bool, path, text string) {
		if show {
			tabs = append(tabs, templates.TabLink{Text: text, URL: tournamentURL(t.ID) + path, Current: path == current})
		}
	}
	desk, rounds := t.May(v, tournament.ActDesk), len(t.Rounds) > 0
	tab(desk, "/desk", p.T("schedule.desk"))
	tab(t.Status < tournament.Running && t.May(v, tournament.ActSettings), "/edit", p.T("tournament.edit"))
	tab(desk, "/players", p.T("entry.desk"))
	tab(desk && t.Status == tournament.Running, "/pairings", p.T("desk.title"))
	tab(desk && rounds, "/boards", p.T("calls.boards"))
	if desk && rounds && t.May(v, tournament.ActCalls) {
		tab(true, "/calls", s.callsText(c, t))
	}
	tab(desk && rounds, "/results", p.T("desk.results"))
	tab(t.May(v, tournament.ActWatch), "/fair-play", p.T("fairplay.title"))
	tab(t.May(v, tournament.ActScreen), "/screens", p.T("screen.title"))
	tab(desk, "/staff", p.T("staff.title"))
	tab(t.May(v, tournament.ActPrizes) && t.Format != tournament.ClubMatch, "/prizes/edit", p.T("prize.title"))
	tab(desk && t.Status > tournament.Draft, "/life", p.T("desk.life-link"))
	return tabs
}

func formatText(p lang.Printer, t *tournament.Tournament) string {
	text := p.T("tournament.format." + t.Format.String())
	if t.Double {
		text = p.T("tournament.format.double")
	}
	if t.Settings.Rounds > 0 {
		text += ", " + p.N("tournament.rounds-count", t.Settings.Rounds)
	}
	return text
}

func fact(name, value string) templates.TournamentFact {
	return templates.TournamentFact{Name: name, Value: value}
}

func settingFacts(p lang.Printer, t *tournament.Tournament) []templates.TournamentFact {
	pace := fact(p.T("tournament.pace"), p.T("tournament.pace."+t.Pace.String()))
	if t.Pace == tournament.Auto && t.Break > 0 {
		pace.Hint = p.T("tournament.break-of", "Time", p.Duration(t.Break))
	}
	lateness := fact(p.T("tournament.lateness"), p.T("tournament.lateness.none"))
	if t.Lateness > 0 {
		lateness.Value = p.T("tournament.lateness.some", "Time", p.Duration(t.Lateness))
	}
	breaks := fact(p.T("tournament.tiebreaks"), strings.Join(t.Tiebreaks, ", "))
	if breaks.Value == "" {
		breaks.Value = "–"
	}
	numbering := fact(p.T("tournament.numbering"), p.T("tournament.numbering."+t.Numbering.String()))
	if t.Seed != "" && (t.Numbering == tournament.Lots || t.Numbering == tournament.Varma) {
		numbering.Hint = p.T("tournament.seed", "Seed", t.Seed)
	}
	facts := []templates.TournamentFact{pace, lateness, fact(p.T("tournament.claims"), p.T("tournament.claims."+t.Claims.String())), breaks, numbering}
	if t.Acceleration != tournament.NoAcceleration {
		facts = append(facts, fact(p.T("tournament.acceleration"), p.T("tournament.acceleration."+t.Acceleration.String())))
	}
	facts = append(facts, scheduleFacts(p, t)...)
	rated := p.T("core.no")
	if t.Rated {
		rated = p.T("core.yes")
	}
	facts = append(facts, fact(p.T("tournament.rated"), rated))
	if t.Handicap {
		facts = append(facts, templates.TournamentFact{Name: p.T("rating.handicap.has"), Value: p.T("rating.handicap.by-table"), Hint: handicapTable(p)})
	}
	return facts
}

// envelopeFacts say what may be bid.
func envelopeFacts(p lang.Printer, e bidding.Envelope) []templates.TournamentFact {
	span := func(b [2]int, unit string) string {
		text := p.Int(b[0])
		if b[0] != b[1] {
			text += "–" + p.Int(b[1])
		}
		if unit != "" {
			text += "\u00a0" + p.T("core.unit."+unit)
		}
		return text
	}
	var widths []string
	for _, w := range e.Widths {
		widths = append(widths, p.Int(w))
	}
	var presets []string
	for _, t := range e.Presets {
		presets = append(presets, t.String())
	}
	facts := []templates.TournamentFact{
		fact(p.T("tournament.envelope.chips"), p.Int(e.Chips)),
		fact(p.T("tournament.envelope.minutes"), span(e.Minutes, "m")),
		fact(p.T("tournament.envelope.increment"), span(e.Increment, "s")),
		fact(p.T("tournament.envelope.presets"), strings.Join(presets, ", ")),
		fact(p.T("tournament.envelope.widths"), strings.Join(widths, ", ")),
		{Name: p.T("tournament.envelope.moveLimit"), Value: span(e.MoveLimit, ""), Hint: p.T("tournament.envelope.default", "Value", p.Int(e.Defaults.MoveLimit))},
		fact(p.T("tournament.envelope.undos"), span(e.Undos, "")),
		fact(p.T("tournament.envelope.castlings"), span(e.Castlings, "")),
	}
	rows := p.T("tournament.envelope.rows-any")
	if !e.AnyRow {
		rows = p.T("tournament.envelope.rows-standard")
	}
	facts = append(facts, fact(p.T("match.target.home-row"), rows))
	if len(e.Forbidden) > 0 {
		var names []string
		for _, key := range e.Forbidden {
			names = append(names, p.T("match.feature."+key))
		}
		facts = append(facts, fact(p.T("tournament.envelope.forbidden"), strings.Join(names, ", ")))
	}
	return facts
}

func (s *Server) schedule(p lang.Printer, t *tournament.Tournament) []tournamentview.ScheduleLine {
	var lines []tournamentview.ScheduleLine
	rounds := t.Settings.Rounds
	if t.Status < tournament.Running {
		rounds = len(t.Times)
	}
	next, due := t.NextRoundAt()
	for n := 1; n <= rounds; n++ {
		l := tournamentview.ScheduleLine{Round: p.T("tournament.round-n", "Round", n)}
		var when time.Time
		switch {
		case n <= len(t.Rounds):
			r := t.Rounds[n-1]
			l.URL, when = roundURL(t.ID, n), r.OpenedAt
			if l.State = p.T("tournament.round.open"); r.IsOver() {
				l.State = p.T("tournament.round.over")
			}
		case n == len(t.Rounds)+1 && due:
			when = next
		case n > len(t.Rounds):
			when, _ = t.RoundAt(n)
			if when.IsZero() && t.Pace == tournament.Times && n <= len(t.Times) {
				when = t.Times[n-1]
			}
		}
		if !when.IsZero() {
			l.When, l.Stamp = p.DateTime(when), p.Stamp(when)
		}
		lines = append(lines, l)
	}
	return lines
}

func entriesView(p lang.Printer, v player.Viewer, t *tournament.Tournament) tournamentview.EntriesView {
	view := tournamentview.EntriesView{IsDrawn: t.Status >= tournament.Running}
	list := slices.Clone(t.Entries)
	if view.IsDrawn {
		slices.SortStableFunc(list, func(a, b tournament.Entry) int { return a.Number - b.Number })
	} else {
		slices.SortStableFunc(list, func(a, b tournament.Entry) int { return b.Rating - a.Rating })
	}
	active := 0
	for _, e := range list {
		if e.Status != tournament.Active && e.Number == 0 {
			continue
		}
		l := tournamentview.EntryLine{Number: numberText(e.Number), Name: e.Name, Rating: numberText(e.Rating), Club: e.Club, Bot: e.Bot, Guest: e.IsGuest(), IsMe: v.Is(e.Player)}
		switch {
		case view.IsDrawn:
			l.URL = entryURL(t.ID, e.ID)
		case !e.IsGuest():
			l.URL = playerURL(player.Handle(e.Name))
		}
		if e.Status == tournament.Withdrawn {
			l.Status, l.IsOut = p.T("tournament.withdrawn"), true
		} else {
			active++
		}
		view.Lines = append(view.Lines, l)
	}
	view.Count = p.N("player.count", active)
	return view
}

func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return itoa(n)
}

// scoreText writes a score: 2½, ½, 0; other point systems with a decimal.
func scoreText(p lang.Printer, sc tournament.Score) string {
	switch {
	case sc%10 == 0:
		return p.Int(int(sc) / 10)
	case sc == 5:
		return "½"
	case sc%10 == 5 && sc > 0:
		return p.Int(int(sc)/10) + "½"
	}
	return p.Decimal(float64(sc)/10, 1)
}

// resultText is a result as lists write it, and in words.
func resultText(p lang.Printer, k tournament.ResultKind) (text, words string) {
	switch k {
	case tournament.FirstWins:
		return "1 : 0", p.T("tournament.result.first")
	case tournament.SecondWins:
		return "0 : 1", p.T("tournament.result.second")
	case tournament.Drawn:
		return "½ : ½", p.T("tournament.result.draw")
	case tournament.FirstByForfeit:
		return "+ : −", p.T("tournament.result.first-forfeit")
	case tournament.SecondByForfeit:
		return "− : +", p.T("tournament.result.second-forfeit")
	case tournament.DoubleForfeit:
		return "− : −", p.T("tournament.result.double-forfeit")
	}
	return "", ""
}

// codeName is a tie-break in words of the viewer's language.
func codeName(p lang.Printer, c tiebreak.Code) string {
	text := p.T("tournament.code." + c.Kind.Code)
	_, modifier, has := strings.Cut(c.String(), "/")
	if has {
		text += " (" + modifier + ")"
	}
	return text
}

// claimsChoices and the like are the options of a selection.
func options(p lang.Printer, prefix, chosen string, words ...string) []templates.Choice {
	list := make([]templates.Choice, len(words))
	for i, w := range words {
		list[i] = templates.Choice{Value: w, Text: p.T(prefix + w), Chosen: w == chosen}
	}
	return list
}

func atoiOr(text string, otherwise int) int {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		return n
	}
	return otherwise
}

// seatText is which side of the bidding somebody has.
func seatText(p lang.Printer, s match.Seat) string {
	switch s {
	case match.First:
		return p.T("tournament.seat.first")
	case match.Second:
		return p.T("tournament.seat.second")
	}
	return ""
}

// withQuery is an address with one more word in its query.
func withQuery(path, name, value string) string {
	return path + "?" + url.Values{name: {value}}.Encode()
}
