package web

import (
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/call"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/live"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	matchview "chpok.org/chpok/templates/match"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// controlView is the control desk.
func (s *Server) controlView(c echo.Context, t *tournament.Tournament, refused controlForm) (tournamentview.ControlView, error) {
	p, v, at := s.Printer(c), page.Viewer(c), words.TournamentURL(t.ID)
	view := tournamentview.ControlView{Head: s.TournamentHead(c, t, "/desk"), Toast: deskToast(c, p, t), Refused: refused.err != nil}
	var err error
	if view.Body, err = s.controlBody(c, t); err != nil {
		return view, err
	}
	why := func(form string) string {
		if form == "" || refused.name != form {
			return ""
		}
		_, text := page.RefusalStatus(p, refused.err)
		return text
	}
	field := func(name, label, form string) templates.Field {
		return templates.Field{Name: name, Label: label, Value: words.Shorten(c.FormValue(name), tournament.MaxReason), Autocomplete: "off", Max: tournament.MaxReason, Error: why(form)}
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
			view.AlsoAll = c.FormValue("matches") != ""
		}
	}
	if rounds := roundsToMove(p, t); t.May(v, tournament.ActPostpone) && len(rounds) > 0 {
		f := &tournamentview.PostponeForm{URL: at + "/postpone", Rounds: rounds, To: field("to", p.T("schedule.postpone.to"), "postpone"), Reason: field("postpone_reason", p.T("schedule.reason"), "")}
		f.To.Hint, f.To.Type = p.T("schedule.postpone.hint", "Zone", p.Zone.String()), "datetime-local"
		view.Postpone = f
	}
	if t.May(v, tournament.ActMatch) && !t.RoundIsOver() && t.Lateness > 0 {
		f := &tournamentview.ExtendForm{URL: at + "/extend", Boards: boardsToExtend(p, t), Minutes: field("more", p.T("schedule.extend.more"), "extend"), Reason: field("extend_reason", p.T("schedule.reason"), "")}
		f.Minutes.Hint = p.T("schedule.extend.hint")
		view.Extend = f
	}
	return view, nil
}

