package web

import (
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/tournament"
)

// candidate is the viewer as he would enter now.
func (s *Server) candidate(c echo.Context) (me tournament.Candidate, err error) {
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		list, err := arbiter.Candidates(tx, s.now(), viewer(c).Player)
		if err == nil {
			me = list[0]
		}
		return err
	})
	return me, err
}

// ownEntry is the viewer's place in the tournament and what he may do about it.
func (s *Server) ownEntry(c echo.Context, t *tournament.Tournament) (templates.OwnEntry, error) {
	p, v := s.printer(c), viewer(c)
	o := templates.OwnEntry{URL: tournamentURL(t.ID)}
	if !v.IsSignedIn() {
		o.SignIn = t.Status == tournament.Registration
		return o, nil
	}
	e, entered := t.EntryOf(v.ID)
	if !entered || e.Status == tournament.Withdrawn && e.Number == 0 {
		me, err := s.candidate(c)
		if err != nil {
			return o, err
		}
		me.Code = t.Settings.Entry.Code
		_, err = t.Entering(v, me, s.now())
		if o.MayEnter = err == nil && t.Status == tournament.Registration; err != nil && t.Status == tournament.Registration {
			_, key, _ := explain(err)
			o.Refusal = p.T(key)
		}
		return o, nil
	}
	if e.Status == tournament.Withdrawn {
		o.State = p.T("tournament.you-left")
		return o, nil
	}
	if t.Status.IsOver() {
		return o, nil
	}
	o.State, o.MayLeave = p.T("tournament.you-are-in"), true
	if n := len(t.Rounds); n > 0 {
		for _, b := range t.Rounds[n-1].Pairings {
			if b.SeatOf(e.ID).Valid() && b.Result.IsPending() && b.Match != "" {
				o.PlayURL, o.PlayText = matchURL(b.Match), p.T("tournament.play-now", "Round", n)
			}
		}
	}
	if t.Format == tournament.Swiss && t.Status == tournament.Running {
		for n := len(t.Rounds) + 1; n <= t.Settings.Rounds; n++ {
			if !slices.ContainsFunc(e.Byes, func(b tournament.AskedBye) bool { return b.Round == n }) {
				o.ByeRounds = append(o.ByeRounds, templates.Choice{Value: itoa(n), Text: p.T("tournament.round-n", "Round", n)})
			}
		}
	}
	return o, nil
}
