package rating

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) apiRatingRoutes() []page.Route {
	return []page.Route{
		page.Get("/rating-pools", s.apiRatingPools, page.Anyone),
		page.Get("/ratings", s.apiRatings, page.Anyone),
	}
}

type apiPool struct {
	ID     rating.PoolID `json:"id"`
	Name   string        `json:"name"` // empty for the two pools of every site
	Club   *string       `json:"club"`
	Method string        `json:"method"`
	Zone   string        `json:"zone"`
	Counts rating.Counts `json:"counts"`
	Lists  []string      `json:"lists"` // published months, the latest first
}

func (s api) apiRatingPools(c echo.Context) error {
	pools := []apiPool{}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		found, err := tx.RatingPools()
		if err != nil {
			return err
		}
		for _, x := range found {
			out := apiPool{ID: x.ID, Name: x.Name, Method: x.Rules.Method.String(), Zone: x.Zone, Counts: x.Counts, Lists: []string{}}
			if x.Club != "" {
				out.Club = &x.Club
			}
			months, err := tx.MonthlyLists(x.ID)
			if err != nil {
				return err
			}
			for _, m := range months {
				out.Lists = append(out.Lists, m.Month)
			}
			pools = append(pools, out)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]apiPool{"pools": pools})
}

// apiPage is the number of lines in an answer, unless fewer are asked for.
const apiPage = 500

func (s api) apiRatings(c echo.Context) error {
	answer := struct {
		Pool    rating.PoolID `json:"pool"`
		List    *string       `json:"list"`
		Total   int           `json:"total"`
		Ratings []apiRating   `json:"ratings"`
	}{Ratings: []apiRating{}}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		l, err := pages(s).ratingListOf(c, tx)
		if err != nil {
			return err
		}
		limit := numberOf(c, "limit", apiPage)
		if limit == 0 {
			limit = apiPage
		}
		l.query.Limit, l.query.Offset = limit, (page.Number(c)-1)*limit
		list, total, err := tx.RatingList(l.query)
		if err != nil {
			return err
		}
		ids := make([]player.ID, len(list))
		for i, r := range list {
			ids[i] = r.Player
		}
		who, err := tx.Players(ids...)
		if err != nil {
			return err
		}
		answer.Pool, answer.Total = l.pool.ID, total
		if l.month != "" {
			answer.List = &l.month
		}
		for i, r := range list {
			answer.Ratings = append(answer.Ratings, apiRatingOf(l.query.Offset+i+1, who[r.Player].Handle, r))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}
