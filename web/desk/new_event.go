package desk

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	deskoffice "chpok.org/chpok/arbiter/desk"
	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/civil"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	deskview "chpok.org/chpok/templates/desk"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/outlook"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/tournament/series"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s organizer) newEventRoutes() []page.Route {
	return []page.Route{
		page.Get("/tournaments/new", s.newEvent, page.SignedIn),
		page.Post("/tournaments/propose", s.propose, page.SignedIn),
		page.Post("/tournaments", s.createTournament, page.SignedIn),
		page.Post("/tournaments/:id/clone", s.cloneTournament, page.SignedIn),
	}
}

// eventAsked is the form of a new event: the three answers, the proposal they lead to, and what was
// changed by hand.
type eventAsked struct {
	answers  proposal.Answers
	like     *tournament.Tournament // an earlier event to repeat; nil: none
	asLike   bool                   // it is repeated in the same shape
	best     proposal.Proposal      // before anything is changed by hand
	shapes   []proposal.Proposal    // to choose from, the best first
	isAsked  bool                   // with the questions; false: the long form came alone
	proposed url.Values             // the long form as proposed
	values   url.Values             // the long form as it is now
	settings tournament.Settings
	problems []tournament.Problem
	forecast outlook.Forecast
}

// Fields of the three questions; all others belong to the long form.
const (
	askPeople = "people"
	askOther  = "people_other"
	askTeams  = "teams"
	askDay    = "day"
	askTime   = "time"
	askUntil  = "over_by"
	askStake  = "stake"
	askShape  = "shape"
	askShaped = "shaped" // the shape that the form showed as chosen
	askLike   = "like"
	askWas    = "was" // the long form as proposed last, to find what was changed by hand
)

func (s organizer) newEvent(c echo.Context) error {
	if err := s.MayHold(c); err != nil {
		return err
	}
	if c.Request().Header.Get("Accept") == words.FragmentType { // a ready-made envelope
		p, settings := s.Printer(c), tournament.DefaultSettings(tournament.RoundRobin)
		settings.Envelope = form.EnvelopeNamed(c.QueryParam("envelope"))
		return s.Render(c, http.StatusOK, templates.EnvelopeFields(page.EnvelopeForm(p, form.ValuesOf(p, settings), nil)))
	}
	e, err := s.readEvent(c, c.QueryParams())
	if err != nil {
		return err
	}
	return s.showNewEvent(c, e, http.StatusOK)
}

// propose answers the form while it is filled in, with the proposal and the long form that follows from it.
func (s organizer) propose(c echo.Context) error {
	e, err := s.filledEvent(c)
	if err != nil {
		return err
	}
	if c.Request().Header.Get("Accept") != words.FragmentType { // a browser without scripts
		return s.showNewEvent(c, e, http.StatusOK)
	}
	view, err := s.newEventView(c, e)
	if err != nil {
		return err
	}
	return s.Render(c, http.StatusOK, deskview.ProposedFragments(view, c.QueryParam("part") == "card"))
}

func (s organizer) filledEvent(c echo.Context) (*eventAsked, error) {
	if err := s.MayHold(c); err != nil {
		return nil, err
	}
	values, err := c.FormParams()
	if err != nil {
		return nil, page.ErrBadRequest
	}
	return s.readEvent(c, values)
}

