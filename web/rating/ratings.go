package rating

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func (s pages) ratingRoutes() []page.Route {
	return []page.Route{
		page.Get("/ratings", s.ratings, page.Anyone),
		page.Get("/ratings.csv", s.ratingsCSV, page.Anyone),
		page.Get("/ratings.json", s.ratingsJSON, page.Anyone),
		page.Get("/ratings.trf", s.ratingsTRF, page.Anyone),
		page.Get("/ratings/pools", s.pools, page.Anyone),
		page.Get("/ratings/pools/new", s.newPool, page.SignedIn),
		page.Post("/ratings/pools", s.createPool, page.SignedIn),
		page.Get("/ratings/pools/:id", s.poolForm, page.SignedIn),
		page.Post("/ratings/pools/:id", s.setPool, page.SignedIn),
		page.Post("/ratings/pools/:id/recompute", s.recomputePool, page.SignedIn),
		page.Get("/ratings/pools/:id/import", s.ratingImportForm, page.SignedIn),
		page.Post("/ratings/pools/:id/import", s.importRatings, page.SignedIn),
		page.Get("/players/:handle/vs/:other", s.headToHead, page.Anyone),
		page.Post("/players/:handle/birth-year", s.setBirthYear, page.SignedIn),
		page.Get("/tournaments/:id/ratings", s.eventRatings, page.Anyone),
		page.Get("/tournaments/:id/ratings.csv", s.eventRatingsCSV, page.Anyone),
	}
}

// ratingList is a request for a list: the present one or that of a month, and the part of it.
type ratingList struct {
	pool  rating.Pool
	month string // empty: now
	query store.RatingQuery
}

// Choices of the filters.
var (
	gamesChoices  = []int{0, 5, 10, 30, 100}
	monthsChoices = []int{0, 1, 3, 6, 12, 24}
)

// ratingListOf reads the request for a list; ErrNotFound if the list or month does not exist.
func (s pages) ratingListOf(c echo.Context, tx *store.Tx) (l ratingList, err error) {
	id := rating.PoolID(words.Shorten(c.QueryParam("pool"), 40))
	if id == "" {
		id = rating.Main
	}
	if l.pool, err = tx.RatingPool(id); err != nil {
		return l, err
	}
	l.query = store.RatingQuery{
		Pool: id, Search: words.Shorten(c.QueryParam("q"), 40), Settled: c.QueryParam("settled") != "", Bots: c.QueryParam("bots") != "",
		MinGames: numberOf(c, "games", 1_000_000),
	}
	if months := numberOf(c, "active", 1200); months > 0 {
		l.query.ActiveSince = s.Now().AddDate(0, -months, 0)
	}
	if text := c.QueryParam("list"); text != "" {
		month, ok := rating.ParseMonth(text)
		if !ok {
			return l, store.ErrNotFound
		}
		f, err := tx.MonthlyList(id, month)
		if err != nil {
			return l, err
		}
		l.month, l.query.List = f.Month, f.ID
	}
	return l, nil
}

// numberOf returns a number in the query; 0 if it is missing or invalid.
func numberOf(c echo.Context, name string, top int) int {
	n, err := strconv.Atoi(c.QueryParam(name))
	if err != nil || n < 0 || n > top {
		return 0
	}
	return n
}

func (s pages) ratings(c echo.Context) error {
	p := s.Printer(c)
	var l ratingList
	var list []store.Rating
	var total int
	var who map[player.ID]player.Player
	var view ratingview.RatingsView
	first := (page.Number(c) - 1) * page.Size
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		if l, err = s.ratingListOf(c, tx); err != nil {
			return err
		}
		l.query.Limit, l.query.Offset = page.Size, first
		if list, total, err = tx.RatingList(l.query); err != nil {
			return err
		}
		ids := make([]player.ID, len(list))
		for i, r := range list {
			ids[i] = r.Player
		}
		if who, err = tx.Players(ids...); err != nil {
			return err
		}
		return ratingChoices(tx, p, c, l, &view)
	})
	if err != nil {
		return err
	}
	view.Title, view.Note = words.PoolName(p, l.pool), poolNote(p, l)
	view.Search, view.Settled, view.Bots = l.query.Search, l.query.Settled, l.query.Bots
	view.IsNarrow = view.Settled || view.Bots || l.query.MinGames > 0 || !l.query.ActiveSince.IsZero()
	view.Count, view.Paging = p.N("player.count", total), page.Paging(c, total)
	query := c.QueryParams()
	query.Del("page")
	view.CSV, view.JSON, view.TRF = "/ratings.csv?"+query.Encode(), "/ratings.json?"+query.Encode(), "/ratings.trf?"+query.Encode()
	view.HasDeviation = l.pool.Rules.Method == rating.Glicko2
	for i, r := range list {
		line := ratingLine(p, who[r.Player], r)
		line.IsMe = page.Viewer(c).Is(r.Player)
		if l.query.Search == "" {
			line.Rank = p.Int(first + i + 1)
		}
		view.Lines = append(view.Lines, line)
	}
	sh := s.Shell(c, view.Title)
	sh.Section, sh.Styles = "players", []string{"rating.css"}
	return s.Render(c, http.StatusOK, ratingview.RatingsPage(sh, view))
}

