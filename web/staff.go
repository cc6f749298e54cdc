package web

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

func (s *Server) staffRoutes() []route {
	return []route{
		{get, "/tournaments/:id/staff", s.staffPage, signedIn},
		{post, "/tournaments/:id/staff", s.appoint, signedIn},
		{post, "/tournaments/:id/staff/accept", s.acceptDuty, signedIn},
		{post, "/tournaments/:id/staff/decline", s.declineDuty, signedIn},
		{post, "/tournaments/:id/staff/dismiss", s.dismiss, signedIn},
	}
}

func (s *Server) staffPage(c echo.Context) error { return s.showStaff(c, nil) }

// showStaff shows who runs a tournament; refused is why an appointment was not made.
func (s *Server) showStaff(c echo.Context, refused error) error {
	t, err := s.tournamentFor(c, tournament.ActDesk)
	if err != nil {
		return err
	}
	p := s.printer(c)
	view, err := s.staffView(c, t)
	if err != nil {
		return err
	}
	status := s.refuseStaff(c, &view, refused)
	return s.render(c, status, tournamentview.StaffPage(s.tournamentShell(c, t, p.T("staff.title"), "staff"), view))
}

// refuseStaff says at the form why an appointment was not made.
func (s *Server) refuseStaff(c echo.Context, view *tournamentview.StaffView, refused error) int {
	if refused == nil {
		return http.StatusOK
	}
	status, key, _ := explain(refused)
	if status == http.StatusNotFound {
		status, key = http.StatusUnprocessableEntity, "tournament.error.no-player"
	}
	if view.Problem = s.printer(c).T(key); view.Invite != nil {
		view.Invite.Handle.Value, view.Invite.Handle.Error = shorten(c.FormValue("handle"), 40), view.Problem
		view.Problem = ""
	}
	return status
}

func (s *Server) staffView(c echo.Context, t *tournament.Tournament) (tournamentview.StaffView, error) {
	p, v := s.printer(c), viewer(c)
	view := tournamentview.StaffView{Head: s.tournamentHead(c, t, "/staff"), URL: tournamentURL(t.ID)}
	ids := make([]player.ID, 0, len(t.Staff)+len(t.ClubStaff))
	for _, m := range t.Staff {
		ids = append(ids, m.Player)
	}
	for _, m := range t.ClubStaff {
		ids = append(ids, m.Player)
	}
	var names map[player.ID]player.Player
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		names, err = tx.Players(ids...)
		return err
	})
	if err != nil {
		return view, err
	}
	mayChange := t.May(v, tournament.ActStaff)
	for _, m := range t.Staff {
		handle := names[m.Player].Handle
		l := tournamentview.StaffLine{
			Handle: string(handle), URL: playerURL(handle), Duty: p.T("staff.duty." + m.Duty.String()), Since: p.Moment(m.Since), Invited: m.Invited, IsMe: v.Is(m.Player),
			Dismiss: p.T("staff.dismiss"), Confirm: p.T("staff.dismiss-sure", "Name", string(handle)),
		}
		if l.IsMe {
			l.Dismiss, l.Confirm = p.T("staff.leave"), p.T("staff.leave-sure")
		}
		l.MayDismiss = t.Clone().Dismiss(v, m.Player) == nil
		if mayChange && t.Clone().Appoint(v, m.Player, otherDuty(m.Duty), s.now()) == nil {
			l.Change = dutyChoices(p, m.Duty)
		}
		view.Members = append(view.Members, l)
	}
	for _, m := range t.ClubStaff {
		handle := names[m.Player].Handle
		duty := t.DutyOf(player.Viewer{Player: player.Player{ID: m.Player}})
		if duty == 0 || slices.ContainsFunc(t.Staff, func(o tournament.Member) bool { return o.Player == m.Player && o.Duty == duty }) {
			continue
		}
		view.Club = append(view.Club, tournamentview.StaffLine{Handle: string(handle), URL: playerURL(handle), Duty: p.T("staff.duty." + duty.String())})
	}
	if mayChange {
		view.Invite = &tournamentview.StaffInvite{
			Handle: templates.Field{Name: "handle", Label: p.T("tournament.add-handle"), Max: 21, Required: true, Autocomplete: "off"}, Duties: dutyChoices(p, tournament.Arbiter),
		}
	}
	for _, d := range tournament.Duties {
		view.Words = append(view.Words, p.T("staff.duty."+d.String()))
		view.Duties = append(view.Duties, fact(p.T("staff.duty."+d.String()), p.T("staff.what."+d.String())))
	}
	for _, a := range tournament.StaffActs() {
		view.Acts = append(view.Acts, staffAct(p, a))
	}
	return view, nil
}

