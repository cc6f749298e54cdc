package desk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// playersDeskView groups the entries by what staff have to do about them.
func (s players) playersDeskView(c echo.Context, t *tournament.Tournament) (deskview.PlayersDeskView, error) {
	p, v, now := s.Printer(c), page.Viewer(c), s.Now()
	view := deskview.PlayersDeskView{
		Head: s.TournamentHead(c, t, "/players"), URL: words.TournamentURL(t.ID),
		Search: words.Shorten(c.QueryParam("q"), 60), MayEnter: t.May(v, tournament.ActEnter) && !t.Status.IsOver(),
		MayByes:     t.May(v, tournament.ActBye) && !t.Status.IsOver(),
		MayFixBoard: t.May(v, tournament.ActFixBoard) && !t.Status.IsOver(),
		MayCorrect:  t.May(v, tournament.ActParticulars) && t.Status != tournament.Finalized,
		Add:         s.addEntryView(p, v, t),
	}
	for _, f := range event.EntryFacts(p, t, true) {
		line := f.Name + ": " + f.Value
		if f.Hint != "" {
			line += ", " + f.Hint
		}
		view.Facts = append(view.Facts, line)
	}
	if t.Status == tournament.Registration && view.MayEnter {
		view.IsOpen, view.Gate = true, p.T("entry.gate.close")
		if !t.IsOpen(now) {
			view.IsOpen, view.Gate = false, p.T("entry.gate.open")
		}
	}
	for n := len(t.Rounds) + 1; t.Format.PairsByScore() && n <= t.Settings.Rounds; n++ {
		view.Rounds = append(view.Rounds, templates.Choice{Value: words.Itoa(n), Text: p.T("tournament.round-n", "Round", n)})
	}
	anew, err := s.entryCandidates(c, t)
	if err != nil {
		return view, err
	}
	lineOf := func(e tournament.Entry) deskview.DeskEntry {
		line := deskEntry(p, v, t, e)
		who, asks := anew[e.ID]
		if !asks {
			return line
		}
		line.Failed = slices.DeleteFunc(form.ConditionLines(p, t, &who, t.Verdicts(who, now)),
			func(l templates.ConditionLine) bool { return l.Passed })
		if unfit := t.Fits(who, false, now); unfit != nil && len(line.Failed) == 0 {
			line.Status = page.TextOf(p, unfit)
		}
		return line
	}
	if _, err := t.EnteringTeam(v, now); err == nil && view.MayEnter {
		view.AddTeam = view.URL + "/teams/new"
	}
	list := slices.Clone(t.Entries)
	slices.SortStableFunc(list, func(a, b tournament.Entry) int { // the players of a team after it
		of, with := t.Entries[t.SideOf(a.ID)-1], t.Entries[t.SideOf(b.ID)-1]
		return cmp.Or(cmp.Compare(of.Number, with.Number), with.Rating-of.Rating, int(of.ID-with.ID), cmp.Compare(a.Team, b.Team), a.Place-b.Place)
	})
	active := 0
	for _, e := range list {
		line := lineOf(e)
		switch e.Status {
		case tournament.Active:
			if e.Team != 0 || !t.HasTeams() {
				active++
			}
			if view.Search == "" || strings.Contains(strings.ToLower(line.Name), strings.ToLower(view.Search)) {
				view.Entries = append(view.Entries, line)
			}
		case tournament.Requested, tournament.Invited:
			view.Requests = append(view.Requests, line)
		case tournament.Withdrawn, tournament.Refused:
			view.Out = append(view.Out, line)
			if line.MayReadmit && line.ID == c.QueryParam("withdrawn") {
				view.Withdrawn = &line
			}
		}
	}
	for i, e := range t.WaitingList() {
		line := lineOf(e)
		line.Number = words.Itoa(i + 1)
		view.Waiting = append(view.Waiting, line)
	}
	view.Count = p.N("player.count", active)
	return view, nil
}

// entryCandidates returns those who ask to enter or wait, as they are today.
func (s players) entryCandidates(c echo.Context, t *tournament.Tournament) (map[tournament.EntryID]tournament.Candidate, error) {
	var ask []tournament.Entry
	for _, e := range t.Entries {
		if e.Status == tournament.Requested || e.Status == tournament.Waiting {
			ask = append(ask, e)
		}
	}
	if len(ask) == 0 {
		return nil, nil
	}
	return store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[tournament.EntryID]tournament.Candidate, error) {
		return s.Arbiter.Entries.Anew(tx, t, ask...)
	})
}

