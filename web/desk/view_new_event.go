package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/civil"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/contest"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/tournament/series"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// peopleChoices are the numbers of people that one tap chooses.
var peopleChoices = []int{8, 12, 16, 24, 32, 48}

// teamChoices are the sizes of teams that one tap chooses, and the one that is chosen.
func teamChoices(chosen int) []int {
	list := []int{0, 2, 3, 4, 6}
	if !slices.Contains(list, chosen) {
		list = append(list, chosen)
	}
	return list
}

func (s organizer) showNewEvent(c echo.Context, e *eventAsked, status int) error {
	if !e.isAsked {
		return s.showTournamentForm(c, nil, e.values, e.problems)
	}
	view, err := s.newEventView(c, e)
	if err != nil {
		return err
	}
	sh := s.setupShell(c, view.Title)
	sh.Styles, sh.Scripts = append(sh.Styles, "event.css"), append(sh.Scripts, "event.js")
	return s.Render(c, status, deskview.NewEventPage(sh, view))
}

func (s organizer) newEventView(c echo.Context, e *eventAsked) (v deskview.NewEventView, err error) {
	p, a := s.Printer(c), e.answers
	v = deskview.NewEventView{
		Title: p.T("tournament.new"), Was: e.proposed.Encode(), ClubOf: string(e.settings.ClubID),
		Day: a.Starts.Format("2006-01-02"), Time: a.Starts.Format("15:04"), Zone: p.Zone.String(),
	}
	if e.like != nil {
		v.Like = string(e.like.ID)
	}
	v.Form = s.tournamentForm(c, e.values, form.ByInput(p, e.problems))
	v.Form.NameOnTop, v.Name = true, v.Form.Fields["name"]
	v.Form.Sections = sectionsOf(p, e.settings, v.Form)
	if v.Form.Clubs, err = s.ClubChoices(c, e.values.Get("clubId")); err != nil {
		return v, err
	}
	other := true
	for _, n := range peopleChoices {
		chosen := n == a.People
		other = other && !chosen
		v.People = append(v.People, templates.Choice{Value: words.Itoa(n), Text: p.Int(n), Chosen: chosen})
	}
	v.OtherChosen, v.Other = other, words.Itoa(a.People)
	for _, n := range teamChoices(a.Teams) {
		text := p.T("event.teams.none")
		if n > 0 {
			text = p.T("event.teams.of", "N", p.Int(n))
		}
		v.Teams = append(v.Teams, templates.Choice{Value: words.Itoa(n), Text: text, Chosen: n == a.Teams})
	}
	v.Until = untilChoices(p, a)
	for _, stake := range proposal.Stakes {
		word := stake.String()
		v.Stakes = append(v.Stakes, templates.PresetChoice{
			Choice: templates.Choice{Value: word, Text: p.T("event.stake." + word), Chosen: stake == a.Stake},
			About:  p.T("event.stake." + word + ".what"),
		})
	}
	v.Card = proposalCard(p, e)
	v.Lasts, err = s.lastEvents(c, e)
	return v, err
}

// untilChoices offers the ends that one tap chooses: whole hours.
func untilChoices(p lang.Printer, a proposal.Answers) (list []templates.Choice) {
	first := civil.Floor(a.Starts, time.Hour, p.Zone).Add(time.Hour)
	chosen := a.Until.IsZero()
	for range 4 {
		isIt := first.Equal(a.Until)
		chosen = chosen || isIt
		list = append(list, templates.Choice{Value: first.Format("15:04"), Text: p.Clock(first), Chosen: isIt})
		first = first.Add(time.Hour)
	}
	if !chosen {
		list = append(list, templates.Choice{Value: a.Until.In(p.Zone).Format("15:04"), Text: p.Clock(a.Until), Chosen: true})
	}
	return append(list, templates.Choice{Value: "open", Text: p.T("event.until.open"), Chosen: a.Until.IsZero() && a.Days == 0},
		templates.Choice{Value: "daily", Text: p.T("event.until.daily"), Chosen: a.Days == 1},
		templates.Choice{Value: "weekly", Text: p.T("event.until.weekly"), Chosen: a.Days == 7})
}

