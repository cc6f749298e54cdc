package desk

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/tables"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/format"
	"chpok.org/chpok/tournament/swiss"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pairings) pairingDeskRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/:id/pairings", s.pairingDesk, page.SignedIn),
		page.Post("/tournaments/:id/pairings", s.draftRound, page.SignedIn),
		page.Post("/tournaments/:id/pairings/edit", s.editDraft, page.SignedIn),
		page.Post("/tournaments/:id/pairings/again", s.draftAgain, page.SignedIn),
		page.Post("/tournaments/:id/pairings/edit/publish", s.publishRound, page.SignedIn),
		page.Post("/tournaments/:id/pairings/edit/schedule", s.scheduleRound, page.SignedIn),
		page.Post("/tournaments/:id/pairings/edit/discard", s.discardDraft, page.SignedIn),
		page.Post("/tournaments/:id/pairings/release", s.releaseRound, page.SignedIn),
		page.Post("/tournaments/:id/pairings/round", s.editRound, page.SignedIn),
		page.Post("/tournaments/:id/pairings/forbid", s.forbidPairs, page.SignedIn),
		page.Post("/tournaments/:id/pairings/allow", s.allowPairs, page.SignedIn),
	}
}

func (s pairings) pairingDesk(c echo.Context) error { return s.showPairingDesk(c, nil) }

// afterDesk goes back to the pairing desk, or shows there why something was refused.
func (s pairings) afterDesk(c echo.Context, err error, flash string) error {
	return s.afterEdit(c, tournament.Edit{}, err, flash)
}

// afterEdit is afterDesk; it also says who has changed places, with a button that undoes it.
func (s pairings) afterEdit(c echo.Context, e tournament.Edit, err error, flash string) error {
	at := words.DeskURL(tournament.ID(c.Param("id")))
	if e.Kind == tournament.SwapEntries {
		at, flash = words.WithQuery(at, "swapped", words.Itoa(int(e.A))+"-"+words.Itoa(int(e.B))), ""
	}
	return s.Answer(c, err, s.showPairingDesk, at, flash)
}

// draftRound pairs the next round and leads to the control desk, which publishes it.
func (s pairings) draftRound(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	err := s.Arbiter.Rounds.Draft(c.Request().Context(), page.Viewer(c), id)
	return s.Answer(c, err, s.showPairingDesk, ControlURL(id), "")
}

// draftAgain repairs a draft after players have come or gone.
func (s pairings) draftAgain(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	err := s.Arbiter.Desk.EditDraft(c.Request().Context(), page.Viewer(c), id, tournament.Edit{Kind: tournament.Repair}, "")
	return s.Answer(c, err, s.showPairingDesk, ControlURL(id), "")
}

func (s pairings) editDraft(c echo.Context) error {
	e, err := editOf(c)
	if err == nil {
		err = s.Arbiter.Desk.EditDraft(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), e, reasonOf(c))
	}
	return s.afterEdit(c, e, err, "")
}

func (s pairings) editRound(c echo.Context) error {
	e, err := editOf(c)
	if err == nil {
		err = s.Arbiter.Desk.EditRound(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), e, reasonOf(c))
	}
	return s.afterEdit(c, e, err, "")
}

// editOf reads an edit of a pairing.
func editOf(c echo.Context) (e tournament.Edit, err error) {
	if e.Kind, err = tournament.ParseEditKind(c.FormValue("kind")); err != nil {
		return e, page.ErrBadRequest
	}
	e.A, e.B = words.EntryIDOf(c.FormValue("a")), words.EntryIDOf(c.FormValue("b"))
	e.Rest = c.FormValue("rest") != ""
	e.Bye = byeKinds[c.FormValue("bye")]
	return e, nil
}

// byeKinds are the byes that staff can give.
var byeKinds = map[string]tournament.Outcome{"full": tournament.FullBye, "half": tournament.HalfBye, "zero": tournament.ZeroBye}

func reasonOf(c echo.Context) string { return strings.TrimSpace(c.FormValue("reason")) }

func (s pairings) publishRound(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	err := s.Arbiter.Rounds.Publish(c.Request().Context(), page.Viewer(c), id)
	return s.Answer(c, err, s.showPairingDesk, ControlURL(id), "")
}

