package rating

import (
	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/web/page"
)

func (s api) ratingOperations() []*page.Operation {
	return []*page.Operation{
		page.Op("GET /rating-pools", page.Everyone, s.pools, "The rating lists of the site and of its clubs",
			"lists are the months that were published."),
		page.Op("GET /rating-pools/{id}", page.Everyone, s.pool, "One rating list and its rules", "As the list of them has it."),
		page.Op("POST /rating-pools", player.ScopeOrganize, s.addPool, "Open a rating list",
			"Of a club, for those who hold its events; of the site, for operators. What was rated so far is in it at once.").Creates(),
		page.Op("PATCH /rating-pools/{id}", player.ScopeOrganize, s.setPool, "Change a rating list",
			"It is computed anew; the old one is shown until then. What is left out stays."),
		page.Op("POST /rating-pools/{id}/recompute", player.ScopeOrganize, s.recompute, "Compute a rating list anew",
			"From all results; making says how far it is."),
		page.Op("POST /rating-pools/{id}/import", player.ScopeOrganize, s.importList, "Give ratings from a list",
			"From elsewhere: they replace those that stand, and later results go on from them. A preview only says what would change; "+
				"a list with lines that cannot be read gives none."),
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
		Rules  apiPoolRules  `json:"rules" doc:"the numbers it is computed by"`
		Glicko *apiGlicko    `json:"glicko" doc:"more of them; null: it is computed by Elo"`
		Lists  []string      `json:"lists" doc:"published months, the latest first" example:"[\"2026-11\"]"`
		Making *apiMaking    `json:"making" doc:"how far it is computed anew; null: it is not"`
	}
	apiCounts struct {
		Tournaments bool `json:"tournaments" doc:"games of tournaments" example:"true"`
		Challenges  bool `json:"challenges" doc:"challenges"`
		Ladders     bool `json:"ladders" doc:"matches of ladders"`
		Handicap    bool `json:"handicap" doc:"matches with a handicap"`
	}
	apiPools struct {
		Pools   []apiPool `json:"pools" doc:"the site’s first"`
		Version int64     `json:"version" doc:"of what the staff of the site keep, for shown" example:"12"`
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
			pool, err := apiPoolOf(tx, x)
			if err != nil {
				return err
			}
			out.Pools = append(out.Pools, pool)
		}
		out.Version, err = kernel.SiteVersion(tx)
		return err
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