// proposalCard renders the proposal.
func proposalCard(p lang.Printer, e *eventAsked) deskview.ProposalCard {
	a, set, end := e.answers, e.settings, e.forecast.End
	t := &tournament.Tournament{}
	t.Settings = set
	card := deskview.ProposalCard{Title: words.FormatText(p, t)}
	card.Shapes = shapeChoices(p, e) // also beside a problem: another format may be the way out of it
	for _, c := range card.Shapes {
		if c.Chosen {
			card.Shaped = c.Value
		}
	}
	for _, problem := range form.ByInput(p, e.problems) {
		card.Problems = append(card.Problems, form.ProblemText(p, problem))
	}
	rounds := proposal.Rounds(set, a.People)
	if !set.Format.InRounds() {
		rounds = 0
	}
	if set.Format.HasTable() {
		card.Title = words.FormatName(p, set) + ", " + p.N("tournament.rounds-count", rounds)
	}
	if len(card.Problems) > 0 {
		return card
	}
	if !end.Latest.IsZero() {
		card.End = p.T("event.over-at-latest", "Time", endText(p, a.Starts, end.Latest))
		if end.Latest.Sub(end.Likely) > time.Minute {
			card.End = p.T("event.over-by", "Time", endText(p, a.Starts, end.Likely), "Latest", endText(p, a.Starts, end.Latest))
			card.Most = p.T("event.mostly", "Time", endText(p, a.Starts, end.To))
		}
		if set.Pace != tournament.Times { // a week is read by its dates
			card.Line = timeline(p, a, end, rounds)
		}
		if !a.Until.IsZero() && end.To.After(a.Until) {
			card.Late = p.T("event.too-long", "Time", endText(p, a.Starts, a.Until))
		}
	}
	card.Facts = proposalFacts(p, e, rounds)
	if set.IsBattle() {
		card.Names = p.T("battle.name-them")
	}
	return card
}

// endText renders when an event ends: only the time of day if that is the day it starts.
func endText(p lang.Printer, starts, end time.Time) string {
	if p.Date(starts) == p.Date(end) {
		return p.Clock(end)
	}
	return p.When(end)
}

func proposalFacts(p lang.Printer, e *eventAsked, rounds int) []templates.TournamentFact {
	set := e.settings
	plays := p.T("event.plays."+words.FormatKind(set), "Matches", p.N("arena.matches-count", rounds))
	ties := words.OrderFact(p, set)
	who := p.T("event.fact.plays")
	if set.HasTeams() {
		who = p.T("event.fact.teams-play")
	}
	facts := []templates.TournamentFact{
		words.Fact(who, plays), words.Fact(p.T("event.fact.round"), words.LengthText(p, set.UsualRound(), set.WorstRound())),
		words.Fact(p.T("event.fact.limits"), limitsLine(p, set.MatchOptions().Envelope)),
		words.ResistanceFact(p, set.MatchOptions().Envelope), ties,
	}
	sign := p.T("event.sign-up.page")
	if set.HasDoor() {
		sign = p.T("event.sign-up.door")
	}
	if set.IsBattle() {
		facts = append(facts, words.BattleFact(p, set.Battle))
	}
	return append(facts, words.Fact(p.T("event.fact.sign-up"), sign))
}

