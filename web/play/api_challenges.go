package play

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/challenges"
	"chpok.org/chpok/engine/bidding"
	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/form"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) apiChallengeRoutes() []page.Route {
	return []page.Route{
		page.Post("/challenges", s.apiCreateChallenge, page.SignedIn),
		page.Get("/challenges/:id", s.apiChallenge, page.Anyone),
		page.Delete("/challenges/:id", s.apiAnswer((*challenges.Office).Withdraw), page.SignedIn),
		page.Post("/challenges/:id/accept", s.apiAnswer((*challenges.Office).Accept), page.SignedIn),
		page.Post("/challenges/:id/decline", s.apiAnswer((*challenges.Office).Decline), page.SignedIn),
	}
}

// apiProposal is a challenge as a program describes it; what is missing is as
// usual. With rematch everything else stays as it was in that match.
type apiProposal struct {
	To       string           `json:"to"` // a handle; empty: whoever has the link
	Rematch  match.ID         `json:"rematch"`
	Rated    bool             `json:"rated"`
	Handicap bool             `json:"handicap"`
	Claims   string           `json:"claims"`
	Lateness form.APIDuration `json:"lateness"`
	Expires  form.APIDuration `json:"expires"`
	Envelope bidding.Envelope `json:"envelope"`
	Policy   form.APIPolicy   `json:"policy"`
}

// usualProposal is what is meant where a program says nothing else.
func usualProposal() apiProposal {
	usual := challenge.DefaultSettings()
	return apiProposal{
		Claims: usual.Claims.String(), Lateness: form.APIDuration(usual.Lateness), Expires: form.APIDuration(usual.Life),
		Envelope: usual.Envelope,
		Policy:   form.APIPolicy{Policy: usual.Policy.OrOpen()},
	}
}

func (a apiProposal) settings() (challenge.Settings, error) {
	settings := challenge.Settings{
		Rated: a.Rated, Handicap: a.Handicap, Envelope: a.Envelope, Lateness: time.Duration(a.Lateness), Life: time.Duration(a.Expires),
		Policy: a.Policy.Policy,
	}
	return settings, page.SettingsFault(form.Word(a.Claims, &settings.Claims, match.ParseClaims))
}

type apiChallengeView struct {
	ID         challenge.ID     `json:"id"`
	Status     string           `json:"status"`
	Challenger player.Handle    `json:"challenger"`
	Opponent   *player.Handle   `json:"opponent"` // null: nobody yet
	Bots       [2]bool          `json:"bots"`     // of both
	First      *player.Handle   `json:"first"`    // who bids first
	Rated      bool             `json:"rated"`
	Handicap   bool             `json:"handicap"`
	Claims     string           `json:"claims"`
	Lateness   string           `json:"lateness"`
	Envelope   bidding.Envelope `json:"envelope"`
	Policy     fairplay.Policy  `json:"policy"`
	WorstCase  string           `json:"worstCase"`
	Rematch    *match.ID        `json:"rematch"`
	Match      *match.ID        `json:"match"`
	Created    time.Time        `json:"created"`
	Expires    time.Time        `json:"expires"`
	URL        string           `json:"url"`
}

func (s pages) apiCreateChallenge(c echo.Context) error {
	in := usualProposal()
	if err := page.ReadJSON(c, &in, true); err != nil {
		return err
	}
	ctx, v := c.Request().Context(), page.Viewer(c)
	var made challenge.Challenge
	var err error
	if in.Rematch != "" {
		made, err = s.Arbiter.Challenges.Rematch(ctx, v, in.Rematch)
	} else {
		var settings challenge.Settings
		if settings, err = in.settings(); err != nil {
			return err
		}
		made, err = s.Arbiter.Challenges.Send(ctx, v, in.To, settings)
	}
	if err != nil {
		return err
	}
	return s.sendChallenge(c, http.StatusCreated, made.ID)
}

func (s pages) apiChallenge(c echo.Context) error {
	return s.sendChallenge(c, http.StatusOK, challenge.ID(c.Param("id")))
}

// apiAnswer is the handler of one way to close a challenge.
func (s pages) apiAnswer(do answer) echo.HandlerFunc {
	return func(c echo.Context) error {
		closed, err := do(s.Arbiter.Challenges, c.Request().Context(), page.Viewer(c), challenge.ID(c.Param("id")))
		if err != nil {
			return err
		}
		return s.sendChallenge(c, http.StatusOK, closed.ID)
	}
}

func (s pages) sendChallenge(c echo.Context, status int, id challenge.ID) error {
	f, err := s.readChallenge(c.Request().Context(), id)
	if err != nil {
		return err
	}
	handle := func(id player.ID) *player.Handle {
		if id == "" {
			return nil
		}
		h := f.who[id].Handle
		return &h
	}
	v := apiChallengeView{
		ID: f.ID, Status: f.StatusAt(s.Now()).String(), Challenger: f.who[f.Challenger].Handle, Opponent: handle(f.Opponent),
		Bots: [2]bool{f.who[f.Challenger].Bot, f.who[f.Opponent].Bot}, First: handle(f.Seats()[0]),
		Rated: f.Settings.Rated, Handicap: f.Settings.Handicap, Claims: f.Settings.Claims.String(), Lateness: f.Settings.Lateness.String(),
		Envelope: f.Settings.Envelope, Policy: f.Settings.Policy.OrOpen(),
		WorstCase: f.Settings.WorstCase().String(), Created: f.Created, Expires: f.Expires, URL: s.Address(c, words.ChallengeURL(f.ID)),
	}
	if f.Match != "" {
		v.Match = &f.Challenge.Match
	}
	if f.Rematch != "" {
		v.Rematch = &f.Challenge.Rematch
	}
	return c.JSON(status, v)
}
