package desk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/rounds"
	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/player"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// MomentOf returns the next step of a tournament: its button, or what it waits for. groups are those that decide who
// plays, with what is due in them.
func MomentOf(p lang.Printer, v player.Viewer, t *tournament.Tournament, groups []rounds.GroupStep) (n deskview.NextStep) {
	at, may := words.TournamentURL(t.ID), func(a tournament.Act) bool { return t.May(v, a) }
	do := func(may bool, path, text string) {
		if may {
			n.Action, n.Button = at+path, text
		}
	}
	switch {
	case t.Status == tournament.Draft:
		n.Title, n.Text = p.T("schedule.next.draft"), p.T("schedule.next.draft.text")
		do(may(tournament.ActOpen), "/registration", p.T("tournament.open-registration"))
		if may(tournament.ActStart) {
			n.Others = []deskview.NextStep{{Title: p.T("tournament.start"), Text: startText(p, t), Action: at + "/start",
				Button: p.T("tournament.start")}}
		}
	case t.Status == tournament.Registration && t.Origin.IsAwaited():
		return momentOfGroups(p, v, t, groups)
	case t.Status == tournament.Registration && t.AwaitsGroups():
		n.Title, n.Text = presentText(p, t), p.T("stage.groups.due")
		n.Look, n.Leads = templates.Link{Text: p.T("stage.groups.title"), URL: at + "/groups"}, true
	case t.Status == tournament.Registration:
		n.Title, n.Text = presentText(p, t), startText(p, t)
		if t.Active() < t.LeastPlayers() && !t.HasTeams() && may(tournament.ActEnter) {
			n.Text, n.Leads = p.T("schedule.next.fill"), true
			n.Look = templates.Link{Text: p.T("schedule.next.fill-do"), URL: at + "/door"}
			break
		}
		do(may(tournament.ActStart), "/start", p.T("tournament.start"))
	case t.Status == tournament.Finished:
		n.Title, n.Text = p.T("schedule.next.sign"), p.T("schedule.next.sign.text")
		do(may(tournament.ActFinalize), "/life/finalize", p.T("schedule.next.sign-do"))
		if may(tournament.ActFinalize) {
			n.Look = templates.Link{Text: p.T("schedule.next.sign-note"), URL: at + "/life#finalize"}
		}
	case t.Status == tournament.Finalized:
		n.Title = p.T("schedule.next.done")
		if !t.Prizes.IsZero() {
			n.Look = templates.Link{Text: p.T("prize.receipts"), URL: words.PrizesURL(t.ID) + "/receipts"}
		}
	case t.Timetable.IsPaused():
		n.Title, n.Text = p.T("schedule.next.paused"), pausedText(p, t)
		do(may(tournament.ActPause), "/continue", p.T("schedule.continue"))
	default:
		nextOfRounds(p, t, may, do, &n)
	}
	return n
}

// startText says what the start does, and whether anybody can enter after it.
func startText(p lang.Printer, t *tournament.Tournament) string {
	switch late := t.Settings.Entry.LateUntil; {
	case !t.Format.InRounds():
		return p.T("schedule.next.start-arena")
	case late > 0:
		return p.T("schedule.next.start-late", "Round", late)
	case t.Format.PairsByScore() && t.Format.HasOwnOrder(): // Keizer, where people come when they can
		return p.T("schedule.next.start-late", "Round", t.Settings.Rounds)
	}
	return p.T("schedule.next.start")
}