// shapeChoices offers the shapes to choose from, each with its likely end.
func shapeChoices(p lang.Printer, e *eventAsked) (list []templates.Choice) {
	add := func(x proposal.Proposal, chosen bool) {
		name := p.N("tournament.rounds-count", x.Shape.Rounds)
		switch {
		case !x.Shape.Format.PairsByScore():
			name = words.FormatName(p, x.Settings)
			if x.Settings.IsBattle() {
				name += ", " + p.N("battle.of", len(x.Settings.Battle.Teams))
			}
		case x.Shape.Format.HasOwnOrder():
			name = words.FormatName(p, x.Settings) + ", " + name
		}
		list = append(list, templates.Choice{
			Value: shapeWord(x.Shape), Chosen: chosen,
			Text: p.T("event.shape", "What", name, "Time", endText(p, e.answers.Starts, x.End.Likely)),
		})
	}
	if e.like != nil {
		list = append(list, templates.Choice{Value: askLike, Text: p.T("event.shape.like"), Chosen: e.asLike})
	}
	for i, x := range e.shapes {
		add(x, !e.asLike && x.Shape == e.best.Shape)
		if i == 0 {
			list[len(list)-1].Value = "best" // stays the best when another answer changes
		}
	}
	return list
}

// shapeWord writes a shape as the form sends it.
func shapeWord(s proposal.Shape) string {
	word := strings.TrimSuffix(fmt.Sprintf("%s+%d+%s", s.Format, s.Rounds, s.Losers), "+")
	if s.Groups > 0 {
		word = fmt.Sprintf("%s+groups+%d", s.Format, s.Groups)
	}
	return word
}

// shapeOf reads what shapeWord writes; anything else is the zero shape.
func shapeOf(word string) proposal.Shape {
	parts := append(strings.Split(word, "+"), "", "")
	f, err := tournament.ParseFormat(parts[0])
	switch {
	case err != nil || len(parts) < 4:
		return proposal.Shape{}
	case parts[1] == "groups":
		return proposal.Shape{Format: f, Groups: words.AtoiOr(parts[2], 0)}
	}
	return proposal.Shape{Format: f, Rounds: words.AtoiOr(parts[1], 0), Losers: contest.Losers(parts[2])}
}

// timeline draws the evening: its rounds, its likely and latest end, and when it should be over.
func timeline(p lang.Printer, a proposal.Answers, end outlook.Span, rounds int) *deskview.Timeline {
	whole := end.Latest.Sub(a.Starts)
	if a.Until.After(end.Latest) {
		whole = a.Until.Sub(a.Starts)
	}
	if rounds < 1 || rounds > 16 || whole <= 0 {
		return nil
	}
	x := func(at time.Time) int { return int(1000 * at.Sub(a.Starts) / whole) }
	likely := end.Likely.Sub(a.Starts)
	l := &deskview.Timeline{
		Label: p.T("event.timeline", "From", p.Clock(a.Starts), "To", p.Clock(end.Likely), "Latest", p.Clock(end.Latest)),
		Start: p.Clock(a.Starts), Likely: x(end.Likely), Latest: x(end.Latest),
	}
	for i := range rounds {
		from, to := a.Starts.Add(likely*time.Duration(i)/time.Duration(rounds)), a.Starts.Add(likely*time.Duration(i+1)/time.Duration(rounds))
		l.Rounds = append(l.Rounds, deskview.TimelineRound{Number: words.Itoa(i + 1), X: x(from), Width: max(4, x(to)-x(from)-6)})
	}
	l.LikelyText = p.Clock(end.Likely)
	if !a.Until.IsZero() {
		l.Until, l.UntilText = x(a.Until), p.Clock(a.Until)
	}
	l.LatestText = p.Clock(end.Latest)
	return l
}

// limitsLine sums up the limits of bidding in a line.
func limitsLine(p lang.Printer, e bidding.Envelope) string {
	return p.T("event.limits", "Chips", p.N("event.chips", e.Chips), "Time", fmt.Sprintf("%d+%d", e.Minutes[1], e.Increment[1]), "Moves",
		p.N("event.moves", e.MoveLimit[1]))
}

