package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	tournamentview "chpok.org/chpok/templates/tournament"
	"chpok.org/chpok/tournament"
)

// playersDeskView sorts the entries by what staff have to do about them.
func (s *Server) playersDeskView(c echo.Context, t *tournament.Tournament) (tournamentview.PlayersDeskView, error) {
	p, v, now := s.printer(c), viewer(c), s.now()
	view := tournamentview.PlayersDeskView{
		Head: s.tournamentHead(c, t, "/players"), URL: tournamentURL(t.ID), Facts: entryFacts(p, t, true),
		Search: shorten(c.QueryParam("q"), 60), MayEnter: t.May(v, tournament.ActEnter) && !t.Status.IsOver(), MayByes: t.May(v, tournament.ActBye) && !t.Status.IsOver(),
		MayFixBoard: t.May(v, tournament.ActFixBoard) && !t.Status.IsOver() && t.Format != tournament.ClubMatch,
		Add:         s.addEntryView(p, v, t),
	}
	if t.Status == tournament.Registration && view.MayEnter {
		view.IsOpen, view.Gate = true, p.T("entry.gate.close")
		if !t.IsOpen(now) {
			view.IsOpen, view.Gate = false, p.T("entry.gate.open")
		}
	}
	for n := len(t.Rounds) + 1; t.Format == tournament.Swiss && n <= t.Settings.Rounds; n++ {
		view.Rounds = append(view.Rounds, templates.Choice{Value: itoa(n), Text: p.T("tournament.round-n", "Round", n)})
	}
	facts, err := s.entryCandidates(c, t)
	if err != nil {
		return view, err
	}
	list := slices.Clone(t.Entries)
	slices.SortStableFunc(list, func(a, b tournament.Entry) int { return cmp.Or(cmp.Compare(a.Number, b.Number), b.Rating-a.Rating) })
	active := 0
	for _, e := range list {
		line := deskEntry(p, v, t, e)
		if who, known := facts[e.Player]; known && e.Status != tournament.Active {
			line.Failed = slices.DeleteFunc(conditionLines(p, t, &who, t.Verdicts(who, now)), func(l tournamentview.ConditionLine) bool { return l.Passed })
		}
		switch e.Status {
		case tournament.Active:
			active++
			if view.Search == "" || strings.Contains(strings.ToLower(e.Name), strings.ToLower(view.Search)) {
				view.Entries = append(view.Entries, line)
			}
		case tournament.Requested:
			view.Requests = append(view.Requests, line)
		case tournament.Withdrawn, tournament.Refused:
			view.Out = append(view.Out, line)
		}
	}
	for i, e := range t.WaitingList() {
		line := deskEntry(p, v, t, e)
		line.Number = itoa(i + 1)
		view.Waiting = append(view.Waiting, line)
	}
	view.Count = p.N("player.count", active)
	return view, nil
}

// entryCandidates is what is known today of those who ask.
func (s *Server) entryCandidates(c echo.Context, t *tournament.Tournament) (map[player.ID]tournament.Candidate, error) {
	var ids []player.ID
	for _, e := range t.Entries {
		if !e.IsGuest() && e.Status == tournament.Requested {
			ids = append(ids, e.Player)
		}
	}
	facts := map[player.ID]tournament.Candidate{}
	if len(ids) == 0 {
		return facts, nil
	}
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		found, err := tx.Players(ids...)
		if err != nil {
			return err
		}
		var players []player.Player
		for _, p := range found {
			players = append(players, p)
		}
		list, err := arbiter.Candidates(tx, s.now(), players...)
		for _, who := range list {
			facts[who.Player] = who
		}
		return err
	})
	return facts, err
}