// nextOfRounds is MomentOf for a running tournament.
func nextOfRounds(p lang.Printer, t *tournament.Tournament, may func(tournament.Act) bool,
	do func(bool, string, string), n *deskview.NextStep) {
	at, next := words.TournamentURL(t.ID), len(t.Rounds)+1
	until, isOpen := t.PairsUntil()
	switch {
	case t.Draft != nil:
		n.Title, n.Text = p.T("schedule.next.drafted", "Round", next), p.T("schedule.next.drafted.text")
		n.Look = templates.Link{Text: p.T("schedule.next.look"), URL: at + "/pairings"}
		if left, gone := t.DraftMisfits(); len(left)+len(gone) > 0 {
			n.Text = p.T("schedule.next.misfit")
			do(may(tournament.ActDraft), "/pairings/again", p.T("schedule.next.again", "Round", next))
			return
		}
		if unfit := cmp.Or(t.DraftStale(), t.DraftBreaks(format.System(&t.Table))); unfit != nil {
			n.Text = page.TextOf(p, unfit)
			do(may(tournament.ActDraft), "/pairings/again", p.T("schedule.next.again", "Round", next))
			return
		}
		if said := brokenRules(p, t); said != "" {
			n.Text = said
		}
		do(may(tournament.ActPublish), "/pairings/edit/publish", p.T("schedule.next.publish", "Round", next))
	case isOpen: // an arena
		n.Title, n.Text = p.T("arena.open"), p.T("arena.pairs-until", "Time", p.When(until))
		if may(tournament.ActFinish) {
			n.Others = []deskview.NextStep{{Title: p.T("schedule.next.finish-early"), Text: p.T("arena.finish-early"),
				Action: at + "/finish", Button: p.T("tournament.finish")}}
		}
	case t.Rolls() && (!t.RoundIsOver() || len(t.NextMatches()) > 0):
		nextOfRolling(p, t, may, do, n)
	case len(t.Awaited()) > 0:
		due, _ := t.BoardsDueAt()
		n.Title, n.Text = p.N("teams.desk.next", len(t.Awaited())), p.T("teams.desk.awaited", "Time", p.When(due))
		n.Look = templates.Link{Text: p.T("teams.desk.matches"), URL: "#desk-matches"}
	case !t.RoundIsOver():
		n.Title, n.Text = p.N("schedule.boards-to-go", event.OpenBoards(t.Rounds...)), p.T("schedule.next.then", "Round", next)
		switch {
		case len(t.Rounds) >= t.Settings.Rounds:
			n.Text = p.T("schedule.next.then-end")
		case t.Format.HasBracket():
			n.Text = p.T("schedule.next.then-next")
		}
	case t.MayPair() == nil:
		n.Title, n.Text = words.RoundTitle(p, t, next), presentText(p, t)+"."
		if t.Stuck != "" {
			n.Title, n.Text = p.T("schedule.next.stuck", "Round", next), p.T("tournament.stuck", "Round", next)
		}
		itself := "schedule.next.opens"
		if t.Review {
			itself = "schedule.next.drafts"
			do(may(tournament.ActDraft), "/pairings", p.T("desk.draft", "Round", next))
		} else {
			do(may(tournament.ActPair), "/rounds", p.T("tournament.pair", "Round", next))
			if may(tournament.ActDraft) {
				n.Others = []deskview.NextStep{{Title: p.T("schedule.next.draft-first"), Text: p.T("schedule.next.draft-first.text"),
					Action: at + "/pairings", Button: p.T("desk.draft", "Round", next)}}
			}
		}
		if moment, due := t.NextRoundAt(); due && t.Stuck == "" {
			n.Text += " " + p.T(itself, "Time", p.Soon(moment))
		}
	default:
		n.Title, n.Text = p.T("schedule.next.finish"), p.T("schedule.next.finish.text")
		do(len(t.Rounds) > 0 && may(tournament.ActFinish), "/finish", p.T("tournament.finish"))
	}
	if left := t.Settings.Rounds - len(t.Rounds); left > 0 && len(t.Rounds) > 0 && t.RoundIsOver() && t.Draft == nil &&
		may(tournament.ActFinish) {
		n.Others = append(n.Others, deskview.NextStep{Title: p.T("schedule.next.finish-early"),
			Text: p.N("schedule.next.finish-early.text", left), Action: at + "/finish", Button: p.T("tournament.finish")})
	}
}

// nextOfRolling fills in the next step of a knock-out whose matches open one by one.
func nextOfRolling(p lang.Printer, t *tournament.Tournament, may func(tournament.Act) bool,
	do func(bool, string, string), n *deskview.NextStep) {
	next := t.NextMatches()
	n.Title = p.N("schedule.boards-to-go", event.OpenBoards(t.Rounds...))
	if t.RoundIsOver() {
		n.Title = words.MatchText(p, t, next[0].State)
	}
	var lines []string
	for _, x := range next {
		lines = append(lines, p.T("schedule.next.match", "Stage", words.MatchText(p, t, x.State), "First", words.NameAt(p, t, x.First),
			"Second", words.NameAt(p, t, x.Second()), "Time", p.Soon(x.At)))
	}
	least, _ := t.Bracket(len(t.Rounds)).Left()
	switch {
	case len(next) > 0:
		n.Text = strings.Join(lines, " ")
		do(may(tournament.ActPair), "/rounds", p.T("schedule.next.open-now"))
	case least > 0:
		n.Text = p.T("schedule.next.then-rolling")
	default:
		n.Text = p.T("schedule.next.then-end")
	}
}