// staffAct is a row of the matrix.
func staffAct(p lang.Printer, a tournament.Act) tournamentview.StaffAct {
	row := tournamentview.StaffAct{Text: p.T("staff.act." + string(a))}
	for _, d := range tournament.Duties {
		one := &tournament.Tournament{Staff: []tournament.Member{{Player: "one", Duty: d}}}
		row.May = append(row.May, one.May(player.Viewer{Player: player.Player{ID: "one", Role: player.Plain}}, a))
	}
	return row
}

func otherDuty(d tournament.Duty) tournament.Duty {
	if d == tournament.Reader {
		return tournament.Results
	}
	return tournament.Reader
}

func dutyChoices(p lang.Printer, chosen tournament.Duty) []templates.Choice {
	var list []templates.Choice
	for _, d := range tournament.Duties {
		list = append(list, templates.Choice{Value: d.String(), Text: p.T("staff.duty." + d.String()), Chosen: d == chosen})
	}
	return list
}

// appoint invites somebody, or gives one of the staff another duty.
func (s *Server) appoint(c echo.Context) error {
	duty, err := tournament.ParseDuty(c.FormValue("duty"))
	if err != nil {
		return errBadRequest
	}
	id := tournament.ID(c.Param("id"))
	return s.staffDone(c, s.arbiter.Appoint(c.Request().Context(), viewer(c), id, handleOf(c), duty))
}

func (s *Server) dismiss(c echo.Context) error {
	id, handle := tournament.ID(c.Param("id")), handleOf(c)
	err := s.arbiter.Dismiss(c.Request().Context(), viewer(c), id, handle)
	if err == nil && player.Handle(handle).Key() == viewer(c).Handle.Key() {
		return s.redirect(c, tournamentURL(id), "flash.saved")
	}
	return s.staffDone(c, err)
}

// handleOf is the handle of a form, with or without its sign.
func handleOf(c echo.Context) string {
	text := shorten(c.FormValue("handle"), 40)
	if len(text) > 0 && text[0] == '@' {
		return text[1:]
	}
	return text
}

func (s *Server) staffDone(c echo.Context, err error) error {
	if err != nil {
		if status, _, known := explain(err); known && status != http.StatusForbidden {
			return s.showStaff(c, err)
		}
		return err
	}
	return s.redirect(c, tournamentURL(tournament.ID(c.Param("id")))+"/staff", "flash.saved")
}

func (s *Server) acceptDuty(c echo.Context) error {
	return s.do(c, s.arbiter.AcceptDuty, "flash.staff-accepted")
}

func (s *Server) declineDuty(c echo.Context) error {
	id := tournament.ID(c.Param("id"))
	if err := s.arbiter.Dismiss(c.Request().Context(), viewer(c), id, string(viewer(c).Handle)); err != nil {
		return err
	}
	return s.redirect(c, "/tournaments", "flash.saved")
}

// invitationOf is the viewer's invitation to the staff, nil without one.
func invitationOf(p lang.Printer, v player.Viewer, t *tournament.Tournament) *templates.Invitation {
	for _, m := range t.Staff {
		if v.Is(m.Player) && m.Invited {
			return &templates.Invitation{Text: p.T("staff.invitation", "Duty", p.T("staff.duty."+m.Duty.String())), URL: tournamentURL(t.ID)}
		}
	}
	return nil
}
