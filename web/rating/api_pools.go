package rating

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"chpok.org/chpok/player/club"
	"chpok.org/chpok/rating"
	"chpok.org/chpok/refusal"
	"chpok.org/chpok/store"
	"chpok.org/chpok/templates/lang"
	"chpok.org/chpok/tournament/intake"
	"chpok.org/chpok/web/page"
)

type (
	poolPath struct {
		ID rating.PoolID `path:"id" doc:"the list" example:"main"`
	}
	// apiPoolRules are the numbers in the rules of a list that can be chosen; all else follows FIDE B.02.
	apiPoolRules struct {
		Start    int `json:"start" doc:"rating of newcomers; 0: none until they have played enough" example:"1500"`
		NewGames int `json:"newGames" doc:"so many matches are provisional" example:"30"`
		NewK     int `json:"newK" doc:"K in them" example:"40"`
		K        int `json:"k" doc:"K after them" example:"20"`
		Floor    int `json:"floor" doc:"the lowest rating" example:"100"`
		JuniorK  int `json:"juniorK" doc:"K of those under 18; 0: as anybody’s" example:"40"`
		Top      int `json:"top" doc:"from here on K is 10; 0: nowhere" example:"2400"`
	}
	apiGlicko struct {
		Tau         float64 `json:"tau" doc:"how quickly the volatility changes, 0.1 to 2" example:"0.5"`
		Deviation   int     `json:"deviation" doc:"of newcomers, 30 to 500" example:"350"`
		Volatility  float64 `json:"volatility" doc:"of newcomers, 0.001 to 0.5" example:"0.06"`
		Provisional int     `json:"provisional" doc:"ratings with a wider deviation are provisional" example:"110"`
	}
	apiMaking struct {
		Done int `json:"done" doc:"events that are in it" example:"40"`
		All  int `json:"all" doc:"events there are" example:"128"`
	}
	// poolBody is what is asked for of a list.
	poolBody struct {
		Name   *string       `json:"name" doc:"of a list that is not every site’s" example:"Friday blitz" max:"60"`
		Zone   *string       `json:"zone" doc:"where its months begin" example:"Europe/Kyiv" max:"60"`
		Method *string       `json:"method" doc:"how it is computed" enum:"elo,glicko2" example:"elo"`
		Counts *apiCounts    `json:"counts" doc:"what counts for it"`
		Rules  *apiPoolRules `json:"rules" doc:"the numbers it is computed by"`
		Glicko *apiGlicko    `json:"glicko" doc:"more of them, for glicko2"`
	}
	addPoolIn struct {
		Club club.ID `json:"club,omitempty" doc:"whose list it is; absent: the site’s"`
		poolBody
	}
	setPoolIn struct {
		poolPath
		poolBody
	}
	importListIn struct {
		poolPath
		List    string `json:"list" doc:"CSV with handle, fide or name; FIDE’s list; or a TRF" example:"handle,rating\nanna,1612" min:"1"`
		Create  bool   `json:"create,omitempty" doc:"make accounts for unknown handles: operators, for lists of the site"`
		Preview bool   `json:"preview,omitempty" doc:"only say what would change"`
	}
	apiImportLine struct {
		Line    int     `json:"line" doc:"in the list" example:"2"`
		Handle  string  `json:"handle" doc:"who" example:"anna"`
		Rating  int     `json:"rating" doc:"what the list gives, in points" example:"1612"`
		Before  float64 `json:"before" doc:"what stood, in points; 0: nothing" example:"1500"`
		Games   int     `json:"games" doc:"with that rating" example:"41"`
		Changes string  `json:"changes" doc:"what it brings; account: a new one" enum:"new,account,replaced,same" example:"replaced"`
	}
	apiLeftLine struct {
		Line int    `json:"line" doc:"in the list" example:"3"`
		Text string `json:"text" doc:"how the list calls them" example:"nobody"`
		Why  string `json:"why" doc:"nobody here is called so; or several people here, or lines, are" enum:"nobody,several" example:"nobody"`
	}
	apiImport struct {
		All   int             `json:"all" doc:"how many lines with ratings the list has" example:"2"`
		Lines []apiImportLine `json:"lines" doc:"that give somebody a rating, as the list has them"`
		Left  []apiLeftLine   `json:"left" doc:"lines that give nobody one; a hundred at most"`
	}
)

// errImport refuses a list with lines that cannot be taken.
var errImport = refusal.Invalid("rating.error.import", "web: some lines of the list cannot be taken")

func apiPoolOf(tx *store.Tx, x rating.Pool) (apiPool, error) {
	r := x.Rules
	out := apiPool{ID: x.ID, Name: x.Name, Club: page.Optional(club.ID(x.Club)), Method: r.Method.String(), Zone: x.Zone,
		Counts: apiCounts(x.Counts),
		Rules:  apiPoolRules{r.Start, r.NewGames, r.NewK, r.K, r.Floor, r.JuniorK, r.Top}, Lists: []string{}}
	if r.Method == rating.Glicko2 {
		out.Glicko = &apiGlicko{r.Glicko.Tau, r.Glicko.Deviation, r.Glicko.Volatility, r.Glicko.Provisional}
	}
	months, err := tx.MonthlyLists(x.ID)
	for _, m := range months {
		out.Lists = append(out.Lists, m.Month)
	}
	if err == nil {
		out.Making, err = makingOf(tx, x.ID)
	}
	return out, err
}

