package web

import (
	"crypto/ed25519"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
)

// fairPlay is the page of the text, the levels and the key.
func (s *Server) fairPlay(c echo.Context) error {
	p, v := s.printer(c), viewer(c)
	view := fairplayview.FairPlayPageView{
		Blocks: parseText(fairplay.Text(string(p.Lang))), Version: itoa(fairplay.TextVersion), Hash: fairplay.TextHash(), Rows: resistanceRows(p),
	}
	for _, level := range fairplay.Levels {
		view.Levels = append(view.Levels, policyCard(p, fairplay.Preset(level)))
	}
	key, err := s.arbiter.SiteKey(c.Request().Context())
	if err != nil {
		return err
	}
	view.Key = fairplay.KeyText(key.Public().(ed25519.PublicKey))
	if v.IsSignedIn() && !v.Bot {
		view.Accepted, err = s.acceptedText(c, p)
		if err != nil {
			return err
		}
		if view.Accepted == "" {
			view.Accept = textAccept("/fair-play")
		}
	}
	sh := s.shell(c, p.T("fairplay.title"))
	sh.Section, sh.Styles = "rules", []string{"fairplay.css"}
	return s.render(c, http.StatusOK, fairplayview.FairPlayPage(sh, view))
}

// acceptedText says when the viewer accepted the text; empty: he has not.
func (s *Server) acceptedText(c echo.Context, p lang.Printer) (text string, err error) {
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) error {
		accepted, err := tx.TextAccepted(viewer(c).ID)
		if at, has := accepted[viewer(c).ID]; has {
			text = p.T("fairplay.accept.done", "Version", itoa(fairplay.TextVersion), "Date", p.Date(at))
		}
		return err
	})
	return text, err
}

func textAccept(back string) *templates.TextAccept {
	return &templates.TextAccept{Hash: fairplay.TextHash(), Return: back, Version: itoa(fairplay.TextVersion)}
}

// myFairPlay is everything that is recorded about the viewer.
func (s *Server) myFairPlay(c echo.Context) error {
	p, v := s.printer(c), viewer(c)
	var list []fairplay.Signal
	var with signalPeople
	var events []templates.Link
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if list, err = tx.SignalsOf(v.ID); err != nil {
			return err
		}
		if events, err = recordedEvents(tx, v.ID); err != nil {
			return err
		}
		with, err = readSignalPeople(tx, list)
		return err
	})
	if err != nil {
		return err
	}
	view := fairplayview.MyFairPlayView{Handle: string(v.Handle), Signals: with.lines(p, list), Events: events}
	if view.Accepted, err = s.acceptedText(c, p); err != nil {
		return err
	}
	if view.Accepted == "" {
		view.Accepted = p.T("fairplay.accept.none")
	}
	sh := s.shell(c, p.T("fairplay.me.title"))
	return s.render(c, http.StatusOK, fairplayview.MyFairPlayPage(sh, view))
}

// recordedEvents are the tournaments of a player in which anything is demanded.
func recordedEvents(tx *store.Tx, id player.ID) ([]templates.Link, error) {
	entered, err := tx.TournamentsEnteredBy(id)
	var out []templates.Link
	for _, e := range entered {
		out = append(out, templates.Link{Text: e.Name, URL: tournamentURL(e.ID) + "/fair-play/me"})
	}
	return out, err
}

// signalPeople are the matches and players that signals are about.
type signalPeople struct {
	heads map[match.ID]store.Head
	who   map[player.ID]player.Player
}

func readSignalPeople(tx *store.Tx, list []fairplay.Signal) (w signalPeople, err error) {
	var ids []match.ID
	for _, s := range list {
		ids = append(ids, s.Match)
	}
	if w.heads, err = tx.Matches(ids); err != nil {
		return w, err
	}
	var players []player.ID
	for _, h := range w.heads {
		players = append(players, h.Players[:]...)
	}
	w.who, err = tx.Players(players...)
	return w, err
}

