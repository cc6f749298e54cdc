package tournament

import (
	"context"
	"errors"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/entries"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/setting"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// candidates returns players as they would enter now.
func (s pages) candidates(ctx context.Context, players ...player.Player) (list []tournament.Candidate, err error) {
	err = s.Store.Read(ctx, func(tx *store.Tx) error {
		list, err = entries.Candidates(tx, s.Now(), players...)
		return err
	})
	return list, err
}

// ownEntry renders the viewer's entry and what they may do about it.
func (s pages) ownEntry(c echo.Context, t *tournament.Tournament) (tournamentview.OwnEntry, error) {
	p, v := s.Printer(c), page.Viewer(c)
	o := tournamentview.OwnEntry{URL: words.TournamentURL(t.ID)}
	if !v.IsSignedIn() {
		o.SignIn = t.IsOpen(s.Now())
		if t.Status <= tournament.Running {
			o.Conditions = form.ConditionLines(p, t, nil, t.Verdicts(tournament.Candidate{Player: "visitor"}, s.Now()))
		}
		if !o.SignIn {
			o.State = registrationText(p, t, s.Now())
		}
		return o, nil
	}
	e, entered := t.EntryOf(v.ID)
	if t.HasTeams() {
		if err := s.fillTeams(c, t, &o); err != nil {
			return o, err
		}
	}
	switch {
	case t.HasTeams() && (!entered || e.Team == 0):
	case t.HasTeams() && e.Status == tournament.Withdrawn:
		o.State = p.T("tournament.you-left")
	case entered && e.Team != 0 && e.Status == tournament.Requested:
		team, _ := t.Entry(e.Team)
		o.State, o.Leave, o.LeaveSure = p.T("teams.you-ask", "Team", words.EntryName(p, team)), p.T("entry.unask"), p.T("entry.unask-sure")
	case entered && e.Status == tournament.Active && !t.Status.IsOver() && t.IsOut(e):
		o.State = p.T("bracket.you-are-out")
	case entered && e.Status == tournament.Active:
		s.fillActive(p, v, t, e, &o)
	case entered && (e.Status == tournament.Waiting || e.Status == tournament.Requested):
		o.State = p.T("entry.state.requested")
		if e.Status == tournament.Waiting {
			o.State = p.T("entry.state.waiting", "Place", p.Int(t.WaitingPlace(e.ID)), "All", p.Int(len(t.WaitingList())))
		}
		o.Leave, o.LeaveSure = p.T("entry.unask"), p.T("entry.unask-sure")
	case entered && e.Status == tournament.Refused:
		o.State = p.T("entry.state.refused")
		if e.Reason != "" {
			o.Note = p.T("entry.state.because", "Reason", e.Reason)
		}
	case entered:
		return o, s.fillLeft(c, t, e, &o)
	default:
		return o, s.fillEntering(c, t, &o)
	}
	return o, nil
}

// fillLeft is ownEntry for a player who has left. Without a number they can only enter like anybody,
// unless they may come back.
func (s pages) fillLeft(c echo.Context, t *tournament.Tournament, e tournament.Entry, o *tournamentview.OwnEntry) error {
	p, v := s.Printer(c), page.Viewer(c)
	me, err := s.candidates(c.Request().Context(), v.Player)
	if err != nil {
		return err
	}
	switch refused := t.MayReturn(v, me[0], s.Now()); {
	case refused == nil:
		o.MayReturn = true
		if t.Status == tournament.Running && t.Format.InRounds() {
			o.ReturnHint = p.T("entry.return-hint")
		}
	case e.Number == 0:
		return s.fillEntering(c, t, o)
	case !t.Status.IsOver():
		o.Note = page.TextOf(p, refused)
	}
	o.State = p.T("tournament.you-left")
	return nil
}

// fillActive is ownEntry for an active player.
func (s pages) fillActive(p lang.Printer, v player.Viewer, t *tournament.Tournament, e tournament.Entry, o *tournamentview.OwnEntry) {
	if t.Status.IsOver() {
		return
	}
	o.OverTheBoard = e.OverTheBoard
	for i, x := range t.FixturesOf(e.ID) {
		if other, err := t.Entry(x.EntryAt(x.SeatOf(e.ID).Other())); err == nil && i == 0 {
			o.Help = templates.Link{Text: p.T("fixture.arrange", "Player", words.EntryName(p, other)), URL: words.FixtureURL(t.ID, x.Round, x.Board)}
		}
	}
	o.State, o.Leave = p.T("tournament.you-are-in"), p.T("tournament.leave")
	if t.IsBattle() {
		o.State = p.T("teams.you-play-for", "Team", t.Battle.NameOf(e.Camp))
	}
	if e.Team != 0 {
		team, _ := t.Entry(e.Team)
		o.State, o.Leave = p.T("teams.you-play-for", "Team", words.EntryName(p, team)), p.T("teams.leave-it")
	}
	o.LeaveSure = p.T("tournament.leave-sure") + " " + words.LeavingText(p, t, e) + " " + words.ReturningText(p, t)
	halves := false
	for n := len(t.Rounds) + 1; n <= t.Settings.Rounds; n++ {
		if i := slices.IndexFunc(e.Byes, func(b tournament.AskedBye) bool { return b.Round == n }); i >= 0 {
			o.Asked = append(o.Asked, eventview.AskedBye{Round: words.Itoa(n),
				Text: p.T("entry.bye.asked", "Round", n, "Kind", words.ByeKindText(p, e.Byes[i].Kind))})
			continue
		}
		kinds := t.MayAskBye(v, e.ID, n)
		if len(kinds) == 0 {
			continue
		}
		o.ByeRounds = append(o.ByeRounds, templates.Choice{Value: words.Itoa(n), Text: p.T("tournament.round-n", "Round", n)})
		halves = halves || e.Team == 0 && slices.Contains(kinds, tournament.HalfBye)
	}
	o.ByeKinds = []templates.Choice{{Value: "zero", Text: words.ByeKindText(p, tournament.ZeroBye)}}
	if halves {
		o.ByeKinds = append(o.ByeKinds, templates.Choice{Value: "half", Text: words.ByeKindText(p, tournament.HalfBye)})
		o.ByeHint = p.T("entry.bye.half-until", "Round", t.LastHalfBye())
	}
}

// fillEntering is ownEntry for a viewer without an entry: the conditions, and the way in.
func (s pages) fillEntering(c echo.Context, t *tournament.Tournament, o *tournamentview.OwnEntry) error {
	p, v := s.Printer(c), page.Viewer(c)
	if t.Status > tournament.Running {
		return nil
	}
	list, err := s.candidates(c.Request().Context(), v.Player)
	if err != nil {
		return err
	}
	me := list[0]
	o.Conditions = form.ConditionLines(p, t, &me, t.Verdicts(me, s.Now()))
	me.Code = t.Settings.Entry.Code
	// Staff are checked as players, too: at the desk they can enter anybody.
	status, err := t.Entering(v, me, s.Now())
	switch {
	case errors.Is(err, setting.ErrUnmet), errors.Is(err, fairplay.ErrUnmet):
		return nil // the list says which
	case t.Status == tournament.Draft:
		return nil
	case errors.Is(err, tournament.ErrStarted):
		o.Conditions = nil
		return nil
	case errors.Is(err, tournament.ErrNotOpen), errors.Is(err, tournament.ErrClosed):
		o.State = registrationText(p, t, s.Now())
		if t.Status == tournament.Running {
			o.State, o.Conditions = "", nil
		}
		return nil
	case err != nil:
		o.Refusal = page.TextOf(p, err)
		return nil
	}
	switch status {
	case tournament.Waiting:
		o.Enter, o.EnterHint = p.T("entry.enter.wait"), p.T("entry.enter.wait-hint", "Place", p.Int(len(t.WaitingList())+1))
	case tournament.Requested:
		o.Enter, o.EnterHint = p.T("entry.enter.ask"), p.T("entry.enter.ask-hint")
	default:
		o.Enter = p.T("tournament.enter")
		if t.Status == tournament.Running {
			o.EnterHint = lateText(p, t)
		}
	}
	o.Camps = words.CampChoices(p, t.Settings, 0)
	if t.Settings.Entry.Code != "" && !t.May(v, tournament.ActEnter) {
		o.Code = &templates.Field{Name: "code", Label: p.T("entry.code"), Hint: p.T("entry.code-hint"), Max: tournament.MaxCodeLength,
			Required: true, Autocomplete: "off"}
	}
	return nil
}

// lateText says what a late entry gets for missed rounds; empty if there are none.
func lateText(p lang.Printer, t *tournament.Tournament) string {
	next, rules := len(t.Rounds)+1, t.Settings.Entry
	switch {
	case next == 1, !t.Format.InRounds():
		return ""
	case rules.LateBye == tournament.HalfBye && next <= rules.LateUntil:
		return p.T("entry.late.half", "Round", next)
	}
	return p.T("entry.late.zero", "Round", next)
}