func (s pairings) scheduleRound(c echo.Context) error {
	var at time.Time
	if text := c.FormValue("at"); text != "" {
		t, err := s.Staffed(c)
		if err != nil {
			return err
		}
		var stood []time.Time
		if t.Draft != nil {
			stood = []time.Time{t.Draft.PublishAt}
		}
		if at, err = civil.Read(text, s.Printer(c).Zone, stood, s.Now()); err != nil {
			return s.afterDesk(c, tournament.ErrDraftTime, "")
		}
	}
	return s.afterDesk(c, s.Arbiter.Desk.ScheduleRound(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), at), "flash.saved")
}

func (s pairings) discardDraft(c echo.Context) error {
	return s.afterDesk(c, s.Arbiter.Desk.DiscardDraft(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))), "")
}

func (s pairings) releaseRound(c echo.Context) error {
	return s.afterDesk(c, s.Arbiter.Desk.ReleaseRound(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id"))), "")
}

// forbiddenOf reads a prohibition.
func forbiddenOf(c echo.Context) (tournament.ForbiddenEntries, error) {
	values, err := c.FormParams()
	if err != nil {
		return tournament.ForbiddenEntries{}, page.ErrBadRequest
	}
	f := tournament.ForbiddenEntries{Soft: c.FormValue("soft") != "", From: words.AtoiOr(c.FormValue("from"), 0),
		To: words.AtoiOr(c.FormValue("to"), 0)}
	for _, text := range values["entries"] {
		f.Entries = append(f.Entries, words.EntryIDOf(text))
	}
	return f, nil
}

func (s pairings) forbidPairs(c echo.Context) error {
	f, err := forbiddenOf(c)
	if err != nil {
		return err
	}
	return s.afterDesk(c, s.Arbiter.Desk.Forbid(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), f, reasonOf(c)),
		"flash.saved")
}

func (s pairings) allowPairs(c echo.Context) error {
	f, err := forbiddenOf(c)
	if err != nil {
		return err
	}
	return s.afterDesk(c, s.Arbiter.Desk.Allow(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), f), "flash.saved")
}

func (s pairings) showPairingDesk(c echo.Context, refused error) error {
	t, err := s.Staffed(c)
	if err != nil {
		return err
	}
	view, err := s.pairingDeskView(c, t)
	if err != nil {
		return err
	}
	status, why := page.RefusalStatus(s.Printer(c), refused)
	view.Problem = why
	sh := s.DeskShell(c, t, view.Title)
	sh.Wide = true
	return s.Render(c, status, deskview.PairingDeskPage(sh, view))
}

// pickOf returns the player who was tapped to change places; nil if none.
func pickOf(c echo.Context, p lang.Printer, t *tournament.Tournament, v *deskview.DraftView) *deskview.DraftPick {
	e, err := t.Entry(words.EntryIDOf(c.QueryParam("pick")))
	if err != nil || !v.MayEdit {
		return nil
	}
	id := words.Itoa(int(e.ID))
	for _, b := range v.Lines() {
		if !b.IsBusy && (b.A == id || b.B == id) {
			return &deskview.DraftPick{ID: id, Board: b.Board, Text: p.T("desk.picked", "Name", words.EntryName(p, e))}
		}
	}
	return nil
}

// swappedOf says who has just changed places; nil if nobody.
func swappedOf(c echo.Context, p lang.Printer, t *tournament.Tournament, v *deskview.DraftView) *deskview.SwapToast {
	first, second, _ := strings.Cut(c.QueryParam("swapped"), "-")
	a, err1 := t.Entry(words.EntryIDOf(first))
	b, err2 := t.Entry(words.EntryIDOf(second))
	if err1 != nil || err2 != nil || !v.MayEdit {
		return nil
	}
	text := p.T("desk.swapped", "A", words.EntryName(p, a), "B", words.EntryName(p, b))
	return &deskview.SwapToast{Text: text, Action: v.Action, A: first, B: second}
}