func deskEntry(p lang.Printer, v player.Viewer, t *tournament.Tournament, e tournament.Entry) tournamentview.DeskEntry {
	l := tournamentview.DeskEntry{
		ID: itoa(int(e.ID)), Name: e.Name, Number: numberText(e.Number), Rating: numberText(e.Rating), Club: e.Club,
		Since: p.DateTime(e.EnteredAt), Bot: e.Bot, Guest: e.IsGuest(), Reason: e.Reason, FixedBoard: numberText(e.FixedBoard),
	}
	if !e.IsGuest() {
		l.URL = playerURL(player.Handle(e.Name))
	}
	isOver := t.Status.IsOver()
	switch e.Status {
	case tournament.Active:
		l.MayWithdraw = !isOver
		if e.From > 1 {
			l.Status = p.T("entry.desk.late", "Round", e.From)
		}
	case tournament.Withdrawn:
		l.Status = p.T("tournament.withdrawn")
		if e.Removed {
			l.Status = p.T("entry.desk.removed")
		}
		l.MayReadmit = t.May(v, tournament.ActReadmit) && !isOver && !e.Expelled
	case tournament.Refused:
		l.Status = p.T("entry.desk.refused")
	}
	asks := e.Status == tournament.Requested || e.Status == tournament.Waiting
	l.MayRefuse = asks && t.May(v, tournament.ActRefuse) && !isOver
	l.MayAccept = t.Clone().Accept(v, e.ID, e.EnteredAt) == nil
	for _, b := range e.Byes {
		if b.Round > len(t.Rounds) {
			l.Byes = append(l.Byes, tournamentview.AskedBye{Round: itoa(b.Round), Text: p.T("entry.bye.asked", "Round", b.Round, "Kind", byeKindText(p, b.Kind))})
		}
	}
	return l
}

// entryFacts is how one enters; staff see the code.
func entryFacts(p lang.Printer, t *tournament.Tournament, isStaff bool) []templates.TournamentFact {
	e := t.Settings.Entry
	var facts []templates.TournamentFact
	if !e.Opens.IsZero() {
		facts = append(facts, fact(p.T("entry.fact.opens"), p.DateTime(e.Opens)))
	}
	if !e.Closes.IsZero() {
		facts = append(facts, fact(p.T("entry.fact.closes"), p.DateTime(e.Closes)))
	}
	if t.Capacity > 0 {
		facts = append(facts, fact(p.T("entry.fact.places"), p.Int(t.Capacity)))
	}
	switch {
	case e.Code != "" && isStaff:
		facts = append(facts, fact(p.T("entry.code"), e.Code))
	case e.Code != "":
		facts = append(facts, fact(p.T("entry.code"), p.T("entry.fact.code")))
	}
	if e.Approval {
		facts = append(facts, fact(p.T("entry.fact.approval"), p.T("core.yes")))
	}
	if e.LateUntil > 0 {
		late := fact(p.T("entry.fact.late"), p.T("entry.fact.late-until", "Round", e.LateUntil))
		late.Hint = p.T("entry.fact.late-zero")
		if e.LateBye == tournament.HalfBye {
			late.Hint = p.T("entry.fact.late-half")
		}
		facts = append(facts, late)
	}
	if e.HalfByes > 0 {
		byes := fact(p.T("entry.fact.half-byes"), p.Int(e.HalfByes))
		if e.HalfUntil > 0 {
			byes.Hint = p.T("entry.bye.half-until", "Round", e.HalfUntil)
		}
		facts = append(facts, byes)
	}
	if e.ByeLimit > 0 {
		facts = append(facts, fact(p.T("entry.fact.byes"), p.Int(e.ByeLimit)))
	}
	return facts
}

// addEntryView is the form that enters one player; nil: the viewer enters nobody.
func (s *Server) addEntryView(p lang.Printer, v player.Viewer, t *tournament.Tournament) *tournamentview.AddEntryView {
	if !t.May(v, tournament.ActEnter) || t.Status > tournament.Running || t.Status == tournament.Running && t.Format != tournament.Swiss {
		return nil
	}
	return &tournamentview.AddEntryView{
		URL:    tournamentURL(t.ID),
		Handle: templates.Field{Name: "handle", Label: p.T("tournament.add-handle"), Max: 20, Autocomplete: "off"},
		Guest:  templates.Field{Name: "guest", Label: p.T("tournament.guest-name"), Max: tournament.MaxNameLength, Autocomplete: "off"},
		Rating: templates.Field{Name: "rating", Label: p.T("tournament.rating"), Type: "number", Autocomplete: "off"},
		Club:   templates.Field{Name: "club", Label: p.T("tournament.club"), Max: tournament.MaxNameLength, Autocomplete: "off"},
	}
}