// controlBody is what the desk's feed keeps up to date.
func (s *Server) controlBody(c echo.Context, t *tournament.Tournament) (tournamentview.ControlBody, error) {
	p, ctx, at := s.Printer(c), c.Request().Context(), words.TournamentURL(t.ID)
	b := tournamentview.ControlBody{Next: momentOf(p, page.Viewer(c), t)}
	if t.Status < tournament.Running {
		b.DryRun = at + "/dry-run"
	}
	var err error
	if b.Round, err = s.deskRound(c, t); err != nil {
		return b, err
	}
	if b.Round != nil && !t.RoundIsOver() {
		for _, x := range b.Round.Boards {
			b.Next.Dots = append(b.Next.Dots, tournamentview.DeskDot{Board: x.Board, State: x.State})
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
	blockers, err := s.Arbiter.Blockers(ctx, t)
	if err != nil {
		return b, err
	}
	blockers = slices.DeleteFunc(blockers, func(x tournament.Blocker) bool { // the boards tell these themselves
		return x.What == tournament.BlockBoard || x.What == tournament.BlockWaiting || x.What == tournament.BlockGuest || x.What == tournament.BlockCall
	})
	b.Blockers = event.BlockerLines(p, t, blockers, true)
	forecast, err := s.Arbiter.Forecast(ctx, t)
	if err != nil {
		return b, err
	}
	b.Forecast = event.ForecastFacts(p, forecast, s.Now())
	if t.Status < tournament.Finished {
		for _, m := range t.Misfits(s.Now()) {
			b.Misfits = append(b.Misfits, misfitText(p, m))
		}
	}
	return b, nil
}

func misfitText(p lang.Printer, m tournament.Misfit) string {
	if m.End {
		return p.T("schedule.misfit.end", "Time", p.Duration(m.By))
	}
	return p.T("schedule.misfit.round", "Round", m.Round, "Time", p.Duration(m.By))
}

// standstill is what keeps a tournament from going on, for everybody: boards
// that are awaited or played are its course.
func (s *Server) standstill(c echo.Context, t *tournament.Tournament) ([]tournamentview.BlockerLine, error) {
	blockers, err := s.Arbiter.Blockers(c.Request().Context(), t)
	sees := words.SeesBoards(page.Viewer(c), t)
	blockers = slices.DeleteFunc(blockers, func(b tournament.Blocker) bool {
		return b.What == tournament.BlockBoard || b.What == tournament.BlockWaiting || b.Board > 0 && !sees
	})
	return event.BlockerLines(s.Printer(c), t, blockers, false), err
}

// roundsToMove are the rounds that can get another time.
func roundsToMove(p lang.Printer, t *tournament.Tournament) []templates.Choice {
	if t.Status >= tournament.Finished {
		return nil
	}
	last := max(t.Settings.Rounds, len(t.Times))
	if t.Pace == tournament.Auto {
		last = min(last, len(t.Rounds)+1) // the others follow it
	}
	var list []templates.Choice
	for n := len(t.Rounds) + 1; n <= last; n++ {
		text := p.T("tournament.round-n", "Round", n)
		if at, known := t.RoundAt(n); known {
			text += ", " + p.DateTime(at)
		}
		list = append(list, templates.Choice{Value: words.Itoa(n), Text: text})
	}
	return list
}

func boardsToExtend(p lang.Printer, t *tournament.Tournament) []templates.Choice {
	list := []templates.Choice{{Value: "0", Text: p.T("schedule.extend.all")}}
	for _, b := range t.Rounds[len(t.Rounds)-1].Pairings {
		if b.Result.IsPending() && b.Match != "" {
			list = append(list, templates.Choice{Value: words.Itoa(b.Board), Text: p.T("schedule.board-n", "Board", b.Board)})
		}
	}
	return list
}

// readyBody is what stands between the viewer and his next match.
func (s *Server) readyBody(c echo.Context, t *tournament.Tournament) (tournamentview.ReadyBody, error) {
	p, v := s.Printer(c), page.Viewer(c)
	b := tournamentview.ReadyBody{URL: words.TournamentURL(t.ID)}
	e, entered := t.EntryOf(v.ID)
	switch {
	case !entered:
		b.State = p.T("schedule.ready.not-in")
		return b, nil
	case t.Status >= tournament.Finished:
		b.State = p.T("home.status." + t.Status.String())
		return b, nil
	case e.Status == tournament.Withdrawn:
		b.State = p.T("tournament.you-left")
		return b, nil
	}
	if pair, seat, ok := ownBoard(t, v); ok {
		return b, s.readyBoard(c, t, &b, pair, seat)
	}
	s.readyWait(p, t, e, v, &b)
	blockers, err := s.Arbiter.Blockers(c.Request().Context(), t)
	if !words.SeesBoards(v, t) {
		blockers = slices.DeleteFunc(blockers, func(b tournament.Blocker) bool { return b.Board > 0 })
	}
	b.Waits = event.BlockerLines(p, t, blockers, false)
	return b, err
}

// readyBoard is the board where the viewer plays now.
func (s *Server) readyBoard(c echo.Context, t *tournament.Tournament, b *tournamentview.ReadyBody, pair tournament.Pairing, seat match.Seat) error {
	p, ctx, now := s.Printer(c), c.Request().Context(), s.Now()
	b.State = p.T("schedule.ready.board", "Round", len(t.Rounds), "Board", pair.Board)
	if pair.Match == "" {
		b.Facts = append(b.Facts, words.Fact(p.T("schedule.ready.how"), p.T("schedule.ready.by-hand")))
		return nil
	}
	state, head, err := s.Live.State(ctx, pair.Match)
	if err != nil {
		return err
	}
	var seen map[match.ID]map[player.ID]time.Time
	var gate *matchview.CheckInNote // of a match that is played from a checked-in page only
	if err := s.Store.Read(ctx, func(tx *store.Tx) (err error) {
		if gate, err = s.CheckInNote(tx, p, live.View{State: state, Head: head}, seat); err != nil {
			return err
		}
		seen, err = tx.SeenIn([]match.ID{pair.Match})
		return err
	}); err != nil {
		return err
	}
	b.MatchURL = words.MatchURL(pair.Match)
	for _, at := range [...]match.Seat{seat, seat.Other()} {
		e, _ := t.Entry(pair.EntryAt(at))
		line := tournamentview.ReadyPlayer{Name: e.Name, Role: words.SeatText(p, at), Ready: p.T("schedule.ready.no")}
		if state.IsReady(at) || state.Status() != match.Waiting {
			line.Ready = p.T("schedule.ready.yes")
		}
		there := call.ConnectionAt(seen[pair.Match][head.Players[at.Index()]], now)
		if head.Bots[at.Index()] || at == seat {
			there = call.Present
		}
		line.Presence, line.PresenceText = there.String(), p.T("calls.presence."+there.String())
		b.Players = append(b.Players, line)
	}
	if state.Status() != match.Waiting {
		b.Facts = append(b.Facts, words.Fact(p.T("schedule.ready.how"), p.T("schedule.ready.runs")))
		return nil
	}
	if gate != nil && gate.Needed != "" {
		b.CheckInURL, b.CheckInWhy = gate.URL, gate.Needed
	}
	b.MayReady = gate == nil && !state.IsReady(seat)
	if due, ok := state.Deadline(); ok {
		untilOf(b, p, "schedule.ready.until", due, now)
	}
	if from, ok := state.ForfeitClaim(seat); ok {
		if open := !now.Before(from); open {
			b.Claim = gate == nil
		} else {
			b.ClaimFrom = p.T("schedule.claim-from", "Time", p.DateTime(from))
		}
	}
	return nil
}

// readyWait is the time before the next round.
func (s *Server) readyWait(p lang.Printer, t *tournament.Tournament, e tournament.Entry, v player.Viewer, b *tournamentview.ReadyBody) {
	n := len(t.Rounds) + 1
	b.State = p.T("schedule.state.between", "Round", n)
	if t.Status == tournament.Running && !t.RoundIsOver() {
		b.State = p.T("schedule.ready.free", "Round", len(t.Rounds))
	}
	if at, known := t.RoundAt(n); known {
		untilOf(b, p, "schedule.ready.opens", at, s.Now())
	}
	if w, ok := t.CheckInWindow(); ok {
		state := p.T("schedule.absent")
		if t.IsPresent(e, w.Round) {
			state = p.T("schedule.present")
		}
		b.Facts = append(b.Facts, templates.TournamentFact{Name: words.CheckInTitle(p, t, w.Round), Value: state, Hint: words.WindowText(p, w)})
		if t.MayCheckIn(v, e.ID, s.Now()) == nil {
			b.MayCheckIn, b.MayCheckOut = !t.IsPresent(e, w.Round), t.IsPresent(e, w.Round)
		}
	}
	if n := len(e.Missed); n > 0 {
		b.Facts = append(b.Facts, words.Fact(p.T("schedule.missed"), p.N("schedule.missed-count", n)))
	}
}

// untilOf sets what the countdown of the ready room runs to.
func untilOf(b *tournamentview.ReadyBody, p lang.Printer, key string, at, now time.Time) {
	b.Until, b.UntilStamp, b.UntilMs = p.T(key, "Time", words.SoonText(p, at, now)), p.Stamp(at), at.UTC().Format(time.RFC3339)
}

// absencesView is the viewer's record.
func (s *Server) absencesView(c echo.Context, refusedID string, refused error) (tournamentview.AbsencesView, error) {
	p, now := s.Printer(c), s.Now()
	r, err := s.Arbiter.NoShows(c.Request().Context(), page.Viewer(c).ID)
	if err != nil {
		return tournamentview.AbsencesView{}, err
	}
	var view tournamentview.AbsencesView
	if r.Bars(now) {
		view.Ban = p.T("schedule.ban", "Time", p.DateTime(r.Until))
	}
	for _, n := range r.NoShows {
		l, err := s.absenceLine(c, n)
		if err != nil {
			return view, err
		}
		if n.MayAppeal(now) == nil {
			f := templates.Field{Name: "text-" + n.ID, Label: p.T("schedule.appeal"), Max: player.MaxAppeal, Required: true, Autocomplete: "off"}
			if n.ID == refusedID {
				_, key, _ := page.Explain(refused)
				f.Value, f.Error = words.Shorten(c.FormValue(f.Name), player.MaxAppeal), p.T(key)
			}
			l.Ask = &f
		}
		view.Lines = append(view.Lines, l)
	}
	return view, nil
}

func (s *Server) absenceLine(c echo.Context, n player.NoShow) (l tournamentview.AbsenceLine, err error) {
	p := s.Printer(c)
	t, err := s.ReadTournament(c.Request().Context(), tournament.ID(n.Tournament))
	if err != nil {
		return l, err
	}
	l = tournamentview.AbsenceLine{
		ID: n.ID, Where: p.T("schedule.absence.where", "Name", t.Name, "Round", n.Round, "Board", n.Board), URL: words.RoundURL(t.ID, n.Round),
		When: p.DateTime(n.At), Stamp: p.Stamp(n.At), Appeal: n.Appeal, Answer: n.Answer,
	}
	if n.Verdict != player.Undecided {
		l.Verdict = p.T("schedule.verdict." + n.Verdict.String())
	} else if n.Appeal != "" {
		l.Verdict = p.T("schedule.verdict.waits")
	}
	return l, nil
}

// appeals are those of a tournament that wait for an answer.
func (s *Server) appeals(c echo.Context, t *tournament.Tournament) ([]tournamentview.AbsenceLine, error) {
	p := s.Printer(c)
	var list []player.NoShow
	players := map[player.ID]player.Player{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if list, err = tx.NoShowsIn(t.ID); err != nil {
			return err
		}
		var ids []player.ID
		for _, n := range list {
			ids = append(ids, n.Player)
		}
		players, err = tx.Players(ids...)
		return err
	})
	if err != nil {
		return nil, err
	}
	var lines []tournamentview.AbsenceLine
	for _, n := range list {
		if n.Appeal == "" || n.Verdict != player.Undecided || page.Viewer(c).Is(n.Player) {
			continue
		}
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