func (s pairings) pairingDeskView(c echo.Context, t *tournament.Tournament) (deskview.PairingDeskView, error) {
	p, v := s.Printer(c), page.Viewer(c)
	view := deskview.PairingDeskView{
		Head: s.TournamentHead(c, t, "/pairings"), Title: p.T("desk.title"), URL: words.TournamentURL(t.ID), Next: MomentOf(p, v, t, nil),
	}
	view.Next.Look = templates.Link{}
	var err error
	switch {
	case t.Draft != nil:
		view.Draft, err = s.draftView(p, t, t.May(v, tournament.ActDraft))
	case t.Status == tournament.Running && !t.RoundIsOver():
		view.Note = p.T("desk.note.open")
		view.Draft, err = s.openView(c, t)
	case t.IsHeld():
		view.Note = p.T("desk.note.held", "Round", len(t.Rounds)+1, "When", p.When(t.Timetable.Held.Since))
		view.MayRelease = t.May(v, tournament.ActDraft)
	case t.MayPair() == nil && t.May(v, tournament.ActDraft):
		view.Note = p.T("desk.note.ready")
	default:
		view.Note = p.T("desk.note.none")
	}
	if err != nil {
		return view, err
	}
	if view.Draft != nil {
		view.Draft.URL = words.DeskURL(t.ID)
		view.Draft.Pick = pickOf(c, p, t, view.Draft)
		view.Swapped = swappedOf(c, p, t, view.Draft)
		if view.Draft.MayEdit {
			view.Note = strings.TrimSpace(view.Note + " " + p.T("desk.tap-two"))
		}
	}
	if t.Format.PairsByScore() {
		forbidView(p, t, t.May(v, tournament.ActForbid) && !t.Status.IsOver(), &view)
	}
	return view, nil
}

func forbidView(p lang.Printer, t *tournament.Tournament, may bool, view *deskview.PairingDeskView) {
	for _, f := range t.Forbidden {
		var entries []string
		for _, id := range f.Entries {
			entries = append(entries, words.Itoa(int(id)))
		}
		line := deskview.ForbiddenLine{Text: forbiddenText(p, t, f), Kind: forbiddenKind(p, f), Entries: entries, MayAllow: may,
			From: words.Itoa(f.From), To: words.Itoa(f.To), Soft: f.Soft}
		view.Forbidden = append(view.Forbidden, line)
	}
	if !may {
		return
	}
	view.Forbid = &deskview.ForbidForm{
		Players: entryChoices(p, t, func(e tournament.Entry) bool { return e.Status == tournament.Active }),
		From:    templates.Field{Name: "from", Label: p.T("desk.forbid-from"), Type: "number"},
		To:      templates.Field{Name: "to", Label: p.T("desk.forbid-to"), Type: "number"},
		Reason:  templates.Field{Name: "reason", Label: p.T("desk.reason"), Max: tournament.MaxReason},
	}
}

// forbiddenText names who is to be kept apart, and in which rounds if not in all.
func forbiddenText(p lang.Printer, t *tournament.Tournament, f tournament.ForbiddenEntries) string {
	var names []string
	for _, id := range f.Entries {
		names = append(names, words.NameOf(p, t, id))
	}
	text := strings.Join(names, " – ")
	switch {
	case f.To > 0:
		text += " " + p.T("desk.forbid-rounds", "From", max(f.From, 1), "To", f.To)
	case f.From > 1:
		text += " " + p.T("desk.forbid-since", "From", f.From)
	}
	return text
}

// forbiddenKind says whether it is a ban or a wish.
func forbiddenKind(p lang.Printer, f tournament.ForbiddenEntries) string {
	if f.Soft {
		return p.T("desk.kind.soft")
	}
	return p.T("desk.kind.hard")
}

// entryChoices offers entries by number.
func entryChoices(p lang.Printer, t *tournament.Tournament, which func(tournament.Entry) bool) []templates.Choice {
	list := slices.Clone(t.Entries)
	slices.SortStableFunc(list, func(a, b tournament.Entry) int { return a.Number - b.Number })
	var out []templates.Choice
	for _, e := range list {
		if !which(e) {
			continue
		}
		text := words.EntryName(p, e)
		if e.Number > 0 {
			text = words.Itoa(e.Number) + ". " + text
		}
		out = append(out, templates.Choice{Value: words.Itoa(int(e.ID)), Text: text})
	}
	return out
}

