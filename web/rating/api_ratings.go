package rating

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) ratingOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /rating-pools", page.Everyone, s.pools, "The rating lists of the site and of its clubs", "lists are the months that were published."),
		page.Op("GET /ratings", page.Everyone, s.ratings, "A rating list", "As it stands now, or as it was published for a month."),
	}
}

type (
	apiPool struct {
		ID     rating.PoolID `json:"id" doc:"for the parameter pool" example:"main"`
		Name   string        `json:"name" doc:"empty for the lists of every site" example:""`
		Club   *club.ID      `json:"club" doc:"whose list it is; null: the site’s"`
		Method string        `json:"method" doc:"how it is computed" example:"elo"`
		Zone   string        `json:"zone" doc:"where its months begin" example:"Europe/Kyiv"`
		Counts apiCounts     `json:"counts" doc:"what counts for it"`
		Lists  []string      `json:"lists" doc:"published months, the latest first" example:"[\"2026-11\"]"`
	}
	apiCounts struct {
		Tournaments bool `json:"tournaments" doc:"games of tournaments"`
		Challenges  bool `json:"challenges" doc:"challenges"`
		Ladders     bool `json:"ladders" doc:"matches of ladders"`
		Handicap    bool `json:"handicap" doc:"matches with a handicap"`
	}
	apiPools struct {
		Pools []apiPool `json:"pools" doc:"the site’s first"`
	}
	ratingsIn struct {
		page.Paged
		Pool    string `query:"pool,omitempty" doc:"which list; the site’s main one by itself" example:"main" max:"40"`
		List    string `query:"list,omitempty" doc:"a published month instead of now" example:"2026-11" max:"10"`
		Search  string `query:"q,omitempty" doc:"a part of a handle" example:"an" max:"40"`
		Settled string `query:"settled,omitempty" doc:"no provisional ratings" enum:"1" example:"1"`
		Bots    string `query:"bots,omitempty" doc:"the list of bots" enum:"1" example:"1"`
		Games   *int   `query:"games" doc:"with so many games at least" example:"10" min:"0" max:"1000000"`
		Active  *int   `query:"active" doc:"who has played in so many months" example:"12" min:"0" max:"1200"`
	}
	apiRatings struct {
		Pool    rating.PoolID `json:"pool" doc:"which list" example:"main"`
		List    *string       `json:"list" doc:"the month; null: now" example:"2026-11"`
		Total   int           `json:"total" doc:"how many there are" example:"128"`
		Ratings []apiRating   `json:"ratings" doc:"the highest first"`
		Next    *string       `json:"next" doc:"after of the rest; null at the end" example:"500"`
	}
)

func (s api) pools(c echo.Context, _ noInput) (out apiPools, err error) {
	out.Pools = []apiPool{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		found, err := tx.RatingPools()
		if err != nil {
			return err
		}
		for _, x := range found {
			pool := apiPool{ID: x.ID, Name: x.Name, Club: page.Optional(club.ID(x.Club)), Method: x.Rules.Method.String(), Zone: x.Zone, Counts: apiCounts(x.Counts), Lists: []string{}}
			months, err := tx.MonthlyLists(x.ID)
			if err != nil {
				return err
			}
			for _, m := range months {
				pool.Lists = append(pool.Lists, m.Month)
			}
			out.Pools = append(out.Pools, pool)
		}
		return nil
	})
	return out, err
}

// apiPage is the number of lines in an answer, unless fewer are asked for.
const apiPage = 500

// ratings reads its filters from the address, as the page does.
func (s api) ratings(c echo.Context, in ratingsIn) (out apiRatings, err error) {
	from, err := in.Offset()
	if err != nil {
		return out, err
	}
	out.Ratings = []apiRating{}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		l, err := pages(s).ratingListOf(c, tx)
		if err != nil {
			return err
		}
		l.query.Limit, l.query.Offset = in.Most(apiPage), from
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
		out.Pool, out.Total, out.List, out.Next = l.pool.ID, total, page.Optional(l.month), in.Next(from+len(list), total)
		for i, r := range list {
			out.Ratings = append(out.Ratings, apiRatingOf(from+i+1, who[r.Player].Handle, r))
		}
		return nil
	})
	return out, err
}
