package club

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	clubview "chpok.org/chpok/templates/club"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/proposal"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) challengeRoutes() []page.Route {
	return []page.Route{
		page.Get("/clubs/:id/challenge", s.challengeForm, page.SignedIn),
		page.Post("/clubs/:id/challenge", s.challenge, page.SignedIn),
	}
}

func (s pages) challengeForm(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActHold)
	if err != nil {
		return err
	}
	s.InZone(c, "")
	usual := proposal.ClubMatch{Boards: 4, Rated: true, Begins: s.Now().AddDate(0, 0, 7)}
	v := form.ClubMatch.Values(s.Printer(c), usual, usual)
	v.Set("envelope", "evening")
	return s.showChallengeForm(c, r.Club, v, nil)
}

// challenge makes a match with another club, whose captains are told and answer.
func (s pages) challenge(c echo.Context) error {
	r, err := s.rosterFor(c, club.ActHold)
	if err != nil {
		return err
	}
	s.InZone(c, "")
	v, err := c.FormParams()
	if err != nil {
		return page.ErrBadRequest
	}
	m := proposal.ClubMatch{Home: r.ID}
	read := form.FormReader{Printer: s.Printer(c), Values: v}
	form.ClubMatch.Read(&read, &m, &m)
	if len(read.Problems) > 0 {
		return s.showChallengeForm(c, r.Club, v, read.Problems)
	}
	id, err := s.Arbiter.Events.Challenge(c.Request().Context(), page.Viewer(c), m)
	if problems := words.ProblemsOf(err); problems != nil {
		return s.showChallengeForm(c, r.Club, v, problems)
	}
	if err != nil {
		return err
	}
	return s.Redirect(c, words.TournamentURL(id), "flash.club-challenged")
}

func (s pages) showChallengeForm(c echo.Context, of club.Club, v url.Values, problems []tournament.Problem) error {
	p := s.Printer(c)
	in := form.ClubMatch.Inputs(p, v, func(name string) string { return form.ProblemOf(p, problems, name) })
	view := clubview.ChallengeForm{Club: templates.Link{Text: of.Name, URL: words.ClubURL(of.ID)}, Action: words.ClubURL(of.ID) + "/challenge"}
	for _, problem := range form.ByInput(p, problems) {
		view.Problems = append(view.Problems, form.ProblemText(p, problem))
	}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		clubs, _, err := tx.Clubs()
		slices.SortStableFunc(clubs, func(a, b club.Club) int { return p.Compare(a.Name, b.Name) })
		opponent := in["opponent"]
		opponent.Type, opponent.Choices = "select", nil
		for _, x := range clubs {
			if x.ID != of.ID {
				opponent.Choices = append(opponent.Choices, templates.Choice{Value: string(x.ID), Text: x.Name, Chosen: v.Get("opponent") == string(x.ID)})
			}
		}
		in["opponent"] = opponent
		return err
	})
	if err != nil {
		return err
	}
	rounds := in["double"]
	rounds.Type, rounds.Choices = "select", []templates.Choice{
		{Value: "", Text: p.T("club.match.rounds.one"), Chosen: v.Get("double") == ""},
		{Value: "on", Text: p.T("club.match.rounds.two"), Chosen: v.Get("double") != ""},
	}
	view.Fields = []templates.Field{in["opponent"], in["begins"], in["team_boards"], rounds}
	about := in["about"]
	about.Type = "textarea"
	envelope := in["envelope"]
	envelope.Type = "select"
	view.More = []templates.Field{in["name"], about, envelope, in["rated"]}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	sh := s.Shell(c, p.T("club.match.new")+" · "+of.Name)
	sh.Section, sh.Styles = "clubs", []string{"club.css"}
	return s.Render(c, status, clubview.ChallengePage(sh, view))
}