// draftView renders the draft, with the reasons for its boards and the rules they break.
func (s pairings) draftView(p lang.Printer, t *tournament.Tournament, mayEdit bool) (*deskview.DraftView, error) {
	d := t.Draft
	objections, reasons, err := tables.Objections(t)
	if err != nil {
		return nil, err
	}
	view := &deskview.DraftView{
		Title: p.T("desk.draft-of", "Round", d.Number), Facts: []string{p.T("desk.made", "When", p.On(d.At), "Engine", d.Engine)},
		Action: words.DeskURL(t.ID) + "/edit", MayEdit: mayEdit, IsTable: t.Format.HasTable(), IsDraft: true,
		Discard: p.T("desk.discard-what", "Round", d.Number),
		When: templates.Field{Name: "at", Label: p.T("desk.publish-at"), Hint: p.T("desk.publish-hint", "Zone", p.Zone.String()),
			Type: "datetime-local"},
	}
	if d.Edited {
		view.Facts = append(view.Facts, p.T("desk.edited"))
	}
	if unfit := cmp.Or(t.DraftStale(), t.DraftBreaks(format.System(&t.Table))); unfit != nil {
		view.Facts = append(view.Facts, page.TextOf(p, unfit))
	}
	if !d.PublishAt.IsZero() {
		view.Facts = append(view.Facts, p.T("desk.publishes", "When", p.On(d.PublishAt)))
		view.When.Value = civil.Pick(d.PublishAt, p.Zone)
	}
	if t.Pace == tournament.Manual {
		view.Discard = p.T("desk.discard-manual")
	}
	boards := make([]tournament.Pairing, len(d.Boards))
	for i, b := range d.Boards {
		boards[i] = tournament.Pairing{Board: i + 1, First: b.First, Second: b.Second}
	}
	lines := pairingLines{p: p, t: t, round: d.Number, objections: objections, reasons: reasons}
	lines.fill(view, boards, d.Bye)
	for i, b := range d.Boards {
		view.Boards[i].IsFixed = b.Fixed
	}
	left, gone := t.DraftMisfits()
	for _, id := range left {
		view.Left = append(view.Left, deskview.DraftLine{Board: "left", First: lines.ref(id), A: words.Itoa(int(id))})
	}
	for _, id := range gone {
		view.Gone = append(view.Gone, lines.ref(id))
	}
	for _, pair := range d.Apart {
		view.Apart = append(view.Apart, deskview.ApartLine{A: words.Itoa(int(pair[0])), B: words.Itoa(int(pair[1])),
			Text: p.T("desk.apart", "A", words.NameOf(p, t, pair[0]), "B", words.NameOf(p, t, pair[1]))})
	}
	takes := func(e tournament.Entry) bool { return e.TakesPart(d.Number) }
	byed := func(e tournament.Entry) bool {
		return takes(e) && slices.ContainsFunc(e.Byes, func(b tournament.AskedBye) bool { return b.Round == d.Number })
	}
	view.Players = entryChoices(p, t, func(e tournament.Entry) bool { return takes(e) && !byed(e) })
	view.Everybody, view.Byed = entryChoices(p, t, takes), entryChoices(p, t, byed)
	view.Kinds = words.Options(p, "desk.bye.", "half", "half", "zero", "full")
	for _, e := range t.Entries {
		if !byed(e) {
			continue
		}
		for _, b := range e.Byes {
			if b.Round == d.Number {
				view.Byes = append(view.Byes, eventview.ByeLine{Player: lines.ref(e.ID), Kind: words.ByeText(p, t, b.Kind)})
			}
		}
	}
	return view, nil
}

