package rating

import (
	"errors"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/arbiter/kernel"
	"chpok.org/chpok/arbiter/ratings"
	"chpok.org/chpok/player"
	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates"
	"chpok.org/chpok/templates/lang"
	ratingview "chpok.org/chpok/templates/rating"
	"chpok.org/chpok/web/page"
	"chpok.org/chpok/web/words"
)

func poolURL(id rating.PoolID) string { return "/ratings/pools/" + string(id) }

func poolListURL(id rating.PoolID) string { return "/ratings?pool=" + string(id) }

// makingOf returns how many events of a list that is being computed are in it; nil if none is.
func makingOf(tx *store.Tx, id rating.PoolID) (*apiMaking, error) {
	f, err := tx.FoldInTheMaking(id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := tx.LastOrdinal()
	return &apiMaking{int(f.UpTo), int(all)}, err
}

// makingText says the same; empty if none is being computed.
func makingText(tx *store.Tx, p lang.Printer, id rating.PoolID) (string, error) {
	making, err := makingOf(tx, id)
	if err != nil || making == nil {
		return "", err
	}
	return p.T("rating.making", "Done", p.Int(making.Done), "All", p.Int(making.All)), nil
}

func (s pages) pools(c echo.Context) error {
	p, v := s.Printer(c), page.Viewer(c)
	view := ratingview.PoolsView{MayAdd: v.MayOperate(), AddURL: "/ratings/pools/new"}
	err := s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		pools, err := tx.RatingPools()
		if err != nil {
			return err
		}
		for _, x := range pools {
			may, err := ratings.MayRunPool(tx, v, x)
			if err != nil {
				return err
			}
			card := ratingview.PoolCard{
				Name: words.PoolName(p, x), URL: poolURL(x.ID), ListURL: poolListURL(x.ID), Owner: p.T("rating.of-site"),
				Method: p.T("rating.method-name." + x.Rules.Method.String()), Counts: countsText(p, x.Counts), MayRun: may,
			}
			if x.Club != "" {
				of, err := tx.Club(club.ID(x.Club))
				if err != nil {
					return err
				}
				card.Owner = of.Name
			}
			view.Pools = append(view.Pools, card)
		}
		own, err := clubOfViewer(tx, v)
		if own != "" && !view.MayAdd {
			view.MayAdd, view.AddURL = true, "/ratings/pools/new?club="+own
		}
		return err
	})
	if err != nil {
		return err
	}
	sh := s.Shell(c, p.T("rating.pools"))
	sh.Section, sh.Styles = "players", []string{"rating.css"}
	return s.Render(c, http.StatusOK, ratingview.PoolsPage(sh, view))
}

// clubOfViewer returns a club for which the viewer may create a list; empty for none.
func clubOfViewer(tx *store.Tx, v player.Viewer) (string, error) {
	if !v.IsSignedIn() {
		return "", nil
	}
	memberships, err := tx.Memberships(v.ID)
	for _, m := range memberships {
		if club.May(v, m.Role, club.ActHold) {
			return string(m.Club), err
		}
	}
	return "", err
}

func countsText(p lang.Printer, x rating.Counts) string {
	var parts []string
	for _, one := range []struct {
		on  bool
		key string
	}{{x.Tournaments, "tournaments"}, {x.Challenges, "challenges"}, {x.Ladders, "ladders"}, {x.Handicap, "handicap"}} {
		if one.on {
			parts = append(parts, p.T("rating.counts."+one.key))
		}
	}
	return strings.Join(parts, ", ")
}

// ratingField is a number in the rules of a list that can be chosen; all else follows FIDE B.02.
type ratingField struct {
	name     string
	low, top int
	of       func(*rating.Settings) *int
}

var poolFields = []ratingField{
	{"start", 0, 3000, func(s *rating.Settings) *int { return &s.Start }},
	{"new-games", 0, 200, func(s *rating.Settings) *int { return &s.NewGames }},
	{"new-k", 1, 200, func(s *rating.Settings) *int { return &s.NewK }},
	{"k", 1, 200, func(s *rating.Settings) *int { return &s.K }},
	{"floor", 0, 3000, func(s *rating.Settings) *int { return &s.Floor }},
	{"junior-k", 0, 200, func(s *rating.Settings) *int { return &s.JuniorK }},
	{"top", 0, 4000, func(s *rating.Settings) *int { return &s.Top }},
}

// glickoField is a parameter of Glicko-2 in the form.
type glickoField struct {
	name string
	get  func(rating.Glicko) string
	set  func(*rating.Glicko, string) bool
}

func wholeIn(set func(*rating.Glicko, int), low, high int) func(*rating.Glicko, string) bool {
	return func(g *rating.Glicko, text string) bool {
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			return false
		}
		set(g, n)
		return true
	}
}

func realIn(set func(*rating.Glicko, float64), low, high float64) func(*rating.Glicko, string) bool {
	return func(g *rating.Glicko, text string) bool {
		x, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		if err != nil || math.IsNaN(x) || x < low || x > high {
			return false
		}
		set(g, x)
		return true
	}
}