// brokenRules says which boards of a hand-edited draft break a rule, so that nobody publishes them by mistake.
func brokenRules(p lang.Printer, t *tournament.Tournament) string {
	if !t.Draft.Edited {
		return ""
	}
	objections, _, err := tables.Objections(t)
	if err != nil {
		return "" // the pairing desk shows the error
	}
	names, said := event.NamesByNumber(p, t), []string{p.T("desk.edited")}
	for _, o := range objections {
		if o.First != 0 && o.Rule != "seats" {
			said = append(said, p.T("desk.breaks", "Who", strings.Trim(names[o.First]+" – "+names[o.Second], " –"),
				"Why", p.T("desk.rule."+o.Rule, "Round", o.Round)))
		}
	}
	return strings.Join(said, " ")
}

// presentText says how many players, or teams, there are for the next round.
func presentText(p lang.Printer, t *tournament.Tournament) string {
	a := t.Attendance()
	if t.CheckIn.Scope == tournament.NoCheckIn {
		return words.SidesText(p, t.Settings, len(a.Present)+len(a.Absent))
	}
	return p.T("schedule.next.here", "N", len(a.Present), "Of", len(a.Present)+len(a.Absent))
}

func pausedText(p lang.Printer, t *tournament.Tournament) string {
	key := "schedule.paused"
	if len(t.Timetable.Pause.Matches) > 0 {
		key = "schedule.paused.all"
	}
	return p.T(key, "Time", p.When(t.Timetable.Pause.Since), "Why", t.Timetable.Pause.Reason)
}

// deskRound renders the boards of the rounds in play, or of the draft, with what can be done at each; where there
// are several rounds, boards under way come first. It is nil before the first round.
func (s control) deskRound(c echo.Context, t *tournament.Tournament) (*deskview.DeskRound, error) {
	n := len(t.Rounds)
	if t.Draft != nil {
		return draftedRound(s.Printer(c), t), nil
	}
	if n == 0 {
		return nil, nil
	}
	p, at := s.Printer(c), words.TournamentURL(t.ID)
	t = boardsShown(t)
	state, err := s.boardsView(c, t)
	if err != nil {
		return nil, err
	}
	rounds := t.Rounds.Open()
	out := &deskview.DeskRound{Title: words.RoundsTitle(p, t, rounds), URL: at + "/results", Longer: at + "/extend"}
	for _, r := range rounds {
		round, err := s.RoundView(c, t, r.Number, 0)
		if err != nil {
			return nil, err
		}
		out.Byes = append(out.Byes, round.Body.Byes...)
		if out.Matches, err = s.deskMatches(c, t, r); err != nil {
			return nil, err
		}
		lines := event.LiveBoards(round.Body)
		for i, b := range r.Pairings {
			line := s.deskLine(c, t, b, lines[i], state.Body.Lines[len(out.Boards)], p)
			line.Round, line.Number, line.FirstID = words.Itoa(r.Number), words.Itoa(b.Board), words.Itoa(int(b.First))
			out.Boards = append(out.Boards, line)
		}
	}
	if len(rounds) > 1 {
		slices.SortStableFunc(out.Boards, func(a, b deskview.DeskBoard) int {
			switch isOver := a.State == "done"; {
			case isOver == (b.State == "done"):
				return 0
			case isOver:
				return 1
			}
			return -1
		})
	}
	return out, nil
}

// latestDone is how many results an arena's desk shows below the boards under way.
const latestDone = 20

