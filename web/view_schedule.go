package web

import (
	"slices"
	"strings"
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
)

// controlView is the control desk.
func (s *Server) controlView(c echo.Context, t *tournament.Tournament, refused controlForm) (tournamentview.ControlView, error) {
	p, v, at := s.printer(c), viewer(c), tournamentURL(t.ID)
	view := tournamentview.ControlView{Head: s.tournamentHead(c, t, "/desk"), Toast: deskToast(c, p, t), Refused: refused.err != nil}
	var err error
	if view.Body, err = s.controlBody(c, t); err != nil {
		return view, err
	}
	why := func(form string) string {
		if form == "" || refused.name != form {
			return ""
		}
		_, text := refusalStatus(p, refused.err)
		return text
	}
	field := func(name, label, form string) templates.Field {
		return templates.Field{Name: name, Label: label, Value: shorten(c.FormValue(name), tournament.MaxReason), Autocomplete: "off", Max: tournament.MaxReason, Error: why(form)}
	}
	isOver := t.Status >= tournament.Finished
	if t.May(v, tournament.ActCheckIn) && !isOver {
		view.CheckIns = checkInList(p, t)
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
	p, ctx, at := s.printer(c), c.Request().Context(), tournamentURL(t.ID)
	b := tournamentview.ControlBody{Next: momentOf(p, viewer(c), t)}
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
	if t.May(viewer(c), tournament.ActAppeal) {
		if b.Appeals, err = s.appeals(c, t); err != nil {
			return b, err
		}
		if len(b.Appeals) > 0 {
			b.Next.Appeals = p.N("schedule.next.appeals", len(b.Appeals))
		}
	}
	blockers, err := s.arbiter.Blockers(ctx, t)
	if err != nil {
		return b, err
	}
	blockers = slices.DeleteFunc(blockers, func(x tournament.Blocker) bool { // the boards tell these themselves
		return x.What == tournament.BlockBoard || x.What == tournament.BlockWaiting || x.What == tournament.BlockGuest || x.What == tournament.BlockCall
	})
	b.Blockers = blockerLines(p, t, blockers, true)
	forecast, err := s.arbiter.Forecast(ctx, t)
	if err != nil {
		return b, err
	}
	b.Forecast = forecastFacts(p, forecast, s.now())
	if t.Status < tournament.Finished {
		for _, m := range t.Misfits(s.now()) {
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

// forecastFacts are the ends that can be told.
func forecastFacts(p lang.Printer, f tournament.Forecast, now time.Time) []templates.TournamentFact {
	var facts []templates.TournamentFact
	add := func(name string, s tournament.Span) {
		if s.Latest.IsZero() {
			return
		}
		facts = append(facts, templates.TournamentFact{
			Name: name, Value: spanText(p, s.From, s.To, now), Hint: p.T("schedule.forecast.latest", "Time", soonText(p, s.Latest, now)),
		})
	}
	add(p.T("schedule.forecast.round", "Round", f.Round), f.RoundEnd)
	if f.End != f.RoundEnd {
		add(p.T("schedule.forecast.end"), f.End)
	}
	if len(f.Unclear) > 0 {
		var boards []string
		for _, n := range f.Unclear {
			boards = append(boards, itoa(n))
		}
		facts = append(facts, templates.TournamentFact{Name: p.T("schedule.forecast.round", "Round", f.Round), Value: p.T("schedule.forecast.unclear", "Boards", strings.Join(boards, ", "))})
	}
	return facts
}

// spanText is "19:42–19:55", with the day where it is another than today.
func spanText(p lang.Printer, from, to, now time.Time) string {
	if p.Clock(from) == p.Clock(to) && to.Sub(from) < time.Hour {
		return soonText(p, from, now)
	}
	if p.Date(from) == p.Date(to) {
		return soonText(p, from, now) + "–" + p.Clock(to)
	}
	return soonText(p, from, now) + " – " + p.DateTime(to)
}

// soonText is the time of day, with the day where it is another than today.
func soonText(p lang.Printer, at, now time.Time) string {
	if p.Date(at) == p.Date(now) {
		return p.Clock(at)
	}
	return p.DateTime(at)
}

// standstill is what keeps a tournament from going on, for everybody: boards
// that are awaited or played are its course.
func (s *Server) standstill(c echo.Context, t *tournament.Tournament) ([]tournamentview.BlockerLine, error) {
	blockers, err := s.arbiter.Blockers(c.Request().Context(), t)
	sees := seesBoards(viewer(c), t)
	blockers = slices.DeleteFunc(blockers, func(b tournament.Blocker) bool {
		return b.What == tournament.BlockBoard || b.What == tournament.BlockWaiting || b.Board > 0 && !sees
	})
	return blockerLines(s.printer(c), t, blockers, false), err
}

// blockerLines say what is waited for, and who can do something about it.
func blockerLines(p lang.Printer, t *tournament.Tournament, list []tournament.Blocker, staff bool) []tournamentview.BlockerLine {
	at := tournamentURL(t.ID)
	var lines []tournamentview.BlockerLine
	for _, b := range list {
		l := tournamentview.BlockerLine{}
		key := "schedule.block." + b.What
		switch b.What {
		case tournament.BlockAbsent, tournament.BlockFewPlayer:
			l.Text = p.N(key, b.Count)
		default:
			l.Text = p.T(key, "Round", b.Round, "Board", b.Board, "Why", t.Timetable.Pause.Reason)
		}
		switch b.What {
		case tournament.BlockWaiting, tournament.BlockBoard, tournament.BlockStill, tournament.BlockVoid, tournament.BlockGuest, tournament.BlockCall, tournament.BlockSteward, tournament.BlockUnsigned:
			l.URL = roundURL(t.ID, b.Round)
			for _, pair := range t.Rounds[b.Round-1].Pairings {
				if pair.Board == b.Board && pair.Match != "" {
					l.URL = matchURL(pair.Match)
				}
			}
		}
		if staff && (b.What == tournament.BlockSteward || b.What == tournament.BlockUnsigned) {
			l.URL = at + "/steward"
		}
		if staff && b.What == tournament.BlockHeld {
			l.URL = deskURL(t.ID)
		}
		if staff && b.What == tournament.BlockCall {
			l.URL = at + "/calls"
		}
		l.Who = resolversText(p, b)
		lines = append(lines, l)
	}
	return lines
}

func resolversText(p lang.Printer, b tournament.Blocker) string {
	var who []string
	if b.Players {
		who = append(who, p.T("schedule.who.players"))
	}
	for _, d := range b.Resolvers() {
		who = append(who, p.T("schedule.who."+d.String()))
	}
	return p.T("schedule.who", "Who", strings.Join(who, ", "))
}

// checkInTitle says to what is checked in: the event once, or each round.
func checkInTitle(p lang.Printer, t *tournament.Tournament, round int) string {
	if t.CheckIn.Scope == tournament.ForEvent {
		return p.T("schedule.check-ins.event")
	}
	return p.T("schedule.check-ins", "Round", round)
}

// checkInList is who is there for the next round; nil: nobody checks in.
func checkInList(p lang.Printer, t *tournament.Tournament) *tournamentview.CheckInList {
	if t.CheckIn.Scope == tournament.NoCheckIn || t.Status == tournament.Running && len(t.Rounds) >= t.Settings.Rounds {
		return nil
	}
	a := t.Attendance()
	l := &tournamentview.CheckInList{
		URL: tournamentURL(t.ID), Title: checkInTitle(p, t, a.Round),
		Summary: p.T("schedule.check-ins.of", "N", len(a.Present), "Of", len(a.Present)+len(a.Absent)),
	}
	if w, ok := t.CheckInWindow(); ok {
		l.Window = windowText(p, w)
	}
	add := func(ids []tournament.EntryID, present bool, state string) {
		for _, id := range ids {
			e, _ := t.Entry(id) // those of the tournament
			l.Lines = append(l.Lines, tournamentview.CheckInLine{ID: itoa(int(id)), Name: e.Name, Present: present, State: state})
		}
	}
	add(a.Absent, false, p.T("schedule.absent"))
	add(a.Present, true, p.T("schedule.present"))
	return l
}

func windowText(p lang.Printer, w tournament.Window) string {
	if w.Closes.IsZero() {
		return p.T("schedule.window.open", "From", p.DateTime(w.Opens))
	}
	return p.T("schedule.window", "From", p.DateTime(w.Opens), "To", p.DateTime(w.Closes))
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
		list = append(list, templates.Choice{Value: itoa(n), Text: text})
	}
	return list
}

func boardsToExtend(p lang.Printer, t *tournament.Tournament) []templates.Choice {
	list := []templates.Choice{{Value: "0", Text: p.T("schedule.extend.all")}}
	for _, b := range t.Rounds[len(t.Rounds)-1].Pairings {
		if b.Result.IsPending() && b.Match != "" {
			list = append(list, templates.Choice{Value: itoa(b.Board), Text: p.T("schedule.board-n", "Board", b.Board)})
		}
	}
	return list
}

// readyBody is what stands between the viewer and his next match.
func (s *Server) readyBody(c echo.Context, t *tournament.Tournament) (tournamentview.ReadyBody, error) {
	p, v := s.printer(c), viewer(c)
	b := tournamentview.ReadyBody{URL: tournamentURL(t.ID)}
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
	blockers, err := s.arbiter.Blockers(c.Request().Context(), t)
	if !seesBoards(v, t) {
		blockers = slices.DeleteFunc(blockers, func(b tournament.Blocker) bool { return b.Board > 0 })
	}
	b.Waits = blockerLines(p, t, blockers, false)
	return b, err
}

// seesBoards tells whether the viewer sees how the boards stand now: where
// watchers see moves later, only staff do.
func seesBoards(v player.Viewer, t *tournament.Tournament) bool {
	return t.Policy.Feed.IsZero() || t.May(v, tournament.ActDesk)
}

// readyBoard is the board where the viewer plays now.
func (s *Server) readyBoard(c echo.Context, t *tournament.Tournament, b *tournamentview.ReadyBody, pair tournament.Pairing, seat match.Seat) error {
	p, ctx, now := s.printer(c), c.Request().Context(), s.now()
	b.State = p.T("schedule.ready.board", "Round", len(t.Rounds), "Board", pair.Board)
	if pair.Match == "" {
		b.Facts = append(b.Facts, fact(p.T("schedule.ready.how"), p.T("schedule.ready.by-hand")))
		return nil
	}
	state, head, err := s.live.State(ctx, pair.Match)
	if err != nil {
		return err
	}
	var seen map[match.ID]map[player.ID]time.Time
	var gate *matchview.CheckInNote // of a match that is played from a checked-in page only
	if err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		if gate, err = s.checkInNote(tx, p, live.View{State: state, Head: head}, seat); err != nil {
			return err
		}
		seen, err = tx.SeenIn([]match.ID{pair.Match})
		return err
	}); err != nil {
		return err
	}
	b.MatchURL = matchURL(pair.Match)
	for _, at := range [...]match.Seat{seat, seat.Other()} {
		e, _ := t.Entry(pair.EntryAt(at))
		line := tournamentview.ReadyPlayer{Name: e.Name, Role: seatText(p, at), Ready: p.T("schedule.ready.no")}
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
		b.Facts = append(b.Facts, fact(p.T("schedule.ready.how"), p.T("schedule.ready.runs")))
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
		untilOf(b, p, "schedule.ready.opens", at, s.now())
	}
	if w, ok := t.CheckInWindow(); ok {
		state := p.T("schedule.absent")
		if t.IsPresent(e, w.Round) {
			state = p.T("schedule.present")
		}
		b.Facts = append(b.Facts, templates.TournamentFact{Name: checkInTitle(p, t, w.Round), Value: state, Hint: windowText(p, w)})
		if t.MayCheckIn(v, e.ID, s.now()) == nil {
			b.MayCheckIn, b.MayCheckOut = !t.IsPresent(e, w.Round), t.IsPresent(e, w.Round)
		}
	}
	if n := len(e.Missed); n > 0 {
		b.Facts = append(b.Facts, fact(p.T("schedule.missed"), p.N("schedule.missed-count", n)))
	}
}

// untilOf sets what the countdown of the ready room runs to.
func untilOf(b *tournamentview.ReadyBody, p lang.Printer, key string, at, now time.Time) {
	b.Until, b.UntilStamp, b.UntilMs = p.T(key, "Time", soonText(p, at, now)), p.Stamp(at), at.UTC().Format(time.RFC3339)
}

// absencesView is the viewer's record.
func (s *Server) absencesView(c echo.Context, refusedID string, refused error) (tournamentview.AbsencesView, error) {
	p, now := s.printer(c), s.now()
	r, err := s.arbiter.NoShows(c.Request().Context(), viewer(c).ID)
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
				_, key, _ := explain(refused)
				f.Value, f.Error = shorten(c.FormValue(f.Name), player.MaxAppeal), p.T(key)
			}
			l.Ask = &f
		}
		view.Lines = append(view.Lines, l)
	}
	return view, nil
}