func (w signalPeople) lines(p lang.Printer, list []fairplay.Signal) []fairplayview.SignalLine {
	out := make([]fairplayview.SignalLine, len(list))
	for i, s := range list {
		h := w.heads[s.Match]
		out[i] = fairplayview.SignalLine{
			When: p.DateTime(s.At), Stamp: p.Stamp(s.At), Player: string(w.who[s.Player].Handle), PlayerURL: playerURL(w.who[s.Player].Handle),
			Text: p.T("fairplay.signal." + string(s.Kind)), Means: p.T("fairplay.signal-means." + string(s.Kind)),
			Match: string(w.who[h.Players[0]].Handle) + " – " + string(w.who[h.Players[1]].Handle), MatchURL: matchURL(s.Match),
		}
		if s.Move > 0 {
			out[i].Text += " " + p.T("fairplay.at-move", "Move", p.Int(s.Move))
		}
	}
	return out
}

// tournamentFairPlay is what the arbiters of a tournament see.
func (s *Server) tournamentFairPlay(c echo.Context) error {
	return s.showTournamentFairPlay(c, http.StatusOK, fairplayview.AdmitForm{}, "")
}

func (s *Server) showTournamentFairPlay(c echo.Context, status int, admit fairplayview.AdmitForm, wrong string) error {
	t, err := s.seenTournament(c)
	if err != nil {
		return err
	}
	p, v := s.printer(c), viewer(c)
	if !t.May(v, tournament.ActWatch) {
		return errForbidden
	}
	view := fairplayview.TournamentFairPlay{Head: s.tournamentHead(c, t, "/fair-play"), URL: tournamentURL(t.ID)}
	err = s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if view.Card, err = s.tournamentCard(tx, p, player.Viewer{}, t); err != nil {
			return err
		}
		if view.Signals, err = signalsIn(tx, p, t); err != nil {
			return err
		}
		if t.May(v, tournament.ActReview) {
			if view.Persons, err = onePerson(tx, t); err != nil {
				return err
			}
		}
		if view.Matches, err = assuranceLines(tx, p, t); err != nil {
			return err
		}
		return s.viewNeighbours(tx, p, v, t, &view)
	})
	if err != nil {
		return err
	}
	if view.Last, err = lastRoundView(p, t); err != nil {
		return err
	}
	if t.Policy.CheckIn.Demanded {
		view.CheckIns = view.URL + "/fair-play/check-ins"
	}
	if t.May(v, tournament.ActReview) {
		view.Stewards = tournamentURL(t.ID) + "/steward"
		for _, e := range t.Entries {
			if e.Player != "" && !e.Bot && !v.Is(e.Player) {
				view.Players = append(view.Players, templates.Link{Text: e.Name, URL: arbiter.DossierPath(t.ID, e.ID)})
			}
		}
	}
	if t.May(v, tournament.ActWaive) && !t.Status.IsOver() && t.Policy.OrOpen().Level > fairplay.Open {
		fillAdmit(p, &admit, c.Request().Form["without"])
		view.Admit = &admit
	}
	if t.May(v, tournament.ActPolicy) && !t.Status.IsOver() {
		form := policyFields(p, t.Policy.OrOpen(), c.Request().Form, wrong)
		view.Form = &form
	}
	sh := s.tournamentShell(c, t, p.T("fairplay.title"), "fair-play")
	sh.Feed, sh.Styles = "", append(sh.Styles, "fairplay.css")
	return s.render(c, status, fairplayview.TournamentFairPlayPage(sh, view))
}

// viewNeighbours is what the arbiters see of opponents who share a browser or a
// network, before they play, and of the event's venues.
func (s *Server) viewNeighbours(tx *store.Tx, p lang.Printer, v player.Viewer, t *tournament.Tournament, view *fairplayview.TournamentFairPlay) error {
	list, err := s.arbiter.NeighboursInDraft(tx, t)
	if err != nil {
		return err
	}
	for _, n := range list {
		first, _ := t.Entry(n.First)
		second, _ := t.Entry(n.Second)
		view.Neighbours = append(view.Neighbours, p.T("fairplay.neighbours.line", "Board", itoa(n.Board), "First", first.Name, "Second", second.Name)+" "+p.T("fairplay.signal."+string(n.Kind)))
	}
	if t.Policy.OrOpen().Level <= fairplay.Open || t.Status.IsOver() || !t.May(v, tournament.ActVenue) {
		return nil
	}
	venues, err := tx.Venues(t.ID)
	view.Venue = &fairplayview.VenueForm{URL: tournamentURL(t.ID) + "/fair-play/venue", Named: p.T("fairplay.venue.named", "N", len(venues)), May: len(venues) > 0}
	return err
}

