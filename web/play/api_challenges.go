package play

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/challenges"
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

func (s pages) apiCreateChallenge(c echo.Context) error {
	in := form.UsualProposal()
	if err := page.ReadSettings(c, form.Challenge, &in, true); err != nil {
		return err
	}
	ctx, v := c.Request().Context(), page.Viewer(c)
	var made challenge.Challenge
	var err error
	if in.Rematch != "" {
		made, err = s.Arbiter.Challenges.Rematch(ctx, v, in.Rematch)
	} else {
		made, err = s.Arbiter.Challenges.Send(ctx, v, in.To, in.Settings)
	}
	if err != nil {
		return err
	}
	return s.sendChallenge(c, http.StatusCreated, made.ID)
}

func (s pages) apiChallenge(c echo.Context) error {
	return s.sendChallenge(c, http.StatusOK, challenge.ID(c.Param("id")))
}

// apiAnswer returns the handler of a way to close a challenge.
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
	v := form.Challenge.Write(&form.Proposal{Settings: f.Settings}) // the terms
	delete(v, "to")
	v["id"], v["status"], v["url"] = f.ID, f.StatusAt(s.Now()).String(), s.Address(c, words.ChallengeURL(f.ID))
	v["challenger"], v["opponent"], v["first"] = f.who[f.Challenger].Handle, handle(f.Opponent), handle(f.Seats()[0]) // null if not known yet
	v["bots"] = [2]bool{f.who[f.Challenger].Bot, f.who[f.Opponent].Bot}
	v["created"], v["expires"], v["worstCase"] = f.Created, f.Expires, f.Settings.WorstCase().String()
	v["match"], v["rematch"] = page.Optional(f.Match), page.Optional(f.Rematch)
	return c.JSON(status, v)
}