// createTournament makes the event of the form. A program may send the long form alone.
func (s organizer) createTournament(c echo.Context) error {
	e, err := s.filledEvent(c)
	if err != nil {
		return err
	}
	if len(e.problems) > 0 {
		return s.showNewEvent(c, e, http.StatusUnprocessableEntity)
	}
	ctx, by := c.Request().Context(), page.Viewer(c)
	isDraft := c.FormValue("do") == "draft"
	id, err := s.Arbiter.Events.Create(ctx, by, e.settings, !isDraft)
	if e.problems = words.ProblemsOf(err); e.problems != nil {
		return s.showNewEvent(c, e, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	if !e.isAsked {
		return s.Redirect(c, words.TournamentURL(id), "flash.tournament-created")
	}
	if e.answers.Starts.After(s.Now()) && e.settings.Pace.OpensByItself() {
		if err := s.Arbiter.Desk.Postpone(ctx, kernel.Step{By: by}, id, deskoffice.NewTime{Round: 1, To: e.answers.Starts}); err != nil {
			return err
		}
	}
	if isDraft || !e.settings.HasDoor() {
		return s.Redirect(c, words.TournamentURL(id), "flash.tournament-created")
	}
	if _, err := s.Arbiter.Entries.OpenDoor(ctx, by, id); err != nil {
		return err
	}
	return s.Redirect(c, words.DoorDeskURL(id), "")
}

// readEvent reads the form and makes its proposal. Missing answers get likely values; changes by hand to
// the long form stay.
func (s organizer) readEvent(c echo.Context, v url.Values) (*eventAsked, error) {
	e := &eventAsked{}
	d, _, err := s.Arbiter.Events.Durations(c.Request().Context())
	if err != nil {
		return nil, err
	}
	if e.like, err = s.likeEvent(c, v.Get(askLike)); err != nil {
		return nil, err
	}
	p := s.InZone(c, s.zoneAsked(c, v.Get("zone"), e.like))
	e.answers = answersOf(p, v, s.Now(), e.like)
	e.answers.MeasuredFrom = d
	e.asLike = e.like != nil && e.answers.Teams == teamsOf(e.like) && (v.Get(askShape) == "" || v.Get(askShape) == askLike)
	e.best = proposal.Of(e.answers)
	free := e.answers
	free.Shape = proposal.Shape{}
	best := proposal.Of(free)
	e.shapes = append([]proposal.Proposal{best}, proposal.Others(free, best)...)
	was, err := url.ParseQuery(v.Get(askWas))
	if err != nil {
		return nil, page.ErrBadRequest
	}
	if v.Get(askShape) != v.Get(askShaped) && v.Has(askShaped) {
		was["format"] = v["format"] // whoever taps a shape wants that, whatever format was chosen by hand before
	}
	if f, err := tournament.ParseFormat(v.Get("format")); err == nil && v.Has(askWas) && v.Get("format") != was.Get("format") {
		e.best, e.asLike = e.shapedAs(f), false
	}
	if !slices.ContainsFunc(e.shapes, func(x proposal.Proposal) bool { return x.Shape == e.best.Shape }) {
		e.shapes = append(e.shapes, e.best)
	}
	base := e.best.Settings
	if e.asLike {
		base = series.Again(e.like.Settings, s.Now(), p.Zone)
		if base.Format.HasTable() {
			base.Rounds = 0
		}
		base.Until = e.answers.Until
	}
	if base.ClubID == "" {
		if base.ClubID, err = s.usualClub(c, v.Get("club_of")); err != nil {
			return nil, err
		}
	}
	base.Name, base.Zone = eventName(p, e), p.Zone.String()
	e.fill(p, base, was, v)
	if len(e.problems) == 0 {
		e.forecast = proposal.Plan(e.settings, e.answers.People, e.answers.Starts, d)
	}
	return e, nil
}

// shapedAs returns a proposal in a format that was chosen by hand: one of the shapes, else the format's defaults with
// the limits of the best one. An arena has limits of its own, too fast for what prizes ask of fair play.
func (e *eventAsked) shapedAs(f tournament.Format) proposal.Proposal {
	if i := slices.IndexFunc(e.shapes, func(x proposal.Proposal) bool { return x.Shape.Format == f && x.Shape.Groups == 0 }); i >= 0 {
		return e.shapes[i]
	}
	a, s, best := e.answers, tournament.DefaultSettings(f), e.best.Settings
	s.Until, s.Rated = a.Until, best.Rated
	if f.MayHaveTeams() && best.HasTeams() {
		s.PlayIn(best.Teams)
	}
	if f.PairsByScore() && best.Format.PairsByScore() {
		s.Rounds = best.Rounds // as the form shows
	}
	if f.InRounds() {
		s.Policy = best.Policy
		s.Envelope, s.Lateness, s.Break, s.Review, s.HonourNoShows = best.Envelope, best.Lateness, best.Break, best.Review, best.HonourNoShows
	}
	return proposal.Proposal{Shape: proposal.Shape{Format: f, Rounds: s.Rounds}, Settings: s,
		End: proposal.Plan(s, a.People, a.Starts, a.MeasuredFrom).End}
}

// zoneAsked returns the zone of a new event: the one typed, that of the event it repeats, or the site's. A server in UTC
// stands nowhere, so there it is the organizer's.
func (s organizer) zoneAsked(c echo.Context, typed string, like *tournament.Tournament) string {
	if site := s.Zone(typed); typed != "" && site.String() == typed {
		return typed
	}
	if like != nil && like.Zone != "" {
		return like.Zone
	}
	if site := s.Zone(); site != time.UTC {
		return site.String()
	}
	return s.Printer(c).Zone.String()
}

// fill applies what was changed by hand to the proposal.
func (e *eventAsked) fill(p lang.Printer, base tournament.Settings, was, v url.Values) {
	e.proposed = form.ValuesOf(p, base)
	switch {
	case v.Has(askWas):
		e.isAsked, e.values = true, overProposal(e.proposed, was, v)
	case v.Has("format"): // the long form alone
		format, err := tournament.ParseFormat(v.Get("format"))
		if err != nil {
			format = tournament.RoundRobin
		}
		base = tournament.DefaultSettings(format)
		base.Envelope = form.EnvelopeNamed("")
		e.values = v
	default:
		e.isAsked, e.values = true, e.proposed
	}
	e.settings, e.problems = readTournamentForm(p, base, e.values)
}

// overProposal applies what was changed by hand since the last proposal to a new one. A field that was not
// sent is an empty checkbox, unless it was not part of the last form.
func overProposal(proposed, was, sent url.Values) url.Values {
	out := url.Values{}
	maps.Copy(out, proposed)
	names := maps.Clone(was)
	maps.Copy(names, sent)
	for name := range names {
		if now := words.Trimmed(sent[name]); !slices.Equal(now, words.Trimmed(was[name])) {
			delete(out, name)
			if len(now) > 0 {
				out[name] = now
			}
		}
	}
	return out
}

// answersOf reads the three answers; a missing one is as on a club evening.
func answersOf(p lang.Printer, v url.Values, now time.Time, like *tournament.Tournament) proposal.Answers {
	a := proposal.Answers{Stake: proposal.ParseStake(v.Get(askStake)), People: words.AtoiOr(v.Get(askPeople), 0)}
	if v.Get(askPeople) == "other" {
		a.People = words.AtoiOr(v.Get(askOther), 0)
	}
	if a.People == 0 {
		a.People = 16
		if like != nil {
			a.People = len(like.Players())
		}
	}
	a.Teams = words.AtoiOr(v.Get(askTeams), 0)
	if like != nil && !v.Has(askTeams) {
		a.Teams = teamsOf(like)
	}
	a.TeamName = func(n int) string { return p.T("battle.team-n", "N", n) }
	a.People = max(proposal.MinPeople, min(a.People, proposal.MaxPeople))
	local := now.In(p.Zone)
	a.Starts = civil.Floor(local, 30*time.Minute, p.Zone).Add(30 * time.Minute)
	if like != nil {
		a.Starts = againAt(like, local)
	}
	if day, err := civil.Read(v.Get(askDay)+" "+v.Get(askTime), p.Zone, []time.Time{a.Starts}, now); err == nil {
		a.Starts = day.In(p.Zone)
	}
	switch until := v.Get(askUntil); until {
	case "open":
	case "daily":
		a.Days = 1
	case "weekly":
		a.Days = 7
	case "":
		a.Until = civil.Floor(a.Starts, time.Hour, p.Zone).Add(2 * time.Hour)
	default:
		if clock, err := time.Parse("15:04", until); err == nil {
			a.Until = civil.Next(clock, a.Starts, p.Zone).In(p.Zone)
		}
	}
	a.Shape = shapeOf(v.Get(askShape))
	return a
}

// teamsOf returns in teams of how many an event is played; 0: in none.
func teamsOf(t *tournament.Tournament) int {
	if t.IsBattle() {
		return t.Battle.LeadersOf()
	}
	return t.Teams.Boards
}

// againAt returns when a repeated event starts: the next time on the same weekday.
func againAt(like *tournament.Tournament, now time.Time) time.Time {
	first := like.StartedAt
	if at, known := like.RoundAt(1); known {
		first = at
	}
	if len(like.Times) > 0 {
		first = like.Times[0]
	}
	if first.IsZero() {
		first = like.CreatedAt
	}
	at := civil.Floor(first.Add(15*time.Minute), 30*time.Minute, now.Location()).In(now.Location())
	for !at.After(now) {
		at = civil.AddDays(at, 7, now.Location()).In(now.Location())
	}
	return at
}

// eventName is the proposed name: that of the repeated event, or by the day.
func eventName(p lang.Printer, e *eventAsked) string {
	if e.like != nil {
		return series.Undated(e.like.Name)
	}
	return p.T("event.name." + strconv.Itoa(int(e.answers.Starts.Weekday())))
}

// likeEvent returns the event to repeat, if the viewer sees its desk.
func (s organizer) likeEvent(c echo.Context, id string) (*tournament.Tournament, error) {
	if id == "" {
		return nil, nil
	}
	t, err := store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (*tournament.Tournament, error) {
		return tx.Tournament(tournament.ID(words.Shorten(id, 40)))
	})
	if err == nil && !t.May(page.Viewer(c), tournament.ActDesk) {
		err = tournament.ErrNotAllowed
	}
	return t, err
}

// usualClub returns the club in whose name the viewer holds an event by default: the named one, or
// their only one.
func (s organizer) usualClub(c echo.Context, named string) (id club.ID, err error) {
	if named == "" {
		named = c.QueryParam("club")
	}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, err := words.HeldClubs(tx, page.Viewer(c))
		if err != nil {
			return err
		}
		if len(clubs) == 1 {
			id = clubs[0].ID
		}
		if i := slices.IndexFunc(clubs, func(x club.Club) bool { return string(x.ID) == named }); i >= 0 {
			id = clubs[i].ID
		}
		return nil
	})
	return id, err
}

// cloneTournament makes a draft with the settings of a tournament.
func (s organizer) cloneTournament(c echo.Context) error {
	t, err := s.SeenTournament(c)
	if err != nil {
		return err
	}
	id, err := s.Arbiter.Events.Clone(c.Request().Context(), page.Viewer(c), t.ID, s.Zone(t.Zone), c.FormValue("staff") != "")
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id)+"/edit", "flash.draft-saved")
}
