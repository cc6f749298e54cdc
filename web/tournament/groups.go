package tournament

import (
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	boardview "chpok.org/chpok/templates/board"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// hasGroups reports whether an event's groups decide who plays in it, or have decided, and it has not begun.
func hasGroups(t *tournament.Tournament) bool {
	return t.Status < tournament.Running && t.Origin != nil && t.Origin.Division != nil
}

// groups reads the groups of an event that has not begun itself.
func (s pages) groups(c echo.Context, t *tournament.Tournament) (list []*tournament.Tournament, err error) {
	if !hasGroups(t) {
		return nil, nil
	}
	for _, o := range t.Origin.Of {
		group, err := s.Arbiter.Tournament(c.Request().Context(), o.ID)
		if err != nil {
			return nil, err
		}
		if group.MaySee(page.Viewer(c)) {
			list = append(list, group)
		}
	}
	return list, nil
}

// fillGroups adds to the first page of an event what its groups play, or played last: the viewer's step, their own
// group first, and each group's table.
func (s pages) fillGroups(c echo.Context, t *tournament.Tournament, groups []*tournament.Tournament, b *tournamentview.LiveBody) error {
	p, v := s.Printer(c), page.Viewer(c)
	var mine, others []tournamentview.LiveRound
	for _, x := range groups { // those that the viewer sees
		letter := words.GroupLetter(slices.IndexFunc(t.Origin.Of, func(o tournament.Source) bool { return o.ID == x.ID }))
		name := groupText(p, t, x)
		e, entered := x.EntryOf(v.ID)
		entered = entered && e.Status == tournament.Active
		if entered && t.Origin.IsAwaited() {
			b.Own = tournamentview.OwnEntry{URL: words.TournamentURL(x.ID), State: p.T("tournament.your-group", "Group", name)}
		}
		if entered && !x.Status.IsOver() {
			ready, err := s.readyBody(c, x)
			if err != nil {
				return err
			}
			b.Ready = &ready
		}
		rounds := x.Rounds.Open()
		if n := len(x.Rounds); len(rounds) == 0 && n > 0 {
			rounds = x.Rounds[n-1:]
		}
		list := &others
		if entered {
			list = &mine
		}
		for _, r := range rounds {
			shown, cards, err := s.liveRound(c, x, r, name+" · ", letter)
			if err != nil {
				return err
			}
			*list = append(*list, shown)
			b.Watch = append(b.Watch, cards...)
		}
		if top, err := s.topView(c, x); err != nil {
			return err
		} else if top != nil {
			top.Title = name
			b.Tops = append(b.Tops, *top)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	b.Rounds, b.Watch = slices.Concat(mine, others, b.Rounds), b.Watch[:min(len(b.Watch), words.WatchBoards)]
	switch {
	case !t.Origin.IsAwaited():
	case len(b.Rounds) > 0: // nobody is in yet, and play has begun
		b.Entries, b.Clock = nil, nil
	default:
		list, first := groupsView(p, v, t, groups), groups[0]
		if first.StartsAt().IsZero() && t.StartsAt().After(s.Now()) {
			first = t // its time is what people were told
		}
		b.Entries, b.Clock = &list, event.BeforeFacts(p, first)
	}
	return nil
}

// groupsView lists who plays in which group, before any plays: the list of the event would say that nobody knows.
func groupsView(p lang.Printer, v player.Viewer, t *tournament.Tournament, groups []*tournament.Tournament) eventview.EntriesView {
	view := event.EntriesView(p, v, t)
	view.Lines, view.Groups, view.IsDrawn = nil, true, false
	for _, x := range groups {
		of := event.EntriesView(p, v, x)
		view.Lines = append(view.Lines, eventview.EntryLine{Name: groupText(p, t, x), URL: words.TournamentURL(x.ID), IsTeam: true})
		for i, l := range of.Lines {
			if !x.HasTeams() { // whose players are numbered by board
				l.Number = words.Itoa(i + 1)
			}
			view.Lines = append(view.Lines, l)
		}
	}
	return view
}

// groupText names a group of the event.
func groupText(p lang.Printer, t, group *tournament.Tournament) string {
	return words.GroupText(p, slices.IndexFunc(t.Origin.Of, func(o tournament.Source) bool { return o.ID == group.ID }))
}

// liveRound renders a round with its running matches for the first page. The boards of a group are named by
// its letter, so that nothing on the page has the same name.
func (s pages) liveRound(c echo.Context, t *tournament.Tournament, r tournament.Round, title, letter string) (
	tournamentview.LiveRound, []boardview.LiveView, error) {
	round, err := s.RoundView(c, t, r.Number, 0)
	if err != nil {
		return tournamentview.LiveRound{}, nil, err
	}
	shown := tournamentview.LiveRound{Title: title + round.Body.Title, Progress: round.Body.Progress, URL: words.RoundURL(t.ID, r.Number),
		Boards: event.LiveBoards(round.Body), Ruled: round.Body.Ruled}
	if t.HasTeams() { // their matches; the boards are on the pages of these
		shown.Boards, shown.Ruled = nil, nil
		shown.Note = round.Body.Note
		for _, m := range round.Body.Matches {
			shown.Boards = append(shown.Boards, m.BoardLine)
			if m.Board = letter + m.Board; len(round.Body.Matches) > wholeMatches && !m.IsMine {
				m.Boards = nil
			}
			m.CorrectURL = "" // staff do that on the pages of the round
			shown.Matches = append(shown.Matches, m)
		}
	}
	for i, b := range shown.Boards {
		shown.Boards[i].Board = letter + b.Board
		if b.Ruled != "" {
			shown.Boards[i].Ruled = letter + b.Ruled
		}
	}
	for i := range shown.Ruled {
		shown.Ruled[i].ID = letter + shown.Ruled[i].ID
	}
	for i, w := range round.Body.Watch {
		round.Body.Watch[i].ID = letter + w.ID
	}
	return shown, round.Body.Watch, nil
}
