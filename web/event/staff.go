package event

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	eventview "chpok.org/chpok/templates/event"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// Staffed returns the tournament of the address if the viewer sees its desk.
func (s Frame) Staffed(c echo.Context) (*tournament.Tournament, error) {
	return s.TournamentFor(c, tournament.ActDesk)
}

// TournamentFor returns the tournament of the address if the viewer may act there.
func (s Frame) TournamentFor(c echo.Context, act tournament.Act) (*tournament.Tournament, error) {
	t, err := s.SeenTournament(c)
	if err == nil && !t.May(page.Viewer(c), act) {
		err = tournament.ErrNotAllowed
	}
	return t, err
}

// RefuseStaff puts into the form why an appointment was refused, and returns the status.
func (s Frame) RefuseStaff(c echo.Context, view *eventview.StaffView, refused error) int {
	if refused == nil {
		return http.StatusOK
	}
	status, text := page.RefusalStatus(s.Printer(c), refused)
	view.Problem = text
	if view.Invite != nil {
		view.Invite.Handle.Value, view.Invite.Handle.Error = words.Shorten(c.FormValue("handle"), 40), view.Problem
		view.Problem = ""
	}
	return status
}

// StaffView renders who runs a tournament and what each duty allows.
func (s Frame) StaffView(c echo.Context, t *tournament.Tournament) (eventview.StaffView, error) {
	p, v := s.Printer(c), page.Viewer(c)
	view := eventview.StaffView{Head: s.TournamentHead(c, t, "/staff"), URL: words.TournamentURL(t.ID)}
	ids := make([]player.ID, 0, len(t.Staff)+len(t.ClubStaff))
	for _, m := range t.Staff {
		ids = append(ids, m.Player)
	}
	for _, m := range t.ClubStaff {
		ids = append(ids, m.Player)
	}
	names, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (map[player.ID]player.Player, error) {
		return tx.Players(ids...)
	})
	if err != nil {
		return view, err
	}
	mayChange := t.May(v, tournament.ActStaff)
	for _, m := range t.Staff {
		handle := names[m.Player].Handle
		l := eventview.StaffLine{
			Handle: string(handle), URL: words.PlayerURL(handle), Duty: p.T("staff.duty." + m.Duty.String()), Since: p.When(m.Since),
			Invited: m.Invited, IsMe: v.Is(m.Player),
			Dismiss: p.T("staff.dismiss"), Confirm: p.T("staff.dismiss-sure", "Name", string(handle)),
		}
		if l.IsMe {
			l.Dismiss, l.Confirm = p.T("staff.leave"), p.T("staff.leave-sure")
		}
		l.MayDismiss = t.MayDismiss(v, m.Player) == nil
		if t.MayAppoint(v, m.Player) == nil {
			l.Change = words.DutyChoices(p, m.Duty)
		}
		view.Members = append(view.Members, l)
	}
	for _, m := range t.ClubStaff {
		handle := names[m.Player].Handle
		duty := t.GivenDuty(m.Player)
		if duty == 0 || slices.ContainsFunc(t.Staff, func(o tournament.Member) bool { return o.Player == m.Player && o.Duty == duty }) {
			continue
		}
		view.Club = append(view.Club, eventview.StaffLine{Handle: string(handle), URL: words.PlayerURL(handle),
			Duty: p.T("staff.duty." + duty.String())})
	}
	if mayChange {
		view.Invite = &eventview.StaffInvite{
			Handle: templates.Field{Name: "handle", Label: p.T("tournament.add-handle"), Max: 21, Required: true, Autocomplete: "off"},
			Duties: words.DutyChoices(p, tournament.Arbiter),
		}
	}
	for _, d := range tournament.Duties {
		view.Words = append(view.Words, p.T("staff.duty."+d.String()))
		view.Duties = append(view.Duties, words.Fact(p.T("staff.duty."+d.String()), p.T("staff.what."+d.String())))
	}
	for _, a := range tournament.StaffActs() {
		view.Acts = append(view.Acts, words.StaffAct(p, a))
	}
	return view, nil
}

// EntryFacts says how players enter; staff see the code.
func EntryFacts(p lang.Printer, t *tournament.Tournament, isStaff bool) []templates.TournamentFact {
	e := t.Settings.Entry
	var facts []templates.TournamentFact
	if !e.Opens.IsZero() {
		facts = append(facts, words.Fact(p.T("entry.fact.opens"), p.When(e.Opens)))
	}
	if at := t.ClosesAt(); !at.IsZero() {
		facts = append(facts, words.Fact(p.T("entry.fact.closes"), p.When(at)))
	}
	if t.Capacity > 0 {
		facts = append(facts, words.Fact(p.T("entry.fact.places"), p.Int(t.Capacity)))
	}
	switch {
	case e.Code != "" && isStaff:
		facts = append(facts, words.Fact(p.T("entry.code"), e.Code))
	case e.Code != "":
		facts = append(facts, words.Fact(p.T("entry.code"), p.T("entry.fact.code")))
	}
	if e.Approval {
		facts = append(facts, words.Fact(p.T("entry.fact.approval"), p.T("core.yes")))
	}
	if e.LateUntil > 0 {
		late := words.Fact(p.T("entry.fact.late"), p.T("entry.fact.late-until", "Round", e.LateUntil))
		late.Hint = p.T("entry.fact.late-zero")
		if e.LateBye == tournament.HalfBye {
			late.Hint = p.T("entry.fact.late-half")
		}
		facts = append(facts, late)
	}
	if e.HalfByes > 0 {
		byes := words.Fact(p.T("entry.fact.half-byes"), p.Int(e.HalfByes))
		byes.Hint = p.T("entry.bye.half-until", "Round", t.LastHalfBye())
		facts = append(facts, byes)
	}
	if e.ByeLimit > 0 {
		facts = append(facts, words.Fact(p.T("entry.fact.byes"), p.Int(e.ByeLimit)))
	}
	return facts
}