// on changes a list by what is asked for; nothing else of it changes.
func (b poolBody) on(x rating.Pool) (rating.Pool, error) {
	asked := formOfPool(x).values
	asked["method"] = x.Rules.Method.String()
	if r := b.Rules; r != nil {
		given := rating.Settings{Start: r.Start, NewGames: r.NewGames, NewK: r.NewK, K: r.K, Floor: r.Floor, JuniorK: r.JuniorK, Top: r.Top}
		for _, n := range poolFields {
			asked[n.name] = strconv.Itoa(*n.of(&given))
		}
	}
	if g := b.Glicko; g != nil {
		given := rating.Glicko{Tau: g.Tau, Deviation: g.Deviation, Volatility: g.Volatility, Provisional: g.Provisional}
		for _, n := range glickoFields {
			asked["glicko-"+n.name] = n.get(given)
		}
	}
	for name, given := range map[string]*string{"name": b.Name, "zone": b.Zone, "method": b.Method} {
		if given != nil {
			asked[name] = *given
		}
	}
	counts := apiCounts(x.Counts)
	if b.Counts != nil {
		counts = *b.Counts
	}
	for name, on := range map[string]bool{"tournaments": counts.Tournaments, "challenges": counts.Challenges, "ladders": counts.Ladders,
		"handicap": counts.Handicap} {
		if on {
			asked[name] = "on"
		}
	}
	f := readPool(func(name string) string { return asked[name] }, x)
	return f.pool, f.fault()
}

// fault names the first key that means nothing.
func (f poolForm) fault() error {
	if f.wrong["name"] {
		return page.BadValue("name", fmt.Sprintf("the length of name is 1 to %d", rating.MaxPoolName))
	}
	for _, n := range poolFields {
		if f.wrong[n.name] {
			key := "rules." + camel(n.name)
			return page.BadValue(key, fmt.Sprintf("%s is %d to %d", key, n.low, n.top))
		}
	}
	for _, n := range glickoFields {
		if f.wrong["glicko-"+n.name] {
			key := "glicko." + n.name
			return page.BadValue(key, key+" is out of its bounds")
		}
	}
	return nil
}

// camel is the name of a field of the form as a key of JSON: new-games is newGames.
func camel(name string) string {
	first, rest, _ := strings.Cut(name, "-")
	if rest == "" {
		return first
	}
	return first + strings.ToUpper(rest[:1]) + rest[1:]
}

func (s api) poolNow(c echo.Context, id rating.PoolID) (out apiPool, err error) {
	return store.Get(c.Request().Context(), s.Store, func(tx *store.Tx) (apiPool, error) {
		x, err := tx.RatingPool(id)
		if err != nil {
			return apiPool{}, err
		}
		return apiPoolOf(tx, x)
	})
}

func (s api) pool(c echo.Context, in poolPath) (apiPool, error) { return s.poolNow(c, in.ID) }

func (s api) addPool(c echo.Context, in addPoolIn) (out apiPool, err error) {
	x, err := pages(s).newPoolOf(c, string(in.Club))
	if err != nil {
		return out, err
	}
	if x, err = in.on(x); err != nil {
		return out, err
	}
	id, err := s.Arbiter.Ratings.AddPool(c.Request().Context(), page.Viewer(c), x)
	if err != nil {
		return out, err
	}
	return s.poolNow(c, id)
}

func (s api) setPool(c echo.Context, in setPoolIn) (out apiPool, err error) {
	x, _, err := pages(s).runnablePool(c)
	if err != nil {
		return out, err
	}
	if x, err = in.on(x); err != nil {
		return out, err
	}
	if err := s.Arbiter.Ratings.SetPool(c.Request().Context(), page.Viewer(c), x); err != nil {
		return out, err
	}
	return s.poolNow(c, x.ID)
}

func (s api) recompute(c echo.Context, _ poolPath) (page.None, error) {
	_, err := pages(s).recompute(c)
	return page.None{}, err
}

// importList gives ratings from a list, or says what that would change.
func (s api) importList(c echo.Context, in importListIn) (out apiImport, err error) {
	x, _, err := pages(s).runnablePool(c)
	if err != nil {
		return out, err
	}
	text, err := intake.Clean(in.List)
	if err != nil {
		return out, err
	}
	brought, err := pages(s).importOf(c, x, page.Brought{Text: text}, in.Create)
	switch {
	case err != nil:
		return out, err
	case brought.refused != nil:
		return out, brought.refused
	case len(brought.problems) > 0:
		return out, brought.fault()
	case brought.plan.All == 0:
		return out, page.BadValue("list", "list has no lines")
	}
	out = apiImport{brought.plan.All, []apiImportLine{}, []apiLeftLine{}}
	for _, l := range brought.plan.Lines {
		out.Lines = append(out.Lines, apiImportLine{l.Line, string(l.Player.Handle), l.Rating, points(l.Before.Rating), l.Games, brings(l)})
	}
	for _, l := range brought.plan.Left {
		out.Left = append(out.Left, apiLeftLine{l.Line, l.Called(), l.Why()})
	}
	if in.Preview {
		return out, nil
	}
	return out, s.Arbiter.Ratings.Import(c.Request().Context(), page.Viewer(c), brought.plan)
}

// fault names every line that cannot be taken.
func (in *importing) fault() error {
	english := lang.Printer{Lang: lang.English}
	var faults []refusal.Fault
	for _, x := range in.problems {
		faults = append(faults, refusal.Fault{Field: "list", Why: "form",
			Text: "line " + strconv.Itoa(x.Line) + ": " + rowProblemText(english, x)})
	}
	return refusal.Faulty(errImport, faults, faults[0].Text)
}