// setVenue names the network from which the arbiter asks as the event's venue, or
// forgets those that were named.
func (s *Server) setVenue(c echo.Context) error {
	ctx, id := c.Request().Context(), tournament.ID(c.Param("id"))
	var err error
	if c.FormValue("do") == "forget" {
		err = s.arbiter.ForgetVenues(ctx, viewer(c), id)
	} else {
		var pepper []byte
		if pepper, err = s.arbiter.Pepper(ctx); err == nil {
			err = s.arbiter.NameVenue(ctx, viewer(c), id, networkOf(c, pepper))
		}
	}
	if err != nil {
		return err
	}
	return s.redirect(c, tournamentURL(id)+"/fair-play", "flash.saved")
}

// signalsIn is what the server noticed in a tournament.
func signalsIn(tx *store.Tx, p lang.Printer, t *tournament.Tournament) ([]fairplayview.SignalLine, error) {
	list, err := tx.SignalsIn(t.Matches())
	if err != nil {
		return nil, err
	}
	with, err := readSignalPeople(tx, list)
	return with.lines(p, list), err
}

// fillAdmit is the form that lets somebody in, with what was chosen.
func fillAdmit(p lang.Printer, admit *fairplayview.AdmitForm, without []string) {
	admit.Handle.Name, admit.Handle.Label, admit.Handle.Max, admit.Handle.Autocomplete = "handle", p.T("tournament.add-handle"), 20, "off"
	admit.Reason.Name, admit.Reason.Label, admit.Reason.Max, admit.Reason.Required = "reason", p.T("fairplay.admit.reason"), 200, true
	for _, d := range fairplay.Waivable {
		admit.Demands = append(admit.Demands, templates.Choice{Value: string(d), Text: p.T("fairplay.demand." + string(d)), Chosen: slices.Contains(without, string(d))})
	}
}

// onePerson are the entries of a tournament that seem to be one person's, by what
// issuers said of them: something to ask about, no proof.
func onePerson(tx *store.Tx, t *tournament.Tournament) (list []string, err error) {
	names := map[player.ID]string{}
	var ids []player.ID
	for _, e := range t.Entries {
		if e.Player != "" {
			names[e.Player] = e.Name
			ids = append(ids, e.Player)
		}
	}
	groups, err := tx.SamePersonsAmong(ids...)
	for _, group := range groups {
		var handles []string
		for _, id := range group {
			handles = append(handles, names[id])
		}
		list = append(list, strings.Join(handles, ", "))
	}
	return list, err
}

// assuranceLines are the matches of a tournament with what they were worth.
func assuranceLines(tx *store.Tx, p lang.Printer, t *tournament.Tournament) ([]fairplayview.AssuranceLine, error) {
	heads, err := tx.Matches(t.Matches())
	if err != nil {
		return nil, err
	}
	var lines []fairplayview.AssuranceLine
	for _, r := range t.Rounds {
		for _, b := range r.Pairings {
			h, has := heads[b.Match]
			if !has || h.Level == 0 {
				continue
			}
			first, _ := t.Entry(b.First)
			second, _ := t.Entry(b.Second)
			lines = append(lines, fairplayview.AssuranceLine{
				Round: itoa(r.Number), Board: itoa(b.Board), Match: first.Name + " – " + second.Name, URL: matchURL(b.Match),
				Demanded: levelText(p, h.Level), Achieved: levelOrNone(p, h.Achieved),
			})
		}
	}
	return lines, nil
}