func ratingLine(p lang.Printer, x player.Player, r store.Rating) ratingview.RatingLine {
	line := ratingview.RatingLine{
		Handle: string(x.Handle), URL: words.PlayerURL(x.Handle), Bot: x.Bot, Rating: words.PublishedRating(p, r.Rating),
		Provisional: r.Provisional,
		Games:       p.Int(r.Games), Peak: words.PublishedRating(p, r.Peak), Last: p.Day(r.At),
	}
	if r.Deviation > 0 {
		line.Deviation = "±" + words.Itoa(2*r.Deviation.Whole())
	}
	return line
}

// ratingChoices adds the choices of lists, months and filters.
func ratingChoices(tx *store.Tx, p lang.Printer, c echo.Context, l ratingList, v *ratingview.RatingsView) error {
	pools, err := tx.RatingPools()
	if err != nil {
		return err
	}
	for _, x := range pools {
		v.Pools = append(v.Pools, templates.Choice{Value: string(x.ID), Text: words.PoolName(p, x), Chosen: x.ID == l.pool.ID})
	}
	months, err := tx.MonthlyLists(l.pool.ID)
	if err != nil {
		return err
	}
	v.Lists = []templates.Choice{{Text: p.T("rating.list-now"), Chosen: l.month == ""}}
	for _, m := range months {
		v.Lists = append(v.Lists, templates.Choice{Value: m.Month, Text: m.Month, Chosen: m.Month == l.month})
	}
	for _, n := range gamesChoices {
		text := p.T("rating.any")
		if n > 0 {
			text = p.N("rating.games-count", n)
		}
		v.Games = append(v.Games, templates.Choice{Value: strconv.Itoa(n), Text: text, Chosen: n == l.query.MinGames})
	}
	active := numberOf(c, "active", 1200)
	for _, n := range monthsChoices {
		text := p.T("rating.any")
		if n > 0 {
			text = p.N("rating.months-count", n)
		}
		v.Months = append(v.Months, templates.Choice{Value: strconv.Itoa(n), Text: text, Chosen: n == active})
	}
	v.IsMaking, err = makingText(tx, p, l.pool.ID)
	return err
}

func poolNote(p lang.Printer, l ratingList) string {
	note := p.T("rating.method." + l.pool.Rules.Method.String())
	if l.month != "" {
		return note + " · " + p.T("rating.list-of", "Month", l.month)
	}
	return note
}

// ratingsCSV sends a list as CSV, with the columns of an import and more. It is sent after it was read, so that slow
// clients do not hold the transaction.
func (s pages) ratingsCSV(c echo.Context) error {
	rows, n := [][]string{{"rank", "handle", "rating", "games", "deviation", "peak", "provisional", "last"}}, 0
	of, err := s.eachRating(c, func(pool rating.Pool, r store.Rating, handle player.Handle) error {
		n++
		deviation := ""
		if r.Deviation > 0 {
			deviation = words.Itoa(r.Deviation.Whole())
		}
		rows = append(rows, []string{words.Itoa(n), string(handle), words.Itoa(r.Rating.Whole()), words.Itoa(r.Games), deviation,
			words.Itoa(r.Peak.Whole()), strconv.FormatBool(r.Provisional), r.At.In(pool.Location()).Format(time.DateOnly)})
		return nil
	})
	if err != nil {
		return err
	}
	return page.SendCSV(c, of, "ratings.csv", rows)
}

// eachRating calls do for each line of the requested list and returns what its file is of.
func (s pages) eachRating(c echo.Context, do func(rating.Pool, store.Rating, player.Handle) error) (of string, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		l, err := s.ratingListOf(c, tx)
		if err != nil {
			return err
		}
		of = l.fileOf()
		return tx.EachRating(l.query, func(r store.Rating, handle player.Handle) error { return do(l.pool, r, handle) })
	})
	return of, err
}

// fileOf returns what a file of the list is of; the lists of every site have no name that does not depend on the language.
func (l ratingList) fileOf() string { return cmp.Or(l.pool.Name, string(l.pool.ID)) + monthSuffix(l) }

func monthSuffix(l ratingList) string {
	if l.month == "" {
		return ""
	}
	return "-" + l.month
}

// apiRating is a line of a list as the API shows it.
type apiRating struct {
	Rank        int           `json:"rank" doc:"from 1" example:"1"`
	Handle      player.Handle `json:"handle" doc:"who"`
	Bot         bool          `json:"bot" doc:"a program plays"`
	Rating      float64       `json:"rating" doc:"in points" example:"1612.5"`
	Deviation   *float64      `json:"deviation" doc:"how sure it is; null: the method has none" example:"50"`
	Provisional bool          `json:"provisional" doc:"few games stand behind it"`
	Games       int           `json:"games" doc:"rated games" example:"41"`
	Peak        float64       `json:"peak" doc:"the highest" example:"1630"`
	At          time.Time     `json:"at" doc:"of the last change"`
}

func apiRatingOf(n int, handle player.Handle, r store.Rating) apiRating {
	out := apiRating{n, handle, r.Bot, points(r.Rating), nil, r.Provisional, r.Games, points(r.Peak), r.At}
	if r.Deviation > 0 {
		d := points(r.Deviation)
		out.Deviation = &d
	}
	return out
}

// ratingsJSON sends a list as one JSON object per line.
func (s pages) ratingsJSON(c echo.Context) error {
	var b bytes.Buffer
	e, n := json.NewEncoder(&b), 0
	of, err := s.eachRating(c, func(_ rating.Pool, r store.Rating, handle player.Handle) error {
		n++
		return e.Encode(apiRatingOf(n, handle, r))
	})
	if err != nil {
		return err
	}
	return page.SendFile(c, of, "ratings.ndjson", "application/x-ndjson", b.Bytes())
}
