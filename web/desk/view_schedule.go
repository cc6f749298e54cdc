package desk

import (
	"errors"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// mostDots is the largest number of boards shown as dots.
const mostDots = 80

// controlView renders the control desk.
func (s control) controlView(c echo.Context, t *tournament.Tournament, refused controlForm) (deskview.ControlView, error) {
	p, v, at := s.Printer(c), page.Viewer(c), words.TournamentURL(t.ID)
	view := deskview.ControlView{Head: s.TournamentHead(c, t, "/desk"), Refused: refused.err != nil}
	var err error
	if view.Toast, err = s.toastOf(c, p, t); err != nil {
		return view, err
	}
	if view.Body, err = s.controlBody(c, t); err != nil {
		return view, err
	}
	why := func(form string) string {
		if form == "" || refused.name != form {
			return ""
		}
		return page.TextOf(p, refused.err)
	}
	field := func(name, label, form string) templates.Field {
		return templates.Field{Name: name, Label: label, Value: words.Shorten(c.FormValue(name), tournament.MaxReason), Autocomplete: "off",
			Max: tournament.MaxReason, Error: why(form)}
	}
	isOver := t.Status >= tournament.Finished
	if t.May(v, tournament.ActCheckIn) && !isOver {
		view.CheckIns = event.CheckInList(p, t)
	}
	if t.May(v, tournament.ActPause) && !isOver {
		if !t.Timetable.IsPaused() {
			f := field("pause_reason", p.T("schedule.reason"), "pause")
			view.Pause = &f
			view.Matches = t.May(v, tournament.ActMatch) && !t.RoundIsOver()
			view.AlsoAll = c.FormValue("pause_matches") != ""
		}
	}
	if rounds := roundsToMove(p, t); t.May(v, tournament.ActPostpone) && len(rounds) > 0 {
		f := &deskview.PostponeForm{URL: at + "/postpone", Rounds: rounds, To: field("to", p.T("schedule.postpone.to"), "postpone"),
			Reason: field("postpone_reason", p.T("schedule.reason"), "")}
		f.To.Hint, f.To.Type = p.T("schedule.postpone.hint", "Zone", p.Zone.String()), "datetime-local"
		view.Postpone = f
	}
	if t.May(v, tournament.ActMatch) && !t.RoundIsOver() && t.Lateness > 0 {
		f := &deskview.ExtendForm{URL: at + "/extend", Boards: boardsToExtend(p, t),
			Minutes: field("more", p.T("schedule.extend.more"), "extend"), Reason: field("extend_reason", p.T("schedule.reason"), "")}
		f.Minutes.Hint = p.T("schedule.extend.hint")
		view.Extend = f
	}
	if t.May(v, tournament.ActRounds) && t.Status == tournament.Running && t.Format.PairsByScore() {
		f := &deskview.RoundsForm{URL: at + "/rounds-count", Rounds: field("rounds", p.T("schedule.rounds.count"), "rounds"),
			Reason: field("rounds_reason", p.T("schedule.reason"), ""), MayBeMany: errors.Is(refused.err, tournament.ErrRoundsMany)}
		f.Rounds.Hint = p.N("schedule.rounds.hint", t.Settings.Rounds, "Least", p.Int(t.LeastRounds()))
		f.Rounds.Type = "number"
		if f.Rounds.Value == "" {
			f.Rounds.Value = words.Itoa(t.Settings.Rounds)
		}
		view.Rounds = f
	}
	isShown := map[string]bool{"pause": view.Pause != nil, "postpone": view.Postpone != nil, "extend": view.Extend != nil,
		"rounds": view.Rounds != nil}
	if refused.err != nil && !isShown[refused.name] {
		view.Trouble = page.TextOf(p, refused.err)
	}
	return view, nil
}

// controlBody renders what the feed of the control desk updates.
func (s control) controlBody(c echo.Context, t *tournament.Tournament) (deskview.ControlBody, error) {
	p, ctx, at := s.Printer(c), c.Request().Context(), words.TournamentURL(t.ID)
	b, err := s.nextOf(c, t)
	if err != nil {
		return b, err
	}
	if t.Status < tournament.Running {
		b.DryRun = at + "/dry-run"
	}
	if b.Round, err = s.deskRound(c, t); err != nil {
		return b, err
	}
	isBefore := b.Round == nil && t.Status <= tournament.Running && len(b.Groups) == 0
	if isBefore && event.CheckInList(p, t) == nil {
		list := event.EntriesView(p, page.Viewer(c), t)
		b.Entries = &list
	}
	if b.Round != nil && !b.Round.IsDraft && !t.RoundIsOver() {
		for _, x := range b.Round.Boards {
			if !t.Format.InRounds() && x.State == "done" {
				continue // an arena has no round whose progress these would show
			}
			b.Next.Dots = append(b.Next.Dots, deskview.DeskDot{Board: x.Board, State: x.State})
		}
		if len(b.Next.Dots) > mostDots {
			b.Next.Dots = nil // nobody counts them
		}
	}
	if b.Calls, err = s.deskCalls(c, t); err != nil {
		return b, err
	}
	if t.May(page.Viewer(c), tournament.ActAppeal) {
		if b.Appeals, err = s.appeals(c, t); err != nil {
			return b, err
		}
		if len(b.Appeals) > 0 {
			b.Next.Appeals = p.N("schedule.next.appeals", len(b.Appeals))
		}
	}
	blockers, err := s.Arbiter.Events.Blockers(ctx, t)
	if err != nil {
		return b, err
	}
	blockers = slices.DeleteFunc(blockers, func(x outlook.Blocker) bool { // the boards and the next step show these
		return slices.Contains([]string{outlook.BlockDraft, outlook.BlockBoard, outlook.BlockWaiting, outlook.BlockGuest,
			outlook.BlockCall, outlook.BlockStart}, x.What)
	})
	b.Blockers = event.BlockerLines(p, t, blockers, true)
	forecast, err := s.Arbiter.Events.Forecast(ctx, t)
	if err != nil {
		return b, err
	}
	b.Forecast = event.ForecastFacts(p, t, forecast)
	if t.Status < tournament.Finished {
		for _, m := range t.Misfits(s.Now()) {
			if m.End && !forecast.End.Latest.IsZero() { // the end that stands above it
				m.By = forecast.End.Latest.Sub(t.Until)
			}
			if m.By >= time.Minute {
				b.Misfits = append(b.Misfits, misfitText(p, m))
			}
		}
	}
	return b, nil
}

func misfitText(p lang.Printer, m tournament.Misfit) string {
	if m.End {
		return p.T("schedule.misfit.end", "Time", p.Length(m.By))
	}
	return p.T("schedule.misfit.round", "Round", m.Round, "Time", p.Length(m.By))
}

// roundsToMove offers the rounds that can get another time.
func roundsToMove(p lang.Printer, t *tournament.Tournament) []templates.Choice {
	if t.Status >= tournament.Finished || t.Pace == tournament.Rolling && len(t.Rounds) > 0 {
		return nil
	}
	last := max(t.Settings.Rounds, len(t.Times))
	if t.Pace.OpensByItself() {
		last = min(last, len(t.Rounds)+1) // the others follow it
	}
	var list []templates.Choice
	for n := len(t.Rounds) + 1; n <= last; n++ {
		text := p.T("tournament.round-n", "Round", n)
		if at, known := t.RoundAt(n); known {
			text += ", " + p.When(at)
		}
		list = append(list, templates.Choice{Value: words.Itoa(n), Text: text})
	}
	return list
}

func boardsToExtend(p lang.Printer, t *tournament.Tournament) []templates.Choice {
	list := []templates.Choice{{Text: p.T("schedule.extend.all")}}
	for round, b := range t.Rounds.Pending() {
		if b.Match != "" {
			board := p.T("schedule.board-n", "Board", words.BoardLabel(t, round, b.Board))
			list = append(list, templates.Choice{Value: string(b.Match), Text: board + ": " + pairText(p, t, b.First, b.Second)})
		}
	}
	return list
}

// absencesView renders the viewer's record of absences.
func (s control) absencesView(c echo.Context, refusedID string, refused error) (deskview.AbsencesView, error) {
	p, now := s.Printer(c), s.Now()
	r, err := s.Arbiter.Assurance.NoShows(c.Request().Context(), page.Viewer(c).ID)
	if err != nil {
		return deskview.AbsencesView{}, err
	}
	var view deskview.AbsencesView
	if r.Bars(now) {
		view.Ban = p.T("schedule.ban", "Time", p.When(r.Until))
	}
	for _, n := range r.NoShows {
		l, err := s.absenceLine(c, n)
		if err != nil {
			return view, err
		}
		if n.MayAppeal(now) == nil {
			f := templates.Field{Name: "text-" + n.ID, Label: p.T("schedule.appeal"), Max: player.MaxAppeal, Required: true, Autocomplete: "off"}
			if n.ID == refusedID {
				f.Value, f.Error = words.Shorten(c.FormValue(f.Name), player.MaxAppeal), page.TextOf(p, refused)
			}
			l.Ask = &f
		}
		view.Lines = append(view.Lines, l)
	}
	return view, nil
}

func (s control) absenceLine(c echo.Context, n player.NoShow) (l deskview.AbsenceLine, err error) {
	p := s.Printer(c)
	t, err := s.Arbiter.Tournament(c.Request().Context(), tournament.ID(n.Tournament))
	if err != nil {
		return l, err
	}
	l = deskview.AbsenceLine{
		ID: n.ID, Where: p.T("schedule.absence.where", "Name", p.Event(t.Name), "Round", n.Round, "Board", n.Board), URL: words.RoundURL(t.ID, n.Round),
		When: p.When(n.At), Stamp: p.Stamp(n.At), Appeal: n.Appeal, Answer: n.Answer,
	}
	if n.Verdict != player.Undecided {
		l.Verdict = p.T("schedule.verdict." + n.Verdict.String())
	} else if n.Appeal != "" {
		l.Verdict = p.T("schedule.verdict.waits")
	}
	return l, nil
}

// openAppeals returns the appeals of a tournament that the viewer can decide, and who appeals.
func (s control) openAppeals(c echo.Context, t *tournament.Tournament) (list []player.NoShow, players map[player.ID]player.Player, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if list, err = tx.NoShowsIn(t.ID); err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(n player.NoShow) bool {
			return n.Appeal == "" || n.Verdict != player.Undecided || page.Viewer(c).Is(n.Player)
		})
		var ids []player.ID
		for _, n := range list {
			ids = append(ids, n.Player)
		}
		players, err = tx.Players(ids...)
		return err
	})
	return list, players, err
}

// appeals renders the appeals of a tournament that the viewer can decide.
func (s control) appeals(c echo.Context, t *tournament.Tournament) ([]deskview.AbsenceLine, error) {
	p := s.Printer(c)
	list, players, err := s.openAppeals(c, t)
	if err != nil {
		return nil, err
	}
	var lines []deskview.AbsenceLine
	for _, n := range list {
		l, err := s.absenceLine(c, n)
		if err != nil {
			return nil, err
		}
		h := players[n.Player].Handle
		l.Player, l.PlayerURL = string(h), words.PlayerURL(h)
		l.Decide = &templates.Field{Name: "text-" + n.ID, Label: p.T("schedule.answer"), Max: player.MaxAppeal, Autocomplete: "off"}
		lines = append(lines, l)
	}
	return lines, nil
}