// openView renders the open round; boards that have not started can change.
func (s pairings) openView(c echo.Context, t *tournament.Tournament) (*deskview.DraftView, error) {
	p, v := s.Printer(c), page.Viewer(c)
	r := t.Rounds[len(t.Rounds)-1]
	busy, err := s.Arbiter.Desk.Losses(c.Request().Context(), t)
	if err != nil {
		return nil, err
	}
	view := &deskview.DraftView{
		Title: p.T("desk.open", "Round", r.Number), Action: words.DeskURL(t.ID) + "/round", MayEdit: t.May(v, tournament.ActRepair),
		IsTable: t.Format.HasTable(),
	}
	lines := pairingLines{p: p, t: t, round: r.Number}
	var bye tournament.EntryID
	for _, b := range r.Byes {
		if b.Kind == tournament.PairingBye {
			bye = b.Entry
		}
	}
	if r.Edited {
		view.Facts = append(view.Facts, p.T("desk.edited"))
		if t.Format.PairsByScore() {
			field, pairing := swiss.Before(t.FieldAfter(r.Number), r.Number-1)
			if lines.objections, err = format.Judge(&t.Table, field, pairing); err != nil {
				return nil, err
			}
		}
	}
	lines.fill(view, r.Pairings, bye)
	free := bye != 0
	for i, b := range r.Pairings {
		view.Boards[i].Result, _ = words.ResultText(p, b.Result.Kind)
		view.Boards[i].IsBusy = !b.Result.IsPending() || slices.ContainsFunc(busy, func(x tournament.Pairing) bool { return x.Board == b.Board })
		free = free || !view.Boards[i].IsBusy
	}
	view.MayEdit = view.MayEdit && free
	return view, nil
}

// pairingLines renders boards with their reasons and objections.
type pairingLines struct {
	p          lang.Printer
	t          *tournament.Tournament
	round      int
	objections []tournament.Objection
	reasons    []swiss.Explanation
	scores     map[int]tournament.Score
}

func (l *pairingLines) ref(id tournament.EntryID) templates.EntryRef {
	e, _ := l.t.Entry(id) // they are in the tournament
	out := words.EntryRefOf(l.t, e)
	if l.scores == nil {
		l.scores = format.ScoresAfter(&l.t.Table, l.round-1)
	}
	if l.round > 1 {
		out.Score = words.TotalText(l.p, l.t, l.scores[e.Number])
	}
	return out
}

func (l *pairingLines) fill(view *deskview.DraftView, boards []tournament.Pairing, bye tournament.EntryID) {
	number := func(id tournament.EntryID) int { e, _ := l.t.Entry(id); return e.Number }
	for _, b := range boards {
		line := deskview.DraftLine{Board: words.Itoa(b.Board), First: l.ref(b.First), Second: l.ref(b.Second), A: words.Itoa(int(b.First)),
			B: words.Itoa(int(b.Second))}
		l.say(&line, number(b.First), number(b.Second))
		view.Boards = append(view.Boards, line)
	}
	if bye != 0 && l.t.Format.PairsByScore() {
		line := deskview.DraftLine{Board: "bye", First: l.ref(bye), A: words.Itoa(int(bye))}
		l.say(&line, number(bye), 0)
		view.Bye = &line
	}
	for _, o := range l.objections {
		if o.First == 0 {
			view.Whole = append(view.Whole, l.p.T("desk.whole", "Rule", ruleName(o.Rule), "Why", l.p.T("desk.rule."+o.Rule)))
		}
	}
}

// say adds why a board was paired and the rules it breaks.
func (l *pairingLines) say(line *deskview.DraftLine, first, second int) {
	names := event.NamesByNumber(l.p, l.t)
	for _, o := range l.objections {
		if o.First == first && o.Second == second {
			line.Warnings = append(line.Warnings, l.p.T("desk.warning", "Rule", ruleName(o.Rule), "Why",
				l.p.T("desk.rule."+o.Rule, "Round", o.Round)))
		}
	}
	for _, e := range l.reasons {
		if e.First == first && e.Second == second {
			line.Why = words.ReasonsText(l.p, e.Reasons, names)
		}
	}
}

// ruleName is the number of a criterion in the FIDE handbook; empty for other rules.
func ruleName(rule string) string {
	switch number, ofTeams := strings.CutPrefix(rule, "team."); {
	case !strings.HasPrefix(number, "C"):
	case ofTeams:
		return "C.04.6 " + number + ": "
	default:
		return "C.04.3 " + rule + ": "
	}
	return ""
}