func deskEntry(p lang.Printer, v player.Viewer, t *tournament.Tournament, e tournament.Entry) deskview.DeskEntry {
	l := deskview.DeskEntry{
		ID: words.Itoa(int(e.ID)), Name: words.EntryName(p, e), Number: words.NumberText(e.Number), Rating: words.NumberText(e.Rating),
		Club: e.Club, OverTheBoard: e.OverTheBoard,
		Correct: deskview.Correction{Name: e.Name, Rating: words.NumberText(e.Rating), Club: e.Club, OverTheBoard: e.OverTheBoard,
			HasAccount: !e.IsGuest() && t.Format.InRounds()},
		Since: p.When(e.EnteredAt), Bot: e.Bot, Guest: e.IsGuest(), Reason: e.Reason, FixedBoard: words.NumberText(e.FixedBoard),
	}
	l.URL = words.EntryURL(t.ID, e.ID)
	if t.IsTeam(e) {
		l.Guest, l.Team = false, templates.Link{Text: p.T("teams.make-up-it"), URL: words.TeamURL(t.ID, e.ID)}
	}
	if e.Team != 0 {
		l.IsMate, l.Number = true, words.Itoa(e.Place)
		if e.Status != tournament.Active {
			l.Team = templates.Link{Text: words.NameOf(p, t, e.Team), URL: words.TeamURL(t.ID, e.Team)}
		}
	}
	isOver := t.Status.IsOver()
	switch e.Status {
	case tournament.Active:
		if l.MayWithdraw = !isOver; l.MayWithdraw {
			l.WithdrawSure = p.T("entry.withdraw-sure", "Name", l.Name) + " " + words.LeavingText(p, t, e)
		}
		if e.From > 1 {
			l.Status = p.T("entry.desk.late", "Round", e.From)
		}
	case tournament.Withdrawn:
		l.Status = p.T("tournament.withdrawn")
		if e.Removed {
			l.Status = p.T("entry.desk.removed")
		}
		l.MayReadmit = t.MayReadmit(v, e.ID) == nil
	case tournament.Invited:
		l.Status = p.T("teams.invited-wait", "Club", e.Club)
	case tournament.Refused:
		l.Status = p.T("entry.desk.refused")
	}
	asks := e.Status == tournament.Requested || e.Status == tournament.Waiting
	l.MayRefuse = asks && e.Team == 0 && t.May(v, tournament.ActRefuse) && !isOver
	l.MayAccept = t.MayAccept(v, e.ID, e.EnteredAt) == nil
	for _, b := range e.Byes {
		if b.Round > len(t.Rounds) {
			l.Byes = append(l.Byes, eventview.AskedBye{Round: words.Itoa(b.Round),
				Text: p.T("entry.bye.asked", "Round", b.Round, "Kind", words.ByeKindText(p, b.Kind))})
		}
	}
	return l
}

// addEntryView returns the form that enters a player; nil if the viewer cannot enter any.
func (s players) addEntryView(p lang.Printer, v player.Viewer, t *tournament.Tournament) *eventview.AddEntryView {
	if !t.May(v, tournament.ActEnter) || t.HasTeams() || t.Status > tournament.Running || t.Status == tournament.Running && !t.Format.LateEntries() {
		return nil
	}
	add := &eventview.AddEntryView{
		URL:    words.TournamentURL(t.ID),
		Handle: templates.Field{Name: "handle", Label: p.T("tournament.add-handle"), Max: 21, Autocomplete: "off"},
		Rating: templates.Field{Name: "rating", Label: p.T("tournament.rating"), Type: "number", Autocomplete: "off"},
		Club:   templates.Field{Name: "club", Label: p.T("tournament.club"), Max: tournament.MaxNameLength, Autocomplete: "off"},
	}
	if t.IsBattle() {
		add.Camp = &templates.Field{Name: "camp", Type: "select", Label: p.T("teams.team"), Choices: words.CampChoices(p, t.Settings, 0)}
	}
	if t.Format.InRounds() { // its players wait with a page open, so they need accounts
		add.Guest = templates.Field{Name: "guest", Label: p.T("tournament.guest-name"), Max: tournament.MaxNameLength, Autocomplete: "off"}
	}
	return add
}
