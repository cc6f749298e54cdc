package fairplay

import (
	"crypto/ed25519"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/judges"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/fairplay/review"
	"chpok.org/chpok/player"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	fairplayview "chpok.org/chpok/templates/fairplay"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/web/event"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

// fairPlay renders the page of the text, the levels and the key.
func (s pages) fairPlay(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	view := fairplayview.FairPlayPageView{
		Blocks: words.LongText("fair-play", p.Lang), Version: words.Itoa(fairplay.TextVersion), Hash: words.FairPlayHash(p.Lang),
		Resistance: resistanceTable(p),
	}
	for _, level := range fairplay.Levels {
		view.Levels = append(view.Levels, form.PolicyCard(p, fairplay.Preset(level)))
	}
	key, err := s.Arbiter.SiteKey(c.Request().Context())
	if err != nil {
		return err
	}
	view.Key = fairplay.KeyText(key.Public().(ed25519.PublicKey))
	if v.IsSignedIn() && !v.Bot {
		view.Accepted, err = s.AcceptedText(c, p)
		if err != nil {
			return err
		}
		if view.Accepted == "" {
			view.Accept = words.TextAccept(p, "/fair-play")
		}
	}
	sh := s.Shell(c, p.T("fairplay.title"))
	sh.Section, sh.Styles = "rules", []string{"fairplay.css"}
	return s.Render(c, http.StatusOK, fairplayview.FairPlayPage(sh, view))
}

// myFairPlay shows all that is recorded about the viewer.
func (s pages) myFairPlay(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	var list []review.Signal
	var with page.SignalPeople
	var events []templates.Link
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if list, err = tx.SignalsOf(v.ID); err != nil {
			return err
		}
		if events, err = recordedEvents(tx, p, v.ID); err != nil {
			return err
		}
		with, err = page.ReadSignalPeople(tx, list)
		return err
	})
	if err != nil {
		return err
	}
	view := fairplayview.MyFairPlayView{Handle: string(v.Handle), Signals: with.Lines(p, list), Events: events}
	if view.Accepted, err = s.AcceptedText(c, p); err != nil {
		return err
	}
	if view.Accepted == "" {
		view.Accepted = p.T("fairplay.accept.none")
	}
	sh := s.Shell(c, p.T("fairplay.me.title"))
	return s.Render(c, http.StatusOK, fairplayview.MyFairPlayPage(sh, view))
}

// recordedEvents returns links to a player's own fair-play page in each place where they played.
func recordedEvents(tx *store.Tx, p lang.Printer, id player.ID) ([]templates.Link, error) {
	places, err := tx.PlacesOf(id)
	if err != nil {
		return nil, err
	}
	names, err := tx.PlaceNames(places...)
	var out []templates.Link
	for _, in := range places {
		out = append(out, templates.Link{Text: placeText(p, in, names[in]), URL: judges.DossierPath(in, "me")})
	}
	return out, err
}

// tournamentFairPlay renders the fair-play page for the arbiters of a tournament.
func (s pages) tournamentFairPlay(c echo.Context) error {
	return s.showTournamentFairPlay(c, http.StatusOK, fairplayview.AdmitForm{}, "")
}

func (s pages) showTournamentFairPlay(c echo.Context, status int, admit fairplayview.AdmitForm, wrong string) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	p, v := s.Printer(c), page.Viewer(c)
	if !t.May(v, tournament.ActWatch) {
		return page.ErrForbidden
	}
	view := fairplayview.TournamentFairPlay{Head: s.TournamentHead(c, t, "/fair-play"), URL: words.TournamentURL(t.ID)}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if view.Card, err = s.TournamentCard(tx, p, player.Viewer{}, t); err != nil {
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
	if view.Last, err = event.LastRoundView(p, t); err != nil {
		return err
	}
	if t.Policy.CheckIn.Demanded {
		view.CheckIns = view.URL + "/fair-play/check-ins"
	}
	if t.May(v, tournament.ActReview) {
		accounts, err := s.Who(c, t)
		if err != nil {
			return err
		}
		view.Stewards = words.TournamentURL(t.ID) + "/steward"
		for _, e := range t.Entries {
			if e.Player != "" && !e.Bot && !v.Is(e.Player) {
				view.Players = append(view.Players, templates.Link{Text: e.Name, URL: judges.DossierPath(t.ID.Place(), accounts[e.Player].Handle)})
			}
		}
	}
	if t.May(v, tournament.ActWaive) && !t.Status.IsOver() && t.Policy.OrOpen().Level > fairplay.Open {
		fillAdmit(p, &admit, c.Request().Form["without"])
		view.Admit = &admit
	}
	if t.May(v, tournament.ActPolicy) && !t.Status.IsOver() {
		form := form.PolicyFields(p, t.Policy.OrOpen(), c.Request().Form, wrong)
		view.Form = &form
	}
	sh := s.TournamentShell(c, t, p.T("fairplay.title"), "fair-play")
	sh.Feed, sh.Styles = "", append(sh.Styles, "fairplay.css")
	return s.Render(c, status, fairplayview.TournamentFairPlayPage(sh, view))
}

// viewNeighbours adds the drafted opponents who share a browser or a network, and the form for the event's venue.
func (s pages) viewNeighbours(tx *store.Tx, p lang.Printer, v player.Viewer, t *tournament.Tournament,
	view *fairplayview.TournamentFairPlay) error {
	list, err := s.Arbiter.NeighboursInDraft(tx, t)
	if err != nil {
		return err
	}
	for _, n := range list {
		first, _ := t.Entry(n.First)
		second, _ := t.Entry(n.Second)
		view.Neighbours = append(view.Neighbours, p.T("fairplay.neighbours.line", "Board", words.Itoa(n.Board),
			"First", words.EntryName(p, first), "Second", words.EntryName(p, second))+" "+p.T("fairplay.signal."+string(n.Kind)))
	}
	if t.Policy.OrOpen().Level <= fairplay.Open || t.Status.IsOver() || !t.May(v, tournament.ActVenue) {
		return nil
	}
	venues, err := tx.Venues(t.ID)
	view.Venue = &fairplayview.VenueForm{URL: words.TournamentURL(t.ID) + "/fair-play/venue",
		Named: p.T("fairplay.venue.named", "N", len(venues)), May: len(venues) > 0}
	return err
}