// boardsShown returns an arena with only the boards that its desk shows: those under way, then the latest
// results, as there are hundreds. Any other tournament stays as it is.
func boardsShown(t *tournament.Tournament) *tournament.Tournament {
	if t.Format.InRounds() || len(t.Rounds) == 0 {
		return t
	}
	var open, done []tournament.Pairing
	for _, p := range slices.Backward(t.Rounds[0].Pairings) {
		if p.Result.IsPending() {
			open = append(open, p)
		} else if len(done) < latestDone {
			done = append(done, p)
		}
	}
	shown := *t
	shown.Rounds = slices.Clone(t.Rounds)
	shown.Rounds[0].Pairings = append(open, done...)
	return &shown
}

// draftedRound renders the boards of a draft.
func draftedRound(p lang.Printer, t *tournament.Tournament) *deskview.DeskRound {
	out := &deskview.DeskRound{Title: p.T("desk.draft-of", "Round", t.Draft.Number), IsDraft: true}
	for i, b := range t.Draft.Boards {
		out.Boards = append(out.Boards, deskview.DeskBoard{Board: words.Itoa(i + 1), State: "draft", First: words.NameOf(p, t, b.First),
			Second: words.NameOf(p, t, b.Second)})
	}
	if t.Draft.Bye != 0 {
		out.Boards = append(out.Boards, deskview.DeskBoard{Board: "–", State: "draft", First: words.NameOf(p, t, t.Draft.Bye),
			Second: p.T("tournament.bye.pairing")})
	}
	return out
}

func pairText(p lang.Printer, t *tournament.Tournament, first, second tournament.EntryID) string {
	return words.NameOf(p, t, first) + " – " + words.NameOf(p, t, second)
}

// halfADay is for how long the time of a result needs no day.
const halfADay = 12 * time.Hour

// deskLine renders a board of the control desk.
func (s control) deskLine(c echo.Context, t *tournament.Tournament, b tournament.Pairing, l templates.BoardLine,
	state deskview.DeskLine, p lang.Printer) deskview.DeskBoard {
	d := deskview.DeskBoard{
		Board: l.Board, First: words.NameOf(p, t, b.First), Second: words.NameOf(p, t, b.Second), URL: l.URL,
		Result: l.Result, Words: l.ResultWords, CorrectURL: l.CorrectURL,
	}
	switch b.Result.Kind {
	case tournament.FirstWins, tournament.FirstByForfeit:
		d.Won = "first"
	case tournament.SecondWins, tournament.SecondByForfeit:
		d.Won = "second"
	}
	if !b.Result.IsPending() {
		d.State, d.Note = "done", l.Points
		if !b.Result.At.IsZero() {
			d.At, d.Stamp = p.Bare().On(b.Result.At), p.Stamp(b.Result.At)
			if s.Now().Sub(b.Result.At) < halfADay {
				d.At = p.Bare().Clock(b.Result.At)
			}
		}
		return d
	}
	for _, id := range []tournament.EntryID{b.First, b.Second} {
		if e, err := t.Entry(id); err == nil && e.Status != tournament.Active {
			d.Note = p.T("schedule.board-left", "Name", words.NameOf(p, t, id))
		}
	}
	if l.Live == "" {
		d.State = "playing"
		if t.May(page.Viewer(c), tournament.ActResult) && t.Status == tournament.Running {
			d.State = "open"
		}
		return d
	}
	d.State, d.Score, d.Note = "playing", l.Live, cmp.Or(d.Note, state.Move)
	if state.State == "waiting" {
		d.State = "waiting"
	}
	for _, a := range state.Alerts {
		if a.Kind != "absent" { // which stands beside the name
			d.Alerts = append(d.Alerts, a)
		}
	}
	if state.State != "waiting" {
		return d
	}
	d.Due = state.Due
	for i, player := range state.Players {
		d.Away[i] = player.Present == "absent"
	}
	if d.Away != [2]bool{} {
		d.State = "late"
		if t.Lateness > 0 && t.May(page.Viewer(c), tournament.ActMatch) {
			d.Match, d.Longer = string(b.Match), p.T("schedule.five-why")
		}
	}
	return d
}

