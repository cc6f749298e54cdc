package rating

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/engine/match"
	"chpok.org/chpok/fairplay"
	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/tournament"
	"chpok.org/chpok/tournament/challenge"
	"chpok.org/chpok/web/page"
)

func (s api) apiPlayerRoutes() []page.Route {
	return []page.Route{
		page.Get("/me", s.apiMe, page.SignedIn),
		page.Get("/me/matches", s.apiMyMatches, page.SignedIn),
		page.Get("/players/:handle", s.apiPlayer, page.Anyone),
	}
}

func (s api) apiMe(c echo.Context) error {
	me := page.Viewer(c)
	return c.JSON(http.StatusOK, map[string]any{"handle": me.Handle, "role": me.Role.String(), "bot": me.Bot})
}

type apiMatchRow struct {
	ID       match.ID      `json:"id"`
	Status   string        `json:"status"`
	First    player.Handle `json:"first"`
	Second   player.Handle `json:"second"`
	Bots     [2]bool       `json:"bots"`
	You      *string       `json:"you"`
	WaitsFor bool          `json:"waiting_for_me"`
}

// myMatches limits the list of the caller's matches.
const myMatches = 100

func (s api) apiMyMatches(c echo.Context) error {
	me := page.Viewer(c).ID
	rows := []apiMatchRow{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		heads, err := tx.MatchesOf(me, myMatches)
		if err != nil {
			return err
		}
		var ids []player.ID
		for _, h := range heads {
			ids = append(ids, h.Players[:]...)
		}
		accounts, err := tx.Players(ids...)
		if err != nil {
			return err
		}
		for _, h := range heads {
			rows = append(rows, apiMatchRow{
				ID: h.ID, Status: h.Status.String(), First: accounts[h.Players[0]].Handle, Second: accounts[h.Players[1]].Handle, Bots: h.Bots,
				You: page.Letter(h.SeatOf(me)), WaitsFor: h.WaitsFor(me),
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]apiMatchRow{"matches": rows})
}

type (
	apiPlayerView struct {
		Handle      player.Handle     `json:"handle"`
		Bot         bool              `json:"bot"`
		Rating      *float64          `json:"rating"`
		Provisional bool              `json:"provisional"`
		Games       int               `json:"games"` // rated
		History     []apiRatingChange `json:"history"`
	}
	apiRatingChange struct {
		At         time.Time           `json:"at"`
		Tournament tournament.ID       `json:"tournament"` // or one of the next two
		Challenge  challenge.ID        `json:"challenge,omitempty"`
		Match      match.ID            `json:"match,omitempty"` // on a ladder
		Achieved   *fairplay.Assurance `json:"achieved"`        // by the match of a challenge or a ladder
		Reason     string              `json:"reason"`
		Before     float64             `json:"before"`
		After      float64             `json:"after"`
		K          int                 `json:"k"`
	}
)

// points returns a rating, which is kept in hundredths, in points.
func points(r rating.Rating) float64 { return float64(r) / 100 }

func (s api) apiPlayer(c echo.Context) error {
	v := apiPlayerView{History: []apiRatingChange{}}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		h, err := player.ParseHandle(c.Param("handle"))
		if err != nil {
			return store.ErrNotFound
		}
		p, err := tx.PlayerByHandle(h)
		if err != nil {
			return err
		}
		v.Handle, v.Bot = p.Handle, p.Bot
		ratings, err := tx.Ratings(p.ID)
		if err != nil {
			return err
		}
		if r, rated := ratings[p.ID]; rated {
			now := points(r.Rating)
			v.Rating, v.Provisional, v.Games = &now, r.Provisional, r.Games
		}
		var about page.ProfileFacts
		if err := about.Read(tx, page.Viewer(c), p.ID); err != nil || !about.SeesHistory() {
			return err
		}
		history, err := tx.RatingHistory(p.ID)
		for _, h := range history {
			v.History = append(v.History, apiRatingChange{
				h.At, h.Tournament, h.Challenge, h.Match, page.Optional(h.Achieved), h.Reason.String(), points(h.Before), points(h.After), h.K,
			})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, v)
}
