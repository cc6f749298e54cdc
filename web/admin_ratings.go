package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
)

// ratingField is one number of the rating settings that the operator chooses;
// the rest follows FIDE B.02.
type ratingField struct {
	name     string
	low, top int
	of       func(*rating.Settings) *int
}

var ratingFields = []ratingField{
	{"start", 0, 3000, func(s *rating.Settings) *int { return &s.Start }},
	{"new-games", 0, 200, func(s *rating.Settings) *int { return &s.NewGames }},
	{"new-k", 1, 200, func(s *rating.Settings) *int { return &s.NewK }},
	{"k", 1, 200, func(s *rating.Settings) *int { return &s.K }},
	{"floor", 0, 3000, func(s *rating.Settings) *int { return &s.Floor }},
}

func (s *Server) adminRatings(c echo.Context) error {
	var set rating.Settings
	err := s.store.Read(c.Request().Context(), func(tx *store.Tx) (err error) {
		set, err = arbiter.RatingSettings(tx)
		return err
	})
	if err != nil {
		return err
	}
	values := map[string]string{}
	for _, f := range ratingFields {
		values[f.name] = strconv.Itoa(*f.of(&set))
	}
	return s.showAdminRatings(c, http.StatusOK, values, nil, "")
}

func (s *Server) showAdminRatings(c echo.Context, status int, values map[string]string, wrong map[string]bool, trouble string) error {
	p := s.printer(c)
	v := templates.AdminRatingsView{Error: trouble}
	for _, f := range ratingFields {
		field := templates.Field{
			Name: f.name, Type: "number", Required: true, Value: values[f.name], Autocomplete: "off",
			Label: p.T("admin.ratings." + f.name), Hint: p.T("admin.ratings-hint." + f.name),
		}
		if wrong[f.name] {
			field.Error = p.T("admin.ratings-range", "Low", f.low, "High", f.top)
		}
		v.Fields = append(v.Fields, field)
	}
	return s.render(c, status, templates.AdminRatingsPage(s.shell(c, p.T("admin.ratings")), v))
}

// setRatings changes the rules of the list and makes all ratings anew by them.
func (s *Server) setRatings(c echo.Context) error {
	values, wrong, chosen := map[string]string{}, map[string]bool{}, map[string]int{}
	for _, f := range ratingFields {
		values[f.name] = strings.TrimSpace(c.FormValue(f.name))
		n, err := strconv.Atoi(values[f.name])
		if err != nil || n < f.low || n > f.top {
			wrong[f.name] = true
		}
		chosen[f.name] = n
	}
	if len(wrong) > 0 {
		return s.showAdminRatings(c, http.StatusUnprocessableEntity, values, wrong, "")
	}
	set := rating.FIDE()
	if chosen["start"] > 0 {
		set = rating.Club(chosen["start"])
	}
	for _, f := range ratingFields {
		*f.of(&set) = chosen[f.name]
	}
	if set.Validate() != nil {
		return s.showAdminRatings(c, http.StatusUnprocessableEntity, values, nil, s.printer(c).T("admin.ratings-floor"))
	}
	if err := s.arbiter.SetRatingSettings(c.Request().Context(), viewer(c), set); err != nil {
		return err
	}
	return s.redirect(c, "/admin/ratings", "flash.ratings-made")
}

func (s *Server) recomputeRatings(c echo.Context) error {
	if err := s.arbiter.BeginRecompute(c.Request().Context(), rating.Main); err != nil {
		return err
	}
	return s.redirect(c, "/admin/ratings", "flash.ratings-made")
}