// setVenue names the arbiter's network as a venue of the event, or forgets all venues.
func (s pages) setVenue(c echo.Context) error {
	ctx, id := c.Request().Context(), tournament.ID(c.Param("id"))
	var err error
	if c.FormValue("do") == "forget" {
		err = s.Arbiter.Judges.ForgetVenues(ctx, page.Viewer(c), id)
	} else {
		err = s.nameOwnVenue(c, id)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/fair-play", "flash.saved")
}

// nameOwnVenue names the network that the request comes from.
func (s pages) nameOwnVenue(c echo.Context, id tournament.ID) error {
	pepper, err := s.Arbiter.Pepper(c.Request().Context())
	if err != nil {
		return err
	}
	return s.Arbiter.Judges.NameVenue(c.Request().Context(), page.Viewer(c), id, page.NetworkOf(c, pepper))
}

// signalsIn returns the signals in the matches of a tournament.
func signalsIn(tx *store.Tx, p lang.Printer, t *tournament.Tournament) ([]templates.SignalLine, error) {
	list, err := tx.SignalsIn(t.Matches())
	if err != nil {
		return nil, err
	}
	with, err := page.ReadSignalPeople(tx, list)
	return with.Lines(p, list), err
}

// fillAdmit completes the form that admits a player, with the chosen demands to waive.
func fillAdmit(p lang.Printer, admit *fairplayview.AdmitForm, without []string) {
	admit.Handle.Name, admit.Handle.Label, admit.Handle.Max, admit.Handle.Autocomplete = "handle", p.T("tournament.add-handle"), 20, "off"
	admit.Reason.Name, admit.Reason.Label, admit.Reason.Max, admit.Reason.Required = "reason", p.T("fairplay.admit.reason"), 200, true
	for _, d := range fairplay.Waivable {
		admit.Demands = append(admit.Demands, templates.Choice{Value: string(d), Text: p.T("fairplay.demand." + string(d)),
			Chosen: slices.Contains(without, string(d))})
	}
}

// onePerson returns groups of entries that seem to be one person by the words of issuers: a question, not a proof.
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

// assuranceLines returns the matches of a tournament with their demanded and achieved levels.
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
				Round: words.Itoa(r.Number), Board: words.Itoa(b.Board), URL: words.MatchURL(b.Match),
				Match:    words.EntryName(p, first) + " – " + words.EntryName(p, second),
				Demanded: form.LevelText(p, h.Level), Achieved: levelOrNone(p, h.Achieved),
			})
		}
	}
	return lines, nil
}

// setTournamentPolicy changes the policy from the next round on.
func (s pages) setTournamentPolicy(c echo.Context) error {
	values, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	t, err := s.Arbiter.Tournament(c.Request().Context(), tournament.ID(c.Param("id")))
	if err != nil {
		return err
	}
	policy, err := form.ReadPolicy(values, t.Policy)
	if err == nil {
		err = s.Arbiter.Events.SetPolicy(c.Request().Context(), page.Viewer(c), tournament.ID(c.Param("id")), policy)
	}
	switch {
	case errors.Is(err, fairplay.ErrLoose):
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, fairplayview.AdmitForm{}, form.PolicyTrouble(s.Printer(c), err))
	case words.ProblemsOf(err) != nil:
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, fairplayview.AdmitForm{},
			form.ProblemText(s.Printer(c), words.ProblemsOf(err)[0]))
	case err != nil:
		return err
	}
	return s.Redirect(c, words.TournamentURL(tournament.ID(c.Param("id")))+"/fair-play", "flash.saved")
}

// admitEntry enters a player for whom an arbiter waives demands.
func (s pages) admitEntry(c echo.Context) error {
	values, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	admit := fairplayview.AdmitForm{
		Handle: templates.Field{Value: words.Shorten(c.FormValue("handle"), 40)},
		Reason: templates.Field{Value: strings.TrimSpace(words.Shorten(c.FormValue("reason"), 200))},
	}
	var without []fairplay.Demand
	for _, d := range fairplay.Waivable {
		if slices.Contains(values["without"], string(d)) {
			without = append(without, d)
		}
	}
	p := s.Printer(c)
	if admit.Reason.Value == "" {
		admit.Reason.Error = p.T("fairplay.admit.no-reason")
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, admit, "")
	}
	_, err = s.Arbiter.Entries.Admit(c.Request().Context(), kernel.For(page.Viewer(c), admit.Reason.Value), tournament.ID(c.Param("id")),
		admit.Handle.Value, without)
	var unmet *fairplay.UnmetError
	switch {
	case err == nil:
		return s.Redirect(c, words.TournamentURL(tournament.ID(c.Param("id")))+"/fair-play", "flash.saved")
	case errors.As(err, &unmet):
		admit.Trouble = p.T("fairplay.admit.unmet") + " " + form.DemandTexts(p, unmet)
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, admit, "")
	case errors.Is(err, kernel.ErrNoPlayer):
		admit.Handle.Error = page.TextOf(p, err)
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, admit, "")
	}
	if page.IsRefusal(err) {
		admit.Trouble = page.TextOf(p, err)
		return s.showTournamentFairPlay(c, http.StatusUnprocessableEntity, admit, "")
	}
	return err
}
