package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/assurance"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/call"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// callsPage shows the calls of a tournament to those who answer them.
func (s control) callsPage(c echo.Context) error {
	t, err := s.TournamentFor(c, tournament.ActCalls)
	if err != nil {
		return err
	}
	view, err := s.callsView(c, t)
	if err != nil {
		return err
	}
	sh := s.TournamentShell(c, t, s.Printer(c).T("calls.queue"), "calls")
	sh.Styles = append(sh.Styles, "calls.css")
	return s.Render(c, http.StatusOK, deskview.CallsPage(sh, view))
}

func (s control) callsView(c echo.Context, t *tournament.Tournament) (deskview.CallsView, error) {
	p, me := s.Printer(c), page.Viewer(c)
	view := deskview.CallsView{Head: s.TournamentHead(c, t, "/calls")}
	var open, settled []call.Call
	var accounts map[player.ID]player.Player
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if open, err = tx.OpenCalls(t.ID); err != nil {
			return err
		}
		if settled, err = tx.ResolvedCalls(t.ID); err != nil {
			return err
		}
		accounts, err = tx.Players(words.PeopleOf(append(open[:len(open):len(open)], settled...), nil)...)
		return err
	})
	if err != nil {
		return view, err
	}
	waiting := 0
	line := func(one call.Call) templates.CallLine {
		// Nobody answers a call in their own match.
		e, plays := t.EntryOf(me.ID)
		o := assurance.Capacity{Tournament: t, MayJudge: !plays || !t.PlaysIn(e.ID, one.Round, one.Board)}
		l := words.CallLine(p, one, accounts, o, me, s.Now())
		l.Back = words.TournamentURL(t.ID) + "/calls"
		l.MayWithdraw = false
		return l
	}
	for _, one := range open {
		view.Body.Open = append(view.Body.Open, line(one))
		if one.TakenBy == "" {
			waiting++
		}
	}
	for _, one := range settled {
		view.Body.Settled = append(view.Body.Settled, line(one))
	}
	view.Body.Summary = p.N("calls.waiting", waiting)
	if len(open) == 0 {
		view.Body.Summary = p.T("calls.none")
	}
	return view, nil
}