func realText(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

var glickoFields = []glickoField{
	{"tau", func(g rating.Glicko) string { return realText(g.Tau) }, realIn(func(g *rating.Glicko, x float64) { g.Tau = x }, 0.1, 2)},
	{"deviation", func(g rating.Glicko) string { return strconv.Itoa(g.Deviation) },
		wholeIn(func(g *rating.Glicko, n int) { g.Deviation = n }, 30, 500)},
	{"volatility", func(g rating.Glicko) string { return realText(g.Volatility) },
		realIn(func(g *rating.Glicko, x float64) { g.Volatility = x }, 0.001, 0.5)},
	{"provisional", func(g rating.Glicko) string { return strconv.Itoa(g.Provisional) },
		wholeIn(func(g *rating.Glicko, n int) { g.Provisional = n }, 1, 500)},
}

// poolForm is the form of a list with its values and faults.
type poolForm struct {
	pool   rating.Pool
	values map[string]string
	wrong  map[string]bool
	error  string // about the whole form
}

func formOfPool(x rating.Pool) poolForm {
	f := poolForm{pool: x, values: map[string]string{"name": x.Name, "zone": x.Zone}, wrong: map[string]bool{}}
	for _, n := range poolFields {
		f.values[n.name] = strconv.Itoa(*n.of(&x.Rules))
	}
	g := x.Rules.Glicko
	if x.Rules.Method != rating.Glicko2 {
		g = rating.Glickman(0).Glicko
	}
	for _, n := range glickoFields {
		f.values["glicko-"+n.name] = n.get(g)
	}
	return f
}

// readPool reads what was asked for of a list, by the names of its form, into x.
func readPool(asked func(name string) string, x rating.Pool) poolForm {
	f := poolForm{values: map[string]string{}, wrong: map[string]bool{}}
	value := func(name string) string {
		f.values[name] = strings.TrimSpace(words.Shorten(asked(name), 100))
		return f.values[name]
	}
	if x.ID != rating.Main && x.ID != rating.Handicap {
		x.Name = value("name")
		f.wrong["name"] = x.Name == "" || len([]rune(x.Name)) > rating.MaxPoolName
	}
	x.Zone = value("zone")
	x.Counts = rating.Counts{Tournaments: asked("tournaments") != "", Challenges: asked("challenges") != "",
		Ladders: asked("ladders") != "", Handicap: asked("handicap") != ""}
	method, _ := rating.ParseMethod(asked("method"))
	chosen := map[string]int{}
	for _, n := range poolFields {
		number, err := strconv.Atoi(value(n.name))
		f.wrong[n.name] = err != nil || number < n.low || number > n.top
		chosen[n.name] = number
	}
	x.Rules = rating.FIDE()
	if chosen["start"] > 0 {
		x.Rules = rating.Club(chosen["start"])
	}
	x.Rules.Method = method
	for _, n := range poolFields {
		*n.of(&x.Rules) = chosen[n.name]
	}
	if chosen["junior-k"] == 0 {
		x.Rules.JuniorAge = 0
	}
	for _, n := range glickoFields {
		f.wrong["glicko-"+n.name] = !n.set(&x.Rules.Glicko, value("glicko-"+n.name))
	}
	f.pool = x
	return f
}

func (f poolForm) isWrong() bool {
	return f.error != "" || slices.Contains(slices.Collect(maps.Values(f.wrong)), true)
}

func (s pages) showPoolForm(c echo.Context, status int, f poolForm, progress string) error {
	p, x := s.Printer(c), f.pool
	view := ratingview.PoolFormView{
		Title: p.T("rating.new"), Action: "/ratings/pools", Error: f.error, IsNew: x.ID == "", Progress: progress,
		Tournaments: x.Counts.Tournaments, Challenges: x.Counts.Challenges, Ladders: x.Counts.Ladders, Handicap: x.Counts.Handicap,
	}
	if !view.IsNew {
		view.Title, view.Action = words.PoolName(p, x), poolURL(x.ID)
		view.ImportURL, view.RecomputeURL, view.ListURL = poolURL(x.ID)+"/import", poolURL(x.ID)+"/recompute", poolListURL(x.ID)
	} else if x.Club != "" {
		view.Action += "?club=" + x.Club
	}
	if x.ID != rating.Main && x.ID != rating.Handicap {
		view.Name = &templates.Field{Name: "name", Label: p.T("rating.name"), Value: f.values["name"], Max: rating.MaxPoolName, Required: true,
			Autocomplete: "off"}
		if f.wrong["name"] {
			view.Name.Error = p.T("rating.name-wrong")
		}
	}
	view.Zone = templates.Field{Name: "zone", IsZone: true, Label: p.T("rating.zone"), Hint: p.T("rating.zone-hint"), Value: f.values["zone"],
		Required: true}
	for _, m := range []rating.Method{rating.Elo, rating.Glicko2} {
		view.Method = append(view.Method, templates.Choice{Value: m.String(), Text: p.T("rating.method-name." + m.String()),
			Chosen: m == x.Rules.Method})
	}
	for _, n := range poolFields {
		field := templates.Field{Name: n.name, Type: "number", Required: true, Value: f.values[n.name], Autocomplete: "off",
			Label: p.T("admin.ratings." + n.name), Hint: p.T("admin.ratings-hint." + n.name)}
		if f.wrong[n.name] {
			field.Error = p.T("admin.ratings-range", "Low", n.low, "High", n.top)
		}
		view.Numbers = append(view.Numbers, field)
	}
	for _, n := range glickoFields {
		field := templates.Field{Name: "glicko-" + n.name, Required: true, Value: f.values["glicko-"+n.name], Autocomplete: "off",
			Label: p.T("rating.glicko." + n.name)}
		if f.wrong["glicko-"+n.name] {
			field.Error = p.T("rating.glicko-wrong." + n.name)
		}
		view.Glicko = append(view.Glicko, field)
	}
	sh := s.Shell(c, view.Title)
	sh.Section, sh.Styles = "players", []string{"rating.css"}
	return s.Render(c, status, ratingview.PoolFormPage(sh, view))
}

// runnablePool returns the list in the address; page.ErrForbidden if the viewer may not change it.
func (s pages) runnablePool(c echo.Context) (x rating.Pool, progress string, err error) {
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if x, err = tx.RatingPool(rating.PoolID(c.Param("id"))); err != nil {
			return err
		}
		may, err := ratings.MayRunPool(tx, page.Viewer(c), x)
		if err == nil && !may {
			return page.ErrForbidden
		}
		if err != nil {
			return err
		}
		version, err := kernel.SiteVersion(tx)
		if err != nil {
			return err
		}
		page.SetShown(c, page.ShownBefore(c, version))
		progress, err = makingText(tx, s.Printer(c), x.ID)
		return err
	})
	return x, progress, err
}