func (s *Server) absenceLine(c echo.Context, n player.NoShow) (l tournamentview.AbsenceLine, err error) {
	p := s.printer(c)
	t, err := s.readTournament(c.Request().Context(), tournament.ID(n.Tournament))
	if err != nil {
		return l, err
	}
	l = tournamentview.AbsenceLine{
		ID: n.ID, Where: p.T("schedule.absence.where", "Name", t.Name, "Round", n.Round, "Board", n.Board), URL: roundURL(t.ID, n.Round),
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
	p := s.printer(c)
	var list []player.NoShow
	players := map[player.ID]player.Player{}
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
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
		if n.Appeal == "" || n.Verdict != player.Undecided || viewer(c).Is(n.Player) {
			continue
		}
		l, err := s.absenceLine(c, n)
		if err != nil {
			return nil, err
		}
		h := players[n.Player].Handle
		l.Player, l.PlayerURL = string(h), playerURL(h)
		l.Decide = &templates.Field{Name: "text-" + n.ID, Label: p.T("schedule.answer"), Max: player.MaxAppeal, Autocomplete: "off"}
		lines = append(lines, l)
	}
	return lines, nil
}

// scheduleFacts are the settings about who is awaited for how long.
func scheduleFacts(p lang.Printer, t *tournament.Tournament) []templates.TournamentFact {
	var facts []templates.TournamentFact
	if t.CheckIn.Scope != tournament.NoCheckIn {
		f := fact(p.T("schedule.form.check-in"), p.T("schedule.scope."+t.CheckIn.Scope.String()))
		f.Hint = p.T("schedule.form.check-in.window", "Opens", p.Duration(t.CheckIn.Opens), "Closes", p.Duration(t.CheckIn.Closes))
		if t.CheckIn.Misses > 0 {
			f.Hint += " " + p.N("schedule.form.misses-count", t.CheckIn.Misses)
		}
		facts = append(facts, f)
	}
	if t.OnClaim {
		facts = append(facts, fact(p.T("schedule.form.forfeit"), p.T("schedule.form.on-claim")))
	}
	if !t.Until.IsZero() {
		facts = append(facts, fact(p.T("schedule.form.until"), p.DateTime(t.Until)))
	}
	if t.HonourNoShows {
		facts = append(facts, fact(p.T("schedule.absences.rule"), p.T("schedule.absences.honoured")))
	}
	return facts
}