// setTournamentPolicy changes what is demanded from the next round on.
func (s *Server) setTournamentPolicy(c echo.Context) error {
	values, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	t, err := s.readTournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return err
	}
	policy, err := readPolicy(values, t.Policy)
	if err == nil {
		err = s.arbiter.SetPolicy(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), policy)
	}
	var faults *tournament.SettingsError
	var loose *fairplay.PolicyError
	switch {
	case errors.As(err, &loose):
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, fairplayview.AdmitForm{}, policyTrouble(s.printer(c), loose))
	case errors.As(err, &faults):
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, fairplayview.AdmitForm{}, problemText(s.printer(c), faults.Problems[0]))
	case err != nil:
		return err
	}
	return s.redirect(c, tournamentURL(tournament.ID(c.Param("id")))+"/fair-play", "flash.saved")
}

// admitEntry lets somebody in who lacks something: an arbiter's decision.
func (s *Server) admitEntry(c echo.Context) error {
	values, err := c.FormParams()
	if err != nil {
		return errBadRequest
	}
	admit := fairplayview.AdmitForm{
		Handle: templates.Field{Value: shorten(c.FormValue("handle"), 40)}, Reason: templates.Field{Value: strings.TrimSpace(shorten(c.FormValue("reason"), 200))},
	}
	var without []fairplay.Demand
	for _, d := range fairplay.Waivable {
		if slices.Contains(values["without"], string(d)) {
			without = append(without, d)
		}
	}
	p := s.printer(c)
	if admit.Reason.Value == "" {
		admit.Reason.Error = p.T("fairplay.admit.no-reason")
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, admit, "")
	}
	_, err = s.arbiter.Admit(c.Request().Context(), viewer(c), tournament.ID(c.Param("id")), admit.Handle.Value, without, admit.Reason.Value)
	var unmet *fairplay.UnmetError
	switch {
	case err == nil:
		return s.redirect(c, tournamentURL(tournament.ID(c.Param("id")))+"/fair-play", "flash.saved")
	case errors.As(err, &unmet):
		admit.Trouble = p.T("fairplay.admit.unmet") + " " + demandTexts(p, unmet)
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, admit, "")
	case errors.Is(err, store.ErrNotFound):
		admit.Handle.Error = p.T("challenge.error.no-player")
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, admit, "")
	}
	if isRefusal(err) {
		admit.Trouble = p.T(keyOf(err))
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, admit, "")
	}
	return err
}

// tournamentCard is the card of a tournament for who might enter.
func (s *Server) tournamentCard(tx *store.Tx, p lang.Printer, v player.Viewer, t *tournament.Tournament) (templates.PolicyCard, error) {
	_, entered := t.EntryOf(v.ID)
	mayLack := !entered && t.Status == tournament.Registration
	card, err := s.cardFor(tx, p, v, t.Policy.OrOpen(), tournamentURL(t.ID), mayLack, t.OnlyArbiter()...)
	if err != nil || len(t.Rounds) == 0 {
		return card, err
	}
	watched := t.Policy.Watched().Hash() // of a board, not of the tournament
	for _, b := range t.Rounds[len(t.Rounds)-1].Pairings {
		if b.Match == "" || !b.Result.IsPending() {
			continue
		}
		frozen, err := tx.MatchPolicy(b.Match)
		if errors.Is(err, store.ErrNotFound) {
			return card, nil
		}
		if err == nil && frozen.Policy.Hash() == watched {
			continue
		}
		if hash := frozen.Policy.Hash(); err == nil && hash != card.Hash {
			card.Running, card.RunningLevel = hash, levelText(p, frozen.Policy.Level)
		}
		return card, err
	}
	return card, nil
}

// cardFor is a policy's card with what the viewer lacks; the word of somebody in
// except does not count.
func (s *Server) cardFor(tx *store.Tx, p lang.Printer, v player.Viewer, policy fairplay.Policy, back string, mayLack bool, except ...player.ID) (templates.PolicyCard, error) {
	card := policyCard(p, policy)
	if !v.IsSignedIn() || !mayLack {
		return card, nil
	}
	standing, err := arbiter.StandingOf(tx, v.Player, s.now())
	if err != nil {
		return card, err
	}
	var unmet *fairplay.UnmetError
	if errors.As(policy.Admit(policy.Counted(standing, except...), true), &unmet) {
		lacking(p, &card, unmet, back)
	}
	return card, nil
}