// newPoolOf returns a new list of a club or, without one, of the site.
func (s pages) newPoolOf(c echo.Context, of string) (x rating.Pool, err error) {
	x = rating.Pool{Club: words.Shorten(of, 40), Zone: s.Printer(c).Zone.String(),
		Counts: rating.Counts{Tournaments: true, Challenges: true}, Rules: rating.Club(store.DefaultStart)}
	err = s.Store.Read(c.Request().Context(), func(tx *store.Tx) error {
		if x.Club != "" {
			if _, err := tx.Club(club.ID(x.Club)); err != nil {
				return err
			}
		}
		may, err := ratings.MayRunPool(tx, page.Viewer(c), x)
		if err == nil && !may {
			err = page.ErrForbidden
		}
		return err
	})
	return x, err
}

func (s pages) newPool(c echo.Context) error {
	x, err := s.newPoolOf(c, c.QueryParam("club"))
	if err != nil {
		return err
	}
	return s.showPoolForm(c, http.StatusOK, formOfPool(x), "")
}

func (s pages) createPool(c echo.Context) error {
	x, err := s.newPoolOf(c, c.QueryParam("club"))
	if err != nil {
		return err
	}
	f := s.checkedPool(c, readPool(c.FormValue, x))
	if f.isWrong() {
		return s.showPoolForm(c, http.StatusUnprocessableEntity, f, "")
	}
	id, err := s.Arbiter.Ratings.AddPool(c.Request().Context(), page.Viewer(c), f.pool)
	if err != nil {
		return err
	}
	return s.Redirect(c, poolListURL(id), "flash.rating-pool")
}

// checkedPool adds the rulebook's refusal of a list.
func (s pages) checkedPool(c echo.Context, f poolForm) poolForm {
	if f.isWrong() {
		return f
	}
	x := f.pool
	if x.ID == "" {
		x.ID = "new"
	}
	f.error = page.TextOf(s.Printer(c), x.Validate())
	return f
}

func (s pages) poolForm(c echo.Context) error {
	x, progress, err := s.runnablePool(c)
	if err != nil {
		return err
	}
	return s.showPoolForm(c, http.StatusOK, formOfPool(x), progress)
}

func (s pages) setPool(c echo.Context) error {
	x, progress, err := s.runnablePool(c)
	if err != nil {
		return err
	}
	f := s.checkedPool(c, readPool(c.FormValue, x))
	if f.isWrong() {
		return s.showPoolForm(c, http.StatusUnprocessableEntity, f, progress)
	}
	if err := s.Arbiter.Ratings.SetPool(c.Request().Context(), page.Viewer(c), f.pool); err != nil {
		return err
	}
	return s.Redirect(c, poolURL(x.ID), "flash.ratings-made")
}

func (s pages) recomputePool(c echo.Context) error {
	id, err := s.recompute(c)
	if err != nil {
		return err
	}
	return s.Redirect(c, poolURL(id), "flash.ratings-made")
}

// recompute computes the list in the address anew.
func (s pages) recompute(c echo.Context) (rating.PoolID, error) {
	x, _, err := s.runnablePool(c)
	if err != nil {
		return "", err
	}
	return x.ID, s.Arbiter.Ratings.BeginRecompute(c.Request().Context(), x.ID)
}