// sectionsOf returns the sections of the long form, each with a summary.
func sectionsOf(p lang.Printer, set tournament.Settings, filled deskview.TournamentFormView) []deskview.FormSection {
	t := &tournament.Tournament{}
	t.Settings = set
	format := words.FormatText(p, t)
	if len(set.Tiebreaks) > 0 {
		format = p.T("event.section.format", "Format", format, "Ties", words.TiebreakNames(p, set.Tiebreaks))
	}
	if !set.Rated {
		format += ". " + p.T("event.section.unrated")
	}
	schedule := p.T("tournament.pace." + set.Pace.String())
	switch {
	case set.Pace == tournament.Arranged:
		schedule += ". " + p.T("event.section.round-days", "Time", p.Length(set.Window))
	case set.Pace == tournament.Correspondence:
		schedule += ": " + p.T("tournament.correspondence", "Move", p.Length(set.BidTime), "All", p.Length(set.Window))
	case set.Break > 0 && set.Format.InRounds():
		schedule += ". " + p.T("event.section.break", "Time", p.Duration(set.Break))
	}
	if set.MatchOptions().Lateness > 0 {
		schedule += ". " + p.T("event.section.late", "Time", p.Duration(set.Lateness))
	}
	if !set.Until.IsZero() {
		schedule += ". " + p.T("event.section.until", "Time", p.When(set.Until))
	}
	entry := p.T("event.section.anyone")
	if set.MembersOnly {
		entry = p.T("event.section.members")
	}
	if set.Capacity > 0 {
		entry += ", " + p.N("event.section.limit", set.Capacity)
	}
	if set.Entry.LateUntil > 0 {
		entry += ", " + p.T("event.section.late-entry", "Round", set.Entry.LateUntil)
	}
	about := words.Shorten(strings.Join(strings.Fields(set.About), " "), 60)
	if set.Club != "" && about != "" {
		about = set.Club + ". " + about
	}
	list := []deskview.FormSection{
		{ID: "about", Line: cmp.Or(about, set.Club, p.T("event.section.no-text"))}, {ID: "format", Line: format},
		{ID: "envelope", Line: limitsLine(p, set.Envelope)},
		{ID: "schedule", Line: schedule},
		{ID: "entry", Line: entry}, {ID: "integrity", Line: form.LevelText(p, set.Policy.OrOpen().Level)},
	}
	for i, x := range list {
		list[i].Title = p.T("event.section." + x.ID + ".title")
		list[i].Open = slices.ContainsFunc(filled.Problems, func(l templates.Link) bool {
			return sectionOf(strings.TrimPrefix(l.URL, "#")) == x.ID
		})
	}
	return list
}

// sectionOf returns the section of a field. The inputs of the envelope are not in the table.
func sectionOf(field string) string {
	if f, ok := form.Tournament.Of(field); ok {
		return f.Part
	}
	return "envelope"
}

// mostLasts is how many earlier events are offered to repeat.
const mostLasts = 4

// lastEvents offers events of the viewer and their clubs to repeat, the latest first, one of each name.
func (s organizer) lastEvents(c echo.Context, e *eventAsked) (list []templates.TabLink, err error) {
	v := page.Viewer(c)
	var lines []store.TournamentLine
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, err := words.HeldClubs(tx, v)
		if err != nil {
			return err
		}
		ids := make([]club.ID, len(clubs))
		for i, x := range clubs {
			ids[i] = x.ID
		}
		lines, err = tx.TournamentsRunBy(v.ID, ids, 6*mostLasts)
		return err
	})
	seen := map[string]bool{}
	for _, l := range lines {
		name := series.Undated(l.Name)
		if o := l.Event.Origin; o != nil && (o.Part || o.PlayOff) {
			continue // part of an event, which has it made anew
		}
		if seen[name] || len(list) == mostLasts {
			continue
		}
		seen[name] = true
		list = append(list, templates.TabLink{
			Text: name, URL: words.WithQuery("/tournaments/new", askLike, string(l.ID)), Current: e.like != nil && e.like.Name == l.Name,
		})
	}
	return list, err
}