// deskCalls returns the open calls for those who answer them.
func (s control) deskCalls(c echo.Context, t *tournament.Tournament) ([]deskview.DeskCall, error) {
	if len(t.Rounds) == 0 || !t.May(page.Viewer(c), tournament.ActCalls) {
		return nil, nil
	}
	view, err := s.callsView(c, t)
	if err != nil {
		return nil, err
	}
	var calls []deskview.DeskCall
	for _, l := range view.Body.Open {
		call := deskview.DeskCall{Text: l.Text, Who: l.Who, Where: l.Where, URL: l.WhereURL, Age: l.StateText, Back: ControlURL(t.ID)}
		if l.Age != "" {
			call.Age = l.Age
		}
		if l.MayTake {
			call.Take = l.Action + "/take"
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// toastOf says what has just been entered at a board of the tournament, or of a group that decides who plays in it.
func (s control) toastOf(c echo.Context, p lang.Printer, t *tournament.Tournament) (*deskview.DeskToast, error) {
	of := t
	if id := tournament.ID(c.QueryParam("group")); t.Origin.IsAwaited() &&
		slices.ContainsFunc(t.Origin.Of, func(x tournament.Source) bool { return x.ID == id }) {
		var err error
		if of, err = s.Arbiter.Tournament(c.Request().Context(), id); err != nil {
			return nil, err
		}
	}
	toast, err := s.keptToast(c, p, of)
	if toast == nil && err == nil {
		toast = deskToast(c, p, of)
	}
	if toast != nil && of != t {
		i := slices.IndexFunc(t.Origin.Of, func(x tournament.Source) bool { return x.ID == of.ID })
		toast.Text, toast.Desk, toast.Shown = words.GroupText(p, i)+". "+toast.Text, string(t.ID), strconv.FormatInt(of.Version, 10)
	}
	return toast, err
}

// keptToast says which result stands where the viewer could not take theirs back, who entered it, and where it is
// corrected; nil if none.
func (s control) keptToast(c echo.Context, p lang.Printer, t *tournament.Tournament) (*deskview.DeskToast, error) {
	first, second, _ := strings.Cut(c.QueryParam("kept"), "-")
	round, err1 := strconv.Atoi(first)
	board, err2 := strconv.Atoi(second)
	b, err := t.BoardAt(round, board)
	if err1 != nil || err2 != nil || err != nil {
		return nil, nil
	}
	toast := &deskview.DeskToast{Text: p.T("schedule.kept.none", "Board", words.BoardLabel(t, round, board))}
	if b.Result.IsPending() {
		return toast, nil
	}
	names, err := s.NamesOf(c.Request().Context(), b.Result.By)
	if err != nil {
		return nil, err
	}
	text, _ := words.ResultText(p, b.Result.Kind)
	toast.Text = p.T("schedule.kept", "Board", words.BoardLabel(t, round, board), "Result", text, "By", enteredBy(p, b, names))
	if t.May(page.Viewer(c), tournament.ActCorrect) && t.Status != tournament.Finalized {
		toast.Correct = words.BoardURL(t.ID, round, board)
	}
	return toast, nil
}

// deskToast says which result the viewer just entered, and lets them take it back while nothing relies on it; nil if none.
func deskToast(c echo.Context, p lang.Printer, t *tournament.Tournament) *deskview.DeskToast {
	first, second, _ := strings.Cut(c.QueryParam("entered"), "-")
	round, err1 := strconv.Atoi(first)
	board, err2 := strconv.Atoi(second)
	b, err := t.BoardAt(round, board)
	if err1 != nil || err2 != nil || err != nil || !page.Viewer(c).Is(b.Result.By) {
		return nil
	}
	toast, label := &deskview.DeskToast{Round: words.Itoa(round), Board: words.Itoa(board)}, words.BoardLabel(t, round, board)
	if t.MayTakeResultBack(page.Viewer(c), round, board) == nil {
		toast.URL = words.TournamentURL(t.ID) + "/results/undo"
	}
	winner := b.First
	switch b.Result.Kind {
	case tournament.Drawn:
		toast.Text = p.T("schedule.entered.draw", "Board", label)
	case tournament.SecondWins:
		winner = b.Second
		fallthrough
	case tournament.FirstWins:
		toast.Text = p.T("schedule.entered.won", "Board", label, "Name", words.NameOf(p, t, winner))
	default:
		text, _ := words.ResultText(p, b.Result.Kind)
		toast.Text = p.T("schedule.entered", "Board", label, "Result", text)
	}
	return toast
}
